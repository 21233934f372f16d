//! Buffer resources (V#): 128 bits that give a buffer instruction its base, its stride and its range.
//!
//! gfx9 (CDNA) holds a 48-bit base and a 32-bit number of records; gfx1250 a 57-bit base and a 45-bit number. What
//! "in range" means depends on the chip, so the range check lives here beside the table.

mod format;
mod generation;
mod judge;
mod range_check;
#[cfg(test)]
mod tests;

use tilehaul_diag::Diagnostic;

pub use format::{VBUF_GFX9, VBUF_GFX1250};
pub use generation::BufferGeneration;
pub use judge::{RULES, judge_vbuf};
pub use range_check::{BufferAccess, BufferElement};

use judge::WORDS;

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
}
