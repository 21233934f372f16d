//! From the family of an instruction to the function that lowers it.

use tilehaul_isa::ptx::ast::{Immediate, Operand, Symbol, Type};
use tilehaul_isa::ptx::{Op, Opcode};
use tilehaul_machine::{FenceKind, Part, PipelineFence, Scope};

use super::{At, Lower, Lowered, operands, sync};
use crate::inst::Inst;

impl<'m> Lower<'m> {
    pub(super) fn dispatch(&mut self, op: Op, at: &At<'m>, tables: u32) -> Lowered<Inst> {
        match op {
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Mul24
            | Op::Mad
            | Op::Mad24
            | Op::Fma
            | Op::Div
            | Op::Rem
            | Op::Abs
            | Op::Neg
            | Op::Min
            | Op::Max
            | Op::Sad
            | Op::Popc
            | Op::Clz
            | Op::Bfind
            | Op::Fns
            | Op::Brev
            | Op::Bfe
            | Op::Bfi
            | Op::Bmsk
            | Op::Szext
            | Op::Dp4a
            | Op::Dp2a
            | Op::Copysign
            | Op::Rcp
            | Op::Sqrt
            | Op::Rsqrt
            | Op::Sin
            | Op::Cos
            | Op::Lg2
            | Op::Ex2
            | Op::Tanh
            | Op::Shf
            | Op::Shl
            | Op::Shr
            | Op::Prmt
            | Op::Cnot => self.arithmetic(at),
            Op::And | Op::Or | Op::Xor | Op::Not => self.logic(at),
            Op::AddCc | Op::Addc | Op::SubCc | Op::Subc | Op::MadCc | Op::Madc => self.carry(op, at),
            Op::Testp => self.testp(at),
            Op::Set | Op::Setp => self.comparison(op, at),
            Op::Selp => self.selp(at),
            Op::Slct => self.slct(at),
            Op::Lop3 => self.lop3(at),
            Op::Mov => self.mov(at),
            Op::Cvt => self.cvt(at),
            Op::CvtPack => self.cvt_pack(at),
            Op::Video => self.video(at),
            Op::Ld => self.load(at),
            Op::St => self.store(at),
            Op::Prefetch => self.prefetch(at),
            Op::Discard => match immediate(at, 1)? {
                128 => Ok(Inst::Discard { addr: self.address(at, 0)?, space: operands::space(at.opcode) }),
                size => Err(format!("{size} bytes are discarded, and 128 is the only size")),
            },
            Op::Isspacep => self.isspacep(at),
            Op::Cvta => self.cvta(at),
            Op::Mapa => self.mapa(at),
            Op::Getctarank => self.getctarank(at),
            Op::Createpolicy => Ok(Inst::Mask { d: self.dst(at, 0)?, a: self.constant(0), keep: u64::MAX }),
            Op::CacheHint | Op::Pmevent => Ok(Inst::Nop),
            Op::ClusterTryCancel | Op::ClusterIsCanceled | Op::ClusterFirstBlock => {
                self.cluster_cancel(op, at)
            }
            Op::StAsync | Op::RedAsync => self.store_async(op, at),
            Op::StBulk => self.store_bulk(at),
            Op::Bra => self.bra(at),
            Op::BrxIdx => self.brx(at, tables),
            Op::Call => self.call(at),
            Op::Ret if at.id == self.entry => Ok(Inst::Exit),
            Op::Ret => Ok(Inst::Ret { function: at.id.0 }),
            Op::Exit => Ok(Inst::Exit),
            Op::Trap => Ok(Inst::Trap),
            Op::Nanosleep => Ok(Inst::Nanosleep),
            Op::Alloca | Op::Stack => self.stack(op, at),
            Op::Brkpt | Op::MbarrierCheckLayout | Op::Unmodelled => Err("not modelled".to_owned()),
            Op::Bar => self.bar(at),
            Op::BarWarpSync => Ok(Inst::BarWarpSync { mask: self.src(at, 0, Type::B32)? }),
            Op::BarrierCluster => self.barrier_cluster(at),
            Op::Fence => Ok(Inst::Fence { kind: sync::fence_kind(at.opcode), scope: scope(at.opcode) }),
            // The acquire or release of mbarrier operations and shared memory only: weaker than the fence that is emitted,
            // which errs on the side of not finding a race that is there.
            Op::FenceSyncRestrict => Ok(sync::fence_sync_restrict(at.opcode)),
            Op::FenceMbarrierInit => Ok(Inst::FenceMbarInit),
            Op::FenceProxyAlias => Ok(Inst::Fence { kind: FenceKind::AcquireRelease, scope: Scope::System }),
            Op::FenceProxyAsync => self.fence_proxy_async(at),
            Op::FenceTensormapRelease => Ok(Inst::FenceTensormapRelease),
            Op::FenceTensormapAcquire => Ok(Inst::FenceTensormapAcquire { addr: self.address(at, 0)? }),
            Op::Atom | Op::Red => self.atomic(op, at),
            Op::Vote => self.vote(at),
            Op::MatchSync => self.match_sync(at),
            Op::Activemask => Ok(Inst::Activemask { d: self.dst(at, 0)? }),
            Op::Redux => self.redux(at),
            Op::Griddepcontrol => Ok(Inst::Nop),
            Op::Elect => self.elect(at),
            Op::Setmaxnreg => {
                Ok(Inst::SetMaxNreg { registers: immediate(at, 0)?, inc: at.opcode.has("inc") })
            }
            Op::Shfl => self.shfl(at),
            Op::MbarrierInit => Ok(Inst::MbarInit(Box::new(self.mbar(at, 0, 1)?))),
            Op::MbarrierInval => Ok(Inst::MbarInval(Box::new(self.mbar(at, 0, usize::MAX)?))),
            Op::MbarrierExpectTx => Ok(Inst::MbarExpect(Box::new(self.mbar(at, 0, 1)?))),
            Op::MbarrierCompleteTx => Ok(Inst::MbarComplete(Box::new(self.mbar(at, 0, 1)?))),
            Op::MbarrierArrive | Op::MbarrierArriveDrop => self.mbar_arrive(op, at),
            Op::MbarrierTestWait | Op::MbarrierTryWait => self.mbar_wait(at),
            Op::MbarrierPendingCount => {
                Ok(Inst::MbarPending { d: self.dst(at, 0)?, a: self.src(at, 1, Type::B64)? })
            }
            Op::CpAsync => self.cp_async(at),
            Op::CpAsyncCommit => Ok(Inst::CpAsyncCommit),
            Op::CpAsyncWait => Ok(Inst::CpAsyncWait { n: immediate(at, 0)? }),
            Op::CpAsyncWaitAll => Ok(Inst::CpAsyncWaitAll),
            Op::CpAsyncMbarrierArrive => {
                let op = Box::new(self.mbar(at, 0, usize::MAX)?);
                Ok(Inst::CpAsyncArrive { op, noinc: at.opcode.has("noinc") })
            }
            Op::Bulk | Op::BulkReduce => self.bulk(op, at),
            Op::BulkPrefetch => Ok(Inst::BulkPrefetch { src: self.address(at, 0)? }),
            Op::BulkTensorLoad | Op::BulkTensorStore | Op::BulkTensorReduce | Op::BulkTensorPrefetch => {
                self.tensor_copy(op, at)
            }
            Op::BulkCommit => Ok(Inst::BulkCommit),
            Op::BulkWait => {
                let part = if at.opcode.has("read") { Part::Source } else { Part::All };
                Ok(Inst::BulkWait { n: immediate(at, 0)?, part })
            }
            Op::TensormapReplace => self.tensormap_replace(at),
            Op::TensormapCpFence => {
                if immediate(at, 2)? != 128 {
                    return Err("a size other than 128".to_owned());
                }
                let (dst, src) = (self.address(at, 0)?, self.address(at, 1)?);
                Ok(Inst::TensormapCpFence { dst, src })
            }
            Op::Ldmatrix | Op::Stmatrix | Op::Movmatrix => self.matrix_move(op, at),
            Op::Mma => self.mma(at),
            Op::WarpProduct => self.warp_product(at),
            Op::QuadProduct => self.quad_product(at),
            Op::LoadNarrow | Op::StoreNarrow => self.narrow_move(op, at),
            Op::WmmaLoad | Op::WmmaStore => self.wmma_move(op, at),
            Op::WmmaMma => self.wmma_mma(at),
            Op::WgmmaFence => Ok(Inst::WgmmaFence),
            Op::WgmmaCommit => Ok(Inst::WgmmaCommit),
            Op::WgmmaWait => Ok(Inst::WgmmaWait { n: immediate(at, 0)? }),
            Op::WgmmaMma => self.wgmma(at),
            Op::TcAlloc | Op::TcDealloc | Op::TcRelinquish => self.tc_alloc(op, at),
            Op::TcLd | Op::TcLdRed | Op::TcSt => self.tc_move(op, at),
            Op::TcWaitLd => Ok(Inst::TcWaitLd),
            Op::TcWaitSt => Ok(Inst::TcWaitSt),
            Op::TcCp => self.tc_cp(at),
            Op::TcShift => {
                Ok(Inst::TcShift { addr: self.address(at, 0)?, pair: at.opcode.has("cta_group::2") })
            }
            Op::TcMma => self.tc_mma(at),
            Op::TcCommit => self.tc_commit(at),
            Op::TcFenceBefore => Ok(Inst::TcFence(PipelineFence::Before)),
            Op::TcFenceAfter => Ok(Inst::TcFence(PipelineFence::After)),
        }
    }

    fn bra(&mut self, at: &At<'m>) -> Lowered<Inst> {
        match at.ops.first() {
            Some(Operand::Symbol(Symbol::Label(to), _)) => Ok(Inst::Bra { target: at.base + to.0 }),
            _ => Err("the target is not a label of this function".to_owned()),
        }
    }

    fn brx(&mut self, at: &At<'m>, tables: u32) -> Lowered<Inst> {
        match at.ops.get(1) {
            Some(Operand::Symbol(Symbol::Table(table), _)) => {
                Ok(Inst::BrxIdx { index: self.src(at, 0, Type::U32)?, table: tables + table })
            }
            _ => Err("the second operand is not a .branchtargets label".to_owned()),
        }
    }
}

/// The scope that an opcode names; `block` when it names none.
pub(super) fn scope(opcode: &Opcode) -> Scope {
    opcode
        .first(|m| match m {
            "cta" => Some(Scope::Block),
            "cluster" => Some(Scope::Cluster),
            "gpu" | "gl" => Some(Scope::Device),
            "sys" => Some(Scope::System),
            _ => None,
        })
        .unwrap_or(Scope::Block)
}

/// A small number written as a constant.
pub(super) fn immediate(at: &At<'_>, index: usize) -> Lowered<u32> {
    match at.ops.get(index) {
        Some(Operand::Imm(Immediate::Int(n))) => {
            u32::try_from(*n).map_err(|_| format!("operand {index} is {n}, which is out of range"))
        }
        _ => Err(format!("operand {index} must be a constant")),
    }
}
