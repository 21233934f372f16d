//! Blocks of a cluster: who is known to have started, and who last used the memory of whom.
//!
//! A block's shared memory may be touched by another one only while its threads run: from when it is known to have
//! started (manual: CUDA programming guide, distributed shared memory) to before it ends (hardware: h200 fact 94).
//!
//! That a block has started is known by any way at all that leads from it to the toucher, be it relaxed: a barrier of the
//! cluster, an arrival, a copy that it sent, a flag. So this is kept apart from happens-before over data, as one bit for
//! each block of the cluster.
//!
//! Soundness: a missing start is reported only when nothing that the waves have seen came from the other block. May miss: lanes of
//! a wave share what one of them has seen.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tilehaul_machine::{
    Access, AccessKind, BlockId, LaneMask, Launch, PlaceId, Space, SyncId, Token, WaveId, Who,
};

use crate::checker::Checker;
use crate::clocks::Knowledge;
use crate::hazard::{self, peer_not_started::Use};
use crate::reads::Read;
use crate::record::{NEVER, Owner, Record};

/// Ranks of the blocks of a cluster, as bits.
type Ranks = u32;

/// An access to another block's memory: later ones of the same lanes stand for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign {
    pub record: Record,
    pub lanes: LaneMask,
}

/// What is known of the blocks of the clusters.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    /// Blocks that a wave has heard from, by wave.
    heard: Vec<Ranks>,
    /// What each generation of an object added to what came through it, oldest first.
    through: FxHashMap<SyncId, SmallVec<[(u32, Ranks); 4]>>,
    flags: FxHashMap<(Space, u64), Ranks>,
    foreign: FxHashMap<BlockId, Vec<Foreign>>,
    /// Work on another block's barrier: it counts once it turns out to be an arrival.
    arrival: Option<(BlockId, Foreign)>,
    /// Where bytes of a block that need not have started were first used: later uses are counted there.
    early: Option<PlaceId>,
}

impl Peers {
    /// Nothing is kept for launches without clusters, nor where lanes run in lockstep (AMD's manuals say nothing of starts).
    pub(crate) fn new(launch: &Launch) -> Peers {
        if launch.cluster_size() < 2 || launch.lockstep {
            return Peers::default();
        }
        let waves = launch.blocks() * launch.waves_per_block();
        let own = |w| 1u32.checked_shl(launch.wave_info(WaveId(w)).block.rank).unwrap_or(0);
        Peers { heard: (0..waves).map(own).collect(), ..Peers::default() }
    }

    /// True when there is anything to keep.
    pub(crate) fn matter(&self) -> bool {
        !self.heard.is_empty()
    }

    /// True when the wave has heard from the block of that rank.
    pub(crate) fn knows_started(&self, wave: WaveId, rank: u32) -> bool {
        self.heard.get(wave.index()).is_none_or(|h| h >> rank & 1 == 1)
    }

    /// The wave tells whoever acquires this, or a copy of its is counted there.
    pub(crate) fn gives(&mut self, wave: WaveId, token: Token) {
        let Some(&mine) = self.heard.get(wave.index()) else { return };
        let through = self.through.entry(token.sync).or_default();
        let known = through.iter().filter(|t| t.0 <= token.generation).fold(0, |all, t| all | t.1);
        if mine & !known != 0 {
            through.push((token.generation, mine & !known));
        }
    }

    /// The wave learns what came through an object up to this generation.
    pub(crate) fn takes(&mut self, wave: WaveId, token: Token) {
        let (Some(mine), Some(through)) = (self.heard.get_mut(wave.index()), self.through.get(&token.sync))
        else {
            return;
        };
        *mine |= through.iter().filter(|t| t.0 <= token.generation).fold(0, |all, t| all | t.1);
    }

    /// The wave writes a flag.
    pub(crate) fn raises(&mut self, wave: WaveId, flag: (Space, u64)) {
        if let Some(&mine) = self.heard.get(wave.index()) {
            *self.flags.entry(flag).or_default() |= mine;
        }
    }

    /// The wave reads a flag.
    pub(crate) fn sees(&mut self, wave: WaveId, flag: (Space, u64)) {
        if let (Some(mine), Some(&flag)) = (self.heard.get_mut(wave.index()), self.flags.get(&flag)) {
            *mine |= flag;
        }
    }

    /// Lanes of another block used this block's memory.
    pub(crate) fn used(&mut self, block: BlockId, record: Record, lanes: LaneMask) {
        let list = self.foreign.entry(block).or_default();
        // A read may be over where a write before it is not.
        let stands_for = |f: &&mut Foreign| {
            f.record.wave == record.wave
                && (!record.what.is_over_with_its_thread() || f.record.what.is_over_with_its_thread())
        };
        for earlier in list.iter_mut().filter(stands_for) {
            earlier.lanes.0 &= !lanes.0;
        }
        list.retain(|f| !f.lanes.is_empty());
        list.push(Foreign { record, lanes });
    }

    /// The last uses of this block's memory by others, and forgets them.
    pub(crate) fn users(&mut self, block: BlockId) -> Vec<Foreign> {
        self.foreign.remove(&block).unwrap_or_default()
    }
}

impl Checker {
    /// An access in program order; when it is to another block's memory, that block must live.
    pub(crate) fn at_peer(&mut self, access: &Access<'_>, kind: AccessKind, record: u32, clear: bool) {
        self.peers.arrival = None;
        let Space::Shared(block) = access.space else { return };
        if block == self.launch.block_of(access.who.wave) {
            return;
        }
        let used = match kind {
            AccessKind::Read | AccessKind::Write | AccessKind::Atomic => Use::Bytes,
            AccessKind::BarrierInit
            | AccessKind::BarrierUse
            | AccessKind::BarrierTest
            | AccessKind::BarrierInval => Use::Barrier,
        };
        self.started(access.who, access.space, (kind, used), clear);
        let foreign = Foreign { record: self.records[record as usize], lanes: access.who.lanes };
        if kind == AccessKind::BarrierUse {
            self.peers.arrival = Some((block, foreign));
        } else {
            self.peers.used(block, foreign.record, foreign.lanes);
        }
    }

    /// A release: if it is that of an arrival at another block's barrier, the block must not end before it.
    ///
    /// Other work on barriers (bytes announced, relaxed arrivals) is over when the phase is, which any wait tells.
    pub(crate) fn released_at_peer(&mut self, who: Who) {
        if let Some((block, foreign)) = self.peers.arrival.take()
            && (foreign.record.wave, foreign.record.place) == (who.wave, who.place)
        {
            self.peers.used(block, foreign.record, foreign.lanes);
        }
    }

    /// Memory of another block is used: the block must be known to have started. `clear` is false where the access is
    /// wrong for another reason, which says more.
    pub(crate) fn started(&mut self, who: Who, space: Space, (kind, used): (AccessKind, Use), clear: bool) {
        let (Space::Shared(block), true, true) = (space, clear, self.peers.matter()) else { return };
        if block == self.launch.block_of(who.wave)
            || self.peers.knows_started(who.wave, self.launch.block_info(block).rank)
        {
            return;
        }
        let noun = match kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "update",
            AccessKind::BarrierInit
            | AccessKind::BarrierUse
            | AccessKind::BarrierTest
            | AccessKind::BarrierInval => "barrier operation",
        };
        let replay = self.replay;
        // One barrier in front of all of them mends all, and compilers unroll them by the dozen.
        let place = match used {
            Use::Bytes => *self.peers.early.get_or_insert(who.place),
            Use::Barrier => who.place,
        };
        self.findings.add(hazard::peer_not_started::HAZARD.code, place, None, || {
            hazard::peer_not_started::finding(place, who, (block, noun, used), replay)
        });
    }

    /// A block has ended: accesses of others to its memory must come before its end, and copies that read it as well.
    pub(crate) fn used_after_end(&mut self, block: BlockId, exit: &Knowledge, last: Option<Who>) {
        let mut late: Vec<(Record, u8)> = Vec::new();
        let mut ask = |record: &Record, lane: u8| {
            let over = record.what.is_over_with_its_thread() && exit.over(record, lane);
            let known = record.time != NEVER && (exit.seen.lane(record.actor, lane) >= record.time || over);
            let same = |l: &(Record, u8)| l.0.place == record.place && l.0.wave == record.wave;
            if !known && late.len() < 16 && !late.iter().any(same) {
                late.push((*record, lane));
            }
        };
        // Lanes of other blocks, by their last uses; engines, and everything of AMD's, by what memory remembers.
        for user in self.peers.users(block) {
            user.lanes.iter().for_each(|lane| ask(&user.record, lane as u8));
        }
        let lockstep = self.launch.lockstep;
        let mut by_memory = |record: &Record, lane: u8, reads: bool| {
            let foreign = self.launch.block_of(record.wave) != block;
            let sent = reads && record.op != 0 && record.owner == Owner::Copy;
            if foreign && (lockstep || record.op != 0) || sent && !lockstep {
                ask(record, lane);
            }
        };
        self.shared[block.index()].each(|line| {
            if let Some((index, lane)) = line.cell.write.record() {
                let read = Read { record: index, lanes: 1 << lane, shift: line.write_shift };
                read.all_lanes().for_each(|lane| by_memory(&self.records[index as usize], lane, false));
            }
            self.lists.each(line.cell.reads, line.read_shift, |read| {
                let record = &self.records[read.record as usize];
                read.all_lanes().for_each(|lane| by_memory(record, lane, true));
            });
        });
        for (record, lane) in late {
            let replay = self.replay;
            let sender = self.launch.block_of(record.wave) == block;
            let op = record.op.checked_sub(1).map(|i| &self.ops[i as usize]);
            if let (true, Some(op), Some(last)) = (sender, op, last) {
                self.findings.add(
                    hazard::exit_in_flight::HAZARD.code,
                    record.place,
                    Some(last.place),
                    || hazard::exit_in_flight::sent(op, last, block, replay),
                );
            } else {
                self.findings.add(hazard::peer_gone::HAZARD.code, record.place, None, || {
                    hazard::peer_gone::finding(&record, lane, block, replay)
                });
            }
        }
    }
}
