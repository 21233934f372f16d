//! One function: places for its registers, variables and parameters, then its instructions in order.

use rustc_hash::FxHashSet;
use tilehaul_diag::Span;
use tilehaul_isa::ptx::ast::{Function, FunctionId, Instruction, Module, Operand, Param, RegId, Space, Type};
use tilehaul_isa::ptx::{Op, Support, similar};

use super::code::{Callee, Guarded, NEVER, Room, UNGUARDED};
use super::flow::{self, Leaves, NOWHERE};
use super::tokens::wrong_states;
use super::unwritten::unwritten;
use super::{At, Lower, polls};
use crate::inst::{Inst, Pred, PredSource, Slot, Unwritten};
use crate::survey::jump_targets;

/// Where a register of a function is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Pred(Pred),
    /// First slot, bits of an element, elements (or 2 halves of a 128-bit register).
    Slot {
        slot: Slot,
        bits: u32,
        lanes: u8,
    },
}

/// Fixed places of a function.
pub(super) struct Frame {
    pub(super) places: Vec<Place>,
    /// Address in local memory of each local variable, param variables included.
    pub(super) locals: Vec<u64>,
    /// Address in local memory of each parameter (of the entry: offset in param space).
    pub(super) params: Vec<u64>,
    pub(super) returns: Vec<u64>,
}

/// Registers that straight code has written since a wgmma.fence.
#[derive(Default)]
pub(super) struct BehindFence {
    pub(super) fenced: bool,
    pub(super) written: Vec<Slot>,
}

impl<'m> Lower<'m> {
    pub(super) fn frame(&mut self, id: FunctionId, function: &Function, is_entry: bool) {
        let (first_slot, first_pred, first_byte) = (self.code.slots, self.code.preds, self.code.local_bytes);
        let places = function
            .registers
            .iter()
            .map(|register| {
                if register.ty == Type::Pred {
                    let pred = self.code.preds;
                    self.code.preds += 1;
                    return Place::Pred(pred);
                }
                let wide = register.ty == Type::B128;
                let slot = self.code.slots;
                let lanes = if wide { 2 } else { register.lanes };
                self.code.slots += u32::from(lanes);
                Place::Slot { slot, bits: if wide { 128 } else { register.ty.bits() }, lanes }
            })
            .collect();
        let mut place = |bytes: u64, align: u32| {
            let at = u64::from(self.code.local_bytes).next_multiple_of(u64::from(align.max(1)));
            // Local memory is per lane; what does not fit 16 MiB is refused where it is used.
            let end = (at + bytes).min(1 << 24);
            self.code.local_bytes = end as u32;
            at
        };
        let locals = function.variables.iter().map(|v| match v.space {
            Space::Local | Space::Param => place(v.bytes, v.align),
            Space::Shared | Space::Global | Space::Const => 0,
        });
        let locals: Vec<u64> = locals.collect();
        let params = if is_entry {
            self.layout.params.clone()
        } else {
            function.params.iter().map(|p| place(p.variable.bytes, p.variable.align)).collect()
        };
        let returns = function.returns.iter().map(|p| place(p.variable.bytes, p.variable.align)).collect();
        let ret = self.code.slots;
        self.code.slots += 1;
        let frame = Frame { places, locals, params, returns };
        if !is_entry {
            let rooms = |at: &[u64], variables: &[Param]| {
                let sizes = variables.iter().map(|p| p.variable.bytes as u32);
                at.iter().zip(sizes).map(|(&at, bytes)| Room { at: at as u32, bytes }).collect()
            };
            let callee = Callee {
                base: self.bases.get(&id).copied().unwrap_or(0),
                params: rooms(&frame.params, &function.params),
                returns: rooms(&frame.returns, &function.returns),
                ret,
                again: false,
                slots: first_slot..self.code.slots,
                preds: first_pred..self.code.preds,
                memory: Room { at: first_byte, bytes: self.code.local_bytes - first_byte },
            };
            if let Some(place) = self.code.callees.get_mut(id.0 as usize) {
                *place = Some(callee);
            }
        }
        self.frames.insert(id, frame);
    }

    pub(super) fn function(&mut self, id: FunctionId) {
        let module = self.module;
        let Some(function) = module.functions.get(id.0 as usize) else { return };
        let base = self.bases.get(&id).copied().unwrap_or(0);
        let tables = self.code.tables.len() as u32;
        self.code.tables.extend(function.tables.iter().map(|t| t.iter().map(|i| base + i.0).collect()));
        let mut flow = Vec::with_capacity(function.instructions.len() + 1);
        let targets = jump_targets(function);
        self.compared = compared(module, function);
        let polling = polls::polling_loads(module, function);
        for (index, instruction) in function.instructions.iter().enumerate() {
            self.used.clear();
            if targets.contains(&(index as u32)) {
                self.behind_fence = BehindFence::default();
            }
            let mut inst = self.instruction(id, function, instruction, base, tables);
            if let Inst::Ld(op) = &mut inst {
                op.polls = polling.contains(&(index as u32));
            }
            let written = self.written(id, instruction);
            self.note_written(&inst, &written);
            flow.push(leaves(&inst, instruction.guard.is_some(), base, &self.code.tables));
            // hardware: generated programs on an H200: the assembler (ptxas 13.5) computes `testp` for all lanes, whatever its
            // guard says.
            let unguarded =
                self.module.opcode(instruction).and_then(|o| o.row).is_some_and(|r| r.op == Op::Testp)
                    || matches!(inst, Inst::Set { only: Some(_), .. });
            let guard = instruction.guard.filter(|_| !unguarded).map_or(
                Guarded { pred: UNGUARDED, negated: false },
                |g| match self.place(id, g.reg) {
                    Some(Place::Pred(pred)) => Guarded { pred, negated: g.negated },
                    _ => Guarded { pred: NEVER, negated: g.negated },
                },
            );
            self.push(inst, guard, instruction.span, instruction.opcode.0, written);
        }
        let end = if id == self.entry { Inst::Exit } else { Inst::Ret { function: id.0 } };
        flow.push(Leaves::Ends { falls: false });
        self.used.clear();
        self.push(end, Guarded { pred: UNGUARDED, negated: false }, function.span, u32::MAX, Box::default());
        self.hold_unwritten(function, base, &flow);
        let meets = flow::meeting_points(&flow);
        self.code.meets.extend(meets.into_iter().map(|m| if m == NOWHERE { NOWHERE } else { base + m }));
    }

    /// Has instructions that use a register which nothing has written, or one that holds another thing than they need, say so.
    fn hold_unwritten(&mut self, function: &Function, base: u32, flow: &[Leaves]) {
        let unwritten = unwritten(self.module, function, flow);
        for told in unwritten.into_iter().chain(wrong_states(self.module, function)) {
            let at = base as usize + told.at;
            let (Some(slot), Some(guard)) = (self.code.insts.get_mut(at), self.code.guards.get_mut(at))
            else {
                continue;
            };
            if matches!(slot, Inst::Unsupported(_)) {
                continue;
            }
            let own = PredSource { pred: guard.pred, negated: guard.negated };
            let held = told.guard && guard.pred != UNGUARDED;
            if held {
                *guard = Guarded { pred: UNGUARDED, negated: false };
            }
            let inst = std::mem::replace(slot, Inst::Nop);
            let guard = held.then_some(own);
            *slot = Inst::Unwritten(Box::new(Unwritten { inst, guard, diagnostic: told.diagnostic }));
        }
    }

    /// Keeps which registers have been written since the last wgmma.fence on the way here.
    fn note_written(&mut self, inst: &Inst, written: &[Slot]) {
        match inst {
            Inst::WgmmaFence => self.behind_fence = BehindFence { fenced: true, written: Vec::new() },
            Inst::Bra { .. } | Inst::Call { .. } | Inst::Ret { .. } | Inst::Exit => {
                self.behind_fence = BehindFence::default();
            }
            Inst::Wgmma(_) => {}
            _ if self.behind_fence.fenced => self.behind_fence.written.extend(written),
            _ => {}
        }
    }

    /// The registers that an instruction writes.
    fn written(&self, id: FunctionId, instruction: &Instruction) -> Box<[Slot]> {
        let row = self.module.opcode(instruction).and_then(|o| o.row);
        let writes = row.is_some_and(|r| r.operands.starts_with('d'));
        let parts = match instruction.operands.first().filter(|_| writes) {
            Some(Operand::Vector(parts)) => parts,
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        let slot = |part: &Operand| match part {
            Operand::Reg(reg) | Operand::Element(reg, _) => match self.place(id, *reg)? {
                Place::Slot { slot, .. } => Some(slot),
                _ => None,
            },
            _ => None,
        };
        parts.iter().filter_map(slot).collect()
    }

    fn push(&mut self, inst: Inst, guard: Guarded, span: Span, name: u32, written: Box<[Slot]>) {
        self.code.insts.push(inst);
        self.code.written.push(written);
        self.code.guards.push(guard);
        self.code.spans.push(span);
        self.code.names.push(name);
        self.used.sort_unstable();
        self.used.dedup();
        self.code.touched.push(self.used.as_slice().into());
    }

    pub(super) fn place(&self, id: FunctionId, reg: RegId) -> Option<Place> {
        self.frames.get(&id)?.places.get(reg.0 as usize).copied()
    }

    fn instruction(
        &mut self,
        id: FunctionId,
        function: &'m Function,
        instruction: &'m Instruction,
        base: u32,
        tables: u32,
    ) -> Inst {
        let Some(opcode) = self.module.opcode(instruction) else {
            return Inst::Unsupported("an instruction without a name".into());
        };
        let Some(row) = opcode.row else {
            let text = &opcode.text;
            let near = similar(text).map(|name| format!(" (did you mean {name}?)")).unwrap_or_default();
            return Inst::Unsupported(format!("{text} is not in the instruction table{near}").into());
        };
        if let Support::Unsupported(reason) = row.support {
            return Inst::Unsupported(format!("{}: {reason}", opcode.text).into());
        }
        if opcode.missing_on(&self.layout.target).is_some() {
            let text = format!("{} does not exist on {}", opcode.text, self.layout.target);
            return Inst::Unsupported(text.into());
        }
        let count = instruction.operands.len();
        if !opcode.operand_count().is_some_and(|(least, most)| (least..=most).contains(&count)) {
            return Inst::Unsupported(format!("{} with {count} operands", opcode.text).into());
        }
        let guard = instruction.guard.and_then(|g| match self.place(id, g.reg) {
            Some(Place::Pred(pred)) => Some(PredSource { pred, negated: g.negated }),
            _ => None,
        });
        let at = At { id, function, opcode, ops: &instruction.operands, base, guard };
        self.dispatch(row.op, &at, tables)
            .unwrap_or_else(|reason| Inst::Unsupported(format!("{}: {reason}", opcode.text).into()))
    }
}

fn leaves(inst: &Inst, guarded: bool, base: u32, tables: &[Vec<u32>]) -> Leaves {
    match inst {
        Inst::Bra { target } => Leaves::Jumps { to: vec![target - base], falls: guarded },
        Inst::BrxIdx { table, .. } => {
            let to = tables.get(*table as usize).map_or(Vec::new(), |t| t.iter().map(|i| i - base).collect());
            Leaves::Jumps { to, falls: guarded }
        }
        Inst::Exit | Inst::Trap | Inst::Ret { .. } | Inst::Unsupported(_) => Leaves::Ends { falls: guarded },
        _ => Leaves::Falls,
    }
}

/// Registers that hold what a compare-and-swap of the function expects, also by way of moves.
fn compared(module: &Module, function: &Function) -> FxHashSet<RegId> {
    let op = |i: &Instruction| module.opcode(i).and_then(|o| Some((o, o.row?.op)));
    let mut found = FxHashSet::default();
    for instruction in &function.instructions {
        if let (Some((opcode, Op::Atom)), Some(Operand::Reg(reg))) =
            (op(instruction), instruction.operands.get(2))
            && opcode.has("cas")
        {
            found.insert(*reg);
        }
    }
    loop {
        let before = found.len();
        for instruction in function.instructions.iter().filter(|_| before > 0) {
            if let (Some((_, Op::Mov)), [Operand::Reg(d), Operand::Reg(s)]) =
                (op(instruction), &instruction.operands[..])
                && found.contains(d)
            {
                found.insert(*s);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
