//! Two atomic accesses whose scopes do not include both threads: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank, Side};
use crate::fences::Distance;
use crate::finding::Finding;
use crate::record::Strength;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("scope-too-narrow"),
    level: Level::Error,
    title: "two atomic accesses meet, and the scope of one does not include the other thread",
    what: "An atomic is atomic among the threads of its scope. Where one of two accesses has a scope that leaves the other thread out, they race: updates may be lost.",
    why: "An atomic of .cta scope may be done in the cache of one multiprocessor, which others do not look into.",
    example: "red.relaxed.cta.global.add.u32 [x], 1   (block 0)\nred.relaxed.cta.global.add.u32 [x], 1   (block 1)",
    fix: "Give both accesses a scope that includes both threads: .cluster for blocks of one cluster, .gpu for any.",
    source: Source::manual(
        "PTX ISA 8, morally strong operations: each scope includes the thread of the other",
    ),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let launch = &clash.checker.launch;
    let apart = Distance::between(launch, clash.earlier.wave, clash.later.wave);
    let (blocks, needed) = match apart {
        Distance::Block => ("the same block", ".cta"),
        Distance::Cluster => ("another block of the cluster", ".cluster"),
        Distance::Device => ("another block", ".gpu"),
    };
    let (first, then) = (scope(&clash.earlier), scope(&clash.later));
    let scopes = if first == then {
        format!("both with scope {then}")
    } else {
        format!("with scope {then} and {first}")
    };
    let message = format!(
        "{} and {}, of {blocks}, both use {} by atomic accesses, {scopes}: they are atomic for each other only from {needed} on",
        clash.who(&clash.later),
        clash.who(&clash.earlier),
        clash.bytes()
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    let narrow = |side: &Side<'_>| matches!(side.strength, Strength::Atomic(reach) if reach < apart);
    finding.fix = Some(match (narrow(&clash.earlier), narrow(&clash.later)) {
        (true, false) => format!("Give the earlier access the scope {needed}.").into(),
        (false, _) => format!("Give this access the scope {needed}.").into(),
        (true, true) if clash.earlier.place == clash.later.place => {
            format!("Give the access the scope {needed}.").into()
        }
        (true, true) => format!("Give both accesses the scope {needed}.").into(),
    });
    finding
}

fn scope(side: &Side<'_>) -> &'static str {
    match side.strength {
        Strength::Atomic(Distance::Block) => ".cta",
        Strength::Atomic(Distance::Cluster) => ".cluster",
        Strength::Atomic(Distance::Device) | Strength::Weak | Strength::Poll | Strength::ReadOnly => ".gpu",
    }
}
