//! What is wrong, or looks wrong, in the words of a V#.

use tilehaul_diag::{Diagnostic, Source};

use super::format::{GFX9, GFX1250};
use super::{BufferGeneration, BufferResource};
use crate::Rule;
use crate::field::{Encoding, FieldSpec};

/// What the range check makes of numbers.
const GFX9_RANGE: Source = Source::hardware("rocjitsu against gfx950, ROCm/rocm-systems #10928");

/// A V# word 3 that fits another generation.
const FOREIGN_WORD3: Rule = Rule::warning(
    "vbuf-foreign-word3",
    "The layout of a V# differs between generations: word 3 of one is something else on another.",
    GFX1250,
);
/// type must be 0.
const TYPE: Rule = Rule::error("vbuf-type", "type must be 0 (buffer).", GFX9);
/// A reserved field holds something.
const RESERVED: Rule = Rule::warning("vbuf-reserved", "Reserved bits of a V# must be 0.", GFX9);
/// No byte is in range.
const EMPTY: Rule = Rule::warning(
    "vbuf-empty",
    "With num_records = 0 every access is out of range: loads give 0, stores are dropped.",
    GFX9_RANGE,
);
/// The range ends before the tensor.
const SHORT: Rule = Rule::warning(
    "vbuf-range-short",
    "num_records must cover the tensor in bytes: what lies past it reads as 0 and is not stored.",
    GFX9_RANGE,
);
/// The range ends after the tensor.
const LONG: Rule = Rule::warning(
    "vbuf-range-long",
    "num_records larger than the tensor lets accesses past its end through instead of reading 0.",
    GFX9_RANGE,
);
/// The range ends inside a dword.
const PARTIAL_DWORD: Rule = Rule::warning(
    "vbuf-partial-dword",
    "The range check of multi-byte loads works on whole dwords: a dword that is only partly in range reads as 0.",
    GFX9_RANGE,
);
/// The range reaches past the address space.
const WRAP: Rule = Rule::note("vbuf-wrap", "The range should end inside the address space.", GFX9);
/// Swizzle is on without what it needs.
const SWIZZLE: Rule = Rule::note(
    "vbuf-swizzle",
    "On gfx9 a swizzled address needs swizzle_enable and add_tid_enable.",
    GFX9_RANGE,
);
/// Not four words, or an unknown chip.
pub(super) const WORDS: Rule = Rule::error("vbuf-words", "A V# has 4 words.", GFX9);

/// Every rule of V#s, for the catalogue.
pub const RULES: &[Rule] =
    &[FOREIGN_WORD3, TYPE, RESERVED, EMPTY, SHORT, LONG, PARTIAL_DWORD, WRAP, SWIZZLE, WORDS];

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
        if matches!(field.encoding, Encoding::Reserved(want) if want != stored) && foreign.is_none() {
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
