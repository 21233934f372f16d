//! The addresses of a tensor transfer, row by row.

use std::ops::{ControlFlow, Range};

use crate::{Segment, SegmentKind, SegmentSink};

/// A tile, its passes or its row list. Lengths are bytes where not said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct TdmWalk {
    pub(super) load: bool,
    /// Global address of the tile.
    pub(super) global: u64,
    /// LDS address of the tile inside the allocation.
    pub(super) lds: u64,
    /// Address of the allocation.
    pub(super) lds_base: u64,
    /// Bytes of the allocation.
    pub(super) lds_limit: u64,
    /// Bytes of an element.
    pub(super) size: u64,
    /// Tile extents in elements; unused dimensions are 1.
    pub(super) tile: [u64; 5],
    /// Tensor extents in elements, counted from the tile; unused dimensions are 1.
    pub(super) dim: [u64; 5],
    /// Elements from one index of dimension d + 1 to the next.
    pub(super) stride: [u64; 4],
    /// Bytes of the packed tile.
    pub(super) image: u64,
    pub(super) rows: Rows,
    pub(super) passes: Option<Passes>,
    /// Interval and amount.
    pub(super) padding: Option<(u64, u64)>,
    /// Gaps that fit the allocation.
    pub(super) max_gaps: u64,
}

/// Where row numbers come from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rows {
    /// From the tile's coordinates.
    Tile,
    /// From the list of a gather or scatter.
    Listed(Vec<u32>),
}

/// The repetition of iterate mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Passes {
    pub count: u64,
    /// LDS bytes from pass to pass.
    pub lds_step: u64,
    /// Global elements from pass to pass.
    pub global_step: u64,
    /// Extents are counted from the first pass.
    pub logical_origin: bool,
    /// The padding counter starts anew in each pass.
    pub pad_restarts: bool,
}

/// One row before bounds and padding are applied.
pub(super) struct Row {
    /// Global address of element 0.
    pub global: u64,
    /// Packed LDS offset of element 0, from the tile's LDS address.
    pub offset: u64,
    /// Bytes that are inside the tensor, from element 0 on.
    pub valid: u64,
    /// Where the padding counter of this row's pass started.
    pub pad_start: u64,
}

/// Dimensions above 0 with more than one index, largest stride first, as (dimension, stride).
fn axes(dim: &[u64; 5], stride: &[u64; 4], rank: usize) -> [Option<(usize, u64)>; 4] {
    let mut list = [None; 4];
    let mut found: Vec<(usize, u64)> =
        (1..rank).filter(|&d| dim[d] > 1).map(|d| (d, stride[d - 1])).collect();
    found.sort_by_key(|&(d, stride)| std::cmp::Reverse((stride, d)));
    for (slot, axis) in list.iter_mut().zip(found) {
        *slot = Some(axis);
    }
    list
}

impl TdmWalk {
    /// Number of rows that can move bytes. Rows whose LDS place starts past the allocation are left out: what a load
    /// would write there is dropped, and what a store would read there is reported or out of extent.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.rows_per_pass() * self.passes.map_or(1, |p| p.count)
    }

    pub(super) fn row_bytes(&self) -> u64 {
        self.tile[0] * self.size
    }

    fn rows_per_pass(&self) -> u64 {
        match &self.rows {
            Rows::Listed(list) => list.len() as u64,
            Rows::Tile => {
                let all = self.image / self.row_bytes().max(1);
                // No row past this one can start inside the allocation, whatever the padding.
                all.min(self.lds_limit.saturating_sub(self.lds) / self.row_bytes().max(1) + 1)
            }
        }
    }

    /// Whether padding gaps were left out at the end of the allocation.
    #[must_use]
    pub fn ignores_pads(&self) -> bool {
        let last = self.image.saturating_sub(1)
            + self.passes.map_or(0, |p| (p.count - 1).saturating_mul(p.lds_step));
        self.padding.is_some_and(|(interval, _)| last / interval > self.max_gaps)
    }

    /// One past the last LDS byte, relative to the allocation, that an in-extent element needs; `None` when no
    /// element is in extent.
    #[must_use]
    pub fn lds_needed(&self) -> Option<u64> {
        let x = self.tile[0].min(self.dim[0]).checked_sub(1)?;
        if let Rows::Listed(list) = &self.rows {
            let row = list.iter().rposition(|&row| u64::from(row) < self.dim[1])? as u64;
            return Some(self.place((row * self.tile[0] + x) * self.size, 0) + self.size);
        }
        let count = self.passes.map_or(1, |p| p.count);
        (0..count)
            .filter_map(|pass| {
                let origin = self.origin(pass);
                let mut last = 0;
                let mut pitch = 1;
                for ((&tile, &dim), origin) in self.tile.iter().zip(&self.dim).zip(origin) {
                    let left = dim.checked_sub(origin).filter(|&n| n > 0)?;
                    last += (tile.min(left) - 1) * pitch;
                    pitch *= tile;
                }
                let start = self.passes.map_or(0, |p| pass.saturating_mul(p.lds_step));
                let offset = start.saturating_add(last * self.size);
                Some(self.place(offset, self.pad_start(start)).saturating_add(self.size))
            })
            .max()
    }

    /// LDS place of packed offset `offset`, relative to the allocation.
    pub(super) fn place(&self, offset: u64, pad_start: u64) -> u64 {
        let gaps = match self.padding {
            Some((interval, amount)) => ((offset - pad_start) / interval).min(self.max_gaps) * amount,
            None => 0,
        };
        self.lds.saturating_add(offset).saturating_add(gaps)
    }

    fn pad_start(&self, pass_offset: u64) -> u64 {
        if self.passes.is_some_and(|p| p.pad_restarts) { pass_offset } else { 0 }
    }

    /// Coordinates of a pass's first element in the tensor. inferred: rocjitsu.
    fn origin(&self, pass: u64) -> [u64; 5] {
        let mut origin = [0; 5];
        let Some(passes) = self.passes.filter(|p| p.logical_origin && p.global_step != 0 && pass != 0) else {
            return origin;
        };
        // 2^48 elements times 2^16 passes fit 64 bits.
        let mut rest = pass * passes.global_step;
        for (d, stride) in axes(&self.dim, &self.stride, 5).into_iter().flatten() {
            if let (Some(index), Some(left)) = (rest.checked_div(stride), rest.checked_rem(stride)) {
                origin[d] = index;
                rest = left;
            }
        }
        origin[0] = rest;
        origin
    }

    /// Hands the segments of some rows to `sink`, in order, not merged.
    pub(crate) fn segments(&self, steps: Range<u64>, sink: &mut impl SegmentSink) -> ControlFlow<()> {
        self.each_row(steps, &mut |row| self.emit(&row, sink))
    }

    pub(super) fn each_row(
        &self,
        steps: Range<u64>,
        sink: &mut impl FnMut(Row) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let per_pass = self.rows_per_pass();
        let row_bytes = self.row_bytes();
        if let Rows::Listed(list) = &self.rows {
            let valid = self.tile[0].min(self.dim[0]) * self.size;
            for (i, &row) in list.iter().enumerate().skip(steps.start as usize) {
                if i as u64 >= steps.end {
                    break;
                }
                let element = u64::from(row).wrapping_mul(self.stride[0]);
                sink(Row {
                    global: self.global.wrapping_add(element.wrapping_mul(self.size)),
                    offset: i as u64 * row_bytes,
                    valid: if u64::from(row) < self.dim[1] { valid } else { 0 },
                    pad_start: 0,
                })?;
            }
            return ControlFlow::Continue(());
        }
        let end = steps.end.min(self.steps());
        let mut step = steps.start;
        while step < end {
            let pass = step / per_pass;
            let first = step % per_pass;
            let last = per_pass.min(first + (end - step));
            self.rows_of_pass(pass, first..last, sink)?;
            step += last - first;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn rows_of_pass(
        &self,
        pass: u64,
        rows: Range<u64>,
        sink: &mut impl FnMut(Row) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let origin = self.origin(pass);
        let (start, lds_start) = match self.passes {
            Some(p) => (pass.wrapping_mul(p.global_step), pass.saturating_mul(p.lds_step)),
            None => (0, 0),
        };
        let pad_start = self.pad_start(lds_start);
        let row_bytes = self.row_bytes();
        let width = self.tile[0].min(self.dim[0].saturating_sub(origin[0])) * self.size;
        // Coordinates x1 to x4 of the first row; then they are counted up like an odometer.
        let mut x = [0u64; 4];
        let mut rest = rows.start;
        for (x, tile) in x.iter_mut().zip(&self.tile[1..]) {
            *x = rest % tile;
            rest /= tile;
        }
        let element =
            |x: &[u64; 4]| (0..4).fold(start, |sum, d| sum.wrapping_add(x[d].wrapping_mul(self.stride[d])));
        let inside = |x: &[u64; 4], from: usize| {
            (from..4).all(|d| origin[d + 1].saturating_add(x[d]) < self.dim[d + 1])
        };
        let mut at = element(&x);
        let mut upper_inside = inside(&x, 1);
        for row in rows {
            let in_tensor = upper_inside && origin[1].saturating_add(x[0]) < self.dim[1];
            sink(Row {
                global: self.global.wrapping_add(at.wrapping_mul(self.size)),
                offset: lds_start.saturating_add(row * row_bytes),
                valid: if in_tensor { width } else { 0 },
                pad_start,
            })?;
            x[0] += 1;
            at = at.wrapping_add(self.stride[0]);
            if x[0] == self.tile[1] {
                x[0] = 0;
                for (x, &tile) in x.iter_mut().zip(&self.tile[1..]).skip(1) {
                    *x += 1;
                    if *x < tile {
                        break;
                    }
                    *x = 0;
                }
                at = element(&x);
                upper_inside = inside(&x, 1);
            }
        }
        ControlFlow::Continue(())
    }

    /// Cuts a row at its bound, at padding gaps and at the end of the allocation.
    fn emit(&self, row: &Row, sink: &mut impl SegmentSink) -> ControlFlow<()> {
        let len = self.row_bytes();
        let mut at = 0;
        while at < len {
            let offset = row.offset.saturating_add(at);
            let mut run = len - at;
            if at < row.valid {
                run = run.min(row.valid - at);
            }
            if let Some((interval, _)) = self.padding {
                run = run.min(interval - (offset - row.pad_start) % interval);
            }
            let place = self.place(offset, row.pad_start);
            let room = self.lds_limit.saturating_sub(place);
            let fits = room > 0;
            if fits {
                run = run.min(room);
            }
            let lds = self.lds_base.wrapping_add(place);
            let global = row.global.wrapping_add(at);
            let kind = match (at < row.valid, fits, self.load) {
                (true, true, _) => SegmentKind::Data,
                (false, true, true) => SegmentKind::Fill,
                (true, false, _) | (false, ..) => SegmentKind::Drop,
            };
            let (src, dst) = if self.load { (global, lds) } else { (lds, global) };
            sink(Segment { src, dst, len: run, kind })?;
            at += run;
        }
        ControlFlow::Continue(())
    }
}
