use proptest::prelude::*;
use tilehaul_diag::Level;

use super::*;
use crate::amd::tdm::judge::{FieldValue, TdmWords};

const GOLDEN: &str = include_str!("../../../../../cases/tdm/golden.toml");
const VERDICTS: &str = include_str!("../../../../../cases/tdm/verdicts.toml");

fn value(v: &toml::Value) -> FieldValue {
    match v {
        toml::Value::Integer(n) => FieldValue::Int((*n).into()),
        toml::Value::Boolean(b) => FieldValue::Flag(*b),
        toml::Value::String(s) => FieldValue::Text(s.clone()),
        toml::Value::Array(a) => FieldValue::List(a.iter().map(|n| n.as_integer().unwrap().into()).collect()),
        other => panic!("no field value: {other:?}"),
    }
}

fn fields(case: &toml::Value) -> Vec<(String, FieldValue)> {
    case["fields"].as_table().unwrap().iter().map(|(name, v)| (name.clone(), value(v))).collect()
}

fn words(case: &toml::Value) -> TdmWords {
    let group = |name: &str| -> Vec<u32> {
        let Some(list) = case.get(name) else { return Vec::new() };
        list.as_array().unwrap().iter().map(|n| n.as_integer().unwrap() as u32).collect()
    };
    TdmWords { g0: group("g0"), g1: group("g1"), g2: group("g2"), g3: group("g3") }
}

#[test]
fn golden_words_are_the_encoding_of_their_fields() {
    let file: toml::Value = toml::from_str(GOLDEN).unwrap();
    let vectors = file["vector"].as_array().unwrap();
    assert!(vectors.len() >= 53);
    for case in vectors {
        let name = case["name"].as_str().unwrap();
        let (descriptor, told) = judge_tdm_fields(&fields(case), Some(&words(case)), &TdmContext::default());
        assert!(descriptor.is_some(), "{name}: {told:?}");
        let differ: Vec<_> = told.iter().filter(|d| d.code == rules::WORDS_DIFFER.code).collect();
        assert!(differ.is_empty(), "{name}: {differ:?}");
        assert!(
            !words(case).g0.is_empty()
                || !words(case).g1.is_empty()
                || !words(case).g2.is_empty()
                || !words(case).g3.is_empty()
        );
    }
}

#[test]
fn every_case_gets_its_verdict_and_its_rules() {
    let file: toml::Value = toml::from_str(VERDICTS).unwrap();
    for case in file["case"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let context = TdmContext {
            tensor_bytes: case.get("tensor_bytes").map(|n| n.as_integer().unwrap() as u64),
            ..TdmContext::default()
        };
        let given = words(case);
        let (_, told) = if case.get("fields").is_some() {
            let given = (!given.g0.is_empty() || !given.g1.is_empty()).then_some(&given);
            judge_tdm_fields(&fields(case), given, &context)
        } else {
            judge_tdm_words(&given, &context)
        };
        let worst = told.iter().map(|d| d.level).min();
        let verdict = match worst {
            Some(Level::Error) => "rejected",
            Some(Level::Warning) => "accepted-with-hint",
            Some(Level::Note) | None => "accepted",
        };
        assert_eq!(verdict, case["verdict"].as_str().unwrap(), "{name}: {told:#?}");
        for want in case.get("says").into_iter().flat_map(|s| s.as_array().unwrap()) {
            let want = want.as_str().unwrap();
            assert!(
                told.iter().any(|d| d.message.contains(want)),
                "{name}: nothing says {want:?}: {told:#?}"
            );
        }
        for want in case.get("codes").into_iter().flat_map(|s| s.as_array().unwrap()) {
            let want = want.as_str().unwrap();
            assert!(told.iter().any(|d| d.code.0 == want), "{name}: no {want}: {told:#?}");
        }
    }
}

#[test]
fn the_tables_cover_every_bit_of_every_group_once() {
    let tables = [
        &format::GROUP0,
        &format::GROUP1,
        &format::GROUP2_DENSE,
        &format::GROUP2_ITERATE,
        &format::GROUP3_DENSE,
        &format::INDICES_16,
        &format::INDICES_32,
    ];
    for table in tables {
        let mut seen = vec![0u32; table.words];
        for piece in table.fields.iter().flat_map(|f| f.pieces) {
            let mask = (((1u64 << piece.width) - 1) << piece.low) as u32;
            let word = &mut seen[usize::from(piece.word)];
            assert_eq!(*word & mask, 0, "{}: a bit stands twice", table.name);
            *word |= mask;
        }
        assert!(seen.iter().all(|&w| w == u32::MAX), "{}: {seen:x?}", table.name);
    }
}

fn any_padding() -> impl Strategy<Value = Option<Padding>> {
    proptest::option::of(
        (0u32..8, 1u32..=128)
            .prop_map(|(n, amount_dwords)| Padding { interval_dwords: 2 << n, amount_dwords }),
    )
}

fn any_mode() -> impl Strategy<Value = TdmMode> {
    prop_oneof![
        Just(TdmMode::Dense),
        (any::<u32>(), 0u64..1 << 48, 1u32..=65536).prop_map(|(lds, global, passes)| TdmMode::Iterate {
            lds_addr_increment: lds,
            global_addr_increment: global,
            passes,
        }),
        proptest::collection::vec(0u32..65536, 16)
            .prop_map(|indices| TdmMode::Gather { size: IndexSize::Bits16, indices }),
        proptest::collection::vec(any::<u32>(), 8)
            .prop_map(|indices| TdmMode::Gather { size: IndexSize::Bits32, indices }),
    ]
}

prop_compose! {
    fn any_fields()(
        mode in any_mode(), padding in any_padding(), count in 0u8..4, kind in 0u8..4, lds_addr: u32,
        global_addr in 0u64..1 << 57, workgroup_mask: u16, size in 0u32..4, early_timeout: bool,
        barrier in proptest::option::of((0u32..65536).prop_map(|n| n << 3)),
        tensor_dim: [u32; 5], tile_dim: [u16; 5], strides in proptest::array::uniform4(0u64..1 << 48),
    ) -> TdmFields {
        let mut fields = TdmFields {
            count, kind, lds_addr, global_addr, workgroup_mask, data_size_bytes: 1 << size, barrier, early_timeout,
            padding, tensor_dim, tile_dim, tensor_dim_stride: strides, mode,
        };
        match fields.mode {
            TdmMode::Dense => {}
            TdmMode::Iterate { .. } => {
                fields.tensor_dim[3] = 0;
                fields.tile_dim[3] = 0;
                fields.tensor_dim_stride[2] = 0;
            }
            TdmMode::Gather { .. } => {
                fields.tensor_dim[2..].fill(0);
                fields.tile_dim[3..].fill(0);
                fields.tensor_dim_stride[2..].fill(0);
            }
        }
        fields
    }
}

proptest! {
    #[test]
    fn decode_undoes_encode(fields in any_fields()) {
        let descriptor = fields.encode().unwrap();
        prop_assert_eq!(descriptor.fields(), fields);
    }

    #[test]
    fn every_word_survives_its_tables(words in proptest::collection::vec(any::<u32>(), 20)) {
        let descriptor = TdmDescriptor::from_words(&words).unwrap();
        prop_assert_eq!(descriptor.words(), words.clone());
        let mut copy = Vec::new();
        for (table, words) in descriptor.formats() {
            let mut part = vec![0u32; table.words];
            for field in table.fields {
                let stored = field.stored(&words);
                // Reserved bits have no encoding but their own.
                if !matches!(field.encoding, crate::field::Encoding::Reserved(_)) {
                    prop_assert_eq!(field.encode(field.decode(stored)), Some(stored));
                }
                field.store(&mut part, stored);
            }
            copy.extend(part);
        }
        prop_assert_eq!(copy, words);
    }

    #[test]
    fn any_words_are_judged(words in proptest::collection::vec(any::<u32>(), 0..24), store: bool, bytes: Option<u64>) {
        let context = TdmContext {
            direction: Some(if store { Direction::Store } else { Direction::Load }),
            tensor_bytes: bytes,
            ..TdmContext::default()
        };
        let (descriptor, told) = judge_tdm_words(&TdmWords::from_flat(&words), &context);
        prop_assert!(descriptor.is_some() || !told.is_empty());
    }

    #[test]
    fn any_named_number_is_judged(name in "[a-z0-9_.]{0,24}", n in prop_oneof![any::<i128>(), Just(i128::MIN), Just(i128::MAX), -10i128..600], list in proptest::collection::vec(any::<i128>(), 0..20)) {
        for name in [name.as_str(), "dims", "tile", "indices", "strides_bytes", "pad_interval", "iterate_count", "cluster"] {
            for value in [FieldValue::Int(n), FieldValue::List(list.clone()), FieldValue::Text(n.to_string())] {
                let _ = judge_tdm_fields(&[(name.to_owned(), value)], None, &TdmContext::default());
            }
        }
    }
}
