//! Policies of the machine, seen through the tiny instruction set.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use tilehaul_machine::mini::{CopyEnd, Mem, Mini, Op, Word};
use tilehaul_machine::{
    Contents, GlobalMemory, Landing, LaneMask, Launch, Options, Outcome, POISON, Part, Phases, Replay,
    RunResult, Schedule, Stall, WaveId, Who, run,
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

/// Words that lanes found in a tile, with or without a wait for the copy that lands it.
fn found_in_tile(waited: bool, end: CopyEnd, replay: Replay) -> Vec<u8> {
    let mut memory = GlobalMemory::new();
    let a = memory.allocate("a", vec![9; 128], 256, Contents::Written);
    let c = memory.allocate("c", vec![0; 128], 256, Contents::Written);
    let mut ops = vec![
        Op::Init(512, 1),
        Op::ArriveExpect(512, 128),
        Op::Copy { from: global(a), to: shared(0), len: 128, end },
    ];
    if let CopyEnd::CounterThenWord(at) = end {
        // The bytes of the word count from 0.
        ops = vec![Op::Store(shared(at), 0), Op::Store(shared(at + 4), 0), ops[2]];
    }
    ops.push(match end {
        CopyEnd::Barrier(at) => Op::WaitPhase(at, u32::from(!waited)),
        CopyEnd::CounterThenWord(at) => Op::Await(shared(at), u32::from(waited)),
        CopyEnd::Counter => Op::WaitCopies(u32::from(!waited)),
        CopyEnd::Group => panic!("groups are of copies to device memory"),
    });
    ops.extend([Op::Load(shared(0)), Op::Keep(global(c))]);
    let mut program = Mini::new(vec![ops]);
    // One lane does all but the last two.
    for line in &mut program.waves[0][..4] {
        line.lanes = LaneMask::one(0);
    }
    let result = go(&program, 1, memory, replay);
    assert_eq!(result.outcome, Outcome::Finished, "{replay}");
    result.memory.named("c").unwrap().data.to_vec()
}

/// Each wait, and the wait of the same form that waits for nothing.
#[test]
fn a_waited_copy_is_always_there_and_an_unwaited_one_is_late_under_lazy() {
    for end in [CopyEnd::Barrier(512), CopyEnd::Counter, CopyEnd::CounterThenWord(512)] {
        for replay in replays() {
            assert_eq!(found_in_tile(true, end, replay), [9; 128], "{end:?} {replay}");
        }
        let lazy = Replay { schedule: Schedule::RoundRobin, landing: Landing::Lazy };
        assert_eq!(found_in_tile(false, end, lazy), [POISON; 128], "{end:?}");
    }
}

#[test]
fn an_announced_byte_that_never_comes_is_a_deadlock_that_says_so() {
    let ops = vec![Op::Init(512, 32), Op::ArriveExpect(512, 4), Op::WaitPhase(512, 0)];
    let mut program = Mini::new(vec![ops]);
    program.waves[0][0].lanes = LaneMask::one(0);
    let result = go(&program, 1, GlobalMemory::new(), Replay::default());
    let Outcome::Deadlock(hang) = &result.outcome else { panic!("{:?}", result.outcome) };
    let phases = Phases { completed: 0, pending: 0, expected: 32 };
    assert_eq!(hang.stuck[0].stall, Stall::BytesMissing(phases, 128));
    assert_eq!(hang.stuck[0].related, [(Mini::place(0, 1), "bytes are announced here")]);
}

/// hardware: h200 fact 82.
#[test]
fn what_a_block_has_issued_lands_after_its_end() {
    let mut memory = GlobalMemory::new();
    let c = memory.allocate("c", vec![0; 128], 256, Contents::Written);
    let store = Op::Copy { from: shared(0), to: global(c), len: 128, end: CopyEnd::Group };
    let mut program = Mini::new(vec![vec![Op::Store(shared(0), 0x0707_0707), Op::ProxyFence, store]]);
    program.waves[0][2].lanes = LaneMask::one(0);
    for replay in replays() {
        let result = go(&program, 1, memory.clone(), replay);
        assert_eq!(result.outcome, Outcome::Finished, "{replay}");
        assert_eq!(result.memory.named("c").unwrap().data[..], [7; 128], "{replay}");
    }
}

/// The blocks of a cluster meet; without their barrier some order shows the second one too early.
#[test]
fn a_cluster_barrier_holds_until_every_block_has_come() {
    let mut memory = GlobalMemory::new();
    let count = memory.allocate("count", vec![0; 128], 256, Contents::Written);
    let seen = memory.allocate("seen", vec![0; 128], 256, Contents::Written);
    let program = |meet: bool| {
        let mut ops = vec![Op::Add(global(count), 1), Op::ClusterBarrier, Op::Load(global(count))];
        // What was found is added up by no one: the least of it is what a block that came first has found.
        ops.push(Op::Keep(global(seen)));
        if !meet {
            ops.remove(1);
        }
        Mini::new(vec![ops])
    };
    let launch = Launch { cluster: [4, 1, 1], ..Launch::new([4, 1, 1], [32, 1, 1], 32) };
    let found = |meet: bool, replay| {
        let options = Options { replay, ..Options::default() };
        let result = run(&program(meet), &launch, memory.clone(), options, None);
        assert_eq!(result.outcome, Outcome::Finished, "{replay}");
        result.memory.named("seen").unwrap().data[0]
    };
    let mut early = false;
    for replay in (0..64).map(Replay::random).chain(replays()) {
        assert_eq!(found(true, replay), 4, "{replay}");
        early |= found(false, replay) < 4;
    }
    assert!(early, "the test shows nothing: all orders end alike without the barrier");
}

#[test]
fn stores_reach_memory_by_the_wait() {
    for replay in replays() {
        let mut memory = GlobalMemory::new();
        let c = memory.allocate("c", vec![0; 128], 256, Contents::Written);
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
    let c = memory.allocate("c", vec![0; 256], 256, Contents::Written);
    let waves = (0..2).map(|w| (0..40).map(|i| Op::Store(global(c), w * 100 + i)).collect()).collect();
    let program = Mini::new(waves);
    let pct = |seed| Replay { schedule: Schedule::Pct { seed, depth: 3 }, landing: Landing::Random(seed) };
    let ways: [&dyn Fn(u64) -> Replay; 2] = [&Replay::random, &pct];
    for way in ways {
        let one = |seed| go(&program, 2, memory.clone(), way(seed)).memory.named("c").unwrap().data.to_vec();
        let outcomes: Vec<_> = (0..20).map(one).collect();
        assert_eq!(outcomes, (0..20).map(one).collect::<Vec<_>>());
        assert!(outcomes.iter().any(|o| *o != outcomes[0]), "{} does not differ from seed to seed", way(1));
    }
}

/// An arrival that waited for a copy and that the barrier cannot take is the fault of who asked for it.
#[test]
fn a_late_arrival_that_dies_names_its_issuer() {
    let mut memory = GlobalMemory::new();
    let a = memory.allocate("a", vec![9; 128], 256, Contents::Written);
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
