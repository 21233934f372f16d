//! Single PTX instructions: the reader's table, and the immediates and operands that no row holds.

use tilehaul_descriptor::Rule;
use tilehaul_diag::{Diagnostic, FileId, Level, Source};
use tilehaul_engine::reduce::{ReduceOp, ReduceType};
use tilehaul_isa::ptx::{self, Opcode};
use tilehaul_layout::tmem::{NativeImage, Packing, Shape};

use super::super::Refusal;
use super::super::copies::bulk_reduction;
use super::{forms, operands};

pub(super) const PTX_ISA: Source = Source::manual("PTX ISA; ptxas 13.5");
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
const NO_SUCH_FORM: Rule = Rule::error(
    "ptx-no-such-form",
    "Of a family of instructions only the forms of the manual exist.",
    PTX_ISA,
);
const REGISTER_COUNT: Rule = Rule::error(
    "ptx-setmaxnreg",
    "setmaxnreg takes a multiple of 8 from 24 to 256 registers a thread.",
    PTX_ISA,
);
const NAMED_BARRIER: Rule = Rule::error(
    "ptx-named-barrier",
    "A block has barriers 0 to 15; they count threads in whole warps.",
    PTX_ISA,
);
const MAP_SIZE: Rule =
    Rule::error("ptx-tensor-map-size", "A fence for a tensor map names its 128 bytes.", PTX_ISA);
const MAP_FIELD: Rule = Rule::error(
    "ptx-tensormap-replace",
    "tensormap.replace takes the codes and ordinals that a tensor map has on the target.",
    PTX_ISA,
);
const IM2COL: Rule =
    Rule::error("ptx-im2col", "im2col copies have 3 to 5 dimensions and two offsets fewer.", PTX_ISA);
const PRODUCT_SHAPE: Rule = Rule::error(
    "ptx-wgmma-shape",
    "wgmma multiplies 64 x N x K: N a multiple of 8 up to 256, K 32 bytes of operand.",
    PTX_ISA,
);
const SCALE_COPY: Rule = Rule::error(
    "tcgen05-cp-warps",
    "tcgen05.cp of 64x128b and 32x128b says which warps get copies, other shapes do not.",
    PTX_ISA,
);
const DEALLOC_OPERAND: Rule = Rule::error(
    "tcgen05-dealloc-operand",
    "tcgen05.dealloc takes the tensor-memory address itself.",
    PTX_ISA,
);

pub(super) const RULES: &[Rule] = &[
    BULK_SIZE,
    COPY_SIZE,
    COORDINATES,
    GATHER,
    MULTICAST,
    REDUCTION,
    COLUMNS,
    REGISTERS,
    BARRIER_COUNT,
    NO_SUCH_FORM,
    REGISTER_COUNT,
    NAMED_BARRIER,
    MAP_SIZE,
    MAP_FIELD,
    IM2COL,
    PRODUCT_SHAPE,
    SCALE_COPY,
    DEALLOC_OPERAND,
];

/// What is wrong with one line.
pub(super) fn judge(text: &str, target: &str) -> Result<Vec<Diagnostic>, Refusal> {
    let line = &joined(unguarded(text.trim().trim_end_matches(';').trim_end()));
    let kernel = format!(
        ".version 9.5\n.target {target}\n.address_size 64\n.visible .entry k()\n{{\n{line};\nret;\n}}\n"
    );
    let reading = ptx::read(&kernel, FileId(0));
    let mut said = own_ptx_rules(line, target);
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
        Some(_) if said.is_empty() && is_listed(line) => {
            let opcode = line.split_whitespace().next().unwrap_or(line);
            let told = NO_SUCH_FORM.told(format!("no target has the form {opcode}"));
            said.push(match ptx::similar(opcode) {
                Some(like) if like != opcode => told.fix(format!("The nearest form is {like}.")),
                _ => told,
            });
            Ok(said)
        }
        Some(text) if said.is_empty() => Err(Refusal::Unsupported(text)),
        _ => Ok(said),
    }
}

/// True of the families of which the instruction table lists every form, modelled or not: all but textures and calls.
fn is_listed(line: &str) -> bool {
    const OPEN: [&str; 8] = ["tex", "tld4", "txq", "suld", "sust", "sured", "suq", "call"];
    let first = line.split(['.', ' ']).next().unwrap_or(line);
    !OPEN.contains(&first) && ptx::table::rows().any(|row| row.name.split('.').next() == Some(first))
}

/// A line whose modifiers follow each other without blanks, which ptxas takes between them and TileLang writes.
fn joined(line: &str) -> String {
    let mut rest = line;
    let mut opcode = String::new();
    loop {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        opcode.push_str(word);
        rest = after.trim_start();
        if !rest.starts_with('.') {
            return if rest.is_empty() { opcode } else { format!("{opcode} {rest}") };
        }
    }
}

/// A line without the predicate in front of it, which names no instruction.
fn unguarded(line: &str) -> &str {
    let Some(guard) = line.strip_prefix('@') else { return line };
    let name = guard.trim_start_matches('!').trim_start();
    name.split_once(char::is_whitespace).map_or(line, |(_, rest)| rest.trim_start())
}

/// Rules about written numbers and pairs of operation and type.
fn own_ptx_rules(line: &str, target: &str) -> Vec<Diagnostic> {
    let (opcode, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let parts: Vec<&str> = opcode.split('.').collect();
    let has = |part: &str| parts.contains(&part);
    let list = split_operands(operands);
    let number = |at: usize| list.get(at).and_then(|text| integer(text));
    let mut said = Vec::new();

    forms::judge(opcode, &parts, &list, &mut said);
    operands::judge(&Opcode::new(opcode), &list, target, &mut said);
    if opcode.starts_with("cp.async.bulk.tensor")
        || opcode.starts_with("cp.reduce.async.bulk.tensor")
        || opcode.starts_with("cp.async.bulk.prefetch.tensor")
    {
        tensor_copy(opcode, &parts, &list, &mut said);
    } else if opcode.starts_with("cp.async.bulk.prefetch.L2") {
        bulk_size(number(1), &mut said);
    } else if opcode.starts_with("cp.async.bulk.")
        && !has("commit_group")
        && !has("wait_group")
        && !has("prefetch")
    {
        bulk_size(number(2), &mut said);
        multicast(opcode, &parts, list.len(), 5, &mut said);
    } else if opcode.starts_with("cp.reduce.async.bulk.") {
        bulk_size(number(2), &mut said);
        reduction(&parts, &mut said);
    } else if opcode.starts_with("cp.async.ca") || opcode.starts_with("cp.async.cg") {
        copy_size(opcode, has("cg"), number(2), &mut said);
    } else if opcode.starts_with("tcgen05.alloc") || opcode.starts_with("tcgen05.dealloc") {
        allocation(opcode, list.first(), number(1), &mut said);
    } else if opcode.starts_with("setmaxnreg.") {
        register_count(opcode, number(0), &mut said);
    } else if opcode.starts_with("bar.warp") {
        // Its operand is a mask of lanes.
    } else if opcode.starts_with("bar.")
        || opcode.starts_with("barrier.cta.")
        || opcode.starts_with("barrier.sync")
    {
        // A reduction gives its result first, and its last operand is the predicate of each thread.
        let first = usize::from(has("red"));
        let threads = if has("red") && list.len() < 4 { None } else { number(first + 1) };
        named_barrier(opcode, number(first), threads, &mut said);
    } else if opcode.starts_with("fence.proxy.tensormap") || opcode.starts_with("tensormap.cp_fenceproxy") {
        let size = list.last().and_then(|text| integer(text));
        if let Some(size) = size.filter(|size| *size != 128) {
            said.push(
                MAP_SIZE.broken(format!("{opcode} of {size} bytes: a tensor map has 128"), "Write 128."),
            );
        }
    } else if opcode.starts_with("tensormap.replace") {
        map_field(opcode, &parts, [number(1), number(2)], target, &mut said);
    } else if opcode.starts_with("wgmma.mma_async") {
        product_shape(opcode, &parts, &mut said);
    } else if opcode.starts_with("tcgen05.cp.") {
        tensor_memory_copy(opcode, &parts, &mut said);
    } else if opcode.starts_with("tcgen05.ld") || opcode.starts_with("tcgen05.st") {
        tensor_memory(opcode, &parts, &list, &mut said);
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

fn copy_size(opcode: &str, past_l1: bool, size: Option<i64>, said: &mut Vec<Diagnostic>) {
    if let Some(size) = size
        && (!matches!(size, 4 | 8 | 16) || (past_l1 && size != 16))
    {
        let legal = if past_l1 { "16" } else { "4, 8 or 16" };
        said.push(COPY_SIZE.broken(format!("{opcode} copies {size} bytes"), format!("Copy {legal} bytes.")));
    }
}

fn allocation(opcode: &str, first: Option<&String>, columns: Option<i64>, said: &mut Vec<Diagnostic>) {
    const LEGAL: [i64; 5] = [32, 64, 128, 256, 512];
    if let Some(columns) = columns.filter(|columns| !LEGAL.contains(columns)) {
        let next = LEGAL.into_iter().find(|&n| n >= columns).unwrap_or(512);
        said.push(COLUMNS.broken(
            format!("{opcode} of {columns} columns: only 32, 64, 128, 256 and 512 can be allocated"),
            format!("Allocate {next} columns."),
        ));
    }
    if let Some(address) = first.filter(|o| opcode.starts_with("tcgen05.dealloc") && o.starts_with('[')) {
        said.push(DEALLOC_OPERAND.broken(
            format!("{opcode} {address}: the address is not read from memory"),
            "Load what tcgen05.alloc wrote into a register and name the register.",
        ));
    }
}

fn register_count(opcode: &str, count: Option<i64>, said: &mut Vec<Diagnostic>) {
    if let Some(count) = count.filter(|count| !(24..=256).contains(count) || count % 8 != 0) {
        let near = (count.clamp(24, 256) + 4) / 8 * 8;
        said.push(REGISTER_COUNT.broken(
            format!("{opcode} {count}: the count is a multiple of 8 from 24 to 256"),
            format!("Write {}.", near.min(256)),
        ));
    }
}

/// Which warps get copies follows from the shape, and has to be said all the same.
fn tensor_memory_copy(opcode: &str, parts: &[&str], said: &mut Vec<Diagnostic>) {
    let wanted: &[&str] = match parts.iter().find(|part| part.ends_with('b') && part.contains('x')) {
        Some(&"64x128b") => &["warpx2::02_13", "warpx2::01_23"],
        Some(&"32x128b") => &["warpx4"],
        _ => &[],
    };
    match parts.iter().find(|part| part.starts_with("warpx")) {
        Some(given) if !wanted.contains(given) => said.push(SCALE_COPY.broken(
            format!("{opcode}: the shape has no .{given}"),
            match wanted {
                [] => "Leave it out.".to_owned(),
                some => format!("Write .{}.", some.join(" or .")),
            },
        )),
        None if !wanted.is_empty() => said.push(SCALE_COPY.broken(
            format!("{opcode} does not say which warps get copies"),
            format!("Add .{}.", wanted.join(" or .")),
        )),
        _ => {}
    }
}

fn named_barrier(opcode: &str, barrier: Option<i64>, threads: Option<i64>, said: &mut Vec<Diagnostic>) {
    if let Some(barrier) = barrier.filter(|barrier| !(0..16).contains(barrier)) {
        said.push(NAMED_BARRIER.broken(
            format!("{opcode} {barrier}: a block has barriers 0 to 15"),
            "Use a barrier from 0 to 15.",
        ));
    } else if let Some(threads) = threads.filter(|threads| *threads <= 0 || threads % 32 != 0) {
        said.push(NAMED_BARRIER.broken(
            format!("{opcode} counts {threads} threads: barriers count whole warps of 32"),
            format!("Count {} threads.", (threads.max(1) + 31) / 32 * 32),
        ));
    }
}

/// Codes and ordinals of `tensormap.replace`. manual: PTX ISA, tensormap.replace, tables of values.
fn map_field(
    opcode: &str,
    parts: &[&str],
    numbers: [Option<i64>; 2],
    target: &str,
    said: &mut Vec<Diagnostic>,
) {
    let Some(field) = parts.iter().skip(2).find(|part| **part != "tile") else { return };
    let hopper = target.starts_with("sm_90");
    let (what, given, most) = match *field {
        "elemtype" => ("code", numbers[0], if hopper { 12 } else { 15 }),
        "interleave_layout" => ("code", numbers[0], 2),
        "swizzle_mode" => ("code", numbers[0], if target.starts_with("sm_103") { 4 } else { 3 }),
        "swizzle_atomicity" => ("code", numbers[0], 3),
        "fill_mode" => ("code", numbers[0], 1),
        "box_dim" | "global_dim" | "element_stride" => ("dimension", numbers[0], 4),
        "global_stride" => ("stride", numbers[0], 3),
        _ => return,
    };
    if let Some(given) = given.filter(|given| !(0..=most).contains(given)) {
        said.push(MAP_FIELD.broken(
            format!("{opcode}: {field} has {what}s 0 to {most} on {target}, not {given}"),
            format!("Use 0 to {most}."),
        ));
    }
}

/// M, N and K of a warpgroup's product. manual: PTX ISA, wgmma.mma_async, matrix shapes.
fn product_shape(opcode: &str, parts: &[&str], said: &mut Vec<Diagnostic>) {
    let shape = parts.iter().find_map(|part| {
        let (m, rest) = part.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        Some((m.parse::<u32>().ok()?, n.parse::<u32>().ok()?, k.parse::<u32>().ok()?))
    });
    let bits = match parts.last().copied() {
        Some("f16" | "bf16") => 16,
        Some("tf32") => 32,
        Some("e4m3" | "e5m2" | "s8" | "u8") => 8,
        Some("b1") => 1,
        _ => return,
    };
    let Some((m, n, k)) = shape else { return };
    // Sparse operands are twice as deep.
    let depth = 256 / bits * if parts.contains(&"sp") { 2 } else { 1 };
    // Whole numbers come in coarser steps of N above 32.
    let whole = matches!(parts.last().copied(), Some("s8" | "u8" | "b1"));
    let step = if whole && n > 32 { 16 } else { 8 };
    if m != 64 || n == 0 || n > 256 || n % step != 0 {
        said.push(PRODUCT_SHAPE.broken(
            format!("{opcode}: m{m}n{n} is no shape; M is 64 and N a multiple of {step} up to 256"),
            format!("Use m64n{}.", n.clamp(8, 256).next_multiple_of(step)),
        ));
    } else if k != depth {
        said.push(PRODUCT_SHAPE.broken(
            format!("{opcode}: K is {depth} with operands of {bits} bits, not {k}"),
            format!("Write k{depth}."),
        ));
    }
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
    if parts.iter().any(|part| matches!(*part, "im2col" | "im2col_no_offs")) && rank < 3 {
        said.push(
            IM2COL.broken(format!("{opcode} is {rank}-dimensional"), "Use 3 to 5 dimensions, or .tile."),
        );
    } else if parts.contains(&"im2col")
        && parts.contains(&"global")
        && parts.iter().any(|part| part.starts_with("mbarrier"))
        && let Some(offsets) = operands.iter().find(|operand| operand.starts_with('{'))
    {
        let count = offsets.split(',').count();
        if count + 2 != rank {
            said.push(IM2COL.broken(
                format!("{opcode} names {count} offsets; {rank} dimensions have {}", rank - 2),
                format!("Name {} offsets.", rank - 2),
            ));
        }
    }
    multicast(opcode, parts, operands.len(), 4, said);
}

fn reduction(parts: &[&str], said: &mut Vec<Diagnostic>) {
    // The operation and its type stand in either order.
    let op = parts.iter().find(|part| ReduceOp::from_name(part).is_some());
    let ty = parts.iter().rev().find(|part| ReduceType::from_name(part).is_some());
    let (Some(op), Some(ty)) = (op, ty.or(parts.last())) else { return };
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
pub(super) fn split_operands(text: &str) -> Vec<String> {
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

pub(super) fn integer(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
