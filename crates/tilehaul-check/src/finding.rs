//! Findings: what a detector has to say, with places of the program instead of spans.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tilehaul_diag::{Code, Diagnostic, Level, Source, Span};
use tilehaul_machine::{PlaceId, Replay};

use crate::hazard::{self, Rank};

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
    /// The instruction to mend, where the primary place is only one of those that suffer: findings of one code with the
    /// same cause are one.
    pub cause: Option<PlaceId>,
    /// Of findings with one cause the one with the lowest need is told: the count that a wait must ask for.
    pub need: u32,
    /// Other primary places with the same cause.
    pub more: Vec<PlaceId>,
    /// It is about loads only that something races with: if nobody uses what they bring, it is none.
    pub by_loads: bool,
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
        if !self.more.is_empty() {
            let mut lines: Vec<String> =
                self.more.iter().take(NAMED).map(|&p| format!("`{}`", text(p))).collect();
            if self.more.len() > NAMED {
                lines.push("others".to_owned());
            }
            d = d.note(format!("the same happens at {}", lines.join(", ")));
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

/// Places with the same cause that are remembered, and those that are named.
const MORE: usize = 16;
const NAMED: usize = 3;

/// What makes two findings one: the code and the instruction to mend, or else the two places that clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub code: Code,
    pub place: PlaceId,
    pub other: Option<PlaceId>,
}

impl Key {
    pub(crate) fn of(finding: &Finding) -> Key {
        let (code, first) = (finding.code, finding.secondary.first());
        match finding.cause {
            Some(place) => Key { code, place, other: None },
            None => Key { code, place: finding.primary.place, other: first.map(|s| s.place) },
        }
    }
}

/// Findings of one or more runs, those of one key counted as one.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    index: BTreeMap<Key, usize>,
    /// There were more than are kept.
    pub(crate) cut: bool,
}

/// Most different findings kept. Errors take the places of others.
pub(crate) const KEPT: usize = 200;

impl Findings {
    /// Counts one more of this kind and these places. `make` is called for the first only.
    pub(crate) fn add(
        &mut self,
        code: Code,
        place: PlaceId,
        other: Option<PlaceId>,
        make: impl FnOnce() -> Finding,
    ) {
        let key = Key { code, place, other };
        match self.index.get(&key) {
            Some(&i) => self.list[i].count += 1,
            None => self.push(key, make()),
        }
    }

    /// True when a finding of this key is there already and tells as much, so that it need not be worded again.
    pub(crate) fn count_again(&mut self, key: Key, place: PlaceId, need: u32, by_load: bool) -> bool {
        let Some(&i) = self.index.get(&key) else { return false };
        if need < self.list[i].need {
            return false;
        }
        self.list[i].count += 1;
        self.list[i].by_loads &= by_load;
        self.list[i].also_at(place);
        true
    }

    /// Takes in one finding: with others of its key it becomes one.
    pub(crate) fn take(&mut self, mut finding: Finding) {
        let key = Key::of(&finding);
        let Some(&i) = self.index.get(&key) else { return self.push(key, finding) };
        let kept = &mut self.list[i];
        let by_loads = kept.by_loads && finding.by_loads;
        (kept.by_loads, finding.by_loads) = (by_loads, by_loads);
        if finding.need < kept.need {
            std::mem::swap(kept, &mut finding);
        }
        kept.count += finding.count;
        kept.also_at(finding.primary.place);
        for place in finding.more {
            kept.also_at(place);
        }
    }

    fn push(&mut self, key: Key, finding: Finding) {
        if self.list.len() < KEPT {
            self.index.insert(key, self.list.len());
            self.list.push(finding);
            return;
        }
        self.cut = true;
        let lesser = || self.list.iter().rposition(|f| f.level != Level::Error);
        if let Some(i) = (finding.level == Level::Error).then(lesser).flatten() {
            self.index.retain(|_, at| *at != i);
            self.index.insert(key, i);
            self.list[i] = finding;
        }
    }

    /// Takes in the findings of another run.
    pub(crate) fn merge(&mut self, other: Findings) {
        self.cut |= other.cut;
        for finding in other.list {
            self.take(finding);
        }
    }

    /// Drops those that turn out to be none.
    pub(crate) fn leave_out(&mut self, none: impl Fn(&Finding) -> bool) {
        if self.list.iter().any(&none) {
            let all = std::mem::take(self);
            self.cut = all.cut;
            let kept = all.list.into_iter().filter(|f| !none(f)).collect::<Vec<_>>();
            kept.into_iter().for_each(|finding| self.take(finding));
        }
    }

    /// Puts another finding in the place of each.
    pub(crate) fn map(self, change: impl Fn(Finding) -> Finding) -> Findings {
        let mut all = Findings { cut: self.cut, ..Findings::default() };
        self.list.into_iter().map(change).for_each(|finding| all.take(finding));
        all
    }

    /// All of them, in order of discovery.
    #[must_use]
    pub fn list(&self) -> &[Finding] {
        &self.list
    }
}

impl Finding {
    fn also_at(&mut self, place: PlaceId) {
        if place != self.primary.place && !self.more.contains(&place) && self.more.len() < MORE {
            self.more.push(place);
        }
    }
}

/// Findings with causes before what follows from them.
///
/// Where an operation's bytes are read before they have landed, and the same instruction or the same read is told as one
/// that overwrites what is still read, too, it is one missing order seen from two sides, and the read comes first. When by far most
/// of it is seen from the other side, and the reader does wait for something, the operation comes too early: the odd read that
/// finds its bytes follows from that.
///
/// A race whose reader found bytes that nobody had written is where a bad address comes from, not what it leads to.
pub fn put_in_order(findings: &mut [Finding], hints: &[Finding]) {
    let undefined: Vec<PlaceId> = findings
        .iter()
        .chain(hints)
        .filter(|f| f.code == hazard::uninitialised::HAZARD.code)
        .map(|f| f.primary.place)
        .collect();
    let blind = |f: &Finding| {
        let places = f.secondary.iter().map(|s| s.place).chain([f.primary.place]);
        f.code == hazard::data_race::HAZARD.code && places.into_iter().any(|p| undefined.contains(&p))
    };
    let early: Vec<(Vec<PlaceId>, PlaceId)> = findings
        .iter()
        .filter(|f| f.code == hazard::read_before_landing::HAZARD.code)
        .filter_map(|f| {
            let readers = f.more.iter().copied().chain([f.primary.place]).collect();
            Some((readers, f.secondary.first()?.place))
        })
        .collect();
    let mirrored = |f: &Finding| {
        let reader = f.secondary.first().map(|s| s.place);
        let sides = |(readers, writer): &(Vec<PlaceId>, PlaceId)| {
            *writer == f.primary.place || reader.is_some_and(|reader| readers.contains(&reader))
        };
        f.code == hazard::source_reused::HAZARD.code && early.iter().any(sides)
    };
    // How often an operation is told as one that comes too early.
    let refills = |place: PlaceId| -> u64 {
        let refill =
            |f: &&Finding| f.code == hazard::refill_before_read::HAZARD.code && f.primary.place == place;
        findings.iter().filter(refill).map(|f| f.count).sum()
    };
    // A hang that the plainest run shows, in which nothing else is wrong: what other runs show follows from it.
    let plain = |f: &Finding| f.replay == Replay::default();
    let hangs = |f: &Finding| f.code == Code("deadlock") && plain(f);
    let alone = !findings.iter().any(|f| plain(f) && crate::rank(f.code) < Rank::Ending);
    let key = |f: &Finding| {
        let rank = crate::rank(f.code);
        match f.secondary.first() {
            _ if alone && hangs(f) => (Rank::Root, 0),
            Some(copy)
                if f.code == hazard::read_before_landing::HAZARD.code
                    && f.notes.iter().any(|n| hazard::tells_of_a_wait(n))
                    && refills(copy.place) > f.count.saturating_mul(MANY) =>
            {
                (Rank::Companion, 2)
            }
            _ if f.code == hazard::overwrite_before_landing::HAZARD.code && refills(f.primary.place) > 0 => {
                (rank.max(Rank::Companion), 1)
            }
            _ if blind(f) => (Rank::Undefined, 0),
            _ => (rank, u8::from(mirrored(f))),
        }
    };
    let keys: Vec<(Rank, u8)> = findings.iter().map(key).collect();
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|&i| keys[i]);
    let sorted: Vec<Finding> = order.iter().map(|&i| findings[i].clone()).collect();
    findings.clone_from_slice(&sorted);
}

/// So many times more often is by far most.
const MANY: u64 = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::told::from_diagnostic;

    fn finding(level: Level, place: u32) -> Finding {
        let said = Diagnostic::new(Code("some-code"), level, "something");
        from_diagnostic(&said, PlaceId(place), String::new(), Replay::random(0))
    }

    #[test]
    fn an_error_is_never_cut_off_by_hints() {
        let mut all = Findings::default();
        for place in 0..2 * KEPT as u32 {
            all.take(finding(Level::Warning, place));
        }
        assert!(all.cut && all.list().len() == KEPT);
        all.take(finding(Level::Error, u32::MAX));
        all.take(finding(Level::Error, u32::MAX));
        let errors: Vec<_> = all.list().iter().filter(|f| f.level == Level::Error).collect();
        assert_eq!((errors.len(), errors[0].count, all.list().len()), (1, 2, KEPT));
    }
}
