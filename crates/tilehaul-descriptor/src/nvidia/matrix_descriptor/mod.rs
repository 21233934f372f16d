//! The 64-bit descriptors by which `wgmma` and `tcgen05` find a matrix in shared memory.
//!
//! A matrix descriptor holds a start address, two byte offsets (leading and stride dimension), a base offset and a
//! swizzle. Addresses and offsets are stored in units of 16 bytes. The swizzle must be the one that the tensor map
//! wrote the tile with: a mismatch is wrong data, not an error.

mod format;
#[cfg(test)]
mod tests;

use tilehaul_diag::Diagnostic;

use super::Swizzle;
use crate::Rule;
use crate::explain::Explanation;
use crate::field::{Encoding, FormatSpec};

pub use format::{TCGEN05, WGMMA};
use format::{TCGEN05_TEXT, WGMMA_TEXT};

/// Which instruction family a matrix descriptor is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixUnit {
    /// `wgmma`, sm_90a.
    Wgmma,
    /// `tcgen05`, sm_100a and its family.
    Tcgen05,
}

/// Does the leading offset count from the start, or is it an address?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeadingOffset {
    /// A distance in bytes.
    #[default]
    Relative,
    /// A shared-memory address (sm_103a).
    Absolute,
}

/// A matrix in shared memory. Addresses and offsets are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixDescriptor {
    /// Which instruction family it is for.
    pub unit: MatrixUnit,
    /// Shared-memory address, a multiple of 16 below 2^18.
    pub start: u32,
    /// Leading dimension byte offset, a multiple of 16 below 2^18.
    pub leading: u32,
    /// Stride dimension byte offset, a multiple of 16 below 2^18.
    pub stride: u32,
    /// Line of the swizzle pattern at which the matrix starts, 0 to 7.
    pub base_offset: u8,
    /// How to read `leading`.
    pub leading_offset: LeadingOffset,
    /// How chunks change places.
    pub swizzle: Swizzle,
}

/// Rules of matrix descriptors.
pub const RULES: &[Rule] = &[CODE, RESERVED, BASE_OFFSET, PATTERN];
const CODE: Rule = Rule::error(
    "matrix-descriptor-swizzle",
    "The swizzle code of a matrix descriptor must have a meaning.",
    TCGEN05_TEXT,
);
const RESERVED: Rule = Rule::error(
    "matrix-descriptor-constant",
    "Unused bits of a matrix descriptor are 0, bits 48 to 46 of a tcgen05 one are 0b001.",
    TCGEN05_TEXT,
);
const BASE_OFFSET: Rule = Rule::warning(
    "matrix-descriptor-base-offset",
    "The base offset is (start / 128) modulo the lines after which the swizzle repeats, and 0 without a swizzle.",
    WGMMA_TEXT,
);
const PATTERN: Rule = Rule::note(
    "matrix-descriptor-pattern",
    "A swizzled matrix that starts inside the pattern must start at a multiple of 16 bytes within a row, its base offset counting lines.",
    WGMMA_TEXT,
);

const WGMMA_SWIZZLES: &[(u64, Swizzle)] =
    &[(0, Swizzle::None), (1, Swizzle::B128), (2, Swizzle::B64), (3, Swizzle::B32)];
const TCGEN05_SWIZZLES: &[(u64, Swizzle)] =
    &[(0, Swizzle::None), (1, Swizzle::B128Atom32), (2, Swizzle::B128), (4, Swizzle::B64), (6, Swizzle::B32)];

impl MatrixUnit {
    /// Its table.
    #[must_use]
    pub fn format(self) -> &'static FormatSpec {
        match self {
            MatrixUnit::Wgmma => &WGMMA,
            MatrixUnit::Tcgen05 => &TCGEN05,
        }
    }

    fn swizzles(self) -> &'static [(u64, Swizzle)] {
        match self {
            MatrixUnit::Wgmma => WGMMA_SWIZZLES,
            MatrixUnit::Tcgen05 => TCGEN05_SWIZZLES,
        }
    }
}

impl MatrixDescriptor {
    /// Reads a descriptor; `None` when its swizzle code has no meaning. Unused bits are dropped.
    #[must_use]
    pub fn decode(unit: MatrixUnit, word: u64) -> Option<MatrixDescriptor> {
        let words = split(word);
        let stored = |name: &str| unit.format().field(name).map_or(0, |f| f.stored(&words));
        let code = stored("swizzle");
        let (_, swizzle) = unit.swizzles().iter().find(|(c, _)| *c == code)?;
        // Fields of at most 14 bits.
        Some(MatrixDescriptor {
            unit,
            start: (stored("start-address") as u32) << 4,
            leading: (stored("leading-dimension-offset") as u32) << 4,
            stride: (stored("stride-dimension-offset") as u32) << 4,
            base_offset: stored("base-offset") as u8,
            leading_offset: if stored("leading-offset-mode") == 1 {
                LeadingOffset::Absolute
            } else {
                LeadingOffset::Relative
            },
            swizzle: *swizzle,
        })
    }

    /// The 64 bits, or `None` when a number does not fit its field or the unit has no such swizzle.
    #[must_use]
    pub fn encode(&self) -> Option<u64> {
        let format = self.unit.format();
        let mut words = [0; 2];
        let (code, _) = self.unit.swizzles().iter().find(|(_, swizzle)| *swizzle == self.swizzle)?;
        let mut values: Vec<(&str, i128)> = vec![
            ("start-address", self.start.into()),
            ("leading-dimension-offset", self.leading.into()),
            ("stride-dimension-offset", self.stride.into()),
            ("base-offset", self.base_offset.into()),
            ("swizzle", (*code).into()),
        ];
        match (self.unit, self.leading_offset) {
            (MatrixUnit::Tcgen05, mode) => {
                values.push(("version", 1));
                values.push(("leading-offset-mode", (mode == LeadingOffset::Absolute).into()));
            }
            (MatrixUnit::Wgmma, LeadingOffset::Absolute) => return None,
            (MatrixUnit::Wgmma, LeadingOffset::Relative) => {}
        }
        for (name, value) in values {
            let field = format.field(name)?;
            field.store(&mut words, field.encode(value)?);
        }
        Some(u64::from(words[0]) | u64::from(words[1]) << 32)
    }

    /// What is probably a mistake in it.
    #[must_use]
    pub fn validate(&self) -> Vec<Diagnostic> {
        let mut said = Vec::new();
        let lines = self.swizzle.repeat() / 128;
        let wanted = if lines > 1 { self.start / 128 % lines } else { 0 };
        if u32::from(self.base_offset) != wanted && (lines > 1 || self.base_offset != 0) {
            said.push(BASE_OFFSET.broken(
                format!(
                    "base offset is {}, but a matrix at {:#x} starts in line {wanted} of the {} pattern",
                    self.base_offset,
                    self.start,
                    self.swizzle.name()
                ),
                format!("Use base offset {wanted}, or align the tile to {} B.", self.swizzle.repeat()),
            ));
        } else if wanted != 0 {
            said.push(PATTERN.told(format!(
                "the matrix starts at {:#x}, line {wanted} of the {} pattern, as its base offset says",
                self.start,
                self.swizzle.name()
            )));
        }
        said
    }
}

/// Everything there is to say about a matrix descriptor.
#[must_use]
pub fn explain_matrix(unit: MatrixUnit, word: u64) -> Explanation {
    let words = split(word);
    let mut explanation = Explanation::of(unit.format(), &words);
    for field in unit.format().fields {
        if let Encoding::Reserved(wanted) = field.encoding {
            let stored = field.stored(&words);
            if stored != wanted {
                explanation
                    .diagnostics
                    .push(RESERVED.told(format!("{} is {stored:#x}, and must be {wanted:#x}", field.name)));
            }
        }
    }
    match MatrixDescriptor::decode(unit, word) {
        Some(matrix) => {
            explanation.summary = format!(
                "A matrix at {:#x}, leading offset {} B, stride offset {} B, swizzle {}.",
                matrix.start,
                matrix.leading,
                matrix.stride,
                matrix.swizzle.name()
            );
            explanation.diagnostics.extend(matrix.validate());
        }
        None => explanation.diagnostics.push(CODE.told("the swizzle code has no meaning")),
    }
    explanation
}

fn split(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}
