//! Block-scaled products of tensor memory: `tcgen05.mma` of kinds `mxf8f6f4`, `mxf4` and `mxf4nvf4`.
//!
//! manual: PTX ISA, "Block scaling" of tcgen05.mma: one 8-bit factor for each row and block of K. The factors of row `r` lie
//! in lane `r mod 32` and column `r / 32` after the address, in the byte that the instruction descriptor names; the other
//! three quarters of the lanes hold the same again.
//!
//! inferred: the sum of a result is exact and rounded once to single precision; no device was measured.

use tilehaul_descriptor::nvidia::{InstructionDescriptor, MatrixUnit};
use tilehaul_layout::tmem::{Accumulator, CtaGroup, Datapath, MmaForm, TmemAddress};
use tilehaul_machine::{AccessKind, JobFault, Memories, Space, Touch};
use tilehaul_mma::{Format, to_f32};

use super::products::{TcA, TcWork, operand_format};
use super::tmem::cell;
use super::{Cx, Stop};
use crate::inst::{TcKind, TcMmaOp, TcScales};
use crate::program::TC;

/// Bytes of K of one instruction and row.
const ROW_BYTES: usize = 32;

impl Cx<'_> {
    pub(super) fn tc_scaled_of(&mut self, op: &TcMmaOp, scales: TcScales, lane: usize) -> Result<(), Stop> {
        let (idesc, own) = InstructionDescriptor::scaled(self.reg(op.idesc)[lane] as u32);
        let name = self.p.name(self.pc).to_owned();
        let unsupported = |what: &str| Stop::Unsupported(format!("{name}: {what}"));
        let format = |number| operand_format(op.kind, number);
        let (Some(a_format), Some(b_format)) = (format(idesc.a_type), format(idesc.b_type)) else {
            return Err(unsupported("this operand type in its instruction descriptor"));
        };
        if idesc.sparse {
            return Err(unsupported("sparse operands"));
        }
        let packed = op.kind != TcKind::Mxf8f6f4;
        if packed && own.larger_k {
            return Err(unsupported("K of 96"));
        }
        let wide = |format| matches!(format, Format::E4m3 | Format::E5m2);
        let (turn_a, turn_b) = (idesc.a_mn_major, idesc.b_mn_major);
        if turn_a && !wide(a_format) || turn_b && !wide(b_format) {
            return Err(unsupported("operands of 4 or 6 bits that do not run along K"));
        }
        let (m, n) = (idesc.m, idesc.n);
        if op.pair && m == 128 {
            return Err(unsupported("64 rows of each block of a pair"));
        }
        let cta_group = if op.pair { CtaGroup::Two } else { CtaGroup::One };
        let form = MmaForm { m, cta_group, weight_stationary: false, sparse: false, integer: false };
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
        let b = self.shared_matrix(MatrixUnit::Tcgen05, self.reg(op.b)[lane], turn_b, 1)?;
        let a = match op.a_in_tensor {
            Some(offset) => TcA::Tensor(TmemAddress(self.reg(op.a)[lane].wrapping_add_signed(offset) as u32)),
            None => TcA::Shared(self.shared_matrix(MatrixUnit::Tcgen05, self.reg(op.a)[lane], turn_a, 1)?),
        };
        let who = self.who_of(1 << lane);
        let (rows, columns) = (m / shares, n / shares);
        let at = |addr| TmemAddress(self.address(addr, lane) as u32);
        let power = own.powers_of_two;
        let factors =
            |at: TmemAddress, rows: u32, first: u32| Factors { at, rows, each: scales.each, first, power };
        // inferred: CUTLASS's layouts of pairs: each block holds the factors of its own rows of A, and those of all columns
        // of B, whose elements it holds half of.
        let a_scales = factors(at(scales.a), rows, own.a_scale);
        let b_scales = factors(at(scales.b), n, own.b_scale);
        for factors in [&a_scales, &b_scales] {
            if factors.first + factors.each > 4 {
                return Err(unsupported("factors beyond the four bytes of a cell"));
            }
            self.check_allocated(factors.at.column(), factors.rows.div_ceil(32));
        }
        if let TcA::Tensor(at) = &a {
            self.check_allocated(at.column(), ROW_BYTES as u32 / 4);
        }
        let enabled = self.truth(op.enable) >> lane & 1 == 1;
        let mut touches = Vec::new();
        for &block in &blocks {
            let (shared, tensor) = (Space::Shared(block), Space::Tensor(block));
            b.touch(shared, 0..columns as usize, ROW_BYTES, &mut touches);
            let (address, arrangement) = b.arranged();
            self.core.reads_arranged(who, shared, address, arrangement);
            let cells = |kind, at: TmemAddress, lanes: u32, words: u32| {
                (0..lanes).map(move |l| Touch {
                    space: tensor,
                    start: cell(at.lane() + l, at.column()),
                    len: u64::from(words) * 4,
                    kind,
                    lane: 0,
                })
            };
            match &a {
                TcA::Shared(a) => {
                    a.touch(shared, 0..rows as usize, ROW_BYTES, &mut touches);
                    let (address, arrangement) = a.arranged();
                    self.core.reads_arranged(who, shared, address, arrangement);
                }
                TcA::Tensor(at) => touches.extend(cells(AccessKind::Read, *at, rows, ROW_BYTES as u32 / 4)),
            }
            for factors in [&a_scales, &b_scales] {
                touches.extend(cells(AccessKind::Read, factors.at, 32, factors.rows.div_ceil(32)));
            }
            let kind = if enabled { AccessKind::Atomic } else { AccessKind::Write };
            touches.extend(cells(kind, d_at, 128, accumulator.columns()));
        }
        let flip = if idesc.negates() { -1.0 } else { 1.0 };
        let padded = (!packed).then_some([a_format, b_format]);
        let work = TcWork {
            blocks,
            accumulator,
            d_column: d_at.column(),
            a,
            b,
            m,
            n,
            k: ROW_BYTES,
            bytes: 1,
            padded,
        };
        let each = scales.each as usize;
        let call = Box::new(move |memories: &mut Memories| {
            let (mut a, mut b) = (vec![0; m as usize * ROW_BYTES], vec![0; n as usize * ROW_BYTES]);
            work.gather_a(memories, 0, &mut a)?;
            work.gather_b(memories, &mut b)?;
            let (a, b) = (values(a_format, packed, &a), values(b_format, packed, &b));
            // Of each block, its rows of A and all columns of B.
            let mut factors = Vec::new();
            for &block in &work.blocks {
                let tensor = Space::Tensor(block);
                factors.push((a_scales.read(memories, tensor)?, b_scales.read(memories, tensor)?));
            }
            let mut c = vec![0; (m * n) as usize];
            if enabled {
                work.read_d(memories, false, &mut c)?;
            }
            let k = if packed { 2 * ROW_BYTES } else { ROW_BYTES };
            let mut d = vec![0u32; (m * n) as usize];
            for (i, e) in d.iter_mut().enumerate() {
                let (row, column) = (i / n as usize, i % n as usize);
                let (x, y) = (&a[row * k..][..k], &b[column * k..][..k]);
                let (own, row) = (row / rows as usize, row % rows as usize);
                let Some((sa, sb)) = factors.get(own) else { continue };
                let blocks = x.chunks(k / each).zip(y.chunks(k / each)).enumerate();
                let sum: f64 = blocks
                    .map(|(j, (x, y))| {
                        let dot: f64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
                        dot * sa[row * each + j] * sb[column * each + j]
                    })
                    .sum();
                let old = f64::from(f32::from_bits(c[i]));
                *e = ((old + flip * sum) as f32).to_bits();
            }
            work.write_d(memories, &d, false, &[])
        });
        self.start_as(who, "tcgen05.mma", touches, call, TC)?;
        Ok(())
    }
}

/// Factors of the rows of an operand.
#[derive(Clone, Copy, Debug)]
struct Factors {
    at: TmemAddress,
    rows: u32,
    /// Of one row.
    each: u32,
    /// The byte of the first one.
    first: u32,
    /// Powers of two; numbers of four exponent and three mantissa bits otherwise.
    power: bool,
}

impl Factors {
    /// Row by row.
    fn read(&self, memories: &Memories, space: Space) -> Result<Vec<f64>, JobFault> {
        let mut all = Vec::with_capacity((self.rows * self.each) as usize);
        for row in 0..self.rows {
            let address = cell(self.at.lane() + row % 32, self.at.column() + row / 32);
            let fault = JobFault { space, address, len: 4, write: false };
            let bytes = memories.bytes(space, address, 4).map_err(|_| fault)?;
            for i in 0..self.each {
                let raw = bytes.get((self.first + i) as usize).copied().unwrap_or(0);
                all.push(self.value(raw));
            }
        }
        Ok(all)
    }

    fn value(&self, raw: u8) -> f64 {
        match (self.power, raw) {
            (true, 255) => f64::NAN,
            (true, _) => 2f64.powi(i32::from(raw) - 127),
            (false, _) => f64::from(to_f32(Format::E4m3, u64::from(raw & 0x7f))),
        }
    }
}

/// The elements of rows of 32 bytes.
fn values(format: Format, packed: bool, bytes: &[u32]) -> Vec<f64> {
    let value = |raw: u32| f64::from(to_f32(format, u64::from(raw)));
    if packed {
        return bytes.iter().flat_map(|byte| [byte & 15, byte >> 4 & 15]).map(value).collect();
    }
    bytes.iter().copied().map(value).collect()
}
