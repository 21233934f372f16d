//! Alertness: every mutant of a kernel is checked, and those that nobody notices are listed.
//!
//! A mutant goes through up to three stages, each for what the one before did not settle:
//!
//! 1. The runs of a check, until one shows a finding. A new hint counts as noticed too: the report names the spot.
//! 2. A trap in its place. When the launch then ends as ever, the place is not reached, and no input of this launch can tell.
//! 3. Every order of steps and landings, within bounds. When none shows anything, the mutant is equivalent at this size.
//!
//! What is left is unnoticed. Mutants are independent of each other, so they are spread over the cores.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tilehaul_check::{Bounds, Explore};
use tilehaul_diag::{Diagnostic, Level};

use super::mutants::{self, Mutant};
use super::{Conclusion, Report, Request, Sums, Watch, form_of, kernel};
use crate::launch::{Files, LaunchFile, Prepared};

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A finding with this code.
    Noticed(String),
    /// No finding, but a hint with this code that the kernel itself does not get.
    Hinted(String),
    /// Every order of steps and landings was run, so many after leaving out those that only swap steps which commute, and
    /// none showed anything.
    Equivalent(usize),
    /// No run of this launch comes to its place.
    NotReached,
    /// No explored run showed anything.
    Unnoticed,
    /// It met something that is not modelled.
    Unsupported(String),
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
    /// Mutants that were noticed, and all that count: not those that are equivalent, not reached or refused.
    #[must_use]
    pub fn score(&self) -> (usize, usize) {
        let noticed = |fate: &Fate| matches!(fate, Fate::Noticed(_) | Fate::Hinted(_));
        let counted =
            |fate: &Fate| !matches!(fate, Fate::Equivalent(_) | Fate::NotReached | Fate::Refused(_));
        let number = |which: &dyn Fn(&Fate) -> bool| self.rows.iter().filter(|r| which(&r.fate)).count();
        (number(&noticed), number(&counted))
    }
}

/// How mutants are checked.
#[derive(Clone, Debug)]
pub struct MutateHow {
    /// Runs of each mutant.
    pub explore: Explore,
    /// Bounds of the exploration that tells equivalent mutants.
    pub bounds: Bounds,
    /// Threads; none for as many as there are cores.
    pub jobs: Option<NonZeroUsize>,
}

/// Checks every mutant of a launch's kernel.
///
/// # Errors
/// The report of a launch that cannot be used, or whose kernel is not clean before any mutation.
pub fn mutate(path: &Path, text: &str, how: &MutateHow) -> Result<Mutated, Box<Report>> {
    let name = path.display().to_string();
    let launch = LaunchFile::parse(text).map_err(|d| Box::new(Report::new(&name, text).invalid(d)))?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let prepared = launch.prepare(&folder).map_err(|p| Box::new(Report::new(&name, text).invalid(p.0)))?;
    let (shown, source) = source_of(&launch, &folder).map_err(|message| {
        let told = Diagnostic::new(kernel::CODE, Level::Error, message).at(launch.kernel_span, "");
        Box::new(Report::new(&name, text).invalid(vec![told]))
    })?;
    let shown = folder.join(shown).display().to_string();
    let bench =
        Bench { name: &name, text, launch: &launch, prepared: &prepared, files: &folder, shown: &shown };
    let original = bench.check(&source, how.explore.clone(), Watch::Checker);
    if original.conclusion != Conclusion::Clean {
        return Err(Box::new(original));
    }
    // A mutant that runs for much longer than the kernel does not end.
    let runs = how.explore.runs.len().max(1) as u64;
    let step_limit = how.explore.step_limit.min(original.steps / runs * 8 + 1_000_000);
    let explore = Explore { stop_at_finding: true, exhaustive: None, step_limit, ..how.explore.clone() };
    let judge = Judge { bench, source: &source, explore, bounds: how.bounds, hints: codes(&original) };
    let all = if shown.ends_with(".ptx") { mutants::ptx(&source) } else { mutants::amd(&source) };
    let rows = judge.all(all, how.jobs);
    Ok(Mutated { kernel: shown, rows })
}

/// The first form of the kernel that is text: its path beside the launch file, and what it says.
fn source_of(launch: &LaunchFile, files: &dyn Files) -> Result<(std::path::PathBuf, String), String> {
    let forms = std::iter::once(&launch.kernel).chain(&launch.also).cloned();
    let is_text = |form: &Path| form.extension().is_some_and(|e| e == "ptx" || e == "s");
    let form = forms
        .chain([launch.kernel.with_extension("s")])
        .find(|form| is_text(form) && files.read(form).is_ok())
        .ok_or_else(|| format!("{} has no text to mutate; name its .s or .ptx", launch.kernel.display()))?;
    let source =
        String::from_utf8(files.read(&form)?).map_err(|_| format!("{} is not text", form.display()))?;
    Ok((form, source))
}

/// What every check of a mutant shares.
struct Bench<'a> {
    name: &'a str,
    text: &'a str,
    launch: &'a LaunchFile,
    prepared: &'a Prepared,
    files: &'a (dyn Files + Sync),
    shown: &'a str,
}

impl Bench<'_> {
    fn check(&self, kernel: &str, explore: Explore, watch: Watch) -> Report {
        let fresh = Report::new(self.name, self.text);
        let request = Request { explore, watch, sums: Sums::Exact, keep_memory: false, target: None };
        form_of(fresh, self.launch, self.prepared, self.files, (self.shown, kernel.as_bytes()), &request)
            .unwrap_or_else(|refused| *refused)
    }
}

struct Judge<'a> {
    bench: Bench<'a>,
    source: &'a str,
    explore: Explore,
    bounds: Bounds,
    /// Hints that the kernel itself gets, by code.
    hints: BTreeMap<String, usize>,
}

impl Judge<'_> {
    fn all(&self, all: Vec<Mutant>, jobs: Option<NonZeroUsize>) -> Vec<Row> {
        let jobs = jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let next = AtomicUsize::new(0);
        let fates: Vec<Mutex<Option<Fate>>> = all.iter().map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(all.len()) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let (Some(mutant), Some(slot)) = (all.get(index), fates.get(index)) else { break };
                        let fate = self.fate(mutant);
                        if let Ok(mut slot) = slot.lock() {
                            *slot = Some(fate);
                        }
                    }
                });
            }
        });
        let settled = fates.into_iter().map(|f| f.into_inner().ok().flatten().unwrap_or(Fate::Unnoticed));
        all.into_iter().zip(settled).map(|(mutant, fate)| self.row(mutant, fate)).collect()
    }

    fn row(&self, mutant: Mutant, fate: Fate) -> Row {
        let before = self.source.get(..mutant.range.start).unwrap_or("");
        let changed = self.source.get(mutant.range.clone()).unwrap_or("");
        let original = changed.split_whitespace().collect::<Vec<_>>().join(" ");
        Row { line: before.matches('\n').count() + 1, original, mutant, fate }
    }

    fn fate(&self, mutant: &Mutant) -> Fate {
        let changed = mutant.apply(self.source);
        let told = self.told(&self.bench.check(&changed, self.explore.clone(), Watch::Checker));
        if told != Fate::Unnoticed {
            return told;
        }
        let mut probe = self.explore.clone();
        probe.runs.truncate(2);
        let probed = self.bench.check(&mutant.probed(self.source), probe, Watch::Nobody);
        if probed.conclusion == Conclusion::Clean {
            return Fate::NotReached;
        }
        let everything = Explore { runs: Vec::new(), exhaustive: Some(self.bounds), ..self.explore.clone() };
        let report = self.bench.check(&changed, everything, Watch::Checker);
        match self.told(&report) {
            Fate::Unnoticed if report.not_checked.is_empty() => Fate::Equivalent(report.explored),
            // The exploration knows fewer things than ordinary runs do; only what it found counts.
            Fate::Unsupported(_) => Fate::Unnoticed,
            told => told,
        }
    }

    /// What a report says of a mutant.
    fn told(&self, report: &Report) -> Fate {
        let first = report.findings.first();
        let code = first.map_or_else(String::new, |f| f.diagnostic.code.to_string());
        let message = || first.map_or_else(String::new, |f| f.diagnostic.message.clone());
        match report.conclusion {
            Conclusion::Findings => Fate::Noticed(code),
            Conclusion::Unsupported if code == "step-limit" => Fate::Noticed(code),
            Conclusion::Unsupported => Fate::Unsupported(message()),
            Conclusion::Invalid => Fate::Refused(message()),
            Conclusion::Clean => {
                let more = |(code, count): &(String, usize)| {
                    !IDLE_HINTS.contains(&code.as_str())
                        && *count > self.hints.get(code).copied().unwrap_or(0)
                };
                match codes(report).into_iter().find(more) {
                    Some((code, _)) => Fate::Hinted(code),
                    None => Fate::Unnoticed,
                }
            }
        }
    }
}

/// Hints that speak of too much, not of too little.
const IDLE_HINTS: [&str; 1] = ["wait-stronger-than-needed"];

fn codes(report: &Report) -> BTreeMap<String, usize> {
    let mut codes = BTreeMap::new();
    for hint in &report.hints {
        *codes.entry(hint.diagnostic.code.to_string()).or_insert(0) += 1;
    }
    codes
}
