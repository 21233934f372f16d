//! The reads of a cell of shadow memory since its last write: none, one, or a list.

use smallvec::SmallVec;
use tilehaul_machine::LaneMask;

use crate::shadow::{Mark, SINGLE, Shift, Whole};

/// Set in a [`ReadRef`] that names a list.
const LIST: u32 = 1 << 31;

/// The reads of a cell: none, one, or a list of its own in [`Lists`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ReadRef(u32);

impl ReadRef {
    #[inline]
    pub(crate) fn is_list(self) -> bool {
        self.0 & LIST != 0
    }

    /// The one read; nothing when there is none or a list.
    #[inline]
    pub(crate) fn single(self) -> Mark {
        if self.is_list() { Mark::default() } else { Mark::from_bits(self.0) }
    }

    fn one(mark: Mark) -> ReadRef {
        ReadRef(mark.bits())
    }
}

/// One read of a cell: a record and the lanes that did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    pub record: u32,
    /// Of a stripe the lane of the first byte.
    pub lanes: u64,
    pub shift: Shift,
}

impl Read {
    fn of(record: u32, lane: u8, shift: Shift) -> Read {
        Read { record, lanes: 1 << lane, shift }
    }

    /// The lane, when it is one.
    #[inline]
    pub(crate) fn lane(self) -> Option<u8> {
        self.lanes.is_power_of_two().then(|| self.lanes.trailing_zeros() as u8)
    }
}

impl Read {
    /// Every lane that read some of a line.
    pub(crate) fn all_lanes(self) -> impl Iterator<Item = u8> {
        let stripes = (64u32 >> self.shift.min(6)).max(1);
        LaneMask(self.lanes).iter().flat_map(move |lane| (lane..lane + stripes).map(|lane| lane as u8))
    }
}

type List = SmallVec<[Read; 2]>;

/// Lists of reads, each owned by one cell.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    lists: Vec<List>,
    free: Vec<u32>,
}

impl Lists {
    /// Calls `see` for each read; `shift` is that of a single one.
    #[inline]
    pub(crate) fn each(&self, reads: ReadRef, shift: Shift, mut see: impl FnMut(Read)) {
        if let Some((record, lane)) = reads.single().record() {
            see(Read::of(record, lane, shift));
        } else if reads.is_list()
            && let Some(list) = self.lists.get((reads.0 & !LIST) as usize)
        {
            list.iter().copied().for_each(see);
        }
    }

    /// The record of the read, when there is exactly one.
    #[inline]
    pub(crate) fn only(&self, reads: ReadRef) -> Option<u32> {
        reads.single().record().map(|r| r.0)
    }

    /// Adds a read of a cell. Those of which `old` says so stand for nothing any more and go. At most `most` stay: the
    /// oldest go (a race may be missed, none is invented).
    #[inline]
    pub(crate) fn add(
        &mut self,
        reads: &mut ReadRef,
        record: u32,
        lane: u8,
        most: usize,
        mut old: impl FnMut(Read) -> bool,
    ) {
        let mark = Mark::new(record, lane);
        if reads.0 == 0 || most == 1 && !reads.is_list() {
            *reads = ReadRef::one(mark);
            return;
        }
        if let Some((first, first_lane)) = reads.single().record() {
            let before = Read::of(first, first_lane, SINGLE);
            if *reads == ReadRef::one(mark) || old(before) {
                *reads = ReadRef::one(mark);
                return;
            }
            let list: List = if first == record {
                smallvec::smallvec![Read { lanes: before.lanes | 1 << lane, ..before }]
            } else {
                smallvec::smallvec![before, Read::of(record, lane, SINGLE)]
            };
            reads.0 = LIST | self.take(list);
            return;
        }
        let Some(list) = self.lists.get_mut((reads.0 & !LIST) as usize) else { return };
        if let Some(last) = list.last_mut()
            && last.record == record
        {
            last.lanes |= 1 << lane;
            return;
        }
        list.retain(|read| read.record == record || !old(*read));
        match list.iter_mut().find(|read| read.record == record) {
            Some(read) => read.lanes |= 1 << lane,
            None => {
                if list.len() >= most {
                    list.remove(0);
                }
                list.push(Read::of(record, lane, SINGLE));
            }
        }
        if let [only] = list[..]
            && let Some(lane) = only.lane()
        {
            self.free(*reads);
            *reads = ReadRef::one(Mark::new(only.record, lane));
        }
    }

    /// The same for a whole line, whose bytes may belong to lanes side by side. False when it must be split for that.
    #[inline]
    pub(crate) fn add_whole(
        &mut self,
        state: &mut Whole,
        (record, lane, shift): (u32, u8, Shift),
        most: usize,
        mut old: impl FnMut(Read) -> bool,
    ) -> bool {
        let this = Read::of(record, lane, shift);
        let reads = &mut state.cell.reads;
        if !reads.is_list() {
            if let Some((first, first_lane)) = reads.single().record()
                && most > 1
            {
                let before = Read::of(first, first_lane, state.read_shift);
                if before == this {
                    return true;
                }
                if first == record {
                    return false;
                }
                if !old(before) {
                    reads.0 = LIST | self.take(smallvec::smallvec![before, this]);
                    return true;
                }
            }
            *reads = ReadRef::one(Mark::new(record, lane));
            state.read_shift = shift;
            return true;
        }
        let Some(list) = self.lists.get_mut((reads.0 & !LIST) as usize) else { return false };
        if let Some(same) = list.iter().rev().find(|read| read.record == record) {
            return *same == this;
        }
        list.retain(|read| !old(*read));
        if list.len() >= most {
            list.remove(0);
        }
        list.push(this);
        if list.len() == 1 {
            self.free(*reads);
            *reads = ReadRef::one(Mark::new(record, lane));
            state.read_shift = shift;
        }
        true
    }

    /// Forgets the reads of a cell.
    #[inline]
    pub(crate) fn clear(&mut self, reads: &mut ReadRef) {
        if reads.is_list() {
            self.free(*reads);
        }
        reads.0 = 0;
    }

    /// The reads of the bytes `offset` further on, for a cell of its own.
    pub(crate) fn part(&mut self, reads: ReadRef, shift: Shift, offset: u64) -> ReadRef {
        if let Some((record, lane)) = reads.single().record() {
            return ReadRef::one(Mark::new(record, lane + (offset >> shift) as u8));
        }
        if !reads.is_list() {
            return reads;
        }
        let whole = (reads.0 & !LIST) as usize;
        let list = self.lists.get_mut(whole).map(std::mem::take).unwrap_or_default();
        // A list that was freed has room.
        let index = self.free.pop().unwrap_or_else(|| {
            self.lists.push(List::new());
            self.lists.len() as u32 - 1
        });
        let part = &mut self.lists[index as usize];
        part.extend(list.iter().map(|r| Read { lanes: r.lanes << (offset >> r.shift), shift: SINGLE, ..*r }));
        if let Some(back) = self.lists.get_mut(whole) {
            *back = list;
        }
        ReadRef(LIST | index)
    }

    /// Gives records new numbers.
    pub(crate) fn renumber(&mut self, reads: &mut ReadRef, new: &[u32]) {
        if !reads.is_list() {
            *reads = ReadRef::one(reads.single().renumbered(new));
        } else if let Some(list) = self.lists.get_mut((reads.0 & !LIST) as usize) {
            list.retain(|read| {
                let number = new.get(read.record as usize);
                debug_assert!(number.is_some(), "record {} is still listed and was dropped", read.record);
                read.record = number.copied().unwrap_or(read.record);
                number.is_some()
            });
        }
    }

    fn free(&mut self, reads: ReadRef) {
        let index = reads.0 & !LIST;
        if let Some(list) = self.lists.get_mut(index as usize) {
            list.clear();
            self.free.push(index);
        }
    }

    fn take(&mut self, list: List) -> u32 {
        match self.free.pop() {
            Some(index) => {
                self.lists[index as usize] = list;
                index
            }
            None => {
                self.lists.push(list);
                self.lists.len() as u32 - 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(lists: &Lists, reads: ReadRef) -> Vec<(u32, u64)> {
        let mut list = Vec::new();
        lists.each(reads, SINGLE, |read| list.push((read.record, read.lanes)));
        list
    }

    #[test]
    fn lists_belong_to_one_cell_and_stay_short() {
        let mut lists = Lists::default();
        let mut cell = ReadRef::default();
        lists.add(&mut cell, 1, 0, 4, |_| false);
        lists.add(&mut cell, 1, 2, 4, |_| false);
        lists.add(&mut cell, 2, 0, 4, |_| false);
        assert_eq!(all(&lists, cell), [(1, 0b101), (2, 1)]);
        let copy = lists.part(cell, SINGLE, 0);
        lists.add(&mut cell, 3, 0, 4, |read| read.record == 1);
        assert_eq!(all(&lists, cell), [(2, 1), (3, 1)]);
        assert_eq!(all(&lists, copy), [(1, 0b101), (2, 1)]);
        for record in 10..100 {
            lists.add(&mut cell, record, 0, 4, |_| false);
        }
        assert_eq!(all(&lists, cell).len(), 4);
        lists.add(&mut cell, 200, 5, 4, |_| true);
        assert_eq!(all(&lists, cell), [(200, 1 << 5)]);
    }

    #[test]
    fn lines_keep_stripes_of_several_readers() {
        let mut lists = Lists::default();
        let mut line = Whole::default();
        assert!(lists.add_whole(&mut line, (1, 0, 2), 4, |_| false));
        assert!(lists.add_whole(&mut line, (1, 0, 2), 4, |_| false));
        assert!(lists.add_whole(&mut line, (2, 16, 2), 4, |_| false));
        assert!(!lists.add_whole(&mut line, (2, 0, 2), 4, |_| false), "one record, two ways");
        let part = lists.part(line.cell.reads, line.read_shift, 8);
        assert_eq!(all(&lists, part), [(1, 1 << 2), (2, 1 << 18)]);
    }
}
