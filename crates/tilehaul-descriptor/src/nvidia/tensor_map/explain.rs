//! A tensor map in words: its fields, what follows from them, what is wrong with it.

use super::arguments::Context;
use super::format::{self, format_of};
use super::{MAP_BYTES, MapKind, TensorMap, has_error};
use crate::explain::Explanation;
use crate::nvidia::Interleave;

/// Everything there is to say about 128 bytes. `alloc_bytes` are allocated from the map's address on, where known.
#[must_use]
pub fn explain(bytes: &[u8; MAP_BYTES], alloc_bytes: Option<u64>, context: &Context) -> Explanation {
    let decoded = TensorMap::decode(bytes, context.architecture);
    let mut explanation = Explanation::of(format_of(&decoded.words), &decoded.words);
    let rank = format::RANK.stored(&decoded.words) as usize + 1;
    // Fields of dimensions that the map does not have say nothing, unless someone left bits there.
    explanation
        .fields
        .retain(|field| field.stored != 0 || dimension_of(field.name).is_none_or(|dim| dim < rank));
    explanation.fields.retain(|field| {
        field.stored != 0 || !matches!(field.name, "swizzleAtomicity" | "swizzle96" | "tf32")
    });
    explanation.diagnostics = decoded.diagnostics;
    match decoded.map {
        Some(map) => {
            derive(&map, &mut explanation);
            if !has_error(&explanation.diagnostics) {
                explanation.diagnostics.extend(map.hints(alloc_bytes, context));
            }
        }
        None => explanation.summary = "Not a map that any copy can use.".into(),
    }
    explanation
}

/// Everything there is to say about a map that was just encoded.
#[must_use]
pub fn explain_map(map: &TensorMap, alloc_bytes: Option<u64>, context: &Context) -> Explanation {
    explain(&map.encode(), alloc_bytes, context)
}

/// The dimension that a field such as `globalDim[3]` belongs to; a stride belongs to the dimension after its index.
fn dimension_of(field: &str) -> Option<usize> {
    let (name, rest) = field.split_once('[')?;
    let index: usize = rest.strip_suffix(']')?.parse().ok()?;
    match name {
        "globalStrides" => Some(index + 1),
        "globalDim" | "boxDim" | "elementStrides" => Some(index),
        _ => None,
    }
}

fn derive(map: &TensorMap, explanation: &mut Explanation) {
    let sizes = |values: &[u64]| values.iter().map(u64::to_string).collect::<Vec<_>>().join(" x ");
    let dims = sizes(&map.dims[..map.rank]);
    let counts = map.counts();
    let element = map.data_type.element();
    let swizzle = match map.swizzle.span() {
        Some(_) => format!("swizzle {}", map.swizzle.name()),
        None => "no swizzle".to_owned(),
    };
    let interleave = match map.interleave {
        Interleave::None => String::new(),
        other => format!(", interleave {}", other.name()),
    };
    explanation.summary = match map.kind {
        MapKind::Tiled { box_dims } => {
            let box_dims = box_dims.map(u64::from);
            format!(
                "Boxes of {} out of a tensor of {dims} {element} (innermost first), {swizzle}{interleave}.",
                sizes(&box_dims[..map.rank])
            )
        }
        MapKind::Im2col { channels, pixels, .. } => {
            format!(
                "Columns of {pixels} pixels with {channels} channels out of a tensor of {dims} {element} (channels first), {swizzle}{interleave}."
            )
        }
    };
    explanation.derive("bytes per copy (what a barrier must expect)", map.transaction_bytes().to_string());
    explanation.derive("elements moved", sizes(&counts.map(u64::from)[..map.rank.max(2).min(counts.len())]));
    explanation.derive("shared memory spanned", format!("{} B", map.shared_span()));
    let repeat = map.swizzle.repeat();
    explanation.derive(
        "shared memory alignment",
        match map.swizzle.span() {
            Some(_) => format!(
                "128 B for the copy, {repeat} B for a consumer that swizzles offsets instead of addresses"
            ),
            None => "128 B".to_owned(),
        },
    );
    let end = u128::from(map.address) + map.extent();
    explanation.derive("global memory", format!("{:#x} to {end:#x} ({} B)", map.address, map.extent()));
    if map.interleave == Interleave::None {
        let unit = 128 / element.bits().max(1);
        explanation.derive(
            "start coordinate of dimension 0",
            format!("a multiple of {unit} (16 B), else copies die with error 715"),
        );
    }
}
