//! Policies of the machine, seen through the tiny instruction set.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use tilehaul_machine::mini::{CopyEnd, Mem, Mini, Op, Word};
use tilehaul_machine::{
    GlobalMemory, Landing, LaneMask, Launch, Options, Outcome, Part, Replay, RunResult, Schedule, WaveId,
    Who, run, run_spread,
};

fn shared(at: u64) -> Word {
    Word { mem: Mem::Shared, at }
}

fn global(at: u64) -> Word {
    Word { mem: Mem::Global, at }
}

fn go(program: &Mini, waves: u32, memory: GlobalMemory, replay: Replay) -> RunResult {
    let launch = Launch { shared_bytes: 1024, ..Launch::new([1, 1, 1], [waves * 32, 1, 1], 32) };
    run(program, &launch, memory, Options { replay, ..Options::default() }, None)
}

fn replays() -> Vec<Replay> {
    let mut list = vec![
        Replay::default(),
        Replay { schedule: Schedule::RoundRobin, landing: Landing::Lazy },
        Replay { schedule: Schedule::Reverse, landing: Landing::Lazy },
        Replay { schedule: Schedule::Pct { seed: 1, depth: 3 }, landing: Landing::Random(5) },
    ];
    list.extend((0..16).map(Replay::random));
    list
}

fn load_tile(a: u64, wait: bool) -> Mini {
    let mut ops = vec![
        Op::Init(512, 1),
        Op::ArriveExpect(512, 128),
        Op::Copy { from: global(a), to: shared(0), len: 128, end: CopyEnd::Barrier(512) },
    ];
    if wait {
        ops.push(Op::WaitPhase(512, 0));
    }
    ops.push(Op::Load(shared(0)));
    ops.push(Op::Store(global(a), 1));
    let mut mini = Mini::new(vec![ops]);
    // One lane does the barrier's work.
    for line in &mut mini.waves[0][..3] {
        line.lanes = LaneMask::one(0);
    }
    mini
}

#[test]
fn a_waited_copy_is_always_there_and_an_unwaited_one_is_late_under_lazy() {
    for replay in replays() {
        let mut memory = GlobalMemory::new();
        let a = memory.allocate("a", vec![9; 128], 256, true);
        let result = go(&load_tile(a, true), 1, memory, replay);
        assert_eq!(result.outcome, Outcome::Finished, "{replay}");
    }
}

#[test]
fn an_announced_byte_that_never_comes_is_a_deadlock_that_says_so() {
    let program = Mini::new(vec![vec![Op::Init(512, 32), Op::ArriveExpect(512, 4), Op::WaitPhase(512, 0)]]);
    let result = go(&program, 1, GlobalMemory::new(), Replay::default());
    assert!(matches!(result.outcome, Outcome::Fault { .. } | Outcome::Deadlock(_)), "{:?}", result.outcome);
}

#[test]
fn stores_reach_memory_by_the_wait() {
    for replay in replays() {
        let mut memory = GlobalMemory::new();
        let c = memory.allocate("c", vec![0; 128], 256, true);
        let ops = vec![
            Op::Store(shared(0), 0x0101_0101),
            Op::ProxyFence,
            Op::Copy { from: shared(0), to: global(c), len: 128, end: CopyEnd::Group },
            Op::Commit,
            Op::WaitGroup(0, Part::Source),
            Op::Store(shared(0), 7),
            Op::WaitGroup(0, Part::All),
        ];
        let mut mini = Mini::new(vec![ops]);
        for line in &mut mini.waves[0][2..5] {
            line.lanes = LaneMask::one(0);
        }
        mini.waves[0][6].lanes = LaneMask::one(0);
        let result = go(&mini, 1, memory, replay);
        assert_eq!(result.outcome, Outcome::Finished, "{replay}");
        assert!(result.memory.named("c").unwrap().data.iter().all(|&b| b == 1), "{replay}");
    }
}

#[test]
fn every_run_repeats() {
    let mut memory = GlobalMemory::new();
    let c = memory.allocate("c", vec![0; 256], 256, true);
    let waves = (0..2).map(|w| (0..40).map(|i| Op::Store(global(c), w * 100 + i)).collect()).collect();
    let program = Mini::new(waves);
    let one =
        |seed| go(&program, 2, memory.clone(), Replay::random(seed)).memory.named("c").unwrap().data.clone();
    let outcomes: Vec<_> = (0..20).map(one).collect();
    assert_eq!(outcomes, (0..20).map(one).collect::<Vec<_>>());
    assert!(outcomes.iter().any(|o| *o != outcomes[0]), "random schedules do not differ");
}

/// Blocks that write the same words depend on their order, which then is that of [`run`], whatever the number of cores.
#[test]
fn blocks_that_share_words_take_turns() {
    let mut memory = GlobalMemory::new();
    let a = memory.allocate("a", vec![0; 128], 256, true);
    let program =
        Mini::new(vec![vec![Op::Store(global(a), 1), Op::Load(global(a)), Op::Store(global(a), 2)]]);
    let launch = Launch::new([4, 1, 1], [32, 1, 1], 32);
    let turns = run(&program, &launch, memory.clone(), Options::default(), None);
    for cores in 1..4 {
        let spread = run_spread(&program, &launch, memory.clone(), Options::default(), cores);
        assert_eq!((spread.outcome, spread.steps), (Outcome::Finished, turns.steps));
        assert_eq!(spread.memory.allocations(), turns.memory.allocations());
    }
}

/// An arrival that waited for a copy and that the barrier cannot take is the fault of who asked for it.
#[test]
fn a_late_arrival_that_dies_names_its_issuer() {
    let mut memory = GlobalMemory::new();
    let a = memory.allocate("a", vec![9; 128], 256, true);
    let copy = Op::Copy { from: global(a), to: shared(0), len: 128, end: CopyEnd::Counter };
    let other = vec![Op::Load(global(a)); 40];
    let issuer = vec![Op::Init(512, 1), copy, Op::ArriveWhenCopied(512, 2), Op::Load(global(a))];
    let mut program = Mini::new(vec![other, issuer]);
    for line in &mut program.waves[1][..3] {
        line.lanes = LaneMask::one(3);
    }
    for replay in replays() {
        let result = go(&program, 2, memory.clone(), replay);
        let Outcome::Fault { who, diagnostic } = &result.outcome else {
            panic!("{replay}: {:?}", result.outcome)
        };
        assert_eq!(diagnostic.code.0, "barrier-over-arrival", "{replay}");
        let issuer = Who { wave: WaveId(1), lanes: LaneMask::one(3), place: Mini::place(1, 2) };
        assert_eq!(*who, issuer, "{replay}");
    }
}
