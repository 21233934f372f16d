//! Native images: which cell each register of each lane of a `tcgen05.ld` or `.st` stands for, and back.

use std::fmt;

use tilehaul_diag::Diagnostic;

use super::address::{COLUMNS, Cell, LANES, SLAB_LANES, SlabCheck, TmemAddress};
use super::rules;
use super::table::{BitPlace, Shape, ShapeSpec};

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
        if told.iter().any(|d| d.level == tilehaul_diag::Level::Error) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = NativeImage> {
        Shape::ALL.into_iter().flat_map(|shape| {
            shape.nums().flat_map(move |num| {
                [Packing::Plain, Packing::Half16].map(|p| NativeImage::new(shape, num, p).unwrap())
            })
        })
    }

    /// The closed forms of the vendor-neutral description, written independently of the table.
    fn formula(shape: Shape, l: u32, r: u32) -> (u32, u32, u32) {
        match shape {
            Shape::S32x32b => (0, l, r),
            Shape::S16x64b => (0, l / 4 + 8 * (l % 2), (l / 2) % 2 + 2 * r),
            Shape::S16x128b => (0, l / 4 + 8 * (r % 2), l % 4 + 4 * (r / 2)),
            Shape::S16x256b => (0, l / 4 + 8 * ((r / 2) % 2), r % 2 + 2 * (l % 4) + 8 * (r / 4)),
            Shape::S16x32bx2 => (l / 16, l % 16, r),
        }
    }

    #[test]
    fn every_form_follows_its_formula_and_its_inverse() {
        let mut forms = 0;
        for image in all() {
            forms += 1;
            let mut seen = vec![false; (image.accesses() * image.rows() * image.columns()) as usize];
            for lane in 0..32 {
                for register in 0..image.registers() {
                    assert_eq!(
                        image.coordinate(lane, register),
                        Some(formula(image.shape(), lane, register))
                    );
                    for part in 0..image.packing().parts() {
                        let at = image.part(lane, register, part).unwrap();
                        let owner = image.owner(at.access, at.row, at.column).unwrap();
                        assert_eq!(owner, Owner { lane, register, part }, "{image}");
                        let index = (at.access * image.rows() + at.row) * image.columns() + at.column;
                        assert!(!std::mem::replace(&mut seen[index as usize], true));
                    }
                }
            }
            assert!(seen.into_iter().all(|s| s), "{image} leaves cells out");
        }
        assert_eq!(forms, 74);
    }

    #[test]
    fn golden_points() {
        let image = |shape, num, packing| NativeImage::new(shape, num, packing).unwrap();
        let plain = [
            (Shape::S32x32b, 4, 17, 3, 17, 3),
            (Shape::S16x64b, 2, 0, 0, 0, 0),
            (Shape::S16x64b, 2, 1, 0, 8, 0),
            (Shape::S16x64b, 2, 2, 0, 0, 1),
            (Shape::S16x64b, 2, 3, 0, 8, 1),
            (Shape::S16x64b, 2, 4, 0, 1, 0),
            (Shape::S16x64b, 2, 31, 1, 15, 3),
            (Shape::S16x128b, 2, 5, 1, 9, 1),
            (Shape::S16x128b, 2, 3, 2, 0, 7),
            (Shape::S16x128b, 2, 31, 3, 15, 7),
            (Shape::S16x256b, 2, 0, 1, 0, 1),
            (Shape::S16x256b, 2, 0, 2, 8, 0),
            (Shape::S16x256b, 2, 1, 0, 0, 2),
            (Shape::S16x256b, 2, 4, 0, 1, 0),
            (Shape::S16x256b, 2, 0, 4, 0, 8),
            (Shape::S16x256b, 2, 31, 6, 15, 14),
            (Shape::S16x256b, 2, 31, 7, 15, 15),
        ];
        for (shape, num, lane, register, row, column) in plain {
            let image = image(shape, num, Packing::Plain);
            assert_eq!(image.coordinate(lane, register), Some((0, row, column)));
        }
        let split = image(Shape::S16x32bx2, 4, Packing::Plain);
        let placed = split.place(TmemAddress::new(0, 0), Some((16 << 16) + 8), 0, SlabCheck::Strict).unwrap();
        assert_eq!(placed.cell(3, 2, 0).unwrap().cell, Cell { lane: 3, column: 2 });
        assert_eq!(placed.cell(19, 2, 0).unwrap().cell, Cell { lane: 19, column: 10 });
        let near = split.place(TmemAddress::new(0, 0), Some(4), 0, SlabCheck::Strict).unwrap();
        assert_eq!(near.cell(19, 2, 0).unwrap().cell, Cell { lane: 3, column: 6 });
        let back =
            split.place(TmemAddress::new(16, 8), Some(-((16 << 16) + 8)), 0, SlabCheck::Strict).unwrap();
        assert_eq!(back.cell(19, 2, 0).unwrap().cell, Cell { lane: 3, column: 2 });
        let packed = image(Shape::S16x64b, 1, Packing::Half16);
        let (low, high) = (packed.part(2, 0, 0).unwrap(), packed.part(2, 0, 1).unwrap());
        assert_eq!((low.row, low.column, low.width, low.register_low), (0, 2, 16, 0));
        assert_eq!((high.row, high.column, high.width, high.register_low), (0, 3, 16, 16));
        let sixteen = image(Shape::S16x64b, 1, Packing::Plain);
        let placed = sixteen.place(TmemAddress::new(16, 0), None, 6, SlabCheck::Route).unwrap();
        assert_eq!(placed.cell(1, 0, 0).unwrap().cell, Cell { lane: 88, column: 0 });
    }

    #[test]
    fn broken_rules_are_told_together() {
        let image = NativeImage::new(Shape::S16x64b, 4, Packing::Plain).unwrap();
        let codes = |r: Result<Placed<'_>, Vec<Diagnostic>>| -> Vec<&'static str> {
            match r {
                Ok(placed) => placed.hints.iter().map(|d| d.code.0).collect(),
                Err(told) => told.iter().map(|d| d.code.0).collect(),
            }
        };
        let at = TmemAddress::new(40, 508);
        assert_eq!(
            codes(image.place(at, None, 0, SlabCheck::Strict)),
            ["tmem-lane-alignment", "tmem-column-bounds", "tmem-warp-owner"]
        );
        assert_eq!(
            codes(image.place(TmemAddress::new(32, 0), None, 0, SlabCheck::Route)),
            ["tmem-warp-owner-ignored"]
        );
        assert!(codes(image.place(TmemAddress::new(0, 0), None, 3, SlabCheck::Route)).is_empty());
        assert_eq!(
            codes(image.place(TmemAddress::new(0, 0), Some(4), 0, SlabCheck::Route)),
            ["tmem-split-immediate"]
        );
        assert_eq!(
            NativeImage::new(Shape::S16x256b, 64, Packing::Plain).unwrap_err().code.0,
            "tmem-shape-num"
        );
        assert_eq!(NativeImage::new(Shape::S32x32b, 3, Packing::Plain).unwrap_err().code.0, "tmem-shape-num");
        assert_eq!(NativeImage::new(Shape::S32x32b, 0, Packing::Plain).unwrap_err().code.0, "tmem-shape-num");
        let split = NativeImage::new(Shape::S16x32bx2, 4, Packing::Half16).unwrap();
        let overlap = split.place(TmemAddress::new(0, 0), Some(4), 0, SlabCheck::Route).unwrap();
        assert_eq!(overlap.check_store().unwrap_err().code.0, "tmem-split-overlap");
        let apart = split.place(TmemAddress::new(0, 0), Some(8), 0, SlabCheck::Route).unwrap();
        assert!(apart.check_store().is_ok());
        assert_eq!(
            codes(split.place(TmemAddress::new(0, 0), Some(0), 0, SlabCheck::Route)),
            ["tmem-split-zero"]
        );
    }

    #[test]
    fn a_placed_image_stays_inside_its_rectangles() {
        for image in all() {
            let split = (image.accesses() == 2).then_some((16 << 16) + 1);
            let start = 511u32.saturating_sub(image.columns());
            let Ok(placed) = image.place(TmemAddress::new(0, start), split, 5, SlabCheck::Route) else {
                panic!("{image} does not fit");
            };
            let mut count = 0;
            for part in placed.parts() {
                count += 1;
                assert!(part.cell.lane / 32 == 1 && part.cell.column < COLUMNS);
                assert!(placed.rectangles().any(|(c, rows, columns)| {
                    (c.lane..c.lane + rows).contains(&part.cell.lane)
                        && (c.column..c.column + columns).contains(&part.cell.column)
                }));
            }
            assert_eq!(count, 32 * image.registers() * image.packing().parts());
        }
    }
}
