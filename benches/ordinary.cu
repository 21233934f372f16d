// Ordinary instructions, as a reduction or a hash has them: integers, singles, a predicate, two accesses of memory a turn.
// nvcc -arch=sm_90a -ptx ordinary.cu -o ordinary.ptx
extern "C" __global__ void __launch_bounds__(256) ordinary(const float* in, float* out, int turns) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const float* mine = in + blockIdx.x * 256;
  unsigned h = t * 2654435761u + blockIdx.x;
  float sum = 0.0f, scale = 1.0f;
  tile[t] = mine[t];
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    h ^= h << 13;
    h ^= h >> 17;
    h ^= h << 5;
    const float x = tile[(t & ~31) + ((t + i) & 31)];
    const float y = mine[(h >> 8) & 255];
    sum = fmaf(x, scale, sum);
    scale = (h & 64u) ? scale * 0.5f + y : y - scale;
  }
  out[blockIdx.x * 256 + t] = sum + scale;
}
