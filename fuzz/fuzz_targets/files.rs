//! Any bytes as a launch file, an array file and recorded answers.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = tilehaul::npy::Array::parse(data);
    if let Ok(input) = tilehaul::conform::read(data) {
        let _ = tilehaul::conform::answer(&input);
        let _ = tilehaul::conform::compare(&input);
    }
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = tilehaul::launch::LaunchFile::parse(text);
    }
});
