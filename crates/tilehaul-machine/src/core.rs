//! The machine as an executor sees it: memories, synchronisation, asynchronous operations.
//!
//! An executor decodes and computes; whatever other waves or engines could see goes through a [`Core`]. Calls take the
//! acting lanes and the place of the instruction, act at once, and tell the observer. The calls are grouped in three
//! files: memory here, barriers in `sync`, asynchronous operations in `flight`.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use tilehaul_diag::{Code, Diagnostic, Level, Source};

use crate::barrier::{BarrierKey, Rendezvous};
use crate::channel::ChannelState;
use crate::chooser::{Deed, Footprint, Rng};
use crate::flight::Flight;
use crate::garble::Garbling;
use crate::spread::Claims;
use crate::steal::NotStartedYet;
use crate::sync::{TxBarrier, WordBarrier};
use crate::{
    Access, AccessKind, BarrierAt, BlockId, ChannelKind, ChannelSpec, ClusterId, CounterSpec, Event,
    FenceKind, Landing, LaneMask, Launch, Memories, Observer, PipelineFence, PlaceId, Proxy, ProxyFence,
    Scope, Space, SyncId, Track, WaveId, Who,
};

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

/// A request that several blocks of a cluster are to make together.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    /// Who made it first.
    who: Who,
    what: &'static str,
    /// Blocks that are to make it and those that did, by their rank.
    expected: u32,
    came: u32,
}

/// Something an executor or the core has to say about a place, beside what the checker finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Who was at work.
    pub who: Who,
    /// What.
    pub diagnostic: Diagnostic,
    /// Other instructions that matter, with a few words on each.
    pub others: Vec<(PlaceId, String)>,
    /// How often it was said, by anybody at this place.
    pub count: u64,
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
    pub words: BTreeMap<u64, WordBarrier>,
    /// The block's own slots for executors: tensor-memory allocator state and the like.
    pub slots: BTreeMap<u32, u64>,
}

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
    #[must_use]
    pub fn block_slot(&self, block: BlockId, slot: u32) -> u64 {
        self.blocks[block.index()].slots.get(&slot).copied().unwrap_or(0)
    }

    /// The same for a wave that stays where it is until the number has grown.
    pub fn awaited_slot(&mut self, block: BlockId, slot: u32) -> u64 {
        self.touch(Space::Tensor(block), u64::MAX / 2 + u64::from(slot) * 8, 8, false);
        self.block_slot(block, slot)
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

    /// Reads memory for each lane: `take` gets the lane and its bytes.
    ///
    /// # Errors
    /// When a lane's bytes do not exist; lanes before it were served.
    #[inline]
    pub fn load(&mut self, access: &Access<'_>, mut take: impl FnMut(u32, &[u8])) -> Result<(), Trap> {
        if self.garbling.is_some() {
            return self.load_garbled(access, &mut take);
        }
        let len = u64::from(access.size);
        let (mut base, mut window): (u64, &[u8]) = (0, &[]);
        for lane in access.who.lanes.iter() {
            let address = access.addresses[lane as usize];
            let end = address.wrapping_sub(base).checked_add(len);
            if end.is_none_or(|end| end > window.len() as u64) {
                match self.memories.window(access.space, address, len) {
                    Some(found) => (base, window) = found,
                    None => return Err(self.outside(access, lane, "read")),
                }
            }
            let start = (address - base) as usize;
            take(lane, &window[start..start + len as usize]);
        }
        self.note(access, AccessKind::Read, LaneMask::NONE);
        Ok(())
    }

    /// Writes memory for each lane, in lane order: `give` gets the lane and its bytes to fill.
    ///
    /// # Errors
    /// When a lane's bytes do not exist; lanes before it were served.
    #[inline]
    pub fn store(&mut self, access: &Access<'_>, mut give: impl FnMut(u32, &mut [u8])) -> Result<(), Trap> {
        let asked = self.wants_touches();
        self.change(access, AccessKind::Write, |lane, bytes| compared(asked, bytes, |b| give(lane, b)))
    }

    /// Reads and writes memory for each lane in one step each, in lane order: `apply` gets the lane and its bytes.
    ///
    /// # Errors
    /// When a lane's bytes do not exist; lanes before it were served.
    #[inline]
    pub fn atomic(&mut self, access: &Access<'_>, mut apply: impl FnMut(u32, &mut [u8])) -> Result<(), Trap> {
        self.change(access, AccessKind::Atomic, |lane, bytes| compared(true, bytes, |b| apply(lane, b)))
    }

    /// `apply` tells whether it left all bytes as they were.
    #[inline]
    fn change(
        &mut self,
        access: &Access<'_>,
        kind: AccessKind,
        mut apply: impl FnMut(u32, &mut [u8]) -> bool,
    ) -> Result<(), Trap> {
        let len = u64::from(access.size);
        let mut silent = LaneMask::NONE;
        let (mut base, mut window): (u64, &mut [u8]) = (0, &mut []);
        for lane in access.who.lanes.iter() {
            let address = access.addresses[lane as usize];
            let end = address.wrapping_sub(base).checked_add(len);
            if end.is_none_or(|end| end > window.len() as u64) {
                match self.memories.window_mut(access.space, address, len) {
                    Some(found) => (base, window) = found,
                    None => return Err(self.outside(access, lane, "write")),
                }
            }
            let start = (address - base) as usize;
            silent.0 |= u64::from(apply(lane, &mut window[start..start + len as usize])) << lane;
        }
        // An atomic that changes nothing lets nobody go on: a lock that is taken, a read in the form of an atomic.
        if kind == AccessKind::Write || silent != access.who.lanes {
            self.progress += 1;
        }
        self.note(access, kind, silent);
        Ok(())
    }

    /// Tells of an access whose bytes an executor moved itself, or that moves none (a predicated-off cache operation).
    #[inline]
    pub fn note(&mut self, access: &Access<'_>, kind: AccessKind, silent: LaneMask) {
        self.visible = true;
        self.instructions += 1;
        // What was done to a barrier is written down where it is done.
        let data = matches!(kind, AccessKind::Read | AccessKind::Write | AccessKind::Atomic);
        if data && self.footprint.is_some() {
            match self.polled_word(access, kind) {
                Some(deed) => self.did(deed),
                None => self.add_footprint(access, kind, silent),
            }
        }
        if let (Space::Global, Some(claims)) = (access.space, &mut self.claims) {
            claims.access(access, kind);
        }
        if let Space::Shared(block) = access.space
            && !self.blocks[block.index()].words.is_empty()
        {
            match kind {
                AccessKind::Read | AccessKind::Atomic => self.note_words(block, access),
                AccessKind::Write => self.forget_words(block, access),
                AccessKind::BarrierInit
                | AccessKind::BarrierUse
                | AccessKind::BarrierTest
                | AccessKind::BarrierInval => {}
            }
        }
        if self.watching {
            self.emit(&Event::Access { access, kind, silent });
        }
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
        self.emit(&Event::ProxyFence { who, fence });
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

    /// A block, the `rank`-th of its cluster, makes a request that all blocks of the mask `expected` are to make; `request`
    /// tells it from others. When the run ends, requests that somebody did not make are reported.
    pub fn meet(&mut self, who: Who, what: &'static str, request: u64, rank: u32, expected: u32) {
        let cluster = self.launch.block_info(self.launch.block_of(who.wave)).cluster;
        let meeting =
            self.meetings.entry((cluster, request)).or_insert(Meeting { who, what, expected, came: 0 });
        meeting.came |= 1 << (rank & 31);
    }

    /// Reports requests that not all made whom they expected.
    pub(crate) fn report_unmet(&mut self) {
        for Meeting { who, what, expected, came } in std::mem::take(&mut self.meetings).into_values() {
            let absent: Vec<String> =
                (0..32).filter(|r| (expected & !came) >> r & 1 == 1).map(|r| r.to_string()).collect();
            if absent.is_empty() {
                continue;
            }
            let message = format!(
                "block {} of the cluster never makes the {what} that the mask {expected:#x} of {} expects of it: the rendezvous ends by \
                 its timeout",
                absent.join(" and "),
                who.wave
            );
            let unmet = Diagnostic::new(Code("multicast-partner-missing"), Level::Warning, message)
                .fix("Let every block of the mask issue the same load, or leave its bit out of the mask.")
                .source(Source::manual(
                    "CDNA5 ISA 10.7, multicast: every block of the mask makes the same request",
                ));
            self.report(who, unmet);
        }
    }

    /// Says something about a place; once a place and code however often it is said.
    pub fn report(&mut self, who: Who, diagnostic: Diagnostic) {
        self.report_with(who, diagnostic, Vec::new());
    }

    /// The same, with other instructions that matter.
    pub fn report_with(&mut self, who: Who, diagnostic: Diagnostic, others: Vec<(PlaceId, String)>) {
        let key = (diagnostic.code, who.place);
        self.reports.entry(key).or_insert(Report { who, diagnostic, others, count: 0 }).count += 1;
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

    pub(crate) fn touch(&mut self, space: Space, start: u64, len: u64, write: bool) {
        let (by, forced) = (self.acting, self.forcing);
        let Some(list) = &mut self.footprint else { return };
        // Lanes side by side are one stretch.
        if let Some(Footprint { deed: Deed::Bytes { space: s, start: at, len: l, write: w }, by: b, .. }) =
            list.last_mut()
            && (*s, *w, *b) == (space, write, by)
            && at.checked_add(*l) == Some(start)
        {
            *l += len;
            return;
        }
        list.push(Footprint { deed: Deed::Bytes { space, start, len, write }, by, forced });
    }

    /// Writes down what a step did, in exhaustive runs.
    #[inline]
    pub(crate) fn did(&mut self, deed: Deed) {
        let (by, forced) = (self.acting, self.forcing);
        if let Some(list) = &mut self.footprint {
            list.push(Footprint { deed, by, forced });
        }
    }

    fn add_footprint(&mut self, access: &Access<'_>, kind: AccessKind, silent: LaneMask) {
        // An atomic that left memory as it was has only read it, whatever it would do elsewhere.
        let silent = if kind == AccessKind::Atomic { silent } else { LaneMask::NONE };
        for lane in access.who.lanes.iter() {
            let start = access.addresses[lane as usize];
            let write = kind.writes() && !silent.has(lane);
            self.touch(access.space, start, u64::from(access.size), write);
        }
    }

    #[cold]
    pub(crate) fn outside(&self, access: &Access<'_>, lane: u32, what: &str) -> Trap {
        let address = access.addresses[lane as usize];
        if let Space::Shared(block) = access.space
            && self.has_ended(block)
        {
            return Box::new(Diagnostic::new(
                Code("cluster-peer-gone"),
                Level::Error,
                format!("{what} of shared memory of {block}, which has exited"),
            ));
        }
        self.memories.out_of_bounds(
            access.space,
            address,
            u64::from(access.size),
            &format!("{what} by lane {lane}"),
        )
    }
}

/// Lets `change` at some bytes; true when somebody asks and it left them as they were.
#[inline]
fn compared(asked: bool, bytes: &mut [u8], change: impl FnOnce(&mut [u8])) -> bool {
    let mut before = [0u8; 64];
    match before.get_mut(..bytes.len()).filter(|_| asked) {
        Some(before) => {
            before.copy_from_slice(bytes);
            change(bytes);
            before == bytes
        }
        None => {
            change(bytes);
            false
        }
    }
}

impl<'a> Access<'a> {
    /// The same through another proxy.
    #[must_use]
    #[inline]
    pub fn through(mut self, proxy: Proxy) -> Access<'a> {
        self.proxy = proxy;
        self
    }

    /// The wave.
    #[must_use]
    #[inline]
    pub fn wave(&self) -> WaveId {
        self.who.wave
    }

    /// The channel operation it belongs to.
    #[must_use]
    #[inline]
    pub fn channel(&self) -> Option<(ChannelKind, u32)> {
        match self.track {
            Track::Lanes => None,
            Track::Channel { kind, seq } => Some((kind, seq)),
        }
    }
}
