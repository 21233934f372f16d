//! Every rule of tensor maps: the driver's, the engine's, and remarks on legal maps that are probably mistakes.

use tilehaul_diag::Source;

use crate::Rule;

macro_rules! rules {
    ($($name:ident $level:ident $code:literal $source:expr, $text:literal;)*) => {
        $(#[doc = $text] pub const $name: Rule = Rule::$level($code, $text, $source);)*

        /// Every rule, for the catalogue.
        pub const RULES: &[Rule] = &[$($name),*];
    };
}

const fn hw(place: &'static str) -> Source {
    Source::hardware(place)
}

const fn manual(place: &'static str) -> Source {
    Source::manual(place)
}

const fn inferred(place: &'static str) -> Source {
    Source::inferred(place)
}

rules! {
    // What the driver refuses.
    MAP_POINTER_NULL error "tma-map-pointer-null" hw("h200 fact 15"),
        "The pointer to the map must not be null.";
    ARGUMENT_COUNT error "tma-argument-count" manual("cuda.h cuTensorMapEncodeTiled"),
        "Each array needs one entry for each dimension, the strides one fewer.";
    DATA_TYPE error "tma-data-type" hw("h200 fact 2"),
        "The data type must be one that the target knows.";
    RANK error "tma-rank" hw("h200 fact 3"),
        "A tiled tensor has 1 to 5 dimensions, an im2col or interleaved one 3 to 5.";
    INTERLEAVE error "tma-interleave" hw("h200 fact 3"),
        "The interleave is none, 16B or 32B.";
    SWIZZLE error "tma-swizzle" hw("h200 fact 3"),
        "The swizzle must be one that the target knows.";
    L2_PROMOTION error "tma-l2-promotion" hw("h200 fact 3"),
        "The L2 promotion is none, 64B, 128B or 256B.";
    OOB_FILL error "tma-oob-fill" hw("h200 fact 3"),
        "The fill is zero or nan.";
    NAN_FILL_TYPE error "tma-nan-fill-type" hw("h200 fact 3"),
        "Only floating-point types can be filled with NaN.";
    ADDRESS_ALIGNMENT error "tma-address-alignment" hw("h200 fact 4"),
        "The global address must be a multiple of 16 bytes, of 32 with interleave 32B and with 16-byte aligned packed types.";
    ADDRESS_RANGE error "tma-address-range" hw("h200 fact 4"),
        "The global address must lie below 2^57.";
    DIM_RANGE error "tma-dim-range" hw("h200 fact 5"),
        "Each dimension has 1 to 2^32 elements.";
    DIM_PACKED error "tma-dim-packed" manual("cuda.h cuTensorMapEncodeTiled"),
        "Dimension 0 of a packed type is a multiple of 128 elements (of 2 for 16U4_ALIGN8B).";
    STRIDE_ALIGNMENT error "tma-stride-alignment" hw("h200 fact 6"),
        "Each stride must be a multiple of 16 bytes, of 32 with interleave 32B and with 16-byte aligned packed types.";
    STRIDE_RANGE error "tma-stride-range" hw("h200 fact 6"),
        "Each stride must lie below 2^40 bytes.";
    BOX_RANGE error "tma-box-range" hw("h200 fact 7"),
        "The box has 1 to 256 elements along each dimension.";
    BOX_PACKED error "tma-box-packed" manual("cuda.h cuTensorMapEncodeTiled"),
        "The inner box of a 16-byte aligned packed type has exactly 128 elements.";
    INNER_BOX_BYTES error "tma-inner-box-bytes" hw("h200 fact 8"),
        "The inner box must be a multiple of 16 bytes.";
    INNER_BOX_SWIZZLE error "tma-inner-box-swizzle" hw("h200 fact 9"),
        "Without interleave, the inner box must not be wider than the swizzle span.";
    ELEMENT_STRIDE error "tma-element-stride" hw("h200 fact 7"),
        "Each element stride is 1 to 8, the one of dimension 0 too.";
    BOX_BYTES error "tma-box-bytes" hw("h200 fact 11"),
        "The whole box must not exceed 228 KiB (233,472 bytes).";
    CHANNELS_RANGE error "tma-channels-range" hw("h200 fact 12"),
        "Channels per pixel are 1 to 256.";
    PIXELS_RANGE error "tma-pixels-range" hw("h200 fact 12"),
        "Pixels per column are 1 to 1024.";
    CORNER_RANGE error "tma-corner-range" hw("h200 fact 12"),
        "Corners fit 16 bits signed with one spatial dimension, 8 with two, 5 with three.";
    CORNER_EMPTY error "tma-corner-empty" hw("h200 fact 12"),
        "On each spatial dimension the lower corner must lie below size + upper corner.";
    WIDE_MODE error "tma-wide-mode" hw("h200 fact 14"),
        "The mode of an im2col-wide map is W (0) or W128 (1).";
    PACKED_INTERLEAVE error "tma-packed-interleave" manual("cuda.h cuTensorMapEncodeTiled"),
        "16-byte aligned packed types cannot be interleaved.";
    PACKED_SWIZZLE error "tma-packed-swizzle" manual("cuda.h cuTensorMapEncodeTiled"),
        "16-byte aligned packed types take no swizzle, 128B, or 128B with 32B atoms; 6-bit stores also 64B atoms.";

    // What the engine refuses in a map that exists.
    ENGINE_RANK error "tma-engine-rank" hw("h200 fact 29"),
        "A map names 1 to 5 dimensions, an im2col map 3 to 5.";
    ENGINE_ELEMENT error "tma-engine-element" hw("h200 fact 29"),
        "A map names an element type that the target knows.";
    ENGINE_TF32 error "tma-engine-tf32" hw("h200 fact 29"),
        "The tf32 bit stands only with f32 and f32.ftz.";
    ENGINE_INTERLEAVE error "tma-engine-interleave" inferred("h200 fact 29; code 3 has no meaning"),
        "A map names an interleave of none, 16B or 32B, interleaved ones with at least 3 dimensions.";
    ENGINE_ROW_BYTES error "tma-engine-row-bytes" hw("h200 fact 29"),
        "Without interleave, a row of the box is a multiple of 16 bytes and no wider than the swizzle span.";
    ENGINE_DIM error "tma-engine-dim" hw("h200 facts 29, 45"),
        "No dimension that is used exceeds 2^31.";
    ENGINE_CORNERS error "tma-engine-corners" hw("h200 fact 29"),
        "The bounding box of an im2col map is not empty.";
    ENGINE_STRIDE error "tma-engine-stride" hw("H200, probe/e24_again: 715"),
        "With interleave 32B, the strides in a map are multiples of 32 bytes.";
    ENGINE_ADDRESS error "tma-engine-address" hw("H200, probe/e24_again: 716"),
        "The global address in a map is a multiple of 16 bytes, with interleave 32B of 32.";
    STRIDE_ORDINAL error "tma-stride-ordinal" inferred("code that ptxas 13.5 makes of tensormap.replace"),
        "A map has 4 strides: tensormap.replace takes ordinals 0 to 3 for them.";
    ENGINE_ATOMICITY error "tma-engine-atomicity" manual("PTX ISA, restrictions on tensor copies"),
        "A swizzle atomicity other than 16B stands only with the 128B swizzle, the 96B bit only without another swizzle.";

    // Legal, and very probably a mistake.
    MAP_POINTER_ALIGNMENT warning "tma-map-pointer-alignment" hw("h200 facts 15, 100"),
        "The driver takes any pointer to the map, but a copy faults with 716 unless the map lies at a multiple of 64 bytes.";
    NULL_ADDRESS warning "tma-null-address" hw("h200 facts 4, 47"),
        "A null address is accepted, but the first copy faults.";
    DIM_UNUSABLE warning "tma-dim-unusable" hw("h200 fact 45"),
        "A dimension above 2^31 is accepted, but every copy then dies with error 715.";
    EXTENT_ALLOCATION warning "tma-extent-allocation" hw("h200 fact 49"),
        "The tensor that the map describes should lie inside its allocation: elements past it count as in bounds.";
    EXTENT_ADDRESS warning "tma-extent-address" hw("h200 facts 4, 18"),
        "The tensor should end below 2^57: the engine drops higher address bits.";
    STRIDE_OVERLAP warning "tma-stride-overlap" hw("h200 fact 6"),
        "A stride smaller than what lies below it makes rows overlap; no rule forbids it.";
    INNER_STRIDE_IGNORED warning "tma-inner-stride-ignored" hw("h200 facts 30, 59"),
        "The element stride of dimension 0 is ignored without interleave.";
    ELEMENT_STRIDE_BOX warning "tma-element-stride-box" hw("h200 facts 11, 30"),
        "A box counts elements before the element stride: it should be a multiple of it.";
    ROW_PITCH warning "tma-row-pitch" hw("h200 fact 31"),
        "A row narrower than the swizzle span still takes the whole span in shared memory.";
    BOX_SHARED warning "tma-box-shared" manual("CUDA Programming Guide, compute capabilities"),
        "The box should fit the shared memory of one CTA.";
    LARGE_ALLOCATION warning "tma-large-allocation" manual("cuda.h 13.5 cuTensorMapSetAllocationClass"),
        "Allocation class LARGE needs 128 KiB accessible from the base on.";
    STRIDE_COUNT note "tma-stride-count" manual("cuda.h cuTensorMapEncodeTiled"),
        "Strides start with dimension 1: the innermost is the element size and is not given.";
    WIDE_TARGET warning "tma-wide-target" manual("cuda.h cuTensorMapEncodeIm2colWide"),
        "Copies of kind im2col::w need sm_100; below, the driver makes an ordinary im2col map of the call.";
    WIDE_MODES warning "tma-wide-modes" manual("cuda.h cuTensorMapEncodeIm2colWide"),
        "An im2col-wide map has swizzle 64B, 128B or 128B_atom_32B and no interleave; driver 580 does not check it.";

    // Good to know.
    ELEMENT_STRIDE_COUNT note "tma-element-stride-count" hw("h200 fact 30"),
        "A box counts elements before the element stride: a copy moves box / stride of them.";
    STRIDE_ZERO note "tma-stride-zero" hw("h200 facts 6, 46"),
        "A stride of 0 repeats the same bytes along its dimension.";
    BOX_BEYOND note "tma-box-beyond-tensor" hw("h200 fact 16"),
        "A box larger than the tensor is accepted; what lies outside is filled, and counts for the barrier.";
    STORE_EDGE note "tma-store-edge" hw("h200 fact 66"),
        "A store or reduction at the inner edge writes up to the next multiple of 16 bytes.";
    TF32_ROUNDS note "tma-tf32-rounds" hw("h200 fact 37"),
        "Loads round tf32 elements to 10 mantissa bits; stores do not.";
    IM2COL_STORE note "tma-im2col-store" hw("h200 fact 63"),
        "im2col stores and reductions need every lower corner at 0 or above and every upper corner at 0 or below.";
    FLIP_LOADS_ONLY note "tma-flip-loads-only" manual("PTX ISA, restrictions on tensor copies"),
        "The swizzle with 32B atoms and 8B flip works for loads only.";
    PACKED_LOADS_ONLY note "tma-packed-loads-only" manual("PTX ISA, restrictions on tensor copies"),
        "16U4_ALIGN16B tensors can be loaded but not stored, and no packed type can be reduced.";
    STALE_ANNOTATION note "tma-stale-annotation" hw("h200 fact 26"),
        "The driver's note of the box's size or of the alignment differs from the fields: the map was edited after it was encoded.";
    IGNORED_BITS note "tma-ignored-bits" hw("h200 fact 28"),
        "Bits that the engine ignores are set.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique() {
        let mut codes: Vec<_> = RULES.iter().map(|rule| rule.code).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), RULES.len());
    }
}
