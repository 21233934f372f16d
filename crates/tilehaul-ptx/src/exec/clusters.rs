//! `clusterlaunchcontrol`: requests to cancel clusters that have not started, and their answers.
//!
//! manual: PTX ISA, clusterlaunchcontrol. The answer is opaque: here three words of the first block's position and one that
//! says whether a cluster was cancelled. It is written by the asynchronous proxy, to every block of the cluster if asked,
//! and its 16 bytes count on the barrier of the block that gets it.

use smallvec::SmallVec;
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{
    AccessKind, BarrierAt, BlockId, End, Job, JobFault, Landed, Memories, NewOp, Proxy, Space, Touch,
};

use super::addresses::Where;
use super::{Cx, Step, Stepped, Stop};
use crate::inst::{Addr, Inst, Mem};

/// Bytes of an answer.
const BYTES: u64 = 16;
/// The block's slot that remembers an answer of a failed request having been read.
const FAILED: u32 = 0x636c_6300;
/// What the words of a failed answer hold in place of a position: the manual leaves it open.
const NOWHERE: u32 = u32::MAX;

impl Cx<'_> {
    pub(crate) fn clusters(&mut self, inst: &Inst) -> Stepped {
        match inst {
            Inst::ClusterTryCancel { addr, mbar, space, all } => self.try_cancel(*addr, *mbar, *space, *all),
            Inst::ClusterIsCanceled { p, answer } => {
                let high = *self.reg(answer[1]);
                let mut bits = 0;
                for lane in self.lanes() {
                    bits |= u32::from(high[lane] >> 32 == 1) << lane;
                }
                let own = self.w.info.block.id;
                if bits != self.mask && self.core.block_slot(own, FAILED) == 0 {
                    self.core.set_block_slot(own, FAILED, 1);
                }
                let kept = self.w.preds[*p as usize] & !self.mask;
                self.w.preds[*p as usize] = kept | bits;
                Ok(Step::Next)
            }
            Inst::ClusterFirstBlock { d, answer, first } => {
                let (low, high) = (*self.reg(answer[0]), *self.reg(answer[1]));
                for (i, &slot) in d.iter().enumerate() {
                    let word = low.map(|v| v & 0xffff_ffff);
                    let value = match first + i as u32 {
                        0 => word,
                        1 => low.map(|v| v >> 32),
                        2 => high.map(|v| v & 0xffff_ffff),
                        // The fourth of four is not defined.
                        _ => [0; 32],
                    };
                    self.set(slot, &value);
                }
                Ok(Step::Next)
            }
            Inst::Discard { addr, space } => self.discard(*addr, *space),
            _ => self.copy(inst),
        }
    }

    fn try_cancel(&mut self, addr: Addr, mbar: Addr, space: Mem, all: bool) -> Stepped {
        let (to, bars) = (self.addresses(addr), self.addresses(mbar));
        self.check_alignment(&to, BYTES as u32)?;
        let own = self.w.info.block.id;
        for lane in self.lanes() {
            if self.core.block_slot(own, FAILED) != 0 {
                let message = format!(
                    "{} after the block has seen a request fail: what it does then is undefined",
                    self.p.name(self.pc)
                );
                return Err(self.trap(Box::new(
                    Diagnostic::new(Code("cluster-cancel-after-failure"), Level::Error, message)
                        .fix("Leave the loop when clusterlaunchcontrol.query_cancel.is_canceled is false.")
                        .source(Source::manual("PTX ISA, clusterlaunchcontrol.try_cancel")),
                )));
            }
            let offset = self.own_shared(space, to[lane])?;
            let barrier = self.own_shared(space, bars[lane])?;
            let blocks: Vec<BlockId> = if all {
                let cluster = self.w.info.block.cluster;
                let launch = &self.p.launch;
                (0..launch.cluster_size()).filter_map(|rank| launch.block_at(cluster, rank)).collect()
            } else {
                vec![own]
            };
            let answer = match self.core.cancel_cluster() {
                Some(block) => {
                    let [x, y, z] = self.p.launch.block_info(block).position;
                    [x, y, z, 1]
                }
                None => [NOWHERE, NOWHERE, NOWHERE, 0],
            };
            let ends: SmallVec<[BarrierAt; 1]> =
                blocks.iter().map(|&block| BarrierAt { block, address: barrier }).collect();
            let job = Box::new(Answer { blocks, offset, lane: lane as u8, answer });
            let who = self.who_of(1 << lane);
            let what = "answer to a request to cancel a cluster";
            let new = NewOp { who, what, proxy: Proxy::Async, job, end: End::Barrier(ends) };
            self.core.issue(new).map_err(|t| self.trap(t))?;
        }
        Ok(Step::Next)
    }

    /// An address in the block's own shared memory, from its first byte.
    fn own_shared(&self, space: Mem, address: u64) -> Result<u64, Stop> {
        match self.resolve(space, address)? {
            (Where::Memory(Space::Shared(block)), at) if block == self.w.info.block.id => Ok(at),
            _ => {
                let message = format!(
                    "{} of {address:#x}, which is not in the block's own shared memory",
                    self.p.name(self.pc)
                );
                Err(self.fail("cluster-cancel-space", message))
            }
        }
    }
}

/// The same 16 bytes to each of several blocks.
#[derive(Debug)]
struct Answer {
    blocks: Vec<BlockId>,
    offset: u64,
    lane: u8,
    answer: [u32; 4],
}

impl Job for Answer {
    fn pieces(&self) -> u32 {
        self.blocks.len() as u32
    }

    fn target(&self, piece: u32) -> u32 {
        piece
    }

    fn touches(&self, sink: &mut dyn FnMut(Touch)) {
        (0..self.pieces()).for_each(|piece| self.piece_touches(piece, sink));
    }

    fn piece_touches(&self, piece: u32, sink: &mut dyn FnMut(Touch)) {
        if let Some(&block) = self.blocks.get(piece as usize) {
            let (space, kind) = (Space::Shared(block), AccessKind::Write);
            sink(Touch { space, start: self.offset, len: BYTES, kind, lane: self.lane });
        }
    }

    fn samples(&self) -> bool {
        false
    }

    fn sample(&mut self, _piece: u32, _memories: &Memories) -> Result<(), JobFault> {
        Ok(())
    }

    fn land(&mut self, piece: u32, memories: &mut Memories) -> Result<Landed, JobFault> {
        let Some(&block) = self.blocks.get(piece as usize) else { return Ok(Landed::default()) };
        let space = Space::Shared(block);
        let fault = JobFault { space, address: self.offset, len: BYTES, write: true };
        let bytes = memories.bytes_mut(space, self.offset, BYTES).map_err(|_| fault)?;
        for (part, word) in bytes.chunks_exact_mut(4).zip(self.answer) {
            part.copy_from_slice(&word.to_le_bytes());
        }
        Ok(Landed { target: piece, bytes: BYTES })
    }
}
