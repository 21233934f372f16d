//! From a module to code: registers become slots, names become addresses, spellings become choices.
//!
//! All functions that the entry reaches are laid one after the other; instruction `i` of a function stands at its base
//! plus `i`, and one implicit return follows. A function's registers, local variables and parameters have fixed places; a
//! function that may be active already saves them when it is called again (see `exec/calls.rs`).

mod calls;
mod clusters;
mod convert;
mod copies;
pub(crate) mod flow;
mod operands;
mod polls;
mod scalar;
mod sync;
mod tensor;
mod warp_product;
mod wmma;

use rustc_hash::{FxHashMap, FxHashSet};
use tilehaul_diag::Span;
use tilehaul_isa::ptx::ast::{
    Function, FunctionId, GlobalId, Instruction, LocalId, Module, Operand, RegId, Space, Symbol, Type,
};
use tilehaul_isa::ptx::special::Special;
use tilehaul_isa::ptx::{Op, Opcode, Support, similar};
use tilehaul_machine::{FenceKind, PipelineFence};

use crate::inst::{Inst, Pred, PredSource, Slot};
use crate::survey::jump_targets;
use flow::{Leaves, NOWHERE};

/// Addresses of functions start here.
pub(crate) const CODE_WINDOW: u64 = 0x3000_0000_0000;
/// The slot that takes results nobody wants.
pub(crate) const SCRATCH: Slot = 0;
/// The predicate that is always false; results nobody wants go to the next one.
pub(crate) const NEVER: Pred = 0;
/// The predicate that takes results nobody wants.
pub(crate) const SCRATCH_PRED: Pred = 1;

/// What a slot holds when a warp starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Init {
    Const(u64),
    Special(Special),
    /// A shared-memory address: the block's window plus this offset.
    Shared(u32),
}

/// Guard of an instruction; `pred` is `u32::MAX` when it has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guarded {
    pub(crate) pred: Pred,
    pub(crate) negated: bool,
}

/// Where an instruction was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) span: Span,
}

/// A program's code.
#[derive(Default)]
pub(crate) struct Code {
    pub(crate) insts: Vec<Inst>,
    pub(crate) guards: Vec<Guarded>,
    /// Where the ways of a branch meet.
    pub(crate) meets: Vec<u32>,
    /// Register slots that an instruction reads or writes.
    pub(crate) touched: Vec<Box<[Slot]>>,
    pub(crate) written: Vec<Written>,
    /// The opcode of each instruction, for reports.
    pub(crate) names: Vec<u32>,
    pub(crate) inits: Vec<(Slot, Init)>,
    pub(crate) slots: u32,
    pub(crate) preds: u32,
    pub(crate) tables: Vec<Vec<u32>>,
    /// Bytes of local memory of each lane.
    pub(crate) local_bytes: u32,
    /// Functions by number; those that nothing reaches are absent.
    pub(crate) callees: Vec<Option<Callee>>,
}

/// Bytes of a lane's local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) at: u32,
    pub(crate) bytes: u32,
}

/// A function as its callers need it.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    pub(crate) base: u32,
    pub(crate) params: Box<[Room]>,
    pub(crate) returns: Box<[Room]>,
    /// Slot of the return address.
    pub(crate) ret: Slot,
    /// It may be called while it is active, so its registers and memory are saved first.
    pub(crate) again: bool,
    pub(crate) slots: std::ops::Range<Slot>,
    pub(crate) preds: std::ops::Range<Pred>,
    pub(crate) memory: Room,
}

/// Where module-scope and shared variables lie.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// Address of each module variable: device address, or offset in shared memory.
    pub(crate) globals: Vec<u64>,
    /// Offset of each `.shared` variable declared in a function.
    pub(crate) shared: FxHashMap<(FunctionId, LocalId), u32>,
    /// Names of static shared memory: offset, bytes, name.
    pub(crate) shared_names: Vec<(u32, u32, String)>,
    /// Names of parameters: offset, bytes, name.
    pub(crate) param_names: Vec<(u32, u32, String)>,
    /// Offset of each parameter of the entry.
    pub(crate) params: Vec<u64>,
    /// The parameters' bytes.
    pub(crate) param_bytes: Vec<u8>,
    /// Whether tensor-memory or warpgroup instructions may leave registers in flight.
    pub(crate) target: String,
}

/// Where a register of a function is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Pred(Pred),
    /// First slot, bits of an element, elements (or 2 halves of a 128-bit register).
    Slot {
        slot: Slot,
        bits: u32,
        lanes: u8,
    },
}

/// Bytes of local memory that `alloca` can give a thread.
///
/// inferred: sixteen times the stack that a driver gives by default, so that what a launch needs that asked for more fits.
pub(crate) const STACK: u32 = 1 << 14;

/// Lowers an entry and everything it reaches.
pub(crate) fn lower(module: &Module, entry: FunctionId, layout: &Layout) -> Code {
    let mut lower = Lower {
        module,
        layout,
        code: Code { slots: 1, preds: 2, ..Code::default() },
        consts: FxHashMap::default(),
        bases: FxHashMap::default(),
        frames: FxHashMap::default(),
        queue: vec![entry],
        entry,
        used: Vec::new(),
        behind_fence: BehindFence::default(),
        compared: FxHashSet::default(),
        stack: None,
    };
    if module.opcodes.iter().any(|o| o.row.is_some_and(|row| matches!(row.op, Op::Alloca | Op::Stack))) {
        lower.code.local_bytes = STACK;
        lower.stack = Some(lower.code.slots);
        lower.code.inits.push((lower.code.slots, Init::Const(u64::from(STACK))));
        lower.code.slots += 1;
    }
    lower.reach();
    let order = lower.queue.clone();
    for id in order {
        lower.function(id);
    }
    lower.code
}

/// Fixed places of a function.
struct Frame {
    places: Vec<Place>,
    /// Address in local memory of each local variable, param variables included.
    locals: Vec<u64>,
    /// Address in local memory of each parameter (of the entry: offset in param space).
    params: Vec<u64>,
    returns: Vec<u64>,
}

pub(crate) struct Lower<'m> {
    module: &'m Module,
    layout: &'m Layout,
    code: Code,
    consts: FxHashMap<Init, Slot>,
    bases: FxHashMap<FunctionId, u32>,
    frames: FxHashMap<FunctionId, Frame>,
    queue: Vec<FunctionId>,
    entry: FunctionId,
    used: Vec<Slot>,
    behind_fence: BehindFence,
    /// Registers of the function that hold what a compare-and-swap expects.
    compared: FxHashSet<RegId>,
    /// End of the free stack of each lane, in programs that allocate on it.
    stack: Option<Slot>,
}

/// Registers that straight code has written since a wgmma.fence.
#[derive(Default)]
struct BehindFence {
    fenced: bool,
    written: Vec<Slot>,
}

/// Why an instruction cannot be executed.
type Lowered<T> = Result<T, String>;

/// What lowering an instruction needs to know about its surroundings.
struct At<'m> {
    id: FunctionId,
    function: &'m Function,
    opcode: &'m Opcode,
    ops: &'m [Operand],
    base: u32,
    /// The predicate in front, if it is one.
    guard: Option<PredSource>,
}

impl<'m> Lower<'m> {
    fn frame(&mut self, id: FunctionId, function: &Function, is_entry: bool) {
        let (first_slot, first_pred, first_byte) = (self.code.slots, self.code.preds, self.code.local_bytes);
        let places = function
            .registers
            .iter()
            .map(|register| {
                if register.ty == Type::Pred {
                    let pred = self.code.preds;
                    self.code.preds += 1;
                    return Place::Pred(pred);
                }
                let wide = register.ty == Type::B128;
                let slot = self.code.slots;
                let lanes = if wide { 2 } else { register.lanes };
                self.code.slots += u32::from(lanes);
                Place::Slot { slot, bits: if wide { 128 } else { register.ty.bits() }, lanes }
            })
            .collect();
        let mut place = |bytes: u64, align: u32| {
            let at = u64::from(self.code.local_bytes).next_multiple_of(u64::from(align.max(1)));
            // Local memory is per lane; what does not fit 16 MiB is refused where it is used.
            let end = (at + bytes).min(1 << 24);
            self.code.local_bytes = end as u32;
            at
        };
        let locals = function.variables.iter().map(|v| match v.space {
            Space::Local | Space::Param => place(v.bytes, v.align),
            Space::Shared | Space::Global | Space::Const => 0,
        });
        let locals: Vec<u64> = locals.collect();
        let params = if is_entry {
            self.layout.params.clone()
        } else {
            function.params.iter().map(|p| place(p.variable.bytes, p.variable.align)).collect()
        };
        let returns = function.returns.iter().map(|p| place(p.variable.bytes, p.variable.align)).collect();
        let ret = self.code.slots;
        self.code.slots += 1;
        let frame = Frame { places, locals, params, returns };
        if !is_entry {
            let rooms = |at: &[u64], variables: &[tilehaul_isa::ptx::ast::Param]| {
                let sizes = variables.iter().map(|p| p.variable.bytes as u32);
                at.iter().zip(sizes).map(|(&at, bytes)| Room { at: at as u32, bytes }).collect()
            };
            let callee = Callee {
                base: self.bases.get(&id).copied().unwrap_or(0),
                params: rooms(&frame.params, &function.params),
                returns: rooms(&frame.returns, &function.returns),
                ret,
                again: false,
                slots: first_slot..self.code.slots,
                preds: first_pred..self.code.preds,
                memory: Room { at: first_byte, bytes: self.code.local_bytes - first_byte },
            };
            if let Some(place) = self.code.callees.get_mut(id.0 as usize) {
                *place = Some(callee);
            }
        }
        self.frames.insert(id, frame);
    }

    fn function(&mut self, id: FunctionId) {
        let module = self.module;
        let Some(function) = module.functions.get(id.0 as usize) else { return };
        let base = self.bases.get(&id).copied().unwrap_or(0);
        let tables = self.code.tables.len() as u32;
        self.code.tables.extend(function.tables.iter().map(|t| t.iter().map(|i| base + i.0).collect()));
        let mut flow = Vec::with_capacity(function.instructions.len() + 1);
        let targets = jump_targets(function);
        self.compared = compared(module, function);
        let polling = polls::polling_loads(module, function);
        for (index, instruction) in function.instructions.iter().enumerate() {
            self.used.clear();
            if targets.contains(&(index as u32)) {
                self.behind_fence = BehindFence::default();
            }
            let mut inst = self.instruction(id, function, instruction, base, tables);
            if let Inst::Ld(op) = &mut inst {
                op.polls = polling.contains(&(index as u32));
            }
            self.note_written(id, instruction, &inst);
            flow.push(leaves(&inst, instruction.guard.is_some(), base, &self.code.tables));
            // hardware: generated programs on an H200: the assembler (ptxas 13.5) computes `testp` for all lanes, whatever its
            // guard says.
            let unguarded =
                self.module.opcode(instruction).and_then(|o| o.row).is_some_and(|r| r.op == Op::Testp)
                    || matches!(inst, Inst::Set { only: Some(_), .. });
            let guard = instruction.guard.filter(|_| !unguarded).map_or(
                Guarded { pred: u32::MAX, negated: false },
                |g| match self.place(id, g.reg) {
                    Some(Place::Pred(pred)) => Guarded { pred, negated: g.negated },
                    _ => Guarded { pred: NEVER, negated: g.negated },
                },
            );
            self.push(inst, guard, Written { span: instruction.span }, instruction.opcode.0);
        }
        let end = if id == self.entry { Inst::Exit } else { Inst::Ret { function: id.0 } };
        flow.push(Leaves::Ends { falls: false });
        let written = Written { span: function.span };
        self.used.clear();
        self.push(end, Guarded { pred: u32::MAX, negated: false }, written, u32::MAX);
        let meets = flow::meeting_points(&flow);
        self.code.meets.extend(meets.into_iter().map(|m| if m == NOWHERE { NOWHERE } else { base + m }));
    }

    /// Keeps which registers have been written since the last wgmma.fence on the way here.
    fn note_written(&mut self, id: FunctionId, instruction: &Instruction, inst: &Inst) {
        match inst {
            Inst::WgmmaFence => self.behind_fence = BehindFence { fenced: true, written: Vec::new() },
            Inst::Bra { .. } | Inst::Call { .. } | Inst::Ret { .. } | Inst::Exit => {
                self.behind_fence = BehindFence::default();
            }
            Inst::Wgmma(_) => {}
            _ if self.behind_fence.fenced => {
                let row = self.module.opcode(instruction).and_then(|o| o.row);
                let writes = row.is_some_and(|r| r.operands.starts_with('d'));
                let Some(first) = instruction.operands.first().filter(|_| writes) else { return };
                let parts = match first {
                    Operand::Vector(parts) => parts,
                    one => std::slice::from_ref(one),
                };
                for part in parts {
                    let (Operand::Reg(reg) | Operand::Element(reg, _)) = part else { continue };
                    if let Some(Place::Slot { slot, .. }) = self.place(id, *reg) {
                        self.behind_fence.written.push(slot);
                    }
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, inst: Inst, guard: Guarded, written: Written, name: u32) {
        self.code.insts.push(inst);
        self.code.guards.push(guard);
        self.code.written.push(written);
        self.code.names.push(name);
        self.used.sort_unstable();
        self.used.dedup();
        self.code.touched.push(self.used.as_slice().into());
    }

    fn place(&self, id: FunctionId, reg: RegId) -> Option<Place> {
        self.frames.get(&id)?.places.get(reg.0 as usize).copied()
    }

    fn instruction(
        &mut self,
        id: FunctionId,
        function: &'m Function,
        instruction: &'m Instruction,
        base: u32,
        tables: u32,
    ) -> Inst {
        let Some(opcode) = self.module.opcode(instruction) else {
            return Inst::Unsupported("an instruction without a name".into());
        };
        let Some(row) = opcode.row else {
            let text = &opcode.text;
            let near = similar(text).map(|name| format!(" (did you mean {name}?)")).unwrap_or_default();
            return Inst::Unsupported(format!("{text} is not in the instruction table{near}").into());
        };
        if let Support::Unsupported(reason) = row.support {
            return Inst::Unsupported(format!("{}: {reason}", opcode.text).into());
        }
        if opcode.missing_on(&self.layout.target).is_some() {
            let text = format!("{} does not exist on {}", opcode.text, self.layout.target);
            return Inst::Unsupported(text.into());
        }
        let count = instruction.operands.len();
        if !opcode.operand_count().is_some_and(|(least, most)| (least..=most).contains(&count)) {
            return Inst::Unsupported(format!("{} with {count} operands", opcode.text).into());
        }
        let guard = instruction.guard.and_then(|g| match self.place(id, g.reg) {
            Some(Place::Pred(pred)) => Some(PredSource { pred, negated: g.negated }),
            _ => None,
        });
        let at = At { id, function, opcode, ops: &instruction.operands, base, guard };
        self.dispatch(row.op, &at, tables)
            .unwrap_or_else(|reason| Inst::Unsupported(format!("{}: {reason}", opcode.text).into()))
    }

    fn dispatch(&mut self, op: Op, at: &At<'m>, tables: u32) -> Lowered<Inst> {
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
            Op::FenceMbarrierInit => {
                Ok(Inst::Fence { kind: FenceKind::Release, scope: tilehaul_machine::Scope::Cluster })
            }
            Op::FenceProxyAlias => {
                Ok(Inst::Fence { kind: FenceKind::AcquireRelease, scope: tilehaul_machine::Scope::System })
            }
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
                let part = if at.opcode.has("read") {
                    tilehaul_machine::Part::Source
                } else {
                    tilehaul_machine::Part::All
                };
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

fn leaves(inst: &Inst, guarded: bool, base: u32, tables: &[Vec<u32>]) -> Leaves {
    match inst {
        Inst::Bra { target } => Leaves::Jumps { to: vec![target - base], falls: guarded },
        Inst::BrxIdx { table, .. } => {
            let to = tables.get(*table as usize).map_or(Vec::new(), |t| t.iter().map(|i| i - base).collect());
            Leaves::Jumps { to, falls: guarded }
        }
        Inst::Exit | Inst::Trap | Inst::Ret { .. } | Inst::Unsupported(_) => Leaves::Ends { falls: guarded },
        _ => Leaves::Falls,
    }
}

/// The function of that name.
pub(crate) fn function_named(module: &Module, name: &str) -> Option<FunctionId> {
    module.functions.iter().position(|f| f.name == name).map(|i| FunctionId(i as u32))
}

/// What a pointer to a function holds. It names no bytes: code cannot be read.
pub(crate) fn function_address(id: FunctionId) -> u64 {
    CODE_WINDOW + 16 * u64::from(id.0)
}

/// The scope that an opcode names; `block` when it names none.
fn scope(opcode: &Opcode) -> tilehaul_machine::Scope {
    use tilehaul_machine::Scope;
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
fn immediate(at: &At<'_>, index: usize) -> Lowered<u32> {
    match at.ops.get(index) {
        Some(Operand::Imm(tilehaul_isa::ptx::ast::Immediate::Int(n))) => {
            u32::try_from(*n).map_err(|_| format!("operand {index} is {n}, which is out of range"))
        }
        _ => Err(format!("operand {index} must be a constant")),
    }
}

impl Lower<'_> {
    fn variable_address(&mut self, id: FunctionId, symbol: Symbol) -> Lowered<Init> {
        Ok(match symbol {
            Symbol::Global(GlobalId(g)) => {
                let variable = self.module.variables.get(g as usize).ok_or("no such variable")?;
                let address = self.layout.globals.get(g as usize).copied().ok_or("no such variable")?;
                if variable.space == Space::Shared {
                    Init::Shared(address as u32)
                } else {
                    Init::Const(address)
                }
            }
            Symbol::Local(local) => {
                let function = self.module.functions.get(id.0 as usize).ok_or("no such function")?;
                let variable = function.variables.get(local.0 as usize).ok_or("no such variable")?;
                match variable.space {
                    Space::Shared => {
                        Init::Shared(*self.layout.shared.get(&(id, local)).ok_or("no such variable")?)
                    }
                    Space::Local | Space::Param => {
                        let frame = self.frames.get(&id).ok_or("no such function")?;
                        Init::Const(*frame.locals.get(local.0 as usize).ok_or("no such variable")?)
                    }
                    Space::Global | Space::Const => {
                        return Err("device variables inside functions are not modelled".to_owned());
                    }
                }
            }
            Symbol::Param(i) => {
                let frame = self.frames.get(&id).ok_or("no such function")?;
                Init::Const(*frame.params.get(i as usize).ok_or("no such parameter")?)
            }
            Symbol::Return(i) => {
                let frame = self.frames.get(&id).ok_or("no such function")?;
                Init::Const(*frame.returns.get(i as usize).ok_or("no such parameter")?)
            }
            Symbol::Function(f) => Init::Const(function_address(f)),
            Symbol::Label(to) => Init::Const(u64::from(self.bases.get(&id).copied().unwrap_or(0) + to.0)),
            Symbol::Table(_) => return Err("a branch table is no value".to_owned()),
            Symbol::Unknown => return Err("it names something that is not declared".to_owned()),
        })
    }
}

/// Registers that hold what a compare-and-swap of the function expects, also by way of moves.
fn compared(module: &Module, function: &Function) -> FxHashSet<RegId> {
    let op = |i: &Instruction| module.opcode(i).and_then(|o| Some((o, o.row?.op)));
    let mut found = FxHashSet::default();
    for instruction in &function.instructions {
        if let (Some((opcode, Op::Atom)), Some(Operand::Reg(reg))) =
            (op(instruction), instruction.operands.get(2))
            && opcode.has("cas")
        {
            found.insert(*reg);
        }
    }
    loop {
        let before = found.len();
        for instruction in function.instructions.iter().filter(|_| before > 0) {
            if let (Some((_, Op::Mov)), [Operand::Reg(d), Operand::Reg(s)]) =
                (op(instruction), &instruction.operands[..])
                && found.contains(d)
            {
                found.insert(*s);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
