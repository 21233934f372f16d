//! Clusters that have not started, and requests to cancel the start of one.
//!
//! A request takes the next cluster in order, which then never starts. It may also fail while there are clusters left: the
//! device gives them up for work of higher priority (manual: CUDA programming guide, cluster launch control). It is
//! decided when it is issued, as the device may do; which requests come before the last cluster has started is the
//! schedule's.

use crate::{BlockId, ClusterId, Core, Landing};

/// One request in so many fails without need, where landings are random.
const REFUSED: u32 = 8;

/// Clusters of a launch that have not started: those from `next` up to `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NotStartedYet {
    pub next: u32,
    pub end: u32,
    /// Somebody has asked for one.
    pub asked: bool,
}

impl NotStartedYet {
    /// The next one, which is then no longer there.
    pub(crate) fn take(&mut self) -> Option<ClusterId> {
        let next = (self.next < self.end).then_some(ClusterId(self.next))?;
        self.next += 1;
        Some(next)
    }

    pub(crate) fn left(&self) -> u32 {
        self.end.saturating_sub(self.next)
    }
}

impl Core {
    /// Cancels the start of a cluster and returns its first block: `None` when the request fails.
    pub fn cancel_cluster(&mut self) -> Option<BlockId> {
        self.not_started.asked = true;
        if let Some(claims) = &mut self.claims {
            // Which clusters are left depends on all of them.
            claims.conflict = true;
            return None;
        }
        if matches!(self.landing, Landing::Random(_)) && self.rng.below(REFUSED) == 0 {
            return None;
        }
        let cluster = self.not_started.take()?;
        self.launch.block_at(cluster, 0)
    }
}
