//! Memory instructions: addresses, data registers, the form of the access.

use tilehaul_isa::gcn::Inst;
use tilehaul_isa::gcn::Operand;
use tilehaul_isa::gcn::format::{Field, Format, Generation};

use super::operand::{Fill, reg_of, src_of};
use crate::form::{self, Extend, Form, Kind};
use crate::op::{Op, Reg, Src, SrcKind};
use crate::wave::ACC_BASE;
use crate::{coherence, lds};

pub(super) fn memory_operands<const L: usize>(op: &mut Op<L>, inst: &Inst, name: &str) {
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
    // A direct load has no destination register: its field means nothing.
    if row.flags.lds && inst.field(Field::Lds) == 1 {
        op.vdst = Reg::default();
    }
    let rest =
        ["global_", "flat_", "scratch_", "buffer_", "cluster_"].iter().find_map(|p| name.strip_prefix(p));
    if let Some(form) = rest.and_then(form::of) {
        op.form = form;
    }
    if let Some((_, which)) = name.split_once("global_").filter(|(_, rest)| rest.contains("_addtid")) {
        let kind = if which.starts_with("load") { Kind::Load } else { Kind::Store };
        op.form = Form { kind, bytes: 4, extend: Extend::None, high: false };
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
        } else if let Some((bytes, unit)) = lds::two_exchanges(rest) {
            op.form = Form { kind: Kind::Atomic(form::Rmw::Swap), bytes, extend: Extend::None, high: false };
            (op.imm2, op.returns) = (unit, true);
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
    let rest = name.strip_prefix("s_").unwrap_or(name);
    let rest = rest.strip_prefix("buffer_").unwrap_or(rest);
    if rest.starts_with("store_") {
        op.form.kind = Kind::Store;
    } else if let Some(form) = form::of(rest).filter(|_| rest.starts_with("atomic_")) {
        (op.form, op.returns) = (form, inst.field(Field::Sc0) == 1);
    }
    // What the offset register counts.
    let scaled = inst.row.flags.scale && inst.field(Field::Scale) == 1;
    op.imm2 = if scaled { u32::from(bytes) } else { 1 };
}
