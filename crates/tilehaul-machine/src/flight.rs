//! Asynchronous operations in flight: issue, sampling, landing, completion, waits.
//!
//! An operation is a set of pieces. Each piece samples its source once and lands once, at times that the landing policy
//! picks: at issue (`Eager`), when a wait demands it or nothing else can go on (`Lazy`), at random turns (`Random`), or
//! whenever the exploration says so (`Exhaustive`). When the last piece has landed the operation completes: bytes were
//! counted on its barrier piece by piece, its channel forgets it, arrivals that wait for it happen.
//!
//! In-order channels land in order: before a piece of a later operation lands, the earlier ones complete. Sampling is
//! not ordered. manual: CDNA5 ISA 10.8, 10.11; PTX ISA 9.7.9 (bulk copies are not ordered with anything).

use std::collections::{BTreeMap, BinaryHeap};

use smallvec::SmallVec;
use tilehaul_diag::{Code, Diagnostic, Level};

use crate::barrier::BarrierAt;
use crate::channel::proven_by_counter;
use crate::chooser::Deed;
use crate::core::{Core, Died, Trap};
use crate::job::{Job, JobFault, Landed};
use crate::{
    BlockId, Channel, ChannelKind, CounterKind, Ends, Event, Issued, Landing, LaneMask, OpId, Part, Proxy,
    Space, Token, Touch, WaitDone, WaitFor, WaveId, Who,
};

/// How an operation's end is made known.
#[derive(Clone, Debug)]
pub enum End {
    /// Landed bytes count on these transaction barriers; the job's `target` says which.
    Barrier(SmallVec<[BarrierAt; 1]>),
    /// The operation is the next of a channel of its wave.
    Channel(ChannelKind),
    /// The same, and then the engine arrives at a barrier word: `step` gets the word and returns it changed, with the
    /// number of phases that ended.
    ChannelThenWord {
        /// The channel.
        kind: ChannelKind,
        /// The word.
        at: BarrierAt,
        /// What an arrival does to it.
        step: fn(u64) -> (u64, u32),
    },
    /// Nobody is told (a prefetch).
    Nobody,
}

/// An operation to issue.
#[derive(Debug)]
pub struct NewOp {
    /// Who issues it.
    pub who: Who,
    /// In words: `tensor load`.
    pub what: &'static str,
    /// Its path to memory.
    pub proxy: Proxy,
    /// What it does.
    pub job: Box<dyn Job>,
    /// How its end is made known.
    pub end: End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceState {
    Waiting,
    Sampled,
    Landed,
}

#[derive(Debug)]
struct Op {
    who: Who,
    job: Box<dyn Job>,
    end: End,
    seq: u32,
    /// One id for each barrier, else one.
    ids: SmallVec<[OpId; 1]>,
    pieces: SmallVec<[PieceState; 16]>,
    /// Pieces not yet landed, for each barrier (or in all).
    left: SmallVec<[u32; 1]>,
    /// Operations of other waves that land first: see [`Core::pipelined_before`].
    after: SmallVec<[OpId; 1]>,
    /// The generation in which the last bytes for each barrier were counted.
    tokens: SmallVec<[Option<Token>; 1]>,
}

impl Op {
    /// The barrier that counts the bytes for a target.
    fn barrier(&self, target: usize) -> Option<BarrierAt> {
        match &self.end {
            End::Barrier(barriers) => barriers.get(target).copied(),
            End::Channel(_) | End::ChannelThenWord { .. } | End::Nobody => None,
        }
    }

    /// Remembers in which generation bytes for a target were counted; when they were the last, says so.
    fn count(&mut self, target: usize, bytes: u64, counted: Option<Token>) -> Option<(OpId, Token)> {
        let token = self.tokens.get_mut(target)?;
        *token = if bytes == 0 { token.or(counted) } else { counted };
        let token = (*token)?;
        let done = *self.left.get(target)? == 0;
        done.then_some((*self.ids.get(target)?, token))
    }
}

/// Arrivals that wait for a channel to complete.
#[derive(Debug)]
struct Pledge {
    who: Who,
    channel: Channel,
    seq: u32,
    at: BarrierAt,
    count: u32,
    /// The arrival releases what its issuer did before as well, besides the operations.
    releases: bool,
}

/// All operations under way.
#[derive(Debug, Default)]
pub(crate) struct Flight {
    ops: BTreeMap<OpId, Op>,
    next: u32,
    pledges: Vec<Pledge>,
    /// For random landing: when which piece takes its next step; smallest first.
    due: BinaryHeap<std::cmp::Reverse<(u64, OpId, u32)>>,
}

impl Core {
    /// Starts an asynchronous operation.
    ///
    /// # Errors
    /// When it lands at once and leaves a memory, or its barrier cannot take its bytes.
    pub fn issue(&mut self, new: NewOp) -> Result<OpId, Trap> {
        self.visible = true;
        let NewOp { who, what, proxy, job, end } = new;
        let targets = match &end {
            End::Barrier(list) => list.len().max(1),
            End::Channel(_) | End::ChannelThenWord { .. } | End::Nobody => 1,
        };
        let ids: SmallVec<[OpId; 1]> = (0..targets as u32).map(|t| OpId(self.flight.next + t)).collect();
        self.flight.next += targets as u32;
        let first = ids[0];
        let seq = match end {
            End::Channel(kind) | End::ChannelThenWord { kind, .. } => self.next_seq(who.wave, kind),
            End::Barrier(_) | End::Nobody => 0,
        };
        self.did(Deed::Issued(first.0));
        if self.watching() {
            self.tell_issue(who, what, proxy, job.as_ref(), &end, seq, &ids);
        }
        if let Some(claims) = &mut self.claims {
            job.touches(&mut |touch| {
                if touch.space == Space::Global {
                    claims.touch(touch.start, touch.len, touch.kind.writes());
                }
            });
        }
        // What lands at once, unwatched, is not cut into pieces.
        let at_once = self.landing == Landing::Eager && !self.wants_touches();
        let count = if at_once { 1 } else { job.pieces() };
        let tokens = ids.iter().map(|_| None).collect();
        let pieces = smallvec::smallvec![PieceState::Waiting; count as usize];
        let mut left: SmallVec<[u32; 1]> = smallvec::smallvec![0; targets];
        for piece in (0..count).filter(|_| !at_once) {
            if let Some(n) = left.get_mut(job.target(piece) as usize) {
                *n += 1;
            }
        }
        let after = self.pipelined_before(who, &end, job.as_ref());
        let op = Op { who, job, end, seq, ids, pieces, left, after, tokens };
        if let End::Channel(kind) | End::ChannelThenWord { kind, .. } = op.end {
            let channel = self.channel_mut(who.wave, kind);
            channel.pending.push_back((seq, first));
            channel.newest_copy = seq;
        }
        if count == 0 {
            let completed = self.completed(op);
            self.trapped(completed)?;
            return Ok(first);
        }
        match self.landing {
            // It is never under way.
            Landing::Eager => {
                let landed = self.land_at_once(op);
                self.trapped(landed)?;
            }
            Landing::Lazy | Landing::Exhaustive => {
                self.flight.ops.insert(first, op);
            }
            Landing::Random(_) => {
                self.flight.ops.insert(first, op);
                self.schedule_pieces(first, count);
            }
        }
        Ok(first)
    }

    /// Operations under way that other waves issued on a channel of the kind, and that touch the same tensor memory. One
    /// unit executes them in order of issue. It is asked for by bytes, not by what orders the threads: whether anything
    /// does, the checker says in every run, so nothing is missed by landing in order.
    fn pipelined_before(&self, who: Who, end: &End, job: &dyn Job) -> SmallVec<[OpId; 1]> {
        let mut before = SmallVec::new();
        let End::Channel(kind) = *end else { return before };
        if self.channels[kind.index()].handover.is_none() {
            return before;
        }
        let mine = |op: &Op| matches!(op.end, End::Channel(k) if k == kind) && op.who.wave != who.wave;
        let tensor = |job: &dyn Job| {
            let mut list: Vec<Touch> = Vec::new();
            job.touches(&mut |t| list.extend(matches!(t.space, Space::Tensor(_)).then_some(t)));
            list
        };
        let mut own = None;
        for (&id, op) in self.flight.ops.iter().filter(|(_, op)| mine(op)) {
            let own = own.get_or_insert_with(|| tensor(job));
            let meets = |a: &Touch, b: &Touch| {
                let (writes, apart) = (a.kind.writes() || b.kind.writes(), a.space != b.space);
                writes && !apart && a.start < b.start + b.len && b.start < a.start + a.len
            };
            if tensor(op.job.as_ref()).iter().any(|a| own.iter().any(|b| meets(a, b))) {
                before.push(id);
            }
        }
        before
    }

    /// Says how the bytes that an operation lands are arranged (a swizzle), for readers that must agree. `op` is what
    /// [`Self::issue`] returned, `targets` the number of memories it lands in. The arrangement follows bits of the address
    /// and begins anew after `period` bytes; 0 where bytes lie in a row.
    pub fn lands_arranged(&mut self, op: OpId, targets: usize, arrangement: &'static str, period: u32) {
        for target in 0..targets as u32 {
            self.emit(&Event::LandsArranged { op: OpId(op.0 + target), arrangement, period });
        }
    }

    /// Says that the bytes around an address are read as if they lay in an arrangement.
    pub fn reads_arranged(&mut self, who: Who, space: Space, address: u64, arrangement: &'static str) {
        self.emit(&Event::ReadsArranged { who, space, address, arrangement });
    }

    /// The next number of a channel, for an operation that has no job: an executor did its work at issue and the number
    /// only says when others may rely on it (an AMD load whose register was filled at once).
    pub fn next_seq(&mut self, wave: WaveId, kind: ChannelKind) -> u32 {
        let channel = self.channel_mut(wave, kind);
        channel.issued += 1;
        channel.issued
    }

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

    fn nothing_under_way(&self, wave: WaveId, kinds: &[ChannelKind]) -> bool {
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

    fn pledge(
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
        self.flight.pledges.push(Pledge { who, channel, seq, at, count, releases });
        let kept = self.keep_pledges(channel);
        self.trapped(kept)
    }

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

    fn move_piece(&mut self, id: OpId, piece: u32) -> Result<bool, Died> {
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

    fn must_wait_its_turn(&self, op: &Op) -> bool {
        self.lands_before(op).is_some()
    }

    /// An operation that lands before this one: the oldest of an in-order channel, one of another wave that was handed on.
    fn lands_before(&self, op: &Op) -> Option<OpId> {
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

    fn schedule_pieces(&mut self, id: OpId, count: u32) {
        // Some operations are quick, some slow as a whole, and their pieces spread around that.
        let whole = self.random_delay();
        for piece in 0..count {
            let time = self.now + u64::from(whole) + u64::from(self.random_delay()) / 4;
            self.flight.due.push(std::cmp::Reverse((time, id, piece)));
        }
    }

    /// Turns until a step: small and large ones alike, so that waits of every length are met.
    fn random_delay(&mut self) -> u32 {
        let magnitude = self.rng.below(9);
        self.rng.below(1 << magnitude)
    }

    fn land_at_once(&mut self, mut op: Op) -> Result<(), Died> {
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
    fn finish(&mut self, id: OpId) -> Result<(), Died> {
        self.land_earlier(id)?;
        let Some(op) = self.flight.ops.get(&id) else { return Ok(()) };
        for piece in 0..op.pieces.len() as u32 {
            while self.flight.ops.contains_key(&id) && self.step_piece(id, piece)? {}
        }
        Ok(())
    }

    fn land_earlier(&mut self, id: OpId) -> Result<(), Died> {
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

    fn land_piece(&mut self, id: OpId, piece: u32) -> Result<(), Died> {
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

    fn count_bytes(&mut self, id: OpId, target: u32, bytes: u64) -> Result<(), Died> {
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
    fn count_on(&mut self, who: Who, at: BarrierAt, bytes: u64) -> Result<Option<Token>, Died> {
        if bytes == 0 {
            // Nothing is signalled, but whoever waits for the phase may rely on there being nothing.
            let barrier = self.blocks[at.block.index()].tx.get(&at.address);
            return Ok(barrier.map(|b| Token { sync: b.sync, generation: b.generation }));
        }
        self.complete_bytes(at, bytes, who.place).map(Some).map_err(|trap| Died { who, trap })
    }

    fn complete(&mut self, id: OpId) -> Result<(), Died> {
        self.flight.ops.remove(&id).map_or(Ok(()), |op| self.completed(op))
    }

    fn completed(&mut self, op: Op) -> Result<(), Died> {
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
            End::ChannelThenWord { kind, at, step } => {
                let channel = Channel { wave: op.who.wave, kind };
                self.did(Deed::Done { channel, seq: op.seq, lanes: op.who.lanes, part: Part::All });
                self.word_arrive_by_engine(op.who, kind, op.seq, at, step)
                    .map_err(|trap| Died { who: op.who, trap })?;
                self.leave_channel(op.who.wave, kind, op.seq)
            }
            End::Barrier(_) | End::Nobody => Ok(()),
        }
    }

    fn leave_channel(&mut self, wave: WaveId, kind: ChannelKind, seq: u32) -> Result<(), Died> {
        self.channel_mut(wave, kind).pending.retain(|p| p.0 != seq);
        self.keep_pledges(Channel { wave, kind })
    }

    fn keep_pledges(&mut self, channel: Channel) -> Result<(), Died> {
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

    fn drain_counter(&mut self, wave: WaveId, kinds: &[ChannelKind], n: u32) -> Result<(), Died> {
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

    fn prove(&mut self, who: Who, kind: ChannelKind, seq: u32, asked: u32, others: u32) -> Result<(), Died> {
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
    fn finish_channel(
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

    fn finish_part(&mut self, id: OpId, part: Part) -> Result<(), Died> {
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

    fn channel(&self, wave: WaveId, kind: ChannelKind) -> Option<&crate::channel::ChannelState> {
        self.waves.get(wave.index()).and_then(|w| w.channels.get(kind.index()))
    }

    fn channel_mut(&mut self, wave: WaveId, kind: ChannelKind) -> &mut crate::channel::ChannelState {
        let channels = &mut self.waves[wave.index()].channels;
        if channels.len() <= kind.index() {
            channels.resize_with(self.channels.len().max(kind.index() + 1), Default::default);
        }
        &mut channels[kind.index()]
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an operation that does not exist yet")]
    fn tell_issue(
        &mut self,
        who: Who,
        what: &'static str,
        proxy: Proxy,
        job: &dyn Job,
        end: &End,
        seq: u32,
        ids: &[OpId],
    ) {
        let mut touches: Vec<Touch> = Vec::new();
        let lane = who.lanes.lowest().unwrap_or(0) as u8;
        job.touches(&mut |touch| {
            // Jobs that act for one thread need not know its lane.
            let lane = if who.lanes.has(u32::from(touch.lane)) { touch.lane } else { lane };
            touches.push(Touch { lane, ..touch });
        });
        let ends = match *end {
            End::Barrier(_) => Ends::Barrier,
            End::Channel(kind) | End::ChannelThenWord { kind, .. } => Ends::Channel { kind, seq },
            End::Nobody => Ends::Unknown,
        };
        for (target, &op) in ids.iter().enumerate() {
            let at = match end {
                End::Barrier(list) => list.get(target).copied(),
                End::Channel(_) | End::ChannelThenWord { .. } | End::Nobody => None,
            };
            let barrier = at.map(|at| (at.block, at.address));
            if ids.len() == 1 {
                self.emit(&Event::Issue(&Issued { op, who, what, proxy, touches: &touches, ends, barrier }));
                continue;
            }
            let mine: Vec<Touch> = touches
                .iter()
                .copied()
                .filter(|t| match t.space {
                    Space::Shared(block) => at.is_some_and(|at| at.block == block),
                    Space::Global | Space::Tensor(_) => target == 0,
                })
                .collect();
            self.emit(&Event::Issue(&Issued { op, who, what, proxy, touches: &mine, ends, barrier }));
        }
    }

    /// What sampling or landing a piece touches.
    fn touch_piece(&mut self, id: OpId, piece: u32, landing: bool) {
        if self.footprint.is_none() {
            return;
        }
        let mut list = Vec::new();
        let mut samples = true;
        if let Some(op) = self.flight.ops.get(&id) {
            op.job.piece_touches(piece, &mut |t| list.push(t));
            samples = op.job.samples();
        }
        for t in list {
            let lands = t.kind.writes() || !samples;
            if lands == landing {
                self.touch(t.space, t.start, t.len, t.kind.writes());
            }
        }
        if let Some(op) = self.flight.ops.get(&id)
            && let End::Channel(kind) | End::ChannelThenWord { kind, .. } = op.end
        {
            let channel = Channel { wave: op.who.wave, kind };
            let ordered = self.channels[kind.index()].in_order;
            let (seq, lanes) = (op.seq, op.who.lanes);
            self.did(Deed::Moved { channel, seq, lanes, landed: landing, ordered });
        }
    }

    fn touch_job(&mut self, job: &dyn Job) {
        if self.footprint.is_some() {
            let mut list = Vec::new();
            job.touches(&mut |t| list.push(t));
            for t in list {
                self.touch(t.space, t.start, t.len, t.kind.writes());
            }
        }
    }

    fn fault_of<T>(&self, who: Who, result: Result<T, JobFault>) -> Result<T, Died> {
        result.map_err(|fault| {
            let JobFault { space, address, len, write } = fault;
            let what = if write { "asynchronous write" } else { "asynchronous read" };
            let trap = match space {
                Space::Shared(block) if self.has_ended(block) => Box::new(Diagnostic::new(
                    Code("cluster-peer-gone"),
                    Level::Error,
                    format!("{what} in shared memory of {block}, which has exited"),
                )),
                Space::Global | Space::Shared(_) | Space::Tensor(_) => {
                    self.memories.out_of_bounds(space, address, len, what)
                }
            };
            Died { who, trap }
        })
    }

    /// For callers that are executors: remembers whose operation died, which need not be the wave that is running.
    fn trapped<T>(&mut self, result: Result<T, Died>) -> Result<T, Trap> {
        result.map_err(|Died { who, trap }| {
            self.trap = Some((who, trap.clone()));
            trap
        })
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
