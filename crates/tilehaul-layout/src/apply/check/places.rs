//! Tensor memory: whether every element is in the cell where the instruction has it.

use super::atom::Atom;
use super::not_a_layout;
use crate::apply::operand::Fitted;
use crate::apply::{Refusal, refuse};
use crate::axis::Axis;
use crate::tmem::{COLUMNS, Packing, SLAB_LANES};
use crate::view::{View, element_text};

/// Tables of a tensor-memory operand.
pub(super) struct Places<'a> {
    view: &'a View,
    lanes: Vec<i64>,
    columns: Vec<i64>,
    packing: Packing,
}

/// One access of an instruction by one warp.
pub(super) struct Access {
    /// 0, or 1 for the second half of a split pair.
    pub(super) number: usize,
    /// Element at the atom's origin.
    pub(super) origin: u64,
    /// Index of the warp in its block.
    pub(super) warp: u32,
}

impl<'a> Places<'a> {
    pub(super) fn new(fitted: &Fitted<'a>, packing: Packing) -> Result<Places<'a>, Refusal> {
        let view = &fitted.operand.view;
        if view.axes().iter().any(|a| !matches!(a, Axis::TLane | Axis::TCol)) || !view.finish().is_empty() {
            return refuse("apply-tensor-axes", "TMEM pattern requires only TLane and TCol axes");
        }
        let table = |axis| view.table(axis).map_err(not_a_layout);
        Ok(Places { view, lanes: table(Axis::TLane)?, columns: table(Axis::TCol)?, packing })
    }

    /// Row and column (in cells) of the atom's origin, after every rule about one access. `allocated` counts the columns
    /// of the allocation.
    pub(super) fn check(&self, access: &Access, atom: &Atom, allocated: u32) -> Result<(i64, i64), Refusal> {
        let (row, column) = self.check_origin(access, atom)?;
        self.check_elements(access, atom, (row, column))?;
        let cell = column / self.parts();
        let last = cell + i64::from(atom.image.columns()) - 1;
        let limit = i64::from(allocated.min(COLUMNS));
        if cell < 0 || last >= limit {
            return told(
                "apply-bounds",
                &format!("TMEM columns must stay inside the {limit} columns of the allocation"),
                format!("the access covers columns {cell} to {last}"),
            );
        }
        Ok((row, cell))
    }

    /// Row and column of the atom's origin, in elements.
    fn check_origin(&self, access: &Access, atom: &Atom) -> Result<(i64, i64), Refusal> {
        let (row, column) = self.at(access.origin);
        let name = || self.name(access.origin);
        let rows = i64::from(atom.image.rows());
        // Only the first access of a split pair must start at a multiple of its rows.
        let aligned = access.number == 0;
        if aligned && row.rem_euclid(rows) != 0 {
            return told(
                "apply-row-alignment",
                "TMEM atom row start must align to its row count",
                format!("element {} is at TLane {row}, no multiple of {rows}", name()),
            );
        }
        if column.rem_euclid(self.parts()) != 0 {
            return told(
                "apply-half",
                "TMEM atom must start at the low half of a cell",
                format!("element {} is at 16-bit column {column}", name()),
            );
        }
        if aligned && !access.reaches(row) {
            let slab = access.warp % 4 * SLAB_LANES;
            return told(
                "apply-window",
                "TMEM lane partition must belong to the executing warp",
                format!(
                    "element {} is at TLane {row}; warp {} reaches lanes {slab} to {}",
                    name(),
                    access.warp,
                    slab + SLAB_LANES - 1
                ),
            );
        }
        Ok((row, column))
    }

    fn check_elements(&self, access: &Access, atom: &Atom, (row, column): (i64, i64)) -> Result<(), Refusal> {
        for spot in atom.tensor.get(access.number).map_or(&[][..], Vec::as_slice) {
            let number = access.origin + spot.offset;
            let (r, c) = self.at(number);
            let held = || format!("lane {}, register {}", spot.lane, spot.register);
            if r != row + spot.row {
                return told(
                    "apply-rows",
                    "TMEM rows must be consecutive physical lanes",
                    format!(
                        "element {} is at TLane {r}, the image has it at TLane {}: {}",
                        self.name(number),
                        row + spot.row,
                        held()
                    ),
                );
            }
            // Columns of 16-bit elements count halves: image column c is the low halves of cells 2c and 2c + 1.
            let want = match self.packing {
                Packing::Half16 => column + 4 * spot.column + 2 * spot.half,
                Packing::Plain => column + spot.column,
            };
            if c != want {
                return told(
                    "apply-columns",
                    "TMEM columns must follow the instruction's cell mapping",
                    format!(
                        "element {} is at TCol {c}, the image has it at TCol {want}: {}",
                        self.name(number),
                        held()
                    ),
                );
            }
            if !access.reaches(r) {
                return told(
                    "apply-half-window",
                    "TMEM half-access must belong to the executing warp",
                    format!(
                        "element {} is at TLane {r}, outside warp {}'s lanes",
                        self.name(number),
                        access.warp
                    ),
                );
            }
        }
        Ok(())
    }

    /// Row and column of an element.
    fn at(&self, number: u64) -> (i64, i64) {
        let k = number as usize;
        (self.lanes.get(k).copied().unwrap_or(0), self.columns.get(k).copied().unwrap_or(0))
    }

    fn name(&self, number: u64) -> String {
        element_text(&self.view.element(number))
    }

    /// Elements of a cell.
    fn parts(&self) -> i64 {
        self.packing.parts().into()
    }
}

impl Access {
    /// Whether the warp reaches a lane of tensor memory: each of four warps has a quarter.
    fn reaches(&self, lane: i64) -> bool {
        lane.div_euclid(SLAB_LANES.into()) == i64::from(self.warp % 4)
    }
}

fn told<T>(code: &'static str, message: &str, element: String) -> Result<T, Refusal> {
    Err(Refusal { code, message: message.to_string(), element: Some(element) })
}
