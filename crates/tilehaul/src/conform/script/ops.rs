//! A script as values: operations with their operands, before any address is known.

use serde::Deserialize;
use serde_json::Value;

use crate::conform::Refusal;

/// Most operations of a launch: what the recording kernel has room for.
const MAX_OPS: usize = 96;

/// One operation.
#[derive(Clone, Debug)]
pub(super) struct Op {
    pub(super) name: String,
    /// The CTA, or all of them.
    pub(super) cta: Option<u32>,
    pub(super) args: Vec<Value>,
}

/// A shared-memory operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SharedRef {
    /// An offset from the dynamic base of the CTA that runs the operation.
    Own(u64),
    /// An offset from the dynamic base of another CTA of the cluster.
    Of(u32, u64),
    /// An address in the own window.
    Absolute(u64),
}

/// The operands of a tensor copy.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct TensorArgs {
    /// Number of a parameter, or a place in global memory.
    #[serde(default)]
    pub(super) map: Value,
    pub(super) rank: usize,
    pub(super) c: Vec<i64>,
    #[serde(default)]
    pub(super) s: Value,
    #[serde(default)]
    pub(super) bar: Value,
    #[serde(default)]
    pub(super) offs: Vec<u32>,
    #[serde(default)]
    pub(super) mask: u32,
    #[serde(default)]
    pub(super) op: Option<String>,
    /// A map in shared memory.
    #[serde(default)]
    pub(super) smap: Option<Value>,
}

/// The operands of a loop of loads.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct LoopArgs {
    pub(super) map: Value,
    pub(super) s: Value,
    pub(super) bar: Value,
    pub(super) parity: u32,
    pub(super) n: u32,
    pub(super) bytes: u32,
}

impl Op {
    /// Reads `[name, who, arguments...]`.
    fn read(value: &Value) -> Result<Op, Refusal> {
        let malformed = || Refusal::Malformed(format!("{value} is no operation: [name, who, arguments...]"));
        let parts = value.as_array().ok_or_else(malformed)?;
        let [name, who, args @ ..] = parts.as_slice() else { return Err(malformed()) };
        let name = name.as_str().ok_or_else(malformed)?.to_owned();
        // "0.32" is thread 32 of CTA 0; which thread it is matters to nothing that is modelled here.
        let cta = match who {
            Value::String(text) => text.split('.').next().and_then(|cta| cta.parse().ok()),
            number => number.as_u64(),
        };
        let cta = cta.and_then(|cta| u32::try_from(cta).ok()).ok_or_else(malformed)?;
        Ok(Op { name, cta: (cta != 255).then_some(cta), args: args.to_vec() })
    }

    /// A 32-bit number; absent arguments are 0, as in the recording program.
    pub(super) fn number(&self, at: usize) -> Result<u32, Refusal> {
        Ok(self.wide(at)? as u32)
    }

    /// A 64-bit number; negative ones wrap.
    pub(super) fn wide(&self, at: usize) -> Result<u64, Refusal> {
        match self.args.get(at) {
            None => Ok(0),
            Some(value) => value
                .as_u64()
                .or_else(|| value.as_i64().map(i64::cast_unsigned))
                .ok_or_else(|| self.malformed(at, "a whole number")),
        }
    }

    /// Argument `at` as it stands.
    pub(super) fn value(&self, at: usize) -> Value {
        self.args.get(at).cloned().unwrap_or(Value::from(0))
    }

    /// A shared-memory operand.
    pub(super) fn shared(&self, at: usize) -> Result<SharedRef, Refusal> {
        shared(&self.value(at)).ok_or_else(|| self.malformed(at, "a shared-memory operand"))
    }

    /// The operands of a tensor copy.
    pub(super) fn tensor(&self) -> Result<TensorArgs, Refusal> {
        serde_json::from_value(self.value(0))
            .map_err(|error| Refusal::Malformed(format!("{}: {error}", self.name)))
    }

    /// The operands of a loop of loads.
    pub(super) fn loads(&self) -> Result<LoopArgs, Refusal> {
        serde_json::from_value(self.value(0))
            .map_err(|error| Refusal::Malformed(format!("{}: {error}", self.name)))
    }

    fn malformed(&self, at: usize, what: &str) -> Refusal {
        Refusal::Malformed(format!("argument {at} of {} is not {what}", self.name))
    }
}

impl TensorArgs {
    /// The coordinates that the instruction carries: missing ones are 0, further ones are cut.
    pub(super) fn coords(&self) -> Vec<i32> {
        let mut coords = vec![0; self.rank.min(5)];
        for (coord, given) in coords.iter_mut().zip(&self.c) {
            *coord = *given as i32;
        }
        coords
    }
}

/// Reads `x`, `[rank, x]` or `abs:x`.
pub(super) fn shared(value: &Value) -> Option<SharedRef> {
    match value {
        Value::Null => Some(SharedRef::Own(0)),
        Value::Array(pair) => {
            let [rank, offset] = pair.as_slice() else { return None };
            Some(SharedRef::Of(u32::try_from(rank.as_u64()?).ok()?, offset.as_u64()?))
        }
        Value::String(text) => integer(text.get(4..)?).map(SharedRef::Absolute),
        number => number.as_u64().map(SharedRef::Own),
    }
}

/// A decimal or 0x number.
pub(super) fn integer(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The operations of every launch of a record, repetitions included.
pub(super) fn launches(record: &Value) -> Result<Vec<Vec<Op>>, Refusal> {
    /// Most operations over all launches and repetitions; records stay far below.
    const MAX_TOTAL: u64 = 100_000;
    let lists: Vec<&Value> = match record.get("launches").and_then(Value::as_array) {
        Some(list) => list.iter().collect(),
        None => record.get("ops").into_iter().collect(),
    };
    let mut once = Vec::new();
    for list in lists {
        let list =
            list.as_array().ok_or_else(|| Refusal::Malformed("operations are not a list".to_owned()))?;
        if list.len() > MAX_OPS {
            return Err(Refusal::Malformed(format!(
                "a launch has {} operations, above {MAX_OPS}",
                list.len()
            )));
        }
        once.push(list.iter().map(Op::read).collect::<Result<Vec<_>, _>>()?);
    }
    let reps = record.get("reps").and_then(Value::as_u64).unwrap_or(1);
    let total = once.iter().map(|ops| ops.len() as u64).sum::<u64>().max(1);
    if reps > MAX_TOTAL / total {
        return Err(Refusal::Malformed(format!(
            "{reps} repetitions of {total} operations are more than {MAX_TOTAL}"
        )));
    }
    Ok((0..reps).flat_map(|_| once.clone()).collect())
}
