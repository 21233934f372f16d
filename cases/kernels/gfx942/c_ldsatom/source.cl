#define WG 256
#define get_local_id(d) ((int)__builtin_amdgcn_workitem_id_x())
#define get_group_id(d) ((int)__builtin_amdgcn_workgroup_id_x())
#define get_global_id(d) (get_group_id(0) * WG + get_local_id(0))
static inline void sync(void) { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); }
#define barrier(x) sync()
#define popcount(x) __builtin_popcount(x)
#define clz(x) __builtin_clz(x)
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define rotate(x, n) ((int)(((unsigned)(x) << (n)) | ((unsigned)(x) >> (32 - (n)))))
#define mul_hi(a, b) ((int)(((long)(a) * (long)(b)) >> 32))
#define R memory_order_relaxed, memory_scope_work_group
#define atomic_inc(p) __scoped_atomic_fetch_add(p, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#define atomic_max(p, v) __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#define atomic_min(p, v) __scoped_atomic_fetch_min(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#define atomic_xor(p, v) __scoped_atomic_fetch_xor(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#define atom_add(p, v) __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
__kernel void ldsatom(__global const int *x, __global int *y, int n) {
  __local int h[32]; __local int mx, mn, xr, cas; __local long sum;
  int t = get_local_id(0);
  if (t < 32) h[t] = 0;
  if (t == 0) { mx = -2147483647; mn = 2147483647; xr = 0; cas = 0; sum = 0; }
  barrier(CLK_LOCAL_MEM_FENCE);
  int v = x[get_global_id(0)];
  atomic_inc(&h[v & 31]); atomic_max(&mx, v); atomic_min(&mn, v); atomic_xor(&xr, v);
  int o = __scoped_atomic_load_n(&cas, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP); while (!__scoped_atomic_compare_exchange_n(&cas, &o, o + (v & 3), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)) {}
  atom_add(&sum, (long)v * 1000003L);
  barrier(CLK_LOCAL_MEM_FENCE);
  __global int *d = y + get_group_id(0) * 40;
  if (t < 32) d[t] = h[t];
  if (t == 0) { d[32] = mx; d[33] = mn; d[34] = xr; d[35] = cas; d[36] = (int)sum; d[37] = (int)(sum >> 32); d[38] = 0; d[39] = 0; }
}
