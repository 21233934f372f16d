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
