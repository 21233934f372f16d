//! Clocks: how far somebody knows what every other actor has done.
//!
//! An *actor* is anything with a time of its own: the threads of a wave, a channel of a wave (once for "sources read",
//! once for "all done"), a transaction barrier whose phases complete copies. A [`Clock`] maps actors to times. A wave
//! usually acts as one, so an entry counts for all lanes of an actor; where only some lanes did something (an elected
//! lane arrived), entries for single lanes stand beside it. Entries of lanes vanish as soon as the entry for all covers
//! them, which the next block-wide barrier brings about.

use std::rc::Rc;

/// A dense number for an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ActorId(pub u32);

/// What is known of all actors. Times start at 1; 0 is "nothing".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock {
    /// Ascending by actor.
    all: Vec<(ActorId, u32)>,
    /// Ascending by actor and lane; each above the actor's entry in `all`.
    lanes: Vec<((ActorId, u8), u32)>,
}

impl Clock {
    /// Known time of every lane of an actor.
    #[inline]
    pub(crate) fn all(&self, actor: ActorId) -> u32 {
        match self.all.binary_search_by_key(&actor, |e| e.0) {
            Ok(i) => self.all[i].1,
            Err(_) => 0,
        }
    }

    /// Known time of one lane of an actor.
    #[inline]
    pub(crate) fn lane(&self, actor: ActorId, lane: u8) -> u32 {
        if self.lanes.is_empty() {
            return self.all(actor);
        }
        match self.lanes.binary_search_by_key(&(actor, lane), |e| e.0) {
            Ok(i) => self.lanes[i].1,
            Err(_) => self.all(actor),
        }
    }

    /// Nothing is known of anybody.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.lanes.is_empty()
    }

    /// What is known of lanes of an actor beside what is known of all of them.
    pub(crate) fn lanes_of(&self, actor: ActorId) -> impl Iterator<Item = (u8, u32)> + '_ {
        let first = self.lanes.partition_point(|e| e.0.0 < actor);
        self.lanes[first..].iter().take_while(move |e| e.0.0 == actor).map(|e| (e.0.1, e.1))
    }

    /// Learns that all lanes of an actor have come to `time`.
    pub(crate) fn learn(&mut self, actor: ActorId, time: u32) {
        match self.all.binary_search_by_key(&actor, |e| e.0) {
            Ok(i) if self.all[i].1 >= time => return,
            Ok(i) => self.all[i].1 = time,
            Err(i) => self.all.insert(i, (actor, time)),
        }
        if !self.lanes.is_empty() {
            self.lanes.retain(|e| e.0.0 != actor || e.1 > time);
        }
    }

    /// Learns that one lane of an actor has come to `time`.
    pub(crate) fn learn_lane(&mut self, actor: ActorId, lane: u8, time: u32) {
        if self.all(actor) >= time {
            return;
        }
        match self.lanes.binary_search_by_key(&(actor, lane), |e| e.0) {
            Ok(i) => self.lanes[i].1 = self.lanes[i].1.max(time),
            Err(i) => self.lanes.insert(i, ((actor, lane), time)),
        }
    }

    /// True when everything `other` knows is known here.
    pub(crate) fn covers(&self, other: &Clock) -> bool {
        let mut mine = self.all.iter().peekable();
        for &(actor, time) in &other.all {
            while mine.peek().is_some_and(|m| m.0 < actor) {
                mine.next();
            }
            if mine.peek().is_none_or(|m| m.0 != actor || m.1 < time) {
                return false;
            }
        }
        other.lanes.iter().all(|&((actor, lane), time)| self.lane(actor, lane) >= time)
    }

    pub(crate) fn join_with(&mut self, other: &Clock) {
        let mut merged = Vec::with_capacity(self.all.len().max(other.all.len()));
        let (mut i, mut j) = (0, 0);
        while i < self.all.len() || j < other.all.len() {
            match (self.all.get(i), other.all.get(j)) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    merged.push((a.0, a.1.max(b.1)));
                    (i, j) = (i + 1, j + 1);
                }
                (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                    merged.push(*a);
                    i += 1;
                }
                (_, Some(b)) => {
                    merged.push(*b);
                    j += 1;
                }
                (Some(_), None) | (None, None) => break,
            }
        }
        self.all = merged;
        let lanes = std::mem::take(&mut self.lanes);
        for &((actor, lane), time) in lanes.iter().chain(&other.lanes) {
            self.learn_lane(actor, lane, time);
        }
    }
}

/// A shared clock. Joining reuses one of the two where it covers the other, so that waves that met at a barrier share
/// one clock.
pub(crate) type Shared = Rc<Clock>;

/// What both together know.
pub(crate) fn join(a: &mut Shared, b: &Shared) {
    if Rc::ptr_eq(a, b) || a.covers(b) {
        return;
    }
    if b.covers(a) {
        *a = Rc::clone(b);
        return;
    }
    Rc::make_mut(a).join_with(b);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const A: ActorId = ActorId(1);
    const B: ActorId = ActorId(2);

    #[test]
    fn entries_of_lanes_live_until_the_entry_for_all_covers_them() {
        let mut clock = Clock::default();
        clock.learn_lane(A, 3, 5);
        assert_eq!((clock.lane(A, 3), clock.lane(A, 4), clock.all(A)), (5, 0, 0));
        clock.learn(A, 4);
        assert_eq!((clock.lane(A, 3), clock.lane(A, 4)), (5, 4));
        clock.learn(A, 6);
        assert_eq!((clock.lane(A, 3), clock.lanes.len()), (6, 0));
    }

    #[test]
    fn joining_is_a_maximum_and_shares_what_covers() {
        let mut a = Shared::new(Clock::default());
        Rc::make_mut(&mut a).learn(A, 3);
        let mut b = Shared::new(Clock::default());
        Rc::make_mut(&mut b).learn(B, 7);
        Rc::make_mut(&mut b).learn_lane(A, 0, 9);
        let mut both = Rc::clone(&a);
        join(&mut both, &b);
        assert_eq!((both.all(A), both.all(B), both.lane(A, 0), both.lane(A, 1)), (3, 7, 9, 3));
        let mut c = Rc::clone(&b);
        join(&mut c, &both);
        assert!(Rc::ptr_eq(&c, &both));
    }

    /// What a clock means: a time for each lane of each actor. Lane 9 stands for all that are not named.
    const LANES: [u8; 4] = [0, 1, 2, 9];

    fn times(clock: &Clock) -> Vec<u32> {
        let actors = (0..4).map(ActorId);
        actors.flat_map(|a| LANES.map(|lane| clock.lane(a, lane))).collect()
    }

    /// Something learnt: of all lanes where none is named.
    type Learnt = (u32, Option<u8>, u32);

    fn clock(learnt: &[Learnt]) -> Clock {
        let mut clock = Clock::default();
        for &(actor, lane, time) in learnt {
            match lane {
                Some(lane) => clock.learn_lane(ActorId(actor), lane, time),
                None => clock.learn(ActorId(actor), time),
            }
        }
        clock
    }

    fn learnt() -> impl Strategy<Value = Vec<Learnt>> {
        proptest::collection::vec((0..4u32, proptest::option::of(0..3u8), 1..6u32), 0..12)
    }

    fn joined(a: &Clock, b: &Clock) -> Clock {
        let mut sum = Rc::new(a.clone());
        join(&mut sum, &Rc::new(b.clone()));
        Rc::unwrap_or_clone(sum)
    }

    proptest! {
        #[test]
        fn a_clock_is_the_latest_of_all_that_was_learnt(learnt in learnt()) {
            let all = times(&clock(&learnt));
            for (actor, chunk) in (0..4u32).zip(all.chunks(LANES.len())) {
                for (lane, time) in LANES.iter().zip(chunk) {
                    let mine = learnt.iter().filter(|l| l.0 == actor && l.1.is_none_or(|n| n == *lane));
                    prop_assert_eq!(*time, mine.map(|l| l.2).max().unwrap_or(0));
                }
            }
        }

        #[test]
        fn joining_is_the_maximum_of_every_time(a in learnt(), b in learnt()) {
            let (a, b) = (clock(&a), clock(&b));
            let both = joined(&a, &b);
            let most: Vec<u32> = times(&a).into_iter().zip(times(&b)).map(|(a, b)| a.max(b)).collect();
            prop_assert_eq!(times(&both), most);
            prop_assert_eq!(&both, &joined(&b, &a));
            prop_assert!(both.covers(&a) && both.covers(&b));
            prop_assert_eq!(joined(&both, &a), both);
        }

        #[test]
        fn who_covers_another_learns_nothing_from_it(a in learnt(), b in learnt()) {
            let (a, b) = (clock(&a), clock(&b));
            if a.covers(&b) {
                prop_assert_eq!(joined(&a, &b), a.clone());
                prop_assert!(times(&a).iter().zip(times(&b)).all(|(a, b)| *a >= b));
            } else {
                prop_assert!(joined(&a, &b) != a);
            }
        }
    }
}
