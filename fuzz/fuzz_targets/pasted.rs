//! Whatever people paste: words in any spelling, explained; source in any dialect, recognised.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul::explain::{Surroundings, explain};

fuzz_target!(|data: &[u8]| {
    if let Ok(words) = tilehaul::words::parse(data) {
        for target in [None, Some("sm_100a"), Some("gfx1250")] {
            let around = Surroundings { target: target.map(str::to_owned), ..Surroundings::default() };
            let _ = explain(&words, &around);
        }
    }
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = tilehaul::paste::recognise(text, None);
        let _ = tilehaul::paste::recognise(text, Some("gfx1250"));
    }
});
