//! Remarks on legal maps: warnings for what is very probably a mistake, notes for what is good to know.
//!
//! A map that an ordinary kernel would use draws no warning.

use tilehaul_diag::Diagnostic;

use super::arguments::{Context, Naming};
use super::rules as r;
use super::{AllocationClass, MapKind, TensorMap};
use crate::nvidia::{DataType, Interleave, Swizzle};

/// Base of an allocation of class LARGE up to which it must be accessible. manual: cuda.h 13.5.
const LARGE_BYTES: u64 = 128 * 1024;

impl TensorMap {
    /// What is probably a mistake in this map, and what is good to know. `alloc_bytes` are allocated from its address
    /// on, where known.
    #[must_use]
    pub fn hints(&self, alloc_bytes: Option<u64>, context: &Context) -> Vec<Diagnostic> {
        hints(self, alloc_bytes, None, context)
    }
}

/// Everything to say about a legal map. `alloc_bytes` are allocated from its address on, where known; `strides` are
/// the strides as they were given.
pub(super) fn hints(
    map: &TensorMap,
    alloc_bytes: Option<u64>,
    strides: Option<&[u64]>,
    context: &Context,
) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    address(map, alloc_bytes, context, &mut said);
    dims(map, context, &mut said);
    overlap(map, context, &mut said);
    element_strides(map, context, &mut said);
    shared(map, context, &mut said);
    uses(map, context, &mut said);
    if let Some(given) = strides.filter(|given| given.len() >= map.rank && map.rank > 1) {
        let counted = match map.rank - 1 {
            1 => "only the first counts".to_owned(),
            several => format!("only the first {several} count"),
        };
        said.push(r::STRIDE_COUNT.told(format!(
            "{} strides are given for {} dimensions; {counted}, from dimension 1 on",
            given.len(),
            map.rank,
        )));
    }
    said
}

/// What cuda.h demands of an im2col-wide map and the driver does not check.
pub(super) fn wide_hints(map: &TensorMap, context: &Context) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    let target = context.architecture;
    if target.number < 100 {
        said.push(r::WIDE_TARGET.broken(
            format!("im2col-wide copies do not exist on {}: the driver makes an ordinary im2col map whose H and D corners are 0", target.name),
            "Use cuTensorMapEncodeIm2col, or target sm_100 or later.",
        ));
    }
    if !matches!(map.swizzle, Swizzle::B64 | Swizzle::B128 | Swizzle::B128Atom32) {
        said.push(r::WIDE_MODES.broken(
            format!("swizzle {} is not one of those that an im2col-wide map may have", map.swizzle.name()),
            "Use 64B, 128B or 128B_atom_32B.",
        ));
    }
    if map.interleave != Interleave::None {
        said.push(r::WIDE_MODES.broken(
            format!("interleave {} does not go with an im2col-wide map", map.interleave.name()),
            "Use no interleave.",
        ));
    }
    said
}

fn address(map: &TensorMap, alloc_bytes: Option<u64>, context: &Context, said: &mut Vec<Diagnostic>) {
    let name = plain(context, "address", "globalAddress");
    if map.address == 0 {
        said.push(r::NULL_ADDRESS.broken(
            format!("{name} is null: the driver takes it, and the first copy faults with 700"),
            "Pass the tensor's device address, or do not launch the copy.",
        ));
    }
    let extent = map.extent();
    if let Some(alloc) = alloc_bytes.filter(|&alloc| u128::from(alloc) < extent) {
        said.push(r::EXTENT_ALLOCATION.broken(
            format!(
                "the tensor spans {extent} B from {name} on, but only {alloc} B are allocated: elements past the end count as in bounds, \
                 so copies read or overwrite foreign memory or fault with 700"
            ),
            fitting_dim(map, alloc, context),
        ));
    }
    if u128::from(map.address) + extent > 1 << 57 {
        said.push(r::EXTENT_ADDRESS.told(format!(
            "the tensor spans {extent} B from {:#x} on, past 2^57, where the engine drops address bits",
            map.address
        )));
    }
    // sm_90 does not look at the class: h200 fact 48.
    let large = map.allocation_class == AllocationClass::Large && context.architecture.number >= 100;
    if let Some(alloc) = alloc_bytes.filter(|&alloc| large && alloc < LARGE_BYTES) {
        said.push(r::LARGE_ALLOCATION.broken(
            format!("allocation class LARGE needs 131072 B accessible from {name} on, but only {alloc} B are allocated"),
            "Set the class to SMALL (cuTensorMapSetAllocationClass, or clear bit 21 of the second 64-bit word).",
        ));
    }
}

/// The outermost dimension that can shrink until the tensor fits, as an imperative sentence.
fn fitting_dim(map: &TensorMap, alloc: u64, context: &Context) -> String {
    for dim in (1..map.rank).rev() {
        let stride = u128::from(map.strides[dim - 1]);
        let mut rest = *map;
        rest.dims[dim] = 1;
        let room = u128::from(alloc).checked_sub(rest.extent());
        if let (Some(room), true) = (room, stride > 0 && map.dims[dim] > 1) {
            let name = indexed(context, "tensor dimension", "globalDim", dim);
            return format!("Use at most {} for {name}, or allocate {} B.", room / stride + 1, map.extent());
        }
    }
    format!("Allocate {} B, or describe a smaller tensor.", map.extent())
}

fn dims(map: &TensorMap, context: &Context, said: &mut Vec<Diagnostic>) {
    for dim in 0..map.rank {
        let name = || indexed(context, "tensor dimension", "globalDim", dim);
        if map.dims[dim] > 1 << 31 {
            said.push(r::DIM_UNUSABLE.broken(
                format!(
                    "{} is {}, above 2^31: the driver takes it, and every copy then dies with error 715",
                    name(),
                    map.dims[dim]
                ),
                "Split the tensor so that no dimension exceeds 2147483648.",
            ));
        }
        if let MapKind::Tiled { box_dims } = map.kind
            && map.interleave == Interleave::None
            && u64::from(box_dims[dim]) > map.dims[dim]
        {
            said.push(r::BOX_BEYOND.told(format!(
                "{} is {}, more than the tensor's {}: the rest is always filled, and counts for the barrier",
                indexed(context, "box dimension", "boxDim", dim),
                box_dims[dim],
                map.dims[dim]
            )));
        }
    }
}

/// Rows that share bytes: a stride smaller than everything that lies below it.
fn overlap(map: &TensorMap, context: &Context, said: &mut Vec<Diagnostic>) {
    let mut order: [usize; 4] = [1, 2, 3, 4];
    order.sort_by_key(|&dim| map.strides[dim - 1]);
    let mut below = map.inner_bytes();
    for dim in order.into_iter().filter(|&dim| dim < map.rank && map.dims[dim] > 1) {
        let stride = map.strides[dim - 1];
        let name = match context.naming {
            Naming::Plain => format!("stride {} (of dimension {dim})", dim - 1),
            Naming::Cuda => format!("globalStrides[{}]", dim - 1),
        };
        if stride == 0 {
            said.push(
                r::STRIDE_ZERO.told(format!(
                    "{name} is 0: all {} of dimension {dim} are the same bytes",
                    map.dims[dim]
                )),
            );
            continue;
        }
        let wide = u128::from(stride);
        if wide < below {
            let bytes = map.data_type.element().bytes().unwrap_or(1);
            let told = r::STRIDE_OVERLAP.broken(
                format!(
                    "{name} is {stride} B, less than the {below} B that lie below it, so its slices overlap"
                ),
                format!("Use at least {below} B, rounded up to a multiple of 16."),
            );
            let in_elements = bytes > 1 && wide * u128::from(bytes) >= below;
            said.push(if in_elements {
                told.note("Strides are in bytes; this one looks like elements.")
            } else {
                told
            });
        }
        below += u128::from(map.dims[dim] - 1) * wide;
    }
}

fn element_strides(map: &TensorMap, context: &Context, said: &mut Vec<Diagnostic>) {
    if map.interleave == Interleave::None && map.element_strides[0] != 1 {
        said.push(r::INNER_STRIDE_IGNORED.broken(
            format!(
                "{} is {}, and is ignored: without interleave dimension 0 is always copied whole",
                indexed(context, "element stride", "elementStrides", 0),
                map.element_strides[0]
            ),
            "Use 1, and make the strided dimension the second one with its stride in bytes.",
        ));
    }
    let MapKind::Tiled { box_dims } = map.kind else { return };
    let first = usize::from(map.interleave == Interleave::None);
    for (dim, (size, stride)) in
        box_dims.into_iter().zip(map.element_strides).enumerate().take(map.rank).skip(first)
    {
        if stride < 2 || size < 2 {
            continue;
        }
        let name = indexed(context, "box dimension", "boxDim", dim);
        let moved = size.div_ceil(stride);
        if size % stride == 0 {
            said.push(r::ELEMENT_STRIDE_COUNT.told(format!(
                "{name} is {size} with element stride {stride}: a copy moves {moved} of them; to move {size}, the box is {}",
                size * stride
            )));
        } else {
            said.push(r::ELEMENT_STRIDE_BOX.broken(
                format!("{name} is {size}, not a multiple of its element stride {stride}: a copy moves {moved}, rounded up"),
                format!("Use {} to move {moved}, or {} to move {size}.", moved * stride, size * stride),
            ));
        }
    }
}

fn shared(map: &TensorMap, context: &Context, said: &mut Vec<Diagnostic>) {
    let span = map.shared_span();
    if let (Some(width), Interleave::None) = (map.swizzle.span(), map.interleave) {
        let row = map.data_type.element().shared_bytes(map.counts()[0].into());
        let rows: u64 = map.counts()[1..].iter().map(|&n| u64::from(n)).product();
        if row < u64::from(width) && rows > 1 {
            said.push(r::ROW_PITCH.broken(
                format!(
                    "a row of the box is {row} B under a swizzle of {width} B, and still takes {width} B in shared memory: \
                     {rows} rows span {span} B, not {}",
                    row * rows
                ),
                format!("Make the row {width} B wide, or use a narrower swizzle, or give the tile {span} B."),
            ));
        }
    }
    let target = context.architecture;
    if span > target.shared_bytes.into() {
        said.push(r::BOX_SHARED.broken(
            format!(
                "the box spans {span} B of shared memory, more than the {} B that one CTA can have on {}",
                target.shared_bytes, target.name
            ),
            "Use a smaller box.",
        ));
    }
}

fn uses(map: &TensorMap, context: &Context, said: &mut Vec<Diagnostic>) {
    if map.interleave == Interleave::None && !map.inner_bytes().is_multiple_of(16) {
        let name = indexed(context, "tensor dimension", "globalDim", 0);
        said.push(r::STORE_EDGE.told(format!(
            "{name} is {} elements = {} B, not a multiple of 16 B: a store or reduction at that edge also writes the bytes up to the next multiple",
            map.dims[0],
            map.inner_bytes()
        )));
    }
    if map.data_type.element().rounds_to_tf32() {
        said.push(
            r::TF32_ROUNDS
                .told("loads round each element to 10 mantissa bits (tf32); stores copy it as it is"),
        );
    }
    if let MapKind::Im2col { lower, upper, .. } = map.kind
        && let Some(axis) = (0..map.spatial().len()).find(|&axis| lower[axis] < 0 || upper[axis] > 0)
    {
        said.push(r::IM2COL_STORE.told(format!(
            "the bounding box of {} runs from {} to size {:+}: good for loads, while a store or reduction through this map dies with error 715",
            ["W", "H", "D"][axis], lower[axis], upper[axis]
        )));
    }
    if map.swizzle == Swizzle::B128Atom32Flip8 {
        said.push(r::FLIP_LOADS_ONLY.told("swizzle 128B_atom_32B_flip_8B works for loads only"));
    }
    if map.data_type == DataType::U4Align16 {
        said.push(
            r::PACKED_LOADS_ONLY.told("16U4_ALIGN16B tensors can be loaded, but neither stored nor reduced"),
        );
    }
}

fn plain(context: &Context, plain: &'static str, cuda: &'static str) -> &'static str {
    match context.naming {
        Naming::Plain => plain,
        Naming::Cuda => cuda,
    }
}

fn indexed(context: &Context, plain: &str, cuda: &str, at: usize) -> String {
    match context.naming {
        Naming::Plain => format!("{plain} {at}"),
        Naming::Cuda => format!("{cuda}[{at}]"),
    }
}
