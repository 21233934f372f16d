//! # What happens
//! One lane writes what another lane of the same warp reads or writes, without bar.warp.sync between.
//!
//! # Why on this hardware
//! Since sm_70 lanes may run apart. Compilers usually keep a warp together, so this mostly works.
//!
//! # Example
//! ```text
//! st.shared x  (lane 0)
//! ld.shared x  (lane 1, no bar.warp.sync)
//! ```
//!
//! # Fix
//! Execute bar.warp.sync (__syncwarp) between the two accesses.
//!
//! # Source
//! manual: PTX ISA 8; CUDA programming guide, independent thread scheduling

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard};
use crate::finding::Finding;

/// The entry in the catalogue.
pub const HAZARD: Hazard = Hazard {
    code: Code("lanes-unordered"),
    level: Level::Warning,
    title: "lanes of one warp use the same bytes and nothing orders them",
    what: "One lane writes what another lane of the same warp reads or writes, without bar.warp.sync between.",
    why: "Since sm_70 lanes may run apart. Compilers usually keep a warp together, so this mostly works.",
    example: "st.shared x  (lane 0)\nld.shared x  (lane 1, no bar.warp.sync)",
    fix: "Execute bar.warp.sync (__syncwarp) between the two accesses.",
    source: Source::manual("PTX ISA 8; CUDA programming guide, independent thread scheduling"),
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
