//! Per-lane copies: every active lane of a wave or warp names a source and a destination.
//!
//! - [`gfx9`]: loads to LDS of CDNA, where the LDS address comes from M0, the immediate and the lane number.
//! - [`async_lds`]: gfx1250's asynchronous loads to and stores from LDS, where each lane brings its LDS address.
//! - [`cp_async`]: NVIDIA's `cp.async`.

pub mod async_lds;
pub mod cp_async;
pub mod gfx9;

use std::ops::{ControlFlow, Range};

use crate::{Segment, SegmentKind, SegmentSink, TransferPlan, Walk};

/// The runs of one instruction's lanes, in lane order; a step is one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaneWalk {
    runs: Vec<Segment>,
}

impl LaneWalk {
    /// Appends a run; one that continues the last run of its kind is merged into it.
    fn push(&mut self, run: Segment) {
        if run.len == 0 {
            return;
        }
        if let Some(last) = self.runs.last_mut() {
            let dst = last.dst.wrapping_add(last.len) == run.dst;
            let src = last.src.wrapping_add(last.len) == run.src;
            if last.kind == run.kind && dst && (src || run.kind == SegmentKind::Fill) {
                last.len += run.len;
                return;
            }
        }
        self.runs.push(run);
    }

    /// Appends a run that must stay apart, because a transform changes its length on the way.
    fn push_apart(&mut self, run: Segment) {
        self.runs.push(run);
    }

    pub(crate) fn steps(&self) -> u64 {
        self.runs.len() as u64
    }

    pub(crate) fn segments(&self, steps: Range<u64>, sink: &mut impl SegmentSink) -> ControlFlow<()> {
        let end = steps.end.min(self.steps());
        for run in (steps.start.min(end)..end).filter_map(|i| self.runs.get(i as usize)) {
            sink(*run)?;
        }
        ControlFlow::Continue(())
    }

    fn into_plan(self) -> TransferPlan {
        TransferPlan::copy(Walk::Lanes(self))
    }
}

/// What one instruction's lanes copy.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneCopy {
    /// The bytes that move.
    pub plan: TransferPlan,
    /// Active lanes whose LDS bytes lie, wholly or in part, past the workgroup's allocation.
    pub outside_lds: u64,
    /// Active lanes whose LDS address is not a multiple of four.
    pub unaligned_lds: u64,
    /// Active lanes whose memory address a buffer's range check refused.
    pub out_of_range: u64,
}

/// Lanes of `exec`, lowest first.
fn active(exec: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |lane| exec >> lane & 1 == 1)
}
