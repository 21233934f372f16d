//! A copy through a tensor map.

use tilehaul_descriptor::ElementType;
use tilehaul_descriptor::nvidia::tensor_map::MAP_BYTES;
use tilehaul_descriptor::nvidia::{MapKind, Swizzle, TensorMap};
use tilehaul_diag::{Code, Diagnostic, Level};
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
        let mut summary =
            vec![moved(&copy.plan), format!("a barrier must expect {} bytes", copy.transaction_bytes)];
        summary.extend(remark(element));
        if let Err(fault) = copy.plan.run(&global, &mut shared) {
            let (global, shared) = (&global.data, &shared.data);
            diagnostics.push(outside(&fault, ("the tensor", global), ("the shared image", shared)));
            return Ok(Copied { array: None, summary, diagnostics });
        }
        let image = shared.data.get(request.shared as usize..).unwrap_or_default().to_vec();
        let mut shape = shape;
        shape.push(row.elements);
        let array = Array { descr: row.descr, shape, data: image };
        return Ok(Copied { array: Some(array), summary, diagnostics });
    }
    let Some(tile) = tile else {
        return Err(ExplainError::Unusable(
            "a store or reduction needs the tile's array too: --tile-file".to_owned(),
        ));
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
