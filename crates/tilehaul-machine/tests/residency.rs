//! Which blocks are resident, and what happens when they wait for others.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use tilehaul_machine::mini::{Mem, Mini, Op, Word};
use tilehaul_machine::{
    Bound, Chip, Contents, GlobalMemory, LaneMask, Launch, NotStarted, Options, Outcome, Replay, Schedule,
    run,
};

/// Every block counts itself and waits until all have.
fn grid_barrier(blocks: u32, holds: Option<u32>, resident: Option<u32>, replay: Replay) -> Outcome {
    let mut memory = GlobalMemory::new();
    let at = memory.allocate("count", vec![0; 128], 256, Contents::Written);
    let word = Word { mem: Mem::Global, at };
    let mut program = Mini::new(vec![vec![Op::Add(word, 1), Op::Await(word, blocks)]]);
    for line in &mut program.waves[0] {
        line.lanes = LaneMask::one(0);
    }
    let launch = Launch { holds, ..Launch::new([blocks, 1, 1], [1, 1, 1], 32) };
    run(&program, &launch, memory, Options { replay, resident, ..Options::default() }, None).outcome
}

fn replays() -> Vec<Replay> {
    let mut list = vec![
        Replay::default(),
        Replay { schedule: Schedule::Reverse, ..Replay::default() },
        Replay { schedule: Schedule::Pct { seed: 2, depth: 3 }, ..Replay::default() },
    ];
    list.extend((0..4).map(Replay::random));
    list
}

fn left(outcome: &Outcome) -> Option<NotStarted> {
    match outcome {
        Outcome::Deadlock(hang) => hang.not_started,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_barrier_of_a_grid_that_fits_ends() {
    for replay in replays() {
        assert_eq!(grid_barrier(40, Some(40), None, replay), Outcome::Finished, "{replay}");
        assert_eq!(grid_barrier(40, None, None, replay), Outcome::Finished, "{replay}");
    }
}

#[test]
fn a_grid_that_the_chip_does_not_hold_hangs_and_says_so() {
    for replay in replays() {
        let outcome = grid_barrier(40, Some(8), None, replay);
        let want = NotStarted { blocks: 32, of: 40, resident: 8, bound: Bound::Chip };
        assert_eq!(left(&outcome), Some(want), "{replay}");
        let note = outcome.diagnostic().unwrap().notes.pop().unwrap();
        assert!(note.starts_with("32 of the grid's 40 blocks had not started"), "{note}");
    }
}

#[test]
fn what_was_asked_for_goes_before_what_the_chip_holds() {
    let replay = Replay::default();
    assert_eq!(grid_barrier(40, Some(8), Some(40), replay), Outcome::Finished);
    let want = NotStarted { blocks: 35, of: 40, resident: 5, bound: Bound::Asked };
    assert_eq!(left(&grid_barrier(40, Some(40), Some(5), replay)), Some(want));
}

/// A bound of the machine's own proves nothing about a device.
#[test]
fn without_a_chip_it_is_not_known_whether_it_hangs() {
    let outcome = grid_barrier(1500, None, None, Replay::default());
    let Outcome::Unsupported { diagnostic, .. } = &outcome else { panic!("{outcome:?}") };
    assert_eq!(diagnostic.code.0, "too-many-resident-blocks");
    assert!(diagnostic.message.contains("476 of the grid's 1500 blocks had not started"), "{diagnostic:?}");
    assert_eq!(grid_barrier(1500, None, Some(1500), Replay::default()), Outcome::Finished);
}

/// A wait that no other block could end is a deadlock however many have not started.
#[test]
fn a_hang_inside_a_block_is_no_matter_of_residency() {
    let mut program = Mini::new(vec![vec![Op::Init(0, 1), Op::WaitPhase(0, 0)]]);
    program.waves[0][0].lanes = LaneMask::one(0);
    let launch = Launch { shared_bytes: 64, ..Launch::new([1500, 1, 1], [32, 1, 1], 32) };
    let outcome = run(&program, &launch, GlobalMemory::new(), Options::default(), None).outcome;
    assert_eq!(left(&outcome), None);
}

/// A cluster starts whole or not at all.
#[test]
fn clusters_are_let_in_whole() {
    let mut memory = GlobalMemory::new();
    let at = memory.allocate("count", vec![0; 128], 256, Contents::Written);
    let word = Word { mem: Mem::Global, at };
    let mut program = Mini::new(vec![vec![Op::Add(word, 1), Op::Await(word, 12)]]);
    for line in &mut program.waves[0] {
        line.lanes = LaneMask::one(0);
    }
    let launch = Launch { cluster: [4, 1, 1], holds: Some(10), ..Launch::new([12, 1, 1], [1, 1, 1], 32) };
    let outcome = run(&program, &launch, memory, Options::default(), None).outcome;
    let want = NotStarted { blocks: 4, of: 12, resident: 8, bound: Bound::Chip };
    assert_eq!(left(&outcome), Some(want));
}

#[test]
fn a_chip_holds_what_its_scarcest_part_allows() {
    let chip = Chip { processors: 132, waves: 64, blocks: 32, shared_bytes: 228 << 10, reserved_bytes: 1024 };
    let holds = |threads, shared_bytes| {
        chip.holds(&Launch { shared_bytes, ..Launch::new([1, 1, 1], [threads, 1, 1], 32) })
    };
    assert_eq!(holds(1, 0), 132 * 32);
    assert_eq!(holds(1024, 0), 132 * 2);
    assert_eq!(holds(96, 0), 132 * 21);
    assert_eq!(holds(128, 200_000), 132);
    assert_eq!(holds(128, 113 << 10), 132 * 2);
}
