//! The fused block: all products of an instruction and the accumulator are aligned to the largest exponent, cut there,
//! summed exactly and rounded once.
//!
//! hardware: h200-mma 2 and 3, which reproduce every recorded vector. Two implementations stand here. [`dot`] follows
//! the text in integers and knows infinities and NaNs. [`Panels::row`] computes eight columns at a time in singles:
//! every operand and every product of two operands is exact in a single, so cutting a term is a conversion to integer of
//! `a * b * 2^(kept - top)`. It hands lanes with specials or extreme exponents to [`dot`].

use crate::format::{Format, Layout, Number};
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
    layouts: Layouts,
    depth: usize,
    /// Row-major, rows x depth.
    a_values: Vec<f32>,
    a_exponents: Vec<i16>,
    a_special: Vec<bool>,
    /// For each group of eight columns: depth x 8.
    b_values: Vec<[f32; LANES]>,
    b_exponents: Vec<[i16; LANES]>,
    b_special: Vec<bool>,
}

impl Panels {
    /// Decodes both operands: `a` is rows x depth, `b` columns x depth. `None` when a format is not a float.
    pub(crate) fn new<A: Bits, B: Bits>(unit: Fused, depth: usize, a: &[A], b: &[B]) -> Option<Panels> {
        let layouts = unit.layouts()?;
        let depth = depth.max(1);
        let columns = b.len() / depth;
        let groups = columns.div_ceil(LANES);
        let mut panels = Panels {
            unit,
            layouts,
            depth,
            a_values: vec![0.0; a.len()],
            a_exponents: vec![ZERO_EXPONENT; a.len()],
            a_special: vec![false; a.len() / depth],
            b_values: vec![[0.0; LANES]; groups * depth],
            b_exponents: vec![[ZERO_EXPONENT; LANES]; groups * depth],
            b_special: vec![false; groups * LANES],
        };
        for (at, raw) in a.iter().enumerate() {
            match decode(unit.a, &panels.layouts.a, raw.raw()) {
                Some((value, exponent)) => {
                    panels.a_values[at] = value;
                    panels.a_exponents[at] = exponent;
                }
                None => panels.a_special[at / depth] = true,
            }
        }
        for (at, raw) in b.iter().enumerate() {
            let (column, k) = (at / depth, at % depth);
            match decode(unit.b, &panels.layouts.b, raw.raw()) {
                Some((value, exponent)) => {
                    let line = column / LANES * depth + k;
                    panels.b_values[line][column % LANES] = value;
                    panels.b_exponents[line][column % LANES] = exponent;
                }
                None => panels.b_special[column] = true,
            }
        }
        Some(panels)
    }

    /// Row `row` of the result, columns `group * 8` and up; `c` are their accumulators. A lane that needs [`dot`] is
    /// `None`. `flip` is -1 to negate every product.
    pub(crate) fn row(&self, row: usize, group: usize, c: &[u64; LANES], flip: f32) -> [Option<u64>; LANES] {
        let depth = self.depth;
        let (Some(a), Some(a_exponents), Some(b), Some(b_exponents)) = (
            self.a_values.get(row * depth..(row + 1) * depth),
            self.a_exponents.get(row * depth..(row + 1) * depth),
            self.b_values.get(group * depth..(group + 1) * depth),
            self.b_exponents.get(group * depth..(group + 1) * depth),
        ) else {
            return [None; LANES];
        };
        if self.a_special.get(row) != Some(&false) {
            return [None; LANES];
        }
        let mut tops = [i16::MIN; LANES];
        for (exponent, column) in a_exponents.iter().zip(b_exponents) {
            for lane in 0..LANES {
                tops[lane] = tops[lane].max(exponent + column[lane]);
            }
        }
        let mut addends = [0i64; LANES];
        let mut scales = [0f32; LANES];
        let mut good = [true; LANES];
        for lane in 0..LANES {
            let Number::Finite { negative, significand, exponent } = self.layouts.c.decode(c[lane]) else {
                good[lane] = false;
                continue;
            };
            let exponent = if significand == 0 { self.unit.floor(&self.layouts.c) } else { exponent };
            // Exponents of singles fit 16 bits.
            tops[lane] = tops[lane].max(exponent as i16);
            let top = i32::from(tops[lane]);
            good[lane] = SAFE_TOP.contains(&tops[lane]) && !self.b_special[group * LANES + lane];
            let shift = self.unit.kept as i32 - self.layouts.c.mantissa as i32 - (top - exponent);
            let size = shifted(significand, shift);
            addends[lane] = if negative { -size } else { size };
            scales[lane] =
                flip * f32::from_bits(((127 + self.unit.kept as i32 - top).clamp(1, 254) as u32) << 23);
        }
        for (a, b) in a.chunks(TERMS_PER_SUM).zip(b.chunks(TERMS_PER_SUM)) {
            let mut sums = [0i32; LANES];
            for (value, column) in a.iter().zip(b) {
                for lane in 0..LANES {
                    sums[lane] = sums[lane].wrapping_add((value * column[lane] * scales[lane]) as i32);
                }
            }
            for lane in 0..LANES {
                addends[lane] += i64::from(sums[lane]);
            }
        }
        std::array::from_fn(|lane| {
            good[lane].then(|| self.unit.finish(&self.layouts.c, addends[lane], i32::from(tops[lane])))
        })
    }
}

/// Value and counted exponent of a finite element; `None` for a special one.
fn decode(format: Format, layout: &Layout, raw: u64) -> Option<(f32, i16)> {
    match layout.decode(raw) {
        Number::Finite { significand: 0, .. } => Some((0.0, ZERO_EXPONENT)),
        Number::Finite { exponent, .. } => Some((crate::format::to_f32(format, raw), exponent as i16)),
        Number::Infinite { .. } | Number::Nan => None,
    }
}
