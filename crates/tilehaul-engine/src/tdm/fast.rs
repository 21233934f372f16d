//! Whole copies at memory speed.
//!
//! Going through segments asks both memories once for every row and every gap. When the tile's whole LDS image, and all
//! global bytes between its first and last in-extent element, lie together in their memories, they are asked once and rows
//! move with plain slices. Anything else (clipped tiles, iterate, holes in a memory) takes the way over segments, so results
//! never differ.

use std::ops::ControlFlow;

use super::walk::{Row, Rows, TdmWalk};
use crate::{Memory, PlanFault, Segment, SegmentKind};

/// Where a walk lies when it lies together.
struct Spans {
    /// LDS address and length of the whole image, gaps included.
    lds: (u64, u64),
    /// Length from the tile's global address to the end of its last in-extent element.
    global: u64,
}

/// Padding as shifts and masks: the interval is a power of two.
#[derive(Clone, Copy)]
struct Gaps {
    shift: u32,
    interval: usize,
    amount: usize,
}

impl TdmWalk {
    /// Moves every byte of an untransformed copy.
    pub(crate) fn run_copy<S, D>(&self, source: &S, destination: &mut D) -> Result<(), PlanFault>
    where
        S: Memory + ?Sized,
        D: Memory + ?Sized,
    {
        if let Some(spans) = self.spans() {
            let (from, to) = if self.load {
                ((self.global, spans.global), spans.lds)
            } else {
                (spans.lds, (self.global, spans.global))
            };
            let together = (source.bytes(from.0, from.1), destination.bytes_mut(to.0, to.1));
            if let (Ok(from), Ok(to)) = together {
                self.copy_rows(from, to);
                return Ok(());
            }
        }
        self.run_segments(source, destination)
    }

    /// The spans, when no row is clipped by the allocation and some element is in extent.
    fn spans(&self) -> Option<Spans> {
        if self.passes.is_some() || self.ignores_pads() {
            return None;
        }
        let row = self.row_bytes();
        let image = match &self.rows {
            Rows::Tile => self.image,
            Rows::Listed(list) => row * list.len() as u64,
        };
        let end = self.place(image.checked_sub(1)?, 0) + 1;
        if end > self.lds_limit {
            return None;
        }
        let mut last = self.tile[0].min(self.dim[0]).checked_sub(1)?;
        match &self.rows {
            Rows::Listed(list) => {
                let highest =
                    list.iter().map(|&row| u64::from(row)).filter(|&row| row < self.dim[1]).max()?;
                last = last.checked_add(highest.checked_mul(self.stride[0])?)?;
            }
            Rows::Tile => {
                for d in 1..5 {
                    let steps = self.tile[d].min(self.dim[d]).checked_sub(1)?;
                    last = last.checked_add(steps.checked_mul(self.stride[d - 1])?)?;
                }
            }
        }
        let global = last.checked_add(1)?.checked_mul(self.size)?;
        Some(Spans { lds: (self.lds_base.checked_add(self.lds)?, end - self.lds), global })
    }

    /// Copies between the image in LDS and the bytes from the tile's global address on.
    fn copy_rows(&self, from: &[u8], to: &mut [u8]) {
        let gaps = self.padding.map(|(interval, amount)| Gaps {
            shift: interval.trailing_zeros(),
            interval: interval as usize,
            amount: amount as usize,
        });
        if self.load && self.copy_planes(gaps, from, to) {
            return;
        }
        // Offsets fit usize: they lie inside slices that exist.
        let row_bytes = self.row_bytes() as usize;
        let _ = self.each_row(0..self.steps(), &mut |row: Row| {
            let (global, offset, valid) =
                (row.global.wrapping_sub(self.global) as usize, row.offset as usize, row.valid as usize);
            match (self.load, gaps) {
                (true, None) => {
                    let Some(line) = to.get_mut(offset..offset + row_bytes) else {
                        return ControlFlow::Break(());
                    };
                    let (data, rest) = line.split_at_mut(valid);
                    if let Some(source) = from.get(global..global + valid).filter(|s| !s.is_empty()) {
                        data.copy_from_slice(source);
                    }
                    rest.fill(0);
                }
                (true, Some(gaps)) => {
                    let source = if valid == 0 { Some(&[][..]) } else { from.get(global..global + valid) };
                    let Some(source) = source else { return ControlFlow::Break(()) };
                    load_padded(gaps, offset, row_bytes, source, to);
                }
                (false, _) => {
                    if valid == 0 {
                        return ControlFlow::Continue(());
                    }
                    if let (Some(source), Some(line)) =
                        (from.get(offset..offset + valid), to.get_mut(global..global + valid))
                    {
                        line.copy_from_slice(source);
                    }
                }
            }
            ControlFlow::Continue(())
        });
    }

    /// Loads a tile or list whose rows are full and cut evenly by the gaps; says whether it is such a one.
    fn copy_planes(&self, gaps: Option<Gaps>, from: &[u8], to: &mut [u8]) -> bool {
        let row_bytes = self.row_bytes() as usize;
        let (len, run_step) = match gaps {
            None => (row_bytes, row_bytes),
            Some(gaps) if row_bytes.is_multiple_of(gaps.interval) => {
                (gaps.interval, gaps.interval + gaps.amount)
            }
            Some(_) => return false,
        };
        if self.dim[0] < self.tile[0] {
            return false;
        }
        let [_, tile1, upper @ ..] = self.tile;
        let per_row = row_bytes / len;
        let size = self.size as usize;
        let pitch = per_row * run_step;
        if let Rows::Listed(list) = &self.rows {
            let place = |row: u32| {
                (u64::from(row) < self.dim[1])
                    .then(|| (u64::from(row).wrapping_mul(self.stride[0]) as usize).wrapping_mul(size))
            };
            if per_row == 1 && len == 128 {
                // The usual row, without a choice for each.
                list_of::<128>(list.iter().map(|&row| place(row)), pitch, from, to);
                return true;
            }
            for (i, &row) in list.iter().enumerate() {
                let at = place(row);
                let rows = usize::from(at.is_some());
                let from_row = at.unwrap_or(0);
                let runs = Runs { from: from_row, to: i * pitch, len, per_row, rows, row_step: 0, run_step };
                runs.copy(from, to);
                zero(to, i * pitch, (1 - rows) * per_row, len, run_step);
            }
            return true;
        }
        for plane in 0..upper.iter().product() {
            let (mut rest, mut start, mut inside) = (plane, 0usize, true);
            for (d, &tile) in upper.iter().enumerate() {
                let x = rest % tile;
                rest /= tile;
                inside &= x < self.dim[d + 2];
                // A plane past its extent may lie anywhere; its address is not used.
                start = start.wrapping_add((x.wrapping_mul(self.stride[d + 1]) as usize).wrapping_mul(size));
            }
            let rows = if inside { tile1.min(self.dim[1]) as usize } else { 0 };
            let first = plane as usize * tile1 as usize * pitch;
            let runs = Runs {
                from: start,
                to: first,
                len,
                per_row,
                rows,
                row_step: self.stride[0] as usize * size,
                run_step,
            };
            runs.copy(from, to);
            zero(to, first + rows * pitch, (tile1 as usize - rows) * per_row, len, run_step);
        }
        true
    }

    /// Moves segment by segment.
    fn run_segments<S, D>(&self, source: &S, destination: &mut D) -> Result<(), PlanFault>
    where
        S: Memory + ?Sized,
        D: Memory + ?Sized,
    {
        let mut fault = None;
        let _ = self.segments(0..self.steps(), &mut |segment: Segment| {
            let moved = match segment.kind {
                SegmentKind::Data => {
                    source.bytes(segment.src, segment.len).map_err(PlanFault::Source).and_then(|from| {
                        let to = destination
                            .bytes_mut(segment.dst, segment.len)
                            .map_err(PlanFault::Destination)?;
                        to.copy_from_slice(from);
                        Ok(())
                    })
                }
                SegmentKind::Fill => destination
                    .bytes_mut(segment.dst, segment.len)
                    .map(|to| to.fill(0))
                    .map_err(PlanFault::Destination),
                SegmentKind::Drop => Ok(()),
            };
            match moved {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    fault = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        fault.map_or(Ok(()), Err)
    }
}

/// One row of a padded load: data, then zeros, cut at every gap.
#[inline]
fn load_padded(gaps: Gaps, offset: usize, row_bytes: usize, source: &[u8], to: &mut [u8]) {
    let mut at = 0;
    while at < row_bytes {
        let packed = offset + at;
        let place = packed + (packed >> gaps.shift) * gaps.amount;
        let run = (gaps.interval - (packed & (gaps.interval - 1))).min(row_bytes - at);
        let Some(piece) = to.get_mut(place..place + run) else { return };
        match source.get(at..at + run) {
            Some(data) => piece.copy_from_slice(data),
            None => {
                let data = source.get(at..).unwrap_or_default();
                let (head, tail) = piece.split_at_mut(data.len());
                head.copy_from_slice(data);
                tail.fill(0);
            }
        }
        at += run;
    }
}

/// Rows of `N` bytes from where the list says, or zeros, `pitch` apart.
fn list_of<const N: usize>(
    list: impl Iterator<Item = Option<usize>>,
    pitch: usize,
    from: &[u8],
    to: &mut [u8],
) {
    let mut rest = to;
    for at in list {
        let Some(row) = rest.first_chunk_mut::<N>() else { return };
        match at.map(|at| from.get(at..).and_then(|from| from.first_chunk::<N>())) {
            Some(Some(data)) => *row = *data,
            Some(None) => return,
            None => row.fill(0),
        }
        rest = rest.get_mut(pitch..).unwrap_or_default();
    }
}

/// Zeros `count` runs of `len` bytes, `step` apart.
fn zero(to: &mut [u8], first: usize, count: usize, len: usize, step: usize) {
    for place in (0..count).map(|run| first + run * step) {
        if let Some(gone) = to.get_mut(place..place + len) {
            gone.fill(0);
        }
    }
}

/// Equal runs of a plane: where they start and how far apart they lie.
#[derive(Clone, Copy)]
struct Runs {
    /// First source byte.
    from: usize,
    /// First destination byte.
    to: usize,
    /// Bytes of a run.
    len: usize,
    /// Runs of a row, side by side at the source.
    per_row: usize,
    rows: usize,
    /// Source bytes from one row to the next.
    row_step: usize,
    /// Destination bytes from one run to the next.
    run_step: usize,
}

impl Runs {
    fn copy(self, from: &[u8], to: &mut [u8]) {
        // The usual lengths as constants: the copy of a run is then a few vector moves.
        match self.len {
            32 => self.copy_of::<32>(from, to),
            64 => self.copy_of::<64>(from, to),
            128 => self.copy_of::<128>(from, to),
            256 => self.copy_of::<256>(from, to),
            len => self.each(|at, place| {
                if let (Some(from), Some(to)) = (from.get(at..at + len), to.get_mut(place..place + len)) {
                    to.copy_from_slice(from);
                }
            }),
        }
    }

    #[inline]
    fn copy_of<const N: usize>(self, from: &[u8], to: &mut [u8]) {
        if self.per_row == 1 && self.run_step == N {
            // Rows side by side: few instructions for each decide how many cache misses overlap.
            let mut at = self.from;
            let places = to.get_mut(self.to..).unwrap_or_default();
            for place in places.as_chunks_mut::<N>().0.iter_mut().take(self.rows) {
                let Some(row) = from.get(at..).and_then(|from| from.first_chunk::<N>()) else { return };
                *place = *row;
                at = at.wrapping_add(self.row_step);
            }
            return;
        }
        self.each(|at, place| {
            if let (Some(from), Some(to)) = (from.get(at..at + N), to.get_mut(place..place + N)) {
                to.copy_from_slice(from);
            }
        });
    }

    #[inline(always)]
    fn each(self, mut run: impl FnMut(usize, usize)) {
        let mut place = self.to;
        for row in 0..self.rows {
            let mut at = self.from + row * self.row_step;
            for _ in 0..self.per_row {
                run(at, place);
                at += self.len;
                place += self.run_step;
            }
        }
    }
}
