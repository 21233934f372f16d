//! `cvt`: between integers, floats, halves and packed small floats.

use super::int::{mask, sext};
use super::round::{
    BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, F32, Format, TF32, pack, pack_random, to_odd, unpack,
};
use super::{NAN32, mode};

/// A scalar type of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Int { bits: u32, signed: bool },
    F16,
    Bf16,
    F32,
    F64,
}

/// What a conversion does beside converting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cvt {
    pub(crate) to: Scalar,
    pub(crate) from: Scalar,
    pub(crate) rounding: u8,
    /// `.rni` and its like: the result is a whole number.
    pub(crate) whole: bool,
    pub(crate) ftz: bool,
    pub(crate) sat: bool,
    pub(crate) relu: bool,
}

impl Cvt {
    /// The converted value; integers are sign-extended to 64 bits when the target type is signed.
    pub(crate) fn apply(&self, a: u64) -> u64 {
        match (self.from, self.to) {
            (Scalar::Int { bits, signed }, Scalar::Int { bits: to, signed: to_signed }) => {
                let v = if signed { i128::from(sext(a, bits)) } else { i128::from(a & mask(bits)) };
                if self.sat { clamp(v, to, to_signed) } else { extend(v as u64, to, to_signed) }
            }
            (Scalar::Int { bits, signed }, to) => {
                let v = if signed { i128::from(sext(a, bits)) } else { i128::from(a & mask(bits)) };
                let near = v as f64;
                let error = v - near as i128;
                self.finish(near, error as f64, to)
            }
            (from, Scalar::Int { bits, signed }) => self.int_of(self.read(a, from), from, bits, signed),
            (from, to) => {
                let v = self.read(a, from);
                if v.is_nan() {
                    return self.nan(a, from, to);
                }
                let v = if self.whole { whole(v, self.rounding) } else { v };
                self.finish(v, 0.0, to)
            }
        }
    }

    fn read(&self, a: u64, from: Scalar) -> f64 {
        let v = match from {
            Scalar::F16 => unpack(a as u32 & 0xffff, F16),
            Scalar::Bf16 => unpack(a as u32 & 0xffff, BF16),
            Scalar::F32 => f64::from(f32::from_bits(a as u32)),
            Scalar::F64 => f64::from_bits(a),
            Scalar::Int { .. } => 0.0,
        };
        // manual: `.ftz` applies where single precision takes part.
        let single = from == Scalar::F32;
        if self.ftz && single && v != 0.0 && v.abs() < f64::from(f32::MIN_POSITIVE) { v * 0.0 } else { v }
    }

    /// hardware: generated programs on an H200: conversions to and from double precision keep sign and payload and set
    /// the quiet bit, bf16 to single is a shift, the others give the canonical NaN.
    fn nan(&self, a: u64, from: Scalar, to: Scalar) -> u64 {
        if self.sat {
            return 0;
        }
        let (sign, payload) = match from {
            Scalar::F64 => (a >> 63, a & mask(52)),
            Scalar::F32 => (a >> 31 & 1, (a & mask(23)) << 29),
            Scalar::F16 => (a >> 15 & 1, (a & mask(10)) << 42),
            Scalar::Bf16 => (a >> 15 & 1, (a & mask(7)) << 45),
            Scalar::Int { .. } => (0, 0),
        };
        let quiet = payload | 1 << 51;
        match (from, to) {
            (_, Scalar::F64) => sign << 63 | 0x7ff << 52 | quiet,
            (Scalar::F64, Scalar::F32) => sign << 31 | 0xff << 23 | quiet >> 29,
            (Scalar::F64, Scalar::F16) => sign << 15 | 0x1f << 10 | quiet >> 42,
            (Scalar::F64, Scalar::Bf16) => sign << 15 | 0xff << 7 | quiet >> 45,
            (Scalar::Bf16, Scalar::F32) => (a & 0xffff) << 16,
            (_, Scalar::F32) => u64::from(NAN32),
            _ => 0x7fff,
        }
    }

    /// Rounds `v + error` to the target.
    fn finish(&self, v: f64, error: f64, to: Scalar) -> u64 {
        let v = if self.relu && (v <= 0.0) { 0.0 } else { v };
        let odd = to_odd(v, error);
        let small = |format: Format| u64::from(pack(odd, format, self.rounding, false));
        let bits = match to {
            Scalar::F64 => {
                let directed = match self.rounding {
                    mode::ZERO => super::round::direct_f64::<{ mode::ZERO }>(v, error),
                    mode::DOWN => super::round::direct_f64::<{ mode::DOWN }>(v, error),
                    mode::UP => super::round::direct_f64::<{ mode::UP }>(v, error),
                    _ => v,
                };
                directed.to_bits()
            }
            Scalar::F32 => {
                let bits = small(F32);
                if self.ftz && bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
            }
            Scalar::F16 => small(F16),
            Scalar::Bf16 => small(BF16),
            Scalar::Int { .. } => 0,
        };
        if self.sat { saturate(bits, to) } else { bits }
    }

    /// manual: PTX `cvt`: out of range clamps; NaN becomes 0, or the sign bit when a double or a 64-bit integer takes
    /// part.
    fn int_of(&self, v: f64, from: Scalar, bits: u32, signed: bool) -> u64 {
        if v.is_nan() {
            return if from == Scalar::F64 || bits == 64 { extend(1 << (bits - 1), bits, signed) } else { 0 };
        }
        // Past 2^100 only the clamp matters, and the cast saturates there.
        clamp(whole(v, self.rounding) as i128, bits, signed)
    }
}

fn saturate(bits: u64, to: Scalar) -> u64 {
    let (one, negative) = match to {
        Scalar::F64 => (1f64.to_bits(), bits >> 63 == 1),
        Scalar::F32 => (u64::from(1f32.to_bits()), bits >> 31 == 1),
        Scalar::F16 => (0x3c00, bits >> 15 == 1),
        Scalar::Bf16 => (0x3f80, bits >> 15 == 1),
        Scalar::Int { .. } => return bits,
    };
    if negative { 0 } else { bits.min(one) }
}

fn whole(v: f64, rounding: u8) -> f64 {
    match rounding {
        mode::NEAR => v.round_ties_even(),
        mode::DOWN => v.floor(),
        mode::UP => v.ceil(),
        mode::AWAY => v.round(),
        _ => v.trunc(),
    }
}

fn clamp(v: i128, bits: u32, signed: bool) -> u64 {
    let (low, high) =
        if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    v.clamp(low, high) as u64
}

fn extend(v: u64, bits: u32, signed: bool) -> u64 {
    if signed { sext(v, bits).cast_unsigned() } else { v & mask(bits) }
}

/// A packed small format of two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packed {
    F16x2,
    Bf16x2,
    E4m3x2,
    E5m2x2,
    E2m1x2,
    E2m3x2,
    E3m2x2,
    /// Powers of two without sign.
    Ue8m0x2,
}

impl Packed {
    fn format(self) -> (Format, u32) {
        match self {
            Packed::E2m1x2 => (E2M1, 4),
            Packed::E2m3x2 => (E2M3, 8),
            Packed::E3m2x2 => (E3M2, 8),
            // Not used: powers of two have a rounding of their own.
            Packed::Ue8m0x2 => (BF16, 8),
            Packed::F16x2 => (F16, 16),
            Packed::Bf16x2 => (BF16, 16),
            Packed::E4m3x2 => (E4M3, 8),
            Packed::E5m2x2 => (E5M2, 8),
        }
    }

    /// Two values to one word; `high` goes to the upper part.
    pub(crate) fn join(self, high: f64, low: f64, rounding: u8, satfinite: bool, relu: bool) -> u64 {
        let (format, width) = self.format();
        let one = |v: f64| {
            if self == Packed::Ue8m0x2 {
                return power(v, rounding);
            }
            let v = if relu && v <= 0.0 { 0.0 } else { v };
            // manual: formats without a NaN give their largest number for one.
            let v = if v.is_nan() && format.nan == format.largest { f64::INFINITY } else { v };
            u64::from(pack(v, format, rounding, satfinite))
        };
        one(high) << width | one(low)
    }

    /// Pairs of values to one word, the first pair highest, each rounded by its random bits.
    ///
    /// manual: PTX ISA, cvt: which part of the random word is for which values. inferred: both values of a pair of narrow
    /// floats share theirs, and of 4-bit floats the byte of the upper half comes first.
    pub(crate) fn join_random(self, values: &[f64], random: u32, satfinite: bool, relu: bool) -> u64 {
        let (format, width) = self.format();
        let (upper, lower) = (random >> 16, random & 0xffff);
        let share = |index: usize| match self {
            Packed::F16x2 => ([upper, lower][index & 1] & 0x1fff, 13),
            Packed::Bf16x2 => ([upper, lower][index & 1], 16),
            Packed::E2m1x2 => match index / 2 {
                0 => ((random >> 16) & 0xff00 | (random >> 8) & 0xff, 16),
                _ => ((random >> 8) & 0xff00 | random & 0xff, 16),
            },
            _ => ([upper, lower][(index / 2) & 1], 16),
        };
        values.iter().enumerate().fold(0, |word, (index, &v)| {
            let v = if relu && v <= 0.0 { 0.0 } else { v };
            let v = if v.is_nan() && format.nan == format.largest { f64::INFINITY } else { v };
            let (random, bits) = share(index);
            word << width | u64::from(pack_random(v, format, random, bits, satfinite))
        })
    }

    /// The two values of a word, upper one first.
    pub(crate) fn split(self, word: u64) -> (f64, f64) {
        let (format, width) = self.format();
        let part = |w: u64| match self {
            Packed::Ue8m0x2 if w & 0xff == 0xff => f64::NAN,
            Packed::Ue8m0x2 => 2f64.powi((w & 0xff) as i32 - 127),
            _ => unpack(w as u32 & ((1 << width) - 1), format),
        };
        (part(word >> width), part(word))
    }
}

/// The exponent of a power of two, 127 for one. manual: PTX `cvt` to `.ue8m0x2`: signs are dropped, NaN is 255, what is
/// out of range clamps.
fn power(v: f64, rounding: u8) -> u64 {
    let v = v.abs();
    if v.is_nan() {
        return 0xff;
    }
    if v.is_infinite() {
        return 0xfe;
    }
    let bits = v.to_bits();
    let up = rounding == mode::UP && bits & ((1 << 52) - 1) != 0;
    let exponent = (bits >> 52) as i64 - 1023 + i64::from(up);
    (exponent + 127).clamp(0, 254) as u64
}

/// Single precision to tf32: the low 13 bits become zero.
pub(crate) fn to_tf32(a: u64, rounding: u8, relu: bool, satfinite: bool) -> u64 {
    let v = f64::from(f32::from_bits(a as u32));
    if v.is_nan() {
        // hardware: generated programs on an H200: `.rna` clears the low 13 bits of a NaN, `.rn` gives the canonical one.
        let nan = if rounding == mode::AWAY { a & 0xffff_ffff } else { u64::from(NAN32) };
        return nan & !0x1fff;
    }
    let v = if relu && v <= 0.0 { 0.0 } else { v };
    u64::from(pack(v, TF32, rounding, satfinite)) << 13
}

/// `cvt.pack`: two integers clamped to `bits` and joined; the 8- and smaller forms shift a third one up.
pub(crate) fn pack_ints(a: u64, b: u64, c: u64, bits: u32, signed: bool) -> u64 {
    let one = |v: u64| clamp(i128::from(sext(v, 32)), bits, signed) & mask(bits);
    let pair = one(a) << bits | one(b);
    if bits == 16 { pair } else { (c << (2 * bits) | pair) & 0xffff_ffff }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S32: Scalar = Scalar::Int { bits: 32, signed: true };
    const U32: Scalar = Scalar::Int { bits: 32, signed: false };
    const U8: Scalar = Scalar::Int { bits: 8, signed: false };

    fn cvt(to: Scalar, from: Scalar, rounding: u8) -> Cvt {
        Cvt { to, from, rounding, whole: false, ftz: false, sat: false, relu: false }
    }

    fn bits(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    #[test]
    fn floats_to_integers_clamp_and_nan_is_the_manuals() {
        let c = cvt(S32, Scalar::F32, mode::ZERO);
        assert_eq!(c.apply(bits(-1.9)), u64::MAX);
        assert_eq!(c.apply(bits(1e20)), 0x7fff_ffff);
        assert_eq!(c.apply(bits(f32::NAN)), 0);
        assert_eq!(cvt(U32, Scalar::F32, mode::NEAR).apply(bits(-3.0)), 0);
        assert_eq!(cvt(S32, Scalar::F32, mode::NEAR).apply(bits(2.5)), 2);
        assert_eq!(cvt(U32, Scalar::F64, mode::ZERO).apply(f64::NAN.to_bits()), 0x8000_0000);
    }

    #[test]
    fn integers_to_floats_round() {
        let from = Scalar::Int { bits: 64, signed: false };
        for v in [0u64, 1, u64::MAX, (1 << 60) + 1, 0x8000_0080_0000_0001, 0x8000_0080_0000_0000] {
            assert_eq!(cvt(Scalar::F32, from, mode::NEAR).apply(v), bits(v as f32), "{v:#x}");
            assert_eq!(cvt(Scalar::F64, from, mode::NEAR).apply(v), (v as f64).to_bits());
            let down = f32::from_bits(cvt(Scalar::F32, from, mode::DOWN).apply(v) as u32);
            assert!(f64::from(down) as u128 <= u128::from(v));
        }
    }

    #[test]
    fn integer_narrowing() {
        assert_eq!(cvt(U8, S32, mode::ZERO).apply(0x1ff), 0xff);
        assert_eq!(Cvt { sat: true, ..cvt(U8, S32, mode::ZERO) }.apply(0xffff_ffff), 0);
        assert_eq!(
            cvt(Scalar::Int { bits: 8, signed: true }, S32, mode::ZERO).apply(0x80),
            (-128i64).cast_unsigned()
        );
        assert_eq!(pack_ints(0x1_0000, 0xffff_0000, 0, 16, true), 0x7fff_8000);
        assert_eq!(pack_ints(300, 0xffff_ffff, 0x1234, 8, false), 0x1234_ff00);
    }

    #[test]
    fn small_floats() {
        assert_eq!(Packed::F16x2.join(1.0, -2.0, mode::NEAR, false, false), 0x3c00_c000);
        assert_eq!(Packed::E4m3x2.join(448.0, f64::INFINITY, mode::NEAR, true, false), 0x7e7e);
        assert_eq!(Packed::E5m2x2.split(0x3c00).0, 1.0);
        assert_eq!(to_tf32(0x3f80_1000, mode::AWAY, false, false), 0x3f80_2000);
        assert_eq!(to_tf32(0x3f80_1000, mode::NEAR, false, false), 0x3f80_0000);
        assert_eq!(Cvt { sat: true, ..cvt(Scalar::F32, Scalar::F32, mode::NEAR) }.apply(bits(f32::NAN)), 0);
        assert_eq!(
            Cvt { whole: true, ..cvt(Scalar::F32, Scalar::F32, mode::DOWN) }.apply(bits(-1.5)),
            bits(-2.0)
        );
    }
}
