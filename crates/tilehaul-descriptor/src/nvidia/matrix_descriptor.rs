//! The 64-bit descriptors by which `wgmma` and `tcgen05` find a matrix in shared memory, and the 32-bit instruction
//! descriptor of `tcgen05.mma`.
//!
//! A matrix descriptor holds a start address, two byte offsets (leading and stride dimension), a base offset and a
//! swizzle. Addresses and offsets are stored in units of 16 bytes. The swizzle must be the one that the tensor map
//! wrote the tile with: a mismatch is wrong data, not an error.

use tilehaul_diag::{Diagnostic, Source};

use super::Swizzle;
use crate::Rule;
use crate::explain::Explanation;
use crate::field::{Encoding, FieldSpec, FormatSpec, Piece, bits};

const WGMMA_TEXT: Source = Source::manual("PTX ISA, wgmma matrix descriptor");
const TCGEN05_TEXT: Source = Source::manual("PTX ISA, tcgen05 shared memory descriptor");
const INSTRUCTION_TEXT: Source = Source::manual("PTX ISA, tcgen05 instruction descriptor");

const fn field(
    name: &'static str,
    pieces: &'static [Piece],
    encoding: Encoding,
    unit: &'static str,
    doc: &'static str,
    source: Source,
) -> FieldSpec {
    FieldSpec { name, pieces, encoding, unit, doc, source }
}

macro_rules! shared_fields {
    ($source:expr, $($own:expr),* $(,)?) => {
        &[
            field(
                "start-address",
                &[bits(0, 0, 14)],
                Encoding::Units(16),
                "address",
                "Shared-memory address of the matrix, bits 17 to 4.",
                $source,
            ),
            field(
                "leading-dimension-offset",
                &[bits(0, 16, 14)],
                Encoding::Units(16),
                "bytes",
                "From one core matrix to the next along the leading dimension; unused by swizzled K-major matrices.",
                $source,
            ),
            field(
                "stride-dimension-offset",
                &[bits(1, 0, 14)],
                Encoding::Units(16),
                "bytes",
                "From one group of 8 rows to the next.",
                $source,
            ),
            field(
                "base-offset",
                &[bits(1, 17, 3)],
                Encoding::Plain,
                "128-byte lines",
                "Line of the swizzle pattern at which the matrix starts; 0 when it starts where the pattern repeats.",
                $source,
            ),
            $($own,)*
        ]
    };
}

/// The descriptor of `wgmma` (sm_90a).
pub const WGMMA: FormatSpec = FormatSpec {
    name: "wgmma matrix descriptor",
    words: 2,
    fields: shared_fields!(
        WGMMA_TEXT,
        field(
            "swizzle",
            &[bits(1, 30, 2)],
            Encoding::Choice(&[(0, "none"), (1, "128B"), (2, "64B"), (3, "32B")]),
            "",
            "How chunks change places; the tensor map's swizzle, under other numbers.",
            WGMMA_TEXT,
        ),
        field(
            "zero",
            &[bits(0, 14, 2), bits(0, 30, 2), bits(1, 14, 3), bits(1, 20, 10)],
            Encoding::Reserved(0),
            "",
            "Unused.",
            WGMMA_TEXT
        ),
    ),
};

/// The descriptor of `tcgen05.mma` and `tcgen05.cp` (sm_100a and its family).
pub const TCGEN05: FormatSpec = FormatSpec {
    name: "tcgen05 matrix descriptor",
    words: 2,
    fields: shared_fields!(
        TCGEN05_TEXT,
        field(
            "leading-offset-mode",
            &[bits(1, 20, 1)],
            Encoding::Choice(&[(0, "relative"), (1, "absolute")]),
            "",
            "Whether the leading offset is a distance or an address (absolute: sm_103a only).",
            TCGEN05_TEXT,
        ),
        field(
            "swizzle",
            &[bits(1, 29, 3)],
            Encoding::Choice(&[(0, "none"), (1, "128B_atom_32B"), (2, "128B"), (4, "64B"), (6, "32B")]),
            "",
            "How chunks change places; the tensor map's swizzle, under other numbers.",
            TCGEN05_TEXT,
        ),
        field("version", &[bits(1, 14, 3)], Encoding::Reserved(1), "", "Constant 0b001.", TCGEN05_TEXT),
        field(
            "zero",
            &[bits(0, 14, 2), bits(0, 30, 2), bits(1, 21, 8)],
            Encoding::Reserved(0),
            "",
            "Unused.",
            TCGEN05_TEXT
        ),
    ),
};

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

const TYPES_F8F6F4: &[(u64, &str)] =
    &[(0, "e4m3 / f16 / u8"), (1, "e5m2 / bf16 / s8"), (2, "tf32"), (3, "e2m3"), (4, "e3m2"), (5, "e2m1")];
const MAJOR: &[(u64, &str)] = &[(0, "K-major"), (1, "MN-major")];

/// The instruction descriptor of `tcgen05.mma` kinds tf32, f16, f8f6f4 and i8.
pub const TCGEN05_INSTRUCTION: FormatSpec = FormatSpec {
    name: "tcgen05 instruction descriptor",
    words: 1,
    fields: &[
        field(
            "sparsity-selector",
            &[bits(0, 0, 2)],
            Encoding::Plain,
            "",
            "Which metadata a sparse product uses.",
            INSTRUCTION_TEXT,
        ),
        field("sparse", &[bits(0, 2, 1)], Encoding::Flag, "", "A is sparse.", INSTRUCTION_TEXT),
        field(
            "saturate",
            &[bits(0, 3, 1)],
            Encoding::Flag,
            "",
            "Integer results saturate (kind i8).",
            INSTRUCTION_TEXT,
        ),
        field(
            "d-type",
            &[bits(0, 4, 2)],
            Encoding::Choice(&[(0, "f16"), (1, "f32"), (2, "s32")]),
            "",
            "Type of D.",
            INSTRUCTION_TEXT,
        ),
        field(
            "a-type",
            &[bits(0, 7, 3)],
            Encoding::Choice(TYPES_F8F6F4),
            "",
            "Type of A; the kind says which name holds.",
            INSTRUCTION_TEXT,
        ),
        field(
            "b-type",
            &[bits(0, 10, 3)],
            Encoding::Choice(TYPES_F8F6F4),
            "",
            "Type of B; the kind says which name holds.",
            INSTRUCTION_TEXT,
        ),
        field("negate-a", &[bits(0, 13, 1)], Encoding::Flag, "", "A is negated.", INSTRUCTION_TEXT),
        field("negate-b", &[bits(0, 14, 1)], Encoding::Flag, "", "B is negated.", INSTRUCTION_TEXT),
        field(
            "a-major",
            &[bits(0, 15, 1)],
            Encoding::Choice(MAJOR),
            "",
            "Which dimension of A is contiguous.",
            INSTRUCTION_TEXT,
        ),
        field(
            "b-major",
            &[bits(0, 16, 1)],
            Encoding::Choice(MAJOR),
            "",
            "Which dimension of B is contiguous.",
            INSTRUCTION_TEXT,
        ),
        field("n", &[bits(0, 17, 6)], Encoding::Units(8), "columns", "Columns of D.", INSTRUCTION_TEXT),
        field("m", &[bits(0, 24, 5)], Encoding::Units(16), "rows", "Rows of D.", INSTRUCTION_TEXT),
        field(
            "max-shift",
            &[bits(0, 30, 2)],
            Encoding::Choice(&[(0, "none"), (1, "8"), (2, "16"), (3, "32")]),
            "rows",
            "Largest shift of B in the weight-stationary form.",
            INSTRUCTION_TEXT,
        ),
        field(
            "zero",
            &[bits(0, 6, 1), bits(0, 23, 1), bits(0, 29, 1)],
            Encoding::Reserved(0),
            "",
            "Unused.",
            INSTRUCTION_TEXT,
        ),
    ],
};

/// The instruction descriptor of the block-scaled kinds mxf8f6f4, mxf4 and mxf4nvf4.
pub const TCGEN05_INSTRUCTION_SCALED: FormatSpec = FormatSpec {
    name: "tcgen05 instruction descriptor, block-scaled",
    words: 1,
    fields: &[
        field("sparse", &[bits(0, 2, 1)], Encoding::Flag, "", "A is sparse.", INSTRUCTION_TEXT),
        field(
            "b-scale-id",
            &[bits(0, 4, 2)],
            Encoding::Plain,
            "",
            "Byte of the scale cell that holds B's factor.",
            INSTRUCTION_TEXT,
        ),
        field(
            "a-type",
            &[bits(0, 7, 3)],
            Encoding::Plain,
            "",
            "Type of A, by the kind's own table.",
            INSTRUCTION_TEXT,
        ),
        field(
            "b-type",
            &[bits(0, 10, 3)],
            Encoding::Plain,
            "",
            "Type of B, by the kind's own table.",
            INSTRUCTION_TEXT,
        ),
        field("negate-a", &[bits(0, 13, 1)], Encoding::Flag, "", "A is negated.", INSTRUCTION_TEXT),
        field("negate-b", &[bits(0, 14, 1)], Encoding::Flag, "", "B is negated.", INSTRUCTION_TEXT),
        field(
            "a-major",
            &[bits(0, 15, 1)],
            Encoding::Choice(MAJOR),
            "",
            "Which dimension of A is contiguous.",
            INSTRUCTION_TEXT,
        ),
        field(
            "b-major",
            &[bits(0, 16, 1)],
            Encoding::Choice(MAJOR),
            "",
            "Which dimension of B is contiguous.",
            INSTRUCTION_TEXT,
        ),
        field("n", &[bits(0, 17, 6)], Encoding::Units(8), "columns", "Columns of D.", INSTRUCTION_TEXT),
        field(
            "scale-type",
            &[bits(0, 23, 1)],
            Encoding::Choice(&[(0, "ue4m3"), (1, "ue8m0")]),
            "",
            "Type of the scale factors.",
            INSTRUCTION_TEXT,
        ),
        field("m", &[bits(0, 27, 2)], Encoding::Units(128), "rows", "Rows of D.", INSTRUCTION_TEXT),
        field(
            "a-scale-id",
            &[bits(0, 29, 2)],
            Encoding::Plain,
            "",
            "Byte of the scale cell that holds A's factor.",
            INSTRUCTION_TEXT,
        ),
        field(
            "k-size",
            &[bits(0, 31, 1)],
            Encoding::Plain,
            "",
            "Selects the larger K of the 4-bit kinds (sm_103a).",
            INSTRUCTION_TEXT,
        ),
        field(
            "zero",
            &[bits(0, 0, 2), bits(0, 3, 1), bits(0, 6, 1), bits(0, 24, 3)],
            Encoding::Reserved(0),
            "",
            "Unused.",
            INSTRUCTION_TEXT,
        ),
    ],
};

fn split(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_usual_descriptors() {
        // 64 x 64 f16 tile under 128B swizzle at 0x400: 8 rows of 128 bytes to the next group.
        let word = 1 << 62 | (1024 >> 4) << 32 | 1 << 16 | 0x400 >> 4;
        let matrix = MatrixDescriptor::decode(MatrixUnit::Wgmma, word).unwrap();
        assert_eq!((matrix.start, matrix.leading, matrix.stride), (0x400, 16, 1024));
        assert_eq!(matrix.swizzle, Swizzle::B128);
        assert!(matrix.validate().is_empty());
        let word = 2 << 61 | 1 << 46 | (1024u64 >> 4) << 32 | 1 << 16 | 0x400 >> 4;
        assert_eq!(MatrixDescriptor { unit: MatrixUnit::Tcgen05, ..matrix }.encode(), Some(word));
        assert!(explain_matrix(MatrixUnit::Tcgen05, word).diagnostics.is_empty());
        assert!(explain_matrix(MatrixUnit::Tcgen05, word ^ 1 << 46).is_illegal());
    }

    #[test]
    fn an_instruction_descriptor_in_words() {
        // M 128, N 256, bf16 in, f32 out, both K-major.
        let word = 1 << 4 | 1 << 7 | 1 << 10 | (256 >> 3) << 17 | (128 >> 4) << 24;
        let explanation = Explanation::of(&TCGEN05_INSTRUCTION, &[word]);
        let text = |name: &str| explanation.field(name).map(|f| f.text.clone()).unwrap();
        assert_eq!((text("m"), text("n"), text("d-type")), ("128".into(), "256".into(), "f32".into()));
    }

    proptest! {
        #[test]
        fn encode_and_decode_are_inverse(
            tcgen05: bool, start in 0u32..1 << 14, leading in 0u32..1 << 14, stride in 0u32..1 << 14, base_offset in 0u8..8, pick in 0usize..4,
        ) {
            let unit = if tcgen05 { MatrixUnit::Tcgen05 } else { MatrixUnit::Wgmma };
            let matrix = MatrixDescriptor {
                unit,
                start: start << 4,
                leading: leading << 4,
                stride: stride << 4,
                base_offset,
                leading_offset: LeadingOffset::Relative,
                swizzle: unit.swizzles()[pick].1,
            };
            let word = matrix.encode();
            prop_assert_eq!(word.and_then(|word| MatrixDescriptor::decode(unit, word)), Some(matrix));
        }

        #[test]
        fn any_word_is_explained(word: u64, tcgen05: bool) {
            let unit = if tcgen05 { MatrixUnit::Tcgen05 } else { MatrixUnit::Wgmma };
            prop_assert_eq!(explain_matrix(unit, word).words.len(), 2);
        }
    }
}
