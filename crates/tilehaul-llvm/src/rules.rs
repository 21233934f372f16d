//! Rules about DMA intrinsics.

use tilehaul_descriptor::Rule;
use tilehaul_diag::Source;

const DOC: Source = Source::manual("llvm AMDGPUDMAOperations");
const ASYNC_DOC: Source = Source::manual("llvm AMDGPU async operations");
const LLC: Source = Source::inferred("what llc 22 selects");

macro_rules! rules {
    ($( $konst:ident = $level:ident $code:literal, $source:expr, $text:literal; )*) => {
        $( #[doc = $text] pub const $konst: Rule = Rule::$level($code, $text, $source); )*
        /// All rules.
        pub static ALL: &[Rule] = &[$($konst),*];
    };
}

rules! {
    TARGET = error "llvm-target", LLC, "Only AMD targets that are known can be checked.";
    NOT_SELECTABLE = error "llvm-not-selectable", LLC, "An intrinsic needs a target that has its instruction.";
    NOT_IMMEDIATE = error "llvm-immediate", DOC, "size, offset and cache policy are immediates.";
    ARGUMENTS = error "llvm-arguments", DOC, "An intrinsic takes the arguments of its declaration.";
    OFFSET_RANGE = error "llvm-offset-range", LLC, "The immediate offset must fit the instruction; compilers cut it silently.";
    ADDRESS_SPACE = error "llvm-address-space", DOC, "LDS pointers are in address space 3, global ones in 1.";
    FLAT_SOURCE = warning "llvm-flat-source", LLC, "A flat source becomes a global load: a flat pointer to LDS or scratch is read as a global address.";
    LDS_UNIFORM = error "llvm-lds-base-divergent", DOC, "The LDS base of a direct load must be the same in every lane.";
    LDS_MAYBE_DIVERGENT = warning "llvm-lds-base-unknown", DOC, "A value that must be the same in every lane comes in vector registers.";
    UNIFORM = error "llvm-operand-divergent", DOC, "Resources, scalar offsets, descriptors and cluster masks must be the same in every lane.";
    TENSOR_VOLATILE = error "llvm-tensor-volatile", DOC, "Tensor transfers support neither volatile nor nontemporal.";
    ATOMIC = error "llvm-dma-atomic", DOC, "DMA operations cannot be performed atomically.";
    FIFTH_GROUP = error "llvm-fifth-group", DOC, "The fifth descriptor group is reserved and must be zero.";
    POLICY_BITS = error "llvm-cache-policy", LLC, "Cache policy bits that the target does not have must be 0.";
    STAGE_MASK = error "llvm-stage-mask", ASYNC_DOC, "A stage mask has bits 0 to 10.";
    WAIT_WIDE = warning "llvm-wait-immediate", LLC, "A count of more than 63 never waits: the counters have 6 bits.";
    WAIT_IDLE = warning "llvm-wait-without-mark", ASYNC_DOC, "A wait that allows as many marks as there are waits for nothing.";
    UNMARKED = warning "llvm-transfer-unmarked", ASYNC_DOC, "A transfer after the last asyncmark is covered by no wait.asyncmark.";
    RAW = error "llvm-read-before-landing", ASYNC_DOC, "LDS that a transfer writes may be read only after the transfer is known to be complete.";
    RAW_OTHER_WAVES = error "llvm-barrier-before-wait", LLC, "Each wave must wait for its own transfers before the barrier that lets others read.";
    LATE_WAIT = warning "llvm-wait-after-barrier", LLC, "A wait after the barrier covers only the waiting wave's own transfers.";
    WAW = error "llvm-write-before-landing", ASYNC_DOC, "LDS that a transfer writes may be written only after the transfer is known to be complete.";
    SOURCE_CHANGED = error "llvm-source-changed", ASYNC_DOC, "LDS that an asynchronous store reads may be written only after the store is known to be complete.";
    SOURCE_PENDING = error "llvm-source-not-written", LLC, "Writes to LDS must be complete before an asynchronous store reads them.";
    MIXED = error "llvm-unordered-transfers", Source::manual("CDNA5 ISA 10.8"), "Asynchronous loads and stores of one wave are unordered with each other.";
    LDS_BARRIER = warning "llvm-lds-write-before-barrier", LLC, "A barrier does not wait for LDS writes: a release fence must precede it.";
    LDS_CAPACITY = error "llvm-lds-capacity", LLC, "A workgroup's LDS arrays must fit the LDS that it can have.";
    FEW_WAVES = note "llvm-few-waves", Source::inferred("rule of thumb: under 8 waves a CU nothing hides memory latency"), "LDS use limits how many waves a CU can hold.";
    ISSUE_SHARE = note "llvm-issue-share", Source::inferred("each direct load takes an issue slot of its wave"), "Direct loads compete with matrix instructions for issue slots.";
    MASKED_LANES = note "llvm-masked-lanes", DOC, "Lanes that are off leave their LDS slots as they were, and a wave that skips the branch counts nothing.";
    OVERFLOW = warning "llvm-counter-overflow", LLC, "More operations outstanding than a counter can hold: the issue stalls.";
    OLD_COMPILER = note "llvm-newer-than-22", LLC, "Some forms need an LLVM newer than 22.";
    LGKM_BUG = note "llvm-22-lgkmcnt", Source::inferred("llvm-project #179305"), "LLVM 22 counts global_load_lds in lgkmcnt on gfx942 and gfx950 and waits too little for LDS reads before it.";
    ASSEMBLY = note "llvm-inline-assembly", LLC, "Inline assembly is looked through only for waits.";
    GIVEN_UP = note "llvm-function-too-large", LLC, "Orderings were followed only so far.";
}
