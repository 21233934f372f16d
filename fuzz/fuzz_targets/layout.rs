//! Any text as a layout; what is read prints in its own notation and reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul_layout::text::{notation, parse, print};

fuzz_target!(|text: &str| {
    for shape in [None, Some(&[16u64, 64][..])] {
        if let Ok(view) = parse(text, shape) {
            let _ = print(&view, notation(text));
        }
    }
});
