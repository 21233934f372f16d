//! Execution: groups of lanes take turns, instructions act on registers or call the machine.
//!
//! The common instructions (arithmetic, comparisons, branches) are executed in the loop itself; everything else is a
//! method of [`Cx`] in one of the files beside this one. A guard narrows the lanes of one instruction; an instruction
//! without lanes is skipped.

mod atomics;
mod calls;
mod clusters;
mod copies;
mod discard;
mod fragments;
mod lanes;
mod matrix;
mod memory;
mod mma;
mod narrow_matrix;
mod products;
pub(crate) mod quads;
mod scaled;
mod shared_matrix;
mod sync;
mod tmem;
mod tmem_copies;
mod values;
mod warp_product;
mod wgmma;
mod wmma;

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{Core, LaneMask, PlaceId, Ran, Status, Trap, WaitFor, Waits, Who};

use crate::alu::Lanes;
use crate::inst::{BoolOp, Inst, PredSource, Slot};
use crate::program::PtxProgram;
use crate::wave::{Group, Join, State, Wave};

/// Where the part of shared memory that the driver keeps is said to be: beyond what a block can have.
pub(crate) const RESERVED_SHARED: u32 = 0xf0_0000;

/// What an instruction did to the control of its group.
pub(crate) enum Step {
    Next,
    /// These lanes go somewhere else.
    Branch(u32, u32),
    /// Each set of lanes goes to its target.
    Scatter(Vec<(u32, u32)>),
    /// Each set of lanes goes into its function; they meet again behind the call.
    Call(Vec<(u32, u32)>),
    /// Done, but nothing will come of going on at once.
    Poll(WaitFor),
    /// Not done: try again later.
    Block(WaitFor),
    /// Not done: these lanes are needed together.
    Converge(u32),
    /// Not done: waits at `bar.warp.sync` for these lanes.
    Meet(u32),
    /// These lanes end.
    End(u32),
}

/// Why a run stops.
pub(crate) enum Stop {
    Trap(Who, Trap),
    Unsupported(String),
}

pub(crate) type Stepped = Result<Step, Stop>;

/// Everything an instruction may need.
pub(crate) struct Cx<'a> {
    pub(crate) p: &'a PtxProgram,
    pub(crate) w: &'a mut Wave,
    pub(crate) core: &'a mut Core,
    pub(crate) pc: u32,
    /// Lanes that execute.
    pub(crate) mask: u32,
    /// Lanes of the group, those that the guard holds back included.
    pub(crate) group: u32,
    pub(crate) index: usize,
}

enum GroupEnd {
    Budget,
    /// The group changed or stopped; look for another.
    Switched,
}

/// Runs a wave for at most `budget` instructions.
pub(crate) fn run(p: &PtxProgram, w: &mut Wave, core: &mut Core, budget: u32) -> Ran {
    let mut steps = 0;
    for group in &mut w.groups {
        if matches!(group.state, State::Polling(_) | State::Blocked(_)) {
            group.state = State::Ready;
        }
    }
    loop {
        let place = PlaceId(w.groups.first().map_or(0, |g| g.pc));
        if w.groups.is_empty() {
            return Ran { steps, place, status: Status::Exited };
        }
        let n = w.groups.len();
        let Some(index) = (0..n).map(|i| (w.turn + i) % n).find(|&i| w.groups[i].state == State::Ready)
        else {
            // Lanes that polled before others of the warp went on may find what they look for now.
            let polls = w.groups.iter().any(|g| matches!(g.state, State::Polling(_)));
            if polls && steps > w.polled_at && steps < budget {
                for group in &mut w.groups {
                    if matches!(group.state, State::Polling(_)) {
                        group.state = State::Ready;
                    }
                }
                w.polled_at = steps;
                continue;
            }
            match stuck(p, w, core) {
                Some(status) => {
                    let place = PlaceId(w.groups.first().map_or(0, |g| g.pc));
                    return Ran { steps, place, status };
                }
                None => continue,
            }
        };
        w.turn = index;
        match run_group(p, w, core, index, &mut steps, budget) {
            Ok(GroupEnd::Budget) => {
                let place = PlaceId(w.groups.get(w.turn).map_or(0, |g| g.pc));
                w.turn = (w.turn + 1) % w.groups.len().max(1);
                return Ran { steps, place, status: Status::Ready };
            }
            Ok(GroupEnd::Switched) => {}
            Err((pc, mask, stop)) => {
                let place = PlaceId(pc);
                let status = match stop {
                    Stop::Trap(who, trap) => Status::Fault(who, trap),
                    Stop::Unsupported(text) => {
                        let message = format!("{text}; the run cannot go on.");
                        let diagnostic = Diagnostic::new(Code("ptx-unsupported"), Level::Error, message);
                        Status::Unsupported(w.who(mask, pc), Box::new(diagnostic))
                    }
                };
                return Ran { steps, place, status };
            }
        }
    }
}

/// No group is ready: what the wave waits for, or none after something was changed so that one can go on.
fn stuck(p: &PtxProgram, w: &mut Wave, core: &mut Core) -> Option<Status> {
    if meet(w, core) {
        return None;
    }
    let waits = |g: &Group, reason: &WaitFor| Waits {
        lanes: LaneMask(u64::from(g.mask)),
        place: PlaceId(g.pc),
        reason: reason.clone(),
    };
    let polling = w.groups.iter().find_map(|g| match &g.state {
        State::Polling(reason) => Some(waits(g, reason)),
        _ => None,
    });
    if let Some(waits) = polling {
        return Some(Status::Polling(waits));
    }
    let blocked = w.groups.iter().find_map(|g| match &g.state {
        State::Blocked(reason) => Some(waits(g, reason)),
        _ => None,
    });
    if let Some(waits) = blocked {
        return Some(Status::Blocked(waits));
    }
    // Only lanes that need each other are left, at different places.
    let index = w.groups.iter().position(|g| matches!(g.state, State::Converging(_)));
    if let Some(index) = index {
        let group = &mut w.groups[index];
        let State::Converging(need) = group.state else { return None };
        (group.state, group.forced) = (State::Ready, true);
        let (mask, pc) = (group.mask, group.pc);
        report_partial(p, w, core, mask, pc, need);
        return None;
    }
    let first = w.groups.first()?;
    let waits = waits(first, &WaitFor::Other("other lanes of its warp, which never come"));
    Some(Status::Blocked(waits))
}

/// Lets groups that wait at `bar.warp.sync` go on when all lanes that they wait for are there.
fn meet(w: &mut Wave, core: &mut Core) -> bool {
    let there =
        w.groups.iter().fold(0, |m, g| if matches!(g.state, State::Meeting(_)) { m | g.mask } else { m });
    let go: Vec<usize> = w
        .groups
        .iter()
        .enumerate()
        .filter(|(_, g)| matches!(g.state, State::Meeting(need) if need & w.live & !there == 0))
        .map(|(i, _)| i)
        .collect();
    let Some(&first) = go.first() else { return false };
    let lanes = go.iter().fold(0, |m, &i| m | w.groups[i].mask);
    let who = w.who(lanes, w.groups[first].pc);
    core.lanes_meet(who);
    for i in go {
        w.groups[i].state = State::Ready;
        w.groups[i].pc += 1;
    }
    true
}

fn report_partial(p: &PtxProgram, w: &Wave, core: &mut Core, mask: u32, pc: u32, need: u32) {
    let who = w.who(mask, pc);
    let (lanes, missing) = (LaneMask(u64::from(mask)), LaneMask(u64::from(need & !mask)));
    let name = p.name(pc);
    let message = format!(
        "{name} is executed by {lanes} without {missing} of its warp, which it needs at the same time"
    );
    core.report(
        who,
        Diagnostic::new(Code("divergent-warp-instruction"), Level::Error, message)
            .fix("Let all lanes of the warp reach it together, or name only the lanes that do.")
            .source(Source::manual("PTX ISA, .sync and .aligned")),
    );
}

/// Bit `i` at place `i`: comparing with a table becomes vector code, shifting by a lane's number does not.
const BITS: Lanes = {
    let mut bits = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

#[inline]
pub(crate) fn put(row: &mut Lanes, value: &Lanes, mask: u32) {
    if mask == u32::MAX {
        *row = *value;
        return;
    }
    if mask.is_power_of_two() {
        // A thread that was elected: the one of its warp that copies and signals.
        let lane = mask.trailing_zeros() as usize & 31;
        row[lane] = value[lane];
        return;
    }
    let mask = u64::from(mask);
    for ((old, new), bit) in row.iter_mut().zip(value).zip(&BITS) {
        *old = if mask & bit == *bit { *new } else { *old };
    }
}

/// Executes a loop over lanes. It writes its result in place where all lanes execute and no source is the target.
#[inline(always)]
fn apply<const N: usize>(
    regs: &mut [Lanes],
    scratch: &mut Lanes,
    d: Slot,
    sources: [Slot; N],
    mask: u32,
    f: impl Fn(&mut Lanes, [&Lanes; N]),
) {
    let at = d as usize;
    if mask == u32::MAX && !sources.contains(&d) {
        let (before, rest) = regs.split_at_mut(at);
        if let Some((target, after)) = rest.split_first_mut() {
            let (before, after) = (&*before, &*after);
            let source = |s: Slot| {
                let s = s as usize;
                if s < at { &before[s] } else { &after[s - at - 1] }
            };
            f(target, sources.map(source));
        }
        return;
    }
    f(scratch, sources.map(|s| &regs[s as usize]));
    put(&mut regs[at], scratch, mask);
}

#[inline(always)]
fn truth(preds: &[u32], p: PredSource) -> u32 {
    let v = preds[p.pred as usize];
    if p.negated { !v } else { v }
}

#[inline(always)]
fn set_pred(pred: &mut u32, value: u32, mask: u32) {
    *pred = *pred & !mask | value & mask;
}

#[inline(always)]
fn join_bools(op: BoolOp, a: u32, b: u32) -> u32 {
    match op {
        BoolOp::And => a & b,
        BoolOp::Or => a | b,
        BoolOp::Xor => a ^ b,
    }
}

/// Runs one group until it stops, changes or the budget is spent.
fn run_group(
    p: &PtxProgram,
    w: &mut Wave,
    core: &mut Core,
    index: usize,
    steps: &mut u32,
    budget: u32,
) -> Result<GroupEnd, (u32, u32, Stop)> {
    let code = &p.code;
    let (group_mask, join_pc) = (w.groups[index].mask, w.groups[index].join_pc);
    let mut pc = w.groups[index].pc;
    loop {
        if pc == join_pc {
            w.groups[index].pc = pc;
            w.park(index);
            return Ok(GroupEnd::Switched);
        }
        if *steps >= budget {
            w.groups[index].pc = pc;
            return Ok(GroupEnd::Budget);
        }
        let at = pc as usize;
        let (Some(inst), Some(guard)) = (code.insts.get(at), code.guards.get(at)) else {
            return Err((
                pc,
                group_mask,
                Stop::Unsupported("the kernel runs past the end of its code".to_owned()),
            ));
        };
        let mut mask = group_mask;
        if guard.pred != u32::MAX {
            let v = w.preds[guard.pred as usize];
            mask &= if guard.negated { !v } else { v };
        }
        *steps += 1;
        if mask == 0 {
            pc += 1;
            continue;
        }
        if !w.pending.is_empty() {
            let mut cx = Cx { p, w, core, pc, mask, group: group_mask, index };
            if let Err(stop) = cx.settle_registers() {
                return Err((pc, mask, stop));
            }
        }
        let (regs, scratch) = (&mut w.regs, &mut w.scratch);
        match inst {
            Inst::Mask { d, a, keep } => {
                apply(regs, scratch, *d, [*a], mask, |d, [a]| {
                    for (d, a) in d.iter_mut().zip(a) {
                        *d = a & keep;
                    }
                });
            }
            Inst::One { f, d, a } => apply(regs, scratch, *d, [*a], mask, |d, [a]| f(d, a)),
            Inst::Two { f, d, a, b } => apply(regs, scratch, *d, [*a, *b], mask, |d, [a, b]| f(d, a, b)),
            Inst::Three { f, d, a, b, c } => {
                apply(regs, scratch, *d, [*a, *b, *c], mask, |d, [a, b, c]| f(d, a, b, c));
            }
            Inst::Four { f, d, a, b, c, e } => {
                apply(regs, scratch, *d, [*a, *b, *c, *e], mask, |d, [a, b, c, e]| f(d, a, b, c, e));
            }
            Inst::Setp { test, upper, p: target, q, a, b, with } => {
                let (x, y) = (&regs[*a as usize], &regs[*b as usize]);
                let low = test(x, y);
                let high = upper.map(|t| t(x, y));
                let other = with.map(|(op, c)| (op, truth(&w.preds, c)));
                let join = |v: u32| other.map_or(v, |(op, c)| join_bools(op, v, c));
                set_pred(&mut w.preds[*target as usize], join(low), mask);
                if let Some(q) = q {
                    // manual: the second result has the negated comparison, or the upper half's.
                    set_pred(&mut w.preds[*q as usize], join(high.unwrap_or(!low)), mask);
                }
            }
            Inst::Selp { d, a, b, p } => {
                let chosen = truth(&w.preds, *p);
                let chosen = u64::from(chosen);
                apply(regs, scratch, *d, [*a, *b], mask, |d, [a, b]| {
                    for (((d, a), b), bit) in d.iter_mut().zip(a).zip(b).zip(&BITS) {
                        *d = if chosen & bit == *bit { *a } else { *b };
                    }
                });
            }
            Inst::PredOp { op, d, a, b } => {
                let v = join_bools(*op, truth(&w.preds, *a), truth(&w.preds, *b));
                set_pred(&mut w.preds[*d as usize], v, mask);
            }
            Inst::PredMov { d, a } => {
                let v = truth(&w.preds, *a);
                set_pred(&mut w.preds[*d as usize], v, mask);
            }
            Inst::Nop => {}
            Inst::Bra { target } => {
                if mask == group_mask {
                    pc = *target;
                } else {
                    w.part(index, mask, *target, pc + 1, code.meets[at]);
                    return Ok(GroupEnd::Switched);
                }
                continue;
            }
            _ => {
                w.groups[index].pc = pc;
                w.steps += u64::from(*steps);
                let mut cx = Cx { p, w, core, pc, mask, group: group_mask, index };
                // What kernels are made of is asked for first: it would be handed on from file to file.
                let done = match inst {
                    Inst::Ld(op) => cx.load(op),
                    Inst::St(op) => cx.store(op),
                    Inst::Shfl(op) => cx.shuffle(op),
                    Inst::MbarArrive { kind, op, d } => cx.mbar_arrive(*kind, op, *d),
                    Inst::MbarWait { op, p, parity, .. } => cx.mbar_wait(op, *p, *parity),
                    Inst::TensorLoad(op) => cx.tensor_load(op),
                    _ => cx.other(inst),
                };
                match done {
                    Ok(Step::Next) => {}
                    Ok(step) => {
                        if follow(p, w, core, index, pc, step, steps) {
                            return Ok(GroupEnd::Switched);
                        }
                        pc = w.groups[index].pc;
                        continue;
                    }
                    Err(stop) => return Err((pc, mask, stop)),
                }
                w.groups[index].forced = false;
            }
        }
        pc += 1;
    }
}

/// Carries out what an instruction did to control. True when another group must be looked for.
fn follow(
    p: &PtxProgram,
    w: &mut Wave,
    core: &mut Core,
    index: usize,
    pc: u32,
    step: Step,
    steps: &mut u32,
) -> bool {
    let group_mask = w.groups[index].mask;
    let group = &mut w.groups[index];
    match step {
        Step::Next => {
            group.pc = pc + 1;
            false
        }
        Step::Branch(taken, target) => {
            if taken == group_mask {
                group.pc = target;
                return false;
            }
            w.part(index, taken, target, pc + 1, p.code.meets[pc as usize]);
            true
        }
        Step::Scatter(targets) => {
            let meets = p.code.meets[pc as usize];
            for (taken, target) in targets {
                if taken == w.groups[index].mask {
                    w.groups[index].pc = target;
                    return true;
                }
                w.part(index, taken, target, pc + 1, meets);
            }
            true
        }
        Step::Call(targets) => {
            let next = pc + 1;
            let parent = group.join;
            let called = targets.iter().fold(0, |m, t| m | t.0);
            let join = Join { pc: next, expected: group_mask, arrived: 0, parent, live: true };
            let join = w.add_join(join);
            let lanes_at = |mask: u32, pc: u32| Group {
                mask,
                pc,
                join,
                join_pc: next,
                state: State::Ready,
                ticket: None,
                forced: false,
            };
            w.groups.remove(index);
            // Lanes that the guard holds back wait at the return address.
            let rest = Some((group_mask & !called, next)).filter(|r| r.0 != 0);
            w.groups.extend(targets.into_iter().chain(rest).map(|(mask, pc)| lanes_at(mask, pc)));
            true
        }
        Step::Poll(reason) => {
            group.pc = pc + 1;
            group.state = State::Polling(reason);
            w.polled_at = *steps;
            true
        }
        Step::Block(reason) => {
            group.state = State::Blocked(reason);
            *steps -= 1;
            true
        }
        Step::Converge(need) => {
            *steps -= 1;
            converge(p, w, core, index, need);
            true
        }
        Step::Meet(need) => {
            group.state = State::Meeting(need);
            *steps -= 1;
            meet(w, core);
            true
        }
        Step::End(lanes) => {
            group.pc = pc + 1;
            let who = w.who(lanes, pc);
            if w.live & !lanes == 0 {
                let mut cx = Cx { p, w, core, pc, mask: lanes, group: group_mask, index };
                cx.check_freed();
                cx.check_register_counts();
            }
            core.exit(who);
            w.end_lanes(index, lanes);
            true
        }
    }
}

/// The group waits for lanes that it needs; groups that wait at the same place become one.
fn converge(p: &PtxProgram, w: &mut Wave, core: &mut Core, index: usize, need: u32) {
    let (pc, join) = (w.groups[index].pc, w.groups[index].join);
    let other =
        w.groups.iter().position(|g| g.pc == pc && g.join == join && matches!(g.state, State::Converging(_)));
    if let Some(other) = other.filter(|&o| o != index) {
        let mask = w.groups[index].mask;
        w.groups[other].mask |= mask;
        w.groups[other].state = State::Ready;
        w.groups.remove(index);
        return;
    }
    w.groups[index].state = State::Converging(need);
    if w.nobody_comes(index) && w.groups.iter().all(|g| g.state != State::Ready) {
        let group = &mut w.groups[index];
        (group.state, group.forced) = (State::Ready, true);
        let mask = group.mask;
        report_partial(p, w, core, mask, pc, need);
    }
}

impl Cx<'_> {
    pub(crate) fn who(&self) -> Who {
        self.w.who(self.mask, self.pc)
    }

    pub(crate) fn who_of(&self, mask: u32) -> Who {
        self.w.who(mask, self.pc)
    }

    /// A trap of the executing lanes.
    pub(crate) fn trap(&self, trap: Trap) -> Stop {
        Stop::Trap(self.who(), trap)
    }

    pub(crate) fn fail(&self, code: &'static str, message: String) -> Stop {
        self.trap(Box::new(Diagnostic::new(Code(code), Level::Error, message)))
    }

    pub(crate) fn reg(&self, slot: Slot) -> &Lanes {
        &self.w.regs[slot as usize]
    }

    pub(crate) fn set(&mut self, slot: Slot, value: &Lanes) {
        put(&mut self.w.regs[slot as usize], value, self.mask);
    }

    pub(crate) fn truth(&self, p: PredSource) -> u32 {
        truth(&self.w.preds, p)
    }

    pub(crate) fn set_pred(&mut self, pred: u32, value: u32) {
        set_pred(&mut self.w.preds[pred as usize], value, self.mask);
    }

    /// Lanes in ascending order.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let mut rest = self.mask;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            Some(lane as usize)
        })
    }

    /// The lowest executing lane.
    pub(crate) fn first(&self) -> usize {
        self.mask.trailing_zeros().min(31) as usize
    }

    /// `Some` when lanes that the instruction needs together are not all here: what to do about it.
    pub(crate) fn need(&mut self, lanes: u32) -> Option<Step> {
        let missing = lanes & self.w.live & !self.mask;
        if missing == 0 || self.w.groups[self.index].forced {
            return None;
        }
        if let Some(step) = self.awaited(missing) {
            return Some(step);
        }
        // The guard holds the lanes back: they will not come.
        report_partial(self.p, self.w, self.core, self.mask, self.pc, lanes & self.w.live);
        None
    }

    /// `Some` when some of `missing` may still come to this instruction: it waits for them.
    pub(crate) fn awaited(&self, missing: u32) -> Option<Step> {
        let coming = missing & self.w.live & !self.group;
        let waits = coming != 0 && !self.w.groups[self.index].forced;
        waits.then_some(Step::Converge((missing | self.mask) & self.w.live))
    }

    /// The same for all lanes of the warp.
    pub(crate) fn need_warp(&mut self) -> Option<Step> {
        self.need(u32::MAX)
    }
}
