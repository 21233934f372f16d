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
//! * a relaxed barrier of a cluster, which orders reads before it with writes behind it and nothing else;
//! * end of an operation: by the phase in which its last byte was counted, or by a wait on its channel, of which one for a
//!   product of a warpgroup covers the parts of all of its warps. Whoever learns of
//!   that knows the operation, not what its issuer did before (manual: PTX ISA, complete_tx covers the copy's own writes).
//!
//! Beside what is known at all, what is known *through a proxy fence* is kept, apart for shared and device memory.

mod edges;
mod knowledge;
pub(crate) mod pipelines;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tilehaul_machine::{Channel, ChannelKind, ChannelSpec, LaneMask, Part, SpaceKind, SyncId, WaveId, Who};

use crate::clock::{ActorId, Clock, Shared, join};
use crate::clocks::pipelines::Pipelines;
use crate::fences::Distance;
use crate::record::{NEVER, Owner, Record};
pub(crate) use knowledge::Knowledge;
use knowledge::OwnChannels;

/// Lanes of a wave that know the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneGroup {
    pub lanes: LaneMask,
    pub knows: Knowledge,
    own: OwnChannels,
    /// Issues of other waves' operations that were handed over to these lanes: their next operation on that unit runs after
    /// them, see [`Pipelines`].
    pub handed: Option<Rc<Clock>>,
    /// What relaxed reads found that a barrier has been passed since: known to atomic reads, which ask memory.
    pub settled: Option<Shared>,
    /// What came before by way of both fences of a hand-over.
    pub taken_over: Option<Shared>,
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
pub(crate) struct Clocks {
    pub lockstep: bool,
    pub channels: Vec<ChannelSpec>,
    lanes_of_wave: Box<[LaneMask]>,
    waves: Vec<Option<Wave>>,
    channel_actors: FxHashMap<(Channel, Part), ActorId>,
    next_actor: u32,
    syncs: Vec<SyncState>,
    pub(crate) pipelines: Pipelines,
}

impl Clocks {
    pub(crate) fn new(lanes_of_wave: Vec<LaneMask>, lockstep: bool, channels: Vec<ChannelSpec>) -> Clocks {
        let waves = lanes_of_wave.iter().map(|_| None).collect();
        Clocks {
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
            // Counts issues: [`Self::issue_actor`].
            let _ = self.new_actor();
        }
        actor
    }

    /// Whether operations of that channel take turns with those of the block's other waves.
    #[inline]
    fn goes_one_way(&self, kind: Option<ChannelKind>) -> bool {
        kind.and_then(|k| self.channels.get(k.index())).is_some_and(|c| c.one_way)
    }

    /// The actor that counts *issues* of the channel whose *ends* this actor counts. Only channels that go one way or are
    /// handed over have one: the next id, see [`Self::channel_actor`].
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

    /// The lanes learn all of this.
    pub(crate) fn learn(&mut self, who: Who, knows: &Knowledge) {
        self.each_group(who, |group| group.knows.join(knows));
        self.merge_groups(who.wave);
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
                    && m.taken_over == group.taken_over
                    && m.settled == group.settled
            };
            match merged.iter_mut().find(same) {
                Some(m) => m.lanes.0 |= group.lanes.0,
                None => merged.push(group),
            }
        }
        wave.groups = merged;
    }
}
