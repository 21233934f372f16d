//! Exhaustive exploration of every launch in `cases/clean`: it finds nothing either, whether or not it comes to an end.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use tilehaul::run::{Bounds, Conclusion, Explore, Request, Sums, Watch, launch};

const BOUNDS: Bounds = Bounds { runs: 20, decisions: 2_000, all_or_nothing: false };

fn launches(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if path.is_dir() {
            launches(&path, found);
        } else if path.file_name().is_some_and(|n| n.to_string_lossy().ends_with("launch.toml")) {
            found.push(path);
        }
    }
}

#[test]
fn clean_launches_are_clean_under_every_order() {
    let mut all = Vec::new();
    launches(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/clean"), &mut all);
    all.sort();
    let (mut proven, mut wrong) = (0, Vec::new());
    for path in &all {
        let text = std::fs::read_to_string(path).unwrap();
        let explore = Explore { runs: Vec::new(), exhaustive: Some(BOUNDS), ..Explore::seeds(0) };
        let (watch, sums) = (Watch::Checker, Sums::Exact);
        let request = Request { explore, watch, keep_memory: false, sums, target: None };
        let report = launch(path, &text, &request);
        if report.conclusion != Conclusion::Clean {
            let first = report.findings.first().map(|f| f.diagnostic.message.clone());
            wrong.push(format!("{}: {:?} {first:?}", path.display(), report.conclusion));
        }
        proven += usize::from(!report.not_checked.iter().any(|line| line.contains("nothing is proved")));
    }
    println!("{proven} of {} launches proven clean", all.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() >= 40 && proven >= 20, "{proven} of {}", all.len());
}

/// The parts of a product are finished by whichever warp of the warpgroup waits first, and its other warps wait for nothing:
/// that must not count as so many orders.
#[test]
fn warp_specialised_gemm_is_proven() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/kernels/sm_90a/ws_gemm/launch.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let bounds = Bounds { runs: 200, decisions: 20_000, all_or_nothing: true };
    let explore = Explore { runs: Vec::new(), exhaustive: Some(bounds), ..Explore::seeds(0) };
    let request =
        Request { explore, watch: Watch::Checker, keep_memory: false, sums: Sums::Exact, target: None };
    let report = launch(&path, &text, &request);
    assert_eq!(report.conclusion, Conclusion::Clean);
    assert!(report.not_checked.is_empty(), "{:?}", report.not_checked);
}
