//! A load through the read-only cache finds bytes that the kernel wrote: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("read-only-load-of-written-bytes"),
    level: Level::Error,
    title: "a load through the read-only cache reads bytes that the same kernel wrote",
    what: "ld.global.nc (__ldg, or a const __restrict__ pointer) reads bytes that this launch has written before. A barrier or a fence between the two does not help: the load may find what a cache held before the write.",
    why: "Such loads go through a cache that takes no notice of writes; it is coherent with memory only from one kernel to the next.",
    example: "st.global [x], v\nbar.sync 0\nld.global.nc w, [x]",
    fix: "Load with ld.global: take __restrict__ or const off the pointer, or do not use __ldg.",
    source: Source::manual(
        "PTX ISA, ld.global.nc: the data must be read-only for the duration of the kernel",
    ),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let message = format!(
        "{} reads {} through the read-only cache, and the same kernel wrote them before",
        clash.who(&clash.later),
        clash.bytes()
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.fix =
        Some("Use ld.global without .nc (no __ldg, no const __restrict__ pointer) for bytes that the kernel writes.".into());
    finding
}
