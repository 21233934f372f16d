import triton, triton.language as tl
@triton.jit
def dot_scaled(a, sa, b, sb, c, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, A: tl.constexpr, B: tl.constexpr, PA: tl.constexpr, PB: tl.constexpr):
    m = tl.arange(0, BM); n = tl.arange(0, BN); acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ka = k // PA + tl.arange(0, BK // PA); kb = k // PB + tl.arange(0, BK // PB); ks = k // 32 + tl.arange(0, BK // 32)
        x = tl.load(a + m[:, None] * (K // PA) + ka[None, :]); y = tl.load(b + n[None, :] * (K // PB) + kb[:, None])
        xs = tl.load(sa + m[:, None] * (K // 32) + ks[None, :]); ys = tl.load(sb + n[:, None] * (K // 32) + ks[None, :])
        acc = tl.dot_scaled(x, xs, A, y, ys, B, acc)
    tl.store(c + m[:, None] * BN + n[None, :], acc)
KERNEL = dot_scaled
MODE = "e2m1"
SIGNATURE = {"a": "*u8", "sa": "*u8", "b": "*u8", "sb": "*u8", "c": "*fp32", "K": "constexpr", "BM": "constexpr", "BN": "constexpr", "BK": "constexpr", "A": "constexpr", "B": "constexpr", "PA": "constexpr", "PB": "constexpr"}
T = {"e4m3": ("e4m3", "e4m3", 1, 1), "e2m1": ("e2m1", "e2m1", 2, 2), "mix": ("e4m3", "e2m1", 1, 2), "e5m2": ("e5m2", "e4m3", 1, 1)}[MODE]
if T[0] != "e2m1": SIGNATURE["a"] = "*fp8e4nv" if T[0] == "e4m3" else "*fp8e5"
if T[1] != "e2m1": SIGNATURE["b"] = "*fp8e4nv"
CONSTANTS = {"K": 256, "BM": 128, "BN": 64, "BK": 128, "A": T[0], "B": T[1], "PA": T[2], "PB": T[3]}
DIVISIBLE_BY_16 = ["a", "sa", "b", "sb", "c"]
OPTIONS = dict(num_warps=4, num_stages=2)
