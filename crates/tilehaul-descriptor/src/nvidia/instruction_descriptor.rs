//! The 32-bit instruction descriptor of `tcgen05.mma`.

use tilehaul_diag::Source;

use crate::field::{Encoding, FieldSpec, FormatSpec, bits, field};

const TEXT: Source = Source::manual("PTX ISA, tcgen05 instruction descriptor");

const TYPES_F8F6F4: &[(u64, &str)] =
    &[(0, "e4m3 / f16 / u8"), (1, "e5m2 / bf16 / s8"), (2, "tf32"), (3, "e2m3"), (4, "e3m2"), (5, "e2m1")];

const MAJOR: &[(u64, &str)] = &[(0, "K-major"), (1, "MN-major")];

// What all kinds have in the same place.
const SPARSE: FieldSpec = field("sparse", &[bits(0, 2, 1)], Encoding::Flag, "", "A is sparse.", TEXT);
const NEGATE_A: FieldSpec = field("negate-a", &[bits(0, 13, 1)], Encoding::Flag, "", "A is negated.", TEXT);
const NEGATE_B: FieldSpec = field("negate-b", &[bits(0, 14, 1)], Encoding::Flag, "", "B is negated.", TEXT);
const A_MAJOR: FieldSpec = field(
    "a-major",
    &[bits(0, 15, 1)],
    Encoding::Choice(MAJOR),
    "",
    "Which dimension of A is contiguous.",
    TEXT,
);
const B_MAJOR: FieldSpec = field(
    "b-major",
    &[bits(0, 16, 1)],
    Encoding::Choice(MAJOR),
    "",
    "Which dimension of B is contiguous.",
    TEXT,
);
const N: FieldSpec = field("n", &[bits(0, 17, 6)], Encoding::Units(8), "columns", "Columns of D.", TEXT);

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
            TEXT,
        ),
        SPARSE,
        field("saturate", &[bits(0, 3, 1)], Encoding::Flag, "", "Integer results saturate (kind i8).", TEXT),
        field(
            "d-type",
            &[bits(0, 4, 2)],
            Encoding::Choice(&[(0, "f16"), (1, "f32"), (2, "s32")]),
            "",
            "Type of D.",
            TEXT,
        ),
        field(
            "a-type",
            &[bits(0, 7, 3)],
            Encoding::Choice(TYPES_F8F6F4),
            "",
            "Type of A; the kind says which name holds.",
            TEXT,
        ),
        field(
            "b-type",
            &[bits(0, 10, 3)],
            Encoding::Choice(TYPES_F8F6F4),
            "",
            "Type of B; the kind says which name holds.",
            TEXT,
        ),
        NEGATE_A,
        NEGATE_B,
        A_MAJOR,
        B_MAJOR,
        N,
        field("m", &[bits(0, 24, 5)], Encoding::Units(16), "rows", "Rows of D.", TEXT),
        field(
            "max-shift",
            &[bits(0, 30, 2)],
            Encoding::Choice(&[(0, "none"), (1, "8"), (2, "16"), (3, "32")]),
            "rows",
            "Largest shift of B in the weight-stationary form.",
            TEXT,
        ),
        field(
            "zero",
            &[bits(0, 6, 1), bits(0, 23, 1), bits(0, 29, 1)],
            Encoding::Reserved(0),
            "",
            "Unused.",
            TEXT,
        ),
    ],
};

/// The instruction descriptor of the block-scaled kinds mxf8f6f4, mxf4 and mxf4nvf4.
pub const TCGEN05_INSTRUCTION_SCALED: FormatSpec = FormatSpec {
    name: "tcgen05 instruction descriptor, block-scaled",
    words: 1,
    fields: &[
        SPARSE,
        field(
            "b-scale-id",
            &[bits(0, 4, 2)],
            Encoding::Plain,
            "",
            "Byte of the scale cell that holds B's factor.",
            TEXT,
        ),
        field("a-type", &[bits(0, 7, 3)], Encoding::Plain, "", "Type of A, by the kind's own table.", TEXT),
        field("b-type", &[bits(0, 10, 3)], Encoding::Plain, "", "Type of B, by the kind's own table.", TEXT),
        NEGATE_A,
        NEGATE_B,
        A_MAJOR,
        B_MAJOR,
        N,
        field(
            "scale-type",
            &[bits(0, 23, 1)],
            Encoding::Choice(&[(0, "ue4m3"), (1, "ue8m0")]),
            "",
            "Type of the scale factors.",
            TEXT,
        ),
        field("m", &[bits(0, 27, 2)], Encoding::Units(128), "rows", "Rows of D.", TEXT),
        field(
            "a-scale-id",
            &[bits(0, 29, 2)],
            Encoding::Plain,
            "",
            "Byte of the scale cell that holds A's factor.",
            TEXT,
        ),
        field(
            "k-size",
            &[bits(0, 31, 1)],
            Encoding::Plain,
            "",
            "Selects the larger K of the 4-bit kinds (sm_103a).",
            TEXT,
        ),
        field(
            "zero",
            &[bits(0, 0, 2), bits(0, 3, 1), bits(0, 6, 1), bits(0, 24, 3)],
            Encoding::Reserved(0),
            "",
            "Unused.",
            TEXT,
        ),
    ],
};

/// What instruction descriptors of every kind say. Types are the numbers of the kind's own table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionDescriptor {
    /// A is sparse.
    pub sparse: bool,
    /// Type of A.
    pub a_type: u32,
    /// Type of B.
    pub b_type: u32,
    /// A is negated.
    pub negate_a: bool,
    /// B is negated.
    pub negate_b: bool,
    /// A lies with its rows, not K, contiguous.
    pub a_mn_major: bool,
    /// B lies with its columns, not K, contiguous.
    pub b_mn_major: bool,
    /// Rows of D.
    pub m: u32,
    /// Columns of D.
    pub n: u32,
}

/// What only descriptors of kinds tf32, f16, f8f6f4 and i8 say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainFields {
    /// Type of D.
    pub d_type: u32,
    /// Integer results saturate.
    pub saturate: bool,
}

/// What only descriptors of block-scaled kinds say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaledFields {
    /// Scale factors are ue8m0, else ue4m3.
    pub powers_of_two: bool,
    /// Byte of the scale cell that holds A's factor.
    pub a_scale: u32,
    /// Byte of the scale cell that holds B's factor.
    pub b_scale: u32,
    /// The larger K of the 4-bit kinds.
    pub larger_k: bool,
}

impl InstructionDescriptor {
    /// The descriptor of a kind without scale factors.
    #[must_use]
    pub fn plain(word: u32) -> (InstructionDescriptor, PlainFields) {
        let get = |name: &str| number(&TCGEN05_INSTRUCTION, name, word);
        let own = PlainFields { d_type: get("d-type"), saturate: get("saturate") == 1 };
        (InstructionDescriptor::read(get), own)
    }

    /// The descriptor of a block-scaled kind.
    #[must_use]
    pub fn scaled(word: u32) -> (InstructionDescriptor, ScaledFields) {
        let get = |name: &str| number(&TCGEN05_INSTRUCTION_SCALED, name, word);
        let own = ScaledFields {
            powers_of_two: get("scale-type") == 1,
            a_scale: get("a-scale-id"),
            b_scale: get("b-scale-id"),
            larger_k: get("k-size") == 1,
        };
        (InstructionDescriptor::read(get), own)
    }

    fn read(get: impl Fn(&str) -> u32) -> InstructionDescriptor {
        InstructionDescriptor {
            sparse: get("sparse") == 1,
            a_type: get("a-type"),
            b_type: get("b-type"),
            negate_a: get("negate-a") == 1,
            negate_b: get("negate-b") == 1,
            a_mn_major: get("a-major") == 1,
            b_mn_major: get("b-major") == 1,
            m: get("m"),
            n: get("n"),
        }
    }

    /// Products change their sign.
    #[must_use]
    pub fn negates(&self) -> bool {
        self.negate_a != self.negate_b
    }
}

/// The number that a field stands for; fields have at most 6 bits and units up to 128.
fn number(format: &FormatSpec, name: &str, word: u32) -> u32 {
    format.field(name).map_or(0, |field| field.decode(field.stored(&[word])) as u32)
}

#[cfg(test)]
mod tests {
    use super::{InstructionDescriptor, TCGEN05_INSTRUCTION};
    use crate::explain::Explanation;

    #[test]
    fn an_instruction_descriptor_in_words() {
        // M 128, N 256, bf16 in, f32 out, both K-major.
        let word = 1 << 4 | 1 << 7 | 1 << 10 | (256 >> 3) << 17 | (128 >> 4) << 24;
        let explanation = Explanation::of(&TCGEN05_INSTRUCTION, &[word]);
        let text = |name: &str| explanation.field(name).map(|f| f.text.clone()).unwrap();
        assert_eq!((text("m"), text("n"), text("d-type")), ("128".into(), "256".into(), "f32".into()));
        let (read, own) = InstructionDescriptor::plain(word);
        assert_eq!((read.m, read.n, read.a_type, read.b_type, own.d_type), (128, 256, 1, 1, 1));
        assert!(!read.sparse && !read.negates() && !read.a_mn_major && !own.saturate);
    }

    #[test]
    fn a_scaled_descriptor_has_its_own_places() {
        // M 256, N 64, e5m2 times e2m1, ue8m0, the factors in bytes 1 and 2, B turned.
        let word = 2 << 4 | 1 << 7 | 5 << 10 | 1 << 16 | (64 >> 3) << 17 | 1 << 23 | 2 << 27 | 1 << 29;
        let (read, own) = InstructionDescriptor::scaled(word);
        assert_eq!((read.m, read.n, read.a_type, read.b_type), (256, 64, 1, 5));
        assert_eq!((own.a_scale, own.b_scale), (1, 2));
        assert!(own.powers_of_two && !own.larger_k && read.b_mn_major && !read.a_mn_major);
    }
}
