//! The special-function unit: eight functions of single precision, from tables of parabolas.
//!
//! The significand's upper bits choose a slice of the table, the lower bits are `x`; the function there is
//! `a + b·x + c·x²`, with a squarer that leaves out all partial products below the last bit it keeps. Range reduction
//! truncates, results are truncated (what rounding there is sits in `a`), subnormal inputs and results are zero.
//!
//! hardware: every significand of each function was recorded on an H200 (2^23 to 2^24 values each, all signs and
//! exponents sampled); for each slice exactly one triple of coefficients gives all recorded values. The arrangement of the
//! unit is that of Oberman and Siu, "A High-Performance Area-Efficient Multifunction Interpolator", ARITH-17, 2005.
//! inferred: sm_100 and sm_120 have the same tables.

use super::tables::{self, Slice};

pub(super) const NAN: u32 = super::super::NAN32;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;
const ONE: u32 = 1 << 23;
const BIAS: i32 = 127;

/// A single-precision number taken apart.
#[derive(Clone, Copy)]
struct Parts {
    sign: u32,
    /// Biased.
    exponent: i32,
    fraction: u32,
}

impl Parts {
    #[inline(always)]
    fn of(bits: u32) -> Parts {
        Parts { sign: bits & SIGN, exponent: (bits >> 23 & 0xff) as i32, fraction: bits & (ONE - 1) }
    }

    fn is_nan(self) -> bool {
        self.exponent == 255 && self.fraction != 0
    }

    /// Zero, or a subnormal that counts as zero.
    fn is_zero(self) -> bool {
        self.exponent == 0
    }

    fn is_infinite(self) -> bool {
        self.exponent == 255 && self.fraction == 0
    }
}

/// Bits of `x`.
pub(super) const LOW: u32 = 17;

/// `x²` in units of 2^19 of the last place of `x`: partial products below the last bit that is kept are left out.
///
/// Of the products of two bits those of the upper eight all count, those of the lower nine never; what is left of the mixed
/// ones stands in two tables, for speed.
#[inline(always)]
pub(super) fn square(x: u32) -> u32 {
    let (high, low) = (x >> 9 & 0xff, (x & 0x1ff) as usize);
    let [lower, upper] = [high & 15, high >> 4].map(|four| (four as usize) << 9 | low);
    (high * high + 2 * (u32::from(MIXED[0][lower]) + u32::from(MIXED[1][upper]))) >> 1
}

/// Products of four of the upper eight bits with the lower nine.
static MIXED: [[u16; 1 << 13]; 2] = [mixed(0), mixed(4)];

const fn mixed(first: u32) -> [u16; 1 << 13] {
    let mut table = [0; 1 << 13];
    let mut at = 0;
    while at < table.len() {
        let (four, low) = (at as u32 >> 9, at as u32 & 0x1ff);
        let mut bit = 0;
        while bit < 4 {
            if four >> bit & 1 == 1 {
                table[at] += (low >> (9 - bit - first)) as u16;
            }
            bit += 1;
        }
        at += 1;
    }
    table
}

/// The parabola at a fixed-point number whose bits above the lowest 17 choose the slice.
#[inline(always)]
fn parabola<const N: usize>(slices: &[Slice; N], at: u32) -> i64 {
    let (a, b, c) = slices[(at >> LOW) as usize % N];
    let x = at & ((1 << LOW) - 1);
    a + i64::from(b) * i64::from(x) + i64::from(c) * i64::from(square(x))
}

/// A significand in [1, 2] and a biased exponent, which may lie outside the format.
#[inline(always)]
fn pack(exponent: i32, significand: i64) -> u32 {
    let bits = i64::from(exponent) * i64::from(ONE) + significand - i64::from(ONE);
    if bits < i64::from(ONE) { 0 } else { bits.min(i64::from(INFINITY)) as u32 }
}

/// A positive fixed-point number with `point` bits behind the point, cut off to single precision.
#[inline(always)]
fn normalised(value: u64, point: i32) -> u32 {
    if value == 0 {
        return 0;
    }
    let top = 63 - value.leading_zeros() as i32;
    let significand = if top >= 23 { value >> (top - 23) } else { value << (23 - top) };
    pack(BIAS + top - point, significand as i64)
}

/// `MUFU.RCP`: 1/x.
#[inline(always)]
pub(super) fn rcp(bits: u32) -> u32 {
    let x = Parts::of(bits);
    if x.is_nan() {
        NAN
    } else if x.is_zero() {
        x.sign | INFINITY
    } else if x.is_infinite() {
        x.sign
    } else {
        x.sign | pack(2 * BIAS - 1 - x.exponent, parabola(&tables::RCP, x.fraction << 1) >> 16)
    }
}

/// The argument of a root as a number in [1, 4), 23 bits behind the point and without its first bit, and half the exponent.
#[inline(always)]
fn halved(x: Parts) -> (u32, i32) {
    let exponent = x.exponent - BIAS;
    (x.fraction | (exponent as u32 & 1) << 23, exponent >> 1)
}

/// `MUFU.RSQ`: 1/√x.
pub(super) fn rsqrt(bits: u32) -> u32 {
    let x = Parts::of(bits);
    if x.is_nan() {
        NAN
    } else if x.is_zero() {
        x.sign | INFINITY
    } else if x.sign != 0 {
        NAN
    } else if x.is_infinite() {
        0
    } else {
        let (at, half) = halved(x);
        let significand = if at == 0 { 2 * i64::from(ONE) } else { parabola(&tables::RSQRT, at) >> 16 };
        pack(BIAS - 1 - half, significand)
    }
}

/// `MUFU.SQRT`: √x.
pub(super) fn sqrt(bits: u32) -> u32 {
    let x = Parts::of(bits);
    if x.is_nan() {
        NAN
    } else if x.is_zero() {
        x.sign
    } else if x.sign != 0 {
        NAN
    } else if x.is_infinite() {
        INFINITY
    } else {
        let (at, half) = halved(x);
        pack(BIAS + half, parabola(&tables::SQRT, at) >> 17)
    }
}

/// `MUFU.EX2`: 2^x.
#[inline(always)]
pub(super) fn ex2(bits: u32) -> u32 {
    let x = Parts::of(bits);
    if x.is_nan() {
        return NAN;
    }
    let shift = x.exponent - BIAS;
    if shift >= 7 {
        return if x.sign != 0 { 0 } else { INFINITY };
    }
    // 23 bits behind the point, cut off, then the floor of the signed number, whose fraction is complemented.
    let significand = if x.is_zero() { 0 } else { x.fraction | ONE };
    let magnitude = if shift >= 0 { significand << shift } else { significand >> (-shift).min(31) };
    let fixed = match (x.sign != 0, magnitude & (ONE - 1)) {
        (false, _) => magnitude,
        (true, 0) => magnitude.wrapping_neg(),
        (true, _) => !magnitude,
    };
    let (whole, fraction) = (fixed.cast_signed() >> 23, fixed & (ONE - 1));
    pack(BIAS + whole, parabola(&tables::EX2, fraction) >> 15)
}

/// `MUFU.LG2`: log2 x.
pub(super) fn lg2(bits: u32) -> u32 {
    let x = Parts::of(bits);
    if x.is_nan() {
        NAN
    } else if x.is_zero() {
        SIGN | INFINITY
    } else if x.sign != 0 {
        NAN
    } else if x.is_infinite() {
        INFINITY
    } else {
        // 36 bits behind the point; the exponent is the whole part.
        let whole = i64::from(x.exponent - BIAS);
        let part = if x.fraction == 0 && whole == 0 { 0 } else { parabola(&tables::LG2, x.fraction) >> 2 };
        let value = part + (whole << 36);
        if value < 0 { SIGN | normalised(!value as u64, 36) } else { normalised(value as u64, 36) }
    }
}

/// `MUFU.SIN`: the sine of so many revolutions.
pub(super) fn sin(bits: u32) -> u32 {
    let x = Parts::of(bits);
    if x.exponent == 255 { NAN } else { quarter_wave(x, 0, x.sign) }
}

/// `MUFU.COS`: the cosine of so many revolutions.
pub(super) fn cos(bits: u32) -> u32 {
    let x = Parts::of(bits);
    if x.exponent == 255 { NAN } else { quarter_wave(x, 1, 0) }
}

/// The sine `quadrants` further on; the table holds the first quadrant.
fn quarter_wave(x: Parts, quadrants: u32, sign: u32) -> u32 {
    // Quarters of a revolution, 23 bits behind the point.
    let shift = x.exponent - BIAS + 2;
    let significand = if x.is_zero() { 0 } else { x.fraction | ONE };
    let quarters = match shift {
        25.. => 0,
        0.. => (u64::from(significand) << shift) as u32,
        _ => significand >> (-shift).min(31),
    };
    let quadrant = (quarters >> 23).wrapping_add(quadrants);
    let at = if quadrant & 1 != 0 { !quarters } else { quarters } & (ONE - 1);
    let sign = sign ^ (quadrant >> 1 & 1) << 31;
    sign | normalised(parabola(&tables::SIN, at) as u64, 37)
}

/// `MUFU.TANH`: tanh x. Octaves have one to sixteen slices; below 2^-8 the result is `x`, from 8 on it is 1.
pub(super) fn tanh(bits: u32) -> u32 {
    let x = Parts::of(bits);
    if x.is_nan() {
        return NAN;
    }
    let magnitude = match x.exponent - BIAS {
        3.. => (BIAS as u32) << 23,
        octave @ -8.. => {
            let octave = &tables::TANH[(octave + 8) as usize];
            let at = x.fraction >> octave.ignored;
            let (a, b, c) = octave.slices[(at >> LOW) as usize % octave.slices.len()];
            let low = at & ((1 << LOW) - 1);
            let value = a + i64::from(b) * i64::from(low) + i64::from(c) * i64::from(square(low));
            normalised(value as u64, octave.point)
        }
        _ => bits & !SIGN,
    };
    x.sign | magnitude
}

/// `MUFU.RCP64H`: the upper word of 1/x for the upper word of a double.
pub(super) fn rcp64h(high: u32) -> u32 {
    let (sign, exponent, fraction) = double(high);
    match exponent {
        0x7ff if fraction != 0 => 0x7fff_ffff,
        0x7ff => sign,
        0 => sign | 0x7ff0_0000,
        _ => sign | pack_double(2045 - exponent, parabola(&tables::RCP, fraction << 4) >> 19),
    }
}

/// `MUFU.RSQ64H`: the upper word of 1/√x for the upper word of a double.
pub(super) fn rsqrt64h(high: u32) -> u32 {
    let (sign, exponent, fraction) = double(high);
    match exponent {
        0x7ff if fraction != 0 => 0x7fff_ffff,
        0 => sign | 0x7ff0_0000,
        _ if sign != 0 => 0x7fff_ffff,
        0x7ff => 0,
        _ => {
            let exponent = exponent - 1023;
            let at = fraction << 3 | (exponent as u32 & 1) << 23;
            let significand = if at == 0 { 1 << 21 } else { parabola(&tables::RSQRT, at) >> 19 };
            pack_double(1022 - (exponent >> 1), significand)
        }
    }
}

/// Sign, biased exponent and the 20 upper bits of the fraction.
fn double(high: u32) -> (u32, i32, u32) {
    (high & SIGN, (high >> 20 & 0x7ff) as i32, high & 0xf_ffff)
}

fn pack_double(exponent: i32, significand: i64) -> u32 {
    let bits = (i64::from(exponent) << 20) + significand - (1 << 20);
    if bits < 1 << 20 { 0 } else { bits as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_products_below_the_last_bit_are_left_out() {
        for x in 0..1u32 << LOW {
            let kept: u32 = (0..LOW).filter(|i| x >> i & 1 == 1).map(|i| x >> (18 - i)).sum();
            assert_eq!(square(x), kept >> 1, "{x:#x}");
        }
    }
}
