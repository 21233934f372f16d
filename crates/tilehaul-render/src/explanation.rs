//! An explained descriptor as a table, and as JSON.

use serde_json::{Map, Value, json};
use tilehaul_descriptor::Explanation;
use tilehaul_descriptor::explain::place_text;

use crate::style::{Ink, Style};

/// Fields, derived facts and the summary as aligned columns. Diagnostics are left to [`crate::diagnostic`].
#[must_use]
pub fn text(explanation: &Explanation, style: Style) -> String {
    let mut out = String::new();
    let heading = if explanation.summary.is_empty() {
        explanation.format.to_owned()
    } else {
        format!("{}: {}", explanation.format, explanation.summary)
    };
    out.push_str(&style.paint(Ink::Strong, &heading));
    out.push_str("\n\n");
    let rows: Vec<[String; 3]> = explanation
        .fields
        .iter()
        .map(|f| {
            let value = if f.unit.is_empty() || f.unit == "address" {
                f.text.clone()
            } else if is_address(f.name) && f.value > 9 {
                format!("{:#x}", f.value)
            } else {
                format!("{} {}", f.text, f.unit)
            };
            [f.name.to_owned(), value, place_text(f.pieces)]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let (names, values) = (width(0), width(1).min(44));
    for [name, value, bits] in &rows {
        let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(text.chars().count()));
        out.push_str(&format!(
            "  {name}{}  {}{}  {}\n",
            pad(name, names),
            style.paint(Ink::Strong, value),
            pad(value, values),
            style.paint(Ink::Faint, bits)
        ));
    }
    if !explanation.derived.is_empty() {
        out.push('\n');
        let width = explanation.derived.iter().map(|d| d.name.chars().count()).max().unwrap_or(0);
        for derived in &explanation.derived {
            let pad = " ".repeat(width - derived.name.chars().count());
            out.push_str(&format!("  {}{pad}  {}\n", style.paint(Ink::Faint, derived.name), derived.text));
        }
    }
    out
}

/// Addresses are read in hex whatever unit their table gives.
fn is_address(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    (lower.contains("addr") && !lower.contains("increment")) || lower == "base"
}

/// The same as JSON: `format`, `summary`, `words`, `fields`, `derived`.
#[must_use]
pub fn json(explanation: &Explanation) -> Map<String, Value> {
    let fields: Vec<Value> = explanation
        .fields
        .iter()
        .map(|f| {
            json!({
                "name": f.name,
                "value": number(f.value),
                "text": f.text,
                "unit": f.unit,
                "stored": f.stored,
                "bits": place_text(f.pieces),
                "doc": f.doc,
                "source": f.source.to_string(),
            })
        })
        .collect();
    let derived: Vec<Value> =
        explanation.derived.iter().map(|d| json!({ "name": d.name, "text": d.text })).collect();
    let words: Vec<String> = explanation.words.iter().map(|w| format!("{w:#010x}")).collect();
    let mut map = Map::new();
    map.insert("format".to_owned(), json!(explanation.format));
    map.insert("summary".to_owned(), json!(explanation.summary));
    map.insert("words".to_owned(), json!(words));
    map.insert("fields".to_owned(), json!(fields));
    map.insert("derived".to_owned(), json!(derived));
    map
}

/// A number where JSON's 64 bits hold it, a string where they do not.
fn number(value: i128) -> Value {
    if let Ok(small) = i64::try_from(value) {
        json!(small)
    } else if let Ok(large) = u64::try_from(value) {
        json!(large)
    } else {
        json!(value.to_string())
    }
}
