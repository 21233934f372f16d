//! Bytes are overwritten while a copy may still read them: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{Part, Replay};

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;
use crate::record::Owner;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("source-reused-early"),
    level: Level::Error,
    title: "bytes are overwritten while a copy may still read them",
    what: "An asynchronous store or copy reads its source some time after it was issued. Something overwrites the source before the engine is known to have read it: the copy moves the new bytes.",
    why: "The engine reads shared memory when it gets to it. wait_group.read (or the counter) says that the source has been read; committing a group or reaching a barrier does not.",
    example: "bulk store <- tile; commit_group\n(no wait_group.read)\nbarrier; store tile",
    fix: "The thread that issued the copy waits (wait_group.read, or the counter), then a barrier tells the threads that write.",
    source: Source::hardware("h200 fact 79; PTX ISA cp.async.bulk.wait_group"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let copy = clash.noun(&clash.earlier);
    let message = format!(
        "{} overwrites {} while the {copy} may still read them",
        clash.later_subject(),
        clash.bytes()
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.fix = Some(match clash.earlier.owner {
        Owner::Channel(kind) if clash.checker.lockstep() => {
            format!("Execute `{}` in {} before the bytes are written again, and a barrier if another wave writes them.", clash.wait_text(kind, clash.enough_now(kind)), clash.earlier.wave).into()
        }
        Owner::Channel(kind) => {
            let wait = clash.group_wait(kind, Part::Source);
            format!("Let the thread that issued the {copy} wait until its source is read ({wait}), then meet the writers at a barrier.").into()
        }
        Owner::Copy | Owner::Lanes => format!(
            "Wait for the phase of the barrier that the {copy} signals before the bytes are written again."
        )
        .into(),
    });
    finding
}
