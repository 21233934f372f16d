//! The instruction tables, read once from their text (`table/*.tbl`, whose heads explain the notation).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::format::{self, Bits, Field, Format, Generation, Layout};
use super::target::Target;

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
        Generation::Gfx9 => GFX9.get_or_init(|| build(generation, include_str!("table/gfx9.tbl"))),
        Generation::Gfx12 => GFX12.get_or_init(|| build(generation, include_str!("table/gfx1250.tbl"))),
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

fn read_row(generation: Generation, line: &'static str) -> Option<Row> {
    let (line, only) = match line.split_once(" @") {
        Some((line, target)) => (line, Some(Target::from_name(target)?)),
        None => (line, None),
    };
    let (body, flags) = line.split_once(" ; ").unwrap_or((line, ""));
    let mut words = body.split(' ');
    let format = read_format(words.next()?)?;
    let opcode = u16::from_str_radix(words.next()?, 16).ok()?;
    let mnemonic = words.next()?;
    let operands = words.map(|w| read_operand(generation, format, w)).collect::<Option<Vec<_>>>()?;
    let flags = read_flags(flags)?;
    let layout = format::layout(generation, format)?;
    let mut flags = flags;
    flags.atomic = mnemonic.contains("_atomic_");
    flags.mix = mnemonic.starts_with("v_fma_mix");
    flags.smfmac = mnemonic.starts_with("v_smfmac");
    flags.matrix_fmt |= mnemonic.contains("f8f6f4");
    let used = used_bits(layout, &operands, &flags);
    Some(Row { mnemonic, format, opcode, operands, flags, only, layout, used })
}

fn read_format(word: &str) -> Option<Format> {
    Some(match word {
        "sop1" => Format::Sop1,
        "sop2" => Format::Sop2,
        "sopc" => Format::Sopc,
        "sopk" => Format::Sopk,
        "sopp" => Format::Sopp,
        "smem" => Format::Smem,
        "vop1" => Format::Vop1,
        "vop2" => Format::Vop2,
        "vopc" => Format::Vopc,
        "vop3" => Format::Vop3,
        "vop3p" => Format::Vop3p,
        "scaled" => Format::Scaled,
        "scaled16" => Format::Scaled16,
        "vopd" => Format::Vopd,
        "vopd3" => Format::Vopd3,
        "ds" => Format::Ds,
        "flat" => Format::Flat,
        "global" => Format::Global,
        "scratch" => Format::Scratch,
        "mubuf" => Format::Mubuf,
        "mtbuf" => Format::Mtbuf,
        "vbuffer" => Format::Vbuffer,
        "vimage" => Format::Vimage,
        _ => return None,
    })
}

fn read_operand(generation: Generation, format: Format, word: &str) -> Option<OperandSpec> {
    let spec = |field, class| Some(OperandSpec { field, class });
    let address = if generation == Generation::Gfx9 { Field::Addr } else { Field::Vaddr };
    match word {
        "vcc" => return spec(Field::Implied, Class::Vcc),
        "gaddr" => return spec(address, Class::GlobalAddr),
        "saddr" => return spec(Field::Saddr, Class::Saddr),
        "saddrv" => return spec(address, Class::ScratchAddr),
        "fsaddr" => return spec(Field::Saddr, Class::FlatSaddr),
        "bufaddr" => return spec(Field::Vaddr, Class::BufferAddr),
        "smemoff" => return spec(Field::Ioffset, Class::SmemOffset),
        "tdm2" => return spec(Field::Group2, Class::Tdm2),
        "tdm3" => return spec(Field::Group3, Class::Tdm3),
        _ => {}
    }
    let (field, class) = word.split_once('=')?;
    let field = match field {
        "sdst" => Field::Sdst,
        "ssrc0" => Field::Ssrc0,
        "ssrc1" => Field::Ssrc1,
        "simm16" => Field::Simm16,
        "sdata" => Field::Sdata,
        "sbase" => Field::Sbase,
        "soffset" => Field::Soffset,
        "vdst" => Field::Vdst,
        "src0" => Field::Src0,
        "src1" => Field::Src1,
        "src2" => Field::Src2,
        "sa" => Field::ScaleA,
        "sb" => Field::ScaleB,
        "vsrc1" => Field::Vsrc1,
        "vsrc2" => Field::Vsrc2,
        "vaddr" => Field::Vaddr,
        "addr" => Field::Addr,
        "vdata" => Field::Vdata,
        "vsrc" => Field::Vsrc,
        "data" => Field::Data,
        "data0" => Field::Data0,
        "data1" => Field::Data1,
        "rsrc" => Field::Rsrc,
        "g0" => Field::Group0,
        "g1" => Field::Group1,
        "literal" => Field::Literal,
        _ => return None,
    };
    spec(field, read_class(format, field, class)?)
}

fn read_class(format: Format, field: Field, class: &str) -> Option<Class> {
    match class {
        "hex" => return Some(Class::Hex),
        "dec" => return Some(Class::Dec),
        "num" => return Some(Class::Num),
        "opt" => return Some(Class::Opt),
        "label" => return Some(Class::Label),
        "hwreg" => return Some(Class::Hwreg),
        "sendmsg" => return Some(Class::SendMsg),
        "waitcnt" => return Some(Class::WaitCnt),
        "delay" => return Some(Class::DelayAlu),
        "depctr" => return Some(Class::DepCtr),
        "gpridx" => return Some(Class::GprIdx),
        "soff" => return Some(Class::Soffset),
        "K1" => return Some(Class::Literal(1)),
        "K2" => return Some(Class::Literal(2)),
        _ => {}
    }
    let (kind, rest) = class.split_at_checked(1)?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (width, suffix) = rest.split_at_checked(digits)?;
    let width: u8 = width.parse().ok()?;
    let half = suffix.ends_with('t');
    let constants = match suffix.trim_end_matches('t') {
        "" => Constants::Wide,
        "h" => Constants::Half,
        "i" => Constants::Short,
        "q" => Constants::Bits,
        _ => return None,
    };
    let wide_field = matches!(field, Field::Src0 | Field::Src1 | Field::Src2 | Field::ScaleA | Field::ScaleB);
    let source = |vector, scalar, inline, literal| {
        Some(Class::Source(Source { width, vector, scalar, inline, literal, constants, half }))
    };
    match kind {
        "v" if wide_field => source(true, false, false, false),
        "v" if half => Some(Class::VgprHalf),
        "v" => Some(Class::Vgpr(width)),
        "a" if wide_field => Some(Class::Agpr(width)),
        "a" | "A" => Some(Class::Agpr(width)),
        "s" if wide_field || matches!(field, Field::Ssrc0 | Field::Ssrc1) => {
            source(false, true, false, false)
        }
        "s" if field == Field::Soffset && format != Format::Vbuffer => source(false, true, true, false),
        "s" => Some(Class::Sgpr(width)),
        "x" => source(true, true, true, true),
        "y" => source(false, true, true, true),
        "n" => source(true, true, true, false),
        "r" => source(true, true, false, false),
        "w" => source(true, false, true, true),
        "k" => source(true, false, true, false),
        "z" => source(false, true, true, false),
        "j" => source(false, false, true, false),
        _ => None,
    }
}

fn read_flags(text: &str) -> Option<Flags> {
    let mut flags = Flags::default();
    let hex = |v: &str| u8::from_str_radix(v, 16).ok();
    for word in text.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap_or((word, "0"));
        match name {
            "abs" => flags.abs = hex(value)?,
            "neg" if word == "neg" => flags.negxy = true,
            "neg" => flags.neg = hex(value)?,
            "clamp" => flags.clamp = true,
            "omod" => flags.omod = true,
            "opsel" => {
                let (mask, entries) = value.split_once('/')?;
                flags.opsel = hex(mask)?;
                flags.opsel_entries = hex(entries)?;
            }
            "bytesel" => flags.bytesel = hex(value)?,
            "scalesel" => flags.scalesel = hex(value)?,
            "bitop3" => flags.bitop3 = true,
            "bitop2" => flags.bitop2 = true,
            "pk" => flags.pk = hex(value)?,
            "neglo" => flags.neglo = hex(value)?,
            "neghi" => flags.neghi = hex(value)?,
            "mods" => flags.mods = hex(value)?,
            "dpp" => flags.dpp = true,
            "dpp8" => flags.dpp8 = true,
            "sdwa" => flags.sdwa = true,
            "mai" => flags.mai = true,
            "wmma" => flags.wmma = true,
            "indexkey" => flags.indexkey = true,
            "reuse" => flags.reuse = true,
            "fmt" => flags.matrix_fmt = true,
            "exec" => flags.exec = true,
            "accmov" => flags.accmov = true,
            "ldscale" => flags.ldscale = true,
            "off" => flags.off = true,
            "off01" => flags.off01 = true,
            "gds" => flags.gds = true,
            "acc" => flags.acc = true,
            "offset" => flags.offset = true,
            "ioffset" => flags.ioffset = true,
            "sc0" => flags.sc0 = true,
            "sc1" => flags.sc1 = true,
            "nt" => flags.nt = true,
            "lds" => flags.lds = true,
            "glc" => flags.glc = true,
            "soe" | "soffset" => flags.soe = true,
            "offen" => flags.offen = true,
            "th" => flags.th = true,
            "scope" => flags.scope = true,
            "nv" => flags.nv = true,
            "scale" => flags.scale = true,
            _ => return None,
        }
    }
    Some(flags)
}

/// Bits that operands and modifiers of a row can set; any other bit that is set makes a word something else.
fn used_bits(layout: &'static Layout, operands: &[OperandSpec], flags: &Flags) -> u128 {
    let of = |field| layout.bits(field).map_or(0, |b: Bits| format::insert(0, b, u32::MAX));
    let low = |field, mask: u8| layout.bits(field).map_or(0, |b: Bits| format::insert(0, b, u32::from(mask)));
    let mut used = u128::from(layout.mask) | layout.set | format::insert(0, layout.opcode, u32::MAX);
    for operand in operands {
        used |= of(operand.field);
        used |= match operand.class {
            Class::ScratchAddr => of(Field::Sve) | of(Field::Saddr),
            Class::GlobalAddr => of(Field::Saddr),
            Class::SmemOffset => of(Field::Soffset) | of(Field::SoffsetEn) | of(Field::Imm),
            Class::BufferAddr => of(Field::Offen) | of(Field::Idxen),
            _ => 0,
        };
    }
    // Atomics that return have a destination that the row does not name.
    let atomic = operands.iter().any(|o| matches!(o.field, Field::Data | Field::Vsrc)) && flags.atomic;
    // A long comparison that writes EXEC says so where others have their destination.
    if atomic || flags.exec {
        used |= of(Field::Vdst);
    }
    // Sources that an instruction does not have mean nothing; some compilers write the constant 0 there.
    if matches!(layout.format, Format::Vop3 | Format::Vop3p) {
        used |= of(Field::Src1) | of(Field::Src2);
    }
    let when = |on: bool, field| if on { of(field) } else { 0 };
    if matches!(layout.format, Format::Scaled | Format::Scaled16) {
        let fields = [
            Field::ScaleSel,
            Field::ScaleSelHi,
            Field::ScaleThird,
            Field::ScaleFormatA,
            Field::ScaleFormatB,
            Field::ReuseA,
            Field::ReuseB,
        ];
        used |= fields.into_iter().fold(0, |bits, field| bits | of(field));
    }
    used |= low(Field::Abs, flags.abs)
        | low(Field::Neg, flags.neg | flags.neglo)
        | low(Field::NegHi, flags.neghi);
    used |= low(Field::OpSel, flags.opsel | flags.bytesel | flags.scalesel);
    used |= when(flags.clamp, Field::Clamp) | when(flags.omod, Field::Omod);
    if flags.bitop3 {
        used |= of(Field::Abs) | of(Field::Omod) | of(Field::Neg);
    }
    if flags.pk > 0 {
        let mask = (1u8 << flags.pk) - 1;
        used |= low(Field::OpSel, mask) | of(Field::OpSelHi) | of(Field::OpSelHi2);
    }
    if flags.wmma {
        used |= of(Field::OpSelHi) | of(Field::OpSelHi2);
        used |= low(
            Field::OpSel,
            u8::from(flags.indexkey) | if flags.reuse { 4 } else { 0 } | if flags.matrix_fmt { 7 } else { 0 },
        );
    }
    if flags.mai {
        used |= of(Field::Cbsz) | of(Field::AccCd) | of(Field::AccAb);
        used |= if flags.smfmac { 0 } else { of(Field::Blgp) };
        used |= if flags.matrix_fmt { 0 } else { of(Field::Abid) };
    }
    if flags.accmov {
        used |= of(Field::AccAb) | of(Field::OpSelHi2);
    }
    if flags.ldscale {
        used |= low(Field::OpSel, 3) | of(Field::OpSelHi) | of(Field::OpSelHi2);
    }
    // The dot products take no op_sel, yet compilers write its default, all ones: inferred: llvm-mc 22.
    if layout.format == Format::Vop3p && flags.pk == 0 && !flags.mai {
        used |= of(Field::OpSelHi) | of(Field::OpSelHi2);
    }
    if flags.negxy {
        used |= of(Field::NegX) | of(Field::NegY);
    }
    used |= when(flags.off || flags.off01, Field::Offset) | when(flags.off || flags.off01, Field::Offset1);
    let offset = if flags.offset && layout.format == Format::Flat {
        // Flat addresses take 12 unsigned bits (manual: CDNA3 ISA 13.3).
        0xfff
    } else {
        when(flags.offset, Field::Offset)
    };
    used |= when(flags.acc, Field::Acc) | offset | when(flags.ioffset, Field::Ioffset);
    used |=
        when(flags.sc0 || flags.glc, Field::Sc0) | when(flags.sc1, Field::Sc1) | when(flags.nt, Field::Nt);
    used |= when(flags.th, Field::Th) | when(flags.scope, Field::Scope) | when(flags.nv, Field::Nv);
    used |= when(flags.scale, Field::Scale) | of(Field::Dfmt);
    used |= when(flags.lds, Field::Lds) | when(flags.soe, Field::Soffset);
    if matches!(layout.format, Format::Flat | Format::Global) && layout.dwords == 3 {
        used |= of(Field::Saddr);
    }
    if matches!(layout.format, Format::Vopd | Format::Vopd3) {
        used |= of(Field::OpY)
            | of(Field::Src0Y)
            | of(Field::Vsrc1Y)
            | of(Field::Vsrc2Y)
            | of(Field::VdstY)
            | of(Field::NegX)
            | of(Field::NegY);
        used |= of(Field::Vsrc1) | of(Field::Vsrc2);
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_reads() {
        for (generation, text) in [
            (Generation::Gfx9, include_str!("table/gfx9.tbl")),
            (Generation::Gfx12, include_str!("table/gfx1250.tbl")),
        ] {
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
