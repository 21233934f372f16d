//! What `tilehaul layout` asks: a layout in any notation, its other notations, its places, and its differences.

use tilehaul_layout::apply::pipeline;
use tilehaul_layout::text::{Notation, print};
use tilehaul_layout::{Axis, Disagreement, Place, Reader, View, agreement};

use crate::explain::ExplainError;

/// Reads `LAYOUT | step | step…`.
///
/// # Errors
/// With the place in the text; a layout that is well formed but not modelled is unsupported.
pub fn read(text: &str, shape: Option<&[u64]>) -> Result<View, ExplainError> {
    pipeline(text, shape).map_err(|e| {
        let message = format!("layout \"{}\", {e}", short(text));
        if e.unsupported { ExplainError::Unsupported(message) } else { ExplainError::Unusable(message) }
    })
}

/// The layout in every notation, or why one cannot say it.
#[must_use]
pub fn notations(view: &View) -> Vec<(Notation, Result<String, String>)> {
    Notation::ALL.into_iter().map(|n| (n, print(view, n).map_err(|e| e.0))).collect()
}

/// Every place of one element.
///
/// # Errors
/// When the element is outside the shape.
pub fn places(view: &View, element: &[u64]) -> Result<Vec<Place>, ExplainError> {
    let number = view.number(element).map_err(|e| ExplainError::Unusable(e.0))?;
    Ok(view.places(number))
}

/// Elements at `axis=position` pairs such as `laneid=3`; at most `limit`.
///
/// # Errors
/// When a pair is no axis with a number, or the layout has not got the axis.
pub fn elements(view: &View, pairs: &[String], limit: usize) -> Result<Vec<Vec<u64>>, ExplainError> {
    let wanted = pairs
        .iter()
        .map(|pair| {
            let (name, value) = pair.split_once('=')?;
            Some((Axis::from_name(name.trim())?, value.trim().parse().ok()?))
        })
        .collect::<Option<Vec<(Axis, i64)>>>()
        .ok_or_else(|| {
            ExplainError::Unusable(format!(
                "\"{}\" should be AXIS=POSITION with an axis of {}",
                pairs.join(","),
                Axis::names()
            ))
        })?;
    view.elements_at(&wanted, limit).map_err(|e| ExplainError::Unusable(e.0))
}

/// Where a tile that lands under `written` is read wrongly under `read`.
///
/// # Errors
/// When the two are tiles of different shapes or too large.
pub fn check_reader(
    written: &View,
    read: &View,
    base: i64,
    reader: Reader,
) -> Result<Option<Disagreement>, ExplainError> {
    agreement(written, read, base, reader).map_err(|e| ExplainError::Unusable(e.0))
}

fn short(text: &str) -> String {
    let line: String = text.trim().chars().take(60).collect();
    if line.len() < text.trim().len() { format!("{line}…") } else { line }
}
