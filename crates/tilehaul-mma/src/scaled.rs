//! Block-scaled products: each row of A and column of B has factors, one for every block of K.
//!
//! inferred: published measurements of Blackwell (MMA-Sim, arXiv 2511.10909); none was measured for this project. A factor
//! moves the exponent that a product is aligned by, so nothing is rounded before the sum. Elements of 8 bits are summed
//! as in the fused block of [`crate::fused`], 25 bits below the largest exponent. Packed elements of 4 bits are summed
//! exactly in groups of 16 first, and a group is aligned by the exponents of its factors alone, 35 bits kept.

use tilehaul_diag::Source;

use crate::format::{Format, Layout, Number};
use crate::product::{Operands, ShapeError, Sign};
use crate::round::{Rounding, canonical_nan, infinity, pack};

/// Format of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// A power of two: 8 bits of exponent, all ones is NaN.
    Ue8m0,
    /// [`Format::E4m3`] whose sign is not looked at.
    Ue4m3,
}

/// One block-scaled matrix instruction with an accumulator in singles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scaled {
    /// Format of A.
    pub a: Format,
    /// Format of B.
    pub b: Format,
    /// Format of the factors.
    pub factor: Factor,
    /// Products of one element of D.
    pub depth: usize,
    /// Factors of a row of A or a column of B.
    pub each: usize,
    /// Products that are summed exactly before they are aligned.
    group: usize,
    /// Where that is known from.
    pub source: Source,
}

/// Bits kept below the largest exponent where products are aligned one by one, and where groups are.
const KEPT: i32 = 25;
const KEPT_OF_GROUPS: i32 = 35;
/// Exponents that nothing and a zero accumulator count with.
const ZERO: i32 = -133;
const ZERO_OF_GROUPS: i32 = -139;

/// `(-1)^negative * significand * 2^(exponent - mantissa bits)`.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    significand: i64,
    exponent: i32,
    special: Special,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Special {
    #[default]
    None,
    Infinite,
    Nan,
}

impl Scaled {
    /// The instruction of those formats, `each` factors to a row: `None` when there is none.
    #[must_use]
    pub fn new(a: Format, b: Format, factor: Factor, depth: usize, each: usize) -> Option<Scaled> {
        let small = |f| matches!(f, Format::E4m3 | Format::E5m2 | Format::E2m3 | Format::E3m2 | Format::E2m1);
        let packed = a == Format::E2m1 && b == Format::E2m1 && depth.is_multiple_of(64) && each > 1;
        let fits = each > 0 && depth.is_multiple_of(each) && small(a) && small(b) && (each == 1 || packed);
        // inferred: MMA-Sim for sm_100 and sm_120.
        let source = Source::inferred("MMA-Sim (arXiv 2511.10909) for Blackwell, block-scaled");
        fits.then_some(Scaled { a, b, factor, depth, each, group: if packed { 16 } else { 1 }, source })
    }

    /// All of D, row-major into `d`; factors row by row and column by column.
    ///
    /// # Errors
    /// When an operand has too few or too many elements for the shape; `d` is untouched then.
    pub fn multiply(
        &self,
        operands: &Operands<'_, u32, u32, u32>,
        a_factors: &[u8],
        b_factors: &[u8],
        d: &mut [u32],
    ) -> Result<(), ShapeError> {
        let Operands { rows, columns, a, b, c, sign } = *operands;
        let check = |operand, given, wanted| match given == wanted {
            true => Ok(()),
            false => Err(ShapeError { operand, given, wanted }),
        };
        check("A", a.len(), rows.saturating_mul(self.depth))?;
        check("B", b.len(), columns.saturating_mul(self.depth))?;
        check("D", d.len(), rows.saturating_mul(columns))?;
        check("factors of A", a_factors.len(), rows.saturating_mul(self.each))?;
        check("factors of B", b_factors.len(), columns.saturating_mul(self.each))?;
        if let Some(c) = c {
            check("C", c.len(), d.len())?;
        }
        let read = |format: Format, raw: &[u32]| -> Vec<Value> {
            raw.iter().map(|raw| value(format, u64::from(*raw))).collect()
        };
        let factors = |raw: &[u8]| -> Vec<Value> { raw.iter().map(|raw| self.factor.value(*raw)).collect() };
        let (a, b) = (read(self.a, a), read(self.b, b));
        let (fa, fb) = (factors(a_factors), factors(b_factors));
        for (at, e) in d.iter_mut().enumerate() {
            let (row, column) = (at / columns.max(1), at % columns.max(1));
            let old = c.and_then(|c| c.get(at)).copied().unwrap_or(0);
            *e = self.element(
                part(&a, row, self.depth),
                part(&b, column, self.depth),
                part(&fa, row, self.each),
                part(&fb, column, self.each),
                sign,
                old,
            );
        }
        Ok(())
    }

    fn element(&self, a: &[Value], b: &[Value], fa: &[Value], fb: &[Value], sign: Sign, c: u32) -> u32 {
        let (Some(la), Some(lb), Some(layout)) = (self.a.layout(), self.b.layout(), Format::F32.layout())
        else {
            return 0;
        };
        let old = value(Format::F32, u64::from(c));
        if let Some(special) = special(&layout, a, b, fa, fb, sign, old) {
            return special;
        }
        let (kept, zero) = if self.group > 1 { (KEPT_OF_GROUPS, ZERO_OF_GROUPS) } else { (KEPT, ZERO) };
        let block = self.depth / self.each;
        let fraction = (la.mantissa + lb.mantissa) as i32 + 2 * self.factor.fraction();
        // Significand and exponent of each group of products.
        let groups = a.chunks(self.group).zip(b.chunks(self.group)).enumerate().map(|(g, (a, b))| {
            let (fa, fb) = (at(fa, g * self.group / block), at(fb, g * self.group / block));
            let moved = fa.exponent + fb.exponent;
            let by = fa.significand * fb.significand;
            if self.group == 1 {
                let (a, b) = (at(a, 0), at(b, 0));
                return (a.significand * b.significand * by, moved + a.exponent + b.exponent, fraction);
            }
            // Exponents of 4-bit elements are 0 to 2.
            let sum: i64 = a
                .iter()
                .zip(b)
                .map(|(a, b)| (a.significand * b.significand) << (a.exponent + b.exponent).clamp(0, 8))
                .sum();
            let none = by == 0 || a.iter().zip(b).all(|(a, b)| a.significand * b.significand == 0);
            (sum * by, if none { zero } else { moved }, fraction)
        });
        let counted = |(significand, exponent, _): (i64, i32, i32)| {
            if significand == 0 && self.group == 1 { zero } else { exponent }
        };
        let of_c = if old.significand == 0 { zero } else { old.exponent };
        let top = groups.clone().map(counted).max().unwrap_or(zero).max(of_c);
        let cut = |significand: i64, exponent: i32, fraction: i32| {
            let shift = kept - fraction - (top - exponent);
            let size = significand.unsigned_abs();
            let size = match shift {
                // Groups have at most 20 bits, and shifts upwards stay below 35.
                0.. => size << shift.min(40),
                -63..=-1 => size >> -shift,
                _ => 0,
            }
            .cast_signed();
            if significand < 0 { -size } else { size }
        };
        let sum: i64 = groups.map(|(s, e, f)| cut(s, e, f)).sum();
        let sum = if sign.flips() { -sum } else { sum } + cut(old.significand, old.exponent, 23);
        pack(&layout, sum, top - kept, Rounding::TowardZero) as u32
    }
}

/// NaNs and infinities, decided before anything is summed; `None` when there are none.
fn special(
    layout: &Layout,
    a: &[Value],
    b: &[Value],
    fa: &[Value],
    fb: &[Value],
    sign: Sign,
    c: Value,
) -> Option<u32> {
    let (mut plus, mut minus) = (false, false);
    let mut nan = c.special == Special::Nan || fa.iter().chain(fb).any(|f| f.special == Special::Nan);
    let mut see = |negative: bool| if negative { minus = true } else { plus = true };
    if c.special == Special::Infinite {
        see(c.significand < 0);
    }
    for (a, b) in a.iter().zip(b) {
        match (a.special, b.special) {
            (Special::None, Special::None) => {}
            (Special::Nan, _) | (_, Special::Nan) => nan = true,
            _ if a.significand == 0 || b.significand == 0 => nan = true,
            _ => see(((a.significand < 0) != (b.significand < 0)) != sign.flips()),
        }
    }
    if nan || plus && minus {
        return Some(canonical_nan(Format::F32) as u32);
    }
    (plus || minus).then(|| infinity(layout, minus) as u32)
}

fn part(all: &[Value], row: usize, len: usize) -> &[Value] {
    all.get(row * len..(row + 1) * len).unwrap_or_default()
}

fn at(all: &[Value], index: usize) -> Value {
    all.get(index).copied().unwrap_or_default()
}

/// Infinities have a significand of one, for its sign.
fn value(format: Format, raw: u64) -> Value {
    let signed = |negative: bool, size: i64| if negative { -size } else { size };
    match format.layout().map(|layout| layout.decode(raw)) {
        Some(Number::Finite { negative, significand, exponent }) => Value {
            // Significands have at most 24 bits.
            significand: signed(negative, significand.cast_signed()),
            exponent,
            special: Special::None,
        },
        Some(Number::Infinite { negative }) => {
            Value { significand: signed(negative, 1), exponent: 0, special: Special::Infinite }
        }
        Some(Number::Nan) | None => Value { special: Special::Nan, ..Value::default() },
    }
}

impl Factor {
    /// Bits below the point of a factor's significand.
    fn fraction(self) -> i32 {
        match self {
            Factor::Ue8m0 => 0,
            Factor::Ue4m3 => 3,
        }
    }

    fn value(self, raw: u8) -> Value {
        match (self, raw) {
            (Factor::Ue8m0, 255) => Value { special: Special::Nan, ..Value::default() },
            (Factor::Ue8m0, raw) => {
                Value { significand: 1, exponent: i32::from(raw) - 127, special: Special::None }
            }
            (Factor::Ue4m3, raw) => value(Format::E4m3, u64::from(raw & 0x7f)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(unit: &Scaled, a: &[u32], b: &[u32], fa: &[u8], fb: &[u8], c: f32) -> f32 {
        let mut d = [0];
        let c = [c.to_bits()];
        let operands = Operands { rows: 1, columns: 1, a, b, c: Some(&c[..]), sign: Sign::Keep };
        unit.multiply(&operands, fa, fb, &mut d).unwrap();
        f32::from_bits(d[0])
    }

    #[test]
    fn factors_are_powers_of_two() {
        let unit = Scaled::new(Format::E4m3, Format::E5m2, Factor::Ue8m0, 32, 1).unwrap();
        // 1.0 as e4m3 and e5m2.
        let (a, b) = ([0x38u32; 32], [0x3cu32; 32]);
        assert_eq!(one(&unit, &a, &b, &[127], &[127], 1.0), 33.0);
        assert_eq!(one(&unit, &a, &b, &[130], &[126], 0.5), 128.5);
        assert!(one(&unit, &a, &b, &[255], &[127], 0.0).is_nan());
        // 2^25 + 1: the one lies 25 bits below and stays, then the single cuts it.
        assert_eq!(one(&unit, &a, &b, &[147], &[127], 3.0), 33_554_432.0);
        let mut infinite = b;
        infinite[3] = 0x7c;
        assert_eq!(one(&unit, &a, &infinite, &[127], &[127], 0.0), f32::INFINITY);
    }

    #[test]
    fn groups_are_exact() {
        let unit = Scaled::new(Format::E2m1, Format::E2m1, Factor::Ue4m3, 64, 4).unwrap();
        // 6.0 and 0.5; factors 1.0, 1.5, 0.25 and 2^-9, the smallest.
        let (a, b) = ([7u32; 64], [1u32; 64]);
        let want = 48.0 * (1.0 + 1.5 + 0.25) + 48.0 / 512.0;
        assert_eq!(one(&unit, &a, &b, &[0x38, 0x3c, 0x28, 0x01], &[0x38; 4], 0.0), want);
        let unit = Scaled::new(Format::E2m1, Format::E2m1, Factor::Ue8m0, 64, 2).unwrap();
        assert_eq!(one(&unit, &a, &b, &[127, 128], &[127; 2], 0.25), 96.0 + 192.0 + 0.25);
        assert!(Scaled::new(Format::E4m3, Format::E2m1, Factor::Ue8m0, 64, 2).is_none());
    }
}
