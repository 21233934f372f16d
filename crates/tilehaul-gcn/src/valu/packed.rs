//! Packed operations: two halves, or two singles, of each lane; and the mixed-precision `fma_mix`.

use half::f16;

use super::float::{FUSED, max, maximum, min, minimum};
use super::int::{mad_i16, mad_u16};
use super::kernel::{Kernel, Lanewise, Part, b2, b3, d3, f2, h2, h3, lanewise, s2, s3, single_to_odd};
use super::{denormal, each_row, merge_half, put, put_single, round, specials, widen};
use crate::op::{Action, Op, SrcKind, Work};
use crate::wave::Wave;

/// The arithmetic of one half; [`run`] does both.
pub(super) fn lanewise(name: &str) -> Option<Lanewise> {
    if name == "v_pk_fma_f32" {
        return Some(FUSED.packed());
    }
    let one = lanewise! { name;
        "v_pk_add_f16" => h2(|a, b| a + b);
        "v_pk_mul_f16" => h2(|a, b| a * b);
        "v_pk_max_f16" | "v_pk_max_num_f16" => h2(max);
        "v_pk_min_f16" | "v_pk_min_num_f16" => h2(min);
        "v_pk_maximum_f16" => h2(maximum);
        "v_pk_minimum_f16" => h2(minimum);
        "v_pk_fma_f16" | "v_pk_fmac_f16" => d3(|a, b, c| a * b + c);
        "v_pk_add_bf16" => b2(|a, b| a + b);
        "v_pk_mul_bf16" => b2(|a, b| a * b);
        "v_pk_fma_bf16" => b3(|a, b, c| single_to_odd(f64::from(a) * f64::from(b) + f64::from(c)));
        "v_pk_max_num_bf16" => b2(max);
        "v_pk_min_num_bf16" => b2(min);
        "v_pk_add_u16" | "v_pk_add_i16" => s2(u16::wrapping_add);
        "v_pk_sub_u16" | "v_pk_sub_i16" => s2(u16::wrapping_sub);
        "v_pk_mul_lo_u16" => s2(u16::wrapping_mul);
        "v_pk_mad_u16" | "v_pk_mad_i16" => s3(|a, b, c| a.wrapping_mul(b).wrapping_add(c));
        "v_pk_lshlrev_b16" => s2(|a, b| b << (a & 15));
        "v_pk_lshrrev_b16" => s2(|a, b| b >> (a & 15));
        "v_pk_ashrrev_i16" => s2(|a, b| (b as i16 >> (a & 15)) as u16);
        "v_pk_max_u16" => s2(u16::max);
        "v_pk_min_u16" => s2(u16::min);
        "v_pk_max_i16" => s2(|a, b| (a as i16).max(b as i16) as u16);
        "v_pk_min_i16" => s2(|a, b| (a as i16).min(b as i16) as u16);
        "v_pk_max3_u16" => s3(|a, b, c| a.max(b).max(c));
        "v_pk_min3_u16" => s3(|a, b, c| a.min(b).min(c));
        "v_pk_max3_i16" => s3(|a, b, c| (a as i16).max(b as i16).max(c as i16) as u16);
        "v_pk_min3_i16" => s3(|a, b, c| (a as i16).min(b as i16).min(c as i16) as u16);
        "v_pk_add_max_u16" => s3(|a, b, c| a.wrapping_add(b).max(c));
        "v_pk_add_min_u16" => s3(|a, b, c| a.wrapping_add(b).min(c));
        "v_pk_add_max_i16" => s3(|a, b, c| (a.wrapping_add(b) as i16).max(c as i16) as u16);
        "v_pk_add_min_i16" => s3(|a, b, c| (a.wrapping_add(b) as i16).min(c as i16) as u16);
        "v_pk_max3_num_f16" => h3(|a, b, c| max(max(a, b), c));
        "v_pk_min3_num_f16" => h3(|a, b, c| min(min(a, b), c));
        "v_pk_maximum3_f16" => h3(|a, b, c| maximum(maximum(a, b), c));
        "v_pk_minimum3_f16" => h3(|a, b, c| minimum(minimum(a, b), c));
        "v_pk_add_f32" => f2(|a, b| a + b);
        "v_pk_mul_f32" => f2(|a, b| a * b);
    };
    one.map(Lanewise::packed)
}

/// The forms that `clamp` makes of operations that would wrap.
pub(super) fn saturating(name: &str) -> Option<Lanewise> {
    let one = lanewise! { name;
        "v_pk_add_u16" => s2(u16::saturating_add);
        "v_pk_sub_u16" => s2(u16::saturating_sub);
        "v_pk_add_i16" => s2(|a, b| (a as i16).saturating_add(b as i16) as u16);
        "v_pk_sub_i16" => s2(|a, b| (a as i16).saturating_sub(b as i16) as u16);
        "v_pk_mul_lo_u16" => s2(u16::saturating_mul);
        "v_pk_mad_u16" => s3(mad_u16);
        "v_pk_mad_i16" => s3(mad_i16);
        "v_pk_add_max_u16" => s3(|a, b, c| a.saturating_add(b).max(c));
        "v_pk_add_min_u16" => s3(|a, b, c| a.saturating_add(b).min(c));
        "v_pk_add_max_i16" => s3(|a, b, c| (a as i16).saturating_add(b as i16).max(c as i16) as u16);
        "v_pk_add_min_i16" => s3(|a, b, c| (a as i16).saturating_add(b as i16).min(c as i16) as u16);
    };
    one.map(Lanewise::packed)
}

pub(super) fn special<const L: usize>(name: &str) -> Option<Action<L>> {
    specials! { name;
        "v_pk_mov_b32" => mov();
        "v_fma_mix_f32" => mix((Mixed::Single, Part::Half));
        "v_fma_mixlo_f16" => mix((Mixed::Low, Part::Half));
        "v_fma_mixhi_f16" => mix((Mixed::High, Part::Half));
        "v_fma_mix_f32_bf16" => mix((Mixed::Single, Part::Bf16));
        "v_fma_mixlo_bf16" => mix((Mixed::Low, Part::Bf16));
        "v_fma_mixhi_bf16" => mix((Mixed::High, Part::Bf16));
        "v_dot2_f32_f16" => dot2(Part::Half);
        "v_dot2_f32_bf16" => dot2(Part::Bf16);
        "v_dot2c_f32_bf16" | "v_dot2acc_f32_bf16" => dot2(Part::Bf16);
        "v_dot2c_f32_f16" | "v_dot2acc_f32_f16" => dot2(Part::Half);
    }
}

/// Both halves of a packed operation.
pub(super) fn run<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let flush = denormal::flushes(w, op);
    let results = [0, 1].map(|half| {
        let mut out = [0u32; L];
        match op.work {
            Work::Lanes(Kernel::Narrow(f)) => {
                let sources = [0, 1, 2].map(|i| operand(w, op, i, half, op.parts[i]));
                each_row(f, sources.each_ref().map(|s| s.as_chunks::<32>().0), &mut out);
                if matches!(op.result, Part::Half | Part::Bf16) {
                    round(&mut out, op.result);
                }
            }
            Work::Lanes(Kernel::Wide(f)) => {
                let sources = [0, 1, 2].map(|i| {
                    operand(w, op, i, half, op.parts[i]).map(|bits| f64::from(f32::from_bits(bits)).to_bits())
                });
                let mut long = [0u64; L];
                super::each_long_row(f, &sources, &mut long);
                out = long.map(|bits| u32::from(super::kernel::half_of_double(f64::from_bits(bits))));
            }
            _ => {}
        }
        match op.result {
            Part::Half | Part::HalfDouble if flush != 0 => {
                widen(&mut out, Part::Half);
                denormal::result(flush, Part::Half, &mut out);
                round(&mut out, Part::Half);
            }
            part => denormal::result(flush, part, &mut out),
        }
        clamp(op, &mut out);
        out
    });
    let [low, high] = results;
    if op.result == Part::Single {
        w.write(op.vdst, 0, &low);
        w.write(op.vdst, 1, &high);
    } else {
        put(w, op, &std::array::from_fn(|l| low[l] & 0xffff | high[l] << 16));
    }
}

/// What half `half` of the result takes from source `i`, with its sign, as a kernel wants it.
fn operand<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize, half: u8, part: Part) -> [u32; L] {
    let (select, negate) = if half == 0 { (op.opsel, op.neg_lo) } else { (op.opsel_hi, op.neg_hi) };
    let (high, negative) = (select >> i & 1 == 1, negate >> i & 1 == 1);
    if part == Part::Absent {
        return [0; L];
    }
    if part == Part::Single {
        // A register pair; a constant stands for both.
        let second = high && !matches!(op.src[i].kind, SrcKind::Const(_));
        let mut bits = w.lanes(&op.src[i], u16::from(second));
        if negative {
            bits = bits.map(|b| b ^ 0x8000_0000);
        }
        denormal::source(denormal::flushes(w, op), part, &mut bits);
        return bits;
    }
    // A 16-bit constant stands in the low half; the high half of it is zero.
    let mut bits = super::raw(w, op, i);
    let shift = if high { 16 } else { 0 };
    let sign = if negative && part != Part::Short { 0x8000 } else { 0 };
    bits.iter_mut().for_each(|b| *b = (*b >> shift & 0xffff) ^ sign);
    if part != Part::Short {
        widen(&mut bits, part);
        denormal::source(denormal::flushes(w, op), part, &mut bits);
    }
    bits
}

fn clamp<const L: usize>(op: &Op<L>, bits: &mut [u32; L]) {
    if !op.clamp {
        return;
    }
    match op.result {
        Part::Single => bits.iter_mut().for_each(|b| *b = finish(true, f32::from_bits(*b))),
        Part::Half | Part::HalfDouble | Part::Bf16 => {
            let part = if op.result == Part::Bf16 { Part::Bf16 } else { Part::Half };
            widen(bits, part);
            bits.iter_mut().for_each(|b| *b = finish(true, f32::from_bits(*b)));
            round(bits, part);
        }
        _ => {}
    }
}

fn finish(clamp: bool, x: f32) -> u32 {
    if clamp { if x.is_nan() { 0 } else { x.clamp(0.0, 1.0).to_bits() } } else { x.to_bits() }
}

/// `op_sel` picks the dword of source 0 for the low result and of source 1 for the high one. manual: CDNA3 ISA.
fn mov<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let low = w.lanes(&op.src[0], u16::from(op.opsel & 1));
    let high = w.lanes(&op.src[1], u16::from(op.opsel >> 1 & 1));
    w.write(op.vdst, 0, &low);
    w.write(op.vdst, 1, &high);
}

#[derive(Clone, Copy)]
enum Mixed {
    Single,
    Low,
    High,
}

/// `op_sel_hi` makes a source a half, `op_sel` picks which one; else it is a single. manual: CDNA3 ISA, V_FMA_MIX.
fn mix<const L: usize>(w: &mut Wave<L>, op: &Op<L>, (result, part): (Mixed, Part)) {
    let single = |half: u32| match part {
        Part::Bf16 => f32::from_bits(half << 16),
        _ => f16::from_bits(half as u16).to_f32(),
    };
    let short = |x: f32| match part {
        Part::Bf16 => half::bf16::from_f32(x).to_bits(),
        _ => f16::from_f32(x).to_bits(),
    };
    let flush = denormal::flushes(w, op);
    let source = |i: usize| -> [f32; L] {
        let bits = super::raw(w, op, i);
        let (abs, neg) = (op.neg_hi >> i & 1 == 1, op.neg_lo >> i & 1 == 1);
        let halves = op.opsel_hi >> i & 1 == 1;
        let mut values: [u32; L] = std::array::from_fn(|l| {
            let x = match (halves, op.opsel >> i & 1 == 1) {
                (false, _) => f32::from_bits(bits[l]),
                (true, false) => single(bits[l] & 0xffff),
                (true, true) => single(bits[l] >> 16),
            };
            let x = if abs { x.abs() } else { x };
            (if neg { -x } else { x }).to_bits()
        });
        denormal::source(flush, if halves { part } else { Part::Single }, &mut values);
        values.map(f32::from_bits)
    };
    let (a, b, c) = (source(0), source(1), source(2));
    let old = w.v[w.reg(op.vdst)];
    let mut sums: [u32; L] = std::array::from_fn(|l| {
        let x = a[l].mul_add(b[l], c[l]);
        let x = f32::from_bits(finish(op.clamp, x));
        // Rounded before anything is flushed.
        if matches!(result, Mixed::Single) { x.to_bits() } else { single(u32::from(short(x))).to_bits() }
    });
    denormal::result(flush, if matches!(result, Mixed::Single) { Part::Single } else { part }, &mut sums);
    let value = std::array::from_fn(|l| {
        let x = f32::from_bits(sums[l]);
        match result {
            Mixed::Single => sums[l],
            Mixed::Low => merge_half(old[l], short(x), false),
            Mixed::High => merge_half(old[l], short(x), true),
        }
    });
    put(w, op, &value);
}

/// Two products and source 2, the high product first.
fn dot2<const L: usize>(w: &mut Wave<L>, op: &Op<L>, part: Part) {
    let half = |i: usize, half: u8| operand(w, op, i, half, part).map(f32::from_bits);
    let (a0, a1, b0, b1) = (half(0, 0), half(0, 1), half(1, 0), half(1, 1));
    let c = super::raw(w, op, 2);
    let value = std::array::from_fn(|l| a0[l].mul_add(b0[l], a1[l].mul_add(b1[l], f32::from_bits(c[l]))));
    put_single(w, op, &value);
}
