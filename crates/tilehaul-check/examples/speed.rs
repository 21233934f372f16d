//! Speed of the machine alone and with the checker, on memory instructions of 32 lanes: the worst case for both.
//!
//! `cargo run --release -p tilehaul-check --example speed`

#![expect(clippy::print_stdout, reason = "a program that prints its measurement")]

use std::time::Instant;

use tilehaul_check::Checker;
use tilehaul_machine::mini::{CHANNELS, COUNTERS, Mem, Mini, Op, Word};
use tilehaul_machine::{Contents, GlobalMemory, Launch, Observer, Options, Replay, run};

fn main() {
    let mut memory = GlobalMemory::new();
    let a = memory.allocate("a", vec![1; 1 << 16], 256, Contents::Written);
    let tile = |i: u64| Word { mem: Mem::Shared, at: i * 128 };
    let wave = |w: u64| {
        let mut ops = Vec::new();
        for i in 0..20_000 {
            ops.push(Op::Store(tile(i % 16 + w * 16), i as u32));
            ops.push(Op::Load(tile(i % 16 + w * 16)));
            ops.push(Op::Load(Word { mem: Mem::Global, at: a + i % 256 * 128 }));
            if i % 16 == 0 {
                ops.push(Op::Barrier);
            }
        }
        ops
    };
    let launch = Launch { shared_bytes: 1 << 16, ..Launch::new([8, 1, 1], [128, 1, 1], 32) };
    // Each wave keeps to its own part of shared memory, so that there is nothing to report.
    let program = Mini::new((0..4).map(wave).collect());
    let only = std::env::args().nth(1);
    for checked in [false, true] {
        if only.as_deref().is_some_and(|o| (o == "on") != checked) {
            continue;
        }
        let checker = Checker::new(&launch, &memory, &CHANNELS, &COUNTERS, Replay::default());
        let observer: Option<Box<dyn Observer>> = checked.then(|| Box::new(checker) as _);
        let start = Instant::now();
        let result = run(&program, &launch, memory.clone(), Options::default(), observer);
        let time = start.elapsed().as_secs_f64();
        println!(
            "checks {}: {:.1} M wave instructions a second ({:?})",
            if checked { "on" } else { "off" },
            result.steps as f64 / time / 1e6,
            result.outcome
        );
    }
}
