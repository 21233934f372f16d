//! What happens to a memory position after the strided part of a layout: swizzles and padding.
//!
//! Both act on the position on `m` alone, in units of the layout's elements, so any layout can carry them without
//! losing its strides.

use std::fmt;

use crate::strided::{LayoutError, error};

/// One step after the strides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Finish {
    /// CuTe's `Swizzle<bits, base, shift>`: the `bits` bits at `base + shift` are exclusive-ored into those at `base`
    /// (with a negative shift the other way round).
    Swizzle {
        /// Number of bits.
        bits: u32,
        /// Lowest bit that stays as it is below.
        base: u32,
        /// Distance from the changed bits to the ones that change them.
        shift: i32,
    },
    /// Pairs of an interval and an amount: that many unused positions after every so many used ones. Several pairs
    /// count the same used positions and their gaps add up.
    Pad(Vec<(u64, u64)>),
}

impl Finish {
    /// A swizzle, checked.
    ///
    /// # Errors
    /// When the bits overlap or lie above bit 40.
    pub fn swizzle(bits: u32, base: u32, shift: i32) -> Result<Finish, LayoutError> {
        let far = shift.unsigned_abs();
        if bits > 20 || base > 40 || far > 40 || bits + base + far > 40 {
            return error(format!("Swizzle<{bits},{base},{shift}> reaches past bit 40"));
        }
        if far < bits {
            return error(format!(
                "Swizzle<{bits},{base},{shift}> needs a shift of at least {bits}: its bits overlap"
            ));
        }
        Ok(Finish::Swizzle { bits, base, shift })
    }

    /// A padding of (interval, amount) pairs, checked.
    ///
    /// # Errors
    /// When an interval is 0, a number is above 2^20, or there are no or more than eight pairs.
    pub fn pad(pairs: Vec<(u64, u64)>) -> Result<Finish, LayoutError> {
        if pairs.is_empty() || pairs.len() > 8 {
            return error(format!("a padding has one to eight intervals, not {}", pairs.len()));
        }
        for &(interval, amount) in &pairs {
            if interval == 0 || interval > 1 << 20 || amount > 1 << 20 {
                return error(format!(
                    "padding {interval}:+{amount} needs an interval from 1 to 1048576 and a gap of at most as much"
                ));
            }
        }
        Ok(Finish::Pad(pairs))
    }

    /// The position after this step. Negative positions are left alone: they are outside every memory.
    #[must_use]
    pub fn apply(&self, position: i64) -> i64 {
        let Ok(at) = u64::try_from(position) else { return position };
        let done = match self {
            &Finish::Swizzle { bits, base, shift } => {
                let mask = (1u64 << bits) - 1;
                let far = shift.unsigned_abs();
                if shift >= 0 {
                    at ^ ((at >> (base + far) & mask) << base)
                } else {
                    at ^ ((at >> base & mask) << (base + far))
                }
            }
            Finish::Pad(pairs) => pairs.iter().fold(at, |sum, &(interval, amount)| {
                sum.saturating_add((at / interval.max(1)).saturating_mul(amount))
            }),
        };
        i64::try_from(done).unwrap_or(i64::MAX)
    }
}

impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finish::Swizzle { bits, base, shift } => write!(f, "Swizzle<{bits},{base},{shift}>"),
            Finish::Pad(pairs) => {
                let parts: Vec<String> = pairs.iter().map(|(i, a)| format!("{i}:+{a}")).collect();
                write!(f, "pad [{}]", parts.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tilehaul_descriptor::nvidia::Swizzle as TmaSwizzle;

    use super::*;

    /// The steps of a TMA swizzle on elements of `element_bytes`: the bits of a byte address that the hardware permutes
    /// (hardware: h200 fact 32; manual: PTX ISA, swizzling modes).
    fn of_tma(mode: TmaSwizzle, element_bytes: u32) -> Vec<Finish> {
        let steps: &[(u32, u32, i32)] = match mode {
            TmaSwizzle::None => &[],
            TmaSwizzle::B32 | TmaSwizzle::B96 => &[(1, 4, 3)],
            TmaSwizzle::B64 => &[(2, 4, 3)],
            TmaSwizzle::B128 => &[(3, 4, 3)],
            TmaSwizzle::B128Atom32 => &[(2, 5, 2)],
            TmaSwizzle::B128Atom32Flip8 => &[(2, 5, 2), (1, 3, 4)],
            TmaSwizzle::B128Atom64 => &[(1, 6, 1)],
        };
        let down = element_bytes.ilog2();
        steps.iter().map(|&(bits, base, shift)| Finish::Swizzle { bits, base: base - down, shift }).collect()
    }

    #[test]
    fn tma_modes_are_swizzles() {
        for &mode in TmaSwizzle::ALL {
            for element in [1u32, 2, 4, 8] {
                let steps = of_tma(mode, element);
                for position in (0..4096).step_by(element as usize) {
                    let want = mode.permute(position) / u64::from(element);
                    let got = steps.iter().fold(position as i64 / i64::from(element), |p, s| s.apply(p));
                    assert_eq!(got as u64, want, "{mode:?} {element} {position}");
                }
            }
        }
    }

    #[test]
    fn odd_parameters_are_refused() {
        assert!(Finish::swizzle(3, 4, 2).is_err());
        assert!(Finish::swizzle(3, 4, i32::MIN).is_err());
        assert!(Finish::swizzle(0, 0, 0).is_ok());
        assert_eq!(Finish::swizzle(2, 0, -2).unwrap().apply(0b0001), 0b0101);
        assert!(Finish::pad(vec![(0, 4)]).is_err());
        assert_eq!(Finish::pad(vec![(512, 16)]).unwrap().apply(1030), 1030 + 32);
        // Two intervals count the same used positions.
        assert_eq!(Finish::pad(vec![(2, 1), (4, 2)]).unwrap().apply(4), 4 + 2 + 2);
    }
}
