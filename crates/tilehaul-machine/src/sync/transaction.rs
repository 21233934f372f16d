//! Transaction barriers (mbarriers): arrivals, bytes, waits.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_engine::mbarrier::{Mbarrier, MbarrierFault, MbarrierLayout, Token as MbarrierToken};

use super::told::{
    arrivals_split, arrives_too_near, barrier_fault, completes_after_all, leftover, misaligned, no_barrier,
};
use super::{Arrival, Ordering, Phase, TxBarrier};
use crate::barrier::BarrierAt;
use crate::chooser::{BarrierName, Deed};
use crate::core::{Core, Trap};
use crate::{Access, AccessKind, BlockId, Event, LaneMask, PlaceId, Scope, Space, Token, WaitFor, Who};

impl Core {
    /// `mbarrier.init`.
    ///
    /// # Errors
    /// When the object does not fit its memory or is misaligned.
    pub fn mbarrier_init(&mut self, who: Who, at: BarrierAt, count: u32) -> Result<(), Trap> {
        self.note_barrier(who, at, AccessKind::BarrierInit)?;
        self.has_mbarriers = true;
        self.did(Deed::Reset(BarrierName::Object(at.block, at.address)));
        let sync = self.new_sync();
        let state = Mbarrier::init(count, MbarrierLayout::V0);
        let old = self.blocks[at.block.index()].tx.insert(
            at.address,
            TxBarrier {
                state,
                sync,
                generation: 0,
                cached: false,
                used: 0,
                made: who.place,
                announced: None,
                brought: None,
                silent: None,
                raised: None,
                completed_at: (0, 0),
            },
        );
        if old.is_some() {
            self.report(
                who,
                Diagnostic::new(
                    Code("barrier-reinit"),
                    Level::Error,
                    format!("mbarrier.init of {at}, which is still a barrier: the old object may be written back over the new one"),
                )
                .fix("Execute mbarrier.inval on it, and a barrier, before it is initialised again.")
                .source(Source::hardware("h200 facts 108, 109")),
            );
        }
        self.blocks[at.block.index()].invalidated.remove(&at.address);
        self.enter_cache(at);
        Ok(())
    }

    /// `mbarrier.inval`.
    ///
    /// # Errors
    /// When there is no barrier.
    pub fn mbarrier_inval(&mut self, who: Who, at: BarrierAt) -> Result<(), Trap> {
        self.live_for(who, at, "mbarrier.inval")?;
        self.note_barrier(who, at, AccessKind::BarrierInval)?;
        self.did(Deed::Reset(BarrierName::Object(at.block, at.address)));
        self.write_back(at);
        let block = &mut self.blocks[at.block.index()];
        if let Some(barrier) = block.tx.remove(&at.address) {
            block.invalidated.insert(at.address, barrier);
        }
        Ok(())
    }

    /// An arrival of each lane, in lane order; `state` gets the lane and the state before its arrival.
    ///
    /// # Errors
    /// When there is no barrier, or it cannot take the arrival (the launch dies).
    pub fn mbarrier_arrive(
        &mut self,
        who: Who,
        at: BarrierAt,
        arrival: Arrival,
        ordering: Ordering,
        mut state: impl FnMut(u32, u64),
    ) -> Result<(), Trap> {
        self.live_for(who, at, "mbarrier.arrive")?;
        self.note_barrier(who, at, AccessKind::BarrierUse)?;
        if let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) {
            if matches!(arrival, Arrival::ExpectTx(_) | Arrival::DropExpectTx(_)) {
                barrier.announced = Some(who.place);
            }
            barrier.silent = None;
        }
        if ordering == Ordering::OfBlock && self.launch.block_of(who.wave) != at.block {
            self.report(who, arrives_too_near(at, who));
        }
        let split = self.ends_within(who, at, arrival);
        if let Some(first) = split {
            self.report(who, arrivals_split(at, who, first));
        } else {
            // What was done before counts for everybody who waits for the phase, so it is released before the arrival.
            self.release_to(who, at, ordering);
        }
        let mut completes = false;
        for lane in who.lanes.iter() {
            if split.is_some() {
                self.release_to(Who { lanes: LaneMask::one(lane), ..who }, at, ordering);
            }
            let (before, ends) = self.change_tx(at, |b| {
                let phase = b.phase();
                arrival.on(b).map(|before| (before, b.phase() != phase))
            })?;
            completes |= ends;
            state(lane, before.0);
        }
        if completes && matches!(arrival, Arrival::NoComplete(_)) {
            self.report(who, completes_after_all(at));
        }
        Ok(())
    }

    /// The number of lanes whose arrivals end the phase, when others of the same instruction arrive in the next one.
    pub(super) fn ends_within(&self, who: Who, at: BarrierAt, arrival: Arrival) -> Option<u32> {
        let lanes = who.lanes.len();
        if lanes < 2 {
            return None;
        }
        let barrier = self.blocks[at.block.index()].tx.get(&at.address)?;
        let (phase, mut state) = (barrier.state.phase(), barrier.state);
        (1..lanes).find(|_| arrival.on(&mut state).is_ok() && state.phase() != phase)
    }

    /// `mbarrier.expect_tx` of each lane.
    ///
    /// # Errors
    /// When there is no barrier or its count leaves the range.
    pub fn mbarrier_expect_tx(&mut self, who: Who, at: BarrierAt, bytes: u32) -> Result<(), Trap> {
        self.live_for(who, at, "mbarrier.expect_tx")?;
        self.note_barrier(who, at, AccessKind::BarrierUse)?;
        self.note_announced(at, who.place);
        for _ in who.lanes.iter() {
            self.change_tx(at, |b| b.expect_tx(bytes))?;
        }
        if let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) {
            barrier.silent = Some(who.place);
        }
        Ok(())
    }

    /// `mbarrier.complete_tx` of each lane.
    ///
    /// # Errors
    /// When there is no barrier or its count leaves the range.
    pub fn mbarrier_complete_tx(&mut self, who: Who, at: BarrierAt, bytes: u32) -> Result<(), Trap> {
        self.live_for(who, at, "mbarrier.complete_tx")?;
        self.note_barrier(who, at, AccessKind::BarrierUse)?;
        self.note_brought(at, who.place);
        for _ in who.lanes.iter() {
            self.change_tx(at, |b| b.complete_tx(bytes))?;
        }
        Ok(())
    }

    pub(super) fn note_announced(&mut self, at: BarrierAt, place: PlaceId) {
        if let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) {
            barrier.announced = Some(place);
        }
    }

    pub(super) fn note_brought(&mut self, at: BarrierAt, place: PlaceId) {
        if let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) {
            barrier.brought = Some(place);
        }
    }

    /// Places that say why a wait does not end: who announced bytes, and which copy brought some.
    pub(crate) fn related_places(&self, reason: &WaitFor) -> Vec<(PlaceId, &'static str)> {
        let WaitFor::Mbarrier { at, .. } = reason else { return Vec::new() };
        let Some(b) = self.blocks[at.block.index()].tx.get(&at.address) else { return Vec::new() };
        let silent = b.silent.map(|place| (place, crate::stuck::SILENT));
        let raised = b.raised.map(|place| (place, crate::stuck::RAISED));
        if b.state.tx_count() == 0 {
            return silent.into_iter().chain(raised).collect();
        }
        let announced = b.announced.map(|place| (place, "bytes are announced here"));
        let brought = b.brought.map(|place| (place, "this brings bytes"));
        announced.into_iter().chain(brought).collect()
    }

    /// `cp.async.mbarrier.arrive` without `.noinc`, at issue: arrivals become pending.
    ///
    /// # Errors
    /// When there is no barrier or it is full.
    pub fn mbarrier_add_pending(&mut self, who: Who, at: BarrierAt, count: u32) -> Result<(), Trap> {
        self.live_for(who, at, "cp.async.mbarrier.arrive")?;
        self.note_barrier(who, at, AccessKind::BarrierUse)?;
        self.change_tx(at, |b| b.add_pending(count))?;
        if let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) {
            barrier.raised = Some(who.place);
        }
        Ok(())
    }

    /// `mbarrier.test_wait` or `try_wait`: whether the phase has completed. When it has, the lanes know what was
    /// released to it.
    ///
    /// # Errors
    /// When there is no barrier.
    pub fn mbarrier_test(
        &mut self,
        who: Who,
        at: BarrierAt,
        phase: Phase,
        ordering: Ordering,
    ) -> Result<bool, Trap> {
        self.live_for(who, at, "mbarrier wait")?;
        self.note_barrier(who, at, AccessKind::BarrierTest)?;
        let Some(barrier) = self.blocks[at.block.index()].tx.get(&at.address) else { return Ok(false) };
        let done = match phase {
            Phase::Parity(parity) => barrier.state.test_parity(parity),
            Phase::State(state) => barrier.state.test_token(MbarrierToken(state)),
        };
        // Who was lapped comes as it would have come a phase ago.
        let lapped = !done && self.excused.remove(&(who.wave, at));
        let done = done || lapped;
        let (sync, completed) = (barrier.sync, barrier.generation.saturating_sub(u32::from(lapped)));
        if done {
            self.did(Deed::Passed {
                barrier: BarrierName::Object(at.block, at.address),
                completed,
                lasting: false,
            });
            self.emit(&Event::Passed { who, at, completed });
            if completed > 0 {
                let token = Token { sync, generation: completed - 1 };
                self.emit(&match ordering {
                    Ordering::Ordered | Ordering::OfBlock => Event::Acquire { who, token },
                    Ordering::Relaxed => Event::AcquireFenced { who, token, scope: Scope::Block },
                });
            }
        }
        if !done {
            let (barrier, generation) = (BarrierName::Object(at.block, at.address), completed);
            self.did(Deed::Looked { barrier, generation });
        }
        Ok(done)
    }

    /// When a block has ended and all has landed, its barriers must have got what was announced.
    pub(crate) fn check_leftover_bytes(&mut self, block: BlockId) {
        let wave = self.launch.first_wave(block);
        let mut found = Vec::new();
        for (&address, barrier) in &self.blocks[block.index()].tx {
            let count = barrier.state.tx_count();
            if count != 0 {
                found.push((BarrierAt { block, address }, barrier.made, count));
            }
        }
        for (at, place, count) in found {
            let who = Who { wave, lanes: LaneMask::NONE, place };
            self.report(who, leftover(at, count));
        }
    }

    /// Counts bytes that an asynchronous operation landed. Returns the generation in which they were counted.
    pub(crate) fn complete_bytes(
        &mut self,
        at: BarrierAt,
        bytes: u64,
        place: PlaceId,
    ) -> Result<Token, Trap> {
        const WHAT: &str = "complete_tx of an asynchronous copy";
        self.live(at, WHAT)?;
        let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) else {
            return Err(no_barrier(at, WHAT));
        };
        barrier.brought = Some(place);
        let token = Token { sync: barrier.sync, generation: barrier.generation };
        self.change_tx(at, |b| match u32::try_from(bytes) {
            Ok(bytes) => b.complete_tx(bytes),
            Err(_) => Err(MbarrierFault::TransactionRange { count: -bytes.cast_signed() }),
        })?;
        Ok(token)
    }

    /// One arrival by an asynchronous unit; `tell` gets the generation in which it is counted before that may end.
    pub(crate) fn arrive_by_engine(
        &mut self,
        at: BarrierAt,
        count: u32,
        tell: impl FnOnce(&mut Core, Token),
    ) -> Result<(), Trap> {
        self.live(at, "arrival of an asynchronous operation")?;
        if let Some(b) = self.blocks[at.block.index()].tx.get(&at.address) {
            let token = Token { sync: b.sync, generation: b.generation };
            tell(self, token);
        }
        self.change_tx(at, |b| b.arrive(count)).map(|_| ())
    }

    pub(super) fn release_to(&mut self, who: Who, at: BarrierAt, ordering: Ordering) {
        if !self.watching() {
            return;
        }
        if let Some(b) = self.blocks[at.block.index()].tx.get(&at.address) {
            let token = Token { sync: b.sync, generation: b.generation };
            let ordering = match ordering {
                Ordering::OfBlock if self.launch.block_of(who.wave) == at.block => Ordering::Ordered,
                Ordering::OfBlock => Ordering::Relaxed,
                ordering => ordering,
            };
            self.emit(&match ordering {
                Ordering::Ordered | Ordering::OfBlock => Event::Release { who, token },
                // A fence of any scope does.
                Ordering::Relaxed => Event::ReleaseFenced { who, token, scope: Scope::Block, meets: false },
            });
        }
    }

    pub(super) fn change_tx<T>(
        &mut self,
        at: BarrierAt,
        change: impl FnOnce(&mut Mbarrier) -> Result<T, MbarrierFault>,
    ) -> Result<T, Trap> {
        let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) else {
            return Err(no_barrier(at, "a barrier operation"));
        };
        let (before, generation) = (barrier.state, barrier.generation);
        let result = change(&mut barrier.state);
        let ends = barrier.state.phase() != before.phase();
        if ends {
            (barrier.silent, barrier.raised) = (None, None);
            barrier.completed_at = (self.instructions, self.operations);
            barrier.generation += 1;
        }
        let after = barrier.state;
        self.made_progress();
        if self.footprint.is_none() {
            return result.map_err(|fault| barrier_fault(at, fault));
        }
        // What the end of the generation refills is not known from the object: all that was pending arrived.
        let left = if ends { 0 } else { after.pending() };
        let change = if ends { -before.tx_count() } else { after.tx_count() - before.tx_count() };
        self.did(Deed::Count {
            barrier: BarrierName::Object(at.block, at.address),
            generation,
            pending: before.pending(),
            arrivals: before.pending().saturating_sub(left),
            bytes: before.tx_count(),
            change,
            ends,
        });
        result.map_err(|fault| barrier_fault(at, fault))
    }

    pub(super) fn note_barrier(&mut self, who: Who, at: BarrierAt, kind: AccessKind) -> Result<(), Trap> {
        let space = Space::Shared(at.block);
        if !at.address.is_multiple_of(8) {
            return Err(misaligned(at));
        }
        if self.memories.bytes(space, at.address, 8).is_err() {
            return Err(self.memories.out_of_bounds(space, at.address, 8, "barrier operation"));
        }
        self.visible = true;
        // What an operation does to a barrier is written down where it is done; an access is for those who watch.
        if self.watching() {
            let addresses = [at.address; 64];
            self.note(&Access::new(who, space, &addresses, 8), kind, LaneMask::NONE);
        } else {
            self.instructions += 1;
        }
        Ok(())
    }
}
