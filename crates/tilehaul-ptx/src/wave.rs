//! State of one warp: registers, predicates, groups of lanes that run together.
//!
//! Lanes that took the same way form a [`Group`]. When lanes part at a branch, a [`Join`] remembers how many must come
//! to the meeting point; a group that gets there is parked until all have come, then they go on as one. Groups of a warp
//! take turns, so that lanes may wait for each other (independent thread scheduling).

use std::cell::RefCell;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHasher;
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_engine::tma::EngineMap;
use tilehaul_isa::ptx::special::Special;
use tilehaul_machine::{ChannelKind, LaneMask, PlaceId, Ticket, WaitFor, WaveInfo, Who};

use crate::alu::Lanes;
use crate::inst::Slot;
use crate::lower::Init;
use crate::lower::flow::NOWHERE;
use crate::program::PtxProgram;

/// Generic addresses of shared memory start here; bits 31:24 name the block of a cluster. hardware: sm_90 code puts the
/// rank there (ULEA by 24).
pub(crate) const SHARED_WINDOW: u64 = 0x6000_0000_0000;
/// Generic addresses of local memory start here.
pub(crate) const LOCAL_WINDOW: u64 = 0x5000_0000_0000;
/// Generic addresses of entry parameters start here.
pub(crate) const PARAM_WINDOW: u64 = 0x4000_0000_0000;

/// Index of no join.
pub(crate) const NO_JOIN: u32 = u32::MAX;

/// Why a group does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Ready,
    /// Its instruction is done, but nothing will come of going on at once.
    Polling(WaitFor),
    /// Its instruction must be tried again.
    Blocked(WaitFor),
    /// Its instruction needs these lanes together.
    Converging(u32),
    /// It waits at `bar.warp.sync` for these lanes.
    Meeting(u32),
}

/// Lanes that run together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) mask: u32,
    pub(crate) pc: u32,
    /// Innermost join that it heads for.
    pub(crate) join: u32,
    /// Where that is.
    pub(crate) join_pc: u32,
    pub(crate) state: State,
    /// A barrier that it has arrived at and waits for.
    pub(crate) ticket: Option<Ticket>,
    /// Execute the instruction although not all its lanes are here; this was reported.
    pub(crate) forced: bool,
}

/// A meeting point of lanes that parted.
#[derive(Clone, Debug)]
pub(crate) struct Join {
    pub(crate) pc: u32,
    pub(crate) expected: u32,
    pub(crate) arrived: u32,
    pub(crate) parent: u32,
    pub(crate) live: bool,
}

/// How the data of a [`Pending`] maps to registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// 32 words for each slot, by lane.
    PerSlot,
    /// 16 rows of `n` elements, spread over the lanes as results of matrix products are.
    Accumulator { n: usize, halves: bool },
}

/// Registers that an asynchronous operation will fill.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) kind: ChannelKind,
    /// The newest operation that writes them.
    pub(crate) seq: u32,
    pub(crate) slots: Rc<[Slot]>,
    /// What it wrote so far.
    pub(crate) data: Rc<RefCell<Vec<u32>>>,
    pub(crate) form: Form,
    pub(crate) lanes: u32,
}

/// A tensor map as the engine reads it, and the bytes that it was read from.
#[derive(Clone, Debug)]
pub(crate) struct LastMap {
    pub(crate) bytes: [u8; MAP_BYTES],
    pub(crate) map: Rc<EngineMap>,
    /// Its address, where the bytes cannot change: among the parameters.
    pub(crate) fixed: Option<u64>,
}

/// What a lane's activation of a function had when the function was called again.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Saved {
    pub(crate) regs: Box<[u64]>,
    pub(crate) preds: Box<[bool]>,
    pub(crate) memory: Box<[u8]>,
}

/// One warp.
pub struct Wave {
    pub(crate) info: WaveInfo,
    pub(crate) regs: Vec<Lanes>,
    pub(crate) preds: Vec<u32>,
    pub(crate) groups: Vec<Group>,
    pub(crate) joins: Vec<Join>,
    /// Group to run next.
    pub(crate) turn: usize,
    /// Lanes that have not ended.
    pub(crate) live: u32,
    pub(crate) local: Vec<u8>,
    /// Outer activations of recursive functions, for each lane; empty before the first.
    pub(crate) stacks: Vec<Vec<Saved>>,
    /// Carry flag of each lane.
    pub(crate) carry: u32,
    pub(crate) steps: u64,
    /// Instructions of this turn when a group last polled.
    pub(crate) polled_at: u32,
    pub(crate) pending: Vec<Pending>,
    /// Cluster barrier arrivals not yet waited for.
    pub(crate) cluster_tickets: Vec<(u32, Ticket)>,
    /// The last strong load or atomic that changed nothing: place, lanes, hash of its values; for loops that poll.
    pub(crate) last_strong: Option<(u32, u32, u64)>,
    /// The tensor map that a copy used last.
    pub(crate) last_map: Option<LastMap>,
    /// A row for results that cannot be written where they belong. What it holds between instructions means nothing.
    pub(crate) scratch: Lanes,
    /// Newest operation on the load and store channels of tensor memory.
    pub(crate) tc_ld_seq: u32,
    pub(crate) tc_st_seq: u32,
    /// Newest matrix product, the newest of each committed group, and the newest that a wait proved done.
    pub(crate) wgmma_seq: u32,
    pub(crate) wgmma_commits: VecDeque<u32>,
    pub(crate) wgmma_proven: u32,
    /// The latest wgmma.fence as the next product sees it.
    pub(crate) wgmma_fence: RegisterFence,
    /// What finished products left in which registers, to see whether anything has changed them since. Only kept while
    /// somebody watches.
    pub(crate) wgmma_left: Vec<(Vec<u32>, Vec<u32>)>,
    /// Registers of A of products that nobody has waited for, with the number of the product; only for those who watch.
    pub(crate) wgmma_inputs: Vec<(u32, Slot)>,
}

/// Whether a warp's register accesses are ordered before its next matrix product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RegisterFence {
    /// There was no wgmma.fence yet.
    #[default]
    None,
    /// There was one, before products finished whose registers may have changed since.
    Old,
    /// There was one since.
    Fresh,
}

impl Wave {
    pub(crate) fn new(program: &PtxProgram, info: &WaveInfo) -> Wave {
        let code = &program.code;
        let mut regs = vec![[0u64; 32]; code.slots as usize];
        let window = if program.launch.clustered { u64::from(info.block.rank) << 24 } else { 0 };
        for &(slot, init) in &code.inits {
            let row = &mut regs[slot as usize];
            match init {
                Init::Const(v) => *row = [v; 32],
                Init::Shared(offset) => *row = [window | u64::from(offset); 32],
                Init::Special(special) if !differs_by_lane(special) => {
                    *row = [special_value(special, info, program, 0); 32];
                }
                // All its threads are in one row of the block, as they nearly always are.
                Init::Special(Special::TidX) if info.number * 32 + 32 <= program.launch.block[0] => {
                    for (thread, value) in (info.number * 32..).zip(row.iter_mut()) {
                        *value = u64::from(thread);
                    }
                }
                Init::Special(special) => {
                    for (lane, value) in (0u32..).zip(row.iter_mut()) {
                        *value = special_value(special, info, program, lane);
                    }
                }
            }
        }
        // Waves have 32 lanes here.
        let live = info.lanes.0 as u32;
        let group = Group {
            mask: live,
            pc: 0,
            join: NO_JOIN,
            join_pc: NOWHERE,
            state: State::Ready,
            ticket: None,
            forced: false,
        };
        Wave {
            info: *info,
            regs,
            preds: vec![0; code.preds as usize],
            groups: vec![group],
            joins: Vec::new(),
            turn: 0,
            live,
            local: vec![0; code.local_bytes as usize * 32],
            stacks: Vec::new(),
            carry: 0,
            steps: 0,
            polled_at: 0,
            pending: Vec::new(),
            cluster_tickets: Vec::new(),
            last_strong: None,
            last_map: None,
            scratch: [0; 32],
            tc_ld_seq: 0,
            tc_st_seq: 0,
            wgmma_seq: 0,
            wgmma_commits: VecDeque::new(),
            wgmma_proven: 0,
            wgmma_fence: RegisterFence::None,
            wgmma_left: Vec::new(),
            wgmma_inputs: Vec::new(),
        }
    }

    pub(crate) fn who(&self, mask: u32, pc: u32) -> Who {
        Who { wave: self.info.id, lanes: LaneMask(u64::from(mask)), place: PlaceId(pc) }
    }

    /// A group takes a branch that only some of its lanes take. The group goes on with the others; the new one comes
    /// behind it.
    pub(crate) fn part(&mut self, index: usize, taken: u32, target: u32, next: u32, meets: u32) {
        let group = self.groups[index].clone();
        let (mut join, mut join_pc) = (group.join, group.join_pc);
        // Lanes that leave a loop one by one head for the join that the first made.
        if meets != NOWHERE && meets != join_pc {
            let new = Join { pc: meets, expected: group.mask, arrived: 0, parent: group.join, live: true };
            (join, join_pc) = (self.add_join(new), meets);
        }
        let stay = &mut self.groups[index];
        (stay.mask, stay.pc, stay.join, stay.join_pc) = (group.mask & !taken, next, join, join_pc);
        self.groups.push(Group {
            mask: taken,
            pc: target,
            join,
            join_pc,
            state: State::Ready,
            ticket: None,
            forced: false,
        });
    }

    pub(crate) fn add_join(&mut self, join: Join) -> u32 {
        match self.joins.iter().position(|j| !j.live) {
            Some(i) => {
                self.joins[i] = join;
                i as u32
            }
            None => {
                self.joins.push(join);
                self.joins.len() as u32 - 1
            }
        }
    }

    /// A group has come to its meeting point.
    pub(crate) fn park(&mut self, index: usize) {
        let group = self.groups.remove(index);
        if let Some(join) = self.joins.get_mut(group.join as usize) {
            join.arrived |= group.mask;
        }
        self.settle(group.join);
    }

    /// Lets the lanes of a join go on when all have come; then looks at the joins around it.
    fn settle(&mut self, mut index: u32) {
        while let Some(join) = self.joins.get(index as usize).filter(|j| j.live).cloned() {
            if join.expected != 0 && join.arrived != join.expected {
                return;
            }
            self.joins[index as usize].live = false;
            if join.expected != 0 {
                let join_pc = self.joins.get(join.parent as usize).map_or(NOWHERE, |j| j.pc);
                self.groups.push(Group {
                    mask: join.expected,
                    pc: join.pc,
                    join: join.parent,
                    join_pc,
                    state: State::Ready,
                    ticket: None,
                    forced: false,
                });
                return;
            }
            index = join.parent;
        }
    }

    /// Lanes of a group end.
    pub(crate) fn end_lanes(&mut self, index: usize, mask: u32) {
        self.live &= !mask;
        let join = self.groups[index].join;
        self.groups[index].mask &= !mask;
        if self.groups[index].mask == 0 {
            self.groups.remove(index);
        }
        let mut chain = Vec::new();
        let mut at = join;
        while let Some(j) = self.joins.get_mut(at as usize).filter(|j| j.live) {
            j.expected &= !mask;
            j.arrived &= !mask;
            chain.push(at);
            at = j.parent;
        }
        for at in chain {
            self.settle(at);
        }
    }

    /// A number for all that decides what the warp does next. How many instructions it executed does not.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = FxHasher::default();
        (&self.regs, &self.preds, &self.local).hash(&mut hasher);
        (self.turn, self.live, self.carry).hash(&mut hasher);
        for g in &self.groups {
            (g.mask, g.pc, g.join, g.forced, std::mem::discriminant(&g.state)).hash(&mut hasher);
            g.ticket.map(|t| t.generation).hash(&mut hasher);
        }
        for j in self.joins.iter().filter(|j| j.live) {
            (j.pc, j.expected, j.arrived, j.parent).hash(&mut hasher);
        }
        for (lanes, ticket) in &self.cluster_tickets {
            (lanes, ticket.generation).hash(&mut hasher);
        }
        self.stacks.hash(&mut hasher);
        (self.tc_ld_seq, self.tc_st_seq, self.wgmma_seq, self.wgmma_proven).hash(&mut hasher);
        (self.wgmma_commits.len(), self.pending.len()).hash(&mut hasher);
        hasher.finish()
    }

    /// Lets lanes that wait at meeting points go on alone, because those that they wait for go round in circles until the
    /// waiting ones change something (a lock). manual: independent thread scheduling promises every lane progress.
    pub(crate) fn release_waiting(&mut self) -> bool {
        let mut released = false;
        for index in 0..self.joins.len() {
            let join = self.joins[index].clone();
            if !join.live || join.arrived == 0 {
                continue;
            }
            let join_pc = self.joins.get(join.parent as usize).map_or(NOWHERE, |j| j.pc);
            self.joins[index].expected &= !join.arrived;
            self.joins[index].arrived = 0;
            self.groups.push(Group {
                mask: join.arrived,
                pc: join.pc,
                join: join.parent,
                join_pc,
                state: State::Ready,
                ticket: None,
                forced: false,
            });
            released = true;
        }
        released
    }

    /// True when every other group waits for lanes of this warp only, so that nothing will come to `index` any more.
    pub(crate) fn nobody_comes(&self, index: usize) -> bool {
        self.groups
            .iter()
            .enumerate()
            .all(|(i, g)| i == index || matches!(g.state, State::Converging(_) | State::Meeting(_)))
    }
}

fn differs_by_lane(special: Special) -> bool {
    matches!(
        special,
        Special::TidX
            | Special::TidY
            | Special::TidZ
            | Special::Laneid
            | Special::LanemaskEq
            | Special::LanemaskLe
            | Special::LanemaskLt
            | Special::LanemaskGe
            | Special::LanemaskGt
    )
}

fn special_value(special: Special, info: &WaveInfo, program: &PtxProgram, lane: u32) -> u64 {
    let (launch, chip, dynamic) = (&program.launch, &program.chip, program.dynamic_shared);
    let thread = info.number * 32 + lane;
    let [bx, by, _] = launch.block;
    let [cx, cy, cz] = launch.cluster;
    let position = info.block.position;
    let rank = info.block.rank_position;
    let lane64 = u64::from(lane);
    u64::from(match special {
        Special::TidX => thread % bx,
        Special::TidY => thread / bx % by,
        Special::TidZ => thread / bx / by,
        Special::NtidX => bx,
        Special::NtidY => by,
        Special::NtidZ => launch.block[2],
        Special::CtaidX => position[0],
        Special::CtaidY => position[1],
        Special::CtaidZ => position[2],
        Special::NctaidX => launch.grid[0],
        Special::NctaidY => launch.grid[1],
        Special::NctaidZ => launch.grid[2],
        Special::Laneid => lane,
        Special::Warpid => info.number,
        Special::Nwarpid => chip.waves,
        Special::Smid => info.block.id.0 % chip.processors.max(1),
        Special::Nsmid => chip.processors,
        Special::Gridid => 1,
        Special::IsExplicitCluster => u32::from(launch.clustered),
        Special::ClusteridX => position[0] / cx,
        Special::ClusteridY => position[1] / cy,
        Special::ClusteridZ => position[2] / cz,
        Special::NclusteridX => launch.grid[0] / cx,
        Special::NclusteridY => launch.grid[1] / cy,
        Special::NclusteridZ => launch.grid[2] / cz,
        Special::ClusterCtaidX => rank[0],
        Special::ClusterCtaidY => rank[1],
        Special::ClusterCtaidZ => rank[2],
        Special::ClusterNctaidX => cx,
        Special::ClusterNctaidY => cy,
        Special::ClusterNctaidZ => cz,
        Special::ClusterCtarank => info.block.rank,
        Special::ClusterNctarank => launch.cluster_size(),
        Special::LanemaskEq => 1 << lane,
        Special::LanemaskLe => ((2u64 << lane64) - 1) as u32,
        Special::LanemaskLt => ((1u64 << lane64) - 1) as u32,
        Special::LanemaskGe => !(((1u64 << lane64) - 1) as u32),
        Special::LanemaskGt => !(((2u64 << lane64) - 1) as u32),
        Special::DynamicSmemSize => dynamic,
        Special::TotalSmemSize | Special::AggrSmemSize => launch.shared_bytes,
        Special::WarpSz => 32,
        // Its addresses may be passed on; an access through one is not modelled.
        Special::ReservedSmemBegin | Special::ReservedSmemSlot => crate::exec::RESERVED_SHARED,
        Special::ReservedSmemEnd => crate::exec::RESERVED_SHARED + 0x120,
        // hardware: an H200 says 0x120 and 0x400.
        Special::ReservedSmemCap => 0x400,
        Special::CurrentGraphExec => 0,
        // Refused when an instruction that reads one is lowered.
        Special::Envreg | Special::PerformanceCounter => 0,
        // Counters are read by an instruction of their own.
        Special::Clock
        | Special::ClockHi
        | Special::Clock64
        | Special::Globaltimer
        | Special::GlobaltimerLo
        | Special::GlobaltimerHi => 0,
    })
}
