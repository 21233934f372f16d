//! The wait lets too many operations stay outstanding: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Cause, Clash, Hazard, Rank, cause};
use crate::finding::{Finding, Spot};
use crate::record::Owner;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("wait-count-too-high"),
    level: Level::Error,
    title: "the wait lets too many operations stay outstanding",
    what: "A wave waits on the right counter, but with a count that the operation itself fits under: the wait returns while it is still outstanding.",
    why: "A wait for N returns as soon as N operations are left. The operation is proven only when at least N younger ones of its kind were issued after it.",
    example: "tensor_load A; tensor_load B\ns_wait_tensorcnt 2    (A may still be under way: 1 is right)\nds_load A",
    fix: "Use the count that the finding names.",
    source: Source::manual("CDNA3 ISA 4.4, CDNA5 ISA 10.8; LLVM AMDGPUUsage, memory model"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let Owner::Channel(kind) = clash.earlier.owner else { return super::data_race::word(clash, replay) };
    let Cause::CountTooHigh { wait, enough } = cause(clash, kind) else {
        return super::data_race::word(clash, replay);
    };
    let name = clash.counter_name(kind);
    let message = format!(
        "{} uses {} after a wait for {name} {}, which lets the {} stay outstanding; {enough} is the highest count that covers it",
        clash.who(&clash.later),
        clash.bytes(),
        wait.asked,
        clash.noun(&clash.earlier)
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    let over = wait.asked - enough.min(wait.asked);
    let text = match clash.checker.counter_of(kind).map(|c| c.max).filter(|&max| wait.asked > max) {
        Some(max) => format!("this never waits: {name} holds at most {max}"),
        None => format!("this count is too high by {over}"),
    };
    finding.secondary.push(Spot { place: wait.place, text });
    finding.fix = Some(format!("Wait for {enough}: `{}`.", clash.wait_text(kind, enough)).into());
    finding
}
