//! Floating-point arithmetic. Singles are computed in singles, transcendentals in doubles and rounded once: the hardware
//! tables are not public, so those results may differ in the last bit. inferred: no AMD chip was measured.

use super::denormal::flushed;
use super::kernel::{
    Kernel, Lanewise, Part, b1, d1, d3, f1, f2, f3, fu_to_f, fused, g1, g2, g3, gu_to_g, h1, h1_to_s, h2, h3,
    half_of_double, hs_to_h, lanewise, single_to_odd,
};
use super::{double, put, put_double, put_single, single, specials};
use crate::op::{Action, Op};
use crate::wave::{VCC, Wave};

/// `a * b + c` in one rounding.
pub(super) const FUSED: Lanewise = Lanewise {
    kernel: Kernel::Narrow(fused),
    sources: [Part::Single; 3],
    result: Part::Single,
    packed: false,
};

pub(super) fn lanewise(name: &str) -> Option<Lanewise> {
    let fused = matches!(
        name,
        "v_fma_f32"
            | "v_fmac_f32"
            | "v_mac_f32"
            | "v_fmamk_f32"
            | "v_madmk_f32"
            | "v_fmaak_f32"
            | "v_madak_f32"
    );
    if fused {
        return Some(FUSED);
    }
    // The product of two halves is exact in doubles, and no sum with a half needs more bits where it could be a tie.
    lanewise! { name;
        "v_add_f32" => f2(|a, b| a + b);
        "v_sub_f32" => f2(|a, b| a - b);
        "v_subrev_f32" => f2(|a, b| b - a);
        "v_mul_f32" => f2(|a, b| a * b);
        "v_mul_legacy_f32" | "v_mul_dx9_zero_f32" => f2(|a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b });
        "v_max_f32" | "v_max_num_f32" => f2(max);
        "v_min_f32" | "v_min_num_f32" => f2(min);
        "v_maximum_f32" => f2(maximum);
        "v_minimum_f32" => f2(minimum);
        "v_max3_f32" | "v_max3_num_f32" => f3(|a, b, c| max(max(a, b), c));
        "v_min3_f32" | "v_min3_num_f32" => f3(|a, b, c| min(min(a, b), c));
        "v_maximum3_f32" => f3(|a, b, c| maximum(maximum(a, b), c));
        "v_minimum3_f32" => f3(|a, b, c| minimum(minimum(a, b), c));
        "v_med3_f32" | "v_med3_num_f32" => f3(median);
        "v_maxmin_num_f32" => f3(|a, b, c| min(max(a, b), c));
        "v_minmax_num_f32" => f3(|a, b, c| max(min(a, b), c));
        "v_maximumminimum_f32" => f3(|a, b, c| minimum(maximum(a, b), c));
        "v_minimummaximum_f32" => f3(|a, b, c| maximum(minimum(a, b), c));
        "v_fma_dx9_zero_f32" => f3(|a, b, c| if a == 0.0 || b == 0.0 { c } else { a.mul_add(b, c) });
        "v_mad_f32" | "v_mad_legacy_f32" => f3(|a, b, c| a * b + c);
        "v_fract_f32" => f1(|a| (a - a.floor()).min(f32::from_bits(0x3f7f_ffff)));
        "v_trunc_f32" => f1(f32::trunc);
        "v_ceil_f32" => f1(f32::ceil);
        "v_floor_f32" => f1(f32::floor);
        "v_rndne_f32" => f1(f32::round_ties_even);
        "v_exp_f32" | "v_exp_legacy_f32" => f1(|a| without_denormals(a, f64::exp2));
        "v_log_f32" | "v_log_legacy_f32" => f1(|a| without_denormals(a, f64::log2));
        "v_rcp_f32" | "v_rcp_iflag_f32" => f1(|a| without_denormals(a, |a| 1.0 / a));
        "v_rsq_f32" => f1(|a| without_denormals(a, |a| 1.0 / a.sqrt()));
        "v_sqrt_f32" => f1(|a| flushed(a).sqrt());
        "v_sin_f32" => f1(|a| (f64::from(a) * std::f64::consts::TAU).sin() as f32);
        "v_cos_f32" => f1(|a| (f64::from(a) * std::f64::consts::TAU).cos() as f32);
        "v_tanh_f32" => f1(|a| f64::from(a).tanh() as f32);
        "v_frexp_mant_f32" => f1(|a| frexp(f64::from(a)).0 as f32);
        "v_cubeid_f32" => f3(|x, y, z| cube(x, y, z).face);
        "v_cubesc_f32" => f3(|x, y, z| cube(x, y, z).s);
        "v_cubetc_f32" => f3(|x, y, z| cube(x, y, z).t);
        "v_cubema_f32" => f3(|x, y, z| cube(x, y, z).axis);
        "v_mullit_f32" => f3(mul_lit);
        "v_ldexp_f32" => fu_to_f(|a, b| ldexp(f64::from(a), b as i32) as f32);
        "v_div_fixup_f32" => f3(|a, b, c| div_fixup(f64::from(a), f64::from(b), f64::from(c)) as f32);
        "v_add_f16" => h2(|a, b| a + b);
        "v_sub_f16" => h2(|a, b| a - b);
        "v_subrev_f16" => h2(|a, b| b - a);
        "v_mul_f16" => h2(|a, b| a * b);
        "v_max_f16" | "v_max_num_f16" => h2(max);
        "v_min_f16" | "v_min_num_f16" => h2(min);
        "v_max3_f16" | "v_max3_num_f16" => h3(|a, b, c| max(max(a, b), c));
        "v_min3_f16" | "v_min3_num_f16" => h3(|a, b, c| min(min(a, b), c));
        "v_med3_f16" | "v_med3_num_f16" => h3(median);
        "v_maximum_f16" => h2(maximum);
        "v_minimum_f16" => h2(minimum);
        "v_maximum3_f16" => h3(|a, b, c| maximum(maximum(a, b), c));
        "v_minimum3_f16" => h3(|a, b, c| minimum(minimum(a, b), c));
        "v_maxmin_num_f16" => h3(|a, b, c| min(max(a, b), c));
        "v_minmax_num_f16" => h3(|a, b, c| max(min(a, b), c));
        "v_maximumminimum_f16" => h3(|a, b, c| minimum(maximum(a, b), c));
        "v_minimummaximum_f16" => h3(|a, b, c| maximum(minimum(a, b), c));
        "v_div_fixup_f16" | "v_div_fixup_legacy_f16" => h3(|a, b, c| div_fixup(f64::from(a), f64::from(b), f64::from(c)) as f32);
        "v_ldexp_f16" => hs_to_h(|a, b| ldexp(f64::from(a), i32::from(b as i16)) as f32);
        "v_frexp_mant_f16" => h1(|a| frexp(f64::from(a)).0 as f32);
        "v_frexp_exp_i16_f16" => h1_to_s(|a| frexp(f64::from(a)).1 as u16);
        "v_fma_f16" | "v_fma_legacy_f16" => d3(|a, b, c| a * b + c);
        "v_mad_f16" | "v_mad_legacy_f16" => d3(|a, b, c| a * b + c);
        "v_fmac_f16" | "v_mac_f16" => d3(|a, b, c| a * b + c);
        "v_fmamk_f16" | "v_madmk_f16" => d3(|a, b, c| a * b + c);
        "v_fmaak_f16" | "v_madak_f16" => d3(|a, b, c| a * b + c);
        "v_exp_f16" => d1(f64::exp2);
        "v_log_f16" => d1(f64::log2);
        "v_rcp_f16" => d1(|a| 1.0 / a);
        "v_rsq_f16" => d1(|a| 1.0 / a.sqrt());
        "v_sqrt_f16" => d1(f64::sqrt);
        "v_sin_f16" => d1(|a| (a * std::f64::consts::TAU).sin());
        "v_cos_f16" => d1(|a| (a * std::f64::consts::TAU).cos());
        "v_tanh_f16" => d1(f64::tanh);
        "v_floor_f16" => h1(f32::floor);
        "v_ceil_f16" => h1(f32::ceil);
        "v_trunc_f16" => h1(f32::trunc);
        "v_rndne_f16" => h1(f32::round_ties_even);
        "v_fract_f16" => h1(|a| a - a.floor());
        "v_add_f64" => g2(|a, b| a + b);
        "v_mul_f64" => g2(|a, b| a * b);
        "v_max_f64" | "v_max_num_f64" => g2(double_max);
        "v_min_f64" | "v_min_num_f64" => g2(double_min);
        "v_maximum_f64" => g2(|a, b| if a.is_nan() || b.is_nan() { f64::NAN } else if a == b { f64::from_bits(a.to_bits() & b.to_bits()) } else { a.max(b) });
        "v_minimum_f64" => g2(|a, b| if a.is_nan() || b.is_nan() { f64::NAN } else if a == b { f64::from_bits(a.to_bits() | b.to_bits()) } else { a.min(b) });
        "v_fma_f64" | "v_fmac_f64" | "v_fmamk_f64" | "v_fmaak_f64" => g3(f64::mul_add);
        "v_frexp_mant_f64" => g1(|a| frexp(a).0);
        "v_exp_bf16" => b1(|a| single_to_odd(f64::from(a).exp2()));
        "v_log_bf16" => b1(|a| single_to_odd(f64::from(a).log2()));
        "v_rcp_bf16" => b1(|a| single_to_odd(1.0 / f64::from(a)));
        "v_rsq_bf16" => b1(|a| single_to_odd(1.0 / f64::from(a).sqrt()));
        "v_sqrt_bf16" => b1(|a| single_to_odd(f64::from(a).sqrt()));
        "v_sin_bf16" => b1(|a| single_to_odd((f64::from(a) * std::f64::consts::TAU).sin()));
        "v_cos_bf16" => b1(|a| single_to_odd((f64::from(a) * std::f64::consts::TAU).cos()));
        "v_tanh_bf16" => b1(|a| single_to_odd(f64::from(a).tanh()));
        "v_rcp_f64" => g1(|a| 1.0 / a);
        "v_rsq_f64" => g1(|a| 1.0 / a.sqrt());
        "v_sqrt_f64" => g1(f64::sqrt);
        "v_floor_f64" => g1(f64::floor);
        "v_ceil_f64" => g1(f64::ceil);
        "v_trunc_f64" => g1(f64::trunc);
        "v_rndne_f64" => g1(f64::round_ties_even);
        "v_fract_f64" => g1(|a| a - a.floor());
        "v_trig_preop_f64" => gu_to_g(super::trig::piece);
        "v_ldexp_f64" => gu_to_g(|a, b| ldexp(a, b as i32));
        "v_div_fixup_f64" => g3(div_fixup);
    }
}

pub(super) fn special<const L: usize>(name: &str) -> Option<Action<L>> {
    specials! { name;
        "v_div_scale_f32" => div_scale_f32();
        "v_div_fmas_f32" => div_fmas_f32();
        "v_div_fmas_f64" => div_fmas_f64();
        "v_div_scale_f64" => div_scale_f64();
        "v_s_rcp_f32" => scalar_float(|a| 1.0 / a);
        "v_s_exp_f32" => scalar_float(f64::exp2);
        "v_s_log_f32" => scalar_float(f64::log2);
        "v_s_sqrt_f32" => scalar_float(f64::sqrt);
        "v_s_rsq_f32" => scalar_float(|a| 1.0 / a.sqrt());
        "v_s_rcp_f16" => scalar_half(|a| 1.0 / a);
        "v_s_exp_f16" => scalar_half(f64::exp2);
        "v_s_log_f16" => scalar_half(f64::log2);
        "v_s_sqrt_f16" => scalar_half(f64::sqrt);
        "v_s_rsq_f16" => scalar_half(|a| 1.0 / a.sqrt());
    }
}

/// A function that neither takes nor gives denormals, whatever MODE says: see `denormal.rs`.
#[inline(always)]
fn without_denormals(a: f32, f: impl Fn(f64) -> f64) -> f32 {
    flushed(f(f64::from(flushed(a))) as f32)
}

/// `maxNum` of IEEE 754-2008: a number beats a NaN.
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a > b || (a == b && b.is_sign_negative()) {
        a
    } else {
        b
    }
}

/// `minNum` of doubles: a number beats a NaN, and -0 is less than 0.
pub(crate) fn double_min(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

/// `maxNum` of doubles: a number beats a NaN, and 0 is more than -0.
pub(crate) fn double_max(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a > b || (a == b && b.is_sign_negative()) {
        a
    } else {
        b
    }
}

/// `minNum`: a number beats a NaN.
pub(crate) fn min(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

/// `maximum` of IEEE 754-2019: a NaN stays.
pub(crate) fn maximum(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() { f32::NAN } else { max(a, b) }
}

/// `minimum` of IEEE 754-2019: a NaN stays.
pub(crate) fn minimum(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() { f32::NAN } else { min(a, b) }
}

fn median(a: f32, b: f32, c: f32) -> f32 {
    if a.is_nan() || b.is_nan() || c.is_nan() {
        return min(min(a, b), c);
    }
    max(min(a, b), min(max(a, b), c))
}

/// Where a direction meets a cube around the origin.
struct Cube {
    face: f32,
    s: f32,
    t: f32,
    /// Twice the coordinate along the axis of the face.
    axis: f32,
}

/// manual: CDNA3 ISA, V_CUBEID_F32, V_CUBESC_F32, V_CUBETC_F32, V_CUBEMA_F32.
fn cube(x: f32, y: f32, z: f32) -> Cube {
    let of = |axis: f32, face: f32| (2.0 * axis, face + f32::from(u8::from(axis < 0.0)));
    if z.abs() >= x.abs() && z.abs() >= y.abs() {
        let (axis, face) = of(z, 4.0);
        Cube { face, s: if z < 0.0 { -x } else { x }, t: -y, axis }
    } else if y.abs() >= x.abs() {
        let (axis, face) = of(y, 2.0);
        Cube { face, s: x, t: if y < 0.0 { -z } else { z }, axis }
    } else {
        let (axis, face) = of(x, 0.0);
        Cube { face, s: if x < 0.0 { z } else { -z }, t: -y, axis }
    }
}

/// manual: RDNA3 ISA, V_MULLIT_F32.
fn mul_lit(a: f32, b: f32, c: f32) -> f32 {
    let low = b == f32::MIN || b == f32::NEG_INFINITY || b.is_nan() || c <= 0.0 || c.is_nan();
    match (low, a == 0.0 || b == 0.0) {
        (true, _) => f32::MIN,
        (false, true) => 0.0,
        (false, false) => a * b,
    }
}

/// Mantissa in [0.5, 1) and exponent.
pub(crate) fn frexp(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let bits = if x.is_subnormal() { (x * 2f64.powi(64)).to_bits() } else { x.to_bits() };
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022 - if x.is_subnormal() { 64 } else { 0 };
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent)
}

pub(crate) fn ldexp(x: f64, by: i32) -> f64 {
    let by = by.clamp(-2200, 2200);
    // In two steps, so that the scale itself stays finite; exact until the last.
    let first = by / 2;
    x * 2f64.powi(first) * 2f64.powi(by - first)
}

fn scalar_float<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: fn(f64) -> f64) {
    let src = &op.src[0];
    let mut a = f32::from_bits(w.s32(src));
    if src.abs {
        a = a.abs();
    }
    if src.neg {
        a = -a;
    }
    let value = without_denormals(a, f);
    w.ws(usize::from(op.sdst), value.to_bits());
}

fn scalar_half<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: fn(f64) -> f64) {
    let src = &op.src[0];
    let bits = w.s32(src) >> if src.high { 16 } else { 0 };
    let a = half::f16::from_bits(bits as u16).to_f64();
    let a = if src.abs { a.abs() } else { a };
    let value = half_of_double(f(if src.neg { -a } else { a }));
    w.ws(usize::from(op.sdst), u32::from(value));
}

/// manual: CDNA3 ISA, V_DIV_SCALE_F32: scales numerator or denominator by 2^64 where the division would lose bits.
///
/// inferred: where both reciprocal and quotient are subnormal the manual scales the denominator up, which makes it infinite;
/// the quotient comes out right, and V_DIV_FMAS takes the scale back, only when it is scaled down.
fn div_scale_f32<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let (s0, s1, s2) = (single(w, op, 0), single(w, op, 1), single(w, op, 2));
    let mut flags = 0u64;
    let exponent = |x: f32| (x.to_bits() >> 23 & 255) as i32;
    let value: [f32; L] = std::array::from_fn(|l| {
        let (a, den, num) = (s0[l], s1[l], s2[l]);
        let up = |x: f32| (f64::from(x) * 2f64.powi(64)) as f32;
        let down = |x: f32| (f64::from(x) * 2f64.powi(-64)) as f32;
        let same = |x: f32, y: f32| x.to_bits() == y.to_bits();
        if num == 0.0 || den == 0.0 {
            return f32::NAN;
        }
        if exponent(num) - exponent(den) >= 96 {
            flags |= 1 << l;
            return if same(a, den) { up(a) } else { a };
        }
        if den.is_subnormal() {
            return up(a);
        }
        let (inverse, quotient) = (1.0 / f64::from(den), f64::from(num) / f64::from(den));
        let tiny = |x: f64| x != 0.0 && x.abs() < f64::from(f32::MIN_POSITIVE);
        match (tiny(inverse), tiny(quotient)) {
            (true, true) => {
                flags |= 1 << l;
                if same(a, den) { down(a) } else { a }
            }
            (true, false) => down(a),
            (false, true) => {
                flags |= 1 << l;
                if same(a, num) { up(a) } else { a }
            }
            (false, false) if exponent(num) <= 23 => up(a),
            (false, false) => a,
        }
    });
    put(w, op, &std::array::from_fn(|l| value[l].to_bits()));
    let mask = flags & w.exec;
    w.write_mask(if op.sdst == 255 { VCC } else { usize::from(op.sdst) }, mask);
}

/// manual: CDNA3 ISA, V_DIV_FMAS_F32: takes the scale back where VCC says so.
fn div_fmas_f32<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let (a, b, c) = (single(w, op, 0), single(w, op, 1), single(w, op, 2));
    let vcc = w.vcc();
    put_single(
        w,
        op,
        &std::array::from_fn(|l| {
            if vcc >> l & 1 == 0 {
                return a[l].mul_add(b[l], c[l]);
            }
            let exact = f64::from(a[l]).mul_add(f64::from(b[l]), f64::from(c[l]));
            let by = if c[l].to_bits() >> 23 & 255 > 127 { 64 } else { -64 };
            (exact * 2f64.powi(by)) as f32
        }),
    );
}

fn div_fmas_f64<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let (a, b, c) = (double(w, op, 0), double(w, op, 1), double(w, op, 2));
    let vcc = w.vcc();
    put_double(
        w,
        op,
        &std::array::from_fn(|l| {
            let exact = a[l].mul_add(b[l], c[l]);
            let by = if c[l].to_bits() >> 52 & 0x7ff > 1023 { 128 } else { -128 };
            if vcc >> l & 1 == 0 { exact } else { ldexp(exact, by) }
        }),
    );
}

fn div_scale_f64<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let (s0, s1, s2) = (double(w, op, 0), double(w, op, 1), double(w, op, 2));
    let mut flags = 0u64;
    let exponent = |x: f64| (x.to_bits() >> 52 & 0x7ff) as i32;
    let value: [f64; L] = std::array::from_fn(|l| {
        let (a, den, num) = (s0[l], s1[l], s2[l]);
        let same = |x: f64, y: f64| x.to_bits() == y.to_bits();
        if num == 0.0 || den == 0.0 {
            return f64::NAN;
        }
        if exponent(num) - exponent(den) >= 768 {
            flags |= 1 << l;
            return if same(a, den) { ldexp(a, 128) } else { a };
        }
        if den.is_subnormal() {
            return ldexp(a, 128);
        }
        match ((1.0 / den).is_subnormal(), (num / den).is_subnormal()) {
            (true, true) => {
                flags |= 1 << l;
                if same(a, den) { ldexp(a, -128) } else { a }
            }
            (true, false) => ldexp(a, -128),
            (false, true) => {
                flags |= 1 << l;
                if same(a, num) { ldexp(a, 128) } else { a }
            }
            (false, false) if exponent(num) <= 53 => ldexp(a, 128),
            (false, false) => a,
        }
    });
    put_double(w, op, &value);
    let mask = flags & w.exec;
    w.write_mask(if op.sdst == 255 { VCC } else { usize::from(op.sdst) }, mask);
}

/// The special cases of a division: source 0 is the quotient so far, 1 the denominator, 2 the numerator.
///
/// manual: CDNA3 ISA, V_DIV_FIXUP_F32. inferred: its overflow rule asks for exponent 255 of source 1, whose infinities and
/// NaNs are gone by then; it is taken to be the quotient's, for a quotient that overflowed on the way is infinite or NaN.
fn div_fixup(q: f64, den: f64, num: f64) -> f64 {
    let negative = den.is_sign_negative() != num.is_sign_negative();
    let signed = |x: f64| if negative { -x } else { x };
    if num.is_nan() {
        num
    } else if den.is_nan() {
        den
    } else if (den == 0.0 && num == 0.0) || (den.is_infinite() && num.is_infinite()) {
        f64::NAN
    } else if den == 0.0 || num.is_infinite() {
        signed(f64::INFINITY)
    } else if den.is_infinite() || num == 0.0 {
        signed(0.0)
    } else if !q.is_finite() {
        signed(f64::INFINITY)
    } else {
        signed(q.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beat_nans_and_the_larger_zero_is_positive() {
        assert_eq!(max(f32::NAN, 1.0), 1.0);
        assert!(max(-0.0, 0.0).is_sign_positive() && min(0.0, -0.0).is_sign_negative());
        assert!(maximum(f32::NAN, 1.0).is_nan());
        assert_eq!(median(3.0, 1.0, 2.0), 2.0);
    }

    #[test]
    fn exponents_come_apart_and_back() {
        for x in [1.0, -3.5, 1e-310, 4e300] {
            let (m, e) = frexp(x);
            assert_eq!(ldexp(m, e), x);
            assert!((0.5..1.0).contains(&m.abs()));
        }
    }

    #[test]
    fn a_division_ends_in_its_special_cases() {
        assert!(div_fixup(1.0, 0.0, 0.0).is_nan());
        assert_eq!(div_fixup(1.0, 0.0, -2.0), f64::NEG_INFINITY);
        assert_eq!(div_fixup(-0.5, 4.0, 2.0), 0.5);
        // A quotient that overflowed on the way.
        assert_eq!(div_fixup(f64::NAN, -1e-45, 1e30), f64::NEG_INFINITY);
    }
}
