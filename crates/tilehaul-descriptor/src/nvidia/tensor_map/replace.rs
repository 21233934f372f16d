//! `tensormap.replace`: edits of a map's bytes, as ptxas 13.5 compiles them.
//!
//! The instruction is a plain read, modify and write of words of the map, so its quirks are those of the compiled
//! code (inferred: ptxas 13.5): a tf32 bit that stays, a `global_stride` of ordinal 4 that destroys the high bits of all
//! strides, a rank that is stored as given. The driver's notes are never updated.

use std::fmt;

use super::format::{self, WORDS};
use super::{MAP_BYTES, bytes_of, words_of};
use crate::nvidia::architecture::{Replace, Swizzle96};
use crate::nvidia::{Architecture, DataType, Swizzle};

/// What is replaced; ordinals count dimensions, innermost 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `.global_address`, 64 bits.
    GlobalAddress,
    /// `.rank`: the operand is the rank minus 1.
    Rank,
    /// `.box_dim`, ordinal 0 to 4.
    BoxDim(u32),
    /// `.global_dim`, ordinal 0 to 4.
    GlobalDim(u32),
    /// `.global_stride`, 64 bits; ordinal 0 belongs to dimension 1.
    GlobalStride(u32),
    /// `.element_stride`, ordinal 0 to 4.
    ElementStride(u32),
    /// `.elemtype`, an immediate.
    ElementType,
    /// `.interleave_layout`, an immediate.
    InterleaveLayout,
    /// `.swizzle_mode`, an immediate.
    SwizzleMode,
    /// `.swizzle_atomicity`, an immediate.
    SwizzleAtomicity,
    /// `.fill_mode`, an immediate.
    FillMode,
}

/// Why ptxas refuses such an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplaceError {
    /// The target has no such instruction.
    Target(&'static str),
    /// The ordinal is above the last.
    Ordinal {
        /// The ordinal.
        ordinal: u32,
        /// The largest that assembles.
        last: u32,
    },
    /// The immediate has no meaning on this target.
    Immediate {
        /// The field.
        field: &'static str,
        /// The immediate.
        value: u64,
        /// The largest that assembles there.
        last: u64,
    },
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplaceError::Target(name) => {
                write!(
                    f,
                    "tensormap.replace does not assemble for {name}; use an architecture-specific target such as sm_90a or sm_100a"
                )
            }
            ReplaceError::Ordinal { ordinal, last } => {
                write!(f, "ordinal {ordinal} is above {last}, the last dimension")
            }
            ReplaceError::Immediate { field, value, last } => {
                write!(f, "{field} {value} does not assemble for this target; the largest value is {last}")
            }
        }
    }
}

impl std::error::Error for ReplaceError {}

/// Replaces one field.
///
/// # Errors
/// Where ptxas refuses the instruction. Register operands are never refused: their low bits are stored.
pub fn replace(
    map: &mut [u8; MAP_BYTES],
    field: Field,
    value: u64,
    architecture: &Architecture,
) -> Result<(), ReplaceError> {
    if architecture.replace == Replace::Absent {
        return Err(ReplaceError::Target(architecture.name));
    }
    let mut words = words_of(map);
    edit(&mut words, field, value, architecture)?;
    *map = bytes_of(&words);
    Ok(())
}

fn edit(
    words: &mut [u32; WORDS],
    field: Field,
    value: u64,
    architecture: &Architecture,
) -> Result<(), ReplaceError> {
    match field {
        Field::GlobalAddress => {
            format::ADDRESS.store(words, value);
            format::LARGE.store(words, 0);
        }
        Field::Rank => format::RANK.store(words, value),
        Field::BoxDim(ordinal) => at(&format::BOX, ordinal)?.store(words, value.wrapping_sub(1)),
        Field::GlobalDim(ordinal) => at(&format::DIMS, ordinal)?.store(words, value.wrapping_sub(1)),
        Field::ElementStride(ordinal) => {
            at(&format::ELEMENT_STRIDES, ordinal)?.store(words, value.wrapping_sub(1))
        }
        // Assembles, and overwrites the word that holds the high bits of all strides.
        Field::GlobalStride(4) => words[7] = (value >> 4) as u32,
        Field::GlobalStride(ordinal) => at(&format::STRIDES, ordinal)?.store(words, value >> 4),
        Field::ElementType => {
            let last = if architecture.has_data_type(DataType::U6Align16) { 15 } else { 12 };
            immediate("elemtype", value, last)?;
            if let Some((code, tf32)) = DataType::from_ptx_code(value as u32).map(DataType::stored) {
                format::ELEMENT.store(words, code.into());
                if tf32 {
                    format::TF32.store(words, 1);
                }
            }
        }
        Field::InterleaveLayout => {
            immediate("interleave_layout", value, 2)?;
            format::INTERLEAVE.store(words, value);
        }
        Field::SwizzleMode => {
            immediate(
                "swizzle_mode",
                value,
                if architecture.swizzle_96 == Swizzle96::Present { 4 } else { 3 },
            )?;
            format::SWIZZLE.store(words, value & 3);
            format::SWIZZLE_96.store(words, value >> 2);
        }
        Field::SwizzleAtomicity => {
            if !architecture.has_swizzle(Swizzle::B128Atom32) {
                return Err(ReplaceError::Target(architecture.name));
            }
            immediate("swizzle_atomicity", value, 3)?;
            format::ATOMICITY.store(words, value);
        }
        Field::FillMode => {
            immediate("fill_mode", value, 1)?;
            format::OOB_FILL.store(words, value);
        }
    }
    Ok(())
}

fn at(fields: &[crate::field::FieldSpec], ordinal: u32) -> Result<&crate::field::FieldSpec, ReplaceError> {
    fields.get(ordinal as usize).ok_or(ReplaceError::Ordinal { ordinal, last: 4 })
}

fn immediate(field: &'static str, value: u64, last: u64) -> Result<(), ReplaceError> {
    if value > last { Err(ReplaceError::Immediate { field, value, last }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvidia::{Context, EncodeTiled, TensorMap};

    fn map(data_type: DataType) -> [u8; MAP_BYTES] {
        EncodeTiled::new(data_type, 0x7f00_0000_0000, &[64, 64], &[1 << 38], &[8, 4])
            .encode(&Context::default())
            .unwrap()
    }

    fn edited(mut map: [u8; MAP_BYTES], field: Field, value: u64) -> TensorMap {
        replace(&mut map, field, value, Architecture::SM_90A).unwrap();
        TensorMap::decode(&map, Architecture::SM_90A).map.unwrap()
    }

    #[test]
    fn fields_act_and_quirks_stay() {
        let f32_map = map(DataType::Float32);
        assert_eq!(edited(f32_map, Field::GlobalDim(0), 7).dims[0], 7);
        assert_eq!(edited(f32_map, Field::GlobalDim(0), 0).dims[0], 1 << 32);
        assert_eq!(edited(f32_map, Field::GlobalStride(0), 0xab_cdef_0120).strides[0], 0xab_cdef_0120);
        assert_eq!(edited(f32_map, Field::GlobalStride(4), 0).strides[0], 0, "the high nibble is lost");
        assert_eq!(edited(f32_map, Field::ElementType, 11).data_type, DataType::Tfloat32);
        assert_eq!(
            edited(map(DataType::Tfloat32), Field::ElementType, 7).data_type,
            DataType::Tfloat32,
            "the tf32 bit stays"
        );
        assert_eq!(edited(f32_map, Field::SwizzleMode, 2).swizzle, Swizzle::B64);
    }

    #[test]
    fn what_does_not_assemble_is_refused() {
        let mut bytes = map(DataType::Float32);
        let sm_90a = Architecture::SM_90A;
        assert!(replace(&mut bytes, Field::ElementType, 13, sm_90a).is_err());
        assert!(replace(&mut bytes, Field::SwizzleAtomicity, 1, sm_90a).is_err());
        assert!(replace(&mut bytes, Field::BoxDim(5), 1, sm_90a).is_err());
        assert!(replace(&mut bytes, Field::Rank, 1, Architecture::parse("sm_90").unwrap()).is_err());
        assert_eq!(bytes, map(DataType::Float32));
    }

    #[test]
    fn box_edits_leave_the_note_stale() {
        let mut bytes = map(DataType::Float32);
        replace(&mut bytes, Field::BoxDim(0), 16, Architecture::SM_90A).unwrap();
        let decoded = TensorMap::decode(&bytes, Architecture::SM_90A);
        assert!(decoded.diagnostics.iter().any(|d| d.code.0 == "tma-stale-annotation"));
        assert!(TensorMap::fetch(&bytes, Architecture::SM_90A).is_some());
    }
}
