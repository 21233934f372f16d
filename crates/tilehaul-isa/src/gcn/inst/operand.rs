//! The operands of an instruction, read from its fields.

use super::{Inst, Operand, Tail};
use crate::gcn::format::{Field, Format, Generation};
use crate::gcn::table::{Class, OperandSpec};

impl Inst {
    /// The operand `spec` of this instruction (of its X half).
    #[must_use]
    pub fn operand(&self, spec: &OperandSpec) -> Operand {
        self.operand_at(spec, spec.field)
    }

    /// The operand `spec` of the Y half of a dual instruction.
    #[must_use]
    pub fn operand_y(&self, spec: &OperandSpec) -> Operand {
        let field = match spec.field {
            Field::Vdst if self.row.format == Format::Vopd => {
                // The lowest bit of the Y destination is the opposite of the X destination's (manual: RDNA3 7.6).
                let x = self.field(Field::Vdst);
                let first = (self.field(Field::VdstY) << 1 | (!x & 1)) as u16;
                return Operand::Vgpr { first, count: 1 };
            }
            Field::Vdst => Field::VdstY,
            Field::Src0 => Field::Src0Y,
            Field::Vsrc1 => Field::Vsrc1Y,
            Field::Vsrc2 => Field::Vsrc2Y,
            other => other,
        };
        self.operand_at(spec, field)
    }

    pub(super) fn operand_at(&self, spec: &OperandSpec, field: Field) -> Operand {
        let value = match (field, self.tail) {
            (Field::Src0, Tail::Dpp(v) | Tail::Dpp8(v, _)) => 256 + (v & 0xff),
            (Field::Src0, Tail::Sdwa(v)) if v >> 23 & 1 == 1 => v & 0xff,
            (Field::Src0, Tail::Sdwa(v)) => 256 + (v & 0xff),
            (Field::Vsrc1, Tail::Sdwa(v)) if v >> 31 & 1 == 1 => {
                return self.source(self.field(field), 1, false);
            }
            _ => self.field(field),
        };
        let vgpr = |count: u8| {
            let first = (value & 0xff) as u16;
            if self.is_accumulator(field) {
                Operand::Agpr { first, count }
            } else {
                Operand::Vgpr { first, count }
            }
        };
        let sgpr = |first: u32, count| Operand::Sgpr { first: first as u8, count };
        match spec.class {
            Class::Vgpr(count) => vgpr(count),
            Class::VgprHalf if matches!(self.row.format, Format::Vop3 | Format::Vop3p) => Operand::VgprHalf {
                index: (value & 0xff) as u16,
                high: self.field(Field::OpSel) >> 3 & 1 == 1,
            },
            Class::VgprHalf => Operand::VgprHalf { index: (value & 0x7f) as u16, high: value >> 7 & 1 == 1 },
            Class::Agpr(count) => Operand::Agpr { first: (value & 0xff) as u16, count },
            Class::Sgpr(count) => match field {
                Field::Sbase => sgpr(value << 1, count),
                Field::Rsrc if self.target.generation() == Generation::Gfx9 => sgpr(value << 2, count),
                _ => sgpr(value, count),
            },
            Class::Source(source) => {
                let source = self.sized_by_format(source, field);
                let narrow = !matches!(
                    field,
                    Field::Src0 | Field::Src1 | Field::Src2 | Field::Src0Y | Field::ScaleA | Field::ScaleB
                );
                if !narrow && value >= 256 {
                    let index = (value & 0xff) as u16;
                    if source.half {
                        return match self.row.format {
                            Format::Vop3 | Format::Vop3p => {
                                let bit = match field {
                                    Field::Src0 => 0,
                                    Field::Src1 => 1,
                                    _ => 2,
                                };
                                Operand::VgprHalf { index, high: self.field(Field::OpSel) >> bit & 1 == 1 }
                            }
                            _ => Operand::VgprHalf { index: index & 0x7f, high: index >> 7 == 1 },
                        };
                    }
                    return if self.is_accumulator(field) {
                        Operand::Agpr { first: index, count: source.width }
                    } else {
                        Operand::Vgpr { first: index, count: source.width }
                    };
                }
                self.source(value, source.width, true)
            }
            Class::Literal(_) => match self.tail {
                Tail::Literal(v) => Operand::Literal(u64::from(v)),
                Tail::Literal64(v) => Operand::Literal(v),
                _ => Operand::Literal(0),
            },
            Class::Vcc => sgpr(106, if self.target.wave_lanes() == 32 { 1 } else { 2 }),
            Class::GlobalAddr => {
                Operand::Vgpr { first: (value & 0xff) as u16, count: if self.has_saddr() { 1 } else { 2 } }
            }
            Class::Saddr | Class::FlatSaddr => {
                let saddr = self.field(Field::Saddr);
                let count = if self.row.format == Format::Scratch { 1 } else { 2 };
                if self.has_saddr() { sgpr(saddr, count) } else { Operand::Off }
            }
            Class::ScratchAddr => {
                if self.field(Field::Sve) == 1 {
                    Operand::Vgpr { first: (value & 0xff) as u16, count: 1 }
                } else {
                    Operand::Off
                }
            }
            Class::BufferAddr => match (self.field(Field::Offen), self.field(Field::Idxen)) {
                (0, 0) => Operand::Off,
                (a, b) => Operand::Vgpr { first: (value & 0xff) as u16, count: (a + b) as u8 },
            },
            Class::Soffset => self.source(self.field(Field::Soffset), 1, true),
            Class::Tdm2 | Class::Tdm3 => {
                if value == 0x7c {
                    Operand::Off
                } else {
                    sgpr(value, 4)
                }
            }
            Class::Hex
            | Class::Dec
            | Class::Num
            | Class::Opt
            | Class::Label
            | Class::Hwreg
            | Class::SendMsg
            | Class::WaitCnt
            | Class::DelayAlu
            | Class::DepCtr
            | Class::GprIdx
            | Class::SmemOffset => Operand::Imm(value),
        }
    }

    /// Matrix operands of mixed formats take as many registers as their format needs (8-, 6- or 4-bit elements).
    pub(super) fn sized_by_format(
        &self,
        mut source: crate::gcn::table::Source,
        field: Field,
    ) -> crate::gcn::table::Source {
        if !self.row.flags.matrix_fmt || !matches!(field, Field::Src0 | Field::Src1) {
            return source;
        }
        let format = match (self.target.generation(), field) {
            (Generation::Gfx9, Field::Src0) => self.field(Field::Cbsz),
            (Generation::Gfx9, _) => self.field(Field::Blgp),
            (Generation::Gfx12, Field::Src0) => self.field(Field::OpSel),
            (Generation::Gfx12, _) => self.field(Field::OpSelHi) | self.field(Field::OpSelHi2) << 2,
        };
        source.width = match format {
            0 | 1 => source.width,
            2 | 3 => source.width / 4 * 3,
            _ => source.width / 2,
        };
        source
    }

    /// Whether a global, flat or scratch access adds a scalar address.
    #[must_use]
    pub fn has_saddr(&self) -> bool {
        let off = if self.target.generation() == Generation::Gfx9 { 0x7f } else { 0x7c };
        self.row.layout.bits(Field::Saddr).is_some() && self.field(Field::Saddr) != off
    }

    /// A scalar register, inline constant or literal by its number.
    pub(super) fn source(&self, value: u32, width: u8, literal: bool) -> Operand {
        match value {
            128..=192 => Operand::Int(value as i32 - 128),
            193..=208 => Operand::Int(192 - value as i32),
            240..=248 => Operand::Float(value as u8),
            // 254 is `src_lds_direct` on gfx9.
            255 | 254
                if literal
                    && (value == 255 || self.target.generation() == Generation::Gfx12)
                    && matches!(self.tail, Tail::Literal(_) | Tail::Literal64(_)) =>
            {
                match self.tail {
                    Tail::Literal(v) => Operand::Literal(u64::from(v)),
                    Tail::Literal64(v) if value == 255 => Operand::Literal(v & 0xffff_ffff),
                    Tail::Literal64(v) => Operand::Literal(v),
                    _ => Operand::Off,
                }
            }
            _ => Operand::Sgpr { first: value as u8, count: width },
        }
    }

    pub(super) fn is_accumulator(&self, field: Field) -> bool {
        let flags = &self.row.flags;
        if flags.mai {
            return match field {
                Field::Vdst => self.field(Field::AccCd) == 1,
                Field::Src2 => self.field(Field::AccCd) == 1 && !self.row.mnemonic.starts_with("v_smfmac"),
                Field::Src0 => self.field(Field::AccAb) & 1 == 1,
                Field::Src1 => self.field(Field::AccAb) & 2 == 2,
                _ => false,
            };
        }
        flags.acc
            && self.field(Field::Acc) == 1
            && matches!(field, Field::Vdst | Field::Vdata | Field::Data | Field::Data0 | Field::Data1)
    }
}
