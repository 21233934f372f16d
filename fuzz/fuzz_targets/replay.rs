//! Any text as a replay string: what is read prints as a string that reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul::run::Replay;

fuzz_target!(|text: &str| {
    if let Ok(replay) = text.parse::<Replay>() {
        assert_eq!(replay.to_string().parse(), Ok(replay), "{text}");
    }
});
