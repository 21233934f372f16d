//! `mma.m8n8k4`: four products of a warp, one of each quadpair.
//!
//! hardware: an H200: quadpair `q` is lanes `4 q` to `4 q + 3`, with rows (columns of B) 0 to 3, and the same 16 higher, with
//! 4 to 7. A lane holds a row of A or a column of B, or, of an operand stored the other way, a column of A or a row of B.
//! Results in halves are a row of each lane; of singles element `i` of lane `t` is row `t mod 2 + (i & 2)`, column
//! `(i & 4) + (t & 2) + i mod 2`, of the lane's four rows.

use tilehaul_mma::{Format, Overflow, Sign, catalogue};

use super::fragments::blackwell;
use super::{Cx, Step, Stepped, Stop};
use crate::inst::Slot;

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct QuadProduct {
    /// A is stored by columns.
    pub(crate) a_columns: bool,
    /// B is stored by columns.
    pub(crate) b_columns: bool,
    pub(crate) c_halves: bool,
    pub(crate) d_halves: bool,
    pub(crate) d: Box<[Slot]>,
    pub(crate) a: Box<[Slot]>,
    pub(crate) b: Box<[Slot]>,
    pub(crate) c: Box<[Slot]>,
}

/// Rows and columns of a product, and what is added up.
const SIDE: usize = 8;
const DEPTH: usize = 4;

impl Cx<'_> {
    pub(super) fn quad_product(&mut self, op: &QuadProduct) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let acc = if op.d_halves { Format::F16 } else { Format::F32 };
        let unit =
            if blackwell(self.p.architecture) { catalogue::nvidia_blackwell } else { catalogue::nvidia_mma };
        // The units have no depth of four: the other elements count as zeroes.
        let product = unit(Format::F16, Format::F16, acc, 2 * DEPTH, Overflow::Wrap)
            .map(|product| product.summed(self.p.sums))
            .ok_or_else(|| Stop::Unsupported(format!("the arithmetic of {}", self.p.name(self.pc))))?;
        let mut results = vec![[0; 32]; op.d.len()];
        let mut answer = Vec::new();
        for quad in 0..4 {
            let lanes: [usize; SIDE] =
                std::array::from_fn(|i| 4 * quad + i % 4 + if i >= 4 { 16 } else { 0 });
            let mut room = product.workspace(SIDE, SIDE);
            for (i, &lane) in lanes.iter().enumerate() {
                let high = i / 4 * 4;
                for k in 0..DEPTH {
                    let half = |slots: &[Slot]| {
                        slots
                            .get(k / 2)
                            .map_or(0, |&slot| self.reg(slot)[lane] as u32 >> (16 * (k % 2)) & 0xffff)
                    };
                    // The place of element k of a lane: along K, or along the side.
                    let (row, depth) = if op.a_columns { (high + k, i % 4) } else { (i, k) };
                    if let Some(e) = room.a().get_mut(row * 2 * DEPTH + depth) {
                        *e = half(&op.a);
                    }
                    let (column, depth) = if op.b_columns { (i, k) } else { (high + k, i % 4) };
                    if let Some(e) = room.b().get_mut(column * 2 * DEPTH + depth) {
                        *e = half(&op.b);
                    }
                }
                for e in 0..SIDE {
                    let (row, column) = place(op.c_halves, lane, e);
                    let raw = self.result_word(&op.c, op.c_halves, lane, e);
                    let raw = match op.c_halves && !op.d_halves {
                        true => tilehaul_mma::to_f32(Format::F16, u64::from(raw)).to_bits(),
                        false => raw,
                    };
                    if let Some(c) = room.c().get_mut(row * SIDE + column) {
                        *c = raw;
                    }
                }
            }
            room.multiply(Sign::Keep, &mut answer);
            for &lane in &lanes {
                for e in 0..SIDE {
                    let (row, column) = place(op.d_halves, lane, e);
                    let value = answer.get(row * SIDE + column).copied().unwrap_or(0);
                    let (register, shift) = if op.d_halves { (e / 2, 16 * (e % 2)) } else { (e, 0) };
                    if let Some(result) = results.get_mut(register) {
                        result[lane] |= u64::from(value) << shift;
                    }
                }
            }
        }
        for (&slot, row) in op.d.iter().zip(&results) {
            self.set(slot, row);
        }
        Ok(Step::Next)
    }

    fn result_word(&self, slots: &[Slot], halves: bool, lane: usize, element: usize) -> u32 {
        let word = |register: usize| slots.get(register).map_or(0, |&slot| self.reg(slot)[lane] as u32);
        if halves { word(element / 2) >> (16 * (element % 2)) & 0xffff } else { word(element) }
    }
}

/// Row and column of an element of C or D that a lane holds.
fn place(halves: bool, lane: usize, element: usize) -> (usize, usize) {
    let high = if lane >= 16 { 4 } else { 0 };
    match halves {
        true => (high + lane % 4, element),
        false => (high + lane % 2 + (element & 2), (element & 4) + (lane & 2) + element % 2),
    }
}
