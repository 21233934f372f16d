//! The catalogue of hazards: one file each, with what happens, why, an example, the fix and the source, then the code
//! that words a finding.
//!
//! [`classify`] gives a clash its code from who the two sides are; nothing else decides. The file of the code words it.

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{BarrierAt, ChannelKind, Part, PlaceId, Replay, Space, WaveId};

use crate::checker::{Checker, OpInfo, PassNote, PledgeNote, WaitNote};
use crate::finding::{Finding, Spot};
use crate::record::{Owner, Strength, What};

pub mod arranged_tile;
pub mod arrangement;
pub mod bank_conflict;
pub mod barrier_memory;
pub mod barrier_missing;
pub mod barrier_read;
pub mod barrier_unneeded;
pub mod count_too_high;
pub mod counter_overflow;
pub mod cross_proxy;
pub mod data_race;
pub mod exit_in_flight;
pub mod fence_missing;
pub mod fence_unneeded;
pub mod handover_missing;
pub mod init_not_visible;
pub mod init_unfenced;
pub mod lanes_unordered;
pub mod never_read;
pub mod one_stage;
pub mod overwrite_before_landing;
pub mod peer_gone;
pub mod peer_not_started;
pub mod pending_access;
pub mod raced_load_unused;
pub mod read_before_landing;
pub mod read_only_load;
pub mod refill_before_read;
pub mod relaxed_flag;
pub mod scope_too_narrow;
pub mod source_not_ready;
pub mod source_reused;
pub mod stale_map;
pub mod uninitialised;
pub mod unreleased_map;
pub mod wait_for_sources;
pub mod wait_too_strong;
pub mod wrong_counter;

/// Where a finding stands among others: causes come before what follows from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// What everything about the bytes that a barrier counts follows from.
    Root,
    /// It stands for itself.
    Cause,
    /// Bytes that nobody wrote, which may come from a cause.
    Undefined,
    /// Addresses that may come from undefined or raced bytes.
    Address,
    /// What a fault of another kind often brings with it.
    Companion,
    /// How the launch ended.
    Ending,
}

/// One entry of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Hazard {
    /// Stable name; never reused for another meaning.
    pub code: Code,
    /// How much it matters.
    pub level: Level,
    /// The hazard in one line.
    pub title: &'static str,
    /// What happens.
    pub what: &'static str,
    /// Why on this hardware.
    pub why: &'static str,
    /// A few lines that show it.
    pub example: &'static str,
    /// What to do.
    pub fix: &'static str,
    /// Where it is known from.
    pub source: Source,
    /// Where it stands among others.
    pub rank: Rank,
    /// Words a clash of this code; none where the detector that finds it does.
    pub(crate) word: Option<Wording>,
}

/// All hazards that the checker finds in a run, in order of code.
pub const ALL: [&Hazard; 38] = [
    &arranged_tile::HAZARD,
    &arrangement::HAZARD,
    &bank_conflict::HAZARD,
    &barrier_memory::HAZARD,
    &barrier_missing::HAZARD,
    &barrier_read::HAZARD,
    &barrier_unneeded::HAZARD,
    &count_too_high::HAZARD,
    &counter_overflow::HAZARD,
    &cross_proxy::HAZARD,
    &data_race::HAZARD,
    &exit_in_flight::HAZARD,
    &fence_missing::HAZARD,
    &fence_unneeded::HAZARD,
    &handover_missing::HAZARD,
    &init_not_visible::HAZARD,
    &init_unfenced::HAZARD,
    &lanes_unordered::HAZARD,
    &never_read::HAZARD,
    &one_stage::HAZARD,
    &overwrite_before_landing::HAZARD,
    &peer_gone::HAZARD,
    &peer_not_started::HAZARD,
    &pending_access::HAZARD,
    &raced_load_unused::HAZARD,
    &read_before_landing::HAZARD,
    &read_only_load::HAZARD,
    &refill_before_read::HAZARD,
    &relaxed_flag::HAZARD,
    &scope_too_narrow::HAZARD,
    &source_not_ready::HAZARD,
    &source_reused::HAZARD,
    &stale_map::HAZARD,
    &unreleased_map::HAZARD,
    &uninitialised::HAZARD,
    &wait_for_sources::HAZARD,
    &wait_too_strong::HAZARD,
    &wrong_counter::HAZARD,
];

/// One of two accesses that clash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub wave: WaveId,
    pub lane: u8,
    pub place: PlaceId,
    pub what: What,
    pub op: Option<&'a OpInfo>,
    pub owner: Owner,
    /// For channels: its number there.
    pub time: u32,
    pub strength: Strength,
}

/// Two accesses to the same bytes that are not ordered, or not ordered well enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash<'a> {
    pub earlier: Side<'a>,
    pub later: Side<'a>,
    pub space: Space,
    pub start: u64,
    pub len: u64,
    /// Bytes that are meant; fewer than `len` where there are gaps.
    pub bytes: u64,
    /// They are ordered; what is missing is a proxy fence, or they must not meet at all (the earlier one is a live barrier).
    pub ordered: bool,
    pub checker: &'a Checker,
}

/// Why a wait of the wave that owns the earlier operation did not help.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    /// No wait came after it.
    NoWait,
    /// A wait on another counter came after it.
    WrongCounter(WaitNote),
    /// A wait on the right counter came after it, but let too many stay outstanding: `enough` would have done.
    CountTooHigh { wait: WaitNote, enough: u32 },
    /// The owner waited, but its wait does not come before the other wave's access.
    NoBarrier(WaitNote),
}

/// Whether the earlier operation fills bytes anew that the later one reads as they were before: the bytes had been filled
/// before, and no wait of the reader for it could help.
pub(crate) fn refilled_under(clash: &Clash<'_>) -> bool {
    let (earlier, later) = (&clash.earlier, &clash.later);
    let Some(op) = earlier.op else { return false };
    let reads = later.what == What::Read && (later.op.is_none() || !clash.checker.lockstep());
    if clash.ordered || !op.refills || !earlier.what.is_data_write() || !reads || earlier.wave == later.wave {
        return false;
    }
    match earlier.owner {
        Owner::Channel(kind) if clash.checker.lockstep() => refilled_in_lockstep(clash, op, kind),
        Owner::Channel(_) | Owner::Copy => refilled_too_early(clash),
        Owner::Lanes => false,
    }
}

/// The reader knows nothing of the issue, and the wait of the issuer is not what went wrong.
fn refilled_in_lockstep(clash: &Clash<'_>, op: &OpInfo, kind: ChannelKind) -> bool {
    let order = &clash.checker.order;
    let issue_known = order.actor_of(clash.earlier.wave).is_some_and(|actor| {
        order
            .groups(clash.later.wave)
            .iter()
            .any(|g| g.knows.seen.lane(actor, op.who.lanes.lowest().unwrap_or(0) as u8) >= op.issued_at)
    });
    !issue_known && matches!(cause(clash, kind), Cause::NoWait | Cause::CountTooHigh { .. })
}

/// The reader has seen an earlier phase of the barrier that the copy signals, and the issuer does not know that yet: it has not
/// waited for the bytes of that phase to be read.
fn refilled_too_early(clash: &Clash<'_>) -> bool {
    let checker = clash.checker;
    let Some(pass) = signalled(clash).and_then(|at| last_pass(clash, at)) else { return false };
    let Some(reader) = checker.order.actor_of(clash.later.wave) else { return false };
    let knows = |g: &crate::clocks::LaneGroup| g.knows.seen.lane(reader, clash.later.lane) >= pass.time;
    pass.completed > 0 && !pass.relaxed && !checker.order.groups(clash.earlier.wave).iter().any(knows)
}

/// The code for a clash; none for what is no hazard.
pub(crate) fn classify(clash: &Clash<'_>) -> Option<Code> {
    let (earlier, later) = (&clash.earlier, &clash.later);
    if earlier.what == What::BarrierInit || later.what == What::BarrierInit {
        return if matches!(
            later.what,
            What::BarrierUse | What::BarrierTest | What::BarrierOperand | What::BarrierInval
        ) {
            // Inside one block compilers order the init by a barrier alone; only unordered uses are wrong.
            if !clash.ordered {
                Some(init_not_visible::HAZARD.code)
            } else if later.what == What::BarrierOperand && !clash.checker.init_is_fenced(earlier) {
                Some(init_unfenced::HAZARD.code)
            } else {
                None
            }
        } else if earlier.what == What::BarrierInit && later.what.is_data_write() {
            Some(barrier_memory::HAZARD.code)
        } else if earlier.what == What::BarrierInit && later.what == What::Read {
            Some(barrier_read::HAZARD.code)
        } else if clash.ordered {
            None
        } else {
            Some(general(clash))
        };
    }
    if clash.ordered {
        if later.strength == Strength::ReadOnly {
            return Some(read_only_load::HAZARD.code);
        }
        let reads = later.what == What::Read || later.what == What::Atomic;
        let written = earlier.what.is_data_write();
        return Some(if reads && written { fence_missing::HAZARD.code } else { cross_proxy::HAZARD.code });
    }
    if let (Strength::Atomic(_), Strength::Atomic(_)) = (earlier.strength, later.strength) {
        return Some(scope_too_narrow::HAZARD.code);
    }
    if let Owner::Channel(kind) = earlier.owner
        && clash.checker.lockstep()
    {
        match cause(clash, kind) {
            Cause::WrongCounter(_) => return Some(wrong_counter::HAZARD.code),
            Cause::CountTooHigh { .. } => return Some(count_too_high::HAZARD.code),
            Cause::NoBarrier(_) => return Some(barrier_missing::HAZARD.code),
            Cause::NoWait => {}
        }
    }
    Some(general(clash))
}

/// The instruction to mend where it is none of the two that clash, and the count that it needs: uses of one operation, or
/// of several behind one wrong wait, are one finding.
pub(crate) fn cause_of(code: Code, clash: &Clash<'_>) -> (Option<PlaceId>, u32) {
    if !clash.checker.lockstep() {
        // Uses of what one copy brings are one finding: its wait is missing or wrong.
        let reads = code == read_before_landing::HAZARD.code;
        return (reads.then_some(clash.earlier.place), 0);
    }
    let Owner::Channel(kind) = clash.earlier.owner else { return (None, 0) };
    match cause(clash, kind) {
        Cause::CountTooHigh { wait, enough } if code == count_too_high::HAZARD.code => {
            (Some(wait.place), enough)
        }
        Cause::NoBarrier(wait) if code == barrier_missing::HAZARD.code => (Some(wait.place), 0),
        _ if code == read_before_landing::HAZARD.code => (Some(clash.earlier.place), 0),
        _ => (None, 0),
    }
}

/// If the owner of the earlier operation may still reach the wait meant for it: the operation's channel, and whether the
/// owner has issued more on it since its last barrier.
pub(crate) fn may_wait_late(code: Code, clash: &Clash<'_>) -> Option<(ChannelKind, bool)> {
    let Owner::Channel(kind) = clash.earlier.owner else { return None };
    let (checker, owner, user) = (clash.checker, clash.earlier.wave, clash.later.wave);
    let waits = clash.earlier.op.is_some() && checker.lockstep();
    if !waits || checker.launch.block_of(owner) != checker.launch.block_of(user) {
        return None;
    }
    let own = owner == user;
    match cause(clash, kind) {
        Cause::NoWait if code != general(clash) => return None,
        Cause::NoWait => {}
        Cause::CountTooHigh { .. } if !own => {}
        _ => return None,
    }
    if own {
        return Some((kind, false));
    }
    let notes = checker.notes.get(owner.index())?;
    let arrival = notes.arrival.as_ref()?;
    let before = arrival.issued(kind) >= clash.earlier.time;
    (before && !checker.passed_since_arrival(owner, clash.later.place))
        .then(|| (kind, notes.issued(kind).unwrap_or(0) > arrival.issued(kind)))
}

fn general(clash: &Clash<'_>) -> Code {
    let (earlier, later) = (&clash.earlier, &clash.later);
    let code = match (earlier.op.is_some(), earlier.what.is_data_write()) {
        (true, true) if later.what.is_data_write() => &overwrite_before_landing::HAZARD,
        (true, true) => &read_before_landing::HAZARD,
        (true, false) => &source_reused::HAZARD,
        (false, wrote) if later.op.is_some() => {
            if wrote && !later.what.is_data_write() {
                &source_not_ready::HAZARD
            } else {
                &refill_before_read::HAZARD
            }
        }
        (false, _) if matches!(earlier.owner, Owner::Channel(_)) => &pending_access::HAZARD,
        (false, _) if earlier.wave == later.wave => &lanes_unordered::HAZARD,
        (false, _) => &data_race::HAZARD,
    };
    code.code
}

/// Words a finding of one hazard.
type Wording = fn(&Clash<'_>, Replay) -> Finding;

/// The finding for a clash with this code.
pub(crate) fn word(code: Code, clash: &Clash<'_>, replay: Replay) -> Finding {
    // Whatever `classify` gives has words of its own.
    let word = ALL.iter().find(|h| h.code == code).and_then(|h| h.word).unwrap_or(data_race::word);
    word(clash, replay)
}

impl Clash<'_> {
    /// The same clash told the other way round: the later access is one that ought to have come first.
    pub(crate) fn turned(self) -> Self {
        let (first, second) = (self.later, self.earlier);
        Self { earlier: Side { time: u32::MAX, ..first }, later: second, ..self }
    }

    /// `16 bytes at shared + 0x400 of block 2`.
    pub(crate) fn bytes(&self) -> String {
        if self.bytes < self.len {
            let range = self.checker.words.range(self.space, self.start, self.bytes);
            return format!("{range} (spread over {} bytes)", self.len);
        }
        self.checker.words.range(self.space, self.start, self.len)
    }

    /// A finding with both sides named.
    pub(crate) fn finding(&self, hazard: &Hazard, message: String, replay: Replay) -> Finding {
        let mut finding =
            crate::checker::plain(hazard, self.later.place, self.later_words(), message, replay);
        finding.secondary.push(Spot { place: self.earlier.place, text: self.earlier_words() });
        finding
    }

    pub(crate) fn earlier_words(&self) -> String {
        format!("earlier: {}", self.side_words(&self.earlier))
    }

    pub(crate) fn later_words(&self) -> String {
        self.side_words(&self.later)
    }

    /// Who did what to the bytes.
    pub(crate) fn side_words(&self, side: &Side<'_>) -> String {
        let does = match side.what {
            What::Read => "reads",
            What::Write => "writes",
            What::Atomic => "updates",
            What::BarrierInit => "makes a barrier in",
            What::BarrierUse | What::BarrierTest => "works on the barrier in",
            What::BarrierOperand => "names the barrier in",
            What::BarrierInval => "ends the barrier in",
        };
        let who = self.who(side);
        match side.op {
            Some(op) => format!("{} issued by {who} {does} {}", op.what, self.bytes()),
            None => format!("{who} {does} {}", self.bytes()),
        }
    }

    /// `wave 2 lane 5`, or `wave 2` where lanes act as one.
    pub(crate) fn who(&self, side: &Side<'_>) -> String {
        if self.checker.lockstep() {
            side.wave.to_string()
        } else {
            format!("{} lane {}", side.wave, side.lane)
        }
    }

    /// The later side as a subject: `wave 2 lane 5`, `the tensor load issued by wave 0 lane 0`.
    pub(crate) fn later_subject(&self) -> String {
        match self.later.op {
            Some(op) => format!("the {} issued by {}", op.what, self.who(&self.later)),
            None => self.who(&self.later),
        }
    }

    /// `the tensor load` or `the read`.
    pub(crate) fn noun(&self, side: &Side<'_>) -> String {
        match (side.op, side.what) {
            (Some(op), _) => op.what.to_string(),
            (None, What::Read) => "read".into(),
            (None, What::Write) => "write".into(),
            (None, What::Atomic) => "atomic".into(),
            (
                None,
                What::BarrierInit
                | What::BarrierUse
                | What::BarrierTest
                | What::BarrierOperand
                | What::BarrierInval,
            ) => "barrier operation".into(),
        }
    }

    /// Name of a channel, or of the counter that counts it.
    pub(crate) fn counter_name(&self, kind: ChannelKind) -> &'static str {
        match self.checker.counter_of(kind) {
            Some(counter) => counter.name,
            None => self.checker.order.channels.get(kind.index()).map_or("channel", |c| c.name),
        }
    }

    /// Name of the counter that the earlier side's wave waited on: some operations are counted by several, and the wait was on
    /// that of which all operations were waited for.
    pub(crate) fn waited_counter(&self, wait: &WaitNote) -> &'static str {
        let notes = self.checker.notes.get(self.earlier.wave.index());
        let waited = |kind: &ChannelKind| {
            let here = |w: &WaitNote| w.place == wait.place && w.kind == *kind && w.asked == wait.asked;
            notes.is_some_and(|n| n.waits.iter().any(here))
        };
        let counter = self
            .checker
            .counters()
            .iter()
            .find(|c| c.channels.contains(&wait.kind) && c.channels.iter().all(waited));
        counter.map_or_else(|| self.counter_name(wait.kind), |c| c.name)
    }

    /// How a wait for `n` on the counter of a channel is written.
    pub(crate) fn wait_text(&self, kind: ChannelKind, n: u32) -> String {
        match self.checker.counter_of(kind) {
            Some(counter) => counter.wait.replace("{}", &n.to_string()),
            None => format!("wait for {n} on {}", self.counter_name(kind)),
        }
    }

    /// How the wait is written that covers the earlier operation, which belongs to a group, up to a part.
    pub(crate) fn group_wait(&self, kind: ChannelKind, part: Part) -> String {
        let spec = self.checker.order.channels.get(kind.index());
        let words = spec.map_or("", |s| s.waits[usize::from(part == Part::All)]);
        let late = self.checker.notes.get(self.earlier.wave.index()).and_then(|notes| {
            notes.waits.iter().rev().find(|w| w.kind == kind && w.issued >= self.earlier.time)
        });
        // A wait that came in time and left one group too many: the next smaller count is tried first.
        let n = late.filter(|w| w.proven < self.earlier.time).map_or(0, |w| w.asked.saturating_sub(1));
        words.replace("{}", &n.to_string())
    }

    /// A wait of the issuer that came after the operation and did not cover it.
    pub(crate) fn group_story(&self, kind: ChannelKind) -> Option<String> {
        let notes = self.checker.notes.get(self.earlier.wave.index())?;
        let spec = self.checker.order.channels.get(kind.index())?;
        let wait = notes.waits.iter().rev().find(|w| w.kind == kind && w.issued >= self.earlier.time)?;
        if wait.part == Part::Source {
            let words = spec.waits[0].replace("{}", &wait.asked.to_string());
            return Some(format!(
                "the issuer's {words} waits until sources are read, not until the bytes have landed"
            ));
        }
        let words = spec.waits[1].replace("{}", &wait.asked.to_string());
        let left = format!(
            "the issuer's {words} lets the newest {} groups stay outstanding, this one among them",
            wait.asked
        );
        (wait.proven < self.earlier.time && wait.asked > 0).then_some(left)
    }

    /// The fences that would hand the order of issue on, where the two are operations that one unit keeps in order.
    pub(crate) fn handover(&self) -> Option<[&'static str; 2]> {
        let (first, then) = (self.earlier.op?, self.later.op?);
        let Owner::Channel(kind) = self.earlier.owner else { return None };
        let handover = self.checker.order.channels.get(kind.index())?.handover?;
        let same = first.targets == then.targets;
        let pair = |p: &&tilehaul_machine::Pipeline| {
            (p.first, p.then) == (first.what, then.what) && (same || !p.same_target)
        };
        let others = self.earlier.owner == self.later.owner && self.earlier.wave != self.later.wave;
        handover.pairs.iter().find(pair).filter(|_| others).map(|_| handover.fences)
    }

    /// What would hand the order of issue on, in words.
    pub(crate) fn handover_fix(&self) -> Option<String> {
        self.handover().map(|[before, after]| {
            format!(
                "Let {} execute {before} after the {} and then arrive at a barrier, and {} wait there and execute {after} before its {}: \
                 the two then keep their order. Or wait for the first to complete.",
                self.earlier.wave,
                self.noun(&self.earlier),
                self.later.wave,
                self.noun(&self.later)
            )
        })
    }

    /// What two waves of different workgroups need, where those of one workgroup need no wait: none when it is not so.
    pub(crate) fn across_workgroups(&self, kind: ChannelKind) -> Option<String> {
        let launch = &self.checker.launch;
        let (first, second) = (self.earlier.wave, self.later.wave);
        let one_way = self.checker.order.channels.get(kind.index()).is_some_and(|c| c.one_way);
        (one_way && self.space == Space::Global && launch.block_of(first) != launch.block_of(second)).then(|| {
            format!(
                "They are of different workgroups: let {first}, or a wave that it meets at a barrier after its {}, write back the caches (`buffer_wbl2 sc1`) and wait for that (`s_waitcnt vmcnt(0)`) before it raises a flag at device scope, and {second} invalidate its caches (`buffer_inv sc1`) after it has seen the flag.",
                self.noun(&self.earlier)
            )
        })
    }

    /// The count that a wait just before the later access would need, were it of the same wave.
    pub(crate) fn enough_now(&self, kind: ChannelKind) -> u32 {
        let issued = self
            .checker
            .notes
            .get(self.earlier.wave.index())
            .and_then(|n| n.issued(kind))
            .unwrap_or(self.earlier.time);
        let in_order = self.checker.order.channels.get(kind.index()).is_some_and(|c| c.in_order);
        if in_order { issued.saturating_sub(self.earlier.time) } else { 0 }
    }
}

/// Why no wait covers the earlier operation, which belongs to a channel.
pub(crate) fn cause(clash: &Clash<'_>, kind: ChannelKind) -> Cause {
    let Some(notes) = clash.checker.notes.get(clash.earlier.wave.index()) else { return Cause::NoWait };
    let seq = clash.earlier.time;
    let spec = clash.checker.order.channels.get(kind.index());
    let in_order = spec.is_some_and(|c| c.in_order);
    let mine = |w: &&WaitNote| w.kind == kind && w.issued >= seq;
    if let Some(wait) = notes.waits.iter().filter(mine).find(|w| w.proven >= seq) {
        return Cause::NoBarrier(*wait);
    }
    // A wait that keeps a queue short is not there for anybody's bytes.
    let spec = clash.checker.counter_of(kind);
    let drain = spec.and_then(|c| c.drain);
    // A full counter never makes a wave wait.
    let most = spec.map_or(u32::MAX, |c| c.max.saturating_sub(1));
    if let Some(wait) = notes.waits.iter().rev().filter(mine).find(|w| Some(w.asked) != drain) {
        let enough = if in_order { (wait.issued - seq).min(most) } else { 0 };
        return Cause::CountTooHigh { wait: *wait, enough };
    }
    let moment = clash.earlier.op.map(|op| op.moment);
    let counter = clash.checker.counter_of(kind).map(|c| c.name);
    let other = |w: &&WaitNote| {
        moment.is_some_and(|m| w.moment > m)
            && w.kind != kind
            && clash.checker.counter_of(w.kind).map(|c| c.name) != counter
    };
    if clash.earlier.wave == clash.later.wave
        && let Some(wait) = notes.waits.iter().rev().find(other)
    {
        return Cause::WrongCounter(*wait);
    }
    Cause::NoWait
}

/// The barrier that tells of the end of the earlier operation: its own, or one at which an arrival waits for it.
pub(crate) fn signalled(clash: &Clash<'_>) -> Option<BarrierAt> {
    let earlier = &clash.earlier;
    if let Some((block, address)) = earlier.op?.barrier {
        return Some(BarrierAt { block, address });
    }
    let Owner::Channel(kind) = earlier.owner else { return None };
    let lane = u32::from(earlier.lane);
    let pledges = &clash.checker.notes.get(earlier.wave.index())?.pledges;
    let covers = |p: &&PledgeNote| p.kind == kind && p.seq >= earlier.time && p.lanes.has(lane);
    pledges.iter().find(covers).map(|p| p.at)
}

/// The reader's last wait on a barrier.
fn last_pass<'a>(clash: &Clash<'a>, at: BarrierAt) -> Option<&'a PassNote> {
    clash.checker.notes.get(clash.later.wave.index())?.passes.iter().rev().find(|p| p.at == at)
}

/// A line of [`barrier_story`] that tells of a wait.
pub(crate) fn tells_of_a_wait(line: &str) -> bool {
    line.contains(" waited on ") && !line.contains(NEVER_WAITED)
}

const NEVER_WAITED: &str = "never waited on";

/// What a wait on the barrier of a copy did instead, in words.
pub(crate) fn barrier_story(clash: &Clash<'_>) -> Vec<String> {
    let Some(name) = signalled(clash) else { return Vec::new() };
    let reader = clash.later.wave;
    vec![match last_pass(clash, name) {
        Some(p) if p.completed == 0 => format!(
            "{reader} waited on {name} with a parity that a fresh barrier satisfies at once: no phase had completed"
        ),
        Some(p) if p.relaxed => format!(
            "the wait of {reader} on {name} is .relaxed: it orders nothing that follows until a fence.acq_rel"
        ),
        Some(p) => format!(
            "{reader} waited on {name} and saw phase {} completed; the copy is counted in a later phase",
            p.completed - 1
        ),
        None => format!("{reader} {NEVER_WAITED} {name}, which the copy signals"),
    }]
}
