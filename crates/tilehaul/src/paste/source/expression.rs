//! Values of expressions, as far as the names in them are known.

use super::tokens::Token;
use super::{Fragment, Value, closing, is};

/// Deepest nesting of expressions and of names that stand for names.
pub(super) const DEEPEST: u32 = 40;

/// Reads one expression, following names.
pub(super) struct Reader<'a> {
    pub(super) fragment: &'a Fragment,
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) depth: u32,
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

    pub(super) fn expression(&mut self, lowest: u8) -> Value {
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
pub(super) fn type_bytes(name: &str) -> Option<i128> {
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
