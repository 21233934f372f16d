//! Small programs, each with the answer that the PTX manual gives.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use tilehaul_diag::FileId;
use tilehaul_machine::{
    Contents, GlobalMemory, Landing, Options, Outcome, Replay, RunResult, Schedule, run, run_spread,
};
use tilehaul_ptx::{PtxProgram, Setup, Sums};

const HEAD: &str = ".version 8.6\n.target sm_90a\n.address_size 64\n";
/// Every program ends by storing `%r1` of its thread.
const TAIL: &str = "ld.param.u64 %rd1, [out]; mov.u32 %r30, %ctaid.x; mov.u32 %r31, %ntid.x;\n\
    mad.lo.u32 %r30, %r30, %r31, %tid.x; mul.wide.u32 %rd2, %r30, 4; add.s64 %rd1, %rd1, %rd2;\n\
    st.global.u32 [%rd1], %r1; ret;";

struct Shape {
    grid: u32,
    block: u32,
    cluster: u32,
}

fn launch(functions: &str, body: &str, shape: &Shape, replay: Replay) -> RunResult {
    let text = format!(
        "{HEAD}{functions}\n.visible .entry k(.param .u64 out)\n{{\n.reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .pred %p<8>;\n\
         .reg .b16 %h<8>; .shared .align 16 .b8 tile[4096]; .shared .align 8 .b64 bar;\n{body}\n{TAIL}\n}}\n"
    );
    let reading = tilehaul_isa::ptx::read(&text, FileId(0));
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    let mut memory = GlobalMemory::new();
    let threads = (shape.grid * shape.block) as usize;
    let out = memory.allocate("out", vec![0xee; 4 * threads], 256, Contents::Written);
    let setup = Setup {
        entry: None,
        target: None,
        params: &[out.to_le_bytes().to_vec()],
        grid: [shape.grid, 1, 1],
        block: [shape.block, 1, 1],
        cluster: Some([shape.cluster, 1, 1]),
        dynamic_shared: 0,
        sums: Sums::Exact,
    };
    let program = PtxProgram::new(&reading.module, &setup, &mut memory).unwrap();
    let options = Options { replay, ..Options::default() };
    let turns = run(&program, program.launch(), memory.clone(), options.clone(), None);
    // Blocks on several cores leave the same, be they independent or not.
    for cores in [1, 3] {
        let spread = run_spread(&program, program.launch(), memory.clone(), options.clone(), cores);
        assert_eq!(spread.outcome, turns.outcome);
        assert_eq!(spread.memory.allocations(), turns.memory.allocations());
    }
    turns
}

fn words(result: &RunResult) -> Vec<u32> {
    let data = &result.memory.named("out").unwrap().data;
    data.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// Runs under several schedules and landings and compares each thread's word.
fn expect(functions: &str, body: &str, shape: Shape, want: impl Fn(u32) -> u32) {
    let lazy = Replay { schedule: Schedule::Reverse, landing: Landing::Lazy };
    for replay in [Replay::default(), lazy, Replay::random(1), Replay::random(2)] {
        let result = launch(functions, body, &shape, replay);
        assert_eq!(result.outcome, Outcome::Finished, "{replay}");
        assert!(result.reports.is_empty(), "{:?}", result.reports);
        for (i, got) in (0u32..).zip(words(&result)) {
            assert_eq!(got, want(i), "thread {i} under {replay}");
        }
    }
}

const WARP: Shape = Shape { grid: 1, block: 32, cluster: 1 };
const BLOCK: Shape = Shape { grid: 1, block: 128, cluster: 1 };

#[test]
fn functions_are_called_with_parameters() {
    let twice = ".func (.param .b32 ret0) twice(.param .b32 in0)\n{\n.reg .b32 %a<3>; .reg .pred %q;\n\
        ld.param.u32 %a1, [in0];\nsetp.lt.u32 %q, %a1, 4;\n@%q bra SMALL;\nadd.u32 %a2, %a1, %a1;\n\
        st.param.b32 [ret0], %a2;\nret;\nSMALL: mov.u32 %a2, 100; st.param.b32 [ret0], %a2; ret;\n}\n";
    let body = "mov.u32 %r1, %tid.x;\n\
        { .param .b32 p0; st.param.b32 [p0], %r1; .param .b32 q0; call.uni (q0), twice, (p0); ld.param.b32 %r1, [q0]; }\n\
        { .param .b32 p0; st.param.b32 [p0], %r1; .param .b32 q0; call (q0), twice, (p0); ld.param.b32 %r1, [q0]; }";
    expect(twice, body, WARP, |i| if i < 4 { 200 } else { 4 * i });
}

#[test]
fn lanes_part_and_meet_again() {
    // Each lane loops its own number of times; the shuffle needs all of them again.
    let body = "mov.u32 %r2, %tid.x; mov.u32 %r3, 0; and.b32 %r4, %r2, 7;\n\
        mov.u32 %r5, 0;\n\
        LOOP: add.u32 %r3, %r3, %r2; add.u32 %r5, %r5, 1; setp.le.u32 %p1, %r5, %r4; @%p1 bra LOOP;\n\
        setp.lt.u32 %p2, %r2, 16; @%p2 bra LOW; add.u32 %r3, %r3, 1000; bra JOIN; LOW: add.u32 %r3, %r3, 1;\n\
        JOIN: shfl.sync.bfly.b32 %r1, %r3, 16, 31, -1;";
    expect("", body, WARP, |i| {
        let j = i ^ 16;
        j * ((j & 7) + 1) + if j < 16 { 1 } else { 1000 }
    });
}

#[test]
fn branches_go_through_tables() {
    let body = "mov.u32 %r2, %tid.x; and.b32 %r2, %r2, 3; mov.u32 %r1, 7;\n\
        brx.idx %r2, T; T: .branchtargets A, B, C, A;\nA: mov.u32 %r1, 10; bra E; B: mov.u32 %r1, 20; bra E;\n\
        C: mov.u32 %r1, 30; E: bar.sync 0;";
    expect("", body, WARP, |i| [10, 20, 30, 10][i as usize & 3]);
}

#[test]
fn local_memory_belongs_to_the_lane() {
    let body = ".local .align 8 .b8 mine[64]; mov.u32 %r2, %tid.x; mov.u64 %rd3, mine; cvta.local.u64 %rd3, %rd3;\n\
        st.u32 [%rd3+8], %r2; add.u32 %r3, %r2, 5; st.local.u32 [mine+12], %r3; ld.local.v2.u32 {%r4, %r5}, [mine+8];\n\
        ld.s8 %r6, [%rd3+8]; add.u32 %r1, %r4, %r5; add.u32 %r1, %r1, %r6;";
    expect("", body, WARP, |i| 3 * i + 5);
}

#[test]
fn a_lock_is_passed_around() {
    let body = "mov.u32 %r10, tile; mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r2, 0; mov.u32 %r3, 0;\n\
        @%p1 st.shared.v2.u32 [%r10], {%r3, %r3}; bar.sync 0;\n\
        TRY: atom.acquire.cta.shared.cas.b32 %r4, [%r10], 0, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra TRY;\n\
        ld.shared.u32 %r5, [%r10+4]; add.u32 %r5, %r5, 1; st.shared.u32 [%r10+4], %r5;\n\
        atom.release.cta.shared.exch.b32 %r6, [%r10], 0; bar.sync 0; ld.shared.u32 %r1, [%r10+4];";
    expect("", body, Shape { grid: 1, block: 64, cluster: 1 }, |_| 64);
}

#[test]
fn barriers_count_and_combine() {
    let body = "mov.u32 %r2, %tid.x; setp.lt.u32 %p1, %r2, 40; bar.red.popc.u32 %r3, 1, %p1; bar.red.and.pred %p2, 2, %p1;\n\
        bar.red.or.pred %p3, 2, %p1; selp.u32 %r4, 1000, 0, %p2; selp.u32 %r5, 100, 0, %p3; add.u32 %r1, %r3, %r4;\n\
        add.u32 %r1, %r1, %r5;";
    expect("", body, BLOCK, |_| 140);
}

#[test]
fn votes_and_matches() {
    let body = "mov.u32 %r2, %tid.x; and.b32 %r3, %r2, 3; match.any.sync.b32 %r4, %r3, -1; popc.b32 %r5, %r4;\n\
        setp.eq.u32 %p1, %r3, 1; vote.sync.ballot.b32 %r6, %p1, -1; and.b32 %r6, %r6, 15; redux.sync.add.s32 %r7, %r2, -1;\n\
        elect.sync %r8|%p2, -1; mad.lo.u32 %r1, %r7, 100, %r5; add.u32 %r1, %r1, %r6; @%p2 add.u32 %r1, %r1, 1;";
    expect("", body, WARP, |i| 496 * 100 + 8 + 2 + u32::from(i == 0));
}

#[test]
fn carries_ripple() {
    let body = "mov.u32 %r2, 0xffffffff; mov.u32 %r3, %tid.x; add.cc.u32 %r4, %r2, %r3; addc.cc.u32 %r5, %r2, 0;\n\
        addc.u32 %r6, 0, 0; sub.cc.u32 %r7, 0, %r3; subc.u32 %r8, 5, 0; mad.lo.u32 %r1, %r6, 10, %r8;";
    expect("", body, WARP, |i| if i == 0 { 5 } else { 14 });
}

#[test]
fn asynchronous_copies_are_waited_for() {
    let body = "mov.u32 %r10, tile; mov.u32 %r2, %tid.x; ld.param.u64 %rd4, [out]; shl.b32 %r3, %r2, 4; cvt.u64.u32 %rd5, %r3;\n\
        add.u64 %rd4, %rd4, %rd5; add.u32 %r4, %r10, %r3; cp.async.cg.shared.global [%r4], [%rd4], 16;\n\
        cp.async.commit_group; cp.async.wait_group 0; bar.warp.sync -1; ld.shared.u32 %r1, [%r4+12];";
    expect("", body, Shape { grid: 4, block: 8, cluster: 1 }, |_| 0xeeee_eeee);
}

#[test]
fn blocks_of_a_cluster_reach_each_other() {
    let body = "mov.u32 %r10, tile; mov.u32 %r2, %tid.x; mov.u32 %r3, %cluster_ctarank; shl.b32 %r4, %r2, 2;\n\
        add.u32 %r5, %r10, %r4; mad.lo.u32 %r6, %r3, 1000, %r2; st.shared.u32 [%r5], %r6;\n\
        barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; xor.b32 %r7, %r3, 1;\n\
        mapa.shared::cluster.u32 %r8, %r5, %r7; ld.shared::cluster.u32 %r1, [%r8]; getctarank.shared::cluster.u32 %r9, %r8;\n\
        mad.lo.u32 %r1, %r9, 100000, %r1; barrier.cluster.arrive; barrier.cluster.wait;";
    expect("", body, Shape { grid: 4, block: 32, cluster: 2 }, |i| {
        let rank = ((i / 32) % 2) ^ 1;
        rank * 100_000 + rank * 1000 + i % 32
    });
}

#[test]
fn bytes_of_a_store_into_another_block_are_signalled() {
    let body = "mov.u32 %r10, tile; mov.u32 %r11, bar; mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r2, 0;\n\
        @%p1 mbarrier.init.shared.b64 [%r11], 1; @%p1 fence.mbarrier_init.release.cluster;\n\
        @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 128; barrier.cluster.arrive; barrier.cluster.wait;\n\
        mov.u32 %r3, %cluster_ctarank; xor.b32 %r3, %r3, 1; shl.b32 %r4, %r2, 2; add.u32 %r4, %r10, %r4;\n\
        mapa.shared::cluster.u32 %r5, %r4, %r3; mapa.shared::cluster.u32 %r6, %r11, %r3;\n\
        st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %r2, [%r6];\n\
        W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r11], 0; @!%p2 bra W;\n\
        ld.shared.u32 %r1, [%r4]; barrier.cluster.arrive; barrier.cluster.wait;";
    expect("", body, Shape { grid: 2, block: 32, cluster: 2 }, |i| i % 32);
}

#[test]
fn wide_registers_are_packed_and_unpacked() {
    let body = ".reg .b128 %q<2>; mov.u32 %r2, %tid.x; cvt.u64.u32 %rd3, %r2; mov.b128 %q0, {%rd3, %rd3};\n\
        mov.b128 {%rd4, %rd5}, %q0; mov.b64 {%r3, %r4}, %rd5; mov.b32 {%h1, %h2}, %r3; mov.b32 %r5, {%h2, %h1};\n\
        shr.u32 %r6, %r5, 16; add.u32 %r1, %r3, %r6; prmt.b32 %r1, %r1, 0, 0x4410;";
    expect("", body, WARP, |i| 2 * i);
}

#[test]
fn what_is_not_modelled_is_named() {
    let stop = |functions: &str, body: &str| match launch(functions, body, &WARP, Replay::default()).outcome {
        Outcome::Unsupported { diagnostic, .. } => diagnostic.message,
        other => panic!("{other:?}"),
    };
    assert!(stop("", "vadd.s32.s32.s32 %r1, %r2, %r3;").contains("vadd"));
    let outside = ".extern .func malloc(.param .b32 x);\n";
    assert!(stop(outside, "{ .param .b32 z; call malloc, (z); }").contains("malloc has no body"));
    // Never reached: no matter.
    expect(
        "",
        "mov.u32 %r1, 3; bra OVER; vadd.s32.s32.s32 %r1, %r2, %r3; OVER: mov.u32 %r2, 1;",
        WARP,
        |_| 3,
    );
}

#[test]
fn faults_end_the_launch_with_their_error_number() {
    let fault = |body: &str| match launch("", body, &WARP, Replay::default()).outcome {
        Outcome::Fault { diagnostic, .. } => diagnostic.message,
        other => panic!("{other:?}"),
    };
    assert!(fault("mov.u32 %r10, tile; ld.shared.u32 %r1, [%r10+2];").contains("716"));
    assert!(fault("mov.u64 %rd3, 64; ld.global.u32 %r1, [%rd3];").contains("outside every buffer"));
    assert!(fault("trap;").contains("719"));
}

#[test]
fn a_wait_that_never_ends_is_a_deadlock() {
    let body = "mov.u32 %r11, bar; mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r2, 0; @%p1 mbarrier.init.shared.b64 [%r11], 2;\n\
        bar.sync 0; @%p1 mbarrier.arrive.shared.b64 _, [%r11];\n\
        W: mbarrier.try_wait.parity.shared.b64 %p2, [%r11], 0; @!%p2 bra W;";
    assert!(matches!(launch("", body, &WARP, Replay::default()).outcome, Outcome::Deadlock(_)));
}

const FUNCTIONS: &str = ".global .align 8 .u64 table[2] = {twice, square};
.func (.param .b32 out_) twice(.param .b32 x_)
{ .reg .b32 %a; ld.param.b32 %a, [x_]; add.s32 %a, %a, %a; st.param.b32 [out_], %a; ret; }
.func (.param .b32 out_) square(.param .b32 x_)
{ .reg .b32 %a; ld.param.b32 %a, [x_]; mul.lo.s32 %a, %a, %a; st.param.b32 [out_], %a; ret; }
.func (.param .b32 out_) fib(.param .b32 n_)
{
  .reg .b32 %a<4>; .reg .pred %q;
  ld.param.b32 %a0, [n_];
  setp.lt.s32 %q, %a0, 2;
  @%q bra SMALL;
  { .param .b32 in_; .param .b32 back_;
  add.s32 %a1, %a0, -1; st.param.b32 [in_], %a1; call.uni (back_), fib, (in_); ld.param.b32 %a2, [back_]; }
  { .param .b32 in_; .param .b32 back_;
  add.s32 %a1, %a0, -2; st.param.b32 [in_], %a1; call.uni (back_), fib, (in_); ld.param.b32 %a3, [back_]; }
  add.s32 %a0, %a2, %a3;
SMALL:
  st.param.b32 [out_], %a0; ret;
}
";

#[test]
fn calls_through_pointers_take_each_lane_to_its_function() {
    let body = "mov.u32 %r2, %tid.x; and.b32 %r3, %r2, 1; mul.wide.u32 %rd3, %r3, 8; mov.u64 %rd4, table;
        add.s64 %rd4, %rd4, %rd3; ld.global.u64 %rd5, [%rd4];
        { .param .b32 in_; .param .b32 back_; st.param.b32 [in_], %r2;
        p_: .callprototype (.param .b32 _) _ (.param .b32 _);
        call (back_), %rd5, (in_), p_; ld.param.b32 %r1, [back_]; }";
    expect(
        FUNCTIONS,
        body,
        Shape { grid: 1, block: 64, cluster: 1 },
        |i| if i % 2 == 0 { 2 * i } else { i * i },
    );
}

#[test]
fn recursion_keeps_what_the_outer_call_had() {
    let body = "mov.u32 %r2, %tid.x; and.b32 %r2, %r2, 15;
        { .param .b32 in_; .param .b32 back_; st.param.b32 [in_], %r2;
        call.uni (back_), fib, (in_); ld.param.b32 %r1, [back_]; }";
    let fib = |n: u32| (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    expect(FUNCTIONS, body, Shape { grid: 1, block: 32, cluster: 1 }, |i| fib(i % 16));
}

#[test]
fn a_pointer_to_no_function_ends_the_launch() {
    let body = "mov.u64 %rd5, 4096;
        { .param .b32 in_; .param .b32 back_; st.param.b32 [in_], 1;
        p_: .callprototype (.param .b32 _) _ (.param .b32 _);
        call (back_), %rd5, (in_), p_; ld.param.b32 %r1, [back_]; }";
    let result = launch(FUNCTIONS, body, &Shape { grid: 1, block: 32, cluster: 1 }, Replay::default());
    let Outcome::Fault { diagnostic, .. } = &result.outcome else { panic!("{:?}", result.outcome) };
    assert!(diagnostic.message.contains("0x1000, which is no function"), "{}", diagnostic.message);
}

#[test]
fn a_counted_loop_of_volatile_loads_is_no_deadlock() {
    let body = "mov.u32 %r2, tile; mov.u32 %r3, 6; mov.u32 %r1, 0; st.shared.u32 [%r2], 5;
        AGAIN: ld.volatile.shared.u32 %r4, [%r2]; add.s32 %r1, %r1, %r4; add.s32 %r3, %r3, -1;
        setp.gt.s32 %p1, %r3, 0; @%p1 bra AGAIN;";
    expect("", body, Shape { grid: 1, block: 64, cluster: 1 }, |_| 30);
}

#[test]
fn recursion_without_an_end_overflows_the_stack() {
    let endless = ".func loop(.param .b32 x)\n{\n{ .param .b32 y; call loop, (y); }\nret;\n}\n";
    let body = "{ .param .b32 z; call loop, (z); }";
    let result = launch(endless, body, &Shape { grid: 1, block: 32, cluster: 1 }, Replay::default());
    let Outcome::Fault { diagnostic, .. } = &result.outcome else { panic!("{:?}", result.outcome) };
    assert!(diagnostic.message.contains("calls deep"), "{}", diagnostic.message);
}

#[test]
fn a_loop_of_compare_and_swap_ends() {
    // Each lane adds its number to one word; the last value that a lane saw goes to nobody.
    let body = "mov.u32 %r2, tile; mov.u32 %r3, %tid.x; st.shared.u32 [%r2], 0; bar.sync 0; mov.u32 %r5, 0;
        AGAIN: add.s32 %r6, %r5, %r3; atom.shared.cas.b32 %r7, [%r2], %r5, %r6; setp.ne.s32 %p1, %r7, %r5;
        mov.u32 %r5, %r7; @%p1 bra AGAIN; bar.sync 0; ld.shared.u32 %r1, [%r2];";
    expect("", body, Shape { grid: 1, block: 64, cluster: 1 }, |_| 63 * 64 / 2);
}
