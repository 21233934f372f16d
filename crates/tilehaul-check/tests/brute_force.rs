//! The detector against a brute-force enumeration, in both directions.
//!
//! A program is racy when some reachable state lets two actors take conflicting steps on data bytes next: two waves, a
//! wave and a piece of a copy, or two pieces. The enumeration of all interleavings and landings decides that without any
//! clock. The detector must report a race in the same programs, and in no other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use tilehaul_check::{Bounds, CheckReport, Explore, explore};
use tilehaul_machine::mini::{CopyEnd, Line, Mem, Mini, Op, Word};
use tilehaul_machine::{
    Contents, Deed, Footprint, GlobalMemory, LaneMask, Launch, Options, Outcome, Part, Replay, Sleeper,
    Space, Tree, run,
};

/// Data lies below this in shared memory, barriers above.
const BARRIERS: u64 = 512;
/// Flags lie from here on in the buffer.
const FLAGS: u64 = 512;
const PROGRAMS: u64 = 1_800;
/// Most runs of one program: those that need more are left out, which most that need 200 do.
const RUNS: u32 = 200;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn memory() -> GlobalMemory {
    let mut memory = GlobalMemory::new();
    memory.allocate("a", vec![1; 1024], 256, Contents::Written);
    memory
}

fn shared(at: u64) -> Word {
    Word { mem: Mem::Shared, at }
}

fn global(offset: u64) -> Word {
    Word { mem: Mem::Global, at: memory().allocations()[0].base + offset }
}

fn all(op: Op) -> Line {
    Line { lanes: LaneMask::first(32), op }
}

fn one(op: Op) -> Line {
    Line { lanes: LaneMask::one(0), op }
}

/// A right program of one of a few families, then a few random changes.
fn program(dice: &mut Dice) -> Mini {
    let tile = |dice: &mut Dice| dice.roll(3) * 4;
    let load = |end| Op::Copy { from: global(0), to: shared(0), len: 8, end };
    let store = |end| Op::Copy { from: shared(0), to: global(64), len: 8, end };
    let full = BARRIERS;
    let mut waves = match dice.roll(6) {
        0 => vec![
            vec![
                one(Op::Init(full, 1)),
                all(Op::Barrier),
                one(Op::ArriveExpect(full, 8)),
                one(load(CopyEnd::Barrier(full))),
                all(Op::WaitPhase(full, 0)),
                one(Op::Load(shared(tile(dice)))),
            ],
            vec![
                all(Op::Barrier),
                all(Op::WaitPhase(full, 0)),
                one(Op::Load(shared(tile(dice)))),
                one(Op::Store(shared(12), 5)),
            ],
        ],
        1 => vec![
            vec![
                one(Op::Store(shared(0), 3)),
                one(Op::Store(shared(4), 4)),
                all(Op::Barrier),
                one(store(CopyEnd::Group)),
                one(Op::Commit),
                one(Op::WaitGroup(0, Part::Source)),
                all(Op::Barrier),
                one(Op::WaitGroup(0, Part::All)),
                one(Op::Load(global(64))),
            ],
            vec![all(Op::Barrier), all(Op::Barrier), one(Op::Store(shared(tile(dice)), 9))],
        ],
        2 => vec![
            vec![
                all(load(CopyEnd::Counter)),
                all(Op::Copy { from: global(16), to: shared(16), len: 8, end: CopyEnd::Counter }),
                all(Op::WaitCopies(1)),
                one(Op::Load(shared(tile(dice)))),
                all(Op::WaitCopies(0)),
                all(Op::Barrier),
            ],
            vec![all(Op::Barrier), one(Op::Load(shared(16))), one(Op::Store(shared(tile(dice)), 2))],
        ],
        3 => vec![
            vec![one(Op::Store(shared(0), 1)), one(Op::Release(global(FLAGS), 7)), one(Op::Load(shared(4)))],
            vec![
                one(Op::Await(global(FLAGS), 7)),
                one(Op::Load(shared(tile(dice)))),
                one(Op::Store(shared(8), 1)),
            ],
        ],
        4 => vec![
            vec![one(Op::Store(shared(0), 1)), all(Op::Barrier), one(Op::Load(shared(4))), all(Op::Barrier)],
            vec![
                one(Op::Store(shared(4), 1)),
                all(Op::Barrier),
                one(Op::Load(shared(0))),
                all(Op::Barrier),
                one(Op::Store(shared(tile(dice)), 2)),
            ],
        ],
        _ => vec![
            vec![
                one(Op::Init(full, 1)),
                one(Op::Init(full + 8, 1)),
                all(Op::Barrier),
                one(Op::ArriveExpect(full, 8)),
                one(load(CopyEnd::Barrier(full))),
                all(Op::WaitPhase(full + 8, 0)),
                one(Op::ArriveExpect(full, 8)),
                one(load(CopyEnd::Barrier(full))),
            ],
            vec![
                all(Op::Barrier),
                all(Op::WaitPhase(full, 0)),
                one(Op::Load(shared(tile(dice)))),
                one(Op::Arrive(full + 8)),
                all(Op::WaitPhase(full, 1)),
                one(Op::Load(shared(0))),
            ],
        ],
    };
    for _ in 0..dice.roll(4) {
        let w = dice.roll(waves.len() as u64) as usize;
        let n = waves[w].len() as u64;
        if n == 0 {
            continue;
        }
        let i = dice.roll(n) as usize;
        match dice.roll(6) {
            0 => {
                waves[w].remove(i);
            }
            1 if i + 1 < waves[w].len() => waves[w].swap(i, i + 1),
            2 => waves[w].insert(i, one(Op::Load(shared(tile(dice))))),
            3 => waves[w].insert(i, one(Op::Store(shared(tile(dice)), dice.roll(90) as u32))),
            4 => match &mut waves[w][i].op {
                Op::WaitCopies(n) | Op::WaitGroup(n, _) => *n += 1,
                Op::WaitPhase(_, parity) => *parity ^= 1,
                Op::Load(word) | Op::Store(word, _) => word.at ^= 4,
                _ => {}
            },
            _ => {
                let line = waves[w].remove(i);
                let at = dice.roll(waves[w].len() as u64 + 1) as usize;
                waves[w].insert(at, line);
            }
        }
    }
    // Values that differ: a store of what is there already is no race that anybody could see.
    for (w, wave) in waves.iter_mut().enumerate() {
        for (i, line) in wave.iter_mut().enumerate() {
            if let Op::Store(_, value) = &mut line.op {
                *value = (1000 + w * 100 + i) as u32;
            }
        }
    }
    // One path to memory: proxy fences are a matter of the text, not of interleavings.
    Mini { waves, copies_async: false }
}

fn launch() -> Launch {
    Launch { shared_bytes: 1024, ..Launch::new([1, 1, 1], [64, 1, 1], 32) }
}

fn is_data(f: &Footprint) -> bool {
    let flags = global(FLAGS).at;
    // What a wait makes a copy do, the copy could have done before: that step was looked at by itself.
    if f.forced {
        return false;
    }
    let Deed::Bytes { space, start, .. } = f.deed else { return false };
    match space {
        Space::Shared(_) => start < BARRIERS,
        Space::Global => start < flags,
        Space::Tensor(_) => false,
    }
}

/// Whether two actors can be about to touch the same data; none when the enumeration did not end within its bound.
fn racy(program: &Mini) -> Option<bool> {
    let base = Options { decision_limit: 200, ..Options::default() };
    let mut tree = Tree::new();
    let mut racy = false;
    for _ in 0..RUNS {
        let Some(options) = tree.next(&base) else { return Some(racy) };
        let result = run(program, &launch(), memory(), options, None);
        assert!(!matches!(result.outcome, Outcome::Unsupported { .. }));
        tree.ran(result.decisions, |steps| racy |= conflict(steps));
        if racy {
            return Some(true);
        }
    }
    None
}

/// Whether two of the steps that could be taken in one state touch the same data.
fn conflict(steps: &[Sleeper]) -> bool {
    steps.iter().enumerate().any(|(i, a)| {
        let data = || a.footprint.iter().filter(|f| is_data(f));
        steps[i + 1..]
            .iter()
            .any(|b| data().any(|x| b.footprint.iter().any(|y| is_data(y) && x.conflicts(y))))
    })
}

/// Every way in which a program can end, by all interleavings or by those that differ, and the number of runs; none when the
/// bound was met.
fn endings(program: &Mini, mut tree: Tree) -> Option<(BTreeSet<String>, u32)> {
    let base = Options { decision_limit: 200, ..Options::default() };
    let mut endings = BTreeSet::new();
    for _ in 0..RUNS {
        let Some(options) = tree.next(&base) else { return Some((endings, tree.runs())) };
        let result = run(program, &launch(), memory(), options, None);
        assert_eq!(result.left_open, None);
        let ending = match &result.outcome {
            Outcome::Pruned => None,
            Outcome::Finished => Some(format!("finished: {:?}", result.memory.allocations()[0].data)),
            Outcome::Deadlock(hang) => {
                let mut at: Vec<String> =
                    hang.stuck.iter().map(|s| format!("{} {:?}", s.wave, s.waits)).collect();
                at.sort();
                Some(format!("hung: {at:?}"))
            }
            Outcome::Fault { diagnostic, .. } => Some(format!("died: {}", diagnostic.code)),
            other => panic!("{other:?}"),
        };
        endings.extend(ending);
        tree.ran(result.decisions, |_| {});
    }
    None
}

#[test]
fn orders_that_differ_show_every_ending() {
    let mut dice = Dice(7);
    let (mut compared, mut by_one_run) = (0, 0);
    for _ in 0..PROGRAMS {
        let program = program(&mut dice);
        let Some((all, _)) = endings(&program, Tree::new()) else { continue };
        let Some((reduced, runs)) = endings(&program, Tree::reduced(&launch())) else {
            panic!("the orders that differ are more than all: {program:?}")
        };
        compared += 1;
        by_one_run += u32::from(runs == 1 && reduced.iter().all(|e| e.starts_with("finished")));
        // What goes wrong ends an exploration: all the rest is seen only where nothing does.
        let wrong = |endings: &BTreeSet<String>| endings.iter().any(|e| !e.starts_with("finished"));
        if wrong(&all) {
            assert!(wrong(&reduced), "{program:?}");
        } else {
            assert_eq!(reduced, all, "{program:?}");
        }
    }
    println!("{compared} programs compared, {by_one_run} of them proven by one run");
    assert!(compared >= 500 && by_one_run >= 150);
}

/// An exploration without a bound that matters here.
fn everything() -> Explore {
    let bounds = Bounds { runs: RUNS, ..Bounds::default() };
    Explore { runs: Vec::new(), exhaustive: Some(bounds), ..Explore::seeds(0) }
}

#[test]
fn findings_of_an_exploration_come_back_from_their_own_line() {
    let mut dice = Dice(11);
    let mut replayed = 0;
    for _ in 0..300 {
        let program = program(&mut dice);
        let quiet = &mut |_: &_, _: &_| Vec::new();
        let report = explore(&program, &launch(), &memory, &everything(), quiet);
        for finding in report.findings {
            let again = explore(&program, &launch(), &memory, &Explore::only(finding.replay), quiet);
            assert!(again.findings.iter().any(|f| f.code == finding.code), "{} {program:?}", finding.replay);
            replayed += u32::from(finding.replay != Replay::exhaustive(1));
        }
    }
    println!("{replayed} findings of later runs replayed");
    assert!(replayed >= 20);
    let program = program(&mut dice);
    let report =
        explore(&program, &launch(), &memory, &Explore::only(Replay::exhaustive(u32::MAX)), &mut |_, _| {
            Vec::new()
        });
    assert_eq!(report.findings[0].code.0, "replay-does-not-fit");
}

/// A wave that gives up after some polls hangs for nobody, and no exploration covers how often it polls.
#[test]
fn polls_that_are_counted_are_no_hang_and_prove_nothing() {
    for (tries, told) in [(2, true), (50, true), (2, false), (50, false)] {
        let teller =
            if told { vec![one(Op::Release(global(FLAGS), 7))] } else { vec![one(Op::Load(shared(0)))] };
        let waiter = vec![one(Op::AwaitFor(global(FLAGS), 7, tries)), one(Op::Store(shared(8), 1))];
        let program = Mini { waves: vec![waiter, teller], copies_async: false };
        let report = explore(&program, &launch(), &memory, &everything(), &mut |_, _| Vec::new());
        assert!(report.findings.iter().all(|f| f.code.0 != "deadlock"), "{tries}: {:?}", report.findings);
        let exhausted = report.exhausted.unwrap();
        assert!(tries == 2 || !exhausted.complete, "{tries} {exhausted:?}");
        assert_eq!(exhausted.complete, report.not_checked.is_empty());
    }
}

/// A flag that never comes hangs, whatever the waiting loop reads meanwhile.
#[test]
fn a_flag_that_nobody_raises_is_a_hang() {
    let program = Mini {
        waves: vec![vec![one(Op::Await(global(FLAGS), 7))], vec![one(Op::Release(global(FLAGS), 6))]],
        copies_async: false,
    };
    let report = explore(&program, &launch(), &memory, &everything(), &mut |_, _| Vec::new());
    assert_eq!(report.findings[0].code.0, "deadlock");
    assert!(report.exhausted.unwrap().complete);
}

/// A store between an arrival and the copy of its phase: the phase never ends before the store, yet whoever waits for it knows
/// the copy only, not what its issuer did before (PTX ISA, complete_tx). By the rules a race, by interleavings none.
fn stores_before_its_copy(program: &Mini) -> bool {
    program.waves.iter().any(|wave| {
        let mut stored = false;
        wave.iter().any(|line| match line.op {
            Op::ArriveExpect(..) => {
                stored = false;
                false
            }
            Op::Store(..) => {
                stored = true;
                false
            }
            Op::Copy { end: CopyEnd::Barrier(_), .. } => stored,
            _ => false,
        })
    })
}

fn detected(report: &CheckReport) -> bool {
    const RACES: [&str; 11] = [
        "read-before-landing",
        "overwrite-before-landing",
        "source-reused-early",
        "refill-before-read",
        "source-not-ready",
        "data-race",
        "scope-too-narrow",
        "access-still-pending",
        "wait-count-too-high",
        "wait-on-wrong-counter",
        "barrier-missing-after-wait",
    ];
    report.findings.iter().any(|f| RACES.contains(&f.code.0))
}

#[test]
fn detector_and_enumeration_agree() {
    let mut dice = Dice(20_261_130);
    let (mut compared, mut racy_programs) = (0, 0);
    let mut wrong: BTreeMap<bool, Vec<(Mini, Vec<&'static str>)>> = BTreeMap::new();
    for _ in 0..PROGRAMS {
        let program = program(&mut dice);
        if stores_before_its_copy(&program) {
            continue;
        }
        let Some(truth) = racy(&program) else { continue };
        let report = explore(&program, &launch(), &memory, &Explore::default(), &mut |_, _| Vec::new());
        compared += 1;
        racy_programs += u32::from(truth);
        if detected(&report) != truth {
            let codes = report.findings.iter().map(|f| f.code.0).collect();
            wrong.entry(truth).or_default().push((program, codes));
        }
    }
    println!("{compared} programs compared, {racy_programs} of them racy");
    let show = |list: Option<&Vec<(Mini, Vec<&str>)>>| {
        let mut text = format!("{} programs\n", list.map_or(0, Vec::len));
        for (program, codes) in list.into_iter().flatten().take(4) {
            text += &format!("{codes:?}\n");
            for (w, wave) in program.waves.iter().enumerate() {
                for line in wave {
                    text += &format!("  wave {w} {}: {:?}\n", line.lanes, line.op);
                }
            }
        }
        text
    };
    assert!(wrong.is_empty(), "missed: {}\nfalse: {}", show(wrong.get(&true)), show(wrong.get(&false)));
    assert!(compared >= 500 && racy_programs >= 100 && compared - racy_programs >= 100);
}

/// Copies that are waited for, by two waves that have nothing to do with each other: there is one order.
#[test]
fn steps_that_have_nothing_to_do_with_each_other_need_one_run() {
    let wave = |base: u64| {
        let (from, to, back) = (global(base), shared(base), global(64 + base));
        vec![
            one(Op::Copy { from, to, len: 8, end: CopyEnd::Counter }),
            all(Op::WaitCopies(0)),
            one(Op::Copy { from: to, to: back, len: 8, end: CopyEnd::Counter }),
            all(Op::Barrier),
            all(Op::WaitCopies(0)),
        ]
    };
    let program = Mini { waves: vec![wave(0), wave(16)], copies_async: false };
    let mut tree = Tree::reduced(&launch());
    let mut runs = 0;
    while let Some(options) = tree.next(&Options::default()) {
        let result = run(&program, &launch(), memory(), options, None);
        assert_eq!(result.outcome, Outcome::Finished);
        tree.ran(result.decisions, |_| {});
        runs += 1;
        assert!(runs < 10);
    }
    assert_eq!(runs, 1);
}
