//! Turns decoded instructions into operations: operands resolved, constants in the bits of their type, handler chosen.

mod memory;
mod operand;
mod product;
mod touches;

use tilehaul_isa::gcn::format::{Field, Format, Generation};
use tilehaul_isa::gcn::table::{Class, Row};
use tilehaul_isa::gcn::{Inst, Placed, Tail};
use tilehaul_machine::PlaceId;

use crate::form::Form;
use crate::op::{Action, Lanes, Op, Reg, Rest, Src, SrcKind, Work};
use crate::valu::kernel::Part;
use crate::{control, engine, lds, matrix, salu, valu};
use memory::memory_operands;
pub(crate) use operand::slot_of;
use operand::{Fill, operands, src_of};
use touches::touches;

/// The operation of one instruction; `index` is its number in the module, `target_of` finds a branch target.
pub(crate) fn lower<const L: usize>(
    placed: &Placed,
    index: usize,
    target_of: impl Fn(u64) -> Option<usize>,
) -> Op<L> {
    let mut op = empty(PlaceId(index as u32));
    let Ok(inst) = placed.inst else { return op };
    op.rest.inst = Some(inst);
    let name = base_name(inst.row.mnemonic);
    operands(&mut op, &inst, inst.row, false);
    modifiers(&mut op, &inst);
    if inst.second.is_some() {
        dual_modifiers(&mut op, &inst, false, inst.row);
    }
    immediates(&mut op, &inst, placed, target_of);
    memory_operands(&mut op, &inst, name);
    accumulate(&mut op, name);
    op.action = handler(&inst, name, &mut op);
    op.translates = matches!(
        inst.row.format,
        Format::Global | Format::Flat | Format::Scratch | Format::Vbuffer | Format::Smem
    );
    touches(&mut op);
    if let Some(second) = inst.second {
        let mut y = empty(op.place);
        y.rest.inst = Some(inst);
        operands(&mut y, &inst, second, true);
        dual_modifiers(&mut y, &inst, true, second);
        let y_name = dual_name(second.mnemonic);
        accumulate(&mut y, y_name);
        y.action = valu::lower(y_name, &mut y).unwrap_or(Action::Missing);
        touches(&mut y);
        op.rest.touches.extend(&y.rest.touches);
        op.rest.touches_s.extend(&y.rest.touches_s);
        let both = matches!((op.action, y.action), (Action::Alu(_), Action::Alu(_)));
        op.second = Some(Box::new(y));
        if !both {
            op.action = Action::Missing;
        }
    }
    op
}

fn empty<const L: usize>(place: PlaceId) -> Op<L> {
    Op {
        action: Action::Missing,
        place,
        vdst: Reg::default(),
        sdst: 255,
        swidth: 0,
        src: [Src::NONE; 3],
        clamp: false,
        omod: 0,
        fancy: false,
        opsel: 0,
        opsel_hi: 0,
        neg_lo: 0,
        neg_hi: 0,
        imm: 0,
        imm2: 0,
        lanes: Lanes::Straight,
        second: None,
        work: Work::None,
        parts: [Part::Absent; 3],
        result: Part::Absent,
        direct: false,
        denormals: 0,
        writes_exec: false,
        addr: Reg::default(),
        data: Reg::default(),
        data1: Reg::default(),
        saddr: Src::NONE,
        rsrc: 0,
        form: Form::default(),
        returns: false,
        translates: false,
        swapped: false,
        spins: false,
        polls: false,
        scope: None,
        rest: Box::new(Rest { groups: [0x7c; 4], ..Rest::default() }),
    }
}

/// The name without its encoding suffix.
pub(crate) fn base_name(mnemonic: &'static str) -> &'static str {
    let name = mnemonic.strip_suffix("_e32").or(mnemonic.strip_suffix("_e64")).unwrap_or(mnemonic);
    if name.starts_with("v_dual_") { dual_name(name) } else { name }
}

/// `v_dual_mul_f32` computes what `v_mul_f32` does.
fn dual_name(mnemonic: &'static str) -> &'static str {
    const NAMES: &[(&str, &str)] = &[
        ("v_dual_fmac_f32", "v_fmac_f32"),
        ("v_dual_fmaak_f32", "v_fmaak_f32"),
        ("v_dual_fmamk_f32", "v_fmamk_f32"),
        ("v_dual_mul_f32", "v_mul_f32"),
        ("v_dual_add_f32", "v_add_f32"),
        ("v_dual_sub_f32", "v_sub_f32"),
        ("v_dual_subrev_f32", "v_subrev_f32"),
        ("v_dual_mul_dx9_zero_f32", "v_mul_dx9_zero_f32"),
        ("v_dual_mov_b32", "v_mov_b32"),
        ("v_dual_cndmask_b32", "v_cndmask_b32"),
        ("v_dual_max_num_f32", "v_max_num_f32"),
        ("v_dual_min_num_f32", "v_min_num_f32"),
        ("v_dual_dot2acc_f32_f16", "v_dot2acc_f32_f16"),
        ("v_dual_dot2acc_f32_bf16", "v_dot2acc_f32_bf16"),
        ("v_dual_add_nc_u32", "v_add_nc_u32"),
        ("v_dual_lshlrev_b32", "v_lshlrev_b32"),
        ("v_dual_bitop2_b32", "v_bitop2_b32"),
        ("v_dual_fma_f32", "v_fma_f32"),
        ("v_dual_sub_nc_u32", "v_sub_nc_u32"),
        ("v_dual_lshrrev_b32", "v_lshrrev_b32"),
        ("v_dual_ashrrev_i32", "v_ashrrev_i32"),
        ("v_dual_max_i32", "v_max_i32"),
        ("v_dual_min_i32", "v_min_i32"),
        ("v_dual_fma_f64", "v_fma_f64"),
        ("v_dual_add_f64", "v_add_f64"),
        ("v_dual_mul_f64", "v_mul_f64"),
        ("v_dual_max_num_f64", "v_max_num_f64"),
        ("v_dual_min_num_f64", "v_min_num_f64"),
    ];
    NAMES.iter().find(|(dual, _)| *dual == mnemonic).map_or(mnemonic, |(_, plain)| plain)
}

fn modifiers<const L: usize>(op: &mut Op<L>, inst: &Inst) {
    let flags = &inst.row.flags;
    let bit = |field, i: usize| inst.field(field) >> i & 1 == 1;
    op.opsel = inst.field(Field::OpSel) as u8;
    op.opsel_hi = (inst.field(Field::OpSelHi) | inst.field(Field::OpSelHi2) << 2) as u8;
    match inst.row.format {
        Format::Vop3 => {
            for i in 0..3 {
                op.src[i].neg = flags.neg >> i & 1 == 1 && bit(Field::Neg, i);
                op.src[i].abs = flags.abs >> i & 1 == 1 && bit(Field::Abs, i);
            }
            op.clamp = flags.clamp && inst.field(Field::Clamp) == 1;
            op.omod = if flags.omod { inst.field(Field::Omod) as u8 } else { 0 };
            // On gfx9 op_sel picks halves of whole registers.
            if inst.target.generation() == Generation::Gfx9 && flags.opsel_entries > 0 {
                for i in 0..3 {
                    op.src[i].high = bit(Field::OpSel, i);
                }
                op.vdst.high = bit(Field::OpSel, 3);
            }
            if flags.bitop3 {
                op.imm2 = inst.field(Field::Omod) << 6 | inst.field(Field::Abs) << 3 | inst.field(Field::Neg);
            }
            if flags.bytesel != 0 {
                let s = u32::from(op.opsel);
                op.imm2 = if flags.bytesel & 4 != 0 { s >> 2 & 3 } else { (s & 1) << 1 | s >> 1 & 1 };
            }
        }
        Format::Vop3p | Format::Scaled | Format::Scaled16 => {
            // CDNA's matrix instructions have CBSZ and BLGP there.
            if !flags.mai {
                op.neg_lo = inst.field(Field::Neg) as u8;
                op.neg_hi = inst.field(Field::NegHi) as u8;
            }
            op.clamp = flags.clamp && inst.field(Field::Clamp) == 1;
        }
        _ => {}
    }
    match inst.tail {
        Tail::Dpp(v) => op.lanes = Lanes::Dpp(v),
        Tail::Dpp8(v, fi) => op.lanes = Lanes::Dpp8(v, fi),
        Tail::Sdwa(v) => op.lanes = Lanes::Sdwa(v),
        _ => {}
    }
    if matches!(inst.row.format, Format::Vop1 | Format::Vop2 | Format::Vopc) {
        match inst.tail {
            Tail::Dpp(v) => {
                for i in 0..2 {
                    op.src[i].neg = v >> (20 + 2 * i) & 1 == 1;
                    op.src[i].abs = v >> (21 + 2 * i) & 1 == 1;
                }
            }
            Tail::Sdwa(v) => {
                for (i, shift) in [16, 24].into_iter().enumerate() {
                    op.src[i].neg = v >> (shift + 4) & 1 == 1;
                    op.src[i].abs = v >> (shift + 5) & 1 == 1;
                }
                if inst.row.format == Format::Vopc {
                    if v >> 15 & 1 == 1 {
                        (op.sdst, op.swidth) = ((v >> 8 & 127) as u8, 2);
                    }
                } else {
                    op.clamp = v >> 13 & 1 == 1;
                    op.omod = (v >> 14 & 3) as u8;
                }
            }
            _ => {}
        }
    }
    op.fancy = op.lanes != Lanes::Straight;
}

fn dual_modifiers<const L: usize>(op: &mut Op<L>, inst: &Inst, y: bool, row: &Row) {
    if row.flags.negxy {
        let neg = inst.field(if y { Field::NegY } else { Field::NegX });
        for i in 0..3 {
            op.src[i].neg = neg >> i & 1 == 1;
        }
    }
    if row.flags.bitop2 {
        op.imm2 = inst.field(if y { Field::Vsrc2Y } else { Field::Vsrc2 });
    }
}

fn immediates<const L: usize>(
    op: &mut Op<L>,
    inst: &Inst,
    placed: &Placed,
    target_of: impl Fn(u64) -> Option<usize>,
) {
    let simm = inst.field(Field::Simm16);
    for spec in &inst.row.operands {
        match spec.class {
            Class::Label => {
                let to =
                    placed.address.wrapping_add(4).wrapping_add_signed(i64::from(simm as u16 as i16) * 4);
                op.imm = target_of(to).map_or(-1, |i| i as i64);
                op.imm2 = simm;
            }
            Class::Hwreg => op.imm2 = simm,
            Class::Literal(_) if inst.row.format == Format::Sopk => {
                op.src[2] = src_of(inst.operand(spec), spec, Fill::Whole)
            }
            Class::SendMsg => op.imm = i64::from(inst.field(spec.field)),
            Class::Hex if inst.row.format == Format::Sopk => op.imm = i64::from(simm as u16 as i16),
            Class::Hex
            | Class::Dec
            | Class::Num
            | Class::Opt
            | Class::WaitCnt
            | Class::DelayAlu
            | Class::DepCtr
            | Class::GprIdx
                if spec.field == Field::Simm16 =>
            {
                op.imm = i64::from(simm);
            }
            _ => {}
        }
    }
}

/// Operations that add to their destination read it as source 2.
fn accumulate<const L: usize>(op: &mut Op<L>, name: &str) {
    let accumulates = ["v_fmac_", "v_mac_", "v_pk_fmac_", "v_dot2c_", "v_dot2acc_", "v_dot4c_"];
    if !accumulates.iter().any(|prefix| name.starts_with(prefix)) {
        return;
    }
    let Reg { n, slot, width, high, .. } = op.vdst;
    op.src[2] = Src { kind: SrcKind::V(n), slot, width, high, ..Src::NONE };
    // Packed ones have no selectors: low with low, high with high.
    (op.opsel, op.opsel_hi) = (0, 7);
}

fn handler<const L: usize>(inst: &Inst, name: &'static str, op: &mut Op<L>) -> Action<L> {
    let lds_bit = inst.row.flags.lds && inst.field(Field::Lds) == 1;
    if let Some(action) = engine::handler(name, lds_bit) {
        return action;
    }
    if matrix::is_product(name) {
        return product::handler(inst, name, op);
    }
    if op.clamp && !valu::clamps(name) {
        return Action::Missing;
    }
    control::handler(name)
        .or_else(|| crate::memory::handler(name))
        .or_else(|| lds::handler(name))
        .or_else(|| salu::lower(name, op))
        .or_else(|| valu::lower(name, op))
        .unwrap_or(Action::Missing)
}
