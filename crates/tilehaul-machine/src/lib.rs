//! One machine for two instruction sets: waves, memories, barriers, asynchronous operations, schedules.
//!
//! # Model
//!
//! A launch is a grid of blocks of waves. An executor ([`Executor`]) turns instructions into register changes and calls
//! on the [`Core`]; it keeps registers, local memory and constants to itself. Everything others can see goes through
//! the core, which acts at once and tells an [`Observer`] what happened as [`Event`]s.
//!
//! Three things are decided by policy and not by the program, and all of them are a pure function of the [`Replay`]:
//! which wave goes next ([`Schedule`]), when an asynchronous operation samples its source and lands ([`Landing`]), and
//! which blocks are resident.
//!
//! # For executors
//!
//! * Implement [`Executor`]; `run` executes up to `budget` instructions in a tight loop and leaves it when the wave
//!   polls, blocks, exits or dies. A blocked instruction is executed again later, so it must not have acted yet.
//! * Memory: build an [`Access`] (who, space, lane addresses, size) and call [`Core::load`], [`Core::store`] or
//!   [`Core::atomic`]. Atomics and fences carry [`Order`] and [`Scope`].
//! * Threads meet with [`Core::barrier_arrive`] and [`Core::barrier_wait`]; an executor keeps the [`Ticket`].
//! * Transaction barriers: `Core::mbarrier_*`; barrier words: [`Core::word_arrive`].
//! * Asynchronous work: wrap it in a [`Job`] ([`PlanJob`], [`CopyJob`], [`CallJob`]) and [`Core::issue`] it. Its end is
//!   counted on barriers or belongs to a channel ([`ChannelSpec`]); waits are [`Core::wait_counter`] and
//!   [`Core::wait_group`].
//! * An AMD load into registers may fill them at issue: take a number with [`Core::next_seq`], tell the access with
//!   [`Access::on`] that channel and number, and report a use of the register before a wait proved the number.
//!   Call [`Core::needed`] when a loaded register is used, so that hints on waits stay honest.
//!
//! # Invariants
//!
//! No instruction set type appears here. No I/O, no clock, no global state, no unseeded randomness. Observers never
//! change a run.

mod barrier;
mod channel;
mod chooser;
mod circle;
mod core;
mod event;
mod exhaustive;
mod flight;
mod garble;
mod ids;
mod job;
mod launch;
mod machine;
mod memory;
pub mod mini;
mod partial_order;
mod program;
mod residency;
mod rows;
mod schedule;
mod spread;
mod steal;
mod stuck;
mod sync;
mod unwritten;

pub use barrier::{BarrierAt, BarrierKey, Expected, Ticket};
pub use channel::{ChannelSpec, CounterSpec, Handover, Pipeline};
pub use chooser::{Actor, BarrierName, Decision, Deed, Footprint, Sleeper};
pub use core::{Core, Report, Trap};
pub use event::{
    Access, AccessKind, Channel, Ends, Event, FenceKind, Issued, Observer, Order, Part, PipelineFence, Proxy,
    ProxyFence, Scope, SpaceKind, Token, Touch, Track, WaitDone,
};
pub use exhaustive::Tree;
pub use flight::{End, NewOp};
pub use garble::Garble;
pub use ids::{
    BlockId, ChannelKind, ClusterId, CounterKind, LaneMask, OpId, PlaceId, Space, SyncId, WaveId, Who,
};
pub use job::{Call, CallJob, Copy, CopyJob, Job, JobFault, Landed, MAX_PIECES, NoBytes, PlanJob};
pub use launch::{BlockInfo, Launch, MAX_WAVES, WaveInfo};
pub use machine::{DECISION_LIMIT, LeftOpen, Options, Outcome, RunResult, run};
pub use memory::{
    Allocation, BlockMemory, Bytes, Contents, GlobalMemory, Memories, POISON, PageKind, Pages, TENSOR_BYTES,
};
pub use program::{AnyWave, Executor, Program, Ran, Status, Traits, WaitFor, Waits};
pub use residency::Chip;
pub use schedule::{Landing, ROUND, Replay, ReplayError, Schedule};
pub use spread::run_spread;
pub use stuck::{Bound, Hang, NotStarted, Phases, Stall, Stuck};
pub use sync::{Arrival, Ordering, Phase};
pub use unwritten::{HandsOn, Next, Unwritten, Uses};
