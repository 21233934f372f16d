//! Every kernel of `cases/kernels/sm_*`: right output and no finding under eager, lazy and random landing.
//!
//! `TILEHAUL_KERNELS=folder[:folder…]` runs other folders of launch files as well.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use tilehaul::launch::{LaunchFile, compare};
use tilehaul_check::{Explore, Finding, Verdict, explore};
use tilehaul_diag::FileId;
use tilehaul_machine::{GlobalMemory, PlaceId, Program, Replay};
use tilehaul_ptx::{PtxProgram, Setup, Sums};

fn launches(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with("launch.toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What is wrong with a launch, one line each.
fn problems(path: &Path, seeds: u64) -> Vec<String> {
    let folder = path.parent().unwrap().to_owned();
    let launch = match LaunchFile::parse(&fs::read_to_string(path).unwrap()) {
        Ok(launch) => launch,
        Err(told) => return told.into_iter().map(|d| d.message).collect(),
    };
    if launch.kernel.extension().is_none_or(|e| e != "ptx") {
        return Vec::new();
    }
    let text = fs::read_to_string(folder.join(&launch.kernel)).unwrap();
    let reading = tilehaul_isa::ptx::read(&text, FileId(0));
    let mut told: Vec<String> = reading.diagnostics.iter().map(|d| d.message.clone()).collect();
    let prepared = match launch.prepare(&folder) {
        Ok(prepared) => prepared,
        Err(problem) => return vec![problem.to_string()],
    };
    let params: Vec<Vec<u8>> = prepared.args.iter().map(|a| a.bytes.clone()).collect();
    let setup = Setup {
        entry: launch.entry.as_deref(),
        target: launch.target.as_deref(),
        params: &params,
        grid: launch.grid,
        block: launch.block,
        cluster: Some(launch.cluster),
        dynamic_shared: launch.dynamic_shared,
        sums: Sums::Exact,
    };
    let mut with_variables = prepared.memory.clone();
    let program = match PtxProgram::new(&reading.module, &setup, &mut with_variables) {
        Ok(program) => program,
        Err(d) => return vec![d.message],
    };
    let again = || with_variables.clone();
    let mut mismatches = Vec::new();
    let mut inspect = |replay: &Replay, after: &GlobalMemory| -> Vec<Finding> {
        for expect in &launch.expects {
            let got = &after.named(&expect.buffer).unwrap().data;
            match compare(expect, &prepared, &folder, got) {
                Ok(outcome) if outcome.holds() => {}
                Ok(outcome) => mismatches.push(format!(
                    "{replay}: {} of {} elements of {} differ, first {:?}",
                    outcome.differing,
                    outcome.compared,
                    expect.buffer,
                    outcome.first.first()
                )),
                Err(error) => mismatches.push(error),
            }
        }
        Vec::new()
    };
    let start = std::time::Instant::now();
    let report = explore(&program, program.launch(), &again, &Explore::seeds(seeds), &mut inspect);
    let steps: u64 = report.runs.iter().map(|r| r.steps).sum();
    println!(
        "{}: {} runs, {steps} steps, {:.2} s, {} hints",
        path.display(),
        report.runs.len(),
        start.elapsed().as_secs_f64(),
        report.hints.len()
    );
    told.extend(mismatches.into_iter().take(2));
    let place = |finding: &Finding| {
        let words = |place: PlaceId| {
            let span = program.span(place).unwrap_or_default();
            let at = text.get(span.start as usize..span.end as usize).unwrap_or("");
            let line = text[..span.start as usize].matches('\n').count() + 1;
            format!("{line}: {}", at.chars().take(100).collect::<String>())
        };
        let others: Vec<String> = finding.secondary.iter().map(|s| words(s.place)).collect();
        format!(
            "[{}] {} x{} | at {} | also {} | {}",
            finding.code,
            finding.message,
            finding.count,
            words(finding.primary.place),
            others.join("; "),
            finding.replay
        )
    };
    told.extend(report.unsupported.iter().map(place));
    told.extend(report.findings.iter().map(place));
    if std::env::var_os("TILEHAUL_HINTS").is_some() {
        for hint in &report.hints {
            println!("   hint {:?} {}", hint.level, place(hint));
        }
    }
    if report.verdict != Verdict::Clean && told.is_empty() {
        told.push(format!("the verdict is {:?}", report.verdict));
    }
    told
}

#[test]
fn kernels_compute_what_numpy_computed() {
    let mut roots = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/kernels")];
    if let Some(more) = std::env::var_os("TILEHAUL_KERNELS") {
        roots = std::env::split_paths(&more).collect();
    }
    let all: Vec<PathBuf> = roots.iter().flat_map(|root| launches(root)).collect();
    assert!(!all.is_empty());
    let mut wrong = Vec::new();
    for path in all {
        for problem in problems(&path, 3).into_iter().take(6) {
            println!("  {problem}");
            wrong.push(format!("{}: {problem}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} problems:\n{}", wrong.len(), wrong.join("\n"));
}
