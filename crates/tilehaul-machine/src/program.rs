//! What an executor of one instruction set gives to the machine, and what the machine makes of it.

use std::fmt;

use tilehaul_diag::{Diagnostic, Span};

use crate::{ChannelSpec, Core, CounterSpec, LaneMask, PlaceId, WaveInfo, Who};

/// A program ready to run, whatever its instruction set. It is shared by all waves and never changes.
///
/// Executors implement [`Executor`], which makes them programs. The machine and the checker know this trait only: they are
/// compiled once, and not again for each instruction set.
pub trait Program: Sync {
    /// A wave at the first instruction.
    ///
    /// # Errors
    /// When the wave cannot start (a register file too small, a missing argument).
    fn start<'p>(
        &'p self,
        info: &WaveInfo,
        core: &mut Core,
    ) -> Result<Box<dyn AnyWave + 'p>, Box<Diagnostic>>;

    /// The asynchronous channels that waves have: rows named by [`crate::ChannelKind`].
    fn channels(&self) -> &[ChannelSpec];

    /// The counters that waits name: rows named by [`crate::CounterKind`].
    fn counters(&self) -> &[CounterSpec];

    /// See [`Executor::cancels_clusters`].
    fn cancels_clusters(&self) -> bool;

    /// Where an instruction stands in a source file.
    fn span(&self, place: PlaceId) -> Option<Span>;

    /// An instruction in words.
    fn text(&self, place: PlaceId) -> String;

    /// See [`Executor::traits`].
    fn traits(&self, place: PlaceId) -> Traits;
}

/// What an instruction is like besides what its events say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// A load from shared memory whose lanes exchange what they read: banks serve it in another way than plain loads.
    pub transposes: bool,
    /// A barrier that also tells its threads something, as a reduction over them does.
    pub tells: bool,
    /// It meets, or arrives for, all waves of the workgroup.
    pub whole_workgroup: bool,
}

/// A wave of a program: the methods of [`Executor`] that take one.
pub trait AnyWave {
    /// See [`Executor::run`].
    fn run(&mut self, core: &mut Core, budget: u32) -> Ran;

    /// See [`Executor::fingerprint`].
    fn fingerprint(&self) -> u64;

    /// See [`Executor::release_waiting`].
    fn release_waiting(&mut self) -> bool;
}

/// A wave and the executor that knows its type.
struct Running<'p, E: Executor> {
    executor: &'p E,
    wave: E::Wave,
}

impl<E: Executor> AnyWave for Running<'_, E> {
    fn run(&mut self, core: &mut Core, budget: u32) -> Ran {
        self.executor.run(&mut self.wave, core, budget)
    }

    fn fingerprint(&self) -> u64 {
        self.executor.fingerprint(&self.wave)
    }

    fn release_waiting(&mut self) -> bool {
        self.executor.release_waiting(&mut self.wave)
    }
}

impl<E: Executor> Program for E {
    fn start<'p>(
        &'p self,
        info: &WaveInfo,
        core: &mut Core,
    ) -> Result<Box<dyn AnyWave + 'p>, Box<Diagnostic>> {
        Ok(Box::new(Running { executor: self, wave: Executor::start(self, info, core)? }))
    }

    fn channels(&self) -> &[ChannelSpec] {
        Executor::channels(self)
    }

    fn counters(&self) -> &[CounterSpec] {
        Executor::counters(self)
    }

    fn cancels_clusters(&self) -> bool {
        Executor::cancels_clusters(self)
    }

    fn span(&self, place: PlaceId) -> Option<Span> {
        Executor::span(self, place)
    }

    fn text(&self, place: PlaceId) -> String {
        Executor::text(self, place)
    }

    fn traits(&self, place: PlaceId) -> Traits {
        Executor::traits(self, place)
    }
}

/// What an instruction set implements so that its kernels are programs.
pub trait Executor: Sync {
    /// Registers and control state of one wave. Holds its own [`crate::WaveId`].
    type Wave;

    /// A wave at the first instruction.
    ///
    /// # Errors
    /// When the wave cannot start (a register file too small, a missing argument).
    fn start(&self, info: &WaveInfo, core: &mut Core) -> Result<Self::Wave, Box<Diagnostic>>;

    /// Executes at most `budget` instructions of a wave, and returns how many it was and how the wave stands.
    ///
    /// An instruction that blocks is not counted, leaves the wave as it was and is executed again at the next call.
    /// Every call must either execute at least one instruction or return another status than [`Status::Ready`].
    fn run(&self, wave: &mut Self::Wave, core: &mut Core, budget: u32) -> Ran;

    /// A number for all of the wave's state that decides what it does next: two states with one number are taken for the
    /// same. What only serves reports or counts instructions stays out.
    fn fingerprint(&self, wave: &Self::Wave) -> u64;

    /// The wave goes round in circles: lanes of it that wait for those that do so may go on alone. True when there were any.
    fn release_waiting(&self, _wave: &mut Self::Wave) -> bool {
        false
    }

    /// The asynchronous channels that waves have: rows named by [`crate::ChannelKind`].
    fn channels(&self) -> &[ChannelSpec];

    /// The counters that waits name: rows named by [`crate::CounterKind`]. Empty where groups are used instead.
    fn counters(&self) -> &[CounterSpec] {
        &[]
    }

    /// It may take over the work of clusters that have not started ([`Core::cancel_cluster`]): fewer start at first then.
    fn cancels_clusters(&self) -> bool {
        false
    }

    /// Where an instruction stands in a source file.
    fn span(&self, place: PlaceId) -> Option<Span>;

    /// An instruction in words, for inputs without text: `ds_load_b32 v2, v1 (offset 0x84)`.
    fn text(&self, place: PlaceId) -> String;

    /// What an instruction is like besides what its events say; nothing unless told otherwise.
    fn traits(&self, _place: PlaceId) -> Traits {
        Traits::default()
    }
}

/// What [`Executor::run`] did.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Instructions executed.
    pub steps: u32,
    /// The instruction that comes next, for reports.
    pub place: PlaceId,
    /// How the wave stands.
    pub status: Status,
}

/// How a wave stands.
#[derive(Clone, Debug)]
pub enum Status {
    /// It can go on.
    Ready,
    /// It can go on, but just found that what it polls for has not happened (`try_wait` false, a sleep in a spin loop):
    /// others should run first. It is not taken to wait for ever until it comes back to the same state.
    Polling(Waits),
    /// It cannot go on; the same instruction is tried again when something has happened.
    Blocked(Waits),
    /// All its lanes have ended; [`Core::exit`] was called for them.
    Exited,
    /// The launch dies here, as it would on the device.
    Fault(Who, Box<Diagnostic>),
    /// It met something that is not modelled; the diagnostic names it.
    Unsupported(Who, Box<Diagnostic>),
}

/// What a wave waits for, for the deadlock report and to choose what lands next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waits {
    /// Lanes that wait.
    pub lanes: LaneMask,
    /// The waiting instruction.
    pub place: PlaceId,
    /// What for.
    pub reason: WaitFor,
}

/// Reasons to wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// A phase of the transaction barrier at this shared address of this block.
    Mbarrier {
        /// Where the barrier is.
        at: crate::BarrierAt,
        /// Parity of the phase.
        parity: bool,
    },
    /// A rendezvous of threads.
    Rendezvous(crate::Ticket),
    /// Memory at an address to change (a flag, a barrier word).
    Memory {
        /// Which memory.
        space: crate::Space,
        /// Address polled.
        address: u64,
    },
    /// Free tensor memory columns.
    TensorColumns {
        /// Columns asked for.
        columns: u32,
    },
    /// Something to finish that the policy has not finished yet (an operation of this wave).
    Operation,
    /// Nothing in particular: a sleep, a yield.
    Time,
    /// To leave a loop that changes nothing, and that nothing which it reads changes.
    Loop,
    /// Something an executor names itself.
    Other(&'static str),
}

impl fmt::Display for WaitFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WaitFor::Mbarrier { at, parity } => {
                write!(f, "the phase of parity {} of {at}", u8::from(*parity))
            }
            WaitFor::Rendezvous(ticket) => write!(f, "{}", ticket.key),
            WaitFor::Memory { space, address } => write!(f, "a change at {address:#x} in {space}"),
            WaitFor::TensorColumns { columns } => write!(f, "{columns} free columns of tensor memory"),
            WaitFor::Operation => f.write_str("an asynchronous operation"),
            WaitFor::Time => f.write_str("time to pass"),
            WaitFor::Loop => f.write_str("a loop to end that comes back to the same state each time"),
            WaitFor::Other(what) => f.write_str(what),
        }
    }
}
