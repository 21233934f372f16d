//! What the largest chip of each target has room for.

use tilehaul_descriptor::nvidia::Architecture;
use tilehaul_machine::Chip;

/// Bytes of shared memory that the driver takes for each block. manual: CUDA programming guide, shared memory of
/// compute capability 8.0 and later.
const RESERVED: u32 = 1024;

const fn row(processors: u32, waves: u32, blocks: u32, kib: u32) -> Chip {
    Chip { processors, waves, blocks, shared_bytes: kib * 1024, reserved_bytes: RESERVED }
}

pub(crate) const H200: Chip = row(132, 64, 32, 228);

/// The chip of a target; none where none has been described.
///
/// manual: CUDA programming guide, technical specifications by compute capability; multiprocessors from the data sheets of the
/// largest products (H200, B200, B300, Thor, RTX PRO 6000, GB10); hardware: h200 fact 122 (132 multiprocessors).
pub(crate) fn chip(architecture: &Architecture) -> Option<Chip> {
    Some(match architecture.number {
        90 => H200,
        100 => row(148, 64, 32, 228),
        103 => row(160, 64, 32, 228),
        110 => row(20, 48, 24, 228),
        120 => row(188, 48, 24, 100),
        121 => row(48, 48, 24, 100),
        _ => return None,
    })
}
