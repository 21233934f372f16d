//! Text, JSON and SVG of everything tilehaul finds.
//!
//! Only this crate and the front ends know colours, JSON and SVG. Everything here turns values into text; nothing is printed.
//!
//! | module | does |
//! |---|---|
//! | [`style`] | colours of the terminal, or none |
//! | [`picture`] | what a picture shows, as numbers |
//! | [`sources`] | input texts, so that spans become lines and columns |
//! | [`banks`] | bank reports and candidates as tables and JSON, and the lanes of an access over the banks |
//! | [`layout`] | any layout as a table, as JSON and as a picture with hover texts |
//! | [`tmem`] | images of tensor memory, and what an apply executes |
//! | [`diagnostic`] | a diagnostic as rustc would print it, and as JSON |
//! | [`explanation`] | an explained descriptor as a table, and as JSON |
//! | [`term`] | pictures of characters: the tile in its tensor |
//! | [`svg`] | pictures for documents |

pub mod banks;
pub mod diagnostic;
pub mod explanation;
pub mod layout;
pub mod picture;
pub mod sources;
pub mod style;
pub mod svg;
pub mod term;
pub mod tmem;

pub use sources::Sources;
pub use style::Style;
