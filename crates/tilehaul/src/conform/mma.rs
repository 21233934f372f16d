//! Recorded matrix products.
//!
//! A record names its instruction by a variant such as `wgmma_e4m3e5m2_f32_noacc`: unit, operand types, accumulator and
//! suffixes. Operands are raw elements in fixed-width hexadecimal digits.

use serde_json::{Value, json};
use tilehaul_mma::{Format, Operands, Overflow, Product, Sign, catalogue};

use super::Refusal;

/// Most elements of a result: a record beyond this is no instruction's.
const MAX_ELEMENTS: usize = 1 << 20;

/// What a variant's name stands for.
struct Variant {
    product: Product,
    reads_c: bool,
    sign: Sign,
}

/// The record with the model's `d`.
pub(super) fn answer(record: &Value) -> Result<Value, Refusal> {
    let text = |name: &str| {
        let field = record.get(name).and_then(Value::as_str);
        field.ok_or_else(|| Refusal::Malformed(format!("a matrix product needs the string \"{name}\"")))
    };
    let depth = record.get("depth").and_then(Value::as_u64).and_then(|d| usize::try_from(d).ok());
    let depth = depth.filter(|d| (1..=4096).contains(d));
    let depth = depth.ok_or_else(|| Refusal::Malformed("\"depth\" must be 1 to 4096".to_owned()))?;
    let name = text("v")?;
    let variant = variant(name, depth).ok_or_else(|| {
        Refusal::Unsupported(format!("the matrix product {name} with K {depth} is not modelled"))
    })?;
    let Variant { product, reads_c, sign } = variant;
    let (a, b) = (elements(text("a")?, product.a)?, elements(text("b")?, product.b)?);
    let c = if reads_c { elements(text("c")?, product.accumulator)? } else { Vec::new() };
    let (rows, columns) = (a.len() / depth, b.len() / depth);
    let d = if record.get("diag").and_then(Value::as_u64) == Some(1) {
        let row = |at: usize| (a.get(at * depth..(at + 1) * depth), b.get(at * depth..(at + 1) * depth));
        if rows != columns || reads_c && c.len() != rows {
            return Err(Refusal::Malformed(
                "a diagonal record needs as many rows of a, of b and elements of c".to_owned(),
            ));
        }
        let dot = |at: usize| match row(at) {
            (Some(a), Some(b)) => product.dot(a, b, c.get(at).copied().unwrap_or(0), sign),
            _ => 0,
        };
        (0..rows).map(dot).collect()
    } else {
        if rows.saturating_mul(columns) > MAX_ELEMENTS {
            return Err(Refusal::Malformed(format!(
                "{rows} x {columns} results are more than any instruction has"
            )));
        }
        let mut d = vec![0u64; rows * columns];
        let operands = Operands { rows, columns, a: &a, b: &b, c: reads_c.then_some(&c[..]), sign };
        product.multiply(&operands, &mut d).map_err(|error| Refusal::Malformed(error.to_string()))?;
        d
    };
    let digits = product.accumulator.bits() as usize / 4;
    let d: String = d.iter().map(|element| format!("{element:0digits$x}")).collect();
    let mut answer = record.clone();
    if let Some(fields) = answer.as_object_mut() {
        fields.insert("d".to_owned(), json!(d));
    }
    Ok(answer)
}

fn variant(name: &str, depth: usize) -> Option<Variant> {
    let mut parts = name.split('_');
    let make = match parts.next()? {
        "mma" => catalogue::nvidia_mma,
        "wgmma" => catalogue::nvidia_wgmma,
        _ => return None,
    };
    let (a, b) = formats(parts.next()?)?;
    // Doubles have no accumulator in their name.
    let accumulator = if a == Format::F64 { a } else { Format::parse(parts.next()?)? };
    let suffixes: Vec<&str> = parts.collect();
    let has = |suffix: &str| suffixes.contains(&suffix);
    let known = |suffix: &&str| {
        // Where A lies, rows, columns and K change no bit.
        matches!(*suffix, "sat" | "noacc" | "neg" | "negneg" | "ss" | "n64" | "k4" | "k8" | "k16" | "m16k4")
    };
    if !suffixes.iter().all(known) {
        return None;
    }
    let overflow = if has("sat") { Overflow::Saturate } else { Overflow::Wrap };
    Some(Variant {
        product: make(a, b, accumulator, depth, overflow)?,
        reads_c: !has("noacc"),
        sign: if has("neg") { Sign::Flip } else { Sign::Keep },
    })
}

/// One name for both operands, or two in a row: `f16`, `e4m3e5m2`.
fn formats(text: &str) -> Option<(Format, Format)> {
    Format::ALL.iter().find_map(|&a| {
        let rest = text.strip_prefix(a.name())?;
        let b = if rest.is_empty() { Some(a) } else { Format::parse(rest) };
        b.map(|b| (a, b))
    })
}

fn elements(text: &str, format: Format) -> Result<Vec<u64>, Refusal> {
    let digits = format.bits() as usize / 4;
    let bad = || Refusal::Malformed(format!("{format} elements are {digits} hexadecimal digits each"));
    if digits == 0 || !text.len().is_multiple_of(digits) || !text.is_ascii() {
        return Err(bad());
    }
    let chunks = (0..text.len() / digits).map(|at| text.get(at * digits..(at + 1) * digits));
    chunks.map(|chunk| chunk.and_then(|c| u64::from_str_radix(c, 16).ok()).ok_or_else(bad)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_answered_and_a_strange_one_refused() {
        let record = json!({ "k": "mma", "v": "mma_s8_s32_sat", "depth": 2, "diag": 1,
            "a": "02ff", "b": "0303", "c": "7fffffff" });
        assert_eq!(answer(&record).unwrap()["d"], "7fffffff");
        let strange = json!({ "k": "mma", "v": "mma_f16_f32_sp", "depth": 2, "a": "", "b": "", "c": "" });
        assert!(matches!(answer(&strange), Err(Refusal::Unsupported(_))));
        let short = json!({ "k": "mma", "v": "mma_f16_f32", "depth": 2, "a": "123", "b": "", "c": "" });
        assert!(matches!(answer(&short), Err(Refusal::Malformed(_))));
    }
}
