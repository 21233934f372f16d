//! Words as people paste them: hex lists, debugger dumps, register dumps, byte lists, one long hex string, a file.
//!
//! Everything becomes bytes in memory order; [`Words::dwords`] gives them as 32-bit words, little end first. A reading
//! that is not the only possible one leaves a note, so that whoever pasted can see what was understood.
//!
//! | module | does |
//! |---|---|
//! | `clean` | takes away what is not a number: addresses, register names, ASCII columns, comments |
//! | `prompt` | recognises command lines of debuggers and shells, which say how wide the words are |
//! | `dump` | reads dumps whose lines begin with an offset: xxd, hexdump, od |
//! | `literal` | reads bytes spelled as characters |
//! | `number` | one token becomes a number with the width its spelling shows |
//! | `guess` | says which kind of descriptor a given number of bytes is |

mod clean;
mod dump;
mod guess;
mod literal;
mod number;
mod prompt;

use std::fmt;

pub use guess::{Guess, Kind, guess};

/// Longest input that is looked at. The largest descriptor is 128 bytes; a dump of a few hundred is still readable.
const LONGEST: usize = 1 << 20;

/// What a person pasted, as bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The bytes, in memory order.
    pub bytes: Vec<u8>,
    /// How the input was understood, one clause: `12 words of 32 bits`.
    pub reading: String,
    /// Readings that were not the only possible ones.
    pub notes: Vec<String>,
}

impl Words {
    /// The bytes as 32-bit words, little end first. A ragged end is filled with zeros.
    #[must_use]
    pub fn dwords(&self) -> Vec<u32> {
        self.bytes
            .chunks(4)
            .map(|c| c.iter().rev().fold(0u32, |word, &byte| word << 8 | u32::from(byte)))
            .collect()
    }
}

/// Why an input is not a list of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordsError {
    /// What is wrong, naming the text as it was written.
    pub message: String,
    /// Line and column, from 1, where there is one place.
    pub place: Option<(usize, usize)>,
    /// What to do instead.
    pub remedy: &'static str,
}

impl fmt::Display for WordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        write!(f, "{}; {}", self.message, self.remedy)
    }
}

impl std::error::Error for WordsError {}

const REMEDY: &str = "paste hex words (0x.., separated by blanks or commas), a debugger dump, one long hex string, or name a file";

/// Reads words in any spelling, or a binary file.
///
/// # Errors
/// When the input holds no number, or something that is neither a number nor decoration.
pub fn parse(input: &[u8]) -> Result<Words, WordsError> {
    if input.len() > LONGEST {
        return Err(WordsError {
            message: format!("the input has {} bytes, far more than any descriptor", input.len()),
            place: None,
            remedy: "cut out the 128 bytes or fewer that matter",
        });
    }
    match std::str::from_utf8(input) {
        Ok(text) if !looks_binary(text) => parse_text(text),
        _ => Ok(Words {
            bytes: input.to_vec(),
            reading: format!("{} raw bytes", input.len()),
            notes: Vec::new(),
        }),
    }
}

/// Control characters that no text editor writes mean raw bytes.
fn looks_binary(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}'))
}

fn parse_text(text: &str) -> Result<Words, WordsError> {
    let text = text.trim_start_matches('\u{feff}');
    // Command lines go first: they are no part of a dump or a literal.
    let answer: String =
        text.lines().filter(|line| prompt::command(line).is_none()).map(|line| format!("{line}\n")).collect();
    if let Some(bytes) = literal::bytes(&answer) {
        let reading = format!("{} of a string literal", count(bytes.len(), "byte"));
        return Ok(Words { bytes, reading, notes: Vec::new() });
    }
    if let Some(dump) = dump::read(&answer) {
        return dump;
    }
    if let Some(bytes) = json_bytes(text) {
        let reading = format!("{} of the answer of tilehaul encode", count(bytes.len(), "byte"));
        return Ok(Words { bytes, reading, notes: Vec::new() });
    }
    let cleaned = clean::tokens(text)?;
    if cleaned.tokens.is_empty() {
        return Err(WordsError {
            message: "there is no number in the input".to_owned(),
            place: None,
            remedy: REMEDY,
        });
    }
    number::read(&cleaned)
}

/// The `bytes` of what `tilehaul encode --format json` prints.
fn json_bytes(text: &str) -> Option<Vec<u8>> {
    let value: serde_json::Value = serde_json::from_str(text.trim()).ok()?;
    let hex = value.get("bytes")?.as_str()?;
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect()
}

/// `1 byte`, `2 bytes`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests;
