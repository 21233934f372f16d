//! `mma.sync`: products of fragments that the lanes of one warp hold.

use tilehaul_mma::{Format, Operands, Overflow, Product, Sign, catalogue};

use super::fragments::{ResultForm, blackwell};
use super::{Cx, Step, Stepped, Stop, put};
use crate::inst::MmaOp;

impl Cx<'_> {
    pub(super) fn mma(&mut self, op: &MmaOp) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        if op.d_type != op.c_type {
            return Err(Stop::Unsupported(format!(
                "{} with C and D of different types",
                self.p.name(self.pc)
            )));
        }
        let overflow = if op.saturate { Overflow::Saturate } else { Overflow::Wrap };
        let (a, b, acc) = (op.a_type, op.b_type, op.d_type);
        let unit =
            if blackwell(self.p.architecture) { catalogue::nvidia_blackwell } else { catalogue::nvidia_mma };
        let product = unit(a, b, acc, op.k as usize, overflow);
        let Some(product) = product.map(|product| product.summed(self.p.sums)) else {
            return Err(Stop::Unsupported(format!("the arithmetic of {}", self.p.name(self.pc))));
        };
        let (m, n, k) = (op.m as usize, op.n as usize, op.k as usize);
        if op.a_type == Format::F64 {
            return self.mma_f64(op, &product, m, n, k);
        }
        // The largest forms are 16 x 32 by 8 x 32; others have no fragment, which lowering would have said.
        let (mut a, mut b, mut c, mut d) = ([0u32; 512], [0u32; 256], [0u32; 128], [0u32; 128]);
        let (Some(a), Some(b), Some(c), Some(d)) =
            (a.get_mut(..m * k), b.get_mut(..n * k), c.get_mut(..m * n), d.get_mut(..m * n))
        else {
            return Err(Stop::Unsupported(format!("the shape of {}", self.p.name(self.pc))));
        };
        let bytes = (op.a_type.bits() / 8) as usize;
        self.fragment(&op.a, k, bytes, m == 16, a);
        self.fragment(&op.b, k, bytes, false, b);
        let form = ResultForm { n, halves: op.d_type == Format::F16, eight_rows: m == 8 };
        self.gather_result(&op.c, form, c);
        let operands = Operands { rows: m, columns: n, a: &*a, b: &*b, c: Some(&*c), sign: Sign::Keep };
        product.multiply_dwords(&operands, d).map_err(|e| Stop::Unsupported(e.to_string()))?;
        form.each_register(d, op.d.len(), |r, held| put(&mut self.w.regs[op.d[r] as usize], held, self.mask));
        Ok(Step::Next)
    }

    /// manual: PTX ISA, fragments of `.f64`: A register `i` is row `g + 8 (i mod 2)`, column `t + 4 (i / 2)`.
    fn mma_f64(&mut self, op: &MmaOp, product: &Product, m: usize, n: usize, k: usize) -> Stepped {
        let (mut a, mut b, mut c) = (vec![0u64; m * k], vec![0u64; n * k], vec![0u64; m * n]);
        for lane in 0..32 {
            let (g, t) = (lane / 4, lane % 4);
            for (i, &slot) in op.a.iter().enumerate() {
                let (row, col) = if m == 16 { (g + 8 * (i % 2), t + 4 * (i / 2)) } else { (g, t + 4 * i) };
                a[row * k + col] = self.reg(slot)[lane];
            }
            for (i, &slot) in op.b.iter().enumerate() {
                b[g * k + t + 4 * i] = self.reg(slot)[lane];
            }
            for (i, &slot) in op.c.iter().enumerate() {
                c[(g + 8 * (i / 2)) * n + 2 * t + i % 2] = self.reg(slot)[lane];
            }
        }
        let mut d = vec![0u64; m * n];
        let operands = Operands { rows: m, columns: n, a: &a, b: &b, c: Some(&c), sign: Sign::Keep };
        product.multiply_longs(&operands, &mut d).map_err(|e| Stop::Unsupported(e.to_string()))?;
        for (i, &slot) in op.d.iter().enumerate() {
            let mut out = [0; 32];
            for (lane, v) in out.iter_mut().enumerate() {
                *v = d[(lane / 4 + 8 * (i / 2)) * n + 2 * (lane % 4) + i % 2];
            }
            self.set(slot, &out);
        }
        Ok(Step::Next)
    }
}
