//! NVIDIA's formats: tensor maps, mbarrier objects, shared-memory matrix descriptors.

mod modes;

pub use modes::{DataType, Interleave, L2Promotion, OobFill, Swizzle};
