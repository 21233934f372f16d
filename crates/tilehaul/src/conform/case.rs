//! Descriptor cases: variants of one descriptor, each with the verdict that it deserves.
//!
//! A variant is `rejected` when a rule is broken, `accepted-with-hint` when it is legal but something must be told (a
//! warning), and `accepted` otherwise; notes change nothing.

use serde_json::{Value, json};
use tilehaul_descriptor::amd::buffer_resource::{BufferGeneration, judge_vbuf};
use tilehaul_descriptor::amd::tdm::{
    Direction, FieldValue, TdmContext, TdmWords, judge_tdm_fields, judge_tdm_words,
};
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_descriptor::nvidia::{Architecture, Context, TensorMap};
use tilehaul_diag::{Diagnostic, Level};

use super::encode::{Call, plain_address};
use super::{Outcome, Refusal, Report, codec, instruction};

/// One object a variant: `name`, `verdict`, `rules`.
pub(super) fn answer(case: &Value) -> Vec<Value> {
    variants(case)
        .iter()
        .map(|variant| {
            let name = name(variant);
            match diagnose(case, variant) {
                Ok(said) => {
                    json!({ "name": name, "verdict": verdict(&said), "rules": said.iter().map(sentence).collect::<Vec<_>>() })
                }
                Err(Refusal::Unsupported(text)) => json!({ "name": name, "verdict": "unsupported", "rules": [text] }),
                Err(Refusal::Malformed(text)) => json!({ "name": name, "verdict": "malformed", "rules": [text] }),
            }
        })
        .collect()
}

/// Compares the verdict of every variant that has one.
pub(super) fn compare(case: &Value, report: &mut Report) {
    for (index, variant) in variants(case).iter().enumerate() {
        let said = variant.get("verdict").and_then(Value::as_str);
        let outcome = match diagnose(case, variant) {
            Ok(diagnostics) if said.is_none_or(|said| said == verdict(&diagnostics)) => Outcome::Agrees,
            Ok(diagnostics) => Outcome::Differs(format!(
                "the case says {}, the model {}: {}",
                said.unwrap_or_default(),
                verdict(&diagnostics),
                diagnostics.iter().map(sentence).collect::<Vec<_>>().join(" ")
            )),
            Err(Refusal::Unsupported(text)) => Outcome::Unsupported(text),
            Err(Refusal::Malformed(text)) => Outcome::Malformed(text),
        };
        report.add(index, name(variant), outcome);
    }
}

fn variants(case: &Value) -> &[Value] {
    case.get("variants").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn name(variant: &Value) -> String {
    variant.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Everything there is to say about a variant.
fn diagnose(case: &Value, variant: &Value) -> Result<Vec<Diagnostic>, Refusal> {
    let api: String = codec::field(variant, "api")?;
    let target =
        variant.get("target").or_else(|| case.get("target")).and_then(Value::as_str).unwrap_or("sm_90a");
    match api.as_str() {
        "tiled" | "im2col" | "im2colw" => {
            let parameters: Value = codec::field(variant, "p")?;
            let allocation = codec::field_or(variant, "alloc_bytes", None)?;
            let call = Call::read(&api, &parameters, plain_address)?.with_allocation(allocation);
            let context = Context { architecture: architecture(target)?, ..Context::default() };
            Ok(call.diagnose(&context))
        }
        "map" => {
            let bytes: String = codec::field(variant, "map")?;
            let bytes = bytes.trim().trim_start_matches("0x").to_owned();
            let bytes: [u8; MAP_BYTES] = codec::from_hex(&bytes)?
                .try_into()
                .map_err(|_| Refusal::Malformed("\"map\" is not 128 bytes".to_owned()))?;
            Ok(TensorMap::decode(&bytes, architecture(target)?).diagnostics)
        }
        "tdm" => {
            let fields: serde_json::Map<String, Value> = codec::field(variant, "fields")?;
            let fields: Vec<(String, FieldValue)> = fields
                .into_iter()
                .map(|(name, value)| Ok((name, named(&value)?)))
                .collect::<Result<_, Refusal>>()?;
            let words = variant.get("words").map(groups).transpose()?;
            Ok(judge_tdm_fields(&fields, words.as_ref(), &tdm_context(variant)?).1)
        }
        "tdm-words" => {
            Ok(judge_tdm_words(&groups(&codec::field(variant, "words")?)?, &tdm_context(variant)?).1)
        }
        "vbuf" => {
            let generation = BufferGeneration::of_target(target).ok_or_else(|| {
                Refusal::Unsupported(format!("buffer resources of target {target} are not known"))
            })?;
            let words = words(&codec::field(variant, "words")?)?;
            Ok(judge_vbuf(&words, generation, codec::field_or(variant, "tensor_bytes", None)?).1)
        }
        "instruction" => instruction::judge(&codec::field::<String>(variant, "text")?, target),
        other => {
            Err(Refusal::Unsupported(format!("descriptor cases of api \"{other}\" are not modelled yet")))
        }
    }
}

fn tdm_context(variant: &Value) -> Result<TdmContext, Refusal> {
    // What the words alone do not say: which way the instruction copies.
    let op = ["op", "direction", "instruction"].iter().find_map(|key| variant.get(key)?.as_str());
    let direction = op.map(|op| if op.contains("store") { Direction::Store } else { Direction::Load });
    let tensor_bytes = codec::field_or(variant, "tensor_bytes", None)?;
    Ok(TdmContext { direction, tensor_bytes, ..TdmContext::default() })
}

/// A decoded value of a D# field.
fn named(value: &Value) -> Result<FieldValue, Refusal> {
    Ok(match value {
        Value::Bool(flag) => FieldValue::Flag(*flag),
        Value::String(text) => match number(value) {
            Some(number) => FieldValue::Int(number),
            None => FieldValue::Text(text.clone()),
        },
        Value::Array(list) => FieldValue::List(list.iter().map(whole).collect::<Result<_, _>>()?),
        Value::Null => FieldValue::Flag(false),
        other => FieldValue::Int(whole(other)?),
    })
}

fn whole(value: &Value) -> Result<i128, Refusal> {
    number(value).ok_or_else(|| Refusal::Malformed(format!("{value} is no whole number")))
}

/// A number, or the text of a decimal or hexadecimal one.
fn number(value: &Value) -> Option<i128> {
    match value {
        Value::String(text) => match text.trim().strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok(),
            None => text.trim().parse().ok(),
        },
        other => other.as_i64().map(i128::from).or_else(|| other.as_u64().map(i128::from)),
    }
}

/// 32-bit words, as numbers or texts.
fn words(value: &Value) -> Result<Vec<u32>, Refusal> {
    let malformed = || Refusal::Malformed(format!("{value} is no list of 32-bit words"));
    let list = value.as_array().ok_or_else(malformed)?;
    list.iter()
        .map(|word| number(word).and_then(|word| u32::try_from(word).ok()).ok_or_else(malformed))
        .collect()
}

/// The groups of a D#: named, or one list of all words.
fn groups(value: &Value) -> Result<TdmWords, Refusal> {
    if value.is_array() {
        return Ok(TdmWords::from_flat(&words(value)?));
    }
    let group = |name: &str| value.get(name).map_or_else(|| Ok(Vec::new()), words);
    Ok(TdmWords { g0: group("g0")?, g1: group("g1")?, g2: group("g2")?, g3: group("g3")? })
}

fn architecture(target: &str) -> Result<&'static Architecture, Refusal> {
    Architecture::parse(target)
        .ok_or_else(|| Refusal::Unsupported(format!("tensor maps of target {target} are not known")))
}

fn verdict(said: &[Diagnostic]) -> &'static str {
    let any = |level: Level| said.iter().any(|diagnostic| diagnostic.level == level);
    if any(Level::Error) {
        "rejected"
    } else if any(Level::Warning) {
        "accepted-with-hint"
    } else {
        "accepted"
    }
}

fn sentence(diagnostic: &Diagnostic) -> String {
    match &diagnostic.fix {
        Some(fix) => format!("{}. {fix}", diagnostic.message.trim_end_matches('.')),
        None => diagnostic.message.clone(),
    }
}
