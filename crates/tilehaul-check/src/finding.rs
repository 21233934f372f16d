//! Findings: what a detector has to say, with places of the program instead of spans.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tilehaul_diag::{Code, Diagnostic, Level, Source, Span};
use tilehaul_machine::{PlaceId, Replay};

/// A place and what is to be seen there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The instruction.
    pub place: PlaceId,
    /// Who did what there, over which bytes.
    pub text: String,
}

/// What a detector has to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Stable name of the hazard.
    pub code: Code,
    /// How much it matters.
    pub level: Level,
    /// One sentence that makes sense alone.
    pub message: String,
    /// The later access, or the place that is wrong.
    pub primary: Spot,
    /// The earlier access, the wait that did not cover it.
    pub secondary: Vec<Spot>,
    /// Further sentences.
    pub notes: Vec<String>,
    /// The smallest change that mends it.
    pub fix: Option<Cow<'static, str>>,
    /// Where the rule is known from.
    pub source: Option<Source>,
    /// How often it was seen in all runs together.
    pub count: u64,
    /// The run that showed it first.
    pub replay: Replay,
}

impl Finding {
    /// The finding as a diagnostic: `span` turns places into spans, `text` gives the words of an instruction for places
    /// that have none.
    #[must_use]
    pub fn diagnostic(
        &self,
        span: impl Fn(PlaceId) -> Option<Span>,
        text: impl Fn(PlaceId) -> String,
    ) -> Diagnostic {
        let mut d = Diagnostic::new(self.code, self.level, self.message.clone());
        d.source = self.source;
        match span(self.primary.place) {
            Some(at) => d = d.at(at, self.primary.text.clone()),
            None => d = d.note(format!("at `{}`: {}", text(self.primary.place), self.primary.text)),
        }
        for spot in &self.secondary {
            match span(spot.place) {
                Some(at) => d = d.also(at, spot.text.clone()),
                None => d = d.note(format!("at `{}`: {}", text(spot.place), spot.text)),
            }
        }
        for note in &self.notes {
            d = d.note(note.clone());
        }
        if self.count > 1 {
            d = d.note(format!("seen {} times", self.count));
        }
        if let Some(fix) = &self.fix {
            d = d.fix(fix.clone());
        }
        d
    }
}

/// Findings of one or more runs: the same code at the same two places counts as one.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    index: BTreeMap<(Code, PlaceId, Option<PlaceId>), usize>,
}

/// Most different findings kept; more are counted only.
const KEPT: usize = 200;

impl Findings {
    /// Counts one more of this kind and these places. `make` is called for the first only.
    pub(crate) fn add(
        &mut self,
        code: Code,
        place: PlaceId,
        other: Option<PlaceId>,
        make: impl FnOnce() -> Finding,
    ) {
        match self.index.get(&(code, place, other)) {
            Some(&i) => self.list[i].count += 1,
            None if self.list.len() < KEPT => {
                self.index.insert((code, place, other), self.list.len());
                self.list.push(make());
            }
            None => {}
        }
    }

    /// True when a finding of this code at these places is there already, so that it need not be worded again.
    pub(crate) fn count_again(&mut self, code: Code, place: PlaceId, other: Option<PlaceId>) -> bool {
        match self.index.get(&(code, place, other)) {
            Some(&i) => {
                self.list[i].count += 1;
                true
            }
            None => false,
        }
    }

    /// Takes in the findings of another run.
    pub(crate) fn merge(&mut self, other: Findings) {
        for finding in other.list {
            let second = finding.secondary.first().map(|s| s.place);
            let key = (finding.code, finding.primary.place, second);
            match self.index.get(&key) {
                Some(&i) => self.list[i].count += finding.count,
                None if self.list.len() < KEPT => {
                    self.index.insert(key, self.list.len());
                    self.list.push(finding);
                }
                None => {}
            }
        }
    }

    /// All of them, in order of discovery.
    #[must_use]
    pub fn list(&self) -> &[Finding] {
        &self.list
    }
}
