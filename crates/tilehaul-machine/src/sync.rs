//! Barriers of the core: rendezvous of threads, transaction barriers, barrier words.
//!
//! A transaction barrier (mbarrier) counts arrivals and bytes; its state is the engine's pure object, kept beside shared
//! memory and written through to its eight bytes. A barrier word (AMD) lives in LDS itself and is changed by atomics
//! and by the engine; whoever reads it learns which of its phases have ended.

use std::ops::Range;

use smallvec::SmallVec;
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_engine::mbarrier::{Mbarrier, MbarrierFault, MbarrierLayout, Token as MbarrierToken};

use crate::barrier::{BarrierAt, BarrierKey, Expected, Rendezvous, Ticket};
use crate::chooser::{BarrierName, Deed};
use crate::core::{Core, Trap};
use crate::stuck::{Phases, Stall};
use crate::{
    Access, AccessKind, BlockId, ChannelKind, Event, LaneMask, Order, PlaceId, Scope, Space, SyncId, Token,
    WaitFor, Waits, WaveId, Who,
};

/// A live transaction barrier.
#[derive(Debug)]
pub(crate) struct TxBarrier {
    pub state: Mbarrier,
    pub sync: SyncId,
    /// Phases completed so far.
    pub generation: u32,
    /// The init.
    pub made: PlaceId,
    /// Who announced bytes last.
    pub announced: Option<PlaceId>,
    /// Whose bytes were counted last.
    pub brought: Option<PlaceId>,
    /// Who announced bytes in this phase without an arrival.
    pub silent: Option<PlaceId>,
    /// Which asynchronous arrival raised the pending count by itself in this phase.
    pub raised: Option<PlaceId>,
}

/// A barrier word that was arrived on.
#[derive(Debug)]
pub(crate) struct WordBarrier {
    pub sync: SyncId,
    /// Phases completed so far.
    pub generation: u32,
}

/// Which phase a wait asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The one of this parity (bit 0 counts).
    Parity(u32),
    /// The one in which an arrival returned this state.
    State(u64),
}

/// Memory order of an operation on a transaction barrier. A scope counts only where it is written, and for arrivals: see
/// `docs/machine.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// Release or acquire, as when nothing is written.
    Ordered,
    /// Written with the scope of a block: orders nothing for threads of another one, so that an arrival at the barrier of
    /// another block releases only what fences make available.
    OfBlock,
    /// `.relaxed`: only what fences around it make available is released or acquired.
    Relaxed,
}

/// One arrival operation on a transaction barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// `arrive` with a count.
    Count(u32),
    /// `arrive.expect_tx`: announce bytes, then arrive once.
    ExpectTx(u32),
    /// `arrive_drop` with a count.
    Drop(u32),
    /// `arrive_drop.expect_tx`.
    DropExpectTx(u32),
    /// `arrive.noComplete` with a count.
    NoComplete(u32),
}

impl Arrival {
    fn on(self, barrier: &mut Mbarrier) -> Result<MbarrierToken, MbarrierFault> {
        match self {
            Arrival::Count(n) => barrier.arrive(n),
            Arrival::ExpectTx(bytes) => barrier.arrive_expect_tx(bytes),
            Arrival::Drop(n) => barrier.arrive_drop(n),
            Arrival::DropExpectTx(bytes) => barrier.arrive_drop_expect_tx(bytes),
            Arrival::NoComplete(n) => barrier.arrive_no_complete(n),
        }
    }
}

impl Core {
    /// Arrives at a barrier of threads with `weight` (threads, or whatever `expected` counts).
    pub fn barrier_arrive(&mut self, who: Who, key: BarrierKey, weight: u32, expected: Expected) -> Ticket {
        self.arrive_at(who, key, weight, expected, true)
    }

    fn arrive_at(
        &mut self,
        who: Who,
        key: BarrierKey,
        weight: u32,
        expected: Expected,
        releases: bool,
    ) -> Ticket {
        self.visible = true;
        if !self.rendezvous.contains_key(&key) {
            let sync = self.new_sync();
            self.rendezvous.insert(key, Rendezvous::new(sync, expected));
        }
        if let Some((before, now)) = self.rendezvous.get(&key).and_then(|r| r.disagrees(expected)) {
            let message = format!(
                "{} arrives at {key} for {now} threads while others wait there for {before}: all must name one count",
                who.wave
            );
            self.report(
                who,
                Diagnostic::new(Code("barrier-counts-differ"), Level::Error, message)
                    .fix("Give the same number of threads to every bar.sync and bar.arrive that meet.")
                    .source(Source::manual("PTX ISA, bar.sync and bar.arrive")),
            );
        }
        let (token, ticket) = match self.rendezvous.get_mut(&key) {
            Some(r) => {
                r.arrive(who.wave, who.lanes, weight, expected);
                let generation = r.generation;
                (Token { sync: r.sync, generation }, Ticket { key, generation })
            }
            // Inserted just above.
            None => (Token { sync: SyncId(0), generation: 0 }, Ticket { key, generation: 0 }),
        };
        let scope = if matches!(key, BarrierKey::Cluster(..)) { Scope::Cluster } else { Scope::Block };
        let event =
            if releases { Event::Release { who, token } } else { Event::ReleaseFenced { who, token, scope } };
        self.emit(&event);
        let ends = self.finish_rendezvous(key);
        self.did(threads_count(key, ticket.generation, ends));
        ticket
    }

    /// The same, releasing only what a fence made available before (`barrier.cluster.arrive.relaxed`).
    pub fn barrier_arrive_relaxed(
        &mut self,
        who: Who,
        key: BarrierKey,
        weight: u32,
        expected: Expected,
    ) -> Ticket {
        self.arrive_at(who, key, weight, expected, false)
    }

    /// True once the generation of the ticket has ended; the lanes then know what all who arrived had done.
    pub fn barrier_wait(&mut self, who: Who, ticket: Ticket) -> bool {
        let Some(r) = self.rendezvous.get(&ticket.key) else { return false };
        if r.generation <= ticket.generation {
            self.did(Deed::Waits(BarrierName::Threads(ticket.key)));
            return false;
        }
        let token = Token { sync: r.sync, generation: ticket.generation };
        self.visible = true;
        self.did(Deed::Passed {
            barrier: BarrierName::Threads(ticket.key),
            completed: ticket.generation + 1,
            lasting: true,
        });
        self.emit(&Event::Acquire { who, token });
        true
    }

    /// Arrivals so far in the current generation of a barrier, and its generation.
    #[must_use]
    pub fn barrier_state(&self, key: BarrierKey) -> (u32, u32) {
        self.rendezvous.get(&key).map_or((0, 0), |r| (r.arrived, r.generation))
    }

    /// All lanes of the mask meet without waiting (they execute `bar.warp.sync` together).
    pub fn lanes_meet(&mut self, who: Who) {
        let key = BarrierKey::Wave(who.wave);
        let ticket = self.barrier_arrive(who, key, 1, Expected::Count(1));
        self.barrier_wait(who, ticket);
    }

    /// `mbarrier.init`.
    ///
    /// # Errors
    /// When the object does not fit its memory or is misaligned.
    pub fn mbarrier_init(&mut self, who: Who, at: BarrierAt, count: u32) -> Result<(), Trap> {
        self.note_barrier(who, at, AccessKind::BarrierInit)?;
        self.did(Deed::Reset(BarrierName::Object(at.block, at.address)));
        let sync = self.new_sync();
        let state = Mbarrier::init(count, MbarrierLayout::V0);
        let old = self.blocks[at.block.index()].tx.insert(
            at.address,
            TxBarrier {
                state,
                sync,
                generation: 0,
                made: who.place,
                announced: None,
                brought: None,
                silent: None,
                raised: None,
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
        self.write_through(at);
        Ok(())
    }

    /// `mbarrier.inval`.
    ///
    /// # Errors
    /// When there is no barrier.
    pub fn mbarrier_inval(&mut self, who: Who, at: BarrierAt) -> Result<(), Trap> {
        self.live(at, "mbarrier.inval")?;
        self.note_barrier(who, at, AccessKind::BarrierInval)?;
        self.did(Deed::Reset(BarrierName::Object(at.block, at.address)));
        self.blocks[at.block.index()].tx.remove(&at.address);
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
        self.live(at, "mbarrier.arrive")?;
        self.note_barrier(who, at, AccessKind::BarrierUse)?;
        if matches!(arrival, Arrival::ExpectTx(_) | Arrival::DropExpectTx(_)) {
            self.note_announced(at, who.place);
        }
        if let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) {
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
        for lane in who.lanes.iter() {
            if split.is_some() {
                self.release_to(Who { lanes: LaneMask::one(lane), ..who }, at, ordering);
            }
            let before = self.change_tx(at, |b| arrival.on(b))?;
            state(lane, before.0);
        }
        Ok(())
    }

    /// The number of lanes whose arrivals end the phase, when others of the same instruction arrive in the next one.
    fn ends_within(&self, who: Who, at: BarrierAt, arrival: Arrival) -> Option<u32> {
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
        self.live(at, "mbarrier.expect_tx")?;
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
        self.live(at, "mbarrier.complete_tx")?;
        self.note_barrier(who, at, AccessKind::BarrierUse)?;
        self.note_brought(at, who.place);
        for _ in who.lanes.iter() {
            self.change_tx(at, |b| b.complete_tx(bytes))?;
        }
        Ok(())
    }

    fn note_announced(&mut self, at: BarrierAt, place: PlaceId) {
        if let Some(barrier) = self.blocks[at.block.index()].tx.get_mut(&at.address) {
            barrier.announced = Some(place);
        }
    }

    fn note_brought(&mut self, at: BarrierAt, place: PlaceId) {
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
        self.live(at, "cp.async.mbarrier.arrive")?;
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
        self.live(at, "mbarrier wait")?;
        self.note_barrier(who, at, AccessKind::BarrierUse)?;
        let Some(barrier) = self.blocks[at.block.index()].tx.get(&at.address) else { return Ok(false) };
        let done = match phase {
            Phase::Parity(parity) => barrier.state.test_parity(parity),
            Phase::State(state) => barrier.state.test_token(MbarrierToken(state)),
        };
        let (sync, completed) = (barrier.sync, barrier.generation);
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

    /// Arrives at a barrier word: `step` gets the word and returns it changed, and how many phases ended.
    ///
    /// The caller tells the access itself (it may be an LDS atomic on a channel, or an engine's).
    ///
    /// # Errors
    /// When the word is outside shared memory.
    pub fn word_arrive(
        &mut self,
        who: Who,
        at: BarrierAt,
        step: impl FnOnce(u64) -> (u64, u32),
    ) -> Result<u64, Trap> {
        self.visible = true;
        self.touch(Space::Shared(at.block), at.address, 8, true);
        let old = self.step_word(at, step, |core, token| {
            core.emit(&Event::Release { who, token });
        })?;
        Ok(old)
    }

    /// The arrival of an engine on a barrier word when its operation `seq` of a channel is complete.
    pub(crate) fn word_arrive_by_engine(
        &mut self,
        who: Who,
        kind: ChannelKind,
        seq: u32,
        at: BarrierAt,
        step: fn(u64) -> (u64, u32),
    ) -> Result<(), Trap> {
        let channel = crate::Channel { wave: who.wave, kind };
        self.step_word(at, step, |core, token| {
            core.emit(&Event::Carry { channel, lanes: who.lanes, seq, token });
        })?;
        Ok(())
    }

    fn step_word(
        &mut self,
        at: BarrierAt,
        step: impl FnOnce(u64) -> (u64, u32),
        tell: impl FnOnce(&mut Core, Token),
    ) -> Result<u64, Trap> {
        let space = Space::Shared(at.block);
        let Ok(bytes) = self.memories.bytes_mut(space, at.address, 8) else {
            return Err(self.memories.out_of_bounds(space, at.address, 8, "barrier arrival"));
        };
        let mut word = [0; 8];
        word.copy_from_slice(bytes);
        let old = u64::from_le_bytes(word);
        let (new, ended) = step(old);
        bytes.copy_from_slice(&new.to_le_bytes());
        if !self.blocks[at.block.index()].words.contains_key(&at.address) {
            let sync = self.new_sync();
            self.blocks[at.block.index()].words.insert(at.address, WordBarrier { sync, generation: 0 });
        }
        if let Some(word) = self.blocks[at.block.index()].words.get(&at.address) {
            let token = Token { sync: word.sync, generation: word.generation };
            tell(self, token);
        }
        if let Some(word) = self.blocks[at.block.index()].words.get_mut(&at.address) {
            let generation = word.generation;
            word.generation += ended;
            let barrier = BarrierName::Object(at.block, at.address);
            let ends = ended > 0;
            self.did(Deed::Count { barrier, generation, pending: 1, arrivals: 1, bytes: 0, change: 0, ends });
            if ended > 1 {
                self.did(Deed::Reset(barrier));
            }
        }
        self.made_progress();
        Ok(old)
    }

    /// What a load that a loop repeats until the bytes change looks at: one word, of which it is taken to await a phase.
    pub(crate) fn polled_word(&self, access: &Access<'_>, kind: AccessKind) -> Option<Deed> {
        let (Space::Shared(block), Order::Poll, AccessKind::Read) = (access.space, access.order, kind) else {
            return None;
        };
        let first = access.addresses.get(access.who.lanes.lowest()? as usize)? & !7;
        let inside = |lane: u32| {
            let start = access.addresses[lane as usize];
            start & !7 == first && (start & 7) + u64::from(access.size) <= 8
        };
        if !access.who.lanes.iter().all(inside) {
            return None;
        }
        let completed = self.blocks[block.index()].words.get(&first).map_or(0, |word| word.generation);
        let barrier = BarrierName::Object(block, first);
        Some(Deed::Polled { barrier, completed })
    }

    /// Reads of barrier words tell their readers which phases have ended.
    pub(crate) fn note_words(&mut self, block: BlockId, access: &Access<'_>) {
        for lane in access.who.lanes.iter() {
            let words = &self.blocks[block.index()].words;
            let read = words.range(words_in(access, lane)).filter(|(_, word)| word.generation > 0);
            let tokens: SmallVec<[Token; 2]> =
                read.map(|(_, word)| Token { sync: word.sync, generation: word.generation - 1 }).collect();
            let who = Who { lanes: LaneMask::one(lane), ..access.who };
            for &token in &tokens {
                self.emit(&Event::Acquire { who, token });
            }
            if !tokens.is_empty() && self.launch.lockstep {
                // One lane's knowledge is the wave's.
                break;
            }
        }
    }

    /// Bytes that are stored to are no barrier word any more: what is read there later orders nothing.
    pub(crate) fn forget_words(&mut self, block: BlockId, access: &Access<'_>) {
        let words = &mut self.blocks[block.index()].words;
        for lane in access.who.lanes.iter() {
            while let Some((&at, _)) = words.range(words_in(access, lane)).next() {
                words.remove(&at);
            }
        }
    }

    /// False when a wave that waits like this would wait in vain: it need not be tried again. Only where all lanes of the
    /// wave that are left wait for one barrier is that certain.
    pub(crate) fn may_pass(&self, wave: WaveId, waits: &Waits) -> bool {
        let lanes = self.launch.wave_info(wave).lanes;
        let left = lanes.0 & !self.waves.get(wave.index()).map_or(0, |w| w.exited.0);
        if left & !waits.lanes.0 != 0 {
            return true;
        }
        match waits.reason {
            WaitFor::Mbarrier { at, parity } => {
                let barrier = self.blocks.get(at.block.index()).and_then(|b| b.tx.get(&at.address));
                barrier.is_none_or(|b| b.state.test_parity(u32::from(parity)))
            }
            WaitFor::Rendezvous(ticket) => {
                self.rendezvous.get(&ticket.key).is_none_or(|r| r.generation > ticket.generation)
            }
            WaitFor::Memory { .. }
            | WaitFor::TensorColumns { .. }
            | WaitFor::Operation
            | WaitFor::Time
            | WaitFor::Loop
            | WaitFor::Other(_) => true,
        }
    }

    /// How something that a wave waits for stands.
    pub(crate) fn stall(&self, reason: &WaitFor) -> Stall {
        match reason {
            WaitFor::Mbarrier { at, .. } => {
                let Some(b) = self.blocks[at.block.index()].tx.get(&at.address) else {
                    return Stall::NoBarrier;
                };
                let (state, completed) = (&b.state, b.generation);
                let (pending, expected) = (state.pending(), state.expected());
                let phases = Phases { completed, pending, expected };
                match state.tx_count() {
                    0 if pending == expected && completed > 0 => {
                        Stall::NextPhaseEmpty { completed, parity: u8::from(state.phase()) }
                    }
                    0 => Stall::Arrivals(phases),
                    n if n > 0 => Stall::BytesMissing(phases, n.unsigned_abs()),
                    n => Stall::BytesUnannounced(phases, n.unsigned_abs()),
                }
            }
            WaitFor::Rendezvous(ticket) => match self.rendezvous.get(&ticket.key) {
                None => Stall::NotSignalled { waves: self.launch.waves_per_block() },
                Some(r) => Stall::ThreadsMissing { arrived: r.arrived, expected: r.expected },
            },
            WaitFor::Memory { space: Space::Shared(block), address } => {
                let word = self.blocks[block.index()].words.get(&(address & !7));
                word.map_or(Stall::NoWord, |w| Stall::WordPhases(w.generation))
            }
            WaitFor::Memory { .. }
            | WaitFor::TensorColumns { .. }
            | WaitFor::Operation
            | WaitFor::Time
            | WaitFor::Loop
            | WaitFor::Other(_) => Stall::Plain,
        }
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
        self.live(at, "complete_tx of an asynchronous copy")?;
        self.note_brought(at, place);
        let block = &self.blocks[at.block.index()];
        let token = match block.tx.get(&at.address) {
            Some(b) => Token { sync: b.sync, generation: b.generation },
            None => Token { sync: SyncId(0), generation: 0 },
        };
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

    fn release_to(&mut self, who: Who, at: BarrierAt, ordering: Ordering) {
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
                Ordering::Relaxed => Event::ReleaseFenced { who, token, scope: Scope::Block },
            });
        }
    }

    fn change_tx<T>(
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
            barrier.generation += 1;
        }
        let after = barrier.state;
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
        self.made_progress();
        self.write_through(at);
        result.map_err(|fault| barrier_fault(at, fault))
    }

    fn live(&self, at: BarrierAt, what: &str) -> Result<(), Trap> {
        let block = self.blocks.get(at.block.index());
        if block.is_none_or(|b| !b.resident || b.ended) {
            return Err(Box::new(
                Diagnostic::new(
                    Code("cluster-peer-gone"),
                    Level::Error,
                    format!("{what} on {at}, whose block is not running: it has exited or not yet started"),
                )
                .fix("Keep every block of the cluster alive with a cluster barrier before it exits.")
                .source(Source::hardware("h200 fact 94")),
            ));
        }
        if block.is_some_and(|b| b.tx.contains_key(&at.address)) { Ok(()) } else { Err(no_barrier(at, what)) }
    }

    fn note_barrier(&mut self, who: Who, at: BarrierAt, kind: AccessKind) -> Result<(), Trap> {
        let space = Space::Shared(at.block);
        if !at.address.is_multiple_of(8) {
            return Err(Box::new(
                Diagnostic::new(
                    Code("barrier-misaligned"),
                    Level::Error,
                    format!("{at} is not 8-byte aligned"),
                )
                .fix("Align the barrier object to 8 bytes.")
                .source(Source::hardware("h200 fact 85")),
            ));
        }
        if self.memories.bytes(space, at.address, 8).is_err() {
            return Err(self.memories.out_of_bounds(space, at.address, 8, "barrier operation"));
        }
        self.visible = true;
        // What an operation does to a barrier is written down where it is done; an access is for those who watch.
        if self.watching() {
            let addresses = [at.address; 64];
            self.note(&Access::new(who, space, &addresses, 8), kind, LaneMask::NONE);
        }
        Ok(())
    }

    fn write_through(&mut self, at: BarrierAt) {
        if let Some(barrier) = self.blocks[at.block.index()].tx.get(&at.address)
            && let Ok(bytes) = self.memories.bytes_mut(Space::Shared(at.block), at.address, 8)
        {
            bytes.copy_from_slice(&barrier.state.0.to_le_bytes());
        }
    }

    /// Lanes of a wave of the block have exited: barriers of everybody no longer wait for them.
    pub(crate) fn leave_rendezvous(&mut self, block: BlockId, wave: WaveId, lanes: LaneMask) {
        let cluster = self.launch.block_info(block).cluster;
        let mine = |key: &BarrierKey| match key {
            BarrierKey::Block(b, _) => *b == block,
            BarrierKey::Cluster(c, _) => *c == cluster,
            BarrierKey::Wave(_) => false,
        };
        let keys: Vec<BarrierKey> = self.rendezvous.keys().copied().filter(mine).collect();
        for key in keys {
            let Some(rendezvous) = self.rendezvous.get_mut(&key) else { continue };
            rendezvous.leave(wave, lanes);
            let generation = rendezvous.generation;
            if self.finish_rendezvous(key) {
                self.did(threads_count(key, generation, true));
            }
        }
    }

    /// Ends the generation when all are there; true when it did.
    fn finish_rendezvous(&mut self, key: BarrierKey) -> bool {
        let everyone = match key {
            BarrierKey::Block(block, _) => self.blocks[block.index()].live_threads,
            BarrierKey::Cluster(cluster, _) => (0..self.launch.cluster_size())
                .filter_map(|rank| self.launch.block_at(cluster, rank))
                .map(|block| self.blocks[block.index()].live_threads)
                .sum(),
            BarrierKey::Wave(_) => 1,
        };
        self.release_exited(key);
        let Some(r) = self.rendezvous.get_mut(&key) else { return false };
        let needed = match r.expected {
            Expected::Everyone => everyone,
            Expected::Count(n) => n,
        };
        if r.arrived > 0 && r.arrived >= needed {
            r.end();
            self.made_progress();
            return true;
        }
        false
    }

    /// A barrier of everybody that ends without those who have exited ends because they have: what they did comes before.
    fn release_exited(&mut self, key: BarrierKey) {
        let (BarrierKey::Block(block, _), true) = (key, self.watching()) else { return };
        let Some(r) = self.rendezvous.get(&key) else { return };
        let live = self.blocks[block.index()].live_threads;
        if r.expected != Expected::Everyone || r.arrived == 0 || r.arrived < live {
            return;
        }
        let token = Token { sync: r.sync, generation: r.generation };
        for who in self.blocks[block.index()].exits.clone() {
            self.emit(&Event::Release { who, token });
        }
    }
}

/// Addresses at which a barrier word of eight bytes would meet the bytes of a lane.
fn words_in(access: &Access<'_>, lane: u32) -> Range<u64> {
    let start = access.addresses[lane as usize];
    start.saturating_sub(7)..start.saturating_add(u64::from(access.size))
}

/// An arrival of threads. It counts as one of two that are pending: without an earlier one it would not have ended anything.
fn threads_count(key: BarrierKey, generation: u32, ends: bool) -> Deed {
    let barrier = BarrierName::Threads(key);
    Deed::Count { barrier, generation, pending: 1, arrivals: 1, bytes: 0, change: 0, ends }
}

fn leftover(at: BarrierAt, count: i64) -> Diagnostic {
    let source = Source::hardware("h200 facts 39, 41, 42, 114");
    if count < 0 {
        Diagnostic::new(
            Code("transaction-bytes-unannounced"),
            Level::Error,
            format!(
                "{} bytes landed on {at} that no expect_tx announced in their phase: waits did not wait for them, and \
                 they are charged to the next phase",
                -count
            ),
        )
        .fix("Announce as many bytes as the copies of a phase bring (mbarrier.arrive.expect_tx) before waiting for it.")
        .source(source)
    } else {
        Diagnostic::new(
            Code("transaction-bytes-missing"),
            Level::Warning,
            format!(
                "{count} bytes announced on {at} never came; nobody waited for them before the block ended"
            ),
        )
        .fix("Announce only as many bytes as the copies of a phase bring.")
        .source(source)
    }
}

fn arrivals_split(at: BarrierAt, who: Who, first: u32) -> Diagnostic {
    let (lanes, wave) = (who.lanes.len(), who.wave);
    Diagnostic::new(
        Code("arrivals-of-two-phases"),
        Level::Warning,
        format!(
            "{lanes} lanes of {wave} arrive on {at}, and the first {first} of them end its phase: the others count for the \
             next one, and nobody waits for what they did before"
        ),
    )
    .fix("Initialise the barrier with the number of arrivals that each phase gets, or let only that many lanes arrive.")
    .source(Source::manual("PTX ISA, mbarrier: the phase completes when the pending count reaches zero"))
}

fn arrives_too_near(at: BarrierAt, who: Who) -> Diagnostic {
    let wave = who.wave;
    Diagnostic::new(
        Code("barrier-scope-too-narrow"),
        Level::Warning,
        format!(
            "{wave} arrives with the scope of its own block on {at}, which belongs to another: what {wave} did before is not \
             released to whoever waits there"
        ),
    )
    .fix("Arrive with .release.cluster.")
    .source(Source::manual("PTX ISA 8, morally strong operations: each scope includes the thread of the other"))
}

fn no_barrier(at: BarrierAt, what: &str) -> Trap {
    Box::new(
        Diagnostic::new(
            Code("barrier-not-initialised"),
            Level::Error,
            format!("{what} on {at}, where no barrier is: it was never initialised or has been invalidated"),
        )
        .fix("Initialise the barrier and make that visible before it is used.")
        .source(Source::manual("PTX ISA, mbarrier")),
    )
}

fn barrier_fault(at: BarrierAt, fault: MbarrierFault) -> Trap {
    let (code, fix) = match fault {
        MbarrierFault::OverArrive { .. } => (
            "barrier-over-arrival",
            "Initialise the barrier with the number of arrivals that each phase gets, or let only that many threads arrive.",
        ),
        MbarrierFault::TransactionOperand { .. } | MbarrierFault::TransactionRange { .. } => (
            "barrier-transaction-range",
            "Announce fewer bytes in one phase, or only as many as the copies bring.",
        ),
        MbarrierFault::NotABarrier { .. } => {
            ("barrier-not-initialised", "Initialise the barrier before it is used.")
        }
    };
    Box::new(
        Diagnostic::new(Code(code), Level::Error, format!("{at}: {fault}"))
            .fix(fix)
            .source(Source::hardware("h200 facts 110 to 113")),
    )
}
