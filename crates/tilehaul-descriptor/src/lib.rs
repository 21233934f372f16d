//! Bit formats of copy descriptors: encode, decode, validate, explain.
//!
//! This crate is the only place that knows a bit position. Each format has one declarative table
//! ([`field::FormatSpec`]); encode, decode, explain and the reference page come from it.

pub mod field;
mod rule;

pub use rule::Rule;
