//! Vector arithmetic: tables of operations by name.
//!
//! Most operations treat every lane alike: `kernel.rs` holds their arithmetic, and this file brings operands to it, with
//! source modifiers, lane movement (DPP), byte selection (SDWA) and halves (op_sel), and takes the result to the
//! destination, with clamp, omod and EXEC. What [`lower`] finds out about an instruction is not asked again when it runs.
//! The others (carries, selects, permutes, bytes) read and write whole registers themselves.

pub(crate) mod compare;
mod convert;
pub(crate) mod denormal;
mod dot;
mod float;
mod index;
mod int;
pub(crate) mod kernel;
pub(crate) mod lane;
mod lookup;
mod operand;
mod packed;
mod scaled;
mod trig;

use crate::op::{Action, Lanes, Op, SrcKind, Work};
use crate::wave::Wave;
use kernel::{Kernel, Lanewise, LongRow, Part, Row};
pub(crate) use operand::*;

/// Chooses what runs for the vector operation of that name (without its encoding suffix) and prepares the operands.
pub(crate) fn lower<const L: usize>(name: &str, op: &mut Op<L>) -> Option<Action<L>> {
    if let Some(lanewise) = lanewise(name, op.clamp) {
        return Some(Action::Alu(prepare(lanewise, op)));
    }
    op.denormals = denormal::obeyed_by_name(name);
    convert::special(name)
        .or_else(|| float::special(name))
        .or_else(|| int::special(name))
        .or_else(|| packed::special(name))
        .or_else(|| dot::special(name))
        .or_else(|| scaled::special(name, op))
        .or_else(|| lookup::special(name))
        .or_else(|| index::special(name))
        .or_else(|| lane::special(name, op))
        .or_else(|| compare::lower(name, op))
}

/// Whether `clamp` means something that is modelled: a float in 0 to 1, an integer that saturates, or nothing at all
/// where a result cannot overflow.
pub(crate) fn clamps(name: &str) -> bool {
    const FLOATS: [&str; 5] = ["_f16", "_f32", "_f64", "bf16", "_f8"];
    const UNCHANGED: [&str; 9] = [
        "v_max",
        "v_min",
        "v_med3",
        "v_pk_max",
        "v_pk_min",
        "v_align",
        "v_pk_lshl",
        "v_pk_lshr",
        "v_pk_ashr",
    ];
    int::saturating(name).is_some()
        || packed::saturating(name).is_some()
        || int::clamps(name)
        || dot::clamps(name)
        || FLOATS.iter().any(|f| name.contains(f))
        || UNCHANGED.iter().any(|u| name.starts_with(u))
}

fn lanewise(name: &str, clamp: bool) -> Option<Lanewise> {
    let saturating = || int::saturating(name).or_else(|| packed::saturating(name));
    clamp
        .then(saturating)
        .flatten()
        .or_else(|| int::lanewise(name))
        .or_else(|| float::lanewise(name))
        .or_else(|| convert::lanewise(name))
        .or_else(|| packed::lanewise(name))
}

/// Notes in the operands what reading and writing them takes, and picks the loop.
fn prepare<const L: usize>(lanewise: Lanewise, op: &mut Op<L>) -> fn(&mut Wave<L>, &Op<L>) {
    let gfx9 = L == 64;
    op.work = Work::Lanes(lanewise.kernel);
    op.result = lanewise.result;
    op.denormals = denormal::obeyed(&lanewise);
    set_parts(op, lanewise.sources);
    op.direct = !op.lanes.moves_result()
        && match lanewise.result {
            Part::Single => op.omod == 0 && !op.clamp,
            // gfx9 clears the upper half.
            Part::Short => gfx9 && !op.vdst.high,
            part => part == Part::Word,
        };
    match (lanewise.kernel, lanewise.packed) {
        (_, true) => packed::run,
        (Kernel::Narrow(_) | Kernel::Table(_), false) => narrow,
        (Kernel::Wide(_), false) => wide_lanes,
    }
}

/// Says what the sources are, and which of them are used as they are.
pub(crate) fn set_parts<const L: usize>(op: &mut Op<L>, parts: [Part; 3]) {
    op.parts = parts;
    for (i, (src, part)) in op.src.iter_mut().zip(parts).enumerate() {
        let changed = matches!(part, Part::Single) && (src.neg || src.abs) || op.lanes.moves(i);
        src.plain = matches!(part, Part::Absent | Part::Word | Part::Single) && !changed;
    }
}

/// Where the sources of at most 32 bits are: registers are used where they lie; what is no register, or is changed on
/// the way, goes to the wave's own rows.
///
/// The places go to the caller's own array: one that is returned is copied in pieces of another size than it was written
/// in, which the processor does not forward.
#[inline(always)]
fn gather<const L: usize>(w: &mut Wave<L>, op: &Op<L>, at: &mut [usize; 3]) {
    for (i, (at, src)) in at.iter_mut().zip(&op.src).enumerate() {
        match src.kind {
            SrcKind::V(n) if src.plain => *at = w.index(src, n),
            SrcKind::S(_) | SrcKind::Const(_) if src.plain => {
                let value = w.s32(src);
                if let Some(row) = w.rows[i].first_chunk_mut::<32>() {
                    *row = [value; 32];
                }
                *at = SAME;
            }
            SrcKind::V(n)
                if op.parts[i] == Part::Word
                    && let Lanes::Sdwa(v) = op.lanes =>
            {
                w.rows[i] = sdwa_selected(&w.v[w.index(src, n)], v, i);
            }
            _ if op.parts[i] != Part::Absent => w.rows[i] = operand(w, op, i, op.parts[i]),
            _ => {}
        }
    }
}

/// Where a source is that is no register: in the wave's own row.
pub(crate) const OWN: usize = usize::MAX;
/// The same, and all lanes have what its first 32 hold.
const SAME: usize = usize::MAX - 1;

/// The sources that [`gather`] found, in rows of 32 lanes; see [`half()`].
#[inline(always)]
fn rows<const L: usize>(w: &Wave<L>, at: [usize; 3]) -> [&[Row]; 3] {
    std::array::from_fn(|i| halves(w.v.get(at[i]), &w.rows[i], at[i]))
}

#[inline(always)]
fn halves<'w, const L: usize>(register: Option<&'w [u32; L]>, own: &'w [u32; L], at: usize) -> &'w [Row] {
    let rows = register.unwrap_or(own).as_chunks::<32>().0;
    if register.is_none() && at == SAME { rows.get(..1).unwrap_or(rows) } else { rows }
}

/// Row `i` of a source; one that is the same for all lanes has only one.
#[inline(always)]
fn half<T>(rows: &[T], i: usize) -> &T {
    &rows[i.min(rows.len() - 1)]
}

/// Runs a kernel on operands of at most 32 bits.
fn narrow<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    if denormal::flushes(w, op) != 0 {
        return narrow_flushing(w, op);
    }
    let mut at = [OWN; 3];
    gather(w, op, &mut at);
    if op.direct && w.exec == Wave::<L>::FULL {
        return in_place(w, op, at, |sources, out| apply(op, sources, out));
    }
    let mut out = [0u32; L];
    apply(op, rows(w, at), &mut out);
    if op.direct {
        w.write(op.vdst, 0, &out);
    } else {
        put_part(w, op, op.result, &mut out);
    }
}

/// The same where MODE has denormals flushed.
#[cold]
fn narrow_flushing<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    gather_flushed(w, op);
    let mut out = [0u32; L];
    apply(op, rows(w, [OWN; 3]), &mut out);
    put_part(w, op, op.result, &mut out);
}

/// Brings all sources to the wave's own rows, without denormals that MODE does not let in.
fn gather_flushed<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    for (i, part) in op.parts.into_iter().enumerate() {
        if part != Part::Absent {
            w.rows[i] = operand(w, op, i, part);
        }
    }
}

/// Lets `f` write the target where it lies, when all lanes execute.
#[inline(always)]
fn in_place<const L: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    mut at: [usize; 3],
    f: impl FnOnce([&[Row]; 3], &mut [u32; L]),
) {
    let target = w.reg(op.vdst);
    // The target's old value may be a source, which must stay as it is until all lanes are done.
    for (at, row) in at.iter_mut().zip(&mut w.rows).filter(|(at, _)| **at == target) {
        (*row, *at) = (w.v[target], OWN);
    }
    let (below, rest) = w.v.split_at_mut(target);
    let Some((out, above)) = rest.split_first_mut() else { return };
    let sources = std::array::from_fn(|i| {
        let register = match at[i].checked_sub(target) {
            None => below.get(at[i]),
            Some(beyond) => above.get(beyond.wrapping_sub(1)),
        };
        halves(register, &w.rows[i], at[i])
    });
    f(sources, out);
}

/// Runs the instruction's kernel, which [`prepare`] made sure is one of these.
#[inline(always)]
fn apply<const L: usize>(op: &Op<L>, sources: [&[Row]; 3], out: &mut [u32; L]) {
    match op.work {
        Work::Lanes(Kernel::Narrow(f)) => each_row(f, sources, out),
        Work::Lanes(Kernel::Table(f)) => each_row(|s, out| f(s, op.imm2, out), sources, out),
        _ => {}
    }
}

/// Hands 32 lanes at a time to a kernel.
#[inline(always)]
pub(crate) fn each_row<const L: usize>(
    f: impl Fn([&Row; 3], &mut Row),
    sources: [&[Row]; 3],
    out: &mut [u32; L],
) {
    for (i, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        f(sources.map(|rows| half(rows, i)), out);
    }
}

/// Runs a kernel where some operand has 64 bits.
fn wide_lanes<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let Work::Lanes(Kernel::Wide(f)) = op.work else { return w.misled(op) };
    let mut sources = [[0u64; L]; 3];
    for (i, (source, part)) in sources.iter_mut().zip(op.parts).enumerate() {
        if part != Part::Absent {
            *source = operand_long(w, op, i, part);
        }
    }
    let mut out = [0u64; L];
    each_long_row(f, &sources, &mut out);
    put_long_part(w, op, op.result, &out);
}

fn each_long_row<const L: usize>(
    f: fn([&LongRow; 3], &mut LongRow),
    sources: &[[u64; L]; 3],
    out: &mut [u64; L],
) {
    let rows = sources.each_ref().map(|s| s.as_chunks::<32>().0);
    for (i, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        f([&rows[0][i], &rows[1][i], &rows[2][i]], out);
    }
}

/// A table of operations that read and write registers themselves: `name => function(argument);`.
macro_rules! specials {
    ($name:expr; $($($n:literal)|+ => $f:ident($($argument:expr)?);)*) => {
        match $name {
            $($($n)|+ => Some(Action::Alu(|w, op| $f(w, op $(, $argument)?))),)*
            _ => None,
        }
    };
}
pub(crate) use specials;

pub(crate) use convert::toward_zero;
pub(crate) use float::{
    double_max, double_min, max as float_max, maximum as float_maximum, min as float_min,
    minimum as float_minimum,
};
pub(crate) use index::{index_mode, set_index};
