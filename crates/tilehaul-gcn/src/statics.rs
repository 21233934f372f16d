//! What can be said of a module without running it.
//!
//! Only what holds on every launch is an error. *Straight code* is what every wave executes from a kernel's first
//! instruction to the first branch or branch target; there the operations outstanding are known. LDS that nothing but
//! copy engines has written there can hold nothing but what they landed, so a read of LDS before a wait has proven any of
//! them is a read before landing, whatever the addresses are. Never reports falsely; says nothing about loops, about
//! other waves, or about addresses: for that the kernel is run.

use tilehaul_diag::{Code, Diagnostic, Level, Source, Span};
use tilehaul_isa::gcn::format::{Field, Format, Generation};
use tilehaul_isa::gcn::print::{VgprBanks, print};
use tilehaul_isa::gcn::{Inst, Kernel, Module, Operand, Placed, Target};

use crate::lower;
use crate::op::Action;

/// What a look at a module gives.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// One line a kernel: LDS, registers, waves.
    pub kernels: Vec<String>,
    /// What is wrong on every launch.
    pub findings: Vec<Diagnostic>,
    /// Mnemonics, or words, that a run would end at, with how often they occur.
    pub unmodelled: Vec<(String, usize)>,
}

/// Looks at every kernel of a module.
#[must_use]
pub fn survey(module: &Module) -> Survey {
    let mut out = Survey::default();
    for kernel in &module.kernels {
        out.kernels.push(describe(module, kernel));
        let code = body(module, kernel);
        straight(code, module.target, &mut out.findings);
        wait_states(code, module.target, &mut out.findings);
        m0(code, kernel, &mut out.findings);
        clauses(code, &mut out.findings);
        missing(module, code, &mut out.unmodelled);
    }
    out
}

/// The instructions from a kernel's entry to the entry of the next one.
fn body<'m>(module: &'m Module, kernel: &Kernel) -> &'m [Placed] {
    let start = module.index_of(kernel.entry).unwrap_or(module.code.len());
    let next = module.kernels.iter().map(|k| k.entry).filter(|e| *e > kernel.entry).min();
    let end = next.and_then(|e| module.index_of(e)).unwrap_or(module.code.len());
    module.code.get(start..end.max(start)).unwrap_or_default()
}

fn describe(module: &Module, kernel: &Kernel) -> String {
    let descriptor = &kernel.descriptor;
    let lanes = descriptor.wave_lanes(module.target);
    let workgroup = kernel.max_workgroup.map_or_else(
        || "workgroups of a size that the launch gives".to_owned(),
        |most| format!("workgroups of at most {most} work items ({} waves)", most.div_ceil(lanes)),
    );
    format!(
        "kernel {} for {}: waves of {lanes} lanes, {workgroup}, {} bytes of LDS, {} bytes of scratch a lane, {} bytes of arguments, {} instructions",
        kernel.name,
        module.target,
        kernel.group_segment_size,
        kernel.private_segment_size,
        kernel.kernarg_size,
        body(module, kernel).iter().filter(|p| p.inst.is_ok()).count(),
    )
}

/// A counter that a copy engine's operation counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counter {
    Vm,
    Async,
    Tensor,
}

impl Counter {
    fn wait(self, n: usize) -> String {
        match self {
            Counter::Vm => format!("s_waitcnt vmcnt({n})"),
            Counter::Async => format!("s_wait_asynccnt {n}"),
            Counter::Tensor => format!("s_wait_tensorcnt {n}"),
        }
    }
}

/// The counter of an operation that writes LDS by itself.
fn lands_in_lds(inst: &Inst) -> Option<Counter> {
    let name = inst.row.mnemonic;
    let direct = name.starts_with("global_load_lds_")
        || name.starts_with("scratch_load_lds_")
        || inst.row.flags.lds && inst.field(Field::Lds) == 1;
    if direct {
        return Some(Counter::Vm);
    }
    if name.contains("load_async_to_lds") {
        return Some(Counter::Async);
    }
    (name == "tensor_load_to_lds").then_some(Counter::Tensor)
}

/// Other operations that count on the same counter.
fn also_counts(inst: &Inst) -> Option<Counter> {
    let name = inst.row.mnemonic;
    match inst.row.format {
        Format::Global | Format::Scratch | Format::Mubuf | Format::Mtbuf
            if inst.target.generation() == Generation::Gfx9 =>
        {
            Some(Counter::Vm)
        }
        _ if name.contains("store_async_from_lds") || name == "ds_atomic_async_barrier_arrive_b64" => {
            Some(Counter::Async)
        }
        _ if name == "tensor_store_from_lds" => Some(Counter::Tensor),
        _ => None,
    }
}

/// The count that a wait asks for, if it is a wait for this counter.
fn asks(inst: &Inst, counter: Counter) -> Option<usize> {
    let imm = inst.field(Field::Simm16);
    match (inst.row.mnemonic, counter) {
        ("s_waitcnt", Counter::Vm) => Some((imm & 15 | imm >> 10 & 0x30) as usize),
        ("s_wait_asynccnt", Counter::Async) | ("s_wait_tensorcnt", Counter::Tensor) => Some(imm as usize),
        ("s_wait_idle", _) => Some(0),
        _ => None,
    }
}

fn is_branch(name: &str) -> bool {
    [
        "s_branch",
        "s_cbranch",
        "s_setpc",
        "s_set_pc",
        "s_swappc",
        "s_swap_pc",
        "s_call",
        "s_endpgm",
        "s_add_pc",
    ]
    .iter()
    .any(|b| name.starts_with(b))
}

/// Addresses that some branch of the code goes to.
fn targets(code: &[Placed]) -> Vec<u64> {
    let target = |p: &Placed| {
        let inst = p.inst.ok()?;
        let label = inst.row.mnemonic.starts_with("s_branch") || inst.row.mnemonic.starts_with("s_cbranch");
        let distance = i64::from(inst.field(Field::Simm16) as u16 as i16) * 4;
        label.then(|| p.address.wrapping_add(4).wrapping_add_signed(distance))
    };
    code.iter().filter_map(target).collect()
}

fn at(diagnostic: Diagnostic, place: &Placed, label: &str) -> Diagnostic {
    match place.span {
        Some(span) => diagnostic.at(span, label.to_owned()),
        None => diagnostic.note(format!("at {} (offset {:#x})", text(place), place.address)),
    }
}

fn also(diagnostic: Diagnostic, span: Option<Span>, label: String) -> Diagnostic {
    match span {
        Some(span) => diagnostic.also(span, label),
        None => diagnostic,
    }
}

fn text(place: &Placed) -> String {
    match place.inst {
        Ok(inst) => format!("`{}`", print(&inst, VgprBanks::default())),
        Err(_) => format!("word {:#010x}", place.word),
    }
}

/// Reads of LDS that only engines have written, before any of them is known to have ended.
fn straight(code: &[Placed], target: Target, findings: &mut Vec<Diagnostic>) {
    let targets = targets(code);
    // Engine operations outstanding: place, counter, and whether it lands in LDS.
    let mut flying: Vec<(&Placed, Counter, bool)> = Vec::new();
    let mut wrong_wait: Option<&Placed> = None;
    for (i, place) in code.iter().enumerate() {
        let Ok(inst) = place.inst else { return };
        let name = inst.row.mnemonic;
        if is_branch(name) || i > 0 && targets.contains(&place.address) {
            return;
        }
        if let Some(counter) = lands_in_lds(&inst) {
            flying.push((place, counter, true));
            continue;
        }
        if let Some(counter) = also_counts(&inst) {
            flying.push((place, counter, false));
            continue;
        }
        for counter in [Counter::Vm, Counter::Async, Counter::Tensor] {
            let Some(n) = asks(&inst, counter) else { continue };
            let outstanding = flying.iter().filter(|f| f.1 == counter).count();
            let proven = outstanding.saturating_sub(n);
            let oldest: Vec<bool> =
                flying.iter().filter(|f| f.1 == counter).take(proven).map(|f| f.2).collect();
            if oldest.contains(&true) {
                // A copy has been proven: what a read sees is no longer certain.
                return;
            }
            let mut left = proven;
            flying.retain(|f| {
                let gone = f.1 == counter && left > 0;
                left -= usize::from(gone);
                !gone
            });
        }
        if name.starts_with("s_wait") && flying.iter().any(|f| f.2) {
            wrong_wait = Some(place);
        }
        let lds = inst.row.format == Format::Ds && !name.contains("permute") && !name.contains("swizzle");
        let reads = lds && (name.contains("read") || name.contains("load"));
        if lds && !reads || name.starts_with("flat_") {
            return;
        }
        if reads && let Some(&(copy, counter, _)) = flying.iter().find(|f| f.2) {
            findings.push(read_too_early(place, copy, counter, &flying, wrong_wait, target));
            return;
        }
    }
}

/// Wait states that are missing between instructions that every wave executes in order.
fn wait_states(code: &[Placed], target: Target, findings: &mut Vec<Diagnostic>) {
    let targets = targets(code);
    let ends = |(i, p): (usize, &Placed)| {
        p.inst.is_ok_and(|inst| is_branch(inst.row.mnemonic)) || i > 0 && targets.contains(&p.address)
    };
    let straight = code.iter().enumerate().position(ends).unwrap_or(code.len());
    let found = match target.wave_lanes() {
        32 => crate::wait_states::survey::<32>(code, straight),
        _ => crate::wait_states::survey::<64>(code, straight),
    };
    for (index, diagnostic) in found.into_iter().filter(|(_, d)| d.level == Level::Error) {
        let Some(place) = code.get(index) else { continue };
        findings.push(if place.span.is_none() { at(diagnostic, place, "") } else { diagnostic });
    }
}

fn read_too_early(
    read: &Placed,
    copy: &Placed,
    counter: Counter,
    flying: &[(&Placed, Counter, bool)],
    wait: Option<&Placed>,
    target: Target,
) -> Diagnostic {
    let same: Vec<bool> = flying.iter().filter(|f| f.1 == counter).map(|f| f.2).collect();
    let younger = same.len() - 1 - same.iter().position(|lands| *lands).unwrap_or(0);
    let asked = wait.and_then(|w| asks(&w.inst.ok()?, counter));
    let why = match (wait, asked) {
        (Some(wait), Some(n)) if n < 63 => {
            let high = n - younger.min(n);
            format!("{} asks for {high} too many: {} operations are outstanding", text(wait), same.len())
        }
        (Some(wait), _) => format!("{} does not wait for it", text(wait)),
        (None, _) => "nothing waits for it".to_owned(),
    };
    let right = counter.wait(younger);
    let diagnostic = Diagnostic::new(
        Code("read-before-landing"),
        Level::Error,
        format!(
            "{} reads LDS that only copies have written on {target}, and {why}: the first copy, {}, is proven by {right}",
            text(read),
            text(copy)
        ),
    )
    .fix(format!("Put `{right}` before the read."))
    .source(Source::manual("CDNA5 ISA 10.8; LLVM SIInsertWaitcnts"));
    let diagnostic = also(at(diagnostic, read, "this read"), copy.span, "the copy".to_owned());
    also(diagnostic, wait.and_then(|w| w.span), "this wait".to_owned())
}

/// The direct forms take their LDS address from M0: somebody must write it first.
fn m0(code: &[Placed], kernel: &Kernel, findings: &mut Vec<Diagnostic>) {
    for place in code {
        let Ok(inst) = place.inst else { continue };
        if writes_m0(&inst) {
            return;
        }
        if lands_in_lds(&inst) == Some(Counter::Vm) {
            let message = format!(
                "{} takes its LDS address from M0, which nothing before it in {} writes",
                text(place),
                kernel.name
            );
            let diagnostic = Diagnostic::new(Code("m0-not-set"), Level::Error, message)
                .fix("Write the LDS byte offset to M0 before the load: s_mov_b32 m0, sN.")
                .source(Source::manual("CDNA3 ISA 9.1.9, memory buffer load to LDS"));
            findings.push(at(diagnostic, place, "this load"));
            return;
        }
    }
}

fn writes_m0(inst: &Inst) -> bool {
    let number = if inst.target.generation() == Generation::Gfx9 { 124 } else { 125 };
    inst.row
        .operands
        .iter()
        .filter(|o| matches!(o.field, Field::Sdst | Field::Vdst | Field::Sdata))
        .any(|o| matches!(inst.operand(o), Operand::Sgpr { first, .. } if first == number))
}

/// `s_clause n` binds the n + 1 instructions behind it; tensor operations may not stand there.
fn clauses(code: &[Placed], findings: &mut Vec<Diagnostic>) {
    for (i, place) in code.iter().enumerate() {
        let Ok(inst) = place.inst else { continue };
        if inst.row.mnemonic != "s_clause" {
            continue;
        }
        let bound = (inst.field(Field::Simm16) & 63) as usize + 1;
        let tensor = |p: &&Placed| p.inst.is_ok_and(|i| i.row.mnemonic.starts_with("tensor_"));
        if let Some(inside) = code.get(i + 1..).unwrap_or_default().iter().take(bound).find(tensor) {
            let message = format!(
                "{} stands in the clause of {bound} instructions that {} opens",
                text(inside),
                text(place)
            );
            let diagnostic = Diagnostic::new(Code("tensor-in-clause"), Level::Error, message)
                .fix("Take the tensor operation out of the clause, or the s_clause away.")
                .source(Source::manual("CDNA5 ISA 10.11"));
            findings.push(also(at(diagnostic, inside, "in a clause"), place.span, "the clause".to_owned()));
        }
    }
}

/// Instructions that a run would end at.
fn missing(module: &Module, code: &[Placed], out: &mut Vec<(String, usize)>) {
    for place in code {
        let name = match place.inst {
            Ok(inst) => {
                let target_of = |a| module.index_of(a);
                let missing = match module.target.wave_lanes() {
                    32 => matches!(lower::lower::<32>(place, 0, target_of).action, Action::Missing),
                    _ => matches!(lower::lower::<64>(place, 0, target_of).action, Action::Missing),
                };
                if !missing {
                    continue;
                }
                inst.row.mnemonic.to_owned()
            }
            // What pads the code is no instruction.
            Err(_) if place.word == 0 || place.word == 0xbf9f_0000 => continue,
            Err(_) => match module.unknown.get(&place.address) {
                Some(name) => name.clone(),
                None => format!("word {:#010x}", place.word),
            },
        };
        match out.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => out.push((name, 1)),
        }
    }
}
