//! Waves that end before their program does: killed from outside, or by a trap or a fault of their own.
//!
//! The engine stops the tensor operations of such a wave, and each still returns done: TENSORcnt drains, so that nothing
//! that tears the wave down waits for ever. What had not landed is lost, and no LDS barrier is told (inferred: a stopped
//! descriptor sends nothing more). Other memory operations were handed over when they were issued and go on. The barriers
//! of the workgroup no longer count the wave, as for one that has ended.
//! manual: CDNA5 ISA 10.11, VMID and pipeline kill; RTN_SAVE_WAVE_HAS_TDM.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{Core, LaneMask, PlaceId, Ran, Status, Trap, Who};

use crate::wave::Wave;
use crate::{Gcn, counters, steps};

const SOURCE: Source = Source::manual("CDNA5 ISA 10.11, killed waves; RTN_SAVE_WAVE_HAS_TDM");

/// Executes instructions, none after the one that a kill follows.
pub(crate) fn run<const L: usize>(gcn: &Gcn<L>, wave: &mut Wave<L>, core: &mut Core, budget: u32) -> Ran {
    match wave.kill_after {
        None => steps(gcn, wave, core, budget),
        Some(0) => killed(gcn, wave, core),
        Some(left) => {
            let ran = steps(gcn, wave, core, budget.min(left));
            wave.kill_after = Some(left.saturating_sub(ran.steps));
            if matches!(ran.status, Status::Exited) {
                never_came(wave, core, ran.place);
            }
            ran
        }
    }
}

fn killed<const L: usize>(gcn: &Gcn<L>, wave: &mut Wave<L>, core: &mut Core) -> Ran {
    let place = PlaceId(wave.pc);
    let who = Who { wave: wave.id, lanes: LaneMask(wave.all), place };
    let outstanding = tensor_operations(wave, core);
    if gcn.gfx12
        && let Err(trap) = core.kill_channel(wave.id, counters::TENSOR)
    {
        return Ran { steps: 0, place, status: Status::Fault(who, trap) };
    }
    let mut told = Diagnostic::new(
        Code("wave-killed"),
        Level::Note,
        format!(
            "wave {} of workgroup {} is killed here, as `[amd] kill_wave` asks",
            wave.number, wave.block.id.0
        ),
    );
    if gcn.gfx12 {
        told = told.note(fate(outstanding)).source(SOURCE);
    }
    core.report(who, told);
    core.exit(who);
    Ran { steps: 0, place, status: Status::Exited }
}

fn never_came<const L: usize>(wave: &Wave<L>, core: &mut Core, place: PlaceId) {
    let who = Who { wave: wave.id, lanes: LaneMask(wave.all), place };
    let text = format!(
        "wave {} of workgroup {} has ended before `[amd] kill_wave` would have killed it",
        wave.number, wave.block.id.0
    );
    core.report(who, Diagnostic::new(Code("wave-killed"), Level::Warning, text));
}

/// Tensor operations that no wait of the wave has proven.
fn tensor_operations<const L: usize>(wave: &Wave<L>, core: &Core) -> u32 {
    if wave.gfx12 { core.outstanding(wave.id, counters::TENSOR) } else { 0 }
}

fn fate(outstanding: u32) -> String {
    match outstanding {
        0 => "it has no tensor operation outstanding (RTN_SAVE_WAVE_HAS_TDM would read 0)".to_owned(),
        n => format!(
            "it has {n} tensor operation{} outstanding (RTN_SAVE_WAVE_HAS_TDM would read 1): stopped, what has not landed is \
             lost and no LDS barrier is told, but each returns done, so tensorcnt drains",
            if n == 1 { "" } else { "s" }
        ),
    }
}

/// A trap or fault of the wave, with what becomes of its tensor operations.
pub(crate) fn with_outstanding<const L: usize>(
    gcn: &Gcn<L>,
    wave: &Wave<L>,
    core: &Core,
    trap: Trap,
) -> Trap {
    match tensor_operations(wave, core) {
        n if n > 0 && gcn.gfx12 => Box::new(trap.note(fate(n))),
        _ => trap,
    }
}
