//! Accesses that follow from layouts: what a warp's loads and stores touch when a tile in shared memory is moved to or
//! from registers, and what `ldmatrix` reads.

use super::rules::Width;
use crate::axis::Axis;
use crate::strided::{LayoutError, error};
use crate::view::{View, element_text};

/// One access of one warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpAccess {
    /// The warp.
    pub warp: i64,
    /// What it moves: the first register, or the matrices of an `ldmatrix`.
    pub what: String,
    /// Byte address of each lane.
    pub addresses: Vec<Option<u64>>,
}

/// Most accesses that are listed.
const MAX_ACCESSES: usize = 1 << 14;

/// The accesses that move a tile between shared memory and registers, `width` bits a lane at a time: one for each warp
/// and each group of registers.
///
/// # Errors
/// When the shapes differ, the registers of a group are not neighbours in shared memory, or a view is too large.
pub fn of_registers(
    shared: &View,
    registers: &View,
    element_bytes: u32,
    width: Width,
    lanes: u32,
) -> Result<Vec<WarpAccess>, LayoutError> {
    if shared.shape() != registers.shape() {
        return error("the shared tile and the registers have different shapes");
    }
    if element_bytes == 0 || !width.bytes().is_multiple_of(element_bytes) {
        return error(format!(
            "{} bits are no whole number of elements of {element_bytes} bytes",
            width.bits()
        ));
    }
    let group = i64::from(width.bytes() / element_bytes);
    let memory = shared.table(Axis::Memory)?;
    let slots = registers.table(Axis::Memory)?;
    let threads = threads(registers, lanes)?;
    let mut held: Vec<(i64, i64, i64, i64, u64)> = (0u64..)
        .zip(&threads)
        .zip(memory.iter().zip(&slots))
        .map(|((n, &thread), (&at, &slot))| {
            let wave = i64::from(lanes);
            (thread.div_euclid(wave), slot, thread.rem_euclid(wave), at, n)
        })
        .collect();
    held.sort_unstable();
    let mut accesses: Vec<WarpAccess> = Vec::new();
    let mut open: Option<(i64, i64)> = None;
    // Address of slot 0 of the open group, by lane, to check that the others follow it.
    let mut first: Vec<Option<i64>> = vec![None; lanes as usize];
    for (warp, slot, lane, at, n) in held {
        let key = (warp, slot.div_euclid(group));
        if open != Some(key) {
            if accesses.len() >= MAX_ACCESSES {
                return error(format!("more than {MAX_ACCESSES} accesses"));
            }
            open = Some(key);
            first = vec![None; lanes as usize];
            let last = key.1 * group + group - 1;
            accesses.push(WarpAccess {
                warp,
                what: if group == 1 {
                    format!("register {slot}")
                } else {
                    format!("registers {slot}-{last}")
                },
                addresses: vec![None; lanes as usize],
            });
        }
        let inside = slot.rem_euclid(group);
        let (Some(start), Some(access)) = (first.get_mut(lane as usize), accesses.last_mut()) else {
            continue;
        };
        match start {
            None => {
                if inside != 0 {
                    return error(format!(
                        "lane {lane} holds register {slot} but not the first of its group of {group}"
                    ));
                }
                *start = Some(at);
                let address = u64::try_from(at).ok().and_then(|a| a.checked_mul(u64::from(element_bytes)));
                let Some(address) = address else { return error("an element lies before the tile") };
                if let Some(a) = access.addresses.get_mut(lane as usize) {
                    *a = Some(address);
                }
            }
            Some(start) => {
                if at != *start + inside {
                    return error(format!(
                        "lane {lane} cannot move {group} elements at once: element {} is at {at}, not at {}",
                        element_text(&shared.element(n)),
                        *start + inside
                    ));
                }
            }
        }
    }
    Ok(accesses)
}

/// The thread of the block that holds each element, numbered by lanes of the chip: warps of 64 lanes count 64 threads.
fn threads(registers: &View, lanes: u32) -> Result<Vec<i64>, LayoutError> {
    let mut threads = vec![0i64; registers.size() as usize];
    for axis in registers.axes() {
        let step = match axis {
            Axis::LaneId | Axis::TidInWg | Axis::Tx => 1,
            Axis::WarpId | Axis::WidInWg => i64::from(lanes),
            Axis::WgId => 4 * i64::from(lanes),
            _ => continue,
        };
        for (sum, v) in threads.iter_mut().zip(registers.table(axis)?) {
            *sum += step * v;
        }
    }
    Ok(threads)
}

/// The row addresses of `ldmatrix.x1`, `.x2` or `.x4` on 16-bit elements: matrices of 8 by 8 from `(row, column)` on,
/// the first two below one another, the next two to their right (manual: PTX ISA ldmatrix; the arrangement of the four
/// is the usual one of an A operand).
///
/// # Errors
/// When a matrix leaves the tile, the tile has not two dimensions, or a row of eight elements is not contiguous.
pub fn ldmatrix(shared: &View, row: u64, column: u64, matrices: u32) -> Result<WarpAccess, LayoutError> {
    if shared.shape().len() != 2 || !matches!(matrices, 1 | 2 | 4) {
        return error("ldmatrix reads 1, 2 or 4 matrices of a tile of two dimensions");
    }
    let mut addresses = vec![None; 32];
    for (lane, address) in (0u64..).zip(addresses.iter_mut()).take(8 * matrices as usize) {
        let matrix = lane / 8;
        let (r, c) = (row + matrix % 2 * 8 + lane % 8, column + matrix / 2 * 8);
        let start = shared.at(shared.number(&[r, c])?, Axis::Memory);
        for k in 1..8 {
            let at = shared.at(shared.number(&[r, c + k])?, Axis::Memory);
            if at != start + k as i64 {
                return error(format!(
                    "row {} of a matrix is not contiguous: element {} is at {at}, not at {}",
                    element_text(&[r, c]),
                    element_text(&[r, c + k]),
                    start + k as i64
                ));
            }
        }
        *address = u64::try_from(start).ok().map(|a| 2 * a);
    }
    Ok(WarpAccess { warp: 0, what: format!("ldmatrix.x{matrices} at [{row}, {column}]"), addresses })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::banks::{Chip, Kind, Switches, count};
    use crate::text::parse;

    #[test]
    fn ldmatrix_of_a_swizzled_tile_has_no_conflicts() {
        let read = |text: &str| {
            let access = ldmatrix(&parse(text, None).unwrap(), 0, 0, 4).unwrap();
            let width = Width::new(128).unwrap();
            let report = count(Chip::Nvidia, Kind::Load, width, &access.addresses, Switches::default());
            report.unwrap().wavefronts
        };
        assert_eq!(read("(64,64):(64,1)"), 32);
        assert_eq!(read("Swizzle<3,3,3> o 0 o (64,64):(64,1)"), 4);
        assert!(ldmatrix(&parse("(64,64):(1,64)", None).unwrap(), 0, 0, 4).is_err());
        assert!(ldmatrix(&parse("(8,8):(8,1)", None).unwrap(), 0, 0, 2).is_err());
    }

    #[test]
    fn registers_of_a_blocked_layout() {
        let shared = parse("(64,64):(64,1)", None).unwrap();
        let blocked = "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>";
        let registers = parse(blocked, Some(&[64, 64])).unwrap();
        let width = Width::new(128).unwrap();
        let accesses = of_registers(&shared, &registers, 2, width, 32).unwrap();
        assert_eq!(accesses.len(), 4 * 4);
        assert_eq!(accesses[0].addresses[9], Some(128 + 16));
        for access in &accesses {
            let report =
                count(Chip::Nvidia, Kind::Load, width, &access.addresses, Switches::default()).unwrap();
            assert_eq!(report.conflicts(), 0);
        }
        let turned = parse("(64,64):(1,64)", None).unwrap();
        assert!(of_registers(&turned, &registers, 2, width, 32).unwrap_err().0.contains("cannot move 8"));
    }
}
