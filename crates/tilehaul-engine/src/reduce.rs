//! Arithmetic of bulk and tensor reductions, bit for bit.
//!
//! Every element is combined on its own: `new = op(old, source)`. Integers wrap. Floating-point sums are exact sums
//! rounded once, to nearest even; what happens to NaN, signed zeros and subnormals was measured (hardware: h200 facts
//! 70 to 75) and differs from type to type, so each type has its own function here.

use std::fmt;

use half::{bf16, f16};

/// What a reduction does with the old and the new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    /// `old + source`.
    Add,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// `old >= source ? 0 : old + 1`. hardware: h200 fact 75.
    Inc,
    /// `old == 0 || old > source ? source : old - 1`. hardware: h200 fact 75.
    Dec,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

impl ReduceOp {
    /// Every operation with its PTX name.
    const NAMES: [(&str, ReduceOp); 8] = [
        ("add", ReduceOp::Add),
        ("min", ReduceOp::Min),
        ("max", ReduceOp::Max),
        ("inc", ReduceOp::Inc),
        ("dec", ReduceOp::Dec),
        ("and", ReduceOp::And),
        ("or", ReduceOp::Or),
        ("xor", ReduceOp::Xor),
    ];

    /// The operation of a PTX name, which stands without its dot.
    #[must_use]
    pub fn from_name(name: &str) -> Option<ReduceOp> {
        ReduceOp::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, op)| op)
    }

    /// Its PTX name.
    #[must_use]
    pub fn name(self) -> &'static str {
        ReduceOp::NAMES.iter().find(|&&(_, op)| op == self).map_or("", |&(name, _)| name)
    }
}

/// How an element is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceType {
    /// Unsigned 32 bits.
    U32,
    /// Signed 32 bits.
    S32,
    /// Unsigned 64 bits.
    U64,
    /// Signed 64 bits.
    S64,
    /// IEEE half.
    F16,
    /// bfloat16.
    Bf16,
    /// Single, subnormals kept.
    F32,
    /// Single, subnormal inputs and results flushed to signed zero.
    F32Ftz,
    /// Double.
    F64,
}

impl ReduceType {
    /// The type of a PTX name. Bitwise operations do not ask for a sign, so `b32` is as good as `u32`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<ReduceType> {
        Some(match name {
            "u32" | "b32" => ReduceType::U32,
            "s32" => ReduceType::S32,
            "u64" | "b64" => ReduceType::U64,
            "s64" => ReduceType::S64,
            "f16" => ReduceType::F16,
            "bf16" => ReduceType::Bf16,
            "f32" => ReduceType::F32,
            "f64" => ReduceType::F64,
            _ => return None,
        })
    }

    /// Bytes of one element.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            ReduceType::F16 | ReduceType::Bf16 => 2,
            ReduceType::U32 | ReduceType::S32 | ReduceType::F32 | ReduceType::F32Ftz => 4,
            ReduceType::U64 | ReduceType::S64 | ReduceType::F64 => 8,
        }
    }
}

/// An operation on a type that the engine has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reduction {
    op: ReduceOp,
    ty: ReduceType,
}

impl fmt::Debug for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.{:?}", self.op, self.ty)
    }
}

impl Reduction {
    /// The reduction of a tensor copy, or `None` when the engine refuses the pair (error 715).
    /// hardware: h200 fact 70. Tensor maps of u8 and u16 have no reduction at all.
    #[must_use]
    pub fn tensor(op: ReduceOp, ty: ReduceType) -> Option<Reduction> {
        use ReduceOp::{Add, And, Max, Min, Or, Xor};
        let allowed = match ty {
            ReduceType::U32 => true,
            ReduceType::S32 | ReduceType::U64 => matches!(op, Add | Min | Max | And | Or | Xor),
            ReduceType::S64 => matches!(op, Min | Max),
            ReduceType::F16 | ReduceType::Bf16 => matches!(op, Add | Min | Max),
            ReduceType::F32 | ReduceType::F32Ftz | ReduceType::F64 => op == Add,
        };
        allowed.then_some(Reduction { op, ty })
    }

    /// The reduction of a bulk copy to global memory, or `None` when PTX has no such form.
    /// manual: PTX ISA `cp.reduce.async.bulk`. The forms `.b32` and `.b64` are [`ReduceType::U32`] and `U64`.
    #[must_use]
    pub fn bulk_global(op: ReduceOp, ty: ReduceType) -> Option<Reduction> {
        // The tensor form has everything the bulk form has except a bulk f32 add that flushes, and the reverse.
        (ty != ReduceType::F32Ftz).then(|| Reduction::tensor(op, ty)).flatten()
    }

    /// The reduction of a bulk copy to shared memory, or `None` when PTX has no such form.
    /// hardware: h200 fact 76.
    #[must_use]
    pub fn bulk_shared(op: ReduceOp, ty: ReduceType) -> Option<Reduction> {
        use ReduceOp::{Add, Max, Min};
        let allowed = match ty {
            ReduceType::U32 => true,
            ReduceType::S32 => matches!(op, Add | Min | Max),
            ReduceType::U64 => op == Add,
            ReduceType::S64
            | ReduceType::F16
            | ReduceType::Bf16
            | ReduceType::F32
            | ReduceType::F32Ftz
            | ReduceType::F64 => false,
        };
        allowed.then_some(Reduction { op, ty })
    }

    /// The operation.
    #[must_use]
    pub fn op(self) -> ReduceOp {
        self.op
    }

    /// The element type.
    #[must_use]
    pub fn ty(self) -> ReduceType {
        self.ty
    }

    /// Combines `source` into `old`, element by element. Bytes past the last whole element stay as they are.
    pub fn apply(self, old: &mut [u8], source: &[u8]) {
        match self.ty {
            ReduceType::U32 => {
                each(old, source, |a, b| {
                    unsigned(self.op, u32::from_le_bytes(a), u32::from_le_bytes(b)).to_le_bytes()
                });
            }
            ReduceType::S32 => {
                each(old, source, |a, b| {
                    signed32(self.op, i32::from_le_bytes(a), i32::from_le_bytes(b)).to_le_bytes()
                });
            }
            ReduceType::U64 => {
                each(old, source, |a, b| {
                    wide(self.op, u64::from_le_bytes(a), u64::from_le_bytes(b)).to_le_bytes()
                });
            }
            ReduceType::S64 => {
                each(old, source, |a, b| {
                    signed64(self.op, i64::from_le_bytes(a), i64::from_le_bytes(b)).to_le_bytes()
                });
            }
            ReduceType::F16 => each(old, source, |a, b| {
                half_op::<HalfIsF16>(self.op, u16::from_le_bytes(a), u16::from_le_bytes(b)).to_le_bytes()
            }),
            ReduceType::Bf16 => each(old, source, |a, b| {
                half_op::<HalfIsBf16>(self.op, u16::from_le_bytes(a), u16::from_le_bytes(b)).to_le_bytes()
            }),
            ReduceType::F32 => {
                each(old, source, |a, b| {
                    add_f32(u32::from_le_bytes(a), u32::from_le_bytes(b), false).to_le_bytes()
                });
            }
            ReduceType::F32Ftz => {
                each(old, source, |a, b| {
                    add_f32(u32::from_le_bytes(a), u32::from_le_bytes(b), true).to_le_bytes()
                });
            }
            ReduceType::F64 => {
                each(old, source, |a, b| add_f64(u64::from_le_bytes(a), u64::from_le_bytes(b)).to_le_bytes());
            }
        }
    }
}

fn each<const N: usize>(old: &mut [u8], source: &[u8], combine: impl Fn([u8; N], [u8; N]) -> [u8; N]) {
    let (olds, _) = old.as_chunks_mut::<N>();
    let (sources, _) = source.as_chunks::<N>();
    for (a, b) in olds.iter_mut().zip(sources) {
        *a = combine(*a, *b);
    }
}

fn unsigned(op: ReduceOp, old: u32, source: u32) -> u32 {
    match op {
        ReduceOp::Add => old.wrapping_add(source),
        ReduceOp::Min => old.min(source),
        ReduceOp::Max => old.max(source),
        ReduceOp::Inc if old >= source => 0,
        ReduceOp::Inc => old + 1,
        ReduceOp::Dec if old == 0 || old > source => source,
        ReduceOp::Dec => old - 1,
        ReduceOp::And => old & source,
        ReduceOp::Or => old | source,
        ReduceOp::Xor => old ^ source,
    }
}

fn signed32(op: ReduceOp, old: i32, source: i32) -> i32 {
    match op {
        ReduceOp::Min => old.min(source),
        ReduceOp::Max => old.max(source),
        // Inc and Dec of signed types cannot be built; the others do not look at the sign.
        _ => unsigned(op, old.cast_unsigned(), source.cast_unsigned()).cast_signed(),
    }
}

fn wide(op: ReduceOp, old: u64, source: u64) -> u64 {
    match op {
        ReduceOp::Add => old.wrapping_add(source),
        ReduceOp::Min => old.min(source),
        ReduceOp::Max => old.max(source),
        ReduceOp::And => old & source,
        ReduceOp::Or => old | source,
        ReduceOp::Xor => old ^ source,
        // No constructor makes these pairs.
        ReduceOp::Inc | ReduceOp::Dec => old,
    }
}

fn signed64(op: ReduceOp, old: i64, source: i64) -> i64 {
    match op {
        ReduceOp::Min => old.min(source),
        ReduceOp::Max => old.max(source),
        _ => wide(op, old.cast_unsigned(), source.cast_unsigned()).cast_signed(),
    }
}

/// The two 16-bit floating-point formats, as far as their reductions differ.
trait Half {
    /// The largest magnitude that is not a NaN: infinity.
    const INFINITY: u16;
    /// Exact value; both formats fit a double.
    fn value(bits: u16) -> f64;
    /// Rounded to nearest even, infinity on overflow.
    fn round(value: f64) -> u16;
}

struct HalfIsF16;

impl Half for HalfIsF16 {
    const INFINITY: u16 = 0x7c00;
    fn value(bits: u16) -> f64 {
        f16::from_bits(bits).to_f64()
    }
    fn round(value: f64) -> u16 {
        round_f64(value, 10, 15)
    }
}

struct HalfIsBf16;

impl Half for HalfIsBf16 {
    const INFINITY: u16 = 0x7f80;
    fn value(bits: u16) -> f64 {
        bf16::from_bits(bits).to_f64()
    }
    fn round(value: f64) -> u16 {
        round_f64(value, 7, 127)
    }
}

/// Rounds a finite or infinite double to a 16-bit format with that many mantissa bits and that exponent bias, to
/// nearest even, subnormals included.
fn round_f64(value: f64, mantissa: u32, bias: i32) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u16) << 15;
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    if value == 0.0 || exponent < -1022 {
        return sign; // A double's own subnormals are far below half of the smallest step here.
    }
    let infinity = ((2 * bias + 1) as u16) << mantissa;
    if exponent > bias {
        return sign | infinity;
    }
    // The number is significand * 2^(exponent - 52); the format's step at this place is 2^step.
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    let step = exponent.max(1 - bias) - mantissa as i32;
    let drop = (step - (exponent - 52)) as u32;
    if drop > 53 {
        return sign;
    }
    let kept = significand >> drop;
    let rest = significand & ((1 << drop) - 1);
    let half = 1u64 << (drop - 1);
    let up = u64::from(rest > half || (rest == half && kept & 1 == 1));
    // Biased exponent 0 and 1 share a step, so a plain sum carries from subnormal to normal and on to infinity.
    let base = ((exponent.max(1 - bias) + bias - 1) as u64) << mantissa;
    sign | (base + kept + up).min(u64::from(infinity)) as u16
}

fn half_op<H: Half>(op: ReduceOp, old: u16, source: u16) -> u16 {
    const NAN: u16 = 0x7fff;
    let is_nan = |bits: u16| bits & 0x7fff > H::INFINITY;
    match op {
        // hardware: h200 fact 72. A double holds the exact sum, or enough of it that rounding twice changes nothing.
        ReduceOp::Add => {
            let sum = H::value(old) + H::value(source);
            if sum.is_nan() { NAN } else { H::round(sum) }
        }
        // hardware: h200 fact 73. A NaN loses to a number, -0 is below +0, the winner's bits are kept.
        ReduceOp::Min | ReduceOp::Max => match (is_nan(old), is_nan(source)) {
            (true, true) => NAN,
            (true, false) => source,
            (false, true) => old,
            (false, false) => {
                let smaller_is_old = ordered(old) <= ordered(source);
                if smaller_is_old == (op == ReduceOp::Min) { old } else { source }
            }
        },
        // No constructor makes these pairs.
        ReduceOp::Inc | ReduceOp::Dec | ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => old,
    }
}

/// Sign-magnitude bits as a number that orders like the value, with -0 below +0.
fn ordered(bits: u16) -> i32 {
    let magnitude = i32::from(bits & 0x7fff);
    if bits & 0x8000 != 0 { -1 - magnitude } else { magnitude }
}

/// hardware: h200 fact 71. Full f32 precision also for tf32 maps; any NaN becomes 0x7FFFFFFF.
fn add_f32(old: u32, source: u32, flush: bool) -> u32 {
    let flushed = |bits: u32| if flush && bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits };
    let sum = f32::from_bits(flushed(old)) + f32::from_bits(flushed(source));
    if sum.is_nan() { 0x7fff_ffff } else { flushed(sum.to_bits()) }
}

/// hardware: h200 fact 74. NaN payloads are kept unquieted, the source's first; Inf - Inf is the negative quiet NaN.
fn add_f64(old: u64, source: u64) -> u64 {
    let (a, b) = (f64::from_bits(old), f64::from_bits(source));
    if b.is_nan() {
        source
    } else if a.is_nan() {
        old
    } else {
        let sum = a + b;
        if sum.is_nan() { 0xfff8_0000_0000_0000 } else { sum.to_bits() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_to_sixteen_bits_agrees_with_every_value_and_midpoint() {
        for bits in 0..0x7c00u16 {
            let (a, b) = (f16::from_bits(bits).to_f64(), f16::from_bits(bits + 1).to_f64());
            assert_eq!(HalfIsF16::round(a), bits);
            assert_eq!(HalfIsF16::round(-a), bits | 0x8000);
            if b.is_finite() {
                let middle = (a + b) / 2.0;
                assert_eq!(HalfIsF16::round(middle), if bits & 1 == 0 { bits } else { bits + 1 });
            }
        }
        for bits in 0..0x7f7fu16 {
            let (a, b) = (bf16::from_bits(bits).to_f64(), bf16::from_bits(bits + 1).to_f64());
            assert_eq!(HalfIsBf16::round(a), bits);
            assert_eq!(HalfIsBf16::round((a + b) / 2.0), if bits & 1 == 0 { bits } else { bits + 1 });
        }
        assert_eq!(HalfIsF16::round(65519.99), 0x7bff);
        assert_eq!(HalfIsF16::round(65520.0), 0x7c00);
        assert_eq!(HalfIsF16::round(f64::NEG_INFINITY), 0xfc00);
    }

    #[test]
    fn refused_pairs_are_refused() {
        assert!(Reduction::tensor(ReduceOp::And, ReduceType::S64).is_none());
        assert!(Reduction::tensor(ReduceOp::Add, ReduceType::S64).is_none());
        assert!(Reduction::tensor(ReduceOp::Min, ReduceType::F32).is_none());
        assert!(Reduction::tensor(ReduceOp::Add, ReduceType::F64).is_some());
        assert!(Reduction::bulk_shared(ReduceOp::Inc, ReduceType::U32).is_some());
        assert!(Reduction::bulk_shared(ReduceOp::Add, ReduceType::F32).is_none());
    }
}
