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

/// Columns and rows computed together: enough independent sums to hide the latency of an addition, few enough to stay in
/// registers.
const LANES: usize = 8;
const ROWS: usize = 4;

/// All of D in singles. For formats below 13 significant bits a product is exact, so multiplying and adding is fusing.
pub(crate) fn multiply<A: Bits, B: Bits, C: Bits>(
    product: &Product,
    operands: &Operands<'_, A, B, C>,
    d: &mut [C],
) {
    let Operands { columns, a, b, sign, .. } = *operands;
    let depth = product.depth.max(1);
    let exact = |format: Format| format.layout().is_none_or(|layout| layout.mantissa < 12);
    let short = exact(product.a) && exact(product.b);
    // What one warp multiplies has room on the stack.
    let (mut few_rows, mut few_values, mut few_lines) = ([0f32; 512], [0f32; 256], [[0f32; LANES]; 32]);
    let (mut many_rows, mut many_values, mut many_lines) = (Vec::new(), Vec::new(), Vec::new());
    // Rows past the last are zero and their sums dropped.
    let rows = room(&mut few_rows, &mut many_rows, (a.len() / depth).next_multiple_of(ROWS) * depth);
    read_all(product.a, a, rows);
    if sign.flips() {
        rows.iter_mut().for_each(|value| *value = -*value);
    }
    let values = room(&mut few_values, &mut many_values, b.len());
    read_all(product.b, b, values);
    let lines = room(&mut few_lines, &mut many_lines, columns.div_ceil(LANES) * depth);
    for (columns, lines) in values.chunks(LANES * depth).zip(lines.chunks_exact_mut(depth)) {
        turn(columns, depth, lines);
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

/// The first `len` of `few`, or as many in `many`.
#[inline]
fn room<'r, T: Copy, const N: usize>(few: &'r mut [T; N], many: &'r mut Vec<T>, len: usize) -> &'r mut [T] {
    let zero = few[0];
    match few.get_mut(..len) {
        Some(few) => few,
        None => {
            many.resize(len, zero);
            many
        }
    }
}

/// Columns of `depth` elements each become lines of one element of each column.
fn turn(columns: &[f32], depth: usize, lines: &mut [[f32; LANES]]) {
    if columns.len() == LANES * depth {
        for (k, line) in lines.iter_mut().enumerate() {
            let rest = &columns[k..];
            for (lane, place) in line.iter_mut().enumerate() {
                *place = rest[lane * depth];
            }
        }
        return;
    }
    for (lane, column) in columns.chunks_exact(depth).enumerate() {
        for (line, value) in lines.iter_mut().zip(column) {
            line[lane % LANES] = *value;
        }
    }
}

/// Operands as singles.
struct Tile<'t> {
    /// Rows x depth, a multiple of [`ROWS`].
    rows: &'t [f32],
    /// For each group of columns: depth x columns of the group.
    lines: &'t [[f32; LANES]],
    depth: usize,
    /// Products are not exact in singles, so that multiplying and adding must be one operation.
    fuse: bool,
}

impl Tile<'_> {
    fn fill<A: Bits, B: Bits, C: Bits>(
        &self,
        operands: &Operands<'_, A, B, C>,
        d: &mut [C],
        read: impl Fn(u64) -> f32,
        write: impl Fn(f32) -> u64,
    ) {
        let (depth, columns) = (self.depth, operands.columns.max(1));
        for (band, lines_of_d) in d.chunks_mut(ROWS * columns).enumerate() {
            let rows = &self.rows[band * ROWS * depth..][..ROWS * depth];
            for (group, lines) in self.lines.chunks_exact(depth).enumerate() {
                let first = group * LANES;
                let mut sums = [[0f32; LANES]; ROWS];
                if let Some(c) = operands.c.and_then(|c| c.get(band * ROWS * columns..)) {
                    for (sums, c) in sums.iter_mut().zip(c.chunks(columns)) {
                        match c.get(first..).and_then(<[C]>::first_chunk::<LANES>) {
                            Some(whole) => *sums = whole.map(|raw| read(raw.raw())),
                            None => {
                                for (sum, raw) in sums.iter_mut().zip(&c[first..]) {
                                    *sum = read(raw.raw());
                                }
                            }
                        }
                    }
                }
                let sums = if self.fuse { fused(rows, lines, sums) } else { plain(rows, lines, sums) };
                for (line, sums) in lines_of_d.chunks_mut(columns).zip(sums) {
                    let line = &mut line[first..];
                    match line.first_chunk_mut::<LANES>() {
                        Some(whole) => *whole = sums.map(|sum| C::from_raw(write(sum))),
                        None => {
                            for (element, sum) in line.iter_mut().zip(sums) {
                                *element = C::from_raw(write(sum));
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Multiplies and adds, each rounded.
#[inline]
fn plain(rows: &[f32], lines: &[[f32; LANES]], sums: [[f32; LANES]; ROWS]) -> [[f32; LANES]; ROWS] {
    let mut vectors = sums.map(f32x8::from);
    let (first, rest) = rows.split_at(lines.len());
    let (second, rest) = rest.split_at(lines.len());
    let (third, fourth) = rest.split_at(lines.len());
    let values = first.iter().zip(second).zip(third.iter().zip(fourth));
    for (line, ((a, b), (c, d))) in lines.iter().zip(values) {
        let line = f32x8::from(*line);
        for (sum, value) in vectors.iter_mut().zip([a, b, c, d]) {
            *sum += f32x8::splat(*value) * line;
        }
    }
    vectors.map(f32x8::to_array)
}

/// The same rounded once.
fn fused(rows: &[f32], lines: &[[f32; LANES]], mut sums: [[f32; LANES]; ROWS]) -> [[f32; LANES]; ROWS] {
    for (row, sums) in rows.chunks_exact(lines.len()).zip(&mut sums) {
        for (value, line) in row.iter().zip(lines) {
            for (sum, column) in sums.iter_mut().zip(line) {
                *sum = value.mul_add(*column, *sum);
            }
        }
    }
    sums
}
