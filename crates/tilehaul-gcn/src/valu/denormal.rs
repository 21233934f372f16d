//! Denormals that MODE tells the arithmetic to flush: bits 5:4 speak of singles, bits 7:6 of halves and doubles. Of each pair
//! the lower bit lets denormals in, the upper one lets them out; what is not let through becomes a zero of its sign.
//! manual: CDNA3 ISA 4.6, FP_DENORM; LLVM AMDGPUUsage, FLOAT_DENORM_MODE.
//!
//! Arithmetic, conversions and comparisons obey; moves, selects and tests of a class do not. Minimum, maximum and median do on
//! these chips (inferred: LLVM, supportsMinMaxDenormModes). Bfloats, matrix products, dot products and atomics do not look
//! at these bits (inferred: LLVM flushes nothing around them). `v_exp_f32`, `v_log_f32`, `v_rcp_f32`, `v_rsq_f32` and
//! `v_sqrt_f32` flush singles whatever MODE says (manual: CDNA3 ISA, "1ULP accuracy, denormals are flushed").

use super::kernel::{Lanewise, Part};
use crate::op::Op;
use crate::wave::Wave;

/// Single denormals may be read.
const SINGLE_IN: u8 = 0x10;
/// Single denormals may be written.
const SINGLE_OUT: u8 = 0x20;
/// The same for halves and doubles.
const OTHER_IN: u8 = 0x40;
const OTHER_OUT: u8 = 0x80;

/// The bits of MODE that an operation with these parts obeys.
pub(super) fn obeyed(lanewise: &Lanewise) -> u8 {
    let bit = |part: Part, single: u8, other: u8| match part {
        Part::Single => single,
        Part::Half | Part::HalfDouble | Part::Double => other,
        Part::Absent | Part::Word | Part::Short | Part::Bf16 | Part::Long => 0,
    };
    let sources = lanewise.sources.iter().fold(0, |all, &part| all | bit(part, SINGLE_IN, OTHER_IN));
    sources | bit(lanewise.result, SINGLE_OUT, OTHER_OUT)
}

/// What an operation other than a lanewise one obeys, by its name.
pub(super) fn obeyed_by_name(name: &str) -> u8 {
    match name {
        "v_div_fmas_f32" => SINGLE_IN | SINGLE_OUT,
        "v_div_fmas_f64" => OTHER_IN | OTHER_OUT,
        "v_fma_mix_f32" => SINGLE_IN | OTHER_IN | SINGLE_OUT,
        "v_fma_mixlo_f16" | "v_fma_mixhi_f16" => SINGLE_IN | OTHER_IN | OTHER_OUT,
        "v_fma_mix_f32_bf16" => SINGLE_IN | SINGLE_OUT,
        "v_fma_mixlo_bf16" | "v_fma_mixhi_bf16" => SINGLE_IN,
        _ if name.starts_with("v_cmp") && !name.contains("_class_") => match name.rsplit_once('_') {
            Some((_, "f32")) => SINGLE_IN,
            Some((_, "f16" | "f64")) => OTHER_IN,
            _ => 0,
        },
        _ => 0,
    }
}

/// What a scalar operation obeys, by its name (gfx1250).
pub(crate) fn obeyed_by_scalar(name: &str) -> u8 {
    match name {
        "s_cvt_f32_f16" | "s_cvt_hi_f32_f16" => OTHER_IN,
        "s_cvt_f16_f32" | "s_cvt_pk_rtz_f16_f32" => SINGLE_IN | OTHER_OUT,
        _ if name.starts_with("s_cvt") => 0,
        _ => match name.rsplit_once('_') {
            Some((_, "f32")) => SINGLE_IN | SINGLE_OUT,
            Some((_, "f16")) => OTHER_IN | OTHER_OUT,
            _ => 0,
        },
    }
}

/// What this operation has to flush now: bits as above, set where MODE does not let denormals through.
#[inline(always)]
pub(crate) fn flushes<const L: usize>(w: &Wave<L>, op: &Op<L>) -> u8 {
    op.denormals & !(w.mode as u8)
}

/// A single without denormals.
#[inline(always)]
pub(super) fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

fn flushed_double(x: f64) -> f64 {
    if x.is_subnormal() { 0f64.copysign(x) } else { x }
}

/// A half in a single, without a half's denormals.
fn flushed_half(x: f32) -> f32 {
    if x.abs() < half::f16::MIN_POSITIVE.to_f32() { 0f32.copysign(x) } else { x }
}

/// A source as a kernel wants it: singles, or halves widened to singles.
#[inline]
pub(super) fn source<const L: usize>(flush: u8, part: Part, bits: &mut [u32; L]) {
    let change: fn(f32) -> f32 = match part {
        Part::Single if flush & SINGLE_IN != 0 => flushed,
        Part::Half | Part::HalfDouble if flush & OTHER_IN != 0 => flushed_half,
        _ => return,
    };
    bits.iter_mut().for_each(|b| *b = change(f32::from_bits(*b)).to_bits());
}

/// A source that is a double.
pub(super) fn source_double(flush: u8, x: f64) -> f64 {
    if flush & OTHER_IN == 0 { x } else { flushed_double(x) }
}

/// A result: singles, or halves that are still singles and rounded.
#[inline]
pub(super) fn result<const L: usize>(flush: u8, part: Part, bits: &mut [u32; L]) {
    let change: fn(f32) -> f32 = match part {
        Part::Single if flush & SINGLE_OUT != 0 => flushed,
        Part::Half | Part::HalfDouble if flush & OTHER_OUT != 0 => flushed_half,
        _ => return,
    };
    bits.iter_mut().for_each(|b| *b = change(f32::from_bits(*b)).to_bits());
}

/// A result that is a double.
pub(super) fn result_double(flush: u8, x: f64) -> f64 {
    if flush & OTHER_OUT == 0 { x } else { flushed_double(x) }
}

/// A scalar source. Whatever stands in the upper half of one that is a half is not used.
pub(crate) fn scalar_source(flush: u8, value: u64) -> u64 {
    if flush & SINGLE_IN != 0 {
        return u64::from(flushed(f32::from_bits(value as u32)).to_bits());
    }
    if flush & OTHER_IN != 0 { u64::from(flushed_halves(value as u32)) } else { value }
}

/// A scalar result: a single, or one or two halves.
pub(crate) fn scalar_result(flush: u8, value: u64) -> u64 {
    if flush & SINGLE_OUT != 0 {
        return u64::from(flushed(f32::from_bits(value as u32)).to_bits());
    }
    if flush & OTHER_OUT != 0 { u64::from(flushed_halves(value as u32)) } else { value }
}

fn flushed_halves(bits: u32) -> u32 {
    let one = |half: u32| if half & 0x7c00 == 0 { half & 0x8000 } else { half };
    one(bits & 0xffff) | one(bits >> 16) << 16
}

#[cfg(test)]
mod tests {
    use tilehaul_isa::gcn::Target;

    use crate::testing::{run, wave};
    use crate::wave::Wave;

    const TINY: u32 = 0x0000_1234;
    const LEAST: u32 = 0x0080_0000;
    const HALF: u32 = 0x3f00_0000;

    /// `text` on v1 and v2 under MODE bits 7:4: what v0 holds.
    fn singles(text: &str, denormals: u32, a: u32, b: u32) -> u32 {
        let mut w = wave::<64>();
        w.mode = denormals << 4;
        (w.v[1], w.v[2]) = ([a; 64], [b; 64]);
        run(Target::Gfx942, text, &mut w);
        w.v[0][5]
    }

    #[test]
    fn singles_are_flushed_where_mode_says_so() {
        let add = "v_add_f32_e32 v0, v1, v2";
        assert_eq!(singles(add, 0xf, TINY, TINY), 2 * TINY);
        assert_eq!(singles(add, 0xe, TINY, TINY), 0);
        assert_eq!(singles(add, 0xd, TINY, TINY), 0);
        // Let in and not out: a normal sum shows that they counted.
        assert_eq!(singles(add, 0xd, TINY, LEAST), LEAST + TINY);
        assert_eq!(singles(add, 0xe, TINY, LEAST), LEAST);
        // Let out and not in.
        let product = "v_mul_f32_e32 v0, v1, v2";
        assert_eq!(singles(product, 0xe, LEAST, HALF), LEAST / 2);
        assert_eq!(singles(product, 0xc, LEAST, HALF | 1 << 31), 1 << 31);
        // Halves have bits of their own.
        assert_eq!(singles(add, 0x3, TINY, TINY), 2 * TINY);
        assert_eq!(singles("v_max_f32_e32 v0, v1, v2", 0xc, TINY, 1 << 31), 0);
        assert_eq!(singles("v_add_f32_e64 v0, -v1, -v2", 0xc, TINY, TINY), 1 << 31);
        assert_eq!(singles("v_pk_mul_f32 v[0:1], v[2:3], v[2:3] op_sel_hi:[0,0]", 0xc, 0, TINY), 0);
        assert_eq!(singles("v_mov_b32_e32 v0, v1", 0, TINY, 0), TINY);
    }

    #[test]
    fn some_functions_flush_always() {
        let infinite = 0x7f80_0000;
        assert_eq!(singles("v_rcp_f32_e32 v0, v1", 0xf, TINY, 0), infinite);
        assert_eq!(singles("v_rcp_f32_e32 v0, v1", 0xf, f32::MAX.to_bits(), 0), 0);
        assert_eq!(singles("v_log_f32_e32 v0, v1", 0xf, TINY, 0), infinite | 1 << 31);
        assert_eq!(singles("v_sqrt_f32_e32 v0, v1", 0xf, TINY, 0), 0);
        assert_eq!(singles("v_exp_f32_e32 v0, v1", 0xf, (-130f32).to_bits(), 0), 0);
    }

    #[test]
    fn halves_and_doubles_share_their_bits() {
        // 2^-15 is a half's denormal, and its double is a number of a half.
        let tiny = 0x0200;
        assert_eq!(singles("v_add_f16_e32 v0, v1, v2", 0xf, tiny, tiny), 0x0400);
        assert_eq!(singles("v_add_f16_e32 v0, v1, v2", 0x3, tiny, tiny), 0);
        assert_eq!(
            singles("v_pk_fma_f16 v0, v1, v2, v1", 0x3, tiny | 0x3c00 << 16, 0x3c00_3c00),
            0x4000 << 16
        );
        assert_eq!(singles("v_fma_f16 v0, v1, v2, v1", 0x3, tiny, 0x3c00), 0);
        assert_eq!(singles("v_cvt_f32_f16_e32 v0, v1", 0x3, tiny, 0), 0);
        assert_eq!(singles("v_cvt_f16_f32_e32 v0, v1", 0x3, 0x3800_0000, 0), 0);
        assert_eq!(singles("v_cvt_f16_f32_e32 v0, v1", 0xf, 0x3800_0000, 0), tiny);
        assert_eq!(singles("v_fma_mix_f32 v0, v1, v2, 0 op_sel_hi:[1,0,0]", 0x3, tiny, 0x3f80_0000), 0);
        let double = |mode: u32| {
            let mut w = wave::<64>();
            w.mode = mode << 4;
            (w.v[2], w.v[3]) = ([1; 64], [0; 64]);
            run(Target::Gfx942, "v_add_f64 v[0:1], v[2:3], v[2:3]", &mut w);
            w.v[0][0]
        };
        assert_eq!([double(0xf), double(0x3)], [2, 0]);
    }

    #[test]
    fn comparisons_and_scalars_obey_too() {
        let mut w = wave::<64>();
        w.v[1] = [TINY; 64];
        let equal = |w: &mut Wave<64>, mode: u32, text: &str| {
            w.mode = mode << 4;
            run(Target::Gfx942, text, w);
            w.vcc()
        };
        assert_eq!(equal(&mut w, 0xf, "v_cmp_eq_f32_e32 vcc, 0, v1"), 0);
        assert_eq!(equal(&mut w, 0xc, "v_cmp_eq_f32_e32 vcc, 0, v1"), u64::MAX);
        assert_eq!(equal(&mut w, 0xc, "v_cmp_class_f32_e64 vcc, v1, 64"), 0);
        let mut w = wave::<32>();
        let sum = |w: &mut Wave<32>, mode: u32, text: &str, a: u32| {
            w.mode = mode << 4;
            w.ws(1, a);
            run(Target::Gfx1250, text, w);
            w.rs(0)
        };
        assert_eq!(sum(&mut w, 0xf, "s_add_f32 s0, s1, s1", TINY), 2 * TINY);
        assert_eq!(sum(&mut w, 0xc, "s_add_f32 s0, s1, s1", TINY), 0);
        assert_eq!(sum(&mut w, 0x3, "s_add_f16 s0, s1, s1", 0x200), 0);
        assert_eq!(sum(&mut w, 0x3, "s_cvt_f32_f16 s0, s1", 0x200), 0);
    }
}
