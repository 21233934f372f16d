//! Any bytes as LLVM IR text, checked for every family of targets.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul::llvm::check_llvm;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for target in ["gfx908", "gfx950", "gfx1250"] {
        let _ = check_llvm(&text, target);
    }
});
