//! What a request asks of a map: its rows, and how its innermost dimension meets the tensor, after the engine's checks.

use tilehaul_descriptor::ElementType;
use tilehaul_descriptor::nvidia::{Interleave, Swizzle};

use super::TmaFault;
use super::copy::Spill;
use super::map::{EngineMap, MapShape, PixelBox, SHARED_WINDOW};
use super::request::{GatherRows, Im2colWide, LoadMode, StoreMode};
use super::rows::{Axis, Halo, HaloOrder, MAX_AXES, Outer, Pixels, Rows, steps_up_to};
use super::walk::{Direction, MAX_PARTS, RowPart, RowShape, TmaWalk};
use crate::TransferPlan;
use crate::plan::{Fill, Transform, Walk};

/// Stores clip the innermost dimension only at this many bytes. hardware: h200 fact 66.
const STORE_GRAIN: u64 = 16;

/// A checked request: where the rows are and where the innermost dimension starts.
pub(super) struct Asked {
    rows: Rows,
    /// First coordinate of the innermost dimension, in units (elements or slices).
    inner: i64,
    /// Units of the innermost dimension.
    units: u64,
    /// Units from one to the next.
    step: u64,
    /// Size of the innermost dimension in units; one slice of a pixel has no bound of its own.
    size: i64,
}

impl Asked {
    #[inline]
    pub(super) fn load(map: &EngineMap, mode: &LoadMode, coords: &[i32]) -> Result<Asked, TmaFault> {
        match mode {
            LoadMode::Tile => Asked::tile(map, coords),
            LoadMode::Gather4(rows) => Asked::listed(map, coords, rows),
            LoadMode::Im2col { offsets } => {
                Asked::pixels(map, coords, map.pixels_box(coords.len())?, *offsets)
            }
            LoadMode::Im2colW(wide) => Asked::wide(map, coords, *wide, None),
            LoadMode::Im2colW128(wide, order) => Asked::wide(map, coords, *wide, Some(*order)),
        }
    }

    pub(super) fn store(map: &EngineMap, mode: &StoreMode, coords: &[i32]) -> Result<Asked, TmaFault> {
        let asked = match mode {
            StoreMode::Tile => Asked::tile(map, coords)?,
            StoreMode::Scatter4(rows) => {
                if let Some(&row) = rows.iter().find(|row| **row < 0) {
                    return Err(TmaFault::NegativeStart { dimension: 1, coordinate: row });
                }
                Asked::listed(map, coords, rows)?
            }
            StoreMode::Im2colNoOffs => {
                let pixels = map.pixels_box(coords.len())?;
                let axes = map.rank - 2;
                // hardware: h200 fact 63.
                if let Some(axis) = (0..axes).find(|&a| pixels.lower[a] < 0 || pixels.upper[a] > 0) {
                    return Err(TmaFault::StoreBoxOutside { axis });
                }
                Asked::pixels(map, coords, pixels, [0; 3])?
            }
        };
        match coords.iter().position(|&c| c < 0) {
            Some(dimension) => Err(TmaFault::NegativeStart { dimension, coordinate: coords[dimension] }),
            None => Ok(asked),
        }
    }

    fn tile(map: &EngineMap, coords: &[i32]) -> Result<Asked, TmaFault> {
        let MapShape::Tile { boxes } = &map.shape else {
            return Err(TmaFault::KindMismatch { map_is_im2col: true });
        };
        check_rank(map, coords.len())?;
        check_inner(map, coords)?;
        let mut outer = [Outer { count: 1, size: 1, ..Outer::default() }; 4];
        for (at, dim) in outer.iter_mut().enumerate().take(map.rank - 1) {
            let i = at + 1;
            let step = u64::from(map.element_strides[i]);
            // hardware: h200 fact 52. One slice an instruction, whatever the box says.
            let count = if map.is_slice(i) { 1 } else { steps_up_to(u64::from(boxes[i]), step) };
            *dim = Outer {
                start: i64::from(coords[i]),
                step: step.cast_signed(),
                count,
                size: map.dims[i].cast_signed(),
                stride: map.strides[at],
            };
        }
        let step = if map.slice.is_some() { u64::from(map.element_strides[0]) } else { 1 };
        Ok(Asked {
            rows: Rows::Tile { outer },
            inner: i64::from(coords[0]),
            units: steps_up_to(u64::from(boxes[0]), step),
            step,
            size: map.dims[0].cast_signed(),
        })
    }

    #[inline]
    fn listed(map: &EngineMap, coords: &[i32], rows: &GatherRows) -> Result<Asked, TmaFault> {
        let MapShape::Tile { boxes } = &map.shape else {
            return Err(TmaFault::KindMismatch { map_is_im2col: true });
        };
        if map.rank != 2 || boxes[1] != 1 || map.interleave != Interleave::None {
            return Err(TmaFault::NotAGatherMap { rank: map.rank, rows: boxes[1] });
        }
        check_inner(map, coords)?;
        Ok(Asked {
            rows: Rows::Listed {
                rows: rows.map(i64::from),
                size: map.dims[1].cast_signed(),
                stride: map.strides[0],
            },
            inner: i64::from(coords.first().copied().unwrap_or(0)),
            units: u64::from(boxes[0]),
            step: 1,
            size: map.dims[0].cast_signed(),
        })
    }

    fn pixels(
        map: &EngineMap,
        coords: &[i32],
        pixels: &PixelBox,
        offsets: [u16; 3],
    ) -> Result<Asked, TmaFault> {
        check_inner(map, coords)?;
        let offsets = instruction_offsets(map.rank, offsets);
        let spatial = map.spatial();
        let mut axes = [Axis::UNUSED; MAX_AXES];
        for (axis, i) in spatial.clone().enumerate() {
            let (start, size) = (i64::from(coords[i]), map.dims[i].cast_signed());
            let (lower, end) = (i64::from(pixels.lower[axis]), size + i64::from(pixels.upper[axis]));
            // hardware: h200 fact 58.
            if !(lower..end).contains(&start) {
                return Err(TmaFault::PixelOutsideBox { dimension: i, coordinate: coords[i], lower, end });
            }
            axes[axis] = Axis {
                start,
                lower,
                end,
                step: i64::from(map.element_strides[i]),
                offset: i64::from(offsets[axis]),
                size,
                stride: map.stride(i),
            };
        }
        Ok(Asked::with_batch(map, coords, axes, pixels, u64::from(pixels.pixels), None))
    }

    /// `.im2col::w` and `::w::128`. inferred: PTX ISA 5.5.5 in words, its figures not seen; W walks and wraps into the
    /// batch, H and D stand still, the offset is added to every fetch.
    fn wide(
        map: &EngineMap,
        coords: &[i32],
        wide: Im2colWide,
        halos: Option<HaloOrder>,
    ) -> Result<Asked, TmaFault> {
        let pixels = map.pixels_box(coords.len())?;
        check_inner(map, coords)?;
        let offset = i64::from(wide.offset);
        let mut axes = [Axis::UNUSED; MAX_AXES];
        let mut fixed = (0u64, true);
        for (axis, i) in map.spatial().enumerate() {
            let (x, size) = (i64::from(coords[i]), map.dims[i].cast_signed());
            if axis > 0 {
                fixed.0 = fixed.0.wrapping_add(x.cast_unsigned().wrapping_mul(map.stride(i)));
                fixed.1 &= (0..size).contains(&x);
                continue;
            }
            axes[0] = Axis {
                start: x,
                lower: i64::from(pixels.lower[0]),
                end: size + i64::from(pixels.upper[0]),
                step: i64::from(map.element_strides[i]),
                offset,
                size,
                stride: map.stride(i),
            };
        }
        let halo = u64::from(wide.halo);
        let (count, halo) = match halos {
            Some(order) => (128, (halo > 0).then_some(Halo { pixels: halo, order })),
            None => (u64::from(pixels.pixels) + halo, None),
        };
        let mut asked = Asked::with_batch(map, coords, axes, pixels, count, halo);
        if let Rows::Pixels(walk) = &mut asked.rows {
            walk.fixed.0 = walk.fixed.0.wrapping_add(fixed.0);
            walk.fixed.1 &= fixed.1;
        }
        Ok(asked)
    }

    /// Adds the batch axis, the slice of interleaved layouts and the channels.
    fn with_batch(
        map: &EngineMap,
        coords: &[i32],
        mut axes: [Axis; MAX_AXES],
        pixels: &PixelBox,
        count: u64,
        halo: Option<Halo>,
    ) -> Asked {
        let batch = map.rank - 1;
        // Behind W alone in the wide modes, else behind all spatial axes.
        let place = axes.iter().position(|axis| *axis == Axis::UNUSED).unwrap_or(MAX_AXES - 1);
        axes[place] = Axis {
            start: i64::from(coords[batch]),
            lower: 0,
            end: i64::MAX,
            step: i64::from(map.element_strides[batch]),
            offset: 0,
            size: map.dims[batch].cast_signed(),
            stride: map.stride(batch),
        };
        if map.slice.is_some() {
            // hardware: h200 fact 55. A pixel is one slice, channelsPerPixel does not count.
            let slice = map.rank - 2;
            let x = i64::from(coords[slice]);
            let fixed = (
                x.cast_unsigned().wrapping_mul(map.stride(slice)),
                (0..map.dims[slice].cast_signed()).contains(&x),
            );
            return Asked {
                rows: Rows::Pixels(Box::new(Pixels { axes, count, fixed, halo })),
                inner: 0,
                units: 1,
                step: 1,
                size: 1,
            };
        }
        Asked {
            rows: Rows::Pixels(Box::new(Pixels { axes, count, fixed: (0, true), halo })),
            inner: i64::from(coords[0]),
            units: u64::from(pixels.channels),
            step: 1,
            size: map.dims[0].cast_signed(),
        }
    }

    /// Units of the row that exist in the tensor, as a range of unit numbers.
    fn inside(&self) -> (u64, u64) {
        // First unit at or above 0, first unit at or above the size.
        let from = steps_up_to((-self.inner).max(0).unsigned_abs(), self.step).min(self.units);
        let to = steps_up_to((self.size - self.inner).max(0).unsigned_abs(), self.step).min(self.units);
        (from, to.max(from))
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows.count()
    }

    /// Payload bytes of a row.
    pub(super) fn payload(&self, map: &EngineMap) -> u64 {
        map.packed_bytes(self.units)
    }

    /// Whether the first 16 bytes of the first row have an element inside the tensor.
    /// hardware: h200 fact 47 (the first requested chunk decides whether the base is touched).
    pub(super) fn first_chunk_inside(&self, map: &EngineMap) -> bool {
        let (from, to) = self.inside();
        from < to && map.packed_bytes(from) < 16 && self.first_row_inside()
    }

    fn first_row_inside(&self) -> bool {
        match &self.rows {
            Rows::Tile { outer } => outer.iter().all(|dim| (0..dim.size).contains(&dim.start)),
            Rows::Listed { rows, size, .. } => rows.first().is_some_and(|row| (0..*size).contains(row)),
            Rows::Pixels(pixels) => {
                pixels.fixed.1
                    && pixels.axes.iter().all(|axis| (0..axis.size).contains(&(axis.start + axis.offset)))
            }
        }
    }

    pub(super) fn spill(&self, map: &EngineMap) -> Option<Spill> {
        let (from, to) = self.inside();
        let over = map.packed_bytes(to).next_multiple_of(STORE_GRAIN) - map.packed_bytes(to);
        let asked = map.packed_bytes(self.units) - map.packed_bytes(to);
        let bytes = over.min(asked);
        (to > from && map.slice.is_none() && bytes > 0)
            .then(|| Spill { bytes_per_row: bytes, edge: self.size.unsigned_abs() })
    }

    // In line, so that the plan is made where it is returned: it has a few hundred bytes.
    #[inline(always)]
    pub(super) fn plan(
        self,
        map: &EngineMap,
        direction: Direction,
        shared: u64,
        transform: Transform,
    ) -> Result<TransferPlan, TmaFault> {
        if shared >= SHARED_WINDOW {
            return Err(TmaFault::IllegalAddress {
                what: "the box in shared memory",
                address: shared,
                len: 0,
            });
        }
        let (from, to) = self.inside();
        let bytes = |units: u64| map.packed_bytes(units);
        let end = bytes(self.units);
        let (low, mut high) = (bytes(from), bytes(to));
        if direction == Direction::Store && to > from && map.slice.is_none() {
            // hardware: h200 fact 66. The start is a multiple of 16 bytes, so the grain counts from it too.
            high = high.next_multiple_of(STORE_GRAIN).min(end);
        }
        let parts: [RowPart; MAX_PARTS] = [(0, low, false), (low, high, true), (high, end, false)]
            .map(|(a, b, inside)| RowPart { offset: a, len: b - a, inside });
        let row_bytes = map.shared_bytes(self.units);
        let unit = u64::from(map.unit_bits() / 8);
        let shape = RowShape {
            global_start: map.inner_offset(self.inner),
            parts,
            strided: (self.step > 1).then_some((unit * self.step, unit)),
            cells: map.cells(),
            row_bytes,
        };
        // hardware: h200 facts 31 and 54. Interleaved rows have no swizzle pitch.
        let pitch = if map.slice.is_some() { row_bytes } else { map.swizzle.pitch(row_bytes) };
        let swizzle = if map.swizzle.span().is_none() { Swizzle::None } else { map.swizzle };
        let walk = TmaWalk { direction, shared, pitch, swizzle, global: map.address, shape, rows: self.rows };
        // hardware: h200 fact 50 for what ends past the CTA's memory. This bound only keeps walks of damaged maps finite.
        let extent = walk.shared_extent();
        if extent.end > SHARED_WINDOW {
            let len = extent.end - extent.start;
            return Err(TmaFault::IllegalAddress { what: "the box in shared memory", address: shared, len });
        }
        Ok(TransferPlan {
            walk: Walk::Tma(walk),
            transform,
            fill: if map.nan_fill { Fill::NanHalves } else { Fill::Zero },
        })
    }
}

fn check_rank(map: &EngineMap, instruction: usize) -> Result<(), TmaFault> {
    if instruction == map.rank { Ok(()) } else { Err(TmaFault::RankMismatch { instruction, map: map.rank }) }
}

/// hardware: h200 fact 34; packed types: manual, PTX ISA.
fn check_inner(map: &EngineMap, coords: &[i32]) -> Result<(), TmaFault> {
    let coordinate = coords.first().copied().unwrap_or(0);
    if map.slice.is_some() {
        return Ok(());
    }
    let multiple = match map.element {
        ElementType::B4x16P64 | ElementType::B6x16P32 => 128,
        ElementType::B6p2x16 => 64,
        _ => 0,
    };
    if multiple > 0 {
        return if coordinate % multiple == 0 {
            Ok(())
        } else {
            Err(TmaFault::PackedCoordinate { coordinate, multiple: multiple.unsigned_abs() })
        };
    }
    let bits = map.unit_bits();
    let aligned = i64::from(coordinate) * i64::from(bits) % 128 == 0;
    if aligned || !map.model.inner_coordinate_in_16_bytes {
        Ok(())
    } else {
        Err(TmaFault::InnerCoordinate { coordinate, element_bits: bits })
    }
}

/// Offsets as the instruction carries them: 16 bits for one axis, 8 for two, 5 for three, where the sum may carry from
/// one axis into the next. hardware: h200 fact 60.
fn instruction_offsets(rank: usize, [w, h, d]: [u16; 3]) -> [u16; 3] {
    match rank {
        3 => [w, 0, 0],
        4 => [w & 0xff, h & 0xff, 0],
        _ => {
            let packed = w.wrapping_add(h.wrapping_mul(32)).wrapping_add(d.wrapping_mul(1024));
            [packed & 31, packed >> 5 & 31, packed >> 10 & 31]
        }
    }
}
