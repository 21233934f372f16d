//! `wgmma`: products of a warpgroup, and registers that asynchronous operations have yet to fill.
//!
//! A `wgmma` is one operation of the warpgroup, of which each warp issues its part: the parts read shared memory at any time
//! until a warp of the warpgroup has waited for the group, and the accumulator leaves the registers until then.

use std::cell::RefCell;
use std::rc::Rc;

use tilehaul_descriptor::nvidia::MatrixUnit;
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{CallJob, End, Memories, NewOp, Part, Proxy, Space, WaitFor};
use tilehaul_mma::{Format, Operands, Overflow, Sign, catalogue};

use super::fragments::ResultForm;
use super::shared_matrix::SharedMatrix;
use super::warp_product::multiply_sparse;
use super::{Cx, Step, Stepped, Stop, put};
use crate::inst::{Inst, WgmmaOp};
use crate::program::{TC_LD, WGMMA};
use crate::wave::{Form, Pending, RegisterFence};

/// First of the block's slots that say how many products each warp has issued.
pub(super) const PRODUCT_SLOTS: u32 = 0x400;

enum ASource {
    Registers(Vec<u32>),
    Shared(SharedMatrix),
}

impl Cx<'_> {
    pub(super) fn wgmma(&mut self, op: &WgmmaOp) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let (n, k) = (op.n as usize, op.k as usize);
        let held = if op.sparse.is_some() { k / 2 } else { k };
        let bytes = op.a_type.bits() / 8;
        let overflow = if op.saturate { Overflow::Saturate } else { Overflow::Wrap };
        let product = catalogue::nvidia_wgmma(op.a_type, op.b_type, op.d_type, held, overflow);
        let Some(product) = product.map(|product| product.summed(self.p.sums)) else {
            return Err(Stop::Unsupported(format!("the arithmetic of {}", self.p.name(self.pc))));
        };
        let places = op.sparse.map(|sparse| self.places(sparse, 16, k)).transpose()?;
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
        self.judge_groups(&b, n as u64, "B");
        let (start, arrangement) = b.arranged();
        self.core.reads_arranged(self.who(), space, start, arrangement);
        let a = if op.a.len() == 4 {
            let mut matrix = vec![0u32; 16 * held];
            self.fragment(&op.a, held, bytes as usize, true, &mut matrix);
            ASource::Registers(matrix)
        } else {
            let desc = op.a.first().map_or(0, |&slot| self.reg(slot)[first]);
            let a = self.shared_matrix(MatrixUnit::Wgmma, desc, op.transpose_a, bytes)?;
            if told {
                a.touch(space, rows..rows + 16, held, &mut touches);
            }
            self.judge_groups(&a, 64, "A");
            let (start, arrangement) = a.arranged();
            self.core.reads_arranged(self.who(), space, start, arrangement);
            ASource::Shared(a)
        };
        let accumulates = self.truth(op.scale_d) >> first & 1 == 1;
        let sign = if op.negate_a != op.negate_b { Sign::Flip } else { Sign::Keep };
        let data = self.accumulator_of(op, n);
        let seq = self.w.wgmma_seq + 1;
        self.w.wgmma_seq = seq;
        self.warpgroup_agrees(op, seq);
        if let Some(p) = self.w.pending.iter_mut().find(|p| Rc::ptr_eq(&p.data, &data)) {
            p.seq = seq;
        }
        if self.core.watching() && op.a.len() > 1 {
            self.w.wgmma_inputs.extend(op.a.iter().map(|&slot| (seq, slot)));
        }
        let depth = held;
        let call = Box::new(move |memories: &mut Memories| {
            let mut work = product.workspace(16, n);
            match &a {
                ASource::Registers(a) => {
                    work.a().iter_mut().zip(a).for_each(|(place, element)| *place = *element);
                }
                ASource::Shared(m) => m.gather(memories, space, rows..rows + 16, depth, work.a())?,
            }
            if let Some(places) = &places {
                let mut all = vec![0; n * k];
                b.gather(memories, space, 0..n, k, &mut all)?;
                let mut held = data.borrow_mut();
                let old = held.clone();
                let c = accumulates.then_some(&old[..]);
                let operands = Operands { rows: 16, columns: n, a: work.a(), b: &all, c, sign };
                multiply_sparse(&product, &operands, k, places, &mut held);
                return Ok(());
            }
            b.gather(memories, space, 0..n, k, work.b())?;
            let mut held = data.borrow_mut();
            if accumulates {
                work.c().iter_mut().zip(&*held).for_each(|(place, element)| *place = *element);
            }
            work.multiply(sign, &mut held);
            Ok(())
        });
        let who = self.who();
        let job = Box::new(CallJob::new(touches, 0, call));
        let new = NewOp { who, what: "wgmma", proxy: Proxy::Async, job, end: End::Channel(WGMMA) };
        self.core.issue(new).map_err(|t| self.trap(t))?;
        self.core.set_block_slot(block, PRODUCT_SLOTS + self.w.info.number, seq.into());
        Ok(Step::Next)
    }

    /// The accumulator of a product: that of an earlier one on the same registers, or what the registers hold.
    fn accumulator_of(&mut self, op: &WgmmaOp, n: usize) -> Rc<RefCell<Vec<u32>>> {
        let form = Form::Accumulator { n, halves: op.d_type == Format::F16 };
        let same = |p: &&Pending| p.kind == WGMMA && *p.slots == *op.d && p.form == form;
        if let Some(p) = self.w.pending.iter().find(same) {
            return Rc::clone(&p.data);
        }
        let mut held = vec![0; 16 * n];
        self.gather_result(
            &op.d,
            ResultForm { n, halves: op.d_type == Format::F16, eight_rows: false },
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
        // A compiler may move what it takes for ordinary arithmetic behind a fence that names no registers, and ptxas waits for
        // it; where there is no fence at all, nobody meant one.
        let (why, level) = match self.w.wgmma_fence {
            RegisterFence::None => {
                ("no wgmma.fence comes before the warp's first wgmma.mma_async", Level::Error)
            }
            RegisterFence::Old if left.is_some_and(|(_, values)| values != held) => (
                "no wgmma.fence comes between a change of the accumulator's registers and this wgmma.mma_async",
                Level::Error,
            ),
            RegisterFence::Fresh if op.changed && reads => (
                "registers that this wgmma.mma_async reads are written behind the last wgmma.fence",
                Level::Warning,
            ),
            RegisterFence::Old | RegisterFence::Fresh => return,
        };
        let who = self.who();
        self.core.report(
            who,
            Diagnostic::new(
                Code("wgmma-fence-missing"),
                level,
                format!("{why}: the product may read registers from before"),
            )
            .fix("Execute wgmma.fence.sync.aligned before the product.")
            .source(Source::manual("PTX ISA, wgmma.fence; ptxas 13 waits where it sees one missing")),
        );
    }

    pub(super) fn wgmma_wait(&mut self, n: u32) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        // A product is one operation of the warpgroup: it is over for all of its warps or for none.
        // inferred: SASS waits on the scoreboard of the warpgroup (WARPGROUP.DEPBAR); CUTLASS sm90_pipeline.hpp lets one thread
        // of the warpgroup release the operands behind its own wait.
        let over = self.w.wgmma_commits.len().checked_sub(n as usize + 1);
        let over = over.and_then(|last| self.w.wgmma_commits.get(last).copied()).unwrap_or(0);
        if over > self.w.wgmma_proven {
            let block = self.w.info.block.id;
            for (warp, wave) in self.warpgroup() {
                if self.core.block_slot(block, PRODUCT_SLOTS + warp) < over.into()
                    && !self.core.wave_ended(wave)
                {
                    return Ok(Step::Block(WaitFor::Other(
                        "the other warps of its warpgroup to issue the same wgmma.mma_async",
                    )));
                }
            }
        }
        self.core.wait_group(self.who(), WGMMA, n, Part::All).map_err(|t| self.trap(t))?;
        if over > self.w.wgmma_proven {
            let who = self.who();
            for (_, wave) in self.warpgroup() {
                self.core.wait_for_part(who, wave, WGMMA, over).map_err(|t| self.trap(t))?;
            }
        }
        let mut proven = 0;
        while self.w.wgmma_commits.len() > n as usize {
            proven = self.w.wgmma_commits.pop_front().unwrap_or(0);
        }
        self.w.wgmma_proven = self.w.wgmma_proven.max(proven);
        let proven = self.w.wgmma_proven;
        self.retire(|p| p.kind == WGMMA && p.seq <= proven);
        self.w.wgmma_inputs.retain(|input| input.0 > proven);
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
            let regs = &mut self.w.regs;
            match p.form {
                Form::PerSlot => {
                    for (r, &slot) in p.slots.iter().enumerate() {
                        let row =
                            std::array::from_fn(|lane| data.get(r * 32 + lane).copied().map_or(0, u64::from));
                        put(&mut regs[slot as usize], &row, p.lanes);
                    }
                }
                Form::Accumulator { n, halves } => {
                    let form = ResultForm { n, halves, eight_rows: false };
                    form.each_register(&data, p.slots.len(), |r, held| {
                        put(&mut regs[p.slots[r] as usize], held, p.lanes);
                    });
                }
            }
        }
    }

    /// Before an instruction executes: registers that it names must have arrived.
    pub(crate) fn settle_registers(&mut self) -> Result<(), Stop> {
        if !self.w.wgmma_inputs.is_empty() {
            self.keeps_inputs();
        }
        let touched = &self.p.code.touched[self.pc as usize];
        let inst = self.p.code.insts[self.pc as usize].plain();
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

    /// The registers of A belong to a product until it has been waited for.
    fn keeps_inputs(&mut self) {
        let written = &self.p.code.written[self.pc as usize];
        if !self.w.wgmma_inputs.iter().any(|(_, slot)| written.contains(slot)) {
            return;
        }
        let message = format!(
            "{} writes a register of matrix A of a wgmma.mma_async before wgmma.wait_group has waited for it",
            self.p.name(self.pc)
        );
        let told = Diagnostic::new(Code("wgmma-registers-in-flight"), Level::Error, message)
            .fix("Execute wgmma.commit_group and wgmma.wait_group before the registers are written again.")
            .source(Source::manual("PTX ISA, wgmma.mma_async"));
        let who = self.who();
        self.core.report(who, told);
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
}
