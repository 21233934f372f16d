//! One copy of an engine on arrays: what would land, as an array.
//!
//! The tensor's array is global memory, the other one is shared memory (LDS). A load gives the shared image, a store or a
//! reduction gives the tensor afterwards. Bytes that nobody writes keep what was there; in a fresh shared image that is a
//! filler byte.

use std::fmt::Write;

use tilehaul_descriptor::ElementType;
use tilehaul_descriptor::amd::tdm::{Direction, FieldValue, TdmContext, TdmDescriptor, judge_tdm_fields};
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_descriptor::nvidia::{MapKind, Swizzle, TensorMap};
use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_engine::bulk::BulkCopy;
pub use tilehaul_engine::reduce::ReduceOp;
use tilehaul_engine::reduce::{ReduceType, Reduction};
use tilehaul_engine::tdm::{self, TdmSurroundings, TdmSwitches};
use tilehaul_engine::tma::{self, EngineMap, LoadMode, LoadRequest, StoreMode, StoreRequest, TmaFault};
use tilehaul_engine::{PlanFault, Region, TransferPlan};

use crate::encode::{self, MapArguments, STAND_IN_ADDRESS};
use crate::explain::ExplainError;
use crate::npy::{Array, Descr};

/// Most bytes of a shared image.
const MOST_SHARED: u64 = 1 << 24;

const OUTSIDE: Code = Code("copy-outside-memory");

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Global memory to shared memory.
    Load,
    /// Shared memory to global memory.
    Store,
    /// Shared memory combined into global memory.
    Reduce(ReduceOp),
}

/// What a copy left behind.
#[derive(Clone, Debug)]
pub struct Copied {
    /// The array, when the copy was not refused.
    pub array: Option<Array>,
    /// What moved, as sentences.
    pub summary: Vec<String>,
    /// Refusals, faults and hints.
    pub diagnostics: Vec<Diagnostic>,
}

impl Copied {
    fn refused(diagnostics: Vec<Diagnostic>) -> Copied {
        Copied { array: None, summary: Vec::new(), diagnostics }
    }
}

/// The reduction of that name.
#[must_use]
pub fn reduction(name: &str) -> Option<ReduceOp> {
    Some(match name {
        "add" => ReduceOp::Add,
        "min" => ReduceOp::Min,
        "max" => ReduceOp::Max,
        "inc" => ReduceOp::Inc,
        "dec" => ReduceOp::Dec,
        "and" => ReduceOp::And,
        "or" => ReduceOp::Or,
        "xor" => ReduceOp::Xor,
        _ => return None,
    })
}

/// A copy through a tensor map.
#[derive(Clone, Debug)]
pub struct TmaRequest {
    /// The map's arguments; what is absent follows from the tensor's array. Not used when `map` stands.
    pub arguments: MapArguments,
    /// A finished map; its address is taken as the tensor's first byte.
    pub map: Option<[u8; MAP_BYTES]>,
    /// The direction.
    pub way: Way,
    /// Start coordinates, innermost first; the column alone for a gather.
    pub coords: Vec<i32>,
    /// Four rows of a gather or scatter.
    pub rows: Vec<i32>,
    /// Offsets of an im2col load, W first.
    pub offsets: Vec<u16>,
    /// Shared-memory address of the tile.
    pub shared: u64,
    /// What shared memory holds before a load.
    pub filler: u8,
}

/// Runs one tensor copy. `tensor` is global memory, `tile` shared memory (for stores and reductions).
///
/// # Errors
/// When the arguments cannot be used; refusals and faults are part of the answer.
pub fn tma(request: &TmaRequest, tensor: &Array, tile: Option<&Array>) -> Result<Copied, ExplainError> {
    let architecture = encode::architecture(request.arguments.target.as_deref())?;
    let mut diagnostics = Vec::new();
    let bytes = match request.map {
        Some(map) => map,
        None => {
            let encoded = encode::tensor_map(&completed(&request.arguments, tensor)?)?;
            diagnostics = encoded.explained.diagnostics;
            let Some(words) = encoded.words else { return Ok(Copied::refused(diagnostics)) };
            let mut map = [0; MAP_BYTES];
            for (slot, byte) in map.iter_mut().zip(words.iter().flat_map(|w| w.to_le_bytes())) {
                *slot = byte;
            }
            map
        }
    };
    let refuse = |mut before: Vec<Diagnostic>, fault: &TmaFault| {
        before.push(
            Diagnostic::new(Code(fault.code()), Level::Error, fault.to_string())
                .note(format!("the launch would end with CUDA error {}", fault.cuda_error()))
                .source(fault.source()),
        );
        Ok(Copied::refused(before))
    };
    let engine = match EngineMap::decode(&bytes, architecture) {
        Ok(engine) => engine,
        Err(fault) => return refuse(diagnostics, &fault),
    };
    let Some(map) = TensorMap::decode(&bytes, architecture).map else {
        return Err(ExplainError::Unusable("the map has no meaning that a copy could use".to_owned()));
    };
    let rows: Option<[i32; 4]> = match request.rows.len() {
        0 => None,
        _ => Some(request.rows.clone().try_into().map_err(|_| {
            ExplainError::Unusable(format!("a gather or scatter names 4 rows, not {}", request.rows.len()))
        })?),
    };
    let global = Region::new(map.address, tensor.data.clone());
    if request.way == Way::Load {
        let mode = match (rows, map.kind) {
            (Some(rows), _) => LoadMode::Gather4(rows),
            (None, MapKind::Tiled { .. }) => LoadMode::Tile,
            (None, MapKind::Im2col { .. }) => {
                LoadMode::Im2col { offsets: [0, 1, 2].map(|i| request.offsets.get(i).copied().unwrap_or(0)) }
            }
        };
        let copy = match tma::load(
            &engine,
            &LoadRequest { shared: request.shared, coords: &request.coords, mode },
        ) {
            Ok(copy) => copy,
            Err(fault) => return refuse(diagnostics, &fault),
        };
        let (shape, row) = image_shape(&map, rows.is_some());
        let mut shared =
            match shared_image(request.shared, shape.iter().product::<u64>() * row.pitch, request.filler) {
                Ok(shared) => shared,
                Err(text) => return Err(ExplainError::Unusable(text)),
            };
        let summary =
            vec![moved(&copy.plan), format!("a barrier must expect {} bytes", copy.transaction_bytes)];
        if let Err(fault) = copy.plan.run(&global, &mut shared) {
            diagnostics.push(outside(&fault, tensor));
            return Ok(Copied { array: None, summary, diagnostics });
        }
        let image = shared.data.get(request.shared as usize..).unwrap_or_default().to_vec();
        let mut shape = shape;
        shape.push(row.elements);
        let array = Array { descr: row.descr, shape, data: image };
        return Ok(Copied { array: Some(array), summary, diagnostics });
    }
    let Some(tile) = tile else {
        return Err(ExplainError::Unusable("a store or reduction needs the tile's array too".to_owned()));
    };
    let mode = match (rows, map.kind) {
        (Some(rows), _) => StoreMode::Scatter4(rows),
        (None, MapKind::Tiled { .. }) => StoreMode::Tile,
        (None, MapKind::Im2col { .. }) => StoreMode::Im2colNoOffs,
    };
    let store = StoreRequest { shared: request.shared, coords: &request.coords, mode };
    let copy = match request.way {
        Way::Reduce(op) => tma::reduce(&engine, op, &store),
        Way::Load | Way::Store => tma::store(&engine, &store),
    };
    let copy = match copy {
        Ok(copy) => copy,
        Err(fault) => return refuse(diagnostics, &fault),
    };
    if let Some(spill) = copy.spill {
        diagnostics.push(
            Diagnostic::new(
                Code("tma-store-spills"),
                Level::Warning,
                format!(
                    "the tensor's row of {} elements ends {} bytes before a multiple of 16: the store writes them too",
                    spill.edge, spill.bytes_per_row
                ),
            )
            .source(tilehaul_diag::Source::hardware("h200 fact 66")),
        );
    }
    let mut global = global;
    let shared = Region::new(request.shared, tile.data.clone());
    Ok(finish(&copy.plan, &shared, &mut global, tensor, diagnostics))
}

/// A plan that writes the tensor.
fn finish(
    plan: &TransferPlan,
    shared: &Region,
    global: &mut Region,
    tensor: &Array,
    mut diagnostics: Vec<Diagnostic>,
) -> Copied {
    let summary = vec![moved(plan)];
    if let Err(fault) = plan.run(shared, global) {
        diagnostics.push(outside(&fault, tensor));
        return Copied { array: None, summary, diagnostics };
    }
    let array =
        Array { descr: tensor.descr, shape: tensor.shape.clone(), data: std::mem::take(&mut global.data) };
    Copied { array: Some(array), summary, diagnostics }
}

/// Dimensions, strides and element type of the tensor's array where the arguments do not say.
fn completed(arguments: &MapArguments, tensor: &Array) -> Result<MapArguments, ExplainError> {
    let mut completed = arguments.clone();
    if completed.dtype.is_empty() {
        let element = tensor.descr.element().ok_or_else(|| {
            ExplainError::Unusable(format!(
                "elements of {} have no tensor map type; name one with --dtype",
                tensor.descr
            ))
        })?;
        completed.dtype = element.name().to_owned();
    }
    if completed.dims.is_empty() {
        completed.dims = tensor.shape.iter().rev().copied().collect();
    }
    completed.address = Some(STAND_IN_ADDRESS);
    completed.alloc_bytes = Some(tensor.data.len() as u64);
    Ok(completed)
}

/// One row of a shared image.
struct ImageRow {
    /// Bytes from one row to the next.
    pitch: u64,
    elements: u64,
    descr: Descr,
}

/// Shape of a load's shared image: rows outermost first, then one row with its pitch.
fn image_shape(map: &TensorMap, gather: bool) -> (Vec<u64>, ImageRow) {
    let counts = map.counts();
    let element = map.data_type.element();
    let bytes = match map.interleave.slice_bytes() {
        Some(slice) => u64::from(counts[0]) * u64::from(slice),
        None => element.shared_bytes(counts[0].into()),
    };
    let pitch = if map.swizzle == Swizzle::None { bytes } else { map.swizzle.pitch(bytes) };
    let outer: Vec<u64> = if gather {
        vec![4]
    } else {
        (1..map.rank.max(2)).rev().map(|d| u64::from(counts.get(d).copied().unwrap_or(1))).collect()
    };
    let width = element.bytes().map_or(1, u64::from);
    let descr = if element.is_packed() { Descr::of(ElementType::U8) } else { Descr::of(element) };
    (outer, ImageRow { pitch, elements: pitch / width, descr })
}

fn shared_image(start: u64, bytes: u64, filler: u8) -> Result<Region, String> {
    let size = start.saturating_add(bytes);
    if size > MOST_SHARED {
        return Err(format!(
            "the tile takes {bytes} bytes of shared memory at {start:#x}; at most {MOST_SHARED} are drawn up"
        ));
    }
    Ok(Region::new(0, vec![filler; size as usize]))
}

/// `8192 bytes moved in 64 runs, 512 filled`.
fn moved(plan: &TransferPlan) -> String {
    let bytes = plan.count();
    let mut text = format!("{} bytes moved in {} runs", bytes.data, bytes.segments);
    for (count, what) in [(bytes.fill, "filled"), (bytes.dropped, "dropped")] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    text
}

fn outside(fault: &PlanFault, tensor: &Array) -> Diagnostic {
    Diagnostic::new(
        OUTSIDE,
        Level::Error,
        format!("the copy reaches memory that the arrays do not have ({fault})"),
    )
    .note(format!("the tensor's array has {} bytes", tensor.data.len()))
    .fix("give dims and strides that stay inside the arrays")
}

/// A copy through a D#.
#[derive(Clone, Debug)]
pub struct TdmRequest {
    /// Named, decoded numbers; the global address counts from the array's first byte. Not used when `words` stand.
    pub fields: Vec<(String, FieldValue)>,
    /// A finished D#; `base` is the address of the array's first byte.
    pub words: Option<Vec<u32>>,
    /// Address of the array's first byte.
    pub base: u64,
    /// The direction: loads and stores.
    pub way: Way,
    /// What LDS holds before a load.
    pub filler: u8,
}

/// Runs one tensor data mover copy. `tensor` is global memory, `tile` LDS (for stores).
///
/// # Errors
/// When the words are no D#; refusals are part of the answer.
pub fn tdm(request: &TdmRequest, tensor: &Array, tile: Option<&Array>) -> Result<Copied, ExplainError> {
    let direction = match request.way {
        Way::Load => Direction::Load,
        Way::Store => Direction::Store,
        Way::Reduce(_) => {
            return Err(ExplainError::Unusable("the tensor data mover does not reduce".to_owned()));
        }
    };
    let context = TdmContext { direction: Some(direction), tensor_bytes: None, ..TdmContext::default() };
    let (descriptor, mut diagnostics) = match &request.words {
        Some(words) => {
            let descriptor =
                TdmDescriptor::from_words(words).map_err(|e| ExplainError::Unusable(e.to_string()))?;
            (Some(descriptor), tilehaul_descriptor::amd::tdm::check(&descriptor, &context))
        }
        None => judge_tdm_fields(&request.fields, None, &context),
    };
    diagnostics.sort_by_key(|d| d.level);
    let illegal = diagnostics.iter().any(|d| d.level == Level::Error);
    let Some(descriptor) = descriptor.filter(|_| !illegal) else { return Ok(Copied::refused(diagnostics)) };
    let around = TdmSurroundings { cluster_size: Some(1), ..TdmSurroundings::default() };
    let outcome = match tdm::plan(&descriptor, direction, &around, &TdmSwitches::default()) {
        Ok(outcome) => outcome,
        Err(refusals) => {
            diagnostics.extend(refusals);
            return Ok(Copied::refused(diagnostics));
        }
    };
    let fields = descriptor.fields();
    let mut notes = Vec::new();
    if let Some(barrier) = outcome.barrier {
        notes.push(format!("one arrival at the LDS barrier at {barrier:#x} when all is done"));
    }
    let Some(plan) = outcome.plan else {
        notes.insert(0, "nothing is copied".to_owned());
        let array = if direction == Direction::Store { Some(tensor.clone()) } else { None };
        return Ok(Copied { array, summary: notes, diagnostics });
    };
    let mut global = Region::new(request.base, tensor.data.clone());
    if direction == Direction::Store {
        let Some(tile) = tile else {
            return Err(ExplainError::Unusable("a store needs the tile's array too".to_owned()));
        };
        let lds = Region::new(fields.lds_addr.into(), tile.data.clone());
        let mut copied = finish(&plan, &lds, &mut global, tensor, diagnostics);
        copied.summary.extend(notes);
        return Ok(copied);
    }
    let mut end = u64::from(fields.lds_addr);
    let _ = plan.for_each(&mut |segment: tilehaul_engine::Segment| {
        end = end.max(segment.dst.saturating_add(segment.len));
        std::ops::ControlFlow::Continue(())
    });
    let start = u64::from(fields.lds_addr);
    let mut lds = shared_image(start, end - start, request.filler).map_err(ExplainError::Unusable)?;
    let mut summary = vec![moved(&plan)];
    summary.extend(notes);
    if let Err(fault) = plan.run(&global, &mut lds) {
        diagnostics.push(outside(&fault, tensor));
        return Ok(Copied { array: None, summary, diagnostics });
    }
    let image = lds.data.get(start as usize..).unwrap_or_default().to_vec();
    let width = u64::from(tensor.descr.bytes);
    let row = u64::from(fields.tile_dim[0]) * fields.data_size_bytes;
    let same = u64::from(tensor.descr.bytes) == fields.data_size_bytes;
    let length = image.len() as u64;
    // Without gaps the image has rows; with gaps it is one run of elements.
    let (descr, shape) = if !same || !length.is_multiple_of(width) {
        (Descr::of(ElementType::U8), vec![length])
    } else if fields.padding.is_none() && row > 0 && length.is_multiple_of(row) {
        (tensor.descr, vec![length / row, row / width])
    } else {
        (tensor.descr, vec![length / width])
    };
    Ok(Copied { array: Some(Array { descr, shape, data: image }), summary, diagnostics })
}

/// A raw bulk copy: `bytes` at `from` of the source array over (or combined into) those at `to` of the other.
///
/// # Errors
/// When the reduction does not exist for the elements; refusals and faults are part of the answer.
pub fn bulk(
    source: &Array,
    from: u64,
    destination: &Array,
    to: u64,
    bytes: u32,
    reduce: Option<ReduceOp>,
) -> Result<Copied, ExplainError> {
    let copy = match reduce {
        None => BulkCopy::new(to, from, bytes),
        Some(op) => {
            let ty = match (destination.descr.kind, destination.descr.bytes) {
                ('u', 4) => ReduceType::U32,
                ('i', 4) => ReduceType::S32,
                ('u', 8) => ReduceType::U64,
                ('i', 8) => ReduceType::S64,
                ('f', 2) => ReduceType::F16,
                ('f', 4) => ReduceType::F32,
                ('f', 8) => ReduceType::F64,
                _ => {
                    let text = format!("elements of {} have no bulk reduction", destination.descr);
                    return Err(ExplainError::Unusable(text));
                }
            };
            let reduction = Reduction::bulk_global(op, ty).ok_or_else(|| {
                ExplainError::Unusable(format!(
                    "elements of {} have no such bulk reduction",
                    destination.descr
                ))
            })?;
            BulkCopy::reduce(to, from, bytes, reduction)
        }
    };
    let copy = match copy {
        Ok(copy) => copy,
        Err(fault) => {
            let told = Diagnostic::new(Code(fault.code()), Level::Error, fault.to_string())
                .note(format!("the launch would end with CUDA error {}", fault.cuda_error()))
                .source(fault.source());
            return Ok(Copied::refused(vec![told]));
        }
    };
    let mut diagnostics = Vec::new();
    if let Some(asked) = copy.asked {
        diagnostics.push(
            Diagnostic::new(
                Code("bulk-size-truncated"),
                Level::Warning,
                format!("{asked} bytes are asked for, {} move: only bits 19:4 of the size count", copy.bytes),
            )
            .source(tilehaul_diag::Source::hardware("h200 fact 84")),
        );
    }
    let mut after = Region::new(0, destination.data.clone());
    Ok(finish(&copy.plan, &Region::new(0, source.data.clone()), &mut after, destination, diagnostics))
}
