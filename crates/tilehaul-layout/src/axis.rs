//! Names of the places that a layout sends elements to.

use std::fmt;

/// One axis of a place: a thread coordinate, a memory coordinate or a dimension of a tensor.
///
/// Notations spell the same thing differently; the reader of each maps its words to these. `m` is the position in a
/// linear memory *or* the register slot of a thread, whichever the layout is about, as in TIRx.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// Block in the grid, x.
    Bx,
    /// Block in the grid, y.
    By,
    /// Block in the grid, z.
    Bz,
    /// Block in the cluster, x; Triton's `block`.
    Cbx,
    /// Block in the cluster, y.
    Cby,
    /// Block in the cluster, z.
    Cbz,
    /// Thread in the block.
    Tx,
    /// Warpgroup in the block.
    WgId,
    /// Warp in the block; Triton's `warp`.
    WarpId,
    /// Warp in the warpgroup.
    WidInWg,
    /// Thread in the warpgroup.
    TidInWg,
    /// Lane in the warp; Triton's `lane`.
    LaneId,
    /// Element in memory, or register slot of a thread; Triton's `offset` and `register`.
    Memory,
    /// Lane of tensor memory; Triton's `row`.
    TLane,
    /// Column of tensor memory, in elements; Triton's `col`.
    TCol,
    /// Bank of shared memory.
    Bank,
    /// Byte in memory.
    Byte,
    /// Dimension of a tensor, outermost first.
    Dim(u8),
}

/// Every axis with a fixed name, and how many threads one step of it is, if it counts threads of a block.
const NAMES: [(Axis, &str, Option<i64>); 17] = [
    (Axis::Bx, "bx", None),
    (Axis::By, "by", None),
    (Axis::Bz, "bz", None),
    (Axis::Cbx, "cbx", None),
    (Axis::Cby, "cby", None),
    (Axis::Cbz, "cbz", None),
    (Axis::Tx, "tx", Some(1)),
    (Axis::WgId, "wgid", Some(128)),
    (Axis::WarpId, "warpid", Some(32)),
    (Axis::WidInWg, "wid_in_wg", Some(32)),
    (Axis::TidInWg, "tid_in_wg", Some(1)),
    (Axis::LaneId, "laneid", Some(1)),
    (Axis::Memory, "m", None),
    (Axis::TLane, "TLane", None),
    (Axis::TCol, "TCol", None),
    (Axis::Bank, "bank", None),
    (Axis::Byte, "byte", None),
];

impl Axis {
    /// The axis of that name; `dim0`, `dim1`… are the dimensions.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Axis> {
        if let Some((axis, ..)) = NAMES.iter().find(|(_, n, _)| *n == name) {
            return Some(*axis);
        }
        let digits = name.strip_prefix("dim")?;
        (digits.len() <= 3).then(|| digits.parse().ok().map(Axis::Dim)).flatten()
    }

    /// Every fixed name, for messages.
    #[must_use]
    pub fn names() -> String {
        NAMES.map(|(_, name, _)| name).join(", ")
    }

    /// How many threads of a block one step is, or `None` when the axis does not count threads of a block.
    ///
    /// manual: TIRx axes (tx = 32 warpid + laneid, warpid = 4 wgid + wid_in_wg, tid_in_wg = 32 wid_in_wg + laneid).
    #[must_use]
    pub fn threads(self) -> Option<i64> {
        NAMES.iter().find(|(axis, ..)| *axis == self).and_then(|(_, _, threads)| *threads)
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Axis::Dim(n) = self {
            return write!(f, "dim{n}");
        }
        let name = NAMES.iter().find(|(axis, ..)| axis == self).map_or("", |(_, name, _)| name);
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for (axis, name, _) in NAMES {
            assert_eq!(Axis::from_name(name), Some(axis));
            assert_eq!(axis.to_string(), name);
        }
        assert_eq!(Axis::from_name("dim7"), Some(Axis::Dim(7)));
        assert_eq!(Axis::from_name("dim"), None);
        assert_eq!(Axis::from_name("dim999"), None);
        assert_eq!(Axis::from_name("thread"), None);
    }
}
