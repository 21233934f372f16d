//! Integer expressions of assembly text: numbers, symbols, `.`, operators, `max`, `min`, `alignto` and the like.

/// A plain number: decimal, `0x`, `0b`, with an optional sign.
#[must_use]
pub fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let (negative, body) = match text.strip_prefix('-') {
        Some(body) => (true, body),
        None => (false, text),
    };
    let value = if let Some(hex) = body.strip_prefix("0x").or(body.strip_prefix("0X")) {
        u64::from_str_radix(hex, 16).ok()? as i64
    } else if let Some(bits) = body.strip_prefix("0b") {
        u64::from_str_radix(bits, 2).ok()? as i64
    } else if body.len() > 1 && body.starts_with('0') && body.bytes().all(|b| (b'0'..=b'7').contains(&b)) {
        i64::from_str_radix(body, 8).ok()?
    } else if !body.is_empty() && body.bytes().all(|b| b.is_ascii_digit()) {
        body.parse::<u64>().ok()? as i64
    } else {
        return None;
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

/// Evaluates an expression; `symbol` gives the value of a name.
///
/// Returns none when it does not parse, a name is unknown, or it nests more than 64 deep.
pub fn evaluate(text: &str, symbol: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let mut parser = Parser { rest: text.trim(), symbol, depth: 0 };
    let value = parser.binary(0)?;
    parser.rest.trim().is_empty().then_some(value)
}

struct Parser<'t> {
    rest: &'t str,
    symbol: &'t dyn Fn(&str) -> Option<i64>,
    depth: u32,
}

/// Operators by precedence, the weakest first; longer spellings before their prefixes.
const OPERATORS: [&[&str]; 6] = [
    &["||"],
    &["&&"],
    &["==", "!=", "<=", ">=", "<", ">"],
    &["|", "^", "&"],
    &["+", "-"],
    &["<<", ">>", "*", "/", "%"],
];

impl Parser<'_> {
    fn take(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        if level == OPERATORS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        loop {
            self.rest = self.rest.trim_start();
            let Some(op) = OPERATORS[level].iter().find(|op| self.rest.starts_with(**op)) else {
                return Some(left);
            };
            // `<` is not the start of `<<`, `|` not of `||`.
            let longer =
                ["<<", ">>", "||", "&&"].iter().any(|l| l.len() > op.len() && self.rest.starts_with(l));
            if longer {
                return Some(left);
            }
            self.rest = &self.rest[op.len()..];
            let right = self.binary(level + 1)?;
            left = apply(op, left, right)?;
        }
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > 64 {
            return None;
        }
        let value = if self.take("-") {
            self.unary()?.wrapping_neg()
        } else if self.take("~") {
            !self.unary()?
        } else if self.take("!") {
            i64::from(self.unary()? == 0)
        } else if self.take("+") {
            self.unary()?
        } else if self.take("(") {
            let v = self.binary(0)?;
            if !self.take(")") {
                return None;
            }
            v
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Some(value)
    }

    fn primary(&mut self) -> Option<i64> {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '@')))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        if word.is_empty() {
            return None;
        }
        self.rest = rest;
        if let Some(v) = integer(word) {
            return Some(v);
        }
        if self.take("(") {
            let mut values = Vec::new();
            while !self.take(")") {
                values.push(self.binary(0)?);
                self.take(",");
            }
            return function(word, &values);
        }
        (self.symbol)(word)
    }
}

fn function(name: &str, values: &[i64]) -> Option<i64> {
    match (name, values) {
        ("max", _) => values.iter().max().copied(),
        ("min", _) => values.iter().min().copied(),
        ("or", _) => Some(values.iter().fold(0, |a, b| a | b)),
        ("alignto", [v, to]) if *to > 0 => v.rounded_up_to(*to),
        ("abs", [v]) => Some(v.wrapping_abs()),
        _ => None,
    }
}

trait NextMultiple {
    fn rounded_up_to(self, to: i64) -> Option<i64>;
}

impl NextMultiple for i64 {
    fn rounded_up_to(self, to: i64) -> Option<i64> {
        let rest = self.rem_euclid(to);
        if rest == 0 { Some(self) } else { self.checked_add(to - rest) }
    }
}

fn apply(op: &str, a: i64, b: i64) -> Option<i64> {
    let shift = u32::try_from(b).unwrap_or(64);
    Some(match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "<<" => a.checked_shl(shift).unwrap_or(0),
        ">>" => (a as u64).checked_shr(shift).unwrap_or(0) as i64,
        "|" => a | b,
        "&" => a & b,
        "^" => a ^ b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "&&" => i64::from(a != 0 && b != 0),
        "||" => i64::from(a != 0 || b != 0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_the_usual_precedence() {
        let symbol = |name: &str| (name == "x").then_some(3);
        for (text, want) in [
            ("1+2*x", 7),
            ("(1+2)*x", 9),
            ("~0&0xff", 255),
            ("1<<x|1", 9),
            ("max(1, x, 2)-1", 2),
            ("alignto(x,8)", 8),
            ("-x", -3),
            ("0x10>>2", 4),
        ] {
            assert_eq!(evaluate(text, &symbol), Some(want), "{text}");
        }
        for text in ["", "1+", "y", "(1", "1/0"] {
            assert_eq!(evaluate(text, &symbol), None, "{text}");
        }
        assert_eq!(evaluate(&"(".repeat(1000), &symbol), None);
    }
}
