//! Accumulators of `tcgen05.mma`: which cell holds element (m, n), by data path layout A to G.
//!
//! A data path is where the rows of the result go: all four slabs of 32 lanes, or sixteen lanes of each, with the
//! columns of N in one, two or four parts that lie below one another.

use tilehaul_diag::Diagnostic;

use super::address::{LANES, SLAB_LANES};
use super::rules;
use crate::axis::Axis;
use crate::strided::{Layout, LayoutError, error, iter};

/// Blocks that one `tcgen05.mma` works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CtaGroup {
    /// `.cta_group::1`: one block.
    One,
    /// `.cta_group::2`: a pair; the even block holds the first half of the rows.
    Two,
}

impl CtaGroup {
    /// 1 or 2.
    #[must_use]
    pub fn blocks(self) -> u32 {
        match self {
            CtaGroup::One => 1,
            CtaGroup::Two => 2,
        }
    }
}

/// A data path layout, by its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Datapath {
    /// M 256 on a pair.
    A,
    /// M 128 on a pair, dense.
    B,
    /// M 128 on a pair, sparse.
    C,
    /// M 128 on one block.
    D,
    /// M 64 on one block with `.ws`.
    E,
    /// M 64 on one block.
    F,
    /// M 32 on one block with `.ws`.
    G,
}

/// One row of the table of data paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatapathSpec {
    /// The layout.
    pub datapath: Datapath,
    /// Its letter.
    pub letter: &'static str,
    /// M of the instruction, over all its blocks.
    pub m: u32,
    /// Blocks of the instruction.
    pub cta_group: CtaGroup,
    /// Rows of one block.
    pub rows: u32,
    /// Rows of one block that share a slab of 32 lanes: 32, or 16.
    pub slab_rows: u32,
    /// Parts of the columns, one below the other.
    pub column_parts: u32,
}

/// Every data path (manual: PTX ISA data path layouts; inferred: CUTLASS `tmem_frg` and TIRx
/// `tmem_datapath_layout` agree on every element). The ISA's table calls E "2x3"; both implementations make it 2x2.
pub const DATAPATHS: [DatapathSpec; 7] = [
    row(Datapath::A, "A", 256, CtaGroup::Two, 128, 32, 1),
    row(Datapath::B, "B", 128, CtaGroup::Two, 64, 32, 2),
    row(Datapath::C, "C", 128, CtaGroup::Two, 64, 16, 1),
    row(Datapath::D, "D", 128, CtaGroup::One, 128, 32, 1),
    row(Datapath::E, "E", 64, CtaGroup::One, 64, 32, 2),
    row(Datapath::F, "F", 64, CtaGroup::One, 64, 16, 1),
    row(Datapath::G, "G", 32, CtaGroup::One, 32, 32, 4),
];

const fn row(
    datapath: Datapath,
    letter: &'static str,
    m: u32,
    cta_group: CtaGroup,
    rows: u32,
    slab_rows: u32,
    column_parts: u32,
) -> DatapathSpec {
    DatapathSpec { datapath, letter, m, cta_group, rows, slab_rows, column_parts }
}

/// What an instruction says that decides its data path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MmaForm {
    /// M of the instruction.
    pub m: u32,
    /// Blocks.
    pub cta_group: CtaGroup,
    /// `.ws`: weight stationary.
    pub weight_stationary: bool,
    /// `.sp`: sparse A.
    pub sparse: bool,
    /// `.kind::i8`, whose N has holes.
    pub integer: bool,
}

impl Datapath {
    /// All layouts, in the order of the table.
    pub const ALL: [Datapath; 7] =
        [Datapath::A, Datapath::B, Datapath::C, Datapath::D, Datapath::E, Datapath::F, Datapath::G];

    /// Its row of the table.
    #[must_use]
    pub fn spec(self) -> &'static DatapathSpec {
        &DATAPATHS[self as usize]
    }

    /// The layout of that letter, in either case.
    #[must_use]
    pub fn from_letter(letter: &str) -> Option<Datapath> {
        DATAPATHS.iter().find(|s| s.letter.eq_ignore_ascii_case(letter)).map(|s| s.datapath)
    }

    /// The layout of an instruction's result.
    ///
    /// # Errors
    /// When M, the block group and `.ws` have no data path together.
    pub fn of(form: MmaForm) -> Result<Datapath, Diagnostic> {
        Ok(match (form.cta_group, form.m, form.weight_stationary) {
            (CtaGroup::Two, 256, false) => Datapath::A,
            (CtaGroup::Two, 128, false) if form.sparse => Datapath::C,
            (CtaGroup::Two, 128, false) => Datapath::B,
            (CtaGroup::One, 128, _) => Datapath::D,
            (CtaGroup::One, 64, true) => Datapath::E,
            (CtaGroup::One, 64, false) => Datapath::F,
            (CtaGroup::One, 32, true) => Datapath::G,
            (group, m, ws) => {
                let ws = if ws { " with .ws" } else { "" };
                return Err(rules::MMA_FORM.broken(
                    format!("tcgen05.mma with M {m} on cta_group::{}{ws} has no data path", group.blocks()),
                    match group {
                        CtaGroup::One => "use M 64 or 128, or M 32 with .ws",
                        CtaGroup::Two => "use M 128 or 256 without .ws",
                    },
                ));
            }
        })
    }
}

impl MmaForm {
    /// Checks N (manual: PTX ISA matrix shapes of tcgen05.mma).
    ///
    /// # Errors
    /// When N is not one of the legal sizes.
    pub fn check_n(self, n: u32) -> Result<(), Diagnostic> {
        let (legal, words): (bool, &str) = if self.weight_stationary {
            if self.sparse {
                (matches!(n, 64 | 128), "64 or 128")
            } else {
                (matches!(n, 64 | 128 | 256), "64, 128 or 256")
            }
        } else {
            match (self.cta_group, self.m, self.integer) {
                (CtaGroup::Two, _, true) => (stepped(n, 32), "a multiple of 32 from 32 to 256"),
                (CtaGroup::Two, _, false) => (stepped(n, 16), "a multiple of 16 from 16 to 256"),
                // kind::i8 on one block: 8, 16, 24, 32 and then steps of 16.
                (CtaGroup::One, _, true) => {
                    (n == 8 || n == 24 || stepped(n, 16), "8, 24 or a multiple of 16 up to 256")
                }
                (CtaGroup::One, _, false) => (stepped(n, 8), "a multiple of 8 from 8 to 256"),
            }
        };
        if legal {
            return Ok(());
        }
        Err(rules::MMA_COLUMNS.broken(
            format!(
                "tcgen05.mma with N {n} is not legal for M {} on cta_group::{}",
                self.m,
                self.cta_group.blocks()
            ),
            format!("make N {words}"),
        ))
    }
}

fn stepped(n: u32, step: u32) -> bool {
    n > 0 && n <= 256 && n.is_multiple_of(step)
}

/// Which sixteen lanes of each slab a data path of half the lanes uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaneHalf {
    /// Lanes 0 to 15 of each slab (the only choice for A, B, D, E and G).
    #[default]
    Lower,
    /// Lanes 16 to 31 of each slab: C and F only.
    Upper,
}

/// A result of M by N in tensor memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulator {
    datapath: Datapath,
    n: u32,
    half: LaneHalf,
}

/// Where one element of a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccumulatorPlace {
    /// Block of the pair: 0 for the even one.
    pub block: u32,
    /// Physical lane.
    pub lane: u32,
    /// Column, counted from the accumulator's address; the element fills the cell's low bits.
    pub column: u32,
}

impl Accumulator {
    /// A result of `n` columns. `half` is what the lane field of the address selects: 0, or 16 for C and F.
    ///
    /// # Errors
    /// When the parts of the columns are not equal, or the data path has no upper half.
    pub fn new(datapath: Datapath, n: u32, half: LaneHalf) -> Result<Accumulator, Diagnostic> {
        let spec = datapath.spec();
        if n == 0 || !n.is_multiple_of(spec.column_parts) {
            return Err(rules::MMA_COLUMNS.broken(
                format!(
                    "data path {} splits N {n} into {} equal parts, which it has not",
                    spec.letter, spec.column_parts
                ),
                format!("make N a multiple of {}", spec.column_parts),
            ));
        }
        if half == LaneHalf::Upper && spec.slab_rows == SLAB_LANES {
            return Err(rules::MMA_LANE.broken(
                format!("data path {} cannot start at lane 16: it uses all 32 lanes of a slab", spec.letter),
                "start at lane 0",
            ));
        }
        Ok(Accumulator { datapath, n, half })
    }

    /// The half that the lane field of an accumulator's address selects.
    ///
    /// # Errors
    /// When the lane is not 0, nor 16 for C and F.
    pub fn half_of_lane(datapath: Datapath, lane: u32) -> Result<LaneHalf, Diagnostic> {
        match lane {
            0 => Ok(LaneHalf::Lower),
            16 if datapath.spec().slab_rows < SLAB_LANES => Ok(LaneHalf::Upper),
            _ => Err(rules::MMA_LANE.broken(
                format!("an accumulator of data path {} cannot start at lane {lane}", datapath.spec().letter),
                "start at lane 0",
            )),
        }
    }

    /// The data path.
    #[must_use]
    pub fn datapath(&self) -> Datapath {
        self.datapath
    }

    /// Rows over all blocks: M.
    #[must_use]
    pub fn m(&self) -> u32 {
        self.datapath.spec().m
    }

    /// Columns of the matrix: N.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Physical columns of each block that hold it.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.n / self.datapath.spec().column_parts
    }

    /// Where element (`row`, `column`) is, or `None` outside the matrix.
    #[must_use]
    pub fn place(&self, row: u32, column: u32) -> Option<AccumulatorPlace> {
        let spec = self.datapath.spec();
        if row >= spec.m || column >= self.n {
            return None;
        }
        let (block, inside) = (row / spec.rows, row % spec.rows);
        let part = column / self.columns();
        let lane = SLAB_LANES * (inside / spec.slab_rows)
            + inside % spec.slab_rows
            + spec.rows * part
            + self.half_lanes();
        Some(AccumulatorPlace { block, lane, column: column % self.columns() })
    }

    /// The element (row, column) at a place, or `None` when the data path leaves the cell alone.
    #[must_use]
    pub fn element(&self, place: AccumulatorPlace) -> Option<(u32, u32)> {
        let spec = self.datapath.spec();
        if place.block >= spec.cta_group.blocks() || place.lane >= LANES || place.column >= self.columns() {
            return None;
        }
        let lane = place.lane.checked_sub(self.half_lanes())?;
        let (part, inside) =
            if spec.column_parts > 1 { (lane / spec.rows, lane % spec.rows) } else { (0, lane) };
        let in_slab = inside % SLAB_LANES;
        if in_slab >= spec.slab_rows {
            return None;
        }
        let row = inside / SLAB_LANES * spec.slab_rows + in_slab;
        Some((place.block * spec.rows + row, part * self.columns() + place.column))
    }

    fn half_lanes(&self) -> u32 {
        match self.half {
            LaneHalf::Lower => 0,
            LaneHalf::Upper => 16,
        }
    }
}

/// The layout of one block's part of an accumulator, `rows` by `columns` elements of 32 bits, as TIRx's
/// `tmem_datapath_layout(letter, rows, columns, sub_slab)` spells it; `sub_slab` 1 is the upper half of C and F.
///
/// # Errors
/// When the letter, the rows, the columns or the half do not go together.
pub fn datapath_layout(letter: &str, rows: u64, columns: u64, sub_slab: u64) -> Result<Layout, LayoutError> {
    let Some(datapath) = Datapath::from_letter(letter) else {
        return error(format!("unknown datapath '{letter}'; known: A, B, C, D, E, F, G"));
    };
    let spec = datapath.spec();
    if rows != u64::from(spec.rows) {
        return error(format!("datapath='{}' expects rows={}, got {rows}", spec.letter, spec.rows));
    }
    let parts = u64::from(spec.column_parts);
    if columns == 0 || !columns.is_multiple_of(parts) {
        let wants =
            if parts == 2 { "expects even cols".into() } else { format!("requires cols % {parts} == 0") };
        return error(format!("datapath='{}' {wants}, got {columns}", spec.letter));
    }
    let half = match sub_slab {
        0 => 0,
        1 if spec.slab_rows < SLAB_LANES => 16,
        _ => {
            return error(format!("datapath='{}' has no sub_slab {sub_slab}", spec.letter));
        }
    };
    let shard = if spec.slab_rows < SLAB_LANES {
        let inside = u64::from(spec.slab_rows);
        vec![iter(rows / inside, 32, Axis::TLane), iter(inside, 1, Axis::TLane), iter(columns, 1, Axis::TCol)]
    } else if parts > 1 {
        let below = i64::from(spec.rows);
        vec![
            iter(rows, 1, Axis::TLane),
            iter(parts, below, Axis::TLane),
            iter(columns / parts, 1, Axis::TCol),
        ]
    } else {
        vec![iter(rows, 1, Axis::TLane), iter(columns, 1, Axis::TCol)]
    };
    Layout::new(shard, Vec::new(), &[(Axis::TLane, half)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_has_one_place_and_comes_back() {
        for datapath in Datapath::ALL {
            let spec = datapath.spec();
            assert_eq!(spec.datapath, datapath);
            assert_eq!(spec.m, spec.rows * spec.cta_group.blocks());
            let halves: &[LaneHalf] =
                if spec.slab_rows == 16 { &[LaneHalf::Lower, LaneHalf::Upper] } else { &[LaneHalf::Lower] };
            for &half in halves {
                for n in [8, 64, 128, 256] {
                    let accumulator = Accumulator::new(datapath, n, half).unwrap();
                    let mut held = 0;
                    for block in 0..spec.cta_group.blocks() {
                        for lane in 0..LANES {
                            for column in 0..accumulator.columns() {
                                let place = AccumulatorPlace { block, lane, column };
                                let Some((row, c)) = accumulator.element(place) else { continue };
                                held += 1;
                                assert_eq!(accumulator.place(row, c), Some(place), "{datapath:?} {n}");
                            }
                        }
                    }
                    assert_eq!(held, spec.m * n, "{datapath:?} {n}");
                }
            }
        }
    }

    #[test]
    fn layouts_spell_what_the_table_says() {
        for spec in DATAPATHS {
            for (sub_slab, half) in [(0, LaneHalf::Lower), (1, LaneHalf::Upper)] {
                let Ok(accumulator) = Accumulator::new(spec.datapath, 32, half) else {
                    assert!(datapath_layout(spec.letter, u64::from(spec.rows), 32, sub_slab).is_err());
                    continue;
                };
                let layout = datapath_layout(spec.letter, u64::from(spec.rows), 32, sub_slab).unwrap();
                for row in 0..spec.rows {
                    for column in 0..32 {
                        let place = accumulator.place(row, column).unwrap();
                        let number = u64::from(row * 32 + column);
                        assert_eq!(layout.at(number, Axis::TLane), i64::from(place.lane));
                        assert_eq!(layout.at(number, Axis::TCol), i64::from(place.column));
                    }
                }
            }
        }
        assert_eq!(datapath_layout("B", 128, 64, 0).unwrap_err().0, "datapath='B' expects rows=64, got 128");
        assert!(datapath_layout("B", 64, 63, 0).unwrap_err().0.contains("even cols"));
        assert!(datapath_layout("G", 32, 6, 0).unwrap_err().0.contains("cols % 4 == 0"));
        assert!(datapath_layout("X", 32, 6, 0).unwrap_err().0.contains("unknown datapath"));
        assert_eq!(datapath_layout("F", 64, 4, 0).unwrap().span(Axis::TLane), 112);
    }

    #[test]
    fn golden_points() {
        let at = |datapath, n, half, row, column| {
            let place = Accumulator::new(datapath, n, half).unwrap().place(row, column).unwrap();
            (place.block, place.lane, place.column)
        };
        assert_eq!(at(Datapath::B, 128, LaneHalf::Lower, 5, 70), (0, 69, 6));
        assert_eq!(at(Datapath::B, 128, LaneHalf::Lower, 64 + 5, 70), (1, 69, 6));
        assert_eq!(at(Datapath::F, 128, LaneHalf::Lower, 37, 3), (0, 69, 3));
        assert_eq!(at(Datapath::F, 128, LaneHalf::Upper, 37, 3), (0, 85, 3));
        assert_eq!(at(Datapath::A, 256, LaneHalf::Lower, 200, 17), (1, 72, 17));
        assert_eq!(at(Datapath::C, 64, LaneHalf::Upper, 100, 17), (1, 64 + 4 + 16, 17));
        assert_eq!(at(Datapath::D, 64, LaneHalf::Lower, 100, 17), (0, 100, 17));
        assert_eq!(at(Datapath::E, 64, LaneHalf::Lower, 5, 40), (0, 69, 8));
        assert_eq!(at(Datapath::G, 128, LaneHalf::Lower, 5, 70), (0, 5 + 64, 6));
    }

    #[test]
    fn instructions_choose_their_data_path() {
        let form = |m, cta_group, weight_stationary, sparse| MmaForm {
            m,
            cta_group,
            weight_stationary,
            sparse,
            integer: false,
        };
        assert_eq!(Datapath::of(form(256, CtaGroup::Two, false, true)), Ok(Datapath::A));
        assert_eq!(Datapath::of(form(128, CtaGroup::Two, false, true)), Ok(Datapath::C));
        assert_eq!(Datapath::of(form(128, CtaGroup::Two, false, false)), Ok(Datapath::B));
        assert_eq!(Datapath::of(form(128, CtaGroup::One, true, false)), Ok(Datapath::D));
        assert_eq!(Datapath::of(form(64, CtaGroup::One, false, false)), Ok(Datapath::F));
        assert_eq!(Datapath::of(form(64, CtaGroup::One, true, false)), Ok(Datapath::E));
        assert_eq!(Datapath::of(form(32, CtaGroup::One, true, false)), Ok(Datapath::G));
        assert!(Datapath::of(form(32, CtaGroup::One, false, false)).is_err());
        assert!(Datapath::of(form(64, CtaGroup::Two, false, false)).is_err());
        assert!(form(64, CtaGroup::One, false, false).check_n(8).is_ok());
        assert!(form(128, CtaGroup::One, false, false).check_n(264).is_err());
        assert!(form(128, CtaGroup::Two, false, false).check_n(24).is_err());
        assert!(form(64, CtaGroup::One, true, true).check_n(256).is_err());
        assert!(Accumulator::new(Datapath::A, 64, LaneHalf::Upper).is_err());
        assert!(Accumulator::new(Datapath::G, 6, LaneHalf::Lower).is_err());
    }
}
