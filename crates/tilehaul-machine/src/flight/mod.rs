//! Asynchronous operations in flight: issue, sampling, landing, completion, waits.
//!
//! An operation is a set of pieces. Each piece samples its source once and lands once, at times that the landing policy
//! picks: at issue (`Eager`), when a wait demands it or nothing else can go on (`Lazy`), at random turns (`Random`), or
//! whenever the exploration says so (`Exhaustive`). When the last piece has landed the operation completes: bytes were
//! counted on its barrier piece by piece, its channel forgets it, arrivals that wait for it happen.
//!
//! In-order channels land in order: before a piece of a later operation lands, the earlier ones complete. Sampling is
//! not ordered. manual: CDNA5 ISA 10.8, 10.11; PTX ISA 9.7.9 (bulk copies are not ordered with anything).

mod at_once;
mod landing;
mod waits;

use std::collections::{BTreeMap, BinaryHeap};

use smallvec::SmallVec;
use tilehaul_diag::{Code, Diagnostic, Level};

use crate::barrier::BarrierAt;
use crate::chooser::Deed;
use crate::core::{Core, Died, Trap};
use crate::job::{Job, JobFault};
use crate::{
    Channel, ChannelKind, Ends, Event, Issued, Landing, OpId, Proxy, Space, Token, Touch, WaveId, Who,
};

/// How an operation's end is made known.
#[derive(Clone, Debug)]
pub enum End {
    /// Landed bytes count on these transaction barriers; the job's `target` says which.
    Barrier(SmallVec<[BarrierAt; 1]>),
    /// The operation is the next of a channel of its wave.
    Channel(ChannelKind),
    /// The same, and then the engine arrives at a barrier word.
    ChannelThenWord {
        /// The channel.
        kind: ChannelKind,
        /// The word.
        at: BarrierAt,
        /// What one arrival does: gets the word and returns it changed, with the number of phases that ended.
        step: fn(u64) -> (u64, u32),
        /// How often it arrives.
        arrivals: u32,
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
        let NewOp { who, what, proxy, job, end } = new;
        let targets = match &end {
            End::Barrier(list) => list.len().max(1),
            End::Channel(_) | End::ChannelThenWord { .. } | End::Nobody => 1,
        };
        let first = self.begin_operation(targets);
        let ids: SmallVec<[OpId; 1]> = (0..targets as u32).map(|t| OpId(first.0 + t)).collect();
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

    /// What every operation leaves behind, also one that nobody sees under way: its numbers, one for each target, the
    /// first of which is returned.
    fn begin_operation(&mut self, targets: usize) -> OpId {
        self.visible = true;
        let first = OpId(self.flight.next);
        self.flight.next += targets as u32;
        self.operations += 1;
        first
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
                End::ChannelThenWord { at, .. } => Some(*at),
                End::Channel(_) | End::Nobody => None,
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
