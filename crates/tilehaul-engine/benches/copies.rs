//! How fast plans move bytes, as ratios to a hand-written row copy in the same run.
//!
//! Every line moves the same number of bytes out of a large tensor, tile after tile, so that both sides see the same
//! cache misses. Run with `cargo bench -p tilehaul-engine --bench copies`.

#![allow(clippy::print_stdout, reason = "a benchmark reports by printing")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use tilehaul_descriptor::amd::tdm::{Direction, IndexSize, Padding, TdmDescriptor, TdmFields, TdmMode};
use tilehaul_descriptor::nvidia::{Architecture, Context, DataType, EncodeIm2col, EncodeTiled};
use tilehaul_engine::tdm::{TdmSurroundings, TdmSwitches, plan};
use tilehaul_engine::tma::{EngineMap, LoadMode, LoadRequest, TmaCopy, load};
use tilehaul_engine::{Memory, Region};

const ROW: u64 = 128;
const ROWS: u64 = 128;
/// Rows of the tensor: 64 MiB, far more than any cache here.
const TENSOR_ROWS: u64 = 1 << 15;
const PITCH: u64 = 2048;
const BASE: u64 = 1 << 40;
const REPEATS: usize = 41;

fn main() {
    let source = Region::new(BASE, (0..TENSOR_ROWS * PITCH).map(|k| (k * 7) as u8).collect());
    let mut shared = Region::new(0, vec![0; 256 << 10]);
    let tiles: Vec<(i32, i32)> = (0..TENSOR_ROWS / ROWS)
        .flat_map(|y| (0..PITCH / ROW).map(move |x| ((x * ROW) as i32, (y * ROWS) as i32)))
        .collect();

    let mut other = vec![0; 256 << 10];
    let same_rows = |order: [usize; 4], other: &mut Vec<u8>| {
        for &(x, y) in &tiles {
            let from = (y as u64 * PITCH + x as u64) as usize;
            for four in (0..ROWS as usize).step_by(4) {
                for (place, row) in order.iter().enumerate() {
                    let src = &source.data[from + (four + row) * PITCH as usize..][..ROW as usize];
                    other[(four + place) * ROW as usize..][..ROW as usize].copy_from_slice(src);
                }
            }
        }
        black_box(other);
    };
    let mut by_hand = || same_rows([0, 1, 2, 3], &mut other);
    let bytes = tiles.len() as f64 * (ROW * ROWS) as f64;
    println!("row copy by hand          {:6.2} GB/s", bytes / best(&mut by_hand).as_secs_f64() / 1e9);

    for (name, swizzle, least) in [("tile, no swizzle", 0, 0.8), ("tile, 128B swizzle", 3, 0.5)] {
        let map = tile_map(swizzle, PITCH, [ROW, ROWS]);
        compare(name, least, &mut by_hand, || {
            for &(x, y) in &tiles {
                let request = LoadRequest { shared: 0, coords: &[x, y], mode: LoadMode::Tile };
                run(&load(&map, &request), &source, &mut shared);
            }
        });
    }

    let map = tile_map(3, PITCH, [ROW, 1]);
    let mut shuffled = vec![0; 256 << 10];
    compare("gather4, 128B swizzle", 0.4, &mut || same_rows([0, 2, 1, 3], &mut shuffled), || {
        for &(x, y) in &tiles {
            for row in (y..y + ROWS as i32).step_by(4) {
                let mode = LoadMode::Gather4([row, row + 2, row + 1, row + 3]);
                run(&load(&map, &LoadRequest { shared: 0, coords: &[x], mode }), &source, &mut shared);
            }
        }
    });

    let mut third = vec![0; 256 << 10];
    let map = im2col_map();
    compare("im2col, 128B swizzle", 0.4, &mut by_hand, || {
        for &(x, y) in &tiles {
            let (w, h) = (y % 128, y / 128);
            let mode = LoadMode::Im2col { offsets: [0, 0, 0] };
            run(&load(&map, &LoadRequest { shared: 0, coords: &[x, w, h, 0], mode }), &source, &mut shared);
        }
    });

    tdm_lines(&tiles, &source, &mut shared, &mut by_hand, &mut |order| same_rows(order, &mut third));

    let map = tile_map(3, 256, [ROW, 256]);
    let copies = 10_000u32;
    let mut segments = 0;
    let time = best(|| {
        for k in 0..copies {
            let request = LoadRequest { shared: 0, coords: &[0, k as i32 % 64], mode: LoadMode::Tile };
            let _ = black_box(load(&map, &request));
        }
    });
    println!("plan of a 32 KiB tile     {:6.0} ns", time.as_nanos() as f64 / f64::from(copies));
    let copy = load(&map, &LoadRequest { shared: 0, coords: &[0, 0], mode: LoadMode::Tile });
    let time = best(|| segments = copy.as_ref().map_or(0, |copy| copy.plan.count().segments));
    println!(
        "walk over {segments} segments  {:6.2} ns a segment",
        time.as_nanos() as f64 / segments.max(1) as f64
    );
}

/// The same tiles through the Tensor Data Mover: plain, padded, and as lists of 16 rows.
fn tdm_lines(
    tiles: &[(i32, i32)],
    source: &Region,
    shared: &mut Region,
    by_hand: &mut impl FnMut(),
    shuffled: &mut impl FnMut([usize; 4]),
) {
    let (around, switches) = (TdmSurroundings::default(), TdmSwitches::default());
    let tile = TdmFields {
        count: 1,
        kind: 2,
        lds_addr: 0,
        global_addr: BASE,
        workgroup_mask: 0,
        data_size_bytes: 1,
        barrier: None,
        early_timeout: false,
        padding: None,
        tensor_dim: [PITCH as u32, TENSOR_ROWS as u32, 0, 0, 0],
        tile_dim: [ROW as u16, ROWS as u16, 0, 0, 0],
        tensor_dim_stride: [PITCH, 0, 0, 0],
        mode: TdmMode::Dense,
    };
    let padded =
        TdmFields { padding: Some(Padding { interval_dwords: 32, amount_dwords: 4 }), ..tile.clone() };
    let indices = (0..16).map(|k| k / 4 * 4 + [0, 2, 1, 3][k as usize % 4]).collect();
    let list = TdmFields {
        tile_dim: [ROW as u16, 16, 0, 0, 0],
        mode: TdmMode::Gather { size: IndexSize::Bits16, indices },
        ..tile.clone()
    };
    let at = |fields: &TdmFields, step: u64| -> Vec<TdmDescriptor> {
        let places = tiles.iter().flat_map(|&(x, y)| {
            (0..ROWS).step_by(step as usize).map(move |row| x as u64 + (y as u64 + row) * PITCH)
        });
        places.map(|place| encoded(&TdmFields { global_addr: BASE + place, ..fields.clone() })).collect()
    };
    let mut move_all = |list: &[TdmDescriptor]| {
        for descriptor in list {
            let outcome = plan(descriptor, Direction::Load, &around, &switches);
            let moved = outcome.ok().and_then(|o| o.plan).map(|p| p.run(source, shared));
            assert!(matches!(moved, Some(Ok(()))));
        }
    };
    let descriptors = at(&tile, ROWS);
    compare("TDM, 2D tile", 0.8, by_hand, || move_all(&descriptors));
    let descriptors = at(&padded, ROWS);
    compare("TDM, padded rows", 0.5, by_hand, || move_all(&descriptors));
    let descriptors = at(&list, 16);
    compare("TDM, gather of 16 rows", 0.4, &mut || shuffled([0, 2, 1, 3]), || move_all(&descriptors));
}

fn encoded(fields: &TdmFields) -> TdmDescriptor {
    match fields.encode() {
        Ok(descriptor) => descriptor,
        Err(broken) => unreachable!("{broken:?}"),
    }
}

fn tile_map(swizzle: u32, pitch: u64, boxes: [u64; 2]) -> EngineMap {
    let rows = TENSOR_ROWS * PITCH / pitch;
    let mut call = EncodeTiled::new(DataType::Uint8, BASE, &[pitch, rows], &[pitch], &boxes);
    call.swizzle = swizzle;
    map_of(call.map(&Context::default()))
}

/// The same rows as pixels: 2048 channels, 128 columns, 256 lines.
fn im2col_map() -> EngineMap {
    let call = EncodeIm2col {
        data_type: DataType::Uint8.code(),
        rank: 4,
        address: BASE,
        dims: vec![PITCH, 128, TENSOR_ROWS / 128, 1],
        strides: vec![PITCH, PITCH * 128, PITCH * TENSOR_ROWS],
        lower_corner: vec![0, 0],
        upper_corner: vec![0, 0],
        channels_per_pixel: ROW,
        pixels_per_column: ROWS,
        element_strides: vec![1; 4],
        interleave: 0,
        swizzle: 3,
        l2_promotion: 0,
        oob_fill: 0,
        alloc_bytes: None,
    };
    map_of(call.map(&Context::default()))
}

fn map_of<E: std::fmt::Debug>(map: Result<tilehaul_descriptor::nvidia::TensorMap, E>) -> EngineMap {
    match map {
        Ok(map) => match EngineMap::new(&map, Architecture::SM_90A) {
            Ok(map) => map,
            Err(fault) => unreachable!("{fault}"),
        },
        Err(broken) => unreachable!("{broken:?}"),
    }
}

fn run<E: std::fmt::Display>(copy: &Result<TmaCopy, E>, source: &Region, shared: &mut dyn Memory) {
    match copy {
        Ok(copy) => {
            if let Err(fault) = copy.plan.run(source, shared) {
                unreachable!("{fault}");
            }
        }
        Err(fault) => unreachable!("{fault}"),
    }
}

/// The shortest of some runs.
fn best(mut work: impl FnMut()) -> Duration {
    let mut shortest = Duration::MAX;
    for _ in 0..REPEATS {
        let start = Instant::now();
        work();
        shortest = shortest.min(start.elapsed());
    }
    shortest
}

/// Runs both sides in turns, so that a busy machine slows both.
fn compare(name: &str, least: f64, by_hand: &mut impl FnMut(), mut work: impl FnMut()) {
    // `cargo bench … -- WORD` runs the lines whose name holds the word.
    if std::env::args().skip(1).any(|word| !word.starts_with('-') && !name.contains(&word)) {
        return;
    }
    let (mut hand, mut ours) = (Duration::MAX, Duration::MAX);
    for _ in 0..REPEATS {
        let start = Instant::now();
        by_hand();
        hand = hand.min(start.elapsed());
        let start = Instant::now();
        work();
        ours = ours.min(start.elapsed());
    }
    let ratio = hand.as_secs_f64() / ours.as_secs_f64();
    let verdict = if ratio >= least { "" } else { "  BELOW" };
    println!("{name:25} {ratio:6.2} of it, at least {least}{verdict}");
}
