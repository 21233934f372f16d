//! Launch files and what a driver would say of a launch.

use tilehaul_diag::Source;

use super::{CUDA, Entry, LLVM, OWN};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "kernel-file",
        means: "The file that a launch names as its kernel cannot be read, or is no kernel of a kind that can be run.",
        why: "Nothing was run.",
        fix: "Name a .ptx, .s, .hsaco or .co file; paths are relative to the launch file.",
        source: OWN,
    },
    Entry {
        code: "launch-arguments",
        means: "The arguments of the launch do not fit the kernel's parameters: their number, a size, or a kind.",
        why: "A driver copies as many bytes as the parameter has from where the argument lies; it checks neither number nor type, so a wrong list is read as garbage.",
        fix: "Give one entry of `args` for each explicit parameter, in order and of its size.",
        source: Source::manual("CUDA driver API, cuLaunchKernel; LLVM AMDGPUUsage, kernel argument metadata"),
    },
    Entry {
        code: "launch-block",
        means: "The block has more threads than the target or the kernel allows, or another shape than it was compiled for.",
        why: "The driver refuses the launch: CUDA_ERROR_INVALID_VALUE; hipErrorInvalidConfiguration above the device's limit, hipErrorLaunchFailure above the kernel's.",
        fix: "Launch a block within .maxntid, .reqntid or .max_flat_workgroup_size, or compile the kernel for larger blocks (__launch_bounds__).",
        source: CUDA,
    },
    Entry {
        code: "launch-cluster",
        means: "The cluster is too large, contradicts the one the kernel was compiled with, or does not divide the grid.",
        why: "The driver refuses the launch: CUDA_ERROR_INVALID_CLUSTER_SIZE.",
        fix: "Use the compiled cluster, at most 8 blocks (16 where the kernel allows a non-portable size), and a grid that is a multiple of it.",
        source: CUDA,
    },
    Entry {
        code: "launch-entry",
        means: "The kernel file has no kernel of that name, or several and the launch names none.",
        why: "Nothing was run.",
        fix: "Set `entry` to one of the kernels that the message lists.",
        source: OWN,
    },
    Entry {
        code: "launch-file",
        means: "A key of the launch file is unknown, missing, of the wrong type or out of range.",
        why: "A key that is silently ignored would mean another launch than the one that was written.",
        fix: "Mend the place shown; docs/launch-files.md lists the keys.",
        source: OWN,
    },
    Entry {
        code: "launch-grid",
        means: "The grid has more blocks in a direction than a launch can have.",
        why: "The driver refuses the launch: CUDA_ERROR_INVALID_VALUE.",
        fix: "Put the large extent into x: y and z have 65535.",
        source: CUDA,
    },
    Entry {
        code: "launch-hidden",
        means: "[hidden] gives a value to a hidden argument that the kernel does not have.",
        why: "The value would go nowhere.",
        fix: "Use a name that the kernel's metadata lists, without its prefix hidden_.",
        source: LLVM,
    },
    Entry {
        code: "launch-shape",
        means: "Grid, block or cluster contradict each other, have a zero, or are larger than can be run here.",
        why: "Such a launch is refused by a driver, or would take days to run.",
        fix: "Launch whole clusters, and a smaller grid where the machine is the limit.",
        source: CUDA,
    },
    Entry {
        code: "launch-shared",
        means: "Static and dynamic shared memory (LDS) together are more than a block of the target can have.",
        why: "ptxas or the driver refuses it: CUDA_ERROR_INVALID_VALUE, hipErrorInvalidValue.",
        fix: "Use smaller or fewer stages.",
        source: Source::manual(
            "CUDA programming guide, technical specifications; ptxas 13.5; ROCm, hip_module.cpp",
        ),
    },
    Entry {
        code: "launch-target",
        means: "The target of the launch is not one that the kernel can run on, or nobody names a target.",
        why: "Targets that end in a run on that architecture only, those that end in f on their family, and AMD code on its own processor: the driver finds no code for the device.",
        fix: "Remove `target`, name the kernel's own, or compile the kernel for it.",
        source: Source::manual("PTX ISA, .target; LLVM AMDGPUUsage, target ids"),
    },
    Entry {
        code: "ptx-local-size",
        means: "A thread's local memory is larger than is run.",
        why: "Local memory of every thread is held at once.",
        fix: "Use smaller local arrays.",
        source: OWN,
    },
    Entry {
        code: "target-unsupported",
        means: "The target is not modelled.",
        why: "Nothing is said about the kernel: this is no fault of it.",
        fix: "Compile for sm_90 or later, gfx942, gfx950 or gfx1250.",
        source: OWN,
    },
];
