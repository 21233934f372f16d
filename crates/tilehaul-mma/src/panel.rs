//! Operands decoded once, and the inner loops over them: eight columns of the result at a time.
//!
//! Every operand, and every product of two, is exact in a single, so a term that is cut to `kept` bits below the
//! exponent `top` is `a * b * 2^(kept - top)` converted to an integer. Exponents are those the units count with: the
//! sum of the operands' own, before any normalisation. What does not fit (specials, extreme exponents) is left to the
//! scalar form of each model.

use smallvec::{SmallVec, smallvec};
use wide::{f32x8, i16x8, i32x8};

use crate::format::{Format, Reader};
use crate::product::{Bits, Operands};

/// Where each k goes so that what is summed lies side by side; `None` leaves K as it is.
pub(crate) type Order<'t> = Option<&'t [usize]>;

/// Columns computed together.
pub(crate) const LANES: usize = 8;

/// Exponent of a zero operand: so low that a product with it never is the largest.
pub(crate) const ZERO_EXPONENT: i16 = -8000;

/// Below this, every product of a sum is zero.
pub(crate) const ALL_ZERO: i16 = ZERO_EXPONENT / 2;

/// Largest exponents with which a term is exact in singles: much smaller products vanish, larger ones stay finite.
pub(crate) const SAFE_TOP: std::ops::RangeInclusive<i16> = -80..=100;

/// Products that an `i32` can sum with an addend: each is below 2^(kept + 2), the addend below 2^(kept + 1), and `kept` is
/// at most 25.
const TERMS_PER_SUM: usize = 8;

/// Both operands of one instruction; those of one warp's fit without the heap.
pub(crate) struct Panels {
    depth: usize,
    /// Row-major, rows x depth.
    a_values: SmallVec<[f32; 512]>,
    a_exponents: SmallVec<[i16; 512]>,
    a_special: SmallVec<[bool; 16]>,
    /// For each group of eight columns: depth x 8.
    b_values: SmallVec<[[f32; LANES]; 32]>,
    b_exponents: SmallVec<[[i16; LANES]; 32]>,
    b_special: SmallVec<[[bool; LANES]; 2]>,
}

/// One row of A against eight columns of B, over some of K.
#[derive(Clone, Copy)]
pub(crate) struct Strip<'p> {
    a_values: &'p [f32],
    a_exponents: &'p [i16],
    b_values: &'p [[f32; LANES]],
    b_exponents: &'p [[i16; LANES]],
    /// Columns that hold an infinity or a NaN.
    pub(crate) special: &'p [bool; LANES],
}

impl Panels {
    /// Decodes `a`, rows x depth, and `b`, columns x depth. `order` puts each k where its sum wants it. `None` when a
    /// format is not a float of at most 32 bits.
    pub(crate) fn new<A: Bits, B: Bits>(
        (a_format, b_format): (Format, Format),
        depth: usize,
        a: &[A],
        b: &[B],
        order: Order<'_>,
    ) -> Option<Panels> {
        let (a_reader, b_reader) = (Reader::new(a_format)?, Reader::new(b_format)?);
        let depth = depth.max(1);
        let groups = (b.len() / depth).div_ceil(LANES);
        let mut panels = Panels {
            depth,
            a_values: smallvec![0.0; a.len()],
            a_exponents: smallvec![ZERO_EXPONENT; a.len()],
            a_special: SmallVec::with_capacity(a.len() / depth),
            b_values: smallvec![[0.0; LANES]; groups * depth],
            b_exponents: smallvec![[ZERO_EXPONENT; LANES]; groups * depth],
            b_special: smallvec![[false; LANES]; groups],
        };
        // One row at a time in a plain loop over neighbours, which becomes vector code; moved to its place afterwards.
        let mut row_values: SmallVec<[f32; 32]> = smallvec![0.0; depth];
        let mut row_exponents: SmallVec<[i16; 32]> = smallvec![0; depth];
        let rows = panels.a_values.chunks_exact_mut(depth).zip(panels.a_exponents.chunks_exact_mut(depth));
        for (raw, (values, exponents)) in a.chunks_exact(depth).zip(rows) {
            let special = match order {
                None => decode(a_reader, raw, values, exponents),
                Some(order) => {
                    let special = decode(a_reader, raw, &mut row_values, &mut row_exponents);
                    for (&to, (value, exponent)) in order.iter().zip(row_values.iter().zip(&row_exponents)) {
                        (values[to], exponents[to]) = (*value, *exponent);
                    }
                    special
                }
            };
            panels.a_special.push(special);
        }
        for (column, raw) in b.chunks_exact(depth).enumerate() {
            let (group, lane) = (column / LANES, column % LANES);
            let values = &mut panels.b_values[group * depth..][..depth];
            let exponents = &mut panels.b_exponents[group * depth..][..depth];
            let special = decode(b_reader, raw, &mut row_values, &mut row_exponents);
            match order {
                None => {
                    for (line, value) in values.iter_mut().zip(&row_values) {
                        line[lane] = *value;
                    }
                    for (line, exponent) in exponents.iter_mut().zip(&row_exponents) {
                        line[lane] = *exponent;
                    }
                }
                Some(order) => {
                    for (&to, (value, exponent)) in order.iter().zip(row_values.iter().zip(&row_exponents)) {
                        (values[to][lane], exponents[to][lane]) = (*value, *exponent);
                    }
                }
            }
            panels.b_special[group][lane] = special;
        }
        Some(panels)
    }

    /// Row `row` against columns `group * 8` and up; `None` when the row holds an infinity or a NaN.
    fn strip(&self, row: usize, group: usize) -> Option<Strip<'_>> {
        let depth = self.depth;
        if self.a_special.get(row) != Some(&false) {
            return None;
        }
        Some(Strip {
            a_values: self.a_values.get(row * depth..(row + 1) * depth)?,
            a_exponents: self.a_exponents.get(row * depth..(row + 1) * depth)?,
            b_values: self.b_values.get(group * depth..(group + 1) * depth)?,
            b_exponents: self.b_exponents.get(group * depth..(group + 1) * depth)?,
            special: self.b_special.get(group)?,
        })
    }
}

/// Values and exponents of a row, and whether any of it is an infinity or a NaN.
#[inline]
fn decode<T: Bits>(reader: Reader, raw: &[T], values: &mut [f32], exponents: &mut [i16]) -> bool {
    let mut special = false;
    for ((raw, value), exponent) in raw.iter().zip(values).zip(exponents) {
        let raw = raw.raw();
        *value = reader.value(raw);
        *exponent = reader.exponent(raw, ZERO_EXPONENT);
        special |= reader.is_special(raw);
    }
    special
}

impl<'p> Strip<'p> {
    /// Places `from` to `to` of K.
    #[inline]
    pub(crate) fn part(&self, from: usize, to: usize) -> Strip<'p> {
        let to = to.min(self.a_values.len());
        let from = from.min(to);
        Strip {
            a_values: &self.a_values[from..to],
            a_exponents: &self.a_exponents[from..to],
            b_values: &self.b_values[from..to],
            b_exponents: &self.b_exponents[from..to],
            special: self.special,
        }
    }

    /// Places of K.
    pub(crate) fn depth(&self) -> usize {
        self.a_values.len()
    }

    /// The largest exponent of a product that is not zero, in each column.
    #[inline]
    pub(crate) fn tops(&self) -> [i16; LANES] {
        let mut tops = i16x8::splat(2 * ZERO_EXPONENT);
        for (exponent, column) in self.a_exponents.iter().zip(self.b_exponents) {
            tops = tops.max(i16x8::splat(*exponent) + i16x8::from(*column));
        }
        tops.to_array()
    }

    /// Sums of the products and of an addend, each cut toward zero to `kept` bits below `tops`, as whole numbers; `flip`
    /// is -1 to negate all products. Columns whose top is not safe hold anything.
    #[inline]
    pub(crate) fn cut_sums(
        &self,
        tops: &[i16; LANES],
        kept: i32,
        flip: f32,
        addends: &[f32; LANES],
    ) -> [f64; LANES] {
        let scales = f32x8::from(tops.map(|top| power(kept - i32::from(top))));
        let mut part = (f32x8::from(*addends) * scales).fast_trunc_int();
        let scales = scales * f32x8::splat(flip);
        if self.a_values.is_empty() {
            return part.to_array().map(f64::from);
        }
        let mut sums = [0f64; LANES];
        for (a, b) in self.a_values.chunks(TERMS_PER_SUM).zip(self.b_values.chunks(TERMS_PER_SUM)) {
            for (value, column) in a.iter().zip(b) {
                let products = f32x8::splat(*value) * f32x8::from(*column);
                part += (products * scales).fast_trunc_int();
            }
            // Whole numbers below 2^53: adding doubles is exact.
            for (sum, part) in sums.iter_mut().zip(part.to_array()) {
                *sum += f64::from(part);
            }
            part = i32x8::splat(0);
        }
        sums
    }
}

/// Eight results, some of which may have to be found another way.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    /// Raw accumulators.
    pub(crate) bits: [u64; LANES],
    /// Is the lane's result good?
    pub(crate) good: [bool; LANES],
}

impl Lanes {
    /// No lane is good.
    pub(crate) const NONE: Lanes = Lanes { bits: [0; LANES], good: [false; LANES] };
}

/// 2^exponent as a double, for exponents of normal ones.
#[inline]
pub(crate) fn power_f64(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent).clamp(1, 2046) as u64) << 52)
}

/// 2^exponent as a single, held within the normal ones.
#[inline]
pub(crate) fn power(exponent: i32) -> f32 {
    f32::from_bits(((127 + exponent).clamp(1, 254) as u32) << 23)
}

/// Fills D from blocks of eight columns; lanes that `block` leaves open come from `exact`, which is given row, column and
/// accumulator.
pub(crate) fn fill<A: Bits, B: Bits, C: Bits>(
    panels: Option<&Panels>,
    operands: &Operands<'_, A, B, C>,
    d: &mut [C],
    block: impl Fn(&Strip<'_>, &[u64; LANES]) -> Lanes,
    exact: impl Fn(usize, usize, u64) -> u64,
) {
    let columns = operands.columns.max(1);
    for (row, line) in d.chunks_mut(columns).enumerate() {
        for (group, lanes) in line.chunks_mut(LANES).enumerate() {
            let first = row * columns + group * LANES;
            let mut addends = [0; LANES];
            if let Some(c) = operands.c.and_then(|c| c.get(first..)) {
                for (addend, c) in addends.iter_mut().zip(c).take(lanes.len()) {
                    *addend = c.raw();
                }
            }
            let strip = panels.and_then(|panels| panels.strip(row, group));
            let results = strip.map_or(Lanes::NONE, |strip| block(&strip, &addends));
            for (lane, element) in lanes.iter_mut().enumerate() {
                *element = C::from_raw(match results.good[lane] {
                    true => results.bits[lane],
                    false => exact(row, group * LANES + lane, addends[lane]),
                });
            }
        }
    }
}
