//! The events of a run so far, and which of them an event depends on.

use std::collections::BTreeMap;

use super::events::Events;
use super::looks::settled;
use super::{Copies, Step, Wanted};
use crate::chooser::{Actor, BarrierName, Deed, Footprint};
use crate::{BlockId, Channel, Launch, Part, Space, WaveId};

pub(super) struct Event {
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

pub(super) struct Past<'a> {
    launch: &'a Launch,
    pub(super) events: Vec<Event>,
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
    pub(super) fn new(launch: &'a Launch) -> Past<'a> {
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
    pub(super) fn add(
        &mut self,
        decision: usize,
        actor: Actor,
        deeds: &[Footprint],
        again: bool,
    ) -> Vec<usize> {
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
    pub(super) fn in_vain(&mut self, step: &Step<'_>, copies: &Copies) {
        let looks = |deed: &Deed| *deed != Deed::Vain && !copies.none_for(*deed);
        let deeds: Vec<Deed> = step.footprint.iter().map(|f| f.deed).filter(looks).collect();
        if !deeds.is_empty() {
            self.looked_at.insert(step.actor, deeds);
        }
    }

    /// True when the wave of the later event waited in vain for what the earlier one did: before it, looking led nowhere.
    /// Others that it conflicts with and that came before must not have been able to let it go on earlier.
    pub(super) fn enables(&self, earlier: usize, later: usize, steps: &[Step<'_>]) -> bool {
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
    pub(super) fn reversal(&self, earlier: usize, later: usize, steps: &[Step<'_>]) -> Wanted {
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
