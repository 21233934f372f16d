//! The LDS barrier object of gfx1250 in a memory: who arrives, and what a waiter sees.
//!
//! Shader instructions arrive on it (`ds_atomic_async_barrier_arrive_b64`, counted in ASYNCcnt, and
//! `ds_atomic_barrier_arrive_rtn_b64`, counted in DScnt, which returns the state before), and the tensor engine does when
//! a descriptor asks for it. Waiters poll the low bit of the phase, or sleep until it changes.

use tilehaul_descriptor::amd::lds_barrier_word::{LdsBarrierWord, PendingWidth};

use crate::{Memory, MemoryFault};

/// What one arrive did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The word before.
    pub before: u64,
    /// The word after.
    pub after: u64,
    /// The phase changed: sleeping waves of the workgroup wake.
    pub phase_changed: bool,
}

/// Reads the barrier word at LDS address `address`.
///
/// # Errors
/// When the memory lacks the eight bytes.
pub fn read<M: Memory + ?Sized>(
    memory: &M,
    address: u64,
    width: PendingWidth,
) -> Result<LdsBarrierWord, MemoryFault> {
    let bytes = memory.bytes(address, 8)?;
    let mut word = [0; 8];
    word.copy_from_slice(bytes);
    Ok(LdsBarrierWord { word: u64::from_le_bytes(word), width })
}

/// Arrives `count` times at the barrier at LDS address `address`.
///
/// # Errors
/// When the memory lacks the eight bytes.
pub fn arrive<M: Memory + ?Sized>(
    memory: &mut M,
    address: u64,
    count: u64,
    width: PendingWidth,
) -> Result<Arrived, MemoryFault> {
    let mut barrier = read(memory, address, width)?;
    let before = barrier.word;
    let phase_changed = barrier.arrive(count);
    memory.bytes_mut(address, 8)?.copy_from_slice(&barrier.word.to_le_bytes());
    Ok(Arrived { before, after: barrier.word, phase_changed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;

    #[test]
    fn the_last_arrival_changes_the_phase_in_memory() {
        let start = LdsBarrierWord::for_arrivals(2, PendingWidth::W29).word;
        let mut memory = Region::new(0, [[0; 8], start.to_le_bytes()].concat());
        let first = arrive(&mut memory, 8, 1, PendingWidth::W29).unwrap();
        assert!(!first.phase_changed);
        let second = arrive(&mut memory, 8, 1, PendingWidth::W29).unwrap();
        assert_eq!((second.before, second.after, second.phase_changed), (first.after, 0x1_e000_0001, true));
        assert_eq!(read(&memory, 8, PendingWidth::W29).unwrap().phase() & 1, 1);
        assert!(arrive(&mut memory, 16, 1, PendingWidth::W29).is_err());
    }
}
