//! Vector arithmetic: one table of operations by name, each a scalar function applied to every lane.
//!
//! The kinds of function say how operands are read and results written: `u` 32-bit words, `f` singles, `h` halves, `s`
//! 16-bit words, `q` 64-bit words, `g` doubles; the digit is the number of sources. Source modifiers, lane movement
//! (DPP), byte selection (SDWA) and halves (op_sel) are applied by the kinds, so an operation is one line.

pub(crate) mod compare;
mod convert;
mod float;
mod int;
pub(crate) mod lane;
mod packed;

use half::f16;

use crate::op::{Action, Lanes, Op, Src};
use crate::wave::Wave;

/// The vector operation of that name (without its encoding suffix).
pub(crate) fn handler<const L: usize>(name: &str) -> Option<Action<L>> {
    int::handler(name)
        .or_else(|| float::handler(name))
        .or_else(|| convert::handler(name))
        .or_else(|| packed::handler(name))
        .or_else(|| lane::handler(name))
        .or_else(|| compare::handler(name))
}

/// Builds the table: `name => kind(function);`.
macro_rules! operations {
    ($name:expr; $($($n:literal)|+ => $kind:ident($($f:expr),+);)*) => {
        match $name {
            $($($n)|+ => Some(Action::Alu(|w, op| $kind(w, op, $($f),+))),)*
            _ => None,
        }
    };
}
pub(crate) use operations;

/// Source `i` as raw words, with lane movement and byte selection.
#[inline(always)]
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
        Lanes::Sdwa(v) => {
            let control = match i {
                0 => v >> 16,
                1 => v >> 24,
                _ => return value,
            };
            std::array::from_fn(|lane| sdwa_select(value[lane], control))
        }
    }
}

fn sdwa_select(value: u32, control: u32) -> u32 {
    let signed = control >> 3 & 1 == 1;
    let (bits, width) = match control & 7 {
        n @ 0..=3 => (value >> (8 * n) & 0xff, 8),
        4 => (value & 0xffff, 16),
        5 => (value >> 16, 16),
        _ => return value,
    };
    if signed { ((bits << (32 - width)) as i32 >> (32 - width)) as u32 } else { bits }
}

#[inline(always)]
fn sign_mods(src: &Src, bits: u32, sign: u32) -> u32 {
    let bits = if src.abs { bits & !sign } else { bits };
    if src.neg { bits ^ sign } else { bits }
}

/// Source `i` as singles.
#[inline(always)]
pub(crate) fn single<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [f32; L] {
    let bits = raw(w, op, i);
    let src = &op.src[i];
    if src.neg || src.abs {
        std::array::from_fn(|l| f32::from_bits(sign_mods(src, bits[l], 0x8000_0000)))
    } else {
        std::array::from_fn(|l| f32::from_bits(bits[l]))
    }
}

/// Source `i` as 64-bit words.
#[inline(always)]
pub(crate) fn wide<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [u64; L] {
    let (low, high) = (w.lanes(&op.src[i], 0), w.lanes(&op.src[i], 1));
    if op.fancy {
        let (low, high) = (moved(w, op, i, low), moved(w, op, i, high));
        return std::array::from_fn(|l| u64::from(low[l]) | u64::from(high[l]) << 32);
    }
    std::array::from_fn(|l| u64::from(low[l]) | u64::from(high[l]) << 32)
}

/// Source `i` as doubles.
pub(crate) fn double<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [f64; L] {
    let bits = wide(w, op, i);
    let src = op.src[i];
    std::array::from_fn(|l| {
        let b = if src.abs { bits[l] & !(1 << 63) } else { bits[l] };
        f64::from_bits(if src.neg { b ^ 1 << 63 } else { b })
    })
}

/// Source `i` as 16-bit words.
#[inline(always)]
pub(crate) fn short<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [u16; L] {
    let bits = raw(w, op, i);
    if op.src[i].high {
        std::array::from_fn(|l| (bits[l] >> 16) as u16)
    } else {
        std::array::from_fn(|l| bits[l] as u16)
    }
}

/// Source `i` as halves.
pub(crate) fn halves<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [f16; L] {
    let bits = short(w, op, i);
    let src = op.src[i];
    std::array::from_fn(|l| f16::from_bits(sign_mods(&src, u32::from(bits[l]), 0x8000) as u16))
}

/// Writes a 32-bit result.
#[inline(always)]
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
#[inline(always)]
pub(crate) fn put_single<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: &[f32; L]) {
    if op.omod == 0 && !op.clamp {
        return put(w, op, &std::array::from_fn(|l| value[l].to_bits()));
    }
    let factor = [1.0, 2.0, 4.0, 0.5][usize::from(op.omod & 3)];
    put(w, op, &std::array::from_fn(|l| clamped(value[l] * factor, op.clamp).to_bits()));
}

fn clamped(x: f32, on: bool) -> f32 {
    // A NaN clamps to zero (DX10_CLAMP, set by compilers). manual: CDNA3 ISA 6.2.
    if !on {
        x
    } else if x.is_nan() {
        0.0
    } else {
        x.clamp(0.0, 1.0)
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
    put_wide(
        w,
        op,
        &std::array::from_fn(|l| {
            let x = value[l] * factor;
            let x = if op.clamp { if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) } } else { x };
            x.to_bits()
        }),
    );
}

/// Writes a 16-bit result: one half on gfx1250; on gfx9 the low half with zeros above, or the high half alone.
#[inline(always)]
pub(crate) fn put_short<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: &[u16; L]) {
    if !w.gfx12 && !op.vdst.high {
        return put(w, op, &std::array::from_fn(|l| u32::from(value[l])));
    }
    let old = w.v[w.reg(op.vdst)];
    let merged = std::array::from_fn(|l| merge_half(old[l], value[l], op.vdst.high));
    put(w, op, &merged);
}

#[inline(always)]
pub(crate) fn merge_half(old: u32, value: u16, high: bool) -> u32 {
    if high { old & 0xffff | u32::from(value) << 16 } else { old & 0xffff_0000 | u32::from(value) }
}

/// Writes a half, after `omod` and `clamp`.
pub(crate) fn put_half<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: &[f16; L]) {
    if op.omod == 0 && !op.clamp {
        return put_short(w, op, &std::array::from_fn(|l| value[l].to_bits()));
    }
    let factor = [1.0, 2.0, 4.0, 0.5][usize::from(op.omod & 3)];
    put_short(
        w,
        op,
        &std::array::from_fn(|l| f16::from_f32(clamped(value[l].to_f32() * factor, op.clamp)).to_bits()),
    );
}

macro_rules! kind {
    ($name:ident, $read:ident, $in:ty, $put:ident, $out:ty, [$($i:literal $v:ident),+]) => {
        #[inline(always)]
        pub(crate) fn $name<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn($(kind!(@ $v $in)),+) -> $out) {
            $(let $v = $read(w, op, $i);)+
            let value: [$out; L] = std::array::from_fn(|l| f($($v[l]),+));
            $put(w, op, &value);
        }
    };
    (@ $v:ident $in:ty) => { $in };
}

kind!(u1, raw, u32, put, u32, [0 a]);
kind!(u2, raw, u32, put, u32, [0 a, 1 b]);
kind!(u3, raw, u32, put, u32, [0 a, 1 b, 2 c]);
kind!(f1, single, f32, put_single, f32, [0 a]);
kind!(f2, single, f32, put_single, f32, [0 a, 1 b]);
kind!(f3, single, f32, put_single, f32, [0 a, 1 b, 2 c]);
kind!(s1, short, u16, put_short, u16, [0 a]);
kind!(s2, short, u16, put_short, u16, [0 a, 1 b]);
kind!(s3, short, u16, put_short, u16, [0 a, 1 b, 2 c]);
kind!(h1, halves, f16, put_half, f16, [0 a]);
kind!(h2, halves, f16, put_half, f16, [0 a, 1 b]);
kind!(h3, halves, f16, put_half, f16, [0 a, 1 b, 2 c]);
kind!(g1, double, f64, put_double, f64, [0 a]);
kind!(g2, double, f64, put_double, f64, [0 a, 1 b]);
kind!(g3, double, f64, put_double, f64, [0 a, 1 b, 2 c]);
kind!(q1, wide, u64, put_wide, u64, [0 a]);
kind!(q2, wide, u64, put_wide, u64, [0 a, 1 b]);
kind!(f1_to_u, single, f32, put, u32, [0 a]);
kind!(f2_to_u, single, f32, put, u32, [0 a, 1 b]);
kind!(u1_to_f, raw, u32, put_single, f32, [0 a]);
kind!(h1_to_f, halves, f16, put_single, f32, [0 a]);
kind!(f1_to_h, single, f32, put_half, f16, [0 a]);
kind!(s1_to_h, short, u16, put_half, f16, [0 a]);
kind!(h1_to_s, halves, f16, put_short, u16, [0 a]);
kind!(s2_to_u, short, u16, put, u32, [0 a, 1 b]);
kind!(h2_to_u, halves, f16, put, u32, [0 a, 1 b]);
kind!(g1_to_u, double, f64, put, u32, [0 a]);
kind!(u1_to_g, raw, u32, put_double, f64, [0 a]);
kind!(g1_to_f, double, f64, put_single, f32, [0 a]);
kind!(f1_to_g, single, f32, put_double, f64, [0 a]);

/// A shift of a 64-bit word: the amount is source 0.
pub(crate) fn shift64<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(u32, u64) -> u64) {
    let (amount, value) = (raw(w, op, 0), wide(w, op, 1));
    put_wide(w, op, &std::array::from_fn(|l| f(amount[l], value[l])));
}

/// The old value of the destination as source 2 (`fmac`).
pub(crate) fn accumulator<const L: usize>(w: &Wave<L>, op: &Op<L>) -> [u32; L] {
    w.v[w.reg(op.vdst)]
}

pub(crate) use float::{max as float_max, min as float_min};
