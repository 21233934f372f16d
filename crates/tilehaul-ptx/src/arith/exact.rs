//! Double precision in the directed rounding modes, by whole numbers.
//!
//! Every finite double is a whole number times a power of two. Operations work on those numbers exactly, or keep enough
//! bits that a flag for the rest decides the rounding, down to the smallest subnormal. Rounding to nearest needs none of
//! this: the host does it.

use super::mode;

/// `(-1)^negative * significand * 2^exponent`, a finite number.
#[derive(Clone, Copy)]
struct Number {
    negative: bool,
    significand: u128,
    exponent: i32,
}

impl Number {
    fn of(x: f64) -> Number {
        let bits = x.to_bits();
        let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let (significand, exponent) =
            if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
        Number { negative: bits >> 63 == 1, significand: u128::from(significand), exponent }
    }

    /// Exponent of the first power of two above the number.
    fn top(self) -> i32 {
        self.exponent + 128 - self.significand.leading_zeros() as i32
    }

    /// The significand at the exponent `at`, and whether bits were lost below it.
    fn at(self, at: i32) -> (u128, bool) {
        match self.exponent - at {
            left @ 0.. => (self.significand.checked_shl(left as u32).unwrap_or(0), false),
            right => {
                let right = right.unsigned_abs();
                let kept = self.significand.checked_shr(right).unwrap_or(0);
                (kept, kept.checked_shl(right).unwrap_or(0) != self.significand)
            }
        }
    }
}

/// Rounds. `more`: the exact magnitude is larger, by less than one unit of the significand, which then has 60 bits or more.
fn round<const M: u8>(n: Number, more: bool) -> u64 {
    let sign = u64::from(n.negative) << 63;
    let last = (n.top() - 53).max(-1074);
    let (kept, lost) = n.at(last);
    let away = match M {
        mode::UP => !n.negative,
        mode::DOWN => n.negative,
        _ => false,
    };
    let kept = kept as u64 + u64::from(away && (lost || more));
    // The implicit bit of a normal number, and a carry out of the fraction, add one to the exponent field.
    let field = (last + 1074).cast_unsigned();
    if field >= 2046 || (field == 2045 && kept >> 53 == 1) {
        return sign | (f64::INFINITY.to_bits() - u64::from(!away));
    }
    sign | ((u64::from(field) << 52) + kept)
}

fn sum<const M: u8>(a: Number, b: Number) -> u64 {
    let (large, small) =
        if a.significand == 0 || (b.significand != 0 && b.top() > a.top()) { (b, a) } else { (a, b) };
    if large.significand == 0 {
        let negative = if a.negative == b.negative { a.negative } else { M == mode::DOWN };
        return u64::from(negative) << 63;
    }
    // Room for a carry; the larger number never loses bits: it has 106 at most.
    let at = large.top() - 126;
    let ((x, _), (y, lost)) = (large.at(at), small.at(at));
    let (negative, significand, more) = if large.negative == small.negative {
        (large.negative, x + y, lost)
    } else if x >= y {
        (large.negative, x - y - u128::from(lost), lost)
    } else {
        (small.negative, y - x, false)
    };
    if significand == 0 && !more {
        return u64::from(M == mode::DOWN) << 63;
    }
    round::<M>(Number { negative, significand, exponent: at }, more)
}

fn product(x: f64, y: f64) -> Number {
    let (a, b) = (Number::of(x), Number::of(y));
    Number {
        negative: a.negative != b.negative,
        significand: a.significand * b.significand,
        exponent: a.exponent + b.exponent,
    }
}

pub(super) fn add<const M: u8>(x: f64, y: f64) -> u64 {
    sum::<M>(Number::of(x), Number::of(y))
}

pub(super) fn mul<const M: u8>(x: f64, y: f64) -> u64 {
    let product = product(x, y);
    if product.significand == 0 { u64::from(product.negative) << 63 } else { round::<M>(product, false) }
}

pub(super) fn fma<const M: u8>(x: f64, y: f64, z: f64) -> u64 {
    sum::<M>(product(x, y), Number::of(z))
}

/// The quotient of numbers that are not zero.
pub(super) fn div<const M: u8>(x: f64, y: f64) -> u64 {
    let (a, b) = (Number::of(x), Number::of(y));
    let shift = a.significand.leading_zeros();
    let numerator = a.significand << shift;
    let quotient = Number {
        negative: a.negative != b.negative,
        significand: numerator / b.significand,
        exponent: a.exponent - shift as i32 - b.exponent,
    };
    round::<M>(quotient, numerator % b.significand != 0)
}

/// The root of a number above zero.
pub(super) fn sqrt<const M: u8>(x: f64) -> u64 {
    let a = Number::of(x);
    let spare = a.significand.leading_zeros() as i32;
    // The exponent becomes even.
    let shift = spare - ((a.exponent - spare) & 1);
    let square = a.significand << shift;
    let root = square.isqrt();
    let number = Number { negative: false, significand: root, exponent: (a.exponent - shift) / 2 };
    round::<M>(number, root * root != square)
}

#[cfg(test)]
mod tests {
    use super::*;

    const Z: u8 = mode::ZERO;
    const D: u8 = mode::DOWN;
    const U: u8 = mode::UP;

    #[test]
    fn directed_results_stand_around_the_nearest() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let x = seed ^ seed >> 29;
            // A third are tiny or subnormal, a third are near one another.
            f64::from_bits(match seed % 3 {
                0 => x & 0x801f_ffff_ffff_ffff,
                1 => x & 0x800f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000,
                _ => x & 0xbfff_ffff_ffff_ffff,
            })
        };
        for _ in 0..200_000 {
            let (x, y, z) = (next(), next(), next());
            if !(x.is_finite() && y.is_finite() && z.is_finite()) {
                continue;
            }
            let around = |near: f64, down: u64, up: u64, zero: u64| {
                let (down, up) = (f64::from_bits(down), f64::from_bits(up));
                assert!(down <= near && near <= up, "{x:e} {y:e} {z:e}: {down:e} {near:e} {up:e}");
                assert!(down == up || down.next_up() == up, "{x:e} {y:e} {z:e}: {down:e} {up:e}");
                let inner = if near < 0.0 || down < 0.0 { up } else { down };
                assert_eq!(f64::from_bits(zero), inner);
            };
            around(x + y, add::<D>(x, y), add::<U>(x, y), add::<Z>(x, y));
            around(x * y, mul::<D>(x, y), mul::<U>(x, y), mul::<Z>(x, y));
            around(x.mul_add(y, z), fma::<D>(x, y, z), fma::<U>(x, y, z), fma::<Z>(x, y, z));
            if x != 0.0 && y != 0.0 {
                around(x / y, div::<D>(x, y), div::<U>(x, y), div::<Z>(x, y));
            }
            if x > 0.0 {
                around(x.sqrt(), sqrt::<D>(x), sqrt::<U>(x), sqrt::<Z>(x));
            }
        }
    }

    #[test]
    fn the_smallest_and_the_largest() {
        let tiny = f64::from_bits(1);
        assert_eq!(mul::<U>(tiny, tiny), 1);
        assert_eq!(mul::<D>(tiny, -tiny), 1 | 1 << 63);
        assert_eq!(mul::<Z>(tiny, tiny), 0);
        assert_eq!(add::<Z>(f64::MAX, f64::MAX), f64::MAX.to_bits());
        assert_eq!(add::<U>(f64::MAX, f64::MAX), f64::INFINITY.to_bits());
        assert_eq!(add::<D>(1.0, -1.0), (-0.0f64).to_bits());
        assert_eq!(fma::<D>(1.0, f64::MIN_POSITIVE, -1.0), (-1f64).next_up().to_bits() + 1);
    }
}
