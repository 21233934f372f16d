//! The bits of a `CUtensorMap`, one table for each kind and rank that stores them differently.
//!
//! Found by varying one argument of the driver's encoder at a time (h200 facts 18 to 28) and by compiling each
//! `tensormap.replace`. Everything not listed is zero in all maps the driver made.

use tilehaul_diag::Source;

use crate::field::{Encoding, FieldSpec, FormatSpec, bits, field};

/// Words of a map.
pub(crate) const WORDS: usize = 32;

const FACTS_B: Source = Source::hardware("h200 facts 18-25");
const REPLACE: Source = Source::inferred("ptxas 13.5, code of tensormap.replace");
const ANNOTATION: Source = Source::hardware("h200 facts 26-27");

pub(crate) const ADDRESS: FieldSpec = field(
    "globalAddress",
    &[bits(0, 0, 32), bits(1, 0, 32)],
    Encoding::Plain,
    "address",
    "Address of element 0; the engine uses bits 56 to 0.",
    FACTS_B,
);

pub(crate) const IM2COL: FieldSpec = field(
    "im2col",
    &[bits(2, 0, 1)],
    Encoding::Choice(&[(0, "tiled"), (1, "im2col")]),
    "",
    "Kind of the map; the instruction must agree, else error 715.",
    Source::hardware("h200 fact 19"),
);

pub(crate) const RANK: FieldSpec = field(
    "tensorRank",
    &[bits(2, 4, 3)],
    Encoding::MinusOne,
    "dimensions",
    "Number of dimensions, 1 to 5.",
    FACTS_B,
);

pub(crate) const ELEMENT: FieldSpec = field(
    "elementType",
    &[bits(2, 7, 4)],
    Encoding::Choice(&[
        (0, "u8"),
        (1, "u16"),
        (2, "u32"),
        (3, "s32"),
        (4, "u64"),
        (5, "s64"),
        (6, "f16"),
        (7, "f32"),
        (8, "f32.ftz"),
        (9, "f64"),
        (10, "bf16"),
        (11, "b4x16"),
        (12, "b4x16_p64"),
        (13, "b6x16_p32"),
    ]),
    "",
    "Type of an element; tf32 is f32 with the tf32 bit.",
    FACTS_B,
);

pub(crate) const INTERLEAVE: FieldSpec = field(
    "interleave",
    &[bits(2, 11, 2)],
    Encoding::Choice(&[(0, "none"), (1, "16B"), (2, "32B")]),
    "",
    "Slices of channels that lie together.",
    FACTS_B,
);

pub(crate) const SWIZZLE: FieldSpec = field(
    "swizzle",
    &[bits(2, 13, 2)],
    Encoding::Choice(&[(0, "none"), (1, "32B"), (2, "64B"), (3, "128B")]),
    "",
    "Span within which 16-byte chunks change places in shared memory.",
    FACTS_B,
);

pub(crate) const OOB_FILL: FieldSpec = field(
    "oobFill",
    &[bits(2, 15, 1)],
    Encoding::Choice(&[(0, "zero"), (1, "nan")]),
    "",
    "What a load writes for elements outside the tensor.",
    FACTS_B,
);

pub(crate) const TF32: FieldSpec = field(
    "tf32",
    &[bits(2, 16, 1)],
    Encoding::Flag,
    "",
    "Loads round each element to 10 mantissa bits; only with f32 or f32.ftz.",
    FACTS_B,
);

pub(crate) const L2_PROMOTION: FieldSpec = field(
    "l2Promotion",
    &[bits(2, 17, 2)],
    Encoding::Choice(&[(0, "none"), (1, "64B"), (2, "128B"), (3, "256B")]),
    "",
    "How much the L2 fetches around a request; moves no byte differently.",
    Source::hardware("h200 fact 21"),
);

pub(crate) const ATOMICITY: FieldSpec = field(
    "swizzleAtomicity",
    &[bits(2, 19, 2)],
    Encoding::Choice(&[(0, "16B"), (1, "32B"), (2, "32B_flip_8B"), (3, "64B")]),
    "",
    "Size of the chunks that a 128B swizzle moves (sm_100 and later; sm_90 ignores it).",
    REPLACE,
);

pub(crate) const LARGE: FieldSpec = field(
    "allocationClassLarge",
    &[bits(2, 21, 1)],
    Encoding::Flag,
    "",
    "The engine may generate addresses in a 128 KiB window around a box (later drivers; sm_90 ignores it).",
    Source::inferred("cuda.h 13.5 and CUTLASS"),
);

pub(crate) const SWIZZLE_96: FieldSpec = field(
    "swizzle96",
    &[bits(2, 22, 1)],
    Encoding::Flag,
    "",
    "Rows of 96 bytes (sm_103a and sm_107a; sm_90 ignores it).",
    REPLACE,
);

macro_rules! per_dimension {
    ($name:ident, $count:literal, $encoding:expr, $unit:literal, $doc:literal, $source:expr, [$($label:literal $pieces:expr),* $(,)?]) => {
        pub(crate) const $name: [FieldSpec; $count] = [$(field($label, $pieces, $encoding, $unit, $doc, $source)),*];
    };
}

per_dimension!(
    STRIDES,
    4,
    Encoding::Units(16),
    "bytes",
    "Bytes from one index of the next dimension to the following one; entry 0 belongs to dimension 1.",
    Source::hardware("h200 fact 22"),
    [
        "globalStrides[0]" & [bits(3, 0, 32), bits(7, 0, 4)],
        "globalStrides[1]" & [bits(4, 0, 32), bits(7, 4, 4)],
        "globalStrides[2]" & [bits(5, 0, 32), bits(7, 8, 4)],
        "globalStrides[3]" & [bits(6, 0, 32), bits(7, 12, 4)],
    ]
);

per_dimension!(
    DIMS,
    5,
    Encoding::MinusOne,
    "elements",
    "Size of the dimension; 2^31 at most if it is to be used.",
    Source::hardware("h200 facts 22, 45"),
    [
        "globalDim[0]" & [bits(8, 0, 32)],
        "globalDim[1]" & [bits(9, 0, 32)],
        "globalDim[2]" & [bits(10, 0, 32)],
        "globalDim[3]" & [bits(11, 0, 32)],
        "globalDim[4]" & [bits(12, 0, 32)],
    ]
);

per_dimension!(
    ELEMENT_STRIDES,
    5,
    Encoding::MinusOne,
    "elements",
    "Every how manyth element of the box is moved; entry 0 is ignored without interleave.",
    Source::hardware("h200 facts 23, 30"),
    [
        "elementStrides[0]" & [bits(13, 0, 3)],
        "elementStrides[1]" & [bits(13, 3, 3)],
        "elementStrides[2]" & [bits(13, 6, 3)],
        "elementStrides[3]" & [bits(13, 9, 3)],
        "elementStrides[4]" & [bits(13, 12, 3)],
    ]
);

per_dimension!(
    BOX,
    5,
    Encoding::MinusOne,
    "elements",
    "Size of the box, before element strides.",
    Source::hardware("h200 facts 23, 24"),
    [
        "boxDim[0]" & [bits(13, 24, 8)],
        "boxDim[1]" & [bits(14, 0, 8)],
        "boxDim[2]" & [bits(14, 8, 8)],
        "boxDim[3]" & [bits(14, 16, 8)],
        "boxDim[4]" & [bits(14, 24, 8)],
    ]
);

pub(crate) const CHANNELS: FieldSpec = field(
    "channelsPerPixel",
    &[bits(13, 24, 8)],
    Encoding::MinusOne,
    "elements",
    "Channels moved for each pixel; ignored with interleave, where a pixel is one slice.",
    Source::hardware("h200 facts 23, 55"),
);

pub(crate) const PIXELS: FieldSpec = field(
    "pixelsPerColumn",
    &[bits(15, 0, 10)],
    Encoding::MinusOne,
    "pixels",
    "Pixels moved by one copy.",
    Source::hardware("h200 fact 25"),
);

pub(crate) const BOX_BYTES: FieldSpec = field(
    "boxBytes",
    &[bits(16, 0, 32)],
    Encoding::Plain,
    "bytes",
    "The driver's note of the box's size (element strides rounded down); the engine ignores it.",
    ANNOTATION,
);

pub(crate) const SHARED_ALIGNMENT: FieldSpec = field(
    "sharedAlignment",
    &[bits(18, 0, 32)],
    Encoding::Plain,
    "bytes",
    "The driver's note of the alignment after which the swizzle repeats; the engine ignores it.",
    ANNOTATION,
);

macro_rules! corners {
    ($name:ident, $count:literal, $which:literal, [$($label:literal $pieces:expr),*]) => {
        const $name: [FieldSpec; $count] = [$(field(
            $label,
            $pieces,
            Encoding::Signed,
            "pixels",
            $which,
            Source::hardware("h200 facts 13, 24"),
        )),*];
    };
}

corners!(
    LOWER_3,
    1,
    "First index of W that the walk of pixels visits.",
    ["pixelBoxLowerCorner[0]" & [bits(14, 0, 16)]]
);
corners!(
    UPPER_3,
    1,
    "Added to the size of W, the index at which the walk wraps.",
    ["pixelBoxUpperCorner[0]" & [bits(14, 16, 16)]]
);
corners!(
    LOWER_4,
    2,
    "First index of W or H that the walk of pixels visits.",
    ["pixelBoxLowerCorner[0]" & [bits(14, 0, 8)], "pixelBoxLowerCorner[1]" & [bits(14, 8, 8)]]
);
corners!(
    UPPER_4,
    2,
    "Added to the size of W or H, the index at which the walk wraps.",
    ["pixelBoxUpperCorner[0]" & [bits(14, 16, 8)], "pixelBoxUpperCorner[1]" & [bits(14, 24, 8)]]
);
corners!(
    LOWER_5,
    3,
    "First index of W, H or D that the walk of pixels visits.",
    [
        "pixelBoxLowerCorner[0]" & [bits(14, 0, 5)],
        "pixelBoxLowerCorner[1]" & [bits(14, 5, 5)],
        "pixelBoxLowerCorner[2]" & [bits(14, 10, 5)]
    ]
);
corners!(
    UPPER_5,
    3,
    "Added to the size of W, H or D, the index at which the walk wraps.",
    [
        "pixelBoxUpperCorner[0]" & [bits(14, 16, 5)],
        "pixelBoxUpperCorner[1]" & [bits(14, 21, 5)],
        "pixelBoxUpperCorner[2]" & [bits(14, 26, 5)]
    ]
);

/// Lower and upper corner fields of an im2col map of that rank; empty for other ranks.
pub(crate) fn corner_fields(rank: u32) -> (&'static [FieldSpec], &'static [FieldSpec]) {
    match rank {
        3 => (&LOWER_3, &UPPER_3),
        4 => (&LOWER_4, &UPPER_4),
        5 => (&LOWER_5, &UPPER_5),
        _ => (&[], &[]),
    }
}

macro_rules! format {
    ($(#[$doc:meta])* $name:ident, $label:literal, [$($own:expr),* $(,)?]) => {
        $(#[$doc])*
        pub const $name: FormatSpec = FormatSpec {
            name: $label,
            words: WORDS,
            fields: &[
                ADDRESS,
                IM2COL,
                RANK,
                ELEMENT,
                TF32,
                INTERLEAVE,
                SWIZZLE,
                ATOMICITY,
                SWIZZLE_96,
                OOB_FILL,
                L2_PROMOTION,
                LARGE,
                DIMS[0],
                DIMS[1],
                DIMS[2],
                DIMS[3],
                DIMS[4],
                STRIDES[0],
                STRIDES[1],
                STRIDES[2],
                STRIDES[3],
                $($own,)*
                ELEMENT_STRIDES[0],
                ELEMENT_STRIDES[1],
                ELEMENT_STRIDES[2],
                ELEMENT_STRIDES[3],
                ELEMENT_STRIDES[4],
                BOX_BYTES,
                SHARED_ALIGNMENT,
            ],
        };
    };
}

format!(
    /// A tiled map.
    TILED,
    "CUtensorMap, tiled",
    [BOX[0], BOX[1], BOX[2], BOX[3], BOX[4]]
);
format!(
    /// An im2col map of three dimensions (C, W, N).
    IM2COL_3,
    "CUtensorMap, im2col of rank 3",
    [LOWER_3[0], UPPER_3[0], CHANNELS, PIXELS]
);
format!(
    /// An im2col map of four dimensions (C, W, H, N).
    IM2COL_4,
    "CUtensorMap, im2col of rank 4",
    [LOWER_4[0], LOWER_4[1], UPPER_4[0], UPPER_4[1], CHANNELS, PIXELS]
);
format!(
    /// An im2col map of five dimensions (C, W, H, D, N).
    IM2COL_5,
    "CUtensorMap, im2col of rank 5",
    [LOWER_5[0], LOWER_5[1], LOWER_5[2], UPPER_5[0], UPPER_5[1], UPPER_5[2], CHANNELS, PIXELS]
);

/// Every table, for the reference pages.
pub const FORMATS: [&FormatSpec; 4] = [&TILED, &IM2COL_3, &IM2COL_4, &IM2COL_5];

/// The table that these words are to be read with: tiled unless the im2col bit stands and the rank allows it.
#[must_use]
pub fn format_of(words: &[u32]) -> &'static FormatSpec {
    match (IM2COL.stored(words), RANK.decode(RANK.stored(words))) {
        (1, 3) => &IM2COL_3,
        (1, 4) => &IM2COL_4,
        (1, 5) => &IM2COL_5,
        _ => &TILED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No bit belongs to two fields of one table.
    #[test]
    fn fields_do_not_overlap() {
        for format in FORMATS {
            let mut taken = [0u32; WORDS];
            for field in format.fields {
                let mut own = [0u32; WORDS];
                field.store(&mut own, field.max_stored());
                for (word, mine) in taken.iter_mut().zip(own) {
                    assert_eq!(*word & mine, 0, "{} in {}", field.name, format.name);
                    *word |= mine;
                }
            }
        }
    }
}
