//! NVIDIA's formats: tensor maps, mbarrier objects, shared-memory matrix descriptors.

pub mod architecture;
mod modes;
pub mod tensor_map;

pub use architecture::Architecture;
pub use modes::{DataType, Interleave, L2Promotion, OobFill, Swizzle};
pub use tensor_map::{
    Context, Decoded, EncodeIm2col, EncodeIm2colWide, EncodeTiled, MapKind, Naming, TensorMap,
};
