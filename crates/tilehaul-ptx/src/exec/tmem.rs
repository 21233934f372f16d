//! Tensor memory: loads, stores, and what its instructions share.
//!
//! The maps are those of `tilehaul-layout`; addresses in the machine are `lane * 2048 + column * 4`. Loads and stores are
//! operations of the warp, products, copies and shifts of the thread that issues them.

use std::cell::RefCell;
use std::rc::Rc;

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_layout::tmem::{Placed, SlabCheck, TmemAddress};
use tilehaul_machine::{AccessKind, CallJob, End, Job, JobFault, Memories, NewOp, Proxy, Space, Touch};

use super::memory::{read, write};
use super::{Cx, Step, Stepped, Stop};
use crate::arith::float::pick32;
use crate::inst::{Inst, LdRed, TcMove};
use crate::program::{TC_LD, TC_ST};
use crate::wave::{Form, Pending};

pub(crate) fn cell(lane: u32, column: u32) -> u64 {
    u64::from(lane) * 2048 + u64::from(column) * 4
}

/// True when some cell gets two values that differ. Parts are address, bits, and a word whose low bits are meant.
fn writes_two_values(parts: &[(u64, u32, u32)]) -> bool {
    let mut last = std::collections::BTreeMap::new();
    parts.iter().any(|&(address, bits, word)| {
        let value = if bits == 32 { word } else { word & ((1 << bits) - 1) };
        last.insert((address, bits), value).is_some_and(|before| before != value)
    })
}

impl Cx<'_> {
    /// Instructions of tensor memory.
    pub(crate) fn tensor_memory(&mut self, inst: &Inst) -> Stepped {
        self.check_cta_group();
        match inst {
            Inst::TcAlloc { dst, space, columns, pair } => self.tc_alloc(*dst, *space, *columns, *pair),
            Inst::TcDealloc { addr, columns, pair } => self.tc_dealloc(*addr, *columns, *pair),
            Inst::TcRelinquish => self.tc_relinquish(),
            Inst::TcLd(op) => self.tc_ld(op),
            Inst::TcSt(op) => self.tc_st(op),
            Inst::TcWaitLd => {
                if let Some(step) = self.need_warp() {
                    return Ok(step);
                }
                let (who, seq) = (self.who(), self.w.tc_ld_seq);
                self.core.wait_channel(who, TC_LD, seq).map_err(|t| self.trap(t))?;
                self.retire(|p| p.kind == TC_LD);
                Ok(Step::Next)
            }
            Inst::TcWaitSt => {
                if let Some(step) = self.need_warp() {
                    return Ok(step);
                }
                let (who, seq) = (self.who(), self.w.tc_st_seq);
                self.core.wait_channel(who, TC_ST, seq).map_err(|t| self.trap(t))?;
                Ok(Step::Next)
            }
            Inst::TcCp { image, addr, desc, pair } => self.tc_cp(image, *addr, *desc, *pair),
            Inst::TcShift { addr, pair } => self.tc_shift(*addr, *pair),
            Inst::TcMma(op) => self.tc_mma(op),
            Inst::TcCommit { mbar, space, multicast } => self.tc_commit(*mbar, *space, *multicast),
            Inst::TcFence(fence) => {
                self.core.pipeline_fence(self.who(), *fence);
                Ok(Step::Next)
            }
            _ => Err(Stop::Unsupported(self.p.name(self.pc).to_owned())),
        }
    }

    pub(super) fn say(&mut self, diagnostic: Diagnostic) {
        let who = self.who();
        self.core.report(who, diagnostic);
    }

    /// Findings of the layout crate about an address; errors end up as findings too, the access is then left out.
    pub(super) fn say_all(&mut self, told: Vec<Diagnostic>) {
        for diagnostic in told {
            self.say(diagnostic);
        }
    }

    /// Places a load or store; none when the address breaks a rule, which is then reported.
    fn place<'o>(&mut self, op: &'o TcMove) -> Result<Option<Placed<'o>>, Stop> {
        let addresses = self.addresses(op.addr);
        let lane = self.first();
        let address = addresses[lane] as u32;
        if let Some(other) = self.lanes().find(|&l| addresses[l] as u32 != address) {
            let message = format!(
                "{}: lane {other} names {} and lane {lane} {}; all lanes of the warp must name one address",
                self.p.name(self.pc),
                TmemAddress(addresses[other] as u32),
                TmemAddress(address)
            );
            self.say(
                Diagnostic::new(Code("tmem-address-differs"), Level::Error, message)
                    .source(Source::manual("PTX ISA, tcgen05.ld")),
            );
        }
        match op.image.place(TmemAddress(address), op.split, self.w.info.number, SlabCheck::Route) {
            Ok(mut placed) => {
                let hints = std::mem::take(&mut placed.hints);
                self.say_all(hints);
                let rectangles: Vec<_> = placed.rectangles().collect();
                for (at, _, columns) in rectangles {
                    self.check_allocated(at.column, columns);
                }
                Ok(Some(placed))
            }
            Err(told) => {
                self.say_all(told);
                Ok(None)
            }
        }
    }

    fn touches(&self, placed: &Placed<'_>, kind: AccessKind) -> Vec<Touch> {
        let space = Space::Tensor(self.w.info.block.id);
        let mut touches = Vec::new();
        for (at, rows, columns) in placed.rectangles() {
            for row in 0..rows {
                let start = cell(at.lane + row, at.column);
                touches.push(Touch {
                    space,
                    start,
                    len: u64::from(columns) * 4,
                    kind,
                    lane: (row % 32) as u8,
                });
            }
        }
        touches
    }

    fn tc_ld(&mut self, op: &TcMove) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let Some(placed) = self.place(op)? else { return Ok(Step::Next) };
        let touches = self.touches(&placed, AccessKind::Read);
        let parts: Vec<(usize, u64, u32, u32)> = placed
            .parts()
            .map(|p| {
                let index = p.owner.register as usize * 32 + p.owner.lane as usize;
                (index, cell(p.cell.lane, p.cell.column), p.width, p.register_low)
            })
            .collect();
        let mut slots = op.regs.to_vec();
        let registers = op.regs.len();
        if let Some(red) = op.reduce {
            slots.push(red.dst);
        }
        let data = Rc::new(RefCell::new(vec![0u32; slots.len() * 32]));
        let seq = self.w.tc_ld_seq + 1;
        self.w.tc_ld_seq = seq;
        let space = Space::Tensor(self.w.info.block.id);
        self.w.pending.push(Pending {
            kind: TC_LD,
            seq,
            slots: slots.into(),
            data: Rc::clone(&data),
            form: Form::PerSlot,
            lanes: self.mask,
        });
        let reduce = op.reduce;
        let call = Box::new(move |memories: &mut Memories| {
            let mut data = data.borrow_mut();
            for &(index, address, width, low) in &parts {
                let fault = JobFault { space, address, len: 4, write: false };
                let value = read(memories.bytes(space, address, 4).map_err(|_| fault)?) as u32;
                let keep = if width == 32 { u32::MAX } else { (1 << width) - 1 };
                if let Some(word) = data.get_mut(index) {
                    *word |= (value & keep) << low;
                }
            }
            if let Some(red) = reduce {
                for lane in 0..32 {
                    let all = (0..registers).map(|r| data[r * 32 + lane]);
                    let best = all.reduce(|a, b| reduced(red, a, b)).unwrap_or(0);
                    data[registers * 32 + lane] = best;
                }
            }
            Ok(())
        });
        self.start("tcgen05.ld", touches, call, TC_LD)
    }

    fn tc_st(&mut self, op: &TcMove) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let Some(placed) = self.place(op)? else { return Ok(Step::Next) };
        let overlap = placed.check_store().err();
        let touches = self.touches(&placed, AccessKind::Write);
        let mask = self.mask;
        let parts: Vec<(u64, u32, u32)> = placed
            .parts()
            .filter(|p| mask >> p.owner.lane & 1 == 1)
            .map(|p| {
                let slot = op.regs.get(p.owner.register as usize).copied().unwrap_or(0);
                let word = self.reg(slot)[p.owner.lane as usize] as u32;
                (cell(p.cell.lane, p.cell.column), p.width, word >> p.register_low)
            })
            .collect();
        // Triton stores replicated values so: whichever half comes last, the cell holds the same.
        if let Some(told) = overlap.filter(|_| writes_two_values(&parts)) {
            self.say(told);
        }
        self.w.tc_st_seq += 1;
        let space = Space::Tensor(self.w.info.block.id);
        let call = Box::new(move |memories: &mut Memories| {
            for &(address, width, word) in &parts {
                let fault = JobFault { space, address, len: 4, write: true };
                let bytes = memories.bytes_mut(space, address, 4).map_err(|_| fault)?;
                // unpack::16b defines the low halves only; the upper ones keep what they held.
                write(&mut bytes[..width as usize / 8], u64::from(word));
            }
            Ok(())
        });
        self.start("tcgen05.st", touches, call, TC_ST)
    }

    fn start(
        &mut self,
        what: &'static str,
        touches: Vec<Touch>,
        call: tilehaul_machine::Call,
        channel: tilehaul_machine::ChannelKind,
    ) -> Stepped {
        let who = self.who();
        self.start_as(who, what, touches, call, channel)
    }

    pub(crate) fn start_as(
        &mut self,
        who: tilehaul_machine::Who,
        what: &'static str,
        mut touches: Vec<Touch>,
        call: tilehaul_machine::Call,
        channel: tilehaul_machine::ChannelKind,
    ) -> Stepped {
        // What is not allocated was reported: no order with what was there before is missing.
        touches.retain(|t| match t.space {
            Space::Tensor(block) => {
                let (first, words) = (t.start % 2048 / 4, t.len.div_ceil(4));
                self.unallocated(block, first as u32, words as u32).is_none()
            }
            Space::Global | Space::Shared(_) => true,
        });
        let job: Box<dyn Job> = Box::new(CallJob::new(touches, 0, call));
        let new = NewOp { who, what, proxy: Proxy::Async, job, end: End::Channel(channel) };
        self.core.issue(new).map_err(|t| self.trap(t))?;
        Ok(Step::Next)
    }

    /// manual: PTX ISA: one thread issues. More threads issue as many operations, which nobody means.
    pub(crate) fn one_thread(&mut self) {
        if self.mask.count_ones() > 1 {
            let message = format!(
                "{} is executed by {} threads of the warp, each of which issues it: one thread should",
                self.p.name(self.pc),
                self.mask.count_ones()
            );
            self.say(
                Diagnostic::new(Code("tcgen05-many-issuers"), Level::Error, message)
                    .fix("Elect one thread (elect.sync) to issue it.")
                    .source(Source::manual("PTX ISA, tcgen05 issue granularity")),
            );
        }
    }
}

fn reduced(red: LdRed, a: u32, b: u32) -> u32 {
    if !red.float {
        let less = if red.signed { a.cast_signed() < b.cast_signed() } else { a < b };
        return if less == red.max { b } else { a };
    }
    let [x, y] = [a, b].map(|v| u64::from(if red.abs { v & 0x7fff_ffff } else { v }));
    let best = match (red.max, red.nan) {
        (true, true) => pick32::<true, false, true>(x, y),
        (true, false) => pick32::<true, false, false>(x, y),
        (false, true) => pick32::<false, false, true>(x, y),
        (false, false) => pick32::<false, false, false>(x, y),
    };
    best as u32
}
