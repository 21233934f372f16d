//! f16 and bf16, single and in pairs.
//!
//! Sums and products of two halves rounded to single precision and then to half are right: 24 bits are at least twice
//! 11 plus 2 (a known theorem on double rounding). A fused product needs the odd rounding of [`super::round`].

use super::round::{BF16, F16, Format, pack, to_odd, two_sum, unpack};
use super::{NAN16, mode};

/// Which of the two formats.
pub(crate) trait Half {
    const FORMAT: Format;
    /// The first number that is too large for the format.
    const BEYOND: f32;
    fn wide(bits: u64) -> f32;
    fn narrow(x: f32) -> u64;
}

pub(crate) struct Ieee;
pub(crate) struct Brain;

impl Half for Ieee {
    const FORMAT: Format = F16;
    const BEYOND: f32 = 65_536.0;

    #[inline(always)]
    fn wide(bits: u64) -> f32 {
        ::half::f16::from_bits(bits as u16).to_f32()
    }

    #[inline(always)]
    fn narrow(x: f32) -> u64 {
        u64::from(if x.is_nan() { NAN16 } else { ::half::f16::from_f32(x).to_bits() })
    }
}

impl Half for Brain {
    const FORMAT: Format = BF16;
    const BEYOND: f32 = f32::INFINITY;

    #[inline(always)]
    fn wide(bits: u64) -> f32 {
        f32::from_bits((bits as u32 & 0xffff) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> u64 {
        u64::from(if x.is_nan() { NAN16 } else { ::half::bf16::from_f32(x).to_bits() })
    }
}

#[inline(always)]
fn flush<H: Half, const FTZ: bool>(bits: u64) -> u64 {
    let magnitude = bits as u32 & 0x7fff;
    if FTZ && magnitude >> H::FORMAT.mantissa == 0 { bits & 0x8000 } else { bits & 0xffff }
}

#[inline(always)]
fn finish<H: Half, const FTZ: bool, const SAT: bool>(bits: u64) -> u64 {
    let bits = flush::<H, FTZ>(bits);
    if !SAT {
        return bits;
    }
    let x = H::wide(bits);
    let clamped = if x >= 1.0 {
        1.0
    } else if x > 0.0 {
        x
    } else {
        0.0
    };
    H::narrow(clamped)
}

#[inline(always)]
pub(crate) fn add<H: Half, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    let (x, y) = (H::wide(flush::<H, FTZ>(a)), H::wide(flush::<H, FTZ>(b)));
    finish::<H, FTZ, SAT>(H::narrow(x + y))
}

#[inline(always)]
pub(crate) fn sub<H: Half, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    add::<H, FTZ, SAT>(a, b ^ 0x8000)
}

#[inline(always)]
pub(crate) fn mul<H: Half, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    let (x, y) = (H::wide(flush::<H, FTZ>(a)), H::wide(flush::<H, FTZ>(b)));
    finish::<H, FTZ, SAT>(H::narrow(x * y))
}

#[inline(always)]
pub(crate) fn fma<H: Half, const FTZ: bool, const SAT: bool>(a: u64, b: u64, c: u64) -> u64 {
    let [x, y, z] = [a, b, c].map(|v| f64::from(H::wide(flush::<H, FTZ>(v))));
    let (s, e) = two_sum(x * y, z);
    finish::<H, FTZ, SAT>(u64::from(pack(to_odd(s, e), H::FORMAT, mode::NEAR, false)))
}

/// A value whose sign was just changed: NaN becomes canonical.
#[inline(always)]
pub(crate) fn sign_of<H: Half, const FTZ: bool>(a: u64) -> u64 {
    let a = flush::<H, FTZ>(a);
    if H::wide(a).is_nan() { u64::from(NAN16) } else { a }
}

/// Negative results and NaN become zero.
#[inline(always)]
pub(crate) fn relu<H: Half>(bits: u64) -> u64 {
    let x = H::wide(bits);
    if x > 0.0 {
        bits
    } else if x.is_nan() {
        u64::from(NAN16)
    } else {
        0
    }
}

#[inline(always)]
pub(crate) fn pick<H: Half, const MAX: bool, const FTZ: bool, const NAN: bool>(a: u64, b: u64) -> u64 {
    let (a, b) = (flush::<H, FTZ>(a), flush::<H, FTZ>(b));
    let (x, y) = (H::wide(a), H::wide(b));
    match (x.is_nan(), y.is_nan()) {
        (true, true) => u64::from(NAN16),
        (true, false) | (false, true) if NAN => u64::from(NAN16),
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            let key = |bits: u64| {
                let s = i32::from((bits as u16).cast_signed());
                s ^ ((s >> 31) & 0x7fff)
            };
            if (key(a) < key(b)) == MAX { b } else { a }
        }
    }
}

/// The same on magnitudes, with the exclusive or of the signs.
#[inline(always)]
pub(crate) fn pick_xorsign<H: Half, const MAX: bool, const FTZ: bool, const NAN: bool>(
    a: u64,
    b: u64,
) -> u64 {
    let sign = (a ^ b) & 0x8000;
    let picked = pick::<H, MAX, FTZ, NAN>(a & 0x7fff, b & 0x7fff) & 0x7fff;
    // hardware: generated programs on an H200: the canonical NaN keeps its sign.
    if picked == u64::from(NAN16) { picked } else { picked | sign }
}

/// Both halves of a word.
#[inline(always)]
pub(crate) fn both1(a: u64, op: impl Fn(u64) -> u64) -> u64 {
    op(a & 0xffff) | op(a >> 16 & 0xffff) << 16
}

/// Both halves of two words.
#[inline(always)]
pub(crate) fn both2(a: u64, b: u64, op: impl Fn(u64, u64) -> u64) -> u64 {
    op(a & 0xffff, b & 0xffff) | op(a >> 16 & 0xffff, b >> 16 & 0xffff) << 16
}

/// Both halves of three words.
#[inline(always)]
pub(crate) fn both3(a: u64, b: u64, c: u64, op: impl Fn(u64, u64, u64) -> u64) -> u64 {
    let (h, g, k) = (a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff);
    op(a & 0xffff, b & 0xffff, c & 0xffff) | op(h, g, k) << 16
}

/// The value of half bits in double precision.
#[inline(always)]
pub(crate) fn value<H: Half>(bits: u64) -> f64 {
    unpack(bits as u32 & 0xffff, H::FORMAT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_products_and_fused_products_round_once() {
        let mut x = 12345u64;
        for _ in 0..200_000 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (a, b, c) = (x >> 16 & 0xffff, x >> 32 & 0xffff, x >> 48);
            let [u, v, w] = [a, b, c].map(value::<Ieee>);
            // Products of two and sums of two halves are exact doubles.
            let check = |got: u64, exact: f64| {
                if !exact.is_nan() {
                    assert_eq!(got as u32, pack(exact, F16, mode::NEAR, false));
                }
            };
            check(add::<Ieee, false, false>(a, b), u + v);
            check(mul::<Ieee, false, false>(a, b), u * v);
            // With exponents this close the fused sum is an exact double too.
            let sum = u * v + w;
            if (sum - u * v) == w && (sum - w) == u * v {
                check(fma::<Ieee, false, false>(a, b, c), sum);
            }
        }
        assert_eq!(add::<Ieee, false, false>(0x7c00, 0xfc00), u64::from(NAN16));
        assert_eq!(pick::<Ieee, true, false, false>(0x8000, 0), 0);
        assert_eq!(relu::<Brain>(0xbf80), 0);
    }
}
