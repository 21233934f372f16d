//! Running a script: the order of operations, and what each leaves behind.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use tilehaul_descriptor::nvidia::Context;
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_engine::mbarrier::MbarrierFault;
use tilehaul_engine::tma::{Cluster, TmaFault};
use tilehaul_engine::{Memory, MemoryFault, Segment};

use super::device::{BUFFER, DYNAMIC_BASE, Device};
use super::ops::{self, Op, SharedRef};
use crate::conform::Refusal;
use crate::conform::codec::{self, field_or};
use crate::conform::encode::Call;

mod barriers;
mod copies;
mod memories;

/// Dynamic shared memory of scripts that do not say.
const DYNAMIC: usize = 65536;
/// Most dynamic shared memory of a CTA.
const MOST_DYNAMIC: usize = 227 * 1024;

/// Bytes of a map that hold the tensor's address.
const ADDRESS_BYTES: u64 = 8;

/// What a script came to.
pub(super) enum Ran {
    /// The encoder refused one of its maps.
    Encoder,
    /// A launch died with this CUDA error.
    Fault(u32),
    /// Every launch ran to its end.
    Launches(Vec<Launch>),
}

/// What one launch left behind.
#[derive(Clone, Debug, Default)]
pub(super) struct Launch {
    /// One an operation.
    pub(super) results: Vec<OpResult>,
    /// One list a `dump`, one blob a CTA.
    pub(super) dumps: Vec<Vec<Blob>>,
    pub(super) logs: Vec<Log>,
    /// The first bytes of the destination buffer, when the record asks for them.
    pub(super) destination: Option<Blob>,
}

/// Bytes of memory at some moment.
#[derive(Clone, Debug)]
pub(super) struct Blob {
    pub(super) bytes: Vec<u8>,
    /// Which of them the record determines; the others are what an earlier kernel left.
    pub(super) known: Vec<bool>,
}

/// What an operation returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OpResult {
    Nothing,
    /// It ran in one CTA.
    One(Value),
    /// It ran in every CTA.
    PerCta(Vec<Value>),
}

/// One returned value, and how exactly the device determines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// The state of a barrier: only bits 63:32 are determined.
    State(u64),
    /// 64 bits.
    Word(u64),
    /// 64 bits that an earlier kernel left.
    UnknownWord,
    /// 0 or 1.
    Flag(bool),
    Number(i64),
    /// 0 or 1, and clocks.
    Pair(bool),
    /// 0 or 1, as the hardware's timing has it: a phase that expects too few bytes may complete early.
    Any,
    /// What a loop of loads returns: 0, and 1 when one of them timed out.
    LoopEnd(bool),
    /// Clocks, addresses, poll counts.
    Ignored,
    /// Two such numbers, or one and something else that is not determined.
    IgnoredPair,
}

/// Numbers that an operation kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Log {
    Words(Vec<u64>),
    /// Clocks and what was seen at them.
    Timed(Vec<u64>),
}

impl Log {
    pub(super) fn words(&self) -> &[u64] {
        match self {
            Log::Words(words) | Log::Timed(words) => words,
        }
    }
}

/// Why a launch does not go on.
pub(super) enum Stop {
    /// The device's error.
    Fault(u32),
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

impl From<TmaFault> for Stop {
    fn from(fault: TmaFault) -> Stop {
        Stop::Fault(fault.cuda_error())
    }
}

impl From<MbarrierFault> for Stop {
    fn from(fault: MbarrierFault) -> Stop {
        Stop::Fault(fault.cuda_error())
    }
}

impl From<MemoryFault> for Stop {
    fn from(_: MemoryFault) -> Stop {
        Stop::Fault(700)
    }
}

/// Runs a record's script.
pub(super) fn run(record: &Json) -> Result<Ran, Refusal> {
    let cluster = match record.get("ctas").and_then(Json::as_str).unwrap_or("1") {
        "1" => Cluster::None,
        "c1" => Cluster::Of(1),
        "2" => Cluster::Of(2),
        "4" => Cluster::Of(4),
        other => return Err(Refusal::Unsupported(format!("launches of \"{other}\" CTAs are not known"))),
    };
    let dynamic = match record.get("smem") {
        Some(_) => codec::size(record, "smem", MOST_DYNAMIC)?,
        None => DYNAMIC,
    };
    let mut device = Device::new(cluster, dynamic as u64);
    if !prepare(record, &mut device)? {
        return Ok(Ran::Encoder);
    }
    let reset: bool = field_or(record, "dstreset", false)?;
    let watched = match record.get("dst") {
        Some(_) => codec::size(record, "dst", BUFFER)?,
        None => 0,
    };
    let mut interpreter = Interpreter::new(device);
    let mut launches = Vec::new();
    for ops in ops::launches(record)? {
        if reset {
            interpreter.reset_destination(watched)?;
        }
        match interpreter.launch(&ops) {
            Ok(mut launch) => {
                if watched > 0 {
                    launch.destination = Some(interpreter.destination(watched)?);
                }
                launches.push(launch);
            }
            Err(Stop::Fault(error)) => return Ok(Ran::Fault(error)),
            Err(Stop::Refused(refusal)) => return Err(refusal),
        }
    }
    Ok(Ran::Launches(launches))
}

/// Makes the maps and fills the buffers; false when the encoder refuses a map.
fn prepare(record: &Json, device: &mut Device) -> Result<bool, Refusal> {
    for map in field_or::<Vec<Json>>(record, "maps", Vec::new())? {
        match made(&map, device)? {
            Some(bytes) => device.maps.push(bytes),
            None => return Ok(false),
        }
    }
    // Parameters that the record does not name are zeros.
    device.maps.resize(device.maps.len().max(4), [0; MAP_BYTES]);
    let outside = |_: MemoryFault| Refusal::Malformed("a map or data lies outside its buffer".to_owned());
    let maps = device.global.address(&Json::from("maps"))?;
    for (offset, map) in field_or::<Vec<(u64, Json)>>(record, "memmaps", Vec::new())? {
        let Some(bytes) = made(&map, device)? else { return Ok(false) };
        let place = maps.wrapping_add(offset);
        device.global.bytes_mut(place, bytes.len() as u64).map_err(outside)?.copy_from_slice(&bytes);
        // The address in it is that of the recording process.
        device.global.forget(place, ADDRESS_BYTES);
    }
    for (name, offset, data) in field_or::<Vec<(String, u64, String)>>(record, "data", Vec::new())? {
        let bytes = codec::unpack(&data)?;
        let place = device.global.address(&Json::from(name))?.wrapping_add(offset);
        device.global.bytes_mut(place, bytes.len() as u64).map_err(outside)?.copy_from_slice(&bytes);
    }
    Ok(true)
}

/// The 128 bytes of a map: given, or encoded and then some bits inverted.
fn made(map: &Json, device: &Device) -> Result<Option<[u8; MAP_BYTES]>, Refusal> {
    let malformed = || Refusal::Malformed("a map is not 128 bytes".to_owned());
    if let Some(raw) = map.get("raw") {
        let bytes = codec::from_hex(raw.as_str().unwrap_or_default())?;
        return bytes.try_into().map(Some).map_err(|_| malformed());
    }
    let kind: String = codec::field(map, "kind")?;
    let call = Call::read(&kind, &codec::field(map, "p")?, |address| device.global.address(address))?;
    let Ok(mut bytes) = call.encode(&Context::default()) else { return Ok(None) };
    for bit in field_or::<Vec<usize>>(map, "flip", Vec::new())? {
        *bytes.get_mut(bit / 8).ok_or_else(malformed)? ^= 1 << (bit % 8);
    }
    Ok(Some(bytes))
}

/// A device in the middle of a record.
pub(super) struct Interpreter {
    pub(super) device: Device,
    /// What each operation returned in each CTA, for operations that use earlier states.
    returned: Vec<Vec<u64>>,
    launch: Launch,
    /// Barriers, by CTA and address, whose phase the hardware may have completed early or not.
    undecided: BTreeSet<(usize, u64)>,
    /// Stores whose source has not been waited for, by CTA.
    open: Vec<(usize, Segment)>,
}

/// A resolved shared-memory operand.
#[derive(Clone, Copy, Debug)]
struct Place {
    cta: usize,
    address: u64,
}

impl Interpreter {
    fn new(device: Device) -> Interpreter {
        Interpreter {
            device,
            returned: Vec::new(),
            launch: Launch::default(),
            undecided: BTreeSet::new(),
            open: Vec::new(),
        }
    }

    /// Runs one launch to its end.
    fn launch(&mut self, ops: &[Op]) -> Result<Launch, Stop> {
        if let Some(error) = self.device.late_fault {
            return Err(Stop::Fault(error));
        }
        self.launch = Launch::default();
        self.returned = vec![vec![0; ops.len()]; self.device.ctas.len()];
        for (index, op) in ops.iter().enumerate() {
            let result = self.everywhere(index, op)?;
            self.launch.results.push(result);
        }
        self.device.end_launch();
        self.undecided.clear();
        self.open.clear();
        Ok(std::mem::take(&mut self.launch))
    }

    /// Runs one operation in all CTAs that it names.
    fn everywhere(&mut self, index: usize, op: &Op) -> Result<OpResult, Stop> {
        let ranks: Vec<usize> = match op.cta {
            Some(rank) => vec![rank as usize],
            None => (0..self.device.ctas.len()).collect(),
        };
        let mut values = Vec::new();
        let mut blobs = Vec::new();
        for &rank in &ranks {
            // A CTA that has left, or that the launch does not have, runs nothing more.
            if self.device.ctas.get(rank).is_none_or(|cta| cta.exited) {
                if returns(&op.name) {
                    values.push(Value::Ignored);
                }
                continue;
            }
            if op.name == "dump" {
                blobs.push(self.dump(rank, op)?);
            } else if let Some(value) = self.step(rank, index, op)? {
                values.push(value);
            }
        }
        if op.name == "dump" {
            self.launch.dumps.push(blobs);
        }
        Ok(match op.cta {
            Some(_) => values.pop().map_or(OpResult::Nothing, OpResult::One),
            None if values.is_empty() => OpResult::Nothing,
            None => OpResult::PerCta(values),
        })
    }

    /// One operation in one CTA.
    fn step(&mut self, cta: usize, index: usize, op: &Op) -> Result<Option<Value>, Stop> {
        match op.name.as_str() {
            // Order that the interpreter keeps anyway. Copies land when issued, so waiting for them takes no time.
            "sync" | "csync" | "pfence" | "spin" | "commit" => Ok(None),
            "clock" => Ok(Some(Value::Ignored)),
            "waitg" => {
                // Groups 0 and .read 0 leave nothing open; a wait that leaves the newest groups is taken for none.
                if matches!(op.number(0)?, 0 | 8) {
                    self.open.retain(|(owner, _)| *owner != cta);
                }
                Ok(Some(Value::Ignored))
            }
            "base" => Ok(Some(Value::IgnoredPair)),
            "exit" => {
                self.device.ctas[cta].exited = true;
                Ok(None)
            }
            "init" | "inval" | "arrive" | "arriven" | "arrivetx" | "expect" | "complete" | "drop"
            | "nocomp" | "arrive_r" | "arrivetx_r" | "test" | "tests" | "try" | "wait" | "txc" | "pollt"
            | "pending" | "initmany" | "cparrive" => self.barrier_op(cta, index, op),
            "load" | "loadm" | "loadi" | "loadim" | "store" | "storei" | "reduce" | "reducei" | "pref"
            | "loopld" | "bg2s" | "bg2sm" | "bs2g" | "bs2s" | "bredg" | "breds" | "bpref" => {
                self.copy_op(cta, op)
            }
            "fill" | "copyin" | "lds" | "lds_r" | "lds32" | "sts" | "gsts" | "ldsdump" | "cas" | "ldg"
            | "stg" | "pollg" | "fence" | "prefmap" | "replace" | "cpmap" | "stasync" | "async"
            | "cpasync" => self.memory_op(cta, op),
            other => Err(Refusal::Unsupported(format!("operations called \"{other}\" are not known")).into()),
        }
    }

    /// Where a shared-memory operand of CTA `cta` points.
    fn place(&self, cta: usize, operand: SharedRef) -> Result<Place, Stop> {
        Ok(match operand {
            SharedRef::Own(offset) => Place { cta, address: DYNAMIC_BASE.saturating_add(offset) },
            SharedRef::Absolute(address) => Place { cta, address },
            SharedRef::Of(rank, offset) => {
                tilehaul_engine::tma::destination(rank, self.device.cluster)?;
                Place { cta: rank as usize, address: DYNAMIC_BASE.saturating_add(offset) }
            }
        })
    }

    /// A place in another CTA, which must still be there. hardware: h200 fact 94.
    fn present(&self, place: Place, own: usize) -> Result<Place, Stop> {
        if place.cta != own && self.device.ctas[place.cta].exited {
            return Err(TmaFault::CtaExited { rank: place.cta as u32 }.into());
        }
        Ok(place)
    }

    fn reset_destination(&mut self, size: usize) -> Result<(), Refusal> {
        let base = self.device.global.address(&Json::from("dst"))?;
        let fresh = super::device::Global::new();
        if let (Ok(to), Ok(from)) =
            (self.device.global.bytes_mut(base, size as u64), fresh.bytes(base, size as u64))
        {
            to.copy_from_slice(from);
        }
        Ok(())
    }

    fn destination(&self, size: usize) -> Result<Blob, Refusal> {
        let base = self.device.global.address(&Json::from("dst"))?;
        let bytes = self.device.global.bytes(base, size as u64);
        let bytes = bytes.map_err(|fault| Refusal::Malformed(fault.to_string()))?.to_vec();
        Ok(Blob { bytes, known: self.device.global.known(base, size as u64) })
    }
}

/// Operations that leave an entry in `res`.
fn returns(name: &str) -> bool {
    matches!(
        name,
        "arrive"
            | "arriven"
            | "arrivetx"
            | "drop"
            | "nocomp"
            | "test"
            | "tests"
            | "try"
            | "wait"
            | "lds"
            | "lds_r"
            | "ldg"
            | "cas"
            | "clock"
            | "waitg"
            | "txc"
            | "pollt"
            | "pollg"
            | "loopld"
            | "base"
            | "pending"
            | "lds32"
    )
}
