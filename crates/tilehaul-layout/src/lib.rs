//! Layout algebra, swizzles, tensor-memory images and shared-memory banks.
//!
//! - [`Layout`]: strided mixed-radix layouts with named axes; [`compose`] and [`inverse`] of them.
//! - [`banks`]: wavefronts of shared-memory accesses, on both vendors' chips.
//! - [`tmem`]: which cell of Blackwell's tensor memory an element of a `tcgen05` instruction is, as tables.

mod algebra;
mod axis;
pub mod banks;
mod strided;
pub mod tmem;

pub use algebra::{compose, inverse};
pub use axis::Axis;
pub use strided::{Iter, Layout, LayoutError, MAX_ITERS, MAX_SIZE, MAX_TABLE, iter};
