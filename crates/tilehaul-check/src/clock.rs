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

    fn join_with(&mut self, other: &Clock) {
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
}
