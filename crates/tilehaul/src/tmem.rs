//! What `tilehaul tmem` asks: images of instructions, accumulators, and applies given as files or flags.
//!
//! A file holds one apply, or several as `[[case]]`; a case that says what it expects is compared with the answer.

use std::collections::BTreeMap;

use serde::Deserialize;
use tilehaul_layout::apply::{Applied, Context, Instruction, Refusal, Scope, apply, guard, operand, summary};
use tilehaul_layout::tmem::COLUMNS;

use crate::explain::ExplainError;

/// One apply, as a file or the command line gives it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplyCase {
    /// Number of a recorded row.
    pub row: Option<i64>,
    /// Remark of the author.
    pub note: Option<String>,
    /// Name of the instruction.
    pub instruction: String,
    /// `thread`, `warp`, `warpgroup`, `cta` or `cluster`.
    #[serde(default = "warpgroup")]
    pub scope: String,
    /// Threads of the block.
    #[serde(default = "threads")]
    pub block: u32,
    /// Condition over `warp` and `lane`.
    pub guard: Option<String>,
    /// Blocks of the cluster along x, y and z.
    pub cluster: Option<[u32; 3]>,
    /// Loops around the apply: each name counts from 0 to below its number.
    #[serde(default)]
    pub loops: BTreeMap<String, i64>,
    /// `imm_half_splitoff`.
    pub split: Option<i64>,
    /// Columns of the allocation.
    pub columns: Option<u32>,
    /// Operands in the instruction's order.
    pub operands: Vec<String>,
    /// Expected lines.
    pub expect: Option<Vec<String>>,
    /// Expected beginning of the refusal.
    pub refusal: Option<String>,
}

fn warpgroup() -> String {
    "warpgroup".into()
}

fn threads() -> u32 {
    128
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ApplyFile {
    Several { case: Vec<ApplyCase> },
    One(Box<ApplyCase>),
}

/// Most iterations of all loops together.
const MAX_LOOPS: i64 = 4096;

/// What became of a case.
#[derive(Clone, Debug)]
pub struct ApplyAnswer {
    /// The instruction, if its name could be read.
    pub instruction: Option<Instruction>,
    /// What is executed (of the first iteration of loops), or the refusal.
    pub result: Result<Applied, Refusal>,
    /// One line an instruction, loops unrolled; empty for a refusal.
    pub lines: Vec<String>,
    /// Whether the answer is what the case expects; `None` when it expects nothing.
    pub expected: Option<bool>,
}

/// Reads a file of applies.
///
/// # Errors
/// With the place in the file.
pub fn cases(text: &str) -> Result<Vec<ApplyCase>, ExplainError> {
    let table: toml::Table = text.parse().map_err(|e| ExplainError::Unusable(format!("{e}")))?;
    if table.contains_key("case")
        && let Some(other) = table.keys().find(|key| *key != "case")
    {
        return Err(ExplainError::Unusable(format!(
            "`{other}` stands outside the [[case]] tables; put it into each of them"
        )));
    }
    let file = ApplyFile::deserialize(table.clone()).map_err(|_| {
        // An untagged enum does not say what is wrong; the form that was meant does.
        let told = if table.contains_key("case") {
            #[derive(Deserialize)]
            struct Several {
                #[serde(rename = "case")]
                _case: Vec<ApplyCase>,
            }
            Several::deserialize(table).err()
        } else {
            ApplyCase::deserialize(table).err()
        };
        ExplainError::Unusable(told.map_or_else(|| "no apply".to_string(), |e| e.to_string()))
    })?;
    Ok(match file {
        ApplyFile::Several { case } => case,
        ApplyFile::One(case) => vec![*case],
    })
}

/// Decides a case.
///
/// # Errors
/// When the case itself cannot be read: an unknown scope, a guard or an operand that is none.
pub fn decide(case: &ApplyCase) -> Result<ApplyAnswer, ExplainError> {
    let unusable = |text: String| ExplainError::Unusable(text);
    let scope = Scope::from_name(&case.scope).ok_or_else(|| {
        let names: Vec<&str> = Scope::ALL.iter().map(|s| s.name()).collect();
        unusable(format!("there is no scope {}; choose one of {}", case.scope, names.join(", ")))
    })?;
    let mut context = Context::all(scope, case.block);
    if let Some(text) = &case.guard {
        guard(&mut context, case.block, text).map_err(|e| unusable(format!("guard \"{text}\", {e}")))?;
    }
    context.cluster = case.cluster;
    let instruction = match Instruction::parse(&case.instruction) {
        Ok(instruction) => instruction,
        Err(refusal) => return Ok(judged(case, None, Err(refusal), Vec::new())),
    };
    let mut result: Option<Result<Applied, Refusal>> = None;
    let mut lines = Vec::new();
    for values in iterations(&case.loops)? {
        let named: Vec<(&str, i64)> = values.iter().map(|(n, v)| (n.as_str(), *v)).collect();
        let mut names = Vec::new();
        let operands = case
            .operands
            .iter()
            .map(|text| {
                operand(text, &named, &mut names).map_err(|e| {
                    let message = format!("operand \"{text}\": {}", e.message);
                    if e.unsupported { ExplainError::Unsupported(message) } else { unusable(message) }
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        let columns = case.columns.unwrap_or(COLUMNS);
        let one = apply(&instruction, &context, &operands, case.split, columns);
        let lead: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        match &one {
            Ok(applied) => {
                lines.extend(summary(applied).into_iter().map(|l| match lead.as_slice() {
                    [] => l,
                    lead => format!("{}: {l}", lead.join(", ")),
                }));
            }
            Err(_) => {
                result = Some(one);
                lines.clear();
                break;
            }
        }
        result.get_or_insert(one);
    }
    let result = result.ok_or_else(|| unusable("a loop runs no iteration".into()))?;
    Ok(judged(case, Some(instruction), result, lines))
}

fn judged(
    case: &ApplyCase,
    instruction: Option<Instruction>,
    result: Result<Applied, Refusal>,
    lines: Vec<String>,
) -> ApplyAnswer {
    let expected = match (&case.expect, &case.refusal) {
        (None, None) => None,
        (Some(want), _) => Some(result.is_ok() && *want == lines),
        (None, Some(want)) => Some(result.as_ref().is_err_and(|r| r.message.starts_with(want))),
    };
    ApplyAnswer { instruction, result, lines, expected }
}

/// Every combination of loop values, the last loop fastest.
fn iterations(loops: &BTreeMap<String, i64>) -> Result<Vec<Vec<(String, i64)>>, ExplainError> {
    let count = loops.values().try_fold(1i64, |a, &n| a.checked_mul(n.max(0))).unwrap_or(i64::MAX);
    if count > MAX_LOOPS {
        return Err(ExplainError::Unusable(format!("loops run {count} iterations; at most {MAX_LOOPS}")));
    }
    Ok(loops.iter().fold(vec![Vec::new()], |all, (name, &end)| {
        all.iter()
            .flat_map(|lead| {
                (0..end).map(|v| {
                    let mut next = lead.clone();
                    next.push((name.clone(), v));
                    next
                })
            })
            .collect()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_row_is_answered() {
        let cases = cases(include_str!("../../../cases/layout/apply.toml")).unwrap();
        assert!(cases.len() > 80);
        for case in &cases {
            let answer = decide(case).unwrap();
            assert_eq!(answer.expected, Some(true), "row {:?}: {:?}", case.row, answer.result);
        }
    }

    #[test]
    fn broken_files_are_told() {
        assert!(
            matches!(cases("operands = 3"), Err(ExplainError::Unusable(t)) if t.contains("operands") || t.contains("instruction"))
        );
        assert!(cases("x = ").is_err());
        let mut case = ApplyCase {
            instruction: "tcgen05.ld.32x32b.x8".into(),
            scope: "grid".into(),
            block: 128,
            ..ApplyCase::default()
        };
        assert!(decide(&case).is_err());
        case.scope = "warpgroup".into();
        case.guard = Some("warp ==".into());
        assert!(decide(&case).is_err());
    }
}
