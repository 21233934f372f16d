//! Functions that the entry reaches, and calls of them.
//!
//! A call copies its arguments from the caller's `.param` variables to the callee's parameters, and the results back when
//! the callee returns. A pointer holds the number of a function; whatever is named anywhere but as the target of a call may
//! be called through one.

use tilehaul_isa::ptx::Op;
use tilehaul_isa::ptx::ast::{FunctionId, Module, Operand, Symbol};

use super::{At, Lower, Lowered, Room, SCRATCH};
use crate::inst::{CallOp, Inst};

/// A call as written.
struct Written<'a> {
    returns: &'a [Operand],
    target: &'a Operand,
    arguments: &'a [Operand],
}

impl<'a> Written<'a> {
    fn of(ops: &'a [Operand]) -> Option<Written<'a>> {
        let (returns, rest) = match ops.first()? {
            Operand::List(list) => (&list[..], &ops[1..]),
            _ => (&[][..], ops),
        };
        let arguments = match rest.get(1) {
            Some(Operand::List(list)) => &list[..],
            _ => &[][..],
        };
        Some(Written { returns, target: rest.first()?, arguments })
    }

    fn function(&self) -> Option<FunctionId> {
        match self.target {
            Operand::Symbol(Symbol::Function(id), _) => Some(*id),
            _ => None,
        }
    }
}

impl<'m> Lower<'m> {
    /// Finds the functions that the entry reaches, gives each its base and its frame.
    pub(super) fn reach(&mut self) {
        self.code.callees = vec![None; self.module.functions.len()];
        let mut pointed: Vec<FunctionId> = named_by_variables(self.module);
        let mut calls: Vec<(FunctionId, Option<FunctionId>)> = Vec::new();
        for &id in &pointed {
            self.add(id);
        }
        let (mut next, mut base) = (0, 0);
        while let Some(&id) = self.queue.get(next) {
            next += 1;
            let Some(function) = self.module.functions.get(id.0 as usize) else { continue };
            self.bases.insert(id, base);
            base += function.instructions.len() as u32 + 1;
            for instruction in &function.instructions {
                let is_call =
                    self.module.opcode(instruction).and_then(|o| o.row).is_some_and(|r| r.op == Op::Call);
                if is_call && let Some(call) = Written::of(&instruction.operands) {
                    calls.push((id, call.function()));
                    if let Some(callee) = call.function() {
                        self.add(callee);
                    }
                    continue;
                }
                for operand in &instruction.operands {
                    if let Operand::Symbol(Symbol::Function(named), _) = operand {
                        self.add(*named);
                        pointed.push(*named);
                    }
                }
            }
            self.frame(id, function, id == self.entry);
        }
        for id in self.queue.clone() {
            if let Some(callee) = self.code.callees.get_mut(id.0 as usize).and_then(Option::as_mut) {
                callee.again = reaches_itself(id, &calls, &pointed);
            }
        }
    }

    fn add(&mut self, id: FunctionId) {
        let has_body = self.module.functions.get(id.0 as usize).is_some_and(|f| f.has_body);
        if has_body && !self.queue.contains(&id) {
            self.queue.push(id);
        }
    }

    pub(super) fn call(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let call = Written::of(at.ops).ok_or("no target")?;
        let arguments = self.rooms(at, call.arguments)?;
        let returns = self.rooms(at, call.returns)?;
        let Some(id) = call.function() else {
            let pointer = self.source(at, call.target, tilehaul_isa::ptx::ast::Type::B64)?;
            return Ok(Inst::Call(Box::new(CallOp { function: None, pointer, arguments, returns })));
        };
        let function = self.module.functions.get(id.0 as usize).ok_or("no such function")?;
        if !function.has_body {
            return match function.name.as_str() {
                "vprintf" => Ok(Inst::Print { returns }),
                "__assertfail" => Ok(Inst::AssertFail { arguments }),
                name => Err(format!("{name} has no body in this module")),
            };
        }
        if function.params.len() != arguments.len() || function.returns.len() != returns.len() {
            return Err(format!("the arguments do not fit {}", function.name));
        }
        Ok(Inst::Call(Box::new(CallOp { function: Some(id.0), pointer: SCRATCH, arguments, returns })))
    }

    fn rooms(&self, at: &At<'m>, operands: &[Operand]) -> Lowered<Box<[Room]>> {
        operands
            .iter()
            .map(|operand| {
                let Operand::Symbol(Symbol::Local(id), 0) = operand else {
                    return Err("arguments that are no .param variables are not modelled".to_owned());
                };
                let variable = at.function.variables.get(id.0 as usize).ok_or("no such variable")?;
                let place = self.frames.get(&at.id).and_then(|f| f.locals.get(id.0 as usize));
                Ok(Room { at: *place.ok_or("no such variable")? as u32, bytes: variable.bytes as u32 })
            })
            .collect()
    }
}

/// Functions whose addresses lie in variables.
fn named_by_variables(module: &Module) -> Vec<FunctionId> {
    let names = module.variables.iter().flat_map(|v| &v.relocations);
    names.filter_map(|r| super::function_named(module, &r.name)).collect()
}

/// Whether calls lead from a function back to it; a call through a pointer leads to every function that one may name.
fn reaches_itself(
    start: FunctionId,
    calls: &[(FunctionId, Option<FunctionId>)],
    pointed: &[FunctionId],
) -> bool {
    let mut seen = Vec::new();
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        for (_, callee) in calls.iter().filter(|(caller, _)| *caller == id) {
            let next = callee.as_ref().map_or(pointed, std::slice::from_ref);
            if next.contains(&start) {
                return true;
            }
            for &id in next {
                if !seen.contains(&id) {
                    seen.push(id);
                    open.push(id);
                }
            }
        }
    }
    false
}
