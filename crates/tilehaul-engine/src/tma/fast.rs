//! Whole copies at memory speed.
//!
//! Going through segments costs two look-ups of a memory for every 16 bytes of a swizzled tile. Here a run of evenly
//! spaced rows asks each memory once for everything it will touch, when that lies together, and then moves rows with
//! plain slices; swizzled rows go line by line, since no swizzle leaves its 128-byte line. Whatever does not fit that
//! picture (odd pieces, holes in a memory) takes the way over segments, so results never differ.

use std::ops::ControlFlow;

use tilehaul_descriptor::nvidia::Swizzle;

use super::rows::Rows;
use super::walk::{Direction, LINE, Row, Run, TmaWalk};
use crate::plan::{Fill, PlanFault};
use crate::{Memory, Segment, SegmentKind};

/// 16-byte chunks: what all fast swizzles move.
const CHUNK: usize = 16;
/// Widest span of global memory that one look-up asks for.
const MAX_WINDOW: u64 = 1 << 32;

/// Evenly spaced rows as slices.
struct Spaced<'a> {
    from: &'a [u8],
    from_step: usize,
    to: &'a mut [u8],
    pitch: usize,
    count: usize,
    /// Bytes of a row.
    len: usize,
}

impl TmaWalk {
    /// Moves every byte of an untransformed copy.
    pub(crate) fn run_copy<S, D>(&self, fill: Fill, source: &S, destination: &mut D) -> Result<(), PlanFault>
    where
        S: Memory + ?Sized,
        D: Memory + ?Sized,
    {
        let whole = self.whole_row();
        if let (Rows::Listed { rows, size, stride }, Some(len)) = (&self.rows, whole)
            && let Some(list) = List::of(self, len, destination)
        {
            let address = |x: i64| self.row_address(x, *stride);
            return list.load(rows, |x| (0..*size).contains(&x).then(|| address(x)), fill, source);
        }
        let mut fault = None;
        let _ = self.each_run(0..self.steps(), &mut |run| {
            let moved = match whole {
                Some(len) if run.inside && self.load_run(&run, len, source, destination) => Ok(()),
                _ => self.move_run(&run, fill, source, destination),
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

    /// Bytes of a loaded row that is one piece wholly inside the tensor.
    fn whole_row(&self) -> Option<u64> {
        let [low, middle, high] = &self.shape.parts;
        let plain = self.shape.strided.is_none() && self.shape.cells.is_none();
        let whole = low.len == 0 && high.len == 0 && middle.len > 0;
        (plain && whole && self.direction == Direction::Load).then_some(middle.len)
    }

    /// Loads a run of whole rows if both sides lie together in their memories; otherwise moves nothing.
    fn load_run<S, D>(&self, run: &Run, len: u64, source: &S, destination: &mut D) -> bool
    where
        S: Memory + ?Sized,
        D: Memory + ?Sized,
    {
        let last = run.count - 1;
        let Some(reach) = run.global_step.checked_mul(last).filter(|reach| *reach < MAX_WINDOW) else {
            return false;
        };
        let start = if self.swizzle == Swizzle::None { run.shared } else { run.shared & !(LINE - 1) };
        let end = run.shared + last * self.pitch + len;
        let end = if self.swizzle == Swizzle::None { end } else { end.next_multiple_of(LINE) };
        let Ok(from) = source.bytes(self.at(run.row(0, self.pitch), 0), reach + len) else { return false };
        let Ok(to) = destination.bytes_mut(start, end - start) else { return false };
        // All of these are inside slices, so they fit usize.
        let rows = Spaced {
            from,
            from_step: run.global_step as usize,
            to,
            pitch: self.pitch as usize,
            count: run.count as usize,
            len: len as usize,
        };
        if self.swizzle == Swizzle::None {
            match len {
                16 => plain::<16>(rows),
                32 => plain::<32>(rows),
                64 => plain::<64>(rows),
                128 => plain::<128>(rows),
                256 => plain::<256>(rows),
                _ => plain_of_any_length(rows),
            }
            return true;
        }
        let offset = (run.shared - start) as usize;
        if self.swizzle.chunk() as usize >= CHUNK
            && offset.is_multiple_of(CHUNK)
            && rows.pitch.is_multiple_of(CHUNK)
        {
            swizzled(rows, self.swizzle, start, offset);
            return true;
        }
        false
    }

    /// The general way: row by row, over segments.
    fn move_run<S, D>(&self, run: &Run, fill: Fill, source: &S, destination: &mut D) -> Result<(), PlanFault>
    where
        S: Memory + ?Sized,
        D: Memory + ?Sized,
    {
        if self.direction == Direction::Store && !run.inside {
            return Ok(());
        }
        (0..run.count).try_for_each(|k| self.move_row(run.row(k, self.pitch), fill, source, destination))
    }

    fn move_row<S, D>(&self, row: Row, fill: Fill, source: &S, destination: &mut D) -> Result<(), PlanFault>
    where
        S: Memory + ?Sized,
        D: Memory + ?Sized,
    {
        let mut fault = None;
        let _ = self.row_segments(row, &mut |segment: Segment| match move_segment(
            &segment,
            fill,
            source,
            destination,
        ) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        });
        fault.map_or(Ok(()), Err)
    }
}

/// Gathered rows that each fill whole lines of shared memory: too few for a look-up of the destination each.
struct List<'a> {
    to: &'a mut [u8],
    keys: Keys,
    start: u64,
    len: usize,
}

impl<'a> List<'a> {
    fn of<D: Memory + ?Sized>(walk: &TmaWalk, len: u64, destination: &'a mut D) -> Option<List<'a>> {
        let lines = walk.pitch == len && len.is_multiple_of(LINE) && walk.shared.is_multiple_of(LINE);
        let chunks = walk.swizzle == Swizzle::None || walk.swizzle.chunk() as usize >= CHUNK;
        if !(lines && chunks) {
            return None;
        }
        let to = destination.bytes_mut(walk.shared, walk.steps() * len).ok()?;
        Some(List { to, keys: Keys::of(walk.swizzle), start: walk.shared, len: len as usize })
    }

    /// Moves the rows; `address` says where a row is, or that it is outside the tensor.
    fn load<S: Memory + ?Sized>(
        self,
        rows: &[i64],
        address: impl Fn(i64) -> Option<u64>,
        fill: Fill,
        source: &S,
    ) -> Result<(), PlanFault> {
        let mut start = self.start;
        if self.len == LINE as usize {
            // The usual case: a row is a line.
            for (row, to) in rows.iter().zip(self.to.as_chunks_mut::<{ LINE as usize }>().0) {
                match address(*row) {
                    Some(from) => {
                        let from = source.bytes(from, LINE).map_err(PlanFault::Source)?;
                        if let Some(from) = from.first_chunk() {
                            permuted(to, from, self.keys.at(start));
                        }
                    }
                    None => fill.write(to),
                }
                start += LINE;
            }
            return Ok(());
        }
        for (row, to) in rows.iter().zip(self.to.chunks_exact_mut(self.len)) {
            match address(*row) {
                Some(from) => {
                    let from = source.bytes(from, self.len as u64).map_err(PlanFault::Source)?;
                    for (to, from) in
                        to.as_chunks_mut::<{ LINE as usize }>().0.iter_mut().zip(from.as_chunks().0)
                    {
                        permuted(to, from, self.keys.at(start));
                        start += LINE;
                    }
                }
                None => {
                    fill.write(to);
                    start += self.len as u64;
                }
            }
        }
        Ok(())
    }
}

/// How a swizzle of whole chunks permutes the lines of shared memory.
#[derive(Clone, Copy)]
struct Keys {
    mask: u64,
    shift: u32,
}

impl Keys {
    fn of(swizzle: Swizzle) -> Keys {
        let (mask, shift) = swizzle.line_key();
        Keys { mask, shift }
    }

    /// What the chunks of the line at `address` are exchanged by.
    #[inline(always)]
    fn at(self, address: u64) -> usize {
        (((address / LINE) & self.mask) << self.shift) as usize / CHUNK
    }
}

/// One line whose chunk `k` goes to place `k ^ key`. Keys come round in turn, so the branch is foreseen, and behind it
/// stand moves alone.
#[inline(always)]
fn permuted(to: &mut [u8; LINE as usize], from: &[u8; LINE as usize], key: usize) {
    match key & 7 {
        0 => *to = *from,
        1 => exchanged::<1>(to, from),
        2 => exchanged::<2>(to, from),
        3 => exchanged::<3>(to, from),
        4 => exchanged::<4>(to, from),
        5 => exchanged::<5>(to, from),
        6 => exchanged::<6>(to, from),
        _ => exchanged::<7>(to, from),
    }
}

#[inline(always)]
fn exchanged<const KEY: usize>(to: &mut [u8; LINE as usize], from: &[u8; LINE as usize]) {
    let (places, _) = to.as_chunks_mut::<CHUNK>();
    for (k, chunk) in from.as_chunks::<CHUNK>().0.iter().enumerate() {
        if let Some(place) = places.get_mut(k ^ KEY) {
            *place = *chunk;
        }
    }
}

/// Rows of a length that the compiler knows, side by side at the destination: moved in registers instead of by a call.
/// Few instructions a row matter here: they decide how many cache misses overlap.
fn plain<const LEN: usize>(rows: Spaced<'_>) {
    if rows.pitch != LEN {
        return plain_of_any_length(rows);
    }
    let mut at = 0;
    for to in rows.to.as_chunks_mut::<LEN>().0.iter_mut().take(rows.count) {
        let Some(from) = rows.from.get(at..).and_then(|from| from.first_chunk::<LEN>()) else { break };
        to.copy_from_slice(from);
        at += rows.from_step;
    }
}

fn plain_of_any_length(rows: Spaced<'_>) {
    for row in 0..rows.count {
        let from = rows.from.get(row * rows.from_step..).and_then(|from| from.get(..rows.len));
        let to = rows.to.get_mut(row * rows.pitch..).and_then(|to| to.get_mut(..rows.len));
        if let (Some(from), Some(to)) = (from, to) {
            to.copy_from_slice(from);
        }
    }
}

/// Rows whose chunks change places inside their lines. `start` is the address of the first line, `offset` the first
/// row's place behind it.
fn swizzled(rows: Spaced<'_>, swizzle: Swizzle, start: u64, offset: usize) {
    let keys = Keys::of(swizzle);
    let key_of = |line: usize| keys.at(start + line as u64 * LINE);
    if rows.len == LINE as usize && rows.pitch == rows.len && offset == 0 {
        // The usual case: a row is a line.
        let mut at = 0;
        for (row, line) in rows.to.as_chunks_mut().0.iter_mut().enumerate().take(rows.count) {
            let Some(from) = rows.from.get(at..).and_then(|from| from.first_chunk()) else { break };
            permuted(line, from, key_of(row));
            at += rows.from_step;
        }
        return;
    }
    let (places, _) = rows.to.as_chunks_mut::<CHUNK>();
    let (lines, _) = places.as_chunks_mut::<8>();
    for row in 0..rows.count {
        let Some(from) = rows.from.get(row * rows.from_step..).and_then(|from| from.get(..rows.len)) else {
            break;
        };
        let first = (offset + row * rows.pitch) / CHUNK;
        for (index, bytes) in from.as_chunks::<CHUNK>().0.iter().enumerate() {
            let place = first + index;
            let key = key_of(place / 8) & 7;
            if let Some(line) = lines.get_mut(place / 8) {
                line[(place % 8) ^ key] = *bytes;
            }
        }
    }
}

fn move_segment<S, D>(segment: &Segment, fill: Fill, source: &S, destination: &mut D) -> Result<(), PlanFault>
where
    S: Memory + ?Sized,
    D: Memory + ?Sized,
{
    match segment.kind {
        SegmentKind::Data => {
            let from = source.bytes(segment.src, segment.len).map_err(PlanFault::Source)?;
            destination
                .bytes_mut(segment.dst, segment.len)
                .map_err(PlanFault::Destination)?
                .copy_from_slice(from);
        }
        SegmentKind::Fill => {
            fill.write(destination.bytes_mut(segment.dst, segment.len).map_err(PlanFault::Destination)?);
        }
        SegmentKind::Drop => {}
    }
    Ok(())
}
