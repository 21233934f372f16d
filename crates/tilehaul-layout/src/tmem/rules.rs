//! Rules that an image's instruction can break.

use tilehaul_descriptor::Rule;
use tilehaul_diag::Source;

const ISA: Source = Source::manual("PTX ISA 9.7.16.8");

pub(super) const NUM: Rule = Rule::error(
    "tmem-shape-num",
    "the number after .x is a power of two that needs at most 128 registers",
    ISA,
);
pub(super) const RED: Rule = Rule::error(
    "tmem-red-form",
    "ld.red takes the shapes 32x32b and 16x32bx2, at least .x2 and no packing",
    ISA,
);
pub(super) const SPLIT_IMMEDIATE: Rule = Rule::error(
    "tmem-split-immediate",
    "16x32bx2 has one immediate split offset and the other shapes have none",
    ISA,
);
pub(super) const LANE: Rule = Rule::error(
    "tmem-lane-alignment",
    "a load or store starts at a multiple of its rows inside the warp's 32 lanes",
    Source::inferred("TIRx tmem pattern; the PTX ISA states no alignment"),
);
pub(super) const COLUMN: Rule = Rule::error(
    "tmem-column-bounds",
    "every column of an access is below 512",
    Source::manual("ptxas guardrail access_out_of_physical_bounds"),
);
pub(super) const OWNER: Rule = Rule::error(
    "tmem-warp-owner",
    "the slab bits of the address name the slab of the executing warp",
    Source::manual("ptxas guardrail current_warp_owner_invalid"),
);
pub(super) const OWNER_IGNORED: Rule = Rule::warning(
    "tmem-warp-owner-ignored",
    "slab bits that name another warp's slab are ignored and the access goes to the warp's own lanes",
    Source::manual("DeepGEMM 341"),
);
pub(super) const SPLIT_ZERO: Rule = Rule::warning(
    "tmem-split-zero",
    "a split offset of zero addresses the same cells with both halves of the warp",
    Source::inferred("facebookexperimental/triton 1238"),
);
pub(super) const SPLIT_OVERLAP: Rule = Rule::error(
    "tmem-split-overlap",
    "the two halves of a split store write different cells",
    Source::manual("PTX ISA 9.7.16.8"),
);
pub(super) const COPY_MULTICAST: Rule = Rule::error(
    "tmem-cp-multicast",
    "each shape of tcgen05.cp has its own multicast",
    Source::manual("PTX ISA 9.7.16.9; ptxas"),
);
pub(super) const COPY_COLUMN: Rule = Rule::error(
    "tmem-cp-column",
    "tcgen05.cp starts at a column that is a multiple of four",
    Source::inferred("TIRx cp pattern"),
);
pub(super) const COPY_LANE: Rule = Rule::error(
    "tmem-cp-lane",
    "every lane that tcgen05.cp writes, replicas included, is below 128",
    Source::inferred("TIRx cp pattern"),
);
pub(super) const MMA_FORM: Rule = Rule::error(
    "tmem-mma-form",
    "an accumulator has a data path only for M of 32, 64 or 128 on one block and 128 or 256 on a pair",
    Source::manual("PTX ISA 9.7.16.10, data path layouts A to G"),
);
pub(super) const MMA_COLUMNS: Rule = Rule::error(
    "tmem-mma-n",
    "N is legal for M, the block group and .ws",
    Source::manual("PTX ISA 9.7.16.10, data path layouts A to G"),
);
pub(super) const MMA_LANE: Rule = Rule::error(
    "tmem-mma-lane",
    "an accumulator starts at lane 0; data paths C and F also at lane 16",
    Source::manual("PTX ISA 9.7.16.10, data path layouts A to G"),
);

/// Every rule of this module, for reference pages.
pub const RULES: &[Rule] = &[
    NUM,
    RED,
    SPLIT_IMMEDIATE,
    LANE,
    COLUMN,
    OWNER,
    OWNER_IGNORED,
    SPLIT_ZERO,
    SPLIT_OVERLAP,
    COPY_MULTICAST,
    COPY_COLUMN,
    COPY_LANE,
    MMA_FORM,
    MMA_COLUMNS,
    MMA_LANE,
];
