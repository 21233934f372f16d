//! Element types of both vendors: widths, packing, fill patterns, names.
//!
//! An element type says how wide one element is, how elements lie in global and in shared memory (the packed
//! 4- and 6-bit types lie differently in the two), and what an engine writes where there is no element.
//! Names are those of launch files (`f16`, `i32`, `f8e4m3`, `b4x16_p64`); PTX's names are accepted as well.

use std::fmt;

/// What one element of a tensor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementType {
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 64 bits.
    I64,
    /// IEEE half precision.
    F16,
    /// The upper half of an IEEE single.
    Bf16,
    /// IEEE single precision.
    F32,
    /// IEEE single precision whose subnormals a tensor reduction flushes to zero.
    F32Ftz,
    /// IEEE double precision.
    F64,
    /// A single whose mantissa a tensor load rounds to 10 bits.
    Tf32,
    /// [`ElementType::Tf32`] whose subnormals a tensor reduction flushes to zero.
    Tf32Ftz,
    /// 8-bit float, 4 exponent bits, no infinities (OCP).
    F8e4m3,
    /// 8-bit float, 5 exponent bits (OCP).
    F8e5m2,
    /// 8-bit float of gfx942, 4 exponent bits, no infinities, one zero.
    F8e4m3Fnuz,
    /// 8-bit float of gfx942, 5 exponent bits, no infinities, one zero.
    F8e5m2Fnuz,
    /// 8-bit power of two (OCP scale).
    F8e8m0,
    /// 4-bit values, 16 of them in 8 bytes on both sides (`16U4_ALIGN8B`).
    B4x16,
    /// 4-bit values, 16 of them in 8 global bytes and in 16 shared bytes (`16U4_ALIGN16B`).
    B4x16P64,
    /// 6-bit values, 16 of them in 12 global bytes and in 16 shared bytes (`16U6_ALIGN16B`), on loads.
    B6x16P32,
    /// The same type on stores: 16 shared bytes, each with 6 bits that count, become 12 global bytes.
    B6p2x16,
}

/// How a group of elements lies in memory. For ordinary types a group is one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Elements of one group.
    pub elements: u32,
    /// Bytes of a group in global memory.
    pub global_bytes: u32,
    /// Bytes from one group to the next in shared memory.
    pub shared_bytes: u32,
}

/// One row of the table of types.
struct Row {
    element: ElementType,
    name: &'static str,
    /// Other spellings: PTX's, NumPy's.
    aliases: &'static [&'static str],
    bits: u32,
    packing: Packing,
    class: Class,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Unsigned,
    Signed,
    Float,
    /// Bits without a meaning of their own.
    Bits,
}

const fn plain(bytes: u32) -> Packing {
    Packing { elements: 1, global_bytes: bytes, shared_bytes: bytes }
}

const fn packed(global_bytes: u32, shared_bytes: u32) -> Packing {
    Packing { elements: 16, global_bytes, shared_bytes }
}

macro_rules! rows {
    ($($element:ident $name:literal [$($alias:literal),*] $bits:literal $packing:expr, $class:ident;)*) => {
        /// Every type, in the order of the enum.
        const ROWS: &[Row] = &[$(Row {
            element: ElementType::$element,
            name: $name,
            aliases: &[$($alias),*],
            bits: $bits,
            packing: $packing,
            class: Class::$class,
        }),*];
    };
}

// manual: cuda.h CUtensorMapDataType for sizes and packings; hardware: a public sm_120 probe for the packed ones.
rows! {
    U8       "u8"        ["uint8"]                        8 plain(1), Unsigned;
    I8       "i8"        ["s8", "int8"]                   8 plain(1), Signed;
    U16      "u16"       ["uint16"]                      16 plain(2), Unsigned;
    I16      "i16"       ["s16", "int16"]                16 plain(2), Signed;
    U32      "u32"       ["uint32"]                      32 plain(4), Unsigned;
    I32      "i32"       ["s32", "int32"]                32 plain(4), Signed;
    U64      "u64"       ["uint64"]                      64 plain(8), Unsigned;
    I64      "i64"       ["s64", "int64"]                64 plain(8), Signed;
    F16      "f16"       ["fp16", "half", "float16"]     16 plain(2), Float;
    Bf16     "bf16"      ["bfloat16"]                    16 plain(2), Float;
    F32      "f32"       ["fp32", "float", "float32"]    32 plain(4), Float;
    F32Ftz   "f32.ftz"   ["f32_ftz", "float32_ftz"]      32 plain(4), Float;
    F64      "f64"       ["fp64", "double", "float64"]   64 plain(8), Float;
    Tf32     "tf32"      ["tfloat32"]                    32 plain(4), Float;
    Tf32Ftz  "tf32.ftz"  ["tf32_ftz", "tfloat32_ftz"]    32 plain(4), Float;
    F8e4m3   "f8e4m3"    ["e4m3", "float8_e4m3fn"]        8 plain(1), Float;
    F8e5m2   "f8e5m2"    ["e5m2", "float8_e5m2"]          8 plain(1), Float;
    F8e4m3Fnuz "f8e4m3fnuz" ["e4m3fnuz", "float8_e4m3fnuz"] 8 plain(1), Float;
    F8e5m2Fnuz "f8e5m2fnuz" ["e5m2fnuz", "float8_e5m2fnuz"] 8 plain(1), Float;
    F8e8m0   "f8e8m0"    ["e8m0", "ue8m0"]                8 plain(1), Float;
    B4x16    "b4x16"     ["16u4_align8b"]                 4 packed(8, 8), Bits;
    B4x16P64 "b4x16_p64" ["16u4_align16b"]                4 packed(8, 16), Bits;
    B6x16P32 "b6x16_p32" ["16u6_align16b"]                6 packed(12, 16), Bits;
    B6p2x16  "b6p2x16"   []                               6 packed(12, 16), Bits;
}

impl ElementType {
    /// Every type, in declaration order.
    pub fn all() -> impl Iterator<Item = ElementType> {
        ROWS.iter().map(|row| row.element)
    }

    /// The type of that name; launch-file, PTX and NumPy spellings, a leading dot and any case.
    #[must_use]
    pub fn parse(name: &str) -> Option<ElementType> {
        let name = name.trim().trim_start_matches('.');
        let same = |spelling: &str| spelling.eq_ignore_ascii_case(name);
        ROWS.iter().find(|row| same(row.name) || row.aliases.iter().any(|a| same(a))).map(|row| row.element)
    }

    /// Its name in launch files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Bits of one element as it lies in global memory.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.row().bits
    }

    /// How a group of elements lies in memory.
    #[must_use]
    pub fn packing(self) -> Packing {
        self.row().packing
    }

    /// Bytes of one element, or `None` for the packed 4- and 6-bit types.
    #[must_use]
    pub fn bytes(self) -> Option<u32> {
        self.row().bits.is_multiple_of(8).then(|| self.row().bits / 8)
    }

    /// Bytes that `elements` take in global memory, rounded up to whole bytes.
    #[must_use]
    pub fn global_bytes(self, elements: u64) -> u64 {
        match u64::from(self.bits()) {
            bits if bits.is_multiple_of(8) => elements.saturating_mul(bits / 8),
            bits => elements.saturating_mul(bits).div_ceil(8),
        }
    }

    /// Bytes that `elements` span in shared memory, padding of packed groups included, rounded up to whole groups.
    #[must_use]
    pub fn shared_bytes(self, elements: u64) -> u64 {
        let packing = self.packing();
        elements.div_ceil(u64::from(packing.elements)).saturating_mul(u64::from(packing.shared_bytes))
    }

    /// A float, so that the NaN fill is legal for it.
    #[must_use]
    pub fn is_float(self) -> bool {
        self.row().class == Class::Float
    }

    /// A signed integer.
    #[must_use]
    pub fn is_signed_integer(self) -> bool {
        self.row().class == Class::Signed
    }

    /// One of the packed 4- and 6-bit types.
    #[must_use]
    pub fn is_packed(self) -> bool {
        self.packing().elements > 1
    }

    /// A tensor load rounds its in-bounds elements to 10 mantissa bits.
    #[must_use]
    pub fn rounds_to_tf32(self) -> bool {
        matches!(self, ElementType::Tf32 | ElementType::Tf32Ftz)
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_enum() {
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(row.element as usize, at, "{}", row.name);
            assert_eq!(ElementType::parse(row.name), Some(row.element));
            let group = row.packing;
            assert_eq!(group.elements * row.bits, group.global_bytes * 8, "{}", row.name);
        }
    }

    #[test]
    fn packed_rows_are_wider_in_shared_memory() {
        assert_eq!(ElementType::B4x16P64.global_bytes(128), 64);
        assert_eq!(ElementType::B4x16P64.shared_bytes(128), 128);
        assert_eq!(ElementType::B6x16P32.global_bytes(128), 96);
        assert_eq!(ElementType::B6x16P32.shared_bytes(128), 128);
        assert_eq!(ElementType::B4x16.shared_bytes(32), 16);
        assert_eq!(ElementType::F16.shared_bytes(3), 6);
    }

    #[test]
    fn names_of_every_dialect_are_understood() {
        assert_eq!(ElementType::parse(".s32"), Some(ElementType::I32));
        assert_eq!(ElementType::parse("FP16"), Some(ElementType::F16));
        assert_eq!(ElementType::parse("tf32.ftz"), Some(ElementType::Tf32Ftz));
        assert_eq!(ElementType::parse("q7"), None);
    }
}
