//! Addresses in words.

use tilehaul_machine::{GlobalMemory, Space};

/// Names of allocations, for findings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    buffers: Vec<(u64, u64, String)>,
}

impl Words {
    pub(crate) fn new(memory: &GlobalMemory) -> Words {
        let buffers =
            memory.allocations().iter().map(|a| (a.base, a.data.len() as u64, a.name.clone())).collect();
        Words { buffers }
    }

    /// `buffer c + 0x40`, `shared + 0x400 of block 2`, `tensor memory lane 3 column 8 of block 0`.
    pub(crate) fn address(&self, space: Space, address: u64) -> String {
        match space {
            Space::Global => {
                let i = self.buffers.partition_point(|b| b.0 <= address);
                match i.checked_sub(1).map(|i| &self.buffers[i]) {
                    Some((base, len, name)) if address - base < *len => {
                        format!("buffer {name} + {:#x}", address - base)
                    }
                    _ => format!("global address {address:#x}"),
                }
            }
            Space::Shared(block) => format!("shared + {address:#x} of {block}"),
            Space::Tensor(block) => {
                format!("tensor memory lane {} column {} of {block}", address / 2048, address % 2048 / 4)
            }
        }
    }

    /// `16 bytes at shared + 0x400 of block 2`.
    pub(crate) fn range(&self, space: Space, start: u64, len: u64) -> String {
        let s = if len == 1 { "" } else { "s" };
        format!("{len} byte{s} at {}", self.address(space, start))
    }
}
