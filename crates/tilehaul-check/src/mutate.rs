//! Alertness: makes each mutation of a program in turn and sees whether the check notices.
//!
//! A mutant is *noticed* when its check ends with a finding. One that is not may be equivalent: where the launch is small
//! enough for an exhaustive exploration without a finding, it is called so.

use tilehaul_diag::Code;
use tilehaul_machine::{GlobalMemory, Launch, Mutate, Mutation};

use crate::explore::{Bounds, Explore, Inspect, Verdict, explore};

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A finding with this code.
    Noticed(Code),
    /// Every schedule and landing of it was run and none showed anything.
    Equivalent,
    /// No explored run showed anything.
    Unnoticed,
    /// It met something that is not modelled.
    Unsupported,
}

/// Fates of all mutants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MutationReport {
    /// One row for each mutation, in order of place.
    pub rows: Vec<(Mutation, Fate)>,
}

impl MutationReport {
    /// Mutants that were noticed, and all that are not equivalent.
    #[must_use]
    pub fn score(&self) -> (usize, usize) {
        let noticed = self.rows.iter().filter(|r| matches!(r.1, Fate::Noticed(_))).count();
        let all = self.rows.iter().filter(|r| r.1 != Fate::Equivalent).count();
        (noticed, all)
    }
}

/// Checks every mutant. `bounds` asks for an exhaustive exploration of those that the runs of `how` do not notice.
pub fn mutate<P: Mutate>(
    program: &P,
    launch: &Launch,
    memory: &dyn Fn() -> GlobalMemory,
    how: &Explore,
    bounds: Option<Bounds>,
    inspect: &mut Inspect<'_>,
) -> MutationReport {
    let how = Explore { stop_at_finding: true, exhaustive: None, ..how.clone() };
    let mut report = MutationReport::default();
    for mutation in program.mutations() {
        let mutant = program.mutant(mutation);
        let mut fate = judge(&mutant, launch, memory, &how, inspect);
        if let (Fate::Unnoticed, Some(bounds)) = (fate, bounds) {
            let all = Explore { runs: Vec::new(), exhaustive: Some(bounds), ..how.clone() };
            let result = explore(&mutant, launch, memory, &all, inspect);
            fate = match result.verdict {
                Verdict::Findings => {
                    result.findings.first().map_or(Fate::Unnoticed, |f| Fate::Noticed(f.code))
                }
                Verdict::Clean if result.not_checked.is_empty() => Fate::Equivalent,
                Verdict::Clean | Verdict::Unsupported => Fate::Unnoticed,
            };
        }
        report.rows.push((mutation, fate));
    }
    report
}

fn judge<P: Mutate>(
    mutant: &P,
    launch: &Launch,
    memory: &dyn Fn() -> GlobalMemory,
    how: &Explore,
    inspect: &mut Inspect<'_>,
) -> Fate {
    let result = explore(mutant, launch, memory, how, inspect);
    match (result.verdict, result.findings.first()) {
        (Verdict::Findings, Some(finding)) => Fate::Noticed(finding.code),
        (Verdict::Unsupported, _) => Fate::Unsupported,
        (Verdict::Findings | Verdict::Clean, _) => Fate::Unnoticed,
    }
}
