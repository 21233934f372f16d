import triton
import triton.language as tl
@triton.jit
def k(x_ptr, y_ptr, t_ptr, N: tl.constexpr, K: tl.constexpr):
    r = tl.program_id(0)
    n = tl.arange(0, N)
    x = tl.load(x_ptr + r * N + n)
    tl.store(y_ptr + r * N + n, tl.sort(x))
    t = tl.topk(x, K)
    tl.store(t_ptr + r * K + tl.arange(0, K), t)

KERNEL = k
SIGNATURE = dict(x_ptr="*fp32", y_ptr="*fp32", t_ptr="*fp32", N="constexpr", K="constexpr")
CONSTANTS = dict(N=512, K=8)
DIVISIBLE_BY_16 = ["x_ptr", "y_ptr", "t_ptr"]
OPTIONS = dict(num_warps=4)
