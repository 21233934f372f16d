//! What an opcode asks of its own modifiers and of the lengths of its operand lists.
//!
//! The instruction table also has rows for what is not modelled, which take any modifier; these rules hold for them too.
//! manual: PTX ISA; what ptxas 13.5 refuses. Soundness: a line that no rule here speaks of may still be wrong.

use tilehaul_descriptor::Rule;
use tilehaul_diag::Diagnostic;
use tilehaul_mma::Format;

use super::operands::length;
use super::ptx::{PTX_ISA, integer};

const CTA_GROUP: Rule = Rule::error(
    "tcgen05-cta-group",
    "Of tcgen05 only ld, st, wait and fence leave out .cta_group; products name one .kind.",
    PTX_ISA,
);
const BLOCK_SCALE: Rule = Rule::error(
    "tcgen05-block-scale",
    "The size of a scaled block is given with .block_scale only.",
    PTX_ISA,
);
const OUTPUT_LANES: Rule = Rule::error(
    "tcgen05-output-lanes",
    "Lanes that are not written are four registers, eight for a pair of blocks.",
    PTX_ISA,
);
const FRAGMENT: Rule = Rule::error(
    "ptx-fragment-registers",
    "A matrix fragment takes as many registers as its shape and types say.",
    PTX_ISA,
);
const VECTOR: Rule =
    Rule::error("ptx-vector-length", "A .v2, .v4 or .v8 access names as many registers.", PTX_ISA);
const SCOPE: Rule = Rule::error(
    "mbarrier-order-and-scope",
    "Operations on an mbarrier name order and scope together, or neither.",
    PTX_ISA,
);
const LINE_SIZE: Rule =
    Rule::error("ptx-cache-line-size", "discard and applypriority take the 128 bytes of a line.", PTX_ISA);
const ZEROES: Rule = Rule::error("ptx-st-bulk-value", "st.bulk writes zeroes.", PTX_ISA);
const OFFSETS: Rule = Rule::error("ptx-tile-offsets", "Only im2col modes take offsets.", PTX_ISA);

pub(super) const RULES: &[Rule] =
    &[CTA_GROUP, BLOCK_SCALE, OUTPUT_LANES, FRAGMENT, VECTOR, SCOPE, LINE_SIZE, ZEROES, OFFSETS];

/// Judges an opcode, split at its dots, and its operands.
pub(super) fn judge(opcode: &str, parts: &[&str], operands: &[String], said: &mut Vec<Diagnostic>) {
    match parts {
        ["tcgen05", rest @ ..] => tensor_core(opcode, rest, operands, said),
        ["mma", ..] => fragments(opcode, parts, operands, said),
        ["ldmatrix" | "stmatrix", ..] => matrices(opcode, parts, operands, said),
        ["ld" | "st" | "red" | "ldu", ..] if parts.contains(&"bulk") => {
            let value = operands.get(2).and_then(|text| integer(text));
            if let Some(value) = value.filter(|value| *value != 0) {
                said.push(ZEROES.broken(format!("{opcode} writes {value}"), "Write 0."));
            }
        }
        ["ld" | "st" | "red" | "ldu", ..] => vector(opcode, parts, operands, said),
        ["mbarrier", ..] => order_and_scope(opcode, parts, said),
        ["discard" | "applypriority", ..] => {
            let size = operands.get(1).and_then(|text| integer(text));
            if let Some(size) = size.filter(|size| *size != 128) {
                said.push(LINE_SIZE.broken(format!("{opcode} of {size} bytes"), "Write 128."));
            }
        }
        ["cp", "async", "bulk", ..] if parts.contains(&"tensor") => {
            let im2col = parts.iter().any(|part| part.starts_with("im2col"));
            if !im2col && operands.iter().any(|operand| operand.starts_with('{')) {
                said.push(OFFSETS.broken(
                    format!("{opcode} names offsets, and copies tiles"),
                    "Leave the offsets out, or name an im2col mode.",
                ));
            }
        }
        _ => {}
    }
}

fn tensor_core(opcode: &str, rest: &[&str], operands: &[String], said: &mut Vec<Diagnostic>) {
    let Some(&what) = rest.first() else { return };
    let groups = rest.iter().filter(|part| part.starts_with("cta_group::")).count();
    let grouped = !["ld", "st", "wait", "fence"].contains(&what.split("::").next().unwrap_or(what));
    if grouped && groups != 1 {
        let text = format!("{opcode} names {groups} groups of blocks");
        said.push(CTA_GROUP.broken(text, "Write one of .cta_group::1 and .cta_group::2."));
    }
    if what != "mma" {
        return;
    }
    let kinds = rest.iter().filter(|part| part.starts_with("kind::")).count();
    if kinds != 1 {
        said.push(CTA_GROUP.broken(
            format!("{opcode} names {kinds} kinds of operands"),
            "Write one of .kind::f16, .kind::tf32, .kind::f8f6f4, .kind::i8, .kind::mxf8f6f4, .kind::mxf4 and .kind::mxf4nvf4.",
        ));
    }
    let sized =
        rest.iter().find(|part| part.starts_with("scale_vec::") || matches!(**part, "block16" | "block32"));
    if let (Some(size), false) = (sized, rest.contains(&"block_scale")) {
        said.push(BLOCK_SCALE.broken(
            format!("{opcode} gives blocks of .{size} and does not scale"),
            "Add .block_scale and both factors, or leave the size out.",
        ));
    }
    let lanes = if rest.contains(&"cta_group::2") { 8 } else { 4 };
    if let Some(given) = operands.iter().find_map(|operand| length(operand)).filter(|&given| given != lanes) {
        said.push(OUTPUT_LANES.broken(
            format!("{opcode} names {given} registers of lanes that are not written"),
            format!("Name {lanes}."),
        ));
    }
}

/// `mma`: registers of A, B, C and D by shape and types.
fn fragments(opcode: &str, parts: &[&str], operands: &[String], said: &mut Vec<Diagnostic>) {
    let shape = parts.iter().find_map(|part| {
        let (m, rest) = part.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        Some((m.parse::<u32>().ok()?, n.parse::<u32>().ok()?, k.parse::<u32>().ok()?))
    });
    let types: Vec<u32> = parts.iter().filter_map(|part| bits(part)).collect();
    let (Some((m, n, k)), [d, a, b, c, ..]) = (shape, types.as_slice()) else { return };
    // Quadpairs of the first tensor cores share their fragments otherwise.
    if (m, n, k) == (8, 8, 4) && *a == 16 {
        return;
    }
    let sparse = if parts.iter().any(|part| part.starts_with("sp")) { 2 } else { 1 };
    let registers = |elements: u32, bits: u32| match bits {
        64 => elements.div_ceil(32),
        // Narrow floats that are not a byte wide stand in bytes, unless two are packed.
        4 | 6 if parts.contains(&"kind::f8f6f4") || parts.contains(&"kind::mxf8f6f4") => {
            (elements * 8).div_ceil(1024)
        }
        _ => (elements * bits).div_ceil(1024),
    };
    let wanted =
        [registers(m * n, *d), registers(m * k / sparse, *a), registers(k * n, *b), registers(m * n, *c)];
    for ((operand, name), wanted) in operands.iter().zip(["D", "A", "B", "C"]).zip(wanted) {
        let given = length(operand).unwrap_or(1);
        if given != wanted && !operand.contains("...") {
            said.push(FRAGMENT.broken(
                format!("{opcode}: {name} has {wanted} registers a lane, not {given}"),
                format!("Name {wanted} registers for {name}."),
            ));
        }
    }
}

/// Bits of an element of a matrix, of a name of a type.
fn bits(name: &str) -> Option<u32> {
    if name == "b1" { Some(1) } else { Format::parse(name).map(Format::bits) }
}

/// `ldmatrix` and `stmatrix`: registers by shape and number.
fn matrices(opcode: &str, parts: &[&str], operands: &[String], said: &mut Vec<Diagnostic>) {
    let number = parts.iter().find_map(|part| part.strip_prefix('x')?.parse::<u32>().ok());
    let Some(number) = number else { return };
    // A matrix of 16 x 16 bytes is two registers a lane.
    let wanted = number * if parts.contains(&"m16n16") { 2 } else { 1 };
    let list = operands.iter().find(|operand| operand.starts_with('{') || !operand.starts_with('['));
    let Some(given) = list.map(|operand| length(operand).unwrap_or(1)) else { return };
    if given != wanted && !list.is_some_and(|operand| operand.contains("...")) {
        said.push(FRAGMENT.broken(
            format!("{opcode} names {given} registers; .x{number} has {wanted}"),
            format!("Name {wanted} registers."),
        ));
    }
}

fn vector(opcode: &str, parts: &[&str], operands: &[String], said: &mut Vec<Diagnostic>) {
    let wanted = parts.iter().find_map(|part| match *part {
        "v2" => Some(2),
        "v4" => Some(4),
        "v8" => Some(8),
        _ => None,
    });
    let Some(given) = operands.iter().find_map(|operand| length(operand)) else { return };
    match wanted {
        Some(wanted) if wanted != given => said.push(VECTOR.broken(
            format!("{opcode} names {given} registers"),
            format!("Name {wanted}, or write .v{given}."),
        )),
        // One register may stand in braces.
        None if given > 1 => {
            said.push(VECTOR.broken(
                format!("{opcode} names {given} registers and no length"),
                format!("Write .v{given}."),
            ))
        }
        _ => {}
    }
}

fn order_and_scope(opcode: &str, parts: &[&str], said: &mut Vec<Diagnostic>) {
    let order = parts.iter().any(|part| matches!(*part, "relaxed" | "release" | "acquire"));
    let scope = parts.iter().any(|part| matches!(*part, "cta" | "cluster"));
    if order == scope {
        return;
    }
    let (has, lacks, fix) = if order {
        ("an order", "scope", "Add .cta or .cluster behind the order.")
    } else {
        ("a scope", "order", "Add .release, .acquire or .relaxed before the scope.")
    };
    said.push(SCOPE.broken(format!("{opcode} names {has} and no {lacks}"), fix));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> usize {
        let (opcode, operands) = line.split_once(' ').unwrap_or((line, ""));
        let parts: Vec<&str> = opcode.split('.').collect();
        let mut said = Vec::new();
        judge(opcode, &parts, &super::super::ptx::split_operands(operands), &mut said);
        said.len()
    }

    /// What ptxas 13.5 answers to the same lines.
    #[test]
    fn forms_are_taken_and_refused_as_by_ptxas() {
        for right in [
            "tcgen05.mma.cta_group::1.kind::f16 [r], d, e, i, {a, b, c, d}, p",
            "tcgen05.mma.cta_group::2.kind::f16 [r], d, e, i, {a, b, c, d, e, f, g, h}, p",
            "tcgen05.wait::ld.sync.aligned",
            "tcgen05.ld.sync.aligned.32x32b.x2.b32 {a, b}, [c]",
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a, b, c, d}, {e, f, g, h}, {i, j}, {k, l, m, n}",
            "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {a, b}, {e, f, g, h}, {i, j}, {k, l}",
            "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {a, b}, {c}, {d}, {e, f}",
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {a, b, c, d}, {e, f, g, h}, {i, j}, {k, l, m, n}",
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a, b, c, d}, [e]",
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [a], {b, c, d, e}, [f]",
            "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [r], 0",
            "mbarrier.arrive.expect_tx.shared::cluster.b64 _, [r], 16",
            "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [a], [m, {x, y, z, w}], [b], {h, i}",
        ] {
            assert_eq!(told(right), 0, "{right}");
        }
        for wrong in [
            "tcgen05.mma.kind::f16 [r], d, e, i, p",
            "tcgen05.mma.cta_group::1 [r], d, e, i, p",
            "tcgen05.mma.cta_group::1.kind::mxf4.block32 [r], d, e, i, [f], [g], p",
            "tcgen05.mma.cta_group::1.kind::f16 [r], d, e, i, {a, b, c}, p",
            "tcgen05.commit.mbarrier::arrive::one.b64 [r]",
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a, b, c}, {e, f, g, h}, {i, j}, {k, l, m, n}",
            "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {a, b, c}, [d]",
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [a], {b, c, d}, [f]",
            "mbarrier.arrive.expect_tx.cta.shared::cta.b64 r, [a], 16",
            "mbarrier.try_wait.relaxed.shared::cta.b64 p, [r], t",
            "discard.global.L2 [a], 64",
            "st.bulk.weak.shared::cta [a], 1024, 3",
            "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [a], [m, {x, y, z, w}], [b], {h, i}",
        ] {
            assert_ne!(told(wrong), 0, "{wrong}");
        }
    }
}
