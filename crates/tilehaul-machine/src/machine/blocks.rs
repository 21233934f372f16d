//! Which blocks are resident: clusters that start, and blocks that end.

use std::collections::BTreeMap;

use super::lapped::Lag;
use super::{Machine, RESIDENT_MOST, Slot, Stop, survive};
use crate::chooser::Deed;
use crate::circle::Circle;
use crate::stuck::Bound;
use crate::{BarrierKey, BlockId, Event, PlaceId, WaveId, Who};

impl Machine<'_> {
    /// Most blocks that are resident at once, and who says so.
    pub(super) fn bound(&self) -> (u32, Bound) {
        match (self.options.resident, self.core.launch.holds) {
            (Some(asked), _) => (asked, Bound::Asked),
            (None, Some(held)) => (held, Bound::Chip),
            (None, None) => (RESIDENT_MOST, Bound::Machine),
        }
    }

    pub(super) fn has_room(&self) -> bool {
        self.resident == 0 || self.resident + self.core.launch.cluster_size() <= self.bound().0
    }

    /// Lets more blocks in because the resident ones wait: a few of the many that a barrier of the whole grid needs. False
    /// when there is no room or no block.
    pub(super) fn admit_more(&mut self) -> Result<bool, Stop> {
        let wanted = 1 + self.resident / 4;
        let mut any = false;
        for _ in 0..wanted {
            if !self.has_room() || !self.admit()? {
                break;
            }
            any = true;
        }
        Ok(any)
    }

    /// Starts the next cluster. False when there is none.
    pub(super) fn admit(&mut self) -> Result<bool, Stop> {
        let launch = self.core.launch.clone();
        let Some(cluster) = self.core.not_started.take() else { return Ok(false) };
        if let Some(claims) = &mut self.core.claims {
            claims.start(cluster);
            self.turn = 0;
        }
        let members: Vec<BlockId> =
            (0..launch.cluster_size()).filter_map(|r| launch.block_at(cluster, r)).collect();
        for &block in &members {
            self.core.memories.admit(block, launch.shared_bytes);
            let state = &mut self.core.blocks[block.index()];
            state.resident = true;
            state.live_threads = launch.threads();
            self.core.emit(&Event::BlockStart(block));
        }
        for &block in &members {
            let first = launch.first_wave(block);
            for number in 0..launch.waves_per_block() {
                let info = launch.wave_info(WaveId(first.0 + number));
                match self.program.start(&info, &mut self.core) {
                    Ok(wave) => {
                        let priority = self.rng.next() | 1 << 32;
                        let slot = Slot {
                            id: info.id,
                            wave,
                            parked: None,
                            circle: Circle::default(),
                            polled: Vec::new(),
                            place: PlaceId(0),
                            demoted: 0,
                            priority,
                            served: false,
                            lag: Lag::starts((self.steps, self.core.operations)),
                        };
                        self.slots.push(slot);
                    }
                    Err(diagnostic) => {
                        let who = Who { wave: info.id, lanes: info.lanes, place: PlaceId(0) };
                        return Err(self.fault(who, diagnostic));
                    }
                }
            }
        }
        self.resident += members.len() as u32;
        Ok(true)
    }

    pub(super) fn wave_ended(&mut self, id: WaveId) -> Result<(), Stop> {
        let block = self.core.launch.block_of(id);
        let left = |s: &Slot<'_>| self.core.launch.block_of(s.id) == block;
        if self.slots.iter().any(left) {
            return Ok(());
        }
        self.core.emit(&Event::BlockEnd(block));
        self.core.did(Deed::Ended(block));
        // hardware: h200 fact 82: what a block has issued is still carried out after it has ended.
        let landed = self.core.land_of_block(block);
        survive(landed)?;
        self.core.check_leftover_bytes(block);
        self.core.blocks[block.index()].ended = true;
        self.core.made_progress();
        let launch = &self.core.launch;
        let cluster = launch.block_info(block).cluster;
        let members: Vec<BlockId> =
            (0..launch.cluster_size()).filter_map(|r| launch.block_at(cluster, r)).collect();
        if members.iter().all(|b| self.core.blocks[b.index()].ended) {
            for b in members {
                let state = &mut self.core.blocks[b.index()];
                state.resident = false;
                (state.tx, state.words, state.slots) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
                state.invalidated = BTreeMap::new();
                self.core.memories.retire(b);
                self.resident -= 1;
            }
            self.core.rendezvous.retain(|key, _| match key {
                BarrierKey::Block(b, _) => self.core.launch.block_info(*b).cluster != cluster,
                BarrierKey::Cluster(c, _) => *c != cluster,
                BarrierKey::Wave(w) => {
                    self.core.launch.block_info(self.core.launch.block_of(*w)).cluster != cluster
                }
            });
            if self.resident < self.resident_first() {
                self.admit()?;
            }
        }
        Ok(())
    }
}
