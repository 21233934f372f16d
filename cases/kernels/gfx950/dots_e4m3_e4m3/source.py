import triton
import triton.language as tl
@triton.jit
def k(a_ptr, as_ptr, b_ptr, bs_ptr, c_ptr, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    ka = tl.arange(0, BK // 1)
    kb = tl.arange(0, BK // 1)
    ks = tl.arange(0, BK // 32)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        a = tl.load(a_ptr + m[:, None] * (K // 1) + k0 // 1 + ka[None, :])
        b = tl.load(b_ptr + n[None, :] * (K // 1) + k0 // 1 + kb[:, None])
        sa = tl.load(as_ptr + m[:, None] * (K // 32) + k0 // 32 + ks[None, :])
        sb = tl.load(bs_ptr + n[:, None] * (K // 32) + k0 // 32 + ks[None, :])
        acc = tl.dot_scaled(a, sa, "e4m3", b, sb, "e4m3", acc)
    tl.store(c_ptr + m[:, None] * (tl.num_programs(1) * BN) + n[None, :], acc)

KERNEL = k
SIGNATURE = dict(a_ptr="*u8", as_ptr="*u8", b_ptr="*u8", bs_ptr="*u8", c_ptr="*fp32", K="i32", BM="constexpr", BN="constexpr", BK="constexpr")
CONSTANTS = dict(BM=64, BN=64, BK=128)
DIVISIBLE_BY_16 = ["a_ptr", "as_ptr", "b_ptr", "bs_ptr", "c_ptr", "K"]
OPTIONS = dict(num_warps=4)
