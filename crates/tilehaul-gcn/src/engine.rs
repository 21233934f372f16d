//! Data movement by engines: tensor operations, asynchronous copies of gfx1250, loads to LDS of gfx9, LDS barriers.

use tilehaul_descriptor::amd::lds_barrier_word::{LdsBarrierWord, PendingWidth};
use tilehaul_descriptor::amd::tdm::{Direction, TdmDescriptor};
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_engine::lane_copy::async_lds::{self, AsyncCopy, AsyncDirection, AsyncSize};
use tilehaul_engine::lane_copy::gfx9::{self, LdsLoad, LdsLoadSize, PastLds};
use tilehaul_engine::tdm::{self, Mattered, TdmSurroundings};
use tilehaul_machine::{
    Access, AccessKind, BarrierAt, BlockId, ChannelKind, Core, End, Job, LaneMask, NewOp, NoBytes, PlanJob,
    Proxy, Space, Who,
};

use crate::buffer::{buffer_operands, unsupported_buffer};
use crate::memory::global_addresses;
use crate::op::{Action, Flow, Op, Stop};
use crate::wave::Wave;
use crate::{Gcn, counters, pending};

type Result<T> = std::result::Result<T, Stop>;

/// The engine operation of that name. `lds` says that a buffer load has its LDS bit set.
pub(crate) fn handler<const L: usize>(name: &str, lds: bool) -> Option<Action<L>> {
    if name.starts_with("scratch_load_lds_") {
        return Some(Action::Sys(scratch_to_lds));
    }
    if lds || name.starts_with("global_load_lds_") {
        return Some(Action::Sys(load_to_lds));
    }
    Some(Action::Sys(match name {
        "tensor_load_to_lds" => |g, w, op, core| tensor(g, w, op, core, Direction::Load),
        "tensor_store_from_lds" => |g, w, op, core| tensor(g, w, op, core, Direction::Store),
        n if n.starts_with("global_load_async_to_lds_b") => {
            |g, w, op, core| async_copy(g, w, op, core, AsyncKind::Load)
        }
        n if n.starts_with("global_store_async_from_lds_b") => {
            |g, w, op, core| async_copy(g, w, op, core, AsyncKind::Store)
        }
        n if n.starts_with("cluster_load_async_to_lds_b") => {
            |g, w, op, core| async_copy(g, w, op, core, AsyncKind::Cluster)
        }
        _ => return None,
    }))
}

fn issue<const L: usize>(w: &mut Wave<L>, core: &mut Core, op: NewOp, kind: ChannelKind) -> Result<()> {
    // The core gives the operation the next number of its channel.
    w.issued[kind.index()] += 1;
    let who = op.who;
    core.issue(op)?;
    // A counter that is full holds the issue up until the oldest has ended.
    let newest = w.issued[kind.index()];
    if let Some(most) = pending::most_outstanding(w.gfx12, kind).filter(|&most| !w.gfx12 && newest > most) {
        core.wait_channel(who, kind, newest - most)?;
    }
    Ok(())
}

fn load_size(name: &str) -> Option<LdsLoadSize> {
    let kind = name.rsplit('_').next()?;
    Some(match kind {
        "ubyte" => LdsLoadSize::UByte,
        "sbyte" => LdsLoadSize::SByte,
        "ushort" => LdsLoadSize::UShort,
        "sshort" => LdsLoadSize::SShort,
        "dword" => LdsLoadSize::Dword,
        "dwordx3" => LdsLoadSize::Dwordx3,
        "dwordx4" => LdsLoadSize::Dwordx4,
        _ => return None,
    })
}

fn load_to_lds<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let name = g.mnemonic(op.place);
    let Some(size) = load_size(name) else { return Err(g.not_modelled(op.place)) };
    let who = w.who(op);
    check_m0(w, core, who, name);
    let buffer = name.starts_with("buffer_");
    let (resource, accesses) = if buffer {
        let (r, a) = buffer_operands(w, op);
        (Some(r), a)
    } else {
        (None, [Default::default(); L])
    };
    let addresses = if buffer {
        [0; L]
    } else {
        // The immediate counts on both sides; the plan adds it.
        global_addresses(w, op).map(|a| a.wrapping_add_signed(-op.imm))
    };
    let source = match resource {
        Some(r) => gfx9::Source::Buffer(r, &accesses),
        None => gfx9::Source::Addresses(&addresses),
    };
    let copy = gfx9::plan(&LdsLoad {
        size,
        exec: who.lanes.0,
        source,
        m0: w.m0(),
        offset: op.imm as i32,
        lds_base: 0,
        lds_bytes: core.memories.shared_len(w.block.id),
        past_lds: PastLds::ByForm,
    })
    .map_err(|u| unsupported_buffer(g, op, u.0))?;
    if copy.unaligned_lds != 0 && core.watching() {
        core.report(who, Diagnostic::new(
            Code("m0-unaligned"),
            Level::Warning,
            format!("M0 + offset = {:#x} of {name} is no multiple of 4: what the hardware does with the low bits is not documented", w.m0().wrapping_add(op.imm as u32)),
        ).source(Source::inferred("every known user keeps it at a dword")));
    }
    let job = Box::new(PlanJob::new(copy.plan, Space::Global, &[Space::Shared(w.block.id)]));
    let new =
        NewOp { who, what: "load to LDS", proxy: Proxy::Generic, job, end: End::Channel(counters::VMEM) };
    issue(w, core, new, counters::VMEM)?;
    Ok(Flow::Next)
}

/// The direct forms take their LDS address from M0.
fn check_m0<const L: usize>(w: &Wave<L>, core: &mut Core, who: Who, name: &str) {
    if !w.m0_set && core.watching() {
        core.report(
            who,
            Diagnostic::new(
                Code("m0-not-set"),
                Level::Error,
                format!("{name} takes its LDS address from M0, which this wave has not written"),
            )
            .fix("Write the LDS byte offset to M0 before the load: s_mov_b32 m0, sN.")
            .source(Source::manual("CDNA3 ISA 9.1.9, memory buffer load to LDS")),
        );
    }
    // The scalar unit's write is on its way while the next instruction already reads M0: nothing waits for it on gfx9.
    if w.m0_at.wrapping_add(1) == w.pc && core.watching() {
        core.report(
            who,
            Diagnostic::new(
                Code("m0-written-just-before"),
                Level::Error,
                format!(
                    "{name} takes its LDS address from M0, which the instruction before it writes: without a wait state between the \
                     two it may take the old value"
                ),
            )
            .fix("Put `s_nop 0`, or any other instruction, between the write of M0 and the load.")
            .source(Source::manual(
                "CDNA3 ISA 4.5, manually inserted wait states; LLVM GCNHazardRecognizer, hasReadM0LdsDmaHazard",
            )),
        );
    }
}

/// `scratch_load_lds_*`: private memory of the lanes to LDS at M0 + offset + 4 x lane. What is read is taken at issue, for
/// nobody else can change it; the bytes in LDS belong to the operation until vmcnt covers it.
fn scratch_to_lds<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let name = g.mnemonic(op.place);
    let Some(size) = load_size(name) else { return Err(g.not_modelled(op.place)) };
    let who = w.who(op);
    check_m0(w, core, who, name);
    let seq = w.next(core, counters::VMEM);
    let from = crate::memory::scratch_addresses(w, op);
    let base = u64::from(w.m0().wrapping_add(op.imm as u32));
    let to: [u64; 64] = std::array::from_fn(|lane| base + 4 * lane as u64);
    let (bytes, signed) = match size {
        LdsLoadSize::UByte => (1, false),
        LdsLoadSize::SByte => (1, true),
        LdsLoadSize::UShort => (2, false),
        LdsLoadSize::SShort => (2, true),
        LdsLoadSize::Dword => (4, false),
        // Private memory has no wider form.
        LdsLoadSize::Dwordx3 | LdsLoadSize::Dwordx4 => return Err(g.not_modelled(op.place)),
    };
    let mut words = [0u32; 64];
    for lane in who.lanes.iter() {
        let at = lane as usize & 63;
        let raw =
            crate::memory::read_word(crate::memory::private_bytes(g, w, op, lane, from[at], bytes)?) as u32;
        let unused = 32 - 8 * bytes as u32;
        words[at] = if signed { ((raw << unused) as i32 >> unused) as u32 } else { raw };
    }
    if who.lanes.is_empty() {
        return Ok(Flow::Next);
    }
    let access = Access::new(who, Space::Shared(w.block.id), &to, 4).on(counters::VMEM, seq);
    core.store(&access, |lane, slot| crate::memory::write_word(slot, u64::from(words[lane as usize & 63])))?;
    Ok(Flow::Next)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AsyncKind {
    Load,
    Store,
    Cluster,
}

fn async_copy<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    kind: AsyncKind,
) -> Result<Flow> {
    let name = g.mnemonic(op.place);
    let bits = name.rsplit("_b").next().and_then(|b| b.parse().ok()).unwrap_or(0);
    let Some(size) = AsyncSize::from_bits(bits) else { return Err(g.not_modelled(op.place)) };
    let who = w.who(op);
    let global = global_addresses(w, op).map(|a| a.wrapping_add_signed(-op.imm));
    let at = w.reg(op.data);
    let lds = w.v[at];
    let direction = if kind == AsyncKind::Store { AsyncDirection::FromLds } else { AsyncDirection::ToLds };
    let copy = AsyncCopy {
        direction,
        size,
        exec: who.lanes.0,
        global: &global,
        lds: &lds,
        offset: op.imm as i32,
        lds_base: 0,
        lds_bytes: core.memories.shared_len(w.block.id),
    };
    let plan = async_lds::plan(&copy).plan;
    let own = Space::Shared(w.block.id);
    let (from, to, what, channel) = match kind {
        AsyncKind::Load => (Space::Global, vec![own], "async load", counters::ASYNC_LOAD),
        AsyncKind::Store => (own, vec![Space::Global], "async store", counters::ASYNC_STORE),
        AsyncKind::Cluster => {
            let size = core.launch().cluster_size() as u16;
            let targets = async_lds::cluster_targets(w.m0(), w.block.rank as u16, size);
            check_mask(g, w, op, core, u32::from(targets));
            // Every workgroup of the mask issues the load and lands its own copy; the caches merge the fetches.
            let lands = targets >> w.block.rank & 1 == 1;
            (Space::Global, if lands { vec![own] } else { Vec::new() }, "cluster load", counters::CLUSTER)
        }
    };
    let job = Box::new(PlanJob::new(plan, from, &to));
    let new = NewOp { who, what, proxy: Proxy::Generic, job, end: End::Channel(channel) };
    issue(w, core, new, channel)?;
    let seq = w.issued[channel.index()];
    w.translates(op, channel, seq, false);
    Ok(Flow::Next)
}

/// A multicast mask that names workgroups which do not exist.
fn check_mask<const L: usize>(g: &Gcn<L>, w: &Wave<L>, op: &Op<L>, core: &mut Core, mask: u32) {
    let size = core.launch().cluster_size();
    if size < 32 && mask >> size != 0 {
        core.report(
            w.whole(op),
            Diagnostic::new(
                Code("multicast-mask"),
                Level::Error,
                format!(
                    "the workgroup mask {mask:#x} of {} names a workgroup outside the cluster of {size}",
                    g.mnemonic(op.place)
                ),
            )
            .fix("Set mask bits of workgroups of the own cluster only.")
            .source(Source::manual("CDNA5 ISA 10.7")),
        );
    }
}

/// The scalar register number that means no register; such a group reads as zeros.
const NULL: u8 = 0x7c;

fn group<const L: usize, const N: usize>(w: &Wave<L>, n: u8) -> [u32; N] {
    if n == NULL { [0; N] } else { std::array::from_fn(|i| w.rs(usize::from(n) + i)) }
}

fn tensor<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    direction: Direction,
) -> Result<Flow> {
    let [g0, g1, g2, g3] = op.rest.groups;
    let optional = |n: u8| (n != NULL).then(|| group(w, n));
    let descriptor = TdmDescriptor {
        group0: group(w, g0),
        group1: group(w, g1),
        group2: optional(g2),
        group3: optional(g3),
    };
    let who = w.whole(op);
    let name = g.mnemonic(op.place);
    let clustered = core.launch().clustered && core.launch().cluster_size() > 1;
    let around = TdmSurroundings {
        lds_base: 0,
        lds_bytes: core.memories.shared_len(w.block.id),
        cluster_size: Some(if clustered { core.launch().cluster_size() as u16 } else { 1 }),
        stepping_a0: g.setup.device.stepping_a0,
    };
    let switches = &g.setup.device.tdm;
    let outcome = match tdm::plan(&descriptor, direction, &around, switches) {
        Ok(outcome) => outcome,
        Err(broken) => {
            let why: Vec<String> = broken.iter().map(|d| d.message.clone()).collect();
            let code = broken.first().map_or(Code("tdm-descriptor"), |d| d.code);
            let mut told = Diagnostic::new(
                code,
                Level::Error,
                format!("{name} has an illegal descriptor: {}", why.join("; ")),
            );
            for mattered in tdm::switches_that_matter(&descriptor, direction, &around, switches) {
                told = told.note(which_way(&mattered));
            }
            return Err(Stop::Fault(Box::new(told)));
        }
    };
    if core.watching() {
        hints(g, w, op, core, &descriptor, direction);
        for mattered in tdm::switches_that_matter(&descriptor, direction, &around, switches) {
            let text = format!("{name} depends on a switch: {}", which_way(&mattered));
            core.report(who, Diagnostic::new(Code("tdm-switch"), Level::Note, text));
        }
    }
    if let Some(violation) = outcome.violation.filter(|_| g.setup.device.lds_range_reporting) {
        core.report(who, Diagnostic::new(
            Code("tdm-lds-out-of-range"),
            Level::Error,
            format!("the tile of {name} needs LDS up to byte {:#x} and the workgroup has {:#x}: MEMVIOL, the rest of the tile is still moved", violation.needs, violation.has),
        ).source(Source::manual("CDNA5 ISA p. 156")));
    }
    let own = Space::Shared(w.block.id);
    let (from, to) = if direction == Direction::Load { (Space::Global, own) } else { (own, Space::Global) };
    let lands = outcome.multicast.is_none_or(|m| m.mask >> w.block.rank & 1 == 1);
    let job: Box<dyn Job> = match outcome.plan {
        // MEMVIOL and XNACK errors do not stop the engine. manual: CDNA5 ISA p. 156.
        Some(plan) if lands => Box::new(PlanJob::new(plan, from, &[to]).forgiving()),
        _ => Box::new(NoBytes { pieces: 0 }),
    };
    if let Some(m) = outcome.multicast.filter(|m| !m.early_timeout && core.watching()) {
        let request = rendezvous(&descriptor, m.mask);
        core.meet(who, "multicast load", request, w.block.rank, u32::from(m.mask));
    }
    let end = match outcome.barrier {
        Some(address) => End::ChannelThenWord {
            kind: counters::TENSOR,
            at: BarrierAt { block: w.block.id, address: u64::from(address) },
            step: arrive_once,
            arrivals: 1,
        },
        None => End::Channel(counters::TENSOR),
    };
    let what = if direction == Direction::Load { "tensor load" } else { "tensor store" };
    issue(w, core, NewOp { who, what, proxy: Proxy::Generic, job, end }, counters::TENSOR)?;
    Ok(Flow::Next)
}

/// How a switch stands that decided what an operation does.
fn which_way(Mattered { switch, stands, other }: &Mattered) -> String {
    let meaning =
        |value: &str| switch.values.iter().find(|(name, _)| *name == value).map_or("", |(_, text)| text);
    format!(
        "{}: `[amd] {}` stands at \"{stands}\" ({}), \"{other}\" would mean: {}",
        switch.about,
        switch.key,
        meaning(stands),
        meaning(other)
    )
}

/// A number for what the workgroups of a mask are to ask for alike: the words of the descriptor but for the place in LDS.
fn rendezvous(descriptor: &TdmDescriptor, mask: u16) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    let [first, _, low, high] = descriptor.group0;
    ([first, low, high], descriptor.group1, descriptor.group2, descriptor.group3, mask).hash(&mut hasher);
    hasher.finish()
}

/// What is legal and probably meant otherwise.
fn hints<const L: usize>(
    g: &Gcn<L>,
    w: &Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    descriptor: &TdmDescriptor,
    direction: Direction,
) {
    let context = tilehaul_descriptor::amd::tdm::TdmContext {
        direction: Some(direction),
        lds_bytes: core.memories.shared_len(w.block.id),
        ..Default::default()
    };
    if let Some(hint) = crate::extent::runs_on(g.mnemonic(op.place), descriptor, &core.memories) {
        core.report(w.whole(op), hint);
    }
    for mut hint in tilehaul_descriptor::amd::tdm::check(descriptor, &context) {
        // Notes say what ordinary kernels do; `explain` shows them.
        if hint.level == Level::Warning {
            if let Some(span) = g.span_of(op.place) {
                hint = hint.at(span, String::new());
            }
            core.report(w.whole(op), hint);
        }
    }
}

/// One arrival on a barrier word of the default layout. The second number counts phases that ended.
fn arrive_once(word: u64) -> (u64, u32) {
    arrive(word, 1)
}

fn arrive(word: u64, count: u64) -> (u64, u32) {
    let mut barrier = LdsBarrierWord { word, width: PendingWidth::default() };
    let ended = barrier.arrive(count);
    (barrier.word, u32::from(ended))
}

/// `ds_atomic_barrier_arrive_rtn_b64`: each active lane arrives as often as its operand says and gets the word before.
pub(crate) fn barrier_arrive<const L: usize>(
    _: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
) -> Result<Flow> {
    let at = crate::lds::addresses(w, op, op.imm as u32);
    let seq = w.next(core, counters::DS);
    let who = w.who(op);
    let data = w.reg(op.data);
    for lane in who.lanes.iter() {
        let i = lane as usize % L;
        let count = u64::from(w.v[data][i]) | u64::from(w.v[(data + 1) & 1023][i]) << 32;
        let one = Who { lanes: LaneMask::one(lane), ..who };
        let old = core.word_arrive(
            one,
            word(w.block.id, at[lane as usize & 63]),
            // LDS performs the operations of a wave in order. manual: CDNA5 ISA 10.8 (DScnt); LLVM AMDGPUUsage, memory model
            // of gfx12: a release that orders LDS alone needs no wait.
            (counters::DS, seq.saturating_sub(1)),
            |v| arrive(v, count),
            arrive_once,
        )?;
        w.set_lane(op.vdst, 0, lane, old as u32);
        w.set_lane(op.vdst, 1, lane, (old >> 32) as u32);
    }
    if !who.lanes.is_empty() {
        let access = Access::new(who, crate::lds::space(w), &at, 8).on(counters::DS, seq);
        core.note(&access, AccessKind::BarrierUse, LaneMask::NONE);
    }
    w.fills(core, op.vdst, 2, counters::DS, seq, op.place);
    Ok(Flow::Next)
}

fn word(block: BlockId, address: u64) -> BarrierAt {
    BarrierAt { block, address }
}

/// `ds_atomic_async_barrier_arrive_b64`: one operation, behind the wave's earlier asynchronous loads. Each lane arrives once.
pub(crate) fn barrier_arrive_async<const L: usize>(
    _: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
) -> Result<Flow> {
    let addresses = crate::lds::addresses(w, op, op.imm as u32);
    let who = w.who(op);
    let address = |lane: u32| addresses[lane as usize & 63];
    let mut left = who.lanes;
    while let Some(first) = left.iter().next() {
        let at = address(first);
        let same = LaneMask(left.iter().filter(|&l| address(l) == at).fold(0, |m, l| m | 1 << l));
        left = LaneMask(left.0 & !same.0);
        let end = End::ChannelThenWord {
            kind: counters::ASYNC_LOAD,
            at: word(w.block.id, at),
            step: arrive_once,
            arrivals: same.len(),
        };
        let who = Who { lanes: same, ..who };
        let new = NewOp {
            who,
            what: "async barrier arrive",
            proxy: Proxy::Generic,
            job: Box::new(NoBytes { pieces: 1 }),
            end,
        };
        issue(w, core, new, counters::ASYNC_LOAD)?;
    }
    Ok(Flow::Next)
}
