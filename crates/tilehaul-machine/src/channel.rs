//! Channels: the lanes of time on which a wave's asynchronous operations complete.
//!
//! Every wave has the channels that its instruction set declares. An operation gets the next number of its channel when
//! it is issued; a wait proves "complete up to n". AMD counters count the operations of one or more channels that are
//! neither proven nor known to be complete; NVIDIA groups cut a channel of a thread into commits. Both reduce to numbers,
//! and the checker sees only those.
//!
//! Soundness of counters: `wait N` on a counter proves an operation of an in-order channel when at least N younger
//! operations of the *same* channel were issued: were it pending, all of them would be, and the counter above N.
//! `wait 0` proves everything. An out-of-order channel is proven by 0 only.
//! manual: CDNA5 ISA 10.8 on ASYNCcnt; inferred: LLVM SIInsertWaitcnts and AMD's emulator.

use smallvec::SmallVec;
use std::collections::VecDeque;

use crate::{ChannelKind, LaneMask, OpId};

/// A channel that every wave of a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelSpec {
    /// What it is called in reports: `vmcnt`, `bulk groups`.
    pub name: &'static str,
    /// True when operations complete in order of issue.
    pub in_order: bool,
    /// Channels of the same wave whose earlier operations touch memory before a later one of this channel does, without
    /// any wait. List the channel itself when its own operations are kept in order.
    pub after: &'static [ChannelKind],
    /// True when each lane waits for its own operations (NVIDIA groups of a thread); false when a wait of the wave covers
    /// all of them (AMD counters, warp-wide groups).
    pub per_lane: bool,
    /// True when a wave must not end before its operations have at least read their sources (bulk stores from shared
    /// memory); false when the hardware finishes them by itself.
    pub must_be_waited: bool,
    /// True when operations on device memory of all waves of a block go one way through one cache in order of issue, so
    /// that a barrier or a flag between the waves orders them without a wait; further away nothing but a wait does.
    pub one_way: bool,
    /// Operations of several threads that keep their order once fences hand the order of issue from one to the other; none
    /// where only completion orders them.
    pub handover: Option<Handover>,
    /// How a wait is written that leaves `{}` groups outstanding, until their sources are read and until all is done; empty
    /// where counters say it.
    pub waits: [&'static str; 2],
}

/// How the order of issue passes from thread to thread: a fence after the first operation, whatever orders the threads,
/// and a fence before the second. The second then works on what the first left, without any wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handover {
    /// Operations that keep their order.
    pub pairs: &'static [Pipeline],
    /// How the fences are written: the one behind the first operation, the one before the second.
    pub fences: [&'static str; 2],
}

/// Two kinds of operations, by what they are called, that a unit executes in order of issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// The first.
    pub first: &'static str,
    /// What comes after it.
    pub then: &'static str,
    /// Only where both write the same bytes in the same shape.
    pub same_target: bool,
}

/// A counter that waits name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterSpec {
    /// What it is called: `vmcnt`, `asynccnt`.
    pub name: &'static str,
    /// The channels whose operations it counts.
    pub channels: &'static [ChannelKind],
    /// Largest number it can hold.
    pub max: u32,
    /// How a wait for `{}` operations is written: `s_waitcnt vmcnt({})`, `s_wait_asynccnt {}`.
    pub wait: &'static str,
    /// A wait for this many that compilers put in to keep a queue short: it is not there for the bytes of an operation.
    pub drain: Option<u32>,
}

/// State of one channel of one wave.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChannelState {
    /// Operations issued so far: the newest has this number.
    pub issued: u32,
    /// All operations up to this number are done, as waits of the whole wave prove.
    pub proven: u32,
    /// The newest operation with a job.
    pub newest_copy: u32,
    /// Operations with a job that has not ended, oldest first, with their numbers.
    pub pending: VecDeque<(u32, OpId)>,
    /// For groups: what each lane has committed. Lanes that never commit have no entry.
    pub lanes: SmallVec<[LaneGroups; 1]>,
}

/// Groups that lanes with one history have committed.
#[derive(Clone, Debug)]
pub(crate) struct LaneGroups {
    pub lanes: LaneMask,
    /// Number of the last operation of each committed group that may still be waited for, oldest first.
    pub commits: VecDeque<u32>,
    /// Committed groups that have been waited for and dropped from `commits`, and the last number among them.
    pub retired: u32,
}

impl ChannelState {
    /// Splits lane histories so that `lanes` is a union of some of them; lanes without one get an empty one.
    pub(crate) fn split(&mut self, lanes: LaneMask) {
        let mut seen = 0;
        let mut cut: SmallVec<[LaneGroups; 2]> = SmallVec::new();
        for groups in &mut self.lanes {
            let inside = groups.lanes.0 & lanes.0;
            seen |= inside;
            if inside != 0 && inside != groups.lanes.0 {
                cut.push(LaneGroups { lanes: LaneMask(inside), ..groups.clone() });
                groups.lanes.0 &= !inside;
            }
        }
        self.lanes.extend(cut);
        let fresh = lanes.0 & !seen;
        if fresh != 0 {
            self.lanes.push(LaneGroups { lanes: LaneMask(fresh), commits: VecDeque::new(), retired: 0 });
        }
    }
}

/// How far a wait for `n` outstanding operations of a counter proves a channel of it.
pub(crate) fn proven_by_counter(spec: &ChannelSpec, issued: u32, n: u32) -> u32 {
    match n {
        0 => issued,
        _ if spec.in_order => issued.saturating_sub(n),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_count_proves_only_what_younger_operations_of_the_channel_push_out() {
        let spec = ChannelSpec {
            name: "async loads",
            in_order: true,
            after: &[],
            per_lane: false,
            must_be_waited: false,
            one_way: false,
            handover: None,
            waits: [""; 2],
        };
        assert_eq!(proven_by_counter(&spec, 3, 1), 2);
        assert_eq!(proven_by_counter(&spec, 1, 1), 0);
        assert_eq!(proven_by_counter(&spec, 1, 0), 1);
        assert_eq!(proven_by_counter(&ChannelSpec { in_order: false, ..spec }, 9, 1), 0);
    }

    #[test]
    fn lane_histories_split_where_lanes_part() {
        let mut state = ChannelState::default();
        state.split(LaneMask(0xff));
        state.lanes[0].commits.push_back(4);
        state.split(LaneMask(0x3));
        assert_eq!(state.lanes.iter().map(|g| g.lanes.0).collect::<Vec<_>>(), [0xfc, 0x3]);
        assert!(state.lanes.iter().all(|g| g.commits == [4]));
    }

    /// Commits by some of eight lanes.
    fn commits() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(1..=255u8, 0..12)
    }

    proptest! {
        /// Each lane keeps the history that it would have alone, and the lanes asked for are a union of histories.
        #[test]
        fn histories_are_those_of_single_lanes(commits in commits()) {
            let mut state = ChannelState::default();
            let mut alone = vec![Vec::new(); 8];
            for (number, lanes) in (1u32..).zip(&commits) {
                let lanes = LaneMask(u64::from(*lanes));
                state.split(lanes);
                for groups in &mut state.lanes {
                    let inside = groups.lanes.0 & lanes.0;
                    prop_assert!(inside == 0 || inside == groups.lanes.0);
                    if inside != 0 {
                        groups.commits.push_back(number);
                    }
                }
                lanes.iter().for_each(|lane| alone[lane as usize].push(number));
            }
            for (lane, history) in (0u32..).zip(&alone) {
                let mut mine = state.lanes.iter().filter(|g| g.lanes.has(lane));
                let found: Vec<u32> = mine.next().map(|g| g.commits.iter().copied().collect()).unwrap_or_default();
                prop_assert_eq!(&found, history, "lane {}", lane);
                prop_assert!(mine.next().is_none(), "lane {} has two histories", lane);
            }
        }
    }
}
