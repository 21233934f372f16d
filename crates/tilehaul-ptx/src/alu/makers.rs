//! Makers of loops over lanes: macros that turn an expression of one lane into a function of a row.
//!
//! A maker is chosen by how often its instruction runs: `l…` makes a loop of its own for it, which becomes vector code;
//! `s…` makes a function of one lane that a loop calls which all share.

use super::Lanes;

macro_rules! l1 {
    (|$a:ident| $e:expr) => {{
        fn go(d: &mut Lanes, x: &Lanes) {
            for i in 0..32 {
                let $a = x[i];
                d[i] = $e;
            }
        }
        Loop::One(go)
    }};
}
macro_rules! l2 {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn go(d: &mut Lanes, x: &Lanes, y: &Lanes) {
            for i in 0..32 {
                let ($a, $b) = (x[i], y[i]);
                d[i] = $e;
            }
        }
        Loop::Two(go)
    }};
}
/// A loop over words, for functions of two registers of 32 bits that have no branch.
macro_rules! w2 {
    ($($f:ident)::+ :: <$($c:literal),+>) => {{
        #[inline(never)]
        fn words(d: &mut Words, x: &Words, y: &Words) {
            for i in 0..32 {
                d[i] = $($f)::+::<$($c),+>(x[i], y[i]);
            }
        }
        fn go(d: &mut Lanes, x: &Lanes, y: &Lanes) {
            let (x, y, mut out) = (narrow(x), narrow(y), [0; 32]);
            words(&mut out, &x, &y);
            widen(&out, d);
        }
        Loop::Two(go)
    }};
}
macro_rules! l3 {
    (|$a:ident, $b:ident, $c:ident| $e:expr) => {{
        fn go(d: &mut Lanes, x: &Lanes, y: &Lanes, z: &Lanes) {
            for i in 0..32 {
                let ($a, $b, $c) = (x[i], y[i], z[i]);
                d[i] = $e;
            }
        }
        Loop::Three(go)
    }};
}
macro_rules! l4 {
    (|$a:ident, $b:ident, $c:ident, $e4:ident| $e:expr) => {{
        fn go(d: &mut Lanes, x: &Lanes, y: &Lanes, z: &Lanes, w: &Lanes) {
            for i in 0..32 {
                let ($a, $b, $c, $e4) = (x[i], y[i], z[i], w[i]);
                d[i] = $e;
            }
        }
        Loop::Four(go)
    }};
}
/// The same for what is rare or does not become vector code anyway: the lane's function is called through a pointer by one
/// loop that all share, which costs a few nanoseconds a lane and saves most of the compile time.
macro_rules! s1 {
    (|$a:ident| $e:expr) => {{
        fn one($a: u64) -> u64 {
            $e
        }
        fn go(d: &mut Lanes, x: &Lanes) {
            each1(d, x, one);
        }
        Loop::One(go)
    }};
}
macro_rules! s2 {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn one($a: u64, $b: u64) -> u64 {
            $e
        }
        fn go(d: &mut Lanes, x: &Lanes, y: &Lanes) {
            each2(d, x, y, one);
        }
        Loop::Two(go)
    }};
}
macro_rules! s3 {
    (|$a:ident, $b:ident, $c:ident| $e:expr) => {{
        fn one($a: u64, $b: u64, $c: u64) -> u64 {
            $e
        }
        fn go(d: &mut Lanes, x: &Lanes, y: &Lanes, z: &Lanes) {
            each3(d, x, y, z, one);
        }
        Loop::Three(go)
    }};
}

#[inline(never)]
pub(super) fn each1(d: &mut Lanes, x: &Lanes, f: fn(u64) -> u64) {
    for (d, x) in d.iter_mut().zip(x) {
        *d = f(*x);
    }
}

#[inline(never)]
pub(super) fn each2(d: &mut Lanes, x: &Lanes, y: &Lanes, f: fn(u64, u64) -> u64) {
    for (d, (x, y)) in d.iter_mut().zip(x.iter().zip(y)) {
        *d = f(*x, *y);
    }
}

#[inline(never)]
pub(super) fn each3(d: &mut Lanes, x: &Lanes, y: &Lanes, z: &Lanes, f: fn(u64, u64, u64) -> u64) {
    for (d, ((x, y), z)) in d.iter_mut().zip(x.iter().zip(y).zip(z)) {
        *d = f(*x, *y, *z);
    }
}

macro_rules! test {
    (|$a:ident, $b:ident| $e:expr) => {{
        // On its own: together with the gathering it does not become vector code.
        #[inline(never)]
        fn flags(x: &Lanes, y: &Lanes, flags: &mut [u8; 32]) {
            for i in 0..32 {
                let ($a, $b) = (x[i], y[i]);
                flags[i] = u8::from($e);
            }
        }
        fn go(x: &Lanes, y: &Lanes) -> u32 {
            let mut found = [0u8; 32];
            flags(x, y, &mut found);
            gather(&found)
        }
        go as Test
    }};
}

/// The same through a pointer, as with `s…`.
macro_rules! rare_test {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn one($a: u64, $b: u64) -> bool {
            $e
        }
        fn go(x: &Lanes, y: &Lanes) -> u32 {
            each_test(x, y, one)
        }
        go as Test
    }};
}

#[inline(never)]
pub(super) fn each_test(x: &Lanes, y: &Lanes, f: fn(u64, u64) -> bool) -> u32 {
    (0u32..).zip(x.iter().zip(y)).fold(0, |bits, (lane, (x, y))| bits | u32::from(f(*x, *y)) << lane)
}

/// Bit `i` is byte `i`, each 0 or 1: a multiplication moves eight of them side by side without carries.
#[inline(always)]
pub(super) fn gather(flags: &[u8; 32]) -> u32 {
    let mut bits = 0;
    for (k, chunk) in flags.chunks_exact(8).enumerate() {
        let mut eight = [0u8; 8];
        eight.copy_from_slice(chunk);
        let moved = u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= (moved as u32) << (8 * k);
    }
    bits
}

/// A function of a rounding mode, `.ftz` and `.sat` for all their values; the first maker is for what is common.
macro_rules! rounded {
    ($mk:ident $rare:ident, $spec:expr, $($f:ident)::+, ($($v:ident),+)) => {{
        const N: u8 = mode::NEAR;
        const Z: u8 = mode::ZERO;
        const D: u8 = mode::DOWN;
        const U: u8 = mode::UP;
        match ($spec.rounding, $spec.ftz, $spec.sat) {
            (mode::ZERO, false, false) => $rare!(|$($v),+| $($f)::+::<Z, false, false>($($v),+)),
            (mode::ZERO, true, false) => $rare!(|$($v),+| $($f)::+::<Z, true, false>($($v),+)),
            (mode::ZERO, false, true) => $rare!(|$($v),+| $($f)::+::<Z, false, true>($($v),+)),
            (mode::ZERO, true, true) => $rare!(|$($v),+| $($f)::+::<Z, true, true>($($v),+)),
            (mode::DOWN, false, false) => $rare!(|$($v),+| $($f)::+::<D, false, false>($($v),+)),
            (mode::DOWN, true, false) => $rare!(|$($v),+| $($f)::+::<D, true, false>($($v),+)),
            (mode::DOWN, false, true) => $rare!(|$($v),+| $($f)::+::<D, false, true>($($v),+)),
            (mode::DOWN, true, true) => $rare!(|$($v),+| $($f)::+::<D, true, true>($($v),+)),
            (mode::UP, false, false) => $rare!(|$($v),+| $($f)::+::<U, false, false>($($v),+)),
            (mode::UP, true, false) => $rare!(|$($v),+| $($f)::+::<U, true, false>($($v),+)),
            (mode::UP, false, true) => $rare!(|$($v),+| $($f)::+::<U, false, true>($($v),+)),
            (mode::UP, true, true) => $rare!(|$($v),+| $($f)::+::<U, true, true>($($v),+)),
            (_, false, false) => $mk!(|$($v),+| $($f)::+::<N, false, false>($($v),+)),
            (_, true, false) => $mk!(|$($v),+| $($f)::+::<N, true, false>($($v),+)),
            (_, false, true) => $rare!(|$($v),+| $($f)::+::<N, false, true>($($v),+)),
            (_, true, true) => $rare!(|$($v),+| $($f)::+::<N, true, true>($($v),+)),
        }
    }};
}
/// A function of a rounding mode and `.ftz`.
macro_rules! rounded_ftz {
    ($mk:ident, $spec:expr, $($f:ident)::+, ($($v:ident),+)) => {
        match ($spec.rounding, $spec.ftz) {
            (mode::ZERO, false) => $mk!(|$($v),+| $($f)::+::<{ mode::ZERO }, false>($($v),+)),
            (mode::DOWN, false) => $mk!(|$($v),+| $($f)::+::<{ mode::DOWN }, false>($($v),+)),
            (mode::UP, false) => $mk!(|$($v),+| $($f)::+::<{ mode::UP }, false>($($v),+)),
            (mode::ZERO, true) => $mk!(|$($v),+| $($f)::+::<{ mode::ZERO }, true>($($v),+)),
            (mode::DOWN, true) => $mk!(|$($v),+| $($f)::+::<{ mode::DOWN }, true>($($v),+)),
            (mode::UP, true) => $mk!(|$($v),+| $($f)::+::<{ mode::UP }, true>($($v),+)),
            (_, false) => $mk!(|$($v),+| $($f)::+::<{ mode::NEAR }, false>($($v),+)),
            (_, true) => $mk!(|$($v),+| $($f)::+::<{ mode::NEAR }, true>($($v),+)),
        }
    };
}
/// A function of a rounding mode alone; the first maker is for the common one.
macro_rules! moded {
    ($mk:ident $rare:ident, $spec:expr, $($f:ident)::+, ($($v:ident),+)) => {
        match $spec.rounding {
            mode::ZERO => $rare!(|$($v),+| $($f)::+::<{ mode::ZERO }>($($v),+)),
            mode::DOWN => $rare!(|$($v),+| $($f)::+::<{ mode::DOWN }>($($v),+)),
            mode::UP => $rare!(|$($v),+| $($f)::+::<{ mode::UP }>($($v),+)),
            _ => $mk!(|$($v),+| $($f)::+::<{ mode::NEAR }>($($v),+)),
        }
    };
}
/// A half-precision function for both formats, `.ftz`, `.sat`, single and packed.
macro_rules! halves {
    ($mk:ident $rare:ident, $both:ident, $spec:expr, $f:ident, ($($v:ident),+)) => {
        match ($spec.ty, $spec.ftz, $spec.sat) {
            (Type::F16, false, false) => $mk!(|$($v),+| half::$f::<Ieee, false, false>($($v),+)),
            (Type::F16, true, false) => $rare!(|$($v),+| half::$f::<Ieee, true, false>($($v),+)),
            (Type::F16, false, true) => $rare!(|$($v),+| half::$f::<Ieee, false, true>($($v),+)),
            (Type::F16, true, true) => $rare!(|$($v),+| half::$f::<Ieee, true, true>($($v),+)),
            (Type::F16x2, false, false) => $mk!(|$($v),+| $both($($v),+, half::$f::<Ieee, false, false>)),
            (Type::F16x2, true, false) => $rare!(|$($v),+| $both($($v),+, half::$f::<Ieee, true, false>)),
            (Type::F16x2, false, true) => $rare!(|$($v),+| $both($($v),+, half::$f::<Ieee, false, true>)),
            (Type::F16x2, true, true) => $rare!(|$($v),+| $both($($v),+, half::$f::<Ieee, true, true>)),
            (Type::Bf16, ..) => $mk!(|$($v),+| half::$f::<Brain, false, false>($($v),+)),
            _ => $mk!(|$($v),+| $both($($v),+, half::$f::<Brain, false, false>)),
        }
    };
}
/// An integer function of a width and a signedness.
macro_rules! ints {
    ($mk:ident, $ty:expr, $($f:ident)::+, ($($v:ident),+)) => {
        match $ty {
            Type::U16 | Type::B16 => $mk!(|$($v),+| $($f)::+::<16, false>($($v),+)),
            Type::S16 => $mk!(|$($v),+| $($f)::+::<16, true>($($v),+)),
            Type::U64 | Type::B64 => $mk!(|$($v),+| $($f)::+::<64, false>($($v),+)),
            Type::S64 => $mk!(|$($v),+| $($f)::+::<64, true>($($v),+)),
            Type::S32 => $mk!(|$($v),+| $($f)::+::<32, true>($($v),+)),
            _ => $mk!(|$($v),+| $($f)::+::<32, false>($($v),+)),
        }
    };
}
/// An expression of masked operands for the three widths.
macro_rules! widths {
    ($mk:ident, $ty:expr, |$($v:ident),+| $e:expr) => {
        match $ty.bits() {
            16 => $mk!(|$($v),+| $e & 0xffff),
            64 => $mk!(|$($v),+| $e),
            _ => $mk!(|$($v),+| $e & 0xffff_ffff),
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_become_bits() {
        for i in 0..32 {
            let mut flags = [0u8; 32];
            flags[i] = 1;
            assert_eq!(gather(&flags), 1 << i);
        }
        assert_eq!(gather(&[1; 32]), u32::MAX);
    }
}
