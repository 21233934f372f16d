//! Copies into tensor memory, shifts within it, and commits of what a thread has issued.

use tilehaul_descriptor::nvidia::MatrixUnit;
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_layout::tmem::{CopyImage, TmemAddress};
use tilehaul_machine::{AccessKind, JobFault, Memories, Space, Touch};

use super::memory::write;
use super::tmem::cell;
use super::{Cx, Step, Stepped};
use crate::inst::{Addr, Mem};
use crate::program::TC;

impl Cx<'_> {
    pub(super) fn tc_cp(&mut self, image: &CopyImage, addr: Addr, desc: u32, pair: bool) -> Stepped {
        self.one_thread();
        let addresses = self.addresses(addr);
        for lane in self.lanes() {
            let base = match image.place(TmemAddress(addresses[lane] as u32)) {
                Ok(base) => base,
                Err(told) => {
                    self.say_all(told);
                    continue;
                }
            };
            self.check_allocated(base.column, image.words());
            let matrix = self.shared_matrix(MatrixUnit::Tcgen05, self.reg(desc)[lane], false, 4)?;
            let (rows, words) = (image.rows() as usize, image.words() as usize);
            for block in self.blocks(pair)? {
                self.core.memories.with_tensor(block);
                let (from, to) = (Space::Shared(block), Space::Tensor(block));
                let mut touches = Vec::new();
                matrix.touch(from, 0..rows, words, &mut touches);
                let (address, arrangement) = matrix.arranged();
                self.core.reads_arranged(self.who_of(1 << lane), from, address, arrangement);
                let mut targets = Vec::new();
                for row in 0..image.rows() {
                    for replica in 0..image.replicas() {
                        if let Some(l) = image.lane(row, replica) {
                            let start = cell(base.lane + l, base.column);
                            let len = words as u64 * 4;
                            touches.push(Touch { space: to, start, len, kind: AccessKind::Write, lane: 0 });
                            targets.push((row as usize, start));
                        }
                    }
                }
                let call = Box::new(move |memories: &mut Memories| {
                    let mut data = vec![0; rows * words];
                    matrix.gather(memories, from, 0..rows, words, &mut data)?;
                    for &(row, start) in &targets {
                        let len = words as u64 * 4;
                        let fault = JobFault { space: to, address: start, len, write: true };
                        let bytes = memories.bytes_mut(to, start, len).map_err(|_| fault)?;
                        for (part, &word) in bytes.chunks_exact_mut(4).zip(&data[row * words..]) {
                            write(part, u64::from(word));
                        }
                    }
                    Ok(())
                });
                self.start_as(self.who_of(1 << lane), "tcgen05.cp", touches, call, TC)?;
            }
        }
        Ok(Step::Next)
    }

    pub(super) fn tc_shift(&mut self, addr: Addr, pair: bool) -> Stepped {
        self.one_thread();
        let addresses = self.addresses(addr);
        for lane in self.lanes() {
            let address = TmemAddress(addresses[lane] as u32);
            if !address.lane().is_multiple_of(32) {
                let message = format!("tcgen05.shift at {address}: the lane must be a multiple of 32");
                self.say(
                    Diagnostic::new(Code("tmem-shift-lane"), Level::Error, message)
                        .source(Source::manual("PTX ISA, tcgen05.shift")),
                );
                continue;
            }
            self.check_allocated(address.column(), 8);
            for block in self.blocks(pair)? {
                self.core.memories.with_tensor(block);
                let space = Space::Tensor(block);
                let starts: Vec<u64> =
                    (0..32).map(|row| cell(address.lane() + row, address.column())).collect();
                let touch = |&start: &u64, kind| Touch { space, start, len: 32, kind, lane: 0 };
                let mut touches: Vec<Touch> =
                    starts.iter().skip(1).map(|s| touch(s, AccessKind::Read)).collect();
                touches.extend(starts.iter().take(31).map(|s| touch(s, AccessKind::Write)));
                // inferred: row i receives row i + 1 (the last row is refreshed by tcgen05.cp.4x256b).
                let call = Box::new(move |memories: &mut Memories| {
                    for pair in starts.windows(2) {
                        let fault = JobFault { space, address: pair[1], len: 32, write: false };
                        let row = memories.bytes(space, pair[1], 32).map_err(|_| fault)?.to_vec();
                        memories.bytes_mut(space, pair[0], 32).map_err(|_| fault)?.copy_from_slice(&row);
                    }
                    Ok(())
                });
                self.start_as(self.who_of(1 << lane), "tcgen05.shift", touches, call, TC)?;
            }
        }
        Ok(Step::Next)
    }

    pub(super) fn tc_commit(&mut self, mbar: Addr, space: Mem, multicast: Option<u32>) -> Stepped {
        self.one_thread();
        let addresses = self.addresses(mbar);
        for lane in self.lanes() {
            let at = self.barrier_at(space, addresses[lane])?;
            let who = self.who_of(1 << lane);
            let targets = match multicast {
                None => vec![at],
                Some(mask) => {
                    let mask = self.reg(mask)[lane] as u16;
                    let cluster = self.w.info.block.cluster;
                    let ranks = (0..16).filter(|rank| mask >> rank & 1 == 1);
                    ranks
                        .filter_map(|rank| self.p.launch.block_at(cluster, rank))
                        .map(|block| tilehaul_machine::BarrierAt { block, ..at })
                        .collect()
                }
            };
            for at in targets {
                self.core.release_when_done(who, TC, at, 1).map_err(|t| self.trap(t))?;
            }
        }
        Ok(Step::Next)
    }
}
