//! Shadow memory: for every byte the last write and the reads since.
//!
//! Bytes that were always accessed together share a cell. Memory is cut into lines of 64 bytes; a line is one cell, or
//! several of 16, 4 or 1 byte, as fine as the accesses to it have been, and becomes one cell again when all are equal. A
//! whole line may be *striped*: lanes side by side, each with the same number of bytes of it, which is how a warp walks
//! through memory. Such a line is compared and remembered at once instead of lane by lane.
//!
//! A line is 16 bytes, a cell 8, so a byte of memory costs 1/4 byte to 8 bytes of shadow; where several actors read the
//! same bytes without order, a list comes to it ([`crate::reads`]). Budget: at most 16 bytes a byte.

use crate::reads::{Lists, ReadRef};

const LINE: u64 = 64;

/// Most records that marks can name.
pub(crate) const MAX_RECORDS: usize = (1 << 25) - 2;

/// How bytes belong to lanes: each lane has `1 << shift` of them, one after the other.
pub(crate) type Shift = u8;

/// All bytes belong to one lane.
pub(crate) const SINGLE: Shift = 63;

/// The mark of an access in a cell: a record and the lane that did it; 0 is "never".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Mark(u32);

impl Mark {
    /// `record` counts from 0.
    #[inline]
    pub(crate) fn new(record: u32, lane: u8) -> Mark {
        Mark((record + 1) << 6 | u32::from(lane & 63))
    }

    /// The bits; 31 of them.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) fn from_bits(bits: u32) -> Mark {
        Mark(bits)
    }

    #[inline]
    pub(crate) fn record(self) -> Option<(u32, u8)> {
        if self.0 == 0 { None } else { Some(((self.0 >> 6) - 1, (self.0 & 63) as u8)) }
    }

    /// The mark of the bytes `offset` further on in a stripe.
    #[inline]
    fn along(self, offset: u64, shift: Shift) -> Mark {
        match self.record() {
            Some((record, lane)) => Mark::new(record, lane + (offset >> shift) as u8),
            None => self,
        }
    }

    /// The same access under a record's new number; never, when the record is gone.
    pub(crate) fn renumbered(self, new: &[u32]) -> Mark {
        let Some((record, lane)) = self.record() else { return self };
        let number = new.get(record as usize);
        debug_assert!(number.is_some(), "record {record} is still marked and was dropped");
        number.map_or(Mark::default(), |&number| Mark::new(number, lane))
    }
}

/// What is known of some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    pub write: Mark,
    pub reads: ReadRef,
}

/// What is known of a line all of whose bytes were accessed together. Marks name the lane of the first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    pub cell: Cell,
    pub write_shift: Shift,
    /// Of a single read; lists keep theirs in each entry.
    pub read_shift: Shift,
}

impl Default for Whole {
    fn default() -> Whole {
        Whole { cell: Cell::default(), write_shift: SINGLE, read_shift: SINGLE }
    }
}

impl Whole {
    /// True when every access was by one lane.
    fn is_plain(&self, lists: &Lists) -> bool {
        self.stripe(lists) == SINGLE
    }

    /// The finest stripes of the accesses that are remembered.
    fn stripe(&self, lists: &Lists) -> Shift {
        let write = if self.cell.write == Mark::default() { SINGLE } else { self.write_shift };
        let mut finest = write;
        lists.each(self.cell.reads, self.read_shift, |read| finest = finest.min(read.shift));
        finest
    }
}

#[derive(Debug, Default)]
enum Line {
    #[default]
    Unseen,
    Whole(Whole),
    Quads(Box<[Cell; 4]>),
    Words(Box<[Cell; 16]>),
    Bytes(Box<[Cell; 64]>),
}

/// Shadow of one memory, or of one allocation.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    lines: Vec<Line>,
}

/// A run of bytes and the lanes that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub start: u64,
    pub len: u64,
    pub shift: Shift,
}

/// Who visits shadow memory.
pub(crate) trait Visit {
    /// A whole line, by its offset. True when that is all there is to do; else nothing has changed, and its cells come.
    fn whole(&mut self, line: &mut Whole, lists: &mut Lists, at: u64) -> bool;

    /// A cell, by the offset and length of its part in the span.
    fn cell(&mut self, cell: &mut Cell, lists: &mut Lists, at: u64, len: u64);
}

impl Shadow {
    /// Visits every cell of a span. A cell that only partly lies in the span is split before, and so is one that holds bytes
    /// of several lanes.
    #[inline]
    pub(crate) fn visit(&mut self, lists: &mut Lists, span: Span, visitor: &mut impl Visit) {
        let end = span.start.saturating_add(span.len);
        let last = (end.div_ceil(LINE)) as usize;
        if self.lines.len() < last {
            self.lines.resize_with(last, Line::default);
        }
        let mut at = span.start;
        while at < end {
            let stop = end.min((at / LINE + 1) * LINE);
            let line = &mut self.lines[(at / LINE) as usize];
            let (from, to) = (at % LINE, (stop - 1) % LINE + 1);
            let full = (from, to) == (0, LINE);
            let whole = match line {
                Line::Whole(state) => Some(*state),
                Line::Unseen => Some(Whole::default()),
                Line::Quads(_) | Line::Words(_) | Line::Bytes(_) => None,
            };
            if let Some(mut state) = whole.filter(|_| full)
                && visitor.whole(&mut state, lists, at)
            {
                *line = Line::Whole(state);
                at = stop;
                continue;
            }
            line.refine(lists, (from | to).trailing_zeros().min(u32::from(span.shift)));
            match line {
                Line::Unseen => {}
                Line::Whole(state) => {
                    visitor.cell(&mut state.cell, lists, at, LINE);
                    (state.write_shift, state.read_shift) = (SINGLE, SINGLE);
                }
                Line::Quads(cells) => part(&mut cells[..], 4, at, (from, to), lists, visitor),
                Line::Words(cells) => part(&mut cells[..], 2, at, (from, to), lists, visitor),
                Line::Bytes(cells) => part(&mut cells[..], 0, at, (from, to), lists, visitor),
            }
            if full {
                line.merge();
            }
            at = stop;
        }
    }

    /// Records and lanes of the last writes in a span, in order of address; changes nothing.
    pub(crate) fn writers(&self, start: u64, len: u64, mut see: impl FnMut(u32, u8)) {
        let end = start.saturating_add(len);
        let mut at = start;
        while at < end {
            let offset = at % LINE;
            let (mark, next) = match self.lines.get((at / LINE) as usize) {
                None | Some(Line::Unseen) => (Mark::default(), LINE),
                Some(Line::Whole(w)) => {
                    let next = if w.write_shift == SINGLE { LINE } else { offset + 1 };
                    (w.cell.write.along(offset, w.write_shift), next)
                }
                Some(Line::Quads(cells)) => (cells[(offset / 16) as usize].write, offset / 16 * 16 + 16),
                Some(Line::Words(cells)) => (cells[(offset / 4) as usize].write, offset / 4 * 4 + 4),
                Some(Line::Bytes(cells)) => (cells[offset as usize].write, offset + 1),
            };
            if let Some((record, lane)) = mark.record() {
                see(record, lane);
            }
            at += next - offset;
        }
    }

    /// Everything that is known of any bytes; cells smaller than a line come as lines of one lane.
    pub(crate) fn each(&self, mut see: impl FnMut(&Whole)) {
        for line in &self.lines {
            match line {
                Line::Unseen => {}
                Line::Whole(state) => see(state),
                Line::Quads(_) | Line::Words(_) | Line::Bytes(_) => {
                    line.cells().iter().for_each(|cell| see(&Whole { cell: *cell, ..Whole::default() }));
                }
            }
        }
    }

    /// Gives records new numbers.
    pub(crate) fn renumber(&mut self, lists: &mut Lists, new: &[u32]) {
        self.each_cell(|cell| {
            cell.write = cell.write.renumbered(new);
            lists.renumber(&mut cell.reads, new);
        });
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self, lists: &mut Lists) {
        self.each_cell(|cell| lists.clear(&mut cell.reads));
        self.lines = Vec::new();
    }

    fn each_cell(&mut self, mut see: impl FnMut(&mut Cell)) {
        for line in &mut self.lines {
            match line {
                Line::Unseen => {}
                Line::Whole(state) => see(&mut state.cell),
                Line::Quads(cells) => cells.iter_mut().for_each(&mut see),
                Line::Words(cells) => cells.iter_mut().for_each(&mut see),
                Line::Bytes(cells) => cells.iter_mut().for_each(&mut see),
            }
        }
    }
}

/// Visits the cells of a line, each of `1 << size` bytes, that lie between two offsets.
#[inline]
fn part(
    cells: &mut [Cell],
    size: u32,
    at: u64,
    (from, to): (u64, u64),
    lists: &mut Lists,
    visitor: &mut impl Visit,
) {
    let (first, last) = ((from >> size) as usize, (to >> size) as usize);
    for (i, cell) in (0u64..).zip(&mut cells[first..last]) {
        visitor.cell(cell, lists, at + (i << size), 1 << size);
    }
}

impl Line {
    fn cells(&self) -> &[Cell] {
        match self {
            Line::Unseen => &[],
            Line::Whole(state) => std::slice::from_ref(&state.cell),
            Line::Quads(cells) => &cells[..],
            Line::Words(cells) => &cells[..],
            Line::Bytes(cells) => &cells[..],
        }
    }

    /// Splits until no cell is larger than `1 << finest` bytes, and none holds bytes of several lanes.
    #[inline]
    fn refine(&mut self, lists: &mut Lists, finest: u32) {
        match self {
            Line::Bytes(_) => {}
            Line::Words(_) if finest >= 2 => {}
            Line::Quads(_) if finest >= 4 => {}
            Line::Whole(state) if finest >= 6 && state.is_plain(lists) => {}
            Line::Unseen if finest >= 6 => *self = Line::Whole(Whole::default()),
            Line::Unseen | Line::Whole(_) | Line::Words(_) | Line::Quads(_) => self.split(lists, finest),
        }
    }

    fn split(&mut self, lists: &mut Lists, finest: u32) {
        let old = std::mem::take(self);
        let (whole, size) = match &old {
            Line::Whole(state) => (*state, 6),
            Line::Unseen | Line::Bytes(_) => (Whole::default(), 6),
            Line::Quads(_) => (Whole::default(), 4),
            Line::Words(_) => (Whole::default(), 2),
        };
        let finest = finest.min(u32::from(whole.stripe(lists)));
        let cells = old.cells();
        // What the cell at `offset` of the new line holds; a list belongs to one cell, so that each gets a copy of it.
        let mut cell = |offset: u64| {
            let from = cells.get((offset >> size) as usize).copied().unwrap_or_default();
            let along = if size == 6 { offset } else { 0 };
            Cell {
                write: from.write.along(along, whole.write_shift),
                reads: lists.part(from.reads, whole.read_shift, along),
            }
        };
        *self = match finest {
            4.. => Line::Quads(Box::new(std::array::from_fn(|i| cell(16 * i as u64)))),
            2 | 3 => Line::Words(Box::new(std::array::from_fn(|i| cell(4 * i as u64)))),
            0 | 1 => Line::Bytes(Box::new(std::array::from_fn(|i| cell(i as u64)))),
        };
        for cell in cells {
            lists.clear(&mut { cell.reads });
        }
    }

    /// Becomes one cell when the cells are equal or those of lanes side by side, and none owns a list.
    fn merge(&mut self) {
        let cells = self.cells();
        let size = match cells.len() {
            4 => 4,
            16 => 2,
            64 => 0,
            _ => return,
        };
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { return };
        if cells.iter().any(|c| c.reads.is_list()) {
            return;
        }
        let whole = Whole {
            cell: *first,
            write_shift: stripes(first.write, last.write, LINE - (1 << size)),
            read_shift: stripes(first.reads.single(), last.reads.single(), LINE - (1 << size)),
        };
        let fits = |(i, c): (u64, &Cell)| {
            c.write == first.write.along(i << size, whole.write_shift)
                && c.reads.single() == first.reads.single().along(i << size, whole.read_shift)
        };
        if (0u64..).zip(cells).all(fits) {
            *self = Line::Whole(whole);
        }
    }
}

/// The stripes by which one mark becomes the other `offset` bytes further on, if any do.
fn stripes(first: Mark, last: Mark, offset: u64) -> Shift {
    (0..6).find(|&shift| first != last && first.along(offset, shift) == last).unwrap_or(SINGLE)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Parts<W, C>(W, C);

    impl<W: FnMut(&mut Whole, u64) -> bool, C: FnMut(&mut Cell, u64, u64)> Visit for Parts<W, C> {
        fn whole(&mut self, line: &mut Whole, _: &mut Lists, at: u64) -> bool {
            (self.0)(line, at)
        }

        fn cell(&mut self, cell: &mut Cell, _: &mut Lists, at: u64, len: u64) {
            (self.1)(cell, at, len);
        }
    }

    fn parts(shadow: &mut Shadow, lists: &mut Lists, start: u64, len: u64) -> Vec<(u64, u64)> {
        let mut parts = Vec::new();
        let span = Span { start, len, shift: SINGLE };
        shadow.visit(
            lists,
            span,
            &mut Parts(|_: &mut Whole, _| false, |_: &mut Cell, at, n| parts.push((at, n))),
        );
        parts
    }

    #[test]
    fn cells_are_as_fine_as_the_accesses() {
        let (mut shadow, mut lists) = (Shadow::default(), Lists::default());
        assert_eq!(parts(&mut shadow, &mut lists, 0, 128), [(0, 64), (64, 64)]);
        assert_eq!(parts(&mut shadow, &mut lists, 16, 16), [(16, 16)]);
        assert_eq!(parts(&mut shadow, &mut lists, 8, 8), [(8, 4), (12, 4)]);
        assert_eq!(parts(&mut shadow, &mut lists, 65, 2), [(65, 1), (66, 1)]);
        assert_eq!(parts(&mut shadow, &mut lists, 60, 8).len(), 1 + 4);
        // A whole write makes a line one cell again.
        let span = Span { start: 0, len: 64, shift: SINGLE };
        let write = |cell: &mut Cell, _, _| cell.write = Mark::new(4, 1);
        shadow.visit(&mut lists, span, &mut Parts(|_: &mut Whole, _| false, write));
        assert_eq!(parts(&mut shadow, &mut lists, 0, 64), [(0, 64)]);
        assert_eq!(Mark::new(4, 1).record(), Some((4, 1)));
    }

    #[test]
    fn stripes_fall_apart_into_their_lanes_and_come_together_again() {
        let (mut shadow, mut lists) = (Shadow::default(), Lists::default());
        let stripe = |line: &mut Whole, at: u64| {
            (line.cell.write, line.write_shift) = (Mark::new(7, (at / 4) as u8), 2);
            true
        };
        let span = Span { start: 0, len: 128, shift: 2 };
        shadow.visit(&mut lists, span, &mut Parts(stripe, |_: &mut Cell, _, _| panic!("whole lines only")));
        let lanes = |shadow: &Shadow| {
            let mut lanes = Vec::new();
            shadow.writers(0, 128, |record, lane| {
                assert_eq!(record, 7);
                lanes.push(lane);
            });
            lanes.dedup();
            lanes
        };
        assert_eq!(lanes(&shadow), (0..32).collect::<Vec<_>>());
        // A part of it: words.
        assert_eq!(parts(&mut shadow, &mut lists, 4, 8), [(4, 4), (8, 4)]);
        assert_eq!(lanes(&shadow), (0..32).collect::<Vec<_>>());
        let mut wholes = 0;
        let count = |_: &mut Whole, _| {
            wholes += 1;
            false
        };
        shadow.visit(&mut lists, span, &mut Parts(count, |_: &mut Cell, _, _| {}));
        assert_eq!(wholes, 1, "the first line has fallen apart");
        let cell = |_: &mut Cell, _, _| panic!("the words have merged");
        shadow.visit(&mut lists, span, &mut Parts(|_: &mut Whole, _| true, cell));
    }

    /// Bytes of memory that the comparison with single bytes looks at.
    const BYTES: u64 = 256;

    /// A write of one lane, or of lanes side by side with `1 << shift` bytes each.
    #[derive(Clone, Copy, Debug)]
    struct Write {
        start: u64,
        len: u64,
        shift: Shift,
        lane: u8,
        /// Whole lines are taken at once.
        at_once: bool,
    }

    impl Write {
        /// The lane that writes the byte `at` further on.
        fn lane(&self, at: u64) -> u8 {
            if self.shift == SINGLE { self.lane } else { ((at - self.start) >> self.shift) as u8 }
        }
    }

    fn write() -> impl Strategy<Value = Write> {
        let lane = (0..BYTES, 1..130u64, 0..64u8, any::<bool>());
        let lane = lane.prop_map(|(start, len, lane, at_once)| Write {
            start,
            len: len.min(BYTES - start),
            shift: SINGLE,
            lane,
            at_once,
        });
        let stripes = (0..5u8, 0..64u64, 1..33u64, any::<bool>());
        let stripes = stripes.prop_map(|(shift, start, lanes, at_once)| {
            let start = start << shift & (BYTES - 1);
            Write { start, len: (lanes << shift).min(BYTES - start), shift, lane: 0, at_once }
        });
        prop_oneof![lane, stripes]
    }

    proptest! {
        /// However lines are cut and merged, every byte knows who wrote it last.
        #[test]
        fn lines_say_of_every_byte_what_bytes_alone_would(
            writes in proptest::collection::vec(write(), 1..24),
        ) {
            let (mut shadow, mut lists) = (Shadow::default(), Lists::default());
            let mut bytes = vec![None; BYTES as usize];
            for (record, write) in (0u32..).zip(&writes) {
                let whole = |line: &mut Whole, at| {
                    if write.at_once {
                        (line.cell.write, line.write_shift) = (Mark::new(record, write.lane(at)), write.shift);
                    }
                    write.at_once
                };
                let cell = |cell: &mut Cell, at, _| cell.write = Mark::new(record, write.lane(at));
                let span = Span { start: write.start, len: write.len, shift: write.shift };
                shadow.visit(&mut lists, span, &mut Parts(whole, cell));
                for at in write.start..write.start + write.len {
                    bytes[at as usize] = Some((record, write.lane(at)));
                }
                for (at, want) in (0u64..).zip(&bytes) {
                    let mut found = None;
                    shadow.writers(at, 1, |record, lane| found = Some((record, lane)));
                    prop_assert_eq!(found, *want, "byte {} after {:?}", at, write);
                }
            }
        }
    }
}
