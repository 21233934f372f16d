//! Lanes of one warp use the same bytes and nothing orders them: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("lanes-unordered"),
    level: Level::Warning,
    title: "lanes of one warp use the same bytes and nothing orders them",
    what: "One lane writes what another lane of the same warp reads or writes, without bar.warp.sync between.",
    why: "Since sm_70 lanes may run apart. Compilers usually keep a warp together, so this mostly works.",
    example: "st.shared x  (lane 0)\nld.shared x  (lane 1, no bar.warp.sync)",
    fix: "Execute bar.warp.sync (__syncwarp) between the two accesses.",
    source: Source::manual("PTX ISA 8; CUDA programming guide, independent thread scheduling"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let message = format!(
        "lanes {} and {} of {} both use {}, at least one writes, and no warp barrier orders them",
        clash.earlier.lane,
        clash.later.lane,
        clash.later.wave,
        clash.bytes()
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.fix = Some("Execute bar.warp.sync between the two accesses.".into());
    finding
}
