//! Layouts as people write them: TIRx, CuTe and Triton, read and printed.
//!
//! [`parse`] tells the notation from the text. Every reader gives a [`View`]: TIRx layouts get the shape that the
//! caller asks for (or one dimension for each iteration), CuTe layouts the shape of their top-level modes, Triton
//! encodings the shape of the tensor (or of one tile of the encoding). Texts are bounded in length and nesting, and
//! every error names a place and what would be right there.

mod cute;
mod scan;
mod tirx;
mod triton;

use std::fmt;

use crate::strided::LayoutError;
use crate::view::View;

pub use scan::MAX_TEXT;

/// A way to write layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Notation {
    /// `S[(64, 2):(1@TLane, 64@TLane)] + R[2:32@TLane] + 3@TCol`.
    Tirx,
    /// `Swizzle<3,3,3> o (8,64):(64,1)`.
    Cute,
    /// `#ttg.linear<{register = [[0, 1]], …}>` and the other encodings of TTGIR.
    Triton,
}

impl Notation {
    /// All of them.
    pub const ALL: [Notation; 3] = [Notation::Tirx, Notation::Cute, Notation::Triton];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Notation::Tirx => "tirx",
            Notation::Cute => "cute",
            Notation::Triton => "triton",
        }
    }
}

/// A text that is no layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Byte offset in the text.
    pub at: usize,
    /// What is wrong there and what would be right, as one sentence.
    pub message: String,
    /// The text is well formed, but this tool does not model what it names.
    pub unsupported: bool,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.at + 1, self.message)
    }
}

impl std::error::Error for TextError {}

/// The notation of a text, by its first characters.
#[must_use]
pub fn notation(text: &str) -> Notation {
    let text = text.trim_start();
    let tirx = ["S[", "S [", "TileLayout", "ComposeLayout", "T.S[", "R[", "tmem_datapath_layout"];
    if text.starts_with('#') || text.starts_with("!ttg") {
        Notation::Triton
    } else if tirx.iter().any(|t| text.starts_with(t)) {
        Notation::Tirx
    } else {
        Notation::Cute
    }
}

/// Reads a layout. `shape` is the tensor's shape, where the notation leaves it open.
///
/// # Errors
/// With the place and the remedy.
pub fn parse(text: &str, shape: Option<&[u64]>) -> Result<View, TextError> {
    match notation(text) {
        Notation::Tirx => tirx::parse(text, shape),
        Notation::Cute => cute::parse(text, shape),
        Notation::Triton => triton::parse(text, shape),
    }
}

/// Writes a view in a notation.
///
/// # Errors
/// When the notation cannot say it; the sentence tells why.
pub fn print(view: &View, notation: Notation) -> Result<String, LayoutError> {
    match notation {
        Notation::Tirx => tirx::print(view),
        Notation::Cute => cute::print(view),
        Notation::Triton => triton::print(view),
    }
}

#[cfg(test)]
mod tests;
