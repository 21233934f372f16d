import triton
import triton.language as tl
@triton.jit
def k(x_ptr, o_ptr, f_ptr, h_ptr, lock_ptr, s_ptr, d_ptr, N: tl.constexpr):
    p = tl.program_id(0)
    n = tl.arange(0, N)
    x = tl.load(x_ptr + p * N + n)
    slot = n & 7
    tl.atomic_max(o_ptr + slot, x)
    tl.atomic_min(o_ptr + 8 + slot, x)
    tl.atomic_and(o_ptr + 16 + slot, x | 15)
    tl.atomic_or(o_ptr + 24 + slot, x)
    tl.atomic_xor(o_ptr + 32 + slot, x)
    tl.atomic_add(f_ptr + slot, (x & 15).to(tl.float32))
    tl.atomic_max(f_ptr + 8 + slot, x.to(tl.float32))
    tl.atomic_add(h_ptr + slot, (x & 1).to(tl.float16))
    tl.atomic_add(d_ptr + slot, (x & 15).to(tl.float64))
    tl.atomic_add(s_ptr + n, x)
    if tl.atomic_cas(lock_ptr, 0, p + 1) == 0:
        tl.atomic_xchg(lock_ptr + 1, 7)

KERNEL = k
SIGNATURE = dict(x_ptr="*i32", o_ptr="*i32", f_ptr="*fp32", h_ptr="*fp16", lock_ptr="*i32", s_ptr="*i32", d_ptr="*fp64", N="constexpr")
CONSTANTS = dict(N=256)
DIVISIBLE_BY_16 = ["x_ptr", "o_ptr", "f_ptr", "h_ptr", "lock_ptr", "s_ptr", "d_ptr"]
OPTIONS = dict(num_warps=4)
