//! LLVM IR text: as much of it as is needed to follow DMA intrinsics through a function.
//!
//! Reading never fails: a line that is not understood becomes [`Op::Other`] with the names that stand in it, or, outside a
//! function, is passed over. What matters to a checker (calls, memory accesses, pointer arithmetic, control flow, fences)
//! is read in full.

mod ast;
mod cursor;
mod lexer;
mod parse;

pub use ast::{
    Block, BlockId, FLAT, Function, GLOBAL, Global, Inst, LDS, Module, Op, Operand, Param, Type, Value,
    index_steps,
};
pub use parse::parse;

#[cfg(test)]
mod tests;
