//! Bytes that an engine landed are never read: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PlaceId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("landed-never-read"),
    level: Level::Note,
    title: "bytes that an engine landed are never read",
    what: "An asynchronous copy fills shared memory and nothing ever reads it. Either the copy is of no use, or the compiler removed the reads because it saw nothing write the array.",
    why: "A compiler does not see what an engine writes: without a write that it can see, it may fold reads of the array away (a memory clobber does not help).",
    example: "tensor_load_to_lds …\n(no LDS load in the whole kernel)",
    fix: "Give the compiler a write to the array that it can see, or remove the copy.",
    source: Source::inferred("compilers do not see LDS writes of inline assembly and drop reads"),
    rank: Rank::Cause,
    word: None,
};

pub(crate) fn finding(place: PlaceId, what: &str, replay: Replay) -> Finding {
    let message = format!("nothing ever reads the bytes that this {what} lands in shared memory");
    let mut finding = plain(&HAZARD, place, format!("the {what}"), message, replay);
    finding.fix = Some("If the kernel should read them, make the array's writes visible to the compiler; else drop the copy.".into());
    finding
}
