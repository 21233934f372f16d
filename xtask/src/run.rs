//! The steps: each one runs cargo and says in one line how it went.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::tally::{self, Tally};
use crate::tidy;

type Step = Result<(), String>;

/// Folder of the workspace.
pub fn root() -> PathBuf {
    // xtask lies one level below the root.
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Everything that must hold before a change lands. All steps run, so that one look shows every failure.
pub fn ci() -> Step {
    let mut failures = Vec::new();
    let mut step = |name: &str, result: Step| {
        if let Err(text) = result {
            eprintln!("{name}: {text}");
            failures.push(name.to_owned());
        }
    };
    step("fmt", timed("fmt", || fmt(false)));
    step("tidy", timed("tidy", tidy::run));
    step("clippy", timed("clippy", clippy));
    step("rustdoc", timed("rustdoc", rustdoc));
    let mut count = Tally::default();
    step("test", timed("test", || test(false).map(|t| count = t)));
    println!("\n{count}");
    if failures.is_empty() { Ok(()) } else { Err(format!("failed: {}", failures.join(", "))) }
}

fn timed(name: &str, work: impl FnOnce() -> Step) -> Step {
    println!("== {name}");
    let start = Instant::now();
    let result = work();
    let word = if result.is_ok() { "ok" } else { "FAILED" };
    println!("== {name}: {word} in {:.1} s", start.elapsed().as_secs_f64());
    result
}

/// All tests: nextest where it is installed, `cargo test` otherwise, and the doc tests.
pub fn test(full: bool) -> Result<Tally, String> {
    let nextest =
        Command::new("cargo").args(["nextest", "--version"]).output().is_ok_and(|o| o.status.success());
    let mut count = Tally::default();
    let mut broken = Vec::new();
    let runs: &[&[&str]] = if nextest {
        &[
            &["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "fail"],
            &["test", "--workspace", "--doc", "--quiet", "--no-fail-fast"],
        ]
    } else {
        &[&["test", "--workspace", "--no-fail-fast"]]
    };
    for args in runs {
        let mut command = cargo(args);
        if full {
            command.env("TILEHAUL_FULL", "1");
        }
        let (ok, output) = run_shown(command)?;
        count += tally::read(&output);
        if !ok {
            broken.push(format!("cargo {}", args.join(" ")));
        }
    }
    if broken.is_empty() { Ok(count) } else { Err(format!("{} failed\n{count}", broken.join(" and "))) }
}

/// Formatting.
pub fn fmt(fix: bool) -> Step {
    if fix { run(cargo(&["fmt", "--all"])) } else { run(cargo(&["fmt", "--all", "--check"])) }
}

/// Lints, warnings denied.
pub fn clippy() -> Step {
    run(cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// The fuzz targets compile: they are a workspace of their own. What they share with this one is not built again.
pub fn fuzz_check() -> Step {
    let mut command =
        cargo(&["check", "--quiet", "--manifest-path", "fuzz/Cargo.toml", "--no-default-features"]);
    command.args(["--target-dir", "target"]);
    run(command)
}

/// Documentation of every crate, private items too, warnings denied.
pub fn rustdoc() -> Step {
    let mut command = cargo(&["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
    command.env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links");
    run(command)
}

/// Writes the generated files afresh: they are the golden files of tests, so the tests write them.
pub fn docs() -> Step {
    for (package, name) in
        [("tilehaul-cli", "transcripts"), ("tilehaul-cli", "generated"), ("tilehaul", "generated")]
    {
        let mut command = cargo(&["test", "--quiet", "--package", package, "--test", name]);
        command.env("BLESS", "1");
        run(command)?;
    }
    Ok(())
}

/// Benchmarks, with their budgets. Ratios are against a peer measured in the same run.
pub fn bench() -> Step {
    run(cargo(&["bench", "--package", "tilehaul-engine", "--bench", "copies"]))?;
    run(cargo(&["bench", "--package", "tilehaul-ptx", "--bench", "kernels"]))?;
    run(cargo(&["bench", "--package", "tilehaul-gcn", "--bench", "kernels"]))
}

/// The AMD instruction tables against llvm-mc 22, where it is installed: words made from the tables and random words
/// must print the same, and text must assemble to the same bytes.
pub fn oracle(words: u32) -> Step {
    let found = Command::new("llvm-mc-22").arg("--version").output().is_ok_and(|o| o.status.success());
    if !found {
        println!(
            "oracle: skipped, for llvm-mc-22 is not installed (LLVM 22 answers for the AMD instruction tables)"
        );
        return Ok(());
    }
    let mut command = cargo(&["test", "--quiet", "--package", "tilehaul-isa", "--test", "gcn_oracle", "--"]);
    command.args(["--ignored", "--nocapture"]).env("TILEHAUL_ORACLE_WORDS", words.to_string());
    run(command)
}

/// Every fuzz target for a short while.
pub fn fuzz_smoke(seconds: u32) -> Step {
    let folder = root().join("fuzz/fuzz_targets");
    let mut targets: Vec<String> = std::fs::read_dir(&folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    targets.sort();
    for target in targets {
        println!("== fuzz {target}");
        let mut command = Command::new("cargo");
        command.current_dir(root()).args(["+nightly", "fuzz", "run", &target, "--"]);
        command.args([
            format!("-max_total_time={seconds}"),
            "-timeout=10".to_owned(),
            "-rss_limit_mb=2048".to_owned(),
        ]);
        run(command)?;
    }
    Ok(())
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root()).args(args);
    command
}

fn run(mut command: Command) -> Step {
    let shown = format!("{command:?}").replace('"', "");
    let status = command.status().map_err(|e| format!("{shown}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed")) }
}

/// Runs a command, shows both of its streams as they come and returns them.
fn run_shown(mut command: Command) -> Result<(bool, String), String> {
    let shown = format!("{command:?}").replace('"', "");
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|e| format!("{shown}: {e}"))?;
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let output = std::thread::scope(|scope| {
        let err = scope.spawn(|| stderr.map(|s| show(s, true)).unwrap_or_default());
        let out = stdout.map(|s| show(s, false)).unwrap_or_default();
        out + &err.join().unwrap_or_default()
    });
    let status = child.wait().map_err(|e| format!("{shown}: {e}"))?;
    Ok((status.success(), output))
}

fn show(stream: impl std::io::Read, to_stderr: bool) -> String {
    let mut all = String::new();
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { break };
        if to_stderr {
            eprintln!("{line}");
        } else {
            println!("{line}");
        }
        all.push_str(&line);
        all.push('\n');
    }
    all
}
