//! Barriers, fences and mbarriers.

use smallvec::SmallVec;
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{
    Arrival, BarrierAt, BarrierKey, Expected, FenceKind, Phase, ProxyFence, Scope, Trap, WaitFor, Who,
};

use super::{Cx, Step, Stepped, Stop};
use crate::inst::{ArriveKind, BarKind, Inst, MbarOp, PredSource, Slot};

/// First of the block's slots that named barriers use to combine predicates: two a barrier.
const BAR_SLOTS: u32 = 0x100;
/// First of the slots that remember what each warp asked `setmaxnreg` for.
const REGISTER_SLOTS: u32 = 0x200;
/// First of the slots that say how many registers a thread each warp holds, once it has asked.
const HELD_SLOTS: u32 = 0x300;
/// Registers that the warps of a block have together, counted by thread of a warp: 65,536 in all.
///
/// manual: CUDA programming guide, technical specifications, registers of a multiprocessor.
const POOL: u64 = 65_536 / 32;

/// Lanes, and the barrier and the value that they name.
type Barriers = SmallVec<[(u32, BarrierAt, u64); 2]>;

impl Cx<'_> {
    /// Synchronisation; everything else goes on to the copies.
    pub(crate) fn synchronise(&mut self, inst: &Inst) -> Stepped {
        match inst {
            Inst::Bar { kind, barrier, threads, d, p, source, aligned } => {
                self.bar(*kind, *barrier, *threads, (*d, *p), *source, *aligned)
            }
            Inst::BarWarpSync { mask } => self.warp_sync(*mask),
            Inst::ClusterArrive { orders, aligned } => {
                if *aligned && let Some(step) = self.need_warp() {
                    return Ok(step);
                }
                let key = BarrierKey::Cluster(self.w.info.block.cluster, 0);
                let (who, weight) = (self.who(), self.mask.count_ones());
                let ticket = if *orders {
                    self.core.barrier_arrive(who, key, weight, Expected::Everyone)
                } else {
                    self.core.barrier_arrive_relaxed(who, key, weight, Expected::Everyone)
                };
                self.w.cluster_tickets.push((self.mask, ticket));
                Ok(Step::Next)
            }
            Inst::ClusterWait { aligned } => self.cluster_wait(*aligned),
            Inst::Fence { kind, scope } => {
                self.core.fence_of(self.who(), *kind, *scope);
                Ok(Step::Next)
            }
            Inst::FenceMbarInit => {
                let who = self.who();
                self.core.proxy_fence(who, ProxyFence::BarrierInit);
                self.core.fence_of(who, FenceKind::Release, Scope::Cluster);
                Ok(Step::Next)
            }
            Inst::FenceProxyAsync { space, with } => {
                // What an acquire makes known passes the proxy fence; what a release hands on has passed it.
                let who = self.who();
                if let Some(FenceKind::Acquire) = with {
                    self.core.fence_of(who, FenceKind::Acquire, Scope::Cluster);
                }
                self.core.proxy_fence(who, ProxyFence::Async(*space));
                if let Some(FenceKind::Release) = with {
                    self.core.fence_of(who, FenceKind::Release, Scope::Cluster);
                }
                Ok(Step::Next)
            }
            Inst::FenceTensormapRelease => {
                self.core.proxy_fence(self.who(), ProxyFence::TensormapRelease);
                Ok(Step::Next)
            }
            Inst::FenceTensormapAcquire { addr } => {
                let addresses = self.addresses(*addr);
                for (lanes, map) in self.distinct(|_, lane| addresses[lane]) {
                    self.core.proxy_fence(self.who_of(lanes), ProxyFence::TensormapAcquire { map });
                }
                Ok(Step::Next)
            }
            Inst::SetMaxNreg { registers, inc } => self.set_max_registers(*registers, *inc),
            Inst::MbarInit(op) => {
                self.at_each_barrier(op, |cx, at, value, who| cx.core.mbarrier_init(who, at, value as u32))
            }
            Inst::MbarInval(op) => self.at_each_barrier(op, |cx, at, _, who| cx.core.mbarrier_inval(who, at)),
            Inst::MbarExpect(op) => self
                .at_each_barrier(op, |cx, at, value, who| cx.core.mbarrier_expect_tx(who, at, value as u32)),
            Inst::MbarComplete(op) => self.at_each_barrier(op, |cx, at, value, who| {
                cx.core.mbarrier_complete_tx(who, at, value as u32)
            }),
            Inst::MbarArrive { kind, op, d } => self.mbar_arrive(*kind, op, *d),
            Inst::MbarWait { op, p, parity, .. } => self.mbar_wait(op, *p, *parity),
            Inst::MbarPending { d, a } => {
                // hardware: h200 fact 103: bits 62:43 hold 2^20 minus the pending count.
                let out = self.reg(*a).map(|v| ((1 << 20) - (v >> 43 & 0xf_ffff)) & 0xf_ffff);
                self.set(*d, &out);
                Ok(Step::Next)
            }
            _ => self.clusters(inst),
        }
    }

    /// Sets of executing lanes with the same key, in order of their lowest lane.
    pub(crate) fn distinct<K: PartialEq>(&self, key: impl Fn(&Self, usize) -> K) -> SmallVec<[(u32, K); 2]> {
        let mut found: SmallVec<[(u32, K); 2]> = SmallVec::new();
        if self.mask.is_power_of_two() {
            found.push((self.mask, key(self, self.first())));
            return found;
        }
        for lane in self.lanes() {
            let k = key(self, lane);
            match found.iter_mut().find(|f| f.1 == k) {
                Some(f) => f.0 |= 1 << lane,
                None => found.push((1 << lane, k)),
            }
        }
        found
    }

    /// Lets the machine act on each barrier that executing lanes name.
    fn at_each_barrier(
        &mut self,
        op: &MbarOp,
        act: fn(&mut Self, BarrierAt, u64, Who) -> Result<(), Trap>,
    ) -> Stepped {
        self.each_barrier(op, |cx, at, value, lanes| {
            act(cx, at, value, cx.who_of(lanes)).map_err(|t| cx.trap(t))
        })?;
        Ok(Step::Next)
    }

    /// Executing lanes by the barrier and the value they name.
    fn barriers(&self, op: &MbarOp) -> Result<Barriers, Stop> {
        let mut found = Barriers::new();
        for (lanes, (address, value)) in
            self.distinct(|cx, lane| (cx.address(op.addr, lane), cx.reg(op.value)[lane]))
        {
            found.push((lanes, self.barrier_at(op.space, address)?, value));
        }
        Ok(found)
    }

    #[inline]
    fn each_barrier(
        &mut self,
        op: &MbarOp,
        mut act: impl FnMut(&mut Self, BarrierAt, u64, u32) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if self.mask.is_power_of_two() {
            // The thread that was elected: no list.
            let lane = self.first();
            let at = self.barrier_at(op.space, self.address(op.addr, lane))?;
            return act(self, at, self.reg(op.value)[lane], self.mask);
        }
        self.barriers(op)?.into_iter().try_for_each(|(lanes, at, value)| act(self, at, value, lanes))
    }

    pub(super) fn mbar_arrive(&mut self, kind: ArriveKind, op: &MbarOp, d: Option<u32>) -> Stepped {
        let Some(d) = d else {
            self.arrive(kind, op, |_, _| ())?;
            return Ok(Step::Next);
        };
        let mut states = [0u64; 32];
        self.arrive(kind, op, |lane, state| states[lane as usize & 31] = state)?;
        self.set(d, &states);
        Ok(Step::Next)
    }

    /// Arrives; `take` gets each lane and the state before its arrival.
    #[inline]
    fn arrive(&mut self, kind: ArriveKind, op: &MbarOp, mut take: impl FnMut(u32, u64)) -> Result<(), Stop> {
        self.each_barrier(op, |cx, at, value, lanes| {
            let value = value as u32;
            let arrival = match kind {
                ArriveKind::Count => Arrival::Count(value),
                ArriveKind::ExpectTx => Arrival::ExpectTx(value),
                ArriveKind::Drop => Arrival::Drop(value),
                ArriveKind::DropExpectTx => Arrival::DropExpectTx(value),
                ArriveKind::NoComplete => Arrival::NoComplete(value),
            };
            let who = cx.who_of(lanes);
            let arrived = cx.core.mbarrier_arrive(who, at, arrival, op.ordering, &mut take);
            arrived.map_err(|t| cx.trap(t))
        })
    }

    pub(super) fn mbar_wait(&mut self, op: &MbarOp, p: u32, parity: bool) -> Stepped {
        let own = self.w.info.block.id;
        let mut done = 0;
        let mut waits = None;
        self.each_barrier(op, |cx, at, value, lanes| {
            if at.block != own {
                return Err(cx.waits_elsewhere(at));
            }
            let phase = if parity { Phase::Parity(value as u32) } else { Phase::State(value) };
            let who = cx.who_of(lanes);
            if cx.core.mbarrier_test(who, at, phase, op.ordering).map_err(|t| cx.trap(t))? {
                done |= lanes;
            } else if waits.is_none() {
                let parity = if parity { value & 1 == 1 } else { value >> 63 == 1 };
                waits = Some(WaitFor::Mbarrier { at, parity });
            }
            Ok(())
        })?;
        self.set_pred(p, done);
        Ok(waits.map_or(Step::Next, Step::Poll))
    }

    #[cold]
    fn waits_elsewhere(&self, at: BarrierAt) -> Stop {
        let message = format!(
            "a wait on {at}, which belongs to another block: only its own block can wait on an mbarrier"
        );
        self.trap(Box::new(
            Diagnostic::new(Code("barrier-remote-wait"), Level::Error, message)
                .source(Source::manual("PTX ISA, mbarrier.test_wait")),
        ))
    }

    fn bar(
        &mut self,
        kind: BarKind,
        barrier: u32,
        threads: Option<u32>,
        (d, p): (u32, u32),
        source: PredSource,
        aligned: bool,
    ) -> Stepped {
        let lane = self.first();
        let number = self.reg(barrier)[lane] as u32;
        let block = self.w.info.block.id;
        let key = BarrierKey::Block(block, number);
        if let Some(ticket) = self.w.groups[self.index].ticket {
            let who = self.who();
            if !self.core.barrier_wait(who, ticket) {
                return Ok(Step::Block(WaitFor::Rendezvous(ticket)));
            }
            self.w.groups[self.index].ticket = None;
            let combined = self.core.block_slot(block, slot(number, ticket.generation));
            let (yes, all) = (combined & 0xffff_ffff, combined >> 32);
            match kind {
                BarKind::Popc => self.set(d, &[yes; 32]),
                BarKind::And => self.set_pred(p, if yes == all { u32::MAX } else { 0 }),
                BarKind::Or => self.set_pred(p, if yes != 0 { u32::MAX } else { 0 }),
                BarKind::Sync | BarKind::Arrive => {}
            }
            return Ok(Step::Next);
        }
        if aligned && let Some(step) = self.need_warp() {
            return Ok(step);
        }
        self.one_barrier(barrier, threads)?;
        if number > 15 {
            let message =
                format!("{} names barrier {number}; a block has barriers 0 to 15", self.p.name(self.pc));
            return Err(self.fail("barrier-number", message));
        }
        let (expected, weight) = match threads {
            Some(slot) => {
                let count = self.reg(slot)[lane] as u32;
                if count == 0 || !count.is_multiple_of(32) || count > 1024 {
                    let message = format!(
                        "{} waits for {count} threads; the number is a multiple of 32 from 32 to 1024",
                        self.p.name(self.pc)
                    );
                    return Err(self.fail("barrier-count", message));
                }
                // manual: each warp counts as a whole, whatever lanes of it have ended. hardware: H200
                // (docs/hardware-facts.md, barriers of blocks): or are held back by a guard.
                let whole = aligned || self.group & self.w.live == self.w.live;
                (Expected::Count(count), if whole { 32 } else { self.mask.count_ones() })
            }
            None => (Expected::Everyone, self.mask.count_ones()),
        };
        if matches!(kind, BarKind::Popc | BarKind::And | BarKind::Or) {
            let (arrived, generation) = self.core.barrier_state(key);
            let slot = slot(number, generation);
            let before = if arrived == 0 { 0 } else { self.core.block_slot(block, slot) };
            let yes = u64::from((self.truth(source) & self.mask).count_ones());
            let all = u64::from(self.mask.count_ones());
            self.core.set_block_slot(block, slot, before + yes + (all << 32));
        }
        let ticket = self.core.barrier_arrive(self.who(), key, weight, expected);
        if kind == BarKind::Arrive {
            return Ok(Step::Next);
        }
        self.w.groups[self.index].ticket = Some(ticket);
        // The last to arrive goes on at once.
        self.bar(kind, barrier, threads, (d, p), source, aligned)
    }

    /// The lanes of a warp that come together name one barrier, and one number of threads.
    ///
    /// hardware: H200 (docs/hardware-facts.md, barriers of blocks): those that do not die with 715.
    fn one_barrier(&self, barrier: Slot, threads: Option<Slot>) -> Result<(), Stop> {
        for (slot, what) in [(Some(barrier), "barriers"), (threads, "numbers of threads for its barrier")] {
            let Some(slot) = slot else { continue };
            let (values, first) = (self.reg(slot), self.first());
            let Some(other) = self.lanes().find(|&lane| values[lane] as u32 != values[first] as u32) else {
                continue;
            };
            let message = format!(
                "lanes of one warp name different {what} in {}: lane {first} {}, lane {other} {} (CUDA error 715)",
                self.p.name(self.pc),
                values[first] as u32,
                values[other] as u32,
            );
            return Err(self.trap(Box::new(
                Diagnostic::new(Code("barrier-differs-by-lane"), Level::Error, message)
                    .fix("Let all threads of a warp that come together name the same barrier and the same number of threads.")
                    .source(Source::hardware("H200: error 715 (docs/hardware-facts.md, barriers of blocks)")),
            )));
        }
        Ok(())
    }

    fn warp_sync(&mut self, mask: u32) -> Stepped {
        let named = self.named(mask);
        if named & self.w.live & !self.mask == 0 {
            let who = self.who_of(self.mask & (named | self.mask));
            self.core.lanes_meet(who);
            return Ok(Step::Next);
        }
        if self.mask != self.group {
            // Lanes that a guard holds back count as having come: nothing can be said about them.
            let who = self.who();
            self.core.lanes_meet(who);
            return Ok(Step::Next);
        }
        Ok(Step::Meet(named))
    }

    fn set_max_registers(&mut self, registers: u32, inc: bool) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let (block, number) = (self.w.info.block.id, self.w.info.number);
        let slot = REGISTER_SLOTS + number;
        // manual: PTX ISA, setmaxnreg: .inc blocks until the registers are there. What warps hold that never asked is not
        // known, so this may let go on who waits on the device, never the other way round.
        let others = (0..self.p.launch.waves_per_block()).filter(|&warp| warp != number);
        let held: u64 = others.map(|warp| self.core.block_slot(block, HELD_SLOTS + warp)).sum();
        if inc && held + u64::from(registers) > POOL {
            return Ok(Step::Block(WaitFor::Other("registers that other warps of its block hold")));
        }
        self.core.set_block_slot(block, HELD_SLOTS + number, registers.into());
        // How many so far, where the last stands, and what all of them asked for.
        let before = self.core.block_slot(block, slot);
        let asked = (before as u32).wrapping_mul(0x0100_0193) ^ (registers << 1 | u32::from(inc));
        let count = (before >> 56 & 0xff).min(0xfe) + 1;
        let place = u64::from(self.pc & 0xff_ffff) << 32;
        self.core.set_block_slot(block, slot, count << 56 | place | u64::from(asked));
        Ok(Step::Next)
    }

    /// At the end of a warp, which gives its registers back, and of a block: warps of one warpgroup that executed different
    /// `setmaxnreg`.
    pub(crate) fn check_register_counts(&mut self) {
        let block = self.w.info.block.id;
        let held = HELD_SLOTS + self.w.info.number;
        if self.core.block_slot(block, held) != 0 {
            self.core.set_block_slot(block, held, 0);
        }
        if self.core.live_threads(block) > self.w.live.count_ones() {
            return;
        }
        let warps = self.p.launch.waves_per_block();
        for first in (0..warps).step_by(4) {
            let states = (first..warps.min(first + 4))
                .map(|warp| (warp, self.core.block_slot(block, REGISTER_SLOTS + warp)))
                .collect::<Vec<_>>();
            let Some(&(most, state)) = states.iter().max_by_key(|(warp, s)| (s >> 56, u32::MAX - warp))
            else {
                continue;
            };
            let same = |s: u64| (s >> 56, s as u32) == (state >> 56, state as u32);
            let Some(&(other, less)) = states.iter().find(|(_, s)| !same(*s)) else { continue };
            let place = state >> 32 & 0xff_ffff;
            let message = format!(
                "warp {most} of {block} executes {} setmaxnreg and warp {other} of the same warpgroup {}: all four warps must execute the same",
                state >> 56,
                match less >> 56 {
                    0 => "none".to_owned(),
                    n if n == state >> 56 => "others".to_owned(),
                    n => n.to_string(),
                }
            );
            let who = Who { place: tilehaul_machine::PlaceId(place as u32), ..self.who() };
            self.core.report(
                who,
                Diagnostic::new(Code("setmaxnreg-differs"), Level::Error, message)
                    .fix("Execute the same setmaxnreg in all warps of the warpgroup.")
                    .source(Source::manual("PTX ISA, setmaxnreg")),
            );
        }
    }

    fn cluster_wait(&mut self, aligned: bool) -> Stepped {
        if aligned && let Some(step) = self.need_warp() {
            return Ok(step);
        }
        let mine: Vec<(u32, tilehaul_machine::Ticket)> =
            self.w.cluster_tickets.iter().copied().filter(|(lanes, _)| lanes & self.mask != 0).collect();
        if mine.is_empty() {
            let message =
                "barrier.cluster.wait without a barrier.cluster.arrive before it: it waits for nobody"
                    .to_owned();
            return Err(self.trap(Box::new(
                Diagnostic::new(Code("cluster-wait-without-arrive"), Level::Error, message)
                    .fix("Execute barrier.cluster.arrive first.")
                    .source(Source::manual("PTX ISA, barrier.cluster")),
            )));
        }
        for &(lanes, ticket) in &mine {
            let who = self.who_of(lanes & self.mask);
            if !self.core.barrier_wait(who, ticket) {
                return Ok(Step::Block(WaitFor::Rendezvous(ticket)));
            }
        }
        let mask = self.mask;
        for entry in &mut self.w.cluster_tickets {
            entry.0 &= !mask;
        }
        self.w.cluster_tickets.retain(|(lanes, _)| *lanes != 0);
        Ok(Step::Next)
    }
}

fn slot(barrier: u32, generation: u32) -> u32 {
    BAR_SLOTS + barrier * 2 + (generation & 1)
}
