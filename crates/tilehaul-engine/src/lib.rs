//! Copy engines: a descriptor and an instruction become a [`TransferPlan`], and a plan moves bytes.
//!
//! Everything that asks "which bytes?" asks one plan: the functional copy, the byte count of `complete_tx`, the race
//! checker, the traffic and bank report, and the pictures.
//!
//! - [`plan`]: what a plan is, for every family.
//! - [`tma`]: the NVIDIA tensor copy engine; [`bulk`]: its raw copies; [`reduce`]: the arithmetic of its reductions.
//! - [`mbarrier`]: the barrier object that counts its bytes.
//! - [`tdm`]: AMD's Tensor Data Mover.
//! - [`lane_copy`]: per-lane copies of both vendors.

mod barrier_cache;
pub mod bulk;
pub mod lane_copy;
pub mod mbarrier;
mod memory;
pub mod plan;
pub mod reduce;
pub mod tdm;
pub mod tma;

pub use barrier_cache::{BarrierCache, ENTRIES as BARRIER_ENTRIES, ENTRY_BYTES as BARRIER_ENTRY_BYTES};
pub use memory::{Memory, MemoryFault, Region, Stretch, Use, stretch_of_one};
pub use plan::{
    Fill, PlanBytes, PlanFault, Segment, SegmentKind, SegmentSink, TransferPlan, Transform, Walk,
};
