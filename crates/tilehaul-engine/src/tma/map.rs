//! A tensor map as the copy engine reads it: checked once, then used by every copy.

use std::ops::Range;

use tilehaul_descriptor::ElementType;
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_descriptor::nvidia::{Architecture, Interleave, MapKind, OobFill, Swizzle, TensorMap};
use tilehaul_diag::Level;

use super::TmaFault;
use super::walk::LINE;
use crate::bulk::aligned;

/// The engine uses these bits of the tensor's address. hardware: h200 fact 18.
const ADDRESS_MASK: u64 = (1 << 57) - 1;
/// Bytes of one CTA's window of shared memory; no box of a map that works is larger.
pub(super) const SHARED_WINDOW: u64 = 1 << 24;
/// Most dimensions of a map.
const MAX_RANK: usize = 5;

/// Behaviours that may differ between chips. Measured on sm_90; the others are assumed to be like it (inferred).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TmaModel {
    /// Number of the compute capability (90, 100, 120).
    pub sm: u32,
    /// The first coordinate times the element size must be a multiple of 16 bytes. hardware: h200 fact 34.
    pub inner_coordinate_in_16_bytes: bool,
    /// A load whose first chunk is out of bounds touches the tensor's base. hardware: h200 fact 47.
    pub touches_base: bool,
}

impl TmaModel {
    /// Hopper, as measured.
    pub const SM_90: TmaModel = TmaModel { sm: 90, inner_coordinate_in_16_bytes: true, touches_base: true };

    /// The model of a target; what was not measured there is taken from sm_90.
    #[must_use]
    pub fn of(architecture: &Architecture) -> TmaModel {
        TmaModel { sm: architecture.number, ..TmaModel::SM_90 }
    }
}

/// The bounding box of an im2col map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelBox {
    /// First index of W, H and D.
    pub lower: [i32; 3],
    /// Added to the sizes of W, H and D: where the walk wraps.
    pub upper: [i32; 3],
    /// Channels of a pixel.
    pub channels: u32,
    /// Pixels of a column.
    pub pixels: u32,
}

/// What one copy moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapShape {
    /// A box of elements (slices in dimension 0 with interleave), before element strides.
    Tile {
        /// Size along each dimension.
        boxes: [u32; MAX_RANK],
    },
    /// A column of pixels.
    Pixels(PixelBox),
}

/// A tensor map as the copy engine reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineMap {
    pub(super) model: TmaModel,
    pub(super) address: u64,
    pub(super) element: ElementType,
    pub(super) rank: usize,
    pub(super) dims: [u64; MAX_RANK],
    pub(super) strides: [u64; MAX_RANK - 1],
    pub(super) element_strides: [u32; MAX_RANK],
    pub(super) interleave: Interleave,
    /// Bytes of a slice, with interleave.
    pub(super) slice: Option<u32>,
    /// Bits of one unit of dimension 0: an element or a slice.
    unit_bits: u32,
    /// Bytes of a packed group and of the padded cell it takes in shared memory, when they differ.
    cells: Option<(u64, u64)>,
    /// Units lie in shared memory as in global memory, each in whole bytes.
    plain: bool,
    pub(super) swizzle: Swizzle,
    pub(super) nan_fill: bool,
    pub(super) shape: MapShape,
    /// What every gather of rows that lie inside has in common; none where gathers are refused or less simple.
    pub(super) gather: Option<Gather>,
    /// Why loads refuse a map that stores and reductions take.
    pub(super) refused_by_loads: Option<Box<TmaFault>>,
}

/// What a gather of four rows needs that its coordinates do not change. A gather cannot hide the making of its plan behind
/// its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gather {
    /// The last first column of a row that ends inside the tensor.
    pub(super) last_column: i32,
    /// Bits that a first column has clear, for its bytes to be a multiple of 16.
    pub(super) clear: i32,
    /// Bytes of a row.
    pub(super) row_bytes: u64,
    /// Shared bytes between rows.
    pub(super) pitch: u64,
    /// The last shared address at which four rows fit one block's window.
    pub(super) last_shared: u64,
}

impl EngineMap {
    /// Reads 128 bytes.
    ///
    /// # Errors
    /// When the engine refuses the map whatever the copy and its coordinates: error 715 (hardware: h200 facts 29, 45), or
    /// 716 when the address lacks its alignment (hardware: H200, `probe/e24_again`, loads, stores, reductions and prefetches).
    pub fn decode(bytes: &[u8; MAP_BYTES], architecture: &Architecture) -> Result<EngineMap, TmaFault> {
        let map = match TensorMap::fetch(bytes, architecture) {
            Some(map) => EngineMap::of(&map, TmaModel::of(architecture)),
            None => {
                EngineMap::without_tf32(bytes, architecture).ok_or_else(|| refusal(bytes, architecture))?
            }
        };
        aligned("global address in the tensor map", map.address, map.interleave.global_alignment())?;
        Ok(map)
    }

    /// A map that only loads refuse, for its tf32 bit. hardware: H200, `probe/e24_again`.
    fn without_tf32(bytes: &[u8; MAP_BYTES], architecture: &Architecture) -> Option<EngineMap> {
        let map = TensorMap::fetch(&TensorMap::clear_tf32(bytes), architecture)?;
        let refused_by_loads = Some(Box::new(refusal(bytes, architecture)));
        Some(EngineMap { refused_by_loads, ..EngineMap::of(&map, TmaModel::of(architecture)) })
    }

    /// A map that is already a value.
    ///
    /// # Errors
    /// As [`Self::decode`].
    pub fn new(map: &TensorMap, architecture: &Architecture) -> Result<EngineMap, TmaFault> {
        EngineMap::decode(&map.encode(), architecture)
    }

    fn of(map: &TensorMap, model: TmaModel) -> EngineMap {
        let shape = match map.kind {
            MapKind::Tiled { box_dims } => MapShape::Tile { boxes: box_dims },
            MapKind::Im2col { lower, upper, channels, pixels } => {
                MapShape::Pixels(PixelBox { lower, upper, channels, pixels })
            }
        };
        let element = map.data_type.element();
        let slice = map.interleave.slice_bytes();
        let packing = element.packing();
        let mut engine = EngineMap {
            model,
            address: map.address & ADDRESS_MASK,
            element,
            rank: map.rank,
            dims: map.dims,
            strides: map.strides,
            element_strides: map.element_strides.map(|step| step.max(1)),
            interleave: map.interleave,
            slice,
            unit_bits: slice.map_or(element.bits(), |slice| slice * 8),
            cells: (slice.is_none() && packing.global_bytes != packing.shared_bytes)
                .then_some((u64::from(packing.global_bytes), u64::from(packing.shared_bytes))),
            plain: slice.is_some() || packing.elements == 1,
            swizzle: map.swizzle,
            nan_fill: map.oob_fill == OobFill::Nan,
            shape,
            gather: None,
            refused_by_loads: None,
        };
        engine.gather = engine.gathers();
        engine
    }

    /// The common part of gathers.
    fn gathers(&self) -> Option<Gather> {
        let MapShape::Tile { boxes } = &self.shape else { return None };
        let bytes = u64::from(self.unit_bits / 8);
        let simple = self.rank == 2
            && boxes[1] == 1
            && self.interleave == Interleave::None
            && self.cells.is_none()
            && self.plain
            && self.unit_bits.is_multiple_of(8)
            && bytes.is_power_of_two();
        // Elements below a byte have no pitch in bytes.
        if !simple || boxes[0] == 0 {
            return None;
        }
        let last_column = self.dims[0].checked_sub(u64::from(boxes[0]))?.min(i32::MAX.unsigned_abs().into());
        let row_bytes = u64::from(boxes[0]) * bytes;
        let pitch = self.swizzle.pitch(row_bytes);
        // Rows of the largest map that works are far shorter.
        let extent = pitch.checked_mul(4)?.checked_add(row_bytes)?.checked_add(LINE)?;
        let last_shared = SHARED_WINDOW.checked_sub(extent)?;
        Some(Gather {
            last_column: i32::try_from(last_column).ok()?,
            clear: if self.model.inner_coordinate_in_16_bytes {
                i32::try_from((16 / bytes.min(16)).saturating_sub(1)).ok()?
            } else {
                0
            },
            row_bytes,
            pitch,
            last_shared,
        })
    }

    /// How rows are arranged in shared memory.
    #[must_use]
    pub fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// Type of an element.
    #[must_use]
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Address of element 0, as the engine uses it.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// What one copy moves.
    #[must_use]
    pub fn shape(&self) -> &MapShape {
        &self.shape
    }

    /// Loads round to tf32.
    pub(super) fn rounds_to_tf32(&self) -> bool {
        self.element.rounds_to_tf32()
    }

    /// Dimension `i` is the slice index of an interleaved tensor.
    pub(super) fn is_slice(&self, i: usize) -> bool {
        self.slice.is_some() && i + 2 == self.rank
    }

    /// The dimensions that an im2col walk steps through, W first. hardware: h200 fact 13.
    pub(super) fn spatial(&self) -> Range<usize> {
        if self.slice.is_some() { 0..self.rank - 2 } else { 1..self.rank - 1 }
    }

    /// Bytes between neighbours along dimension `i`.
    pub(super) fn stride(&self, i: usize) -> u64 {
        match i.checked_sub(1) {
            Some(outer) => self.strides[outer],
            None => u64::from(self.unit_bits()) / 8,
        }
    }

    /// The bounding box, if this is an im2col map of that rank.
    pub(super) fn pixels_box(&self, rank: usize) -> Result<&PixelBox, TmaFault> {
        let MapShape::Pixels(pixels) = &self.shape else {
            return Err(TmaFault::KindMismatch { map_is_im2col: false });
        };
        if rank == self.rank {
            Ok(pixels)
        } else {
            Err(TmaFault::RankMismatch { instruction: rank, map: self.rank })
        }
    }

    /// Bits of one unit of dimension 0: an element or a slice.
    pub(super) fn unit_bits(&self) -> u32 {
        self.unit_bits
    }

    /// Bytes that units take in global memory.
    pub(super) fn packed_bytes(&self, units: u64) -> u64 {
        (units * u64::from(self.unit_bits)).div_ceil(8)
    }

    /// Bytes that units span in shared memory.
    pub(super) fn shared_bytes(&self, units: u64) -> u64 {
        if self.plain { self.packed_bytes(units) } else { self.element.shared_bytes(units) }
    }

    /// Global bytes from the row's element 0 to a coordinate; negative left of it.
    pub(super) fn inner_offset(&self, coordinate: i64) -> i64 {
        (coordinate * i64::from(self.unit_bits)).div_euclid(8)
    }

    /// Bytes of a packed group and of the padded cell it takes in shared memory, when they differ.
    pub(super) fn cells(&self) -> Option<(u64, u64)> {
        self.cells
    }
}

/// The first thing that the engine refuses in a map that it does not take.
fn refusal(bytes: &[u8; MAP_BYTES], architecture: &Architecture) -> TmaFault {
    let decoded = TensorMap::decode(bytes, architecture);
    let first = decoded.diagnostics.into_iter().find(|d| d.level == Level::Error);
    match first {
        Some(d) => TmaFault::BadMap { rule: d.code.0, reason: d.message },
        None => TmaFault::BadMap { rule: "tma-bad-map", reason: "its bits contradict themselves".to_owned() },
    }
}
