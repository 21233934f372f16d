//! How broken rules are told: arguments by the name the caller knows, lists of the wrong length, the nearest legal choice.

use std::fmt::Display;

use super::super::MAX_RANK;
use super::super::arguments::{Lists, Naming};
use super::super::rules as r;
use super::Check;
use crate::Rule;

impl Check<'_> {
    /// The first `rank - fewer` entries, or a complaint and `None`. `names` are the plain name and cuda.h's.
    pub(super) fn entries<'v>(
        &mut self,
        given: &'v [u64],
        rank: u32,
        fewer: usize,
        names: (&'static str, &'static str),
    ) -> Option<&'v [u64]> {
        let wanted = (rank as usize).saturating_sub(fewer);
        // A rank that is too high is refused by itself.
        let looked_at = wanted.min(MAX_RANK - fewer);
        if given.len() < looked_at || rank as usize <= MAX_RANK {
            self.count(given, wanted, rank, names)?;
        }
        given.get(..looked_at)
    }

    pub(super) fn corner_entries(
        &mut self,
        given: &[i64],
        wanted: usize,
        rank: usize,
        names: (&'static str, &'static str),
    ) -> Option<[i64; 3]> {
        let wanted = wanted.min(3);
        self.count(given, wanted, u32::try_from(rank).unwrap_or(u32::MAX), names)?;
        let mut corners = [0; 3];
        for (corner, &value) in corners.iter_mut().zip(given).take(wanted) {
            *corner = value;
        }
        Some(corners)
    }

    /// Complains about a list of another length than the rank asks for.
    pub(super) fn count<T: Display>(
        &mut self,
        given: &[T],
        wanted: usize,
        rank: u32,
        names: (&'static str, &'static str),
    ) -> Option<()> {
        let surplus = given.len() > wanted && self.context.lists == Lists::Exact;
        if given.len() >= wanted && !surplus {
            return Some(());
        }
        let numbers =
            |count: usize| if count == 1 { "1 number".to_owned() } else { format!("{count} numbers") };
        let shown: Vec<String> = given.iter().take(8).map(T::to_string).collect();
        let shown = if given.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) };
        self.tell(
            &r::ARGUMENT_COUNT,
            format!(
                "{} has {}{shown} where {} = {rank} asks for {wanted}",
                self.plain(names.0, names.1),
                numbers(given.len()),
                self.plain("rank", "tensorRank"),
            ),
            match wanted {
                0 => "leave it out".to_owned(),
                _ => format!("give {}, innermost first", numbers(wanted)),
            },
        );
        None
    }

    /// Adds a broken rule: the sentence, and the nearest legal choice.
    pub(super) fn tell(&mut self, rule: &Rule, what: impl AsRef<str>, fix: impl AsRef<str>) {
        let fix = fix.as_ref();
        let mut imperative = String::with_capacity(fix.len() + 1);
        let mut letters = fix.chars();
        imperative.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        imperative.push_str(letters.as_str());
        imperative.push('.');
        self.broken.push(rule.broken(format!("{}; {fix}", what.as_ref()), imperative));
    }

    /// Adds a sentence to the rule told last.
    pub(super) fn remark(&mut self, note: &str) {
        if let Some(last) = self.broken.pop() {
            self.broken.push(last.note(note));
        }
    }

    pub(super) fn plain(&self, plain: &'static str, cuda: &'static str) -> &'static str {
        match self.context.naming {
            Naming::Plain => plain,
            Naming::Cuda => cuda,
        }
    }

    pub(super) fn indexed(&self, plain: &str, cuda: &str, at: usize) -> String {
        match self.context.naming {
            Naming::Plain => format!("{plain} {at}"),
            Naming::Cuda => format!("{cuda}[{at}]"),
        }
    }

    pub(super) fn corner_name(&self, which: &str, cuda: &str, axis: usize) -> String {
        match self.context.naming {
            Naming::Plain => format!("{which} corner of {}", ["W", "H", "D"][axis.min(2)]),
            Naming::Cuda => format!("{cuda}[{axis}]"),
        }
    }
}

/// The multiples of `unit` from `least` to `most` that are next to `value`, as `48 or 64`; at least one must exist.
pub(super) fn neighbours(value: u64, unit: u64, least: u64, most: u64) -> String {
    let (least, most) = (least.max(1).next_multiple_of(unit), most - most % unit);
    let below = value.min(most) / unit * unit;
    let above = below.saturating_add(unit);
    match (below >= least, above <= most) {
        (true, true) => format!("{below} or {above}"),
        (true, false) => below.to_string(),
        (false, _) => above.max(least).to_string(),
    }
}
