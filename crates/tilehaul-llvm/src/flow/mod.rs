//! Transfers, marks, waits and LDS accesses along control flow.
//!
//! Soundness: reports only accesses whose LDS place is known to be that of an outstanding transfer on some path; may miss
//! accesses through pointers that cannot be followed, and never reports a transfer that every path has waited for.

mod waits;

use std::collections::{BTreeMap, BTreeSet};

use tilehaul_diag::{Code, Diagnostic, Span};
use tilehaul_isa::llvm::{BlockId, Function, Inst, LDS, Op, Operand};

use crate::calls::{self, Call};
use crate::place::{Definitions, Extent, Overlap};
use crate::rules;
use crate::select::{Counter, Selected};
use crate::state::{InstId, State, in_order};
use crate::table::{Arg, Kind, lookup};
use crate::target::Target;
use crate::uniform::Shapes;
use crate::workgroup::{Meets, Touched, Workgroup};
use crate::{Operation, WaitReport};

/// Visits of a block after which its state is taken as it is.
const MAX_VISITS: u32 = 200;

/// What one function does.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    pub operations: Vec<Operation>,
    pub waits: Vec<WaitReport>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Follows `function`; findings come in text order.
pub(crate) fn follow(function: &Function, target: &Target, line: &dyn Fn(Span) -> u32) -> Flow {
    let shapes = Shapes::of(function);
    let definitions = Definitions::of(function, &shapes);
    let mut first = Vec::with_capacity(function.blocks.len());
    let mut count = 0;
    for block in &function.blocks {
        first.push(count);
        count += block.insts.len();
    }
    let insts: Vec<&Inst> = function.blocks.iter().flat_map(|b| &b.insts).collect();
    let single_wave = function
        .attribute("amdgpu-flat-work-group-size")
        .and_then(|v| v.split(',').nth(1))
        .and_then(|n| n.trim().parse::<u64>().ok())
        .is_some_and(|most| most <= target.wave);
    let mut walker = Walker {
        target,
        definitions: &definitions,
        shapes: &shapes,
        insts: &insts,
        extents: BTreeMap::new(),
        workgroup: Workgroup::of(function, target.wave),
        touched: BTreeMap::new(),
        meets: BTreeMap::new(),
        single_wave,
        selected: BTreeMap::new(),
        report: None,
        line,
        told: BTreeSet::new(),
    };
    for (block, &from) in first.iter().enumerate() {
        let upto = first.get(block + 1).copied().unwrap_or(insts.len());
        (from..upto).for_each(|at| walker.select(InstId(at), BlockId(block)));
    }
    let mut states: Vec<Option<State>> = vec![None; function.blocks.len()];
    let mut visits = vec![0u32; function.blocks.len()];
    if let Some(entry) = states.first_mut() {
        *entry = Some(State::default());
    }
    let mut work = BTreeSet::from([BlockId(0)]);
    let mut cut_short = false;
    while let Some(BlockId(at)) = work.pop_first() {
        let (Some(block), Some(Some(state))) = (function.blocks.get(at), states.get(at)) else { continue };
        let mut state = state.clone();
        for (i, inst) in block.insts.iter().enumerate() {
            walker.step(InstId(first[at] + i), inst, &mut state);
        }
        for next in &block.successors {
            let Some(slot) = states.get_mut(next.0) else { continue };
            let changed = match slot {
                Some(old) => old.join(&state),
                None => {
                    *slot = Some(state.clone());
                    true
                }
            };
            if !changed {
                continue;
            }
            visits[next.0] += 1;
            if visits[next.0] <= MAX_VISITS {
                work.insert(*next);
            } else {
                cut_short = true;
            }
        }
    }
    walker.report = Some(Flow::default());
    for (at, block) in function.blocks.iter().enumerate() {
        // A block that no path reaches is not executed; its calls were still judged by themselves.
        let Some(Some(state)) = states.get(at) else { continue };
        let mut state = state.clone();
        for (i, inst) in block.insts.iter().enumerate() {
            walker.step(InstId(first[at] + i), inst, &mut state);
        }
    }
    let mut flow = walker.report.take().unwrap_or_default();
    flow.diagnostics.extend(crate::findings::lgkm_bug(function, target));
    if cut_short {
        let told = rules::GIVEN_UP.told(format!("orderings in @{} were followed only so far", function.name));
        flow.diagnostics.push(told.at(function.span, "this function"));
    }
    flow
}

/// Goes through a function, first to settle states, then to report.
pub(crate) struct Walker<'a> {
    pub(crate) target: &'a Target,
    definitions: &'a Definitions<'a>,
    shapes: &'a Shapes<'a>,
    pub(crate) insts: &'a [&'a Inst],
    /// The LDS bytes of transfers and LDS accesses.
    extents: BTreeMap<InstId, Extent>,
    workgroup: Workgroup<'a>,
    /// The LDS bytes of each thread, where they can be computed.
    touched: BTreeMap<InstId, Touched>,
    /// What was found of two of them: transfer, access.
    meets: BTreeMap<(InstId, InstId), Meets>,
    pub(crate) single_wave: bool,
    selected: BTreeMap<InstId, (Option<Selected>, Vec<Diagnostic>)>,
    /// Where findings go in the last walk.
    report: Option<Flow>,
    line: &'a dyn Fn(Span) -> u32,
    /// Findings that are told once for each pair of places.
    told: BTreeSet<(Code, InstId, InstId)>,
}

impl<'a> Walker<'a> {
    fn select(&mut self, id: InstId, block: BlockId) {
        let Some(inst) = self.insts.get(id.0) else { return };
        let (extent, bytes, slot) = if let Some(call) = dma_call(inst) {
            self.selected.insert(id, calls::judge(&call, self.target, self.shapes));
            let (Some(lds), Some(bytes)) = (call.arg(Arg::Lds), call.lds_bytes()) else { return };
            let slot = direct(&call).then_some(if bytes > 4 { 16 } else { 4 });
            (self.lds_extent(&call, lds, bytes), bytes, slot)
        } else if let Some((pointer, bytes, _)) = lds_access(inst) {
            let bytes = i128::from(bytes);
            (Extent { place: self.definitions.place(pointer), bytes }, bytes, None)
        } else {
            return;
        };
        if let Some(touched) = self.workgroup.touched(block, &extent.place, bytes, slot) {
            self.touched.insert(id, touched);
        }
        self.extents.insert(id, extent);
    }

    /// LDS bytes of a transfer: lanes of a direct load lie side by side behind the wave's base.
    fn lds_extent(&self, call: &Call<'_>, lds: &Operand, bytes: i128) -> Extent {
        let mut place = self.definitions.place(lds);
        place.offset = place.offset.saturating_add(call.int(Arg::Offset).unwrap_or(0));
        let slot = if bytes > 4 { 16 } else { 4 };
        let all = if direct(call) { slot * (i128::from(self.target.wave) - 1) + bytes } else { bytes };
        Extent { place, bytes: all }
    }

    fn step(&mut self, id: InstId, inst: &Inst, state: &mut State) {
        if let Some(name) = &inst.result {
            self.redefine(name, state);
        }
        if let Some(call) = dma_call(inst) {
            self.call(id, &call, state);
            return;
        }
        match &inst.op {
            Op::Fence { scope, ordering } => self.fence(scope, ordering, state),
            Op::Call { asm: Some(text), .. } => self.assembly(inst, text, state),
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } => self.access(id, inst, state),
            _ => {}
        }
    }

    /// A place that uses this value means another place from here on.
    fn redefine(&self, name: &str, state: &mut State) {
        for (id, pending) in &mut state.pending {
            let uses = self.extents.get(id).is_some_and(|e| {
                e.place.terms.contains_key(name)
                    || e.place.lane_terms.contains_key(name)
                    || e.place.root.as_deref().and_then(|r| r.strip_prefix('%')) == Some(name)
            });
            pending.stale |= uses;
        }
    }

    fn call(&mut self, id: InstId, call: &Call<'_>, state: &mut State) {
        let kind = call.intrinsic.kind;
        if self.report.is_some() {
            self.report_call(id, call);
        }
        if calls::unavailable(kind, self.target).is_some() {
            return;
        }
        let mask = call.int(Arg::Stages).unwrap_or(0) as u32;
        match kind {
            Kind::Mark => state.mark(mask),
            Kind::WaitMark => self.wait_mark(call, mask, state),
            Kind::WaitAsync | Kind::WaitTensor => {
                let counter = if kind == Kind::WaitAsync { Counter::Async } else { Counter::Tensor };
                if let Some(count) = call.int(Arg::Count).and_then(|n| u64::try_from(n).ok()) {
                    state.wait_counter(counter, count);
                    self.report_wait(call, &[(counter, count)]);
                }
            }
            Kind::WaitDs => {
                if call.int(Arg::Count) == Some(0) {
                    state.lds_writes.clear();
                }
            }
            Kind::WaitOld => {
                let bits = call.int(Arg::Count).unwrap_or(0xcf7f) as u64;
                let vm = (bits & 15) | (bits >> 14 & 3) << 4;
                if vm != 63 {
                    state.wait_counter(Counter::Vm, vm);
                    self.report_wait(call, &[(Counter::Vm, vm)]);
                }
                if bits >> 8 & 15 == 0 {
                    state.lds_writes.clear();
                }
            }
            Kind::Barrier => self.barrier(state),
            Kind::BarrierSignal => {}
            Kind::BarrierArrive => {}
            Kind::DirectLoad { .. }
            | Kind::BufferLoad { .. }
            | Kind::AsyncLoad { .. }
            | Kind::AsyncStore { .. }
            | Kind::Tensor { .. } => self.transfer(id, call, state),
        }
    }

    fn transfer(&mut self, id: InstId, call: &Call<'_>, state: &mut State) {
        let kind = call.intrinsic.kind;
        let Some(counter) = self.selected.get(&id).and_then(|(s, _)| s.as_ref()).map(|s| s.counter) else {
            return;
        };
        if let Some(mine) = self.extents.get(&id).cloned() {
            if let Kind::AsyncStore { .. } = kind {
                for &write in state.lds_writes.keys().collect::<Vec<_>>() {
                    if self.overlap(write, &mine) == Overlap::Yes {
                        self.source_pending(write, id, call);
                    }
                }
            }
            let others: Vec<InstId> = state
                .pending
                .iter()
                .filter(|(other, p)| {
                    **other != id
                        && !p.stale
                        && !p.late_wait
                        && p.counter == counter
                        && !in_order(p.kind, kind)
                        && (p.kind.writes_lds() || kind.writes_lds())
                })
                .map(|(other, _)| *other)
                .collect();
            for other in others {
                if self.overlap(other, &mine) == Overlap::Yes {
                    self.mixed(other, id, call);
                }
            }
        }
        state.issue(id, counter, Some(kind));
        let full = state
            .pending
            .iter()
            .find(|(other, p)| **other != id && p.counter == counter && p.younger_transfers >= 63);
        if let Some((&oldest, _)) = full {
            let told = rules::OVERFLOW
                .broken(
                    format!(
                        "more than 63 transfers are outstanding on {}, whose 6 bits hold 63: the issue stalls until one is done",
                        counter.name()
                    ),
                    "wait before issuing more",
                )
                .at(call.inst.span, "issued here")
                .also(self.insts[oldest.0].span, "the oldest that may be outstanding");
            self.tell_once(told, InstId(0), InstId(0));
        }
    }

    /// An ordinary load, store or atomic.
    fn access(&mut self, id: InstId, inst: &Inst, state: &mut State) {
        let Some((_, _, writes)) = lds_access(inst) else {
            let counter = calls::plain_counter(self.target).filter(|_| !matches!(inst.op, Op::Fence { .. }));
            if let Some(counter) = counter {
                state.issue(id, counter, None);
            }
            return;
        };
        let Some(mine) = self.extents.get(&id).cloned() else { return };
        let pending: Vec<InstId> = state.pending.keys().copied().collect();
        for other in pending {
            let Some(p) = state.pending.get(&other).cloned() else { continue };
            if p.stale || (!writes && !p.kind.writes_lds()) {
                continue;
            }
            let overlap = self.overlap(other, &mine) == Overlap::Yes;
            let meets = self.meets(other, id);
            // Without a barrier nothing is said about other waves: what orders them may be anything. What a wave has
            // loaded itself the compiler waits for, and so does a wait behind the barrier.
            let others = meets.others && p.crossed_barrier;
            let own = meets.own && p.kind.is_async() && !p.late_wait;
            if !(overlap || others || own) {
                continue;
            }
            if !p.kind.is_async() && !p.crossed_barrier {
                // The compiler waits before this access (G1).
                state.pending.remove(&other);
                continue;
            }
            self.early(id, inst, other, &p, writes);
            if !p.kind.is_async() {
                // After the access the compiler has waited for this wave's own load.
                state.pending.remove(&other);
            }
        }
        if writes {
            state.lds_writes.insert(id, false);
            return;
        }
        let crossed: Vec<InstId> =
            state.lds_writes.iter().filter(|(_, crossed)| **crossed).map(|(id, _)| *id).collect();
        for write in crossed {
            let theirs = self.extents.get(&write);
            // The wave's own bytes are in order; what counts is another place of the same array.
            let other_place = theirs.is_some_and(|t| {
                t.place.root == mine.place.root && t.place.root.is_some() && t.place != mine.place
            });
            if other_place {
                let told = rules::LDS_BARRIER
                    .broken(
                        format!(
                            "LDS that other waves wrote before the barrier is read, but no release fence precedes the barrier: \
                             on {} a barrier does not wait for LDS writes",
                            self.target.name
                        ),
                        "put `fence syncscope(\"workgroup\") release` before the barrier and an acquire fence behind it",
                    )
                    .at(inst.span, "read here")
                    .also(self.insts[write.0].span, "written here, not waited for");
                self.tell_once(told, write, id);
            }
        }
    }

    fn overlap(&self, other: InstId, mine: &Extent) -> Overlap {
        self.extents.get(&other).map_or(Overlap::Unknown, |theirs| theirs.overlap(mine, self.target.wave))
    }

    /// Whose bytes of a transfer an access touches, as far as addresses can be computed.
    fn meets(&mut self, transfer: InstId, access: InstId) -> Meets {
        let (Some(theirs), Some(mine)) = (self.touched.get(&transfer), self.touched.get(&access)) else {
            return Meets::default();
        };
        *self.meets.entry((transfer, access)).or_insert_with(|| self.workgroup.meets(theirs, mine))
    }

    fn report_call(&mut self, id: InstId, call: &Call<'_>) {
        let line = (self.line)(call.inst.span);
        let Some((selected, told)) = self.selected.remove(&id) else { return };
        // The counter is needed again by the walk itself.
        self.selected.insert(id, (selected.clone(), Vec::new()));
        let old = calls::in_llvm22(call);
        if let Some(report) = &mut self.report {
            report.diagnostics.extend(told);
            if call.intrinsic.kind.is_transfer() {
                report.operations.push(Operation {
                    line,
                    intrinsic: call.name.to_owned(),
                    instruction: selected.as_ref().map(|s| s.text.clone()),
                    counter: selected.as_ref().map(|s| s.counter),
                    llvm22: old,
                });
            }
        }
    }

    fn report_wait(&mut self, call: &Call<'_>, becomes: &[(Counter, u64)]) {
        let line = (self.line)(call.inst.span);
        if let Some(report) = &mut self.report {
            report.waits.push(WaitReport {
                line,
                intrinsic: call.name.to_owned(),
                instructions: becomes.iter().map(|(counter, n)| counter.wait(*n)).collect(),
            });
        }
    }

    fn tell(&mut self, diagnostic: Diagnostic) {
        if let Some(report) = &mut self.report {
            report.diagnostics.push(diagnostic);
        }
    }

    pub(crate) fn tell_once(&mut self, diagnostic: Diagnostic, a: InstId, b: InstId) {
        if self.report.is_some() && self.told.insert((diagnostic.code, a, b)) {
            self.tell(diagnostic);
        }
    }
}

/// Whether lanes' slots lie side by side behind the wave's base.
fn direct(call: &Call<'_>) -> bool {
    matches!(call.intrinsic.kind, Kind::DirectLoad { .. } | Kind::BufferLoad { .. })
}

/// A call of an intrinsic of the table.
pub(crate) fn dma_call(inst: &Inst) -> Option<Call<'_>> {
    let Op::Call { callee: Some(name), args, .. } = &inst.op else { return None };
    let intrinsic = lookup(name, args.len())?;
    Some(Call { name, intrinsic, args, inst })
}

/// The pointer, the bytes and whether it writes, for an ordinary access to LDS.
pub(crate) fn lds_access(inst: &Inst) -> Option<(&Operand, u64, bool)> {
    let (pointer, bytes, writes) = match &inst.op {
        Op::Load { ty, pointer } => (pointer, ty.bytes(), false),
        Op::Store { value, pointer } => (pointer, value.ty.bytes(), true),
        Op::Atomic { pointer, .. } => (pointer, Some(4), true),
        _ => return None,
    };
    (pointer.ty.address_space() == Some(LDS)).then_some((pointer, bytes.unwrap_or(1), writes))
}
