//! Scalar memory: loads, and on gfx9 stores and atomics.
//!
//! Scalar operations are out of order among themselves, so only a wait for 0 proves one. Stores and atomics go through
//! the scalar cache, which is not modelled: they act at issue (inferred; compilers have not made them since gfx8).

use tilehaul_descriptor::amd::buffer_resource::{BufferGeneration, BufferResource};
use tilehaul_machine::{Access, Core, LaneMask, Order, Scope, Space, Who};

use crate::form::{Kind, apply};
use crate::memory::{extended, read_word, write_word};
use crate::op::{Flow, Op, Src, SrcKind, Stop};
use crate::wave::Wave;
use crate::{Gcn, counters};

type Result<T> = std::result::Result<T, Stop>;

/// The address that a scalar instruction names, and how many bytes may be accessed from there.
fn place<const L: usize>(w: &Wave<L>, op: &Op<L>) -> (u64, u64) {
    let register = i64::from(scalar_offset(w, &op.src[1])) * i64::from(op.imm2.max(1));
    let offset = op.imm.wrapping_add(register);
    let first = usize::from(op.rsrc);
    let (base, limit) = if op.src[2].width == 4 {
        let words = std::array::from_fn(|i| w.rs(first + i));
        let generation = if w.gfx12 { BufferGeneration::Gfx1250 } else { BufferGeneration::Gfx9 };
        let v = BufferResource::decode(words, generation);
        (v.base, Some(v.num_records * if v.stride > 0 { v.stride } else { 1 }))
    } else {
        (w.rs64(first), None)
    };
    let align = if op.form.bytes < 4 { u64::MAX } else { !3 };
    let address = base.wrapping_add_signed(offset) & align;
    let end = limit.map_or(u64::MAX, |l| base.saturating_add(l));
    (address, end.saturating_sub(address))
}

/// `s_load_*` and `s_buffer_load_*`.
pub(crate) fn load<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let seq = w.next(core, counters::SMEM);
    w.translates(op, counters::SMEM, seq, true);
    let bytes = u32::from(op.form.bytes);
    let small = bytes < 4;
    let who = Who { lanes: LaneMask::one(0), ..w.whole(op) };
    let (address, available) = place(w, op);
    let to = usize::from(op.sdst);
    let mut words = [0u32; 16];
    let available = available.min(u64::from(bytes));
    // What lies past a buffer's end reads as zero, dword by dword.
    let available = if small { available } else { available & !3 };
    if available > 0 && (!small || available >= u64::from(bytes)) {
        let addresses = [address];
        let mut access =
            Access::new(who, Space::Global, &addresses, available as u32).on(counters::SMEM, seq);
        if op.swapped {
            access = access.ordered(Order::Guess, Scope::Device);
        }
        let form = op.form;
        core.load(&access, |_, data| {
            if small {
                words[0] = extended(form, data, 0);
            } else {
                for (slot, word) in words.iter_mut().zip(data.chunks_exact(4)) {
                    *slot = read_word(word) as u32;
                }
            }
        })?;
    }
    for (i, word) in words.iter().enumerate().take((bytes as usize).div_ceil(4)) {
        w.ws(to + i, *word);
    }
    w.fills_scalar(core, op.sdst, bytes.div_ceil(4) as u8, counters::SMEM, seq, op.place);
    Ok(Flow::Next)
}

/// `s_store_*`, `s_atomic_*` and their forms on buffers; what lies past a buffer's end is left out.
pub(crate) fn change<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
) -> Result<Flow> {
    let seq = w.next(core, counters::SMEM);
    let (address, available) = place(w, op);
    let (bytes, dwords) = (op.form.bytes, usize::from(op.form.dwords()));
    let from = usize::from(op.sdst);
    let word = |i: usize| u64::from(w.rs(from + i));
    let pair = |i: usize| if dwords == 2 { word(i) | word(i + 1) << 32 } else { word(i) };
    let addresses = [address];
    let who = Who { lanes: LaneMask::one(0), ..w.whole(op) };
    match op.form.kind {
        Kind::Store => {
            let stored = available.min(u64::from(bytes)) & !3;
            if stored > 0 {
                let access =
                    Access::new(who, Space::Global, &addresses, stored as u32).on(counters::SMEM, seq);
                core.store(&access, |_, memory| {
                    for (i, slot) in memory.chunks_exact_mut(4).enumerate() {
                        write_word(slot, word(i));
                    }
                })?;
            }
        }
        Kind::Atomic(rmw) => {
            let (a, b) = (pair(0), pair(dwords));
            let mut old = 0;
            if available >= u64::from(bytes) {
                let access = Access::new(who, Space::Global, &addresses, u32::from(bytes))
                    .on(counters::SMEM, seq)
                    .ordered(Order::Relaxed, Scope::Device);
                core.atomic(&access, |_, memory| {
                    old = read_word(memory);
                    write_word(memory, apply(rmw, bytes, old, a, b));
                })?;
            }
            if op.returns {
                for i in 0..dwords {
                    w.ws(from + i, (old >> (32 * i)) as u32);
                }
                w.fills_scalar(core, op.sdst, dwords as u8, counters::SMEM, seq, op.place);
            }
        }
        Kind::Load | Kind::None => return Err(g.not_modelled(op.place)),
    }
    Ok(Flow::Next)
}

fn scalar_offset<const L: usize>(w: &Wave<L>, src: &Src) -> u32 {
    match src.kind {
        SrcKind::S(n) => w.rs(usize::from(n)),
        _ => 0,
    }
}
