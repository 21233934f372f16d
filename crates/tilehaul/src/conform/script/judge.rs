//! Results of scripts as records write them, and the comparison with recorded ones.

use serde_json::{Value as Json, json};

use super::run::{Blob, Launch, Log, OpResult, Value};
use crate::conform::{Outcome, Refusal, codec};

/// `res`, `dumps`, `logs` and `dst_after`; one launch stands alone, several as a list.
pub(super) fn answer(launches: &[Launch]) -> Json {
    let mut answer = serde_json::Map::new();
    let mut put = |name: &str, values: Vec<Json>| {
        let value = match <[Json; 1]>::try_from(values) {
            Ok([alone]) => alone,
            Err(several) => Json::Array(several),
        };
        answer.insert(name.to_owned(), value);
    };
    put("res", launches.iter().map(|launch| launch.results.iter().map(result_json).collect()).collect());
    if launches.iter().any(|launch| !launch.dumps.is_empty()) {
        let dump =
            |blobs: &Vec<Blob>| blobs.iter().map(|b| codec::pack_differences(&b.bytes)).collect::<Vec<_>>();
        put(
            "dumps",
            launches.iter().map(|launch| json!(launch.dumps.iter().map(dump).collect::<Vec<_>>())).collect(),
        );
    }
    if launches.iter().any(|launch| !launch.logs.is_empty()) {
        let logs =
            |launch: &Launch| json!(launch.logs.iter().map(|log| log.words().to_vec()).collect::<Vec<_>>());
        put("logs", launches.iter().map(logs).collect());
    }
    if launches.iter().any(|launch| launch.destination.is_some()) {
        let after = |launch: &Launch| {
            json!(launch.destination.as_ref().map(|blob| codec::pack_differences(&blob.bytes)))
        };
        put("dst_after", launches.iter().map(after).collect());
    }
    Json::Object(answer)
}

fn result_json(result: &OpResult) -> Json {
    match result {
        OpResult::Nothing => Json::Null,
        OpResult::One(value) => value.json(),
        OpResult::PerCta(values) => values.iter().map(Value::json).collect(),
    }
}

impl Value {
    fn json(&self) -> Json {
        match self {
            Value::State(bits) | Value::Word(bits) => json!(format!("{bits:016x}")),
            Value::UnknownWord => json!(format!("{:016x}", 0)),
            Value::Flag(flag) => json!(u32::from(*flag)),
            Value::Number(number) => json!(number),
            Value::Pair(flag) => json!([u32::from(*flag), 0]),
            Value::LoopEnd(timeout) => json!([0, u32::from(*timeout)]),
            Value::Any => json!(0),
            Value::Ignored => json!(0),
            Value::IgnoredPair => json!([0, 0]),
        }
    }

    /// Whether a recorded result is this one.
    fn allows(&self, said: &Json) -> bool {
        let word = || said.as_str().and_then(|text| u64::from_str_radix(text, 16).ok());
        match self {
            // hardware: h200 fact 104. Of a state only bits 63:32 mean anything.
            Value::State(bits) => word().is_some_and(|said| said >> 32 == bits >> 32),
            Value::Word(bits) => word() == Some(*bits),
            Value::Flag(flag) => said.as_i64() == Some(i64::from(*flag)),
            Value::Number(number) => said.as_i64() == Some(*number),
            Value::LoopEnd(timeout) => said[1].as_i64() == Some(i64::from(*timeout)),
            Value::Pair(flag) => said[0].as_i64() == Some(i64::from(*flag)),
            Value::UnknownWord | Value::Any | Value::Ignored | Value::IgnoredPair => true,
        }
    }
}

/// Compares a record with what the model came to.
pub(super) fn compare(record: &Json, launches: &[Launch]) -> Result<Outcome, Refusal> {
    // A record of one launch has its fields bare, one of several has lists of them.
    let of_launch = |name: &str, at: usize| match record.get(name) {
        Some(value) if launches.len() == 1 => Some(value.clone()),
        Some(value) => value.get(at).cloned(),
        None => None,
    };
    for (at, launch) in launches.iter().enumerate() {
        let place = |what: String| if launches.len() == 1 { what } else { format!("launch {at}: {what}") };
        for (index, ours) in launch.results.iter().enumerate() {
            let said = of_launch("res", at).and_then(|list| list.get(index).cloned()).unwrap_or(Json::Null);
            if !result_allows(ours, &said) {
                let text = format!("res[{index}]: recorded {said}, the model says {}", result_json(ours));
                return Ok(Outcome::Differs(place(text)));
            }
        }
        for (index, blobs) in launch.dumps.iter().enumerate() {
            let said = of_launch("dumps", at).and_then(|list| list.get(index).cloned()).unwrap_or(Json::Null);
            for (cta, ours) in blobs.iter().enumerate() {
                if let Some(text) = differs(&said[cta], ours)? {
                    return Ok(Outcome::Differs(place(format!("dumps[{index}][{cta}]: {text}"))));
                }
            }
        }
        for (index, log) in launch.logs.iter().enumerate() {
            let said = of_launch("logs", at).and_then(|list| list.get(index).cloned()).unwrap_or(Json::Null);
            if let Log::Words(words) = log
                && let Some((k, ours)) = words.iter().enumerate().find(|(k, w)| said[k].as_u64() != Some(**w))
            {
                let text = format!("logs[{index}][{k}]: recorded {}, the model says {ours}", said[k]);
                return Ok(Outcome::Differs(place(text)));
            }
        }
        if let Some(ours) = &launch.destination {
            let said = of_launch("dst_after", at).unwrap_or(Json::Null);
            if let Some(text) = differs(&said, ours)? {
                return Ok(Outcome::Differs(place(format!("dst_after: {text}"))));
            }
        }
    }
    Ok(Outcome::Agrees)
}

/// What differs between recorded bytes and ours, where the record determines them.
fn differs(said: &Json, ours: &Blob) -> Result<Option<String>, Refusal> {
    let mut said = codec::unpack_differences(said.as_str().unwrap_or_default())?;
    for ((said, ours), _) in said.iter_mut().zip(&ours.bytes).zip(&ours.known).filter(|(_, known)| !**known) {
        *said = *ours;
    }
    Ok((said != ours.bytes).then(|| codec::first_difference(&said, &ours.bytes)))
}

fn result_allows(ours: &OpResult, said: &Json) -> bool {
    match ours {
        OpResult::Nothing => said.is_null(),
        OpResult::One(value) => value.allows(said),
        OpResult::PerCta(values) => values.iter().enumerate().all(|(cta, value)| value.allows(&said[cta])),
    }
}
