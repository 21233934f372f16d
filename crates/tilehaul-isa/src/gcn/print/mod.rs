//! Disassembly text, spelled as llvm-objdump 22 spells it.

mod immediate;
mod lanes;
mod memory;
mod modifiers;
mod operand;
mod packed;

use crate::gcn::format::{Field, Format, Generation};
use crate::gcn::inst::{Inst, Operand, Tail};
use crate::gcn::table::{Class, OperandSpec, Row};
use immediate::{
    delay_text, depctr_text, gpr_index_text, hwreg_text, message_text, smem_offset_text, waitcnt_text,
};
pub(crate) use memory::hint_kind;
use modifiers::{bitop3_text, modifiers};
use operand::{double_literal, register_text, scalar, small_number};

/// The top two bits of vector register numbers that `s_set_vgpr_msb` of gfx1250 has set, for the operands that follow it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VgprBanks {
    /// The immediate of the last `s_set_vgpr_msb`: bits 1:0 for source 0, 3:2 source 1, 5:4 source 2, 7:6 destination.
    pub bits: u8,
}

impl VgprBanks {
    /// The state after `inst`.
    #[must_use]
    pub fn after(self, inst: &Inst) -> VgprBanks {
        if inst.row.mnemonic == "s_set_vgpr_msb" {
            return VgprBanks { bits: inst.field(Field::Simm16) as u8 };
        }
        self
    }

    /// The number to add to the register of an operand held in `field` of `format`.
    #[must_use]
    pub fn offset(self, format: Format, field: Field) -> u16 {
        let shift = match (format, field) {
            // Memory instructions: the address is source 0, the data source 1 (of DS also source 2).
            (_, Field::Vdst | Field::VdstY) => 6,
            (Format::Vbuffer, Field::Vdata) => 6,
            (_, Field::Src0 | Field::Src0Y | Field::Addr | Field::Vaddr) => 0,
            (_, Field::Src1 | Field::Vsrc1 | Field::Vsrc1Y | Field::Data0 | Field::Vsrc | Field::Data) => 2,
            (_, Field::Src2 | Field::Vsrc2 | Field::Vsrc2Y | Field::Data1) => 4,
            _ => return 0,
        };
        u16::from(self.bits >> shift & 3) << 8
    }
}

/// The text of one instruction.
#[must_use]
pub fn print(inst: &Inst, banks: VgprBanks) -> String {
    let mut out = String::with_capacity(64);
    if let Some(second) = inst.second {
        half(&mut out, inst, inst.row, banks, false);
        out.push_str(" :: ");
        half(&mut out, inst, second, banks, true);
        return out;
    }
    out.push_str(match inst.tail {
        Tail::Dpp(_) | Tail::Dpp8(..) | Tail::Sdwa(_) => inst.row.mnemonic.trim_end_matches("_e32"),
        _ => inst.row.mnemonic,
    });
    match inst.tail {
        Tail::Dpp(_) | Tail::Dpp8(..)
            if matches!(inst.row.format, Format::Vop3 | Format::Vop3p)
                && !inst.row.mnemonic.ends_with("_e64") =>
        {
            out.push_str("_e64_dpp");
        }
        // Short comparisons are printed without. inferred: llvm-objdump 22.
        Tail::Dpp(_) | Tail::Dpp8(..) if inst.row.format == Format::Vopc => {}
        Tail::Dpp(_) | Tail::Dpp8(..) => out.push_str("_dpp"),
        Tail::Sdwa(_) => out.push_str("_sdwa"),
        _ => {}
    }
    let mut first = true;
    for operand in printed_operands(inst) {
        let text = operand_text(inst, inst.row, &operand, banks, false);
        if let Some(text) = text {
            out.push_str(if first { " " } else { ", " });
            out.push_str(&text);
            first = false;
        }
    }
    modifiers(&mut out, inst);
    out
}

fn half(out: &mut String, inst: &Inst, row: &Row, banks: VgprBanks, y: bool) {
    out.push_str(row.mnemonic);
    let mut first = true;
    for operand in &row.operands {
        if let Some(text) = operand_text(inst, row, operand, banks, y) {
            out.push_str(if first { " " } else { ", " });
            out.push_str(&text);
            first = false;
        }
    }
    if row.flags.bitop2 {
        bitop3_text(out, inst.field(if y { Field::Vsrc2Y } else { Field::Vsrc2 }));
    }
}

/// The operands of the text. Returning atomics name their result first although the table does not.
fn printed_operands(inst: &Inst) -> Vec<OperandSpec> {
    let row = inst.row;
    let mut operands = row.operands.clone();
    if is_atomic(row.mnemonic) && returns(inst) {
        let data = operands.iter().find_map(|o| match (o.field, o.class) {
            (Field::Data | Field::Vsrc, Class::Vgpr(n)) => Some(n),
            _ => None,
        });
        if let Some(width) = data {
            let width = if row.mnemonic.contains("cmpswap") { width / 2 } else { width };
            operands.insert(0, OperandSpec { field: Field::Vdst, class: Class::Vgpr(width) });
        }
    }
    if matches!(inst.tail, Tail::Sdwa(_)) && row.format == Format::Vopc {
        operands.retain(|o| o.class != Class::Vcc);
    }
    if row.format == Format::Mubuf && row.flags.lds && inst.field(Field::Lds) == 1 {
        operands.retain(|o| o.field != Field::Vdata);
    }
    operands
}

pub(crate) fn is_atomic(mnemonic: &str) -> bool {
    mnemonic.contains("_atomic_") && !mnemonic.starts_with("ds_")
}

pub(crate) fn returns(inst: &Inst) -> bool {
    if inst.target.generation() == Generation::Gfx9 {
        inst.field(Field::Sc0) == 1
    } else {
        inst.field(Field::Th) & 1 == 1
    }
}

fn operand_text(inst: &Inst, row: &Row, spec: &OperandSpec, banks: VgprBanks, y: bool) -> Option<String> {
    let generation = inst.target.generation();
    let value = if y { inst.operand_y(spec) } else { inst.operand(spec) };
    let text = match spec.class {
        Class::Hex => format!("{:#x}", inst.field(spec.field)),
        Class::Label => format!("{}", inst.field(spec.field)),
        Class::Dec | Class::Num => small_number(inst.field(spec.field)),
        Class::Opt => match inst.field(spec.field) {
            0 => return None,
            v => v.to_string(),
        },
        Class::Hwreg => hwreg_text(generation, inst.field(spec.field)),
        Class::SendMsg => message_text(generation, inst.field(spec.field)),
        Class::WaitCnt => waitcnt_text(inst.field(spec.field)),
        Class::DelayAlu => delay_text(inst.field(spec.field)),
        Class::DepCtr => depctr_text(inst.field(spec.field)),
        Class::GprIdx => gpr_index_text(inst.field(spec.field)),
        Class::SmemOffset => smem_offset_text(inst)?,
        Class::FlatSaddr if value == Operand::Off => return None,
        Class::Tdm2 | Class::Tdm3 if value == Operand::Off => {
            if inst.field(Field::Group2) == 0x7c && inst.field(Field::Group3) == 0x7c {
                return None;
            }
            "null".to_owned()
        }
        Class::Literal(_) => match value {
            Operand::Literal(v) if row.format == Format::Sopk => small_number(v as u32),
            Operand::Literal(v) if spec.class == Class::Literal(2) => double_literal(v),
            Operand::Literal(v) => format!("{v:#x}"),
            _ => return None,
        },
        Class::Vcc => {
            if let Tail::Sdwa(_) = inst.tail
                && row.format == Format::Vopc
            {
                return None;
            }
            scalar(generation, 106, if inst.target.wave_lanes() == 32 { 1 } else { 2 })
        }
        _ => register_text(inst, spec, value, banks, y),
    };
    let number = matches!(value, Operand::Int(_) | Operand::Float(_) | Operand::Literal(_));
    Some(with_signs(inst, row, spec, text, number, y))
}

/// `-x`, `|x|`, `sext(x)`; `neg(x)` for a bare number.
fn with_signs(inst: &Inst, row: &Row, spec: &OperandSpec, text: String, number: bool, y: bool) -> String {
    let index = match spec.field {
        Field::Src0 => 0,
        Field::Src1 | Field::Vsrc1 => 1,
        Field::Src2 | Field::Vsrc2 => 2,
        _ => return text,
    };
    let bit = |field: Field| inst.field(field) >> index & 1 == 1;
    let (neg, abs, sext) = match (row.format, inst.tail) {
        (Format::Vop3, _) if !row.flags.bitop3 => (
            bit(Field::Neg) && row.flags.neg >> index & 1 == 1,
            bit(Field::Abs) && row.flags.abs >> index & 1 == 1,
            false,
        ),
        (Format::Vop3p, _) if row.flags.mix => (bit(Field::Neg), bit(Field::NegHi), false),
        (Format::Vopd3, _) if row.flags.negxy => {
            (bit(if y { Field::NegY } else { Field::NegX }), false, false)
        }
        (Format::Vop1 | Format::Vop2 | Format::Vopc, Tail::Dpp(v)) if index < 2 => {
            (v >> (20 + 2 * index) & 1 == 1, v >> (21 + 2 * index) & 1 == 1, false)
        }
        (Format::Vop1 | Format::Vop2 | Format::Vopc, Tail::Sdwa(v)) if index < 2 => {
            let shift = if index == 0 { 16 } else { 24 };
            (v >> (shift + 4) & 1 == 1, v >> (shift + 5) & 1 == 1, v >> (shift + 3) & 1 == 1)
        }
        _ => (false, false, false),
    };
    let text = if abs { format!("|{text}|") } else { text };
    let text = if sext { format!("sext({text})") } else { text };
    match (neg, number && !abs) {
        (false, _) => text,
        (true, true) => format!("neg({text})"),
        (true, false) => format!("-{text}"),
    }
}
