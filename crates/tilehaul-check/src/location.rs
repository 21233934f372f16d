//! What writes to an atomic location published, by who can see it.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tilehaul_machine::{BlockId, ClusterId};

use crate::clocks::Knowledge;
use crate::fences::Distance;

/// What writes to an atomic location published, by who can see it.
#[derive(Debug, Default)]
pub(crate) struct Location {
    device: Option<Rc<Knowledge>>,
    clusters: FxHashMap<ClusterId, Option<Rc<Knowledge>>>,
    blocks: FxHashMap<BlockId, Option<Rc<Knowledge>>>,
}

impl Location {
    /// A write by somebody of this block and cluster publishes to those at a distance.
    pub(crate) fn publish(
        &mut self,
        distance: Distance,
        (block, cluster): (BlockId, ClusterId),
        knows: &Rc<Knowledge>,
    ) {
        let written = match distance {
            Distance::Block => self.blocks.entry(block).or_default(),
            Distance::Cluster => self.clusters.entry(cluster).or_default(),
            Distance::Device => &mut self.device,
        };
        match written {
            Some(sum) if sum.covers(knows) => {}
            Some(sum) if !knows.covers(sum) => Rc::make_mut(sum).join(knows),
            written => *written = Some(Rc::clone(knows)),
        }
    }

    /// What somebody of this block and cluster finds that was published at a distance.
    pub(crate) fn written(
        &self,
        distance: Distance,
        (block, cluster): (BlockId, ClusterId),
    ) -> Option<&Rc<Knowledge>> {
        match distance {
            Distance::Block => self.blocks.get(&block)?.as_ref(),
            Distance::Cluster => self.clusters.get(&cluster)?.as_ref(),
            Distance::Device => self.device.as_ref(),
        }
    }
}
