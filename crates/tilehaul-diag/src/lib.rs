//! Places, levels, sources and diagnostics: what every other crate of tilehaul reports with.
//!
//! A [`Diagnostic`] is a value. It knows no terminal, no colour and no JSON; `tilehaul-render` and the
//! front ends turn it into those. It depends on nothing, so every crate may return one.

mod diagnostic;
mod place;
mod source;
mod spelling;

pub use diagnostic::{Code, Diagnostic, Label, Level};
pub use place::{FileId, Span};
pub use source::{Fidelity, Source};
pub use spelling::nearest;
