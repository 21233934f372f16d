//! Tensor copies as their instructions write them.

use super::rows::HaloOrder;

/// How a load walks the tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadMode {
    /// The map's box.
    Tile,
    /// Four rows of a two-dimensional tensor (`.tile::gather4`); the coordinates are then the column alone.
    Gather4(GatherRows),
    /// Pixels of the map's bounding box (`.im2col`).
    Im2col {
        /// Offsets of W, H, D, as the instruction carries them.
        offsets: [u16; 3],
    },
    /// Pixels along W (`.im2col::w`).
    Im2colW(Im2colWide),
    /// 128 pixels along W and the halos of their four chunks (`.im2col::w::128`).
    Im2colW128(Im2colWide, HaloOrder),
}

/// Row numbers of a gather or scatter, in landing order.
pub type GatherRows = [i32; 4];

/// The two numbers of an `.im2col::w` instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Im2colWide {
    /// Halo pixels.
    pub halo: u16,
    /// Added to W of every fetch.
    pub offset: u16,
}

/// A load, as its instruction writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadRequest<'a> {
    /// Address in the destination CTA's shared memory.
    pub shared: u64,
    /// Start coordinates, innermost first, as many as the instruction names.
    pub coords: &'a [i32],
    /// How the tensor is walked.
    pub mode: LoadMode,
}

/// How a store or reduction walks the tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreMode {
    /// The map's box.
    Tile,
    /// Four rows of a two-dimensional tensor (`.tile::scatter4`); the coordinates are then the column alone.
    Scatter4(GatherRows),
    /// Pixels of the map's bounding box (`.im2col_no_offs`).
    Im2colNoOffs,
}

/// A store or reduction, as its instruction writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRequest<'a> {
    /// Address in the issuing CTA's shared memory.
    pub shared: u64,
    /// Start coordinates, innermost first, as many as the instruction names.
    pub coords: &'a [i32],
    /// How the tensor is walked.
    pub mode: StoreMode,
}
