//! Two threads use the same bytes, one of them writes, and nothing orders them: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("data-race"),
    level: Level::Error,
    title: "two threads use the same bytes, one of them writes, and nothing orders them",
    what: "Which of the two comes first depends on timing; the reader may see the old bytes or the new ones.",
    why: "Waves of a block run independently. Only barriers, mbarriers and atomics with release and acquire order what they do.",
    example: "store x   (wave 0)\nload x    (wave 1, no barrier between)",
    fix: "Put a barrier between the two accesses, or release after the first and acquire before the second.",
    source: Source::manual("PTX ISA 8 (memory consistency model); LLVM AMDGPU memory model"),
    rank: Rank::Companion,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let message = format!(
        "{} and {} both use {}, at least one writes, and nothing orders them",
        clash.who(&clash.earlier),
        clash.who(&clash.later),
        clash.bytes()
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    let launch = &clash.checker.launch;
    let together = launch.block_of(clash.earlier.wave) == launch.block_of(clash.later.wave);
    finding.fix = Some(if together {
        "Put a barrier that both take part in between the two accesses.".into()
    } else {
        "They are of different blocks: raise a flag after the first access by a release, or behind a fence, and read it before the second by an acquire, or with a fence behind it."
            .into()
    });
    finding
}
