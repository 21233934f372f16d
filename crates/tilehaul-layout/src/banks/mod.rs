//! Shared-memory banks: how many wavefronts (service cycles of the memory) one access of a warp or wave needs.
//!
//! Shared memory is 32 or 64 banks of 32-bit words; word w is in bank w modulo that number. An instruction's lanes are
//! served in *phases*, fixed groups of lanes that depend on chip, direction and width. Within a phase every bank gives
//! one word a wavefront; lanes that want the same word share it. A phase therefore takes as many wavefronts as its
//! fullest bank has distinct words, and phases follow one another.
//!
//! [`RULES`] is the table of phases, [`count()`] the arithmetic, [`pattern`] the small language of lane addresses,
//! [`access`] what follows from layouts, [`search`] the search for paddings and swizzles, [`h200`] the measured cost of a
//! wavefront.

pub mod access;
mod count;
pub mod h200;
pub mod pattern;
mod rules;
pub mod search;
mod tally;

pub use count::{BankReport, Phase, count};
pub use rules::{BankRule, Chip, Kind, RULES, Service, Switches, Unknown, Width, rule};
pub use tally::{PlaceTally, Tally};
/// Who looks at banks also tries swizzles.
pub use tilehaul_descriptor::nvidia::Swizzle;
