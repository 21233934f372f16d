//! Modifiers of lane movement: DPP, DPP8, SDWA.

use super::Form;
use super::draft::Draft;
use super::pieces::list;
use crate::gcn::format::Field;
use crate::gcn::names;

pub(super) fn lane_modifier(draft: &mut Draft<'_>, name: &str, value: &str, gfx9: bool) -> Option<()> {
    let int = || crate::gcn::expr::integer(value).and_then(|v| u32::try_from(v).ok());
    if draft.form == Form::Sdwa {
        let sel = || names::SDWA_SEL.iter().position(|s| *s == value).map(|i| i as u32);
        let put =
            |lane: u32, shift: u32, v: u32, width: u32| lane & !(((1 << width) - 1) << shift) | v << shift;
        draft.lane = match name {
            "dst_sel" => put(draft.lane, 8, sel()?, 3),
            "dst_unused" => {
                put(draft.lane, 11, names::SDWA_UNUSED.iter().position(|s| *s == value)? as u32, 2)
            }
            "src0_sel" => put(draft.lane, 16, sel()?, 3),
            "src1_sel" => put(draft.lane, 24, sel()?, 3),
            _ => return None,
        };
        return Some(());
    }
    if draft.form != Form::Dpp {
        return None;
    }
    if name == "dpp8" {
        let sel = list(value)?;
        if sel.len() != 8 {
            return None;
        }
        draft.lane =
            draft.lane & 0xff | sel.iter().enumerate().fold(0, |v, (i, s)| v | (s & 7) << (8 + 3 * i));
        return draft.set(Field::Src0, 233);
    }
    let ctrl = match name {
        "quad_perm" => list(value)
            .filter(|lanes| lanes.iter().all(|lane| *lane < 4))?
            .iter()
            .enumerate()
            .fold(0, |v, (i, s)| v | (s & 3) << (2 * i)),
        "row_shl" => 0x100 | int()?,
        "row_shr" => 0x110 | int()?,
        "row_ror" => 0x120 | int()?,
        "wave_shl" => 0x130,
        "wave_rol" => 0x134,
        "wave_shr" => 0x138,
        "wave_ror" => 0x13c,
        "row_mirror" => 0x140,
        "row_half_mirror" => 0x141,
        "row_bcast" => {
            if int()? == 15 {
                0x142
            } else {
                0x143
            }
        }
        "row_newbcast" | "row_share" => 0x150 | int()?,
        "row_xmask" => 0x160 | int()?,
        "row_mask" => {
            draft.lane = draft.lane & 0x0fff_ffff | int()? << 28;
            return Some(());
        }
        "bank_mask" => {
            draft.lane = draft.lane & 0xf0ff_ffff | int()? << 24;
            return Some(());
        }
        "bound_ctrl" => {
            draft.lane |= 1 << 19;
            return Some(());
        }
        "fi" if !gfx9 => {
            if draft.row.layout.get(draft.word, Field::Src0) == 233 {
                return draft.set(Field::Src0, if int()? == 1 { 234 } else { 233 });
            }
            draft.lane |= int()? << 18;
            return Some(());
        }
        _ => return None,
    };
    draft.lane = draft.lane & !(0x1ff << 8) | ctrl << 8;
    Some(())
}
