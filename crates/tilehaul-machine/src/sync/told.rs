//! What operations on barriers are refused with or warned of.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_engine::mbarrier::MbarrierFault;

use crate::Who;
use crate::barrier::BarrierAt;
use crate::core::Trap;

pub(super) fn leftover(at: BarrierAt, count: i64) -> Diagnostic {
    let source = Source::hardware("h200 facts 39, 41, 42, 114");
    if count < 0 {
        Diagnostic::new(
            Code("transaction-bytes-unannounced"),
            Level::Error,
            format!(
                "{} bytes landed on {at} that no expect_tx announced in their phase: waits did not wait for them, and \
                 they are charged to the next phase",
                -count
            ),
        )
        .fix("Announce as many bytes as the copies of a phase bring (mbarrier.arrive.expect_tx) before waiting for it.")
        .source(source)
    } else {
        Diagnostic::new(
            Code("transaction-bytes-missing"),
            Level::Warning,
            format!(
                "{count} bytes announced on {at} never came; nobody waited for them before the block ended"
            ),
        )
        .fix("Announce only as many bytes as the copies of a phase bring.")
        .source(source)
    }
}

pub(super) fn arrivals_split(at: BarrierAt, who: Who, first: u32) -> Diagnostic {
    let (lanes, wave) = (who.lanes.len(), who.wave);
    Diagnostic::new(
        Code("arrivals-of-two-phases"),
        Level::Warning,
        format!(
            "{lanes} lanes of {wave} arrive on {at}, and the first {first} of them end its phase: the others count for the \
             next one, and nobody waits for what they did before"
        ),
    )
    .fix("Initialise the barrier with the number of arrivals that each phase gets, or let only that many lanes arrive.")
    .source(Source::manual("PTX ISA, mbarrier: the phase completes when the pending count reaches zero"))
}

pub(super) fn arrives_too_near(at: BarrierAt, who: Who) -> Diagnostic {
    let wave = who.wave;
    Diagnostic::new(
        Code("barrier-scope-too-narrow"),
        Level::Warning,
        format!(
            "{wave} arrives with the scope of its own block on {at}, which belongs to another: what {wave} did before is not \
             released to whoever waits there"
        ),
    )
    .fix("Arrive with .release.cluster.")
    .source(Source::manual("PTX ISA 8, morally strong operations: each scope includes the thread of the other"))
}

pub(super) fn completes_after_all(at: BarrierAt) -> Diagnostic {
    Diagnostic::new(
        Code("no-complete-completes"),
        Level::Error,
        format!("an arrival with .noComplete on {at} completes its phase: what happens then is not defined"),
    )
    .fix("Let the last arrival of the phase be one without .noComplete, or expect more arrivals.")
    .source(Source::manual("PTX ISA, mbarrier.arrive: .noComplete must not complete the current phase"))
}

#[cold]
pub(super) fn not_running(at: BarrierAt, what: &str) -> Trap {
    Box::new(
        Diagnostic::new(
            Code("cluster-peer-gone"),
            Level::Error,
            format!("{what} on {at}, whose block is not running: it has exited or not yet started"),
        )
        .fix("Keep every block of the cluster alive with a cluster barrier before it exits.")
        .source(Source::hardware("h200 fact 94")),
    )
}

#[cold]
pub(super) fn misaligned(at: BarrierAt) -> Trap {
    Box::new(
        Diagnostic::new(Code("barrier-misaligned"), Level::Error, format!("{at} is not 8-byte aligned"))
            .fix("Align the barrier object to 8 bytes.")
            .source(Source::hardware("h200 fact 85")),
    )
}

#[cold]
pub(super) fn no_barrier(at: BarrierAt, what: &str) -> Trap {
    Box::new(
        Diagnostic::new(
            Code("barrier-not-initialised"),
            Level::Error,
            format!("{what} on {at}, where no barrier is: it was never initialised or has been invalidated"),
        )
        .fix("Initialise the barrier and make that visible before it is used.")
        .source(Source::manual("PTX ISA, mbarrier")),
    )
}

pub(super) fn was_invalidated(at: BarrierAt, what: &str) -> Diagnostic {
    Diagnostic::new(
        Code("barrier-not-initialised"),
        Level::Error,
        format!("{what} on {at}, which has been invalidated: it works on whatever its memory holds by now"),
    )
    .fix("Initialise the barrier again, or execute mbarrier.inval behind its last use.")
    .source(Source::hardware("h200 fact 109; PTX ISA, mbarrier.inval"))
}

#[cold]
pub(super) fn barrier_fault(at: BarrierAt, fault: MbarrierFault) -> Trap {
    let (code, fix) = match fault {
        MbarrierFault::OverArrive { .. } => (
            "barrier-over-arrival",
            "Initialise the barrier with the number of arrivals that each phase gets, or let only that many threads arrive.",
        ),
        MbarrierFault::TransactionOperand { .. } | MbarrierFault::TransactionRange { .. } => (
            "barrier-transaction-range",
            "Announce fewer bytes in one phase, or only as many as the copies bring.",
        ),
        MbarrierFault::NotABarrier { .. } => {
            ("barrier-not-initialised", "Initialise the barrier before it is used.")
        }
    };
    Box::new(
        Diagnostic::new(Code(code), Level::Error, format!("{at}: {fault}"))
            .fix(fix)
            .source(Source::hardware("h200 facts 110 to 113")),
    )
}
