//! A decoded instruction: a row of the table, the word it was read from and the dword that follows it.

use super::format::{self, Field, Format, Generation, Layout};
use super::table::{Class, OperandSpec, Row, table};
use super::target::Target;

/// What stands behind the encoding proper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tail {
    /// Nothing.
    #[default]
    None,
    /// A 32-bit literal constant.
    Literal(u32),
    /// A 64-bit literal constant (gfx1250).
    Literal64(u64),
    /// Lane movement within rows of 16.
    Dpp(u32),
    /// Lane selection within groups of 8; the flag is `fi`.
    Dpp8(u32, bool),
    /// Byte and word selection (gfx9).
    Sdwa(u32),
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    /// The processor it was read for.
    pub target: Target,
    /// What it is.
    pub row: &'static Row,
    /// The Y half of a dual instruction.
    pub second: Option<&'static Row>,
    /// Its encoding without the tail, first dword lowest.
    pub word: u128,
    /// Literal, DPP or SDWA.
    pub tail: Tail,
    /// Length in bytes.
    pub size: u8,
}

/// Why bytes are not an instruction this reader knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotDecoded {
    /// The bytes end inside an instruction.
    Truncated,
    /// No encoding starts like this.
    UnknownEncoding,
    /// The encoding has no such opcode in the table.
    UnknownOpcode(Format, u16),
    /// A bit or a register is set that the instruction gives no meaning to.
    ReservedBits,
}

/// An operand of a decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants say what their fields are")]
pub enum Operand {
    /// `count` vector registers from `first`.
    Vgpr { first: u16, count: u8 },
    /// A 16-bit half of a vector register.
    VgprHalf { index: u16, high: bool },
    /// `count` accumulation registers from `first`.
    Agpr { first: u16, count: u8 },
    /// `count` scalar registers from the 7- or 8-bit number `first`, which also names VCC, EXEC, M0 and the like.
    Sgpr { first: u8, count: u8 },
    /// An inline integer.
    Int(i32),
    /// An inline float, by its number 240 to 248.
    Float(u8),
    /// A literal constant.
    Literal(u64),
    /// An immediate field.
    Imm(u32),
    /// No register: `off`, `null` groups.
    Off,
}

impl Inst {
    /// Reads one instruction from the start of `bytes`.
    ///
    /// # Errors
    /// What is wrong with the first instruction.
    pub fn decode(target: Target, bytes: &[u8]) -> Result<Inst, NotDecoded> {
        let dword = |i: usize| -> Option<u32> {
            let at = bytes.get(i * 4..i * 4 + 4)?;
            Some(u32::from_le_bytes([*at.first()?, *at.get(1)?, *at.get(2)?, *at.get(3)?]))
        };
        let generation = target.generation();
        let first = dword(0).ok_or(NotDecoded::Truncated)?;
        if let Some(pair) = format::pair(generation, first)
            && let Ok(inst) = Inst::decode_as(target, pair, &dword)
        {
            return Ok(inst);
        }
        let layout = format::recognise(generation, first).ok_or(NotDecoded::UnknownEncoding)?;
        Inst::decode_as(target, layout, &dword)
    }

    fn decode_as(
        target: Target,
        layout: &'static Layout,
        dword: &dyn Fn(usize) -> Option<u32>,
    ) -> Result<Inst, NotDecoded> {
        let generation = target.generation();
        let mut word = 0u128;
        for i in 0..usize::from(layout.dwords) {
            word |= u128::from(dword(i).ok_or(NotDecoded::Truncated)?) << (32 * i);
        }
        let opcode = format::extract(word, layout.opcode);
        let table = table(generation);
        let row = table
            .find(target, layout.format, opcode)
            .ok_or(NotDecoded::UnknownOpcode(layout.format, opcode as u16))?;
        if word & !row.used != 0 || word & layout.set != layout.set {
            return Err(NotDecoded::ReservedBits);
        }
        let second = match layout.format {
            Format::Vopd | Format::Vopd3 => {
                let y = layout.get(word, Field::OpY);
                Some(
                    table
                        .find(target, layout.format, y)
                        .ok_or(NotDecoded::UnknownOpcode(layout.format, y as u16))?,
                )
            }
            _ => None,
        };
        let mut inst = Inst { target, row, second, word, tail: Tail::None, size: layout.dwords * 4 };
        let wanted = inst.wanted_tail()?;
        let at = usize::from(layout.dwords);
        let extra = || dword(at).ok_or(NotDecoded::Truncated);
        let (tail, dwords) = match wanted {
            Wanted::None => (Tail::None, 0),
            Wanted::Literal => (Tail::Literal(extra()?), 1),
            Wanted::Literal64 => {
                let high = dword(at + 1).ok_or(NotDecoded::Truncated)?;
                (Tail::Literal64(u64::from(extra()?) | u64::from(high) << 32), 2)
            }
            Wanted::Dpp => (Tail::Dpp(extra()?), 1),
            Wanted::Dpp8(fi) => (Tail::Dpp8(extra()?, fi), 1),
            Wanted::Sdwa => (Tail::Sdwa(extra()?), 1),
        };
        inst.tail = tail;
        inst.size += dwords * 4;
        inst.check_operands()?;
        Ok(inst)
    }

    /// Builds an instruction from its parts; the length follows from them.
    #[must_use]
    pub fn new(
        target: Target,
        row: &'static Row,
        second: Option<&'static Row>,
        word: u128,
        tail: Tail,
    ) -> Inst {
        let extra = match tail {
            Tail::None => 0,
            Tail::Literal64(_) => 8,
            _ => 4,
        };
        Inst { target, row, second, word, tail, size: row.layout.dwords * 4 + extra }
    }

    /// Its bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(usize::from(self.size));
        let words = self.word.to_le_bytes();
        out.extend(words.iter().take(usize::from(self.row.layout.dwords) * 4));
        match self.tail {
            Tail::None => {}
            Tail::Literal(v) | Tail::Dpp(v) | Tail::Dpp8(v, _) | Tail::Sdwa(v) => out.extend(v.to_le_bytes()),
            Tail::Literal64(v) => out.extend(v.to_le_bytes()),
        }
        out
    }

    /// The value of a field.
    #[must_use]
    pub fn field(&self, field: Field) -> u32 {
        self.row.layout.get(self.word, field)
    }

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

    fn operand_at(&self, spec: &OperandSpec, field: Field) -> Operand {
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
    fn sized_by_format(&self, mut source: super::table::Source, field: Field) -> super::table::Source {
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
    fn source(&self, value: u32, width: u8, literal: bool) -> Operand {
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

    fn is_accumulator(&self, field: Field) -> bool {
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

    fn wanted_tail(&self) -> Result<Wanted, NotDecoded> {
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
    fn check_operands(&self) -> Result<(), NotDecoded> {
        let scalar_limit = if self.target.generation() == Generation::Gfx9 { 102 } else { 106 };
        let check = |spec: &OperandSpec, operand: Operand| {
            let ok = match (spec.class, operand) {
                (Class::Agpr(_), _) if self.row.layout.bits(spec.field).is_some_and(|(_, w)| w == 9) => {
                    self.field(spec.field) >= 256
                }
                (_, Operand::Sgpr { first, count }) if spec.field == Field::Sdata => {
                    let named = super::names::scalar(self.target.generation(), first, count).is_some();
                    first < 124 && named && (count != 3 || first < 106)
                }
                (Class::Dec, Operand::Imm(v)) if spec.field == Field::Sdata => {
                    self.target.generation() == Generation::Gfx9 || v < 32
                }
                (Class::Sgpr(_), Operand::Sgpr { first, .. })
                    if spec.field == Field::Vdst && self.row.mnemonic.starts_with("v_read") =>
                {
                    super::names::scalar(self.target.generation(), first, 1)
                        .is_some_and(|n| n != "m0" && first < 128)
                }
                (Class::Sgpr(_), Operand::Sgpr { first, .. }) if self.row.mnemonic.starts_with("v_s_") => {
                    first < 126
                }
                (Class::Saddr | Class::FlatSaddr, Operand::Sgpr { first, .. }) => {
                    first < 124 && super::names::is_scalar_source(self.target.generation(), first, 2)
                }
                (Class::SmemOffset, _) if self.target.generation() == Generation::Gfx9 => {
                    let register = |n: u32| super::names::is_scalar_source(Generation::Gfx9, n as u8, 1);
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
                        && super::names::is_scalar_source(self.target.generation(), first, count)
                }
                (_, Operand::Sgpr { first, count }) if first >= 102 => {
                    super::names::scalar(self.target.generation(), first, count).is_some()
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
        if flags.atomic && super::print::returns(self) && self.row.layout.bits(Field::Vdst).is_some() {
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
            && !super::print::returns(self)
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
    fn lane_tail_is_legal(&self) -> bool {
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
enum Wanted {
    None,
    Literal,
    Literal64,
    Dpp,
    Dpp8(bool),
    Sdwa,
}
