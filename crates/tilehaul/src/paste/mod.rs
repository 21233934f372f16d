//! Source that people paste: encode calls, descriptor constructions, lines that do not do what they say.
//!
//! | module | recognises |
//! |---|---|
//! | `cuda` | `cuTensorMapEncodeTiled(…)`, `…Im2col`, `…Im2colWide` with CUDA's enum spellings |
//! | `tdm` | D#s built through HIP's `gfx1250_TDM_GROUP0..3` and Triton's `make_tensor_descriptor` |
//! | `lines` | instructions and calls that assemblers refuse, or that wait on the wrong counter |
//! | `instructions` | instructions that stand alone, right or wrong |
//! | `source` | constants of C, C++ and Python fragments |

mod cuda;
mod instructions;
mod lines;
mod source;
mod tdm;

use tilehaul_diag::{Diagnostic, Level};

use crate::explain::Explained;

/// What a pasted text was recognised as.
#[derive(Clone, Debug)]
pub struct Recognised {
    /// One line: `cuTensorMapEncodeTiled call`.
    pub title: String,
    /// The descriptor that it makes, as far as the text shows its arguments.
    pub explained: Option<Explained>,
    /// Values that the text does not show, and what stands in for them.
    pub assumptions: Vec<String>,
    /// What is wrong and what is right instead; places are spans of the text, file 0.
    pub diagnostics: Vec<Diagnostic>,
}

impl Recognised {
    /// Something is wrong in the text or the descriptor.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        let explained = self.explained.iter().flat_map(|e| &e.diagnostics);
        self.diagnostics.iter().chain(explained).any(|d| d.level == Level::Error)
    }
}

/// Everything that is recognised in a text, in its order; empty when nothing is.
#[must_use]
pub fn recognise(text: &str, target: Option<&str>) -> Vec<Recognised> {
    let mut found = Vec::new();
    if cuda::mentions(text) || tdm::mentions(text) {
        let fragment = source::Fragment::new(text);
        found.extend(cuda::encode_calls(&fragment, target));
        found.extend(tdm::constructions(&fragment));
    }
    found.extend(lines::wrong_lines(text));
    found
}

/// What a target says of a text that is instructions and nothing else; none when it is something else.
#[must_use]
pub fn instructions(text: &str, target: Option<&str>) -> Option<Recognised> {
    instructions::judged(text, target)
}

#[cfg(test)]
mod tests;
