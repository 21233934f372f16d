//! Targets and what DMA they have.

/// A target that LLVM compiles for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Name such as `gfx950`.
    pub name: &'static str,
    /// What loads to LDS it has.
    pub dma: Dma,
    /// Sizes in bytes of a direct load to LDS.
    pub sizes: &'static [u64],
    /// Lanes of a wave.
    pub wave: u64,
    /// Bytes of LDS that a workgroup can have.
    pub lds: u64,
    /// How the bits of a cache policy read.
    pub policy: Policy,
    /// Whether compilers wait for all memory operations before a bare `s_barrier`.
    pub waits_before_barrier: bool,
}

/// The family of a target's DMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dma {
    /// Direct loads to LDS, counted by vmcnt.
    Direct {
        /// `global_load_lds_dword …` (gfx942 and up) rather than `global_load_dword … lds`.
        new_names: bool,
    },
    /// gfx1250's asynchronous, cluster and tensor copies.
    Async,
    /// None.
    None,
}

/// Names of cache policy bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// glc, slc.
    Glc,
    /// glc, slc, scc (gfx90a).
    GlcScc,
    /// sc0, nt, sc1.
    Sc,
    /// Temporal hint, scope, nv.
    ThScope,
}

const OLD: Dma = Dma::Direct { new_names: false };
const NEW: Dma = Dma::Direct { new_names: true };
const WORDS: &[u64] = &[1, 2, 4];

const fn row(
    name: &'static str,
    dma: Dma,
    sizes: &'static [u64],
    wave: u64,
    policy: Policy,
    waits: bool,
) -> Target {
    Target { name, dma, sizes, wave, lds: 65_536, policy, waits_before_barrier: waits }
}

impl Target {
    const fn with_lds(self, bytes: u64) -> Target {
        Target { lds: bytes, ..self }
    }
}

/// Every target that is known. Sizes and forms are what llc 22 and LLVM 24 select.
pub static TARGETS: &[Target] = &[
    row("gfx900", OLD, WORDS, 64, Policy::Glc, true),
    row("gfx906", OLD, WORDS, 64, Policy::Glc, true),
    row("gfx908", OLD, WORDS, 64, Policy::Glc, true),
    row("gfx90a", OLD, WORDS, 64, Policy::GlcScc, false),
    row("gfx942", NEW, WORDS, 64, Policy::Sc, false),
    row("gfx950", NEW, &[1, 2, 4, 12, 16], 64, Policy::Sc, false).with_lds(163_840),
    row("gfx1030", OLD, WORDS, 32, Policy::Glc, true),
    row("gfx1100", Dma::None, &[], 32, Policy::Glc, true),
    row("gfx1200", Dma::None, &[], 32, Policy::ThScope, false),
    row("gfx1201", Dma::None, &[], 32, Policy::ThScope, false),
    row("gfx1250", Dma::Async, &[], 32, Policy::ThScope, false).with_lds(327_680),
    row("gfx1251", Dma::Async, &[], 32, Policy::ThScope, false).with_lds(327_680),
];

impl Target {
    /// The target of a name such as `gfx950`, `gfx942:sramecc+` or `amdgcn-amd-amdhsa--gfx90a`.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Target> {
        let name = name.trim().to_ascii_lowercase();
        let name = name.split(':').next().unwrap_or_default();
        let name = name.rsplit('-').next().unwrap_or_default();
        TARGETS.iter().find(|t| t.name == name)
    }
}
