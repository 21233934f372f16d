//! A thread ends while its copy may still read shared memory: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{BlockId, Replay, Who};

use super::{Hazard, Rank};
use crate::checker::{OpInfo, plain};
use crate::finding::{Finding, Spot};

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("exit-with-copy-in-flight"),
    level: Level::Error,
    title: "a thread ends while its copy may still read shared memory",
    what: "A thread ends without having waited for a bulk store or reduction that it issued. The block's shared memory is given to another block while the engine may still read it.",
    why: "The wait that says 'source read' belongs to the issuing thread; when it has ended nobody can wait. On an H200 stores that were pending at exit were carried out all the same, and kernels in use count on that: where device memory is the destination it is a warning. The manual promises nothing.",
    example: "bulk store <- tile; commit_group\nret              (no wait_group)",
    fix: "Execute cp.async.bulk.wait_group.read 0 in the issuing thread before it ends.",
    source: Source::inferred(
        "PTX ISA, cp.async.bulk: nothing orders it with exit; h200 fact 82 (hardware kept all bytes)",
    ),
    rank: Rank::Cause,
    word: None,
};

/// A copy to another block, of which only that block's barrier tells.
pub(crate) fn sent(op: &OpInfo, exit: Who, block: BlockId, replay: Replay) -> Finding {
    let message = format!(
        "{block} may end while the {} that {} {} issued still reads its shared memory: only the receiver's barrier tells that it has landed",
        op.what, op.who.wave, op.who.lanes
    );
    let text = format!("the {} is issued here", op.what);
    let mut finding = plain(&HAZARD, op.who.place, text, message, replay);
    finding.secondary.push(Spot { place: exit.place, text: format!("the last thread of {block} ends here") });
    finding.fix = Some(
        "Put a cluster barrier behind the receiver's wait and before the end of both blocks, or let the receiver signal the sender."
            .into(),
    );
    finding
}

/// A store or reduction of device memory: a warning, for no device was seen to lose any of it.
pub(crate) fn finding(op: &OpInfo, exit: Who, replay: Replay) -> Finding {
    let message = format!(
        "{} {} ends without having waited for its {}, which may still read shared memory: an H200 carries it out all the same, \
         no manual promises that",
        op.who.wave, op.who.lanes, op.what
    );
    let text = format!("the {} is issued here", op.what);
    let mut finding = plain(&HAZARD, op.who.place, text, message, replay);
    finding.level = Level::Warning;
    finding.source = Some(Source::hardware("h200 fact 82"));
    finding.secondary.push(Spot { place: exit.place, text: format!("{} ends here", exit.lanes) });
    finding.fix =
        Some("Commit the group and execute cp.async.bulk.wait_group.read 0 before the thread ends.".into());
    finding
}
