//! What a run itself has to say, as findings: reports of executors, faults, hangs.

use tilehaul_diag::{Diagnostic, Level};
use tilehaul_machine::{Outcome, PlaceId, Replay, Report, Stuck};

use crate::finding::{Finding, Spot};

/// What the machine and the executor found wrong in a run that no checker watched: faults that engines report and go on
/// after, registers used too early. Hints are left to a check.
pub fn errors_of(reports: Vec<Report>, replay: Replay) -> impl Iterator<Item = Finding> {
    let errors = reports.into_iter().filter(|report| report.diagnostic.level == Level::Error);
    errors.map(move |report| from_report(report, replay))
}

pub(crate) fn from_report(report: Report, replay: Replay) -> Finding {
    let text = report.who.to_string();
    let mut finding = from_diagnostic(&report.diagnostic, report.who.place, text, replay);
    finding.count = report.count;
    finding.secondary = report.others.into_iter().map(|(place, text)| Spot { place, text }).collect();
    finding
}

pub(crate) fn from_diagnostic(d: &Diagnostic, place: PlaceId, text: String, replay: Replay) -> Finding {
    Finding {
        code: d.code,
        level: d.level,
        message: d.message.clone(),
        primary: Spot { place, text },
        secondary: Vec::new(),
        notes: d.notes.clone(),
        fix: d.fix.clone(),
        source: d.source,
        count: 1,
        cause: None,
        need: 0,
        more: Vec::new(),
        by_loads: false,
        replay,
    }
}

/// A hang: each waiting wave with its place, equal ones once.
pub(crate) fn from_stuck(outcome: &Outcome, stuck: &[Stuck], replay: Replay) -> Option<Finding> {
    let d = outcome.diagnostic()?;
    let place = stuck.first().map_or(PlaceId(0), |s| s.waits.place);
    let text =
        stuck.first().map_or_else(String::new, |s| format!("{} waits here for {}", s.wave, s.waits.reason));
    let mut finding = from_diagnostic(&d, place, text, replay);
    for &(place, text) in stuck.first().map_or(&[][..], |s| s.related.as_slice()) {
        finding.secondary.push(Spot { place, text: text.to_owned() });
    }
    for s in stuck.iter().skip(1) {
        let seen = finding.primary.place == s.waits.place
            || finding.secondary.iter().any(|spot| spot.place == s.waits.place);
        if !seen && finding.secondary.len() < 8 {
            let text = format!("{} waits here for {}", s.wave, s.waits.reason);
            finding.secondary.push(Spot { place: s.waits.place, text });
        }
    }
    Some(finding)
}
