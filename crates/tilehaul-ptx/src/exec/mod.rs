//! Execution: groups of lanes take turns, instructions act on registers or call the machine.
//!
//! The common instructions (arithmetic, comparisons, branches) are executed in the loop of a group; everything else is a
//! method of [`Cx`] in one of the files beside this one. A guard narrows the lanes of one instruction; an instruction
//! without lanes is skipped.

mod addresses;
mod atomics;
mod calls;
mod clusters;
mod copies;
mod discard;
mod fragments;
mod groups;
mod lanes;
mod maps;
mod matrix;
mod memory;
mod mma;
mod narrow_matrix;
mod products;
pub(crate) mod quads;
mod rows;
mod scaled;
mod shared_matrix;
mod sync;
mod tmem;
mod tmem_alloc;
mod tmem_copies;
mod values;
mod warp_product;
mod warpgroup;
mod wgmma;
mod wmma;

use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_machine::{Core, PlaceId, Ran, Status, Trap, WaitFor, Who};

use crate::alu::Lanes;
use crate::inst::{PredSource, Slot};
use crate::program::PtxProgram;
use crate::wave::{State, Wave};

use groups::{GroupEnd, report_partial, run_group, stuck};
use rows::{join_bools, put, set_pred, truth};

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
