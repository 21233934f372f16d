//! Global and private memory, and what all memory instructions share.
//!
//! A load fills its registers at issue and takes a number on its channel; the machine hears of the access as belonging
//! to that number, so that a store which another wave makes before the load has been waited for is a race. See
//! `pending.rs` for the registers.

use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_machine::{Access, ChannelKind, Core, FenceKind, LaneMask, Scope, Space, Who};

use crate::coherence;
use crate::form::{Extend, Form, Kind, apply};
use crate::op::{Action, Flow, Op, Reg, SrcKind, Stop};
use crate::wave::Wave;
use crate::{Gcn, counters};

type Result<T> = std::result::Result<T, Stop>;

/// The memory operation of that name.
pub(crate) fn handler<const L: usize>(name: &str) -> Option<Action<L>> {
    let form = |prefix: &str| name.strip_prefix(prefix).and_then(crate::form::of);
    if form("global_").is_some() || form("cluster_").is_some() {
        return Some(Action::Sys(global));
    }
    if form("flat_").is_some() {
        return Some(Action::Sys(crate::flat::flat));
    }
    if form("scratch_").is_some() {
        return Some(Action::Sys(scratch));
    }
    if form("buffer_").is_some() {
        return Some(Action::Sys(crate::buffer::buffer));
    }
    Some(Action::Sys(match name {
        "global_load_tr16_b128" | "global_load_tr8_b64" | "global_load_tr4_b64" | "global_load_tr6_b96" => {
            crate::transpose::global
        }
        "global_prefetch_b8" | "flat_prefetch_b8" => |_, _, _, _| Ok(Flow::Next),
        "buffer_inv" | "buffer_wbinvl1" | "buffer_wbinvl1_vol" | "buffer_gl0_inv" | "buffer_gl1_inv"
        | "global_inv" => |_, w, op, core| {
            core.fence_of(w.whole(op), FenceKind::Acquire, Scope::Device);
            let _ = w.next(core, counters::VMEM);
            Ok(Flow::Next)
        },
        "buffer_wbl2" | "global_wb" | "global_wbinv" => |_, w, op, core| {
            if op.name() == "global_wbinv" {
                core.fence_of(w.whole(op), FenceKind::Acquire, Scope::Device);
            }
            // It has done its work when its counter says so: see `coherence::written_back`.
            let channel = counters::store_channel(w.gfx12);
            w.writing_back = Some((channel, w.next(core, channel)));
            Ok(Flow::Next)
        },
        "global_load_addtid_b32"
        | "global_store_addtid_b32"
        | "global_load_dword_addtid"
        | "global_store_dword_addtid" => by_thread,
        n if n.starts_with("s_store_")
            || n.starts_with("s_buffer_store_")
            || n.strip_prefix("s_buffer_")
                .or(n.strip_prefix("s_"))
                .and_then(crate::form::of)
                .is_some_and(|f| matches!(f.kind, Kind::Atomic(_))) =>
        {
            crate::scalar::change
        }
        n if n.starts_with("buffer_load_format_") || n.starts_with("buffer_store_format_") => {
            crate::typed::format
        }
        n if n.starts_with("s_load_") || n.starts_with("s_buffer_load_") => crate::scalar::load,
        _ => return None,
    }))
}

/// One address and its lanes for a 64-bit vector address, or a scalar address plus a vector offset.
pub(crate) fn global_addresses<const L: usize>(w: &Wave<L>, op: &Op<L>) -> [u64; L] {
    let mut out = [0u64; L];
    let offset = op.imm;
    if op.saddr.kind == SrcKind::None {
        let at = w.reg(op.addr);
        let (low, high) = (&w.v[at], &w.v[(at + 1) & 1023]);
        for lane in 0..L {
            out[lane] = (u64::from(low[lane]) | u64::from(high[lane]) << 32).wrapping_add_signed(offset);
        }
    } else {
        let base = w.s64(&op.saddr);
        let at = w.reg(op.addr);
        let scale = u64::from(op.imm2.max(1));
        let base = base.wrapping_add_signed(offset);
        for (slot, value) in out.iter_mut().zip(&w.v[at]) {
            // gfx1250 takes the offset as signed, gfx9 as unsigned. manual: LLVM, hasSignedGVSOffset.
            let offset = if w.gfx12 { *value as i32 as u64 } else { u64::from(*value) };
            *slot = base.wrapping_add(offset.wrapping_mul(scale));
        }
    }
    out
}

fn global<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let addresses = global_addresses(w, op);
    let who = w.who(op);
    let channel = channel_of(w.gfx12, op.form.kind, op.returns);
    access(w, op, core, who, Space::Global, &addresses, channel)?;
    Ok(Flow::Next)
}

/// `global_load_addtid_b32`: the address is scalar base + offset + 4 * lane. manual: RDNA4 ISA, GLOBAL_LOAD_ADDTID_B32.
fn by_thread<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let base = if op.saddr.kind == SrcKind::None { 0 } else { w.s64(&op.saddr) };
    let base = base.wrapping_add_signed(op.imm);
    let addresses = std::array::from_fn(|lane| base.wrapping_add(4 * lane as u64));
    let channel = channel_of(w.gfx12, op.form.kind, false);
    let who = w.who(op);
    access(w, op, core, who, Space::Global, &addresses, channel)?;
    Ok(Flow::Next)
}

pub(crate) fn channel_of(gfx12: bool, kind: Kind, returns: bool) -> ChannelKind {
    match kind {
        Kind::Load | Kind::None => counters::VMEM,
        Kind::Atomic(_) if returns => counters::VMEM,
        Kind::Store | Kind::Atomic(_) => counters::store_channel(gfx12),
    }
}

/// Moves bytes between registers and memory for the lanes of `who`.
pub(crate) fn access<const L: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    who: Who,
    space: Space,
    addresses: &[u64; L],
    channel: ChannelKind,
) -> Result<()> {
    let seq = w.next(core, channel);
    w.translates(op, channel, seq, false);
    numbered(w, op, core, who, space, addresses, (channel, seq))
}

/// The same for lanes of an instruction that already has its number on a channel.
pub(crate) fn numbered<const L: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    who: Who,
    space: Space,
    addresses: &[u64; L],
    (channel, seq): (ChannelKind, u32),
) -> Result<()> {
    let form = op.form;
    if who.lanes.is_empty() {
        return Ok(());
    }
    let (order, scope) = coherence::order(w, op, space, who.lanes, addresses);
    let access =
        Access::new(who, space, addresses, u32::from(form.bytes)).on(channel, seq).ordered(order, scope);
    match form.kind {
        Kind::Load => {
            load(w, op, core, &access, op.vdst)?;
            w.fills(core, op.vdst, form.dwords(), channel, seq, op.place);
        }
        Kind::Store => {
            // What is stored after a write-back waits for the next one.
            w.written_back &= space != Space::Global || op.scope.is_some();
            store(w, op, core, &access, op.data)?;
        }
        Kind::Atomic(rmw) => {
            let data = w.reg(op.data);
            let dwords = usize::from(form.dwords());
            let get = |v: &[[u32; L]], at: usize, lane: u32| -> u64 {
                let lane = lane as usize % L;
                let low = u64::from(v[at & 1023][lane]);
                if dwords == 2 { low | u64::from(v[(at + 1) & 1023][lane]) << 32 } else { low }
            };
            let mut before = [0u64; 64];
            let v = &w.v;
            core.atomic(&access, |lane, bytes| {
                let old = read_word(bytes);
                // A compare-and-swap has the new value first, then the comparand.
                let (a, b) = (get(v, data, lane), get(v, data + dwords, lane));
                write_word(bytes, apply(rmw, form.bytes, old, a, b));
                before[lane as usize & 63] = old;
            })?;
            if op.returns {
                for lane in who.lanes.iter() {
                    let old = before[lane as usize & 63];
                    w.set_lane(op.vdst, 0, lane, old as u32);
                    if dwords == 2 {
                        w.set_lane(op.vdst, 1, lane, (old >> 32) as u32);
                    }
                }
                w.fills(core, op.vdst, form.dwords(), channel, seq, op.place);
            }
        }
        Kind::None => return Err(moves_nothing(op)),
    }
    Ok(())
}

/// A handler was chosen for an instruction that its form says nothing about.
fn moves_nothing<const L: usize>(op: &Op<L>) -> Stop {
    let text = format!("{} moves bytes in a form that is not modelled", op.name());
    Stop::Unsupported(Box::new(Diagnostic::new(Code("unsupported-instruction"), Level::Error, text)))
}

pub(crate) fn read_word(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |v, &b| v << 8 | u64::from(b))
}

pub(crate) fn write_word(bytes: &mut [u8], value: u64) {
    for (i, b) in bytes.iter_mut().enumerate().take(8) {
        *b = (value >> (8 * i)) as u8;
    }
}

/// The register value of loaded bytes; `old` is what the register held.
pub(crate) fn extended(form: Form, bytes: &[u8], old: u32) -> u32 {
    let raw = read_word(bytes) as u32;
    let half = |v: u32| if form.high { old & 0xffff | v << 16 } else { old & 0xffff_0000 | v & 0xffff };
    match form.extend {
        Extend::None | Extend::U8 | Extend::U16 => raw,
        Extend::I8 => raw as u8 as i8 as i32 as u32,
        Extend::I16 => raw as u16 as i16 as i32 as u32,
        Extend::HalfU8 | Extend::HalfB16 => half(raw),
        Extend::HalfI8 => half(raw as u8 as i8 as i16 as u16 as u32),
    }
}

pub(crate) fn load<const L: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    access: &Access<'_>,
    to: Reg,
) -> Result<()> {
    let at = w.reg(to);
    let form = op.form;
    let v = &mut w.v;
    if form.bytes < 4 {
        core.load(access, |lane, bytes| {
            let slot = &mut v[at][lane as usize % L];
            *slot = extended(form, bytes, *slot);
        })?;
        return Ok(());
    }
    let plain = match form.dwords() {
        1 => v.get_disjoint_mut([at]).ok().map(|rows| core.load_dwords(access, rows)),
        2 => v.get_disjoint_mut([at, at + 1]).ok().map(|rows| core.load_dwords(access, rows)),
        3 => v.get_disjoint_mut([at, at + 1, at + 2]).ok().map(|rows| core.load_dwords(access, rows)),
        _ => v.get_disjoint_mut([at, at + 1, at + 2, at + 3]).ok().map(|rows| core.load_dwords(access, rows)),
    };
    match plain {
        Some(loaded) => loaded?,
        // Register numbers wrap.
        None => core.load(access, |lane, bytes| {
            for (i, word) in bytes.as_chunks::<4>().0.iter().enumerate() {
                v[(at + i) & 1023][lane as usize % L] = u32::from_le_bytes(*word);
            }
        })?,
    }
    Ok(())
}

pub(crate) fn store<const L: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    access: &Access<'_>,
    from: Reg,
) -> Result<()> {
    let at = w.reg(from);
    let form = op.form;
    let v = &w.v;
    if form.bytes < 4 {
        let shift = if form.high || from.high { 16 } else { 0 };
        core.store(access, |lane, bytes| write_word(bytes, u64::from(v[at][lane as usize % L] >> shift)))?;
        return Ok(());
    }
    let row = |i: usize| &v[(at + i) & 1023];
    match form.dwords() {
        1 => core.store_dwords(access, [row(0)])?,
        2 => core.store_dwords(access, [row(0), row(1)])?,
        3 => core.store_dwords(access, [row(0), row(1), row(2)])?,
        _ => core.store_dwords(access, [row(0), row(1), row(2), row(3)])?,
    }
    Ok(())
}

pub(crate) fn fills_loaded<const L: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &Core,
    channel: ChannelKind,
    seq: u32,
) {
    if op.form.kind == Kind::Load || op.returns {
        w.fills(core, op.vdst, op.form.dwords(), channel, seq, op.place);
    }
}

/// Private memory of each lane lives in the executor: nobody else can see it.
fn scratch<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let channel = channel_of(w.gfx12, op.form.kind, op.returns);
    let seq = w.next(core, channel);
    w.translates(op, channel, seq, false);
    let address = scratch_addresses(w, op);
    private(g, w, op, LaneMask(w.exec), |lane| (lane, address[lane as usize & 63]))?;
    fills_loaded(w, op, core, channel, seq);
    Ok(Flow::Next)
}

/// The offsets into private memory that a scratch instruction names.
pub(crate) fn scratch_addresses<const L: usize>(w: &Wave<L>, op: &Op<L>) -> [u32; 64] {
    let base = if op.saddr.kind == SrcKind::None { 0 } else { w.s32(&op.saddr) };
    let at = w.reg(op.addr);
    std::array::from_fn(|lane| {
        let vector = if op.addr.is { w.v[at][lane % L].wrapping_mul(op.imm2.max(1)) } else { 0 };
        base.wrapping_add(vector).wrapping_add(op.imm as u32)
    })
}

/// The bytes of private memory at `address` of lane `owner`.
pub(crate) fn private_bytes<'w, const L: usize>(
    g: &Gcn<L>,
    w: &'w mut Wave<L>,
    op: &Op<L>,
    owner: u32,
    address: u32,
    bytes: usize,
) -> Result<&'w mut [u8]> {
    let size = w.scratch_bytes as usize;
    let start = owner as usize % L * size + address as usize;
    if address as usize + bytes > size {
        return Err(Stop::Fault(Box::new(Diagnostic::new(
            Code("scratch-out-of-bounds"),
            Level::Error,
            format!(
                "{} of lane {owner} at scratch + {address:#x} leaves the {size} bytes of scratch that each lane has",
                g.mnemonic(op.place)
            ),
        ))));
    }
    w.scratch.get_mut(start..start + bytes).ok_or_else(|| g.not_modelled(op.place))
}

/// Moves bytes between registers and private memory; `place` gives each lane's owner and offset.
pub(crate) fn private<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    lanes: LaneMask,
    place: impl Fn(u32) -> (u32, u32),
) -> Result<()> {
    let form = op.form;
    let bytes = usize::from(form.bytes);
    let (to, from) = (w.reg(op.vdst), w.reg(op.data));
    for lane in lanes.iter() {
        let at = lane as usize % L;
        let (owner, address) = place(lane);
        let mut words = [0u32; 4];
        let count = bytes.div_ceil(4).min(4);
        for (i, word) in words.iter_mut().enumerate().take(count) {
            *word = w.v[(from + i) & 1023][at] >> if form.high || op.data.high { 16 } else { 0 };
        }
        let memory = private_bytes(g, w, op, owner, address, bytes)?;
        let old = read_word(memory);
        match form.kind {
            Kind::Load => {
                let mut data = [0u8; 16];
                data[..bytes.min(16)].copy_from_slice(&memory[..bytes.min(16)]);
                if bytes < 4 {
                    let before = w.v[to][at];
                    w.v[to][at] = extended(form, &data[..bytes], before);
                } else {
                    for (i, word) in data[..bytes.min(16)].chunks_exact(4).enumerate() {
                        w.v[(to + i) & 1023][at] = read_word(word) as u32;
                    }
                }
            }
            Kind::Store => {
                for (slot, byte) in memory.iter_mut().zip(words.iter().flat_map(|word| word.to_le_bytes())) {
                    *slot = byte;
                }
            }
            Kind::Atomic(rmw) => {
                let wide = bytes == 8;
                let dwords = usize::from(form.dwords());
                let pair = |v: &[[u32; L]], first: usize| {
                    let low = u64::from(v[first & 1023][at]);
                    if wide { low | u64::from(v[(first + 1) & 1023][at]) << 32 } else { low }
                };
                let (a, b) = (pair(&w.v, from), pair(&w.v, from + dwords));
                let new = apply(rmw, form.bytes, old, a, b);
                write_word(private_bytes(g, w, op, owner, address, bytes)?, new);
                if op.returns {
                    w.set_lane(op.vdst, 0, lane, old as u32);
                    if wide {
                        w.set_lane(op.vdst, 1, lane, (old >> 32) as u32);
                    }
                }
            }
            Kind::None => return Err(g.not_modelled(op.place)),
        }
    }
    Ok(())
}
