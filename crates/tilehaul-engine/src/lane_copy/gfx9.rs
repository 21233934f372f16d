//! Loads to LDS of CDNA: `global_load_lds_*`, `buffer_load_* … lds`, `scratch_load_lds_*`.
//!
//! There is no destination register. Lane L of the wave (its physical number, not its rank among active lanes) writes at
//! `M0 + immediate + L * S` in the workgroup's LDS, where S is 4 for sizes 1, 2 and 4 and 16 for sizes 12 and 16; the same
//! immediate is added to the memory address. A byte or half is widened to a dword; a 12-byte slot keeps its last dword.
//! The buffer form writes zeros for what its range check refuses, dword by dword; the global form checks nothing. A lane
//! that is off writes nothing.
//!
//! Sources: `manual: llvm AMDGPUDMAOperations, CDNA3 ISA 9.1.9`; `hardware: rocm-libraries #5084 (bytes widen), #6250 (12
//! in 16)`; `hardware: rocjitsu against gfx950 (zeros out of range)`.

use tilehaul_descriptor::amd::buffer_resource::{BufferAccess, BufferElement, BufferResource};

use super::{LaneCopy, LaneWalk, active};
use crate::{Segment, SegmentKind, Transform};

/// How many bytes a lane loads and how they are widened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LdsLoadSize {
    /// A byte, zero-extended to a dword.
    UByte,
    /// A byte, sign-extended to a dword.
    SByte,
    /// A half, zero-extended to a dword.
    UShort,
    /// A half, sign-extended to a dword.
    SShort,
    /// A dword.
    Dword,
    /// Three dwords in a slot of four.
    Dwordx3,
    /// Four dwords.
    Dwordx4,
}

impl LdsLoadSize {
    /// All sizes.
    pub const ALL: [LdsLoadSize; 7] = [
        LdsLoadSize::UByte,
        LdsLoadSize::SByte,
        LdsLoadSize::UShort,
        LdsLoadSize::SShort,
        LdsLoadSize::Dword,
        LdsLoadSize::Dwordx3,
        LdsLoadSize::Dwordx4,
    ];

    /// Bytes that a lane reads.
    #[must_use]
    pub fn memory_bytes(self) -> u64 {
        match self {
            LdsLoadSize::UByte | LdsLoadSize::SByte => 1,
            LdsLoadSize::UShort | LdsLoadSize::SShort => 2,
            LdsLoadSize::Dword => 4,
            LdsLoadSize::Dwordx3 => 12,
            LdsLoadSize::Dwordx4 => 16,
        }
    }

    /// Bytes that a lane writes.
    #[must_use]
    pub fn lds_bytes(self) -> u64 {
        self.memory_bytes().max(4)
    }

    /// Distance from one lane's slot to the next.
    #[must_use]
    pub fn lane_stride(self) -> u64 {
        if self.memory_bytes() > 4 { 16 } else { 4 }
    }

    fn transform(self) -> Transform {
        match self {
            LdsLoadSize::SByte => Transform::SignExtend { halves: false },
            LdsLoadSize::SShort => Transform::SignExtend { halves: true },
            LdsLoadSize::UByte
            | LdsLoadSize::UShort
            | LdsLoadSize::Dword
            | LdsLoadSize::Dwordx3
            | LdsLoadSize::Dwordx4 => Transform::Copy,
        }
    }
}

/// Targets with loads to LDS and the sizes in bytes that each has. inferred: what llvm-mc 22 assembles.
pub static TARGETS: &[(&str, &[u64])] = &[
    ("gfx900", &[1, 2, 4]),
    ("gfx906", &[1, 2, 4]),
    ("gfx908", &[1, 2, 4]),
    ("gfx90a", &[1, 2, 4]),
    ("gfx942", &[1, 2, 4]),
    ("gfx950", &[1, 2, 4, 12, 16]),
    ("gfx1030", &[1, 2, 4]),
];

/// Where the lanes read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source<'a> {
    /// A memory address for each lane, without the immediate (global and scratch forms).
    Addresses(&'a [u64]),
    /// A buffer resource and each lane's operands; their `inst_offset` is taken from the instruction.
    Buffer(BufferResource, &'a [BufferAccess]),
}

/// How an LDS address past the allocation is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PastLds {
    /// As the form does it: the buffer form drops the lane, the global form writes on (which the memory refuses).
    /// inferred: Triton #10588, #2801.
    ByForm,
    /// The lane is dropped.
    Drop,
}

/// One load to LDS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LdsLoad<'a> {
    /// Bytes of a lane.
    pub size: LdsLoadSize,
    /// Active lanes.
    pub exec: u64,
    /// Where they read.
    pub source: Source<'a>,
    /// M0. All 32 bits count: CDNA3's manual speaks of 16, but gfx950 has 160 KB.
    pub m0: u32,
    /// The instruction's immediate, added on both sides.
    pub offset: i32,
    /// Address of the workgroup's LDS allocation in the memory that the plan will run on.
    pub lds_base: u64,
    /// Bytes of that allocation.
    pub lds_bytes: u64,
    /// Treatment of lanes past it.
    pub past_lds: PastLds,
}

/// An addressing form that is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported(
    /// What it is.
    pub &'static str,
);

/// Plans one load to LDS.
///
/// # Errors
/// When the buffer's addressing is not modelled.
pub fn plan(load: &LdsLoad<'_>) -> Result<LaneCopy, Unsupported> {
    let mut walk = LaneWalk::default();
    let mut copy =
        LaneCopy { plan: TransferPlan::linear(0, 0, 0), outside_lds: 0, unaligned_lds: 0, out_of_range: 0 };
    let start = load.m0.wrapping_add_signed(load.offset);
    for lane in active(load.exec) {
        let lds = u64::from(start.wrapping_add(lane as u32 * load.size.lane_stride() as u32));
        let end = lds + load.size.lds_bytes();
        copy.unaligned_lds |= u64::from(lds % 4 != 0) << lane;
        if end > load.lds_bytes {
            copy.outside_lds |= 1 << lane;
            let drops = matches!(load.source, Source::Buffer(..)) || load.past_lds == PastLds::Drop;
            if drops {
                continue;
            }
        }
        let dst = load.lds_base.wrapping_add(lds);
        match load.source {
            Source::Addresses(addresses) => {
                let Some(&address) = addresses.get(lane) else { continue };
                let src = address.wrapping_add_signed(i64::from(load.offset));
                push_lane(&mut walk, load.size, src, dst);
            }
            Source::Buffer(resource, accesses) => {
                let Some(access) = accesses.get(lane) else { continue };
                // The immediate of the buffer form is unsigned, 0 to 4095.
                let access = BufferAccess { inst_offset: load.offset.cast_unsigned(), ..*access };
                if push_buffer_lane(&mut walk, load.size, &resource, &access, dst)? {
                    copy.out_of_range |= 1 << lane;
                }
            }
        }
    }
    copy.plan = walk.into_plan().with(load.size.transform());
    Ok(copy)
}

/// A lane whose whole source is there.
fn push_lane(walk: &mut LaneWalk, size: LdsLoadSize, src: u64, dst: u64) {
    let (read, written) = (size.memory_bytes(), size.lds_bytes());
    match size {
        LdsLoadSize::SByte | LdsLoadSize::SShort => {
            walk.push_apart(Segment { src, dst, len: written, kind: SegmentKind::Data });
        }
        LdsLoadSize::UByte
        | LdsLoadSize::UShort
        | LdsLoadSize::Dword
        | LdsLoadSize::Dwordx3
        | LdsLoadSize::Dwordx4 => {
            walk.push(Segment { src, dst, len: read, kind: SegmentKind::Data });
            walk.push(Segment { src, dst: dst + read, len: written - read, kind: SegmentKind::Fill });
        }
    }
}

/// A lane of the buffer form: dword by dword, zeros out of range. Says whether any part was out of range.
fn push_buffer_lane(
    walk: &mut LaneWalk,
    size: LdsLoadSize,
    resource: &BufferResource,
    access: &BufferAccess,
    dst: u64,
) -> Result<bool, Unsupported> {
    let element = size.memory_bytes().min(4);
    let count = (size.memory_bytes() / element) as u32;
    let mut outside = false;
    for i in 0..count {
        let dst = dst + u64::from(i) * 4;
        match resource.element(access, i, element as u32, count, false) {
            BufferElement::At(src) if element == 4 => {
                walk.push(Segment { src, dst, len: 4, kind: SegmentKind::Data });
            }
            BufferElement::At(src) => push_lane(walk, size, src, dst),
            BufferElement::OutOfRange => {
                outside = true;
                walk.push(Segment { src: 0, dst, len: 4, kind: SegmentKind::Fill });
            }
            BufferElement::Unsupported(what) => return Err(Unsupported(what)),
        }
    }
    Ok(outside)
}

use crate::TransferPlan;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;
    use tilehaul_descriptor::amd::buffer_resource::BufferGeneration;

    fn run(load: &LdsLoad<'_>, memory: &Region) -> (Vec<u8>, LaneCopy) {
        let mut lds = Region::new(0, vec![0xcc; load.lds_bytes as usize]);
        let copy = plan(load).unwrap();
        copy.plan.run(memory, &mut lds).unwrap();
        (lds.data, copy)
    }

    fn load(size: LdsLoadSize, exec: u64, source: Source<'_>) -> LdsLoad<'_> {
        LdsLoad {
            size,
            exec,
            source,
            m0: 0,
            offset: 0,
            lds_base: 0,
            lds_bytes: 4096,
            past_lds: PastLds::ByForm,
        }
    }

    fn memory() -> Region {
        Region::new(0x1000, (0..=255).cycle().take(4096).collect())
    }

    #[test]
    fn bytes_take_a_dword_slot_each() {
        let addresses: Vec<u64> = (0..64).map(|lane| 0x1000 + lane).collect();
        let (lds, _) = run(&load(LdsLoadSize::UByte, u64::MAX, Source::Addresses(&addresses)), &memory());
        assert_eq!(lds[..12], [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(lds[256], 0xcc);
    }

    #[test]
    fn signed_bytes_and_halves_are_extended() {
        let addresses: Vec<u64> = (0..64).map(|lane| 0x1080 + 2 * lane).collect();
        let (lds, _) = run(&load(LdsLoadSize::SByte, 3, Source::Addresses(&addresses)), &memory());
        assert_eq!(lds[..8], [0x80, 0xff, 0xff, 0xff, 0x82, 0xff, 0xff, 0xff]);
        let (lds, _) = run(&load(LdsLoadSize::SShort, 1, Source::Addresses(&addresses)), &memory());
        assert_eq!(lds[..5], [0x80, 0x81, 0xff, 0xff, 0xcc]);
    }

    #[test]
    fn the_immediate_moves_both_sides_and_masked_lanes_keep_their_slot() {
        let addresses: Vec<u64> = (0..64).map(|lane| 0x1000 + 4 * lane).collect();
        let mut request = load(LdsLoadSize::Dword, 0b101, Source::Addresses(&addresses));
        request.m0 = 64;
        request.offset = 16;
        let (lds, copy) = run(&request, &memory());
        assert_eq!(
            lds[80..96],
            [16, 17, 18, 19, 0xcc, 0xcc, 0xcc, 0xcc, 24, 25, 26, 27, 0xcc, 0xcc, 0xcc, 0xcc]
        );
        assert_eq!(copy.plan.segments().len(), 2);
    }

    #[test]
    fn a_full_wave_of_dwords_is_one_segment() {
        let addresses: Vec<u64> = (0..64).map(|lane| 0x1000 + 4 * lane).collect();
        let copy = plan(&load(LdsLoadSize::Dword, u64::MAX, Source::Addresses(&addresses))).unwrap();
        assert_eq!(
            copy.plan.segments(),
            [Segment { src: 0x1000, dst: 0, len: 256, kind: SegmentKind::Data }]
        );
    }

    #[test]
    fn three_dwords_lie_in_slots_of_four() {
        let addresses: Vec<u64> = (0..64).map(|lane| 0x1000 + 12 * lane).collect();
        let (lds, _) = run(&load(LdsLoadSize::Dwordx3, 3, Source::Addresses(&addresses)), &memory());
        assert_eq!(lds[10..18], [10, 11, 0xcc, 0xcc, 0xcc, 0xcc, 12, 13]);
    }

    #[test]
    fn the_buffer_form_writes_zeros_out_of_range() {
        let words = BufferResource::encode_raw(0x1000, 14, BufferGeneration::Gfx9).unwrap();
        let resource = BufferResource::decode(words, BufferGeneration::Gfx9);
        let accesses = [BufferAccess::default(); 64];
        let (lds, copy) = run(&load(LdsLoadSize::Dwordx4, 1, Source::Buffer(resource, &accesses)), &memory());
        assert_eq!(lds[8..17], [8, 9, 10, 11, 0, 0, 0, 0, 0xcc]);
        assert_eq!(copy.out_of_range, 1);
        let masked = [BufferAccess { voffset: 0x8000_0000, ..BufferAccess::default() }; 64];
        let (lds, _) = run(&load(LdsLoadSize::UByte, 1, Source::Buffer(resource, &masked)), &memory());
        assert_eq!(lds[..5], [0, 0, 0, 0, 0xcc]);
    }

    #[test]
    fn lanes_past_the_allocation_are_named() {
        let addresses: Vec<u64> = (0..64).map(|lane| 0x1000 + 4 * lane).collect();
        let mut request = load(LdsLoadSize::Dword, u64::MAX, Source::Addresses(&addresses));
        request.m0 = 4096 - 8;
        request.past_lds = PastLds::Drop;
        let (lds, copy) = run(&request, &memory());
        assert_eq!(copy.outside_lds, !3);
        assert_eq!(lds[4088..], [0, 1, 2, 3, 4, 5, 6, 7]);
        request.past_lds = PastLds::ByForm;
        assert!(plan(&request).unwrap().plan.run(&memory(), &mut Region::new(0, vec![0; 4096])).is_err());
    }
}
