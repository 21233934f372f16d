//! Modifiers behind the operands.

use super::lanes::lane_modifiers;
use super::memory::{buffer_modifiers, cache_policy, ds_modifiers, flat_modifiers, smem_modifiers};
use super::packed::{packed_modifiers, scaled_modifiers};
use crate::gcn::format::{Field, Format};
use crate::gcn::inst::{Inst, Tail};
use std::fmt::Write as _;

pub(super) fn modifiers(out: &mut String, inst: &Inst) {
    match inst.row.format {
        Format::Vop1 | Format::Vop2 | Format::Vopc => lane_modifiers(out, inst),
        Format::Vop3 => vop3_modifiers(out, inst),
        Format::Vop3p => packed_modifiers(out, inst),
        Format::Scaled | Format::Scaled16 => scaled_modifiers(out, inst),
        Format::Smem => smem_modifiers(out, inst),
        Format::Ds => ds_modifiers(out, inst),
        Format::Flat | Format::Global | Format::Scratch => flat_modifiers(out, inst),
        Format::Mubuf | Format::Mtbuf | Format::Vbuffer => buffer_modifiers(out, inst),
        Format::Vimage => cache_policy(out, inst),
        _ => {}
    }
}

pub(super) fn omod_text(out: &mut String, omod: u32) {
    out.push_str(match omod {
        1 => " mul:2",
        2 => " mul:4",
        3 => " div:2",
        _ => "",
    });
}

fn vop3_modifiers(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    if flags.bitop3 {
        bitop3_text(out, bitop3(inst));
    }
    let opsel = inst.field(Field::OpSel);
    // `v_cndmask_b16` says its halves in the registers alone.
    let spelled = inst.row.mnemonic != "v_cndmask_b16";
    if spelled && flags.opsel_entries > 0 && opsel & u32::from(flags.opsel) != 0 {
        // Comparisons with DPP leave out the entry of the destination.
        let compare_dpp =
            matches!(inst.tail, Tail::Dpp(_) | Tail::Dpp8(..)) && inst.row.mnemonic.starts_with("v_cmp_");
        let entries = u32::from(flags.opsel_entries) - u32::from(compare_dpp);
        let has_dst = flags.opsel >> 3 & 1 == 1;
        let bits: Vec<String> = (0..entries)
            .map(|i| if has_dst && i + 1 == entries { 3 } else { i })
            .map(|bit| (opsel >> bit & 1).to_string())
            .collect();
        let _ = write!(out, " op_sel:[{}]", bits.join(","));
    }
    if flags.bytesel != 0 {
        let (mask, entries) = match flags.bytesel {
            0xf => (3, 3),
            0xb => (8, 2),
            _ => (0, 0),
        };
        if opsel & mask != 0 {
            let bits: Vec<String> = (0..entries)
                .map(|i| if i + 1 == entries { 3 } else { i })
                .map(|b| (opsel & mask) >> b & 1)
                .map(|b| b.to_string())
                .collect();
            let _ = write!(out, " op_sel:[{}]", bits.join(","));
        }
        let v = byte_sel(inst);
        if v != 0 {
            let _ = write!(out, " byte_sel:{v}");
        }
    }
    if flags.scalesel != 0 && opsel != 0 {
        let _ = write!(out, " scale_sel:{opsel}");
    }
    if flags.clamp && inst.field(Field::Clamp) == 1 {
        out.push_str(" clamp");
    }
    if flags.omod {
        omod_text(out, inst.field(Field::Omod));
    }
    lane_modifiers(out, inst);
}

pub(super) fn bitop3_text(out: &mut String, v: u32) {
    let _ = match v {
        0 => Ok(()),
        1..=10 => write!(out, " bitop3:{v}"),
        _ => write!(out, " bitop3:{v:#x}"),
    };
}

/// The truth table of `v_bitop3`: bits 2:0 in `omod` and `neg`, see the encoding.
pub(crate) fn bitop3(inst: &Inst) -> u32 {
    // bits 7:6 omod, 5:3 abs, 2:0 neg; inferred: llvm-mc 22.
    inst.field(Field::Omod) << 6 | inst.field(Field::Abs) << 3 | inst.field(Field::Neg)
}

/// Which byte a conversion reads or writes.
pub(crate) fn byte_sel(inst: &Inst) -> u32 {
    let opsel = inst.field(Field::OpSel);
    if inst.row.flags.bytesel & 4 != 0 {
        // Destination byte: bits 2 and 3.
        (opsel >> 2 & 1) | (opsel >> 3 & 1) << 1
    } else {
        (opsel & 1) << 1 | opsel >> 1 & 1
    }
}
