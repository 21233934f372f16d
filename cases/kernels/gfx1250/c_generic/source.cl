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
__attribute__((noinline)) int add3(int *p, int i) { p[i & 3] += i; return p[(i + 1) & 3] + p[(i + 2) & 3]; }
__kernel void generic_(__global int *x, __global int *y, int n) {
  __local int l[256];
  int priv[4] = {1, 2, 3, 4};
  int i = get_global_id(0), t = get_local_id(0);
  l[t] = x[i]; 
  barrier(CLK_LOCAL_MEM_FENCE);
  int *p;
  if (i % 3 == 0) p = (int *)&l[t & ~3]; else if (i % 3 == 1) p = (int *)(x + (i & ~3)); else p = priv;
  int s = 0;
  for (int k = 0; k < 4; ++k) s = s * 3 + p[(k + i) & 3];
  int r = add3(priv, i);
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = s + r;
}
