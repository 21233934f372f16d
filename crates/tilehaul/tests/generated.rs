//! Generated PTX programs against the bytes that an H200 left, by hash.
//!
//! `evidence/h200-programs/generated.jsonl.gz` names each program of `tilehaul-hw` by its seed. By default every single-instruction
//! program and every eighth mixture runs; `TILEHAUL_FULL=1` runs all.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use tilehaul::run::{self, Explore, Request, Sums, Watch};
use tilehaul_engine::Memory;
use tilehaul_hw::generate::{Generated, generate, generate_single};

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

fn program(name: &str) -> Generated {
    match name.strip_prefix("single") {
        Some(index) => {
            let index: usize = index.parse().unwrap();
            generate_single(index, index as u64, name).unwrap()
        }
        None => {
            let seed = name.strip_prefix("random").unwrap().parse().unwrap();
            generate(seed, name)
        }
    }
}

/// Buffers whose hash differs, or the reason why the program did not finish.
fn differences(name: &str, answer: &serde_json::Value, folder: &std::path::Path) -> Vec<String> {
    let Generated { ptx, launch, .. } = program(name);
    std::fs::write(folder.join(format!("{name}.ptx")), ptx).unwrap();
    let request = Request {
        explore: Explore::default(),
        watch: Watch::Nobody,
        keep_memory: true,
        sums: Sums::Exact,
        target: None,
    };
    let report = run::launch(&folder.join("launch.toml"), &launch, &request);
    let (Some(memory), Some(prepared)) = (&report.memory, &report.prepared) else {
        return report.findings.iter().map(|f| f.diagnostic.message.clone()).collect();
    };
    let mut wrong = Vec::new();
    for buffer in &prepared.buffers {
        let Some(want) = answer.get(&buffer.name).and_then(|w| w.as_str()) else { continue };
        // Every buffer of a generated program holds 32-bit words.
        let bytes = memory.bytes(buffer.address, buffer.shape.iter().product::<u64>() * 4).unwrap();
        if format!("{:016x}", fnv(bytes)) != want {
            wrong.push(buffer.name.clone());
        }
    }
    wrong
}

fn record() -> impl Iterator<Item = serde_json::Value> {
    let file = std::fs::File::open(evidence("generated.jsonl.gz")).unwrap();
    BufReader::new(GzDecoder::new(file)).lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

fn evidence(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../evidence/h200-programs").join(name)
}

#[test]
fn generated_programs_leave_the_bytes_that_an_h200_left() {
    let full = std::env::var_os("TILEHAUL_FULL").is_some();
    let folder = std::env::temp_dir().join(format!("tilehaul-generated-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut bad = Vec::new();
    let mut ran = 0;
    for (number, answer) in record().enumerate() {
        let name = answer["program"].as_str().unwrap();
        if !full && name.starts_with("random") && number % 8 != 0 {
            continue;
        }
        ran += 1;
        let wrong = differences(name, &answer, &folder);
        if !wrong.is_empty() {
            bad.push(format!("{name}: {}", wrong.join(", ")));
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(ran > 700 && bad.is_empty(), "{} of {ran} programs:\n{}", bad.len(), bad.join("\n"));
}

/// `BLESS=1` writes the list.
#[test]
fn the_list_of_covered_instructions_is_up_to_date() {
    let programs: Vec<Generated> =
        record().map(|answer| program(answer["program"].as_str().unwrap())).collect();
    let page = tilehaul_hw::covered::page(&programs);
    let path = evidence("covered.md");
    if std::env::var_os("BLESS").is_some_and(|v| !v.is_empty()) {
        std::fs::write(&path, &page).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == page, "covered.md is out of date: BLESS=1 writes it");
}
