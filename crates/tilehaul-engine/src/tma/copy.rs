//! Loads, stores, reductions and prefetches through a tensor map.

use tilehaul_descriptor::ElementType;
use tilehaul_descriptor::nvidia::Swizzle;

use super::TmaFault;
use super::asked::Asked;
use super::map::EngineMap;
use super::request::{GatherRows, LoadMode, LoadRequest, StoreRequest};
use super::rows::Rows;
use super::walk::{Direction, RowPart, RowShape, TmaWalk};
use crate::TransferPlan;
use crate::bulk::aligned;
use crate::plan::{Fill, Transform, Walk};
use crate::reduce::{ReduceOp, ReduceType, Reduction};

/// Shared-memory addresses of tensor copies are multiples of this many bytes. hardware: h200 fact 33.
const SHARED_ALIGNMENT: u64 = 128;

/// Bytes that a store or reduction writes past the inner edge of the tensor. hardware: h200 fact 66.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spill {
    /// Bytes from the edge to the next multiple of 16, in every row that reaches the edge.
    pub bytes_per_row: u64,
    /// Size of dimension 0 in elements.
    pub edge: u64,
}

/// One tensor copy, ready to run.
#[derive(Clone, Debug, PartialEq)]
pub struct TmaCopy {
    /// The bytes.
    pub plan: TransferPlan,
    /// What the barrier of each destination CTA is told: the whole box, out-of-bounds parts included, pitch gaps and
    /// cell padding not. 0 for stores. hardware: h200 fact 39.
    pub transaction_bytes: u32,
    /// Address that the engine touches although no byte of it is asked for: a load whose first chunk is out of bounds
    /// faults with 700 when the tensor's base is not mapped. hardware: h200 fact 47.
    pub touched: Option<u64>,
    /// What a store writes past the inner edge.
    pub spill: Option<Spill>,
}

/// A load.
///
/// # Errors
/// What the engine refuses.
pub fn load(map: &EngineMap, request: &LoadRequest<'_>) -> Result<TmaCopy, TmaFault> {
    aligned("shared-memory address of the tensor copy", request.shared, SHARED_ALIGNMENT)?;
    if let Some(refused) = &map.refused_by_loads {
        return Err(TmaFault::clone(refused));
    }
    if let LoadMode::Gather4(rows) = &request.mode
        && let Some(copy) = gathered(map, request.shared, request.coords, rows)
    {
        return Ok(copy);
    }
    let asked = Asked::load(map, &request.mode, request.coords)?;
    let transform = if map.rounds_to_tf32() { Transform::RoundTf32 } else { Transform::Copy };
    let first = asked.first_chunk_inside(map);
    let bytes = asked.rows() * asked.payload(map);
    let plan = asked.plan(map, Direction::Load, request.shared, transform)?;
    Ok(TmaCopy {
        plan,
        // A box is at most 256^5 elements on paper; what fits a CTA fits 32 bits.
        transaction_bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
        touched: (!first && map.model.touches_base).then_some(map.address),
        spill: None,
    })
}

/// A gather of rows whose columns lie inside the tensor: what [`Asked::listed`] and [`Asked::plan`] come to, without the
/// questions that the map has answered once. None where those have to be asked.
#[inline(always)]
fn gathered(map: &EngineMap, shared: u64, coords: &[i32], rows: &GatherRows) -> Option<TmaCopy> {
    let gather = map.gather?;
    let column = coords.first().copied().unwrap_or(0);
    if column < 0 || column > gather.last_column || column & gather.clear != 0 || shared > gather.last_shared
    {
        return None;
    }
    let size = map.dims[1].cast_signed();
    let rows = rows.map(i64::from);
    let len = gather.row_bytes;
    let shape = RowShape {
        global_start: i64::from(column) * i64::from(map.unit_bits() / 8),
        parts: [
            RowPart { offset: 0, len: 0, inside: false },
            RowPart { offset: 0, len, inside: true },
            RowPart { offset: len, len: 0, inside: false },
        ],
        strided: None,
        cells: None,
        row_bytes: len,
    };
    let walk = TmaWalk {
        direction: Direction::Load,
        shared,
        pitch: gather.pitch,
        swizzle: if map.swizzle.span().is_none() { Swizzle::None } else { map.swizzle },
        global: map.address,
        shape,
        rows: Rows::Listed { rows, size, stride: map.strides[0] },
    };
    let first = (0..size).contains(&rows[0]);
    Some(TmaCopy {
        plan: TransferPlan {
            walk: Walk::Tma(walk),
            transform: if map.rounds_to_tf32() { Transform::RoundTf32 } else { Transform::Copy },
            fill: if map.nan_fill { Fill::NanHalves } else { Fill::Zero },
        },
        transaction_bytes: u32::try_from(4 * len).unwrap_or(u32::MAX),
        touched: (!first && map.model.touches_base).then_some(map.address),
        spill: None,
    })
}

/// A prefetch into the L2: checked like a load, moves nothing, and never faults on unmapped memory.
/// hardware: h200 fact 87.
///
/// # Errors
/// What the engine refuses.
pub fn prefetch(map: &EngineMap, mode: &LoadMode, coords: &[i32]) -> Result<(), TmaFault> {
    Asked::load(map, mode, coords).map(drop)
}

/// A store.
///
/// # Errors
/// What the engine refuses.
pub fn store(map: &EngineMap, request: &StoreRequest<'_>) -> Result<TmaCopy, TmaFault> {
    let transform = match map.element {
        ElementType::B4x16P64 => return Err(TmaFault::CannotStore { element: map.element.name() }),
        ElementType::B6x16P32 => Transform::PackSixBit,
        _ => Transform::Copy,
    };
    write(map, request, transform)
}

/// A reduction.
///
/// # Errors
/// What the engine refuses, element types without that operation included.
pub fn reduce(map: &EngineMap, op: ReduceOp, request: &StoreRequest<'_>) -> Result<TmaCopy, TmaFault> {
    let ty = reduce_type(map.element);
    let reduction = ty.and_then(|ty| Reduction::tensor(op, ty)).ok_or_else(|| TmaFault::NoSuchReduction {
        what: format!("{} on elements of type {}", op.name(), map.element),
    })?;
    write(map, request, Transform::Reduce(reduction))
}

fn write(map: &EngineMap, request: &StoreRequest<'_>, transform: Transform) -> Result<TmaCopy, TmaFault> {
    aligned("shared-memory address of the tensor copy", request.shared, SHARED_ALIGNMENT)?;
    let asked = Asked::store(map, &request.mode, request.coords)?;
    let spill = asked.spill(map);
    let plan = asked.plan(map, Direction::Store, request.shared, transform)?;
    Ok(TmaCopy { plan, transaction_bytes: 0, touched: None, spill })
}

/// hardware: h200 facts 70, 71. 8- and 16-bit integers have no reduction; tf32 adds at full f32 precision.
fn reduce_type(element: ElementType) -> Option<ReduceType> {
    match element {
        ElementType::U32 => Some(ReduceType::U32),
        ElementType::I32 => Some(ReduceType::S32),
        ElementType::U64 => Some(ReduceType::U64),
        ElementType::I64 => Some(ReduceType::S64),
        ElementType::F16 => Some(ReduceType::F16),
        ElementType::Bf16 => Some(ReduceType::Bf16),
        ElementType::F32 | ElementType::Tf32 => Some(ReduceType::F32),
        ElementType::F32Ftz | ElementType::Tf32Ftz => Some(ReduceType::F32Ftz),
        ElementType::F64 => Some(ReduceType::F64),
        ElementType::U8
        | ElementType::I8
        | ElementType::U16
        | ElementType::I16
        | ElementType::F8e4m3
        | ElementType::F8e5m2
        | ElementType::F8e4m3Fnuz
        | ElementType::F8e5m2Fnuz
        | ElementType::F8e8m0
        | ElementType::B4x16
        | ElementType::B4x16P64
        | ElementType::B6x16P32
        | ElementType::B6p2x16 => None,
    }
}
