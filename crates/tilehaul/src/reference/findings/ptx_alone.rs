//! What PTX text shows without a launch.

use tilehaul_diag::Source;

use super::{Entry, PTXAS, TMEM};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "aligned-under-predicate",
        means: "An .aligned instruction stands under a guard that lanes of a warp can disagree on.",
        why: "All lanes of the warp must execute it together; the result is undefined.",
        fix: "Execute it without the guard, in all lanes.",
        source: Source::manual("PTX ISA, .aligned"),
    },
    Entry {
        code: "announced-bytes-never-come",
        means: "A kernel announces bytes on an mbarrier, and nothing in it counts bytes on one.",
        why: "The phase never completes: the wait hangs.",
        fix: "Start the copy that sends the bytes, or arrive without expect_tx.",
        source: Source::manual("PTX ISA, mbarrier, tx-count"),
    },
    Entry {
        code: "barrier-never-initialised",
        means: "A kernel arrives or waits on an mbarrier and never initialises one.",
        why: "Whatever bits are there count as phase and arrivals.",
        fix: "Execute mbarrier.init in one thread, then a fence and a barrier of the block.",
        source: Source::manual("PTX ISA, mbarrier"),
    },
    Entry {
        code: "bytes-never-announced",
        means: "A copy counts bytes on an mbarrier, and the kernel never announces any.",
        why: "The wait does not wait for them.",
        fix: "Execute mbarrier.arrive.expect_tx with the number of bytes before the copy.",
        source: Source::manual("PTX ISA, mbarrier, tx-count"),
    },
    Entry {
        code: "copy-never-waited",
        means: "A copy counts bytes on an mbarrier, and the kernel never waits on one.",
        why: "Its bytes are used before they have landed.",
        fix: "Wait with mbarrier.try_wait before the bytes are used.",
        source: Source::manual("PTX ISA, mbarrier.try_wait"),
    },
    Entry {
        code: "group-never-waited",
        means: "A kernel starts operations of groups that it never both commits and waits for.",
        why: "Their results are used, or the block ends, before they are complete.",
        fix: "Commit the group and wait for it.",
        source: Source::manual("PTX ISA, commit_group and wait_group"),
    },
    Entry {
        code: "instruction-not-on-target",
        means: "An instruction, or a modifier of it, does not exist on the target that was asked for.",
        why: "ptxas refuses the text.",
        fix: "Ask for a target that has it, or use another form.",
        source: PTXAS,
    },
    Entry {
        code: "tensor-memory-never-freed",
        means: "A kernel allocates tensor memory and never frees any.",
        why: "Later blocks on the same multiprocessor wait for it for ever.",
        fix: "Execute tcgen05.dealloc before the kernel ends.",
        source: TMEM,
    },
    Entry {
        code: "wait-before-commit",
        means: "A wait for groups stands between an operation and the commit of its group.",
        why: "It waits for groups that are closed only: the operation is not among them.",
        fix: "Commit the group between the two.",
        source: Source::manual("PTX ISA, commit_group and wait_group"),
    },
];
