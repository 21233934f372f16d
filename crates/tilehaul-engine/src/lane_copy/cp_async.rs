//! NVIDIA's `cp.async`: each thread copies 4, 8 or 16 bytes to shared memory, of which the first `src-size` come from
//! global memory and the rest are zeros.
//!
//! Source: `manual: PTX ISA 9.0, cp.async`.

use std::fmt;

use super::{LaneWalk, active};
use crate::{Segment, SegmentKind, TransferPlan};

/// One thread's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Shared-memory address.
    pub dst: u64,
    /// Global address.
    pub src: u64,
    /// Bytes that come from `src`; 0 when the `ignore-src` predicate is set.
    pub src_size: u32,
}

/// What makes the copy undefined or fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpAsyncFault {
    /// The size is not 4, 8 or 16, or not 16 with `.cg`.
    Size(
        /// The size.
        u32,
    ),
    /// `src-size` is larger than the size.
    SourceSize {
        /// Lane of the thread.
        lane: usize,
        /// Its `src-size`.
        src_size: u32,
        /// The size of the copy.
        size: u32,
    },
    /// An address is not a multiple of the size.
    Unaligned {
        /// Lane of the thread.
        lane: usize,
        /// The address.
        address: u64,
        /// The size of the copy.
        size: u32,
    },
}

impl fmt::Display for CpAsyncFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CpAsyncFault::Size(size) => {
                write!(f, "cp.async copies 4, 8 or 16 bytes (with .cg only 16), not {size}")
            }
            CpAsyncFault::SourceSize { lane, src_size, size } => {
                write!(
                    f,
                    "src-size = {src_size} of lane {lane} is larger than the {size} bytes that cp.async copies"
                )
            }
            CpAsyncFault::Unaligned { lane, address, size } => {
                write!(
                    f,
                    "address {address:#x} of lane {lane} is not a multiple of the {size} bytes that cp.async copies"
                )
            }
        }
    }
}

impl std::error::Error for CpAsyncFault {}

/// Cache operator of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheAt {
    /// `.ca`: 4, 8 or 16 bytes.
    All,
    /// `.cg`: 16 bytes.
    Global,
}

/// Plans one `cp.async` of a warp; `threads[lane]` are the operands of that lane.
///
/// # Errors
/// What the instruction does not allow, for the first lane that does it.
pub fn plan(
    active_lanes: u32,
    size: u32,
    cache: CacheAt,
    threads: &[Thread],
) -> Result<TransferPlan, CpAsyncFault> {
    let legal = matches!((size, cache), (16, _) | (4 | 8, CacheAt::All));
    if !legal {
        return Err(CpAsyncFault::Size(size));
    }
    let mut walk = LaneWalk::default();
    for lane in active(u64::from(active_lanes)) {
        let Some(thread) = threads.get(lane) else { continue };
        if thread.src_size > size {
            return Err(CpAsyncFault::SourceSize { lane, src_size: thread.src_size, size });
        }
        // With nothing to read, the source address does not matter.
        let read = (thread.src_size > 0).then_some(thread.src);
        for address in read.into_iter().chain([thread.dst]) {
            if address % u64::from(size) != 0 {
                return Err(CpAsyncFault::Unaligned { lane, address, size });
            }
        }
        let (data, all) = (u64::from(thread.src_size), u64::from(size));
        let (src, dst) = (thread.src, thread.dst);
        walk.push(Segment { src, dst, len: data, kind: SegmentKind::Data });
        walk.push(Segment { src, dst: dst.wrapping_add(data), len: all - data, kind: SegmentKind::Fill });
    }
    Ok(walk.into_plan())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;

    fn threads(src_size: u32) -> Vec<Thread> {
        (0..32).map(|lane| Thread { dst: 16 * lane, src: 0x1000 + 16 * lane, src_size }).collect()
    }

    #[test]
    fn the_rest_of_a_short_source_is_zero() {
        let source = Region::new(0x1000, (0..=255).cycle().take(512).collect());
        let mut shared = Region::new(0, vec![0xcc; 512]);
        plan(1, 16, CacheAt::Global, &threads(5)).unwrap().run(&source, &mut shared).unwrap();
        assert_eq!(shared.data[3..18], [3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xcc, 0xcc]);
        plan(2, 16, CacheAt::Global, &threads(0)).unwrap().run(&source, &mut shared).unwrap();
        assert_eq!(shared.data[15..33], [[0; 17].as_slice(), &[0xcc]].concat());
    }

    #[test]
    fn a_coalesced_warp_is_one_segment() {
        let copy = plan(u32::MAX, 16, CacheAt::All, &threads(16)).unwrap();
        assert_eq!(copy.segments(), [Segment { src: 0x1000, dst: 0, len: 512, kind: SegmentKind::Data }]);
    }

    #[test]
    fn what_the_instruction_does_not_allow_is_named() {
        assert_eq!(plan(1, 8, CacheAt::Global, &threads(8)), Err(CpAsyncFault::Size(8)));
        assert!(matches!(plan(1, 16, CacheAt::All, &threads(17)), Err(CpAsyncFault::SourceSize { .. })));
        let odd = [Thread { dst: 4, src: 0x1000, src_size: 8 }];
        assert!(matches!(plan(1, 8, CacheAt::All, &odd), Err(CpAsyncFault::Unaligned { address: 4, .. })));
    }
}
