//! Text to tokens with their places.

use tilehaul_diag::Span;

use super::span;

/// Most tokens of a fragment.
const MOST_TOKENS: usize = 200_000;

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// A name, `::` included: `CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_FLOAT16`.
    Name(String),
    /// A whole number.
    Number(i128),
    /// Any other character, or a two-character operator.
    Mark(&'static str),
    /// Text in quotes, floats and characters that mean nothing here.
    Other,
}

const MARKS: &[&str] = &[
    "//", "<<", ">>", "==", "!=", "<=", ">=", "->", "&&", "||", "+=", "-=", "*=", "/=", "|=", "+", "-", "*",
    "/", "%", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ";", ":", "&", "|", "^", "~", "!", "?", ".",
    "@", "#",
];

pub(super) fn tokens(text: &str, python: bool) -> Vec<(Token, Span)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if out.len() >= MOST_TOKENS {
            break;
        }
        let start = text.len() - rest.len();
        let length = if c.is_whitespace() || c == '\\' {
            c.len_utf8()
        } else if rest.starts_with("//") && !python {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |e| e + 2)
        } else if c == '#' && !rest.trim_start_matches('#').trim_start().starts_with("define") {
            rest.find('\n').unwrap_or(rest.len())
        } else if c == '"' || c == '\'' {
            // Prose has apostrophes: a quote counts only when it closes on its line, a character's within four.
            let end = rest.get(1..).and_then(|r| r.find([c, '\n']));
            let closes = end
                .is_some_and(|e| rest.get(e + 1..).is_some_and(|r| r.starts_with(c)) && (c == '"' || e < 4));
            let length = if closes { end.map_or(1, |e| e + 2) } else { 1 };
            out.push((Token::Other, span(start, length)));
            length
        } else if c.is_alphabetic() || c == '_' {
            let mut length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            while let Some(tail) = rest.get(length..).and_then(|r| r.strip_prefix("::")) {
                let more = tail.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(tail.len());
                length += 2 + more;
                if more == 0 {
                    break;
                }
            }
            out.push((Token::Name(rest.get(..length).unwrap_or("").to_owned()), span(start, length)));
            length
        } else if c.is_ascii_digit() {
            let length = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '\'')
                .unwrap_or(rest.len());
            let token = number(rest.get(..length).unwrap_or("")).map_or(Token::Other, Token::Number);
            out.push((token, span(start, length)));
            length
        } else if let Some(mark) = MARKS.iter().find(|m| rest.starts_with(**m)) {
            out.push((Token::Mark(mark), span(start, mark.len())));
            mark.len()
        } else {
            out.push((Token::Other, span(start, c.len_utf8())));
            c.len_utf8()
        };
        rest = rest.get(length..).unwrap_or("");
    }
    out
}

fn number(text: &str) -> Option<i128> {
    let digits: String = text.chars().filter(|c| !matches!(c, '_' | '\'')).collect();
    let bare = digits.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    match bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => bare.parse().ok(),
    }
}
