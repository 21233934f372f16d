//! One small program for each hazard, and its mended twin: the first must give exactly this code, the second nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use tilehaul_check::{CheckReport, Explore, Verdict, explore};
use tilehaul_diag::Level;
use tilehaul_machine::mini::{CopyEnd, Line, Mem, Mini, Op, Word};
use tilehaul_machine::{
    Contents, GlobalMemory, Landing, LaneMask, Launch, Order, Part, Replay, Schedule, Scope,
};

const BAR: u64 = 512;
const TILE: Word = Word { mem: Mem::Shared, at: 0 };

/// Address of the only buffer: the first allocation of a memory.
fn a() -> u64 {
    memory().allocations()[0].base
}

fn memory() -> GlobalMemory {
    let mut memory = GlobalMemory::new();
    memory.allocate("a", vec![1; 1024], 256, Contents::Written);
    memory
}

fn global(offset: u64) -> Word {
    Word { mem: Mem::Global, at: a() + offset }
}

fn all(op: Op) -> Line {
    Line { lanes: LaneMask::first(64), op }
}

fn one(op: Op) -> Line {
    Line { lanes: LaneMask::one(0), op }
}

fn check(waves: Vec<Vec<Line>>, lockstep: bool) -> CheckReport {
    let threads = waves.len() as u32 * 32;
    let launch = Launch { shared_bytes: 1024, lockstep, ..Launch::new([1, 1, 1], [threads, 1, 1], 32) };
    let program = Mini { waves, copies_async: !lockstep };
    explore(&program, &launch, &memory, &Explore::default(), &mut |_, _| Vec::new())
}

fn codes(report: &CheckReport) -> BTreeSet<&'static str> {
    report.findings.iter().map(|f| f.code.0).collect()
}

fn hints(report: &CheckReport) -> BTreeSet<&'static str> {
    report.hints.iter().map(|f| f.code.0).collect()
}

/// The buggy program gives exactly these findings; without the lines at `fix` changed it gives none.
fn twin(bug: Vec<Vec<Line>>, fixed: Vec<Vec<Line>>, lockstep: bool, want: &[&'static str]) {
    let report = check(bug, lockstep);
    assert_eq!(report.verdict, Verdict::Findings, "{report:#?}");
    assert_eq!(codes(&report), want.iter().copied().collect(), "{report:#?}");
    for finding in &report.findings {
        assert!(finding.fix.is_some() && finding.message.len() > 20, "{finding:#?}");
    }
    let report = check(fixed, lockstep);
    assert_eq!(report.verdict, Verdict::Clean, "{report:#?}");
}

fn load(end: CopyEnd) -> Op {
    Op::Copy { from: global(0), to: TILE, len: 128, end }
}

fn store(end: CopyEnd) -> Op {
    Op::Copy { from: TILE, to: global(0), len: 128, end }
}

#[test]
fn a_read_before_the_load_landed() {
    let program = |parity| {
        vec![vec![
            one(Op::Init(BAR, 1)),
            one(Op::ArriveExpect(BAR, 128)),
            one(load(CopyEnd::Barrier(BAR))),
            all(Op::LanesMeet),
            all(Op::WaitPhase(BAR, parity)),
            all(Op::Load(TILE)),
            all(Op::WaitPhase(BAR, 0)),
        ]]
    };
    // Where the copy is quick the wrong parity hangs instead.
    twin(program(1), program(0), false, &["deadlock", "read-before-landing"]);
    let report = check(program(1), false);
    let race = report.findings.iter().find(|f| f.code.0 == "read-before-landing").unwrap();
    assert!(race.notes[0].contains("fresh barrier"), "{report:#?}");
}

#[test]
fn only_the_elected_lane_waits() {
    let program = |meet: bool| {
        let mut ops = vec![
            one(Op::Init(BAR, 1)),
            one(Op::ArriveExpect(BAR, 128)),
            one(load(CopyEnd::Barrier(BAR))),
            one(Op::WaitPhase(BAR, 0)),
        ];
        if meet {
            ops.push(all(Op::LanesMeet));
        }
        ops.push(all(Op::Load(TILE)));
        vec![ops]
    };
    twin(program(false), program(true), false, &["read-before-landing"]);
}

#[test]
fn bytes_that_were_never_announced() {
    let program = |arrive| {
        vec![vec![
            one(Op::Init(BAR, 1)),
            one(arrive),
            one(load(CopyEnd::Barrier(BAR))),
            all(Op::LanesMeet),
            all(Op::WaitPhase(BAR, 0)),
            all(Op::Load(TILE)),
        ]]
    };
    let want = ["read-before-landing", "transaction-bytes-unannounced"];
    twin(program(Op::Arrive(BAR)), program(Op::ArriveExpect(BAR, 128)), false, &want);
}

#[test]
fn a_source_is_reused_before_the_store_has_read_it() {
    let program = |wait: bool| {
        let mut ops = vec![
            all(Op::Store(TILE, 1)),
            all(Op::ProxyFence),
            all(Op::Barrier),
            one(store(CopyEnd::Group)),
            one(Op::Commit),
        ];
        if wait {
            ops.push(one(Op::WaitGroup(0, Part::Source)));
        }
        ops.extend([all(Op::Barrier), all(Op::Store(TILE, 2)), one(Op::WaitGroup(0, Part::All))]);
        vec![ops]
    };
    twin(program(false), program(true), false, &["source-reused-early"]);
}

#[test]
fn a_store_without_a_proxy_fence() {
    let program = |fence: bool| {
        let mut ops = vec![all(Op::Store(TILE, 1))];
        if fence {
            ops.push(all(Op::ProxyFence));
        }
        ops.extend([
            all(Op::Barrier),
            one(store(CopyEnd::Group)),
            one(Op::Commit),
            one(Op::WaitGroup(0, Part::Source)),
        ]);
        vec![ops]
    };
    twin(program(false), program(true), false, &["proxy-fence-missing"]);
    // On the reading side alone it counts as well (DESIGN: a fence anywhere on the path).
    let mut late = program(false);
    late[0].insert(2, one(Op::ProxyFence));
    assert_eq!(check(late, false).verdict, Verdict::Clean);
}

#[test]
fn a_store_whose_source_another_wave_still_writes() {
    let program = |barrier: bool| {
        let mut first = vec![all(Op::Store(TILE, 1)), all(Op::ProxyFence)];
        let mut second = Vec::new();
        if barrier {
            first.push(all(Op::Barrier));
            second.push(all(Op::Barrier));
        }
        second.extend([one(store(CopyEnd::Group)), one(Op::Commit), one(Op::WaitGroup(0, Part::Source))]);
        vec![first, second]
    };
    let report = check(program(false), false);
    assert!(codes(&report).contains("source-not-ready"), "{report:#?}");
    assert_eq!(check(program(true), false).verdict, Verdict::Clean);
}

#[test]
fn a_refill_before_the_other_wave_has_read() {
    let program = |barrier: bool| {
        let mut producer = vec![
            one(Op::Init(BAR, 1)),
            all(Op::Barrier),
            one(Op::ArriveExpect(BAR, 128)),
            one(load(CopyEnd::Barrier(BAR))),
            all(Op::WaitPhase(BAR, 0)),
        ];
        let mut consumer = vec![all(Op::Barrier), all(Op::WaitPhase(BAR, 0)), all(Op::Load(TILE))];
        if barrier {
            producer.push(all(Op::Barrier));
            consumer.push(all(Op::Barrier));
        }
        producer.extend([
            one(Op::ArriveExpect(BAR, 128)),
            one(load(CopyEnd::Barrier(BAR))),
            all(Op::WaitPhase(BAR, 1)),
        ]);
        vec![producer, consumer]
    };
    let report = check(program(false), false);
    let found = codes(&report);
    assert!(found.contains("refill-before-read"), "{report:#?}");
    let report = check(program(true), false);
    assert_eq!(report.verdict, Verdict::Clean, "{report:#?}");
    // Across proxies without a fence: a note, no finding.
    assert!(hints(&report).contains("cross-proxy-reuse-unfenced"), "{report:#?}");
}

#[test]
fn a_race_between_waves() {
    let program = |barrier: bool| {
        let mut first = vec![all(Op::Store(TILE, 1))];
        let mut second = vec![];
        if barrier {
            first.push(all(Op::Barrier));
            second.push(all(Op::Barrier));
        }
        second.push(all(Op::Load(TILE)));
        vec![first, second]
    };
    twin(program(false), program(true), false, &["data-race"]);
}

#[test]
fn a_flag_hands_over_what_was_written_before() {
    let program = |flag: fn(Word, u32) -> Op| {
        vec![
            vec![all(Op::Store(TILE, 1)), all(Op::LanesMeet), all(flag(global(512), 7))],
            vec![all(Op::Await(global(512), 7)), all(Op::LanesMeet), all(Op::Load(TILE))],
        ]
    };
    let report = check(program(Op::Store), false);
    assert!(codes(&report).contains("data-race"), "{report:#?}");
    let report = check(program(Op::Release), false);
    assert_eq!(report.verdict, Verdict::Clean, "{report:#?}");
}

#[test]
fn an_init_that_others_cannot_know_of() {
    let program = |barrier: bool| {
        let mut first = vec![one(Op::Init(BAR, 1))];
        let mut second = vec![];
        if barrier {
            first.push(all(Op::Barrier));
            second.push(all(Op::Barrier));
        }
        second.push(one(Op::Arrive(BAR)));
        vec![first, second]
    };
    let report = check(program(false), false);
    assert_eq!(report.verdict, Verdict::Findings);
    assert!(codes(&report).contains("barrier-init-not-visible"), "{report:#?}");
    assert_eq!(check(program(true), false).verdict, Verdict::Clean);
}

#[test]
fn barrier_memory_that_is_reused() {
    let program = |inval: bool| {
        let mut ops = vec![one(Op::Init(0, 1)), one(Op::Arrive(0))];
        if inval {
            ops.push(one(Op::Inval(0)));
        }
        ops.extend([all(Op::LanesMeet), all(Op::Store(TILE, 3))]);
        vec![ops]
    };
    twin(program(false), program(true), false, &["barrier-memory-reused"]);
}

#[test]
fn barrier_memory_that_is_read() {
    let program = |inval: bool| {
        let mut ops =
            vec![all(Op::Store(TILE, 3)), all(Op::LanesMeet), one(Op::Init(0, 1)), one(Op::Arrive(0))];
        if inval {
            ops.push(one(Op::Inval(0)));
        }
        ops.extend([all(Op::LanesMeet), all(Op::Load(TILE))]);
        vec![ops]
    };
    twin(program(false), program(true), false, &["barrier-read-as-data"]);
}

#[test]
fn an_init_that_the_engine_is_not_told_of() {
    let program = |fence: bool| {
        let mut ops = vec![one(Op::Init(BAR, 1))];
        if fence {
            ops.push(one(Op::ProxyFence));
        }
        ops.extend([
            one(Op::ArriveExpect(BAR, 128)),
            one(load(CopyEnd::Barrier(BAR))),
            all(Op::LanesMeet),
            all(Op::WaitPhase(BAR, 0)),
            all(Op::Load(TILE)),
        ]);
        vec![ops]
    };
    let hinted =
        |fence| check(program(fence), false).hints.iter().any(|h| h.code.0 == "barrier-init-unfenced");
    assert!(hinted(false) && !hinted(true));
    assert!([false, true].iter().all(|&fence| check(program(fence), false).verdict == Verdict::Clean));
}

#[test]
fn a_store_in_flight_at_the_end() {
    let program = |wait: bool| {
        let mut ops = vec![
            all(Op::Store(TILE, 1)),
            all(Op::ProxyFence),
            all(Op::LanesMeet),
            one(store(CopyEnd::Group)),
            one(Op::Commit),
        ];
        if wait {
            ops.push(one(Op::WaitGroup(0, Part::Source)));
        }
        vec![ops]
    };
    // No device was seen to lose any of it: a warning.
    let hinted =
        |wait| check(program(wait), false).hints.iter().any(|h| h.code.0 == "exit-with-copy-in-flight");
    assert!(hinted(false) && !hinted(true));
    assert!([false, true].iter().all(|&wait| check(program(wait), false).verdict == Verdict::Clean));
}

#[test]
fn a_wave_that_priorities_let_be_lapped() {
    // Wave 1 waits for the first phase and does nothing more; wave 0 goes on to the second without it.
    let first = vec![
        one(Op::Init(BAR, 1)),
        all(Op::Barrier),
        one(Op::Arrive(BAR)),
        all(Op::WaitPhase(BAR, 0)),
        all(Op::Load(TILE)),
        all(Op::Load(TILE)),
        one(Op::Arrive(BAR)),
        all(Op::WaitPhase(BAR, 1)),
    ];
    let second = |late: usize| {
        let mut ops = vec![all(Op::Barrier)];
        ops.extend((0..late).map(|_| all(Op::LanesMeet)));
        ops.push(all(Op::WaitPhase(BAR, 0)));
        ops
    };
    let runs = |late: usize| {
        let runs = (0..32)
            .map(|seed| Replay { schedule: Schedule::Pct { seed, depth: 0 }, landing: Landing::Eager });
        let explored = Explore { runs: runs.collect(), ..Explore::seeds(0) };
        let launch = Launch { shared_bytes: 1024, ..Launch::new([1, 1, 1], [64, 1, 1], 32) };
        let program = Mini { waves: vec![first.clone(), second(late)], copies_async: true };
        explore(&program, &launch, &memory, &explored, &mut |_, _| Vec::new())
    };
    let report = runs(0);
    assert_eq!(report.verdict, Verdict::Clean, "{report:#?}");
    assert!(hints(&report).contains("phase-lapped"), "{report:#?}");
    // Whose own work takes longer than the phase is lapped by any schedule: that is a hang.
    let report = runs(100);
    assert_eq!(codes(&report), BTreeSet::from(["deadlock"]), "{report:#?}");
}

#[test]
fn counters_name_the_right_number_and_counter() {
    let second = Op::Copy {
        from: global(128),
        to: Word { mem: Mem::Shared, at: 128 },
        len: 128,
        end: CopyEnd::Counter,
    };
    let program = |wait: Op| {
        vec![vec![
            all(load(CopyEnd::Counter)),
            all(second),
            all(wait),
            all(Op::CountedLoad(0)),
            all(Op::WaitCopies(0)),
            all(Op::CountedLoad(128)),
        ]]
    };
    twin(program(Op::WaitCopies(2)), program(Op::WaitCopies(1)), true, &["wait-count-too-high"]);
    let report = check(program(Op::WaitCopies(2)), true);
    assert_eq!(report.findings[0].fix.as_deref(), Some("Wait for 1: `wait copycnt 1`."));
    twin(program(Op::WaitLocal(0)), program(Op::WaitCopies(0)), true, &["wait-on-wrong-counter"]);
    // Draining everything where one may stay is clean, with a hint that says the count.
    let report = check(program(Op::WaitCopies(0)), true);
    let hint = report.hints.iter().find(|h| h.code.0 == "wait-stronger-than-needed");
    assert!(hint.is_some_and(|h| h.message.contains("1 would be enough")), "{report:#?}");
    let report = check(program(Op::WaitCopies(1)), true);
    assert!(!hints(&report).contains("wait-stronger-than-needed"), "{report:#?}");
}

#[test]
fn the_wait_comes_after_the_barrier() {
    let program = |before: bool| {
        let mut first = vec![all(load(CopyEnd::Counter))];
        if before {
            first.push(all(Op::WaitCopies(0)));
        }
        first.push(all(Op::Barrier));
        first.push(all(Op::WaitCopies(0)));
        vec![first, vec![all(Op::Barrier), all(Op::CountedLoad(0))]]
    };
    let report = check(program(false), true);
    let found = codes(&report);
    let want: BTreeSet<_> = ["barrier-missing-after-wait", "read-before-landing"].into();
    assert!(!found.is_empty() && found.is_subset(&want), "{report:#?}");
    assert_eq!(check(program(true), true).verdict, Verdict::Clean);
}

#[test]
fn readers_whose_loads_are_outstanding_at_the_barrier() {
    let program = |wait: bool| {
        let mut first = vec![all(Op::CountedStore(0, 1)), all(Op::CountedLoad(0))];
        if wait {
            first.push(all(Op::WaitLocal(0)));
        }
        first.push(all(Op::Barrier));
        let second = vec![
            all(Op::Barrier),
            all(load(CopyEnd::Counter)),
            all(Op::WaitCopies(0)),
            all(Op::CountedLoad(0)),
        ];
        vec![first, second]
    };
    twin(program(false), program(true), true, &["refill-before-read"]);
}

#[test]
fn local_operations_of_one_wave_stay_in_order() {
    let ops = vec![
        all(Op::CountedStore(0, 1)),
        all(Op::CountedLoad(0)),
        all(Op::CountedStore(0, 2)),
        all(Op::CountedLoad(0)),
    ];
    assert_eq!(check(vec![ops], true).verdict, Verdict::Clean);
}

#[test]
fn hangs_name_the_barrier_and_its_bytes() {
    let program = vec![vec![
        one(Op::Init(BAR, 1)),
        one(Op::ArriveExpect(BAR, 256)),
        one(load(CopyEnd::Barrier(BAR))),
        all(Op::LanesMeet),
        all(Op::WaitPhase(BAR, 0)),
    ]];
    let report = check(program, false);
    assert_eq!(codes(&report), BTreeSet::from(["deadlock"]), "{report:#?}");
    assert!(report.findings[0].message.contains("128 announced bytes never came"), "{report:#?}");
}

/// An arrival that an engine makes for copies says nothing of what its issuer did, unless it is one that releases.
#[test]
fn an_arrival_for_copies_releases_only_where_it_says_so() {
    let program = |arrive: fn(u64, u32) -> Op| {
        let other = Word { mem: Mem::Shared, at: 256 };
        vec![
            vec![
                one(Op::Init(BAR, 1)),
                all(Op::Barrier),
                all(Op::Store(TILE, 7)),
                all(Op::LanesMeet),
                one(Op::Copy { from: global(0), to: other, len: 128, end: CopyEnd::Counter }),
                one(arrive(BAR, 1)),
            ],
            vec![all(Op::Barrier), all(Op::WaitPhase(BAR, 0)), all(Op::Load(TILE)), all(Op::Load(other))],
        ]
    };
    twin(program(Op::ArriveWhenCopied), program(Op::ReleaseWhenCopied), false, &["data-race"]);
}

/// Only who reads a barrier word learns what its phase released; who overwrites it ends it.
#[test]
fn a_store_to_a_barrier_word_tells_nothing() {
    let tile = |last: Vec<Line>| {
        let word = |offset| Word { mem: Mem::Shared, at: BAR + offset };
        let mut wave1 = vec![all(Op::Barrier), all(Op::Barrier)];
        wave1.extend(last);
        wave1.push(all(Op::Load(TILE)));
        let wave0 = vec![
            one(Op::Store(word(0), 0)),
            one(Op::Store(word(4), 0)),
            all(Op::Barrier),
            one(load(CopyEnd::CounterThenWord(BAR))),
            all(Op::Barrier),
        ];
        let launch = Launch { shared_bytes: 1024, lockstep: true, ..Launch::new([1, 1, 1], [64, 1, 1], 32) };
        let program = Mini { waves: vec![wave0, wave1], copies_async: false };
        // Where the copy lands late the race shows in any case.
        let eager = Explore::only(Replay::default());
        explore(&program, &launch, &memory, &eager, &mut |_, _| Vec::new())
    };
    let word = Word { mem: Mem::Shared, at: BAR };
    let read = tile(vec![one(Op::Load(word))]);
    assert_eq!(codes(&read), BTreeSet::new(), "{read:#?}");
    let missing = BTreeSet::from(["read-before-landing"]);
    assert_eq!(codes(&tile(vec![])), missing);
    assert_eq!(codes(&tile(vec![one(Op::Store(word, 5))])), missing);
    assert_eq!(codes(&tile(vec![one(Op::Store(word, 5)), one(Op::Load(word))])), missing);
}

#[test]
fn atomics_whose_scopes_leave_the_other_thread_out() {
    let count = |scope| {
        let launch = Launch { shared_bytes: 1024, ..Launch::new([2, 1, 1], [32, 1, 1], 32) };
        let program = Mini {
            waves: vec![vec![one(Op::AddAs(global(512), 1, Order::Relaxed, scope))]],
            copies_async: true,
        };
        explore(&program, &launch, &memory, &Explore::default(), &mut |_, _| Vec::new())
    };
    let report = count(Scope::Block);
    assert_eq!(codes(&report), BTreeSet::from(["scope-too-narrow"]), "{report:#?}");
    assert!(report.findings[0].fix.as_ref().is_some_and(|fix| fix.contains(".gpu")), "{report:#?}");
    assert_eq!(codes(&count(Scope::Device)), BTreeSet::new());
    // Lanes of one block need no more.
    let adds = || vec![one(Op::AddAs(global(512), 1, Order::Relaxed, Scope::Block))];
    assert_eq!(codes(&check(vec![adds(), adds()], false)), BTreeSet::new());
}

#[test]
fn a_read_only_load_of_what_the_launch_wrote() {
    let program = |order| {
        vec![
            vec![one(Op::Store(global(512), 5)), all(Op::Barrier)],
            vec![all(Op::Barrier), one(Op::LoadAs(global(512), order, Scope::Block))],
        ]
    };
    twin(program(Order::ReadOnly), program(Order::Weak), false, &["read-only-load-of-written-bytes"]);
    // What is written after it may well be what it did not see.
    let before = vec![
        vec![one(Op::LoadAs(global(512), Order::ReadOnly, Scope::Block)), all(Op::Barrier)],
        vec![all(Op::Barrier), one(Op::Store(global(512), 5))],
    ];
    assert_eq!(codes(&check(before, false)), BTreeSet::new());
}

#[test]
fn data_behind_a_flag_that_orders_nothing() {
    let relaxed = |word, value| one(Op::StoreAs(word, value, Order::Relaxed, Scope::Device));
    let program = |writer: Option<Op>, reader: Option<Op>| {
        let mut waves = vec![vec![relaxed(global(512), 5)], vec![one(Op::AwaitRelaxed(global(640), 7))]];
        waves[0].extend(writer.map(one));
        waves[0].push(relaxed(global(640), 7));
        waves[1].extend(reader.map(one));
        waves[1].push(one(Op::LoadAs(global(512), Order::Relaxed, Scope::Device)));
        waves[1].push(one(Op::Keep(global(768))));
        waves
    };
    let fence = Some(Op::Fence);
    let fixed = || program(fence, fence);
    twin(program(None, None), fixed(), false, &["relaxed-flag"]);
    twin(program(fence, None), fixed(), false, &["relaxed-flag"]);
    twin(program(None, fence), fixed(), false, &["relaxed-flag"]);
}

#[test]
fn what_is_not_modelled_is_a_verdict_of_its_own() {
    let report = check(vec![vec![all(Op::Unknown)]], false);
    assert_eq!(report.verdict, Verdict::Unsupported);
    assert_eq!(report.unsupported.len(), 1);
    assert!(report.findings.is_empty() && report.hints.iter().all(|h| h.level != Level::Error));
}

#[test]
fn the_catalogue_is_complete_and_sorted() {
    let all = tilehaul_check::hazard::ALL;
    assert!(all.windows(2).all(|w| w[0].code != w[1].code));
    for hazard in all {
        for text in [hazard.title, hazard.what, hazard.why, hazard.example, hazard.fix] {
            assert!(text.len() > 10, "{:?}", hazard.code);
        }
    }
}
