//! What atomic accesses hand on through their location.

use std::rc::Rc;

use tilehaul_machine::{Access, AccessKind, Channel, LaneMask, Part, Track, Who};

use crate::checker::Checker;
use crate::fences::Distance;

impl Checker {
    pub(super) fn synchronise(&mut self, access: &Access<'_>, kind: AccessKind) {
        let who = access.who;
        let block = self.launch.block_of(who.wave);
        let home = (block, self.launch.block_info(block).cluster);
        // Waves in lockstep (AMD) share the first cache of their block, so that among them a store that others read tells
        // what its wave has waited for; further away only what a cache was written back for.
        // manual: LLVM AMDGPU memory model, workgroup scope.
        let lockstep = self.launch.lockstep;
        let within_block = |distance| lockstep && distance == Distance::Block;
        let clustered = self.launch.cluster_size() > 1;
        let within = Distance::within(access.scope).filter(move |&d| clustered || d != Distance::Cluster);
        let (acquires, releases) = (access.order.acquires(), access.order.releases());
        let reads = matches!(kind, AccessKind::Read | AccessKind::Atomic);
        let writes = matches!(kind, AccessKind::Write | AccessKind::Atomic);
        let publishes = writes && (releases || lockstep || self.order.has_fenced(who));
        // Lanes that update one word do so one after the other, and each learns what those before it handed on.
        for lane in who.lanes.iter() {
            let address = access.addresses[lane as usize];
            let one = Who { lanes: LaneMask::one(lane), ..who };
            if reads {
                self.peers.sees(who.wave, (access.space, address));
                let here = self.locations.get(&access.space).and_then(|all| all.get(&address));
                for (location, distance) in here.iter().flat_map(|&l| within.clone().map(move |d| (l, d))) {
                    match location.written(distance, home) {
                        Some(knows) if acquires || within_block(distance) && !releases => {
                            self.order.learn(one, knows);
                        }
                        Some(knows) => self.order.found(one, distance, knows),
                        None => {}
                    }
                }
            }
            if writes && self.peers.matter() {
                self.peers.raises(who.wave, (access.space, address));
            }
            if !publishes {
                continue;
            }
            // In lockstep the whole wave's earlier work is published by whichever lane writes.
            let who = if lockstep { who } else { one };
            for distance in within.clone() {
                let knows = if releases || within_block(distance) {
                    let mut knows = self.order.released(who, distance);
                    if let (Track::Channel { kind, seq }, true) = (access.track, within_block(distance)) {
                        let channel = Channel { wave: who.wave, kind };
                        let actor = self.order.channel_actor(channel, Part::All);
                        Rc::make_mut(&mut knows.seen).learn(actor, seq);
                    }
                    knows
                } else if let Some(knows) = self.order.published(who, distance) {
                    knows
                } else {
                    continue;
                };
                let location = self.locations.entry(access.space).or_default().entry(address);
                location.or_default().publish(distance, home, &Rc::new(knows));
            }
        }
    }
}
