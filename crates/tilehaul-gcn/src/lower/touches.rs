//! Which registers an instruction uses.

use tilehaul_isa::gcn::format::{Field, Format};

use crate::form::Kind;
use crate::op::{Op, Reg, SrcKind};

/// The registers an operation uses, for the check of loads not yet waited for.
pub(super) fn touches<const L: usize>(op: &mut Op<L>) {
    let scales = op.rest.scales;
    for src in op.src.iter().chain([&op.saddr]).chain(&scales) {
        match src.kind {
            SrcKind::V(n) => op
                .rest
                .touches
                .push((Reg { n, slot: src.slot, width: src.width.max(1), high: src.high, is: true }, false)),
            SrcKind::S(n) if n < 128 => op.rest.touches_s.push((n, src.width.max(1), false)),
            _ => {}
        }
    }
    let stores = op.form.kind != Kind::Load;
    for (reg, used) in [(op.addr, true), (op.data, stores || op.form.kind == Kind::None), (op.data1, true)] {
        if reg.is && used {
            op.rest.touches.push((reg, false));
        }
    }
    if op.vdst.is {
        op.rest.touches.push((op.vdst, true));
    }
    // A scalar store reads its data register, a scalar atomic may do both.
    let scalar = op.rest.inst.is_some_and(|i| i.row.format == Format::Smem);
    if op.sdst < 128 {
        if scalar && op.form.kind != Kind::Load {
            op.rest.touches_s.push((op.sdst, op.swidth.max(1), false));
        }
        if !scalar || op.form.kind == Kind::Load || op.returns {
            op.rest.touches_s.push((op.sdst, op.swidth.max(1), true));
        }
    }
    let memory = op
        .rest
        .inst
        .is_some_and(|i| i.row.operands.iter().any(|o| matches!(o.field, Field::Rsrc | Field::Sbase)));
    if memory {
        let width = if op.rest.inst.is_some_and(|i| i.row.format == Format::Smem) {
            op.src[2].width.max(2)
        } else {
            4
        };
        op.rest.touches_s.push((op.rsrc, width, false));
    }
    for (group, width) in op.rest.groups.iter().zip([4u8, 8, 4, 4]) {
        if *group < 0x7c {
            op.rest.touches_s.push((*group, width, false));
        }
    }
}
