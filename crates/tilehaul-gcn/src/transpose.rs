//! Loads that transpose small tiles on their way to registers: `ds_load_tr*`, `ds_read_*_tr_*`, `global_load_tr*`.
//!
//! Every lane names a run of its own; the elements of a group of lanes are then exchanged. inferred: rocjitsu
//! ds_transpose for gfx1250; LLVM's tests and Triton's layouts for gfx950.

use tilehaul_machine::{Access, ChannelKind, Core, Space};

use crate::memory::global_addresses;
use crate::op::{Flow, Op, Stop};
use crate::wave::Wave;
use crate::{Gcn, counters, lds as local};

type Result<T> = std::result::Result<T, Stop>;

pub(crate) fn lds<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let at = local::addresses(w, op, op.imm as u32);
    let space = local::space(w);
    run(g, w, op, core, space, &at, counters::DS)
}

pub(crate) fn global<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
) -> Result<Flow> {
    let at = global_addresses(w, op);
    run(g, w, op, core, Space::Global, &at, counters::VMEM)
}

fn run<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    space: Space,
    at: &[u64; L],
    channel: ChannelKind,
) -> Result<Flow> {
    let name = g.mnemonic(op.place);
    let seq = w.next(core, channel);
    let who = w.who(op);
    // EXEC is taken as all ones: the exchange has no meaning otherwise. manual: RDNA4 ISA.
    let bytes = if name.contains("b128") {
        16
    } else if name.contains("b96") {
        12
    } else {
        8
    };
    let access = Access::new(who, space, at, bytes).on(channel, seq);
    let mut tile = [[0u8; 16]; 64];
    core.load(&access, |lane, data| {
        for (slot, b) in tile[lane as usize & 63].iter_mut().zip(data) {
            *slot = *b;
        }
    })?;
    let mut out = [[0u8; 16]; 64];
    if name.contains("tr16_b128") {
        halves(&tile, &mut out, 8, 8, L);
    } else if name.contains("b64_tr_b16") {
        // Groups of 16 lanes: a 16 x 4 tile of halves per group of four-half runs.
        gfx950_halves(&tile, &mut out, L);
    } else if name.contains("tr8_b64") {
        bytes_b64(&tile, &mut out, L);
    } else if name.contains("b64_tr_b8") {
        gfx950_bytes(&tile, &mut out, L);
    } else {
        return Err(g.not_modelled(op.place));
    }
    let to = w.reg(op.vdst);
    for lane in who.lanes.iter() {
        let lane = lane as usize;
        for i in 0..bytes as usize / 4 {
            let b = &out[lane & 63][4 * i..4 * i + 4];
            w.v[(to + i) & 1023][lane % L] = crate::memory::read_word(b) as u32;
        }
    }
    w.fills(core, op.vdst, (bytes / 4) as u16, channel, seq, op.place);
    Ok(Flow::Next)
}

/// Groups of `group` lanes with `n` halves each: lane j of the group gets half j of lane k at position k.
fn halves(tile: &[[u8; 16]; 64], out: &mut [[u8; 16]; 64], group: usize, n: usize, lanes: usize) {
    for (lane, to) in out.iter_mut().enumerate().take(lanes) {
        let (start, j) = (lane / group * group, lane % group);
        for k in 0..n {
            let from = &tile[start + k];
            to[2 * k..2 * k + 2].copy_from_slice(&from[2 * j..2 * j + 2]);
        }
    }
}

/// gfx950 `ds_read_b64_tr_b16`: in each group of 16 lanes, lane i holds four halves of a row; read as a 16 x 4 matrix of
/// 64 halves in lane order, lane i gets halves i, i + 16, i + 32, i + 48.
fn gfx950_halves(tile: &[[u8; 16]; 64], out: &mut [[u8; 16]; 64], lanes: usize) {
    for (lane, to) in out.iter_mut().enumerate().take(lanes) {
        let (start, j) = (lane / 16 * 16, lane % 16);
        for k in 0..4 {
            let linear = 16 * k + j;
            let from = &tile[start + linear / 4];
            let at = 2 * (linear % 4);
            to[2 * k..2 * k + 2].copy_from_slice(&from[at..at + 2]);
        }
    }
}

/// gfx950 `ds_read_b64_tr_b8`: the same with bytes, 16 lanes of eight bytes as an 8 x 16 matrix.
fn gfx950_bytes(tile: &[[u8; 16]; 64], out: &mut [[u8; 16]; 64], lanes: usize) {
    for (lane, to) in out.iter_mut().enumerate().take(lanes) {
        let (start, j) = (lane / 16 * 16, lane % 16);
        for (k, byte) in to.iter_mut().enumerate().take(8) {
            let linear = 16 * k + j;
            *byte = tile[start + linear / 8][linear % 8];
        }
    }
}

/// gfx1250 `ds_load_tr8_b64`: groups of 4 lanes; destination lane and register by the tables of rocjitsu.
fn bytes_b64(tile: &[[u8; 16]; 64], out: &mut [[u8; 16]; 64], lanes: usize) {
    for (lane, from) in tile.iter().enumerate().take(lanes) {
        let start = lane / 4 * 4;
        let register = start % 16 / 8;
        for (byte, b) in from.iter().enumerate().take(8) {
            let to = start / 16 * 16 + start / 4 % 2 * 8 + byte;
            out[to & 63][4 * register + lane % 4] = *b;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_by_eight_halves_are_transposed() {
        let mut tile = [[0u8; 16]; 64];
        for (lane, run) in tile.iter_mut().enumerate() {
            for k in 0..8 {
                run[2 * k] = (lane * 8 + k) as u8;
            }
        }
        let mut out = [[0u8; 16]; 64];
        halves(&tile, &mut out, 8, 8, 32);
        assert_eq!(out[9][2 * 3], ((8 + 3) * 8 + 1) as u8);
    }
}
