//! A PTX kernel with its launch: what the machine runs.

mod channels;
mod fit;
mod placement;

use tilehaul_descriptor::nvidia::Architecture;
use tilehaul_diag::{Code as DiagCode, Diagnostic, Level, Span};
use tilehaul_isa::ptx::Module;
use tilehaul_isa::ptx::ast::{Type, Variable};
use tilehaul_machine::{
    ChannelSpec, Chip, Core, Executor, GlobalMemory, Launch, PlaceId, Ran, Traits, WaveInfo,
};
use tilehaul_mma::Sums;

use crate::chip::{H200, chip};
use crate::exec;
use crate::inst::Inst;
use crate::lower::{self, Code, Layout};
use crate::wave::Wave;

use channels::CHANNELS;
pub(crate) use channels::{BULK, CP_ASYNC, TC, TC_LD, TC_ST, WGMMA};
use fit::{check_block, check_cluster, check_grid, check_shared, cluster_of, find_entry, target_of};

/// What a launch asks for.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// The kernel's name; needed when the module has several.
    pub entry: Option<&'a str>,
    /// The architecture; the module's own when absent.
    pub target: Option<&'a str>,
    /// One entry for each parameter, in order: its bytes.
    pub params: &'a [Vec<u8>],
    /// Blocks in each direction.
    pub grid: [u32; 3],
    /// Threads of a block in each direction.
    pub block: [u32; 3],
    /// Blocks of a cluster in each direction; absent when the launch says nothing.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of the `.extern .shared` array.
    pub dynamic_shared: u32,
    /// How products of matrix instructions are summed.
    pub sums: Sums,
}

/// A parameter that a launch must give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamSpec {
    /// Its name in the PTX.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its alignment in bytes.
    pub align: u32,
    /// Its type, of an element if it is an array.
    pub ty: Type,
    /// Its declaration.
    pub span: Span,
}

/// A kernel, its parameters and its variables, ready to run.
pub struct PtxProgram {
    pub(crate) code: Code,
    names: Vec<String>,
    shared_names: Vec<(u32, u32, String)>,
    param_names: Vec<(u32, u32, String)>,
    pub(crate) params: Vec<u8>,
    pub(crate) architecture: &'static Architecture,
    /// What `%nsmid` and the like tell of.
    pub(crate) chip: Chip,
    pub(crate) launch: Launch,
    pub(crate) dynamic_shared: u32,
    pub(crate) sums: Sums,
    /// The first instruction that carries a `.cta_group`, and which.
    pub(crate) cta_group: Option<(u32, &'static str)>,
}

/// The parameters of a module's entry, in order.
///
/// # Errors
/// When there is no such entry, or several and no name.
pub fn params(module: &Module, entry: Option<&str>) -> Result<Vec<ParamSpec>, Box<Diagnostic>> {
    let (_, function) = find_entry(module, entry)?;
    let spec = |v: &Variable| ParamSpec {
        name: v.name.clone(),
        bytes: v.bytes,
        align: v.align,
        ty: v.ty,
        span: v.span,
    };
    Ok(function.params.iter().map(|p| spec(&p.variable)).collect())
}

impl PtxProgram {
    /// Builds the program and places the module's variables in device memory.
    ///
    /// # Errors
    /// When the entry, the target or the parameters do not fit the module, or the launch's shape contradicts what the
    /// kernel was compiled for.
    pub fn new(
        module: &Module,
        setup: &Setup<'_>,
        global: &mut GlobalMemory,
    ) -> Result<PtxProgram, Box<Diagnostic>> {
        let (id, function) = find_entry(module, setup.entry)?;
        let (target, architecture) = target_of(module, setup)?;
        let mut layout = Layout { target, ..Layout::default() };
        layout.place_params(function, setup.params)?;
        let static_shared = layout.place_variables(module, id, global)?;
        layout.resolve_relocations(module, global)?;
        let (cluster, clustered) = cluster_of(function, setup)?;
        check_block(function, setup)?;
        check_grid(setup)?;
        let shared_bytes = static_shared.saturating_add(setup.dynamic_shared);
        check_shared(function, setup, architecture, static_shared)?;
        let mut launch =
            Launch { cluster, clustered, shared_bytes, ..Launch::new(setup.grid, setup.block, 32) };
        let described = chip(architecture);
        launch.holds = described.map(|chip| chip.holds(&launch));
        check_cluster(function, &launch)?;
        launch.check()?;
        let code = lower::lower(module, id, &layout);
        if code.local_bytes >= 1 << 24 {
            return Err(bad("ptx-local-size", "local memory of more than 16 MiB a thread is not modelled"));
        }
        let names: Vec<String> = module.opcodes.iter().map(|o| o.text.clone()).collect();
        let grouped = |(place, &opcode): (usize, &u32)| {
            names.get(opcode as usize).and_then(|n| cta_group(n)).map(|group| (place as u32, group))
        };
        let cta_group = code.names.iter().enumerate().find_map(grouped);
        Ok(PtxProgram {
            code,
            names,
            cta_group,
            shared_names: layout.shared_names,
            param_names: layout.param_names,
            params: layout.param_bytes,
            architecture,
            chip: described.unwrap_or(H200),
            launch,
            dynamic_shared: setup.dynamic_shared,
            sums: setup.sums,
        })
    }

    /// The chip that it runs on.
    #[must_use]
    pub fn architecture(&self) -> &'static Architecture {
        self.architecture
    }

    /// The launch, shared memory and cluster shape of the kernel included.
    #[must_use]
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// The variable of static shared memory at an offset, with the distance from its start.
    #[must_use]
    pub fn shared_name(&self, offset: u64) -> Option<(&str, u64)> {
        among(&self.shared_names, offset)
    }

    /// The parameter at an offset of the parameter space, with the distance from its start.
    #[must_use]
    pub fn param_name(&self, offset: u64) -> Option<(&str, u64)> {
        among(&self.param_names, offset)
    }

    pub(crate) fn name(&self, place: u32) -> &str {
        let opcode = self.code.names.get(place as usize).copied().unwrap_or(u32::MAX);
        self.names.get(opcode as usize).map_or("the end of the function", String::as_str)
    }
}

/// The `.cta_group` that the name of an instruction carries.
pub(crate) fn cta_group(name: &str) -> Option<&'static str> {
    ["cta_group::1", "cta_group::2"].into_iter().find(|group| name.contains(group))
}

fn among(names: &[(u32, u32, String)], offset: u64) -> Option<(&str, u64)> {
    names.iter().find_map(|(at, bytes, name)| {
        let distance = offset.checked_sub(u64::from(*at))?;
        (distance < u64::from(*bytes)).then_some((name.as_str(), distance))
    })
}

impl Executor for PtxProgram {
    type Wave = Wave;

    fn start(&self, info: &WaveInfo, _core: &mut Core) -> Result<Wave, Box<Diagnostic>> {
        Ok(Wave::new(self, info))
    }

    fn run(&self, wave: &mut Wave, core: &mut Core, budget: u32) -> Ran {
        exec::run(self, wave, core, budget)
    }

    fn fingerprint(&self, wave: &Wave) -> u64 {
        wave.fingerprint()
    }

    fn release_waiting(&self, wave: &mut Wave) -> bool {
        wave.release_waiting()
    }

    fn channels(&self) -> &[ChannelSpec] {
        CHANNELS
    }

    fn cancels_clusters(&self) -> bool {
        self.code.insts.iter().any(|inst| matches!(inst.plain(), Inst::ClusterTryCancel { .. }))
    }

    fn span(&self, place: PlaceId) -> Option<Span> {
        self.code.spans.get(place.index()).copied()
    }

    fn text(&self, place: PlaceId) -> String {
        self.name(place.0).to_owned()
    }

    fn traits(&self, place: PlaceId) -> Traits {
        let name = self.name(place.0);
        Traits { tells: name.starts_with("bar") && name.contains(".red."), ..Traits::default() }
    }
}

fn bad(code: &'static str, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(DiagCode(code), Level::Error, message))
}
