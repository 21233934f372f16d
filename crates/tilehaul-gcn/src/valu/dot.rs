//! Integer dot products: two 16-bit, four 8-bit or eight 4-bit products and source 2, summed exactly and then wrapped, or
//! saturated with `clamp`. manual: CDNA3 ISA, V_DOT2_I32_I16 and its neighbours.

use super::int::{limit_i, limit_u};
use super::{put, raw, specials};
use crate::op::{Action, Op};
use crate::wave::Wave;

/// What is multiplied.
#[derive(Clone, Copy)]
struct Shape {
    /// Of one element.
    bits: u32,
    signed: Signed,
    /// Source 2 is the destination (`dot4c`).
    accumulates: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Signed {
    Both,
    Neither,
    /// As `neg_lo` says for each source (gfx1250).
    Modifiers,
}

const fn dot(bits: u32, signed: Signed) -> Shape {
    Shape { bits, signed, accumulates: false }
}

const fn accumulating(bits: u32) -> Shape {
    Shape { bits, signed: Signed::Both, accumulates: true }
}

/// All of them saturate.
pub(super) fn clamps(name: &str) -> bool {
    name.starts_with("v_dot")
}

pub(super) fn special<const L: usize>(name: &str) -> Option<Action<L>> {
    specials! { name;
        "v_dot2_i32_i16" => run(dot(16, Signed::Both));
        "v_dot2_u32_u16" => run(dot(16, Signed::Neither));
        "v_dot2c_i32_i16" => run(accumulating(16));
        "v_dot4_i32_i8" => run(dot(8, Signed::Both));
        "v_dot4_u32_u8" => run(dot(8, Signed::Neither));
        "v_dot4_i32_iu8" => run(dot(8, Signed::Modifiers));
        "v_dot4c_i32_i8" => run(accumulating(8));
        "v_dot8_i32_i4" => run(dot(4, Signed::Both));
        "v_dot8_u32_u4" => run(dot(4, Signed::Neither));
        "v_dot8_i32_iu4" => run(dot(4, Signed::Modifiers));
        "v_dot8c_i32_i4" => run(accumulating(4));
    }
}

fn run<const L: usize>(w: &mut Wave<L>, op: &Op<L>, shape: Shape) {
    let of = |bit: u8| match shape.signed {
        Signed::Both => true,
        Signed::Neither => false,
        Signed::Modifiers => op.neg_lo & bit != 0,
    };
    let (sa, sb) = (of(1), of(2));
    let (a, b) = (raw(w, op, 0), raw(w, op, 1));
    let c = if shape.accumulates { super::accumulator(w, op) } else { raw(w, op, 2) };
    let unsigned = shape.signed == Signed::Neither;
    // op_sel and op_sel_hi pick the halves of 16-bit elements.
    let half = |v: u32, source: u8, i: u32| {
        if shape.bits != 16 || shape.accumulates {
            return v >> (shape.bits * i);
        }
        let select = if i == 0 { op.opsel } else { op.opsel_hi };
        v >> (16 * u32::from(select >> source & 1))
    };
    let value = std::array::from_fn(|l| {
        let products = (0..32 / shape.bits)
            .map(|i| element(half(a[l], 0, i), shape.bits, sa) * element(half(b[l], 1, i), shape.bits, sb));
        let start = if unsigned { i64::from(c[l]) } else { i64::from(c[l] as i32) };
        let sum = products.fold(start, |sum, p| sum + p);
        match (op.clamp, unsigned) {
            (false, _) => sum as u32,
            (true, true) => limit_u(sum as u64),
            (true, false) => limit_i(sum),
        }
    });
    put(w, op, &value);
}

fn element(v: u32, bits: u32, signed: bool) -> i64 {
    let top = v << (32 - bits);
    if signed { i64::from(top as i32 >> (32 - bits)) } else { i64::from(top >> (32 - bits)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_keep_their_sign() {
        assert_eq!(element(0x8, 4, true), -8);
        assert_eq!(element(0xf8, 4, false), 8);
        assert_eq!(element(0xffff_8000, 16, true), -0x8000);
    }
}
