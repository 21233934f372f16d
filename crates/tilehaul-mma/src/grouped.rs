//! Groups of products cut and added to the accumulator one after the other: AMD's matrix cores since CDNA3.
//!
//! inferred: the published measurements of CDNA3 by MMA-Sim (arXiv 2511.10909), taken over for later chips. The products
//! of a group are aligned to the largest exponent and cut toward zero 24 bits below it; 8-bit floats do so for even and
//! for odd k apart and then cut both sums downward to the larger exponent. Sum and accumulator are aligned to the larger
//! of their exponents and cut *downward*, the sum at 31 bits, the accumulator at 24; the total is rounded to the nearest
//! even single. Left out: what exponent a zero counts with, visible only below 2^-100.

use crate::format::{Format, Layout, Number, Reader, to_f32};
use crate::panel::{ALL_ZERO, LANES, SAFE_TOP, Strip, power_f64};
use crate::product::Sign;

/// Bits kept of each product.
const KEPT: i32 = 24;
/// Bits kept of a group's sum beside an accumulator.
const SUM_BITS: i32 = 31;
/// An accumulator so many places below the sum of 8-bit products is dropped.
const DROPPED: i32 = 25;

/// The numbers of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grouped {
    pub(crate) a: Format,
    pub(crate) b: Format,
    /// Products of a group.
    pub(crate) size: usize,
    /// Even and odd k are summed apart, and far smaller accumulators dropped.
    pub(crate) apart: bool,
}

impl Grouped {
    /// Where k goes so that what is summed lies side by side: within each group the even ones, then the odd ones.
    pub(crate) fn place(&self, k: usize, depth: usize) -> usize {
        if !self.apart {
            return k;
        }
        let size = self.size.max(1);
        let (first, at) = (k / size * size, k % size);
        let evens = size.min(depth - first).div_ceil(2);
        first + at / 2 + if at % 2 == 0 { 0 } else { evens }
    }
}

/// An exact sum of cut terms: `sum * 2^(top - 24)`.
#[derive(Clone, Copy)]
struct Sum {
    sum: i64,
    top: i32,
}

/// Exponent of a sum without any product but zeros: never the larger one.
const NOTHING: i32 = -4000;

impl Sum {
    /// Both sums at the larger exponent, cut downward.
    fn beside(self, other: Sum) -> Sum {
        let top = self.top.max(other.top);
        let down = |sum: Sum| sum.sum >> (top - sum.top).clamp(0, 63);
        Sum { sum: down(self) + down(other), top }
    }

    /// The accumulator with this sum added, to nearest even.
    fn add_to(self, accumulator: f32, drop_small: bool) -> f32 {
        let bits = accumulator.to_bits();
        let field = (bits >> 23 & 0xff) as i32;
        let size = i64::from(bits & 0x7f_ffff) | if field > 0 { 1 << 23 } else { 0 };
        let exponent = field.max(1) - 127;
        let top = self.top.max(exponent);
        let sum = (self.sum << (SUM_BITS - KEPT)) >> (top - self.top).clamp(0, 63);
        let signed = if bits >> 31 == 1 { -size } else { size } << (KEPT - 23);
        let addend =
            if drop_small && exponent < top - DROPPED { 0 } else { signed >> (top - exponent).clamp(0, 63) };
        // At most 40 bits: exact in a double, and so is the scaling unless the single overflows anyway.
        let total = (sum + (addend << (SUM_BITS - KEPT))) as f64;
        (total * power_f64(top - SUM_BITS)) as f32
    }
}

/// One element, as a single before it is packed.
pub(crate) fn dot(unit: &Grouped, pairs: impl Iterator<Item = (u64, u64)>, sign: Sign, c: f32) -> f32 {
    let (Some(a_layout), Some(b_layout)) = (unit.a.layout(), unit.b.layout()) else { return f32::NAN };
    let mut accumulator = c;
    let mut group = Vec::with_capacity(unit.size);
    let mut pairs = pairs.peekable();
    while pairs.peek().is_some() {
        group.clear();
        group.extend(pairs.by_ref().take(unit.size.max(1)));
        accumulator = add_group(unit, (&a_layout, &b_layout), &group, sign, accumulator);
    }
    accumulator
}

fn add_group(unit: &Grouped, layouts: (&Layout, &Layout), group: &[(u64, u64)], sign: Sign, c: f32) -> f32 {
    // Specials, and products beyond a single, decide by themselves.
    let flip = if sign.flips() { -1.0 } else { 1.0 };
    let values =
        group.iter().map(|&(a, b)| f64::from(flip * to_f32(unit.a, a)) * f64::from(to_f32(unit.b, b)));
    let limit = 2f64.powi(128);
    let special: f64 = values.map(|v| if v.abs() >= limit { v.signum() * f64::INFINITY } else { v }).sum();
    if !special.is_finite() || !c.is_finite() {
        return (special + f64::from(c)) as f32;
    }
    let part = |from: usize, step: usize| {
        let terms = || {
            group.iter().skip(from).step_by(step).filter_map(|&(a, b)| {
                match (layouts.0.decode(a), layouts.1.decode(b)) {
                    (
                        Number::Finite { negative: p, significand: x, exponent: ex },
                        Number::Finite { negative: q, significand: y, exponent: ey },
                    ) if x != 0 && y != 0 => Some((p ^ q ^ sign.flips(), x * y, ex + ey)),
                    _ => None,
                }
            })
        };
        let top = terms().map(|(_, _, exponent)| exponent).max().unwrap_or(NOTHING);
        let fraction = (layouts.0.mantissa + layouts.1.mantissa) as i32;
        let cut = |significand: u64, exponent: i32| match KEPT - fraction - (top - exponent) {
            shift @ 0.. => (significand << shift.min(38)) as i64,
            shift @ -63..=-1 => (significand >> -shift) as i64,
            _ => 0,
        };
        let sum = terms()
            .map(|(negative, x, exponent)| if negative { -cut(x, exponent) } else { cut(x, exponent) })
            .sum();
        Sum { sum, top }
    };
    let sum = if unit.apart { part(0, 2).beside(part(1, 2)) } else { part(0, 1) };
    sum.add_to(c, unit.apart)
}

/// Eight columns of one row of singles, and which of them are good; the others need [`dot`]. `accumulators` are values.
pub(crate) fn row(
    unit: &Grouped,
    strip: &Strip<'_>,
    sign: Sign,
    accumulators: [f32; LANES],
) -> ([f32; LANES], [bool; LANES]) {
    let flip = if sign.flips() { -1.0 } else { 1.0 };
    let mut values = accumulators;
    let mut good: [bool; LANES] =
        std::array::from_fn(|lane| !strip.special[lane] && accumulators[lane].is_finite());
    let mut sums = |part: Strip<'_>| -> [Sum; LANES] {
        let tops = part.tops();
        let sums = part.cut_sums(&tops, KEPT, flip, &[0.0; LANES]);
        std::array::from_fn(|lane| {
            if tops[lane] < ALL_ZERO {
                return Sum { sum: 0, top: NOTHING };
            }
            good[lane] &= SAFE_TOP.contains(&tops[lane]);
            // Whole numbers below 2^31, or not good.
            Sum { sum: i64::from(sums[lane] as i32), top: tops[lane].into() }
        })
    };
    let size = unit.size.max(1);
    for first in (0..strip.depth()).step_by(size) {
        let last = (first + size).min(strip.depth());
        let mut group = if unit.apart {
            let middle = first + (last - first).div_ceil(2);
            let (even, odd) = (sums(strip.part(first, middle)), sums(strip.part(middle, last)));
            std::array::from_fn(|lane| even[lane].beside(odd[lane]))
        } else {
            sums(strip.part(first, last))
        };
        for (value, sum) in values.iter_mut().zip(&mut group) {
            *value = sum.add_to(*value, unit.apart);
        }
    }
    for (good, value) in good.iter_mut().zip(values) {
        *good &= value.is_finite();
    }
    (values, good)
}

/// Reads accumulators of that format.
pub(crate) fn accumulators(format: Format, raw: &[u64; LANES]) -> [f32; LANES] {
    match Reader::new(format) {
        Some(reader) => raw.map(|raw| if reader.is_special(raw) { f32::NAN } else { reader.value(raw) }),
        None => [f32::NAN; LANES],
    }
}
