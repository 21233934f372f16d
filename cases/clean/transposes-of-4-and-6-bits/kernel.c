// 4-bit and 6-bit elements transposed on their way from LDS to registers.
// clang-22 -x c -target amdgcn-amd-amdhsa -nogpulib -O2 -mcpu=gfx950 -S kernel.c -o gfx950.s
#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))
typedef int I2 __attribute__((ext_vector_type(2)));
typedef int I3 __attribute__((ext_vector_type(3)));

#ifdef __gfx1250__
#define TR4 __builtin_amdgcn_ds_load_tr4_b64_v2i32
#define TR6 __builtin_amdgcn_ds_load_tr6_b96_v3i32
#else
#define TR4 __builtin_amdgcn_ds_read_tr4_b64_v2i32
#define TR6 __builtin_amdgcn_ds_read_tr6_b96_v3i32
#endif

__attribute__((amdgpu_kernel)) void transposes(int GLOBAL *in, int GLOBAL *out) {
  static SHARED int tile[64 * 5] __attribute__((loader_uninitialized));
  int lane = __builtin_amdgcn_workitem_id_x();
  int size = __builtin_amdgcn_wavefrontsize();
  SHARED int *four = tile + lane * 2, *six = tile + size * 2 + lane * 3;
  for (int i = 0; i < 2; i++) four[i] = in[lane * 5 + i];
  for (int i = 0; i < 3; i++) six[i] = in[lane * 5 + 2 + i];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  I2 x = TR4((SHARED I2 *)four);
  I3 y = TR6((SHARED I3 *)six);
  for (int i = 0; i < 2; i++) out[lane * 5 + i] = x[i];
  for (int i = 0; i < 3; i++) out[lane * 5 + 2 + i] = y[i];
}
