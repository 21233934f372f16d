//! The executable form of an instruction: operands as slots, choices made.
//!
//! A slot is one register of a warp (32 lanes of 64 bits). Immediates, special registers and addresses of variables have
//! slots too, filled when a warp starts, so that an instruction never asks what kind of operand it has.

use tilehaul_engine::reduce::ReduceOp;
use tilehaul_machine::{FenceKind, Order, Ordering, Part, Scope};

use crate::alu::{F1, F2, F3, F4, Test};
use crate::arith::convert::{Cvt, Packed};
use crate::arith::video::Video;
use crate::lower::Room;

/// A register of the warp.
pub(crate) type Slot = u32;
/// A predicate of the warp.
pub(crate) type Pred = u32;

/// A predicate as a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PredSource {
    pub(crate) pred: Pred,
    pub(crate) negated: bool,
}

/// Base register plus constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Addr {
    pub(crate) base: Slot,
    pub(crate) offset: i64,
}

/// Which addresses an instruction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mem {
    Generic,
    Global,
    Shared,
    Local,
    Param,
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Bfly,
    Idx,
}

#[derive(Clone, Debug)]
pub(crate) struct ShuffleOp {
    pub(crate) kind: Shuffle,
    pub(crate) d: Slot,
    pub(crate) p: Option<Pred>,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
    pub(crate) mask: Slot,
    /// Where each lane's value comes from, when `b` and `c` are literals and `mask` names all lanes, as nearly always.
    pub(crate) routes: Option<Routes>,
}

/// Where the lanes of a shuffle get their values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Routes {
    pub(crate) from: [u8; 32],
    /// Lanes whose source is in reach; the others keep their own value.
    pub(crate) valid: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteKind {
    All,
    Any,
    Uni,
    Ballot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarKind {
    Sync,
    Arrive,
    Popc,
    And,
    Or,
}

#[derive(Clone, Debug)]
pub(crate) struct MemOp {
    pub(crate) space: Mem,
    pub(crate) addr: Addr,
    /// Registers in memory order; elements of 16 bytes have two.
    pub(crate) regs: Box<[Slot]>,
    /// Bytes of a register in memory: 1, 2, 4 or 8.
    pub(crate) bytes: u32,
    /// Sign-extend loaded values to this many bits.
    pub(crate) sign: Option<u32>,
    pub(crate) order: Order,
    pub(crate) scope: Scope,
}

/// What an atomic does to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomKind {
    Add,
    Inc,
    Dec,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exch,
    Cas,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomType {
    Unsigned,
    Signed,
    F32,
    F64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
}

#[derive(Clone, Debug)]
pub(crate) struct AtomOp {
    pub(crate) kind: AtomKind,
    pub(crate) ty: AtomType,
    pub(crate) bytes: u32,
    pub(crate) space: Mem,
    pub(crate) addr: Addr,
    /// Old values; none for `red`. 16-byte elements have two.
    pub(crate) dst: Option<Box<[Slot]>>,
    pub(crate) src: Box<[Slot]>,
    /// New values of a compare and swap.
    pub(crate) new: Box<[Slot]>,
    pub(crate) order: Order,
    pub(crate) scope: Scope,
}

/// Which arrival an mbarrier instruction makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArriveKind {
    Count,
    ExpectTx,
    Drop,
    DropExpectTx,
    NoComplete,
}

#[derive(Clone, Debug)]
pub(crate) struct MbarOp {
    pub(crate) space: Mem,
    pub(crate) addr: Addr,
    /// Count, bytes, parity or state.
    pub(crate) value: Slot,
    pub(crate) ordering: Ordering,
}

/// How a tensor instruction walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TensorMode {
    Tile,
    Gather4,
    Scatter4,
    Im2col,
    Im2colW,
    Im2colW128,
    Im2colNoOffs,
}

#[derive(Clone, Debug)]
pub(crate) struct TensorOp {
    pub(crate) mode: TensorMode,
    pub(crate) rank: u32,
    /// Shared-memory address: destination of a load, source of a store. Unused by prefetches.
    pub(crate) shared: Addr,
    pub(crate) map: Addr,
    pub(crate) coords: Box<[Slot]>,
    pub(crate) offsets: Box<[Slot]>,
    pub(crate) mbar: Addr,
    pub(crate) multicast: Option<Slot>,
    pub(crate) pair: bool,
    pub(crate) reduce: Option<ReduceOp>,
}

#[derive(Clone, Debug)]
pub(crate) struct BulkOp {
    pub(crate) dst: Addr,
    pub(crate) src: Addr,
    pub(crate) size: Slot,
    pub(crate) mbar: Option<Addr>,
    pub(crate) multicast: Option<Slot>,
    pub(crate) byte_mask: Option<Slot>,
    pub(crate) reduce: Option<(ReduceOp, String)>,
    pub(crate) dst_shared: bool,
    pub(crate) src_shared: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MmaType {
    F16,
    Bf16,
    Tf32,
    E4m3,
    E5m2,
    S8,
    U8,
    F64,
}

impl MmaType {
    pub(crate) fn from_name(name: &str) -> Option<MmaType> {
        Some(match name {
            "f16" => MmaType::F16,
            "bf16" => MmaType::Bf16,
            "tf32" => MmaType::Tf32,
            "e4m3" => MmaType::E4m3,
            "e5m2" => MmaType::E5m2,
            "s8" => MmaType::S8,
            "u8" => MmaType::U8,
            "f64" => MmaType::F64,
            _ => return None,
        })
    }

    pub(crate) fn bytes(self) -> u32 {
        match self {
            MmaType::F16 | MmaType::Bf16 => 2,
            MmaType::Tf32 => 4,
            MmaType::E4m3 | MmaType::E5m2 | MmaType::S8 | MmaType::U8 => 1,
            MmaType::F64 => 8,
        }
    }
}

/// Type of an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccType {
    F16,
    F32,
    S32,
    F64,
}

#[derive(Clone, Debug)]
pub(crate) struct MmaOp {
    pub(crate) m: u32,
    pub(crate) n: u32,
    pub(crate) k: u32,
    pub(crate) a_type: MmaType,
    pub(crate) b_type: MmaType,
    pub(crate) d_type: AccType,
    pub(crate) c_type: AccType,
    pub(crate) saturate: bool,
    pub(crate) d: Box<[Slot]>,
    pub(crate) a: Box<[Slot]>,
    pub(crate) b: Box<[Slot]>,
    pub(crate) c: Box<[Slot]>,
}

/// A fragment of `wmma` in memory.
#[derive(Clone, Debug)]
pub(crate) struct WmmaMove {
    pub(crate) fragment: Fragment,
    pub(crate) regs: Box<[Slot]>,
    pub(crate) addr: Addr,
    pub(crate) space: Mem,
    /// Elements from one row or column to the next; as many as there are in one when absent.
    pub(crate) stride: Option<Slot>,
    /// Elements that lie side by side in a register lie side by side in memory.
    pub(crate) along: bool,
    /// Bytes of an element.
    pub(crate) bytes: u32,
}

/// A product of `wmma` fragments.
#[derive(Clone, Debug)]
pub(crate) struct WmmaOp {
    pub(crate) a: (Fragment, Box<[Slot]>),
    pub(crate) b: (Fragment, Box<[Slot]>),
    pub(crate) c: (Fragment, Box<[Slot]>),
    pub(crate) d: Box<[Slot]>,
    pub(crate) k: u32,
    pub(crate) a_type: MmaType,
    pub(crate) b_type: MmaType,
    pub(crate) acc: AccType,
    pub(crate) saturate: bool,
}

/// Where the elements of a `wmma` fragment lie: rows of M (of N for B) by columns of K (of N for results).
///
/// inferred: blocks of 8 rows by 4 words as in the fragments of `mma.sync`; registers beyond those repeat them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    /// Elements of a row that a lane has of a block.
    pub(crate) width: u32,
    /// Elements of a register.
    pub(crate) each: u32,
    /// Blocks follow each other down the rows; along the columns otherwise.
    pub(crate) down: bool,
}

impl Fragment {
    /// Registers that hold different elements.
    pub(crate) fn registers(self) -> u32 {
        self.rows * self.columns / 32 / self.each
    }

    /// Row and column of the first element that a lane has in a register.
    pub(crate) fn place(self, register: u32, lane: u32) -> (u32, u32) {
        let register = register % self.registers().max(1);
        let parts = self.width / self.each;
        let (block, part) = (register / parts, register % parts * self.each);
        let (high, wide) = (self.rows / 8, self.columns / (4 * self.width));
        let (down, right) =
            if self.down { (block % high, block / high) } else { (block / wide, block % wide) };
        (down * 8 + lane / 4, right * 4 * self.width + lane % 4 * self.width + part)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct WgmmaOp {
    /// Straight code before it writes registers that it reads, behind the last wgmma.fence.
    pub(crate) changed: bool,
    pub(crate) n: u32,
    pub(crate) k: u32,
    pub(crate) a_type: MmaType,
    pub(crate) b_type: MmaType,
    pub(crate) d_type: AccType,
    pub(crate) saturate: bool,
    pub(crate) d: Box<[Slot]>,
    /// Four fragments, or one descriptor.
    pub(crate) a: Box<[Slot]>,
    pub(crate) b: Slot,
    pub(crate) scale_d: PredSource,
    pub(crate) negate_a: bool,
    pub(crate) negate_b: bool,
    pub(crate) transpose_a: bool,
    pub(crate) transpose_b: bool,
}

/// Reduction of a `tcgen05.ld.red`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LdRed {
    pub(crate) max: bool,
    pub(crate) float: bool,
    pub(crate) signed: bool,
    pub(crate) abs: bool,
    pub(crate) nan: bool,
    pub(crate) dst: Slot,
}

#[derive(Clone, Debug)]
pub(crate) struct TcMove {
    pub(crate) image: tilehaul_layout::tmem::NativeImage,
    pub(crate) addr: Addr,
    pub(crate) split: Option<i32>,
    pub(crate) regs: Box<[Slot]>,
    pub(crate) reduce: Option<LdRed>,
}

#[derive(Clone, Debug)]
pub(crate) struct TcMmaOp {
    pub(crate) kind: TcKind,
    pub(crate) pair: bool,
    pub(crate) d: Addr,
    /// Tensor-memory address or shared-memory descriptor.
    pub(crate) a: Slot,
    pub(crate) a_in_tensor: Option<i64>,
    pub(crate) b: Slot,
    pub(crate) idesc: Slot,
    pub(crate) enable: PredSource,
    /// Mask words of lanes whose result is not written.
    pub(crate) disable: Box<[Slot]>,
    /// Factors of blocks of both operands, in tensor memory.
    pub(crate) scales: Option<TcScales>,
}

/// Where the factors of block-scaled operands lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TcScales {
    /// Blocks of K of one instruction, each with a factor.
    pub(crate) each: u32,
    pub(crate) a: Addr,
    pub(crate) b: Addr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TcKind {
    F16,
    Tf32,
    F8f6f4,
    I8,
    /// With a factor for each block of 32.
    Mxf8f6f4,
    /// Two to a byte, with a factor for each block of 32.
    Mxf4,
    /// The same, with a factor for each block of 16 or 32.
    Mxf4nvf4,
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
    TcFence,
    /// Executing it ends the run; the text says why.
    Unsupported(Box<str>),
}

/// What `tensormap.replace` replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplaceField {
    pub(crate) name: String,
    pub(crate) ordinal: u32,
}
