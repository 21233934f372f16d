//! Recorded operation scripts: lists of copies, barrier and memory operations that one cluster ran, one after the other.
//!
//! The recording kernel interprets such a list on a real device; this interpreter does the same on the model. A script
//! runs operation by operation, each on all CTAs that it names before the next one: with the scripts' own barriers and
//! pauses every record is then determined, except where the hardware itself varies ([`run::Value::Any`]).
//!
//! - [`ops`]: one script as values.
//! - [`device`]: global memory, the CTAs of a cluster with their shared memory and barrier caches, cached maps.
//! - [`run`]: what every operation does.
//!
//! Copies land when they are issued. What a record leaves to the device's timing (clocks, poll counts) is not compared.

mod device;
mod judge;
mod ops;
mod run;

use serde_json::{Value, json};

use super::{Outcome, Refusal};
use run::Ran;

/// `res`, `dumps`, `logs`, `dst_after`, or `fault`, or `enc`, of a script record.
pub(super) fn answer(record: &Value) -> Result<Value, Refusal> {
    Ok(match run::run(record)? {
        Ran::Encoder => json!({ "enc": 1 }),
        Ran::Fault(error) => json!({ "fault": error, "at": "sync" }),
        Ran::Launches(launches) => judge::answer(&launches),
    })
}

/// Compares a script record.
pub(super) fn compare(record: &Value) -> Result<Outcome, Refusal> {
    let said_fault = record.get("fault").and_then(Value::as_i64);
    Ok(match run::run(record)? {
        Ran::Encoder if record.get("enc").is_some() => Outcome::Agrees,
        Ran::Encoder => Outcome::Differs("the model's encoder refuses the map".to_owned()),
        Ran::Fault(error) if said_fault == Some(i64::from(error)) => Outcome::Agrees,
        Ran::Fault(error) => Outcome::Differs(match said_fault {
            Some(said) => format!("recorded fault {said}, the model says {error}"),
            None => format!("the model faults with {error}, the device did not"),
        }),
        Ran::Launches(_) if record.get("enc").is_some() => {
            Outcome::Differs("the driver's encoder refuses the map, the model's does not".to_owned())
        }
        Ran::Launches(launches) => match said_fault {
            Some(said) => Outcome::Differs(format!("recorded fault {said}, the model runs to the end")),
            None => judge::compare(record, &launches)?,
        },
    })
}
