//! Waits that are stronger than any explored run needed.
//!
//! For every wait on a counter: which of the operations that it newly proved were relied on before the next wait of the
//! same wave on the same channel? If at all times only older ones were, a larger count would have done. What others rely
//! on counts for the last wait that they can know of.
//!
//! Soundness: a note is given only when the smaller wait would have been enough in every run that was explored and for
//! every use that executors told of; a different input could still need it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tilehaul_machine::{ChannelKind, PlaceId, WaitDone, WaveId};

use crate::order::{LaneGroup, Order};

#[derive(Clone, Copy, Debug)]
struct Instance {
    place: PlaceId,
    /// The wave's time at the wait.
    time: u32,
    asked: u32,
    issued: u32,
    before: u32,
    proven: u32,
    /// Operations beyond this are of no interest.
    free: u32,
    /// The newest operation that was relied on while this was the latest wait.
    needed: u32,
}

/// What all instances of a wait at one place have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitUse {
    /// The count asked for.
    pub asked: u32,
    /// Smallest number of newest operations that were proven without need.
    pub slack: u32,
    /// The count that would have been enough.
    pub enough: u32,
    /// Instances that needed anything at all.
    pub needed: u64,
    /// Instances that proved anything new.
    pub instances: u64,
}

/// Uses of waits by place and channel.
#[derive(Debug, Default)]
pub struct WaitHints {
    open: FxHashMap<(WaveId, ChannelKind), Vec<Instance>>,
    done: BTreeMap<(PlaceId, ChannelKind), WaitUse>,
}

/// Waits of a channel that others may still rely on.
const KEPT: usize = 32;

impl WaitHints {
    pub(crate) fn waited(&mut self, wave: WaveId, place: PlaceId, wait: &WaitDone, time: u32) {
        let WaitDone { asked, issued, before, proven, newest_copy, others, .. } = *wait;
        let list = self.open.entry((wave, wait.channel)).or_default();
        if list.len() >= KEPT {
            let old = list.remove(0);
            close(&mut self.done, wait.channel, old);
        }
        // Of a counter of several kinds no count above 0 is sure while others are outstanding, and nothing is lost by
        // waiting for loads that are not copies.
        let free = if others > 0 { 0 } else { newest_copy };
        list.push(Instance { place, time, asked, issued, before, proven, free, needed: 0 });
    }

    /// A wave relied on operation `seq` of a channel of `owner` being done.
    pub(crate) fn used(
        &mut self,
        order: &Order,
        owner: WaveId,
        kind: ChannelKind,
        seq: u32,
        user: WaveId,
        group: &LaneGroup,
    ) {
        let Some(list) = self.open.get_mut(&(owner, kind)) else { return };
        let instance = if owner == user {
            list.last_mut()
        } else {
            let known = order.actor_of(owner).map_or(0, |actor| group.knows.seen.all(actor));
            list.iter_mut().rev().find(|i| i.time <= known)
        };
        if let Some(instance) = instance {
            instance.needed = instance.needed.max(seq);
        }
    }

    /// The wave itself used a register that operation `seq` filled.
    pub(crate) fn needed(&mut self, wave: WaveId, kind: ChannelKind, seq: u32) {
        if let Some(instance) = self.open.get_mut(&(wave, kind)).and_then(|l| l.last_mut()) {
            instance.needed = instance.needed.max(seq);
        }
    }

    /// Takes in what another run saw: only what every run agrees on stays.
    pub fn merge(&mut self, mut other: WaitHints) {
        other.close_all();
        for (key, theirs) in other.done {
            self.done.entry(key).and_modify(|mine| *mine = both(*mine, theirs)).or_insert(theirs);
        }
    }

    /// Waits that could have been weaker, in order of place.
    #[must_use]
    pub fn weaker(&mut self) -> Vec<(PlaceId, ChannelKind, WaitUse)> {
        self.close_all();
        let could = |u: &WaitUse| u.slack > 0 && u.needed > 0;
        self.done.iter().filter(|(_, u)| could(u)).map(|(&(place, kind), &u)| (place, kind, u)).collect()
    }

    fn close_all(&mut self) {
        // Order does not matter: closing takes minima and sums.
        for ((_, kind), list) in self.open.drain() {
            for instance in list {
                close(&mut self.done, kind, instance);
            }
        }
    }
}

fn both(a: WaitUse, b: WaitUse) -> WaitUse {
    WaitUse {
        asked: a.asked.min(b.asked),
        slack: a.slack.min(b.slack),
        enough: a.enough.min(b.enough),
        needed: a.needed + b.needed,
        instances: a.instances + b.instances,
    }
}

fn close(done: &mut BTreeMap<(PlaceId, ChannelKind), WaitUse>, kind: ChannelKind, i: Instance) {
    if i.proven <= i.before {
        return;
    }
    let needed = i.needed.max(i.before).min(i.proven);
    let needed = if i.free > needed { needed } else { i.proven };
    let this = WaitUse {
        asked: i.asked,
        slack: i.proven - needed,
        enough: i.issued - needed,
        needed: u64::from(i.needed > i.before),
        instances: 1,
    };
    done.entry((i.place, kind)).and_modify(|u| *u = both(*u, this)).or_insert(this);
}
