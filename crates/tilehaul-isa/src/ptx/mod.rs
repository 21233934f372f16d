//! PTX text: reading it, and the table of what its instructions do.
//!
//! [`read`] turns a text into a [`Module`] and a list of diagnostics; it never fails. What it cannot understand is
//! skipped to the next statement and told with its place. An instruction that no [`table`] row describes is kept: it
//! only matters if it is executed.
//!
//! Scopes (`{…}`) are flattened and names resolved while reading, so what comes out has registers, variables and labels
//! as indices. Reading is one pass over the text with bounded recursion (constant expressions and nested braces only).

pub mod ast;
mod lexer;
mod parser;
pub mod special;
pub mod table;

use tilehaul_diag::{Diagnostic, FileId};

pub use ast::Module;
pub use table::{Op, Opcode, Row, Support, similar};

/// What reading a text gave.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What was understood.
    pub module: Module,
    /// What was not, in order of its place. [`tilehaul_diag::Level::Error`] marks text that an assembler would refuse.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a PTX text. `file` is what spans will name.
#[must_use]
pub fn read(text: &str, file: FileId) -> Reading {
    parser::Parser::new(text, file).run()
}
