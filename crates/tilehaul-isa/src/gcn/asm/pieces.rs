//! Pieces of a line: operands, modifiers, arguments, lists.

/// Splits at commas outside brackets.
pub(super) fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0i32, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                out.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        out.push(text[start..].trim());
    }
    out
}

/// Cuts the modifiers off the last operand: words outside brackets after the first.
pub(super) fn words(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0i32, None, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        match (c.is_whitespace() && depth == 0, start) {
            (true, Some(s)) => {
                out.push(&text[s..i]);
                start = None;
            }
            (false, None) => start = Some(i),
            _ => {}
        }
    }
    if let Some(s) = start {
        out.push(&text[s..]);
    }
    out
}

pub(super) fn is_modifier(word: &str) -> bool {
    word.contains(':') && !word.contains('[') || matches!(word, "nv" | "sc0" | "sc1" | "nt" | "glc" | "gds")
}

pub(super) fn call<'t>(text: &'t str, name: &str) -> Option<Vec<&'t str>> {
    let inner = text.trim().strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
    Some(split(inner))
}

pub(super) fn list(text: &str) -> Option<Vec<u32>> {
    text.strip_prefix('[')?.strip_suffix(']')?.split(',').map(|t| t.trim().parse().ok()).collect()
}

/// A list of zeros and ones.
pub(super) fn bits(text: &str) -> Option<Vec<u32>> {
    list(text).filter(|list| list.iter().all(|bit| *bit < 2))
}
