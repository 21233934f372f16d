//! Executes PTX programs on the machine.
//!
//! [`PtxProgram::new`] takes a module that `tilehaul-isa` has read, an entry with its arguments and a launch shape; it
//! gives a [`tilehaul_machine::Program`]. Building it chooses, once, what every instruction does: registers become slots
//! of 32 lanes, names become addresses, spellings become function pointers over lanes ([`alu`](self)). Running it is the
//! loop in `exec`.
//!
//! What stays inside this crate: registers, predicates, local memory, parameters, the groups of lanes that run together.
//! What others can see (global, shared and tensor memory, barriers, asynchronous operations) goes through the machine.

mod alu;
mod arith;
mod chip;
mod exec;
mod inst;
mod lower;
mod program;
mod survey;
mod warp_product;
mod wave;

pub use program::{ParamSpec, PtxProgram, Setup, params};
pub use survey::{Survey, survey};
pub use tilehaul_mma::Sums;
pub use wave::Wave;
