//! The fast functions, as ptxas 13.5 expands them around the special-function unit.
//!
//! hardware: expansions are what ptxas emits for sm_90a; results of each form agree with an H200 (524,831 recorded values
//! each, see `cases/clean/special-functions`).

pub(crate) mod row;
mod tables;
mod unit;

use super::float::{d, f, flush, output};
use super::half::Half;
use super::mode;
use super::round::pack;

/// 2^24 and its relatives bring a subnormal number into the unit's range and its result back.
const UP: f32 = 16_777_216.0;
/// 2^126: reciprocals of larger numbers are subnormal.
const LARGE: f32 = 8.507_059e37;

#[inline(always)]
fn input<const FTZ: bool>(a: u64) -> f32 {
    if FTZ { flush(f(a)) } else { f(a) }
}

/// Subnormal or zero.
fn is_small(x: f32) -> bool {
    x.abs() < f32::MIN_POSITIVE
}

#[inline(always)]
fn through(function: impl Fn(u32) -> u32, x: f32) -> f32 {
    f32::from_bits(function(x.to_bits()))
}

/// The unit's result as it is.
#[inline(always)]
fn plain(function: impl Fn(u32) -> u32, x: f32) -> u64 {
    u64::from(function(x.to_bits()))
}

#[inline(always)]
pub(crate) fn ex2<const FTZ: bool>(a: u64) -> u64 {
    let x = f(a);
    if FTZ || x >= -126.0 || x.is_nan() {
        plain(unit::ex2, x)
    } else {
        let half = through(unit::ex2, x * 0.5);
        output::<FTZ, false>(half * half)
    }
}

pub(crate) fn lg2<const FTZ: bool>(a: u64) -> u64 {
    let x = f(a);
    if FTZ || !is_small(x) {
        plain(unit::lg2, x)
    } else {
        output::<FTZ, false>(through(unit::lg2, x * UP) - 24.0)
    }
}

pub(crate) fn sin<const FTZ: bool>(a: u64) -> u64 {
    plain(unit::sin, revolutions::<FTZ>(a))
}

pub(crate) fn cos<const FTZ: bool>(a: u64) -> u64 {
    plain(unit::cos, revolutions::<FTZ>(a))
}

/// `FMUL.RZ` by 1/2π.
fn revolutions<const FTZ: bool>(a: u64) -> f32 {
    let scale = u64::from(0.159_154_94_f32.to_bits());
    f(super::float::mul::<{ mode::ZERO }, FTZ, false>(a, scale))
}

pub(crate) fn rcp<const FTZ: bool>(a: u64) -> u64 {
    let x = f(a);
    let scale = match x.abs() {
        _ if is_small(x) => UP,
        size if size > LARGE => 0.25,
        _ => 1.0,
    };
    if FTZ { plain(unit::rcp, x) } else { output::<FTZ, false>(through(unit::rcp, x * scale) * scale) }
}

pub(crate) fn sqrt<const FTZ: bool>(a: u64) -> u64 {
    let x = f(a);
    if FTZ || !is_small(x) {
        plain(unit::sqrt, x)
    } else {
        output::<FTZ, false>(through(unit::sqrt, x * UP) * 2f32.powi(-12))
    }
}

pub(crate) fn rsqrt<const FTZ: bool>(a: u64) -> u64 {
    let x = f(a);
    if FTZ || !is_small(x) {
        plain(unit::rsqrt, x)
    } else {
        output::<FTZ, false>(through(unit::rsqrt, x * UP) * 4096.0)
    }
}

pub(crate) fn tanh<const FTZ: bool>(a: u64) -> u64 {
    plain(unit::tanh, f(a))
}

/// `div.approx`: a times the reciprocal of b; both are scaled where b is subnormal.
#[inline(always)]
pub(crate) fn div<const FTZ: bool>(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (input::<FTZ>(a), input::<FTZ>(b));
    if !FTZ && is_small(y) {
        (x, y) = (x * UP, y * UP);
    }
    output::<FTZ, false>(through(unit::rcp, y) * x)
}

/// `div.full`: both are scaled also where b is above 2^126.
#[inline(always)]
pub(crate) fn div_full<const FTZ: bool>(a: u64, b: u64) -> u64 {
    let (x, y) = (input::<FTZ>(a), input::<FTZ>(b));
    let scale = if y.abs() > LARGE { 0.25 } else { 1.0 };
    let [x, y] = [x, y].map(|v| u64::from((v * scale).to_bits()));
    div::<FTZ>(x, y)
}

/// `rcp.approx.ftz.f64`: only the upper word is computed, subnormals count as zero.
pub(crate) fn rcp64(a: u64) -> u64 {
    u64::from(unit::rcp64h((a >> 32) as u32)) << 32
}

/// `rsqrt.approx.ftz.f64`: only the upper word is computed.
pub(crate) fn rsqrt64(a: u64) -> u64 {
    u64::from(unit::rsqrt64h((a >> 32) as u32)) << 32
}

/// `rsqrt.approx.f64`: the unit's upper word and one step of a third-order refinement; subnormal numbers are scaled by 2^54.
pub(crate) fn rsqrt64_full(a: u64) -> u64 {
    let x = d(a);
    if x.is_nan() {
        return (x + x).to_bits();
    }
    if x == 0.0 {
        return a | f64::INFINITY.to_bits();
    }
    if x < 0.0 {
        return 0xfff8_0000_0000_0000;
    }
    if x.is_infinite() {
        return 0;
    }
    let refined = |x: f64| {
        let y = d(rsqrt64(x.to_bits()));
        let error = x.mul_add(-(y * y), 1.0);
        error.mul_add(0.375, 0.5).mul_add(y * error, y)
    };
    let value =
        if x.is_normal() { refined(x) } else { refined(x * 18_014_398_509_481_984.0) * 134_217_728.0 };
    value.to_bits()
}

/// `ex2.approx` of halves: the unit's result cut off to the format; what is too large is infinite.
pub(crate) fn ex2_half<H: Half>(a: u64) -> u64 {
    cut_off::<H>(through(unit::ex2, H::wide(a)))
}

/// `tanh.approx` of halves: the unit's result cut off to the format.
pub(crate) fn tanh_half<H: Half>(a: u64) -> u64 {
    cut_off::<H>(through(unit::tanh, H::wide(a)))
}

fn cut_off<H: Half>(x: f32) -> u64 {
    if x.is_nan() {
        u64::from(super::NAN16)
    } else if x.abs() >= H::BEYOND {
        H::narrow(f32::INFINITY.copysign(x))
    } else {
        u64::from(pack(f64::from(x), H::FORMAT, mode::ZERO, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_values() {
        let bits = |x: f32| u64::from(x.to_bits());
        assert_eq!(ex2::<false>(bits(3.0)), bits(8.0));
        assert_eq!(ex2::<false>(bits(f32::NEG_INFINITY)), 0);
        assert_eq!(ex2::<true>(bits(-140.0)), 0);
        assert_eq!(ex2::<false>(bits(-140.0)), bits(2f32.powi(-140)));
        assert_eq!(lg2::<false>(bits(0.0)), bits(f32::NEG_INFINITY));
        assert_eq!(lg2::<false>(bits(2f32.powi(-140))), bits(-140.0));
        assert_eq!(rcp::<false>(bits(-0.0)), bits(f32::NEG_INFINITY));
        assert_eq!(rsqrt::<false>(bits(4.0)), bits(0.5));
        assert_eq!(sqrt::<false>(bits(4.0)), bits(2.0));
        assert_eq!(lg2::<false>(bits(-1.0)), u64::from(super::super::NAN32));
        assert_eq!(rcp64(2f64.to_bits()), 0.5f64.to_bits());
        assert_eq!(rsqrt64_full(4f64.to_bits()), 0.5f64.to_bits());
    }

    /// Far enough from the table's seams to catch a wrong slice: every function within its published error.
    #[test]
    fn near_the_true_values() {
        let close = |bits: u64, true_value: f64, error: f64| {
            let got = f64::from(f(bits));
            assert!((got - true_value).abs() <= error, "{got} instead of {true_value}");
        };
        for i in 0..40_000u32 {
            let x = f32::from_bits(0x3c00_0000 + i * 2_399);
            let (a, wide) = (u64::from(x.to_bits()), f64::from(x));
            let unit = |value: f64| value * 2f64.powi(-22);
            close(ex2::<true>(a), wide.exp2(), unit(wide.exp2()));
            close(rcp::<true>(a), 1.0 / wide, unit(1.0 / wide));
            close(rsqrt::<true>(a), 1.0 / wide.sqrt(), unit(2.0 / wide.sqrt()));
            close(sqrt::<true>(a), wide.sqrt(), unit(wide.sqrt()));
            close(lg2::<true>(a), wide.log2(), 2f64.powi(-21) * wide.log2().abs().max(1.0));
            close(sin::<true>(a), wide.sin(), 2f64.powi(-20) * wide.max(1.0));
            close(cos::<true>(a), wide.cos(), 2f64.powi(-20) * wide.max(1.0));
            close(tanh::<true>(a), wide.tanh(), 2f64.powi(-11) * wide.tanh());
        }
    }
}
