//! A tensor map was changed and acquired without a release: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PlaceId, Replay, Who};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::{Finding, Spot};
use crate::record::Record;

/// The entry in the catalogue.
pub const HAZARD: Hazard = Hazard {
    code: Code("tensor-map-not-released"),
    level: Level::Warning,
    title: "a tensor map was changed and acquired without a release",
    what: "The bytes of a tensor map were written by the kernel and acquired by the user of the map, but no fence.proxy.tensormap release comes between the write and the acquire.",
    why: "The manual orders a change of a map by a release and an acquire of the tensormap proxy. On an H200 the acquire alone was enough where one thread did both.",
    example: "tensormap.replace … [map], …\n(no release)\nfence.proxy.tensormap::generic.acquire.gpu [map], 128\ncp.async.bulk.tensor … [map, …]",
    fix: "Execute fence.proxy.tensormap::generic.release.gpu after the change and before the acquire.",
    source: Source::manual(
        "PTX ISA, fence.proxy.tensormap; h200 fact 96 (hardware took the change without it)",
    ),
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
        "the tensor map at {map} was written by {} lane {write_lane} and is used by {} with no fence.proxy.tensormap release between the write and the acquire",
        write.wave, who.wave
    );
    let mut finding = plain(&HAZARD, place, format!("uses the map at {map}"), message, replay);
    finding.secondary.push(Spot { place: write.place, text: "earlier: writes the map".into() });
    finding.fix = Some(HAZARD.fix.into());
    finding
}
