//! Descriptor cases: variants of one descriptor, each with the verdict that it deserves.
//!
//! A variant is `rejected` when a rule is broken, `accepted-with-hint` when it is legal but something must be told (a
//! warning), and `accepted` otherwise; notes change nothing.

use serde_json::{Value, json};
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_descriptor::nvidia::{Architecture, Context, TensorMap};
use tilehaul_diag::{Diagnostic, Level};

use super::encode::{Call, plain_address};
use super::{Outcome, Refusal, Report, codec};

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
            let bytes: [u8; MAP_BYTES] = codec::from_hex(&bytes)?
                .try_into()
                .map_err(|_| Refusal::Malformed("\"map\" is not 128 bytes".to_owned()))?;
            Ok(TensorMap::decode(&bytes, architecture(target)?).diagnostics)
        }
        other => {
            Err(Refusal::Unsupported(format!("descriptor cases of api \"{other}\" are not modelled yet")))
        }
    }
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
