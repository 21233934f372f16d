//! What may be outstanding at a point of a function: transfers, marks and LDS writes.
//!
//! The state of a join keeps every transfer that is outstanding on some path, with the weakest evidence for its completion:
//! the fewest marks and younger operations. So a transfer is called complete only when it is on every path.

use std::collections::BTreeMap;

use crate::select::Counter;
use crate::table::Kind;

/// Index of an instruction in its function, in text order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct InstId(pub(crate) usize);

/// The most marks that are kept; older ones are far beyond what any wait of a real kernel names.
const MAX_MARKS: usize = 512;
/// Where counts stop.
const MAX_COUNT: u32 = 4096;

/// A transfer that may be outstanding: the youngest instance of its instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    /// What it is.
    pub(crate) kind: Kind,
    /// Where it counts.
    pub(crate) counter: Counter,
    /// Marks since it was issued that its stage takes part in.
    pub(crate) marks: u32,
    /// Younger transfers that complete in order with it.
    pub(crate) younger_in_order: u32,
    /// Younger transfers of the same counter.
    pub(crate) younger_transfers: u32,
    /// A workgroup barrier has been passed since, without the transfer being complete.
    pub(crate) crossed_barrier: bool,
    /// Waited for, but only after a barrier.
    pub(crate) late_wait: bool,
    /// A wait named it that does not prove it done: the count that the wait becomes.
    pub(crate) doubtful_wait: Option<u64>,
    /// A value in its place was computed anew since.
    pub(crate) stale: bool,
}

/// One mark.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    /// Bits of the stages that take part.
    stages: u32,
    /// Operations issued since, by counter.
    since: [u32; 3],
    /// Whether anything was outstanding under it, by counter.
    under: [bool; 3],
}

/// What holds at a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// Transfers.
    pub(crate) pending: BTreeMap<InstId, Pending>,
    /// LDS writes of the wave that nothing has waited for, and whether a barrier has been passed since.
    pub(crate) lds_writes: BTreeMap<InstId, bool>,
    /// Marks, oldest first.
    marks: Vec<Mark>,
    /// The most marks of any path, for each stage bit 0 to 5.
    most_marks: [u32; 6],
}

fn slot(counter: Counter) -> usize {
    match counter {
        Counter::Vm => 0,
        Counter::Async => 1,
        Counter::Tensor => 2,
    }
}

/// Whether two transfers of one counter complete in issue order. inferred: rocjitsu for asynccnt (loads among loads, stores
/// among stores); cluster loads are a class of their own, which promises less.
#[must_use]
pub(crate) fn in_order(a: Kind, b: Kind) -> bool {
    match (a, b) {
        (Kind::AsyncLoad { cluster: x, .. }, Kind::AsyncLoad { cluster: y, .. }) => x == y,
        (Kind::AsyncStore { .. }, Kind::AsyncStore { .. }) | (Kind::Tensor { .. }, Kind::Tensor { .. }) => {
            true
        }
        (Kind::AsyncLoad { .. } | Kind::AsyncStore { .. } | Kind::Tensor { .. }, _)
        | (_, Kind::AsyncLoad { .. } | Kind::AsyncStore { .. } | Kind::Tensor { .. }) => false,
        _ => true,
    }
}

impl State {
    /// Takes in another path; says whether anything changed.
    pub(crate) fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (id, theirs) in &other.pending {
            match self.pending.get_mut(id) {
                None => {
                    self.pending.insert(*id, theirs.clone());
                }
                Some(ours) => {
                    ours.marks = ours.marks.min(theirs.marks);
                    ours.younger_in_order = ours.younger_in_order.min(theirs.younger_in_order);
                    ours.younger_transfers = ours.younger_transfers.min(theirs.younger_transfers);
                    ours.crossed_barrier |= theirs.crossed_barrier;
                    ours.late_wait &= theirs.late_wait;
                    ours.doubtful_wait = ours.doubtful_wait.max(theirs.doubtful_wait);
                    ours.stale |= theirs.stale;
                }
            }
        }
        for (id, crossed) in &other.lds_writes {
            *self.lds_writes.entry(*id).or_insert(false) |= crossed;
        }
        let (ours, theirs) = (self.marks.len(), other.marks.len());
        let shared = ours.min(theirs);
        for back in 1..=shared {
            let (mine, other) = (&mut self.marks[ours - back], &other.marks[theirs - back]);
            mine.stages |= other.stages;
            for c in 0..3 {
                mine.since[c] = mine.since[c].min(other.since[c]);
                mine.under[c] |= other.under[c];
            }
        }
        if theirs > ours {
            let mut marks = other.marks[..theirs - ours].to_vec();
            marks.append(&mut self.marks);
            self.marks = marks;
        }
        for (mine, other) in self.most_marks.iter_mut().zip(other.most_marks) {
            *mine = (*mine).max(other);
        }
        *self != before
    }

    /// An operation is issued that counts in `counter`; a transfer also becomes outstanding.
    pub(crate) fn issue(&mut self, id: InstId, counter: Counter, transfer: Option<Kind>) {
        for mark in &mut self.marks {
            let since = &mut mark.since[slot(counter)];
            *since = (*since + 1).min(MAX_COUNT);
        }
        for pending in self.pending.values_mut().filter(|p| p.counter == counter) {
            // vmcnt counts ordinary loads and stores in order with direct loads.
            if transfer.map_or(counter == Counter::Vm, |kind| in_order(pending.kind, kind)) {
                pending.younger_in_order = (pending.younger_in_order + 1).min(MAX_COUNT);
            }
            if transfer.is_some() {
                pending.younger_transfers = (pending.younger_transfers + 1).min(MAX_COUNT);
            }
        }
        let Some(kind) = transfer else { return };
        self.pending.insert(
            id,
            Pending {
                kind,
                counter,
                marks: 0,
                younger_in_order: 0,
                younger_transfers: 0,
                crossed_barrier: false,
                late_wait: false,
                doubtful_wait: None,
                stale: false,
            },
        );
    }

    /// `asyncmark` with the stages of `mask` left out.
    pub(crate) fn mark(&mut self, mask: u32) {
        let mut under = [false; 3];
        for pending in self.pending.values_mut() {
            if mask >> pending.kind.stage() & 1 == 0 {
                pending.marks = (pending.marks + 1).min(MAX_COUNT);
            }
            under[slot(pending.counter)] |= !pending.late_wait;
        }
        self.marks.push(Mark { stages: !mask & 0x3f, since: [0; 3], under });
        if self.marks.len() > MAX_MARKS {
            self.marks.remove(0);
        }
        for (stage, most) in self.most_marks.iter_mut().enumerate() {
            if mask >> stage & 1 == 0 {
                *most = (*most + 1).min(MAX_COUNT);
            }
        }
    }

    /// `wait.asyncmark(count, mask)`: what it becomes for each counter, and whether no path has a mark for it to pop.
    pub(crate) fn wait_mark(&mut self, count: u32, mask: u32) -> (Vec<(Counter, u64)>, bool) {
        let idle = (0..6).all(|stage| mask >> stage & 1 == 1 || self.most_marks[stage] <= count);
        // For each stage, all but the newest `count` marks are popped; the newest popped one names the counts.
        let mut becomes: [Option<u64>; 3] = [None; 3];
        for stage in (0..6).filter(|s| mask >> s & 1 == 0) {
            let bit = 1u32 << stage;
            let mut kept = 0;
            for mark in self.marks.iter_mut().rev().filter(|m| m.stages & bit != 0) {
                if kept < count {
                    kept += 1;
                    continue;
                }
                let counters: &[Counter] = match stage {
                    0 => &[Counter::Tensor],
                    1..=3 => &[Counter::Async],
                    _ => &[Counter::Vm],
                };
                for &counter in counters {
                    let c = slot(counter);
                    if mark.under[c] && becomes[c].is_none_or(|n| u64::from(mark.since[c]) < n) {
                        becomes[c] = Some(u64::from(mark.since[c]));
                    }
                }
                mark.stages &= !bit;
            }
            self.most_marks[stage] = self.most_marks[stage].min(count);
        }
        self.marks.retain(|m| m.stages != 0);
        self.pending.retain(|_, pending| {
            let named =
                pending.kind.is_async() && mask >> pending.kind.stage() & 1 == 0 && pending.marks > count;
            if !named {
                return true;
            }
            let n = becomes[slot(pending.counter)].unwrap_or(0);
            // vmcnt counts in order; the others prove only what their own class proves.
            let proven = pending.counter == Counter::Vm || n == 0 || u64::from(pending.younger_in_order) >= n;
            if !proven {
                pending.doubtful_wait = Some(n);
                return true;
            }
            keep_late(pending)
        });
        let list = Counter::ALL.into_iter().filter_map(|c| Some((c, becomes[slot(c)]?))).collect();
        (list, idle)
    }

    /// A wait until at most `count` operations of `counter` are outstanding.
    pub(crate) fn wait_counter(&mut self, counter: Counter, count: u64) {
        self.pending.retain(|_, pending| {
            let done =
                pending.counter == counter && (count == 0 || u64::from(pending.younger_in_order) >= count);
            !done || keep_late(pending)
        });
        if count == 0 {
            self.marks.iter_mut().for_each(|mark| mark.under[slot(counter)] = false);
        }
    }

    /// Completes the transfers that the compiler waits for by itself.
    pub(crate) fn complete_sync(&mut self) {
        self.pending
            .retain(|_, pending| pending.kind.is_async() || (pending.crossed_barrier && keep_late(pending)));
    }

    /// A workgroup barrier.
    pub(crate) fn barrier(&mut self) {
        self.pending.retain(|_, pending| {
            pending.crossed_barrier = true;
            !pending.late_wait
        });
    }
}

/// A transfer that was waited for after a barrier stays in view until the next one; others are done.
fn keep_late(pending: &mut Pending) -> bool {
    pending.late_wait = pending.crossed_barrier;
    pending.late_wait
}
