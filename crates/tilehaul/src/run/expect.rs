//! Expectations as findings.

use tilehaul_check::{Finding, Spot};
use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_machine::{GlobalMemory, PlaceId, Replay};

use crate::launch::{Expect, Files, LaunchFile, Outcome, Prepared, compare};

const MISMATCH: Code = Code("expectation-failed");
const UNWRITTEN: Code = Code("expected-element-undefined");
const UNUSABLE: Code = Code("expectation-unusable");

/// Whether a finding is about an expectation rather than an instruction.
pub(super) fn is_expectation(code: Code) -> bool {
    matches!(code, MISMATCH | UNWRITTEN | UNUSABLE)
}

/// Everything that `after` fails to be.
pub(super) fn findings(
    launch: &LaunchFile,
    prepared: &Prepared,
    files: &dyn Files,
    after: &GlobalMemory,
    replay: Replay,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, expect) in launch.expects.iter().enumerate() {
        let got = after.named(&expect.buffer).map_or(&[][..], |a| a.data.as_slice());
        match compare(expect, prepared, files, got) {
            Ok(outcome) if outcome.holds() => {}
            Ok(outcome) => found.extend(of(expect, index, &outcome, replay)),
            Err(message) => found.push(finding(UNUSABLE, index, message, Vec::new(), replay)),
        }
    }
    found
}

fn of(expect: &Expect, index: usize, outcome: &Outcome, replay: Replay) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(first) = outcome.first.first() {
        let mut notes: Vec<String> = outcome
            .first
            .iter()
            .skip(1)
            .map(|m| format!("element {:?} is {}, expected {}", m.at, m.got, m.want))
            .collect();
        if outcome.differing as usize > outcome.first.len() {
            notes.push(format!("{} of {} elements differ", outcome.differing, outcome.compared));
        }
        let message = format!(
            "buffer {}: element {:?} is {}, expected {}",
            expect.buffer, first.at, first.got, first.want
        );
        found.push(finding(MISMATCH, index, message, notes, replay));
    }
    if let Some(at) = &outcome.unwritten {
        let message = format!(
            "buffer {}: element {at:?} is undefined: nobody wrote it, or what was written was undefined itself ({} of {} elements)",
            expect.buffer, outcome.unwritten_count, outcome.compared
        );
        found.push(finding(UNWRITTEN, index, message, Vec::new(), replay));
    }
    found
}

/// The place is the number of the expectation; [`place`] turns it into a span of the launch file.
fn finding(code: Code, index: usize, message: String, notes: Vec<String>, replay: Replay) -> Finding {
    Finding {
        code,
        level: Level::Error,
        message,
        primary: Spot { place: PlaceId(u32::try_from(index).unwrap_or(0)), text: String::new() },
        secondary: Vec::new(),
        notes,
        fix: None,
        source: None,
        count: 1,
        cause: None,
        need: 0,
        more: Vec::new(),
        by_loads: false,
        replay,
    }
}

/// Moves an expectation's finding from the kernel to the launch file.
pub(super) fn place(diagnostic: &mut Diagnostic, launch: &LaunchFile) {
    let named =
        launch.expects.iter().find(|e| diagnostic.message.starts_with(&format!("buffer {}:", e.buffer)));
    let span = named.or(launch.expects.first()).map(|e| e.span);
    diagnostic.primary = span.map(|span| tilehaul_diag::Label { span, text: "this expectation".to_owned() });
    diagnostic.notes.retain(|note| !note.starts_with("at `"));
}
