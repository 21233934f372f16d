//! Branches, waits, barriers, messages, hardware registers, the end.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{BarrierKey, Core, CounterKind, CounterSpec, Expected, Ticket, WaitFor, Waits, Who};

use crate::Gcn;
use crate::coherence;
use crate::counters;
use crate::op::{Action, Flow, Op, Stop};
use crate::pending;
use crate::wave::Wave;

type Result<T> = std::result::Result<T, Stop>;

/// The control operation of that name.
pub(crate) fn handler<const L: usize>(name: &str) -> Option<Action<L>> {
    Some(Action::Sys(match name {
        "s_branch" => |g, w, op, _| jump(g, w, op, true),
        "s_cbranch_scc0" => |g, w, op, _| jump(g, w, op, !w.scc),
        "s_cbranch_scc1" => |g, w, op, _| jump(g, w, op, w.scc),
        "s_cbranch_vccz" => |g, w, op, _| jump(g, w, op, w.vcc() == 0),
        "s_cbranch_vccnz" => |g, w, op, _| jump(g, w, op, w.vcc() != 0),
        "s_cbranch_execz" => |g, w, op, _| jump(g, w, op, w.exec == 0),
        "s_cbranch_execnz" => |g, w, op, _| jump(g, w, op, w.exec != 0),
        "s_endpgm" | "s_endpgm_saved" => end,
        "s_waitcnt" => waitcnt,
        "s_wait_loadcnt" => |_, w, op, core| wait(w, op, core, counters::LOADCNT, op.imm as u32),
        "s_wait_storecnt" => |_, w, op, core| wait(w, op, core, counters::STORECNT, op.imm as u32),
        "s_wait_dscnt" => |_, w, op, core| wait(w, op, core, counters::DSCNT, op.imm as u32),
        "s_wait_kmcnt" => |_, w, op, core| wait(w, op, core, counters::KMCNT, op.imm as u32),
        "s_wait_asynccnt" => |_, w, op, core| wait(w, op, core, counters::ASYNCCNT, op.imm as u32),
        "s_wait_tensorcnt" => |_, w, op, core| wait(w, op, core, counters::TENSORCNT, op.imm as u32),
        "s_wait_loadcnt_dscnt" => |_, w, op, core| wait_two(w, op, core, counters::LOADCNT),
        "s_wait_storecnt_dscnt" => |_, w, op, core| wait_two(w, op, core, counters::STORECNT),
        "s_wait_idle" => wait_idle,
        "s_wait_xcnt" => |_, w, op, _| {
            w.translated(op.imm as u32);
            Ok(Flow::Next)
        },
        "s_barrier" => barrier,
        "s_barrier_signal" => |_, w, op, core| signal(w, op, core, false),
        "s_barrier_signal_isfirst" => |_, w, op, core| signal(w, op, core, true),
        "s_barrier_wait" => barrier_wait,
        "s_barrier_init" => barrier_init,
        "s_barrier_join" => barrier_join,
        "s_barrier_leave" => |_, w, _, _| {
            w.seen.named = None;
            Ok(Flow::Next)
        },
        "s_get_barrier_state" => barrier_state,
        "s_sleep" | "s_sleep_var" | "s_monitor_sleep" | "s_wakeup" | "s_wakeup_barrier" => sleep,
        "s_sethalt" | "s_rfe_b64" | "s_rfe_i64" => unsupported,
        "s_trap" => trap,
        "s_sendmsg" | "s_sendmsghalt" => message,
        "s_sendmsg_rtn_b32" | "s_sendmsg_rtn_b64" => message_return,
        // Rounding and denormals: MODE bits 3:0 and 7:4.
        "s_round_mode" => |_, w, op, _| {
            let mode = w.mode & !15 | op.imm as u32 & 15;
            nearest(mode)?;
            w.mode = mode;
            Ok(Flow::Next)
        },
        "s_getreg_b32" => get_register,
        "s_setreg_b32" => |_, w, op, _| {
            let value = w.rs(usize::from(op.sdst));
            set_register(w, op, value)
        },
        "s_setreg_imm32_b32" => |_, w, op, _| {
            let value = w.s32(&op.src[2]);
            // The immediate form also sets the register banks from bits 19:12. inferred: LLVM 24's `msbs:` comments.
            if w.gfx12 && op.imm2 & 63 == 1 {
                let v = value >> 12 & 0xff;
                w.set_banks(v >> 2 | v << 6 & 0xc0);
            }
            set_register(w, op, value)
        },
        "s_getpc_b64" | "s_get_pc_i64" => |g, w, op, _| {
            let next = g.address(w.pc + 1);
            w.ws64(usize::from(op.sdst), next);
            Ok(Flow::Next)
        },
        "s_setpc_b64" | "s_set_pc_i64" => |g, w, op, _| {
            let to = w.s64(&op.src[0]);
            g.jump_to(to)
        },
        "s_swappc_b64" | "s_swap_pc_i64" => |g, w, op, _| {
            let to = w.s64(&op.src[0]);
            let next = g.address(w.pc + 1);
            w.ws64(usize::from(op.sdst), next);
            g.jump_to(to)
        },
        "s_add_pc_i64" => |g, w, op, _| {
            let to = g.address(w.pc + 1).wrapping_add(w.s64(&op.src[0]));
            g.jump_to(to)
        },
        "s_call_b64" | "s_call_i64" => |g, w, op, _| {
            let next = g.address(w.pc + 1);
            w.ws64(usize::from(op.sdst), next);
            jump(g, w, op, true)
        },
        "s_memtime" | "s_memrealtime" => |_, w, op, core| {
            let now = core.now();
            w.ws64(usize::from(op.sdst), now);
            let seq = w.next(core, counters::SMEM);
            w.fills_scalar(core, op.sdst, 2, counters::SMEM, seq, op.place);
            Ok(Flow::Next)
        },
        "s_get_shader_cycles_u64" => |_, w, op, core| {
            let now = core.now();
            w.ws64(usize::from(op.sdst), now);
            Ok(Flow::Next)
        },
        _ => return None,
    }))
}

#[inline]
fn jump<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, taken: bool) -> Result<Flow> {
    w.translated(0);
    if !taken {
        return Ok(Flow::Next);
    }
    match u32::try_from(op.imm) {
        Ok(target) => Ok(Flow::Jump(target)),
        Err(_) => g.jump_to(g.address(w.pc + 1).wrapping_add_signed(i64::from(op.imm2 as u16 as i16) * 4)),
    }
}

fn end<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    core.exit(w.whole(op));
    Ok(Flow::Exit)
}

fn wait<const L: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    counter: CounterKind,
    n: u32,
) -> Result<Flow> {
    let spec = counters::counters(w.gfx12)[counter.index()];
    if n > spec.max {
        never_waits(w, op, core, &spec, n);
        core.waited_in_vain(w.whole(op), counter, n);
        return Ok(Flow::Next);
    }
    core.wait_counter(w.whole(op), counter, n)?;
    if core.watching() {
        pending::proves(w, counter, n);
        crate::flat::prove_together(w, core, w.whole(op), counter, n)?;
        coherence::written_back(w, w.whole(op), core);
    }
    Ok(Flow::Next)
}

/// manual: CDNA5 ISA 10.8, sizes of the counters; LLVM 24 writes the immediate of a mark's wait as it is (llvm-project #172932).
#[cold]
fn never_waits<const L: usize>(w: &Wave<L>, op: &Op<L>, core: &mut Core, spec: &CounterSpec, n: u32) {
    let (name, max) = (spec.name, spec.max);
    let message = format!("a wait for {name} {n} never waits: {name} holds at most {max}");
    let told = Diagnostic::new(Code("wait-never-waits"), Level::Warning, message)
        .fix(format!("Wait for at most {} to let that many operations stay outstanding.", max - 1))
        .source(Source::manual("CDNA5 ISA 10.8"));
    core.report(w.whole(op), told);
}

fn wait_two<const L: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    counter: CounterKind,
) -> Result<Flow> {
    let imm = op.imm as u32;
    wait(w, op, core, counter, imm >> 8 & 63)?;
    wait(w, op, core, counters::DSCNT, imm & 63)
}

fn wait_idle<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    for counter in 0..counters::counters(w.gfx12).len() {
        wait(w, op, core, CounterKind(counter as u32), 0)?;
    }
    Ok(Flow::Next)
}

fn waitcnt<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let imm = op.imm as u32;
    let (vm, lgkm) = (imm & 15 | imm >> 10 & 0x30, imm >> 8 & 15);
    if vm < 63 {
        wait(w, op, core, counters::VMCNT, vm)?;
    }
    if lgkm < 15 {
        wait(w, op, core, counters::LGKMCNT, lgkm)?;
    }
    Ok(Flow::Next)
}

fn block_key<const L: usize>(w: &Wave<L>) -> BarrierKey {
    BarrierKey::Block(w.block.id, 0)
}

fn waits<const L: usize>(w: &Wave<L>, op: &Op<L>, reason: WaitFor) -> Waits {
    Waits { lanes: w.whole(op).lanes, place: op.place, reason }
}

/// `s_barrier`: arrives once, then waits.
fn barrier<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let who = w.whole(op);
    let ticket = match w.ticket {
        Some(ticket) => ticket,
        None => core.barrier_arrive(who, block_key(w), who.lanes.len(), Expected::Everyone),
    };
    if core.barrier_wait(who, ticket) {
        w.ticket = None;
        return Ok(Flow::Next);
    }
    w.ticket = Some(ticket);
    Ok(Flow::Block(waits(w, op, WaitFor::Rendezvous(ticket))))
}

/// The barrier that a signal or wait names: -1 the workgroup, -3 the cluster, 1 to 16 a named one.
fn barrier_number<const L: usize>(w: &Wave<L>, op: &Op<L>) -> i32 {
    match op.src[0].kind {
        crate::op::SrcKind::None => i32::from(op.imm as i16),
        crate::op::SrcKind::S(125) => (w.m0() & 63) as i32,
        _ => w.s32(&op.src[0]) as i32,
    }
}

fn signal<const L: usize>(w: &mut Wave<L>, op: &Op<L>, core: &mut Core, first: bool) -> Result<Flow> {
    let who = w.whole(op);
    let number = barrier_number(w, op);
    let (key, weight, expected) = match number {
        -1 => (block_key(w), who.lanes.len(), Expected::Everyone),
        // One wave of each workgroup signals the cluster barrier. manual: LLVM AMDGPUUsage, cluster barriers.
        -3 => (BarrierKey::Cluster(w.block.cluster, 0), 1, Expected::Count(core.launch().cluster_size())),
        1..=16 => {
            let key = BarrierKey::Block(w.block.id, number as u32);
            let members = core.block_slot(w.block.id, 0x100 + number as u32) as u32;
            (key, 1, Expected::Count(members.max(1)))
        }
        _ => return unknown_barrier(number),
    };
    if number == -3 {
        signals_once(w, op, core);
    }
    if first {
        w.scc = core.barrier_state(key).0 == 0;
    }
    core.barrier_arrive(who, key, weight, expected);
    Ok(Flow::Next)
}

/// The cluster barrier counts workgroups: a second signal of one workgroup stands for another that has not come.
fn signals_once<const L: usize>(w: &Wave<L>, op: &Op<L>, core: &mut Core) {
    const SIGNALLED: u32 = 0x200;
    let phase = u64::from(core.barrier_state(BarrierKey::Cluster(w.block.cluster, 0)).1) + 1;
    if core.block_slot(w.block.id, SIGNALLED) == phase {
        let diagnostic = Diagnostic::new(
            Code("cluster-barrier-signalled-twice"),
            Level::Error,
            format!(
                "the workgroup signals the cluster barrier a second time in one phase, which counts one signal of each of its {} \
                 workgroups: the phase ends before all have come",
                core.launch().cluster_size()
            ),
        )
        .fix("Let one wave of each workgroup signal: `s_barrier_signal_isfirst -1`, `s_barrier_wait -1`, then `s_barrier_signal -3` where SCC is 1.")
        .source(Source::manual("LLVM AMDGPUUsage, cluster barriers (gfx1250)"));
        core.report(w.whole(op), diagnostic);
    }
    core.set_block_slot(w.block.id, SIGNALLED, phase);
}

/// A wave that waits for a named barrier of which it is no member. The run goes on as if there were nothing to wait for.
fn not_joined<const L: usize>(w: &Wave<L>, op: &Op<L>, core: &mut Core, number: i32) -> Flow {
    let diagnostic = Diagnostic::new(
        Code("named-barrier-not-joined"),
        Level::Error,
        format!(
            "{} waits for barrier {number}, which it has not joined: whether it waits at all, and for whom, is not defined",
            w.id
        ),
    )
    .fix(format!("Put `s_barrier_join {number}` before the wait, in every wave that waits."))
    .source(Source::inferred("s_barrier_join makes a wave a member of the barrier; LLVM joins before every wait"));
    core.report(w.whole(op), diagnostic);
    Flow::Next
}

fn unknown_barrier<T>(number: i32) -> Result<T> {
    Err(Stop::Unsupported(Box::new(Diagnostic::new(
        Code("unsupported-instruction"),
        Level::Error,
        format!("barrier {number} is not modelled: -1 (workgroup), -3 (cluster) and 1 to 16 (named) are"),
    ))))
}

/// A wave has one "complete" bit per barrier: a completion sets it, a wait blocks until it is set and clears it. A wave that
/// stands in its wait takes the completion that it waits for, so the one behind sets the bit again. At the cluster
/// barrier, where a wave may wait that does not signal, none is lost (see [`passed_over`]).
fn barrier_wait<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let who = w.whole(op);
    let number = barrier_number(w, op);
    let stood = std::mem::take(&mut w.seen.stands);
    let (key, seen) = match number {
        -1 => (block_key(w), &mut w.seen.block),
        -3 => (BarrierKey::Cluster(w.block.cluster, 0), &mut w.seen.cluster),
        _ => match &mut w.seen.named {
            Some((n, seen)) => (BarrierKey::Block(w.block.id, *n), seen),
            None if (1..=16).contains(&number) => return Ok(not_joined(w, op, core, number)),
            None => return unknown_barrier(number),
        },
    };
    let completed = core.barrier_state(key).1;
    if completed > *seen {
        let taken = if stood || number == -3 { *seen + 1 } else { completed };
        *seen = taken;
        if !stood && taken < completed {
            passed_over(core, who);
        }
        core.barrier_wait(who, Ticket { key, generation: taken - 1 });
        return Ok(Flow::Next);
    }
    let ticket = Ticket { key, generation: *seen };
    w.seen.stands = true;
    Ok(Flow::Block(waits(w, op, WaitFor::Rendezvous(ticket))))
}

/// Compilers leave a wave that does not signal time to come to its wait: Triton 3.9 ends its loops so. The run goes on.
fn passed_over(core: &mut Core, who: Who) {
    let diagnostic = Diagnostic::new(
        Code("cluster-barrier-passed-over"),
        Level::Warning,
        "the wave comes to its wait at the cluster barrier when the phase behind has ended too: a completion may be lost, and a \
         later wait hang",
    )
    .fix("Put a workgroup barrier between the waits and the workgroup's next `s_barrier_signal -3`.")
    .source(Source::inferred("a wave has one bit for completions of a barrier"));
    core.report(who, diagnostic);
}

/// M0 bits 22:16 hold the member count in waves. manual: RDNA4 ISA 4.6.
fn barrier_init<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let number = barrier_number(w, op);
    if !(1..=16).contains(&number) {
        return unknown_barrier(number);
    }
    let members = w.m0() >> 16 & 127;
    core.set_block_slot(w.block.id, 0x100 + number as u32, u64::from(members));
    Ok(Flow::Next)
}

fn barrier_join<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let number = barrier_number(w, op) as u32;
    let completed = core.barrier_state(BarrierKey::Block(w.block.id, number)).1;
    w.seen.named = Some((number, completed));
    Ok(Flow::Next)
}

fn barrier_state<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let number = barrier_number(w, op);
    let key = match number {
        -1 => block_key(w),
        -3 => BarrierKey::Cluster(w.block.cluster, 0),
        _ => BarrierKey::Block(w.block.id, number as u32),
    };
    let arrived = core.barrier_state(key).0;
    w.ws(usize::from(op.sdst), arrived << 16);
    Ok(Flow::Next)
}

fn sleep<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, _: &mut Core) -> Result<Flow> {
    Ok(Flow::Poll(waits(w, op, WaitFor::Time)))
}

fn trap<const L: usize>(_: &Gcn<L>, _: &mut Wave<L>, op: &Op<L>, _: &mut Core) -> Result<Flow> {
    Err(Stop::Fault(Box::new(Diagnostic::new(
        Code("trap"),
        Level::Error,
        format!(
            "the kernel reached s_trap {}: compilers put it where a program must not come, or for an assertion that failed",
            op.imm
        ),
    ))))
}

pub(crate) fn unsupported<const L: usize>(
    g: &Gcn<L>,
    _: &mut Wave<L>,
    op: &Op<L>,
    _: &mut Core,
) -> Result<Flow> {
    Err(g.not_modelled(op.place))
}

fn message<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let id = op.imm as u32 & if w.gfx12 { 255 } else { 15 };
    match id {
        // The host is not there to be interrupted; registers given back early change nothing the wave can see.
        1 | 3 | 10 => {
            let _ = w.next(core, counters::message_channel(w.gfx12));
            Ok(Flow::Next)
        }
        _ => Err(g.not_modelled(op.place)),
    }
}

fn message_return<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let value = match op.imm as u32 & 255 {
        0x80 | 0x81 => 0,
        0x83 => core.now(),
        // Whether tensor operations are outstanding. manual: CDNA5 ISA, RTN_SAVE_WAVE_HAS_TDM.
        0x98 => u64::from(core.outstanding(w.id, counters::TENSOR) != 0),
        _ => return Err(g.not_modelled(op.place)),
    };
    if op.swidth == 2 {
        w.ws64(usize::from(op.sdst), value)
    } else {
        w.ws(usize::from(op.sdst), value as u32)
    }
    let channel = counters::message_channel(w.gfx12);
    let seq = w.next(core, channel);
    w.fills_scalar(core, op.sdst, op.swidth, channel, seq, op.place);
    Ok(Flow::Next)
}

fn field(imm: u32) -> (u32, u32, u32) {
    (imm & 63, imm >> 6 & 31, (imm >> 11 & 31) + 1)
}

fn mask(width: u32) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}

fn get_register<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let (id, offset, width) = field(op.imm2);
    let launch = core.launch();
    let value = match (w.gfx12, id) {
        (_, 1) => w.mode,
        (_, 2) => u32::from(w.scc) | u32::from(w.exec == 0) << 9 | u32::from(w.vcc() == 0) << 10,
        (_, 5) => 0,
        (_, 6) => launch.shared_bytes.div_ceil(512) << 12,
        (false, 4) => w.number,
        (true, 23 | 24) => w.number,
        (false, 20) => 0,
        (true, 26) => w.s[200],
        // Position and size in the cluster: bits 9:6 read 0 outside one; 24:21 the workgroup's number in its cluster.
        (true, 28) => {
            let in_cluster = launch.clustered && launch.cluster_size() > 1;
            if in_cluster { (launch.cluster_size() - 1) << 6 | w.block.rank << 21 } else { 0 }
        }
        (true, 29) => core.now() as u32,
        (true, 30) => (core.now() >> 32) as u32,
        (false, 15) => (crate::PRIVATE_BASE >> 48) as u32 | ((crate::SHARED_BASE >> 48) as u32) << 16,
        _ => return Err(g.not_modelled(op.place)),
    };
    w.ws(usize::from(op.sdst), value >> offset & mask(width));
    Ok(Flow::Next)
}

/// Whether the immediate form of a write to MODE leaves the register banks at 0.
pub(crate) fn keeps_banks<const L: usize>(op: &Op<L>) -> bool {
    matches!(op.src[2].kind, crate::op::SrcKind::Const(v) if v >> 12 & 0xff == 0)
}

fn set_register<const L: usize>(w: &mut Wave<L>, op: &Op<L>, value: u32) -> Result<Flow> {
    let (id, offset, width) = field(op.imm2);
    let place = mask(width) << offset;
    match (w.gfx12, id) {
        (_, 1) => {
            let mode = w.mode & !place | value << offset & place;
            nearest(mode)?;
            w.mode = mode;
        }
        // Scheduling mode: no effect that a program sees.
        (true, 26) => w.s[200] = w.s[200] & !place | value << offset & place,
        // Exception flags and other state that nothing here reads back.
        (_, 3 | 17 | 18 | 19) => {}
        _ => {
            return Err(Stop::Unsupported(Box::new(Diagnostic::new(
                Code("unsupported-instruction"),
                Level::Error,
                format!(
                    "writing hardware register {id} is not modelled: MODE and the scheduling and exception registers are"
                ),
            ))));
        }
    }
    Ok(Flow::Next)
}

/// Arithmetic rounds to the nearest: MODE bits 3:0 are 0.
fn nearest(mode: u32) -> Result<()> {
    if mode & 15 == 0 {
        return Ok(());
    }
    Err(Stop::Unsupported(Box::new(Diagnostic::new(
        Code("unsupported-instruction"),
        Level::Error,
        format!("rounding mode {:#x} of MODE is not modelled: only rounding to the nearest is", mode & 15),
    ))))
}
