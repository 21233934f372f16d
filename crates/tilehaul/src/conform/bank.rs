//! Timing records of shared-memory banks: cycles of a warp-wide load at recorded lane addresses.

use serde_json::{Value, json};
use tilehaul_layout::banks::{Chip, Kind, Switches, Width, count, h200};

use super::codec::{difference, field};
use super::{Outcome, Refusal};

/// Wavefronts of a record and what they cost.
fn predict(record: &Value) -> Result<(u32, f64, f64), Refusal> {
    let bits: u32 = field(record, "width")?;
    let lanes: Vec<u64> = field(record, "addrs")?;
    let unmodelled = || Refusal::Unsupported(format!("loads of {bits} bits a lane were not measured"));
    let width = Width::new(bits).ok_or_else(unmodelled)?;
    let line = h200::LINES.iter().find(|l| l.width == bits).ok_or_else(unmodelled)?;
    let addresses: Vec<Option<u64>> = lanes.into_iter().map(Some).collect();
    let report = count(Chip::Nvidia, Kind::Load, width, &addresses, Switches::default())
        .map_err(|unknown| Refusal::Unsupported(unknown.to_string()))?;
    let cycles = h200::cycles(width, report.wavefronts).ok_or_else(unmodelled)?;
    Ok((report.wavefronts, cycles, line.slope))
}

/// `cycles_per_load`, with the wavefronts behind it.
pub(super) fn answer(record: &Value) -> Result<Value, Refusal> {
    let (wavefronts, cycles, _) = predict(record)?;
    Ok(json!({ "cycles_per_load": cycles, "wavefronts": wavefronts }))
}

/// A measured time agrees when it is at most one wavefront off.
pub(super) fn compare(record: &Value) -> Result<Outcome, Refusal> {
    let (_, cycles, slope) = predict(record)?;
    let Some(measured) = record.get("cycles_per_load").and_then(Value::as_f64) else {
        return Err(Refusal::Malformed("cycles_per_load is no number".to_owned()));
    };
    if (measured - cycles).abs() <= slope {
        return Ok(Outcome::Agrees);
    }
    let said = difference(record.get("cycles_per_load"), Some(&json!(cycles)), false);
    Ok(Outcome::Differs(format!("cycles_per_load: {said}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_load_agrees() {
        let text = include_str!("../../../../evidence/h200/bank.jsonl");
        for line in text.lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            assert_eq!(compare(&record).unwrap(), Outcome::Agrees, "{}", record["label"]);
        }
        let slow = json!({"width": 32, "addrs": [0, 128, 256], "cycles_per_load": 40.0});
        assert!(matches!(compare(&slow).unwrap(), Outcome::Differs(_)));
        assert!(matches!(answer(&json!({"width": 96, "addrs": [0]})), Err(Refusal::Unsupported(_))));
    }
}
