//! The instruction tables, read once from their text (`table/*.tbl`, whose heads explain the notation).

mod read;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::format::{Field, Format, Generation, Layout};
use super::target::Target;
use read::read_row;

/// One instruction of a table.
#[derive(Debug)]
pub struct Row {
    /// Its name, with the encoding suffix that disassembly prints (`v_add_f32_e32`).
    pub mnemonic: &'static str,
    /// Its encoding.
    pub format: Format,
    /// Its opcode there.
    pub opcode: u16,
    /// Its operands in the order of the text.
    pub operands: Vec<OperandSpec>,
    /// The modifiers it takes.
    pub flags: Flags,
    /// The only target that has it, if it is not all of the generation.
    pub only: Option<Target>,
    /// The encoding's layout.
    pub layout: &'static Layout,
    /// Every bit that this instruction gives a meaning to.
    pub used: u128,
}

/// An operand: where its bits are and how they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandSpec {
    /// The field that holds it.
    pub field: Field,
    /// How it is read and written.
    pub class: Class,
}

/// How 16-bit and packed constants of a source are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constants {
    /// 32 and 64 bits.
    Wide,
    /// 16-bit float.
    Half,
    /// 16-bit integer.
    Short,
    /// 32-bit bits, inline floats in hex.
    Bits,
}

/// What a source operand may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Dwords.
    pub width: u8,
    /// A vector register may stand here.
    pub vector: bool,
    /// A scalar register may.
    pub scalar: bool,
    /// An inline constant may.
    pub inline: bool,
    /// A literal may.
    pub literal: bool,
    /// The spelling of constants.
    pub constants: Constants,
    /// A 16-bit half of a vector register (`v1.l`).
    pub half: bool,
}

/// The kinds of operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after the notation of the table")]
pub enum Class {
    Vgpr(u8),
    VgprHalf,
    Agpr(u8),
    Sgpr(u8),
    Source(Source),
    Literal(u8),
    Hex,
    Dec,
    Num,
    Opt,
    Label,
    Hwreg,
    SendMsg,
    WaitCnt,
    DelayAlu,
    DepCtr,
    GprIdx,
    Vcc,
    GlobalAddr,
    Saddr,
    ScratchAddr,
    FlatSaddr,
    BufferAddr,
    SmemOffset,
    Soffset,
    Tdm2,
    Tdm3,
}

/// The modifiers an instruction takes. Masks have one bit for each source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after the notation of the table")]
pub struct Flags {
    pub abs: u8,
    pub neg: u8,
    pub clamp: bool,
    pub omod: bool,
    pub opsel: u8,
    pub opsel_entries: u8,
    pub bytesel: u8,
    pub scalesel: u8,
    pub bitop3: bool,
    pub bitop2: bool,
    pub negxy: bool,
    pub pk: u8,
    pub neglo: u8,
    pub neghi: u8,
    pub mods: u8,
    pub dpp: bool,
    pub dpp8: bool,
    pub sdwa: bool,
    pub mai: bool,
    pub wmma: bool,
    pub indexkey: bool,
    pub reuse: bool,
    pub matrix_fmt: bool,
    pub mix: bool,
    pub atomic: bool,
    pub exec: bool,
    pub smfmac: bool,
    pub accmov: bool,
    pub ldscale: bool,
    pub off: bool,
    pub off01: bool,
    pub gds: bool,
    pub acc: bool,
    pub offset: bool,
    pub ioffset: bool,
    pub sc0: bool,
    pub sc1: bool,
    pub nt: bool,
    pub lds: bool,
    pub glc: bool,
    pub soe: bool,
    pub offen: bool,
    pub th: bool,
    pub scope: bool,
    pub nv: bool,
    pub scale: bool,
}

/// All instructions of a generation.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Row>,
    by_opcode: BTreeMap<(Format, u16), Vec<usize>>,
    by_mnemonic: BTreeMap<&'static str, Vec<usize>>,
}

impl Table {
    /// Every row, in the order of the file.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The instruction with this opcode on `target`.
    #[must_use]
    pub fn find(&self, target: Target, format: Format, opcode: u32) -> Option<&Row> {
        let rows = self.by_opcode.get(&(format, u16::try_from(opcode).ok()?))?;
        rows.iter().filter_map(|&i| self.rows.get(i)).find(|r| r.only.is_none_or(|only| only == target))
    }

    /// The instructions spelled `mnemonic` on `target`.
    pub fn named<'t>(&'t self, target: Target, mnemonic: &str) -> impl Iterator<Item = &'t Row> + use<'t> {
        let rows = self.by_mnemonic.get(mnemonic).map_or(&[][..], Vec::as_slice);
        rows.iter()
            .filter_map(|&i| self.rows.get(i))
            .filter(move |r| r.only.is_none_or(|only| only == target))
    }
}

/// The table of a generation.
#[must_use]
pub fn table(generation: Generation) -> &'static Table {
    static GFX9: OnceLock<Table> = OnceLock::new();
    static GFX12: OnceLock<Table> = OnceLock::new();
    match generation {
        Generation::Gfx9 => GFX9.get_or_init(|| build(generation, include_str!("gfx9.tbl"))),
        Generation::Gfx12 => GFX12.get_or_init(|| build(generation, include_str!("gfx1250.tbl"))),
    }
}

fn build(generation: Generation, text: &'static str) -> Table {
    let mut out = Table { rows: Vec::new(), by_opcode: BTreeMap::new(), by_mnemonic: BTreeMap::new() };
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        // A line that does not read is left out here; the test `every_line_reads` fails on it.
        let Some(row) = read_row(generation, line) else { continue };
        let index = out.rows.len();
        out.by_opcode.entry((row.format, row.opcode)).or_default().push(index);
        out.by_mnemonic.entry(row.mnemonic).or_default().push(index);
        out.rows.push(row);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_reads() {
        for (generation, text) in
            [(Generation::Gfx9, include_str!("gfx9.tbl")), (Generation::Gfx12, include_str!("gfx1250.tbl"))]
        {
            for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
                assert!(read_row(generation, line).is_some(), "{line}");
            }
        }
    }

    #[test]
    fn an_opcode_means_one_instruction_on_a_target() {
        for (generation, targets) in [
            (Generation::Gfx9, &[Target::Gfx942, Target::Gfx950][..]),
            (Generation::Gfx12, &[Target::Gfx1250][..]),
        ] {
            let table = table(generation);
            for row in table.rows() {
                for &target in targets.iter().filter(|t| row.only.is_none_or(|only| only == **t)) {
                    let found = table.find(target, row.format, u32::from(row.opcode)).map(|r| r.mnemonic);
                    assert_eq!(found, Some(row.mnemonic), "{:?} {:x}", row.format, row.opcode);
                }
            }
        }
    }
}
