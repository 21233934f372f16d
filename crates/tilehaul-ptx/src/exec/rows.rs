//! Rows of lanes and predicates, changed where a mask says.

use crate::alu::Lanes;
use crate::inst::{BoolOp, PredSource, Slot};

/// Bit `i` at place `i`: comparing with a table becomes vector code, shifting by a lane's number does not.
pub(super) const BITS: Lanes = {
    let mut bits = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

#[inline]
pub(crate) fn put(row: &mut Lanes, value: &Lanes, mask: u32) {
    if mask == u32::MAX {
        *row = *value;
        return;
    }
    if mask.is_power_of_two() {
        // A thread that was elected: the one of its warp that copies and signals.
        let lane = mask.trailing_zeros() as usize & 31;
        row[lane] = value[lane];
        return;
    }
    let mask = u64::from(mask);
    for ((old, new), bit) in row.iter_mut().zip(value).zip(&BITS) {
        *old = if mask & bit == *bit { *new } else { *old };
    }
}

/// Executes a loop over lanes. It writes its result in place where all lanes execute and no source is the target.
#[inline(always)]
pub(super) fn apply<const N: usize>(
    regs: &mut [Lanes],
    scratch: &mut Lanes,
    d: Slot,
    sources: [Slot; N],
    mask: u32,
    f: impl Fn(&mut Lanes, [&Lanes; N]),
) {
    let at = d as usize;
    if mask == u32::MAX && !sources.contains(&d) {
        let (before, rest) = regs.split_at_mut(at);
        if let Some((target, after)) = rest.split_first_mut() {
            let (before, after) = (&*before, &*after);
            let source = |s: Slot| {
                let s = s as usize;
                if s < at { &before[s] } else { &after[s - at - 1] }
            };
            f(target, sources.map(source));
        }
        return;
    }
    f(scratch, sources.map(|s| &regs[s as usize]));
    put(&mut regs[at], scratch, mask);
}

#[inline(always)]
pub(super) fn truth(preds: &[u32], p: PredSource) -> u32 {
    let v = preds[p.pred as usize];
    if p.negated { !v } else { v }
}

#[inline(always)]
pub(super) fn set_pred(pred: &mut u32, value: u32, mask: u32) {
    *pred = *pred & !mask | value & mask;
}

#[inline(always)]
pub(super) fn join_bools(op: BoolOp, a: u32, b: u32) -> u32 {
    match op {
        BoolOp::And => a & b,
        BoolOp::Or => a | b,
        BoolOp::Xor => a ^ b,
    }
}
