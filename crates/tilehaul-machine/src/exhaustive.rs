//! Every order of visible steps: depth first over the decisions of runs, with sleep sets.
//!
//! A run follows a script of options and then takes the first that is not asleep. The tree remembers what every option at
//! every decision of the present path did; steps that commute with all that came since need not be taken again
//! (Godefroid's sleep sets). Sleep sets leave out orders of commuting steps, never a reachable state, so every outcome
//! and every pair of steps that could be taken in one state is seen. [`Tree::reduced`] leaves out states as well and keeps
//! every outcome: of the options at a decision only those are taken that begin an order which differs (see `reduce`).
//! Bounds are the caller's: it stops when it likes.

use crate::chooser::{Actor, Sleeper};
use crate::partial_order::{Step, wanted};
use crate::{Decision, Launch, Options, Replay};

/// The decisions of the present path.
#[derive(Debug, Default)]
pub struct Tree {
    path: Vec<Node>,
    /// Runs so far.
    runs: u32,
    /// Set when only orders that differ are taken.
    reduced: Option<Launch>,
}

#[derive(Debug)]
struct Node {
    decision: Decision,
    /// Options tried before the present one, with what their steps touched.
    tried: Vec<Sleeper>,
    /// Options still to be taken, when orders are reduced.
    todo: Vec<Actor>,
}

impl Tree {
    /// A tree of which nothing was explored.
    #[must_use]
    pub fn new() -> Tree {
        Tree::default()
    }

    /// The same, keeping every outcome but not every state of this launch.
    #[must_use]
    pub fn reduced(launch: &Launch) -> Tree {
        Tree { reduced: Some(launch.clone()), ..Tree::default() }
    }

    /// Options for the next run, with the bounds of `base`; none when all was explored.
    #[must_use]
    pub fn next(&self, base: &Options) -> Option<Options> {
        if self.runs > 0 && self.path.is_empty() {
            return None;
        }
        Some(Options {
            replay: Replay::exhaustive(self.runs.saturating_add(1)),
            script: self.path.iter().map(|n| n.decision.taken).collect(),
            asleep: self.path.last().map_or_else(Vec::new, Node::asleep_after),
            ..base.clone()
        })
    }

    /// Runs so far.
    #[must_use]
    pub fn runs(&self) -> u32 {
        self.runs
    }

    /// Runs that are known to be needed yet.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.path.iter().map(Node::pending).sum()
    }

    /// Takes in the decisions of that run and moves on. `leave` gets, for each decision that is done with, every step
    /// that could be taken there and what it touched.
    pub fn ran(&mut self, mut decisions: Vec<Decision>, mut leave: impl FnMut(&[Sleeper])) {
        self.runs = self.runs.saturating_add(1);
        let fresh = decisions.split_off(self.path.len().min(decisions.len()));
        // Also what was known before: later steps may have shown that a turn was in vain.
        for (node, again) in self.path.iter_mut().zip(&decisions) {
            node.decision.footprint.clone_from(&again.footprint);
        }
        self.path.extend(fresh.into_iter().map(|decision| Node {
            decision,
            tried: Vec::new(),
            todo: Vec::new(),
        }));
        if let Some(launch) = &self.reduced {
            let steps: Vec<Step<'_>> = self.path.iter().filter_map(|n| n.decision.step()).collect();
            for wanted in wanted(&steps, launch) {
                if let Some(node) = self.path.get_mut(wanted.decision) {
                    node.want(&wanted.actors);
                }
            }
        }
        while let Some(node) = self.path.last_mut() {
            let taken = node.decision.taken as usize;
            let footprint = std::mem::take(&mut node.decision.footprint);
            if let Some(&actor) = node.decision.options.get(taken) {
                node.tried.push(Sleeper { actor, footprint });
            }
            let done = |a| node.tried.iter().chain(&node.decision.asleep).any(|s| s.actor == a);
            let asked = |a| self.reduced.is_none() || node.todo.contains(&a);
            if let Some(next) = node.decision.options.iter().position(|&a| asked(a) && !done(a)) {
                node.decision.taken = next as u32;
                return;
            }
            node.tried.append(&mut node.decision.asleep);
            leave(&node.tried);
            self.path.pop();
        }
    }
}

impl Decision {
    fn step(&self) -> Option<Step<'_>> {
        let actor = *self.options.get(self.taken as usize)?;
        Some(Step { options: &self.options, actor, footprint: &self.footprint })
    }
}

impl Node {
    /// One of these must be taken here, sooner or later; any, when there are none.
    fn want(&mut self, actors: &[Actor]) {
        let taken = self.decision.options.get(self.decision.taken as usize);
        let covered = |a: &Actor| {
            taken == Some(a)
                || self.todo.contains(a)
                || self.tried.iter().chain(&self.decision.asleep).any(|s| s.actor == *a)
        };
        if actors.iter().any(covered) {
            return;
        }
        match actors.first() {
            Some(&actor) => self.todo.push(actor),
            None => self.todo.clone_from(&self.decision.options),
        }
    }

    /// Options that are still to be taken, the present one aside.
    fn pending(&self) -> usize {
        let taken = self.decision.options.get(self.decision.taken as usize);
        let done = |a: &Actor| self.tried.iter().chain(&self.decision.asleep).any(|s| s.actor == *a);
        self.todo.iter().filter(|a| Some(*a) != taken && !done(a)).count()
    }

    /// What may sleep after the present option's step; the run itself wakes what the step does not commute with.
    fn asleep_after(&self) -> Vec<Sleeper> {
        let taken = self.decision.options.get(self.decision.taken as usize);
        let all = self.decision.asleep.iter().chain(&self.tried);
        all.filter(|s| Some(&s.actor) != taken).cloned().collect()
    }
}
