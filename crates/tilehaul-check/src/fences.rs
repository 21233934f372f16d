//! What fences make available, and what reads have found that a fence must make known.
//!
//! A relaxed write after a fence releases what was known before the fence; a relaxed read before a fence acquires what it
//! found, at the fence (manual: PTX ISA, release and acquire patterns). A fence counts among the threads of its scope, so
//! both are kept apart for the three distances that two threads can have.
//!
//! Both travel through barriers: code in which every thread fences, the threads of a block meet, and one of them counts,
//! works on hardware. For `fence.sc` (`membar`) it follows from the manual: all of those stand in one order, and a value
//! that goes from what follows one to what comes before another settles which way round. For `fence.acq_rel` the manual
//! would have the counting thread fence last; that is not reported.

use std::rc::Rc;

use tilehaul_machine::{Launch, Scope, WaveId};

use crate::clocks::Knowledge;

/// How far apart two threads can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Distance {
    /// In one block.
    Block,
    /// In one cluster.
    Cluster,
    /// Anywhere.
    Device,
}

impl Distance {
    pub(crate) const ALL: [Distance; 3] = [Distance::Block, Distance::Cluster, Distance::Device];

    /// The farthest thread that a scope includes.
    pub(crate) fn reach(scope: Scope) -> Distance {
        match scope {
            Scope::Wave | Scope::Block => Distance::Block,
            Scope::Cluster => Distance::Cluster,
            Scope::Device | Scope::System => Distance::Device,
        }
    }

    /// How far apart threads of two waves are.
    pub(crate) fn between(launch: &Launch, a: WaveId, b: WaveId) -> Distance {
        let (a, b) = (launch.block_of(a), launch.block_of(b));
        if a == b {
            Distance::Block
        } else if launch.block_info(a).cluster == launch.block_info(b).cluster {
            Distance::Cluster
        } else {
            Distance::Device
        }
    }

    /// Distances at which a scope includes the other thread.
    pub(crate) fn within(scope: Scope) -> impl Iterator<Item = Distance> + Clone {
        let farthest = Distance::reach(scope);
        Distance::ALL.into_iter().filter(move |&d| d <= farthest)
    }
}

/// Something known for each distance.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByDistance([Option<Rc<Knowledge>>; 3]);

impl ByDistance {
    pub(crate) fn at(&self, distance: Distance) -> Option<&Rc<Knowledge>> {
        self.0[distance as usize].as_ref()
    }

    pub(crate) fn set(&mut self, distance: Distance, knows: &Rc<Knowledge>) {
        self.0[distance as usize] = Some(Rc::clone(knows));
    }

    pub(crate) fn clear(&mut self, distance: Distance) {
        self.0[distance as usize] = None;
    }

    pub(crate) fn add(&mut self, distance: Distance, knows: &Rc<Knowledge>) {
        match &mut self.0[distance as usize] {
            Some(old) if Rc::ptr_eq(old, knows) || old.covers(knows) => {}
            Some(old) if !knows.covers(old) => Rc::make_mut(old).join(knows),
            place => *place = Some(Rc::clone(knows)),
        }
    }

    fn covers(&self, other: &ByDistance) -> bool {
        self.0.iter().zip(&other.0).all(|pair| match pair {
            (_, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a.covers(b),
            (None, Some(_)) => false,
        })
    }

    fn join(&mut self, other: &ByDistance) {
        for (distance, knows) in Distance::ALL.into_iter().zip(&other.0) {
            if let Some(knows) = knows {
                self.add(distance, knows);
            }
        }
    }
}

/// What fences did; it travels along with everything else that is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fences {
    /// What came before fences that come before now: relaxed writes from now on publish it.
    pub published: ByDistance,
    /// What relaxed reads that come before now have found: known after the next fence.
    pub found: ByDistance,
}

impl Fences {
    fn covers(&self, other: &Fences) -> bool {
        self.published.covers(&other.published) && self.found.covers(&other.found)
    }

    /// Joins what may not be there; shares where one covers the other, so that waves that met share it.
    pub(crate) fn join(a: &mut Option<Rc<Fences>>, b: Option<&Rc<Fences>>) {
        let Some(b) = b else { return };
        match a {
            Some(a) if Rc::ptr_eq(a, b) || a.covers(b) => {}
            Some(a) if !b.covers(a) => {
                let both = Rc::make_mut(a);
                both.published.join(&b.published);
                both.found.join(&b.found);
            }
            a => *a = Some(Rc::clone(b)),
        }
    }

    pub(crate) fn covered(a: Option<&Rc<Fences>>, b: Option<&Rc<Fences>>) -> bool {
        match (a, b) {
            (_, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a.covers(b),
            (None, Some(_)) => false,
        }
    }
}
