//! The shapes of `tcgen05.ld` and `tcgen05.st`: one row each, everything else derived.
//!
//! An image is linear over GF(2): the place of (lane, register) is the exclusive or of the places of the bits that are
//! set in the two numbers. A row gives the place of each lane bit and of the register bits inside one repeat; the
//! further register bits count repeats, which lie side by side along the columns.

/// Shape of a `tcgen05.ld` or `.st`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// `32x32b`: a lane's registers are its own row.
    S32x32b,
    /// `16x64b`: two columns a repeat; the lowest lane bit selects the lower eight rows.
    S16x64b,
    /// `16x128b`: four columns a repeat.
    S16x128b,
    /// `16x256b`: eight columns a repeat, the accumulator fragment of `mma.sync`.
    S16x256b,
    /// `16x32bx2`: two accesses of sixteen rows, the second one an immediate away.
    S16x32bx2,
}

/// Row and column that one bit of a lane or register number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitPlace {
    /// Rows.
    pub row: u8,
    /// Columns (32-bit words of the register image).
    pub column: u8,
    /// Accesses: only `16x32bx2` has a second one.
    pub access: u8,
}

const fn at(row: u8, column: u8) -> BitPlace {
    BitPlace { row, column, access: 0 }
}

const SECOND: BitPlace = BitPlace { row: 0, column: 0, access: 1 };

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeSpec {
    /// The shape.
    pub shape: Shape,
    /// Its name in an instruction.
    pub name: &'static str,
    /// Rows of one access.
    pub rows: u32,
    /// Columns of one repeat (`.x1`), without packing.
    pub columns: u32,
    /// Registers a lane of one repeat.
    pub registers: u32,
    /// Accesses of one instruction.
    pub accesses: u32,
    /// Largest legal number after `.x`; more would need over 128 registers.
    pub max_num: u32,
    /// Place of lane bits 0 to 4.
    pub lane_bits: [BitPlace; 5],
    /// Place of the register bits inside one repeat.
    pub register_bits: &'static [BitPlace],
    /// Whether `tcgen05.ld.red` takes it.
    pub reduces: bool,
}

/// Every shape (manual: PTX ISA 9.7.16.8; inferred: all 74 CUTLASS copy traits give the same images).
pub const SHAPES: [ShapeSpec; 5] = [
    ShapeSpec {
        shape: Shape::S32x32b,
        name: "32x32b",
        rows: 32,
        columns: 1,
        registers: 1,
        accesses: 1,
        max_num: 128,
        lane_bits: [at(1, 0), at(2, 0), at(4, 0), at(8, 0), at(16, 0)],
        register_bits: &[],
        reduces: true,
    },
    ShapeSpec {
        shape: Shape::S16x64b,
        name: "16x64b",
        rows: 16,
        columns: 2,
        registers: 1,
        accesses: 1,
        max_num: 128,
        lane_bits: [at(8, 0), at(0, 1), at(1, 0), at(2, 0), at(4, 0)],
        register_bits: &[],
        reduces: false,
    },
    ShapeSpec {
        shape: Shape::S16x128b,
        name: "16x128b",
        rows: 16,
        columns: 4,
        registers: 2,
        accesses: 1,
        max_num: 64,
        lane_bits: [at(0, 1), at(0, 2), at(1, 0), at(2, 0), at(4, 0)],
        register_bits: &[at(8, 0)],
        reduces: false,
    },
    ShapeSpec {
        shape: Shape::S16x256b,
        name: "16x256b",
        rows: 16,
        columns: 8,
        registers: 4,
        accesses: 1,
        max_num: 32,
        lane_bits: [at(0, 2), at(0, 4), at(1, 0), at(2, 0), at(4, 0)],
        register_bits: &[at(0, 1), at(8, 0)],
        reduces: false,
    },
    ShapeSpec {
        shape: Shape::S16x32bx2,
        name: "16x32bx2",
        rows: 16,
        columns: 1,
        registers: 1,
        accesses: 2,
        max_num: 128,
        lane_bits: [at(1, 0), at(2, 0), at(4, 0), at(8, 0), SECOND],
        register_bits: &[],
        reduces: true,
    },
];

impl Shape {
    /// All shapes, in the order of the table.
    pub const ALL: [Shape; 5] =
        [Shape::S32x32b, Shape::S16x64b, Shape::S16x128b, Shape::S16x256b, Shape::S16x32bx2];

    /// Its row of the table.
    #[must_use]
    pub fn spec(self) -> &'static ShapeSpec {
        &SHAPES[self as usize]
    }

    /// The shape of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Shape> {
        SHAPES.iter().find(|s| s.name == name).map(|s| s.shape)
    }

    /// Its name in an instruction.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Legal numbers after `.x`: powers of two up to the largest one.
    pub fn nums(self) -> impl Iterator<Item = u32> {
        (0..=self.spec().max_num.ilog2()).map(|n| 1 << n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_where_their_shape_says() {
        for shape in Shape::ALL {
            assert_eq!(shape.spec().shape, shape);
            assert_eq!(Shape::from_name(shape.name()), Some(shape));
            let spec = shape.spec();
            assert_eq!(spec.registers, 1 << spec.register_bits.len());
            // A bijection between 32 lanes times registers and rows times columns times accesses.
            assert_eq!(32 * spec.registers, spec.rows * spec.columns * spec.accesses);
        }
        let forms: usize = Shape::ALL.iter().map(|s| s.nums().count()).sum();
        assert_eq!(forms, 37);
    }
}
