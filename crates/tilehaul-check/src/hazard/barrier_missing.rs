//! # What happens
//! The wave that issued an operation waited for it, yet another wave uses the bytes without a barrier after that wait.
//!
//! # Why on this hardware
//! Counters belong to one wave. Others learn of the end only when the issuing wave reaches a barrier after its wait, or
//! raises a flag that they poll; beyond a workgroup caches must be written back before the flag and invalidated after it.
//!
//! # Example
//! ```text
//! wave 0: tensor_load; barrier; s_wait_tensorcnt 0
//! wave 1:              barrier; ds_load       (the wait comes after the barrier)
//! ```
//!
//! # Fix
//! Wait before the barrier, and let every wave that uses the bytes take part in it.
//!
//! # Source
//! manual: CDNA5 ISA 10.8; LLVM AMDGPUUsage, memory model (s_barrier waits for no counter)

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Cause, Clash, Hazard, cause};
use crate::finding::{Finding, Spot};
use crate::order::Owner;

/// The entry in the catalogue.
pub const HAZARD: Hazard = Hazard {
    code: Code("barrier-missing-after-wait"),
    level: Level::Error,
    title: "one wave waited for the operation, but no barrier tells the other wave",
    what: "The wave that issued an operation waited for it, yet another wave uses the bytes without a barrier after that wait.",
    why: "Counters belong to one wave. Others learn of the end only when the issuing wave reaches a barrier after its wait.",
    example: "wave 0: tensor_load; barrier; s_wait_tensorcnt 0\nwave 1:              barrier; ds_load       (the wait comes after the barrier)",
    fix: "Wait before the barrier, and let every wave that uses the bytes take part in it.",
    source: Source::manual("CDNA5 ISA 10.8; LLVM AMDGPUUsage, memory model (s_barrier waits for no counter)"),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let Owner::Channel(kind) = clash.earlier.owner else { return super::data_race::word(clash, replay) };
    let Cause::NoBarrier(wait) = cause(clash, kind) else { return super::data_race::word(clash, replay) };
    let launch = &clash.checker.launch;
    let same_block = launch.block_of(clash.earlier.wave) == launch.block_of(clash.later.wave);
    let message = format!(
        "{} uses {} with no {} after the wait in which {} saw its {} complete",
        clash.later_subject(),
        clash.bytes(),
        if same_block { "barrier" } else { "release and acquire" },
        clash.who(&clash.earlier),
        clash.noun(&clash.earlier)
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.secondary.push(Spot { place: wait.place, text: format!("{} waits here", clash.earlier.wave) });
    let (first, second) = (clash.earlier.wave, clash.later.wave);
    finding.fix = Some(
        if same_block {
            format!("Let {first} execute its wait and then a barrier, which {second} passes, too, before it uses the bytes.")
        } else {
            format!(
                "They are of different workgroups: let {first} write back the caches (`buffer_wbl2 sc1`, `global_wb`) and \
                 wait before it raises a flag at device scope, and {second} invalidate them (`buffer_inv sc1`, \
                 `global_inv`) after it has seen the flag."
            )
        }
        .into(),
    );
    finding
}
