//! `wmma`: loads, stores and products of fragments whose layout is the machine's own business.

use tilehaul_machine::Access;
use tilehaul_mma::{Operands, Overflow, Sign, catalogue};

use super::addresses::Where;
use super::fragments::blackwell;
use super::memory::{read, write};
use super::{Cx, Step, Stepped, Stop};
use crate::inst::{Fragment, Slot, WmmaMove, WmmaOp};

impl Cx<'_> {
    /// One piece of memory for each lane: elements that lie side by side in register and memory, or one element.
    fn wmma_pieces(&self, op: &WmmaMove) -> Vec<(usize, u32, [u64; 64])> {
        let first = self.first();
        let base = self.address(op.addr, first);
        let f = op.fragment;
        let line = if op.along { f.columns } else { f.rows };
        let stride = op.stride.map_or(u64::from(line), |slot| self.reg(slot)[first] & 0xffff_ffff);
        let pieces = if op.along { 1 } else { f.each };
        let mut all = Vec::with_capacity((f.registers() * pieces) as usize);
        for register in 0..f.registers() {
            for piece in 0..pieces {
                let mut addresses = [0; 64];
                for (lane, address) in addresses.iter_mut().take(32).enumerate() {
                    let (row, column) = f.place(register, lane as u32);
                    let (row, column) = (u64::from(row), u64::from(column + piece));
                    let element = if op.along { row * stride + column } else { column * stride + row };
                    *address = base.wrapping_add(element * u64::from(op.bytes));
                }
                all.push((register as usize, piece, addresses));
            }
        }
        all
    }

    /// `wmma.load`.
    pub(crate) fn wmma_load(&mut self, op: &WmmaMove) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let f = op.fragment;
        let mut words = vec![[0u64; 32]; op.regs.len()];
        for (register, piece, addresses) in self.wmma_pieces(op) {
            let (space, inside) = self.wmma_inside(op, &addresses)?;
            let size = if op.along { op.bytes * f.each } else { op.bytes };
            let access = Access::new(self.who(), space, &inside, size);
            let shift = piece * op.bytes * 8;
            let loaded = self.core.load(&access, |lane, bytes| {
                words[register][lane as usize & 31] |= read(bytes) << shift;
            });
            loaded.map_err(|t| self.trap(t))?;
        }
        // Registers beyond the elements of the fragment repeat it.
        let different = f.registers().max(1) as usize;
        for (i, &slot) in op.regs.iter().enumerate() {
            self.set(slot, &words[i % different]);
        }
        Ok(Step::Next)
    }

    /// `wmma.store`.
    pub(crate) fn wmma_store(&mut self, op: &WmmaMove) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let f = op.fragment;
        for (register, piece, addresses) in self.wmma_pieces(op) {
            let (space, inside) = self.wmma_inside(op, &addresses)?;
            let size = if op.along { op.bytes * f.each } else { op.bytes };
            let shift = piece * op.bytes * 8;
            let word = *self.reg(op.regs[register]);
            let access = Access::new(self.who(), space, &inside, size);
            let stored =
                self.core.store(&access, |lane, bytes| write(bytes, word[lane as usize & 31] >> shift));
            stored.map_err(|t| self.trap(t))?;
        }
        Ok(Step::Next)
    }

    /// The memory of a fragment, and the addresses there.
    fn wmma_inside(
        &self,
        op: &WmmaMove,
        addresses: &[u64; 64],
    ) -> Result<(tilehaul_machine::Space, [u64; 64]), Stop> {
        let mut inside = [0; 64];
        let mut space = None;
        for (slot, &address) in inside.iter_mut().zip(addresses).take(32) {
            let (Where::Memory(here), at) = self.resolve(op.space, address)? else {
                return Err(self.fail("matrix-space", format!("{} of private memory", self.p.name(self.pc))));
            };
            if !at.is_multiple_of(u64::from(op.bytes)) {
                let message = format!(
                    "{}: an element at {address:#x}, which is no multiple of {} (CUDA error 716)",
                    self.p.name(self.pc),
                    op.bytes
                );
                return Err(self.fail("misaligned-access", message));
            }
            (*slot, space) = (at, Some(here));
        }
        space.map(|space| (space, inside)).ok_or_else(|| Stop::Unsupported(self.p.name(self.pc).to_owned()))
    }

    /// `wmma.mma`.
    pub(crate) fn wmma_mma(&mut self, op: &WmmaOp) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let overflow = if op.saturate { Overflow::Saturate } else { Overflow::Wrap };
        let unit =
            if blackwell(self.p.architecture) { catalogue::nvidia_blackwell } else { catalogue::nvidia_mma };
        let product = unit(op.a_type, op.b_type, op.acc, op.k as usize, overflow);
        let Some(product) = product.map(|product| product.summed(self.p.sums)) else {
            return Err(Stop::Unsupported(format!("the arithmetic of {}", self.p.name(self.pc))));
        };
        let (a, b, c) = (self.wmma_gather(&op.a), self.wmma_gather(&op.b), self.wmma_gather(&op.c));
        let (rows, columns) = (op.c.0.rows as usize, op.c.0.columns as usize);
        let mut d = vec![0; rows * columns];
        let operands = Operands { rows, columns, a: &a[..], b: &b[..], c: Some(&c[..]), sign: Sign::Keep };
        product.multiply_longs(&operands, &mut d).map_err(|e| Stop::Unsupported(e.to_string()))?;
        let f = op.c.0;
        for (register, &slot) in op.d.iter().enumerate() {
            let mut out = [0; 32];
            for (lane, v) in out.iter_mut().enumerate() {
                let (row, column) = f.place(register as u32, lane as u32);
                let at = row as usize * columns + column as usize;
                *v = if f.each == 2 { d[at] & 0xffff | d[at + 1] << 16 } else { d[at] };
            }
            self.set(slot, &out);
        }
        Ok(Step::Next)
    }

    /// The elements of a fragment, row by row.
    fn wmma_gather(&self, (f, regs): &(Fragment, Box<[Slot]>)) -> Vec<u64> {
        let mut out = vec![0; (f.rows * f.columns) as usize];
        let bits = 32 / f.each;
        let keep = if f.each == 1 { u64::MAX } else { (1 << bits) - 1 };
        for (register, &slot) in regs.iter().take(f.registers() as usize).enumerate() {
            for (lane, &word) in self.reg(slot).iter().enumerate() {
                let (row, column) = f.place(register as u32, lane as u32);
                let first = (row * f.columns + column) as usize;
                for (i, e) in out[first..].iter_mut().take(f.each as usize).enumerate() {
                    *e = word >> (bits * i as u32) & keep;
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use crate::inst::Fragment;

    #[test]
    fn every_element_has_one_place() {
        let all = [
            (16, 16, 2, 2, true),
            (16, 16, 2, 2, false),
            (32, 16, 2, 2, true),
            (8, 16, 4, 4, false),
            (16, 8, 1, 1, true),
            (16, 16, 2, 1, true),
            (8, 32, 2, 1, true),
            (8, 4, 1, 1, true),
        ];
        for (rows, columns, width, each, down) in all {
            let f = Fragment { rows, columns, width, each, down };
            let mut seen = vec![0; (rows * columns) as usize];
            for register in 0..f.registers() {
                for lane in 0..32 {
                    let (row, column) = f.place(register, lane);
                    (0..each).for_each(|i| seen[(row * columns + column + i) as usize] += 1);
                }
            }
            assert!(seen.iter().all(|&n| n == 1), "{f:?}");
        }
    }
}
