//! Where the elements of A, B, C and D lie among lanes and registers.

use tilehaul_mma::Format;

use super::{Shape, first_register};
use crate::op::Op;
use crate::wave::Wave;

/// Element `e` of a lane's registers.
pub(super) fn element<const L: usize>(
    v: &[[u32; L]],
    first: usize,
    lane: usize,
    e: usize,
    bits: usize,
) -> u64 {
    let at = e * bits;
    let word = |i: usize| u64::from(v[(first + i) & 1023][lane]);
    match bits {
        64 => word(2 * e) | word(2 * e + 1) << 32,
        32 => word(e),
        16 | 8 | 4 => word(at / 32) >> (at % 32) & ((1 << bits) - 1),
        _ => {
            let pair = word(at / 32) | word(at / 32 + 1) << 32;
            pair >> (at % 32) & ((1 << bits) - 1)
        }
    }
}

/// One operand of a product.
pub(super) struct Side {
    pub(super) first: usize,
    pub(super) format: Format,
    pub(super) rows: usize,
    pub(super) block: usize,
}

/// Gathers a rows x K operand: lanes that share a row hold runs of K. `from` says whose registers stand in for a lane's.
pub(super) fn fill<const L: usize>(
    v: &[[u32; L]],
    shape: &Shape,
    side: &Side,
    from: impl Fn(usize) -> usize,
    out: &mut [u64],
) {
    let bits = side.format.bits() as usize;
    // On gfx1250 16 lanes hold 16 rows; the other 16 rows of a taller A lie in the registers behind. inferred: Triton's layout.
    let line = if L == 32 { side.rows.min(16) } else { side.rows };
    let groups = (L / line / shape.blocks).max(1);
    let per_lane = shape.k / groups;
    for row in 0..side.rows {
        for group in 0..groups {
            // Blocks take the groups of lanes one after the other, then K does.
            let lane = from((group * shape.blocks + side.block) * line + row % line);
            for e in 0..per_lane {
                out[row * shape.k + place_in_k::<L>(shape, bits, group, e, per_lane)] =
                    element(v, side.first, lane % L, row / line * per_lane + e, bits);
            }
        }
    }
}

/// Where in K element `e` of a lane of `group` stands. The products of mixed 8-, 6- and 4-bit formats take the lanes of a
/// row in turns of 16 bytes, so that operands of different widths meet, and their scales: on gfx1250 in all formats (6 bits:
/// 16 elements), on gfx950 in 8 bits, while 32 narrower elements follow each other. inferred: what compilers arrange.
fn place_in_k<const L: usize>(shape: &Shape, bits: usize, group: usize, e: usize, per_lane: usize) -> usize {
    let mixed = bits <= 8 && shape.sparse.is_none() && !shape.a.is_integer();
    let turn = match (L, shape.k, bits) {
        (32, 128, 4) => 32,
        (32, 128, _) => 16,
        (64, 128, 8) if shape.m == 16 => 16,
        (64, 64, 8) if shape.m == 32 => 16,
        _ => per_lane,
    };
    if !mixed {
        return group * per_lane + e;
    }
    let groups = shape.k / per_lane;
    e / turn * turn * groups + group * turn + e % turn
}

/// The same for a sparse A: half of the elements are stored, each with two bits that say where among four it stands.
pub(super) fn fill_sparse<const L: usize>(
    w: &Wave<L>,
    op: &Op<L>,
    shape: &Shape,
    side: &Side,
    set: u8,
    out: &mut [u64],
) -> Option<()> {
    let bits = side.format.bits() as usize;
    let groups = (L / side.rows).max(1);
    let (dense, stored) = (shape.k / groups, shape.k / groups / 2);
    let index = first_register(w, op, 2)?;
    for row in 0..side.rows {
        for group in 0..groups {
            let lane = (group * side.rows + row) % L;
            let low = u64::from(w.v[index & 1023][lane]);
            let high = if stored > 16 { u64::from(w.v[(index + 1) & 1023][lane]) } else { 0 };
            let places = (low | high << 32) >> (usize::from(set) * 2 * stored).min(63);
            for e in 0..stored {
                let place = (places >> (2 * e) & 3) as usize;
                out[row * shape.k + group * dense + e / 2 * 4 + place] =
                    element(&w.v, side.first, lane, e, bits);
            }
        }
    }
    Some(())
}

/// Where the results lie: calls `f(row, column, lane, element of the lane)`.
pub(super) fn for_each_result<const L: usize>(
    shape: &Shape,
    block: usize,
    mut f: impl FnMut(usize, usize, usize, usize),
) {
    let (m, n) = (shape.m, shape.n);
    if L == 32 {
        // gfx1250: the upper half of the lanes holds the lower eight of each 16 rows.
        for lane in 0..32 {
            for e in 0..m / 2 {
                f(e / 8 * 16 + 8 * (lane / 16) + e % 8, lane % 16, lane, e);
            }
        }
        return;
    }
    if shape.c == Format::F64 {
        for lane in 0..64 {
            let per_lane = m * n * shape.blocks / 64;
            for e in 0..per_lane {
                if shape.blocks == 1 {
                    f(4 * e + lane / 16, lane % 16, lane, e);
                } else if lane / 16 == block {
                    f(lane / 4 % 4, lane % 4, lane, e);
                }
            }
        }
        return;
    }
    // Runs of four rows: registers 4q to 4q+3 of a lane are four rows; the groups of lanes follow each other.
    let groups = 64 / n / if n == 4 { shape.blocks } else { 1 };
    for lane in 0..64 {
        let column = lane % n;
        if n == 4 {
            if lane / 4 == block {
                for e in 0..4 {
                    f(e, column, lane, e);
                }
            }
            continue;
        }
        let group = lane / n;
        let registers = m / groups;
        for e in 0..registers {
            f(e / 4 * 4 * groups + 4 * group + e % 4, column, lane, block * registers + e);
        }
    }
}
