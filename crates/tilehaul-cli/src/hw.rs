//! `tilehaul hw`: the same launch on a real GPU. Without the feature `gpu` it says how to build it.

use std::path::PathBuf;

use clap::Subcommand;

use crate::numbers::number;
#[cfg(not(feature = "gpu"))]
use crate::output::Outcome;

/// Runs the same thing on a real GPU and compares byte for byte.
///
/// Needs a build with the feature `gpu` and an NVIDIA driver.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Launch files: every buffer of the GPU against the model's.
    Run(RunArgs),
    /// Random valid programs, by seed: both sides must leave the same bytes.
    Generated(GeneratedArgs),
}

#[derive(clap::Args)]
struct RunArgs {
    /// Launch files, or folders with a launch.toml.
    #[arg(required = true, value_name = "X.launch.toml")]
    files: Vec<String>,
    /// A cubin to load in place of the kernel's text; with one launch file only.
    #[arg(long, value_name = "FILE")]
    cubin: Option<PathBuf>,
    /// Optimisation level of the driver's compiler, 0 to 4.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4))]
    optimise: Option<u32>,
    /// Append what the GPU left to this file, one JSON object a launch: the 64-bit FNV-1a hash of each buffer.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

#[derive(clap::Args)]
struct GeneratedArgs {
    /// First seed.
    #[arg(long, default_value = "0", value_parser = number, value_name = "N")]
    first: u64,
    /// Number of programs.
    #[arg(long, default_value = "100", value_parser = number, value_name = "N")]
    count: u64,
    /// Programs of one instruction each, by their number, instead of mixtures.
    #[arg(long)]
    single: bool,
    /// Optimisation level of the driver's compiler, 0 to 4. Above 0 it folds instructions in ways that change results.
    #[arg(long, default_value = "0", value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4))]
    optimise: u32,
    /// Folder for the programs' files; a temporary one when absent.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Append the hashes of what the GPU left to this file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Append the bytes of buffers that differ to this file, as JSON lines.
    #[arg(long, value_name = "FILE")]
    differing: Option<PathBuf>,
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn run(args: &Args) -> Outcome {
    let what = match &args.command {
        Command::Run(run) => format!("hw run {}", run.files.join(" ")),
        Command::Generated(_) => "hw generated".to_owned(),
    };
    Err(crate::output::Failure::invalid(format!(
        "`tilehaul {what}`: this build has no GPU side; build it with: cargo build --release -p tilehaul-cli --features gpu"
    )))
}

#[cfg(feature = "gpu")]
pub(crate) use device::run;

#[cfg(feature = "gpu")]
mod device {
    use std::fmt::Write;
    use std::io::Write as _;
    use std::path::Path;

    use serde_json::{Map, Value, json};
    use tilehaul::run::generate::{Generated, generate, generate_single};
    use tilehaul::run::{Gpu, HardwareRun, on_gpu};

    use super::{Args, Command, GeneratedArgs, RunArgs};
    use crate::output::{Answer, Failure, Outcome, Verdict};

    pub(crate) fn run(args: &Args) -> Outcome {
        let gpu = Gpu::open().map_err(|error| Failure::invalid(error.to_string()))?;
        let mut answer = Answer {
            verdict: Verdict::Clean,
            text: format!("{}\n", gpu.description),
            json: Map::new(),
            lines: false,
        };
        answer.json.insert("device".to_owned(), json!(gpu.description));
        let rows = match &args.command {
            Command::Run(run) => launches(&gpu, run, &mut answer)?,
            Command::Generated(programs) => generated(&gpu, programs, &mut answer)?,
        };
        answer.json.insert("launches".to_owned(), json!(rows));
        Ok(answer)
    }

    fn launches(gpu: &Gpu, args: &RunArgs, answer: &mut Answer) -> Result<Vec<Value>, Failure> {
        let cubin = match &args.cubin {
            Some(path) if args.files.len() == 1 => Some(
                std::fs::read(path)
                    .map_err(|error| Failure::invalid(format!("cannot read {}: {error}", path.display())))?,
            ),
            Some(_) => return Err(Failure::invalid("--cubin belongs to one launch file, not to several")),
            None => None,
        };
        let mut rows = Vec::new();
        for name in &args.files {
            let mut path = std::path::PathBuf::from(name);
            if path.is_dir() {
                path.push("launch.toml");
            }
            let text = std::fs::read_to_string(&path)
                .map_err(|error| Failure::invalid(format!("cannot read {}: {error}", path.display())))?;
            let run = on_gpu(gpu, &path, &text, cubin.as_deref(), args.optimise);
            rows.push(told(name, &run, answer));
            if let (Ok(run), Some(file)) = (&run, &args.record) {
                append(file, &hashes(name, run))?;
            }
        }
        Ok(rows)
    }

    fn generated(gpu: &Gpu, args: &GeneratedArgs, answer: &mut Answer) -> Result<Vec<Value>, Failure> {
        let folder = args.folder.clone().unwrap_or_else(|| {
            std::env::temp_dir().join(format!("tilehaul-generated-{}", std::process::id()))
        });
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::invalid(format!("cannot make {}: {error}", folder.display())))?;
        let mut rows = Vec::new();
        let mut same = 0;
        for seed in args.first..args.first.saturating_add(args.count) {
            let (name, program) = if args.single {
                let name = format!("single{seed}");
                let Some(program) = generate_single(seed as usize, seed, &name) else { break };
                (name, program)
            } else {
                let name = format!("random{seed}");
                let program = generate(seed, &name);
                (name, program)
            };
            let Generated { ptx, launch, .. } = &program;
            let path = folder.join(format!("{name}.launch.toml"));
            write(&folder.join(format!("{name}.ptx")), ptx)?;
            let run = on_gpu(gpu, &path, launch, None, Some(args.optimise));
            match &run {
                Ok(run) if run.differences.is_empty() => same += 1,
                _ => rows.push(told(&name, &run, answer)),
            }
            let Ok(run) = run else { continue };
            if let Some(file) = &args.record {
                append(file, &hashes(&name, &run))?;
            }
            if let (Some(file), false) = (&args.differing, run.differences.is_empty()) {
                let buffers: Map<String, Value> =
                    run.buffers.iter().map(|(name, bytes)| (name.clone(), json!(hex(bytes)))).collect();
                append(file, &json!({ "program": name, "buffers": buffers }))?;
            }
        }
        if args.folder.is_none() {
            // Only a temporary folder is removed; a failure here loses nothing.
            let _ = std::fs::remove_dir_all(&folder);
        }
        let _ = writeln!(answer.text, "{same} programs without a difference, {} with one", rows.len());
        Ok(rows)
    }

    fn told(name: &str, run: &Result<HardwareRun, String>, answer: &mut Answer) -> Value {
        let worst = |answer: &mut Answer, verdict| {
            if answer.verdict != Verdict::Invalid {
                answer.verdict = verdict;
            }
        };
        match run {
            Ok(run) if run.differences.is_empty() => {
                let bytes: usize = run.buffers.iter().map(|b| b.1.len()).sum();
                let _ = writeln!(
                    answer.text,
                    "{name}: {} buffers, {bytes} bytes, the same on both sides",
                    run.buffers.len()
                );
                json!({ "launch": name, "same": true, "bytes": bytes })
            }
            Ok(run) => {
                worst(answer, Verdict::Findings);
                for d in &run.differences {
                    let _ = writeln!(
                        answer.text,
                        "{name}: buffer {}: {} bytes differ, the first at {}: {:#04x} on the GPU, {:#04x} in the model",
                        d.buffer, d.bytes, d.first, d.gpu, d.model
                    );
                }
                let list: Vec<Value> = run
                    .differences
                    .iter()
                    .map(|d| json!({ "buffer": d.buffer, "first": d.first, "bytes": d.bytes, "gpu": d.gpu, "model": d.model }))
                    .collect();
                json!({ "launch": name, "same": false, "differences": list })
            }
            Err(message) => {
                worst(answer, Verdict::Invalid);
                let _ = writeln!(answer.text, "{name}: {message}");
                json!({ "launch": name, "error": message })
            }
        }
    }

    fn hashes(name: &str, run: &HardwareRun) -> Value {
        let mut row = Map::new();
        row.insert("program".to_owned(), json!(name));
        for (buffer, bytes) in &run.buffers {
            row.insert(buffer.clone(), json!(format!("{:016x}", fnv(bytes))));
        }
        Value::Object(row)
    }

    fn fnv(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    fn append(file: &Path, row: &Value) -> Result<(), Failure> {
        let fail =
            |error: std::io::Error| Failure::invalid(format!("cannot write {}: {error}", file.display()));
        let mut open = std::fs::OpenOptions::new().create(true).append(true).open(file).map_err(fail)?;
        writeln!(open, "{row}").map_err(fail)
    }

    fn write(file: &Path, text: &str) -> Result<(), Failure> {
        std::fs::write(file, text)
            .map_err(|error| Failure::invalid(format!("cannot write {}: {error}", file.display())))
    }
}
