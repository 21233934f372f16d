//! Findings that are neither a hazard of the checker nor a rule of a descriptor: what launch files, readers, executors and
//! pasted lines can say. One file a chapter, one row a code.

mod amd;
mod barriers;
mod ends;
mod launches;
mod memory;
mod pasted;
mod ptx_alone;
mod ptx_text;
mod tensor;
mod tma;

use tilehaul_diag::Source;

/// What is known about one code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Stable name; never reused for another meaning.
    pub(super) code: &'static str,
    /// What it says.
    pub(super) means: &'static str,
    /// Why it matters on a device.
    pub(super) why: &'static str,
    /// How to mend it.
    pub(super) fix: &'static str,
    /// Where it is known from.
    pub(super) source: Source,
}

/// Entries of one part of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chapter {
    /// What they are about.
    pub(super) title: &'static str,
    /// One a code, in order of code.
    pub(super) entries: &'static [Entry],
}

const OWN: Source = Source::inferred("tilehaul's own inputs: docs/launch-files.md");
const CUDA: Source =
    Source::manual("CUDA driver API, cuLaunchKernelEx; CUDA programming guide, technical specifications");
const HIP: Source = Source::manual("ROCm, hip_module.cpp");
const PTX: Source = Source::manual("PTX ISA");
const PTXAS: Source = Source::manual("PTX ISA; ptxas 13.5");
const TMEM: Source = Source::manual("PTX ISA, tcgen05.alloc and tcgen05.dealloc");
const LLVM: Source = Source::manual("LLVM AMDGPUUsage");
const LLVM_MC: Source = Source::inferred("what llvm-mc 22 assembles");

/// All chapters.
pub(super) const CHAPTERS: &[Chapter] = &[
    Chapter { title: "Launches", entries: launches::ENTRIES },
    Chapter { title: "Ends of runs and results", entries: ends::ENTRIES },
    Chapter { title: "Memory", entries: memory::ENTRIES },
    Chapter { title: "Barriers", entries: barriers::ENTRIES },
    Chapter { title: "Copies of NVIDIA's engines", entries: tma::ENTRIES },
    Chapter { title: "Tensor cores and tensor memory", entries: tensor::ENTRIES },
    Chapter { title: "AMD instructions", entries: amd::ENTRIES },
    Chapter { title: "PTX text", entries: ptx_text::ENTRIES },
    Chapter { title: "PTX text without a launch", entries: ptx_alone::ENTRIES },
    Chapter { title: "Pasted lines and calls", entries: pasted::ENTRIES },
];
