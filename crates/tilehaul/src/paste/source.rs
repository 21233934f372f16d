//! Just enough of C, C++ and Python to follow constants: tokens with places, and values of expressions.
//!
//! Nobody's whole program is understood here. A pasted fragment is cut into tokens; every `name = value` (and `#define`) in it
//! is remembered; an argument is evaluated as far as those names go. What stays unknown is said by name.

use std::cell::Cell;
use std::collections::BTreeMap;

use tilehaul_diag::{FileId, Span};

/// Most tokens of a fragment.
const MOST_TOKENS: usize = 200_000;
/// Deepest nesting of expressions and of names that stand for names.
const DEEPEST: u32 = 40;
/// Longest array that is put together from assignments to its elements.
const MOST_ELEMENTS: usize = 16;
/// Most names that one value may lead through: names that stand for each other twice over never end otherwise.
const MOST_LOOKUPS: u32 = 1000;

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name, `::` included: `CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_FLOAT16`.
    Name(String),
    /// A whole number.
    Number(i128),
    /// Any other character, or a two-character operator.
    Mark(&'static str),
    /// Text in quotes, floats and characters that mean nothing here.
    Other,
}

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

const MARKS: &[&str] = &[
    "//", "<<", ">>", "==", "!=", "<=", ">=", "->", "&&", "||", "+=", "-=", "*=", "/=", "|=", "+", "-", "*",
    "/", "%", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ";", ":", "&", "|", "^", "~", "!", "?", ".",
    "@", "#",
];

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

fn tokens(text: &str, python: bool) -> Vec<(Token, Span)> {
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

fn span(start: usize, length: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(FileId(0), offset(start), offset(start + length))
}

fn number(text: &str) -> Option<i128> {
    let digits: String = text.chars().filter(|c| !matches!(c, '_' | '\'')).collect();
    let bare = digits.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    match bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => bare.parse().ok(),
    }
}

/// Reads one expression, following names.
struct Reader<'a> {
    fragment: &'a Fragment,
    at: usize,
    end: usize,
    depth: u32,
}

/// Binary operators with their precedence.
const OPERATORS: &[(&str, u8)] = &[
    ("|", 1),
    ("^", 2),
    ("&", 3),
    ("<<", 4),
    (">>", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
    ("//", 6),
    ("%", 6),
];

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        (self.at < self.end).then(|| self.fragment.tokens.get(self.at).map(|(t, _)| t)).flatten()
    }

    fn mark(&self, mark: &str) -> bool {
        self.at < self.end && is(&self.fragment.tokens, self.at, mark)
    }

    fn expression(&mut self, lowest: u8) -> Value {
        if self.depth == 0 {
            return Value::Unknown;
        }
        self.depth -= 1;
        let mut left = self.unary();
        while let Some(Token::Mark(mark)) = self.peek() {
            let Some(&(operator, level)) = OPERATORS.iter().find(|(o, _)| o == mark) else { break };
            if level < lowest.max(1) {
                break;
            }
            self.at += 1;
            let right = self.expression(level + 1);
            left = apply(operator, &left, &right);
        }
        self.depth += 1;
        left
    }

    fn unary(&mut self) -> Value {
        if self.mark("-") || self.mark("+") || self.mark("~") {
            let sign = self.peek().cloned();
            self.at += 1;
            let value = self.unary_guarded();
            return match (sign, value.int()) {
                (Some(Token::Mark("-")), Some(i)) => i.checked_neg().map_or(Value::Unknown, Value::Int),
                (Some(Token::Mark("~")), Some(i)) => Value::Int(!i),
                (_, Some(i)) => Value::Int(i),
                _ => Value::Unknown,
            };
        }
        if self.mark("&") || self.mark("*") {
            self.at += 1;
            return self.unary_guarded();
        }
        self.primary()
    }

    fn unary_guarded(&mut self) -> Value {
        if self.depth == 0 {
            return Value::Unknown;
        }
        self.depth -= 1;
        let value = self.unary();
        self.depth += 1;
        value
    }

    fn primary(&mut self) -> Value {
        match self.peek().cloned() {
            Some(Token::Number(n)) => {
                self.at += 1;
                Value::Int(n)
            }
            Some(Token::Name(name)) => {
                self.at += 1;
                self.after_name(name)
            }
            Some(Token::Mark("(")) => self.parenthesis(),
            Some(Token::Mark("[" | "{")) => self.list(),
            _ => {
                self.at += 1;
                Value::Unknown
            }
        }
    }

    /// `(x)`, `(a, b)`, and casts `(cuuint64_t)x`, `(cuuint32_t[]){1, 2}`.
    fn parenthesis(&mut self) -> Value {
        let close = closing(&self.fragment.tokens, self.at);
        let words = self.fragment.tokens.get(self.at + 1..close).unwrap_or_default();
        let looks_like_type = words.iter().all(|(t, _)| {
            matches!(t, Token::Name(_) | Token::Mark("*" | "[" | "]" | "<" | ">") | Token::Number(_))
        }) && matches!(words.first(), Some((Token::Name(_), _)));
        let value_follows = matches!(
            self.fragment.tokens.get(close + 1).map(|(t, _)| t),
            Some(Token::Name(_) | Token::Number(_) | Token::Mark("(" | "{" | "&"))
        ) && close + 1 < self.end;
        if looks_like_type && value_follows {
            self.at = close + 1;
            return self.unary_guarded();
        }
        let value = self.list();
        match value {
            // `(x)` groups, `(x,)` is a tuple of one.
            Value::List(list)
                if list.len() == 1 && !is(&self.fragment.tokens, self.at.saturating_sub(2), ",") =>
            {
                list.into_iter().next().unwrap_or(Value::Unknown)
            }
            other => other,
        }
    }

    fn list(&mut self) -> Value {
        let close = closing(&self.fragment.tokens, self.at).min(self.end);
        self.at += 1;
        let mut values = Vec::new();
        while self.at < close && self.depth > 0 {
            if self.mark(",") {
                self.at += 1;
                continue;
            }
            let before = self.at;
            values.push(self.expression(0));
            // Whatever the expression could not use up to the comma makes it unknown.
            if self.at < close && !self.mark(",") {
                while self.at < close && !self.mark(",") {
                    self.at = if matches!(self.peek(), Some(Token::Mark("(" | "[" | "{"))) {
                        closing(&self.fragment.tokens, self.at) + 1
                    } else {
                        self.at + 1
                    };
                }
                if let Some(last) = values.last_mut() {
                    *last = Value::Unknown;
                }
            }
            if self.at == before {
                self.at += 1;
            }
        }
        self.at = (close + 1).min(self.end.max(close + 1));
        Value::List(values)
    }

    fn after_name(&mut self, name: String) -> Value {
        let last = name.rsplit("::").next().unwrap_or(&name).to_owned();
        if self.mark("<") {
            // Template arguments: `std::array<cuuint64_t, 2>{..}`, `static_cast<int>(x)`.
            let close = (self.at..(self.at + 12).min(self.end)).find(|&i| is(&self.fragment.tokens, i, ">"));
            if let Some(close) = close
                && (is(&self.fragment.tokens, close + 1, "(") || is(&self.fragment.tokens, close + 1, "{"))
            {
                self.at = close + 1;
                return self.unary_guarded();
            }
        }
        if self.mark("(") {
            if last == "sizeof" {
                let close = closing(&self.fragment.tokens, self.at);
                let inside = self.fragment.tokens.get(self.at + 1..close).unwrap_or_default();
                let size = inside.iter().rev().find_map(|(t, _)| match t {
                    Token::Name(name) => type_bytes(name),
                    _ => None,
                });
                self.at = close + 1;
                return size.map_or(Value::Unknown, Value::Int);
            }
            if type_bytes(&last).is_some() {
                return self.parenthesis();
            }
            self.at = closing(&self.fragment.tokens, self.at) + 1;
            return Value::Name(format!("{name}()"));
        }
        if self.mark("{") && last.starts_with(|c: char| c.is_alphabetic()) && name.contains("::") {
            return self.list();
        }
        let mut value = self.fragment.lookup(&name, self.depth);
        loop {
            if self.mark(".") || self.mark("->") {
                let member = match self.fragment.tokens.get(self.at + 1) {
                    Some((Token::Name(member), _)) => member.clone(),
                    _ => String::new(),
                };
                self.at += 2;
                if self.mark("(") {
                    self.at = closing(&self.fragment.tokens, self.at) + 1;
                }
                if member != "data" {
                    value = self.fragment.lookup(&format!("{name}.{member}"), 0);
                }
            } else if self.mark("[") {
                let Value::List(index) = self.list() else { return Value::Unknown };
                let number = index.first().and_then(Value::int).and_then(|i| usize::try_from(i).ok());
                value = match (value, number) {
                    (Value::List(list), Some(i)) => list.get(i).cloned().unwrap_or(Value::Unknown),
                    (Value::Name(n), Some(i)) => Value::Name(format!("{n}[{i}]")),
                    _ => Value::Unknown,
                };
            } else {
                return value;
            }
        }
    }
}

fn apply(operator: &str, left: &Value, right: &Value) -> Value {
    let (Some(a), Some(b)) = (left.int(), right.int()) else {
        return match (left, right) {
            (Value::Name(_), _) => left.clone(),
            (_, Value::Name(_)) => right.clone(),
            _ => Value::Unknown,
        };
    };
    let shift = u32::try_from(b).ok().filter(|&s| s < 100);
    let result = match operator {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" | "//" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "<<" => shift.and_then(|s| a.checked_shl(s)),
        ">>" => shift.and_then(|s| a.checked_shr(s)),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        _ => None,
    };
    result.map_or(Value::Unknown, Value::Int)
}

/// Bytes of a C or CUDA type.
fn type_bytes(name: &str) -> Option<i128> {
    let last = name.rsplit("::").next().unwrap_or(name);
    Some(match last {
        "char" | "int8_t" | "uint8_t" | "__nv_fp8_e4m3" | "__nv_fp8_e5m2" | "float_e4m3_t"
        | "float_e5m2_t" | "byte" => 1,
        "half" | "__half" | "half_t" | "float16" | "float16_t" | "_Float16" | "__nv_bfloat16"
        | "nv_bfloat16" | "bfloat16_t" | "bf16" | "fp16" | "short" | "int16_t" | "uint16_t" => 2,
        "float" | "int" | "unsigned" | "int32_t" | "uint32_t" | "cuuint32_t" | "tfloat32_t" => 4,
        "double" | "long" | "int64_t" | "uint64_t" | "cuuint64_t" | "size_t" | "uintptr_t" => 8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, name: &str) -> Value {
        Fragment::new(text).named(name)
    }

    #[test]
    fn names_that_lead_to_each_other_end() {
        assert_eq!(value("a = b + b; b = [a + a, a + a];", "a").int(), None);
    }

    #[test]
    fn constants_are_followed() {
        let text = "#define N 512\nconst int M = 4096, K = M / 2; // columns\n\
                    cuuint64_t size[2] = {(cuuint64_t)K, N};\n\
                    cuuint64_t stride[1] = {K * sizeof(half)};\n\
                    auto box = std::array<cuuint32_t, 2>{64, 1u << 6}; uint32_t e[2]{1, 1};";
        assert_eq!(value(text, "size").ints(), Some(vec![2048, 512]));
        assert_eq!(value(text, "stride").ints(), Some(vec![4096]));
        assert_eq!(value(text, "box").ints(), Some(vec![64, 64]));
        assert_eq!(value(text, "e").ints(), Some(vec![1, 1]));
        assert_eq!(value(text, "ptr"), Value::Name("ptr".to_owned()));
        assert_eq!(value("a = b; b = a;", "a"), Value::Name("a".to_owned()), "a circle ends");
    }

    #[test]
    fn python_too() {
        let text = "M = 4096\nBLOCK: gl.constexpr = 128 // 2\nshape = (M, 64)\none = (BLOCK,)";
        assert_eq!(value(text, "shape").ints(), Some(vec![4096, 64]));
        assert_eq!(value(text, "one"), Value::List(vec![Value::Int(64)]));
    }

    #[test]
    fn arguments_keep_keywords() {
        let fragment = Fragment::new("f(x, shape=[1, 2], g(3, 4))");
        let calls = fragment.calls(|n| n == "f");
        let arguments = fragment.arguments(calls[0].0);
        let keys: Vec<Option<&str>> = arguments.iter().map(|(k, _)| k.as_deref()).collect();
        assert_eq!(keys, [None, Some("shape"), None]);
        assert_eq!(fragment.value(arguments[1].1.clone()).ints(), Some(vec![1, 2]));
    }

    mod hostile {
        use super::super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn any_text_gets_an_answer(text in "[a-c=(){}\\[\\],;0-9+*/<>.&: \n#-]{0,160}") {
                let fragment = Fragment::new(&text);
                for name in ["a", "b", "c"] {
                    let _ = fragment.named(name);
                }
                for (open, _) in fragment.calls(|_| true) {
                    for (_, range) in fragment.arguments(open) {
                        let _ = fragment.value(range);
                    }
                }
            }
        }
    }
}
