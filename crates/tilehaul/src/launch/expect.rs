//! Compares a buffer with its expectation.
//!
//! Bytes are compared unless a tolerance stands; then `|got - want| <= atol + rtol * |want|`, and NaN equals NaN.

use tilehaul_descriptor::ElementType;
use tilehaul_machine::POISON;

use tilehaul_diag::{Code, Diagnostic, Level};

use super::{Buffer, Expect, Files, LaunchFile, Prepared, Wanted};
use crate::npy::{Array, Descr};
use crate::scalar::{self, Number};

/// One element that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its number in row-major order.
    pub index: u64,
    /// Its indices, outermost first.
    pub at: Vec<u64>,
    /// What is there.
    pub got: String,
    /// What should be.
    pub want: String,
}

/// How a comparison ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The first few elements that differ.
    pub first: Vec<Mismatch>,
    /// How many differ.
    pub differing: u64,
    /// The first element that nobody wrote although it was undefined before the launch.
    pub unwritten: Option<Vec<u64>>,
    /// How many such elements there are.
    pub unwritten_count: u64,
    /// How many were compared.
    pub compared: u64,
}

impl Outcome {
    /// Nothing differs and everything was written.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.differing == 0 && self.unwritten_count == 0
    }
}

/// Mismatches kept for the report.
const KEPT: usize = 4;
/// Elements that are looked at together before one by one.
const STRETCH: usize = 256;

/// Compares `got`, the bytes of `buffer` after the launch, with what `expect` wants. An element of an undefined buffer that
/// differs and still holds the poison pattern was written by nobody.
///
/// # Errors
/// A sentence when the expectation itself cannot be used.
pub fn compare(expect: &Expect, before: &Prepared, files: &dyn Files, got: &[u8]) -> Result<Outcome, String> {
    let Some(buffer) = before.buffer(&expect.buffer) else {
        return Err(format!("there is no [buffer.{}]", expect.buffer));
    };
    let want = wanted(expect, before, files)?;
    if want.len() != got.len() {
        return Err(format!("`expect.{}` has {} bytes, the buffer {}", expect.buffer, want.len(), got.len()));
    }
    let element = buffer.element;
    let width = element.bytes().unwrap_or(1) as usize;
    let tolerance = (expect.rtol.is_some() || expect.atol.is_some())
        .then(|| (expect.rtol.unwrap_or(0.0), expect.atol.unwrap_or(0.0)));
    let mut outcome = Outcome { compared: got.len().div_ceil(width) as u64, ..Outcome::default() };
    // Nearly all is equal to the bit, and then it is equal whatever the tolerance.
    let stretch = width * STRETCH;
    let differing =
        got.chunks(stretch).zip(want.chunks(stretch)).enumerate().filter(|(_, (got, want))| got != want);
    for (stretch, (got, want)) in differing {
        for (index, (got, want)) in got.chunks(width).zip(want.chunks(width)).enumerate() {
            let index = (stretch * STRETCH + index) as u64;
            let same = match tolerance {
                None => got == want,
                Some((rtol, atol)) => close(element, got, want, rtol, atol),
            };
            if same {
                continue;
            }
            if !buffer.defined && got.iter().all(|&byte| byte == POISON) {
                outcome.unwritten_count += 1;
                if outcome.unwritten.is_none() {
                    outcome.unwritten = Some(indices(buffer, index));
                }
            } else {
                outcome.differing += 1;
                if outcome.first.len() < KEPT {
                    outcome.first.push(Mismatch {
                        index,
                        at: indices(buffer, index),
                        got: scalar::text(element, got),
                        want: scalar::text(element, want),
                    });
                }
            }
        }
    }
    Ok(outcome)
}

impl LaunchFile {
    /// Expectations that cannot be compared with their buffers, told before anything runs.
    #[must_use]
    pub fn unusable_expectations(&self, prepared: &Prepared, files: &dyn Files) -> Vec<Diagnostic> {
        let told = |expect: &Expect| {
            let buffer = prepared.buffer(&expect.buffer)?;
            let want = match &expect.wanted {
                Wanted::Buffer(name) => {
                    let have = prepared.before(name)?.len();
                    let need = prepared.before(&expect.buffer)?.len();
                    let message =
                        format!("buffer {name} has {have} bytes and buffer {} {need}", expect.buffer);
                    return (have != need).then_some(message);
                }
                Wanted::File(path) => match files.read(path) {
                    Err(message) => return Some(message),
                    Ok(bytes) => match Array::parse(&bytes) {
                        Err(error) => return Some(format!("{}: {error}", path.display())),
                        Ok(array) => (path, array),
                    },
                },
            };
            let (path, array) = want;
            let (descr, shape) = (Descr::of(buffer.element), &buffer.shape);
            // Types that NumPy does not have travel as raw bits, and any array may be given as bytes.
            let same = array.descr == descr
                || array.descr.bytes == 1
                || array.descr.bytes == descr.bytes
                    && (array.descr.kind == 'u' || array.descr.kind == 'i' && descr.kind != 'f');
            let bytes = prepared.before(&expect.buffer)?.len();
            (!same || array.data.len() != bytes).then(|| {
                format!(
                    "{} holds {:?} of {}, {} bytes; buffer {} is {shape:?} of {} ({descr}), {bytes} bytes",
                    path.display(),
                    array.shape,
                    array.descr,
                    array.data.len(),
                    expect.buffer,
                    buffer.element
                )
            })
        };
        self.expects
            .iter()
            .filter_map(|expect| {
                let message = told(expect)?;
                Some(Diagnostic::new(Code("expectation-unusable"), Level::Error, message).at(expect.span, ""))
            })
            .collect()
    }
}

fn wanted(expect: &Expect, before: &Prepared, files: &dyn Files) -> Result<Vec<u8>, String> {
    match &expect.wanted {
        Wanted::Buffer(name) => {
            before.before(name).map(<[u8]>::to_vec).ok_or_else(|| format!("there is no [buffer.{name}]"))
        }
        Wanted::File(path) => {
            Array::parse(&files.read(path)?).map(|a| a.data).map_err(|e| format!("{}: {e}", path.display()))
        }
    }
}

fn close(element: ElementType, got: &[u8], want: &[u8], rtol: f64, atol: f64) -> bool {
    let (Some(got), Some(want)) = (scalar::read(element, got), scalar::read(element, want)) else {
        return got == want;
    };
    if let (Number::Int(got), Number::Int(want)) = (got, want)
        && got == want
    {
        return true;
    }
    let (got, want) = (got.as_f64(), want.as_f64());
    // Equal infinities differ by NaN; equality covers them.
    got == want || got.is_nan() && want.is_nan() || (got - want).abs() <= atol + rtol * want.abs()
}

/// Indices of element `index`, outermost first.
fn indices(buffer: &Buffer, index: u64) -> Vec<u64> {
    let mut rest = index;
    let mut at: Vec<u64> = buffer
        .shape
        .iter()
        .rev()
        .map(|&extent| {
            let extent = extent.max(1);
            let here = rest % extent;
            rest /= extent;
            here
        })
        .collect();
    at.reverse();
    at
}
