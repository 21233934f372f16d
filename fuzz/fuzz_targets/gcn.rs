//! Any bytes as AMD instructions of each target: what decodes encodes back to the same bytes and prints.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul_isa::gcn::print::{VgprBanks, print};
use tilehaul_isa::gcn::{Inst, Target};

fuzz_target!(|data: &[u8]| {
    for target in [Target::Gfx942, Target::Gfx950, Target::Gfx1250] {
        let mut rest = data;
        while !rest.is_empty() {
            let Ok(inst) = Inst::decode(target, rest) else { break };
            let bytes = inst.encode();
            assert!(
                !bytes.is_empty() && rest.starts_with(&bytes),
                "{target:?} {rest:02x?} came back as {bytes:02x?}"
            );
            assert!(!print(&inst, VgprBanks::default()).is_empty());
            rest = &rest[bytes.len()..];
        }
    }
});
