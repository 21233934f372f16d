//! Registers by a number that is known only at run time: `v_movrel*` of gfx1250 adds M0 to a register number, and the index
//! mode of gfx9 (`s_set_gpr_idx_on`) does so for every vector operation until it is switched off.
//!
//! The index mode uses what gfx1250's register banks use: a number that is added to those of each operand slot.
//! manual: CDNA3 ISA, S_SET_GPR_IDX_ON; RDNA4 ISA, V_MOVRELS_B32.

use super::{put, specials};
use crate::op::{Action, Op, Reg, SrcKind};
use crate::wave::{VECTOR_REGISTERS, Wave};

/// Which register numbers M0 is added to.
#[derive(Clone, Copy)]
struct Relative {
    source: bool,
    destination: bool,
    /// M0 bits 9:0 for the source, 25:16 for the destination.
    two: bool,
}

const fn relative(source: bool, destination: bool, two: bool) -> Relative {
    Relative { source, destination, two }
}

pub(super) fn special<const L: usize>(name: &str) -> Option<Action<L>> {
    specials! { name;
        "v_movrels_b32" => mov(relative(true, false, false));
        "v_movreld_b32" => mov(relative(false, true, false));
        "v_movrelsd_b32" => mov(relative(true, true, false));
        "v_movrelsd_2_b32" => mov(relative(true, true, true));
        "v_swaprel_b32" => swap();
        "s_movrelsd_2_b32" => scalar_two();
        "s_movrels_b32" => scalar((1, true));
        "s_movrels_b64" => scalar((2, true));
        "s_movreld_b32" => scalar((1, false));
        "s_movreld_b64" => scalar((2, false));
    }
}

fn mov<const L: usize>(w: &mut Wave<L>, op: &Op<L>, which: Relative) {
    let m0 = w.m0();
    let (from, to) = if which.two { (m0 & 0x3ff, m0 >> 16 & 0x3ff) } else { (m0, m0) };
    let value = match op.src[0].kind {
        SrcKind::V(n) if which.source => {
            w.v[w.index(&op.src[0], n).wrapping_add(from as usize) & (VECTOR_REGISTERS - 1)]
        }
        _ => w.lanes(&op.src[0], 0),
    };
    if which.destination {
        let n = (u32::from(op.vdst.n).wrapping_add(to) & (VECTOR_REGISTERS as u32 - 1)) as u16;
        w.write(Reg { n, ..op.vdst }, 0, &value);
    } else {
        put(w, op, &value);
    }
}

fn scalar<const L: usize>(w: &mut Wave<L>, op: &Op<L>, (width, source): (usize, bool)) {
    let by = w.m0() as usize & 127;
    let from = match op.src[0].kind {
        SrcKind::S(n) if source => Some(usize::from(n) + by),
        _ => None,
    };
    let to = usize::from(op.sdst) + if source { 0 } else { by };
    // Past the last scalar register there is nothing.
    if from.is_some_and(|n| n + width > 106) || to + width > 106 {
        return;
    }
    match (width, from) {
        (2, Some(n)) => w.ws64(to, w.rs64(n)),
        (2, None) => w.ws64(to, w.s64(&op.src[0])),
        (_, Some(n)) => w.ws(to, w.rs(n)),
        (_, None) => w.ws(to, w.s32(&op.src[0])),
    }
}

/// Two vector registers change places: M0 bits 9:0 are added to the source, 25:16 to the destination. manual: RDNA4 ISA,
/// V_SWAPREL_B32.
fn swap<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let SrcKind::V(n) = op.src[0].kind else { return w.misled(op) };
    let m0 = w.m0();
    let moved =
        |n: u16, by: u32| (u32::from(n).wrapping_add(by & 0x3ff) & (VECTOR_REGISTERS as u32 - 1)) as u16;
    let from = Reg { n: moved(n, m0), slot: op.src[0].slot, width: 1, high: false, is: true };
    let to = Reg { n: moved(op.vdst.n, m0 >> 16), ..op.vdst };
    let (theirs, ours) = (w.v[w.reg(from)], w.v[w.reg(to)]);
    w.write(to, 0, &theirs);
    w.write(from, 0, &ours);
}

/// M0 bits 9:0 are added to the source, 25:16 to the destination. manual: RDNA4 ISA, S_MOVRELSD_2_B32.
fn scalar_two<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let SrcKind::S(n) = op.src[0].kind else { return w.misled(op) };
    let m0 = w.m0() as usize;
    let (from, to) = (usize::from(n) + (m0 & 0x3ff), usize::from(op.sdst) + (m0 >> 16 & 0x3ff));
    // Past the last scalar register there is nothing.
    if from < 106 && to < 106 {
        w.ws(to, w.rs(from));
    }
}

/// The bit of MODE that says that the index mode is on.
const INDEXING: u32 = 1 << 27;

/// Switches the index mode on or off.
pub(crate) fn index_mode<const L: usize>(w: &mut Wave<L>, on: bool) {
    w.mode = if on { w.mode | INDEXING } else { w.mode & !INDEXING };
    take_index(w);
}

/// Sets the index (M0 bits 7:0) and which of source 0, 1, 2 and the destination it is added to (bits 15:12), where given.
pub(crate) fn set_index<const L: usize>(w: &mut Wave<L>, index: Option<u32>, enable: Option<u32>) {
    let mut m0 = w.m0();
    if let Some(index) = index {
        m0 = m0 & !0xff | index & 0xff;
    }
    if let Some(enable) = enable {
        m0 = m0 & !0xf000 | (enable & 15) << 12;
    }
    w.ws(124, m0);
    take_index(w);
}

fn take_index<const L: usize>(w: &mut Wave<L>) {
    let m0 = if w.mode & INDEXING == 0 { 0 } else { w.m0() };
    for (slot, bank) in w.banks.iter_mut().take(4).enumerate() {
        *bank = if m0 >> (12 + slot) & 1 == 1 { (m0 & 255) as u16 } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use tilehaul_isa::gcn::Target;

    use crate::testing::{run, wave};

    #[test]
    fn both_sides_move_by_their_own_part_of_m0() {
        let mut w = wave::<32>();
        w.exec = 0xffff;
        w.ws(125, 3 | 5 << 16);
        (w.v[4], w.v[15]) = ([7; 32], [9; 32]);
        run(Target::Gfx1250, "v_swaprel_b32 v10, v1", &mut w);
        assert_eq!([w.v[4][2], w.v[15][2], w.v[4][20], w.v[15][20]], [9, 7, 7, 9]);
        w.ws(7, 42);
        run(Target::Gfx1250, "s_movrelsd_2_b32 s20, s4", &mut w);
        assert_eq!(w.rs(25), 42);
    }
}
