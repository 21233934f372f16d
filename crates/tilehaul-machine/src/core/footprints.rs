//! What a step touched, for the dependence of steps in exhaustive runs.

use super::Core;
use crate::chooser::{Deed, Footprint};
use crate::{Access, AccessKind, LaneMask, Space};

impl Core {
    pub(crate) fn touch(&mut self, space: Space, start: u64, len: u64, write: bool) {
        let (by, forced) = (self.acting, self.forcing);
        let Some(list) = &mut self.footprint else { return };
        // Lanes side by side are one stretch.
        if let Some(Footprint { deed: Deed::Bytes { space: s, start: at, len: l, write: w }, by: b, .. }) =
            list.last_mut()
            && (*s, *w, *b) == (space, write, by)
            && at.checked_add(*l) == Some(start)
        {
            *l += len;
            return;
        }
        list.push(Footprint { deed: Deed::Bytes { space, start, len, write }, by, forced });
    }

    /// Writes down what a step did, in exhaustive runs.
    #[inline]
    pub(crate) fn did(&mut self, deed: Deed) {
        let (by, forced) = (self.acting, self.forcing);
        if let Some(list) = &mut self.footprint {
            list.push(Footprint { deed, by, forced });
        }
    }

    pub(super) fn add_footprint(&mut self, access: &Access<'_>, kind: AccessKind, silent: LaneMask) {
        // An atomic that left memory as it was has only read it, whatever it would do elsewhere.
        let silent = if kind == AccessKind::Atomic { silent } else { LaneMask::NONE };
        for lane in access.who.lanes.iter() {
            let start = access.addresses[lane as usize];
            let write = kind.writes() && !silent.has(lane);
            self.touch(access.space, start, u64::from(access.size), write);
        }
    }
}
