//! Groups of lanes that run together: one runs until it stops, splits or meets others.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{Core, LaneMask, PlaceId, Status, WaitFor, Waits};

use super::rows::{BITS, apply, join_bools, set_pred, truth};
use super::{Cx, Step, Stop};
use crate::inst::Inst;
use crate::lower::UNGUARDED;
use crate::program::PtxProgram;
use crate::wave::{Group, Join, State, Wave};

pub(super) enum GroupEnd {
    Budget,
    /// The group changed or stopped; look for another.
    Switched,
}

/// Runs one group until it stops, changes or the budget is spent.
pub(super) fn run_group(
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
        if guard.pred != UNGUARDED {
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

/// No group is ready: what the wave waits for, or none after something was changed so that one can go on.
pub(super) fn stuck(p: &PtxProgram, w: &mut Wave, core: &mut Core) -> Option<Status> {
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
pub(super) fn meet(w: &mut Wave, core: &mut Core) -> bool {
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

pub(super) fn report_partial(p: &PtxProgram, w: &Wave, core: &mut Core, mask: u32, pc: u32, need: u32) {
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
