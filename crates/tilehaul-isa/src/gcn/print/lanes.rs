//! Lane movement: DPP, DPP8, SDWA.

use super::modifiers::omod_text;
use crate::gcn::format::{Format, Generation};
use crate::gcn::inst::{Inst, Tail};
use crate::gcn::names;
use std::fmt::Write as _;

pub(super) fn lane_modifiers(out: &mut String, inst: &Inst) {
    match inst.tail {
        Tail::Dpp(v) => dpp_modifiers(out, inst, v),
        Tail::Dpp8(v, fi) => dpp8_modifiers(out, v, fi),
        Tail::Sdwa(v) => sdwa_modifiers(out, inst, v),
        _ => {}
    }
}

fn dpp_modifiers(out: &mut String, inst: &Inst, v: u32) {
    let gfx9 = inst.target.generation() == Generation::Gfx9;
    let ctrl = v >> 8 & 0x1ff;
    let n = ctrl & 15;
    let _ = match ctrl {
        0..=0xff => {
            write!(out, " quad_perm:[{},{},{},{}]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3, ctrl >> 6 & 3)
        }
        0x101..=0x10f => write!(out, " row_shl:{n}"),
        0x111..=0x11f => write!(out, " row_shr:{n}"),
        0x121..=0x12f => write!(out, " row_ror:{n}"),
        0x130 if gfx9 => write!(out, " wave_shl:1"),
        0x134 if gfx9 => write!(out, " wave_rol:1"),
        0x138 if gfx9 => write!(out, " wave_shr:1"),
        0x13c if gfx9 => write!(out, " wave_ror:1"),
        0x140 => write!(out, " row_mirror"),
        0x141 => write!(out, " row_half_mirror"),
        0x142 if gfx9 => write!(out, " row_bcast:15"),
        0x143 if gfx9 => write!(out, " row_bcast:31"),
        0x150..=0x15f if gfx9 => write!(out, " row_newbcast:{n}"),
        0x150..=0x15f => write!(out, " row_share:{n}"),
        0x160..=0x16f if !gfx9 => write!(out, " row_xmask:{n}"),
        _ => write!(out, " /* Invalid dpp_ctrl value */"),
    };
    let _ = write!(out, " row_mask:{:#x} bank_mask:{:#x}", v >> 28, v >> 24 & 15);
    if v >> 19 & 1 == 1 {
        out.push_str(" bound_ctrl:1");
    }
    if !gfx9 && v >> 18 & 1 == 1 {
        out.push_str(" fi:1");
    }
}

fn dpp8_modifiers(out: &mut String, v: u32, fi: bool) {
    let lanes: Vec<String> = (0..8).map(|i| (v >> (8 + 3 * i) & 7).to_string()).collect();
    let _ = write!(out, " dpp8:[{}]", lanes.join(","));
    if fi {
        out.push_str(" fi:1");
    }
}

fn sdwa_modifiers(out: &mut String, inst: &Inst, v: u32) {
    let sel = |n: u32| names::SDWA_SEL.get((n & 7) as usize).copied().unwrap_or("/* invalid */");
    let vopc = inst.row.format == Format::Vopc;
    if !vopc {
        if v >> 13 & 1 == 1 {
            out.push_str(" clamp");
        }
        omod_text(out, v >> 14 & 3);
        // Conversions from 8-bit floats write whole registers and do not say so.
        let whole = ["fp8", "bf8"].iter().any(|f| inst.row.mnemonic.contains(f));
        let unused = names::SDWA_UNUSED.get((v >> 11 & 3) as usize).copied().unwrap_or("/* invalid */");
        if !whole {
            let _ = write!(out, " dst_sel:{} dst_unused:{unused}", sel(v >> 8));
        }
    }
    let _ = write!(out, " src0_sel:{}", sel(v >> 16));
    if inst.row.format != Format::Vop1 {
        let _ = write!(out, " src1_sel:{}", sel(v >> 24));
    }
}
