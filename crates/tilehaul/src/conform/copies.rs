//! Records of one copy each: loads, stores, reductions, multicasts.
//!
//! The kernels behind them poison shared memory, run one operation and dump (loads), or write a known source and run
//! one operation on a known destination (stores). Dynamic shared memory starts at a multiple of 1024.

use std::ops::{ControlFlow, Range};

use serde_json::{Value, json};
use tilehaul_descriptor::nvidia::{Architecture, Context};
use tilehaul_engine::bulk::BulkCopy;
use tilehaul_engine::mbarrier::{Mbarrier, MbarrierLayout};
use tilehaul_engine::reduce::{ReduceOp, ReduceType, Reduction};
use tilehaul_engine::tma::{
    Cluster, EngineMap, LoadMode, LoadRequest, StoreMode, StoreRequest, TmaCopy, TmaFault, load as tma_load,
    multicast as tma_multicast, reduce as tma_reduce, store as tma_store,
};
use tilehaul_engine::{PlanFault, Region, Segment, SegmentKind};

use super::codec::{self, LOAD_SOURCE, REGION, field, field_or};
use super::encode::{Call, plain_address};
use super::{Outcome, Refusal, compare_fields};

/// Where the regions of the records lie in the model's address space; any large aligned number does.
const GLOBAL_BASE: u64 = 0x7f00_0000_0000;
/// Where dynamic shared memory starts in the window of a CTA.
const SHARED_BASE: u64 = 2048;
/// Shared memory of a CTA from there on.
const SHARED_BYTES: usize = 227 * 1024;
/// What shared memory holds before a load.
const POISON: u8 = 0xa5;

/// What a copy came to.
enum Judged<T> {
    Ran(T),
    /// The encoder refused the map.
    Encoder,
    /// The launch died with this CUDA error.
    Fault(u32),
}

impl<T> Judged<T> {
    fn answer(self, ran: impl FnOnce(T) -> Value) -> Value {
        match self {
            Judged::Ran(value) => ran(value),
            Judged::Encoder => json!({ "enc": 1 }),
            Judged::Fault(error) => json!({ "fault": error }),
        }
    }
}

impl<T> From<TmaFault> for Judged<T> {
    fn from(fault: TmaFault) -> Judged<T> {
        Judged::Fault(fault.cuda_error())
    }
}

/// The map of a record: encoded as the driver does, read as the engine does.
fn engine_map(record: &Value) -> Result<Judged<EngineMap>, Refusal> {
    let kind: String = field_or(record, "kind", "tiled".to_owned())?;
    let parameters: Value = field(record, "p")?;
    let call =
        Call::read(&kind, &parameters, |address| Ok(GLOBAL_BASE.wrapping_add(plain_address(address)?)))?;
    let Ok(bytes) = call.encode(&Context::default()) else {
        return Ok(Judged::Encoder);
    };
    Ok(match EngineMap::decode(&bytes, Architecture::SM_90A) {
        Ok(map) => Judged::Ran(map),
        Err(fault) => fault.into(),
    })
}

/// A load's barrier and shared memory afterwards.
struct Loaded {
    /// The barrier's phase may have completed or not: a partial sum of the pieces may hit the expectation.
    may_complete: bool,
    timeout: bool,
    shared: Region,
}

/// `timeout` and `data`, or `fault`, or `enc`, of a load record.
pub(super) fn load(record: &Value) -> Result<Value, Refusal> {
    let judged = run_load(record)?;
    let dump = match field_or(record, "dump", None)? {
        Some(dump) => dump,
        None => usual_dump(record)?,
    };
    Ok(judged.answer(|loaded| {
        let from = SHARED_BASE as usize;
        let data = &loaded.shared.data[from..from.saturating_add(dump).min(loaded.shared.data.len())];
        let mut answer =
            json!({ "timeout": u32::from(loaded.timeout), "dump": dump, "data": codec::pack(data) });
        if loaded.may_complete {
            answer["either"] = json!(true);
        }
        answer
    }))
}

/// Compares a load; a barrier that may have completed early allows both.
pub(super) fn compare_load(record: &Value, answer: &Value) -> Outcome {
    let timeout_is_free = answer.get("either").is_some();
    let names: &[&str] =
        if timeout_is_free { &["enc", "fault", "data"] } else { &["enc", "fault", "timeout", "data"] };
    compare_fields(record, answer, names)
}

fn run_load(record: &Value) -> Result<Judged<Loaded>, Refusal> {
    let coords: Vec<i32> = field(record, "c")?;
    let offsets: Vec<u32> = field_or(record, "offs", Vec::new())?;
    let offset = codec::size(record, "off", SHARED_BYTES)? as u64;
    let expect: u32 = field(record, "expect")?;
    let kind: String = field_or(record, "kind", "tiled".to_owned())?;
    let map = match engine_map(record)? {
        Judged::Ran(map) => map,
        Judged::Encoder => return Ok(Judged::Encoder),
        Judged::Fault(error) => return Ok(Judged::Fault(error)),
    };
    let mode = if kind == "tiled" { LoadMode::Tile } else { LoadMode::Im2col { offsets: halves(&offsets) } };
    let request = LoadRequest { shared: SHARED_BASE + offset, coords: &coords, mode };
    let copy = match tma_load(&map, &request) {
        Ok(copy) => copy,
        Err(fault) => return Ok(fault.into()),
    };
    let mut barrier = Mbarrier::init(1, MbarrierLayout::V0);
    let told = barrier.arrive_expect_tx(expect).and_then(|_| barrier.complete_tx(copy.transaction_bytes));
    if let Err(fault) = told {
        return Ok(Judged::Fault(fault.cuda_error()));
    }
    let mut shared = Region::new(0, vec![POISON; SHARED_BASE as usize + SHARED_BYTES]);
    let source = Region::new(GLOBAL_BASE, LOAD_SOURCE.clone());
    if let Err(error) = run(&copy, &source, &mut shared) {
        return Ok(Judged::Fault(error));
    }
    // hardware: h200 fact 41. Pieces are multiples of 16 bytes, so their sums can hit only such an expectation.
    let may_complete = expect > 0 && expect < copy.transaction_bytes && expect.is_multiple_of(16);
    Ok(Judged::Ran(Loaded { may_complete, timeout: !barrier.test_parity(0), shared }))
}

/// Runs a plan; an access outside memory is error 700.
fn run(copy: &TmaCopy, source: &Region, destination: &mut Region) -> Result<(), u32> {
    copy.plan.run(source, destination).map_err(|_: PlanFault| 700)
}

/// The bytes that the recording kernel dumps, for records that do not say.
fn usual_dump(record: &Value) -> Result<usize, Refusal> {
    let parameters: Value = field(record, "p")?;
    let number = |name: &str| parameters.get(name).and_then(Value::as_u64).unwrap_or(0);
    let list = |name: &str| -> Vec<u64> { field_or(&parameters, name, Vec::new()).unwrap_or_default() };
    let (boxes, steps) = (list("box"), list("estride"));
    let rows: u64 = match number("px") {
        0 => boxes
            .iter()
            .zip(&steps)
            .skip(1)
            .fold(1, |rows, (b, e)| rows.saturating_mul(b.div_ceil((*e).max(1)))),
        pixels => pixels,
    };
    let span = [16, 32, 64, 128].get(number("sw") as usize).copied().unwrap_or(128);
    let (offset, expect): (u64, u64) = (field(record, "off")?, field(record, "expect")?);
    let least = if number("il") > 0 { 24576 } else { 0 };
    let tile = expect.max(rows.saturating_mul(span)).max(least);
    Ok(offset.saturating_add(tile).saturating_add(128).min(190 * 1024) as usize)
}

/// Offsets as the instruction's 16-bit operands.
fn halves(offsets: &[u32]) -> [u16; 3] {
    let mut halves = [0; 3];
    for (half, offset) in halves.iter_mut().zip(offsets) {
        *half = *offset as u16;
    }
    halves
}

/// Shared memory as one recorded kernel leaves it to the next. It is not cleared between kernels, but a launch that
/// dies takes its process with it, and a new one finds zeros (every recorded store agrees with that).
pub(super) struct Leftovers {
    shared: Region,
}

impl Default for Leftovers {
    fn default() -> Leftovers {
        Leftovers { shared: Region::new(0, vec![0; SHARED_BASE as usize + SHARED_BYTES]) }
    }
}

/// The answer to a store record, and which bytes of its `data` hang on what earlier kernels left in shared memory
/// (a swizzled store of short rows reads the gaps of the pitch only past the bytes that the record gives).
pub(super) struct Stored {
    pub(super) answer: Value,
    undetermined: Vec<Range<usize>>,
}

/// `data`, `fault` or `enc` of a store record.
pub(super) fn store(record: &Value, left: &mut Leftovers) -> Result<Stored, Refusal> {
    let coords: Vec<i32> = field(record, "c")?;
    let op: String = field(record, "op")?;
    let offset = codec::size(record, "off", SHARED_BYTES)? as u64;
    let bytes = codec::size(record, "bytes", SHARED_BYTES - offset as usize)?;
    let extent = codec::size(record, "ext", REGION)?;
    let alone = |answer: Value| Stored { answer, undetermined: Vec::new() };
    let map = match engine_map(record)? {
        Judged::Ran(map) => map,
        other => return Ok(alone(other.answer(|_| Value::Null))),
    };
    let mode = if op == "store_im2col" { StoreMode::Im2colNoOffs } else { StoreMode::Tile };
    let request = StoreRequest { shared: SHARED_BASE + offset, coords: &coords, mode };
    let made = match op.as_str() {
        "store" | "store_im2col" => tma_store(&map, &request),
        other => tma_reduce(&map, tensor_op(other)?, &request),
    };
    let mut destination = Region::new(GLOBAL_BASE, codec::hashed(extent, 2));
    destination.data.resize(REGION, 0);
    let given = (SHARED_BASE + offset) as usize..(SHARED_BASE + offset) as usize + bytes;
    let run = made.map_err(|fault| fault.cuda_error()).and_then(|copy| {
        left.shared.data[given.clone()].copy_from_slice(&codec::hashed(bytes, 3));
        run(&copy, &left.shared, &mut destination).map(|()| copy)
    });
    Ok(match run {
        Ok(copy) => Stored {
            answer: json!({ "data": codec::pack(&destination.data[..extent]) }),
            undetermined: from_outside(&copy, &given),
        },
        Err(error) => {
            *left = Leftovers::default();
            alone(json!({ "fault": error }))
        }
    })
}

/// Offsets of the destination whose source is not in `given`, whole elements at a time.
fn from_outside(copy: &TmaCopy, given: &Range<usize>) -> Vec<Range<usize>> {
    const LARGEST_ELEMENT: u64 = 8;
    let mut outside = Vec::new();
    let _ = copy.plan.for_each(&mut |segment: Segment| {
        if segment.kind == SegmentKind::Data {
            for at in (0..segment.len).step_by(LARGEST_ELEMENT as usize) {
                let len = LARGEST_ELEMENT.min(segment.len - at);
                let from = (segment.src + at) as usize;
                if from < given.start || from + len as usize > given.end {
                    let to = (segment.dst + at).wrapping_sub(GLOBAL_BASE) as usize;
                    outside.push(to..to.saturating_add(len as usize));
                }
            }
        }
        ControlFlow::Continue(())
    });
    outside
}

/// Compares a store; bytes that hang on earlier kernels may be anything.
pub(super) fn compare_store(record: &Value, stored: &Stored) -> Outcome {
    let bytes = |value: &Value| value.get("data").and_then(Value::as_str).map(codec::unpack);
    if let (Some(Ok(mut said)), Some(Ok(ours))) = (bytes(record), bytes(&stored.answer))
        && said.len() == ours.len()
    {
        for range in &stored.undetermined {
            let range = range.start.min(ours.len())..range.end.min(ours.len());
            said[range.clone()].copy_from_slice(&ours[range]);
        }
        if said == ours {
            return Outcome::Agrees;
        }
        return Outcome::Differs(format!("data: {}", codec::first_difference(&said, &ours)));
    }
    compare_fields(record, &stored.answer, &["enc", "fault", "data"])
}

/// The operation of a tensor reduction, by its PTX name.
pub(super) fn tensor_op(name: &str) -> Result<ReduceOp, Refusal> {
    ReduceOp::from_name(name)
        .ok_or_else(|| Refusal::Unsupported(format!("reductions called \"{name}\" are not known")))
}

/// A bulk reduction by its PTX name, such as `add.noftz.f16`.
pub(super) fn bulk_reduction(name: &str) -> Result<Reduction, Refusal> {
    let unknown = || Refusal::Unsupported(format!("bulk reductions called \"{name}\" are not known"));
    let (op, ty) = name.split_once('.').ok_or_else(unknown)?;
    let ty = ReduceType::from_name(ty.strip_prefix("noftz.").unwrap_or(ty)).ok_or_else(unknown)?;
    Reduction::bulk_global(tensor_op(op)?, ty).ok_or_else(unknown)
}

/// `data` of a bulk reduction record.
pub(super) fn reduce(record: &Value) -> Result<Value, Refusal> {
    let op: String = field(record, "op")?;
    let size: u32 = field(record, "n")?;
    let old = codec::from_base64(&field::<String>(record, "dst")?)?;
    let source = codec::from_base64(&field::<String>(record, "src")?)?;
    let copy = match BulkCopy::reduce(GLOBAL_BASE, 0, size, bulk_reduction(&op)?) {
        Ok(copy) => copy,
        Err(fault) => return Ok(json!({ "fault": fault.cuda_error() })),
    };
    let mut destination = Region::new(GLOBAL_BASE, old);
    if copy.plan.run(&Region::new(0, source), &mut destination).is_err() {
        return Err(Refusal::Malformed("\"dst\" or \"src\" is shorter than \"n\" bytes".to_owned()));
    }
    let end = (size as usize).min(destination.data.len());
    Ok(json!({ "data": codec::to_base64(&destination.data[..end]) }))
}

/// `timeout` and `data` of a multicast record: a cluster of four.
pub(super) fn multicast(record: &Value) -> Result<Value, Refusal> {
    const CTAS: u32 = 4;
    let coords: Vec<i32> = field(record, "c")?;
    let mask: u16 = field(record, "mask")?;
    let expect: u32 = field(record, "expect")?;
    let dump: usize = field_or(record, "dump", 512)?;
    let map = match engine_map(record)? {
        Judged::Ran(map) => map,
        other => return Ok(other.answer(|_| Value::Null)),
    };
    let request = LoadRequest { shared: SHARED_BASE, coords: &coords, mode: LoadMode::Tile };
    let made = tma_load(&map, &request).and_then(|copy| Ok((copy, tma_multicast(mask, Cluster::Of(CTAS))?)));
    let (copy, ranks) = match made {
        Ok(made) => made,
        Err(fault) => return Ok(json!({ "fault": fault.cuda_error() })),
    };
    let source = Region::new(GLOBAL_BASE, LOAD_SOURCE.clone());
    let (mut timeouts, mut data) = (Vec::new(), Vec::new());
    for rank in 0..CTAS {
        let mut shared = Region::new(0, vec![POISON; SHARED_BASE as usize + SHARED_BYTES]);
        let mut barrier = Mbarrier::init(1, MbarrierLayout::V0);
        if ranks.contains(&rank) {
            let told =
                barrier.arrive_expect_tx(expect).and_then(|_| barrier.complete_tx(copy.transaction_bytes));
            if let Err(fault) = told {
                return Ok(json!({ "fault": fault.cuda_error() }));
            }
            if let Err(error) = run(&copy, &source, &mut shared) {
                return Ok(json!({ "fault": error }));
            }
        }
        // A CTA outside the mask does not wait.
        timeouts.push(u32::from(ranks.contains(&rank) && !barrier.test_parity(0)));
        let from = SHARED_BASE as usize;
        data.extend_from_slice(&shared.data[from..from.saturating_add(dump).min(shared.data.len())]);
    }
    Ok(json!({ "timeout": timeouts, "dump": dump, "data": codec::pack(&data) }))
}
