//! A copy reads bytes whose writes are not ordered before it: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;
use crate::record::Owner;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("source-not-ready"),
    level: Level::Error,
    title: "a copy reads bytes whose writes are not ordered before it",
    what: "An asynchronous copy or store reads bytes that a thread writes, and nothing orders the write before the copy was issued. The engine may take the old bytes.",
    why: "The engine is not part of any thread's program order: what it may read is what its issuer knew to be written.",
    example: "store tile           (wave 1)\nbulk store <- tile  (wave 0, no barrier between)",
    fix: "Let the writers meet the issuing thread at a barrier (after a proxy fence where the proxies differ, after their store counter where stores are counted) before the copy is issued.",
    source: Source::manual(
        "PTX ISA 8 (proxies); CDNA5 ISA 10.11 (tensor operations are not ordered with LDS accesses)",
    ),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let copy = clash.noun(&clash.later);
    let message = format!(
        "the {copy} issued by {} reads {} that {} wrote, with nothing that orders the write before it",
        clash.who(&clash.later),
        clash.bytes(),
        clash.who(&clash.earlier)
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.fix = Some(match clash.earlier.owner {
        Owner::Channel(kind) => {
            let wait = clash.wait_text(kind, clash.enough_now(kind));
            if clash.earlier.wave == clash.later.wave {
                format!("Execute `{wait}` between the write and the {copy}.").into()
            } else {
                format!(
                    "Let {} execute `{wait}` and then meet {} at a barrier before the {copy}.",
                    clash.earlier.wave, clash.later.wave
                )
                .into()
            }
        }
        Owner::Lanes | Owner::Copy => {
            format!("Put a barrier between the write and the {copy} that both threads take part in.").into()
        }
    });
    finding
}
