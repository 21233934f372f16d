//! Any words as a D#, both directions: planned, and walked for the first thousand steps.
#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use tilehaul_descriptor::amd::tdm::{Direction, TdmDescriptor};
use tilehaul_engine::Segment;
use tilehaul_engine::tdm::{TdmSurroundings, TdmSwitches, plan};

fuzz_target!(|data: &[u8]| {
    let words: Vec<u32> =
        data.chunks_exact(4).take(20).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    let Ok(descriptor) = TdmDescriptor::from_words(&words) else { return };
    for direction in [Direction::Load, Direction::Store] {
        let Ok(outcome) = plan(&descriptor, direction, &TdmSurroundings::default(), &TdmSwitches::default())
        else {
            continue;
        };
        let Some(plan) = outcome.plan else { continue };
        let _ = plan.for_each_in(0..plan.steps().min(1000), &mut |_: Segment| ControlFlow::Continue(()));
    }
});
