//! Which values are the same in every lane.
//!
//! May call a value uniform that control flow makes different in loops with divergent exits; never calls a value divergent
//! that is uniform by construction. Sources of divergence are lane numbers, what is loaded through divergent pointers, and
//! results of atomics.

use std::collections::BTreeMap;

use tilehaul_isa::llvm::{BlockId, Function, Op, Value};

/// Rounds after which shapes are taken as they are: far more than nested loops of real kernels need.
const MAX_ROUNDS: usize = 64;
/// Functions with more blocks are not searched for joins of divergent branches.
pub(crate) const MAX_BLOCKS: usize = 1000;

/// How a value varies over the lanes of a wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// The same in every lane.
    #[default]
    Uniform,
    /// A parameter of a function that is no kernel, passed in vector registers: may differ.
    Unknown,
    /// Differs from lane to lane.
    Divergent,
}

/// The shape of every named value of a function.
#[derive(Debug)]
pub(crate) struct Shapes<'a> {
    shapes: BTreeMap<&'a str, Shape>,
}

impl<'a> Shapes<'a> {
    /// Works out the shapes of `function`.
    #[must_use]
    pub(crate) fn of(function: &'a Function) -> Shapes<'a> {
        let mut shapes = BTreeMap::new();
        for param in &function.params {
            let uniform = function.kernel || param.inreg;
            shapes.insert(param.name.as_str(), if uniform { Shape::Uniform } else { Shape::Unknown });
        }
        let mut this = Shapes { shapes };
        // Shapes only grow, and each round settles at least one value.
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            let joins = this.divergent_joins(function);
            for (at, block) in function.blocks.iter().enumerate() {
                for inst in &block.insts {
                    let Some(name) = &inst.result else { continue };
                    let mut shape = this.of_op(&inst.op);
                    if matches!(inst.op, Op::Phi { .. }) && joins.contains(&BlockId(at)) {
                        shape = shape.max(Shape::Divergent);
                    }
                    let old = this.shapes.insert(name, shape);
                    changed |= old != Some(shape) && (old.is_some() || shape != Shape::Uniform);
                }
            }
            if !changed {
                break;
            }
        }
        this
    }

    /// The shape of a value.
    #[must_use]
    pub(crate) fn value(&self, value: &Value) -> Shape {
        let mut shape = Shape::Uniform;
        value.locals(&mut |name| shape = shape.max(self.shapes.get(name).copied().unwrap_or_default()));
        shape
    }

    fn all<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> Shape {
        values.into_iter().map(|v| self.value(v)).max().unwrap_or_default()
    }

    fn of_op(&self, op: &Op) -> Shape {
        match op {
            Op::Call { callee, args, .. } => {
                let operands = self.all(args.iter().map(|a| &a.value));
                match callee.as_deref().and_then(|c| c.strip_prefix("llvm.")) {
                    Some(name) => intrinsic(name, operands),
                    // Another function, or inline assembly.
                    None => Shape::Unknown.max(operands),
                }
            }
            Op::Load { pointer, .. } => self.value(&pointer.value),
            Op::Atomic { .. } => Shape::Divergent,
            Op::Gep { base, indices, .. } => {
                self.value(&base.value).max(self.all(indices.iter().map(|i| &i.value)))
            }
            Op::Cast { value, .. } => self.value(&value.value),
            Op::Phi { incoming } => self.all(incoming.iter().map(|(v, _)| v)),
            Op::Select { condition, values } => self.value(condition).max(self.all(values)),
            Op::Binary { values, .. } => self.all(values),
            Op::Other { values, .. } => self.all(values),
            Op::Store { .. } | Op::Fence { .. } | Op::Branch { .. } | Op::End => Shape::Uniform,
        }
    }

    /// Blocks where lanes that parted at a divergent branch meet: a phi there differs even over uniform values. Only
    /// branches whose two ways do not reach each other are looked at.
    fn divergent_joins(&self, function: &Function) -> Vec<BlockId> {
        let mut joins = Vec::new();
        if function.blocks.len() > MAX_BLOCKS {
            return joins;
        }
        for (at, block) in function.blocks.iter().enumerate() {
            let Some(Op::Branch { condition: Some(condition), .. }) = block.insts.last().map(|i| &i.op)
            else {
                continue;
            };
            let [first, second] = block.successors.as_slice() else { continue };
            if self.value(condition) != Shape::Divergent {
                continue;
            }
            let (one, two) = (reach(function, *first), reach(function, *second));
            if one[second.0] || two[first.0] {
                // One way joins the other's first block: a triangle.
                let target = if one[second.0] { second } else { first };
                if one[second.0] != two[first.0] {
                    joins.push(*target);
                }
                continue;
            }
            let from = |reached: &[bool], id: usize| {
                function
                    .blocks
                    .iter()
                    .enumerate()
                    .any(|(p, b)| (reached[p] || p == at) && b.successors.contains(&BlockId(id)))
            };
            joins.extend(
                (0..function.blocks.len())
                    .filter(|&id| one[id] && two[id] && from(&one, id) && from(&two, id))
                    .take(1)
                    .map(BlockId),
            );
        }
        joins
    }
}

/// Blocks that can be reached from `start`, itself included.
fn reach(function: &Function, start: BlockId) -> Vec<bool> {
    let mut seen = vec![false; function.blocks.len()];
    let mut work = vec![start];
    while let Some(BlockId(at)) = work.pop() {
        let Some(mark) = seen.get_mut(at).filter(|m| !**m) else { continue };
        *mark = true;
        work.extend(function.blocks.get(at).into_iter().flat_map(|b| b.successors.iter().copied()));
    }
    seen
}

fn intrinsic(name: &str, operands: Shape) -> Shape {
    let amdgcn = name.strip_prefix("amdgcn.").unwrap_or(name);
    const LANES: &[&str] =
        &["workitem.id.", "mbcnt.", "wave.lane", "lane.id", "interp.", "ds.append", "ds.consume"];
    const UNIFORM: &[&str] =
        &["readfirstlane", "readlane", "ballot", "s.", "workgroup.id", "wave.id", "icmp", "fcmp"];
    let starts = |list: &[&str]| list.iter().any(|p| amdgcn.starts_with(p));
    if starts(LANES) {
        Shape::Divergent
    } else if starts(UNIFORM) {
        Shape::Uniform
    } else {
        operands
    }
}
