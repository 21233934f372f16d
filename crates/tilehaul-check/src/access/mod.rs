//! One access of memory: compared with what shadow memory remembers, then remembered.

mod clash;
mod synchronise;
mod walk;

use smallvec::SmallVec;
use tilehaul_machine::{Access, AccessKind, ChannelKind, Issued, LaneMask, Proxy, Space, Track, Who};

use crate::checker::Checker;
use crate::fences::Distance;
use crate::late::Step;
use crate::record::{Strength, What, what_of};
use crate::shadow::{SINGLE, Shift, Span};
use walk::{SeenSoFar, Walk};

/// Unordered reads of a byte of device memory that are kept: inputs are read by every block, and a write after a read is
/// found in another schedule if not in this one.
const GLOBAL_READS: usize = 1;
/// The same for memories of a block, which no more than its waves and their copies read.
const BLOCK_READS: usize = 48;

/// What the later of two accesses is, while it is checked.
#[derive(Clone, Copy)]
pub(crate) struct Now<'a> {
    pub(crate) who: Who,
    pub(crate) what: What,
    pub(crate) proxy: Proxy,
    pub(crate) channel: Option<ChannelKind>,
    pub(crate) strength: Strength,
    pub(crate) record: u32,
    pub(crate) op: Option<&'a Issued<'a>>,
}

/// Bytes that a lane, lanes side by side, or a wave in lockstep accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) start: u64,
    pub(crate) len: u64,
    /// The lane of its first byte.
    pub(crate) lane: u8,
    /// Each lane has `1 << shift` bytes of it, one after the other.
    pub(crate) shift: Shift,
    pub(crate) silent: bool,
}

impl Checker {
    pub(crate) fn access(&mut self, access: &Access<'_>, kind: AccessKind, silent: LaneMask) {
        let who = access.who;
        self.notes[who.wave.index()].moment += 1;
        if !self.late.is_empty() {
            self.step(who.wave, Step::Access(who.place));
        }
        // A map that was read for no operation (a prefetch) is done with.
        self.map_read = self.map_read.filter(|m| m.0 != who.wave);
        if self.records.len() >= self.collect_at {
            self.collect();
        }
        if !access.order.is_plain() {
            self.hints.relaxed();
            self.synchronise(access, kind);
            self.look_at_flags(access, kind, silent);
        } else if kind == AccessKind::Atomic {
            self.hints.relaxed();
        }
        let what = what_of(kind);
        // manual: LLVM AMDGPU memory model: there scopes say which caches are written back and invalidated, which is kept
        // apart; atomics are atomic for everybody.
        let reach = if self.launch.lockstep { Distance::Device } else { Distance::reach(access.scope) };
        let strength = Strength::of(what, access.order, reach);
        let record = match access.track {
            Track::Lanes => self.lanes_record(who, what, access.proxy, strength),
            Track::Channel { kind: channel, seq } => {
                if kind == AccessKind::Read {
                    self.hints.loaded(who.wave, channel, seq);
                }
                self.channel_record(access, (channel, seq), what, strength, silent)
            }
        };
        let Some(record) = record else { return };
        let channel = access.channel().map(|c| c.0);
        let now = Now { who, what, proxy: access.proxy, channel, strength, record, op: None };
        self.flags.polling = access.polls;
        let ranges = self.ranges(access, silent);
        if matches!(access.space, Space::Shared(_)) {
            self.banks.saw(access, kind, ranges.len() == 1);
        }
        let clear = self.check(&now, access.space, &ranges);
        if kind != AccessKind::Read && !access.order.is_plain() {
            self.raise_flags(access, silent);
        }
        if self.peers.matter() {
            self.at_peer(access, kind, record, clear);
        }
    }

    /// What the lanes access, lanes side by side joined.
    fn ranges(&self, access: &Access<'_>, silent: LaneMask) -> SmallVec<[Range; 64]> {
        let (lanes, len) = (access.who.lanes, u64::from(access.size));
        let lockstep = self.launch.lockstep;
        // Lanes that act as one need not be told apart; lanes that know different things must not be joined.
        let joins = lockstep || len.is_power_of_two() && self.order.groups(access.who.wave).len() == 1;
        let shift = if joins && !lockstep { len.trailing_zeros() as u8 } else { SINGLE };
        let all_silent = silent.0 & lanes.0 == lanes.0;
        let mut ranges: SmallVec<[Range; 64]> = SmallVec::new();
        // Most often all lanes stand in one row.
        let first = lanes.lowest().unwrap_or(0) as usize;
        let row = access.addresses.get(first..first + lanes.len() as usize).unwrap_or_default();
        let in_a_row = lanes.0 >> first & (lanes.0 >> first).wrapping_add(1) == 0;
        if let (true, true, Some(&start)) = (joins, in_a_row, row.first())
            && (lockstep || all_silent || silent.0 & lanes.0 == 0)
            && row.iter().zip((start..).step_by(len as usize)).all(|(a, b)| *a == b)
        {
            let (len, lane) = (len * row.len() as u64, if lockstep { 0 } else { first as u8 });
            ranges.push(Range { start, len, lane, shift, silent: all_silent });
            return ranges;
        }
        for lane in lanes.iter() {
            let start = access.addresses[lane as usize];
            let silent = if lockstep { all_silent } else { silent.has(lane) };
            match ranges.last_mut() {
                Some(last)
                    if joins
                        && last.start + last.len == start
                        && (lockstep
                            || u64::from(lane) == u64::from(last.lane) + (last.len >> last.shift))
                        && last.silent == silent =>
                {
                    last.len += len;
                }
                _ => ranges.push(Range {
                    start,
                    len,
                    lane: if lockstep { 0 } else { lane as u8 },
                    shift,
                    silent,
                }),
            }
        }
        ranges
    }

    /// Compares ranges with what shadow memory remembers, then remembers the access. True when there was nothing to say.
    pub(crate) fn check(&mut self, now: &Now<'_>, space: Space, ranges: &[Range]) -> bool {
        let mut seen = SeenSoFar::default();
        let mut rest = ranges;
        while let Some(first) = rest.first() {
            let Some((mut shadow, slot)) = self.take_shadow(space, first.start, first.len) else {
                rest = &rest[1..];
                continue;
            };
            let inside = |r: &Range| r.start >= slot.base && r.start + r.len <= slot.end;
            let n = rest.iter().position(|r| !inside(r)).unwrap_or(rest.len());
            let Checker { order, records, lists, ops, op_index, hints, open_fences: fences, used, .. } = self;
            let groups = order.groups(now.who.wave);
            // Lanes outside of all groups have ended; what any of them knew will do.
            let group_of = |range: &Range| {
                let own = groups.iter().find(|g| g.lanes.has(u32::from(range.lane)));
                own.or_else(|| groups.first())
            };
            if let Some(group) = group_of(first) {
                let mut walk = Walk {
                    now,
                    space: space.kind(),
                    most: if space == Space::Global { GLOBAL_READS } else { BLOCK_READS },
                    group,
                    order,
                    records,
                    ops,
                    own_op: now.op.and_then(|issued| op_index.get(&issued.op)).copied(),
                    behind: &mut self.behind,
                    launch: &self.launch,
                    flagged: self.flags.seen_by(now.who.wave),
                    hints,
                    fences,
                    used,
                    seen: &mut seen,
                    range: first,
                    base: slot.base,
                    defined: slot.defined,
                    last_known: u32::MAX,
                };
                for range in &rest[..n] {
                    walk.goes_to(
                        range,
                        if groups.len() == 1 { group } else { group_of(range).unwrap_or(group) },
                    );
                    let (start, len, shift) = (range.start - slot.base, range.len, range.shift);
                    shadow.visit(lists, Span { start, len, shift }, &mut walk);
                }
            }
            rest = &rest[n..];
            self.put_shadow(space, &slot, shadow);
        }
        let clear = seen.clashes.is_empty() && seen.undefined.is_none();
        for clash in seen.clashes {
            self.clash(now, &clash, space);
        }
        if let Some(at) = seen.undefined {
            self.undefined(now, space, at);
        }
        for (place, wave, op, fence) in seen.unfenced {
            self.no_handover(now, (place, wave, op), fence);
        }
        for relaxed in seen.relaxed {
            self.behind_a_flag(now, space, relaxed);
        }
        clear
    }
}
