import triton
import triton.language as tl


@triton.jit
def persistent(a_desc, b_desc, c_desc, M, N, K, NUM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    start = tl.program_id(0)
    tn = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * tn
    for t in tl.range(start, tiles, NUM, flatten=True, warp_specialize=True):
        pm = t // tn
        pn = t % tn
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k in tl.range(0, K, BK):
            a = a_desc.load([pm * BM, k])
            b = b_desc.load([pn * BN, k])
            acc = tl.dot(a, b.T, acc)
        c_desc.store([pm * BM, pn * BN], acc.to(tl.float16))


KERNEL = persistent
SIGNATURE = dict(a_desc="tensordesc<fp16[128,64]>", b_desc="tensordesc<fp16[128,64]>", c_desc="tensordesc<fp16[128,128]>",
                 M="i32", N="i32", K="i32", NUM="constexpr", BM="constexpr", BN="constexpr", BK="constexpr")
CONSTANTS = dict(NUM=2, BM=128, BN=128, BK=64)
DIVISIBLE_BY_16 = []
OPTIONS = dict(num_warps=4, num_stages=3)
