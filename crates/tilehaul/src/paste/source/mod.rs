//! Just enough of C, C++ and Python to follow constants: tokens with places, and values of expressions.
//!
//! Nobody's whole program is understood here. A pasted fragment is cut into tokens; every `name = value` (and `#define`) in it
//! is remembered; an argument is evaluated as far as those names go. What stays unknown is said by name.

mod expression;
#[cfg(test)]
mod tests;
mod tokens;

use std::cell::Cell;
use std::collections::BTreeMap;

use tilehaul_diag::{FileId, Span};

use expression::{DEEPEST, Reader, type_bytes};
pub(super) use tokens::Token;
use tokens::tokens;

/// Longest array that is put together from assignments to its elements.
const MOST_ELEMENTS: usize = 16;
/// Most names that one value may lead through: names that stand for each other twice over never end otherwise.
const MOST_LOOKUPS: u32 = 1000;

/// A value, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A whole number.
    Int(i128),
    /// A list in braces, brackets or parentheses.
    List(Vec<Value>),
    /// A name that the fragment does not define.
    Name(String),
    /// Something else.
    Unknown,
}

impl Value {
    pub(super) fn int(&self) -> Option<i128> {
        match self {
            Value::Int(i) => Some(*i),
            _ => None,
        }
    }

    /// The numbers of a list; a single number is a list of one.
    pub(super) fn ints(&self) -> Option<Vec<i128>> {
        match self {
            Value::Int(i) => Some(vec![*i]),
            Value::List(list) => list.iter().map(Value::int).collect(),
            _ => None,
        }
    }

    /// Names in it that are not known.
    pub(super) fn unknown(&self, out: &mut Vec<String>) {
        match self {
            Value::Name(name) if !out.contains(name) => out.push(name.clone()),
            Value::List(list) => list.iter().for_each(|v| v.unknown(out)),
            _ => {}
        }
    }
}

/// A fragment as tokens, and the names it defines.
pub(super) struct Fragment {
    pub(super) tokens: Vec<(Token, Span)>,
    names: BTreeMap<String, usize>,
    /// Names that may still be followed for the value that is being read.
    lookups: Cell<u32>,
}

impl Fragment {
    pub(super) fn new(text: &str) -> Fragment {
        let python = text.contains("def ") || text.contains("block_shape") || !text.contains(';');
        let tokens = tokens(text, python);
        let mut names = BTreeMap::new();
        for at in 0..tokens.len() {
            let Some((Token::Name(name), _)) = tokens.get(at) else { continue };
            if name == "define" && at > 0 && tokens[at - 1].0 == Token::Mark("#") {
                if let Some((Token::Name(defined), _)) = tokens.get(at + 1) {
                    names.entry(defined.clone()).or_insert(at + 2);
                }
                continue;
            }
            let mut next = at + 1;
            if is(&tokens, next, "[") {
                next = closing(&tokens, next) + 1;
                let declares = at > 0 && matches!(tokens[at - 1].0, Token::Name(_) | Token::Mark(">" | "*"));
                if let (false, Some((Token::Number(index), _)), true) =
                    (declares, tokens.get(at + 2), is(&tokens, next, "="))
                {
                    // `box[0] = 64;` fills one element; the last assignment counts, as in a program that runs downwards.
                    names.insert(format!("{name}[{index}]"), next + 1);
                    continue;
                }
            }
            // Python annotations: `BLOCK_M: gl.constexpr = 64`.
            if is(&tokens, next, ":") {
                let equals = (next + 1..next + 6).find(|&i| is(&tokens, i, "="));
                next = equals.unwrap_or(next);
            }
            if is(&tokens, next, "=") {
                names.entry(name.clone()).or_insert(next + 1);
            } else if is(&tokens, next, "{")
                && at > 0
                && matches!(tokens[at - 1].0, Token::Name(_) | Token::Mark(">"))
            {
                // `cuuint64_t size[2]{64, 64};`
                names.entry(name.clone()).or_insert(next);
            }
        }
        Fragment { tokens, names, lookups: Cell::new(MOST_LOOKUPS) }
    }

    /// Positions of calls of a name: the index of its opening parenthesis.
    pub(super) fn calls(&self, matches: impl Fn(&str) -> bool) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for (at, (token, _)) in self.tokens.iter().enumerate() {
            if let Token::Name(name) = token
                && matches(name)
                && is(&self.tokens, at + 1, "(")
            {
                found.push((at + 1, name.clone()));
            }
        }
        found
    }

    /// Opening parentheses of calls that hold a name as one of their arguments, and the name in front of each.
    pub(super) fn calls_with(&self, matches: impl Fn(&str) -> bool) -> Vec<(usize, String)> {
        /// Furthest that an argument stands behind its parenthesis.
        const FURTHEST: usize = 400;
        let mut found: Vec<(usize, String)> = Vec::new();
        for (at, (token, _)) in self.tokens.iter().enumerate() {
            if !matches!(token, Token::Name(name) if matches(name)) {
                continue;
            }
            let mut depth = 0u32;
            let open = (at.saturating_sub(FURTHEST)..at).rev().find(|&i| match &self.tokens[i].0 {
                Token::Mark(")" | "]" | "}") => {
                    depth += 1;
                    false
                }
                Token::Mark("(") if depth == 0 => true,
                Token::Mark("(" | "[" | "{") => {
                    depth = depth.saturating_sub(1);
                    false
                }
                _ => false,
            });
            let Some(open) = open.filter(|o| found.iter().all(|(seen, _)| seen != o)) else { continue };
            // `fn(..)`, `(*fn)(..)`, `WRAPPER(fn)(..)`: the nearest name.
            let name = (open.saturating_sub(4)..open).rev().find_map(|i| match &self.tokens[i].0 {
                Token::Name(name) => Some(name.clone()),
                _ => None,
            });
            found.push((open, name.unwrap_or_default()));
        }
        found
    }

    /// The type in front of a name's declaration as an array, and the bytes of its elements when they are known.
    pub(super) fn array_type(&self, name: &str) -> Option<(String, Option<i128>)> {
        self.tokens.windows(3).find_map(|window| match window {
            [(Token::Name(ty), _), (Token::Name(declared), _), (Token::Mark("["), _)] if declared == name => {
                Some((ty.clone(), type_bytes(ty)))
            }
            _ => None,
        })
    }

    /// Arguments of a call whose parenthesis is at `open`: keyword if any, range of tokens.
    pub(super) fn arguments(&self, open: usize) -> Vec<(Option<String>, std::ops::Range<usize>)> {
        let end = closing(&self.tokens, open);
        let mut arguments = Vec::new();
        let mut start = open + 1;
        let mut at = start;
        while at <= end {
            match &self.tokens.get(at).map(|(t, _)| t.clone()) {
                Some(Token::Mark("(" | "[" | "{")) if at < end => at = closing(&self.tokens, at),
                Some(Token::Mark(",")) | None => {
                    arguments.push(self.argument(start, at));
                    start = at + 1;
                }
                _ if at == end && start < end => arguments.push(self.argument(start, end)),
                _ => {}
            }
            at += 1;
        }
        arguments
    }

    fn argument(&self, start: usize, end: usize) -> (Option<String>, std::ops::Range<usize>) {
        if let (Some((Token::Name(name), _)), true) =
            (self.tokens.get(start), is(&self.tokens, start + 1, "="))
        {
            return (Some(name.clone()), start + 2..end);
        }
        (None, start..end)
    }

    /// The value that stands in a range of tokens.
    pub(super) fn value(&self, range: std::ops::Range<usize>) -> Value {
        self.lookups.set(MOST_LOOKUPS);
        let mut reader = Reader { fragment: self, at: range.start, end: range.end, depth: DEEPEST };
        reader.expression(0)
    }

    /// Where a range of tokens stands in the text.
    pub(super) fn span(&self, range: std::ops::Range<usize>) -> Span {
        let first = self.tokens.get(range.start).map(|t| t.1).unwrap_or_default();
        let last = self.tokens.get(range.end.saturating_sub(1).max(range.start)).map_or(first, |t| t.1);
        first.to(last)
    }

    /// The value of a name, `Value::Name` when the fragment does not define it.
    #[cfg(test)]
    pub(super) fn named(&self, name: &str) -> Value {
        self.lookup(name, DEEPEST)
    }

    fn lookup(&self, name: &str, depth: u32) -> Value {
        match self.names.get(name) {
            Some(&at) if depth > 0 && self.lookups.get() > 0 => {
                self.lookups.set(self.lookups.get() - 1);
                let mut reader = Reader { fragment: self, at, end: self.tokens.len(), depth: depth - 1 };
                reader.expression(0)
            }
            _ if self.names.contains_key(&format!("{name}[0]")) && depth > 0 => {
                let elements = (0..MOST_ELEMENTS).map(|i| format!("{name}[{i}]"));
                Value::List(
                    elements
                        .take_while(|element| self.names.contains_key(element))
                        .map(|element| self.lookup(&element, depth - 1))
                        .collect(),
                )
            }
            _ => match name {
                "true" | "True" => Value::Int(1),
                "false" | "False" => Value::Int(0),
                _ => Value::Name(name.to_owned()),
            },
        }
    }
}

fn is(tokens: &[(Token, Span)], at: usize, mark: &str) -> bool {
    matches!(tokens.get(at), Some((Token::Mark(m), _)) if *m == mark)
}

/// Index of the bracket that closes the one at `open`; the end when nothing does.
pub(super) fn closing(tokens: &[(Token, Span)], open: usize) -> usize {
    let mut depth = 0u32;
    for (at, (token, _)) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Mark("(" | "[" | "{") => depth += 1,
            Token::Mark(")" | "]" | "}") => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

fn span(start: usize, length: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(FileId(0), offset(start), offset(start + length))
}
