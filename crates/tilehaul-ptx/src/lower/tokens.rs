//! What `mbarrier.pending_count` is asked of: only the state that an arrival with `.noComplete` gave has a count to tell.
//!
//! Soundness: told only where everything that writes the register, also by way of moves, is an arrival without `.noComplete`.
//! A state that comes by way of memory or another function is not followed.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_isa::ptx::Op;
use tilehaul_isa::ptx::ast::{Function, Instruction, Module, Operand, RegId};

use super::unwritten::{Told, written};

/// The instructions of a function that ask the wrong state.
pub(super) fn wrong_states(module: &Module, function: &Function) -> Vec<Told> {
    let op = |i: &Instruction| module.opcode(i).and_then(|o| o.row).map(|row| row.op);
    let mut told = Vec::new();
    for (at, instruction) in function.instructions.iter().enumerate() {
        let (Some(Op::MbarrierPendingCount), [_, Operand::Reg(state)]) =
            (op(instruction), &instruction.operands[..])
        else {
            continue;
        };
        let Some(arrival) = plain_arrival(module, function, *state) else { continue };
        let name = function.registers.get(state.0 as usize).map_or("the state", |r| r.name.as_str());
        let message = format!(
            "mbarrier.pending_count of {name}, the state that an arrival without .noComplete gave: its result is not defined"
        );
        let diagnostic = Diagnostic::new(Code("pending-count-of-other-state"), Level::Error, message)
            .at(instruction.span, format!("asks {name}"))
            .also(arrival.span, format!("gives {name}"))
            .fix("Ask the state that mbarrier.arrive.noComplete gives; a phase that this arrival may end is asked by mbarrier.test_wait.")
            .source(Source::manual("PTX ISA, mbarrier.pending_count; h200 fact 104"));
        told.push(Told { at, guard: false, diagnostic });
    }
    told
}

/// An arrival without `.noComplete` that a register's value is from, when it can be from no other instruction.
fn plain_arrival<'f>(module: &Module, function: &'f Function, state: RegId) -> Option<&'f Instruction> {
    let (mut wanted, mut next) = (vec![state], 0);
    let mut arrival = None;
    while let Some(&reg) = wanted.get(next) {
        next += 1;
        if function.params.iter().any(|p| p.register == Some(reg)) {
            return None;
        }
        for instruction in &function.instructions {
            if !written(module, instruction).contains(&reg.0) {
                continue;
            }
            let opcode = module.opcode(instruction)?;
            match (opcode.row?.op, &instruction.operands[..]) {
                (Op::MbarrierArrive | Op::MbarrierArriveDrop, _) if !opcode.text.contains("noComplete") => {
                    arrival = Some(instruction);
                }
                (Op::Mov, [_, Operand::Reg(from)]) => {
                    if !wanted.contains(from) {
                        wanted.push(*from);
                    }
                }
                _ => return None,
            }
        }
    }
    arrival
}
