//! Transfer plans: which bytes go where, as lazily produced contiguous segments.
//!
//! A plan is a *walk* (the addresses of one family of engines) with a *transform* (what happens to the bytes) and a
//! *fill* (what is written where there is no source). It holds a few hundred bytes however much it moves; segments are
//! made while they are asked for. A walk is cut into *steps* (rows of a tile, pixels of a column) that can be visited
//! from any point on, so a caller that lands pieces out of order need not keep a list of them.

mod transform;

use std::ops::{ControlFlow, Range};

use crate::lane_copy::LaneWalk;
use crate::tdm::TdmWalk;
use crate::tma::TmaWalk;
use crate::{Memory, MemoryFault, Stretch, Use};

pub use transform::{Transform, round_to_tf32};
use transform::{pack_six_bit, round_words_to_tf32, sign_extend};

/// What happens to the bytes of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentKind {
    /// Bytes at `src` go to `dst` (through the plan's transform, if it has one).
    Data,
    /// Nothing is read; the plan's fill pattern is written at `dst`. `src` says where the data would have been.
    Fill,
    /// Bytes at `src` go nowhere; nothing is written. `dst` says where they would have gone.
    Drop,
}

/// A run of bytes that is contiguous on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    /// Address of the first byte in the source memory.
    pub src: u64,
    /// Address of the first byte in the destination memory.
    pub dst: u64,
    /// Number of bytes at the destination; at the source [`Transform::source_len`] of it.
    pub len: u64,
    /// What happens to them.
    pub kind: SegmentKind,
}

/// Receives segments one after the other; [`ControlFlow::Break`] stops the walk.
pub trait SegmentSink: FnMut(Segment) -> ControlFlow<()> {}

impl<F: FnMut(Segment) -> ControlFlow<()>> SegmentSink for F {}

/// The shape of a transfer. One variant per family, each in a module of its own that knows the addresses.
#[derive(Clone, Debug, PartialEq)]
pub enum Walk {
    /// One contiguous run.
    Linear {
        /// First source byte.
        src: u64,
        /// First destination byte.
        dst: u64,
        /// Number of bytes.
        len: u64,
    },
    /// Some bytes of every 16 of a contiguous run.
    Masked {
        /// First source byte.
        src: u64,
        /// First destination byte.
        dst: u64,
        /// Number of bytes, selected or not.
        len: u64,
        /// Bit i selects byte i of every 16.
        mask: u16,
    },
    /// A tile, a gather or a column of pixels of the NVIDIA tensor copy engine.
    Tma(TmaWalk),
    /// A tile, its repetitions or a row list of AMD's Tensor Data Mover.
    Tdm(TdmWalk),
    /// What the lanes of one wave or warp copy with one instruction.
    Lanes(LaneWalk),
}

/// What is written where a load has no source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// Zeros.
    #[default]
    Zero,
    /// 0x7FF7 in every 16-bit half, the engine's out-of-bounds NaN. hardware: h200 fact 36.
    NanHalves,
}

impl Fill {
    /// The 16-bit pattern that is repeated.
    #[must_use]
    pub fn half(self) -> u16 {
        match self {
            Fill::Zero => 0,
            Fill::NanHalves => 0x7ff7,
        }
    }

    /// Writes the pattern over `bytes`, which start at an even place of it.
    pub fn write(self, bytes: &mut [u8]) {
        let pattern = self.half().to_le_bytes();
        if pattern[0] == pattern[1] {
            bytes.fill(pattern[0]);
            return;
        }
        for pair in bytes.chunks_mut(2) {
            pair.copy_from_slice(&pattern[..pair.len()]);
        }
    }
}

/// One transfer of an engine: a walk and what is done to the bytes on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct TransferPlan {
    /// Where the bytes are and where they go.
    pub walk: Walk,
    /// What is done to them.
    pub transform: Transform,
    /// What is written where there is no source.
    pub fill: Fill,
}

/// How many bytes of each kind a plan has, counted at the destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanBytes {
    /// Bytes that come from the source.
    pub data: u64,
    /// Bytes that are filled.
    pub fill: u64,
    /// Bytes that go nowhere.
    pub dropped: u64,
    /// Segments after merging.
    pub segments: u64,
}

impl PlanBytes {
    /// Payload: what a barrier is told when out-of-bounds parts count too.
    #[must_use]
    pub fn payload(self) -> u64 {
        self.data + self.fill
    }
}

impl TransferPlan {
    /// A plan that copies what `walk` says and fills with zeros.
    #[must_use]
    pub fn copy(walk: Walk) -> TransferPlan {
        TransferPlan { walk, transform: Transform::Copy, fill: Fill::Zero }
    }

    /// One contiguous run of `len` bytes.
    #[must_use]
    pub fn linear(src: u64, dst: u64, len: u64) -> TransferPlan {
        TransferPlan::copy(Walk::Linear { src, dst, len })
    }

    /// The same plan with another transform.
    #[must_use]
    pub fn with(mut self, transform: Transform) -> TransferPlan {
        self.transform = transform;
        self
    }

    /// Number of steps (rows, pixels) that [`Self::for_each_in`] can start and stop at.
    #[must_use]
    pub fn steps(&self) -> u64 {
        match &self.walk {
            Walk::Linear { len, .. } => u64::from(*len > 0),
            Walk::Masked { len, .. } => len.div_ceil(16),
            Walk::Tma(walk) => walk.steps(),
            Walk::Tdm(walk) => walk.steps(),
            Walk::Lanes(walk) => walk.steps(),
        }
    }

    /// Hands every segment to `sink`, in the order of the engine's walk. Contiguous runs come merged.
    pub fn for_each(&self, sink: &mut impl SegmentSink) -> ControlFlow<()> {
        self.for_each_in(0..self.steps(), sink)
    }

    /// Hands the segments of some steps to `sink`, in order. Contiguous runs come merged.
    pub fn for_each_in(&self, steps: Range<u64>, sink: &mut impl SegmentSink) -> ControlFlow<()> {
        // These change lengths on the way, so their runs are not contiguous in equal lengths.
        let merges = !matches!(self.transform, Transform::PackSixBit | Transform::SignExtend { .. });
        let mut open: Option<Segment> = None;
        let mut merge = |next: Segment| {
            if next.len == 0 {
                return ControlFlow::Continue(());
            }
            match &mut open {
                Some(last) if merges && follows(last, &next) => last.len += next.len,
                Some(last) => {
                    let done = std::mem::replace(last, next);
                    return sink(done);
                }
                None => open = Some(next),
            }
            ControlFlow::Continue(())
        };
        match &self.walk {
            Walk::Linear { src, dst, len } => {
                if steps.contains(&0) {
                    merge(Segment { src: *src, dst: *dst, len: *len, kind: SegmentKind::Data })?;
                }
            }
            Walk::Masked { src, dst, len, mask } => {
                for byte in steps.start * 16..(steps.end * 16).min(*len) {
                    if mask >> (byte % 16) & 1 == 1 {
                        let (src, dst) = (src.wrapping_add(byte), dst.wrapping_add(byte));
                        merge(Segment { src, dst, len: 1, kind: SegmentKind::Data })?;
                    }
                }
            }
            Walk::Tma(walk) => walk.segments(steps, &mut merge)?,
            Walk::Tdm(walk) => walk.segments(steps, &mut merge)?,
            Walk::Lanes(walk) => walk.segments(steps, &mut merge)?,
        }
        open.map_or(ControlFlow::Continue(()), &mut *sink)
    }

    /// All segments as a list. Prefer [`Self::for_each`] for plans of unknown size.
    #[must_use]
    pub fn segments(&self) -> Vec<Segment> {
        let mut list = Vec::new();
        let _ = self.for_each(&mut |segment: Segment| {
            list.push(segment);
            ControlFlow::Continue(())
        });
        list
    }

    /// Counts bytes and segments by walking the plan.
    #[must_use]
    pub fn count(&self) -> PlanBytes {
        let mut bytes = PlanBytes::default();
        let _ = self.for_each(&mut |segment: Segment| {
            bytes.segments += 1;
            *match segment.kind {
                SegmentKind::Data => &mut bytes.data,
                SegmentKind::Fill => &mut bytes.fill,
                SegmentKind::Drop => &mut bytes.dropped,
            } += segment.len;
            ControlFlow::Continue(())
        });
        bytes
    }

    /// Moves every byte at once.
    ///
    /// # Errors
    /// When a segment leaves either memory; segments before it have moved.
    pub fn run<S, D>(&self, source: &S, destination: &mut D) -> Result<(), PlanFault>
    where
        S: Memory + ?Sized,
        D: Memory + ?Sized,
    {
        if let (Walk::Tma(walk), Transform::Copy) = (&self.walk, self.transform) {
            return walk.run_copy(self.fill, source, destination);
        }
        if let (Walk::Tdm(walk), Transform::Copy) = (&self.walk, self.transform) {
            return walk.run_copy(source, destination);
        }
        let mut staged = Vec::new();
        let mut fault = None;
        let _ = self.for_each(&mut |segment: Segment| {
            let moved = self
                .sample(&segment, source, &mut staged)
                .and_then(|()| self.land(&segment, &staged, destination));
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

    /// Reads what `segment` moves: `staged` becomes the bytes that [`Self::land`] writes or combines.
    ///
    /// # Errors
    /// When the source lacks the bytes.
    pub fn sample<S>(&self, segment: &Segment, source: &S, staged: &mut Vec<u8>) -> Result<(), PlanFault>
    where
        S: Memory + ?Sized,
    {
        staged.clear();
        match segment.kind {
            SegmentKind::Data => {
                let len = self.transform.source_len(segment.len);
                let from = source.bytes(segment.src, len).map_err(PlanFault::Source)?;
                match self.transform {
                    Transform::Copy | Transform::Reduce(_) => staged.extend_from_slice(from),
                    Transform::RoundTf32 => {
                        staged.extend_from_slice(from);
                        round_words_to_tf32(staged);
                    }
                    Transform::PackSixBit => pack_six_bit(from, staged),
                    Transform::SignExtend { halves } => sign_extend(from, halves, staged),
                }
            }
            SegmentKind::Fill => {
                // A segment's bytes all lie in one memory that holds them, so its length fits usize.
                staged.resize(segment.len as usize, 0);
                self.fill.write(staged);
            }
            SegmentKind::Drop => {}
        }
        Ok(())
    }

    /// The parts of a segment that `memory`, which is read or written, has; for engines that go on with the rest when some
    /// bytes are not there. A plan that changes lengths or combines has all of a segment or nothing of it.
    pub fn parts_there<M>(&self, segment: &Segment, memory: &M, how: Use) -> Vec<Segment>
    where
        M: Memory + ?Sized,
    {
        let mut parts = Vec::new();
        let first = match how {
            Use::Read => segment.src,
            Use::Write => segment.dst,
        };
        let mut at = 0;
        while at < segment.len {
            let Stretch { there, len } = memory.stretch(first.wrapping_add(at), segment.len - at, how);
            if there {
                let (src, dst) = (segment.src.wrapping_add(at), segment.dst.wrapping_add(at));
                parts.push(Segment { src, dst, len, kind: segment.kind });
            }
            at += len.max(1);
        }
        if self.transform != Transform::Copy {
            parts.retain(|part| part.len == segment.len);
        }
        parts
    }

    /// Writes (or combines) what [`Self::sample`] read for the same segment.
    ///
    /// # Errors
    /// When the destination lacks the bytes.
    pub fn land<D>(&self, segment: &Segment, staged: &[u8], destination: &mut D) -> Result<(), PlanFault>
    where
        D: Memory + ?Sized,
    {
        if segment.kind == SegmentKind::Drop {
            return Ok(());
        }
        let to = destination.bytes_mut(segment.dst, staged.len() as u64).map_err(PlanFault::Destination)?;
        match self.transform {
            Transform::Reduce(reduction) => reduction.apply(to, staged),
            Transform::Copy | Transform::RoundTf32 | Transform::PackSixBit | Transform::SignExtend { .. } => {
                to.copy_from_slice(staged);
            }
        }
        Ok(())
    }
}

/// A plan's access that a memory cannot serve, and on which side it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanFault {
    /// Reading the source.
    Source(MemoryFault),
    /// Writing the destination.
    Destination(MemoryFault),
}

impl PlanFault {
    /// The access.
    #[must_use]
    pub fn access(self) -> MemoryFault {
        match self {
            PlanFault::Source(fault) | PlanFault::Destination(fault) => fault,
        }
    }
}

impl std::fmt::Display for PlanFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlanFault::Source(fault) => write!(f, "source: {fault}"),
            PlanFault::Destination(fault) => write!(f, "destination: {fault}"),
        }
    }
}

impl std::error::Error for PlanFault {}

/// Whether `next` continues `last`: both sides for data, the written side for fill, the read side for dropped bytes.
fn follows(last: &Segment, next: &Segment) -> bool {
    let src = last.src.wrapping_add(last.len) == next.src;
    let dst = last.dst.wrapping_add(last.len) == next.dst;
    last.kind == next.kind
        && match next.kind {
            SegmentKind::Data => src && dst,
            SegmentKind::Fill => dst,
            SegmentKind::Drop => src,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;

    #[test]
    fn tf32_rounding_matches_the_recorded_words() {
        // hardware: h200 fact 37 and the golden words of `FLOAT32` to `TFLOAT32` loads.
        let pairs = [
            (0x0000_0001, 0),
            (0x007f_ffff, 0x0080_0000),
            (0x8000_0001, 0x8000_0000),
            (0x3f80_1000, 0x3f80_0000),
            (0x3f80_3000, 0x3f80_4000),
            (0x7f7f_f000, 0x7f80_0000),
            (0xff80_0000, 0xff80_0000),
            (0xff80_0001, 0x7fff_e000),
        ];
        for (word, rounded) in pairs {
            assert_eq!(round_to_tf32(word), rounded, "{word:#010x}");
        }
    }

    #[test]
    fn six_bit_values_are_packed_lowest_first() {
        let mut packed = Vec::new();
        pack_six_bit(&[1, 2, 3, 4], &mut packed);
        let word = u32::from_le_bytes([packed[0], packed[1], packed[2], 0]);
        assert_eq!([word & 63, word >> 6 & 63, word >> 12 & 63, word >> 18], [1, 2, 3, 4]);
    }

    #[test]
    fn a_linear_plan_moves_its_bytes_and_counts_them() {
        let source = Region::new(100, (0..32).collect());
        let mut destination = Region::new(0, vec![0; 16]);
        let plan = TransferPlan::linear(104, 4, 8);
        assert_eq!(plan.count(), PlanBytes { data: 8, segments: 1, ..PlanBytes::default() });
        plan.run(&source, &mut destination).unwrap();
        assert_eq!(destination.data[4..12], [4, 5, 6, 7, 8, 9, 10, 11]);
        assert!(TransferPlan::linear(130, 0, 8).run(&source, &mut destination).is_err());
    }
}
