//! Text, JSON and SVG of everything tilehaul finds.
//!
//! Only this crate and the front ends know colours, JSON and SVG. Everything here turns values into text; nothing is printed.
//!
//! | module | does |
//! |---|---|
//! | [`style`] | colours of the terminal, or none |
//! | [`picture`] | what a picture shows, as numbers |
//! | [`sources`] | input texts, so that spans become lines and columns |
//! | [`diagnostic`] | a diagnostic as rustc would print it, and as JSON |
//! | [`explanation`] | an explained descriptor as a table, and as JSON |
//! | [`term`] | pictures of characters: the tile in its tensor |
//! | [`svg`] | pictures for documents |

pub mod diagnostic;
pub mod explanation;
pub mod picture;
pub mod sources;
pub mod style;
pub mod svg;
pub mod term;

pub use sources::Sources;
pub use style::Style;
