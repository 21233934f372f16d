//! Matrices in registers and in shared memory: `ldmatrix`, `mma.sync`, `wgmma`.
//!
//! Fragments (manual: PTX ISA, "Matrix Fragments"): lane `l` has group `g = l / 4` and `t = l % 4`. A 32-bit register of A
//! holds one word of a row: register `r` is row `g + 8 (r mod 2)`, word `t + 4 (r / 2)`; of B column `g`, word `t + 4 r`.
//! A result register pair holds columns `2t` and `2t + 1` of row `g`, the next pair of row `g + 8`, then eight columns on.
//!
//! A `wgmma` is one operation for each warp: it reads shared memory at any time until its group is waited for, and its
//! accumulator leaves the registers until then.

use std::cell::RefCell;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};
use tilehaul_descriptor::nvidia::{MatrixDescriptor, MatrixUnit, Swizzle};
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{
    Access, AccessKind, CallJob, End, JobFault, Memories, NewOp, Part, Proxy, Space, Touch,
};
use tilehaul_mma::{Format, Operands, Overflow, Product, Sign, catalogue};

use super::memory::Where;
use super::{Cx, Step, Stepped, Stop, put};
use crate::alu::Lanes;
use crate::inst::{AccType, Addr, Inst, Mem, MmaOp, MmaType, WgmmaOp};
use crate::program::{TC_LD, WGMMA};
use crate::wave::{Form, Pending, RegisterFence};

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

    /// Rows of 16 bytes that lanes address: lane `8 i + j` names row `j` of matrix `i`.
    fn row_addresses(
        &self,
        addr: Addr,
        space: Mem,
        matrices: usize,
    ) -> Result<(Vec<(Space, u64)>, u32), Stop> {
        let addresses = self.addresses(addr);
        let lanes = if matrices >= 4 { u32::MAX } else { (1u32 << (8 * matrices)) - 1 };
        let mut rows = Vec::with_capacity(8 * matrices);
        #[expect(clippy::needless_range_loop, reason = "a lane number indexes several registers")]
        for lane in 0..8 * matrices {
            if !addresses[lane].is_multiple_of(16) {
                let message = format!(
                    "{}: lane {lane} names row address {:#x}, which is no multiple of 16 (CUDA error 716)",
                    self.p.name(self.pc),
                    addresses[lane]
                );
                return Err(self.fail("misaligned-access", message));
            }
            match self.resolve(space, addresses[lane])? {
                (Where::Memory(space @ Space::Shared(_)), at) => rows.push((space, at)),
                _ => {
                    return Err(self.fail(
                        "matrix-space",
                        format!("{} of memory that is not shared", self.p.name(self.pc)),
                    ));
                }
            }
        }
        Ok((rows, lanes))
    }

    fn ldmatrix(&mut self, d: &[u32], addr: Addr, space: Mem, transpose: bool) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let (rows, lanes) = self.row_addresses(addr, space, d.len())?;
        let mut data = [[0u8; 16]; 32];
        let mut inside = [0u64; 64];
        for (slot, row) in inside.iter_mut().zip(&rows) {
            *slot = row.1;
        }
        let Some(&(space, _)) = rows.first() else { return Ok(Step::Next) };
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
        let (rows, lanes) = self.row_addresses(addr, space, s.len())?;
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
        let mut inside = [0u64; 64];
        for (slot, row) in inside.iter_mut().zip(&rows) {
            *slot = row.1;
        }
        let Some(&(space, _)) = rows.first() else { return Ok(Step::Next) };
        let access = Access::new(self.who_of(lanes), space, &inside, 16);
        let stored = self.core.store(&access, |lane, bytes| bytes.copy_from_slice(&data[lane as usize & 31]));
        stored.map_err(|t| self.trap(t))?;
        Ok(Step::Next)
    }

    fn mma(&mut self, op: &MmaOp) -> Stepped {
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
        let (a, b, acc) = (format(op.a_type), format(op.b_type), accumulator(op.d_type));
        let unit = if blackwell(self.p.architecture.name) {
            catalogue::nvidia_blackwell
        } else {
            catalogue::nvidia_mma
        };
        let product = unit(a, b, acc, op.k as usize, overflow);
        let Some(product) = product.map(|product| product.summed(self.p.sums)) else {
            return Err(Stop::Unsupported(format!("the arithmetic of {}", self.p.name(self.pc))));
        };
        let (m, n, k) = (op.m as usize, op.n as usize, op.k as usize);
        if op.a_type == MmaType::F64 {
            return self.mma_f64(op, &product, m, n, k);
        }
        let bytes = op.a_type.bytes() as usize;
        // Room for every form without going to the heap.
        let mut a: SmallVec<[u32; 512]> = smallvec![0; m * k];
        let mut b: SmallVec<[u32; 256]> = smallvec![0; n * k];
        let (mut c, mut d): (SmallVec<[u32; 128]>, SmallVec<[u32; 128]>) =
            (smallvec![0; m * n], smallvec![0; m * n]);
        self.fragment(&op.a, k, bytes, m == 16, &mut a);
        self.fragment(&op.b, k, bytes, false, &mut b);
        let form = ResultForm { n, halves: op.d_type == AccType::F16, eight_rows: m == 8 };
        self.gather_result(&op.c, form, &mut c);
        let operands =
            Operands { rows: m, columns: n, a: &a[..], b: &b[..], c: Some(&c[..]), sign: Sign::Keep };
        product.multiply(&operands, &mut d).map_err(|e| Stop::Unsupported(e.to_string()))?;
        for (r, &slot) in op.d.iter().enumerate() {
            self.set(slot, &form.registers(&d, r));
        }
        Ok(Step::Next)
    }

    /// The elements of a fragment, row by row: `k` of each row, `bytes` each. `tall` for 16 rows in two halves.
    fn fragment(&self, regs: &[u32], k: usize, bytes: usize, tall: bool, out: &mut [u32]) {
        for (r, &slot) in regs.iter().enumerate() {
            let (row_step, word_step) = if tall { (r % 2, r / 2) } else { (0, r) };
            let first = 8 * row_step * k + 4 * word_step * (4 / bytes);
            let Some(out) = out.get_mut(first..) else { continue };
            let row = self.reg(slot);
            match bytes {
                1 => spread::<4>(row, k, out),
                2 => spread::<2>(row, k, out),
                _ => spread::<1>(row, k, out),
            }
        }
    }

    fn gather_result(&self, regs: &[u32], form: ResultForm, c: &mut [u32]) {
        for (r, &slot) in regs.iter().enumerate() {
            let Some(rows) = c.get_mut(form.first(r)..) else { continue };
            let held = self.reg(slot).as_chunks::<4>().0;
            for (four, row) in held.iter().zip(rows.chunks_mut(form.n)) {
                for (v, pair) in four.iter().zip(row.as_chunks_mut::<2>().0) {
                    if form.halves {
                        *pair = [*v as u32 & 0xffff, (*v >> 16) as u32 & 0xffff];
                    } else {
                        pair[r % 2] = *v as u32;
                    }
                }
            }
        }
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
        product.multiply(&operands, &mut d).map_err(|e| Stop::Unsupported(e.to_string()))?;
        for (i, &slot) in op.d.iter().enumerate() {
            let mut out = [0; 32];
            for (lane, v) in out.iter_mut().enumerate() {
                *v = d[(lane / 4 + 8 * (i / 2)) * n + 2 * (lane % 4) + i % 2];
            }
            self.set(slot, &out);
        }
        Ok(Step::Next)
    }

    fn wgmma(&mut self, op: &WgmmaOp) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let (n, k) = (op.n as usize, op.k as usize);
        let bytes = op.a_type.bytes();
        let overflow = if op.saturate { Overflow::Saturate } else { Overflow::Wrap };
        let product = catalogue::nvidia_wgmma(
            format(op.a_type),
            format(op.b_type),
            accumulator(op.d_type),
            k,
            overflow,
        );
        let Some(product) = product.map(|product| product.summed(self.p.sums)) else {
            return Err(Stop::Unsupported(format!("the arithmetic of {}", self.p.name(self.pc))));
        };
        let block = self.w.info.block.id;
        let space = Space::Shared(block);
        let first = self.first();
        let b = self.shared_matrix(MatrixUnit::Wgmma, self.reg(op.b)[first], op.transpose_b, bytes)?;
        // Each warp of the warpgroup computes 16 rows.
        let rows = 16 * (self.w.info.number % 4) as usize;
        let (mut touches, told) = (Vec::new(), self.core.wants_touches());
        if told {
            b.touch(space, 0..n, k, &mut touches);
        }
        self.core.reads_arranged(self.who(), space, b.start, arrangement(b.swizzle));
        let a = if op.a.len() == 4 {
            let mut matrix = vec![0u32; 16 * k];
            self.fragment(&op.a, k, bytes as usize, true, &mut matrix);
            ASource::Registers(matrix)
        } else {
            let desc = op.a.first().map_or(0, |&slot| self.reg(slot)[first]);
            let a = self.shared_matrix(MatrixUnit::Wgmma, desc, op.transpose_a, bytes)?;
            if told {
                a.touch(space, rows..rows + 16, k, &mut touches);
            }
            self.core.reads_arranged(self.who(), space, a.start, arrangement(a.swizzle));
            ASource::Shared(a)
        };
        let accumulates = self.truth(op.scale_d) >> first & 1 == 1;
        let sign = if op.negate_a != op.negate_b { Sign::Flip } else { Sign::Keep };
        let data = self.accumulator_of(op, n);
        let seq = self.w.wgmma_seq + 1;
        self.w.wgmma_seq = seq;
        if let Some(p) = self.w.pending.iter_mut().find(|p| Rc::ptr_eq(&p.data, &data)) {
            p.seq = seq;
        }
        let call = Box::new(move |memories: &mut Memories| {
            let gathered;
            let a = match &a {
                ASource::Registers(a) => a,
                ASource::Shared(m) => {
                    gathered = m.gather(memories, space, rows..rows + 16, k)?;
                    &gathered
                }
            };
            let b = b.gather(memories, space, 0..n, k)?;
            let mut acc = data.borrow_mut();
            let old = acc.clone();
            let c = accumulates.then_some(&old[..]);
            let operands = Operands { rows: 16, columns: n, a, b: &b, c, sign };
            // The shapes agree by construction, so the product cannot refuse them.
            let _ = product.multiply(&operands, &mut acc);
            Ok(())
        });
        let who = self.who();
        let job = Box::new(CallJob::new(touches, 0, call));
        let new = NewOp { who, what: "wgmma", proxy: Proxy::Async, job, end: End::Channel(WGMMA) };
        self.core.issue(new).map_err(|t| self.trap(t))?;
        Ok(Step::Next)
    }

    /// The accumulator of a product: that of an earlier one on the same registers, or what the registers hold.
    fn accumulator_of(&mut self, op: &WgmmaOp, n: usize) -> Rc<RefCell<Vec<u32>>> {
        let form = Form::Accumulator { n, halves: op.d_type == AccType::F16 };
        let same = |p: &&Pending| p.kind == WGMMA && *p.slots == *op.d && p.form == form;
        if let Some(p) = self.w.pending.iter().find(same) {
            return Rc::clone(&p.data);
        }
        let mut held = vec![0; 16 * n];
        self.gather_result(
            &op.d,
            ResultForm { n, halves: op.d_type == AccType::F16, eight_rows: false },
            &mut held,
        );
        self.need_register_fence(op, &held);
        let data = Rc::new(RefCell::new(held));
        self.w.pending.push(Pending {
            kind: WGMMA,
            seq: 0,
            slots: op.d.iter().copied().collect(),
            data: Rc::clone(&data),
            form,
            lanes: self.mask,
        });
        data
    }

    /// A product needs a wgmma.fence before it when it is the warp's first, and when its accumulator was changed since the
    /// product before it. May miss a change behind a fence and a branch; never reports registers that only products touched.
    fn need_register_fence(&mut self, op: &WgmmaOp, held: &[u32]) {
        if !self.core.watching() {
            return;
        }
        let left = self.w.wgmma_left.iter().find(|(s, _)| s[..] == op.d[..]);
        // Registers of an accumulator that starts at zero anyhow may hold anything.
        let reads = op.a.len() > 1 || self.truth(op.scale_d) & self.mask != 0;
        let why = match self.w.wgmma_fence {
            RegisterFence::None => "no wgmma.fence comes before the warp's first wgmma.mma_async",
            RegisterFence::Old if left.is_some_and(|(_, values)| values != held) => {
                "no wgmma.fence comes between a change of the accumulator's registers and this wgmma.mma_async"
            }
            RegisterFence::Fresh if op.changed && reads => {
                "registers that this wgmma.mma_async reads are written behind the last wgmma.fence"
            }
            RegisterFence::Old | RegisterFence::Fresh => return,
        };
        let who = self.who();
        self.core.report(
            who,
            Diagnostic::new(
                Code("wgmma-fence-missing"),
                Level::Warning,
                format!("{why}: the product may read registers from before"),
            )
            .fix("Execute wgmma.fence.sync.aligned before the product.")
            .source(Source::manual("PTX ISA, wgmma.fence; ptxas 13 waits where it sees one missing")),
        );
    }

    fn wgmma_wait(&mut self, n: u32) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        self.core.wait_group(self.who(), WGMMA, n, Part::All).map_err(|t| self.trap(t))?;
        let mut proven = 0;
        while self.w.wgmma_commits.len() > n as usize {
            proven = self.w.wgmma_commits.pop_front().unwrap_or(0);
        }
        self.w.wgmma_proven = self.w.wgmma_proven.max(proven);
        let proven = self.w.wgmma_proven;
        self.retire(|p| p.kind == WGMMA && p.seq <= proven);
        Ok(Step::Next)
    }

    /// Writes back and forgets what some finished operations left for registers.
    pub(crate) fn retire(&mut self, mut done: impl FnMut(&Pending) -> bool) {
        let mut i = 0;
        while let Some(p) = self.w.pending.get(i) {
            if !done(p) {
                i += 1;
                continue;
            }
            let p = self.w.pending.swap_remove(i);
            let data = p.data.borrow();
            if p.kind == WGMMA && self.w.wgmma_fence == RegisterFence::Fresh {
                self.w.wgmma_fence = RegisterFence::Old;
            }
            if p.kind == WGMMA && self.core.watching() {
                self.w.wgmma_left.retain(|(slots, _)| slots[..] != p.slots[..]);
                self.w.wgmma_left.push((p.slots.to_vec(), data.clone()));
            }
            for (r, &slot) in p.slots.iter().enumerate() {
                let row = match p.form {
                    Form::PerSlot => {
                        std::array::from_fn(|lane| data.get(r * 32 + lane).copied().map_or(0, u64::from))
                    }
                    Form::Accumulator { n, halves } => {
                        ResultForm { n, halves, eight_rows: false }.registers(&data, r)
                    }
                };
                put(&mut self.w.regs[slot as usize], &row, p.lanes);
            }
        }
    }

    /// Before an instruction executes: registers that it names must have arrived.
    pub(crate) fn settle_registers(&mut self) -> Result<(), Stop> {
        let touched = &self.p.code.touched[self.pc as usize];
        let inst = &self.p.code.insts[self.pc as usize];
        let mut i = 0;
        while let Some(p) = self.w.pending.get(i) {
            let named = p.slots.iter().find(|s| touched.binary_search(s).is_ok()).copied();
            // Products that continue an accumulator are kept in order by the hardware.
            let continues = match inst {
                Inst::Wgmma(op) => {
                    p.kind == WGMMA && *op.d == *p.slots && !op.a.iter().any(|a| p.slots.contains(a))
                }
                _ => false,
            };
            if named.is_none() || continues {
                i += 1;
                continue;
            }
            let (kind, seq) = (p.kind, p.seq);
            let who = self.who_of(p.lanes);
            self.report_early_use(kind, inst);
            self.core.wait_channel(who, kind, seq).map_err(|t| self.trap(t))?;
            self.retire(|p| p.kind == kind && p.seq <= seq);
            i = 0;
        }
        Ok(())
    }

    fn report_early_use(&mut self, kind: tilehaul_machine::ChannelKind, inst: &Inst) {
        let name = self.p.name(self.pc).to_owned();
        let who = self.who();
        if kind == TC_LD {
            let message = format!("{name} uses registers of a tcgen05.ld before tcgen05.wait::ld");
            self.core.report(
                who,
                Diagnostic::new(Code("tcgen05-ld-used-before-wait"), Level::Warning, message)
                    .fix("Execute tcgen05.wait::ld between the load and the first use.")
                    .source(Source::manual(
                        "PTX ISA, tcgen05.wait; the hardware waits at the first true dependence",
                    )),
            );
            return;
        }
        // ptxas waits before a plain copy of an accumulator (its warning C7510), which compilers rely on.
        let copies = matches!(inst, Inst::Mask { .. } | Inst::Pack { .. } | Inst::Unpack { .. });
        let level = if copies { Level::Warning } else { Level::Error };
        let message =
            format!("{name} uses registers of a wgmma.mma_async before wgmma.wait_group has waited for it");
        self.core.report(
            who,
            Diagnostic::new(Code("wgmma-registers-in-flight"), level, message)
                .fix("Execute wgmma.commit_group and wgmma.wait_group before the registers are used.")
                .source(Source::manual("PTX ISA, wgmma.mma_async")),
        );
    }

    pub(crate) fn shared_matrix(
        &self,
        unit: MatrixUnit,
        word: u64,
        transpose: bool,
        bytes: u32,
    ) -> Result<SharedMatrix, Stop> {
        if unit == MatrixUnit::Tcgen05 && word >> 46 & 7 != 1 {
            let message = format!(
                "bits 48 to 46 of the matrix descriptor {word:#018x} are {:#05b}; those of a tcgen05 descriptor are 0b001 (0b000 is the form of wgmma)",
                word >> 46 & 7
            );
            return Err(self.trap(Box::new(
                Diagnostic::new(Code("matrix-descriptor-constant"), Level::Error, message)
                    .fix(format!("Use {:#018x}.", word & !(7 << 46) | 1 << 46))
                    .source(Source::manual("PTX ISA, tcgen05 shared memory descriptor")),
            )));
        }
        match MatrixDescriptor::decode(unit, word) {
            Some(d) => Ok(SharedMatrix {
                start: u64::from(d.start),
                leading: u64::from(d.leading),
                stride: u64::from(d.stride),
                swizzle: d.swizzle,
                transpose,
                bytes: u64::from(bytes),
            }),
            None => {
                let message =
                    format!("the matrix descriptor {word:#018x} has a swizzle code without a meaning");
                Err(self.fail("matrix-descriptor-swizzle", message))
            }
        }
    }
}

enum ASource {
    Registers(Vec<u32>),
    Shared(SharedMatrix),
}

/// An operand in shared memory: rows of M (or columns of N) along K.
///
/// A swizzle in words, as descriptors of both sides are compared by.
pub(crate) fn arrangement(swizzle: Swizzle) -> &'static str {
    match swizzle.span() {
        None => "no swizzle",
        Some(32) => "32B swizzle",
        Some(64) => "64B swizzle",
        Some(96) => "96B swizzle",
        Some(_) => "128B swizzle",
    }
}

/// manual: PTX ISA, canonical layouts. K-major: eight rows of a swizzled width, groups of eight `stride` apart; without
/// swizzle core matrices of 8 rows by 16 bytes, `leading` apart along K. MN-major: the swizzled width runs along M or N,
/// the next width is `leading` further, eight steps of K `stride` further.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedMatrix {
    start: u64,
    leading: u64,
    stride: u64,
    swizzle: Swizzle,
    transpose: bool,
    bytes: u64,
}

impl SharedMatrix {
    /// Its first byte and its swizzle in words.
    pub(crate) fn arranged(&self) -> (u64, &'static str) {
        (self.start, arrangement(self.swizzle))
    }

    /// Shared-memory address of element (`row`, `k`).
    pub(crate) fn address(&self, row: usize, k: usize) -> u64 {
        self.swizzled(self.row_part(row), self.k_part(k))
    }

    /// 18 address bits: hardware wraps, what is past the block is caught when it is read.
    fn swizzled(&self, row_part: u64, k_part: u64) -> u64 {
        self.swizzle.permute(self.start + row_part + k_part)
    }

    /// What a row adds to an address.
    fn row_part(&self, row: usize) -> u64 {
        let (row, width) = (row as u64, self.width());
        if !self.transpose {
            return row / 8 * self.stride + row % 8 * width;
        }
        let along = row * self.bytes;
        let across = if self.swizzle.span().is_none() { self.stride } else { self.leading };
        along / width * across + along % width
    }

    /// What a place along K adds.
    fn k_part(&self, k: usize) -> u64 {
        let (k, width) = (k as u64, self.width());
        if self.transpose {
            let group = if self.swizzle.span().is_none() { self.leading } else { self.stride };
            return k % 8 * width + k / 8 * group;
        }
        let along = k * self.bytes;
        along / width * self.leading + along % width
    }

    fn width(&self) -> u64 {
        self.swizzle.span().map_or(16, u64::from)
    }

    fn chunks(&self, rows: std::ops::Range<usize>, k: usize) -> Vec<u64> {
        let step = (16 / self.bytes) as usize;
        let mut all = Vec::new();
        if self.transpose {
            for k in 0..k {
                all.extend(rows.clone().step_by(step).map(|row| self.address(row, k) & !15));
            }
        } else {
            for row in rows {
                all.extend((0..k).step_by(step).map(|k| self.address(row, k) & !15));
            }
        }
        all
    }

    /// Tells what is read, neighbouring chunks joined.
    pub(crate) fn touch(
        &self,
        space: Space,
        rows: std::ops::Range<usize>,
        k: usize,
        touches: &mut Vec<Touch>,
    ) {
        let mut chunks = self.chunks(rows, k);
        chunks.sort_unstable();
        chunks.dedup();
        for chunk in chunks {
            match touches.last_mut() {
                Some(t) if t.space == space && t.start + t.len == chunk => t.len += 16,
                _ => touches.push(Touch { space, start: chunk, len: 16, kind: AccessKind::Read, lane: 0 }),
            }
        }
    }

    /// The elements, rows by K.
    pub(crate) fn gather(
        &self,
        memories: &Memories,
        space: Space,
        rows: std::ops::Range<usize>,
        k: usize,
    ) -> Result<Vec<u32>, JobFault> {
        let mut out = vec![0u32; rows.len() * k];
        match self.bytes {
            1 => self.gather_as::<1>(memories, space, rows, k, &mut out)?,
            2 => self.gather_as::<2>(memories, space, rows, k, &mut out)?,
            _ => self.gather_as::<4>(memories, space, rows, k, &mut out)?,
        }
        Ok(out)
    }

    /// The same for elements of `N` bytes.
    fn gather_as<const N: usize>(
        &self,
        memories: &Memories,
        space: Space,
        rows: std::ops::Range<usize>,
        k: usize,
        out: &mut [u32],
    ) -> Result<(), JobFault> {
        let (step, first) = (16 / N, rows.start);
        let all = memories.of_block(space);
        let chunk = |row_part: u64, k_part: u64| -> Result<&[[u8; N]], JobFault> {
            let address = self.swizzled(row_part, k_part);
            let fault = JobFault { space, address, len: 16, write: false };
            let bytes = all.get(address as usize..).and_then(<[u8]>::first_chunk::<16>).ok_or(fault)?;
            Ok(bytes.as_chunks().0)
        };
        let k_step = if self.transpose { 1 } else { step };
        let k_parts: SmallVec<[u64; 32]> = (0..k).step_by(k_step).map(|k| self.k_part(k)).collect();
        let widened = |element: &[u8; N]| {
            let mut raw = [0u8; 4];
            raw[..N].copy_from_slice(element);
            u32::from_le_bytes(raw)
        };
        if self.transpose {
            for row in rows.clone().step_by(step) {
                let (lines, row_part) = (&mut out[(row - first) * k..], self.row_part(row));
                for (at_k, k_part) in k_parts.iter().enumerate() {
                    let places = lines[at_k..].iter_mut().step_by(k);
                    for (e, element) in places.zip(chunk(row_part, *k_part)?) {
                        *e = widened(element);
                    }
                }
            }
        } else {
            for (row, line) in rows.zip(out.chunks_mut(k)) {
                let row_part = self.row_part(row);
                for (k_part, places) in k_parts.iter().zip(line.chunks_mut(step)) {
                    for (e, element) in places.iter_mut().zip(chunk(row_part, *k_part)?) {
                        *e = widened(element);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Puts the `PER` elements of each lane's word at the places of a fragment: four lanes to a row of `k`.
fn spread<const PER: usize>(words: &Lanes, k: usize, out: &mut [u32]) {
    let bits = 32 / PER;
    for (four, row) in words.chunks_exact(4).zip(out.chunks_mut(k)) {
        for (word, elements) in four.iter().zip(row.as_chunks_mut::<PER>().0) {
            for (i, e) in elements.iter_mut().enumerate() {
                *e = *word as u32 >> (bits * i) & (u32::MAX >> (32 - bits));
            }
        }
    }
}

/// Where the elements of a result with `n` columns lie in registers.
#[derive(Clone, Copy, Debug)]
struct ResultForm {
    n: usize,
    /// Two elements to a register.
    halves: bool,
    /// Eight rows instead of sixteen.
    eight_rows: bool,
}

impl ResultForm {
    /// Row-major place of the pair of elements that lane 0 has in register `r`, or one of which it has (the second one in
    /// odd registers); lane `l` has the pair `l / 4` rows down and `2 (l mod 4)` columns to the right.
    fn first(self, r: usize) -> usize {
        match (self.halves, self.eight_rows) {
            (true, _) => 8 * (r % 2) * self.n + 8 * (r / 2),
            (false, true) => 8 * (r / 2),
            (false, false) => 8 * (r / 2 % 2) * self.n + 8 * (r / 4),
        }
    }

    /// What the lanes hold in register `r` of a result.
    fn registers(self, d: &[u32], r: usize) -> Lanes {
        let mut out = [0; 32];
        let rows = d.get(self.first(r)..).unwrap_or_default();
        for (four, row) in out.as_chunks_mut::<4>().0.iter_mut().zip(rows.chunks(self.n)) {
            for (v, pair) in four.iter_mut().zip(row.as_chunks::<2>().0) {
                *v = if self.halves {
                    u64::from(pair[0] & 0xffff | pair[1] << 16)
                } else {
                    u64::from(pair[r % 2])
                };
            }
        }
        out
    }
}

pub(crate) fn format(ty: MmaType) -> Format {
    match ty {
        MmaType::F16 => Format::F16,
        MmaType::Bf16 => Format::Bf16,
        MmaType::Tf32 => Format::Tf32,
        MmaType::E4m3 => Format::E4m3,
        MmaType::E5m2 => Format::E5m2,
        MmaType::S8 => Format::S8,
        MmaType::U8 => Format::U8,
        MmaType::F64 => Format::F64,
    }
}

pub(crate) fn accumulator(ty: AccType) -> Format {
    match ty {
        AccType::F16 => Format::F16,
        AccType::F32 => Format::F32,
        AccType::S32 => Format::S32,
        AccType::F64 => Format::F64,
    }
}

/// sm_100 and later.
pub(crate) fn blackwell(name: &str) -> bool {
    name.trim_start_matches("sm_").trim_end_matches(['a', 'f']).parse::<u32>().is_ok_and(|n| n >= 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(swizzle: Swizzle, transpose: bool) -> SharedMatrix {
        SharedMatrix { start: 0, leading: 4096, stride: 1024, swizzle, transpose, bytes: 2 }
    }

    #[test]
    fn canonical_layouts() {
        let m = matrix(Swizzle::B128, false);
        assert_eq!(m.address(0, 8), 16);
        assert_eq!(m.address(1, 0), 128 + 16);
        assert_eq!(m.address(9, 0), 1024 + 128 + 16);
        let m = matrix(Swizzle::B128, true);
        assert_eq!(m.address(8, 0), 16);
        assert_eq!(m.address(0, 1), 128 + 16);
        assert_eq!(m.address(64, 0), 4096);
        assert_eq!(m.address(0, 8), 1024);
        let m = matrix(Swizzle::None, false);
        assert_eq!((m.address(1, 0), m.address(8, 0), m.address(0, 8)), (16, 1024, 4096));
        let m = matrix(Swizzle::None, true);
        assert_eq!((m.address(0, 1), m.address(8, 0), m.address(0, 8)), (16, 1024, 4096));
    }

    #[test]
    fn every_result_element_has_one_register() {
        for (n, halves) in [(8, false), (32, false), (16, true)] {
            let mut seen = vec![0; 16 * n];
            let registers = n / 2 / if halves { 2 } else { 1 };
            for lane in 0..32 {
                for r in 0..registers {
                    let first = ResultForm { n, halves, eight_rows: false }.first(r);
                    let odd = if halves { 0 } else { r % 2 };
                    let at = first + lane / 4 * n + lane % 4 * 2 + odd;
                    seen[at..at + if halves { 2 } else { 1 }].iter_mut().for_each(|count| *count += 1);
                }
            }
            assert!(seen.iter().all(|&s| s == 1), "{n} {halves}");
        }
    }
}
