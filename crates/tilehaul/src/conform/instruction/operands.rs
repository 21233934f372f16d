//! What an opcode asks of its operands: brackets, lengths of lists, ranges of written numbers.
//!
//! manual: PTX ISA, the syntax of each instruction; what ptxas 13.5 refuses. Registers are known by name only, so their
//! types are not looked at. Soundness: a line that no rule here speaks of may still be wrong.

use std::ops::RangeInclusive;

use tilehaul_descriptor::Rule;
use tilehaul_diag::Diagnostic;
use tilehaul_isa::ptx::Opcode;

use super::ptx::{PTX_ISA, integer};

const BRACKETS: Rule = Rule::error(
    "ptx-address-operand",
    "An operand stands in brackets where the instruction takes an address, and only there.",
    PTX_ISA,
);
const LIST: Rule = Rule::error(
    "ptx-list-length",
    "A list in braces has as many registers as the instruction moves.",
    PTX_ISA,
);
const RANGE: Rule = Rule::error(
    "ptx-immediate-range",
    "A written number lies within what its field of the instruction holds.",
    PTX_ISA,
);
const PAIR: Rule =
    Rule::error("ptx-elect-predicate", "elect.sync tells each lane by a predicate: %r|%p.", PTX_ISA);
const REMOTE: Rule = Rule::error(
    "mbarrier-remote-state",
    "An arrival at a barrier of another block gives no state: its result is the sink _.",
    PTX_ISA,
);

const THREE: Rule = Rule::error(
    "ptx-minimum-of-three",
    "Three floats are compared from sm_100 on; absolute values are compared of three, or with .xorsign.",
    PTX_ISA,
);
const PRIORITY: Rule = Rule::error(
    "ptx-second-level-priority",
    "A priority in the second cache is for accesses of 32 bytes: .v8.b32 or .v4.b64.",
    PTX_ISA,
);
const GENERIC: Rule = Rule::error(
    "ptx-generic-address",
    "An address without a state space is generic and has 64 bits.",
    PTX_ISA,
);

pub(super) const RULES: &[Rule] = &[BRACKETS, LIST, RANGE, PAIR, REMOTE, THREE, PRIORITY, GENERIC];

/// Judges the operands of one opcode.
pub(super) fn judge(opcode: &Opcode, operands: &[String], target: &str, said: &mut Vec<Diagnostic>) {
    brackets(opcode, operands, said);
    lists(opcode, operands, said);
    accesses(opcode, operands, said);
    numbers(opcode, operands, said);
    minimum(opcode, operands, target, said);
    let text = &opcode.text;
    if text.starts_with("elect.") && operands.first().is_some_and(|first| !first.contains('|')) {
        said.push(
            PAIR.broken(format!("{text} {} names no predicate", operands[0]), "Write %r1|%p1 or _|%p1."),
        );
    }
    let arrives = text.starts_with("mbarrier.arrive");
    if arrives
        && opcode.has("shared::cluster")
        && operands.len() > 1
        && operands[0] != "_"
        && !operands[0].starts_with('[')
    {
        said.push(REMOTE.broken(format!("{text} gives its state to {}", operands[0]), "Write _."));
    }
}

/// `min` and `max` of floats: of three from sm_100 on, and absolute values only of three or with `.xorsign`.
fn minimum(opcode: &Opcode, operands: &[String], target: &str, said: &mut Vec<Diagnostic>) {
    let text = &opcode.text;
    if !text.starts_with("min.") && !text.starts_with("max.") {
        return;
    }
    let number: u32 = target.trim_start_matches("sm_").trim_end_matches(['a', 'f']).parse().unwrap_or(0);
    if operands.len() == 4 && number < 100 {
        said.push(
            THREE.broken(
                format!("{text} of three values on {target}"),
                "Take the result of two and the third.",
            ),
        );
    } else if operands.len() == 3 && opcode.has("abs") && !opcode.has("xorsign") {
        said.push(THREE.broken(
            format!("{text} of two values takes no absolute value by itself"),
            "Write .xorsign.abs, or take abs first.",
        ));
    }
}

/// Compares brackets with those of the row, where the row has as many operands as the line.
fn brackets(opcode: &Opcode, operands: &[String], said: &mut Vec<Diagnostic>) {
    let Some(row) = opcode.row else { return };
    let names: Vec<&str> = row.operands.split(',').collect();
    // Behind the first that may be left out, places are not certain.
    let certain = match names.len() == operands.len() {
        true => names.len(),
        false => names.iter().position(|name| name.ends_with('?')).unwrap_or(names.len()),
    };
    for (name, operand) in names.iter().zip(operands).take(certain) {
        let wanted = name.starts_with('[');
        // A name of one letter is a register, or, of a few instructions, either.
        let either = match row.name {
            name if name.starts_with("mbarrier.arrive") => true,
            "tcgen05.mma" => *name == "a",
            "tex" | "tld4" | "txq" | "suld" | "sust" | "sured" | "suq" => true,
            _ => name.ends_with('?'),
        };
        let given = operand.starts_with('[');
        if wanted != given && !either {
            let (text, fix) = match wanted {
                true => (format!("{}: {operand} is no address", opcode.text), format!("Write [{operand}].")),
                false => {
                    let bare = operand.trim_matches(['[', ']']);
                    (
                        format!("{}: {operand} stands where no address is taken", opcode.text),
                        format!("Write {bare}."),
                    )
                }
            };
            said.push(BRACKETS.broken(text, fix));
        }
    }
}

/// Lengths of lists in braces that follow from the opcode.
fn lists(opcode: &Opcode, operands: &[String], said: &mut Vec<Diagnostic>) {
    let text = &opcode.text;
    let mut expect = |operand: &String, wanted: u32| {
        if let Some(given) = length(operand).filter(|&given| given != wanted) {
            said.push(LIST.broken(
                format!("{text} names {given} registers in {operand}; it takes {wanted}"),
                format!("Name {wanted} registers."),
            ));
        }
    };
    if text.starts_with("wgmma.mma_async") {
        let columns = opcode.first(|part| part.strip_prefix("m64n")?.split_once('k')?.0.parse::<u32>().ok());
        let halves = opcode.first(|part| matches!(part, "f16" | "f32" | "s32").then_some(part == "f16"));
        let columns = columns.filter(|columns| columns.is_multiple_of(8));
        if let (Some(columns), Some(halves), [d, a, ..]) = (columns, halves, operands) {
            expect(d, columns / if halves { 4 } else { 2 });
            expect(a, 4);
        }
        return;
    }
    if text.starts_with("mma.")
        && opcode.has("m8n8k4")
        && opcode.modifiers.iter().filter(|m| *m == "f64").count() == 0
    {
        let types: Vec<u32> = opcode.all(|part| match part {
            "f16" => Some(4),
            "f32" => Some(8),
            _ => None,
        });
        if let ([d, _, _, c], [to_d, to_a, to_b, to_c]) = (&types[..], operands) {
            expect(to_d, *d);
            expect(to_a, 2);
            expect(to_b, 2);
            expect(to_c, *c);
        }
        return;
    }
    let vector = opcode.first(|part| match part {
        "v2" => Some(2),
        "v4" => Some(4),
        "v8" => Some(8),
        _ => None,
    });
    if let Some(wanted) = vector.filter(|_| {
        ["atom.", "multimem.", "clusterlaunchcontrol.", "mov."].iter().any(|f| text.starts_with(f))
    }) {
        for operand in operands {
            expect(operand, wanted);
        }
    }
}

/// Widths of accesses with a priority, and of generic addresses.
fn accesses(opcode: &Opcode, operands: &[String], said: &mut Vec<Diagnostic>) {
    let text = &opcode.text;
    let wide = opcode.has("v8") || opcode.has("v4") && opcode.modifiers.iter().any(|m| m.ends_with("64"));
    let evicts = |part: &str| matches!(part, "L2::evict_first" | "L2::evict_last" | "L2::evict_normal");
    if matches!(text.split('.').next(), Some("ld" | "st"))
        && !wide
        && opcode.first(|p| evicts(p).then_some(())).is_some()
    {
        said.push(PRIORITY.told(format!("{text} moves fewer than 32 bytes")));
        return;
    }
    const SPACES: [&str; 5] = ["global", "shared", "local", "param", "const"];
    let first = text.split('.').next().unwrap_or_default();
    let generic = matches!(first, "ld" | "ldu" | "st" | "atom" | "red" | "mbarrier")
        && !opcode
            .modifiers
            .iter()
            .any(|m| SPACES.iter().any(|space| m.starts_with(space)) || m == "async" || m == "bulk")
        && !text.starts_with("st.async")
        && !text.starts_with("red.async")
        && !text.starts_with("st.bulk");
    // By the names that every compiler gives: %r1 has 32 bits, %rd1 has 64.
    let narrow = |operand: &&String| {
        let name = operand.trim_start_matches(['[', '%']).split(['+', ']', ' ']).next().unwrap_or_default();
        operand.starts_with("[%r") && name.len() > 1 && name[1..].bytes().all(|b| b.is_ascii_digit())
    };
    if let Some(operand) = operands.iter().find(narrow).filter(|_| generic) {
        said.push(GENERIC.broken(
            format!("{text} takes {operand}, whose name is that of a 32-bit register, as a generic address"),
            "Name the state space, such as .shared::cta.",
        ));
    }
}

/// Written numbers of one operand each.
fn numbers(opcode: &Opcode, operands: &[String], said: &mut Vec<Diagnostic>) {
    let text = &opcode.text;
    let mut within = |operand: Option<&str>, what: &str, range: RangeInclusive<i64>| {
        said.extend(outside(text, operand, what, range));
    };
    let at = |index: usize| operands.get(index).map(String::as_str);
    let named = |name: &str| {
        let names = opcode.row?.operands.split(',');
        at(names.clone().position(|n| n.trim_end_matches('?') == name)?)
    };
    if opcode.has("ignore_oob") {
        within(named("left"), "the number of bytes left out", 0..=15);
        within(named("right"), "the number of bytes left out", 0..=15);
    } else if text.starts_with("tcgen05.mma.")
        && opcode.row.is_some_and(|row| row.operands.ends_with("scale?"))
    {
        // Behind the predicate, whether or not lanes stand before it.
        let first = if opcode.has("sp") { 5 } else { 4 };
        let lanes = at(first).is_some_and(|operand| operand.starts_with('{'));
        within(at(first + 1 + usize::from(lanes)), "the power of two that divides D", 0..=15);
        if lanes && operands.len() == first + 1 {
            said.push(LIST.broken(
                format!("{text} names lanes and no predicate behind them"),
                "Add the predicate that says whether D is added.",
            ));
        }
    } else if text.starts_with("createpolicy.range") {
        if let Some(all) = at(3).and_then(integer) {
            // Sizes are unsigned.
            within(at(2), "the primary size", 0..=if all < 0 { i64::MAX } else { all });
        }
    } else if text.starts_with("st.bulk") {
        if let Some(size) = at(1).and_then(integer).filter(|size| size % 8 != 0 || *size < 0) {
            said.push(RANGE.broken(
                format!("{text}: a size is a multiple of 8 bytes, not {size}"),
                format!("Write {}.", size.max(0).saturating_add(7) / 8 * 8),
            ));
        }
    } else if text.starts_with("pmevent") && !opcode.has("mask") {
        within(at(0), "an event", 0..=15);
    } else if text.starts_with("createpolicy.fractional") {
        let fraction = at(1).and_then(|operand| operand.parse::<f64>().ok());
        if let Some(fraction) = fraction.filter(|fraction| !(*fraction > 0.0 && *fraction <= 1.0)) {
            said.push(RANGE.broken(
                format!("{text}: a fraction is above 0 and at most 1, not {fraction}"),
                "Write a number from 0 to 1.",
            ));
        }
    } else if text.starts_with("mbarrier.") {
        if opcode.has("parity") {
            within(at(2), "a parity", 0..=1);
        } else if text.starts_with("mbarrier.arrive") && !text.contains("expect_tx") && operands.len() == 3 {
            within(at(2), "the number of arrivals", 1..=i64::from(u32::MAX));
        }
    } else if text.starts_with("wgmma.mma_async") {
        warpgroup_numbers(opcode, operands, said);
    } else if text.starts_with("mma.") {
        matrix_numbers(opcode, operands, said);
    }
}

/// A written number that is not in its range.
fn outside(text: &str, operand: Option<&str>, what: &str, range: RangeInclusive<i64>) -> Option<Diagnostic> {
    let given = operand.and_then(integer).filter(|given| !range.contains(given))?;
    let near = given.clamp(*range.start(), *range.end());
    Some(RANGE.broken(
        format!("{text}: {what} is {} to {}, not {given}", range.start(), range.end()),
        format!("Write {near}."),
    ))
}

/// Selector, signs and transpositions of `wgmma.mma_async`. manual: PTX ISA, wgmma.mma_async.
fn warpgroup_numbers(opcode: &Opcode, operands: &[String], said: &mut Vec<Diagnostic>) {
    let text = &opcode.text;
    let at = |index: usize| operands.get(index).map(String::as_str);
    let sparse = if opcode.has("sp") { 2 } else { 0 };
    let wide = opcode.modifiers.iter().any(|m| matches!(m.as_str(), "bf16" | "tf32"))
        || opcode.modifiers.iter().filter(|m| *m == "f16").count() >= 2;
    if sparse > 0 {
        said.extend(outside(text, at(4), "the selector", 0..=i64::from(wide)));
    }
    for index in 4 + sparse..6 + sparse {
        if let Some(given) = at(index).and_then(integer).filter(|given| given.unsigned_abs() != 1) {
            said.push(
                RANGE.broken(format!("{text}: a matrix is scaled by 1 or -1, not {given}"), "Write 1 or -1."),
            );
        }
    }
    let in_registers = at(1).is_some_and(|a| a.starts_with('{'));
    if !in_registers && operands.len() == 7 + sparse {
        said.push(
            LIST.broken(format!("{text} says of one matrix whether it is transposed"), "Say it of both."),
        );
    } else if in_registers && operands.len() == 8 + sparse {
        said.push(LIST.broken(format!("{text} transposes an A in registers"), "Leave out the flag of A."));
    }
    for index in 6 + sparse..8 + sparse {
        if let Some(given) = at(index).and_then(integer).filter(|given| !(0..=1).contains(given)) {
            said.push(RANGE.broken(
                format!("{text}: a matrix is transposed (1) or not (0), not {given}"),
                "Write 0 or 1.",
            ));
        }
    }
}

/// Selectors of sparse and of scaled products. manual: PTX ISA, mma.sp, mma with block scaling.
fn matrix_numbers(opcode: &Opcode, operands: &[String], said: &mut Vec<Diagnostic>) {
    let text = &opcode.text;
    let mut one_of = |operand: Option<&str>, what: &str, legal: &[i64]| {
        if let Some(given) = operand.and_then(integer).filter(|given| !legal.contains(given)) {
            let all: Vec<String> = legal.iter().map(i64::to_string).collect();
            said.push(RANGE.broken(
                format!("{text}: {what} is {}, not {given}", all.join(" or ")),
                format!("Write {}.", legal.last().copied().unwrap_or(0)),
            ));
        }
    };
    let sparse = opcode.has("sp") || opcode.has("sp::ordered_metadata");
    if sparse {
        let depth = opcode.first(|part| part.strip_prefix("m16n8k")?.parse::<u32>().ok()).unwrap_or(0);
        let bits = opcode.first(|part| match part {
            "tf32" => Some(32),
            "bf16" => Some(16),
            "s8" | "u8" | "e4m3" | "e5m2" | "e3m2" | "e2m3" => Some(8),
            "s4" | "u4" => Some(4),
            "e2m1" => Some(if opcode.has("m16n8k128") { 4 } else { 8 }),
            _ => None,
        });
        let legal: &[i64] = match (bits.unwrap_or(16), depth) {
            (16, _) | (32, 8) => &[0, 1, 2, 3],
            (32, _) | (8, 32) | (4, 64) => &[0, 1],
            _ => &[0],
        };
        one_of(operands.get(5).map(String::as_str), "the selector", legal);
    }
    if !opcode.has("block_scale") {
        return;
    }
    let bytes: &[i64] = if opcode.has("scale_vec::4X") {
        &[0]
    } else if opcode.has("kind::mxf8f6f4") {
        if sparse { &[0] } else { &[0, 1, 2, 3] }
    } else {
        &[0, 2]
    };
    let first = if sparse { 7 } else { 5 };
    for (index, threads) in [(first, &[0, 1][..]), (first + 2, &[0, 1, 2, 3][..])] {
        let Some(inside) = operands.get(index).and_then(|o| o.strip_prefix('{')?.strip_suffix('}')) else {
            continue;
        };
        let mut parts = inside.split(',').map(str::trim);
        // Of sparse products only the dense forms were asked.
        if !(sparse && bytes != [0]) {
            one_of(parts.next(), "the byte of the factors", bytes);
        }
        one_of(parts.next(), "the thread with the factors", threads);
    }
}

/// Registers of a list in braces; none of anything else, and of a list that is cut short with dots.
pub(super) fn length(operand: &str) -> Option<u32> {
    let inside = operand.strip_prefix('{')?.strip_suffix('}')?;
    if inside.contains("...") {
        return None;
    }
    u32::try_from(inside.split(',').count()).ok()
}

#[cfg(test)]
mod tests {
    use super::super::ptx::split_operands;
    use super::*;

    fn told(line: &str, target: &str) -> usize {
        let (opcode, operands) = line.split_once(' ').unwrap_or((line, ""));
        let mut said = Vec::new();
        judge(&Opcode::new(opcode), &split_operands(operands), target, &mut said);
        said.len()
    }

    /// What ptxas 13.5 answers to the same lines.
    #[test]
    fn operands_are_taken_and_refused_as_by_ptxas() {
        for right in [
            "elect.sync _|%p1, -1",
            "mbarrier.arrive.shared::cluster.b64 _, [%r1], 2",
            "mbarrier.arrive.shared::cta.b64 %rd1, [%r1]",
            "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], %r3",
            "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, {%r3, %r4, %r5, %r6}, %p1, 15",
            "tcgen05.mma.cta_group::1.kind::tf32 [%r1], [%r2], %rd2, %r2, %p1",
            "tcgen05.mma.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r7], %r2, {%r3, %r4, %r5, %r6}, %p1, 3",
            "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {a, b, c, d}, {e, f, g, h}, %rd1, 1, 1, -1, 0",
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {a, b, c, d}, %rd1, %rd2, %p1, 1, 1, 0, 1",
            "createpolicy.fractional.L2::evict_last.b64 %rd1, 0.5",
            "createpolicy.range.L2::evict_last.b64 %rd1, [%rd2], 1024, 2048",
            "ld.global.L2::evict_last.v8.b32 {a, b, c, d, e, f, g, h}, [%rd1]",
            "ld.shared.u32 %r1, [%r2]",
            "ld.u32 %r1, [%rd2]",
            "st.async.mbarrier::complete_tx::bytes.b32 [%r1], %r2, [%r3]",
            "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16 {a, b, c, d, e, f, g, h}, {i, j}, {k, l}, {m, n, o, p}",
            "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a, b, c, d}, {e, f}, {g, h}, {i, j, k, l}, %r1, 3",
            "max.f32 %f1, %f2, %f3",
            "min.NaN.xorsign.abs.f32 %f1, %f2, %f3",
        ] {
            assert_eq!(told(right, "sm_90a"), 0, "{right}");
        }
        for wrong in [
            "elect.sync %r1, -1",
            "mbarrier.arrive.shared::cluster.b64 %rd1, [%r1], 2",
            "mbarrier.arrive.shared::cta.b64 %rd1, [%r1], 0",
            "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 2",
            "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, 16",
            "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, {%r3, %r4, %r5, %r6}",
            "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r2], %p1",
            "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {a, b, c}, {e, f, g, h}, %rd1, 1, 1, -1, 0",
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {a, b, c, d}, %rd1, %rd2, %p1, 1, 0, 0, 1",
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {a, b, c, d}, %rd1, %rd2, %p1, 1, 1, 2, 1",
            "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.5",
            "createpolicy.range.L2::evict_last.b64 %rd1, [%rd2], 1024, 512",
            "ld.global.L2::evict_last.v4.b32 {a, b, c, d}, [%rd1]",
            "ld.u32 %r1, [%r2]",
            "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {a, b, c, d}, {i, j}, {k, l}, {m, n, o, p}",
            "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 {a, b, c, d}, {e, f, g, h}, {i, j, k, l}, {m, n, o, p}, %r1, 1",
            "max.f32 %f1, %f2, %f3, %f4",
            "min.NaN.abs.f32 %f1, %f2, %f3",
            "st.bulk.shared::cta [%r1], 17, 0",
            "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%r1], [%rd1], 16, 16, 4, [%r2]",
        ] {
            assert_ne!(told(wrong, "sm_90a"), 0, "{wrong}");
        }
    }
}
