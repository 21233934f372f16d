//! What a broken rule suggests is legal: the suggested number, put in the argument's place, no longer breaks that rule.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use proptest::prelude::*;
use tilehaul_descriptor::amd::tdm::{FieldValue, TdmContext, judge_tdm_fields};
use tilehaul_descriptor::nvidia::{Context, DataType, EncodeIm2col, EncodeTiled};
use tilehaul_diag::{Diagnostic, Level};

/// The numbers that a suggestion offers; those in parentheses explain.
fn offered(fix: &str) -> Vec<i128> {
    let open = fix.split('(').next().unwrap_or(fix);
    open.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter_map(|word| match word.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex, 16).ok(),
            None => word.parse().ok(),
        })
        .collect()
}

/// The first index that a message names: `stride 2 (of dimension 3)`.
fn index(message: &str) -> usize {
    message.split_whitespace().find_map(|w| w.parse().ok()).unwrap_or(0)
}

fn still(broken: &[Diagnostic], told: &Diagnostic) -> bool {
    let argument = |d: &Diagnostic| d.message.split(" is ").next().map(str::to_owned);
    broken.iter().any(|d| d.code == told.code && argument(d) == argument(told))
}

fn tiled() -> impl Strategy<Value = EncodeTiled> {
    let rank = 1usize..=5;
    (
        rank,
        any::<u64>(),
        prop::collection::vec(any::<u64>(), 15),
        prop::collection::vec(0u32..40, 15),
        0u32..13,
        0u32..4,
        0u32..3,
    )
        .prop_map(|(rank, address, big, shift, dt, swizzle, interleave)| {
            let small = |at: usize| big[at] >> (63 - shift[at].min(62));
            EncodeTiled {
                dims: (0..rank).map(small).collect(),
                strides: (0..rank - 1).map(|i| small(5 + i)).collect(),
                box_dims: (0..rank).map(|i| big[10 + i] % 300).collect(),
                element_strides: (0..rank).map(|i| big[i] % 11).collect(),
                swizzle,
                interleave,
                ..EncodeTiled::new(
                    DataType::from_code(dt).unwrap(),
                    address >> (shift[0] % 20),
                    &vec![1; rank],
                    &[],
                    &[],
                )
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn of_tensor_maps(call in tiled()) {
        let context = Context::default();
        let Err(broken) = call.map(&context) else { return Ok(()) };
        for told in &broken {
            let fix = told.fix.clone().unwrap_or_default();
            for number in offered(&fix) {
                let number = u64::try_from(number).unwrap();
                let mut better = call.clone();
                let at = index(&told.message);
                match told.code.0 {
                    "tma-stride-alignment" if !fix.contains("multiple") => better.strides[at] = number,
                    "tma-stride-range" => better.strides[at] = number,
                    "tma-address-alignment" if fix.contains("0x") => better.address = number,
                    "tma-dim-range" => better.dims[at] = number,
                    "tma-box-range" if number != 1 || fix.contains("least") => better.box_dims[at] = number.min(256),
                    "tma-element-stride" => better.element_strides[at] = number,
                    "tma-inner-box-bytes" => better.box_dims[0] = number,
                    "tma-inner-box-swizzle" if fix.contains("or fewer") && number > 16 => better.box_dims[0] = number.min(256),
                    _ => continue,
                }
                let after = better.map(&context).err().unwrap_or_default();
                prop_assert!(!still(&after, told), "{}\n{:?}", told.message, after);
            }
        }
    }

    #[test]
    fn of_im2col_corners(lower in prop::array::uniform3(-70000i64..70000), upper in prop::array::uniform3(-70000i64..70000), rank in 3usize..=5, size in 1u64..1 << 32) {
        let context = Context::default();
        let call = EncodeIm2col {
            data_type: DataType::Float16.code(), rank: rank as u32, address: 0x7f00_0000_0000,
            dims: vec![size; rank], strides: vec![1 << 36; rank - 1],
            lower_corner: lower.to_vec(), upper_corner: upper.to_vec(), channels_per_pixel: 64, pixels_per_column: 32,
            element_strides: vec![1; rank], interleave: 0, swizzle: 0, l2_promotion: 0, oob_fill: 0, alloc_bytes: None,
        };
        let Err(broken) = call.map(&context) else { return Ok(()) };
        for told in broken.iter().filter(|d| ["tma-corner-range", "tma-corner-empty"].contains(&d.code.0)) {
            let axis = ["of W", "of H", "of D"].iter().position(|a| told.message.contains(a)).unwrap();
            let fix = told.fix.clone().unwrap_or_default();
            if fix.contains("size") {
                continue;
            }
            let number = *offered(&fix).last().unwrap() as i64;
            let mut better = call.clone();
            if told.message.starts_with("upper") { better.upper_corner[axis] = number } else { better.lower_corner[axis] = number }
            let after = better.map(&context).err().unwrap_or_default();
            prop_assert!(!still(&after, told), "{} {:?}\n{:?}", told.message, told.fix, after);
        }
    }

    #[test]
    fn of_tdm_fields(name in 0usize..12, value in prop_oneof![-40i128..400, any::<i64>().prop_map(i128::from)]) {
        let names = [
            "data_size_bytes", "pad_interval_dwords", "pad_amount_dwords", "pad_interval_bytes", "pad_amount_bytes",
            "atomic_barrier_address", "tile_dim0", "tensor_dim1", "iterate_count", "gather_index_size", "lds_addr", "stride0_bytes",
        ];
        let judge = |value: i128| {
            let plain = [("tile", 8i128), ("tensor_dim0", 8)];
            let mut fields: Vec<(String, FieldValue)> =
                plain.iter().map(|(n, v)| ((*n).to_owned(), FieldValue::Int(*v))).collect();
            fields.push(("pad_enable".to_owned(), FieldValue::Int(1)));
            if names[name] != "data_size_bytes" {
                fields.push(("data_size_bytes".to_owned(), FieldValue::Int(4)));
            }
            fields.push((names[name].to_owned(), FieldValue::Int(value)));
            judge_tdm_fields(&fields, None, &TdmContext::default()).1
        };
        for told in judge(value).iter().filter(|d| d.code.0 == "tdm-field-range" && d.level == Level::Error) {
            // A field that was given in other units is spoken of in its own.
            if !told.message.starts_with(names[name]) && !told.message.contains("-byte elements") {
                continue;
            }
            let number = *offered(told.fix.as_deref().unwrap()).last().unwrap();
            let after = judge(number);
            prop_assert!(after.iter().all(|d| d.code != told.code), "{} {:?}\n{:?}", told.message, told.fix, after);
        }
    }
}
