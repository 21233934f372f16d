//! Tensor memory given to blocks and taken back: `tcgen05.alloc`, `.dealloc` and `.relinquish_alloc_permit`, and who uses what
//! it does not have.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_layout::tmem::TmemAddress;
use tilehaul_machine::{
    Access, AccessKind, BarrierKey, BlockId, Expected, LaneMask, PlaceId, Space, WaitFor, WaveId,
};

use super::addresses::Where;
use super::memory::write;
use super::tmem::cell;
use super::{Cx, Step, Stepped, Stop};
use crate::inst::{Addr, Mem};
use crate::program::cta_group;

/// Slots of the block that hold the allocator: bits 15:0 allocated slices of 32 columns, 31:16 first slices of
/// allocations, 32 the permit is given up, 47:40 columns of the last allocation in slices.
const ALLOCATOR: u32 = 0x10;
/// Slices of each allocation, by its first slice, four bits each.
const SIZES: u32 = 0x11;
/// First of the cluster's barriers at which block pairs meet.
const PAIRS: u32 = 16;
/// Block slots: who freed a slice of 32 columns last, one for each of the 16. Wave, and place plus one above it.
const FREED: u32 = 0x20;

impl Cx<'_> {
    /// Reports an instruction whose `.cta_group` is not that of the kernel's others.
    pub(super) fn check_cta_group(&mut self) {
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

    pub(super) fn tc_alloc(&mut self, dst: Addr, space: Mem, columns: u32, pair: bool) -> Stepped {
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
        let (counts, places) = (self.reg(columns), self.addresses(dst));
        let differs = |l: usize| counts[l] as u32 != asked || places[l] != places[lane];
        if (0..32).any(|l| self.mask >> l & 1 == 1 && differs(l)) {
            let message =
                "the lanes of the warp give tcgen05.alloc different numbers of columns or different \
                           places for the address: it is one allocation"
                    .to_owned();
            self.say(
                Diagnostic::new(Code("tmem-alloc-differs"), Level::Error, message)
                    .fix("Give it the same operands in all lanes.")
                    .source(Source::manual(
                        "PTX ISA, tcgen05.alloc: undefined unless all threads of the warp agree",
                    )),
            );
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
    pub(super) fn meet_pair(&mut self) -> Result<Option<Step>, Stop> {
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

    pub(super) fn tc_dealloc(&mut self, addr: u32, columns: u32, pair: bool) -> Stepped {
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
    /// The block gives up the permit to allocate.
    pub(super) fn tc_relinquish(&mut self) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let block = self.w.info.block.id;
        let state = self.core.block_slot(block, ALLOCATOR);
        self.core.set_block_slot(block, ALLOCATOR, state | 1 << 32);
        Ok(Step::Next)
    }

    pub(super) fn unallocated(&self, block: BlockId, first: u32, columns: u32) -> Option<u32> {
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
}
