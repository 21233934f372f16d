//! Any text as PTX: a module and diagnostics, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul_diag::FileId;

fuzz_target!(|text: &str| {
    let _ = tilehaul_isa::ptx::read(text, FileId(0));
});
