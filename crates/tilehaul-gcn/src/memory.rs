//! Global, flat, scratch, buffer and scalar memory.
//!
//! A load fills its registers at issue and takes a number on its channel; the machine hears of the access as belonging
//! to that number, so that a store which another wave makes before the load has been waited for is a race. See
//! `pending.rs` for the registers.

use tilehaul_descriptor::amd::buffer_resource::{
    BufferAccess, BufferElement, BufferGeneration, BufferResource,
};
use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_machine::{Access, ChannelKind, Core, FenceKind, LaneMask, Scope, Space, Who};

use crate::coherence;
use crate::form::{Extend, Form, Kind, apply};
use crate::op::{Action, Flow, Op, Reg, Src, SrcKind, Stop};
use crate::wave::Wave;
use crate::{Gcn, counters};

type Result<T> = std::result::Result<T, Stop>;

/// The memory operation of that name.
pub(crate) fn handler<const L: usize>(name: &str) -> Option<Action<L>> {
    let form = |prefix: &str| name.strip_prefix(prefix).and_then(crate::form::of);
    if form("global_").is_some()
        || form("cluster_").is_some()
        || matches!(name, "global_load_monitor_b32" | "global_load_monitor_b64" | "global_load_monitor_b128")
    {
        return Some(Action::Sys(global));
    }
    if form("flat_").is_some() {
        return Some(Action::Sys(crate::flat::flat));
    }
    if form("scratch_").is_some() {
        return Some(Action::Sys(scratch));
    }
    if form("buffer_").is_some() {
        return Some(Action::Sys(buffer));
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
        n if n.starts_with("s_load_") || n.starts_with("s_buffer_load_") => scalar,
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

fn channel_of(gfx12: bool, kind: Kind, returns: bool) -> ChannelKind {
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
        Kind::None => {}
    }
    Ok(())
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

/// The V# and each lane's operands of a buffer instruction.
pub(crate) fn buffer_operands<const L: usize>(
    w: &Wave<L>,
    op: &Op<L>,
) -> (BufferResource, [BufferAccess; L]) {
    let first = usize::from(op.rsrc);
    let words = std::array::from_fn(|i| w.rs(first + i));
    let generation = if w.gfx12 { BufferGeneration::Gfx1250 } else { BufferGeneration::Gfx9 };
    let resource = BufferResource::decode(words, generation);
    let soffset = w.s32(&op.saddr);
    let at = w.reg(op.addr);
    let (offen, idxen) = (op.imm2 & 1 == 1, op.imm2 & 2 == 2);
    let accesses = std::array::from_fn(|lane| {
        let v = |i: usize| w.v[(at + i) & 1023][lane % L];
        BufferAccess {
            index: idxen.then(|| v(0)),
            voffset: if offen { v(usize::from(idxen)) } else { 0 },
            inst_offset: op.imm as u32,
            soffset,
            lane: lane as u32,
            format_op: false,
        }
    });
    (resource, accesses)
}

fn buffer<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let (resource, accesses) = buffer_operands(w, op);
    let form = op.form;
    let who = w.who(op);
    let channel = channel_of(w.gfx12, form.kind, op.returns);
    let atomic = matches!(form.kind, Kind::Atomic(_));
    let element = if form.bytes < 4 || atomic { form.bytes } else { 4 };
    let count = u32::from(form.bytes / element);
    // Every element is range-checked on its own, so the access is cut into lanes that are whole and single elements.
    let mut whole = LaneMask::NONE;
    let mut addresses = [0u64; L];
    let mut partial: Vec<(u32, [Option<u64>; 4])> = Vec::new();
    for lane in who.lanes.iter() {
        let mut places = [None; 4];
        for (i, place) in (0..count).zip(&mut places) {
            *place =
                match resource.element(&accesses[lane as usize % L], i, u32::from(element), count, atomic) {
                    BufferElement::At(address) => Some(address),
                    BufferElement::OutOfRange => None,
                    BufferElement::Unsupported(what) => return Err(unsupported_buffer(g, op, what)),
                };
        }
        let straight = places[0].filter(|first| {
            let at = |i: usize| Some(first + i as u64 * u64::from(element));
            places.iter().take(count as usize).enumerate().all(|(i, place)| *place == at(i))
        });
        if let Some(first) = straight {
            addresses[lane as usize % L] = first;
            whole.0 |= 1 << lane;
        } else {
            partial.push((lane, places));
        }
    }
    access(w, op, core, Who { lanes: whole, ..who }, Space::Global, &addresses, channel)?;
    let seq = w.issued[channel.index()];
    let at = w.reg(if form.kind == Kind::Load { op.vdst } else { op.data });
    for (lane, places) in partial {
        for (i, place) in places.into_iter().take(count as usize).enumerate() {
            let lane_at = lane as usize % L;
            let Some(address) = place else {
                if form.kind == Kind::Load || op.returns {
                    let slot = &mut w.v[(at + i) & 1023][lane_at];
                    *slot = if form.bytes < 4 { extended(form, &[0; 4], *slot) } else { 0 };
                }
                continue;
            };
            let one = Who { lanes: LaneMask::one(lane), ..who };
            let here = [address; 64];
            let single = Access::new(one, Space::Global, &here, u32::from(element)).on(channel, seq);
            let value = w.v[(at + i) & 1023][lane_at];
            if form.kind == Kind::Load {
                let slot = &mut w.v[(at + i) & 1023][lane_at];
                core.load(&single, |_, bytes| *slot = read_word(bytes) as u32)?;
            } else {
                core.store(&single, |_, bytes| write_word(bytes, u64::from(value)))?;
            }
        }
    }
    if form.kind == Kind::Load {
        w.fills(core, op.vdst, form.dwords(), channel, seq, op.place);
    }
    Ok(Flow::Next)
}

pub(crate) fn unsupported_buffer<const L: usize>(g: &Gcn<L>, op: &Op<L>, what: &str) -> Stop {
    Stop::Unsupported(Box::new(Diagnostic::new(
        Code("unsupported-instruction"),
        Level::Error,
        format!("{} uses buffer addressing that is not modelled: {what}", g.mnemonic(op.place)),
    )))
}

/// `s_load_*` and `s_buffer_load_*`: out of order among themselves, so only a wait for 0 proves one.
fn scalar<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let seq = w.next(core, counters::SMEM);
    w.translates(op, counters::SMEM, seq, true);
    let register = i64::from(scalar_offset(w, &op.src[1])) * i64::from(op.imm2.max(1));
    let offset = op.imm.wrapping_add(register);
    let first = usize::from(op.rsrc);
    let bytes = u32::from(op.form.bytes);
    let small = bytes < 4;
    let (base, limit) = if op.src[2].width == 4 {
        let words = std::array::from_fn(|i| w.rs(first + i));
        let generation = if w.gfx12 { BufferGeneration::Gfx1250 } else { BufferGeneration::Gfx9 };
        let v = BufferResource::decode(words, generation);
        (v.base, Some(v.num_records * if v.stride > 0 { v.stride } else { 1 }))
    } else {
        (w.rs64(first), None)
    };
    let who = Who { lanes: LaneMask::one(0), ..w.whole(op) };
    let align = if small { u64::MAX } else { !3 };
    let address = base.wrapping_add_signed(offset) & align;
    let to = usize::from(op.sdst);
    let mut words = [0u32; 16];
    let end = limit.map_or(u64::MAX, |l| base.saturating_add(l));
    let available = end.saturating_sub(address).min(u64::from(bytes));
    // What lies past a buffer's end reads as zero, dword by dword.
    let available = if small { available } else { available & !3 };
    if available > 0 && (!small || available >= u64::from(bytes)) {
        let addresses = [address];
        let access = Access::new(who, Space::Global, &addresses, available as u32).on(counters::SMEM, seq);
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

fn scalar_offset<const L: usize>(w: &Wave<L>, src: &Src) -> u32 {
    match src.kind {
        SrcKind::S(n) => w.rs(usize::from(n)),
        _ => 0,
    }
}
