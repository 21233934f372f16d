//! Single and double precision.
//!
//! manual: PTX "Floating Point Instructions": `.ftz` flushes subnormal inputs and results to zero of the same sign, `.sat`
//! clamps to [0, 1] with NaN to +0. NaN results are canonical in single precision (hardware: h200 fact 71); double
//! precision keeps the operand's payload as IEEE hosts do (hardware: h200 mma section 6).

use super::round::{to_f32, to_odd, two_sum};
use super::{NAN32, exact, mode};

#[inline(always)]
pub(crate) fn f(a: u64) -> f32 {
    f32::from_bits(a as u32)
}

#[inline(always)]
pub(crate) fn d(a: u64) -> f64 {
    f64::from_bits(a)
}

#[inline(always)]
pub(crate) fn flush(x: f32) -> f32 {
    let bits = x.to_bits();
    if bits & 0x7f80_0000 == 0 { f32::from_bits(bits & 0x8000_0000) } else { x }
}

#[inline(always)]
fn input<const FTZ: bool>(a: u64) -> f32 {
    if FTZ { flush(f(a)) } else { f(a) }
}

#[inline(always)]
pub(crate) fn output<const FTZ: bool, const SAT: bool>(x: f32) -> u64 {
    let x = if FTZ { flush(x) } else { x };
    if SAT {
        // NaN fails both comparisons and becomes zero.
        let clamped = if x >= 1.0 {
            1.0
        } else if x > 0.0 {
            x
        } else {
            0.0f32
        };
        return u64::from(clamped.to_bits());
    }
    u64::from(if x.is_nan() { NAN32 } else { x.to_bits() })
}

#[inline(always)]
fn exact_zero<const M: u8>(s: f64, a: f64, b: f64) -> f64 {
    // Opposite numbers add up to -0 when rounding down, +0 otherwise.
    if M == mode::DOWN && s == 0.0 && a.is_sign_negative() != b.is_sign_negative() { -0.0 } else { s }
}

#[inline(always)]
pub(crate) fn add<const M: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    let (x, y) = (input::<FTZ>(a), input::<FTZ>(b));
    output::<FTZ, SAT>(if M == mode::NEAR { x + y } else { add_directed::<M>(x, y) })
}

// The directed modes are rare: a call a lane costs less than a vector loop for each of their spellings would take to compile.

#[inline(never)]
fn add_directed<const M: u8>(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    let (s, e) = two_sum(x, y);
    to_f32::<M>(to_odd(exact_zero::<M>(s, x, y), e))
}

#[inline(never)]
fn mul_directed<const M: u8>(x: f32, y: f32) -> f32 {
    to_f32::<M>(f64::from(x) * f64::from(y))
}

#[inline(never)]
fn fma_directed<const M: u8>(x: f32, y: f32, z: f32) -> f32 {
    fused::<M>(x, y, z)
}

#[inline(always)]
fn fused<const M: u8>(x: f32, y: f32, z: f32) -> f32 {
    // The product of two singles is exact in double precision.
    let (p, z) = (f64::from(x) * f64::from(y), f64::from(z));
    let (s, e) = two_sum(p, z);
    to_f32::<M>(to_odd(exact_zero::<M>(s, p, z), e))
}

#[inline(always)]
pub(crate) fn sub<const M: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    add::<M, FTZ, SAT>(a, b ^ 0x8000_0000)
}

#[inline(always)]
pub(crate) fn mul<const M: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    let (x, y) = (input::<FTZ>(a), input::<FTZ>(b));
    output::<FTZ, SAT>(if M == mode::NEAR { x * y } else { mul_directed::<M>(x, y) })
}

#[inline(always)]
pub(crate) fn fma<const M: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64, c: u64) -> u64 {
    let (x, y, z) = (input::<FTZ>(a), input::<FTZ>(b), input::<FTZ>(c));
    output::<FTZ, SAT>(if M == mode::NEAR { fused::<M>(x, y, z) } else { fma_directed::<M>(x, y, z) })
}

/// The quotient, correctly rounded.
#[inline(always)]
pub(crate) fn div<const M: u8, const FTZ: bool>(a: u64, b: u64) -> u64 {
    let (x, y) = (input::<FTZ>(a), input::<FTZ>(b));
    let q = x / y;
    if M == mode::NEAR || !q.is_finite() && x.is_infinite() || y == 0.0 || q.is_nan() {
        return output::<FTZ, false>(q);
    }
    let (x, y) = (f64::from(x), f64::from(y));
    let wide = x / y;
    // What the double quotient lacks, by the sign of the remainder (exact: one rounding of an fma).
    let remainder = wide.mul_add(-y, x);
    let error = if y < 0.0 { -remainder } else { remainder };
    output::<FTZ, false>(to_f32::<M>(to_odd(wide, error)))
}

#[inline(always)]
pub(crate) fn rcp<const M: u8, const FTZ: bool>(a: u64) -> u64 {
    div::<M, FTZ>(u64::from(1f32.to_bits()), a)
}

#[inline(always)]
pub(crate) fn sqrt<const M: u8, const FTZ: bool>(a: u64) -> u64 {
    let x = input::<FTZ>(a);
    if M == mode::NEAR || !x.is_finite() || x <= 0.0 {
        return output::<FTZ, false>(x.sqrt());
    }
    let x = f64::from(x);
    let wide = x.sqrt();
    let error = wide.mul_add(-wide, x);
    output::<FTZ, false>(to_f32::<M>(to_odd(wide, error)))
}

/// Minimum or maximum: `-0 < +0`; a number beats NaN unless `NAN`.
#[inline(always)]
pub(crate) fn pick32<const MAX: bool, const FTZ: bool, const NAN: bool>(a: u64, b: u64) -> u64 {
    u64::from(pick_words::<MAX, FTZ, NAN>(a as u32, b as u32))
}

/// The same on whole numbers, with masks in place of branches.
#[inline(always)]
pub(crate) fn pick_words<const MAX: bool, const FTZ: bool, const NAN: bool>(a: u32, b: u32) -> u32 {
    let mask = |yes: bool| -i32::from(yes);
    let flushed = |bits: u32| {
        let bits = bits.cast_signed();
        if FTZ { bits & (mask(bits & 0x7f80_0000 != 0) | i32::MIN) } else { bits }
    };
    let (x, y) = (flushed(a), flushed(b));
    let is_nan = |bits: i32| mask(bits & i32::MAX > 0x7f80_0000);
    let (x_nan, y_nan) = (is_nan(x), is_nan(y));
    let ordered = |bits: i32| bits ^ (bits >> 31 & i32::MAX);
    let less = mask(ordered(x) < ordered(y));
    let second = (if MAX { less } else { !less } | x_nan) & !y_nan;
    let picked = x & !second | y & second;
    let nan = if NAN { x_nan | y_nan } else { x_nan & y_nan };
    ((picked | nan) & (NAN32.cast_signed() | !nan)).cast_unsigned()
}

/// The same on magnitudes, with the exclusive or of the signs.
#[inline(always)]
pub(crate) fn pick32_xorsign<const MAX: bool, const FTZ: bool, const NAN: bool>(a: u64, b: u64) -> u64 {
    let sign = (a ^ b) & 0x8000_0000;
    let picked = pick32::<MAX, FTZ, NAN>(a & 0x7fff_ffff, b & 0x7fff_ffff);
    // hardware: generated programs on an H200: the canonical NaN keeps its sign.
    if f(picked).is_nan() { picked } else { picked | sign }
}

#[inline(always)]
pub(crate) fn pick64<const MAX: bool>(a: u64, b: u64) -> u64 {
    let (x, y) = (d(a), d(b));
    match (x.is_nan(), y.is_nan()) {
        (true, true) => 0x7fff_ffff_ffff_ffff,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            let key = |bits: u64| {
                let s = bits.cast_signed();
                s ^ ((s >> 63) & i64::MAX)
            };
            if (key(a) < key(b)) == MAX { b } else { a }
        }
    }
}

// Double precision.

#[inline(always)]
pub(crate) fn add64<const M: u8>(a: u64, b: u64) -> u64 {
    let (x, y) = (d(a), d(b));
    if M == mode::NEAR || !x.is_finite() || !y.is_finite() {
        (x + y).to_bits()
    } else {
        exact::add::<M>(x, y)
    }
}

#[inline(always)]
pub(crate) fn sub64<const M: u8>(a: u64, b: u64) -> u64 {
    add64::<M>(a, b ^ (1 << 63))
}

#[inline(always)]
pub(crate) fn mul64<const M: u8>(a: u64, b: u64) -> u64 {
    let (x, y) = (d(a), d(b));
    if M == mode::NEAR || !x.is_finite() || !y.is_finite() {
        (x * y).to_bits()
    } else {
        exact::mul::<M>(x, y)
    }
}

#[inline(always)]
pub(crate) fn fma64<const M: u8>(a: u64, b: u64, c: u64) -> u64 {
    let (x, y, z) = (d(a), d(b), d(c));
    if M == mode::NEAR || !x.is_finite() || !y.is_finite() || !z.is_finite() {
        return x.mul_add(y, z).to_bits();
    }
    exact::fma::<M>(x, y, z)
}

#[inline(always)]
pub(crate) fn div64<const M: u8>(a: u64, b: u64) -> u64 {
    let (x, y) = (d(a), d(b));
    if M == mode::NEAR || !x.is_finite() || !y.is_finite() || x == 0.0 || y == 0.0 {
        return (x / y).to_bits();
    }
    exact::div::<M>(x, y)
}

#[inline(always)]
pub(crate) fn rcp64<const M: u8>(a: u64) -> u64 {
    div64::<M>(1f64.to_bits(), a)
}

#[inline(always)]
pub(crate) fn sqrt64<const M: u8>(a: u64) -> u64 {
    let x = d(a);
    if M == mode::NEAR || !x.is_finite() || x <= 0.0 { x.sqrt().to_bits() } else { exact::sqrt::<M>(x) }
}

/// A value whose sign was just changed: NaN becomes canonical.
#[inline(always)]
pub(crate) fn sign_of<const FTZ: bool>(a: u64) -> u64 {
    output::<FTZ, false>(f(a))
}

/// A double NaN with the quiet bit set.
#[inline(always)]
pub(crate) fn quiet64(a: u64) -> u64 {
    a | 1 << 51
}

/// Two packed singles.
#[inline(always)]
pub(crate) fn pair2(a: u64, b: u64, op: impl Fn(u64, u64) -> u64) -> u64 {
    op(a & 0xffff_ffff, b & 0xffff_ffff) | op(a >> 32, b >> 32) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    fn words() -> impl Iterator<Item = u32> {
        (0..60_000u32).map(|i| {
            let x = i.wrapping_mul(0x9e37_79b9) ^ (i << 7);
            match i % 5 {
                // Close exponents, so that sums cancel and round.
                0 => x & 0x80ff_ffff | 0x3f00_0000,
                1 => [0, 0x8000_0000, 0x7f80_0000, 1, 0x7f7f_ffff, 0x80_0000, 0x7fc0_1234][x as usize % 7],
                _ => x,
            }
        })
    }

    #[test]
    fn sums_and_products_agree_with_exact_arithmetic() {
        for (a, b) in words().zip(words().skip(7)) {
            let c = a.rotate_left(11);
            let [x, y, z] = [a, b, c].map(f32::from_bits);
            if x.is_nan() || y.is_nan() || z.is_nan() {
                continue;
            }
            let want = x.mul_add(y, z);
            let got = f(fma::<{ mode::NEAR }, false, false>(u64::from(a), u64::from(b), u64::from(c)));
            assert!(
                got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()),
                "{x:e} * {y:e} + {z:e}"
            );
            // Down and up bracket the exact value and differ by at most one step from nearest.
            let down = f(fma::<{ mode::DOWN }, false, false>(u64::from(a), u64::from(b), u64::from(c)));
            let up = f(fma::<{ mode::UP }, false, false>(u64::from(a), u64::from(b), u64::from(c)));
            if !want.is_nan() {
                assert!(down <= want && want <= up, "{x:e} * {y:e} + {z:e}");
                assert!(down == up || down.next_up() == up || down == -up, "{down:e} {up:e}");
            }
        }
    }

    #[test]
    fn division_and_roots_bracket() {
        for (a, b) in words().zip(words().skip(3)) {
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            let q = x / y;
            if q.is_nan() || y == 0.0 {
                continue;
            }
            let (down, up) = (
                f(div::<{ mode::DOWN }, false>(u64::from(a), u64::from(b))),
                f(div::<{ mode::UP }, false>(u64::from(a), u64::from(b))),
            );
            assert!(down <= q && q <= up);
            if x > 0.0 && x.is_finite() {
                let (down, up) = (
                    f(sqrt::<{ mode::DOWN }, false>(u64::from(a))),
                    f(sqrt::<{ mode::UP }, false>(u64::from(a))),
                );
                assert!(down <= x.sqrt() && x.sqrt() <= up);
                assert!(f64::from(down) * f64::from(down) <= f64::from(x));
                assert!(f64::from(up) * f64::from(up) >= f64::from(x));
            }
        }
    }

    #[test]
    fn special_values() {
        assert_eq!(
            add::<{ mode::NEAR }, false, false>(bits(f32::INFINITY), bits(f32::NEG_INFINITY)),
            u64::from(NAN32)
        );
        assert_eq!(add::<{ mode::DOWN }, false, false>(bits(1.0), bits(-1.0)), bits(-0.0));
        assert_eq!(mul::<{ mode::NEAR }, true, false>(1, bits(1.0)), 0);
        assert_eq!(add::<{ mode::NEAR }, false, true>(bits(f32::NAN), bits(1.0)), 0);
        assert_eq!(add::<{ mode::NEAR }, false, true>(bits(3.0), bits(1.0)), bits(1.0));
        assert_eq!(pick32::<true, false, false>(bits(-0.0), bits(0.0)), bits(0.0));
        assert_eq!(pick32::<false, false, false>(bits(-0.0), bits(0.0)), bits(-0.0));
        assert_eq!(pick32::<true, false, false>(u64::from(NAN32), bits(2.0)), bits(2.0));
        assert_eq!(pick32::<true, false, true>(u64::from(NAN32), bits(2.0)), u64::from(NAN32));
        assert_eq!(pick32_xorsign::<true, false, false>(bits(-3.0), bits(2.0)), bits(-3.0));
    }

    #[test]
    fn doubles_bracket() {
        for i in 1..50_000u64 {
            let [a, b, c] = [1, 2, 3]
                .map(|k| (i * k).wrapping_mul(0x9e37_79b9_7f4a_7c15) & !(1 << 62) | 0x3000_0000_0000_0000);
            let [x, y, z] = [a, b, c].map(f64::from_bits);
            let near = x.mul_add(y, z);
            if !near.is_finite() {
                continue;
            }
            let (down, up) = (d(fma64::<{ mode::DOWN }>(a, b, c)), d(fma64::<{ mode::UP }>(a, b, c)));
            assert!(down <= near && near <= up && (down == up || down.next_up() == up));
            let (down, up) = (d(div64::<{ mode::DOWN }>(a, b)), d(div64::<{ mode::UP }>(a, b)));
            assert!(down <= x / y && x / y <= up);
        }
    }
}
