//! Mutants of a kernel's text: each wait, fence, arrival, count, announced byte count and parity dropped or weakened in turn.
//!
//! Mutation is textual, so that a report can show the changed line and a person can replay a mutant as a file. What stands
//! where is taken from the reader of the language, not guessed. What no row of the tables describes is not made.
//!
//! | module | makes |
//! |---|---|
//! | `ptx` | mutants of PTX: waits, fences, barriers, arrivals, byte counts, parities, orders |
//! | `amd` | mutants of AMD assembly: counters, barriers, arrivals, cache fences, M0 |
//! | `descriptor` | D# fields in front of a tensor instruction |

mod amd;
mod descriptor;
mod ptx;

use std::ops::Range;

pub(super) use amd::mutants as amd;
pub(super) use ptx::mutants as ptx;

/// One mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Bytes of the text that change.
    pub range: Range<usize>,
    /// What stands there instead.
    pub replacement: String,
    /// What was done, as a clause: `drop the wait`.
    pub what: String,
    /// What ends the launch when this place is reached, to be put there instead: tells dead code.
    pub probe: String,
}

impl Mutant {
    /// The whole text with the change.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        self.with(text, &self.replacement)
    }

    /// The whole text with a trap in the place of the change.
    #[must_use]
    pub fn probed(&self, text: &str) -> String {
        self.with(text, &self.probe)
    }

    fn with(&self, text: &str, replacement: &str) -> String {
        let (before, after) = (text.get(..self.range.start), text.get(self.range.end..));
        format!("{}{replacement}{}", before.unwrap_or(""), after.unwrap_or(""))
    }
}

/// What is done to an instruction, and what stands in its place.
type Change = (String, String);
