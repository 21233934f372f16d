//! Buffer resources (V#): 128 bits that give a buffer instruction its base, its stride and its range.
//!
//! gfx9 (CDNA) holds a 48-bit base and a 32-bit number of records; gfx1250 a 57-bit base and a 45-bit number. What
//! "in range" means depends on the chip, so the range check lives here beside the table.

use std::fmt;

use tilehaul_diag::{Diagnostic, Source};

use crate::Rule;
use crate::field::{Encoding, FieldSpec, FormatSpec, bits};

const GFX9: Source = Source::manual("CDNA3 ISA 9.1.8, buffer resource");
const GFX9_RANGE: Source = Source::hardware("rocjitsu against gfx950, ROCm/rocm-systems #10928");
const GFX1250: Source = Source::inferred("rocjitsu gfx1250 buffer resource, ROCm/rocm-systems #8784");

const fn row(
    name: &'static str,
    pieces: &'static [crate::field::Piece],
    encoding: Encoding,
    unit: &'static str,
    doc: &'static str,
    source: Source,
) -> FieldSpec {
    FieldSpec { name, pieces, encoding, unit, doc, source }
}

use Encoding::{Choice, Flag, Plain, Reserved, Shifted};

/// V# of gfx9 (CDNA1 to CDNA4).
pub static VBUF_GFX9: FormatSpec = FormatSpec {
    name: "V# (gfx9)",
    words: 4,
    fields: &[
        row("base", &[bits(0, 0, 32), bits(1, 0, 16)], Plain, "bytes", "Address of the first byte.", GFX9),
        row("stride", &[bits(1, 16, 14)], Plain, "bytes", "Bytes of a record; 0 for a raw buffer.", GFX9),
        row("cache_swizzle", &[bits(1, 30, 1)], Flag, "", "Spreads the buffer over cache banks.", GFX9),
        row("swizzle_enable", &[bits(1, 31, 1)], Flag, "", "Array-of-structures swizzle.", GFX9),
        row(
            "num_records",
            &[bits(2, 0, 32)],
            Plain,
            "bytes",
            "Range: bytes, or records for an indexed access with a stride.",
            GFX9,
        ),
        row("dst_sel_x", &[bits(3, 0, 3)], Plain, "", "Component select of format operations.", GFX9),
        row("dst_sel_y", &[bits(3, 3, 3)], Plain, "", "Component select of format operations.", GFX9),
        row("dst_sel_z", &[bits(3, 6, 3)], Plain, "", "Component select of format operations.", GFX9),
        row("dst_sel_w", &[bits(3, 9, 3)], Plain, "", "Component select of format operations.", GFX9),
        row("num_format", &[bits(3, 12, 3)], Plain, "", "Number format of format operations.", GFX9),
        row(
            "data_format",
            &[bits(3, 15, 4)],
            Plain,
            "",
            "Data format; stride bits 17:14 when add_tid_enable is set.",
            GFX9,
        ),
        row("user_vm", &[bits(3, 19, 2)], Plain, "", "User virtual-memory bits.", GFX9),
        row("index_stride", &[bits(3, 21, 2)], Shifted(8), "records", "Records of one swizzle block.", GFX9),
        row("add_tid_enable", &[bits(3, 23, 1)], Flag, "", "Adds the lane number to the index.", GFX9),
        row("reserved_125_120", &[bits(3, 24, 6)], Reserved(0), "", "Reserved or driver state, 0.", GFX9),
        row("type", &[bits(3, 30, 2)], Choice(&[(0, "buffer")]), "", "Must be 0 (buffer).", GFX9),
    ],
};

/// V# of gfx1250.
pub static VBUF_GFX1250: FormatSpec = FormatSpec {
    name: "V# (gfx1250)",
    words: 4,
    fields: &[
        row("base", &[bits(0, 0, 32), bits(1, 0, 25)], Plain, "bytes", "Address of the first byte.", GFX1250),
        row(
            "num_records",
            &[bits(1, 25, 7), bits(2, 0, 32), bits(3, 0, 6)],
            Plain,
            "bytes",
            "Range in bytes.",
            GFX1250,
        ),
        row("reserved_107_102", &[bits(3, 6, 6)], Reserved(0), "", "Reserved, 0.", GFX1250),
        row("stride", &[bits(3, 12, 14)], Plain, "units", "Record size in units of stride_scale.", GFX1250),
        row(
            "stride_scale",
            &[bits(3, 26, 2)],
            Choice(&[(0, "1"), (1, "4"), (2, "8"), (3, "32")]),
            "",
            "Bytes of a stride unit.",
            GFX1250,
        ),
        row("swizzle_enable", &[bits(3, 28, 1)], Flag, "", "Array-of-structures swizzle.", GFX1250),
        row(
            "oob_select",
            &[bits(3, 29, 1)],
            Flag,
            "",
            "Also checks the offset inside a record against the stride.",
            GFX1250,
        ),
        row("type", &[bits(3, 30, 2)], Choice(&[(0, "buffer")]), "", "Must be 0 (buffer).", GFX1250),
    ],
};

/// A V# word 3 that fits another generation.
pub const FOREIGN_WORD3: Rule = Rule::warning(
    "vbuf-foreign-word3",
    "The layout of a V# differs between generations: word 3 of one is something else on another.",
    GFX1250,
);
/// type must be 0.
pub const TYPE: Rule = Rule::error("vbuf-type", "type must be 0 (buffer).", GFX9);
/// A reserved field holds something.
pub const RESERVED: Rule = Rule::warning("vbuf-reserved", "Reserved bits of a V# must be 0.", GFX9);
/// No byte is in range.
pub const EMPTY: Rule = Rule::warning(
    "vbuf-empty",
    "With num_records = 0 every access is out of range: loads give 0, stores are dropped.",
    GFX9_RANGE,
);
/// The range ends before the tensor.
pub const SHORT: Rule = Rule::warning(
    "vbuf-range-short",
    "num_records must cover the tensor in bytes: what lies past it reads as 0 and is not stored.",
    GFX9_RANGE,
);
/// The range ends after the tensor.
pub const LONG: Rule = Rule::warning(
    "vbuf-range-long",
    "num_records larger than the tensor lets accesses past its end through instead of reading 0.",
    GFX9_RANGE,
);
/// The range ends inside a dword.
pub const PARTIAL_DWORD: Rule = Rule::warning(
    "vbuf-partial-dword",
    "The range check of multi-byte loads works on whole dwords: a dword that is only partly in range reads as 0.",
    GFX9_RANGE,
);
/// The range reaches past the address space.
pub const WRAP: Rule = Rule::note("vbuf-wrap", "The range should end inside the address space.", GFX9);
/// Swizzle is on without what it needs.
pub const SWIZZLE: Rule = Rule::note(
    "vbuf-swizzle",
    "On gfx9 a swizzled address needs swizzle_enable and add_tid_enable.",
    GFX9_RANGE,
);
/// Not four words, or an unknown chip.
pub const WORDS: Rule = Rule::error("vbuf-words", "A V# has 4 words.", GFX9);

/// Every rule of V#s, for the catalogue.
pub const RULES: &[Rule] =
    &[FOREIGN_WORD3, TYPE, RESERVED, EMPTY, SHORT, LONG, PARTIAL_DWORD, WRAP, SWIZZLE, WORDS];

/// Which layout and range check a chip has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferGeneration {
    /// CDNA1 to CDNA4.
    Gfx9,
    /// gfx1250.
    Gfx1250,
}

/// manual: LLVM's AMDGPU usage, processors. Vega's V# is CDNA's.
const TARGETS: &[(&str, BufferGeneration)] = &[
    ("gfx9", BufferGeneration::Gfx9),
    ("gfx900", BufferGeneration::Gfx9),
    ("gfx902", BufferGeneration::Gfx9),
    ("gfx904", BufferGeneration::Gfx9),
    ("gfx906", BufferGeneration::Gfx9),
    ("gfx908", BufferGeneration::Gfx9),
    ("gfx909", BufferGeneration::Gfx9),
    ("gfx90a", BufferGeneration::Gfx9),
    ("gfx90c", BufferGeneration::Gfx9),
    ("gfx940", BufferGeneration::Gfx9),
    ("gfx941", BufferGeneration::Gfx9),
    ("gfx942", BufferGeneration::Gfx9),
    ("gfx950", BufferGeneration::Gfx9),
    ("gfx1250", BufferGeneration::Gfx1250),
    ("gfx1251", BufferGeneration::Gfx1250),
];

impl BufferGeneration {
    /// The generation of a target such as `gfx942`, or `None` when its V# is not modelled.
    #[must_use]
    pub fn of_target(target: &str) -> Option<BufferGeneration> {
        let name = target.trim().to_ascii_lowercase();
        let name = name.rsplit('-').find(|part| part.starts_with("gfx")).unwrap_or(&name).to_owned();
        let name = name.split(':').next().unwrap_or_default();
        TARGETS.iter().find(|(known, _)| *known == name).map(|&(_, generation)| generation)
    }

    /// Targets whose V# is modelled.
    pub fn targets() -> impl Iterator<Item = &'static str> {
        TARGETS.iter().map(|(name, _)| *name)
    }

    /// The generation that wrote `words`, most probably, and why.
    ///
    /// inferred: compilers give every gfx9 V# a data format (0x00027000 in word 3 of a raw buffer), for one without is
    /// unbound there; a raw buffer of gfx1250 has nothing but the top of num_records in word 3.
    #[must_use]
    pub fn guess(words: [u32; 4]) -> (BufferGeneration, &'static str) {
        let format = VBUF_GFX9.field("data_format").map_or(0, |field| field.stored(&words));
        if format == 0 && words != [0; 4] {
            (BufferGeneration::Gfx1250, "word 3 holds no data format, which every V# of gfx9 has")
        } else {
            (BufferGeneration::Gfx9, "word 3 holds a data format, which a V# of gfx1250 does not have")
        }
    }

    /// The table of the V#.
    #[must_use]
    pub fn format(self) -> &'static FormatSpec {
        match self {
            BufferGeneration::Gfx9 => &VBUF_GFX9,
            BufferGeneration::Gfx1250 => &VBUF_GFX1250,
        }
    }
}

/// A buffer resource as decoded numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferResource {
    /// Chip whose rules hold.
    pub generation: BufferGeneration,
    /// Address of the first byte.
    pub base: u64,
    /// Bytes of a record (on gfx9 without the add_tid extension bits).
    pub stride: u64,
    /// Range, in bytes or records.
    pub num_records: u64,
    /// Array-of-structures swizzle.
    pub swizzle: bool,
    /// Records of one swizzle block (gfx9): 8, 16, 32 or 64.
    pub index_stride: u64,
    /// Adds the lane number to the index (gfx9).
    pub add_tid: bool,
    /// Data format (gfx9): also stride bits 17:14 under `add_tid`.
    pub data_format: u64,
    /// Checks offsets inside a record (gfx1250).
    pub oob_select: bool,
}

/// The operands of one lane's access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BufferAccess {
    /// The index register, when `idxen` is set.
    pub index: Option<u32>,
    /// The offset register, 0 without `offen`.
    pub voffset: u32,
    /// The instruction's immediate.
    pub inst_offset: u32,
    /// The scalar offset.
    pub soffset: u32,
    /// Lane of the wave.
    pub lane: u32,
    /// Whether a format conversion takes place.
    pub format_op: bool,
}

/// What the range check of one lane gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferElement {
    /// In range, at this address.
    At(u64),
    /// Out of range: a load gives 0, a store is dropped.
    OutOfRange,
    /// The addressing is not modelled.
    Unsupported(&'static str),
}

impl BufferResource {
    /// The resource in `words`.
    #[must_use]
    pub fn decode(words: [u32; 4], generation: BufferGeneration) -> BufferResource {
        let get =
            |name: &str| -> u64 { generation.format().field(name).map_or(0, |field| field.stored(&words)) };
        match generation {
            BufferGeneration::Gfx9 => BufferResource {
                generation,
                base: get("base"),
                stride: get("stride"),
                num_records: get("num_records"),
                swizzle: get("swizzle_enable") == 1,
                index_stride: 8 << get("index_stride"),
                add_tid: get("add_tid_enable") == 1,
                data_format: get("data_format"),
                oob_select: false,
            },
            BufferGeneration::Gfx1250 => BufferResource {
                generation,
                base: get("base"),
                stride: get("stride") * [1, 4, 8, 32][(get("stride_scale") & 3) as usize],
                num_records: get("num_records"),
                swizzle: get("swizzle_enable") == 1,
                index_stride: 0,
                add_tid: false,
                data_format: 0,
                oob_select: get("oob_select") == 1,
            },
        }
    }

    /// The words of a raw buffer of `bytes` bytes at `base`: on gfx9 with 32-bit data format, as compilers write it.
    ///
    /// # Errors
    /// When the base or the range does not fit its field.
    pub fn encode_raw(
        base: u64,
        bytes: u64,
        generation: BufferGeneration,
    ) -> Result<[u32; 4], Vec<Diagnostic>> {
        let mut words = [0u32; 4];
        let mut wrong = Vec::new();
        // Each as people write it: an address in hex, a size in decimal.
        let shown = [format!("base = {base:#x}"), format!("bytes = {bytes}")];
        for ((name, value), shown) in [("base", base), ("num_records", bytes)].into_iter().zip(shown) {
            let Some(field) = generation.format().field(name) else { continue };
            match field.encode(value.into()) {
                Some(stored) => field.store(&mut words, stored),
                None => wrong.push(WORDS.broken(
                    format!(
                        "{shown} does not fit the {} bits of {name} in a {}",
                        field.width(),
                        generation.format().name
                    ),
                    format!("use at most {} ({:#x})", field.max_stored(), field.max_stored()),
                )),
            }
        }
        if generation == BufferGeneration::Gfx9 {
            words[3] = 0x0002_7000;
        }
        if wrong.is_empty() { Ok(words) } else { Err(wrong) }
    }

    /// Where element `i` (of `size` bytes) of a lane's access lies, or that it is out of range.
    ///
    /// `count` is the number of elements of the access and `whole` says that it is in range as a whole or not at all
    /// (format operations and atomics); plain multi-dword loads clamp each dword.
    #[must_use]
    pub fn element(
        &self,
        access: &BufferAccess,
        i: u32,
        size: u32,
        count: u32,
        whole: bool,
    ) -> BufferElement {
        match self.generation {
            BufferGeneration::Gfx9 => self.element_gfx9(access, i, size, count, whole),
            BufferGeneration::Gfx1250 => self.element_gfx1250(access, i, size, count, whole),
        }
    }

    // Source: hardware, rocjitsu against gfx950 (ROCm/rocm-systems #10928): a linear buffer with IDXEN drops ADD_TID,
    // soffset counts in the byte check, the only 32-bit wrap is voffset + immediate.
    fn element_gfx9(
        &self,
        access: &BufferAccess,
        i: u32,
        size: u32,
        count: u32,
        whole: bool,
    ) -> BufferElement {
        let offset = access.voffset.wrapping_add(access.inst_offset);
        let add = self.add_tid && (self.swizzle || access.index.is_none());
        let index = u64::from(access.index.unwrap_or(0)) + if add { u64::from(access.lane) } else { 0 };
        let stride =
            if add && !access.format_op { (self.data_format << 14) | self.stride } else { self.stride };
        let in_range = if self.add_tid && access.index.is_none() {
            true
        } else if access.index.is_some() && self.stride != 0 {
            index < self.num_records
        } else {
            let last = u64::from(if whole { count } else { i + 1 });
            u64::from(offset) + u64::from(access.soffset) + last * u64::from(size) <= self.num_records
        };
        if !in_range {
            return BufferElement::OutOfRange;
        }
        let (offset, soffset) = (u64::from(offset), u64::from(access.soffset));
        let step = u64::from(i) * u64::from(size);
        let address = if self.swizzle && self.add_tid {
            let block = self.index_stride;
            let at = offset + step;
            self.base
                .wrapping_add(((index / block) * stride + (at / 4) * 4) * block)
                .wrapping_add((index % block) * 4 + at % 4 + soffset)
        } else {
            self.base.wrapping_add(index * stride).wrapping_add(offset + soffset + step)
        };
        BufferElement::At(address & 0xffff_ffff_ffff)
    }

    fn element_gfx1250(
        &self,
        access: &BufferAccess,
        i: u32,
        size: u32,
        count: u32,
        whole: bool,
    ) -> BufferElement {
        if self.swizzle {
            return BufferElement::Unsupported("swizzled buffers of gfx1250 are not modelled");
        }
        let offset = u64::from(access.voffset.wrapping_add(access.inst_offset));
        let index = u64::from(access.index.unwrap_or(0));
        let last = u64::from(if whole { count } else { i + 1 }) * u64::from(size);
        let start =
            u128::from(index) * u128::from(self.stride) + u128::from(offset) + u128::from(access.soffset);
        let in_record = !self.oob_select || self.stride == 0 || offset + last <= self.stride;
        if !in_record || start + u128::from(last) > u128::from(self.num_records) {
            return BufferElement::OutOfRange;
        }
        let step = u64::from(i) * u64::from(size);
        BufferElement::At(self.base.wrapping_add(start as u64).wrapping_add(step))
    }
}

impl fmt::Display for BufferGeneration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BufferGeneration::Gfx9 => "gfx9",
            BufferGeneration::Gfx1250 => "gfx1250",
        })
    }
}

/// Everything to be said about the words of a V#; `tensor_bytes` is what it should span, when known.
#[must_use]
pub fn judge_vbuf(
    words: &[u32],
    generation: BufferGeneration,
    tensor_bytes: Option<u64>,
) -> (Option<BufferResource>, Vec<Diagnostic>) {
    let Ok(words) = <[u32; 4]>::try_from(words) else {
        let told = WORDS.broken(format!("a V# has 4 words, not {}", words.len()), "give all four words");
        return (None, vec![told]);
    };
    let resource = BufferResource::decode(words, generation);
    let mut out = Vec::new();
    let kind = words[3] >> 30;
    if kind != 0 {
        out.push(TYPE.broken(
            format!("type = {kind} in bits 31:30 of word 3 ({:#010x}) is not 0 (buffer)", words[3]),
            "clear bits 31:30 of word 3",
        ));
    }
    let foreign = foreign_word3(words[3], generation);
    if let Some(told) = &foreign {
        out.push(told.clone());
    }
    for field in generation.format().fields {
        let stored = field.stored(&words);
        if matches!(field.encoding, Reserved(want) if want != stored) && foreign.is_none() {
            out.push(RESERVED.broken(
                format!("{} = {stored:#x} of word 3 ({:#010x}) must be 0", field.name, words[3]),
                "clear those bits",
            ));
        }
    }
    if resource.num_records == 0 {
        out.push(EMPTY.broken(
            "num_records = 0 puts every access out of range: loads give 0 and stores are dropped",
            match tensor_bytes {
                Some(bytes) => format!("set num_records = {bytes}"),
                None => "set num_records to the buffer's size in bytes".to_owned(),
            },
        ));
    } else if let Some(bytes) = tensor_bytes {
        range(&resource, bytes, &mut out);
    }
    let tail = resource.num_records % 4;
    if tail != 0
        && resource.stride == 0
        && generation == BufferGeneration::Gfx9
        && resource.num_records < 0x7fff_0000
    {
        out.push(PARTIAL_DWORD.broken(
            format!(
                "num_records = {} is not a multiple of 4: a load of dwords reads the last {tail} byte{} as 0, for a dword \
                 that is only partly in range is out of range",
                resource.num_records,
                if tail == 1 { "" } else { "s" }
            ),
            format!("round num_records up to {} where the memory is there, or load the tail in smaller pieces", resource.num_records.next_multiple_of(4)),
        ));
    }
    if resource.swizzle && generation == BufferGeneration::Gfx9 && !resource.add_tid {
        out.push(SWIZZLE.told("swizzle_enable = 1 has no effect on the address while add_tid_enable = 0"));
    }
    let top = if generation == BufferGeneration::Gfx9 { 1u64 << 48 } else { 1 << 57 };
    if resource.base.saturating_add(resource.num_records) > top {
        out.push(WRAP.told(format!(
            "base {:#x} plus num_records = {:#x} reaches past the address space",
            resource.base, resource.num_records
        )));
    }
    (Some(resource), out)
}

/// Compares the range with the bytes that the tensor has.
fn range(resource: &BufferResource, bytes: u64, out: &mut Vec<Diagnostic>) {
    let records = resource.num_records;
    let indexed = records.saturating_mul(resource.stride);
    if records == bytes || (resource.stride != 0 && indexed == bytes) {
        return;
    }
    // An indexed view counts records, so its span is the nearer of the two readings.
    let span = if resource.stride != 0 && indexed <= bytes { indexed } else { records };
    if span < bytes {
        let field_top =
            resource.generation.format().field("num_records").map_or(u64::MAX, FieldSpec::max_stored);
        let per_element = (bytes.is_multiple_of(span)).then(|| bytes / span).filter(|e| (2..=16).contains(e));
        let why = if bytes > field_top && records == bytes & field_top {
            format!("; the size was cut to the {} bits of the field", field_top.count_ones())
        } else if let Some(e) = per_element {
            format!("; {records} looks like a count of {e}-byte elements, and the field counts bytes")
        } else {
            String::new()
        };
        let fix = if bytes > field_top {
            format!("move base along with the tile: a V# covers at most {field_top} bytes")
        } else {
            format!("set num_records = {bytes}")
        };
        out.push(SHORT.broken(
            format!("num_records = {records} covers {span} of the tensor's {bytes} bytes: loads past it give 0 and stores are dropped{why}"),
            fix,
        ));
    } else {
        out.push(LONG.broken(
            format!(
                "num_records = {records} ({records:#x}) is {} bytes more than the tensor's {bytes}: accesses past its end \
                 are let through instead of reading 0",
                span - bytes
            ),
            format!("set num_records = {bytes}"),
        ));
    }
}

/// Word 3 as compilers write it for another generation.
fn foreign_word3(word: u32, generation: BufferGeneration) -> Option<Diagnostic> {
    let known = [
        (0x0002_7000, "gfx9", BufferGeneration::Gfx9),
        (0x0002_0000, "gfx9", BufferGeneration::Gfx9),
        (0x3101_4000, "gfx10", BufferGeneration::Gfx1250),
        (0x3100_4000, "gfx11 and gfx12", BufferGeneration::Gfx1250),
        (0x3102_7000, "gfx10", BufferGeneration::Gfx1250),
    ];
    let (_, name, home) = known.iter().find(|(w, ..)| *w == word)?;
    // The gfx10 to gfx12 words fit neither generation that is modelled here.
    if *name == "gfx9" && *home == generation {
        return None;
    }
    let right = match generation {
        BufferGeneration::Gfx9 => "use 0x00027000 for a raw buffer on gfx9",
        BufferGeneration::Gfx1250 => {
            "on gfx1250 a raw buffer has word 3 = num_records[44:39], and num_records[6:0] in word 1 bits 31:25"
        }
    };
    Some(FOREIGN_WORD3.broken(
        format!("word 3 = {word:#010x} is that of a {name} V#; on {generation} its bits mean something else"),
        right,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn raw(bytes: u64) -> BufferResource {
        BufferResource::decode(
            BufferResource::encode_raw(0x1000, bytes, BufferGeneration::Gfx9).unwrap(),
            BufferGeneration::Gfx9,
        )
    }

    /// A 16-byte load of a lane at offset 0: bytes of data, then zeros, dword by dword.
    fn clamp(num_records: u64) -> u32 {
        let access = BufferAccess::default();
        (0..4)
            .filter(|&i| matches!(raw(num_records).element(&access, i, 4, 4, false), BufferElement::At(_)))
            .count() as u32
            * 4
    }

    #[test]
    fn a_multi_dword_load_is_clamped_dword_by_dword() {
        assert_eq!([clamp(14), clamp(11), clamp(3), clamp(16)], [12, 8, 0, 16]);
    }

    #[test]
    fn soffset_counts_in_the_byte_check_of_gfx9() {
        let access = BufferAccess { voffset: 0x8000_0000, soffset: 8, ..BufferAccess::default() };
        assert_eq!(raw(1 << 20).element(&access, 0, 4, 1, false), BufferElement::OutOfRange);
        let access = BufferAccess { voffset: 8, soffset: 8, ..BufferAccess::default() };
        assert_eq!(raw(20).element(&access, 0, 4, 1, false), BufferElement::At(0x1010));
        assert_eq!(raw(19).element(&access, 0, 4, 1, false), BufferElement::OutOfRange);
    }

    #[test]
    fn an_indexed_access_counts_records() {
        let words = [0x1000, 16 << 16, 4, 0x27000];
        let v = BufferResource::decode(words, BufferGeneration::Gfx9);
        let at = |index| {
            v.element(
                &BufferAccess { index: Some(index), voffset: 4, ..BufferAccess::default() },
                0,
                4,
                1,
                false,
            )
        };
        assert_eq!([at(3), at(4)], [BufferElement::At(0x1034), BufferElement::OutOfRange]);
    }

    #[test]
    fn a_range_in_elements_is_told() {
        let words = BufferResource::encode_raw(0x1000, 4096, BufferGeneration::Gfx9).unwrap();
        let (_, told) = judge_vbuf(&words, BufferGeneration::Gfx9, Some(8192));
        assert_eq!(told.len(), 1);
        assert!(told[0].message.contains("2-byte elements"), "{}", told[0].message);
        assert!(judge_vbuf(&words, BufferGeneration::Gfx9, Some(4096)).1.is_empty());
    }

    #[test]
    fn gfx1250_has_45_bits_of_range() {
        let words =
            BufferResource::encode_raw(0x01ff_1234_5678_9abc, 0x1fff_0000_0081, BufferGeneration::Gfx1250)
                .unwrap();
        let v = BufferResource::decode(words, BufferGeneration::Gfx1250);
        assert_eq!((v.base, v.num_records), (0x01ff_1234_5678_9abc, 0x1fff_0000_0081));
        assert_eq!(words[1] >> 25, 1);
        let zero = BufferResource::decode([0, 0, 0, 0], BufferGeneration::Gfx1250);
        assert_eq!(zero.element(&BufferAccess::default(), 0, 1, 1, false), BufferElement::OutOfRange);
    }

    proptest! {
        #[test]
        fn any_words_are_judged(words: [u32; 4], bytes: u64, index: u32, offset: u32, soffset: u32, gfx9: bool) {
            let generation = if gfx9 { BufferGeneration::Gfx9 } else { BufferGeneration::Gfx1250 };
            let (v, _) = judge_vbuf(&words, generation, Some(bytes));
            let access = BufferAccess { index: Some(index), voffset: offset, inst_offset: 4095, soffset, lane: 63, format_op: false };
            let _ = v.unwrap().element(&access, 3, 4, 4, false);
        }

        #[test]
        fn the_tables_cover_every_bit(words: [u32; 4], gfx9: bool) {
            let generation = if gfx9 { BufferGeneration::Gfx9 } else { BufferGeneration::Gfx1250 };
            let mut copy = [0u32; 4];
            for field in generation.format().fields {
                field.store(&mut copy, field.stored(&words));
            }
            prop_assert_eq!(copy, words);
        }
    }
}
