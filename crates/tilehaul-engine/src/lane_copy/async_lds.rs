//! gfx1250's asynchronous copies: `global_load_async_to_lds_b*`, `cluster_load_async_to_lds_b*` and
//! `global_store_async_from_lds_b*`.
//!
//! Each lane brings its LDS address in a register; neither M0 nor the lane number moves it. The immediate is added on both
//! sides, on the LDS side modulo 2^32. A lane whose LDS bytes do not lie inside the allocation is dropped whole by a load
//! (nothing is fetched, the counter is unaffected) and read as zeros by a store.
//!
//! Sources: `manual: llvm AMDGPUDMAOperations; llvm-project #192341`; `inferred: rocjitsu #10199, #10575`.

use super::{LaneCopy, LaneWalk, active};
use crate::{Segment, SegmentKind};

/// Bytes of a lane: there is no 2-byte and no 12-byte form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsyncSize {
    /// `b8`.
    B8,
    /// `b32`.
    B32,
    /// `b64`.
    B64,
    /// `b128`.
    B128,
}

impl AsyncSize {
    /// The form of that many bits.
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<AsyncSize> {
        match bits {
            8 => Some(AsyncSize::B8),
            32 => Some(AsyncSize::B32),
            64 => Some(AsyncSize::B64),
            128 => Some(AsyncSize::B128),
            _ => None,
        }
    }

    /// Bytes of a lane, also what `scale_offset` multiplies the offset register by.
    #[must_use]
    pub fn bytes(self) -> u64 {
        match self {
            AsyncSize::B8 => 1,
            AsyncSize::B32 => 4,
            AsyncSize::B64 => 8,
            AsyncSize::B128 => 16,
        }
    }
}

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsyncDirection {
    /// Global memory to LDS.
    ToLds,
    /// LDS to global memory.
    FromLds,
}

/// One asynchronous copy of a wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AsyncCopy<'a> {
    /// Which way.
    pub direction: AsyncDirection,
    /// Bytes of a lane.
    pub size: AsyncSize,
    /// Active lanes.
    pub exec: u64,
    /// Global address of each lane, scaled offsets included, without the immediate.
    pub global: &'a [u64],
    /// LDS address of each lane, without the immediate.
    pub lds: &'a [u32],
    /// The immediate, added on both sides: -8388608 to 8388607.
    pub offset: i32,
    /// Address of the workgroup's LDS allocation in the memory that the plan will run on.
    pub lds_base: u64,
    /// Bytes of that allocation.
    pub lds_bytes: u64,
}

/// Plans one asynchronous copy.
#[must_use]
pub fn plan(copy: &AsyncCopy<'_>) -> LaneCopy {
    let mut walk = LaneWalk::default();
    let len = copy.size.bytes();
    let (mut outside_lds, mut unaligned_lds) = (0, 0);
    for lane in active(copy.exec) {
        let (Some(&global), Some(&lds)) = (copy.global.get(lane), copy.lds.get(lane)) else { continue };
        let global = global.wrapping_add_signed(i64::from(copy.offset));
        let place = u64::from(lds.wrapping_add_signed(copy.offset));
        let lds = copy.lds_base.wrapping_add(place);
        unaligned_lds |= u64::from(place % 4 != 0 && len >= 4) << lane;
        let outside = place + len > copy.lds_bytes;
        if outside {
            outside_lds |= 1 << lane;
        }
        match (copy.direction, outside) {
            (AsyncDirection::ToLds, true) => {}
            (AsyncDirection::ToLds, false) => {
                walk.push(Segment { src: global, dst: lds, len, kind: SegmentKind::Data });
            }
            (AsyncDirection::FromLds, true) => {
                walk.push(Segment { src: lds, dst: global, len, kind: SegmentKind::Fill });
            }
            (AsyncDirection::FromLds, false) => {
                walk.push(Segment { src: lds, dst: global, len, kind: SegmentKind::Data });
            }
        }
    }
    LaneCopy { plan: walk.into_plan(), outside_lds, unaligned_lds, out_of_range: 0 }
}

/// The workgroups in whose LDS a cluster load lands.
///
/// `m0` bits 15:0 are the mask, bit i for the workgroup with number i in its cluster. A mask of 0, or a cluster of one,
/// makes it the plain load. The issuer gets the data only when it is in the mask. inferred: rocjitsu, CK's multicast
/// README.
#[must_use]
pub fn cluster_targets(m0: u32, issuer: u16, cluster_size: u16) -> u16 {
    let own = 1u16.checked_shl(u32::from(issuer)).unwrap_or(0);
    let mask = (m0 & 0xffff) as u16;
    if mask == 0 || cluster_size <= 1 { own } else { mask }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;

    fn copy<'a>(direction: AsyncDirection, global: &'a [u64], lds: &'a [u32]) -> AsyncCopy<'a> {
        AsyncCopy {
            direction,
            size: AsyncSize::B32,
            exec: u64::from(u32::MAX),
            global,
            lds,
            offset: 0,
            lds_base: 0,
            lds_bytes: 256,
        }
    }

    #[test]
    fn an_lds_address_wraps_and_a_masked_lane_fetches_nothing() {
        let global: Vec<u64> = (0..32).map(|lane| 0x1000 + 4 * lane).collect();
        let lds: Vec<u32> = (0..32).map(|lane| if lane == 1 { 0x7fff_ffff } else { 4 * lane }).collect();
        let mut request = copy(AsyncDirection::ToLds, &global, &lds);
        let first = plan(&request);
        assert_eq!(first.outside_lds, 2);
        assert_eq!(first.plan.count().data, 31 * 4);
        let wrapped = [(-64i32).cast_unsigned(); 32];
        request.lds = &wrapped;
        request.offset = 64;
        request.exec = 1;
        assert_eq!(
            plan(&request).plan.segments(),
            [Segment { src: 0x1040, dst: 0, len: 4, kind: SegmentKind::Data }]
        );
    }

    #[test]
    fn a_store_from_outside_the_allocation_stores_zeros() {
        let global: Vec<u64> = (0..32).map(|lane| 4 * lane).collect();
        let lds: Vec<u32> = (0..32).map(|lane| if lane == 0 { 254 } else { 4 * lane }).collect();
        let mut memory = Region::new(0, vec![0xcc; 128]);
        let source = Region::new(0, (0..=255).collect());
        plan(&copy(AsyncDirection::FromLds, &global, &lds)).plan.run(&source, &mut memory).unwrap();
        assert_eq!(memory.data[..8], [0, 0, 0, 0, 4, 5, 6, 7]);
    }

    #[test]
    fn a_cluster_load_lands_where_its_mask_says() {
        assert_eq!(cluster_targets(0, 2, 4), 4);
        assert_eq!(cluster_targets(0xf, 2, 1), 4);
        assert_eq!(cluster_targets(0x1_0003, 2, 4), 3);
    }
}
