//! Attribute syntax of MLIR, as far as layouts use it: `#name = #ttg.kind<{key = value, …}, key = value>`.

use super::super::TextError;
use super::super::scan::Scanner;

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(i64),
    Word(String),
    List(Vec<Value>),
    Dictionary(Vec<(String, Value)>),
    Attribute(Box<Attribute>),
    /// `interval:+amount`.
    Pad(u64, u64),
}

/// One attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Attribute {
    /// Its kind, without the dialect.
    pub(super) kind: String,
    /// Where it starts.
    pub(super) at: usize,
    /// Keys with their values, those in braces and those outside alike.
    pub(super) fields: Vec<(String, Value)>,
    /// Values without a key.
    pub(super) bare: Vec<Value>,
}

/// Reads one attribute, with or without the name that it is given.
pub(super) fn read(s: &mut Scanner<'_>) -> Result<Attribute, TextError> {
    let start = s.at;
    if s.eat("#") && s.word(false).is_some() && s.eat("=") {
        s.blanks();
    } else {
        s.at = start;
    }
    let attribute = attribute(s)?;
    s.end()?;
    Ok(attribute)
}

fn attribute(s: &mut Scanner<'_>) -> Result<Attribute, TextError> {
    s.blanks();
    let at = s.at;
    s.expect("#")?;
    let Some(name) = s.word(true) else { return Err(s.wrong("expected the name of an attribute")) };
    let Some((dialect, kind)) = name.split_once('.') else {
        s.at = at;
        return Err(s.wrong(format!("#{name} is an alias: write the attribute that it stands for")));
    };
    if !matches!(dialect, "ttg" | "ttng" | "triton_gpu" | "triton_nvidia_gpu") {
        s.at = at;
        return Err(s.wrong(format!("#{name} is no layout of ttg or ttng")));
    }
    s.enter()?;
    let mut found = Attribute { kind: kind.to_string(), at, fields: Vec::new(), bare: Vec::new() };
    if s.eat("<") {
        while !s.eat(">") {
            match s.peek() {
                Some('{') => found.fields.extend(dictionary(s)?),
                Some('[') => found.bare.push(value(s)?),
                _ => found.fields.push(entry(s)?),
            }
            s.eat(",");
        }
    }
    s.leave();
    Ok(found)
}

fn dictionary(s: &mut Scanner<'_>) -> Result<Vec<(String, Value)>, TextError> {
    s.list("{", "}", entry)
}

fn entry(s: &mut Scanner<'_>) -> Result<(String, Value), TextError> {
    let Some(key) = s.word(false) else { return Err(s.wrong("expected a key")) };
    s.expect("=")?;
    Ok((key.to_string(), value(s)?))
}

fn value(s: &mut Scanner<'_>) -> Result<Value, TextError> {
    match s.peek() {
        Some('[') => Ok(Value::List(s.list("[", "]", value)?)),
        Some('{') => Ok(Value::Dictionary(dictionary(s)?)),
        Some('#') => Ok(Value::Attribute(Box::new(attribute(s)?))),
        Some('-' | '0'..='9') => {
            let at = s.at;
            let number = s.number()?;
            if s.eat(":+") {
                let interval = u64::try_from(number).map_err(|_| {
                    s.at = at;
                    s.wrong(format!("interval {number} must not be negative"))
                })?;
                return Ok(Value::Pad(interval, s.count()?));
            }
            // A type may follow, as in `16 : i64`.
            if s.eat(":") {
                s.word(false);
            }
            Ok(Value::Number(number))
        }
        _ => match s.word(false) {
            Some(word) => Ok(Value::Word(word.to_string())),
            None => Err(s.wrong("expected a value")),
        },
    }
}

impl Attribute {
    /// An error about this attribute.
    pub(super) fn wrong(&self, message: impl Into<String>) -> TextError {
        TextError { at: self.at, message: format!("{}: {}", self.kind, message.into()), unsupported: false }
    }

    /// This attribute is well formed but not modelled.
    pub(super) fn unsupported(&self, what: impl Into<String>) -> TextError {
        TextError {
            at: self.at,
            message: format!("{} {} is not modelled", self.kind, what.into()),
            unsupported: true,
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// Fails on a key that the reader does not know: it would change the layout unseen.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), TextError> {
        match self.fields.iter().find(|(k, _)| !known.contains(&k.as_str())) {
            Some((key, _)) => Err(self.unsupported(format!("with {key}"))),
            None => Ok(()),
        }
    }

    pub(super) fn number(&self, key: &str) -> Result<Option<i64>, TextError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Number(n)) => Ok(Some(*n)),
            Some(_) => Err(self.wrong(format!("{key} must be a number"))),
        }
    }

    /// A power of two.
    pub(super) fn size(&self, key: &str) -> Result<u64, TextError> {
        let Some(n) = self.number(key)? else { return Err(self.wrong(format!("{key} is missing"))) };
        u64::try_from(n)
            .ok()
            .filter(|n| n.is_power_of_two() && *n <= 1 << 20)
            .ok_or_else(|| self.wrong(format!("{key} = {n} must be a power of two up to 2^20")))
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, TextError> {
        match self.get(key) {
            None => Ok(false),
            Some(Value::Word(w)) if w == "true" => Ok(true),
            Some(Value::Word(w)) if w == "false" => Ok(false),
            Some(_) => Err(self.wrong(format!("{key} must be true or false"))),
        }
    }

    pub(super) fn numbers(&self, key: &str) -> Result<Vec<i64>, TextError> {
        match self.get(key) {
            None => Err(self.wrong(format!("{key} is missing"))),
            Some(value) => {
                numbers(value).ok_or_else(|| self.wrong(format!("{key} must be a list of numbers")))
            }
        }
    }

    /// A list of powers of two.
    pub(super) fn sizes(&self, key: &str) -> Result<Vec<u64>, TextError> {
        self.numbers(key)?
            .into_iter()
            .map(|n| {
                u64::try_from(n).ok().filter(|n| n.is_power_of_two() && *n <= 1 << 20).ok_or_else(|| {
                    self.wrong(format!("{key} holds {n}, which is no power of two up to 2^20"))
                })
            })
            .collect()
    }

    /// A permutation of `rank` dimensions.
    pub(super) fn order(&self, key: &str, rank: usize) -> Result<Vec<usize>, TextError> {
        let order: Vec<usize> =
            self.numbers(key)?.into_iter().map(|n| usize::try_from(n).unwrap_or(usize::MAX)).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != (0..rank).collect::<Vec<_>>() {
            return Err(self.wrong(format!("{key} must name each of {rank} dimensions once")));
        }
        Ok(order)
    }

    /// Lists of coordinates: the bases of one hardware axis.
    pub(super) fn bases(&self, key: &str) -> Result<Vec<Vec<u64>>, TextError> {
        match self.get(key) {
            None => Ok(Vec::new()),
            Some(value) => bases(value).ok_or_else(|| {
                self.wrong(format!("{key} must be a list of lists of numbers that are not negative"))
            }),
        }
    }

    pub(super) fn attribute(&self, key: &str) -> Result<&Attribute, TextError> {
        match self.get(key) {
            Some(Value::Attribute(a)) => Ok(a),
            Some(_) => Err(self.wrong(format!("{key} must be an attribute"))),
            None => Err(self.wrong(format!("{key} is missing"))),
        }
    }
}

fn numbers(value: &Value) -> Option<Vec<i64>> {
    let Value::List(items) = value else { return None };
    items.iter().map(|v| if let Value::Number(n) = v { Some(*n) } else { None }).collect()
}

pub(super) fn bases(value: &Value) -> Option<Vec<Vec<u64>>> {
    let Value::List(items) = value else { return None };
    items
        .iter()
        .map(|v| numbers(v)?.into_iter().map(|n| u64::try_from(n).ok().filter(|&n| n < 1 << 40)).collect())
        .collect()
}
