//! Alertness: every mutant of a kernel is checked, and those that nobody notices are listed.
//!
//! A mutant goes through up to four stages, each for what the one before did not settle:
//!
//! 1. The runs of a check, until one shows a finding. A new hint counts as noticed too: the report names the spot.
//! 2. A trap in its place. When the launch then ends as ever, the place is not reached, and no input of this launch can tell.
//! 3. The same runs with a switch of the device the other way, for what only matters then.
//! 4. Every order of steps and landings, within bounds. When none shows anything, the mutant is equivalent at this size.
//!
//! What is left is unnoticed, and the row says why it could not be proven equivalent. Mutants are independent of each other, so they are spread over the cores.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tilehaul_check::{Bounds, Explore};
use tilehaul_diag::{Diagnostic, FileId, Level};
use tilehaul_isa::gcn;

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
    /// Nothing as the launch stands; a finding with this code when a switch of the device is the other way.
    NoticedWith {
        /// The switch, as a launch file has it.
        switch: &'static str,
        /// The code.
        code: String,
    },
    /// Every order of steps and landings was run, so many after leaving out those that only swap steps which commute, and
    /// none showed anything.
    Equivalent(usize),
    /// No run of this launch comes to its place.
    NotReached,
    /// No explored run showed anything. Why it was not proven equivalent either, in words.
    Unnoticed(String),
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
    /// What is to be said of that choice: the text is another form of what the launch runs.
    pub note: Option<String>,
    /// One row a mutant, in order of place.
    pub rows: Vec<Row>,
}

impl Mutated {
    /// Mutants that were noticed, and all that count: not those that are equivalent, not reached or refused.
    #[must_use]
    pub fn score(&self) -> (usize, usize) {
        let noticed =
            |fate: &Fate| matches!(fate, Fate::Noticed(_) | Fate::Hinted(_) | Fate::NoticedWith { .. });
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
    let Text { form, source, note } = text_of(&launch, &folder).map_err(|message| {
        let told = Diagnostic::new(kernel::CODE, Level::Error, message).at(launch.kernel_span, "");
        Box::new(Report::new(&name, text).invalid(vec![told]))
    })?;
    let shown = folder.join(form).display().to_string();
    let bench =
        Bench { name: &name, text, launch: &launch, prepared: &prepared, files: &folder, shown: &shown };
    let original = bench.check(&source, how.explore.clone(), Watch::Checker);
    if original.conclusion != Conclusion::Clean {
        return Err(Box::new(original));
    }
    let mut switched = launch.clone();
    switched.amd.xnack_retry = true;
    let other = Bench { launch: &switched, ..bench };
    // A kernel that is itself wrong with the switch says nothing about its mutants.
    let sound = |bench: &Bench<'_>| {
        bench.check(&source, how.explore.clone(), Watch::Checker).conclusion == Conclusion::Clean
    };
    let other = (source.contains(XCNT) && !launch.amd.xnack_retry && sound(&other)).then_some(other);
    // A mutant that runs for much longer than the kernel does not end.
    let runs = how.explore.runs.len().max(1) as u64;
    let step_limit = how.explore.step_limit.min(original.steps / runs * 8 + 1_000_000);
    let explore = Explore { stop_at_finding: true, exhaustive: None, step_limit, ..how.explore.clone() };
    let judge = Judge { bench, other, source: &source, explore, bounds: how.bounds, hints: codes(&original) };
    let all = if shown.ends_with(".ptx") { mutants::ptx(&source) } else { mutants::amd(&source) };
    let rows = judge.all(all, how.jobs);
    Ok(Mutated { kernel: shown, note, rows })
}

/// Waits that matter only where memory accesses may be replayed.
const XCNT: &str = "s_wait_xcnt";
/// What makes them matter.
const RETRY: &str = "[amd] xnack_retry";

/// The form of a kernel that is mutated.
struct Text {
    /// Its path beside the launch file.
    form: PathBuf,
    source: String,
    note: Option<String>,
}

/// The first form of the kernel that is text. One that the launch does not name must hold the same instructions as the
/// object that it names.
fn text_of(launch: &LaunchFile, files: &dyn Files) -> Result<Text, String> {
    let text = |form: &Path| {
        let source = String::from_utf8(files.read(form)?);
        source.map_err(|_| format!("{} is not text", form.display()))
    };
    let is_text = |form: &Path| form.extension().is_some_and(|e| e == "ptx" || e == "s");
    let kernel = launch.kernel.display();
    if let Some(form) = std::iter::once(&launch.kernel).chain(&launch.also).find(|form| is_text(form)) {
        let note = (*form != launch.kernel)
            .then(|| format!("{kernel} has no text: mutants are made of {}", form.display()));
        return Ok(Text { form: form.clone(), source: text(form)?, note });
    }
    let form = launch.kernel.with_extension("s");
    let source = text(&form)
        .map_err(|_| format!("{kernel} has no text to mutate; name its .s or .ptx (kernel, or also)"))?;
    let object = files.read(&launch.kernel)?;
    if !same_code(&source, &object, launch) {
        return Err(format!(
            "{kernel} has no text to mutate, and {} beside it is another kernel; name its .s (kernel, or also)",
            form.display()
        ));
    }
    let note =
        format!("{kernel} has no text: mutants are made of {}, which holds the same code", form.display());
    Ok(Text { form, source, note: Some(note) })
}

/// True when the kernel of an assembly text is word by word that of an object.
fn same_code(text: &str, object: &[u8], launch: &LaunchFile) -> bool {
    let target = launch.target.as_deref().and_then(gcn::Target::from_name);
    let (Ok(text), Ok(object)) = (gcn::read_assembly(text, FileId(0), target), gcn::read_code_object(object))
    else {
        return false;
    };
    let entry = launch.entry.as_deref();
    let words = |module: &gcn::Module| -> Option<Vec<(u64, u32)>> {
        let start = module.kernel(entry)?.entry;
        let next = module.kernels.iter().map(|k| k.entry).filter(|&e| e > start).min().unwrap_or(u64::MAX);
        let inside = module.code.iter().filter(|p| (start..next).contains(&p.address));
        let code: Vec<_> = inside.collect();
        let ends = |p: &&gcn::Placed| p.inst.as_ref().is_ok_and(|i| i.row.mnemonic == "s_endpgm");
        let len = code.iter().rposition(ends)? + 1;
        Some(code.iter().take(len).map(|p| (p.address - start, p.word)).collect())
    };
    words(&text.module).is_some_and(|text| words(&object).is_some_and(|object| text == object))
}

/// What every check of a mutant shares.
#[derive(Clone, Copy)]
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
    /// The same with [`RETRY`], where that is worth a try.
    other: Option<Bench<'a>>,
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
        let settled = fates.into_iter().map(|f| {
            let lost = || Fate::Unnoticed("its check broke off".to_owned());
            f.into_inner().ok().flatten().unwrap_or_else(lost)
        });
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
        if let Some(told) = told {
            return told;
        }
        let mut probe = self.explore.clone();
        probe.runs.truncate(2);
        let probed = self.bench.check(&mutant.probed(self.source), probe, Watch::Nobody);
        if probed.conclusion == Conclusion::Clean {
            return Fate::NotReached;
        }
        let place = self.source.get(mutant.range.clone()).unwrap_or_default();
        if let Some(other) = self.other.filter(|_| place.contains(XCNT))
            && let Some(Fate::Noticed(code)) =
                self.told(&other.check(&changed, self.explore.clone(), Watch::Checker))
        {
            return Fate::NoticedWith { switch: RETRY, code };
        }
        self.proven(&changed)
    }

    /// What every order of steps and landings says of a mutant that ordinary runs do not notice.
    fn proven(&self, changed: &str) -> Fate {
        if self.bounds.runs == 0 {
            return Fate::Unnoticed("no proof was asked for".to_owned());
        }
        let everything = Explore { runs: Vec::new(), exhaustive: Some(self.bounds), ..self.explore.clone() };
        let report = self.bench.check(changed, everything, Watch::Checker);
        match (self.told(&report), report.not_checked.last()) {
            // A hang may be owed to what the exploration leaves open.
            (Some(Fate::Noticed(code)), Some(open)) if ENDLESS.contains(&code.as_str()) => {
                Fate::Unnoticed(format!("no proof: {open}"))
            }
            // The exploration knows fewer things than ordinary runs do; only what it found counts.
            (Some(Fate::Unsupported(what)), _) => Fate::Unnoticed(format!("no proof: {what}")),
            (Some(told), _) => told,
            (None, None) => Fate::Equivalent(report.explored),
            (None, Some(open)) => Fate::Unnoticed(format!("no proof: {open}")),
        }
    }

    /// What a report says of a mutant, if anything.
    fn told(&self, report: &Report) -> Option<Fate> {
        let first = report.findings.first();
        let code = first.map_or_else(String::new, |f| f.diagnostic.code.to_string());
        let message = || first.map_or_else(String::new, |f| f.diagnostic.message.clone());
        match report.conclusion {
            Conclusion::Findings => Some(Fate::Noticed(code)),
            Conclusion::Unsupported if code == "step-limit" => Some(Fate::Noticed(code)),
            Conclusion::Unsupported => Some(Fate::Unsupported(message())),
            Conclusion::Invalid => Some(Fate::Refused(message())),
            Conclusion::Clean => {
                let more = |(code, count): &(String, usize)| {
                    !IDLE_HINTS.contains(&code.as_str())
                        && *count > self.hints.get(code).copied().unwrap_or(0)
                };
                codes(report).into_iter().find(more).map(|(code, _)| Fate::Hinted(code))
            }
        }
    }
}

/// Findings that say that a run does not end.
const ENDLESS: [&str; 2] = ["deadlock", "step-limit"];
/// Hints that speak of too much, not of too little.
const IDLE_HINTS: [&str; 1] = ["wait-stronger-than-needed"];

fn codes(report: &Report) -> BTreeMap<String, usize> {
    let mut codes = BTreeMap::new();
    for hint in &report.hints {
        *codes.entry(hint.diagnostic.code.to_string()).or_insert(0) += 1;
    }
    codes
}
