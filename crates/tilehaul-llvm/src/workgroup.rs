//! Which bytes of LDS each thread of a workgroup touches, so that waves can be told from each other.
//!
//! Addresses are computed for every thread of one workgroup that the function's attributes allow. May miss an overlap of
//! waves: addresses that depend on more than the thread's number and on values that all waves share are not computed, and
//! neither are accesses that some waves may skip. Never finds one that the computed addresses do not have.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tilehaul_isa::llvm::{BlockId, Function, Op, Type, Value};

use crate::place::Place;
use crate::uniform::MAX_BLOCKS;

/// How far arithmetic is followed back.
const MAX_DEPTH: usize = 32;
/// Threads of the workgroup that is looked at, where the attributes leave it open: four waves, what kernels are mostly
/// launched with.
const USUAL_THREADS: usize = 256;
/// The most threads of a workgroup.
const MOST_THREADS: usize = 1024;
/// Values are followed only in this range, where 32 bits and 64 bits mean the same.
const RANGE: std::ops::Range<i64> = 0..1 << 31;

/// Whose bytes an access shares, as far as it can be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meets {
    /// Those of its own wave, in a wave that every launch has.
    pub(crate) own: bool,
    /// Those of other waves.
    pub(crate) others: bool,
}

/// Bytes of LDS that each thread touches, beside terms that all waves share.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    root: String,
    shared: BTreeMap<String, i128>,
    /// First byte for each thread.
    first: Vec<i64>,
    bytes: i64,
}

/// One function's threads.
pub(crate) struct Workgroup<'a> {
    ops: BTreeMap<&'a str, &'a Op>,
    /// Values that may differ between waves.
    differ: BTreeSet<&'a str>,
    /// Blocks that some waves may skip.
    skipped: BTreeSet<BlockId>,
    threads: usize,
    /// Threads that every launch has.
    least: usize,
    wave: usize,
    known: RefCell<BTreeMap<String, Option<Vec<i64>>>>,
    /// Neither the y nor the z number is used: the x number is the thread's number.
    flat: bool,
}

impl<'a> Workgroup<'a> {
    /// Looks at `function`, whose waves have `wave` lanes.
    #[must_use]
    pub(crate) fn of(function: &'a Function, wave: u64) -> Workgroup<'a> {
        let insts = || function.blocks.iter().flat_map(|b| &b.insts);
        let calls = |wanted: &str| {
            insts().any(|i| matches!(&i.op, Op::Call { callee: Some(name), .. } if name.starts_with(wanted)))
        };
        let mut limits = function
            .attribute("amdgpu-flat-work-group-size")
            .into_iter()
            .flat_map(|v| v.split(','))
            .filter_map(|n| n.trim().parse::<usize>().ok());
        let least = limits.next().unwrap_or(1).clamp(1, MOST_THREADS);
        let most = limits.next().unwrap_or(MOST_THREADS).clamp(least, MOST_THREADS);
        let (differ, skipped) = differences(function);
        Workgroup {
            ops: insts().filter_map(|i| Some((i.result.as_deref()?, &i.op))).collect(),
            differ,
            skipped,
            threads: USUAL_THREADS.clamp(least, most),
            least,
            wave: usize::try_from(wave).unwrap_or(64).max(1),
            known: RefCell::default(),
            flat: !calls("llvm.amdgcn.workitem.id.y") && !calls("llvm.amdgcn.workitem.id.z"),
        }
    }

    /// The bytes of an access of `block`; with `slot`, lanes lie that far apart behind the wave's base.
    #[must_use]
    pub(crate) fn touched(
        &self,
        block: BlockId,
        place: &Place,
        bytes: i128,
        slot: Option<i64>,
    ) -> Option<Touched> {
        if self.skipped.contains(&block) {
            return None;
        }
        let mut first = vec![i64::try_from(place.offset).ok()?; self.threads];
        let mut shared = BTreeMap::new();
        for (name, &weight) in place.terms.iter().chain(&place.lane_terms) {
            if let Some(values) = self.named(name, MAX_DEPTH) {
                let weight = i64::try_from(weight).ok()?;
                for (at, value) in first.iter_mut().zip(values) {
                    *at = at.checked_add(value.checked_mul(weight)?)?;
                }
            } else if !self.differ.contains(name.as_str()) {
                shared.insert(name.clone(), weight);
            } else {
                return None;
            }
        }
        if let Some(slot) = slot {
            for (thread, at) in first.iter_mut().enumerate() {
                *at = at.checked_add(slot * i64::try_from(thread % self.wave).ok()?)?;
            }
        }
        Some(Touched { root: place.root.clone()?, shared, first, bytes: i64::try_from(bytes).ok()? })
    }

    /// Whose bytes of `earlier` the threads of `later` touch.
    #[must_use]
    pub(crate) fn meets(&self, earlier: &Touched, later: &Touched) -> Meets {
        let mut found = Meets::default();
        if earlier.root != later.root || earlier.shared != later.shared {
            return found;
        }
        let mut sorted: Vec<(i64, usize)> =
            earlier.first.iter().enumerate().map(|(thread, &at)| (at, thread / self.wave)).collect();
        sorted.sort_unstable();
        for (thread, &at) in later.first.iter().enumerate() {
            let from = sorted.partition_point(|&(start, _)| start.saturating_add(earlier.bytes) <= at);
            let met = sorted[from..].iter().take_while(|&&(start, _)| start < at.saturating_add(later.bytes));
            for &(_, wave) in met {
                let own = wave == thread / self.wave;
                found.own |= own && thread / self.wave * self.wave < self.least;
                found.others |= !own;
            }
            if found.own && found.others {
                break;
            }
        }
        found
    }

    fn value(&self, value: &Value, depth: usize) -> Option<Vec<i64>> {
        match value {
            Value::Int(n) => Some(vec![i64::try_from(*n).ok()?; self.threads]),
            Value::Zero => Some(vec![0; self.threads]),
            Value::Local(name) => self.named(name, depth),
            _ => None,
        }
    }

    fn named(&self, name: &str, depth: usize) -> Option<Vec<i64>> {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let depth = depth.checked_sub(1)?;
        let values = self.computed(name, depth);
        self.known.borrow_mut().insert(name.to_owned(), values.clone());
        values
    }

    fn computed(&self, name: &str, depth: usize) -> Option<Vec<i64>> {
        match self.ops.get(name)? {
            Op::Call { callee: Some(callee), args, .. } => {
                self.call(callee, &args.iter().map(|a| &a.value).collect::<Vec<_>>(), depth)
            }
            Op::Cast { opcode, value, to } if matches!(opcode.as_str(), "zext" | "sext" | "trunc") => {
                let wide = matches!(to, Type::Int(32 | 64));
                self.value(&value.value, depth).filter(|v| wide && v.iter().all(|n| RANGE.contains(n)))
            }
            Op::Binary { opcode, values: [a, b] } => {
                let (a, b) = (self.value(a, depth)?, self.value(b, depth)?);
                a.into_iter()
                    .zip(b)
                    .map(|(a, b)| binary(opcode, a, b).filter(|n| RANGE.contains(n)))
                    .collect()
            }
            _ => None,
        }
    }

    fn call(&self, callee: &str, args: &[&Value], depth: usize) -> Option<Vec<i64>> {
        let lanes = |count: &dyn Fn(usize) -> usize| -> Option<Vec<i64>> {
            (0..self.threads).map(|t| i64::try_from(count(t % self.wave)).ok()).collect()
        };
        let plus = |a: Vec<i64>, b: Vec<i64>| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
        match (callee.strip_prefix("llvm.amdgcn.")?, args) {
            ("workitem.id.x", []) if self.flat => (0..self.threads).map(|t| i64::try_from(t).ok()).collect(),
            ("mbcnt.lo", [Value::Int(-1), more]) => {
                Some(plus(self.value(more, depth)?, lanes(&|lane| lane.min(32))?))
            }
            ("mbcnt.hi", [Value::Int(-1), more]) => {
                Some(plus(self.value(more, depth)?, lanes(&|lane| lane.saturating_sub(32))?))
            }
            (name, [value]) if name == "readfirstlane" || name.starts_with("readfirstlane.") => {
                let values = self.value(value, depth)?;
                (0..self.threads).map(|t| values.get(t - t % self.wave).copied()).collect()
            }
            _ => None,
        }
    }
}

/// Operands are in [`RANGE`] or are constants.
fn binary(opcode: &str, a: i64, b: i64) -> Option<i64> {
    let small = u32::try_from(b).ok().filter(|&n| n < 32);
    match opcode {
        "add" => a.checked_add(b),
        "sub" => a.checked_sub(b),
        "mul" => a.checked_mul(b),
        "shl" => a.checked_mul(1 << small?),
        "lshr" | "ashr" if a >= 0 => Some(a >> small?),
        "and" => Some(a & b),
        "or" => Some(a | b),
        "xor" => Some(a ^ b),
        "udiv" | "sdiv" if a >= 0 && b > 0 => Some(a / b),
        "urem" | "srem" if a >= 0 && b > 0 => Some(a % b),
        _ => None,
    }
}

/// Values that may differ between the waves of a workgroup, and blocks that some waves may skip while others do not.
fn differences(function: &Function) -> (BTreeSet<&str>, BTreeSet<BlockId>) {
    let all = || (0..function.blocks.len()).map(BlockId).collect();
    let mut differ: BTreeSet<&str> = BTreeSet::new();
    // Parameters of a kernel are the launch's; those of other functions are the caller's.
    if !function.kernel {
        differ.extend(function.params.iter().map(|p| p.name.as_str()));
    }
    if function.blocks.len() > MAX_BLOCKS {
        differ.extend(function.blocks.iter().flat_map(|b| &b.insts).filter_map(|i| i.result.as_deref()));
        return (differ, all());
    }
    let after = after_dominators(function);
    let mut skipped = BTreeSet::new();
    // Both sets only grow.
    loop {
        let before = (differ.len(), skipped.len());
        let uses = |op: &Op, differ: &BTreeSet<&str>| {
            let mut found = false;
            crate::findings::operands(op, &mut |value| {
                value.locals(&mut |local| found |= differ.contains(local));
            });
            found
        };
        for block in &function.blocks {
            for inst in &block.insts {
                let Some(name) = inst.result.as_deref() else { continue };
                let from_skipped = matches!(&inst.op, Op::Phi { incoming } if incoming.iter().any(|(_, label)| {
                    // The entry block may be named by its number, which it does not carry.
                    let at = function.blocks.iter().position(|b| b.label == *label).unwrap_or(0);
                    skipped.contains(&BlockId(at))
                }));
                if source_of_difference(&inst.op) || from_skipped || uses(&inst.op, &differ) {
                    differ.insert(name);
                }
            }
        }
        for (at, block) in function.blocks.iter().enumerate() {
            let branches = block.successors.len() > 1;
            if branches && block.insts.last().is_some_and(|i| uses(&i.op, &differ)) {
                skipped.extend(behind(function, BlockId(at)).difference(&after[at]));
            }
        }
        if before == (differ.len(), skipped.len()) {
            return (differ, skipped);
        }
    }
}

/// Memory may hold another value for each wave, and so may whatever a called function returns.
fn source_of_difference(op: &Op) -> bool {
    match op {
        Op::Load { pointer, .. } => pointer.ty.address_space() != Some(4),
        Op::Atomic { .. } => true,
        Op::Call { callee: Some(name), .. } => match name.strip_prefix("llvm.amdgcn.") {
            Some(own) => !["workgroup.id", "dispatch.ptr", "implicitarg.ptr", "kernarg.segment.ptr"]
                .iter()
                .any(|p| own.starts_with(p)),
            // Arithmetic (llvm.umin and the like) gives what its operands give.
            None => !name.starts_with("llvm."),
        },
        Op::Call { .. } => true,
        _ => false,
    }
}

/// For each block, those that every path from it to an end of the function passes.
fn after_dominators(function: &Function) -> Vec<BTreeSet<BlockId>> {
    let all: BTreeSet<BlockId> = (0..function.blocks.len()).map(BlockId).collect();
    // Blocks from which there is no end keep everything: nothing can be said to be left out there.
    let mut sets = vec![all; function.blocks.len()];
    loop {
        let mut changed = false;
        for (at, block) in function.blocks.iter().enumerate().rev() {
            let mut after = block.successors.iter().filter_map(|next| sets.get(next.0));
            let mut set = after.next().cloned().unwrap_or_default();
            for other in after {
                set.retain(|b| other.contains(b));
            }
            set.insert(BlockId(at));
            changed |= set != sets[at];
            sets[at] = set;
        }
        if !changed {
            return sets;
        }
    }
}

/// Blocks that can be reached behind `start`.
fn behind(function: &Function, start: BlockId) -> BTreeSet<BlockId> {
    let mut seen = BTreeSet::new();
    let mut work = vec![start];
    while let Some(BlockId(at)) = work.pop() {
        let next = function.blocks.get(at).map(|b| b.successors.as_slice()).unwrap_or_default();
        work.extend(next.iter().filter(|&&n| seen.insert(n)));
    }
    seen
}
