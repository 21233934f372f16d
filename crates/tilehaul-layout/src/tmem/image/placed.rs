//! Images at an address: whether the warp may use them there, and which cell each register part is.

use tilehaul_diag::{Diagnostic, Level};

use super::{NativeImage, Owner};
use crate::tmem::address::{COLUMNS, Cell, LANES, SLAB_LANES, SlabCheck, TmemAddress};
use crate::tmem::rules;

/// An image at an address: every register part has a physical cell, and all of them exist.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    image: &'a NativeImage,
    bases: [Cell; 2],
    /// Warnings that the address earned.
    pub hints: Vec<Diagnostic>,
}

/// One part of one register and its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedPart {
    /// Who holds it.
    pub owner: Owner,
    /// The cell; its bits `0..width` take part.
    pub cell: Cell,
    /// 32 or 16.
    pub width: u32,
    /// Lowest bit of the register that holds them: 0 or 16.
    pub register_low: u32,
}

impl Placed<'_> {
    /// The cell of part `part` of a lane's register, or `None` when the image has no such part.
    #[must_use]
    pub fn cell(&self, lane: u32, register: u32, part: u32) -> Option<PlacedPart> {
        let at = self.image.part(lane, register, part)?;
        let base = self.bases.get(at.access as usize)?;
        Some(PlacedPart {
            owner: Owner { lane, register, part },
            cell: Cell { lane: base.lane + at.row, column: base.column + at.column },
            width: at.width,
            register_low: at.register_low,
        })
    }

    /// Every part of every register of every lane: lane by lane, register by register.
    pub fn parts(&self) -> impl Iterator<Item = PlacedPart> + '_ {
        let parts = self.image.packing.parts();
        (0..32).flat_map(move |lane| {
            (0..self.image.registers())
                .flat_map(move |register| (0..parts).filter_map(move |part| self.cell(lane, register, part)))
        })
    }

    /// First lane, first column, lanes and columns of every access.
    pub fn rectangles(&self) -> impl Iterator<Item = (Cell, u32, u32)> + '_ {
        let image = self.image;
        self.bases.iter().take(image.accesses() as usize).map(|&b| (b, image.rows(), image.columns()))
    }

    /// Checks that a store writes no cell twice, which only the halves of `16x32bx2` can.
    ///
    /// # Errors
    /// When the halves overlap: no source says which lane wins.
    pub fn check_store(&self) -> Result<(), Diagnostic> {
        if self.image.accesses() < 2 {
            return Ok(());
        }
        let [a, b] = self.bases;
        let apart = a.lane.abs_diff(b.lane) >= self.image.rows()
            || a.column.abs_diff(b.column) >= self.image.columns();
        if apart {
            return Ok(());
        }
        Err(rules::SPLIT_OVERLAP.broken(
            format!(
                "{} stores to lane {} column {} and to lane {} column {}, which overlap",
                self.image, a.lane, a.column, b.lane, b.column
            ),
            format!("make the split offset at least {} columns or 16 lanes", self.image.columns()),
        ))
    }
}

impl NativeImage {
    /// The image at an address, for the warp of index `warp` in its block. `split` is the immediate of `16x32bx2`.
    ///
    /// # Errors
    /// Every rule that address, immediate and warp break together.
    pub fn place(
        &self,
        address: TmemAddress,
        split: Option<i32>,
        warp: u32,
        check: SlabCheck,
    ) -> Result<Placed<'_>, Vec<Diagnostic>> {
        let mut told = Vec::new();
        let second = match (self.accesses(), split) {
            (2, Some(by)) => Some(address.offset(by)),
            (1, None) => None,
            (_, given) => {
                let (message, fix) = if given.is_some() {
                    (format!("{self} has no split offset"), "drop the immediate")
                } else {
                    (format!("{self} needs a split offset"), "add the immediate, the distance of the halves")
                };
                return Err(vec![rules::SPLIT_IMMEDIATE.broken(message, fix)]);
            }
        };
        let mut bases = [Cell::default(); 2];
        for (base, from) in bases.iter_mut().zip([Some(address), second].into_iter().flatten()) {
            *base = self.base(from, warp, check, &mut told);
        }
        if split == Some(0) {
            told.push(rules::SPLIT_ZERO.told(format!("{self} at {address} has split offset 0")));
        }
        if told.iter().any(|d| d.level == Level::Error) {
            return Err(told);
        }
        Ok(Placed { image: self, bases, hints: told })
    }

    fn base(&self, at: TmemAddress, warp: u32, check: SlabCheck, told: &mut Vec<Diagnostic>) -> Cell {
        let (rows, columns) = (self.rows(), self.columns());
        let inside = at.lane() % SLAB_LANES;
        if at.lane() >= LANES || !inside.is_multiple_of(rows) {
            let legal = if rows == SLAB_LANES { "0" } else { "0 or 16" };
            told.push(rules::LANE.broken(
                format!(
                    "{self} at lane {} covers {rows} rows, which start at {legal} of a warp's 32 lanes",
                    at.lane()
                ),
                format!("start at lane {}", at.lane().min(LANES - 1) / rows * rows),
            ));
        }
        if at.column() + columns > COLUMNS {
            told.push(rules::COLUMN.broken(
                format!(
                    "{self} at column {} reaches column {}, past column {}",
                    at.column(),
                    at.column() + columns - 1,
                    COLUMNS - 1
                ),
                format!("start at column {} or below", COLUMNS - columns),
            ));
        }
        let slab = warp % 4;
        if at.slab() != slab {
            let message = format!(
                "{self} at {at} names lanes {} to {}, but warp {warp} reaches lanes {} to {}",
                at.slab() * SLAB_LANES,
                at.slab() * SLAB_LANES + 31,
                slab * SLAB_LANES,
                slab * SLAB_LANES + 31
            );
            let fix = format!("add {:#x} for warp {warp} to a base without slab bits", slab << 21);
            match check {
                SlabCheck::Strict => told.push(rules::OWNER.broken(message, fix)),
                SlabCheck::Route if at.slab() != 0 => told.push(rules::OWNER_IGNORED.broken(message, fix)),
                SlabCheck::Route => {}
            }
        }
        Cell { lane: slab * SLAB_LANES + inside, column: at.column() }
    }
}
