//! The enumerations of a tensor map: data type, interleave, swizzle, L2 promotion.
//!
//! Codes are the CUDA driver's (`CUtensorMap…` in cuda.h); `nvidia::tensor_map` knows those of the stored map.

use crate::ElementType;

/// `CUtensorMapDataType`: the element types that a tensor map can name. The discriminant is the driver's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum DataType {
    /// `UINT8`, also for signed bytes and 8-bit floats.
    Uint8 = 0,
    /// `UINT16`, also for signed 16-bit integers.
    Uint16 = 1,
    /// `UINT32`.
    Uint32 = 2,
    /// `INT32`.
    Int32 = 3,
    /// `UINT64`.
    Uint64 = 4,
    /// `INT64`.
    Int64 = 5,
    /// `FLOAT16`.
    Float16 = 6,
    /// `FLOAT32`.
    Float32 = 7,
    /// `FLOAT64`.
    Float64 = 8,
    /// `BFLOAT16`.
    Bfloat16 = 9,
    /// `FLOAT32_FTZ`.
    Float32Ftz = 10,
    /// `TFLOAT32`.
    Tfloat32 = 11,
    /// `TFLOAT32_FTZ`.
    Tfloat32Ftz = 12,
    /// `16U4_ALIGN8B`.
    U4Align8 = 13,
    /// `16U4_ALIGN16B`.
    U4Align16 = 14,
    /// `16U6_ALIGN16B`.
    U6Align16 = 15,
}

/// Driver code, PTX code of `tensormap.replace`, code in the stored map, driver's name, element type.
struct TypeRow {
    data_type: DataType,
    /// manual: PTX ISA, table of `tensormap.replace` values.
    ptx_code: u8,
    /// hardware: h200 fact 20; inferred from ptxas for the packed types.
    stored_code: u8,
    /// The stored map's tf32 bit.
    tf32: bool,
    name: &'static str,
    element: ElementType,
}

macro_rules! types {
    ($($variant:ident $ptx:literal $stored:literal $tf32:literal $name:literal $element:ident;)*) => {
        const TYPES: &[TypeRow] = &[$(TypeRow {
            data_type: DataType::$variant,
            ptx_code: $ptx,
            stored_code: $stored,
            tf32: $tf32,
            name: $name,
            element: ElementType::$element,
        }),*];
    };
}

types! {
    Uint8       0  0  false "UINT8"         U8;
    Uint16      1  1  false "UINT16"        U16;
    Uint32      2  2  false "UINT32"        U32;
    Int32       3  3  false "INT32"         I32;
    Uint64      4  4  false "UINT64"        U64;
    Int64       5  5  false "INT64"         I64;
    Float16     6  6  false "FLOAT16"       F16;
    Float32     7  7  false "FLOAT32"       F32;
    Float64     9  9  false "FLOAT64"       F64;
    Bfloat16    10 10 false "BFLOAT16"      Bf16;
    Float32Ftz  8  8  false "FLOAT32_FTZ"   F32Ftz;
    Tfloat32    11 7  true  "TFLOAT32"      Tf32;
    Tfloat32Ftz 12 8  true  "TFLOAT32_FTZ"  Tf32Ftz;
    U4Align8    13 11 false "16U4_ALIGN8B"  B4x16;
    U4Align16   14 12 false "16U4_ALIGN16B" B4x16P64;
    U6Align16   15 13 false "16U6_ALIGN16B" B6x16P32;
}

impl DataType {
    /// Every type, by rising driver code.
    pub fn all() -> impl Iterator<Item = DataType> {
        TYPES.iter().map(|row| row.data_type)
    }

    /// The type with that driver code.
    #[must_use]
    pub fn from_code(code: u32) -> Option<DataType> {
        TYPES.get(code as usize).map(|row| row.data_type)
    }

    /// The driver's code.
    #[must_use]
    pub fn code(self) -> u32 {
        self as u32
    }

    /// The type that PTX's `tensormap.replace.elemtype` calls by this number.
    #[must_use]
    pub fn from_ptx_code(code: u32) -> Option<DataType> {
        TYPES.iter().find(|row| u32::from(row.ptx_code) == code).map(|row| row.data_type)
    }

    /// PTX's number for it.
    #[must_use]
    pub fn ptx_code(self) -> u32 {
        u32::from(self.row().ptx_code)
    }

    /// The type that a stored map means with this element code and tf32 bit.
    #[must_use]
    pub fn from_stored(code: u32, tf32: bool) -> Option<DataType> {
        TYPES
            .iter()
            .find(|row| u32::from(row.stored_code) == code && row.tf32 == tf32)
            .map(|row| row.data_type)
    }

    /// Element code and tf32 bit of a stored map.
    #[must_use]
    pub fn stored(self) -> (u32, bool) {
        (u32::from(self.row().stored_code), self.row().tf32)
    }

    /// The type that moves elements of this kind; signed and 8-bit float types go as unsigned ones of their width.
    /// `None` where no tensor map type has the width (none today) or the packing.
    #[must_use]
    pub fn for_element(element: ElementType) -> Option<DataType> {
        match element {
            ElementType::I8
            | ElementType::F8e4m3
            | ElementType::F8e5m2
            | ElementType::F8e4m3Fnuz
            | ElementType::F8e5m2Fnuz
            | ElementType::F8e8m0 => Some(DataType::Uint8),
            ElementType::I16 => Some(DataType::Uint16),
            // One driver type serves loads and stores; they lay the bits out differently in shared memory.
            ElementType::B6p2x16 => Some(DataType::U6Align16),
            _ => TYPES.iter().find(|row| row.element == element).map(|row| row.data_type),
        }
    }

    /// What one element is.
    #[must_use]
    pub fn element(self) -> ElementType {
        self.row().element
    }

    /// The driver's name without `CU_TENSOR_MAP_DATA_TYPE_`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The type of that name: the driver's, with or without its prefix, or an element type's.
    #[must_use]
    pub fn parse(name: &str) -> Option<DataType> {
        let bare = name.trim().strip_prefix("CU_TENSOR_MAP_DATA_TYPE_").unwrap_or(name.trim());
        TYPES
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(bare))
            .map(|row| row.data_type)
            .or_else(|| ElementType::parse(bare).and_then(DataType::for_element))
    }

    fn row(self) -> &'static TypeRow {
        &TYPES[self as usize]
    }
}

macro_rules! mode {
    ($(#[$doc:meta])* $name:ident prefix $prefix:literal { $($(#[$vdoc:meta])* $variant:ident = $code:literal, $text:literal, $cuda:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$vdoc])* $variant = $code,)*
        }

        impl $name {
            /// Every choice, by rising driver code.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The choice with that driver code.
            #[must_use]
            pub fn from_code(code: u32) -> Option<$name> {
                $name::ALL.iter().copied().find(|mode| mode.code() == code)
            }

            /// The driver's code.
            #[must_use]
            pub const fn code(self) -> u32 {
                self as u32
            }

            /// Its short name, as launch files spell it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// The choice of that name: short, or the driver's with or without its prefix.
            #[must_use]
            pub fn parse(name: &str) -> Option<$name> {
                let bare = name.trim().strip_prefix($prefix).unwrap_or(name.trim());
                const NAMES: &[(&str, &str, $name)] = &[$(($text, $cuda, $name::$variant)),*];
                NAMES
                    .iter()
                    .find(|(text, cuda, _)| text.eq_ignore_ascii_case(bare) || cuda.eq_ignore_ascii_case(bare))
                    .map(|(_, _, mode)| *mode)
            }
        }
    };
}

mode! {
    /// `CUtensorMapInterleave`: whole slices of channels lie together.
    Interleave prefix "CU_TENSOR_MAP_INTERLEAVE_" {
        /// Ordinary tensors.
        #[default]
        None = 0, "none", "NONE";
        /// NC/8HWC8: slices of 16 bytes.
        B16 = 1, "16B", "16B";
        /// NC/16HWC16: slices of 32 bytes.
        B32 = 2, "32B", "32B";
    }
}

mode! {
    /// `CUtensorMapSwizzle`: how 16-byte chunks are permuted in shared memory.
    Swizzle prefix "CU_TENSOR_MAP_SWIZZLE_" {
        /// Not at all.
        #[default]
        None = 0, "none", "NONE";
        /// Chunks within 32 bytes.
        B32 = 1, "32B", "32B";
        /// Chunks within 64 bytes.
        B64 = 2, "64B", "64B";
        /// Chunks within 128 bytes.
        B128 = 3, "128B", "128B";
        /// Pairs of chunks within 128 bytes (sm_100 and later).
        B128Atom32 = 4, "128B_atom_32B", "128B_ATOM_32B";
        /// The same, and the 8-byte halves of a chunk change places in every other 128-byte line.
        B128Atom32Flip8 = 5, "128B_atom_32B_flip_8B", "128B_ATOM_32B_FLIP_8B";
        /// Groups of four chunks within 128 bytes.
        B128Atom64 = 6, "128B_atom_64B", "128B_ATOM_64B";
        /// Rows of 96 bytes (sm_103 and sm_107). No encoder takes it, only `tensormap.replace`; 7 is our own number.
        B96 = 7, "96B", "96B";
    }
}

mode! {
    /// `CUtensorMapL2promotion`: how much the L2 fetches around a request. Moves no byte differently.
    L2Promotion prefix "CU_TENSOR_MAP_L2_PROMOTION_" {
        /// As much as asked for.
        #[default]
        None = 0, "none", "NONE";
        /// 64 bytes.
        B64 = 1, "64B", "L2_64B";
        /// 128 bytes.
        B128 = 2, "128B", "L2_128B";
        /// 256 bytes.
        B256 = 3, "256B", "L2_256B";
    }
}

mode! {
    /// `CUtensorMapFloatOOBfill`: what a load writes for elements outside the tensor.
    OobFill prefix "CU_TENSOR_MAP_FLOAT_OOB_FILL_" {
        /// All bits zero.
        #[default]
        Zero = 0, "zero", "NONE";
        /// A NaN that `fma.rn.oob` takes for zero.
        Nan = 1, "nan", "NAN_REQUEST_ZERO_FMA";
    }
}

impl OobFill {
    /// The 16-bit pattern that fills every half-word of an element outside the tensor, whatever its type.
    ///
    /// hardware: h200 fact 36 (`f16`, `bf16`, `f32`, `f32.ftz`, `tf32`, `tf32.ftz`, `f64`).
    #[must_use]
    pub const fn half_word(self) -> u16 {
        match self {
            OobFill::Zero => 0,
            OobFill::Nan => 0x7ff7,
        }
    }

    /// Two bytes of fill, as they lie in memory; a run of fill repeats them.
    #[must_use]
    pub const fn pattern(self) -> [u8; 2] {
        self.half_word().to_le_bytes()
    }
}

impl Interleave {
    /// Bytes of one slice, or `None` for ordinary tensors.
    #[must_use]
    pub const fn slice_bytes(self) -> Option<u32> {
        match self {
            Interleave::None => None,
            Interleave::B16 => Some(16),
            Interleave::B32 => Some(32),
        }
    }

    /// What the global address and every stride are multiples of, in bytes. hardware: h200 facts 4, 6 (encoder);
    /// H200, `probe/e24_again` (the engine, at each use).
    #[must_use]
    pub const fn global_alignment(self) -> u64 {
        match self {
            Interleave::None | Interleave::B16 => 16,
            Interleave::B32 => 32,
        }
    }
}

impl Swizzle {
    /// Bytes of the span within which chunks change places; a row of the box may not be wider. `None` without one.
    #[must_use]
    #[inline]
    pub const fn span(self) -> Option<u32> {
        match self {
            Swizzle::None => None,
            Swizzle::B32 => Some(32),
            Swizzle::B64 => Some(64),
            Swizzle::B96 => Some(96),
            Swizzle::B128 | Swizzle::B128Atom32 | Swizzle::B128Atom32Flip8 | Swizzle::B128Atom64 => Some(128),
        }
    }

    /// Bytes from one row of a box to the next in shared memory, for rows of `row_bytes`, without interleave.
    ///
    /// hardware: h200 fact 31 (a row narrower than the span still takes the whole span).
    #[must_use]
    #[inline]
    pub const fn pitch(self, row_bytes: u64) -> u64 {
        match self.span() {
            Some(span) if (span as u64) > row_bytes => span as u64,
            _ => row_bytes,
        }
    }

    /// Bytes after which the pattern repeats: what a tile's base must be aligned to before a consumer may compute the
    /// permutation from offsets instead of absolute addresses. 16 without a swizzle.
    #[must_use]
    pub const fn repeat(self) -> u32 {
        match self {
            Swizzle::None => 16,
            Swizzle::B32 | Swizzle::B96 | Swizzle::B128Atom64 => 256,
            Swizzle::B64 | Swizzle::B128Atom32 | Swizzle::B128Atom32Flip8 => 512,
            Swizzle::B128 => 1024,
        }
    }

    /// Where the byte of un-swizzled shared address `address` really lies. Its own inverse.
    ///
    /// hardware: h200 fact 32 for 32B, 64B and 128B; manual: PTX ISA, swizzling modes, for the others.
    #[must_use]
    #[inline]
    pub const fn permute(self, address: u64) -> u64 {
        let line = address >> 7;
        let (mask, shift) = self.line_key();
        let halves = if matches!(self, Swizzle::B128Atom32Flip8) { (line & 1) << 3 } else { 0 };
        address ^ ((line & mask) << shift | halves)
    }

    /// The permutation of whole chunks: these bits of the number of a 128-byte line, moved up so far, are flipped in
    /// addresses of that line. The 8-byte halves that [`Swizzle::B128Atom32Flip8`] flips are not in it.
    #[must_use]
    #[inline]
    pub const fn line_key(self) -> (u64, u32) {
        match self {
            Swizzle::None => (0, 0),
            Swizzle::B32 | Swizzle::B96 => (1, 4),
            Swizzle::B64 => (3, 4),
            Swizzle::B128 => (7, 4),
            Swizzle::B128Atom32 | Swizzle::B128Atom32Flip8 => (3, 5),
            Swizzle::B128Atom64 => (1, 6),
        }
    }

    /// Largest run of bytes that always stays together: an aligned chunk of this many bytes moves as a whole.
    #[must_use]
    #[inline]
    pub const fn chunk(self) -> u32 {
        match self {
            Swizzle::None => 128,
            Swizzle::B128Atom32Flip8 => 8,
            Swizzle::B128Atom32 => 32,
            Swizzle::B128Atom64 => 64,
            Swizzle::B32 | Swizzle::B64 | Swizzle::B96 | Swizzle::B128 => 16,
        }
    }

    /// Swizzle mode and atomicity of a stored map (the 96B mode has a bit of its own).
    #[must_use]
    pub(crate) const fn stored(self) -> (u32, u32, bool) {
        match self {
            Swizzle::None => (0, 0, false),
            Swizzle::B32 => (1, 0, false),
            Swizzle::B64 => (2, 0, false),
            Swizzle::B128 => (3, 0, false),
            Swizzle::B128Atom32 => (3, 1, false),
            Swizzle::B128Atom32Flip8 => (3, 2, false),
            Swizzle::B128Atom64 => (3, 3, false),
            Swizzle::B96 => (0, 0, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_follow_their_enums() {
        for (at, row) in TYPES.iter().enumerate() {
            assert_eq!(row.data_type as usize, at);
            let (code, tf32) = row.data_type.stored();
            assert_eq!(DataType::from_stored(code, tf32), Some(row.data_type));
            assert_eq!(DataType::from_ptx_code(row.data_type.ptx_code()), Some(row.data_type));
            assert_eq!(DataType::parse(row.name), Some(row.data_type));
        }
    }

    #[test]
    fn permutations_are_involutions_and_repeat() {
        for &swizzle in Swizzle::ALL {
            for address in 0..4096u64 {
                let there = swizzle.permute(address);
                assert_eq!(swizzle.permute(there), address, "{}", swizzle.name());
                assert_eq!(
                    there % u64::from(swizzle.chunk().min(8)),
                    address % u64::from(swizzle.chunk().min(8))
                );
                let later = address + u64::from(swizzle.repeat());
                assert_eq!(swizzle.permute(later), there + u64::from(swizzle.repeat()), "{}", swizzle.name());
            }
        }
    }

    /// manual: PTX ISA 5.5.7, the order in which the second 128-byte line holds its chunks.
    #[test]
    fn second_line_reads_as_the_manual_prints_it() {
        let order =
            |swizzle: Swizzle| (0..8).map(|c| (swizzle.permute(128 + 16 * c) - 128) / 16).collect::<Vec<_>>();
        assert_eq!(order(Swizzle::B128), [1, 0, 3, 2, 5, 4, 7, 6]);
        assert_eq!(order(Swizzle::B128Atom32), [2, 3, 0, 1, 6, 7, 4, 5]);
        assert_eq!(order(Swizzle::B128Atom64), [4, 5, 6, 7, 0, 1, 2, 3]);
    }

    #[test]
    fn names_of_launch_files_and_of_the_driver() {
        assert_eq!(Swizzle::parse("128B_atom_32B_flip_8B"), Some(Swizzle::B128Atom32Flip8));
        assert_eq!(Swizzle::parse("CU_TENSOR_MAP_SWIZZLE_128B"), Some(Swizzle::B128));
        assert_eq!(L2Promotion::parse("CU_TENSOR_MAP_L2_PROMOTION_L2_256B"), Some(L2Promotion::B256));
        assert_eq!(Interleave::parse("32b"), Some(Interleave::B32));
        assert_eq!(DataType::parse("CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B"), Some(DataType::U4Align8));
        assert_eq!(DataType::parse("f8e4m3"), Some(DataType::Uint8));
    }
}
