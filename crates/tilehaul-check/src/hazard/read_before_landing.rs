//! Bytes are read before the copy that brings them has landed: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{Part, Replay};

use super::{Clash, Hazard, Rank, barrier_story, signalled};
use crate::finding::Finding;
use crate::record::Owner;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("read-before-landing"),
    level: Level::Error,
    title: "bytes are read before the copy that brings them has landed",
    what: "A thread reads bytes that an asynchronous copy writes, and nothing orders the read after the copy. It may see old bytes, new ones, or some of both.",
    why: "Copy engines run beside the threads; issuing a copy says nothing about its end. Only a wait on what the copy signals does: the phase of its barrier, its counter, its group.",
    example: "tensor load -> tile, signals bar\n(no wait on bar)\nload tile",
    fix: "Wait for the copy in every thread that reads, or wait in one and meet the others at a barrier before they read.",
    source: Source::manual("PTX ISA, asynchronous operations and mbarrier.try_wait; CDNA5 ISA 10.8, 10.11"),
    rank: Rank::Cause,
    word: Some(word),
};

const WAIT_ACQUIRE: &str = "Wait with .acquire (the default), or fence after the relaxed wait.";

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let (copy, reader) = (clash.noun(&clash.earlier), clash.who(&clash.later));
    let message = format!(
        "{reader} reads {} before the {copy} that writes them is known to have landed",
        clash.bytes()
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.notes = barrier_story(clash);
    if let Some(fix) = clash.handover_fix() {
        finding.fix = Some(fix.into());
        return finding;
    }
    let relaxed = finding.notes.iter().any(|n| n.contains(".relaxed"));
    finding.fix = Some(match clash.earlier.owner {
        Owner::Channel(kind) if clash.checker.lockstep() => {
            let wait = clash.wait_text(kind, clash.enough_now(kind));
            if clash.earlier.wave == clash.later.wave {
                format!("Execute `{wait}` after the {copy} and before the read.").into()
            } else {
                format!(
                    "Let {} execute `{wait}` and then meet the others at a barrier before they read.",
                    clash.earlier.wave
                )
                .into()
            }
        }
        Owner::Channel(_) if relaxed => WAIT_ACQUIRE.into(),
        Owner::Channel(kind) => {
            if let Some(at) = signalled(clash) {
                let told = "which gets an arrival when the";
                finding.fix = Some(
                    format!("Wait for the phase of {at}, {told} {copy} has landed, before the read.").into(),
                );
                return finding;
            }
            let wait = clash.group_wait(kind, Part::All);
            finding.notes.extend(clash.group_story(kind));
            format!(
                "Let the thread that issued the {copy} execute {wait}, then meet the readers at a barrier."
            )
            .into()
        }
        Owner::Copy | Owner::Lanes if relaxed => WAIT_ACQUIRE.into(),
        Owner::Copy | Owner::Lanes => {
            format!("Wait for the phase of the barrier that the {copy} signals before the read.").into()
        }
    });
    finding
}
