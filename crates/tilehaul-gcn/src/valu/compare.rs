//! Comparisons: `v_cmp_*` write a lane mask, `v_cmpx_*` write EXEC.

use std::cmp::Ordering;

use half::f16;

use crate::op::{Action, Op};
use crate::wave::{VCC, Wave};

/// How two values stand; none for unordered.
type Test = fn(Option<Ordering>) -> bool;

fn test(name: &str) -> Option<Test> {
    Some(match name {
        "f" => |_| false,
        "lt" => |o| o == Some(Ordering::Less),
        "eq" => |o| o == Some(Ordering::Equal),
        "le" => |o| matches!(o, Some(Ordering::Less | Ordering::Equal)),
        "gt" => |o| o == Some(Ordering::Greater),
        "lg" => |o| matches!(o, Some(Ordering::Less | Ordering::Greater)),
        "ne" => |o| o != Some(Ordering::Equal),
        "ge" => |o| matches!(o, Some(Ordering::Greater | Ordering::Equal)),
        "o" => |o| o.is_some(),
        "u" => |o| o.is_none(),
        "nge" => |o| !matches!(o, Some(Ordering::Greater | Ordering::Equal)),
        "nlg" => |o| !matches!(o, Some(Ordering::Less | Ordering::Greater)),
        "ngt" => |o| o != Some(Ordering::Greater),
        "nle" => |o| !matches!(o, Some(Ordering::Less | Ordering::Equal)),
        "neq" => |o| o != Some(Ordering::Equal),
        "nlt" => |o| o != Some(Ordering::Less),
        "t" | "tru" => |_| true,
        _ => return None,
    })
}

/// The comparison of that name, `v_cmp_lt_f32`.
pub(crate) fn handler<const L: usize>(name: &str) -> Option<Action<L>> {
    let (rest, exec) = match (name.strip_prefix("v_cmp_"), name.strip_prefix("v_cmpx_")) {
        (Some(rest), _) => (rest, false),
        (_, Some(rest)) => (rest, true),
        _ => return None,
    };
    let (condition, kind) = rest.rsplit_once('_')?;
    if condition == "class" {
        return Some(match (kind, exec) {
            ("f32", false) => Action::Alu(|w, op| class(w, op, Width::Single, false)),
            ("f32", true) => Action::Alu(|w, op| class(w, op, Width::Single, true)),
            ("f64", false) => Action::Alu(|w, op| class(w, op, Width::Double, false)),
            ("f64", true) => Action::Alu(|w, op| class(w, op, Width::Double, true)),
            ("f16", false) => Action::Alu(|w, op| class(w, op, Width::Half, false)),
            ("f16", true) => Action::Alu(|w, op| class(w, op, Width::Half, true)),
            _ => return None,
        });
    }
    test(condition)?;
    // The condition is looked up again when the instruction runs: `imm2` holds its number (see `number`).
    Some(match (kind, exec) {
        ("u32", false) => Action::Alu(|w, op| integers(w, op, |a, b| a.cmp(&b), false)),
        ("u32", true) => Action::Alu(|w, op| integers(w, op, |a, b| a.cmp(&b), true)),
        ("i32", false) => Action::Alu(|w, op| integers(w, op, |a, b| (a as i32).cmp(&(b as i32)), false)),
        ("i32", true) => Action::Alu(|w, op| integers(w, op, |a, b| (a as i32).cmp(&(b as i32)), true)),
        ("u16", false) => Action::Alu(|w, op| shorts(w, op, |a, b| a.cmp(&b), false)),
        ("u16", true) => Action::Alu(|w, op| shorts(w, op, |a, b| a.cmp(&b), true)),
        ("i16", false) => Action::Alu(|w, op| shorts(w, op, |a, b| (a as i16).cmp(&(b as i16)), false)),
        ("i16", true) => Action::Alu(|w, op| shorts(w, op, |a, b| (a as i16).cmp(&(b as i16)), true)),
        ("u64", false) => Action::Alu(|w, op| longs(w, op, |a, b| a.cmp(&b), false)),
        ("u64", true) => Action::Alu(|w, op| longs(w, op, |a, b| a.cmp(&b), true)),
        ("i64", false) => Action::Alu(|w, op| longs(w, op, |a, b| (a as i64).cmp(&(b as i64)), false)),
        ("i64", true) => Action::Alu(|w, op| longs(w, op, |a, b| (a as i64).cmp(&(b as i64)), true)),
        ("f32", false) => Action::Alu(|w, op| singles(w, op, false)),
        ("f32", true) => Action::Alu(|w, op| singles(w, op, true)),
        ("f16", false) => Action::Alu(|w, op| halves(w, op, false)),
        ("f16", true) => Action::Alu(|w, op| halves(w, op, true)),
        ("f64", false) => Action::Alu(|w, op| doubles(w, op, false)),
        ("f64", true) => Action::Alu(|w, op| doubles(w, op, true)),
        _ => return None,
    })
}

const CONDITIONS: [&str; 18] = [
    "f", "lt", "eq", "le", "gt", "lg", "ne", "ge", "o", "u", "nge", "nlg", "ngt", "nle", "neq", "nlt", "t",
    "tru",
];

/// The number of the condition in a comparison's name, for the instruction's `imm2`.
pub(crate) fn number(name: &str) -> u32 {
    let rest = name.trim_start_matches("v_cmpx_").trim_start_matches("v_cmp_");
    let condition = rest.rsplit_once('_').map_or("f", |(c, _)| c);
    CONDITIONS.iter().position(|c| *c == condition).unwrap_or(0) as u32
}

#[inline(always)]
fn condition<const L: usize>(op: &Op<L>) -> Test {
    CONDITIONS.get(op.imm2 as usize).and_then(|n| test(n)).unwrap_or(|_| false)
}

#[inline(always)]
fn finish<const L: usize>(w: &mut Wave<L>, op: &Op<L>, mask: u64, exec: bool) {
    let mask = mask & w.exec;
    if exec {
        if !w.gfx12 {
            w.write_mask(if op.sdst == 255 { VCC } else { usize::from(op.sdst) }, mask);
        }
        w.exec = mask;
        return;
    }
    w.write_mask(if op.sdst == 255 { VCC } else { usize::from(op.sdst) }, mask);
}

fn collect<const L: usize>(f: impl Fn(usize) -> bool) -> u64 {
    (0..L).fold(0, |mask, l| mask | u64::from(f(l)) << l)
}

#[inline(always)]
fn integers<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(u32, u32) -> Ordering, exec: bool) {
    let (a, b) = (super::raw(w, op, 0), super::raw(w, op, 1));
    let t = condition(op);
    let mask = collect::<L>(|l| t(Some(f(a[l], b[l]))));
    finish(w, op, mask, exec);
}

fn shorts<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(u16, u16) -> Ordering, exec: bool) {
    let (a, b) = (super::short(w, op, 0), super::short(w, op, 1));
    let t = condition(op);
    let mask = collect::<L>(|l| t(Some(f(a[l], b[l]))));
    finish(w, op, mask, exec);
}

fn longs<const L: usize>(w: &mut Wave<L>, op: &Op<L>, f: impl Fn(u64, u64) -> Ordering, exec: bool) {
    let (a, b) = (super::wide(w, op, 0), super::wide(w, op, 1));
    let t = condition(op);
    let mask = collect::<L>(|l| t(Some(f(a[l], b[l]))));
    finish(w, op, mask, exec);
}

fn singles<const L: usize>(w: &mut Wave<L>, op: &Op<L>, exec: bool) {
    let (a, b) = (super::single(w, op, 0), super::single(w, op, 1));
    let t = condition(op);
    let mask = collect::<L>(|l| t(a[l].partial_cmp(&b[l])));
    finish(w, op, mask, exec);
}

fn halves<const L: usize>(w: &mut Wave<L>, op: &Op<L>, exec: bool) {
    let (a, b): ([f16; L], [f16; L]) = (super::halves(w, op, 0), super::halves(w, op, 1));
    let t = condition(op);
    let mask = collect::<L>(|l| t(a[l].partial_cmp(&b[l])));
    finish(w, op, mask, exec);
}

fn doubles<const L: usize>(w: &mut Wave<L>, op: &Op<L>, exec: bool) {
    let (a, b) = (super::double(w, op, 0), super::double(w, op, 1));
    let t = condition(op);
    let mask = collect::<L>(|l| t(a[l].partial_cmp(&b[l])));
    finish(w, op, mask, exec);
}

#[derive(Clone, Copy)]
enum Width {
    Half,
    Single,
    Double,
}

/// Bits of the class mask: signalling NaN, quiet NaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf.
fn class<const L: usize>(w: &mut Wave<L>, op: &Op<L>, width: Width, exec: bool) {
    let bits: [u64; L] = match width {
        Width::Half => super::short(w, op, 0).map(u64::from),
        Width::Single => super::raw(w, op, 0).map(u64::from),
        Width::Double => super::wide(w, op, 0),
    };
    let src = op.src[0];
    let (mantissa, exponent) = match width {
        Width::Half => (10, 5),
        Width::Single => (23, 8),
        Width::Double => (52, 11),
    };
    let wanted = super::raw(w, op, 1);
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
    finish(w, op, mask, exec);
}
