//! The checker: an observer that keeps clocks and shadow memory, and hands what does not fit to the hazards.
//!
//! Soundness: a race is reported only when no edge of the model (see [`crate::clocks`]) orders the two accesses in the
//! run that was observed; another schedule may order them, never must. A race may be missed when it needs a path that no
//! explored run took, when an atomic location passes on knowledge that a different interleaving would not have had, or
//! when a byte was read by more actors than the read list keeps.

mod maps;
mod notes;
mod operations;
mod records;

use rustc_hash::{FxHashMap, FxHashSet};
use tilehaul_layout::banks::Chip;
use tilehaul_machine::{
    BlockId, ChannelKind, ChannelSpec, CounterSpec, Event, FenceKind, GlobalMemory, Launch, Observer, OpId,
    PlaceId, Program, Proxy, ProxyFence, Replay, Scope, Space, Touch, WaveId, Who,
};

use crate::banks::Banks;
use crate::clocks::pipelines::Behind;
use crate::clocks::{Clocks, Knowledge};
use crate::fences::Distance;
use crate::finding::{Finding, Findings, Spot};
use crate::flags::Flags;
use crate::hazard::{self, Side};
use crate::hint::{OpenFences, WaitHints};
use crate::late::{Candidate, Pair, Step};
use crate::location::Location;
use crate::peers::Peers;
use crate::raced::RacedLoads;
use crate::reads::Lists;
use crate::record::{Record, Strength, What};
use crate::shadow::Shadow;
use crate::tensormap::TensorMaps;
use crate::words::Words;
pub(crate) use notes::{OpInfo, PassNote, PledgeNote, WaitNote, WaveNotes};

/// Records after which those that nothing refers to are dropped for the first time.
const COLLECT_AT: usize = 1 << 20;
/// Keeps clocks and shadow memory of a run and collects findings.
#[derive(Debug)]
pub struct Checker {
    pub(crate) replay: Replay,
    pub(crate) launch: Launch,
    counters: Vec<CounterSpec>,
    pub(crate) order: Clocks,
    pub(crate) words: Words,
    pub(crate) lists: Lists,
    pub(crate) records: Vec<Record>,
    pub(crate) collect_at: usize,
    /// The last record of a wave at a place, to be used again while its time stands.
    recent: FxHashMap<(WaveId, PlaceId, What, Strength), u32>,
    global: Vec<Shadow>,
    global_bases: Vec<(u64, u64, bool)>,
    pub(crate) shared: Vec<Shadow>,
    tensor: Vec<Shadow>,
    pub(crate) ops: Vec<OpInfo>,
    /// Operations whose end may still be told, and those issued since operations were last dropped.
    pub(crate) op_index: FxHashMap<OpId, u32>,
    /// What the operation that is being issued comes behind.
    pub(crate) behind: Vec<Behind>,
    /// Operations that write their own block's shared memory, by that block.
    own_writes: FxHashMap<BlockId, Vec<u32>>,
    pub(crate) locations: FxHashMap<Space, FxHashMap<u64, Location>>,
    maps: TensorMaps,
    /// The map that a wave's next operation was given: in use until the operation has read it.
    pub(crate) map_read: Option<(WaveId, Touch)>,
    pub(crate) peers: Peers,
    pub(crate) flags: Flags,
    pub(crate) banks: Banks,
    pub(crate) notes: Vec<WaveNotes>,
    /// What threads of a block that have ended know together, and the last of them.
    exits: FxHashMap<BlockId, (Knowledge, Option<Who>)>,
    pub(crate) findings: Findings,
    /// Loads that something races with.
    pub(crate) raced: RacedLoads,
    /// Clashes whose owner may still come to the wait that was meant for them.
    pub(crate) late: Vec<Candidate>,
    pub(crate) pairs: FxHashMap<(PlaceId, PlaceId), Pair>,
    pub(crate) hints: WaitHints,
    pub(crate) open_fences: OpenFences,
    /// Kinds of operations whose bytes were read at least once; places of those whose never were, and how often.
    pub(crate) used: FxHashSet<&'static str>,
    unused: Vec<(PlaceId, &'static str, u64)>,
    /// Where each counter was first filled beyond what it can hold.
    overflows: FxHashMap<&'static str, PlaceId>,
    overflowed: bool,
}

/// What a checker leaves behind.
#[derive(Debug)]
pub(crate) struct Checked {
    pub findings: Findings,
    pub hints: WaitHints,
    /// Part of the run was not checked.
    pub overflowed: bool,
    pub raced: RacedLoads,
    /// What to say of arranged tiles where results are not as expected.
    pub arranged: Vec<Finding>,
}

/// Where a shadow belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub index: usize,
    /// Address of its first byte, and of the one past its last.
    pub base: u64,
    pub end: u64,
    /// Bytes that the kernel has not written are defined.
    pub defined: bool,
}

impl Checker {
    /// Says also where this chip's shared-memory banks conflict.
    #[must_use]
    pub fn with_banks(mut self, chip: Option<Chip>) -> Checker {
        self.banks.chip = chip;
        self
    }

    /// A checker for one run of a launch.
    #[must_use]
    pub fn new(
        launch: &Launch,
        memory: &GlobalMemory,
        channels: &[ChannelSpec],
        counters: &[CounterSpec],
        replay: Replay,
    ) -> Checker {
        let waves = launch.blocks() * launch.waves_per_block();
        let lanes = (0..waves).map(|w| launch.wave_info(WaveId(w)).lanes).collect();
        // With the rest of the last word, which a lane may use.
        let whole = |data: &[u8]| (data.len() as u64).next_multiple_of(4);
        let global_bases =
            memory.allocations().iter().map(|a| (a.base, whole(&a.data), a.initialised)).collect::<Vec<_>>();
        Checker {
            replay,
            launch: launch.clone(),
            counters: counters.to_vec(),
            order: Clocks::new(lanes, launch.lockstep, channels.to_vec()),
            words: Words::new(memory),
            lists: Lists::default(),
            collect_at: COLLECT_AT,
            records: Vec::new(),
            recent: FxHashMap::default(),
            global: global_bases.iter().map(|_| Shadow::default()).collect(),
            global_bases,
            shared: (0..launch.blocks()).map(|_| Shadow::default()).collect(),
            tensor: (0..launch.blocks()).map(|_| Shadow::default()).collect(),
            ops: Vec::new(),
            op_index: FxHashMap::default(),
            behind: Vec::new(),
            own_writes: FxHashMap::default(),
            locations: FxHashMap::default(),
            maps: TensorMaps::default(),
            map_read: None,
            peers: Peers::new(launch),
            flags: Flags::default(),
            banks: Banks::default(),
            notes: vec![WaveNotes::default(); waves as usize],
            exits: FxHashMap::default(),
            findings: Findings::default(),
            raced: RacedLoads::default(),
            late: Vec::new(),
            pairs: FxHashMap::default(),
            hints: WaitHints::of(launch, channels.len()),
            open_fences: OpenFences::default(),
            used: FxHashSet::default(),
            unused: Vec::new(),
            overflows: FxHashMap::default(),
            overflowed: false,
        }
    }

    /// What the run showed.
    #[must_use]
    pub(crate) fn finish(mut self, program: &dyn Program) -> Checked {
        self.flush_late();
        let unused = std::mem::take(&mut self.unused);
        for (place, what, count) in unused {
            if !self.used.contains(what) {
                let finding = hazard::never_read::finding(place, what, self.replay);
                self.findings.take(Finding { count, ..finding });
            }
        }
        for finding in self.banks.findings(program, self.replay) {
            self.findings.add(finding.code, finding.primary.place, None, || finding);
        }
        let arranged = self.arranged();
        let Checker { findings, hints, overflowed, raced, .. } = self;
        Checked { findings, hints, overflowed, raced, arranged }
    }

    /// The shadow of the memory or allocation that holds a range, taken out while it is worked on.
    pub(crate) fn take_shadow(&mut self, space: Space, start: u64, len: u64) -> Option<(Shadow, Slot)> {
        match space {
            Space::Global => {
                let index = self.global_bases.partition_point(|b| b.0 <= start).checked_sub(1)?;
                let (base, size, defined) = self.global_bases[index];
                let end = base + size;
                (start.checked_add(len)? <= end)
                    .then(|| (std::mem::take(&mut self.global[index]), Slot { index, base, end, defined }))
            }
            Space::Shared(b) => {
                let slot = Slot { index: b.index(), base: 0, end: u64::MAX, defined: false };
                Some((std::mem::take(self.shared.get_mut(b.index())?), slot))
            }
            Space::Tensor(b) => {
                let slot = Slot { index: b.index(), base: 0, end: u64::MAX, defined: false };
                Some((std::mem::take(self.tensor.get_mut(b.index())?), slot))
            }
        }
    }

    pub(crate) fn put_shadow(&mut self, space: Space, slot: &Slot, shadow: Shadow) {
        match space {
            Space::Global => self.global[slot.index] = shadow,
            Space::Shared(_) => self.shared[slot.index] = shadow,
            Space::Tensor(_) => self.tensor[slot.index] = shadow,
        }
    }

    /// The counter that counts a channel.
    pub(crate) fn counter_of(&self, kind: ChannelKind) -> Option<&CounterSpec> {
        self.counters.iter().find(|c| c.channels.contains(&kind))
    }

    pub(crate) fn counters(&self) -> &[CounterSpec] {
        &self.counters
    }

    /// The wave that initialised a barrier has executed the fence that makes inits visible since.
    pub(crate) fn init_is_fenced(&self, init: &Side<'_>) -> bool {
        let notes = self.notes.get(init.wave.index());
        notes.and_then(|n| n.inits_fenced_at).is_some_and(|fenced| fenced >= init.time)
    }

    pub(crate) fn lockstep(&self) -> bool {
        self.launch.lockstep
    }
}

impl Observer for Checker {
    fn event(&mut self, event: &Event<'_>) {
        self.hints.barriers.saw(event);
        self.hints.depth.saw(event);
        match event {
            Event::Access { access, kind, silent } => {
                if access.proxy == Proxy::Tensormap {
                    self.read_map(access);
                } else {
                    self.access(access, *kind, *silent);
                }
            }
            Event::BlockStart(_) => {}
            Event::BlockEnd(block) => self.block_end(*block),
            Event::Exit(who) => self.exit(*who),
            Event::Release { who, token } => {
                self.released_at_peer(*who);
                self.peers.gives(who.wave, *token);
                self.order.release(*who, *token);
                self.arrived(*who);
            }
            Event::ReleaseFenced { who, token, scope, meets } => {
                self.hints.relaxed();
                self.peers.gives(who.wave, *token);
                if *meets {
                    self.order.release_reads(*who, *token);
                }
                self.order.release_fenced(*who, *token, barrier_distance(*scope));
            }
            Event::Acquire { who, token } => {
                self.peers.takes(who.wave, *token);
                self.order.acquire(*who, *token);
            }
            Event::AcquireFenced { who, token, scope } => {
                self.hints.relaxed();
                self.peers.takes(who.wave, *token);
                let passes = &mut self.notes[who.wave.index()].passes;
                // The pass is told of just before.
                if let Some(pass) = passes.last_mut() {
                    pass.relaxed = true;
                }
                self.order.acquire_fenced(*who, *token, barrier_distance(*scope));
            }
            Event::Fence { who, kind, scope } => {
                // A fence of the system may be for the host, a release alone for a barrier's init.
                if *kind == FenceKind::AcquireRelease && *scope != Scope::System && !self.launch.lockstep {
                    self.hints.memory_fence(who.place);
                }
                self.order.fence(*who, *kind, *scope);
            }
            Event::ProxyFence { who, fence } => match fence {
                ProxyFence::Async(kind) => {
                    if self.hints.wants_fence(who.place) {
                        let now = self.order.now(who.wave);
                        let knows = self.order.gather(*who);
                        self.open_fences.executed(&mut self.hints, *who, now, knows);
                    }
                    self.order.proxy_fence(*who, *kind);
                }
                ProxyFence::BarrierInit => {
                    let (_, time) = self.order.now(who.wave);
                    self.notes[who.wave.index()].inits_fenced_at = Some(time);
                }
                ProxyFence::TensormapRelease => self.tensormap_release(*who),
                ProxyFence::TensormapAcquire { map } => self.tensormap_fence(*who, *map),
            },
            Event::PipelineFence { who, fence } => {
                let notes = &self.notes[who.wave.index()];
                self.order.pipeline_fence(*who, *fence, |kind| notes.issued(kind).unwrap_or(0));
            }
            Event::Issue(issued) => self.issue(issued),
            Event::Complete { op, token, .. } => self.complete(*op, *token),
            Event::Carry { channel, lanes, seq, token } => {
                self.peers.gives(channel.wave, *token);
                self.order.carry(*channel, *lanes, *seq, *token);
            }
            Event::Observe { who, kind, part, seq } => {
                self.order.observe(*who, *kind, *part, *seq);
                let counts = &mut self.notes[who.wave.index()].counts;
                if let Some(count) = counts.get_mut(kind.index()) {
                    count.1 = count.1.max(*seq);
                }
            }
            Event::ObservePart { who, channel, seq } => self.order.observe_part(*who, *channel, *seq),
            Event::Waited { who, wait } => {
                let notes = &mut self.notes[who.wave.index()];
                notes.moment += 1;
                let note = WaitNote {
                    place: who.place,
                    kind: wait.channel,
                    asked: wait.asked,
                    part: wait.part,
                    issued: wait.issued,
                    proven: wait.proven,
                    moment: notes.moment,
                };
                push_bounded(&mut notes.waits, note);
                if !self.late.is_empty() {
                    self.step(who.wave, Step::Wait(note));
                }
                let (_, time) = self.order.now(who.wave);
                self.hints.waited(who.wave, who.place, wait, time);
            }
            Event::LandsArranged { op, arrangement, period } => {
                if let Some(&index) = self.op_index.get(op) {
                    let op = &mut self.ops[index as usize];
                    (op.arrangement, op.period) = (Some(*arrangement), *period);
                }
            }
            Event::ReadsArranged { who, space, address, arrangement } => {
                self.read_arranged(*who, *space, *address, arrangement);
            }
            Event::Needed { who, kind, seq } => self.hints.needed(who.wave, *kind, *seq),
            Event::Pledged { who, kind, seq, at } => {
                let note = PledgeNote { at: *at, kind: *kind, seq: *seq, lanes: who.lanes };
                push_bounded(&mut self.notes[who.wave.index()].pledges, note);
            }
            Event::Passed { who, at, completed } => {
                let (_, time) = self.order.now(who.wave);
                let notes = &mut self.notes[who.wave.index()];
                notes.moment += 1;
                let note = PassNote { at: *at, completed: *completed, time, relaxed: false };
                push_bounded(&mut notes.passes, note);
            }
        }
    }

    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
        self
    }
}

/// How far the fence around a relaxed barrier operation must reach.
fn barrier_distance(scope: Scope) -> Distance {
    if scope == Scope::Cluster { Distance::Cluster } else { Distance::Block }
}

/// Keeps the newest few hundred.
fn push_bounded<T>(list: &mut Vec<T>, item: T) {
    if list.len() >= 512 {
        list.drain(..256);
    }
    list.push(item);
}

/// A finding with the parts that every detector has.
pub(crate) fn plain(
    hazard: &hazard::Hazard,
    place: PlaceId,
    text: String,
    message: String,
    replay: Replay,
) -> Finding {
    Finding {
        code: hazard.code,
        level: hazard.level,
        message,
        primary: Spot { place, text },
        secondary: Vec::new(),
        notes: Vec::new(),
        fix: None,
        source: Some(hazard.source),
        count: 1,
        cause: None,
        need: 0,
        more: Vec::new(),
        by_loads: false,
        replay,
    }
}
