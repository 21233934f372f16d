//! Runs in which waves take turns: which goes next, for how long, and what happens when none can.

use super::{Machine, Nap, Slot, Stop, survive};
use crate::{Landing, Outcome, ROUND, Schedule};

/// Turns of all waves without any progress after which something lands or starts, for loops that count their turns.
const IDLE_ROUNDS: u32 = 64;
/// Turns for each wave after which those that had none get theirs, under fixed priorities: waves may spin together on
/// what they wait for, with barriers of theirs that come and go.
const PATIENCE: u64 = 64;
/// After this many windows in which no block started or ended, one more block may start: the resident ones may wait for it.
const LONG_PATIENCE: u64 = 8;
/// Furthest leap of the clock, in turns.
const LONGEST_LEAP: u64 = 1 << 36;

/// How long some have waited for their turn.
#[derive(Default)]
struct Patience {
    /// Turns in this window.
    turns: u64,
    /// Windows since a block last started or ended, and how things stood then.
    windows: u64,
    blocks: (u32, u32),
}

impl Machine<'_> {
    pub(super) fn run_turns(&mut self) -> Result<(), Stop> {
        let first = self.resident_first();
        while self.resident < first && self.admit()? {}
        let mut idle = 0;
        let mut last_progress = 0;
        let mut patience = Patience::default();
        loop {
            while self.slots.is_empty() {
                if !self.admit()? {
                    return Ok(());
                }
            }
            self.core.now += 1;
            if matches!(self.core.landing, Landing::Random(_)) {
                let due = self.core.land_due();
                survive(due)?;
            }
            if self.core.depends_on_others() {
                return Err(Outcome::Pruned);
            }
            let Some(index) = self.pick() else {
                self.unstick()?;
                continue;
            };
            let budget = match self.options.replay.schedule {
                _ if self.standstill.watches() => self.standstill.budget(),
                Schedule::Random(_) => 1 + self.rng.below(64),
                _ => ROUND,
            };
            self.slots[index].served = true;
            let began = (self.steps, self.core.operations);
            self.turn_of(index, budget)?;
            self.see_who_may_go(began);
            if self.standstill.watches() {
                self.watch_turn(index);
            }
            self.be_fair(&mut patience)?;
            if self.core.progress == last_progress {
                idle += 1;
                // Waves that spin and count their turns: let something land or start from time to time.
                let round = IDLE_ROUNDS * self.slots.len().max(1) as u32;
                if idle % round == 0 {
                    self.stir()?;
                }
            } else {
                idle = 0;
                self.leap = 1;
                last_progress = self.core.progress;
            }
        }
    }

    /// Lands something or lets more blocks in while waves still run. True when there was anything.
    pub(super) fn stir(&mut self) -> Result<bool, Stop> {
        let waits = self.waits();
        let landed = self.core.land_for_progress(&waits);
        if survive(landed)? || self.admit_more()? {
            self.core.progress += 1;
            return Ok(true);
        }
        Ok(false)
    }

    /// Ends the patience of waves that are passed over and of blocks that have not started, from time to time.
    ///
    /// Waves that wait for others by going round a loop change a word or a barrier of theirs each time round, so they
    /// cannot be told from waves that work. Under fixed priorities they would go first for ever; hardware is fair.
    fn be_fair(&mut self, patience: &mut Patience) -> Result<(), Stop> {
        patience.turns += 1;
        let window = PATIENCE * self.slots.len().max(1) as u64;
        if patience.turns < window {
            return Ok(());
        }
        patience.turns = 0;
        if matches!(self.options.replay.schedule, Schedule::Pct { .. }) {
            self.demote();
        }
        let blocks = (self.core.not_started.next, self.resident);
        if patience.blocks != blocks {
            (patience.blocks, patience.windows) = (blocks, 0);
            self.standstill.forget();
        }
        patience.windows += 1;
        self.look_for_standstill()?;
        if patience.windows >= LONG_PATIENCE {
            patience.windows = 0;
            if self.core.claims.is_none() && self.admit_more()? {
                self.core.progress += 1;
            }
        }
        Ok(())
    }

    /// Puts the waves that had turns behind those that could go on and had none, in the order that they have.
    fn demote(&mut self) {
        let progress = self.core.progress;
        if self.slots.iter().any(|s| !s.served && s.able(progress)) {
            let last = self.slots.iter().map(|s| s.demoted).max().unwrap_or(0);
            for slot in self.slots.iter_mut().filter(|s| s.served) {
                slot.demoted = last.saturating_add(1);
            }
        }
        for slot in &mut self.slots {
            slot.served = false;
        }
    }

    /// The wave to go next, if any can.
    fn pick(&mut self) -> Option<usize> {
        let progress = self.core.progress;
        let able = |s: &Slot<'_>| s.able(progress);
        let n = self.slots.len();
        if self.standstill.watches() {
            let start = self.standstill.below(n as u32) as usize;
            return (0..n).map(|i| (start + i) % n).find(|&i| able(&self.slots[i]));
        }
        match self.options.replay.schedule {
            Schedule::RoundRobin | Schedule::Exhaustive { .. } => {
                let found = (0..n).map(|i| (self.turn + i) % n).find(|&i| able(&self.slots[i]))?;
                self.turn = found + 1;
                Some(found)
            }
            Schedule::Reverse => {
                // The last wave has the first turn: of two waves it is not the same as in order.
                let found = (1..=n).map(|i| (self.turn + n - i) % n).find(|&i| able(&self.slots[i]))?;
                self.turn = found;
                Some(found)
            }
            Schedule::Random(_) => {
                let start = self.rng.below(n as u32) as usize;
                (0..n).map(|i| (start + i) % n).find(|&i| able(&self.slots[i]))
            }
            Schedule::Pct { .. } => {
                let best = (0..n).filter(|&i| able(&self.slots[i])).max_by_key(|&i| self.slots[i].rank())?;
                if self.drops.last().is_some_and(|&at| at <= self.steps) {
                    self.drops.pop();
                    self.slots[best].priority = self.drops.len() as u64;
                }
                Some(best)
            }
        }
    }

    /// No wave can go on: let time pass, land something, let more blocks in, or call it a deadlock.
    fn unstick(&mut self) -> Result<(), Stop> {
        if let (Landing::Random(_), Some(time)) = (self.core.landing, self.core.next_due()) {
            self.core.now = self.core.now.max(time);
            let due = self.core.land_due();
            survive(due)?;
            self.core.progress += 1;
            return Ok(());
        }
        let waits = self.waits();
        let landed = self.core.land_for_progress(&waits);
        if survive(landed)? {
            self.core.progress += 1;
            return Ok(());
        }
        if self.core.claims.is_some() {
            // It may wait for a cluster that another core runs.
            return Err(Outcome::Pruned);
        }
        if self.admit_more()? {
            self.core.progress += 1;
            return Ok(());
        }
        if self.rouse() {
            if self.slots.iter().any(|s| s.circle.looks_at_clock()) {
                // Nothing but the clock may be what they wait for; how fast it goes is open.
                self.leap();
            }
            return Ok(());
        }
        if self.excuse_lapped() {
            return Ok(());
        }
        Err(self.hang())
    }

    /// Time passes, faster and faster while nothing else happens.
    pub(super) fn leap(&mut self) {
        self.core.now = self.core.now.saturating_add(self.leap);
        self.leap = (self.leap * 2).min(LONGEST_LEAP);
    }

    /// Lets waves look again that polled and were not seen to go round in circles. False when there are none.
    pub(super) fn rouse(&mut self) -> bool {
        let mut any = false;
        for slot in &mut self.slots {
            if slot.parked.as_ref().is_some_and(|p| p.nap != Nap::Sound) {
                slot.parked = None;
                any = true;
            }
        }
        any
    }
}
