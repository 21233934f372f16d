//! The machine on whole kernels: instructions a second, what the checks cost, matrix products, copies inside kernels.
//!
//! Every launch lies in `benches/launches`, so that `tilehaul run` takes it too. Each line is the best of several runs;
//! ratios compare runs that took turns. `cargo bench -p tilehaul-ptx --bench kernels`, with a part of a name to choose.

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
use tilehaul_descriptor::nvidia::Architecture;
use tilehaul_diag::FileId;
use tilehaul_engine::Region;
use tilehaul_engine::tma::{EngineMap, LoadMode, LoadRequest, load};
use tilehaul_machine::{GlobalMemory, Observer, Options, Outcome, Program, run};
use tilehaul_ptx::{PtxProgram, Setup, Sums};

/// Runs of each side; the best counts.
const REPEATS: usize = 5;
/// Multiplications and additions of a product of 512 x 512 x 512.
const PRODUCT: f64 = 2.0 * 512.0 * 512.0 * 512.0;

fn main() {
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let wanted = |name: &str| only.as_deref().is_none_or(|only| name.contains(only));
    for name in ["ordinary", "softmax"].into_iter().filter(|n| wanted(n)) {
        let (plain, checked, steps) = checks(&Kernel::read(name, Sums::Exact));
        let rate = steps as f64 / plain.as_secs_f64() / 1e6;
        line(name, &format!("{rate:6.1} M warp instructions a second"), rate, 20.0);
        ratio(name, plain, checked);
    }
    for name in ["gemm_wgmma", "gemm_mma_sync", "gemm_ws"].into_iter().filter(|n| wanted(n)) {
        let (exact, checked, _) = checks(&Kernel::read(name, Sums::Exact));
        let fast = Kernel::read(name, Sums::Fast);
        let fast = best(&mut || fast.time(false));
        for (sums, time, least) in [("exact", exact, 1.0), ("fast", fast, 4.0)] {
            let rate = PRODUCT / time.as_secs_f64() / 1e9;
            line(name, &format!("{rate:6.2} GFLOP/s with the {sums} sum"), rate, least);
        }
        ratio(name, exact, checked);
    }
    if wanted("tma_stream") {
        copies(&Kernel::read("tma_stream", Sums::Exact));
    }
}

fn line(name: &str, text: &str, value: f64, least: f64) {
    let word = if value >= least { "" } else { "  BELOW" };
    println!("{name:14} {text} (at least {least}){word}");
}

fn ratio(name: &str, plain: Duration, checked: Duration) {
    let ratio = checked.as_secs_f64() / plain.as_secs_f64();
    let word = if ratio <= 5.0 { "" } else { "  ABOVE" };
    println!("{name:14} {ratio:6.2} times as long with all checks (at most 5){word}");
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

fn best(run: &mut dyn FnMut() -> (Duration, u64)) -> Duration {
    (0..REPEATS).map(|_| run().0).min().unwrap_or_default()
}

/// Copies that a kernel makes against the same copies by the engine alone.
fn copies(kernel: &Kernel) {
    let [data] = kernel.memory.allocations() else { panic!("one buffer") };
    let map =
        EngineMap::decode(kernel.map.first_chunk().unwrap(), Architecture::parse("sm_90a").unwrap()).unwrap();
    let source = Region::new(data.base, data.data.to_vec());
    let mut shared = Region::new(0, vec![0; 16384]);
    let mut alone = || {
        let start = Clock::start();
        for y in (0..32768).step_by(128) {
            for x in (0..1024).step_by(64) {
                let copy =
                    load(&map, &LoadRequest { shared: 0, coords: &[x, y], mode: LoadMode::Tile }).unwrap();
                copy.plan.run(&source, &mut shared).unwrap();
            }
        }
        start.elapsed()
    };
    let (mut engine, mut inside) = (Duration::MAX, Duration::MAX);
    for _ in 0..REPEATS {
        engine = engine.min(alone());
        inside = inside.min(kernel.time(false).0);
    }
    let rate = |time: Duration| data.data.len() as f64 / time.as_secs_f64() / 1e9;
    let share = rate(inside) / rate(engine);
    let text = format!("{share:6.2} of the engine's {:.2} GB/s inside a kernel", rate(engine));
    line("tma_stream", &text, share, 0.8);
}

struct Kernel {
    program: PtxProgram,
    memory: GlobalMemory,
    /// The first parameter's bytes.
    map: Vec<u8>,
}

impl Kernel {
    fn read(name: &str, sums: Sums) -> Kernel {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/launches");
        let text = std::fs::read_to_string(folder.join(format!("{name}.launch.toml"))).unwrap();
        let launch = LaunchFile::parse(&text).unwrap();
        let reading = tilehaul_isa::ptx::read(
            &std::fs::read_to_string(folder.join(&launch.kernel)).unwrap(),
            FileId(0),
        );
        let prepared = launch.prepare(&folder).unwrap();
        let params: Vec<Vec<u8>> = prepared.args.iter().map(|a| a.bytes.clone()).collect();
        let setup = Setup {
            entry: launch.entry.as_deref(),
            target: launch.target.as_deref(),
            params: &params,
            grid: launch.grid,
            block: launch.block,
            cluster: None,
            dynamic_shared: launch.dynamic_shared,
            sums,
        };
        let mut memory = prepared.memory.clone();
        let program = PtxProgram::new(&reading.module, &setup, &mut memory).unwrap();
        Kernel { program, memory, map: params[0].clone() }
    }

    /// How long one run takes, and its instructions.
    fn time(&self, watched: bool) -> (Duration, u64) {
        let (memory, launch) = (self.memory.clone(), self.program.launch());
        let options = Options::default();
        let start = Clock::start();
        let observer: Option<Box<dyn Observer>> = watched.then(|| {
            let channels = self.program.channels();
            let checker = Checker::new(launch, &memory, channels, self.program.counters(), options.replay);
            Box::new(checker.with_banks(Some(Chip::Nvidia))) as _
        });
        let result = run(&self.program, launch, memory, options, observer);
        assert_eq!(result.outcome, Outcome::Finished);
        (start.elapsed(), result.steps)
    }
}

/// Time that this thread ran on a core, where the system tells it: others on the machine then matter less. Runs use one
/// thread.
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
