//! Chains of multiply-adds, K ascending: doubles exactly as measured, singles as the best guess for AMD and as the fast
//! form for all.

use wide::f32x8;

use crate::format::{Format, read_all, to_f32};
use crate::product::{Bits, Operands, Product, Sign};

const QUIET: u64 = 1 << 51;
/// What an invalid operation makes. hardware: h200-mma 6.
const INVALID: u64 = 0xfff8_0000_0000_0000;

/// One element of a product of doubles.
///
/// hardware: h200-mma 6, with its choice among NaNs.
pub(crate) fn doubles(pairs: impl Iterator<Item = (u64, u64)>, sign: Sign, c: u64) -> u64 {
    let flip = if sign.flips() { 1 << 63 } else { 0 };
    let is_nan = |raw: u64| f64::from_bits(raw).is_nan();
    pairs.fold(c, |d, (a, b)| {
        let a = a ^ flip;
        if let Some(nan) = [b, d, a].into_iter().find(|&raw| is_nan(raw)) {
            return nan | QUIET;
        }
        let next = f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(d));
        if next.is_nan() { INVALID } else { next.to_bits() }
    })
}

/// One element of a product in singles.
pub(crate) fn singles(pairs: impl Iterator<Item = (f32, f32)>, sign: Sign, c: f32) -> f32 {
    let flip = if sign.flips() { -1.0 } else { 1.0 };
    pairs.fold(c, |d, (a, b)| (flip * a).mul_add(b, d))
}

/// The bits of a result. NaNs come out as the quiet NaN without payload (inferred).
pub(crate) fn finish(accumulator: Format, value: f32) -> u64 {
    match accumulator {
        Format::F16 if value.is_nan() => 0x7e00,
        Format::F16 => half::f16::from_f32(value).to_bits().into(),
        Format::Bf16 if value.is_nan() => 0x7fc0,
        Format::Bf16 => half::bf16::from_f32(value).to_bits().into(),
        _ if value.is_nan() => 0x7fc0_0000,
        _ => value.to_bits().into(),
    }
}

/// Columns computed together: enough independent sums to hide the latency of an addition.
const LANES: usize = 16;

/// All of D in singles. For formats below 13 significant bits a product is exact, so multiplying and adding is fusing.
pub(crate) fn multiply<A: Bits, B: Bits, C: Bits>(
    product: &Product,
    operands: &Operands<'_, A, B, C>,
    d: &mut [C],
) {
    let Operands { columns, a, b, sign, .. } = *operands;
    let depth = product.depth.max(1);
    let flip = if sign.flips() { -1.0 } else { 1.0 };
    let exact = |format: Format| format.layout().is_none_or(|layout| layout.mantissa < 12);
    let short = exact(product.a) && exact(product.b);
    let mut rows = vec![0f32; a.len()];
    read_all(product.a, a.iter().map(|raw| raw.raw()), |at, value| rows[at] = flip * value);
    let mut lines = vec![[[0f32; 8]; LANES / 8]; columns.div_ceil(LANES) * depth];
    for (column, elements) in b.chunks(depth).enumerate() {
        let (first, lane) = (column / LANES * depth, column % LANES);
        let put = |k: usize, value: f32| lines[first + k][lane / 8][lane % 8] = value;
        read_all(product.b, elements.iter().map(|raw| raw.raw()), put);
    }
    let tile = Tile { rows, lines, depth, fuse: !short };
    match product.accumulator {
        // The common accumulator, without a choice for each element.
        Format::F32 => tile.fill(
            operands,
            d,
            |raw| f32::from_bits(raw as u32),
            |value| {
                if value.is_nan() { 0x7fc0_0000 } else { value.to_bits().into() }
            },
        ),
        other => tile.fill(operands, d, |raw| to_f32(other, raw), |value| finish(other, value)),
    }
}

/// Operands as singles.
struct Tile {
    /// Rows x depth.
    rows: Vec<f32>,
    /// For each group of columns: depth x columns of the group.
    lines: Vec<[[f32; 8]; LANES / 8]>,
    depth: usize,
    /// Products are not exact in singles, so that multiplying and adding must be one operation.
    fuse: bool,
}

impl Tile {
    fn fill<A: Bits, B: Bits, C: Bits>(
        &self,
        operands: &Operands<'_, A, B, C>,
        d: &mut [C],
        read: impl Fn(u64) -> f32,
        write: impl Fn(f32) -> u64,
    ) {
        let (depth, columns) = (self.depth, operands.columns.max(1));
        for (row, line) in d.chunks_mut(columns).enumerate() {
            let row_values = self.rows.get(row * depth..(row + 1) * depth).unwrap_or_default();
            for (group, lanes) in line.chunks_mut(LANES).enumerate() {
                let mut sums = [[0f32; 8]; LANES / 8];
                if let Some(c) = operands.c.and_then(|c| c.get(row * columns + group * LANES..)) {
                    for (sum, raw) in sums.as_flattened_mut().iter_mut().zip(c).take(lanes.len()) {
                        *sum = read(raw.raw());
                    }
                }
                let group_lines = self.lines.get(group * depth..(group + 1) * depth).unwrap_or_default();
                let sums = self.sums(row_values, group_lines, sums);
                for (element, sum) in lanes.iter_mut().zip(sums.as_flattened()) {
                    *element = C::from_raw(write(*sum));
                }
            }
        }
    }

    #[inline]
    fn sums(
        &self,
        row: &[f32],
        lines: &[[[f32; 8]; LANES / 8]],
        sums: [[f32; 8]; LANES / 8],
    ) -> [[f32; 8]; LANES / 8] {
        let mut vectors = sums.map(f32x8::from);
        for (value, line) in row.iter().zip(lines) {
            for (sum, column) in vectors.iter_mut().zip(line) {
                *sum = if self.fuse {
                    let sums = sum.to_array();
                    f32x8::from(std::array::from_fn(|lane| value.mul_add(column[lane], sums[lane])))
                } else {
                    *sum + f32x8::splat(*value) * f32x8::from(*column)
                };
            }
        }
        vectors.map(f32x8::to_array)
    }
}
