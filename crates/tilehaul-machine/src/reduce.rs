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

use std::collections::{BTreeMap, BTreeSet};

use crate::chooser::{Actor, BarrierName, Deed, Footprint};
use crate::{BlockId, Channel, Launch, Part, Space, WaveId};

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
fn looks_again(steps: &[Step<'_>], copies: &Copies) -> Vec<bool> {
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
fn settled(deed: Deed, again: bool) -> Deed {
    match deed {
        Deed::Looked { barrier, .. } | Deed::Polled { barrier, .. } if again => Deed::Waits(barrier),
        Deed::Polled { barrier, completed } => Deed::Passed { barrier, completed, lasting: false },
        other => other,
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

/// A set of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Events(Vec<u64>);

impl Events {
    fn has(&self, event: usize) -> bool {
        self.0.get(event / 64).is_some_and(|w| w >> (event % 64) & 1 == 1)
    }

    fn insert(&mut self, event: usize) {
        if self.0.len() <= event / 64 {
            self.0.resize(event / 64 + 1, 0);
        }
        if let Some(word) = self.0.get_mut(event / 64) {
            *word |= 1 << (event % 64);
        }
    }

    fn extend(&mut self, other: &Events) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }
}

struct Event {
    decision: usize,
    actor: Actor,
    /// What its wave's last turn in vain looked at, when it looks at the same and is the first thing that the wave does since.
    awaits: bool,
    /// The wave's event before it.
    previous: Option<usize>,
    /// Of the events that it conflicts with, the last.
    newest: Option<usize>,
    /// Events that come before it in every order that this run stands for.
    before: Events,
}

/// An arrival or bytes, as counted.
struct Counted {
    event: usize,
    arrivals: i64,
    change: i64,
}

#[derive(Default)]
struct Generation {
    counted: Vec<Counted>,
    /// All arrivals and what comes before them.
    known: Events,
    /// Waits and looks that found this many generations ended and would not find it later.
    passed: Vec<usize>,
}

#[derive(Default)]
struct Barrier {
    reset: Option<usize>,
    /// Everything since the reset.
    used: Vec<usize>,
    generations: BTreeMap<u32, Generation>,
}

/// Accesses to four bytes: who, which of them, writing or not.
type Cell = Vec<(usize, u8, bool)>;

struct Past<'a> {
    launch: &'a Launch,
    events: Vec<Event>,
    last: BTreeMap<Actor, usize>,
    /// What an actor's last turn in vain looked at.
    looked_at: BTreeMap<Actor, Vec<Deed>>,
    issued: BTreeMap<u32, usize>,
    barriers: BTreeMap<BarrierName, Barrier>,
    cells: BTreeMap<(Space, u64), Cell>,
    moved: BTreeMap<Channel, Vec<(u32, u64, usize, bool)>>,
    /// Ends of waves of each block and what comes before them.
    left: BTreeMap<BlockId, Events>,
    /// The latest step of each actor of another block in a block's shared memory.
    remote: BTreeMap<(BlockId, Actor), usize>,
}

/// What an event depends on.
#[derive(Default)]
struct Depends {
    /// In any case.
    before: Events,
    /// Because of what both did: these could be the other way round.
    conflicts: Vec<usize>,
}

impl<'a> Past<'a> {
    fn new(launch: &'a Launch) -> Past<'a> {
        Past {
            launch,
            events: Vec::new(),
            last: BTreeMap::new(),
            looked_at: BTreeMap::new(),
            issued: BTreeMap::new(),
            barriers: BTreeMap::new(),
            cells: BTreeMap::new(),
            moved: BTreeMap::new(),
            left: BTreeMap::new(),
            remote: BTreeMap::new(),
        }
    }

    /// Takes in an event; returns the earlier events that it could have come before.
    /// `again` when it looks at a barrier in vain and stays there.
    fn add(&mut self, decision: usize, actor: Actor, deeds: &[Footprint], again: bool) -> Vec<usize> {
        let event = self.events.len();
        let mut depends = Depends::default();
        if let Some(&last) = self.last.get(&actor) {
            self.follows(&mut depends.before, last);
        }
        if let Actor::Piece(op, _) = actor
            && let Some(&issue) = self.issued.get(&op)
        {
            self.follows(&mut depends.before, issue);
        }
        for footprint in deeds {
            self.look_back(event, actor, &settled(footprint.deed, again), &mut depends);
        }
        let Depends { mut before, mut conflicts } = depends;
        conflicts.sort_unstable();
        conflicts.dedup();
        conflicts.retain(|&c| c != event && !before.has(c));
        let direct =
            |c: &usize| !conflicts.iter().any(|&other| other != *c && self.events[other].before.has(*c));
        let races: Vec<usize> = conflicts.iter().copied().filter(direct).collect();
        for &conflict in &conflicts {
            self.follows(&mut before, conflict);
        }
        let awaits = self.looked_at.remove(&actor).is_some_and(|looked| {
            looked.iter().eq(deeds.iter().map(|f| &f.deed)) && looked.iter().all(Deed::only_looks)
        });
        let newest = races.last().copied();
        let previous = self.last.insert(actor, event);
        self.events.push(Event { decision, actor, awaits, previous, newest, before });
        for footprint in deeds {
            self.remember(event, &settled(footprint.deed, again));
        }
        races
    }

    /// A step that comes to the same without it.
    fn in_vain(&mut self, step: &Step<'_>, copies: &Copies) {
        let looks = |deed: &Deed| *deed != Deed::Vain && !copies.none_for(*deed);
        let deeds: Vec<Deed> = step.footprint.iter().map(|f| f.deed).filter(looks).collect();
        if !deeds.is_empty() {
            self.looked_at.insert(step.actor, deeds);
        }
    }

    /// True when the wave of the later event waited in vain for what the earlier one did: before it, looking led nowhere.
    /// Others that it conflicts with and that came before must not have been able to let it go on earlier.
    fn enables(&self, earlier: usize, later: usize, steps: &[Step<'_>]) -> bool {
        let event = &self.events[later];
        let decision = self.events[earlier].decision;
        let waited = || steps.get(decision).is_some_and(|s| !s.options.contains(&event.actor));
        let since = event.previous.is_none_or(|p| self.events[p].decision < decision);
        event.awaits && since && event.newest == Some(earlier) && waited()
    }

    fn follows(&self, before: &mut Events, earlier: usize) {
        before.extend(&self.events[earlier].before);
        before.insert(earlier);
    }

    /// The block of the wave that an actor is, or that issued it.
    fn block_of(&self, actor: Actor) -> Option<BlockId> {
        let wave = match actor {
            Actor::Wave(wave) => wave,
            Actor::Piece(op, _) => match self.events.get(*self.issued.get(&op)?)?.actor {
                Actor::Wave(wave) => wave,
                Actor::Piece(..) => return None,
            },
        };
        Some(self.launch.block_of(WaveId(wave)))
    }

    /// What a deed depends on among earlier events.
    fn look_back(&mut self, event: usize, actor: Actor, deed: &Deed, depends: &mut Depends) {
        match *deed {
            Deed::Bytes { space, start, len, write } => {
                self.clashes(space, (start, len), write, &mut depends.conflicts);
                if let Space::Shared(block) = space {
                    self.barriers_in(block, (start, len), write, &mut depends.conflicts);
                }
            }
            Deed::Count { barrier, generation, bytes, change, arrivals, pending, ends } => {
                self.clashes_of(barrier, true, &mut depends.conflicts);
                let Some(barrier) = self.barriers.get(&barrier) else { return };
                depends.conflicts.extend(barrier.reset);
                let of = |generation: Option<u32>| generation.and_then(|g| barrier.generations.get(&g));
                if let Some(earlier) = of(generation.checked_sub(1)) {
                    depends.conflicts.extend(earlier.counted.iter().map(|c| c.event));
                }
                if let Some(same) = of(Some(generation)) {
                    // Without the earlier one: would this one have ended the generation?
                    let early = |c: &&Counted| {
                        i64::from(pending) + c.arrivals - i64::from(arrivals) == 0
                            && bytes - c.change + change == 0
                    };
                    depends.conflicts.extend(same.counted.iter().filter(early).map(|c| c.event));
                    if ends {
                        let met = same.passed.iter().filter(|&&p| !same.known.has(p));
                        depends.conflicts.extend(met.copied());
                    }
                }
            }
            Deed::Passed { barrier, completed, .. } => {
                self.clashes_of(barrier, false, &mut depends.conflicts);
                let Some(barrier) = self.barriers.get(&barrier) else { return };
                depends.conflicts.extend(barrier.reset);
                if let Some(done) = completed.checked_sub(1).and_then(|g| barrier.generations.get(&g)) {
                    depends.before.extend(&done.known);
                }
            }
            // In vain, but on its way to something else: another case when the phase had completed.
            Deed::Looked { barrier, generation } => {
                self.clashes_of(barrier, false, &mut depends.conflicts);
                let Some(state) = self.barriers.get(&barrier) else { return };
                depends.conflicts.extend(state.reset);
                if let Some(earlier) = generation.checked_sub(1).and_then(|g| state.generations.get(&g)) {
                    depends.conflicts.extend(earlier.counted.iter().map(|c| c.event));
                }
            }
            Deed::Waits(barrier) => {
                depends.conflicts.extend(self.barriers.get(&barrier).and_then(|b| b.reset));
            }
            Deed::Reset(barrier) => {
                self.clashes_of(barrier, true, &mut depends.conflicts);
                let Some(barrier) = self.barriers.get(&barrier) else { return };
                depends.conflicts.extend(barrier.reset.iter().chain(&barrier.used));
            }
            Deed::Moved { channel, seq, landed: true, ordered: true, .. } => {
                for &(earlier, _, moved, _) in self.moved.get(&channel).into_iter().flatten() {
                    if earlier < seq {
                        self.follows(&mut depends.before, moved);
                    }
                }
            }
            Deed::Done { channel, seq, lanes, part } => {
                for &(earlier, by, moved, landed) in self.moved.get(&channel).into_iter().flatten() {
                    if earlier <= seq && by & lanes.0 != 0 && (part == Part::All || !landed) {
                        self.follows(&mut depends.before, moved);
                    }
                }
            }
            Deed::Ended(block) => {
                let nothing = Events::default();
                let left = self.left.get(&block).unwrap_or(&nothing);
                let unaware = self.remote.iter().filter(|((b, _), _)| *b == block).map(|(_, &e)| e);
                depends.conflicts.extend(unaware.filter(|&e| !left.has(e)));
            }
            // Polls have been settled.
            Deed::Polled { .. } | Deed::Vain | Deed::Issued(_) | Deed::Moved { .. } | Deed::Left(_) => {}
        }
        if let Some(block) = deed.shared_of()
            && self.block_of(actor).is_some_and(|b| b != block)
        {
            self.remote.insert((block, actor), event);
        }
    }

    /// Accesses of bytes that may not be swapped with one of these.
    fn clashes(&self, space: Space, (start, len): (u64, u64), write: bool, conflicts: &mut Vec<usize>) {
        for (cell, mask) in cells(start, len) {
            let Some(list) = self.cells.get(&(space, cell)) else { continue };
            let clashes = list.iter().filter(|a| a.1 & mask != 0 && (write || a.2));
            conflicts.extend(clashes.map(|a| a.0));
        }
    }

    /// The same for what works on a barrier object as such.
    fn clashes_of(&self, barrier: BarrierName, write: bool, conflicts: &mut Vec<usize>) {
        if let BarrierName::Object(block, address) = barrier {
            self.clashes(Space::Shared(block), (address, 8), write, conflicts);
        }
    }

    /// What worked on barrier objects as such in bytes that are now accessed.
    fn barriers_in(&self, block: BlockId, (start, len): (u64, u64), write: bool, conflicts: &mut Vec<usize>) {
        let (first, end) = (start.saturating_sub(7), start.saturating_add(len));
        let inside = BarrierName::Object(block, first)..BarrierName::Object(block, end);
        for (_, barrier) in self.barriers.range(inside) {
            conflicts.extend(barrier.reset);
            let counted = barrier.generations.values().flat_map(|g| &g.counted).map(|c| c.event);
            if write { conflicts.extend(&barrier.used) } else { conflicts.extend(counted) }
        }
    }

    /// Keeps what later events may depend on.
    fn remember(&mut self, event: usize, deed: &Deed) {
        let known = |past: &Past<'_>| {
            let mut known = past.events[event].before.clone();
            known.insert(event);
            known
        };
        match *deed {
            Deed::Bytes { space, start, len, write } => {
                for (cell, mask) in cells(start, len) {
                    let list = self.cells.entry((space, cell)).or_default();
                    if write {
                        list.retain(|a| a.1 & !mask != 0);
                    }
                    if !list.iter().any(|&(e, m, w)| e == event && m & mask == mask && w == write) {
                        list.push((event, mask, write));
                    }
                }
            }
            Deed::Count { barrier, generation, arrivals, change, .. } => {
                let known = known(self);
                let barrier = self.barriers.entry(barrier).or_default();
                barrier.used.push(event);
                let generation = barrier.generations.entry(generation).or_default();
                generation.counted.push(Counted { event, arrivals: i64::from(arrivals), change });
                generation.known.extend(&known);
            }
            Deed::Passed { barrier, completed, lasting } => {
                let barrier = self.barriers.entry(barrier).or_default();
                barrier.used.push(event);
                if !lasting {
                    barrier.generations.entry(completed).or_default().passed.push(event);
                }
            }
            Deed::Looked { barrier, generation } => {
                let state = self.barriers.entry(barrier).or_default();
                state.used.push(event);
                state.generations.entry(generation).or_default().passed.push(event);
            }
            Deed::Waits(barrier) => self.barriers.entry(barrier).or_default().used.push(event),
            Deed::Reset(barrier) => {
                self.barriers.insert(barrier, Barrier { reset: Some(event), ..Barrier::default() });
            }
            Deed::Issued(op) => {
                self.issued.insert(op, event);
            }
            Deed::Moved { channel, seq, lanes, landed, .. } => {
                self.moved.entry(channel).or_default().push((seq, lanes.0, event, landed));
            }
            Deed::Left(block) => {
                let known = known(self);
                self.left.entry(block).or_default().extend(&known);
            }
            Deed::Polled { .. } | Deed::Vain | Deed::Done { .. } | Deed::Ended(_) => {}
        }
    }

    /// Who must go first, in the place of `earlier`, for `later` to come before it.
    fn reversal(&self, earlier: usize, later: usize, steps: &[Step<'_>]) -> Wanted {
        let decision = self.events[earlier].decision;
        let first = self.events.iter().position(|e| e.decision == decision).unwrap_or(earlier);
        let free = |&e: &usize| e != earlier && !self.events[e].before.has(earlier);
        // `later` itself comes after `earlier` only because of what both did.
        let between: Vec<usize> = (first..later).filter(free).chain([later]).collect();
        let mut seen: Vec<Actor> = Vec::new();
        let mut actors = Vec::new();
        for &event in &between {
            let actor = self.events[event].actor;
            if seen.contains(&actor) {
                continue;
            }
            seen.push(actor);
            let leads = event == later || self.events[later].before.has(event);
            let initial = !between.iter().any(|&b| b < event && self.events[event].before.has(b));
            let open = steps.get(decision).is_some_and(|s| s.options.contains(&actor));
            if leads && initial && open {
                actors.push(actor);
            }
        }
        Wanted { decision, actors }
    }
}

/// The groups of four bytes of a stretch, each with the bytes of it that are meant.
fn cells(start: u64, len: u64) -> impl Iterator<Item = (u64, u8)> {
    let end = start.saturating_add(len);
    let last = if len == 0 { start / 4 } else { end.div_ceil(4) };
    (start / 4..last).map(move |cell| {
        let mask = (0..4).filter(|b| (start..end).contains(&(cell * 4 + b))).fold(0u8, |m, b| m | 1 << b);
        (cell, mask)
    })
}
