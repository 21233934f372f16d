//! AMD assembly, code objects and instructions.

use tilehaul_diag::Source;

use super::{Entry, LLVM, LLVM_MC, OWN};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "assembly-kernel",
        means: "The assembly text has no kernel: no .amdhsa_kernel block, or no label of its name.",
        why: "A launch cannot know its registers.",
        fix: "Keep the .amdhsa_kernel block that the compiler prints (clang -S, Triton's amdgcn).",
        source: LLVM,
    },
    Entry {
        code: "assembly-line",
        means: "A line does not assemble for the target.",
        why: "The instruction does not exist there, or an operand or modifier does not fit it.",
        fix: "Compare it with the target's ISA document, or with llvm-mc -mcpu=TARGET.",
        source: LLVM_MC,
    },
    Entry {
        code: "assembly-metadata",
        means: "The .amdgpu_metadata of a kernel cannot be read, or contradicts its .amdhsa_kernel block.",
        why: "The loader obeys one and the hardware the other: memory is missing at run time.",
        fix: "Give both the same sizes.",
        source: LLVM,
    },
    Entry {
        code: "code-object",
        means: "The file is no code object that can be run: no ELF, not linked, for another machine, without a kernel, or with a section, a relocation or metadata that cannot be read.",
        why: "Nothing was run.",
        fix: "Name a linked code object; `ld.lld -shared IN.o -o OUT.hsaco` links an object file.",
        source: LLVM,
    },
    Entry {
        code: "code-object-unsupported",
        means: "The code object asks the loader for something that is not modelled, such as another type of relocation.",
        why: "Nothing was run: the kernel would read words that were never filled in.",
        fix: "Link the code object without it.",
        source: LLVM,
    },
    Entry {
        code: "jump-outside-code",
        means: "A jump or the end of the code leads where the kernel has no instruction.",
        why: "The wave executes whatever bytes are there.",
        fix: "End the kernel with s_endpgm, and see where the target address comes from.",
        source: LLVM,
    },
    Entry {
        code: "m0-not-set",
        means: "A direct load takes its LDS address from M0, which the wave has not written.",
        why: "M0 holds anything at the start of a wave.",
        fix: "Write the LDS byte offset to M0 before the load: s_mov_b32 m0, sN.",
        source: Source::manual("CDNA3 and CDNA4 ISA, loads to LDS"),
    },
    Entry {
        code: "m0-unaligned",
        means: "M0 plus the offset of a direct load is no multiple of 4.",
        why: "What the hardware does with the low bits is not documented.",
        fix: "Use a multiple of 4.",
        source: Source::inferred("CDNA3 and CDNA4 ISA, loads to LDS"),
    },
    Entry {
        code: "m0-written-just-before",
        means: "A direct load takes its LDS address from M0, which the instruction just before it writes (gfx9).",
        why: "Nothing makes the load wait for the scalar unit: it may use the old M0, and the bytes land elsewhere.",
        fix: "Put s_nop 0, or any other instruction, between the two.",
        source: Source::manual("CDNA3 ISA 4.5, manually inserted wait states; LLVM GCNHazardRecognizer"),
    },
    Entry {
        code: "matrix-wait-states-missing",
        means: "An instruction uses the registers of a matrix product before the wait states that it needs have gone by, or a product \
                reads what a vector instruction has just written.",
        why: "Products take 2 to 16 passes (gfx942, gfx950), and on gfx1250 they run beside other vector instructions. Nothing holds \
              the other instruction up: it takes, or overwrites, what stood in the register before. Compilers keep the distance.",
        fix: "Put the s_nop (gfx1250: the v_nop) between the two that the finding names, or as many other instructions.",
        source: Source::manual("CDNA3 ISA 4.5, manually inserted wait states; LLVM GCNHazardRecognizer"),
    },
    Entry {
        code: "multicast-mask",
        means: "The workgroup mask of a load names a workgroup outside the cluster.",
        why: "Its LDS does not exist.",
        fix: "Set only mask bits below the size of the cluster.",
        source: Source::manual("CDNA5 ISA 10.8"),
    },
    Entry {
        code: "multicast-partner-missing",
        means: "A workgroup that the mask of a multicast load names never issues that load.",
        why: "Every workgroup of the mask is to make the same request; the others wait for it until a timeout (at once with early_timeout).",
        fix: "Let every workgroup of the mask issue the load, or leave its bit out.",
        source: Source::manual("CDNA5 ISA 10.7"),
    },
    Entry {
        code: "register-before-wait",
        means: "A register is used before the load that fills it is known to have ended.",
        why: "It may hold the old value.",
        fix: "Wait on the counter of the load before the use.",
        source: Source::manual("AMD ISA documents, wait counters"),
    },
    Entry {
        code: "register-overwritten-before-load",
        means: "A register is written while a load that fills it is outstanding.",
        why: "The load may land afterwards and overwrite the new value.",
        fix: "Wait on the counter of the load first.",
        source: Source::manual("AMD ISA documents, wait counters"),
    },
    Entry {
        code: "register-overwritten-before-translation",
        means: "A register that a memory instruction reads is written while the instruction may still have to be sent again.",
        why: "After an XNACK retry it would be read anew, with the new value.",
        fix: "Put s_wait_xcnt before the write.",
        source: Source::inferred("LLVM SIInsertWaitcnts, X_CNT"),
    },
    Entry {
        code: "tdm-descriptor",
        means: "A tensor instruction is given an illegal D#.",
        why: "The instruction raises a memory violation, or moves something else.",
        fix: "See the rules of the descriptor that the message names; `tilehaul explain` reads its words.",
        source: Source::manual("CDNA5 ISA 10.12"),
    },
    Entry {
        code: "tdm-extent-not-shrunk",
        means: "The rows of a tensor operation that starts within a row run into the next ones, and nothing is masked.",
        why: "Extents count from the tile's address, not from the tensor's: at column c of a row of n elements n - c are left.",
        fix: "Set tensor_dim0 to the length of a row less the tile's column.",
        source: Source::manual("CDNA5 ISA 10.11, tensor dimensions are counted from the tile's start"),
    },
    Entry {
        code: "tdm-lds-out-of-range",
        means: "A tile needs more LDS than the workgroup has.",
        why: "The instruction raises a memory violation; the rest of the tile is still moved.",
        fix: "Move the tile to a lower LDS address, or ask for more LDS.",
        source: Source::manual("CDNA5 ISA p. 156"),
    },
    Entry {
        code: "tdm-switch",
        means: "What a tensor operation does depends on a point on which sources disagree.",
        why: "The run followed the setting that the note names; a device may do the other thing.",
        fix: "Avoid the case, or run again with the other value of that key of `[amd]`.",
        source: Source::manual("CDNA5 ISA p. 149-156"),
    },
    Entry {
        code: "tensor-in-clause",
        means: "A tensor operation stands inside an s_clause.",
        why: "Clauses hold loads of one kind; a tensor operation is none of them.",
        fix: "Take the tensor operation out of the clause, or the s_clause away.",
        source: Source::manual("CDNA5 ISA 10.11"),
    },
    Entry {
        code: "unsupported-instruction",
        means: "An instruction was reached that is not modelled, or a form of one.",
        why: "The run cannot go on; nothing is said about what comes after.",
        fix: "Nothing is wrong with the kernel. Check the part before it, or replace the instruction.",
        source: OWN,
    },
    Entry {
        code: "wait-never-waits",
        means: "A wait allows more operations to stay outstanding than its counter can count.",
        why: "The counter stops at its largest value, so that the wait returns at once whatever is under way.",
        fix: "Wait for fewer, or leave the wait out where none is needed.",
        source: Source::manual("CDNA5 ISA 10.8"),
    },
    Entry {
        code: "wait-states-missing",
        means: "An instruction takes a register, M0, EXEC or a mode that another one writes, before the wait states that it needs have \
                gone by: a scalar register that a vector instruction writes and memory goes by, a lane number, the source of a DPP \
                instruction, the data of a wide store, the result of a transcendental function, and their like.",
        why: "On gfx942 and gfx950 nothing holds such an instruction up: it takes the old value. On gfx1250 transcendental functions run \
              beside other vector instructions. Compilers keep the distance.",
        fix: "Put the s_nop (gfx1250: the v_nop) between the two that the finding names, or as many other instructions.",
        source: Source::manual("CDNA3 ISA 4.5, manually inserted wait states; LLVM GCNHazardRecognizer"),
    },
    Entry {
        code: "wave-killed",
        means: "A wave is killed, as `[amd] kill_wave` of the launch file asks (or it ended before).",
        why: "Its tensor operations stop and still return done: tensorcnt drains, what had not landed is lost, no LDS barrier is told.",
        fix: "Nothing is wrong by itself; see what the other waves of the workgroup make of it.",
        source: Source::manual("CDNA5 ISA 10.11, killed waves; RTN_SAVE_WAVE_HAS_TDM"),
    },
];
