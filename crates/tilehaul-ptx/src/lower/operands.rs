//! Operands to slots.

use tilehaul_isa::ptx::ast::{Immediate, Operand, RegId, Type};
use tilehaul_isa::ptx::special::Special;

use super::{At, Init, Lower, Lowered, NEVER, Place, SCRATCH, SCRATCH_PRED};
use crate::arith::int::mask;
use crate::inst::{Addr, Mem, Pred, PredSource, Slot};

const PICKED: &str = "bytes and halves that a video instruction picks (.b0, .h10) are not modelled";

impl<'m> Lower<'m> {
    /// The slot that starts out as a constant.
    pub(super) fn constant(&mut self, bits: u64) -> Slot {
        self.initial(Init::Const(bits))
    }

    pub(super) fn initial(&mut self, init: Init) -> Slot {
        if let Some(&slot) = self.consts.get(&init) {
            return slot;
        }
        let slot = self.code.slots;
        self.code.slots += 1;
        self.code.inits.push((slot, init));
        self.consts.insert(init, slot);
        slot
    }

    /// The number in a slot that nothing writes.
    pub(super) fn literal(&self, slot: Slot) -> Option<u64> {
        self.code.inits.iter().find_map(|&(at, init)| match init {
            Init::Const(bits) if at == slot => Some(bits),
            _ => None,
        })
    }

    fn register(&mut self, at: &At<'m>, reg: RegId, element: u8) -> Lowered<(Slot, u32)> {
        match self.place(at.id, reg) {
            Some(Place::Slot { slot, bits, lanes }) if element < lanes => {
                let slot = slot + u32::from(element);
                self.used.push(slot);
                Ok((slot, bits))
            }
            _ => Err(format!("{} cannot be used here", self.name_of(at, reg))),
        }
    }

    fn name_of(&self, at: &At<'m>, reg: RegId) -> String {
        at.function.registers.get(reg.0 as usize).map_or_else(|| "a register".to_owned(), |r| r.name.clone())
    }

    /// Operand `index` as a source of a type.
    pub(super) fn src(&mut self, at: &At<'m>, index: usize, ty: Type) -> Lowered<Slot> {
        let operand = at.ops.get(index).ok_or_else(|| format!("operand {index} is missing"))?;
        self.source(at, operand, ty)
    }

    /// Any operand as a source of a type.
    pub(super) fn source(&mut self, at: &At<'m>, operand: &Operand, ty: Type) -> Lowered<Slot> {
        match operand {
            Operand::Reg(reg) => Ok(self.register(at, *reg, 0)?.0),
            Operand::Element(reg, element) => Ok(self.register(at, *reg, *element)?.0),
            Operand::Imm(value) => Ok(self.constant(immediate_bits(*value, ty))),
            Operand::Special(special) if is_clock(*special) => {
                Err("cycle counters can only be read with mov".to_owned())
            }
            Operand::Special(special) if special.is_set_by_driver() => {
                Err("special registers that a driver or a tool sets (%envreg, %pm) are not modelled"
                    .to_owned())
            }
            Operand::Special(special) => Ok(self.initial(Init::Special(*special))),
            Operand::Symbol(symbol, offset) => {
                let init = self.variable_address(at.id, *symbol)?;
                Ok(self.initial(shifted(init, *offset)))
            }
            // A value that does not matter (`_` as a source).
            Operand::Sink => Ok(self.constant(0)),
            Operand::Vector(parts) if parts.len() == 1 => self.source(at, &parts[0], ty),
            Operand::Picked(_) => Err(PICKED.to_owned()),
            Operand::Not(_)
            | Operand::Dual(_)
            | Operand::Vector(_)
            | Operand::Address(_)
            | Operand::List(_) => Err("an operand is not a value".to_owned()),
        }
    }

    /// Operand `index` as a destination.
    pub(super) fn dst(&mut self, at: &At<'m>, index: usize) -> Lowered<Slot> {
        let operand = at.ops.get(index).ok_or_else(|| format!("operand {index} is missing"))?;
        Ok(self.destination(at, operand)?.0)
    }

    /// A destination and its width in bits.
    pub(super) fn destination(&mut self, at: &At<'m>, operand: &Operand) -> Lowered<(Slot, u32)> {
        match operand {
            Operand::Reg(reg) => self.register(at, *reg, 0),
            Operand::Element(reg, element) => self.register(at, *reg, *element),
            Operand::Sink => Ok((SCRATCH, 64)),
            Operand::Vector(parts) if parts.len() == 1 => self.destination(at, &parts[0]),
            Operand::Picked(_) => Err(PICKED.to_owned()),
            _ => Err("the result must be a register".to_owned()),
        }
    }

    /// A register, or the elements of a vector, as sources.
    pub(super) fn source_list(&mut self, at: &At<'m>, index: usize, ty: Type) -> Lowered<Vec<Slot>> {
        match at.ops.get(index) {
            Some(Operand::Vector(parts)) => parts.iter().map(|p| self.source(at, p, ty)).collect(),
            Some(operand) => match self.whole_register(at, operand)? {
                Some(slots) => Ok(slots),
                None => Ok(vec![self.source(at, operand, ty)?]),
            },
            None => Err(format!("operand {index} is missing")),
        }
    }

    /// A register, or the elements of a vector, as destinations.
    pub(super) fn destination_list(&mut self, at: &At<'m>, index: usize) -> Lowered<Vec<Slot>> {
        match at.ops.get(index) {
            Some(Operand::Vector(parts)) => parts.iter().map(|p| Ok(self.destination(at, p)?.0)).collect(),
            Some(operand) => match self.whole_register(at, operand)? {
                Some(slots) => Ok(slots),
                None => Ok(vec![self.destination(at, operand)?.0]),
            },
            None => Err(format!("operand {index} is missing")),
        }
    }

    /// All slots of a vector or 128-bit register that is named as a whole.
    fn whole_register(&mut self, at: &At<'m>, operand: &Operand) -> Lowered<Option<Vec<Slot>>> {
        let Operand::Reg(reg) = operand else { return Ok(None) };
        match self.place(at.id, *reg) {
            Some(Place::Slot { lanes, .. }) if lanes > 1 => (0..lanes)
                .map(|i| Ok(self.register(at, *reg, i)?.0))
                .collect::<Lowered<Vec<Slot>>>()
                .map(Some),
            _ => Ok(None),
        }
    }

    /// Operand `index` as a predicate to write; a sink or a missing one goes nowhere.
    pub(super) fn pred_dst(&mut self, at: &At<'m>, operand: &Operand) -> Lowered<Pred> {
        match operand {
            Operand::Reg(reg) => match self.place(at.id, *reg) {
                Some(Place::Pred(pred)) => Ok(pred),
                _ => Err(format!("{} is not a predicate", self.name_of(at, *reg))),
            },
            Operand::Sink => Ok(SCRATCH_PRED),
            _ => Err("the result must be a predicate".to_owned()),
        }
    }

    /// An operand as a predicate source; constants count as their truth.
    pub(super) fn pred_src(&mut self, at: &At<'m>, index: usize) -> Lowered<PredSource> {
        let operand = at.ops.get(index).ok_or_else(|| format!("operand {index} is missing"))?;
        let (reg, negated) = match operand {
            Operand::Reg(reg) => (*reg, false),
            Operand::Not(reg) => (*reg, true),
            Operand::Imm(Immediate::Int(n)) => return Ok(PredSource { pred: NEVER, negated: *n != 0 }),
            _ => return Err(format!("operand {index} is not a predicate")),
        };
        match self.place(at.id, reg) {
            Some(Place::Pred(pred)) => Ok(PredSource { pred, negated }),
            _ => Err(format!("{} is not a predicate", self.name_of(at, reg))),
        }
    }

    /// True when the operand names a predicate register.
    pub(super) fn is_pred(&self, at: &At<'m>, operand: &Operand) -> bool {
        match operand {
            Operand::Reg(reg) | Operand::Not(reg) => matches!(self.place(at.id, *reg), Some(Place::Pred(_))),
            _ => false,
        }
    }

    /// Operand `index` as an address: `[base+offset]`, or a plain value for instructions that take one.
    pub(super) fn address(&mut self, at: &At<'m>, index: usize) -> Lowered<Addr> {
        match at.ops.get(index) {
            Some(Operand::Address(address)) => {
                let base = self.source(at, &address.base, Type::B64)?;
                Ok(Addr { base, offset: address.offset })
            }
            Some(operand) => Ok(Addr { base: self.source(at, operand, Type::B64)?, offset: 0 }),
            None => Err(format!("operand {index} is missing")),
        }
    }

    /// What follows the first comma inside the brackets of operand `index`.
    pub(super) fn coordinates(&mut self, at: &At<'m>, index: usize) -> Lowered<Vec<Slot>> {
        let Some(Operand::Address(address)) = at.ops.get(index) else {
            return Err(format!("operand {index} is not an address"));
        };
        match address.rest.first() {
            Some(Operand::Vector(parts)) => parts.iter().map(|p| self.source(at, p, Type::S32)).collect(),
            Some(operand) => Ok(vec![self.source(at, operand, Type::S32)?]),
            None => Err(format!("operand {index} has no coordinates")),
        }
    }
}

/// Which space an opcode names.
pub(super) fn space(opcode: &tilehaul_isa::ptx::Opcode) -> Mem {
    opcode
        .first(|m| match m {
            "global" | "const" => Some(Mem::Global),
            "shared" | "shared::cta" | "shared::cluster" => Some(Mem::Shared),
            "local" => Some(Mem::Local),
            "param" | "param::entry" | "param::func" => Some(Mem::Param),
            _ => None,
        })
        .unwrap_or(Mem::Generic)
}

pub(super) fn is_clock(special: Special) -> bool {
    matches!(
        special,
        Special::Clock
            | Special::ClockHi
            | Special::Clock64
            | Special::Globaltimer
            | Special::GlobaltimerLo
            | Special::GlobaltimerHi
    )
}

fn shifted(init: Init, offset: i64) -> Init {
    match init {
        Init::Const(v) => Init::Const(v.wrapping_add_signed(offset)),
        Init::Shared(v) => Init::Shared(v.wrapping_add(offset as u32)),
        Init::Special(s) => Init::Special(s),
    }
}

/// The bits of a number as an operand of a type.
pub(super) fn immediate_bits(value: Immediate, ty: Type) -> u64 {
    match (value, ty) {
        (Immediate::Int(n), Type::F32) => u64::from((n as f32).to_bits()),
        (Immediate::Int(n), Type::F64) => (n as f64).to_bits(),
        (Immediate::Int(n), _) => n.cast_unsigned() & mask(ty.bits().clamp(8, 64)),
        (Immediate::F32(bits), Type::F64) => f64::from(f32::from_bits(bits)).to_bits(),
        (Immediate::F32(bits), _) => u64::from(bits),
        (Immediate::F64(bits), Type::F32) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        (Immediate::F64(bits), _) => bits,
    }
}
