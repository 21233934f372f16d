//! The bits of a matrix descriptor, one table a unit.

use tilehaul_diag::Source;

use crate::field::{Encoding, FormatSpec, bits, field};

pub(super) const WGMMA_TEXT: Source = Source::manual("PTX ISA, wgmma matrix descriptor");
pub(super) const TCGEN05_TEXT: Source = Source::manual("PTX ISA, tcgen05 shared memory descriptor");

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
