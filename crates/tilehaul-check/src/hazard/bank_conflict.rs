//! # What happens
//! The lanes of a load or store of shared memory want different words of the same banks, and the instruction goes over the banks several times.
//!
//! # Why on this hardware
//! Shared memory has 32 banks of 4 bytes; each gives one word at a time.
//!
//! # Example
//! ```text
//! ld.shared.u32 x, [tile + lane * 128]     (32 lanes, one bank)
//! ```
//!
//! # Fix
//! Pad the rows, or lay the tile out with a swizzle, so that lanes that go together lie in different banks.
//!
//! # Source
//! manual: CUDA programming guide, shared memory; h200 bank measurements

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
    why: "Shared memory has 32 banks of 4 bytes; each gives one word at a time.",
    example: "ld.shared.u32 x, [tile + lane * 128]     (32 lanes, one bank)",
    fix: "Pad the rows, or lay the tile out with a swizzle, so that lanes that go together lie in different banks.",
    source: Source::manual("CUDA programming guide, shared memory; h200 bank measurements"),
    rank: Rank::Cause,
    word: None,
};

/// `counts`: passes over the banks, passes without conflicts, executions that were looked at.
pub(crate) fn finding(
    place: PlaceId,
    what: &str,
    (passes, least, executions): (u64, u64, u32),
    cures: &[String],
    replay: Replay,
) -> Finding {
    let each = |n: u64| format!("{:.1}", n as f64 / f64::from(executions.max(1)));
    let message = format!(
        "this {what} shared memory goes over the banks {} times where {} would do ({passes} times instead of {least} in {executions} executions)",
        each(passes),
        each(least)
    );
    let mut finding = plain(&HAZARD, place, format!("{} passes each time", each(passes)), message, replay);
    finding.fix = Some(if cures.is_empty() {
        "Lay the tile out so that lanes that go together lie in different banks.".into()
    } else {
        format!("No conflict would be left with {}.", cures.join(", or with ")).into()
    });
    finding
}
