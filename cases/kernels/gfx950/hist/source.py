import triton
import triton.language as tl
@triton.jit
def k(x_ptr, h_ptr, g_ptr, N: tl.constexpr, B: tl.constexpr):
    n = tl.program_id(0) * N + tl.arange(0, N)
    x = tl.load(x_ptr + n)
    h = tl.histogram(x, B)
    tl.atomic_add(h_ptr + tl.arange(0, B), h)
    y = tl.load(x_ptr + tl.arange(0, 128))
    i = tl.load(x_ptr + 128 + tl.arange(0, 128)) & 127
    tl.store(g_ptr + tl.arange(0, 128), tl.gather(y, i, 0))

KERNEL = k
SIGNATURE = dict(x_ptr="*i32", h_ptr="*i32", g_ptr="*i32", N="constexpr", B="constexpr")
CONSTANTS = dict(N=1024, B=64)
DIVISIBLE_BY_16 = ["x_ptr", "h_ptr", "g_ptr"]
OPTIONS = dict(num_warps=4)
