//! Loads that get some bytes wrong, to find out whether anybody uses them.
//!
//! Several waves may load an element that one of them changes: compilers spread small tiles over more lanes than they need,
//! and mask the stores of all copies but one. What the others load depends on timing and goes nowhere. A run that is
//! repeated with those bytes garbled, and comes to the same end with the same memory, shows that.

use crate::core::Trap;
use crate::{Access, AccessKind, Core, LaneMask, PlaceId, Space, WaveId};

/// Bytes of device memory that a wave's load at a place gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Garble {
    /// Who loads.
    pub wave: WaveId,
    /// Where.
    pub place: PlaceId,
    /// The first byte.
    pub start: u64,
    /// The one past the last.
    pub end: u64,
}

/// What a run garbles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Garbling {
    list: Vec<Garble>,
    /// Bits of each byte that are turned round.
    mask: u8,
    hit: Vec<bool>,
}

impl Garbling {
    pub(crate) fn new(list: &[Garble], mask: u8) -> Option<Garbling> {
        (!list.is_empty()).then(|| Garbling { list: list.to_vec(), mask, hit: vec![false; list.len()] })
    }

    /// Everything that was to be garbled was loaded.
    pub(crate) fn all_hit(&self) -> bool {
        self.hit.iter().all(|hit| *hit)
    }

    fn apply(&mut self, wave: WaveId, place: PlaceId, address: u64, bytes: &mut [u8]) {
        for (garble, hit) in self.list.iter().zip(&mut self.hit) {
            if (garble.wave, garble.place) != (wave, place) {
                continue;
            }
            for (byte, at) in bytes.iter_mut().zip(address..) {
                if (garble.start..garble.end).contains(&at) {
                    *byte ^= self.mask;
                    *hit = true;
                }
            }
        }
    }
}

impl Core {
    /// [`Core::load`] in a run that garbles something.
    #[cold]
    pub(crate) fn load_garbled(
        &mut self,
        access: &Access<'_>,
        take: &mut dyn FnMut(u32, &[u8]),
    ) -> Result<(), Trap> {
        let mut garbling = self.garbling.take();
        for lane in access.who.lanes.iter() {
            let (address, size) = (access.addresses[lane as usize], u64::from(access.size));
            let Some((base, window)) = self.memories.window(access.space, address, size) else {
                self.garbling = garbling;
                return Err(self.outside(access, lane, "read"));
            };
            let start = (address - base) as usize;
            let mut bytes = window.get(start..start + size as usize).unwrap_or_default().to_vec();
            if let (Some(garbling), Space::Global) = (&mut garbling, access.space) {
                garbling.apply(access.who.wave, access.who.place, address, &mut bytes);
            }
            take(lane, &bytes);
        }
        self.garbling = garbling;
        self.note(access, AccessKind::Read, LaneMask::NONE);
        Ok(())
    }
}
