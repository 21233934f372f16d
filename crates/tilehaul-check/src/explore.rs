//! Runs a launch under several schedules and landings and puts together what was found.

use tilehaul_diag::{Code, Level};
use tilehaul_layout::banks::Chip;
use tilehaul_machine::{
    CounterSpec, DECISION_LIMIT, Decision, GlobalMemory, Landing, Launch, LeftOpen, Options, Outcome,
    Program, Replay, Report, Schedule, Tree, run,
};

use crate::checker::{Checked, Checker};
use crate::finding::{Finding, Findings, KEPT};
use crate::hazard::{self, Rank};
use crate::hint::WaitHints;
use crate::raced;
use crate::shadow::MAX_RECORDS;
use crate::told::{from_diagnostic, from_report, from_stuck};

/// What to explore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explore {
    /// The runs, in order.
    pub runs: Vec<Replay>,
    /// Bounds of an exhaustive exploration after them; none for none.
    pub exhaustive: Option<Bounds>,
    /// Most instructions of a run.
    pub step_limit: u64,
    /// Most blocks resident at once; none for what the chip holds ([`Options::resident`]).
    pub resident: Option<u32>,
    /// Stop as soon as a run has shown a finding.
    pub stop_at_finding: bool,
    /// Whose shared-memory banks are looked at for conflicts; none for nobody's.
    pub banks: Option<Chip>,
}

/// Bounds of an exhaustive exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most runs.
    pub runs: u32,
    /// Most decisions in a run.
    pub decisions: u32,
    /// Stop as soon as more runs are known to be needed than that: only a proof is of interest.
    pub all_or_nothing: bool,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { runs: 20_000, decisions: DECISION_LIMIT, all_or_nothing: false }
    }
}

impl Default for Explore {
    /// Eager, lazy (waves in order and in reverse) and 16 seeds of schedule and landing.
    fn default() -> Explore {
        Explore::seeds(16)
    }
}

impl Explore {
    /// Eager, lazy (waves in order and in reverse) and `seeds` seeds of schedule and landing.
    #[must_use]
    pub fn seeds(seeds: u64) -> Explore {
        let mut runs = vec![
            Replay { schedule: Schedule::RoundRobin, landing: Landing::Eager },
            Replay { schedule: Schedule::RoundRobin, landing: Landing::Lazy },
            Replay { schedule: Schedule::Reverse, landing: Landing::Lazy },
        ];
        runs.extend((1..=seeds).map(|seed| match seed % 4 {
            0 => Replay { schedule: Schedule::Pct { seed, depth: 3 }, landing: Landing::Random(seed) },
            _ => Replay::random(seed),
        }));
        let limits = Options::default();
        Explore {
            runs,
            exhaustive: None,
            step_limit: limits.step_limit,
            resident: limits.resident,
            stop_at_finding: false,
            banks: None,
        }
    }

    /// One run.
    #[must_use]
    pub fn only(replay: Replay) -> Explore {
        Explore { runs: vec![replay], ..Explore::seeds(0) }
    }
}

/// What a check concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing wrong was found in what was explored.
    Clean,
    /// At least one finding.
    Findings,
    /// Something was met that is not modelled or a run did not end within its bounds, and nothing wrong before it.
    Unsupported,
}

/// One run of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    /// The string that replays it.
    pub replay: Replay,
    /// Instructions of all waves.
    pub steps: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// An exhaustive exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exhausted {
    /// Runs.
    pub runs: u32,
    /// Instructions of all of them.
    pub steps: u64,
    /// No order was left out, and none ended early.
    pub complete: bool,
}

/// What a check leaves behind.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The conclusion.
    pub verdict: Verdict,
    /// What can give a wrong result, a hang or a dead launch.
    pub findings: Vec<Finding>,
    /// Warnings and notes.
    pub hints: Vec<Finding>,
    /// What was not modelled, when a run met it, or that a run did not end within its bounds.
    pub unsupported: Vec<Finding>,
    /// The runs; of an exhaustive exploration only the first.
    pub runs: Vec<RunSummary>,
    /// The exhaustive exploration, when there was one.
    pub exhausted: Option<Exhausted>,
    /// What was not checked, in words.
    pub not_checked: Vec<String>,
}

/// Looks at the memory that a finished run leaves, for expectations; returns what it has to say.
pub type Inspect<'a> = dyn FnMut(&Replay, &GlobalMemory) -> Vec<Finding> + 'a;

/// Makes the memory that a run starts with; runs on several cores ask for theirs at the same time.
pub type Fresh<'a> = dyn Fn() -> GlobalMemory + Sync + 'a;

/// Checks a launch: every run of `explore` with a fresh `memory`, each with a checker; `inspect` sees the memory of each
/// run that finishes.
///
/// Runs are spread over the cores, as many at a time as there are; the report is the same for any number of them.
pub fn explore(
    program: &dyn Program,
    launch: &Launch,
    memory: &Fresh<'_>,
    explore: &Explore,
    inspect: &mut Inspect<'_>,
) -> CheckReport {
    let subject = Subject { program, launch, memory, banks: explore.banks };
    let mut sum = Sum {
        subject,
        inspect,
        findings: Findings::default(),
        unsupported: Findings::default(),
        hints: WaitHints::default(),
        arranged: Findings::default(),
        runs: Vec::new(),
        exhausted: None,
        not_checked: Vec::new(),
    };
    // Who stops at the first finding (mutants) runs no more than that takes.
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = if explore.stop_at_finding { 1 } else { all };
    // Where a run takes no longer than the start of a thread, one core is the quickest.
    let few = launch.blocks().saturating_mul(launch.waves_per_block()) <= FEW_WAVES;
    let short = |sum: &Sum<'_>| few && sum.runs.last().is_none_or(|r| r.steps < FEW_STEPS);
    let mut rest = explore.runs.as_slice();
    'all: while !rest.is_empty() {
        let (replays, others) = rest.split_at(if short(&sum) { 1 } else { cores.min(rest.len()) });
        rest = others;
        let options = |replay| Options {
            replay,
            step_limit: explore.step_limit,
            resident: explore.resident,
            ..Options::default()
        };
        // What came after a run that ends the exploration does not count, as if it had not been run.
        for done in subject.runs_at_once(replays.iter().map(|&replay| options(replay))) {
            sum.take(done);
            // A launch that meets something unknown or does not end does so under every schedule.
            match sum.runs.last().map(|r| &r.outcome) {
                Some(Outcome::Unsupported { .. }) => break 'all,
                Some(Outcome::StepLimit(_)) => {
                    if let (Some(replay), true) =
                        (sum.runs.last().map(|r| r.replay), sum.runs.len() < explore.runs.len())
                    {
                        let reason = "the schedules and landings after this one, which did not end";
                        sum.leave_out(reason.to_owned(), replay);
                    }
                    break 'all;
                }
                _ => {}
            }
            if explore.stop_at_finding && sum.has_finding() {
                break 'all;
            }
        }
    }
    if let Some(bounds) = explore.exhaustive {
        match sum.runs.last() {
            Some(RunSummary {
                replay, outcome: Outcome::Unsupported { .. } | Outcome::StepLimit(_), ..
            }) => {
                let replay = *replay;
                sum.leave_out(
                    "every order of visible steps, of a launch that does not end".to_owned(),
                    replay,
                );
            }
            _ => sum.exhaust(bounds, explore),
        }
    }
    sum.report()
}

/// Launches of so few waves whose runs have so few steps run on one core.
const FEW_WAVES: u32 = 64;
const FEW_STEPS: u64 = 20_000;

/// Codes of other crates that are not causes. Their entries are in the facade, a test of which looks for each.
pub const RANKED: [(Code, Rank); 14] = [
    (Code("transaction-bytes-unannounced"), Rank::Root),
    (Code("global-out-of-bounds"), Rank::Address),
    (Code("shared-out-of-bounds"), Rank::Address),
    (Code("tensor-out-of-bounds"), Rank::Address),
    (Code("private-out-of-bounds"), Rank::Address),
    (Code("scratch-out-of-bounds"), Rank::Address),
    (Code("misaligned-access"), Rank::Address),
    (Code("tmem-column-bounds"), Rank::Address),
    (Code("tmem-lane-alignment"), Rank::Address),
    (Code("tmem-dealloc-address"), Rank::Address),
    (Code("deadlock"), Rank::Ending),
    (Code("step-limit"), Rank::Ending),
    (Code("expectation-failed"), Rank::Ending),
    (Code("expected-element-undefined"), Rank::Ending),
];

/// Notes of other crates that correct programs get too: they may say why a result is wrong, and are told where one is.
const EXPLAINS: [Code; 1] = [Code("tdm-extent-not-shrunk")];

/// Where a finding of this code stands among others.
#[must_use]
pub fn rank(code: Code) -> Rank {
    let own = hazard::ALL.iter().find(|h| h.code == code).map(|h| h.rank);
    let other = || RANKED.iter().find(|r| r.0 == code).map(|r| r.1);
    own.or_else(other).unwrap_or(Rank::Cause)
}

/// What one run leaves behind.
struct Done {
    replay: Replay,
    checked: Option<Checked>,
    reports: Vec<Report>,
    outcome: Outcome,
    steps: u64,
    memory: GlobalMemory,
    decisions: Vec<Decision>,
    left_open: Option<LeftOpen>,
}

/// What is checked, and how.
#[derive(Clone, Copy)]
struct Subject<'a> {
    program: &'a dyn Program,
    launch: &'a Launch,
    memory: &'a Fresh<'a>,
    banks: Option<Chip>,
}

impl Subject<'_> {
    /// One run with a checker.
    fn run(self, options: Options) -> Done {
        let Subject { program, launch, memory: fresh, banks } = self;
        let (replay, memory) = (options.replay, fresh());
        let checker = Checker::new(launch, &memory, program.channels(), program.counters(), replay);
        let checker = Box::new(checker.with_banks(banks));
        let mut result = run(program, launch, memory, options.clone(), Some(checker));
        let checker = result.observer.take().and_then(|o| o.into_any().downcast::<Checker>().ok());
        let mut checked = checker.map(|checker| checker.finish(program));
        if let Some(checked) = &mut checked {
            raced::put_aside(checked, &result, (program, launch, fresh), &options);
        }
        Done {
            replay,
            checked,
            reports: result.reports,
            outcome: result.outcome,
            steps: result.steps,
            memory: result.memory,
            decisions: result.decisions,
            left_open: result.left_open,
        }
    }

    /// Runs on a core each, in order.
    fn runs_at_once(self, mut runs: impl ExactSizeIterator<Item = Options>) -> Vec<Done> {
        let Some(first) = runs.next() else { return Vec::new() };
        std::thread::scope(|scope| {
            let others: Vec<_> = runs.map(|options| scope.spawn(move || self.run(options))).collect();
            let mut done = vec![self.run(first)];
            for other in others {
                match other.join() {
                    Ok(other) => done.push(other),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        })
    }
}

struct Sum<'a> {
    subject: Subject<'a>,
    inspect: &'a mut Inspect<'a>,
    findings: Findings,
    unsupported: Findings,
    hints: WaitHints,
    /// What to say of arranged tiles where results are not as expected.
    arranged: Findings,
    runs: Vec<RunSummary>,
    exhausted: Option<Exhausted>,
    /// Reasons, with the first run that has one and how many have it.
    not_checked: Vec<(String, Replay, u32)>,
}

impl Sum<'_> {
    fn take(&mut self, result: Done) -> Vec<Decision> {
        let replay = result.replay;
        if let Some(left_open) = result.left_open {
            self.leave_out(left_open.to_string(), replay);
        }
        if let Some(Checked { findings, hints, overflowed, arranged, .. }) = result.checked {
            self.findings.merge(findings);
            arranged.into_iter().for_each(|finding| self.arranged.take(finding));
            self.hints.merge(hints);
            if overflowed {
                self.leave_out(
                    format!("accesses beyond the first {MAX_RECORDS} that are remembered apart"),
                    replay,
                );
            }
        }
        for report in result.reports {
            let finding = from_report(report, replay);
            self.add(finding);
        }
        match &result.outcome {
            Outcome::Finished => {
                for finding in (self.inspect)(&replay, &result.memory) {
                    self.add(finding);
                }
            }
            Outcome::Pruned => {}
            Outcome::TooManyDecisions => {
                self.leave_out(format!("what comes after {} decisions", result.decisions.len()), replay);
            }
            Outcome::Fault { who, diagnostic } => {
                let verb = if who.lanes.len() <= 1 { "dies" } else { "die" };
                let text = format!("{who} {verb} here");
                self.add(from_diagnostic(diagnostic, who.place, text, replay));
            }
            Outcome::Deadlock(hang) => {
                if let Some(finding) = from_stuck(&result.outcome, &hang.stuck, replay) {
                    self.add(finding);
                }
            }
            Outcome::StepLimit(left) => {
                // A bound of ours says nothing about the kernel.
                if let Some(finding) = from_stuck(&result.outcome, left, replay) {
                    let place = finding.primary.place;
                    self.unsupported.add(finding.code, place, None, || finding);
                }
                self.leave_out(format!("what comes after {} instructions", result.steps), replay);
            }
            Outcome::Unsupported { who, diagnostic } => {
                let text = "not modelled".to_string();
                let finding = from_diagnostic(diagnostic, who.place, text, replay);
                let place = finding.primary.place;
                self.unsupported.add(finding.code, place, None, || finding);
                self.leave_out("what comes after the unsupported instruction".to_owned(), replay);
            }
        }
        self.runs.push(RunSummary { replay, steps: result.steps, outcome: result.outcome });
        result.decisions
    }

    fn leave_out(&mut self, reason: String, replay: Replay) {
        match self.not_checked.iter_mut().find(|(r, ..)| *r == reason) {
            Some((.., count)) => *count += 1,
            None => self.not_checked.push((reason, replay, 1)),
        }
    }

    fn has_finding(&self) -> bool {
        self.findings.list().iter().any(|f| f.level == Level::Error)
    }

    fn only_results_are_wrong(&self) -> bool {
        let wrong = |f: &&Finding| f.level == Level::Error;
        self.findings.list().iter().filter(wrong).all(|f| rank(f.code) == Rank::Ending)
    }

    fn add(&mut self, finding: Finding) {
        self.findings.take(finding);
    }

    /// Depth first over all decisions, with sleep sets: of steps that commute only one order is run.
    fn exhaust(&mut self, bounds: Bounds, explore: &Explore) {
        let base = Options {
            step_limit: explore.step_limit,
            resident: explore.resident,
            decision_limit: bounds.decisions,
            ..Options::default()
        };
        let mut tree = Tree::reduced(self.subject.launch);
        let kept = self.runs.len();
        let mut done = Exhausted { complete: true, ..Exhausted::default() };
        while let Some(options) = tree.next(&base) {
            if done.runs >= bounds.runs {
                done.complete = false;
                break;
            }
            let result = self.subject.run(options);
            let whole = matches!(
                result.outcome,
                Outcome::Finished | Outcome::Pruned | Outcome::Deadlock(_) | Outcome::Fault { .. }
            );
            done.complete &= whole && result.left_open.is_none();
            let decisions = self.take(result);
            done.runs += 1;
            done.steps += self.runs.last().map_or(0, |r| r.steps);
            // One line for all of them in the report.
            if self.runs.len() > kept + 1 {
                self.runs.pop();
            }
            tree.ran(decisions, |_| {});
            let hopeless =
                bounds.all_or_nothing && done.runs as usize + tree.pending() > bounds.runs as usize;
            if hopeless || explore.stop_at_finding && self.has_finding() {
                done.complete = false;
                break;
            }
        }
        self.exhausted = Some(done);
    }

    fn report(mut self) -> CheckReport {
        let hints = &self.hints;
        let polled =
            |f: &Finding| f.code == hazard::relaxed_flag::HAZARD.code && hints.polls(f.primary.place);
        self.findings.leave_out(polled);
        if !self.has_finding() {
            self.findings.leave_out(|f| EXPLAINS.contains(&f.code));
        }
        let replay = self.runs.first().map_or_else(Replay::default, |r| r.replay);
        let finished = self
            .runs
            .iter()
            .all(|r| matches!(r.outcome, Outcome::Finished | Outcome::Pruned | Outcome::TooManyDecisions));
        if finished {
            for (place, kind, used) in self.hints.weaker() {
                let counter = self.subject.program.counters().iter().find(|c| c.channels.contains(&kind));
                let Some(channel) = self.subject.program.channels().get(kind.index()) else { continue };
                // Where one wait covers several channels of its counter, what is newer than needed of one says nothing of it.
                let mixed = |c: &CounterSpec| {
                    c.channels.iter().any(|&other| other != kind && self.hints.proved(place, other))
                };
                match counter {
                    Some(counter) if channel.in_order && mixed(counter) => {}
                    Some(counter) if channel.in_order => {
                        self.add(hazard::wait_too_strong::finding(place, counter, &used, replay));
                    }
                    // What registers of matrix products rely on is not told, so only groups of copies are spoken of.
                    None if channel.per_lane => {
                        self.add(hazard::wait_too_strong::of_groups(place, channel.name, &used, replay));
                    }
                    Some(_) | None => {}
                }
            }
            // Only where nothing is wrong: a use that waits for the wrong thing tells nothing of what it needs.
            for (place, kind) in if self.has_finding() { Vec::new() } else { self.hints.for_sources() } {
                let channel = self.subject.program.channels().get(kind.index());
                if let Some(channel) = channel.filter(|c| c.waits[0] != c.waits[1]) {
                    self.add(hazard::wait_for_sources::finding(place, channel, replay));
                }
            }
            for (place, why) in
                if self.has_finding() { Vec::new() } else { self.hints.barriers.idle(self.subject.program) }
            {
                self.add(hazard::barrier_unneeded::finding(place, why, replay));
            }
            if let (false, Some(place)) = (self.has_finding(), self.hints.depth.one_stage()) {
                self.add(hazard::one_stage::finding(place, replay));
            }
            // Where something is wrong, what the fences were for is not clear.
            for (place, proxy) in if self.has_finding() { Vec::new() } else { self.hints.idle_fences() } {
                self.add(hazard::fence_unneeded::finding(place, proxy, replay));
            }
        }
        // Wrong results and nothing that explains them: how tiles are arranged may.
        if finished && self.has_finding() && self.only_results_are_wrong() {
            let arranged = std::mem::take(&mut self.arranged);
            self.findings.merge(arranged);
        }
        let (mut findings, hints): (Vec<_>, Vec<_>) =
            self.findings.list().iter().cloned().partition(|f| f.level == Level::Error);
        crate::finding::put_in_order(&mut findings, &hints);
        let unsupported = self.unsupported.list().to_vec();
        let verdict = match (findings.is_empty(), unsupported.is_empty()) {
            (false, _) => Verdict::Findings,
            (true, false) => Verdict::Unsupported,
            (true, true) => Verdict::Clean,
        };
        let mut not_checked: Vec<String> = self
            .not_checked
            .iter()
            .map(|(reason, replay, count)| match count {
                1 => format!("{replay}: {reason}"),
                _ => format!("{reason}, in {count} runs (the first is {replay})"),
            })
            .collect();
        if let Some(done) = self.exhausted.filter(|d| !d.complete) {
            not_checked.push(format!(
                "orders of visible steps beyond {} of the exhaustive exploration: nothing is proved",
                if done.runs == 1 { "the one run".to_owned() } else { format!("the {} runs", done.runs) }
            ));
        }
        if self.findings.cut {
            not_checked.push(format!("what there is to say beyond {KEPT} different findings and hints"));
        }
        let Sum { runs, exhausted, .. } = self;
        CheckReport { verdict, findings, hints, unsupported, runs, exhausted, not_checked }
    }
}
