//! Maps that a kernel makes, judged by the driver's rules and in its words.
//!
//! A kernel that edits a map is told nothing. Bits of a value that its field has no room for are dropped (hardware: h200
//! facts 22 and 23), and of the driver's rules the engine checks some again (fact 29); a map that breaks another one moves bytes,
//! only not those that were meant.

use tilehaul_diag::Diagnostic;

use super::arguments::{Context, EncodeIm2col, EncodeTiled};
use super::check::Check;
use super::replace::Field;
use super::{MAX_RANK, MapKind, TensorMap, rules as r};

/// Why a value does not fit the field that `tensormap.replace` writes it to: the driver's rule, and what is stored instead.
/// `map` is the map as it is then, where it can be read.
#[must_use]
pub fn refused_value(
    field: Field,
    value: u64,
    map: Option<&TensorMap>,
    context: &Context,
) -> Vec<Diagnostic> {
    let mut check = Check::new(context);
    let at = match field {
        Field::GlobalStride(n) | Field::BoxDim(n) | Field::ElementStride(n) => n as usize,
        _ => 0,
    };
    if at >= MAX_RANK {
        return Vec::new();
    }
    let mut list = [1; MAX_RANK];
    list[at] = value;
    let list = &list[..=at];
    let stored = match field {
        Field::GlobalStride(4) => {
            return vec![r::STRIDE_ORDINAL.broken(
                "tensormap.replace.global_stride with ordinal 4: a map has 4 strides, and this overwrites the high bits of all of them",
                "Use ordinal i - 1 for dimension i: 0 to 3.",
            )];
        }
        Field::GlobalStride(_) => {
            check.stride_of_map(at, value, map);
            format!("{} B", (value >> 4 & ((1 << 36) - 1)) << 4)
        }
        Field::BoxDim(_) => {
            let _ = check.box_dims(list, at as u32 + 1);
            ((value.wrapping_sub(1) & 0xff) + 1).to_string()
        }
        Field::ElementStride(_) => {
            let _ = check.element_strides(list, at as u32 + 1);
            ((value.wrapping_sub(1) & 7) + 1).to_string()
        }
        Field::Rank if value >= MAX_RANK as u64 => {
            // The operand is the rank minus 1.
            let _ = check.rank(u32::try_from(value.saturating_add(1)).unwrap_or(u32::MAX), 1);
            ((value & 7) + 1).to_string()
        }
        _ => return Vec::new(),
    };
    let note = format!("tensormap.replace drops what its field has no room for: the map then says {stored}.");
    check.finish().into_iter().map(|told| told.note(note.clone())).collect()
}

/// The driver's rules that a map breaks which the engine takes.
#[must_use]
pub fn refused_map(map: &TensorMap, context: &Context) -> Vec<Diagnostic> {
    let rank = map.rank as u32;
    let (dims, strides) = (map.dims[..map.rank].to_vec(), map.strides[..map.rank - 1].to_vec());
    let element_strides: Vec<u64> = map.element_strides[..map.rank].iter().map(|&s| s.into()).collect();
    let (interleave, swizzle) = (map.interleave.code(), map.swizzle.code());
    let (l2_promotion, oob_fill) = (map.l2_promotion.code(), map.oob_fill.code());
    let (data_type, address) = (map.data_type.code(), map.address);
    let broken = match map.kind {
        MapKind::Tiled { box_dims } => EncodeTiled {
            data_type,
            rank,
            address,
            dims,
            strides,
            box_dims: box_dims[..map.rank].iter().map(|&b| b.into()).collect(),
            element_strides,
            interleave,
            swizzle,
            l2_promotion,
            oob_fill,
            alloc_bytes: None,
        }
        .map(context),
        MapKind::Im2col { lower, upper, channels, pixels } => {
            let axes = map.rank.saturating_sub(2).min(3);
            EncodeIm2col {
                data_type,
                rank,
                address,
                dims,
                strides,
                lower_corner: lower[..axes].iter().map(|&c| c.into()).collect(),
                upper_corner: upper[..axes].iter().map(|&c| c.into()).collect(),
                channels_per_pixel: channels.into(),
                pixels_per_column: pixels.into(),
                element_strides,
                interleave,
                swizzle,
                l2_promotion,
                oob_fill,
                alloc_bytes: None,
            }
            .map(context)
        }
    };
    broken.err().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvidia::{Architecture, DataType};

    fn legal() -> TensorMap {
        EncodeTiled::new(DataType::Uint8, 0x7f00_0000_0000, &[61, 16, 4], &[64, 1024], &[64, 8, 1])
            .map(&Context::default())
            .unwrap()
    }

    #[test]
    fn what_the_driver_makes_is_legal_when_read_back() {
        let context = Context::default();
        let read = TensorMap::fetch(&legal().encode(), Architecture::SM_90A).unwrap();
        assert_eq!(refused_map(&read, &context), []);
        for (field, value) in [
            (Field::GlobalStride(0), 80),
            (Field::GlobalStride(3), (1 << 40) - 16),
            (Field::BoxDim(4), 256),
            (Field::ElementStride(0), 8),
            (Field::Rank, 4),
            (Field::GlobalDim(0), 0),
        ] {
            assert_eq!(refused_value(field, value, Some(&read), &context), [], "{field:?}");
        }
    }

    #[test]
    fn dropped_bits_are_told_in_the_drivers_words() {
        let said = |field, value| {
            let told = refused_value(field, value, Some(&legal()), &Context::default());
            assert_eq!(told.len(), 1, "{field:?}");
            (told[0].code.0, told[0].notes.concat())
        };
        assert_eq!(said(Field::GlobalStride(1), 1 << 40).0, "tma-stride-range");
        let (code, note) = said(Field::GlobalStride(0), 61);
        assert_eq!(code, "tma-stride-alignment");
        assert!(note.ends_with("48 B."), "{note}");
        assert_eq!(said(Field::GlobalStride(4), 64).0, "tma-stride-ordinal");
        assert_eq!(said(Field::BoxDim(2), 0).0, "tma-box-range");
        assert_eq!(said(Field::ElementStride(2), 0).0, "tma-element-stride");
        assert_eq!(said(Field::Rank, 5).0, "tma-rank");
    }

    #[test]
    fn rules_that_the_engine_does_not_check_are_told_of_maps() {
        let mut map = legal();
        map.address += 8;
        map.oob_fill = crate::nvidia::OobFill::Nan;
        let codes: Vec<_> = refused_map(&map, &Context::default()).iter().map(|d| d.code.0).collect();
        assert_eq!(codes, ["tma-nan-fill-type", "tma-address-alignment"]);
    }
}
