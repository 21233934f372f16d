//! Rounding an exact value to a format.

use super::mode;

/// A floating-point format with at most 23 stored mantissa bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// Stored mantissa bits.
    pub(crate) mantissa: u32,
    /// Exponent of the smallest normal number.
    pub(crate) emin: i32,
    /// Bits of the largest finite magnitude.
    pub(crate) largest: u32,
    /// Bits of infinity; of NaN for a format without one.
    pub(crate) infinity: u32,
    /// Bits of the NaN that instructions produce.
    pub(crate) nan: u32,
    /// Position of the sign bit.
    pub(crate) sign: u32,
}

pub(crate) const F32: Format = Format {
    mantissa: 23,
    emin: -126,
    largest: 0x7f7f_ffff,
    infinity: 0x7f80_0000,
    nan: super::NAN32,
    sign: 31,
};
pub(crate) const F16: Format =
    Format { mantissa: 10, emin: -14, largest: 0x7bff, infinity: 0x7c00, nan: 0x7fff, sign: 15 };
pub(crate) const BF16: Format =
    Format { mantissa: 7, emin: -126, largest: 0x7f7f, infinity: 0x7f80, nan: 0x7fff, sign: 15 };
pub(crate) const E4M3: Format =
    Format { mantissa: 3, emin: -6, largest: 0x7e, infinity: 0x7f, nan: 0x7f, sign: 7 };
pub(crate) const E5M2: Format =
    Format { mantissa: 2, emin: -14, largest: 0x7b, infinity: 0x7c, nan: 0x7f, sign: 7 };
/// The formats of 4 and 6 bits have neither infinity nor NaN.
pub(crate) const E2M1: Format = Format { mantissa: 1, emin: 0, largest: 7, infinity: 7, nan: 7, sign: 3 };
pub(crate) const E2M3: Format =
    Format { mantissa: 3, emin: 0, largest: 0x1f, infinity: 0x1f, nan: 0x1f, sign: 5 };
pub(crate) const E3M2: Format =
    Format { mantissa: 2, emin: -2, largest: 0x1f, infinity: 0x1f, nan: 0x1f, sign: 5 };
/// tf32 without its 13 low zero bits.
pub(crate) const TF32: Format =
    Format { mantissa: 10, emin: -126, largest: 0x3_fbff, infinity: 0x3_fc00, nan: 0x3_ffff, sign: 18 };

/// `a + b` as a double and what it lacks.
#[inline(always)]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let bb = s - a;
    (s, (a - (s - bb)) + (b - bb))
}

/// The double whose last bit is set when `error` says that `s` is not exact: of the two doubles around `s + error`, the
/// odd one.
#[inline(always)]
pub(crate) fn to_odd(s: f64, error: f64) -> f64 {
    let bits = s.to_bits();
    // A NaN error (infinite operands) compares false on both sides and leaves `s` alone.
    let inexact = error.abs() > 0.0 && bits & 1 == 0;
    let grows = (error > 0.0) == (s > 0.0);
    let odd = if grows { bits | 1 } else { bits.wrapping_sub(1) };
    f64::from_bits(if inexact { odd } else { bits })
}

/// Rounds a double that remembers its inexactness (see [`to_odd`]) to single precision.
#[inline(always)]
pub(crate) fn to_f32<const M: u8>(v: f64) -> f32 {
    let near = v as f32;
    let back = f64::from(near);
    match M {
        mode::NEAR => near,
        mode::ZERO => {
            let past = back.abs() > v.abs();
            f32::from_bits(near.to_bits() - u32::from(past))
        }
        mode::DOWN if back > v => near.next_down(),
        mode::UP if back < v => near.next_up(),
        _ => near,
    }
}

/// The double next to `near` that a directed mode asks for when the exact value is `near + error`.
#[inline(always)]
pub(super) fn direct_f64<const M: u8>(near: f64, error: f64) -> f64 {
    if !near.is_finite() {
        return near;
    }
    match M {
        mode::ZERO if error < 0.0 && near > 0.0 => near.next_down(),
        mode::ZERO if error > 0.0 && near < 0.0 => near.next_up(),
        mode::DOWN if error < 0.0 => near.next_down(),
        mode::UP if error > 0.0 => near.next_up(),
        _ => near,
    }
}

/// Rounds a double that remembers its inexactness to a format. Values past the largest finite number become infinity, or
/// the largest with `saturate` or where the mode rounds them down.
pub(crate) fn pack(v: f64, format: Format, rounding: u8, saturate: bool) -> u32 {
    let negative = v.is_sign_negative();
    let stays = match rounding {
        mode::ZERO => true,
        mode::DOWN => !negative,
        mode::UP => negative,
        _ => false,
    };
    assemble(v, format, saturate, stays, |quotient, rest, half| match rounding {
        mode::NEAR => rest > half || (rest == half && quotient & 1 == 1),
        mode::AWAY => rest >= half,
        mode::DOWN => rest > 0 && negative,
        mode::UP => rest > 0 && !negative,
        _ => false,
    })
}

/// Rounds away from zero when `random`, `bits` bits wide, carries out of what is cut off, as fractions of its unit.
///
/// manual: PTX ISA, cvt `.rs`. inferred: random bits line up with the highest ones that are cut off.
pub(crate) fn pack_random(v: f64, format: Format, random: u32, bits: u32, saturate: bool) -> u32 {
    assemble(v, format, saturate, false, |_, rest, half| {
        let unit = u128::from(half) << 1;
        u128::from(rest) + ((u128::from(random) * unit) >> bits) >= unit
    })
}

/// Sign, exponent and fraction of a value; `up` says of quotient, rest and half a unit whether it grows.
#[inline(always)]
fn assemble(v: f64, format: Format, saturate: bool, stays: bool, up: impl Fn(u64, u64, u64) -> bool) -> u32 {
    let bits = v.to_bits();
    let sign = ((bits >> 63) as u32) << format.sign;
    if v.is_nan() {
        return format.nan;
    }
    if v.is_infinite() {
        return sign | if saturate { format.largest } else { format.infinity };
    }
    let field = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (exponent, significand) =
        if field == 0 { (-1022, fraction) } else { (field - 1023, fraction | 1 << 52) };
    if significand == 0 {
        return sign;
    }
    let below = (format.emin - exponent).max(0) as u32;
    let shift = 52 - format.mantissa + below;
    let (quotient, rest, half) = if shift >= 63 {
        (0, 1, 2)
    } else {
        (significand >> shift, significand & ((1 << shift) - 1), 1u64 << (shift - 1))
    };
    let steps = u64::from((exponent.max(format.emin) - format.emin) as u32);
    // The implicit bit of `quotient` adds one to the exponent field of a normal number, and so does a carry.
    let magnitude = (steps << format.mantissa) + quotient + u64::from(up(quotient, rest, half));
    match magnitude > u64::from(format.largest) {
        true if saturate || stays => sign | format.largest,
        true => sign | format.infinity,
        false => sign | magnitude as u32,
    }
}

/// The value of a format's bits.
pub(crate) fn unpack(bits: u32, format: Format) -> f64 {
    let negative = bits >> format.sign & 1 == 1;
    let magnitude = bits & ((1 << format.sign) - 1);
    let value = if magnitude > format.largest {
        if magnitude == format.infinity && format.infinity != format.nan { f64::INFINITY } else { f64::NAN }
    } else {
        let field = magnitude >> format.mantissa;
        let fraction = magnitude & ((1 << format.mantissa) - 1);
        let (significand, exponent) = match field {
            0 => (fraction, format.emin),
            _ => (fraction | 1 << format.mantissa, format.emin + field as i32 - 1),
        };
        f64::from(significand) * 2f64.powi(exponent - format.mantissa as i32)
    };
    if negative { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_go_round() {
        for format in [F16, BF16] {
            for bits in 0..=0xffffu32 {
                let v = unpack(bits, format);
                if v.is_nan() {
                    continue;
                }
                assert_eq!(pack(v, format, mode::NEAR, false), bits);
            }
        }
        for format in [E4M3, E5M2] {
            for bits in 0..=0xffu32 {
                let v = unpack(bits, format);
                if !v.is_nan() {
                    assert_eq!(pack(v, format, mode::NEAR, false), bits);
                }
            }
        }
    }

    #[test]
    fn halves_agree_with_another_implementation() {
        for i in 0..200_000u32 {
            let bits = i.wrapping_mul(0x9e37_79b9);
            let v = f32::from_bits(bits);
            if v.is_nan() {
                continue;
            }
            let want = ::half::f16::from_f32(v).to_bits();
            assert_eq!(pack(f64::from(v), F16, mode::NEAR, false), u32::from(want));
            let want = ::half::bf16::from_f32(v).to_bits();
            assert_eq!(pack(f64::from(v), BF16, mode::NEAR, false), u32::from(want));
            assert_eq!(pack(f64::from(v), F32, mode::NEAR, false), bits);
        }
    }

    #[test]
    fn directed_modes_bracket() {
        let v = 1.0 + 2f64.powi(-30);
        assert_eq!(to_f32::<{ mode::NEAR }>(v), 1.0);
        assert_eq!(to_f32::<{ mode::ZERO }>(v), 1.0);
        assert_eq!(to_f32::<{ mode::UP }>(v), 1.0f32.next_up());
        assert_eq!(to_f32::<{ mode::DOWN }>(-v), (-1.0f32).next_down());
        assert_eq!(to_f32::<{ mode::ZERO }>(f64::MAX), f32::MAX);
        assert_eq!(to_f32::<{ mode::DOWN }>(f64::MAX), f32::MAX);
        assert_eq!(pack(500.0, E4M3, mode::NEAR, true), 0x7e);
        assert_eq!(pack(1e9, F16, mode::ZERO, false), 0x7bff);
    }
}
