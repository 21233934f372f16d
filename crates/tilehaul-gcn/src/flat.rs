//! Flat addresses: the top half says LDS, private or global memory, lane by lane.
//!
//! A flat instruction counts on two counters. On gfx9 only a wait for 0 proves anything of it, of the counter of the memory
//! that its lanes go to: the other goes down at once (manual: CDNA3 ISA 4.4; `counters.rs`). On gfx1250 each counter goes
//! down in order, whatever it counts: a flat load behind an ordinary one shows that the ordinary one has ended. The
//! channels of the machine know their own order alone; what follows from the order of a counter is worked out here.

use tilehaul_machine::{ChannelKind, Core, CounterKind, LaneMask, Space, Trap, Who};

use crate::memory::{fills_loaded, global_addresses, numbered, private};
use crate::op::{Flow, Op, Stop};
use crate::wave::Wave;
use crate::{Gcn, PRIVATE_BASE, SHARED_BASE, counters};

/// Flat operations that a counter may still count, and what was issued on the other channels of each counter before them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flats {
    /// Number on the flat channel; vector loads and LDS operations issued before.
    issued: Vec<(u32, [u32; 2])>,
}

/// The most that a counter holds.
const MOST: usize = 64;

impl Flats {
    fn issue(&mut self, seq: u32, before: [u32; 2]) {
        if self.issued.len() == MOST {
            self.issued.remove(0);
        }
        self.issued.push((seq, before));
    }

    /// A counter has at most `n` operations left: how many of the `other` operations and of the flat ones it counts have
    /// ended then. `of` says which of the numbers belongs to the counter.
    fn ended(&self, of: usize, other: u32, n: u32) -> (u32, u32) {
        let Some(&(newest, _)) = self.issued.last() else { return (other.saturating_sub(n), 0) };
        let done = (other + newest).saturating_sub(n);
        // Flat operation `seq` is the one after those of its channel and those of the other one.
        let flats = self
            .issued
            .iter()
            .rev()
            .find(|(seq, before)| seq + before[of] <= done)
            .map_or(0, |(seq, _)| *seq);
        // A counter holds fewer than are listed, so of a full list the oldest has ended.
        (done.saturating_sub(flats).min(other), flats)
    }
}

/// What a wait for `n` of a counter proves beyond the orders of its channels: for channels, operations up to a number.
pub(crate) fn proven_together<const L: usize>(
    w: &Wave<L>,
    counter: CounterKind,
    n: u32,
) -> Option<[(ChannelKind, u32); 2]> {
    let of = match counter {
        _ if !w.gfx12 || n == 0 || w.flats.issued.is_empty() => return None,
        counters::LOADCNT => 0,
        counters::DSCNT => 1,
        _ => return None,
    };
    let channel = OTHERS[of];
    let (others, flats) = w.flats.ended(of, w.issued[channel.index()], n);
    Some([(channel, others), (counters::flat_channel(true, true, true), flats)])
}

/// What LOADCNT and DSCNT count beside flat operations.
const OTHERS: [ChannelKind; 2] = [counters::VMEM, counters::DS];

/// Tells the machine of [`proven_together`].
pub(crate) fn prove_together<const L: usize>(
    w: &mut Wave<L>,
    core: &mut Core,
    who: Who,
    counter: CounterKind,
    n: u32,
) -> Result<(), Trap> {
    for (channel, seq) in proven_together(w, counter, n).into_iter().flatten() {
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
    let channel = counters::flat_channel(w.gfx12, !lds.is_empty(), lds != who.lanes);
    // One number, wherever the lanes go.
    let seq = w.next(core, channel);
    w.translates(op, channel, seq, false);
    if w.gfx12 && core.watching() {
        let before = OTHERS.map(|other| w.issued[other.index()]);
        w.flats.issue(seq, before);
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
        // load load flat load flat
        flats.issue(1, [2, 0]);
        flats.issue(2, [3, 0]);
        let left = [(0, (3, 2)), (1, (3, 1)), (2, (2, 1)), (3, (2, 0)), (4, (1, 0)), (9, (0, 0))];
        for (n, want) in left {
            assert_eq!(flats.ended(0, 3, n), want, "{n} left");
        }
        // A load more.
        assert_eq!(flats.ended(0, 4, 1), (3, 2));
        // No LDS operation.
        assert_eq!(flats.ended(1, 0, 1), (0, 1));
    }
}
