//! Tensor maps in device memory: which writes an acquire made visible to the copy engine.
//!
//! hardware: h200 facts 96 to 98: the engine keeps a map in a cache of its own once it has used it; only
//! `fence.proxy.tensormap::generic.acquire` on that address, by any thread of the block, makes it look again.

use rustc_hash::FxHashMap;
use tilehaul_machine::{LaneMask, WaveId, Who};

use crate::clock::{ActorId, Clock};
use crate::clocks::{Clocks, Knowledge};
use crate::record::Record;

/// What the engine sees of a write to a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sees {
    /// No acquire comes after the write and before the use.
    Old,
    /// An acquire does, but no release between the write and the acquire.
    Unreleased,
    /// The write was released and acquired.
    New,
}

#[derive(Debug)]
struct Fence {
    wave: WaveId,
    lanes: LaneMask,
    actor: ActorId,
    time: u32,
    knows: Knowledge,
}

/// Acquire fences by map address.
#[derive(Debug, Default)]
pub(crate) struct TensorMaps {
    acquires: FxHashMap<u64, Vec<Fence>>,
    releases: Vec<Fence>,
    /// Releases were forgotten: nothing is said of missing ones.
    forgotten: bool,
}

/// Fences kept for a map; older ones can only matter to a use that came after none of the newer ones.
const KEPT: usize = 64;

impl TensorMaps {
    pub(crate) fn acquired(&mut self, map: u64, who: Who, actor: ActorId, time: u32, knows: Knowledge) {
        let list = self.acquires.entry(map).or_default();
        if list.len() >= KEPT {
            list.remove(0);
        }
        list.push(Fence { wave: who.wave, lanes: who.lanes, actor, time, knows });
    }

    /// A release fence; it counts for all maps.
    pub(crate) fn released(&mut self, who: Who, actor: ActorId, time: u32, knows: Knowledge) {
        if self.releases.len() >= KEPT {
            self.releases.remove(0);
            self.forgotten = true;
        }
        self.releases.push(Fence { wave: who.wave, lanes: who.lanes, actor, time, knows });
    }

    /// What the user's copy sees of a write.
    pub(crate) fn sees(
        &self,
        order: &Clocks,
        map: u64,
        user: Who,
        user_lane: u8,
        write: &Record,
        write_lane: u8,
    ) -> Sees {
        let Some(list) = self.acquires.get(&map) else { return Sees::Old };
        let groups = order.groups(user.wave);
        let Some(group) = groups.iter().find(|g| g.lanes.has(u32::from(user_lane))) else { return Sees::Old };
        let knows_write = |f: &Fence| f.knows.seen.lane(write.actor, write_lane) >= write.time;
        let before =
            |f: &Fence, seen: &Clock| f.lanes.iter().any(|lane| seen.lane(f.actor, lane as u8) >= f.time);
        let mut best = Sees::Old;
        for acquire in list.iter().rev().filter(|a| knows_write(a)) {
            let own =
                acquire.wave == user.wave && (order.lockstep || acquire.lanes.has(u32::from(user_lane)));
            if !own && !before(acquire, &group.knows.seen) {
                continue;
            }
            let released = |r: &Fence| knows_write(r) && before(r, &acquire.knows.seen);
            if self.forgotten || self.releases.iter().rev().any(released) {
                return Sees::New;
            }
            best = Sees::Unreleased;
        }
        best
    }
}
