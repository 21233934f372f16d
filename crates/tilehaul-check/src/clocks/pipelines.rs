//! Operations of several threads that keep their order because one unit executes them in the order of their issue.
//!
//! The order of issue goes from thread to thread by a fence behind the first operation, whatever orders the threads, and a
//! fence before the second ([`tilehaul_machine::Handover`]). It is counted in a time of its own, beside that in which the
//! operations end: the first fence tells it to whoever is told anything by its lanes, the second makes it count.
//!
//! Who learns that the second operation is complete knows the first one complete, too: the second worked on what the
//! first left. manual: PTX ISA, tcgen05 memory consistency model.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tilehaul_machine::{Channel, ChannelKind, Handover, LaneMask, Part, PipelineFence, WaveId, Who};

use crate::checker::OpInfo;
use crate::clock::{ActorId, Clock, Shared, join};
use crate::clocks::{Clocks, LaneGroup};
use crate::record::{Owner, Record};

/// An operation that a later one comes behind: its wave, its channel, its lane and its number there.
pub(crate) type Behind = (WaveId, ChannelKind, u8, u32);

/// Operations after which hand-overs of a lane are put together.
const KEPT: usize = 64;

/// What is kept of hand-overs.
#[derive(Debug, Default)]
pub(crate) struct Pipelines {
    /// A fence of a hand-over was executed.
    pub(crate) fences: bool,
    /// Channels whose order of issue was told to anybody: in whose time their issue is counted and their ends are.
    told: Vec<(Channel, ActorId, ActorId)>,
    /// What else is complete when an operation of a lane is.
    implied: FxHashMap<(Channel, u8), Vec<(u32, Clock)>>,
}

impl Clocks {
    pub(crate) fn handover(&self, kind: ChannelKind) -> Option<&Handover> {
        self.channels.get(kind.index()).and_then(|c| c.handover.as_ref())
    }

    /// A fence of pipelined operations; `issued` says how many operations the wave has issued on a channel.
    pub(crate) fn pipeline_fence(
        &mut self,
        who: Who,
        fence: PipelineFence,
        issued: impl Fn(ChannelKind) -> u32,
    ) {
        match fence {
            PipelineFence::Before => {
                self.hand_over(who);
                let kinds = (0..self.channels.len()).map(|i| ChannelKind(i as u32));
                let kinds: Vec<ChannelKind> = kinds.filter(|&k| self.handover(k).is_some()).collect();
                for kind in kinds {
                    if issued(kind) > 0 {
                        self.tell_issue(who, kind, issued(kind));
                    }
                }
            }
            PipelineFence::After => {
                self.pipelines.fences = true;
                self.each_group(who, |group| group.taken_over.clone_from(&group.knows.handed_over));
                self.count_issue_told(who);
            }
        }
    }

    /// All that the lanes know and did so far is now known through the first fence of a hand-over.
    fn hand_over(&mut self, who: Who) {
        self.pipelines.fences = true;
        let own = self.own_clock(who);
        let whole = self.step_whole(who);
        self.each_group(who, |group| {
            let mut all = Rc::clone(&group.knows.seen);
            join(&mut all, &own);
            group.own.add_to(group.lanes, whole, Rc::make_mut(&mut all));
            match &mut group.knows.handed_over {
                Some(before) => join(before, &all),
                before @ None => *before = Some(all),
            }
        });
    }

    /// The fence of a hand-over that is missing between an operation of another wave and one that comes after it; none
    /// where both are there, or where the kernel has no such fences at all: compilers leave them out everywhere.
    pub(crate) fn missing_fence(
        &self,
        record: &Record,
        record_lane: u8,
        group: &LaneGroup,
    ) -> Option<PipelineFence> {
        let over = |clock: &Option<Shared>| {
            clock.as_ref().is_some_and(|c| c.lane(record.actor, record_lane) >= record.time)
        };
        if !self.pipelines.fences || over(&group.taken_over) {
            return None;
        }
        Some(if over(&group.knows.handed_over) { PipelineFence::After } else { PipelineFence::Before })
    }

    fn tell_issue(&mut self, who: Who, kind: ChannelKind, seq: u32) {
        let channel = Channel { wave: who.wave, kind };
        let end = self.channel_actor(channel, Part::All);
        let issue = Self::issue_actor(end);
        if !self.pipelines.told.iter().any(|t| t.0 == channel) {
            self.pipelines.told.push((channel, issue, end));
        }
        self.each_group(who, |group| {
            // Lanes that issued nothing have nothing to tell, and are better left as they are.
            let seen = Rc::make_mut(&mut group.knows.seen);
            group.lanes.iter().for_each(|lane| seen.learn_lane(issue, lane as u8, seq));
        });
    }

    fn count_issue_told(&mut self, who: Who) {
        if self.pipelines.told.is_empty() {
            return;
        }
        let told = std::mem::take(&mut self.pipelines.told);
        self.each_group(who, |group| {
            let seen = &group.knows.seen;
            let mut handed = Clock::default();
            for &(_, issue, end) in &told {
                for (lane, seq) in seen.lanes_of(issue).filter(|&(lane, seq)| seen.lane(end, lane) < seq) {
                    handed.learn_lane(issue, lane, seq);
                }
            }
            group.handed = (!handed.is_empty()).then(|| Rc::new(handed));
        });
        self.pipelines.told = told;
    }

    /// True when an operation by a lane of this group comes behind the one of the record, as their unit executes both.
    pub(crate) fn handed_on(
        &self,
        (record, record_lane, earlier): (&Record, u8, &OpInfo),
        group: &LaneGroup,
        (kind, later): (ChannelKind, &OpInfo),
    ) -> Option<Behind> {
        let (handed, handover) = (group.handed.as_ref()?, self.handover(kind)?);
        if record.owner != Owner::Channel(kind) {
            return None;
        }
        let channel = Channel { wave: record.wave, kind };
        let issue = self.pipelines.told.iter().find(|t| t.0 == channel)?.1;
        if handed.lane(issue, record_lane) < record.time {
            return None;
        }
        let same = earlier.targets == later.targets;
        let pair = |p: &&tilehaul_machine::Pipeline| {
            (p.first, p.then) == (earlier.what, later.what) && (same || !p.same_target)
        };
        handover.pairs.iter().find(pair)?;
        Some((record.wave, kind, record_lane, record.time))
    }

    /// When operation `seq` of a lane's channel is complete, so are these.
    pub(crate) fn implies(&mut self, channel: Channel, lane: u8, seq: u32, behind: &[Behind]) {
        let mut clock = Clock::default();
        for &(wave, kind, lane, seq) in behind {
            let earlier = Channel { wave, kind };
            for part in [Part::Source, Part::All] {
                clock.learn_lane(self.channel_actor(earlier, part), lane, seq);
            }
            self.implied_by(earlier, LaneMask::one(u32::from(lane)), seq, &mut clock);
        }
        if clock.is_empty() {
            return;
        }
        let list = self.pipelines.implied.entry((channel, lane)).or_default();
        if list.len() >= KEPT {
            // The older half is told by its youngest: later than it might be, never earlier.
            let older: Vec<(u32, Clock)> = list.drain(..KEPT / 2).collect();
            let mut sum = Clock::default();
            older.iter().for_each(|(_, clock)| sum.join_with(clock));
            list.insert(0, (older.last().map_or(0, |o| o.0), sum));
        }
        list.push((seq, clock));
    }

    /// What is complete beside the operations of these lanes up to `seq`.
    pub(crate) fn implied_by(&self, channel: Channel, lanes: LaneMask, seq: u32, clock: &mut Clock) {
        if self.pipelines.implied.is_empty() {
            return;
        }
        for lane in lanes.iter() {
            let Some(list) = self.pipelines.implied.get(&(channel, lane as u8)) else { continue };
            list.iter().filter(|i| i.0 <= seq).for_each(|(_, implied)| clock.join_with(implied));
        }
    }
}
