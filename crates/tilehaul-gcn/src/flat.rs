//! Flat addresses: the top half says LDS, private or global memory, lane by lane.
//!
//! A flat instruction counts on two counters, and the one of the memory that its lanes go to tells when it has ended: LDS has
//! nothing to do for lanes in memory. On gfx9 only a wait for 0 proves anything of it (manual: CDNA3 ISA 4.4; `counters.rs`).
//! On gfx1250 each counter goes down in order, whatever it counts: a flat load behind an ordinary one shows that the
//! ordinary one has ended. The channels of the machine know their own order alone; what follows from the order of a
//! counter is worked out here.

use tilehaul_machine::{ChannelKind, Core, CounterKind, LaneMask, Space, Trap, Who};

use crate::memory::{channel_of, fills_loaded, global_addresses, numbered, private};
use crate::op::{Flow, Op, Stop};
use crate::wave::Wave;
use crate::{Gcn, PRIVATE_BASE, SHARED_BASE, counters};

/// Flat operations that LOADCNT, STORECNT and DSCNT may still count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flats {
    counted: [Vec<Counted>; 3],
}

/// A flat operation on one counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted {
    /// Which operation of the counter it is, counted from 1.
    place: u32,
    /// Which flat operation of the counter it is, counted from 1.
    nth: u32,
    /// The channel that it belongs to, and its number there.
    channel: ChannelKind,
    seq: u32,
}

/// The most that a counter holds.
const MOST: usize = 64;

impl Flats {
    /// A flat operation after `others` operations of another kind on the counter.
    fn issue(&mut self, of: usize, others: u32, channel: ChannelKind, seq: u32) {
        let list = &mut self.counted[of];
        let nth = list.last().map_or(1, |last| last.nth + 1);
        if list.len() == MOST {
            list.remove(0);
        }
        list.push(Counted { place: others + nth, nth, channel, seq });
    }

    /// A counter has at most `n` operations left, of `others` and the flat ones it counts: how many of the others have
    /// ended then, and the flat ones that have, newest first.
    fn ended(&self, of: usize, others: u32, n: u32) -> (u32, impl Iterator<Item = &Counted>) {
        let list = &self.counted[of];
        let done = (others + list.last().map_or(0, |last| last.nth)).saturating_sub(n);
        let mut ended = list.iter().rev().skip_while(move |flat| flat.place > done).peekable();
        // A counter holds fewer than are listed, so of a full list the oldest has ended.
        let flats = ended.peek().map_or(0, |flat| flat.nth);
        (done.saturating_sub(flats).min(others), ended)
    }
}

/// What a wait for `n` of a counter proves beyond the orders of its channels: for channels, operations up to a number.
pub(crate) fn proven_together<const L: usize>(
    w: &Wave<L>,
    counter: CounterKind,
    n: u32,
) -> Vec<(ChannelKind, u32)> {
    let mut proven = Vec::new();
    let Some(of) = COUNTED.iter().position(|c| c.0 == counter).filter(|_| w.gfx12 && n > 0) else {
        return proven;
    };
    if w.flats.counted[of].is_empty() {
        return proven;
    }
    let channel = COUNTED[of].1;
    let (others, flats) = w.flats.ended(of, w.issued[channel.index()], n);
    proven.push((channel, others));
    // A counter that goes down at once, for lanes are elsewhere, tells nothing.
    let tells = counters::counters(true)[counter.index()].channels;
    for flat in flats.filter(|flat| tells.contains(&flat.channel)) {
        if proven.iter().all(|p| p.0 != flat.channel) {
            proven.push((flat.channel, flat.seq));
        }
    }
    proven
}

/// Counters of flat operations on gfx1250, with what else they count.
const COUNTED: [(CounterKind, ChannelKind); 3] = [
    (counters::LOADCNT, counters::VMEM),
    (counters::STORECNT, counters::STORE12),
    (counters::DSCNT, counters::DS),
];

/// Tells the machine of [`proven_together`].
pub(crate) fn prove_together<const L: usize>(
    w: &mut Wave<L>,
    core: &mut Core,
    who: Who,
    counter: CounterKind,
    n: u32,
) -> Result<(), Trap> {
    for (channel, seq) in proven_together(w, counter, n) {
        let known = &mut w.proven[channel.index()];
        if seq > *known {
            *known = seq;
            core.wait_channel(who, channel, seq)?;
        }
    }
    Ok(())
}

/// A flat load, store or atomic.
///
/// On gfx1250 bits 56:52 of a private address name the lane whose memory it is (inferred: what compilers add to
/// `src_flat_scratch_base`), on gfx9 each lane sees its own.
pub(crate) fn flat<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
) -> Result<Flow, Stop> {
    let addresses = global_addresses(w, op);
    let who = w.who(op);
    let in_lds = |a: u64| a >> 32 == SHARED_BASE >> 32;
    let private_bits = if w.gfx12 { 57 } else { 32 };
    let in_private = |a: u64| a >> private_bits == PRIVATE_BASE >> private_bits;
    let lanes = |f: &dyn Fn(u64) -> bool| {
        LaneMask(who.lanes.iter().filter(|&l| f(addresses[l as usize % L])).fold(0, |m, l| m | 1 << l))
    };
    let (lds, own) = (lanes(&in_lds), lanes(&in_private));
    let global = LaneMask(who.lanes.0 & !lds.0 & !own.0);
    let alone = channel_of(w.gfx12, op.form.kind, op.returns);
    let channel = counters::flat_channel(w.gfx12, !lds.is_empty(), lds != who.lanes, alone);
    // One number, wherever the lanes go.
    let seq = w.next(core, channel);
    w.translates(op, channel, seq, false);
    if w.gfx12 && core.watching() {
        for (of, (_, other)) in COUNTED.iter().enumerate() {
            if [alone, counters::DS].contains(other) {
                w.flats.issue(of, w.issued[other.index()], channel, seq);
            }
        }
    }
    if !own.is_empty() {
        let gfx12 = w.gfx12;
        let place = |lane: u32| {
            let address = addresses[lane as usize & 63];
            (if gfx12 { (address >> 52 & 31) as u32 } else { lane }, address as u32)
        };
        private(g, w, op, own, place)?;
        fills_loaded(w, op, core, channel, seq);
    }
    if !lds.is_empty() {
        let local: [u64; L] = addresses.map(|a| a & 0xffff_ffff);
        let who = Who { lanes: lds, ..who };
        numbered(w, op, core, who, Space::Shared(w.block.id), &local, (channel, seq))?;
    }
    numbered(w, op, core, Who { lanes: global, ..who }, Space::Global, &addresses, (channel, seq))?;
    Ok(Flow::Next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_goes_down_in_the_order_of_issue() {
        let mut flats = Flats::default();
        let kind = ChannelKind(7);
        // load load flat load flat
        flats.issue(0, 2, kind, 1);
        flats.issue(0, 3, kind, 2);
        let ended = |flats: &Flats, of: usize, others: u32, n: u32| {
            let (others, mut list) = flats.ended(of, others, n);
            (others, list.next().map_or(0, |flat| flat.seq))
        };
        let left = [(0, (3, 2)), (1, (3, 1)), (2, (2, 1)), (3, (2, 0)), (4, (1, 0)), (9, (0, 0))];
        for (n, want) in left {
            assert_eq!(ended(&flats, 0, 3, n), want, "{n} left");
        }
        // A load more.
        assert_eq!(ended(&flats, 0, 4, 1), (3, 2));
        // No LDS operation.
        flats.issue(2, 0, kind, 1);
        flats.issue(2, 0, ChannelKind(10), 1);
        assert_eq!(ended(&flats, 2, 0, 1), (0, 1));
        assert_eq!(flats.ended(2, 0, 0).1.count(), 2);
    }
}
