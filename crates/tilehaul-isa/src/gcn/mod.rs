//! AMD code objects, assembly text and instructions of gfx942, gfx950 and gfx1250.
//!
//! One table a generation ([`table`]) says how every instruction is encoded and spelled; the decoder ([`Inst::decode`]),
//! the disassembler ([`mod@print`]) and the assembler are derived from it. Nothing here executes anything.

mod advice;
mod alias;
pub mod asm;
mod elf;
pub mod expr;
pub mod format;
mod inst;
mod kernel;
mod lines;
mod misfit;
mod names;
pub mod print;
pub mod table;
mod target;
mod text;
pub mod value;

pub use advice::advice;
pub use elf::read_code_object;
pub use inst::{Inst, NotDecoded, Operand, Tail};
pub use kernel::{Argument, ArgumentKind, Kernel, KernelDescriptor, Module, Placed, Section};
pub use target::Target;
pub use text::{Reading, read_assembly};
