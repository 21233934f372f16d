//! Waits that are stronger than any explored run needed, and fences that nothing relied on.
//!
//! For each wait on a counter: which of the operations that it was the first to prove did anybody rely on before the wave's
//! next wait on that channel? If at all times only older ones were, a larger count would have done. What others rely
//! on counts for the last wait that they can know of. Where a channel counts more than loads, only
//! copies are spoken of: what comes behind a wait may publish a store.
//!
//! Soundness: a note is given only when the smaller wait would have been enough in every run that was explored and for
//! every use that executors told of; a different input could still need it.
//!
//! A proxy fence is relied on when an engine touches or signals what a thread had touched before the fence, or a thread what
//! an engine had, and the fence lies on the way: it knew of the earlier access, and the later one knew of the fence. Fences between, or behind,
//! others count as relied on as well. A memory fence is relied on when any relaxed, volatile or atomic access or arrival
//! comes before or after it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use tilehaul_machine::{ChannelKind, Launch, Part, PlaceId, WaitDone, WaveId, Who};

use crate::barriers::BarrierUses;
use crate::clock::ActorId;
use crate::clocks::{Clocks, Knowledge, LaneGroup};
use crate::depth::Depth;
use crate::record::{Record, What};

#[derive(Clone, Copy, Debug)]
struct Instance {
    place: PlaceId,
    /// The wave's time at the wait.
    time: u32,
    asked: u32,
    issued: u32,
    before: u32,
    proven: u32,
    /// Newest operation that the hint may speak of; 0 for none.
    free: u32,
    /// The newest operation that was relied on while this was the latest wait.
    needed: u32,
    /// For groups: what weaker waits would have proved.
    weaker: Option<[u32; 4]>,
    /// It waited until all was done, not only until sources were read; and somebody relied on more than sources.
    all: bool,
    needed_all: bool,
}

impl Instance {
    /// The wait covers this operation by itself, whatever earlier ones had proved.
    fn proves(&self, seq: u32) -> bool {
        let alone = if self.weaker.is_some() { self.proven } else { self.issued.saturating_sub(self.asked) };
        alone >= seq
    }
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
    /// Each waited until all was done, and all that was relied on is that sources were read.
    pub sources_only: bool,
}

/// A proxy fence on which nobody has relied yet.
#[derive(Debug)]
struct OpenFence {
    who: Who,
    actor: ActorId,
    time: u32,
    knows: Knowledge,
}

/// What is known of a fence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FenceUse {
    proxy: bool,
    needed: bool,
}

/// Proxy fences on which nobody has relied yet.
#[derive(Debug, Default)]
pub(crate) struct OpenFences(Vec<OpenFence>);

impl OpenFences {
    /// True when there are none to look for.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A proxy fence of lanes who know this.
    pub(crate) fn executed(
        &mut self,
        hints: &mut WaitHints,
        who: Who,
        (actor, time): (ActorId, u32),
        knows: Knowledge,
    ) {
        hints.fences.entry(who.place).or_default().proxy = true;
        if self.0.len() >= OPEN_FENCES {
            let old = self.0.remove(0);
            hints.fences.entry(old.who.place).or_default().needed = true;
        }
        self.0.push(OpenFence { who, actor, time, knows });
    }

    /// An engine's access comes after a thread's by way of a proxy fence.
    #[cold]
    pub(crate) fn relied_on(
        &mut self,
        hints: &mut WaitHints,
        record: &Record,
        lane: u8,
        user: WaveId,
        group: &LaneGroup,
    ) {
        for f in &self.0 {
            let before = f.knows.seen.lane(record.actor, lane) >= record.time;
            let seen = |lane: u32| group.knows.seen.lane(f.actor, lane as u8) >= f.time;
            if before && (f.who.wave == user || f.who.lanes.iter().any(seen)) {
                hints.fences.entry(f.who.place).or_default().needed = true;
            }
        }
        self.0.retain(|f| hints.wants_fence(f.who.place));
    }
}

/// Uses of waits by place and channel, and of fences by place.
#[derive(Debug, Default)]
pub struct WaitHints {
    open: FxHashMap<(WaveId, ChannelKind), Vec<Instance>>,
    done: BTreeMap<(PlaceId, ChannelKind), WaitUse>,
    fences: BTreeMap<PlaceId, FenceUse>,
    /// Something relaxed was done: memory fences may have ordered it.
    relaxed: bool,
    /// Atomic loads that a lane repeated and found the same.
    polled: BTreeSet<PlaceId>,
    /// What waves had done when they came to barriers.
    pub(crate) barriers: BarrierUses,
    /// Whether loads overlap with anything.
    pub(crate) depth: Depth,
    /// Ordinary loads of each wave on each channel: the newest, and how many.
    loads: Vec<(u32, u32)>,
    /// Channels of a wave.
    channels: usize,
}

/// Waits of a channel that others may still rely on.
const KEPT: usize = 32;
/// Fences that somebody may still rely on; what is beyond counts as relied on.
const OPEN_FENCES: usize = 64;

impl WaitHints {
    /// Nothing seen yet.
    pub(crate) fn of(launch: &Launch, channels: usize) -> WaitHints {
        WaitHints {
            barriers: BarrierUses::of(launch),
            depth: Depth::of(launch),
            channels,
            ..WaitHints::default()
        }
    }

    pub(crate) fn waited(&mut self, wave: WaveId, place: PlaceId, wait: &WaitDone, time: u32) {
        let WaitDone { asked, issued, before, proven, newest_copy, others, weaker, part, .. } = *wait;
        let loads = self.loads.get(self.load_index(wave, wait.channel)).map_or(0, |l| l.1);
        let list = self.open.entry((wave, wait.channel)).or_default();
        if list.len() >= KEPT {
            let old = list.remove(0);
            close(&mut self.done, wait.channel, old);
        }
        // Of a counter of several kinds no count above 0 is sure while others are outstanding. What stores and cache
        // operations are for is not seen, so they are never too much, nor are loads beside them.
        let free = match (others, loads == issued) {
            (1.., _) => 0,
            (0, true) => u32::MAX,
            (0, false) => newest_copy,
        };
        let (needed, all, needed_all) = (0, part == Part::All, false);
        list.push(Instance {
            place,
            time,
            asked,
            issued,
            before,
            proven,
            free,
            needed,
            weaker,
            all,
            needed_all,
        });
    }

    /// An ordinary load was issued on a channel.
    pub(crate) fn loaded(&mut self, wave: WaveId, kind: ChannelKind, seq: u32) {
        let index = self.load_index(wave, kind);
        if index >= self.loads.len() {
            self.loads.resize(index + 1, (0, 0));
        }
        let (newest, count) = &mut self.loads[index];
        if *newest != seq {
            (*newest, *count) = (seq, *count + 1);
        }
    }

    fn load_index(&self, wave: WaveId, kind: ChannelKind) -> usize {
        wave.index() * self.channels + kind.index()
    }

    /// A wave relied on an operation of a channel being done, or its sources being read.
    pub(crate) fn used(
        &mut self,
        order: &Clocks,
        record: &Record,
        kind: ChannelKind,
        user: WaveId,
        group: &LaneGroup,
    ) {
        let (owner, seq) = (record.wave, record.time);
        let Some(list) = self.open.get_mut(&(owner, kind)) else { return };
        let known = if owner == user {
            u32::MAX
        } else {
            order.actor_of(owner).map_or(0, |actor| group.knows.seen.all(actor))
        };
        if let Some(instance) = list.iter_mut().rev().find(|i| i.time <= known && i.proves(seq)) {
            instance.needed = instance.needed.max(seq);
        }
        if record.op == 0 || record.what != What::Read {
            for instance in list.iter_mut().filter(|i| i.all && i.time <= known) {
                instance.needed_all = true;
            }
        }
    }

    /// Waits of groups until all is done of which only that sources were read was ever relied on.
    ///
    /// None where the kernel has atomic or relaxed accesses: a flag may have published what the copies wrote.
    #[must_use]
    pub fn for_sources(&mut self) -> Vec<(PlaceId, ChannelKind)> {
        self.close_all();
        if self.relaxed {
            return Vec::new();
        }
        self.done.iter().filter(|(_, u)| u.sources_only && u.needed > 0).map(|(&key, _)| key).collect()
    }

    /// The wave itself used a register that operation `seq` filled.
    pub(crate) fn needed(&mut self, wave: WaveId, kind: ChannelKind, seq: u32) {
        let list = self.open.get_mut(&(wave, kind));
        if let Some(instance) = list.and_then(|l| l.iter_mut().rev().find(|i| i.proves(seq))) {
            instance.needed = instance.needed.max(seq);
        }
    }

    /// True when nothing is known yet of somebody's relying on a proxy fence there.
    pub(crate) fn wants_fence(&self, place: PlaceId) -> bool {
        self.fences.get(&place).is_none_or(|f| !f.needed)
    }

    /// A memory fence.
    pub(crate) fn memory_fence(&mut self, place: PlaceId) {
        self.fences.entry(place).or_default();
    }

    /// A relaxed, volatile or atomic access or arrival: memory fences may order it.
    pub(crate) fn relaxed(&mut self) {
        self.relaxed = true;
    }

    /// An atomic load was repeated and found the same.
    pub(crate) fn polled(&mut self, place: PlaceId) {
        self.polled.insert(place);
    }

    /// True when some lane polls there.
    pub(crate) fn polls(&self, place: PlaceId) -> bool {
        self.polled.contains(&place)
    }

    /// Places of fences on which nothing relied, and whether they are proxy fences.
    #[must_use]
    pub fn idle_fences(&self) -> Vec<(PlaceId, bool)> {
        let idle = |(_, f): &(&PlaceId, &FenceUse)| !f.needed && (f.proxy || !self.relaxed);
        self.fences.iter().filter(idle).map(|(&place, f)| (place, f.proxy)).collect()
    }

    /// Takes in what another run saw: only what every run agrees on stays.
    pub fn merge(&mut self, mut other: WaitHints) {
        self.relaxed |= other.relaxed;
        self.polled.append(&mut other.polled);
        self.barriers.merge(std::mem::take(&mut other.barriers));
        self.depth.merge(std::mem::take(&mut other.depth));
        for (place, theirs) in std::mem::take(&mut other.fences) {
            let mine = self.fences.entry(place).or_default();
            (mine.proxy, mine.needed) = (mine.proxy | theirs.proxy, mine.needed | theirs.needed);
        }
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

    /// Whether the wait at a place proved anything of a channel. To be asked after [`Self::weaker`].
    pub(crate) fn proved(&self, place: PlaceId, kind: ChannelKind) -> bool {
        self.done.contains_key(&(place, kind))
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
        sources_only: a.sources_only && b.sources_only,
    }
}

fn close(done: &mut BTreeMap<(PlaceId, ChannelKind), WaitUse>, kind: ChannelKind, i: Instance) {
    // A wait that proves nothing new still has to cover what is relied on, once an earlier one asks for less.
    if i.proven <= i.before && i.needed == 0 {
        return;
    }
    let needed = if i.proven <= i.before { i.needed } else { i.needed.max(i.before) }.min(i.proven);
    if let Some(weaker) = i.weaker {
        let slack = weaker.iter().take_while(|&&up_to| up_to >= needed).count() as u32;
        let this = WaitUse {
            asked: i.asked,
            slack,
            enough: i.asked + slack,
            needed: u64::from(i.needed > i.before),
            instances: 1,
            sources_only: i.all && !i.needed_all,
        };
        done.entry((i.place, kind)).and_modify(|u| *u = both(*u, this)).or_insert(this);
        return;
    }
    let needed = if i.free > needed { needed } else { i.proven };
    let this = WaitUse {
        asked: i.asked,
        slack: i.proven - needed,
        enough: i.issued - needed,
        needed: u64::from(i.needed > i.before),
        instances: 1,
        sources_only: i.all && !i.needed_all,
    };
    done.entry((i.place, kind)).and_modify(|u| *u = both(*u, this)).or_insert(this);
}
