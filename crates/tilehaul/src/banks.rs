//! What `tilehaul banks` asks: an access given by hand or by layouts, its wavefronts, and what would remove conflicts.

use tilehaul_layout::banks::access::{WarpAccess, ldmatrix, of_registers};
use tilehaul_layout::banks::pattern::Expression;
use tilehaul_layout::banks::search::{Candidate, Tile, TileAccess, search};
use tilehaul_layout::banks::{BankReport, Chip, Kind, Switches, Width, count};
use tilehaul_layout::{Layout, View};

use crate::explain::ExplainError;

fn unusable<T>(text: impl Into<String>) -> Result<T, ExplainError> {
    Err(ExplainError::Unusable(text.into()))
}

/// The chip of a target.
///
/// # Errors
/// When its banks are not known.
pub fn chip(target: &str) -> Result<Chip, ExplainError> {
    Chip::from_target(target).ok_or_else(|| {
        ExplainError::Unsupported(format!(
            "banks of target {target} are not modelled; known: sm_90 and later, gfx942, gfx950, gfx1250"
        ))
    })
}

/// A width in bits.
///
/// # Errors
/// When no access has it.
pub fn width(bits: u32) -> Result<Width, ExplainError> {
    match Width::new(bits) {
        Some(width) => Ok(width),
        None => unusable(format!("width {bits} is none of 8, 16, 32, 64, 96 and 128 bits")),
    }
}

/// Lane addresses from an expression over `lane`, or from a list of numbers with `-` for an inactive lane.
///
/// # Errors
/// With the place in the text.
pub fn addresses(text: &str, chip: Chip) -> Result<Vec<Option<u64>>, ExplainError> {
    if text.contains(',') {
        let found = text
            .split(',')
            .map(|word| match word.trim() {
                "-" => Some(None),
                word => match word.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16).ok().map(Some),
                    None => word.parse().ok().map(Some),
                },
            })
            .collect::<Option<Vec<_>>>();
        return match found {
            Some(list) if list.len() <= chip.lanes() as usize => Ok(list),
            Some(list) => unusable(format!(
                "{} addresses for the {} lanes of {}",
                list.len(),
                chip.lanes(),
                chip.name()
            )),
            None => unusable(format!("\"{text}\" is no list of addresses; write - for an inactive lane")),
        };
    }
    Expression::parse(text, &["lane"])
        .and_then(|e| e.addresses(chip.lanes()))
        .map_err(|e| ExplainError::Unusable(format!("address \"{text}\", {e}")))
}

/// The wavefronts of one access.
///
/// # Errors
/// When no source tells how the chip serves it.
pub fn report(
    chip: Chip,
    kind: Kind,
    width: Width,
    addresses: &[Option<u64>],
    switches: Switches,
) -> Result<BankReport, ExplainError> {
    count(chip, kind, width, addresses, switches).map_err(|e| ExplainError::Unsupported(e.to_string()))
}

/// What moves between shared memory and registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Plain loads or stores to this distribution over threads.
    Registers(Box<View>),
    /// `ldmatrix` with this many matrices, at the tile's first element.
    Ldmatrix(u32),
}

/// The accesses that move a tile whose shared layout is `shared`.
///
/// # Errors
/// When the layouts do not fit each other or the width.
pub fn accesses(
    shared: &View,
    mover: &Mover,
    element_bytes: u32,
    width: Width,
    chip: Chip,
) -> Result<Vec<WarpAccess>, ExplainError> {
    match mover {
        Mover::Registers(registers) => of_registers(shared, registers, element_bytes, width, chip.lanes()),
        Mover::Ldmatrix(n) => ldmatrix(shared, 0, 0, *n).map(|a| vec![a]),
    }
    .map_err(|e| ExplainError::Unusable(e.0))
}

/// Searches arrangements of a tile for accesses given as bytes of the packed tile.
///
/// # Errors
/// When the tile has no bytes, an access leaves it, or no source tells how the chip serves it.
pub fn fix(
    chip: Chip,
    tile: Tile,
    kind: Kind,
    width: Width,
    lists: &[Vec<Option<u64>>],
    switches: Switches,
) -> Result<Vec<Candidate>, ExplainError> {
    let size = tile.rows.checked_mul(tile.row_bytes).filter(|&s| s > 0 && s <= 1 << 20);
    let Some(size) = size else {
        return unusable(format!(
            "a tile of {} rows of {} bytes is not between 1 byte and 1 MiB",
            tile.rows, tile.row_bytes
        ));
    };
    for bytes in lists {
        let last = bytes.iter().flatten().max().copied().unwrap_or(0);
        if last.saturating_add(u64::from(width.bytes())) > size {
            return unusable(format!(
                "an access reads byte {last}, past the {size} bytes of {} rows of {}",
                tile.rows, tile.row_bytes
            ));
        }
    }
    let accesses: Vec<TileAccess> =
        lists.iter().map(|bytes| TileAccess { kind, width, bytes: bytes.clone() }).collect();
    search(chip, tile, &accesses, switches).map_err(|e| ExplainError::Unsupported(e.to_string()))
}

/// The packed row-major view of a tile's shape, for a search that is asked from layouts.
///
/// # Errors
/// When the shape is too large.
pub fn packed(shape: &[u64]) -> Result<View, ExplainError> {
    Layout::row_major(shape)
        .and_then(|l| View::strided(l, shape, Vec::new()))
        .map_err(|e| ExplainError::Unusable(e.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_expressions_or_lists() {
        assert_eq!(addresses("lane*144", Chip::Nvidia).unwrap()[31], Some(31 * 144));
        assert_eq!(addresses("0, 0x10, -, 4", Chip::Cdna3).unwrap(), [Some(0), Some(16), None, Some(4)]);
        assert!(addresses("0, x", Chip::Nvidia).is_err());
        assert!(addresses("lane*", Chip::Nvidia).is_err());
        assert!(matches!(chip("gfx1100"), Err(ExplainError::Unsupported(_))));
    }
}
