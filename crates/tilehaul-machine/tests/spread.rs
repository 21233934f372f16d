//! Clusters spread over cores against all waves taking turns: the result must be the same.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use proptest::prelude::*;
use tilehaul_machine::mini::{CopyEnd, Mem, Mini, Op, Word};
use tilehaul_machine::{Contents, GlobalMemory, LaneMask, Launch, Options, Outcome, run, run_spread};

fn global(at: u64) -> Word {
    Word { mem: Mem::Global, at }
}

/// Blocks that write the same words depend on their order, which then is that of [`run`], whatever the number of cores.
#[test]
fn blocks_that_share_words_take_turns() {
    let mut memory = GlobalMemory::new();
    let a = memory.allocate("a", vec![0; 128], 256, Contents::Written);
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

/// Address of the only buffer: the first allocation of a memory.
fn memory() -> (GlobalMemory, u64) {
    let mut memory = GlobalMemory::new();
    let a = memory.allocate("a", (0..=255).collect(), 256, Contents::Written);
    (memory, a)
}

/// Loads, stores, sums, copies and barriers in a few words of device and shared memory, each by all lanes or by one.
fn op() -> impl Strategy<Value = (Op, bool)> {
    let a = memory().1;
    let word = (any::<bool>(), 0..4u64).prop_map(move |(device, n)| {
        if device { global(a + n * 32) } else { Word { mem: Mem::Shared, at: n * 32 } }
    });
    let tile = Word { mem: Mem::Shared, at: 0 };
    let op = prop_oneof![
        word.clone().prop_map(Op::Load),
        word.clone().prop_map(Op::Keep),
        (word.clone(), any::<u32>()).prop_map(|(word, value)| Op::Store(word, value)),
        (word, 1..5u32).prop_map(|(word, value)| Op::Add(word, value)),
        (0..4u64).prop_map(move |n| Op::Copy {
            from: global(a + n * 32),
            to: tile,
            len: 64,
            end: CopyEnd::Counter
        }),
        (0..4u64).prop_map(move |n| Op::Copy {
            from: tile,
            to: global(a + n * 32),
            len: 64,
            end: CopyEnd::Counter
        }),
        Just(Op::WaitCopies(0)),
        Just(Op::Barrier),
        Just(Op::Fence),
    ];
    (op, any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_number_of_cores_gives_the_result_of_one(
        ops in proptest::collection::vec(op(), 0..8),
        blocks in 1..9u32,
        cores in 2..5usize,
    ) {
        let mut program = Mini::new(vec![ops.iter().map(|o| o.0).collect()]);
        for (line, (op, all)) in program.waves[0].iter_mut().zip(&ops) {
            if !all && *op != Op::Barrier {
                line.lanes = LaneMask::one(0);
            }
        }
        let launch = Launch { shared_bytes: 512, ..Launch::new([blocks, 1, 1], [32, 1, 1], 32) };
        let turns = run(&program, &launch, memory().0, Options::default(), None);
        let spread = run_spread(&program, &launch, memory().0, Options::default(), cores);
        prop_assert_eq!(&spread.outcome, &turns.outcome);
        prop_assert_eq!(spread.steps, turns.steps);
        prop_assert_eq!(spread.memory.allocations(), turns.memory.allocations());
    }
}
