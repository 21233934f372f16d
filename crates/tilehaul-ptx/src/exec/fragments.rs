//! What lanes hold of a matrix: the fragments of `mma.sync` and `wgmma`.
//!
//! manual: PTX ISA, "Matrix Fragments": lane `l` has group `g = l / 4` and `t = l % 4`. A 32-bit register of A holds one
//! word of a row: register `r` is row `g + 8 (r mod 2)`, word `t + 4 (r / 2)`; of B column `g`, word `t + 4 r`. A result
//! register pair holds columns `2t` and `2t + 1` of row `g`, the next pair of row `g + 8`, then eight columns on.
//!
//! Four lanes hold neighbours in a row, so everything here goes by four lanes at a time, with lengths that the compiler
//! knows.

use tilehaul_descriptor::nvidia::Architecture;

use super::Cx;
use crate::alu::Lanes;
use crate::inst::Slot;

impl Cx<'_> {
    /// The elements of a fragment, row by row: `k` of each row, `bytes` each. `tall` for 16 rows in two halves.
    pub(super) fn fragment(&self, regs: &[u32], k: usize, bytes: usize, tall: bool, out: &mut [u32]) {
        for (r, &slot) in regs.iter().enumerate() {
            let (row_step, word_step) = if tall { (r % 2, r / 2) } else { (0, r) };
            let first = 8 * row_step * k + 4 * word_step * (4 / bytes);
            let Some(out) = out.get_mut(first..) else { continue };
            let row = self.reg(slot);
            match bytes {
                1 => spread::<4>(row, k, out),
                2 => spread::<2>(row, k, out),
                _ => spread::<1>(row, k, out),
            }
        }
    }

    /// The elements of a result that registers hold, row by row.
    pub(super) fn gather_result(&self, regs: &[Slot], form: ResultForm, c: &mut [u32]) {
        if form.halves {
            for (r, &slot) in regs.iter().enumerate() {
                let Some(rows) = c.get_mut(form.first(r)..) else { continue };
                for (four, row) in self.reg(slot).as_chunks::<4>().0.iter().zip(rows.chunks_mut(form.n)) {
                    let Some(pairs) = four_pairs(row) else { continue };
                    for (pair, v) in pairs.iter_mut().zip(four) {
                        *pair = [*v as u32 & 0xffff, (*v >> 16) as u32 & 0xffff];
                    }
                }
            }
            return;
        }
        for (i, pair) in regs.as_chunks::<2>().0.iter().enumerate() {
            let Some(rows) = c.get_mut(form.first(2 * i)..) else { continue };
            let [first, second] = pair.map(|slot| self.reg(slot).as_chunks::<4>().0);
            for ((first, second), row) in first.iter().zip(second).zip(rows.chunks_mut(form.n)) {
                let Some(pairs) = four_pairs(row) else { continue };
                for (pair, (first, second)) in pairs.iter_mut().zip(first.iter().zip(second)) {
                    *pair = [*first as u32, *second as u32];
                }
            }
        }
    }
}

/// Puts the `PER` elements of each lane's word at the places of a fragment: four lanes to a row of `k`.
fn spread<const PER: usize>(words: &Lanes, k: usize, out: &mut [u32]) {
    let bits = 32 / PER;
    for (four, row) in words.as_chunks::<4>().0.iter().zip(out.chunks_mut(k)) {
        let Some(places) = row.as_chunks_mut::<PER>().0.first_chunk_mut::<4>() else { continue };
        for (word, elements) in four.iter().zip(places) {
            for (i, e) in elements.iter_mut().enumerate() {
                *e = *word as u32 >> (bits * i) & (u32::MAX >> (32 - bits));
            }
        }
    }
}

/// The pairs that four lanes have of a row.
fn four_pairs(row: &mut [u32]) -> Option<&mut [[u32; 2]; 4]> {
    row.as_chunks_mut().0.first_chunk_mut()
}

/// Where the elements of a result with `n` columns lie in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultForm {
    pub(super) n: usize,
    /// Two elements to a register.
    pub(super) halves: bool,
    /// Eight rows instead of sixteen.
    pub(super) eight_rows: bool,
}

impl ResultForm {
    /// Row-major place of the pair of elements that lane 0 has in register `r`, or one of which it has (the second one in
    /// odd registers); lane `l` has the pair `l / 4` rows down and `2 (l mod 4)` columns to the right.
    fn first(self, r: usize) -> usize {
        match (self.halves, self.eight_rows) {
            (true, _) => 8 * (r % 2) * self.n + 8 * (r / 2),
            (false, true) => 8 * (r / 2),
            (false, false) => 8 * (r / 2 % 2) * self.n + 8 * (r / 4),
        }
    }

    /// Hands over what the lanes hold in each of `registers` registers of a result, with the register's number.
    pub(super) fn each_register(self, d: &[u32], registers: usize, mut give: impl FnMut(usize, &Lanes)) {
        let step = if self.halves { 1 } else { 2 };
        let mut held = [[0; 32]; 2];
        for r in (0..registers).step_by(step) {
            let rows = d.get(self.first(r)..).unwrap_or_default();
            let [first, second] = &mut held;
            let lanes = first.as_chunks_mut::<4>().0.iter_mut().zip(second.as_chunks_mut::<4>().0);
            for ((first, second), row) in lanes.zip(rows.chunks(self.n)) {
                let Some(pairs) = row.as_chunks::<2>().0.first_chunk::<4>() else { continue };
                for ((first, second), pair) in first.iter_mut().zip(second).zip(pairs) {
                    if self.halves {
                        *first = u64::from(pair[0] & 0xffff | pair[1] << 16);
                    } else {
                        (*first, *second) = (u64::from(pair[0]), u64::from(pair[1]));
                    }
                }
            }
            for (i, row) in held.iter().enumerate().take(step) {
                give(r + i, row);
            }
        }
    }
}

/// sm_100 and later.
pub(super) fn blackwell(architecture: &Architecture) -> bool {
    architecture.number >= 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_element_has_one_register() {
        for (n, halves) in [(8, false), (32, false), (16, true)] {
            let mut seen = vec![0; 16 * n];
            let registers = n / 2 / if halves { 2 } else { 1 };
            for lane in 0..32 {
                for r in 0..registers {
                    let first = ResultForm { n, halves, eight_rows: false }.first(r);
                    let odd = if halves { 0 } else { r % 2 };
                    let at = first + lane / 4 * n + lane % 4 * 2 + odd;
                    seen[at..at + if halves { 2 } else { 1 }].iter_mut().for_each(|count| *count += 1);
                }
            }
            assert!(seen.iter().all(|&s| s == 1), "{n} {halves}");
        }
    }
}
