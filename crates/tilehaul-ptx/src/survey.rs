//! What can be said of a PTX module without running it.
//!
//! May miss: everything that depends on values. Never reports falsely: a finding here needs no value to be true, or rests
//! on the absence of an instruction in all code that a kernel can reach.

use std::collections::BTreeMap;

use tilehaul_diag::{Code, Diagnostic, Level, Source, Span};
use tilehaul_isa::ptx::ast::{Function, FunctionId, Instruction, Module, Operand, RegId, Symbol};
use tilehaul_isa::ptx::special::Special;
use tilehaul_isa::ptx::{Op, Opcode, Support};

/// What a look at a module gives.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Findings and hints.
    pub findings: Vec<Diagnostic>,
    /// One line for each kernel: its name, parameters and size.
    pub kernels: Vec<String>,
    /// Instructions that a run would end at, with how often they stand in the text.
    pub unmodelled: Vec<(String, usize)>,
}

/// An instruction with what the table says of it.
struct Seen<'m> {
    instruction: &'m Instruction,
    opcode: &'m Opcode,
    op: Option<Op>,
}

/// Looks at a module. `target` is the architecture to check for; the module's own when absent.
#[must_use]
pub fn survey(module: &Module, target: Option<&str>) -> Survey {
    let target = target.or(module.target.first().map(String::as_str)).unwrap_or_default();
    let mut survey = Survey::default();
    let mut unmodelled: BTreeMap<&str, usize> = BTreeMap::new();
    for function in &module.functions {
        for seen in instructions(module, function) {
            let missing = seen.opcode.missing_on(target);
            match seen.opcode.row {
                None => *unmodelled.entry(&seen.opcode.text).or_default() += 1,
                Some(_) if missing.is_some() => survey.findings.push(
                    told(
                        "instruction-not-on-target",
                        Level::Error,
                        format!("{} does not exist on {target}", seen.opcode.text),
                        seen.instruction.span,
                    )
                    .note(format!("it exists on: {}", missing.map_or("", |(_, targets)| targets)))
                    .source(Source::manual("PTX ISA, target ISA notes")),
                ),
                Some(row) if matches!(row.support, Support::Unsupported(_)) => {
                    *unmodelled.entry(&seen.opcode.text).or_default() += 1;
                }
                Some(_) => {}
            }
        }
        groups_in_order(module, function, &mut survey.findings);
        aligned_and_guarded(module, function, &mut survey.findings);
    }
    survey.unmodelled = unmodelled.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    for (index, function) in module.functions.iter().enumerate() {
        if !function.is_entry || !function.has_body {
            continue;
        }
        let (seen, complete) = reached(module, FunctionId(index as u32));
        survey.kernels.push(described(function, seen.len(), target));
        if complete {
            missing_partners(&seen, &function.name, &mut survey.findings);
        }
    }
    survey
}

fn described(function: &Function, instructions: usize, target: &str) -> String {
    let params: Vec<String> =
        function.params.iter().map(|p| format!("{} ({} bytes)", p.variable.name, p.variable.bytes)).collect();
    format!(
        "kernel {} for {target}: {instructions} instructions, {} parameters: {}",
        function.name,
        params.len(),
        if params.is_empty() { "none".to_owned() } else { params.join(", ") }
    )
}

fn told(code: &'static str, level: Level, message: String, span: Span) -> Diagnostic {
    Diagnostic::new(Code(code), level, message).at(span, "")
}

fn instructions<'m>(module: &'m Module, function: &'m Function) -> impl Iterator<Item = Seen<'m>> {
    function.instructions.iter().filter_map(move |instruction| {
        let opcode = module.opcode(instruction)?;
        Some(Seen { instruction, opcode, op: opcode.row.map(|r| r.op) })
    })
}

/// All instructions that a kernel can reach, and whether all that it calls was seen.
fn reached(module: &Module, entry: FunctionId) -> (Vec<Seen<'_>>, bool) {
    let (mut seen, mut complete) = (Vec::new(), true);
    let mut queue = vec![entry];
    let mut next = 0;
    while let Some(&id) = queue.get(next) {
        next += 1;
        let Some(function) = module.functions.get(id.0 as usize) else { continue };
        for found in instructions(module, function) {
            let mut named = false;
            for operand in &found.instruction.operands {
                if let Operand::Symbol(Symbol::Function(callee), _) = operand {
                    named = true;
                    // What has no body here may do anything; `printf` and `assert` do nothing to barriers.
                    let known = module.functions.get(callee.0 as usize);
                    let harmless = known
                        .is_some_and(|f| f.has_body || matches!(f.name.as_str(), "vprintf" | "__assertfail"));
                    complete &= harmless;
                    if !queue.contains(callee) {
                        queue.push(*callee);
                    }
                }
            }
            complete &= found.op != Some(Op::Call) || named;
            seen.push(found);
        }
    }
    (seen, complete)
}

/// Says something of an instruction.
type Test = fn(Op, &Opcode) -> bool;

/// An instruction that is of no use without others somewhere in the kernel.
struct Partners {
    code: &'static str,
    of: Test,
    /// For each of these there must be an instruction.
    needs: &'static [Test],
    lacks: &'static str,
    fix: &'static str,
}

const PARTNERS: &[Partners] = &[
    Partners {
        code: "bytes-never-announced",
        of: counts_bytes,
        needs: &[announces_bytes],
        lacks: "whose bytes are counted on an mbarrier, and nothing announces bytes to any mbarrier",
        fix: "Execute mbarrier.arrive.expect_tx with the number of bytes before the copy.",
    },
    Partners {
        code: "announced-bytes-never-come",
        of: announces_bytes,
        needs: &[|op, o| counts_bytes(op, o) || op == Op::MbarrierCompleteTx],
        lacks: "and nothing ever counts bytes on an mbarrier, so that phase never completes",
        fix: "Start the copy that sends the bytes, or arrive without expect_tx.",
    },
    Partners {
        code: "barrier-never-initialised",
        of: |op, o| waits_for_phase(op, o) || op == Op::MbarrierArrive,
        needs: &[|op, _| op == Op::MbarrierInit],
        lacks: "and no mbarrier is ever initialised",
        fix: "Execute mbarrier.init in one thread, then a fence and a barrier of the block.",
    },
    Partners {
        code: "copy-never-waited",
        of: counts_bytes,
        needs: &[waits_for_phase],
        lacks: "and nothing ever waits on an mbarrier",
        fix: "Wait with mbarrier.try_wait before the bytes are used.",
    },
    Partners {
        code: "group-never-waited",
        of: |op, o| {
            o.has("bulk_group")
                && matches!(op, Op::Bulk | Op::BulkReduce | Op::BulkTensorStore | Op::BulkTensorReduce)
        },
        needs: &[|op, _| op == Op::BulkCommit, |op, _| op == Op::BulkWait],
        lacks: "and bulk groups are never both committed and waited for",
        fix: "Execute cp.async.bulk.commit_group and cp.async.bulk.wait_group before the kernel ends.",
    },
    Partners {
        code: "group-never-waited",
        of: |op, _| op == Op::CpAsync,
        needs: &[|op, _| matches!(op, Op::CpAsyncWait | Op::CpAsyncWaitAll | Op::CpAsyncMbarrierArrive)],
        lacks: "and nothing ever waits for cp.async",
        fix: "Execute cp.async.wait_all, or commit_group and wait_group, before the bytes are used.",
    },
    Partners {
        code: "group-never-waited",
        of: |op, _| op == Op::WgmmaMma,
        needs: &[|op, _| op == Op::WgmmaCommit, |op, _| op == Op::WgmmaWait],
        lacks: "and wgmma groups are never both committed and waited for",
        fix: "Execute wgmma.commit_group and wgmma.wait_group before the accumulators are used.",
    },
    Partners {
        code: "tensor-memory-never-freed",
        of: |op, _| op == Op::TcAlloc,
        needs: &[|op, _| op == Op::TcDealloc],
        lacks: "and tensor memory is never freed",
        fix: "Execute tcgen05.dealloc before the kernel ends.",
    },
];

fn announces_bytes(op: Op, opcode: &Opcode) -> bool {
    op == Op::MbarrierExpectTx || opcode.text.contains("expect_tx")
}

fn counts_bytes(op: Op, opcode: &Opcode) -> bool {
    matches!(op, Op::Bulk | Op::BulkTensorLoad | Op::StAsync | Op::RedAsync)
        && opcode.modifiers.iter().any(|m| m.starts_with("mbarrier::complete_tx"))
}

fn waits_for_phase(op: Op, _: &Opcode) -> bool {
    matches!(op, Op::MbarrierTestWait | Op::MbarrierTryWait)
}

fn missing_partners(seen: &[Seen<'_>], kernel: &str, findings: &mut Vec<Diagnostic>) {
    let first = |test: &Test| seen.iter().find(|s| s.op.is_some_and(|op| test(op, s.opcode)));
    for row in PARTNERS {
        let Some(start) = first(&row.of) else { continue };
        if row.needs.iter().all(|test| first(test).is_some()) {
            continue;
        }
        let message = format!("{kernel} executes {}, {}", start.opcode.text, row.lacks);
        findings.push(
            told(row.code, Level::Error, message, start.instruction.span)
                .fix(row.fix)
                .source(Source::manual("PTX ISA, asynchronous operations and mbarrier")),
        );
    }
}

/// In straight code: a wait for groups behind operations that no commit has put into one.
fn groups_in_order(module: &Module, function: &Function, findings: &mut Vec<Diagnostic>) {
    let kinds: [(&[Op], Op, Op); 3] = [
        (&[Op::CpAsync], Op::CpAsyncCommit, Op::CpAsyncWait),
        (&[Op::BulkTensorStore, Op::BulkTensorReduce], Op::BulkCommit, Op::BulkWait),
        (&[Op::WgmmaMma], Op::WgmmaCommit, Op::WgmmaWait),
    ];
    let targets = jump_targets(function);
    for (starts, commit, wait) in kinds {
        let mut open: Option<Seen<'_>> = None;
        for (at, seen) in instructions(module, function).enumerate() {
            let jumps = matches!(seen.op, Some(Op::Bra | Op::BrxIdx | Op::Call | Op::Ret | Op::Exit));
            if jumps || targets.contains(&(at as u32)) {
                open = None;
            }
            match seen.op {
                Some(op) if starts.contains(&op) => open = Some(seen),
                Some(op) if op == commit => open = None,
                Some(op) if op == wait => {
                    if let Some(start) = open.take() {
                        let message = format!(
                            "{} does not cover the {} before it, which is in no group yet",
                            seen.opcode.text, start.opcode.text
                        );
                        findings.push(
                            told("wait-before-commit", Level::Error, message, seen.instruction.span)
                                .also(start.instruction.span, "started here")
                                .fix("Commit the group between the two.")
                                .source(Source::manual("PTX ISA, commit_group and wait_group")),
                        );
                    }
                }
                _ => {}
            }
        }
    }
}

/// Instructions that a label or a branch table leads to.
pub(crate) fn jump_targets(function: &Function) -> Vec<u32> {
    let operands = function.instructions.iter().flat_map(|i| &i.operands);
    let labels = operands.filter_map(|o| match o {
        Operand::Symbol(Symbol::Label(to), _) => Some(to.0),
        _ => None,
    });
    labels.chain(function.tables.iter().flatten().map(|to| to.0)).collect()
}

/// `.aligned` behind a predicate that one lane of a warp has for itself: an elected lane, or one number of a thread.
fn aligned_and_guarded(module: &Module, function: &Function, findings: &mut Vec<Diagnostic>) {
    let mut single: Vec<RegId> = Vec::new();
    let mut often: BTreeMap<u32, u32> = BTreeMap::new();
    for seen in instructions(module, function) {
        let result = match (seen.op, &seen.instruction.operands[..]) {
            (Some(Op::Elect), [Operand::Dual(pair), ..]) => predicate(&pair.1),
            (Some(Op::Setp), [p, Operand::Special(Special::TidX | Special::Laneid), Operand::Imm(_)])
                if seen.opcode.has("eq") =>
            {
                predicate(p)
            }
            (Some(Op::Setp | Op::And | Op::Or | Op::Xor | Op::Not | Op::Mov | Op::Vote), [p, ..]) => {
                predicate(p).inspect(|r| *often.entry(r.0).or_default() += 1);
                continue;
            }
            _ => continue,
        };
        if let Some(register) = result {
            *often.entry(register.0).or_default() += 1;
            single.push(register);
        }
    }
    // A predicate that is written twice may hold something else.
    single.retain(|r| often.get(&r.0) == Some(&1));
    for seen in instructions(module, function) {
        let aligned = seen.opcode.has("aligned")
            || matches!(seen.op, Some(Op::Bar) if seen.opcode.text.starts_with("bar."));
        if let Some(guard) = seen.instruction.guard
            && aligned
            && single.contains(&guard.reg)
        {
            let message = format!(
                "{} needs all lanes of the warp, and its guard lets single lanes through",
                seen.opcode.text
            );
            findings.push(
                told("aligned-under-predicate", Level::Error, message, seen.instruction.span)
                    .fix("Execute it without the guard, in all lanes.")
                    .source(Source::manual("PTX ISA, .aligned")),
            );
        }
    }
}

fn predicate(operand: &Operand) -> Option<RegId> {
    match operand {
        Operand::Reg(id) => Some(*id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(body: &str) -> Vec<&'static str> {
        let text = format!(
            ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 a)\n{{\n.reg .b32 %r<9>; .reg .b64 %d<9>; \
             .reg .pred %p<4>; .shared .align 128 .b8 t[1024]; .shared .b64 bar;\n{body}\nret;\n}}\n"
        );
        let reading = tilehaul_isa::ptx::read(&text, tilehaul_diag::FileId(0));
        assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
        let survey = survey(&reading.module, None);
        assert_eq!(survey.kernels.len(), 1);
        survey.findings.iter().map(|d| d.code.0).collect()
    }

    const COPY: &str =
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [t], [%d1], 128, [bar];";

    #[test]
    fn barriers_need_their_partners() {
        assert_eq!(codes(COPY), ["bytes-never-announced", "copy-never-waited"]);
        let whole = format!(
            "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128; {COPY} \
             W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;"
        );
        assert!(codes(&whole).is_empty());
        assert_eq!(
            codes("mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128;"),
            ["announced-bytes-never-come"]
        );
    }

    #[test]
    fn groups_are_committed_before_they_are_waited_for() {
        let start = "cp.async.ca.shared.global [t], [%d1], 16;";
        assert_eq!(codes(start), ["group-never-waited"]);
        assert_eq!(
            codes(&format!("{start} cp.async.wait_group 0; cp.async.commit_group;")),
            ["wait-before-commit"]
        );
        assert!(codes(&format!("{start} cp.async.commit_group; cp.async.wait_group 0;")).is_empty());
        // Behind a label the group may have been committed on another way.
        assert!(codes(&format!("{start} bra L; L: cp.async.wait_group 0;")).is_empty());
    }

    #[test]
    fn aligned_instructions_stand_free() {
        assert_eq!(codes("setp.eq.u32 %p1, %tid.x, 0; @%p1 bar.sync 0;"), ["aligned-under-predicate"]);
        assert!(codes("setp.lt.u32 %p1, %tid.x, 32; @%p1 bar.sync 0;").is_empty());
        assert!(codes("setp.eq.u32 %p1, %tid.x, 0; setp.ne.u32 %p1, %r1, 0; @%p1 bar.sync 0;").is_empty());
    }

    #[test]
    fn instructions_belong_to_targets() {
        let text = ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n\
                    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\nret;\n}\n";
        let module = tilehaul_isa::ptx::read(text, tilehaul_diag::FileId(0)).module;
        let codes = |target| survey(&module, target).findings.iter().map(|d| d.code.0).collect::<Vec<_>>();
        assert!(codes(None).is_empty());
        assert_eq!(codes(Some("sm_90a")), ["instruction-not-on-target"]);
    }
}
