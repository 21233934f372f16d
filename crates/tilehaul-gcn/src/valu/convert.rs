//! Conversions between number formats.

use half::{bf16, f16};
use tilehaul_mma::{Format, to_f32};

use super::kernel::{
    Lanewise, Part, b1_to_f, f1_to_g, f1_to_h, f1_to_u, f2_to_u, fuu_to_u, g1_to_f, g1_to_u, h1_to_f,
    h1_to_s, h2_to_u, lanewise, s1_to_h, s1_to_u, u1_to_f, u1_to_g, u2,
};
use super::{merge_half, operand, put, put_short, put_single, raw, short, single, specials};
use crate::op::{Action, Op};
use crate::wave::Wave;

pub(super) fn lanewise(name: &str) -> Option<Lanewise> {
    lanewise! { name;
        "v_cvt_f32_i32" => u1_to_f(|a| a as i32 as f32);
        "v_cvt_f32_u32" => u1_to_f(|a| a as f32);
        "v_cvt_i32_f32" => f1_to_u(|a| a as i32 as u32);
        "v_cvt_u32_f32" => f1_to_u(|a| a as u32);
        "v_cvt_rpi_i32_f32" | "v_cvt_nearest_i32_f32" => f1_to_u(|a| (a + 0.5).floor() as i32 as u32);
        "v_cvt_flr_i32_f32" | "v_cvt_floor_i32_f32" => f1_to_u(|a| a.floor() as i32 as u32);
        "v_cvt_f32_ubyte0" => u1_to_f(|a| (a & 255) as f32);
        "v_cvt_f32_ubyte1" => u1_to_f(|a| (a >> 8 & 255) as f32);
        "v_cvt_f32_ubyte2" => u1_to_f(|a| (a >> 16 & 255) as f32);
        "v_cvt_f32_ubyte3" => u1_to_f(|a| (a >> 24) as f32);
        "v_cvt_off_f32_i4" => u1_to_f(|a| ((a << 28) as i32 >> 28) as f32 / 16.0);
        "v_cvt_f16_f32" => f1_to_h(|a| a);
        "v_cvt_f32_f16" => h1_to_f(|a| a);
        "v_cvt_f16_u16" => s1_to_h(f32::from);
        "v_cvt_f16_i16" => s1_to_h(|a| f32::from(a as i16));
        "v_cvt_u32_u16" => s1_to_u(u32::from);
        "v_cvt_i32_i16" => s1_to_u(|a| i32::from(a as i16) as u32);
        "v_cvt_u16_f16" => h1_to_s(|a| a as u16);
        "v_cvt_i16_f16" => h1_to_s(|a| a as i16 as u16);
        "v_cvt_f64_f32" => f1_to_g(f64::from);
        "v_cvt_f32_f64" => g1_to_f(|a| a as f32);
        "v_cvt_f64_i32" => u1_to_g(|a| f64::from(a as i32));
        "v_cvt_f64_u32" => u1_to_g(f64::from);
        "v_cvt_i32_f64" => g1_to_u(|a| a as i32 as u32);
        "v_cvt_u32_f64" => g1_to_u(|a| a as u32);
        "v_frexp_exp_i32_f32" => f1_to_u(|a| super::float::frexp(f64::from(a)).1 as u32);
        "v_frexp_exp_i32_f64" => g1_to_u(|a| super::float::frexp(a).1 as u32);
        "v_cvt_pkrtz_f16_f32" | "v_cvt_pk_rtz_f16_f32" => f2_to_u(|a, b| pack(toward_zero(a), toward_zero(b)));
        "v_cvt_pk_f16_f32" => f2_to_u(|a, b| pack(f16::from_f32(a).to_bits(), f16::from_f32(b).to_bits()));
        "v_cvt_pk_bf16_f32" => f2_to_u(|a, b| pack(bf16::from_f32(a).to_bits(), bf16::from_f32(b).to_bits()));
        "v_cvt_pk_u16_u32" => u2(|a, b| pack(a.min(0xffff) as u16, b.min(0xffff) as u16));
        "v_cvt_pk_i16_i32" => u2(|a, b| pack((a as i32).clamp(-0x8000, 0x7fff) as u16, (b as i32).clamp(-0x8000, 0x7fff) as u16));
        "v_cvt_pknorm_i16_f32" | "v_cvt_pk_norm_i16_f32" => f2_to_u(|a, b| pack(norm_i16(a), norm_i16(b)));
        "v_cvt_pknorm_u16_f32" | "v_cvt_pk_norm_u16_f32" => f2_to_u(|a, b| pack(norm_u16(a), norm_u16(b)));
        "v_cvt_pknorm_i16_f16" | "v_cvt_pk_norm_i16_f16" => h2_to_u(|a, b| pack(norm_i16(a), norm_i16(b)));
        "v_cvt_pknorm_u16_f16" | "v_cvt_pk_norm_u16_f16" => h2_to_u(|a, b| pack(norm_u16(a), norm_u16(b)));
        "v_cvt_norm_i16_f16" => h1_to_s(norm_i16);
        "v_cvt_norm_u16_f16" => h1_to_s(norm_u16);
        "v_cvt_pk_i16_f32" => f2_to_u(|a, b| pack(a as i16 as u16, b as i16 as u16));
        "v_cvt_pk_u16_f32" => f2_to_u(|a, b| pack(a as u16, b as u16));
        "v_cvt_pk_u8_f32" => fuu_to_u(pack_byte);
        "v_cvt_f32_bf16" => b1_to_f(|a| a);
    }
}

pub(super) fn special<const L: usize>(name: &str) -> Option<Action<L>> {
    specials! { name;
        "v_cvt_pkaccum_u8_f32" => accumulate_byte();
        "v_cvt_pk_fp8_f32" => pack_fp8(Fp8::E4m3);
        "v_cvt_pk_bf8_f32" => pack_fp8(Fp8::E5m2);
        "v_cvt_f32_fp8" => from_fp8(Fp8::E4m3);
        "v_cvt_f32_bf8" => from_fp8(Fp8::E5m2);
        "v_cvt_pk_f32_fp8" => pair_from_fp8(Fp8::E4m3);
        "v_cvt_pk_f32_bf8" => pair_from_fp8(Fp8::E5m2);
        "v_cvt_pk_f16_fp8" => halves_from_fp8(Fp8::E4m3);
        "v_cvt_pk_f16_bf8" => halves_from_fp8(Fp8::E5m2);
        "v_cvt_f16_fp8" => half_from_fp8(Fp8::E4m3);
        "v_cvt_f16_bf8" => half_from_fp8(Fp8::E5m2);
        "v_cvt_pk_fp8_f16" => fp8_from_halves(Fp8::E4m3);
        "v_cvt_pk_bf8_f16" => fp8_from_halves(Fp8::E5m2);
        "v_cvt_sr_fp8_f32" => stochastic_fp8((Fp8::E4m3, Part::Single));
        "v_cvt_sr_bf8_f32" => stochastic_fp8((Fp8::E5m2, Part::Single));
        "v_cvt_sr_fp8_f16" => stochastic_fp8((Fp8::E4m3, Part::Half));
        "v_cvt_sr_bf8_f16" => stochastic_fp8((Fp8::E5m2, Part::Half));
        "v_cvt_sr_pk_bf16_f32" => stochastic_pair(Format::Bf16);
        "v_cvt_sr_pk_f16_f32" => stochastic_pair(Format::F16);
        "v_cvt_sr_bf16_f32" => stochastic_short(Format::Bf16);
        "v_cvt_sr_f16_f32" => stochastic_short(Format::F16);
    }
}

/// A single rounded toward zero to a half.
pub(crate) fn toward_zero(x: f32) -> u16 {
    let near = f16::from_f32(x);
    if near.to_f32().abs() > x.abs() && !near.is_nan() {
        f16::from_bits(near.to_bits() - 1).to_bits()
    } else {
        near.to_bits()
    }
}

fn pack(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

/// Like `v_cvt_pk_u8_f32` into the destination's own bytes. manual: CDNA3 ISA, V_CVT_PKACCUM_U8_F32.
fn accumulate_byte<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let (value, at) = (single(w, op, 0), raw(w, op, 1));
    let old = w.v[w.reg(op.vdst)];
    put(w, op, &std::array::from_fn(|l| pack_byte(value[l], at[l], old[l])));
}

fn pack_byte(value: f32, at: u32, old: u32) -> u32 {
    let shift = 8 * (at & 3);
    old & !(255 << shift) | u32::from(value.round_ties_even() as u8) << shift
}

fn norm_i16(x: f32) -> u16 {
    (x.clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i16 as u16
}

fn norm_u16(x: f32) -> u16 {
    (x.clamp(0.0, 1.0) * 65535.0).round_ties_even() as u16
}

/// The 8-bit floats. gfx942 has the FNUZ kinds, gfx950 and gfx1250 the OCP kinds. manual: CDNA3 and CDNA4 ISA.
#[derive(Clone, Copy)]
pub(crate) enum Fp8 {
    E4m3,
    E5m2,
}

impl Fp8 {
    pub(crate) fn format(self, fnuz: bool) -> Format {
        match (self, fnuz) {
            (Fp8::E4m3, true) => Format::E4m3Fnuz,
            (Fp8::E4m3, false) => Format::E4m3,
            (Fp8::E5m2, true) => Format::E5m2Fnuz,
            (Fp8::E5m2, false) => Format::E5m2,
        }
    }
}

fn is_fnuz<const L: usize>(op: &Op<L>) -> bool {
    op.rest.inst.is_some_and(|i| i.target == tilehaul_isa::gcn::Target::Gfx942)
}

/// How a number between two codes is rounded.
#[derive(Clone, Copy)]
pub(crate) enum Rounding {
    /// To the nearest, ties to even.
    Nearest,
    /// Up when this number, as a fraction of 2^32, reaches what is left to the next code. inferred: the hardware adds the
    /// upper bits of a random number to the bits that are cut off.
    Stochastic(u32),
}

/// The code of a number in a format of at most 8 bits with a sign, saturating to the largest finite value.
pub(crate) fn encode(x: f32, format: Format, rounding: Rounding) -> u8 {
    let sign_bit = 1u8 << (format.bits() - 1);
    let fnuz = matches!(format, Format::E4m3Fnuz | Format::E5m2Fnuz);
    if x.is_nan() {
        return if fnuz { sign_bit } else { sign_bit - 1 };
    }
    let sign = if x.is_sign_negative() { sign_bit } else { 0 };
    // Finite codes grow with their value: find the last not above |x|, then round.
    let value = |code: u8| to_f32(format, u64::from(code));
    let mut top = sign_bit - 1;
    while top > 0 && !value(top).is_finite() {
        top -= 1;
    }
    let magnitude = x.abs();
    let (mut low, mut high) = (0u8, top);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if value(middle) <= magnitude { low = middle } else { high = middle - 1 }
    }
    let code = if low == top {
        low
    } else {
        let (below, above) = (f64::from(value(low)), f64::from(value(low + 1)));
        let place = (f64::from(magnitude) - below) / (above - below);
        let up = match rounding {
            Rounding::Nearest => place > 0.5 || (place == 0.5 && low & 1 == 1),
            Rounding::Stochastic(random) => place + f64::from(random) / 4_294_967_296.0 >= 1.0,
        };
        low + u8::from(up)
    };
    if code == 0 && fnuz { 0 } else { sign | code }
}

/// The nearest 8-bit float.
fn to_fp8(x: f32, format: Format) -> u8 {
    encode(x, format, Rounding::Nearest)
}

/// Two bytes into one half of the destination; the other half stays.
fn pack_fp8<const L: usize>(w: &mut Wave<L>, op: &Op<L>, kind: Fp8) {
    let format = kind.format(is_fnuz(op));
    let (a, b) = (single(w, op, 0), single(w, op, 1));
    let old = w.v[w.reg(op.vdst)];
    let high = op.vdst.high;
    put(
        w,
        op,
        &std::array::from_fn(|l| {
            let pair = u16::from(to_fp8(a[l], format)) | u16::from(to_fp8(b[l], format)) << 8;
            merge_half(old[l], pair, high)
        }),
    );
}

fn from_fp8<const L: usize>(w: &mut Wave<L>, op: &Op<L>, kind: Fp8) {
    let format = kind.format(is_fnuz(op));
    let byte = op.imm2 & 3;
    let a = raw(w, op, 0);
    put_single(w, op, &std::array::from_fn(|l| to_f32(format, u64::from(a[l] >> (8 * byte) & 255))));
}

fn pair_from_fp8<const L: usize>(w: &mut Wave<L>, op: &Op<L>, kind: Fp8) {
    let format = kind.format(is_fnuz(op));
    let a = short(w, op, 0);
    let one = |l: usize, shift: u32| to_f32(format, u64::from(a[l] >> shift & 255)).to_bits();
    let (low, high): ([u32; L], [u32; L]) =
        (std::array::from_fn(|l| one(l, 0)), std::array::from_fn(|l| one(l, 8)));
    w.write(op.vdst, 0, &low);
    w.write(op.vdst, 1, &high);
}

/// Two bytes of a half to two halves.
fn halves_from_fp8<const L: usize>(w: &mut Wave<L>, op: &Op<L>, kind: Fp8) {
    let format = kind.format(is_fnuz(op));
    let a = short(w, op, 0);
    let one = |l: usize, shift: u32| f16::from_f32(to_f32(format, u64::from(a[l] >> shift & 255))).to_bits();
    put(w, op, &std::array::from_fn(|l| pack(one(l, 0), one(l, 8))));
}

fn half_from_fp8<const L: usize>(w: &mut Wave<L>, op: &Op<L>, kind: Fp8) {
    let format = kind.format(is_fnuz(op));
    let byte = op.imm2 & 3;
    let a = raw(w, op, 0);
    let one = |l: usize| f16::from_f32(to_f32(format, u64::from(a[l] >> (8 * byte) & 255))).to_bits();
    put_short(w, op, &std::array::from_fn(one));
}

fn fp8_from_halves<const L: usize>(w: &mut Wave<L>, op: &Op<L>, kind: Fp8) {
    let format = kind.format(is_fnuz(op));
    let src = &op.src[0];
    let a = raw(w, op, 0);
    let one = |bits: u32| {
        let x = f16::from_bits(bits as u16).to_f32();
        let x = if src.abs { x.abs() } else { x };
        u16::from(to_fp8(if src.neg { -x } else { x }, format))
    };
    put_short(w, op, &std::array::from_fn(|l| one(a[l]) | one(a[l] >> 16) << 8));
}

/// One byte of the destination; the others stay.
fn stochastic_fp8<const L: usize>(w: &mut Wave<L>, op: &Op<L>, (kind, part): (Fp8, Part)) {
    let format = kind.format(is_fnuz(op));
    let (a, random) = (operand(w, op, 0, part).map(f32::from_bits), raw(w, op, 1));
    let old = w.v[w.reg(op.vdst)];
    // On gfx9 the two upper bits of op_sel name the byte.
    let byte = if w.gfx12 { op.imm2 & 3 } else { u32::from(op.opsel >> 2 & 3) };
    put(
        w,
        op,
        &std::array::from_fn(|l| {
            let code = u32::from(encode(a[l], format, Rounding::Stochastic(random[l])));
            old[l] & !(255 << (8 * byte)) | code << (8 * byte)
        }),
    );
}

/// A single with some of a random number added to the bits that a 16-bit float cuts off.
fn stochastic_16(x: f32, random: u32, format: Format) -> u16 {
    let cut = if format == Format::Bf16 { 16 } else { 13 };
    let moved = if x.is_finite() { x.to_bits().wrapping_add(random >> (32 - cut)) } else { x.to_bits() };
    let x = f32::from_bits(moved);
    if format == Format::Bf16 { (x.to_bits() >> 16) as u16 } else { toward_zero(x) }
}

fn stochastic_pair<const L: usize>(w: &mut Wave<L>, op: &Op<L>, format: Format) {
    let (a, b, random) = (single(w, op, 0), single(w, op, 1), raw(w, op, 2));
    let one = |x: f32, random: u32| stochastic_16(x, random, format);
    put(w, op, &std::array::from_fn(|l| pack(one(a[l], random[l]), one(b[l], random[l]))));
}

fn stochastic_short<const L: usize>(w: &mut Wave<L>, op: &Op<L>, format: Format) {
    let (a, random) = (single(w, op, 0), raw(w, op, 1));
    let old = w.v[w.reg(op.vdst)];
    let half = |l: usize| stochastic_16(a[l], random[l], format);
    put(w, op, &std::array::from_fn(|l| merge_half(old[l], half(l), op.vdst.high)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_8_bit_float_comes_back() {
        for format in [Format::E4m3, Format::E5m2, Format::E4m3Fnuz, Format::E5m2Fnuz] {
            for code in 0..=255u8 {
                let x = to_f32(format, u64::from(code));
                if x.is_finite() && !(x == 0.0 && code != 0) {
                    assert_eq!(to_fp8(x, format), code, "{format:?} {x}");
                }
            }
        }
        assert_eq!(to_fp8(1e9, Format::E4m3), 0x7e);
    }

    #[test]
    fn toward_zero_never_grows() {
        for x in [1.0005f32, -1.0005, 65519.0, 1e-8, 0.1] {
            assert!(f16::from_bits(toward_zero(x)).to_f32().abs() <= x.abs());
        }
    }
}
