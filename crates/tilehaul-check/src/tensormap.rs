//! Tensor maps in device memory: which writes an acquire made visible to the copy engine.
//!
//! hardware: h200 facts 96 to 98: the engine keeps a map in a cache of its own once it has used it; only
//! `fence.proxy.tensormap::generic.acquire` on that address, by any thread of the block, makes it look again.

use rustc_hash::FxHashMap;
use tilehaul_machine::{LaneMask, WaveId, Who};

use crate::clock::ActorId;
use crate::order::{Knowledge, Order, Record};

#[derive(Debug)]
struct Acquire {
    wave: WaveId,
    lanes: LaneMask,
    actor: ActorId,
    time: u32,
    knows: Knowledge,
}

/// Acquire fences by map address.
#[derive(Debug, Default)]
pub(crate) struct TensorMaps {
    acquires: FxHashMap<u64, Vec<Acquire>>,
}

/// Fences kept for a map; older ones can only matter to a use that came after none of the newer ones.
const KEPT: usize = 64;

impl TensorMaps {
    pub(crate) fn acquired(&mut self, map: u64, who: Who, actor: ActorId, time: u32, knows: Knowledge) {
        let list = self.acquires.entry(map).or_default();
        if list.len() >= KEPT {
            list.remove(0);
        }
        list.push(Acquire { wave: who.wave, lanes: who.lanes, actor, time, knows });
    }

    /// True when an acquire fence on the map came after the write and before the use.
    pub(crate) fn fresh(
        &self,
        order: &Order,
        map: u64,
        user: Who,
        user_lane: u8,
        write: &Record,
        write_lane: u8,
    ) -> bool {
        let Some(list) = self.acquires.get(&map) else { return false };
        let groups = order.groups(user.wave);
        let Some(group) = groups.iter().find(|g| g.lanes.has(u32::from(user_lane))) else { return false };
        list.iter().rev().any(|a| {
            let after_write = a.knows.seen.lane(write.actor, write_lane) >= write.time;
            let own = a.wave == user.wave && (order.lockstep || a.lanes.has(u32::from(user_lane)));
            let any = || a.lanes.iter().any(|lane| group.knows.seen.lane(a.actor, lane as u8) >= a.time);
            after_write && (own || any())
        })
    }
}
