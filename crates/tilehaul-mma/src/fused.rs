//! The fused block: all products of an instruction and the accumulator are aligned to the largest exponent, cut there,
//! summed exactly and rounded once.
//!
//! hardware: h200-mma 2 and 3, which reproduce every recorded vector. Two implementations stand here. [`dot`] follows
//! the text in integers and knows infinities and NaNs. [`Panels::row`] computes eight columns at a time in singles:
//! every operand and every product of two operands is exact in a single, so cutting a term is a conversion to integer of
//! `a * b * 2^(kept - top)`. It hands lanes with specials or extreme exponents to [`dot`].

use wide::{f32x8, i16x8, i32x8};

use crate::format::{Format, Layout, Number, Reader};
use crate::product::{Bits, Sign};
use crate::round::{Rounding, canonical_nan, infinity, pack};

/// Columns computed together.
pub(crate) const LANES: usize = 8;

/// Exponent of a zero operand: so low that a product with it never is the largest.
const ZERO_EXPONENT: i16 = -8000;

/// Largest exponents with which a term is exact in singles: smaller products then vanish, larger ones stay finite.
const SAFE_TOP: std::ops::RangeInclusive<i16> = -80..=100;

/// Terms that an `i32` can sum: each is below 2^(kept + 2), and `kept` is at most 25.
const TERMS_PER_SUM: usize = 8;

/// The numbers of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fused {
    pub(crate) a: Format,
    pub(crate) b: Format,
    pub(crate) accumulator: Format,
    /// Bits kept below the largest exponent.
    pub(crate) kept: u32,
    /// Significant bits that the sum is cut to before it is packed, if fewer than it has.
    pub(crate) significant: Option<u32>,
}

struct Layouts {
    a: Layout,
    b: Layout,
    c: Layout,
}

impl Fused {
    fn layouts(&self) -> Option<Layouts> {
        Some(Layouts { a: self.a.layout()?, b: self.b.layout()?, c: self.accumulator.layout()? })
    }

    /// Exponent that a zero accumulator counts with. hardware: h200-mma 2, "zero c".
    fn floor(&self, c: &Layout) -> i32 {
        c.emin() - 7
    }

    /// Rounds the exact sum `sum * 2^(top - kept)`.
    fn finish(&self, c: &Layout, sum: i64, top: i32) -> u64 {
        let mut sum = sum;
        if let Some(significant) = self.significant {
            let have = 64 - sum.unsigned_abs().leading_zeros();
            let drop = have.saturating_sub(significant);
            let cut = (sum.unsigned_abs() >> drop << drop) as i64;
            sum = if sum < 0 { -cut } else { cut };
        }
        let rounding = match self.accumulator {
            Format::F16 => Rounding::NearestEven,
            _ => Rounding::TowardZero,
        };
        pack(c, sum, top - self.kept as i32, rounding)
    }
}

/// `significand * 2^shift`, cut toward zero.
fn shifted(significand: u64, shift: i32) -> i64 {
    // Significands have at most 24 bits and shifts up to 25, so nothing is lost upwards.
    match shift {
        0.. => (significand << shift.min(39)) as i64,
        -63..=-1 => (significand >> -shift) as i64,
        _ => 0,
    }
}

/// One element of the result; `None` when a format has no floating-point layout.
pub(crate) fn dot(
    unit: &Fused,
    pairs: impl Iterator<Item = (u64, u64)> + Clone,
    signs: Sign,
    c: u64,
) -> Option<u64> {
    let Layouts { a: a_layout, b: b_layout, c: c_layout } = unit.layouts()?;
    let product_bits = (a_layout.mantissa + b_layout.mantissa) as i32;
    let (mut nan, mut plus, mut minus) = (false, false, false);
    let mut see = |infinite: bool| if infinite { minus = true } else { plus = true };

    let mut terms = pairs.map(|(a, b)| (a_layout.decode(a), b_layout.decode(b)));
    let mut top = match c_layout.decode(c) {
        Number::Nan => {
            nan = true;
            0
        }
        Number::Infinite { negative } => {
            see(negative);
            0
        }
        Number::Finite { significand: 0, .. } => unit.floor(&c_layout),
        Number::Finite { exponent, .. } => exponent,
    };
    for (a, b) in terms.clone() {
        match (a, b) {
            (Number::Nan, _) | (_, Number::Nan) => nan = true,
            (Number::Infinite { .. }, Number::Finite { significand: 0, .. })
            | (Number::Finite { significand: 0, .. }, Number::Infinite { .. }) => nan = true,
            (
                Number::Infinite { negative: x },
                Number::Infinite { negative: y } | Number::Finite { negative: y, .. },
            )
            | (Number::Finite { negative: x, .. }, Number::Infinite { negative: y }) => {
                see(x ^ y ^ signs.flips())
            }
            (
                Number::Finite { significand: x, exponent: ex, .. },
                Number::Finite { significand: y, exponent: ey, .. },
            ) => {
                if x != 0 && y != 0 {
                    top = top.max(ex + ey);
                }
            }
        }
    }
    if nan || plus && minus {
        return Some(canonical_nan(unit.accumulator));
    }
    if plus || minus {
        return Some(infinity(&c_layout, minus));
    }
    let term = |negative: bool, significand: u64, exponent: i32, fraction: i32| {
        let size = shifted(significand, unit.kept as i32 - fraction - (top - exponent));
        if negative { -size } else { size }
    };
    let mut sum = match c_layout.decode(c) {
        Number::Finite { negative, significand, exponent } => {
            term(negative, significand, exponent, c_layout.mantissa as i32)
        }
        Number::Infinite { .. } | Number::Nan => 0,
    };
    sum += terms
        .by_ref()
        .map(|pair| match pair {
            (
                Number::Finite { negative: p, significand: x, exponent: ex },
                Number::Finite { negative: q, significand: y, exponent: ey },
            ) => term(p ^ q ^ signs.flips(), x * y, ex + ey, product_bits),
            _ => 0,
        })
        .sum::<i64>();
    Some(unit.finish(&c_layout, sum, top))
}

/// Operands of one instruction, decoded once: rows of A, and columns of B in groups of eight.
pub(crate) struct Panels {
    unit: Fused,
    c_layout: Layout,
    c_reader: Reader,
    depth: usize,
    /// Row-major, rows x depth.
    a_values: Vec<f32>,
    a_exponents: Vec<i16>,
    a_special: Vec<bool>,
    /// For each group of eight columns: depth x 8.
    b_values: Vec<[f32; LANES]>,
    b_exponents: Vec<[i16; LANES]>,
    b_special: Vec<[bool; LANES]>,
}

impl Panels {
    /// Decodes both operands: `a` is rows x depth, `b` columns x depth. `None` when a format is not a float of at most
    /// 32 bits.
    pub(crate) fn new<A: Bits, B: Bits>(unit: Fused, depth: usize, a: &[A], b: &[B]) -> Option<Panels> {
        let (a_reader, b_reader) = (Reader::new(unit.a)?, Reader::new(unit.b)?);
        let depth = depth.max(1);
        let groups = (b.len() / depth).div_ceil(LANES);
        let mut panels = Panels {
            unit,
            c_layout: unit.accumulator.layout()?,
            c_reader: Reader::new(unit.accumulator)?,
            depth,
            a_values: a.iter().map(|raw| a_reader.value(raw.raw())).collect(),
            a_exponents: a.iter().map(|raw| a_reader.exponent(raw.raw(), ZERO_EXPONENT)).collect(),
            a_special: a
                .chunks(depth)
                .map(|row| row.iter().any(|raw| a_reader.is_special(raw.raw())))
                .collect(),
            b_values: vec![[0.0; LANES]; groups * depth],
            b_exponents: vec![[ZERO_EXPONENT; LANES]; groups * depth],
            b_special: vec![[false; LANES]; groups],
        };
        for (column, elements) in b.chunks(depth).enumerate() {
            let (group, lane) = (column / LANES, column % LANES);
            let lines = panels.b_values.iter_mut().zip(&mut panels.b_exponents).skip(group * depth);
            let mut special = false;
            for (raw, (values, exponents)) in elements.iter().zip(lines) {
                let raw = raw.raw();
                values[lane] = b_reader.value(raw);
                exponents[lane] = b_reader.exponent(raw, ZERO_EXPONENT);
                special |= b_reader.is_special(raw);
            }
            panels.b_special[group][lane] = special;
        }
        Some(panels)
    }

    /// Row `row` of the result, columns `group * 8` and up; `c` are their accumulators. A lane that needs [`dot`] is
    /// `None`. `flip` is -1 to negate every product.
    #[inline]
    pub(crate) fn row(&self, row: usize, group: usize, c: &[u64; LANES], flip: f32) -> [Option<u64>; LANES] {
        let depth = self.depth;
        let (Some(a), Some(a_exponents), Some(b), Some(b_exponents), Some(false), Some(b_special)) = (
            self.a_values.get(row * depth..(row + 1) * depth),
            self.a_exponents.get(row * depth..(row + 1) * depth),
            self.b_values.get(group * depth..(group + 1) * depth),
            self.b_exponents.get(group * depth..(group + 1) * depth),
            self.a_special.get(row),
            self.b_special.get(group),
        ) else {
            return [None; LANES];
        };
        let kept = self.unit.kept as i32;
        // A zero counts with an exponent seven below the smallest; exponents of singles fit 16 bits.
        let zero = self.unit.floor(&self.c_layout) as i16;
        let mut tops = i16x8::from(c.map(|raw| self.c_reader.exponent(raw, zero)));
        for (exponent, column) in a_exponents.iter().zip(b_exponents) {
            tops = tops.max(i16x8::splat(*exponent) + i16x8::from(*column));
        }
        let tops = tops.to_array();
        let good: [bool; LANES] = std::array::from_fn(|lane| {
            SAFE_TOP.contains(&tops[lane]) && !b_special[lane] && !self.c_reader.is_special(c[lane])
        });
        let powers = tops.map(|top| (127 + kept - i32::from(top)).clamp(1, 254) as u32);
        // An accumulator that is cut like a product: at most 26 bits are left of it, or it is not good.
        let mut sums: [i64; LANES] = std::array::from_fn(|lane| {
            (f64::from(self.c_reader.value(c[lane])) * f64::from(f32::from_bits(powers[lane] << 23))) as i64
        });
        let scales = f32x8::from(powers.map(|power| flip * f32::from_bits(power << 23)));
        for (a, b) in a.chunks(TERMS_PER_SUM).zip(b.chunks(TERMS_PER_SUM)) {
            let mut part = i32x8::splat(0);
            for (value, column) in a.iter().zip(b) {
                let products = f32x8::splat(*value) * f32x8::from(*column);
                part += (products * scales).fast_trunc_int();
            }
            for (sum, part) in sums.iter_mut().zip(part.to_array()) {
                // Lanes that are not good may hold anything.
                *sum = sum.wrapping_add(part.into());
            }
        }
        std::array::from_fn(|lane| good[lane].then(|| self.finish(sums[lane], i32::from(tops[lane]))))
    }

    /// [`Fused::finish`], with a short way for normal singles: the sum is exact in a double, whose low bits are cut.
    #[inline]
    fn finish(&self, sum: i64, top: i32) -> u64 {
        if self.unit.accumulator == Format::F32 {
            let fraction = self.unit.significant.map_or(23, |significant| significant.clamp(1, 24) - 1);
            let exact = sum as f64 * f64::from_bits(((1023 + top - self.unit.kept as i32) as u64) << 52);
            let cut = f64::from_bits(exact.to_bits() & (u64::MAX << (52 - fraction)));
            if cut.abs() >= f64::from(f32::MIN_POSITIVE) {
                return u64::from((cut as f32).to_bits());
            }
        }
        self.unit.finish(&self.c_layout, sum, top)
    }
}
