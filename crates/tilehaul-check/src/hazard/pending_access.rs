//! A load or store that has not been waited for, and another access to the same bytes: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;
use crate::record::Owner;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("access-still-pending"),
    level: Level::Error,
    title: "a load or store that has not been waited for, and another access to the same bytes",
    what: "A wave's load or store is still outstanding when something else uses the bytes: the load may see the later write, the reader may miss the store.",
    why: "Loads and stores are counted; they take effect some time before their counter says so. A barrier does not wait for counters.",
    example: "ds_store x   (wave 0)\nbarrier      (no wait for the LDS counter)\nds_load x    (wave 1)",
    fix: "Wait for the counter of the first access before the barrier.",
    source: Source::manual("CDNA3 ISA 4.4 (counters); LLVM AMDGPUUsage, memory model"),
    rank: Rank::Companion,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let pending = clash.noun(&clash.earlier);
    let message = format!(
        "{} uses {} while a {pending} of {} may still be outstanding",
        clash.who(&clash.later),
        clash.bytes(),
        clash.who(&clash.earlier)
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    if let Owner::Channel(kind) = clash.earlier.owner {
        let wait = clash.wait_text(kind, clash.enough_now(kind));
        finding.fix = Some(if let Some(fix) = clash.across_workgroups(kind) {
            fix.into()
        } else if clash.earlier.wave == clash.later.wave {
            format!("Execute `{wait}` between the two.").into()
        } else {
            format!(
                "Let {} execute `{wait}` before the barrier or flag that separates the two.",
                clash.earlier.wave
            )
            .into()
        });
    }
    finding
}
