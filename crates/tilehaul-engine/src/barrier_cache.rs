//! Where live mbarrier objects really are: a small cache beside shared memory.
//!
//! On sm_90 every mbarrier operation works on a cache of 16 entries of 16 bytes, so two neighbouring objects share an
//! entry. Plain loads, stores, atomics and bulk copies do not see it: they read and write the bytes of shared memory,
//! which keep their old values while the object lives. An operation on an object that is not cached reads it from
//! memory first; when the cache is full the entry used longest ago is written back. `mbarrier.inval` writes the object
//! back and drops it. Kernels with cluster dimensions write everything back when they end, others drop it.
//!
//! So memory of a barrier that is used again without `inval` is overwritten later by the old object.
//!
//! hardware: h200 facts 105 to 109. inferred: an entry writes back only the halves that an operation touched.

use crate::mbarrier::Mbarrier;
use crate::{Memory, MemoryFault};

/// Entries of the cache. hardware: h200 fact 106.
pub const ENTRIES: usize = 16;
/// Bytes of an entry. hardware: h200 fact 106.
pub const ENTRY_BYTES: u64 = 16;
/// Bytes of an object.
const OBJECT_BYTES: u64 = 8;

/// The barrier cache of one SM, as far as one CTA uses it.
#[derive(Clone, Debug, Default)]
pub struct BarrierCache {
    /// Least recently used first.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    address: u64,
    halves: [Option<Mbarrier>; 2],
}

impl BarrierCache {
    /// Puts a new object at `address`, whatever was there (`mbarrier.init`).
    ///
    /// # Errors
    /// When memory lacks the bytes of this object or of one that has to make room.
    pub fn init<M>(&mut self, memory: &mut M, address: u64, object: Mbarrier) -> Result<(), MemoryFault>
    where
        M: Memory + ?Sized,
    {
        memory.bytes(address, OBJECT_BYTES)?;
        *self.half(memory, address)? = Some(object);
        Ok(())
    }

    /// Runs one operation on the object at `address`.
    ///
    /// # Errors
    /// When memory lacks the bytes of this object or of one that has to make room.
    pub fn operate<M, R>(
        &mut self,
        memory: &mut M,
        address: u64,
        operation: impl FnOnce(&mut Mbarrier) -> R,
    ) -> Result<R, MemoryFault>
    where
        M: Memory + ?Sized,
    {
        let stored = read(memory, address)?;
        Ok(operation(self.half(memory, address)?.get_or_insert(stored)))
    }

    /// Writes the object at `address` back and drops it (`mbarrier.inval`).
    ///
    /// # Errors
    /// When memory lacks its bytes.
    pub fn invalidate<M>(&mut self, memory: &mut M, address: u64) -> Result<(), MemoryFault>
    where
        M: Memory + ?Sized,
    {
        let (line, half) = place(address);
        if let Some(at) = self.entries.iter().position(|entry| entry.address == line) {
            let entry = &mut self.entries[at];
            if let Some(object) = entry.halves[half].take() {
                write(memory, address, object)?;
            }
            if entry.halves == [None, None] {
                self.entries.remove(at);
            }
        }
        Ok(())
    }

    /// The object at `address` as operations see it, without touching the cache.
    ///
    /// # Errors
    /// When memory lacks its bytes.
    pub fn peek<M>(&self, memory: &M, address: u64) -> Result<Mbarrier, MemoryFault>
    where
        M: Memory + ?Sized,
    {
        let (line, half) = place(address);
        let cached =
            self.entries.iter().find(|entry| entry.address == line).and_then(|entry| entry.halves[half]);
        cached.map_or_else(|| read(memory, address), Ok)
    }

    /// Writes everything back and empties the cache: the end of a kernel with cluster dimensions.
    ///
    /// # Errors
    /// When memory lacks the bytes of an object.
    pub fn write_back<M>(&mut self, memory: &mut M) -> Result<(), MemoryFault>
    where
        M: Memory + ?Sized,
    {
        self.entries.drain(..).try_for_each(|entry| entry.write_back(memory))
    }

    /// Forgets everything: the end of any other kernel.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The place of an object, its entry now the most recently used; makes room when needed.
    fn half<M>(&mut self, memory: &mut M, address: u64) -> Result<&mut Option<Mbarrier>, MemoryFault>
    where
        M: Memory + ?Sized,
    {
        let (line, half) = place(address);
        let entry = match self.entries.iter().position(|entry| entry.address == line) {
            Some(at) => self.entries.remove(at),
            None => {
                if self.entries.len() >= ENTRIES {
                    self.entries.remove(0).write_back(memory)?;
                }
                Entry { address: line, halves: [None, None] }
            }
        };
        let last = self.entries.len();
        self.entries.push(entry);
        Ok(&mut self.entries[last].halves[half])
    }
}

impl Entry {
    fn write_back<M>(self, memory: &mut M) -> Result<(), MemoryFault>
    where
        M: Memory + ?Sized,
    {
        for (half, object) in self.halves.into_iter().enumerate() {
            if let Some(object) = object {
                write(memory, self.address + half as u64 * OBJECT_BYTES, object)?;
            }
        }
        Ok(())
    }
}

fn place(address: u64) -> (u64, usize) {
    (address & !(ENTRY_BYTES - 1), (address / OBJECT_BYTES % 2) as usize)
}

fn read<M: Memory + ?Sized>(memory: &M, address: u64) -> Result<Mbarrier, MemoryFault> {
    let mut word = [0; 8];
    word.copy_from_slice(memory.bytes(address, OBJECT_BYTES)?);
    Ok(Mbarrier(u64::from_le_bytes(word)))
}

fn write<M: Memory + ?Sized>(memory: &mut M, address: u64, object: Mbarrier) -> Result<(), MemoryFault> {
    memory.bytes_mut(address, OBJECT_BYTES)?.copy_from_slice(&object.0.to_le_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;
    use crate::mbarrier::MbarrierLayout;

    fn word(memory: &Region, address: u64) -> u64 {
        read(memory, address).unwrap().0
    }

    #[test]
    fn memory_keeps_old_bytes_until_the_object_is_written_back() {
        let mut memory = Region::new(0, vec![0x33; 1024]);
        let mut cache = BarrierCache::default();
        let object = Mbarrier::init(7, MbarrierLayout::V0);
        for k in 0..16 {
            cache.init(&mut memory, k * 16, object).unwrap();
        }
        assert_eq!(word(&memory, 0), 0x3333_3333_3333_3333);
        cache.operate(&mut memory, 0, |b| b.arrive(1)).unwrap().unwrap();
        cache.init(&mut memory, 256, object).unwrap();
        // The entry of 16 was used longest ago.
        assert_eq!(word(&memory, 16), object.0);
        assert_eq!(word(&memory, 0), 0x3333_3333_3333_3333);
        cache.invalidate(&mut memory, 0).unwrap();
        assert_eq!(Mbarrier(word(&memory, 0)).pending(), 6);
        assert_eq!(word(&memory, 8), 0x3333_3333_3333_3333);
    }
}
