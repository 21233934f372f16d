//! Waits that come too late: the wave that issued an operation does wait for it, but after the barrier that was to tell
//! the others, or after its own read.
//!
//! When the bytes are used the owner of the operation may not have come to its wait yet, and all that is known is that no
//! wait covered it. So such a clash is kept back until the owner's next steps tell: if it comes to a wait that covers the
//! operation before it arrives at another barrier (and before it has itself passed the instruction that used the bytes),
//! that wait stands in the wrong place, and moving it is the change to make. If not, the clash is told as it was.
//!
//! Soundness: this only chooses the words of a clash that was found; it never adds or drops one.

use tilehaul_machine::{ChannelKind, PlaceId, WaveId, Who};

use crate::checker::{Checker, WaitNote};
use crate::finding::Finding;
use crate::hazard;

/// Clashes that are kept back at a time; more are told at once.
const MOST: usize = 64;

/// What a wave had done when it last arrived at a barrier.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    pub place: PlaceId,
    pub moment: u64,
    /// Operations issued, by channel.
    pub issued: Vec<u32>,
    /// Records that there were.
    pub records: usize,
}

impl Arrival {
    /// Operations that had been issued on a channel.
    pub(crate) fn issued(&self, kind: ChannelKind) -> u32 {
        self.issued.get(kind.index()).copied().unwrap_or(0)
    }
}

/// A clash whose owner may still come to the wait that was meant for it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Who issued the operation, where, on what, with which number.
    pub owner: Who,
    pub kind: ChannelKind,
    pub seq: u32,
    pub noun: String,
    /// Who used the bytes.
    pub user: WaveId,
    pub user_place: PlaceId,
    pub bytes: String,
    /// What is told when no late wait is found.
    pub plain: Finding,
    /// The owner issued more on the channel since it arrived: its next wait may belong to another turn of the loop.
    pub crossed: bool,
    /// The wait that would have covered it, while it is not known whether it belongs to this turn.
    pub tentative: Option<WaitNote>,
}

/// How a wave goes on.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    Access(PlaceId),
    Issue(ChannelKind),
    Wait(WaitNote),
    Arrive,
}

/// What is known of an operation and an instruction that uses its bytes too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pair {
    /// One clash of the two is kept back.
    Open,
    /// The wait comes too late.
    Late,
    /// Something else is wrong.
    Plain,
}

impl Checker {
    /// Keeps a clash back when the owner may still come to a wait for it.
    pub(crate) fn keep_back(&mut self, candidate: Candidate) {
        let pair = (candidate.owner.place, candidate.user_place);
        if self.late.len() >= MOST {
            self.pairs.insert(pair, Pair::Plain);
            self.findings.take(candidate.plain);
        } else {
            self.pairs.insert(pair, Pair::Open);
            self.late.push(candidate);
        }
    }

    /// What a wave does next tells which of its waits was meant.
    pub(crate) fn step(&mut self, wave: WaveId, step: Step) {
        let mut i = 0;
        while let Some(c) = self.late.get_mut(i) {
            if c.owner.wave != wave {
                i += 1;
                continue;
            }
            match c.next(step) {
                None => i += 1,
                Some(wait) => {
                    let candidate = self.late.swap_remove(i);
                    let verdict = if wait.is_some() { Pair::Late } else { Pair::Plain };
                    self.pairs.insert((candidate.owner.place, candidate.user_place), verdict);
                    let arrival = self.notes[wave.index()].arrival.clone();
                    let finding = match wait {
                        Some(wait) => hazard::barrier_missing::late(
                            &candidate,
                            wait,
                            arrival.as_ref(),
                            self.counter_of(candidate.kind),
                        ),
                        None => candidate.plain,
                    };
                    self.findings.take(finding);
                }
            }
        }
    }

    /// Nothing more will be known.
    pub(crate) fn flush_late(&mut self) {
        for candidate in std::mem::take(&mut self.late) {
            self.findings.take(candidate.plain);
        }
    }

    /// Whether a wave has passed an instruction since it last arrived at a barrier.
    pub(crate) fn passed_since_arrival(&self, wave: WaveId, place: PlaceId) -> bool {
        let from = self.notes[wave.index()].arrival.as_ref().map_or(0, |a| a.records);
        self.records.get(from..).unwrap_or_default().iter().any(|r| r.wave == wave && r.place == place)
    }
}

impl Candidate {
    fn own(&self) -> bool {
        self.owner.wave == self.user
    }

    /// `None` while it is open; else the wait that came too late, if there is one.
    fn next(&mut self, step: Step) -> Option<Option<WaitNote>> {
        match step {
            Step::Wait(wait) if wait.kind == self.kind && wait.proven >= self.seq => {
                if !self.crossed {
                    return Some(Some(wait));
                }
                self.tentative.get_or_insert(wait);
                None
            }
            Step::Access(place) if place == self.user_place => Some(self.tentative),
            Step::Issue(kind) if kind == self.kind => {
                self.crossed = true;
                self.own().then_some(None)
            }
            Step::Arrive => Some(None),
            Step::Wait(_) | Step::Access(_) | Step::Issue(_) => None,
        }
    }
}
