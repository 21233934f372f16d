//! Arithmetic of 32 lanes, apart from registers, modifiers and EXEC.
//!
//! A [`Kernel`] is one small loop over plain arrays; a wave of 64 lanes calls it twice. It exists once, whatever the
//! number of lanes and the kinds of operands, so that hundreds of operations stay cheap to compile. Bits travel as `u32`,
//! or as `u64` where a source or the result has 64 bits; [`Part`] says what the bits are and hence how `mod.rs` reads and
//! writes them. Halves arrive widened (exactly) and results are rounded to halves outside.
//!
//! The kinds are macros named by what goes in: `u` 32-bit words, `f` singles, `s` 16-bit words, `h` halves computed in
//! singles, `d` halves computed in doubles, `b` bfloats computed in singles, `q` 64-bit words, `g` doubles; the digit is the
//! number of sources; what comes out is the same kind, or stands after `to`.

/// A dword, or less, of 32 lanes.
pub(crate) type Row = [u32; 32];
/// 64 bits of 32 lanes.
pub(crate) type LongRow = [u64; 32];

/// What an operation does to 32 lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kernel {
    /// Sources and result of at most 32 bits.
    Narrow(fn([&Row; 3], &mut Row)),
    /// Some source or the result has 64 bits.
    Wide(fn([&LongRow; 3], &mut LongRow)),
    /// Narrow, with the instruction's table.
    Table(fn([&Row; 3], u32, &mut Row)),
}

/// What the bits of a source or result are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Part {
    #[default]
    Absent,
    /// 32 bits.
    Word,
    /// A single.
    Single,
    /// 16 bits: the half that the operand names.
    Short,
    /// A half, widened to a single.
    Half,
    /// A half, widened to a double.
    HalfDouble,
    /// A bfloat, widened to a single.
    Bf16,
    /// 64 bits.
    Long,
    /// A double.
    Double,
}

/// An operation that treats every lane alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanewise {
    pub kernel: Kernel,
    pub sources: [Part; 3],
    pub result: Part,
    /// Done for the low and for the high half of the operands (VOP3P).
    pub packed: bool,
}

impl Lanewise {
    /// The same for both halves.
    pub(crate) fn packed(self) -> Lanewise {
        Lanewise { packed: true, ..self }
    }
}

/// A type that a lane's dword holds.
pub(crate) trait Narrow: Copy {
    fn of(bits: u32) -> Self;
    fn bits(self) -> u32;
}

/// A type that a lane's 64 bits hold.
pub(crate) trait Wide: Copy {
    fn of_long(bits: u64) -> Self;
    fn long(self) -> u64;
}

macro_rules! lane_type {
    ($($type:ty, $bits:ident => $of:expr, $to:expr;)*) => {$(
        impl Narrow for $type {
            #[inline(always)]
            fn of($bits: u32) -> $type { $of }
            #[inline(always)]
            fn bits(self) -> u32 { let $bits = self; $to }
        }
        impl Wide for $type {
            #[inline(always)]
            fn of_long(bits: u64) -> $type { <$type>::of(bits as u32) }
            #[inline(always)]
            fn long(self) -> u64 { u64::from(self.bits()) }
        }
    )*};
}

lane_type! {
    u32, x => x, x;
    u16, x => x as u16, u32::from(x);
    f32, x => f32::from_bits(x), x.to_bits();
}

impl Wide for u64 {
    #[inline(always)]
    fn of_long(bits: u64) -> u64 {
        bits
    }
    #[inline(always)]
    fn long(self) -> u64 {
        self
    }
}

impl Wide for f64 {
    #[inline(always)]
    fn of_long(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn long(self) -> u64 {
        self.to_bits()
    }
}

#[inline(always)]
pub(crate) fn narrow1<A: Narrow, R: Narrow>(s: [&Row; 3], out: &mut Row, f: impl Fn(A) -> R) {
    for l in 0..32 {
        out[l] = f(A::of(s[0][l])).bits();
    }
}

#[inline(always)]
pub(crate) fn narrow2<A: Narrow, B: Narrow, R: Narrow>(s: [&Row; 3], out: &mut Row, f: impl Fn(A, B) -> R) {
    for l in 0..32 {
        out[l] = f(A::of(s[0][l]), B::of(s[1][l])).bits();
    }
}

#[inline(always)]
pub(crate) fn narrow3<A: Narrow, B: Narrow, C: Narrow, R: Narrow>(
    s: [&Row; 3],
    out: &mut Row,
    f: impl Fn(A, B, C) -> R,
) {
    for l in 0..32 {
        out[l] = f(A::of(s[0][l]), B::of(s[1][l]), C::of(s[2][l])).bits();
    }
}

#[inline(always)]
pub(crate) fn wide1<A: Wide, R: Wide>(s: [&LongRow; 3], out: &mut LongRow, f: impl Fn(A) -> R) {
    for l in 0..32 {
        out[l] = f(A::of_long(s[0][l])).long();
    }
}

#[inline(always)]
pub(crate) fn wide2<A: Wide, B: Wide, R: Wide>(s: [&LongRow; 3], out: &mut LongRow, f: impl Fn(A, B) -> R) {
    for l in 0..32 {
        out[l] = f(A::of_long(s[0][l]), B::of_long(s[1][l])).long();
    }
}

#[inline(always)]
pub(crate) fn wide3<A: Wide, B: Wide, C: Wide, R: Wide>(
    s: [&LongRow; 3],
    out: &mut LongRow,
    f: impl Fn(A, B, C) -> R,
) {
    for l in 0..32 {
        out[l] = f(A::of_long(s[0][l]), B::of_long(s[1][l]), C::of_long(s[2][l])).long();
    }
}

/// Shifts by the bits of source `by`, of which all lanes nearly always have the same: then it is a shift of vectors, and
/// else one for each lane. `f` gets the sources with the shift at that place.
#[inline(always)]
pub(crate) fn shifted(s: [&Row; 3], by: usize, out: &mut Row, f: impl Fn([u32; 3]) -> u32) {
    let first = s[by][0];
    let same = s[by].iter().fold(0, |all, x| all | (x ^ first)) == 0;
    if same {
        for l in 0..32 {
            let mut lane = s.map(|s| s[l]);
            lane[by] = first;
            out[l] = f(lane);
        }
    } else {
        for l in 0..32 {
            out[l] = f(s.map(|s| s[l]));
        }
    }
}

/// `shift!(sources, place of the shift, function)` is a [`Lanewise`].
macro_rules! shift {
    ($sources:expr, $by:expr, $f:expr) => {
        $crate::valu::kernel::Lanewise {
            kernel: $crate::valu::kernel::Kernel::Narrow(|s, out| {
                $crate::valu::kernel::shifted(s, $by, out, $f)
            }),
            sources: $sources,
            result: $crate::valu::kernel::Part::Word,
            packed: false,
        }
    };
}
pub(crate) use shift;

/// One macro a kind: `kind!(function)` is a [`Lanewise`]. Sources: their parts; the types that the function sees; then
/// the result.
macro_rules! kinds {
    ($d:tt $($name:ident: $kernel:ident $map:ident <$($t:ty),+> [$a:ident $b:ident $c:ident] $r:ident;)*) => {$(
        macro_rules! $name {
            ($d f:expr) => {
                $crate::valu::kernel::Lanewise {
                    kernel: $crate::valu::kernel::Kernel::$kernel(|s, out| {
                        $crate::valu::kernel::$map::<$($t),+>(s, out, $d f)
                    }),
                    sources: [
                        $crate::valu::kernel::Part::$a,
                        $crate::valu::kernel::Part::$b,
                        $crate::valu::kernel::Part::$c,
                    ],
                    result: $crate::valu::kernel::Part::$r,
                    packed: false,
                }
            };
        }
        pub(crate) use $name;
    )*};
}

kinds! { $
    u1: Narrow narrow1<u32, u32> [Word Absent Absent] Word;
    u2: Narrow narrow2<u32, u32, u32> [Word Word Absent] Word;
    u3: Narrow narrow3<u32, u32, u32, u32> [Word Word Word] Word;
    f1: Narrow narrow1<f32, f32> [Single Absent Absent] Single;
    f2: Narrow narrow2<f32, f32, f32> [Single Single Absent] Single;
    f3: Narrow narrow3<f32, f32, f32, f32> [Single Single Single] Single;
    s1: Narrow narrow1<u16, u16> [Short Absent Absent] Short;
    s2: Narrow narrow2<u16, u16, u16> [Short Short Absent] Short;
    s3: Narrow narrow3<u16, u16, u16, u16> [Short Short Short] Short;
    h1: Narrow narrow1<f32, f32> [Half Absent Absent] Half;
    h2: Narrow narrow2<f32, f32, f32> [Half Half Absent] Half;
    h3: Narrow narrow3<f32, f32, f32, f32> [Half Half Half] Half;
    d1: Wide wide1<f64, f64> [HalfDouble Absent Absent] HalfDouble;
    d3: Wide wide3<f64, f64, f64, f64> [HalfDouble HalfDouble HalfDouble] HalfDouble;
    hs_to_h: Narrow narrow2<f32, u16, f32> [Half Short Absent] Half;
    b1: Narrow narrow1<f32, f32> [Bf16 Absent Absent] Bf16;
    b2: Narrow narrow2<f32, f32, f32> [Bf16 Bf16 Absent] Bf16;
    b3: Narrow narrow3<f32, f32, f32, f32> [Bf16 Bf16 Bf16] Bf16;
    g1: Wide wide1<f64, f64> [Double Absent Absent] Double;
    g2: Wide wide2<f64, f64, f64> [Double Double Absent] Double;
    g3: Wide wide3<f64, f64, f64, f64> [Double Double Double] Double;
    q1: Wide wide1<u64, u64> [Long Absent Absent] Long;
    q2: Wide wide2<u64, u64, u64> [Long Long Absent] Long;
    uq_to_q: Wide wide2<u32, u64, u64> [Word Long Absent] Long;
    quq_to_q: Wide wide3<u64, u32, u64, u64> [Long Word Long] Long;
    gu_to_g: Wide wide2<f64, u32, f64> [Double Word Absent] Double;
    fu_to_f: Narrow narrow2<f32, u32, f32> [Single Word Absent] Single;
    fuu_to_u: Narrow narrow3<f32, u32, u32, u32> [Single Word Word] Word;
    ssu_to_u: Narrow narrow3<u16, u16, u32, u32> [Short Short Word] Word;
    f1_to_u: Narrow narrow1<f32, u32> [Single Absent Absent] Word;
    f2_to_u: Narrow narrow2<f32, f32, u32> [Single Single Absent] Word;
    u1_to_f: Narrow narrow1<u32, f32> [Word Absent Absent] Single;
    h1_to_f: Narrow narrow1<f32, f32> [Half Absent Absent] Single;
    b1_to_f: Narrow narrow1<f32, f32> [Bf16 Absent Absent] Single;
    f1_to_h: Narrow narrow1<f32, f32> [Single Absent Absent] Half;
    s1_to_h: Narrow narrow1<u16, f32> [Short Absent Absent] Half;
    h1_to_s: Narrow narrow1<f32, u16> [Half Absent Absent] Short;
    u1_to_s: Narrow narrow1<u32, u16> [Word Absent Absent] Short;
    s1_to_u: Narrow narrow1<u16, u32> [Short Absent Absent] Word;
    s2_to_u: Narrow narrow2<u16, u16, u32> [Short Short Absent] Word;
    h2_to_u: Narrow narrow2<f32, f32, u32> [Half Half Absent] Word;
    g1_to_u: Wide wide1<f64, u32> [Double Absent Absent] Word;
    u1_to_g: Wide wide1<u32, f64> [Word Absent Absent] Double;
    g1_to_f: Wide wide1<f64, f32> [Double Absent Absent] Single;
    f1_to_g: Wide wide1<f32, f64> [Single Absent Absent] Double;
}

/// A table of lanewise operations: `name | name => kind(function);`.
macro_rules! lanewise {
    ($name:expr; $($($n:literal)|+ => $kind:ident($f:expr);)*) => {
        match $name {
            $($($n)|+ => Some($kind!($f)),)*
            _ => None,
        }
    };
}
pub(crate) use lanewise;

/// `a * b + c` rounded once, for all lanes. Most machines that this is compiled for have no such instruction: the product
/// is exact in doubles, and the sum's second rounding matters only where the double lies half way between two singles, or
/// where the single is subnormal. Where that may be so all lanes are done again.
pub(crate) fn fused(s: [&Row; 3], out: &mut Row) {
    // Exponents of doubles at which singles are normal, in the upper half of the bits.
    const LEAST: u32 = 897 << 20;
    const NORMAL: u32 = (0x7ff - 897) << 20;
    let mut doubtful = 0u32;
    for l in 0..32 {
        let [a, b, c] = s.map(|s| f64::from(f32::from_bits(s[l])));
        let sum = a * b + c;
        out[l] = (sum as f32).to_bits();
        let bits = sum.to_bits();
        let (low, high) = (bits as u32, (bits >> 32) as u32 & 0x7fff_ffff);
        let tie = u32::from(low & 0x1fff_ffff == 0x1000_0000);
        // NaNs and infinities too.
        let outside = u32::from(high.wrapping_sub(LEAST) >= NORMAL) & u32::from(high | low != 0);
        doubtful |= tie | outside;
    }
    if doubtful != 0 {
        for l in 0..32 {
            let [a, b, c] = s.map(|s| f32::from_bits(s[l]));
            out[l] = a.mul_add(b, c).to_bits();
        }
    }
}

/// The half nearest to a double: through a single that is rounded to odd, so that the second rounding is the only one.
pub(crate) fn half_of_double(x: f64) -> u16 {
    half::f16::from_f32(single_to_odd(x)).to_bits()
}

/// The single next to `x` whose last bit tells that something was cut off.
pub(crate) fn single_to_odd(x: f64) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    if back == x || near.to_bits() & 1 == 1 || !near.is_finite() {
        return near;
    }
    // The nearest single is even and not exact: the other neighbour of `x` is odd.
    let outward = (back < x) == (x > 0.0);
    let bits = near.to_bits();
    f32::from_bits(if outward { bits + 1 } else { bits.wrapping_sub(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fused_rows_round_once() {
        let values = [
            1.0f32,
            -1.0,
            1.000_000_1,
            3.4e38,
            -3.4e38,
            1e-38,
            1.5e-45,
            0.0,
            -0.0,
            f32::INFINITY,
            f32::NAN,
            16_777_217.0,
            0.333_333_34,
            5.960_464_5e-8,
            8_388_609.5,
            -2.000_000_2,
        ];
        for i in 0..values.len().pow(2) {
            let a: Row = std::array::from_fn(|l| values[(i + l) % values.len()].to_bits());
            let b: Row = std::array::from_fn(|l| values[(i / values.len() + 3 * l) % values.len()].to_bits());
            let c: Row = std::array::from_fn(|l| values[(i * 7 + 5 * l) % values.len()].to_bits());
            let mut out = [0; 32];
            fused([&a, &b, &c], &mut out);
            for l in 0..32 {
                let [x, y, z] = [a, b, c].map(|s| f32::from_bits(s[l]));
                let want = x.mul_add(y, z);
                assert_eq!(want.to_bits(), out[l], "{x} {y} {z}");
            }
        }
    }

    #[test]
    fn doubles_become_halves_in_one_rounding() {
        // Half way between two halves but for a bit that a single cannot hold.
        let tie = 1.0 + 2f64.powi(-11);
        assert_eq!(half_of_double(tie), 0x3c00);
        assert_eq!(half_of_double(tie + 2f64.powi(-40)), 0x3c01);
        assert_eq!(half_of_double(-(tie + 2f64.powi(-40))), 0xbc01);
        assert_eq!(half_of_double(tie - 2f64.powi(-40)), 0x3c00);
        assert_eq!(half_of_double(1e9), 0x7c00);
        assert_eq!(half_of_double(2f64.powi(-25) + 2f64.powi(-60)), 1);
    }
}
