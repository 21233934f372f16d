//! The memories of a launch.
//!
//! Device memory belongs to all (`global`). Shared memory and tensor memory belong to blocks; they exist
//! while the block is resident and start out holding [`POISON`].

mod global;

use std::ops::Range;

use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_engine::{Memory, MemoryFault, Stretch, Use, stretch_of_one};

use crate::{BlockId, Space};

pub use global::{Allocation, Bytes, Contents, GlobalMemory, PageKind, Pages};

/// What memory holds before anything is written: an unlikely float, a large integer, never zero.
pub const POISON: u8 = 0xA5;

/// Bytes of tensor memory of one block: 128 lanes of 512 columns of 4 bytes.
pub const TENSOR_BYTES: u64 = 128 * 512 * 4;

/// A memory of one block, addressed from zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockMemory {
    data: Vec<u8>,
}

impl BlockMemory {
    /// `len` bytes of poison.
    #[must_use]
    pub fn new(len: u64) -> BlockMemory {
        BlockMemory { data: vec![POISON; len as usize] }
    }

    /// Size in bytes; 0 when the block is not resident.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.data.len() as u64
    }

    /// True when it holds no byte.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    #[inline]
    fn range(&self, address: u64, len: u64) -> Result<Range<usize>, MemoryFault> {
        match address.checked_add(len) {
            Some(end) if end <= self.data.len() as u64 => Ok(address as usize..end as usize),
            _ => Err(MemoryFault { address, len }),
        }
    }
}

impl Memory for BlockMemory {
    #[inline]
    fn bytes(&self, address: u64, len: u64) -> Result<&[u8], MemoryFault> {
        let range = self.range(address, len)?;
        Ok(&self.data[range])
    }

    #[inline]
    fn bytes_mut(&mut self, address: u64, len: u64) -> Result<&mut [u8], MemoryFault> {
        let range = self.range(address, len)?;
        Ok(&mut self.data[range])
    }

    fn stretch(&self, address: u64, len: u64, _: Use) -> Stretch {
        stretch_of_one(0, self.len(), address, len)
    }
}

/// All memories of a launch.
#[derive(Debug, Default)]
pub struct Memories {
    /// Device memory.
    pub global: GlobalMemory,
    /// Shared memory by block.
    shared: Vec<BlockMemory>,
    /// Tensor memory by block; empty until first used.
    tensor: Vec<BlockMemory>,
}

impl Memories {
    /// `global`, and nothing yet for each of `blocks` blocks.
    #[must_use]
    pub fn new(global: GlobalMemory, blocks: u32) -> Memories {
        let none = || vec![BlockMemory::default(); blocks as usize];
        Memories { global, shared: none(), tensor: none() }
    }

    pub(crate) fn admit(&mut self, block: BlockId, shared_bytes: u32) {
        self.shared[block.index()] = BlockMemory::new(u64::from(shared_bytes));
    }

    pub(crate) fn retire(&mut self, block: BlockId) {
        self.shared[block.index()] = BlockMemory::default();
        self.tensor[block.index()] = BlockMemory::default();
    }

    /// Gives a block its tensor memory, which is large and often unused.
    pub fn with_tensor(&mut self, block: BlockId) {
        let memory = &mut self.tensor[block.index()];
        if memory.is_empty() {
            *memory = BlockMemory::new(TENSOR_BYTES);
        }
    }

    /// Bytes of shared memory that a block has now.
    #[must_use]
    pub fn shared_len(&self, block: BlockId) -> u64 {
        self.shared.get(block.index()).map_or(0, BlockMemory::len)
    }

    /// All bytes of a block's shared or tensor memory; none of device memory, which has gaps.
    #[must_use]
    pub fn of_block(&self, space: Space) -> &[u8] {
        match space {
            Space::Global => &[],
            Space::Shared(block) => &self.shared[block.index()].data,
            Space::Tensor(block) => &self.tensor[block.index()].data,
        }
    }

    /// The memory behind a space.
    #[must_use]
    pub fn space(&self, space: Space) -> &dyn Memory {
        match space {
            Space::Global => &self.global,
            Space::Shared(block) => &self.shared[block.index()],
            Space::Tensor(block) => &self.tensor[block.index()],
        }
    }

    /// The memory behind a space, to write.
    pub fn space_mut(&mut self, space: Space) -> &mut dyn Memory {
        match space {
            Space::Global => &mut self.global,
            Space::Shared(block) => &mut self.shared[block.index()],
            Space::Tensor(block) => &mut self.tensor[block.index()],
        }
    }

    /// Two different memories at once; none when both spaces are the same.
    pub fn two(&mut self, from: Space, to: Space) -> Option<(&dyn Memory, &mut dyn Memory)> {
        fn pair(
            list: &mut [BlockMemory],
            from: BlockId,
            to: BlockId,
        ) -> Option<(&dyn Memory, &mut dyn Memory)> {
            let [a, b] = list.get_disjoint_mut([from.index(), to.index()]).ok()?;
            Some((a, b))
        }
        match (from, to) {
            (Space::Global, Space::Global) => None,
            (Space::Global, Space::Shared(b)) => Some((&self.global, &mut self.shared[b.index()])),
            (Space::Global, Space::Tensor(b)) => Some((&self.global, &mut self.tensor[b.index()])),
            (Space::Shared(b), Space::Global) => Some((&self.shared[b.index()], &mut self.global)),
            (Space::Tensor(b), Space::Global) => Some((&self.tensor[b.index()], &mut self.global)),
            (Space::Shared(a), Space::Tensor(b)) => {
                Some((&self.shared[a.index()], &mut self.tensor[b.index()]))
            }
            (Space::Tensor(a), Space::Shared(b)) => {
                Some((&self.tensor[a.index()], &mut self.shared[b.index()]))
            }
            (Space::Shared(a), Space::Shared(b)) => pair(&mut self.shared, a, b),
            (Space::Tensor(a), Space::Tensor(b)) => pair(&mut self.tensor, a, b),
        }
    }

    /// The bytes `address .. address + len` of a space.
    ///
    /// # Errors
    /// When any of them does not exist.
    #[inline]
    pub fn bytes(&self, space: Space, address: u64, len: u64) -> Result<&[u8], MemoryFault> {
        match space {
            Space::Global => self.global.bytes(address, len),
            Space::Shared(block) => self.shared[block.index()].bytes(address, len),
            Space::Tensor(block) => self.tensor[block.index()].bytes(address, len),
        }
    }

    /// The same for writing.
    ///
    /// # Errors
    /// When any of them does not exist.
    #[inline]
    pub fn bytes_mut(&mut self, space: Space, address: u64, len: u64) -> Result<&mut [u8], MemoryFault> {
        match space {
            Space::Global => self.global.bytes_mut(address, len),
            Space::Shared(block) => self.shared[block.index()].bytes_mut(address, len),
            Space::Tensor(block) => self.tensor[block.index()].bytes_mut(address, len),
        }
    }

    /// The allocation or block memory that holds these bytes, and its first address: lanes mostly stay in one.
    #[inline]
    pub(crate) fn window(&self, space: Space, address: u64, len: u64) -> Option<(u64, &[u8])> {
        match space {
            Space::Global => self.global.window(address, len),
            Space::Shared(block) => {
                let data = &self.shared[block.index()].data;
                (address.checked_add(len)? <= data.len() as u64).then_some((0, data))
            }
            Space::Tensor(block) => {
                let data = &self.tensor[block.index()].data;
                (address.checked_add(len)? <= data.len() as u64).then_some((0, data))
            }
        }
    }

    /// The same for writing.
    #[inline]
    pub(crate) fn window_mut(&mut self, space: Space, address: u64, len: u64) -> Option<(u64, &mut [u8])> {
        match space {
            Space::Global => self.global.window_mut(address, len),
            Space::Shared(block) => {
                let data = &mut self.shared[block.index()].data;
                (address.checked_add(len)? <= data.len() as u64).then_some((0, data))
            }
            Space::Tensor(block) => {
                let data = &mut self.tensor[block.index()].data;
                (address.checked_add(len)? <= data.len() as u64).then_some((0, data))
            }
        }
    }

    /// An address in words: `buffer c + 0x40`, `shared + 0x400 of block 2`, `tensor memory lane 3 column 8 of block 0`.
    #[must_use]
    pub fn describe(&self, space: Space, address: u64) -> String {
        match space {
            Space::Global => self.global.describe(address),
            Space::Shared(block) => format!("shared + {address:#x} of {block}"),
            Space::Tensor(block) => {
                format!("tensor memory lane {} column {} of {block}", address / 2048, address % 2048 / 4)
            }
        }
    }

    /// The diagnostic for an access that a memory could not serve.
    #[must_use]
    pub fn out_of_bounds(&self, space: Space, address: u64, len: u64, what: &str) -> Box<Diagnostic> {
        let (code, message) = match space {
            Space::Global if self.global.find(address, len).is_some() => {
                let a = self.global.find(address, len);
                let offset = a.map_or(0, |a| address - a.base);
                let meets = |p: &&Pages| p.range.start < offset + len && p.range.end > offset;
                let mut kinds = a.into_iter().flat_map(|a| a.pages.iter().filter(meets)).map(|p| p.kind);
                // A hole in a buffer that may only be read is a hole.
                let (code, why) = if kinds.clone().count() > 0 && kinds.all(|k| k == PageKind::ReadOnly) {
                    ("read-only-page", "may only be read")
                } else {
                    ("page-not-mapped", "is not mapped")
                };
                (
                    code,
                    format!(
                        "{what} of {len} bytes at {}, in a page that {why}",
                        self.describe(space, address)
                    ),
                )
            }
            Space::Global => {
                let place = self.describe(space, address);
                // Where it is instead, after the sentence.
                let (place, rest) = place.split_once(", ").unwrap_or((&place, ""));
                let rest = match self.global.partly(address, len) {
                    Some(partly) => format!(": {partly}"),
                    None if rest.is_empty() => " is outside every buffer".to_owned(),
                    None => format!(" is outside every buffer: {rest}"),
                };
                ("global-out-of-bounds", format!("{what} of {len} bytes at {place}{rest}"))
            }
            Space::Shared(block) => (
                "shared-out-of-bounds",
                format!(
                    "{what} of {len} bytes at shared + {address:#x} of {block} leaves its {} bytes of shared memory",
                    self.shared_len(block)
                ),
            ),
            Space::Tensor(_) => (
                "tensor-out-of-bounds",
                format!("{what} of {len} bytes at {} leaves tensor memory", self.describe(space, address)),
            ),
        };
        let fix = match space {
            Space::Global => "Check the address against the buffer's size, or guard the access at the edge.",
            Space::Shared(_) => "Check the offset, or launch the block with more shared memory.",
            Space::Tensor(_) => "Keep lane and column inside 128 lanes and 512 columns.",
        };
        Box::new(Diagnostic::new(Code(code), Level::Error, message).fix(fix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_is_whole() {
        let mut memory = GlobalMemory::new();
        let a = memory.allocate("a", vec![1; 102], 256, Contents::Written);
        assert_eq!(memory.window(a + 100, 4), Some((a + 100, &[1, 1, POISON, POISON][..])));
        // Past it, across it, unaligned: all of these fault as before.
        for (at, len) in [(102, 2), (104, 4), (96, 8), (100, 8), (99, 4), (101, 2)] {
            assert_eq!(memory.window(a + at, len), None, "{len} bytes at {at}");
            assert!(memory.window_mut(a + at, len).is_none(), "{len} bytes at {at}");
        }
        assert!(memory.window_mut(a + 100, 4).is_some_and(|(_, bytes)| {
            bytes.fill(7);
            true
        }));
        assert_eq!(memory.window(a + 100, 4), Some((a + 100, &[7; 4][..])));
        let data = &memory.allocations()[0].data;
        assert_eq!((data.len(), data[101]), (102, 7));
        // Engines see the end where it is.
        assert!(memory.bytes(a + 100, 4).is_err());
    }

    #[test]
    fn gaps_keep_buffers_apart() {
        let mut memory = GlobalMemory::new();
        let a = memory.allocate("a", vec![1; 100], 256, Contents::Written);
        let c = memory.allocate("c", vec![2; 100], 4096, Contents::Written);
        assert!(c.is_multiple_of(4096) && c > a + 100);
        assert_eq!(memory.bytes(c + 96, 4), Ok(&[2u8; 4][..]));
        assert!(memory.bytes(a + 97, 4).is_err());
        assert!(memory.bytes(u64::MAX, 4).is_err());
        assert_eq!(memory.describe(c + 0x40), "buffer c + 0x40");
        assert_eq!(
            memory.describe(a + 104),
            format!("address {:#x}, 4 bytes past the end of buffer a (100 bytes)", a + 104)
        );
    }
}
