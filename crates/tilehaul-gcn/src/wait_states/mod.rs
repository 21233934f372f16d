//! Wait states that the hardware does not insert by itself.
//!
//! On gfx942 and gfx950 some results are not there yet when a near instruction takes them, and nothing holds that one up:
//! a scalar register that a vector instruction has written and memory, a lane index or a division goes by, the source of a DPP
//! instruction, what a matrix product reads, adds and writes. The program keeps the distance: an instruction is worth one
//! wait state, `s_nop N` N + 1. On gfx1250 matrix products and transcendental functions run beside other vector instructions,
//! and only vector instructions count.
//!
//! Once, when a program is lowered, every instruction is looked back from, along all ways that control may come. Instructions
//! that stand too close are marked, with the branches between them; what is said at run time is said of a wave that has
//! executed just that way.
//!
//! Never reports a way that no wave has gone. May miss what comes through calls and computed jumps, registers by number
//! and, on gfx1250, registers whose bank depends on the way.

mod facts;
mod needs;
mod paths;
mod products;
#[cfg(test)]
mod tests;
mod words;

use tilehaul_diag::Diagnostic;
use tilehaul_isa::gcn::Placed;
use tilehaul_machine::{Core, Next, PlaceId};

use crate::Gcn;
use crate::op::{Action, Flow, Op, Stop};
use crate::unwritten::next;
use crate::wave::Wave;
use facts::{Facts, Unit};
use paths::Found;

/// An instruction on a way that matters.
pub(crate) struct Watched<const L: usize> {
    action: Action<L>,
    /// Ends of such ways.
    ends: Vec<End>,
}

struct End {
    /// The marked instructions of the way.
    way: Vec<u32>,
    diagnostic: Diagnostic,
    /// The instruction at the start, and what it does.
    earlier: (PlaceId, String),
    /// Nothing happens where no lane is on: at the start, at the end.
    lanes: [bool; 2],
}

/// The marked instructions that a wave has last executed, and whether lanes were on.
pub(crate) type Trail = Vec<(u32, bool)>;

/// Longest way that is kept.
const MOST: usize = 128;

/// Has instructions that stand too close to another say so when they are executed.
pub(crate) fn mark<const L: usize>(gcn: &mut Gcn<L>) {
    let found = found(&gcn.ops, gcn.entry as usize, gcn.gfx12);
    if found.is_empty() {
        return;
    }
    let mut marked = vec![false; gcn.ops.len()];
    for Found { path, .. } in &found {
        let mut set = |at: u32| {
            if let Some(mark) = marked.get_mut(at as usize) {
                *mark = true;
            }
        };
        path.first().into_iter().chain(path.last()).for_each(|&at| set(at));
        // Where control parts, both ways are told apart.
        for &at in path {
            if let Next::Jumps { to, falls } = next(&gcn.ops[at as usize]) {
                set(at);
                to.into_iter().for_each(|to| set(to as u32));
                if falls {
                    set(at + 1);
                }
            }
        }
    }
    for found in found {
        let (Some(&first), Some(&last)) = (found.path.first(), found.path.last()) else { continue };
        let way = found.path.iter().copied().filter(|&at| marked[at as usize]).collect();
        let lanes = [first, last].map(|at| words::needs_lanes(&gcn.ops[at as usize]));
        let earlier = (gcn.ops[first as usize].place, found.need.rule.earlier.to_owned());
        let end = End {
            way,
            earlier,
            diagnostic: words::worded(&gcn.ops, gcn.gfx12, &found, |at| {
                gcn.span_of(gcn.ops.get(at as usize)?.place)
            }),
            lanes,
        };
        watch(&mut gcn.ops[last as usize]).ends.push(end);
    }
    for (op, _) in gcn.ops.iter_mut().zip(marked).filter(|(_, marked)| *marked) {
        watch(op);
    }
}

fn watch<const L: usize>(op: &mut Op<L>) -> &mut Watched<L> {
    let action = op.action;
    op.action = Action::Sys(pass);
    op.rest.watched.get_or_insert_with(|| Box::new(Watched { action, ends: Vec::new() }))
}

fn pass<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow, Stop> {
    let Some(watched) = &op.rest.watched else { return Ok(Flow::Next) };
    // One that is held up comes here again.
    if core.watching() && w.trail.last().is_none_or(|(at, _)| *at != w.pc) {
        if w.trail.len() == 2 * MOST {
            w.trail.drain(..MOST);
        }
        w.trail.push((w.pc, w.exec != 0));
        for end in &watched.ends {
            if gone(&w.trail, end) {
                core.report_with(w.whole(op), end.diagnostic.clone(), vec![end.earlier.clone()]);
            }
        }
    }
    match watched.action {
        Action::Alu(f) => {
            match &op.second {
                None => f(w, op),
                Some(second) => crate::dual(w, op, second, f),
            }
            Ok(Flow::Next)
        }
        Action::Sys(f) => f(g, w, op, core),
        Action::Missing => Err(g.not_modelled(op.place)),
    }
}

fn gone(trail: &Trail, end: &End) -> bool {
    let Some(start) = trail.len().checked_sub(end.way.len()) else { return false };
    let steps = &trail[start..];
    let on = |step: Option<&(u32, bool)>, needed: bool| !needed || step.is_some_and(|(_, on)| *on);
    steps.iter().map(|(at, _)| *at).eq(end.way.iter().copied())
        && on(steps.first(), end.lanes[0])
        && on(steps.last(), end.lanes[1])
}

/// What stands too close in code that every wave executes in order; `code` is a kernel from its entry on.
pub(crate) fn survey<const L: usize>(code: &[Placed], straight: usize) -> Vec<(usize, Diagnostic)> {
    let ops: Vec<Op<L>> = code.iter().enumerate().map(|(i, p)| crate::lower::lower(p, i, |_| None)).collect();
    let ops = ops.get(..straight).unwrap_or(&ops);
    let span = |at: u32| code.get(at as usize)?.span;
    let at = |f: &Found| f.path.last().map_or(0, |&at| at as usize);
    found(ops, 0, L == 32).iter().map(|f| (at(f), words::worded(ops, L == 32, f, span))).collect()
}

/// Everything that stands too close.
fn found<const L: usize>(ops: &[Op<L>], entry: usize, gfx12: bool) -> Vec<Found> {
    let by_number = ["v_movrel", "s_movrel", "v_swaprel", "s_set_gpr_idx"];
    if ops.iter().any(|op| by_number.iter().any(|n| op.name().starts_with(n))) {
        return Vec::new();
    }
    let gfx9 = !gfx12;
    let banks = banks(ops, entry);
    let facts: Vec<Option<Facts>> =
        ops.iter().zip(banks).map(|(op, banks)| facts::facts(op, banks)).collect();
    let products = facts.iter().flatten().any(|f| matches!(f.unit, Unit::Matrix(_)));
    let before = before(ops);
    let mut found = Vec::new();
    for (at, later) in facts.iter().enumerate() {
        let Some(later) = later else { continue };
        let far = paths::reach(gfx9, products, later);
        if far > 0 && ops.get(at).is_some_and(|op| !matches!(op.action, Action::Missing)) {
            found.append(&mut paths::look_back(gfx9, &facts, &before, at as u32, far));
        }
    }
    found
}

/// From where control comes to each instruction.
fn before<const L: usize>(ops: &[Op<L>]) -> Vec<Vec<u32>> {
    let mut before = vec![Vec::new(); ops.len()];
    let mut add = |from: usize, to: usize| {
        if let Some(list) = before.get_mut(to) {
            let list: &mut Vec<u32> = list;
            if !list.contains(&(from as u32)) {
                list.push(from as u32);
            }
        }
    };
    for (at, op) in ops.iter().enumerate() {
        match next(op) {
            Next::Falls => add(at, at + 1),
            Next::Jumps { to, falls } => {
                to.into_iter().for_each(|to| add(at, to));
                if falls {
                    add(at, at + 1);
                }
            }
            Next::Calls | Next::Anywhere | Next::Ends => {}
        }
    }
    before
}

/// The register banks that `s_set_vgpr_msb` has set when control comes to each instruction, where all ways agree.
fn banks<const L: usize>(ops: &[Op<L>], entry: usize) -> Vec<Option<u8>> {
    let changes = |op: &Op<L>| {
        op.name() == "s_set_vgpr_msb" || op.name() == "s_setreg_imm32_b32" && !crate::control::keeps_banks(op)
    };
    if !ops.iter().any(changes) {
        return vec![Some(0); ops.len()];
    }
    // Not reached yet, or what is known there.
    let mut known: Vec<Option<Option<u8>>> = vec![None; ops.len()];
    let mut open = vec![(entry, Some(0))];
    while let Some((at, coming)) = open.pop() {
        let (Some(slot), Some(op)) = (known.get_mut(at), ops.get(at)) else { continue };
        let merged = match *slot {
            None => coming,
            Some(was) if was == coming => continue,
            Some(None) => continue,
            Some(Some(_)) => None,
        };
        *slot = Some(merged);
        let leaving = match op.name() {
            "s_set_vgpr_msb" => Some(op.imm as u8),
            _ if changes(op) => None,
            _ => merged,
        };
        match next(op) {
            Next::Falls => open.push((at + 1, leaving)),
            Next::Jumps { to, falls } => {
                open.extend(to.into_iter().map(|to| (to, leaving)));
                if falls {
                    open.push((at + 1, leaving));
                }
            }
            Next::Calls => open.push((at + 1, None)),
            Next::Anywhere | Next::Ends => {}
        }
    }
    known.into_iter().map(Option::flatten).collect()
}
