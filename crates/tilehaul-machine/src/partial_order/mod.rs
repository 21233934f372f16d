//! Which orders of a run's steps are worth another run: races between steps, from what each of them did.
//!
//! Two steps *depend* on each other when swapping them could change something. A run stands for all orders that keep its
//! dependent steps in order. Where two dependent steps stand next to each other but for steps that come to the same without
//! them, the other order is another run (source sets: Abdulla, Aronis, Jonsson, Sagonas, POPL 2014; dynamic partial-order
//! reduction: Flanagan, Godefroid, POPL 2005). A kernel whose threads meet only at barriers has a single such run, however
//! many waves it has; that is what makes a proof by exhaustion possible at a useful size.
//!
//! Barriers are taken for what they are: until a generation ends, its arrivals come to the same in any order, so only these
//! order steps: a wait that passed comes after all arrivals of its generation; an arrival of the next generation is another
//! case when it could have come before one of this; so is the end of a generation that a waiter of the one before could meet.
//!
//! A wave that waits in a loop of its own goes round in vain until something changes. Turns that are seen to come back to the
//! state in which they began ([`Deed::Vain`]) come to the same without them and are left out. A wave that waits so is as good
//! as blocked: the write that lets it go on enables what it reads then, and the two cannot be swapped.
//!
//! Who looks at a barrier in vain and does nothing before it looks again waits there, too. Taken as given: who finds that a
//! phase has completed would have asked again before; a loop that polls a barrier word awaits a phase of it.

mod events;
mod looks;
mod past;

use std::collections::BTreeSet;

use crate::chooser::{Actor, Deed, Footprint};
use crate::{Channel, Launch};

use looks::looks_again;
use past::Past;

/// What one decision led to.
pub(crate) struct Step<'a> {
    pub options: &'a [Actor],
    pub actor: Actor,
    pub footprint: &'a [Footprint],
}

impl Step<'_> {
    fn is_vain(&self) -> bool {
        self.footprint.iter().any(|f| f.deed == Deed::Vain)
    }
}

/// At this decision, one of these actors (or all, when the list is empty) begins another order that must be seen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub decision: usize,
    pub actors: Vec<Actor>,
}

/// Another order for every pair of dependent steps of a run that could be swapped.
pub(crate) fn wanted(steps: &[Step<'_>], launch: &Launch) -> Vec<Wanted> {
    let copies = Copies::of(steps);
    let mut past = Past::new(launch);
    let looks_again = looks_again(steps, &copies);
    let mut list = Vec::new();
    for (decision, step) in steps.iter().enumerate() {
        if step.is_vain() {
            past.in_vain(step, &copies);
            continue;
        }
        for (actor, mine) in events_of(step) {
            let again = looks_again.get(past.events.len()) == Some(&true);
            let races = past.add(decision, actor, mine, again);
            let event = past.events.len() - 1;
            for race in races.into_iter().filter(|&race| !past.enables(race, event, steps)) {
                list.push(past.reversal(race, event, steps));
            }
        }
    }
    list
}

/// The events of a step, each with who did it.
fn events_of<'a>(step: &Step<'a>) -> impl Iterator<Item = (Actor, &'a [Footprint])> + use<'a> {
    let (mut rest, wave) = (step.footprint, step.actor);
    std::iter::from_fn(move || {
        let (mine, others) = rest.split_at_checked(event_len(rest)).filter(|_| !rest.is_empty())?;
        rest = others;
        let by = mine.first().and_then(|f| f.by);
        Some((by.map_or(wave, |(op, piece)| Actor::Piece(op, piece)), mine))
    })
}

/// The channels on which copies moved. A wait on another one is for the registers that loads fill: it orders nothing.
struct Copies(BTreeSet<Channel>);

impl Copies {
    fn of(steps: &[Step<'_>]) -> Copies {
        let moved = |f: &Footprint| match f.deed {
            Deed::Moved { channel, .. } => Some(channel),
            _ => None,
        };
        Copies(steps.iter().flat_map(|step| step.footprint).filter_map(moved).collect())
    }

    /// A wait that no copy can matter to.
    fn none_for(&self, deed: Deed) -> bool {
        matches!(deed, Deed::Done { channel, .. } if !self.0.contains(&channel))
    }
}

/// Entries that belong to one event: of one actor, up to the next thing that looks back.
fn event_len(rest: &[Footprint]) -> usize {
    let by = rest.first().and_then(|f| f.by);
    let looks_back = |f: &Footprint| {
        matches!(f.deed, Deed::Passed { .. } | Deed::Looked { .. } | Deed::Polled { .. } | Deed::Done { .. })
    };
    1 + rest.iter().skip(1).take_while(|f| f.by == by && !looks_back(f)).count()
}
