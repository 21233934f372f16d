//! Every row of the PTX instruction table is tested against something that is not this project's arithmetic.
//!
//! What counts: a generated program whose bytes an H200 left (`evidence/h200-programs/covered.md`), a recorded H200 answer, a
//! kernel of `cases` whose outputs numpy computed or whose verdict is stated, or a case of `scalar_reference.rs` in
//! `tilehaul-ptx`. Rows without one stand in
//! `data/rows_without_test.txt`, one a line; the list must be exact, so it can only shrink on purpose.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tilehaul_isa::ptx::table::rows;
use tilehaul_isa::ptx::{Opcode, Row, Support};

/// Starts of row keys whose behaviour recorded H200 answers show, with the records that `tilehaul conform` compares.
const RECORDED: &[(&str, &str)] = &[
    ("mma | sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col rn|rz|rm|rp? f64", "evidence/h200/mma"),
    ("wgmma.mma_async | ", "evidence/h200/mma"),
    ("mbarrier.", "evidence/h200/mbarrier.jsonl.gz, evidence/h200/probe"),
    ("cp.reduce.async.bulk | ", "evidence/h200/reduce.jsonl.gz"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn key(row: &Row) -> String {
    format!("{} | {}", row.name, row.modifiers)
}

/// Opcodes of the PTX files below a folder.
fn of_kernels(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            of_kernels(&path, found);
        } else if path.extension().is_some_and(|e| e == "ptx") {
            let text = std::fs::read_to_string(&path).unwrap();
            let module = tilehaul_isa::ptx::read(&text, tilehaul_diag::FileId(0)).module;
            found.extend(module.opcodes.iter().map(|o| o.text.clone()));
        }
    }
}

#[test]
fn rows_have_tests_that_do_not_share_their_arithmetic() {
    let page = std::fs::read_to_string(root().join("evidence/h200-programs/covered.md")).unwrap();
    let mut opcodes: BTreeSet<String> =
        page.lines().filter_map(|l| Some(l.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect();
    of_kernels(&root().join("cases"), &mut opcodes);
    let references = root().join("crates/tilehaul-ptx/tests/scalar_reference.rs");
    let text = std::fs::read_to_string(references).unwrap();
    opcodes.extend(text.split('"').filter_map(|s| Some(s.split_once(" $d, $a")?.0.to_owned())));
    let tested: BTreeSet<String> = opcodes.iter().filter_map(|text| Opcode::new(text).row).map(key).collect();
    let untested: Vec<String> = rows()
        .filter(|row| !matches!(row.support, Support::Unsupported(_)))
        .map(key)
        .filter(|key| !tested.contains(key) && !RECORDED.iter().any(|(start, _)| key.starts_with(start)))
        .collect();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/rows_without_test.txt");
    let now = untested.join("\n") + "\n";
    if std::env::var_os("BLESS").is_some_and(|v| !v.is_empty()) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &now).unwrap();
    }
    let listed = std::fs::read_to_string(&path).unwrap();
    let added: Vec<&String> = untested.iter().filter(|row| !listed.lines().any(|l| l == *row)).collect();
    assert!(added.is_empty(), "rows without a test: {added:#?}");
    assert_eq!(listed, now, "rows that have a test now stand in the list: BLESS=1 writes it");
}

#[test]
fn every_row_says_how_well_it_is_known() {
    for (_, records) in RECORDED {
        for name in records.split(", ") {
            assert!(root().join(name).exists(), "{name}");
        }
    }
    for row in rows() {
        match row.support {
            Support::Hardware(source) => assert!(!source.is_empty(), "{}", key(row)),
            Support::Approximate(reason) | Support::Unsupported(reason) => {
                assert!(reason.len() > 8, "{}: {reason:?} says too little", key(row));
            }
            Support::Manual => {}
        }
    }
}
