//! A tiny instruction set: an example of an executor, and what tests and the brute-force comparison run.
//!
//! Every wave of a block has a list of operations of its own. There are no branches; a wait repeats until it succeeds.

use tilehaul_diag::{Code, Diagnostic, Level, Span};

use crate::{
    Access, Arrival, BarrierAt, BarrierKey, BlockId, ChannelKind, ChannelSpec, ClusterId, Copy, CopyJob,
    Core, CounterKind, CounterSpec, End, Executor, Expected, LaneMask, NewOp, Order, Ordering, Part, Phase,
    PlaceId, Proxy, ProxyFence, Ran, Scope, Space, Status, Ticket, Trap, WaitFor, Waits, WaveId, WaveInfo,
    Who,
};

/// Bulk copies from shared memory, in groups of a thread.
pub const BULK: ChannelKind = ChannelKind(0);
/// Copies counted by a counter of the wave.
pub const COPIES: ChannelKind = ChannelKind(1);
/// Counted loads and stores of shared memory.
pub const LOCAL: ChannelKind = ChannelKind(2);
/// Counts [`COPIES`].
pub const COPY_COUNTER: CounterKind = CounterKind(0);
/// Counts [`LOCAL`].
pub const LOCAL_COUNTER: CounterKind = CounterKind(1);

/// Channels of the tiny instruction set.
pub const CHANNELS: [ChannelSpec; 3] = [
    ChannelSpec {
        name: "bulk groups",
        in_order: false,
        after: &[],
        per_lane: true,
        must_be_waited: true,
        one_way: false,
        handover: None,
        waits: ["wait_group.read {}", "wait_group {}"],
    },
    ChannelSpec {
        name: "copycnt",
        in_order: true,
        after: &[COPIES],
        per_lane: false,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: [""; 2],
    },
    ChannelSpec {
        name: "localcnt",
        in_order: true,
        after: &[LOCAL],
        per_lane: false,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: [""; 2],
    },
];
/// Counters of the tiny instruction set.
pub const COUNTERS: [CounterSpec; 2] = [
    CounterSpec { name: "copycnt", channels: &[COPIES], max: 63, wait: "wait copycnt {}", drain: None },
    CounterSpec { name: "localcnt", channels: &[LOCAL], max: 15, wait: "wait localcnt {}", drain: None },
];

/// A memory, as an operation names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mem {
    /// Device memory.
    Global,
    /// Shared memory of the own block.
    Shared,
}

/// Four bytes for each lane: `at + lane * 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// The memory.
    pub mem: Mem,
    /// Address of lane 0.
    pub at: u64,
}

/// How the end of a copy is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CopyEnd {
    /// Bytes on the transaction barrier at this shared address.
    Barrier(u64),
    /// The bulk group of the issuing lane.
    Group,
    /// The copy counter of the wave.
    Counter,
    /// The same, and then the engine adds one to the barrier word at this shared address, which ends a phase of it.
    CounterThenWord(u64),
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Loads a word.
    Load(Word),
    /// Stores a value (the same in all lanes).
    Store(Word, u32),
    /// Stores what the last load found in each lane.
    Keep(Word),
    /// The same as counted operations ([`LOCAL`]), to shared memory.
    CountedLoad(u64),
    /// See [`Op::CountedLoad`].
    CountedStore(u64, u32),
    /// Loads a word with a memory order at a scope.
    LoadAs(Word, Order, Scope),
    /// Stores a value likewise.
    StoreAs(Word, u32, Order, Scope),
    /// Adds a value in each lane likewise.
    AddAs(Word, u32, Order, Scope),
    /// Repeats a relaxed load at device scope until it finds the value.
    AwaitRelaxed(Word, u32),
    /// Adds a value in each lane, with acquire and release at device scope.
    Add(Word, u32),
    /// Stores a value with release at device scope.
    Release(Word, u32),
    /// Repeats an acquiring load until it finds the value.
    Await(Word, u32),
    /// The same, giving up after so many loads.
    AwaitFor(Word, u32, u32),
    /// Block barrier.
    Barrier,
    /// Cluster barrier.
    ClusterBarrier,
    /// Warp barrier of the active lanes.
    LanesMeet,
    /// Initialises a transaction barrier.
    Init(u64, u32),
    /// Invalidates it.
    Inval(u64),
    /// Arrives once.
    Arrive(u64),
    /// Announces bytes and arrives once.
    ArriveExpect(u64, u32),
    /// Repeats until the phase of this parity has completed.
    WaitPhase(u64, u32),
    /// Copies bytes between device and shared memory.
    Copy {
        /// First source byte.
        from: Word,
        /// First destination byte.
        to: Word,
        /// Number of bytes.
        len: u32,
        /// How its end is known.
        end: CopyEnd,
    },
    /// Commits the bulk group.
    Commit,
    /// Waits until at most this many bulk groups are outstanding, or have unread sources.
    WaitGroup(u32, Part),
    /// Waits until the copy counter is at most this.
    WaitCopies(u32),
    /// When the copies counted so far are complete, an engine arrives this often at a transaction barrier.
    ArriveWhenCopied(u64, u32),
    /// The same, releasing what the lanes did before.
    ReleaseWhenCopied(u64, u32),
    /// Waits until the local counter is at most this.
    WaitLocal(u32),
    /// Proxy fence.
    ProxyFence,
    /// Memory fence at device scope.
    Fence,
    /// Stops with "unsupported".
    Unknown,
}

/// An operation and the lanes that execute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The lanes, of those that the wave has.
    pub lanes: LaneMask,
    /// The operation.
    pub op: Op,
}

/// A program: a list for each wave of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mini {
    /// Operations of wave 0, wave 1, … of every block; waves beyond the list end at once.
    pub waves: Vec<Vec<Line>>,
    /// Path that copies take.
    pub copies_async: bool,
}

/// State of a wave of the tiny instruction set.
#[derive(Debug)]
pub struct MiniWave {
    id: WaveId,
    number: usize,
    lanes: LaneMask,
    block: BlockId,
    cluster: ClusterId,
    at: usize,
    /// Loads of an [`Op::AwaitFor`] so far.
    tries: u32,
    ticket: Option<Ticket>,
    /// Words that the last load found, by lane.
    pub found: [u32; 64],
}

impl Mini {
    /// Waves with every lane active.
    #[must_use]
    pub fn new(waves: Vec<Vec<Op>>) -> Mini {
        let lanes = LaneMask::first(64);
        let waves =
            waves.into_iter().map(|ops| ops.into_iter().map(|op| Line { lanes, op }).collect()).collect();
        Mini { waves, copies_async: true }
    }

    /// The place of operation `index` of wave `number`.
    #[must_use]
    pub fn place(number: usize, index: usize) -> PlaceId {
        PlaceId((number as u32) << 16 | index as u32)
    }
}

enum Next {
    Done,
    Again(Status),
}

impl Executor for Mini {
    type Wave = MiniWave;

    fn start(&self, info: &WaveInfo, _core: &mut Core) -> Result<MiniWave, Trap> {
        Ok(MiniWave {
            id: info.id,
            number: info.number as usize,
            lanes: info.lanes,
            block: info.block.id,
            cluster: info.block.cluster,
            at: 0,
            tries: 0,
            ticket: None,
            found: [0; 64],
        })
    }

    fn run(&self, wave: &mut MiniWave, core: &mut Core, budget: u32) -> Ran {
        let lines = self.waves.get(wave.number).map_or(&[][..], |l| l);
        for steps in 0..budget {
            let place = Mini::place(wave.number, wave.at);
            let who = Who { wave: wave.id, lanes: wave.lanes, place };
            let Some(line) = lines.get(wave.at) else {
                core.exit(who);
                return Ran { steps, place, status: Status::Exited };
            };
            let who = Who { lanes: LaneMask(who.lanes.0 & line.lanes.0), ..who };
            match self.step(wave, core, who, line.op) {
                Ok(Next::Done) => wave.at += 1,
                Ok(Next::Again(status)) => return Ran { steps, place, status },
                Err(trap) => return Ran { steps, place, status: Status::Fault(who, trap) },
            }
        }
        Ran { steps: budget, place: Mini::place(wave.number, wave.at), status: Status::Ready }
    }

    fn fingerprint(&self, wave: &MiniWave) -> u64 {
        // There are no branches: what was found decides nothing.
        wave.at as u64 | u64::from(wave.tries) << 32
    }

    fn channels(&self) -> &[ChannelSpec] {
        &CHANNELS
    }

    fn counters(&self) -> &[CounterSpec] {
        &COUNTERS
    }

    fn span(&self, _place: PlaceId) -> Option<Span> {
        None
    }

    fn text(&self, place: PlaceId) -> String {
        let (number, index) = (place.0 >> 16, place.0 & 0xffff);
        let line = self.waves.get(number as usize).and_then(|w| w.get(index as usize));
        line.map_or_else(|| "end".into(), |l| format!("{:?}", l.op))
    }
}

impl Mini {
    fn step(&self, wave: &mut MiniWave, core: &mut Core, who: Who, op: Op) -> Result<Next, Trap> {
        let block = wave.block;
        let bar = |address| BarrierAt { block, address };
        let space = |mem| match mem {
            Mem::Global => Space::Global,
            Mem::Shared => Space::Shared(block),
        };
        let addresses = |at: u64| -> [u64; 64] { std::array::from_fn(|lane| at + lane as u64 * 4) };
        let wait = |reason| Waits { lanes: who.lanes, place: who.place, reason };
        match op {
            Op::Load(word) => {
                let addresses = addresses(word.at);
                load(wave, core, &Access::new(who, space(word.mem), &addresses, 4))?;
            }
            Op::Store(word, value) => {
                let addresses = addresses(word.at);
                let access = Access::new(who, space(word.mem), &addresses, 4);
                core.store(&access, |_, bytes| bytes.copy_from_slice(&value.to_le_bytes()))?;
            }
            Op::Keep(word) => {
                let (addresses, found) = (addresses(word.at), wave.found);
                let access = Access::new(who, space(word.mem), &addresses, 4);
                core.store(&access, |lane, bytes| {
                    bytes.copy_from_slice(&found[lane as usize].to_le_bytes());
                })?;
            }
            Op::CountedLoad(at) => {
                let addresses = addresses(at);
                let seq = core.next_seq(who.wave, LOCAL);
                load(wave, core, &Access::new(who, Space::Shared(block), &addresses, 4).on(LOCAL, seq))?;
            }
            Op::CountedStore(at, value) => {
                let addresses = addresses(at);
                let seq = core.next_seq(who.wave, LOCAL);
                let access = Access::new(who, Space::Shared(block), &addresses, 4).on(LOCAL, seq);
                core.store(&access, |_, bytes| bytes.copy_from_slice(&value.to_le_bytes()))?;
            }
            Op::LoadAs(word, order, scope) => {
                let addresses = addresses(word.at);
                load(wave, core, &Access::new(who, space(word.mem), &addresses, 4).ordered(order, scope))?;
            }
            Op::StoreAs(word, value, order, scope) => {
                let addresses = addresses(word.at);
                let access = Access::new(who, space(word.mem), &addresses, 4).ordered(order, scope);
                core.store(&access, |_, bytes| bytes.copy_from_slice(&value.to_le_bytes()))?;
            }
            Op::Add(word, value) | Op::AddAs(word, value, ..) => {
                let addresses = addresses(word.at);
                let access = Access::new(who, space(word.mem), &addresses, 4);
                let access = match op {
                    Op::AddAs(_, _, order, scope) => access.ordered(order, scope),
                    _ => access.ordered(Order::AcquireRelease, Scope::Device),
                };
                core.atomic(&access, |_, bytes| {
                    let mut old = [0; 4];
                    old.copy_from_slice(bytes);
                    bytes.copy_from_slice(&u32::from_le_bytes(old).wrapping_add(value).to_le_bytes());
                })?;
            }
            Op::Release(word, value) => {
                let addresses = addresses(word.at);
                let access = Access::new(who, space(word.mem), &addresses, 4);
                let access = access.ordered(Order::Release, Scope::Device);
                core.store(&access, |_, bytes| bytes.copy_from_slice(&value.to_le_bytes()))?;
            }
            Op::Await(word, value) | Op::AwaitFor(word, value, _) | Op::AwaitRelaxed(word, value) => {
                let addresses = addresses(word.at);
                let access = Access::new(who, space(word.mem), &addresses, 4);
                let relaxed = matches!(op, Op::AwaitRelaxed(..));
                let order = if relaxed { Order::Relaxed } else { Order::Acquire };
                let access = Access { polls: relaxed, ..access.ordered(order, Scope::Device) };
                let mut all = true;
                core.load(&access, |_, bytes| all &= bytes == value.to_le_bytes())?;
                if let Op::AwaitFor(.., most) = op {
                    wave.tries += 1;
                    all |= wave.tries >= most;
                }
                if !all {
                    let reason = WaitFor::Memory { space: space(word.mem), address: word.at };
                    return Ok(Next::Again(Status::Polling(wait(reason))));
                }
                wave.tries = 0;
            }
            Op::Barrier | Op::ClusterBarrier => {
                let ticket = match wave.ticket {
                    Some(ticket) => ticket,
                    None => {
                        let key = match op {
                            Op::Barrier => BarrierKey::Block(block, 0),
                            _ => BarrierKey::Cluster(wave.cluster, 0),
                        };
                        core.barrier_arrive(who, key, who.lanes.len(), Expected::Everyone)
                    }
                };
                if !core.barrier_wait(who, ticket) {
                    wave.ticket = Some(ticket);
                    return Ok(Next::Again(Status::Blocked(wait(WaitFor::Rendezvous(ticket)))));
                }
                wave.ticket = None;
            }
            Op::LanesMeet => core.lanes_meet(who),
            Op::Init(at, count) => core.mbarrier_init(who, bar(at), count)?,
            Op::Inval(at) => core.mbarrier_inval(who, bar(at))?,
            Op::Arrive(at) => {
                core.mbarrier_arrive(who, bar(at), Arrival::Count(1), Ordering::Ordered, |_, _| {})?;
            }
            Op::ArriveExpect(at, bytes) => {
                core.mbarrier_arrive(who, bar(at), Arrival::ExpectTx(bytes), Ordering::Ordered, |_, _| {})?;
            }
            Op::WaitPhase(at, parity) => {
                if !core.mbarrier_test(who, bar(at), Phase::Parity(parity), Ordering::Ordered)? {
                    let reason = WaitFor::Mbarrier { at: bar(at), parity: parity & 1 == 1 };
                    return Ok(Next::Again(Status::Polling(wait(reason))));
                }
            }
            Op::Copy { from, to, len, end } => {
                let lane = who.lanes.lowest().unwrap_or(0) as u8;
                // Two halves, so that a copy can be half landed.
                let half = len / 2;
                let piece = |at: u32, len| Copy {
                    lane,
                    src: Some(from.at + u64::from(at)),
                    dst: Some(to.at + u64::from(at)),
                    len,
                    zeros: 0,
                };
                let copies = vec![piece(0, half), piece(half, len - half)];
                let end = match end {
                    CopyEnd::Barrier(at) => End::Barrier(smallvec::smallvec![bar(at)]),
                    CopyEnd::Group => End::Channel(BULK),
                    CopyEnd::Counter => End::Channel(COPIES),
                    CopyEnd::CounterThenWord(at) => End::ChannelThenWord {
                        kind: COPIES,
                        at: bar(at),
                        step: |word| (word + 1, 1),
                        arrivals: 1,
                    },
                };
                let proxy = if self.copies_async { Proxy::Async } else { Proxy::Generic };
                let job = Box::new(CopyJob::new(space(from.mem), space(to.mem), copies));
                core.issue(NewOp { who, what: "copy", proxy, job, end })?;
            }
            Op::Commit => core.commit_group(who, BULK),
            Op::WaitGroup(n, part) => core.wait_group(who, BULK, n, part)?,
            Op::WaitCopies(n) => core.wait_counter(who, COPY_COUNTER, n)?,
            Op::ArriveWhenCopied(at, count) => core.arrive_when_done(who, COPIES, bar(at), count)?,
            Op::ReleaseWhenCopied(at, count) => core.release_when_done(who, COPIES, bar(at), count)?,
            Op::WaitLocal(n) => core.wait_counter(who, LOCAL_COUNTER, n)?,
            Op::ProxyFence => core.proxy_fence(who, ProxyFence::Async(None)),
            Op::Fence => core.fence(who, Scope::Device),
            Op::Unknown => {
                let what = Diagnostic::new(Code("unsupported"), Level::Error, "`unknown` is not modelled");
                return Ok(Next::Again(Status::Unsupported(who, Box::new(what))));
            }
        }
        Ok(Next::Done)
    }
}

fn load(wave: &mut MiniWave, core: &mut Core, access: &Access<'_>) -> Result<(), Trap> {
    let found = &mut wave.found;
    core.load(access, |lane, bytes| {
        let mut word = [0; 4];
        word.copy_from_slice(bytes);
        found[lane as usize] = u32::from_le_bytes(word);
    })
}
