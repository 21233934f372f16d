//! 8-bit floats through `mma.sync` on a chip without a unit for them.
//!
//! The compiler turns the instruction into conversions to halves, two fused products of 16 and an ordinary addition of
//! C (hardware: h200-mma 4, code by ptxas 13.0). So C is in no block, and D is rounded to nearest at the end.

use crate::format::{Format, read_all, to_f32};
use crate::fused::{self, Block, Fused};
use crate::panel::{self, LANES, Lanes, Panels, Strip};
use crate::product::{Bits, Operands, Product, Sign, row_pairs};
use crate::round::canonical_nan;

/// Is this place of K in the first of the two products?
fn is_low(k: usize) -> bool {
    k % 4 < 2
}

/// An 8-bit float as a half: exact for every value.
fn to_half(format: Format, raw: u64) -> u64 {
    half::f16::from_f32(to_f32(format, raw)).to_bits().into()
}

fn unit(product: &Product) -> Fused {
    Fused { a: Format::F16, b: Format::F16, accumulator: product.accumulator, kept: 25, significant: None }
}

/// `d + c` as an ordinary instruction adds: nearest even, subnormals kept, NaN canonical.
fn add(accumulator: Format, d: u64, c: u64) -> u64 {
    let sum = to_f32(accumulator, d) + to_f32(accumulator, c);
    if sum.is_nan() {
        return canonical_nan(accumulator);
    }
    match accumulator {
        // The sum of two halves is exact in a single but for one rounding that cannot disturb the second.
        Format::F16 => half::f16::from_f32(sum).to_bits().into(),
        _ => sum.to_bits().into(),
    }
}

/// One element of D.
pub(crate) fn dot(
    product: &Product,
    pairs: impl Iterator<Item = (u64, u64)> + Clone,
    sign: Sign,
    c: u64,
) -> u64 {
    let halves = pairs.map(|(a, b)| (to_half(product.a, a), to_half(product.b, b))).enumerate();
    let part = |low: bool| halves.clone().filter(move |(k, _)| is_low(*k) == low).map(|(_, pair)| pair);
    let unit = unit(product);
    let first = fused::dot(&unit, part(true), sign, 0).unwrap_or(0);
    let second = fused::dot(&unit, part(false), sign, first).unwrap_or(0);
    add(product.accumulator, second, c)
}

/// All of D.
pub(crate) fn multiply<A: Bits, B: Bits, C: Bits>(
    product: &Product,
    operands: &Operands<'_, A, B, C>,
    d: &mut [C],
) {
    let depth = product.depth.max(1);
    let (a, b) = (halves(product.a, operands.a), halves(product.b, operands.b));
    let lows = (0..depth).filter(|&k| is_low(k)).count();
    // The places of the first product, then those of the second.
    let place = |k: usize| if is_low(k) { k / 4 * 2 + k % 4 } else { lows + k / 4 * 2 + k % 4 - 2 };
    let order: Vec<usize> = (0..depth).map(place).collect();
    let panels = Panels::new((Format::F16, Format::F16), depth, &a, &b, Some(&order));
    let Some(block) = Block::new(unit(product), operands.sign) else { return };
    let both = |strip: &Strip<'_>, c: &[u64; LANES]| {
        let first = block.row(&strip.part(0, lows), &[0; LANES]);
        let second = block.row(&strip.part(lows, depth), &first.bits);
        Lanes {
            bits: std::array::from_fn(|lane| add(product.accumulator, second.bits[lane], c[lane])),
            good: std::array::from_fn(|lane| first.good[lane] && second.good[lane]),
        }
    };
    panel::fill(panels.as_ref(), operands, d, both, |row, column, c| {
        dot(product, row_pairs(depth, operands.a, operands.b, row, column), operands.sign, c)
    });
}

/// 8-bit floats as halves.
fn halves<T: Bits>(format: Format, raw: &[T]) -> Vec<u16> {
    let mut values = vec![0.0; raw.len()];
    read_all(format, raw, &mut values);
    values.into_iter().map(|value| half::f16::from_f32(value).to_bits()).collect()
}
