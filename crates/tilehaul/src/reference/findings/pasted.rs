//! Lines and calls pasted into `explain`.

use tilehaul_diag::Source;

use super::{Entry, HIP, LLVM_MC, PTXAS};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "cuda-array-type",
        means: "An array argument of an encode call has elements of another size than the call reads.",
        why: "Dimensions and strides are read as 64-bit numbers, boxes and element strides as 32-bit ones: neighbours run together.",
        fix: "Declare the array with cuda.h's type (cuuint64_t or cuuint32_t).",
        source: Source::manual("cuda.h, cuTensorMapEncodeTiled"),
    },
    Entry {
        code: "cuda-braced-argument",
        means: "A call of cuTensorMapEncode is given a braced list where it takes a pointer.",
        why: "A C++ compiler refuses it; in C a compound literal is needed.",
        fix: "Declare an array and pass its name.",
        source: Source::manual("cuda.h"),
    },
    Entry {
        code: "cuda-encode-arguments",
        means: "A call of cuTensorMapEncode has a wrong number of arguments.",
        why: "A compiler refuses it.",
        fix: "Compare it with the declaration in cuda.h.",
        source: Source::manual("cuda.h"),
    },
    Entry {
        code: "instruction-not-known",
        means: "A pasted instruction is in no table of the target.",
        why: "Whether it exists cannot be said.",
        fix: "Compare its spelling with the assembler's.",
        source: Source::inferred("the project's instruction tables"),
    },
    Entry {
        code: "lds-load-waited-on-lgkmcnt",
        means: "A load to LDS is waited for on lgkmcnt.",
        why: "Direct loads count in vmcnt: the wait returns before the bytes are there.",
        fix: "Wait with s_waitcnt vmcnt(0), then a barrier before other waves read.",
        source: Source::manual("CDNA3 and CDNA4 ISA, wait counters"),
    },
    Entry {
        code: "lds-load-with-destination",
        means: "A load to LDS is written with a destination register.",
        why: "It has none: the data goes to LDS at M0.",
        fix: "Leave the register out and set M0.",
        source: LLVM_MC,
    },
    Entry {
        code: "lds-load-without-m0",
        means: "A load to LDS stands in text that never writes M0.",
        why: "It writes LDS at M0.",
        fix: "Put s_mov_b32 m0, <LDS byte offset> and s_nop 0 in front of it.",
        source: LLVM_MC,
    },
    Entry {
        code: "no-hip-memcpy-to-shared",
        means: "The text calls a function that HIP does not have.",
        why: "There is no __hip_memcpy_to_shared.",
        fix: "Use __builtin_amdgcn_global_load_lds or __builtin_amdgcn_load_to_lds, then wait.",
        source: HIP,
    },
    Entry {
        code: "ptx-bulk-load-without-mbarrier",
        means: "A bulk load does not say how it completes.",
        why: "Loads into shared memory complete on an mbarrier.",
        fix: "Add .mbarrier::complete_tx::bytes and the barrier's address.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-bulk-state-space",
        means: "A bulk copy names .shared.",
        why: "The instruction takes .shared::cta or .shared::cluster.",
        fix: "Write one of them.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-bulk-store-without-group",
        means: "A bulk store does not say how it completes.",
        why: "Stores complete by bulk groups.",
        fix: "Add .bulk_group, then commit and wait for the group.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-coordinates-in-braces",
        means: "The coordinates of a tensor copy stand without braces.",
        why: "ptxas refuses the text.",
        fix: "Write [map, {x, y}].",
        source: PTXAS,
    },
    Entry {
        code: "ptx-expect-tx-without-bytes",
        means: "expect_tx has no byte count.",
        why: "ptxas refuses the text.",
        fix: "Add the bytes of the copies as third operand.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-remote-arrive-returns-nothing",
        means: "An arrival on another block's barrier has a destination.",
        why: "It returns no state.",
        fix: "Write _ as destination.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-wait-group-register",
        means: "wait_group is given a register.",
        why: "It takes a constant.",
        fix: "Write the number of groups that may stay outstanding.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-wait-without-predicate",
        means: "A test of a barrier has no destination.",
        why: "It answers with a predicate and does not block for good.",
        fix: "Give it a predicate and branch back while it is false.",
        source: PTXAS,
    },
];
