//! What an access and one before it that do not fit together give: a finding, or one that waits for more to be known.

use tilehaul_machine::{ChannelKind, LaneMask, PipelineFence, PlaceId, Space, WaveId, Who};

use super::Now;
use super::walk::Seen;
use crate::checker::Checker;
use crate::finding::Key;
use crate::hazard::{self, Clash, Side};
use crate::late::{Candidate, Pair};
use crate::raced;
use crate::record::{Owner, What};

impl Checker {
    #[cold]
    pub(super) fn clash(&mut self, now: &Now<'_>, seen: &Seen, space: Space) {
        let Seen { earlier, earlier_lane, lane, start, ordered, .. } = *seen;
        let record = self.records[earlier as usize];
        // Lanes that act on their own are told by the first of them.
        let many = now.op.is_none() && !self.launch.lockstep && seen.lanes.count_ones() > 1;
        let (len, bytes) = if many { (seen.each, seen.each) } else { (seen.len, seen.bytes) };
        let mut findings = std::mem::take(&mut self.findings);
        let clash = Clash {
            earlier: Side {
                wave: record.wave,
                lane: earlier_lane,
                place: record.place,
                what: record.what,
                op: record.op.checked_sub(1).map(|i| &self.ops[i as usize]),
                owner: record.owner,
                time: record.time,
                strength: record.strength,
            },
            later: Side {
                wave: now.who.wave,
                lane,
                place: now.who.place,
                what: now.what,
                op: now.op.and_then(|i| self.op_index.get(&i.op)).map(|&i| &self.ops[i as usize]),
                owner: now.channel.map_or(Owner::Lanes, Owner::Channel),
                time: 0,
                strength: now.strength,
            },
            space,
            start,
            len,
            bytes,
            ordered,
            checker: self,
        };
        let turned = hazard::refilled_under(&clash);
        let clash = if turned { clash.turned() } else { clash };
        let (here, there) = (clash.later.place, clash.earlier.place);
        let mut candidate = None;
        let pair = self.pairs.get(&(record.place, now.who.place));
        let told = pair.is_some_and(|&p| p != Pair::Plain);
        let refill = Some(hazard::refill_before_read::HAZARD.code).filter(|_| turned);
        let code = refill.or_else(|| hazard::classify(&clash));
        let load = raced::load_of(&record, now, space, (seen.start, seen.len))
            .filter(|_| code.is_some() && !ordered);
        if let Some(code) = code.filter(|_| !told) {
            let (cause, need) = if turned { (None, 0) } else { hazard::cause_of(code, &clash) };
            let key = match cause {
                Some(place) => Key { code, place, other: None },
                None => Key { code, place: here, other: Some(there) },
            };
            let late = if pair.is_none() && !turned { hazard::may_wait_late(code, &clash) } else { None };
            if late.is_some() || !findings.count_again(key, here, need, load.is_some()) {
                let mut finding = hazard::word(code, &clash, self.replay);
                (finding.cause, finding.need, finding.by_loads) = (cause, need, load.is_some());
                if many {
                    finding.notes.push(self.each_lane(now, seen, space));
                }
                match late {
                    Some((kind, crossed)) => {
                        candidate = Some(Candidate {
                            owner: Who { wave: record.wave, lanes: LaneMask(0), place: record.place },
                            kind,
                            seq: record.time,
                            noun: clash.noun(&clash.earlier),
                            user: now.who.wave,
                            user_place: now.who.place,
                            bytes: clash.bytes(),
                            plain: finding,
                            crossed,
                            tentative: None,
                        });
                    }
                    None => findings.take(finding),
                }
            }
        }
        self.findings = findings;
        if let Some(load) = load {
            self.raced.add(load);
        }
        if let Some(candidate) = candidate {
            self.keep_back(candidate);
        }
    }

    /// What the other lanes of an access do.
    pub(super) fn each_lane(&self, now: &Now<'_>, seen: &Seen, space: Space) -> String {
        let verb = match now.what {
            What::Read => "read",
            What::Write => "write",
            _ => "access",
        };
        let gaps =
            if seen.bytes < seen.len { format!(", spread over {} bytes", seen.len) } else { String::new() };
        format!(
            "{} of {} {verb} {} bytes each, {} bytes from {} on{gaps}",
            LaneMask(seen.lanes),
            now.who.wave,
            seen.each,
            seen.bytes,
            self.words.address(space, seen.start)
        )
    }

    #[cold]
    pub(super) fn undefined(&mut self, now: &Now<'_>, space: Space, at: u64) {
        let (place, replay) = (now.who.place, self.replay);
        let where_ = self.words.address(space, at);
        let who = format!("{} of {}", LaneMask(now.who.lanes.0), now.who.wave);
        let engine = now.op.map(|op| op.what);
        let updates = now.what == What::Atomic;
        self.findings.add(hazard::uninitialised::HAZARD.code, place, None, || {
            if updates {
                hazard::uninitialised::added_to(place, &where_, &who, engine, replay)
            } else {
                hazard::uninitialised::finding(place, &where_, &who, replay)
            }
        });
    }

    /// An operation comes after one of another wave without a fence that the kernel has elsewhere.
    #[cold]
    pub(super) fn no_handover(
        &mut self,
        now: &Now<'_>,
        earlier: (PlaceId, WaveId, u32),
        fence: PipelineFence,
    ) {
        let (place, wave, op) = earlier;
        let Some(Some(handover)) = now.channel.map(|kind| self.handover_words(kind)) else { return };
        let earlier = (place, wave, op.checked_sub(1).map_or("operation", |i| self.ops[i as usize].what));
        let later = (now.who, now.op.map_or("operation", |op| op.what));
        let replay = self.replay;
        // One for each operation before whose barrier, or behind whose barrier, the fence is missing.
        let cause = match fence {
            PipelineFence::Before => now.who.place,
            PipelineFence::After => place,
        };
        self.findings.add(hazard::handover_missing::HAZARD.code, cause, None, || {
            let mut finding = hazard::handover_missing::finding(earlier, later, (fence, handover), replay);
            finding.cause = Some(cause);
            finding
        });
    }

    /// The fences of a hand-over: of the channel, or of any of the program's where its operations have none.
    pub(super) fn handover_words(&self, kind: ChannelKind) -> Option<[&'static str; 2]> {
        let own = self.order.handover(kind);
        let any = || self.order.channels.iter().find_map(|c| c.handover.as_ref());
        own.or_else(any).map(|h| h.fences)
    }
}
