//! Copies of scripts: tensor copies, bulk copies, prefetches.

use std::ops::ControlFlow;

use serde_json::Value as Json;
use tilehaul_descriptor::nvidia::Architecture;
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_engine::bulk::{self, BulkCopy};
use tilehaul_engine::reduce::Reduction;
use tilehaul_engine::tma::{
    self, Cluster, EngineMap, LoadMode, LoadRequest, StoreMode, StoreRequest, TmaCopy, TmaFault,
};
use tilehaul_engine::{Memory, PlanFault, Segment, SegmentKind, TransferPlan};

use super::{Interpreter, Log, Place, Stop, Value};
use crate::conform::Refusal;
use crate::conform::copies::{bulk_reduction, tensor_op};
use crate::conform::script::device::Device;
use crate::conform::script::ops::{LoopArgs, Op, TensorArgs, shared};

/// Descriptors lie at multiples of this many bytes. hardware: h200 fact 100.
const MAP_ALIGNMENT: u64 = 64;
/// A barrier is told of a copy in pieces of multiples of this many bytes, as far as is known for every copy.
const GRAIN: u32 = 16;
/// Most loads of one loop.
const MOST_LOADS: u32 = 4096;
/// Bulk reductions to global memory by the numbers of the recording kernel.
const GLOBAL_REDUCTIONS: [&str; 10] = [
    "add.u32",
    "add.f32",
    "add.noftz.f16",
    "add.noftz.bf16",
    "add.f64",
    "add.u64",
    "min.s32",
    "inc.u32",
    "or.b64",
    "min.f16",
];
/// Bulk reductions to shared memory by the numbers of the recording kernel.
const SHARED_REDUCTIONS: [&str; 12] = [
    "add.u32", "add.s32", "add.u64", "min.u32", "max.u32", "min.s32", "max.s32", "inc.u32", "dec.u32",
    "and.b32", "or.b32", "xor.b32",
];

impl Interpreter {
    /// One copy issued by CTA `cta`.
    pub(super) fn copy_op(&mut self, cta: usize, op: &Op) -> Result<Option<Value>, Stop> {
        match op.name.as_str() {
            "load" | "loadi" => self.tensor_load(cta, &op.tensor()?, op.name == "loadi", false)?,
            "loadm" | "loadim" => self.tensor_load(cta, &op.tensor()?, op.name == "loadim", true)?,
            "store" | "storei" | "reduce" | "reducei" => self.tensor_store(cta, op)?,
            "pref" => {
                let args = op.tensor()?;
                tma::prefetch(&self.map(&args)?, &LoadMode::Tile, &args.coords())?;
            }
            "loopld" => return self.load_loop(cta, &op.loads()?).map(Some),
            "bg2s" | "bg2sm" => {
                let (dst, bar) = (self.place(cta, op.shared(0)?)?, self.place(cta, op.shared(1)?)?);
                let copy =
                    BulkCopy::new(dst.address, self.device.global.address(&op.value(3))?, op.number(2)?)?;
                let mask = if op.name == "bg2sm" { Some(op.number(4)? as u16) } else { None };
                self.deliver(cta, dst, bar, mask, &copy.plan, copy.bytes)?;
            }
            "bs2g" | "bredg" => {
                let src = self.place(cta, op.shared(0)?)?;
                let (size, address) = (op.number(1)?, if op.name == "bs2g" { 2 } else { 3 });
                let dst = self.device.global.address(&op.value(address))?;
                let copy = match op.name.as_str() {
                    "bs2g" => BulkCopy::new(dst, src.address, size)?,
                    _ => BulkCopy::reduce(
                        dst,
                        src.address,
                        size,
                        numbered(&GLOBAL_REDUCTIONS, op.number(2)?)?,
                    )?,
                };
                self.drain(src.cta, &copy.plan)?;
            }
            "bs2s" | "breds" => {
                // hardware: h200 facts 92, 93. Not without a cluster; the own CTA is as good as any.
                if self.device.cluster == Cluster::None {
                    return Err(TmaFault::NeedsCluster { what: "a bulk copy between shared memories" }.into());
                }
                let (dst, bar) = (self.place(cta, op.shared(0)?)?, self.place(cta, op.shared(1)?)?);
                let src = self.place(cta, op.shared(3)?)?;
                let copy = match op.name.as_str() {
                    "bs2s" => BulkCopy::new(dst.address, src.address, op.number(2)?)?,
                    _ => {
                        let reduction = numbered(&SHARED_REDUCTIONS, op.number(4)?)?;
                        BulkCopy::reduce(dst.address, src.address, op.number(2)?, reduction)?
                    }
                };
                self.between(cta, src, dst, bar, &copy)?;
            }
            "bpref" => bulk::prefetch(self.device.global.address(&op.value(1))?)?,
            other => {
                return Err(Refusal::Unsupported(format!("copies called \"{other}\" are not known")).into());
            }
        }
        Ok(None)
    }

    fn tensor_load(
        &mut self,
        cta: usize,
        args: &TensorArgs,
        im2col: bool,
        multicast: bool,
    ) -> Result<(), Stop> {
        let map = self.map(args)?;
        let dst = self.place(cta, operand(&args.s)?)?;
        let bar = self.place(cta, operand(&args.bar)?)?;
        let copy = load(&map, dst.address, args, im2col)?;
        self.touch(&copy)?;
        let mask = multicast.then_some(args.mask as u16);
        self.deliver(cta, dst, bar, mask, &copy.plan, copy.transaction_bytes)
    }

    fn tensor_store(&mut self, cta: usize, op: &Op) -> Result<(), Stop> {
        let args = op.tensor()?;
        let map = self.map(&args)?;
        let src = self.place(cta, operand(&args.s)?)?;
        let mode = if op.name.ends_with('i') { StoreMode::Im2colNoOffs } else { StoreMode::Tile };
        let request = StoreRequest { shared: src.address, coords: &args.coords(), mode };
        let copy = match (op.name.as_str(), args.op.as_deref()) {
            ("store" | "storei", _) => tma::store(&map, &request)?,
            // The im2col form of the recording kernel only adds.
            ("reducei", _) => tma::reduce(&map, tensor_op("add")?, &request)?,
            (_, name) => tma::reduce(&map, tensor_op(name.unwrap_or_default())?, &request)?,
        };
        self.drain(src.cta, &copy.plan)
    }

    /// Loads through one map, one after the other; the first word of each is kept.
    fn load_loop(&mut self, cta: usize, args: &LoopArgs) -> Result<Value, Stop> {
        if args.n > MOST_LOADS {
            return Err(
                Refusal::Malformed(format!("loopld asks for {} loads, above {MOST_LOADS}", args.n)).into()
            );
        }
        let (dst, bar) = (self.place(cta, operand(&args.s)?)?, self.place(cta, operand(&args.bar)?)?);
        let tensor = TensorArgs {
            map: args.map.clone(),
            rank: 1,
            c: vec![0],
            s: args.s.clone(),
            bar: args.bar.clone(),
            offs: Vec::new(),
            mask: 0,
            op: None,
            smap: None,
        };
        let mut words = Vec::new();
        let mut timeout = false;
        for turn in 0..args.n {
            self.operate(bar, |b| b.arrive_expect_tx(args.bytes))??;
            self.tensor_load(cta, &tensor, false, false)?;
            timeout = !self.operate(bar, |b| b.test_parity(args.parity.wrapping_add(turn)))?;
            words.push(word(&self.device.ctas[cta].shared, dst.address)?);
            if timeout {
                break;
            }
        }
        words.resize(args.n as usize, 0);
        self.launch.logs.push(if timeout { Log::Timed(words) } else { Log::Words(words) });
        Ok(Value::LoopEnd(timeout))
    }

    /// The map of a tensor copy, as the engine reads it.
    fn map(&mut self, args: &TensorArgs) -> Result<EngineMap, Stop> {
        if args.smap.is_some() {
            // hardware: h200 fact 99.
            return Err(TmaFault::IllegalAddress {
                what: "a descriptor in shared memory",
                address: 0,
                len: 128,
            }
            .into());
        }
        let bytes = match args.map.as_u64() {
            Some(parameter) if parameter < 4 => self.device.maps[parameter as usize],
            _ => {
                let address = self.device.global.address(&args.map)?;
                self.fetch_map(address)?
            }
        };
        Ok(EngineMap::decode(&bytes, Architecture::SM_90A)?)
    }

    /// A map in global memory: what was there at its first use. hardware: h200 facts 96, 97.
    pub(super) fn fetch_map(&mut self, address: u64) -> Result<[u8; MAP_BYTES], Stop> {
        aligned_map(address)?;
        if let Some(bytes) = self.device.cached_maps.get(&address) {
            return Ok(*bytes);
        }
        let mut bytes = [0; MAP_BYTES];
        bytes.copy_from_slice(self.device.global.bytes(address, MAP_BYTES as u64)?);
        self.device.cached_maps.insert(address, bytes);
        Ok(bytes)
    }

    /// hardware: h200 fact 47.
    fn touch(&self, copy: &TmaCopy) -> Result<(), Stop> {
        if let Some(address) = copy.touched {
            self.device.global.bytes(address, 1)?;
        }
        Ok(())
    }

    /// Lands a copy from global memory in its destination CTAs and signals there. The CTA bits of the barrier operand
    /// never count, with a mask those of the destination do not either. hardware: h200 facts 89 to 92.
    fn deliver(
        &mut self,
        issuer: usize,
        dst: Place,
        bar: Place,
        mask: Option<u16>,
        plan: &TransferPlan,
        bytes: u32,
    ) -> Result<(), Stop> {
        let ranks = match mask {
            Some(mask) => tma::multicast(mask, self.device.cluster)?,
            None => vec![dst.cta as u32],
        };
        bulk::barrier(bar.address)?;
        for rank in ranks {
            let target = self.present(Place { cta: rank as usize, address: dst.address }, issuer)?;
            if Device::is_far(target.address) {
                continue;
            }
            moved(plan.run(&self.device.global, &mut self.device.ctas[target.cta].shared))?;
            if bytes > 0 {
                self.landed(Place { cta: target.cta, address: bar.address }, bytes, GRAIN)?;
            }
        }
        Ok(())
    }

    /// Lands a copy from shared to global memory. Until a wait says that its source has been read, a store there may
    /// still change what lands. hardware: h200 fact 79.
    fn drain(&mut self, cta: usize, plan: &TransferPlan) -> Result<(), Stop> {
        if plan_is_far(plan) {
            return Ok(());
        }
        moved(plan.run(&self.device.ctas[cta].shared, &mut self.device.global))?;
        let mut segments = Vec::new();
        let _ = plan.for_each(&mut |segment: Segment| {
            if segment.kind == SegmentKind::Data {
                segments.push(segment);
            }
            ControlFlow::Continue(())
        });
        for segment in segments {
            let known = self.device.ctas[cta].shared.known(segment.src, segment.len)?;
            for (at, run) in runs_of_unknown(&known) {
                self.device.global.forget(segment.dst + at, run);
            }
            self.open.push((cta, segment));
        }
        Ok(())
    }

    /// A plain store to shared memory: copies that may still read it become undetermined there.
    pub(super) fn overwritten(&mut self, place: Place, len: u64) {
        for (_, segment) in self.open.iter().filter(|(cta, _)| *cta == place.cta) {
            let from = place.address.max(segment.src);
            let to = (place.address + len).min(segment.src + segment.len);
            if from < to {
                self.device.global.forget(segment.dst + (from - segment.src), to - from);
            }
        }
    }

    /// Lands a copy between shared memories and signals at the destination. hardware: h200 facts 76, 90, 93.
    fn between(
        &mut self,
        issuer: usize,
        src: Place,
        dst: Place,
        bar: Place,
        copy: &BulkCopy,
    ) -> Result<(), Stop> {
        bulk::barrier(bar.address)?;
        let dst = self.present(dst, issuer)?;
        let source = self.device.ctas[src.cta].shared.clone();
        moved(copy.plan.run(&source, &mut self.device.ctas[dst.cta].shared))?;
        if copy.bytes > 0 {
            self.landed(Place { cta: dst.cta, address: bar.address }, copy.bytes, GRAIN)?;
        }
        Ok(())
    }
}

fn load(map: &EngineMap, shared: u64, args: &TensorArgs, im2col: bool) -> Result<TmaCopy, TmaFault> {
    let mut offsets = [0; 3];
    for (offset, given) in offsets.iter_mut().zip(&args.offs) {
        *offset = *given as u16;
    }
    let mode = if im2col { LoadMode::Im2col { offsets } } else { LoadMode::Tile };
    tma::load(map, &LoadRequest { shared, coords: &args.coords(), mode })
}

/// Whether a store reads from where nothing is; then it writes nothing (e21_unmapped, "store from the same place").
fn plan_is_far(plan: &TransferPlan) -> bool {
    let mut far = false;
    let _ = plan.for_each(&mut |segment: Segment| {
        far = Device::is_far(segment.src);
        ControlFlow::Break(())
    });
    far
}

/// Offset and length of every run of undetermined bytes.
fn runs_of_unknown(known: &[bool]) -> Vec<(u64, u64)> {
    let mut at = 0;
    known
        .chunk_by(|a, b| a == b)
        .filter_map(|run| {
            let start = at;
            at += run.len() as u64;
            (!run[0]).then_some((start, run.len() as u64))
        })
        .collect()
}

/// hardware: h200 fact 100.
pub(super) fn aligned_map(address: u64) -> Result<(), TmaFault> {
    if address.is_multiple_of(MAP_ALIGNMENT) {
        Ok(())
    } else {
        Err(TmaFault::Misaligned { operand: "address of the tensor map", address, alignment: MAP_ALIGNMENT })
    }
}

/// 8 bytes as a number.
pub(super) fn word<M: Memory>(memory: &M, address: u64) -> Result<u64, Stop> {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(memory.bytes(address, 8)?);
    Ok(u64::from_le_bytes(bytes))
}

fn moved(result: Result<(), PlanFault>) -> Result<(), Stop> {
    result.map_err(|_| Stop::Fault(700))
}

fn numbered(names: &[&str], number: u32) -> Result<Reduction, Stop> {
    let name = names.get(number as usize);
    let unknown = || Refusal::Unsupported(format!("bulk reductions of number {number} are not known"));
    Ok(bulk_reduction(name.ok_or_else(unknown)?)?)
}

fn operand(value: &Json) -> Result<crate::conform::script::ops::SharedRef, Refusal> {
    shared(value).ok_or_else(|| Refusal::Malformed(format!("{value} is no shared-memory operand")))
}
