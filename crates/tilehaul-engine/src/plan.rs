//! Transfer plans: which bytes go where, as lazily produced contiguous segments.

use std::ops::ControlFlow;

use crate::{Memory, MemoryFault};

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
    /// Number of bytes.
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
}

/// One transfer of an engine: a walk and what is done to the bytes on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct TransferPlan {
    /// Where the bytes are and where they go.
    pub walk: Walk,
}

impl TransferPlan {
    /// Hands every segment to `sink`, in the order of the engine's walk. Contiguous runs come merged.
    pub fn for_each(&self, sink: &mut impl SegmentSink) -> ControlFlow<()> {
        match &self.walk {
            Walk::Linear { src, dst, len } => {
                sink(Segment { src: *src, dst: *dst, len: *len, kind: SegmentKind::Data })
            }
        }
    }

    /// Moves every byte at once.
    ///
    /// # Errors
    /// When a segment leaves either memory; segments before it have moved.
    pub fn run(&self, source: &dyn Memory, destination: &mut dyn Memory) -> Result<(), MemoryFault> {
        let mut fault = None;
        let _ = self.for_each(&mut |segment: Segment| match move_segment(segment, source, destination) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        });
        fault.map_or(Ok(()), Err)
    }
}

fn move_segment(
    segment: Segment,
    source: &dyn Memory,
    destination: &mut dyn Memory,
) -> Result<(), MemoryFault> {
    match segment.kind {
        SegmentKind::Data => {
            let from = source.bytes(segment.src, segment.len)?;
            destination.bytes_mut(segment.dst, segment.len)?.copy_from_slice(from);
        }
        SegmentKind::Fill => destination.bytes_mut(segment.dst, segment.len)?.fill(0),
        SegmentKind::Drop => {}
    }
    Ok(())
}
