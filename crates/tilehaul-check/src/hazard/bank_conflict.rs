//! Lanes of a load or store of shared memory wait for each other at a bank: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PlaceId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;

/// The entry in the catalogue.
pub const HAZARD: Hazard = Hazard {
    code: Code("bank-conflict"),
    level: Level::Note,
    title: "lanes of a load or store of shared memory wait for each other at a bank",
    what: "The lanes of a load or store of shared memory want different words of the same banks, and the instruction goes over the banks several times.",
    why: "Shared memory (LDS) has 32 or 64 banks of 4 bytes; each gives one word at a time.",
    example: "ld.shared.u32 x, [tile + lane * 128]     (32 lanes, one bank)",
    fix: "Pad the rows, or lay the tile out with a swizzle, so that lanes that go together lie in different banks.",
    source: Source::manual("CUDA programming guide, shared memory; h200 bank measurements; amd-shark guide"),
    rank: Rank::Cause,
    word: None,
};

/// Passes over the banks, in how many executions, and how many would do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub passes: u64,
    pub least: u64,
    pub executions: u32,
    /// Other instructions of the kernel that are as bad and not told one by one.
    pub others: usize,
}

pub(crate) fn finding(
    place: PlaceId,
    what: &str,
    counts: Counts,
    cures: &[String],
    replay: Replay,
) -> Finding {
    let Counts { passes, least, executions, others } = counts;
    let each = |n: u64| {
        let times = n as f64 / f64::from(executions.max(1));
        if times.fract() == 0.0 { format!("{times}") } else { format!("{times:.1}") }
    };
    let mut message = format!(
        "this {what} shared memory goes over the banks {} times where {} would do",
        each(passes),
        each(least)
    );
    if executions > 1 {
        message.push_str(&format!(" ({passes} times instead of {least} in {executions} executions)"));
    }
    if others > 0 {
        let instructions = if others == 1 { "instruction" } else { "instructions" };
        message.push_str(&format!(
            ", and so do {others} other {instructions} (`tilehaul banks --launch` lists them)"
        ));
    }
    let mut finding = plain(&HAZARD, place, format!("{} passes each time", each(passes)), message, replay);
    finding.fix = Some(if cures.is_empty() {
        "Lay the tile out so that lanes that go together lie in different banks.".into()
    } else {
        format!("No conflict would be left with {}.", cures.join(", or with ")).into()
    });
    finding
}
