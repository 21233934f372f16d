//! Happens-before over bytes, and one file per hazard.
//!
//! A [`Checker`] watches one run of the machine. [`explore()`] runs a launch under several schedules and landings, each
//! with a checker of its own, and puts the findings together.

mod access;
mod banks;
mod barriers;
mod checker;
mod clock;
mod clocks;
mod depth;
mod explore;
mod fences;
mod finding;
mod flags;
pub mod hazard;
mod hint;
mod late;
mod location;
mod peers;
mod raced;
mod reads;
mod record;
mod shadow;
mod tensormap;
mod told;
mod words;

pub use checker::Checker;
pub use explore::{
    Bounds, CheckReport, Exhausted, Explore, Fresh, Inspect, RANKED, RunSummary, Verdict, explore, rank,
};
pub use finding::{Finding, Findings, Spot, put_in_order};
pub use hazard::{Hazard, Rank};
pub use hint::{WaitHints, WaitUse};
pub use tilehaul_layout::banks::Chip;
pub use told::errors_of;
