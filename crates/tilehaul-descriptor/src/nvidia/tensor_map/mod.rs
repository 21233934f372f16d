//! `CUtensorMap`: the 128 bytes that tell a tensor copy the shape of its tensor and of its box.
//!
//! Three ways in, one value:
//! - [`EncodeTiled`], [`EncodeIm2col`], [`EncodeIm2colWide`] hold the arguments of the driver's encode calls as the
//!   user gave them, legal or not, and answer what the driver answers: every broken rule, or a [`TensorMap`];
//! - [`TensorMap::decode`] reads any 128 bytes, also maps that kernels edited with `tensormap.replace`, and says
//!   what the copy engine would refuse;
//! - [`replace()`] edits the bytes the way the compiled instruction does, quirks included; [`refused_value()`] and
//!   [`refused_map()`] say what the driver would have refused of a map that a kernel makes.
//!
//! Index 0 is the innermost dimension everywhere. Dimensions above the rank hold 1, their strides 0.

mod arguments;
mod check;
mod device;
mod engine;
mod explain;
pub mod format;
mod hints;
mod replace;
pub mod rules;

pub use arguments::{Context, EncodeIm2col, EncodeIm2colWide, EncodeTiled, Lists, Naming, check_map_pointer};
pub use device::{refused_map, refused_value};
pub use engine::Decoded;
pub use explain::{explain, explain_map};
pub use replace::{Field, ReplaceError, replace};

use tilehaul_diag::{Diagnostic, Level};

use super::{DataType, Interleave, L2Promotion, OobFill, Swizzle};
use format::WORDS;

/// Bytes of a map.
pub const MAP_BYTES: usize = 128;

/// Most dimensions of a tensor.
pub const MAX_RANK: usize = 5;

/// A tensor map that has a meaning. It may still be one that the engine refuses, if it was decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMap {
    /// Address of element 0 in global memory.
    pub address: u64,
    /// Type of an element.
    pub data_type: DataType,
    /// Number of dimensions, 1 to 5.
    pub rank: usize,
    /// Elements of each dimension, 1 to 2^32; slices of 16 or 32 bytes in dimension 0 of an interleaved tensor.
    pub dims: [u64; MAX_RANK],
    /// Bytes between neighbours along dimension i + 1: a multiple of 16 below 2^40.
    pub strides: [u64; MAX_RANK - 1],
    /// Every how manyth element is moved, 1 to 8.
    pub element_strides: [u32; MAX_RANK],
    /// Slices of channels that lie together.
    pub interleave: Interleave,
    /// Permutation of chunks in shared memory.
    pub swizzle: Swizzle,
    /// How much the L2 fetches.
    pub l2_promotion: L2Promotion,
    /// What a load writes for elements outside the tensor.
    pub oob_fill: OobFill,
    /// Window in which the engine may generate addresses (later drivers set it; no byte moves differently).
    pub allocation_class: AllocationClass,
    /// What one copy moves.
    pub kind: MapKind,
}

/// `CUtensorMapAllocClass`: how far from a box the engine may generate addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AllocationClass {
    /// 4 KiB.
    #[default]
    Small,
    /// 128 KiB, which must be accessible from the base on.
    Large,
}

/// What one copy moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKind {
    /// A box of the tensor.
    Tiled {
        /// Elements of the box along each dimension before element strides, 1 to 256.
        box_dims: [u32; MAX_RANK],
    },
    /// Pixels of a bounding box, with some of their channels.
    Im2col {
        /// First index of W, H and D that the walk visits.
        lower: [i32; 3],
        /// Added to the sizes of W, H and D: the index at which the walk wraps.
        upper: [i32; 3],
        /// Channels moved for each pixel, 1 to 256; one slice with interleave, whatever stands here.
        channels: u32,
        /// Pixels moved, 1 to 1024.
        pixels: u32,
    },
}

/// Do these diagnostics make the thing illegal?
#[must_use]
pub fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.level == Level::Error)
}

/// The words of a map, little end first.
fn words_of(bytes: &[u8; MAP_BYTES]) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    }
    words
}

fn bytes_of(words: &[u32; WORDS]) -> [u8; MAP_BYTES] {
    let mut bytes = [0; MAP_BYTES];
    for (chunk, word) in bytes.chunks_exact_mut(4).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

impl TensorMap {
    /// The map as the driver writes it.
    #[must_use]
    pub fn encode(&self) -> [u8; MAP_BYTES] {
        bytes_of(&self.words())
    }

    fn words(&self) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        let mut put = |field: &crate::field::FieldSpec, value: u64| field.store(&mut words, value);
        let (element, tf32) = self.data_type.stored();
        let (swizzle, atomicity, swizzle_96) = self.swizzle.stored();
        put(&format::ADDRESS, self.address);
        put(&format::RANK, (self.rank as u64).wrapping_sub(1));
        put(&format::ELEMENT, element.into());
        put(&format::TF32, tf32.into());
        put(&format::INTERLEAVE, self.interleave.code().into());
        put(&format::SWIZZLE, swizzle.into());
        put(&format::ATOMICITY, atomicity.into());
        put(&format::SWIZZLE_96, swizzle_96.into());
        put(&format::OOB_FILL, self.oob_fill.code().into());
        put(&format::L2_PROMOTION, self.l2_promotion.code().into());
        put(&format::LARGE, (self.allocation_class == AllocationClass::Large).into());
        for dim in 0..self.rank.min(MAX_RANK) {
            put(&format::DIMS[dim], self.dims[dim].wrapping_sub(1));
            put(&format::ELEMENT_STRIDES[dim], u64::from(self.element_strides[dim]).wrapping_sub(1));
            if dim > 0 {
                put(&format::STRIDES[dim - 1], self.strides[dim - 1] >> 4);
            }
        }
        match self.kind {
            MapKind::Tiled { box_dims } => {
                for (field, size) in format::BOX.iter().zip(box_dims).take(self.rank) {
                    put(field, u64::from(size).wrapping_sub(1));
                }
            }
            MapKind::Im2col { lower, upper, channels, pixels } => {
                put(&format::IM2COL, 1);
                put(&format::CHANNELS, u64::from(channels).wrapping_sub(1));
                put(&format::PIXELS, u64::from(pixels).wrapping_sub(1));
                let (lower_fields, upper_fields) = format::corner_fields(self.rank as u32);
                for (field, corner) in lower_fields.iter().zip(lower).chain(upper_fields.iter().zip(upper)) {
                    // Two's complement of the field's width; `store` cuts the bits above it.
                    put(field, corner as u64);
                }
            }
        }
        put(&format::BOX_BYTES, self.annotated_bytes());
        put(&format::SHARED_ALIGNMENT, self.swizzle.repeat().into());
        words
    }

    /// Bytes of a row of the box in global memory: what must be a multiple of 16 and fit the swizzle span.
    #[must_use]
    pub fn row_bytes(&self) -> u64 {
        let elements = match self.kind {
            MapKind::Tiled { box_dims } => box_dims[0],
            MapKind::Im2col { channels, .. } => channels,
        };
        self.data_type.element().global_bytes(elements.into())
    }

    /// Elements (pixels, slices) that one copy moves along each dimension, 1 above the rank; channels and pixels in
    /// entries 0 and 1 of an im2col map.
    ///
    /// hardware: h200 facts 30 (rounded up; element stride 0 ignored without interleave), 52, 53 (one slice of
    /// dimension rank-2 with interleave), 55, 57 (im2col).
    #[must_use]
    pub fn counts(&self) -> [u32; MAX_RANK] {
        let mut counts = [1; MAX_RANK];
        match self.kind {
            MapKind::Tiled { box_dims } => {
                for dim in 0..self.rank.min(MAX_RANK) {
                    counts[dim] = box_dims[dim].div_ceil(self.element_strides[dim].max(1));
                }
                match self.interleave {
                    Interleave::None => counts[0] = box_dims[0],
                    Interleave::B16 | Interleave::B32 => counts[self.rank.clamp(2, MAX_RANK) - 2] = 1,
                }
            }
            MapKind::Im2col { channels, pixels, .. } => {
                counts[0] = if self.interleave == Interleave::None { channels } else { 1 };
                counts[1] = pixels;
            }
        }
        counts
    }

    /// Bytes that one load announces to its barrier: the whole box, parts outside the tensor included, gaps of short
    /// swizzled rows and padding of packed types not.
    ///
    /// hardware: h200 facts 39, 53, 55, 61, 62.
    #[must_use]
    pub fn transaction_bytes(&self) -> u64 {
        let counts = self.counts();
        let outer: u64 = counts[1..].iter().map(|&n| u64::from(n)).product();
        match self.interleave.slice_bytes() {
            Some(slice) => u64::from(counts[0]) * outer * u64::from(slice),
            None => self.data_type.element().global_bytes(counts[0].into()) * outer,
        }
    }

    /// Bytes of shared memory from a copy's first to its last, gaps of short swizzled rows included.
    ///
    /// hardware: h200 facts 31 (pitch of short rows), 54 (none with interleave).
    #[must_use]
    pub fn shared_span(&self) -> u64 {
        if self.interleave != Interleave::None {
            return self.transaction_bytes();
        }
        let counts = self.counts();
        let rows: u64 = counts[1..].iter().map(|&n| u64::from(n)).product();
        let row = self.data_type.element().shared_bytes(counts[0].into());
        rows.saturating_sub(1) * self.swizzle.pitch(row) + row
    }

    /// The dimensions that an im2col walk steps through, W first; empty for a tiled map.
    ///
    /// hardware: h200 fact 13.
    #[must_use]
    pub fn spatial(&self) -> std::ops::Range<usize> {
        match (self.kind, self.interleave) {
            (MapKind::Tiled { .. }, _) => 0..0,
            (MapKind::Im2col { .. }, Interleave::None) => 1..self.rank.max(2) - 1,
            (MapKind::Im2col { .. }, Interleave::B16 | Interleave::B32) => 0..self.rank.max(2) - 2,
        }
    }

    /// Bytes from the base to one past the last element, in 128 bits so that nothing wraps.
    #[must_use]
    pub fn extent(&self) -> u128 {
        let outer: u128 = (1..self.rank.min(MAX_RANK))
            .map(|dim| u128::from(self.dims[dim].saturating_sub(1)) * u128::from(self.strides[dim - 1]))
            .sum();
        outer + self.inner_bytes()
    }

    /// Bytes of one whole row of the tensor (dimension 0).
    #[must_use]
    pub fn inner_bytes(&self) -> u128 {
        match self.interleave.slice_bytes() {
            Some(slice) => u128::from(self.dims[0]) * u128::from(slice),
            None => u128::from(self.data_type.element().global_bytes(self.dims[0])),
        }
    }

    /// The driver's own count of a box's bytes: element strides rounded down, every dimension counted alike.
    ///
    /// hardware: h200 facts 11, 26.
    fn annotated_bytes(&self) -> u64 {
        let element = self.data_type.element();
        match self.kind {
            MapKind::Tiled { box_dims } => {
                let outer: u64 =
                    (1..self.rank.min(MAX_RANK)).map(|dim| self.floor_count(&box_dims, dim)).product();
                element.global_bytes(self.floor_count(&box_dims, 0)).saturating_mul(outer)
            }
            MapKind::Im2col { channels, pixels, .. } => {
                element.global_bytes(channels.into()) * u64::from(pixels)
            }
        }
    }

    fn floor_count(&self, box_dims: &[u32; MAX_RANK], dim: usize) -> u64 {
        u64::from(box_dims[dim] / self.element_strides[dim].max(1))
    }
}
