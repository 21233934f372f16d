//! Single AMD instructions: what the assembler takes, and waits that never wait.

use tilehaul_descriptor::Rule;
use tilehaul_diag::{Diagnostic, Source};
use tilehaul_isa::gcn::{self, asm::AsmError};

use super::super::Refusal;
use super::ptx::integer;

const NOT_HERE: Rule = Rule::error(
    "gcn-not-on-target",
    "The instruction does not exist on this target.",
    Source::manual("llvm-mc 22; AMD ISA documents"),
);
const WIDE_LDS_LOAD: Rule = Rule::error(
    "gcn-wide-lds-load",
    "Direct-to-LDS loads of 12 and 16 bytes exist from gfx950 on.",
    Source::manual("llvm-mc 22, feature gfx950-insts"),
);
const OPERANDS: Rule = Rule::error(
    "gcn-operands",
    "Operands and modifiers of an instruction fit its encoding: widths, alignment, ranges.",
    Source::manual("llvm-mc 22; AMD ISA documents"),
);
const NO_SUCH: Rule = Rule::error(
    "gcn-no-such-form",
    "Of a family of instructions only some widths and kinds exist.",
    Source::manual("llvm-mc 22; AMD ISA documents"),
);
const NEVER_WAITS: Rule = Rule::warning(
    "gcn-wait-never-blocks",
    "A wait for more than its counter can hold never waits.",
    Source::manual("LLVM AMDGPU, counters of gfx1250 have 6 bits, kmcnt has 5"),
);

pub(super) const RULES: &[Rule] = &[NOT_HERE, WIDE_LDS_LOAD, OPERANDS, NO_SUCH, NEVER_WAITS];

/// What is wrong with one line.
pub(super) fn judge(text: &str, target: &str) -> Result<Vec<Diagnostic>, Refusal> {
    let Some(here) = gcn::Target::from_name(target) else {
        return Err(Refusal::Unsupported(format!("instructions of target {target} are not known")));
    };
    let line = text.split("//").next().unwrap_or(text).trim();
    let (mnemonic, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if let Some(wide) = wide_lds_load(here, mnemonic, operands) {
        return Ok(vec![wide]);
    }
    let said = match gcn::asm::assemble(here, line, &symbols_as_zero) {
        Ok(_) => never_waits(here, mnemonic, operands),
        Err(AsmError::Operands { line, reason }) => {
            let told = OPERANDS.told(format!("`{line}` does not assemble for {target}: {reason}"));
            Some(match gcn::advice(here, &line) {
                Some(advice) => told.fix(advice),
                None => told,
            })
        }
        Err(AsmError::Mnemonic(mnemonic)) => Some(unknown(here, &mnemonic, line)?),
    };
    Ok(said.into_iter().collect())
}

/// Symbols get their values when the text is linked; until then an expression of them is some number.
fn symbols_as_zero(text: &str) -> Option<i64> {
    let symbol = |name: &str| (is_symbol(name) && !name.contains("cnt")).then_some(0);
    gcn::expr::evaluate(text, &symbol)
}

/// Whether a word may name a symbol: no number, no register.
fn is_symbol(name: &str) -> bool {
    const REGISTERS: [&str; 11] =
        ["vcc", "vcc_lo", "vcc_hi", "exec", "exec_lo", "exec_hi", "m0", "null", "off", "scc", "ttmp"];
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '.' | '$'))
        && !REGISTERS.contains(&name)
        && !["v", "s", "a", "ttmp"].into_iter().any(numbered)
}

fn wide_lds_load(here: gcn::Target, mnemonic: &str, operands: &str) -> Option<Diagnostic> {
    let to_lds = operands.split(|c: char| c.is_whitespace() || c == ',').any(|word| word == "lds");
    let bytes = match mnemonic {
        _ if here != gcn::Target::Gfx942 || !to_lds => return None,
        "buffer_load_dwordx3" => 12,
        "buffer_load_dwordx4" => 16,
        _ => return None,
    };
    Some(WIDE_LDS_LOAD.broken(
        format!("{mnemonic} with lds moves {bytes} bytes a lane; gfx942 moves 1, 2 or 4 into LDS"),
        "Use buffer_load_dword with lds, or load to registers and ds_write.",
    ))
}

/// A wait of gfx1250 takes any 16-bit number, also one that its counter never reaches.
fn never_waits(here: gcn::Target, mnemonic: &str, operands: &str) -> Option<Diagnostic> {
    let counter = mnemonic.strip_prefix("s_wait_").filter(|_| here == gcn::Target::Gfx1250)?;
    let most = match counter {
        "loadcnt" | "storecnt" | "dscnt" | "asynccnt" | "tensorcnt" | "xcnt" => 63,
        "kmcnt" => 31,
        _ => return None,
    };
    let count = integer(operands.trim()).filter(|count| *count > most)?;
    Some(NEVER_WAITS.broken(
        format!("{mnemonic} {count} never waits: {counter} holds {most} at most"),
        format!("Wait for {most} or fewer."),
    ))
}

/// A mnemonic that the target's table does not have.
fn unknown(here: gcn::Target, mnemonic: &str, line: &str) -> Result<Diagnostic, Refusal> {
    // Of these the tables are complete, so what they lack does not exist.
    const FAMILIES: [&str; 18] = [
        "global_load_async_to_lds_",
        "global_store_async_from_lds_",
        "cluster_load_async_to_lds_",
        "global_load_lds_",
        "scratch_load_lds_",
        "buffer_load_lds_",
        "buffer_store_lds_",
        "flat_load_lds_",
        "tensor_",
        "global_load_",
        "global_store_",
        "flat_load_",
        "buffer_load_",
        "scratch_load_",
        "ds_",
        "s_wait_",
        "s_waitcnt",
        "s_barrier",
    ];
    let bare = ["_e32", "_e64", "_sdwa", "_dpp"].iter().find_map(|end| mnemonic.strip_suffix(end));
    let bare = bare.unwrap_or(mnemonic);
    let exists = |target: gcn::Target| {
        let table = gcn::table::table(target.generation());
        let names = [mnemonic.to_owned(), bare.to_owned(), format!("{bare}_e32"), format!("{bare}_e64")];
        names.iter().any(|name| table.named(target, name).next().is_some())
    };
    let others: Vec<&str> =
        gcn::Target::ALL.into_iter().filter(|&other| exists(other)).map(gcn::Target::name).collect();
    let target = here.name();
    let told = if !others.is_empty() {
        NOT_HERE.told(format!("{target} has no {mnemonic}; {} has it", others.join(" and ")))
    } else if let Some(family) = FAMILIES.iter().find(|family| mnemonic.starts_with(**family)) {
        let table = gcn::table::table(here.generation());
        let mut kin: Vec<&str> = table
            .rows()
            .iter()
            .map(|row| row.mnemonic)
            .filter(|name| name.starts_with(family) && table.named(here, name).next().is_some())
            .collect();
        kin.dedup();
        let text = format!("no target has {mnemonic}");
        match kin.len() {
            1..=12 => NO_SUCH.broken(text, format!("{target} has {}.", kin.join(", "))),
            _ => NO_SUCH.told(text),
        }
    } else {
        return Err(Refusal::Unsupported(format!("{mnemonic} is in no instruction table")));
    };
    Ok(match gcn::advice(here, line) {
        Some(advice) => told.fix(advice),
        None => told,
    })
}
