//! # What happens
//! Something writes bytes that an asynchronous copy also writes, and nothing orders the two. The copy may land last and undo the write.
//!
//! # Why on this hardware
//! A copy lands when the engine gets to it; only its completion says that it will not write any more.
//!
//! # Example
//! ```text
//! tensor load -> tile
//! store tile        (no wait between)
//! ```
//!
//! # Fix
//! Wait for the copy before its destination is written again.
//!
//! # Source
//! manual: PTX ISA 8 (memory consistency, async proxy); CDNA5 ISA 10.8; LLVM AMDGPUUsage, LDS DMA

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard};
use crate::finding::Finding;

/// The entry in the catalogue.
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
    finding.fix =
        Some(format!("Wait for the {copy} to complete before these bytes are written again.").into());
    finding
}
