//! Waves that cannot go on: what each waits for, how that stands, and the sentence for a launch that hangs.
//!
//! Who words a remedy or sorts waves asks [`Stall`], never a sentence.

use std::fmt;

use tilehaul_diag::{Code, Diagnostic, Level, Source};

use crate::{BarrierKey, Expected, LaneMask, PlaceId, Space, WaitFor, Waits, WaveId};

/// A wave that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The wave.
    pub wave: WaveId,
    /// Where, which lanes, and what for.
    pub waits: Waits,
    /// How what it waits for stands.
    pub stall: Stall,
    /// Places that say why, each with a few words.
    pub related: Vec<(PlaceId, &'static str)>,
}

/// A launch that hangs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hang {
    /// The waves that have not ended, those first whose wait says most about why.
    pub stuck: Vec<Stuck>,
    /// Blocks that had not started and could have helped, had there been room for them.
    pub not_started: Option<NotStarted>,
}

/// Said of bytes that were announced without an arrival.
pub(crate) const SILENT: &str = "bytes are announced here, which counts no arrival";
/// Said of an asynchronous arrival that raises the count of its barrier first.
pub(crate) const RAISED: &str = "this raises the pending count before it arrives (no .noinc)";

impl Stuck {
    /// What places that say why ask for.
    fn related_remedy(&self) -> Option<&'static str> {
        if let WaitFor::TensorColumns { .. } = self.waits.reason {
            return Some(
                "Free columns before more are allocated, or allocate fewer: the live allocations of all blocks of a multiprocessor share 512.",
            );
        }
        self.related.iter().find_map(|(_, text)| match *text {
            SILENT => Some("Use mbarrier.arrive.expect_tx, which announces and arrives, or arrive after mbarrier.expect_tx."),
            RAISED => Some("Use cp.async.mbarrier.arrive.noinc where the barrier was initialised with these arrivals in its count."),
            _ => None,
        })
    }
}

/// How something that a wave waits for stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// There is nothing to say beyond what it waits for.
    Plain,
    /// A transaction barrier was waited for and none is there.
    NoBarrier,
    /// A transaction barrier whose bytes are all there.
    Arrivals(Phases),
    /// The same, where nobody has arrived since the last phase completed: the wait may ask for the wrong parity.
    NextPhaseEmpty {
        /// Phases completed so far.
        completed: u32,
        /// Parity of the phase in which nobody has arrived.
        parity: u8,
    },
    /// Announced bytes that did not come.
    BytesMissing(Phases, u64),
    /// Bytes that came and that nobody had announced.
    BytesUnannounced(Phases, u64),
    /// No wave has signalled the barrier of so many.
    NotSignalled {
        /// Waves of the block.
        waves: u32,
    },
    /// Too few have come to a barrier of threads.
    ThreadsMissing {
        /// Those who have.
        arrived: u32,
        /// How many must.
        expected: Expected,
    },
    /// A barrier word in LDS.
    Word(Phases),
    /// An address where no barrier word was ever arrived on.
    NoWord,
}

/// Where a transaction barrier stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases {
    /// Phases completed so far.
    pub completed: u32,
    /// Arrivals that the present one still lacks.
    pub pending: u32,
    /// Arrivals of a phase.
    pub expected: u32,
}

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} completed, {} of {} arrivals pending",
            plural(self.completed, "phase"),
            self.pending,
            self.expected
        )
    }
}

impl fmt::Display for Stall {
    /// `1 phase completed, 1 of 1 arrivals pending`; nothing for [`Stall::Plain`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stall::Plain => Ok(()),
            Stall::NoBarrier => f.write_str("no barrier is there"),
            Stall::Arrivals(phases) => phases.fmt(f),
            Stall::NextPhaseEmpty { completed, parity } => write!(
                f,
                "{} completed, the last of parity {}; nobody has arrived in the next one, of parity {parity}",
                plural(*completed, "phase"),
                parity ^ 1
            ),
            Stall::BytesMissing(phases, n) => write!(f, "{phases}, {n} announced bytes never came"),
            Stall::BytesUnannounced(phases, n) => {
                write!(f, "{phases}, {n} bytes more than announced have come")
            }
            Stall::NotSignalled { waves } => write!(f, "0 of {waves} waves have signalled it"),
            Stall::ThreadsMissing { arrived, expected: Expected::Everyone } => {
                write!(f, "{arrived} threads have arrived, others never do")
            }
            Stall::ThreadsMissing { arrived, expected: Expected::Count(n) } => {
                write!(f, "{arrived} of {n} have arrived")
            }
            Stall::Word(phases) => write!(f, "an LDS barrier word: {phases}"),
            Stall::NoWord => f.write_str("nothing ever arrived at a barrier word there"),
        }
    }
}

impl Stall {
    /// Small for those that say most about why a launch hangs.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Stall::BytesMissing(..) | Stall::BytesUnannounced(..) => 0,
            Stall::Arrivals(_) | Stall::Word(_) | Stall::NoWord => 1,
            // Who waits for the others most often waits for one that is stuck elsewhere.
            Stall::ThreadsMissing { .. } => 2,
            Stall::NextPhaseEmpty { .. } => 3,
            Stall::Plain | Stall::NoBarrier | Stall::NotSignalled { .. } => 4,
        }
    }

    /// The smallest change that may mend it.
    fn remedy(self) -> Option<&'static str> {
        match self {
            Stall::BytesMissing(..) => Some(
                "Announce exactly the bytes that the copies of the phase bring, out-of-bounds parts included.",
            ),
            Stall::BytesUnannounced(..) => Some("Announce all bytes that the copies of the phase bring."),
            Stall::NextPhaseEmpty { .. } => Some(
                "Wait for the parity of the phase that has completed: the first phase has parity 0, and the parity flips once each time round.",
            ),
            Stall::Arrivals(_) => Some(
                "Initialise the barrier with the number of arrivals that each phase really gets, and wait for the parity of the phase that they complete.",
            ),
            Stall::NotSignalled { .. } => {
                Some("Let every wave signal the barrier (s_barrier_signal) before it waits for it.")
            }
            Stall::ThreadsMissing { .. } => Some("Let every thread that the barrier counts reach it."),
            Stall::Word(_) => Some(
                "Make the word with the number of arrivals that each phase really gets, minus one, both as its count and as the count that is reloaded, and wait for the phase that they end.",
            ),
            Stall::Plain | Stall::NoBarrier | Stall::NoWord => None,
        }
    }
}

/// Who says how many blocks are resident together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The caller did.
    Asked,
    /// The chip holds no more ([`crate::Launch::holds`]).
    Chip,
    /// What the chip holds is not known: it is what this machine keeps by default.
    Machine,
}

/// Blocks that had not started when nothing could go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotStarted {
    /// How many.
    pub blocks: u32,
    /// How many the grid has.
    pub of: u32,
    /// How many were resident.
    pub resident: u32,
    /// Why no more were.
    pub bound: Bound,
}

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotStarted { blocks, of, resident, bound } = self;
        write!(f, "{blocks} of the grid's {of} blocks had not started: ")?;
        match bound {
            Bound::Asked => write!(f, "{resident} were asked to be resident at a time"),
            Bound::Chip => write!(f, "the largest chip of this target holds {resident} of them at a time"),
            Bound::Machine => write!(
                f,
                "how many the chip holds is not known, and no more than {resident} are resident at a time here"
            ),
        }
    }
}

impl NotStarted {
    /// For a bound that is not the chip's: nobody knows whether the launch hangs.
    pub(crate) fn unsupported(&self) -> Diagnostic {
        let message = format!("every resident block waits, and {self}");
        Diagnostic::new(Code("too-many-resident-blocks"), Level::Error, message)
            .fix("Say with --resident N how many blocks the chip holds.")
            .source(Source::inferred("blocks start when others end; which ones are resident is the device's"))
    }
}

impl WaitFor {
    /// True when a block that has not started yet could end the wait.
    pub(crate) fn may_be_for_others(&self) -> bool {
        match self {
            WaitFor::Memory { space: Space::Global, .. }
            | WaitFor::Time
            | WaitFor::Loop
            | WaitFor::Other(_) => true,
            WaitFor::Memory { space: Space::Shared(_) | Space::Tensor(_), .. }
            | WaitFor::Mbarrier { .. }
            | WaitFor::Rendezvous(_)
            | WaitFor::TensorColumns { .. }
            | WaitFor::Operation => false,
        }
    }

    /// In words, with its block as `of their block`, so that waves of many blocks can be told together.
    fn of_their_block(&self) -> String {
        let theirs = "their block";
        match self {
            WaitFor::Mbarrier { at, parity } => {
                format!("the phase of parity {} of {}", u8::from(*parity), at.of(&theirs))
            }
            WaitFor::Rendezvous(ticket) => match ticket.key {
                BarrierKey::Block(_, number) => format!("barrier {number} of {theirs}"),
                BarrierKey::Cluster(..) | BarrierKey::Wave(_) => ticket.key.to_string(),
            },
            WaitFor::Memory { space: Space::Shared(_), address } => {
                format!("a change at {address:#x} in shared memory of {theirs}")
            }
            WaitFor::Memory { .. }
            | WaitFor::TensorColumns { .. }
            | WaitFor::Operation
            | WaitFor::Time
            | WaitFor::Loop
            | WaitFor::Other(_) => self.to_string(),
        }
    }
}

/// One sentence that names the first waiting wave; the others follow as notes, those that wait for the same together.
pub(crate) fn deadlock(hang: &Hang) -> Diagnostic {
    let stuck = hang.stuck.as_slice();
    let mut groups: Vec<(String, Vec<&Stuck>)> = Vec::new();
    for s in stuck {
        let what = format!("{}{}", s.waits.reason.of_their_block(), in_brackets(s.stall));
        match groups.iter_mut().find(|g| g.0 == what) {
            Some(group) => group.1.push(s),
            None => groups.push((what, vec![s])),
        }
    }
    let line = |(what, waves): &(String, Vec<&Stuck>)| match waves.as_slice() {
        [one] => alone(one),
        many => format!("{} wait for {what}", waves_of(many)),
    };
    let first = groups.first().map_or_else(String::new, line);
    let message = match (stuck.len(), groups.len()) {
        (0 | 1, _) | (_, 1) => format!("the launch hangs: {first}"),
        (n, _) => format!("the launch hangs with {n} waves waiting: {first}"),
    };
    let diagnostic = Diagnostic::new(Code("deadlock"), Level::Error, message);
    let diagnostic = groups.iter().skip(1).take(7).fold(diagnostic, |d, group| d.note(line(group)));
    let remedy = match hang.not_started {
        None => stuck.first().and_then(|s| s.related_remedy().or_else(|| s.stall.remedy())),
        Some(_) => Some(
            "Launch no more blocks than are resident together where blocks wait for each other; a cooperative launch is refused otherwise.",
        ),
    };
    let diagnostic = match &hang.not_started {
        None => diagnostic,
        Some(left) => diagnostic.note(left.to_string()),
    };
    match remedy {
        None => diagnostic,
        Some(remedy) => diagnostic.fix(remedy),
    }
}

/// Ends a run of more instructions than allowed.
pub(crate) fn step_limit(left: &[Stuck]) -> Diagnostic {
    let message = format!(
        "the launch did not end within the step limit; {} still run",
        plural(left.len() as u32, "wave")
    );
    Diagnostic::new(Code("step-limit"), Level::Error, message)
        .fix("Look for a loop that does not end, or raise the step limit.")
}

fn in_brackets(stall: Stall) -> String {
    if stall == Stall::Plain { String::new() } else { format!(" ({stall})") }
}

/// `wave 3 lanes 0, 4 wait for barrier 1 of block 2 (1 of 2 have arrived)`.
fn alone(s: &Stuck) -> String {
    let LaneMask(lanes) = s.waits.lanes;
    let all = lanes.wrapping_add(1) & lanes == 0 && s.waits.lanes.len() >= 32;
    let which = if all { String::new() } else { format!(" {}", s.waits.lanes) };
    let verb = if all || s.waits.lanes.len() == 1 { "waits" } else { "wait" };
    format!("{}{which} {verb} for {}{}", s.wave, s.waits.reason, in_brackets(s.stall))
}

/// `waves 0 to 3, 6`, at most eight runs of them.
fn waves_of(stuck: &[&Stuck]) -> String {
    let mut numbers: Vec<usize> = stuck.iter().map(|s| s.wave.index()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for n in numbers {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == n => *end = n,
            _ => runs.push((n, n)),
        }
    }
    let words: Vec<String> = runs
        .iter()
        .take(8)
        .map(|&(a, b)| match b - a {
            0 => format!("{a}"),
            1 => format!("{a}, {b}"),
            _ => format!("{a} to {b}"),
        })
        .collect();
    let more = if runs.len() > 8 { " and more" } else { "" };
    let word = if runs.len() == 1 && runs.first().is_some_and(|r| r.0 == r.1) { "wave" } else { "waves" };
    format!("{word} {}{more}", words.join(", "))
}

fn plural(n: u32, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BarrierAt, BlockId};

    fn stuck(wave: u32, block: u32, stall: Stall) -> Stuck {
        let at = BarrierAt { block: BlockId(block), address: 0x40 };
        let reason = WaitFor::Mbarrier { at, parity: true };
        let waits = Waits { lanes: LaneMask::first(32), place: PlaceId(0), reason };
        Stuck { wave: WaveId(wave), waits, stall, related: Vec::new() }
    }

    #[test]
    fn waves_of_several_blocks_that_wait_for_the_same_are_told_together() {
        let phases = Phases { completed: 1, pending: 1, expected: 2 };
        let all = [
            stuck(0, 0, Stall::Arrivals(phases)),
            stuck(4, 1, Stall::Arrivals(phases)),
            stuck(5, 1, Stall::BytesMissing(phases, 16)),
        ];
        let told = deadlock(&Hang { stuck: all.to_vec(), not_started: None });
        assert_eq!(
            told.message,
            "the launch hangs with 3 waves waiting: waves 0, 4 wait for the phase of parity 1 of the barrier at shared + \
             0x40 of their block (1 phase completed, 1 of 2 arrivals pending)"
        );
        assert_eq!(
            told.notes,
            [
                "wave 5 waits for the phase of parity 1 of the barrier at shared + 0x40 of block 1 (1 phase completed, 1 of 2 \
              arrivals pending, 16 announced bytes never came)"
            ]
        );
        assert!(all[2].stall.rank() < all[0].stall.rank());
    }

    #[test]
    fn blocks_that_had_not_started_are_told() {
        let left = NotStarted { blocks: 868, of: 1000, resident: 132, bound: Bound::Chip };
        let told = deadlock(&Hang { stuck: vec![stuck(0, 0, Stall::Plain)], not_started: Some(left) });
        assert_eq!(
            told.notes,
            [
                "868 of the grid's 1000 blocks had not started: the largest chip of this target holds 132 of them at a time"
            ]
        );
    }
}
