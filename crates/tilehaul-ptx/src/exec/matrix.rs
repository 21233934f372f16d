//! Matrices of 8 x 8 halves between registers and shared memory (`ldmatrix`, `stmatrix`, `movmatrix`), and the dispatch of
//! everything about matrices.

use tilehaul_machine::{Access, Space};

use super::addresses::Where;
use super::{Cx, Step, Stepped, Stop};
use crate::alu::Lanes;
use crate::inst::{Addr, Inst, Mem};
use crate::program::WGMMA;
use crate::wave::RegisterFence;

impl Cx<'_> {
    /// Matrices; everything else goes on to tensor memory.
    pub(crate) fn tensor(&mut self, inst: &Inst) -> Stepped {
        match inst {
            Inst::Ldmatrix { d, addr, space, transpose } => self.ldmatrix(d, *addr, *space, *transpose),
            Inst::Stmatrix { s, addr, space, transpose } => self.stmatrix(s, *addr, *space, *transpose),
            Inst::Movmatrix { d, a } => {
                if let Some(step) = self.need_warp() {
                    return Ok(step);
                }
                let source = *self.reg(*a);
                let element = |row: usize, col: usize| source[row * 4 + col / 2] >> (16 * (col % 2)) & 0xffff;
                let mut out = [0; 32];
                for (lane, v) in out.iter_mut().enumerate() {
                    let (row, col) = (lane / 4, lane % 4 * 2);
                    *v = element(col, row) | element(col + 1, row) << 16;
                }
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::Mma(op) => self.mma(op),
            Inst::WarpProduct(op) => self.warp_product(op),
            Inst::QuadProduct(op) => self.quad_product(op),
            Inst::LoadNarrow(op) => self.load_narrow(op),
            Inst::StoreNarrow(op) => self.store_narrow(op),
            Inst::WmmaLoad(op) => self.wmma_load(op),
            Inst::WmmaStore(op) => self.wmma_store(op),
            Inst::WmmaMma(op) => self.wmma_mma(op),
            Inst::WgmmaFence => {
                if let Some(step) = self.need_warp() {
                    return Ok(step);
                }
                self.w.wgmma_fence = RegisterFence::Fresh;
                Ok(Step::Next)
            }
            Inst::WgmmaCommit => {
                if let Some(step) = self.need_warp() {
                    return Ok(step);
                }
                self.core.commit_group(self.who(), WGMMA);
                self.w.wgmma_commits.push_back(self.w.wgmma_seq);
                Ok(Step::Next)
            }
            Inst::WgmmaWait { n } => self.wgmma_wait(*n),
            Inst::Wgmma(op) => self.wgmma(op),
            _ => self.tensor_memory(inst),
        }
    }

    /// Rows of 16 bytes that lanes address, in which memory they are, and the lanes: lane `8 i + j` names row `j` of matrix
    /// `i`.
    pub(super) fn row_addresses(
        &self,
        addr: Addr,
        space: Mem,
        matrices: usize,
    ) -> Result<(Space, Lanes, u32), Stop> {
        let mut addresses = self.addresses(addr);
        let lanes = if matrices >= 4 { u32::MAX } else { (1u32 << (8 * matrices)) - 1 };
        let mut memory = None;
        for (lane, address) in addresses.iter_mut().enumerate().take(8 * matrices) {
            if !address.is_multiple_of(16) {
                let message = format!(
                    "{}: lane {lane} names row address {address:#x}, which is no multiple of 16 (CUDA error 716)",
                    self.p.name(self.pc)
                );
                return Err(self.fail("misaligned-access", message));
            }
            match self.resolve(space, *address)? {
                (Where::Memory(space @ Space::Shared(_)), at) => {
                    if *memory.get_or_insert(space) != space {
                        let name = self.p.name(self.pc);
                        return Err(Stop::Unsupported(format!("{name} of rows of several blocks")));
                    }
                    *address = at;
                }
                _ => {
                    return Err(self.fail(
                        "matrix-space",
                        format!("{} of memory that is not shared", self.p.name(self.pc)),
                    ));
                }
            }
        }
        match memory {
            Some(space) => Ok((space, addresses, lanes)),
            None => Err(Stop::Unsupported(format!("{} of no matrix", self.p.name(self.pc)))),
        }
    }

    fn ldmatrix(&mut self, d: &[u32], addr: Addr, space: Mem, transpose: bool) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let (space, inside, lanes) = self.row_addresses(addr, space, d.len())?;
        let mut data = [[0u8; 16]; 32];
        let access = Access::new(self.who_of(lanes), space, &inside, 16);
        let loaded = self.core.load(&access, |lane, bytes| data[lane as usize & 31].copy_from_slice(bytes));
        loaded.map_err(|t| self.trap(t))?;
        for (&slot, matrix) in d.iter().zip(data.as_chunks::<8>().0) {
            let mut out = [0; 32];
            if transpose {
                let element = |row: usize, col: usize| {
                    u64::from(u16::from_le_bytes([matrix[row][2 * col], matrix[row][2 * col + 1]]))
                };
                for (lane, v) in out.iter_mut().enumerate() {
                    let (g, t) = (lane / 4, lane % 4 * 2);
                    *v = element(t, g) | element(t + 1, g) << 16;
                }
            } else {
                for (v, word) in out.iter_mut().zip(matrix.as_flattened().as_chunks::<4>().0) {
                    *v = u64::from(u32::from_le_bytes(*word));
                }
            }
            self.set(slot, &out);
        }
        Ok(Step::Next)
    }

    fn stmatrix(&mut self, s: &[u32], addr: Addr, space: Mem, transpose: bool) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let (space, inside, lanes) = self.row_addresses(addr, space, s.len())?;
        let mut data = [[0u8; 16]; 32];
        for (i, &slot) in s.iter().enumerate() {
            let source = *self.reg(slot);
            for (lane, v) in source.iter().enumerate() {
                let (g, t) = (lane / 4, lane % 4 * 2);
                for k in 0..2 {
                    let half = ((v >> (16 * k)) as u16).to_le_bytes();
                    let (row, col) = if transpose { (t + k, g) } else { (g, t + k) };
                    data[8 * i + row][2 * col..2 * col + 2].copy_from_slice(&half);
                }
            }
        }
        let access = Access::new(self.who_of(lanes), space, &inside, 16);
        let stored = self.core.store(&access, |lane, bytes| bytes.copy_from_slice(&data[lane as usize & 31]));
        stored.map_err(|t| self.trap(t))?;
        Ok(Step::Next)
    }
}
