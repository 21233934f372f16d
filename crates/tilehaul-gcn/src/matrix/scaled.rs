//! Products whose elements share scales in runs of 32 or 16.

use tilehaul_mma::{Operands, Sign};

use super::{Scaled, Shape};
use crate::op::Op;
use crate::wave::Wave;

/// D = C + the sum over runs of K of scale x scale x (product of the run), in singles.
pub(super) fn multiply_scaled<const L: usize>(
    w: &Wave<L>,
    op: &Op<L>,
    shape: &Shape,
    scaled: &Scaled,
    [a, b]: [&[u64]; 2],
    c: &[u64],
    d: &mut [u64],
) -> Option<()> {
    let (m, n, k) = (shape.m, shape.n, shape.k);
    let scales = [scales_of(w, op, shape, scaled, 0, m), scales_of(w, op, shape, scaled, 1, n)];
    let runs = k / scaled.run;
    for (sum, c) in d.iter_mut().zip(c) {
        *sum = c & 0xffff_ffff;
    }
    let mut product = shape.product;
    product.depth = scaled.run;
    let mut parts = vec![0u64; m * n];
    for run in 0..runs {
        let lines = |matrix: &[u64]| -> Vec<u64> {
            let of_line = |line: &[u64]| line[run * scaled.run..(run + 1) * scaled.run].to_vec();
            matrix.chunks_exact(k).flat_map(of_line).collect()
        };
        let (a, b) = (lines(a), lines(b));
        let operands = Operands { rows: m, columns: n, a: &a, b: &b, c: None, sign: Sign::Keep };
        product.multiply_longs(&operands, &mut parts).ok()?;
        for (at, (sum, part)) in d.iter_mut().zip(&parts).enumerate() {
            let scale = scales[0][at / n * runs + run] * scales[1][at % n * runs + run];
            let part = (f64::from(f32::from_bits(*part as u32)) * scale) as f32;
            *sum = u64::from((f32::from_bits(*sum as u32) + part).to_bits());
        }
    }
    Some(())
}

/// The scales of each row (column) and run of K.
fn scales_of<const L: usize>(
    w: &Wave<L>,
    op: &Op<L>,
    shape: &Shape,
    scaled: &Scaled,
    side: usize,
    rows: usize,
) -> Vec<f64> {
    let runs = shape.k / scaled.run;
    let src = &op.rest.scales[side];
    let word = |lane: usize, part: u16| u64::from(w.lanes(src, part)[lane % L]);
    let mut out = Vec::with_capacity(rows * runs);
    for row in 0..rows {
        for run in 0..runs {
            let byte = if L == 64 {
                // Each lane holds one run: the byte of its own register.
                word(run * rows + row, 0) >> (8 * scaled.pick[side])
            } else {
                let lane = row % 16
                    + 16 * usize::from(if rows == 32 { (row / 16) as u8 } else { scaled.pick[side] });
                word(lane, (run / 4) as u16) >> (8 * (run % 4))
            };
            out.push(scale_value(byte as u8, scaled.format[side]));
        }
    }
    out
}

/// What a scale byte stands for: 2^(b - 127), or an unsigned small float.
fn scale_value(byte: u8, format: u8) -> f64 {
    let small = |exponent_bits: u32, mantissa_bits: u32| {
        let bias = (1 << (exponent_bits - 1)) - 1;
        let (e, f) = (
            i32::from(byte) >> mantissa_bits & ((1 << exponent_bits) - 1),
            f64::from(byte & ((1 << mantissa_bits) - 1)),
        );
        let fraction = f / f64::from(1u32 << mantissa_bits);
        if e == 0 { fraction * 2f64.powi(1 - bias) } else { (1.0 + fraction) * 2f64.powi(e - bias) }
    };
    match (format, byte) {
        (0, 255) => f64::NAN,
        (0, _) => 2f64.powi(i32::from(byte) - 127),
        (1, _) => small(5, 3),
        (_, 0x7f) => f64::NAN,
        _ => small(4, 3),
    }
}
