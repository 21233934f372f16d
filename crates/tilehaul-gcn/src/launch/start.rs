//! What a wave finds when it starts: the module and its arguments in memory, registers filled in.

use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_isa::gcn::Module;
use tilehaul_machine::{Contents, Core, GlobalMemory, WaveInfo};
use tilehaul_mma::Sums;

use super::{Device, KernelArguments, Setup};
use crate::registers::VectorRegisters;
use crate::wave::{TTMP, Wave};
use crate::{Gcn, PRIVATE_BASE, SHARED_BASE};

/// Puts the module's sections, the arguments and a dispatch packet into device memory.
///
/// # Errors
/// When the sections span more than a gigabyte.
pub fn place_module(
    module: &Module,
    arguments: &KernelArguments,
    grid: [u32; 3],
    block: [u32; 3],
    memory: &mut GlobalMemory,
) -> Result<Setup, Box<Diagnostic>> {
    let end =
        module.sections.iter().map(|s| s.address.saturating_add(s.data.len() as u64)).max().unwrap_or(0);
    if end > 1 << 30 {
        return Err(Box::new(Diagnostic::new(
            Code("code-object"),
            Level::Error,
            format!("the code object spans {end:#x} bytes, more than a gigabyte"),
        )));
    }
    let mut image = vec![0u8; end as usize];
    for section in &module.sections {
        let start = section.address as usize;
        if let Some(slot) = image.get_mut(start..start + section.data.len()) {
            slot.copy_from_slice(&section.data);
        }
    }
    // The address is known only after the allocation: relocations are filled in afterwards.
    let load_address = memory.allocate("code object", image, 4096, Contents::Written);
    for &(at, addend) in &module.relocations {
        let value = load_address.wrapping_add(addend).to_le_bytes();
        if let Ok(bytes) = tilehaul_engine::Memory::bytes_mut(memory, load_address.wrapping_add(at), 8) {
            bytes.copy_from_slice(&value);
        }
    }
    let mut bytes = arguments.bytes.clone();
    bytes.resize(bytes.len().max(16).next_multiple_of(64), 0);
    let kernarg = memory.allocate("kernel arguments", bytes, 256, Contents::Written);
    let dispatch_packet =
        memory.allocate("dispatch packet", packet(grid, block, kernarg), 256, Contents::Written);
    Ok(Setup { kernarg, load_address, dispatch_packet, sums: Sums::Exact, device: Device::default() })
}

/// The 64 bytes of an AQL dispatch packet. manual: HSA Platform System Architecture 2.9.6.
fn packet(grid: [u32; 3], block: [u32; 3], kernarg: u64) -> Vec<u8> {
    let mut out = Vec::with_capacity(64);
    let dims = 1 + u16::from(grid[1] > 1 || block[1] > 1) + u16::from(grid[2] > 1 || block[2] > 1);
    out.extend(2u16.to_le_bytes());
    out.extend(dims.to_le_bytes());
    for size in block {
        out.extend((size as u16).to_le_bytes());
    }
    out.extend(0u16.to_le_bytes());
    for d in 0..3 {
        out.extend(grid[d].wrapping_mul(block[d]).to_le_bytes());
    }
    out.extend([0u8; 8]);
    out.extend([0u8; 8]);
    out.extend(kernarg.to_le_bytes());
    out.resize(64, 0);
    out
}

/// A wave at the kernel's first instruction.
pub(crate) fn start<const L: usize>(
    gcn: &Gcn<L>,
    info: &WaveInfo,
    core: &mut Core,
) -> Result<Wave<L>, Box<Diagnostic>> {
    let mut w = Wave::new(
        info.id,
        info.block,
        info.number,
        info.lanes,
        VectorRegisters::new(&gcn.pool, &gcn.registers),
    );
    let descriptor = &gcn.kernel.descriptor;
    w.pc = gcn.entry;
    w.replays = gcn.gfx12 && gcn.setup.device.xnack_retry && core.watching();
    w.mode = descriptor.rsrc1 >> 12 & 0xff;
    let kill = gcn.setup.device.kill_wave;
    w.kill_after = kill.filter(|k| (k.workgroup, k.wave) == (info.block.id.0, info.number)).map(|k| k.after);
    // Recursion and calls through pointers need more than the compiler knows. inferred: the 16 KiB that ROCm gives then.
    let least = if descriptor.property(11) { 16 << 10 } else { 0 };
    let per_lane = gcn.kernel.private_segment_size.max(least).min(1 << 20);
    w.scratch_bytes = per_lane;
    w.scratch = vec![tilehaul_machine::POISON; per_lane as usize * L];
    for (n, value) in [
        (235, SHARED_BASE),
        (236, SHARED_BASE | 0xffff_ffff),
        (237, PRIVATE_BASE),
        (238, PRIVATE_BASE | 0xffff_ffff),
    ] {
        // A 32-bit read gets the upper half, a 64-bit read the whole address.
        w.s[n] = (value >> 32) as u32;
    }
    // Where private memory starts among flat addresses of gfx1250.
    (w.s[230], w.s[231]) = (PRIVATE_BASE as u32, (PRIVATE_BASE >> 32) as u32);
    user_registers(gcn, &mut w, core);
    let first = descriptor.user_sgprs(gcn.module.target) as usize;
    let launch = core.launch().clone();
    let position = info.block.position;
    if gcn.gfx12 {
        let clustered = launch.clustered && launch.cluster_size() > 1;
        let c = if clustered { launch.cluster } else { [1, 1, 1] };
        let at = [0, 1, 2].map(|d| position[d] / c[d]);
        let inside = info.block.rank_position;
        w.s[TTMP + 9] = at[0];
        w.s[TTMP + 7] = at[1] & 0xffff | at[2] << 16;
        w.s[TTMP + 8] = info.number << 25;
        // Place in the cluster in bits 11:0, its size - 1 in bits 23:12. inferred: what compilers read.
        w.s[TTMP + 6] = if clustered {
            inside[0]
                | inside[1] << 4
                | inside[2] << 8
                | (c[0] - 1) << 12
                | (c[1] - 1) << 16
                | (c[2] - 1) << 20
        } else {
            0
        };
    } else {
        let mut at = first;
        for (d, id) in position.iter().enumerate() {
            if descriptor.rsrc2 >> (7 + d) & 1 == 1 {
                w.s[at & 127] = *id;
                at += 1;
            }
        }
        if descriptor.rsrc2 >> 10 & 1 == 1 {
            w.s[at & 127] = launch.waves_per_block();
        }
    }
    // Work-item ids, packed ten bits each. manual: gfx90a and later.
    let [bx, by, _] = launch.block;
    for lane in 0..L {
        let flat = info.number * L as u32 + lane as u32;
        let (x, y, z) = (flat % bx, flat / bx % by, flat / bx / by);
        w.v[0][lane] = x | (y << 10) | (z << 20);
    }
    Ok(w)
}

fn user_registers<const L: usize>(gcn: &Gcn<L>, w: &mut Wave<L>, core: &Core) {
    let descriptor = &gcn.kernel.descriptor;
    let mut at = 0usize;
    let mut put = |w: &mut Wave<L>, words: &[u32]| {
        for word in words {
            w.s[at & 127] = *word;
            at += 1;
        }
    };
    let pair = |v: u64| [v as u32, (v >> 32) as u32];
    // In the order of the property bits: private buffer, dispatch packet, queue, arguments, dispatch id, flat scratch, size.
    if descriptor.property(0) {
        put(w, &[0; 4]);
    }
    if descriptor.property(1) {
        put(w, &pair(gcn.setup.dispatch_packet));
    }
    if descriptor.property(2) {
        put(w, &pair(0));
    }
    if descriptor.property(3) {
        put(w, &pair(gcn.setup.kernarg));
    }
    if descriptor.property(4) {
        put(w, &pair(1));
    }
    if descriptor.property(5) {
        put(w, &pair(0));
    }
    if descriptor.property(6) {
        put(w, &[gcn.kernel.private_segment_size]);
    }
    let (length, offset) = (u64::from(descriptor.preload & 127), u64::from(descriptor.preload >> 7));
    for i in 0..length {
        let address = gcn.setup.kernarg + 4 * (offset + i);
        let bytes = core.memories.bytes(tilehaul_machine::Space::Global, address, 4).map(<[u8]>::to_vec);
        let word = bytes.map_or(0, |b| crate::memory::read_word(&b) as u32);
        put(w, &[word]);
    }
}
