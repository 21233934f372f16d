//! What looks at barrier objects come to: a wait, where the actor comes back to look again, or a pass.

use std::collections::BTreeMap;

use super::{Copies, Step, events_of};
use crate::chooser::{Actor, BarrierName, Deed};

/// What an event has to do with a barrier object, for [`looks_again`].
#[derive(Clone, Copy)]
enum Comes {
    Looks(BarrierName),
    Passes(BarrierName),
    Elsewhere,
    /// It only waited for what was there.
    Nowhere,
}

/// For each event whether it looks at a barrier object to which its actor comes back at once, so that it waits there.
pub(super) fn looks_again(steps: &[Step<'_>], copies: &Copies) -> Vec<bool> {
    let events: Vec<(Actor, Comes)> = steps
        .iter()
        .filter(|step| !step.is_vain())
        .flat_map(events_of)
        .map(|(actor, deeds)| match deeds.first().map(|f| f.deed) {
            Some(Deed::Looked { barrier, .. } | Deed::Polled { barrier, .. }) => {
                (actor, Comes::Looks(barrier))
            }
            Some(Deed::Passed { barrier, .. }) => (actor, Comes::Passes(barrier)),
            Some(_) if deeds.iter().all(|f| copies.none_for(f.deed)) => (actor, Comes::Nowhere),
            _ => (actor, Comes::Elsewhere),
        })
        .collect();
    let mut next: BTreeMap<Actor, Option<BarrierName>> = BTreeMap::new();
    let mut again: Vec<bool> = events
        .iter()
        .rev()
        .map(|&(actor, comes)| {
            let (at, looks) = match comes {
                Comes::Nowhere => return false,
                Comes::Looks(barrier) => (Some(barrier), true),
                Comes::Passes(barrier) => (Some(barrier), false),
                Comes::Elsewhere => (None, false),
            };
            // Whoever never came further was still waiting.
            next.insert(actor, at).is_none_or(|next| next == at) && looks
        })
        .collect();
    again.reverse();
    again
}

/// What an event did to a barrier object, knowing whether its actor stays there.
pub(super) fn settled(deed: Deed, again: bool) -> Deed {
    match deed {
        Deed::Looked { barrier, .. } | Deed::Polled { barrier, .. } if again => Deed::Waits(barrier),
        Deed::Polled { barrier, completed } => Deed::Passed { barrier, completed, lasting: false },
        other => other,
    }
}
