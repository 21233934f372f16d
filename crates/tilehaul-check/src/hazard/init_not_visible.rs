//! A barrier is used by a thread that cannot know of its init: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("barrier-init-not-visible"),
    level: Level::Error,
    title: "a barrier is used by a thread that cannot know of its init",
    what: "A thread, or a copy, uses an mbarrier whose initialisation by another thread is not ordered before. It may work on whatever the bytes held before.",
    why: "mbarrier.init is an ordinary write by one thread. Others of the block learn of it at a barrier, other blocks by fence.mbarrier_init and a cluster barrier.",
    example: "if (tid == 0) mbarrier.init [bar], 1\n(no barrier)\nmbarrier.try_wait [bar]",
    fix: "Put a block barrier (a cluster barrier for remote use) between the init and every use.",
    source: Source::manual("PTX ISA mbarrier.init, fence.mbarrier_init"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let message = format!(
        "{} works on the barrier at {} with nothing that orders its initialisation by {} before",
        clash.later_subject(),
        clash.checker.words.address(clash.space, clash.start),
        clash.who(&clash.earlier)
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.fix = Some(
        "Put a barrier between mbarrier.init and the first use by another thread (a cluster barrier for another block)."
            .into(),
    );
    finding
}
