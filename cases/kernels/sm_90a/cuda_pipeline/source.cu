#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

extern "C" __global__ void pipelines(const float *in, float *out, int tiles) {
  constexpr int stages = 3; __shared__ alignas(16) float t[stages][256];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> st; auto block = cg::this_thread_block();
  auto p = cuda::make_pipeline(block, &st); float sum = 0;
  int f = 0;
  for (int k = 0; k < tiles; k++) {
    for (; f < tiles && f < k + stages; f++) { p.producer_acquire(); cuda::memcpy_async(block, t[f % stages], in + f * 256, cuda::aligned_size_t<16>(1024), p); p.producer_commit(); }
    p.consumer_wait(); sum += t[k % stages][(threadIdx.x + k) & 255]; p.consumer_release();
  }
  out[threadIdx.x] = sum;
}
