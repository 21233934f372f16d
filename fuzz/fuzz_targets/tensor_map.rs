//! Any 128 bytes as a tensor map, on every target: explained, edited, and copied with for the first thousand steps.
#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use tilehaul_descriptor::nvidia::tensor_map::{Field, MAP_BYTES, explain, replace};
use tilehaul_descriptor::nvidia::{
    Architecture, Context, Lists, MatrixUnit, Naming, TensorMap, explain_matrix, explain_mbarrier,
};
use tilehaul_engine::tma::{EngineMap, LoadMode, LoadRequest, StoreMode, StoreRequest, load, store};
use tilehaul_engine::{Segment, TransferPlan};

/// The first thousand steps: a junk map may name a box of 256^5 elements.
fn walk(plan: &TransferPlan) {
    let _ = plan.for_each_in(0..plan.steps().min(1000), &mut |_: Segment| ControlFlow::Continue(()));
}

fuzz_target!(|data: &[u8]| {
    let [target, edit, coords @ ..] = data else { return };
    let (Some(map), rest) = (coords.first_chunk::<MAP_BYTES>(), coords.get(MAP_BYTES..).unwrap_or_default())
    else {
        return;
    };
    let number = |at: usize| {
        let byte = |i: usize| rest.get(4 * at + i).copied().unwrap_or(0);
        i32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
    };
    let architectures = Architecture::all();
    let architecture = &architectures[usize::from(*target) % architectures.len()];
    let mut map = *map;
    let ordinal = u32::from(*edit >> 4);
    let field = match edit & 15 {
        0 => Some(Field::GlobalAddress),
        1 => Some(Field::Rank),
        2 => Some(Field::BoxDim(ordinal)),
        3 => Some(Field::GlobalDim(ordinal)),
        4 => Some(Field::GlobalStride(ordinal)),
        5 => Some(Field::ElementStride(ordinal)),
        6 => Some(Field::ElementType),
        7 => Some(Field::SwizzleMode),
        _ => None,
    };
    if let Some(field) = field {
        let _ = replace(&mut map, field, number(9) as u64, architecture);
    }
    let context = Context { architecture, naming: Naming::Plain, lists: Lists::Arrays };
    assert!(!explain(&map, Some(number(8) as u64), &context).fields.is_empty());
    if let Some(fetched) = TensorMap::fetch(&map, architecture) {
        assert_eq!(TensorMap::decode(&fetched.encode(), architecture).map, Some(fetched));
    }
    if let Ok(engine) = EngineMap::decode(&map, architecture) {
        let coords: [i32; 5] = std::array::from_fn(number);
        let coords = &coords[..engine.rank().min(5)];
        let shared = u64::from(number(5) as u32 & 0x3ff80);
        let offsets = std::array::from_fn(|i| number(6 + i) as u16);
        for mode in [LoadMode::Tile, LoadMode::Im2col { offsets }] {
            if let Ok(copy) = load(&engine, &LoadRequest { shared, coords, mode }) {
                walk(&copy.plan);
            }
        }
        for mode in [StoreMode::Tile, StoreMode::Im2colNoOffs] {
            if let Ok(copy) = store(&engine, &StoreRequest { shared, coords, mode }) {
                walk(&copy.plan);
            }
        }
    }
    let word = u64::from_le_bytes(std::array::from_fn(|i| map[i]));
    let _ = (
        explain_mbarrier(word),
        explain_matrix(MatrixUnit::Wgmma, word),
        explain_matrix(MatrixUnit::Tcgen05, word),
    );
});
