//! Modifiers of memory operations.

use super::immediate::{signed, swizzle_text};
use crate::gcn::format::{Field, Format, Generation};
use crate::gcn::inst::Inst;
use crate::gcn::names::{self, HintKind};
use std::fmt::Write as _;

pub(super) fn smem_modifiers(out: &mut String, inst: &Inst) {
    if inst.target.generation() == Generation::Gfx9 {
        if inst.row.flags.glc && inst.field(Field::Sc0) == 1 {
            out.push_str(" glc");
        }
        return;
    }
    cache_policy(out, inst);
}

pub(super) fn ds_modifiers(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    let (low, high) = (inst.field(Field::Offset), inst.field(Field::Offset1));
    if flags.off {
        let offset = low | high << 8;
        if inst.row.mnemonic == "ds_swizzle_b32" && offset != 0 {
            let _ = write!(out, " offset:{}", swizzle_text(offset));
        } else if offset != 0 {
            let _ = write!(out, " offset:{offset}");
        }
    }
    if flags.off01 {
        if low != 0 {
            let _ = write!(out, " offset0:{low}");
        }
        if high != 0 {
            let _ = write!(out, " offset1:{high}");
        }
    }
}

pub(super) fn flat_modifiers(out: &mut String, inst: &Inst) {
    let gfx9 = inst.target.generation() == Generation::Gfx9;
    let offset = if gfx9 {
        let raw = inst.field(Field::Offset);
        if inst.row.format == Format::Flat { (raw & 0xfff) as i32 } else { signed(raw, 13) }
    } else {
        signed(inst.field(Field::Ioffset), 24)
    };
    if offset != 0 {
        let _ = write!(out, " offset:{offset}");
    }
    if gfx9 { gfx9_cache(out, inst) } else { cache_policy(out, inst) }
}

fn gfx9_cache(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    for (on, field, text) in
        [(flags.sc0, Field::Sc0, " sc0"), (flags.nt, Field::Nt, " nt"), (flags.sc1, Field::Sc1, " sc1")]
    {
        if on && inst.field(field) == 1 {
            out.push_str(text);
        }
    }
}

pub(super) fn buffer_modifiers(out: &mut String, inst: &Inst) {
    if !inst.row.flags.offen {
        return gfx9_cache(out, inst);
    }
    if inst.row.format == Format::Mtbuf {
        let v = inst.field(Field::Dfmt);
        tbuffer_format(out, v);
    }
    if inst.field(Field::Idxen) == 1 {
        out.push_str(" idxen");
    }
    if inst.field(Field::Offen) == 1 {
        out.push_str(" offen");
    }
    let offset = if inst.row.format == Format::Vbuffer {
        inst.field(Field::Ioffset)
    } else {
        inst.field(Field::Offset)
    };
    if offset != 0 {
        let _ = write!(out, " offset:{offset}");
    }
    if inst.row.format == Format::Vbuffer {
        return cache_policy(out, inst);
    }
    gfx9_cache(out, inst);
    if inst.row.flags.lds && inst.field(Field::Lds) == 1 {
        out.push_str(" lds");
    }
}

fn tbuffer_format(out: &mut String, v: u32) {
    let (data, number) = (v & 15, v >> 4 & 7);
    if (data, number) == (1, 0) {
        return;
    }
    let data_name = names::BUFFER_DATA_FORMATS.get(data as usize).copied().unwrap_or("");
    let number_name = names::BUFFER_NUMBER_FORMATS.get(number as usize).copied().unwrap_or("");
    let _ = match (data, number) {
        (1, _) => write!(out, " format:[{number_name}]"),
        (_, 0) => write!(out, " format:[{data_name}]"),
        _ => write!(out, " format:[{data_name},{number_name}]"),
    };
}

/// `th:`, `scope:`, `nv` of gfx1250.
pub(super) fn cache_policy(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    if flags.scale && inst.field(Field::Scale) == 1 {
        out.push_str(" scale_offset");
    }
    let (th, scope) = (inst.field(Field::Th), inst.field(Field::Scope));
    if flags.th
        && let Some(name) = names::temporal_hint(hint_kind(inst.row.mnemonic), th, scope)
    {
        let _ = write!(out, " th:{name}");
    }
    if flags.scope && scope != 0 {
        let _ = write!(out, " scope:{}", names::SCOPES.get(scope as usize).copied().unwrap_or("SCOPE_CU"));
    }
    if flags.nv && inst.field(Field::Nv) == 1 {
        out.push_str(" nv");
    }
}

pub(crate) fn hint_kind(mnemonic: &str) -> HintKind {
    if mnemonic.contains("_atomic_") {
        HintKind::Atomic
    } else if mnemonic.contains("store")
        || mnemonic.ends_with("_wb")
        || mnemonic.ends_with("_wbinv")
        || mnemonic == "tensor_stop"
    {
        HintKind::Store
    } else {
        HintKind::Load
    }
}
