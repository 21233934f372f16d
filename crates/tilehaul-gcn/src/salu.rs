//! Scalar arithmetic and bit operations.

use std::cmp::Ordering;

use crate::op::{Action, Op};
use crate::wave::Wave;

macro_rules! scalar {
    ($name:expr; $($($n:literal)|+ => $f:expr;)*) => {
        match $name {
            $($($n)|+ => Some(Action::Alu($f)),)*
            _ => None,
        }
    };
}

#[inline(always)]
fn put<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: u32) {
    w.ws(usize::from(op.sdst), value);
}

#[inline(always)]
fn put64<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: u64) {
    w.ws64(usize::from(op.sdst), value);
}

/// A result that sets SCC when it is not zero.
#[inline(always)]
fn bits<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: u32) {
    put(w, op, value);
    w.scc = value != 0;
}

#[inline(always)]
fn bits64<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: u64) {
    put64(w, op, value);
    w.scc = value != 0;
}

#[inline(always)]
fn a<const L: usize>(w: &Wave<L>, op: &Op<L>) -> u32 {
    w.s32(&op.src[0])
}

#[inline(always)]
fn b<const L: usize>(w: &Wave<L>, op: &Op<L>) -> u32 {
    w.s32(&op.src[1])
}

#[inline(always)]
fn a64<const L: usize>(w: &Wave<L>, op: &Op<L>) -> u64 {
    w.s64(&op.src[0])
}

#[inline(always)]
fn b64<const L: usize>(w: &Wave<L>, op: &Op<L>) -> u64 {
    w.s64(&op.src[1])
}

fn fa<const L: usize>(w: &Wave<L>, op: &Op<L>) -> f32 {
    f32::from_bits(a(w, op))
}

fn fb<const L: usize>(w: &Wave<L>, op: &Op<L>) -> f32 {
    f32::from_bits(b(w, op))
}

/// The signed 16-bit immediate of SOPK.
fn k<const L: usize>(op: &Op<L>) -> u32 {
    op.imm as u32
}

fn own<const L: usize>(w: &Wave<L>, op: &Op<L>) -> u32 {
    w.rs(usize::from(op.sdst))
}

/// EXEC changed by a mask: the old EXEC goes to the destination.
fn saveexec<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: fn(u64, u64) -> u64) {
    let mask = if op.src[0].width == 2 { a64(w, op) } else { u64::from(a(w, op)) };
    let old = w.exec;
    if op.swidth == 2 {
        put64(w, op, old)
    } else {
        put(w, op, old as u32)
    }
    let lanes = if L == 32 { 0xffff_ffff } else { u64::MAX };
    w.exec = f(mask, old) & lanes;
    w.scc = w.exec != 0;
}

/// EXEC and the destination both get the result.
fn wrexec<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: fn(u64, u64) -> u64) {
    let mask = if op.src[0].width == 2 { a64(w, op) } else { u64::from(a(w, op)) };
    let lanes = if L == 32 { 0xffff_ffff } else { u64::MAX };
    w.exec = f(mask, w.exec) & lanes;
    let value = w.exec;
    if op.swidth == 2 {
        put64(w, op, value)
    } else {
        put(w, op, value as u32)
    }
    w.scc = value != 0;
}

fn bfe_u32(v: u32, control: u32) -> u32 {
    let (offset, width) = (control & 31, control >> 16 & 127);
    if width == 0 {
        0
    } else if width >= 32 {
        v >> offset
    } else {
        v >> offset & ((1 << width) - 1)
    }
}

fn bfe_u64(v: u64, control: u32) -> u64 {
    let (offset, width) = (control & 63, control >> 16 & 127);
    if width == 0 {
        0
    } else if width >= 64 {
        v >> offset
    } else {
        v >> offset & ((1 << width) - 1)
    }
}

fn sign32(v: u32, width: u32) -> u32 {
    if width == 0 || width >= 32 { v } else { ((v << (32 - width)) as i32 >> (32 - width)) as u32 }
}

fn sign64(v: u64, width: u32) -> u64 {
    if width == 0 || width >= 64 { v } else { ((v << (64 - width)) as i64 >> (64 - width)) as u64 }
}

fn float_compare<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: fn(f32, f32) -> bool) {
    w.scc = f(fa(w, op), fb(w, op));
}

/// The scalar operation of that name.
#[expect(clippy::too_many_lines, reason = "one line an operation")]
pub(crate) fn handler<const L: usize>(name: &str) -> Option<Action<L>> {
    scalar! { name;
        "s_mov_b32" => |w, op| { let v = a(w, op); put(w, op, v); };
        "s_mov_b64" => |w, op| { let v = a64(w, op); put64(w, op, v); };
        "s_cmov_b32" => |w, op| if w.scc { let v = a(w, op); put(w, op, v); };
        "s_cmov_b64" => |w, op| if w.scc { let v = a64(w, op); put64(w, op, v); };
        "s_not_b32" => |w, op| { let v = !a(w, op); bits(w, op, v); };
        "s_not_b64" => |w, op| { let v = !a64(w, op); bits64(w, op, v); };
        "s_brev_b32" => |w, op| { let v = a(w, op).reverse_bits(); put(w, op, v); };
        "s_brev_b64" => |w, op| { let v = a64(w, op).reverse_bits(); put64(w, op, v); };
        "s_bcnt0_i32_b32" => |w, op| { let v = a(w, op).count_zeros(); bits(w, op, v); };
        "s_bcnt0_i32_b64" => |w, op| { let v = a64(w, op).count_zeros(); bits(w, op, v); };
        "s_bcnt1_i32_b32" => |w, op| { let v = a(w, op).count_ones(); bits(w, op, v); };
        "s_bcnt1_i32_b64" => |w, op| { let v = a64(w, op).count_ones(); bits(w, op, v); };
        "s_ff1_i32_b32" | "s_ctz_i32_b32" => |w, op| { let v = a(w, op); put(w, op, if v == 0 { u32::MAX } else { v.trailing_zeros() }); };
        "s_ff1_i32_b64" | "s_ctz_i32_b64" => |w, op| { let v = a64(w, op); put(w, op, if v == 0 { u32::MAX } else { v.trailing_zeros() }); };
        "s_flbit_i32_b32" | "s_clz_i32_u32" => |w, op| { let v = a(w, op); put(w, op, if v == 0 { u32::MAX } else { v.leading_zeros() }); };
        "s_flbit_i32_b64" | "s_clz_i32_u64" => |w, op| { let v = a64(w, op); put(w, op, if v == 0 { u32::MAX } else { v.leading_zeros() }); };
        "s_flbit_i32" | "s_cls_i32" => |w, op| { let v = a(w, op); let same = (v ^ (v as i32 >> 31) as u32).leading_zeros(); put(w, op, if same == 32 { u32::MAX } else { same }); };
        "s_sext_i32_i8" => |w, op| { let v = a(w, op) as i8 as i32 as u32; put(w, op, v); };
        "s_sext_i32_i16" => |w, op| { let v = a(w, op) as i16 as i32 as u32; put(w, op, v); };
        "s_bitset0_b32" => |w, op| { let v = own(w, op) & !(1 << (a(w, op) & 31)); put(w, op, v); };
        "s_bitset1_b32" => |w, op| { let v = own(w, op) | 1 << (a(w, op) & 31); put(w, op, v); };
        "s_bitset0_b64" => |w, op| { let v = w.rs64(usize::from(op.sdst)) & !(1 << (a(w, op) & 63)); put64(w, op, v); };
        "s_bitset1_b64" => |w, op| { let v = w.rs64(usize::from(op.sdst)) | 1 << (a(w, op) & 63); put64(w, op, v); };
        "s_abs_i32" => |w, op| { let v = (a(w, op) as i32).unsigned_abs(); bits(w, op, v); };
        "s_and_saveexec_b64" | "s_and_saveexec_b32" => |w, op| saveexec(w, op, |m, e| m & e);
        "s_or_saveexec_b64" | "s_or_saveexec_b32" => |w, op| saveexec(w, op, |m, e| m | e);
        "s_xor_saveexec_b64" | "s_xor_saveexec_b32" => |w, op| saveexec(w, op, |m, e| m ^ e);
        "s_nand_saveexec_b64" | "s_nand_saveexec_b32" => |w, op| saveexec(w, op, |m, e| !(m & e));
        "s_nor_saveexec_b64" | "s_nor_saveexec_b32" => |w, op| saveexec(w, op, |m, e| !(m | e));
        "s_xnor_saveexec_b64" | "s_xnor_saveexec_b32" => |w, op| saveexec(w, op, |m, e| !(m ^ e));
        "s_andn2_saveexec_b64" | "s_and_not1_saveexec_b64" | "s_and_not1_saveexec_b32" => |w, op| saveexec(w, op, |m, e| m & !e);
        "s_orn2_saveexec_b64" | "s_or_not1_saveexec_b64" | "s_or_not1_saveexec_b32" => |w, op| saveexec(w, op, |m, e| m | !e);
        "s_andn1_saveexec_b64" | "s_and_not0_saveexec_b64" | "s_and_not0_saveexec_b32" => |w, op| saveexec(w, op, |m, e| !m & e);
        "s_orn1_saveexec_b64" | "s_or_not0_saveexec_b64" | "s_or_not0_saveexec_b32" => |w, op| saveexec(w, op, |m, e| !m | e);
        "s_andn1_wrexec_b64" | "s_and_not0_wrexec_b64" | "s_and_not0_wrexec_b32" => |w, op| wrexec(w, op, |m, e| !m & e);
        "s_andn2_wrexec_b64" | "s_and_not1_wrexec_b64" | "s_and_not1_wrexec_b32" => |w, op| wrexec(w, op, |m, e| m & !e);
        "s_add_u32" | "s_add_co_u32" => |w, op| { let (v, c) = a(w, op).overflowing_add(b(w, op)); put(w, op, v); w.scc = c; };
        "s_sub_u32" | "s_sub_co_u32" => |w, op| { let (v, c) = a(w, op).overflowing_sub(b(w, op)); put(w, op, v); w.scc = c; };
        "s_add_i32" | "s_add_co_i32" => |w, op| { let (v, c) = (a(w, op) as i32).overflowing_add(b(w, op) as i32); put(w, op, v as u32); w.scc = c; };
        "s_sub_i32" | "s_sub_co_i32" => |w, op| { let (v, c) = (a(w, op) as i32).overflowing_sub(b(w, op) as i32); put(w, op, v as u32); w.scc = c; };
        "s_addc_u32" | "s_add_co_ci_u32" => |w, op| { let v = u64::from(a(w, op)) + u64::from(b(w, op)) + u64::from(w.scc); put(w, op, v as u32); w.scc = v >> 32 != 0; };
        "s_subb_u32" | "s_sub_co_ci_u32" => |w, op| { let (x, y) = (u64::from(a(w, op)), u64::from(b(w, op)) + u64::from(w.scc)); put(w, op, x.wrapping_sub(y) as u32); w.scc = y > x; };
        "s_add_nc_u64" | "s_add_u64" => |w, op| { let v = a64(w, op).wrapping_add(b64(w, op)); put64(w, op, v); };
        "s_sub_nc_u64" | "s_sub_u64" => |w, op| { let v = a64(w, op).wrapping_sub(b64(w, op)); put64(w, op, v); };
        "s_mul_u64" => |w, op| { let v = a64(w, op).wrapping_mul(b64(w, op)); put64(w, op, v); };
        "s_min_i32" => |w, op| { let (x, y) = (a(w, op) as i32, b(w, op) as i32); put(w, op, x.min(y) as u32); w.scc = x < y; };
        "s_min_u32" => |w, op| { let (x, y) = (a(w, op), b(w, op)); put(w, op, x.min(y)); w.scc = x < y; };
        "s_max_i32" => |w, op| { let (x, y) = (a(w, op) as i32, b(w, op) as i32); put(w, op, x.max(y) as u32); w.scc = x > y; };
        "s_max_u32" => |w, op| { let (x, y) = (a(w, op), b(w, op)); put(w, op, x.max(y)); w.scc = x > y; };
        "s_absdiff_i32" => |w, op| { let v = (a(w, op) as i32).wrapping_sub(b(w, op) as i32).unsigned_abs(); bits(w, op, v); };
        "s_cselect_b32" => |w, op| { let v = if w.scc { a(w, op) } else { b(w, op) }; put(w, op, v); };
        "s_cselect_b64" => |w, op| { let v = if w.scc { a64(w, op) } else { b64(w, op) }; put64(w, op, v); };
        "s_and_b32" => |w, op| { let v = a(w, op) & b(w, op); bits(w, op, v); };
        "s_and_b64" => |w, op| { let v = a64(w, op) & b64(w, op); bits64(w, op, v); };
        "s_or_b32" => |w, op| { let v = a(w, op) | b(w, op); bits(w, op, v); };
        "s_or_b64" => |w, op| { let v = a64(w, op) | b64(w, op); bits64(w, op, v); };
        "s_xor_b32" => |w, op| { let v = a(w, op) ^ b(w, op); bits(w, op, v); };
        "s_xor_b64" => |w, op| { let v = a64(w, op) ^ b64(w, op); bits64(w, op, v); };
        "s_andn2_b32" | "s_and_not1_b32" => |w, op| { let v = a(w, op) & !b(w, op); bits(w, op, v); };
        "s_andn2_b64" | "s_and_not1_b64" => |w, op| { let v = a64(w, op) & !b64(w, op); bits64(w, op, v); };
        "s_orn2_b32" | "s_or_not1_b32" => |w, op| { let v = a(w, op) | !b(w, op); bits(w, op, v); };
        "s_orn2_b64" | "s_or_not1_b64" => |w, op| { let v = a64(w, op) | !b64(w, op); bits64(w, op, v); };
        "s_nand_b32" => |w, op| { let v = !(a(w, op) & b(w, op)); bits(w, op, v); };
        "s_nand_b64" => |w, op| { let v = !(a64(w, op) & b64(w, op)); bits64(w, op, v); };
        "s_nor_b32" => |w, op| { let v = !(a(w, op) | b(w, op)); bits(w, op, v); };
        "s_nor_b64" => |w, op| { let v = !(a64(w, op) | b64(w, op)); bits64(w, op, v); };
        "s_xnor_b32" => |w, op| { let v = !(a(w, op) ^ b(w, op)); bits(w, op, v); };
        "s_xnor_b64" => |w, op| { let v = !(a64(w, op) ^ b64(w, op)); bits64(w, op, v); };
        "s_lshl_b32" => |w, op| { let v = a(w, op) << (b(w, op) & 31); bits(w, op, v); };
        "s_lshl_b64" => |w, op| { let v = a64(w, op) << (b(w, op) & 63); bits64(w, op, v); };
        "s_lshr_b32" => |w, op| { let v = a(w, op) >> (b(w, op) & 31); bits(w, op, v); };
        "s_lshr_b64" => |w, op| { let v = a64(w, op) >> (b(w, op) & 63); bits64(w, op, v); };
        "s_ashr_i32" => |w, op| { let v = (a(w, op) as i32 >> (b(w, op) & 31)) as u32; bits(w, op, v); };
        "s_ashr_i64" => |w, op| { let v = (a64(w, op) as i64 >> (b(w, op) & 63)) as u64; bits64(w, op, v); };
        "s_lshl1_add_u32" => |w, op| shift_add(w, op, 1);
        "s_lshl2_add_u32" => |w, op| shift_add(w, op, 2);
        "s_lshl3_add_u32" => |w, op| shift_add(w, op, 3);
        "s_lshl4_add_u32" => |w, op| shift_add(w, op, 4);
        "s_bfm_b32" => |w, op| { let v = (1u32 << (a(w, op) & 31)).wrapping_sub(1) << (b(w, op) & 31); put(w, op, v); };
        "s_bfm_b64" => |w, op| { let v = (1u64 << (a(w, op) & 63)).wrapping_sub(1) << (b(w, op) & 63); put64(w, op, v); };
        "s_bfe_u32" => |w, op| { let v = bfe_u32(a(w, op), b(w, op)); bits(w, op, v); };
        "s_bfe_i32" => |w, op| { let c = b(w, op); let v = sign32(bfe_u32(a(w, op), c), c >> 16 & 127); bits(w, op, v); };
        "s_bfe_u64" => |w, op| { let v = bfe_u64(a64(w, op), b(w, op)); bits64(w, op, v); };
        "s_bfe_i64" => |w, op| { let c = b(w, op); let v = sign64(bfe_u64(a64(w, op), c), c >> 16 & 127); bits64(w, op, v); };
        "s_mul_i32" => |w, op| { let v = a(w, op).wrapping_mul(b(w, op)); put(w, op, v); };
        "s_mul_hi_u32" => |w, op| { let v = ((u64::from(a(w, op)) * u64::from(b(w, op))) >> 32) as u32; put(w, op, v); };
        "s_mul_hi_i32" => |w, op| { let v = ((i64::from(a(w, op) as i32) * i64::from(b(w, op) as i32)) >> 32) as u32; put(w, op, v); };
        "s_pack_ll_b32_b16" => |w, op| { let v = a(w, op) & 0xffff | b(w, op) << 16; put(w, op, v); };
        "s_pack_lh_b32_b16" => |w, op| { let v = a(w, op) & 0xffff | b(w, op) & 0xffff_0000; put(w, op, v); };
        "s_pack_hh_b32_b16" => |w, op| { let v = a(w, op) >> 16 | b(w, op) & 0xffff_0000; put(w, op, v); };
        "s_pack_hl_b32_b16" => |w, op| { let v = a(w, op) >> 16 | b(w, op) << 16; put(w, op, v); };
        "s_bitcmp0_b32" => |w, op| w.scc = a(w, op) >> (b(w, op) & 31) & 1 == 0;
        "s_bitcmp1_b32" => |w, op| w.scc = a(w, op) >> (b(w, op) & 31) & 1 == 1;
        "s_bitcmp0_b64" => |w, op| w.scc = a64(w, op) >> (b(w, op) & 63) & 1 == 0;
        "s_bitcmp1_b64" => |w, op| w.scc = a64(w, op) >> (b(w, op) & 63) & 1 == 1;
        "s_cmp_eq_i32" | "s_cmp_eq_u32" => |w, op| w.scc = a(w, op) == b(w, op);
        "s_cmp_lg_i32" | "s_cmp_lg_u32" => |w, op| w.scc = a(w, op) != b(w, op);
        "s_cmp_gt_i32" => |w, op| w.scc = a(w, op) as i32 > b(w, op) as i32;
        "s_cmp_ge_i32" => |w, op| w.scc = a(w, op) as i32 >= b(w, op) as i32;
        "s_cmp_lt_i32" => |w, op| w.scc = (a(w, op) as i32) < b(w, op) as i32;
        "s_cmp_le_i32" => |w, op| w.scc = a(w, op) as i32 <= b(w, op) as i32;
        "s_cmp_gt_u32" => |w, op| w.scc = a(w, op) > b(w, op);
        "s_cmp_ge_u32" => |w, op| w.scc = a(w, op) >= b(w, op);
        "s_cmp_lt_u32" => |w, op| w.scc = a(w, op) < b(w, op);
        "s_cmp_le_u32" => |w, op| w.scc = a(w, op) <= b(w, op);
        "s_cmp_eq_u64" => |w, op| w.scc = a64(w, op) == b64(w, op);
        "s_cmp_lg_u64" => |w, op| w.scc = a64(w, op) != b64(w, op);
        "s_movk_i32" => |w, op| put(w, op, k(op));
        "s_cmovk_i32" => |w, op| if w.scc { put(w, op, k(op)); };
        "s_addk_i32" | "s_addk_co_i32" => |w, op| { let (v, c) = (own(w, op) as i32).overflowing_add(k(op) as i32); put(w, op, v as u32); w.scc = c; };
        "s_mulk_i32" => |w, op| { let v = own(w, op).wrapping_mul(k(op)); put(w, op, v); };
        "s_cmpk_eq_i32" => |w, op| w.scc = own(w, op) == k(op);
        "s_cmpk_lg_i32" => |w, op| w.scc = own(w, op) != k(op);
        "s_cmpk_gt_i32" => |w, op| w.scc = own(w, op) as i32 > k(op) as i32;
        "s_cmpk_ge_i32" => |w, op| w.scc = own(w, op) as i32 >= k(op) as i32;
        "s_cmpk_lt_i32" => |w, op| w.scc = (own(w, op) as i32) < k(op) as i32;
        "s_cmpk_le_i32" => |w, op| w.scc = own(w, op) as i32 <= k(op) as i32;
        "s_cmpk_eq_u32" => |w, op| w.scc = own(w, op) == k(op) & 0xffff;
        "s_cmpk_lg_u32" => |w, op| w.scc = own(w, op) != k(op) & 0xffff;
        "s_cmpk_gt_u32" => |w, op| w.scc = own(w, op) > k(op) & 0xffff;
        "s_cmpk_ge_u32" => |w, op| w.scc = own(w, op) >= k(op) & 0xffff;
        "s_cmpk_lt_u32" => |w, op| w.scc = own(w, op) < k(op) & 0xffff;
        "s_cmpk_le_u32" => |w, op| w.scc = own(w, op) <= k(op) & 0xffff;
        "s_add_f32" => |w, op| { let v = fa(w, op) + fb(w, op); put(w, op, v.to_bits()); };
        "s_sub_f32" => |w, op| { let v = fa(w, op) - fb(w, op); put(w, op, v.to_bits()); };
        "s_mul_f32" => |w, op| { let v = fa(w, op) * fb(w, op); put(w, op, v.to_bits()); };
        "s_min_num_f32" => |w, op| { let v = crate::valu::float_min(fa(w, op), fb(w, op)); put(w, op, v.to_bits()); };
        "s_max_num_f32" => |w, op| { let v = crate::valu::float_max(fa(w, op), fb(w, op)); put(w, op, v.to_bits()); };
        "s_fmac_f32" => |w, op| { let v = fa(w, op).mul_add(fb(w, op), f32::from_bits(own(w, op))); put(w, op, v.to_bits()); };
        "s_fmaak_f32" => |w, op| { let v = fa(w, op).mul_add(fb(w, op), f32::from_bits(w.s32(&op.src[2]))); put(w, op, v.to_bits()); };
        "s_fmamk_f32" => |w, op| { let v = fa(w, op).mul_add(fb(w, op), f32::from_bits(w.s32(&op.src[2]))); put(w, op, v.to_bits()); };
        "s_ceil_f32" => |w, op| { let v = fa(w, op).ceil(); put(w, op, v.to_bits()); };
        "s_floor_f32" => |w, op| { let v = fa(w, op).floor(); put(w, op, v.to_bits()); };
        "s_trunc_f32" => |w, op| { let v = fa(w, op).trunc(); put(w, op, v.to_bits()); };
        "s_rndne_f32" => |w, op| { let v = fa(w, op).round_ties_even(); put(w, op, v.to_bits()); };
        "s_cvt_f32_i32" => |w, op| { let v = a(w, op) as i32 as f32; put(w, op, v.to_bits()); };
        "s_cvt_f32_u32" => |w, op| { let v = a(w, op) as f32; put(w, op, v.to_bits()); };
        "s_cvt_i32_f32" => |w, op| { let v = fa(w, op) as i32 as u32; put(w, op, v); };
        "s_cvt_u32_f32" => |w, op| { let v = fa(w, op) as u32; put(w, op, v); };
        "s_cvt_f16_f32" => |w, op| { let v = half::f16::from_f32(fa(w, op)).to_bits(); put(w, op, u32::from(v)); };
        "s_cvt_f32_f16" => |w, op| { let v = half::f16::from_bits(a(w, op) as u16).to_f32(); put(w, op, v.to_bits()); };
        "s_cmp_lt_f32" => |w, op| float_compare(w, op, |x, y| x < y);
        "s_cmp_eq_f32" => |w, op| float_compare(w, op, |x, y| x == y);
        "s_cmp_le_f32" => |w, op| float_compare(w, op, |x, y| x <= y);
        "s_cmp_gt_f32" => |w, op| float_compare(w, op, |x, y| x > y);
        "s_cmp_ge_f32" => |w, op| float_compare(w, op, |x, y| x >= y);
        "s_cmp_lg_f32" => |w, op| float_compare(w, op, |x, y| matches!(x.partial_cmp(&y), Some(Ordering::Less | Ordering::Greater)));
        "s_cmp_neq_f32" => |w, op| float_compare(w, op, |x, y| x != y);
        "s_cmp_o_f32" => |w, op| float_compare(w, op, |x, y| !x.is_nan() && !y.is_nan());
        "s_cmp_u_f32" => |w, op| float_compare(w, op, |x, y| x.is_nan() || y.is_nan());
        "s_cmp_nlt_f32" => |w, op| float_compare(w, op, |x, y| x.partial_cmp(&y) != Some(Ordering::Less));
        "s_cmp_nle_f32" => |w, op| float_compare(w, op, |x, y| !matches!(x.partial_cmp(&y), Some(Ordering::Less | Ordering::Equal)));
        "s_cmp_ngt_f32" => |w, op| float_compare(w, op, |x, y| x.partial_cmp(&y) != Some(Ordering::Greater));
        "s_cmp_nge_f32" => |w, op| float_compare(w, op, |x, y| !matches!(x.partial_cmp(&y), Some(Ordering::Greater | Ordering::Equal)));
        "s_cmp_nlg_f32" => |w, op| float_compare(w, op, |x, y| !matches!(x.partial_cmp(&y), Some(Ordering::Less | Ordering::Greater)));
        "s_quadmask_b32" => |w, op| { let v = a(w, op); let m = (0..8).fold(0, |m, i| m | u32::from(v >> (4 * i) & 15 != 0) << i); bits(w, op, m); };
        "s_wqm_b32" => |w, op| { let v = a(w, op); let m = (0..8).fold(0, |m, i| m | if v >> (4 * i) & 15 != 0 { 15 << (4 * i) } else { 0 }); bits(w, op, m); };
        "s_bitreplicate_b64_b32" => |w, op| { let v = a(w, op); let m = (0..32).fold(0u64, |m, i| m | if v >> i & 1 == 1 { 3 << (2 * i) } else { 0 }); put64(w, op, m); };
        // Scheduling hints and instruction fetch: no architectural effect.
        "s_nop" | "s_clause" | "s_delay_alu" | "s_wait_alu" | "s_setprio" | "s_setprio_inc_wg" | "s_set_inst_prefetch_distance"
            | "s_inst_prefetch" | "s_icache_inv" | "s_dcache_inv" | "s_dcache_wb" | "s_dcache_wb_vol" | "s_dcache_inv_vol"
            | "s_prefetch_inst" | "s_prefetch_inst_pc_rel" | "s_prefetch_data" | "s_prefetch_data_pc_rel" | "s_buffer_prefetch_data"
            | "s_ttracedata" | "s_ttracedata_imm" | "s_incperflevel" | "s_decperflevel" | "s_code_end" | "s_waitcnt_depctr"
            | "s_wait_event" | "s_sched_barrier" => |_, _| {};
        "s_set_vgpr_msb" => |w, op| w.set_banks(op.imm as u32);
    }
}

fn shift_add<const L: usize>(w: &mut Wave<L>, op: &Op<L>, by: u32) {
    let v = (u64::from(a(w, op)) << by) + u64::from(b(w, op));
    put(w, op, v as u32);
    w.scc = v >> 32 != 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_fields_come_out_with_their_sign() {
        assert_eq!(bfe_u32(0xabcd_1234, 0x0008_0008), 0x12);
        assert_eq!(sign32(bfe_u32(0x0000_8000, 0x0001_000f), 1), u32::MAX);
        assert_eq!(bfe_u64(1 << 40, 0x0010_0028), 1);
        assert_eq!(bfe_u32(5, 0), 0);
    }
}
