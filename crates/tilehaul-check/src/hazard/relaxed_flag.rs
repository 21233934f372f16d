//! Data is read behind a flag that orders nothing: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PlaceId, Replay};

use super::{Hazard, Rank};
use crate::finding::{Finding, Spot};

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("relaxed-flag"),
    level: Level::Error,
    title: "data is read behind a flag that orders nothing",
    what: "A thread waits for a flag and then reads what the thread that raised it had stored before. All of it is atomic (.relaxed, .volatile), so nothing races; but nothing orders the store of the data before that of the flag, or the load of the flag before that of the data. The flag may be seen up, and the old data.",
    why: "Relaxed accesses to different addresses may become visible in any order. Only a release by the writer (or a fence before the flag) together with an acquire by the reader (or a fence after the flag) orders them.",
    example: "st.volatile x, 42; st.volatile flag, 1      (block 0)\nwhile (ld.volatile flag == 0); ld.volatile x   (block 1)",
    fix: "Store the flag with .release, or fence (__threadfence) before it; load it with .acquire, or fence after it.",
    source: Source::manual("PTX ISA 8, causality order; litmus test MP"),
    rank: Rank::Cause,
    word: None,
};

/// The two sides of the data, in words, and those of the flag.
pub(crate) struct Words {
    pub reader: String,
    pub writer: String,
    pub data: String,
    pub flag: String,
}

pub(crate) fn finding(
    words: &Words,
    [read, written, flag_read, flag_raised]: [PlaceId; 4],
    replay: Replay,
) -> Finding {
    let Words { reader, writer, data, flag } = words;
    let message = format!(
        "{reader} reads {data} after it has found the flag in {flag} up; {writer} wrote them before it raised the flag, but nothing \
         orders the two: the flag may be seen before the data"
    );
    let mut finding = crate::checker::plain(&HAZARD, read, format!("{reader} reads {data}"), message, replay);
    let spot = |place, text: String| Spot { place, text };
    finding.secondary.push(spot(written, format!("earlier: {writer} writes {data}")));
    finding.secondary.push(spot(
        flag_raised,
        format!("then {writer} raises the flag, without a release or a fence before it"),
    ));
    finding.secondary.push(spot(flag_read, format!("{reader} waits for the flag")));
    finding.fix = Some(
        "Store the flag with .release (or fence.acq_rel before it) and load it with .acquire (or fence.acq_rel after it).".into(),
    );
    finding
}
