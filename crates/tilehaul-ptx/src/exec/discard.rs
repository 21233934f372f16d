//! `discard.L2`: what the bytes hold afterwards is undefined.

use tilehaul_machine::{Access, POISON};

use super::addresses::Where;
use super::{Cx, Step, Stepped};
use crate::inst::{Addr, Mem};

/// Bytes of one discard. manual: PTX ISA, discard: the only size.
pub(crate) const DISCARDED: u32 = 128;

impl Cx<'_> {
    /// manual: PTX ISA, discard: a weak write of an unstable value. Here bytes that no program writes, so that who reads
    /// them gets something else.
    pub(super) fn discard(&mut self, addr: Addr, space: Mem) -> Stepped {
        let addresses = self.addresses(addr);
        self.check_alignment(&addresses, DISCARDED)?;
        for lane in self.lanes() {
            let (place, start) = self.resolve(space, addresses[lane])?;
            let Where::Memory(space) = place else {
                let message = format!("{} of memory that is not global", self.p.name(self.pc));
                return Err(self.fail("atomic-space", message));
            };
            let who = self.who_of(1 << lane);
            for at in (0..u64::from(DISCARDED)).step_by(16) {
                let inside = [start + at; 64];
                let access = Access::new(who, space, &inside, 16);
                self.core.store(&access, |_, bytes| bytes.fill(POISON)).map_err(|trap| self.trap(trap))?;
            }
        }
        Ok(Step::Next)
    }
}
