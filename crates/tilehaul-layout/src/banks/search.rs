//! The search for an arrangement of a tile in shared memory under which an access has no bank conflicts.
//!
//! A tile is rows of bytes; an access says which byte of which row each lane reads. Candidates are the packed tile, rows
//! moved apart, the swizzles of TMA, and the paddings that the Tensor Data Mover can insert. Each is judged by the
//! wavefronts of all accesses together, by the bytes it wastes, and by whether a matrix descriptor can still read it.

use std::fmt;

use tilehaul_descriptor::nvidia::Swizzle;

use super::count::count;
use super::rules::{Chip, Kind, Switches, Unknown, Width};

/// A tile as the engine is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Rows.
    pub rows: u64,
    /// Bytes of a row.
    pub row_bytes: u64,
}

/// One access of a warp or wave to a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileAccess {
    /// Load, store or transposing load.
    pub kind: Kind,
    /// Bits of a lane.
    pub width: Width,
    /// Byte of the packed tile (row times row bytes plus byte in the row) of each lane; `None` is inactive.
    pub bytes: Vec<Option<u64>>,
}

/// Where the bytes of a tile lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Row after row.
    Packed,
    /// Rows this many bytes further apart than they are wide.
    RowPadding(u64),
    /// Boxes as wide as the swizzle's span, one below the other, each swizzled by TMA.
    Tma(Swizzle),
    /// Padding by the Tensor Data Mover, as its descriptor encodes it.
    Tdm {
        /// `pad_interval`: 2 to the power of this plus one dwords between gaps.
        interval: u8,
        /// `pad_amount`: one dword less than the gap.
        amount: u8,
    },
}

/// Whether a matrix instruction can read a tile without loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Readable {
    /// A matrix descriptor of `wgmma` and `tcgen05` reads it.
    ByDescriptor,
    /// Only a descriptor of `tcgen05` reads it.
    ByTensorMemory,
    /// Only loads into registers; AMD's matrix instructions know nothing else.
    ByLoads,
}

impl Readable {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Readable::ByDescriptor => "matrix descriptors read it",
            Readable::ByTensorMemory => "tcgen05 descriptors read it",
            Readable::ByLoads => "loads only",
        }
    }
}

/// A judged arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Where the bytes lie.
    pub arrangement: Arrangement,
    /// Wavefronts of all accesses.
    pub wavefronts: u32,
    /// Wavefronts that the best arrangement of the same bytes needs.
    pub ideal: u32,
    /// Bytes of shared memory that hold nothing.
    pub wasted: u64,
    /// Transfers that land it: one, or one for each box of a swizzle's span.
    pub boxes: u64,
    /// Who can read it.
    pub readable: Readable,
}

impl Candidate {
    /// Wavefronts above the ideal.
    #[must_use]
    pub fn conflicts(&self) -> u32 {
        self.wavefronts.saturating_sub(self.ideal)
    }
}

impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arrangement::Packed => f.write_str("packed rows"),
            Arrangement::RowPadding(bytes) => write!(f, "rows {bytes} bytes further apart"),
            Arrangement::Tma(mode) => write!(f, "TMA swizzle {}", mode.name()),
            Arrangement::Tdm { interval, amount } => write!(
                f,
                "TDM padding: {} dwords after every {} (pad_interval {interval}, pad_amount {amount})",
                u32::from(*amount) + 1,
                2u32 << interval
            ),
        }
    }
}

impl Arrangement {
    /// Address of a byte of the packed tile, from the start of a tile that is aligned to the swizzle's pattern.
    #[must_use]
    pub fn address(self, tile: Tile, byte: u64) -> u64 {
        let width = tile.row_bytes.max(1);
        let (row, column) = (byte / width, byte % width);
        match self {
            Arrangement::Packed => byte,
            Arrangement::RowPadding(by) => {
                row.saturating_mul(width.saturating_add(by)).saturating_add(column)
            }
            Arrangement::Tma(mode) => {
                let span = mode.span().map_or(width, u64::from);
                let (tile_number, inside) = (column / span, column % span);
                let before = tile_number.saturating_mul(tile.rows).saturating_mul(span);
                mode.permute(before.saturating_add(row.saturating_mul(span)).saturating_add(inside))
            }
            Arrangement::Tdm { interval, amount } => {
                let every = 4u64 << (u32::from(interval).min(7) + 1);
                byte.saturating_add((byte / every).saturating_mul(4 * (u64::from(amount) + 1)))
            }
        }
    }

    fn size(self, tile: Tile) -> u64 {
        let packed = tile.rows.saturating_mul(tile.row_bytes);
        match self {
            Arrangement::Packed => packed,
            // The gap behind the last byte needs no memory.
            Arrangement::RowPadding(_) | Arrangement::Tdm { .. } => {
                self.address(tile, packed.saturating_sub(1)).saturating_add(1)
            }
            Arrangement::Tma(mode) => {
                let span = mode.span().map_or(tile.row_bytes, u64::from).max(1);
                tile.row_bytes.div_ceil(span).saturating_mul(span).saturating_mul(tile.rows)
            }
        }
    }

    /// manual: PTX ISA matrix descriptors (no swizzle of row-pitched tiles; 32, 64 and 128 bytes with 16-byte atoms;
    /// 128 bytes with 32-byte atoms on tcgen05).
    fn readable(self, chip: Chip, tile: Tile) -> Readable {
        if chip != Chip::Nvidia {
            return Readable::ByLoads;
        }
        match self {
            Arrangement::Tma(Swizzle::B32 | Swizzle::B64 | Swizzle::B128) if tile.rows.is_multiple_of(8) => {
                Readable::ByDescriptor
            }
            Arrangement::Tma(Swizzle::B128Atom32) if tile.rows.is_multiple_of(8) => Readable::ByTensorMemory,
            Arrangement::Packed if tile.row_bytes == 16 && tile.rows.is_multiple_of(8) => {
                Readable::ByDescriptor
            }
            _ => Readable::ByLoads,
        }
    }
}

/// Every arrangement that the chip's engines can make of a tile, packed first. The Tensor Data Mover's pairs with a
/// zero code are left out: the manual calls them unpredictable.
#[must_use]
pub fn arrangements(chip: Chip, tile: Tile) -> Vec<Arrangement> {
    let mut all = vec![Arrangement::Packed];
    // One bank to one whole sweep of the banks, in steps that keep 4-byte alignment.
    all.extend((1..=chip.banks()).map(|n| Arrangement::RowPadding(4 * u64::from(n))));
    match chip {
        Chip::Nvidia => {
            for &mode in Swizzle::ALL {
                if mode.span().is_some() && tile.row_bytes.is_multiple_of(16) {
                    all.push(Arrangement::Tma(mode));
                }
            }
        }
        Chip::Gfx1250 if tile.row_bytes.is_multiple_of(4) => {
            all.extend(
                (1..8).flat_map(|interval| (1..128).map(move |amount| Arrangement::Tdm { interval, amount })),
            );
        }
        Chip::Gfx1250 | Chip::Cdna3 | Chip::Cdna4 => {}
    }
    all
}

/// Judges every arrangement, best first: fewest conflicts, then fewest wasted bytes, then the most readable one, then the fewest transfers.
/// Arrangements under which a lane's address loses its natural alignment are left out.
///
/// # Errors
/// When no source tells the chip's schedule for an access.
pub fn search(
    chip: Chip,
    tile: Tile,
    accesses: &[TileAccess],
    switches: Switches,
) -> Result<Vec<Candidate>, Unknown> {
    let mut found = Vec::new();
    let mut best = None;
    for arrangement in arrangements(chip, tile) {
        let (mut wavefronts, mut ideal, mut aligned) = (0u32, 0u32, true);
        for access in accesses {
            let addresses: Vec<Option<u64>> =
                access.bytes.iter().map(|b| b.map(|b| arrangement.address(tile, b))).collect();
            let unit = u64::from(access.width.bytes().min(16));
            let unit = if unit.is_power_of_two() { unit } else { 4 };
            aligned &= addresses.iter().flatten().all(|a| a.is_multiple_of(unit));
            let report = count(chip, access.kind, access.width, &addresses, switches)?;
            wavefronts = wavefronts.saturating_add(report.wavefronts);
            ideal = ideal.saturating_add(report.ideal);
        }
        // Misaligned words raise the ideal, so the packed tile's is the one that counts.
        let ideal = *best.get_or_insert(ideal);
        if aligned || arrangement == Arrangement::Packed {
            let wasted = arrangement.size(tile).saturating_sub(tile.rows.saturating_mul(tile.row_bytes));
            let readable = arrangement.readable(chip, tile);
            let boxes = match arrangement {
                Arrangement::Tma(mode) => tile.row_bytes.div_ceil(mode.span().map_or(1, u64::from).max(1)),
                _ => 1,
            };
            found.push(Candidate { arrangement, wavefronts, ideal, wasted, boxes, readable });
        }
    }
    found.sort_by_key(|c| (c.conflicts(), c.wasted, c.readable, c.boxes));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(tile: Tile, chip: Chip, bits: u32) -> TileAccess {
        let lanes = u64::from(chip.lanes());
        TileAccess {
            kind: Kind::Load,
            width: Width::new(bits).unwrap(),
            bytes: (0..lanes).map(|l| Some(l % tile.rows * tile.row_bytes)).collect(),
        }
    }

    #[test]
    fn a_column_of_a_128_byte_tile() {
        let tile = Tile { rows: 64, row_bytes: 128 };
        let found =
            search(Chip::Nvidia, tile, &[column(tile, Chip::Nvidia, 128)], Switches::default()).unwrap();
        let best = found[0];
        assert_eq!(best.arrangement, Arrangement::Tma(Swizzle::B128));
        assert_eq!((best.wavefronts, best.conflicts(), best.wasted), (4, 0, 0));
        assert_eq!(best.readable, Readable::ByDescriptor);
        let packed = found.iter().find(|c| c.arrangement == Arrangement::Packed).unwrap();
        assert_eq!(packed.conflicts(), 28);
        let padded = found.iter().find(|c| c.arrangement == Arrangement::RowPadding(16)).unwrap();
        assert_eq!((padded.conflicts(), padded.wasted, padded.readable), (0, 63 * 16, Readable::ByLoads));
    }

    #[test]
    fn every_tdm_pair_in_a_tenth_of_a_second() {
        let tile = Tile { rows: 128, row_bytes: 256 };
        let accesses = [column(tile, Chip::Gfx1250, 128), column(tile, Chip::Gfx1250, 32)];
        let start = std::time::Instant::now();
        let found = search(Chip::Gfx1250, tile, &accesses, Switches::default()).unwrap();
        let took = start.elapsed();
        println!("searched in {took:?}");
        assert!(took.as_millis() < 100, "{took:?}");
        assert!(found.iter().filter(|c| matches!(c.arrangement, Arrangement::Tdm { .. })).count() > 200);
        assert_eq!(found[0].conflicts(), 0);
        // The recipe of public kernels, 16 bytes after every 256, is among the best.
        let recipe = Arrangement::Tdm { interval: 5, amount: 3 };
        let judged = found.iter().find(|c| c.arrangement == recipe).unwrap();
        assert_eq!(judged.conflicts(), 0);
        let packed = found.iter().find(|c| c.arrangement == Arrangement::Packed).unwrap();
        assert!(packed.conflicts() > 40);
    }

    #[test]
    fn arrangements_never_put_two_bytes_in_one_place() {
        let tile = Tile { rows: 16, row_bytes: 96 };
        for chip in Chip::ALL {
            for arrangement in arrangements(chip, tile) {
                let mut seen = std::collections::BTreeSet::new();
                for byte in 0..16 * 96 {
                    assert!(seen.insert(arrangement.address(tile, byte)), "{arrangement}");
                }
                assert!(
                    seen.last().copied().unwrap() < arrangement.size(tile).max(16 * 128),
                    "{arrangement}"
                );
            }
        }
    }
}
