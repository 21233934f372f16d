//! One range of an access on its way through shadow memory.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use tilehaul_machine::{LaneMask, Launch, PipelineFence, PlaceId, Proxy, SpaceKind, WaveId};

use super::{Now, Range};
use crate::checker::OpInfo;
use crate::clocks::pipelines::Behind;
use crate::clocks::{Clocks, LaneGroup};
use crate::fences::Distance;
use crate::flags::Relaxed;
use crate::hint::{OpenFences, WaitHints};
use crate::reads::Lists;
use crate::record::{NEVER, Owner, Record, Strength, What};
use crate::shadow::{Cell, Mark, SINGLE, Shift, Visit, Whole};

/// Two accesses that do not fit together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) earlier: u32,
    pub(super) earlier_lane: u8,
    pub(super) lane: u8,
    pub(super) start: u64,
    pub(super) len: u64,
    /// Bytes of the first lane.
    pub(super) each: u64,
    /// Bytes that are meant; fewer than `len` where there are gaps.
    pub(super) bytes: u64,
    /// The later lanes.
    pub(super) lanes: u64,
    /// They are ordered; what is missing is a proxy fence, or they must not meet at all (the earlier one is a live barrier).
    pub(super) ordered: bool,
}

impl Seen {
    /// Of lanes that lie side by side from `lane` on, `1 << shift` bytes each.
    pub(super) fn new(
        (earlier, earlier_lane): (u32, u8),
        lane: u8,
        (start, len): (u64, u64),
        shift: Shift,
        ordered: bool,
    ) -> Seen {
        let shift = u32::from(shift);
        let count = len.checked_shr(shift).unwrap_or(0).clamp(1, 64) as u32;
        let lanes = (u64::MAX >> (64 - count)).checked_shl(u32::from(lane)).unwrap_or(0);
        let each = 1u64.checked_shl(shift).map_or(len, |grain| grain.min(len));
        Seen { earlier, earlier_lane, lane, start, len, each, bytes: len, lanes, ordered }
    }
}

/// What a check found on its way.
#[derive(Default)]
pub(super) struct SeenSoFar {
    pub(super) clashes: SmallVec<[Seen; 4]>,
    /// The first byte that was read and never written.
    pub(super) undefined: Option<u64>,
    /// Operations of other waves that come before without a fence of a hand-over: place, wave, operation and fence.
    pub(super) unfenced: SmallVec<[(PlaceId, WaveId, u32, PipelineFence); 1]>,
    /// Atomic loads that nothing orders behind the atomic store whose value they find.
    pub(super) relaxed: SmallVec<[Relaxed; 2]>,
}

/// One range of an access on its way through shadow memory.
pub(super) struct Walk<'a> {
    pub(super) now: &'a Now<'a>,
    pub(super) space: SpaceKind,
    /// Reads that are kept of a cell.
    pub(super) most: usize,
    /// What the range's lanes know.
    pub(super) group: &'a LaneGroup,
    pub(super) order: &'a Clocks,
    pub(super) records: &'a [Record],
    pub(super) ops: &'a mut [OpInfo],
    /// The operation whose access it is.
    pub(super) own_op: Option<u32>,
    pub(super) behind: &'a mut Vec<Behind>,
    pub(super) launch: &'a Launch,
    /// The wave has found flags that order nothing.
    pub(super) flagged: bool,
    pub(super) hints: &'a mut WaitHints,
    pub(super) fences: &'a mut OpenFences,
    pub(super) used: &'a mut FxHashSet<&'static str>,
    pub(super) seen: &'a mut SeenSoFar,
    pub(super) range: &'a Range,
    /// Address of the first byte of the shadow.
    pub(super) base: u64,
    /// Bytes that the kernel has not written are defined.
    pub(super) defined: bool,
    /// Neighbouring cells often hold the same record.
    pub(super) last_known: u32,
}

impl<'a> Walk<'a> {
    /// On to the next range, of lanes that know what the group does.
    #[inline]
    pub(super) fn goes_to(&mut self, range: &'a Range, group: &'a LaneGroup) {
        if !std::ptr::eq(self.group, group) {
            self.last_known = u32::MAX;
        }
        (self.range, self.group) = (range, group);
    }

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

    /// An operation comes after one of another wave: by way of both fences of a hand-over, where the kernel has any.
    fn look_for_handover(&mut self, record: &Record, record_lane: u8) {
        if record.wave == self.now.who.wave
            || record.op == 0
            || self.now.op.is_none()
            || self.handed_on(record, record_lane)
        {
            return;
        }
        if let Some(fence) = self.order.missing_fence(record, record_lane, self.group) {
            let seen = (record.place, record.wave, record.op, fence);
            if !self.seen.unfenced.contains(&seen) {
                self.seen.unfenced.push(seen);
            }
        }
    }

    /// True when an atomic read comes after the record by way of a relaxed read and a barrier.
    #[inline]
    fn settled(&self, record: &Record, record_lane: u8) -> bool {
        let atomic = matches!(self.now.strength, Strength::Atomic(_)) && self.now.what == What::Read;
        let settled = self.group.settled.as_ref().filter(|_| atomic);
        settled.is_some_and(|s| s.lane(record.actor, record_lane) >= record.time)
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

    /// A generic access that an engine sees without a proxy fence on the way: to bytes that it uses, or the init of a barrier at
    /// which it counts them.
    #[inline]
    fn unfenced(&self, record: &Record, record_lane: u8) -> bool {
        let counts = || {
            let engine = self.now.what == What::BarrierOperand && self.now.op.is_some();
            engine && record.what == What::BarrierInit
        };
        (self.now.proxy == Proxy::Async || counts())
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
        let handover = self.space == SpaceKind::Tensor && self.order.pipelines.fences;
        if now.what == What::BarrierOperand || now.proxy == Proxy::Tensormap || handover {
            return false;
        }
        let records = self.records;
        let writer = line.cell.write.record().map(|(index, lane)| (index, &records[index as usize], lane));
        match writer {
            Some((index, record, earlier_lane)) => {
                let known = index == now.record
                    || self.known_by_line(record, Some(earlier_lane), line.write_shift, lane);
                let over_barrier = record.what == What::BarrierInit && now.what.is_data();
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
                || self.handed_on(record, earlier_lane)
                || self.settled(record, earlier_lane);
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
                if known && self.space == SpaceKind::Tensor {
                    self.look_for_handover(record, earlier_lane);
                }
                let strong = self.tolerated(record);
                if strong && !known && self.flagged && now.what == What::Read && now.op.is_none() {
                    let found = Relaxed { earlier, earlier_lane, lane, address: self.base + at, len: n };
                    self.seen.relaxed.push(found);
                }
                let stale = known && now.strength == Strength::ReadOnly && record.what.is_data_write();
                let benign =
                    self.range.silent && now.op.is_none() && record.op == 0 && now.what == What::Write
                        || record.silent && now.what == What::Read;
                let over_barrier = record.what == What::BarrierInit && now.what.is_data();
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
                    let known = self.known(record, earlier_lane, lane)
                        || self.handed_on(record, earlier_lane)
                        || record.time != NEVER
                            && record.what.is_over_with_its_thread()
                            && self.group.knows.over(record, earlier_lane);
                    if known {
                        self.rely(record);
                        self.rely_on_fence(record, earlier_lane);
                    }
                    let fence = known && self.unfenced(record, earlier_lane);
                    if known && self.space == SpaceKind::Tensor {
                        self.look_for_handover(record, earlier_lane);
                    }
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
    match list.iter_mut().find(|c| c.earlier == next.earlier && c.ordered == next.ordered) {
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
