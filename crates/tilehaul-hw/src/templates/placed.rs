//! Instructions that may not stand just anywhere: with a neighbour, with the whole warp, on memory, or alone.

/// Carry chains: the flag lives between two neighbours, so they come as one template.
pub(crate) const CHAINS: &[&str] = &[
    "add.cc.u32 $U, $u, $u;\n  addc.u32 $U, $u, $u",
    "sub.cc.u32 $U, $u, $u;\n  subc.u32 $U, $u, $u",
    "mad.lo.cc.u32 $U, $u, $u, $u;\n  madc.hi.u32 $U, $u, $u, $u",
    "add.cc.u64 $D, $d, $d;\n  addc.u64 $D, $d, $d",
    "sub.cc.u64 $D, $d, $d;\n  subc.u64 $D, $d, $d",
    "add.cc.u32 $U, $u, $u;\n  addc.cc.u32 $U, $u, $u;\n  addc.u32 $U, $u, $u",
    "sub.cc.u32 $U, $u, $u;\n  subc.cc.u32 $U, $u, $u;\n  subc.u32 $U, $u, $u",
    "mad.hi.cc.u32 $U, $u, $u, $u;\n  madc.lo.cc.u32 $U, $u, $u, $u;\n  madc.hi.u32 $U, $u, $u, $u",
];

/// Instructions of a whole warp: only where all lanes are together.
pub(crate) const WARP: &[&str] = &[
    "shfl.sync.idx.b32 $U|$P, $u, $u, 31, -1",
    "shfl.sync.bfly.b32 $U, $u, $5, 31, -1",
    "shfl.sync.up.b32 $U|$P, $u, $5, 0, -1",
    "shfl.sync.down.b32 $U, $u, $5, 31, -1",
    "shfl.sync.idx.b32 $U, $u, $u, 6175, -1",
    "shfl.sync.down.b32 $U|$P, $u, $5, 2079, -1",
    "vote.sync.any.pred $P, $p, -1",
    "vote.sync.all.pred $P, $p, -1",
    "vote.sync.uni.pred $P, $p, -1",
    "vote.sync.ballot.b32 $U, $p, -1",
    "redux.sync.add.s32 $U, $u, -1",
    "redux.sync.min.s32 $U, $u, -1",
    "redux.sync.max.u32 $U, $u, -1",
    "redux.sync.and.b32 $U, $u, -1",
    "redux.sync.or.b32 $U, $u, -1",
    "redux.sync.xor.b32 $U, $u, -1",
    "redux.sync.add.u32 $U, $u, -1",
    "redux.sync.min.u32 $U, $u, -1",
    "redux.sync.max.s32 $U, $u, -1",
    "match.any.sync.b64 $U, $d, -1",
    "elect.sync $U|$P, -1",
    "activemask.b32 $U",
    "and.b32 %r15, $u, 3;\n  match.any.sync.b32 $U, %r15, -1",
    "and.b32 %r15, $u, 1;\n  match.all.sync.b32 $U|$P, %r15, -1",
    "bar.warp.sync -1",
    "movmatrix.sync.aligned.m8n8.trans.b16 $U, $u",
];

/// Reductions into shared memory whose order does not matter; `%ra` holds an address inside the block's scratch.
pub(crate) const SHARED_RED: &[&str] = &[
    "red.shared.add.u32 [%ra], $u",
    "red.shared.min.s32 [%ra], $u",
    "red.shared.max.u32 [%ra], $u",
    "red.shared.and.b32 [%ra], $u",
    "red.shared.or.b32 [%ra], $u",
    "red.shared.xor.b32 [%ra], $u",
];

/// Instructions that only stand alone. Assemblers fold a sign into its neighbours, and the bits of a double's NaN depend
/// on the path it took; in a mixture either would show as a difference that is nobody's fault.
pub(crate) const ALONE: &[&str] = &[
    "mov.b64 $D, $g",
    "cvt.rn.f32.f64 $F, $g",
    "cvt.rz.f32.f64 $F, $g",
    "cvt.rn.ftz.f32.f64 $F, $g",
    "cvt.rn.f16.f64 $H, $g",
    "abs.f32 $F, $f",
    "neg.f32 $F, $f",
    "abs.ftz.f32 $F, $f",
    "neg.ftz.f32 $F, $f",
    "abs.f64 $G, $g",
    "neg.f64 $G, $g",
    "abs.f16 $H, $h",
    "neg.f16 $H, $h",
    "abs.f16x2 $U, $u",
    "neg.f16x2 $U, $u",
    "abs.bf16 $H, $h",
    "neg.bf16 $H, $h",
];
