//! Assembles one instruction from the spelling that compilers and the disassembler print.
//!
//! The rows of the instruction table are tried in turn: the short encoding before the long one. An operand is read by the
//! class its row gives it; what is left on the line are modifiers. Constants that have an inline form get it, as
//! llvm-mc does.

mod constant;
mod draft;
mod dual;
mod immediate;
mod lanes;
mod modifier;
mod operand;
mod pieces;
mod source;

use crate::gcn::alias::aliases;
use crate::gcn::format::{Field, Format};
use crate::gcn::inst::Inst;
use crate::gcn::misfit::{self, Misfit};
use crate::gcn::table::{Class, OperandSpec, Row, table};
use crate::gcn::target::Target;
use draft::{Draft, build, new_draft};
use dual::dual;
use modifier::{finish_defaults, read_modifier};
use operand::operand;
use pieces::{is_modifier, split, words};

/// Gives symbols their values: the value, or none when the name is not known.
pub type Symbols<'s> = &'s dyn Fn(&str) -> Option<i64>;

/// Why a line is no instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AsmError {
    /// The target has no such mnemonic.
    Mnemonic(String),
    /// The mnemonic exists, the operands or modifiers do not fit it.
    Operands {
        /// The line as it was written.
        line: String,
        /// What does not fit, and what would: half a sentence.
        reason: String,
    },
}

/// Reads one instruction without comment and label.
///
/// # Errors
/// What does not fit.
pub fn assemble(target: Target, text: &str, symbols: Symbols<'_>) -> Result<Inst, AsmError> {
    // `v48 /*v304*/`: the register bank is set by `s_set_vgpr_msb`, the comment only says which register that makes.
    let without = without_comments(text);
    let text = without.as_deref().unwrap_or(text);
    if let Some((x, y)) = text.split_once("::") {
        return dual(target, x.trim(), y.trim(), symbols);
    }
    let text = text.trim();
    let (mnemonic, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    // The reason of the row that came furthest.
    let mut misfit: Option<Misfit> = None;
    // Short comparisons with DPP are printed without their suffix.
    let moved = [" quad_perm:", " row_", " dpp8:"].iter().any(|m| rest.contains(m))
        && mnemonic.starts_with("v_cmp")
        && !mnemonic.ends_with("_dpp");
    let shown = if moved { format!("{mnemonic}_dpp") } else { mnemonic.to_owned() };
    for name in std::iter::once(shown).chain(aliases(target, mnemonic)) {
        for (full, form) in spellings(&name) {
            for row in table(target.generation()).named(target, &full) {
                match attempt(target, row, rest.trim(), form, symbols) {
                    Ok(inst) => return Ok(inst),
                    Err(new) if misfit.as_ref().is_none_or(|old| new.at > old.at) => misfit = Some(new),
                    Err(_) => {}
                }
            }
        }
    }
    Err(match misfit {
        Some(misfit) => AsmError::Operands { line: text.to_owned(), reason: misfit.reason },
        None => AsmError::Mnemonic(mnemonic.to_owned()),
    })
}

/// The text without `/* */` comments, if it has any.
fn without_comments(text: &str) -> Option<String> {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, tail)| tail);
    }
    (rest.len() != text.len()).then(|| out + rest)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Dpp,
    Sdwa,
}

/// Table names that a written mnemonic may stand for.
fn spellings(name: &str) -> Vec<(String, Form)> {
    if let Some(base) = name.strip_suffix("_e64_dpp") {
        return vec![(format!("{base}_e64"), Form::Dpp), (base.to_owned(), Form::Dpp)];
    }
    if let Some(base) = name.strip_suffix("_dpp") {
        return vec![
            (format!("{base}_e32"), Form::Dpp),
            (base.to_owned(), Form::Dpp),
            (format!("{base}_e64"), Form::Dpp),
        ];
    }
    if let Some(base) = name.strip_suffix("_sdwa") {
        return vec![(format!("{base}_e32"), Form::Sdwa), (base.to_owned(), Form::Sdwa)];
    }
    let mut names = vec![
        (name.to_owned(), Form::Plain),
        (format!("{name}_e32"), Form::Plain),
        (format!("{name}_e64"), Form::Plain),
    ];
    // An operation that has the long encoding alone may be written with its suffix.
    names.extend(name.strip_suffix("_e64").map(|base| (base.to_owned(), Form::Plain)));
    names
}

fn attempt(
    target: Target,
    row: &'static Row,
    rest: &str,
    form: Form,
    symbols: Symbols<'_>,
) -> Result<Inst, Misfit> {
    if form != Form::Plain && !(row.flags.dpp || row.flags.dpp8 || row.flags.sdwa) {
        return Err(Misfit::new(0, format!("{} has no such form", row.mnemonic)));
    }
    if matches!(row.format, Format::Vopd | Format::Vopd3) {
        return Err(Misfit::new(0, "a dual instruction has a second half behind `::`"));
    }
    let mut draft = new_draft(target, row, form);
    let whole_line = row.format == Format::Sopp
        || row.operands.iter().any(|o| matches!(o.class, Class::WaitCnt | Class::DelayAlu | Class::DepCtr));
    let mut pieces: Vec<&str> = if whole_line && !rest.is_empty() { vec![rest] } else { split(rest) };
    let mut modifiers: Vec<&str> = Vec::new();
    if !whole_line && let Some(last) = pieces.pop() {
        let mut list = words(last).into_iter();
        if let Some(first) = list.next() {
            if is_modifier(first) && pieces.is_empty() && row.operands.iter().all(|o| o.class == Class::Opt) {
                modifiers.push(first);
            } else {
                pieces.push(first);
            }
        }
        modifiers.extend(list);
    }
    let mut specs = written_operands(row, &pieces, &modifiers, form)
        .ok_or_else(|| Misfit::new(0, "its operands are not those of an atomic"))?;
    // VCC may be left out wherever the instruction names it. manual: llvm-mc 22.
    let carries = specs.iter().filter(|spec| spec.class == Class::Vcc).count();
    if carries > 0 && pieces.len() + carries == specs.len() {
        specs.retain(|spec| spec.class != Class::Vcc);
    }
    let mut at = 0;
    for spec in &specs {
        let piece = pieces.get(at).copied();
        let taken = operand(&mut draft, spec, piece, symbols)
            .ok_or_else(|| Misfit::new(at, misfit::operand(target, row, spec, piece)))?;
        at += usize::from(taken);
    }
    if let Some(surplus) = pieces.get(at) {
        return Err(Misfit::new(at, format!("`{surplus}` is one operand too many")));
    }
    finish_defaults(&mut draft, &modifiers)
        .ok_or_else(|| Misfit::new(at, "its operands do not go together"))?;
    for (index, modifier) in modifiers.iter().enumerate() {
        let name = |word: &str| word.split(':').next().map(str::to_owned);
        if modifiers[..index].iter().any(|earlier| name(earlier) == name(modifier)) {
            return Err(Misfit::new(at + index + 1, format!("`{modifier}` stands there a second time")));
        }
        read_modifier(&mut draft, modifier, symbols)
            .ok_or_else(|| Misfit::new(at + index + 1, misfit::modifier(target, row, modifier)))?;
    }
    let end = at + modifiers.len() + 1;
    let groups = specs.iter().filter(|o| matches!(o.class, Class::Tdm2 | Class::Tdm3)).count();
    if groups == 2 && pieces.len() + 1 == specs.len() {
        return Err(Misfit::new(end, "groups 2 and 3 of a D# go together: name both or neither"));
    }
    if let Some(wanted) = address_registers(&draft).or_else(|| scaled_offset(&draft)) {
        return Err(Misfit::new(end, wanted));
    }
    build(draft, row, None).ok_or_else(|| Misfit::new(end, "its operands do not go together"))
}

/// What is wrong with the number of address registers of a buffer instruction: one for each of `offen` and `idxen`.
fn address_registers(draft: &Draft<'_>) -> Option<String> {
    let buffer = draft.row.operands.iter().any(|o| o.class == Class::BufferAddr);
    let set = |field| draft.row.layout.bits(field).map_or(0, |_| draft.row.layout.get(draft.word, field));
    let wanted = set(Field::Offen) + set(Field::Idxen);
    (buffer && draft.lane != wanted).then(|| match wanted {
        0 => "without offen and idxen the address is `off`".to_owned(),
        1 => "offen or idxen alone takes one address VGPR".to_owned(),
        _ => "offen and idxen together take two address VGPRs".to_owned(),
    })
}

/// `scale_offset` counts the offset register of a scalar address, or the offset register of private memory.
fn scaled_offset(draft: &Draft<'_>) -> Option<String> {
    let row = draft.row;
    let get = |field| row.layout.bits(field).map_or(0, |_| row.layout.get(draft.word, field));
    if !row.flags.scale || get(Field::Scale) == 0 {
        return None;
    }
    let nothing = match row.format {
        Format::Global | Format::Flat => get(Field::Saddr) == 0x7c,
        Format::Scratch => get(Field::Sve) == 0,
        _ => false,
    };
    nothing.then(|| "scale_offset scales an offset register, and there is none".to_owned())
}

/// The operands in the order of the text; returning atomics have their result first.
fn written_operands(row: &Row, pieces: &[&str], modifiers: &[&str], form: Form) -> Option<Vec<OperandSpec>> {
    let mut specs = row.operands.clone();
    if crate::gcn::print::is_atomic(row.mnemonic)
        && specs.iter().any(|o| matches!(o.field, Field::Data | Field::Vsrc))
    {
        let returns = modifiers.iter().any(|m| *m == "sc0" || m.contains("RETURN"));
        let required = specs.iter().filter(|o| o.class != Class::FlatSaddr).count();
        if returns && pieces.len() > required {
            let width = specs.iter().find_map(|o| match (o.field, o.class) {
                (Field::Data | Field::Vsrc, Class::Vgpr(n)) => Some(n),
                _ => None,
            })?;
            let width = if row.mnemonic.contains("cmpswap") { width / 2 } else { width };
            specs.insert(0, OperandSpec { field: Field::Vdst, class: Class::Vgpr(width) });
        }
    }
    if row.flags.lds && modifiers.contains(&"lds") {
        specs.retain(|o| o.field != Field::Vdata);
    }
    if form == Form::Sdwa && row.format == Format::Vopc {
        // The destination is read as an operand of its own below.
        for spec in &mut specs {
            if spec.class == Class::Vcc {
                spec.class = Class::Sgpr(2);
            }
        }
    }
    Some(specs)
}
