//! One access of memory: compared with what shadow memory remembers, then remembered.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use tilehaul_machine::{
    Access, AccessKind, Channel, ChannelKind, Issued, LaneMask, Launch, Part, Proxy, Space, SpaceKind, Track,
    Who,
};

use crate::checker::{Checker, OpInfo, what_of};
use crate::fences::Distance;
use crate::finding::Key;
use crate::flags::Relaxed;
use crate::hazard::{self, Clash, Side};
use crate::hint::{OpenFences, WaitHints};
use crate::late::{Candidate, Pair, Step};
use crate::order::{LaneGroup, Order, Owner, Record, Strength, What};
use crate::pipelines::Behind;
use crate::raced;
use crate::reads::Lists;
use crate::shadow::{Cell, Mark, SINGLE, Shift, Span, Visit, Whole};

/// Unordered reads of a byte of device memory that are kept: inputs are read by every block, and a write after a read is
/// found in another schedule if not in this one.
const GLOBAL_READS: usize = 1;
/// The same for memories of a block, which no more than its waves and their copies read.
const BLOCK_READS: usize = 48;

/// What the later of two accesses is, while it is checked.
#[derive(Clone, Copy)]
pub(crate) struct Now<'a> {
    pub(crate) who: Who,
    pub(crate) what: What,
    pub(crate) proxy: Proxy,
    pub(crate) channel: Option<ChannelKind>,
    pub(crate) strength: Strength,
    pub(crate) record: u32,
    pub(crate) op: Option<&'a Issued<'a>>,
}

/// Bytes that a lane, lanes side by side, or a wave in lockstep accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) start: u64,
    pub(crate) len: u64,
    /// The lane of its first byte.
    pub(crate) lane: u8,
    /// Each lane has `1 << shift` bytes of it, one after the other.
    pub(crate) shift: Shift,
    pub(crate) silent: bool,
}

/// Two accesses that do not fit together.
#[derive(Clone, Copy, Debug)]
struct Seen {
    earlier: u32,
    earlier_lane: u8,
    lane: u8,
    start: u64,
    len: u64,
    /// Bytes of the first lane.
    each: u64,
    /// Bytes that are meant; fewer than `len` where there are gaps.
    bytes: u64,
    /// The later lanes.
    lanes: u64,
    /// They are ordered, and only a proxy fence is missing (or the earlier one is a live barrier).
    known: bool,
}

impl Seen {
    /// Of lanes that lie side by side from `lane` on, `1 << shift` bytes each.
    fn new(
        (earlier, earlier_lane): (u32, u8),
        lane: u8,
        (start, len): (u64, u64),
        shift: Shift,
        known: bool,
    ) -> Seen {
        let shift = u32::from(shift);
        let count = len.checked_shr(shift).unwrap_or(0).clamp(1, 64) as u32;
        let lanes = (u64::MAX >> (64 - count)).checked_shl(u32::from(lane)).unwrap_or(0);
        let each = 1u64.checked_shl(shift).map_or(len, |grain| grain.min(len));
        Seen { earlier, earlier_lane, lane, start, len, each, bytes: len, lanes, known }
    }
}

impl Checker {
    pub(crate) fn access(&mut self, access: &Access<'_>, kind: AccessKind, silent: LaneMask) {
        let who = access.who;
        self.notes[who.wave.index()].moment += 1;
        if !self.late.is_empty() {
            self.step(who.wave, Step::Access(who.place));
        }
        // A map that was read for no operation (a prefetch) is done with.
        self.map_read = self.map_read.filter(|m| m.0 != who.wave);
        if self.records.len() >= self.collect_at {
            self.collect();
        }
        if !access.order.is_plain() {
            self.hints.relaxed();
            self.synchronise(access, kind);
            self.look_at_flags(access, kind, silent);
        } else if kind == AccessKind::Atomic {
            self.hints.relaxed();
        }
        let what = what_of(kind);
        // manual: LLVM AMDGPU memory model: there scopes say which caches are written back and invalidated, which is kept
        // apart; atomics are atomic for everybody.
        let reach = if self.launch.lockstep { Distance::Device } else { Distance::reach(access.scope) };
        let strength = Strength::of(what, access.order, reach);
        let record = match access.track {
            Track::Lanes => self.lanes_record(who, what, access.proxy, strength),
            Track::Channel { kind, seq } => self.channel_record(access, (kind, seq), what, strength, silent),
        };
        let Some(record) = record else { return };
        let channel = access.channel().map(|c| c.0);
        let now = Now { who, what, proxy: access.proxy, channel, strength, record, op: None };
        let ranges = self.ranges(access, silent);
        if !self.launch.lockstep && matches!(access.space, Space::Shared(_)) {
            self.banks.saw(access, kind, ranges.len() == 1);
        }
        let clear = self.check(&now, access.space, &ranges);
        if kind != AccessKind::Read && !access.order.is_plain() {
            self.raise_flags(access, silent);
        }
        if self.peers.matter() {
            self.at_peer(access, kind, record, clear);
        }
    }

    /// What the lanes access, lanes side by side joined.
    fn ranges(&self, access: &Access<'_>, silent: LaneMask) -> SmallVec<[Range; 64]> {
        let (lanes, len) = (access.who.lanes, u64::from(access.size));
        let lockstep = self.launch.lockstep;
        // Lanes that act as one need not be told apart; lanes that know different things must not be joined.
        let joins = lockstep || len.is_power_of_two() && self.order.groups(access.who.wave).len() == 1;
        let shift = if joins && !lockstep { len.trailing_zeros() as u8 } else { SINGLE };
        let all_silent = silent.0 & lanes.0 == lanes.0;
        let mut ranges: SmallVec<[Range; 64]> = SmallVec::new();
        // Most often all lanes stand in one row.
        let first = lanes.lowest().unwrap_or(0) as usize;
        let row = access.addresses.get(first..first + lanes.len() as usize).unwrap_or_default();
        let in_a_row = lanes.0 >> first & (lanes.0 >> first).wrapping_add(1) == 0;
        if let (true, true, Some(&start)) = (joins, in_a_row, row.first())
            && (lockstep || all_silent || silent.0 & lanes.0 == 0)
            && row.iter().zip((start..).step_by(len as usize)).all(|(a, b)| *a == b)
        {
            let (len, lane) = (len * row.len() as u64, if lockstep { 0 } else { first as u8 });
            ranges.push(Range { start, len, lane, shift, silent: all_silent });
            return ranges;
        }
        for lane in lanes.iter() {
            let start = access.addresses[lane as usize];
            let silent = if lockstep { all_silent } else { silent.has(lane) };
            match ranges.last_mut() {
                Some(last)
                    if joins
                        && last.start + last.len == start
                        && (lockstep
                            || u64::from(lane) == u64::from(last.lane) + (last.len >> last.shift))
                        && last.silent == silent =>
                {
                    last.len += len;
                }
                _ => ranges.push(Range {
                    start,
                    len,
                    lane: if lockstep { 0 } else { lane as u8 },
                    shift,
                    silent,
                }),
            }
        }
        ranges
    }

    /// Compares ranges with what shadow memory remembers, then remembers the access. True when there was nothing to say.
    pub(crate) fn check(&mut self, now: &Now<'_>, space: Space, ranges: &[Range]) -> bool {
        let mut seen = SeenSoFar::default();
        let mut rest = ranges;
        while let Some(first) = rest.first() {
            let Some((mut shadow, slot)) = self.take_shadow(space, first.start, first.len) else {
                rest = &rest[1..];
                continue;
            };
            let inside = |r: &Range| r.start >= slot.base && r.start + r.len <= slot.end;
            let n = rest.iter().position(|r| !inside(r)).unwrap_or(rest.len());
            for range in &rest[..n] {
                let Checker { order, records, lists, ops, op_index, hints, open_fences: fences, used, .. } = self;
                let (behind, launch) = (&mut self.behind, &self.launch);
                let flagged = self.flags.seen_by(now.who.wave);
                let own_op = now.op.and_then(|issued| op_index.get(&issued.op)).copied();
                let groups = order.groups(now.who.wave);
                let own_group = groups.iter().find(|g| g.lanes.has(u32::from(range.lane)));
                let Some(group) = own_group.or_else(|| groups.first()) else { continue };
                let (start, len, shift) = (range.start - slot.base, range.len, range.shift);
                let mut walk = Walk {
                    now,
                    space: space.kind(),
                    most: if space == Space::Global { GLOBAL_READS } else { BLOCK_READS },
                    group,
                    order,
                    records,
                    ops,
                    own_op,
                    behind,
                    launch,
                    flagged,
                    hints,
                    fences,
                    used,
                    seen: &mut seen,
                    range,
                    base: slot.base,
                    defined: slot.defined,
                    last_known: u32::MAX,
                };
                shadow.visit(lists, Span { start, len, shift }, &mut walk);
            }
            rest = &rest[n..];
            self.put_shadow(space, &slot, shadow);
        }
        let clear = seen.clashes.is_empty() && seen.undefined.is_none();
        for clash in seen.clashes {
            self.clash(now, &clash, space);
        }
        if let Some(at) = seen.undefined {
            self.undefined(now, space, at);
        }
        for relaxed in seen.relaxed {
            self.behind_a_flag(now, space, relaxed);
        }
        clear
    }

    #[cold]
    fn clash(&mut self, now: &Now<'_>, seen: &Seen, space: Space) {
        let Seen { earlier, earlier_lane, lane, start, known, .. } = *seen;
        let record = self.records[earlier as usize];
        // Lanes that act on their own are told by the first of them.
        let many = now.op.is_none() && !self.launch.lockstep && seen.lanes.count_ones() > 1;
        let (len, bytes) = if many { (seen.each, seen.each) } else { (seen.len, seen.bytes) };
        let mut findings = std::mem::take(&mut self.findings);
        let clash = Clash {
            earlier: Side {
                wave: record.wave,
                lane: earlier_lane,
                place: record.place,
                what: record.what,
                op: record.op.checked_sub(1).map(|i| &self.ops[i as usize]),
                owner: record.owner,
                time: record.time,
                strength: record.strength,
            },
            later: Side {
                wave: now.who.wave,
                lane,
                place: now.who.place,
                what: now.what,
                op: now.op.and_then(|i| self.op_index.get(&i.op)).map(|&i| &self.ops[i as usize]),
                owner: now.channel.map_or(Owner::Lanes, Owner::Channel),
                time: 0,
                strength: now.strength,
            },
            space,
            start,
            len,
            bytes,
            known,
            checker: self,
        };
        let mut candidate = None;
        let pair = self.pairs.get(&(record.place, now.who.place));
        let told = pair.is_some_and(|&p| p != Pair::Plain);
        let code = hazard::classify(&clash);
        let load =
            raced::load_of(&record, now, space, (seen.start, seen.len)).filter(|_| code.is_some() && !known);
        if let Some(code) = code.filter(|_| !told) {
            let (cause, need) = hazard::cause_of(code, &clash);
            let key = match cause {
                Some(place) => Key { code, place, other: None },
                None => Key { code, place: now.who.place, other: Some(record.place) },
            };
            let late = if pair.is_none() { hazard::may_wait_late(code, &clash) } else { None };
            if late.is_some() || !findings.count_again(key, now.who.place, need, load.is_some()) {
                let mut finding = hazard::word(code, &clash, self.replay);
                (finding.cause, finding.need, finding.by_loads) = (cause, need, load.is_some());
                if many {
                    finding.notes.push(self.each_lane(now, seen, space));
                }
                match late {
                    Some((kind, crossed)) => {
                        candidate = Some(Candidate {
                            owner: Who { wave: record.wave, lanes: LaneMask(0), place: record.place },
                            kind,
                            seq: record.time,
                            noun: clash.noun(&clash.earlier),
                            user: now.who.wave,
                            user_place: now.who.place,
                            bytes: clash.bytes(),
                            plain: finding,
                            crossed,
                            tentative: None,
                        });
                    }
                    None => findings.take(finding),
                }
            }
        }
        self.findings = findings;
        if let Some(load) = load {
            self.raced.add(load);
        }
        if let Some(candidate) = candidate {
            self.keep_back(candidate);
        }
    }

    /// What the other lanes of an access do.
    fn each_lane(&self, now: &Now<'_>, seen: &Seen, space: Space) -> String {
        let verb = match now.what {
            What::Read => "read",
            What::Write => "write",
            _ => "access",
        };
        let gaps =
            if seen.bytes < seen.len { format!(", spread over {} bytes", seen.len) } else { String::new() };
        format!(
            "{} of {} {verb} {} bytes each, {} bytes from {} on{gaps}",
            LaneMask(seen.lanes),
            now.who.wave,
            seen.each,
            seen.bytes,
            self.words.address(space, seen.start)
        )
    }

    #[cold]
    fn undefined(&mut self, now: &Now<'_>, space: Space, at: u64) {
        let (place, replay) = (now.who.place, self.replay);
        let where_ = self.words.address(space, at);
        let who = format!("{} of {}", LaneMask(now.who.lanes.0), now.who.wave);
        let engine = now.op.map(|op| op.what);
        let updates = now.what == What::Atomic;
        self.findings.add(hazard::uninitialised::HAZARD.code, place, None, || {
            if updates {
                hazard::uninitialised::added_to(place, &where_, &who, engine, replay)
            } else {
                hazard::uninitialised::finding(place, &where_, &who, replay)
            }
        });
    }

    fn synchronise(&mut self, access: &Access<'_>, kind: AccessKind) {
        let who = access.who;
        let block = self.launch.block_of(who.wave);
        let home = (block, self.launch.block_info(block).cluster);
        // Waves in lockstep (AMD) share the first cache of their block, so that among them a store that others read tells
        // what its wave has waited for; further away only what a cache was written back for.
        // manual: LLVM AMDGPU memory model, workgroup scope.
        let lockstep = self.launch.lockstep;
        let within_block = |distance| lockstep && distance == Distance::Block;
        let clustered = self.launch.cluster_size() > 1;
        let within = Distance::within(access.scope).filter(move |&d| clustered || d != Distance::Cluster);
        let (acquires, releases) = (access.order.acquires(), access.order.releases());
        let reads = matches!(kind, AccessKind::Read | AccessKind::Atomic);
        let writes = matches!(kind, AccessKind::Write | AccessKind::Atomic);
        let publishes = writes && (releases || lockstep || self.order.has_fenced(who));
        // Lanes that update one word do so one after the other, and each learns what those before it handed on.
        for lane in who.lanes.iter() {
            let address = access.addresses[lane as usize];
            let one = Who { lanes: LaneMask::one(lane), ..who };
            if reads {
                self.peers.sees(who.wave, (access.space, address));
                let here = self.locations.get(&access.space).and_then(|all| all.get(&address));
                for (location, distance) in here.iter().flat_map(|&l| within.clone().map(move |d| (l, d))) {
                    match location.written(distance, home) {
                        Some(knows) if acquires || within_block(distance) && !releases => {
                            self.order.learn(one, knows);
                        }
                        Some(knows) => self.order.found(one, distance, knows),
                        None => {}
                    }
                }
            }
            if writes && self.peers.matter() {
                self.peers.raises(who.wave, (access.space, address));
            }
            if !publishes {
                continue;
            }
            // In lockstep the whole wave's earlier work is published by whichever lane writes.
            let who = if lockstep { who } else { one };
            for distance in within.clone() {
                let knows = if releases || within_block(distance) {
                    let mut knows = self.order.released(who, distance);
                    if let (Track::Channel { kind, seq }, true) = (access.track, within_block(distance)) {
                        let channel = Channel { wave: who.wave, kind };
                        let actor = self.order.channel_actor(channel, Part::All);
                        Rc::make_mut(&mut knows.seen).learn(actor, seq);
                    }
                    knows
                } else if let Some(knows) = self.order.published(who, distance) {
                    knows
                } else {
                    continue;
                };
                let location = self.locations.entry(access.space).or_default().entry(address);
                location.or_default().publish(distance, home, &Rc::new(knows));
            }
        }
    }
}

/// What a check found on its way.
#[derive(Default)]
struct SeenSoFar {
    clashes: SmallVec<[Seen; 4]>,
    /// The first byte that was read and never written.
    undefined: Option<u64>,
    /// Atomic loads that nothing orders behind the atomic store whose value they find.
    relaxed: SmallVec<[Relaxed; 2]>,
}

/// One range of an access on its way through shadow memory.
struct Walk<'a> {
    now: &'a Now<'a>,
    space: SpaceKind,
    /// Reads that are kept of a cell.
    most: usize,
    /// What the range's lanes know.
    group: &'a LaneGroup,
    order: &'a Order,
    records: &'a [Record],
    ops: &'a mut [OpInfo],
    /// The operation whose access it is.
    own_op: Option<u32>,
    behind: &'a mut Vec<Behind>,
    launch: &'a Launch,
    /// The wave has found flags that order nothing.
    flagged: bool,
    hints: &'a mut WaitHints,
    fences: &'a mut OpenFences,
    used: &'a mut FxHashSet<&'static str>,
    seen: &'a mut SeenSoFar,
    range: &'a Range,
    /// Address of the first byte of the shadow.
    base: u64,
    /// Bytes that the kernel has not written are defined.
    defined: bool,
    /// Neighbouring cells often hold the same record.
    last_known: u32,
}

impl Walk<'_> {
    /// The lane of the byte at an offset in the shadow. A cell may begin before the range only when the range is of one
    /// lane.
    fn lane(&self, at: u64) -> u8 {
        let first = self.range.start - self.base;
        self.range.lane + (at.saturating_sub(first) >> self.range.shift) as u8
    }

    #[inline]
    fn known(&self, record: &Record, record_lane: u8, lane: u8) -> bool {
        self.order.known(record, record_lane, self.now.who.wave, lane, self.group, self.now.channel)
    }

    /// True when the access belongs to an operation that its unit executes behind that of the record.
    fn handed_on(&mut self, record: &Record, record_lane: u8) -> bool {
        if self.group.handed.is_none() {
            return false;
        }
        let op = record.op.checked_sub(1).and_then(|i| self.ops.get(i as usize));
        let own = self.own_op.and_then(|i| self.ops.get(i as usize));
        let (Some(earlier), Some(later), Some(kind)) = (op, own, self.now.channel) else { return false };
        let behind = self.order.handed_on((record, record_lane, earlier), self.group, (kind, later));
        if let Some(behind) = behind
            && !self.behind.contains(&behind)
        {
            self.behind.push(behind);
        }
        behind.is_some()
    }

    /// True when the two are atomic for each other, so that they may meet without order.
    #[inline]
    fn tolerated(&self, record: &Record) -> bool {
        record
            .strength
            .tolerates(self.now.strength, || Distance::between(self.launch, record.wave, self.now.who.wave))
    }

    /// An engine comes after a thread, or a thread after an engine: by way of a proxy fence, if there is one.
    #[inline]
    fn rely_on_fence(&mut self, record: &Record, record_lane: u8) {
        let across = record.proxy != self.now.proxy || self.now.what == What::BarrierOperand;
        if across && !self.fences.is_empty() {
            self.fences.relied_on(self.hints, record, record_lane, self.now.who.wave, self.group);
        }
    }

    /// An earlier access was relied on.
    #[inline]
    fn rely(&mut self, record: &Record) {
        if let Owner::Channel(kind) = record.owner {
            self.hints.used(self.order, record, kind, self.now.who.wave, self.group);
        }
    }

    /// What an earlier operation wrote is used.
    #[inline]
    fn use_of(&mut self, record: &Record) {
        if self.now.what.reads()
            && let Some(op) = record.op.checked_sub(1)
        {
            let op = &mut self.ops[op as usize];
            if !op.read {
                op.read = true;
                self.used.insert(op.what);
            }
            if op.period != 0 && op.reader.is_none() && self.now.proxy == Proxy::Generic {
                op.reader = Some(self.now.who.place);
            }
        }
    }

    /// A generic access that an engine sees without a proxy fence on the way.
    #[inline]
    fn unfenced(&self, record: &Record, record_lane: u8) -> bool {
        self.now.proxy == Proxy::Async
            && record.proxy == Proxy::Generic
            && !self.order.fenced(record, record_lane, self.group, self.space)
    }

    /// True when every byte of a line knows of an access whose first lane is given, without looking at each lane.
    #[inline]
    fn known_by_line(&self, record: &Record, lane: Option<u8>, shift: Shift, line_lane: u8) -> bool {
        let own = record.wave == self.now.who.wave
            && record.owner == Owner::Lanes
            && (self.order.lockstep || shift == self.range.shift && lane == Some(line_lane));
        let fenced = self.now.proxy != Proxy::Async
            || record.proxy != Proxy::Generic
            || self.order.fenced_to_all(record, self.group, self.space);
        fenced && (own || self.order.known_to_all(record, self.group, self.now.channel))
    }

    fn clash(&mut self, earlier: u32, earlier_lane: u8, at: u64, len: u64, known: bool) {
        let (lane, start) = (self.lane(at), self.base + at);
        let seen = Seen::new((earlier, earlier_lane), lane, (start, len), self.range.shift, known);
        push_seen(&mut self.seen.clashes, seen);
    }
}

impl Visit for Walk<'_> {
    fn whole(&mut self, line: &mut Whole, lists: &mut Lists, at: u64) -> bool {
        let now = self.now;
        let (lane, shift) = (self.lane(at), self.range.shift);
        if now.what == What::BarrierOperand || now.proxy == Proxy::Tensormap {
            return false;
        }
        let records = self.records;
        let writer = line.cell.write.record().map(|(index, lane)| (index, &records[index as usize], lane));
        match writer {
            Some((index, record, earlier_lane)) => {
                let known = index == now.record
                    || self.known_by_line(record, Some(earlier_lane), line.write_shift, lane);
                let over_barrier = record.what == What::BarrierInit && now.what.is_data_write();
                if !known || over_barrier || now.strength == Strength::ReadOnly {
                    return false;
                }
            }
            None if now.what.reads() && !self.defined => return false,
            None => {}
        }
        if now.what.writes() {
            let mut known = true;
            lists.each(line.cell.reads, line.read_shift, |read| {
                let record = &records[read.record as usize];
                known &=
                    read.record == now.record || self.known_by_line(record, read.lane(), read.shift, lane);
            });
            if !known {
                return false;
            }
            lists.each(line.cell.reads, line.read_shift, |read| {
                if read.record != now.record {
                    let record = &records[read.record as usize];
                    self.rely(record);
                    self.rely_on_fence(record, read.lane().unwrap_or(0));
                }
            });
            lists.clear(&mut line.cell.reads);
        } else {
            // As for cells, see there.
            let plain = now.op.is_none();
            let engine = plain && lists.only(line.cell.reads).is_some_and(|r| records[r as usize].op != 0);
            let most = if engine { self.most.max(3) } else { self.most };
            let added = lists.add_whole(line, (now.record, lane, shift), most, |read| {
                let record = &records[read.record as usize];
                plain
                    && record.proxy == now.proxy
                    && self.known_by_line(record, read.lane(), read.shift, lane)
            });
            if !added {
                return false;
            }
        }
        if let Some((index, record, earlier_lane)) = writer
            && index != now.record
        {
            self.rely(record);
            self.rely_on_fence(record, earlier_lane);
            self.use_of(record);
        }
        if now.what.writes() {
            (line.cell.write, line.write_shift) = (Mark::new(now.record, lane), shift);
        }
        true
    }

    fn cell(&mut self, cell: &mut Cell, lists: &mut Lists, at: u64, n: u64) {
        let (now, records) = (self.now, self.records);
        let lane = self.lane(at);
        // Whether a map is fresh was looked at when it was read.
        let writer = if now.proxy == Proxy::Tensormap { None } else { cell.write.record() };
        if let Some((earlier, earlier_lane)) = writer {
            let record = &records[earlier as usize];
            let known = earlier == self.last_known
                || self.known(record, earlier_lane, lane)
                || self.handed_on(record, earlier_lane);
            if earlier != now.record && (earlier != self.last_known || !self.order.lockstep) {
                if known && self.order.known_to_all(record, self.group, now.channel) {
                    self.last_known = earlier;
                }
                if known {
                    self.rely(record);
                    self.rely_on_fence(record, earlier_lane);
                }
                self.use_of(record);
                let fence = known && self.unfenced(record, earlier_lane);
                let strong = self.tolerated(record);
                if strong && !known && self.flagged && now.what == What::Read && now.op.is_none() {
                    let found = Relaxed { earlier, earlier_lane, lane, address: self.base + at, len: n };
                    self.seen.relaxed.push(found);
                }
                let stale = known && now.strength == Strength::ReadOnly && record.what.is_data_write();
                let benign =
                    self.range.silent && now.op.is_none() && record.op == 0 && now.what == What::Write
                        || record.silent && now.what == What::Read;
                let over_barrier = record.what == What::BarrierInit && now.what.is_data_write();
                if fence || over_barrier || stale || !known && !strong && !benign {
                    self.clash(earlier, earlier_lane, at, n, known);
                }
            }
        } else if now.what.reads() && !self.defined && cell.write.record().is_none() {
            self.seen.undefined.get_or_insert(self.base + at);
        }
        if now.what == What::BarrierOperand {
            return;
        }
        if now.what.writes() {
            lists.each(cell.reads, SINGLE, |read| {
                if read.record == now.record {
                    return;
                }
                let record = &records[read.record as usize];
                for earlier_lane in LaneMask(read.lanes).iter() {
                    let earlier_lane = earlier_lane as u8;
                    let known = self.known(record, earlier_lane, lane) || self.handed_on(record, earlier_lane);
                    if known {
                        self.rely(record);
                        self.rely_on_fence(record, earlier_lane);
                    }
                    let fence = known && self.unfenced(record, earlier_lane);
                    let strong = self.tolerated(record);
                    // What writes the bytes that are there already cannot change what somebody reads.
                    let benign = self.range.silent
                        && self.space == SpaceKind::Global
                        && now.op.is_none()
                        && record.op == 0
                        && now.what == What::Write;
                    if fence || !(known || strong || benign) {
                        self.clash(read.record, earlier_lane, at, n, known);
                        break;
                    }
                }
            });
            cell.write = Mark::new(now.record, lane);
            lists.clear(&mut cell.reads);
        } else {
            // A read that comes before this one stands for nothing any more: whoever is ordered after this one is
            // ordered after it. Not so behind a copy, whose end tells of the copy alone.
            let plain = now.op.is_none();
            // What an engine still reads must not be forgotten over what a thread has read.
            let engine = plain && lists.only(cell.reads).is_some_and(|r| records[r as usize].op != 0);
            let most = if engine { self.most.max(3) } else { self.most };
            lists.add(&mut cell.reads, now.record, lane, most, |read| {
                let record = &records[read.record as usize];
                plain
                    && record.proxy == now.proxy
                    && LaneMask(read.lanes).iter().all(|l| self.known(record, l as u8, lane))
            });
        }
    }
}

/// One entry for each earlier record: neighbouring bytes grow together.
fn push_seen(list: &mut SmallVec<[Seen; 4]>, next: Seen) {
    match list.iter_mut().find(|c| c.earlier == next.earlier && c.known == next.known) {
        Some(c) => {
            let end = (c.start + c.len).max(next.start + next.len);
            c.start = c.start.min(next.start);
            c.len = end - c.start;
            c.bytes += next.bytes;
            c.lanes |= next.lanes;
        }
        None => list.push(next),
    }
}
