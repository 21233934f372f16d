//! An instruction under construction.

use super::Form;
use crate::gcn::format::{self, Field, Format};
use crate::gcn::inst::{Inst, Tail};
use crate::gcn::table::Row;
use crate::gcn::target::Target;

/// An instruction under construction.
pub(super) struct Draft<'r> {
    pub(super) target: Target,
    pub(super) row: &'r Row,
    pub(super) word: u128,
    pub(super) literal: Option<u64>,
    pub(super) long_literal: bool,
    /// DPP or SDWA dword.
    pub(super) lane: u32,
    pub(super) form: Form,
    pub(super) y: bool,
    /// Whether the data of a memory instruction lie in accumulators, once one of them was read.
    pub(super) accumulators: Option<bool>,
}

impl Draft<'_> {
    pub(super) fn set(&mut self, field: Field, value: u32) -> Option<()> {
        let (lo, width) = self.row.layout.bits(field)?;
        if width < 32 && value >> width != 0 {
            return None;
        }
        self.word = format::insert(self.word, (lo, width), value);
        Some(())
    }

    pub(super) fn or(&mut self, field: Field, value: u32) -> Option<()> {
        let old = self.row.layout.get(self.word, field);
        self.set(field, old | value)
    }
}

pub(super) fn new_draft(target: Target, row: &'static Row, form: Form) -> Draft<'static> {
    let word = u128::from(row.layout.value) | row.layout.set | u128::from(row.opcode) << row.layout.opcode.0;
    let lane = match form {
        // Row and bank masks of DPP are all on, SDWA selects whole dwords, unless written.
        Form::Dpp => 0xff00_e400,
        // A comparison has its destination where others say what they write.
        Form::Sdwa if row.format == Format::Vopc => 0x0606_0000,
        Form::Sdwa => 0x0606_0600,
        Form::Plain => 0,
    };
    Draft { target, row, word, literal: None, long_literal: false, lane, form, y: false, accumulators: None }
}

pub(super) fn build(draft: Draft<'_>, row: &'static Row, second: Option<&'static Row>) -> Option<Inst> {
    let tail = match draft.form {
        Form::Dpp => match row.layout.get(draft.word, Field::Src0) {
            233 => Tail::Dpp8(draft.lane, false),
            234 => Tail::Dpp8(draft.lane, true),
            _ => Tail::Dpp(draft.lane),
        },
        Form::Sdwa => {
            // Operations of one source have no second selection.
            let one = row.format == Format::Vop1;
            Tail::Sdwa(if one { draft.lane & 0x00ff_ffff } else { draft.lane })
        }
        Form::Plain => match draft.literal {
            Some(v) if draft.long_literal => Tail::Literal64(v),
            Some(v) => Tail::Literal(v as u32),
            None => Tail::None,
        },
    };
    let inst = Inst::new(draft.target, row, second, draft.word, tail);
    // What was written must read back as the same instruction.
    Inst::decode(draft.target, &inst.encode()).ok().filter(|i| i.row.mnemonic == row.mnemonic)
}
