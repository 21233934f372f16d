//! Reads a line of a table: encoding, opcode, name, operands, flags; and which bits they give a meaning to.

use super::{Class, Constants, Flags, OperandSpec, Row, Source};
use crate::gcn::format::{self, Bits, Field, Format, Generation, Layout};
use crate::gcn::target::Target;

pub(super) fn read_row(generation: Generation, line: &'static str) -> Option<Row> {
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
