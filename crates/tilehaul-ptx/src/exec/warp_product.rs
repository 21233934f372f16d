//! `mma.sync` with narrow elements, with factors of blocks and with a sparse A.
//!
//! Fragments are those of [`super::matrix`]: word `t + 4 (r / 2)` of row `g + 8 (r mod 2)` for A, word `t + 4 r` of column
//! `g` for B, however many elements a word holds.
//!
//! Factors (manual: PTX ISA, block scaling of `mma`; which lane has which row was also measured by others on sm_120): row
//! `r` of A has its factors in lane `4 (r mod 8) + 2 thread + r / 8` of the warp, column `c` of B in lane `4 c + thread`,
//! from byte `byte` of the register on.
//!
//! Sparse A (manual: PTX ISA, sparse matrix storage; hardware: h200 mma section 9): which thread of a quad holds the places
//! of which elements says [`crate::warp_product::SparseUnit`]. Elements of B that no place names are not looked at.

use tilehaul_mma::{Format, Operands, Overflow, Product, Sign, catalogue};

use super::fragments::{ResultForm, blackwell};
use super::{Cx, Step, Stepped, Stop};
use crate::warp_product::{Extra, FactorSource, Fragment, Sparse, WarpProduct};

impl Cx<'_> {
    pub(super) fn warp_product(&mut self, op: &WarpProduct) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let (m, n, k) = (op.m as usize, op.n as usize, op.k as usize);
        let held = if matches!(op.extra, Extra::Sparse(_)) { k / 2 } else { k };
        let mut a = vec![0; m * held];
        let mut b = vec![0; n * k];
        self.elements(&op.a, held, m == 16, &mut a);
        self.elements(&op.b, k, false, &mut b);
        let form = ResultForm { n, halves: op.accumulator == Format::F16, eight_rows: m == 8 };
        let (mut c, mut d) = (vec![0; m * n], vec![0; m * n]);
        self.gather_result(&op.c, form, &mut c);
        let operands = Operands { rows: m, columns: n, a: &a, b: &b, c: Some(&c[..]), sign: Sign::Keep };
        let told = |e: tilehaul_mma::ShapeError| Stop::Unsupported(e.to_string());
        match op.extra {
            Extra::Scaled { unit, a, b } => {
                let row = |row: usize, thread: usize| 4 * (row % 8) + 2 * thread + row / 8;
                let of_a = self.factor_bytes(a, 16, unit.each, 1, row)?;
                let of_b = self.factor_bytes(b, n, unit.each, 3, |column, thread| 4 * column + thread)?;
                unit.multiply(&operands, &of_a, &of_b, &mut d).map_err(told)?;
            }
            Extra::None => self.unit(op, k)?.multiply_dwords(&operands, &mut d).map_err(told)?,
            Extra::Bits { and } => {
                // manual: PTX ISA, mma: the number of bits set, added modulo 2^32.
                for (at, e) in d.iter_mut().enumerate() {
                    let pairs = a.iter().skip(at / n * k).zip(b.iter().skip(at % n * k)).take(k);
                    let set: u32 = pairs.map(|(x, y)| if and { x & y } else { x ^ y }).sum();
                    *e = c.get(at).copied().unwrap_or(0).wrapping_add(set);
                }
            }
            Extra::Sparse(sparse) => {
                let places = self.places(sparse, 16, k)?;
                multiply_sparse(&self.unit(op, held)?, &operands, k, &places, &mut d);
            }
        }
        form.each_register(&d, op.d.len(), |r, row| {
            if let Some(&slot) = op.d.get(r) {
                self.set(slot, row);
            }
        });
        Ok(Step::Next)
    }

    fn unit(&self, op: &WarpProduct, depth: usize) -> Result<Product, Stop> {
        let overflow = if op.saturate { Overflow::Saturate } else { Overflow::Wrap };
        let unit =
            if blackwell(self.p.architecture) { catalogue::nvidia_blackwell } else { catalogue::nvidia_mma };
        let product = unit(op.a.format, op.b.format, op.accumulator, depth, overflow);
        product
            .map(|product| product.summed(self.p.sums))
            .ok_or_else(|| Stop::Unsupported(format!("the arithmetic of {}", self.p.name(self.pc))))
    }

    /// The elements of a fragment, row by row, `k` to a row. `tall` for 16 rows in two halves.
    fn elements(&self, of: &Fragment, k: usize, tall: bool, out: &mut [u32]) {
        let per = (32 / of.container) as usize;
        let mask = u32::MAX >> (32 - of.container);
        for (r, &slot) in of.regs.iter().enumerate() {
            let (row_step, word_step) = if tall { (r % 2, r / 2) } else { (0, r) };
            for (lane, word) in self.reg(slot).iter().enumerate() {
                let (row, word_at) = (lane / 4 + 8 * row_step, lane % 4 + 4 * word_step);
                for i in 0..per {
                    let raw = *word as u32 >> (of.container as usize * i) & mask;
                    if let Some(e) = out.get_mut(row * k + word_at * per + i) {
                        *e = in_byte(of.format, of.container, raw);
                    }
                }
            }
        }
    }

    /// The factors of all rows: `each` bytes from the register of the lane that has the row's.
    fn factor_bytes(
        &self,
        source: FactorSource,
        rows: usize,
        each: usize,
        most: u64,
        lane: impl Fn(usize, usize) -> usize,
    ) -> Result<Vec<u8>, Stop> {
        let first = self.first();
        let (byte, thread) = (self.reg(source.byte)[first], self.reg(source.thread)[first]);
        // manual: PTX ISA, mma: any byte for one factor, 0 or 2 for two, 0 for four.
        if byte + each as u64 > 4 || byte % each as u64 != 0 || thread > most {
            let message = format!(
                "{} selects its factors by byte {byte} of thread {thread}, where {each} of them start at a multiple of {each} below 4 and the thread is 0 to {most}",
                self.p.name(self.pc)
            );
            return Err(self.fail("mma-factor-selector", message));
        }
        let data = self.reg(source.data);
        let mut all = Vec::with_capacity(rows * each);
        for row in 0..rows {
            let word = data.get(lane(row, thread as usize)).map_or([0; 4], |v| (*v as u32).to_le_bytes());
            all.extend((0..each).filter_map(|i| word.get(byte as usize + i)));
        }
        Ok(all)
    }

    /// For each row, which elements along K a sparse A holds.
    pub(super) fn places(&self, sparse: Sparse, rows: usize, k: usize) -> Result<Vec<u16>, Stop> {
        let threads = sparse.unit.threads(k as u32) as usize;
        let chunk = sparse.unit.chunk();
        let words = self.reg(sparse.metadata);
        let mut all = Vec::with_capacity(rows * k / 2);
        for row in 0..rows {
            for at in 0..k as u32 / chunk {
                let (thread, bit) = sparse.unit.thread_and_bit(row as u32, at);
                let lane = 4 * (row % 8) + sparse.selector as usize * threads + thread as usize;
                let bits = words.get(lane).map_or(0, |v| *v as u32) >> bit & 15;
                let Some((places, count)) = sparse.unit.places(bits, sparse.ordered) else {
                    let message = format!(
                        "{}: the metadata of row {row}, columns {} to {}, is {bits:#06b} (lane {lane}), which names no two places{}",
                        self.p.name(self.pc),
                        chunk * at,
                        chunk * (at + 1) - 1,
                        if sparse.ordered { " in ascending order" } else { "" }
                    );
                    return Err(self.fail("sparse-metadata", message));
                };
                let together = sparse.unit.together();
                let elements = places
                    .iter()
                    .take(count)
                    .flat_map(|place| (0..together).map(move |i| (chunk * at + place * together + i) as u16));
                all.extend(elements);
            }
        }
        Ok(all)
    }
}

/// Where an element lies in its bits of a register.
///
/// manual: PTX ISA, mma: elements of 6 bits lie in the low bits of a byte, those of 4 bits in its middle.
fn in_byte(format: Format, container: u32, raw: u32) -> u32 {
    match (format, container) {
        (Format::E2m1, 8) => raw >> 2 & 15,
        (Format::E2m3 | Format::E3m2, _) => raw & 63,
        _ => raw,
    }
}

/// A product whose A holds half of K; `places` says for each of its elements where along K it stands.
pub(super) fn multiply_sparse(
    product: &Product,
    operands: &Operands<'_, u32, u32, u32>,
    k: usize,
    places: &[u16],
    d: &mut [u32],
) {
    let Operands { columns, a, b, c, sign, .. } = *operands;
    let held = k / 2;
    let rows = a.chunks_exact(held.max(1)).zip(places.chunks_exact(held.max(1)));
    let mut work = product.workspace(1, columns);
    let mut line = Vec::new();
    for (row, (a, places)) in rows.enumerate() {
        work.a().iter_mut().zip(a).for_each(|(place, element)| *place = *element);
        for (named, column) in work.b().chunks_exact_mut(held.max(1)).zip(b.chunks_exact(k.max(1))) {
            for (e, place) in named.iter_mut().zip(places) {
                *e = column.get(usize::from(*place)).copied().unwrap_or(0);
            }
        }
        if let Some(c) = c {
            let c = c.iter().skip(row * columns);
            work.c().iter_mut().zip(c).for_each(|(place, element)| *place = *element);
        }
        work.multiply(sign, &mut line);
        d.iter_mut().skip(row * columns).zip(&line).for_each(|(place, element)| *place = *element);
    }
}
