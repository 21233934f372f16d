//! Rows of control flow and the stack.

use super::Op::*;
use super::Support::*;
use super::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row(Bra, "bra", "uni?", "target", "", Manual, "Jump."),
    row(BrxIdx, "brx.idx", "uni?", "a,table", "", Manual, "Jump through a table."),
    row(Call, "call", "uni?", "a,b?,c?,d?", "", Manual, "Call of a function."),
    row(Ret, "ret", "uni?", "", "", Manual, "Return, or the end of the thread in an entry."),
    row(Exit, "exit", "", "", "", Manual, "End of the thread."),
    row(Trap, "trap", "", "", "", Manual, "Abort of the launch."),
    row(Brkpt, "brkpt", "", "", "", Unsupported("there is no debugger to stop in"), "Breakpoint."),
    row(Nanosleep, "nanosleep", "u32", "t", "70", Manual, "Pause of the thread."),
    row(
        Pmevent,
        "pmevent",
        "mask?",
        "a",
        "",
        Manual,
        "Event of the performance monitor; no effect on the program.",
    ),
    row(Stack, "stacksave", "u32|u64", "d", "", Manual, "Stack pointer."),
    row(Stack, "stackrestore", "u32|u64", "a", "", Manual, "Stack pointer."),
    row(Alloca, "alloca", "u32|u64", "d,a,b?", "52", Manual, "Stack memory."),
];
