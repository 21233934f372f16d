//! Raw bulk copies and reductions: `cp.async.bulk` and `cp.reduce.async.bulk` without a tensor map.
//!
//! One contiguous run. Of the size operand only bits 19:4 count, without any error: 17 copies 16 bytes, 2^20 copies
//! none (hardware: h200 fact 84). Both addresses must be multiples of 16, barriers of 8 (hardware: h200 fact 85).

use crate::plan::Walk;
use crate::reduce::Reduction;
use crate::tma::TmaFault;
use crate::{TransferPlan, Transform};

/// Addresses of bulk copies are multiples of this many bytes.
pub const BULK_ALIGNMENT: u64 = 16;
/// Addresses of barriers are multiples of this many bytes.
pub const BARRIER_ALIGNMENT: u64 = 8;

/// One bulk copy, ready to run.
#[derive(Clone, Debug, PartialEq)]
pub struct BulkCopy {
    /// The bytes.
    pub plan: TransferPlan,
    /// Bytes that really move, which is also what the barrier of a copy into shared memory is told.
    pub bytes: u32,
    /// The size operand, when it differs from [`Self::bytes`]: the engine dropped the rest without a word.
    pub asked: Option<u32>,
}

impl BulkCopy {
    /// `size` bytes from `src` to `dst`; the executor knows which memories these are in.
    ///
    /// # Errors
    /// When an address is not a multiple of 16.
    pub fn new(dst: u64, src: u64, size: u32) -> Result<BulkCopy, TmaFault> {
        BulkCopy::with(dst, src, size, Transform::Copy)
    }

    /// `size` bytes at `src` combined into those at `dst`.
    ///
    /// # Errors
    /// When an address is not a multiple of 16.
    pub fn reduce(dst: u64, src: u64, size: u32, reduction: Reduction) -> Result<BulkCopy, TmaFault> {
        BulkCopy::with(dst, src, size, Transform::Reduce(reduction))
    }

    /// Only the bytes of every 16 that `mask` selects, lowest bit first (`.cp_mask`, sm_100 and later).
    ///
    /// # Errors
    /// When an address is not a multiple of 16.
    pub fn masked(dst: u64, src: u64, size: u32, mask: u16) -> Result<BulkCopy, TmaFault> {
        let mut copy = BulkCopy::new(dst, src, size)?;
        copy.plan.walk = Walk::Masked { src, dst, len: u64::from(copy.bytes), mask };
        Ok(copy)
    }

    fn with(dst: u64, src: u64, size: u32, transform: Transform) -> Result<BulkCopy, TmaFault> {
        aligned("destination address of the bulk copy", dst, BULK_ALIGNMENT)?;
        aligned("source address of the bulk copy", src, BULK_ALIGNMENT)?;
        let bytes = effective_size(size);
        Ok(BulkCopy {
            plan: TransferPlan::linear(src, dst, u64::from(bytes)).with(transform),
            bytes,
            asked: (bytes != size).then_some(size),
        })
    }
}

/// The bytes that a size operand really means. hardware: h200 fact 84.
#[must_use]
pub fn effective_size(size: u32) -> u32 {
    size & 0x000f_fff0
}

/// Checks a bulk prefetch. It moves nothing and never faults on unmapped memory (hardware: h200 fact 87).
///
/// # Errors
/// When the address is not a multiple of 16.
pub fn prefetch(src: u64) -> Result<(), TmaFault> {
    aligned("address of the bulk prefetch", src, BULK_ALIGNMENT)
}

/// Checks the address of a barrier operand.
///
/// # Errors
/// When it is not a multiple of 8.
pub fn barrier(address: u64) -> Result<(), TmaFault> {
    aligned("address of the mbarrier", address, BARRIER_ALIGNMENT)
}

/// Checks one address.
pub(crate) fn aligned(operand: &'static str, address: u64, alignment: u64) -> Result<(), TmaFault> {
    if address.is_multiple_of(alignment) {
        Ok(())
    } else {
        Err(TmaFault::Misaligned { operand, address, alignment })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bits_19_to_4_of_the_size_count() {
        let cases = [(0, 0), (15, 0), (17, 16), (31, 16), (1 << 20, 0), ((1 << 20) + 16, 16), (1 << 31, 0)];
        for (size, bytes) in cases {
            assert_eq!(BulkCopy::new(0, 0, size).unwrap().bytes, bytes, "{size}");
        }
    }

    #[test]
    fn addresses_are_checked() {
        assert_eq!(BulkCopy::new(8, 0, 16).unwrap_err().cuda_error(), 716);
        assert_eq!(BulkCopy::new(0, 4, 16).unwrap_err().cuda_error(), 716);
        assert!(barrier(8).is_ok() && barrier(4).is_err());
    }

    #[test]
    fn a_mask_picks_bytes_of_every_sixteen() {
        let copy = BulkCopy::masked(32, 0, 32, 0b1100_0000_0000_0101).unwrap();
        let runs: Vec<_> = copy.plan.segments().iter().map(|s| (s.src, s.dst, s.len)).collect();
        assert_eq!(runs, [(0, 32, 1), (2, 34, 1), (14, 46, 3), (18, 50, 1), (30, 62, 2)]);
    }
}
