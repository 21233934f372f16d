#include <cstdint>
// --- calls, switch, local arrays
__device__ __noinline__ int f_add(int a, int b) { return a * 3 + b; }
__device__ __noinline__ int f_sub(int a, int b) { return a - 2 * b; }
__device__ __noinline__ int f_xor(int a, int b) { return a ^ (b << 2); }
struct Big { int v[6]; float w; };
__device__ __noinline__ Big f_big(Big in, int k) { Big o = in; for (int i = 0; i < 6; i++) o.v[i] = in.v[(i + k) % 6] + k; o.w = in.w * 2.f; return o; }
typedef int (*fn)(int, int);
__device__ fn table[3] = { f_add, f_sub, f_xor };
extern "C" __global__ void calls(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  out[i] = table[i % 3](i, 7) + f_add(i, 1);
}
extern "C" __global__ void structs(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  Big b; for (int k = 0; k < 6; k++) b.v[k] = i + k * k; b.w = i * .5f;
  Big c = f_big(b, i & 3);
  int s = 0; for (int k = 0; k < 6; k++) s = s * 5 + c.v[k];
  out[i] = s + (int)c.w;
}
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
extern "C" __global__ void recurse(int *out, int n) { int i = threadIdx.x; if (i < n) out[i] = fib(i % 12); }
extern "C" __global__ void switches(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  int x = in[i], r;
  switch (x & 15) {
    case 0: r = x * 3; break; case 1: r = x + 17; break; case 2: r = x ^ 0x55; break; case 3: r = x << 3; break;
    case 4: r = -x; break; case 5: r = x / 3; break; case 6: r = x % 7; break; case 7: r = x >> 1; break;
    case 8: r = ~x; break; case 9: r = x * x; break; case 10: r = x - 100; break; default: r = 42;
  }
  out[i] = r;
}
extern "C" __global__ void locals(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  int a[32]; for (int k = 0; k < 32; k++) a[k] = in[(i + k) % n];
  for (int k = 0; k < 32; k++) { int j = (a[k] ^ k) & 31; int t = a[j]; a[j] = a[k]; a[k] = t; }
  int s = 0; for (int k = 0; k < 32; k++) s = s * 31 + a[k];
  out[i] = s;
}
