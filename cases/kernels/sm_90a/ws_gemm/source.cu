// c = a b^T with a producer warp and two consumer warpgroups: a ring of STAGES tiles, full and empty barriers.
// One block computes 128 x 64 of c; k tiles of 64 halves, 128-byte swizzle on both operands.
#include <cstdint>

struct alignas(64) TensorMap { char bytes[128]; };

constexpr int STAGES = 2, BM = 128, BN = 64, BK = 64;
constexpr int A_BYTES = BM * BK * 2, B_BYTES = BN * BK * 2;

__device__ uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void wait(uint32_t barrier, uint32_t parity) {
  asm volatile("{\n .reg .pred done;\nAGAIN_%=:\n mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n @!done bra AGAIN_%=;\n}"
               :: "r"(barrier), "r"(parity) : "memory");
}

__device__ void load(uint32_t to, const TensorMap* map, int x, int y, uint32_t barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               :: "r"(to), "l"(map), "r"(x), "r"(y), "r"(barrier) : "memory");
}

// 128-byte swizzle, rows of 128 bytes, groups of 8 rows 1024 bytes apart.
__device__ uint64_t descriptor(uint32_t address) {
  return (uint64_t(address & 0x3ffff) >> 4) | (uint64_t(1) << 16) | (uint64_t(1024 >> 4) << 32) | (uint64_t(1) << 62);
}

__device__ void multiply(float (&d)[32], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(384, 1)
ws_gemm(const __grid_constant__ TensorMap a_map, const __grid_constant__ TensorMap b_map, float* c, int k_tiles, int n) {
  extern __shared__ __align__(1024) uint8_t tiles[];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  const int group = threadIdx.x / 128;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(shared_address(&full[s])));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 8;" :: "r"(shared_address(&empty[s])));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) {
      for (int k = 0; k < k_tiles; ++k) {
        const int s = k % STAGES;
        const uint32_t to = shared_address(tiles) + s * (A_BYTES + B_BYTES), barrier = shared_address(&full[s]);
        wait(shared_address(&empty[s]), ((k / STAGES) & 1) ^ 1);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(A_BYTES + B_BYTES) : "memory");
        load(to, &a_map, k * BK, row, barrier);
        load(to + A_BYTES, &b_map, k * BK, col, barrier);
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 160;");
    float d[32];
    for (float& x : d) x = 0;
    for (int k = 0; k < k_tiles; ++k) {
      const int s = k % STAGES;
      wait(shared_address(&full[s]), (k / STAGES) & 1);
      const uint32_t a = shared_address(tiles) + s * (A_BYTES + B_BYTES) + (group - 1) * 64 * 128;
      const uint32_t b = shared_address(tiles) + s * (A_BYTES + B_BYTES) + A_BYTES;
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      for (int i = 0; i < BK / 16; ++i) multiply(d, descriptor(a + 32 * i), descriptor(b + 32 * i));
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      if (threadIdx.x % 32 == 0)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(shared_address(&empty[s])) : "memory");
    }
    const int t = threadIdx.x % 128;
    const int r = row + (group - 1) * 64 + t / 32 * 16 + t % 32 / 4, x = col + t % 4 * 2;
    for (int j = 0; j < 8; ++j) {
      c[r * n + x + 8 * j] = d[4 * j];
      c[r * n + x + 8 * j + 1] = d[4 * j + 1];
      c[(r + 8) * n + x + 8 * j] = d[4 * j + 2];
      c[(r + 8) * n + x + 8 * j + 1] = d[4 * j + 3];
    }
  }
}
