//! From a spelling to a loop over lanes: chosen once, when a program is built.
//!
//! Every function here runs over all 32 lanes, whatever the mask; the caller keeps what the mask allows. The loops hold no
//! branch on the instruction, so the compiler turns most of them into vector code.

#[macro_use]
mod makers;
mod compare;

use tilehaul_isa::ptx::ast::Type;
use tilehaul_isa::ptx::{Op, Opcode};

use makers::{each1, each2, each3};

pub(crate) use compare::{class, compare};

use crate::arith::half::{Brain, Half, Ieee, both1, both2, both3};
use crate::arith::{approx, float, half, int, mode};

/// One register of a warp: the low bits of each element are one lane's value, the rest is zero.
pub(crate) type Lanes = [u64; 32];

/// The same of registers of 32 bits, four to a vector of the host instead of two. Arithmetic that has much to do with each lane
/// goes through them.
pub(crate) type Words = [u32; 32];

#[inline(always)]
pub(crate) fn narrow(row: &Lanes) -> Words {
    #[inline(never)]
    fn go(row: &Lanes, words: &mut Words) {
        for (word, v) in words.iter_mut().zip(row) {
            *word = *v as u32;
        }
    }
    let mut words = [0; 32];
    go(row, &mut words);
    words
}

#[inline(never)]
pub(crate) fn widen(words: &Words, row: &mut Lanes) {
    for (v, word) in row.iter_mut().zip(words) {
        *v = u64::from(*word);
    }
}

pub(crate) type F1 = fn(&mut Lanes, &Lanes);
pub(crate) type F2 = fn(&mut Lanes, &Lanes, &Lanes);
pub(crate) type F3 = fn(&mut Lanes, &Lanes, &Lanes, &Lanes);
pub(crate) type F4 = fn(&mut Lanes, &Lanes, &Lanes, &Lanes, &Lanes);
/// A comparison: bit `i` of the result is lane `i`.
pub(crate) type Test = fn(&Lanes, &Lanes) -> u32;

/// A loop over lanes, by its number of sources.
#[derive(Clone, Copy)]
pub(crate) enum Loop {
    One(F1),
    Two(F2),
    Three(F3),
    Four(F4),
}
/// What the modifiers of an arithmetic instruction say.
#[derive(Clone, Copy)]
pub(crate) struct Spec {
    pub(crate) ty: Type,
    pub(crate) rounding: u8,
    pub(crate) ftz: bool,
    pub(crate) sat: bool,
}

impl Spec {
    pub(crate) fn of(opcode: &Opcode) -> Spec {
        let ty =
            opcode.first(|m| if m == "f32x2" { Some(Type::F64) } else { scalar(m) }).unwrap_or(Type::B32);
        Spec { ty, rounding: rounding(opcode), ftz: opcode.has("ftz"), sat: opcode.has("sat") }
    }
}

fn scalar(m: &str) -> Option<Type> {
    match m {
        // Packed 16-bit integers are handled by name.
        "u16x2" => Some(Type::U16),
        "s16x2" => Some(Type::S16),
        _ => Type::from_name(m),
    }
}

pub(crate) fn rounding(opcode: &Opcode) -> u8 {
    opcode
        .first(|m| match m {
            "rn" | "rni" => Some(mode::NEAR),
            "rz" | "rzi" => Some(mode::ZERO),
            "rm" | "rmi" => Some(mode::DOWN),
            "rp" | "rpi" => Some(mode::UP),
            "rna" => Some(mode::AWAY),
            _ => None,
        })
        .unwrap_or(mode::NEAR)
}

fn is_half(ty: Type) -> bool {
    matches!(ty, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2)
}

fn add_int<const B: u32, const S: bool>(a: u64, b: u64) -> u64 {
    a.wrapping_add(b) & int::mask(B)
}

fn sub_int<const B: u32, const S: bool>(a: u64, b: u64) -> u64 {
    a.wrapping_sub(b) & int::mask(B)
}

fn mul_lo<const B: u32, const S: bool>(a: u64, b: u64) -> u64 {
    // Masked factors let narrow products use one vector multiplication.
    (a & int::mask(B)).wrapping_mul(b & int::mask(B)) & int::mask(B)
}

fn mad_lo<const B: u32, const S: bool>(a: u64, b: u64, c: u64) -> u64 {
    (a & int::mask(B)).wrapping_mul(b & int::mask(B)).wrapping_add(c) & int::mask(B)
}

fn mad_hi<const B: u32, const S: bool>(a: u64, b: u64, c: u64) -> u64 {
    int::mul_hi::<B, S>(a, b).wrapping_add(c) & int::mask(B)
}

fn mad_wide<const B: u32, const S: bool>(a: u64, b: u64, c: u64) -> u64 {
    int::mul_wide::<B, S>(a, b).wrapping_add(c) & int::mask(2 * B)
}

fn min_int<const B: u32, const S: bool>(a: u64, b: u64) -> u64 {
    if S {
        int::sext(a, B).min(int::sext(b, B)).cast_unsigned() & int::mask(B)
    } else {
        (a & int::mask(B)).min(b & int::mask(B))
    }
}

fn max_int<const B: u32, const S: bool>(a: u64, b: u64) -> u64 {
    if S {
        int::sext(a, B).max(int::sext(b, B)).cast_unsigned() & int::mask(B)
    } else {
        (a & int::mask(B)).max(b & int::mask(B))
    }
}

fn sad<const B: u32, const S: bool>(a: u64, b: u64, c: u64) -> u64 {
    let difference = max_int::<B, S>(a, b).wrapping_sub(min_int::<B, S>(a, b));
    c.wrapping_add(difference) & int::mask(B)
}

fn mul24<const HIGH: bool, const S: bool>(a: u64, b: u64) -> u64 {
    let product = if S {
        int::sext(a, 24) * int::sext(b, 24)
    } else {
        ((a & 0xff_ffff) * (b & 0xff_ffff)).cast_signed()
    };
    (if HIGH { product >> 16 } else { product }).cast_unsigned() & 0xffff_ffff
}

fn min_max(opcode: &Opcode, spec: Spec, max: bool) -> Option<Loop> {
    let (nan, xorsign) = (opcode.has("NaN"), opcode.has("xorsign"));
    if opcode.has("u16x2") || opcode.has("s16x2") {
        let (signed, relu) = (opcode.has("s16x2"), opcode.has("relu"));
        return Some(match (max, signed, relu) {
            (true, false, _) => l2!(|a, b| both2(a, b, max_int::<16, false>)),
            (false, false, _) => l2!(|a, b| both2(a, b, min_int::<16, false>)),
            (true, true, false) => l2!(|a, b| both2(a, b, max_int::<16, true>)),
            (false, true, false) => l2!(|a, b| both2(a, b, min_int::<16, true>)),
            (true, true, true) => l2!(|a, b| both2(both2(a, b, max_int::<16, true>), 0, max_int::<16, true>)),
            (false, true, true) => {
                l2!(|a, b| both2(both2(a, b, min_int::<16, true>), 0, max_int::<16, true>))
            }
        });
    }
    if opcode.has("relu") && spec.ty == Type::S32 {
        return Some(if max {
            l2!(|a, b| max_int::<32, true>(max_int::<32, true>(a, b), 0))
        } else {
            l2!(|a, b| max_int::<32, true>(min_int::<32, true>(a, b), 0))
        });
    }
    macro_rules! pick {
        ($mk:ident $rare:ident, $($f:ident)::+, $($g:ident)::+, ($($v:ident),+), |$h:ident| $e:expr) => {
            match (max, spec.ftz, nan, xorsign) {
                (true, false, false, false) => $mk!(|$($v),+| { let $h = $($f)::+::<true, false, false>; $e }),
                (true, true, false, false) => $mk!(|$($v),+| { let $h = $($f)::+::<true, true, false>; $e }),
                (true, false, true, false) => $rare!(|$($v),+| { let $h = $($f)::+::<true, false, true>; $e }),
                (true, true, true, false) => $rare!(|$($v),+| { let $h = $($f)::+::<true, true, true>; $e }),
                (false, false, false, false) => $mk!(|$($v),+| { let $h = $($f)::+::<false, false, false>; $e }),
                (false, true, false, false) => $mk!(|$($v),+| { let $h = $($f)::+::<false, true, false>; $e }),
                (false, false, true, false) => $rare!(|$($v),+| { let $h = $($f)::+::<false, false, true>; $e }),
                (false, true, true, false) => $rare!(|$($v),+| { let $h = $($f)::+::<false, true, true>; $e }),
                (true, false, false, true) => $rare!(|$($v),+| { let $h = $($g)::+::<true, false, false>; $e }),
                (true, true, false, true) => $rare!(|$($v),+| { let $h = $($g)::+::<true, true, false>; $e }),
                (true, false, true, true) => $rare!(|$($v),+| { let $h = $($g)::+::<true, false, true>; $e }),
                (true, true, true, true) => $rare!(|$($v),+| { let $h = $($g)::+::<true, true, true>; $e }),
                (false, false, false, true) => $rare!(|$($v),+| { let $h = $($g)::+::<false, false, false>; $e }),
                (false, true, false, true) => $rare!(|$($v),+| { let $h = $($g)::+::<false, true, false>; $e }),
                (false, false, true, true) => $rare!(|$($v),+| { let $h = $($g)::+::<false, false, true>; $e }),
                (false, true, true, true) => $rare!(|$($v),+| { let $h = $($g)::+::<false, true, true>; $e }),
            }
        };
    }
    Some(match spec.ty {
        Type::F32 => match (max, spec.ftz, nan, xorsign) {
            (true, false, false, false) => w2!(float::pick_words::<true, false, false>),
            (true, true, false, false) => w2!(float::pick_words::<true, true, false>),
            (true, false, true, false) => w2!(float::pick_words::<true, false, true>),
            (true, true, true, false) => w2!(float::pick_words::<true, true, true>),
            (false, false, false, false) => w2!(float::pick_words::<false, false, false>),
            (false, true, false, false) => w2!(float::pick_words::<false, true, false>),
            (false, false, true, false) => w2!(float::pick_words::<false, false, true>),
            (false, true, true, false) => w2!(float::pick_words::<false, true, true>),
            (true, false, false, true) => s2!(|a, b| float::pick32_xorsign::<true, false, false>(a, b)),
            (true, true, false, true) => s2!(|a, b| float::pick32_xorsign::<true, true, false>(a, b)),
            (true, false, true, true) => s2!(|a, b| float::pick32_xorsign::<true, false, true>(a, b)),
            (true, true, true, true) => s2!(|a, b| float::pick32_xorsign::<true, true, true>(a, b)),
            (false, false, false, true) => s2!(|a, b| float::pick32_xorsign::<false, false, false>(a, b)),
            (false, true, false, true) => s2!(|a, b| float::pick32_xorsign::<false, true, false>(a, b)),
            (false, false, true, true) => s2!(|a, b| float::pick32_xorsign::<false, false, true>(a, b)),
            (false, true, true, true) => s2!(|a, b| float::pick32_xorsign::<false, true, true>(a, b)),
        },
        Type::F64 if max => l2!(|a, b| float::pick64::<true>(a, b)),
        Type::F64 => l2!(|a, b| float::pick64::<false>(a, b)),
        Type::F16 => pick!(l2 s2, ieee_pick, ieee_pick_xorsign, (a, b), |h| h(a, b)),
        Type::Bf16 => pick!(l2 s2, brain_pick, brain_pick_xorsign, (a, b), |h| h(a, b)),
        Type::F16x2 => pick!(l2 s2, ieee_pick, ieee_pick_xorsign, (a, b), |h| both2(a, b, h)),
        Type::Bf16x2 => pick!(l2 s2, brain_pick, brain_pick_xorsign, (a, b), |h| both2(a, b, h)),
        ty if max => ints!(l2, ty, max_int, (a, b)),
        ty => ints!(l2, ty, min_int, (a, b)),
    })
}

fn ieee_pick<const MAX: bool, const FTZ: bool, const NAN: bool>(a: u64, b: u64) -> u64 {
    half::pick::<Ieee, MAX, FTZ, NAN>(a, b)
}

fn ieee_pick_xorsign<const MAX: bool, const FTZ: bool, const NAN: bool>(a: u64, b: u64) -> u64 {
    half::pick_xorsign::<Ieee, MAX, FTZ, NAN>(a, b)
}

fn brain_pick<const MAX: bool, const FTZ: bool, const NAN: bool>(a: u64, b: u64) -> u64 {
    half::pick::<Brain, MAX, FTZ, NAN>(a, b)
}

fn brain_pick_xorsign<const MAX: bool, const FTZ: bool, const NAN: bool>(a: u64, b: u64) -> u64 {
    half::pick_xorsign::<Brain, MAX, FTZ, NAN>(a, b)
}

fn fast(opcode: &Opcode, spec: Spec) -> Option<Loop> {
    macro_rules! both {
        ($($f:ident)::+) => {
            if spec.ftz { s1!(|a| $($f)::+::<true>(a)) } else { s1!(|a| $($f)::+::<false>(a)) }
        };
    }
    let op = opcode.row?.op;
    if is_half(spec.ty) {
        return Some(match (op, spec.ty) {
            (Op::Ex2, Type::F16) => s1!(|a| approx::ex2_half::<Ieee>(a)),
            (Op::Ex2, Type::F16x2) => s1!(|a| both1(a, approx::ex2_half::<Ieee>)),
            (Op::Ex2, Type::Bf16) => s1!(|a| approx::ex2_half::<Brain>(a)),
            (Op::Ex2, _) => s1!(|a| both1(a, approx::ex2_half::<Brain>)),
            (_, Type::F16) => s1!(|a| approx::tanh_half::<Ieee>(a)),
            (_, Type::F16x2) => s1!(|a| both1(a, approx::tanh_half::<Ieee>)),
            (_, Type::Bf16) => s1!(|a| approx::tanh_half::<Brain>(a)),
            (..) => s1!(|a| both1(a, approx::tanh_half::<Brain>)),
        });
    }
    Some(match (op, spec.ty) {
        (Op::Ex2, _) if spec.ftz => Loop::One(approx::row::ex2::<true>),
        (Op::Ex2, _) => Loop::One(approx::row::ex2::<false>),
        (Op::Lg2, _) => both!(approx::lg2),
        (Op::Sin, _) => both!(approx::sin),
        (Op::Cos, _) => both!(approx::cos),
        (Op::Tanh, _) => both!(approx::tanh),
        (Op::Rsqrt, Type::F64) if spec.ftz => s1!(|a| approx::rsqrt64(a)),
        (Op::Rsqrt, Type::F64) => s1!(|a| approx::rsqrt64_full(a)),
        (Op::Rsqrt, _) => both!(approx::rsqrt),
        (Op::Rcp, Type::F64) if opcode.has("approx") => s1!(|a| approx::rcp64(a)),
        (Op::Rcp, Type::F64) => moded!(l1 s1, spec, float::rcp64, (a)),
        (Op::Rcp, _) if opcode.has("approx") && spec.ftz => Loop::One(approx::row::rcp::<true>),
        (Op::Rcp, _) if opcode.has("approx") => Loop::One(approx::row::rcp::<false>),
        (Op::Rcp, _) => rounded_ftz!(s1, spec, float::rcp, (a)),
        (Op::Sqrt, Type::F64) => moded!(l1 s1, spec, float::sqrt64, (a)),
        (Op::Sqrt, _) if opcode.has("approx") => both!(approx::sqrt),
        (Op::Sqrt, _) => rounded_ftz!(s1, spec, float::sqrt, (a)),
        _ => return None,
    })
}

/// `add.f32.f16` and its like: the second type is that of the first operand (of both factors for `fma`), which is widened.
fn mixed(opcode: &Opcode, spec: Spec) -> Option<Loop> {
    let types = opcode.all(Type::from_name);
    let [Type::F32, narrow @ (Type::F16 | Type::Bf16)] = types[..] else { return None };
    macro_rules! widened {
        ($wide:ident, $m:ident) => {
            match (opcode.row?.op, spec.sat) {
                (Op::Add, false) => s2!(|a, b| float::add::<$m, false, false>($wide(a), b)),
                (Op::Add, true) => s2!(|a, b| float::add::<$m, false, true>($wide(a), b)),
                (Op::Sub, false) => s2!(|a, b| float::sub::<$m, false, false>($wide(a), b)),
                (Op::Sub, true) => s2!(|a, b| float::sub::<$m, false, true>($wide(a), b)),
                (_, false) => s3!(|a, b, c| float::fma::<$m, false, false>($wide(a), $wide(b), c)),
                (_, true) => s3!(|a, b, c| float::fma::<$m, false, true>($wide(a), $wide(b), c)),
            }
        };
    }
    const N: u8 = mode::NEAR;
    const Z: u8 = mode::ZERO;
    const D: u8 = mode::DOWN;
    const U: u8 = mode::UP;
    Some(match (narrow, spec.rounding) {
        (Type::F16, mode::ZERO) => widened!(wide_ieee, Z),
        (Type::F16, mode::DOWN) => widened!(wide_ieee, D),
        (Type::F16, mode::UP) => widened!(wide_ieee, U),
        (Type::F16, _) => widened!(wide_ieee, N),
        (_, mode::ZERO) => widened!(wide_brain, Z),
        (_, mode::DOWN) => widened!(wide_brain, D),
        (_, mode::UP) => widened!(wide_brain, U),
        _ => widened!(wide_brain, N),
    })
}

fn wide_ieee(a: u64) -> u64 {
    u64::from(Ieee::wide(a).to_bits())
}

fn wide_brain(a: u64) -> u64 {
    u64::from(Brain::wide(a).to_bits())
}

fn add_sub(opcode: &Opcode, spec: Spec, sub: bool) -> Loop {
    if let Some(mixed) = mixed(opcode, spec) {
        return mixed;
    }
    if opcode.has("f32x2") {
        macro_rules! pair {
            ($($f:ident)::+) => {
                match (spec.rounding, spec.ftz) {
                    (mode::ZERO, false) => s2!(|a, b| float::pair2(a, b, $($f)::+::<{ mode::ZERO }, false, false>)),
                    (mode::DOWN, false) => s2!(|a, b| float::pair2(a, b, $($f)::+::<{ mode::DOWN }, false, false>)),
                    (mode::UP, false) => s2!(|a, b| float::pair2(a, b, $($f)::+::<{ mode::UP }, false, false>)),
                    (mode::ZERO, true) => s2!(|a, b| float::pair2(a, b, $($f)::+::<{ mode::ZERO }, true, false>)),
                    (mode::DOWN, true) => s2!(|a, b| float::pair2(a, b, $($f)::+::<{ mode::DOWN }, true, false>)),
                    (mode::UP, true) => s2!(|a, b| float::pair2(a, b, $($f)::+::<{ mode::UP }, true, false>)),
                    (_, false) => l2!(|a, b| float::pair2(a, b, $($f)::+::<{ mode::NEAR }, false, false>)),
                    (_, true) => s2!(|a, b| float::pair2(a, b, $($f)::+::<{ mode::NEAR }, true, false>)),
                }
            };
        }
        return match opcode.row.map(|r| r.op) {
            Some(Op::Mul) => pair!(float::mul),
            Some(Op::Sub) => pair!(float::sub),
            _ => pair!(float::add),
        };
    }
    if opcode.has("u16x2") || opcode.has("s16x2") {
        return match (sub, spec.sat, opcode.has("s16x2")) {
            (false, false, _) => s2!(|a, b| both2(a, b, add_int::<16, false>)),
            (true, false, _) => s2!(|a, b| both2(a, b, sub_int::<16, false>)),
            (false, true, false) => s2!(|a, b| both2(a, b, |x, y| (x + y).min(0xffff))),
            (true, true, false) => s2!(|a, b| both2(a, b, |x, y| x.saturating_sub(y))),
            (false, true, true) => s2!(|a, b| both2(a, b, |x, y| sat16(int::sext(x, 16) + int::sext(y, 16)))),
            (true, true, true) => s2!(|a, b| both2(a, b, |x, y| sat16(int::sext(x, 16) - int::sext(y, 16)))),
        };
    }
    match (spec.ty, sub) {
        (Type::F32, false) => rounded!(l2 s2, spec, float::add, (a, b)),
        (Type::F32, true) => rounded!(l2 s2, spec, float::sub, (a, b)),
        (Type::F64, false) => moded!(l2 s2, spec, float::add64, (a, b)),
        (Type::F64, true) => moded!(l2 s2, spec, float::sub64, (a, b)),
        (ty, false) if is_half(ty) => halves!(l2 s2, both2, spec, add, (a, b)),
        (ty, true) if is_half(ty) => halves!(l2 s2, both2, spec, sub, (a, b)),
        (_, false) if spec.sat => l2!(|a, b| int::sat32(int::sext(a, 32) + int::sext(b, 32))),
        (_, true) if spec.sat => l2!(|a, b| int::sat32(int::sext(a, 32) - int::sext(b, 32))),
        (ty, false) => ints!(l2, ty, add_int, (a, b)),
        (ty, true) => ints!(l2, ty, sub_int, (a, b)),
    }
}

fn sat16(x: i64) -> u64 {
    x.clamp(-0x8000, 0x7fff).cast_unsigned() & 0xffff
}

fn mul(opcode: &Opcode, spec: Spec) -> Loop {
    match spec.ty {
        _ if opcode.has("f32x2") => add_sub(opcode, spec, false),
        Type::F32 => rounded!(l2 s2, spec, float::mul, (a, b)),
        Type::F64 => moded!(l2 s2, spec, float::mul64, (a, b)),
        ty if is_half(ty) => halves!(l2 s2, both2, spec, mul, (a, b)),
        ty if opcode.has("hi") => ints!(l2, ty, int::mul_hi, (a, b)),
        ty if opcode.has("wide") => ints!(l2, ty, int::mul_wide, (a, b)),
        ty => ints!(l2, ty, mul_lo, (a, b)),
    }
}

fn fma(opcode: &Opcode, spec: Spec) -> Loop {
    if let Some(mixed) = mixed(opcode, spec) {
        return mixed;
    }
    if opcode.has("oob") {
        return filled(opcode, spec);
    }
    if opcode.has("f32x2") {
        macro_rules! pair3 {
            ($m:expr, $z:expr) => {
                s3!(|a, b, c| {
                    let f = float::fma::<{ $m }, $z, false>;
                    f(a & 0xffff_ffff, b & 0xffff_ffff, c & 0xffff_ffff) | f(a >> 32, b >> 32, c >> 32) << 32
                })
            };
        }
        return match (spec.rounding, spec.ftz) {
            (mode::ZERO, false) => pair3!(mode::ZERO, false),
            (mode::DOWN, false) => pair3!(mode::DOWN, false),
            (mode::UP, false) => pair3!(mode::UP, false),
            (mode::ZERO, true) => pair3!(mode::ZERO, true),
            (mode::DOWN, true) => pair3!(mode::DOWN, true),
            (mode::UP, true) => pair3!(mode::UP, true),
            (_, false) => pair3!(mode::NEAR, false),
            (_, true) => pair3!(mode::NEAR, true),
        };
    }
    if opcode.has("relu") {
        return match (spec.ty, spec.ftz) {
            (Type::F16, false) => s3!(|a, b, c| half::relu::<Ieee>(half::fma::<Ieee, false, false>(a, b, c))),
            (Type::F16, true) => s3!(|a, b, c| half::relu::<Ieee>(half::fma::<Ieee, true, false>(a, b, c))),
            (Type::F16x2, false) => {
                s3!(|a, b, c| both1(both3(a, b, c, half::fma::<Ieee, false, false>), half::relu::<Ieee>))
            }
            (Type::F16x2, true) => {
                s3!(|a, b, c| both1(both3(a, b, c, half::fma::<Ieee, true, false>), half::relu::<Ieee>))
            }
            (Type::Bf16, _) => s3!(|a, b, c| half::relu::<Brain>(half::fma::<Brain, false, false>(a, b, c))),
            _ => s3!(|a, b, c| both1(both3(a, b, c, half::fma::<Brain, false, false>), half::relu::<Brain>)),
        };
    }
    match spec.ty {
        Type::F64 => moded!(l3 s3, spec, float::fma64, (a, b, c)),
        ty if is_half(ty) => halves!(l3 s3, both3, spec, fma, (a, b, c)),
        _ => rounded!(l3 s3, spec, float::fma, (a, b, c)),
    }
}

/// `fma.rn.oob`: nothing where a factor is what a tensor copy fills the outside with.
///
/// hardware: an H200: factors of 0x7ff7 or 0xfff7 give +0, in halves and bfloats, before `.relu`; the addend may be one.
fn filled(opcode: &Opcode, spec: Spec) -> Loop {
    fn fused<H: Half, const SAT: bool, const RELU: bool>(a: u64, b: u64, c: u64) -> u64 {
        let fill = |x: u64| x & 0x7fff == 0x7ff7;
        if fill(a) || fill(b) {
            return 0;
        }
        let sum = half::fma::<H, false, SAT>(a, b, c);
        if RELU { half::relu::<H>(sum) } else { sum }
    }
    match (spec.ty, opcode.has("relu"), spec.sat) {
        (Type::F16, false, false) => s3!(|a, b, c| fused::<Ieee, false, false>(a, b, c)),
        (Type::F16, false, true) => s3!(|a, b, c| fused::<Ieee, true, false>(a, b, c)),
        (Type::F16, true, _) => s3!(|a, b, c| fused::<Ieee, false, true>(a, b, c)),
        (Type::F16x2, false, false) => s3!(|a, b, c| both3(a, b, c, fused::<Ieee, false, false>)),
        (Type::F16x2, false, true) => s3!(|a, b, c| both3(a, b, c, fused::<Ieee, true, false>)),
        (Type::F16x2, true, _) => s3!(|a, b, c| both3(a, b, c, fused::<Ieee, false, true>)),
        (Type::Bf16, false, _) => s3!(|a, b, c| fused::<Brain, false, false>(a, b, c)),
        (Type::Bf16, true, _) => s3!(|a, b, c| fused::<Brain, false, true>(a, b, c)),
        (_, false, _) => s3!(|a, b, c| both3(a, b, c, fused::<Brain, false, false>)),
        (_, true, _) => s3!(|a, b, c| both3(a, b, c, fused::<Brain, false, true>)),
    }
}

fn mad(opcode: &Opcode, spec: Spec) -> Loop {
    match spec.ty {
        _ if opcode.has("sat") => {
            l3!(|a, b, c| int::sat32(int::sext(int::mul_hi::<32, true>(a, b), 32) + int::sext(c, 32)))
        }
        ty if opcode.has("hi") => ints!(l3, ty, mad_hi, (a, b, c)),
        ty if opcode.has("wide") => ints!(l3, ty, mad_wide, (a, b, c)),
        ty => ints!(l3, ty, mad_lo, (a, b, c)),
    }
}

/// Absolute value and negative. hardware: generated programs on an H200: a NaN becomes the canonical one in single and half
/// precision, and stays as it is, sign included, in double precision.
fn abs_neg(spec: Spec, neg: bool) -> Loop {
    match (spec.ty, neg, spec.ftz) {
        (Type::F32, false, false) => l1!(|a| float::sign_of::<false>(a & 0x7fff_ffff)),
        (Type::F32, true, false) => l1!(|a| float::sign_of::<false>(a ^ 0x8000_0000)),
        (Type::F32, false, true) => l1!(|a| float::sign_of::<true>(a & 0x7fff_ffff)),
        (Type::F32, true, true) => l1!(|a| float::sign_of::<true>(a ^ 0x8000_0000)),
        (Type::F64, false, _) => {
            l1!(|a| if float::d(a).is_nan() { float::quiet64(a) } else { a & (u64::MAX >> 1) })
        }
        (Type::F64, true, _) => l1!(|a| if float::d(a).is_nan() { float::quiet64(a) } else { a ^ (1 << 63) }),
        (Type::F16, false, false) => l1!(|a| half::sign_of::<Ieee, false>(a & 0x7fff)),
        (Type::F16, true, false) => l1!(|a| half::sign_of::<Ieee, false>(a ^ 0x8000)),
        (Type::F16, false, true) => l1!(|a| half::sign_of::<Ieee, true>(a & 0x7fff)),
        (Type::F16, true, true) => l1!(|a| half::sign_of::<Ieee, true>(a ^ 0x8000)),
        (Type::F16x2, false, false) => l1!(|a| both1(a & 0x7fff_7fff, half::sign_of::<Ieee, false>)),
        (Type::F16x2, true, false) => l1!(|a| both1(a ^ 0x8000_8000, half::sign_of::<Ieee, false>)),
        (Type::F16x2, false, true) => l1!(|a| both1(a & 0x7fff_7fff, half::sign_of::<Ieee, true>)),
        (Type::F16x2, true, true) => l1!(|a| both1(a ^ 0x8000_8000, half::sign_of::<Ieee, true>)),
        (Type::Bf16, false, _) => l1!(|a| half::sign_of::<Brain, false>(a & 0x7fff)),
        (Type::Bf16, true, _) => l1!(|a| half::sign_of::<Brain, false>(a ^ 0x8000)),
        (Type::Bf16x2, false, _) => l1!(|a| both1(a & 0x7fff_7fff, half::sign_of::<Brain, false>)),
        (Type::Bf16x2, true, _) => l1!(|a| both1(a ^ 0x8000_8000, half::sign_of::<Brain, false>)),
        (ty, false, _) => match ty.bits() {
            16 => l1!(|a| int::sext(a, 16).wrapping_abs().cast_unsigned() & 0xffff),
            64 => l1!(|a| a.cast_signed().wrapping_abs().cast_unsigned()),
            _ => l1!(|a| int::sext(a, 32).wrapping_abs().cast_unsigned() & 0xffff_ffff),
        },
        (ty, true, _) => widths!(l1, ty, |a| a.wrapping_neg()),
    }
}

/// `abs.f32` and `neg.f32` as changes of the sign bit alone.
pub(crate) fn sign_bit(opcode: &Opcode) -> Option<Loop> {
    let single = opcode.has("f32") && !opcode.has("ftz");
    match opcode.row?.op {
        Op::Abs if single => Some(l1!(|a| a & 0x7fff_ffff)),
        Op::Neg if single => Some(l1!(|a| a ^ 0x8000_0000)),
        _ => None,
    }
}

/// The loop of an arithmetic instruction whose operands are all registers and whose result is one.
pub(crate) fn choose(opcode: &Opcode) -> Option<Loop> {
    let spec = Spec::of(opcode);
    let ty = spec.ty;
    Some(match opcode.row?.op {
        Op::Add => add_sub(opcode, spec, false),
        Op::Sub => add_sub(opcode, spec, true),
        Op::Mul => mul(opcode, spec),
        Op::Mul24 => match (opcode.has("hi"), ty == Type::S32) {
            (false, false) => s2!(|a, b| mul24::<false, false>(a, b)),
            (false, true) => s2!(|a, b| mul24::<false, true>(a, b)),
            (true, false) => s2!(|a, b| mul24::<true, false>(a, b)),
            (true, true) => s2!(|a, b| mul24::<true, true>(a, b)),
        },
        Op::Mad24 => match (opcode.has("hi"), ty == Type::S32, spec.sat) {
            (true, _, true) => {
                s3!(|a, b, c| int::sat32(int::sext(mul24::<true, true>(a, b), 32) + int::sext(c, 32)))
            }
            (false, false, _) => s3!(|a, b, c| (mul24::<false, false>(a, b) + c) & 0xffff_ffff),
            (false, true, _) => s3!(|a, b, c| (mul24::<false, true>(a, b) + c) & 0xffff_ffff),
            (true, false, _) => s3!(|a, b, c| (mul24::<true, false>(a, b) + c) & 0xffff_ffff),
            (true, true, false) => s3!(|a, b, c| (mul24::<true, true>(a, b) + c) & 0xffff_ffff),
        },
        Op::Mad => mad(opcode, spec),
        Op::Fma => fma(opcode, spec),
        Op::Sad => ints!(s3, ty, sad, (a, b, c)),
        Op::Div => match ty {
            Type::F64 => moded!(s2 s2, spec, float::div64, (a, b)),
            Type::F32 if opcode.has("approx") && spec.ftz => Loop::Two(approx::row::div::<true>),
            Type::F32 if opcode.has("approx") => Loop::Two(approx::row::div::<false>),
            Type::F32 if opcode.has("full") && spec.ftz => Loop::Two(approx::row::div_full::<true>),
            Type::F32 if opcode.has("full") => Loop::Two(approx::row::div_full::<false>),
            Type::F32 => rounded_ftz!(s2, spec, float::div, (a, b)),
            ty => ints!(s2, ty, int::div, (a, b)),
        },
        Op::Rem => ints!(s2, ty, int::rem, (a, b)),
        Op::Abs => abs_neg(spec, false),
        Op::Neg => abs_neg(spec, true),
        Op::Min => min_max(opcode, spec, false)?,
        Op::Max => min_max(opcode, spec, true)?,
        Op::Popc => l1!(|a| u64::from(a.count_ones())),
        Op::Clz => match ty.bits() {
            64 => l1!(|a| u64::from(a.leading_zeros())),
            _ => l1!(|a| u64::from((a as u32).leading_zeros())),
        },
        Op::Bfind => match (ty, opcode.has("shiftamt")) {
            (Type::S32, false) => s1!(|a| int::bfind::<32, true, false>(a)),
            (Type::S32, true) => s1!(|a| int::bfind::<32, true, true>(a)),
            (Type::U64, false) => s1!(|a| int::bfind::<64, false, false>(a)),
            (Type::U64, true) => s1!(|a| int::bfind::<64, false, true>(a)),
            (Type::S64, false) => s1!(|a| int::bfind::<64, true, false>(a)),
            (Type::S64, true) => s1!(|a| int::bfind::<64, true, true>(a)),
            (_, false) => s1!(|a| int::bfind::<32, false, false>(a)),
            (_, true) => s1!(|a| int::bfind::<32, false, true>(a)),
        },
        Op::Fns => s3!(|a, b, c| int::fns(a, b, c)),
        Op::Brev => match ty.bits() {
            64 => l1!(|a| a.reverse_bits()),
            _ => l1!(|a| u64::from((a as u32).reverse_bits())),
        },
        Op::Bfe => match ty {
            Type::S32 => l3!(|a, b, c| int::bfe::<32, true>(a, b, c)),
            Type::U64 => l3!(|a, b, c| int::bfe::<64, false>(a, b, c)),
            Type::S64 => l3!(|a, b, c| int::bfe::<64, true>(a, b, c)),
            _ => l3!(|a, b, c| int::bfe::<32, false>(a, b, c)),
        },
        Op::Bfi => match ty.bits() {
            64 => l4!(|a, b, c, d| int::bfi::<64>(a, b, c, d)),
            _ => l4!(|a, b, c, d| int::bfi::<32>(a, b, c, d)),
        },
        Op::Bmsk => {
            if opcode.has("clamp") {
                s2!(|a, b| if a as u32 >= 32 {
                    0
                } else {
                    (int::mask((b as u32).min(32)) << (a as u32)) & 0xffff_ffff
                })
            } else {
                s2!(|a, b| (int::mask(b as u32 & 31) << (a & 31)) & 0xffff_ffff)
            }
        }
        Op::Szext => match (opcode.has("clamp"), ty == Type::S32) {
            (true, true) => s2!(|a, b| szext::<true>(a, (b as u32).min(32))),
            (true, false) => s2!(|a, b| szext::<false>(a, (b as u32).min(32))),
            (false, true) => s2!(|a, b| szext::<true>(a, b as u32 & 31)),
            (false, false) => s2!(|a, b| szext::<false>(a, b as u32 & 31)),
        },
        Op::Dp4a => match signs(opcode) {
            (false, false) => s3!(|a, b, c| int::dp4a::<false, false>(a, b, c)),
            (true, false) => s3!(|a, b, c| int::dp4a::<true, false>(a, b, c)),
            (false, true) => s3!(|a, b, c| int::dp4a::<false, true>(a, b, c)),
            (true, true) => s3!(|a, b, c| int::dp4a::<true, true>(a, b, c)),
        },
        Op::Dp2a => match (signs(opcode), opcode.has("hi")) {
            ((false, false), false) => s3!(|a, b, c| int::dp2a::<false, false, false>(a, b, c)),
            ((true, false), false) => s3!(|a, b, c| int::dp2a::<true, false, false>(a, b, c)),
            ((false, true), false) => s3!(|a, b, c| int::dp2a::<false, true, false>(a, b, c)),
            ((true, true), false) => s3!(|a, b, c| int::dp2a::<true, true, false>(a, b, c)),
            ((false, false), true) => s3!(|a, b, c| int::dp2a::<false, false, true>(a, b, c)),
            ((true, false), true) => s3!(|a, b, c| int::dp2a::<true, false, true>(a, b, c)),
            ((false, true), true) => s3!(|a, b, c| int::dp2a::<false, true, true>(a, b, c)),
            ((true, true), true) => s3!(|a, b, c| int::dp2a::<true, true, true>(a, b, c)),
        },
        Op::Copysign => match ty {
            Type::F64 => l2!(|a, b| (a & (1 << 63)) | (b & (u64::MAX >> 1))),
            _ => l2!(|a, b| (a & 0x8000_0000) | (b & 0x7fff_ffff)),
        },
        Op::Rcp | Op::Sqrt | Op::Rsqrt | Op::Sin | Op::Cos | Op::Lg2 | Op::Ex2 | Op::Tanh => {
            fast(opcode, spec)?
        }
        Op::And => l2!(|a, b| a & b),
        Op::Or => l2!(|a, b| a | b),
        Op::Xor => l2!(|a, b| a ^ b),
        Op::Not => widths!(l1, ty, |a| !a),
        Op::Cnot => widths!(l1, ty, |a| u64::from(a == 0)),
        Op::Shf => match (opcode.has("l"), opcode.has("clamp")) {
            (true, true) => l3!(|a, b, c| int::shf::<true, true>(a, b, c)),
            (true, false) => l3!(|a, b, c| int::shf::<true, false>(a, b, c)),
            (false, true) => l3!(|a, b, c| int::shf::<false, true>(a, b, c)),
            (false, false) => l3!(|a, b, c| int::shf::<false, false>(a, b, c)),
        },
        Op::Shl => match ty.bits() {
            16 => l2!(|a, b| int::shl::<16>(a, b)),
            64 => l2!(|a, b| int::shl::<64>(a, b)),
            _ => l2!(|a, b| int::shl::<32>(a, b)),
        },
        Op::Shr => match ty {
            Type::S16 => l2!(|a, b| int::shr_s::<16>(a, b)),
            Type::S32 => l2!(|a, b| int::shr_s::<32>(a, b)),
            Type::S64 => l2!(|a, b| int::shr_s::<64>(a, b)),
            ty if ty.bits() == 16 => l2!(|a, b| int::shr_u::<16>(a, b)),
            ty if ty.bits() == 64 => l2!(|a, b| int::shr_u::<64>(a, b)),
            _ => l2!(|a, b| int::shr_u::<32>(a, b)),
        },
        Op::Prmt => match opcode.modifiers.get(1).map(String::as_str) {
            None => l3!(|a, b, c| int::prmt(a, b, c)),
            Some("f4e") => s3!(|a, b, c| int::prmt(a, b, int::prmt_pattern("f4e", c))),
            Some("b4e") => s3!(|a, b, c| int::prmt(a, b, int::prmt_pattern("b4e", c))),
            Some("rc8") => s3!(|a, b, c| int::prmt(a, b, int::prmt_pattern("rc8", c))),
            Some("ecl") => s3!(|a, b, c| int::prmt(a, b, int::prmt_pattern("ecl", c))),
            Some("ecr") => s3!(|a, b, c| int::prmt(a, b, int::prmt_pattern("ecr", c))),
            Some(_) => s3!(|a, b, c| int::prmt(a, b, int::prmt_pattern("rc16", c))),
        },
        Op::Lop3 => l4!(|a, b, c, d| int::lop3(a, b, c, d)),
        _ => return None,
    })
}

fn signs(opcode: &Opcode) -> (bool, bool) {
    let types = opcode.all(|m| match m {
        "s32" => Some(true),
        "u32" => Some(false),
        _ => None,
    });
    (types.first() == Some(&true), types.get(1) == Some(&true))
}

fn szext<const S: bool>(a: u64, bits: u32) -> u64 {
    match (bits, S) {
        (0, _) => 0,
        (n, true) => int::sext(a, n).cast_unsigned() & 0xffff_ffff,
        (n, false) => a & int::mask(n) & 0xffff_ffff,
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    fn run2(text: &str, a: u64, b: u64) -> u64 {
        let Some(Loop::Two(f)) = choose(&Opcode::new(text)) else { panic!("{text}") };
        let mut d = [0; 32];
        f(&mut d, &[a; 32], &[b; 32]);
        d[31]
    }

    fn bits(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    #[test]
    fn spellings_choose_their_arithmetic() {
        assert_eq!(run2("add.s32", 0xffff_ffff, 2), 1);
        assert_eq!(run2("add.sat.s32", 0x7fff_ffff, 2), 0x7fff_ffff);
        assert_eq!(run2("add.u64", u64::MAX, 2), 1);
        assert_eq!(run2("sub.s16", 0, 1), 0xffff);
        assert_eq!(run2("add.f32", bits(1.5), bits(2.0)), bits(3.5));
        assert_eq!(run2("add.rz.ftz.f32", bits(1.0), bits(1e-20)), bits(1.0));
        assert_eq!(run2("mul.wide.s32", 0xffff_ffff, 3), (-3i64).cast_unsigned());
        assert_eq!(run2("mul.hi.u32", 0x8000_0000, 4), 2);
        assert_eq!(
            run2("add.f32x2", bits(1.0) | bits(2.0) << 32, bits(3.0) | bits(4.0) << 32),
            bits(4.0) | bits(6.0) << 32
        );
        assert_eq!(
            run2("mul.f32x2", bits(1.5) | bits(2.0) << 32, bits(2.0) | bits(4.0) << 32),
            bits(3.0) | bits(8.0) << 32
        );
        assert_eq!(run2("add.f16x2", 0x3c00_4000, 0x3c00_3c00), 0x4000_4200);
        assert_eq!(run2("max.s32", 0xffff_ffff, 3), 3);
        assert_eq!(run2("max.NaN.f32", bits(f32::NAN), 3), 0x7fff_ffff);
        assert_eq!(run2("min.s16x2", 0x0001_ffff, 0xffff_0001), 0xffff_ffff);
        assert_eq!(run2("div.full.f32", bits(1.0), bits(4.0)), bits(0.25));
        assert_eq!(run2("shl.b32", 1, 33), 0);
        assert_eq!(run2("sub.rn.f32.f16", 0x3c00, bits(0.25)), bits(0.75));
        assert_eq!(run2("add.f32.bf16", 0x3f80, bits(0.25)), bits(1.25));
    }
}
