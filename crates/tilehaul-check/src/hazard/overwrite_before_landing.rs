//! Bytes are written while a copy into them may still land: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("overwrite-before-landing"),
    level: Level::Error,
    title: "bytes are written while a copy into them may still land",
    what: "Something writes bytes that an asynchronous copy also writes, and nothing orders the two. The copy may land last and undo the write.",
    why: "A copy lands when the engine gets to it; only its completion says that it will not write any more.",
    example: "tensor load -> tile\nstore tile        (no wait between)",
    fix: "Wait for the copy before its destination is written again.",
    source: Source::manual(
        "PTX ISA 8 (memory consistency, async proxy); CDNA5 ISA 10.8; LLVM AMDGPUUsage, LDS DMA",
    ),
    rank: Rank::Companion,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let copy = clash.noun(&clash.earlier);
    let message = format!(
        "{} writes {} while the {copy} into the same bytes may still be under way",
        clash.later_subject(),
        clash.bytes()
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.notes = super::barrier_story(clash);
    finding.fix = Some(match clash.handover_fix() {
        Some(fix) => fix.into(),
        None => format!("Wait for the {copy} to complete before these bytes are written again.").into(),
    });
    finding
}
