//! A wait until copies are done where their sources would do: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{ChannelSpec, PlaceId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("wait-beyond-sources"),
    level: Level::Note,
    title: "a wait until copies are done where their sources would do",
    what: "A wait goes on until the bytes of bulk stores have been written, and in every run that was explored all that anybody relied on is that their sources in shared memory had been read.",
    why: "Sources are read long before the bytes have reached memory: the longer wait keeps the next tile waiting for nothing.",
    example: "cp.async.bulk.commit_group\ncp.async.bulk.wait_group 0\nst.shared source   (nobody reads the destination)",
    fix: "Use `cp.async.bulk.wait_group.read`.",
    source: Source::manual("PTX ISA, cp.async.bulk.wait_group"),
    rank: Rank::Cause,
    word: None,
};

/// The note for a wait on groups of copies.
pub(crate) fn finding(place: PlaceId, groups: &ChannelSpec, replay: Replay) -> Finding {
    let message = format!(
        "the wait goes on until {} have written all, and nothing but the end of their reading is relied on",
        groups.name
    );
    let mut finding = plain(&HAZARD, place, format!("waits for {}", groups.name), message, replay);
    finding.fix = Some(format!("Use `{}`.", groups.waits[0].replace(" {}", "")).into());
    finding
}
