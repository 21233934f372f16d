//! Which bytes a tensor copy moves: the walk over rows of a tile, gathered rows, or pixels.
//!
//! All modes share one picture. A *row* is what dimension 0 contributes: contiguous (or, with an interleaved layout and
//! an element stride, evenly spaced) bytes in global memory that are contiguous before swizzling in shared memory. The
//! modes differ only in where row `q` starts in global memory ([`Rows`]); in shared memory row `q` starts at
//! `shared + q * pitch` and the swizzle then permutes absolute addresses.
//!
//! hardware: h200 facts 30 to 35 (tiles), 52 to 56 (interleave), 57 to 63 (im2col), 64 to 66 (stores).

use std::ops::{ControlFlow, Range};

use tilehaul_descriptor::nvidia::Swizzle;

use crate::{Segment, SegmentKind};

/// Which way the bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From global to shared memory.
    Load,
    /// From shared to global memory.
    Store,
}

/// Bytes `offset .. offset + len` of a row, all of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// First byte, counted in shared memory from the row's start.
    pub(super) offset: u64,
    /// Bytes in shared memory, before any padding of cells.
    pub(super) len: u64,
    /// Whether these bytes exist in global memory.
    pub(super) inside: bool,
}

/// Most runs of one kind in a row: left of the tensor, inside, right of it.
pub(super) const MAX_PARTS: usize = 3;
/// Most axes that a column of pixels walks: W, H, D and the batch.
pub(super) const MAX_AXES: usize = 4;

/// What dimension 0 contributes to every row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowShape {
    /// Bytes from the tensor's row to the first byte asked for; negative when it starts left of the tensor.
    pub(super) global_start: i64,
    /// Runs of one kind, in order, covering the row; unused ones have no bytes.
    pub(super) parts: [Part; MAX_PARTS],
    /// Global bytes from one unit to the next and bytes of a unit, when they differ (strided slices).
    pub(super) strided: Option<(u64, u64)>,
    /// Bytes that lie together in global memory and the padded cell they take in shared memory.
    pub(super) cells: Option<(u64, u64)>,
    /// Bytes that one row takes in shared memory.
    pub(super) row_bytes: u64,
}

/// One dimension outside the row of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outer {
    /// First coordinate.
    pub(super) start: i64,
    /// Coordinates between steps.
    pub(super) step: i64,
    /// Number of steps.
    pub(super) count: u64,
    /// Size of the tensor.
    pub(super) size: i64,
    /// Bytes between coordinates.
    pub(super) stride: u64,
}

/// One axis of a column of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Axis {
    /// Where the cursor starts.
    pub(super) start: i64,
    /// Where it returns to.
    pub(super) lower: i64,
    /// One past the last coordinate of the bounding box; `i64::MAX` for the batch, which never returns.
    pub(super) end: i64,
    /// Coordinates between pixels.
    pub(super) step: i64,
    /// Added to the cursor for the fetch only.
    pub(super) offset: i64,
    /// Size of the tensor.
    pub(super) size: i64,
    /// Bytes between coordinates.
    pub(super) stride: u64,
}

/// Where the rows start in global memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rows {
    /// A box; dimension 1 is fastest.
    Tile {
        /// Dimensions 1 and up. Unused ones have count 1.
        outer: [Outer; 4],
    },
    /// A list of row numbers of a two-dimensional tensor.
    Listed {
        /// Row numbers in landing order.
        rows: [i64; 4],
        /// Rows of the tensor.
        size: i64,
        /// Bytes between rows.
        stride: u64,
    },
    /// Pixels of a bounding box, W fastest, then H, D and the batch.
    Pixels(Box<Pixels>),
}

/// A column of pixels. It stands in a box so that the plans of tiles stay small.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pixels {
    /// Spatial axes, then the batch, then unused ones that stand still.
    pub(super) axes: [Axis; MAX_AXES],
    /// Pixels to fetch.
    pub(super) count: u64,
    /// Bytes to add for coordinates that do not move (the slice index of interleaved layouts), and whether they are
    /// inside the tensor.
    pub(super) fixed: (u64, bool),
    /// How pixels are laid out in shared memory when not in the order of the walk: 128 main pixels and their halos
    /// (`im2col::w::128`).
    pub(super) halo: Option<Halo>,
}

/// Where the halo pixels of `im2col::w::128` land.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Halo {
    /// Halo pixels per chunk of 32 main pixels, 0 to 31.
    pub pixels: u64,
    /// The order of the halo pixels behind the 128 main ones.
    pub order: HaloOrder,
}

/// Public sources disagree on this order; no sm_90 device can settle it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HaloOrder {
    /// All halo pixels of chunk 0, then of chunk 1, and so on.
    #[default]
    ByChunk,
    /// The first halo pixel of every chunk, then the second of every chunk, and so on.
    Interleaved,
}

/// A walk of the NVIDIA tensor copy engine.
#[derive(Clone, Debug, PartialEq)]
pub struct TmaWalk {
    pub(super) direction: Direction,
    /// Address of byte 0 of row 0 in shared memory, before swizzling.
    pub(super) shared: u64,
    /// Shared bytes between rows.
    pub(super) pitch: u64,
    pub(super) swizzle: Swizzle,
    /// Address of the tensor's element 0.
    pub(super) global: u64,
    pub(super) shape: RowShape,
    pub(super) rows: Rows,
}

/// Where one row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Global address of the tensor's element 0 of that row (not of the tile's).
    pub(super) global: u64,
    /// Shared address of the row's first byte, before swizzling.
    pub(super) shared: u64,
    /// Whether all coordinates but the innermost are inside the tensor.
    pub(super) inside: bool,
}

/// Evenly spaced rows of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Global address of the tensor's element 0 of the first row.
    pub(super) global: u64,
    /// From one row to the next, modulo 2^64.
    pub(super) global_step: u64,
    /// Shared address of the first row's first byte, before swizzling.
    pub(super) shared: u64,
    /// Number of rows.
    pub(super) count: u64,
    /// Whether all coordinates but the innermost are inside the tensor.
    pub(super) inside: bool,
}

impl Run {
    /// Row `k` of the run.
    pub(super) fn row(&self, k: u64, pitch: u64) -> Row {
        Row {
            global: self.global.wrapping_add(self.global_step.wrapping_mul(k)),
            shared: self.shared + k * pitch,
            inside: self.inside,
        }
    }
}

impl TmaWalk {
    /// Number of rows.
    #[must_use]
    pub fn steps(&self) -> u64 {
        match &self.rows {
            Rows::Tile { outer } => outer.iter().map(|dim| dim.count).product(),
            Rows::Listed { rows, .. } => rows.len() as u64,
            Rows::Pixels(pixels) => pixels.count + pixels.halo.map_or(0, |halo| 4 * halo.pixels),
        }
    }

    /// Which way the bytes go.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Shared bytes between rows.
    #[must_use]
    pub fn pitch(&self) -> u64 {
        self.pitch
    }

    /// The shared address range that the walk may touch, swizzle gaps included.
    #[must_use]
    pub fn shared_extent(&self) -> Range<u64> {
        let rows = self.steps();
        if rows == 0 {
            return self.shared..self.shared;
        }
        let end = self.shared + (rows - 1) * self.pitch + self.shape.row_bytes;
        match self.swizzle {
            Swizzle::None => self.shared..end,
            // A swizzle permutes whole lines, so the last line may be touched anywhere.
            _ => self.shared & !(LINE - 1)..end.next_multiple_of(LINE),
        }
    }

    /// Hands the segments of `steps` to `sink`, unmerged between rows.
    pub(crate) fn segments(
        &self,
        steps: Range<u64>,
        sink: &mut impl FnMut(Segment) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.each_row(steps, &mut |row| self.row_segments(row, sink))
    }

    /// Hands the rows of `steps` to `sink`, in order.
    pub(super) fn each_row(
        &self,
        steps: Range<u64>,
        sink: &mut impl FnMut(Row) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.each_run(steps, &mut |run| {
            for k in 0..run.count {
                sink(run.row(k, self.pitch))?;
            }
            ControlFlow::Continue(())
        })
    }

    /// Hands runs of evenly spaced rows of one kind to `sink`, in order.
    pub(super) fn each_run(
        &self,
        steps: Range<u64>,
        sink: &mut impl FnMut(Run) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let end = steps.end.min(self.steps());
        let mut q = steps.start;
        while q < end {
            let line = match &self.rows {
                Rows::Tile { outer } => tile_line(outer, q),
                Rows::Listed { rows, size, stride } => {
                    let x = rows.get(q as usize).copied().unwrap_or(-1);
                    sink(Run {
                        global: self.global.wrapping_add(scaled(x, *stride)),
                        global_step: 0,
                        shared: self.shared + q * self.pitch,
                        count: 1,
                        inside: (0..*size).contains(&x),
                    })?;
                    q += 1;
                    continue;
                }
                Rows::Pixels(pixels) => pixels.line(q),
            };
            let count = line.count.min(end - q);
            let (from, to) = if line.inside { line.inside_of(count) } else { (count, count) };
            for (first, last, inside) in [(0, from, false), (from, to, true), (to, count, false)] {
                if first < last {
                    let x = line.start + first.cast_signed() * line.step;
                    sink(Run {
                        global: self.global.wrapping_add(line.base).wrapping_add(scaled(x, line.stride)),
                        global_step: scaled(line.step, line.stride),
                        shared: self.shared + (q + first) * self.pitch,
                        count: last - first,
                        inside,
                    })?;
                }
            }
            q += count;
        }
        ControlFlow::Continue(())
    }

    /// Hands the segments of one row to `sink`.
    pub(super) fn row_segments(
        &self,
        row: Row,
        sink: &mut impl FnMut(Segment) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for part in self.shape.parts.iter().filter(|part| part.len > 0) {
            let inside = row.inside && part.inside;
            match (self.shape.strided, self.shape.cells) {
                (Some((step, unit)), _) => {
                    for k in 0..part.len / unit {
                        let index = part.offset / unit + k;
                        let global = self.at(row, index * step);
                        self.run(global, row.shared + part.offset + k * unit, unit, inside, sink)?;
                    }
                }
                (None, Some((packed, padded))) => {
                    for k in 0..part.len / packed {
                        let index = part.offset / packed + k;
                        self.run(
                            self.at(row, index * packed),
                            row.shared + index * padded,
                            packed,
                            inside,
                            sink,
                        )?;
                    }
                }
                (None, None) => {
                    self.run(self.at(row, part.offset), row.shared + part.offset, part.len, inside, sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Global address of the tile's first byte in row `x` of a two-dimensional tensor.
    pub(super) fn row_address(&self, x: i64, stride: u64) -> u64 {
        self.global.wrapping_add(scaled(x, stride)).wrapping_add_signed(self.shape.global_start)
    }

    /// Global address `bytes` behind the tile's first byte of `row`.
    pub(super) fn at(&self, row: Row, bytes: u64) -> u64 {
        row.global.wrapping_add_signed(self.shape.global_start).wrapping_add(bytes)
    }

    /// One contiguous run before swizzling: cut where the swizzle cuts it.
    fn run(
        &self,
        global: u64,
        shared: u64,
        len: u64,
        inside: bool,
        sink: &mut impl FnMut(Segment) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.swizzle == Swizzle::None {
            return sink(self.segment(global, shared, len, inside));
        }
        let chunk = u64::from(self.swizzle.chunk());
        let kind = self.kind(inside);
        let load = self.direction == Direction::Load;
        let mut done = 0;
        while done < len {
            let line = (shared + done) & !(LINE - 1);
            let line_end = (line + LINE - shared).min(len);
            let key = self.swizzle.permute(line) ^ line;
            // Chunks below the lowest key bit stay side by side. All are powers of two: a division would cost as much as
            // a segment.
            let together = if key == 0 { LINE } else { chunk.max(1 << key.trailing_zeros()) };
            while done < line_end {
                let at = shared + done;
                let len = (together - (at & (together - 1))).min(line_end - done);
                let (global, shared) = (global.wrapping_add(done), at ^ key);
                let (src, dst) = if load { (global, shared) } else { (shared, global) };
                sink(Segment { src, dst, len, kind })?;
                done += len;
            }
        }
        ControlFlow::Continue(())
    }

    /// What happens to bytes of a row.
    fn kind(&self, inside: bool) -> SegmentKind {
        match (self.direction, inside) {
            (_, true) => SegmentKind::Data,
            (Direction::Load, false) => SegmentKind::Fill,
            (Direction::Store, false) => SegmentKind::Drop,
        }
    }

    fn segment(&self, global: u64, shared: u64, len: u64, inside: bool) -> Segment {
        let (src, dst) = if self.direction == Direction::Load { (global, shared) } else { (shared, global) };
        Segment { src, dst, len, kind: self.kind(inside) }
    }
}

impl Halo {
    /// The pixel of the walk that lands in place `place`: 128 main pixels, then the halos.
    /// inferred: every chunk of 32 pixels has its halo right behind it in the tensor.
    fn pixel(self, place: u64, main: u64) -> u64 {
        let Some(halo) = place.checked_sub(main) else { return place };
        let (chunk, index) = match self.order {
            HaloOrder::ByChunk => (halo / self.pixels, halo % self.pixels),
            HaloOrder::Interleaved => (halo % 4, halo / 4),
        };
        chunk * 32 + 32 + index
    }
}

/// Bytes of one line of shared memory; no swizzle moves a byte to another line.
pub(super) const LINE: u64 = 128;

/// How many steps reach at least `distance`. Most steps are 1, and a division costs as much as a row.
pub(super) fn steps_up_to(distance: u64, step: u64) -> u64 {
    if step <= 1 { distance } else { distance.div_ceil(step) }
}

/// `x * stride` modulo 2^64: an address outside every mapping, when it overflows, as on the device.
fn scaled(x: i64, stride: u64) -> u64 {
    x.cast_unsigned().wrapping_mul(stride)
}

/// Rows along one dimension while all others stand still.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Bytes that the other dimensions contribute.
    base: u64,
    /// Whether the others are inside the tensor.
    inside: bool,
    start: i64,
    step: i64,
    count: u64,
    size: i64,
    stride: u64,
}

impl Line {
    /// The rows of the first `count` that are inside the tensor.
    fn inside_of(&self, count: u64) -> (u64, u64) {
        let step = self.step.unsigned_abs();
        let from = steps_up_to((-self.start).max(0).unsigned_abs(), step).min(count);
        let to = steps_up_to((self.size - self.start).max(0).unsigned_abs(), step).min(count);
        (from, to.max(from))
    }
}

/// The rows of a box from row `q` on along dimension 1.
fn tile_line(outer: &[Outer; 4], q: u64) -> Line {
    let first = &outer[0];
    // Most boxes have one line, and a division costs as much as a row.
    let mut rest = if q == 0 { 0 } else { q / first.count };
    let done = q - rest * first.count;
    let mut line = Line {
        base: 0,
        inside: true,
        start: first.start + done.cast_signed() * first.step,
        step: first.step,
        count: first.count - done,
        size: first.size,
        stride: first.stride,
    };
    for dim in &outer[1..] {
        let (next, k) =
            if dim.count == 1 || rest == 0 { (rest, 0) } else { (rest / dim.count, rest % dim.count) };
        rest = next;
        let x = dim.start + k.cast_signed() * dim.step;
        line.base = line.base.wrapping_add(scaled(x, dim.stride));
        line.inside &= (0..dim.size).contains(&x);
    }
    line
}

/// The pixels from pixel `q` on along W, up to where the cursor returns.
///
/// The cursor moves along the first axis until it leaves the bounding box, returns to the box's lower edge and steps
/// the next axis; the batch never returns. hardware: h200 fact 57.
fn pixel_line(axes: &[Axis; MAX_AXES], q: u64) -> Line {
    let first = &axes[0];
    let (x, mut carry) = first.advance(q);
    let mut line = Line {
        base: 0,
        inside: true,
        start: x + first.offset,
        step: first.step,
        count: steps_up_to(first.end.saturating_sub(x).max(1).unsigned_abs(), first.step.unsigned_abs()),
        size: first.size,
        stride: first.stride,
    };
    for axis in &axes[1..] {
        let (x, next) = axis.advance(carry);
        carry = next;
        let fetched = x + axis.offset;
        line.base = line.base.wrapping_add(scaled(fetched, axis.stride));
        line.inside &= (0..axis.size).contains(&fetched);
    }
    line
}

impl Pixels {
    fn line(&self, q: u64) -> Line {
        let mut line = match self.halo {
            // Halo pixels are fetched one by one.
            Some(halo) => Line { count: 1, ..pixel_line(&self.axes, halo.pixel(q, self.count)) },
            None => pixel_line(&self.axes, q),
        };
        line.base = line.base.wrapping_add(self.fixed.0);
        line.inside &= self.fixed.1;
        line
    }
}

impl Axis {
    /// An axis that the tensor does not have.
    pub(super) const UNUSED: Axis =
        Axis { start: 0, lower: 0, end: i64::MAX, step: 1, offset: 0, size: 1, stride: 0 };

    /// The cursor after `steps` steps, and how often it returned to the lower edge.
    fn advance(&self, steps: u64) -> (i64, u64) {
        if steps == 0 {
            return (self.start, 0);
        }
        let positions = |from: i64| {
            self.end.saturating_sub(from).max(1).cast_unsigned().div_ceil(self.step.cast_unsigned())
        };
        let first = positions(self.start);
        if steps < first {
            return (self.start + steps.cast_signed() * self.step, 0);
        }
        let later = positions(self.lower);
        let rest = steps - first;
        (self.lower + (rest % later).cast_signed() * self.step, rest / later + 1)
    }
}
