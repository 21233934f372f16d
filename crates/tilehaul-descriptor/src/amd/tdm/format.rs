//! Bit tables of D# groups 0 to 3, one per group and mode.
//!
//! Groups 2 and 3 are a tagged union: dense descriptors hold extents and strides there, iterate descriptors hold
//! increments and a pass count in group 2, gather descriptors hold row indices in both.

use tilehaul_diag::Source;

use crate::field::{Encoding, FieldSpec, FormatSpec, Piece, bits};

/// Declares the fields of one group as constants and the group's table from them.
macro_rules! format_table {
    (
        $(#[$meta:meta])* $table:ident = $title:literal, $words:literal words, $source:expr;
        $( $konst:ident $name:literal $pieces:expr, $encoding:expr, $unit:literal, $doc:literal; )*
    ) => {
        $(
            #[doc = $doc]
            pub const $konst: FieldSpec = FieldSpec {
                name: $name, pieces: $pieces, encoding: $encoding, unit: $unit, doc: $doc, source: $source,
            };
        )*
        $(#[$meta])*
        pub static $table: FormatSpec = FormatSpec { name: $title, words: $words, fields: &[$($konst),*] };
    };
}

use Encoding::{Choice, Flag, MinusOne, Plain, Reserved, Shifted, Units};

const TABLE_62: Source = Source::manual("CDNA5 ISA 10.11, Table 62");
const TABLE_63: Source = Source::manual("CDNA5 ISA 10.11, Table 63");
const UPPER: Source = Source::manual("CDNA5 ISA p. 155, Tables 64 to 66");
const ITERATION: Source = Source::manual("CDNA5 ISA p. 152, iteration");
const TABLE_67: Source = Source::manual("CDNA5 ISA 10.11, Table 67");

format_table! {
    /// Group 0: addresses, gather mode, the off switch. The same in every mode.
    GROUP0 = "D# group 0", 4 words, TABLE_62;
    COUNT "count" &[bits(0, 0, 2)], Plain, "", "1 for a valid tensor; 0 makes it a NULL tensor that copies nothing and arrives at no barrier; 2 and 3 belong to context restore.";
    IS_RESTORE "is_restore" &[bits(0, 2, 1)], Flag, "", "Context restore only: lets restore override the instruction's direction. Must be 0.";
    IS_STORE "is_store" &[bits(0, 3, 1)], Flag, "", "Context restore only. Must be 0.";
    NV "nv" &[bits(0, 4, 1)], Flag, "", "Context restore only. Must be 0.";
    SCOPE "scope" &[bits(0, 5, 2)], Plain, "", "Context restore only; ignored while is_restore is 0.";
    TH "th" &[bits(0, 7, 3)], Plain, "", "Context restore only; ignored while is_restore is 0.";
    USER_NULL "user_null" &[bits(0, 10, 1)], Flag, "", "Context restore only. Must be 0.";
    RESERVED_29_11 "reserved_29_11" &[bits(0, 11, 19)], Reserved(0), "", "Reserved, 0.";
    GATHER_INDEX_SIZE "gather_index_size" &[bits(0, 30, 1)], Choice(&[(0, "16-bit"), (1, "32-bit")]), "", "Width of the row indices of gather mode.";
    GATHER_MODE "gather_mode" &[bits(0, 31, 1)], Flag, "", "Groups 2 and 3 hold row indices: a load gathers, a store scatters.";
    LDS_ADDR "lds_addr" &[bits(1, 0, 32)], Plain, "bytes", "LDS address of the tile, relative to the workgroup's allocation.";
    GLOBAL_ADDR "global_addr" &[bits(2, 0, 32), bits(3, 0, 25)], Plain, "bytes", "Global address of the start of the tile, not of the tensor.";
    RESERVED_125_121 "reserved_125_121" &[bits(3, 25, 5)], Reserved(0), "", "Reserved, 0.";
    TYPE "type" &[bits(3, 30, 2)], Choice(&[(2, "image")]), "", "Must be 2 (image).";
}

format_table! {
    /// Group 1: element size, padding, barrier, first two extents and strides, first three tile extents.
    GROUP1 = "D# group 1", 8 words, TABLE_63;
    WORKGROUP_MASK "workgroup_mask" &[bits(0, 0, 16)], Plain, "", "Workgroups of the cluster that a load is multicast to; 0 outside a cluster.";
    DATA_SIZE "data_size_bytes" &[bits(0, 16, 2)], Shifted(1), "bytes", "Size of an element: the unit of every extent, stride and increment.";
    ATOMIC_BARRIER_ENABLE "atomic_barrier_enable" &[bits(0, 18, 1)], Flag, "", "Arrive once at an LDS barrier when the whole operation is complete.";
    ITERATE_ENABLE "iterate_enable" &[bits(0, 19, 1)], Flag, "", "Replay the descriptor with increments; 2D and 3D only, ignored in gather mode.";
    PAD_ENABLE "pad_enable" &[bits(0, 20, 1)], Flag, "", "Leave gaps in LDS; loads only.";
    EARLY_TIMEOUT "early_timeout" &[bits(0, 21, 1)], Flag, "", "Multicast: answer whoever has asked as soon as the data is there.";
    PAD_INTERVAL "pad_interval_dwords" &[bits(0, 22, 3)], Shifted(2), "dwords", "Data between two gaps.";
    PAD_AMOUNT "pad_amount_dwords" &[bits(0, 25, 7)], MinusOne, "dwords", "Size of a gap.";
    ATOMIC_BARRIER_ADDRESS "atomic_barrier_address" &[bits(1, 0, 16)], Units(8), "bytes", "LDS address of the 64-bit barrier, stored without its low three bits.";
    TENSOR_DIM0 "tensor_dim0" &[bits(1, 16, 16), bits(2, 0, 16)], Plain, "elements", "Extent of dimension 0, measured from the tile's start.";
    TENSOR_DIM1 "tensor_dim1" &[bits(2, 16, 16), bits(3, 0, 16)], Plain, "elements", "Extent of dimension 1, measured from the tile's start.";
    TILE_DIM0 "tile_dim0" &[bits(3, 16, 16)], Plain, "elements", "Tile extent of dimension 0; 0 makes the operation a no-op.";
    TILE_DIM1 "tile_dim1" &[bits(4, 0, 16)], Plain, "elements", "Tile extent of dimension 1, 0 when unused; in gather mode the number of valid indices.";
    TILE_DIM2 "tile_dim2" &[bits(4, 16, 16)], Plain, "elements", "Tile extent of dimension 2, 0 when unused; ignored in gather mode.";
    TENSOR_DIM0_STRIDE "tensor_dim0_stride" &[bits(5, 0, 32), bits(6, 0, 16)], Plain, "elements", "Distance from one row to the next.";
    TENSOR_DIM1_STRIDE "tensor_dim1_stride" &[bits(6, 16, 16), bits(7, 0, 32)], Plain, "elements", "Distance from one plane to the next; ignored in gather mode.";
}

format_table! {
    /// Group 2 of a dense descriptor.
    GROUP2_DENSE = "D# group 2", 4 words, UPPER;
    TENSOR_DIM2 "tensor_dim2" &[bits(0, 0, 32)], Plain, "elements", "Extent of dimension 2, measured from the tile's start.";
    TENSOR_DIM3 "tensor_dim3" &[bits(1, 0, 32)], Plain, "elements", "Extent of dimension 3, measured from the tile's start.";
    TENSOR_DIM2_STRIDE "tensor_dim2_stride" &[bits(2, 0, 32), bits(3, 0, 16)], Plain, "elements", "Distance from one volume to the next.";
    TILE_DIM3 "tile_dim3" &[bits(3, 16, 16)], Plain, "elements", "Tile extent of dimension 3, 0 when unused.";
}

format_table! {
    /// The increments that iterate mode keeps in group 2.
    ITERATE_FIELDS = "D# group 2, iterate mode only", 4 words, ITERATION;
    LDS_ADDR_INCREMENT "lds_addr_increment" &[bits(1, 0, 32)], Plain, "elements", "LDS distance from one pass to the next.";
    GLOBAL_ADDR_INCREMENT "global_addr_increment" &[bits(2, 0, 32), bits(3, 0, 16)], Plain, "elements", "Global distance from one pass to the next.";
    ITERATE_COUNT "iterate_count" &[bits(3, 16, 16)], MinusOne, "passes", "Number of passes, stored minus one.";
}

/// Group 2 of an iterate descriptor.
pub static GROUP2_ITERATE: FormatSpec = FormatSpec {
    name: "D# group 2 (iterate)",
    words: 4,
    fields: &[TENSOR_DIM2, LDS_ADDR_INCREMENT, GLOBAL_ADDR_INCREMENT, ITERATE_COUNT],
};

format_table! {
    /// Group 3 of a dense descriptor; all zero in iterate mode.
    GROUP3_DENSE = "D# group 3", 4 words, UPPER;
    TENSOR_DIM3_STRIDE "tensor_dim3_stride" &[bits(0, 0, 32), bits(1, 0, 16)], Plain, "elements", "Distance along dimension 4.";
    TENSOR_DIM4 "tensor_dim4" &[bits(1, 16, 16), bits(2, 0, 16)], Plain, "elements", "Extent of dimension 4, measured from the tile's start.";
    TILE_DIM4 "tile_dim4" &[bits(2, 16, 16)], Plain, "elements", "Tile extent of dimension 4, 0 when unused.";
    RESERVED_127_96 "reserved_127_96" &[bits(3, 0, 32)], Reserved(0), "", "Reserved, 0.";
}

const fn index(name: &'static str, pieces: &'static [Piece]) -> FieldSpec {
    FieldSpec {
        name,
        pieces,
        encoding: Plain,
        unit: "rows",
        doc: "Row number, counted from the row at global_addr.",
        source: TABLE_67,
    }
}

/// Row indices of 16 bits, consecutive over groups 2 and 3 (the manual's print of indices 12 and 13 is a slip).
pub static INDICES_16: FormatSpec = FormatSpec {
    name: "D# groups 2 and 3 (16-bit row indices)",
    words: 8,
    fields: &[
        index("index0", &[bits(0, 0, 16)]),
        index("index1", &[bits(0, 16, 16)]),
        index("index2", &[bits(1, 0, 16)]),
        index("index3", &[bits(1, 16, 16)]),
        index("index4", &[bits(2, 0, 16)]),
        index("index5", &[bits(2, 16, 16)]),
        index("index6", &[bits(3, 0, 16)]),
        index("index7", &[bits(3, 16, 16)]),
        index("index8", &[bits(4, 0, 16)]),
        index("index9", &[bits(4, 16, 16)]),
        index("index10", &[bits(5, 0, 16)]),
        index("index11", &[bits(5, 16, 16)]),
        index("index12", &[bits(6, 0, 16)]),
        index("index13", &[bits(6, 16, 16)]),
        index("index14", &[bits(7, 0, 16)]),
        index("index15", &[bits(7, 16, 16)]),
    ],
};

/// Row indices of 32 bits over groups 2 and 3.
pub static INDICES_32: FormatSpec = FormatSpec {
    name: "D# groups 2 and 3 (32-bit row indices)",
    words: 8,
    fields: &[
        index("index0", &[bits(0, 0, 32)]),
        index("index1", &[bits(1, 0, 32)]),
        index("index2", &[bits(2, 0, 32)]),
        index("index3", &[bits(3, 0, 32)]),
        index("index4", &[bits(4, 0, 32)]),
        index("index5", &[bits(5, 0, 32)]),
        index("index6", &[bits(6, 0, 32)]),
        index("index7", &[bits(7, 0, 32)]),
    ],
};
