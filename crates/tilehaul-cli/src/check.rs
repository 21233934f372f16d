//! `tilehaul check` and `tilehaul run`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Map, Value, json};
use tilehaul::files::write_whole;
use tilehaul::npy::Array;
use tilehaul::run::{
    self, Bounds, Conclusion, Explore, Found, Landing, Replay, Report, Request, Schedule, Sums,
};
use tilehaul_render::style::Ink;
use tilehaul_render::{Style, diagnostic};

use crate::check_llvm;
use crate::input;
use crate::numbers::{number, seeds};
use crate::output::{Answer, Failure, Outcome, Output, Verdict, with_clock};

/// Runs a kernel over schedules and landings of its asynchronous copies and reports what can go wrong.
///
/// By default: eager and lazy landing, and 16 seeds of random schedule and landing, with happens-before over all
/// memories. It prints what it ran and what it did not check. Every finding carries the line that replays it.
#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    /// A launch file, a folder with a launch.toml, an AMD kernel alone (.s, .hsaco, .co, .o: what can be said without a
    /// run), or LLVM IR text (.ll) whose DMA intrinsics are checked.
    #[arg(value_name = "X.launch.toml")]
    file: String,
    /// Also compile LLVM IR, with LLVM 22 or newer, and look at what comes out.
    #[arg(long)]
    compile: bool,
    /// The target: of LLVM IR, or of assembly text that names none, such as gfx950; of a launch it stands in for the launch file's.
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// Only this landing: eager, lazy, random or exhaustive.
    #[arg(long, value_enum)]
    landing: Option<LandingArg>,
    /// Seeds of random schedule and landing.
    #[arg(long, default_value = "16", value_parser = seeds, value_name = "N")]
    seeds: u64,
    /// Every order of visible steps and landings, within bounds (small kernels).
    #[arg(long)]
    exhaustive: bool,
    /// One run, by the line that a finding printed.
    #[arg(long, value_name = "REPLAY")]
    replay: Option<Replay>,
    /// Most instructions of a run.
    #[arg(long, value_parser = number, value_name = "N")]
    step_limit: Option<u64>,
    /// Most blocks resident at a time, instead of what the largest chip of the target holds.
    #[arg(long, value_parser = resident, value_name = "N")]
    resident: Option<u32>,
    /// Sum matrix products in plain single precision: faster, but not the bits of any device.
    #[arg(long)]
    fast_sum: bool,
}

/// Runs a kernel once and compares its buffers with the expectations of the launch file.
#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// A launch file, or a folder with a launch.toml.
    #[arg(value_name = "X.launch.toml")]
    file: String,
    /// Folder into which every buffer is written as NAME.npy.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// When asynchronous copies land: eager, lazy or random.
    #[arg(long, value_enum, default_value = "eager")]
    landing: LandingArg,
    /// Seed of a random landing and schedule.
    #[arg(long, default_value = "1", value_parser = number, value_name = "N")]
    seed: u64,
    /// One run, by the line that a finding printed.
    #[arg(long, value_name = "REPLAY")]
    replay: Option<Replay>,
    /// Most instructions.
    #[arg(long, value_parser = number, value_name = "N")]
    step_limit: Option<u64>,
    /// Most blocks resident at a time, instead of what the largest chip of the target holds.
    #[arg(long, value_parser = resident, value_name = "N")]
    resident: Option<u32>,
    /// Sum matrix products in plain single precision: faster, but not the bits of any device.
    #[arg(long)]
    fast_sum: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LandingArg {
    Eager,
    Lazy,
    Random,
    Exhaustive,
}

impl LandingArg {
    fn keeps(self, landing: Landing) -> bool {
        matches!(
            (self, landing),
            (LandingArg::Eager, Landing::Eager)
                | (LandingArg::Lazy, Landing::Lazy)
                | (LandingArg::Random, Landing::Random(_))
                | (LandingArg::Exhaustive, Landing::Exhaustive)
        )
    }
}

pub(crate) fn check(args: &CheckArgs, output: &Output) -> Outcome {
    if let Some(report) = kernel_file(&args.file, args.target.as_deref())? {
        return Ok(answer(&report, &args.file, "check", output.style));
    }
    let (path, text) = launch_file(&args.file)?;
    if is_llvm(&path) {
        return check_llvm::check(&args.file, &text, args.target.as_deref(), args.compile, output);
    }
    if path.extension().is_some_and(|e| e == "ptx") {
        let report = run::alone_ptx(&args.file, &text, args.target.as_deref());
        return Ok(answer(&report, &args.file, "check", output.style));
    }
    let mut explore = match args.replay {
        Some(replay) => Explore::only(replay),
        None => Explore::seeds(args.seeds),
    };
    if let Some(landing) = args.landing {
        explore.runs.retain(|run| landing.keeps(run.landing));
    }
    if args.exhaustive || args.landing == Some(LandingArg::Exhaustive) {
        explore.exhaustive = Some(Bounds::default());
    }
    if let Some(limit) = args.step_limit {
        explore.step_limit = limit;
    }
    explore.resident = args.resident;
    let request = Request {
        explore,
        watch: run::Watch::Checker,
        keep_memory: false,
        sums: sums(args.fast_sum),
        target: args.target.clone(),
    };
    let report = with_clock("checking", || run::launch(&path, &text, &request));
    Ok(answer(&report, &args.file, "check", output.style))
}

pub(crate) fn execute(args: &RunArgs, output: &Output) -> Outcome {
    let (path, text) = launch_file(&args.file)?;
    refuse_text(&path)?;
    let replay = args.replay.unwrap_or(match args.landing {
        LandingArg::Eager => Replay { schedule: Schedule::RoundRobin, landing: Landing::Eager },
        LandingArg::Lazy => Replay { schedule: Schedule::RoundRobin, landing: Landing::Lazy },
        LandingArg::Random => Replay::random(args.seed),
        LandingArg::Exhaustive => {
            return Err(Failure::invalid("a run is one run: exhaustive landing belongs to `tilehaul check`"));
        }
    });
    let mut explore = Explore::only(replay);
    if let Some(limit) = args.step_limit {
        explore.step_limit = limit;
    }
    explore.resident = args.resident;
    let request = Request {
        explore,
        watch: run::Watch::Nobody,
        keep_memory: true,
        sums: sums(args.fast_sum),
        target: None,
    };
    let report = with_clock("running", || run::launch(&path, &text, &request));
    let mut answer = answer(&report, &args.file, "run", output.style);
    if let Some(folder) = &args.out {
        let written = write_buffers(&report, folder)?;
        answer.json.insert("written".to_owned(), json!(written));
        for name in written {
            let _ = writeln!(answer.text, "wrote {name}");
        }
    }
    Ok(answer)
}

/// A number of resident blocks. All of them keep their memories, so that more than this is no chip's.
fn resident(text: &str) -> Result<u32, String> {
    const MOST: u64 = 65_536;
    match number(text)? {
        0 => Err("at least 1 block must be resident".to_owned()),
        n if n > MOST => Err(format!("at most {MOST} blocks can be resident")),
        n => Ok(n as u32),
    }
}

fn sums(fast: bool) -> Sums {
    if fast { Sums::Fast } else { Sums::Exact }
}

/// What can be said of a kernel file that is named without a launch file.
fn kernel_file(argument: &str, target: Option<&str>) -> Result<Option<Report>, Failure> {
    let extension = Path::new(argument).extension().and_then(|e| e.to_str());
    if !matches!(extension, Some("s" | "asm" | "hsaco" | "co" | "o")) {
        return Ok(None);
    }
    let bytes = input::read(argument)?;
    let report = run::alone(argument, &bytes, target).ok_or_else(|| {
        Failure::invalid(format!("{argument} is neither AMD assembly text nor a code object"))
    })?;
    Ok(Some(report))
}

/// The launch file that an argument means, and its text: a file, or the one of a folder.
pub(crate) fn launch_file(argument: &str) -> Result<(PathBuf, String), Failure> {
    let mut path = PathBuf::from(argument);
    if path.is_dir() {
        path = only_launch_of(&path)?;
    }
    let name = path.display().to_string();
    let kernel = match path.extension().and_then(|e| e.to_str()) {
        Some("s" | "asm") => Some("assembly"),
        Some("hsaco" | "co" | "o") => Some("a code object"),
        _ => None,
    };
    if let Some(kernel) = kernel {
        return Err(Failure::invalid(format!(
            "{name} is {kernel}: name a launch file, which says what it is given (docs/launch-files.md)"
        )));
    }
    let bytes = input::read(if argument == "-" { "-" } else { &name })?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::invalid(format!("{name} is not text; name the launch file, which names the kernel"))
    })?;
    if argument == "-" {
        // Files that it names are looked for here.
        path = PathBuf::from("./standard input");
    }
    Ok((path, text))
}

fn is_llvm(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "ll")
}

/// PTX and LLVM IR alone are checked, not run.
pub(crate) fn refuse_text(path: &Path) -> Result<(), Failure> {
    let name = path.display();
    if path.extension().is_some_and(|e| e == "ptx") {
        return Err(Failure::invalid(format!(
            "{name} is PTX: name a launch file, which says what it is given (docs/launch-files.md)"
        )));
    }
    if !is_llvm(path) {
        return Ok(());
    }
    Err(Failure::invalid(format!(
        "{name} is LLVM IR: `tilehaul check {name}` checks its DMA intrinsics; to run it, compile it and name a launch file \
         (docs/launch-files.md)"
    )))
}

/// `launch.toml` of a folder, or the only `NAME.launch.toml` in it.
fn only_launch_of(folder: &Path) -> Result<PathBuf, Failure> {
    let plain = folder.join("launch.toml");
    if plain.is_file() {
        return Ok(plain);
    }
    let entries = std::fs::read_dir(folder)
        .map_err(|error| Failure::invalid(tilehaul::files::cannot_read(folder, &error)))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(".launch.toml"))
        .collect();
    found.sort();
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Failure::invalid(format!(
            "{} holds no launch.toml and no NAME.launch.toml (docs/launch-files.md)",
            folder.display()
        ))),
        several => {
            let names: Vec<String> = several
                .iter()
                .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
                .collect();
            Err(Failure::invalid(format!(
                "{} holds several launch files, name one: {}",
                folder.display(),
                names.join(", ")
            )))
        }
    }
}

fn write_buffers(report: &Report, folder: &Path) -> Result<Vec<String>, Failure> {
    let (Some(memory), Some(prepared)) = (&report.memory, &report.prepared) else { return Ok(Vec::new()) };
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::invalid(format!("cannot make {}: {error}", folder.display())))?;
    let mut written = Vec::new();
    for buffer in &prepared.buffers {
        let Some(allocation) = memory.named(&buffer.name) else { continue };
        // Packed elements have no bytes of their own: the file holds bytes.
        let shape = if buffer.element.is_packed() {
            vec![allocation.data.len() as u64]
        } else {
            buffer.shape.clone()
        };
        let array = Array::new(buffer.element, shape, allocation.data.to_vec());
        let path = folder.join(format!("{}.npy", buffer.name));
        write_whole(&path, &array.to_file()).map_err(Failure::invalid)?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

pub(crate) fn answer(report: &Report, file: &str, command: &str, style: Style) -> Answer {
    let verdict = match report.conclusion {
        Conclusion::Clean => Verdict::Clean,
        Conclusion::Findings => Verdict::Findings,
        Conclusion::Unsupported => Verdict::Unsupported,
        Conclusion::Invalid => Verdict::Invalid,
    };
    let mut text = String::new();
    for found in report.in_order() {
        let replay = found.replay.map(|replay| format!("tilehaul {command} {file} --replay {replay}"));
        let last = replay.as_deref().map(|line| ("replay", line));
        text.push_str(&diagnostic::text_with(&found.diagnostic, last, &report.sources, style));
        text.push_str("\n\n");
    }
    for line in &report.ran {
        let _ = writeln!(text, "{line}");
    }
    for line in &report.not_checked {
        let _ = writeln!(text, "not checked: {line}");
    }
    let (findings, hints) = (report.findings.len(), report.hints.len());
    let ink = if verdict == Verdict::Clean { Ink::Good } else { Ink::Bad };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let counts = format!(": {findings} finding{}, {hints} hint{}", plural(findings), plural(hints));
    let _ = writeln!(text, "{}{counts}", style.paint(ink, verdict.word()));
    let mut json = Map::new();
    let list = |list: &[Found]| -> Vec<Value> { list.iter().map(|f| found_json(f, report)).collect() };
    json.insert("findings".to_owned(), json!(list(&report.findings)));
    json.insert("hints".to_owned(), json!(list(&report.hints)));
    json.insert("ran".to_owned(), json!(report.ran));
    json.insert("not_checked".to_owned(), json!(report.not_checked));
    json.insert("steps".to_owned(), json!(report.steps));
    Answer { verdict, text, json, lines: false }
}

fn found_json(found: &Found, report: &Report) -> Value {
    let mut value = diagnostic::json(&found.diagnostic, &report.sources);
    if let Value::Object(map) = &mut value {
        map.insert("replay".to_owned(), json!(found.replay.map(|r| r.to_string())));
    }
    value
}
