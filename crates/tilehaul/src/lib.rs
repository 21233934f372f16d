//! tilehaul as a library: descriptors explained and encoded, tiles copied and drawn, recorded answers compared.
//!
//! | module | does |
//! |---|---|
//! | [`banks`] | bank conflicts of an access, and what removes them |
//! | [`conform`] | compares recorded hardware answers and descriptor cases with the model |
//! | [`copy`] | one copy of an engine on arrays |
//! | [`encode`] | arguments of a descriptor to its words, or to every rule that they break |
//! | [`explain`] | words of a descriptor to everything there is to say about it |
//! | [`files`] | output files, written whole or not at all |
//! | [`identify`] | what a file is that a command does not take, and which command does |
//! | [`launch`] | reads launch files: buffers, descriptors, arguments, expectations |
//! | [`layout`] | layouts in any notation: places, differences, readers |
//! | [`llvm`] | checks DMA intrinsics in LLVM IR text |
//! | [`npy`] | reads and writes `.npy` files |
//! | [`paste`] | source that people paste |
//! | [`mod@reference`] | reference pages from the tables |
//! | [`run`] | kernels run and checked |
//! | [`scalar`] | numbers to elements and back |
//! | [`tmem`] | images of tensor memory, and applies |
//! | [`words`] | reads words as people paste them and guesses what they are |

pub mod banks;
pub mod conform;
pub mod copy;
pub mod encode;
pub mod explain;
pub mod files;
pub mod identify;
pub mod launch;
pub mod layout;
pub mod npy;
pub mod paste;
pub mod reference;
pub mod run;
pub mod scalar;
pub mod tmem;
pub mod words;

/// Checks of DMA intrinsics in LLVM IR text.
pub use tilehaul_llvm as llvm;

/// The descriptor values that front ends hand on.
pub mod descriptor {
    pub use tilehaul_descriptor::ElementType;
    pub use tilehaul_descriptor::amd::tdm::FieldValue;
    pub use tilehaul_descriptor::nvidia::Swizzle;
}
