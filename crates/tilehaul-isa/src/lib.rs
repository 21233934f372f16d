//! Readers of PTX text, AMD assembly and AMD code objects: one instruction table per instruction set.

pub mod gcn;
pub mod llvm;
pub mod ptx;
