//! Which mutants of the kernels in `cases/kernels` are noticed: `docs/mutation.md` holds the answers.
//!
//! `TILEHAUL_FULL=1` adds the warp-specialised GEMM, whose proofs take minutes; with `BLESS=1` as well, the page is written.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing helper fails its test")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// In the order of the page.
const QUICK: [&str; 8] = [
    "gfx1250/tdm_ring",
    "gfx1250/tdm_barrier",
    "gfx1250/async_copy",
    "gfx950/d2lds_gemm",
    "gfx950/async_marks",
    "gfx942/d2lds",
    "sm_90a/tma_ring",
    "sm_90a/tma_multicast4",
];
const SLOW: &str = "sm_90a/ws_gemm";
/// Share of the mutants that must be noticed, in percent.
const ENOUGH: usize = 95;

const OPENING: &str = "\
# Mutation scores

`tilehaul mutate` makes a kernel wrong in one place at a time and asks whether `check` notices ([machine.md](machine.md), \"Mutants\",
says what is changed and what the fates mean). These are its answers, with what it does unless told otherwise, for kernels in
`cases/kernels`; tests compare them. An equivalent mutant is one that an exhaustive exploration of every order of steps and landings
proves to come to the same for that launch; it is not counted, and neither is one in a place that the launch never reaches.

| kernel | noticed | of | | not counted |
|---|---:|---:|---:|---|
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What the page says of a kernel: its row of the table, and its section.
struct Entry {
    row: String,
    section: String,
}

fn mutate(kernel: &str) -> Entry {
    let output = Command::new(env!("CARGO_BIN_EXE_tilehaul"))
        .args(["mutate", "--format", "json", &format!("cases/kernels/{kernel}")])
        .current_dir(root())
        .output()
        .unwrap();
    let told: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{kernel}: {e}: {}", String::from_utf8_lossy(&output.stderr)));
    let number = |key: &str| usize::try_from(told[key].as_u64().unwrap()).unwrap();
    let (noticed, counted) = (number("noticed"), number("counted"));
    assert!(noticed * 100 >= counted * ENOUGH, "{kernel}: {noticed} of {counted} mutants noticed");

    let mut section =
        format!("\n## {kernel}\n\n| line | instruction | change | fate |\n|---:|---|---|---|\n");
    let mut others = std::collections::BTreeMap::<String, usize>::new();
    for mutant in told["mutants"].as_array().unwrap() {
        let text = |key: &str| mutant[key].as_str().unwrap();
        let fate = text("fate").to_owned();
        if fate.starts_with("noticed") || fate.starts_with("hinted") {
            continue;
        }
        writeln!(section, "| {} | `{}` | {} | {fate} |", mutant["line"], text("original"), text("what"))
            .unwrap();
        *others.entry(fate).or_default() += 1;
    }
    let others: Vec<String> = others.iter().map(|(fate, n)| format!("{n} {fate}")).collect();
    let percent = 100.0 * noticed as f64 / counted as f64;
    let row = format!("| {kernel} | {noticed} | {counted} | {percent:.1} % | {} |\n", others.join(", "));
    Entry { row, section }
}

#[test]
fn scores_are_those_of_the_page() {
    let full = std::env::var_os("TILEHAUL_FULL").is_some();
    let entries: Vec<Entry> = QUICK.into_iter().chain(full.then_some(SLOW)).map(mutate).collect();
    let path = root().join("docs/mutation.md");
    if full && std::env::var_os("BLESS").is_some_and(|v| !v.is_empty()) {
        let rows: String = entries.iter().map(|e| e.row.as_str()).collect();
        let sections: String = entries.iter().map(|e| e.section.as_str()).collect();
        let page = format!(
            "{OPENING}{rows}\nWhat is not noticed or not counted, by kernel: the line, the instruction, the change.\n{sections}"
        );
        std::fs::write(&path, page).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap();
    let sections: Vec<&str> = page.split("\n## ").collect();
    for Entry { row, section } in entries {
        let section = section.trim_start_matches("\n## ");
        let as_ever = page.contains(&row) && sections.iter().any(|s| s.trim_end() == section.trim_end());
        assert!(
            as_ever,
            "docs/mutation.md says otherwise (TILEHAUL_FULL=1 BLESS=1 writes it):\n{row}{section}"
        );
    }
}
