//! Loads into shared memory that never overlap with anything: a pipeline of one stage.
//!
//! Soundness: told only when, in every explored run, no wave of a block touched memory or issued anything else while a load
//! into that block's shared memory was under way, and the same bytes were filled at least three times. Who waits, and where,
//! does not matter; an end that no wait tells of keeps the load under way.

use std::collections::BTreeMap;

use tilehaul_machine::{
    AccessKind, BarrierAt, BlockId, ChannelKind, Ends, Event, Issued, Launch, PlaceId, Space, WaveId,
};

/// Times that bytes are filled anew before it is spoken of.
const REFILLS: u32 = 2;
/// Destinations of loads that are remembered of a block.
const KEPT: usize = 64;

/// A load that no wait has covered yet.
#[derive(Clone, Copy, Debug)]
enum End {
    Barrier(BarrierAt),
    Channel(WaveId, ChannelKind, u32),
}

#[derive(Clone, Debug, Default)]
struct Block {
    under_way: Vec<End>,
    /// Other operations that no wait has covered: products, stores.
    others: Vec<End>,
    /// First bytes of destinations so far, and how often they were filled anew.
    filled: BTreeMap<u64, u32>,
}

/// The loads of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Depth {
    launch: Option<Launch>,
    blocks: BTreeMap<BlockId, Block>,
    /// Something was done while a load was under way: nothing more is of interest.
    overlaps: bool,
    /// A load that filled bytes anew often enough.
    place: Option<PlaceId>,
}

impl Depth {
    /// Nothing seen yet.
    pub(crate) fn of(launch: &Launch) -> Depth {
        Depth { launch: Some(launch.clone()), ..Depth::default() }
    }

    /// Takes note of an event.
    #[inline]
    pub(crate) fn saw(&mut self, event: &Event<'_>) {
        if self.overlaps {
            return;
        }
        match event {
            Event::Access { access, kind, .. } => {
                if matches!(kind, AccessKind::Read | AccessKind::Write | AccessKind::Atomic) {
                    self.works(access.who.wave);
                }
            }
            Event::Issue(issued) => self.issued(issued),
            Event::Passed { at, completed, .. } if *completed > 0 => {
                if let Some(block) = self.blocks.get_mut(&at.block) {
                    let left = |end: &End| !matches!(end, End::Barrier(b) if b == at);
                    block.under_way.retain(left);
                    block.others.retain(left);
                }
            }
            Event::Waited { who, wait } => {
                let Some(own) = self.launch.as_ref().map(|l| l.block_of(who.wave)) else { return };
                if let Some(block) = self.blocks.get_mut(&own) {
                    let done = |end: &End| {
                        matches!(*end, End::Channel(wave, kind, seq)
                            if wave == who.wave && kind == wait.channel && seq <= wait.proven)
                    };
                    block.under_way.retain(|end| !done(end));
                    block.others.retain(|end| !done(end));
                }
            }
            _ => {}
        }
    }

    fn works(&mut self, wave: WaveId) {
        let Some(own) = self.launch.as_ref().map(|l| l.block_of(wave)) else { return };
        self.overlaps |= self.blocks.get(&own).is_some_and(|b| !b.under_way.is_empty());
    }

    fn issued(&mut self, issued: &Issued<'_>) {
        let load = issued.touches.iter().any(|t| t.space == Space::Global && !t.kind.writes());
        let into = issued.touches.iter().find(|t| t.kind.writes() && matches!(t.space, Space::Shared(_)));
        let end = match (issued.ends, issued.barrier) {
            (Ends::Barrier, Some((block, address))) => End::Barrier(BarrierAt { block, address }),
            (Ends::Channel { kind, seq }, _) => End::Channel(issued.who.wave, kind, seq),
            _ => return,
        };
        let (true, Some(touch)) = (load, into) else {
            self.works(issued.who.wave);
            if let Some(own) = self.launch.as_ref().map(|l| l.block_of(issued.who.wave)) {
                self.blocks.entry(own).or_default().others.push(end);
            }
            return;
        };
        let Space::Shared(to) = touch.space else { return };
        let block = self.blocks.entry(to).or_default();
        // What is under way already goes on beside the load.
        self.overlaps |= !block.others.is_empty();
        block.under_way.push(end);
        if block.filled.len() >= KEPT && !block.filled.contains_key(&touch.start) {
            self.overlaps = true;
            return;
        }
        let times = block.filled.entry(touch.start).and_modify(|n| *n += 1).or_insert(0);
        if *times >= REFILLS {
            self.place.get_or_insert(issued.who.place);
        }
    }

    /// Takes in what another run saw.
    pub(crate) fn merge(&mut self, other: Depth) {
        self.overlaps |= other.overlaps;
        self.place = self.place.or(other.place);
    }

    /// A load of a pipeline of one stage.
    pub(crate) fn one_stage(&self) -> Option<PlaceId> {
        self.place.filter(|_| !self.overlaps)
    }
}
