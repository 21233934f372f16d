//! Any text as a PTX kernel that is lowered and run for a few instructions: indices that the reader lets through meet the
//! executor here.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul_diag::FileId;
use tilehaul_machine::{Contents, GlobalMemory, Landing, Options, Replay, Schedule, run};
use tilehaul_ptx::{PtxProgram, Setup};

fuzz_target!(|text: &str| {
    let module = tilehaul_isa::ptx::read(text, FileId(0)).module;
    let Ok(specs) = tilehaul_ptx::params(&module, None) else { return };
    let mut memory = GlobalMemory::new();
    let buffer = memory.allocate("buffer", vec![1; 4096], 256, Contents::Written);
    // Every parameter holds the buffer's address as often as it fits.
    let fill = |bytes: u64| buffer.to_le_bytes().into_iter().cycle().take(bytes as usize).collect();
    if specs.iter().any(|spec| spec.bytes > 1 << 12) {
        return;
    }
    let params: Vec<Vec<u8>> = specs.iter().map(|spec| fill(spec.bytes)).collect();
    let setup = Setup {
        entry: None,
        target: Some("sm_90a"),
        params: &params,
        grid: [2, 1, 1],
        block: [40, 1, 1],
        cluster: None,
        dynamic_shared: 1024,
        sums: Default::default(),
    };
    let Ok(program) = PtxProgram::new(&module, &setup, &mut memory) else { return };
    let replay = Replay { schedule: Schedule::RoundRobin, landing: Landing::Lazy };
    let options = Options { replay, step_limit: 2_000, ..Options::default() };
    let _ = run(&program, program.launch(), memory, options, None);
});
