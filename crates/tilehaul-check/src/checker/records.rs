//! Records of accesses, and dropping those that nothing refers to.

use tilehaul_machine::{Access, Channel, ChannelKind, Issued, LaneMask, Order, Part, Proxy, Space, Who};

use super::{COLLECT_AT, Checker};
use crate::fences::Distance;
use crate::record::{NEVER, Owner, Record, Strength, What};
use crate::shadow::MAX_RECORDS;

impl Checker {
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

    pub(super) fn op_record(
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
            strength: Strength::of(what, Order::Weak, Distance::Device),
        })
    }

    pub(super) fn push_record(&mut self, record: Record) -> Option<u32> {
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
    pub(super) fn collect_ops(&mut self, used_records: &mut [bool]) -> Vec<u32> {
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
}
