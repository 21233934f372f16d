// Ordinary instructions of an AMD kernel, as a reduction or a hash has them: integers, singles, selects, two accesses of
// memory a turn.
// clang-22 -x cl --target=amdgcn-amd-amdhsa -mcpu=gfx1250 -nogpulib -O2 -S ordinary.cl -o ordinary_gfx1250.s; gfx950 likewise.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void ordinary(__global const float *in, __global float *out, int turns) {
  __local float tile[256];
  const int t = __builtin_amdgcn_workitem_id_x();
  const int block = __builtin_amdgcn_workgroup_id_x();
  __global const float *mine = in + block * 256;
  unsigned h = t * 2654435761u + block;
  float sum = 0.0f, scale = 1.0f;
  tile[t] = mine[t];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#pragma clang loop unroll(disable)
  for (int i = 0; i < turns; ++i) {
    h ^= h << 13;
    h ^= h >> 17;
    h ^= h << 5;
    const float x = tile[(t & ~31) + ((t + i) & 31)];
    const float y = mine[(h >> 8) & 255];
    sum = __builtin_fmaf(x, scale, sum);
    scale = (h & 64u) ? scale * 0.5f + y : y - scale;
  }
  out[block * 256 + t] = sum + scale;
}
