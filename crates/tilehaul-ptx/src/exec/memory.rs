//! Loads, stores, atomics.

use tilehaul_machine::{Access, Core, LaneMask, Space, Trap, WaitFor};

use super::addresses::Where;
use super::atomics::{combine, wide_atomic};
use super::{Cx, Step, Stepped, Stop, put};
use crate::alu::Lanes;
use crate::arith::int::{mask, sext};
use crate::arith::{float, mode};
use crate::inst::{Addr, AtomKind, AtomOp, AtomType, Inst, Mem, MemOp, Slot};
use crate::wave::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW};

impl Cx<'_> {
    /// Everything that is not on registers alone.
    pub(crate) fn effect(&mut self, inst: &Inst) -> Stepped {
        match inst {
            Inst::Ld(op) => self.load(op),
            Inst::St(op) => self.store(op),
            Inst::Atom(op) => self.atomic(op),
            Inst::StBulk { addr, space, size } => self.store_bulk(*addr, *space, *size),
            Inst::Prefetch { addr, tensormap, space } => self.prefetch(*addr, *tensormap, *space),
            Inst::Shfl(op) => self.shuffle(op),
            Inst::Vote { kind, d, p, source, mask } => {
                self.each_team(*mask, |cx| cx.vote(*kind, *d, *p, *source, *mask))
            }
            Inst::Match { all, bits, d, p, a, mask } => {
                self.each_team(*mask, |cx| cx.match_lanes(*all, *bits, *d, *p, *a, *mask))
            }
            Inst::Activemask { d } => {
                self.set(*d, &[u64::from(self.group); 32]);
                Ok(Step::Next)
            }
            Inst::Redux { kind, ty, abs, nan, d, a, mask } => {
                self.each_team(*mask, |cx| cx.reduce_lanes(*kind, *ty, *abs, *nan, [*d, *a, *mask]))
            }
            Inst::Elect { d, p, mask } => self.each_team(*mask, |cx| cx.elect(*d, *p, *mask)),
            _ => self.synchronise(inst),
        }
    }

    pub(super) fn load(&mut self, op: &MemOp) -> Stepped {
        let mut addresses = self.executing_addresses(op.addr);
        let total = op.bytes * op.regs.len() as u32;
        self.check_alignment(&addresses, total)?;
        let mut polled = None;
        self.each_memory(op.space, &mut addresses, |cx, place, lanes, inside| {
            match place {
                Where::Memory(space) => {
                    let access =
                        Access::new(cx.who_of(lanes), space, inside, total).ordered(op.order, op.scope);
                    let access = Access { polls: op.polls, ..access };
                    let regs = &mut cx.w.regs;
                    let loaded = load_rows(cx.core, &access, regs, &op.regs, op.bytes);
                    loaded.map_err(|trap| cx.trap(trap))?;
                    polled = Some((space, inside[lanes.trailing_zeros().min(31) as usize]));
                }
                Where::Param if lanes == u32::MAX && inside.iter().all(|a| *a == inside[0]) => {
                    for (&slot, at) in op.regs.iter().zip((inside[0]..).step_by(op.bytes as usize)) {
                        let Some(bytes) = cx.private(place, 0, at, op.bytes) else {
                            return Err(cx.outside_private(place, at, op.bytes));
                        };
                        cx.w.regs[slot as usize] = [read(bytes); 32];
                    }
                }
                Where::Local | Where::Param => {
                    for lane in LaneMask(u64::from(lanes)).iter() {
                        let start = inside[lane as usize];
                        for (i, &slot) in op.regs.iter().enumerate() {
                            let at = start + u64::from(op.bytes) * i as u64;
                            let value = match cx.private(place, lane, at, op.bytes) {
                                Some(bytes) => read(bytes),
                                None => return Err(cx.outside_private(place, at, op.bytes)),
                            };
                            cx.w.regs[slot as usize][lane as usize] = value;
                        }
                    }
                }
            }
            Ok(())
        })?;
        let again = !op.order.is_plain() && self.polls(&op.regs);
        self.extend(op);
        if let (true, Some((space, address))) = (again, polled) {
            return Ok(Step::Poll(WaitFor::Memory { space, address }));
        }
        Ok(Step::Next)
    }

    /// Extends the sign of what was loaded, where the instruction does.
    fn extend(&mut self, op: &MemOp) {
        let Some(bits) = op.sign else { return };
        for &slot in &op.regs {
            let extended = self.reg(slot).map(|v| sext(v, op.bytes * 8).cast_unsigned() & mask(bits));
            self.set(slot, &extended);
        }
    }

    fn private(&self, place: Where, lane: u32, at: u64, bytes: u32) -> Option<&[u8]> {
        let (start, end) =
            (usize::try_from(at).ok()?, usize::try_from(at).ok()?.checked_add(bytes as usize)?);
        match place {
            Where::Param => self.p.params.get(start..end),
            _ => {
                let each = self.p.code.local_bytes as usize;
                if end > each {
                    return None;
                }
                let base = each * lane as usize;
                self.w.local.get(base + start..base + end)
            }
        }
    }

    fn outside_private(&self, place: Where, at: u64, bytes: u32) -> Stop {
        let (what, size) = match place {
            Where::Param => ("parameters", self.p.params.len()),
            _ => ("local memory", self.p.code.local_bytes as usize),
        };
        self.fail(
            "private-out-of-bounds",
            format!("{bytes} bytes at {at:#x} are outside the {size} bytes of {what} (CUDA error 700)"),
        )
    }

    pub(super) fn store(&mut self, op: &MemOp) -> Stepped {
        let mut addresses = self.executing_addresses(op.addr);
        let total = op.bytes * op.regs.len() as u32;
        self.check_alignment(&addresses, total)?;
        self.each_memory(op.space, &mut addresses, |cx, place, lanes, inside| {
            match place {
                Where::Memory(space) => {
                    let access =
                        Access::new(cx.who_of(lanes), space, inside, total).ordered(op.order, op.scope);
                    let regs = &cx.w.regs;
                    let stored = store_rows(cx.core, &access, regs, &op.regs, op.bytes);
                    stored.map_err(|trap| cx.trap(trap))?;
                }
                Where::Param => {
                    return Err(cx.fail(
                        "store-to-param",
                        "a store to the kernel's parameters, which are read-only".to_owned(),
                    ));
                }
                Where::Local => {
                    let each = cx.p.code.local_bytes as usize;
                    for lane in LaneMask(u64::from(lanes)).iter() {
                        for (i, &slot) in op.regs.iter().enumerate() {
                            let at = inside[lane as usize] + u64::from(op.bytes) * i as u64;
                            if cx.private(place, lane, at, op.bytes).is_none() {
                                return Err(cx.outside_private(place, at, op.bytes));
                            }
                            let start = each * lane as usize + at as usize;
                            let value = cx.w.regs[slot as usize][lane as usize];
                            write(&mut cx.w.local[start..start + op.bytes as usize], value);
                        }
                    }
                }
            }
            Ok(())
        })?;
        Ok(Step::Next)
    }

    fn atomic(&mut self, op: &AtomOp) -> Stepped {
        let mut addresses = self.executing_addresses(op.addr);
        let wide = op.bytes == 16;
        let elements = if wide { 1 } else { op.src.len() };
        let total = op.bytes * elements as u32;
        self.check_alignment(&addresses, total)?;
        let before = self.core.progress();
        let mut spot = None;
        self.each_memory(op.space, &mut addresses, |cx, place, lanes, inside| {
            let Where::Memory(space) = place else {
                return Err(cx.fail("atomic-space", "an atomic on local or parameter memory".to_owned()));
            };
            let who = cx.who_of(lanes);
            let access = Access::new(who, space, inside, total).ordered(op.order, op.scope);
            let regs = &mut cx.w.regs;
            let done = cx.core.atomic(&access, |lane, bytes| {
                let lane = lane as usize;
                if wide {
                    wide_atomic(op, regs, lane, bytes);
                    return;
                }
                for (i, part) in bytes.chunks_exact_mut(op.bytes as usize).enumerate() {
                    let old = read(part);
                    let operand = regs[op.src[i] as usize][lane] & mask(op.bytes * 8);
                    let new = match (op.kind, op.new.get(i)) {
                        (AtomKind::Cas, Some(&new)) if old == operand => regs[new as usize][lane],
                        (AtomKind::Cas, _) => old,
                        // hardware: generated programs on an H200: adds of singles in global memory flush subnormals, those
                        // in shared memory do not.
                        (AtomKind::Add, _) if op.ty == AtomType::F32 && space == Space::Global => {
                            float::add::<{ mode::NEAR }, true, false>(old, operand)
                        }
                        _ => combine(op.kind, op.ty, op.bytes, old, operand),
                    };
                    write(part, new);
                    if let Some(&slot) = op.dst.as_ref().and_then(|d| d.get(i)) {
                        regs[slot as usize][lane] = old;
                    }
                }
            });
            done.map_err(|trap| cx.trap(trap))?;
            spot = Some((space, inside[lanes.trailing_zeros().min(31) as usize]));
            Ok(())
        })?;
        if let (Some((space, address)), Some(dst)) = (spot, &op.dst)
            && self.core.progress() == before
            && self.polls(dst)
        {
            return Ok(Step::Poll(WaitFor::Memory { space, address }));
        }
        Ok(Step::Next)
    }

    /// True when this instruction found the same values the last time as well, and no other that polls came between: a
    /// loop that waits for them to change, most likely, so let others run.
    fn polls(&mut self, found: &[Slot]) -> bool {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for (lane, &slot) in self.lanes().flat_map(|lane| found.iter().map(move |slot| (lane, slot))) {
            hash = (hash ^ self.reg(slot)[lane]).wrapping_mul(0x0100_0000_01b3);
        }
        let this = Some((self.pc, self.mask, hash));
        std::mem::replace(&mut self.w.last_strong, this) == this
    }

    fn store_bulk(&mut self, addr: Addr, space: Mem, size: u32) -> Stepped {
        let addresses = self.addresses(addr);
        self.check_alignment(&addresses, 16)?;
        for lane in self.lanes() {
            let (place, start) = self.resolve(space, addresses[lane])?;
            let Where::Memory(space @ Space::Shared(_)) = place else {
                return Err(self.fail("bulk-store-space", "st.bulk writes shared memory only".to_owned()));
            };
            let len = self.reg(size)[lane];
            if len > 1 << 20 || !len.is_multiple_of(16) {
                let message =
                    format!("st.bulk of {len} bytes: the size is a multiple of 16 and fits shared memory");
                return Err(self.fail("bulk-store-size", message));
            }
            let who = self.who_of(1 << lane);
            for at in (0..len).step_by(16) {
                let inside = [start + at; 64];
                let access = Access::new(who, space, &inside, 16);
                self.core.store(&access, |_, bytes| bytes.fill(0)).map_err(|trap| self.trap(trap))?;
            }
        }
        Ok(Step::Next)
    }

    fn prefetch(&mut self, addr: Addr, tensormap: bool, space: Mem) -> Stepped {
        if tensormap {
            let addresses = self.addresses(addr);
            for lane in self.lanes() {
                let window = if space == Mem::Param { PARAM_WINDOW } else { 0 };
                self.map_bytes(addresses[lane] | window, lane)?;
            }
        }
        Ok(Step::Next)
    }
}

/// Loads registers of `bytes` bytes, zero-extended. Nearly all loads are of one, two or four dwords a lane.
fn load_rows(
    core: &mut Core,
    access: &Access<'_>,
    regs: &mut [Lanes],
    slots: &[Slot],
    bytes: u32,
) -> Result<(), Trap> {
    match (bytes, access.size) {
        (4 | 8, 4) => load_dwords::<1>(core, access, regs, slots),
        (4 | 8, 8) => load_dwords::<2>(core, access, regs, slots),
        (4 | 8, 16) => load_dwords::<4>(core, access, regs, slots),
        _ => core.load(access, |lane, all| {
            for (&slot, element) in slots.iter().zip(all.chunks_exact(bytes as usize)) {
                regs[slot as usize][lane as usize & 31] = read(element);
            }
        }),
    }
}

/// Loads `N` dwords a lane into registers of one or two dwords.
fn load_dwords<const N: usize>(
    core: &mut Core,
    access: &Access<'_>,
    regs: &mut [Lanes],
    slots: &[Slot],
) -> Result<(), Trap> {
    let mut rows = [[0u32; 32]; N];
    core.load_dwords(access, rows.each_mut())?;
    // Lanes are numbered below 32.
    let mask = access.who.lanes.0 as u32;
    for (&slot, words) in slots.iter().zip(rows.chunks_exact(N / slots.len().max(1))) {
        let mut row = [0; 32];
        match words {
            [low, high] => {
                for (v, (low, high)) in row.iter_mut().zip(low.iter().zip(high)) {
                    *v = u64::from(*low) | u64::from(*high) << 32;
                }
            }
            _ => {
                for (v, word) in row.iter_mut().zip(words.as_flattened()) {
                    *v = u64::from(*word);
                }
            }
        }
        put(&mut regs[slot as usize], &row, mask);
    }
    Ok(())
}

/// Stores registers of `bytes` bytes.
fn store_rows(
    core: &mut Core,
    access: &Access<'_>,
    regs: &[Lanes],
    slots: &[Slot],
    bytes: u32,
) -> Result<(), Trap> {
    match (bytes, access.size) {
        (4 | 8, 4) => store_dwords::<1>(core, access, regs, slots),
        (4 | 8, 8) => store_dwords::<2>(core, access, regs, slots),
        (4 | 8, 16) => store_dwords::<4>(core, access, regs, slots),
        _ => core.store(access, |lane, all| {
            for (&slot, element) in slots.iter().zip(all.chunks_exact_mut(bytes as usize)) {
                write(element, regs[slot as usize][lane as usize & 31]);
            }
        }),
    }
}

/// Stores `N` dwords a lane from registers of one or two dwords.
fn store_dwords<const N: usize>(
    core: &mut Core,
    access: &Access<'_>,
    regs: &[Lanes],
    slots: &[Slot],
) -> Result<(), Trap> {
    let mut rows = [[0u32; 32]; N];
    for (&slot, words) in slots.iter().zip(rows.chunks_exact_mut(N / slots.len().max(1))) {
        for (i, row) in words.iter_mut().enumerate() {
            for (word, v) in row.iter_mut().zip(&regs[slot as usize]) {
                *word = (v >> (32 * i)) as u32;
            }
        }
    }
    core.store_dwords(access, rows.each_ref())
}

/// The number that some bytes are, the lowest first.
pub(crate) fn read(bytes: &[u8]) -> u64 {
    match *bytes {
        // Lengths that the compiler knows: a copy of another length is a call.
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        _ => {
            let mut raw = [0u8; 8];
            let n = bytes.len().min(8);
            raw[..n].copy_from_slice(&bytes[..n]);
            u64::from_le_bytes(raw)
        }
    }
}

pub(crate) fn write(bytes: &mut [u8], value: u64) {
    let n = bytes.len().min(8);
    bytes[..n].copy_from_slice(&value.to_le_bytes()[..n]);
}

/// Generic addresses of the three windows end here; kept beside their use so that [`Cx::resolve`] and the constants agree.
const _: () = assert!(
    SHARED_WINDOW >> 32 == 0x6000 && LOCAL_WINDOW >> 32 == 0x5000 && PARAM_WINDOW >> 32 == 0x4000,
    "the windows are 4 GiB each"
);
