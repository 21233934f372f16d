//! Assembles one instruction from the spelling that compilers and the disassembler print.
//!
//! The rows of the instruction table are tried in turn: the short encoding before the long one. An operand is read by the
//! class its row gives it; what is left on the line are modifiers. Constants that have an inline form get it, as
//! llvm-mc does.

use super::alias::alias;
use super::format::{self, Field, Format, Generation};
use super::inst::{Inst, Tail};
use super::misfit::{self, Misfit};
use super::names;
use super::table::{Class, Constants, OperandSpec, Row, Source, table};
use super::target::Target;

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
    for name in [Some(shown), alias(target, mnemonic)].into_iter().flatten() {
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

/// Splits at commas outside brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0i32, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                out.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        out.push(text[start..].trim());
    }
    out
}

/// Cuts the modifiers off the last operand: words outside brackets after the first.
fn words(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0i32, None, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        match (c.is_whitespace() && depth == 0, start) {
            (true, Some(s)) => {
                out.push(&text[s..i]);
                start = None;
            }
            (false, None) => start = Some(i),
            _ => {}
        }
    }
    if let Some(s) = start {
        out.push(&text[s..]);
    }
    out
}

/// An instruction under construction.
struct Draft<'r> {
    target: Target,
    row: &'r Row,
    word: u128,
    literal: Option<u64>,
    long_literal: bool,
    /// DPP or SDWA dword.
    lane: u32,
    form: Form,
    y: bool,
}

impl Draft<'_> {
    fn set(&mut self, field: Field, value: u32) -> Option<()> {
        let (lo, width) = self.row.layout.bits(field)?;
        if width < 32 && value >> width != 0 {
            return None;
        }
        self.word = format::insert(self.word, (lo, width), value);
        Some(())
    }

    fn or(&mut self, field: Field, value: u32) -> Option<()> {
        let old = self.row.layout.get(self.word, field);
        self.set(field, old | value)
    }
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
    let specs = written_operands(row, &pieces, &modifiers, form)
        .ok_or_else(|| Misfit::new(0, "its operands are not those of an atomic"))?;
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
        read_modifier(&mut draft, modifier, symbols)
            .ok_or_else(|| Misfit::new(at + index + 1, misfit::modifier(target, row, modifier)))?;
    }
    let end = at + modifiers.len() + 1;
    let groups = specs.iter().filter(|o| matches!(o.class, Class::Tdm2 | Class::Tdm3)).count();
    if groups == 2 && pieces.len() + 1 == specs.len() {
        return Err(Misfit::new(end, "groups 2 and 3 of a D# go together: name both or neither"));
    }
    if let Some(wanted) = address_registers(&draft) {
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

fn new_draft(target: Target, row: &'static Row, form: Form) -> Draft<'static> {
    let word = u128::from(row.layout.value) | row.layout.set | u128::from(row.opcode) << row.layout.opcode.0;
    let lane = match form {
        // Row and bank masks of DPP are all on, SDWA selects whole dwords, unless written.
        Form::Dpp => 0xff00_e400,
        // A comparison has its destination where others say what they write.
        Form::Sdwa if row.format == Format::Vopc => 0x0606_0000,
        Form::Sdwa => 0x0606_0600,
        Form::Plain => 0,
    };
    Draft { target, row, word, literal: None, long_literal: false, lane, form, y: false }
}

fn is_modifier(word: &str) -> bool {
    word.contains(':') && !word.contains('[') || matches!(word, "nv" | "sc0" | "sc1" | "nt" | "glc" | "gds")
}

/// The operands in the order of the text; returning atomics have their result first.
fn written_operands(row: &Row, pieces: &[&str], modifiers: &[&str], form: Form) -> Option<Vec<OperandSpec>> {
    let mut specs = row.operands.clone();
    if super::print::is_atomic(row.mnemonic)
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

/// Reads one operand; returns whether it took a piece of the text.
fn operand(
    draft: &mut Draft<'_>,
    spec: &OperandSpec,
    text: Option<&str>,
    symbols: Symbols<'_>,
) -> Option<bool> {
    let generation = draft.target.generation();
    let gfx9 = generation == Generation::Gfx9;
    let field = place(draft, spec.field);
    match spec.class {
        Class::Opt => {
            let Some(text) = text else { return Some(false) };
            draft.set(field, number(text, symbols)? as u32 & 0xffff)?;
        }
        Class::FlatSaddr => {
            let Some(text) = text.filter(|t| *t != "off") else {
                draft.set(Field::Saddr, 0x7c)?;
                return Some(text.is_some());
            };
            draft.set(Field::Saddr, u32::from(scalar(generation, text, 2)?))?;
        }
        Class::Tdm2 | Class::Tdm3 => {
            let Some(text) = text.filter(|t| *t != "null") else {
                draft.set(field, 0x7c)?;
                return Some(text.is_some());
            };
            let n = scalar(generation, text, 4)?;
            draft.set(field, u32::from(n))?;
        }
        Class::Vcc => {
            let wanted = if draft.target.wave_lanes() == 32 { "vcc_lo" } else { "vcc" };
            // The assembler puts it in when it is left out.
            let Some(text) = text else { return Some(false) };
            if text != wanted {
                return None;
            }
        }
        Class::Saddr => {
            let text = text?;
            let value = if text == "off" {
                if gfx9 { 0x7f } else { 0x7c }
            } else {
                u32::from(scalar(generation, text, if draft.row.format == Format::Scratch { 1 } else { 2 })?)
            };
            // A scalar address takes a 32-bit vector offset, none a 64-bit address: checked by the width read before.
            draft.set(Field::Saddr, value)?;
            if draft.row.format == Format::Global {
                let wide = draft.lane == 2;
                if draft.lane != 0 && wide != (text == "off") {
                    return None;
                }
            }
        }
        Class::GlobalAddr => {
            let (first, count) = names::numbered(text?, "v")?;
            if count > 2 {
                return None;
            }
            draft.lane = count;
            draft.set(field, first)?;
        }
        Class::ScratchAddr => {
            let text = text?;
            if text == "off" {
                draft.set(Field::Sve, 0)?;
            } else {
                let (first, 1) = names::numbered(text, "v")? else { return None };
                draft.set(Field::Sve, 1)?;
                draft.set(field, first)?;
            }
        }
        Class::BufferAddr => {
            let text = text?;
            if text != "off" {
                let (first, count) = names::numbered(text, "v")?;
                draft.set(field, first)?;
                draft.lane = count;
            }
        }
        Class::SmemOffset => smem_offset(draft, text?, symbols)?,
        Class::Vgpr(count) => {
            let mut text = text?;
            let signed = draft.form != Form::Plain || draft.row.format == Format::Vopd3;
            if signed && matches!(spec.field, Field::Vsrc1 | Field::Vsrc2) {
                text = signs(draft, source_index(spec.field), text)?;
                if draft.form == Form::Sdwa
                    && let Some((first, 1)) = names::scalar_number(generation, text)
                {
                    draft.lane |= 1 << 31;
                    draft.set(field, u32::from(first))?;
                    return Some(true);
                }
            }
            if let Some((first, n)) = names::numbered(text, "a") {
                accumulator(draft, field, first, n, count)?;
            } else {
                let (first, n) = names::numbered(text, "v")?;
                if n != u32::from(count) {
                    return None;
                }
                if draft.y && draft.row.format == Format::Vopd && field == Field::VdstY {
                    draft.set(field, first >> 1)?;
                } else {
                    draft.set(field, first)?;
                }
            }
        }
        Class::VgprHalf => half(draft, field, text?)?,
        Class::Agpr(count) => {
            let (first, n) = names::numbered(text?, "a")?;
            if n != u32::from(count) {
                return None;
            }
            let wide = draft.row.layout.bits(field).is_some_and(|(_, w)| w == 9);
            draft.set(field, first + if wide { 256 } else { 0 })?;
            if draft.row.flags.accmov {
                draft.set(Field::AccAb, 3)?;
                draft.set(Field::OpSelHi2, 1)?;
            }
        }
        Class::Sgpr(count) => {
            let n = u32::from(scalar(generation, text?, count)?);
            match field {
                Field::Implied => {
                    // The destination of an SDWA comparison: VCC needs no bits.
                    if n != 106 {
                        draft.lane |= n << 8 | 1 << 15;
                    }
                }
                // Registers of a pair start at an even one, of a resource at a multiple of four.
                Field::Sbase if n % 2 != 0 => return None,
                Field::Rsrc if n % 4 != 0 && n < 102 => return None,
                Field::Sbase => draft.set(field, n >> 1)?,
                Field::Rsrc if gfx9 => draft.set(field, n >> 2)?,
                _ => draft.set(field, n)?,
            }
        }
        Class::Soffset => {
            let source = Source {
                width: 1,
                vector: false,
                scalar: true,
                inline: false,
                literal: false,
                constants: Constants::Wide,
                half: false,
            };
            let value = source_value(draft, &source, field, text?, symbols)?;
            draft.set(Field::Soffset, value)?;
        }
        Class::Source(source) => source_operand(draft, source, field, text?, symbols)?,
        Class::Literal(width) => {
            let text = text?;
            let value = if width == 1 {
                literal(text, Constants::Wide, 1, symbols)?
            } else {
                double_literal(text, symbols)?
            };
            if draft.literal.is_some_and(|l| l != value) {
                return None;
            }
            draft.literal = Some(value);
            draft.long_literal |= width == 2;
        }
        Class::Hex | Class::Dec | Class::Num => {
            let v = number(text?, symbols)?;
            let width = draft.row.layout.bits(field)?.1;
            if !(-(1i64 << (width - 1))..1i64 << width).contains(&v) {
                return None;
            }
            draft.set(field, v as u32 & ((1u64 << width) - 1) as u32)?;
        }
        Class::Label => {
            // The caller's symbols give the distance in dwords for names; numbers stand for themselves.
            draft.set(field, number(text?, symbols)? as u32 & 0xffff)?;
        }
        Class::Hwreg => draft.set(field, hwreg(generation, text?, symbols)?)?,
        Class::SendMsg => draft.set(field, message(generation, text?, symbols)?)?,
        Class::WaitCnt => draft.set(field, waitcnt(text?, symbols)?)?,
        Class::DelayAlu => draft.set(field, delay(text?, symbols)?)?,
        Class::DepCtr => draft.set(field, depctr(text?, symbols)?)?,
        Class::GprIdx => draft.set(field, gpr_index(text?, symbols)?)?,
    }
    Some(true)
}

fn place(draft: &Draft<'_>, field: Field) -> Field {
    if !draft.y {
        return field;
    }
    match field {
        Field::Vdst => Field::VdstY,
        Field::Src0 => Field::Src0Y,
        Field::Vsrc1 => Field::Vsrc1Y,
        Field::Vsrc2 => Field::Vsrc2Y,
        other => other,
    }
}

fn accumulator(draft: &mut Draft<'_>, field: Field, first: u32, n: u32, count: u8) -> Option<()> {
    if n != u32::from(count) {
        return None;
    }
    if draft.row.flags.mai && field == Field::Vdst {
        draft.set(Field::AccCd, 1)?;
    } else if draft.row.flags.acc && !matches!(field, Field::Addr | Field::Vaddr) {
        draft.set(Field::Acc, 1)?;
    } else {
        return None;
    }
    draft.set(field, first)
}

fn half(draft: &mut Draft<'_>, field: Field, text: &str) -> Option<()> {
    // Compilers without true16 leave `.l` out.
    let (name, high) = match (text.strip_suffix(".l"), text.strip_suffix(".h")) {
        (Some(name), _) => (name, 0),
        (_, Some(name)) => (name, 1),
        _ => (text, 0),
    };
    let (first, 1) = names::numbered(name, "v")? else { return None };
    if matches!(draft.row.format, Format::Vop3 | Format::Vop3p) {
        draft.or(Field::OpSel, high << 3)?;
        draft.set(field, first)
    } else {
        if first > 127 {
            return None;
        }
        draft.set(field, high << 7 | first)
    }
}

fn scalar(generation: Generation, text: &str, count: u8) -> Option<u8> {
    // The number has a name on gfx9, but nothing takes it. manual: llvm-mc 22.
    if text == "null" && generation == Generation::Gfx9 {
        return None;
    }
    let (first, n) = names::scalar_number(generation, text)?;
    let fits =
        n == count || (generation == Generation::Gfx12 && first == 124) || (first >= 230 && first != 254);
    fits.then_some(first)
}

fn source_index(field: Field) -> u32 {
    match field {
        Field::Src0 | Field::Src0Y | Field::Ssrc0 => 0,
        Field::Src1 | Field::Vsrc1 | Field::Vsrc1Y | Field::Ssrc1 => 1,
        _ => 2,
    }
}

fn source_operand(
    draft: &mut Draft<'_>,
    source: Source,
    field: Field,
    text: &str,
    symbols: Symbols<'_>,
) -> Option<()> {
    let index = source_index(field);
    let mut text = text.trim();
    // Signs belong to the operand unless it is a number of its own.
    let bare = inline_or_literal(text, &source, symbols).is_some();
    if !bare {
        text = signs(draft, index, text)?;
    }
    if draft.form != Form::Plain && field == Field::Src0 {
        if draft.form == Form::Sdwa && !text.starts_with('v') {
            let value = source_value(draft, &Source { vector: false, ..source }, field, text, symbols)?;
            draft.lane |= value & 0xff | 1 << 23;
            return draft.set(Field::Src0, 249);
        }
        let (name, high) = match (text.strip_suffix(".l"), text.strip_suffix(".h")) {
            (Some(name), _) => (name, 0),
            (_, Some(name)) => (name, 1),
            _ => (text, 0),
        };
        let (first, _) = names::numbered(name, "v")?;
        if draft.row.format == Format::Vop3 || draft.row.format == Format::Vop3p {
            draft.or(Field::OpSel, high)?;
        }
        let high = if draft.row.format == Format::Vop3 { 0 } else { high << 7 };
        draft.lane |= first & 0xff | high;
        return draft.set(Field::Src0, if draft.form == Form::Sdwa { 249 } else { 250 });
    }
    if source.half && source.vector && text.starts_with('v') && !text.starts_with("vcc") {
        let (name, high) = match (text.strip_suffix(".l"), text.strip_suffix(".h")) {
            (Some(name), _) => (name, 0),
            (_, Some(name)) => (name, 1),
            _ => (text, 0),
        };
        let (first, 1) = names::numbered(name, "v")? else { return None };
        if matches!(draft.row.format, Format::Vop3 | Format::Vop3p) {
            draft.or(Field::OpSel, high << index)?;
            return draft.set(field, 256 + first);
        }
        if first > 127 {
            return None;
        }
        return draft.set(field, 256 + (high << 7 | first));
    }
    let value = source_value(draft, &source, field, text, symbols)?;
    draft.set(field, value)
}

/// Takes `-`, `||` and `sext()` off an operand and sets their bits.
fn signs<'t>(draft: &mut Draft<'_>, index: u32, mut text: &'t str) -> Option<&'t str> {
    let (mut neg, mut abs, mut sext) = (false, false, false);
    let inside =
        |text: &'t str, open: &str, close: char| text.strip_prefix(open).and_then(|t| t.strip_suffix(close));
    if let Some(inner) = inside(text, "neg(", ')').or_else(|| text.strip_prefix('-')) {
        (neg, text) = (true, inner);
    }
    if let Some(inner) = inside(text, "sext(", ')') {
        (sext, text) = (true, inner);
    }
    if let Some(inner) = inside(text, "|", '|').or_else(|| inside(text, "abs(", ')')) {
        (abs, text) = (true, inner);
    }
    apply_signs(draft, index, neg, abs, sext)?;
    Some(text)
}

fn apply_signs(draft: &mut Draft<'_>, index: u32, neg: bool, abs: bool, sext: bool) -> Option<()> {
    if !neg && !abs && !sext {
        return Some(());
    }
    let flags = &draft.row.flags;
    match (draft.row.format, draft.form) {
        (Format::Vop3, _) => {
            if neg && flags.neg >> index & 1 == 0 || abs && flags.abs >> index & 1 == 0 || sext {
                return None;
            }
            draft.or(Field::Neg, u32::from(neg) << index)?;
            draft.or(Field::Abs, u32::from(abs) << index)
        }
        (Format::Vop3p, _) if flags.mix => {
            draft.or(Field::Neg, u32::from(neg) << index)?;
            draft.or(Field::NegHi, u32::from(abs) << index)
        }
        (Format::Vopd3, _) if flags.negxy && !abs => {
            let field = if draft.y { Field::NegY } else { Field::NegX };
            draft.or(field, u32::from(neg) << index)
        }
        (Format::Vop1 | Format::Vop2 | Format::Vopc, Form::Dpp) if index < 2 && !sext => {
            draft.lane |= u32::from(neg) << (20 + 2 * index) | u32::from(abs) << (21 + 2 * index);
            Some(())
        }
        (Format::Vop1 | Format::Vop2 | Format::Vopc, Form::Sdwa) if index < 2 => {
            let shift = if index == 0 { 16 } else { 24 };
            draft.lane |= u32::from(sext) << (shift + 3)
                | u32::from(neg) << (shift + 4)
                | u32::from(abs) << (shift + 5);
            Some(())
        }
        _ => None,
    }
}

/// The number of a register or constant in a source field.
fn source_value(
    draft: &mut Draft<'_>,
    source: &Source,
    field: Field,
    text: &str,
    symbols: Symbols<'_>,
) -> Option<u32> {
    let generation = draft.target.generation();
    let wide = draft.row.layout.bits(field).is_some_and(|(_, w)| w == 9);
    if text.starts_with('v') || text.starts_with('a') {
        let accumulators = draft.row.flags.mai && text.starts_with('a');
        let prefix = if accumulators { "a" } else { "v" };
        if let Some((first, n)) = names::numbered(text, prefix) {
            let width = matrix_width(draft, source, n);
            if !source.vector || !wide || n != u32::from(width) {
                return None;
            }
            if accumulators {
                match field {
                    Field::Src0 => draft.or(Field::AccAb, 1)?,
                    Field::Src1 => draft.or(Field::AccAb, 2)?,
                    _ => draft.set(Field::AccCd, 1)?,
                }
            }
            return Some(256 + first);
        }
    }
    if text == "null" && generation == Generation::Gfx9 {
        return None;
    }
    if let Some((first, n)) = names::scalar_number(generation, text) {
        let fits = u32::from(n) == u32::from(source.width)
            || first >= 230
            || (first == 124 && generation == Generation::Gfx12)
            || (first == 125 && generation == Generation::Gfx9);
        return (source.scalar && fits).then_some(u32::from(first));
    }
    // Written so, all 64 bits are given.
    let whole = if source.width == 2 { call(text, "lit64") } else { None };
    let (inline, value) = match &whole {
        Some(parts) => (None, number(parts.first()?, symbols)? as u64),
        None => inline_or_literal(text, source, symbols)?,
    };
    // Distances of symbols are literals whatever they come to.
    // So are the constants of these two, whose source is a pair for the assembler. inferred: llvm-mc 22.
    let pair = matches!(draft.row.mnemonic, "v_cvt_pk_bf8_f16" | "v_cvt_pk_fp8_f16");
    // Inline, a half would stand in both halves. hardware: llvm-project #94116 (gfx11 and later).
    let both =
        draft.row.mnemonic == "v_pk_fmac_f16" && inline.is_some_and(|code| (240..=248).contains(&code));
    if let Some(code) = inline.filter(|_| !text.contains('@') && !pair && !both)
        && (source.inline || field == Field::Soffset)
    {
        return Some(code);
    }
    // manual: LLVM AMDGPU, literals in VOP3 came with gfx10.
    let gfx9 = generation == Generation::Gfx9;
    let bare = matches!(draft.row.format, Format::Vop3 | Format::Vop3p) || draft.form != Form::Plain;
    if !source.literal || gfx9 && bare {
        return None;
    }
    let long = source.width == 2
        && generation == Generation::Gfx12
        && (whole.is_some()
            || value >> 32 != 0
            || text.contains("@rel64")
            || value >> 31 == 1 && !is_float(draft.row) && draft.row.format != Format::Vop3);
    let value = if source.width == 2 && !long && value >> 32 != 0 && value as u32 == 0 && is_float(draft.row)
    {
        value >> 32
    } else {
        value
    };
    if draft.literal.is_some_and(|l| l != value) {
        return None;
    }
    draft.literal = Some(value);
    draft.long_literal |= long;
    Some(if long { 254 } else { 255 })
}

/// Matrix operands of mixed formats may have fewer registers than the row says.
fn matrix_width(draft: &Draft<'_>, source: &Source, given: u32) -> u8 {
    let widths = [source.width, source.width / 4 * 3, source.width / 2];
    if draft.row.flags.matrix_fmt && widths.iter().any(|w| u32::from(*w) == given) {
        given as u8
    } else {
        source.width
    }
}

fn is_float(row: &Row) -> bool {
    row.mnemonic.contains("f64")
}

/// The inline code of a constant, if it has one, and its bits as a literal.
fn inline_or_literal(text: &str, source: &Source, symbols: Symbols<'_>) -> Option<(Option<u32>, u64)> {
    if let Some(x) = float_text(text) {
        let code = names::INLINE_FLOATS
            .iter()
            .position(|f| *f == x || (*f as f32 == x as f32 && text.starts_with("0.159")))
            .map(|i| 240 + i as u32);
        let code = code.or((x == 0.0 && x.is_sign_positive()).then_some(128));
        let bits = match (source.constants, source.width) {
            (Constants::Half | Constants::Short, _) => u64::from(half_from(x)),
            (_, 2) => x.to_bits(),
            _ => u64::from((x as f32).to_bits()),
        };
        return Some((code, bits));
    }
    let v = number(text, symbols)?;
    let code = match v {
        0..=64 => Some(128 + v as u32),
        -16..=-1 => Some((192 - v) as u32),
        _ => None,
    };
    // The bits of an inline float get its code. inferred: llvm-mc 22.
    let bits = |f: f64| match (source.constants, source.width) {
        (Constants::Half, _) => i64::from(half_from(f)),
        (Constants::Short, _) => i64::MIN,
        (_, 2) => f.to_bits() as i64,
        _ => i64::from((f as f32).to_bits()),
    };
    let v32 = if source.width == 2 { v } else { i64::from(v as u32) };
    let by_bits = names::INLINE_FLOATS.iter().position(|f| bits(*f) == v32).map(|i| 240 + i as u32);
    let value = if source.width == 2 { v as u64 } else { u64::from(v as u32) };
    Some((code.or(by_bits), value))
}

fn half_from(x: f64) -> u16 {
    // Round to nearest even through the 32-bit pattern; exact for every constant that compilers write.
    let bits = (x as f32).to_bits();
    let (sign, exponent, mantissa) =
        ((bits >> 16 & 0x8000) as u16, (bits >> 23 & 255) as i32 - 112, bits & 0x7f_ffff);
    if exponent <= 0 {
        return sign;
    }
    if exponent >= 31 {
        return sign | 0x7c00;
    }
    let rounded = (u32::from(exponent as u16) << 10 | mantissa >> 13)
        + u32::from(mantissa >> 12 & 1 == 1 && (mantissa & 0xfff != 0 || mantissa >> 13 & 1 == 1));
    sign | rounded as u16
}

fn float_text(text: &str) -> Option<f64> {
    let body = text.strip_prefix('-').unwrap_or(text);
    let float = body.starts_with(|c: char| c.is_ascii_digit())
        && (body.contains('.') || (body.contains(['e', 'E']) && !body.starts_with("0x")));
    if float { text.parse().ok() } else { None }
}

fn literal(text: &str, constants: Constants, width: u8, symbols: Symbols<'_>) -> Option<u64> {
    let source =
        Source { width, vector: false, scalar: false, inline: false, literal: true, constants, half: false };
    let (_, value) = inline_or_literal(text, &source, symbols)?;
    Some(if width == 1 { value & 0xffff_ffff } else { value })
}

/// The literal of `v_fmamk_f64`: a number of 32 bits is the upper half of a double, `lit64(…)` is taken as it is.
fn double_literal(text: &str, symbols: Symbols<'_>) -> Option<u64> {
    if let Some(parts) = call(text, "lit64") {
        return Some(number(parts.first()?, symbols)? as u64);
    }
    match number(text, symbols).map(u32::try_from) {
        Some(Ok(high)) => Some(u64::from(high) << 32),
        _ => literal(text, Constants::Wide, 2, symbols),
    }
}

/// A number or an expression of symbols.
fn number(text: &str, symbols: Symbols<'_>) -> Option<i64> {
    let text = text.trim();
    super::expr::integer(text).or_else(|| symbols(text))
}

fn smem_offset(draft: &mut Draft<'_>, text: &str, symbols: Symbols<'_>) -> Option<()> {
    let generation = draft.target.generation();
    if let Some((first, 1)) = names::scalar_number(generation, text) {
        if generation == Generation::Gfx9 {
            // Without an immediate the register stands in the offset field.
            draft.set(Field::Ioffset, u32::from(first))?;
            return draft.set(Field::Imm, 0);
        }
        return draft.set(Field::Soffset, u32::from(first));
    }
    let v = number(text, symbols)?;
    if generation == Generation::Gfx9 {
        if !(-(1 << 20)..1 << 20).contains(&v) {
            return None;
        }
        draft.set(Field::Ioffset, v as u32 & 0x1f_ffff)?;
        return draft.set(Field::Imm, 1);
    }
    if !(-(1 << 23)..1 << 23).contains(&v) {
        return None;
    }
    draft.set(Field::Soffset, 0x7c)?;
    draft.set(Field::Ioffset, v as u32 & 0xff_ffff)
}

fn call<'t>(text: &'t str, name: &str) -> Option<Vec<&'t str>> {
    let inner = text.trim().strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
    Some(split(inner))
}

fn hwreg(generation: Generation, text: &str, symbols: Symbols<'_>) -> Option<u32> {
    let Some(parts) = call(text, "hwreg") else { return number(text, symbols).map(|v| v as u32 & 0xffff) };
    let first = *parts.first()?;
    let id = names::hwreg_number(generation, first).or_else(|| number(first, symbols).map(|v| v as u32))?;
    let get = |i: usize, default: i64| parts.get(i).map_or(Some(default), |p| number(p, symbols));
    let (offset, width) = (get(1, 0)?, get(2, 32)?);
    ((0..32).contains(&offset) && (1..=32).contains(&width))
        .then(|| id & 63 | (offset as u32) << 6 | (width as u32 - 1) << 11)
}

fn message(generation: Generation, text: &str, symbols: Symbols<'_>) -> Option<u32> {
    let Some(parts) = call(text, "sendmsg") else { return number(text, symbols).map(|v| v as u32 & 0xffff) };
    let first = *parts.first()?;
    let id = match first {
        "MSG_GS" if generation == Generation::Gfx9 => 2,
        "MSG_GS_DONE" if generation == Generation::Gfx9 => 3,
        _ => names::message_number(generation, first).or_else(|| number(first, symbols).map(|v| v as u32))?,
    };
    let op = match parts.get(1) {
        None => 0,
        Some(&"GS_OP_NOP") => 0,
        Some(&"GS_OP_CUT") => 1,
        Some(&"GS_OP_EMIT") => 2,
        Some(&"GS_OP_EMIT_CUT") => 3,
        Some(other) => number(other, symbols)? as u32,
    };
    let stream = parts.get(2).map_or(Some(0), |p| number(p, symbols))? as u32;
    Some(id | op << 4 | stream << 8)
}

fn waitcnt(text: &str, symbols: Symbols<'_>) -> Option<u32> {
    if let Some(v) = number(text, symbols) {
        return (0..0x1_0000).contains(&v).then_some(v as u32);
    }
    let mut imm = 0xcf7fu32;
    for part in text.split(['&', ',', ' ']).map(str::trim).filter(|p| !p.is_empty()) {
        let (name, value) = part.strip_suffix(')')?.split_once('(')?;
        let n = u32::try_from(number(value, symbols)?).ok()?;
        let saturated = name.ends_with("_sat");
        let clip = |max: u32| if n <= max { Some(n) } else { saturated.then_some(max) };
        match name.trim_end_matches("_sat") {
            "vmcnt" => {
                let n = clip(63)?;
                imm = imm & !0xc00f | n & 15 | (n >> 4) << 14;
            }
            "expcnt" => imm = imm & !0x70 | clip(7)? << 4,
            "lgkmcnt" => imm = imm & !0xf00 | clip(15)? << 8,
            _ => return None,
        }
    }
    Some(imm)
}

fn delay(text: &str, symbols: Symbols<'_>) -> Option<u32> {
    if let Some(v) = number(text, symbols) {
        return Some(v as u32 & 0xffff);
    }
    let mut imm = 0;
    for part in text.split('|').map(str::trim) {
        let (name, value) = part.strip_suffix(')')?.split_once('(')?;
        let id = || {
            if value == "NO_DEP" {
                return Some(0);
            }
            names::DELAY_IDS.iter().position(|n| *n == value).map(|i| i as u32 + 1)
        };
        match name {
            "instid0" => imm |= id()?,
            "instskip" => {
                let skip = if value == "SAME" {
                    0
                } else {
                    names::DELAY_SKIPS.iter().position(|n| *n == value)? as u32 + 1
                };
                imm |= skip << 4;
            }
            "instid1" => imm |= id()? << 7,
            _ => return None,
        }
    }
    Some(imm)
}

fn depctr(text: &str, symbols: Symbols<'_>) -> Option<u32> {
    if let Some(v) = number(text, symbols) {
        return Some(v as u32 & 0xffff);
    }
    let mut imm = 0xff9f;
    for part in text.split_whitespace() {
        let (name, value) = part.strip_suffix(')')?.split_once('(')?;
        let n = number(value, symbols)? as u32;
        let &(_, lo, width) = names::DEPCTR.iter().find(|(d, ..)| *d == name)?;
        let mask = ((1u32 << width) - 1) << lo;
        imm = imm & !mask | n << lo & mask;
    }
    Some(imm)
}

fn gpr_index(text: &str, symbols: Symbols<'_>) -> Option<u32> {
    let Some(parts) = call(text, "gpr_idx") else {
        return u32::try_from(number(text, symbols)?).ok().filter(|v| *v < 16);
    };
    parts.iter().try_fold(0, |v, p| {
        let bit = ["SRC0", "SRC1", "SRC2", "DST"].iter().position(|n| n == p)?;
        Some(v | 1 << bit)
    })
}

/// Fields whose default is not zero.
fn finish_defaults(draft: &mut Draft<'_>, modifiers: &[&str]) -> Option<()> {
    let flags = &draft.row.flags;
    let (mix, wmma, matrix_fmt) = (flags.mix, flags.wmma, flags.matrix_fmt);
    let has = |name: &str| modifiers.iter().any(|m| m.starts_with(name));
    let packed = draft.row.format == Format::Vop3p && !flags.mai && !flags.accmov;
    if packed && !mix && !has("op_sel_hi:") && !matrix_fmt {
        draft.set(Field::OpSelHi, 3)?;
        if !wmma {
            draft.set(Field::OpSelHi2, 1)?;
        }
    }
    // The 4-bit product has no modifiers there, and its bits are set: inferred: llvm-mc 22.
    let four_bit = draft.row.mnemonic.ends_with("_f4");
    if four_bit {
        draft.set(Field::OpSelHi, 3)?;
        draft.set(Field::OpSelHi2, 1)?;
    }
    if draft.row.flags.exec {
        draft.set(Field::Vdst, 126)?;
    }
    if draft.row.layout.bits(Field::ScaleThird).is_some() {
        draft.set(Field::ScaleThird, 0x100)?;
    }
    if draft.row.format == Format::Mtbuf {
        // Bytes, when nothing is said.
        draft.set(Field::Dfmt, 1)?;
    }
    let gfx12 = draft.target.generation() == Generation::Gfx12;
    if gfx12 {
        let has_saddr = draft.row.operands.iter().any(|o| o.field == Field::Saddr);
        if draft.row.layout.bits(Field::Saddr).is_some() && !has_saddr {
            draft.set(Field::Saddr, 0x7c)?;
        }
    }
    Some(())
}

fn list(text: &str) -> Option<Vec<u32>> {
    text.strip_prefix('[')?.strip_suffix(']')?.split(',').map(|t| t.trim().parse().ok()).collect()
}

/// A list of zeros and ones.
fn bits(text: &str) -> Option<Vec<u32>> {
    list(text).filter(|list| list.iter().all(|bit| *bit < 2))
}

fn read_modifier(draft: &mut Draft<'_>, word: &str, symbols: Symbols<'_>) -> Option<()> {
    let (name, value) = word.split_once(':').unwrap_or((word, ""));
    let flags = draft.row.flags.clone();
    let int = || number(value, symbols);
    let gfx9 = draft.target.generation() == Generation::Gfx9;
    let scaled = matches!(draft.row.format, Format::Scaled | Format::Scaled16);
    match name {
        "offset" if flags.off => {
            let v = match value.strip_prefix("swizzle(") {
                Some(inner) => i64::from(swizzle(inner.strip_suffix(')')?)?),
                None => int()?,
            };
            if !(0..0x1_0000).contains(&v) {
                return None;
            }
            draft.set(Field::Offset, v as u32 & 255)?;
            draft.set(Field::Offset1, v as u32 >> 8)
        }
        "offset0" if flags.off01 => draft.set(Field::Offset, u32::try_from(int()?).ok()?),
        "offset1" if flags.off01 => draft.set(Field::Offset1, u32::try_from(int()?).ok()?),
        "offset" => memory_offset(draft, int()?),
        "format" if draft.row.format == Format::Mtbuf => draft.set(Field::Dfmt, tbuffer_format(value)?),
        "sc0" if flags.sc0 => draft.set(Field::Sc0, 1),
        "glc" if flags.glc => draft.set(Field::Sc0, 1),
        "sc1" if flags.sc1 => draft.set(Field::Sc1, 1),
        "nt" if flags.nt => draft.set(Field::Nt, 1),
        "lds" if flags.lds => draft.set(Field::Lds, 1),
        "offen" if flags.offen => draft.set(Field::Offen, 1),
        "idxen" if flags.offen => draft.set(Field::Idxen, 1),
        "nv" if flags.nv => draft.set(Field::Nv, 1),
        "scale_offset" if flags.scale => draft.set(Field::Scale, 1),
        "th" if flags.th => {
            let kind = super::print::hint_kind(draft.row.mnemonic);
            let scope = draft.row.layout.get(draft.word, Field::Scope);
            let th = (0..8).find(|&t| {
                [scope, 3, 0, 2].iter().any(|&s| names::temporal_hint(kind, t, s).as_deref() == Some(value))
            });
            draft.set(Field::Th, th.or_else(|| value.ends_with("_RT").then_some(0))?)
        }
        "scope" if flags.scope => {
            draft.set(Field::Scope, names::SCOPES.iter().position(|s| *s == value)? as u32)
        }
        "clamp" if draft.form == Form::Sdwa => {
            draft.lane |= 1 << 13;
            Some(())
        }
        "clamp" if flags.clamp => draft.set(Field::Clamp, 1),
        "mul" | "div" => {
            let omod = match (name, value) {
                ("mul", "2") => 1,
                ("mul", "4") => 2,
                ("div", "2") => 3,
                _ => return None,
            };
            if draft.form == Form::Sdwa {
                draft.lane |= omod << 14;
                return Some(());
            }
            if flags.omod { draft.set(Field::Omod, omod) } else { None }
        }
        "op_sel" | "op_sel_hi" if scaled => {
            let bits = bits(value)?.iter().take(2).enumerate().fold(0, |v, (i, b)| v | b << i);
            draft.set(if name == "op_sel" { Field::ScaleSel } else { Field::ScaleSelHi }, bits)
        }
        "matrix_a_reuse" if scaled => draft.set(Field::ReuseA, 1),
        "matrix_b_reuse" if scaled => draft.set(Field::ReuseB, 1),
        "matrix_a_scale" | "matrix_b_scale" if scaled => {
            let row = u32::from(value == "MATRIX_SCALE_ROW1");
            if row == 0 && value != "MATRIX_SCALE_ROW0" {
                return None;
            }
            draft.set(if name == "matrix_a_scale" { Field::ScaleSel } else { Field::ScaleSelHi }, row)
        }
        "matrix_a_scale_fmt" | "matrix_b_scale_fmt" if scaled => {
            let code = names::SCALE_FORMATS.iter().position(|f| *f == value)? as u32;
            let field = if name == "matrix_a_scale_fmt" { Field::ScaleFormatA } else { Field::ScaleFormatB };
            draft.set(field, code)
        }
        "op_sel" => op_sel(draft, &bits(value)?),
        "op_sel_hi" if flags.pk > 0 || flags.ldscale => {
            let bits = bits(value)?.iter().enumerate().fold(0, |v, (i, b)| v | b << i);
            draft.set(Field::OpSelHi, bits & 3)?;
            // A missing third source keeps its default.
            let third = if flags.pk == 3 { bits >> 2 & 1 } else { u32::from(!flags.mix) };
            draft.set(Field::OpSelHi2, third)
        }
        "neg_lo" => draft.or(Field::Neg, bits(value)?.iter().enumerate().fold(0, |v, (i, b)| v | b << i)),
        "neg_hi" => draft.or(Field::NegHi, bits(value)?.iter().enumerate().fold(0, |v, (i, b)| v | b << i)),
        "neg" if flags.mai => {
            draft.set(Field::Blgp, bits(value)?.iter().enumerate().fold(0, |v, (i, b)| v | b << i))
        }
        "cbsz" if flags.mai => draft.set(Field::Cbsz, int()? as u32),
        "abid" if flags.mai => draft.set(Field::Abid, int()? as u32),
        "blgp" if flags.mai => draft.set(Field::Blgp, int()? as u32),
        "matrix_a_reuse" if flags.reuse => draft.or(Field::OpSel, 4),
        "matrix_b_reuse" if flags.reuse => draft.set(Field::OpSelHi2, 1),
        "index_key" if flags.indexkey => draft.or(Field::OpSel, int()? as u32 & 1),
        "matrix_a_fmt" | "matrix_b_fmt" if flags.matrix_fmt => {
            let code = names::MATRIX_FORMATS.iter().position(|f| *f == value)? as u32;
            if name == "matrix_a_fmt" {
                return draft.set(Field::OpSel, code);
            }
            draft.set(Field::OpSelHi, code & 3)?;
            draft.set(Field::OpSelHi2, code >> 2)
        }
        "bitop3" if flags.bitop3 => {
            let v = u32::try_from(int()?).ok()?;
            draft.set(Field::Omod, v >> 6 & 3)?;
            draft.set(Field::Abs, v >> 3 & 7)?;
            draft.set(Field::Neg, v & 7)
        }
        "bitop3" if flags.bitop2 => {
            draft.set(if draft.y { Field::Vsrc2Y } else { Field::Vsrc2 }, u32::try_from(int()?).ok()?)
        }
        "byte_sel" => {
            let v = u32::try_from(int()?).ok()?;
            if flags.bytesel & 4 != 0 {
                draft.or(Field::OpSel, v << 2)
            } else {
                draft.or(Field::OpSel, v >> 1 & 1 | v << 1 & 2)
            }
        }
        "scale_sel" if flags.scalesel != 0 => draft.set(Field::OpSel, int()? as u32),
        _ => lane_modifier(draft, name, value, gfx9),
    }
}

/// `[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT]`, either part alone, or a number.
fn tbuffer_format(value: &str) -> Option<u32> {
    let Some(inner) = value.strip_prefix('[').and_then(|v| v.strip_suffix(']')) else {
        return super::expr::integer(value).and_then(|v| u32::try_from(v).ok()).filter(|v| *v < 128);
    };
    // The format when nothing is said: one byte, normalised.
    let (mut data, mut number) = (1, 0);
    for name in inner.split(',').map(str::trim) {
        if let Some(code) = names::BUFFER_DATA_FORMATS.iter().position(|f| *f == name) {
            data = code as u32;
        } else {
            number = names::BUFFER_NUMBER_FORMATS.iter().position(|f| *f == name)? as u32;
        }
    }
    Some(data | number << 4)
}

fn op_sel(draft: &mut Draft<'_>, bits: &[u32]) -> Option<()> {
    let flags = &draft.row.flags;
    if flags.pk > 0 || flags.ldscale {
        return draft.set(Field::OpSel, bits.iter().enumerate().fold(0, |v, (i, b)| v | b << i));
    }
    let dst = flags.opsel >> 3 & 1 == 1 || flags.bytesel & 8 != 0;
    let n = bits.len();
    let value = bits.iter().enumerate().fold(0, |v, (i, b)| v | b << if dst && i + 1 == n { 3 } else { i });
    draft.or(Field::OpSel, value)
}

fn memory_offset(draft: &mut Draft<'_>, v: i64) -> Option<()> {
    let gfx9 = draft.target.generation() == Generation::Gfx9;
    match draft.row.format {
        Format::Mubuf | Format::Mtbuf => draft.set(Field::Offset, u32::try_from(v).ok()?),
        Format::Flat if gfx9 => draft.set(Field::Offset, u32::try_from(v).ok().filter(|v| *v < 4096)?),
        Format::Global | Format::Scratch if gfx9 => {
            (-4096..4096).contains(&v).then_some(())?;
            draft.set(Field::Offset, v as u32 & 0x1fff)
        }
        Format::Smem if gfx9 => {
            // A register was read before: it moves to its own field.
            let register = draft.row.layout.get(draft.word, Field::Ioffset);
            draft.set(Field::Soffset, register)?;
            draft.set(Field::SoffsetEn, 1)?;
            draft.set(Field::Imm, 1)?;
            draft.set(Field::Ioffset, v as u32 & 0x1f_ffff)
        }
        _ => {
            // A buffer's offset has no sign. manual: llvm-mc 22.
            let lowest = if draft.row.format == Format::Vbuffer { 0 } else { -(1 << 23) };
            (lowest..1 << 23).contains(&v).then_some(())?;
            draft.set(Field::Ioffset, v as u32 & 0xff_ffff)
        }
    }
}

fn lane_modifier(draft: &mut Draft<'_>, name: &str, value: &str, gfx9: bool) -> Option<()> {
    let int = || super::expr::integer(value).and_then(|v| u32::try_from(v).ok());
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

fn swizzle(inner: &str) -> Option<u32> {
    let parts = split(inner);
    let n = |i: usize| parts.get(i).and_then(|p| p.parse::<u32>().ok());
    Some(match *parts.first()? {
        "QUAD_PERM" => 0x8000 | n(1)? | n(2)? << 2 | n(3)? << 4 | n(4)? << 6,
        "SWAP" => n(1)? << 10 | 31,
        "REVERSE" => (n(1)? - 1) << 10 | 31,
        "BROADCAST" => n(2)? << 5 | (32 - n(1)?),
        "ROTATE" => 0xc000 | n(1)? << 10 | n(2)? << 5,
        "FFT" => 0xe000 | n(1)?,
        "BITMASK_PERM" => {
            let mask = parts.get(1)?.trim_matches('"');
            let (mut and, mut or, mut xor) = (0, 0, 0);
            for (i, c) in mask.chars().enumerate() {
                let bit = 1u32 << 4u32.checked_sub(i as u32)?;
                match c {
                    '0' => {}
                    '1' => or |= bit,
                    'p' => and |= bit,
                    'i' => (and, xor) = (and | bit, xor | bit),
                    _ => return None,
                }
            }
            and | or << 5 | xor << 10
        }
        _ => return None,
    })
}

fn build(draft: Draft<'_>, row: &'static Row, second: Option<&'static Row>) -> Option<Inst> {
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

/// `X :: Y`: the pair must exist in one of the dual encodings.
fn dual(target: Target, x: &str, y: &str, symbols: Symbols<'_>) -> Result<Inst, AsmError> {
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
                super::inst::Operand::Vgpr { first, .. } if u32::from(first) == wanted => Some(inst),
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
