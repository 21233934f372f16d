//! Random valid programs, and the same launch on a real GPU, compared byte for byte.
//!
//! [`mod@generate`] makes small PTX programs whose every result is defined by the manual, so that two executors that
//! disagree on one byte have found a fault in one of them. Feature `gpu` adds the device side.

pub mod covered;
pub mod generate;
#[cfg(feature = "gpu")]
pub mod gpu;
mod random;
mod templates;

pub use random::Random;
