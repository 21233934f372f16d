//! Comparisons: `v_cmp_*` write a lane mask, `v_cmpx_*` write EXEC.

use crate::op::{Action, Op, Work};
use crate::wave::{VCC, Wave};

use super::kernel::{LongRow, Narrow, Part, Row, Wide};
use super::{OWN, denormal, gather, gather_flushed, half, operand, operand_long, raw, rows, set_parts};

/// Bits of a condition: the outcomes that fulfil it.
const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

/// The lanes in which the first value is less, equal, greater.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcomes {
    less: u64,
    equal: u64,
    greater: u64,
}

/// Compares 32 lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kernel {
    Narrow(fn(&Row, &Row) -> Outcomes),
    Wide(fn(&LongRow, &LongRow) -> Outcomes),
}

/// A comparison, as an instruction has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compare {
    kernel: Kernel,
    part: Part,
    /// Outcomes that set a lane's bit.
    condition: u8,
}

fn condition(name: &str) -> Option<u8> {
    Some(match name {
        "f" => 0,
        "lt" => LESS,
        "eq" => EQUAL,
        "le" => LESS | EQUAL,
        "gt" => GREATER,
        "lg" => LESS | GREATER,
        "ge" => GREATER | EQUAL,
        "o" => LESS | EQUAL | GREATER,
        "u" => UNORDERED,
        "nge" => LESS | UNORDERED,
        "nlg" => EQUAL | UNORDERED,
        "ngt" => LESS | EQUAL | UNORDERED,
        "nle" => GREATER | UNORDERED,
        "ne" | "neq" => LESS | GREATER | UNORDERED,
        "nlt" => EQUAL | GREATER | UNORDERED,
        "t" | "tru" => LESS | EQUAL | GREATER | UNORDERED,
        _ => return None,
    })
}

/// The comparison of that name, `v_cmp_lt_f32`.
pub(super) fn lower<const L: usize>(name: &str, op: &mut Op<L>) -> Option<Action<L>> {
    let (rest, exec) = match (name.strip_prefix("v_cmp_"), name.strip_prefix("v_cmpx_")) {
        (Some(rest), _) => (rest, false),
        (_, Some(rest)) => (rest, true),
        _ => return None,
    };
    op.writes_exec = exec;
    let (test, kind) = rest.rsplit_once('_')?;
    if test == "class" {
        return Some(match kind {
            "f32" => Action::Alu(|w, op| class(w, op, Width::Single)),
            "f64" => Action::Alu(|w, op| class(w, op, Width::Double)),
            "f16" => Action::Alu(|w, op| class(w, op, Width::Half)),
            _ => return None,
        });
    }
    let (kernel, part) = match kind {
        "u32" => (Kernel::Narrow(|a, b| narrow(a, b, |x: u32| x)), Part::Word),
        "i32" => (Kernel::Narrow(|a, b| narrow(a, b, |x: u32| x as i32)), Part::Word),
        "u16" => (Kernel::Narrow(|a, b| narrow(a, b, |x: u16| x)), Part::Short),
        "i16" => (Kernel::Narrow(|a, b| narrow(a, b, |x: u16| x as i16)), Part::Short),
        "u64" => (Kernel::Wide(|a, b| wide(a, b, |x: u64| x)), Part::Long),
        "i64" => (Kernel::Wide(|a, b| wide(a, b, |x: u64| x as i64)), Part::Long),
        "f32" => (Kernel::Narrow(|a, b| narrow(a, b, |x: f32| x)), Part::Single),
        "f16" => (Kernel::Narrow(|a, b| narrow(a, b, |x: f32| x)), Part::Half),
        "f64" => (Kernel::Wide(|a, b| wide(a, b, |x: f64| x)), Part::Double),
        _ => return None,
    };
    set_parts(op, [part, part, Part::Absent]);
    op.work = Work::Compare(Compare { kernel, part, condition: condition(test)? });
    Some(Action::Alu(compare))
}

#[inline(always)]
fn narrow<T: Narrow, V: PartialOrd>(a: &Row, b: &Row, as_is: impl Fn(T) -> V) -> Outcomes {
    outcomes(|l| (as_is(T::of(a[l])), as_is(T::of(b[l]))))
}

#[inline(always)]
fn wide<T: Wide, V: PartialOrd>(a: &LongRow, b: &LongRow, as_is: impl Fn(T) -> V) -> Outcomes {
    outcomes(|l| (as_is(T::of_long(a[l])), as_is(T::of_long(b[l]))))
}

#[inline(always)]
fn outcomes<V: PartialOrd>(pair: impl Fn(usize) -> (V, V)) -> Outcomes {
    let mut out = Outcomes::default();
    for l in 0..32 {
        let (a, b) = pair(l);
        out.less |= u64::from(a < b) << l;
        out.equal |= u64::from(a == b) << l;
        out.greater |= u64::from(a > b) << l;
    }
    out
}

fn compare<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let Work::Compare(Compare { kernel, part, condition }) = op.work else { return w.misled(op) };
    let outcomes = match kernel {
        Kernel::Narrow(f) => {
            let mut at = [OWN; 3];
            if denormal::flushes(w, op) == 0 {
                gather(w, op, &mut at);
            } else {
                gather_flushed(w, op);
            }
            let [a, b, _] = rows(w, at);
            both(a, b, L / 32, f)
        }
        Kernel::Wide(f) => {
            let (a, b) = (operand_long(w, op, 0, part), operand_long(w, op, 1, part));
            both(a.as_chunks::<32>().0, b.as_chunks::<32>().0, L / 32, f)
        }
    };
    let Outcomes { less, equal, greater } = outcomes;
    let when = |bit: u8, lanes: u64| if condition & bit == 0 { 0 } else { lanes };
    let mask = when(LESS, less)
        | when(EQUAL, equal)
        | when(GREATER, greater)
        | when(UNORDERED, !(less | equal | greater));
    finish(w, op, mask);
}

/// The rows of a wave one after the other.
fn both<T>(a: &[T], b: &[T], rows: usize, f: fn(&T, &T) -> Outcomes) -> Outcomes {
    let mut out = Outcomes::default();
    for i in 0..rows {
        let part = f(half(a, i), half(b, i));
        out.less |= part.less << (32 * i);
        out.equal |= part.equal << (32 * i);
        out.greater |= part.greater << (32 * i);
    }
    out
}

fn finish<const L: usize>(w: &mut Wave<L>, op: &Op<L>, mask: u64) {
    let mask = mask & w.exec;
    let to = if op.sdst == 255 { VCC } else { usize::from(op.sdst) };
    // gfx1250 writes EXEC alone.
    if !op.writes_exec || !w.gfx12 {
        w.write_mask(to, mask);
    }
    if op.writes_exec {
        w.exec = mask;
    }
}

fn collect<const L: usize>(f: impl Fn(usize) -> bool) -> u64 {
    (0..L).fold(0, |mask, l| mask | u64::from(f(l)) << l)
}

#[derive(Clone, Copy)]
enum Width {
    Half,
    Single,
    Double,
}

/// Bits of the class mask: signalling NaN, quiet NaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf.
fn class<const L: usize>(w: &mut Wave<L>, op: &Op<L>, width: Width) {
    let bits: [u64; L] = match width {
        Width::Half => operand(w, op, 0, Part::Short).map(u64::from),
        Width::Single => raw(w, op, 0).map(u64::from),
        Width::Double => operand_long(w, op, 0, Part::Long),
    };
    let src = op.src[0];
    let (mantissa, exponent) = match width {
        Width::Half => (10, 5),
        Width::Single => (23, 8),
        Width::Double => (52, 11),
    };
    let wanted = raw(w, op, 1);
    let mask = collect::<L>(|l| {
        let sign_bit = 1u64 << (mantissa + exponent);
        let mut b = bits[l];
        if src.abs {
            b &= !sign_bit;
        }
        if src.neg {
            b ^= sign_bit;
        }
        let negative = b & sign_bit != 0;
        let e = b >> mantissa & ((1 << exponent) - 1);
        let m = b & ((1 << mantissa) - 1);
        let class = match (e == (1 << exponent) - 1, e == 0, m == 0) {
            (true, _, false) => u32::from(m >> (mantissa - 1) & 1 == 1),
            (true, _, true) => {
                if negative {
                    2
                } else {
                    9
                }
            }
            (_, true, true) => {
                if negative {
                    5
                } else {
                    6
                }
            }
            (_, true, false) => {
                if negative {
                    4
                } else {
                    7
                }
            }
            _ => {
                if negative {
                    3
                } else {
                    8
                }
            }
        };
        wanted[l] >> class & 1 == 1
    });
    finish(w, op, mask);
}
