//! The edges of happens-before: releases and acquires of tokens, ends of operations, fences.

use std::rc::Rc;

use tilehaul_machine::{Channel, ChannelKind, FenceKind, LaneMask, Part, Scope, SpaceKind, Token, Who};

use super::Clocks;
use super::knowledge::Knowledge;
use crate::clock::{ActorId, Clock, join};
use crate::fences::Distance;

impl Clocks {
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

    /// A relaxed arrival at a barrier of threads: what the lanes have read before it is over for those behind it.
    pub(crate) fn release_reads(&mut self, who: Who, token: Token) {
        let all = self.gather(who);
        let mut over = all.seen;
        if let Some(before) = &all.over {
            join(&mut over, before);
        }
        self.wave(who.wave).time += 1;
        self.give(token, Knowledge { over: Some(over), ..Knowledge::default() });
    }

    pub(super) fn give(&mut self, token: Token, mut sum: Knowledge) {
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
        self.settle(who, &knows);
        self.learn(who, &knows);
    }

    /// Behind a barrier, what a relaxed read before it found is known to atomic reads even without a fence of the reader: the
    /// barrier has performed the first read, and the others ask memory, not a cache. Ordinary reads need the fence.
    ///
    /// inferred: the example of the CUDA programming guide, memory fence functions: the last block that counts reads the
    /// partial sums by volatile loads behind `__syncthreads()`.
    fn settle(&mut self, who: Who, knows: &Knowledge) {
        let Some(fences) = knows.fences.as_ref().filter(|_| !self.lockstep) else { return };
        for distance in Distance::ALL {
            let Some(found) = fences.found.at(distance) else { continue };
            self.each_group(who, |group| match &mut group.settled {
                Some(settled) => join(settled, &found.seen),
                None => group.settled = Some(Rc::clone(&found.seen)),
            });
        }
    }

    /// The same, to be known after a fence of the lanes.
    pub(crate) fn acquire_fenced(&mut self, who: Who, token: Token, distance: Distance) {
        let knows = self.released_to(token);
        self.found(who, distance, &knows);
    }

    pub(super) fn released_to(&mut self, token: Token) -> Knowledge {
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
        let seen = Rc::new(clock);
        // manual: PTX ISA, tcgen05.commit: its arrival implies the first fence of a hand-over.
        let handed_over = self.handover(channel.kind).map(|_| Rc::clone(&seen));
        let knows = Knowledge { seen, handed_over, ..Knowledge::default() };
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

    /// A wait showed the lanes that parts of their operations, which another wave issued, are complete up to `seq`.
    pub(crate) fn observe_part(&mut self, who: Who, channel: Channel, seq: u32) {
        let mut clock = Clock::default();
        for part in [Part::Source, Part::All] {
            clock.learn(self.channel_actor(channel, part), seq);
        }
        let knows = Knowledge { seen: Rc::new(clock), ..Knowledge::default() };
        self.learn(who, &knows);
    }

    /// A proxy fence: all that the lanes know and did so far is now known through a fence.
    pub(crate) fn proxy_fence(&mut self, who: Who, kind: Option<SpaceKind>) {
        let own = self.own_clock(who);
        let whole = self.step_whole(who);
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

    /// A fence of the lanes: what they do later has a later time. True when they are all that the wave has left and know
    /// the same: then copies that a wait has shown complete count among what all of them did.
    pub(crate) fn step_whole(&mut self, who: Who) -> bool {
        let wave = self.wave(who.wave);
        wave.time += 1;
        LaneMask(wave.all.0 & !wave.gone.0 & !who.lanes.0).is_empty() && wave.groups.len() == 1
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

    pub(crate) fn exit(&mut self, who: Who) {
        let wave = self.wave(who.wave);
        wave.gone.0 |= who.lanes.0;
    }
}
