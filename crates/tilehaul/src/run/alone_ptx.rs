//! A PTX file without a launch: what can be said of its text.

use tilehaul_diag::{Diagnostic, FileId, Level};
use tilehaul_isa::ptx;

use super::{Conclusion, Found, Report};

/// Looks at PTX text alone. `target` is the architecture to check for; the text's own when absent.
#[must_use]
pub fn alone_ptx(name: &str, text: &str, target: Option<&str>) -> Report {
    let mut report = Report::new(name, text);
    let reading = ptx::read(text, FileId(0));
    if reading.diagnostics.iter().any(|d| d.level == Level::Error) {
        return report.invalid(reading.diagnostics);
    }
    let survey = tilehaul_ptx::survey(&reading.module, target);
    let told = reading.diagnostics.into_iter().chain(survey.findings);
    let (findings, hints): (Vec<Diagnostic>, Vec<Diagnostic>) = told.partition(|d| d.level == Level::Error);
    let found = |list: Vec<Diagnostic>| {
        list.into_iter().map(|diagnostic| Found { diagnostic, replay: None }).collect()
    };
    (report.findings, report.hints) = (found(findings), found(hints));
    report.ran = survey.kernels;
    report.not_checked.push(
        "anything that needs a run: values, addresses, races between threads, waits in loops; name the kernel in a launch file"
            .to_owned(),
    );
    if !survey.unmodelled.is_empty() {
        let list: Vec<String> =
            survey.unmodelled.iter().map(|(name, count)| format!("{name} ({count})")).collect();
        report.not_checked.push(format!("instructions that a run would end at: {}", list.join(", ")));
    }
    if !report.findings.is_empty() {
        report.conclusion = Conclusion::Findings;
    }
    report
}
