//! LDS instructions.
//!
//! A write past the workgroup's allocation is dropped: compilers mask lanes so. inferred: the behaviour that compiled
//! gfx1250 kernels depend on; gfx9 does the same in its manual (CDNA3 ISA 11.1). A read past it is a fault here.

use tilehaul_machine::{Access, Core, LaneMask, Order, Scope, Space, Who};

use crate::form::{Kind, apply, ds_atomic};
use crate::memory::{load, read_word, store, write_word};
use crate::op::{Action, Flow, Op, Stop};
use crate::wave::Wave;
use crate::{Gcn, coherence, counters};

type Result<T> = std::result::Result<T, Stop>;

/// The LDS operation of that name.
pub(crate) fn handler<const L: usize>(name: &str) -> Option<Action<L>> {
    let rest = name.strip_prefix("ds_")?;
    if crate::form::of(rest).is_some() {
        return Some(Action::Sys(single));
    }
    Some(Action::Sys(match rest {
        "bpermute_b32" | "bpermute_fi_b32" => bpermute,
        "permute_b32" => permute,
        "swizzle_b32" => swizzle,
        "nop" => |_, w, _, core| {
            let _ = w.next(core, counters::DS);
            Ok(Flow::Next)
        },
        "append" => |_, w, op, core| counted(w, op, core, u32::wrapping_add),
        "consume" => |_, w, op, core| counted(w, op, core, u32::wrapping_sub),
        "read_addtid_b32" | "load_addtid_b32" | "write_addtid_b32" | "store_addtid_b32" => by_thread,
        "read_b64_tr_b16" | "read_b64_tr_b8" | "read_b64_tr_b4" | "read_b96_tr_b6" | "load_tr16_b128"
        | "load_tr8_b64" | "load_tr4_b64" | "load_tr6_b96" => crate::transpose::lds,
        "atomic_barrier_arrive_rtn_b64" => crate::engine::barrier_arrive,
        "atomic_async_barrier_arrive_b64" => crate::engine::barrier_arrive_async,
        _ if two(rest).is_some() => pair,
        _ if two_exchanges(rest).is_some() => exchange_pair,
        _ if ds_atomic(name).is_some() => atomic,
        _ => return None,
    }))
}

/// `read2st64_b64` and the like: bytes of each part, and the unit of the offsets in parts.
pub(crate) fn two(rest: &str) -> Option<(u8, u32)> {
    ["read2", "write2", "load_2addr", "store_2addr"].iter().find_map(|p| rest.strip_prefix(p).and_then(unit))
}

/// The same for `wrxchg2st64_rtn_b64` and the like.
pub(crate) fn two_exchanges(rest: &str) -> Option<(u8, u32)> {
    let (name, kind) = rest.split_once("_rtn")?;
    let tail = ["wrxchg2", "storexchg_2addr"].iter().find_map(|p| name.strip_prefix(p))?;
    unit(&format!("{tail}{kind}"))
}

fn unit(name: &str) -> Option<(u8, u32)> {
    match name {
        "_b32" => Some((4, 1)),
        "_b64" => Some((8, 1)),
        "st64_b32" | "_stride64_b32" => Some((4, 64)),
        "st64_b64" | "_stride64_b64" => Some((8, 64)),
        _ => None,
    }
}

pub(crate) fn space<const L: usize>(w: &Wave<L>) -> Space {
    Space::Shared(w.block.id)
}

/// LDS addresses of the lanes, with an offset added modulo 2^32.
pub(crate) fn addresses<const L: usize>(w: &Wave<L>, op: &Op<L>, offset: u32) -> [u64; L] {
    let row = &w.v[w.reg(op.addr)];
    std::array::from_fn(|lane| u64::from(row[lane].wrapping_add(offset)))
}

/// The lanes of `who` whose bytes lie inside the allocation.
pub(crate) fn inside<const L: usize>(
    w: &Wave<L>,
    core: &Core,
    who: Who,
    addresses: &[u64; L],
    bytes: u64,
) -> LaneMask {
    core.lanes_inside(&Access::new(who, space(w), addresses, bytes as u32))
}

fn single<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let at = addresses(w, op, op.imm as u32);
    let seq = w.next(core, counters::DS);
    let mut who = w.who(op);
    if who.lanes.is_empty() {
        return Ok(Flow::Next);
    }
    if op.form.kind == Kind::Load {
        let access = ordered(w, op, who, &at, seq);
        load(w, op, core, &access, op.vdst)?;
        w.fills(core, op.vdst, op.form.dwords(), counters::DS, seq, op.place);
        return Ok(Flow::Next);
    }
    who.lanes = inside(w, core, who, &at, u64::from(op.form.bytes));
    if !who.lanes.is_empty() {
        let access = ordered(w, op, who, &at, seq);
        store(w, op, core, &access, op.data)?;
    }
    Ok(Flow::Next)
}

/// An access as operation `seq` of the LDS channel, with the order that [`coherence`] gives it.
fn ordered<'a, const L: usize>(
    w: &Wave<L>,
    op: &Op<L>,
    who: Who,
    addresses: &'a [u64; L],
    seq: u32,
) -> Access<'a> {
    let (order, scope) = coherence::order(w, op, space(w), who.lanes, addresses);
    Access::new(who, space(w), addresses, u32::from(op.form.bytes))
        .on(counters::DS, seq)
        .ordered(order, scope)
}

/// Two accesses with one address: offsets count elements, or 64 elements.
fn pair<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let seq = w.next(core, counters::DS);
    let who = w.who(op);
    let bytes = op.form.bytes;
    let dwords = op.form.dwords();
    // The address register may also be a destination, so both addresses are read first.
    let unit = u32::from(bytes) * op.imm2;
    let places =
        [addresses(w, op, (op.imm as u32 & 255) * unit), addresses(w, op, (op.imm as u32 >> 8 & 255) * unit)];
    for (part, at) in places.iter().enumerate() {
        if op.form.kind == Kind::Load {
            let mut to = op.vdst;
            to.n += part as u16 * dwords;
            if !who.lanes.is_empty() {
                let access = Access::new(who, space(w), at, u32::from(bytes)).on(counters::DS, seq);
                load(w, op, core, &access, to)?;
            }
        } else {
            let lanes = inside(w, core, who, at, u64::from(bytes));
            if !lanes.is_empty() {
                let access =
                    Access::new(Who { lanes, ..who }, space(w), at, u32::from(bytes)).on(counters::DS, seq);
                store(w, op, core, &access, if part == 0 { op.data } else { op.data1 })?;
            }
        }
    }
    if op.form.kind == Kind::Load {
        w.fills(core, op.vdst, 2 * dwords, counters::DS, seq, op.place);
    }
    Ok(Flow::Next)
}

/// Two exchanges with one address, each with data of its own; the old values stand one behind the other.
fn exchange_pair<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let seq = w.next(core, counters::DS);
    let who = w.who(op);
    let (bytes, dwords) = (op.form.bytes, usize::from(op.form.dwords()));
    let unit = u32::from(bytes) * op.imm2;
    let places =
        [addresses(w, op, (op.imm as u32 & 255) * unit), addresses(w, op, (op.imm as u32 >> 8 & 255) * unit)];
    // The destination may be the address or the data, so all is read before anything is written.
    let data = [op.data, op.data1].map(|reg| {
        let first = w.reg(reg);
        [w.v[first & 1023], w.v[(first + dwords - 1) & 1023]]
    });
    for (part, at) in places.iter().enumerate() {
        if who.lanes.is_empty() {
            continue;
        }
        let access = ordered(w, op, who, at, seq);
        let mut before = [0u64; 64];
        core.atomic(&access, |lane, memory| {
            let lane = lane as usize % L;
            before[lane] = read_word(memory);
            let [low, high] = data[part];
            write_word(memory, u64::from(low[lane]) | u64::from(high[lane]) << 32);
        })?;
        for lane in who.lanes.iter() {
            for i in 0..dwords {
                let old = (before[lane as usize % L] >> (32 * i)) as u32;
                w.set_lane(op.vdst, (part * dwords + i) as u16, lane, old);
            }
        }
    }
    w.fills(core, op.vdst, 2 * dwords as u16, counters::DS, seq, op.place);
    Ok(Flow::Next)
}

/// `ds_append`, `ds_consume`: the dword at M0 + offset changes by the number of active lanes, which all get what it was.
/// manual: CDNA3 ISA, DS_APPEND; LLVM puts the address into M0.
fn counted<const L: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    change: fn(u32, u32) -> u32,
) -> Result<Flow> {
    let seq = w.next(core, counters::DS);
    let who = w.who(op);
    let Some(first) = who.lanes.lowest() else { return Ok(Flow::Next) };
    let at = [u64::from(w.m0().wrapping_add(op.imm as u32)); L];
    let one = Who { lanes: LaneMask::one(first), ..who };
    let access =
        Access::new(one, space(w), &at, 4).on(counters::DS, seq).ordered(Order::AcquireRelease, Scope::Block);
    let mut old = 0;
    core.atomic(&access, |_, bytes| {
        old = read_word(bytes) as u32;
        write_word(bytes, u64::from(change(old, who.lanes.len())));
    })?;
    w.write(op.vdst, 0, &[old; L]);
    w.fills(core, op.vdst, 1, counters::DS, seq, op.place);
    Ok(Flow::Next)
}

fn atomic<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let at = addresses(w, op, op.imm as u32);
    let seq = w.next(core, counters::DS);
    let Kind::Atomic(rmw) = op.form.kind else { return Err(g.not_modelled(op.place)) };
    let bytes = op.form.bytes;
    let mut who = w.who(op);
    // One that returns what was there reads: past the allocation that is a fault as for a load.
    if !op.returns {
        who.lanes = inside(w, core, who, &at, u64::from(bytes));
    }
    if who.lanes.is_empty() {
        return Ok(Flow::Next);
    }
    let access = ordered(w, op, who, &at, seq);
    let (first, second) = (w.reg(op.data), w.reg(op.data1));
    let wide = bytes == 8;
    let v = &w.v;
    let get = |at: usize, lane: u32| {
        let lane = lane as usize % L;
        let low = u64::from(v[at & 1023][lane]);
        if wide { low | u64::from(v[(at + 1) & 1023][lane]) << 32 } else { low }
    };
    let mut before = [0u64; 64];
    // gfx9 compares with data0 and writes data1; gfx1250 the other way round. manual: CDNA3 ISA; RDNA3 ISA, DS_CMPSTORE.
    let swap = !w.gfx12 && rmw == crate::form::Rmw::CmpSwap;
    core.atomic(&access, |lane, data| {
        let old = read_word(data);
        let (mut a, mut b) = (get(first, lane), get(second, lane));
        if swap {
            std::mem::swap(&mut a, &mut b);
        }
        write_word(data, apply(rmw, bytes, old, a, b));
        before[lane as usize % L] = old;
    })?;
    if op.returns {
        for lane in who.lanes.iter() {
            let old = before[lane as usize % L];
            w.set_lane(op.vdst, 0, lane, old as u32);
            if wide {
                w.set_lane(op.vdst, 1, lane, (old >> 32) as u32);
            }
        }
        w.fills(core, op.vdst, if wide { 2 } else { 1 }, counters::DS, seq, op.place);
    }
    Ok(Flow::Next)
}

/// Each lane reads the data of the lane that its address (in bytes) names; lanes that are off give zero.
fn bpermute<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let seq = w.next(core, counters::DS);
    let (at, data) = (w.v[w.reg(op.addr)], w.v[w.reg(op.data)]);
    let offset = op.imm as u32;
    let exec = w.exec;
    let value = std::array::from_fn(|l| {
        let from = (at[l].wrapping_add(offset) / 4) as usize % L;
        if exec >> from & 1 == 1 { data[from] } else { 0 }
    });
    w.write(op.vdst, 0, &value);
    w.fills(core, op.vdst, 1, counters::DS, seq, op.place);
    Ok(Flow::Next)
}

/// Each lane sends its data to the lane that its address names; the highest sender wins.
fn permute<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let seq = w.next(core, counters::DS);
    let (at, data) = (w.v[w.reg(op.addr)], w.v[w.reg(op.data)]);
    let mut value = [0u32; L];
    for lane in w.active() {
        let lane = lane as usize % L;
        value[(at[lane].wrapping_add(op.imm as u32) / 4) as usize % L] = data[lane];
    }
    w.write(op.vdst, 0, &value);
    w.fills(core, op.vdst, 1, counters::DS, seq, op.place);
    Ok(Flow::Next)
}

/// Fixed patterns within groups of 32 lanes, or quads. manual: CDNA3 ISA, DS_SWIZZLE_B32.
fn swizzle<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let seq = w.next(core, counters::DS);
    let imm = op.imm as u32;
    if imm & 0xe000 == 0xe000 {
        return Err(g.not_modelled(op.place));
    }
    let data = w.v[w.reg(op.addr)];
    let exec = w.exec;
    let value = std::array::from_fn(|l| {
        let from = if imm & 0xe000 == 0xc000 {
            let by = (imm >> 5 & 31) as usize;
            let at = l & 31;
            l & !31 | if imm >> 10 & 1 == 0 { (at + by) & 31 } else { (at + 32 - by) & 31 }
        } else if imm & 0x8000 != 0 {
            l & !3 | (imm >> (2 * (l & 3)) & 3) as usize
        } else {
            let at = l as u32 & 31;
            l & !31 | ((at & imm & 31 | imm >> 5 & 31) ^ imm >> 10 & 31) as usize
        };
        if exec >> (from % L) & 1 == 1 { data[from % L] } else { 0 }
    });
    w.write(op.vdst, 0, &value);
    w.fills(core, op.vdst, 1, counters::DS, seq, op.place);
    Ok(Flow::Next)
}

/// The address is `offset + M0[15:0] + 4 * lane`. manual: CDNA3 ISA, LDS-addressed DS instructions; LLVM ds_read_addtid_b32.
fn by_thread<const L: usize>(_: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow> {
    let seq = w.next(core, counters::DS);
    let base = u64::from(w.m0() & 0xffff) + op.imm as u64;
    let mut at = [0u64; L];
    for (lane, slot) in at.iter_mut().enumerate() {
        *slot = base + 4 * lane as u64;
    }
    let mut who = w.who(op);
    let read = op.vdst.is;
    if !read {
        who.lanes = inside(w, core, who, &at, 4);
    }
    if who.lanes.is_empty() {
        return Ok(Flow::Next);
    }
    let access = Access::new(who, space(w), &at, 4).on(counters::DS, seq);
    if read {
        load(w, op, core, &access, op.vdst)?;
        w.fills(core, op.vdst, 1, counters::DS, seq, op.place);
    } else {
        store(w, op, core, &access, op.data)?;
    }
    Ok(Flow::Next)
}
