//! The small language of lane addresses: `lane*144`, `(lane%8)*128 + (lane/8)*16 ^ (lane%8)<<4`.
//!
//! Whole numbers, `lane`, further names that the caller gives, and C's operators with C's precedence:
//! `~ - !`, `* / %`, `+ -`, `<< >>`, `< <= > >=`, `== !=`, `&`, `^`, `|`, `&&`, `||`; what is true is 1. Arithmetic is checked 64-bit; a text has at most [`MAX_TEXT`] bytes
//! and [`MAX_DEPTH`] levels of brackets, so no input can run away.

use std::fmt;

/// Longest text.
pub const MAX_TEXT: usize = 4096;
/// Deepest nesting.
pub const MAX_DEPTH: u32 = 64;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// Steps of a stack machine, in order.
    steps: Vec<Step>,
    names: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Number(i64),
    Name(usize),
    Negate,
    Invert,
    Not,
    Binary(Operator),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    Left,
    Right,
    And,
    Xor,
    Or,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Unequal,
    Both,
    Either,
}

/// Spelling, operator and how tightly it binds; a spelling stands before those that begin it.
const OPERATORS: [(&str, Operator, u8); 18] = [
    ("<<", Operator::Left, 8),
    (">>", Operator::Right, 8),
    ("<=", Operator::LessOrEqual, 7),
    (">=", Operator::GreaterOrEqual, 7),
    ("<", Operator::Less, 7),
    (">", Operator::Greater, 7),
    ("==", Operator::Equal, 6),
    ("!=", Operator::Unequal, 6),
    ("&&", Operator::Both, 2),
    ("||", Operator::Either, 1),
    ("*", Operator::Multiply, 10),
    ("/", Operator::Divide, 10),
    ("%", Operator::Remainder, 10),
    ("+", Operator::Add, 9),
    ("-", Operator::Subtract, 9),
    ("&", Operator::And, 5),
    ("^", Operator::Xor, 4),
    ("|", Operator::Or, 3),
];

/// A text that is no expression, or an expression without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// Byte offset in the text.
    pub at: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.at + 1, self.message)
    }
}

impl std::error::Error for PatternError {}

impl Expression {
    /// Reads an expression over the given names.
    ///
    /// # Errors
    /// With the place and what was expected.
    pub fn parse(text: &str, names: &[&str]) -> Result<Expression, PatternError> {
        if text.len() > MAX_TEXT {
            return Err(PatternError {
                at: MAX_TEXT,
                message: format!("the expression is longer than {MAX_TEXT} characters"),
            });
        }
        let mut parser = Parser { text, at: 0, names, steps: Vec::new() };
        parser.expression(0, 0)?;
        parser.blanks();
        if parser.at < text.len() {
            return Err(parser.wrong("expected an operator or the end"));
        }
        Ok(Expression { steps: parser.steps, names: names.iter().map(|n| (*n).to_string()).collect() })
    }

    /// The value with these values of the names, in the order in which they were given to [`Expression::parse`].
    ///
    /// # Errors
    /// When a step overflows 64 bits or divides by zero, or a name has no value.
    pub fn value(&self, values: &[i64]) -> Result<i64, PatternError> {
        let wrong = |message: String| PatternError { at: 0, message };
        let mut stack: Vec<i64> = Vec::new();
        for step in &self.steps {
            let value = match *step {
                Step::Number(n) => Some(n),
                Step::Name(k) => Some(*values.get(k).ok_or_else(|| {
                    wrong(format!("{} has no value", self.names.get(k).map_or("a name", String::as_str)))
                })?),
                Step::Negate => stack.pop().and_then(i64::checked_neg),
                Step::Invert => stack.pop().map(|n| !n),
                Step::Not => stack.pop().map(|n| i64::from(n == 0)),
                Step::Binary(operator) => {
                    let (b, a) = (stack.pop(), stack.pop());
                    a.zip(b).and_then(|(a, b)| operator.apply(a, b))
                }
            };
            stack.push(value.ok_or_else(|| {
                wrong("a step divides by zero, shifts too far or overflows 64 bits".into())
            })?);
        }
        stack.pop().ok_or_else(|| wrong("the expression is empty".into()))
    }

    /// The byte address of every lane of a warp or wave, for an expression over `lane` alone.
    ///
    /// # Errors
    /// When a lane's value does not exist or is negative.
    pub fn addresses(&self, lanes: u32) -> Result<Vec<Option<u64>>, PatternError> {
        (0..lanes)
            .map(|lane| {
                let value = self.value(&[i64::from(lane)])?;
                u64::try_from(value).map(Some).map_err(|_| PatternError {
                    at: 0,
                    message: format!("lane {lane} has the negative address {value}"),
                })
            })
            .collect()
    }
}

impl Operator {
    fn apply(self, a: i64, b: i64) -> Option<i64> {
        let amount = || u32::try_from(b).ok().filter(|&n| n < 64);
        match self {
            Operator::Multiply => a.checked_mul(b),
            Operator::Divide => a.checked_div(b),
            Operator::Remainder => a.checked_rem(b),
            Operator::Add => a.checked_add(b),
            Operator::Subtract => a.checked_sub(b),
            Operator::Left => {
                let n = amount()?;
                a.checked_shl(n).filter(|&v| v >> n == a)
            }
            Operator::Right => a.checked_shr(amount()?),
            Operator::And => Some(a & b),
            Operator::Xor => Some(a ^ b),
            Operator::Or => Some(a | b),
            Operator::Less => Some(i64::from(a < b)),
            Operator::LessOrEqual => Some(i64::from(a <= b)),
            Operator::Greater => Some(i64::from(a > b)),
            Operator::GreaterOrEqual => Some(i64::from(a >= b)),
            Operator::Equal => Some(i64::from(a == b)),
            Operator::Unequal => Some(i64::from(a != b)),
            Operator::Both => Some(i64::from(a != 0 && b != 0)),
            Operator::Either => Some(i64::from(a != 0 || b != 0)),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: &'a [&'a str],
    steps: Vec<Step>,
}

impl Parser<'_> {
    fn expression(&mut self, least: u8, depth: u32) -> Result<(), PatternError> {
        self.operand(depth)?;
        while let Some((spelling, operator, binds)) = self.operator() {
            if binds <= least {
                break;
            }
            self.at += spelling.len();
            self.expression(binds, depth + 1)?;
            self.steps.push(Step::Binary(operator));
        }
        Ok(())
    }

    fn operand(&mut self, depth: u32) -> Result<(), PatternError> {
        if depth > MAX_DEPTH {
            return Err(self.wrong(&format!("more than {MAX_DEPTH} levels of nesting")));
        }
        self.blanks();
        let rest = &self.text[self.at..];
        let first = rest.bytes().next();
        match first {
            Some(sign @ (b'-' | b'~' | b'!')) => {
                self.at += 1;
                self.operand(depth + 1)?;
                self.steps.push(match sign {
                    b'-' => Step::Negate,
                    b'~' => Step::Invert,
                    _ => Step::Not,
                });
                Ok(())
            }
            Some(b'(') => {
                self.at += 1;
                self.expression(0, depth + 1)?;
                self.blanks();
                if !self.text[self.at..].starts_with(')') {
                    return Err(self.wrong("expected )"));
                }
                self.at += 1;
                Ok(())
            }
            Some(b'0'..=b'9') => {
                let word = word(rest);
                let value = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
                    Some(hex) => i64::from_str_radix(hex, 16),
                    None => word.parse(),
                };
                let value = value.map_err(|_| self.wrong(&format!("{word} is no 64-bit number")))?;
                self.at += word.len();
                self.steps.push(Step::Number(value));
                Ok(())
            }
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                let word = word(rest);
                let Some(k) = self.names.iter().position(|n| *n == word) else {
                    return Err(self.wrong(&format!("unknown name {word}; known: {}", self.names.join(", "))));
                };
                self.at += word.len();
                self.steps.push(Step::Name(k));
                Ok(())
            }
            _ => Err(self.wrong("expected a number, a name or (")),
        }
    }

    fn operator(&mut self) -> Option<(&'static str, Operator, u8)> {
        self.blanks();
        OPERATORS.iter().find(|(spelling, ..)| self.text[self.at..].starts_with(spelling)).copied()
    }

    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn wrong(&self, message: &str) -> PatternError {
        PatternError { at: self.at, message: message.to_string() }
    }
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str, lane: i64) -> i64 {
        Expression::parse(text, &["lane"]).unwrap().value(&[lane]).unwrap()
    }

    #[test]
    fn operators_bind_as_in_c() {
        assert_eq!(value("lane*144", 3), 432);
        assert_eq!(value("(lane%8)*128 + (lane/8)*16 ^ (lane%8)<<4", 13), (5 * 128 + 16) ^ (5 << 4));
        assert_eq!(value("10 - 3 - 2", 0), 5);
        assert_eq!(value("1 | 6 & 3 ^ 1", 0), 1 | ((6 & 3) ^ 1));
        assert_eq!(value("-lane + 0x10 << 1", 4), 24);
        assert_eq!(value("~0 & 0xff", 4), 255);
        assert_eq!(value("lane % 2 == 1 && lane < 8 || lane == 30", 7), 1);
        assert_eq!(value("lane % 2 == 1 && lane < 8 || lane == 30", 9), 0);
        assert_eq!(value("lane>=2 != !0", 1), 1);
    }

    #[test]
    fn errors_say_where() {
        let error = |text| Expression::parse(text, &["lane"]).unwrap_err();
        assert_eq!(error("lane * ").at, 7);
        assert_eq!(error("row*4").message, "unknown name row; known: lane");
        assert_eq!(error("(lane").message, "expected )");
        assert_eq!(error("lane lane").at, 5);
        assert!(error(&"(".repeat(1000)).message.contains("nesting"));
        let zero = Expression::parse("4/lane", &["lane"]).unwrap();
        assert!(zero.value(&[0]).is_err());
        let negative = Expression::parse("lane-1", &["lane"]).unwrap();
        assert_eq!(negative.addresses(32).unwrap_err().message, "lane 0 has the negative address -1");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[-lane0-9x()*/%+<>=!&^|~ é]{0,60}") {
            if let Ok(e) = Expression::parse(&text, &["lane"]) {
                let _ = e.value(&[i64::MAX]);
            }
        }
    }
}
