//! What an asynchronous operation does, cut into pieces that may sample their source and land on their own.

use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;

use smallvec::SmallVec;
use tilehaul_engine::{MemoryFault, PlanFault, Segment, SegmentKind, TransferPlan, Transform, Use};

use crate::{AccessKind, Memories, Space, Touch};

/// Most pieces an operation is cut into: enough for every interesting order, few enough to keep a schedule short.
pub const MAX_PIECES: u32 = 32;

/// An access of an operation that a memory cannot serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobFault {
    /// The memory.
    pub space: Space,
    /// First byte.
    pub address: u64,
    /// Bytes asked for.
    pub len: u64,
    /// True when it was to be written.
    pub write: bool,
}

/// The work of an asynchronous operation.
///
/// Pieces are independent: the machine samples each piece once and lands it once, in that order, at times that the
/// landing policy picks.
pub trait Job: fmt::Debug {
    /// Number of pieces; 0 when nothing is to be done.
    fn pieces(&self) -> u32;

    /// Which of the operation's barriers the bytes of a piece count on.
    fn target(&self, _piece: u32) -> u32 {
        0
    }

    /// Tells every range that the operation reads or writes.
    fn touches(&self, sink: &mut dyn FnMut(Touch));

    /// Tells what one piece reads and writes. By default everything the job does.
    fn piece_touches(&self, _piece: u32, sink: &mut dyn FnMut(Touch)) {
        self.touches(sink);
    }

    /// False when nothing is read before landing: then a piece reads when it lands.
    fn samples(&self) -> bool {
        true
    }

    /// Reads what a piece moves.
    ///
    /// # Errors
    /// When a source byte does not exist.
    fn sample(&mut self, piece: u32, memories: &Memories) -> Result<(), JobFault>;

    /// Writes what the piece sampled. Returns the bytes it counts on the operation's `target`-th barrier.
    ///
    /// # Errors
    /// When a destination byte does not exist.
    fn land(&mut self, piece: u32, memories: &mut Memories) -> Result<Landed, JobFault>;

    /// The first access outside every memory that a forgiving job left out.
    fn skipped(&self) -> Option<JobFault> {
        None
    }

    /// Does everything at once; faster than piece by piece where the job can.
    ///
    /// # Errors
    /// As [`Self::sample`] and [`Self::land`].
    fn run(&mut self, memories: &mut Memories, landed: &mut dyn FnMut(Landed)) -> Result<(), JobFault> {
        run_pieces(self, memories, landed)
    }
}

/// Moves nothing. With a piece it still has its turn in the order of its channel; without, it is over when issued.
#[derive(Debug)]
pub struct NoBytes {
    /// Number of pieces.
    pub pieces: u32,
}

impl Job for NoBytes {
    fn pieces(&self) -> u32 {
        self.pieces
    }

    fn touches(&self, _: &mut dyn FnMut(Touch)) {}

    fn samples(&self) -> bool {
        false
    }

    fn sample(&mut self, _: u32, _: &Memories) -> Result<(), JobFault> {
        Ok(())
    }

    fn land(&mut self, _: u32, _: &mut Memories) -> Result<Landed, JobFault> {
        Ok(Landed::default())
    }
}

fn run_pieces<J: Job + ?Sized>(
    job: &mut J,
    memories: &mut Memories,
    landed: &mut dyn FnMut(Landed),
) -> Result<(), JobFault> {
    for piece in 0..job.pieces() {
        job.sample(piece, memories)?;
        landed(job.land(piece, memories)?);
    }
    Ok(())
}

pub(crate) fn job_fault(fault: PlanFault, from: Space, to: Space) -> JobFault {
    let MemoryFault { address, len } = fault.access();
    match fault {
        PlanFault::Source(_) => JobFault { space: from, address, len, write: false },
        PlanFault::Destination(_) => JobFault { space: to, address, len, write: true },
    }
}

/// Bytes that a landed piece counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Landed {
    /// Which of the operation's barriers they count on.
    pub target: u32,
    /// How many.
    pub bytes: u64,
}

/// Moves a [`TransferPlan`] from one memory to one or several.
#[derive(Debug)]
pub struct PlanJob {
    plan: TransferPlan,
    from: Space,
    to: SmallVec<[Space; 1]>,
    payload: Option<u64>,
    /// Made when first asked for: a copy that lands at once, unwatched, needs no list.
    listed: OnceCell<Listed>,
    sampled: Vec<Option<Vec<Vec<u8>>>>,
    /// Goes on after an access that no memory serves, and keeps the first.
    forgives: bool,
    skipped: Option<JobFault>,
    /// Parts of segments that could not be read as a whole, with the piece that they belong to.
    rescued: Vec<(u32, Segment, Vec<u8>)>,
}

#[derive(Debug)]
struct Listed {
    segments: Vec<Segment>,
    /// Segments of each piece; piece `p` of destination `t` is `cuts[p % n]`.
    cuts: Vec<Range<u32>>,
}

impl PlanJob {
    /// `plan` from `from` to each of `to` (several for a multicast), at the same addresses in each.
    #[must_use]
    pub fn new(plan: TransferPlan, from: Space, to: &[Space]) -> PlanJob {
        let (payload, listed, sampled) = (None, OnceCell::new(), Vec::new());
        PlanJob {
            plan,
            from,
            to: to.into(),
            payload,
            listed,
            sampled,
            forgives: false,
            skipped: None,
            rescued: Vec::new(),
        }
    }

    /// The same for an engine that does not stop at an access that no memory serves: the rest is moved, byte by byte where
    /// a row is there in part, and [`Job::skipped`] tells of the first.
    #[must_use]
    pub fn forgiving(mut self) -> PlanJob {
        self.forgives = true;
        self
    }

    /// Goes on after a fault where the job may.
    fn forgive(&mut self, fault: JobFault) -> Result<(), JobFault> {
        if !self.forgives {
            return Err(fault);
        }
        self.skipped.get_or_insert(fault);
        Ok(())
    }

    /// The same for a plan whose [`Self::payload`] is known, so that it need not be added up.
    #[must_use]
    pub fn counting(mut self, payload: u64) -> PlanJob {
        self.payload = Some(payload);
        self
    }

    /// Bytes that each destination's barrier is told: data and fill.
    #[must_use]
    pub fn payload(&self) -> u64 {
        let sum = || self.plan.count().payload();
        self.payload.unwrap_or_else(sum)
    }

    fn listed(&self) -> &Listed {
        self.listed.get_or_init(|| {
            let segments = self.plan.segments();
            let count = segments.len() as u32;
            let pieces = count.min(MAX_PIECES);
            let cuts = (0..pieces).map(|p| p * count / pieces..(p + 1) * count / pieces).collect();
            Listed { segments, cuts }
        })
    }

    fn split(&self, piece: u32) -> (usize, usize) {
        let n = self.listed().cuts.len().max(1);
        (piece as usize % n, piece as usize / n)
    }

    fn segments_of(&self, cut: usize) -> &[Segment] {
        let Listed { segments, cuts } = self.listed();
        &segments[cuts[cut].start as usize..cuts[cut].end as usize]
    }

    fn touches_of(&self, segments: &[Segment], to: &[Space], sink: &mut dyn FnMut(Touch)) {
        let reduces = matches!(self.plan.transform, Transform::Reduce(_));
        let written = if reduces { AccessKind::Atomic } else { AccessKind::Write };
        for s in segments {
            if s.kind == SegmentKind::Data {
                let (space, kind) = (self.from, AccessKind::Read);
                let len = self.plan.transform.source_len(s.len);
                sink(Touch { space, start: s.src, len, kind, lane: 0 });
            }
            if s.kind != SegmentKind::Drop {
                for &space in to {
                    sink(Touch { space, start: s.dst, len: s.len, kind: written, lane: 0 });
                }
            }
        }
    }
}

impl Job for PlanJob {
    fn pieces(&self) -> u32 {
        (self.listed().cuts.len() * self.to.len()) as u32
    }

    fn target(&self, piece: u32) -> u32 {
        self.split(piece).1 as u32
    }

    fn touches(&self, sink: &mut dyn FnMut(Touch)) {
        self.touches_of(&self.listed().segments, &self.to, sink);
    }

    fn piece_touches(&self, piece: u32, sink: &mut dyn FnMut(Touch)) {
        let (cut, target) = self.split(piece);
        let to = self.to.get(target).map(std::slice::from_ref).unwrap_or_default();
        self.touches_of(self.segments_of(cut), to, sink);
    }

    fn skipped(&self) -> Option<JobFault> {
        self.skipped
    }

    fn sample(&mut self, piece: u32, memories: &Memories) -> Result<(), JobFault> {
        let (cut, _) = self.split(piece);
        let segments = self.segments_of(cut);
        let mut staged = Vec::with_capacity(segments.len());
        let (mut first, mut rescued) = (None, Vec::new());
        for s in segments {
            let mut bytes = Vec::new();
            if let Err(fault) = self.plan.sample(s, memories.space(self.from), &mut bytes) {
                let fault = job_fault(fault, self.from, self.from);
                if !self.forgives {
                    return Err(fault);
                }
                first.get_or_insert(fault);
                let source = memories.space(self.from);
                for part in self.plan.parts_there(s, source, Use::Read) {
                    if self.plan.sample(&part, source, &mut bytes).is_ok() {
                        rescued.push((piece, part, std::mem::take(&mut bytes)));
                    }
                }
                bytes.clear();
            }
            staged.push(bytes);
        }
        self.rescued.append(&mut rescued);
        if self.skipped.is_none() {
            self.skipped = first;
        }
        if self.sampled.is_empty() {
            self.sampled = vec![None; self.pieces() as usize];
        }
        self.sampled[piece as usize] = Some(staged);
        Ok(())
    }

    fn land(&mut self, piece: u32, memories: &mut Memories) -> Result<Landed, JobFault> {
        let (cut, target) = self.split(piece);
        let staged = self.sampled.get_mut(piece as usize).and_then(Option::take).unwrap_or_default();
        let space = self.to[target];
        let (mut bytes, mut first) = (0, None);
        let whole = self.segments_of(cut).iter().zip(&staged).map(|(s, from)| (s, from.as_slice()));
        let mine =
            self.rescued.iter().filter(|r| r.0 == piece).map(|(_, part, from)| (part, from.as_slice()));
        for (s, from) in whole.chain(mine) {
            if s.kind == SegmentKind::Data && from.is_empty() && s.len > 0 {
                // It could not be read, or only in the parts that come last.
                continue;
            }
            if let Err(fault) = self.plan.land(s, from, memories.space_mut(space)) {
                let fault = job_fault(fault, self.from, space);
                if !self.forgives {
                    return Err(fault);
                }
                first.get_or_insert(fault);
                let target = memories.space_mut(space);
                for part in self.plan.parts_there(s, target, Use::Write) {
                    let at = part.dst.wrapping_sub(s.dst) as usize;
                    let from = from.get(at..at + part.len as usize).unwrap_or_default();
                    if self.plan.land(&part, from, target).is_ok() {
                        bytes += from.len() as u64;
                    }
                }
                continue;
            }
            bytes += if s.kind == SegmentKind::Drop { 0 } else { s.len };
        }
        self.rescued.retain(|r| r.0 != piece);
        if self.skipped.is_none() {
            self.skipped = first;
        }
        Ok(Landed { target: target as u32, bytes })
    }

    fn run(&mut self, memories: &mut Memories, landed: &mut dyn FnMut(Landed)) -> Result<(), JobFault> {
        // A copy within one memory reads all before it writes, piece by piece.
        if self.to.contains(&self.from) {
            return run_pieces(self, memories, landed);
        }
        let bytes = self.payload();
        for (target, &space) in self.to.iter().enumerate() {
            let Some((source, destination)) = memories.two(self.from, space) else {
                return run_pieces(self, memories, landed);
            };
            if let Err(fault) = self.plan.run(source, destination) {
                self.forgive(job_fault(fault, self.from, space))?;
                // What could not be moved is left out piece by piece.
                return run_pieces(self, memories, landed);
            }
            landed(Landed { target: target as u32, bytes });
        }
        Ok(())
    }
}

/// One run of bytes of a [`CopyJob`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Lane that asked for it.
    pub lane: u8,
    /// First source byte; `None` writes zeros.
    pub src: Option<u64>,
    /// First destination byte; `None` reads and drops.
    pub dst: Option<u64>,
    /// Bytes read.
    pub len: u32,
    /// Zero bytes written after them.
    pub zeros: u32,
}

/// Copies one run for each lane: `cp.async`, AMD loads to LDS, async stores from LDS.
#[derive(Debug)]
pub struct CopyJob {
    from: Space,
    to: Space,
    copies: Vec<Copy>,
    sampled: Vec<Option<Vec<u8>>>,
}

impl CopyJob {
    /// Copies from `from` to `to`; each run is a piece of its own.
    #[must_use]
    pub fn new(from: Space, to: Space, copies: Vec<Copy>) -> CopyJob {
        let sampled = vec![None; copies.len()];
        CopyJob { from, to, copies, sampled }
    }
}

impl Job for CopyJob {
    fn pieces(&self) -> u32 {
        self.copies.len() as u32
    }

    fn touches(&self, sink: &mut dyn FnMut(Touch)) {
        for piece in 0..self.pieces() {
            self.piece_touches(piece, sink);
        }
    }

    fn piece_touches(&self, piece: u32, sink: &mut dyn FnMut(Touch)) {
        if let Some(c) = self.copies.get(piece as usize) {
            if let (Some(start), true) = (c.src, c.len > 0) {
                let (space, len) = (self.from, u64::from(c.len));
                sink(Touch { space, start, len, kind: AccessKind::Read, lane: c.lane });
            }
            if let Some(start) = c.dst {
                let (space, len) = (self.to, u64::from(c.len + c.zeros));
                sink(Touch { space, start, len, kind: AccessKind::Write, lane: c.lane });
            }
        }
    }

    fn sample(&mut self, piece: u32, memories: &Memories) -> Result<(), JobFault> {
        let c = self.copies[piece as usize];
        let len = u64::from(c.len);
        let mut bytes = Vec::with_capacity((c.len + c.zeros) as usize);
        match c.src {
            Some(address) if len > 0 => {
                let fault = JobFault { space: self.from, address, len, write: false };
                bytes.extend_from_slice(memories.bytes(self.from, address, len).map_err(|_| fault)?);
            }
            Some(_) | None => bytes.resize(c.len as usize, 0),
        }
        bytes.resize((c.len + c.zeros) as usize, 0);
        self.sampled[piece as usize] = Some(bytes);
        Ok(())
    }

    fn land(&mut self, piece: u32, memories: &mut Memories) -> Result<Landed, JobFault> {
        let bytes = self.sampled[piece as usize].take().unwrap_or_default();
        if let Some(address) = self.copies[piece as usize].dst {
            let len = bytes.len() as u64;
            let fault = JobFault { space: self.to, address, len, write: true };
            memories.bytes_mut(self.to, address, len).map_err(|_| fault)?.copy_from_slice(&bytes);
        }
        Ok(Landed { target: 0, bytes: bytes.len() as u64 })
    }
}

/// What a [`CallJob`] does when it lands.
pub type Call = Box<dyn FnMut(&mut Memories) -> Result<(), JobFault>>;

/// One piece of work that a closure does (a tensor-core operation, a store of registers), with the ranges it touches.
pub struct CallJob {
    touches: Vec<Touch>,
    bytes: u64,
    call: Call,
}

impl CallJob {
    /// Calls `call` when the operation lands; it reads and writes nothing but `touches`. `bytes` are counted on the
    /// operation's barrier, if it has one.
    #[must_use]
    pub fn new(touches: Vec<Touch>, bytes: u64, call: Call) -> CallJob {
        CallJob { touches, bytes, call }
    }
}

impl fmt::Debug for CallJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallJob").field("touches", &self.touches).field("bytes", &self.bytes).finish()
    }
}

impl Job for CallJob {
    fn pieces(&self) -> u32 {
        1
    }

    fn touches(&self, sink: &mut dyn FnMut(Touch)) {
        self.touches.iter().copied().for_each(sink);
    }

    fn samples(&self) -> bool {
        false
    }

    fn sample(&mut self, _piece: u32, _memories: &Memories) -> Result<(), JobFault> {
        // A closure reads and writes in one go, when it lands.
        Ok(())
    }

    fn land(&mut self, _piece: u32, memories: &mut Memories) -> Result<Landed, JobFault> {
        (self.call)(memories)?;
        Ok(Landed { target: 0, bytes: self.bytes })
    }
}
