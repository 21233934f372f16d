//! Where an access through a V# lies, or that it is out of range.

use super::{BufferGeneration, BufferResource};

/// The operands of one lane's access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BufferAccess {
    /// The index register, when `idxen` is set.
    pub index: Option<u32>,
    /// The offset register, 0 without `offen`.
    pub voffset: u32,
    /// The instruction's immediate.
    pub inst_offset: u32,
    /// The scalar offset.
    pub soffset: u32,
    /// Lane of the wave.
    pub lane: u32,
    /// Whether a format conversion takes place.
    pub format_op: bool,
}

/// What the range check of one lane gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferElement {
    /// In range, at this address.
    At(u64),
    /// Out of range: a load gives 0, a store is dropped.
    OutOfRange,
    /// The addressing is not modelled.
    Unsupported(&'static str),
}

impl BufferResource {
    /// Where element `i` (of `size` bytes) of a lane's access lies, or that it is out of range.
    ///
    /// `count` is the number of elements of the access and `whole` says that it is in range as a whole or not at all
    /// (format operations and atomics); plain multi-dword loads clamp each dword.
    #[must_use]
    pub fn element(
        &self,
        access: &BufferAccess,
        i: u32,
        size: u32,
        count: u32,
        whole: bool,
    ) -> BufferElement {
        match self.generation {
            BufferGeneration::Gfx9 => self.element_gfx9(access, i, size, count, whole),
            BufferGeneration::Gfx1250 => self.element_gfx1250(access, i, size, count, whole),
        }
    }

    // Source: hardware, rocjitsu against gfx950 (ROCm/rocm-systems #10928): a linear buffer with IDXEN drops ADD_TID,
    // soffset counts in the byte check, the only 32-bit wrap is voffset + immediate.
    fn element_gfx9(
        &self,
        access: &BufferAccess,
        i: u32,
        size: u32,
        count: u32,
        whole: bool,
    ) -> BufferElement {
        let offset = access.voffset.wrapping_add(access.inst_offset);
        let add = self.add_tid && (self.swizzle || access.index.is_none());
        let index = u64::from(access.index.unwrap_or(0)) + if add { u64::from(access.lane) } else { 0 };
        let stride =
            if add && !access.format_op { (self.data_format << 14) | self.stride } else { self.stride };
        let in_range = if self.add_tid && access.index.is_none() {
            true
        } else if access.index.is_some() && self.stride != 0 {
            index < self.num_records
        } else {
            let last = u64::from(if whole { count } else { i + 1 });
            u64::from(offset) + u64::from(access.soffset) + last * u64::from(size) <= self.num_records
        };
        if !in_range {
            return BufferElement::OutOfRange;
        }
        let (offset, soffset) = (u64::from(offset), u64::from(access.soffset));
        let step = u64::from(i) * u64::from(size);
        let address = if self.swizzle && self.add_tid {
            let block = self.index_stride;
            let at = offset + step;
            self.base
                .wrapping_add(((index / block) * stride + (at / 4) * 4) * block)
                .wrapping_add((index % block) * 4 + at % 4 + soffset)
        } else {
            self.base.wrapping_add(index * stride).wrapping_add(offset + soffset + step)
        };
        BufferElement::At(address & 0xffff_ffff_ffff)
    }

    fn element_gfx1250(
        &self,
        access: &BufferAccess,
        i: u32,
        size: u32,
        count: u32,
        whole: bool,
    ) -> BufferElement {
        if self.swizzle {
            return BufferElement::Unsupported("swizzled buffers of gfx1250 are not modelled");
        }
        let offset = u64::from(access.voffset.wrapping_add(access.inst_offset));
        let index = u64::from(access.index.unwrap_or(0));
        let last = u64::from(if whole { count } else { i + 1 }) * u64::from(size);
        let start =
            u128::from(index) * u128::from(self.stride) + u128::from(offset) + u128::from(access.soffset);
        let in_record = !self.oob_select || self.stride == 0 || offset + last <= self.stride;
        if !in_record || start + u128::from(last) > u128::from(self.num_records) {
            return BufferElement::OutOfRange;
        }
        let step = u64::from(i) * u64::from(size);
        BufferElement::At(self.base.wrapping_add(start as u64).wrapping_add(step))
    }
}
