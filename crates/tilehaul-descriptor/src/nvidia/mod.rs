//! NVIDIA's formats: tensor maps, mbarrier objects, shared-memory matrix descriptors.

pub mod architecture;
pub mod matrix_descriptor;
pub mod mbarrier_word;
mod modes;
pub mod tensor_map;

pub use architecture::Architecture;
pub use matrix_descriptor::{LeadingOffset, MatrixDescriptor, MatrixUnit, explain_matrix};
pub use mbarrier_word::{MbarrierWord, explain_mbarrier};
pub use modes::{DataType, Interleave, L2Promotion, OobFill, Swizzle};
pub use tensor_map::{
    Context, Decoded, EncodeIm2col, EncodeIm2colWide, EncodeTiled, MapKind, Naming, TensorMap,
};
