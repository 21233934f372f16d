//! Loops that only read memory until a value changes, and loads that start a loop of compare-and-swap.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use tilehaul_machine::{LaneMask, Space, WaitFor, Waits};

use crate::form::Kind;
use crate::op::{Action, Op, Reg, SrcKind};
use crate::wave::Wave;

/// Longest loop that is looked at.
const LONGEST: usize = 24;

/// Marks the branches back over straight code that loads and changes nothing but registers.
pub(crate) fn mark<const L: usize>(ops: &mut [Op<L>]) {
    for branch in 0..ops.len() {
        let name = ops[branch].name();
        let Ok(target) = usize::try_from(ops[branch].imm) else { continue };
        if !(name.starts_with("s_cbranch") || name == "s_branch")
            || target >= branch
            || branch - target > LONGEST
        {
            continue;
        }
        let body = &ops[target..branch];
        let spins = body.iter().any(loads) && body.iter().all(|op| loads(op) || harmless(op));
        ops[branch].spins = spins;
        if !spins {
            continue;
        }
        for at in target..branch {
            ops[at].polls |= loads(&ops[at]) && !moves(&ops[target..branch], &ops[at]);
        }
    }
}

/// Marks the loads that only give a loop of compare-and-swap its first guess: a value that is out of date costs another
/// turn and no more, so such a load races with no atomic. inferred: how LLVM expands atomics that a target lacks. The load
/// names the place with the same registers and offset, or what it loads is what the swap compares with.
///
/// May take the load of another place for such a one, when its value is compared with.
pub(crate) fn mark_guesses<const L: usize>(ops: &mut [Op<L>]) {
    for at in 0..ops.len() {
        let name = ops[at].name();
        if !(name.contains("_cmpswap") || name.starts_with("ds_cmpst")) {
            continue;
        }
        let start = at.saturating_sub(4 * LONGEST);
        let guess = (start..at).rev().find(|&i| {
            let (load, swap) = (&ops[i], &ops[at]);
            load.form.kind == Kind::Load
                && family(load.name()) == family(name)
                && (load.addr, load.saddr, load.imm, load.rsrc)
                    == (swap.addr, swap.saddr, swap.imm, swap.rsrc)
        });
        let compared = comparand(&ops[at]).and_then(|register| loaded(&ops[start..at], register));
        for load in [guess, compared.map(|i| start + i)].into_iter().flatten() {
            ops[load].swapped = true;
        }
    }
}

/// The first register of what a compare-and-swap compares with.
fn comparand<const L: usize>(op: &Op<L>) -> Option<u16> {
    let name = op.name();
    let reg = match name {
        // The new value comes first.
        _ if name.contains("_cmpswap") => Reg { n: op.data.n + op.form.dwords(), ..op.data },
        _ if name.starts_with("ds_cmpstore") => op.data1,
        _ => op.data,
    };
    (op.data.is && reg.is).then_some(reg.n)
}

/// The load whose value the register holds behind this code, where it came there by moves and by private memory alone.
fn loaded<const L: usize>(code: &[Op<L>], mut register: u16) -> Option<usize> {
    // Where in private memory the value was, when it comes from there.
    let mut saved = None;
    for (i, op) in code.iter().enumerate().rev() {
        let private = op.name().starts_with("scratch_");
        if let Some(place) = saved {
            if private && op.form.kind == Kind::Store && (op.addr, op.saddr, op.imm) == place {
                (register, saved) = (op.data.n, None);
            }
            continue;
        }
        let writes = |op: &Op<L>| {
            op.vdst.is && (op.vdst.n..op.vdst.n + u16::from(op.vdst.width.max(1))).contains(&register)
        };
        let second = op.second.as_deref().filter(|second| writes(second));
        let half = second.unwrap_or(op);
        if !writes(half) {
            continue;
        }
        let row = op.rest.inst.and_then(|i| if second.is_some() { i.second } else { Some(i.row) });
        let moves = row.is_some_and(|row| MOVES.iter().any(|m| row.mnemonic.starts_with(m)));
        match (op.form.kind, half.src[0].kind) {
            (Kind::Load, _) if private => saved = Some((op.addr, op.saddr, op.imm)),
            (Kind::Load, _) => return Some(i),
            (Kind::None, SrcKind::V(n)) if moves => {
                register = n + (register - half.vdst.n);
            }
            (Kind::None, SrcKind::S(n)) if moves => {
                return loaded_scalar(&code[..i], u16::from(n) + (register - half.vdst.n));
            }
            _ => return None,
        }
    }
    None
}

/// The scalar load of no more than such a value that fills a scalar register: a place that all lanes share is read once.
fn loaded_scalar<const L: usize>(code: &[Op<L>], register: u16) -> Option<usize> {
    let writes = |op: &Op<L>| {
        let first = u16::from(op.sdst);
        (first..first + u16::from(op.swidth)).contains(&register)
    };
    let last = code.iter().rposition(writes)?;
    let op = &code[last];
    (op.form.kind == Kind::Load && op.name().starts_with("s_load_") && op.form.bytes <= 8).then_some(last)
}

/// What brings a value to a vector register.
const MOVES: [&str; 4] = ["v_mov_b", "v_accvgpr_write", "v_accvgpr_read", "v_dual_mov_b"];

fn family(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

fn loads<const L: usize>(op: &Op<L>) -> bool {
    let name = op.name();
    let reads = [
        "ds_load_b",
        "ds_load_u",
        "ds_load_i",
        "ds_read",
        "global_load_",
        "flat_load_",
        "buffer_load_",
        "s_load_",
    ];
    reads.iter().any(|r| name.starts_with(r)) && !name.contains("lds")
}

fn harmless<const L: usize>(op: &Op<L>) -> bool {
    let name = op.name();
    matches!(op.action, Action::Alu(_))
        || [
            "s_wait",
            "s_sleep",
            "s_nop",
            "s_delay_alu",
            "s_clause",
            "v_readfirstlane",
            "buffer_inv",
            "global_inv",
        ]
        .iter()
        .any(|h| name.starts_with(h))
}

/// Whether the loop writes a register from which the load makes its address.
fn moves<const L: usize>(body: &[Op<L>], load: &Op<L>) -> bool {
    let overlap = |a: u32, n: u32, b: u32, m: u32| a < b + m && b < a + n;
    let vector = |reg: &Reg| (u32::from(reg.n), u32::from(reg.width.max(1)));
    body.iter().any(|op| {
        let v = load.addr.is
            && op.rest.touches.iter().any(|(reg, written)| {
                let ((a, n), (b, m)) = (vector(&load.addr), vector(reg));
                *written && overlap(a, n, b, m)
            });
        let s = load.rest.touches_s.iter().filter(|t| !t.2).any(|read| {
            op.rest
                .touches_s
                .iter()
                .any(|t| t.2 && overlap(read.0.into(), read.1.into(), t.0.into(), t.1.into()))
        });
        v || s
    })
}

/// What a wave that branches back waits for, when this trip left all that it wrote as it was. `progress` is the machine's:
/// while it stands, what this trip read is what the next would read, so that nothing that came in between is slept through.
pub(crate) fn poll<const L: usize>(
    wave: &mut Wave<L>,
    body: &[Op<L>],
    branch: &Op<L>,
    progress: u64,
) -> Option<Waits> {
    let mut scalars = FxHasher::default();
    (progress, branch.place.0, wave.exec, wave.scc, wave.vcc(), wave.m0()).hash(&mut scalars);
    for (first, count, written) in body.iter().flat_map(|op| &op.rest.touches_s) {
        if *written {
            let first = usize::from(*first);
            wave.s[first..].iter().take(usize::from(*count)).for_each(|s| s.hash(&mut scalars));
        }
    }
    let scalars = scalars.finish();
    // A loop that counts in a scalar register is told apart without looking at the vectors.
    let same = wave.spin.is_some_and(|(before, _)| before == scalars);
    let vectors = if same { vectors(wave, body) } else { 0 };
    if wave.spin.replace((scalars, vectors)) != Some((scalars, vectors)) || !same {
        return None;
    }
    let load = body.iter().find(|op| loads(op))?;
    let reason = if load.name().starts_with("ds_") && load.addr.is {
        let lane = wave.exec.trailing_zeros().min(L as u32 - 1) as usize;
        let address = wave.v[wave.reg(load.addr)][lane].wrapping_add(load.imm as u32);
        WaitFor::Memory { space: Space::Shared(wave.block.id), address: u64::from(address) }
    } else {
        WaitFor::Other("memory to change")
    };
    Some(Waits { lanes: LaneMask(wave.exec), place: load.place, reason })
}

/// The vector registers that a loop writes, hashed; never 0, which stands for "not looked at".
fn vectors<const L: usize>(wave: &Wave<L>, body: &[Op<L>]) -> u64 {
    let mut hasher = FxHasher::default();
    for (reg, written) in body.iter().flat_map(|op| &op.rest.touches) {
        if *written {
            let first = wave.reg(*reg);
            for row in wave.v.iter().skip(first).take(usize::from(reg.width.max(1))) {
                row.as_chunks::<2>().0.iter().for_each(|&[a, b]| {
                    hasher.write_u64(u64::from(a) | u64::from(b) << 32);
                });
            }
        }
    }
    hasher.finish() | 1
}
