//! 8-bit floats through `mma.sync` on a chip without a unit for them.
//!
//! The compiler turns the instruction into conversions to halves, two fused products of 16 and an ordinary addition of
//! C (hardware: h200-mma 4, code by ptxas 13.0). So C is in no block, and D is rounded to nearest at the end.

use crate::format::{Format, to_f32};
use crate::fused::{self, Fused};
use crate::product::{Arithmetic, Bits, Operands, Product, Sign};
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
    let unit = unit(product);
    let mut partial = vec![0u32; d.len()];
    let mut before: Option<Vec<u32>> = None;
    for low in [true, false] {
        let pick = |format: Format, raw: &mut dyn Iterator<Item = u64>| -> Vec<u16> {
            let picked = raw.enumerate().filter(|(at, _)| is_low(at % depth) == low);
            picked.map(|(_, raw)| to_half(format, raw) as u16).collect()
        };
        let a = pick(product.a, &mut operands.a.iter().map(|raw| raw.raw()));
        let b = pick(product.b, &mut operands.b.iter().map(|raw| raw.raw()));
        let half = Product {
            depth: (0..product.depth).filter(|&k| is_low(k) == low).count(),
            arithmetic: Arithmetic::Fused { kept: unit.kept, significant: None },
            ..*product
        };
        let part = Operands {
            rows: operands.rows,
            columns: operands.columns,
            a: &a,
            b: &b,
            c: before.as_deref(),
            sign: operands.sign,
        };
        half.blocks(&unit, &part, &mut partial);
        before = Some(partial.clone());
    }
    for (at, element) in d.iter_mut().enumerate() {
        let c = operands.c.and_then(|c| c.get(at)).map_or(0, |c| c.raw());
        *element = C::from_raw(add(product.accumulator, partial[at].into(), c));
    }
}
