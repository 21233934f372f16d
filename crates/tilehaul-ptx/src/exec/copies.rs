//! Asynchronous copies: `cp.async`, bulk and tensor copies, reductions, and the maps that they use.
//!
//! Each lane that executes a bulk or tensor instruction issues a copy of its own. What a copy does is the engine's
//! plan; when it does it is the machine's business.

use std::rc::Rc;

use smallvec::SmallVec;
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_engine::bulk::BulkCopy;
use tilehaul_engine::reduce::{ReduceType, Reduction};
use tilehaul_engine::tma::{
    self, Cluster, EngineMap, HaloOrder, Im2colWide, LoadMode, LoadRequest, StoreMode, StoreRequest, TmaFault,
};
use tilehaul_machine::{
    Access, AccessKind, BarrierAt, BlockId, CallJob, Copy, CopyJob, End, Job, JobFault, NewOp, OpId, PlanJob,
    Proxy, Space, Touch,
};

use super::addresses::Where;
use super::atomics::combine;
use super::memory::{read, write};
use super::shared_matrix::landing;
use super::{Cx, Step, Stepped, Stop};
use crate::inst::{Addr, AtomKind, AtomType, BulkOp, Inst, Mem, PredSource, TensorMode, TensorOp};
use crate::program::{BULK, CP_ASYNC};
use crate::wave::LastMap;

/// Coordinates of a tensor copy: at most five.
type Coords = SmallVec<[i32; 5]>;
/// Memories that a load lands in, with the barriers that it tells.
type Targets = (SmallVec<[Space; 1]>, SmallVec<[BarrierAt; 1]>);

impl Cx<'_> {
    /// Copies; everything else goes on to the tensor cores.
    pub(crate) fn copy(&mut self, inst: &Inst) -> Stepped {
        match inst {
            Inst::StAsync { addr, regs, bytes, mbar, reduce, .. } => {
                self.store_async(*addr, regs, *bytes, *mbar, *reduce)
            }
            Inst::CpAsync { dst, src, bytes, size, ignore } => {
                self.cp_async(*dst, *src, *bytes, *size, *ignore)
            }
            Inst::CpAsyncCommit => {
                self.core.commit_group(self.who(), CP_ASYNC);
                Ok(Step::Next)
            }
            Inst::CpAsyncWait { n } => self.wait_group(CP_ASYNC, *n, tilehaul_machine::Part::All),
            Inst::CpAsyncWaitAll => {
                // manual: like a commit followed by a wait for all groups.
                self.core.commit_group(self.who(), CP_ASYNC);
                self.wait_group(CP_ASYNC, 0, tilehaul_machine::Part::All)
            }
            Inst::CpAsyncArrive { op, noinc } => self.cp_async_arrive(op, *noinc),
            Inst::Bulk(op) => self.bulk(op),
            Inst::BulkPrefetch { src } => {
                let addresses = self.addresses(*src);
                for lane in self.lanes() {
                    tilehaul_engine::bulk::prefetch(addresses[lane]).map_err(|f| self.refused(f))?;
                }
                Ok(Step::Next)
            }
            Inst::BulkCommit => {
                self.core.commit_group(self.who(), BULK);
                Ok(Step::Next)
            }
            Inst::BulkWait { n, part } => self.wait_group(BULK, *n, *part),
            Inst::TensorLoad(op) => self.tensor_load(op),
            Inst::TensorStore(op) => self.tensor_store(op),
            Inst::TensorPrefetch(op) => self.tensor_prefetch(op),
            Inst::TensormapReplace { field, addr, space, value } => {
                self.replace(field, *addr, *space, *value)
            }
            Inst::TensormapCpFence { dst, src, .. } => self.map_copy(*dst, *src),
            _ => self.tensor(inst),
        }
    }

    /// A refusal of the copy engine, as the launch dies of it.
    pub(crate) fn refused(&self, fault: TmaFault) -> Stop {
        let message =
            format!("{} refuses: {fault} (CUDA error {})", self.p.name(self.pc), fault.cuda_error());
        let told = Diagnostic::new(Code(fault.code()), Level::Error, message).source(fault.source());
        self.trap(Box::new(match fault.fix() {
            Some(fix) => told.fix(fix),
            None => told,
        }))
    }

    fn cluster(&self) -> Cluster {
        if self.p.launch.clustered { Cluster::Of(self.p.launch.cluster_size()) } else { Cluster::None }
    }

    fn block_of_rank(&self, rank: u32) -> BlockId {
        self.p.launch.block_at(self.w.info.block.cluster, rank).unwrap_or(self.w.info.block.id)
    }

    fn wait_group(
        &mut self,
        kind: tilehaul_machine::ChannelKind,
        n: u32,
        part: tilehaul_machine::Part,
    ) -> Stepped {
        self.core.wait_group(self.who(), kind, n, part).map_err(|t| self.trap(t))?;
        Ok(Step::Next)
    }

    fn issue(
        &mut self,
        lanes: u32,
        what: &'static str,
        proxy: Proxy,
        job: Box<dyn Job>,
        end: End,
    ) -> Result<OpId, Stop> {
        let who = self.who_of(lanes);
        self.core.issue(NewOp { who, what, proxy, job, end }).map_err(|t| self.trap(t))
    }

    fn cp_async(
        &mut self,
        dst: Addr,
        src: Addr,
        bytes: u32,
        size: Option<u32>,
        ignore: Option<PredSource>,
    ) -> Stepped {
        let (to, from) = (self.addresses(dst), self.addresses(src));
        self.check_alignment(&to, bytes)?;
        self.check_alignment(&from, bytes)?;
        let ignored = ignore.map_or(0, |p| self.truth(p));
        let mut copies: Vec<(BlockId, Vec<Copy>, u32)> = Vec::new();
        for lane in self.lanes() {
            let (block, offset) = self.shared(to[lane] as u32)?;
            let mut len = size.map_or(bytes, |s| self.reg(s)[lane] as u32);
            if len > bytes {
                let message =
                    format!("cp.async reads {len} bytes for a copy of {bytes}; at most {bytes} can be read");
                return Err(self.fail("cp-async-size", message));
            }
            if ignored >> lane & 1 == 1 {
                len = 0;
            }
            let (place, source) = self.resolve(Mem::Generic, from[lane])?;
            if place != Where::Memory(Space::Global) && len > 0 {
                return Err(self.fail("cp-async-source", "cp.async reads global memory only".to_owned()));
            }
            let copy = Copy {
                lane: lane as u8,
                src: (len > 0).then_some(source),
                dst: Some(offset),
                len,
                zeros: bytes - len,
            };
            match copies.iter_mut().find(|c| c.0 == block) {
                Some(c) => {
                    c.1.push(copy);
                    c.2 |= 1 << lane;
                }
                None => copies.push((block, vec![copy], 1 << lane)),
            }
        }
        for (block, list, lanes) in copies {
            let job = Box::new(CopyJob::new(Space::Global, Space::Shared(block), list));
            self.issue(lanes, "cp.async", Proxy::Generic, job, End::Channel(CP_ASYNC))?;
        }
        Ok(Step::Next)
    }

    fn cp_async_arrive(&mut self, op: &crate::inst::MbarOp, noinc: bool) -> Stepped {
        let addresses = self.addresses(op.addr);
        for (lanes, address) in self.distinct(|_, lane| addresses[lane]) {
            let at = self.barrier_at(op.space, address)?;
            let (who, count) = (self.who_of(lanes), lanes.count_ones());
            if !noinc {
                self.core.mbarrier_add_pending(who, at, count).map_err(|t| self.trap(t))?;
            }
            self.core.arrive_when_done(who, CP_ASYNC, at, count).map_err(|t| self.trap(t))?;
        }
        Ok(Step::Next)
    }

    fn store_async(
        &mut self,
        addr: Addr,
        regs: &[u32],
        bytes: u32,
        mbar: Addr,
        reduce: Option<(AtomKind, AtomType)>,
    ) -> Stepped {
        let (to, bars) = (self.addresses(addr), self.addresses(mbar));
        let total = bytes * regs.len() as u32;
        self.check_alignment(&to, total)?;
        for lane in self.lanes() {
            if !self.p.launch.clustered {
                return Err(self.refused(TmaFault::NeedsCluster { what: "an asynchronous store" }));
            }
            let (block, offset) = self.shared(to[lane] as u32)?;
            // hardware: h200 fact 90: the signal goes to the destination's block.
            let at = BarrierAt { block, address: bars[lane] & 0xff_ffff };
            let values: Vec<u64> = regs.iter().map(|&slot| self.reg(slot)[lane]).collect();
            let space = Space::Shared(block);
            let kind = if reduce.is_some() { AccessKind::Atomic } else { AccessKind::Write };
            let touch = Touch { space, start: offset, len: u64::from(total), kind, lane: lane as u8 };
            let call = Box::new(move |memories: &mut tilehaul_machine::Memories| {
                let fault = JobFault { space, address: offset, len: u64::from(total), write: true };
                let target = memories.bytes_mut(space, offset, u64::from(total)).map_err(|_| fault)?;
                for (part, &value) in target.chunks_exact_mut(bytes as usize).zip(&values) {
                    let new = match reduce {
                        Some((kind, ty)) => combine(kind, ty, bytes, read(part), value),
                        None => value,
                    };
                    write(part, new);
                }
                Ok(())
            });
            let job = Box::new(CallJob::new(vec![touch], u64::from(total), call));
            let end = End::Barrier(SmallVec::from_slice(&[at]));
            // manual: PTX ISA: only bulk copies, tensor copies and matrix products go through the asynchronous proxy.
            self.issue(1 << lane, "asynchronous store", Proxy::Generic, job, end)?;
        }
        Ok(Step::Next)
    }

    fn bulk(&mut self, op: &BulkOp) -> Stepped {
        let (to, from) = (self.addresses(op.dst), self.addresses(op.src));
        for lane in self.lanes() {
            let same = |other: usize| {
                let size = self.reg(op.size);
                to[lane] == to[other] && from[lane] == from[other] && size[lane] == size[other]
            };
            let stores = op.mbar.is_none() && op.reduce.is_none() && op.byte_mask.is_none();
            if stores && self.repeats(lane, same) {
                continue;
            }
            let size = self.reg(op.size)[lane] as u32;
            let (from_space, source) = self.bulk_side(op.src_shared, from[lane])?;
            let (to_space, target) = self.bulk_side(op.dst_shared, to[lane])?;
            if op.src_shared && op.dst_shared && !self.p.launch.clustered {
                return Err(self.refused(TmaFault::NeedsCluster { what: "a copy between shared memories" }));
            }
            let copy = match (&op.reduce, op.byte_mask) {
                (Some((kind, ty)), _) => {
                    let ty = reduce_type(ty);
                    let reduction = ty.and_then(|ty| {
                        if op.dst_shared {
                            Reduction::bulk_shared(*kind, ty)
                        } else {
                            Reduction::bulk_global(*kind, ty)
                        }
                    });
                    let Some(reduction) = reduction else {
                        return Err(Stop::Unsupported(format!("the reduction of {}", self.p.name(self.pc))));
                    };
                    BulkCopy::reduce(target, source, size, reduction)
                }
                (None, Some(mask)) => BulkCopy::masked(target, source, size, self.reg(mask)[lane] as u16),
                (None, None) => BulkCopy::new(target, source, size),
            };
            let copy = copy.map_err(|f| self.refused(f))?;
            if let Some(asked) = copy.asked {
                let message = format!(
                    "{} asks for {asked} bytes and copies {}: only bits 19 to 4 of the size count",
                    self.p.name(self.pc),
                    copy.bytes
                );
                let who = self.who_of(1 << lane);
                self.core.report(
                    who,
                    Diagnostic::new(Code("bulk-size"), Level::Error, message)
                        .fix("Copy a multiple of 16 bytes below 1 MiB.")
                        .source(Source::hardware("h200 fact 84")),
                );
            }
            let (targets, end, what) = match op.mbar {
                None => {
                    let what = if op.reduce.is_some() { "bulk reduction" } else { "bulk store" };
                    (SmallVec::from_slice(&[to_space]), End::Channel(BULK), what)
                }
                Some(mbar) => {
                    let address = self.address(mbar, lane) & 0xff_ffff;
                    tilehaul_engine::bulk::barrier(address).map_err(|f| self.refused(f))?;
                    let (spaces, barriers) = self.targets(op.multicast, lane, to_space, address)?;
                    let what = if op.reduce.is_some() { "bulk reduction" } else { "bulk copy" };
                    (spaces, End::Barrier(barriers), what)
                }
            };
            if targets.is_empty() {
                continue;
            }
            if let End::Barrier(barriers) = &end {
                let (who, payload) = (self.who_of(1 << lane), copy.plan.count().payload());
                let moved = self.core.copy_at_once(who, &copy.plan, from_space, &targets, payload, barriers);
                if moved.map_err(|t| self.trap(t))? {
                    continue;
                }
            }
            let job = Box::new(PlanJob::new(copy.plan, from_space, &targets));
            self.issue(1 << lane, what, Proxy::Async, job, end)?;
        }
        Ok(Step::Next)
    }

    /// A lane stores what a lower one stores already, from the same bytes to the same: one store does for both.
    ///
    /// inferred: ptxas 13.5 makes one UTMASTG or UBLKCP of a store whose operands do not differ by lane, and a loop over the
    /// lanes of a load or a reduction, which would count or add less; compilers rely on it and let a whole warp store.
    fn repeats(&self, lane: usize, same: impl Fn(usize) -> bool) -> bool {
        self.lanes().take_while(|&other| other < lane).any(same)
    }

    fn bulk_side(&self, is_shared: bool, address: u64) -> Result<(Space, u64), Stop> {
        if is_shared {
            let (block, offset) = self.shared(address as u32)?;
            return Ok((Space::Shared(block), offset));
        }
        match self.resolve(Mem::Generic, address)? {
            (Where::Memory(Space::Global), address) => Ok((Space::Global, address)),
            _ => {
                Err(self.fail("bulk-space", format!("{address:#x} is not a global address (CUDA error 700)")))
            }
        }
    }

    /// Which memories a load lands in and which barriers it tells.
    fn targets(
        &mut self,
        multicast: Option<u32>,
        lane: usize,
        to: Space,
        barrier: u64,
    ) -> Result<Targets, Stop> {
        let own = |block: BlockId| BarrierAt { block, address: barrier };
        let Some(mask) = multicast else {
            let Space::Shared(block) = to else { return Ok((SmallVec::from_slice(&[to]), SmallVec::new())) };
            if self.core.has_ended(block) {
                let rank = self.p.launch.block_info(block).rank;
                return Err(self.refused(TmaFault::CtaExited { rank }));
            }
            return Ok((SmallVec::from_slice(&[to]), SmallVec::from_slice(&[own(block)])));
        };
        let ranks =
            tma::multicast(self.reg(mask)[lane] as u16, self.cluster()).map_err(|f| self.refused(f))?;
        if ranks.is_empty() {
            let message = format!(
                "{} with a multicast mask of 0: no block receives the bytes, and no barrier is told",
                self.p.name(self.pc)
            );
            let who = self.who_of(1 << lane);
            self.core.report(
                who,
                Diagnostic::new(Code("tma-multicast-to-nobody"), Level::Error, message)
                    .fix("Set the bit of every block of the cluster that is to receive the bytes.")
                    .source(Source::manual("PTX ISA, cp.async.bulk.tensor .multicast::cluster")),
            );
        }
        let blocks: Vec<BlockId> = ranks.iter().map(|&rank| self.block_of_rank(rank)).collect();
        if let Some((&rank, _)) = ranks.iter().zip(&blocks).find(|(_, b)| self.core.has_ended(**b)) {
            return Err(self.refused(TmaFault::CtaExited { rank }));
        }
        Ok((blocks.iter().map(|&b| Space::Shared(b)).collect(), blocks.into_iter().map(own).collect()))
    }

    /// Which barrier a load with `.cta_group::2` tells: the block that receives, or its peer, whichever has the parity of
    /// the block that the barrier's address names.
    ///
    /// manual: PTX ISA, cp.async.bulk.tensor, `.cta_group`.
    fn of_pair(&self, at: BarrierAt, mbar: u32) -> Result<BarrierAt, Stop> {
        let (named, _) = self.shared(mbar)?;
        let rank = |block| self.p.launch.block_info(block).rank;
        let rank = rank(at.block) & !1 | rank(named) & 1;
        let cluster = self.w.info.block.cluster;
        let block = self.p.launch.block_at(cluster, rank).ok_or_else(|| {
            self.refused(TmaFault::BeyondCluster { rank, size: self.p.launch.cluster_size() })
        })?;
        if self.core.has_ended(block) {
            return Err(self.refused(TmaFault::CtaExited { rank }));
        }
        Ok(BarrierAt { block, ..at })
    }

    /// The 128 bytes of a tensor map at a generic address, read through the tensor-map proxy.
    pub(crate) fn map_bytes(&mut self, address: u64, lane: usize) -> Result<[u8; MAP_BYTES], Stop> {
        if !address.is_multiple_of(64) {
            // hardware: h200 fact 100.
            return Err(self.refused(TmaFault::Misaligned {
                operand: "address of the tensor map",
                address,
                alignment: 64,
            }));
        }
        let mut map = [0; MAP_BYTES];
        match self.resolve(Mem::Generic, address)? {
            (Where::Param, at) => {
                let bytes =
                    usize::try_from(at).ok().and_then(|at| self.p.params.get(at..at.checked_add(MAP_BYTES)?));
                match bytes {
                    Some(bytes) => map.copy_from_slice(bytes),
                    None => {
                        return Err(self.fail(
                            "tensor-map-address",
                            "the tensor map reaches past the parameters".to_owned(),
                        ));
                    }
                }
            }
            (Where::Memory(Space::Global), at) => {
                let inside = [at; 64];
                let who = self.who_of(1 << lane);
                let access =
                    Access::new(who, Space::Global, &inside, MAP_BYTES as u32).through(Proxy::Tensormap);
                let loaded = self.core.load(&access, |_, bytes| map.copy_from_slice(bytes));
                loaded.map_err(|t| self.trap(t))?;
                map = self.core.cached_map(who.wave, at, map);
            }
            _ => {
                let message = format!(
                    "the tensor map at {address:#x} is not in global or parameter memory (CUDA error 700)"
                );
                return Err(self.trap(Box::new(
                    Diagnostic::new(Code("tensor-map-address"), Level::Error, message)
                        .fix(
                            "Keep the map in a __grid_constant__ parameter, in constant or in global memory.",
                        )
                        .source(Source::hardware("h200 fact 99")),
                )));
            }
        }
        Ok(map)
    }

    /// The map that a lane names, as the engine reads it. A wave mostly goes on with the map that it used last.
    fn engine_map(&mut self, op: &TensorOp, lane: usize) -> Result<Rc<EngineMap>, Stop> {
        let address = self.address(op.map, lane);
        if let Some(last) = &self.w.last_map
            && last.fixed == Some(address)
        {
            return Ok(Rc::clone(&last.map));
        }
        let bytes = self.map_bytes(address, lane)?;
        let fixed = matches!(self.resolve(Mem::Generic, address), Ok((Where::Param, _))).then_some(address);
        if let Some(last) = &mut self.w.last_map
            && last.bytes == bytes
        {
            last.fixed = fixed;
            return Ok(Rc::clone(&last.map));
        }
        let map = Rc::new(EngineMap::decode(&bytes, self.p.architecture).map_err(|f| self.refused(f))?);
        if fixed.is_none() {
            self.judge_made(lane, &bytes);
        }
        self.w.last_map = Some(LastMap { bytes, map: Rc::clone(&map), fixed });
        Ok(map)
    }

    fn coords(&self, op: &TensorOp, lane: usize) -> Coords {
        let value = |&slot: &u32| (self.reg(slot)[lane] as u32).cast_signed();
        let mut coords = [0; 5];
        if op.coords.len() > coords.len() {
            return op.coords.iter().map(value).collect();
        }
        for (coord, slot) in coords.iter_mut().zip(&op.coords) {
            *coord = value(slot);
        }
        Coords::from_buf_and_len(coords, op.coords.len())
    }

    fn rows(coords: &[i32]) -> [i32; 4] {
        let mut rows = [0; 4];
        for (row, &c) in rows.iter_mut().zip(coords.iter().skip(1)) {
            *row = c;
        }
        rows
    }

    fn load_mode(&self, op: &TensorOp, lane: usize, coords: &mut Coords) -> Result<LoadMode, Stop> {
        let offset = |i: usize| op.offsets.get(i).map_or(0, |&slot| self.reg(slot)[lane] as u16);
        let wide = Im2colWide { halo: offset(0), offset: offset(1) };
        Ok(match op.mode {
            TensorMode::Gather4 => {
                let rows = Cx::rows(coords);
                coords.truncate(1);
                LoadMode::Gather4(rows)
            }
            TensorMode::Im2col => LoadMode::Im2col { offsets: [offset(0), offset(1), offset(2)] },
            TensorMode::Im2colW => LoadMode::Im2colW(wide),
            TensorMode::Im2colW128 => LoadMode::Im2colW128(wide, HaloOrder::default()),
            TensorMode::Tile => LoadMode::Tile,
            TensorMode::Scatter4 | TensorMode::Im2colNoOffs => {
                return Err(Stop::Unsupported(format!("a load in the mode of {}", self.p.name(self.pc))));
            }
        })
    }

    fn store_mode(&self, op: &TensorOp, coords: &mut Coords) -> Result<StoreMode, Stop> {
        Ok(match op.mode {
            TensorMode::Scatter4 => {
                let rows = Cx::rows(coords);
                coords.truncate(1);
                StoreMode::Scatter4(rows)
            }
            TensorMode::Im2colNoOffs => StoreMode::Im2colNoOffs,
            TensorMode::Tile => StoreMode::Tile,
            TensorMode::Gather4 | TensorMode::Im2col | TensorMode::Im2colW | TensorMode::Im2colW128 => {
                return Err(Stop::Unsupported(format!("a store in the mode of {}", self.p.name(self.pc))));
            }
        })
    }

    /// hardware: h200 fact 102: instruction and map must agree in rank.
    fn check_rank(&self, op: &TensorOp, coords: &[i32]) -> Result<(), Stop> {
        let wanted =
            if matches!(op.mode, TensorMode::Gather4 | TensorMode::Scatter4) { 5 } else { op.rank as usize };
        if coords.len() == wanted {
            return Ok(());
        }
        Err(Stop::Unsupported(format!("{} with {} coordinates", self.p.name(self.pc), coords.len())))
    }

    pub(super) fn tensor_load(&mut self, op: &TensorOp) -> Stepped {
        for lane in self.lanes() {
            let map = self.engine_map(op, lane)?;
            let mut coords = self.coords(op, lane);
            self.check_rank(op, &coords)?;
            let mode = self.load_mode(op, lane, &mut coords)?;
            let (block, offset) = self.shared(self.address(op.shared, lane) as u32)?;
            let request = LoadRequest { shared: offset, coords: &coords, mode };
            let copy = tma::load(&map, &request).map_err(|f| self.refused(f))?;
            if let Some(address) = copy.touched
                && self.core.memories.bytes(Space::Global, address, 1).is_err()
            {
                let fault = TmaFault::IllegalAddress {
                    what: "tensor base, which an out-of-bounds box touches",
                    address,
                    len: 1,
                };
                return Err(self.refused(fault));
            }
            let mbar = self.address(op.mbar, lane);
            let barrier = mbar & 0xff_ffff;
            tilehaul_engine::bulk::barrier(barrier).map_err(|f| self.refused(f))?;
            let (spaces, barriers) = self.targets(op.multicast, lane, Space::Shared(block), barrier)?;
            if spaces.is_empty() {
                continue;
            }
            let payload = u64::from(copy.transaction_bytes);
            if op.pair {
                for (space, at) in spaces.into_iter().zip(barriers) {
                    let at = self.of_pair(at, mbar as u32)?;
                    let job = PlanJob::new(copy.plan.clone(), Space::Global, &[space]).counting(payload);
                    let end = End::Barrier(SmallVec::from_slice(&[at]));
                    let op = self.issue(1 << lane, "tensor load", Proxy::Async, Box::new(job), end)?;
                    let (arrangement, period) = landing(map.swizzle());
                    self.core.lands_arranged(op, 1, arrangement, period);
                }
                continue;
            }
            let who = self.who_of(1 << lane);
            let moved = self.core.copy_at_once(who, &copy.plan, Space::Global, &spaces, payload, &barriers);
            if moved.map_err(|t| self.trap(t))? {
                continue;
            }
            let job = Box::new(PlanJob::new(copy.plan, Space::Global, &spaces).counting(payload));
            let op = self.issue(1 << lane, "tensor load", Proxy::Async, job, End::Barrier(barriers))?;
            let (arrangement, period) = landing(map.swizzle());
            self.core.lands_arranged(op, spaces.len(), arrangement, period);
        }
        Ok(Step::Next)
    }

    fn tensor_store(&mut self, op: &TensorOp) -> Stepped {
        for lane in self.lanes() {
            let same = |other: usize| {
                let slots = op.coords.iter().all(|&slot| self.reg(slot)[lane] == self.reg(slot)[other]);
                let at = |addr| self.address(addr, lane) == self.address(addr, other);
                slots && at(op.map) && at(op.shared)
            };
            if op.reduce.is_none() && self.repeats(lane, same) {
                continue;
            }
            let map = self.engine_map(op, lane)?;
            let mut coords = self.coords(op, lane);
            self.check_rank(op, &coords)?;
            let (block, offset) = self.shared(self.address(op.shared, lane) as u32)?;
            let mode = self.store_mode(op, &mut coords)?;
            let request = StoreRequest { shared: offset, coords: &coords, mode };
            let copy = match op.reduce {
                Some(reduce) => tma::reduce(&map, reduce, &request),
                None => tma::store(&map, &request),
            };
            let copy = copy.map_err(|f| self.refused(f))?;
            if let Some(spill) = copy.spill {
                let what = if op.reduce.is_some() { "reduces into" } else { "overwrites" };
                let message = format!(
                    "the tensor store {what} {} bytes past the inner edge at element {} of each row: its edge is not at a multiple of 16 bytes",
                    spill.bytes_per_row, spill.edge
                );
                let who = self.who_of(1 << lane);
                self.core.report(
                    who,
                    Diagnostic::new(Code("tma-store-spill"), Level::Warning, message)
                        .fix("Pad the rows so that the inner extent is a multiple of 16 bytes, or store the edge with ordinary stores.")
                        .source(Source::hardware("h200 fact 66")),
                );
            }
            let what = if op.reduce.is_some() { "tensor reduction" } else { "tensor store" };
            let job = Box::new(PlanJob::new(copy.plan, Space::Shared(block), &[Space::Global]));
            self.issue(1 << lane, what, Proxy::Async, job, End::Channel(BULK))?;
        }
        Ok(Step::Next)
    }

    fn tensor_prefetch(&mut self, op: &TensorOp) -> Stepped {
        for lane in self.lanes() {
            let map = self.engine_map(op, lane)?;
            let mut coords = self.coords(op, lane);
            self.check_rank(op, &coords)?;
            let mode = self.load_mode(op, lane, &mut coords)?;
            tma::prefetch(&map, &mode, &coords).map_err(|f| self.refused(f))?;
        }
        Ok(Step::Next)
    }
}

fn reduce_type(name: &str) -> Option<ReduceType> {
    Some(match name {
        // Bitwise operations do not ask for a sign.
        "u32" | "b32" => ReduceType::U32,
        "s32" => ReduceType::S32,
        "u64" | "b64" => ReduceType::U64,
        "s64" => ReduceType::S64,
        "f16" => ReduceType::F16,
        "bf16" => ReduceType::Bf16,
        "f32" => ReduceType::F32,
        "f64" => ReduceType::F64,
        _ => return None,
    })
}
