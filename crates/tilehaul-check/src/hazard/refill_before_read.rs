//! A copy overwrites bytes that others may still be reading or writing: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;
use crate::record::Owner;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("refill-before-read"),
    level: Level::Error,
    title: "a copy overwrites bytes that others may still be reading or writing",
    what: "An asynchronous copy is issued into bytes that earlier reads or writes have not been ordered before. A slow reader sees the next tile.",
    why: "The engine may land as soon as the copy is issued. Readers must be done first: their loads have returned, and a barrier or an 'empty' mbarrier told the issuer.",
    example: "load tile          (wave 1)\ntensor load -> tile (wave 0, no barrier between)",
    fix: "Let the readers arrive at a barrier after their loads have returned, and let the issuer wait for it before it issues the copy. Or use one more stage.",
    source: Source::manual(
        "PTX ISA 8 (release and acquire patterns, proxies); ROCm/rocm-libraries #10653, triton-lang/triton #11696",
    ),
    rank: Rank::Companion,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let copy = clash.noun(&clash.later);
    let (did, done) =
        if clash.earlier.what.is_data_write() { ("write", "writing") } else { ("read", "reading") };
    let message = format!(
        "the {copy} issued by {} overwrites {} while {} may still be {done} them",
        clash.who(&clash.later),
        clash.bytes(),
        clash.who(&clash.earlier),
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    if let Owner::Channel(kind) = clash.earlier.owner {
        // Loads and stores that are counted are not over when the wave reaches a barrier.
        let wait = clash.wait_text(kind, clash.enough_now(kind));
        finding.fix = Some(if clash.earlier.wave == clash.later.wave {
            format!("Execute `{wait}` before the {copy} is issued.").into()
        } else {
            format!(
                "Let {} execute `{wait}` before the barrier that separates its {did} from the {copy}.",
                clash.earlier.wave
            )
            .into()
        });
        return finding;
    }
    finding.fix = Some(
        format!(
            "Order the {did} of {} before the {copy}: let it arrive at a barrier afterwards, and let {} wait for that \
             barrier before it issues the copy.",
            clash.who(&clash.earlier),
            clash.who(&clash.later)
        )
        .into(),
    );
    finding
}
