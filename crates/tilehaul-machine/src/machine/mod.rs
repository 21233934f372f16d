//! The loop: which blocks are resident, which wave goes next, what lands when nothing can go on.
//!
//! Blocks of a cluster start together. A few clusters are resident at first; more are let in when the resident ones
//! wait for something (a flag of a later block), up to a bound. A wave that polls or blocks is passed over until
//! something has happened that could let it go on. When no wave can go on, an operation lands; when none is under way
//! and no block is left to start, waves that polled are looked at again. When each of them comes back to the very state
//! that it was in (see `circle`), it is a deadlock; while some look at a clock, time leaps ahead.

mod blocks;
mod ending;
mod every_order;
mod lapped;
mod standstill;
mod turns;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use tilehaul_diag::{Code, Diagnostic};

use crate::chooser::{Decision, Footprint, Rng, Sleeper};
use crate::circle::{Circle, Going};
use crate::core::{Died, Trap};
use crate::garble::{Garble, Garbling};
use crate::spread::Claims;
use crate::steal::NotStartedYet;
use crate::stuck::{Hang, Stuck};
use crate::{
    AnyWave, Core, GlobalMemory, LaneMask, Launch, Memories, Observer, PlaceId, Program, Replay, Report,
    Schedule, Status, WaitFor, Waits, WaveId, Who,
};
use ending::spinning;
pub use every_order::LeftOpen;
use every_order::{Polled, left_open, scripted};
use lapped::Lag;
use standstill::Standstill;

/// Bounds and policies of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Order and landing.
    pub replay: Replay,
    /// Most instructions of all waves together.
    pub step_limit: u64,
    /// Most blocks resident at once (one cluster always is). None for as many as the chip holds ([`Launch::holds`]) or,
    /// where that is not known, 1,024.
    pub resident: Option<u32>,
    /// Options to take first, in an exhaustive run.
    pub script: Vec<u32>,
    /// Steps that were explored from the state that the script leads to and need not be taken again until something
    /// that does not commute with them has happened (a sleep set).
    pub asleep: Vec<Sleeper>,
    /// Most decisions of an exhaustive run.
    pub decision_limit: u32,
    /// Bytes that loads get wrong, and the bits of each that are turned round.
    pub garble: (Vec<Garble>, u8),
}

impl Default for Options {
    fn default() -> Options {
        Options {
            replay: Replay::default(),
            step_limit: 200_000_000,
            resident: None,
            script: Vec::new(),
            asleep: Vec::new(),
            decision_limit: DECISION_LIMIT,
            garble: (Vec::new(), 0),
        }
    }
}

/// Most decisions of an exhaustive run unless said otherwise. A replay string counts on it.
pub const DECISION_LIMIT: u32 = 20_000;

/// Blocks that are resident at once where nobody knows what the chip holds.
const RESIDENT_MOST: u32 = 1024;
/// Blocks that start out resident; more follow when these are stuck.
const RESIDENT_AT_FIRST: u32 = 4;
/// The same for programs that take over the work of clusters that have not started: few, so that there are some.
const STEALERS_AT_FIRST: u32 = 2;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Every wave ended.
    Finished,
    /// No wave can go on and nothing is under way.
    Deadlock(Hang),
    /// The launch died.
    Fault {
        /// Who did it.
        who: Who,
        /// Why.
        diagnostic: Box<Diagnostic>,
    },
    /// The step limit was reached; the waves that had not ended, as they last stood.
    StepLimit(Vec<Stuck>),
    /// Every way on was explored elsewhere (exhaustive runs only).
    Pruned,
    /// More decisions than allowed were needed (exhaustive runs only).
    TooManyDecisions,
    /// Something was met that is not modelled.
    Unsupported {
        /// Who met it.
        who: Who,
        /// What.
        diagnostic: Box<Diagnostic>,
    },
}

/// What a run leaves behind.
pub struct RunResult {
    /// How it ended.
    pub outcome: Outcome,
    /// Device memory afterwards.
    pub memory: GlobalMemory,
    /// What executors and barriers had to say.
    pub reports: Vec<Report>,
    /// Instructions executed, of all waves.
    pub steps: u64,
    /// The observer, if there was one.
    pub observer: Option<Box<dyn Observer>>,
    /// Decisions taken, in an exhaustive run.
    pub decisions: Vec<Decision>,
    /// What the run depends on that no order of steps covers, in an exhaustive run: exploring all of them proves nothing.
    pub left_open: Option<LeftOpen>,
    /// All bytes that were to be garbled were loaded.
    pub garbled: bool,
    /// The string that replays the run.
    pub replay: Replay,
}

struct Slot<'p> {
    id: WaveId,
    wave: Box<dyn AnyWave + 'p>,
    parked: Option<Parked>,
    circle: Circle,
    /// The last time that it polled at each of a few places, in an exhaustive run.
    polled: Vec<Polled>,
    place: PlaceId,
    /// Under fixed priorities: how often others were let past it, and who goes first among equals.
    demoted: u32,
    priority: u64,
    /// It had a turn since patience was last asked.
    served: bool,
    lag: Lag,
}

impl Slot<'_> {
    /// The largest goes first.
    fn rank(&self) -> (Reverse<u32>, u64) {
        (Reverse(self.demoted), self.priority)
    }

    /// Nothing is known that keeps it from going on.
    fn able(&self, progress: u64) -> bool {
        self.parked.as_ref().is_none_or(|p| p.progress != progress)
    }
}

/// Why a wave is passed over.
struct Parked {
    /// Until the progress count is another.
    progress: u64,
    waits: Waits,
    nap: Nap,
    /// What it looked at going round in vain, in an exhaustive run: until that is touched nothing lets it go on.
    awaits: Option<Vec<Footprint>>,
}

impl Parked {
    fn new(progress: u64, waits: Waits, nap: Nap) -> Parked {
        Parked { progress, waits, nap, awaits: None }
    }
}

/// How soundly a wave that is passed over sleeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nap {
    /// Nothing but progress lets it go on.
    Sound,
    /// It polls, and may leave its loop without anything having happened: it is looked at again before all is given up.
    Poll,
    /// The same, and it looks at a clock.
    Clock,
}

struct Machine<'p> {
    program: &'p dyn Program,
    core: Core,
    options: Options,
    slots: Vec<Slot<'p>>,
    /// Blocks that are kept resident without need.
    at_first: u32,
    resident: u32,
    steps: u64,
    turn: usize,
    /// How far the clock leaps next when only time can help.
    leap: u64,
    rng: Rng,
    /// Steps at which PCT drops a priority.
    drops: Vec<u64>,
    decisions: Vec<Decision>,
    /// Some wave's polling loop counts its turns, so skipping its polls loses states: nothing is proved.
    counted_polls: bool,
    standstill: Standstill,
}

/// Runs a launch of a program. A run of an exhaustive exploration that comes without a script is looked for first, by
/// running those before it.
pub fn run(
    program: &dyn Program,
    launch: &Launch,
    global: GlobalMemory,
    options: Options,
    observer: Option<Box<dyn Observer>>,
) -> RunResult {
    let replay = options.replay;
    let options = match launch.check().and_then(|()| scripted(program, launch, &global, options)) {
        Ok(options) => options,
        Err(diagnostic) => return unstarted(diagnostic, global, observer, replay),
    };
    let mut machine = Machine::new(program, launch, global, options, observer);
    let outcome = machine.run();
    let Machine { mut core, steps, decisions, counted_polls, .. } = machine;
    let left_open = left_open(replay, &core, counted_polls);
    if outcome == Outcome::Finished {
        core.report_unmet();
    }
    let observer = core.take_observer();
    RunResult {
        outcome,
        garbled: core.garbling.as_ref().is_some_and(Garbling::all_hit),
        reports: core.reports.into_values().collect(),
        memory: core.memories.global,
        steps,
        observer,
        decisions,
        left_open,
        replay,
    }
}

/// A launch that cannot be run.
fn unstarted(
    diagnostic: Trap,
    memory: GlobalMemory,
    observer: Option<Box<dyn Observer>>,
    replay: Replay,
) -> RunResult {
    let who = Who { wave: WaveId(0), lanes: LaneMask::NONE, place: PlaceId(0) };
    RunResult {
        outcome: Outcome::Fault { who, diagnostic },
        memory,
        reports: Vec::new(),
        steps: 0,
        observer,
        decisions: Vec::new(),
        left_open: None,
        garbled: false,
        replay,
    }
}

/// What some of a launch's clusters leave behind.
pub(crate) struct Portion {
    pub outcome: Outcome,
    pub memory: GlobalMemory,
    pub reports: BTreeMap<(Code, PlaceId), Report>,
    pub steps: u64,
    pub claims: Claims,
}

/// Runs some clusters of a launch, one at a time. Ends early, as pruned, when they turn out to depend on others.
pub(crate) fn run_portion(
    program: &dyn Program,
    launch: &Launch,
    global: GlobalMemory,
    options: Options,
    clusters: Range<u32>,
    claims: Claims,
) -> Portion {
    let mut machine = Machine::new(program, launch, global, options, None);
    machine.core.not_started = NotStartedYet { next: clusters.start, end: clusters.end, asked: false };
    machine.core.claims = Some(claims);
    let mut outcome = machine.run();
    let Machine { mut core, steps, .. } = machine;
    if outcome == Outcome::Finished {
        core.report_unmet();
    }
    if core.depends_on_others() {
        outcome = Outcome::Pruned;
    }
    let (memory, reports) = (core.memories.global, core.reports);
    Portion { outcome, memory, reports, steps, claims: core.claims.unwrap_or_default() }
}

/// Ends a run early.
type Stop = Outcome;

impl<'p> Machine<'p> {
    fn new(
        program: &'p dyn Program,
        launch: &Launch,
        global: GlobalMemory,
        options: Options,
        observer: Option<Box<dyn Observer>>,
    ) -> Machine<'p> {
        let replay = options.replay;
        let memories = Memories::new(global, launch.blocks());
        let (channels, counters) = (program.channels().to_vec(), program.counters().to_vec());
        let mut core = Core::new(launch.clone(), memories, channels, counters, replay.landing, observer);
        core.garbling = Garbling::new(&options.garble.0, options.garble.1);
        if matches!(replay.schedule, Schedule::Exhaustive { .. }) {
            core.footprint = Some(Vec::new());
        }
        let (seed, depth) = match replay.schedule {
            Schedule::Random(seed) => (seed, 0),
            Schedule::Pct { seed, depth } => (seed, depth),
            Schedule::RoundRobin | Schedule::Reverse | Schedule::Exhaustive { .. } => (0, 0),
        };
        core.not_started.end = launch.clusters();
        let mut rng = Rng::new(seed ^ 0x7363_6865);
        let at_first = match (program.cancels_clusters(), replay.schedule) {
            (true, Schedule::RoundRobin) => STEALERS_AT_FIRST,
            (true, Schedule::Random(_) | Schedule::Pct { .. }) => 1 + rng.below(RESIDENT_AT_FIRST),
            _ => RESIDENT_AT_FIRST,
        };
        let mut drops: Vec<u64> = (0..depth).map(|_| u64::from(rng.below(20_000))).collect();
        drops.sort_unstable_by(|a, b| b.cmp(a));
        Machine {
            program,
            core,
            options,
            slots: Vec::new(),
            at_first,
            resident: 0,
            steps: 0,
            turn: 0,
            leap: 1,
            rng,
            drops,
            decisions: Vec::new(),
            counted_polls: false,
            standstill: Standstill::default(),
        }
    }

    /// Blocks that are kept resident without need; one cluster at a time where clusters are spread over cores.
    fn resident_first(&self) -> u32 {
        if self.core.claims.is_some() { 0 } else { self.at_first.min(self.bound().0) }
    }

    fn run(&mut self) -> Outcome {
        let ended = match self.options.replay.schedule {
            Schedule::Exhaustive { .. } => self.run_exhaustive(),
            Schedule::RoundRobin | Schedule::Reverse | Schedule::Random(_) | Schedule::Pct { .. } => {
                self.run_turns()
            }
        };
        match ended {
            Ok(()) => Outcome::Finished,
            Err(outcome) => outcome,
        }
    }

    /// Lets one wave execute.
    fn turn_of(&mut self, index: usize, budget: u32) -> Result<(), Stop> {
        let slot = &mut self.slots[index];
        let id = slot.id;
        self.core.clock_in_turn.set(false);
        self.core.instructions = self.steps;
        slot.lag.goes_on();
        let ran = slot.wave.run(&mut self.core, budget);
        slot.lag.went(ran.steps);
        self.steps += u64::from(ran.steps);
        slot.place = ran.place;
        let (progress, timed) = (self.core.progress, self.core.clock_in_turn.get());
        match ran.status {
            status @ (Status::Ready | Status::Polling(_)) => {
                let polled = match status {
                    Status::Polling(waits) => Some(waits),
                    _ => None,
                };
                let wave = &slot.wave;
                let going = slot.circle.turn(progress, polled.is_some(), timed, || wave.fingerprint());
                slot.parked = match going {
                    Going::Round if slot.wave.release_waiting() => {
                        slot.circle = Circle::default();
                        None
                    }
                    Going::Round => {
                        let waits = polled.unwrap_or_else(|| spinning(id, &ran.place, &self.core));
                        Some(Parked::new(progress, waits, Nap::Sound))
                    }
                    Going::Timed => {
                        let waits = polled.unwrap_or_else(|| Waits {
                            reason: WaitFor::Time,
                            ..spinning(id, &ran.place, &self.core)
                        });
                        Some(Parked::new(progress, waits, Nap::Clock))
                    }
                    Going::On => polled.map(|waits| Parked::new(progress, waits, Nap::Poll)),
                };
            }
            Status::Blocked(waits) => slot.parked = Some(Parked::new(progress, waits, Nap::Sound)),
            Status::Exited => {
                self.slots.remove(index);
                if self.turn > index {
                    self.turn -= 1;
                }
                self.wave_ended(id)?;
            }
            Status::Fault(who, diagnostic) => return Err(self.fault(who, diagnostic)),
            Status::Unsupported(who, diagnostic) => return Err(Outcome::Unsupported { who, diagnostic }),
        }
        if self.steps >= self.options.step_limit {
            return Err(Outcome::StepLimit(self.stuck()));
        }
        Ok(())
    }
}

fn survive<T>(result: Result<T, Died>) -> Result<T, Stop> {
    result.map_err(|Died { who, trap }| Outcome::Fault { who, diagnostic: trap })
}
