//! From an exact sum `sum * 2^scale` to an accumulator's bits.

use crate::format::{Format, Layout};

/// How the last place is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    TowardZero,
    NearestEven,
}

/// NaN of tensor cores. hardware: h200-mma 3.
pub(crate) fn canonical_nan(accumulator: Format) -> u64 {
    match accumulator {
        Format::F16 | Format::Bf16 => 0x7fff,
        _ => 0x7fff_ffff,
    }
}

/// Infinity with a sign.
pub(crate) fn infinity(layout: &Layout, negative: bool) -> u64 {
    let exponent = ((1u64 << layout.exponent) - 1) << layout.mantissa;
    exponent | u64::from(negative) << (layout.mantissa + layout.exponent)
}

/// `sum * 2^scale` in the format. A zero result is plus zero; what does not fit is infinite, also toward zero.
///
/// hardware: h200-mma 2 and 3.
pub(crate) fn pack(layout: &Layout, sum: i64, scale: i32, rounding: Rounding) -> u64 {
    let size = sum.unsigned_abs();
    if size == 0 {
        return 0;
    }
    let leading = 63 - size.leading_zeros() as i32;
    // Exponent of the last place that the format keeps for a number of this size.
    let last = (leading + scale).max(layout.emin()) - layout.mantissa as i32;
    let drop = last - scale;
    let mut kept = match drop {
        ..=0 => size << (-drop).min(63),
        1..=63 => size >> drop,
        _ => 0,
    };
    if rounding == Rounding::NearestEven && (1..=64).contains(&drop) {
        let half = 1u64 << (drop - 1);
        let rest = if drop == 64 { size } else { size & ((1 << drop) - 1) };
        if rest > half || rest == half && kept & 1 == 1 {
            kept += 1;
        }
    }
    if kept == 0 {
        return 0;
    }
    // `kept` has at most one bit more than the significand; adding it to the exponent field carries by itself.
    let negative = sum < 0;
    let field = (last + layout.mantissa as i32 - layout.emin()) as u64;
    let packed = (field << layout.mantissa) + kept;
    if packed >> layout.mantissa > (layout.emax() - layout.emin() + 1) as u64 {
        return infinity(layout, negative);
    }
    packed | u64::from(negative) << (layout.mantissa + layout.exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    const F32: Layout = match Format::F32.layout() {
        Some(layout) => layout,
        None => panic!(),
    };
    const F16: Layout = match Format::F16.layout() {
        Some(layout) => layout,
        None => panic!(),
    };

    #[test]
    fn singles_are_cut_toward_zero() {
        let single = |sum, scale| f32::from_bits(pack(&F32, sum, scale, Rounding::TowardZero) as u32);
        assert_eq!(single(3, -1), 1.5);
        assert_eq!(single(-((1 << 25) - 1), 0), -16_777_215.0 * 2.0);
        assert_eq!(single(1, -149), f32::from_bits(1));
        assert_eq!(single(-3, -150), -f32::from_bits(1));
        assert_eq!(pack(&F32, -1, -150, Rounding::TowardZero), 0);
        assert_eq!(single(1, 128), f32::INFINITY);
        assert_eq!(single((1 << 25) - 1, 103), f32::MAX);
    }

    #[test]
    fn halves_are_rounded_to_nearest_even() {
        let half_of = |sum, scale| half::f16::from_bits(pack(&F16, sum, scale, Rounding::NearestEven) as u16);
        for sum in (-70_000i64..70_000).step_by(7) {
            for scale in [-30, -26, -24, -20, -12, -1, 0] {
                let exact = sum as f64 * 2f64.powi(scale);
                let wanted = half::f16::from_f64(exact);
                let wanted = if wanted == half::f16::ZERO { half::f16::ZERO } else { wanted };
                assert_eq!(half_of(sum, scale).to_bits(), wanted.to_bits(), "{sum} * 2^{scale}");
            }
        }
        assert_eq!(half_of(65_520, 0), half::f16::INFINITY);
        assert_eq!(half_of(65_519, 0), half::f16::MAX);
    }
}
