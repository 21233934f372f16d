//! Device memory: named allocations at 64-bit addresses with unmapped gaps between them, so that an access past the end of
//! one buffer never reaches another.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};

use tilehaul_engine::{Memory, MemoryFault, Stretch, Use, stretch_of_one};

/// Address of the first allocation. Far from zero, below every aperture of both vendors.
const FIRST_ADDRESS: u64 = 0x0000_7f10_0000_0000;
/// Unmapped bytes after each allocation, at least.
const GAP: u64 = 1 << 20;
/// The last bytes of an allocation share such a word with bytes that nothing else uses, as pages end at multiples of it.
/// hardware: faults are by page. inferred: compilers count on it where they expand an atomic of 16 bits into a loop over the
/// aligned word around it (LLVM AtomicExpandPass, partword atomics).
const WORD: u64 = 4;

/// The bytes of an allocation, and out of sight those behind them in the last word.
#[derive(Clone, Debug, Default)]
pub struct Bytes {
    all: Vec<u8>,
    len: usize,
}

impl From<Vec<u8>> for Bytes {
    fn from(mut all: Vec<u8>) -> Bytes {
        let len = all.len();
        all.resize(len.next_multiple_of(WORD as usize), super::POISON);
        Bytes { all, len }
    }
}

impl Bytes {
    /// The bytes of the allocation itself.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.all[..self.len]
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.all[..self.len]
    }
}

impl DerefMut for Bytes {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.all[..self.len]
    }
}

/// What lies behind the end is no content.
impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        **self == **other
    }
}

impl Eq for Bytes {}

/// An allocation of device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The name that findings use.
    pub name: String,
    /// Address of the first byte.
    pub base: u64,
    /// Contents.
    pub data: Bytes,
    /// True when the host wrote it before the launch; false when it starts out undefined.
    pub initialised: bool,
    /// Bytes that cannot be used as the others, by offset; ascending by their start. Where they meet, the stricter holds.
    pub pages: Vec<Pages>,
}

/// What an allocation holds when the launch starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// What the host wrote.
    Written,
    /// Nothing that anybody may count on.
    Undefined,
}

/// Bytes of an allocation that the device's page table treats in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pages {
    /// Offsets in the allocation.
    pub range: Range<u64>,
    /// What may be done with them.
    pub kind: PageKind,
}

/// What the page table says of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// They may be read.
    ReadOnly,
    /// They are not there.
    Unmapped,
}

impl Pages {
    fn refuse(&self, write: bool) -> bool {
        write || self.kind == PageKind::Unmapped
    }
}

impl Allocation {
    /// The bytes around `start .. end` that can be used so, by offset; none when some of these cannot.
    #[inline]
    pub(super) fn usable(&self, start: u64, end: u64, write: bool) -> Option<Range<u64>> {
        let mut usable = 0..self.data.len() as u64;
        for pages in self.pages.iter().filter(|p| p.refuse(write)) {
            if pages.range.end <= start {
                usable.start = usable.start.max(pages.range.end);
            } else if pages.range.start >= end {
                usable.end = usable.end.min(pages.range.start);
            } else {
                return None;
            }
        }
        Some(usable)
    }
}

impl fmt::Display for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "buffer {} ({} bytes at {:#x})", self.name, self.data.len(), self.base)
    }
}

/// Device memory.
#[derive(Clone, Debug, Default)]
pub struct GlobalMemory {
    /// Ascending by base.
    pub(super) allocations: Vec<Allocation>,
}

impl GlobalMemory {
    /// No allocation.
    #[must_use]
    pub fn new() -> GlobalMemory {
        GlobalMemory::default()
    }

    /// Places `data` behind all others at a multiple of `align` (a power of two; 256 at least) and returns its address.
    pub fn allocate(
        &mut self,
        name: impl Into<String>,
        data: Vec<u8>,
        align: u64,
        contents: Contents,
    ) -> u64 {
        let initialised = contents == Contents::Written;
        let align = align.next_power_of_two().max(256);
        let end = self.allocations.last().map_or(FIRST_ADDRESS, |a| a.base + a.data.len() as u64 + GAP);
        let base = end.next_multiple_of(align);
        self.allocations.push(Allocation {
            name: name.into(),
            base,
            data: data.into(),
            initialised,
            pages: Vec::new(),
        });
        base
    }

    /// Says how the page table treats some bytes of the allocation with this name.
    pub fn set_pages(&mut self, name: &str, mut pages: Vec<Pages>) {
        pages.sort_by_key(|p| p.range.start);
        if let Some(a) = self.allocations.iter_mut().find(|a| a.name == name) {
            a.pages = pages;
        }
    }

    /// All allocations, ascending by address.
    #[must_use]
    pub fn allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    /// The allocation with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Allocation> {
        self.allocations.iter().find(|a| a.name == name)
    }

    /// The allocation that holds all of `address .. address + len`.
    #[must_use]
    pub fn find(&self, address: u64, len: u64) -> Option<&Allocation> {
        self.index(address, len).map(|i| &self.allocations[i])
    }

    /// `buffer c + 0x40`, or where the nearest buffer is.
    #[must_use]
    pub fn describe(&self, address: u64) -> String {
        let before = self.allocations.partition_point(|a| a.base <= address);
        match before.checked_sub(1).map(|i| &self.allocations[i]) {
            Some(a) if address - a.base < a.data.len() as u64 => {
                format!("buffer {} + {:#x}", a.name, address - a.base)
            }
            Some(a) if address - a.base == a.data.len() as u64 => {
                format!("address {address:#x}, right behind buffer {} ({} bytes)", a.name, a.data.len())
            }
            Some(a) if address - a.base - (a.data.len() as u64) < GAP => format!(
                "address {address:#x}, {} bytes past the end of buffer {} ({} bytes)",
                address - a.base - a.data.len() as u64,
                a.name,
                a.data.len()
            ),
            _ => match self.allocations.get(before) {
                Some(a) if a.base - address <= GAP => {
                    format!("address {address:#x}, {} bytes before buffer {}", a.base - address, a.name)
                }
                _ => format!("address {address:#x}, near no buffer"),
            },
        }
    }

    /// How many bytes of an access that some allocation holds in part are outside of it: `12 of the 64 bytes run past the
    /// end of buffer b (100 bytes)`.
    pub(super) fn partly(&self, address: u64, len: u64) -> Option<String> {
        let end = address.checked_add(len)?;
        let meets = |a: &&Allocation| a.base < end && address < a.base + a.data.len() as u64;
        let Allocation { name, base, data, .. } = self.allocations.iter().find(meets)?;
        let (before, past) = (base.saturating_sub(address), end.saturating_sub(base + data.len() as u64));
        let (outside, how) = match (before, past) {
            (before, 0) => (before, "lie before the start"),
            (0, past) => (past, "run past the end"),
            (before, past) => (before + past, "lie before the start and run past the end"),
        };
        Some(format!("{outside} of the {len} bytes {how} of buffer {name} ({} bytes)", data.len()))
    }

    #[inline]
    fn index(&self, address: u64, len: u64) -> Option<usize> {
        let i = self.allocations.partition_point(|a| a.base <= address).checked_sub(1)?;
        let offset = address - self.allocations[i].base;
        (offset.checked_add(len)? <= self.allocations[i].data.len() as u64).then_some(i)
    }
}

impl GlobalMemory {
    /// The allocation that holds all of `address .. address + len`, and the bytes around them that can be used alike.
    #[inline]
    pub(super) fn usable(&self, address: u64, len: u64, write: bool) -> Option<(usize, Range<u64>)> {
        let i = self.index(address, len)?;
        let a = &self.allocations[i];
        let start = address - a.base;
        if a.pages.is_empty() {
            return Some((i, 0..a.data.len() as u64));
        }
        Some((i, a.usable(start, start + len, write)?))
    }

    /// An access of a lane that meets the last word of an allocation, aligned and no larger than it, and runs past the end:
    /// which allocation, and the offsets of these very bytes.
    #[cold]
    fn last_word(&self, address: u64, len: u64, write: bool) -> Option<(usize, Range<usize>)> {
        if !len.is_power_of_two() || len > WORD || !address.is_multiple_of(len) {
            return None;
        }
        let i = self.index(address, 1)?;
        let a = &self.allocations[i];
        let start = address - a.base;
        a.usable(start, start + len, write)?;
        Some((i, start as usize..(start + len) as usize))
    }

    /// The bytes around an access of a lane that can be used alike, and the address of their first.
    #[inline]
    pub(super) fn window(&self, address: u64, len: u64) -> Option<(u64, &[u8])> {
        let Some((i, range)) = self.usable(address, len, false) else {
            let (i, range) = self.last_word(address, len, false)?;
            return Some((address, self.allocations[i].data.all.get(range)?));
        };
        let a = &self.allocations[i];
        Some((a.base + range.start, &a.data[range.start as usize..range.end as usize]))
    }

    /// The same for writing.
    #[inline]
    pub(super) fn window_mut(&mut self, address: u64, len: u64) -> Option<(u64, &mut [u8])> {
        let Some((i, range)) = self.usable(address, len, true) else {
            let (i, range) = self.last_word(address, len, true)?;
            return Some((address, self.allocations[i].data.all.get_mut(range)?));
        };
        let a = &mut self.allocations[i];
        Some((a.base + range.start, &mut a.data[range.start as usize..range.end as usize]))
    }
}

impl Memory for GlobalMemory {
    #[inline]
    fn bytes(&self, address: u64, len: u64) -> Result<&[u8], MemoryFault> {
        let (i, _) = self.usable(address, len, false).ok_or(MemoryFault { address, len })?;
        let start = (address - self.allocations[i].base) as usize;
        Ok(&self.allocations[i].data[start..start + len as usize])
    }

    #[inline]
    fn bytes_mut(&mut self, address: u64, len: u64) -> Result<&mut [u8], MemoryFault> {
        let (i, _) = self.usable(address, len, true).ok_or(MemoryFault { address, len })?;
        let start = (address - self.allocations[i].base) as usize;
        Ok(&mut self.allocations[i].data[start..start + len as usize])
    }

    fn stretch(&self, address: u64, len: u64, how: Use) -> Stretch {
        let after = self.allocations.partition_point(|a| a.base <= address);
        // No further than the next allocation.
        let room = self.allocations.get(after).map_or(len, |a| len.min(a.base - address));
        let Some(a) = after.checked_sub(1).map(|i| &self.allocations[i]) else {
            return Stretch { there: false, len: room };
        };
        let held = stretch_of_one(a.base, a.data.len() as u64, address, room);
        let refused = a.pages.iter().filter(|p| p.refuse(how == Use::Write));
        let offset = address - a.base;
        let mut found = held;
        for Range { start, end } in refused.map(|p| p.range.clone()).filter(|_| held.there) {
            if (start..end).contains(&offset) {
                return Stretch { there: false, len: held.len.min(end - offset) };
            }
            if start > offset {
                found.len = found.len.min(start - offset);
            }
        }
        found
    }
}
