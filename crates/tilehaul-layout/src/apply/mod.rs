//! `apply`: does a view repeat an instruction's native image, and then which instructions move it?
//!
//! The caller names one `tcgen05.ld`, `.st` or `.cp`, the scope that executes it, and its operands: registers, tensor
//! memory, shared memory, each with a layout. An operand's shape is `(group…, repeat…, atom…)`: the group counts the
//! warps (and blocks) of the scope, the atom is the image of one instruction, and every repeat is one instruction.
//! Nothing is chosen, reordered or copied: either every element lies exactly where the image puts it and the list of
//! instructions follows, or the first element that does not is named.
//!
//! manual: the rules, their order and the wording of refusals follow TIRx `tile.apply` (apache-tvm-tirx 0.1.0a4); two
//! rules are added that it lacks: columns past 511 and past the allocation.

mod check;
mod context;
mod copy;
mod instruction;
mod operand;
mod text;

use std::fmt;

use crate::axis::Axis;

pub use context::{Context, Scope};
pub use instruction::{Direction, Instruction};
pub use operand::{Operand, Storage};
pub use text::{guard, operand, pipeline, summary, type_bits};

/// Why an apply is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Stable name of the rule.
    pub code: &'static str,
    /// One sentence: the rule in the words of the tile operation.
    pub message: String,
    /// The first element that breaks it, with what was found and what was expected.
    pub element: Option<String>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.element {
            Some(element) => write!(f, " ({element})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

pub(crate) fn refuse<T>(code: &'static str, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code, message: message.into(), element: None })
}

/// One emitted instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The warp or block that executes it, by the scope's group axes.
    pub group: Vec<(Axis, u64)>,
    /// Repeat coordinates.
    pub repeat: Vec<u64>,
    /// Lane field to add to the base address: 0 or 16 for loads and stores, any lane for copies.
    pub lane: u32,
    /// Columns to add to the base address.
    pub column: u32,
    /// Immediate split offset.
    pub split: Option<i64>,
    /// Register slot of each vector element; empty for copies.
    pub slots: Vec<i64>,
}

/// An apply that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Instructions, by group and then by repeat.
    pub issues: Vec<Issue>,
    /// Remarks: what the rules allow but deserves a look.
    pub notes: Vec<String>,
}

impl Applied {
    /// Instructions that each warp (or, for copies, the issuing thread) executes.
    #[must_use]
    pub fn per_warp(&self) -> usize {
        let first = self.issues.first().map(|i| &i.group);
        self.issues.iter().filter(|i| Some(&i.group) == first).count()
    }
}

/// Decides an apply.
///
/// # Errors
/// With the first rule that is broken, and the first element that breaks it.
pub fn apply(
    instruction: &Instruction,
    context: &Context,
    operands: &[Operand],
    split: Option<i64>,
    columns: u32,
) -> Result<Applied, Refusal> {
    match instruction {
        Instruction::Move { direction, image } => {
            check::apply(*direction, image, context, operands, split, columns)
        }
        Instruction::Copy(image) => copy::apply(image, context, operands, split, columns),
    }
}

#[cfg(test)]
mod tests;
