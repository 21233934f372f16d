//! Layout algebra, swizzles, tensor-memory images and shared-memory banks.
//!
//! - [`tmem`]: which cell of Blackwell's tensor memory an element of a `tcgen05` instruction is, as tables.

pub mod tmem;
