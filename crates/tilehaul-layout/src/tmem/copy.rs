//! `tcgen05.cp`: which lanes and columns the rows of a shared-memory tile go to, with replication.
//!
//! A copy reads rows of four or eight 32-bit words. Row r goes to the lane that its bits name, and to every replica of
//! that lane; the words of a row go to consecutive columns. How rows lie in shared memory is the matrix descriptor's
//! matter: here a row's 16-byte chunks are numbered, and [`CopyImage::source_offset`] says where a descriptor's
//! strides put them before its swizzle.

use tilehaul_diag::Diagnostic;

use super::address::{COLUMNS, Cell, LANES, TmemAddress};
use super::rules;

/// Shape of a `tcgen05.cp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CopyShape {
    /// `128x256b`: 128 rows of eight words.
    C128x256b,
    /// `128x128b`: 128 rows of four words.
    C128x128b,
    /// `4x256b`: one row of eight words for each slab of 32 lanes.
    C4x256b,
    /// `64x128b`: 64 rows of four words, twice.
    C64x128b,
    /// `32x128b`: 32 rows of four words, four times.
    C32x128b,
}

/// Replication that the instruction names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Multicast {
    /// No qualifier.
    #[default]
    None,
    /// `.warpx2::02_13`: slabs 0 and 2 get the first half of the rows, 1 and 3 the second.
    Warpx2_02_13,
    /// `.warpx2::01_23`: slabs 0 and 1 get the first half of the rows, 2 and 3 the second.
    Warpx2_01_23,
    /// `.warpx4`: all four slabs get the same rows.
    Warpx4,
}

/// One row of the table of copies.
#[derive(Debug, PartialEq, Eq)]
struct CopySpec {
    shape: CopyShape,
    name: &'static str,
    multicast: Multicast,
    multicast_name: &'static str,
    /// 32-bit words of a row.
    words: u32,
    /// Lane that each bit of the row number stands for.
    row_bits: &'static [u32],
    /// Lane that each bit of the replica number stands for.
    replica_bits: &'static [u32],
}

/// Every legal pair of shape and multicast (manual: PTX ISA 9.7.16.9; inferred: CUTLASS and TIRx agree).
const COPIES: [CopySpec; 6] = [
    CopySpec {
        shape: CopyShape::C128x256b,
        name: "128x256b",
        multicast: Multicast::None,
        multicast_name: "",
        words: 8,
        row_bits: &[1, 2, 4, 8, 16, 32, 64],
        replica_bits: &[],
    },
    CopySpec {
        shape: CopyShape::C128x128b,
        name: "128x128b",
        multicast: Multicast::None,
        multicast_name: "",
        words: 4,
        row_bits: &[1, 2, 4, 8, 16, 32, 64],
        replica_bits: &[],
    },
    CopySpec {
        shape: CopyShape::C4x256b,
        name: "4x256b",
        multicast: Multicast::None,
        multicast_name: "",
        words: 8,
        row_bits: &[32, 64],
        replica_bits: &[],
    },
    CopySpec {
        shape: CopyShape::C64x128b,
        name: "64x128b",
        multicast: Multicast::Warpx2_02_13,
        multicast_name: ".warpx2::02_13",
        words: 4,
        row_bits: &[1, 2, 4, 8, 16, 32],
        replica_bits: &[64],
    },
    CopySpec {
        shape: CopyShape::C64x128b,
        name: "64x128b",
        multicast: Multicast::Warpx2_01_23,
        multicast_name: ".warpx2::01_23",
        words: 4,
        row_bits: &[1, 2, 4, 8, 16, 64],
        replica_bits: &[32],
    },
    CopySpec {
        shape: CopyShape::C32x128b,
        name: "32x128b",
        multicast: Multicast::Warpx4,
        multicast_name: ".warpx4",
        words: 4,
        row_bits: &[1, 2, 4, 8, 16],
        replica_bits: &[32, 64],
    },
];

impl CopyShape {
    /// The shape of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<CopyShape> {
        COPIES.iter().find(|c| c.name == name).map(|c| c.shape)
    }

    /// Its name in an instruction.
    #[must_use]
    pub fn name(self) -> &'static str {
        COPIES.iter().find(|c| c.shape == self).map_or("", |c| c.name)
    }
}

impl Multicast {
    /// The multicast of that qualifier, with its dot; the empty text is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Multicast> {
        COPIES.iter().find(|c| c.multicast_name == name).map(|c| c.multicast)
    }

    /// Its qualifier with the dot, or empty.
    #[must_use]
    pub fn name(self) -> &'static str {
        COPIES.iter().find(|c| c.multicast == self).map_or("", |c| c.multicast_name)
    }
}

/// The image of one `tcgen05.cp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyImage {
    spec: &'static CopySpec,
}

impl CopyImage {
    /// The image of a shape with its multicast.
    ///
    /// # Errors
    /// When the shape needs another multicast.
    pub fn new(shape: CopyShape, multicast: Multicast) -> Result<CopyImage, Diagnostic> {
        if let Some(spec) = COPIES.iter().find(|c| c.shape == shape && c.multicast == multicast) {
            return Ok(CopyImage { spec });
        }
        let legal: Vec<&str> = COPIES
            .iter()
            .filter(|c| c.shape == shape)
            .map(|c| if c.multicast_name.is_empty() { "no multicast" } else { c.multicast_name })
            .collect();
        let given = match multicast {
            Multicast::None => "without multicast",
            _ => multicast.name(),
        };
        Err(rules::COPY_MULTICAST.broken(
            format!("tcgen05.cp {} {given} does not exist", shape.name()),
            format!("use {}", legal.join(" or ")),
        ))
    }

    /// Every legal image.
    pub fn all() -> impl Iterator<Item = CopyImage> {
        COPIES.iter().map(|spec| CopyImage { spec })
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> CopyShape {
        self.spec.shape
    }

    /// The multicast.
    #[must_use]
    pub fn multicast(&self) -> Multicast {
        self.spec.multicast
    }

    /// Rows read from shared memory.
    #[must_use]
    pub fn rows(&self) -> u32 {
        1 << self.spec.row_bits.len()
    }

    /// 32-bit words of a row, and columns written.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.spec.words
    }

    /// Copies of each row in tensor memory.
    #[must_use]
    pub fn replicas(&self) -> u32 {
        1 << self.spec.replica_bits.len()
    }

    /// Lane of a row's replica, counted from the address, or `None` outside the image.
    #[must_use]
    pub fn lane(&self, row: u32, replica: u32) -> Option<u32> {
        (row < self.rows() && replica < self.replicas())
            .then(|| spread(row, self.spec.row_bits) + spread(replica, self.spec.replica_bits))
    }

    /// The row that a lane, counted from the address, holds, or `None` when the copy leaves it alone.
    #[must_use]
    pub fn row(&self, lane: u32) -> Option<u32> {
        (0..self.rows()).find(|&row| (0..self.replicas()).any(|k| self.lane(row, k) == Some(lane)))
    }

    /// Checks an address: the first cell, from which lanes and columns count.
    ///
    /// # Errors
    /// Every rule that the address breaks.
    pub fn place(&self, address: TmemAddress) -> Result<Cell, Vec<Diagnostic>> {
        let mut told = Vec::new();
        let name = self.spec.name;
        if !address.column().is_multiple_of(4) {
            told.push(rules::COPY_COLUMN.broken(
                format!("tcgen05.cp {name} starts at column {}", address.column()),
                format!("start at column {}", address.column() / 4 * 4),
            ));
        }
        if address.column() + self.words() > COLUMNS {
            told.push(rules::COLUMN.broken(
                format!(
                    "tcgen05.cp {name} at column {} reaches column {}, past column {}",
                    address.column(),
                    address.column() + self.words() - 1,
                    COLUMNS - 1
                ),
                format!("start at column {} or below", COLUMNS - self.words()),
            ));
        }
        let last = self.lane(self.rows() - 1, self.replicas() - 1).unwrap_or(0);
        if address.lane() + last >= LANES {
            told.push(rules::COPY_LANE.broken(
                format!(
                    "tcgen05.cp {name} at lane {} reaches lane {}, past lane {}",
                    address.lane(),
                    address.lane() + last,
                    LANES - 1
                ),
                format!("start at lane {} or below", LANES - 1 - last),
            ));
        }
        if told.is_empty() { Ok(Cell { lane: address.lane(), column: address.column() }) } else { Err(told) }
    }

    /// Byte offset of 16-byte chunk `chunk` of row `row` from the descriptor's start address, before the swizzle's
    /// exclusive or. `row_bytes` is the width of a swizzled row (32, 64 or 128), or 0 without swizzle, where eight rows
    /// of 16 bytes form a core matrix and `leading` is the distance of neighbouring core matrices along the row;
    /// `stride` is the distance of groups of eight rows. Both in bytes (manual: PTX ISA matrix descriptor).
    #[must_use]
    pub fn source_offset(row: u32, chunk: u32, row_bytes: u32, leading: u64, stride: u64) -> u64 {
        let group = u64::from(row / 8).wrapping_mul(stride);
        let inside = u64::from(row % 8);
        if row_bytes == 0 {
            group.wrapping_add(inside * 16).wrapping_add(u64::from(chunk).wrapping_mul(leading))
        } else {
            group.wrapping_add(inside * u64::from(row_bytes)).wrapping_add(u64::from(chunk) * 16)
        }
    }
}

/// Where a 4-bit value goes inside its byte. No source settles it for `tcgen05.cp`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BytePlace {
    /// Bits 5:2, as the operands of `kind::f8f6f4` want it (inferred: PTX ISA, packing of mma operands).
    #[default]
    Central,
    /// Bits 3:0, as `ldmatrix.b8x16.b4x16_p64` leaves it (inferred: CUTLASS `fp4_shift`).
    Low,
}

/// Source formats that a copy widens to one value a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decompression {
    /// `.b6x16_p32`: 16 values of six bits and four bytes of padding.
    B6x16P32,
    /// `.b4x16_p64`: 16 values of four bits and eight bytes of padding.
    B4x16P64(BytePlace),
}

impl Decompression {
    /// Widens one block of 16 bytes. Values are packed from the lowest bit on (manual: PTX ISA 9.7.16.9).
    #[must_use]
    pub fn widen(self, block: [u8; 16]) -> [u8; 16] {
        let bits = u128::from_le_bytes(block);
        let mut out = [0; 16];
        for (k, byte) in out.iter_mut().enumerate() {
            *byte = match self {
                // Masked to six or four bits, so the casts lose nothing.
                Decompression::B6x16P32 => (bits >> (6 * k) & 0x3f) as u8,
                Decompression::B4x16P64(BytePlace::Central) => ((bits >> (4 * k) & 0xf) as u8) << 2,
                Decompression::B4x16P64(BytePlace::Low) => (bits >> (4 * k) & 0xf) as u8,
            };
        }
        out
    }
}

fn spread(number: u32, bits: &[u32]) -> u32 {
    bits.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1).map(|(_, &lane)| lane).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_go_where_the_manual_says() {
        let lanes = |shape, multicast, row| -> Vec<u32> {
            let image = CopyImage::new(shape, multicast).unwrap();
            (0..image.replicas()).filter_map(|k| image.lane(row, k)).collect()
        };
        assert_eq!(lanes(CopyShape::C128x256b, Multicast::None, 77), [77]);
        assert_eq!(lanes(CopyShape::C4x256b, Multicast::None, 3), [96]);
        assert_eq!(lanes(CopyShape::C64x128b, Multicast::Warpx2_02_13, 40), [40, 104]);
        assert_eq!(lanes(CopyShape::C64x128b, Multicast::Warpx2_01_23, 40), [72, 104]);
        assert_eq!(lanes(CopyShape::C64x128b, Multicast::Warpx2_01_23, 8), [8, 40]);
        assert_eq!(lanes(CopyShape::C32x128b, Multicast::Warpx4, 5), [5, 37, 69, 101]);
        assert_eq!(
            CopyImage::new(CopyShape::C32x128b, Multicast::None).unwrap_err().fix.as_deref(),
            Some("use .warpx4")
        );
    }

    #[test]
    fn lanes_name_their_rows() {
        for image in CopyImage::all() {
            assert_eq!(CopyShape::from_name(image.shape().name()), Some(image.shape()));
            assert_eq!(Multicast::from_name(image.multicast().name()), Some(image.multicast()));
            let held = (0..LANES).filter(|&lane| image.row(lane).is_some()).count() as u32;
            assert_eq!(held, image.rows() * image.replicas());
            for row in 0..image.rows() {
                for replica in 0..image.replicas() {
                    assert_eq!(image.row(image.lane(row, replica).unwrap()), Some(row));
                }
            }
        }
    }

    #[test]
    fn addresses_are_checked() {
        let refresh = CopyImage::new(CopyShape::C4x256b, Multicast::None).unwrap();
        assert_eq!(refresh.place(TmemAddress::new(31, 0)), Ok(Cell { lane: 31, column: 0 }));
        let codes = |r: Result<Cell, Vec<Diagnostic>>| -> Vec<&'static str> {
            r.err().unwrap_or_default().iter().map(|d| d.code.0).collect()
        };
        assert_eq!(
            codes(refresh.place(TmemAddress::new(32, 510))),
            ["tmem-cp-column", "tmem-column-bounds", "tmem-cp-lane"]
        );
    }

    #[test]
    fn narrow_values_are_widened() {
        let mut block = [0u8; 16];
        block[..4].copy_from_slice(&[0x21, 0x43, 0x65, 0x87]);
        let low = Decompression::B4x16P64(BytePlace::Low).widen(block);
        assert_eq!(low[..8], [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(Decompression::B4x16P64(BytePlace::Central).widen(block)[..3], [4, 8, 12]);
        // 0b000001, 0b000010, 0b000011, 0b111111 in 24 bits from the lowest on.
        let packed = 1u32 | 2 << 6 | 3 << 12 | 63 << 18;
        block[..4].copy_from_slice(&packed.to_le_bytes());
        assert_eq!(Decompression::B6x16P32.widen(block)[..4], [1, 2, 3, 63]);
    }

    #[test]
    fn chunks_follow_the_descriptor() {
        assert_eq!(CopyImage::source_offset(9, 3, 0, 256, 1024), 1024 + 16 + 768);
        assert_eq!(CopyImage::source_offset(9, 3, 128, 0, 1024), 1024 + 128 + 48);
    }
}
