//! The mbarrier object of sm_90 and later: 64 bits of state and what every operation does to them.
//!
//! The object counts two things down at once: arrivals still *pending* in the current phase and *transaction bytes*
//! that asynchronous copies still owe. The phase ends when both are zero, after whatever operation made it so (also an
//! `expect_tx` that brings a negative count back to zero). Then the phase bit flips and the pending count starts again
//! from the *expected* one.
//!
//! This is a pure value: it knows no memory, no scope and no waiting thread. On the device live objects sit in a cache
//! beside shared memory, which the interpreter of recorded scripts models.
//!
//! hardware: h200 facts 103 to 117. Layout: 63 phase, 62:43 `2^20 - pending`, 42 always 0, 41:21 minus the transaction
//! count in two's complement, 20:1 `2^20 - expected`, 0 the layout version.

use std::fmt;

/// Counts are stored as this minus the count.
const COUNT_RANGE: u32 = 1 << 20;
const COUNT_MASK: u64 = (1 << 20) - 1;
const TX_MASK: u64 = (1 << 21) - 1;
/// Operands of `expect_tx` and `complete_tx` must be below this. hardware: h200 fact 113.
pub const TX_OPERAND_LIMIT: u32 = 1 << 20;
/// Largest transaction count that the field holds. hardware: h200 fact 113.
pub const TX_MAX: i64 = 1 << 20;
/// Smallest transaction count that the field holds. hardware: h200 fact 113.
pub const TX_MIN: i64 = -((1 << 20) - 1);

/// The 64 bits of an mbarrier object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mbarrier(pub u64);

/// Layout of an object (PTX 9.3). Only v0 was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MbarrierLayout {
    /// Counts up to 2^20 - 1.
    #[default]
    V0,
    /// Counts up to 2^9 - 1, per-phase payload report. manual: PTX ISA 9.3; the report bits are not modelled.
    V1,
}

/// The state that an arrival returns: only bits 63:32 mean anything. hardware: h200 fact 104.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token(pub u64);

/// What an operation does to an object that cannot take it: the launch dies with error 719.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MbarrierFault {
    /// More arrivals than are pending. hardware: h200 facts 111, 112.
    OverArrive {
        /// Arrivals asked for.
        count: u32,
        /// Arrivals still pending.
        pending: u32,
    },
    /// A transaction operand of 2^20 or more. hardware: h200 fact 113.
    TransactionOperand {
        /// The operand in bytes.
        bytes: u32,
    },
    /// The transaction count leaves its range. hardware: h200 fact 113.
    TransactionRange {
        /// The count in bytes that would result.
        count: i64,
    },
    /// The bits are no state that any operation leaves behind (bit 42 is set). hardware: h200 e09 raw cases.
    NotABarrier {
        /// The 64 bits found.
        bits: u64,
    },
}

impl MbarrierFault {
    /// The CUDA error of the launch.
    #[must_use]
    pub fn cuda_error(self) -> u32 {
        719
    }
}

impl fmt::Display for MbarrierFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MbarrierFault::OverArrive { count, pending: 0 } => write!(
                f,
                "{} on an mbarrier that waits for none in this phase (it still waits for bytes, or was \
                 initialised or dropped to a count of 0)",
                arrivals(count)
            ),
            MbarrierFault::OverArrive { count, pending } => {
                let arrivals = arrivals(count);
                write!(f, "{arrivals} on an mbarrier that waits for only {pending} more in this phase")
            }
            MbarrierFault::TransactionOperand { bytes } => write!(
                f,
                "a transaction count of {bytes} bytes in one operation; an mbarrier takes at most {} bytes",
                TX_OPERAND_LIMIT - 1
            ),
            MbarrierFault::TransactionRange { count } => write!(
                f,
                "the transaction count of an mbarrier would become {count} bytes; it holds {TX_MIN} to {TX_MAX}"
            ),
            MbarrierFault::NotABarrier { bits } => {
                write!(f, "an mbarrier operation on {bits:#018x}, which is not the state of an mbarrier")
            }
        }
    }
}

fn arrivals(count: u32) -> String {
    if count == 1 { "1 arrival".to_owned() } else { format!("{count} arrivals") }
}

impl std::error::Error for MbarrierFault {}

impl Mbarrier {
    /// The object that `mbarrier.init` writes for `count` arrivals a phase. Any count is written, in 32-bit arithmetic;
    /// 0 and 2^20 give an object whose first arrival faults, larger ones leak into the other fields.
    /// hardware: h200 fact 110.
    #[must_use]
    pub fn init(count: u32, layout: MbarrierLayout) -> Mbarrier {
        let stored = COUNT_RANGE.wrapping_sub(count);
        let low = stored << 1 | u32::from(layout == MbarrierLayout::V1);
        Mbarrier(u64::from(stored << 11) << 32 | u64::from(low))
    }

    /// Parity of the current phase.
    #[must_use]
    pub fn phase(self) -> bool {
        self.0 >> 63 == 1
    }

    /// Arrivals that the current phase still waits for.
    #[must_use]
    pub fn pending(self) -> u32 {
        count_of(self.0 >> 43)
    }

    /// Arrivals that the next phase will wait for.
    #[must_use]
    pub fn expected(self) -> u32 {
        count_of(self.0 >> 1)
    }

    /// Bytes that the current phase still waits for; negative when more have come than were announced.
    #[must_use]
    pub fn tx_count(self) -> i64 {
        let field = (self.0 >> 21 & TX_MASK).cast_signed();
        let signed = if field >= 1 << 20 { field - (1 << 21) } else { field };
        -signed
    }

    /// The layout version.
    #[must_use]
    pub fn layout(self) -> MbarrierLayout {
        if self.0 & 1 == 1 { MbarrierLayout::V1 } else { MbarrierLayout::V0 }
    }

    /// `expect_tx`: announces `bytes`.
    ///
    /// # Errors
    /// When the operand or the count leaves its range.
    pub fn expect_tx(&mut self, bytes: u32) -> Result<(), MbarrierFault> {
        let mut next = *self;
        next.add_tx(bytes, 1)?;
        next.complete();
        *self = next;
        Ok(())
    }

    /// `complete_tx`: takes `bytes` off, as every asynchronous copy does when they have landed.
    ///
    /// # Errors
    /// When the operand or the count leaves its range.
    pub fn complete_tx(&mut self, bytes: u32) -> Result<(), MbarrierFault> {
        let mut next = *self;
        next.add_tx(bytes, -1)?;
        next.complete();
        *self = next;
        Ok(())
    }

    /// `arrive` with a count; 0 does nothing. Returns the state before.
    ///
    /// # Errors
    /// When fewer arrivals are pending.
    pub fn arrive(&mut self, count: u32) -> Result<Token, MbarrierFault> {
        let token = self.token();
        let mut next = *self;
        next.take(count)?;
        next.complete();
        *self = next;
        Ok(token)
    }

    /// `arrive.expect_tx`: announces `bytes`, then arrives once, as one operation. Returns the state before.
    ///
    /// # Errors
    /// As [`Self::expect_tx`] and [`Self::arrive`].
    pub fn arrive_expect_tx(&mut self, bytes: u32) -> Result<Token, MbarrierFault> {
        let token = self.token();
        let mut next = *self;
        next.add_tx(bytes, 1)?;
        next.take(1)?;
        next.complete();
        *self = next;
        Ok(token)
    }

    /// `arrive_drop`: lowers the expected count of all later phases, then arrives. Dropping everything completes the
    /// phase and leaves an object whose next arrival faults. hardware: h200 fact 112. Returns the state before.
    ///
    /// # Errors
    /// When fewer arrivals are pending.
    pub fn arrive_drop(&mut self, count: u32) -> Result<Token, MbarrierFault> {
        self.drop_with(count, 0)
    }

    /// `arrive_drop.expect_tx`: announces `bytes`, then drops one arrival. Returns the state before.
    ///
    /// # Errors
    /// As [`Self::expect_tx`] and [`Self::arrive`].
    pub fn arrive_drop_expect_tx(&mut self, bytes: u32) -> Result<Token, MbarrierFault> {
        self.drop_with(1, bytes)
    }

    fn drop_with(&mut self, count: u32, bytes: u32) -> Result<Token, MbarrierFault> {
        let token = self.token();
        let mut next = *self;
        next.add_tx(bytes, 1)?;
        next.take(count)?;
        let expected = (next.0 >> 1 & COUNT_MASK) + u64::from(count);
        next.0 = next.0 & !(COUNT_MASK << 1) | (expected & COUNT_MASK) << 1;
        next.complete();
        *self = next;
        Ok(token)
    }

    /// `arrive.noComplete`. The manual forbids that it completes the phase; the device lets it.
    /// hardware: h200 fact 111. Returns the state before.
    ///
    /// # Errors
    /// When fewer arrivals are pending.
    pub fn arrive_no_complete(&mut self, count: u32) -> Result<Token, MbarrierFault> {
        self.arrive(count)
    }

    /// `cp.async.mbarrier.arrive` without `.noinc`, at issue: one more arrival becomes pending. hardware: h200 fact 117.
    ///
    /// # Errors
    /// When the pending count is at its top.
    pub fn add_pending(&mut self, count: u32) -> Result<(), MbarrierFault> {
        let pending = self.pending();
        match pending.checked_add(count) {
            Some(sum) if sum < COUNT_RANGE => {
                self.set_pending(sum);
                Ok(())
            }
            _ => Err(MbarrierFault::OverArrive { count, pending }),
        }
    }

    /// `test_wait.parity`: whether the phase of that parity (bit 0 of the operand) has completed. True as well for the
    /// parity before the first phase, false again two phases later. hardware: h200 fact 115.
    #[must_use]
    pub fn test_parity(self, parity: u32) -> bool {
        self.phase() != (parity & 1 == 1)
    }

    /// `test_wait` with the state of an arrival: whether that arrival's phase has completed. A token two phases old
    /// says no again. hardware: h200 fact 115.
    #[must_use]
    pub fn test_token(self, token: Token) -> bool {
        self.phase() != (token.0 >> 63 == 1)
    }

    fn token(self) -> Token {
        Token(self.0 >> 32 << 32)
    }

    /// Takes arrivals off without looking whether the phase ends.
    fn take(&mut self, count: u32) -> Result<(), MbarrierFault> {
        if count == 0 {
            return Ok(());
        }
        if self.0 >> 42 & 1 == 1 {
            return Err(MbarrierFault::NotABarrier { bits: self.0 });
        }
        let pending = self.pending();
        if count > pending {
            return Err(MbarrierFault::OverArrive { count, pending });
        }
        self.set_pending(pending - count);
        Ok(())
    }

    fn set_pending(&mut self, pending: u32) {
        self.0 = self.0 & !(COUNT_MASK << 43) | (u64::from(COUNT_RANGE - pending) & COUNT_MASK) << 43;
    }

    fn add_tx(&mut self, bytes: u32, sign: i64) -> Result<(), MbarrierFault> {
        if bytes >= TX_OPERAND_LIMIT {
            return Err(MbarrierFault::TransactionOperand { bytes });
        }
        let count = self.tx_count() + sign * i64::from(bytes);
        if !(TX_MIN..=TX_MAX).contains(&count) {
            return Err(MbarrierFault::TransactionRange { count });
        }
        self.0 = self.0 & !(TX_MASK << 21) | ((-count).cast_unsigned() & TX_MASK) << 21;
        Ok(())
    }

    /// Ends the phase if nothing is left to wait for. hardware: h200 fact 114.
    fn complete(&mut self) {
        if self.pending() == 0 && self.tx_count() == 0 {
            let expected = self.expected();
            self.0 ^= 1 << 63;
            self.set_pending(expected);
        }
    }
}

impl Token {
    /// `mbarrier.pending_count`: arrivals pending before the arrival that returned this state.
    /// hardware: h200 fact 117.
    #[must_use]
    pub fn pending_count(self) -> u32 {
        // Unlike the object's own count this is the instruction's plain subtraction: a field of 0 reads as 2^20.
        COUNT_RANGE - (self.0 >> 43 & COUNT_MASK) as u32
    }
}

impl fmt::Debug for Mbarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "mbarrier {:#018x} (phase {}, {} of {} arrivals pending, {} bytes pending)",
            self.0,
            u8::from(self.phase()),
            self.pending(),
            self.expected(),
            self.tx_count()
        )
    }
}

/// A count from its stored form; the field 0 stands for 0, as after the last arrival of a phase that waits for bytes.
fn count_of(field: u64) -> u32 {
    ((u64::from(COUNT_RANGE) - (field & COUNT_MASK)) & COUNT_MASK) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Raw words read back on an H200 after `mbarrier.inval` (e09_limits).
    #[test]
    fn recorded_words_come_out() {
        let new = |n| Mbarrier::init(n, MbarrierLayout::V0);
        let after = |n, ops: &[(char, u32)]| {
            let mut b = new(n);
            for (op, x) in ops {
                match op {
                    'e' => b.expect_tx(*x).unwrap(),
                    'c' => b.complete_tx(*x).unwrap(),
                    'a' => drop(b.arrive(*x).unwrap()),
                    'x' => drop(b.arrive_expect_tx(*x).unwrap()),
                    'd' => drop(b.arrive_drop(*x).unwrap()),
                    other => unreachable!("{other}"),
                }
            }
            b.0
        };
        assert_eq!(after(0, &[]), 0x8000_0000_0020_0000);
        assert_eq!(after(1 << 20, &[]), 0);
        assert_eq!(after((1 << 20) + 1, &[]), 0xffff_f800_ffff_fffe);
        assert_eq!(after(u32::MAX, &[]), 0x8000_0800_0020_0002);
        assert_eq!(after(1000, &[('e', 1)]), 0x7fe0_c3ff_ffff_f830);
        assert_eq!(after(1000, &[('c', 16)]), 0x7fe0_c000_021f_f830);
        assert_eq!(after(1000, &[('e', (1 << 20) - 1), ('e', 1)]), 0x7fe0_c200_001f_f830);
        assert_eq!(after(2, &[('d', 2)]), 0x8000_0000_0000_0000);
        assert_eq!(after(3, &[('d', 1), ('a', 2)]), 0xffff_f000_001f_fffc);
        assert_eq!(after(1, &[('x', 48)]), 0x0000_03ff_fa1f_fffe);
        assert_eq!(after(1, &[('c', 48), ('a', 1)]), 0x0000_0000_061f_fffe);
        assert_eq!(new(0).arrive(1), Err(MbarrierFault::OverArrive { count: 1, pending: 0 }));
        assert_eq!(new(1000).complete_tx(1 << 20), Err(MbarrierFault::TransactionOperand { bytes: 1 << 20 }));
    }

    #[test]
    fn an_expect_that_reaches_zero_ends_the_phase() {
        let mut b = Mbarrier::init(1, MbarrierLayout::V0);
        b.complete_tx(16).unwrap();
        b.arrive(1).unwrap();
        assert!(!b.test_parity(0));
        b.expect_tx(16).unwrap();
        assert!(b.test_parity(0) && !b.test_parity(1));
    }

    proptest! {
        #[test]
        fn arrivals_and_bytes_balance(count in 1u32..2000, sizes in prop::collection::vec(0u32..70_000, 0..20)) {
            let mut b = Mbarrier::init(count, MbarrierLayout::V0);
            let mut total = 0;
            for size in &sizes {
                if i64::from(*size) + total <= TX_MAX {
                    b.expect_tx(*size).unwrap();
                    total += i64::from(*size);
                }
                prop_assert_eq!(b.tx_count(), total);
            }
            b.arrive(count - 1).unwrap();
            prop_assert_eq!(b.pending(), 1);
            b.arrive(1).unwrap();
            prop_assert_eq!(b.phase(), total == 0);
            while total > 0 {
                let step = total.min(9999);
                b.complete_tx(step as u32).unwrap();
                total -= step;
            }
            prop_assert!(b.phase());
            prop_assert_eq!((b.pending(), b.expected()), (count, count));
        }

        #[test]
        fn no_bits_make_it_panic(bits: u64, ops in prop::collection::vec((0u8..8, any::<u32>()), 0..10)) {
            let mut b = Mbarrier(bits);
            for (op, x) in ops {
                let _ = match op {
                    0 => b.expect_tx(x),
                    1 => b.complete_tx(x),
                    2 => b.arrive(x).map(drop),
                    3 => b.arrive_expect_tx(x).map(drop),
                    4 => b.arrive_drop(x).map(drop),
                    5 => b.arrive_drop_expect_tx(x).map(drop),
                    6 => b.add_pending(x & 3),
                    _ => {
                        let _ = b.test_parity(x);
                        Ok(())
                    }
                };
                let _ = format!("{b:?} {}", Token(b.0).pending_count());
            }
        }
    }
}
