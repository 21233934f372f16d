//! Packed integers of two or four lanes, as the SIMD video instructions know them.
//!
//! manual: PTX "SIMD Video Instructions": lanes are widened by the signs of their operands, combined, then clamped to the
//! result's type (`.sat`), added to the third operand (`.add`), or cut to their width.

use super::int::{mask, sext};

/// What two lanes become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combine {
    Add,
    Sub,
    Average,
    Difference,
    Min,
    Max,
    Compare(Relation),
}

/// A comparison of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// One video instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Video {
    pub(crate) combine: Combine,
    /// Bits of a lane: 8 or 16.
    pub(crate) width: u32,
    pub(crate) signed_result: bool,
    pub(crate) signed_a: bool,
    pub(crate) signed_b: bool,
    pub(crate) saturate: bool,
    pub(crate) accumulate: bool,
}

impl Video {
    pub(crate) fn apply(&self, a: u64, b: u64, c: u64) -> u64 {
        let lane = |v: u64, at: u32, signed: bool| {
            let part = v >> at & mask(self.width);
            if signed { sext(part, self.width) } else { part.cast_signed() }
        };
        let (low, high) = match self.signed_result {
            true => (-(1i64 << (self.width - 1)), (1i64 << (self.width - 1)) - 1),
            false => (0, (1i64 << self.width) - 1),
        };
        let mut result = if self.accumulate { c } else { 0 };
        for at in (0..32).step_by(self.width as usize) {
            let (x, y) = (lane(a, at, self.signed_a), lane(b, at, self.signed_b));
            let value = match self.combine {
                Combine::Add => x + y,
                Combine::Sub => x - y,
                // hardware: generated programs on an H200: a negative sum is not rounded up.
                Combine::Average => (x + y + i64::from(x + y >= 0)) >> 1,
                Combine::Difference => (x - y).abs(),
                Combine::Min => x.min(y),
                Combine::Max => x.max(y),
                Combine::Compare(relation) => i64::from(match relation {
                    Relation::Eq => x == y,
                    Relation::Ne => x != y,
                    Relation::Lt => x < y,
                    Relation::Le => x <= y,
                    Relation::Gt => x > y,
                    Relation::Ge => x >= y,
                }),
            };
            let value = if self.saturate { value.clamp(low, high) } else { value };
            result = match self.accumulate {
                true => result.wrapping_add(value.cast_unsigned()),
                false => result | (value.cast_unsigned() & mask(self.width)) << at,
            };
        }
        result & 0xffff_ffff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_stay_apart() {
        let plain = Video {
            combine: Combine::Add,
            width: 8,
            signed_result: false,
            signed_a: false,
            signed_b: false,
            saturate: false,
            accumulate: false,
        };
        assert_eq!(plain.apply(0xff01_7f80, 0x0101_0180, 0), 0x0002_8000);
        assert_eq!(Video { saturate: true, ..plain }.apply(0xff01_7f80, 0x0101_0180, 0), 0xff02_80ff);
        let difference = Video { combine: Combine::Difference, accumulate: true, ..plain };
        assert_eq!(difference.apply(0x0a00_0005, 0x0003_0006, 100), 100 + 10 + 3 + 1);
        let wide = Video { combine: Combine::Max, width: 16, signed_a: true, signed_b: true, ..plain };
        assert_eq!(wide.apply(0xffff_0001, 0x0001_8000, 0), 0x0001_0001);
        let above = Video { combine: Combine::Compare(Relation::Gt), ..plain };
        assert_eq!(above.apply(0x0500_0200, 0x0400_0201, 0), 0x0100_0000);
    }
}
