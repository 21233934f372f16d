//! The launch ABI: kernel arguments, user and system registers, the module in memory.
//!
//! manual: LLVM AMDGPUUsage, "Initial Kernel Execution State"; gfx1250: workgroup ids in TTMP9 (x) and TTMP7 (y low, z high
//! half), in a cluster TTMP9 counts clusters and TTMP6 holds the place in it; `TTMP8[29:25]` is the wave's number.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_engine::tdm::TdmSwitches;
use tilehaul_isa::gcn::{ArgumentKind, Kernel, Module, Target};
use tilehaul_machine::{Chip, Core, GlobalMemory, Launch, Program, WaveInfo};
use tilehaul_mma::Sums;

use crate::wave::{TTMP, Wave};
use crate::{Gcn, PRIVATE_BASE, SHARED_BASE};

/// Where a launch has put things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Address of the argument segment.
    pub kernarg: u64,
    /// Added to module addresses.
    pub load_address: u64,
    /// Address of the dispatch packet.
    pub dispatch_packet: u64,
    /// How matrix products are summed.
    pub sums: Sums,
    /// How the device is set up.
    pub device: Device,
}

/// Values of hidden arguments by name without `hidden_`.
pub type Hidden = BTreeMap<String, u64>;

/// How the device is set up, where a program can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// Address translation may fail and be retried (XNACK): a register that a memory instruction reads must not change
    /// before `s_wait_xcnt`. Without, a translation has ended when its instruction has issued.
    pub xnack_retry: bool,
    /// LDS addresses past the allocation are reported as MEMVIOL (LDS_CONFIG.ADDR_OUT_OF_RANGE_REPORTING); without, what
    /// a tensor operation moves there is dropped in silence.
    pub lds_range_reporting: bool,
    /// Stepping A0 of gfx1250, which takes the multicast mask of tensor operations as 0.
    pub stepping_a0: bool,
    /// How tensor operations behave where sources disagree.
    pub tdm: TdmSwitches,
}

impl Default for Device {
    fn default() -> Device {
        Device {
            xnack_retry: false,
            lds_range_reporting: true,
            stepping_a0: false,
            tdm: TdmSwitches::default(),
        }
    }
}

/// A launch of a kernel of a module.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Name of the kernel; needed when there are several.
    pub entry: Option<&'a str>,
    /// The bytes of each explicit argument in order.
    pub arguments: &'a [Vec<u8>],
    /// Values of hidden arguments.
    pub hidden: &'a Hidden,
    /// Workgroups.
    pub grid: [u32; 3],
    /// Work items of a workgroup.
    pub block: [u32; 3],
    /// Workgroups of a cluster, when the launch asks for clusters.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of LDS beyond what the kernel declares.
    pub dynamic_shared: u32,
    /// How matrix products are summed.
    pub sums: Sums,
    /// How the device is set up.
    pub device: Device,
}

/// A kernel with its launch, by the size of its waves.
pub enum GcnProgram {
    /// Waves of 32 lanes.
    Wave32(Box<Gcn<32>>),
    /// Waves of 64 lanes.
    Wave64(Box<Gcn<64>>),
}

impl GcnProgram {
    /// Puts a module and the arguments of a kernel into memory and lowers the code.
    ///
    /// # Errors
    /// An unknown kernel, arguments that do not fit, more LDS or work items than the target has.
    pub fn new(
        module: Module,
        request: &Request<'_>,
        memory: &mut GlobalMemory,
    ) -> Result<GcnProgram, Box<Diagnostic>> {
        let bad = |text: String| Box::new(Diagnostic::new(Code("launch-entry"), Level::Error, text));
        let Some(kernel) = module.kernel(request.entry).cloned() else {
            let names: Vec<&str> = module.kernels.iter().map(|k| k.name.as_str()).collect();
            let list = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(bad(match request.entry {
                Some(entry) => format!("entry = \"{entry}\" is no kernel of the file, which has {list}"),
                None => format!("the file has several kernels, {list}: name one with entry"),
            }));
        };
        let arguments =
            kernel_arguments(&kernel, request.arguments, request.hidden, request.grid, request.block)?;
        let placed = place_module(&module, &arguments, request.grid, request.block, memory)?;
        let setup = Setup { sums: request.sums, device: request.device, ..placed };
        let lanes = kernel.descriptor.wave_lanes(module.target);
        let mut launch = Launch::new(request.grid, request.block, lanes);
        let cluster = request.cluster.or(kernel.cluster).filter(|c| c.iter().all(|d| *d > 0));
        launch.cluster = cluster.unwrap_or([1, 1, 1]);
        launch.clustered = cluster.is_some();
        launch.lockstep = true;
        launch.shared_bytes = kernel.group_segment_size.saturating_add(request.dynamic_shared);
        check_limits(&kernel, module.target, request, launch.shared_bytes)?;
        launch.check()?;
        launch.holds = chip(module.target).map(|chip| chip.holds(&launch));
        let module = Arc::new(module);
        Ok(match lanes {
            32 => GcnProgram::Wave32(Box::new(Gcn::new(module, &kernel, setup, launch)?)),
            _ => GcnProgram::Wave64(Box::new(Gcn::new(module, &kernel, setup, launch)?)),
        })
    }

    /// What the machine runs.
    #[must_use]
    pub fn program(&self) -> &dyn Program {
        match self {
            GcnProgram::Wave32(program) => &**program,
            GcnProgram::Wave64(program) => &**program,
        }
    }

    /// How it is launched.
    #[must_use]
    pub fn launch(&self) -> &Launch {
        match self {
            GcnProgram::Wave32(program) => program.launch(),
            GcnProgram::Wave64(program) => program.launch(),
        }
    }

    /// The target that its code is for.
    #[must_use]
    pub fn target(&self) -> Target {
        match self {
            GcnProgram::Wave32(program) => program.target(),
            GcnProgram::Wave64(program) => program.target(),
        }
    }
}

/// The largest chip of a target; none where it has not been published.
///
/// manual: data sheets of MI300X (304 compute units) and MI355X (256); CDNA3 and CDNA4 ISA: 4 SIMDs of 8 waves.
fn chip(target: Target) -> Option<Chip> {
    let row = |processors, kib: u32| Chip {
        processors,
        waves: 32,
        blocks: 32,
        shared_bytes: kib * 1024,
        reserved_bytes: 0,
    };
    match target {
        Target::Gfx942 => Some(row(304, 64)),
        Target::Gfx950 => Some(row(256, 160)),
        Target::Gfx1250 => None,
    }
}

/// Refuses what the HIP runtime refuses, by the name of its error.
///
/// manual: ROCm, `hip_module.cpp`: more LDS than the device has, work items of a workgroup, launch bounds.
fn check_limits(
    kernel: &Kernel,
    target: Target,
    request: &Request<'_>,
    shared_bytes: u32,
) -> Result<(), Box<Diagnostic>> {
    let bad = |code, text: String, error: &str| {
        Err(Box::new(
            Diagnostic::new(Code(code), Level::Error, text)
                .note(format!("hipModuleLaunchKernel answers {error}")),
        ))
    };
    let (block, name) = (request.block, &kernel.name);
    let threads = block.iter().fold(1u64, |n, &d| n.saturating_mul(u64::from(d)));
    if threads > 1024 {
        let text = format!("block = {block:?} has {threads} work items; a workgroup has at most 1024");
        return bad("launch-block", text, "hipErrorInvalidConfiguration");
    }
    if let Some(most) = kernel.max_workgroup.filter(|&most| threads > u64::from(most)) {
        let text = format!(
            "block = {block:?} has {threads} work items; {name} was compiled for at most {most} (.max_flat_workgroup_size)"
        );
        return bad("launch-block", text, "hipErrorLaunchFailure");
    }
    if let Some(wanted) = kernel.required_workgroup.filter(|&wanted| wanted != block) {
        let text =
            format!("block = {block:?}; {name} was compiled for exactly {wanted:?} (.reqd_workgroup_size)");
        return bad("launch-block", text, "hipErrorLaunchFailure");
    }
    if let (Some(compiled), Some(asked)) = (kernel.cluster, request.cluster)
        && compiled.iter().all(|&d| d > 0)
        && compiled != asked
    {
        let text = format!(
            "cluster = {asked:?} contradicts {compiled:?}, which {name} was compiled with (.cluster_dims)"
        );
        return bad("launch-cluster", text, "hipErrorInvalidConfiguration");
    }
    // manual: CDNA3 and CDNA4 ISA; LLVM AMDGPUUsage, gfx1250.
    let most = match target {
        Target::Gfx942 => 65_536,
        Target::Gfx950 => 163_840,
        Target::Gfx1250 => 327_680,
    };
    if shared_bytes > most {
        let text = format!(
            "{name} needs {shared_bytes} bytes of LDS, {} of its own and dynamic_shared = {}; a workgroup of {target} has at \
             most {most}",
            kernel.group_segment_size, request.dynamic_shared
        );
        return bad("launch-shared", text, "hipErrorInvalidValue");
    }
    Ok(())
}

/// An argument that a launch must give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamSpec {
    /// Its name; its place in the argument segment where the metadata gives none.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u32,
    /// Whether it is the address of a buffer.
    pub pointer: bool,
}

/// The explicit arguments of a kernel, in order; `None` when the file does not say which it has.
#[must_use]
pub fn params(kernel: &Kernel) -> Option<Vec<ParamSpec>> {
    // Metadata without arguments is as good as none while the kernel asks for bytes of them.
    if kernel.arguments.is_empty() && kernel.kernarg_size > 0 {
        return None;
    }
    let explicit = kernel.arguments.iter().filter(|a| !matches!(a.kind, ArgumentKind::Hidden(_)));
    Some(
        explicit
            .map(|a| ParamSpec {
                name: a.name.clone().unwrap_or_else(|| format!("at offset {}", a.offset)),
                bytes: a.size,
                pointer: a.kind == ArgumentKind::GlobalBuffer,
            })
            .collect(),
    )
}

/// The argument segment of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelArguments {
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Lays out the argument segment: `explicit` holds the bytes of each explicit argument in order.
///
/// Hidden arguments that `hidden` does not name get what the launch implies: block counts, group sizes, remainders.
///
/// # Errors
/// When the number or a size of the explicit arguments does not fit the kernel.
pub fn kernel_arguments(
    kernel: &Kernel,
    explicit: &[Vec<u8>],
    hidden: &Hidden,
    grid: [u32; 3],
    block: [u32; 3],
) -> Result<KernelArguments, Box<Diagnostic>> {
    let bad = |text: String| Err(Box::new(Diagnostic::new(Code("launch-arguments"), Level::Error, text)));
    let mut bytes = vec![0u8; (kernel.kernarg_size as usize).min(1 << 20)];
    let mut given = explicit.iter();
    let wanted = kernel.arguments.iter().filter(|a| !matches!(a.kind, ArgumentKind::Hidden(_))).count();
    if wanted != explicit.len() && !kernel.arguments.is_empty() {
        return bad(format!(
            "kernel {} has {wanted} explicit arguments and the launch gives {}",
            kernel.name,
            explicit.len()
        ));
    }
    check_hidden(kernel, hidden)?;
    if kernel.arguments.is_empty() {
        // Without metadata the arguments stand one after the other at their natural alignment.
        let mut at = 0usize;
        let mut bytes = Vec::new();
        for value in explicit {
            at = at.next_multiple_of(value.len().clamp(1, 8).next_power_of_two());
            bytes.resize(at, 0);
            bytes.extend_from_slice(value);
            at += value.len();
        }
        let size = kernel.kernarg_size as usize;
        if size > 0 && at > size {
            return bad(format!(
                "the arguments take {at} bytes and kernel {} has {size} (.amdhsa_kernarg_size)",
                kernel.name
            ));
        }
        bytes.resize(at.max(size.min(1 << 20)), 0);
        return Ok(KernelArguments { bytes });
    }
    for argument in &kernel.arguments {
        let (start, size) = (argument.offset as usize, argument.size as usize);
        let Some(slot) = start.checked_add(size).and_then(|end| bytes.get_mut(start..end)) else {
            return bad(format!(
                "argument at offset {start} of kernel {} leaves its {} bytes of arguments",
                kernel.name, kernel.kernarg_size
            ));
        };
        match &argument.kind {
            ArgumentKind::Hidden(name) => {
                let value = hidden.get(name).copied().unwrap_or_else(|| implied(name, grid, block));
                for (b, v) in slot.iter_mut().zip(value.to_le_bytes()) {
                    *b = v;
                }
            }
            _ => {
                let value = given.next().map_or(&[][..], Vec::as_slice);
                if value.len() != size {
                    let name = argument.name.clone().unwrap_or_else(|| format!("at offset {start}"));
                    return bad(format!(
                        "argument {name} of kernel {} has {size} bytes and the launch gives {}",
                        kernel.name,
                        value.len()
                    ));
                }
                slot[..value.len()].copy_from_slice(value);
            }
        }
    }
    Ok(KernelArguments { bytes })
}

/// Hidden values must belong to hidden arguments that the kernel has.
fn check_hidden(kernel: &Kernel, hidden: &Hidden) -> Result<(), Box<Diagnostic>> {
    let names: Vec<&str> = kernel
        .arguments
        .iter()
        .filter_map(|a| match &a.kind {
            ArgumentKind::Hidden(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let Some(name) = hidden.keys().find(|name| !names.contains(&name.as_str())) else { return Ok(()) };
    let list = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let text = format!("[hidden] names {name}; the hidden arguments of kernel {} are: {list}", kernel.name);
    let told = Diagnostic::new(Code("launch-hidden"), Level::Error, text);
    Err(Box::new(match name.strip_prefix("hidden_").filter(|bare| names.contains(bare)) {
        Some(bare) => told.fix(format!("Write {bare}, without the prefix.")),
        None => told,
    }))
}

fn implied(name: &str, grid: [u32; 3], block: [u32; 3]) -> u64 {
    let axis =
        |prefix: &str| name.strip_prefix(prefix).and_then(|a| ["x", "y", "z"].iter().position(|n| *n == a));
    if let Some(d) = axis("block_count_") {
        return u64::from(grid[d]);
    }
    if let Some(d) = axis("group_size_") {
        return u64::from(block[d]);
    }
    match name {
        "grid_dims" => 1 + u64::from(grid[1] > 1 || block[1] > 1) + u64::from(grid[2] > 1 || block[2] > 1),
        "shared_base" => SHARED_BASE >> 32,
        "private_base" => PRIVATE_BASE >> 32,
        _ => 0,
    }
}

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
    let load_address = memory.allocate("code object", image, 4096, true);
    for &(at, addend) in &module.relocations {
        let value = load_address.wrapping_add(addend).to_le_bytes();
        if let Ok(bytes) = tilehaul_engine::Memory::bytes_mut(memory, load_address.wrapping_add(at), 8) {
            bytes.copy_from_slice(&value);
        }
    }
    let mut bytes = arguments.bytes.clone();
    bytes.resize(bytes.len().max(16).next_multiple_of(64), 0);
    let kernarg = memory.allocate("kernel arguments", bytes, 256, true);
    let dispatch_packet = memory.allocate("dispatch packet", packet(grid, block, kernarg), 256, true);
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
    let mut w = Wave::new(info.id, info.block, info.number, info.lanes, gcn.gfx12);
    let descriptor = &gcn.kernel.descriptor;
    w.pc = gcn.entry;
    w.replays = gcn.gfx12 && gcn.setup.device.xnack_retry && core.watching();
    w.mode = descriptor.rsrc1 >> 12 & 0xff;
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
