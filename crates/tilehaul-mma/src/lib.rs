//! Tensor-core arithmetic, bit for bit.
//!
//! A [`Product`] says what one matrix instruction computes for each element of D: formats, K and [`Arithmetic`]. Rows,
//! columns and the place of an element change no bit (hardware: h200-mma 1), so they come with the [`Operands`].
//! [`catalogue`] has the products of known chips and says how well each is known. Nothing here knows an instruction set:
//! whoever executes one gathers raw elements from registers or memory, multiplies, and scatters D.
//!
//! [`Product::multiply`] and [`Product::dot`] give the same bits; the first is fast, the second follows the text of the
//! model and is what the first falls back to.

pub mod catalogue;
mod chain;
mod format;
mod fused;
mod grouped;
mod panel;
mod product;
mod round;
mod scaled;
mod split;

pub use catalogue::Overflow;
pub use format::{Format, to_f32};
pub use product::{Arithmetic, Bits, Operands, Parity, Product, ShapeError, Sign, Sums, Workspace};
pub use scaled::{Factor, Scaled};
