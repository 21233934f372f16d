//! Sampling and landing of pieces, in the order that channels keep, and what happens when an operation is complete.

use smallvec::SmallVec;

use super::{End, Op, PieceState, Pledge};
use crate::barrier::BarrierAt;
use crate::chooser::Deed;
use crate::core::{Core, Died, Trap};
use crate::job::{JobFault, Landed};
use crate::{BlockId, Channel, ChannelKind, Event, OpId, Part, Space, Token, WaitFor, WaveId, Who};

impl Core {
    /// Lands one operation because nothing else can go on: the oldest that a waiting wave waits for, else the oldest.
    pub(crate) fn land_for_progress(&mut self, waits: &[(WaveId, WaitFor)]) -> Result<bool, Died> {
        let wanted = self.flight.ops.iter().find(|(_, op)| waits.iter().any(|w| serves(op, w)));
        let Some(id) = wanted.or_else(|| self.flight.ops.iter().next()).map(|(&id, _)| id) else {
            return Ok(false);
        };
        self.finish(id)?;
        Ok(true)
    }

    /// Lands everything a block's waves issued, and everything else that would land in it, when it ends.
    pub(crate) fn land_of_block(&mut self, block: BlockId) -> Result<(), Died> {
        let of_block = |op: &Op| self.launch.block_of(op.who.wave) == block;
        let ids: Vec<OpId> =
            self.flight.ops.iter().filter(|(_, op)| of_block(op)).map(|(&id, _)| id).collect();
        self.forcing = true;
        let landed = ids.into_iter().try_for_each(|id| self.finish(id));
        self.forcing = false;
        landed
    }

    /// Takes the steps whose time has come under random landing.
    pub(crate) fn land_due(&mut self) -> Result<(), Died> {
        while let Some(std::cmp::Reverse((time, id, piece))) = self.flight.due.peek().copied() {
            if time > self.now {
                break;
            }
            self.flight.due.pop();
            let again = self.step_piece(id, piece)?;
            if again {
                let later = self.now + u64::from(self.random_delay());
                self.flight.due.push(std::cmp::Reverse((later, id, piece)));
            }
        }
        Ok(())
    }

    /// When the next step of random landing is due.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.flight.due.peek().map(|d| d.0.0)
    }

    /// Steps that pieces could take now, for exhaustive runs.
    pub(crate) fn open_pieces(&self) -> Vec<(OpId, u32)> {
        let mut list = Vec::new();
        for (&id, op) in &self.flight.ops {
            for (piece, state) in op.pieces.iter().enumerate() {
                let piece = piece as u32;
                let blocked = *state == PieceState::Sampled && self.must_wait_its_turn(op);
                if *state != PieceState::Landed && !blocked {
                    list.push((id, piece));
                }
            }
        }
        list
    }

    /// Samples or lands one piece. Returns whether it has another step to take.
    pub(crate) fn step_piece(&mut self, id: OpId, piece: u32) -> Result<bool, Died> {
        let outer = self.acting.replace((id.0, piece));
        let stepped = self.move_piece(id, piece);
        self.acting = outer;
        stepped
    }

    pub(super) fn move_piece(&mut self, id: OpId, piece: u32) -> Result<bool, Died> {
        let Some(op) = self.flight.ops.get_mut(&id) else { return Ok(false) };
        match op.pieces.get(piece as usize) {
            Some(PieceState::Waiting) => {
                let sampled = op.job.sample(piece, &self.memories);
                op.pieces[piece as usize] = PieceState::Sampled;
                let who = op.who;
                self.fault_of(who, sampled)?;
                self.touch_piece(id, piece, false);
                Ok(true)
            }
            Some(PieceState::Sampled) => {
                self.land_earlier(id)?;
                self.land_piece(id, piece)?;
                Ok(false)
            }
            Some(PieceState::Landed) | None => Ok(false),
        }
    }

    pub(super) fn must_wait_its_turn(&self, op: &Op) -> bool {
        self.lands_before(op).is_some()
    }

    /// An operation that lands before this one: the oldest of an in-order channel, one of another wave that was handed on.
    pub(super) fn lands_before(&self, op: &Op) -> Option<OpId> {
        if let Some(&other) = op.after.iter().find(|id| self.flight.ops.contains_key(id)) {
            return Some(other);
        }
        let (End::Channel(kind) | End::ChannelThenWord { kind, .. }) = op.end else { return None };
        if !self.channels[kind.index()].in_order {
            return None;
        }
        let front = self.channel(op.who.wave, kind)?.pending.front()?;
        (front.0 < op.seq).then_some(front.1)
    }

    pub(super) fn schedule_pieces(&mut self, id: OpId, count: u32) {
        // Some operations are quick, some slow as a whole, and their pieces spread around that.
        let whole = self.random_delay();
        for piece in 0..count {
            let time = self.now + u64::from(whole) + u64::from(self.random_delay()) / 4;
            self.flight.due.push(std::cmp::Reverse((time, id, piece)));
        }
    }

    /// Turns until a step: small and large ones alike, so that waits of every length are met.
    pub(super) fn random_delay(&mut self) -> u32 {
        let magnitude = self.rng.below(9);
        self.rng.below(1 << magnitude)
    }

    pub(super) fn land_at_once(&mut self, mut op: Op) -> Result<(), Died> {
        self.touch_job(op.job.as_ref());
        let mut per_target: SmallVec<[u64; 4]> = smallvec::smallvec![0; op.ids.len()];
        let done = op.job.run(&mut self.memories, &mut |landed: Landed| {
            if let Some(sum) = per_target.get_mut(landed.target as usize) {
                *sum += landed.bytes;
            }
        });
        op.left.fill(0);
        op.pieces.fill(PieceState::Landed);
        self.fault_of(op.who, done)?;
        for (target, bytes) in per_target.into_iter().enumerate() {
            let Some(at) = op.barrier(target) else { continue };
            let counted = self.count_on(op.who, at, bytes)?;
            if let Some((op, token)) = op.count(target, bytes, counted) {
                self.emit(&Event::Complete { op, part: Part::All, token });
            }
        }
        self.completed(op)
    }

    /// Samples and lands all that is left of an operation, after the earlier ones of an in-order channel.
    pub(super) fn finish(&mut self, id: OpId) -> Result<(), Died> {
        self.land_earlier(id)?;
        let Some(op) = self.flight.ops.get(&id) else { return Ok(()) };
        for piece in 0..op.pieces.len() as u32 {
            while self.flight.ops.contains_key(&id) && self.step_piece(id, piece)? {}
        }
        Ok(())
    }

    pub(super) fn land_earlier(&mut self, id: OpId) -> Result<(), Died> {
        loop {
            // Down to one that waits for none. Each was issued before the one that waits for it, so this ends.
            let mut first = id;
            while let Some(before) = self.flight.ops.get(&first).and_then(|op| self.lands_before(op)) {
                first = before;
            }
            if first == id {
                return Ok(());
            }
            let count = self.flight.ops.get(&first).map_or(0, |op| op.pieces.len() as u32);
            for piece in 0..count {
                while self.flight.ops.contains_key(&first) && self.step_piece(first, piece)? {}
            }
        }
    }

    pub(super) fn land_piece(&mut self, id: OpId, piece: u32) -> Result<(), Died> {
        let Some(op) = self.flight.ops.get_mut(&id) else { return Ok(()) };
        let who = op.who;
        let landed = op.job.land(piece, &mut self.memories);
        op.pieces[piece as usize] = PieceState::Landed;
        let target = op.job.target(piece);
        if let Some(n) = op.left.get_mut(target as usize) {
            *n -= 1;
        }
        let last = op.left.iter().all(|&n| n == 0);
        self.touch_piece(id, piece, true);
        let landed = self.fault_of(who, landed)?;
        self.made_progress();
        self.count_bytes(id, target, landed.bytes)?;
        if last { self.complete(id) } else { Ok(()) }
    }

    pub(super) fn count_bytes(&mut self, id: OpId, target: u32, bytes: u64) -> Result<(), Died> {
        let Some(op) = self.flight.ops.get(&id) else { return Ok(()) };
        let Some(at) = op.barrier(target as usize) else { return Ok(()) };
        let counted = self.count_on(op.who, at, bytes)?;
        let done = self.flight.ops.get_mut(&id).and_then(|op| op.count(target as usize, bytes, counted));
        if let Some((op, token)) = done {
            self.emit(&Event::Complete { op, part: Part::All, token });
        }
        Ok(())
    }

    /// Counts bytes on a barrier: the generation that they were counted in.
    pub(super) fn count_on(&mut self, who: Who, at: BarrierAt, bytes: u64) -> Result<Option<Token>, Died> {
        if bytes == 0 {
            // Nothing is signalled, but whoever waits for the phase may rely on there being nothing.
            let barrier = self.blocks[at.block.index()].tx.get(&at.address);
            return Ok(barrier.map(|b| Token { sync: b.sync, generation: b.generation }));
        }
        self.complete_bytes(at, bytes, who.place).map(Some).map_err(|trap| Died { who, trap })
    }

    pub(super) fn complete(&mut self, id: OpId) -> Result<(), Died> {
        self.flight.ops.remove(&id).map_or(Ok(()), |op| self.completed(op))
    }

    pub(super) fn completed(&mut self, op: Op) -> Result<(), Died> {
        self.made_progress();
        if let Some(JobFault { space, address, len, write }) = op.job.skipped() {
            let what = if write { "asynchronous write" } else { "asynchronous read" };
            let fault = self.memories.out_of_bounds(space, address, len, what);
            self.report(
                op.who,
                fault.note(
                    "the engine goes on with the rest and tells the wave once, at the end of the operation",
                ),
            );
        }
        match op.end {
            End::Channel(kind) => self.leave_channel(op.who.wave, kind, op.seq),
            End::ChannelThenWord { kind, at, step, arrivals } => {
                let channel = Channel { wave: op.who.wave, kind };
                self.did(Deed::Done { channel, seq: op.seq, lanes: op.who.lanes, part: Part::All });
                self.word_arrive_by_engine(op.who, (kind, op.seq), at, step, arrivals)
                    .map_err(|trap| Died { who: op.who, trap })?;
                self.leave_channel(op.who.wave, kind, op.seq)
            }
            End::Barrier(_) | End::Nobody => Ok(()),
        }
    }

    /// A wave is killed: its operations of a channel stop where they are and still return done, so that its counter drains.
    /// What has not landed never does, and no barrier word is told. Returns how many they were.
    ///
    /// # Errors
    /// When an arrival that waited for them dies.
    pub fn kill_channel(&mut self, wave: WaveId, kind: ChannelKind) -> Result<u32, Trap> {
        let ids: Vec<OpId> =
            self.channel(wave, kind).map_or_else(Vec::new, |c| c.pending.iter().map(|p| p.1).collect());
        let stopped = ids.len() as u32;
        for id in ids {
            let Some(op) = self.flight.ops.remove(&id) else { continue };
            self.touch_job(op.job.as_ref());
            self.did(Deed::Done {
                channel: Channel { wave, kind },
                seq: op.seq,
                lanes: op.who.lanes,
                part: Part::All,
            });
            self.made_progress();
            let left = self.leave_channel(wave, kind, op.seq);
            self.trapped(left)?;
        }
        Ok(stopped)
    }

    pub(super) fn leave_channel(&mut self, wave: WaveId, kind: ChannelKind, seq: u32) -> Result<(), Died> {
        self.channel_mut(wave, kind).pending.retain(|p| p.0 != seq);
        self.keep_pledges(Channel { wave, kind })
    }

    pub(super) fn keep_pledges(&mut self, channel: Channel) -> Result<(), Died> {
        let oldest = self.channel(channel.wave, channel.kind).and_then(|c| c.pending.front().map(|p| p.0));
        let done = |p: &Pledge| p.channel == channel && oldest.is_none_or(|seq| seq > p.seq);
        while let Some(i) = self.flight.pledges.iter().position(done) {
            let pledge = self.flight.pledges.remove(i);
            let Pledge { who, channel, seq, at, count, releases } = pledge;
            let lanes = who.lanes;
            self.did(Deed::Done { channel, seq, lanes, part: Part::All });
            let arrived = self.arrive_by_engine(at, count, |core, token| {
                core.emit(&Event::Carry { channel, lanes, seq, token });
                if releases {
                    core.emit(&Event::Release { who, token });
                }
            });
            arrived.map_err(|trap| Died { who, trap })?;
        }
        Ok(())
    }
}

/// True when landing the operation could let this wave go on.
fn serves(op: &Op, (wave, reason): &(WaveId, WaitFor)) -> bool {
    match (reason, &op.end) {
        (WaitFor::Mbarrier { at, .. }, End::Barrier(list)) => list.contains(at),
        (WaitFor::Operation, _) => op.who.wave == *wave,
        (WaitFor::Memory { space: Space::Shared(block), address }, End::ChannelThenWord { at, .. }) => {
            at.block == *block && at.address & !7 == address & !7
        }
        _ => false,
    }
}
