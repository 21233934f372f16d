//! A decoded instruction: a row of the table, the word it was read from and the dword that follows it.

mod legal;
mod operand;

use crate::gcn::format::{self, Field, Format, Layout};
use crate::gcn::table::{Row, table};
use crate::gcn::target::Target;
use legal::Wanted;

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
}
