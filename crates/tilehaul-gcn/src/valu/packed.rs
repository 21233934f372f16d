//! Packed operations: two halves, or two singles, of each lane; and the mixed-precision `fma_mix`.

use half::{bf16, f16};

use super::float::{fma_half, max, maximum, min, minimum};
use super::{operations, put};
use crate::op::{Action, Op, SrcKind};
use crate::wave::Wave;

pub(crate) fn handler<const L: usize>(name: &str) -> Option<Action<L>> {
    operations! { name;
        "v_pk_add_f16" => h2(|a, b| f16::from_f32(a.to_f32() + b.to_f32()));
        "v_pk_mul_f16" => h2(|a, b| f16::from_f32(a.to_f32() * b.to_f32()));
        "v_pk_max_f16" | "v_pk_max_num_f16" => h2(|a, b| f16::from_f32(max(a.to_f32(), b.to_f32())));
        "v_pk_min_f16" | "v_pk_min_num_f16" => h2(|a, b| f16::from_f32(min(a.to_f32(), b.to_f32())));
        "v_pk_maximum_f16" => h2(|a, b| f16::from_f32(maximum(a.to_f32(), b.to_f32())));
        "v_pk_minimum_f16" => h2(|a, b| f16::from_f32(minimum(a.to_f32(), b.to_f32())));
        "v_pk_fma_f16" => h3(fma_half);
        "v_pk_add_bf16" => s2(|a, b| bf(bf16::from_bits(a).to_f32() + bf16::from_bits(b).to_f32()));
        "v_pk_mul_bf16" => s2(|a, b| bf(bf16::from_bits(a).to_f32() * bf16::from_bits(b).to_f32()));
        "v_pk_fma_bf16" => s3(|a, b, c| bf16::from_f64(bf16::from_bits(a).to_f64().mul_add(bf16::from_bits(b).to_f64(), bf16::from_bits(c).to_f64())).to_bits());
        "v_pk_max_num_bf16" => s2(|a, b| bf(max(bf16::from_bits(a).to_f32(), bf16::from_bits(b).to_f32())));
        "v_pk_min_num_bf16" => s2(|a, b| bf(min(bf16::from_bits(a).to_f32(), bf16::from_bits(b).to_f32())));
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
        "v_pk_add_f32" => f2(|a, b| a + b);
        "v_pk_mul_f32" => f2(|a, b| a * b);
        "v_pk_fma_f32" => f3(f32::mul_add);
        "v_pk_mov_b32" => mov(());
        "v_pk_fmac_f16" => fmac(());
        "v_fma_mix_f32" => mix(Mixed::Single);
        "v_fma_mixlo_f16" => mix(Mixed::Low);
        "v_fma_mixhi_f16" => mix(Mixed::High);
        "v_dot2_f32_f16" => dot2(|a| f16::from_bits(a).to_f32());
        "v_dot2_f32_bf16" => dot2(|a| bf16::from_bits(a).to_f32());
        "v_dot2c_f32_bf16" => dot2c(|a| bf16::from_bits(a).to_f32());
        "v_dot2c_f32_f16" | "v_dot2acc_f32_f16" => dot2c(|a| f16::from_bits(a).to_f32());
        "v_dot2acc_f32_bf16" => dot2c(|a| bf16::from_bits(a).to_f32());
    }
}

fn bf(x: f32) -> u16 {
    bf16::from_f32(x).to_bits()
}

/// The half of source `i` that half `part` of the result uses, with its sign.
fn half<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize, part: u8, float: bool) -> [u16; L] {
    let bits = super::raw(w, op, i);
    let select = if part == 0 { op.opsel } else { op.opsel_hi };
    let negate = if part == 0 { op.neg_lo } else { op.neg_hi };
    // A 16-bit constant stands in the low half; the high half of it is zero.
    let high = select >> i & 1 == 1;
    let sign = if float && negate >> i & 1 == 1 { 0x8000 } else { 0 };
    std::array::from_fn(|l| (if high { (bits[l] >> 16) as u16 } else { bits[l] as u16 }) ^ sign)
}

fn combine<const L: usize>(w: &mut Wave<L>, op: &Op<L>, low: [u16; L], high: [u16; L]) {
    put(w, op, &std::array::from_fn(|l| u32::from(low[l]) | u32::from(high[l]) << 16));
}

fn s2<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(u16, u16) -> u16) {
    let part = |p: u8| -> [u16; L] {
        let (a, b) = (half(w, op, 0, p, false), half(w, op, 1, p, false));
        std::array::from_fn(|l| f(a[l], b[l]))
    };
    let (low, high) = (part(0), part(1));
    combine(w, op, low, high);
}

fn s3<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(u16, u16, u16) -> u16) {
    let part = |p: u8| -> [u16; L] {
        let (a, b, c) = (half(w, op, 0, p, true), half(w, op, 1, p, true), half(w, op, 2, p, true));
        std::array::from_fn(|l| f(a[l], b[l], c[l]))
    };
    let (low, high) = (part(0), part(1));
    combine(w, op, low, high);
}

fn clamp_half<const L: usize>(op: &Op<L>, x: f16) -> u16 {
    if !op.clamp {
        return x.to_bits();
    }
    if x.is_nan() { 0 } else { f16::from_f32(x.to_f32().clamp(0.0, 1.0)).to_bits() }
}

fn h2<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(f16, f16) -> f16) {
    let part = |p: u8| -> [u16; L] {
        let (a, b) = (half(w, op, 0, p, true), half(w, op, 1, p, true));
        std::array::from_fn(|l| clamp_half(op, f(f16::from_bits(a[l]), f16::from_bits(b[l]))))
    };
    let (low, high) = (part(0), part(1));
    combine(w, op, low, high);
}

fn h3<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(f16, f16, f16) -> f16) {
    let part = |p: u8| -> [u16; L] {
        let (a, b, c) = (half(w, op, 0, p, true), half(w, op, 1, p, true), half(w, op, 2, p, true));
        std::array::from_fn(|l| {
            clamp_half(op, f(f16::from_bits(a[l]), f16::from_bits(b[l]), f16::from_bits(c[l])))
        })
    };
    let (low, high) = (part(0), part(1));
    combine(w, op, low, high);
}

fn fmac<const L: usize>(w: &mut Wave<L>, op: &Op<L>, (): ()) {
    let (a, b, c) = (super::raw(w, op, 0), super::raw(w, op, 1), super::accumulator(w, op));
    let one = |l: usize, shift: u32| {
        let at = |v: u32| f16::from_bits((v >> shift) as u16);
        u32::from(fma_half(at(a[l]), at(b[l]), at(c[l])).to_bits()) << shift
    };
    put(w, op, &std::array::from_fn(|l| one(l, 0) | one(l, 16)));
}

/// The single of source `i` (a register pair) that half `part` of the result uses. A constant stands for both.
fn single<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize, part: u8) -> [f32; L] {
    let select = if part == 0 { op.opsel } else { op.opsel_hi };
    let negate = if part == 0 { op.neg_lo } else { op.neg_hi };
    let high = select >> i & 1 == 1 && !matches!(op.src[i].kind, SrcKind::Const(_));
    let bits = w.lanes(&op.src[i], u16::from(high));
    let sign = if negate >> i & 1 == 1 { 0x8000_0000 } else { 0 };
    std::array::from_fn(|l| f32::from_bits(bits[l] ^ sign))
}

fn finish(op_clamp: bool, x: f32) -> u32 {
    if op_clamp { if x.is_nan() { 0 } else { x.clamp(0.0, 1.0).to_bits() } } else { x.to_bits() }
}

fn f2<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(f32, f32) -> f32) {
    let part = |p: u8| -> [u32; L] {
        let (a, b) = (single(w, op, 0, p), single(w, op, 1, p));
        std::array::from_fn(|l| finish(op.clamp, f(a[l], b[l])))
    };
    let (low, high) = (part(0), part(1));
    w.write(op.vdst, 0, &low);
    w.write(op.vdst, 1, &high);
}

fn f3<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(f32, f32, f32) -> f32) {
    let part = |p: u8| -> [u32; L] {
        let (a, b, c) = (single(w, op, 0, p), single(w, op, 1, p), single(w, op, 2, p));
        std::array::from_fn(|l| finish(op.clamp, f(a[l], b[l], c[l])))
    };
    let (low, high) = (part(0), part(1));
    w.write(op.vdst, 0, &low);
    w.write(op.vdst, 1, &high);
}

/// `op_sel` picks the dword of source 0 for the low result and of source 1 for the high one. manual: CDNA3 ISA.
fn mov<const L: usize>(w: &mut Wave<L>, op: &Op<L>, (): ()) {
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
fn mix<const L: usize>(w: &mut Wave<L>, op: &Op<L>, result: Mixed) {
    let source = |i: usize| -> [f32; L] {
        let bits = super::raw(w, op, i);
        let (abs, neg) = (op.neg_hi >> i & 1 == 1, op.neg_lo >> i & 1 == 1);
        std::array::from_fn(|l| {
            let x = match (op.opsel_hi >> i & 1 == 1, op.opsel >> i & 1 == 1) {
                (false, _) => f32::from_bits(bits[l]),
                (true, false) => f16::from_bits(bits[l] as u16).to_f32(),
                (true, true) => f16::from_bits((bits[l] >> 16) as u16).to_f32(),
            };
            let x = if abs { x.abs() } else { x };
            if neg { -x } else { x }
        })
    };
    let (a, b, c) = (source(0), source(1), source(2));
    let old = w.v[w.reg(op.vdst)];
    let value = std::array::from_fn(|l| {
        let x = a[l].mul_add(b[l], c[l]);
        let x = f32::from_bits(finish(op.clamp, x));
        match result {
            Mixed::Single => x.to_bits(),
            Mixed::Low => super::merge_half(old[l], f16::from_f32(x).to_bits(), false),
            Mixed::High => super::merge_half(old[l], f16::from_f32(x).to_bits(), true),
        }
    });
    put(w, op, &value);
}

fn dot2<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(u16) -> f32) {
    let (a0, a1) = (half(w, op, 0, 0, true), half(w, op, 0, 1, true));
    let (b0, b1) = (half(w, op, 1, 0, true), half(w, op, 1, 1, true));
    let c = super::raw(w, op, 2);
    let value =
        std::array::from_fn(|l| f(a0[l]).mul_add(f(b0[l]), f(a1[l]).mul_add(f(b1[l]), f32::from_bits(c[l]))));
    super::put_single(w, op, &value);
}

fn dot2c<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(u16) -> f32) {
    let (a, b, c) = (super::raw(w, op, 0), super::raw(w, op, 1), super::accumulator(w, op));
    let value = std::array::from_fn(|l| {
        let high = f((a[l] >> 16) as u16).mul_add(f((b[l] >> 16) as u16), f32::from_bits(c[l]));
        f(a[l] as u16).mul_add(f(b[l] as u16), high)
    });
    super::put_single(w, op, &value);
}
