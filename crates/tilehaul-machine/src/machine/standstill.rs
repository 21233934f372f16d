//! Waves that keep each other going and come to nothing new.
//!
//! Waves that change memory while they wait (two that take and give back a lock in turn, a flag that is raised again and again)
//! never come to the same state with nothing changed in between, so `circle` takes them for waves that work. From time to time
//! the states of all waves are looked at. When none has been new for long, the launch is watched: from then on waves take turns
//! at random, so that no rhythm of the schedule keeps them from meeting, all that is under way lands, and every turn is looked
//! at. If neither a wave nor memory comes to anything new for many turns of each, they never will: a livelock.
//!
//! May miss one whose states are very many; a loop that counts anywhere, computes or looks at a clock is new each time.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Machine, Nap, Outcome, Parked, Stop, spinning};
use crate::chooser::Rng;
use crate::{Memories, PlaceId, Space, WaitFor, WaveId};

/// Windows without a block that starts or ends before anybody looks.
const FIRST: u64 = 4;
/// Windows without a new state, at first, after which the launch is watched.
const STALE: u32 = 8;
/// Most states that are remembered.
const MOST: usize = 1 << 16;
/// Windows that are watched at most, and how many of them must have brought nothing new, one after the other.
const WATCHED: u32 = 64;
const QUIET: u32 = 16;

/// What was seen of a launch that may not get on.
pub(super) struct Standstill {
    /// Windows since a block last started or ended.
    windows: u64,
    seen: BTreeSet<u64>,
    /// Windows without anything new, and how many it takes.
    stale: u32,
    enough: u32,
    watch: Option<Watch>,
}

struct Watch {
    rng: Rng,
    memories: BTreeSet<u64>,
    windows: u32,
    quiet: u32,
    /// A wave came to something new in this window, or looked at a clock.
    fresh: bool,
    /// The first place that each wave was seen at: its loop is told by that, whatever turn is the last.
    loops: BTreeMap<WaveId, PlaceId>,
}

impl Default for Standstill {
    fn default() -> Standstill {
        Standstill { windows: 0, seen: BTreeSet::new(), stale: 0, enough: STALE, watch: None }
    }
}

impl Standstill {
    /// Turns are random, and each is looked at.
    pub(super) fn watches(&self) -> bool {
        self.watch.is_some()
    }

    /// Instructions of the next turn, while it watches.
    pub(super) fn budget(&mut self) -> u32 {
        1 + self.below(64)
    }

    /// A number below `n`, while it watches.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.watch.as_mut().map_or(0, |watch| watch.rng.below(n))
    }

    /// A block has started or ended.
    pub(super) fn forget(&mut self) {
        *self = Standstill { enough: self.enough, ..Standstill::default() };
    }

    /// True when the state is new.
    fn sees(&mut self, state: u64) -> bool {
        if self.seen.len() >= MOST {
            self.seen.clear();
        }
        self.seen.insert(state)
    }
}

impl Machine<'_> {
    /// After a turn of the wave in this slot, while the launch is watched.
    pub(super) fn watch_turn(&mut self, index: usize) {
        let timed = self.core.clock_in_turn.get();
        let Some(slot) = self.slots.get(index) else { return };
        let fresh = self.standstill.sees(state_of(slot.id.0, slot.wave.fingerprint()));
        if let Some(watch) = &mut self.standstill.watch {
            watch.fresh |= fresh || timed;
            let first = watch.loops.entry(slot.id).or_insert(slot.place);
            *first = slot.place.min(*first);
        }
    }

    /// At the end of a window of turns.
    pub(super) fn look_for_standstill(&mut self) -> Result<(), Stop> {
        self.standstill.windows += 1;
        if self.standstill.windows < FIRST {
            return Ok(());
        }
        if self.standstill.watches() {
            return self.watch_window();
        }
        let mut fresh = false;
        for slot in &self.slots {
            fresh |= self.standstill.sees(state_of(slot.id.0, slot.wave.fingerprint()));
        }
        self.standstill.stale = if fresh { 0 } else { self.standstill.stale + 1 };
        if self.standstill.stale >= self.standstill.enough {
            let watch = Watch {
                rng: Rng::new(self.steps),
                memories: BTreeSet::new(),
                windows: 0,
                quiet: 0,
                fresh: false,
                loops: BTreeMap::new(),
            };
            self.standstill.watch = Some(watch);
        }
        Ok(())
    }

    fn watch_window(&mut self) -> Result<(), Stop> {
        // What is under way or has not started may be what they wait for.
        let stirred = self.stir()? || self.core.next_due().is_some();
        let memory = digest(&self.core.memories, self.core.launch.blocks());
        let Some(watch) = &mut self.standstill.watch else { return Ok(()) };
        let new = watch.memories.insert(memory) | watch.fresh | stirred;
        (watch.quiet, watch.fresh) = (if new { 0 } else { watch.quiet + 1 }, false);
        watch.windows += 1;
        if watch.quiet >= QUIET {
            return Err(self.livelock());
        }
        if watch.windows >= WATCHED {
            // It gets on after all; the next time takes longer.
            self.standstill.forget();
            self.standstill.enough = self.standstill.enough.saturating_mul(4);
        }
        Ok(())
    }

    /// Ends the run: who still runs goes round a loop.
    fn livelock(&mut self) -> Outcome {
        if self.core.claims.is_some() {
            return Outcome::Pruned;
        }
        let progress = self.core.progress;
        let loops = self.standstill.watch.as_ref().map(|watch| &watch.loops);
        let held = |p: &Parked| {
            matches!(
                p.waits.reason,
                WaitFor::Rendezvous(_) | WaitFor::Mbarrier { .. } | WaitFor::TensorColumns { .. }
            )
        };
        for slot in &mut self.slots {
            if !slot.parked.as_ref().is_some_and(held) {
                let place = loops.and_then(|l| l.get(&slot.id)).unwrap_or(&slot.place);
                let waits = spinning(slot.id, place, &self.core);
                slot.parked = Some(Parked::new(progress, waits, Nap::Sound));
            }
        }
        self.hang()
    }
}

fn state_of(wave: u32, fingerprint: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (wave, fingerprint).hash(&mut hasher);
    hasher.finish()
}

/// A number for what all memories hold.
fn digest(memories: &Memories, blocks: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    for allocation in memories.global.allocations() {
        hasher.write(&allocation.data);
    }
    for block in (0..blocks).map(crate::BlockId) {
        hasher.write(memories.of_block(Space::Shared(block)));
    }
    hasher.finish()
}
