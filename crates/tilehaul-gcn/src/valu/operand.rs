//! How vector operations read and write registers: modifiers, lane movement, halves.

use half::f16;
use half::slice::HalfFloatSliceExt;

use super::kernel::{Part, half_of_double};
use super::{denormal, lane};
use crate::op::{Lanes, Op, Src};
use crate::wave::Wave;

/// Source `i` as raw words, with lane movement and byte selection.
pub(crate) fn raw<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [u32; L] {
    if op.fancy { raw_fancy(w, op, i) } else { w.lanes(&op.src[i], 0) }
}

fn raw_fancy<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [u32; L] {
    let value = w.lanes(&op.src[i], 0);
    moved(w, op, i, value)
}

/// Applies DPP or SDWA to a source.
pub(crate) fn moved<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize, value: [u32; L]) -> [u32; L] {
    match op.lanes {
        Lanes::Straight => value,
        Lanes::Dpp(_) | Lanes::Dpp8(..) if i != 0 => value,
        Lanes::Dpp(_) | Lanes::Dpp8(..) => std::array::from_fn(|lane| {
            lane::dpp_source::<L>(op.lanes, lane, w.exec, w.gfx12).map_or(0, |from| value[from])
        }),
        Lanes::Sdwa(v) if op.lanes.moves(i) => sdwa_selected(&value, v, i),
        Lanes::Sdwa(_) => value,
    }
}

/// The byte or half of each lane that SDWA takes as source `i`, zero- or sign-extended.
pub(crate) fn sdwa_selected<const L: usize>(value: &[u32; L], v: u32, i: usize) -> [u32; L] {
    let control = v >> (16 + 8 * i);
    let (shift, width) = match control & 7 {
        n @ 0..=3 => (8 * n, 8),
        n @ 4..=5 => (16 * (n - 4), 16),
        _ => return *value,
    };
    // Up to the top and down again.
    let (up, down) = (32 - width - shift, 32 - width);
    if control >> 3 & 1 == 1 {
        value.map(|x| ((x << up) as i32 >> down) as u32)
    } else {
        value.map(|x| x << up >> down)
    }
}

fn signed(src: &Src, bits: u32, sign: u32) -> u32 {
    let bits = if src.abs { bits & !sign } else { bits };
    if src.neg { bits ^ sign } else { bits }
}

/// Source `i` as the bits that a kernel wants.
pub(crate) fn operand<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize, part: Part) -> [u32; L] {
    let src = &op.src[i];
    let mut bits = raw(w, op, i);
    match part {
        Part::Single => {
            if src.neg || src.abs {
                bits.iter_mut().for_each(|b| *b = signed(src, *b, 0x8000_0000));
            }
        }
        Part::Short | Part::Half | Part::HalfDouble | Part::Bf16 => {
            let shift = if src.high { 16 } else { 0 };
            bits.iter_mut().for_each(|b| *b = *b >> shift & 0xffff);
            if part != Part::Short && (src.neg || src.abs) {
                bits.iter_mut().for_each(|b| *b = signed(src, *b, 0x8000));
            }
            if part != Part::Short {
                widen(&mut bits, part);
            }
        }
        Part::Absent | Part::Word | Part::Long | Part::Double => {}
    }
    denormal::source(denormal::flushes(w, op), part, &mut bits);
    bits
}

/// Halves or bfloats in the low bits become singles.
pub(crate) fn widen<const L: usize>(bits: &mut [u32; L], part: Part) {
    if part == Part::Bf16 {
        bits.iter_mut().for_each(|b| *b <<= 16);
        return;
    }
    let halves: [f16; L] = std::array::from_fn(|l| f16::from_bits(bits[l] as u16));
    let mut singles = [0f32; L];
    halves.convert_to_f32_slice(&mut singles);
    *bits = singles.map(f32::to_bits);
}

/// Singles become halves or bfloats in the low bits.
pub(crate) fn round<const L: usize>(bits: &mut [u32; L], part: Part) {
    if part == Part::Bf16 {
        bits.iter_mut().for_each(|b| *b = u32::from(half::bf16::from_f32(f32::from_bits(*b)).to_bits()));
        return;
    }
    let mut halves = [f16::ZERO; L];
    halves.convert_from_f32_slice(&bits.map(f32::from_bits));
    *bits = halves.map(|h| u32::from(h.to_bits()));
}

/// Source `i` as the 64 bits that a kernel wants.
pub(crate) fn operand_long<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize, part: Part) -> [u64; L] {
    match part {
        Part::Long => wide(w, op, i),
        Part::Double => double(w, op, i).map(f64::to_bits),
        Part::HalfDouble => operand(w, op, i, part).map(|b| f64::from(f32::from_bits(b)).to_bits()),
        _ => operand(w, op, i, part).map(u64::from),
    }
}

/// Source `i` as singles.
pub(crate) fn single<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [f32; L] {
    operand(w, op, i, Part::Single).map(f32::from_bits)
}

/// Source `i` as 64-bit words.
pub(crate) fn wide<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [u64; L] {
    let (mut low, mut high) = (w.lanes(&op.src[i], 0), w.lanes(&op.src[i], 1));
    if op.fancy {
        (low, high) = (moved(w, op, i, low), moved(w, op, i, high));
    }
    std::array::from_fn(|l| u64::from(low[l]) | u64::from(high[l]) << 32)
}

/// Source `i` as doubles.
pub(crate) fn double<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [f64; L] {
    let (src, flush) = (&op.src[i], denormal::flushes(w, op));
    wide(w, op, i).map(|bits| {
        let bits = if src.abs { bits & !(1 << 63) } else { bits };
        denormal::source_double(flush, f64::from_bits(if src.neg { bits ^ 1 << 63 } else { bits }))
    })
}

/// Source `i` as 16-bit words.
pub(crate) fn short<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [u16; L] {
    operand(w, op, i, Part::Short).map(|b| b as u16)
}

/// Writes what a kernel made.
pub(crate) fn put_part<const L: usize>(w: &mut Wave<L>, op: &Op<L>, part: Part, value: &mut [u32; L]) {
    match part {
        Part::Single => put_single(w, op, &value.map(f32::from_bits)),
        Part::Half | Part::Bf16 => {
            round(value, part);
            let flush = denormal::flushes(w, op);
            if flush != 0 {
                widen(value, part);
                denormal::result(flush, part, value);
                round(value, part);
            }
            if op.omod != 0 || op.clamp {
                widen(value, part);
                value.iter_mut().for_each(|b| *b = scaled(op, f32::from_bits(*b)).to_bits());
                round(value, part);
            }
            put_short(w, op, &value.map(|b| b as u16));
        }
        Part::Short => put_short(w, op, &value.map(|b| b as u16)),
        _ => put(w, op, value),
    }
}

/// Writes what a kernel with 64-bit operands made.
pub(crate) fn put_long_part<const L: usize>(w: &mut Wave<L>, op: &Op<L>, part: Part, value: &[u64; L]) {
    match part {
        Part::Long => put_wide(w, op, value),
        Part::Double => put_double(w, op, &value.map(f64::from_bits)),
        Part::HalfDouble => {
            // Halves are exact in singles.
            let halves = value.map(|b| f16::from_bits(half_of_double(f64::from_bits(b))).to_f32());
            put_part(w, op, Part::Half, &mut halves.map(f32::to_bits));
        }
        _ => put_part(w, op, part, &mut value.map(|b| b as u32)),
    }
}

/// Writes a 32-bit result.
pub(crate) fn put<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: &[u32; L]) {
    if op.lanes == Lanes::Straight { w.write(op.vdst, 0, value) } else { put_moved(w, op, 0, value) }
}

/// Lanes that a DPP instruction writes.
pub(crate) fn dpp_mask<const L: usize>(w: &Wave<L>, op: &Op<L>) -> u64 {
    match op.lanes {
        Lanes::Dpp(v) => {
            let mut mask = w.exec;
            for lane in 0..L {
                let on = v >> (28 + lane / 16 % 4) & 1 == 1 && v >> (24 + lane % 16 / 4) & 1 == 1;
                let bound = v >> 19 & 1 == 1;
                let valid = bound || lane::dpp_source::<L>(op.lanes, lane, w.exec, w.gfx12).is_some();
                if !(on && valid) {
                    mask &= !(1 << lane);
                }
            }
            mask
        }
        _ => w.exec,
    }
}

fn put_moved<const L: usize>(w: &mut Wave<L>, op: &Op<L>, part: u16, value: &[u32; L]) {
    match op.lanes {
        Lanes::Straight | Lanes::Dpp8(..) => w.write(op.vdst, part, value),
        Lanes::Dpp(_) => {
            let exec = w.exec;
            w.exec = dpp_mask(w, op);
            w.write(op.vdst, part, value);
            w.exec = exec;
        }
        Lanes::Sdwa(v) => {
            let old = w.v[w.reg(op.vdst)];
            let merged = std::array::from_fn(|l| sdwa_merge(old[l], value[l], v));
            w.write(op.vdst, part, &merged);
        }
    }
}

fn sdwa_merge(old: u32, value: u32, v: u32) -> u32 {
    let (shift, width) = match v >> 8 & 7 {
        n @ 0..=3 => (8 * n, 8),
        4 => (0, 16),
        5 => (16, 16),
        _ => return value,
    };
    let mask = ((1u32 << width) - 1) << shift;
    let field = value << shift & mask;
    match v >> 11 & 3 {
        2 => old & !mask | field,
        1 => {
            let top = 32 - width - shift;
            field | (((field << top) as i32 >> top) as u32 & !mask & !((1u32 << shift) - 1))
        }
        _ => field,
    }
}

/// Writes a single, after `omod` and `clamp`.
pub(crate) fn put_single<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: &[f32; L]) {
    let mut bits = if op.omod == 0 && !op.clamp {
        value.map(f32::to_bits)
    } else {
        value.map(|x| scaled(op, x).to_bits())
    };
    denormal::result(denormal::flushes(w, op), Part::Single, &mut bits);
    put(w, op, &bits);
}

/// After `omod` and `clamp`. A NaN clamps to zero (DX10_CLAMP, set by compilers). manual: CDNA3 ISA 6.2.
fn scaled<const L: usize>(op: &Op<L>, x: f32) -> f32 {
    let x = x * [1.0, 2.0, 4.0, 0.5][usize::from(op.omod & 3)];
    match (op.clamp, x.is_nan()) {
        (false, _) => x,
        (true, true) => 0.0,
        (true, false) => x.clamp(0.0, 1.0),
    }
}

/// Writes a 64-bit result.
pub(crate) fn put_wide<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: &[u64; L]) {
    put_moved(w, op, 0, &std::array::from_fn(|l| value[l] as u32));
    put_moved(w, op, 1, &std::array::from_fn(|l| (value[l] >> 32) as u32));
}

/// Writes a double, after `omod` and `clamp`.
pub(crate) fn put_double<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: &[f64; L]) {
    let factor = [1.0, 2.0, 4.0, 0.5][usize::from(op.omod & 3)];
    let flush = denormal::flushes(w, op);
    put_wide(
        w,
        op,
        &std::array::from_fn(|l| {
            let x = value[l] * factor;
            let x = if op.clamp { if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) } } else { x };
            denormal::result_double(flush, x).to_bits()
        }),
    );
}

/// Writes a 16-bit result: one half on gfx1250; on gfx9 the low half with zeros above, or the high half alone.
pub(crate) fn put_short<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: &[u16; L]) {
    if !w.gfx12 && !op.vdst.high {
        return put(w, op, &std::array::from_fn(|l| u32::from(value[l])));
    }
    let old = w.v[w.reg(op.vdst)];
    let merged = std::array::from_fn(|l| merge_half(old[l], value[l], op.vdst.high));
    put(w, op, &merged);
}

pub(crate) fn merge_half(old: u32, value: u16, high: bool) -> u32 {
    if high { old & 0xffff | u32::from(value) << 16 } else { old & 0xffff_0000 | u32::from(value) }
}

/// The old value of the destination as source 2 (`fmac`).
pub(crate) fn accumulator<const L: usize>(w: &Wave<L>, op: &Op<L>) -> [u32; L] {
    w.v[w.reg(op.vdst)]
}
