//! Copies that land at issue while nobody looks on: no operation is made for them, since it would never be under way.
//!
//! What they leave behind is what [`Core::issue`] leaves behind. A copy of 16 KiB takes about 5,000 instructions to move its bytes,
//! and half as many to make an operation of it and take that apart again.

use tilehaul_engine::TransferPlan;

use crate::barrier::BarrierAt;
use crate::core::{Core, Trap};
use crate::job::job_fault;
use crate::{Landing, Space, Who};

impl Core {
    /// Carries out a plan from `from` to each of `to` and counts `payload` bytes on the barrier that belongs to each. False,
    /// with nothing done, where it has to be issued: when somebody looks on, or it does not land at once.
    ///
    /// # Errors
    /// When it leaves a memory, or a barrier cannot take its bytes.
    pub fn copy_at_once(
        &mut self,
        who: Who,
        plan: &TransferPlan,
        from: Space,
        to: &[Space],
        payload: u64,
        barriers: &[BarrierAt],
    ) -> Result<bool, Trap> {
        let quiet = self.landing == Landing::Eager && !self.wants_touches() && self.claims.is_none();
        if !quiet || to.len() != barriers.len() || to.contains(&from) {
            return Ok(false);
        }
        self.begin_operation(to.len().max(1));
        for &space in to {
            let Some((source, destination)) = self.memories.two(from, space) else { continue };
            if let Err(fault) = plan.run(source, destination) {
                let died = self.fault_of(who, Err(job_fault(fault, from, space)));
                return self.trapped(died);
            }
        }
        for &at in barriers {
            let counted = self.count_on(who, at, payload);
            self.trapped(counted)?;
        }
        self.made_progress();
        Ok(true)
    }
}
