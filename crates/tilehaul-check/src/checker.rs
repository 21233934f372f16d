//! The checker: an observer that keeps clocks and shadow memory, and hands what does not fit to the hazards.
//!
//! Soundness: a race is reported only when no edge of the model (see [`crate::order`]) orders the two accesses in the
//! run that was observed; another schedule may order them, never must. A race may be missed when it needs a path that no
//! explored run took, when an atomic location passes on knowledge that a different interleaving would not have had, or
//! when a byte was read by more actors than the read list keeps.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use tilehaul_diag::Code;
use tilehaul_machine::{
    Access, AccessKind, BarrierAt, BlockId, Channel, ChannelKind, ChannelSpec, ClusterId, CounterSpec, Ends,
    Event, FenceKind, GlobalMemory, Issued, LaneMask, Launch, Observer, OpId, Order as MemoryOrder, Part,
    PlaceId, Proxy, ProxyFence, Replay, Scope, Space, Token, Touch, WaveId, Who,
};

use crate::access::{Now, Range};
use crate::banks::Banks;
use crate::fences::Distance;
use crate::finding::{Finding, Findings, Spot};
use crate::flags::Flags;
use crate::hazard;
use crate::hint::{OpenFences, WaitHints};
use crate::late::{Arrival, Candidate, Pair, Step};
use crate::order::{Knowledge, NEVER, Order, Owner, Record, Strength, What};
use crate::peers::Peers;
use crate::pipelines::Behind;
use crate::raced::RacedLoads;
use crate::reads::Lists;
use crate::shadow::{MAX_RECORDS, SINGLE, Shadow};
use crate::tensormap::{Sees, TensorMaps};
use crate::words::Words;

/// Records after which those that nothing refers to are dropped for the first time.
const COLLECT_AT: usize = 1 << 20;
/// What is remembered of an asynchronous operation.
#[derive(Clone, Debug)]
pub(crate) struct OpInfo {
    pub who: Who,
    pub what: &'static str,
    pub barrier: Option<(BlockId, u64)>,
    /// Its records: for what it reads and for what it writes.
    records: [Option<u32>; 2],
    /// Position among everything its wave did, to tell which waits came later.
    pub moment: u64,
    /// Any byte that it wrote was read.
    pub read: bool,
    /// Tells the bytes that it writes from those of others, where operations are handed on between threads.
    pub targets: u64,
    /// How the bytes that it lands are arranged.
    arrangement: Option<&'static str>,
    /// Bytes of address after which the arrangement begins anew; 0 where bytes lie in a row.
    pub period: u32,
    /// The first byte that it writes in shared memory.
    lands_at: Option<(Space, u64)>,
    /// Where a thread first read arranged bytes by an ordinary load.
    pub reader: Option<PlaceId>,
}

/// A wait that a wave did, for words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitNote {
    pub place: PlaceId,
    pub kind: ChannelKind,
    pub asked: u32,
    pub part: Part,
    pub issued: u32,
    pub proven: u32,
    pub moment: u64,
}

/// A wait on a barrier that a wave did, for words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassNote {
    pub at: BarrierAt,
    pub completed: u32,
    /// The wait was relaxed: it orders nothing before a fence.
    pub relaxed: bool,
}

/// What a wave did last, for words.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaveNotes {
    pub waits: Vec<WaitNote>,
    pub passes: Vec<PassNote>,
    pub moment: u64,
    /// Operations that must be waited for before the wave ends.
    unwaited: Vec<u32>,
    /// Issued and proven, by channel.
    counts: Vec<(u32, u32)>,
    /// Its last arrival at a barrier; of waves in lockstep only.
    pub arrival: Option<Arrival>,
}

/// What writes to an atomic location published, by who can see it.
#[derive(Debug, Default)]
pub(crate) struct Location {
    device: Option<Rc<Knowledge>>,
    clusters: FxHashMap<ClusterId, Option<Rc<Knowledge>>>,
    blocks: FxHashMap<BlockId, Option<Rc<Knowledge>>>,
}

impl Location {
    /// A write by somebody of this block and cluster publishes to those at a distance.
    pub(crate) fn publish(
        &mut self,
        distance: Distance,
        (block, cluster): (BlockId, ClusterId),
        knows: &Rc<Knowledge>,
    ) {
        let written = match distance {
            Distance::Block => self.blocks.entry(block).or_default(),
            Distance::Cluster => self.clusters.entry(cluster).or_default(),
            Distance::Device => &mut self.device,
        };
        match written {
            Some(sum) if sum.covers(knows) => {}
            Some(sum) if !knows.covers(sum) => Rc::make_mut(sum).join(knows),
            written => *written = Some(Rc::clone(knows)),
        }
    }

    /// What somebody of this block and cluster finds that was published at a distance.
    pub(crate) fn written(
        &self,
        distance: Distance,
        (block, cluster): (BlockId, ClusterId),
    ) -> Option<&Rc<Knowledge>> {
        match distance {
            Distance::Block => self.blocks.get(&block)?.as_ref(),
            Distance::Cluster => self.clusters.get(&cluster)?.as_ref(),
            Distance::Device => self.device.as_ref(),
        }
    }
}

/// Keeps clocks and shadow memory of a run and collects findings.
#[derive(Debug)]
pub struct Checker {
    pub(crate) replay: Replay,
    pub(crate) launch: Launch,
    counters: Vec<CounterSpec>,
    pub(crate) order: Order,
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
        let global_bases = memory
            .allocations()
            .iter()
            .map(|a| (a.base, a.data.len() as u64, a.initialised))
            .collect::<Vec<_>>();
        Checker {
            replay,
            launch: launch.clone(),
            counters: counters.to_vec(),
            order: Order::new(lanes, launch.lockstep, channels.to_vec()),
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
            hints: WaitHints::default(),
            open_fences: OpenFences::default(),
            used: FxHashSet::default(),
            unused: Vec::new(),
            overflows: FxHashMap::default(),
            overflowed: false,
        }
    }

    /// What the run showed.
    #[must_use]
    pub(crate) fn finish(mut self) -> Checked {
        self.flush_late();
        let unused = std::mem::take(&mut self.unused);
        for (place, what, count) in unused {
            for _ in 0..if self.used.contains(what) { 0 } else { count } {
                let replay = self.replay;
                self.findings.add(hazard::never_read::HAZARD.code, place, None, || {
                    hazard::never_read::finding(place, what, replay)
                });
            }
        }
        for finding in self.banks.findings(self.replay) {
            self.findings.add(finding.code, finding.primary.place, None, || finding);
        }
        let arranged = self.arranged();
        let Checker { findings, hints, overflowed, raced, .. } = self;
        Checked { findings, hints, overflowed, raced, arranged }
    }

    /// Tiles that landed out of step with their arrangement, or that ordinary loads read: one for each copy instruction.
    fn arranged(&self) -> Vec<Finding> {
        let mut told: Vec<Finding> = Vec::new();
        for op in &self.ops {
            let (Some(arrangement), Some((space, at))) = (op.arrangement, op.lands_at) else { continue };
            let off = if op.period == 0 { 0 } else { at % u64::from(op.period) };
            if op.period == 0 || off == 0 && op.reader.is_none() {
                continue;
            }
            let told_already =
                |f: &Finding| f.primary.place == op.who.place && f.secondary.is_empty() == op.reader.is_none();
            if told.len() < 16 && !told.iter().any(told_already) {
                let at = self.words.address(space, at);
                told.push(hazard::arranged_tile::finding(op, (arrangement, &at, off), self.replay));
            }
        }
        told
    }

    fn issue(&mut self, issued: &Issued<'_>) {
        let who = issued.who;
        let notes = &mut self.notes[who.wave.index()];
        notes.moment += 1;
        let moment = notes.moment;
        if issued.ends == Ends::Unknown {
            return;
        }
        if self.records.len() >= self.collect_at {
            self.collect();
        }
        let index = self.ops.len() as u32;
        let own = self.launch.block_of(who.wave);
        if issued.touches.iter().any(|t| t.kind.writes() && t.space == Space::Shared(own)) {
            self.own_writes.entry(own).or_default().push(index);
        }
        self.ops.push(OpInfo {
            who,
            what: issued.what,
            barrier: issued.barrier,
            records: [None; 2],
            moment,
            read: false,
            targets: match issued.ends {
                Ends::Channel { kind, .. } if self.order.handover(kind).is_some() => targets(issued.touches),
                _ => 0,
            },
            arrangement: None,
            period: 0,
            lands_at: issued
                .touches
                .iter()
                .filter(|t| t.kind.writes() && matches!(t.space, Space::Shared(_)))
                .map(|t| (t.space, t.start))
                .min_by_key(|t| t.1),
            reader: None,
        });
        self.op_index.insert(issued.op, index);
        self.order.now(who.wave);
        let (channel, seq) = match issued.ends {
            Ends::Channel { kind, seq } => (Some(kind), seq),
            Ends::Barrier | Ends::Unknown => (None, 0),
        };
        if let Some(kind) = channel {
            self.count_issue(who, kind, seq);
            if self.order.channels.get(kind.index()).is_some_and(|c| c.must_be_waited) {
                self.notes[who.wave.index()].unwaited.push(index);
            }
        }
        if let Some((block, address)) = issued.barrier
            && let Some(record) = self.lanes_record(who, What::BarrierOperand, Proxy::Generic, Strength::Weak)
        {
            // The barrier operand is a generic access by the issuer: it must know of the init.
            let what = What::BarrierOperand;
            let now = Now {
                who,
                what,
                proxy: Proxy::Generic,
                channel: None,
                strength: Strength::Weak,
                record,
                op: None,
            };
            let lane = who.lanes.lowest().unwrap_or(0) as u8;
            let range = Range { start: address, len: 8, lane, shift: SINGLE, silent: false };
            self.check(&now, Space::Shared(block), &[range]);
        }
        let map = self.map_read.take().filter(|m| m.0 == who.wave).map(|m| m.1);
        for touch in issued.touches.iter().chain(&map) {
            let what = what_of(touch.kind);
            let slot = usize::from(touch.kind.writes());
            let record = match self.ops[index as usize].records[slot] {
                Some(record) => record,
                None => {
                    let Some(record) = self.op_record(issued, index, channel, seq, what) else { return };
                    self.ops[index as usize].records[slot] = Some(record);
                    record
                }
            };
            let is_map = map.is_some_and(|m| m == *touch);
            let now = Now {
                who: Who { lanes: LaneMask::one(u32::from(touch.lane)), ..who },
                what,
                proxy: if is_map { Proxy::Tensormap } else { issued.proxy },
                channel,
                // Operations of one reduction unit combine with each other in any order.
                strength: Strength::of(what, MemoryOrder::Weak, Distance::Device),
                record,
                op: Some(issued),
            };
            let (start, len, lane) = (touch.start, touch.len, touch.lane);
            let range = Range { start, len, lane, shift: SINGLE, silent: false };
            let clear = self.check(&now, touch.space, &[range]);
            self.started(who, touch.space, touch.kind, clear);
        }
        let behind = std::mem::take(&mut self.behind);
        if let (Some(kind), false) = (channel, behind.is_empty()) {
            let lane = who.lanes.lowest().unwrap_or(0) as u8;
            self.order.implies(Channel { wave: who.wave, kind }, lane, seq, &behind);
        }
    }

    fn complete(&mut self, op: OpId, token: Token) {
        let Some(index) = self.op_index.remove(&op) else { return };
        self.peers.gives(self.ops[index as usize].who.wave, token);
        let (actor, time) = self.order.copy_done(token);
        for record in self.ops[index as usize].records.into_iter().flatten() {
            let record = &mut self.records[record as usize];
            (record.actor, record.time) = (actor, time);
        }
    }

    fn exit(&mut self, who: Who) {
        let block = self.launch.block_of(who.wave);
        let (_, _) = self.order.now(who.wave);
        let unwaited = std::mem::take(&mut self.notes[who.wave.index()].unwaited);
        let mut left = Vec::new();
        for index in unwaited {
            let info = self.ops[index as usize].clone();
            if info.who.lanes.0 & who.lanes.0 == 0 {
                left.push(index);
                continue;
            }
            let Some(record) = info.records.into_iter().flatten().next() else { continue };
            let record = self.records[record as usize];
            let lane = info.who.lanes.lowest().unwrap_or(0) as u8;
            let groups = self.order.groups(who.wave);
            let group = groups.iter().find(|g| g.lanes.has(u32::from(lane)));
            let known = group.is_some_and(|g| self.order.known(&record, lane, who.wave, lane, g, None));
            if let (true, Some(group), Owner::Channel(kind)) = (known, group, record.owner) {
                self.hints.used(&self.order, &record, kind, who.wave, group);
            }
            if !known {
                let replay = self.replay;
                self.findings.add(hazard::exit_in_flight::HAZARD.code, info.who.place, None, || {
                    hazard::exit_in_flight::finding(&info, who, replay)
                });
            }
        }
        self.notes[who.wave.index()].unwaited = left;
        let knows = self.order.gather(who);
        let (all, last) = self.exits.entry(block).or_default();
        all.join(&knows);
        *last = Some(who);
        self.order.exit(who);
    }

    fn block_end(&mut self, block: BlockId) {
        let (exit, last) = self.exits.remove(&block).unwrap_or_default();
        if self.launch.cluster_size() > 1 {
            self.used_after_end(block, &exit, last);
        }
        for index in self.own_writes.remove(&block).unwrap_or_default() {
            let op = &self.ops[index as usize];
            if op.read {
                continue;
            }
            match self.unused.iter_mut().find(|u| (u.0, u.1) == (op.who.place, op.what)) {
                Some(unused) => unused.2 += 1,
                None => self.unused.push((op.who.place, op.what, 1)),
            }
        }
        self.shared[block.index()].clear(&mut self.lists);
        self.tensor[block.index()].clear(&mut self.lists);
        for space in [Space::Shared(block), Space::Tensor(block)] {
            self.locations.remove(&space);
        }
    }

    fn count_issue(&mut self, who: Who, kind: ChannelKind, seq: u32) {
        if !self.late.is_empty() {
            self.step(who.wave, Step::Issue(kind));
        }
        let counts = &mut self.notes[who.wave.index()].counts;
        if counts.len() <= kind.index() {
            counts.resize(kind.index() + 1, (0, 0));
        }
        counts[kind.index()].0 = seq;
        for counter in &self.counters {
            if !counter.channels.contains(&kind) {
                continue;
            }
            let counts = &self.notes[who.wave.index()].counts;
            let outstanding: u32 = counter
                .channels
                .iter()
                .filter_map(|c| counts.get(c.index()))
                .map(|c| c.0 - c.1.min(c.0))
                .sum();
            if outstanding > counter.max {
                let replay = self.replay;
                let counter = *counter;
                // Once a counter: what fills it is a loop or a long row of instructions.
                let place = *self.overflows.entry(counter.name).or_insert(who.place);
                self.findings.add(hazard::counter_overflow::HAZARD.code, place, None, || {
                    hazard::counter_overflow::finding(place, &counter, outstanding, replay)
                });
            }
        }
    }

    /// A wave in lockstep arrives at a barrier: what it has waited for until here, the others may know.
    fn arrived(&mut self, who: Who) {
        if !self.launch.lockstep {
            return;
        }
        if !self.late.is_empty() {
            self.step(who.wave, Step::Arrive);
        }
        let records = self.records.len();
        let notes = &mut self.notes[who.wave.index()];
        notes.moment += 1;
        let (place, moment) = (who.place, notes.moment);
        let arrival =
            notes.arrival.get_or_insert_with(|| Arrival { place, moment, issued: Vec::new(), records });
        (arrival.place, arrival.moment, arrival.records) = (place, moment, records);
        arrival.issued.clear();
        arrival.issued.extend(notes.counts.iter().map(|c| c.0));
    }

    pub(crate) fn lanes_record(
        &mut self,
        who: Who,
        what: What,
        proxy: Proxy,
        strength: Strength,
    ) -> Option<u32> {
        let (actor, time) = self.order.now(who.wave);
        let key = (who.wave, who.place, what, strength);
        if let Some(&index) = self.recent.get(&key)
            && self.records[index as usize].time == time
        {
            return Some(index);
        }
        let Who { wave, place, .. } = who;
        let owner = Owner::Lanes;
        let index = self.push_record(Record {
            wave,
            place,
            owner,
            actor,
            time,
            proxy,
            op: 0,
            one_way: false,
            silent: false,
            what,
            strength,
        })?;
        self.recent.insert(key, index);
        Some(index)
    }

    pub(crate) fn channel_record(
        &mut self,
        access: &Access<'_>,
        (kind, seq): (ChannelKind, u32),
        what: What,
        strength: Strength,
        silent: LaneMask,
    ) -> Option<u32> {
        let Who { wave, place, lanes } = access.who;
        self.order.now(wave);
        self.count_issue(access.who, kind, seq);
        let actor = self.order.channel_actor(Channel { wave, kind }, Part::All);
        let (owner, proxy) = (Owner::Channel(kind), access.proxy);
        let one_way =
            access.space == Space::Global && self.order.channels.get(kind.index()).is_some_and(|c| c.one_way);
        let silent = access.space == Space::Global && what == What::Write && lanes.0 & !silent.0 == 0;
        if one_way {
            self.order.issued(Channel { wave, kind }, seq);
        }
        self.push_record(Record {
            wave,
            place,
            owner,
            actor,
            time: seq,
            proxy,
            op: 0,
            one_way,
            silent,
            what,
            strength,
        })
    }

    fn op_record(
        &mut self,
        issued: &Issued<'_>,
        index: u32,
        channel: Option<ChannelKind>,
        seq: u32,
        what: What,
    ) -> Option<u32> {
        let who = issued.who;
        let (actor, time, owner) = match channel {
            Some(kind) => {
                let part = if what == What::Read { Part::Source } else { Part::All };
                let actor = self.order.channel_actor(Channel { wave: who.wave, kind }, part);
                (actor, seq, Owner::Channel(kind))
            }
            None => (crate::clock::ActorId(u32::MAX), NEVER, Owner::Copy),
        };
        self.push_record(Record {
            wave: who.wave,
            place: who.place,
            owner,
            actor,
            time,
            proxy: issued.proxy,
            op: index + 1,
            one_way: false,
            silent: false,
            what,
            strength: Strength::of(what, MemoryOrder::Weak, Distance::Device),
        })
    }

    fn push_record(&mut self, record: Record) -> Option<u32> {
        if self.records.len() >= MAX_RECORDS {
            self.overflowed = true;
            return None;
        }
        self.records.push(record);
        Some(self.records.len() as u32 - 1)
    }

    /// Drops records and operations that nothing refers to any more: no cell, and of operations no wave that must wait for
    /// them, no barrier that is to count their end and no block that has not ended.
    pub(crate) fn collect(&mut self) {
        let mut used = vec![false; self.records.len()];
        {
            let mut mark = |index: u32| {
                if let Some(flag) = used.get_mut(index as usize) {
                    *flag = true;
                }
            };
            for shadow in self.global.iter().chain(&self.shared).chain(&self.tensor) {
                shadow.each(|line| {
                    if let Some((index, _)) = line.cell.write.record() {
                        mark(index);
                    }
                    self.lists.each(line.cell.reads, line.read_shift, |read| mark(read.record));
                });
            }
        }
        let new_ops = self.collect_ops(&mut used);
        // Records that only wait to be used again are made anew.
        self.recent.clear();
        let mut new = vec![0; used.len()];
        let mut kept = 0;
        for (i, _) in used.iter().enumerate().filter(|u| *u.1) {
            new[i] = kept as u32;
            self.records[kept] = self.records[i];
            if let Some(op) = self.records[i].op.checked_sub(1) {
                self.records[kept].op = new_ops[op as usize] + 1;
            }
            kept += 1;
        }
        self.records.truncate(kept);
        for shadow in self.global.iter_mut().chain(&mut self.shared).chain(&mut self.tensor) {
            shadow.renumber(&mut self.lists, &new);
        }
        for record in self.ops.iter_mut().flat_map(|op| op.records.iter_mut().flatten()) {
            *record = new[*record as usize];
        }
        // Which of them are older than an arrival is not known any more.
        for notes in &mut self.notes {
            if let Some(arrival) = &mut notes.arrival {
                arrival.records = 0;
            }
        }
        self.collect_at = (kept * 2).max(COLLECT_AT);
    }

    /// Drops operations, marks the records of those that stay, and returns what their numbers become.
    fn collect_ops(&mut self, used_records: &mut [bool]) -> Vec<u32> {
        let mut used = vec![false; self.ops.len()];
        let of_records = self.records.iter().zip(&*used_records).filter(|r| *r.1);
        let of_records = of_records.filter_map(|(record, _)| record.op.checked_sub(1));
        let of_waves = self.notes.iter().flat_map(|notes| notes.unwaited.iter().copied());
        let of_blocks = self.own_writes.values().flatten().copied();
        // The end of those that belong to a channel is told by number.
        self.op_index.retain(|_, index| self.ops[*index as usize].barrier.is_some());
        let of_barriers = self.op_index.values().copied();
        for index in of_records.chain(of_waves).chain(of_blocks).chain(of_barriers) {
            used[index as usize] = true;
        }
        let mut new = vec![0; used.len()];
        let mut kept = 0;
        for (i, new) in new.iter_mut().enumerate().filter(|(i, _)| used[*i]) {
            *new = kept;
            self.ops[i].records.iter().flatten().for_each(|&record| used_records[record as usize] = true);
            self.ops.swap(kept as usize, i);
            kept += 1;
        }
        self.ops.truncate(kept as usize);
        let of_waves = self.notes.iter_mut().flat_map(|notes| &mut notes.unwaited);
        let of_blocks = self.own_writes.values_mut().flatten();
        for index in of_waves.chain(of_blocks).chain(self.op_index.values_mut()) {
            *index = new[*index as usize];
        }
        new
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

    pub(crate) fn lockstep(&self) -> bool {
        self.launch.lockstep
    }

    fn tensormap_fence(&mut self, who: Who, map: u64) {
        self.order.now(who.wave);
        let knows = self.order.gather(who);
        let (actor, time) = self.order.now(who.wave);
        self.maps.acquired(map, who, actor, time, knows);
        // Later accesses of the wave come after the fence, so they need another time.
        self.order.step(who.wave);
    }

    fn tensormap_release(&mut self, who: Who) {
        self.order.now(who.wave);
        let knows = self.order.gather(who);
        let (actor, time) = self.order.now(who.wave);
        self.maps.released(who, actor, time, knows);
        self.order.step(who.wave);
    }

    /// Bytes that a copy landed in one arrangement must not be read in another.
    fn read_arranged(&mut self, who: Who, space: Space, address: u64, arrangement: &'static str) {
        let Some((shadow, slot)) = self.take_shadow(space, address, 1) else { return };
        let mut writer = None;
        // The first aligned word says who wrote the tile.
        shadow.writers((address - slot.base) & !3, 4, |record, _| writer = Some(record));
        self.put_shadow(space, &slot, shadow);
        let Some(record) = writer else { return };
        let record = self.records[record as usize];
        let Some(op) = record.op.checked_sub(1).map(|i| &self.ops[i as usize]) else { return };
        let Some(landed) = op.arrangement.filter(|&l| l != arrangement) else { return };
        let (what, replay, at) = (op.what, self.replay, self.words.address(space, address));
        let place = who.place;
        // Once for each landing: the products of one tile all read it alike.
        self.findings.add(hazard::arrangement::HAZARD.code, record.place, None, || {
            hazard::arrangement::finding(place, &at, arrangement, (record.place, what), landed, replay)
        });
    }

    /// A read of a tensor map by the engine: its bytes must be what an acquire made visible.
    fn read_map(&mut self, access: &Access<'_>) {
        let who = access.who;
        self.order.now(who.wave);
        for lane in who.lanes.iter().take(1) {
            let map = access.addresses[lane as usize];
            let (space, len, kind) = (access.space, u64::from(access.size), AccessKind::Read);
            self.map_read = Some((who.wave, Touch { space, start: map, len, kind, lane: lane as u8 }));
            let Some((shadow, slot)) = self.take_shadow(access.space, map, u64::from(access.size)) else {
                continue;
            };
            let (mut stale, mut unreleased) = (None, None);
            shadow.writers(map - slot.base, u64::from(access.size), |index, earlier_lane| {
                let record = &self.records[index as usize];
                match self.maps.sees(&self.order, map, who, lane as u8, record, earlier_lane) {
                    Sees::Old => stale = stale.or(Some((index, earlier_lane))),
                    Sees::Unreleased => unreleased = unreleased.or(Some((index, earlier_lane))),
                    Sees::New => {}
                }
            });
            self.put_shadow(access.space, &slot, shadow);
            if let Some((index, earlier_lane)) = stale {
                let record = self.records[index as usize];
                let (replay, where_) = (self.replay, self.words.address(access.space, map));
                let place = who.place;
                self.findings.add(hazard::stale_map::HAZARD.code, place, Some(record.place), || {
                    hazard::stale_map::finding(place, who, &where_, &record, earlier_lane, replay)
                });
            } else if let Some((index, earlier_lane)) = unreleased {
                let record = self.records[index as usize];
                let (replay, where_) = (self.replay, self.words.address(access.space, map));
                let place = who.place;
                self.findings.add(hazard::unreleased_map::HAZARD.code, place, Some(record.place), || {
                    hazard::unreleased_map::finding(place, who, &where_, &record, earlier_lane, replay)
                });
            }
        }
    }
}

impl Observer for Checker {
    fn event(&mut self, event: &Event<'_>) {
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
            Event::ReleaseFenced { who, token, scope } => {
                self.hints.relaxed();
                self.peers.gives(who.wave, *token);
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
            Event::Passed { who, at, completed } => {
                let notes = &mut self.notes[who.wave.index()];
                notes.moment += 1;
                let note = PassNote { at: *at, completed: *completed, relaxed: false };
                push_bounded(&mut notes.passes, note);
            }
        }
    }

    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
        self
    }
}

impl WaveNotes {
    /// Operations issued on a channel so far.
    pub(crate) fn issued(&self, kind: ChannelKind) -> Option<u32> {
        self.counts.get(kind.index()).map(|c| c.0)
    }
}

impl What {
    pub(crate) fn writes(self) -> bool {
        !matches!(self, What::Read | What::BarrierUse | What::BarrierOperand)
    }

    /// An ordinary write, as opposed to one that makes or ends a barrier.
    pub(crate) fn is_data_write(self) -> bool {
        matches!(self, What::Write | What::Atomic)
    }

    pub(crate) fn reads(self) -> bool {
        matches!(self, What::Read | What::Atomic)
    }
}

/// How far the fence around a relaxed barrier operation must reach.
fn barrier_distance(scope: Scope) -> Distance {
    if scope == Scope::Cluster { Distance::Cluster } else { Distance::Block }
}

pub(crate) fn what_of(kind: AccessKind) -> What {
    match kind {
        AccessKind::Read => What::Read,
        AccessKind::Write => What::Write,
        AccessKind::Atomic => What::Atomic,
        AccessKind::BarrierInit => What::BarrierInit,
        AccessKind::BarrierUse => What::BarrierUse,
        AccessKind::BarrierInval => What::BarrierInval,
    }
}

/// A number for the bytes that an operation writes.
fn targets(touches: &[Touch]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    for touch in touches.iter().filter(|t| t.kind.writes()) {
        (touch.space, touch.start, touch.len).hash(&mut hasher);
    }
    hasher.finish()
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
        code: Code(hazard.code.0),
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
