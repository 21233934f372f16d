// Recursion, calls through pointers in memory, a table of constants, data that starts as zeros.
// clang-22 -x c -target amdgcn-amd-amdhsa -nogpulib -O2 -mcpu=gfx942 -S calls.c -o gfx942.s
// llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=gfx942 -filetype=obj gfx942.s -o o && ld.lld-22 -shared o -o gfx942.hsaco
#define GLOBAL __attribute__((address_space(1)))
#define CONSTANT __attribute__((address_space(4)))

typedef int (*Operation)(int);

__attribute__((noinline)) int fibonacci(int n) {
  int a = 0, b = 1;
  for (int i = 0; i < n; i++) {
    int t = a + b;
    a = b;
    b = t;
  }
  return a;
}

__attribute__((noinline)) int recursive(int n) { return n <= 1 ? 1 : recursive(n - 1) + n * fibonacci(n & 7); }

__attribute__((noinline)) int twice(int n) { return 2 * n; }

Operation operations[2] = {fibonacci, twice};
CONSTANT const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int zeros[100];

__attribute__((amdgpu_kernel)) void calls(int GLOBAL *out, int n) {
  int group = __builtin_amdgcn_workgroup_id_x();
  int i = group * 64 + __builtin_amdgcn_workitem_id_x();
  out[i] = recursive(i & 7) + table[i & 7] + n + operations[group & 1](i & 15) + zeros[i & 63];
}
