//! `ldmatrix` and `stmatrix` of bytes, and of elements of 6 and 4 bits that become bytes.
//!
//! manual: PTX ISA, ldmatrix and stmatrix. A row is 16 elements at an address of 16 bytes. Without `.trans` lane `4 r + q` gets
//! bytes `4 q` to `4 q + 3` of row `r`. A transposed matrix of 16 rows fills two registers: byte `b` of them is element `l / 4`
//! and `l / 4 + 8` of row `4 (l mod 4) + b`. Of a matrix of 16 by 8 a lane has two elements of row `l / 4` and two of the row
//! eight further, columns `2 (l mod 4)` and the next; its columns lie in memory one after the other. Which lanes name the 16
//! rows and which elements a lane stores are inferred from CUTLASS's copy traits.

use tilehaul_machine::Access;

use super::{Cx, Step, Stepped};
use crate::warp_product::{NarrowMove, Unpack};

impl Cx<'_> {
    pub(super) fn load_narrow(&mut self, op: &NarrowMove) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        // A transposed matrix has two registers and two groups of eight rows.
        let groups = op.regs.len();
        let bytes = match op.unpack {
            Unpack::Nibbles => 8,
            Unpack::Bytes | Unpack::SixBits => 16,
        };
        let mut data = [[0u8; 16]; 32];
        let (space, inside, lanes) = self.row_addresses(op.addr, op.space, groups)?;
        let access = Access::new(self.who_of(lanes), space, &inside, bytes);
        let loaded = self.core.load(&access, |lane, bytes| {
            for (to, from) in data[lane as usize & 31].iter_mut().zip(bytes) {
                *to = *from;
            }
        });
        loaded.map_err(|t| self.trap(t))?;
        let rows = data.map(|row| op.unpack.elements(row));
        for (r, &slot) in op.regs.iter().enumerate() {
            let out = std::array::from_fn(|lane| {
                let (g, t) = (lane / 4, lane % 4);
                let bytes = std::array::from_fn(|b| {
                    let (row, column) = if op.transpose {
                        (16 * (r / 2) + 4 * t + b, g + 8 * (r % 2))
                    } else {
                        (8 * r + g, 4 * t + b)
                    };
                    rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0)
                });
                u64::from(u32::from_le_bytes(bytes))
            });
            self.set(slot, &out);
        }
        Ok(Step::Next)
    }

    pub(super) fn store_narrow(&mut self, op: &NarrowMove) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let mut data = [[0u8; 16]; 32];
        for (i, &slot) in op.regs.iter().enumerate() {
            for (lane, word) in self.reg(slot).iter().enumerate() {
                let (g, t) = (lane / 4, lane % 4);
                for (e, byte) in (*word as u32).to_le_bytes().into_iter().enumerate() {
                    data[8 * i + 2 * t + e % 2][g + 8 * (e / 2)] = byte;
                }
            }
        }
        let (space, inside, lanes) = self.row_addresses(op.addr, op.space, op.regs.len())?;
        let access = Access::new(self.who_of(lanes), space, &inside, 16);
        let stored = self.core.store(&access, |lane, bytes| bytes.copy_from_slice(&data[lane as usize & 31]));
        stored.map_err(|t| self.trap(t))?;
        Ok(Step::Next)
    }
}
