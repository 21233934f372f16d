//! What an atomic operation makes of a value.

use super::memory::{read, write};
use crate::alu::Lanes;
use crate::arith::half::{self, Brain, Ieee, both2};
use crate::arith::int::{mask, sext};
use crate::arith::{float, mode};
use crate::inst::{AtomKind, AtomOp, AtomType};

/// `exch` and `cas` of 128 bits.
pub(super) fn wide_atomic(op: &AtomOp, regs: &mut [Lanes], lane: usize, bytes: &mut [u8]) {
    let old = [read(&bytes[..8]), read(&bytes[8..])];
    let pair =
        |list: &[u32], regs: &[Lanes]| [0, 1].map(|i| list.get(i).map_or(0, |&s| regs[s as usize][lane]));
    let operand = pair(&op.src, regs);
    let swaps = op.kind == AtomKind::Exch || old == operand;
    let new = if op.kind == AtomKind::Cas { pair(&op.new, regs) } else { operand };
    if swaps {
        write(&mut bytes[..8], new[0]);
        write(&mut bytes[8..], new[1]);
    }
    if let Some(dst) = &op.dst {
        for (&slot, value) in dst.iter().zip(old) {
            regs[slot as usize][lane] = value;
        }
    }
}

/// The new value of an atomic. manual: PTX `atom`; floats round to nearest even, f32 on global memory keeps subnormals
/// (hardware: h200 fact 71 for the copy engine's adds).
pub(crate) fn combine(kind: AtomKind, ty: AtomType, bytes: u32, old: u64, operand: u64) -> u64 {
    let bits = bytes * 8;
    let keep = mask(bits);
    let signed = ty == AtomType::Signed;
    let less = if signed { sext(operand, bits) < sext(old, bits) } else { operand & keep < old & keep };
    match (kind, ty) {
        (AtomKind::Exch | AtomKind::Cas, _) => operand & keep,
        (AtomKind::Add, AtomType::F32) => float::add::<{ mode::NEAR }, false, false>(old, operand),
        (AtomKind::Add, AtomType::F64) => float::add64::<{ mode::NEAR }>(old, operand),
        (AtomKind::Add, AtomType::F16) => half::add::<Ieee, false, false>(old, operand),
        (AtomKind::Add, AtomType::Bf16) => half::add::<Brain, false, false>(old, operand),
        (AtomKind::Add, AtomType::F16x2) => both2(old, operand, half::add::<Ieee, false, false>),
        (AtomKind::Add, AtomType::Bf16x2) => both2(old, operand, half::add::<Brain, false, false>),
        (AtomKind::Min, AtomType::F16) => half::pick::<Ieee, false, false, false>(old, operand),
        (AtomKind::Max, AtomType::F16) => half::pick::<Ieee, true, false, false>(old, operand),
        (AtomKind::Min, AtomType::Bf16) => half::pick::<Brain, false, false, false>(old, operand),
        (AtomKind::Max, AtomType::Bf16) => half::pick::<Brain, true, false, false>(old, operand),
        (AtomKind::Min, AtomType::F16x2) => both2(old, operand, half::pick::<Ieee, false, false, false>),
        (AtomKind::Max, AtomType::F16x2) => both2(old, operand, half::pick::<Ieee, true, false, false>),
        (AtomKind::Min, AtomType::Bf16x2) => both2(old, operand, half::pick::<Brain, false, false, false>),
        (AtomKind::Max, AtomType::Bf16x2) => both2(old, operand, half::pick::<Brain, true, false, false>),
        (AtomKind::Min, AtomType::F32) => float::pick32::<false, false, false>(old, operand),
        (AtomKind::Max, AtomType::F32) => float::pick32::<true, false, false>(old, operand),
        (AtomKind::Add, _) => old.wrapping_add(operand) & keep,
        (AtomKind::Inc, _) => {
            if old >= operand {
                0
            } else {
                old + 1
            }
        }
        (AtomKind::Dec, _) => {
            if old == 0 || old > operand {
                operand
            } else {
                old - 1
            }
        }
        (AtomKind::Min, _) => {
            if less {
                operand & keep
            } else {
                old
            }
        }
        (AtomKind::Max, _) => {
            if less || old & keep == operand & keep {
                old
            } else {
                operand & keep
            }
        }
        (AtomKind::And, _) => old & operand,
        (AtomKind::Or, _) => old | operand & keep,
        (AtomKind::Xor, _) => old ^ operand & keep,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combining() {
        let u = AtomType::Unsigned;
        assert_eq!(combine(AtomKind::Add, u, 4, 0xffff_ffff, 2), 1);
        assert_eq!(combine(AtomKind::Inc, u, 4, 5, 5), 0);
        assert_eq!(combine(AtomKind::Inc, u, 4, 4, 5), 5);
        assert_eq!(combine(AtomKind::Dec, u, 4, 0, 5), 5);
        assert_eq!(combine(AtomKind::Dec, u, 4, 9, 5), 5);
        assert_eq!(combine(AtomKind::Min, AtomType::Signed, 4, 3, 0xffff_ffff), 0xffff_ffff);
        assert_eq!(combine(AtomKind::Max, AtomType::Signed, 4, 3, 0xffff_ffff), 3);
        assert_eq!(combine(AtomKind::Max, u, 4, 3, 0xffff_ffff), 0xffff_ffff);
        let f = |x: f32| u64::from(x.to_bits());
        assert_eq!(combine(AtomKind::Add, AtomType::F32, 4, f(1.5), f(2.0)), f(3.5));
        assert_eq!(combine(AtomKind::Add, AtomType::F16x2, 4, 0x3c00_3c00, 0x3c00_4000), 0x4000_4200);
    }
}
