//! Explanations: what a descriptor's words say, as values that text, JSON and pictures are made from.
//!
//! [`Explanation::of`] lists every field of a [`FormatSpec`]; the modules that know a format leave out what does not
//! apply, and add derived facts and diagnostics. [`reference()`] prints the same table as a page of Markdown.

use std::borrow::Cow;
use std::fmt::Write;

use tilehaul_diag::{Diagnostic, Level, Source};

use crate::Rule;
use crate::field::{Encoding, FieldSpec, FormatSpec, Piece};

/// One field of a format, with the value that the words give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldValue {
    /// The field's own name.
    pub name: &'static str,
    /// Where its bits are, lowest first.
    pub pieces: &'static [Piece],
    /// The stored number.
    pub stored: u64,
    /// The number people speak of.
    pub value: i128,
    /// That number, or its name, as text without the unit.
    pub text: String,
    /// Unit of the number, or empty.
    pub unit: &'static str,
    /// One sentence about the field.
    pub doc: &'static str,
    /// Where position and meaning are known from.
    pub source: Source,
}

/// Something that follows from the fields: bytes per copy, alignment needed, footprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// What it is, such as `bytes per copy`.
    pub name: &'static str,
    /// Its value with the unit.
    pub text: String,
}

/// Everything there is to say about one descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What people call the format.
    pub format: &'static str,
    /// The words explained, little end first.
    pub words: Vec<u32>,
    /// One sentence that sums the descriptor up, or empty.
    pub summary: String,
    /// The fields that apply, in the order of the table.
    pub fields: Vec<FieldValue>,
    /// What follows from them.
    pub derived: Vec<Derived>,
    /// Rules broken and remarks.
    pub diagnostics: Vec<Diagnostic>,
}

impl FieldValue {
    /// The value that `words` give to `field`.
    #[must_use]
    pub fn of(field: &FieldSpec, words: &[u32]) -> FieldValue {
        let stored = field.stored(words);
        let value = field.decode(stored);
        FieldValue {
            name: field.name,
            pieces: field.pieces,
            stored,
            value,
            text: value_text(field, stored, value),
            unit: field.unit,
            doc: field.doc,
            source: field.source,
        }
    }
}

impl Explanation {
    /// Every field of `format` as `words` have it. Missing words read as zero.
    #[must_use]
    pub fn of(format: &FormatSpec, words: &[u32]) -> Explanation {
        Explanation {
            format: format.name,
            words: words.to_vec(),
            summary: String::new(),
            fields: format.fields.iter().map(|field| FieldValue::of(field, words)).collect(),
            derived: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&FieldValue> {
        self.fields.iter().find(|f| f.name == name)
    }

    /// Adds something that follows from the fields.
    pub fn derive(&mut self, name: &'static str, text: impl Into<String>) {
        self.derived.push(Derived { name, text: text.into() });
    }

    /// A rule that makes the descriptor illegal is broken.
    #[must_use]
    pub fn is_illegal(&self) -> bool {
        self.diagnostics.iter().any(|d| d.level == Level::Error)
    }
}

/// Where the bits of a field are, as `w3[15:0]` or `w7[3:0] w4[31:0]`, highest piece first.
#[must_use]
pub fn place_text(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces.iter().rev() {
        let space = if text.is_empty() { "" } else { " " };
        let high = u32::from(piece.low) + u32::from(piece.width).max(1) - 1;
        let _ = match piece.width {
            1 => write!(text, "{space}w{}[{high}]", piece.word),
            _ => write!(text, "{space}w{}[{high}:{}]", piece.word, piece.low),
        };
    }
    text
}

/// The reference page of a format, in Markdown: one row a field.
#[must_use]
pub fn reference(format: &FormatSpec) -> String {
    let mut page = format!(
        "# {}\n\n{} 32-bit words, little end first. `w3[15:0]` is bits 15 to 0 of word 3, that is of the word at byte offset 12.\n\n\
         | field | bits | encoding | unit | meaning | source |\n|---|---|---|---|---|---|\n",
        format.name, format.words
    );
    for field in format.fields {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} |",
            field.name,
            place_text(field.pieces),
            encoding_text(field.encoding),
            field.unit,
            field.doc,
            field.source
        );
    }
    page
}

/// The catalogue of rules, in Markdown: one row a rule, in the given order.
#[must_use]
pub fn catalogue<'r>(title: &str, rules: impl IntoIterator<Item = &'r Rule>) -> String {
    let mut page = format!("# {title}\n\n| code | level | rule | source |\n|---|---|---|---|\n");
    for rule in rules {
        let level = rule.level.word();
        let _ = writeln!(page, "| `{}` | {level} | {} | {} |", rule.code, rule.text, rule.source);
    }
    page
}

/// How a field stores its number, for the reference page.
fn encoding_text(encoding: Encoding) -> Cow<'static, str> {
    match encoding {
        Encoding::Plain => "as it is".into(),
        Encoding::MinusOne => "minus 1".into(),
        Encoding::Units(unit) => format!("in units of {unit}").into(),
        Encoding::Shifted(1) => "exponent of 2".into(),
        Encoding::Shifted(unit) => format!("exponent n for {unit} x 2^n").into(),
        Encoding::Signed => "two's complement".into(),
        Encoding::Negated => "two's complement of minus it".into(),
        Encoding::CountDown => "2^width minus it".into(),
        Encoding::Flag => "0 off, 1 on".into(),
        Encoding::Reserved(value) => format!("must be {value}").into(),
        Encoding::Choice(names) => {
            names.iter().map(|(value, name)| format!("{value} {name}")).collect::<Vec<_>>().join(", ").into()
        }
    }
}

fn value_text(field: &FieldSpec, stored: u64, value: i128) -> String {
    match field.encoding {
        Encoding::Flag => if stored == 0 { "off" } else { "on" }.into(),
        Encoding::Choice(names) => match names.iter().find(|(code, _)| *code == stored) {
            Some((_, name)) => (*name).into(),
            None => format!("{stored}, which has no meaning"),
        },
        Encoding::Reserved(wanted) if wanted != stored => format!("{stored:#x}, must be {wanted:#x}"),
        _ if field.unit == "address" => format!("{value:#x}"),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::bits;

    const SPEC: FormatSpec = FormatSpec {
        name: "test format",
        words: 2,
        fields: &[
            FieldSpec {
                name: "size",
                pieces: &[bits(0, 4, 4), bits(1, 31, 1)],
                encoding: Encoding::MinusOne,
                unit: "bytes",
                doc: "How many.",
                source: Source::inferred("test"),
            },
            FieldSpec {
                name: "mode",
                pieces: &[bits(0, 0, 2)],
                encoding: Encoding::Choice(&[(0, "off"), (2, "fast")]),
                unit: "",
                doc: "How.",
                source: Source::inferred("test"),
            },
        ],
    };

    #[test]
    fn values_and_the_page_come_from_the_table() {
        let explanation = Explanation::of(&SPEC, &[0x32, 0x8000_0000]);
        assert_eq!(explanation.field("size").map(|f| f.value), Some(0b1_0011 + 1));
        assert_eq!(explanation.field("mode").map(|f| f.text.as_str()), Some("fast"));
        assert_eq!(
            Explanation::of(&SPEC, &[1]).field("mode").map(|f| f.text.as_str()),
            Some("1, which has no meaning")
        );
        assert_eq!(place_text(SPEC.fields[0].pieces), "w1[31] w0[7:4]");
        assert!(reference(&SPEC).contains("| `mode` | w0[1:0] | 0 off, 2 fast |  | How. | inferred: test |"));
    }
}
