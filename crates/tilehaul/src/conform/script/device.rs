//! The device that scripts run on: global memory, the CTAs of one cluster, cached tensor maps.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_engine::tma::Cluster;
use tilehaul_engine::{BarrierCache, Memory, MemoryFault};

use super::ops::integer;
use crate::conform::{Refusal, codec};

/// Bytes of every named buffer but `vmm`.
pub(super) const BUFFER: usize = 4 << 20;
/// Bytes mapped at `vmm`, in the middle of reserved addresses.
const MAPPED: usize = 2 << 20;
/// Where the first buffer lies; any large aligned number does.
const FIRST: u64 = 0x7f00_0000_0000;
/// From one buffer to the next, so that no access reaches from one into another.
const APART: u64 = 1 << 32;
/// Shared memory that the system keeps for itself, and the kernel's own operation list behind it.
pub(super) const DYNAMIC_BASE: u64 = 7168;
/// The size of a CTA's shared memory is rounded up to this. hardware: h200 fact 50.
const SHARED_GRAIN: u64 = 128;
/// From here on the window swallows copies: nothing is written, signalled or refused. hardware: h200 fact 51.
const FAR: u64 = 1 << 20;

/// The words of a named buffer before anything is written.
static SOURCES: LazyLock<[Vec<u8>; 4]> = LazyLock::new(|| {
    [(BUFFER, 0x0123_4567), (BUFFER, 0x89ab_cdef), (BUFFER, 0x1357_9bdf), (MAPPED, 0x2468_ace1)]
        .map(|(size, seed)| codec::linear(size, seed))
});
static ZEROS: LazyLock<Vec<u8>> = LazyLock::new(|| vec![0; BUFFER]);

/// Global memory: a few named buffers, far apart. Contents are shared until they are written.
#[derive(Clone, Debug)]
pub(super) struct Global {
    buffers: Vec<Buffer>,
    /// Bytes that no record determines: addresses of the recording process, and what came from shared memory that
    /// nothing in the record wrote or that was overwritten while it was read.
    undetermined: Vec<std::ops::Range<u64>>,
}

#[derive(Clone, Debug)]
struct Buffer {
    name: &'static str,
    base: u64,
    data: Cow<'static, [u8]>,
}

impl Global {
    /// All buffers with their first contents.
    pub(super) fn new() -> Global {
        let [src, dst, aux, vmm] = &*SOURCES;
        let contents: [(&str, &'static [u8]); 6] =
            [("src", src), ("dst", dst), ("aux", aux), ("vmm", vmm), ("maps", &ZEROS), ("dump", &ZEROS)];
        let buffers = contents
            .into_iter()
            .zip(1u64..)
            .map(|((name, data), k)| Buffer { name, base: FIRST + k * APART, data: Cow::Borrowed(data) })
            .collect();
        Global { buffers, undetermined: Vec::new() }
    }

    /// Address of a buffer.
    pub(super) fn base(&self, name: &str) -> Option<u64> {
        self.buffers.iter().find(|buffer| buffer.name == name).map(|buffer| buffer.base)
    }

    /// A number, or a buffer's name with an offset: `dst+64`, `vmm-0x1000`.
    pub(super) fn address(&self, value: &Value) -> Result<u64, Refusal> {
        let unknown = || Refusal::Malformed(format!("{value} is no place in global memory"));
        let Some(text) = value.as_str() else {
            return value.as_u64().or_else(|| value.as_i64().map(i64::cast_unsigned)).ok_or_else(unknown);
        };
        let (name, offset) = text.split_at(text.find(['+', '-']).unwrap_or(text.len()));
        let base = self.base(name).ok_or_else(unknown)?;
        // The recording program writes negative offsets as `src+-16` too.
        let offset = offset.strip_prefix('+').unwrap_or(offset);
        let (negative, digits) = match offset.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, offset),
        };
        let offset = if digits.is_empty() { 0 } else { integer(digits).ok_or_else(unknown)? };
        Ok(if negative { base.wrapping_sub(offset) } else { base.wrapping_add(offset) })
    }

    /// From now on these bytes may be anything.
    pub(super) fn forget(&mut self, address: u64, len: u64) {
        let range = address..address.saturating_add(len);
        let covered = |known: &std::ops::Range<u64>| known.start <= range.start && range.end <= known.end;
        if len > 0 && !self.undetermined.iter().any(covered) {
            self.undetermined.push(range);
        }
    }

    /// Which of these bytes the record determines.
    pub(super) fn known(&self, address: u64, len: u64) -> Vec<bool> {
        let mut known = vec![true; len as usize];
        for range in &self.undetermined {
            let from = range.start.saturating_sub(address).min(len) as usize;
            let to = range.end.saturating_sub(address).min(len) as usize;
            known[from..to].fill(false);
        }
        known
    }

    fn find(&self, address: u64, len: u64) -> Result<(usize, std::ops::Range<usize>), MemoryFault> {
        let fault = MemoryFault { address, len };
        for (at, buffer) in self.buffers.iter().enumerate() {
            if let Some(offset) = address.checked_sub(buffer.base)
                && let Some(end) = offset.checked_add(len)
                && end <= buffer.data.len() as u64
            {
                return Ok((at, offset as usize..end as usize));
            }
        }
        Err(fault)
    }
}

impl Memory for Global {
    fn bytes(&self, address: u64, len: u64) -> Result<&[u8], MemoryFault> {
        let (at, range) = self.find(address, len)?;
        Ok(&self.buffers[at].data[range])
    }

    fn bytes_mut(&mut self, address: u64, len: u64) -> Result<&mut [u8], MemoryFault> {
        let (at, range) = self.find(address, len)?;
        Ok(&mut self.buffers[at].data.to_mut()[range])
    }
}

/// The shared memory of a CTA. Bytes that nothing wrote hold whatever an earlier kernel left.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    data: Vec<u8>,
    written: Vec<bool>,
}

impl Shared {
    fn new(dynamic: u64) -> Shared {
        let size = (DYNAMIC_BASE + dynamic).next_multiple_of(SHARED_GRAIN) as usize;
        Shared { data: vec![0; size], written: vec![false; size] }
    }

    /// Takes over which bytes of a copy into this memory are determined.
    pub(super) fn set_known(&mut self, address: u64, known: &[bool]) {
        if let Ok(range) = self.range(address, known.len() as u64) {
            self.written[range].copy_from_slice(known);
        }
    }

    /// Whether every byte there has been written since the record began.
    pub(super) fn is_known(&self, address: u64, len: u64) -> bool {
        self.range(address, len).is_ok_and(|range| self.written[range].iter().all(|&w| w))
    }

    /// Which bytes have been written since the record began.
    pub(super) fn known(&self, address: u64, len: u64) -> Result<Vec<bool>, MemoryFault> {
        Ok(self.written[self.range(address, len)?].to_vec())
    }

    fn range(&self, address: u64, len: u64) -> Result<std::ops::Range<usize>, MemoryFault> {
        let fault = MemoryFault { address, len };
        let end = address.checked_add(len).ok_or(fault)?;
        if end > self.data.len() as u64 {
            return Err(fault);
        }
        Ok(address as usize..end as usize)
    }
}

impl Memory for Shared {
    fn bytes(&self, address: u64, len: u64) -> Result<&[u8], MemoryFault> {
        let range = self.range(address, len)?;
        Ok(&self.data[range])
    }

    fn bytes_mut(&mut self, address: u64, len: u64) -> Result<&mut [u8], MemoryFault> {
        let range = self.range(address, len)?;
        self.written[range.clone()].fill(true);
        Ok(&mut self.data[range])
    }
}

/// One CTA.
#[derive(Clone, Debug)]
pub(super) struct Cta {
    pub(super) shared: Shared,
    pub(super) barriers: BarrierCache,
    pub(super) exited: bool,
}

/// A cluster and all memories.
#[derive(Clone, Debug)]
pub(super) struct Device {
    pub(super) global: Global,
    pub(super) ctas: Vec<Cta>,
    pub(super) cluster: Cluster,
    /// Maps passed as kernel parameters.
    pub(super) maps: Vec<[u8; MAP_BYTES]>,
    /// Maps in global memory as first used; stale until an acquire or the kernel's end. hardware: h200 facts 96 to 98.
    pub(super) cached_maps: BTreeMap<u64, [u8; MAP_BYTES]>,
    /// A prefetch of a map met unmapped memory: the next launch dies of it. hardware: h200 fact 88.
    pub(super) late_fault: Option<u32>,
}

impl Device {
    /// A device for a launch of that many CTAs with that much dynamic shared memory.
    pub(super) fn new(cluster: Cluster, dynamic: u64) -> Device {
        let count = match cluster {
            Cluster::None => 1,
            Cluster::Of(size) => size,
        };
        let cta = Cta { shared: Shared::new(dynamic), barriers: BarrierCache::default(), exited: false };
        Device {
            global: Global::new(),
            ctas: vec![cta; count as usize],
            cluster,
            maps: Vec::new(),
            cached_maps: BTreeMap::new(),
            late_fault: None,
        }
    }

    /// The end of a kernel: caches go; with cluster dimensions barriers are written back. hardware: h200 facts 97, 106.
    pub(super) fn end_launch(&mut self) {
        self.cached_maps.clear();
        for cta in &mut self.ctas {
            cta.exited = false;
            match self.cluster {
                Cluster::None => cta.barriers.clear(),
                // Every cached object came from this memory, so it has room for it.
                Cluster::Of(_) => drop(cta.barriers.write_back(&mut cta.shared)),
            }
        }
    }

    /// A copy there moves nothing at all.
    pub(super) fn is_far(address: u64) -> bool {
        address >= FAR
    }
}
