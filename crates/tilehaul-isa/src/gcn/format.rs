//! Encodings: which bits of an instruction hold which field.
//!
//! An instruction is read as one little-endian number of up to 128 bits, its first dword lowest. A format is
//! recognised by its first dword alone. Bits of literals, DPP and SDWA dwords are not part of the format: they
//! follow it (`inst/`).

/// The instruction tables: gfx942 and gfx950 share one, gfx1250 has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// CDNA3 and CDNA4.
    Gfx9,
    /// gfx1250.
    Gfx12,
}

/// An encoding of one generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the manual's")]
pub enum Format {
    Sop1,
    Sop2,
    Sopc,
    Sopk,
    Sopp,
    Smem,
    Vop1,
    Vop2,
    Vopc,
    Vop3,
    Vop3p,
    /// A matrix instruction behind the one that loads its scales: 16 bytes that print as one.
    Scaled,
    /// The same with 16-bit pairs of scales (gfx1250).
    Scaled16,
    Vopd,
    Vopd3,
    Ds,
    Flat,
    Global,
    Scratch,
    Mubuf,
    Mtbuf,
    Vbuffer,
    Vimage,
}

/// A field of an encoding; operands of the instruction table name the field that holds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the manual's")]
pub enum Field {
    Sdst,
    Ssrc0,
    Ssrc1,
    Simm16,
    Sdata,
    Sbase,
    Soffset,
    Ioffset,
    Vdst,
    Src0,
    Src1,
    Src2,
    Vsrc1,
    Vsrc2,
    Vaddr,
    Addr,
    Vdata,
    Vsrc,
    Data,
    Data0,
    Data1,
    Rsrc,
    Saddr,
    Offset,
    Offset1,
    Group0,
    Group1,
    Group2,
    Group3,
    VdstY,
    Src0Y,
    Vsrc1Y,
    Vsrc2Y,
    OpY,
    Literal,
    Implied,
    Abs,
    Neg,
    NegHi,
    OpSel,
    OpSelHi,
    OpSelHi2,
    Clamp,
    Omod,
    ScaleA,
    ScaleB,
    ScaleSel,
    ScaleSelHi,
    ScaleThird,
    ScaleFormatA,
    ScaleFormatB,
    ReuseA,
    ReuseB,
    Cbsz,
    Abid,
    AccCd,
    AccAb,
    Blgp,
    Acc,
    Offen,
    Idxen,
    Sc0,
    Sc1,
    Nt,
    Lds,
    Dfmt,
    Th,
    Scope,
    Nv,
    Scale,
    Sve,
    SoffsetEn,
    Imm,
    NegX,
    NegY,
}

/// Where a field lies: lowest bit and width in bits.
pub type Bits = (u8, u8);

/// One encoding.
#[derive(Debug)]
pub struct Layout {
    /// Which.
    pub format: Format,
    /// Length without literal, in dwords.
    pub dwords: u8,
    /// Bits of the first dword that are fixed.
    pub mask: u32,
    /// Their values.
    pub value: u32,
    /// The opcode.
    pub opcode: Bits,
    /// Every field.
    pub fields: &'static [(Field, u8, u8)],
    /// Fixed bits beyond the first dword, and always-set bits, as a 128-bit number.
    pub set: u128,
}

impl Layout {
    /// Where `field` lies, if this encoding has it.
    #[must_use]
    pub fn bits(&self, field: Field) -> Option<Bits> {
        self.fields.iter().find(|(f, ..)| *f == field).map(|&(_, lo, width)| (lo, width))
    }

    /// The value of `field` in `word`; zero where this encoding has no such field.
    #[must_use]
    pub fn get(&self, word: u128, field: Field) -> u32 {
        self.bits(field).map_or(0, |bits| extract(word, bits))
    }
}

/// The value of the field `bits` of `word`.
#[must_use]
pub fn extract(word: u128, (lo, width): Bits) -> u32 {
    ((word >> lo) & ((1u128 << width) - 1)) as u32
}

/// `word` with `value` in the field `bits`; bits of `value` beyond the field are dropped.
#[must_use]
pub fn insert(word: u128, (lo, width): Bits, value: u32) -> u128 {
    let mask = ((1u128 << width) - 1) << lo;
    (word & !mask) | ((u128::from(value) << lo) & mask)
}

/// The encodings of a generation, the most specific first. Those of two instructions in one, which start like another,
/// stand last: [`recognise`] does not find them, the decoder tries them when it meets their first half.
#[must_use]
pub fn layouts(generation: Generation) -> &'static [Layout] {
    match generation {
        Generation::Gfx9 => GFX9,
        Generation::Gfx12 => GFX12,
    }
}

/// The layout of `format`, if the generation has it.
#[must_use]
pub fn layout(generation: Generation, format: Format) -> Option<&'static Layout> {
    layouts(generation).iter().find(|l| l.format == format)
}

/// The encoding that the first dword of an instruction belongs to.
#[must_use]
pub fn recognise(generation: Generation, first: u32) -> Option<&'static Layout> {
    layouts(generation).iter().find(|l| first & l.mask == l.value)
}

/// The encoding of two instructions in one that may start with this dword.
#[must_use]
pub fn pair(generation: Generation, first: u32) -> Option<&'static Layout> {
    let pairs = layouts(generation).iter().filter(|l| matches!(l.format, Format::Scaled | Format::Scaled16));
    pairs.into_iter().find(|l| first & l.mask == l.value)
}

macro_rules! layout {
    ($format:ident, $dwords:literal, $mask:literal, $value:literal, op $op:tt, [$($field:ident $lo:literal $width:literal),* $(,)?]) => {
        layout!($format, $dwords, $mask, $value, op $op, [$($field $lo $width),*], set 0)
    };
    ($format:ident, $dwords:literal, $mask:literal, $value:literal, op $op:tt, [$($field:ident $lo:literal $width:literal),* $(,)?], set $set:expr) => {
        Layout {
            format: Format::$format,
            dwords: $dwords,
            mask: $mask,
            value: $value,
            opcode: $op,
            fields: &[$((Field::$field, $lo, $width)),*],
            set: $set,
        }
    };
}

const GFX9: &[Layout] = &[
    layout!(Sopp, 1, 0xff80_0000, 0xbf80_0000, op (16, 7), [Simm16 0 16]),
    layout!(Sopc, 1, 0xff80_0000, 0xbf00_0000, op (16, 7), [Ssrc0 0 8, Ssrc1 8 8]),
    layout!(Sop1, 1, 0xff80_0000, 0xbe80_0000, op (8, 8), [Ssrc0 0 8, Sdst 16 7]),
    layout!(Sopk, 1, 0xf000_0000, 0xb000_0000, op (23, 5), [Simm16 0 16, Sdst 16 7]),
    layout!(Sop2, 1, 0xc000_0000, 0x8000_0000, op (23, 7), [Ssrc0 0 8, Ssrc1 8 8, Sdst 16 7]),
    layout!(Vop1, 1, 0xfe00_0000, 0x7e00_0000, op (9, 8), [Src0 0 9, Vdst 17 8]),
    layout!(Vopc, 1, 0xfe00_0000, 0x7c00_0000, op (17, 8), [Src0 0 9, Vsrc1 9 8]),
    layout!(Vop2, 1, 0x8000_0000, 0x0000_0000, op (25, 6), [Src0 0 9, Vsrc1 9 8, Vdst 17 8]),
    layout!(Smem, 2, 0xfc00_0000, 0xc000_0000, op (18, 8),
        [Sbase 0 6, Sdata 6 7, SoffsetEn 14 1, Nv 15 1, Sc0 16 1, Imm 17 1, Ioffset 32 21, Soffset 57 7]),
    layout!(Vop3p, 2, 0xff80_0000, 0xd380_0000, op (16, 7),
        [Vdst 0 8, NegHi 8 3, Cbsz 8 3, OpSel 11 3, Abid 11 4, OpSelHi2 14 1, Clamp 15 1, AccCd 15 1,
         Src0 32 9, Src1 41 9, Src2 50 9, OpSelHi 59 2, AccAb 59 2, Neg 61 3, Blgp 61 3]),
    layout!(Vop3, 2, 0xfc00_0000, 0xd000_0000, op (16, 10),
        [Vdst 0 8, Sdst 8 7, Abs 8 3, OpSel 11 4, Clamp 15 1, Src0 32 9, Src1 41 9, Src2 50 9, Omod 59 2, Neg 61 3]),
    layout!(Ds, 2, 0xfc00_0000, 0xd800_0000, op (17, 8),
        [Offset 0 8, Offset1 8 8, Lds 16 1, Acc 25 1, Addr 32 8, Data0 40 8, Data1 48 8, Vdst 56 8]),
    layout!(Flat, 2, 0xfc00_c000, 0xdc00_0000, op (18, 7),
        [Offset 0 13, Sc0 16 1, Nt 17 1, Sc1 25 1, Addr 32 8, Data 40 8, Acc 55 1, Vdst 56 8]),
    layout!(Scratch, 2, 0xfc00_c000, 0xdc00_4000, op (18, 7),
        [Offset 0 13, Sve 13 1, Sc0 16 1, Nt 17 1, Sc1 25 1, Addr 32 8, Data 40 8, Saddr 48 7, Acc 55 1, Vdst 56 8]),
    layout!(Global, 2, 0xfc00_c000, 0xdc00_8000, op (18, 7),
        [Offset 0 13, Sc0 16 1, Nt 17 1, Sc1 25 1, Addr 32 8, Data 40 8, Saddr 48 7, Acc 55 1, Vdst 56 8]),
    layout!(Mubuf, 2, 0xfc00_0000, 0xe000_0000, op (18, 7),
        [Offset 0 12, Offen 12 1, Idxen 13 1, Sc0 14 1, Sc1 15 1, Lds 16 1, Nt 17 1,
         Vaddr 32 8, Vdata 40 8, Rsrc 48 5, Acc 55 1, Soffset 56 8]),
    layout!(Mtbuf, 2, 0xfc00_0000, 0xe800_0000, op (15, 4),
        [Offset 0 12, Offen 12 1, Idxen 13 1, Sc0 14 1, Dfmt 19 7,
         Vaddr 32 8, Vdata 40 8, Rsrc 48 5, Sc1 53 1, Nt 54 1, Acc 55 1, Soffset 56 8]),
    layout!(Scaled, 4, 0xffff_0000, 0xd3ac_0000, op (80, 7),
        [ScaleSel 11 2, ScaleA 32 9, ScaleB 41 9, ScaleSelHi 59 2,
         Vdst 64 8, Cbsz 72 3, AccCd 79 1, Src0 96 9, Src1 105 9, Src2 114 9, AccAb 123 2, Blgp 125 3],
        set 0xd380_0800_0000_0000_0000_0000),
];

const GFX12: &[Layout] = &[
    layout!(Sopp, 1, 0xff80_0000, 0xbf80_0000, op (16, 7), [Simm16 0 16]),
    layout!(Sopc, 1, 0xff80_0000, 0xbf00_0000, op (16, 7), [Ssrc0 0 8, Ssrc1 8 8]),
    layout!(Sop1, 1, 0xff80_0000, 0xbe80_0000, op (8, 8), [Ssrc0 0 8, Sdst 16 7]),
    layout!(Sopk, 1, 0xf000_0000, 0xb000_0000, op (23, 5), [Simm16 0 16, Sdst 16 7]),
    layout!(Sop2, 1, 0xc000_0000, 0x8000_0000, op (23, 7), [Ssrc0 0 8, Ssrc1 8 8, Sdst 16 7]),
    layout!(Vop1, 1, 0xfe00_0000, 0x7e00_0000, op (9, 8), [Src0 0 9, Vdst 17 8]),
    layout!(Vopc, 1, 0xfe00_0000, 0x7c00_0000, op (17, 8), [Src0 0 9, Vsrc1 9 8]),
    layout!(Vop2, 1, 0x8000_0000, 0x0000_0000, op (25, 6), [Src0 0 9, Vsrc1 9 8, Vdst 17 8]),
    layout!(Smem, 2, 0xfc00_0000, 0xf400_0000, op (13, 7),
        [Sbase 0 6, Sdata 6 7, Nv 20 1, Scope 21 2, Th 23 2, Ioffset 32 24, Scale 56 1, Soffset 57 7]),
    layout!(Vopd3, 3, 0xff00_0000, 0xcf00_0000, op (18, 6),
        [Src0 0 9, OpY 12 6, Src0Y 32 9, NegX 41 3, NegY 44 3, Vsrc1 48 8, Vsrc2 56 8, Vdst 64 8, Vsrc1Y 72 8, Vsrc2Y 80 8, VdstY 88 8]),
    layout!(Vopd, 2, 0xfc00_0000, 0xc800_0000, op (22, 4),
        [Src0 0 9, Vsrc1 9 8, OpY 17 5, Src0Y 32 9, Vsrc1Y 41 8, VdstY 49 7, Vdst 56 8]),
    layout!(Vop3p, 2, 0xff00_0000, 0xcc00_0000, op (16, 8),
        [Vdst 0 8, NegHi 8 3, OpSel 11 3, OpSelHi2 14 1, Clamp 15 1, Src0 32 9, Src1 41 9, Src2 50 9, OpSelHi 59 2, Neg 61 3]),
    layout!(Vop3, 2, 0xfc00_0000, 0xd400_0000, op (16, 10),
        [Vdst 0 8, Sdst 8 7, Abs 8 3, OpSel 11 4, Clamp 15 1, Src0 32 9, Src1 41 9, Src2 50 9, Omod 59 2, Neg 61 3]),
    layout!(Ds, 2, 0xfc00_0000, 0xd800_0000, op (18, 8),
        [Offset 0 8, Offset1 8 8, Addr 32 8, Data0 40 8, Data1 48 8, Vdst 56 8]),
    layout!(Vbuffer, 3, 0xffc0_0000, 0xc400_0000, op (14, 8),
        [Soffset 0 7, Nv 7 1, Vdata 32 8, Rsrc 41 7, Scope 50 2, Th 52 3, Offen 62 1, Idxen 63 1, Vaddr 64 8, Ioffset 72 24],
        set 0x0080_0000_0000_0000),
    layout!(Flat, 3, 0xff00_0000, 0xec00_0000, op (14, 8),
        [Saddr 0 7, Nv 7 1, Vdst 32 8, Scale 48 1, Sve 49 1, Scope 50 2, Th 52 3, Vsrc 55 8, Vaddr 64 8, Ioffset 72 24]),
    layout!(Scratch, 3, 0xff00_0000, 0xed00_0000, op (14, 8),
        [Saddr 0 7, Nv 7 1, Vdst 32 8, Scale 48 1, Sve 49 1, Scope 50 2, Th 52 3, Vsrc 55 8, Vaddr 64 8, Ioffset 72 24]),
    layout!(Global, 3, 0xff00_0000, 0xee00_0000, op (14, 8),
        [Saddr 0 7, Nv 7 1, Vdst 32 8, Scale 48 1, Sve 49 1, Scope 50 2, Th 52 3, Vsrc 55 8, Vaddr 64 8, Ioffset 72 24]),
    layout!(Vimage, 3, 0xfc00_0000, 0xd000_0000, op (14, 8),
        [Nv 7 1, Scope 50 2, Th 52 3, Group0 64 8, Group1 72 8, Group2 80 8, Group3 88 8], set 0x7c00_0000_0040_0001),
    layout!(Scaled, 4, 0xffff_0000, 0xcc35_0000, op (80, 8),
        [ScaleFormatB 8 2, ScaleSel 11 1, ReuseA 13 1, ReuseB 14 1, ScaleA 32 9, ScaleB 41 9, ScaleThird 50 9, ScaleSelHi 59 1, ScaleFormatA 61 2,
         Vdst 64 8, NegHi 72 3, OpSel 75 3, OpSelHi2 78 1, Src0 96 9, Src1 105 9, Src2 114 9, OpSelHi 123 2, Neg 125 3],
        set 0xcc00_0000_0000_0000_0000_0000),
    layout!(Scaled16, 4, 0xffff_0000, 0xcc3a_0000, op (80, 8),
        [ScaleFormatB 8 2, ScaleSel 11 1, ReuseA 13 1, ReuseB 14 1, ScaleA 32 9, ScaleB 41 9, ScaleThird 50 9, ScaleSelHi 59 1, ScaleFormatA 61 2,
         Vdst 64 8, NegHi 72 3, OpSel 75 3, OpSelHi2 78 1, Src0 96 9, Src1 105 9, Src2 114 9, OpSelHi 123 2, Neg 125 3],
        set 0xcc00_0000_0000_0000_0000_0000),
];
