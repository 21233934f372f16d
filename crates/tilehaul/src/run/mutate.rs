//! Alertness: every mutant of a kernel is checked, and those that nobody notices are listed.

use std::path::Path;

use tilehaul_check::{Bounds, Explore};
use tilehaul_diag::{Diagnostic, Level};

use super::mutants::{self, Mutant};
use super::{Conclusion, Report, Request, Sums, Watch, form_of, kernel};
use crate::launch::{Files, LaunchFile};

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A finding with this code.
    Noticed(String),
    /// Every schedule and landing was run and none showed anything.
    Equivalent,
    /// No explored run showed anything.
    Unnoticed,
    /// It met something that is not modelled.
    Unsupported,
    /// It is no kernel any more; not counted.
    Refused(String),
}

/// A mutant and its fate.
#[derive(Clone, Debug)]
pub struct Row {
    /// Line of the change, from 1.
    pub line: usize,
    /// The text that was changed.
    pub original: String,
    /// The change.
    pub mutant: Mutant,
    /// What became of it.
    pub fate: Fate,
}

/// Fates of all mutants of a kernel.
#[derive(Clone, Debug)]
pub struct Mutated {
    /// The file that was mutated.
    pub kernel: String,
    /// One row a mutant, in order of place.
    pub rows: Vec<Row>,
}

impl Mutated {
    /// Mutants that were noticed, and all that count: not those that are equivalent or refused.
    #[must_use]
    pub fn score(&self) -> (usize, usize) {
        let noticed = self.rows.iter().filter(|r| matches!(r.fate, Fate::Noticed(_))).count();
        let counted = |fate: &Fate| !matches!(fate, Fate::Equivalent | Fate::Refused(_));
        (noticed, self.rows.iter().filter(|r| counted(&r.fate)).count())
    }
}

/// Checks every mutant of a launch's kernel. `bounds` asks for an exhaustive exploration of those that the runs of `how` do
/// not notice; `filter` keeps mutants whose number it accepts.
///
/// # Errors
/// The report of a launch that cannot be used, or whose kernel is not clean before any mutation.
pub fn mutate(
    path: &Path,
    text: &str,
    how: &Explore,
    bounds: Option<Bounds>,
) -> Result<Mutated, Box<Report>> {
    let name = path.display().to_string();
    let launch = LaunchFile::parse(text).map_err(|d| Box::new(Report::new(&name, text).invalid(d)))?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let prepared = launch.prepare(&folder).map_err(|p| Box::new(Report::new(&name, text).invalid(p.0)))?;
    let refuse = |message: String| {
        let told = Diagnostic::new(kernel::CODE, Level::Error, message).at(launch.kernel_span, "");
        Box::new(Report::new(&name, text).invalid(vec![told]))
    };
    let forms = std::iter::once(&launch.kernel).chain(&launch.also);
    let written = forms
        .cloned()
        .chain([launch.kernel.with_extension("s")])
        .find(|form| form.extension().is_some_and(|e| e == "ptx" || e == "s") && folder.read(form).is_ok());
    let Some(form) = written else {
        return Err(refuse(format!(
            "{} has no text to mutate; name its .s or .ptx",
            launch.kernel.display()
        )));
    };
    let bytes = folder.read(&form).map_err(&refuse)?;
    let source = String::from_utf8(bytes).map_err(|_| refuse(format!("{} is not text", form.display())))?;
    let shown = folder.join(&form).display().to_string();
    let request =
        |explore: Explore| Request { explore, watch: Watch::Checker, keep_memory: false, sums: Sums::Exact };
    let check = |kernel: &str, explore: Explore| {
        let fresh = Report::new(&name, text);
        form_of(fresh, &launch, &prepared, &folder, (&shown, kernel.as_bytes()), &request(explore))
    };
    let original = check(&source, how.clone());
    if original.conclusion != Conclusion::Clean {
        return Err(Box::new(original));
    }
    let how = Explore { stop_at_finding: true, exhaustive: None, ..how.clone() };
    let all = if shown.ends_with(".ptx") { mutants::ptx(&source) } else { mutants::amd(&source) };
    let mut rows = Vec::new();
    for mutant in all {
        let changed = mutant.apply(&source);
        let mut fate = fate(&check(&changed, how.clone()));
        if let (Fate::Unnoticed, Some(bounds)) = (&fate, bounds) {
            let everything = Explore { runs: Vec::new(), exhaustive: Some(bounds), ..how.clone() };
            let report = check(&changed, everything);
            fate = match (report.conclusion, report.not_checked.is_empty()) {
                (Conclusion::Clean, true) => Fate::Equivalent,
                (Conclusion::Clean, false) => Fate::Unnoticed,
                _ => self::fate(&report),
            };
        }
        let before = source.get(..mutant.range.start).unwrap_or("");
        let original: String =
            source.get(mutant.range.clone()).unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
        rows.push(Row { line: before.matches('\n').count() + 1, original, mutant, fate });
    }
    Ok(Mutated { kernel: shown, rows })
}

fn fate(report: &Report) -> Fate {
    let first = report.findings.first();
    match report.conclusion {
        Conclusion::Clean => Fate::Unnoticed,
        Conclusion::Findings => {
            Fate::Noticed(first.map_or_else(String::new, |f| f.diagnostic.code.to_string()))
        }
        Conclusion::Unsupported => Fate::Unsupported,
        Conclusion::Invalid => {
            Fate::Refused(first.map_or_else(String::new, |f| f.diagnostic.message.clone()))
        }
    }
}
