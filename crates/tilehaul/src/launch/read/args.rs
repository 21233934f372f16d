//! `args`: what the kernel is called with.

use tilehaul_descriptor::ElementType;

use super::super::toml_keys::{Complaints, Table, Value};
use super::super::{Arg, ArgValue};
use crate::scalar::{self, Number};

/// Bytes of zeros and of hexadecimal digits in one argument: parameters have at most 32,764 (sm_70 and later).
const MOST_PARAMETER_BYTES: u32 = 1 << 15;
/// Structs within structs.
const MOST_DEPTH: u32 = 16;

pub(super) fn args(root: &mut Table<'_>, complaints: &mut Complaints) -> Vec<Arg> {
    const FORMS: &str = "write \"buf:NAME\", \"map:NAME\", \"tdm:NAME\", { i32 = 5 }, { null = 8 }, \
                         { hex = \"00 1f\" }, { file = \"params.bin\" } or { struct = [\"buf:NAME\", { i32 = 5 }] }";
    let Some(value) = root.get("args") else { return Vec::new() };
    let Some(list) = value.array() else {
        complaints.with_fix(value.span, "`args` must be a list", FORMS);
        return Vec::new();
    };
    let mut args = Vec::new();
    for (index, entry) in list.into_iter().enumerate() {
        match arg(entry, 0, complaints) {
            Some(value) => args.push(Arg { value, span: entry.span }),
            None => complaints.with_fix(entry.span, format!("argument {index} is not understood"), FORMS),
        }
    }
    args
}

/// An argument; none where its form is unknown. A number that its type does not hold is a complaint of its own.
fn arg(entry: Value<'_>, depth: u32, complaints: &mut Complaints) -> Option<ArgValue> {
    if let Some(text) = entry.string() {
        let (kind, name) = text.split_once(':')?;
        let name = name.to_owned();
        return match kind {
            "buf" => Some(ArgValue::Buffer(name)),
            "map" => Some(ArgValue::TensorMap(name)),
            "tdm" => Some(ArgValue::Tdm(name)),
            _ => None,
        };
    }
    let table = entry.table(String::new())?;
    let entries = table.entries();
    let of = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, value)| *value);
    if let Some(parts) = of("struct") {
        let align = match (of("align"), entries.len()) {
            (Some(align), 2) => {
                u32::try_from(align.integer()?).ok().filter(|n| n.is_power_of_two() && *n <= 128)?
            }
            (None, 1) => 1,
            _ => return None,
        };
        let parts = parts.array().filter(|_| depth < MOST_DEPTH)?;
        let parts: Option<Vec<ArgValue>> =
            parts.into_iter().map(|part| arg(part, depth + 1, complaints)).collect();
        return Some(ArgValue::Struct(parts?, align));
    }
    let [(name, value)] = entries.as_slice() else { return None };
    match name.as_str() {
        "null" => {
            return u32::try_from(value.integer()?)
                .ok()
                .filter(|&n| n <= MOST_PARAMETER_BYTES)
                .map(ArgValue::Zeros);
        }
        "hex" => return hex(value.string()?).map(ArgValue::Bytes),
        "file" => return Some(ArgValue::File(value.string()?.into())),
        _ => {}
    }
    let element = ElementType::parse(name).filter(|e| !e.is_packed())?;
    let number = number(*value)?;
    if let Some(why) = scalar::misfit(element, number) {
        complaints.at(value.span, why);
    }
    Some(ArgValue::Scalar(element, number))
}

/// Bytes as pairs of digits; blanks, commas, underscores and `0x` in front of a pair may stand between them.
fn hex(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',' || c == '_') {
        let digits = word.strip_prefix("0x").unwrap_or(word).chars().map(|c| c.to_digit(16));
        let digits = digits.collect::<Option<Vec<u32>>>()?;
        // A byte never goes on in the next word.
        let (pairs, []) = digits.as_chunks::<2>() else { return None };
        bytes.extend(pairs.iter().map(|[high, low]| (high << 4 | low) as u8));
    }
    (bytes.len() <= MOST_PARAMETER_BYTES as usize).then_some(bytes)
}

pub(super) fn number(value: Value<'_>) -> Option<Number> {
    match value.integer() {
        Some(integer) => Some(Number::Int(integer)),
        None => value.float().map(Number::Float),
    }
}

pub(super) fn hidden_values(table: &Table<'_>, complaints: &mut Complaints) -> Vec<(String, u64)> {
    let mut values = Vec::new();
    for (name, value) in table.entries() {
        // A signed value is passed as its two's complement.
        match value
            .integer()
            .and_then(|i| u64::try_from(i).or_else(|_| i64::try_from(i).map(|s| s as u64)).ok())
        {
            Some(number) => values.push((name, number)),
            None => complaints.at(value.span, format!("`hidden.{name}` must be a whole number of 64 bits")),
        }
    }
    values
}
