//! Matrix products of tensor memory: `tcgen05.mma`.
//!
//! Rows and columns of the accumulator lie where `tilehaul-layout` says; A comes from shared or tensor memory, B from shared
//! memory, of one or both blocks of a pair.

use tilehaul_descriptor::nvidia::{InstructionDescriptor, MatrixUnit};
use tilehaul_layout::tmem::{Accumulator, CtaGroup, Datapath, MmaForm, TmemAddress};
use tilehaul_machine::{AccessKind, BlockId, JobFault, Memories, Space, Touch};
use tilehaul_mma::{Format, Overflow, Sign, catalogue};

use super::memory::{read, write};
use super::shared_matrix::SharedMatrix;
use super::tmem::cell;
use super::{Cx, Step, Stepped, Stop};
use crate::inst::{TcKind, TcMmaOp};
use crate::program::TC;

impl Cx<'_> {
    /// `tcgen05.mma` of each executing lane.
    pub(crate) fn tc_mma(&mut self, op: &TcMmaOp) -> Stepped {
        self.one_thread();
        for lane in self.lanes() {
            match op.scales {
                Some(scales) => self.tc_scaled_of(op, scales, lane)?,
                None => self.tc_mma_of(op, lane)?,
            }
        }
        Ok(Step::Next)
    }

    fn tc_mma_of(&mut self, op: &TcMmaOp, lane: usize) -> Result<(), Stop> {
        let word = self.reg(op.idesc)[lane] as u32;
        let (idesc, own) = InstructionDescriptor::plain(word);
        let name = self.p.name(self.pc).to_owned();
        let unsupported = |what: &str| Stop::Unsupported(format!("{name}: {what}"));
        let format = |number| operand_format(op.kind, number);
        let (Some(a_format), Some(b_format)) = (format(idesc.a_type), format(idesc.b_type)) else {
            return Err(unsupported("this operand type in its instruction descriptor"));
        };
        let acc = match (op.kind, own.d_type) {
            (TcKind::I8, 2) => Format::S32,
            (TcKind::I8, _) | (_, 2 | 3) => {
                return Err(unsupported("this accumulator type in its instruction descriptor"));
            }
            (_, 0) => Format::F16,
            _ => Format::F32,
        };
        if idesc.sparse {
            return Err(unsupported("sparse operands"));
        }
        let bytes: u32 = match op.kind {
            TcKind::F16 => 2,
            TcKind::Tf32 => 4,
            TcKind::F8f6f4 | TcKind::I8 => 1,
            TcKind::Mxf8f6f4 | TcKind::Mxf4 | TcKind::Mxf4nvf4 => {
                return Err(unsupported("a scaled kind without factors"));
            }
        };
        let (m, n, k) = (idesc.m, idesc.n, 32 / bytes as usize);
        let overflow = if own.saturate { Overflow::Saturate } else { Overflow::Wrap };
        let product = catalogue::nvidia_blackwell(a_format, b_format, acc, k, overflow);
        let Some(product) = product.map(|product| product.summed(self.p.sums)) else {
            return Err(unsupported(&format!(
                "its instruction descriptor {word:#010x} asks for A of {a_format}, B of {b_format} and D of {acc}, which are not multiplied with each other here"
            )));
        };
        if op.zero_columns.is_some_and(|slot| self.reg(slot)[lane] != 0) {
            return Err(unsupported("a mask of columns of B that count as zeroes"));
        }
        let group = if op.pair { CtaGroup::Two } else { CtaGroup::One };
        let form = MmaForm {
            m,
            cta_group: group,
            weight_stationary: op.weight_stationary,
            sparse: false,
            integer: op.kind == TcKind::I8,
        };
        let d_at = TmemAddress(self.address(op.d, lane) as u32);
        let placed = Datapath::of(form).and_then(|path| {
            form.check_n(n)?;
            Accumulator::new(path, n, Accumulator::half_of_lane(path, d_at.lane())?)
        });
        let accumulator = match placed {
            Ok(accumulator) => accumulator,
            Err(told) => return Err(self.trap(Box::new(told))),
        };
        let blocks = self.blocks(op.pair)?;
        self.check_allocated(d_at.column(), accumulator.columns());
        for &block in &blocks {
            self.core.memories.with_tensor(block);
        }
        let shares = blocks.len() as u32;
        let (rows, columns) = ((m / shares) as usize, (n / shares) as usize);
        let b_matrix =
            self.shared_matrix(MatrixUnit::Tcgen05, self.reg(op.b)[lane], idesc.b_mn_major, bytes)?;
        let a_source = match op.a_in_tensor {
            Some(offset) => {
                let at = TmemAddress((self.reg(op.a)[lane].wrapping_add_signed(offset)) as u32);
                self.check_allocated(at.column(), (k as u32 * bytes).div_ceil(4));
                TcA::Tensor(at)
            }
            None => {
                let word = self.reg(op.a)[lane];
                TcA::Shared(self.shared_matrix(MatrixUnit::Tcgen05, word, idesc.a_mn_major, bytes)?)
            }
        };
        self.judge_groups(&b_matrix, columns as u64, "B");
        if let TcA::Shared(a) = &a_source {
            self.judge_groups(a, rows as u64, "A");
        }
        // manual: PTX ISA, data paths of .ws: where D lies in several groups of lanes, each needs A in its own.
        let replicas = match a_source {
            TcA::Tensor(_) if op.weight_stationary => n / accumulator.columns(),
            _ => 1,
        };
        let mut touches = Vec::new();
        for &block in &blocks {
            b_matrix.touch(Space::Shared(block), 0..columns, k, &mut touches);
            let (address, arrangement) = b_matrix.arranged();
            self.core.reads_arranged(self.who_of(1 << lane), Space::Shared(block), address, arrangement);
            if let TcA::Shared(a) = &a_source {
                let (address, arrangement) = a.arranged();
                self.core.reads_arranged(self.who_of(1 << lane), Space::Shared(block), address, arrangement);
            }
            match &a_source {
                TcA::Shared(a) => a.touch(Space::Shared(block), 0..rows, k, &mut touches),
                TcA::Tensor(at) => {
                    let part = accumulator.columns();
                    let all = (0..rows as u32).flat_map(|row| (0..replicas).map(move |i| (row, i * part)));
                    for (row, column) in all {
                        let Some(p) = accumulator.place(row, column) else { continue };
                        let (space, start) = (Space::Tensor(block), cell(p.lane, at.column()));
                        touches.push(Touch {
                            space,
                            start,
                            len: u64::from(k as u32 * bytes),
                            kind: AccessKind::Read,
                            lane: 0,
                        });
                    }
                }
            }
        }
        let enabled = self.truth(op.enable) >> lane & 1 == 1;
        let kind = if enabled { AccessKind::Atomic } else { AccessKind::Write };
        let parts = n / accumulator.columns();
        for row in 0..m {
            for part in 0..parts {
                let Some(p) = accumulator.place(row, part * accumulator.columns()) else { continue };
                let Some(&block) = blocks.get(p.block as usize) else { continue };
                let (space, start) = (Space::Tensor(block), cell(p.lane, d_at.column()));
                touches.push(Touch {
                    space,
                    start,
                    len: u64::from(accumulator.columns()) * 4,
                    kind,
                    lane: 0,
                });
            }
        }
        let disabled: Vec<u32> = op.disable.iter().map(|&slot| self.reg(slot)[lane] as u32).collect();
        let sign = if idesc.negates() { Sign::Flip } else { Sign::Keep };
        let work = TcWork {
            blocks,
            accumulator,
            d_column: d_at.column(),
            a: a_source,
            b: b_matrix,
            m,
            n,
            k,
            bytes,
            padded: Some([a_format, b_format]),
        };
        let halves = acc == Format::F16;
        let call = Box::new(move |memories: &mut Memories| {
            let (m, n) = (m as usize, n as usize);
            let width = n / replicas as usize;
            let mut b = vec![0; n * k];
            work.gather_b(memories, &mut b)?;
            let mut c = vec![0; m * n];
            if enabled {
                work.read_d(memories, halves, &mut c)?;
            }
            let mut d = vec![0; m * n];
            let mut part = Vec::new();
            for first in (0..n).step_by(width) {
                let mut room = product.workspace(m, width);
                work.gather_a(memories, first as u32, room.a())?;
                room.b().copy_from_slice(&b[first * k..][..width * k]);
                if enabled {
                    for (to, from) in room.c().chunks_mut(width).zip(c.chunks(n)) {
                        to.copy_from_slice(&from[first..][..width]);
                    }
                }
                room.multiply(sign, &mut part);
                for (to, from) in d.chunks_mut(n).zip(part.chunks(width)) {
                    to[first..][..width].copy_from_slice(from);
                }
            }
            work.write_d(memories, &d, halves, &disabled)
        });
        self.start_as(self.who_of(1 << lane), "tcgen05.mma", touches, call, TC)?;
        Ok(())
    }
}

/// Elements of 4 and 6 bits come packed at the start of 16 bytes, sixteen to a piece.
///
/// manual: PTX ISA, packing formats `.b4x16_p64` and `.b6x16_p32` in shared memory.
fn unpack_padded(format: Format, bytes: &mut [u32]) {
    let bits = match format {
        Format::E2m1 => 4,
        Format::E2m3 | Format::E3m2 => 6,
        _ => return,
    };
    for piece in bytes.chunks_exact_mut(16) {
        let packed = piece.iter().rev().fold(0u128, |all, &byte| all << 8 | u128::from(byte & 0xff));
        for (i, e) in piece.iter_mut().enumerate() {
            *e = (packed >> (bits * i)) as u32 & ((1 << bits) - 1);
        }
    }
}

/// Elements of 4 and 6 bits in tensor memory have a byte each: those of 6 bits its low ones, those of 4 bits the middle ones.
///
/// manual: PTX ISA, tcgen05 packing of matrix A in tensor memory; Triton 3.9 stores them so.
fn unpack_centred(format: Format, bytes: &mut [u32]) {
    let unpacked = match format {
        Format::E2m1 => |byte: u32| byte >> 2 & 0xf,
        Format::E2m3 | Format::E3m2 => |byte: u32| byte & 0x3f,
        _ => return,
    };
    bytes.iter_mut().for_each(|byte| *byte = unpacked(*byte));
}

/// The format that a number of the instruction descriptor stands for. manual: PTX ISA, tables of types of each kind.
pub(super) fn operand_format(kind: TcKind, number: u32) -> Option<Format> {
    Some(match (kind, number) {
        (TcKind::F16, 0) => Format::F16,
        (TcKind::F16, 1) => Format::Bf16,
        (TcKind::Tf32, 2) => Format::Tf32,
        (TcKind::F8f6f4, 0) => Format::E4m3,
        (TcKind::F8f6f4, 1) => Format::E5m2,
        (TcKind::I8, 0) => Format::U8,
        (TcKind::I8, 1) => Format::S8,
        (TcKind::Mxf8f6f4, 0) => Format::E4m3,
        (TcKind::Mxf8f6f4, 1) => Format::E5m2,
        (TcKind::F8f6f4 | TcKind::Mxf8f6f4, 3) => Format::E2m3,
        (TcKind::F8f6f4 | TcKind::Mxf8f6f4, 4) => Format::E3m2,
        (TcKind::F8f6f4 | TcKind::Mxf8f6f4, 5) | (TcKind::Mxf4 | TcKind::Mxf4nvf4, 1) => Format::E2m1,
        _ => return None,
    })
}

pub(super) enum TcA {
    Tensor(TmemAddress),
    Shared(SharedMatrix),
}

/// What a matrix product needs when it lands.
pub(super) struct TcWork {
    pub(super) blocks: Vec<BlockId>,
    pub(super) accumulator: Accumulator,
    pub(super) d_column: u32,
    pub(super) a: TcA,
    pub(super) b: SharedMatrix,
    pub(super) m: u32,
    pub(super) n: u32,
    pub(super) k: usize,
    pub(super) bytes: u32,
    /// The formats of A and B, where elements of less than 8 bits are padded; none where they fill their bytes.
    pub(super) padded: Option<[Format; 2]>,
}

impl TcWork {
    /// Rows of A, those of the even block first; from tensor memory as the lanes hold them that have a column of D.
    pub(super) fn gather_a(&self, memories: &Memories, column: u32, out: &mut [u32]) -> Result<(), JobFault> {
        let rows = self.m as usize / self.blocks.len();
        for (&block, out) in self.blocks.iter().zip(out.chunks_mut((rows * self.k).max(1))) {
            match &self.a {
                TcA::Shared(a) => a.gather(memories, Space::Shared(block), 0..rows, self.k, out)?,
                TcA::Tensor(at) => {
                    let space = Space::Tensor(block);
                    let len = self.k as u64 * u64::from(self.bytes);
                    for (row, out) in (0u32..).zip(out.chunks_mut(self.k.max(1))) {
                        let lane = self.accumulator.place(row, column).map_or(0, |p| p.lane);
                        let address = cell(lane, at.column());
                        let fault = JobFault { space, address, len, write: false };
                        let bytes = memories.bytes(space, address, len).map_err(|_| fault)?;
                        for (place, element) in out.iter_mut().zip(bytes.chunks_exact(self.bytes as usize)) {
                            *place = read(element) as u32;
                        }
                    }
                }
            }
        }
        match (&self.a, self.padded) {
            (TcA::Shared(_), Some([format, _])) => unpack_padded(format, out),
            (TcA::Tensor(_), Some([format, _])) => unpack_centred(format, out),
            (_, None) => {}
        }
        Ok(())
    }

    /// Columns of B, those of the even block first.
    pub(super) fn gather_b(&self, memories: &Memories, out: &mut [u32]) -> Result<(), JobFault> {
        let columns = self.n as usize / self.blocks.len();
        for (&block, out) in self.blocks.iter().zip(out.chunks_mut((columns * self.k).max(1))) {
            self.b.gather(memories, Space::Shared(block), 0..columns, self.k, out)?;
        }
        if let Some([_, format]) = self.padded {
            unpack_padded(format, out);
        }
        Ok(())
    }

    /// Runs of columns of D that lie side by side: row, first column, space, address.
    fn runs(&self) -> impl Iterator<Item = (u32, u32, Space, u32)> + '_ {
        let width = self.accumulator.columns();
        (0..self.m).flat_map(move |row| {
            (0..self.n).step_by(width as usize).filter_map(move |column| {
                let p = self.accumulator.place(row, column)?;
                let block = *self.blocks.get(p.block as usize)?;
                Some((row, column, Space::Tensor(block), p.lane))
            })
        })
    }

    /// What D holds, row by row.
    pub(super) fn read_d(&self, memories: &Memories, halves: bool, d: &mut [u32]) -> Result<(), JobFault> {
        let len = u64::from(self.accumulator.columns()) * 4;
        for (row, column, space, lane) in self.runs() {
            let address = cell(lane, self.d_column);
            let fault = JobFault { space, address, len, write: false };
            let bytes = memories.bytes(space, address, len).map_err(|_| fault)?;
            let places = d.iter_mut().skip((row * self.n + column) as usize);
            for (e, word) in places.zip(bytes.chunks_exact(4)) {
                *e = read(word) as u32 & if halves { 0xffff } else { u32::MAX };
            }
        }
        Ok(())
    }

    pub(super) fn write_d(
        &self,
        memories: &mut Memories,
        d: &[u32],
        halves: bool,
        disabled: &[u32],
    ) -> Result<(), JobFault> {
        let width = self.accumulator.columns() as usize;
        for (row, column, space, lane) in self.runs() {
            if disabled.get(lane as usize / 32).is_some_and(|m| m >> (lane % 32) & 1 == 1) {
                continue;
            }
            let (address, len) = (cell(lane, self.d_column), width as u64 * 4);
            let fault = JobFault { space, address, len, write: true };
            let bytes = memories.bytes_mut(space, address, len).map_err(|_| fault)?;
            let start = (row * self.n + column) as usize;
            for (word, &e) in bytes.chunks_exact_mut(4).zip(&d[start..start + width]) {
                // A half-precision element lies in the low half of its cell.
                write(if halves { &mut word[..2] } else { word }, u64::from(e));
            }
        }
        Ok(())
    }
}
