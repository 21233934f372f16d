//! Exhaustive runs: each decision is written down with all options, what was taken and what the step did.
//!
//! A run explores nothing by itself; the tree of `exhaustive` makes the next script of what was written down. A wave that polls
//! in vain stays awake until a turn of its loop is seen to bring it back to the state in which the turn began, having only
//! looked: then it sleeps until something happens, and the turn is marked as one without which all comes to the same. One that
//! is another each time counts its turns, or reads a clock: it is passed over, too, once it has tried a few times, but no
//! exploration covers how often it could have tried.

use std::fmt;

use tilehaul_diag::{Code, Diagnostic, Level};

use super::{Machine, Nap, Options, Outcome, Parked, Slot, Stop, run, survive};
use crate::chooser::{Actor, Decision, Deed, Footprint, Sleeper};
use crate::core::{Core, Trap};
use crate::exhaustive::Tree;
use crate::{GlobalMemory, Launch, OpId, PlaceId, Program, Replay, Schedule, WaveId};

/// Polls in an exhaustive run after which a wave that comes to another state each time is passed over: the first turns of a
/// loop come to it from elsewhere.
const PATIENCE: u32 = 3;

/// What an exhaustive exploration does not vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOpen {
    /// A wave looked at the clock.
    Clock,
    /// A wave polled in vain and was another afterwards, as one that counts its turns.
    Polls,
    /// A wave asked for the work of a cluster that had not started.
    Clusters,
}

impl fmt::Display for LeftOpen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeftOpen::Clock => "how fast the clock goes that a wave looks at",
            LeftOpen::Polls => {
                "how often a wave polls in vain that is another afterwards (it counts its turns)"
            }
            LeftOpen::Clusters => "which clusters have started when a block asks to cancel one",
        })
    }
}

/// A poll that failed.
#[derive(Clone, Copy)]
pub(super) struct Polled {
    place: PlaceId,
    /// The state of the wave afterwards, and the progress of the machine.
    state: u64,
    progress: u64,
    /// Polls before it at the same progress.
    tries: u32,
    /// The turn of the loop that ended in it: the wave's steps after the first decision, up to the second.
    turn: (usize, usize),
    /// The wave has only looked since.
    only_looked: bool,
}

/// Why a run is no part of a proof.
pub(super) fn left_open(replay: Replay, core: &Core, counted_polls: bool) -> Option<LeftOpen> {
    match (replay.schedule, core.clock_was_read(), counted_polls) {
        (Schedule::Exhaustive { .. }, ..) if core.not_started.asked => Some(LeftOpen::Clusters),
        (Schedule::Exhaustive { .. }, true, _) => Some(LeftOpen::Clock),
        (Schedule::Exhaustive { .. }, false, true) => Some(LeftOpen::Polls),
        _ => None,
    }
}

/// The options with the script that the number of an exhaustive run stands for.
pub(super) fn scripted(
    program: &dyn Program,
    launch: &Launch,
    global: &GlobalMemory,
    options: Options,
) -> Result<Options, Trap> {
    let Schedule::Exhaustive { run: wanted @ 2.. } = options.replay.schedule else { return Ok(options) };
    if !options.script.is_empty() {
        return Ok(options);
    }
    let mut tree = Tree::reduced(launch);
    while let Some(next) = tree.next(&options) {
        if next.replay == options.replay {
            return Ok(next);
        }
        tree.ran(run(program, launch, global.clone(), next, None).decisions, |_| {});
    }
    Err(Box::new(
        Diagnostic::new(
            Code("replay-does-not-fit"),
            Level::Error,
            format!("run {wanted} does not exist: the orders of this launch that differ are {}", tree.runs()),
        )
        .fix("Use the replay line on the kernel, the buffers and the launch file that it was printed for."),
    ))
}

/// Places at which a wave is remembered to have polled: a loop may hold a few.
const PLACES: usize = 3;

impl Parked {
    /// It does not wait for bytes or a barrier that nobody has touched since.
    fn may_wake(&self) -> bool {
        self.awaits.is_none()
    }
}

impl Core {
    /// A wait on a channel that no copy was ever issued on: what it waits for is in the registers already.
    fn waits_for_registers(&self, deed: Deed) -> bool {
        let Deed::Done { channel, .. } = deed else { return false };
        let state = self.waves.get(channel.wave.index()).and_then(|w| w.channels.get(channel.kind.index()));
        state.is_none_or(|c| c.newest_copy == 0 && c.pending.is_empty())
    }
}

impl Machine<'_> {
    /// Explores nothing by itself: follows the script, then always takes the first option, and writes down what the
    /// options were.
    pub(super) fn run_exhaustive(&mut self) -> Result<(), Stop> {
        while self.has_room() && self.admit()? {}
        loop {
            if self.slots.is_empty() {
                return Ok(());
            }
            let progress = self.core.progress;
            let able = |s: &&Slot<'_>| match &s.parked {
                Some(p) => p.progress != progress && p.may_wake() && self.core.may_pass(s.id, &p.waits),
                None => true,
            };
            let mut options: Vec<Actor> =
                self.slots.iter().filter(able).map(|s| Actor::Wave(s.id.0)).collect();
            options.extend(self.core.open_pieces().into_iter().map(|(op, piece)| Actor::Piece(op.0, piece)));
            if options.is_empty() {
                if self.wake_all() {
                    continue;
                }
                if self.rouse() {
                    // Only who looks at a clock is still awake.
                    self.leap();
                    continue;
                }
                return Err(self.hang());
            }
            let at = self.decisions.len();
            if at as u32 >= self.options.decision_limit {
                return Err(Outcome::TooManyDecisions);
            }
            let scripted = at < self.options.script.len();
            let asleep = &self.options.asleep;
            let taken = match self.options.script.get(at) {
                Some(&taken) => (taken as usize).min(options.len() - 1),
                None => match options.iter().position(|o| !asleep.iter().any(|s| s.actor == *o)) {
                    Some(taken) => taken,
                    None => return Err(Outcome::Pruned),
                },
            };
            let actor = options[taken];
            self.core.now += 1;
            let sleeping = if scripted { Vec::new() } else { asleep.clone() };
            self.decisions.push(Decision {
                options,
                taken: taken as u32,
                footprint: Vec::new(),
                asleep: sleeping,
            });
            let stepped = match actor {
                Actor::Wave(id) => self.visible_step(WaveId(id)),
                Actor::Piece(op, piece) => {
                    let stepped = self.core.step_piece(OpId(op), piece);
                    self.core.progress += 1;
                    survive(stepped).map(|_| ())
                }
            };
            if let (Some(list), Some(last)) = (&mut self.core.footprint, self.decisions.last_mut()) {
                last.footprint = std::mem::take(list);
                // The sleep set holds from the state that the last scripted step leads to.
                if at + 1 >= self.options.script.len() {
                    let done = &last.footprint;
                    let commutes =
                        |s: &Sleeper| !s.footprint.iter().any(|a| done.iter().any(|b| a.conflicts(b)));
                    self.options.asleep.retain(|s| s.actor != actor && commutes(s));
                }
            }
            stepped?;
            self.wake(at);
            if let Actor::Wave(id) = actor {
                self.settle(WaveId(id), at);
            }
        }
    }

    /// After the step of a wave: when it polled in vain, going round a loop that brought it back to the state in which the
    /// turn began, it sleeps until something happens, and the turn is marked. Any other poll may be one of a counted
    /// number, so the wave stays awake.
    fn settle(&mut self, id: WaveId, at: usize) {
        let Some(slot) = self.slots.iter_mut().find(|s| s.id == id) else { return };
        let core = &self.core;
        let looks = |f: &Footprint| f.deed.only_looks() || core.waits_for_registers(f.deed);
        let only_looked = self.decisions.get(at).is_none_or(|d| d.footprint.iter().all(looks));
        slot.polled.iter_mut().for_each(|polled| polled.only_looked &= only_looked);
        let progress = match &slot.parked {
            Some(Parked { progress, nap: Nap::Poll, .. }) => *progress,
            Some(Parked { nap: Nap::Sound | Nap::Clock, .. }) | None => return,
        };
        let (state, place) = (slot.wave.fingerprint(), slot.place);
        let before = slot.polled.iter().position(|p| p.place == place).map(|i| slot.polled.remove(i));
        let again = before.filter(|p| p.progress == progress);
        let tries = again.map_or(0, |p| p.tries + 1);
        let last = before.filter(|p| p.only_looked);
        let turn = (last.map_or(at.wrapping_sub(1), |p| p.turn.1), at);
        slot.polled.truncate(PLACES);
        slot.polled.insert(0, Polled { place, state, progress, tries, turn, only_looked: true });
        let same = last.filter(|p| p.state == state);
        self.counted_polls |= same.is_none() && tries >= PATIENCE;
        let mut read = Vec::new();
        if let Some(same) = same {
            // The turn before ended in the same state, too: it is the one that came to the loop.
            let first = same.turn.0.wrapping_add(1);
            for decision in self.decisions.iter_mut().take(at + 1).skip(first) {
                if decision.options.get(decision.taken as usize) != Some(&Actor::Wave(id.0)) {
                    continue;
                }
                if !decision.footprint.iter().any(|f| f.deed == Deed::Vain) {
                    decision.footprint.push(Footprint { deed: Deed::Vain, by: None, forced: false });
                }
                read.extend(decision.footprint.iter().filter(|f| f.deed != Deed::Vain).copied());
            }
        }
        match &mut slot.parked {
            Some(parked) if again.is_some() && same.is_some() => {
                parked.nap = Nap::Sound;
                // Going round again shows nothing new until somebody touches what the turn looked at.
                parked.awaits = (!read.is_empty()).then_some(read);
            }
            Some(_) if again.is_some() && tries >= PATIENCE => {}
            parked => *parked = None,
        }
    }

    /// Wakes the waves that go round a loop in vain and looked at something that the step of a decision touched.
    fn wake(&mut self, at: usize) {
        let Some(done) = self.decisions.get(at).map(|d| &d.footprint) else { return };
        for parked in self.slots.iter_mut().filter_map(|s| s.parked.as_mut()) {
            let touched = |read: &Footprint| done.iter().any(|d| !d.deed.only_looks() && d.conflicts(read));
            if parked.awaits.as_ref().is_some_and(|reads| reads.iter().any(touched)) {
                parked.awaits = None;
            }
        }
    }

    /// Wakes those that anything has happened since, before all is given up: a wave may look at what no step writes down.
    fn wake_all(&mut self) -> bool {
        let progress = self.core.progress;
        let mut any = false;
        for parked in self.slots.iter_mut().filter_map(|s| s.parked.as_mut()) {
            any |= parked.progress != progress && parked.awaits.take().is_some();
        }
        any
    }

    /// One wave up to and including its next visible instruction.
    fn visible_step(&mut self, id: WaveId) -> Result<(), Stop> {
        self.core.visible = false;
        for _ in 0..10_000 {
            let Some(index) = self.slots.iter().position(|s| s.id == id) else { return Ok(()) };
            self.turn_of(index, 1)?;
            let parked = self.slots.get(index).is_some_and(|s| s.id == id && s.parked.is_some());
            if self.core.visible || parked {
                return Ok(());
            }
        }
        Ok(())
    }
}
