//! Tensor memory: allocation, loads, stores, copies and matrix products.
//!
//! The maps are those of `tilehaul-layout`; addresses in the machine are `lane * 2048 + column * 4`. Loads and stores are
//! operations of the warp, products, copies and shifts of the thread that issues them.

use std::cell::RefCell;
use std::rc::Rc;

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_layout::tmem::{Placed, SlabCheck, TmemAddress};
use tilehaul_machine::{
    Access, AccessKind, BarrierKey, BlockId, CallJob, End, Expected, Job, JobFault, LaneMask, Memories,
    NewOp, PlaceId, Proxy, Space, Touch, WaitFor, WaveId,
};

use super::memory::{Where, read, write};
use super::{Cx, Step, Stepped, Stop};
use crate::arith::float::pick32;
use crate::inst::{Addr, Inst, LdRed, Mem, TcMove};
use crate::program::{TC_LD, TC_ST, cta_group};
use crate::wave::{Form, Pending};

/// Slots of the block that hold the allocator: bits 15:0 allocated slices of 32 columns, 31:16 first slices of
/// allocations, 32 the permit is given up, 47:40 columns of the last allocation in slices.
const ALLOCATOR: u32 = 0x10;
/// Slices of each allocation, by its first slice, four bits each.
const SIZES: u32 = 0x11;
/// First of the cluster's barriers at which block pairs meet.
const PAIRS: u32 = 16;
/// Block slots: who freed a slice of 32 columns last, one for each of the 16. Wave, and place plus one above it.
const FREED: u32 = 0x20;

pub(crate) fn cell(lane: u32, column: u32) -> u64 {
    u64::from(lane) * 2048 + u64::from(column) * 4
}

impl Cx<'_> {
    /// Instructions of tensor memory.
    pub(crate) fn tensor_memory(&mut self, inst: &Inst) -> Stepped {
        self.check_cta_group();
        match inst {
            Inst::TcAlloc { dst, space, columns, pair } => self.tc_alloc(*dst, *space, *columns, *pair),
            Inst::TcDealloc { addr, columns, pair } => self.tc_dealloc(*addr, *columns, *pair),
            Inst::TcRelinquish => {
                if let Some(step) = self.need_warp() {
                    return Ok(step);
                }
                let block = self.w.info.block.id;
                let state = self.core.block_slot(block, ALLOCATOR);
                self.core.set_block_slot(block, ALLOCATOR, state | 1 << 32);
                Ok(Step::Next)
            }
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

    /// Reports an instruction whose `.cta_group` is not that of the kernel's others.
    fn check_cta_group(&mut self) {
        let Some((first, group)) = self.p.cta_group else { return };
        let name = self.p.name(self.pc);
        let Some(own) = cta_group(name).filter(|&own| own != group) else { return };
        let message = format!(
            "{name} is of .{own} and {} of .{group}: all tcgen05 instructions of a kernel must carry the same .cta_group",
            self.p.name(first)
        );
        self.say(
            Diagnostic::new(Code("tcgen05-cta-groups-differ"), Level::Error, message)
                .fix(format!("Use .{group} here, or .{own} everywhere."))
                .source(Source::manual("PTX ISA, tcgen05 .cta_group")),
        );
    }

    fn tc_alloc(&mut self, dst: Addr, space: Mem, columns: u32, pair: bool) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let lane = self.first();
        let asked = self.reg(columns)[lane] as u32;
        let legal = asked.clamp(32, 512).next_power_of_two();
        let block = self.w.info.block.id;
        let state = self.core.block_slot(block, ALLOCATOR);
        let last = (state >> 40 & 0xff) as u32 * 32;
        let slices = legal / 32;
        let run = (1u64 << slices) - 1;
        let free = (0..16).step_by(slices as usize).find(|&at| state & (run << at) == 0);
        let Some(at) = free else {
            return Ok(Step::Block(WaitFor::TensorColumns { columns: legal }));
        };
        if pair && let Some(step) = self.meet_pair()? {
            return Ok(step);
        }
        if legal != asked {
            let message =
                format!("tcgen05.alloc of {asked} columns; the number is a power of two from 32 to 512");
            self.say(
                Diagnostic::new(Code("tmem-alloc-columns"), Level::Error, message)
                    .fix(format!("Allocate {legal} columns."))
                    .source(Source::manual("PTX ISA, tcgen05.alloc")),
            );
        }
        if state >> 32 & 1 == 1 {
            let message =
                "tcgen05.alloc after tcgen05.relinquish_alloc_permit: the block may not allocate any more"
                    .to_owned();
            self.say(
                Diagnostic::new(Code("tmem-alloc-after-relinquish"), Level::Error, message)
                    .fix("Allocate everything before the permit is given up.")
                    .source(Source::manual("PTX ISA, tcgen05.relinquish_alloc_permit")),
            );
        }
        if last != 0 && legal > last {
            let message = format!(
                "tcgen05.alloc of {legal} columns after one of {last}: later allocations may not be larger"
            );
            self.say(
                Diagnostic::new(Code("tmem-alloc-order"), Level::Error, message)
                    .fix("Allocate the largest part first.")
                    .source(Source::manual("PTX ISA, tcgen05.alloc")),
            );
        }
        let sizes = self.core.block_slot(block, SIZES);
        self.core.set_block_slot(
            block,
            SIZES,
            sizes & !(15 << (4 * at)) | u64::from(slices.ilog2()) << (4 * at),
        );
        let state = state & !(0xff << 40) | run << at | 1 << (16 + at) | u64::from(slices) << 40;
        self.core.set_block_slot(block, ALLOCATOR, state);
        self.core.memories.with_tensor(block);
        let address = self.address(dst, lane);
        let (Where::Memory(target @ Space::Shared(_)), offset) = self.resolve(space, address)? else {
            return Err(self.fail(
                "tmem-alloc-destination",
                "tcgen05.alloc writes its address to shared memory only".to_owned(),
            ));
        };
        let inside = [offset; 64];
        let access = Access::new(self.who_of(1 << lane), target, &inside, 4);
        self.core.store(&access, |_, bytes| write(bytes, at * 32)).map_err(|t| self.trap(t))?;
        // The warp allocates as one, so all its lanes may read the address.
        let who = self.who();
        self.core.lanes_meet(who);
        Ok(Step::Next)
    }

    /// One warp of each block of a pair allocates: none goes on before the other has come. It orders no memory.
    ///
    /// manual: PTX ISA, tcgen05.alloc with `.cta_group::2`.
    fn meet_pair(&mut self) -> Result<Option<Step>, Stop> {
        self.blocks(true)?;
        let own = self.w.info.block;
        let key = BarrierKey::Cluster(own.cluster, PAIRS + own.rank / 2);
        let who = self.who();
        let ticket = match self.w.groups[self.index].ticket {
            Some(ticket) => ticket,
            None => self.core.barrier_arrive_relaxed(who, key, 1, Expected::Count(2)),
        };
        self.w.groups[self.index].ticket = Some(ticket);
        if !self.core.barrier_wait(who, ticket) {
            return Ok(Some(Step::Block(WaitFor::Rendezvous(ticket))));
        }
        self.w.groups[self.index].ticket = None;
        Ok(None)
    }

    fn tc_dealloc(&mut self, addr: u32, columns: u32, pair: bool) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        if pair {
            self.blocks(pair)?;
        }
        let lane = self.first();
        let (address, asked) = (TmemAddress(self.reg(addr)[lane] as u32), self.reg(columns)[lane] as u32);
        let block = self.w.info.block.id;
        let (state, sizes) = (self.core.block_slot(block, ALLOCATOR), self.core.block_slot(block, SIZES));
        let at = u64::from(address.column() / 32) & 15;
        let starts = state >> (16 + at) & 1 == 1;
        if !starts || !address.column().is_multiple_of(32) {
            let message = format!(
                "tcgen05.dealloc of {address}, which no tcgen05.alloc of this block returned or which is free already"
            );
            return Err(self.trap(Box::new(
                Diagnostic::new(Code("tmem-dealloc-address"), Level::Error, message)
                    .source(Source::manual("PTX ISA, tcgen05.dealloc; the compiled code traps")),
            )));
        }
        let slices = 1u64 << (sizes >> (4 * at) & 15);
        if u64::from(asked) != slices * 32 {
            let message = format!(
                "tcgen05.dealloc of {asked} columns at {address}, where {} were allocated",
                slices * 32
            );
            self.say(
                Diagnostic::new(Code("tmem-dealloc-columns"), Level::Error, message)
                    .fix(format!("Free {} columns.", slices * 32))
                    .source(Source::manual("PTX ISA, tcgen05.dealloc")),
            );
        }
        let run = ((1u64 << slices) - 1) << at;
        self.core.set_block_slot(block, ALLOCATOR, state & !(run | 1 << (16 + at)));
        let freed = u64::from(self.pc + 1) << 32 | u64::from(self.who().wave.0);
        (at..at + slices).for_each(|slice| self.core.set_block_slot(block, FREED + slice as u32, freed));
        // Whoever still reads or writes the columns is in the way: giving them up is like overwriting them.
        let size = slices as u32 * 128;
        let who = self.who_of(1 << lane);
        for row in 0..128 {
            let inside = [cell(row, address.column()); 64];
            let access = Access::new(who, Space::Tensor(block), &inside, size);
            self.core.note(&access, AccessKind::Write, LaneMask::NONE);
        }
        Ok(Step::Next)
    }

    /// The first slice of 32 columns that no allocation of the block covers.
    fn unallocated(&self, block: BlockId, first: u32, columns: u32) -> Option<u32> {
        let state = self.core.block_slot(block, ALLOCATOR);
        (first / 32..(first + columns).div_ceil(32)).find(|&s| s > 15 || state >> s & 1 == 0)
    }

    /// Reports columns that no allocation of the block covers.
    pub(crate) fn check_allocated(&mut self, first: u32, columns: u32) {
        let block = self.w.info.block.id;
        self.core.memories.with_tensor(block);
        if let Some(slice) = self.unallocated(block, first, columns) {
            let name = self.p.name(self.pc).to_owned();
            let (last, from) = (first + columns - 1, slice * 32);
            let told = |what: &str| {
                let columns = if last == first {
                    format!("column {first}")
                } else {
                    format!("columns {first} to {last}")
                };
                let message = format!("{name} accesses {columns} of tensor memory; {what}");
                Diagnostic::new(Code("tmem-unallocated"), Level::Error, message)
                    .source(Source::manual("PTX ISA, tcgen05.alloc and tcgen05.dealloc"))
            };
            let freed = self.core.block_slot(block, FREED + slice);
            if freed == 0 {
                let told = told(&format!("columns {from} to {} are not allocated", from + 31));
                self.say(told.fix("Access only columns that tcgen05.alloc returned."));
                return;
            }
            let wave = WaveId(freed as u32);
            let told = told(&format!("{wave} has freed columns {from} to {} already", from + 31))
                .fix("Let every warp that uses the columns pass a barrier before tcgen05.dealloc.");
            let others = vec![(PlaceId((freed >> 32) as u32 - 1), format!("{wave} frees them here"))];
            self.core.report_with(self.who(), told, others);
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
        if let Err(told) = placed.check_store() {
            self.say(told);
        }
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

    pub(crate) fn blocks(&self, pair: bool) -> Result<Vec<BlockId>, Stop> {
        let own = self.w.info.block;
        if !pair {
            return Ok(vec![own.id]);
        }
        let even = own.rank & !1;
        let block = |rank| self.p.launch.block_at(own.cluster, rank);
        match (block(even), block(even + 1)) {
            (Some(a), Some(b)) => Ok(vec![a, b]),
            _ => Err(self.fail(
                "block-pair",
                format!("{} needs a cluster with pairs of blocks", self.p.name(self.pc)),
            )),
        }
    }

    /// At the end of a block's last warp: everything must have been freed.
    pub(crate) fn check_freed(&mut self) {
        let block = self.w.info.block.id;
        let slices = self.core.block_slot(block, ALLOCATOR) & 0xffff;
        if slices == 0 || self.core.live_threads(block) > self.w.live.count_ones() {
            return;
        }
        let message = format!(
            "the block ends with {} columns of tensor memory still allocated",
            slices.count_ones() * 32
        );
        self.say(
            Diagnostic::new(Code("tmem-leak"), Level::Error, message)
                .fix("Execute tcgen05.dealloc for every allocation before the block ends.")
                .source(Source::manual("PTX ISA, tcgen05.alloc")),
        );
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
