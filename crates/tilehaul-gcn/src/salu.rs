//! Scalar arithmetic and bit operations: a table of functions of the operands' values.
//!
//! [`run`] reads the operands and writes results, so that a row is only arithmetic and exists once for both wave sizes.

use std::cmp::Ordering;

use half::f16;

use crate::op::{Action, Op, Work};
use crate::valu::{denormal, float_max, float_maximum, float_min, float_minimum, index_mode, set_index};
use crate::wave::Wave;

/// Values of the operands; those of 32 bits are zero above.
pub(crate) struct Inputs {
    a: u64,
    b: u64,
    c: u64,
    /// The destination's old value.
    own: u64,
    /// The signed 16-bit immediate of SOPK.
    k: u32,
    scc: bool,
}

impl Inputs {
    fn a(&self) -> u32 {
        self.a as u32
    }

    fn b(&self) -> u32 {
        self.b as u32
    }

    fn own(&self) -> u32 {
        self.own as u32
    }

    fn fa(&self) -> f32 {
        f32::from_bits(self.a())
    }

    fn fb(&self) -> f32 {
        f32::from_bits(self.b())
    }

    fn ha(&self) -> f32 {
        f16::from_bits(self.a as u16).to_f32()
    }

    fn hb(&self) -> f32 {
        f16::from_bits(self.b as u16).to_f32()
    }

    fn fc(&self) -> f32 {
        f32::from_bits(self.c as u32)
    }
}

/// What a scalar operation does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar {
    /// A result; SCC stays.
    Value(fn(&Inputs) -> u64),
    /// A result that sets SCC when it is not zero.
    Bits(fn(&Inputs) -> u64),
    /// A result and SCC.
    Carry(fn(&Inputs) -> (u64, bool)),
    /// SCC alone.
    Test(fn(&Inputs) -> bool),
    /// EXEC changed by a mask: the old EXEC goes to the destination.
    SaveExec(fn(u64, u64) -> u64),
    /// EXEC changed by a mask: the new EXEC goes to the destination too.
    WriteExec(fn(u64, u64) -> u64),
}

#[inline(always)]
fn wide<R: Into<u64>>(i: &Inputs, f: impl Fn(&Inputs) -> R) -> u64 {
    f(i).into()
}

#[inline(always)]
fn wide_carry<R: Into<u64>>(i: &Inputs, f: impl Fn(&Inputs) -> (R, bool)) -> (u64, bool) {
    let (value, carry) = f(i);
    (value.into(), carry)
}

macro_rules! scalar {
    (@ value $f:expr) => { Scalar::Value(|i| wide(i, $f)) };
    (@ bits $f:expr) => { Scalar::Bits(|i| wide(i, $f)) };
    (@ carry $f:expr) => { Scalar::Carry(|i| wide_carry(i, $f)) };
    (@ test $f:expr) => { Scalar::Test($f) };
    (@ save_exec $f:expr) => { Scalar::SaveExec($f) };
    (@ write_exec $f:expr) => { Scalar::WriteExec($f) };
    ($name:expr; $($($n:literal)|+ => $kind:ident($f:expr);)*) => {
        match $name {
            $($($n)|+ => Some(scalar!(@ $kind $f)),)*
            _ => None,
        }
    };
}

/// Chooses what runs for the scalar operation of that name.
pub(crate) fn lower<const L: usize>(name: &str, op: &mut Op<L>) -> Option<Action<L>> {
    match name {
        // Scheduling hints and instruction fetch: no architectural effect.
        "s_nop"
        | "s_clause"
        | "s_delay_alu"
        | "s_wait_alu"
        | "s_setprio"
        | "s_setprio_inc_wg"
        | "s_set_inst_prefetch_distance"
        | "s_inst_prefetch"
        | "s_icache_inv"
        | "s_dcache_inv"
        | "s_dcache_wb"
        | "s_dcache_wb_vol"
        | "s_dcache_inv_vol"
        | "s_prefetch_inst"
        | "s_prefetch_inst_pc_rel"
        | "s_prefetch_data"
        | "s_prefetch_data_pc_rel"
        | "s_buffer_prefetch_data"
        | "s_ttracedata"
        | "s_ttracedata_imm"
        | "s_incperflevel"
        | "s_decperflevel"
        | "s_code_end"
        | "s_waitcnt_depctr"
        | "s_wait_event"
        | "s_sched_barrier" => return Some(Action::Alu(|_, _| {})),
        "s_set_vgpr_msb" => return Some(Action::Alu(|w, op| w.set_banks(op.imm as u32))),
        "s_set_gpr_idx_on" => {
            return Some(Action::Alu(|w, op| {
                let (index, enable) = (w.s32(&op.src[0]), w.s32(&op.src[1]));
                set_index(w, Some(index), Some(enable));
                index_mode(w, true);
            }));
        }
        "s_set_gpr_idx_idx" => {
            return Some(Action::Alu(|w, op| {
                let index = w.s32(&op.src[0]);
                set_index(w, Some(index), None);
            }));
        }
        "s_set_gpr_idx_mode" => return Some(Action::Alu(|w, op| set_index(w, None, Some(op.imm as u32)))),
        "s_set_gpr_idx_off" => return Some(Action::Alu(|w, _| index_mode(w, false))),
        // MODE bits 7:4.
        "s_denorm_mode" => {
            return Some(Action::Alu(|w, op| w.mode = w.mode & !0xf0 | (op.imm as u32 & 15) << 4));
        }
        _ => {}
    }
    op.work = Work::Scalar(scalar(name)?);
    op.denormals = denormal::obeyed_by_scalar(name);
    Some(Action::Alu(run))
}

fn run<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let Work::Scalar(scalar) = op.work else { return w.misled(op) };
    let value = |i: usize| match &op.src[i] {
        src if src.width == 2 => w.s64(src),
        src => u64::from(w.s32(src)),
    };
    let own = match op.swidth {
        0 => 0,
        1 => u64::from(w.rs(usize::from(op.sdst))),
        _ => w.rs64(usize::from(op.sdst)),
    };
    let mut inputs = Inputs { a: value(0), b: value(1), c: value(2), own, k: op.imm as u32, scc: w.scc };
    let flush = denormal::flushes(w, op);
    if flush != 0 {
        for value in [&mut inputs.a, &mut inputs.b, &mut inputs.c, &mut inputs.own] {
            *value = denormal::scalar_source(flush, *value);
        }
    }
    let result = match scalar {
        Scalar::Value(f) => f(&inputs),
        Scalar::Bits(f) => {
            let value = f(&inputs);
            w.scc = value != 0;
            value
        }
        Scalar::Carry(f) => {
            let (value, carry) = f(&inputs);
            w.scc = carry;
            value
        }
        Scalar::Test(f) => {
            w.scc = f(&inputs);
            return;
        }
        Scalar::SaveExec(f) | Scalar::WriteExec(f) => {
            let before = w.exec;
            let after = f(inputs.a, before) & Wave::<L>::FULL;
            write(w, op, if matches!(scalar, Scalar::SaveExec(_)) { before } else { after });
            w.exec = after;
            w.scc = after != 0;
            return;
        }
    };
    write(w, op, if flush == 0 { result } else { denormal::scalar_result(flush, result) });
}

#[inline]
fn write<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: u64) {
    if op.swidth == 2 {
        w.ws64(usize::from(op.sdst), value);
    } else {
        w.ws(usize::from(op.sdst), value as u32);
    }
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

/// Past the top bit the sign goes on: the source is shifted arithmetically. inferred: LLVM folds sbfe so.
fn bfe_i32(v: u32, control: u32) -> u32 {
    let (offset, width) = (control & 31, control >> 16 & 127);
    let shifted = (v as i32) >> offset;
    match width {
        0 => 0,
        1..=31 => (shifted << (32 - width) >> (32 - width)) as u32,
        _ => shifted as u32,
    }
}

fn bfe_i64(v: u64, control: u32) -> u64 {
    let (offset, width) = (control & 63, control >> 16 & 127);
    let shifted = (v as i64) >> offset;
    match width {
        0 => 0,
        1..=63 => (shifted << (64 - width) >> (64 - width)) as u64,
        _ => shifted as u64,
    }
}

fn shift_add(i: &Inputs, by: u32) -> (u32, bool) {
    let value = (u64::from(i.a()) << by) + u64::from(i.b());
    (value as u32, value >> 32 != 0)
}

fn half(x: f32) -> u32 {
    u32::from(f16::from_f32(x).to_bits())
}

/// The product of two halves and its sum with a third are exact enough in doubles.
fn fma_half(a: f32, b: f32, c: f32) -> u32 {
    u32::from(crate::valu::kernel::half_of_double(f64::from(a) * f64::from(b) + f64::from(c)))
}

/// The table.
fn scalar(name: &str) -> Option<Scalar> {
    scalar! { name;
        "s_mov_b32" => value(|i| i.a());
        "s_mov_b64" => value(|i| i.a);
        "s_cmov_b32" => value(|i| if i.scc { i.a() } else { i.own() });
        "s_cmov_b64" => value(|i| if i.scc { i.a } else { i.own });
        "s_not_b32" => bits(|i| !i.a());
        "s_not_b64" => bits(|i| !i.a);
        "s_brev_b32" => value(|i| i.a().reverse_bits());
        "s_brev_b64" => value(|i| i.a.reverse_bits());
        "s_bcnt0_i32_b32" => bits(|i| i.a().count_zeros());
        "s_bcnt0_i32_b64" => bits(|i| i.a.count_zeros());
        "s_bcnt1_i32_b32" => bits(|i| i.a().count_ones());
        "s_bcnt1_i32_b64" => bits(|i| i.a.count_ones());
        "s_ff1_i32_b32" | "s_ctz_i32_b32" => value(|i| { let v = i.a(); if v == 0 { u32::MAX } else { v.trailing_zeros() } });
        "s_ff1_i32_b64" | "s_ctz_i32_b64" => value(|i| { let v = i.a; if v == 0 { u32::MAX } else { v.trailing_zeros() } });
        "s_flbit_i32_b32" | "s_clz_i32_u32" => value(|i| { let v = i.a(); if v == 0 { u32::MAX } else { v.leading_zeros() } });
        "s_flbit_i32_b64" | "s_clz_i32_u64" => value(|i| { let v = i.a; if v == 0 { u32::MAX } else { v.leading_zeros() } });
        "s_flbit_i32" | "s_cls_i32" => value(|i| { let v = i.a(); let same = (v ^ (v as i32 >> 31) as u32).leading_zeros(); if same == 32 { u32::MAX } else { same } });
        "s_sext_i32_i8" => value(|i| i.a() as i8 as i32 as u32);
        "s_sext_i32_i16" => value(|i| i.a() as i16 as i32 as u32);
        "s_bitset0_b32" => value(|i| i.own() & !(1 << (i.a() & 31)));
        "s_bitset1_b32" => value(|i| i.own() | 1 << (i.a() & 31));
        "s_bitset0_b64" => value(|i| i.own & !(1 << (i.a() & 63)));
        "s_bitset1_b64" => value(|i| i.own | 1 << (i.a() & 63));
        "s_abs_i32" => bits(|i| (i.a() as i32).unsigned_abs());
        "s_and_saveexec_b64" | "s_and_saveexec_b32" => save_exec(|m, e| m & e);
        "s_or_saveexec_b64" | "s_or_saveexec_b32" => save_exec(|m, e| m | e);
        "s_xor_saveexec_b64" | "s_xor_saveexec_b32" => save_exec(|m, e| m ^ e);
        "s_nand_saveexec_b64" | "s_nand_saveexec_b32" => save_exec(|m, e| !(m & e));
        "s_nor_saveexec_b64" | "s_nor_saveexec_b32" => save_exec(|m, e| !(m | e));
        "s_xnor_saveexec_b64" | "s_xnor_saveexec_b32" => save_exec(|m, e| !(m ^ e));
        "s_andn2_saveexec_b64" | "s_and_not1_saveexec_b64" | "s_and_not1_saveexec_b32" => save_exec(|m, e| m & !e);
        "s_orn2_saveexec_b64" | "s_or_not1_saveexec_b64" | "s_or_not1_saveexec_b32" => save_exec(|m, e| m | !e);
        "s_andn1_saveexec_b64" | "s_and_not0_saveexec_b64" | "s_and_not0_saveexec_b32" => save_exec(|m, e| !m & e);
        "s_orn1_saveexec_b64" | "s_or_not0_saveexec_b64" | "s_or_not0_saveexec_b32" => save_exec(|m, e| !m | e);
        "s_andn1_wrexec_b64" | "s_and_not0_wrexec_b64" | "s_and_not0_wrexec_b32" => write_exec(|m, e| !m & e);
        "s_andn2_wrexec_b64" | "s_and_not1_wrexec_b64" | "s_and_not1_wrexec_b32" => write_exec(|m, e| m & !e);
        "s_add_u32" | "s_add_co_u32" => carry(|i| i.a().overflowing_add(i.b()));
        "s_sub_u32" | "s_sub_co_u32" => carry(|i| i.a().overflowing_sub(i.b()));
        "s_add_i32" | "s_add_co_i32" => carry(|i| { let (v, c) = (i.a() as i32).overflowing_add(i.b() as i32); (v as u32, c) });
        "s_sub_i32" | "s_sub_co_i32" => carry(|i| { let (v, c) = (i.a() as i32).overflowing_sub(i.b() as i32); (v as u32, c) });
        "s_addc_u32" | "s_add_co_ci_u32" => carry(|i| { let v = u64::from(i.a()) + u64::from(i.b()) + u64::from(i.scc); (v as u32, v >> 32 != 0) });
        "s_subb_u32" | "s_sub_co_ci_u32" => carry(|i| { let (x, y) = (u64::from(i.a()), u64::from(i.b()) + u64::from(i.scc)); (x.wrapping_sub(y) as u32, y > x) });
        "s_add_nc_u64" | "s_add_u64" => value(|i| i.a.wrapping_add(i.b));
        "s_sub_nc_u64" | "s_sub_u64" => value(|i| i.a.wrapping_sub(i.b));
        "s_mul_u64" => value(|i| i.a.wrapping_mul(i.b));
        "s_min_i32" => carry(|i| { let (x, y) = (i.a() as i32, i.b() as i32); (x.min(y) as u32, x < y) });
        "s_min_u32" => carry(|i| { let (x, y) = (i.a(), i.b()); (x.min(y), x < y) });
        "s_max_i32" => carry(|i| { let (x, y) = (i.a() as i32, i.b() as i32); (x.max(y) as u32, x > y) });
        "s_max_u32" => carry(|i| { let (x, y) = (i.a(), i.b()); (x.max(y), x > y) });
        "s_absdiff_i32" => bits(|i| (i.a() as i32).wrapping_sub(i.b() as i32).unsigned_abs());
        "s_cselect_b32" => value(|i| if i.scc { i.a() } else { i.b() });
        "s_cselect_b64" => value(|i| if i.scc { i.a } else { i.b });
        "s_and_b32" => bits(|i| i.a() & i.b());
        "s_and_b64" => bits(|i| i.a & i.b);
        "s_or_b32" => bits(|i| i.a() | i.b());
        "s_or_b64" => bits(|i| i.a | i.b);
        "s_xor_b32" => bits(|i| i.a() ^ i.b());
        "s_xor_b64" => bits(|i| i.a ^ i.b);
        "s_andn2_b32" | "s_and_not1_b32" => bits(|i| i.a() & !i.b());
        "s_andn2_b64" | "s_and_not1_b64" => bits(|i| i.a & !i.b);
        "s_orn2_b32" | "s_or_not1_b32" => bits(|i| i.a() | !i.b());
        "s_orn2_b64" | "s_or_not1_b64" => bits(|i| i.a | !i.b);
        "s_nand_b32" => bits(|i| !(i.a() & i.b()));
        "s_nand_b64" => bits(|i| !(i.a & i.b));
        "s_nor_b32" => bits(|i| !(i.a() | i.b()));
        "s_nor_b64" => bits(|i| !(i.a | i.b));
        "s_xnor_b32" => bits(|i| !(i.a() ^ i.b()));
        "s_xnor_b64" => bits(|i| !(i.a ^ i.b));
        "s_lshl_b32" => bits(|i| i.a() << (i.b() & 31));
        "s_lshl_b64" => bits(|i| i.a << (i.b() & 63));
        "s_lshr_b32" => bits(|i| i.a() >> (i.b() & 31));
        "s_lshr_b64" => bits(|i| i.a >> (i.b() & 63));
        "s_ashr_i32" => bits(|i| (i.a() as i32 >> (i.b() & 31)) as u32);
        "s_ashr_i64" => bits(|i| (i.a as i64 >> (i.b() & 63)) as u64);
        "s_lshl1_add_u32" => carry(|i| shift_add(i, 1));
        "s_lshl2_add_u32" => carry(|i| shift_add(i, 2));
        "s_lshl3_add_u32" => carry(|i| shift_add(i, 3));
        "s_lshl4_add_u32" => carry(|i| shift_add(i, 4));
        "s_bfm_b32" => value(|i| (1u32 << (i.a() & 31)).wrapping_sub(1) << (i.b() & 31));
        "s_bfm_b64" => value(|i| (1u64 << (i.a() & 63)).wrapping_sub(1) << (i.b() & 63));
        "s_bfe_u32" => bits(|i| bfe_u32(i.a(), i.b()));
        "s_bfe_i32" => bits(|i| bfe_i32(i.a(), i.b()));
        "s_bfe_u64" => bits(|i| bfe_u64(i.a, i.b()));
        "s_bfe_i64" => bits(|i| bfe_i64(i.a, i.b()));
        "s_mul_i32" => value(|i| i.a().wrapping_mul(i.b()));
        "s_mul_hi_u32" => value(|i| ((u64::from(i.a()) * u64::from(i.b())) >> 32) as u32);
        "s_mul_hi_i32" => value(|i| ((i64::from(i.a() as i32) * i64::from(i.b() as i32)) >> 32) as u32);
        "s_pack_ll_b32_b16" => value(|i| i.a() & 0xffff | i.b() << 16);
        "s_pack_lh_b32_b16" => value(|i| i.a() & 0xffff | i.b() & 0xffff_0000);
        "s_pack_hh_b32_b16" => value(|i| i.a() >> 16 | i.b() & 0xffff_0000);
        "s_pack_hl_b32_b16" => value(|i| i.a() >> 16 | i.b() << 16);
        "s_bitcmp0_b32" => test(|i| i.a() >> (i.b() & 31) & 1 == 0);
        "s_bitcmp1_b32" => test(|i| i.a() >> (i.b() & 31) & 1 == 1);
        "s_bitcmp0_b64" => test(|i| i.a >> (i.b() & 63) & 1 == 0);
        "s_bitcmp1_b64" => test(|i| i.a >> (i.b() & 63) & 1 == 1);
        "s_cmp_eq_i32" | "s_cmp_eq_u32" => test(|i| i.a() == i.b());
        "s_cmp_lg_i32" | "s_cmp_lg_u32" => test(|i| i.a() != i.b());
        "s_cmp_gt_i32" => test(|i| i.a() as i32 > i.b() as i32);
        "s_cmp_ge_i32" => test(|i| i.a() as i32 >= i.b() as i32);
        "s_cmp_lt_i32" => test(|i| (i.a() as i32) < i.b() as i32);
        "s_cmp_le_i32" => test(|i| i.a() as i32 <= i.b() as i32);
        "s_cmp_gt_u32" => test(|i| i.a() > i.b());
        "s_cmp_ge_u32" => test(|i| i.a() >= i.b());
        "s_cmp_lt_u32" => test(|i| i.a() < i.b());
        "s_cmp_le_u32" => test(|i| i.a() <= i.b());
        "s_cmp_eq_u64" => test(|i| i.a == i.b);
        "s_cmp_lg_u64" => test(|i| i.a != i.b);
        "s_movk_i32" => value(|i| i.k);
        "s_cmovk_i32" => value(|i| if i.scc { i.k } else { i.own() });
        "s_addk_i32" | "s_addk_co_i32" => carry(|i| { let (v, c) = (i.own() as i32).overflowing_add(i.k as i32); (v as u32, c) });
        "s_mulk_i32" => value(|i| i.own().wrapping_mul(i.k));
        "s_cmpk_eq_i32" => test(|i| i.own() == i.k);
        "s_cmpk_lg_i32" => test(|i| i.own() != i.k);
        "s_cmpk_gt_i32" => test(|i| i.own() as i32 > i.k as i32);
        "s_cmpk_ge_i32" => test(|i| i.own() as i32 >= i.k as i32);
        "s_cmpk_lt_i32" => test(|i| (i.own() as i32) < i.k as i32);
        "s_cmpk_le_i32" => test(|i| i.own() as i32 <= i.k as i32);
        "s_cmpk_eq_u32" => test(|i| i.own() == i.k & 0xffff);
        "s_cmpk_lg_u32" => test(|i| i.own() != i.k & 0xffff);
        "s_cmpk_gt_u32" => test(|i| i.own() > i.k & 0xffff);
        "s_cmpk_ge_u32" => test(|i| i.own() >= i.k & 0xffff);
        "s_cmpk_lt_u32" => test(|i| i.own() < i.k & 0xffff);
        "s_cmpk_le_u32" => test(|i| i.own() <= i.k & 0xffff);
        "s_add_f32" => value(|i| (i.fa() + i.fb()).to_bits());
        "s_sub_f32" => value(|i| (i.fa() - i.fb()).to_bits());
        "s_mul_f32" => value(|i| (i.fa() * i.fb()).to_bits());
        "s_min_num_f32" => value(|i| (float_min(i.fa(), i.fb())).to_bits());
        "s_max_num_f32" => value(|i| (float_max(i.fa(), i.fb())).to_bits());
        "s_fmac_f32" => value(|i| (i.fa().mul_add(i.fb(), f32::from_bits(i.own()))).to_bits());
        "s_fmaak_f32" => value(|i| (i.fa().mul_add(i.fb(), i.fc())).to_bits());
        "s_fmamk_f32" => value(|i| (i.fa().mul_add(i.fb(), i.fc())).to_bits());
        "s_ceil_f32" => value(|i| (i.fa().ceil()).to_bits());
        "s_floor_f32" => value(|i| (i.fa().floor()).to_bits());
        "s_trunc_f32" => value(|i| (i.fa().trunc()).to_bits());
        "s_rndne_f32" => value(|i| (i.fa().round_ties_even()).to_bits());
        "s_cvt_f32_i32" => value(|i| (i.a() as i32 as f32).to_bits());
        "s_cvt_f32_u32" => value(|i| (i.a() as f32).to_bits());
        "s_cvt_i32_f32" => value(|i| i.fa() as i32 as u32);
        "s_cvt_u32_f32" => value(|i| i.fa() as u32);
        "s_cvt_f16_f32" => value(|i| f16::from_f32(i.fa()).to_bits());
        "s_cvt_f32_f16" => value(|i| (f16::from_bits(i.a() as u16).to_f32()).to_bits());
        "s_cmp_lt_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); x < y });
        "s_cmp_eq_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); x == y });
        "s_cmp_le_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); x <= y });
        "s_cmp_gt_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); x > y });
        "s_cmp_ge_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); x >= y });
        "s_cmp_lg_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); matches!(x.partial_cmp(&y), Some(Ordering::Less | Ordering::Greater)) });
        "s_cmp_neq_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); x != y });
        "s_cmp_o_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); !x.is_nan() && !y.is_nan() });
        "s_cmp_u_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); x.is_nan() || y.is_nan() });
        "s_cmp_nlt_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); x.partial_cmp(&y) != Some(Ordering::Less) });
        "s_cmp_nle_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); !matches!(x.partial_cmp(&y), Some(Ordering::Less | Ordering::Equal)) });
        "s_cmp_ngt_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); x.partial_cmp(&y) != Some(Ordering::Greater) });
        "s_cmp_nge_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); !matches!(x.partial_cmp(&y), Some(Ordering::Greater | Ordering::Equal)) });
        "s_cmp_nlg_f32" => test(|i| { let (x, y) = (i.fa(), i.fb()); !matches!(x.partial_cmp(&y), Some(Ordering::Less | Ordering::Greater)) });
        "s_maximum_f32" => value(|i| (float_maximum(i.fa(), i.fb())).to_bits());
        "s_minimum_f32" => value(|i| (float_minimum(i.fa(), i.fb())).to_bits());
        "s_add_f16" => value(|i| half(i.ha() + i.hb()));
        "s_sub_f16" => value(|i| half(i.ha() - i.hb()));
        "s_mul_f16" => value(|i| half(i.ha() * i.hb()));
        "s_min_num_f16" => value(|i| half(float_min(i.ha(), i.hb())));
        "s_max_num_f16" => value(|i| half(float_max(i.ha(), i.hb())));
        "s_maximum_f16" => value(|i| half(float_maximum(i.ha(), i.hb())));
        "s_minimum_f16" => value(|i| half(float_minimum(i.ha(), i.hb())));
        "s_fmac_f16" => value(|i| fma_half(i.ha(), i.hb(), f16::from_bits(i.own() as u16).to_f32()));
        "s_ceil_f16" => value(|i| half(i.ha().ceil()));
        "s_floor_f16" => value(|i| half(i.ha().floor()));
        "s_trunc_f16" => value(|i| half(i.ha().trunc()));
        "s_rndne_f16" => value(|i| half(i.ha().round_ties_even()));
        "s_cvt_hi_f32_f16" => value(|i| (f16::from_bits((i.a() >> 16) as u16).to_f32()).to_bits());
        "s_cvt_pk_rtz_f16_f32" => value(|i| u32::from(crate::valu::toward_zero(i.fa())) | u32::from(crate::valu::toward_zero(i.fb())) << 16);
        "s_cmp_lt_f16" => test(|i| i.ha() < i.hb());
        "s_cmp_eq_f16" => test(|i| i.ha() == i.hb());
        "s_cmp_le_f16" => test(|i| i.ha() <= i.hb());
        "s_cmp_gt_f16" => test(|i| i.ha() > i.hb());
        "s_cmp_ge_f16" => test(|i| i.ha() >= i.hb());
        "s_cmp_lg_f16" => test(|i| i.ha() < i.hb() || i.ha() > i.hb());
        "s_cmp_neq_f16" => test(|i| i.ha() != i.hb());
        "s_cmp_o_f16" => test(|i| !i.ha().is_nan() && !i.hb().is_nan());
        "s_cmp_u_f16" => test(|i| i.ha().is_nan() || i.hb().is_nan());
        "s_cmp_nlt_f16" => test(|i| i.ha().partial_cmp(&i.hb()) != Some(Ordering::Less));
        "s_cmp_nle_f16" => test(|i| !matches!(i.ha().partial_cmp(&i.hb()), Some(Ordering::Less | Ordering::Equal)));
        "s_cmp_ngt_f16" => test(|i| i.ha().partial_cmp(&i.hb()) != Some(Ordering::Greater));
        "s_cmp_nge_f16" => test(|i| !matches!(i.ha().partial_cmp(&i.hb()), Some(Ordering::Greater | Ordering::Equal)));
        "s_cmp_nlg_f16" => test(|i| !matches!(i.ha().partial_cmp(&i.hb()), Some(Ordering::Less | Ordering::Greater)));
        "s_ff0_i32_b32" => value(|i| { let v = !i.a(); if v == 0 { u32::MAX } else { v.trailing_zeros() } });
        "s_ff0_i32_b64" => value(|i| { let v = !i.a; if v == 0 { u32::MAX } else { v.trailing_zeros() } });
        "s_flbit_i32_i64" | "s_cls_i32_i64" => value(|i| { let v = i.a; let same = (v ^ (v as i64 >> 63) as u64).leading_zeros(); if same == 64 { u32::MAX } else { same } });
        "s_quadmask_b64" => bits(|i| { let v = i.a; (0..16).fold(0u64, |m, q| m | u64::from(v >> (4 * q) & 15 != 0) << q) });
        "s_wqm_b64" => bits(|i| { let v = i.a; (0..16).fold(0u64, |m, q| m | if v >> (4 * q) & 15 != 0 { 15 << (4 * q) } else { 0 }) });
        "s_quadmask_b32" => bits(|i| { let v = i.a(); (0..8).fold(0, |m, q| m | u32::from(v >> (4 * q) & 15 != 0) << q) });
        "s_wqm_b32" => bits(|i| { let v = i.a(); (0..8).fold(0, |m, q| m | if v >> (4 * q) & 15 != 0 { 15u32 << (4 * q) } else { 0 }) });
        "s_bitreplicate_b64_b32" => value(|i| { let v = i.a(); (0..32).fold(0u64, |m, q| m | if v >> q & 1 == 1 { 3 << (2 * q) } else { 0 }) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_fields_come_out_with_their_sign() {
        assert_eq!(bfe_u32(0xabcd_1234, 0x0008_0008), 0x12);
        assert_eq!(bfe_i32(0x0000_8000, 0x0001_000f), u32::MAX);
        assert_eq!(bfe_i32(0x8000_0000, 0x0008_001c), 0xffff_fff8);
        assert_eq!(bfe_i64(1 << 63, 0x0008_003c), -8i64 as u64);
        assert_eq!(bfe_u64(1 << 40, 0x0010_0028), 1);
        assert_eq!(bfe_u32(5, 0), 0);
    }
}
