//! Where in LDS a pointer points, as far as the text says it.
//!
//! A place is a root (a global or a parameter), uniform terms (`%buf * 4096`), a lane term (the lane number times a step)
//! and a constant. Two places are compared only when root and uniform terms are the same; everything else is "unknown",
//! on which nothing is reported.

use std::collections::BTreeMap;

use tilehaul_isa::llvm::{Function, Op, Operand, Value, index_steps};

use crate::uniform::{Shape, Shapes};

/// How far pointer arithmetic is followed back.
const MAX_DEPTH: usize = 32;

/// The lane-dependent part of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// None.
    None,
    /// The lane's number in the workgroup times a step in bytes.
    Linear(
        /// The step.
        i128,
    ),
    /// Some function of the lane's number that is 0 for lane 0.
    FromZero,
    /// Anything.
    Unknown,
}

/// A place in LDS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// `@name` or `%name`; `None` when it cannot be told.
    pub(crate) root: Option<String>,
    /// Uniform values and their weights.
    pub(crate) terms: BTreeMap<String, i128>,
    /// Divergent values and their weights: equal lists mean equal lane terms.
    pub(crate) lane_terms: BTreeMap<String, i128>,
    /// The lane term's shape.
    pub(crate) lanes: Lanes,
    /// Constant bytes.
    pub(crate) offset: i128,
}

/// Whether two accesses share a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// They do.
    Yes,
    /// They do not.
    No,
    /// It cannot be told.
    Unknown,
}

/// An access: a place and the bytes of one lane; `wave` bytes side by side when the lanes' slots follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Where lane 0 is.
    pub(crate) place: Place,
    /// Bytes from there on that the access covers, all lanes of a direct load included.
    pub(crate) bytes: i128,
}

/// Definitions by name, to follow values back.
pub(crate) struct Definitions<'a> {
    ops: BTreeMap<&'a str, &'a Op>,
    params: Vec<&'a str>,
    shapes: &'a Shapes<'a>,
}

impl<'a> Definitions<'a> {
    /// The definitions of `function`.
    #[must_use]
    pub(crate) fn of(function: &'a Function, shapes: &'a Shapes<'a>) -> Definitions<'a> {
        let ops = function
            .blocks
            .iter()
            .flat_map(|b| &b.insts)
            .filter_map(|i| Some((i.result.as_deref()?, &i.op)))
            .collect();
        let params = function.params.iter().map(|p| p.name.as_str()).collect();
        Definitions { ops, params, shapes }
    }

    /// The place that a pointer names.
    #[must_use]
    pub(crate) fn place(&self, pointer: &Operand) -> Place {
        let mut place = Place {
            root: None,
            terms: BTreeMap::new(),
            lane_terms: BTreeMap::new(),
            lanes: Lanes::None,
            offset: 0,
        };
        self.pointer(&pointer.value, &mut place, MAX_DEPTH);
        place
    }

    fn pointer(&self, value: &Value, place: &mut Place, depth: usize) {
        match value {
            Value::Global(name) => place.root = Some(format!("@{name}")),
            Value::Address { global, offset } => {
                place.root = Some(format!("@{global}"));
                place.offset = place.offset.saturating_add(*offset);
            }
            Value::Local(name) if self.params.contains(&name.as_str()) => {
                place.root = Some(format!("%{name}"))
            }
            Value::Local(name) => match (self.ops.get(name.as_str()), depth.checked_sub(1)) {
                (Some(Op::Gep { element, base, indices }), Some(depth)) => {
                    self.pointer(&base.value, place, depth);
                    let steps = index_steps(element, indices.len());
                    if steps.len() < indices.len() {
                        place.root = None;
                    }
                    for (index, step) in indices.iter().zip(steps) {
                        self.number(&index.value, i128::from(step), place, depth);
                    }
                }
                (Some(Op::Cast { opcode, value, .. }), Some(depth))
                    if opcode == "addrspacecast" || opcode == "bitcast" =>
                {
                    self.pointer(&value.value, place, depth);
                }
                // A chosen pointer is a root of its own, which is compared with nothing but itself.
                (Some(_), _) => place.root = Some(format!("%{name}")),
                (None, _) => place.root = None,
            },
            Value::Int(_) | Value::Zero | Value::Vector(_) | Value::Other { .. } => place.root = None,
        }
    }

    /// Adds `value * weight` bytes.
    fn number(&self, value: &Value, weight: i128, place: &mut Place, depth: usize) {
        match value {
            Value::Int(n) => place.offset = place.offset.saturating_add(n.saturating_mul(weight)),
            Value::Zero => {}
            Value::Local(name) => self.named(name, weight, place, depth),
            Value::Global(_) | Value::Address { .. } | Value::Vector(_) | Value::Other { .. } => {
                place.root = None
            }
        }
    }

    fn named(&self, name: &str, weight: i128, place: &mut Place, depth: usize) {
        if let (Some(op), Some(depth)) = (self.ops.get(name), depth.checked_sub(1)) {
            match op {
                Op::Binary { opcode, values: [a, b] } => match (opcode.as_str(), a.int(), b.int()) {
                    ("add", ..) => {
                        self.number(a, weight, place, depth);
                        self.number(b, weight, place, depth);
                        return;
                    }
                    ("sub", _, Some(n)) => {
                        self.number(a, weight, place, depth);
                        place.offset = place.offset.saturating_sub(n.saturating_mul(weight));
                        return;
                    }
                    ("mul", Some(n), _) => return self.number(b, weight.saturating_mul(n), place, depth),
                    ("mul", _, Some(n)) => return self.number(a, weight.saturating_mul(n), place, depth),
                    ("shl", _, Some(n @ 0..=62)) => {
                        return self.number(a, weight.saturating_mul(1 << n), place, depth);
                    }
                    _ => {}
                },
                Op::Cast { opcode, value, .. } if matches!(opcode.as_str(), "zext" | "sext" | "trunc") => {
                    return self.number(&value.value, weight, place, depth);
                }
                _ => {}
            }
        }
        if self.shapes.value(&Value::Local(name.to_owned())) == Shape::Uniform {
            *place.terms.entry(name.to_owned()).or_insert(0) += weight;
            return;
        }
        *place.lane_terms.entry(name.to_owned()).or_insert(0) += weight;
        let shape = if self.is_lane_number(name) {
            Lanes::Linear(weight)
        } else if self.zero_in_lane_zero(name, MAX_DEPTH) {
            Lanes::FromZero
        } else {
            Lanes::Unknown
        };
        place.lanes = match (&place.lanes, shape) {
            (Lanes::None, shape) => shape,
            (Lanes::Unknown, _) | (_, Lanes::Unknown) => Lanes::Unknown,
            _ => Lanes::FromZero,
        };
    }

    fn is_lane_number(&self, name: &str) -> bool {
        matches!(self.ops.get(name), Some(Op::Call { callee: Some(callee), .. })
            if callee == "llvm.amdgcn.workitem.id.x" || callee == "llvm.amdgcn.mbcnt.hi")
    }

    fn zero_in_lane_zero(&self, name: &str, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let zero = |value: &Value| match value {
            Value::Local(name) => self.zero_in_lane_zero(name, depth),
            other => other.int() == Some(0),
        };
        match self.ops.get(name) {
            Some(Op::Call { callee: Some(callee), .. }) => {
                callee.starts_with("llvm.amdgcn.workitem.id.") || callee.starts_with("llvm.amdgcn.mbcnt.")
            }
            Some(Op::Binary { opcode, values: [a, b] }) => match opcode.as_str() {
                "and" | "mul" => zero(a) || zero(b),
                "shl" | "lshr" | "ashr" | "udiv" | "sdiv" | "urem" | "srem" => zero(a),
                "add" | "or" | "xor" | "sub" => zero(a) && zero(b),
                _ => false,
            },
            Some(Op::Cast { opcode, value, .. }) if matches!(opcode.as_str(), "zext" | "sext" | "trunc") => {
                zero(&value.value)
            }
            _ => false,
        }
    }
}

impl Extent {
    /// Whether two accesses of one wave share a byte, for some of its `wave` lanes.
    #[must_use]
    pub(crate) fn overlap(&self, other: &Extent, wave: u64) -> Overlap {
        let (a, b) = (&self.place, &other.place);
        let (Some(root), Some(other_root)) = (&a.root, &b.root) else { return Overlap::Unknown };
        if root != other_root {
            let globals = root.starts_with('@') && other_root.starts_with('@');
            return if globals { Overlap::No } else { Overlap::Unknown };
        }
        if a.terms != b.terms {
            return Overlap::Unknown;
        }
        let meets = |shift: i128, a_bytes: i128, b_bytes: i128| {
            let from = a.offset.saturating_add(shift);
            from < b.offset.saturating_add(b_bytes) && b.offset < from.saturating_add(a_bytes)
        };
        if meets(0, self.bytes, other.bytes) && self.same_lane(other) {
            return Overlap::Yes;
        }
        let lanes = i128::from(wave) - 1;
        // A lane-linear access covers a run of lanes; its first wave is taken.
        let run = |extent: &Extent| match extent.place.lanes {
            Lanes::None => Some((extent.bytes, true)),
            Lanes::Linear(step) if step > 0 && step <= extent.bytes => {
                Some((step * lanes + extent.bytes, true))
            }
            Lanes::Linear(_) | Lanes::FromZero => Some((extent.bytes, false)),
            Lanes::Unknown => None,
        };
        let (Some((a_run, a_whole)), Some((b_run, b_whole))) = (run(self), run(other)) else {
            return Overlap::Unknown;
        };
        if meets(0, a_run, b_run) {
            return Overlap::Yes;
        }
        // Other waves of the workgroup may lie anywhere behind.
        let still = a.lanes == Lanes::None && b.lanes == Lanes::None;
        if still && a_whole && b_whole { Overlap::No } else { Overlap::Unknown }
    }

    fn same_lane(&self, other: &Extent) -> bool {
        self.place.lane_terms == other.place.lane_terms
            || (self.place.lanes != Lanes::Unknown && other.place.lanes != Lanes::Unknown)
    }
}
