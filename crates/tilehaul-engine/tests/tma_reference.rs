//! Tensor copies against a reference that visits one byte at a time.
//!
//! The reference is written from the documents alone (which element goes where), shares nothing with the plans, and is
//! as slow as it looks. Random maps, boxes, strides, swizzles and coordinates must give the same bytes on every way
//! through a plan: whole, in steps in any order, and segment by segment with sampling and landing apart.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;

use proptest::prelude::*;
use tilehaul_descriptor::nvidia::{
    Architecture, Context, DataType, EncodeIm2col, EncodeTiled, Interleave, MapKind, Swizzle, TensorMap,
};
use tilehaul_engine::tma::{EngineMap, LoadMode, LoadRequest, StoreMode, StoreRequest, TmaCopy, load, store};
use tilehaul_engine::{Memory, Region, Segment};

const GLOBAL: u64 = 1 << 32;
const SHARED: u64 = 1 << 17;

/// Where every byte of a copy is: (shared address, global address if inside the tensor), in walk order.
fn reference(
    map: &TensorMap,
    coords: &[i64],
    offsets: [i64; 3],
    shared: u64,
    load: bool,
) -> Vec<(u64, Option<u64>)> {
    let interleaved = map.interleave != Interleave::None;
    let element =
        map.interleave.slice_bytes().map_or_else(|| i64::from(map.data_type.element().bits() / 8), i64::from);
    let mut places: Vec<Vec<i64>> = Vec::new(); // coordinates of every unit
    let row_units;
    match map.kind {
        MapKind::Tiled { box_dims } => {
            let step = |d: usize| if d == 0 && !interleaved { 1 } else { i64::from(map.element_strides[d]) };
            let count = |d: usize| match interleaved && d == map.rank - 2 {
                true => 1,
                false => (i64::from(box_dims[d]) + step(d) - 1) / step(d),
            };
            row_units = count(0);
            places.push(Vec::new());
            for d in (0..map.rank).rev() {
                places = places
                    .into_iter()
                    .flat_map(|outer| {
                        (0..count(d)).map(move |k| {
                            let mut all = vec![coords[d] + k * step(d)];
                            all.extend(outer.iter());
                            all
                        })
                    })
                    .collect();
            }
        }
        MapKind::Im2col { lower, upper, channels, pixels } => {
            let first = if interleaved { 0 } else { 1 };
            let spatial = map.rank - 2;
            row_units = if interleaved { 1 } else { i64::from(channels) };
            let mut cursor = coords.to_vec();
            for _ in 0..pixels {
                for channel in 0..row_units {
                    let mut at = cursor.clone();
                    for axis in 0..spatial {
                        at[first + axis] += offsets[axis];
                    }
                    if !interleaved {
                        at[0] += channel;
                    }
                    places.push(at);
                }
                for axis in 0..=spatial {
                    let d = if axis == spatial { map.rank - 1 } else { first + axis };
                    cursor[d] += i64::from(map.element_strides[d]);
                    if axis == spatial || cursor[d] < map.dims[d] as i64 + i64::from(upper[axis]) {
                        break;
                    }
                    cursor[d] = i64::from(lower[axis]);
                }
            }
        }
    }
    let row_bytes = row_units * element;
    let span = if interleaved { 0 } else { i64::from(map.swizzle.span().unwrap_or(0)) };
    let pitch = row_bytes.max(span);
    let bits = match map.swizzle {
        Swizzle::B32 => 1,
        Swizzle::B64 => 3,
        Swizzle::B128 => 7,
        _ => 0,
    };
    let mut out = Vec::new();
    for (k, at) in places.iter().enumerate() {
        let k = k as i64;
        let outside = |d: usize| at[d] < 0 || at[d] >= map.dims[d] as i64;
        let mut inside = (1..map.rank).all(|d| !outside(d));
        if load || interleaved {
            inside &= !outside(0);
        } else {
            // Stores clip dimension 0 at the next multiple of 16 bytes.
            let edge = (map.dims[0] as i64 * element + 15) / 16 * 16;
            inside &= at[0] * element < edge;
        }
        let global = (1..map.rank).fold(at[0] * element, |sum, d| sum + at[d] * map.strides[d - 1] as i64);
        for byte in 0..element {
            let linear = shared as i64 + (k / row_units) * pitch + (k % row_units) * element + byte;
            let place = linear ^ ((linear >> 7) & bits) << 4;
            out.push((place as u64, inside.then(|| (map.address as i64 + global + byte) as u64)));
        }
    }
    out
}

fn pattern(base: u64, len: usize, salt: u32) -> Region {
    Region::new(
        base,
        (0..len as u32).map(|k| (k.wrapping_mul(0x9e37_79b1).wrapping_add(salt) >> 13) as u8).collect(),
    )
}

/// Runs a copy in three ways and checks that they agree.
fn run_every_way(copy: &TmaCopy, source: &Region, destination: &Region, order: &[u64]) -> Vec<u8> {
    let mut whole = destination.clone();
    copy.plan.run(source, &mut whole).unwrap();

    let mut stepped = destination.clone();
    let steps = copy.plan.steps();
    let mut visit: Vec<u64> = (0..steps).collect();
    visit.sort_by_key(|step| order[(*step % order.len() as u64) as usize].wrapping_mul(step + 1));
    let mut staged = Vec::new();
    for step in visit {
        let _ = copy.plan.for_each_in(step..step + 1, &mut |segment: Segment| {
            copy.plan.sample(&segment, source, &mut staged).unwrap();
            copy.plan.land(&segment, &staged, &mut stepped).unwrap();
            ControlFlow::Continue(())
        });
    }
    assert_eq!(whole.data, stepped.data, "steps in another order");

    let mut landed = destination.clone();
    let sampled: Vec<(Segment, Vec<u8>)> = copy
        .plan
        .segments()
        .into_iter()
        .map(|segment| {
            let mut staged = Vec::new();
            copy.plan.sample(&segment, source, &mut staged).unwrap();
            (segment, staged)
        })
        .collect();
    for (segment, staged) in sampled.iter().rev() {
        copy.plan.land(segment, staged, &mut landed).unwrap();
    }
    assert_eq!(whole.data, landed.data, "segments landed backwards");
    whole.data
}

fn check_load(map: &TensorMap, coords: &[i32], offsets: [u16; 3], base: u64, order: &[u64]) {
    let engine = EngineMap::new(map, Architecture::SM_90A).unwrap();
    let mode =
        if matches!(map.kind, MapKind::Tiled { .. }) { LoadMode::Tile } else { LoadMode::Im2col { offsets } };
    let request = LoadRequest { shared: SHARED + base, coords, mode };
    let copy = load(&engine, &request).unwrap();
    let wide: Vec<i64> = coords.iter().map(|&c| c.into()).collect();
    let expected = reference(map, &wide, offsets.map(i64::from), SHARED + base, true);
    let source = pattern(GLOBAL, 1 << 16, 1);
    let destination = pattern(SHARED, 1 << 19, 2);
    let got = run_every_way(&copy, &source, &destination, order);
    let mut want = destination.data.clone();
    for (at, (place, from)) in expected.iter().enumerate() {
        let fill = map.oob_fill.pattern()[at % 2];
        want[(place - SHARED) as usize] = from.map_or(fill, |from| source.bytes(from, 1).unwrap()[0]);
    }
    assert!(got == want, "{map:?} {coords:?}");
    assert_eq!(u64::from(copy.transaction_bytes), expected.len() as u64);
    assert_eq!(u64::from(copy.transaction_bytes), map.transaction_bytes());
    assert_eq!(copy.plan.count().payload(), expected.len() as u64);
}

/// A tensor whose every element lies in the first 64 KiB.
fn tiled() -> impl Strategy<Value = (TensorMap, Vec<i32>, u64)> {
    let sizes = prop::collection::vec((1u64..9, 1u64..7, 1u64..5, -4i32..9, 0u64..3), 5);
    (
        1usize..6,
        prop::sample::select(vec![0u32, 1, 2, 4, 6, 8]),
        0u32..4,
        0u32..3,
        1u64..8,
        sizes,
        0u64..9,
        0u32..2,
    )
        .prop_filter_map(
            "the encoder refuses it",
            |(rank, code, swizzle, interleave, row, sizes, base, nan)| {
                let data_type = DataType::from_code(code)?;
                let bytes = u64::from(data_type.element().bytes()?);
                let unit = 16 / bytes;
                let interleave = if rank < 3 { 0 } else { interleave };
                let inner = sizes[0].0 * 3;
                let slice = [bytes, 16, 32][interleave as usize];
                let align = if interleave == 2 { 32 } else { 16 };
                let mut dims = vec![inner];
                let mut strides = Vec::new();
                let mut pitch = (inner * slice).next_multiple_of(align);
                for size in &sizes[1..rank] {
                    strides.push(pitch + size.4 * align);
                    dims.push(size.0);
                    pitch = strides.last()? * size.0;
                }
                if pitch > 1 << 16 {
                    return None;
                }
                let mut call = EncodeTiled::new(data_type, GLOBAL, &dims, &strides, &[]);
                call.box_dims =
                    std::iter::once(row * unit).chain(sizes[1..rank].iter().map(|s| s.1)).collect();
                call.element_strides = sizes[..rank].iter().map(|s| s.2).collect();
                call.swizzle = swizzle;
                call.interleave = interleave;
                call.oob_fill = if data_type.element().is_float() { nan } else { 0 };
                let mut coords: Vec<i32> = sizes[..rank].iter().map(|s| s.3).collect();
                if interleave == 0 {
                    coords[0] *= unit as i32;
                }
                Some((call.map(&Context::default()).ok()?, coords, base * 128))
            },
        )
}

fn im2col() -> impl Strategy<Value = (TensorMap, Vec<i32>, [u16; 3])> {
    let axes = prop::collection::vec((2u64..7, -2i64..2, -2i64..2, 1u64..4, 0i32..6, 0u16..4), 4);
    (3u32..6, 0u32..3, 0u32..4, 1u64..40, axes, 1u64..3).prop_filter_map(
        "the encoder refuses it, or it starts outside its box",
        |(rank, interleave, swizzle, pixels, axes, channels)| {
            let spatial = rank as usize - 2;
            let dims: Vec<u64> = if interleave == 0 {
                std::iter::once(24).chain(axes[..=spatial].iter().map(|a| a.0)).collect()
            } else {
                axes[..spatial].iter().map(|a| a.0).chain([2, axes[spatial].0]).collect()
            };
            let slice = [2, 16, 32][interleave as usize];
            let mut strides = Vec::new();
            let mut pitch = dims[0] * slice;
            for size in &dims[1..] {
                strides.push(pitch.next_multiple_of(32));
                pitch = strides.last()? * size;
            }
            let first = usize::from(interleave == 0);
            let mut element_strides = vec![1; rank as usize];
            let mut coords = vec![0i32; rank as usize];
            for (axis, a) in axes[..spatial].iter().enumerate() {
                element_strides[first + axis] = a.3;
                coords[first + axis] = a.4 - 2;
            }
            if interleave == 0 {
                coords[0] = axes[3].4 / 3 * 8 - 8;
            }
            let call = EncodeIm2col {
                data_type: 6,
                rank,
                address: GLOBAL,
                dims,
                strides,
                lower_corner: axes[..spatial].iter().map(|a| a.1).collect(),
                upper_corner: axes[..spatial].iter().map(|a| a.2).collect(),
                channels_per_pixel: channels * 8,
                pixels_per_column: pixels,
                element_strides,
                interleave,
                swizzle,
                l2_promotion: 0,
                oob_fill: 1,
                alloc_bytes: None,
            };
            let map = call.map(&Context::default()).ok()?;
            let offsets = [axes[0].5, axes[1].5, axes[2].5];
            let engine = EngineMap::new(&map, Architecture::SM_90A).ok()?;
            let mode = LoadMode::Im2col { offsets };
            load(&engine, &LoadRequest { shared: SHARED, coords: &coords, mode }).ok()?;
            Some((map, coords, offsets))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn tile_loads_agree_with_the_reference((map, coords, base) in tiled(), order in prop::collection::vec(any::<u64>(), 1..9)) {
        check_load(&map, &coords, [0; 3], base, &order);
    }

    #[test]
    fn im2col_loads_agree_with_the_reference((map, coords, offsets) in im2col(), order in prop::collection::vec(any::<u64>(), 1..9)) {
        check_load(&map, &coords, offsets, 256, &order);
    }

    #[test]
    fn tile_stores_agree_with_the_reference((map, coords, base) in tiled()) {
        let coords: Vec<i32> = coords.iter().map(|c| c.abs()).collect();
        let engine = EngineMap::new(&map, Architecture::SM_90A).unwrap();
        let request = StoreRequest { shared: SHARED + base, coords: &coords, mode: StoreMode::Tile };
        let copy = store(&engine, &request).unwrap();
        let wide: Vec<i64> = coords.iter().map(|&c| c.into()).collect();
        let source = pattern(SHARED, 1 << 19, 3);
        let mut got = pattern(GLOBAL, 1 << 17, 4);
        let mut want = got.clone();
        copy.plan.run(&source, &mut got).unwrap();
        let mut beyond = 0;
        for (place, to) in reference(&map, &wide, [0; 3], SHARED + base, false) {
            if let Some(to) = to {
                want.bytes_mut(to, 1).unwrap()[0] = source.bytes(place, 1).unwrap()[0];
            }
        }
        // Exactly the stores that reach past an edge that is not at 16 bytes say so.
        let exact = reference(&map, &wide, [0; 3], SHARED + base, true);
        for (store, load) in reference(&map, &wide, [0; 3], SHARED + base, false).iter().zip(&exact) {
            beyond += u64::from(store.1.is_some() && load.1.is_none());
        }
        prop_assert!(got.data == want.data, "{:?} {:?}", map, coords);
        if beyond > 0 {
            prop_assert!(copy.spill.is_some());
        }
    }

    #[test]
    fn any_bytes_give_an_answer(
        bytes in prop::collection::vec(any::<u8>(), 128),
        coords in prop::collection::vec(any::<i32>(), 1..6),
        shared in 0u64..1 << 20,
        mode in 0u8..5,
        offsets: [u16; 3],
    ) {
        let mut bytes: [u8; 128] = bytes.try_into().unwrap();
        // Half of the cases get a type word that can be right.
        if offsets[0] & 1 == 0 {
            bytes[8..12].copy_from_slice(&(u32::from(offsets[1]) & 0xf7ff).to_le_bytes());
        }
        for name in ["sm_90a", "sm_100a", "sm_103a"] {
            let architecture = Architecture::parse(name).unwrap();
            let Ok(map) = EngineMap::decode(&bytes, architecture) else { continue };
            let mut coords = coords.clone();
            coords.resize(map.rank(), 0);
            if mode != 4 {
                coords[0] &= !127;
            }
            let rows = [coords[0], 3, -1, i32::MAX];
            let wide = tilehaul_engine::tma::Im2colWide { halo: offsets[1] & 31, offset: offsets[2] };
            let mode = match mode {
                0 | 4 => LoadMode::Tile,
                1 => LoadMode::Gather4(rows),
                2 => LoadMode::Im2col { offsets },
                3 if offsets[0] & 2 == 0 => LoadMode::Im2colW(wide),
                _ => LoadMode::Im2colW128(wide, Default::default()),
            };
            let shared = shared & !127;
            let mut segments = 0;
            let mut visit = |copy: &TmaCopy| {
                let _ = copy.plan.for_each(&mut |_: Segment| {
                    segments += 1;
                    if segments > 10_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                let mut memory = Region::new(0, vec![0; 1 << 18]);
                let _ = copy.plan.run(&Region::new(map.address(), vec![0; 4096]), &mut memory);
            };
            if let Ok(copy) = load(&map, &LoadRequest { shared, coords: &coords, mode: mode.clone() }) {
                visit(&copy);
            }
            let mode = if matches!(mode, LoadMode::Im2col { .. }) { StoreMode::Im2colNoOffs } else { StoreMode::Scatter4(rows) };
            for mode in [mode, StoreMode::Tile] {
                if let Ok(copy) = store(&map, &StoreRequest { shared, coords: &coords, mode }) {
                    visit(&copy);
                }
            }
        }
    }
}

#[test]
fn huge_tensors_cost_nothing() {
    let mut call = EncodeTiled::new(
        DataType::Uint8,
        0,
        &[1 << 31, 1 << 31, 1 << 31],
        &[(1 << 40) - 16, (1 << 40) - 16],
        &[16, 4, 4],
    );
    call.swizzle = 1;
    let map = EngineMap::new(&call.map(&Context::default()).unwrap(), Architecture::SM_90A).unwrap();
    for c in [i32::MIN, -16, 0, i32::MAX - 15] {
        let copy = load(&map, &LoadRequest { shared: 0, coords: &[c, c, c], mode: LoadMode::Tile }).unwrap();
        assert_eq!(copy.transaction_bytes, 256);
        assert_eq!(copy.plan.count().payload(), 256);
    }
    // The encoder takes 2^32, the engine does not.
    call.dims[1] = 1 << 32;
    let map = EngineMap::new(&call.map(&Context::default()).unwrap(), Architecture::SM_90A);
    assert_eq!(map.unwrap_err().cuda_error(), 715);
}
