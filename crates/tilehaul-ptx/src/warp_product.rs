//! Operands of `mma.sync` forms beyond the plain ones: narrow elements, factors of blocks, sparse A; narrow matrices in
//! shared memory.

use tilehaul_mma::{Format, Scaled};

use crate::inst::{Addr, Mem, Slot};

/// One warp-wide product.
#[derive(Clone, Debug)]
pub(crate) struct WarpProduct {
    /// 16, or 8 of the small shapes.
    pub(crate) m: u32,
    pub(crate) n: u32,
    /// Of the product; a sparse A holds half as many elements.
    pub(crate) k: u32,
    pub(crate) a: Fragment,
    pub(crate) b: Fragment,
    pub(crate) accumulator: Format,
    pub(crate) saturate: bool,
    pub(crate) c: Box<[Slot]>,
    pub(crate) d: Box<[Slot]>,
    pub(crate) extra: Extra,
}

/// An operand in registers.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) format: Format,
    /// Bits that an element takes in a register.
    pub(crate) container: u32,
    pub(crate) regs: Box<[Slot]>,
}

/// What comes besides the matrices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extra {
    None,
    Scaled {
        unit: Scaled,
        a: FactorSource,
        b: FactorSource,
    },
    Sparse(Sparse),
    /// Elements of one bit: the number of bits set in `and` or exclusive or.
    Bits {
        and: bool,
    },
}

/// Registers with the factors of one operand, and which byte of which threads of a quad holds them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FactorSource {
    pub(crate) data: Slot,
    pub(crate) byte: Slot,
    pub(crate) thread: Slot,
}

/// Which elements of each four a sparse A holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sparse {
    pub(crate) metadata: Slot,
    /// Which of the quad's threads hold the metadata.
    pub(crate) selector: u32,
    pub(crate) unit: SparseUnit,
    /// The two places of each four ascend.
    pub(crate) ordered: bool,
}

/// How metadata names places, by the bits of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SparseUnit {
    /// One of two elements of 32 bits, as two of four halves.
    Words,
    /// Two of four elements of 16 bits.
    Halves,
    /// Two of four elements of 8 bits.
    Bytes,
    /// Two of four pairs of elements of 4 bits.
    Pairs,
}

impl SparseUnit {
    /// Of elements that have so many bits in a register.
    pub(crate) fn of(container: u32) -> SparseUnit {
        match container {
            32 => SparseUnit::Words,
            16 => SparseUnit::Halves,
            4 => SparseUnit::Pairs,
            _ => SparseUnit::Bytes,
        }
    }

    /// Elements of a row that four bits of metadata speak of.
    pub(crate) fn chunk(self) -> u32 {
        match self {
            SparseUnit::Words => 2,
            SparseUnit::Halves | SparseUnit::Bytes => 4,
            SparseUnit::Pairs => 8,
        }
    }

    /// Elements that stand together at each place.
    pub(crate) fn together(self) -> u32 {
        if self == SparseUnit::Pairs { 2 } else { 1 }
    }

    /// Threads of a quad that hold the metadata of its two rows of `k` elements.
    pub(crate) fn threads(self, k: u32) -> u32 {
        (k / self.chunk() / 4).max(1)
    }

    /// Which of those threads has the metadata of a chunk of a row, and its lowest bit there.
    ///
    /// hardware: h200 mma section 9; an H200 for elements of 4 bits. A thread has four chunks of both rows, of elements of 8 bits eight chunks of one row.
    pub(crate) fn thread_and_bit(self, row: u32, chunk: u32) -> (u32, u32) {
        match self {
            SparseUnit::Words | SparseUnit::Halves => (chunk / 4, 16 * (row / 8) + 4 * (chunk % 4)),
            SparseUnit::Bytes | SparseUnit::Pairs => (row / 8 + 2 * (chunk / 8), 4 * (chunk % 8)),
        }
    }

    /// The elements of a chunk that are there, by its four bits: `None` for bits without a meaning.
    ///
    /// manual: PTX ISA, sparse matrix storage.
    pub(crate) fn places(self, bits: u32, ordered: bool) -> Option<([u32; 2], usize)> {
        let (first, second) = (bits & 3, bits >> 2 & 3);
        if first == second || ordered && first > second {
            return None;
        }
        match self {
            SparseUnit::Words => match bits {
                0b0100 => Some(([0; 2], 1)),
                0b1110 => Some(([1; 2], 1)),
                _ => None,
            },
            SparseUnit::Halves | SparseUnit::Bytes | SparseUnit::Pairs => Some(([first, second], 2)),
        }
    }
}

/// Matrices of narrow elements between registers and shared memory.
#[derive(Clone, Debug)]
pub(crate) struct NarrowMove {
    pub(crate) regs: Box<[Slot]>,
    pub(crate) addr: Addr,
    pub(crate) space: Mem,
    pub(crate) transpose: bool,
    pub(crate) unpack: Unpack,
}

/// What the 16 bytes of a row hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unpack {
    Bytes,
    /// 16 elements of 6 bits and 32 bits of padding.
    SixBits,
    /// 16 elements of 4 bits and 64 bits of padding.
    Nibbles,
}

impl Unpack {
    /// The elements of a row, each in the low bits of a byte.
    ///
    /// manual: PTX ISA, optional decompression of ldmatrix.
    pub(crate) fn elements(self, row: [u8; 16]) -> [u8; 16] {
        let bits = match self {
            Unpack::Bytes => return row,
            Unpack::SixBits => 6,
            Unpack::Nibbles => 4,
        };
        let packed = u128::from_le_bytes(row);
        std::array::from_fn(|i| (packed >> (bits * i)) as u8 & ((1 << bits) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_without_a_meaning_is_told() {
        for unit in [SparseUnit::Words, SparseUnit::Halves, SparseUnit::Bytes] {
            for bits in [0b0000, 0b0101, 0b1010, 0b1111] {
                assert_eq!(unit.places(bits, false), None);
            }
        }
        assert_eq!(SparseUnit::Halves.places(0b1101, true), Some(([1, 3], 2)));
        assert_eq!(SparseUnit::Halves.places(0b0111, true), None);
        assert_eq!(SparseUnit::Halves.places(0b0111, false), Some(([3, 1], 2)));
        assert_eq!(SparseUnit::Words.places(0b1110, true), Some(([1; 2], 1)));
    }

    #[test]
    fn every_chunk_has_its_own_bits() {
        for (unit, k) in [
            (SparseUnit::Words, 8),
            (SparseUnit::Words, 16),
            (SparseUnit::Halves, 16),
            (SparseUnit::Halves, 32),
            (SparseUnit::Bytes, 32),
            (SparseUnit::Bytes, 64),
            (SparseUnit::Pairs, 64),
            (SparseUnit::Pairs, 128),
        ] {
            let mut bits = [0u32; 4];
            for (row, chunk) in [0, 8].into_iter().flat_map(|r| (0..k / unit.chunk()).map(move |c| (r, c))) {
                let (thread, bit) = unit.thread_and_bit(row, chunk);
                assert_eq!(bits[thread as usize] >> bit & 15, 0);
                bits[thread as usize] |= 15 << bit;
            }
            let used = unit.threads(k) as usize;
            assert!(bits[..used].iter().all(|b| *b == u32::MAX) && bits[used..].iter().all(|b| *b == 0));
        }
    }
}
