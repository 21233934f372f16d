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

use super::rows::{Rows, scaled, tile_line};
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
pub(super) struct RowPart {
    /// First byte, counted in shared memory from the row's start.
    pub(super) offset: u64,
    /// Bytes in shared memory, before any padding of cells.
    pub(super) len: u64,
    /// Whether these bytes exist in global memory.
    pub(super) inside: bool,
}

/// Most runs of one kind in a row: left of the tensor, inside, right of it.
pub(super) const MAX_PARTS: usize = 3;

/// What dimension 0 contributes to every row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowShape {
    /// Bytes from the tensor's row to the first byte asked for; negative when it starts left of the tensor.
    pub(super) global_start: i64,
    /// Runs of one kind, in order, covering the row; unused ones have no bytes.
    pub(super) parts: [RowPart; MAX_PARTS],
    /// Global bytes from one unit to the next and bytes of a unit, when they differ (strided slices).
    pub(super) strided: Option<(u64, u64)>,
    /// Bytes that lie together in global memory and the padded cell they take in shared memory.
    pub(super) cells: Option<(u64, u64)>,
    /// Bytes that one row takes in shared memory.
    pub(super) row_bytes: u64,
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
        self.rows.count()
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

/// Bytes of one line of shared memory; no swizzle moves a byte to another line.
pub(super) const LINE: u64 = 128;
