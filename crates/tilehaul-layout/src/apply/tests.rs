use super::{Applied, Context, Instruction, Refusal, Scope, apply, guard, operand, summary};

/// Runs one case of the file; loops count from 0 and their lines are led by their values.
fn run(case: &toml::Table) -> Result<Vec<String>, Refusal> {
    let text = |key: &str| case.get(key).and_then(|v| v.as_str());
    let number = |key: &str| case.get(key).and_then(|v| v.as_integer());
    let instruction = Instruction::parse(text("instruction").unwrap())?;
    let scope = Scope::from_name(text("scope").unwrap()).unwrap();
    let threads = u32::try_from(number("block").unwrap_or(128)).unwrap();
    let mut context = Context::all(scope, threads);
    if let Some(g) = text("guard") {
        guard(&mut context, threads, g).unwrap();
    }
    context.cluster = case.get("cluster").map(|c| {
        let c: Vec<u32> = c.as_array().unwrap().iter().map(|n| n.as_integer().unwrap() as u32).collect();
        [c[0], c[1], c[2]]
    });
    let loops: Vec<(String, i64)> = case
        .get("loops")
        .and_then(|l| l.as_table())
        .map(|t| t.iter().map(|(k, v)| (k.clone(), v.as_integer().unwrap())).collect())
        .unwrap_or_default();
    let once = |values: &[(&str, i64)]| -> Result<Applied, Refusal> {
        let mut names = Vec::new();
        let operands: Vec<_> = case["operands"]
            .as_array()
            .unwrap()
            .iter()
            .map(|o| operand(o.as_str().unwrap(), values, &mut names).unwrap())
            .collect();
        apply(&instruction, &context, &operands, number("split"), 512)
    };
    match loops.as_slice() {
        [] => once(&[]).map(|a| summary(&a)),
        [(name, end)] => {
            let mut lines = Vec::new();
            for v in 0..*end {
                lines.extend(
                    summary(&once(&[(name.as_str(), v)])?).into_iter().map(|l| format!("{name} = {v}: {l}")),
                );
            }
            Ok(lines)
        }
        _ => panic!("one loop at most"),
    }
}

#[test]
fn every_recorded_row() {
    let file: toml::Table = include_str!("../../../../cases/layout/apply.toml").parse().unwrap();
    let mut rows = std::collections::BTreeSet::new();
    let mut wrong = Vec::new();
    for case in file["case"].as_array().unwrap() {
        let case = case.as_table().unwrap();
        rows.insert(case["row"].as_integer().unwrap());
        let got = run(case);
        let good = match (case.get("expect"), &got) {
            (Some(expect), Ok(lines)) => expect
                .as_array()
                .unwrap()
                .iter()
                .map(|e| e.as_str().unwrap())
                .eq(lines.iter().map(String::as_str)),
            (None, Err(refusal)) => refusal.message.starts_with(case["refusal"].as_str().unwrap()),
            _ => false,
        };
        if !good {
            wrong.push(format!("row {:?}: {:?} gave {got:?}", case["row"], case["instruction"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(rows.len(), 59);
}

#[test]
fn refusals_name_the_first_element() {
    let file: toml::Table = include_str!("../../../../cases/layout/apply.toml").parse().unwrap();
    let element = |row: i64| {
        let cases = file["case"].as_array().unwrap();
        let case =
            cases.iter().map(|c| c.as_table().unwrap()).find(|c| c["row"].as_integer() == Some(row)).unwrap();
        run(case).unwrap_err().element.unwrap()
    };
    assert_eq!(
        element(12),
        "element [1, 0, 0] is held by wid_in_wg 2, but the instruction has it in wid_in_wg 1: lane 0, register 0"
    );
    assert_eq!(
        element(20),
        "element [0, 0, 0, 1] is at TCol 1, the image has it at TCol 2: lane 0, register 0"
    );
    assert_eq!(element(53), "the access covers columns 508 to 515");
}

/// A tile of 128 by 256 is matched in well under two milliseconds in a release build.
#[test]
fn a_large_tile_is_matched_quickly() {
    let mut names = Vec::new();
    let registers = operand(
        "registers f32 | S[(4,32,256):(1@wid_in_wg,1@laneid,1)] | rearrange w l (k c) -> w k l c ; c=64",
        &[],
        &mut names,
    )
    .unwrap();
    let tensor = operand(
        "tmem f32 | tmem_datapath_layout(\"D\", 128, 256) | rearrange (w r) (k c) -> w k r c ; w=4, c=64",
        &[],
        &mut names,
    )
    .unwrap();
    let load = Instruction::parse("tcgen05.ld.32x32b.x64").unwrap();
    let context = Context::all(Scope::Warpgroup, 128);
    let operands = [registers, tensor];
    // The best of several runs: other work on the machine only ever adds time.
    let took = (0..9)
        .map(|_| {
            let start = std::time::Instant::now();
            let applied = apply(&load, &context, &operands, None, 512).unwrap();
            assert_eq!((applied.issues.len(), applied.per_warp()), (16, 4));
            start.elapsed()
        })
        .min()
        .unwrap();
    let limit = if cfg!(debug_assertions) { 50 } else { 2 };
    println!("matched in {took:?}");
    assert!(took.as_millis() < limit, "{took:?}");
}

mod random {
    //! Matching against brute force: images with random damage to either operand's layout.

    use proptest::prelude::*;

    use super::super::{Context, Direction, Instruction, Operand, Scope, Storage, apply, guard};
    use crate::axis::Axis;
    use crate::strided::{Iter, Layout, iter};
    use crate::tmem::{NativeImage, Packing, Shape};
    use crate::view::View;

    /// The register layout of an image: one iteration for each bit of the row and of the column.
    fn native(image: &NativeImage) -> Vec<Iter> {
        let bit = |row: u32, column: u32| {
            let owner = image.owner(0, row, column).unwrap();
            if owner.lane > 0 {
                iter(2, i64::from(owner.lane), Axis::LaneId)
            } else {
                iter(2, i64::from(owner.register), Axis::Memory)
            }
        };
        let rows = (0..image.rows().ilog2()).rev().map(|k| bit(1 << k, 0));
        let columns = (0..image.image_columns().ilog2()).rev().map(|k| bit(0, 1 << k));
        rows.chain(columns).collect()
    }

    /// The rules themselves, element by element, without any of the matcher's tables.
    fn fits(image: &NativeImage, registers: &View, tensor: &View, warp: i64) -> bool {
        let columns = u64::from(image.image_columns());
        let origin = (tensor.at(0, Axis::TLane), tensor.at(0, Axis::TCol));
        if origin.0.rem_euclid(i64::from(image.rows())) != 0 || origin.0.div_euclid(32) != warp {
            return false;
        }
        if origin.1 < 0 || origin.1 + i64::from(image.columns()) > 512 {
            return false;
        }
        let mut slots = std::collections::BTreeMap::new();
        for lane in 0..32 {
            for register in 0..image.registers() {
                let (_, row, column) = image.coordinate(lane, register).unwrap();
                let number = u64::from(row) * columns + u64::from(column);
                if registers.at(number, Axis::LaneId) != i64::from(lane) {
                    return false;
                }
                // A load writes each slot of a lane once.
                if slots.insert((lane, registers.at(number, Axis::Memory)), register).is_some() {
                    return false;
                }
                let place = (tensor.at(number, Axis::TLane), tensor.at(number, Axis::TCol));
                if place != (origin.0 + i64::from(row), origin.1 + i64::from(column)) {
                    return false;
                }
            }
        }
        true
    }

    proptest! {
        #[test]
        fn matching_agrees_with_brute_force(
            shape in prop::sample::select(vec![Shape::S32x32b, Shape::S16x64b, Shape::S16x128b, Shape::S16x256b]),
            num in prop::sample::select(vec![1u32, 2, 4, 8, 16, 32, 64, 128]),
            swap in prop::option::of((0usize..12, 0usize..12)),
            lane in prop::sample::select(vec![0i64, 16, 32, 48, 64, 72, 96, 112]),
            column in prop::sample::select(vec![0i64, 3, 100, 480, 505, 511]),
            column_stride in prop::sample::select(vec![1i64, 1, 1, 2, 0]),
            warp in 0i64..4,
        ) {
            // Wide shapes stop at fewer repetitions.
            let legal = [num, 32, 8].into_iter().find_map(|n| NativeImage::new(shape, n, Packing::Plain).ok());
            let image = legal.unwrap();
            let (rows, columns) = (u64::from(image.rows()), u64::from(image.image_columns()));
            let mut iters = native(&image);
            if let Some((a, b)) = swap {
                let n = iters.len();
                iters.swap(a % n, b % n);
            }
            let registers = View::strided(Layout::of(iters).unwrap(), &[rows, columns], vec![]).unwrap();
            let layout = Layout::new(
                vec![iter(rows, 1, Axis::TLane), iter(columns, column_stride, Axis::TCol)],
                vec![],
                &[(Axis::TLane, lane), (Axis::TCol, column)],
            )
            .unwrap();
            let tensor = View::strided(layout, &[rows, columns], vec![]).unwrap();
            let mut context = Context::all(Scope::Warp, 128);
            guard(&mut context, 128, &format!("warp == {warp}")).unwrap();
            let want = fits(&image, &registers, &tensor, warp);
            let operands = [
                Operand::whole(Storage::Registers, 32, registers),
                Operand::whole(Storage::Tensor, 32, tensor),
            ];
            let instruction = Instruction::Move { direction: Direction::Load, image };
            let got = apply(&instruction, &context, &operands, None, 512);
            prop_assert_eq!(got.is_ok(), want, "{:?}", got);
        }
    }
}
