//! Every order of visible steps: depth first over the decisions of runs, with sleep sets.
//!
//! A run follows a script of options and then takes the first that is not asleep. The tree remembers what every option at
//! every decision of the present path touched; steps that commute with all that came since need not be taken again
//! (Godefroid's sleep sets). Sleep sets leave out orders of commuting steps, never a reachable state, so every outcome
//! and every pair of steps that could be taken in one state is seen. Bounds are the caller's: it stops when it likes.

use crate::chooser::Sleeper;
use crate::{Decision, Landing, Options, Replay, Schedule};

/// The decisions of the present path.
#[derive(Debug, Default)]
pub struct Tree {
    path: Vec<Node>,
    started: bool,
}

#[derive(Debug)]
struct Node {
    decision: Decision,
    /// Options tried before the present one, with what their steps touched.
    tried: Vec<Sleeper>,
}

impl Tree {
    /// A tree of which nothing was explored.
    #[must_use]
    pub fn new() -> Tree {
        Tree::default()
    }

    /// Options for the next run, with the bounds of `base`; none when all was explored.
    #[must_use]
    pub fn next(&self, base: &Options) -> Option<Options> {
        if self.started && self.path.is_empty() {
            return None;
        }
        Some(Options {
            replay: Replay { schedule: Schedule::Exhaustive, landing: Landing::Exhaustive },
            script: self.path.iter().map(|n| n.decision.taken).collect(),
            asleep: self.path.last().map_or_else(Vec::new, Node::asleep_after),
            ..base.clone()
        })
    }

    /// Takes in the decisions of that run and moves on. `leave` gets, for each decision that is done with, every step
    /// that could be taken there and what it touched.
    pub fn ran(&mut self, mut decisions: Vec<Decision>, mut leave: impl FnMut(&[Sleeper])) {
        self.started = true;
        let fresh = decisions.split_off(self.path.len().min(decisions.len()));
        if let (Some(node), Some(last)) = (self.path.last_mut(), decisions.last()) {
            node.decision.footprint.clone_from(&last.footprint);
        }
        self.path.extend(fresh.into_iter().map(|decision| Node { decision, tried: Vec::new() }));
        while let Some(node) = self.path.last_mut() {
            let taken = node.decision.taken as usize;
            let footprint = std::mem::take(&mut node.decision.footprint);
            if let Some(&actor) = node.decision.options.get(taken) {
                node.tried.push(Sleeper { actor, footprint });
            }
            let done = |a| node.tried.iter().chain(&node.decision.asleep).any(|s| s.actor == a);
            if let Some(next) = node.decision.options.iter().position(|&a| !done(a)) {
                node.decision.taken = next as u32;
                return;
            }
            node.tried.append(&mut node.decision.asleep);
            leave(&node.tried);
            self.path.pop();
        }
    }
}

impl Node {
    /// What may sleep after the present option's step; the run itself wakes what the step does not commute with.
    fn asleep_after(&self) -> Vec<Sleeper> {
        let taken = self.decision.options.get(self.decision.taken as usize);
        let all = self.decision.asleep.iter().chain(&self.tried);
        all.filter(|s| Some(&s.actor) != taken).cloned().collect()
    }
}
