//! What somebody knows of others, and how far each lane's own operations are known to it.

use std::rc::Rc;

use smallvec::SmallVec;
use tilehaul_machine::{LaneMask, SpaceKind};

use crate::clock::{ActorId, Clock, Shared, join};
use crate::fences::{Distance, Fences};
use crate::record::Record;

/// What somebody knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// Ordered before.
    pub seen: Shared,
    /// Ordered before with a proxy fence for shared memory on the way.
    pub fenced_shared: Shared,
    /// The same for device memory.
    pub fenced_global: Shared,
    /// Ordered before with the first fence of a hand-over on the way (see [`crate::clocks::pipelines`]), or an arrival that stands
    /// for one.
    pub handed_over: Option<Shared>,
    /// What comes before a barrier at which nothing was released: reads among it are over, writes may not be visible yet.
    ///
    /// inferred: the value of a load is there before its thread goes on to wait for others; only what is written needs the
    /// release (PTX ISA, barrier.cluster: `.relaxed` gives no ordering guarantee for prior memory accesses). Compilers end
    /// their polls of barriers that way before `mbarrier.inval`.
    pub(super) over: Option<Shared>,
    /// What memory fences did and have yet to do.
    pub(super) fences: Option<Rc<Fences>>,
}

impl Knowledge {
    pub(crate) fn join(&mut self, other: &Knowledge) {
        join(&mut self.seen, &other.seen);
        join(&mut self.fenced_shared, &other.fenced_shared);
        join(&mut self.fenced_global, &other.fenced_global);
        if let Some(theirs) = &other.handed_over {
            match &mut self.handed_over {
                Some(mine) => join(mine, theirs),
                None => self.handed_over = Some(Rc::clone(theirs)),
            }
        }
        if let Some(theirs) = &other.over {
            match &mut self.over {
                Some(mine) => join(mine, theirs),
                None => self.over = Some(Rc::clone(theirs)),
            }
        }
        Fences::join(&mut self.fences, other.fences.as_ref());
    }

    pub(super) fn same(&self, other: &Knowledge) -> bool {
        let same_fences = match (&self.fences, &other.fences) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (Some(_), None) | (None, Some(_)) => false,
        };
        Rc::ptr_eq(&self.seen, &other.seen)
            && Rc::ptr_eq(&self.fenced_shared, &other.fenced_shared)
            && Rc::ptr_eq(&self.fenced_global, &other.fenced_global)
            && self.handed_over == other.handed_over
            && self.over == other.over
            && same_fences
    }

    /// True when everything `other` knows is known here.
    pub(crate) fn covers(&self, other: &Knowledge) -> bool {
        let covers = |a: &Shared, b: &Shared| Rc::ptr_eq(a, b) || a.covers(b);
        covers(&self.seen, &other.seen)
            && covers(&self.fenced_shared, &other.fenced_shared)
            && covers(&self.fenced_global, &other.fenced_global)
            && match (&self.handed_over, &other.handed_over) {
                (_, None) => true,
                (Some(mine), Some(theirs)) => covers(mine, theirs),
                (None, Some(_)) => false,
            }
            && match (&self.over, &other.over) {
                (_, None) => true,
                (Some(mine), Some(theirs)) => covers(mine, theirs),
                (None, Some(_)) => false,
            }
            && Fences::covered(self.fences.as_ref(), other.fences.as_ref())
    }

    /// Relaxed writes from now on publish this as well.
    pub(super) fn publish(&mut self, distance: Distance, knows: Knowledge) {
        let fences = Rc::make_mut(self.fences.get_or_insert_default());
        fences.published.add(distance, &Rc::new(knows));
    }

    /// Without what waits for a fence.
    pub(super) fn plain(&self) -> Knowledge {
        Knowledge { fences: None, ..self.clone() }
    }

    /// True when a read of a lane is over by way of a barrier that released nothing.
    #[inline]
    pub(crate) fn over(&self, record: &Record, lane: u8) -> bool {
        self.over.as_ref().is_some_and(|over| over.lane(record.actor, lane) >= record.time)
    }

    pub(crate) fn fenced(&self, kind: SpaceKind) -> &Shared {
        match kind {
            SpaceKind::Global => &self.fenced_global,
            SpaceKind::Shared | SpaceKind::Tensor => &self.fenced_shared,
        }
    }
}

/// How far each lane's own channel operations are known to that lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnChannels(pub(super) SmallVec<[OwnChannel; 2]>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OwnChannel {
    pub(super) actor: ActorId,
    pub(super) time: u32,
    /// Each lane answers for its own operations only.
    pub(super) per_lane: bool,
}

impl OwnChannels {
    pub(super) fn learn(&mut self, actor: ActorId, time: u32, per_lane: bool) {
        match self.0.iter_mut().find(|e| e.actor == actor) {
            Some(e) => e.time = e.time.max(time),
            None => self.0.push(OwnChannel { actor, time, per_lane }),
        }
    }

    pub(super) fn get(&self, actor: ActorId) -> u32 {
        self.0.iter().find(|e| e.actor == actor).map_or(0, |e| e.time)
    }

    /// Tells a clock; `whole` when the lanes are all that the wave has.
    pub(super) fn add_to(&self, lanes: LaneMask, whole: bool, clock: &mut Clock) {
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
    pub(super) fn prune(&mut self, lanes: LaneMask, seen: &Clock) {
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
