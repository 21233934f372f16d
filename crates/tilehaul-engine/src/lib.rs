//! Copy engines: a descriptor and an instruction become a [`TransferPlan`], and a plan moves bytes.
//!
//! Everything that asks "which bytes?" asks one plan: the functional copy, the byte count of `complete_tx`, the race
//! checker, the traffic and bank report, and the pictures.

mod memory;
mod plan;

pub use memory::{Memory, MemoryFault, Region};
pub use plan::{Segment, SegmentKind, SegmentSink, TransferPlan, Walk};
