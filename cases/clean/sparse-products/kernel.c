// Products with a sparse A: of four neighbours in K two are stored, with two bits each that say which.
// clang-22 -x c -target amdgcn-amd-amdhsa -nogpulib -O2 -mcpu=gfx942 -S kernel.c -o gfx942.s
#define GLOBAL __attribute__((address_space(1)))
typedef float F4 __attribute__((ext_vector_type(4)));
typedef float F8 __attribute__((ext_vector_type(8)));
typedef _Float16 H4 __attribute__((ext_vector_type(4)));
typedef _Float16 H8 __attribute__((ext_vector_type(8)));
typedef _Float16 H16 __attribute__((ext_vector_type(16)));
typedef _Float16 H32 __attribute__((ext_vector_type(32)));

#ifdef __gfx1250__
// A is 16 x 64, B 64 x 16: two lanes share a row.
__attribute__((amdgpu_kernel)) void sparse(_Float16 GLOBAL *a, int GLOBAL *index, _Float16 GLOBAL *b, float GLOBAL *c) {
  int lane = __builtin_amdgcn_workitem_id_x(), row = lane % 16, part = lane / 16;
  H16 x;
  H32 y;
  for (int e = 0; e < 16; e++) x[e] = a[row * 32 + part * 16 + e];
  for (int e = 0; e < 32; e++) y[e] = b[(part * 32 + e) * 16 + row];
  F8 z = {0};
  z = __builtin_amdgcn_swmmac_f32_16x16x64_f16(0, x, 0, y, z, index[lane], 0, 0);
  for (int e = 0; e < 8; e++) c[(part * 8 + e) * 16 + row] = z[e];
}
#else
// A is 16 x 32, B 32 x 16: four lanes share a row.
__attribute__((amdgpu_kernel)) void sparse(_Float16 GLOBAL *a, int GLOBAL *index, _Float16 GLOBAL *b, float GLOBAL *c) {
  int lane = __builtin_amdgcn_workitem_id_x(), row = lane % 16, part = lane / 16;
  H4 x;
  H8 y;
  for (int e = 0; e < 4; e++) x[e] = a[row * 16 + part * 4 + e];
  for (int e = 0; e < 8; e++) y[e] = b[(part * 8 + e) * 16 + row];
  F4 z = {0};
  z = __builtin_amdgcn_smfmac_f32_16x16x32_f16(x, y, z, index[lane], 0, 0);
  for (int e = 0; e < 4; e++) c[(part * 4 + e) * 16 + row] = z[e];
}
#endif
