//! Registers that a kernel uses and nothing has written: see `tilehaul_machine::Uses`.
//!
//! A value that nobody wrote may be copied and computed with, compilers do so. What may not depend on one is where control
//! goes, which bytes an instruction uses, and how many arrive or come.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_isa::ptx::ast::{Function, Instruction, Module, Operand, RegId, Type};
use tilehaul_isa::ptx::{Op, Opcode, Row};
use tilehaul_machine::{HandsOn, Next, Uses};

use super::flow::Leaves;

/// What a register is needed for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Guard,
    Target,
    Address,
    Operand,
    Data,
    Sum,
}

impl Need {
    /// No more than a value goes wrong: a compiler may have left it open.
    fn is_data(self) -> bool {
        matches!(self, Need::Data | Need::Sum)
    }
}

/// An instruction that uses such a register, by its number in the function, and what is said when it is executed.
pub(super) struct Told {
    pub(super) at: usize,
    /// The predicate in front is what nobody wrote.
    pub(super) guard: bool,
    pub(super) diagnostic: Diagnostic,
}

/// Looks at a function whose instructions leave as `flow` says.
pub(super) fn unwritten(module: &Module, function: &Function, flow: &[Leaves]) -> Vec<Told> {
    let row = |i: &Instruction| module.opcode(i).and_then(|o| o.row);
    let mut uses = Uses::default();
    let mut needs = Vec::new();
    let (mut writes, mut sources) = (Vec::new(), Vec::new());
    for (at, leaves) in flow.iter().enumerate() {
        let next = match leaves {
            Leaves::Falls => Next::Falls,
            Leaves::Jumps { to, falls } => {
                Next::Jumps { to: to.iter().map(|&t| t as usize).collect(), falls: *falls }
            }
            Leaves::Ends { falls: true } => Next::Falls,
            Leaves::Ends { falls: false } => Next::Ends,
        };
        writes.clear();
        sources.clear();
        needs.clear();
        let mut hands_on = HandsOn::Never;
        if let Some(instruction) = function.instructions.get(at) {
            hands_on = described(instruction, row(instruction), &mut writes, &mut sources);
            wanted(function, instruction, module.opcode(instruction), &mut needs);
        }
        uses.push(&writes, (hands_on, &sources), needs.iter().map(|&(need, r)| (r.0, !need.is_data())), next);
    }
    let given: Vec<u32> = function.params.iter().filter_map(|p| p.register).map(|r| r.0).collect();
    let count = function.registers.len() as u32;
    let mut told: Vec<Told> = Vec::new();
    for found in uses.unwritten(0, count, |r| given.contains(&r)) {
        let Some(instruction) = function.instructions.get(found.at) else { continue };
        needs.clear();
        wanted(function, instruction, module.opcode(instruction), &mut needs);
        let Some(&(need, reg)) = needs.get(found.need) else { continue };
        let guard = need == Need::Guard;
        match told.iter_mut().find(|t| t.at == found.at) {
            Some(known) => known.guard |= guard,
            None => {
                let name = module.opcode(instruction).map_or("", |o| o.text.as_str());
                let diagnostic = worded(function, instruction, name, need, (reg, RegId(found.register)));
                told.push(Told { at: found.at, guard, diagnostic });
            }
        }
    }
    told
}

/// The registers that an instruction writes, by number.
pub(super) fn written(module: &Module, instruction: &Instruction) -> Vec<u32> {
    let (mut writes, mut sources) = (Vec::new(), Vec::new());
    described(instruction, module.opcode(instruction).and_then(|o| o.row), &mut writes, &mut sources);
    writes
}

fn worded(
    function: &Function,
    instruction: &Instruction,
    name: &str,
    need: Need,
    (reg, root): (RegId, RegId),
) -> Diagnostic {
    let named = |r: RegId| function.registers.get(r.0 as usize).map_or("a register", |r| r.name.as_str());
    let (reg, root) = (named(reg), named(root));
    let what = match need {
        Need::Guard if name.starts_with("bra") => format!("{name} goes by {reg}"),
        Need::Guard => format!("{name} is executed or not by {reg}"),
        Need::Target => format!("{name} goes where {reg} says"),
        Need::Address => format!("{name} takes an address or coordinate from {reg}"),
        Need::Operand => format!("{name} takes {reg} as an operand"),
        Need::Data => format!("{name} takes {reg} as data"),
        Need::Sum => format!("{name} adds to {reg}"),
    };
    let which = if reg == root {
        format!("{what}, which nothing has written on any way there")
    } else {
        format!("{what}, which is made of {root}, and nothing has written {root} on any way there")
    };
    let level = if need.is_data() { Level::Warning } else { Level::Error };
    Diagnostic::new(Code("register-never-written"), level, which)
        .at(instruction.span, format!("uses {reg}"))
        .fix(format!("Give {root} a value first, or name the register that was meant."))
        .source(Source::manual("PTX ISA, state spaces: registers are not initialised"))
}

/// The registers that an operand names; for an address those of its parts.
fn registers(operand: &Operand, into: &mut impl FnMut(RegId)) {
    match operand {
        Operand::Reg(r) | Operand::Element(r, _) | Operand::Not(r) | Operand::Picked(r) => into(*r),
        Operand::Dual(both) => {
            registers(&both.0, into);
            registers(&both.1, into);
        }
        Operand::Vector(parts) | Operand::List(parts) => parts.iter().for_each(|p| registers(p, into)),
        Operand::Address(address) => {
            registers(&address.base, into);
            address.rest.iter().for_each(|p| registers(p, into));
        }
        Operand::Special(_) | Operand::Imm(_) | Operand::Symbol(..) | Operand::Sink => {}
    }
}

/// It uses memory, a barrier or a unit, or says where control goes.
fn acts(op: Op) -> bool {
    matches!(
        op,
        Op::Bra
            | Op::BrxIdx
            | Op::Call
            | Op::Ret
            | Op::Exit
            | Op::Ld
            | Op::St
            | Op::StAsync
            | Op::RedAsync
            | Op::StBulk
            | Op::Atom
            | Op::Red
            | Op::Discard
            | Op::ClusterTryCancel
            | Op::Bar
            | Op::BarWarpSync
            | Op::BarrierCluster
            | Op::FenceTensormapAcquire
            | Op::MbarrierInit
            | Op::MbarrierInval
            | Op::MbarrierArrive
            | Op::MbarrierArriveDrop
            | Op::MbarrierExpectTx
            | Op::MbarrierCompleteTx
            | Op::MbarrierTestWait
            | Op::MbarrierTryWait
            | Op::CpAsync
            | Op::CpAsyncCommit
            | Op::CpAsyncMbarrierArrive
            | Op::Bulk
            | Op::BulkReduce
            | Op::BulkTensorLoad
            | Op::BulkTensorStore
            | Op::BulkTensorReduce
            | Op::BulkCommit
            | Op::TensormapReplace
            | Op::TensormapCpFence
            | Op::Ldmatrix
            | Op::Stmatrix
            | Op::LoadNarrow
            | Op::StoreNarrow
            | Op::WmmaLoad
            | Op::WmmaStore
            | Op::WgmmaMma
            | Op::TcAlloc
            | Op::TcDealloc
            | Op::TcLd
            | Op::TcLdRed
            | Op::TcSt
            | Op::TcCp
            | Op::TcShift
            | Op::TcMma
            | Op::TcCommit
    )
}

/// It exchanges values among the lanes of a mask.
fn gathers(op: Op) -> bool {
    matches!(op, Op::Shfl | Op::Vote | Op::MatchSync | Op::Redux | Op::Elect)
}

/// How many operands in front are results.
fn results(row: &Row, operands: &[Operand]) -> usize {
    match row.op {
        Op::TcLdRed => 2,
        Op::Call => operands.len(),
        // The state that an arrival gives may be left out.
        Op::MbarrierArrive | Op::MbarrierArriveDrop => {
            usize::from(!matches!(operands.first(), Some(Operand::Address(_))))
        }
        // What only computes names its result first, whatever the manual calls it (`f` of bfi).
        op if !acts(op) => 1,
        _ => usize::from(row.operands.starts_with('d') || row.operands.starts_with('p')),
    }
}

/// Which registers an instruction writes, and of which it makes them.
fn described(
    instruction: &Instruction,
    row: Option<&Row>,
    writes: &mut Vec<u32>,
    sources: &mut Vec<u32>,
) -> HandsOn {
    let operands = &instruction.operands[..];
    let Some(row) = row else {
        operands.iter().for_each(|o| registers(o, &mut |r| writes.push(r.0)));
        return HandsOn::Never;
    };
    let (front, rest) = operands.split_at(results(row, operands).min(operands.len()));
    front.iter().for_each(|o| registers(o, &mut |r| writes.push(r.0)));
    // A part of a vector register is no more than a part, and what a predicate holds back may stay as it was.
    if instruction.guard.is_some() || front.iter().any(|o| matches!(o, Operand::Element(..))) {
        return HandsOn::Never;
    }
    rest.iter().for_each(|o| registers(o, &mut |r| sources.push(r.0)));
    let same = sources.len() > 1 && sources.iter().all(|s| *s == sources[0]);
    // A register less itself, or compared with itself, is known whatever it holds; a part that is not known of a name's
    // address or a special register makes a value.
    let known = rest.iter().any(|o| matches!(o, Operand::Symbol(..) | Operand::Special(_)));
    match row.op {
        _ if same => HandsOn::Never,
        Op::Setp | Op::Add | Op::Sub | Op::Mul | Op::Mad | Op::Shl | Op::Shr => HandsOn::Any,
        Op::Mov
        | Op::Cvt
        | Op::Cvta
        | Op::Mapa
        | Op::Neg
        | Op::Not
        | Op::Abs
        | Op::And
        | Op::Or
        | Op::Xor
            if !known =>
        {
            HandsOn::All
        }
        _ => HandsOn::Never,
    }
}

/// The registers without which an instruction means nothing.
fn wanted(
    function: &Function,
    instruction: &Instruction,
    opcode: Option<&Opcode>,
    needs: &mut Vec<(Need, RegId)>,
) {
    let Some((opcode, row)) = opcode.and_then(|o| Some((o, o.row?))) else { return };
    let operands = &instruction.operands[..];
    let sums = matches!(row.op, Op::Mma | Op::WmmaMma);
    if !(acts(row.op) || gathers(row.op) || sums) {
        return;
    }
    if let Some(guard) = instruction.guard {
        needs.push((Need::Guard, guard.reg));
    }
    let predicate = |r: RegId| function.registers.get(r.0 as usize).is_some_and(|r| r.ty == Type::Pred);
    let names: Vec<&str> = row.operands.split(',').map(|n| n.trim_end_matches('?')).collect();
    for (i, operand) in operands.iter().enumerate().skip(results(row, operands)) {
        let name = names.get(i).copied().unwrap_or("");
        let need = match (row.op, operand) {
            (Op::BrxIdx | Op::Call, _) => Need::Target,
            (_, Operand::Address(_)) => Need::Address,
            _ if matches!(name, "policy" | "time") || gathers(row.op) && name != "mask" => continue,
            _ if sums && name != "c" => continue,
            _ if sums => Need::Sum,
            // Fragments in registers, and which of their elements are not zero.
            (Op::WgmmaMma, Operand::Vector(_)) => continue,
            (Op::WgmmaMma, _) if name == "e" => continue,
            (
                Op::St
                | Op::Red
                | Op::StAsync
                | Op::RedAsync
                | Op::Stmatrix
                | Op::StoreNarrow
                | Op::TcSt
                | Op::WmmaStore,
                _,
            ) if name == "b" => Need::Data,
            (Op::Atom, _) if name == "b" || name == "c" => Need::Data,
            _ => Need::Operand,
        };
        // Unoptimised code stores bytes that stand for objects without members, and moves what nobody set by way of the stack.
        let shown = ["global", "shared", "shared::cta", "shared::cluster"].iter().any(|s| opcode.has(s));
        if need == Need::Data
            && row.op == Op::St
            && (!shown || ["b8", "u8", "s8"].iter().any(|t| opcode.has(t)))
        {
            continue;
        }
        registers(operand, &mut |r| {
            // The predicate of a reducing barrier is data.
            if row.op != Op::Bar || !predicate(r) {
                needs.push((need, r));
            }
        });
    }
}
