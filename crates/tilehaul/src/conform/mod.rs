//! Recorded hardware answers and descriptor cases against the model.
//!
//! A record says what was asked of a real device and what came back. [`compare`] asks the model the same and reports
//! every record that it answers differently; [`answer`] prints the model's own answers and never looks at recorded
//! ones. Both take the bytes of a file: gzip'd or plain JSON lines, or one `case.json`.
//!
//! | records | answered by |
//! |---|---|
//! | encode calls | the driver's rules in `tilehaul-descriptor` |
//! | loads, stores, reductions, multicasts | one plan of `tilehaul-engine` |
//! | matrix products | the arithmetic of `tilehaul-mma` |
//! | timed loads of shared memory | the banks of `tilehaul-layout` |
//! | mbarrier sequences | the barrier object of `tilehaul-engine` |
//! | operation scripts | an interpreter of their own : memories, barriers, copies, in order |
//! | descriptor cases | the rules of both vendors' descriptors |
//!
//! A record whose outcome the hardware itself varies is an allowed set: the comparison accepts any member, the answer
//! gives one. Kinds that are not modelled are `unsupported`, never skipped.

mod bank;
mod barrier;
mod case;
mod codec;
mod copies;
mod encode;
pub(crate) mod instruction;
mod mma;
mod race;
mod report;
mod script;

use std::fmt;
use std::io::Read;

use serde_json::Value;

use copies::Leftovers;
pub(crate) use instruction::rules as instruction_rules;
pub use report::{Outcome, Remark, Report};

/// Why a file cannot be used at all.
#[derive(Debug)]
pub enum ConformError {
    /// The compressed stream is broken.
    Gzip(std::io::Error),
    /// A line is not JSON.
    Json {
        /// Number of the line, from 1.
        line: usize,
        /// What the reader says.
        error: serde_json::Error,
    },
    /// The bytes are no text.
    NotText,
    /// There is nothing in it.
    Empty,
}

impl fmt::Display for ConformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConformError::Gzip(error) => write!(f, "the gzip stream is damaged: {error}"),
            ConformError::Json { line, error } => write!(f, "line {line} is not JSON: {error}"),
            ConformError::NotText => f.write_str("the file is neither gzip nor UTF-8 text"),
            ConformError::Empty => f.write_str("the file holds no record"),
        }
    }
}

impl std::error::Error for ConformError {}

/// What one record cannot be answered for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The model has no such thing yet.
    Unsupported(String),
    /// The record lacks a field or has one that cannot be read.
    Malformed(String),
}

/// The records of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// JSON lines.
    Records(Vec<Value>),
    /// One descriptor case.
    Case(Box<Value>),
}

/// Largest text that is taken, against bombs in compressed files.
const MAX_TEXT: u64 = 1 << 30;

/// Reads a file's bytes: gzip'd or plain, JSON lines or one case.
///
/// # Errors
/// When it is neither.
pub fn read(bytes: &[u8]) -> Result<Input, ConformError> {
    let mut text = Vec::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let stream = flate2::read::MultiGzDecoder::new(bytes);
        stream.take(MAX_TEXT).read_to_end(&mut text).map_err(ConformError::Gzip)?;
    } else {
        text.extend_from_slice(bytes);
    }
    let text = String::from_utf8(text).map_err(|_| ConformError::NotText)?;
    if let Ok(whole) = serde_json::from_str::<Value>(&text) {
        return Ok(match whole {
            Value::Array(records) => Input::Records(records),
            case if case.get("variants").is_some() => Input::Case(Box::new(case)),
            record => Input::Records(vec![record]),
        });
    }
    let mut records = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        records.push(serde_json::from_str(line).map_err(|error| ConformError::Json { line: at + 1, error })?);
    }
    if records.is_empty() { Err(ConformError::Empty) } else { Ok(Input::Records(records)) }
}

/// Asks the model everything that a file asks and compares with what the file says.
#[must_use]
pub fn compare(input: &Input) -> Report {
    let mut report = Report::default();
    match input {
        Input::Records(records) => {
            let mut left = Leftovers::default();
            for (index, record) in records.iter().enumerate() {
                report.add(index, describe(record), compare_record(record, &mut left));
            }
        }
        Input::Case(case) => case::compare(case, &mut report),
    }
    report
}

/// The model's own answers, one object a record (or a variant of a case), in order. Recorded answers are not looked at.
#[must_use]
pub fn answer(input: &Input) -> Vec<Value> {
    match input {
        Input::Records(records) => {
            let mut left = Leftovers::default();
            let answer = |record| match answer_record(record, &mut left) {
                Ok(answer) => answer,
                Err(Refusal::Unsupported(text)) => serde_json::json!({ "unsupported": text }),
                Err(Refusal::Malformed(text)) => serde_json::json!({ "malformed": text }),
            };
            records.iter().map(answer).collect()
        }
        Input::Case(case) => case::answer(case),
    }
}

/// Which family a record belongs to.
enum Kind {
    Encode,
    Load,
    Store,
    Reduce,
    Multicast,
    Mbarrier,
    Product,
    Script,
    Bank,
    Race,
}

fn kind(record: &Value) -> Result<Kind, Refusal> {
    let named = |name: &str| record.get(name).and_then(Value::as_str);
    match named("k") {
        Some("encode") => Ok(Kind::Encode),
        Some("load") => Ok(Kind::Load),
        Some("store") => Ok(Kind::Store),
        Some("reduce") => Ok(Kind::Reduce),
        Some("multicast") => Ok(Kind::Multicast),
        Some("mbarrier") => Ok(Kind::Mbarrier),
        Some("mma") => Ok(Kind::Product),
        Some("leave") => Ok(Kind::Race),
        Some("timing") if named("kind") == Some("bank") => Ok(Kind::Bank),
        Some(other) => Err(Refusal::Unsupported(format!("records of kind \"{other}\" are not modelled yet"))),
        None if record.get("ops").is_some() || record.get("launches").is_some() => Ok(Kind::Script),
        None => match named("kind") {
            Some("bank") => Ok(Kind::Bank),
            Some(
                "overwrite"
                | "visible"
                | "generic then bulk load"
                | "shared then bulk store"
                | "init then bulk load"
                | "bulk store then bulk load"
                | "two groups"
                | "waits that do not cover the store",
            ) => Ok(Kind::Race),
            Some("tiled" | "im2col" | "im2colw" | "align") => Ok(Kind::Encode),
            Some(other) => {
                Err(Refusal::Unsupported(format!("records of kind \"{other}\" are not modelled yet")))
            }
            None => Err(Refusal::Unsupported("this record has no kind that is known".to_owned())),
        },
    }
}

fn answer_record(record: &Value, left: &mut Leftovers) -> Result<Value, Refusal> {
    match kind(record)? {
        Kind::Encode => encode::answer(record),
        Kind::Load => copies::load(record),
        Kind::Store => copies::store(record, left).map(|stored| stored.answer),
        Kind::Reduce => copies::reduce(record),
        Kind::Multicast => copies::multicast(record),
        Kind::Mbarrier => barrier::answer(record),
        Kind::Product => mma::answer(record),
        Kind::Script => script::answer(record),
        Kind::Bank => bank::answer(record),
        Kind::Race => race::answer(record),
    }
}

fn compare_record(record: &Value, left: &mut Leftovers) -> Outcome {
    let judged = kind(record).and_then(|kind| match kind {
        Kind::Script => script::compare(record),
        Kind::Bank => bank::compare(record),
        Kind::Race => race::compare(record),
        Kind::Mbarrier => Ok(barrier::compare(record, &barrier::answer(record)?)),
        Kind::Load => Ok(copies::compare_load(record, &copies::load(record)?)),
        Kind::Encode => Ok(compare_fields(record, &encode::answer(record)?, &["r", "map"])),
        Kind::Product => Ok(compare_fields(record, &mma::answer(record)?, &["d"])),
        Kind::Store => Ok(copies::compare_store(record, &copies::store(record, left)?)),
        Kind::Reduce | Kind::Multicast => {
            let answer = answer_record(record, left)?;
            Ok(compare_fields(record, &answer, &["enc", "fault", "timeout", "data"]))
        }
    });
    match judged {
        Ok(outcome) => outcome,
        Err(Refusal::Unsupported(text)) => Outcome::Unsupported(text),
        Err(Refusal::Malformed(text)) => Outcome::Malformed(text),
    }
}

/// Compares the named fields that stand on either side; `data` by its bytes.
fn compare_fields(record: &Value, answer: &Value, names: &[&str]) -> Outcome {
    for name in names {
        let (said, ours) = (record.get(*name), answer.get(*name));
        let same = match (said, ours) {
            (Some(said), Some(ours)) if *name == "fault" => codec::number(said) == codec::number(ours),
            (Some(said), Some(ours)) if *name == "data" => codec::same_data(said, ours),
            (said, ours) => said == ours,
        };
        if !same {
            return Outcome::Differs(format!("{name}: {}", codec::difference(said, ours, *name == "data")));
        }
    }
    Outcome::Agrees
}

/// What a record is about, for reports.
fn describe(record: &Value) -> String {
    let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    [text("k"), text("kind"), text("op"), text("why")]
        .iter()
        .filter(|part| !part.is_empty())
        .cloned()
        .collect::<Vec<_>>()
        .join(" ")
}
