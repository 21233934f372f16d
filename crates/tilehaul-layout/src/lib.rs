//! Layout algebra, swizzles, tensor-memory images and shared-memory banks.
//!
//! - [`Layout`]: strided mixed-radix layouts with named axes; [`compose`] and [`inverse`] of them.
//! - [`LinearMap`]: the same as bits, exact where every extent is a power of two; swizzles are native there.
//! - [`View`]: a layout under the shape people index, with swizzles and paddings; slices, rearrangements, equality by
//!   meaning.
//! - [`apply`]: which instructions move a view between registers and tensor memory, or why none does.
//! - [`banks`]: wavefronts of shared-memory accesses, on both vendors' chips.
//! - [`text`]: the notations of TIRx, CuTe and Triton.
//! - [`tmem`]: which cell of Blackwell's tensor memory an element of a `tcgen05` instruction is, as tables.

mod agree;
mod algebra;
pub mod apply;
mod axis;
pub mod banks;
mod finish;
mod linear;
mod rearrange;
mod strided;
pub mod text;
pub mod tmem;
mod view;

pub use agree::{Disagreement, Reader, agreement};
pub use algebra::{compose, inverse};
pub use axis::Axis;
pub use finish::Finish;
pub use linear::{Field, LinearMap, MAX_BITS};
pub use strided::{Iter, Layout, LayoutError, MAX_ITERS, MAX_SIZE, MAX_TABLE, iter};
pub use view::{Difference, MAX_COPIES, MAX_RANK, Map, Place, View};
