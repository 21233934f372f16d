//! Files, standard input, and arguments that are the input themselves.

use std::io::Read;
use std::path::Path;

use tilehaul::files::cannot_read;
use tilehaul::identify;
use tilehaul::words::{self, Words};

use crate::output::Failure;

/// Most bytes that are read from one file or from standard input.
const LARGEST: u64 = 1 << 31;

/// What a user pasted, and what to call it in messages.
pub(crate) struct Pasted {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Pasted {
    /// The words in it.
    ///
    /// A file of another kind is named for what it is, with the command that takes it.
    pub(crate) fn words(&self) -> Result<Words, Failure> {
        let other = || identify::no_descriptor(&self.name, &self.bytes).map(Failure::invalid);
        if identify::is_known_binary(&self.bytes)
            && let Some(failure) = other()
        {
            return Err(failure);
        }
        words::parse(&self.bytes)
            .map_err(|e| other().unwrap_or_else(|| Failure::invalid(format!("{}: {e}", self.name))))
    }
}

/// Arguments that are words, one file, or `-`.
pub(crate) fn pasted(arguments: &[String]) -> Result<Pasted, Failure> {
    match arguments {
        [one] if one == "-" => Ok(Pasted { name: "standard input".to_owned(), bytes: read_stdin()? }),
        // Pipes and devices have paths too: `explain <(command)`.
        [one] if Path::new(one).exists() || looks_like_a_path(one) => {
            Ok(Pasted { name: one.clone(), bytes: read(one)? })
        }
        words => Ok(Pasted { name: "the command line".to_owned(), bytes: words.join(" ").into_bytes() }),
    }
}

/// The argument itself, or standard input for `-`.
pub(crate) fn text_or_stdin(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    String::from_utf8(read_stdin()?).map_err(|_| Failure::invalid("standard input is no UTF-8 text"))
}

/// One word with a dot or a slash and no blank is a misspelt file name rather than a descriptor.
fn looks_like_a_path(word: &str) -> bool {
    !word.contains(char::is_whitespace)
        && !word.contains(['(', '{', ','])
        && (word.contains('/') || Path::new(word).extension().is_some())
}

/// A file, or standard input for `-`.
pub(crate) fn read(path: &str) -> Result<Vec<u8>, Failure> {
    if path == "-" {
        return read_stdin();
    }
    let cannot = |error: std::io::Error| Failure::invalid(cannot_read(Path::new(path), &error));
    let file = std::fs::File::open(path).map_err(cannot)?;
    limited(file, path)
}

fn read_stdin() -> Result<Vec<u8>, Failure> {
    limited(std::io::stdin().lock(), "standard input")
}

fn limited(stream: impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    stream
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::invalid(cannot_read(Path::new(name), &error)))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::invalid(format!("{name} is larger than {LARGEST} bytes")));
    }
    Ok(bytes)
}
