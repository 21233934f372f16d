//! Buffer instructions: a V# checks the range of each lane's elements.

use tilehaul_descriptor::amd::buffer_resource::{
    BufferAccess, BufferElement, BufferGeneration, BufferResource,
};
use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_machine::{Access, Core, LaneMask, Space, Who};

use crate::Gcn;
use crate::form::Kind;
use crate::memory::{access, channel_of, extended, read_word, write_word};
use crate::op::{Flow, Op, Stop};
use crate::wave::Wave;

type Result<T> = std::result::Result<T, Stop>;

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

pub(crate) fn buffer<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
) -> Result<Flow> {
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
