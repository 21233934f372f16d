//! A wait is stronger than any explored run needed: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{CounterSpec, PlaceId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;
use crate::hint::WaitUse;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("wait-stronger-than-needed"),
    level: Level::Note,
    title: "a wait is stronger than any explored run needed",
    what: "The wait also waits for newer operations that nothing relies on before the next wait: work that could overlap is serialised.",
    why: "A counter that is drained to a small number instead of zero lets the newest copies run on.",
    example: "load tile n+1\ns_waitcnt vmcnt(0)   (vmcnt(1) is enough for tile n)\nuse tile n",
    fix: "Raise the count to the one that the hint names.",
    source: Source::inferred("uses seen in the explored runs"),
    rank: Rank::Cause,
    word: None,
};

pub(crate) fn finding(place: PlaceId, counter: &CounterSpec, used: &WaitUse, replay: Replay) -> Finding {
    let wait = counter.wait.replace("{}", &used.enough.to_string());
    let message = format!(
        "the wait for {} {} also waits for {} newer operation{} that nothing needs before the next wait; {} would be enough",
        counter.name,
        used.asked,
        used.slack,
        if used.slack == 1 { "" } else { "s" },
        used.enough
    );
    let mut finding = plain(&HAZARD, place, format!("waits for {}", counter.name), message, replay);
    finding.fix = Some(format!("Use `{wait}`.").into());
    finding
}

/// The same for groups of copies.
pub(crate) fn of_groups(place: PlaceId, groups: &str, used: &WaitUse, replay: Replay) -> Finding {
    let message = format!(
        "the wait lets {} {groups} stay outstanding, and nothing needs the {} newer one{} before the next wait; {} would be enough",
        used.asked,
        used.slack,
        if used.slack == 1 { "" } else { "s" },
        used.enough
    );
    let mut finding = plain(&HAZARD, place, format!("waits for {groups}"), message, replay);
    finding.fix = Some(format!("Wait until at most {} are outstanding.", used.enough).into());
    finding
}
