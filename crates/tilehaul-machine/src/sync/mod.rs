//! Barriers of the core: rendezvous of threads, transaction barriers, barrier words.
//!
//! A transaction barrier (mbarrier) counts arrivals and bytes; its state is the engine's pure object, kept beside shared
//! memory, whose eight bytes see it when it is written back (`cached`). A barrier word (AMD) lives in LDS itself and is changed by atomics
//! and by the engine; whoever reads it learns which of its phases have ended.

mod cached;
mod rendezvous;
mod told;
mod transaction;
mod words;

use tilehaul_engine::mbarrier::{Mbarrier, MbarrierFault, Token as MbarrierToken};

use crate::core::Core;
use crate::stuck::{Phases, Stall};
use crate::{BarrierAt, PlaceId, Space, SyncId, WaitFor, Waits, WaveId};

/// A live transaction barrier.
#[derive(Debug)]
pub(crate) struct TxBarrier {
    pub state: Mbarrier,
    pub sync: SyncId,
    /// Phases completed so far.
    pub generation: u32,
    /// The cache holds it, and its number among uses of barriers then.
    pub cached: bool,
    pub used: u64,
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
    /// Instructions of all waves, and operations issued, when the last phase completed.
    pub completed_at: (u64, u64),
}

/// A barrier word that was arrived on.
#[derive(Debug)]
pub(crate) struct WordBarrier {
    pub sync: SyncId,
    /// Phases completed so far.
    pub generation: u32,
    /// What one arrival does to the word.
    pub once: fn(u64) -> (u64, u32),
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
                let at = BarrierAt { block: *block, address: address & !7 };
                word.map_or(Stall::NoWord, |w| Stall::Word(self.word_phases(at, w)))
            }
            WaitFor::Memory { .. }
            | WaitFor::TensorColumns { .. }
            | WaitFor::Operation
            | WaitFor::Time
            | WaitFor::Loop
            | WaitFor::Other(_) => Stall::Plain,
        }
    }
}
