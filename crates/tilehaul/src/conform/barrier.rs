//! Records of mbarrier operations by one thread.

use serde_json::{Value, json};
use tilehaul_engine::mbarrier::{Mbarrier, MbarrierFault, MbarrierLayout, Token};

use super::codec::{self, field};
use super::{Outcome, Refusal};

/// Of a returned state only the upper half means anything. hardware: h200 fact 104.
const TOKEN_MASK: u64 = 0xffff_ffff_0000_0000;
/// Code of `pending_count`, whose result is a whole number.
const PENDING_COUNT: u32 = 8;

/// `res` or `fault` of a record.
pub(super) fn answer(record: &Value) -> Result<Value, Refusal> {
    let ops: Vec<(u32, i64)> = field(record, "ops")?;
    // The kernel zeroes the object's memory first.
    let mut barrier = Mbarrier(0);
    let mut token = Token(0);
    let mut results = Vec::with_capacity(ops.len());
    for (code, argument) in ops {
        match step(&mut barrier, &mut token, code, argument as u32)? {
            Ok(returned) => results.push(json!([
                format!("{returned:016x}"),
                u32::from(barrier.test_parity(0)),
                u32::from(barrier.test_parity(1))
            ])),
            Err(fault) => return Ok(json!({ "fault": fault.cuda_error() })),
        }
    }
    Ok(json!({ "res": results }))
}

/// One operation; the returned number, or what kills the launch.
fn step(
    barrier: &mut Mbarrier,
    last: &mut Token,
    code: u32,
    argument: u32,
) -> Result<Result<u64, MbarrierFault>, Refusal> {
    let token = match code {
        0 => {
            *barrier = Mbarrier::init(argument, MbarrierLayout::V0);
            return Ok(Ok(0));
        }
        1 => barrier.arrive(1),
        2 => barrier.arrive(argument),
        3 => barrier.arrive_expect_tx(argument),
        4 => return Ok(barrier.expect_tx(argument).map(|()| 0)),
        5 => return Ok(barrier.complete_tx(argument).map(|()| 0)),
        6 => barrier.arrive_drop(1),
        7 => barrier.arrive_drop(argument),
        PENDING_COUNT => return Ok(Ok(u64::from(last.pending_count()))),
        9 => barrier.arrive_no_complete(argument),
        10 => barrier.arrive_drop_expect_tx(argument),
        other => {
            return Err(Refusal::Unsupported(format!("mbarrier operations of code {other} are not known")));
        }
    };
    Ok(token.map(|token| {
        *last = token;
        token.0
    }))
}

/// Compares faults, states (bits 63:32) and waits.
pub(super) fn compare(record: &Value, answer: &Value) -> Outcome {
    let fault = |value: &Value| value.get("fault").and_then(codec::number);
    if fault(record) != fault(answer) {
        return Outcome::Differs(format!(
            "fault: recorded {:?}, the model says {:?}",
            fault(record),
            fault(answer)
        ));
    }
    let list =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let (said, ours, ops) = (list(record, "res"), list(answer, "res"), list(record, "ops"));
    if said.len() != ours.len() {
        return Outcome::Differs(format!(
            "res: recorded {} entries, the model gives {}",
            said.len(),
            ours.len()
        ));
    }
    for (index, ((said, ours), op)) in said.iter().zip(&ours).zip(&ops).enumerate() {
        let whole = op[0].as_u64() == Some(u64::from(PENDING_COUNT));
        let mask = if whole { u64::MAX } else { TOKEN_MASK };
        let state =
            |value: &Value| value[0].as_str().and_then(|t| u64::from_str_radix(t, 16).ok()).map(|s| s & mask);
        // Operations without a result leave whatever the register held: 0 in the recording kernel.
        if state(said) != state(ours) || said[1] != ours[1] || said[2] != ours[2] {
            return Outcome::Differs(format!("res[{index}]: recorded {said}, the model says {ours}"));
        }
    }
    Outcome::Agrees
}
