//! The launch ABI: kernel arguments, user and system registers, the module in memory.
//!
//! manual: LLVM AMDGPUUsage, "Initial Kernel Execution State"; gfx1250: workgroup ids in TTMP9 (x) and TTMP7 (y low, z high
//! half), in a cluster TTMP9 counts clusters and TTMP6 holds the place in it; `TTMP8[29:25]` is the wave's number.

mod arguments;
mod start;

use std::collections::BTreeMap;
use std::sync::Arc;

use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_engine::tdm::TdmSwitches;
use tilehaul_isa::gcn::{Kernel, Module, Target};
use tilehaul_machine::{Chip, GlobalMemory, Launch, Program};
use tilehaul_mma::Sums;

use crate::Gcn;
pub use arguments::{KernelArguments, ParamSpec, kernel_arguments, params};
pub use start::place_module;
pub(crate) use start::start;

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
    /// A wave that is killed before it ends.
    pub kill_wave: Option<Kill>,
    /// How tensor operations behave where sources disagree.
    pub tdm: TdmSwitches,
}

/// A wave that somebody ends from outside (a debugger, a trap handler, a reset of its queue).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kill {
    /// Its workgroup, counted with x fastest.
    pub workgroup: u32,
    /// Its number in the workgroup.
    pub wave: u32,
    /// How many instructions it executes before.
    pub after: u32,
}

impl Default for Device {
    fn default() -> Device {
        Device {
            xnack_retry: false,
            lds_range_reporting: true,
            stepping_a0: false,
            kill_wave: None,
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
        check_kill(request.device.kill_wave, &launch)?;
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

/// A wave that is to be killed must be one of the launch.
fn check_kill(kill: Option<Kill>, launch: &Launch) -> Result<(), Box<Diagnostic>> {
    let Some(kill) = kill else { return Ok(()) };
    let (blocks, waves) = (launch.blocks(), launch.waves_per_block());
    if kill.workgroup < blocks && kill.wave < waves {
        return Ok(());
    }
    let text = format!(
        "[amd] kill_wave names wave {} of workgroup {}; the launch has {blocks} workgroups of {waves} waves",
        kill.wave, kill.workgroup
    );
    Err(Box::new(Diagnostic::new(Code("launch-file"), Level::Error, text)))
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
