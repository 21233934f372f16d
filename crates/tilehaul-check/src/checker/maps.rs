//! Tensor maps in memory, and how tiles are arranged.

use tilehaul_machine::{Access, AccessKind, Space, Touch, Who};

use super::Checker;
use crate::finding::Finding;
use crate::hazard;
use crate::tensormap::Sees;

impl Checker {
    pub(super) fn tensormap_fence(&mut self, who: Who, map: u64) {
        self.order.now(who.wave);
        let knows = self.order.gather(who);
        let (actor, time) = self.order.now(who.wave);
        self.maps.acquired(map, who, actor, time, knows);
        // Later accesses of the wave come after the fence, so they need another time.
        self.order.step(who.wave);
    }

    pub(super) fn tensormap_release(&mut self, who: Who) {
        self.order.now(who.wave);
        let knows = self.order.gather(who);
        let (actor, time) = self.order.now(who.wave);
        self.maps.released(who, actor, time, knows);
        self.order.step(who.wave);
    }

    /// A read of a tensor map by the engine: its bytes must be what an acquire made visible.
    pub(super) fn read_map(&mut self, access: &Access<'_>) {
        let who = access.who;
        self.order.now(who.wave);
        for lane in who.lanes.iter().take(1) {
            let map = access.addresses[lane as usize];
            let (space, len, kind) = (access.space, u64::from(access.size), AccessKind::Read);
            self.map_read = Some((who.wave, Touch { space, start: map, len, kind, lane: lane as u8 }));
            let Some((shadow, slot)) = self.take_shadow(access.space, map, u64::from(access.size)) else {
                continue;
            };
            let (mut stale, mut unreleased) = (None, None);
            shadow.writers(map - slot.base, u64::from(access.size), |index, earlier_lane| {
                let record = &self.records[index as usize];
                match self.maps.sees(&self.order, map, who, lane as u8, record, earlier_lane) {
                    Sees::Old => stale = stale.or(Some((index, earlier_lane))),
                    Sees::Unreleased => unreleased = unreleased.or(Some((index, earlier_lane))),
                    Sees::New => {}
                }
            });
            self.put_shadow(access.space, &slot, shadow);
            if let Some((index, earlier_lane)) = stale {
                let record = self.records[index as usize];
                let (replay, where_) = (self.replay, self.words.address(access.space, map));
                let place = who.place;
                self.findings.add(hazard::stale_map::HAZARD.code, place, Some(record.place), || {
                    hazard::stale_map::finding(place, who, &where_, &record, earlier_lane, replay)
                });
            } else if let Some((index, earlier_lane)) = unreleased {
                let record = self.records[index as usize];
                let (replay, where_) = (self.replay, self.words.address(access.space, map));
                let place = who.place;
                self.findings.add(hazard::unreleased_map::HAZARD.code, place, Some(record.place), || {
                    hazard::unreleased_map::finding(place, who, &where_, &record, earlier_lane, replay)
                });
            }
        }
    }

    /// Tiles that landed out of step with their arrangement, or that ordinary loads read: one for each copy instruction.
    pub(super) fn arranged(&self) -> Vec<Finding> {
        let mut told: Vec<Finding> = Vec::new();
        for op in &self.ops {
            let (Some(arrangement), Some((space, at))) = (op.arrangement, op.lands_at) else { continue };
            let off = if op.period == 0 { 0 } else { at % u64::from(op.period) };
            if op.period == 0 || off == 0 && op.reader.is_none() {
                continue;
            }
            let told_already = |f: &Finding| {
                f.primary.place == op.who.place && f.secondary.is_empty() == op.reader.is_none()
            };
            if told.len() < 16 && !told.iter().any(told_already) {
                let at = self.words.address(space, at);
                told.push(hazard::arranged_tile::finding(op, (arrangement, &at, off), self.replay));
            }
        }
        told
    }

    /// Bytes that a copy landed in one arrangement must not be read in another.
    pub(super) fn read_arranged(&mut self, who: Who, space: Space, address: u64, arrangement: &'static str) {
        let Some((shadow, slot)) = self.take_shadow(space, address, 1) else { return };
        let mut writer = None;
        // The first aligned word says who wrote the tile.
        shadow.writers((address - slot.base) & !3, 4, |record, _| writer = Some(record));
        self.put_shadow(space, &slot, shadow);
        let Some(record) = writer else { return };
        let record = self.records[record as usize];
        let Some(op) = record.op.checked_sub(1).map(|i| &self.ops[i as usize]) else { return };
        let Some(landed) = op.arrangement.filter(|&l| l != arrangement) else { return };
        let (what, replay, at) = (op.what, self.replay, self.words.address(space, address));
        let place = who.place;
        // Once for each landing: the products of one tile all read it alike.
        self.findings.add(hazard::arrangement::HAZARD.code, record.place, None, || {
            hazard::arrangement::finding(place, &at, arrangement, (record.place, what), landed, replay)
        });
    }
}
