//! Waves that go round in circles.
//!
//! A wave does the same again from the same state as long as what it reads stays as it is. So a wave that comes back to a
//! state that it was in before, with nothing changed in between by anybody that could let a wave go on, goes round for
//! ever: it waits, whatever its instructions are. Nothing less is taken for a wait: a loop that counts its turns, tries
//! again with the value that it has just read, or looks at a clock leaves by itself some day.
//!
//! States are compared by their [`crate::Executor::fingerprint`], with one that is kept and replaced at longer and longer
//! distances (Brent), so that loops of any length are found and ordinary computation costs next to nothing.

/// What is remembered of a wave to see whether it goes round in circles.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Circle {
    /// Progress of the machine that all else belongs to.
    progress: u64,
    /// Turns since then, and how many of them looked at a clock.
    turns: u64,
    timed: u64,
    /// The state that is kept.
    kept: Option<u64>,
}

/// How a wave that made no progress goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Going {
    /// It may come to something new.
    On,
    /// It waits for time to pass.
    Timed,
    /// It was in this very state before.
    Round,
}

/// Turns without progress from which states are looked at: less happens in most computations.
const FIRST: u64 = 4;
/// Turns that look at a clock, from which a wave is taken to wait for it.
const TIMED: u64 = 3;

impl Circle {
    /// True when the wave has looked at a clock since anybody made progress.
    pub(crate) fn looks_at_clock(&self) -> bool {
        self.timed > 0
    }

    /// After a turn of the wave: `polls` when it ended because what it looked for has not happened, `timed` when it looked
    /// at a clock.
    pub(crate) fn turn(
        &mut self,
        progress: u64,
        polls: bool,
        timed: bool,
        fingerprint: impl FnOnce() -> u64,
    ) -> Going {
        if self.progress != progress {
            *self = Circle { progress, timed: u64::from(timed), ..Circle::default() };
            return Going::On;
        }
        self.turns += 1;
        if timed {
            // A clock is an input that changes: states before it say nothing.
            self.timed += 1;
            self.kept = None;
            return if self.timed >= TIMED { Going::Timed } else { Going::On };
        }
        // A turn that ended at a poll is short, and others wait for the verdict.
        let turns = if polls { self.turns.max(FIRST) } else { self.turns };
        if turns < FIRST {
            return Going::On;
        }
        // Look during the first quarter of each stretch that is four times as long as the one before.
        let stretch = 1 << (turns.ilog2() / 2 * 2);
        if !polls && turns - stretch > (stretch / 4).max(16) {
            self.kept = None;
            return Going::On;
        }
        let state = fingerprint();
        match self.kept {
            Some(kept) if kept == state => Going::Round,
            Some(_) if !self.turns.is_power_of_two() => Going::On,
            Some(_) | None => {
                self.kept = Some(state);
                Going::On
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns until a loop of `length` states that nobody changes is seen as such.
    fn found(length: u64, polls: bool) -> Option<u64> {
        let mut circle = Circle::default();
        (0..100_000).find(|&turn| circle.turn(1, polls, false, || turn % length) == Going::Round)
    }

    #[test]
    fn loops_of_any_length_are_found_soon() {
        assert_eq!(found(1, true), Some(2));
        for length in [1, 2, 3, 7, 64, 65, 200, 1000] {
            let turns = found(length, false);
            assert!(turns.is_some_and(|t| t < 32 + 40 * length), "{length}: {turns:?}");
            assert!(found(length, true).is_some_and(|t| t < 8 + 8 * length), "{length}");
        }
    }

    #[test]
    fn a_new_state_progress_and_clocks_keep_a_wave_awake() {
        let mut circle = Circle::default();
        assert!((0..10_000).all(|turn| circle.turn(1, true, false, || turn) == Going::On));
        assert!((0..10_000).all(|turn| circle.turn(turn, true, false, || 7) == Going::On));
        assert!((0..10_000).all(|turn| circle.turn(1, true, turn % 2 == 0, || 7) != Going::Round));
    }
}
