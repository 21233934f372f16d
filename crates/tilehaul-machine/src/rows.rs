//! Dwords of whole rows of lanes: what most vector instructions move.
//!
//! Lanes nearly always stay within one allocation, and often touch one run of bytes in order. Both are looked for once,
//! so that a lane costs a few instructions. The observer hears of the same access as from [`Core::load`] and
//! [`Core::store`].

use crate::core::Trap;
use crate::{Access, AccessKind, Core, LaneMask, Space};

impl Core {
    /// Reads `N` dwords (the size of the access) for each lane: `rows[i][lane]` gets dword `i` of the lane. Lanes are
    /// numbered below `L`.
    ///
    /// # Errors
    /// When a lane's bytes do not exist.
    pub fn load_dwords<const N: usize, const L: usize>(
        &mut self,
        access: &Access<'_>,
        mut rows: [&mut [u32; L]; N],
    ) -> Result<(), Trap> {
        let Some((base, window)) = self.reach(access) else {
            // In several allocations, or outside of all.
            return self.load(access, |lane, bytes| {
                for (row, word) in rows.iter_mut().zip(bytes.as_chunks::<4>().0) {
                    row[lane as usize % L] = u32::from_le_bytes(*word);
                }
            });
        };
        let start = |lane: usize| (access.addresses[lane] - base) as usize;
        match access.addresses.first_chunk::<L>() {
            Some(addresses) if access.who.lanes == LaneMask::first(L as u32) => {
                let run = window.get(start(0)..start(0) + 4 * N * L);
                match run.filter(|_| in_order::<N, L>(addresses)) {
                    Some(run) => {
                        for (lane, words) in run.as_chunks::<4>().0.chunks_exact(N).enumerate() {
                            for (row, word) in rows.iter_mut().zip(words) {
                                row[lane] = u32::from_le_bytes(*word);
                            }
                        }
                    }
                    None => (0..L).for_each(|lane| take(window, start(lane), lane, &mut rows)),
                }
            }
            _ => access.who.lanes.iter().map(|lane| lane as usize % L).for_each(|lane| {
                take(window, start(lane), lane, &mut rows);
            }),
        }
        self.note(access, AccessKind::Read, LaneMask::NONE);
        Ok(())
    }

    /// Writes `N` dwords (the size of the access) for each lane, in lane order.
    ///
    /// # Errors
    /// When a lane's bytes do not exist; lanes before it may have been served.
    pub fn store_dwords<const N: usize, const L: usize>(
        &mut self,
        access: &Access<'_>,
        rows: [&[u32; L]; N],
    ) -> Result<(), Trap> {
        // Who already had its bytes is only asked for by those who watch.
        let asked = self.wants_touches();
        let found = first(access)
            .and_then(|address| self.memories.window_mut(access.space, address, u64::from(access.size)));
        let Some((base, window)) = found.filter(|(base, window)| all_in(access, *base, window.len())) else {
            return self.store(access, |lane, bytes| {
                for (row, word) in rows.iter().zip(bytes.as_chunks_mut::<4>().0) {
                    *word = row[lane as usize % L].to_le_bytes();
                }
            });
        };
        let whole = access
            .addresses
            .first_chunk::<L>()
            .filter(|addresses| access.who.lanes == LaneMask::first(L as u32) && in_order::<N, L>(addresses));
        let mut silent = 0u64;
        if let (Some(addresses), false) = (whole, asked) {
            let start = (addresses[0] - base) as usize;
            // In range, for all lanes are.
            let run = window.get_mut(start..start + 4 * N * L).unwrap_or_default();
            for (lane, words) in run.as_chunks_mut::<4>().0.chunks_exact_mut(N).enumerate() {
                for (row, word) in rows.iter().zip(words) {
                    *word = row[lane].to_le_bytes();
                }
            }
        } else {
            for lane in access.who.lanes.iter() {
                let lane = lane as usize % L;
                let start = (access.addresses[lane] - base) as usize;
                let Some(bytes) = window.get_mut(start..start + 4 * N) else { continue };
                let mut same = true;
                for (row, word) in rows.iter().zip(bytes.as_chunks_mut::<4>().0) {
                    let new = row[lane].to_le_bytes();
                    same &= *word == new;
                    *word = new;
                }
                silent |= u64::from(same) << lane;
            }
        }
        self.made_progress();
        self.note(access, AccessKind::Write, LaneMask(silent));
        Ok(())
    }

    /// The allocation that all lanes of an access lie in, with its first address.
    fn reach(&self, access: &Access<'_>) -> Option<(u64, &[u8])> {
        if self.garbling.is_some() {
            return None;
        }
        let (base, window) = self.memories.window(access.space, first(access)?, u64::from(access.size))?;
        all_in(access, base, window.len()).then_some((base, window))
    }

    /// The lanes of an access that lie inside the bytes of a block's shared memory.
    #[must_use]
    pub fn lanes_inside(&self, access: &Access<'_>) -> LaneMask {
        let Space::Shared(block) = access.space else { return access.who.lanes };
        let (len, size) = (self.memories.shared_len(block), u64::from(access.size));
        if all_in(access, 0, len as usize) {
            return access.who.lanes;
        }
        let inside = |lane: u32| access.addresses[lane as usize].saturating_add(size) <= len;
        LaneMask(access.who.lanes.iter().filter(|&lane| inside(lane)).fold(0, |mask, lane| mask | 1 << lane))
    }
}

/// The address of the first lane that acts.
fn first(access: &Access<'_>) -> Option<u64> {
    access.addresses.get(access.who.lanes.lowest()? as usize).copied()
}

/// Do all lanes lie within `len` bytes from `base`?
fn all_in(access: &Access<'_>, base: u64, len: usize) -> bool {
    let Some(last) = (len as u64).checked_sub(u64::from(access.size)) else { return false };
    // The top bit tells that an offset is beyond the last legal one: no allocation has 2^63 bytes.
    let beyond = |address: u64| {
        let offset = address.wrapping_sub(base);
        offset | last.wrapping_sub(offset)
    };
    let lanes = access.who.lanes;
    let bits = if lanes == LaneMask::first(access.addresses.len() as u32) {
        access.addresses.iter().fold(0, |bits, &address| bits | beyond(address))
    } else {
        lanes.iter().fold(0, |bits, lane| bits | beyond(access.addresses[lane as usize]))
    };
    bits >> 63 == 0
}

/// Do the lanes touch one run of bytes, one after the other?
fn in_order<const N: usize, const L: usize>(addresses: &[u64; L]) -> bool {
    let first = addresses[0];
    let next = |lane: usize| first.wrapping_add(4 * (N * lane) as u64);
    (0..L).fold(0, |differing, lane| differing | (addresses[lane] ^ next(lane))) == 0
}

#[inline(always)]
fn take<const N: usize, const L: usize>(
    window: &[u8],
    start: usize,
    lane: usize,
    rows: &mut [&mut [u32; L]; N],
) {
    // In range by the caller's word.
    let Some(words) = window.get(start..start + 4 * N) else { return };
    for (row, word) in rows.iter_mut().zip(words.as_chunks::<4>().0) {
        row[lane] = u32::from_le_bytes(*word);
    }
}
