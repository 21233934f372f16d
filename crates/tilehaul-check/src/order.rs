//! Happens-before: who knows of what.
//!
//! Every access leaves a record with its owner: lanes in program order, a channel operation, or a copy that ends on a
//! barrier. An access *knows* an earlier one when its lanes' clock covers the owner's time. Clocks move along these
//! edges, and along no other:
//!
//! * program order of a lane (of the wave, where lanes run in lockstep);
//! * release to a token, then acquire of it: barriers of threads, phases of transaction barriers, barrier words;
//! * release and acquire through an atomic location or a barrier, also by fences around relaxed accesses (see `fences`);
//! * issue of an operation: it knows what its issuer knew;
//! * end of an operation: by the phase in which its last byte was counted, or by a wait on its channel. Whoever learns of
//!   that knows the operation, not what its issuer did before (manual: PTX ISA, complete_tx covers the copy's own writes).
//!
//! Beside what is known at all, what is known *through a proxy fence* is kept, apart for shared and device memory.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tilehaul_machine::{
    Channel, ChannelKind, ChannelSpec, FenceKind, LaneMask, Part, PlaceId, Proxy, Scope, SpaceKind, SyncId,
    Token, WaveId, Who,
};

use crate::clock::{ActorId, Clock, Shared, join};
use crate::fences::{Distance, Fences};
use crate::pipelines::Pipelines;

/// What somebody knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// Ordered before.
    pub seen: Shared,
    /// Ordered before with a proxy fence for shared memory on the way.
    pub fenced_shared: Shared,
    /// The same for device memory.
    pub fenced_global: Shared,
    /// What memory fences did and have yet to do.
    fences: Option<Rc<Fences>>,
}

impl Knowledge {
    pub(crate) fn join(&mut self, other: &Knowledge) {
        join(&mut self.seen, &other.seen);
        join(&mut self.fenced_shared, &other.fenced_shared);
        join(&mut self.fenced_global, &other.fenced_global);
        Fences::join(&mut self.fences, other.fences.as_ref());
    }

    fn same(&self, other: &Knowledge) -> bool {
        let same_fences = match (&self.fences, &other.fences) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (Some(_), None) | (None, Some(_)) => false,
        };
        Rc::ptr_eq(&self.seen, &other.seen)
            && Rc::ptr_eq(&self.fenced_shared, &other.fenced_shared)
            && Rc::ptr_eq(&self.fenced_global, &other.fenced_global)
            && same_fences
    }

    /// True when everything `other` knows is known here.
    pub(crate) fn covers(&self, other: &Knowledge) -> bool {
        let covers = |a: &Shared, b: &Shared| Rc::ptr_eq(a, b) || a.covers(b);
        covers(&self.seen, &other.seen)
            && covers(&self.fenced_shared, &other.fenced_shared)
            && covers(&self.fenced_global, &other.fenced_global)
            && Fences::covered(self.fences.as_ref(), other.fences.as_ref())
    }

    /// Relaxed writes from now on publish this as well.
    fn publish(&mut self, distance: Distance, knows: Knowledge) {
        let fences = Rc::make_mut(self.fences.get_or_insert_default());
        fences.published.add(distance, &Rc::new(knows));
    }

    /// Without what waits for a fence.
    fn plain(&self) -> Knowledge {
        Knowledge { fences: None, ..self.clone() }
    }

    pub(crate) fn fenced(&self, kind: SpaceKind) -> &Shared {
        match kind {
            SpaceKind::Global => &self.fenced_global,
            SpaceKind::Shared | SpaceKind::Tensor => &self.fenced_shared,
        }
    }
}

/// Whose time a record is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// Lanes of a wave in program order.
    Lanes,
    /// An operation of a channel of the wave, up to a part of it.
    Channel(ChannelKind),
    /// A copy that ends on a barrier; its time is set when it does.
    Copy,
}

/// An access that shadow memory remembers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub wave: WaveId,
    pub place: PlaceId,
    pub owner: Owner,
    /// In whose time; for copies under way nobody's yet.
    pub actor: ActorId,
    pub time: u32,
    pub proxy: Proxy,
    /// Index into the operations table plus one, for asynchronous operations.
    pub op: u32,
    /// A load or store of device memory that takes its turn behind those issued before it by any wave of the block: known
    /// to them when its issue is ([`Order::issue_actor`]).
    pub one_way: bool,
    /// A store to device memory that left all bytes as they were: who reads them may come before it.
    pub silent: bool,
    pub what: What,
    pub strength: Strength,
}

/// What an access races with, when nothing orders the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Strength {
    /// An ordinary access: with every other.
    Weak,
    /// Atomic or ordered, for threads up to this far away: not with others of its kind whose scope and its own include
    /// both threads (manual: PTX ISA 8, morally strong operations).
    Atomic(Distance),
    /// A load that waits for the bytes to change: with nobody.
    Poll,
    /// A load of bytes that nobody is to write at all.
    ReadOnly,
}

impl Strength {
    pub(crate) fn of(what: What, order: tilehaul_machine::Order, reach: Distance) -> Strength {
        match order {
            tilehaul_machine::Order::Poll => Strength::Poll,
            tilehaul_machine::Order::ReadOnly => Strength::ReadOnly,
            order if order.is_atomic() || what == What::Atomic => Strength::Atomic(reach),
            _ => Strength::Weak,
        }
    }

    /// True when the two may meet without order; `apart` says how far apart their threads are.
    #[inline]
    pub(crate) fn tolerates(self, other: Strength, apart: impl FnOnce() -> Distance) -> bool {
        match (self, other) {
            (Strength::Poll, _) | (_, Strength::Poll) => true,
            (Strength::Atomic(a), Strength::Atomic(b)) => a.min(b) == Distance::Device || a.min(b) >= apart(),
            (Strength::Weak | Strength::ReadOnly, _) | (_, Strength::Weak | Strength::ReadOnly) => false,
        }
    }
}

/// What a record did, as far as rules ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    Read,
    Write,
    Atomic,
    BarrierInit,
    BarrierUse,
    /// The barrier that a copy names: it must be known, and leaves no trace.
    BarrierOperand,
    BarrierInval,
}

/// Never known to anybody.
pub(crate) const NEVER: u32 = u32::MAX;

/// How far each lane's own channel operations are known to that lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OwnChannels(SmallVec<[OwnChannel; 2]>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OwnChannel {
    actor: ActorId,
    time: u32,
    /// Each lane answers for its own operations only.
    per_lane: bool,
}

impl OwnChannels {
    fn get(&self, actor: ActorId) -> u32 {
        self.0.iter().find(|e| e.actor == actor).map_or(0, |e| e.time)
    }

    fn learn(&mut self, actor: ActorId, time: u32, per_lane: bool) {
        match self.0.iter_mut().find(|e| e.actor == actor) {
            Some(e) => e.time = e.time.max(time),
            None => self.0.push(OwnChannel { actor, time, per_lane }),
        }
    }

    /// Tells a clock; `whole` when the lanes are all that the wave has.
    fn add_to(&self, lanes: LaneMask, whole: bool, clock: &mut Clock) {
        for e in &self.0 {
            // A lane answers for its own operations; all of a wave together answer for all.
            if e.per_lane && !whole {
                lanes.iter().for_each(|lane| clock.learn_lane(e.actor, lane as u8, e.time));
            } else {
                clock.learn(e.actor, e.time);
            }
        }
    }

    /// Forgets what the clock says as well.
    fn prune(&mut self, lanes: LaneMask, seen: &Clock) {
        self.0.retain(|e| {
            let known = if e.per_lane {
                lanes.iter().all(|lane| seen.lane(e.actor, lane as u8) >= e.time)
            } else {
                seen.all(e.actor) >= e.time
            };
            !known
        });
    }
}

/// Lanes of a wave that know the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneGroup {
    pub lanes: LaneMask,
    pub knows: Knowledge,
    own: OwnChannels,
    /// Issue of operations that a later one of these lanes comes behind: see [`Pipelines`].
    pub handed: Option<Rc<Clock>>,
    /// The wave's time at the last releasing fence of these lanes, for each distance: a lane's relaxed writes publish what
    /// that lane itself did before its fence, until a barrier tells the others.
    fenced_at: [u32; 3],
}

impl LaneGroup {
    /// Forgets fences that every lane of the wave may publish by now.
    fn forget_fences(&mut self, actor: ActorId) {
        let Some(fences) = &self.knows.fences else { return };
        for distance in Distance::ALL {
            let time = &mut self.fenced_at[distance as usize];
            if fences.published.at(distance).is_some_and(|p| p.seen.all(actor) >= *time) {
                *time = 0;
            }
        }
    }
}

#[derive(Debug)]
struct Wave {
    actor: ActorId,
    time: u32,
    all: LaneMask,
    gone: LaneMask,
    groups: SmallVec<[LaneGroup; 1]>,
    /// Issued so far on channels that go one way, in the time of their issue.
    issued: SmallVec<[(ActorId, u32); 2]>,
}

impl Wave {
    /// True when these are all lanes that the wave has left.
    fn speaks_for_all(&self, who: Who, lockstep: bool) -> bool {
        lockstep || LaneMask(self.all.0 & !self.gone.0 & !who.lanes.0).is_empty()
    }
}

#[derive(Debug, Default)]
struct SyncState {
    actor: Option<ActorId>,
    /// What was released in finished generations.
    before: Knowledge,
    /// Generations below this are in `before`.
    first_open: u32,
    open: SmallVec<[(u32, Knowledge); 2]>,
}

/// All clocks of a run.
#[derive(Debug)]
pub(crate) struct Order {
    pub lockstep: bool,
    pub channels: Vec<ChannelSpec>,
    lanes_of_wave: Box<[LaneMask]>,
    waves: Vec<Option<Wave>>,
    channel_actors: FxHashMap<(Channel, Part), ActorId>,
    next_actor: u32,
    syncs: Vec<SyncState>,
    pub(crate) pipelines: Pipelines,
}

impl Order {
    pub(crate) fn new(lanes_of_wave: Vec<LaneMask>, lockstep: bool, channels: Vec<ChannelSpec>) -> Order {
        let waves = lanes_of_wave.iter().map(|_| None).collect();
        Order {
            lockstep,
            channels,
            lanes_of_wave: lanes_of_wave.into(),
            waves,
            channel_actors: FxHashMap::default(),
            next_actor: 0,
            syncs: Vec::new(),
            pipelines: Pipelines::default(),
        }
    }

    fn new_actor(&mut self) -> ActorId {
        self.next_actor += 1;
        ActorId(self.next_actor - 1)
    }

    pub(crate) fn channel_actor(&mut self, channel: Channel, part: Part) -> ActorId {
        if let Some(&actor) = self.channel_actors.get(&(channel, part)) {
            return actor;
        }
        let actor = self.new_actor();
        self.channel_actors.insert((channel, part), actor);
        let spec = self.channels.get(channel.kind.index());
        if part == Part::All && spec.is_some_and(|c| c.one_way || c.handover.is_some()) {
            let _ = self.new_actor();
        }
        actor
    }

    /// Whether operations of that channel take turns with those of the block's other waves.
    #[inline]
    fn goes_one_way(&self, kind: Option<ChannelKind>) -> bool {
        kind.and_then(|k| self.channels.get(k.index())).is_some_and(|c| c.one_way)
    }

    /// In whose time the issue of operations is counted that end in the time of this actor, which is that of a channel that
    /// goes one way or is handed on.
    pub(crate) fn issue_actor(end: ActorId) -> ActorId {
        ActorId(end.0 + 1)
    }

    /// A wave issued operation `seq` of a channel, on device memory.
    pub(crate) fn issued(&mut self, channel: Channel, seq: u32) {
        let actor = Self::issue_actor(self.channel_actor(channel, Part::All));
        let issued = &mut self.wave(channel.wave).issued;
        match issued.iter_mut().find(|i| i.0 == actor) {
            Some(i) => i.1 = seq,
            None => issued.push((actor, seq)),
        }
    }

    /// What the wave's operations that go one way add to what it tells others of its block.
    fn add_issued(&self, id: WaveId, knows: &mut Knowledge) {
        let issued = self.waves.get(id.index()).and_then(Option::as_ref).map_or(&[][..], |w| &w.issued);
        let new = |&&(actor, seq): &&(ActorId, u32)| knows.seen.all(actor) < seq;
        if issued.iter().any(|i| new(&i)) {
            let seen = Rc::make_mut(&mut knows.seen);
            issued.iter().for_each(|&(actor, seq)| seen.learn(actor, seq));
        }
    }

    fn wave(&mut self, id: WaveId) -> &mut Wave {
        if self.waves[id.index()].is_none() {
            let actor = self.new_actor();
            let all = self.lanes_of_wave[id.index()];
            let groups = smallvec::smallvec![LaneGroup { lanes: all, ..LaneGroup::default() }];
            self.waves[id.index()] =
                Some(Wave { actor, time: 1, all, gone: LaneMask::NONE, groups, issued: SmallVec::new() });
        }
        match &mut self.waves[id.index()] {
            Some(wave) => wave,
            #[expect(clippy::unreachable, reason = "filled just above")]
            None => unreachable!(),
        }
    }

    /// The actor and present time of a wave's own accesses.
    pub(crate) fn now(&mut self, id: WaveId) -> (ActorId, u32) {
        let wave = self.wave(id);
        (wave.actor, wave.time)
    }

    /// Later accesses of the wave get a later time.
    pub(crate) fn step(&mut self, id: WaveId) {
        self.wave(id).time += 1;
    }

    /// The groups of a wave that [`Self::now`] was asked about before.
    pub(crate) fn groups(&self, id: WaveId) -> &[LaneGroup] {
        self.waves.get(id.index()).and_then(Option::as_ref).map_or(&[], |w| &w.groups)
    }

    /// The wave's actor, if it ever did anything.
    pub(crate) fn actor_of(&self, id: WaveId) -> Option<ActorId> {
        self.waves.get(id.index()).and_then(Option::as_ref).map(|w| w.actor)
    }

    /// True when an access by a lane with this knowledge comes after the record.
    ///
    /// `channel` is the channel of the access, when it belongs to one: some channels keep their order without waits.
    #[inline]
    pub(crate) fn known(
        &self,
        record: &Record,
        record_lane: u8,
        wave: WaveId,
        lane: u8,
        group: &LaneGroup,
        channel: Option<ChannelKind>,
    ) -> bool {
        if record.time == NEVER {
            return false;
        }
        if record.wave == wave {
            match record.owner {
                Owner::Lanes => {
                    if self.lockstep || record_lane == lane {
                        return true;
                    }
                }
                Owner::Channel(kind) => {
                    let spec = self.channels.get(kind.index());
                    let after = channel.and_then(|c| self.channels.get(c.index()));
                    if after.is_some_and(|a| a.after.contains(&kind)) {
                        return true;
                    }
                    let own = spec.is_none_or(|s| !s.per_lane) || record_lane == lane;
                    if own && group.own.get(record.actor) >= record.time {
                        return true;
                    }
                }
                Owner::Copy => {}
            }
        }
        group.knows.seen.lane(record.actor, record_lane) >= record.time
            || self.known_by_issue(record, group, channel)
    }

    /// True when all of what the record's actor did up to its time is known, by whichever lane.
    #[inline]
    pub(crate) fn known_to_all(
        &self,
        record: &Record,
        group: &LaneGroup,
        channel: Option<ChannelKind>,
    ) -> bool {
        group.knows.seen.all(record.actor) >= record.time || self.known_by_issue(record, group, channel)
    }

    /// True when the record went the way that the access goes, and its turn is known to come first.
    #[inline]
    fn known_by_issue(&self, record: &Record, group: &LaneGroup, channel: Option<ChannelKind>) -> bool {
        record.one_way
            && group.knows.seen.all(Self::issue_actor(record.actor)) >= record.time
            && self.goes_one_way(channel)
    }

    /// True when the way from the record to the access runs through a proxy fence for that kind of memory.
    pub(crate) fn fenced(
        &self,
        record: &Record,
        record_lane: u8,
        group: &LaneGroup,
        kind: SpaceKind,
    ) -> bool {
        group.knows.fenced(kind).lane(record.actor, record_lane) >= record.time
    }

    /// The same for every lane of the record's actor.
    #[inline]
    pub(crate) fn fenced_to_all(&self, record: &Record, group: &LaneGroup, kind: SpaceKind) -> bool {
        group.knows.fenced(kind).all(record.actor) >= record.time
    }

    /// Releases what the lanes know and did to a generation of an object.
    pub(crate) fn release(&mut self, who: Who, token: Token) {
        let mut sum = self.gather(who);
        self.add_issued(who.wave, &mut sum);
        let wave = self.wave(who.wave);
        wave.time += 1;
        self.give(token, sum);
    }

    /// Releases only what fences made available to those at that distance.
    pub(crate) fn release_fenced(&mut self, who: Who, token: Token, distance: Distance) {
        if let Some(sum) = self.published(who, distance) {
            self.give(token, sum);
        }
    }

    fn give(&mut self, token: Token, mut sum: Knowledge) {
        let state = self.sync(token.sync);
        match state.open.iter_mut().find(|o| o.0 == token.generation) {
            Some((_, knows)) => knows.join(&sum),
            None if token.generation < state.first_open => state.before.join(&sum),
            None => {
                if state.open.is_empty() {
                    // What finished generations released is known with any later one.
                    sum.join(&state.before.clone());
                }
                state.open.push((token.generation, sum));
            }
        }
    }

    /// The lanes learn what was released up to a generation, and of the copies that were counted up to it.
    pub(crate) fn acquire(&mut self, who: Who, token: Token) {
        let knows = self.released_to(token);
        self.learn(who, &knows);
    }

    /// The same, to be known after a fence of the lanes.
    pub(crate) fn acquire_fenced(&mut self, who: Who, token: Token, distance: Distance) {
        let knows = self.released_to(token);
        self.found(who, distance, &knows);
    }

    fn released_to(&mut self, token: Token) -> Knowledge {
        let state = self.sync(token.sync);
        if token.generation >= state.first_open {
            state.first_open = token.generation + 1;
            let open = std::mem::take(&mut state.open);
            for (generation, knows) in open {
                if generation <= token.generation {
                    state.before.join(&knows);
                } else {
                    state.open.push((generation, knows));
                }
            }
        }
        if let Some(actor) = state.actor
            && state.before.seen.all(actor) <= token.generation
        {
            Rc::make_mut(&mut state.before.seen).learn(actor, token.generation + 1);
        }
        state.before.clone()
    }

    /// The time at which a copy counted in this generation is known.
    pub(crate) fn copy_done(&mut self, token: Token) -> (ActorId, u32) {
        let actor = match self.sync(token.sync).actor {
            Some(actor) => actor,
            None => {
                let actor = self.new_actor();
                self.sync(token.sync).actor = Some(actor);
                actor
            }
        };
        (actor, token.generation + 1)
    }

    /// An engine's arrival carries that a channel is complete.
    pub(crate) fn carry(&mut self, channel: Channel, lanes: LaneMask, seq: u32, token: Token) {
        let per_lane = self.channels.get(channel.kind.index()).is_some_and(|s| s.per_lane);
        let actors = [Part::Source, Part::All].map(|part| self.channel_actor(channel, part));
        let mut clock = Clock::default();
        for actor in actors {
            if per_lane {
                lanes.iter().for_each(|lane| clock.learn_lane(actor, lane as u8, seq));
            } else {
                clock.learn(actor, seq);
            }
        }
        self.implied_by(channel, lanes, seq, &mut clock);
        let knows = Knowledge { seen: Rc::new(clock), ..Knowledge::default() };
        let state = self.sync(token.sync);
        match state.open.iter_mut().find(|o| o.0 == token.generation) {
            Some((_, open)) => open.join(&knows),
            None if token.generation < state.first_open => state.before.join(&knows),
            None => state.open.push((token.generation, knows)),
        }
    }

    /// A wait showed the lanes that a channel of theirs is complete up to `seq`.
    pub(crate) fn observe(&mut self, who: Who, kind: ChannelKind, part: Part, seq: u32) {
        let channel = Channel { wave: who.wave, kind };
        let source = self.channel_actor(channel, Part::Source);
        let all = self.channel_actor(channel, Part::All);
        let per_lane = self.channels.get(kind.index()).is_some_and(|s| s.per_lane);
        self.each_group(who, |group| {
            group.own.learn(source, seq, per_lane);
            if part == Part::All {
                group.own.learn(all, seq, per_lane);
            }
        });
    }

    /// A proxy fence: all that the lanes know and did so far is now known through a fence.
    pub(crate) fn proxy_fence(&mut self, who: Who, kind: Option<SpaceKind>) {
        let own = self.own_clock(who);
        let wave = self.wave(who.wave);
        wave.time += 1;
        // Copies that a wait of these lanes has shown complete count among what they did.
        let whole = LaneMask(wave.all.0 & !wave.gone.0 & !who.lanes.0).is_empty() && wave.groups.len() == 1;
        self.each_group(who, |group| {
            let mut all = Rc::clone(&group.knows.seen);
            join(&mut all, &own);
            if !group.own.0.is_empty() {
                group.own.add_to(group.lanes, whole, Rc::make_mut(&mut all));
            }
            if kind.is_none_or(|k| k != SpaceKind::Global) {
                join(&mut group.knows.fenced_shared, &all);
            }
            if kind.is_none_or(|k| k == SpaceKind::Global) {
                join(&mut group.knows.fenced_global, &all);
            }
        });
    }

    /// A memory fence: later relaxed writes publish what is known now; what relaxed reads found is known now.
    pub(crate) fn fence(&mut self, who: Who, kind: FenceKind, scope: Scope) {
        let within = Distance::within(scope);
        if kind.acquires() {
            self.each_group(who, |group| {
                let Some(mut fences) = group.knows.fences.take() else { return };
                for distance in within.clone() {
                    if let Some(found) = fences.found.at(distance).cloned() {
                        Rc::make_mut(&mut fences).found.clear(distance);
                        group.knows.join(&found);
                    }
                }
                group.knows.fences = Some(fences);
            });
        }
        if kind.releases() {
            let time = self.wave(who.wave).time;
            self.wave(who.wave).time += 1;
            self.each_group(who, |group| {
                let mut knows = group.knows.plain();
                group.own.add_to(group.lanes, false, Rc::make_mut(&mut knows.seen));
                let knows = Rc::new(knows);
                let fences = Rc::make_mut(group.knows.fences.get_or_insert_default());
                within.clone().for_each(|d| {
                    fences.published.set(d, &knows);
                    group.fenced_at[d as usize] = time;
                });
            });
        }
    }

    /// True when relaxed writes of the lanes may publish something.
    pub(crate) fn has_fenced(&self, who: Who) -> bool {
        self.groups(who.wave).iter().any(|g| g.knows.fences.is_some())
    }

    /// What fences let a relaxed write publish to those at a distance.
    pub(crate) fn published(&mut self, who: Who, distance: Distance) -> Option<Knowledge> {
        let lockstep = self.lockstep;
        let wave = self.wave(who.wave);
        let (actor, whole) = (wave.actor, wave.speaks_for_all(who, lockstep));
        let mut sum: Option<Knowledge> = None;
        for group in wave.groups.iter().filter(|g| g.lanes.0 & who.lanes.0 != 0) {
            let Some(published) = group.knows.fences.as_ref().and_then(|f| f.published.at(distance)) else {
                continue;
            };
            let mut published = (**published).clone();
            let time = group.fenced_at[distance as usize];
            if time > 0 {
                let seen = Rc::make_mut(&mut published.seen);
                if whole && wave.groups.len() == 1 {
                    seen.learn(actor, time);
                } else {
                    let lanes = if lockstep { group.lanes } else { LaneMask(group.lanes.0 & who.lanes.0) };
                    lanes.iter().for_each(|lane| seen.learn_lane(actor, lane as u8, time));
                }
            }
            match &mut sum {
                Some(sum) => sum.join(&published),
                None => sum = Some(published),
            }
        }
        sum
    }

    /// What a release publishes: everything; to those of the block what went one way before it, too.
    pub(crate) fn released(&mut self, who: Who, distance: Distance) -> Knowledge {
        let mut sum = self.gather(who);
        if distance == Distance::Block {
            self.add_issued(who.wave, &mut sum);
        }
        self.wave(who.wave).time += 1;
        sum
    }

    /// A relaxed read found what was released at a distance: known after the next fence.
    pub(crate) fn found(&mut self, who: Who, distance: Distance, knows: &Knowledge) {
        let knows = Rc::new(knows.plain());
        self.each_group(who, |group| {
            Rc::make_mut(group.knows.fences.get_or_insert_default()).found.add(distance, &knows);
        });
    }

    /// The lanes learn all of this.
    pub(crate) fn learn(&mut self, who: Who, knows: &Knowledge) {
        self.each_group(who, |group| group.knows.join(knows));
        self.merge_groups(who.wave);
    }

    pub(crate) fn exit(&mut self, who: Who) {
        let wave = self.wave(who.wave);
        wave.gone.0 |= who.lanes.0;
    }

    /// Everything the lanes know and did.
    pub(crate) fn gather(&mut self, who: Who) -> Knowledge {
        let own = self.own_clock(who);
        let lockstep = self.lockstep;
        let wave = self.wave(who.wave);
        let whole = wave.speaks_for_all(who, false);
        let uniform = wave.groups.len() == 1;
        let mut sum: Option<Knowledge> = None;
        let mut channels = Clock::default();
        for group in &wave.groups {
            let mine = if lockstep { group.lanes } else { LaneMask(group.lanes.0 & who.lanes.0) };
            if mine.is_empty() {
                continue;
            }
            group.own.add_to(mine, whole && uniform, &mut channels);
            match &mut sum {
                Some(sum) => sum.join(&group.knows),
                None => sum = Some(group.knows.clone()),
            }
        }
        let fenced = wave.groups.iter().any(|g| g.fenced_at != [0; 3]);
        let mut sum = sum.unwrap_or_default();
        join(&mut sum.seen, &Rc::new(channels));
        join(&mut sum.seen, &own);
        if fenced {
            // Whoever these lanes meet may publish for them what their fences covered.
            for distance in Distance::ALL {
                if let Some(published) = self.published(who, distance) {
                    sum.publish(distance, published);
                }
            }
        }
        sum
    }

    /// What the lanes did themselves, up to now.
    fn own_clock(&mut self, who: Who) -> Shared {
        let lockstep = self.lockstep;
        let wave = self.wave(who.wave);
        let mut clock = Clock::default();
        if wave.speaks_for_all(who, lockstep) {
            clock.learn(wave.actor, wave.time);
        } else {
            who.lanes.iter().for_each(|lane| clock.learn_lane(wave.actor, lane as u8, wave.time));
        }
        Rc::new(clock)
    }

    fn sync(&mut self, sync: SyncId) -> &mut SyncState {
        if self.syncs.len() <= sync.index() {
            self.syncs.resize_with(sync.index() + 1, SyncState::default);
        }
        &mut self.syncs[sync.index()]
    }

    pub(crate) fn each_group(&mut self, who: Who, mut change: impl FnMut(&mut LaneGroup)) {
        let lockstep = self.lockstep;
        let wave = self.wave(who.wave);
        let lanes = if lockstep { wave.all } else { who.lanes };
        let mut cut: SmallVec<[LaneGroup; 1]> = SmallVec::new();
        for group in &mut wave.groups {
            let inside = group.lanes.0 & lanes.0;
            if inside == 0 {
                continue;
            }
            if inside == group.lanes.0 {
                change(group);
                continue;
            }
            let mut part = LaneGroup { lanes: LaneMask(inside), ..group.clone() };
            group.lanes.0 &= !inside;
            change(&mut part);
            cut.push(part);
        }
        wave.groups.extend(cut);
    }

    /// Lanes that know the same again are one group again.
    fn merge_groups(&mut self, id: WaveId) {
        let wave = self.wave(id);
        let actor = wave.actor;
        for group in &mut wave.groups {
            if !group.own.0.is_empty() {
                group.own.prune(group.lanes, &group.knows.seen);
            }
            if group.fenced_at != [0; 3] {
                group.forget_fences(actor);
            }
        }
        if wave.groups.len() == 1 {
            return;
        }
        let mut merged: SmallVec<[LaneGroup; 1]> = SmallVec::new();
        for group in wave.groups.drain(..) {
            let same = |m: &&mut LaneGroup| {
                m.knows.same(&group.knows)
                    && m.own == group.own
                    && m.fenced_at == group.fenced_at
                    && m.handed == group.handed
            };
            match merged.iter_mut().find(same) {
                Some(m) => m.lanes.0 |= group.lanes.0,
                None => merged.push(group),
            }
        }
        wave.groups = merged;
    }
}
