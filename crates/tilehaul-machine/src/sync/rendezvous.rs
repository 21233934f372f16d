//! Barriers of threads: who arrives, who leaves, and what those who exit leave behind.

use tilehaul_diag::{Code, Diagnostic, Level, Source};

use crate::barrier::{BarrierKey, Expected, Rendezvous, Ticket};
use crate::chooser::{BarrierName, Deed};
use crate::core::Core;
use crate::{BlockId, Event, LaneMask, Scope, SyncId, Token, WaveId, Who};

impl Core {
    /// Arrives at a barrier of threads with `weight` (threads, or whatever `expected` counts).
    pub fn barrier_arrive(&mut self, who: Who, key: BarrierKey, weight: u32, expected: Expected) -> Ticket {
        self.arrive_at(who, key, weight, expected, true)
    }

    pub(super) fn arrive_at(
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
        let event = if releases {
            Event::Release { who, token }
        } else {
            Event::ReleaseFenced { who, token, scope, meets: true }
        };
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
    pub(super) fn finish_rendezvous(&mut self, key: BarrierKey) -> bool {
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
    pub(super) fn release_exited(&mut self, key: BarrierKey) {
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

/// An arrival of threads. It counts as one of two that are pending: without an earlier one it would not have ended anything.
fn threads_count(key: BarrierKey, generation: u32, ends: bool) -> Deed {
    let barrier = BarrierName::Threads(key);
    Deed::Count { barrier, generation, pending: 1, arrivals: 1, bytes: 0, change: 0, ends }
}
