//! A copy signals a barrier whose init no fence has made visible to engines: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("barrier-init-unfenced"),
    level: Level::Note,
    title: "a copy signals a barrier whose init no fence has made visible to engines",
    what: "An mbarrier is initialised and then named by a copy, in order, but neither fence.mbarrier_init by the thread that initialised it nor fence.proxy.async lies between.",
    why: "mbarrier.init is a write of the generic proxy, and the copy counts its bytes through the async proxy. Compilers leave the fence out within a block, and no run on hardware ever showed a difference.",
    example: "mbarrier.init [bar], 1\nmbarrier.arrive.expect_tx [bar], 1024\ncp.async.bulk.tensor [tile], …, [bar]",
    fix: "Nothing needs to be done on hardware that is known; fence.mbarrier_init.release.cluster or fence.proxy.async.shared::cta behind the init makes it correct to the letter.",
    source: Source::hardware("h200 fact 83; PTX ISA 8 (proxies), fence.mbarrier_init"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let message = format!(
        "the {} signals the barrier at {} with no fence between its initialisation and the copy",
        clash.noun(&clash.later),
        clash.checker.words.address(clash.space, clash.start)
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.fix = Some(
        "Execute fence.mbarrier_init.release.cluster, or fence.proxy.async.shared::cta, behind mbarrier.init.".into(),
    );
    finding
}
