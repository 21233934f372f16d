//! The wait names a counter that does not count the operation: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Cause, Clash, Hazard, Rank, cause};
use crate::finding::{Finding, Spot};
use crate::record::Owner;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("wait-on-wrong-counter"),
    level: Level::Error,
    title: "the wait names a counter that does not count the operation",
    what: "A wave waits before it uses the bytes, but on another counter: that wait returns at once and proves nothing about the operation.",
    why: "Every memory instruction is counted by one counter: vector loads and direct-to-LDS loads by vmcnt (loadcnt), LDS by lgkmcnt (dscnt), async copies by asynccnt, tensor copies by tensorcnt.",
    example: "buffer_load_dword … lds\ns_waitcnt lgkmcnt(0)   (the load counts in vmcnt)\nds_read",
    fix: "Wait on the counter that the operation increments.",
    source: Source::manual("CDNA3 ISA 4.4, CDNA5 ISA 10.8; LLVM AMDGPUUsage, LDS DMA"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let Owner::Channel(kind) = clash.earlier.owner else { return super::data_race::word(clash, replay) };
    let Cause::WrongCounter(wait) = cause(clash, kind) else { return super::data_race::word(clash, replay) };
    let (right, wrong) = (clash.counter_name(kind), clash.waited_counter(&wait));
    let message = format!(
        "{} uses {} after a wait on {wrong}, but the {} is counted by {right}",
        clash.who(&clash.later),
        clash.bytes(),
        clash.noun(&clash.earlier)
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.secondary.push(Spot { place: wait.place, text: format!("this wait is on {wrong}") });
    let enough = clash.enough_now(kind);
    finding.fix = Some(format!("Wait on {right}: `{}`.", clash.wait_text(kind, enough)).into());
    finding
}
