//! The instruction table: one row a family, from which the reader's validation, the executor's dispatch and the
//! reference page come.
//!
//! A row's `modifiers` are slots, separated by blanks. A slot lists what may stand there (`a|b|c`), `?` at its end makes
//! it optional, and `*` stands for any run of characters. A spelling belongs to the first row whose every modifier fills a
//! slot and whose every required slot is filled; modifiers that fit several slots fill them from left to right, which
//! keeps `cvt.f16.f32` and `mma…f32.f16.f16.f32` apart and lets compilers order the others as they like. What ptxas takes
//! in one order only keeps it here, too: a slot that begins with `=` is a word of the name and stands where it stands in
//! the row, and state spaces, types and layouts of matrices come in the order of their slots.

mod atomic;
mod bulk;
mod convert;
mod float;
mod flow;
mod fragments;
mod integer;
mod logic;
mod matrix;
mod mbarrier;
mod memory;
mod multimem;
mod op;
mod opcode;
mod scheduling;
mod spelling;
mod sync;
mod targets;
mod tensor_memory;
#[cfg(test)]
mod tests;
mod texture;
mod video;
mod warp;
mod warpgroup;

pub use op::Op;
pub use opcode::{Opcode, similar};

/// How well the executor's answer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// Bit for bit what a device answered; the citation says where.
    Hardware(&'static str),
    /// From the PTX manual; the result is fully defined there.
    Manual,
    /// The manual leaves bits open; the closest faithful result is computed.
    Approximate(&'static str),
    /// Executing it ends the run as unsupported, for this reason.
    Unsupported(&'static str),
}

/// One family of spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What the executor does.
    pub op: Op,
    /// The spelling before the first modifier.
    pub name: &'static str,
    /// The modifier slots.
    pub modifiers: &'static str,
    /// Operands, separated by commas; one with `?` at its end may be left out, and `policy?`, `mask?`, `offsets?` and `q?` follow
    /// from the modifiers.
    pub operands: &'static str,
    /// Architectures that have it: a number is the first one, a number with a letter one of several exact ones; empty
    /// for all.
    pub targets: &'static str,
    /// How well its answer is known.
    pub support: Support,
    /// One sentence.
    pub doc: &'static str,
}

/// Shorthand for table rows.
const fn row(
    op: Op,
    name: &'static str,
    modifiers: &'static str,
    operands: &'static str,
    targets: &'static str,
    support: Support,
    doc: &'static str,
) -> Row {
    Row { op, name, modifiers, operands, targets, support, doc }
}

/// Every row, group by group.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [
        integer::ROWS,
        float::ROWS,
        logic::ROWS,
        convert::ROWS,
        video::ROWS,
        flow::ROWS,
        memory::ROWS,
        bulk::ROWS,
        multimem::ROWS,
        texture::ROWS,
        sync::ROWS,
        atomic::ROWS,
        warp::ROWS,
        scheduling::ROWS,
        mbarrier::ROWS,
        matrix::ROWS,
        fragments::ROWS,
        warpgroup::ROWS,
        tensor_memory::ROWS,
    ]
    .into_iter()
    .flatten()
}
