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
//! Taken as given: a wave that polls in vain does nothing else in its loop, and clocks are not read.

use std::collections::BTreeMap;

use crate::chooser::{Actor, BarrierName, Deed, Footprint};
use crate::{BlockId, Channel, Launch, Part, Space, WaveId};

/// What one decision led to.
pub(crate) struct Step<'a> {
    pub options: &'a [Actor],
    pub actor: Actor,
    pub footprint: &'a [Footprint],
}

/// At this decision, one of these actors (or all, when the list is empty) begins another order that must be seen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub decision: usize,
    pub actors: Vec<Actor>,
}

/// Another order for every pair of dependent steps of a run that could be swapped.
pub(crate) fn wanted(steps: &[Step<'_>], launch: &Launch) -> Vec<Wanted> {
    let mut past = Past::new(launch);
    let mut list = Vec::new();
    for (decision, step) in steps.iter().enumerate() {
        let mut rest = step.footprint;
        while !rest.is_empty() {
            let (mine, others) = rest.split_at(event_len(rest));
            rest = others;
            let actor =
                mine.first().and_then(|f| f.by).map_or(step.actor, |(op, piece)| Actor::Piece(op, piece));
            let races = past.add(decision, actor, mine);
            let event = past.events.len() - 1;
            for race in races {
                list.push(past.reversal(race, event, steps));
            }
        }
    }
    list
}

/// Entries that belong to one event: of one actor, up to the next thing that looks back.
fn event_len(rest: &[Footprint]) -> usize {
    let by = rest.first().and_then(|f| f.by);
    let looks_back = |f: &Footprint| matches!(f.deed, Deed::Passed { .. } | Deed::Done { .. });
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
    /// Waits that found this many generations ended and would not find it later.
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
            issued: BTreeMap::new(),
            barriers: BTreeMap::new(),
            cells: BTreeMap::new(),
            moved: BTreeMap::new(),
            left: BTreeMap::new(),
            remote: BTreeMap::new(),
        }
    }

    /// Takes in an event; returns the earlier events that it could have come before.
    fn add(&mut self, decision: usize, actor: Actor, deeds: &[Footprint]) -> Vec<usize> {
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
            self.look_back(event, actor, &footprint.deed, &mut depends);
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
        self.last.insert(actor, event);
        self.events.push(Event { decision, actor, before });
        for footprint in deeds {
            self.remember(event, &footprint.deed);
        }
        races
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
                for (cell, mask) in cells(start, len) {
                    let Some(list) = self.cells.get(&(space, cell)) else { continue };
                    let clashes = list.iter().filter(|a| a.1 & mask != 0 && (write || a.2));
                    depends.conflicts.extend(clashes.map(|a| a.0));
                }
            }
            Deed::Count { barrier, generation, bytes, change, arrivals, pending, ends } => {
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
                let Some(barrier) = self.barriers.get(&barrier) else { return };
                depends.conflicts.extend(barrier.reset);
                if let Some(done) = completed.checked_sub(1).and_then(|g| barrier.generations.get(&g)) {
                    depends.before.extend(&done.known);
                }
            }
            Deed::Looked(barrier) => {
                depends.conflicts.extend(self.barriers.get(&barrier).and_then(|b| b.reset))
            }
            Deed::Reset(barrier) => {
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
            Deed::Issued(_) | Deed::Moved { .. } | Deed::Left(_) => {}
        }
        if let Some(block) = deed.shared_of()
            && self.block_of(actor).is_some_and(|b| b != block)
        {
            self.remote.insert((block, actor), event);
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
            Deed::Looked(barrier) => self.barriers.entry(barrier).or_default().used.push(event),
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
            Deed::Done { .. } | Deed::Ended(_) => {}
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
