//! Loads that a loop repeats until it likes what they bring, and does nothing else meanwhile.
//!
//! Such a loop waits for somebody: what its load finds up it has waited for, even where it was up at the first look, and
//! what it finds old it looks at again. Told of a load whose innermost loop stores, synchronises and issues nothing, and whose
//! value decides whether the loop goes on.

use rustc_hash::FxHashSet;
use tilehaul_isa::ptx::Op;
use tilehaul_isa::ptx::ast::{Function, Instruction, Module, Operand, RegId, Symbol};

/// Instructions of a loop that is looked at.
const LONGEST: usize = 64;

/// Loads of a function that its loops poll, by number.
pub(super) fn polling_loads(module: &Module, function: &Function) -> FxHashSet<u32> {
    let op = |i: &Instruction| module.opcode(i).and_then(|o| o.row).map(|r| r.op);
    let all = &function.instructions;
    let loops: Vec<(usize, usize)> = (0..)
        .zip(all)
        .filter(|(_, i)| op(i) == Some(Op::Bra))
        .filter_map(|(end, i)| i.operands.iter().find_map(|o| Some((label(o)?, end))))
        .filter(|&(start, end)| start <= end && end - start < LONGEST)
        .collect();
    let mut found = FxHashSet::default();
    for (at, load) in (0..).zip(all).filter(|(_, i)| op(i) == Some(Op::Ld)) {
        let around = loops.iter().filter(|(start, end)| (*start..=*end).contains(&at));
        let Some(&(start, end)) = around.min_by_key(|(start, end)| end - start) else { continue };
        let body = &all[start..=end];
        if body.iter().all(|i| op(i).is_some_and(only_looks))
            && decides(load, body, |i| op(i) == Some(Op::Bra))
        {
            found.insert(at as u32);
        }
    }
    found
}

fn label(operand: &Operand) -> Option<usize> {
    match operand {
        Operand::Symbol(Symbol::Label(to), _) => Some(to.0 as usize),
        _ => None,
    }
}

/// Nobody else can see that it was executed.
fn only_looks(op: Op) -> bool {
    use Op::{
        Add, And, Bra, Cvt, Cvta, Fence, Ld, Mad, Mov, Mul, Nanosleep, Not, Or, Selp, Setp, Shl, Shr, Sub,
        Vote, Xor,
    };
    matches!(
        op,
        Add | And
            | Bra
            | Cvt
            | Cvta
            | Fence
            | Ld
            | Mad
            | Mov
            | Mul
            | Nanosleep
            | Not
            | Or
            | Selp
            | Setp
            | Shl
            | Shr
            | Sub
            | Vote
            | Xor
    )
}

/// True when what the load brings decides a branch of the loop.
fn decides(load: &Instruction, body: &[Instruction], branches: impl Fn(&Instruction) -> bool) -> bool {
    let mut known: FxHashSet<RegId> = FxHashSet::default();
    registers(load.operands.first(), &mut |reg| {
        known.insert(reg);
    });
    loop {
        let before = known.len();
        for i in body.iter().filter(|i| !branches(i)) {
            let mut follows = false;
            for operand in i.operands.iter().skip(1) {
                registers(Some(operand), &mut |reg| follows |= known.contains(&reg));
            }
            if follows {
                registers(i.operands.first(), &mut |reg| {
                    known.insert(reg);
                });
            }
        }
        if known.len() == before {
            break;
        }
    }
    body.iter().any(|i| branches(i) && i.guard.is_some_and(|g| known.contains(&g.reg)))
}

fn registers(operand: Option<&Operand>, see: &mut impl FnMut(RegId)) {
    match operand {
        Some(Operand::Reg(reg) | Operand::Element(reg, _) | Operand::Not(reg) | Operand::Picked(reg)) => {
            see(*reg)
        }
        Some(Operand::Dual(pair)) => {
            registers(Some(&pair.0), see);
            registers(Some(&pair.1), see);
        }
        Some(Operand::Vector(parts)) => parts.iter().for_each(|part| registers(Some(part), see)),
        // A value that an address is made of leads to another word: the loop walks, it does not wait.
        Some(
            Operand::Address(_)
            | Operand::Special(_)
            | Operand::Imm(_)
            | Operand::Symbol(..)
            | Operand::Sink
            | Operand::List(_),
        )
        | None => {}
    }
}
