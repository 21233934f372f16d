//! Tensor maps: sentences of refusals, hints, and properties of encode, decode and explain.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;
use tilehaul_descriptor::explain::{catalogue, reference};
use tilehaul_descriptor::nvidia;
use tilehaul_descriptor::nvidia::tensor_map::{MAP_BYTES, explain, has_error};
use tilehaul_descriptor::nvidia::{
    Architecture, Context, DataType, EncodeIm2col, EncodeTiled, Interleave, MapKind, Naming, Swizzle,
    TensorMap,
};
use tilehaul_diag::{Diagnostic, Level};

const BASE: u64 = 0x7f00_0000_0000;

fn f16(dims: &[u64], strides: &[u64], box_dims: &[u64]) -> EncodeTiled {
    EncodeTiled::new(DataType::Float16, BASE, dims, strides, box_dims)
}

fn sentences(said: &[Diagnostic]) -> Vec<&str> {
    said.iter().map(|d| d.message.as_str()).collect()
}

fn refusals(encode: &EncodeTiled) -> Vec<String> {
    encode.map(&Context::default()).unwrap_err().into_iter().map(|d| d.message).collect()
}

/// What remains when the notes, which change no verdict, are left out.
fn warnings(encode: &EncodeTiled) -> Vec<String> {
    let said = encode.diagnose(&Context::default());
    said.into_iter().filter(|d| d.level != Level::Note).map(|d| d.message).collect()
}

#[test]
fn refusals_name_argument_value_limit_and_nearest_choice() {
    let plain = f16(&[4096, 4096], &[8192], &[48, 64]);
    let cases: &[(EncodeTiled, &str)] = &[
        (
            EncodeTiled { swizzle: 1, ..plain.clone() },
            "box dimension 0 is 48 x 2 B = 96 B, wider than the 32 B swizzle span; use 16 or fewer elements, a 128B swizzle, or none",
        ),
        (
            EncodeTiled { strides: vec![130], ..plain.clone() },
            "stride 0 (of dimension 1) is 130 B (65 elements of 2 B), not a multiple of 16; use a stride of 128 or 144 B",
        ),
        (
            EncodeTiled { box_dims: vec![64, 512], ..plain.clone() },
            "box dimension 1 is 512, not within 1 to 256; use at most 256, in 2 copies",
        ),
        (
            EncodeTiled { box_dims: vec![10, 1], ..plain.clone() },
            "box dimension 0 is 10 x 2 B = 20 B, not a multiple of 16 B; use 8 or 16 elements",
        ),
        (
            EncodeTiled { address: BASE + 8, ..plain.clone() },
            "address is 0x7f0000000008, 8 B past a multiple of 16; start the tensor at 0x7f0000000000 or 0x7f0000000010",
        ),
        (
            EncodeTiled { dims: vec![4096, 0], ..plain.clone() },
            "tensor dimension 1 is 0, and an empty tensor has no map; use at least 1, or skip the copy when there is nothing to copy",
        ),
        (
            EncodeTiled { data_type: 13, ..plain.clone() },
            "data type 16U4_ALIGN8B does not exist on sm_90a; use an 8-bit or wider type, or target sm_100 or later",
        ),
        (
            EncodeTiled { data_type: 1, oob_fill: 1, ..plain.clone() },
            "out-of-bounds fill is nan, but UINT16 is not a floating-point type; fill with zero",
        ),
    ];
    for (encode, wanted) in cases {
        assert_eq!(refusals(encode), [*wanted]);
    }
    let big = EncodeTiled::new(DataType::Float32, BASE, &[4096, 4096], &[16384], &[256, 256]);
    assert_eq!(
        refusals(&big),
        [
            "the box is 256 x 256 elements = 262144 B, more than 228 KiB (233472 B); use a smaller box, in 2 copies or more"
        ]
    );
    let cuda = Context { naming: Naming::Cuda, ..Context::default() };
    let told = EncodeTiled { strides: vec![130], ..plain }.map(&cuda).unwrap_err();
    assert_eq!(
        sentences(&told),
        [
            "globalStrides[0] is 130 B (65 elements of 2 B), not a multiple of 16; use a stride of 128 or 144 B"
        ]
    );
}

#[test]
fn every_broken_rule_is_told_at_once() {
    let encode = EncodeTiled {
        data_type: 16,
        rank: 6,
        interleave: 3,
        swizzle: 9,
        l2_promotion: 4,
        oob_fill: 2,
        element_strides: vec![9, 1, 1, 1, 1],
        ..f16(&[0, 1, 1, 1, 1, 1], &[8, 1 << 40, 16, 16, 16], &[257, 1, 1, 1, 1, 1])
    };
    let codes: Vec<_> = encode.map(&Context::default()).unwrap_err().iter().map(|d| d.code.0).collect();
    assert_eq!(
        codes,
        [
            "tma-data-type",
            "tma-rank",
            "tma-swizzle",
            "tma-interleave",
            "tma-l2-promotion",
            "tma-oob-fill",
            "tma-dim-range",
            "tma-stride-alignment",
            "tma-stride-range",
            "tma-element-stride",
            "tma-box-range",
        ]
    );
}

#[test]
fn an_im2col_box_of_512_bytes_is_too_wide() {
    let encode = EncodeIm2col {
        data_type: DataType::Float16.code(),
        rank: 4,
        address: BASE,
        dims: vec![256, 16, 16, 4],
        strides: vec![512, 8192, 131_072],
        lower_corner: vec![-1, 3],
        upper_corner: vec![-1, -13],
        channels_per_pixel: 256,
        pixels_per_column: 64,
        element_strides: vec![1; 4],
        interleave: 0,
        swizzle: 3,
        l2_promotion: 0,
        oob_fill: 0,
        alloc_bytes: None,
    };
    let broken = encode.map(&Context::default()).unwrap_err();
    assert_eq!(
        sentences(&broken),
        [
            "lower corner of H is 3, not below size 16 + upper corner -13 = 3, so the bounding box is empty; use a lower corner of at most 2",
            "channels per pixel is 256 x 2 B = 512 B, wider than the 128 B swizzle span; use 64 or fewer elements, or no swizzle",
        ]
    );
}

#[test]
fn ordinary_maps_draw_no_warning() {
    let quiet = [
        f16(&[4096, 4096], &[8192], &[64, 64]),
        EncodeTiled { swizzle: 3, ..f16(&[4096, 4096], &[8192], &[64, 128]) },
        EncodeTiled { swizzle: 3, alloc_bytes: Some(8192 * 4096), ..f16(&[4096, 4096], &[8192], &[64, 128]) },
        // One row of a decode step, a transposed tensor, a broadcast, a slice with a wide pitch, a vector.
        f16(&[4096, 1], &[8192], &[64, 64]),
        f16(&[64, 8, 16], &[2048, 128], &[64, 1, 16]),
        f16(&[64, 8, 16], &[0, 128], &[64, 1, 16]),
        f16(&[100, 100], &[512], &[64, 64]),
        f16(&[1000], &[], &[256]),
        f16(&[64, 1, 1], &[0, 0], &[32, 1, 1]),
    ];
    for encode in quiet {
        assert_eq!(warnings(&encode), [""; 0], "{encode:?}");
    }
}

#[test]
fn probable_mistakes_are_told() {
    let cases: &[(EncodeTiled, &str)] = &[
        (EncodeTiled { address: 0, ..f16(&[64, 64], &[128], &[64, 64]) }, "address is null"),
        (f16(&[(1 << 31) + 16, 1], &[1 << 33], &[64, 1]), "tensor dimension 0 is 2147483664, above 2^31"),
        (
            EncodeTiled { alloc_bytes: Some(8000), ..f16(&[64, 64], &[128], &[64, 64]) },
            "the tensor spans 8192 B from address on, but only 8000 B",
        ),
        (
            f16(&[4096, 4096], &[4096], &[64, 64]),
            "stride 0 (of dimension 1) is 4096 B, less than the 8192 B that lie below it",
        ),
        (
            EncodeTiled { element_strides: vec![2, 1], ..f16(&[64, 64], &[128], &[64, 64]) },
            "element stride 0 is 2, and is ignored",
        ),
        (
            EncodeTiled { element_strides: vec![1, 2], ..f16(&[64, 64], &[128], &[64, 5]) },
            "box dimension 1 is 5, not a multiple of its element stride 2",
        ),
        (
            EncodeTiled { swizzle: 3, ..f16(&[64, 64], &[128], &[32, 64]) },
            "a row of the box is 64 B under a swizzle of 128 B, and still takes 128 B",
        ),
    ];
    for (encode, wanted) in cases {
        let said = warnings(encode);
        assert!(said.len() == 1 && said[0].starts_with(wanted), "{said:?} for {wanted}");
    }
    let told = cases[2].0.diagnose(&Context::default());
    assert_eq!(told[0].fix.as_deref(), Some("Use at most 62 for tensor dimension 1, or allocate 8192 B."));
}

#[test]
fn blackwell_knows_more_types_and_swizzles() {
    let context = Context {
        architecture: Architecture::parse("sm_100a").unwrap(),
        naming: Naming::Plain,
        ..Context::default()
    };
    let packed = EncodeTiled {
        swizzle: 3,
        ..EncodeTiled::new(DataType::U4Align16, BASE, &[256, 64], &[128], &[128, 64])
    };
    let map = packed.map(&context).unwrap();
    assert_eq!((map.transaction_bytes(), map.shared_span()), (64 * 64, 128 * 64));
    let wrong =
        EncodeTiled { dims: vec![200, 64], strides: vec![112], box_dims: vec![64, 64], swizzle: 1, ..packed };
    let codes: Vec<_> = wrong.map(&context).unwrap_err().iter().map(|d| d.code.0).collect();
    assert_eq!(codes, ["tma-packed-swizzle", "tma-dim-packed", "tma-stride-alignment", "tma-box-packed"]);
}

#[test]
fn junk_maps_are_refused_in_words() {
    for (bytes, code) in [([0; MAP_BYTES], "tma-engine-row-bytes"), ([0xff; MAP_BYTES], "tma-engine-rank")] {
        let explanation = explain(&bytes, None, &Context::default());
        assert!(explanation.diagnostics.iter().any(|d| d.code.0 == code), "{:?}", explanation.diagnostics);
        assert_eq!(TensorMap::fetch(&bytes, Architecture::SM_90A), None);
    }
}

#[test]
fn an_explanation_sums_the_map_up() {
    let map = EncodeTiled { swizzle: 3, ..f16(&[4096, 1000], &[8192], &[64, 128]) }
        .encode(&Context::default())
        .unwrap();
    let explanation = explain(&map, None, &Context::default());
    assert_eq!(
        explanation.summary,
        "Boxes of 64 x 128 out of a tensor of 4096 x 1000 f16 (innermost first), swizzle 128B."
    );
    assert_eq!(explanation.field("globalStrides[0]").map(|f| f.value), Some(8192));
    assert!(explanation.field("globalDim[2]").is_none());
    assert_eq!(explanation.derived[0].text, "16384");
    assert!(explanation.diagnostics.is_empty(), "{:?}", explanation.diagnostics);
}

#[test]
fn every_format_and_rule_has_its_row() {
    for format in nvidia::formats() {
        let page = reference(format);
        assert!(format.fields.iter().all(|field| page.contains(&format!("| `{}` |", field.name))));
    }
    let page = catalogue("Rules", nvidia::rules());
    assert!(page.contains("| `tma-box-bytes` | error | The whole box must not exceed 228 KiB"));
    let mut codes: Vec<_> = nvidia::rules().map(|rule| rule.code).collect();
    codes.sort();
    codes.dedup();
    assert_eq!(codes.len(), nvidia::rules().count());
}

prop_compose! {
    /// Arguments near the legal ones, so that many are legal and the others break few rules.
    fn arguments()(
        data_type in 0u32..16,
        rank in 1usize..=5,
        address in (0u64..1 << 52).prop_map(|a| a * 32),
        dims in prop::array::uniform5(prop_oneof![1u64..=300, 1u64..=1 << 32]),
        strides in prop::array::uniform4((0u64..1 << 35).prop_map(|s| s * 32)),
        box_dims in prop::array::uniform5(prop_oneof![3 => 1u64..=4, 1 => 1u64..=256]),
        inner in prop_oneof![Just(16u64), Just(32), Just(64), Just(128)],
        element_strides in prop::array::uniform5(1u64..=8),
        interleave in 0u32..3,
        swizzle in 0u32..7,
        l2_promotion in 0u32..4,
        oob_fill in 0u32..2,
    ) -> EncodeTiled {
        let mut box_dims = box_dims[..rank].to_vec();
        box_dims[0] = inner;
        let mut dims = dims[..rank].to_vec();
        if data_type > 12 {
            dims[0] = (dims[0] / 128).max(1) * 128;
        }
        EncodeTiled {
            data_type,
            rank: rank as u32,
            address,
            dims,
            strides: strides[..rank - 1].to_vec(),
            box_dims,
            element_strides: element_strides[..rank].to_vec(),
            interleave,
            swizzle,
            l2_promotion,
            oob_fill,
            alloc_bytes: Some(1 << 20),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn encode_and_decode_are_inverse(encode in arguments(), target in 0usize..17) {
        let context = Context { architecture: &Architecture::all()[target], naming: Naming::Cuda, ..Context::default() };
        match encode.map(&context) {
            Ok(map) => {
                let bytes = map.encode();
                let decoded = TensorMap::decode(&bytes, context.architecture);
                prop_assert_eq!(decoded.map, Some(map));
                // The engine refuses a legal map only for its size; the driver and the engine agree on the rest.
                let too_long = map.dims.iter().any(|&d| d > 1 << 31);
                prop_assert_eq!(has_error(&decoded.diagnostics), too_long, "{:?}", decoded.diagnostics);
                prop_assert_eq!(TensorMap::fetch(&bytes, context.architecture), (!too_long).then_some(map));
                prop_assert!(!has_error(&encode.diagnose(&context)));
            }
            Err(broken) => prop_assert!(has_error(&broken)),
        }
    }

    #[test]
    fn im2col_maps_survive_too(
        rank in 3usize..=5, lower in prop::array::uniform3(-16i32..16), upper in prop::array::uniform3(-16i32..16),
        channels in 1u32..=256, pixels in 1u32..=1024, interleave in 0usize..3, swizzle in 0usize..4,
    ) {
        let mut map = TensorMap {
            kind: MapKind::Im2col { lower: [0; 3], upper: [0; 3], channels, pixels },
            rank,
            dims: [1; 5],
            strides: [0; 4],
            element_strides: [1; 5],
            interleave: Interleave::ALL[interleave],
            swizzle: Swizzle::ALL[swizzle],
            ..f16(&[1], &[], &[8]).map(&Context::default()).unwrap()
        };
        for dim in 0..rank {
            map.dims[dim] = 40 + dim as u64;
        }
        let keep = |corner: [i32; 3]| std::array::from_fn(|axis| if axis < rank - 2 { corner[axis] } else { 0 });
        map.kind = MapKind::Im2col { lower: keep(lower), upper: keep(upper), channels, pixels };
        prop_assert_eq!(TensorMap::decode(&map.encode(), Architecture::SM_90A).map, Some(map));
    }

    #[test]
    fn any_bytes_are_explained(bytes: [[u8; 32]; 4], target in 0usize..17, clear in 0usize..8) {
        let mut map: [u8; MAP_BYTES] = std::array::from_fn(|at| bytes[at / 32][at % 32]);
        // Half of the maps get a plausible second word, so that reading goes further.
        if clear < 4 {
            map[8] = (map[8] & 1) | (clear as u8) << 4;
            map[9] &= 0x60;
        }
        let context = Context { architecture: &Architecture::all()[target], naming: Naming::Plain, ..Context::default() };
        let explanation = explain(&map, Some(1 << 20), &context);
        prop_assert!(explanation.fields.len() > 5);
        let fetched = TensorMap::fetch(&map, context.architecture);
        let decoded = TensorMap::decode(&map, context.architecture);
        if let Some(fetched) = fetched {
            prop_assert_eq!(decoded.map, Some(fetched));
            let _ = (fetched.transaction_bytes(), fetched.shared_span(), fetched.extent(), fetched.spatial());
        }
    }
}
