//! What is left to say when a run ends early: who was stuck, and on what.

use tilehaul_diag::Diagnostic;

use super::{Machine, Outcome};
use crate::stuck::{Bound, Hang, NotStarted, Stall, Stuck, deadlock, step_limit};
use crate::{Core, LaneMask, PlaceId, WaitFor, Waits, WaveId, Who};

impl Outcome {
    /// The outcome as a diagnostic without spans; none when all went well.
    #[must_use]
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        match self {
            Outcome::Finished | Outcome::Pruned | Outcome::TooManyDecisions => None,
            Outcome::Fault { diagnostic, .. } | Outcome::Unsupported { diagnostic, .. } => {
                Some((**diagnostic).clone())
            }
            Outcome::Deadlock(hang) => Some(deadlock(hang)),
            Outcome::StepLimit(left) => Some(step_limit(left)),
        }
    }
}

impl Machine<'_> {
    /// Nothing can go on. It is a deadlock, unless a block could help that has not started, and might on the device.
    pub(super) fn hang(&self) -> Outcome {
        let stuck = self.stuck();
        let launch = &self.core.launch;
        let (_, bound) = self.bound();
        let left = NotStarted {
            blocks: self.core.not_started.left() * launch.cluster_size(),
            of: launch.blocks(),
            resident: self.resident,
            bound,
        };
        let helps = left.blocks > 0 && stuck.iter().any(|s| s.waits.reason.may_be_for_others());
        match stuck.first() {
            Some(first) if helps && bound == Bound::Machine => Outcome::Unsupported {
                who: Who { wave: first.wave, lanes: first.waits.lanes, place: first.waits.place },
                diagnostic: Box::new(left.unsupported()),
            },
            _ => Outcome::Deadlock(Hang { stuck, not_started: helps.then_some(left) }),
        }
    }

    /// The launch died in a wave, or in an operation that landed while the wave waited: then its issuer is named.
    pub(super) fn fault(&mut self, who: Who, diagnostic: Box<Diagnostic>) -> Outcome {
        match self.core.trap.take() {
            Some((issuer, trap)) if trap == diagnostic => Outcome::Fault { who: issuer, diagnostic },
            _ => Outcome::Fault { who, diagnostic },
        }
    }

    pub(super) fn waits(&self) -> Vec<(WaveId, WaitFor)> {
        self.slots.iter().filter_map(|s| s.parked.as_ref().map(|p| (s.id, p.waits.reason.clone()))).collect()
    }

    /// Waves that have not ended, those first whose wait says most about why.
    pub(super) fn stuck(&self) -> Vec<Stuck> {
        let mut stuck = self.stuck_in_order();
        stuck.sort_by_key(|s| s.stall.rank());
        stuck
    }

    fn stuck_in_order(&self) -> Vec<Stuck> {
        self.slots
            .iter()
            .map(|s| Stuck {
                wave: s.id,
                stall: s.parked.as_ref().map_or(Stall::Plain, |p| self.core.stall(&p.waits.reason)),
                related: s
                    .parked
                    .as_ref()
                    .map_or_else(Vec::new, |p| self.core.related_places(&p.waits.reason)),
                waits: s.parked.as_ref().map_or(
                    Waits {
                        lanes: LaneMask::NONE,
                        place: s.place,
                        reason: WaitFor::Other("nothing: it was still running"),
                    },
                    |p| p.waits.clone(),
                ),
            })
            .collect()
    }
}

/// A wave that goes round a loop.
pub(super) fn spinning(wave: WaveId, place: &PlaceId, core: &Core) -> Waits {
    Waits { lanes: core.launch.wave_info(wave).lanes, place: *place, reason: WaitFor::Loop }
}
