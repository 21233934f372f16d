//! Cases of one instruction: does it exist on the target, and do its written numbers make sense?
//!
//! PTX goes through the reader and its instruction table, inside a kernel made for it, so names may stay undeclared.
//! AMD lines are looked up by mnemonic. On top come the rules that no table row holds: immediates, counts, and pairs of
//! operation and type. Soundness: a form that neither the table nor these rules know is unsupported, not rejected.

use tilehaul_descriptor::Rule;
use tilehaul_diag::{Diagnostic, FileId, Level, Source};
use tilehaul_isa::gcn;
use tilehaul_isa::ptx;
use tilehaul_layout::tmem::{NativeImage, Packing, Shape};

use super::Refusal;
use super::copies::bulk_reduction;
use crate::paste;

const PTX_ISA: Source = Source::manual("PTX ISA; ptxas 13.5");
const BULK_SIZE: Rule =
    Rule::error("ptx-bulk-size", "The size of a bulk copy is a multiple of 16 bytes.", PTX_ISA);
const COPY_SIZE: Rule =
    Rule::error("ptx-cp-async-size", "cp.async copies 4, 8 or 16 bytes, .cg only 16.", PTX_ISA);
const COORDINATES: Rule =
    Rule::error("ptx-coordinates", "A tensor copy names as many coordinates as dimensions.", PTX_ISA);
const GATHER: Rule = Rule::error(
    "ptx-gather4",
    "gather4 and scatter4 are two-dimensional: one column and four rows.",
    PTX_ISA,
);
const MULTICAST: Rule =
    Rule::error("ptx-multicast", "Multicast needs a shared::cluster destination and a mask.", PTX_ISA);
const REDUCTION: Rule = Rule::error("ptx-reduction", "Not every type has every reduction.", PTX_ISA);
const COLUMNS: Rule = Rule::error(
    "tcgen05-alloc-columns",
    "Tensor memory is allocated in powers of two from 32 to 512 columns.",
    PTX_ISA,
);
const REGISTERS: Rule = Rule::error(
    "tcgen05-registers",
    "A tensor-memory access takes as many registers as its shape says.",
    PTX_ISA,
);
const BARRIER_COUNT: Rule = Rule::error(
    "mbarrier-count",
    "An mbarrier counts 1 to 2^20 - 1 arrivals.",
    Source::hardware("h200 facts 110, 113"),
);
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

/// Rules of single instructions, for the catalogue.
pub(crate) const RULES: &[Rule] = &[
    BULK_SIZE,
    COPY_SIZE,
    COORDINATES,
    GATHER,
    MULTICAST,
    REDUCTION,
    COLUMNS,
    REGISTERS,
    BARRIER_COUNT,
    NOT_HERE,
    WIDE_LDS_LOAD,
];

/// What is wrong with one instruction.
///
/// # Errors
/// When the target or the instruction is not modelled.
pub(super) fn judge(text: &str, target: &str) -> Result<Vec<Diagnostic>, Refusal> {
    let pasted = paste::recognise(text, Some(target));
    let mut said: Vec<Diagnostic> =
        pasted.into_iter().flat_map(|found| found.diagnostics).filter(|d| d.level == Level::Error).collect();
    let own = if target.starts_with("sm_") { ptx_line(text, target) } else { gcn_line(text, target) };
    match own {
        Ok(own) => said.extend(own),
        // What is already known to be wrong needs no table.
        Err(refusal) if said.is_empty() => return Err(refusal),
        Err(_) => {}
    }
    Ok(said)
}

fn ptx_line(text: &str, target: &str) -> Result<Vec<Diagnostic>, Refusal> {
    let line = text.trim().trim_end_matches(';');
    let kernel = format!(
        ".version 9.5\n.target {target}\n.address_size 64\n.visible .entry k()\n{{\n{line};\nret;\n}}\n"
    );
    let reading = ptx::read(&kernel, FileId(0));
    let mut said = own_ptx_rules(line);
    let mut unknown = None;
    for diagnostic in reading.diagnostics {
        match diagnostic.code.0 {
            "ptx-unknown-name" => {}
            "ptx-unknown-instruction" => unknown = Some(diagnostic.message),
            _ if diagnostic.level == Level::Error => said.push(diagnostic),
            _ => {}
        }
    }
    match unknown {
        Some(text) if said.is_empty() => Err(Refusal::Unsupported(text)),
        _ => Ok(said),
    }
}

/// Rules about written numbers and pairs of operation and type.
fn own_ptx_rules(line: &str) -> Vec<Diagnostic> {
    let line = line.trim_start_matches('@').trim();
    let (opcode, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    // A predicate in front is an opcode's neighbour.
    let (opcode, operands) = match opcode.starts_with(['%', '!']) {
        true => operands.trim().split_once(char::is_whitespace).unwrap_or((operands, "")),
        false => (opcode, operands),
    };
    let parts: Vec<&str> = opcode.split('.').collect();
    let has = |part: &str| parts.contains(&part);
    let operands = split_operands(operands);
    let number = |at: usize| operands.get(at).and_then(|text| integer(text));
    let mut said = Vec::new();

    if opcode.starts_with("cp.async.bulk.tensor") || opcode.starts_with("cp.reduce.async.bulk.tensor") {
        tensor_copy(opcode, &parts, &operands, &mut said);
    } else if opcode.starts_with("cp.async.bulk.prefetch.L2") {
        bulk_size(number(1), &mut said);
    } else if opcode.starts_with("cp.async.bulk.")
        && !has("commit_group")
        && !has("wait_group")
        && !has("prefetch")
    {
        bulk_size(number(2), &mut said);
        multicast(opcode, &parts, operands.len(), 5, &mut said);
    } else if opcode.starts_with("cp.reduce.async.bulk.") {
        bulk_size(number(2), &mut said);
        reduction(&parts, &mut said);
    } else if opcode.starts_with("cp.async.ca") || opcode.starts_with("cp.async.cg") {
        if let Some(size) = number(2)
            && (!matches!(size, 4 | 8 | 16) || (has("cg") && size != 16))
        {
            let legal = if has("cg") { "16" } else { "4, 8 or 16" };
            said.push(
                COPY_SIZE.broken(format!("{opcode} copies {size} bytes"), format!("Copy {legal} bytes.")),
            );
        }
    } else if opcode.starts_with("tcgen05.alloc") || opcode.starts_with("tcgen05.dealloc") {
        if let Some(columns) = number(1)
            && !matches!(columns, 32 | 64 | 128 | 256 | 512)
        {
            let next = [32, 64, 128, 256, 512].into_iter().find(|&n| n >= columns).unwrap_or(512);
            said.push(COLUMNS.broken(
                format!("{opcode} of {columns} columns: only 32, 64, 128, 256 and 512 can be allocated"),
                format!("Allocate {next} columns."),
            ));
        }
    } else if opcode.starts_with("tcgen05.ld") || opcode.starts_with("tcgen05.st") {
        tensor_memory(opcode, &parts, &operands, &mut said);
    } else if opcode.starts_with("mbarrier.init")
        && let Some(count) = number(1)
        && !(1..1 << 20).contains(&count)
    {
        said.push(BARRIER_COUNT.broken(
            format!("mbarrier.init with a count of {count}: it counts 1 to 1048575 arrivals"),
            "Give the number of arrivals of a phase.",
        ));
    }
    said
}

fn bulk_size(size: Option<i64>, said: &mut Vec<Diagnostic>) {
    if let Some(size) = size.filter(|size| size % 16 != 0) {
        said.push(BULK_SIZE.broken(
            format!("a bulk copy of {size} bytes: the size is a multiple of 16"),
            format!("Copy {} bytes.", (size + 15) / 16 * 16),
        ));
    }
}

fn multicast(opcode: &str, parts: &[&str], operands: usize, wanted: usize, said: &mut Vec<Diagnostic>) {
    if !parts.iter().any(|part| part.starts_with("multicast::cluster")) {
        return;
    }
    if !parts.contains(&"shared::cluster") {
        said.push(
            MULTICAST
                .broken(format!("{opcode} multicasts into shared::cta"), "Write .shared::cluster.global."),
        );
    } else if operands < wanted {
        said.push(
            MULTICAST.broken(format!("{opcode} names no CTA mask"), "Add a 16-bit mask after the barrier."),
        );
    }
}

fn tensor_copy(opcode: &str, parts: &[&str], operands: &[String], said: &mut Vec<Diagnostic>) {
    let Some(rank) = parts.iter().find_map(|part| part.strip_suffix('d')?.parse::<usize>().ok()) else {
        return;
    };
    let gathers = parts.iter().any(|part| matches!(*part, "tile::gather4" | "tile::scatter4"));
    if gathers && rank != 2 {
        said.push(GATHER.broken(format!("{opcode} is {rank}-dimensional"), "Write .2d."));
        return;
    }
    let wanted = if gathers { 5 } else { rank };
    let map = operands.iter().find(|operand| operand.starts_with('[') && operand.contains('{'));
    if let Some((_, coordinates)) = map.and_then(|map| map.split_once('{')) {
        let count = coordinates.split('}').next().unwrap_or_default().split(',').count();
        if count != wanted {
            let rule = if gathers { &GATHER } else { &COORDINATES };
            said.push(rule.broken(
                format!("{opcode} names {count} coordinates; it takes {wanted}"),
                format!("Give {wanted} coordinates, innermost first."),
            ));
        }
    }
    multicast(opcode, parts, operands.len(), 4, said);
}

fn reduction(parts: &[&str], said: &mut Vec<Diagnostic>) {
    const OPS: [&str; 8] = ["add", "min", "max", "inc", "dec", "and", "or", "xor"];
    let (Some(op), Some(ty)) = (parts.iter().find(|part| OPS.contains(part)), parts.last()) else { return };
    let half = matches!(*ty, "f16" | "bf16");
    let noftz = parts.contains(&"noftz");
    if half && *op == "add" && !noftz {
        said.push(
            REDUCTION.broken(
                format!("add.{ty} flushes nothing and must say so"),
                format!("Write .add.noftz.{ty}."),
            ),
        );
    } else if bulk_reduction(&format!("{op}.{ty}")).is_err() {
        let fix = if *op == "add" && *ty == "s64" {
            "Use .add.u64: sums of signed and unsigned integers are the same bits."
        } else {
            ""
        };
        let text = format!("bulk copies have no reduction {op}.{ty}");
        said.push(if fix.is_empty() { REDUCTION.told(text) } else { REDUCTION.broken(text, fix) });
    }
}

fn tensor_memory(opcode: &str, parts: &[&str], operands: &[String], said: &mut Vec<Diagnostic>) {
    let Some(shape) = parts.iter().find_map(|part| Shape::from_name(part)) else { return };
    let Some(num) = parts.iter().find_map(|part| part.strip_prefix('x')?.parse::<u32>().ok()) else { return };
    let packing = match parts.iter().any(|part| part.starts_with("pack::") || part.starts_with("unpack::")) {
        true => Packing::Half16,
        false => Packing::Plain,
    };
    let image = match NativeImage::new(shape, num, packing) {
        Ok(image) => image,
        Err(diagnostic) => return said.push(diagnostic),
    };
    let Some(vector) = operands.iter().find(|operand| operand.starts_with('{')) else { return };
    let count =
        vector.split(',').filter(|name| !name.trim_matches(['{', '}', ' ']).is_empty()).count() as u32;
    // One register may stand without braces; three dots stand for the rest of a list.
    if count != image.registers() && !vector.contains("...") {
        said.push(REGISTERS.broken(
            format!("{opcode} names {count} registers; its shape has {}", image.registers()),
            format!("Name {} registers.", image.registers()),
        ));
    }
}

/// Operands at the top level of commas.
fn split_operands(text: &str) -> Vec<String> {
    let mut depth = 0;
    let mut list = vec![String::new()];
    for c in text.chars() {
        match c {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                list.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = list.last_mut() {
            last.push(c);
        }
    }
    list.into_iter().map(|operand| operand.trim().to_owned()).filter(|operand| !operand.is_empty()).collect()
}

fn integer(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn gcn_line(text: &str, target: &str) -> Result<Vec<Diagnostic>, Refusal> {
    let Some(here) = gcn::Target::from_name(target) else {
        return Err(Refusal::Unsupported(format!("instructions of target {target} are not known")));
    };
    let line = text.trim();
    let (mnemonic, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    // Assemblers write the encoding behind the name, or leave it out.
    let bare = ["_e32", "_e64", "_sdwa", "_dpp"].iter().find_map(|end| mnemonic.strip_suffix(end));
    let bare = bare.unwrap_or(mnemonic);
    let exists = |target: gcn::Target| {
        let table = gcn::table::table(target.generation());
        let names = [mnemonic.to_owned(), bare.to_owned(), format!("{bare}_e32"), format!("{bare}_e64")];
        names.iter().any(|name| table.named(target, name).next().is_some())
    };
    let mut said = Vec::new();
    if !exists(here) {
        let others: Vec<&str> =
            gcn::Target::ALL.into_iter().filter(|&other| exists(other)).map(gcn::Target::name).collect();
        if others.is_empty() {
            return Err(Refusal::Unsupported(format!("{mnemonic} is in no instruction table")));
        }
        said.push(NOT_HERE.told(format!("{target} has no {mnemonic}; {} has it", others.join(" and "))));
    }
    let to_lds = operands.split(|c: char| c.is_whitespace() || c == ',').any(|word| word == "lds");
    if here == gcn::Target::Gfx942 && to_lds && mnemonic.starts_with("buffer_load_") {
        for (width, bytes) in [("dwordx3", 12), ("dwordx4", 16)] {
            if mnemonic.ends_with(width) {
                said.push(WIDE_LDS_LOAD.broken(
                    format!(
                        "{mnemonic} with lds moves {bytes} bytes a lane; gfx942 moves 1, 2 or 4 into LDS"
                    ),
                    "Use buffer_load_dword with lds, or load to registers and ds_write.",
                ));
            }
        }
    }
    Ok(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str, target: &str) -> Vec<&'static str> {
        judge(text, target).unwrap().iter().map(|d| d.code.0).collect()
    }

    #[test]
    fn wrong_numbers_are_rejected() {
        let bulk = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [dst], [src]";
        assert_eq!(codes(&format!("{bulk}, 24, [bar];"), "sm_90a"), ["ptx-bulk-size"]);
        assert!(codes(&format!("{bulk}, 32, [bar];"), "sm_90a").is_empty());
        let alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1]";
        assert_eq!(codes(&format!("{alloc}, 48;"), "sm_100a"), ["tcgen05-alloc-columns"]);
        assert!(codes(&format!("{alloc}, 64;"), "sm_100a").is_empty());
        assert_eq!(codes("mbarrier.init.shared::cta.b64 [%r1], 0;", "sm_90a"), ["mbarrier-count"]);
        assert_eq!(codes("cp.async.cg.shared.global [%r1], [%rd1], 8;", "sm_90a"), ["ptx-cp-async-size"]);
    }

    #[test]
    fn tensor_copies_name_their_coordinates() {
        let load = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [dst]";
        assert_eq!(codes(&format!("{load}, [map, {{x, y, z}}], [bar];"), "sm_90a"), ["ptx-coordinates"]);
        assert!(codes(&format!("{load}, [map, {{x, y}}], [bar];"), "sm_90a").is_empty());
    }

    #[test]
    fn instructions_of_other_targets_are_rejected() {
        assert_eq!(codes("global_load_lds_dwordx4 v[0:1], off", "gfx942"), ["gcn-not-on-target"]);
        assert!(codes("global_load_lds_dwordx4 v[0:1], off", "gfx950").is_empty());
        assert_eq!(codes("buffer_load_dwordx4 v1, s[8:11], s3 offen lds", "gfx942"), ["gcn-wide-lds-load"]);
        assert!(judge("no_such_thing v0", "gfx942").is_err());
    }
}
