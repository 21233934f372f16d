//! Where live transaction barriers are: in a cache beside shared memory.
//!
//! Operations on barriers work on the cache; ordinary accesses find and change the bytes of shared memory, which keep what
//! they held before the init. An object is written back by `mbarrier.inval`, and when objects elsewhere need its entry; an
//! operation on one that is not in the cache reads it from memory. The engine's `BarrierCache` is the same for a script
//! of operations; here the objects are the machine's own, and an entry is no more than those of them that it holds.
//!
//! hardware: h200 facts 105 to 109. inferred: blocks that share a multiprocessor do not take entries from each other.

use std::collections::BTreeMap;

use smallvec::SmallVec;
use tilehaul_engine::mbarrier::Mbarrier;
use tilehaul_engine::{BARRIER_ENTRIES, BARRIER_ENTRY_BYTES};

use super::TxBarrier;
use super::told::{no_barrier, not_running, was_invalidated};
use crate::barrier::BarrierAt;
use crate::core::{Core, Trap};
use crate::{Space, Who};

/// Bytes of an object.
const OBJECT_BYTES: u64 = 8;

impl Core {
    /// There is a barrier, and an operation works on it.
    #[inline]
    pub(super) fn live(&mut self, at: BarrierAt, what: &str) -> Result<(), Trap> {
        self.barrier_uses += 1;
        let used = self.barrier_uses;
        match self.blocks.get_mut(at.block.index()) {
            Some(b) if b.resident && !b.ended => match b.tx.get_mut(&at.address) {
                Some(barrier) => {
                    barrier.used = used;
                    if !barrier.cached {
                        self.fetch(at);
                    }
                    Ok(())
                }
                None => Err(no_barrier(at, what)),
            },
            Some(_) | None => Err(not_running(at, what)),
        }
    }

    /// The same for threads, which can go on with a barrier that was invalidated: memory holds it.
    #[inline]
    pub(super) fn live_for(&mut self, who: Who, at: BarrierAt, what: &str) -> Result<(), Trap> {
        match self.live(at, what) {
            Err(trap) => self.revive(who, at, what).map_or(Err(trap), |()| Ok(())),
            live => live,
        }
    }

    #[cold]
    fn revive(&mut self, who: Who, at: BarrierAt, what: &str) -> Option<()> {
        let block = self.blocks.get_mut(at.block.index()).filter(|b| b.resident && !b.ended)?;
        let barrier = block.invalidated.remove(&at.address)?;
        block.tx.insert(at.address, TxBarrier { cached: false, used: self.barrier_uses, ..barrier });
        self.fetch(at);
        self.report(who, was_invalidated(at, what));
        Some(())
    }

    /// A new object comes into the cache.
    pub(super) fn enter_cache(&mut self, at: BarrierAt) {
        self.barrier_uses += 1;
        let line = line(at.address);
        if let Some(oldest) = oldest(&self.blocks[at.block.index()].tx, line) {
            for address in [oldest, oldest + OBJECT_BYTES] {
                self.write_back(BarrierAt { address, ..at });
            }
        }
        if let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) {
            (barrier.cached, barrier.used) = (true, self.barrier_uses);
        }
    }

    /// An object comes back into the cache.
    #[cold]
    fn fetch(&mut self, at: BarrierAt) {
        let found = self.memories.bytes(Space::Shared(at.block), at.address, OBJECT_BYTES);
        let found = found.ok().and_then(|bytes| bytes.try_into().ok());
        if let (Some(word), Some(barrier)) = (found, self.blocks[at.block.index()].tx.get_mut(&at.address)) {
            barrier.state = Mbarrier(u64::from_le_bytes(word));
        }
        self.enter_cache(at);
    }

    /// Writes an object to memory, if the cache holds it, and drops it there.
    pub(super) fn write_back(&mut self, at: BarrierAt) {
        let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address).filter(|b| b.cached) else {
            return;
        };
        barrier.cached = false;
        let word = barrier.state.0.to_le_bytes();
        let space = Space::Shared(at.block);
        if let Ok(bytes) = self.memories.bytes_mut(space, at.address, OBJECT_BYTES) {
            bytes.copy_from_slice(&word);
        }
        self.touch(space, at.address, OBJECT_BYTES, true);
    }
}

fn line(address: u64) -> u64 {
    address & !(BARRIER_ENTRY_BYTES - 1)
}

/// The entry that was used longest ago, when `line` is in none and none is free.
fn oldest(tx: &BTreeMap<u64, TxBarrier>, wanted: u64) -> Option<u64> {
    let mut entries: SmallVec<[(u64, u64); BARRIER_ENTRIES]> = SmallVec::new();
    for (&address, barrier) in tx.iter().filter(|(_, b)| b.cached) {
        match entries.last_mut() {
            Some((at, used)) if *at == line(address) => *used = barrier.used.max(*used),
            _ => entries.push((line(address), barrier.used)),
        }
    }
    if entries.len() < BARRIER_ENTRIES || entries.iter().any(|e| e.0 == wanted) {
        return None;
    }
    entries.into_iter().min_by_key(|e| e.1).map(|e| e.0)
}
