//! A copy through a tensor map.

use tilehaul_descriptor::ElementType;
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_descriptor::nvidia::{MapKind, Swizzle, TensorMap};
use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_engine::Region;
use tilehaul_engine::tma::{self, EngineMap, LoadMode, LoadRequest, StoreMode, StoreRequest, TmaFault};

use super::types::{Elements, Side, Use, compare, remark};
use super::{Copied, Way, finish, moved, outside, shared_image};
use crate::encode::{self, MapArguments, STAND_IN_ADDRESS};
use crate::explain::ExplainError;
use crate::npy::{Array, Descr};

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
    let (bytes, mut diagnostics) = match request.map {
        Some(map) => (Some(map), Vec::new()),
        None => encoded(&request.arguments, tensor)?,
    };
    let Some(bytes) = bytes else { return Ok(Copied::refused(diagnostics)) };
    let engine = match EngineMap::decode(&bytes, architecture) {
        Ok(engine) => engine,
        Err(fault) => return Ok(refused(diagnostics, &fault)),
    };
    let Some(map) = TensorMap::decode(&bytes, architecture).map else {
        return Err(ExplainError::Unusable("the map has no meaning that a copy could use".to_owned()));
    };
    let element = map.data_type.element();
    let mover = if request.map.is_some() { "the map" } else { "--dtype" };
    let how = if matches!(request.way, Way::Reduce(_)) { Use::Combined } else { Use::Moved };
    let sides = [Some(("--tensor", tensor)), tile.map(|tile| ("--tile-file", tile))];
    for (option, array) in sides.into_iter().flatten() {
        diagnostics.extend(compare(Side { option, descr: array.descr }, mover, Elements::Of(element), how));
    }
    if diagnostics.iter().any(|d| d.level == Level::Error) {
        return Ok(Copied::refused(diagnostics));
    }
    let rows: Option<[i32; 4]> = match request.rows.len() {
        0 => None,
        _ => Some(request.rows.clone().try_into().map_err(|_| {
            ExplainError::Unusable(format!("a gather or scatter names 4 rows, not {}", request.rows.len()))
        })?),
    };
    let copy = Copy { request, map, engine, rows, diagnostics };
    match (request.way, tile) {
        (Way::Load, _) => copy.load(tensor),
        (Way::Store | Way::Reduce(_), Some(tile)) => Ok(copy.store(tensor, tile)),
        (Way::Store | Way::Reduce(_), None) => Err(ExplainError::Unusable(
            "a store or reduction needs the tile's array too: --tile-file".to_owned(),
        )),
    }
}

/// The map that the arguments ask for, unless a rule is broken.
fn encoded(
    arguments: &MapArguments,
    tensor: &Array,
) -> Result<(Option<[u8; MAP_BYTES]>, Vec<Diagnostic>), ExplainError> {
    let encoded = encode::tensor_map(&completed(arguments, tensor)?)?;
    let map = encoded.words.map(|words| {
        let mut map = [0; MAP_BYTES];
        for (slot, byte) in map.iter_mut().zip(words.iter().flat_map(|w| w.to_le_bytes())) {
            *slot = byte;
        }
        map
    });
    Ok((map, encoded.explained.diagnostics))
}

fn refused(mut diagnostics: Vec<Diagnostic>, fault: &TmaFault) -> Copied {
    diagnostics.push(
        Diagnostic::new(Code(fault.code()), Level::Error, fault.to_string())
            .note(format!("the launch would end with CUDA error {}", fault.cuda_error()))
            .source(fault.source()),
    );
    Copied::refused(diagnostics)
}

/// A copy whose map is legal.
struct Copy<'a> {
    request: &'a TmaRequest,
    map: TensorMap,
    engine: EngineMap,
    /// Of a gather or scatter.
    rows: Option<[i32; 4]>,
    /// What has been said so far.
    diagnostics: Vec<Diagnostic>,
}

impl Copy<'_> {
    fn load(self, tensor: &Array) -> Result<Copied, ExplainError> {
        let Copy { request, map, engine, rows, mut diagnostics } = self;
        let mode = match (rows, map.kind) {
            (Some(rows), _) => LoadMode::Gather4(rows),
            (None, MapKind::Tiled { .. }) => LoadMode::Tile,
            (None, MapKind::Im2col { .. }) => {
                LoadMode::Im2col { offsets: [0, 1, 2].map(|i| request.offsets.get(i).copied().unwrap_or(0)) }
            }
        };
        let load = LoadRequest { shared: request.shared, coords: &request.coords, mode };
        let copy = match tma::load(&engine, &load) {
            Ok(copy) => copy,
            Err(fault) => return Ok(refused(diagnostics, &fault)),
        };
        let (mut shape, row) = image_shape(&map, rows.is_some());
        let bytes = shape.iter().product::<u64>() * row.pitch;
        let mut shared =
            shared_image(request.shared, bytes, request.filler).map_err(ExplainError::Unusable)?;
        let mut summary =
            vec![moved(&copy.plan), format!("a barrier must expect {} bytes", copy.transaction_bytes)];
        summary.extend(remark(map.data_type.element()));
        let global = Region::new(map.address, tensor.data.clone());
        if let Err(fault) = copy.plan.run(&global, &mut shared) {
            let (global, shared) = (&global.data, &shared.data);
            diagnostics.push(outside(&fault, ("the tensor", global), ("the shared image", shared)));
            return Ok(Copied { array: None, summary, diagnostics });
        }
        let image = shared.data.get(request.shared as usize..).unwrap_or_default().to_vec();
        shape.push(row.elements);
        let array = Array { descr: row.descr, shape, data: image };
        Ok(Copied { array: Some(array), summary, diagnostics })
    }

    fn store(self, tensor: &Array, tile: &Array) -> Copied {
        let Copy { request, map, engine, rows, mut diagnostics } = self;
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
            Err(fault) => return refused(diagnostics, &fault),
        };
        if let Some(spill) = copy.spill {
            let message = format!(
                "the tensor's row of {} elements ends {} bytes before a multiple of 16: the store writes them too",
                spill.edge, spill.bytes_per_row
            );
            diagnostics.push(
                Diagnostic::new(Code("tma-store-spills"), Level::Warning, message)
                    .source(Source::hardware("h200 fact 66")),
            );
        }
        let mut global = Region::new(map.address, tensor.data.clone());
        let shared = Region::new(request.shared, tile.data.clone());
        finish(&copy.plan, &shared, &mut global, tensor, diagnostics)
    }
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
