//! The processors this reader knows.

use std::fmt;

use super::format::Generation;

/// A processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// CDNA3 (MI300).
    Gfx942,
    /// CDNA4 (MI350).
    Gfx950,
    /// CDNA5 (MI400).
    Gfx1250,
}

impl Target {
    /// Every target, oldest first.
    pub const ALL: [Target; 3] = [Target::Gfx942, Target::Gfx950, Target::Gfx1250];

    /// The name compilers use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Target::Gfx942 => "gfx942",
            Target::Gfx950 => "gfx950",
            Target::Gfx1250 => "gfx1250",
        }
    }

    /// The target of that name. The end of a target id (`amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-`) is read too.
    #[must_use]
    pub fn from_name(text: &str) -> Option<Target> {
        let name = text.rsplit("-").next()?.split(':').next()?;
        Target::ALL.into_iter().find(|t| t.name() == name)
    }

    /// Its instruction table.
    #[must_use]
    pub fn generation(self) -> Generation {
        match self {
            Target::Gfx942 | Target::Gfx950 => Generation::Gfx9,
            Target::Gfx1250 => Generation::Gfx12,
        }
    }

    /// Lanes of a wave: 64 on gfx9, 32 on gfx1250 (manual: LLVM AMDGPUUsage, processors).
    #[must_use]
    pub fn wave_lanes(self) -> u32 {
        match self.generation() {
            Generation::Gfx9 => 64,
            Generation::Gfx12 => 32,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
