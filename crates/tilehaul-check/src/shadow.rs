//! Shadow memory: for every byte the last write and the reads since.
//!
//! Bytes that were always accessed together share a cell. Memory is cut into lines of 64 bytes; a line is one cell, or
//! sixteen (4 bytes each), or sixty-four, as fine as the accesses to it have been, and becomes one cell again when all
//! are equal. A cell is 8 bytes, so a byte of memory costs 1/8 byte to 8 bytes of shadow; where several actors read the
//! same bytes without order, a list of 40 bytes comes to it. Budget: at most 16 bytes a byte (DESIGN.md).

use smallvec::SmallVec;

const LINE: u64 = 64;
/// Set in a [`ReadRef`] that names a list.
const LIST: u32 = 1 << 31;

/// Most records that marks can name.
pub(crate) const MAX_RECORDS: usize = (1 << 25) - 2;

/// The mark of an access in a cell: a record and the lane that did it; 0 is "never".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Mark(u32);

impl Mark {
    /// `record` counts from 0.
    #[inline]
    pub(crate) fn new(record: u32, lane: u8) -> Mark {
        Mark((record + 1) << 6 | u32::from(lane & 63))
    }

    #[inline]
    pub(crate) fn record(self) -> Option<(u32, u8)> {
        if self.0 == 0 { None } else { Some(((self.0 >> 6) - 1, (self.0 & 63) as u8)) }
    }
}

/// The reads of a cell: none, one, or a list of its own in [`Lists`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ReadRef(u32);

/// One read: a record and the lanes that did it.
pub(crate) type Read = (u32, u64);
type List = SmallVec<[Read; 2]>;

/// Lists of reads, each owned by one cell.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    lists: Vec<List>,
    free: Vec<u32>,
}

impl Lists {
    /// Calls `see` for each read.
    #[inline]
    pub(crate) fn each(&self, reads: ReadRef, mut see: impl FnMut(Read)) {
        if reads.0 == 0 {
        } else if reads.0 & LIST == 0 {
            if let Some((record, lane)) = Mark(reads.0).record() {
                see((record, 1 << lane));
            }
        } else if let Some(list) = self.lists.get((reads.0 & !LIST) as usize) {
            list.iter().copied().for_each(see);
        }
    }

    /// The record of the read, when there is exactly one.
    #[inline]
    pub(crate) fn only(&self, reads: ReadRef) -> Option<u32> {
        if reads.0 & LIST == 0 { Mark(reads.0).record().map(|r| r.0) } else { None }
    }

    /// Adds a read. Those of which `old` says so stand for nothing any more and go. At most `most` stay: the oldest go
    /// (a race may be missed, none is invented).
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
        if reads.0 == 0 || most == 1 && reads.0 & LIST == 0 {
            reads.0 = mark.0;
            return;
        }
        if reads.0 & LIST == 0 {
            let Some((first, first_lane)) = Mark(reads.0).record() else { return };
            if reads.0 == mark.0 || old((first, 1 << first_lane)) {
                reads.0 = mark.0;
                return;
            }
            let list: List = if first == record {
                smallvec::smallvec![(record, 1 << first_lane | 1 << lane)]
            } else {
                smallvec::smallvec![(first, 1 << first_lane), (record, 1 << lane)]
            };
            reads.0 = LIST | self.take(list);
            return;
        }
        let index = reads.0 & !LIST;
        let Some(list) = self.lists.get_mut(index as usize) else { return };
        if let Some(last) = list.last_mut()
            && last.0 == record
        {
            last.1 |= 1 << lane;
            return;
        }
        list.retain(|read| read.0 == record || !old(*read));
        match list.iter_mut().find(|read| read.0 == record) {
            Some(read) => read.1 |= 1 << lane,
            None => {
                if list.len() >= most {
                    list.remove(0);
                }
                list.push((record, 1 << lane));
            }
        }
        if let [(only, lanes)] = list[..]
            && lanes.count_ones() == 1
        {
            self.free(*reads);
            reads.0 = Mark::new(only, lanes.trailing_zeros() as u8).0;
        }
    }

    /// Forgets the reads of a cell.
    #[inline]
    pub(crate) fn clear(&mut self, reads: &mut ReadRef) {
        if reads.0 & LIST != 0 {
            self.free(*reads);
        }
        reads.0 = 0;
    }

    fn free(&mut self, reads: ReadRef) {
        let index = reads.0 & !LIST;
        if let Some(list) = self.lists.get_mut(index as usize) {
            *list = List::new();
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

    /// Reads that another cell can own.
    fn copy(&mut self, reads: ReadRef) -> ReadRef {
        if reads.0 & LIST == 0 {
            return reads;
        }
        let list = self.lists.get((reads.0 & !LIST) as usize).cloned().unwrap_or_default();
        ReadRef(LIST | self.take(list))
    }

    /// Gives records new numbers.
    fn renumber(&mut self, reads: &mut ReadRef, new: &[u32]) {
        if reads.0 == 0 {
        } else if reads.0 & LIST == 0 {
            reads.0 = renumbered(Mark(reads.0), new).0;
        } else if let Some(list) = self.lists.get_mut((reads.0 & !LIST) as usize) {
            for read in list {
                read.0 = new.get(read.0 as usize).copied().unwrap_or(0);
            }
        }
    }
}

fn renumbered(mark: Mark, new: &[u32]) -> Mark {
    match mark.record() {
        Some((record, lane)) => Mark::new(new.get(record as usize).copied().unwrap_or(0), lane),
        None => mark,
    }
}

/// What is known of some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    pub write: Mark,
    pub reads: ReadRef,
}

#[derive(Debug, Default)]
enum Line {
    #[default]
    Unseen,
    Whole(Cell),
    Words(Box<[Cell; 16]>),
    Bytes(Box<[Cell; 64]>),
}

/// Shadow of one memory, or of one allocation.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    lines: Vec<Line>,
}

impl Shadow {
    /// Calls `see` for every cell of `start .. start + len` with the offset and length of its part in the range; a cell
    /// that only partly lies in the range is split before, and so is one larger than `grain`.
    #[inline]
    pub(crate) fn visit(
        &mut self,
        lists: &mut Lists,
        start: u64,
        len: u64,
        grain: u64,
        mut see: impl FnMut(&mut Cell, &mut Lists, u64, u64),
    ) {
        let end = start.saturating_add(len);
        let last = (end.div_ceil(LINE)) as usize;
        if self.lines.len() < last {
            self.lines.resize_with(last, Line::default);
        }
        let mut at = start;
        while at < end {
            let line_end = (at / LINE + 1) * LINE;
            let stop = end.min(line_end);
            let line = &mut self.lines[(at / LINE) as usize];
            let (from, to) = (at % LINE, (stop - 1) % LINE + 1);
            line.refine(lists, from, to, grain);
            match line {
                Line::Unseen => {}
                Line::Whole(cell) => see(cell, lists, at, LINE),
                Line::Words(cells) => {
                    for w in from / 4..to / 4 {
                        see(&mut cells[w as usize], lists, at - from + w * 4, 4);
                    }
                }
                Line::Bytes(cells) => {
                    for b in from..to {
                        see(&mut cells[b as usize], lists, at - from + b, 1);
                    }
                }
            }
            if (from, to) == (0, LINE) && grain >= LINE {
                line.merge();
            }
            at = stop;
        }
    }

    /// Every cell that anything is known of.
    pub(crate) fn each(&self, mut see: impl FnMut(&Cell)) {
        for line in &self.lines {
            match line {
                Line::Unseen => {}
                Line::Whole(cell) => see(cell),
                Line::Words(cells) => cells.iter().for_each(&mut see),
                Line::Bytes(cells) => cells.iter().for_each(&mut see),
            }
        }
    }

    /// Gives records new numbers.
    pub(crate) fn renumber(&mut self, lists: &mut Lists, new: &[u32]) {
        self.each_mut(|cell| {
            cell.write = renumbered(cell.write, new);
            lists.renumber(&mut cell.reads, new);
        });
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self, lists: &mut Lists) {
        self.each_mut(|cell| lists.clear(&mut cell.reads));
        self.lines = Vec::new();
    }

    fn each_mut(&mut self, mut see: impl FnMut(&mut Cell)) {
        for line in &mut self.lines {
            match line {
                Line::Unseen => {}
                Line::Whole(cell) => see(cell),
                Line::Words(cells) => cells.iter_mut().for_each(&mut see),
                Line::Bytes(cells) => cells.iter_mut().for_each(&mut see),
            }
        }
    }
}

impl Line {
    /// Splits until `from .. to` is a union of cells.
    #[inline]
    fn refine(&mut self, lists: &mut Lists, from: u64, to: u64, grain: u64) {
        let words = (from | to) & 3 == 0 && grain >= 4;
        let whole = (from, to) == (0, LINE) && grain >= LINE;
        match self {
            Line::Bytes(_) => {}
            Line::Words(_) if words => {}
            Line::Whole(_) if whole => {}
            Line::Unseen if whole => *self = Line::Whole(Cell::default()),
            Line::Unseen | Line::Whole(_) | Line::Words(_) => self.split(lists, words),
        }
    }

    fn split(&mut self, lists: &mut Lists, words: bool) {
        let mut copy = |cell: &Cell| Cell { write: cell.write, reads: lists.copy(cell.reads) };
        *self = match std::mem::take(self) {
            Line::Unseen if words => Line::Words(Box::new([Cell::default(); 16])),
            Line::Unseen => Line::Bytes(Box::new([Cell::default(); 64])),
            // The cell that was split gives its own list to the first part only.
            Line::Whole(cell) if words => {
                Line::Words(Box::new(std::array::from_fn(|w| if w == 0 { cell } else { copy(&cell) })))
            }
            Line::Whole(cell) => {
                Line::Bytes(Box::new(std::array::from_fn(|b| if b == 0 { cell } else { copy(&cell) })))
            }
            Line::Words(cells) => Line::Bytes(Box::new(std::array::from_fn(|b| {
                let cell = &cells[b / 4];
                if b % 4 == 0 { *cell } else { copy(cell) }
            }))),
            bytes @ Line::Bytes(_) => bytes,
        };
    }

    /// Becomes one cell when all are equal and none owns a list.
    fn merge(&mut self) {
        let same = |cells: &[Cell]| {
            let all = cells[0].reads.0 & LIST == 0 && cells.iter().all(|c| *c == cells[0]);
            all.then_some(cells[0])
        };
        let one = match self {
            Line::Unseen | Line::Whole(_) => None,
            Line::Words(cells) => same(&cells[..]),
            Line::Bytes(cells) => same(&cells[..]),
        };
        if let Some(cell) = one {
            *self = Line::Whole(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_as_fine_as_the_accesses() {
        let (mut shadow, mut lists) = (Shadow::default(), Lists::default());
        let count = |start, len, shadow: &mut Shadow, lists: &mut Lists| {
            let mut parts = Vec::new();
            shadow.visit(lists, start, len, LINE, |_, _, at, n| parts.push((at, n)));
            parts
        };
        assert_eq!(count(0, 128, &mut shadow, &mut lists), [(0, 64), (64, 64)]);
        assert_eq!(count(8, 8, &mut shadow, &mut lists), [(8, 4), (12, 4)]);
        assert_eq!(count(65, 2, &mut shadow, &mut lists), [(65, 1), (66, 1)]);
        assert_eq!(count(60, 8, &mut shadow, &mut lists).len(), 1 + 4);
        // A whole write makes a line one cell again.
        shadow.visit(&mut lists, 0, 64, LINE, |cell, _, _, _| cell.write = Mark::new(4, 1));
        assert_eq!(count(0, 64, &mut shadow, &mut lists), [(0, 64)]);
        assert_eq!(Mark::new(4, 1).record(), Some((4, 1)));
    }

    #[test]
    fn lists_belong_to_one_cell_and_stay_short() {
        let mut lists = Lists::default();
        let mut cell = ReadRef::default();
        let all = |lists: &Lists, reads| {
            let mut list = Vec::new();
            lists.each(reads, |read| list.push(read));
            list
        };
        lists.add(&mut cell, 1, 0, 4, |_| false);
        lists.add(&mut cell, 1, 2, 4, |_| false);
        lists.add(&mut cell, 2, 0, 4, |_| false);
        assert_eq!(all(&lists, cell), [(1, 0b101), (2, 1)]);
        let copy = lists.copy(cell);
        lists.add(&mut cell, 3, 0, 4, |read| read.0 == 1);
        assert_eq!(all(&lists, cell), [(2, 1), (3, 1)]);
        assert_eq!(all(&lists, copy), [(1, 0b101), (2, 1)]);
        for record in 10..100 {
            lists.add(&mut cell, record, 0, 4, |_| false);
        }
        assert_eq!(all(&lists, cell).len(), 4);
        lists.add(&mut cell, 200, 5, 4, |_| true);
        assert_eq!(all(&lists, cell), [(200, 1 << 5)]);
    }
}
