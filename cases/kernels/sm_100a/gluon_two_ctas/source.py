from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import blackwell as bw
from triton.experimental.gluon.language.nvidia.blackwell import mbarrier, fence_async_shared, tcgen05_mma, allocate_tensor_memory, TensorMemoryLayout


@gluon.jit
def two_ctas(a, b, c, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    la: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0], cga_layout=[[1, 0]])
    lb: gl.constexpr = gl.BlockedLayout([8, 1], [8, 4], [1, 4], [0, 1], cga_layout=[[0, 1]])
    sa: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2, cga_layout=[[1, 0]])
    sb: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2, transposed=True, cga_layout=[[0, 1]])
    am = gl.arange(0, M, gl.SliceLayout(1, la)); ak = gl.arange(0, K, gl.SliceLayout(0, la))
    bk = gl.arange(0, K, gl.SliceLayout(1, lb)); bn = gl.arange(0, N, gl.SliceLayout(0, lb))
    xa = gl.allocate_shared_memory(gl.float16, [M, K], sa, gl.load(a + am[:, None] * K + ak[None, :]))
    xb = gl.allocate_shared_memory(gl.float16, [K, N], sb, gl.load(b + bn[None, :] * K + bk[:, None]))
    fence_async_shared(cluster=True)
    tl_: gl.constexpr = TensorMemoryLayout([128, N], col_stride=1, cga_layout=[[1, 0]], two_ctas=True)
    acc = allocate_tensor_memory(gl.float32, [M, N], tl_)
    bar = mbarrier.allocate_mbarrier(two_ctas=False)
    mbarrier.init(bar, count=1)
    gl.barrier(cluster=True)
    tcgen05_mma(xa, xb, acc, use_acc=False, multicast=True, mbarriers=[bar])
    mbarrier.wait(bar, phase=0, deps=[xa, xb])
    mbarrier.invalidate(bar)
    rl: gl.constexpr = acc.get_reg_layout()
    om = gl.arange(0, M, gl.SliceLayout(1, rl)); on = gl.arange(0, N, gl.SliceLayout(0, rl))
    gl.store(c + om[:, None] * N + on[None, :], acc.load(rl))


GLUON = True
KERNEL = two_ctas
SIGNATURE = dict(a="*fp16", b="*fp16", c="*fp32", M="constexpr", N="constexpr", K="constexpr")
CONSTANTS = dict(M=256, N=64, K=64)
DIVISIBLE_BY_16 = ["a", "b", "c"]
OPTIONS = dict(num_warps=4, num_ctas=2)
