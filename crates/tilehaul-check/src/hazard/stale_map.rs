//! A tensor map was changed and is used without an acquire: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{Replay, Who};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::{Finding, Spot};
use crate::record::Record;
use tilehaul_machine::PlaceId;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("tensor-map-not-acquired"),
    level: Level::Error,
    title: "a tensor map was changed and is used without an acquire",
    what: "The bytes of a tensor map were written by the kernel, and a copy uses the map with no fence.proxy.tensormap acquire on that address between. The engine may use the map as it was.",
    why: "The engine keeps maps in a cache of its own; only the acquire on that very address makes it look again.",
    example: "st.global [map], …\nfence.proxy.tensormap::generic.release.gpu\n(no acquire)\ncp.async.bulk.tensor … [map, …]",
    fix: "Execute fence.proxy.tensormap::generic.acquire.gpu [map], 128 after the change has been published and before the copy.",
    source: Source::hardware("h200 facts 96 to 98"),
    rank: Rank::Cause,
    word: None,
};

pub(crate) fn finding(
    place: PlaceId,
    who: Who,
    map: &str,
    write: &Record,
    write_lane: u8,
    replay: Replay,
) -> Finding {
    let message = format!(
        "the tensor map at {map} was written by {} lane {write_lane} and is used by {} with no fence.proxy.tensormap acquire of it between",
        write.wave, who.wave
    );
    let mut finding = plain(&HAZARD, place, format!("uses the map at {map}"), message, replay);
    finding.secondary.push(Spot { place: write.place, text: "earlier: writes the map".into() });
    finding.fix = Some(
        "Execute fence.proxy.tensormap::generic.acquire.gpu on the map's address, with size 128, before the copy.".into(),
    );
    finding
}
