//! Vector registers of waves, handed on from those that end to those that start.
//!
//! A wave of 64 lanes has 256 KiB of them. Making them was most of the time of a launch with many small workgroups; a kernel
//! names a few dozen, and only those have to be made anew.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use crate::wave::VECTOR_REGISTERS;

/// What a register holds before it is written.
const UNWRITTEN: u32 = 0xdead_beef;

/// Register files of waves that have ended.
#[derive(Debug, Default)]
pub(crate) struct Pool<const L: usize>(Mutex<Vec<Vec<[u32; L]>>>);

/// The vector registers of one wave.
#[derive(Debug)]
pub(crate) struct VectorRegisters<const L: usize> {
    rows: Vec<[u32; L]>,
    from: Arc<Pool<L>>,
}

impl<const L: usize> VectorRegisters<L> {
    /// Registers that nobody has written, for code that uses no others than those `named`.
    pub(crate) fn new(from: &Arc<Pool<L>>, named: &[u16]) -> VectorRegisters<L> {
        let used = from.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let rows = match used {
            Some(mut rows) => {
                for &n in named {
                    if let Some(row) = rows.get_mut(usize::from(n)) {
                        *row = [UNWRITTEN; L];
                    }
                }
                rows
            }
            None => vec![[UNWRITTEN; L]; VECTOR_REGISTERS],
        };
        VectorRegisters { rows, from: Arc::clone(from) }
    }
}

impl<const L: usize> Drop for VectorRegisters<L> {
    fn drop(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        self.from.0.lock().unwrap_or_else(PoisonError::into_inner).push(rows);
    }
}

impl<const L: usize> Deref for VectorRegisters<L> {
    type Target = [[u32; L]];

    #[inline]
    fn deref(&self) -> &[[u32; L]] {
        &self.rows
    }
}

impl<const L: usize> DerefMut for VectorRegisters<L> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [[u32; L]] {
        &mut self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_registers_of_the_next_wave_are_unwritten() {
        let pool = Arc::new(Pool::<32>::default());
        let mut first = VectorRegisters::new(&pool, &[3, 700]);
        (first[3], first[700]) = ([1; 32], [2; 32]);
        drop(first);
        let second = VectorRegisters::new(&pool, &[3, 700]);
        assert_eq!(
            (second[3], second[700], second.len()),
            ([UNWRITTEN; 32], [UNWRITTEN; 32], VECTOR_REGISTERS)
        );
    }
}
