//! Which memory an address means, and whether an access may use it.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{BarrierAt, BlockId, Space};

use super::{Cx, RESERVED_SHARED, Stop};
use crate::alu::Lanes;
use crate::inst::{Addr, Mem};

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Memory(Space),
    Local,
    Param,
}

impl Cx<'_> {
    pub(crate) fn addresses(&self, addr: Addr) -> Lanes {
        let mut addresses = *self.reg(addr.base);
        for v in &mut addresses {
            *v = v.wrapping_add_signed(addr.offset);
        }
        addresses
    }

    /// The same of one lane.
    pub(crate) fn address(&self, addr: Addr, lane: usize) -> u64 {
        self.reg(addr.base)[lane].wrapping_add_signed(addr.offset)
    }

    /// Addresses with those of lanes that do not execute replaced by that of one that does, so that whole rows can be
    /// looked at.
    pub(super) fn executing_addresses(&self, addr: Addr) -> Lanes {
        let mut addresses = self.addresses(addr);
        if self.mask != u32::MAX {
            let first = addresses[self.first()];
            for (lane, v) in addresses.iter_mut().enumerate() {
                if self.mask >> lane & 1 == 0 {
                    *v = first;
                }
            }
        }
        addresses
    }

    /// The memory that all lanes mean, with their addresses changed to those there; none when lanes mean several.
    pub(super) fn one_memory(&self, space: Mem, addresses: &mut Lanes) -> Result<Option<Where>, Stop> {
        let first = addresses[self.first()];
        let differing = |addresses: &Lanes| addresses.iter().fold(0, |bits, v| bits | (v ^ first));
        let (place, keep) = match space {
            Mem::Global => return Ok(Some(Where::Memory(Space::Global))),
            Mem::Local => (Where::Local, 0xffff_ffff),
            Mem::Param => (Where::Param, 0xffff_ffff),
            Mem::Shared if !self.p.launch.clustered => {
                (Where::Memory(Space::Shared(self.shared(first as u32)?.0)), 0xffff_ffff)
            }
            Mem::Shared if differing(addresses) & 0xff00_0000 == 0 => {
                (self.resolve(space, first)?.0, 0xff_ffff)
            }
            Mem::Shared => return Ok(None),
            Mem::Generic if differing(addresses) >> 32 != 0 => return Ok(None),
            Mem::Generic => match first >> 32 {
                0x6000 => return self.one_memory(Mem::Shared, addresses),
                0x5000 => (Where::Local, 0xffff_ffff),
                0x4000 => (Where::Param, 0xffff_ffff),
                _ => return Ok(Some(Where::Memory(Space::Global))),
            },
        };
        for v in addresses {
            *v &= keep;
        }
        Ok(Some(place))
    }

    /// Hands each memory that lanes mean to `serve`, with its lanes and their addresses there.
    pub(super) fn each_memory(
        &mut self,
        space: Mem,
        addresses: &mut Lanes,
        mut serve: impl FnMut(&mut Self, Where, u32, &Lanes) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if let Some(place) = self.one_memory(space, addresses)? {
            return serve(self, place, self.mask, addresses);
        }
        let mut places: Vec<(Where, u32, Lanes)> = Vec::new();
        for lane in self.lanes() {
            let (place, address) = self.resolve(space, addresses[lane])?;
            let at = match places.iter().position(|p| p.0 == place) {
                Some(at) => at,
                None => {
                    places.push((place, 0, [0; 32]));
                    places.len() - 1
                }
            };
            places[at].1 |= 1 << lane;
            places[at].2[lane] = address;
        }
        places.iter().try_for_each(|(place, lanes, inside)| serve(self, *place, *lanes, inside))
    }

    /// Which memory an address means, and the address there.
    pub(crate) fn resolve(&self, space: Mem, address: u64) -> Result<(Where, u64), Stop> {
        match space {
            Mem::Global => Ok((Where::Memory(Space::Global), address)),
            Mem::Local => Ok((Where::Local, address & 0xffff_ffff)),
            Mem::Param => Ok((Where::Param, address & 0xffff_ffff)),
            Mem::Shared => {
                let (block, offset) = self.shared(address as u32)?;
                Ok((Where::Memory(Space::Shared(block)), offset))
            }
            Mem::Generic => match address >> 32 {
                0x6000 => self.resolve(Mem::Shared, address & 0xffff_ffff),
                0x5000 => Ok((Where::Local, address & 0xffff_ffff)),
                0x4000 => Ok((Where::Param, address & 0xffff_ffff)),
                _ => Ok((Where::Memory(Space::Global), address)),
            },
        }
    }

    /// The block and offset of a shared-memory address.
    #[inline]
    pub(crate) fn shared(&self, address: u32) -> Result<(BlockId, u64), Stop> {
        if !self.p.launch.clustered && address & 0xff_ffff < RESERVED_SHARED {
            return Ok((self.w.info.block.id, u64::from(address)));
        }
        self.shared_of_cluster(address)
    }

    /// True when the instruction can only mean shared memory of its own block. Of instructions that name both spaces
    /// nothing is said; waits have a finding of their own.
    pub(super) fn names_own_shared(&self) -> bool {
        let name = self.p.name(self.pc);
        name.contains(".shared") && !name.contains(".shared::cluster") && !name.contains("_wait")
    }

    /// A barrier's place.
    #[inline]
    pub(crate) fn barrier_at(&self, space: Mem, address: u64) -> Result<BarrierAt, Stop> {
        if space == Mem::Shared {
            let (block, address) = self.shared(address as u32)?;
            return Ok(BarrierAt { block, address });
        }
        match self.resolve(space, address)? {
            (Where::Memory(Space::Shared(block)), address) => Ok(BarrierAt { block, address }),
            _ => Err(self.no_barrier_there(address)),
        }
    }

    pub(crate) fn check_alignment(&self, addresses: &Lanes, bytes: u32) -> Result<(), Stop> {
        let bytes = u64::from(bytes);
        let low = addresses.iter().fold(0, |bits, v| bits | v);
        if bytes.is_power_of_two() && low & (bytes - 1) == 0 {
            return Ok(());
        }
        for lane in self.lanes() {
            if !addresses[lane].is_multiple_of(bytes) {
                let name = self.p.name(self.pc);
                let message = format!(
                    "{name} of {bytes} bytes by lane {lane} at address {:#x}, which is no multiple of {bytes} (CUDA error 716)",
                    addresses[lane]
                );
                let nearest = addresses[lane] / bytes * bytes;
                return Err(self.trap(Box::new(
                    Diagnostic::new(Code("misaligned-access"), Level::Error, message)
                        .fix(format!(
                            "Align the address to {bytes} bytes: the nearest below is {nearest:#x}."
                        ))
                        .source(Source::manual("PTX ISA, alignment of memory operands")),
                )));
            }
        }
        Ok(())
    }

    fn shared_of_cluster(&self, address: u32) -> Result<(BlockId, u64), Stop> {
        let own = self.w.info.block;
        let inside = address & 0xff_ffff;
        if (RESERVED_SHARED..RESERVED_SHARED + 0x400).contains(&inside) {
            return Err(Stop::Unsupported(format!(
                "{}: the reserved part of shared memory",
                self.p.name(self.pc)
            )));
        }
        if !self.p.launch.clustered {
            return Ok((own.id, u64::from(address)));
        }
        let (rank, offset) = (address >> 24, u64::from(address & 0xff_ffff));
        match self.p.launch.block_at(own.cluster, rank) {
            Some(block) if block != own.id && self.names_own_shared() => {
                let name = self.p.name(self.pc);
                let message = format!(
                    "{name} names shared memory of its own block, and the address {address:#x} is that of block {rank} of the cluster"
                );
                Err(self.trap(Box::new(
                    Diagnostic::new(Code("shared-of-another-block"), Level::Error, message)
                        .fix("Use the .shared::cluster form for an address from mapa, or the block's own address.")
                        .source(Source::manual("PTX ISA, state spaces: an address must lie in the window of the named space")),
                )))
            }
            Some(block) => Ok((block, offset)),
            None => {
                let size = self.p.launch.cluster_size();
                let message = format!(
                    "shared::cluster address {address:#x} names block {rank} of a cluster of {size} (CUDA error 719)"
                );
                Err(self.trap(Box::new(
                    Diagnostic::new(Code("cluster-rank"), Level::Error, message)
                        .source(Source::hardware("h200 fact 92")),
                )))
            }
        }
    }

    #[cold]
    fn no_barrier_there(&self, address: u64) -> Stop {
        self.fail("barrier-space", format!("the mbarrier address {address:#x} is not in shared memory"))
    }
}
