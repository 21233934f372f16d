//! Shadow memory: for every byte the last write and the reads since.
//!
//! Bytes that were always accessed together share a cell. Memory is cut into lines of 64 bytes; a line is one cell, or
//! sixteen (4 bytes each), or sixty-four, as fine as the accesses to it have been, and becomes one cell again when it is
//! written as a whole. A cell is 8 bytes, so a byte of memory costs 1/8 byte to 8 bytes of shadow, plus the read lists,
//! which are shared between cells with equal history. Budget: at most 16 bytes a byte (DESIGN.md).

use rustc_hash::FxHashMap;

const LINE: u64 = 64;
/// Longest list of unordered reads kept for a cell. Older ones are dropped: may miss a race, never reports a false one.
const READS_KEPT: u32 = 24;

/// The mark of an access in a cell: a record and the lane that did it; 0 is "never".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Mark(u32);

impl Mark {
    pub(crate) const NONE: Mark = Mark(0);

    /// `record` counts from 0.
    pub(crate) fn new(record: u32, lane: u8) -> Mark {
        Mark((record + 1) << 6 | u32::from(lane & 63))
    }

    pub(crate) fn record(self) -> Option<(u32, u8)> {
        if self.0 == 0 { None } else { Some(((self.0 >> 6) - 1, (self.0 & 63) as u8)) }
    }
}

/// A list of reads; 0 is the empty one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ReadList(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ReadNode {
    record: u32,
    lanes: u64,
    next: ReadList,
}

/// All read lists, each tail stored once.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    nodes: Vec<(ReadNode, u32)>,
    index: FxHashMap<ReadNode, u32>,
}

impl Reads {
    /// `list` with one more read in front; a read of the same record in front takes the lane in.
    pub(crate) fn push(&mut self, list: ReadList, record: u32, lanes: u64) -> ReadList {
        let (node, depth) = match self.get(list) {
            Some((front, _)) if front.record == record => {
                let lanes = front.lanes | lanes;
                if lanes == front.lanes {
                    return list;
                }
                (ReadNode { record, lanes, next: front.next }, self.depth(front.next))
            }
            Some((_, depth)) if depth >= READS_KEPT => (ReadNode { record, lanes, next: ReadList(0) }, 0),
            _ => (ReadNode { record, lanes, next: list }, self.depth(list)),
        };
        if let Some(&found) = self.index.get(&node) {
            return ReadList(found);
        }
        self.nodes.push((node, depth + 1));
        let id = self.nodes.len() as u32;
        self.index.insert(node, id);
        ReadList(id)
    }

    /// Reads of a list, newest first: record and lanes.
    pub(crate) fn iter(&self, list: ReadList) -> impl Iterator<Item = (u32, u64)> + '_ {
        let mut at = list;
        std::iter::from_fn(move || {
            let (node, _) = self.get(at)?;
            at = node.next;
            Some((node.record, node.lanes))
        })
    }

    /// The list behind the newest read.
    pub(crate) fn rest(&self, list: ReadList) -> ReadList {
        self.get(list).map_or(ReadList(0), |n| n.0.next)
    }

    fn get(&self, list: ReadList) -> Option<(ReadNode, u32)> {
        list.0.checked_sub(1).and_then(|i| self.nodes.get(i as usize)).copied()
    }

    fn depth(&self, list: ReadList) -> u32 {
        self.get(list).map_or(0, |n| n.1)
    }
}

/// What is known of some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    pub write: Mark,
    pub reads: ReadList,
}

#[derive(Clone, Debug, Default)]
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
    /// that only partly lies in the range is split before.
    pub(crate) fn visit(&mut self, start: u64, len: u64, mut see: impl FnMut(&mut Cell, u64, u64)) {
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
            line.refine(from, to);
            match line {
                Line::Unseen => {}
                Line::Whole(cell) => see(cell, at, LINE),
                Line::Words(cells) => {
                    for w in from / 4..to / 4 {
                        see(&mut cells[w as usize], at - from + w * 4, 4);
                    }
                }
                Line::Bytes(cells) => {
                    for b in from..to {
                        see(&mut cells[b as usize], at - from + b, 1);
                    }
                }
            }
            if (from, to) == (0, LINE) {
                line.merge();
            }
            at = stop;
        }
    }

    /// Every cell that anything is known of.
    pub(crate) fn each(&self, mut see: impl FnMut(&Cell, u64, u64)) {
        for (i, line) in self.lines.iter().enumerate() {
            let start = i as u64 * LINE;
            match line {
                Line::Unseen => {}
                Line::Whole(cell) => see(cell, start, LINE),
                Line::Words(cells) => {
                    cells.iter().enumerate().for_each(|(w, c)| see(c, start + w as u64 * 4, 4));
                }
                Line::Bytes(cells) => {
                    cells.iter().enumerate().for_each(|(b, c)| see(c, start + b as u64, 1));
                }
            }
        }
    }
}

impl Line {
    /// Splits until `from .. to` is a union of cells.
    fn refine(&mut self, from: u64, to: u64) {
        if let Line::Unseen = self {
            *self = Line::Whole(Cell::default());
        }
        if (from, to) == (0, LINE) {
            return;
        }
        let words = from.is_multiple_of(4) && to.is_multiple_of(4);
        match self {
            Line::Whole(cell) if words => *self = Line::Words(Box::new([*cell; 16])),
            Line::Whole(cell) => *self = Line::Bytes(Box::new([*cell; 64])),
            Line::Words(cells) if !words => {
                let mut bytes = Box::new([Cell::default(); 64]);
                for (b, cell) in bytes.iter_mut().enumerate() {
                    *cell = cells[b / 4];
                }
                *self = Line::Bytes(bytes);
            }
            Line::Unseen | Line::Words(_) | Line::Bytes(_) => {}
        }
    }

    /// Becomes one cell when all are equal.
    fn merge(&mut self) {
        let same = |cells: &[Cell]| cells.iter().all(|c| *c == cells[0]).then_some(cells[0]);
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
        let mut shadow = Shadow::default();
        let count = |start, len, shadow: &mut Shadow| {
            let mut parts = Vec::new();
            shadow.visit(start, len, |_, at, n| parts.push((at, n)));
            parts
        };
        assert_eq!(count(0, 128, &mut shadow), [(0, 64), (64, 64)]);
        assert_eq!(count(8, 8, &mut shadow), [(8, 4), (12, 4)]);
        assert_eq!(count(65, 2, &mut shadow), [(65, 1), (66, 1)]);
        assert_eq!(count(60, 8, &mut shadow).len(), 1 + 4);
        // A whole write makes a line one cell again.
        shadow.visit(0, 64, |cell, _, _| cell.write = Mark::new(4, 1));
        assert_eq!(count(0, 64, &mut shadow), [(0, 64)]);
        assert_eq!(Mark::new(4, 1).record(), Some((4, 1)));
    }

    #[test]
    fn read_lists_share_tails_and_stay_short() {
        let mut reads = Reads::default();
        let a = reads.push(ReadList(0), 1, 1);
        let b = reads.push(a, 1, 2);
        assert_eq!(reads.iter(b).collect::<Vec<_>>(), [(1, 3)]);
        assert_eq!(reads.push(a, 1, 2), b);
        let c = reads.push(b, 2, 1);
        assert_eq!(reads.iter(c).collect::<Vec<_>>(), [(2, 1), (1, 3)]);
        let long = (10..200).fold(c, |list, record| reads.push(list, record, 1));
        assert!(reads.iter(long).count() <= READS_KEPT as usize + 1);
    }
}
