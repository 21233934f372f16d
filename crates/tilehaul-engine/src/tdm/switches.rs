//! Points on which sources about the Tensor Data Mover disagree or are silent, each with its default.

use tilehaul_descriptor::amd::tdm::PadReading;

/// The settings of one run; reports should say which way a switch was set when it mattered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TdmSwitches {
    /// Reading of the manual's sentence about the padding pair.
    pub pad_reading: PadReading,
    /// Padding that would run past the LDS allocation.
    pub pad_past_lds: PadPastLds,
    /// Width of the pass count.
    pub iterate_count: IterateCount,
    /// Bounds of passes after the first.
    pub iterate_bounds: IterateBounds,
    /// The padding counter from pass to pass.
    pub iterate_padding: IteratePadding,
    /// The barrier of a tile with `tile_dim0 = 0`.
    pub empty_tile: EmptyTile,
    /// A `tensor_dim` of 0 on an active dimension.
    pub zero_extent: ZeroExtent,
    /// Elements of a store past an extent.
    pub store_bounds: StoreBounds,
    /// `type` other than 2.
    pub type_field: TypeField,
}

/// Padding that would run past the LDS allocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PadPastLds {
    /// The gap is left out. manual: CDNA5 ISA p. 151.
    #[default]
    Ignored,
    /// The gap is made, and what follows it is out of range.
    Made,
}

/// Width of `iterate_count`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IterateCount {
    /// 1 to 256 passes, as described. manual: CDNA5 ISA p. 152.
    #[default]
    Eight,
    /// All 16 bits of the slot. inferred: rocjitsu.
    Sixteen,
}

/// Bounds of iterate passes after the first, on which the manual is silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IterateBounds {
    /// The pass's place in the tensor is worked out from the strides, and extents are counted from the first pass.
    /// inferred: rocjitsu.
    #[default]
    LogicalOrigin,
    /// Extents are counted from each pass's own start. inferred: the other reading.
    EachPass,
}

/// The padding counter of an iterate load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IteratePadding {
    /// Gaps are counted over the whole LDS offset, the increment included. inferred: rocjitsu.
    #[default]
    WholeOffset,
    /// The counter starts anew in each pass. inferred: the other reading.
    EachPass,
}

/// The barrier of an operation with `tile_dim0 = 0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyTile {
    /// It arrives. inferred: rocjitsu for an all-zero tile.
    #[default]
    Arrives,
    /// It does not, as for a NULL tensor. inferred: the other reading.
    Silent,
}

/// A `tensor_dim` of 0 on an active dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroExtent {
    /// Masks the whole tile. inferred: Triton, opus and FlyDSL rely on it.
    #[default]
    Masks,
    /// No bound. inferred: older rocjitsu.
    Unbounded,
}

/// Elements of a store past an extent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreBounds {
    /// Dropped. hardware: published MI450 runs; manual: CDNA5 ISA p. 156.
    #[default]
    Drop,
    /// Stored: one project does not rely on masking of stores. inferred: FlyDSL comment.
    Ignored,
}

/// `type` other than 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TypeField {
    /// Refused. manual: CDNA5 ISA Table 62.
    #[default]
    Checked,
    /// Not looked at. inferred: rocjitsu.
    Ignored,
}
