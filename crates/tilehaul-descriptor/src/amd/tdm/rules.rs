//! Every rule of a D#, with its level and its source.
//!
//! Errors are what the manual forbids or what would wedge or fault; warnings are what is very probably a mistake in
//! a descriptor that the hardware takes; notes are remarks.

use tilehaul_diag::Source;

use crate::Rule;

const TABLE_62: Source = Source::manual("CDNA5 ISA 10.11, Table 62");
const TABLE_63: Source = Source::manual("CDNA5 ISA 10.11, Table 63");
const BOUNDS: Source = Source::manual("CDNA5 ISA p. 156, bounds");
const PADDING: Source = Source::manual("CDNA5 ISA p. 151, padding");
const GATHER: Source = Source::manual("CDNA5 ISA p. 152, gather");
const ITERATE: Source = Source::manual("CDNA5 ISA p. 152, iteration");
const MULTICAST: Source = Source::manual("CDNA5 ISA 10.7");
const EMULATOR: Source = Source::inferred("rocjitsu tensor_dma");

macro_rules! rules {
    ($( $konst:ident = $level:ident $code:literal, $source:expr, $text:literal; )*) => {
        $( #[doc = $text] pub const $konst: Rule = Rule::$level($code, $text, $source); )*
        /// All rules of a D#, in the order in which they are checked.
        pub static ALL: &[Rule] = &[$($konst),*];
    };
}

rules! {
    FIELD_RANGE = error "tdm-field-range", TABLE_63, "Every value must fit its field and its encoding.";
    ARGUMENT_COUNT = error "tdm-argument-count", TABLE_63, "Tile and tensor extents name the same dimensions, strides one fewer.";
    FIELD_UNKNOWN = error "tdm-field-unknown", TABLE_63, "Only fields of a D# can be set.";
    FIELD_CONFLICT = error "tdm-mode-conflict", ITERATE, "Gather, iterate and dimensions 3 and 4 share the same registers: one of them at a time.";
    WORDS_DIFFER = error "tdm-words-differ", TABLE_63, "The words must be the encoding of the fields.";
    GROUP_COUNT = error "tdm-groups", TABLE_62, "A D# is group 0 (4 words), group 1 (8 words) and, when needed, groups 2 and 3 (4 words each).";

    NULL_BARRIER = warning "tdm-null-tensor-barrier", TABLE_62, "A NULL tensor (count = 0) sends no barrier arrive, so whoever sleeps on the barrier hangs.";
    NULL_TENSOR = note "tdm-null-tensor", TABLE_62, "A NULL tensor (count = 0) copies nothing.";
    COUNT_RESTORE = error "tdm-count", TABLE_62, "count must be 1 (or 0 for a NULL tensor); 2 and 3 belong to context restore.";
    TYPE = error "tdm-type", TABLE_62, "type must be 2 (image).";
    RESTORE_BITS = error "tdm-restore-bits", TABLE_62, "is_restore, is_store, nv and user_null must be 0: they make it a differently typed operation.";
    RESTORE_IGNORED = note "tdm-restore-ignored", TABLE_62, "scope and th of group 0 are read only by context restore.";
    RESERVED_LOW = error "tdm-reserved-group0", TABLE_62, "Reserved bits 29:11 of group 0 must be 0.";
    RESERVED_ADDRESS = warning "tdm-reserved-address", TABLE_62, "Bits 125:121 of group 0 must be 0: a pointer has 57 bits and no sign extension here.";
    RESERVED_GROUP3 = warning "tdm-reserved-group3", Source::manual("CDNA5 ISA p. 155, Tables 64 to 66"), "Bits 127:96 of group 3 must be 0.";
    INDEX_SIZE_ALONE = error "tdm-index-size-without-gather", Source::hardware("AITER opus, MI450: bit 31 is gather_mode, bit 30 the index size"), "The index-size bit 30 means nothing without gather_mode, bit 31.";

    TILE_DIM0_ZERO = warning "tdm-tile-dim0-zero", TABLE_63, "tile_dim0 = 0 makes the operation a no-op.";
    TILE_HOLE = error "tdm-tile-hole", EMULATOR, "A tile extent of 0 says that a dimension is unused, so none may lie below a used one.";
    UPPER_GROUPS_ABSENT = warning "tdm-upper-groups-null", BOUNDS, "A tile of rank 3 or more needs groups 2 and 3; absent groups read as zero and a zero extent masks the whole tile.";
    GATHER_GROUPS_ABSENT = warning "tdm-gather-groups-null", GATHER, "Gather needs groups 2 and 3; absent groups make every row index 0.";
    GROUPS_MIXED = warning "tdm-groups-mixed", Source::manual("CDNA5 ISA p. 149, Table 61"), "Groups 2 and 3 must both be given or both be NULL.";
    ZERO_EXTENT = note "tdm-zero-extent", BOUNDS, "A zero tensor_dim masks the whole tile: a load writes zeros, a store writes nothing.";
    MASKED_FETCH = note "tdm-masked-rows", Source::hardware("AMD-AGI/Primus-Turbo #508; FlyDSL saw no such fetch"), "Rows of a load past tensor_dim1 and up land as zeros, but one published run saw their addresses fetched: unmapped memory there can fault.";

    EXTENT_NEGATIVE = warning "tdm-extent-negative", BOUNDS, "Extents are unsigned: a negative remainder must be clamped to 0, or nothing is masked.";
    STORE_LINES = note "tdm-store-lines", Source::hardware("ROCm/mori #643"), "Stores write whole 128-byte lines: two transfers that share a line clobber each other.";

    ITERATE_IN_GATHER = warning "tdm-iterate-in-gather", GATHER, "iterate_enable is ignored in gather mode.";
    ITERATE_RANK = error "tdm-iterate-rank", ITERATE, "Iterate mode takes 2D and 3D tiles only.";
    ITERATE_GROUP3 = warning "tdm-iterate-group3", ITERATE, "Group 3 must be 0 in iterate mode.";
    ITERATE_PASSES = warning "tdm-iterate-count", ITERATE, "iterate_count is described for 0 to 255, 1 to 256 passes.";
    ITERATE_STRIDES = error "tdm-iterate-strides", EMULATOR, "Bounds of later passes are defined only for strides whose dimensions do not overlap.";
    ITERATE_OVERLAP = note "tdm-iterate-lds-overlap", ITERATE, "Passes closer in LDS than the tile overwrite each other.";

    GATHER_COUNT = error "tdm-gather-count", GATHER, "tile_dim1 counts the valid row indices: 1 to 16 of 16 bits or 1 to 8 of 32 bits.";
    GATHER_IGNORED = warning "tdm-gather-tile-dim2", GATHER, "tile_dim2 is ignored in gather mode, which is 2D only.";
    GATHER_STRIDE1 = note "tdm-gather-stride1", GATHER, "tensor_dim1_stride is ignored in gather mode.";
    GATHER_ORDER = warning "tdm-gather-order", GATHER, "Bounds hold for gathered rows only when no index is smaller than the one before it.";
    GATHER_BOUNDS = note "tdm-gather-bounds", GATHER, "A row index at or past tensor_dim1 gives a zero row on load and is dropped on store.";
    SCATTER_REPEAT = warning "tdm-scatter-repeat", GATHER, "A row index that repeats in a scatter leaves open which row wins.";

    PAD_STORE = warning "tdm-pad-store", PADDING, "Padding works on loads only: a store reads LDS densely.";
    PAD_PAIR_BOTH_ZERO = warning "tdm-pad-pair-zero", PADDING, "pad_interval and pad_amount both encoded 0 with padding on: two dwords and one, or the illegal pair, as the manual is read.";
    PAD_PAIR_MIXED = warning "tdm-pad-pair-mixed", PADDING, "pad_interval and pad_amount must both be zero or both be non-zero, else the result is unpredictable.";
    PAD_PAIR_FORBIDDEN = error "tdm-pad-pair-forbidden", PADDING, "The padding pair is illegal under the chosen reading of the manual.";
    PAD_ROW = warning "tdm-pad-row", Source::manual("CDNA5 ISA 10.11, Table 64"), "tile_dim0 must be a multiple of 4 bytes for padding to work.";
    PAD_UNUSED = note "tdm-pad-unused", PADDING, "pad_interval and pad_amount are ignored while pad_enable is 0.";
    PAD_PERIOD = note "tdm-pad-period", PADDING, "The padding counter runs over the whole tile and is not reset at a row.";
    PAD_ADVICE = note "tdm-pad-advice", Source::inferred("64 LDS banks of 4 bytes, 16 lanes a service"), "Rows that start in one LDS bank make column reads and ds_load_tr serialize; padding spreads them.";

    LDS_OVERFLOW = error "tdm-lds-overflow", Source::manual("CDNA5 ISA p. 156, faults"), "The tile with its padding must lie inside the workgroup's LDS, at most 320 KB.";
    BARRIER_OUTSIDE = error "tdm-barrier-outside-lds", TABLE_63, "The barrier must lie inside the workgroup's LDS.";
    BARRIER_IN_TILE = warning "tdm-barrier-in-tile", TABLE_63, "A barrier inside the tile is overwritten by the load.";

    MASK_STORE = warning "tdm-mask-store", MULTICAST, "workgroup_mask is ignored on a store.";
    MASK_OUTSIDE_CLUSTER = error "tdm-mask-outside-cluster", MULTICAST, "workgroup_mask must be 0 when the wave is not in a cluster, and may name only workgroups of the cluster.";
    MASK_WIDE = note "tdm-mask-wide", Source::inferred("Triton getMaxMulticastMaskPopcount"), "The cache merges at most 5 requestors of one multicast.";
    MASK_STEPPING_A0 = warning "tdm-mask-a0", Source::inferred("Triton and comgr for revision 0"), "Multicast is off on stepping A0.";
    TIMEOUT_ALONE = note "tdm-early-timeout-alone", MULTICAST, "early_timeout means nothing without a workgroup_mask.";

    SPAN = warning "tdm-span", BOUNDS, "The extents, measured from the tile, must end where the tensor ends: bounds protect only against what lies past them.";
    SPAN_SHORT = warning "tdm-span-short", BOUNDS, "A descriptor that spans less than the tensor leaves its end masked.";
    STRIDE_IN_BYTES = note "tdm-stride-in-bytes", TABLE_63, "Strides count elements, not bytes.";
    STRIDE_BELOW_ROW = warning "tdm-stride-below-row", TABLE_63, "A stride smaller than the row makes neighbouring rows share bytes.";
    STRIDE_ZERO = warning "tdm-stride-zero", TABLE_63, "A stride of 0 reads the same row again and again.";
    ADDRESS_ALIGN = note "tdm-address-align", Source::inferred("RCCL_TDM_ALIGN"), "The direct copy path wants a global address that is a multiple of the element size.";
}
