//! Waves that are lapped at a transaction barrier only because nobody let them run.
//!
//! Who waits for a phase by its parity must look before the phase after it completes; later the same parity stands for a phase
//! that may never come. On the device a wave that can run does run while others go through a phase. A schedule of priorities or
//! of chance may pass it over for as long as it likes, so a hang that comes from that alone says nothing of the kernel: idle
//! waves of a group whose elected wave loads count on it (inferred: tilelang compiles every pipeline so).
//!
//! When nothing can go on, a wave that would have come in time with an equal share of the time goes past its wait, with
//! a warning, knowing what the phase that it missed told. Who had its share and came too late hangs.

use tilehaul_diag::{Code, Diagnostic, Level, Source};

use super::{Machine, Parked};
use crate::{Schedule, WaitFor, Who};

/// Instructions that a wave executes while a copy is under way, at least (hardware: h200 facts 40, 43: some 400 cycles).
const COPY: u64 = 300;

/// How far a wave has come since it could last go on.
#[derive(Clone, Debug, Default)]
pub(super) struct Lag {
    /// Its own instructions.
    own: u64,
    /// When what it waited for before had come, and its own instructions then.
    since: (Moment, u64),
    /// What it waits for, and its own instructions when it came there.
    waits: Option<(WaitFor, u64)>,
    /// When that had come.
    came: Option<Moment>,
    /// What it looks for in this turn, which had come before.
    looks: Option<WaitFor>,
    /// It had gone by again when it looked: from then on the wave is behind, even where a later phase lets it go on.
    behind: bool,
}

/// Instructions of all waves, and asynchronous operations issued.
pub(super) type Moment = (u64, u64);

impl Lag {
    /// A wave that starts.
    pub(super) fn starts(now: Moment) -> Lag {
        Lag { since: (now, 0), ..Lag::default() }
    }

    /// It gets a turn.
    pub(super) fn goes_on(&mut self) {
        self.looks = None;
        let Some(came) = self.came.take() else { return };
        if self.behind {
            self.catches_up();
            return;
        }
        self.since = (came, self.own);
        self.looks = self.waits.take().map(|(reason, _)| reason);
    }

    /// It had a turn.
    pub(super) fn went(&mut self, steps: u32) {
        self.own += u64::from(steps);
    }

    /// It stands at a wait. True when it has come there since anybody looked.
    fn waits_for(&mut self, reason: &WaitFor) -> bool {
        self.behind |= self.looks.take().is_some_and(|looked| looked == *reason);
        let comes = self.waits.as_ref().is_none_or(|(before, _)| before != reason);
        if comes {
            self.waits = Some((reason.clone(), self.own));
        }
        comes
    }

    /// It goes past its wait as if it had come in time: what it spent looking in vain does not count.
    fn catches_up(&mut self) {
        if let Some((_, own)) = self.waits.take() {
            self.own = own;
        }
    }

    /// With one in `waves` of the instructions it would have come to its wait before that moment. While a copy was issued and
    /// came, everybody has time.
    fn in_time(&self, (all, operations): Moment, waves: u64) -> bool {
        let ((all_then, operations_then), own) = self.since;
        let came = self.waits.as_ref().map_or(self.own, |(_, own)| *own);
        let copies = if operations > operations_then { COPY } else { 0 };
        let share = all.saturating_sub(all_then) / waves.max(1) + copies;
        all > all_then && came.saturating_sub(own) <= share
    }
}

impl Machine<'_> {
    /// True where waves are passed over for long.
    fn is_unfair(&self) -> bool {
        let schedule = self.options.replay.schedule;
        self.core.has_mbarriers && matches!(schedule, Schedule::Pct { .. } | Schedule::Random(_))
    }

    /// Notes for waves that wait whether what they wait for has come in the turn that began at `began`.
    pub(super) fn see_who_may_go(&mut self, began: Moment) {
        if !self.is_unfair() {
            return;
        }
        let core = &self.core;
        let waves = u64::from(self.resident) * u64::from(core.launch.waves_per_block());
        for slot in &mut self.slots {
            let Some(Parked { waits, .. }) = &slot.parked else { continue };
            if slot.lag.waits_for(&waits.reason)
                && let WaitFor::Mbarrier { at, .. } = waits.reason
                && let Some(barrier) = core.blocks.get(at.block.index()).and_then(|b| b.tx.get(&at.address))
            {
                // It could have been here for the phase before this one.
                slot.lag.behind |= barrier.generation > 0 && slot.lag.in_time(barrier.completed_at, waves);
            }
            if slot.lag.came.is_none() && core.may_pass(slot.id, waits) {
                slot.lag.came = Some(began);
            }
        }
    }

    /// Lets waves go past barriers at which they were lapped without fault of theirs. False when there are none.
    pub(super) fn excuse_lapped(&mut self) -> bool {
        if !self.is_unfair() {
            return false;
        }
        let waves = u64::from(self.resident) * u64::from(self.core.launch.waves_per_block());
        let mut any = false;
        for slot in &mut self.slots {
            let Some(Parked { waits, .. }) = &slot.parked else { continue };
            let WaitFor::Mbarrier { at, parity } = waits.reason else { continue };
            let Some(barrier) = self.core.blocks.get(at.block.index()).and_then(|b| b.tx.get(&at.address))
            else {
                continue;
            };
            let missed = barrier.generation > 0 && !barrier.state.test_parity(u32::from(parity));
            if !missed || !slot.lag.in_time(barrier.completed_at, waves) {
                continue;
            }
            let message = format!(
                "{} comes to its wait for the phase of parity {} of {at} when the phase after it has completed, too: only because \
                 it was passed over while it could run",
                slot.id,
                u8::from(parity)
            );
            let lapped = Diagnostic::new(Code("phase-lapped"), Level::Warning, message)
                .fix("Let every wave that waits for a phase arrive in the next one, or let only those wait that do.")
                .source(Source::inferred("waves that can run do run while others go through a whole phase"));
            let who = Who { wave: slot.id, lanes: waits.lanes, place: waits.place };
            self.core.report(who, lapped);
            self.core.excused.insert((slot.id, at));
            slot.parked = None;
            slot.lag.catches_up();
            slot.lag.behind = true;
            any = true;
        }
        any
    }
}
