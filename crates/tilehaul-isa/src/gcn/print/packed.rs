//! Modifiers of packed and matrix operations.

use super::lanes::lane_modifiers;
use crate::gcn::format::Field;
use crate::gcn::inst::Inst;
use crate::gcn::names;
use std::fmt::Write as _;

/// The modifiers of both halves: which scales are taken, then what the product itself takes.
pub(super) fn scaled_modifiers(out: &mut String, inst: &Inst) {
    let (sel, hi) = (inst.field(Field::ScaleSel), inst.field(Field::ScaleSelHi));
    if inst.row.flags.mai {
        if sel != 0 {
            let _ = write!(out, " op_sel:[{},{},0]", sel & 1, sel >> 1);
        }
        let _ = write!(out, " op_sel_hi:[{},{},0]", hi & 1, hi >> 1);
        return packed_modifiers(out, inst);
    }
    if inst.row.flags.matrix_fmt {
        matrix_formats(out, inst);
    }
    for (name, on) in [("a", sel), ("b", hi)] {
        if on == 1 {
            let _ = write!(out, " matrix_{name}_scale:MATRIX_SCALE_ROW1");
        }
    }
    for (name, field) in [("a", Field::ScaleFormatA), ("b", Field::ScaleFormatB)] {
        let code = inst.field(field);
        match names::SCALE_FORMATS.get(code as usize) {
            _ if code == 0 => {}
            Some(format) => {
                let _ = write!(out, " matrix_{name}_scale_fmt:{format}");
            }
            None => {
                let _ = write!(out, " matrix_{name}_scale_fmt:{code}");
            }
        }
    }
    for (name, field) in [("a", Field::ReuseA), ("b", Field::ReuseB)] {
        if inst.field(field) == 1 {
            let _ = write!(out, " matrix_{name}_reuse");
        }
    }
    signs_of_packed(out, inst);
}

/// `matrix_a_fmt:` and `matrix_b_fmt:` of gfx1250.
fn matrix_formats(out: &mut String, inst: &Inst) {
    let opsel_hi = inst.field(Field::OpSelHi) | inst.field(Field::OpSelHi2) << 2;
    for (name, v) in [("a", inst.field(Field::OpSel) & 7), ("b", opsel_hi & 7)] {
        if v != 0 {
            let text =
                names::MATRIX_FORMATS.get(v as usize).map_or_else(|| v.to_string(), |s| (*s).to_owned());
            let _ = write!(out, " matrix_{name}_fmt:{text}");
        }
    }
}

pub(super) fn packed_modifiers(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    let list =
        |value: u32, n: u32| (0..n).map(|i| (value >> i & 1).to_string()).collect::<Vec<_>>().join(",");
    let opsel = inst.field(Field::OpSel);
    let opsel_hi = inst.field(Field::OpSelHi) | inst.field(Field::OpSelHi2) << 2;
    if flags.pk > 0 {
        let n = u32::from(flags.pk);
        let all = (1 << n) - 1;
        if opsel & all != 0 {
            let _ = write!(out, " op_sel:[{}]", list(opsel, n));
        }
        let default = if flags.mix { 0 } else { all };
        if opsel_hi & all != default {
            let _ = write!(out, " op_sel_hi:[{}]", list(opsel_hi, n));
        }
    }
    if flags.ldscale {
        if opsel & 3 != 0 {
            let _ = write!(out, " op_sel:[{}]", list(opsel, 2));
        }
        if opsel_hi & 3 != 3 {
            let _ = write!(out, " op_sel_hi:[{}]", list(opsel_hi, 2));
        }
    }
    if flags.wmma {
        if flags.matrix_fmt {
            matrix_formats(out, inst);
        }
        if flags.indexkey && opsel & 1 == 1 {
            out.push_str(" index_key:1");
        }
        if flags.reuse {
            if opsel >> 2 & 1 == 1 {
                out.push_str(" matrix_a_reuse");
            }
            if opsel_hi >> 2 & 1 == 1 {
                out.push_str(" matrix_b_reuse");
            }
        }
    }
    if flags.mai {
        let (cbsz, abid, blgp) = (inst.field(Field::Cbsz), inst.field(Field::Abid), inst.field(Field::Blgp));
        if cbsz != 0 {
            let _ = write!(out, " cbsz:{cbsz}");
        }
        if abid != 0 {
            let _ = write!(out, " abid:{abid}");
        }
        if blgp != 0 {
            if inst.row.mnemonic.ends_with("_f64") {
                let _ = write!(out, " neg:[{}]", list(blgp, 3));
            } else {
                let _ = write!(out, " blgp:{blgp}");
            }
        }
        return;
    }
    if flags.mix {
        if flags.clamp && inst.field(Field::Clamp) == 1 {
            out.push_str(" clamp");
        }
        return lane_modifiers(out, inst);
    }
    signs_of_packed(out, inst);
    if flags.clamp && inst.field(Field::Clamp) == 1 {
        out.push_str(" clamp");
    }
    lane_modifiers(out, inst);
}

/// `neg_lo` and `neg_hi`.
fn signs_of_packed(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    let sources = inst.row.operands.iter();
    let n = sources.filter(|o| matches!(o.field, Field::Src0 | Field::Src1 | Field::Src2)).count() as u32;
    let list =
        |value: u32, n: u32| (0..n).map(|i| (value >> i & 1).to_string()).collect::<Vec<_>>().join(",");
    let neg_lo = inst.field(Field::Neg) & u32::from(flags.neglo);
    let neg_hi = inst.field(Field::NegHi) & u32::from(flags.neghi);
    if neg_lo != 0 {
        let _ = write!(out, " neg_lo:[{}]", list(neg_lo, n));
    }
    if neg_hi != 0 {
        let _ = write!(out, " neg_hi:[{}]", list(neg_hi, n));
    }
}
