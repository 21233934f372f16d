//! The fused block: all products of an instruction and the accumulator are aligned to the largest exponent, cut there,
//! summed exactly and rounded once.
//!
//! hardware: h200-mma 2 and 3, which reproduce every recorded vector. Two implementations stand here. [`dot`] follows
//! the text in integers and knows infinities and NaNs. [`Block`] computes eight columns at a time over
//! [`crate::panel::Panels`] and leaves lanes with specials or extreme exponents to [`dot`].

use crate::format::{Format, Layout, Number, Reader};
use crate::panel::{ALL_ZERO, LANES, Lanes, SAFE_TOP, Strip, power_f64};
use crate::product::Sign;
use crate::round::{Rounding, canonical_nan, infinity, pack};

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

/// Eight columns of one row at a time.
pub(crate) struct Block {
    unit: Fused,
    layout: Layout,
    reader: Reader,
    /// -1 to negate every product.
    flip: f32,
}

impl Block {
    /// `None` when the accumulator is not a float of at most 32 bits.
    pub(crate) fn new(unit: Fused, sign: Sign) -> Option<Block> {
        let (layout, reader) = (unit.accumulator.layout()?, Reader::new(unit.accumulator)?);
        Some(Block { unit, layout, reader, flip: if sign.flips() { -1.0 } else { 1.0 } })
    }

    /// The result of each lane that can be computed here.
    #[inline]
    pub(crate) fn row(&self, strip: &Strip<'_>, c: &[u64; LANES]) -> Lanes {
        // A zero counts with an exponent seven below the smallest; exponents of singles fit 16 bits.
        let zero = self.unit.floor(&self.layout) as i16;
        let products = strip.tops();
        let tops: [i16; LANES] =
            std::array::from_fn(|lane| products[lane].max(self.reader.exponent(c[lane], zero)));
        let addends = c.map(|raw| self.reader.value(raw));
        let sums = strip.cut_sums(&tops, self.unit.kept as i32, self.flip, &addends);
        Lanes {
            bits: std::array::from_fn(|lane| self.finish(sums[lane], tops[lane].into())),
            good: std::array::from_fn(|lane| {
                let nothing = tops[lane] == zero && products[lane] < ALL_ZERO;
                (nothing || SAFE_TOP.contains(&tops[lane]))
                    && !strip.special[lane]
                    && !self.reader.is_special(c[lane])
            }),
        }
    }

    /// [`Fused::finish`], with a short way for normal singles: the sum is exact in a double, whose low bits are cut.
    #[inline]
    fn finish(&self, sum: f64, top: i32) -> u64 {
        if self.unit.accumulator == Format::F32 {
            let fraction = self.unit.significant.map_or(23, |significant| significant.clamp(1, 24) - 1);
            let exact = sum * power_f64(top - self.unit.kept as i32);
            let cut = f64::from_bits(exact.to_bits() & (u64::MAX << (52 - fraction)));
            if cut.abs() >= f64::from(f32::MIN_POSITIVE) {
                return u64::from((cut as f32).to_bits());
            }
        }
        if sum == 0.0 {
            return 0;
        }
        self.unit.finish(&self.layout, sum as i64, top)
    }
}
