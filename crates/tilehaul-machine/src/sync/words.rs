//! Barrier words (AMD): LDS words that atomics and engines count, and that waves poll.

use std::ops::Range;

use smallvec::SmallVec;

use super::WordBarrier;
use crate::barrier::BarrierAt;
use crate::chooser::{BarrierName, Deed};
use crate::core::{Core, Trap};
use crate::stuck::Phases;
use crate::{Access, AccessKind, BlockId, ChannelKind, Event, LaneMask, Order, Space, Token, Who};

impl Core {
    /// Arrives at a barrier word: `step` gets the word and returns it changed, and how many phases ended.
    ///
    /// The caller tells the access itself (it may be an LDS atomic on a channel, or an engine's). `once` is what a single
    /// arrival does, whatever `step` does. `kind` is the channel that the arrival is performed on, in order, and `seq`
    /// the number of the operation before it: whoever sees the phase knows these complete, waited for or not.
    ///
    /// # Errors
    /// When the word is outside shared memory.
    pub fn word_arrive(
        &mut self,
        who: Who,
        at: BarrierAt,
        (kind, seq): (ChannelKind, u32),
        step: impl FnOnce(u64) -> (u64, u32),
        once: fn(u64) -> (u64, u32),
    ) -> Result<u64, Trap> {
        self.visible = true;
        self.touch(Space::Shared(at.block), at.address, 8, true);
        let old = self.step_word(at, step, once, |core, token| {
            core.emit(&Event::Release { who, token });
            let channel = crate::Channel { wave: who.wave, kind };
            core.emit(&Event::Carry { channel, lanes: who.lanes, seq, token });
        })?;
        Ok(old)
    }

    /// The arrivals of an engine on a barrier word when an operation, given by its channel and number, is complete.
    pub(crate) fn word_arrive_by_engine(
        &mut self,
        who: Who,
        (kind, seq): (ChannelKind, u32),
        at: BarrierAt,
        once: fn(u64) -> (u64, u32),
        arrivals: u32,
    ) -> Result<(), Trap> {
        let channel = crate::Channel { wave: who.wave, kind };
        let all = |word| {
            (0..arrivals).fold((word, 0), |(word, ended), _| {
                let (word, one) = once(word);
                (word, ended + one)
            })
        };
        self.step_word(at, all, once, |core, token| {
            core.emit(&Event::Carry { channel, lanes: who.lanes, seq, token });
        })?;
        Ok(())
    }

    pub(super) fn step_word(
        &mut self,
        at: BarrierAt,
        step: impl FnOnce(u64) -> (u64, u32),
        once: fn(u64) -> (u64, u32),
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
            self.blocks[at.block.index()].words.insert(at.address, WordBarrier { sync, generation: 0, once });
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

    /// How the phase of a barrier word stands: how many arrivals end it, and how many the next one takes.
    pub(super) fn word_phases(&self, at: BarrierAt, word: &WordBarrier) -> Phases {
        let mut value = 0;
        if let Ok(bytes) = self.memories.bytes(Space::Shared(at.block), at.address, 8)
            && let Ok(bytes) = bytes.try_into()
        {
            value = u64::from_le_bytes(bytes);
        }
        let mut arrivals = || {
            for n in 1..=MOST_ARRIVALS {
                let (next, ended) = (word.once)(value);
                value = next;
                if ended > 0 {
                    return n;
                }
            }
            MOST_ARRIVALS
        };
        let (pending, expected) = (arrivals(), arrivals());
        Phases { completed: word.generation, pending, expected }
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
}

/// Arrivals that are tried out to see what ends a phase.
const MOST_ARRIVALS: u32 = 1 << 16;

/// Addresses at which a barrier word of eight bytes would meet the bytes of a lane.
fn words_in(access: &Access<'_>, lane: u32) -> Range<u64> {
    let start = access.addresses[lane as usize];
    start.saturating_sub(7)..start.saturating_add(u64::from(access.size))
}
