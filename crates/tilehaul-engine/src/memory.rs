//! Byte-addressed memories that plans read and write.

use std::fmt;

/// An access that a memory cannot serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFault {
    /// First byte of the access.
    pub address: u64,
    /// Bytes asked for.
    pub len: u64,
}

impl fmt::Display for MemoryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes at {:#x} are outside this memory", self.len, self.address)
    }
}

impl std::error::Error for MemoryFault {}

/// What is done with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// They are read.
    Read,
    /// They are written.
    Write,
}

/// Bytes side by side that are all there, or all not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Whether they can be used.
    pub there: bool,
    /// How many; at least 1.
    pub len: u64,
}

/// A byte-addressed memory.
pub trait Memory {
    /// The bytes `address .. address + len`, when they lie side by side in this memory.
    ///
    /// # Errors
    /// When any of them is outside this memory.
    fn bytes(&self, address: u64, len: u64) -> Result<&[u8], MemoryFault>;

    /// The same for writing.
    ///
    /// # Errors
    /// When any of them is outside this memory.
    fn bytes_mut(&mut self, address: u64, len: u64) -> Result<&mut [u8], MemoryFault>;

    /// The longest stretch from `address` on, of at most `len` bytes (at least 1), that is there or is not; for engines
    /// that leave out what is not. A memory that does not know its parts has all or nothing.
    fn stretch(&self, address: u64, len: u64, _how: Use) -> Stretch {
        Stretch { there: self.bytes(address, len).is_ok(), len }
    }
}

/// The stretch from `address` on when the only bytes of a memory start at `base` and are `held` in number.
#[must_use]
pub fn stretch_of_one(base: u64, held: u64, address: u64, len: u64) -> Stretch {
    match address.checked_sub(base) {
        None => Stretch { there: false, len: len.min(base - address) },
        Some(at) if at < held => Stretch { there: true, len: len.min(held - at) },
        Some(_) => Stretch { there: false, len },
    }
}

/// One contiguous allocation that starts at a given address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Address of the first byte.
    pub base: u64,
    /// Contents.
    pub data: Vec<u8>,
}

impl Region {
    /// `data` at `base`.
    #[must_use]
    pub fn new(base: u64, data: Vec<u8>) -> Region {
        Region { base, data }
    }

    fn range(&self, address: u64, len: u64) -> Result<std::ops::Range<usize>, MemoryFault> {
        let fault = MemoryFault { address, len };
        let start = address.checked_sub(self.base).ok_or(fault)?;
        let end = start.checked_add(len).ok_or(fault)?;
        if end > self.data.len() as u64 {
            return Err(fault);
        }
        // Both ends lie inside a slice, so they fit usize.
        Ok(start as usize..end as usize)
    }
}

impl Memory for Region {
    fn bytes(&self, address: u64, len: u64) -> Result<&[u8], MemoryFault> {
        let range = self.range(address, len)?;
        Ok(&self.data[range])
    }

    fn bytes_mut(&mut self, address: u64, len: u64) -> Result<&mut [u8], MemoryFault> {
        let range = self.range(address, len)?;
        Ok(&mut self.data[range])
    }

    fn stretch(&self, address: u64, len: u64, _: Use) -> Stretch {
        stretch_of_one(self.base, self.data.len() as u64, address, len)
    }
}
