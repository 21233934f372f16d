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
    if channel == counters::VMEM {
        w.translates(op, channel, seq, false);
    }
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
    } else if name.contains("tr4_b64") {
        nibbles_b64(&tile, &mut out, L);
    } else if name.contains("tr6_b96") {
        sixths_b96(&tile, &mut out, L);
    } else if name.contains("b64_tr_b4") {
        square(&tile, &mut out, L, 4);
    } else if name.contains("b96_tr_b6") {
        square(&tile, &mut out, L, 6);
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

/// `n` bits from bit `at` of a run, lowest bit first.
fn bits(run: &[u8; 16], at: usize, n: usize) -> u8 {
    (0..n).fold(0, |v, i| v | (run[((at + i) / 8) & 15] >> ((at + i) % 8) & 1) << i)
}

fn set_bits(run: &mut [u8; 16], at: usize, n: usize, value: u8) {
    for i in 0..n {
        let (byte, bit) = (((at + i) / 8) & 15, (at + i) % 8);
        run[byte] = run[byte] & !(1 << bit) | (value >> i & 1) << bit;
    }
}

/// gfx950 `ds_read_b64_tr_b4` and `ds_read_b96_tr_b6`: 16 lanes with 16 elements each are a square that is transposed.
/// inferred: the pattern of the wider forms.
fn square(tile: &[[u8; 16]; 64], out: &mut [[u8; 16]; 64], lanes: usize, width: usize) {
    for (lane, to) in out.iter_mut().enumerate().take(lanes) {
        let (start, j) = (lane / 16 * 16, lane % 16);
        for k in 0..16 {
            set_bits(to, width * k, width, bits(&tile[start + k], width * j, width));
        }
    }
}

/// gfx1250 `ds_load_tr4_b64`: groups of 8 lanes. inferred: rocjitsu ds_transpose (ROCm/rocm-systems).
fn nibbles_b64(tile: &[[u8; 16]; 64], out: &mut [[u8; 16]; 64], lanes: usize) {
    for (lane, from) in tile.iter().enumerate().take(lanes) {
        let start = lane / 8 * 8;
        let register = (start / 16) & 1;
        for nibble in 0..16 {
            let to = (start & 8) * 2 + nibble;
            set_bits(&mut out[to], 32 * register + 4 * (lane % 8), 4, bits(from, 4 * nibble, 4));
        }
    }
}

/// gfx1250 `ds_load_tr6_b96`: two squares of 16 six-bit elements, whose rows stand in every other group of four lanes.
/// inferred: rocjitsu ds_transpose (ROCm/rocm-systems).
fn sixths_b96(tile: &[[u8; 16]; 64], out: &mut [[u8; 16]; 64], lanes: usize) {
    for pass in 0..lanes / 16 {
        for i in 0..16 {
            let from = &tile[8 * (i / 4) + i % 4 + 4 * pass];
            for j in 0..16 {
                set_bits(&mut out[j + 16 * pass], 6 * i, 6, bits(from, 6 * j, 6));
            }
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

    #[test]
    fn no_element_is_lost() {
        // Every transpose is a permutation: elements that are all different come out all different.
        for (name, width, lanes) in [("tr4", 4, 32), ("tr6", 6, 32), ("b4", 4, 64), ("b6", 6, 64)] {
            let each = 16;
            for bit in 0..10 {
                let mut tile = [[0u8; 16]; 64];
                let mut ones = 0;
                for (lane, run) in tile.iter_mut().enumerate().take(lanes) {
                    for k in 0..each {
                        let on = (lane * each + k) >> bit & 1 == 1;
                        ones += usize::from(on);
                        set_bits(run, width * k, width, u8::from(on));
                    }
                }
                let mut out = [[0u8; 16]; 64];
                match name {
                    "tr4" => nibbles_b64(&tile, &mut out, lanes),
                    "tr6" => sixths_b96(&tile, &mut out, lanes),
                    _ => square(&tile, &mut out, lanes, width),
                }
                let found: usize = out
                    .iter()
                    .map(|run| (0..each).filter(|k| bits(run, width * k, width) == 1).count())
                    .sum();
                assert_eq!(found, ones, "{name}");
            }
        }
    }
}
