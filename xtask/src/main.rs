//! Every check and generator of this repository. `.ci/run` calls the steps of `cargo xtask ci` one after the other.
//!
//! Checks are ordinary tests wherever they can be, so that one command (`cargo xtask test`) shows them all; what is here is
//! what a test cannot see: formatting, lints, rules about the files themselves, fuzzing and benchmarks.

mod run;
mod tally;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  ci            everything that must hold before a change lands
  test          all tests and doc tests; --full also walks the long inputs
  fmt           formatting (--fix mends it)
  clippy        lints, warnings denied
  rustdoc       documentation of every crate, warnings denied
  tidy          rules about the files: layers, paths, sources, sizes
  docs          writes the generated files afresh: reference pages, pictures, help texts, goldens
  oracle        AMD decoder, disassembler and assembler against llvm-mc 22; --words N of each kind and target
  bench         benchmarks, with ratios in one run
  fuzz-check    the fuzz targets compile
  fuzz-smoke    every fuzz target for a short while; --seconds N each (needs cargo-fuzz and nightly)
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| args.iter().any(|a| a == flag);
    let command = if has("--help") { Some("help") } else { args.first().map(String::as_str) };
    let result = match command {
        Some("ci") => run::ci(),
        Some("test") => run::test(has("--full")).map(|tally| println!("\n{tally}")),
        Some("fmt") => run::fmt(has("--fix")),
        Some("clippy") => run::clippy(),
        Some("rustdoc") => run::rustdoc(),
        Some("tidy") => tidy::run(),
        Some("docs") => run::docs(),
        Some("oracle") => run::oracle(number(&args, "--words", 100_000)),
        Some("bench") => run::bench(),
        Some("fuzz-check") => run::fuzz_check(),
        Some("fuzz-smoke") => run::fuzz_smoke(number(&args, "--seconds", 20)),
        Some("help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("no such command: {other}\n\n{HELP}")),
        None => Err(HELP.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn number(args: &[String], flag: &str, otherwise: u32) -> u32 {
    let at = args.iter().position(|a| a == flag);
    at.and_then(|i| args.get(i + 1)).and_then(|s| s.parse().ok()).unwrap_or(otherwise)
}
