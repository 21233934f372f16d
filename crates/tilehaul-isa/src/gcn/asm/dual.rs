//! Dual instructions.

use super::draft::{Draft, build, new_draft};
use super::modifier::read_modifier;
use super::operand::operand;
use super::pieces::{split, words};
use super::{AsmError, Form, Symbols};
use crate::gcn::format::{Field, Format};
use crate::gcn::inst::{Inst, Tail};
use crate::gcn::names;
use crate::gcn::table::table;
use crate::gcn::target::Target;

/// `X :: Y`: the pair must exist in one of the dual encodings.
pub(super) fn dual(target: Target, x: &str, y: &str, symbols: Symbols<'_>) -> Result<Inst, AsmError> {
    let bad = || AsmError::Operands {
        line: format!("{x} :: {y}"),
        reason: "the two halves are no pair: see the VOPD rules on banks and destinations".to_owned(),
    };
    let (name_x, rest_x) = x.split_once(char::is_whitespace).ok_or_else(bad)?;
    let (name_y, rest_y) = y.split_once(char::is_whitespace).ok_or_else(bad)?;
    // This one is read in both forms and written in the long one where it can be. inferred: llvm-mc 22.
    let long_first = name_x == "v_dual_dot2acc_f32_bf16";
    let formats = if long_first { [Format::Vopd3, Format::Vopd] } else { [Format::Vopd, Format::Vopd3] };
    for format in formats {
        let find = |name: &str| table(target.generation()).named(target, name).find(|r| r.format == format);
        let (Some(row_x), Some(row_y)) = (find(name_x), find(name_y)) else { continue };
        let attempt = || -> Option<Inst> {
            let mut draft = new_draft(target, row_x, Form::Plain);
            half_line(&mut draft, rest_x, symbols)?;
            let x_word = draft.word;
            let mut second = Draft { row: row_y, y: true, word: x_word, ..draft };
            second.set(Field::OpY, u32::from(row_y.opcode))?;
            half_line(&mut second, rest_y, symbols)?;
            let inst = build(second, row_x, Some(row_y))?;
            // The Y destination of the short form has the other parity.
            let spec = row_y.operands.first()?;
            let wanted = names::numbered(split(rest_y).first()?, "v")?.0;
            match inst.operand_y(spec) {
                crate::gcn::inst::Operand::Vgpr { first, .. } if u32::from(first) == wanted => Some(inst),
                _ => None,
            }
        };
        let written = |inst: &Inst| !(format == Format::Vopd3 && inst.tail != Tail::None);
        if let Some(inst) = attempt().filter(written) {
            return Ok(inst);
        }
    }
    Err(bad())
}

fn half_line(draft: &mut Draft<'_>, rest: &str, symbols: Symbols<'_>) -> Option<()> {
    let mut pieces = split(rest);
    let mut modifiers = Vec::new();
    if let Some(last) = pieces.pop() {
        let mut list = words(last).into_iter();
        pieces.extend(list.next());
        modifiers.extend(list);
    }
    let specs = draft.row.operands.clone();
    if specs.len() != pieces.len() {
        return None;
    }
    for (spec, piece) in specs.iter().zip(&pieces) {
        operand(draft, spec, Some(piece), symbols)?;
    }
    modifiers.into_iter().try_for_each(|m| read_modifier(draft, m, symbols))
}
