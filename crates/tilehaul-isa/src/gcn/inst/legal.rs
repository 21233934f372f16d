//! Whether an instruction is one: what follows it, and what its fields may hold.

use super::{Inst, NotDecoded, Operand, Tail};
use crate::gcn::format::{Field, Format, Generation};
use crate::gcn::table::{Class, OperandSpec, Row};
use crate::gcn::target::Target;

impl Inst {
    pub(super) fn wanted_tail(&self) -> Result<Wanted, NotDecoded> {
        let generation = self.target.generation();
        let flags = &self.row.flags;
        let src0 = self.field(Field::Src0);
        let vector = self.row.layout.bits(Field::Src0).is_some_and(|(_, w)| w == 9);
        if vector && !matches!(self.row.format, Format::Vopd | Format::Vopd3) {
            match src0 {
                250 => return if flags.dpp { Ok(Wanted::Dpp) } else { Err(NotDecoded::ReservedBits) },
                249 if generation == Generation::Gfx9 => {
                    return if flags.sdwa { Ok(Wanted::Sdwa) } else { Err(NotDecoded::ReservedBits) };
                }
                233 | 234 if generation == Generation::Gfx12 => {
                    return if flags.dpp8 || (flags.dpp && self.row.format != Format::Vop1) {
                        Ok(Wanted::Dpp8(src0 == 234))
                    } else {
                        Err(NotDecoded::ReservedBits)
                    };
                }
                _ => {}
            }
        }
        // 64 bits of literal have no place where another literal stands, nor in packed operations. inferred: llvm-mc 22.
        let sources = |spec: &&OperandSpec| matches!(spec.class, Class::Source(s) if s.literal);
        let long = generation == Generation::Gfx12
            && self.row.operands.iter().filter(sources).any(|spec| self.field(spec.field) == 254);
        let literal = self.row.operands.iter().any(|spec| matches!(spec.class, Class::Literal(_)));
        if long && (literal || self.row.format == Format::Vop3p) {
            return Err(NotDecoded::ReservedBits);
        }
        let mut wanted = Wanted::None;
        let mut visit = |spec: &OperandSpec, field: Field| match spec.class {
            Class::Literal(1) => wanted = Wanted::Literal,
            Class::Literal(_) => wanted = Wanted::Literal64,
            Class::Source(source) if source.literal => match self.field(field) {
                255 if wanted == Wanted::None => wanted = Wanted::Literal,
                254 if generation == Generation::Gfx12 => wanted = Wanted::Literal64,
                _ => {}
            },
            _ => {}
        };
        for spec in &self.row.operands {
            visit(spec, spec.field);
        }
        for spec in self.second.map_or(&[][..], |r| &r.operands) {
            visit(spec, if spec.field == Field::Src0 { Field::Src0Y } else { spec.field });
        }
        Ok(wanted)
    }

    /// Refuses registers and constants that an operand cannot be.
    pub(super) fn check_operands(&self) -> Result<(), NotDecoded> {
        let scalar_limit = if self.target.generation() == Generation::Gfx9 { 102 } else { 106 };
        let check = |spec: &OperandSpec, operand: Operand| {
            let ok = match (spec.class, operand) {
                (Class::Agpr(_), _) if self.row.layout.bits(spec.field).is_some_and(|(_, w)| w == 9) => {
                    self.field(spec.field) >= 256
                }
                (_, Operand::Sgpr { first, count }) if spec.field == Field::Sdata => {
                    let named = crate::gcn::names::scalar(self.target.generation(), first, count).is_some();
                    first < 124 && named && (count != 3 || first < 106)
                }
                (Class::Dec, Operand::Imm(v)) if spec.field == Field::Sdata => {
                    self.target.generation() == Generation::Gfx9 || v < 32
                }
                (Class::Sgpr(_), Operand::Sgpr { first, .. })
                    if spec.field == Field::Vdst && self.row.mnemonic.starts_with("v_read") =>
                {
                    crate::gcn::names::scalar(self.target.generation(), first, 1)
                        .is_some_and(|n| n != "m0" && first < 128)
                }
                (Class::Sgpr(_), Operand::Sgpr { first, .. }) if self.row.mnemonic.starts_with("v_s_") => {
                    first < 126
                }
                // One register, M0 and EXEC among them.
                (Class::Saddr, Operand::Sgpr { first, .. }) if self.row.format == Format::Scratch => {
                    let generation = self.target.generation();
                    let null = generation == Generation::Gfx9 && first == 125;
                    first < 127 && !null && crate::gcn::names::is_scalar_source(generation, first, 1)
                }
                (Class::Saddr | Class::FlatSaddr, Operand::Sgpr { first, .. }) => {
                    first < 124 && crate::gcn::names::is_scalar_source(self.target.generation(), first, 2)
                }
                (Class::SmemOffset, _) if self.target.generation() == Generation::Gfx9 => {
                    let register = |n: u32| crate::gcn::names::is_scalar_source(Generation::Gfx9, n as u8, 1);
                    let imm = self.field(Field::Imm) == 1;
                    (imm || register(self.field(Field::Ioffset) & 0x7f))
                        && register(self.field(Field::Soffset))
                }
                (Class::Source(s), Operand::Int(_) | Operand::Float(_)) => s.inline,
                (Class::Source(s), Operand::Literal(_)) => s.literal,
                (
                    Class::Source(s),
                    Operand::Vgpr { .. } | Operand::Agpr { .. } | Operand::VgprHalf { .. },
                ) => s.vector,
                (Class::Source(s), Operand::Sgpr { first, count }) => {
                    (s.scalar || matches!(self.tail, Tail::Sdwa(_)))
                        && crate::gcn::names::is_scalar_source(self.target.generation(), first, count)
                }
                (_, Operand::Sgpr { first, count }) if first >= 102 => {
                    crate::gcn::names::scalar(self.target.generation(), first, count).is_some()
                }
                _ => true,
            };
            let fits = match operand {
                Operand::Vgpr { first, count } | Operand::Agpr { first, count } => {
                    // gfx1250 tuples may reach into the registers above 255 (`s_set_vgpr_msb`).
                    let limit = if self.target.generation() == Generation::Gfx9 { 256 } else { 1024 };
                    u32::from(first) + u32::from(count) <= limit && (count == 1 || first % 2 == 0)
                }
                Operand::Sgpr { first, count }
                    if count > 1 && (u32::from(first) < scalar_limit || (108..124).contains(&first)) =>
                {
                    let align = if count == 2 { 2 } else { 4 };
                    let limit = if first >= 108 { 124 } else { scalar_limit };
                    u32::from(first) + u32::from(count) <= limit && u32::from(first) % align == 0
                }
                Operand::Sgpr { first, count } if count > 2 && first < 128 => {
                    self.target.generation() == Generation::Gfx12 && first == 124
                }
                Operand::Sgpr { first: 254, .. } => {
                    let lane = ["v_readlane", "v_writelane"].iter().any(|m| self.row.mnemonic.starts_with(m));
                    self.row.layout.bits(Field::Src0).is_some_and(|(_, w)| w == 9)
                        && !(lane && spec.field == Field::Src1)
                }
                Operand::Imm(v) if spec.class == Class::SendMsg => match self.target.generation() {
                    Generation::Gfx9 => v & !0x37f == 0,
                    Generation::Gfx12 => v < 256,
                },
                _ => true,
            };
            ok && fits
        };
        if !self.lane_tail_is_legal() {
            return Err(NotDecoded::ReservedBits);
        }
        let flags = &self.row.flags;
        if flags.wmma && !flags.matrix_fmt && self.field(Field::OpSelHi) != 3 {
            return Err(NotDecoded::ReservedBits);
        }
        // The source that nobody reads: LLVM 22 writes v0 there, LLVM 24 the constant 0.
        let third = self.row.layout.bits(Field::ScaleThird).is_some();
        if third && !matches!(self.field(Field::ScaleThird), 0x100 | 0x80) {
            return Err(NotDecoded::ReservedBits);
        }
        if self.row.mnemonic.ends_with("_f4") && self.field(Field::OpSelHi2) != 1 {
            return Err(NotDecoded::ReservedBits);
        }
        if self.row.format == Format::Vopd3 {
            let negatable = |row: &Row| {
                if row.flags.negxy {
                    (1u32
                        << (row.operands.len() - 1)
                            .min(if row.operands.iter().any(|o| o.class == Class::Sgpr(1)) { 2 } else { 3 }))
                        - 1
                } else {
                    0
                }
            };
            let y = self.second.map_or(0, negatable);
            let takes = |row: &Row, field| {
                row.operands.iter().any(|o| o.field == field) || row.flags.bitop2 && field == Field::Vsrc2
            };
            let idle = |row: &Row, field, at| !takes(row, field) && self.field(at) != 0;
            let stray_y = self.second.is_some_and(|r| {
                idle(r, Field::Vsrc1, Field::Vsrc1Y) || idle(r, Field::Vsrc2, Field::Vsrc2Y)
            });
            if stray_y
                || idle(self.row, Field::Vsrc1, Field::Vsrc1)
                || idle(self.row, Field::Vsrc2, Field::Vsrc2)
            {
                return Err(NotDecoded::ReservedBits);
            }
            if self.field(Field::NegX) & !negatable(self.row) != 0 || self.field(Field::NegY) & !y != 0 {
                return Err(NotDecoded::ReservedBits);
            }
        }
        // A half of a dual instruction that has one source leaves the field of the other one alone.
        if self.row.format == Format::Vopd {
            let one = |row: &Row| !row.operands.iter().any(|o| o.field == Field::Vsrc1);
            let stray_x = one(self.row) && self.field(Field::Vsrc1) != 0;
            if stray_x || self.second.is_some_and(|r| one(r) && self.field(Field::Vsrc1Y) != 0) {
                return Err(NotDecoded::ReservedBits);
            }
        }
        // The result of an atomic is no operand of the row, so its alignment is looked at here.
        if flags.atomic && crate::gcn::print::returns(self) && self.row.layout.bits(Field::Vdst).is_some() {
            let data = self.row.operands.iter().find_map(|o| match (o.field, o.class) {
                (Field::Data | Field::Vsrc, Class::Vgpr(n)) => Some(n),
                _ => None,
            });
            let compare = self.row.mnemonic.contains("cmpswap");
            let wide = data.is_some_and(|n| if compare { n == 4 } else { n == 2 });
            if wide && self.field(Field::Vdst) % 2 == 1 {
                return Err(NotDecoded::ReservedBits);
            }
        }
        // Buffer offsets are not negative.
        if self.row.format == Format::Vbuffer && self.field(Field::Ioffset) >> 23 == 1 {
            return Err(NotDecoded::ReservedBits);
        }
        // Without a scalar address operand the field says null.
        let saddr =
            self.row.layout.bits(Field::Saddr).is_some() && self.target.generation() == Generation::Gfx12;
        if saddr && !self.row.operands.iter().any(|o| o.field == Field::Saddr) && self.has_saddr() {
            return Err(NotDecoded::ReservedBits);
        }
        if flags.exec && self.field(Field::Vdst) != 126 {
            return Err(NotDecoded::ReservedBits);
        }
        // An atomic that returns nothing has no destination.
        if flags.atomic
            && self.row.layout.bits(Field::Vdst).is_some()
            && !self.row.operands.iter().any(|o| o.field == Field::Vdst)
            && !crate::gcn::print::returns(self)
            && self.field(Field::Vdst) != 0
        {
            return Err(NotDecoded::ReservedBits);
        }
        // Some operations exist in the Y half only, those of doubles in the X half only.
        let double = self.second.is_some_and(|y| y.opcode >= 32);
        if self.row.format == Format::Vopd3 && (matches!(self.row.opcode, 18 | 23 | 24) || double) {
            return Err(NotDecoded::ReservedBits);
        }
        let mnemonic = self.row.mnemonic;
        let float_atomic = mnemonic.contains("_atomic_")
            && ["_f64", "_f32", "_f16", "_bf16"].iter().any(|t| mnemonic.ends_with(t));
        if float_atomic && flags.acc && self.field(Field::Acc) == 1 && self.field(Field::Sc0) == 1 {
            return Err(NotDecoded::ReservedBits);
        }
        let buffer = mnemonic.starts_with("s_buffer_") || mnemonic == "s_atc_probe_buffer";
        if self.target.generation() == Generation::Gfx12 && buffer && self.field(Field::Ioffset) >> 23 == 1 {
            return Err(NotDecoded::ReservedBits);
        }
        // Wide loads to LDS came with gfx950.
        if flags.lds
            && self.field(Field::Lds) == 1
            && self.target == Target::Gfx942
            && matches!(self.row.mnemonic, "buffer_load_dwordx3" | "buffer_load_dwordx4")
        {
            return Err(NotDecoded::ReservedBits);
        }
        // The direct-to-LDS form has no destination register.
        if self.row.flags.lds
            && self.field(Field::Lds) == 1
            && (self.field(Field::Vdata) != 0 || self.field(Field::Acc) != 0)
        {
            return Err(NotDecoded::ReservedBits);
        }
        if self.row.flags.matrix_fmt {
            let formats = match self.target.generation() {
                Generation::Gfx9 => [self.field(Field::Cbsz), self.field(Field::Blgp)],
                Generation::Gfx12 => {
                    [self.field(Field::OpSel), self.field(Field::OpSelHi) | self.field(Field::OpSelHi2) << 2]
                }
            };
            if formats.iter().any(|f| *f > 4) {
                return Err(NotDecoded::ReservedBits);
            }
        }
        let x = self.row.operands.iter().all(|s| check(s, self.operand(s)));
        let y = self.second.is_none_or(|row| row.operands.iter().all(|s| check(s, self.operand_y(s))));
        if x && y { Ok(()) } else { Err(NotDecoded::ReservedBits) }
    }

    /// Whether a DPP or SDWA dword uses only what its instruction takes.
    pub(super) fn lane_tail_is_legal(&self) -> bool {
        let flags = &self.row.flags;
        let gfx9 = self.target.generation() == Generation::Gfx9;
        let sources =
            self.row.operands.iter().filter(|o| matches!(o.field, Field::Src0 | Field::Vsrc1)).count() as u32;
        match self.tail {
            Tail::Dpp(v) => {
                let ctrl = v >> 8 & 0x1ff;
                let known = match ctrl {
                    0..=0xff
                    | 0x101..=0x10f
                    | 0x111..=0x11f
                    | 0x121..=0x12f
                    | 0x140
                    | 0x141
                    | 0x150..=0x15f => true,
                    0x130 | 0x134 | 0x138 | 0x13c | 0x142 | 0x143 => gfx9,
                    0x160..=0x16f => !gfx9,
                    _ => false,
                };
                let wide = self.row.operands.iter().any(|o| matches!(o.class, Class::Vgpr(2)));
                let short = matches!(self.row.format, Format::Vop1 | Format::Vop2 | Format::Vopc);
                let mods = (v >> 20 & 3 != 0, v >> 22 & 3 != 0);
                let mods_ok = !short && mods == (false, false)
                    || short && (!mods.0 || flags.mods & 1 != 0) && (!mods.1 || flags.mods & 2 != 0);
                // gfx90a and later move 64-bit values by row_newbcast only (manual: CDNA3 ISA 6.4).
                known
                    && mods_ok
                    && (!gfx9 || v >> 18 & 1 == 0)
                    && (!(gfx9 && wide) || (0x150..=0x15f).contains(&ctrl))
            }
            Tail::Sdwa(v) => {
                let sel = |n: u32| n & 7 < 7;
                let float = |shift: u32, bit: u8| {
                    if flags.mods & bit != 0 { v >> (shift + 3) & 1 == 0 } else { v >> (shift + 4) & 3 == 0 }
                };
                let vopc = self.row.format == Format::Vopc;
                // A comparison has a pair of scalar registers there, or VCC.
                let pair = v >> 15 & 1 == 0 || v >> 8 & 1 == 0;
                let dst = if vopc { pair } else { sel(v >> 8) && v >> 11 & 3 < 3 };
                let second =
                    if sources > 1 { sel(v >> 24) && float(24, 2) && v >> 30 & 1 == 0 } else { v >> 24 == 0 };
                let omod = vopc || flags.mods != 0 || v >> 14 & 3 == 0;
                dst && sel(v >> 16) && float(16, 1) && second && omod && v >> 22 & 1 == 0
            }
            _ => true,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    None,
    Literal,
    Literal64,
    Dpp,
    Dpp8(bool),
    Sdwa,
}
