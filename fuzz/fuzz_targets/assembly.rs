//! Any bytes as a code object, and any text as an AMD assembly file: a module or a refusal, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul_diag::FileId;
use tilehaul_isa::gcn::{read_assembly, read_code_object};

fuzz_target!(|data: &[u8]| {
    let _ = read_code_object(data);
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = read_assembly(text, FileId(0), None);
    }
});
