//! NVIDIA's formats: tensor maps, mbarrier objects, descriptors of matrices and of matrix instructions.

pub mod architecture;
pub mod instruction_descriptor;
pub mod matrix_descriptor;
pub mod mbarrier_word;
mod modes;
pub mod tensor_map;

pub use architecture::Architecture;
pub use instruction_descriptor::InstructionDescriptor;
pub use matrix_descriptor::{LeadingOffset, MatrixDescriptor, MatrixUnit, explain_matrix};
pub use mbarrier_word::{MbarrierWord, explain_mbarrier};
pub use modes::{DataType, Interleave, L2Promotion, OobFill, Swizzle};
pub use tensor_map::{
    Context, Decoded, EncodeIm2col, EncodeIm2colWide, EncodeTiled, Lists, MapKind, Naming, TensorMap,
};

use crate::Rule;
use crate::field::FormatSpec;

/// Every NVIDIA format, for the reference pages.
#[must_use]
pub fn formats() -> Vec<&'static FormatSpec> {
    let others = [
        &mbarrier_word::MBARRIER,
        &matrix_descriptor::WGMMA,
        &matrix_descriptor::TCGEN05,
        &instruction_descriptor::TCGEN05_INSTRUCTION,
        &instruction_descriptor::TCGEN05_INSTRUCTION_SCALED,
    ];
    tensor_map::format::FORMATS.into_iter().chain(others).collect()
}

/// Every rule of NVIDIA's formats, for the catalogue.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    tensor_map::rules::RULES.iter().chain(mbarrier_word::RULES).chain(matrix_descriptor::RULES)
}
