//! Kernels run and checked: a launch file, its kernel and the machine put together.
//!
//! | module | does |
//! |---|---|
//! | `alone` | says what can be said of a kernel file without a launch |
//! | `compile` | makes a code object of LLVM IR |
//! | `kernel` | reads a kernel file and makes a program of it |
//! | `alone_ptx` | says what can be said of a PTX file without a launch |
//! | `arguments` | arguments against parameters |
//! | `banks` | counts bank conflicts of a run |
//! | `words` | names places and sources as the kernel's side does |
//! | `expect` | turns expectations into findings |
//! | `hardware` | the same launch on a real GPU (feature `gpu`) |
//! | `mutants`, `mutate` | kernels made wrong on purpose, to see whether the check notices |
//!
//! [`launch`] executes a launch and compares: once, or over schedules and landings with the checker watching. Reports are
//! values: diagnostics whose spans lie in [`Report::sources`].

mod alone;
mod alone_ptx;
mod arguments;
mod banks;
mod compile;
mod expect;
#[cfg(feature = "gpu")]
mod hardware;
mod kernel;
mod mutants;
mod mutate;
mod words;

use std::path::{Path, PathBuf};

pub use alone::alone;
pub use alone_ptx::alone_ptx;
pub use banks::{BankPlace, BankRun};
pub use compile::compile;
pub use tilehaul_check::{Bounds, Explore};
use tilehaul_check::{
    CheckReport, Finding, Rank, RunSummary, Verdict, errors_of, explore, put_in_order, rank,
};
use tilehaul_diag::{Diagnostic, FileId, Level};
use tilehaul_machine::{DECISION_LIMIT, GlobalMemory, Hang, Options, Outcome, Program};
pub use tilehaul_machine::{Landing, Replay, Schedule};
pub use tilehaul_mma::Sums;
use tilehaul_render::Sources;

use crate::launch::{Files, LaunchFile, Prepared};
#[cfg(feature = "gpu")]
pub use hardware::{Difference, Gpu, HardwareRun, on_gpu};
pub use kernel::Kernel;
pub use mutants::Mutant;
pub use mutate::{Fate, MutateHow, Mutated, Row, mutate};
/// Random programs for both sides.
#[cfg(feature = "gpu")]
pub use tilehaul_hw::generate;

/// What to do with a launch.
#[derive(Clone, Debug)]
pub struct Request {
    /// Runs to explore.
    pub explore: Explore,
    /// Who watches the runs.
    pub watch: Watch,
    /// Keep the memory that the first run leaves.
    pub keep_memory: bool,
    /// How products of matrix instructions are summed.
    pub sums: Sums,
    /// Stands in for the launch file's target.
    pub target: Option<String>,
}

/// Who watches a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// The checker: every hazard, at a few times the cost.
    Checker,
    /// Nobody: only what the machine itself refuses, and the expectations.
    Nobody,
    /// Who counts bank conflicts, in the first run.
    Banks,
}

/// How a run or a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Nothing wrong.
    Clean,
    /// At least one finding.
    Findings,
    /// Something that is not modelled was met.
    Unsupported,
    /// The launch file, a file that it names, or the kernel cannot be used.
    Invalid,
}

/// Something found, with the run that shows it.
#[derive(Clone, Debug)]
pub struct Found {
    /// What; spans lie in [`Report::sources`].
    pub diagnostic: Diagnostic,
    /// The string that replays the run; none for what needs no run.
    pub replay: Option<Replay>,
}

/// What is left of a run or a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// The conclusion.
    pub conclusion: Conclusion,
    /// Errors.
    pub findings: Vec<Found>,
    /// Warnings and notes.
    pub hints: Vec<Found>,
    /// What was run: one line each form of the kernel.
    pub ran: Vec<String>,
    /// What was not checked.
    pub not_checked: Vec<String>,
    /// Texts that spans point into; file 0 is the launch file.
    pub sources: Sources,
    /// Buffers that the first run left: name and place among the launch file's buffers.
    pub memory: Option<GlobalMemory>,
    /// The launch before it ran, when it could be prepared.
    pub prepared: Option<Prepared>,
    /// Instructions of all runs together.
    pub steps: u64,
    /// Runs of an exhaustive exploration.
    pub explored: usize,
    /// Bank conflicts of the first run, when they were counted.
    pub banks: Option<BankRun>,
}

impl Report {
    fn new(name: &str, text: &str) -> Report {
        Report {
            conclusion: Conclusion::Clean,
            findings: Vec::new(),
            hints: Vec::new(),
            ran: Vec::new(),
            not_checked: Vec::new(),
            sources: Sources::one(name, text),
            memory: None,
            prepared: None,
            steps: 0,
            explored: 0,
            banks: None,
        }
    }

    /// Findings and hints as a reader needs them: what makes others follow comes first, hints that explain nothing last.
    #[must_use]
    pub fn in_order(&self) -> Vec<&Found> {
        let of = |found: &Found| rank(found.diagnostic.code);
        let (mut all, mut rest): (Vec<&Found>, Vec<&Found>) =
            self.findings.iter().chain(&self.hints).partition(|f| f.diagnostic.level == Level::Error);
        // The checker has put its own in order, hangs included; wrong results come behind them.
        let hangs = |f: &&Found| f.diagnostic.code.0 == "deadlock";
        all.sort_by_key(|f| of(f) == Rank::Ending && !hangs(f));
        if !self.findings.is_empty() {
            // An undefined read explains a crash or a wrong result, where there is one.
            let follows = |f: &&Found| of(f) > Rank::Cause && !hangs(f);
            let at = all.iter().position(follows).unwrap_or(all.len());
            let (undefined, others): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|f| of(f) == Rank::Undefined);
            all.splice(at..at, undefined);
            rest = others;
        }
        all.extend(rest);
        all
    }

    fn invalid(mut self, diagnostics: Vec<Diagnostic>) -> Report {
        let unsupported = diagnostics.iter().any(|d| kernel::UNSUPPORTED.contains(&d.code));
        self.conclusion = if unsupported { Conclusion::Unsupported } else { Conclusion::Invalid };
        self.findings.extend(diagnostics.into_iter().map(|diagnostic| Found { diagnostic, replay: None }));
        self
    }
}

/// Reads a launch file and runs or checks it.
#[must_use]
pub fn launch(path: &Path, text: &str, request: &Request) -> Report {
    let mut report = Report::new(&path.display().to_string(), text);
    let mut launch = match LaunchFile::parse(text) {
        Ok(launch) => launch,
        Err(diagnostics) => return report.invalid(diagnostics),
    };
    if let Some(target) = &request.target {
        launch.target = Some(target.clone());
        launch.keys.retain(|(key, _)| *key != "target");
    }
    let folder: PathBuf = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let prepared = match launch.prepare(&folder) {
        Ok(prepared) => prepared,
        Err(problem) => return report.invalid(problem.0),
    };
    let unusable = launch.unusable_expectations(&prepared, &folder);
    if !unusable.is_empty() {
        return report.invalid(unusable);
    }
    let forms = std::iter::once(&launch.kernel).chain(&launch.also);
    for (index, form) in forms.enumerate() {
        // What is wrong with a form is said where the form is named.
        let launch = LaunchFile { kernel_span: launch.form_span(index), ..launch.clone() };
        let bytes = match folder.read(form) {
            Ok(bytes) => bytes,
            Err(message) => {
                let told = Diagnostic::new(kernel::CODE, Level::Error, message).at(launch.kernel_span, "");
                return report.invalid(vec![told]);
            }
        };
        let mut request = request.clone();
        if index > 0 {
            // Other forms of the same kernel must give the same answer; schedules were explored with the first.
            request.explore.runs.truncate(2);
            request.explore.exhaustive = None;
            request.keep_memory = false;
        }
        let shown = folder.join(form).display().to_string();
        report = match form_of(report, &launch, &prepared, &folder, (&shown, &bytes), &request) {
            Ok(report) => report,
            Err(report) => return *report,
        };
    }
    if launch.expects.is_empty() && request.watch != Watch::Banks {
        report
            .not_checked
            .push("results: the launch file has no [expect], so nothing was compared".to_owned());
    }
    report.prepared = Some(prepared);
    report
}

/// One form of the kernel. The error is the report, too: of a form that cannot be run at all.
fn form_of(
    mut report: Report,
    launch: &LaunchFile,
    prepared: &Prepared,
    files: &dyn Files,
    (name, bytes): (&str, &[u8]),
    request: &Request,
) -> Result<Report, Box<Report>> {
    let file = FileId(u32::try_from(report.sources.len()).unwrap_or(u32::MAX));
    let mut memory = prepared.memory.clone();
    let kernel = match Kernel::read(
        name,
        bytes,
        file,
        launch,
        prepared,
        &mut memory,
        &mut report.sources,
        request.sums,
    ) {
        Ok(kernel) => kernel,
        Err(diagnostics) => return Err(Box::new(report.invalid(diagnostics))),
    };
    if name.ends_with(".ll") {
        told_of_text(&mut report, bytes, launch, file);
    }
    let (findings, hints) = (report.findings.len(), report.hints.len());
    let mut report = checked(report, &kernel, launch, prepared, files, memory, (name, request));
    if let (Sums::Fast, Some(line)) = (request.sums, report.ran.last_mut()) {
        line.push_str("; matrix products summed fast, which gives the bits of no device");
    }
    words::finish(report.findings.get_mut(findings..).unwrap_or_default(), &kernel);
    words::finish(report.hints.get_mut(hints..).unwrap_or_default(), &kernel);
    Ok(report)
}

/// What the text of LLVM IR itself shows: its DMA intrinsics, their waits and marks.
fn told_of_text(report: &mut Report, bytes: &[u8], launch: &LaunchFile, file: FileId) {
    let text = String::from_utf8_lossy(bytes);
    let own = crate::llvm::target_of(&text);
    let Some(target) = launch.target.clone().or(own) else { return };
    let told = crate::llvm::check_llvm_file(&text, &target, file);
    for diagnostic in told.all() {
        let found = Found { diagnostic: diagnostic.clone(), replay: None };
        if diagnostic.level == Level::Error {
            report.findings.push(found);
            report.conclusion = Conclusion::Findings;
        } else {
            report.hints.push(found);
        }
    }
}

fn checked(
    mut report: Report,
    kernel: &Kernel,
    launch: &LaunchFile,
    prepared: &Prepared,
    files: &dyn Files,
    memory: GlobalMemory,
    (name, request): (&str, &Request),
) -> Report {
    match request.watch {
        Watch::Banks => return counted(report, kernel, launch, memory),
        Watch::Nobody => {
            return unwatched(report, kernel, launch, prepared, files, memory, (name, request));
        }
        Watch::Checker => {}
    }
    let (program, shape) = (kernel.program(), kernel.launch());
    let mut kept = None;
    let how = Explore {
        banks: tilehaul_layout::banks::Chip::from_target(kernel.target()),
        ..request.explore.clone()
    };
    let checked = explore(program, shape, &|| memory.clone(), &how, &mut |replay, after| {
        if request.keep_memory && kept.is_none() {
            kept = Some(after.clone());
        }
        expect::findings(launch, prepared, files, after, *replay)
    });
    report.memory = report.memory.take().or(kept);
    add(&mut report, &checked, program, launch);
    report.ran.push(described(name, &checked));
    report
}

/// Runs once and counts the bank conflicts of every shared access.
fn counted(mut report: Report, kernel: &Kernel, launch: &LaunchFile, memory: GlobalMemory) -> Report {
    let (program, shape, target) = (kernel.program(), kernel.launch(), kernel.target());
    if report.banks.is_some() {
        // Other forms of the same kernel make the same accesses.
        return report;
    }
    let Some(chip) = tilehaul_layout::banks::Chip::from_target(target) else {
        let message = format!("the banks of target {target} are not modelled");
        let diagnostic = Diagnostic::new(kernel::CODE, Level::Error, message).at(launch.kernel_span, "");
        report.findings.push(Found { diagnostic, replay: None });
        report.conclusion = worse(report.conclusion, Conclusion::Unsupported);
        return report;
    };
    let watch = Box::new(banks::BankWatch::new(chip));
    let result = tilehaul_machine::run(program, shape, memory, Options::default(), Some(watch));
    report.steps += result.steps;
    if !matches!(result.outcome, Outcome::Finished) {
        let unsupported = matches!(result.outcome, Outcome::Unsupported { .. });
        let conclusion = if unsupported { Conclusion::Unsupported } else { Conclusion::Findings };
        report.conclusion = worse(report.conclusion, conclusion);
        report.findings.extend(ended(&result.outcome, program, result.replay));
    }
    let watched = result.observer.and_then(|o| o.into_any().downcast::<banks::BankWatch>().ok());
    report.banks = watched.map(|w| {
        w.finish(program, |at| {
            let place = report.sources.place(program.span(at)?)?;
            Some(format!("{}:{}", place.file, place.line))
        })
    });
    report
}

/// Runs without a checker: what the machine refuses, and the expectations.
fn unwatched(
    mut report: Report,
    kernel: &Kernel,
    launch: &LaunchFile,
    prepared: &Prepared,
    files: &dyn Files,
    memory: GlobalMemory,
    (name, request): (&str, &Request),
) -> Report {
    let (program, shape) = (kernel.program(), kernel.launch());
    let mut checked = CheckReport {
        verdict: Verdict::Clean,
        findings: Vec::new(),
        hints: Vec::new(),
        unsupported: Vec::new(),
        runs: Vec::new(),
        exhausted: None,
        not_checked: Vec::new(),
    };
    for &replay in &request.explore.runs {
        let options = Options {
            replay,
            step_limit: request.explore.step_limit,
            resident: request.explore.resident,
            ..Options::default()
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut result = tilehaul_machine::run_spread(program, shape, memory.clone(), options, cores);
        for finding in errors_of(std::mem::take(&mut result.reports), replay) {
            let same = |f: &&mut Finding| f.code == finding.code && f.primary.place == finding.primary.place;
            match checked.findings.iter_mut().find(same) {
                Some(known) => known.count += finding.count,
                None => checked.findings.push(finding),
            }
        }
        match &result.outcome {
            Outcome::TooManyDecisions => {
                checked.not_checked.push(format!("{replay}: what comes after {DECISION_LIMIT} decisions"));
            }
            Outcome::Finished | Outcome::Pruned => {
                checked.findings.extend(expect::findings(launch, prepared, files, &result.memory, replay));
            }
            outcome => {
                let found = ended(outcome, program, replay);
                let unsupported = matches!(outcome, Outcome::Unsupported { .. } | Outcome::StepLimit(_));
                let conclusion = if unsupported { Conclusion::Unsupported } else { Conclusion::Findings };
                report.conclusion = worse(report.conclusion, conclusion);
                report.findings.extend(found);
            }
        }
        put_in_order(&mut checked.findings, &[]);
        if !checked.findings.is_empty() {
            checked.verdict = Verdict::Findings;
        }
        if request.keep_memory && report.memory.is_none() {
            report.memory = Some(result.memory);
        }
        let endless = matches!(result.outcome, Outcome::StepLimit(_));
        checked.runs.push(RunSummary { replay, steps: result.steps, outcome: result.outcome });
        if endless {
            break;
        }
    }
    add(&mut report, &checked, program, launch);
    report.ran.push(described(name, &checked));
    report
}

/// How a run that did not finish ended, at the place where it did.
fn ended(outcome: &Outcome, program: &dyn Program, replay: Replay) -> Option<Found> {
    let (mut diagnostic, places) = match outcome {
        Outcome::Fault { who, diagnostic } | Outcome::Unsupported { who, diagnostic } => {
            let verb = if who.lanes.len() <= 1 { "stops" } else { "stop" };
            ((**diagnostic).clone(), vec![(who.place, format!("{who} {verb} here"))])
        }
        Outcome::Deadlock(Hang { stuck, .. }) | Outcome::StepLimit(stuck) => {
            let mut places: Vec<(_, String)> = Vec::new();
            for s in stuck {
                if places.len() < 4 && places.iter().all(|(place, _)| *place != s.waits.place) {
                    places.push((s.waits.place, format!("{} waits here for {}", s.wave, s.waits.reason)));
                }
            }
            let related = stuck.first().map_or(&[][..], |s| s.related.as_slice());
            places.extend(related.iter().map(|&(place, text)| (place, text.to_owned())));
            (outcome.diagnostic()?, places)
        }
        Outcome::Finished | Outcome::Pruned | Outcome::TooManyDecisions => return None,
    };
    for (place, text) in places {
        diagnostic = match (program.span(place), diagnostic.primary.is_none()) {
            (Some(span), true) => diagnostic.at(span, text),
            (Some(span), false) => diagnostic.also(span, text),
            (None, _) => diagnostic.note(format!("at `{}`: {text}", program.text(place))),
        };
    }
    Some(Found { diagnostic, replay: Some(replay) })
}

/// Findings become diagnostics whose places are spans.
fn add(report: &mut Report, checked: &CheckReport, program: &dyn Program, launch: &LaunchFile) {
    let found = |finding: &Finding| {
        let mut diagnostic = finding.diagnostic(|place| program.span(place), |place| program.text(place));
        if expect::is_expectation(finding.code) {
            // An expectation has no instruction; its place is the launch file's table.
            expect::place(&mut diagnostic, launch);
        }
        Found { diagnostic, replay: Some(finding.replay) }
    };
    report.findings.extend(checked.findings.iter().chain(&checked.unsupported).map(found));
    report.hints.extend(checked.hints.iter().map(found));
    report.not_checked.extend(checked.not_checked.iter().cloned());
    report.explored += checked.exhausted.map_or(0, |e| e.runs as usize);
    report.steps += checked.runs.iter().map(|r| r.steps).sum::<u64>();
    // The first of an exhaustive exploration is among the runs.
    report.steps +=
        checked.exhausted.map_or(0, |e| e.steps.saturating_sub(checked.runs.last().map_or(0, |r| r.steps)));
    let conclusion = match checked.verdict {
        Verdict::Clean => Conclusion::Clean,
        Verdict::Findings => Conclusion::Findings,
        Verdict::Unsupported => Conclusion::Unsupported,
    };
    report.conclusion = worse(report.conclusion, conclusion);
}

/// `kernel.ptx: 19 runs, 12345 instructions; 18 finished, 1 hung`.
fn described(name: &str, checked: &CheckReport) -> String {
    let exhausted = checked.exhausted.unwrap_or_default();
    // Of an exhaustive exploration the first run stands for all of them.
    let own = checked.runs.len().saturating_sub(usize::from(exhausted.runs > 0));
    let runs: &[RunSummary] = checked.runs.get(..own).unwrap_or_default();
    let steps: u64 = runs.iter().map(|r| r.steps).sum();
    let mut ends: Vec<(&str, usize)> = Vec::new();
    for run in runs {
        let word = match run.outcome {
            Outcome::Finished | Outcome::Pruned => "finished",
            Outcome::TooManyDecisions => "took too many decisions",
            Outcome::Deadlock(_) => "hung",
            Outcome::Fault { .. } => "died",
            Outcome::StepLimit(_) => "reached the step limit",
            Outcome::Unsupported { .. } => "met something not modelled",
        };
        match ends.iter_mut().find(|(w, _)| *w == word) {
            Some((_, count)) => *count += 1,
            None => ends.push((word, 1)),
        }
    }
    let ends: Vec<String> = ends.iter().map(|(word, count)| format!("{count} {word}")).collect();
    let mut parts = Vec::new();
    if !runs.is_empty() {
        let plural = if runs.len() == 1 { "" } else { "s" };
        parts.push(format!("{} run{plural}, {steps} instructions; {}", runs.len(), ends.join(", ")));
    }
    if exhausted.runs > 0 {
        let all = if exhausted.complete { "every order of visible steps" } else { "orders of visible steps" };
        let plural = if exhausted.runs == 1 { "" } else { "s" };
        parts.push(format!("{all}: {} run{plural}, {} instructions", exhausted.runs, exhausted.steps));
    }
    format!("{name}: {}", parts.join("; "))
}

fn worse(a: Conclusion, b: Conclusion) -> Conclusion {
    let order = [Conclusion::Invalid, Conclusion::Findings, Conclusion::Unsupported];
    order.into_iter().find(|c| a == *c || b == *c).unwrap_or(Conclusion::Clean)
}
