//! Reading maps back, and what the copy engine refuses in them.
//!
//! The engine checks a map again when it uses it (hardware: h200 fact 29); a refused one kills the launch with error
//! 715. It ignores the driver's notes and a number of bits (fact 28), so maps edited by kernels work.

use tilehaul_diag::Diagnostic;

use super::format::{self, WORDS};
use super::rules as r;
use super::{AllocationClass, MAP_BYTES, MAX_RANK, MapKind, TensorMap, bytes_of, words_of};
use crate::Rule;
use crate::field::FieldSpec;
use crate::nvidia::architecture::Swizzle96;
use crate::nvidia::{Architecture, DataType, Interleave, L2Promotion, OobFill, Swizzle};

/// What 128 bytes say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The words, little end first.
    pub words: [u32; WORDS],
    /// The map, unless a code in it has no meaning.
    pub map: Option<TensorMap>,
    /// What the engine refuses (errors), and that the map was edited (notes).
    pub diagnostics: Vec<Diagnostic>,
}

impl TensorMap {
    /// Reads a map, whatever its bytes: never fails, never panics.
    #[must_use]
    pub fn decode(bytes: &[u8; MAP_BYTES], architecture: &Architecture) -> Decoded {
        let words = words_of(bytes);
        let mut refused = Vec::new();
        let map = read(&words, architecture, &mut |rule, what| refused.push(rule.told(what())));
        if let Some(map) = &map {
            engine_rules(map, &mut |rule, what| refused.push(rule.told(what())));
            remarks(map, &words, &mut refused);
        }
        Decoded { words, map, diagnostics: refused }
    }

    /// The map as the engine takes it at the start of a copy, or `None` when it refuses the map with error 715. An address
    /// without its alignment (error 716) is left to the copy. Makes no text, for use on every copy.
    #[must_use]
    pub fn fetch(bytes: &[u8; MAP_BYTES], architecture: &Architecture) -> Option<TensorMap> {
        let mut refused = false;
        let map = read(&words_of(bytes), architecture, &mut |_, _| refused = true)?;
        engine_rules(&map, &mut |rule, _| refused |= rule.code != r::ENGINE_ADDRESS.code);
        (!refused).then_some(map)
    }

    /// The same bytes with the tf32 bit clear, as stores, reductions and prefetches read them (hardware: H200,
    /// `probe/e24_again`).
    #[must_use]
    pub fn clear_tf32(bytes: &[u8; MAP_BYTES]) -> [u8; MAP_BYTES] {
        let mut words = words_of(bytes);
        format::TF32.store(&mut words, 0);
        bytes_of(&words)
    }
}

/// A broken rule and, on demand, its sentence.
type Tell<'a> = &'a mut dyn FnMut(&Rule, &dyn Fn() -> String);

/// The fields as values; `None` when a code has no meaning.
fn read(words: &[u32; WORDS], architecture: &Architecture, tell: Tell) -> Option<TensorMap> {
    let get = |field: &FieldSpec| field.stored(words);
    let one_more = |field: &FieldSpec| get(field) + 1;
    let im2col = get(&format::IM2COL) == 1;
    let rank = one_more(&format::RANK) as usize;
    let least = if im2col { 3 } else { 1 };
    let rank_known = (least..=MAX_RANK).contains(&rank);
    if !rank_known {
        let kind = if im2col { "im2col" } else { "tiled" };
        tell(&r::ENGINE_RANK, &|| {
            format!("tensorRank is {rank}, and this {kind} map needs {least} to 5: copies die with error 715")
        });
    }
    let data_type = data_type(words, architecture, tell);
    let interleave = Interleave::from_code(get(&format::INTERLEAVE) as u32);
    if interleave.is_none() {
        tell(&r::ENGINE_INTERLEAVE, &|| "interleave is 3, which has no meaning".to_owned());
    }
    let swizzle = swizzle(words, architecture, tell);
    let (true, Some(data_type), Some(interleave), Some(swizzle)) =
        (rank_known, data_type, interleave, swizzle)
    else {
        return None;
    };

    let mut dims = [1; MAX_RANK];
    let mut strides = [0; MAX_RANK - 1];
    let mut element_strides = [1; MAX_RANK];
    let mut box_dims = [1; MAX_RANK];
    for dim in 0..rank {
        dims[dim] = one_more(&format::DIMS[dim]);
        element_strides[dim] = one_more(&format::ELEMENT_STRIDES[dim]) as u32;
        box_dims[dim] = one_more(&format::BOX[dim]) as u32;
        if dim > 0 {
            strides[dim - 1] = get(&format::STRIDES[dim - 1]) << 4;
        }
    }
    let kind = if im2col {
        let (mut lower, mut upper) = ([0; 3], [0; 3]);
        let (lower_fields, upper_fields) = format::corner_fields(rank as u32);
        for (axis, (low, high)) in lower_fields.iter().zip(upper_fields).enumerate() {
            lower[axis] = low.decode(get(low)) as i32;
            upper[axis] = high.decode(get(high)) as i32;
        }
        MapKind::Im2col {
            lower,
            upper,
            channels: one_more(&format::CHANNELS) as u32,
            pixels: one_more(&format::PIXELS) as u32,
        }
    } else {
        MapKind::Tiled { box_dims }
    };
    Some(TensorMap {
        address: get(&format::ADDRESS),
        data_type,
        rank,
        dims,
        strides,
        element_strides,
        interleave,
        swizzle,
        // Two bits and one bit: every code has a meaning.
        l2_promotion: L2Promotion::from_code(get(&format::L2_PROMOTION) as u32).unwrap_or_default(),
        oob_fill: OobFill::from_code(get(&format::OOB_FILL) as u32).unwrap_or_default(),
        allocation_class: if get(&format::LARGE) == 1 {
            AllocationClass::Large
        } else {
            AllocationClass::Small
        },
        kind,
    })
}

fn data_type(words: &[u32; WORDS], architecture: &Architecture, tell: Tell) -> Option<DataType> {
    let code = format::ELEMENT.stored(words) as u32;
    let tf32 = format::TF32.stored(words) == 1;
    if let Some(data_type) = DataType::from_stored(code, tf32) {
        if architecture.has_data_type(data_type) {
            return Some(data_type);
        }
        tell(&r::ENGINE_ELEMENT, &|| {
            format!(
                "elementType is {}, which {} does not know: copies die with error 715",
                data_type.element(),
                architecture.name
            )
        });
    } else if tf32 && DataType::from_stored(code, false).is_some() {
        tell(&r::ENGINE_TF32, &|| {
            let name = DataType::from_stored(code, false).map_or("", |t| t.element().name());
            format!(
                "the tf32 bit is set beside elementType {name}, not f32: loads die with error 715 (stores and reductions ignore the bit)"
            )
        });
    } else {
        tell(&r::ENGINE_ELEMENT, &|| {
            format!("elementType is code {code}, which has no meaning: copies die with error 715")
        });
    }
    None
}

/// Mode, atomicity and the 96B bit; what the target does not know it ignores (hardware: h200 fact 28, sm_90).
fn swizzle(words: &[u32; WORDS], architecture: &Architecture, tell: Tell) -> Option<Swizzle> {
    let mode = format::SWIZZLE.stored(words);
    let atoms = architecture.has_swizzle(Swizzle::B128Atom32);
    let atomicity = if atoms { format::ATOMICITY.stored(words) } else { 0 };
    let wide = architecture.swizzle_96 == Swizzle96::Present && format::SWIZZLE_96.stored(words) == 1;
    match (mode, atomicity, wide) {
        (0, 0, true) => Some(Swizzle::B96),
        (0, 0, false) => Some(Swizzle::None),
        (1, 0, false) => Some(Swizzle::B32),
        (2, 0, false) => Some(Swizzle::B64),
        (3, 0, false) => Some(Swizzle::B128),
        (3, 1, false) => Some(Swizzle::B128Atom32),
        (3, 2, false) => Some(Swizzle::B128Atom32Flip8),
        (3, 3, false) => Some(Swizzle::B128Atom64),
        (_, _, true) => {
            tell(&r::ENGINE_ATOMICITY, &|| {
                format!("the 96B bit is set beside swizzle mode {mode} and atomicity {atomicity}")
            });
            None
        }
        (_, _, false) => {
            tell(&r::ENGINE_ATOMICITY, &|| {
                format!(
                    "swizzleAtomicity is {atomicity} beside swizzle mode {mode}; only the 128B swizzle (3) has atoms other than 16B"
                )
            });
            None
        }
    }
}

/// What the engine refuses in a map whose codes have meanings.
fn engine_rules(map: &TensorMap, tell: Tell) {
    if map.interleave != Interleave::None && map.rank < 3 {
        tell(&r::ENGINE_INTERLEAVE, &|| {
            format!(
                "interleave is {} in a map of rank {}; it needs at least 3 dimensions",
                map.interleave.name(),
                map.rank
            )
        });
    }
    if map.interleave == Interleave::None {
        let row = map.row_bytes();
        let field = if matches!(map.kind, MapKind::Tiled { .. }) { "boxDim[0]" } else { "channelsPerPixel" };
        if !row.is_multiple_of(16) {
            tell(&r::ENGINE_ROW_BYTES, &|| {
                format!("{field} makes rows of {row} B, not a multiple of 16 B: copies die with error 715")
            });
        }
        if let Some(span) = map.swizzle.span().filter(|&span| row > span.into()) {
            tell(&r::ENGINE_ROW_BYTES, &|| {
                format!(
                    "{field} makes rows of {row} B, wider than the {span} B swizzle span: copies die with error 715"
                )
            });
        }
    }
    let unit = map.interleave.global_alignment();
    for (outer, &stride) in map.strides[..map.rank - 1].iter().enumerate() {
        // Strides are stored in units of 16 bytes, so this concerns an interleave of 32 bytes.
        if !stride.is_multiple_of(unit) {
            tell(&r::ENGINE_STRIDE, &|| {
                format!(
                    "globalStrides[{outer}] is {stride}, not a multiple of {unit} with interleave {}: copies die with error 715",
                    map.interleave.name()
                )
            });
        }
    }
    for dim in 0..map.rank {
        if map.dims[dim] > 1 << 31 {
            tell(&r::ENGINE_DIM, &|| {
                format!("globalDim[{dim}] is {}, above 2^31: copies die with error 715", map.dims[dim])
            });
        }
    }
    if let MapKind::Im2col { lower, upper, .. } = map.kind {
        for (axis, dim) in map.spatial().enumerate() {
            let end = map.dims[dim] as i64 + i64::from(upper[axis]);
            if i64::from(lower[axis]) >= end {
                tell(&r::ENGINE_CORNERS, &|| {
                    format!(
                        "pixelBoxLowerCorner[{axis}] is {}, not below size {} + upper corner {} = {end}: copies die with error 715",
                        lower[axis], map.dims[dim], upper[axis]
                    )
                });
            }
        }
    }
    if !map.address.is_multiple_of(unit) {
        tell(&r::ENGINE_ADDRESS, &|| {
            format!(
                "globalAddress is {:#x}, not a multiple of {unit}: copies die with error 716",
                map.address
            )
        });
    }
}

/// Signs that the map did not come straight from the driver.
fn remarks(map: &TensorMap, words: &[u32; WORDS], said: &mut Vec<Diagnostic>) {
    let fresh = words_of(&map.encode());
    let noted = |field: &FieldSpec| (field.stored(words), field.stored(&fresh));
    let (bytes, own_bytes) = noted(&format::BOX_BYTES);
    if bytes != own_bytes {
        said.push(r::STALE_ANNOTATION.told(format!(
            "the driver's note says a box of {bytes} B, the fields make {own_bytes} B: the map was edited after it was encoded (the engine ignores the note)"
        )));
    }
    let (alignment, own_alignment) = noted(&format::SHARED_ALIGNMENT);
    if alignment != own_alignment {
        said.push(r::STALE_ANNOTATION.told(format!(
            "the driver's note says shared memory aligned to {alignment} B, the swizzle makes {own_alignment} B: the map was edited after it was encoded (the engine ignores the note)"
        )));
    }
    let mut others = fresh;
    for field in [&format::BOX_BYTES, &format::SHARED_ALIGNMENT] {
        field.store(&mut others, field.stored(words));
    }
    let strange: Vec<String> = words
        .iter()
        .zip(others)
        .enumerate()
        .filter(|(_, (word, own))| **word != *own)
        .map(|(at, (word, own))| format!("{:#x} in the word at {:#04x}", word ^ own, at * 4))
        .collect();
    if !strange.is_empty() {
        said.push(r::IGNORED_BITS.told(format!(
            "bits that no field of this map uses are set, and the engine ignores them: {}",
            strange.join(", ")
        )));
    }
}
