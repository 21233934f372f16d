//! The machine as an executor sees it: memories, synchronisation, asynchronous operations.
//!
//! An executor decodes and computes; whatever other waves or engines could see goes through a [`Core`]. Calls take the
//! acting lanes and the place of the instruction, act at once, and tell the observer. The calls are grouped:
//! memory in `access`, barriers in `sync`, asynchronous operations in `flight`.

mod access;
mod footprints;
mod reports;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use tilehaul_diag::{Code, Diagnostic};

use crate::barrier::{BarrierKey, Rendezvous};
use crate::channel::ChannelState;
use crate::chooser::{Deed, Footprint, Rng};
use crate::flight::Flight;
use crate::garble::Garbling;
use crate::spread::Claims;
use crate::steal::NotStartedYet;
use crate::sync::{TxBarrier, WordBarrier};
use crate::{
    BarrierAt, BlockId, ChannelKind, ChannelSpec, ClusterId, CounterSpec, Event, FenceKind, Landing,
    LaneMask, Launch, Memories, Observer, PipelineFence, PlaceId, ProxyFence, Scope, Space, SyncId, WaveId,
    Who,
};

use reports::Meeting;
pub use reports::Report;

/// A reason why the launch dies, as a diagnostic without a span: the machine adds that.
pub type Trap = Box<Diagnostic>;

/// An asynchronous operation, or an arrival that waited for one, died.
#[derive(Debug)]
pub(crate) struct Died {
    /// Who issued it.
    pub who: Who,
    /// Why.
    pub trap: Trap,
}

/// State of a block.
#[derive(Debug, Default)]
pub(crate) struct BlockState {
    pub resident: bool,
    pub ended: bool,
    pub live_threads: u32,
    /// Lanes that have exited, by the exit that they executed.
    pub exits: Vec<Who>,
    pub tx: BTreeMap<u64, TxBarrier>,
    /// Transaction barriers that were invalidated, and whose memory still holds what they were.
    pub invalidated: BTreeMap<u64, TxBarrier>,
    pub words: BTreeMap<u64, WordBarrier>,
    /// The block's own slots for executors: tensor-memory allocator state and the like.
    pub slots: BTreeMap<u32, u64>,
    /// Tensor maps in device memory as the block's copies know them, by address.
    pub maps: BTreeMap<u64, [u8; MAP_BYTES]>,
}

/// Bytes of a tensor map.
const MAP_BYTES: usize = 128;
/// Tensor maps that the copy engine keeps. hardware: h200 fact 101, at least.
const CACHED_MAPS: usize = 256;

/// State of a wave, as far as the core keeps it.
#[derive(Debug, Default)]
pub(crate) struct WaveState {
    pub channels: Vec<ChannelState>,
    pub exited: LaneMask,
}

/// The machine as an executor sees it.
pub struct Core {
    /// Every memory.
    pub memories: Memories,
    pub(crate) launch: Launch,
    pub(crate) channels: Vec<ChannelSpec>,
    pub(crate) counters: Vec<CounterSpec>,
    pub(crate) blocks: Vec<BlockState>,
    pub(crate) waves: Vec<WaveState>,
    pub(crate) rendezvous: BTreeMap<BarrierKey, Rendezvous>,
    pub(crate) flight: Flight,
    pub(crate) landing: Landing,
    pub(crate) rng: Rng,
    pub(crate) next_sync: u32,
    /// Counts everything that could let a waiting wave go on.
    pub(crate) progress: u64,
    /// Counts turns, for landing times.
    pub(crate) now: u64,
    /// Instructions of all waves when the present turn began, and accesses since.
    pub(crate) instructions: u64,
    /// Asynchronous operations issued so far.
    pub(crate) operations: u64,
    /// A transaction barrier was made.
    pub(crate) has_mbarriers: bool,
    /// Operations on transaction barriers so far.
    pub(crate) barrier_uses: u64,
    /// Waves that were lapped at a barrier: their next wait there passes (see `machine/lapped.rs`).
    pub(crate) excused: BTreeSet<(WaveId, BarrierAt)>,
    /// Set when a wave looks at the clock in its turn.
    pub(crate) clock_in_turn: Cell<bool>,
    /// Set when an instruction did something others can see.
    pub(crate) visible: bool,
    /// What the current step touched, kept in exhaustive runs only.
    pub(crate) footprint: Option<Vec<Footprint>>,
    /// Set while a wait makes operations land.
    pub(crate) forcing: bool,
    /// The piece that is at work.
    pub(crate) acting: Option<(u32, u32)>,
    pub(crate) reports: BTreeMap<(Code, PlaceId), Report>,
    pub(crate) trap: Option<(Who, Trap)>,
    /// Requests that several blocks of a cluster are to make together, by cluster and request.
    pub(crate) meetings: BTreeMap<(ClusterId, u64), Meeting>,
    /// Who touched device memory, kept where clusters run on several cores.
    pub(crate) claims: Option<Claims>,
    /// Bytes that loads get wrong.
    pub(crate) garbling: Option<Garbling>,
    /// Clusters that have not started.
    pub(crate) not_started: NotStartedYet,
    clock_read: Cell<bool>,
    observer: Option<Box<dyn Observer>>,
    watching: bool,
}

impl Core {
    pub(crate) fn new(
        launch: Launch,
        memories: Memories,
        channels: Vec<ChannelSpec>,
        counters: Vec<CounterSpec>,
        landing: Landing,
        observer: Option<Box<dyn Observer>>,
    ) -> Core {
        let blocks = (0..launch.blocks()).map(|_| BlockState::default()).collect();
        let waves = launch.blocks() as usize * launch.waves_per_block() as usize;
        let seed = match landing {
            Landing::Random(seed) => seed,
            Landing::Eager | Landing::Lazy | Landing::Exhaustive => 0,
        };
        Core {
            memories,
            channels,
            counters,
            blocks,
            waves: (0..waves).map(|_| WaveState::default()).collect(),
            rendezvous: BTreeMap::new(),
            flight: Flight::default(),
            landing,
            rng: Rng::new(seed ^ 0x6c61_6e64),
            next_sync: 0,
            progress: 0,
            now: 0,
            instructions: 0,
            operations: 0,
            has_mbarriers: false,
            barrier_uses: 0,
            excused: BTreeSet::new(),
            clock_in_turn: Cell::new(false),
            visible: false,
            footprint: None,
            forcing: false,
            acting: None,
            reports: BTreeMap::new(),
            trap: None,
            meetings: BTreeMap::new(),
            claims: None,
            garbling: None,
            not_started: NotStartedYet::default(),
            clock_read: Cell::new(false),
            watching: observer.is_some(),
            observer,
            launch,
        }
    }

    /// The launch.
    #[must_use]
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// True when somebody watches: executors may skip work that only serves events otherwise.
    #[must_use]
    #[inline]
    pub fn watching(&self) -> bool {
        self.watching
    }

    /// True when the ranges that an operation touches are of interest to anybody.
    #[must_use]
    pub fn wants_touches(&self) -> bool {
        self.watching || self.footprint.is_some()
    }

    /// Counts everything that could let a waiting wave go on: what was read at one count still stands while it
    /// lasts. An atomic that left memory as it was does not count.
    #[must_use]
    pub fn progress(&self) -> u64 {
        self.progress
    }

    /// Turns so far: a clock for `clock64`, `s_memtime` and timeouts that is the same on every replay. It leaps ahead when
    /// all that goes on is waves that wait for it.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.clock_read.set(true);
        self.clock_in_turn.set(true);
        self.now
    }

    /// True when the result may depend on more than the bytes that a cluster itself touches: another cluster touched them
    /// too, or the clock was read.
    pub(crate) fn depends_on_others(&self) -> bool {
        self.claims.as_ref().is_some_and(|claims| claims.conflict || self.clock_read.get())
    }

    /// True when a wave has looked at the clock.
    pub(crate) fn clock_was_read(&self) -> bool {
        self.clock_read.get()
    }

    /// True when all waves of the block have ended.
    #[must_use]
    pub fn has_ended(&self, block: BlockId) -> bool {
        self.blocks.get(block.index()).is_none_or(|b| b.ended)
    }

    /// Threads of the block that have not ended.
    #[must_use]
    pub fn live_threads(&self, block: BlockId) -> u32 {
        self.blocks.get(block.index()).map_or(0, |b| b.live_threads)
    }

    /// A number that belongs to a block and outlives instructions: an executor's allocator state. 0 until set.
    ///
    /// Reading a slot is not a visible step. That is sound as long as a wave only waits for a slot to grow: it then blocks,
    /// and runs after the step that set it in every order.
    #[must_use]
    pub fn block_slot(&self, block: BlockId, slot: u32) -> u64 {
        self.blocks[block.index()].slots.get(&slot).copied().unwrap_or(0)
    }

    /// True when all lanes of the wave have ended.
    #[must_use]
    pub fn wave_ended(&self, wave: WaveId) -> bool {
        let lanes = self.launch.wave_info(wave).lanes;
        self.waves.get(wave.index()).is_none_or(|w| lanes.0 & !w.exited.0 == 0)
    }

    /// Sets such a number, which may let a waiting wave go on.
    pub fn set_block_slot(&mut self, block: BlockId, slot: u32, value: u64) {
        // Any space works as long as nothing else has these bytes: tensor memory is never this far out.
        self.touch(Space::Tensor(block), u64::MAX / 2 + u64::from(slot) * 8, 8, true);
        self.blocks[block.index()].slots.insert(slot, value);
        self.made_progress();
    }

    /// A generic memory fence.
    pub fn fence(&mut self, who: Who, scope: Scope) {
        self.fence_of(who, FenceKind::default(), scope);
    }

    /// A generic memory fence of a kind.
    pub fn fence_of(&mut self, who: Who, kind: FenceKind, scope: Scope) {
        self.visible = true;
        self.emit(&Event::Fence { who, kind, scope });
    }

    /// A proxy fence.
    pub fn proxy_fence(&mut self, who: Who, fence: ProxyFence) {
        self.visible = true;
        if let ProxyFence::TensormapAcquire { map } = fence {
            let block = self.launch.block_of(who.wave);
            self.blocks[block.index()].maps.remove(&map);
        }
        self.emit(&Event::ProxyFence { who, fence });
    }

    /// What the copies of a block see of a tensor map in device memory that holds `now`: what it held at its first use, until
    /// a thread of the block acquires it. hardware: h200 facts 96 to 98; inferred: blocks do not share what they keep.
    pub fn cached_map(&mut self, wave: WaveId, address: u64, now: [u8; MAP_BYTES]) -> [u8; MAP_BYTES] {
        let block = self.launch.block_of(wave);
        let maps = &mut self.blocks[block.index()].maps;
        if maps.len() >= CACHED_MAPS && !maps.contains_key(&address) {
            maps.clear();
        }
        *maps.entry(address).or_insert(now)
    }

    /// A fence of pipelined operations around what orders threads.
    pub fn pipeline_fence(&mut self, who: Who, fence: PipelineFence) {
        self.visible = true;
        self.emit(&Event::PipelineFence { who, fence });
    }

    /// Lanes end. Barriers that wait for everybody no longer wait for them.
    pub fn exit(&mut self, who: Who) {
        self.visible = true;
        let block = self.launch.block_of(who.wave);
        self.did(Deed::Left(block));
        let wave = &mut self.waves[who.wave.index()];
        let leaving = LaneMask(who.lanes.0 & !wave.exited.0);
        wave.exited.0 |= leaving.0;
        self.emit(&Event::Exit(Who { lanes: leaving, ..who }));
        let state = &mut self.blocks[block.index()];
        state.live_threads = state.live_threads.saturating_sub(leaving.len());
        state.exits.push(Who { lanes: leaving, ..who });
        self.made_progress();
        self.leave_rendezvous(block, who.wave, leaving);
    }

    /// A register that operation `seq` of a channel fills is used: keeps hints on waits honest. Only of interest while
    /// [`Self::watching`].
    pub fn needed(&mut self, who: Who, kind: ChannelKind, seq: u32) {
        self.emit(&Event::Needed { who, kind, seq });
    }

    #[inline]
    pub(crate) fn emit(&mut self, event: &Event<'_>) {
        if let Some(observer) = &mut self.observer {
            observer.event(event);
        }
    }

    pub(crate) fn take_observer(&mut self) -> Option<Box<dyn Observer>> {
        self.observer.take()
    }

    #[inline]
    pub(crate) fn made_progress(&mut self) {
        self.progress += 1;
    }

    pub(crate) fn new_sync(&mut self) -> SyncId {
        let sync = SyncId(self.next_sync);
        self.next_sync += 1;
        sync
    }
}
