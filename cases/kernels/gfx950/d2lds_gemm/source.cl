// c = a b^T, 64 x 64 x 128, f16 in, f32 out: one workgroup of four waves, two LDS buffers filled by direct-to-LDS loads of
// 16 bytes a lane, so that the loads of the next tile are under way while this one is multiplied.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half half4v __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));
// What an OpenCL barrier would add is a wait for all loads.
#define WAIT_AND_MEET(wait) __asm__ volatile(wait "\n\ts_barrier" ::: "memory")
enum { K = 128, KT = 32, TILE = 64 * KT };

static void load(__global const half* from, __local half* to, uint row, uint piece) {
  __builtin_amdgcn_global_load_lds((__global void*)(from + row * K + piece * 8), (__local void*)to, 16, 0, 0);
}

__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void d2lds_gemm(__global const half* a, __global const half* b, __global float* c) {
  __local half tiles[2 * 2 * TILE];
  const uint lane = __builtin_amdgcn_workitem_id_x() & 63u;
  const uint wave = __builtin_amdgcn_readfirstlane(__builtin_amdgcn_workitem_id_x() >> 6);
  const uint row = wave * 16u + lane / 4u;
  float4v sum[4];
#pragma unroll
  for (int n = 0; n < 4; ++n) sum[n] = (float4v)(0.0f);
  load(a, tiles + wave * 512u, row, lane % 4u);
  load(b, tiles + TILE + wave * 512u, row, lane % 4u);
#pragma nounroll
  for (uint t = 0; t < K / KT; ++t) {
    const uint now = (t & 1u) * 2u * TILE, next = 2u * TILE - now;
    if (t + 1u < K / KT) {
      load(a + (t + 1u) * KT, tiles + next + wave * 512u, row, lane % 4u);
      load(b + (t + 1u) * KT, tiles + next + TILE + wave * 512u, row, lane % 4u);
      WAIT_AND_MEET("s_waitcnt vmcnt(2)");
    } else {
      WAIT_AND_MEET("s_waitcnt vmcnt(0)");
    }
#pragma unroll
    for (uint k = 0; k < KT; k += 16u) {
      const uint at = k + lane / 16u * 4u;
      half4v x = *(__local half4v*)(tiles + now + (wave * 16u + lane % 16u) * KT + at);
#pragma unroll
      for (uint n = 0; n < 4u; ++n) {
        half4v y = *(__local half4v*)(tiles + now + TILE + (n * 16u + lane % 16u) * KT + at);
        sum[n] = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, sum[n], 0, 0, 0);
      }
    }
    WAIT_AND_MEET("s_waitcnt lgkmcnt(0)");
  }
#pragma unroll
  for (uint n = 0; n < 4u; ++n)
#pragma unroll
    for (uint i = 0; i < 4u; ++i)
      c[(wave * 16u + lane / 16u * 4u + i) * 64u + n * 16u + lane % 16u] = sum[n][i];
}
