//! Layout algebra, swizzles, tensor-memory images and shared-memory banks.
//!
//! - [`banks`]: wavefronts of shared-memory accesses, on both vendors' chips.
//! - [`tmem`]: which cell of Blackwell's tensor memory an element of a `tcgen05` instruction is, as tables.

pub mod banks;
pub mod tmem;
