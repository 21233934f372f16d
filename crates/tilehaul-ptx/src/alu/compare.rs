//! Comparisons: `setp`, `set` and `testp`.
#![expect(
    clippy::neg_cmp_op_on_partial_ord,
    clippy::double_comparisons,
    reason = "unordered comparisons are negated on purpose: a NaN makes them true"
)]

use tilehaul_isa::ptx::Opcode;
use tilehaul_isa::ptx::ast::Type;

use super::makers::{each_test, gather};
use super::{Lanes, Test};
use crate::arith::half::{Brain, Half, Ieee};
use crate::arith::{float, half};

/// The comparison of `setp` and `set`. For packed halves the upper one is compared when `upper` is set.
pub(crate) fn compare(opcode: &Opcode, ty: Type, upper: bool) -> Option<Test> {
    let word = opcode.first(|m| COMPARISONS.iter().copied().find(|&c| c == m))?;
    let ftz = opcode.has("ftz");
    macro_rules! float_tests {
        ($test:ident, $value:expr) => {{
            match word {
                "eq" => $test!(|a, b| $value(a) == $value(b)),
                "ne" => $test!(|a, b| {
                    let (x, y) = ($value(a), $value(b));
                    x < y || x > y
                }),
                "lt" => $test!(|a, b| $value(a) < $value(b)),
                "le" => $test!(|a, b| $value(a) <= $value(b)),
                "gt" => $test!(|a, b| $value(a) > $value(b)),
                "ge" => $test!(|a, b| $value(a) >= $value(b)),
                "equ" => $test!(|a, b| {
                    let (x, y) = ($value(a), $value(b));
                    !(x < y || x > y)
                }),
                "neu" => $test!(|a, b| $value(a) != $value(b)),
                "ltu" => $test!(|a, b| !($value(a) >= $value(b))),
                "leu" => $test!(|a, b| !($value(a) > $value(b))),
                "gtu" => $test!(|a, b| !($value(a) <= $value(b))),
                "geu" => $test!(|a, b| !($value(a) < $value(b))),
                "num" => $test!(|a, b| !$value(a).is_nan() && !$value(b).is_nan()),
                "nan" => $test!(|a, b| $value(a).is_nan() || $value(b).is_nan()),
                _ => return None,
            }
        }};
    }
    // As the type itself: vectors have no comparison of 64 bits, and one of 32 for numbers that have no more.
    macro_rules! unsigned {
        ($type:ty) => {
            match word {
                "eq" => test!(|a, b| a as $type == b as $type),
                "ne" => test!(|a, b| a as $type != b as $type),
                "lt" | "lo" => test!(|a, b| (a as $type) < b as $type),
                "le" | "ls" => test!(|a, b| a as $type <= b as $type),
                "gt" | "hi" => test!(|a, b| a as $type > b as $type),
                "ge" | "hs" => test!(|a, b| a as $type >= b as $type),
                _ => return None,
            }
        };
    }
    macro_rules! signed {
        ($type:ty) => {
            match word {
                "lt" => test!(|a, b| (a as $type) < b as $type),
                "le" => test!(|a, b| a as $type <= b as $type),
                "gt" => test!(|a, b| a as $type > b as $type),
                "ge" => test!(|a, b| a as $type >= b as $type),
                _ => return None,
            }
        };
    }
    // The other comparisons of signed numbers are those of their bits.
    let by_sign = matches!(word, "lt" | "le" | "gt" | "ge");
    Some(match (ty, ftz, upper) {
        (Type::F32, false, _) => float_tests!(test, float::f),
        (Type::F32, true, _) => float_tests!(test, flushed),
        (Type::F64, ..) => float_tests!(test, float::d),
        (Type::F16 | Type::F16x2, _, false) => float_tests!(rare_test, half::value::<Ieee>),
        (Type::F16 | Type::F16x2, _, true) => float_tests!(rare_test, upper_half::<Ieee>),
        (Type::Bf16 | Type::Bf16x2, _, false) => float_tests!(rare_test, half::value::<Brain>),
        (Type::Bf16 | Type::Bf16x2, _, true) => float_tests!(rare_test, upper_half::<Brain>),
        (Type::S16, ..) if by_sign => signed!(i16),
        (Type::S32, ..) if by_sign => signed!(i32),
        (Type::S64, ..) if by_sign => signed!(i64),
        (Type::U16 | Type::S16 | Type::B16, ..) => unsigned!(u16),
        (Type::U64 | Type::S64 | Type::B64, ..) => unsigned!(u64),
        (Type::U32 | Type::S32 | Type::B32, ..) => unsigned!(u32),
        _ => return None,
    })
}

const COMPARISONS: [&str; 18] = [
    "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan", "lo", "ls",
    "hi", "hs",
];

fn flushed(a: u64) -> f32 {
    float::flush(float::f(a))
}

fn upper_half<H: Half>(a: u64) -> f64 {
    half::value::<H>(a >> 16)
}

/// `testp`.
pub(crate) fn class(opcode: &Opcode, ty: Type) -> Option<Test> {
    let word = opcode.modifiers.first()?;
    macro_rules! classes {
        ($v:expr) => {
            match word.as_str() {
                "finite" => rare_test!(|a, _b| $v(a).is_finite()),
                "infinite" => rare_test!(|a, _b| $v(a).is_infinite()),
                "number" => rare_test!(|a, _b| !$v(a).is_nan()),
                "notanumber" => rare_test!(|a, _b| $v(a).is_nan()),
                // manual: zero counts as normal for `testp`.
                "normal" => rare_test!(|a, _b| $v(a).is_normal() || $v(a) == 0.0),
                "subnormal" => rare_test!(|a, _b| $v(a).is_subnormal()),
                _ => return None,
            }
        };
    }
    Some(if ty == Type::F64 { classes!(float::d) } else { classes!(float::f) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    #[test]
    fn comparisons() {
        let ask = |text: &str, ty: Type, a: u64, b: u64| {
            compare(&Opcode::new(text), ty, false).unwrap()(&[a; 32], &[b; 32]) == u32::MAX
        };
        assert!(ask("setp.lt.s32", Type::S32, 0xffff_ffff, 0));
        assert!(!ask("setp.lt.u32", Type::U32, 0xffff_ffff, 0));
        assert!(ask("setp.lo.u32", Type::U32, 1, 2));
        assert!(!ask("setp.ne.f32", Type::F32, bits(f32::NAN), 0));
        assert!(ask("setp.neu.f32", Type::F32, bits(f32::NAN), 0));
        assert!(ask("setp.geu.f32", Type::F32, bits(f32::NAN), 0));
        assert!(ask("setp.eq.f32", Type::F32, bits(-0.0), 0));
        assert!(ask("setp.eq.ftz.f32", Type::F32, 1, 0));
        assert!(ask("setp.gt.f16", Type::F16, 0x3c00, 0x8000));
    }
}
