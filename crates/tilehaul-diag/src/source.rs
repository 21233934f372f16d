//! Where a rule or a behaviour is known from.

use std::fmt;

/// How well a fact is known. A hardware record beats a manual, a manual beats an inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fidelity {
    /// Measured on a real device.
    Hardware,
    /// Stated by a vendor's document or header.
    Manual,
    /// Concluded from tools, reference implementations or other facts.
    Inferred,
}

impl Fidelity {
    /// The word used in citations: `hardware`, `manual` or `inferred`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Fidelity::Hardware => "hardware",
            Fidelity::Manual => "manual",
            Fidelity::Inferred => "inferred",
        }
    }
}

/// A citation: how well the fact is known, and from where (`h200 fact 34`, `cuda.h`, `CDNA5 ISA Table 63`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    /// How well the fact is known.
    pub fidelity: Fidelity,
    /// Where to look it up.
    pub place: &'static str,
}

impl Source {
    /// Measured on a real device.
    #[must_use]
    pub const fn hardware(place: &'static str) -> Source {
        Source { fidelity: Fidelity::Hardware, place }
    }

    /// Stated by a vendor's document or header.
    #[must_use]
    pub const fn manual(place: &'static str) -> Source {
        Source { fidelity: Fidelity::Manual, place }
    }

    /// Concluded from other facts.
    #[must_use]
    pub const fn inferred(place: &'static str) -> Source {
        Source { fidelity: Fidelity::Inferred, place }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.fidelity.word(), self.place)
    }
}
