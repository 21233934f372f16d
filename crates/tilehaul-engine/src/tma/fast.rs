//! Whole copies at memory speed.
//!
//! Going through segments costs two look-ups of a memory for every 16 bytes of a swizzled tile. Here a run of rows asks
//! each memory once for everything it will touch, when that lies together, and then moves rows with plain slices;
//! swizzled rows go line by line, since no swizzle leaves its 128-byte line. Whatever does not fit that picture (odd
//! pieces, holes in a memory) takes the way over segments, so results never differ.

use std::ops::ControlFlow;

use tilehaul_descriptor::nvidia::Swizzle;

use super::walk::{Direction, LINE, Row, TmaWalk};
use crate::plan::{Fill, PlanFault};
use crate::{Memory, Segment, SegmentKind};

/// 16-byte chunks of a line.
const CHUNK: usize = 16;

impl TmaWalk {
    /// Moves every byte of an untransformed copy.
    pub(crate) fn run_copy<S, D>(&self, fill: Fill, source: &S, destination: &mut D) -> Result<(), PlanFault>
    where
        S: Memory + ?Sized,
        D: Memory + ?Sized,
    {
        let mut fault = None;
        let whole = self.whole_row();
        let _ = self.each_row(0..self.steps(), &mut |row| {
            let moved = match whole {
                Some(len) if row.inside && self.direction == Direction::Load => {
                    self.load_row(row, len, fill, source, destination)
                }
                _ => self.move_row(row, fill, source, destination),
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

    /// Bytes of a row that is one piece wholly inside the tensor.
    fn whole_row(&self) -> Option<u64> {
        match (self.shape.parts.as_slice(), self.shape.strided, self.shape.cells) {
            ([part], None, None) if part.inside => Some(part.len),
            _ => None,
        }
    }

    fn load_row<S, D>(
        &self,
        row: Row,
        len: u64,
        fill: Fill,
        source: &S,
        destination: &mut D,
    ) -> Result<(), PlanFault>
    where
        S: Memory + ?Sized,
        D: Memory + ?Sized,
    {
        let from = source.bytes(self.at(row, 0), len).map_err(PlanFault::Source)?;
        if self.swizzle == Swizzle::None {
            let to = destination.bytes_mut(row.shared, len).map_err(PlanFault::Destination)?;
            to.copy_from_slice(from);
            return Ok(());
        }
        let (chunks, rest) = from.as_chunks::<CHUNK>();
        let start = row.shared & !(LINE - 1);
        let span = (row.shared + len).next_multiple_of(LINE) - start;
        // 8-byte flips, ragged ends and a tile at the very end of its memory take the general way.
        let plain = self.swizzle.chunk() as usize >= CHUNK
            && rest.is_empty()
            && row.shared.is_multiple_of(CHUNK as u64);
        let Some(lines) = plain.then(|| destination.bytes_mut(start, span).ok()).flatten() else {
            return self.move_row(row, fill, source, destination);
        };
        let (places, _) = lines.as_chunks_mut::<CHUNK>();
        let first = (row.shared - start) as usize / CHUNK;
        let mut line = usize::MAX;
        let mut key = 0;
        for (index, chunk) in chunks.iter().enumerate() {
            let place = first + index;
            if place / 8 != line {
                line = place / 8;
                let address = start + line as u64 * LINE;
                key = (self.swizzle.permute(address) ^ address) as usize / CHUNK;
            }
            if let Some(slot) = places.get_mut(place ^ key) {
                *slot = *chunk;
            }
        }
        Ok(())
    }

    /// The general way: over segments.
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
