//! A fence around what orders threads is missing that the kernel has elsewhere: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PipelineFence, PlaceId, Replay, WaveId, Who};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::{Finding, Spot};

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("handover-fence-missing"),
    level: Level::Note,
    title: "operations of tensor memory are ordered across threads without one of the two fences",
    what: "An operation of tensor memory comes after one of another warp: that one was waited for, and a barrier orders the two. But the fence behind the first (tcgen05.fence::before_thread_sync) or before the second (tcgen05.fence::after_thread_sync) is missing. Said only of kernels that execute such fences at all.",
    why: "By the manual the fences are what keeps operations of tensor memory on their side of a barrier. No instruction comes of them: they hold back the assembler, which may otherwise move an operation across the barrier. Compilers that emit none rely on it not to.",
    example: "tcgen05.commit -> bar\nmbarrier.try_wait bar      (no tcgen05.fence::after_thread_sync)\ntcgen05.ld",
    fix: "Execute tcgen05.fence::before_thread_sync before the barrier and tcgen05.fence::after_thread_sync after it.",
    source: Source::manual("PTX ISA, tcgen05 memory consistency model, canonical synchronisation patterns"),
    rank: Rank::Cause,
    word: None,
};

/// The later operation comes behind an earlier one of another wave without this fence.
pub(crate) fn finding(
    (place, wave, first): (PlaceId, WaveId, &str),
    (who, then): (Who, &str),
    (fence, fences): (PipelineFence, [&'static str; 2]),
    replay: Replay,
) -> Finding {
    let user = who.wave;
    let (missing, fix) = match fence {
        PipelineFence::Before => (
            fences[0],
            format!(
                "Let {wave} execute {} after it has waited for the {first} and before the barrier.",
                fences[0]
            ),
        ),
        PipelineFence::After => {
            (fences[1], format!("Let {user} execute {} after the barrier and before the {then}.", fences[1]))
        }
    };
    let message =
        format!("the {then} of {user} comes behind the {first} of {wave} across a barrier without {missing}");
    let text = format!("{then} issued by {user}");
    let mut finding = plain(&HAZARD, who.place, text, message, replay);
    finding.secondary.push(Spot { place, text: format!("earlier: {first} issued by {wave}") });
    finding.fix = Some(fix.into());
    finding
}
