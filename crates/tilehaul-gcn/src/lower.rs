//! Turns decoded instructions into operations: operands resolved, constants in the bits of their type, handler chosen.

use tilehaul_isa::gcn::format::{Field, Format, Generation};
use tilehaul_isa::gcn::table::{Class, Constants, OperandSpec, Row, Source};
use tilehaul_isa::gcn::{Inst, Operand, Placed, Tail, Target};
use tilehaul_machine::PlaceId;

use crate::form::{self, Extend, Form, Kind};
use crate::op::{Action, Lanes, Op, Reg, Rest, Src, SrcKind, Work};
use crate::valu::kernel::Part;
use crate::wave::ACC_BASE;
use crate::{coherence, control, engine, lds, matrix, memory, salu, valu};

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

fn slot_of(field: Field) -> u8 {
    match field {
        Field::Vdst | Field::VdstY => 3,
        Field::Src1 | Field::Vsrc1 | Field::Vsrc1Y | Field::Data0 | Field::Vsrc | Field::Data => 1,
        Field::Src2 | Field::Vsrc2 | Field::Vsrc2Y | Field::Data1 => 2,
        Field::Vdata => 3,
        _ => 0,
    }
}

fn reg_of(operand: Operand, field: Field) -> Reg {
    let slot = slot_of(field);
    match operand {
        Operand::Vgpr { first, count } => Reg { n: first, slot, width: count, high: false, is: true },
        Operand::VgprHalf { index, high } => Reg { n: index, slot, width: 1, high, is: true },
        Operand::Agpr { first, count } => {
            Reg { n: first + ACC_BASE, slot, width: count, high: false, is: true }
        }
        _ => Reg::default(),
    }
}

/// How a literal fills an operand of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fill {
    /// 32 bits, sign-extended.
    Signed,
    /// 32 bits, zeros above.
    Unsigned,
    /// 32 bits, the upper half of a double.
    Double,
    /// It has all 64 bits.
    Whole,
}

fn src_of(operand: Operand, spec: &OperandSpec, fill: Fill) -> Src {
    let mut src = Src { slot: slot_of(spec.field), width: 1, ..Src::NONE };
    match operand {
        Operand::Vgpr { first, count } => (src.kind, src.width) = (SrcKind::V(first), count),
        Operand::VgprHalf { index, high } => (src.kind, src.high) = (SrcKind::V(index), high),
        Operand::Agpr { first, count } => (src.kind, src.width) = (SrcKind::V(first + ACC_BASE), count),
        Operand::Sgpr { first, count } => (src.kind, src.width) = (SrcKind::S(first), count),
        Operand::Int(v) => src.kind = SrcKind::Const(i64::from(v) as u64),
        Operand::Float(code) => src.kind = SrcKind::Const(float_bits(code, spec)),
        Operand::Literal(v) => src.kind = SrcKind::Const(literal_bits(v, spec, fill)),
        Operand::Imm(v) => src.kind = SrcKind::Const(u64::from(v)),
        Operand::Off => {}
    }
    // Operands of mixed formats name as many registers as their format needs.
    if let Class::Source(source) = spec.class
        && !matches!(src.kind, SrcKind::V(_))
    {
        src.width = source.width;
    }
    src
}

fn inline_float(code: u8) -> f64 {
    [0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 0.159_154_943_091_895_32]
        .get(usize::from(code.saturating_sub(240)))
        .copied()
        .unwrap_or(0.0f64)
}

fn float_bits(code: u8, spec: &OperandSpec) -> u64 {
    let value = inline_float(code);
    match spec.class {
        Class::Source(Source { constants: Constants::Half | Constants::Short, .. }) => {
            u64::from(half::f16::from_f64(value).to_bits())
        }
        Class::Source(Source { width: 2, .. }) => value.to_bits(),
        _ => u64::from((value as f32).to_bits()),
    }
}

fn literal_bits(v: u64, spec: &OperandSpec, fill: Fill) -> u64 {
    match (spec.class, fill) {
        (Class::Source(Source { width: 2, .. }), Fill::Double) => v << 32,
        (Class::Source(Source { width: 2, .. }), Fill::Signed) => i64::from(v as u32 as i32) as u64,
        _ => v,
    }
}

fn operands<const L: usize>(op: &mut Op<L>, inst: &Inst, row: &Row, y: bool) {
    // A 32-bit literal of a signed 64-bit operand has its sign above, of any other zeros. inferred: the masks of LLVM.
    let short = match row.mnemonic {
        name if name.contains("f64") => Fill::Double,
        name if name.contains("i64") => Fill::Signed,
        _ => Fill::Unsigned,
    };
    // 254 in a source field says that the literal has 64 bits.
    let fill = |field: Field| {
        let whole = matches!(inst.tail, Tail::Literal64(_)) && inst.field(field) == 254;
        if whole { Fill::Whole } else { short }
    };
    let packed_single = row.mnemonic.starts_with("v_pk_") && row.mnemonic.ends_with("_f32");
    for spec in &row.operands {
        let value = if y { inst.operand_y(spec) } else { inst.operand(spec) };
        match spec.field {
            Field::Vdst => match value {
                Operand::Sgpr { first, count } => (op.sdst, op.swidth) = (first, count),
                _ => op.vdst = reg_of(value, if y { Field::VdstY } else { Field::Vdst }),
            },
            Field::Sdst => {
                if let Operand::Sgpr { first, count } = value {
                    (op.sdst, op.swidth) = (first, count);
                }
            }
            Field::Src0 | Field::Ssrc0 => {
                op.src[0] = src_of(
                    value,
                    spec,
                    fill(if y && spec.field == Field::Src0 { Field::Src0Y } else { spec.field }),
                )
            }
            Field::Src1 | Field::Vsrc1 | Field::Ssrc1 => {
                op.src[1] = src_of(
                    value,
                    spec,
                    fill(if y && spec.field == Field::Src0 { Field::Src0Y } else { spec.field }),
                )
            }
            Field::Src2 | Field::Vsrc2 => {
                op.src[2] = src_of(
                    value,
                    spec,
                    fill(if y && spec.field == Field::Src0 { Field::Src0Y } else { spec.field }),
                )
            }
            Field::ScaleA => {
                op.rest.scales[0] = src_of(
                    value,
                    spec,
                    fill(if y && spec.field == Field::Src0 { Field::Src0Y } else { spec.field }),
                )
            }
            Field::ScaleB => {
                op.rest.scales[1] = src_of(
                    value,
                    spec,
                    fill(if y && spec.field == Field::Src0 { Field::Src0Y } else { spec.field }),
                )
            }
            Field::Literal => {
                // `fmaak` adds the literal, `fmamk` multiplies by it and has its other source last.
                let constant = src_of(value, spec, Fill::Whole);
                if row.mnemonic.contains("fmamk") || row.mnemonic.contains("madmk") {
                    op.src[2] = op.src[1];
                    op.src[1] = constant;
                } else {
                    op.src[2] = constant;
                }
            }
            _ => {}
        }
    }
    if row.mnemonic.contains("fmamk") || row.mnemonic.contains("madmk") {
        // The operands stand as source 0, literal, source 1: read after the literal.
        if let Some(spec) = row.operands.iter().find(|o| matches!(o.field, Field::Vsrc1 | Field::Ssrc1)) {
            let value = if y { inst.operand_y(spec) } else { inst.operand(spec) };
            op.src[2] = src_of(
                value,
                spec,
                fill(if y && spec.field == Field::Src0 { Field::Src0Y } else { spec.field }),
            );
        }
        if let Some(spec) = row.operands.iter().find(|o| o.field == Field::Literal) {
            op.src[1] = src_of(inst.operand(spec), spec, Fill::Whole);
        }
    }
    // An inline constant is a half there, on gfx1250 in both halves. hardware: llvm-project #94116 (gfx11 and later).
    if row.mnemonic.starts_with("v_pk_fmac_f16")
        && let Some(spec) = row.operands.iter().find(|o| o.field == Field::Src0)
        && let Operand::Float(code) = inst.operand(spec)
    {
        let half = u64::from(half::f16::from_f64(inline_float(code)).to_bits());
        let gfx9 = inst.target.generation() == Generation::Gfx9;
        op.src[0].kind = SrcKind::Const(if gfx9 { half } else { half | half << 16 });
    }
    if packed_single {
        for src in &mut op.src {
            if let SrcKind::Const(v) = src.kind {
                // One 32-bit constant stands for both halves.
                let word = if v >> 32 != 0 && v as u32 == 0 {
                    (f64::from_bits(v) as f32).to_bits()
                } else {
                    v as u32
                };
                src.kind = SrcKind::Const(u64::from(word));
            }
        }
    }
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

fn memory_operands<const L: usize>(op: &mut Op<L>, inst: &Inst, name: &str) {
    let row = inst.row;
    let gfx9 = inst.target.generation() == Generation::Gfx9;
    let signed = |v: u32, bits: u32| i64::from((v << (32 - bits)) as i32 >> (32 - bits));
    match row.format {
        Format::Ds => op.imm = i64::from(inst.field(Field::Offset) | inst.field(Field::Offset1) << 8),
        Format::Flat if gfx9 => op.imm = i64::from(inst.field(Field::Offset) & 0xfff),
        Format::Global | Format::Scratch if gfx9 => op.imm = signed(inst.field(Field::Offset), 13),
        Format::Flat | Format::Global | Format::Scratch => op.imm = signed(inst.field(Field::Ioffset), 24),
        Format::Mubuf | Format::Mtbuf => op.imm = i64::from(inst.field(Field::Offset)),
        Format::Vbuffer => op.imm = i64::from(inst.field(Field::Ioffset)),
        Format::Smem => return scalar_operands(op, inst, name),
        Format::Vimage => {
            for (slot, field) in
                op.rest.groups.iter_mut().zip([Field::Group0, Field::Group1, Field::Group2, Field::Group3])
            {
                *slot = inst.field(field) as u8;
            }
            return;
        }
        _ => return,
    }
    for spec in &row.operands {
        let value = inst.operand(spec);
        match (spec.field, spec.class) {
            (Field::Addr | Field::Vaddr, _) => op.addr = reg_of(value, spec.field),
            (Field::Data | Field::Data0 | Field::Vsrc, _) => op.data = reg_of(value, spec.field),
            (Field::Data1, _) => op.data1 = reg_of(value, spec.field),
            (Field::Vdata, _) => {
                op.data = reg_of(value, spec.field);
                op.vdst = op.data;
            }
            (Field::Saddr | Field::Soffset, _) => op.saddr = src_of(value, spec, Fill::Whole),
            (Field::Rsrc, _) => {
                if let Operand::Sgpr { first, .. } = value {
                    op.rsrc = first;
                }
            }
            _ => {}
        }
    }
    if matches!(row.format, Format::Mubuf | Format::Mtbuf | Format::Vbuffer) {
        op.imm2 = inst.field(Field::Offen) | inst.field(Field::Idxen) << 1;
    }
    // The LDS address register of asynchronous loads stands in the place of a destination.
    if name.contains("load_async_to_lds") {
        op.data = op.vdst;
        op.vdst = Reg::default();
    }
    let rest =
        ["global_", "flat_", "scratch_", "buffer_", "cluster_"].iter().find_map(|p| name.strip_prefix(p));
    if let Some(form) = rest.and_then(form::of) {
        op.form = form;
    }
    if row.format == Format::Ds {
        let rest = name.strip_prefix("ds_").unwrap_or(name);
        if let Some(form) = form::of(rest) {
            op.form = form;
        } else if let Some((bytes, unit)) = lds::two(rest) {
            let kind =
                if rest.starts_with("read") || rest.starts_with("load") { Kind::Load } else { Kind::Store };
            op.form = Form { kind, bytes, extend: Extend::None, high: false };
            op.imm2 = unit;
        } else if let Some((form, returns)) = form::ds_atomic(name) {
            (op.form, op.returns) = (form, returns);
        } else if rest.contains("addtid") {
            let kind = if op.vdst.is { Kind::Load } else { Kind::Store };
            op.form = Form { kind, bytes: 4, extend: Extend::None, high: false };
        }
    }
    if matches!(op.form.kind, Kind::Atomic(_)) && row.format != Format::Ds {
        op.returns = if gfx9 { inst.field(Field::Sc0) == 1 } else { inst.field(Field::Th) & 1 == 1 };
        if op.returns && !op.vdst.is {
            let first = inst.field(Field::Vdst) as u16;
            let acc = if row.flags.acc && inst.field(Field::Acc) == 1 { ACC_BASE } else { 0 };
            op.vdst = Reg { n: first + acc, slot: 3, width: op.form.dwords() as u8, high: false, is: true };
        }
    }
    if matches!(op.form.kind, Kind::Load | Kind::Store) {
        op.scope = coherence::scope(inst, gfx9);
    }
    if !gfx9 && inst.field(Field::Scale) == 1 {
        let bytes = name
            .rsplit("_b")
            .next()
            .and_then(|b| b.parse::<u32>().ok())
            .map_or(u32::from(op.form.bytes), |bits| bits / 8);
        op.imm2 = bytes.max(1);
    }
}

fn scalar_operands<const L: usize>(op: &mut Op<L>, inst: &Inst, name: &str) {
    for spec in &inst.row.operands {
        match (spec.field, inst.operand(spec)) {
            (Field::Sdata, Operand::Sgpr { first, count }) => (op.sdst, op.swidth) = (first, count),
            (Field::Sbase, Operand::Sgpr { first, count }) => {
                op.rsrc = first;
                op.src[2] = Src { kind: SrcKind::None, width: count, ..Src::NONE };
            }
            _ => {}
        }
    }
    let raw = inst.field(Field::Ioffset);
    if inst.target.generation() == Generation::Gfx9 {
        let imm = inst.field(Field::Imm) == 1;
        if imm {
            op.imm = i64::from((raw << 11) as i32 >> 11);
        }
        if inst.field(Field::SoffsetEn) == 1 {
            op.src[1] = Src { kind: SrcKind::S(inst.field(Field::Soffset) as u8), width: 1, ..Src::NONE };
        } else if !imm {
            op.src[1] = Src { kind: SrcKind::S((raw & 0x7f) as u8), width: 1, ..Src::NONE };
        }
    } else {
        op.imm = i64::from((raw << 8) as i32 >> 8);
        op.src[1] = Src { kind: SrcKind::S(inst.field(Field::Soffset) as u8), width: 1, ..Src::NONE };
    }
    let kind = name.rsplit('_').next().unwrap_or("");
    let (bytes, extend) = match kind {
        "dword" | "b32" => (4, Extend::None),
        "dwordx2" | "b64" => (8, Extend::None),
        "b96" => (12, Extend::None),
        "dwordx4" | "b128" => (16, Extend::None),
        "dwordx8" | "b256" => (32, Extend::None),
        "dwordx16" | "b512" => (64, Extend::None),
        "u8" => (1, Extend::U8),
        "i8" => (1, Extend::I8),
        "u16" => (2, Extend::U16),
        "i16" => (2, Extend::I16),
        _ => (0, Extend::None),
    };
    op.form = Form { kind: Kind::Load, bytes, extend, high: false };
    // What the offset register counts.
    let scaled = inst.row.flags.scale && inst.field(Field::Scale) == 1;
    op.imm2 = if scaled { u32::from(bytes) } else { 1 };
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
    if ["v_mfma_", "v_wmma_", "v_smfmac_", "v_swmmac_"].iter().any(|family| name.starts_with(family)) {
        let shape = if inst.row.flags.mai {
            let formats = [inst.field(Field::Cbsz), inst.field(Field::Blgp)];
            let mut shape = matrix::shape(name, inst.target == Target::Gfx942, 0, Some(formats));
            if let Some(shape) = &mut shape
                && !cdna_modifiers(shape, inst)
            {
                return Action::Missing;
            }
            shape
        } else {
            let formats = [u32::from(op.opsel & 7), u32::from(op.opsel_hi & 7)];
            matrix::shape(name, false, op.neg_lo, inst.row.flags.matrix_fmt.then_some(formats))
        };
        // Which half an index key of gfx1250 picks is nowhere documented.
        let keyed = inst.row.flags.indexkey && op.opsel & 1 == 1;
        let Some(mut shape) = shape.filter(|_| !name.contains("32x16x128") && !keyed) else {
            return Action::Missing;
        };
        if let Some(scaled) = &mut shape.scaled {
            scales(scaled, inst);
            // Powers of two, E5M3 and E4M3 have a code; the fourth has no name. manual: llvm-mc 22.
            if scaled.format.iter().any(|&code| code > 2) {
                return Action::Missing;
            }
        }
        op.work = Work::Matrix(Box::new(shape));
        return Action::Sys(matrix::multiply);
    }
    if op.clamp && !valu::clamps(name) {
        return Action::Missing;
    }
    control::handler(name)
        .or_else(|| memory::handler(name))
        .or_else(|| lds::handler(name))
        .or_else(|| salu::lower(name, op))
        .or_else(|| valu::lower(name, op))
        .unwrap_or(Action::Missing)
}

/// Takes over `cbsz`, `abid` and `blgp`; false where they mean nothing that is known.
fn cdna_modifiers(shape: &mut matrix::Shape, inst: &Inst) -> bool {
    let [cbsz, abid, blgp] = [Field::Cbsz, Field::Abid, Field::Blgp].map(|f| inst.field(f) as u8);
    if inst.row.flags.matrix_fmt {
        return abid == 0;
    }
    if shape.sparse.is_some() {
        // Without CBSZ, ABID picks a set of index bits, of which a register holds as many as fit. manual: CDNA3 ISA 7.3.
        let bits = shape.k / (64 / shape.m);
        let set = if cbsz == 0 { abid & (32 / bits.max(8)).saturating_sub(1) as u8 } else { 0 };
        shape.sparse = Some(set);
        return true;
    }
    if shape.c == tilehaul_mma::Format::F64 {
        return cbsz == 0 && abid == 0 && blgp == 0;
    }
    shape.pattern = matrix::Pattern { share: cbsz, from: abid, lanes: blgp };
    // Sharing among more blocks than there are means nothing.
    1usize << cbsz <= shape.blocks.max(1) && usize::from(abid) < 1 << cbsz
}

/// Which scales a product takes.
fn scales(scaled: &mut matrix::Scaled, inst: &Inst) {
    let (low, high) = (inst.field(Field::ScaleSel) as u8, inst.field(Field::ScaleSelHi) as u8);
    if inst.row.flags.mai {
        scaled.pick = [0, 1].map(|side| (low >> side & 1) | (high >> side & 1) << 1);
    } else {
        scaled.pick = [low, high];
        scaled.format = [Field::ScaleFormatA, Field::ScaleFormatB].map(|f| inst.field(f) as u8);
    }
}

/// The registers an operation uses, for the check of loads not yet waited for.
fn touches<const L: usize>(op: &mut Op<L>) {
    let scales = op.rest.scales;
    for src in op.src.iter().chain([&op.saddr]).chain(&scales) {
        match src.kind {
            SrcKind::V(n) => op
                .rest
                .touches
                .push((Reg { n, slot: src.slot, width: src.width.max(1), high: src.high, is: true }, false)),
            SrcKind::S(n) if n < 128 => op.rest.touches_s.push((n, src.width.max(1), false)),
            _ => {}
        }
    }
    let stores = op.form.kind != Kind::Load;
    for (reg, used) in [(op.addr, true), (op.data, stores || op.form.kind == Kind::None), (op.data1, true)] {
        if reg.is && used {
            op.rest.touches.push((reg, false));
        }
    }
    if op.vdst.is {
        op.rest.touches.push((op.vdst, true));
    }
    if op.sdst < 128 {
        op.rest.touches_s.push((op.sdst, op.swidth.max(1), true));
    }
    let memory = op
        .rest
        .inst
        .is_some_and(|i| i.row.operands.iter().any(|o| matches!(o.field, Field::Rsrc | Field::Sbase)));
    if memory {
        let width = if op.rest.inst.is_some_and(|i| i.row.format == Format::Smem) {
            op.src[2].width.max(2)
        } else {
            4
        };
        op.rest.touches_s.push((op.rsrc, width, false));
    }
    for (group, width) in op.rest.groups.iter().zip([4u8, 8, 4, 4]) {
        if *group < 0x7c {
            op.rest.touches_s.push((*group, width, false));
        }
    }
}
