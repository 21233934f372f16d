//! The executable form of an instruction: operands as slots, choices made.
//!
//! A slot is one register of a warp (32 lanes of 64 bits). Immediates, special registers and addresses of variables have
//! slots too, filled when a warp starts, so that an instruction never asks what kind of operand it has.

mod copies;
mod lanes;
mod memory;
mod operand;
mod tensor;

use tilehaul_diag::Diagnostic;
use tilehaul_machine::{FenceKind, Part, PipelineFence, Scope};

pub(crate) use copies::*;
pub(crate) use lanes::*;
pub(crate) use memory::*;
pub(crate) use operand::*;
pub(crate) use tensor::*;

use crate::alu::{F1, F2, F3, F4, Test};
use crate::arith::convert::{Cvt, Packed};
use crate::arith::video::Video;
use crate::lower::Room;
use crate::warp_product::{NarrowMove, WarpProduct};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoolOp {
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carry {
    Add,
    Sub,
    MadLow,
    MadHigh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SmallCvt {
    /// Two singles to one word.
    Join(Packed),
    /// One word to another.
    Repack(Packed, Packed),
    Tf32,
}

#[derive(Clone, Debug)]
pub(crate) struct CallOp {
    /// Number of the function; none when a register points to it.
    pub(crate) function: Option<u32>,
    pub(crate) pointer: Slot,
    pub(crate) arguments: Box<[Room]>,
    pub(crate) returns: Box<[Room]>,
}

/// One instruction.
pub(crate) enum Inst {
    One {
        f: F1,
        d: Slot,
        a: Slot,
    },
    Two {
        f: F2,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Three {
        f: F3,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// `f(f(a, b), c)`.
    Fold {
        f: F2,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Four {
        f: F4,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
        e: Slot,
    },
    /// `lop3` with a predicate.
    Lop3Pred {
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
        table: Slot,
        p: Pred,
        q: PredSource,
        op: BoolOp,
    },
    WithCarry {
        op: Carry,
        bits: u32,
        signed: bool,
        uses: bool,
        sets: bool,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Cvt {
        d: Slot,
        a: Slot,
        cvt: Box<Cvt>,
        keep: u64,
    },
    CvtSmall {
        op: SmallCvt,
        d: Slot,
        a: Slot,
        b: Slot,
        rounding: u8,
        satfinite: bool,
        relu: bool,
    },
    /// Floats to one word of narrow ones, rounded by random bits.
    CvtRandom {
        to: Packed,
        d: Slot,
        values: Box<[Slot]>,
        random: Slot,
        satfinite: bool,
        relu: bool,
    },
    /// Room on the lane's stack, whose end `stack` holds.
    Alloca {
        d: Slot,
        size: Slot,
        align: u64,
        stack: Slot,
    },
    CvtPack {
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
        bits: u32,
        signed: bool,
    },
    Video {
        video: Box<Video>,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// `keep` masks a copy to the width of its target.
    Mask {
        d: Slot,
        a: Slot,
        keep: u64,
    },
    Pack {
        d: Box<[Slot]>,
        parts: Box<[Slot]>,
        bits: u32,
    },
    Unpack {
        parts: Box<[Slot]>,
        a: Box<[Slot]>,
        bits: u32,
    },
    Setp {
        test: Test,
        upper: Option<Test>,
        p: Pred,
        q: Option<Pred>,
        a: Slot,
        b: Slot,
        with: Option<(BoolOp, PredSource)>,
    },
    /// `only`: the guard of a `set` to single precision, which the compiled code applies to the comparison alone.
    Set {
        test: Test,
        upper: Option<Test>,
        d: Slot,
        a: Slot,
        b: Slot,
        with: Option<(BoolOp, PredSource)>,
        yes: u64,
        only: Option<PredSource>,
    },
    Selp {
        d: Slot,
        a: Slot,
        b: Slot,
        p: PredSource,
    },
    Slct {
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
        float: bool,
        ftz: bool,
    },
    PredOp {
        op: BoolOp,
        d: Pred,
        a: PredSource,
        b: PredSource,
    },
    PredMov {
        d: Pred,
        a: PredSource,
    },
    /// Cycle counters: the low or high word, or all.
    Clock {
        d: Slot,
        high: bool,
        keep: u64,
    },
    Ld(Box<MemOp>),
    St(Box<MemOp>),
    Atom(Box<AtomOp>),
    StAsync {
        addr: Addr,
        regs: Box<[Slot]>,
        bytes: u32,
        mbar: Addr,
        reduce: Option<(AtomKind, AtomType)>,
    },
    Discard {
        addr: Addr,
        space: Mem,
    },
    ClusterTryCancel {
        addr: Addr,
        mbar: Addr,
        space: Mem,
        /// Every block of the cluster gets the answer.
        all: bool,
    },
    ClusterIsCanceled {
        p: Pred,
        answer: [Slot; 2],
    },
    ClusterFirstBlock {
        d: Box<[Slot]>,
        answer: [Slot; 2],
        /// Which coordinate the first register gets.
        first: u32,
    },
    StBulk {
        addr: Addr,
        space: Mem,
        size: Slot,
    },
    /// Checked, without effect on data.
    Prefetch {
        addr: Addr,
        tensormap: bool,
        /// Parameter space, or generic.
        space: Mem,
    },
    Isspacep {
        p: Pred,
        a: Slot,
        space: &'static str,
    },
    Cvta {
        d: Slot,
        a: Slot,
        to_generic: bool,
        space: Mem,
    },
    Mapa {
        d: Slot,
        a: Slot,
        rank: Slot,
        generic: bool,
    },
    Getctarank {
        d: Slot,
        a: Slot,
    },
    Nop,
    Bra {
        target: u32,
    },
    BrxIdx {
        index: Slot,
        table: u32,
    },
    Call(Box<CallOp>),
    /// Return of a function.
    Ret {
        function: u32,
    },
    /// The call that `printf` becomes.
    Print {
        returns: Box<[Room]>,
    },
    /// The call that a failed `assert` becomes.
    AssertFail {
        arguments: Box<[Room]>,
    },
    Exit,
    Trap,
    Nanosleep,
    Bar {
        kind: BarKind,
        barrier: Slot,
        threads: Option<Slot>,
        d: Slot,
        p: Pred,
        source: PredSource,
        aligned: bool,
    },
    BarWarpSync {
        mask: Slot,
    },
    ClusterArrive {
        orders: bool,
        aligned: bool,
    },
    ClusterWait {
        aligned: bool,
    },
    Fence {
        kind: FenceKind,
        scope: Scope,
    },
    /// `fence.mbarrier_init`.
    FenceMbarInit,
    /// `with`: the memory fence of its uni-directional forms.
    FenceProxyAsync {
        space: Option<tilehaul_machine::SpaceKind>,
        with: Option<FenceKind>,
    },
    FenceTensormapRelease,
    FenceTensormapAcquire {
        addr: Addr,
    },
    Shfl(Box<ShuffleOp>),
    Vote {
        kind: VoteKind,
        d: Slot,
        p: Pred,
        source: PredSource,
        mask: Slot,
    },
    Match {
        all: bool,
        bits: u32,
        d: Slot,
        p: Option<Pred>,
        a: Slot,
        mask: Slot,
    },
    Activemask {
        d: Slot,
    },
    Redux {
        kind: AtomKind,
        ty: AtomType,
        abs: bool,
        nan: bool,
        d: Slot,
        a: Slot,
        mask: Slot,
    },
    Elect {
        d: Slot,
        p: Pred,
        mask: Slot,
    },
    /// `setmaxnreg`: no effect on data; all warps of a warpgroup must execute the same.
    SetMaxNreg {
        registers: u32,
        inc: bool,
    },
    MbarInit(Box<MbarOp>),
    MbarInval(Box<MbarOp>),
    MbarArrive {
        kind: ArriveKind,
        op: Box<MbarOp>,
        d: Option<Slot>,
    },
    MbarExpect(Box<MbarOp>),
    MbarComplete(Box<MbarOp>),
    MbarWait {
        op: Box<MbarOp>,
        p: Pred,
        parity: bool,
    },
    MbarPending {
        d: Slot,
        a: Slot,
    },
    CpAsync {
        dst: Addr,
        src: Addr,
        bytes: u32,
        size: Option<Slot>,
        ignore: Option<PredSource>,
    },
    CpAsyncCommit,
    CpAsyncWait {
        n: u32,
    },
    CpAsyncWaitAll,
    CpAsyncArrive {
        op: Box<MbarOp>,
        noinc: bool,
    },
    Bulk(Box<BulkOp>),
    BulkPrefetch {
        src: Addr,
    },
    BulkCommit,
    BulkWait {
        n: u32,
        part: Part,
    },
    TensorLoad(Box<TensorOp>),
    TensorStore(Box<TensorOp>),
    TensorPrefetch(Box<TensorOp>),
    TensormapReplace {
        field: Box<ReplaceField>,
        addr: Addr,
        space: Mem,
        value: Slot,
    },
    TensormapCpFence {
        dst: Addr,
        src: Addr,
    },
    Ldmatrix {
        d: Box<[Slot]>,
        addr: Addr,
        space: Mem,
        transpose: bool,
    },
    Stmatrix {
        s: Box<[Slot]>,
        addr: Addr,
        space: Mem,
        transpose: bool,
    },
    Movmatrix {
        d: Slot,
        a: Slot,
    },
    Mma(Box<MmaOp>),
    WarpProduct(Box<WarpProduct>),
    QuadProduct(Box<crate::exec::quads::QuadProduct>),
    LoadNarrow(Box<NarrowMove>),
    StoreNarrow(Box<NarrowMove>),
    WgmmaFence,
    WgmmaCommit,
    WgmmaWait {
        n: u32,
    },
    WmmaLoad(Box<WmmaMove>),
    WmmaStore(Box<WmmaMove>),
    WmmaMma(Box<WmmaOp>),
    Wgmma(Box<WgmmaOp>),
    TcAlloc {
        dst: Addr,
        space: Mem,
        columns: Slot,
        pair: bool,
    },
    TcDealloc {
        addr: Slot,
        columns: Slot,
        pair: bool,
    },
    TcRelinquish,
    TcLd(Box<TcMove>),
    TcSt(Box<TcMove>),
    TcWaitLd,
    TcWaitSt,
    TcCp {
        image: Box<tilehaul_layout::tmem::CopyImage>,
        addr: Addr,
        desc: Slot,
        pair: bool,
    },
    TcShift {
        addr: Addr,
        pair: bool,
    },
    TcMma(Box<TcMmaOp>),
    TcCommit {
        mbar: Addr,
        space: Mem,
        multicast: Option<Slot>,
    },
    TcFence(PipelineFence),
    /// An instruction that uses a register which nothing has written: said when it is executed.
    Unwritten(Box<Unwritten>),
    /// Executing it ends the run; the text says why.
    Unsupported(Box<str>),
}

pub(crate) struct Unwritten {
    pub(crate) inst: Inst,
    /// The guard, when that is what nobody wrote: the use is one even if it holds all lanes back.
    pub(crate) guard: Option<PredSource>,
    pub(crate) diagnostic: Diagnostic,
}

impl Inst {
    /// What is executed.
    pub(crate) fn plain(&self) -> &Inst {
        match self {
            Inst::Unwritten(held) => &held.inst,
            inst => inst,
        }
    }
}
