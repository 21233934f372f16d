//! AMD kernels on the machine: instructions a second, what the checks cost, matrix products.
//!
//! Every launch lies in `benches/launches`, so that `tilehaul run` takes it too. Each line is the best of several runs;
//! ratios compare runs that took turns. `cargo bench -p tilehaul-gcn --bench kernels`, with a part of a name to choose.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark reports by printing, and fails by panicking"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use tilehaul::launch::LaunchFile;
use tilehaul_check::{Checker, Chip};
use tilehaul_gcn::{GcnProgram, Request, Sums};
use tilehaul_isa::gcn;
use tilehaul_machine::{GlobalMemory, Launch, Observer, Options, Outcome, Program, run};

/// Runs of each side; the best counts.
const REPEATS: usize = 7;
/// Multiplications and additions of a product of 512 x 512 x 512.
const PRODUCT: f64 = 2.0 * 512.0 * 512.0 * 512.0;

fn main() {
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let wanted = |name: &str| only.as_deref().is_none_or(|only| name.contains(only));
    for name in ["ordinary_gfx1250", "ordinary_gfx950"].into_iter().filter(|n| wanted(n)) {
        let (plain, checked, steps) = checks(&Kernel::read(name, Sums::Exact));
        let rate = steps as f64 / plain.as_secs_f64() / 1e6;
        line(name, &format!("{rate:6.1} M wave instructions a second"), rate, 20.0);
        ratio(name, plain, checked);
    }
    for name in ["gemm_wmma", "gemm_wmma_tdm", "gemm_mfma"].into_iter().filter(|n| wanted(n)) {
        let (exact, checked, _) = checks(&Kernel::read(name, Sums::Exact));
        let fast = Kernel::read(name, Sums::Fast);
        let fast = (0..REPEATS).map(|_| fast.time(false).0).min().unwrap_or_default();
        for (sums, time, least) in [("exact", exact, 1.0), ("fast", fast, 4.0)] {
            let rate = PRODUCT / time.as_secs_f64() / 1e9;
            line(name, &format!("{rate:6.2} GFLOP/s with the {sums} sum"), rate, least);
        }
        ratio(name, exact, checked);
    }
}

fn line(name: &str, text: &str, value: f64, least: f64) {
    let word = if value >= least { "" } else { "  BELOW" };
    println!("{name:16} {text} (at least {least}){word}");
}

fn ratio(name: &str, plain: Duration, checked: Duration) {
    let ratio = checked.as_secs_f64() / plain.as_secs_f64();
    let word = if ratio <= 5.0 { "" } else { "  ABOVE" };
    println!("{name:16} {ratio:6.2} times as long with all checks (at most 5){word}");
}

/// Best times without and with the checker, in turns, and the number of instructions.
fn checks(kernel: &Kernel) -> (Duration, Duration, u64) {
    let mut steps = 0;
    let mut times = [Duration::MAX; 2];
    for _ in 0..REPEATS {
        for (best, watched) in times.iter_mut().zip([false, true]) {
            let (time, n) = kernel.time(watched);
            (*best, steps) = ((*best).min(time), n);
        }
    }
    (times[0], times[1], steps)
}

struct Kernel {
    program: GcnProgram,
    memory: GlobalMemory,
}

impl Kernel {
    fn read(name: &str, sums: Sums) -> Kernel {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/launches");
        let text = std::fs::read_to_string(folder.join(format!("{name}.launch.toml"))).unwrap();
        let launch = LaunchFile::parse(&text).unwrap();
        let bytes = std::fs::read(folder.join(&launch.kernel)).unwrap();
        let module = if Path::new(&launch.kernel).extension().is_some_and(|e| e == "s") {
            let target = launch.target.as_deref().and_then(gcn::Target::from_name);
            let text = String::from_utf8(bytes).unwrap();
            gcn::read_assembly(&text, tilehaul_diag::FileId(0), target).unwrap().module
        } else {
            gcn::read_code_object(&bytes).unwrap()
        };
        let prepared = launch.prepare(&folder).unwrap();
        let arguments: Vec<Vec<u8>> = prepared.args.iter().map(|a| a.bytes.clone()).collect();
        let request = Request {
            entry: launch.entry.as_deref(),
            arguments: &arguments,
            hidden: &launch.hidden.iter().cloned().collect(),
            grid: launch.grid,
            block: launch.block,
            cluster: None,
            dynamic_shared: launch.dynamic_shared,
            sums,
            device: launch.amd,
        };
        let mut memory = prepared.memory.clone();
        let program = GcnProgram::new(module, &request, &mut memory).unwrap();
        Kernel { program, memory }
    }

    /// How long one run takes, and its instructions.
    fn time(&self, watched: bool) -> (Duration, u64) {
        time(self.program.program(), self.program.launch(), &self.memory, watched)
    }
}

fn time(program: &dyn Program, launch: &Launch, memory: &GlobalMemory, watched: bool) -> (Duration, u64) {
    let (memory, options) = (memory.clone(), Options::default());
    let start = Clock::start();
    let observer: Option<Box<dyn Observer>> = watched.then(|| {
        let (channels, counters) = (program.channels(), program.counters());
        let chip = if launch.wave_size == 64 { Chip::Cdna4 } else { Chip::Gfx1250 };
        let checker = Checker::new(launch, &memory, channels, counters, options.replay);
        Box::new(checker.with_banks(Some(chip))) as _
    });
    let result = run(program, launch, memory, options, observer);
    assert_eq!(result.outcome, Outcome::Finished);
    (start.elapsed(), result.steps)
}

/// Time that this thread spent on a core, so that what else runs on the machine counts less; time that passed where the
/// system does not tell.
struct Clock(Option<Duration>, Instant);

impl Clock {
    fn start() -> Clock {
        Clock(Clock::on_core(), Instant::now())
    }

    fn elapsed(&self) -> Duration {
        match (self.0, Clock::on_core()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.1.elapsed(),
        }
    }

    fn on_core() -> Option<Duration> {
        // The number is brought up to date at ticks, some milliseconds apart, and when the thread leaves its core.
        std::thread::sleep(Duration::from_nanos(1));
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
    }
}
