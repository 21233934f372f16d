//! Waits on counters, channels and groups, and arrivals that wait for a channel.

use smallvec::SmallVec;

use super::{Op, PieceState, Pledge};
use crate::barrier::BarrierAt;
use crate::channel::proven_by_counter;
use crate::chooser::Deed;
use crate::core::{Core, Died, Trap};
use crate::{Channel, ChannelKind, CounterKind, Event, LaneMask, OpId, Part, WaitDone, WaveId, Who};

impl Core {
    /// Operations of a channel that no wait has proven complete yet.
    #[must_use]
    pub fn outstanding(&self, wave: WaveId, kind: ChannelKind) -> u32 {
        self.channel(wave, kind).map_or(0, |c| c.issued - c.proven)
    }

    /// Operations that a counter counts and no wait has proven complete yet.
    #[must_use]
    pub fn counted(&self, wave: WaveId, counter: CounterKind) -> u32 {
        self.counters[counter.index()].channels.iter().map(|&kind| self.outstanding(wave, kind)).sum()
    }

    /// Waits until a counter is at most `n`: lands what has to land, and tells the lanes what that proves.
    ///
    /// # Errors
    /// When something that lands leaves a memory.
    pub fn wait_counter(&mut self, who: Who, counter: CounterKind, n: u32) -> Result<(), Trap> {
        let spec = self.counters[counter.index()];
        if self.nothing_under_way(who.wave, spec.channels) {
            // Nothing lands and nobody listens.
            self.visible = true;
            for &kind in spec.channels {
                let specs = &self.channels[kind.index()];
                if let Some(channel) = self.waves[who.wave.index()].channels.get_mut(kind.index()) {
                    channel.proven = channel.proven.max(proven_by_counter(specs, channel.issued, n));
                }
            }
            return Ok(());
        }
        let counts: SmallVec<[u32; 4]> =
            spec.channels.iter().map(|&kind| self.outstanding(who.wave, kind)).collect();
        let total: u32 = counts.iter().sum();
        let drained = self.drain_counter(who.wave, spec.channels, n);
        self.trapped(drained)?;
        for (&kind, &count) in spec.channels.iter().zip(&counts) {
            let issued = self.channel(who.wave, kind).map_or(0, |c| c.issued);
            if issued == 0 {
                // It proves nothing, which is worth knowing when it was meant for something else.
                let wait = WaitDone {
                    channel: kind,
                    asked: n,
                    part: Part::All,
                    issued,
                    before: 0,
                    proven: 0,
                    newest_copy: 0,
                    others: 0,
                    weaker: None,
                };
                self.emit(&Event::Waited { who, wait });
                continue;
            }
            let proven = proven_by_counter(&self.channels[kind.index()], issued, n);
            let proved = self.prove(who, kind, proven, n, total - count);
            self.trapped(proved)?;
        }
        Ok(())
    }

    /// A wait for more than the counter can count returns at once and proves nothing. Who watches is told of it, for words.
    pub fn waited_in_vain(&mut self, who: Who, counter: CounterKind, n: u32) {
        for &kind in self.counters[counter.index()].channels {
            let (issued, proven) = self.channel(who.wave, kind).map_or((0, 0), |c| (c.issued, c.proven));
            let wait = WaitDone {
                channel: kind,
                asked: n,
                part: Part::All,
                issued,
                before: proven,
                proven,
                newest_copy: 0,
                others: 0,
                weaker: None,
            };
            self.emit(&Event::Waited { who, wait });
        }
    }

    pub(super) fn nothing_under_way(&self, wave: WaveId, kinds: &[ChannelKind]) -> bool {
        let idle = |&kind: &ChannelKind| self.channel(wave, kind).is_none_or(|c| c.pending.is_empty());
        !self.watching() && self.footprint.is_none() && kinds.iter().all(idle)
    }

    /// Waits until a channel is complete up to `seq`, and tells the lanes.
    ///
    /// # Errors
    /// When something that lands leaves a memory.
    pub fn wait_channel(&mut self, who: Who, kind: ChannelKind, seq: u32) -> Result<(), Trap> {
        let issued = self.channel(who.wave, kind).map_or(0, |c| c.issued);
        let proved = self.prove(who, kind, seq, issued - seq.min(issued), 0);
        self.trapped(proved)
    }

    /// Closes a group of the operations that each lane issued on a channel since its last commit.
    pub fn commit_group(&mut self, who: Who, kind: ChannelKind) {
        self.visible = true;
        let channel = self.channel_mut(who.wave, kind);
        channel.split(who.lanes);
        let issued = channel.issued;
        for groups in &mut channel.lanes {
            if groups.lanes.0 & who.lanes.0 != 0 {
                groups.commits.push_back(issued);
            }
        }
    }

    /// Waits until at most the `n` newest committed groups of each lane are outstanding. With [`Part::Source`] only
    /// until their sources are read (`.read`).
    ///
    /// # Errors
    /// When something that lands leaves a memory.
    pub fn wait_group(&mut self, who: Who, kind: ChannelKind, n: u32, part: Part) -> Result<(), Trap> {
        self.visible = true;
        let channel = self.channel_mut(who.wave, kind);
        channel.split(who.lanes);
        let issued = channel.issued;
        // Lanes, what was retired before and now, and what weaker waits would have retired.
        type Proof = (LaneMask, u32, u32, [u32; 4]);
        let mut proofs: SmallVec<[Proof; 2]> = SmallVec::new();
        for groups in &mut channel.lanes {
            let lanes = LaneMask(groups.lanes.0 & who.lanes.0);
            if lanes.is_empty() {
                continue;
            }
            let before = groups.retired;
            let done = groups.commits.len().saturating_sub(n as usize);
            let up_to = |done: usize| done.checked_sub(1).and_then(|i| groups.commits.get(i).copied());
            let seq = up_to(done).unwrap_or(before);
            let weaker = [1, 2, 3, 4].map(|k| up_to(done.saturating_sub(k)).unwrap_or(before));
            if part == Part::All {
                groups.commits.drain(..done);
                groups.retired = seq;
            }
            proofs.push((lanes, before, seq, weaker));
        }
        // Where lanes have groups of their own, one wait stands for several.
        let alike = proofs.len() == 1;
        for (lanes, before, seq, weaker) in proofs {
            let who = Who { lanes, ..who };
            let finished = self.finish_channel(who.wave, kind, seq, part, lanes);
            self.trapped(finished)?;
            self.did(Deed::Done { channel: Channel { wave: who.wave, kind }, seq, lanes, part });
            self.emit(&Event::Observe { who, kind, part, seq });
            let wait = WaitDone {
                channel: kind,
                asked: n,
                part,
                issued,
                before,
                proven: seq,
                newest_copy: 0,
                others: 0,
                weaker: alike.then_some(weaker),
            };
            self.emit(&Event::Waited { who, wait });
        }
        Ok(())
    }

    /// Operations up to `seq` of a channel of another wave are parts of those that the lanes have just waited for: they are
    /// complete with them, and the lanes know it.
    ///
    /// # Errors
    /// When something that lands leaves a memory.
    pub fn wait_for_part(&mut self, who: Who, wave: WaveId, kind: ChannelKind, seq: u32) -> Result<(), Trap> {
        self.visible = true;
        let finished = self.finish_channel(wave, kind, seq, Part::All, who.lanes);
        self.trapped(finished)?;
        let channel = Channel { wave, kind };
        self.did(Deed::Done { channel, seq, lanes: who.lanes, part: Part::All });
        self.emit(&Event::ObservePart { who, channel, seq });
        Ok(())
    }

    /// When all operations so far on a channel are complete, an engine arrives `count` times at a barrier
    /// (`cp.async.mbarrier.arrive`).
    ///
    /// # Errors
    /// When the barrier cannot take the arrival.
    pub fn arrive_when_done(
        &mut self,
        who: Who,
        kind: ChannelKind,
        at: BarrierAt,
        count: u32,
    ) -> Result<(), Trap> {
        self.pledge(who, kind, at, count, false)
    }

    /// The same for an arrival that also releases what its issuer did and knew before (`tcgen05.commit`, which implies
    /// `tcgen05.fence::before_thread_sync`). manual: PTX ISA, tcgen05.commit.
    ///
    /// # Errors
    /// When the barrier cannot take the arrival.
    pub fn release_when_done(
        &mut self,
        who: Who,
        kind: ChannelKind,
        at: BarrierAt,
        count: u32,
    ) -> Result<(), Trap> {
        self.pledge(who, kind, at, count, true)
    }

    pub(super) fn pledge(
        &mut self,
        who: Who,
        kind: ChannelKind,
        at: BarrierAt,
        count: u32,
        releases: bool,
    ) -> Result<(), Trap> {
        self.visible = true;
        let seq = self.channel_mut(who.wave, kind).issued;
        let channel = Channel { wave: who.wave, kind };
        self.emit(&Event::Pledged { who, kind, seq, at });
        self.flight.pledges.push(Pledge { who, channel, seq, at, count, releases });
        let kept = self.keep_pledges(channel);
        self.trapped(kept)
    }

    pub(super) fn drain_counter(&mut self, wave: WaveId, kinds: &[ChannelKind], n: u32) -> Result<(), Died> {
        loop {
            let outstanding: u32 = kinds.iter().map(|&k| self.outstanding(wave, k)).sum();
            let jobs: u32 =
                kinds.iter().map(|&k| self.channel(wave, k).map_or(0, |c| c.pending.len() as u32)).sum();
            // Operations without a job are done already; those with one hold the counter up.
            if jobs == 0 || jobs.min(outstanding) <= n {
                return Ok(());
            }
            // Land as little as the wait permits: of the channels that must give way, the one with most outstanding.
            let front = kinds
                .iter()
                .filter_map(|&k| self.channel(wave, k))
                .filter_map(|c| c.pending.front().map(|f| (c.pending.len(), f.1)))
                .max_by_key(|f| f.0);
            let Some((_, id)) = front else { return Ok(()) };
            self.forcing = true;
            let forced = self.finish(id);
            self.forcing = false;
            forced?;
        }
    }

    pub(super) fn prove(
        &mut self,
        who: Who,
        kind: ChannelKind,
        seq: u32,
        asked: u32,
        others: u32,
    ) -> Result<(), Died> {
        self.visible = true;
        self.finish_channel(who.wave, kind, seq, Part::All, who.lanes)?;
        let channel = Channel { wave: who.wave, kind };
        self.did(Deed::Done { channel, seq, lanes: who.lanes, part: Part::All });
        let channel = self.channel_mut(who.wave, kind);
        let (before, issued, newest_copy) = (channel.proven, channel.issued, channel.newest_copy);
        channel.proven = channel.proven.max(seq);
        self.emit(&Event::Observe { who, kind, part: Part::All, seq });
        let wait = WaitDone {
            channel: kind,
            asked,
            part: Part::All,
            issued,
            before,
            proven: seq,
            newest_copy,
            others,
            weaker: None,
        };
        self.emit(&Event::Waited { who, wait });
        Ok(())
    }

    /// Makes every operation of a channel up to `seq` that the lanes issued complete (or sampled).
    pub(super) fn finish_channel(
        &mut self,
        wave: WaveId,
        kind: ChannelKind,
        seq: u32,
        part: Part,
        lanes: LaneMask,
    ) -> Result<(), Died> {
        let Some(channel) = self.channel(wave, kind) else { return Ok(()) };
        let per_lane = self.channels[kind.index()].per_lane;
        let ids: SmallVec<[OpId; 8]> =
            channel.pending.iter().take_while(|p| p.0 <= seq).map(|p| p.1).collect();
        for id in ids {
            let mine = |op: &Op| !per_lane || op.who.lanes.0 & lanes.0 != 0;
            if !self.flight.ops.get(&id).is_some_and(mine) {
                continue;
            }
            self.forcing = true;
            let forced = self.finish_part(id, part);
            self.forcing = false;
            forced?;
        }
        Ok(())
    }

    pub(super) fn finish_part(&mut self, id: OpId, part: Part) -> Result<(), Died> {
        if part == Part::All {
            return self.finish(id);
        }
        let count = self.flight.ops.get(&id).map_or(0, |op| op.pieces.len() as u32);
        for piece in 0..count {
            let waiting = |op: &Op| op.pieces[piece as usize] == PieceState::Waiting;
            if self.flight.ops.get(&id).is_some_and(waiting) {
                self.step_piece(id, piece)?;
            }
        }
        Ok(())
    }
}
