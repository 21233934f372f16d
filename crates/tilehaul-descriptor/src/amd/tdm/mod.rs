//! The tensor descriptor (D#) of gfx1250's Tensor Data Mover.
//!
//! A D# is one contiguous block of scalar registers: group 0 (4 dwords), group 1 (8) and, when the transfer needs
//! them, groups 2 and 3 (4 each). An absent group reads as zero. Two mode bits give groups 2 and 3 their meaning,
//! so the decoded form [`TdmFields`] carries a [`TdmMode`].
//!
//! Extents, strides and increments count elements, the LDS address counts bytes, padding counts dwords, and every
//! extent is measured from the tile's start, because `global_addr` points at the tile.

mod check;
mod check_bytes;
mod difference;
mod encode;
pub mod format;
mod judge;
mod names;
pub mod rules;

use std::fmt;

use crate::field::{FieldSpec, FormatSpec};
pub use check::{Direction, PadReading, TdmContext, check, tile_rank};
pub use check_bytes::check_iterate_strides;
pub use judge::{FieldValue, NamedFields, TdmWords, judge_tdm_fields, judge_tdm_words};
pub use names::field_names;

/// LDS bytes that one workgroup can address on gfx1250 (320 KB).
pub const LDS_BYTES: u64 = 327_680;

/// A tensor descriptor as the hardware reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TdmDescriptor {
    /// Addresses and the mode bits of gather.
    pub group0: [u32; 4],
    /// Element size, padding, barrier, lower dimensions.
    pub group1: [u32; 8],
    /// Higher dimensions, increments or row indices; absent reads as zero.
    pub group2: Option<[u32; 4]>,
    /// Higher dimensions or row indices; absent reads as zero.
    pub group3: Option<[u32; 4]>,
}

/// A number of words that is no descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordCount(
    /// The number of words given.
    pub usize,
);

impl fmt::Display for WordCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a D# has 12 words (groups 0 and 1), 16 or 20 words (with groups 2 and 3), not {}", self.0)
    }
}

impl std::error::Error for WordCount {}

/// Gaps that a load leaves in LDS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Padding {
    /// Dwords of data between two gaps: a power of two, 2 to 256.
    pub interval_dwords: u32,
    /// Dwords of a gap, 1 to 128.
    pub amount_dwords: u32,
}

/// Number of bits of one row index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexSize {
    /// Up to 16 rows.
    Bits16,
    /// Up to 8 rows.
    Bits32,
}

impl IndexSize {
    /// The most rows that groups 2 and 3 can name.
    #[must_use]
    pub fn max_rows(self) -> u16 {
        match self {
            IndexSize::Bits16 => 16,
            IndexSize::Bits32 => 8,
        }
    }

    /// The table of the indices.
    #[must_use]
    pub fn format(self) -> &'static FormatSpec {
        match self {
            IndexSize::Bits16 => &format::INDICES_16,
            IndexSize::Bits32 => &format::INDICES_32,
        }
    }
}

/// What groups 2 and 3 hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TdmMode {
    /// Extents and strides of higher dimensions.
    Dense,
    /// Increments of repeated passes over a 2D or 3D tile.
    Iterate {
        /// LDS elements from one pass to the next.
        lds_addr_increment: u32,
        /// Global elements from one pass to the next.
        global_addr_increment: u64,
        /// Number of passes, at least 1.
        passes: u32,
    },
    /// Row indices, all that the groups can hold; `tile_dim[1]` says how many are valid.
    Gather {
        /// Width of the indices.
        size: IndexSize,
        /// The indices in list order.
        indices: Vec<u32>,
    },
}

/// The decoded descriptor: numbers as people speak of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TdmFields {
    /// 1 for a valid tensor, 0 for a NULL tensor.
    pub count: u8,
    /// Must be 2.
    pub kind: u8,
    /// LDS byte address of the tile, relative to the workgroup's allocation.
    pub lds_addr: u32,
    /// Global byte address of the tile's start (57 bits).
    pub global_addr: u64,
    /// Workgroups of the cluster that a load is multicast to.
    pub workgroup_mask: u16,
    /// Bytes of an element: 1, 2, 4 or 8.
    pub data_size_bytes: u64,
    /// LDS byte address of the barrier to arrive at, when enabled.
    pub barrier: Option<u32>,
    /// Multicast hint.
    pub early_timeout: bool,
    /// Gaps, when enabled.
    pub padding: Option<Padding>,
    /// Extents in elements, innermost first, measured from the tile's start.
    pub tensor_dim: [u32; 5],
    /// Tile extents in elements, innermost first; 0 = unused.
    pub tile_dim: [u16; 5],
    /// `tensor_dim_stride[d]`: elements from one index of dimension `d + 1` to the next (48 bits).
    pub tensor_dim_stride: [u64; 4],
    /// What groups 2 and 3 hold.
    pub mode: TdmMode,
}

impl TdmDescriptor {
    /// A descriptor from 12, 16 or 20 consecutive words.
    ///
    /// # Errors
    /// For any other number of words.
    pub fn from_words(words: &[u32]) -> Result<TdmDescriptor, WordCount> {
        let part = |from: usize| -> Option<[u32; 4]> { words.get(from..from + 4)?.try_into().ok() };
        let bad = WordCount(words.len());
        if !matches!(words.len(), 12 | 16 | 20) {
            return Err(bad);
        }
        Ok(TdmDescriptor {
            group0: part(0).ok_or(bad)?,
            group1: words.get(4..12).and_then(|w| w.try_into().ok()).ok_or(bad)?,
            group2: part(12),
            group3: part(16),
        })
    }

    /// The words one after the other: 12 when groups 2 and 3 are absent, else 20.
    #[must_use]
    pub fn words(&self) -> Vec<u32> {
        let mut words = [&self.group0[..], &self.group1[..]].concat();
        if self.group2.is_some() || self.group3.is_some() {
            words.extend(self.upper());
        }
        words
    }

    /// Groups 2 and 3, zero where absent.
    #[must_use]
    pub fn upper(&self) -> [u32; 8] {
        let [a, b, c, d] = self.group2.unwrap_or_default();
        let [e, f, g, h] = self.group3.unwrap_or_default();
        [a, b, c, d, e, f, g, h]
    }

    /// Whether groups 2 and 3 hold row indices.
    #[must_use]
    pub fn is_gather(&self) -> bool {
        format::GATHER_MODE.stored(&self.group0) == 1
    }

    /// Whether group 2 holds increments (`iterate_enable` is ignored in gather mode).
    #[must_use]
    pub fn is_iterate(&self) -> bool {
        !self.is_gather() && format::ITERATE_ENABLE.stored(&self.group1) == 1
    }

    /// Width of row indices, as the size bit says.
    #[must_use]
    pub fn index_size(&self) -> IndexSize {
        if format::GATHER_INDEX_SIZE.stored(&self.group0) == 1 {
            IndexSize::Bits32
        } else {
            IndexSize::Bits16
        }
    }

    /// The tables that this descriptor's words are read with, each with its words.
    #[must_use]
    pub fn formats(&self) -> Vec<(&'static FormatSpec, Vec<u32>)> {
        let mut all = vec![(&format::GROUP0, self.group0.to_vec()), (&format::GROUP1, self.group1.to_vec())];
        if self.is_gather() {
            all.push((self.index_size().format(), self.upper().to_vec()));
            return all;
        }
        if self.group2.is_some() || self.group3.is_some() {
            let group2 = if self.is_iterate() { &format::GROUP2_ITERATE } else { &format::GROUP2_DENSE };
            all.push((group2, self.group2.unwrap_or_default().to_vec()));
            all.push((&format::GROUP3_DENSE, self.group3.unwrap_or_default().to_vec()));
        }
        all
    }

    /// The decoded fields. Every bit pattern decodes; [`check()`] says what is wrong with it.
    #[must_use]
    pub fn fields(&self) -> TdmFields {
        let (g0, g1) = (&self.group0, &self.group1);
        let (g2, g3) = (self.group2.unwrap_or_default(), self.group3.unwrap_or_default());
        let flag = |field: &FieldSpec, words: &[u32]| field.stored(words) == 1;
        let mut fields = TdmFields {
            count: narrow(&format::COUNT, g0),
            kind: narrow(&format::TYPE, g0),
            lds_addr: narrow(&format::LDS_ADDR, g0),
            global_addr: number(&format::GLOBAL_ADDR, g0),
            workgroup_mask: narrow(&format::WORKGROUP_MASK, g1),
            data_size_bytes: number(&format::DATA_SIZE, g1),
            barrier: flag(&format::ATOMIC_BARRIER_ENABLE, g1)
                .then(|| narrow(&format::ATOMIC_BARRIER_ADDRESS, g1)),
            early_timeout: flag(&format::EARLY_TIMEOUT, g1),
            padding: flag(&format::PAD_ENABLE, g1).then(|| Padding {
                interval_dwords: narrow(&format::PAD_INTERVAL, g1),
                amount_dwords: narrow(&format::PAD_AMOUNT, g1),
            }),
            tensor_dim: [narrow(&format::TENSOR_DIM0, g1), narrow(&format::TENSOR_DIM1, g1), 0, 0, 0],
            tile_dim: [
                narrow(&format::TILE_DIM0, g1),
                narrow(&format::TILE_DIM1, g1),
                narrow(&format::TILE_DIM2, g1),
                0,
                0,
            ],
            tensor_dim_stride: [
                number(&format::TENSOR_DIM0_STRIDE, g1),
                number(&format::TENSOR_DIM1_STRIDE, g1),
                0,
                0,
            ],
            mode: TdmMode::Dense,
        };
        if self.is_gather() {
            let size = self.index_size();
            let upper = self.upper();
            fields.mode = TdmMode::Gather {
                size,
                // Plain numbers: what is stored is what is meant.
                indices: size.format().fields.iter().map(|f| f.stored(&upper) as u32).collect(),
            };
            return fields;
        }
        fields.tensor_dim[2] = narrow(&format::TENSOR_DIM2, &g2);
        fields.tensor_dim[4] = narrow(&format::TENSOR_DIM4, &g3);
        fields.tile_dim[4] = narrow(&format::TILE_DIM4, &g3);
        fields.tensor_dim_stride[3] = number(&format::TENSOR_DIM3_STRIDE, &g3);
        if self.is_iterate() {
            fields.mode = TdmMode::Iterate {
                lds_addr_increment: narrow(&format::LDS_ADDR_INCREMENT, &g2),
                global_addr_increment: number(&format::GLOBAL_ADDR_INCREMENT, &g2),
                passes: narrow(&format::ITERATE_COUNT, &g2),
            };
        } else {
            fields.tensor_dim[3] = narrow(&format::TENSOR_DIM3, &g2);
            fields.tile_dim[3] = narrow(&format::TILE_DIM3, &g2);
            fields.tensor_dim_stride[2] = number(&format::TENSOR_DIM2_STRIDE, &g2);
        }
        fields
    }
}

impl TdmFields {
    /// Highest dimension with a tile extent, plus one; 0 for an empty tile; 2 in gather mode.
    #[must_use]
    pub fn rank(&self) -> usize {
        if matches!(self.mode, TdmMode::Gather { .. }) { 2 } else { tile_rank(&self.tile_dim) }
    }

    /// The row indices that count (`tile_dim1` of them), empty outside gather mode.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        match &self.mode {
            TdmMode::Gather { indices, .. } => {
                let valid = usize::from(self.tile_dim[1]).min(indices.len());
                indices.get(..valid).unwrap_or_default()
            }
            TdmMode::Dense | TdmMode::Iterate { .. } => &[],
        }
    }
}

/// The decoded number of a field, which no unsigned field of a D# puts below zero or above 64 bits.
#[inline(always)]
fn number(field: &FieldSpec, words: &[u32]) -> u64 {
    u64::try_from(field.decode(field.stored(words))).unwrap_or(u64::MAX)
}

/// The decoded number of a field that the type is wide enough for.
#[inline(always)]
fn narrow<T: TryFrom<u64> + Default>(field: &FieldSpec, words: &[u32]) -> T {
    T::try_from(number(field, words)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
