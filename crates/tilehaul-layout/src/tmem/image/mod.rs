//! Native images: which cell each register of each lane of a `tcgen05.ld` or `.st` stands for, and back.

mod placed;
#[cfg(test)]
mod tests;

use std::fmt;

use tilehaul_diag::Diagnostic;

use super::rules;
use super::table::{BitPlace, Shape, ShapeSpec};

pub use placed::{Placed, PlacedPart};

/// Whether one register stands for one cell or for the low halves of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Packing {
    /// One register, one 32-bit cell.
    #[default]
    Plain,
    /// `.pack::16b` on a load, `.unpack::16b` on a store: image column c is the low 16 bits of cells 2c and 2c + 1,
    /// in bits 15:0 and 31:16 of the register. The upper halves of the cells are ignored by a load; no source says
    /// what a store leaves there.
    Half16,
}

impl Packing {
    /// Parts of one register: 1 or 2.
    #[must_use]
    pub fn parts(self) -> u32 {
        match self {
            Packing::Plain => 1,
            Packing::Half16 => 2,
        }
    }
}

/// The image of one `tcgen05.ld` or `.st`: shape, number and packing. Independent of address and warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeImage {
    spec: &'static ShapeSpec,
    num: u32,
    packing: Packing,
    /// Place of every lane and of every register; an element's place is their sum, because no bit stands in both.
    lanes: [Spot; 32],
    registers: Vec<Spot>,
}

/// A place inside an image, in 32-bit words of the register image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spot {
    access: u8,
    row: u8,
    column: u16,
}

/// Where one part of one register is, counted from the address of its access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImagePart {
    /// 0, or 1 for the second access of `16x32bx2`.
    pub access: u32,
    /// Lanes below the access's address.
    pub row: u32,
    /// Physical columns right of the access's address.
    pub column: u32,
    /// Bits of the cell, from bit 0 on: 32 or 16.
    pub width: u32,
    /// Lowest bit of the register that holds them: 0 or 16.
    pub register_low: u32,
}

/// Who holds a cell of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner {
    /// Lane of the warp, 0 to 31.
    pub lane: u32,
    /// Register of the vector, 0 for the first.
    pub register: u32,
    /// 0, or 1 for bits 31:16 of a packed register.
    pub part: u32,
}

impl NativeImage {
    /// The image of `shape.x{num}`.
    ///
    /// # Errors
    /// When the number is not legal for the shape.
    pub fn new(shape: Shape, num: u32, packing: Packing) -> Result<NativeImage, Diagnostic> {
        let spec = shape.spec();
        if !num.is_power_of_two() || num > spec.max_num {
            let below = num.min(spec.max_num).max(1);
            return Err(rules::NUM.broken(
                format!(
                    "{}.x{num} does not exist: legal are x1 to x{}, powers of two",
                    spec.name, spec.max_num
                ),
                format!("use {}.x{}", spec.name, 1u32 << below.ilog2()),
            ));
        }
        let mut lanes = [Spot::default(); 32];
        for (lane, spot) in (0u32..).zip(lanes.iter_mut()) {
            *spot = spread(lane, &spec.lane_bits);
        }
        let registers = (0..num * spec.registers)
            .map(|register| {
                let mut spot = spread(register % spec.registers, spec.register_bits);
                // At most 255: an image has up to 256 columns.
                spot.column += (register / spec.registers * spec.columns) as u16;
                spot
            })
            .collect();
        Ok(NativeImage { spec, num, packing, lanes, registers })
    }

    /// Checks that `ld.red` exists for this image (manual: PTX ISA; ptxas refuses `.x1`).
    ///
    /// # Errors
    /// When the shape, the number or the packing has no reducing form.
    pub fn check_reduction(&self) -> Result<(), Diagnostic> {
        if self.spec.reduces && self.num >= 2 && self.packing == Packing::Plain {
            return Ok(());
        }
        Err(rules::RED.broken(
            format!("tcgen05.ld.red has no form {self}"),
            "use 32x32b or 16x32bx2 with at least .x2 and no .pack::16b",
        ))
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.spec.shape
    }

    /// The number after `.x`.
    #[must_use]
    pub fn num(&self) -> u32 {
        self.num
    }

    /// Whether registers hold two half cells.
    #[must_use]
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Registers of each lane.
    #[must_use]
    pub fn registers(&self) -> u32 {
        self.num * self.spec.registers
    }

    /// Accesses: 2 for `16x32bx2`, else 1.
    #[must_use]
    pub fn accesses(&self) -> u32 {
        self.spec.accesses
    }

    /// Rows (lanes) of one access.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.spec.rows
    }

    /// Columns of the register image of one access, in 32-bit words.
    #[must_use]
    pub fn image_columns(&self) -> u32 {
        self.num * self.spec.columns
    }

    /// Physical columns of one access: twice the image's when packed.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.image_columns() * self.packing.parts()
    }

    /// Image place (access, row, column in 32-bit words) of a lane's register, or `None` outside the vector.
    #[must_use]
    pub fn coordinate(&self, lane: u32, register: u32) -> Option<(u32, u32, u32)> {
        self.spot(lane, register).map(|s| (u32::from(s.access), u32::from(s.row), u32::from(s.column)))
    }

    /// Where part `part` (0; 1 for bits 31:16 when packed) of a lane's register is, or `None` when there is none.
    #[must_use]
    pub fn part(&self, lane: u32, register: u32, part: u32) -> Option<ImagePart> {
        if part >= self.packing.parts() {
            return None;
        }
        let (access, row, column) = self.coordinate(lane, register)?;
        Some(match self.packing {
            Packing::Plain => ImagePart { access, row, column, width: 32, register_low: 0 },
            Packing::Half16 => {
                ImagePart { access, row, column: 2 * column + part, width: 16, register_low: 16 * part }
            }
        })
    }

    /// Who holds the cell at `row` and physical `column` of an access, or `None` outside the image.
    #[must_use]
    pub fn owner(&self, access: u32, row: u32, column: u32) -> Option<Owner> {
        if access >= self.accesses() || row >= self.rows() || column >= self.columns() {
            return None;
        }
        let parts = self.packing.parts();
        let image_column = column / parts;
        let inner = image_column % self.spec.columns;
        let lane = gather(access, row, inner, &self.spec.lane_bits);
        let register = gather(access, row, inner, self.spec.register_bits)
            + image_column / self.spec.columns * self.spec.registers;
        Some(Owner { lane, register, part: column % parts })
    }

    fn spot(&self, lane: u32, register: u32) -> Option<Spot> {
        let (l, r) = (self.lanes.get(lane as usize)?, self.registers.get(register as usize)?);
        Some(Spot { access: l.access + r.access, row: l.row + r.row, column: l.column + r.column })
    }
}

impl fmt::Display for NativeImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.x{}", self.spec.name, self.num)?;
        match self.packing {
            Packing::Plain => Ok(()),
            Packing::Half16 => f.write_str(" with 16-bit packing"),
        }
    }
}

fn spread(number: u32, places: &[BitPlace]) -> Spot {
    let mut spot = Spot::default();
    for (bit, place) in places.iter().enumerate() {
        if number >> bit & 1 == 1 {
            spot.access += place.access;
            spot.row += place.row;
            spot.column += u16::from(place.column);
        }
    }
    spot
}

/// The inverse of [`spread`]: every place is a single bit of one coordinate, so a set bit names its source.
fn gather(access: u32, row: u32, column: u32, places: &[BitPlace]) -> u32 {
    let mut number = 0;
    for (bit, place) in places.iter().enumerate() {
        let hit = (access & u32::from(place.access))
            | (row & u32::from(place.row))
            | (column & u32::from(place.column));
        number |= u32::from(hit != 0) << bit;
    }
    number
}
