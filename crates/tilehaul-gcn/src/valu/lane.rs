//! Operations across lanes: selects by mask, broadcasts, permutes, counts.

use super::kernel::Row;
use super::{OWN, Part, gather, half, in_place, put, put_short, raw, rows, set_parts, short, specials};
use crate::op::{Action, Lanes, Op, SrcKind};
use crate::wave::{Wave, blend};

pub(super) fn special<const L: usize>(name: &str, op: &mut Op<L>) -> Option<Action<L>> {
    if name == "v_cndmask_b32" {
        set_parts(op, [Part::Single, Part::Single, Part::Absent]);
    }
    specials! { name;
        "v_cndmask_b32" => select();
        "v_cndmask_b16" => select_half();
        "v_readfirstlane_b32" => read_first();
        "v_readlane_b32" => read_lane();
        "v_writelane_b32" => write_lane();
        "v_mbcnt_lo_u32_b32" => count_below(false);
        "v_mbcnt_hi_u32_b32" => count_below(true);
        "v_permlane16_b32" => permlane((false, false));
        "v_permlanex16_b32" => permlane((true, false));
        "v_permlane16_var_b32" => permlane((false, true));
        "v_permlanex16_var_b32" => permlane((true, true));
        "v_permlane32_swap_b32" => swap_rows(32);
        "v_permlane16_swap_b32" => swap_rows(16);
        "v_permlane_bcast_b32" => within_group(|_, by, width| by & (width - 1));
        "v_permlane_up_b32" => within_group(|at, by, width| at.checked_sub(by.min(width)).unwrap_or(at));
        "v_permlane_down_b32" => within_group(|at, by, width| if at + by.min(width) < width { at + by } else { at });
        "v_permlane_xor_b32" => within_group(|at, by, width| if by < width { at ^ by } else { at });
        "v_permlane_idx_gen_b32" => lane_address();
    }
}

/// Each lane of a group reads a lane of it: lane `at` of a group of `width` lanes takes `from(at, source 1, width)`. The
/// group's width is source 2, a power of two up to the wave. manual: CDNA5 ISA 15.14.
fn within_group<const L: usize>(w: &mut Wave<L>, op: &Op<L>, from: impl Fn(usize, usize, usize) -> usize) {
    let a = w.lanes(&op.src[0], 0);
    let (by, width) = (w.s32(&op.src[1]) as usize, group_width::<L>(w.s32(&op.src[2])));
    let value = std::array::from_fn(|l| a[(l & !(width - 1) | from(l & (width - 1), by, width)) % L]);
    w.write(op.vdst, 0, &value);
}

/// Widths that are no power of two up to the wave are taken for the next smaller one. inferred: the manual has those alone.
fn group_width<const L: usize>(asked: u32) -> usize {
    let width = (asked as usize).clamp(1, L);
    1 << width.ilog2()
}

/// The byte address with which `ds_bpermute_b32` reads lane `source 0` of the own group. manual: CDNA5 ISA 15.14.
fn lane_address<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let a = w.lanes(&op.src[0], 0);
    let width = group_width::<L>(w.s32(&op.src[1]));
    let value = std::array::from_fn(|l| ((a[l] as usize & (width - 1) | l & !(width - 1)) << 2) as u32);
    w.write(op.vdst, 0, &value);
}

/// The lane that lane `lane` reads under DPP; none where it is out of its row or off.
pub(crate) fn dpp_source<const L: usize>(lanes: Lanes, lane: usize, exec: u64, gfx12: bool) -> Option<usize> {
    let (from, fi) = match lanes {
        Lanes::Dpp(v) => {
            let ctrl = v >> 8 & 0x1ff;
            let n = (ctrl & 15) as usize;
            let (row, at) = (lane & !15, lane & 15);
            let from = match ctrl {
                0..=0xff => Some(lane & !3 | (ctrl >> (2 * (lane & 3)) & 3) as usize),
                0x101..=0x10f => (at + n < 16).then_some(row + at + n),
                0x111..=0x11f => at.checked_sub(n).map(|a| row + a),
                0x121..=0x12f => Some(row + (at + 16 - n) % 16),
                0x130 => (lane + 1 < L).then_some(lane + 1),
                0x134 => Some((lane + 1) % L),
                0x138 => lane.checked_sub(1),
                0x13c => Some((lane + L - 1) % L),
                0x140 => Some(row + 15 - at),
                0x141 => Some(lane & !7 | (7 - (lane & 7))),
                // The last lane of a row to the whole next row; lane 31 to rows 2 and 3.
                0x142 => (row >= 16).then(|| row - 1),
                0x143 => (lane >= 32).then_some(31),
                0x150..=0x15f => Some(row + n),
                0x160..=0x16f => Some(row + (at ^ n)),
                _ => None,
            };
            (from, gfx12 && v >> 18 & 1 == 1)
        }
        Lanes::Dpp8(v, fi) => (Some(lane & !7 | (v >> (8 + 3 * (lane & 7)) & 7) as usize), fi),
        _ => (Some(lane), true),
    };
    from.filter(|&f| f < L && (fi || exec >> f & 1 == 1))
}

fn mask_of<const L: usize>(w: &Wave<L>, op: &Op<L>) -> u64 {
    match op.src[2].kind {
        SrcKind::S(n) => w.read_mask(usize::from(n)),
        SrcKind::Const(v) => v,
        _ => w.vcc(),
    }
}

fn select<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let mask = mask_of(w, op);
    let mut at = [OWN; 3];
    gather(w, op, &mut at);
    let choose = |[a, b, _]: [&[Row]; 3], out: &mut [u32; L]| {
        for (i, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            *out = *half(a, i);
            blend(out, half(b, i), mask >> (32 * i));
        }
    };
    if w.exec == Wave::<L>::FULL && !op.lanes.moves_result() {
        return in_place(w, op, at, choose);
    }
    let mut out = [0; L];
    choose(rows(w, at), &mut out);
    put(w, op, &out);
}

fn select_half<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let mask = mask_of(w, op);
    let (a, b) = (short(w, op, 0), short(w, op, 1));
    put_short(w, op, &std::array::from_fn(|l| if mask >> l & 1 == 1 { b[l] } else { a[l] }));
}

fn read_first<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let a = w.lanes(&op.src[0], 0);
    // With no lane active, lane 0 is read. manual: CDNA3 ISA.
    let lane = if w.exec == 0 { 0 } else { w.exec.trailing_zeros() as usize };
    w.ws(usize::from(op.sdst), a[lane % L]);
}

fn read_lane<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let a = w.lanes(&op.src[0], 0);
    let lane = w.s32(&op.src[1]) as usize % L;
    w.ws(usize::from(op.sdst), a[lane]);
}

fn write_lane<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let (value, lane) = (w.s32(&op.src[0]), w.s32(&op.src[1]) % L as u32);
    w.set_lane(op.vdst, 0, lane, value);
}

fn count_below<const L: usize>(w: &mut Wave<L>, op: &Op<L>, high: bool) {
    let (a, b) = (raw(w, op, 0), raw(w, op, 1));
    put(
        w,
        op,
        &std::array::from_fn(|l| {
            let below = match (high, l < 32) {
                (false, true) => (1u32 << l) - 1,
                (false, false) => u32::MAX,
                (true, true) => 0,
                (true, false) => (1u32 << (l - 32)) - 1,
            };
            (a[l] & below).count_ones().wrapping_add(b[l])
        }),
    );
}

/// Each lane reads a lane of its row, or of the other row of its pair (`cross`): four bits of two scalar sources for each
/// of the 16 places, or the lane's own register (`var`) say which. `op_sel` bit 0 reads lanes that are off, bit 1 gives
/// zero for what is not read.
fn permlane<const L: usize>(w: &mut Wave<L>, op: &Op<L>, (cross, var): (bool, bool)) {
    let a = w.lanes(&op.src[0], 0);
    let own = w.lanes(&op.src[1], 0);
    let select = u64::from(w.s32(&op.src[1])) | u64::from(w.s32(&op.src[2])) << 32;
    let (fi, bound) = (op.opsel & 1 == 1, op.opsel & 2 == 2);
    let old = w.v[w.reg(op.vdst)];
    let exec = w.exec;
    let value = std::array::from_fn(|l| {
        let row = (l & !15) ^ if cross { 16 } else { 0 };
        let at = if var { u64::from(own[l]) } else { select >> (4 * (l & 15)) };
        let from = row + (at & 15) as usize;
        if from < L && (fi || exec >> from & 1 == 1) {
            a[from]
        } else if bound {
            0
        } else {
            old[l]
        }
    });
    w.write(op.vdst, 0, &value);
}

/// Swaps the odd rows of the destination with the even rows of the source, rows being `row` lanes. manual: CDNA4 ISA.
fn swap_rows<const L: usize>(w: &mut Wave<L>, op: &Op<L>, row: usize) {
    let SrcKind::V(n) = op.src[0].kind else { return w.misled(op) };
    let d = w.reg(op.vdst);
    let s = w.index(&op.src[0], n);
    let exec = w.exec;
    for lane in (0..L).filter(|l| l / row % 2 == 1) {
        let other = lane - row;
        if exec >> lane & 1 == 1 || exec >> other & 1 == 1 {
            let (a, b) = (w.v[d][lane], w.v[s][other]);
            w.v[d][lane] = b;
            w.v[s][other] = a;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_shift_and_rotate_within_sixteen_lanes() {
        let from = |ctrl: u32, lane| dpp_source::<64>(Lanes::Dpp(ctrl << 8), lane, u64::MAX, false);
        assert_eq!(from(0x118, 20), None);
        assert_eq!(from(0x118, 25), Some(17));
        assert_eq!(from(0x121, 16), Some(31));
        assert_eq!(from(0xb1, 4), Some(5));
        assert_eq!(from(0x142, 20), Some(15));
        assert_eq!(dpp_source::<64>(Lanes::Dpp(0x111 << 8), 5, 1, false), None);
    }

    #[test]
    fn lanes_move_within_groups() {
        use crate::testing::{run, wave};
        use tilehaul_isa::gcn::Target;
        let after = |text: &str, by: u32, width: u32| {
            let mut w = wave::<32>();
            w.v[1] = std::array::from_fn(|l| 100 + l as u32);
            (w.s[2], w.s[3]) = (by, width);
            run(Target::Gfx1250, text, &mut w);
            w.v[0]
        };
        for (by, width) in [(5, 32), (3, 16), (2, 8), (1, 4), (40, 8)] {
            let bcast = after("v_permlane_bcast_b32 v0, v1, s2, s3", by, width);
            let up = after("v_permlane_up_b32 v0, v1, s2, s3", by, width);
            let down = after("v_permlane_down_b32 v0, v1, s2, s3", by, width);
            let xor = after("v_permlane_xor_b32 v0, v1, s2, s3", by, width);
            for l in 0..32u32 {
                let (base, at, delta) = (l / width * width, l % width, by.min(width));
                let place = l as usize;
                assert_eq!(bcast[place], 100 + base + by % width, "{by} {width} lane {l}");
                assert_eq!(up[place], 100 + if at < delta { l } else { l - delta });
                assert_eq!(down[place], 100 + if at + delta < width { l + delta } else { l });
                assert_eq!(xor[place], 100 + if by < width { base + (at ^ by) } else { l });
            }
        }
        let mut w = wave::<32>();
        w.v[1] = std::array::from_fn(|l| 3 * l as u32 + 1);
        w.s[2] = 8;
        run(Target::Gfx1250, "v_permlane_idx_gen_b32 v0, v1, s2", &mut w);
        for l in 0..32u32 {
            assert_eq!(w.v[0][l as usize], ((3 * l + 1) % 8 + l / 8 * 8) * 4);
        }
    }
}
