//! The fast functions of the special-function unit.
//!
//! inferred: the hardware interpolates from tables and its last bits are published nowhere; what is computed here is the
//! exact value rounded once, which lies inside the error bounds that the PTX manual gives. Special values are the
//! manual's tables.

use super::float::{f, flush, output};
use super::half::Half;

#[inline(always)]
fn input<const FTZ: bool>(a: u64) -> f32 {
    if FTZ { flush(f(a)) } else { f(a) }
}

macro_rules! fast {
    ($(#[$doc:meta])* $name:ident, |$x:ident| $value:expr) => {
        $(#[$doc])*
        pub(crate) fn $name<const FTZ: bool>(a: u64) -> u64 {
            let $x = f64::from(input::<FTZ>(a));
            output::<FTZ, false>($value as f32)
        }
    };
}

fast!(ex2, |x| x.exp2());
fast!(lg2, |x| x.log2());
fast!(sin, |x| x.sin());
fast!(cos, |x| x.cos());
fast!(rcp, |x| 1.0 / x);
fast!(sqrt, |x| x.sqrt());
fast!(rsqrt, |x| 1.0 / x.sqrt());
fast!(tanh, |x| x.tanh());

/// manual: `div.approx`/`div.full`: a/b; for |b| above 2^126 `div.approx` gives zero for finite a.
pub(crate) fn div<const FTZ: bool>(a: u64, b: u64) -> u64 {
    let (x, y) = (input::<FTZ>(a), input::<FTZ>(b));
    output::<FTZ, false>(x / y)
}

/// `rcp.approx.ftz.f64`: only the upper word is computed, subnormals count as zero.
pub(crate) fn rcp64(a: u64) -> u64 {
    upper_word(a, |x| 1.0 / x)
}

/// `rsqrt.approx.f64`: assemblers refine it to nearly all bits, as `rsqrt()` of CUDA C++ (two units in the last place) needs.
pub(crate) fn rsqrt64_full(a: u64) -> u64 {
    (1.0 / f64::from_bits(a).sqrt()).to_bits()
}

/// `rsqrt.approx.ftz.f64`: only the upper word is computed.
pub(crate) fn rsqrt64(a: u64) -> u64 {
    upper_word(a, |x| 1.0 / x.sqrt())
}

fn upper_word(a: u64, value: impl Fn(f64) -> f64) -> u64 {
    let top = a & 0xffff_ffff_0000_0000;
    let x = f64::from_bits(if top & 0x7ff0_0000_0000_0000 == 0 { top & (1 << 63) } else { top });
    value(x).to_bits() & 0xffff_ffff_0000_0000
}

/// A fast function of halves: in single precision, rounded once more.
pub(crate) fn of_half<H: Half>(a: u64, value: impl Fn(f64) -> f64) -> u64 {
    H::narrow(value(f64::from(H::wide(a))) as f32)
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
        assert_eq!(lg2::<false>(bits(0.0)), bits(f32::NEG_INFINITY));
        assert_eq!(rcp::<false>(bits(-0.0)), bits(f32::NEG_INFINITY));
        assert_eq!(rsqrt::<false>(bits(4.0)), bits(0.5));
        assert_eq!(lg2::<false>(bits(-1.0)), u64::from(super::super::NAN32));
        assert_eq!(rcp64(2f64.to_bits()), 0.5f64.to_bits());
    }
}
