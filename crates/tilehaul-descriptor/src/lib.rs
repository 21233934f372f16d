//! Bit formats of copy descriptors: encode, decode, validate, explain.
//!
//! This crate is the only place that knows a bit position. Each format has one declarative table
//! ([`field::FormatSpec`]); encode, decode, explain and the reference page come from it.

pub mod amd;
mod element;
pub mod explain;
pub mod field;
pub mod nvidia;
mod rule;

pub use element::{ElementType, Packing};
pub use explain::Explanation;
pub use rule::Rule;
