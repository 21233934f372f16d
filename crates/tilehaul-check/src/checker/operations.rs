//! Asynchronous operations from issue to completion, and what must be over when waves and blocks end.

use std::hash::{Hash, Hasher};

use tilehaul_machine::{
    BlockId, Channel, ChannelKind, Ends, Issued, LaneMask, OpId, Order, Proxy, Space, Token, Touch, Who,
};

use super::Checker;
use super::notes::OpInfo;
use crate::access::{Now, Range};
use crate::fences::Distance;
use crate::hazard::{self, peer_not_started::Use};
use crate::late::{Arrival, Step};
use crate::record::{Owner, Strength, What, what_of};
use crate::shadow::SINGLE;

impl Checker {
    pub(super) fn issue(&mut self, issued: &Issued<'_>) {
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
        let issued_at = self.order.now(who.wave).1;
        // Waits on counters, and those on the barriers of copies, are not to be blamed for what such an operation does to a
        // late reader.
        let refills = self.refills(issued.touches);
        self.ops.push(OpInfo {
            who,
            what: issued.what,
            barrier: issued.barrier.filter(|_| issued.ends == Ends::Barrier),
            records: [None; 2],
            moment,
            issued_at,
            refills,
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
        let (channel, seq) = match issued.ends {
            Ends::Channel { kind, seq } => (Some(kind), seq),
            Ends::Barrier | Ends::Unknown => (None, 0),
        };
        if let Some(kind) = channel {
            self.count_issue(who, kind, seq);
            self.overflow(who, kind);
            if self.order.channels.get(kind.index()).is_some_and(|c| c.must_be_waited) {
                self.notes[who.wave.index()].unwaited.push(index);
            }
        }
        // A barrier word is changed by atomics from its first phase on; only what made it must be known.
        let strength = if channel.is_some() { Strength::Atomic(Distance::Device) } else { Strength::Weak };
        if let Some((block, address)) = issued.barrier
            && let Some(record) = self.lanes_record(who, What::BarrierOperand, Proxy::Generic, strength)
        {
            // The barrier operand is a generic access by the issuer: it must know of the init.
            let what = What::BarrierOperand;
            let engine = issued.proxy == Proxy::Async && !self.launch.lockstep;
            let op = engine.then_some(issued);
            let now = Now { who, what, proxy: Proxy::Generic, channel: None, strength, record, op };
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
                strength: Strength::of(what, Order::Weak, Distance::Device),
                record,
                op: Some(issued),
            };
            let (start, len, lane) = (touch.start, touch.len, touch.lane);
            let range = Range { start, len, lane, shift: SINGLE, silent: false };
            let clear = self.check(&now, touch.space, &[range]);
            // A copy that ends on a barrier tells one beside the bytes that it brings, of whichever block.
            let used = if channel.is_none() { Use::Barrier } else { Use::Bytes };
            self.started(who, touch.space, (touch.kind, used), clear);
        }
        let behind = std::mem::take(&mut self.behind);
        if let (Some(kind), false) = (channel, behind.is_empty()) {
            let lane = who.lanes.lowest().unwrap_or(0) as u8;
            self.order.implies(Channel { wave: who.wave, kind }, lane, seq, &behind);
        }
    }

    /// Whether the first bytes that an operation writes hold what was written before.
    fn refills(&mut self, touches: &[Touch]) -> bool {
        let Some(touch) = touches.iter().find(|t| t.kind.writes() && matches!(t.space, Space::Shared(_)))
        else {
            return false;
        };
        let Some((shadow, slot)) = self.take_shadow(touch.space, touch.start, 1) else { return false };
        let mut found = false;
        shadow.writers(touch.start - slot.base, 1, |_, _| found = true);
        self.put_shadow(touch.space, &slot, shadow);
        found
    }

    pub(super) fn complete(&mut self, op: OpId, token: Token) {
        let Some(index) = self.op_index.remove(&op) else { return };
        self.peers.gives(self.ops[index as usize].who.wave, token);
        let (actor, time) = self.order.copy_done(token);
        for record in self.ops[index as usize].records.into_iter().flatten() {
            let record = &mut self.records[record as usize];
            (record.actor, record.time) = (actor, time);
        }
    }

    pub(super) fn exit(&mut self, who: Who) {
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

    pub(super) fn block_end(&mut self, block: BlockId) {
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

    pub(super) fn count_issue(&mut self, who: Who, kind: ChannelKind, seq: u32) {
        if !self.late.is_empty() {
            self.step(who.wave, Step::Issue(kind));
        }
        let counts = &mut self.notes[who.wave.index()].counts;
        if counts.len() <= kind.index() {
            counts.resize(kind.index() + 1, (0, 0));
        }
        counts[kind.index()].0 = seq;
    }

    /// A copy was issued: does its counter hold all that is outstanding? Ordinary loads and stores are issued in long rows by
    /// every compiler and only stall; who keeps copies in flight counts on their number.
    fn overflow(&mut self, who: Who, kind: ChannelKind) {
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
    pub(super) fn arrived(&mut self, who: Who) {
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
}

/// A number for the bytes that an operation writes.
fn targets(touches: &[Touch]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    for touch in touches.iter().filter(|t| t.kind.writes()) {
        (touch.space, touch.start, touch.len).hash(&mut hasher);
    }
    hasher.finish()
}
