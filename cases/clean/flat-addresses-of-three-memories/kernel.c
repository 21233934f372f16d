// Pointers to LDS, private and global memory in one wave; compiled as ../calls says.
#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))

__attribute__((amdgpu_kernel)) void mixed(int GLOBAL *a, int GLOBAL *out) {
  static SHARED int s[64] __attribute__((loader_uninitialized));
  int lane = __builtin_amdgcn_workitem_id_x();
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + lane;
  int t[2] = {7, 9};
  s[lane] = a[i];
  int *p;
  switch (lane % 3) {
  case 0: p = (int *)&s[lane]; break;
  case 1: p = &t[lane & 1]; break;
  default: p = (int *)&a[i];
  }
  __scoped_atomic_fetch_add(p, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  out[i] = *p;
}
