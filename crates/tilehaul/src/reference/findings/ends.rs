//! How a run ended, and what its buffers hold then.

use tilehaul_diag::Source;

use super::{Entry, OWN, PTX};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "assertion-failed",
        means: "A device-side assertion fails.",
        why: "The launch ends with CUDA error 710 (assert).",
        fix: "See which condition does not hold for the lane that is named.",
        source: Source::manual("CUDA C++ programming guide, assertion"),
    },
    Entry {
        code: "deadlock",
        means: "Every wave that has not ended waits for something that cannot happen any more.",
        why: "The kernel hangs on a device, in this schedule at least, until a watchdog or the user ends it.",
        fix: "Look at what each wave waits for: an arrival that somebody leaves out, bytes that were announced and never copied, a parity that is one phase off.",
        source: PTX,
    },
    Entry {
        code: "expectation-failed",
        means: "A buffer does not hold what the launch file expects of it.",
        why: "The kernel gives a wrong result in this run. Where other findings stand before it, it is usually their consequence.",
        fix: "Mend the findings before it first; then compare the element that is shown with the code that writes it.",
        source: OWN,
    },
    Entry {
        code: "expectation-unusable",
        means: "An expectation cannot be compared: its file cannot be read, or has another shape or element type than the buffer.",
        why: "Nothing was compared.",
        fix: "Give an array of the buffer's shape and element type.",
        source: OWN,
    },
    Entry {
        code: "expected-element-undefined",
        means: "An element that is expected to hold something was written by nobody, or what was written came from undefined bytes.",
        why: "On a device it holds whatever was there before. Where a race or an uninitialised read stands before it, it is their consequence.",
        fix: "See who should write the element: a tail that no thread covers, a store past the box, a read of shared memory that no copy filled.",
        source: OWN,
    },
    Entry {
        code: "printf-not-shown",
        means: "The kernel calls printf.",
        why: "What it prints is not shown; the call changes nothing else.",
        fix: "Write what matters to a buffer and look at that.",
        source: Source::manual("CUDA C++ programming guide, formatted output"),
    },
    Entry {
        code: "replay-does-not-fit",
        means: "A replay line names a run of an exhaustive exploration that does not exist.",
        why: "Runs of an exploration are numbered. Another kernel, other buffers or another launch have other runs.",
        fix: "Use the line on the files that it was printed for.",
        source: OWN,
    },
    Entry {
        code: "step-limit",
        means: "A run reached the most instructions it may execute, and did not end.",
        why: "Either the kernel does not end or it is larger than the limit; nothing is known beyond it, and the verdict is `unsupported`.",
        fix: "Look for a loop that cannot end, or raise --step-limit.",
        source: OWN,
    },
    Entry {
        code: "too-many-resident-blocks",
        means: "Blocks wait for blocks that have not started, and nobody knows whether the chip would hold them all.",
        why: "Blocks start when others end. A launch whose blocks wait for each other hangs on a chip that holds fewer of them; how many this one holds is not known.",
        fix: "Say with --resident N how many blocks the chip holds, or launch fewer blocks.",
        source: OWN,
    },
    Entry {
        code: "trap",
        means: "A trap instruction was executed.",
        why: "Compilers put it where an assertion fails or control must not arrive. The launch ends with an error.",
        fix: "See which condition leads there.",
        source: PTX,
    },
];
