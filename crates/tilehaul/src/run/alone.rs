//! A kernel file without a launch: what can be said of its text.

use tilehaul_diag::{Diagnostic, FileId, Level};
use tilehaul_isa::gcn::{self, Target};

use super::kernel::{CODE, Language, language};
use super::{Conclusion, Found, Report};

/// Looks at a kernel file alone; none when its name and bytes are of no kernel that is understood without a launch.
///
/// `target` is for assembly text that does not name one.
#[must_use]
pub fn alone(name: &str, bytes: &[u8], target: Option<&str>) -> Option<Report> {
    let language = language(name, bytes)?;
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let mut report = Report::new(name, text);
    let module = match language {
        Language::AmdAssembly => {
            let target = target.and_then(Target::from_name);
            match gcn::read_assembly(text, FileId(0), target) {
                Ok(reading) if reading.problems().is_empty() => reading.module,
                Ok(reading) => return Some(report.invalid(reading.problems())),
                Err(diagnostic) => return Some(report.invalid(vec![*diagnostic])),
            }
        }
        Language::AmdObject => match gcn::read_code_object(bytes) {
            Ok(module) => module,
            Err(diagnostic) => {
                let told = Diagnostic::new(CODE, Level::Error, format!("{name}: {}", diagnostic.message));
                return Some(report.invalid(vec![told]));
            }
        },
        Language::Ptx | Language::LlvmIr => return None,
    };
    let survey = tilehaul_gcn::survey(&module);
    let (findings, hints) = survey.findings.into_iter().partition(|d| d.level == Level::Error);
    let found = |list: Vec<Diagnostic>| {
        list.into_iter().map(|diagnostic| Found { diagnostic, replay: None }).collect()
    };
    (report.findings, report.hints) = (found(findings), found(hints));
    report.ran = survey.kernels;
    report.not_checked.push(
        "anything that needs a run: values, addresses, races between waves, waits in loops; name the kernel in a launch file"
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
    Some(report)
}
