//! A PTX kernel with its launch: what the machine runs.

use rustc_hash::FxHashSet;
use tilehaul_descriptor::nvidia::Architecture;
use tilehaul_diag::{Code as DiagCode, Diagnostic, Level, Span};
use tilehaul_isa::ptx::Module;
use tilehaul_isa::ptx::ast::{
    Function, FunctionId, GlobalId, LocalId, Operand, Space, Symbol, Type, Variable,
};
use tilehaul_machine::{
    ChannelKind, ChannelSpec, Core, Executor, GlobalMemory, Handover, Launch, Pipeline, PlaceId, Ran,
    WaveInfo,
};
use tilehaul_mma::Sums;

use crate::chip::chip;
use crate::exec;
use crate::inst::Inst;
use crate::lower::{self, Code, Layout, Written};
use crate::wave::Wave;

/// Bulk groups of a thread.
pub(crate) const BULK: ChannelKind = ChannelKind(0);
/// `cp.async` groups of a thread.
pub(crate) const CP_ASYNC: ChannelKind = ChannelKind(1);
/// Matrix products of a warp.
pub(crate) const WGMMA: ChannelKind = ChannelKind(2);
/// Tensor-memory products, copies and shifts of a thread.
pub(crate) const TC: ChannelKind = ChannelKind(3);
/// Loads from tensor memory.
pub(crate) const TC_LD: ChannelKind = ChannelKind(4);
/// Stores to tensor memory.
pub(crate) const TC_ST: ChannelKind = ChannelKind(5);

/// Bytes of `.const` variables that a module may have. manual: ptxas 13.5 ("too much global constant data").
const MOST_CONSTANTS: u64 = 64 << 10;
/// Bytes of `.global` variables; no limit of a device but what a run of every seed can hold.
const MOST_GLOBALS: u64 = 1 << 30;

/// manual: PTX ISA: bulk and `cp.async` operations are not ordered with each other; matrix products on one accumulator
/// are, and so are the pipelines of tensor memory (tcgen05 2b.3).
const CHANNELS: &[ChannelSpec] = &[
    ChannelSpec {
        name: "bulk groups",
        in_order: false,
        after: &[],
        per_lane: true,
        must_be_waited: true,
        one_way: false,
        handover: None,
        waits: ["cp.async.bulk.wait_group.read {}", "cp.async.bulk.wait_group {}"],
    },
    ChannelSpec {
        name: "cp.async groups",
        in_order: false,
        after: &[],
        per_lane: true,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: ["cp.async.wait_group {}", "cp.async.wait_group {}"],
    },
    ChannelSpec {
        name: "wgmma groups",
        in_order: true,
        after: &[WGMMA],
        per_lane: false,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: ["wgmma.wait_group.sync.aligned {}", "wgmma.wait_group.sync.aligned {}"],
    },
    ChannelSpec {
        name: "tcgen05 operations",
        in_order: true,
        after: &[TC],
        per_lane: true,
        must_be_waited: false,
        one_way: false,
        handover: Some(TC_HANDOVER),
        waits: [
            "tcgen05.commit, a wait on its mbarrier and tcgen05.fence::after_thread_sync",
            "tcgen05.commit, a wait on its mbarrier and tcgen05.fence::after_thread_sync",
        ],
    },
    ChannelSpec {
        name: "tcgen05 loads",
        in_order: false,
        after: &[],
        per_lane: false,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: ["tcgen05.wait::ld.sync.aligned", "tcgen05.wait::ld.sync.aligned"],
    },
    ChannelSpec {
        name: "tcgen05 stores",
        in_order: false,
        after: &[],
        per_lane: false,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: ["tcgen05.wait::st.sync.aligned", "tcgen05.wait::st.sync.aligned"],
    },
];

/// manual: PTX ISA, tcgen05 memory consistency model: pairs that are implicitly pipelined in one thread, and in two that
/// execute the fences on both sides of what orders them.
const TC_HANDOVER: Handover = Handover {
    pairs: &[
        Pipeline { first: "tcgen05.mma", then: "tcgen05.mma", same_target: true },
        Pipeline { first: "tcgen05.cp", then: "tcgen05.mma", same_target: false },
        Pipeline { first: "tcgen05.shift", then: "tcgen05.mma", same_target: false },
        Pipeline { first: "tcgen05.shift", then: "tcgen05.cp", same_target: false },
        Pipeline { first: "tcgen05.mma", then: "tcgen05.shift", same_target: false },
    ],
    fences: ["tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync"],
};

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
        launch.holds = chip(architecture).map(|chip| chip.holds(&launch));
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
        self.code.insts.iter().any(|inst| matches!(inst, Inst::ClusterTryCancel { .. }))
    }

    fn span(&self, place: PlaceId) -> Option<Span> {
        let Written { span, .. } = *self.code.written.get(place.index())?;
        Some(span)
    }

    fn text(&self, place: PlaceId) -> String {
        self.name(place.0).to_owned()
    }
}

impl Layout {
    fn place_params(&mut self, function: &Function, given: &[Vec<u8>]) -> Result<(), Box<Diagnostic>> {
        if function.params.len() != given.len() {
            let (name, wanted, got) = (&function.name, function.params.len(), given.len());
            let message = format!("{name} takes {wanted} arguments; the launch gives {got}");
            return Err(Box::new(
                Diagnostic::new(DiagCode("launch-arguments"), Level::Error, message)
                    .at(function.span, "the kernel's parameters"),
            ));
        }
        for (param, bytes) in function.params.iter().zip(given) {
            let v = &param.variable;
            if v.bytes != bytes.len() as u64 {
                let message = format!(
                    "the parameter {} of {} has {} bytes; the launch gives {}",
                    v.name,
                    function.name,
                    v.bytes,
                    bytes.len()
                );
                return Err(Box::new(
                    Diagnostic::new(DiagCode("launch-arguments"), Level::Error, message)
                        .at(v.span, "declared here"),
                ));
            }
            let at = self.param_bytes.len().next_multiple_of(v.align.max(1) as usize);
            if at > 1 << 20 {
                return Err(bad("launch-arguments", "the parameters are larger than 1 MiB"));
            }
            self.param_bytes.resize(at, 0);
            self.params.push(at as u64);
            self.param_names.push((at as u32, bytes.len() as u32, v.name.clone()));
            self.param_bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Places every variable; returns the bytes of static shared memory, up to where the dynamic array starts.
    /// Shared memory is that of the entry and of functions: other entries' does not count.
    fn place_variables(
        &mut self,
        module: &Module,
        entry: FunctionId,
        global: &mut GlobalMemory,
    ) -> Result<u32, Box<Diagnostic>> {
        let runs = |f: usize, function: &Function| !function.is_entry || f == entry.0 as usize;
        let mut named = FxHashSet::default();
        for (f, function) in module.functions.iter().enumerate() {
            if runs(f, function) {
                let operands = function.instructions.iter().flat_map(|i| &i.operands);
                operands.for_each(|operand| mentioned(operand, &mut named));
            }
        }
        let mut shared = 0u64;
        let mut put = |v: &Variable| {
            shared = shared.next_multiple_of(u64::from(v.align.max(1)));
            let at = shared;
            shared = shared.saturating_add(v.bytes);
            at
        };
        let dynamic = |v: &Variable| v.space == Space::Shared && v.bytes == 0;
        let (mut constants, mut globals) = (0u64, 0u64);
        for (g, v) in module.variables.iter().enumerate() {
            let at = match v.space {
                Space::Shared if dynamic(v) || !named.contains(&GlobalId(g as u32)) => 0,
                Space::Shared => {
                    let at = put(v);
                    self.shared_names.push((at as u32, v.bytes as u32, v.name.clone()));
                    at
                }
                Space::Global | Space::Const => {
                    let (sum, most) = match v.space {
                        Space::Const => (&mut constants, MOST_CONSTANTS),
                        _ => (&mut globals, MOST_GLOBALS),
                    };
                    *sum = sum.saturating_add(v.bytes);
                    if *sum > most {
                        let space = if v.space == Space::Const { ".const" } else { ".global" };
                        let message = format!(
                            "the module's {space} variables come to {sum} bytes with {} ({} bytes); there is room for {most}",
                            v.name, v.bytes
                        );
                        return Err(bad("ptx-variable-size", &message));
                    }
                    let mut data = v.init.clone();
                    data.resize(v.bytes as usize, 0);
                    global.allocate(v.name.clone(), data, u64::from(v.align), true)
                }
                Space::Local | Space::Param => 0,
            };
            self.globals.push(at);
        }
        for (f, function) in module.functions.iter().enumerate() {
            for (i, v) in function.variables.iter().enumerate().filter(|_| runs(f, function)) {
                if v.space == Space::Shared && !dynamic(v) {
                    let at = put(v) as u32;
                    self.shared_names.push((at, v.bytes as u32, v.name.clone()));
                    self.shared.insert((FunctionId(f as u32), LocalId(i as u32)), at);
                }
            }
        }
        if shared > 1 << 20 {
            return Err(bad("ptx-variable-size", &format!("{shared} bytes of static shared memory")));
        }
        // Triton's swizzles count on 1024-byte alignment of the dynamic array.
        let has_dynamic = module.variables.iter().any(&dynamic)
            || module.functions.iter().flat_map(|f| &f.variables).any(&dynamic);
        let start = if has_dynamic { shared.next_multiple_of(1024) } else { shared };
        for (v, at) in module.variables.iter().zip(&mut self.globals) {
            if dynamic(v) {
                *at = start;
            }
        }
        for (f, function) in module.functions.iter().enumerate() {
            for (i, v) in function.variables.iter().enumerate() {
                if dynamic(v) {
                    self.shared.insert((FunctionId(f as u32), LocalId(i as u32)), start as u32);
                }
            }
        }
        Ok(start as u32)
    }

    fn resolve_relocations(&self, module: &Module, global: &mut GlobalMemory) -> Result<(), Box<Diagnostic>> {
        for (v, &at) in module.variables.iter().zip(&self.globals) {
            for r in &v.relocations {
                if let Some(id) = lower::function_named(module, &r.name) {
                    write_address(global, at + r.at, r.bytes, lower::function_address(id))?;
                    continue;
                }
                let target = module.variables.iter().position(|t| t.name == r.name);
                let address = target.and_then(|i| Some((module.variables.get(i)?, self.globals.get(i)?)));
                let Some((named, &address)) = address else {
                    let message =
                        format!("the initialiser of {} names {}, which is not declared", v.name, r.name);
                    return Err(bad("ptx-initialiser", &message));
                };
                if named.space == Space::Shared || v.space == Space::Shared {
                    let message = format!("the initialiser of {} holds a shared-memory address", v.name);
                    return Err(bad("ptx-initialiser", &message));
                }
                write_address(global, at + r.at, r.bytes, address.wrapping_add_signed(r.addend))?;
            }
        }
        Ok(())
    }
}

/// Writes an address into an initialiser. Fails when the place is outside of the variable.
fn write_address(global: &mut GlobalMemory, at: u64, bytes: u32, value: u64) -> Result<(), Box<Diagnostic>> {
    use tilehaul_engine::Memory;
    let value = value.to_le_bytes();
    let len = (bytes as usize).min(value.len());
    let outside =
        |_| bad("ptx-initialiser", "an initialiser holds an address that reaches past its variable");
    global.bytes_mut(at, len as u64).map_err(outside)?.copy_from_slice(&value[..len]);
    Ok(())
}

/// The module-scope variables that an operand names.
fn mentioned(operand: &Operand, named: &mut FxHashSet<GlobalId>) {
    match operand {
        Operand::Symbol(Symbol::Global(id), _) => {
            named.insert(*id);
        }
        Operand::Dual(pair) => {
            mentioned(&pair.0, named);
            mentioned(&pair.1, named);
        }
        Operand::Vector(list) | Operand::List(list) => list.iter().for_each(|o| mentioned(o, named)),
        Operand::Address(address) => {
            mentioned(&address.base, named);
            address.rest.iter().for_each(|o| mentioned(o, named));
        }
        Operand::Symbol(
            Symbol::Local(_)
            | Symbol::Param(_)
            | Symbol::Return(_)
            | Symbol::Function(_)
            | Symbol::Label(_)
            | Symbol::Table(_)
            | Symbol::Unknown,
            _,
        )
        | Operand::Reg(_)
        | Operand::Element(..)
        | Operand::Not(_)
        | Operand::Imm(_)
        | Operand::Special(_)
        | Operand::Sink
        | Operand::Picked(_) => {}
    }
}

fn find_entry<'m>(
    module: &'m Module,
    name: Option<&str>,
) -> Result<(FunctionId, &'m Function), Box<Diagnostic>> {
    let mut entries = module
        .functions
        .iter()
        .enumerate()
        .filter(|(_, f)| f.is_entry && f.has_body)
        .map(|(i, f)| (FunctionId(i as u32), f));
    let names = || module.entries().map(|f| f.name.as_str()).collect::<Vec<_>>().join(", ");
    match name {
        Some(name) => entries.find(|(_, f)| f.name == name).ok_or_else(|| {
            bad("launch-entry", &format!("entry = {name} is not in this module, which has: {}", names()))
        }),
        None => {
            let first = entries.next().ok_or_else(|| bad("launch-entry", "this module has no entry"))?;
            if entries.next().is_some() {
                let message =
                    format!("this module has several entries and the launch names none: {}", names());
                return Err(bad("launch-entry", &message));
            }
            Ok(first)
        }
    }
}

fn three(values: &[u64]) -> [u32; 3] {
    [0, 1, 2].map(|i| values.get(i).map_or(1, |&v| u32::try_from(v).unwrap_or(u32::MAX)))
}

fn cluster_of(function: &Function, setup: &Setup<'_>) -> Result<([u32; 3], bool), Box<Diagnostic>> {
    let compiled = function.directive("reqnctapercluster").filter(|d| !d.values.is_empty());
    match (compiled, setup.cluster) {
        (Some(d), Some(asked)) if three(&d.values) != asked && asked != [1, 1, 1] => {
            let message = format!(
                "cluster = {asked:?} contradicts .reqnctapercluster {:?}, which {} was compiled with",
                three(&d.values),
                function.name
            );
            Err(Box::new(
                Diagnostic::new(DiagCode("launch-cluster"), Level::Error, message)
                    .at(d.span, "compiled for this shape")
                    .note("cuLaunchKernelEx answers CUDA_ERROR_INVALID_CLUSTER_SIZE")
                    .fix(format!("Launch with cluster = {:?}.", three(&d.values))),
            ))
        }
        (Some(d), _) => Ok((three(&d.values), true)),
        (None, Some(asked)) => {
            let explicit = function.directive("explicitcluster").is_some();
            Ok((asked, explicit || asked != [1, 1, 1]))
        }
        (None, None) => Ok(([1, 1, 1], function.directive("explicitcluster").is_some())),
    }
}

/// The text's target, which decides which instructions there are, and the chip it runs on.
fn target_of(module: &Module, setup: &Setup<'_>) -> Result<(String, &'static Architecture), Box<Diagnostic>> {
    let written = module.target.first();
    let Some(chip) = setup.target.or(written.map(String::as_str)) else {
        return Err(bad("launch-target", "the module has no .target and the launch names none"));
    };
    let Some(architecture) = Architecture::parse(chip) else {
        if chip.starts_with("gfx") {
            let message = format!("the kernel is PTX and the launch's target is {chip}, an AMD processor");
            return Err(bad("launch-target", &message));
        }
        let message = format!("target = {chip} is not modelled: sm_90 and later are");
        return Err(bad("target-unsupported", &message));
    };
    let Some(written) = written else { return Ok((chip.to_owned(), architecture)) };
    if let Some(Err(why)) = Architecture::parse(written).map(|code| code.runs_on(architecture)) {
        let message =
            format!("the module is for {written} and the launch's target is {chip}: {written} {why}");
        let note = "cuModuleLoadData answers CUDA_ERROR_NO_BINARY_FOR_GPU or CUDA_ERROR_INVALID_PTX";
        return Err(Box::new(Diagnostic::new(DiagCode("launch-target"), Level::Error, message).note(note)));
    }
    Ok((written.clone(), architecture))
}

/// What the driver refuses, by the name of its error. manual: CUDA driver API, `cuLaunchKernel`, and the CUDA programming
/// guide's table of technical specifications.
fn refused(code: &'static str, message: String, error: &str) -> Diagnostic {
    Diagnostic::new(DiagCode(code), Level::Error, message).note(format!("cuLaunchKernel answers {error}"))
}

/// Threads of a block by direction and together; the last direction is the narrowest.
const MOST_BLOCK: [u32; 3] = [1024, 1024, 64];
/// Blocks of a grid by direction.
const MOST_GRID: [u32; 3] = [0x7fff_ffff, 65_535, 65_535];

fn product(shape: [u32; 3]) -> u64 {
    shape.iter().fold(1u64, |n, &d| n.saturating_mul(u64::from(d)))
}

fn check_block(function: &Function, setup: &Setup<'_>) -> Result<(), Box<Diagnostic>> {
    let (block, threads) = (setup.block, product(setup.block));
    if threads > 1024 {
        let message = format!("block = {block:?} has {threads} threads; a block has at most 1024");
        return Err(Box::new(refused("launch-block", message, "CUDA_ERROR_INVALID_VALUE")));
    }
    if block.iter().zip(MOST_BLOCK).any(|(&d, most)| d > most) {
        let message =
            format!("block = {block:?}; a block has at most {MOST_BLOCK:?} threads in each direction");
        return Err(Box::new(refused("launch-block", message, "CUDA_ERROR_INVALID_VALUE")));
    }
    for (name, exact) in [("reqntid", true), ("maxntid", false)] {
        let Some(d) = function.directive(name) else { continue };
        let compiled = three(&d.values);
        let fits = if exact { compiled == block } else { threads <= product(compiled) };
        if !fits {
            let message = format!(
                "block = {block:?} has {threads} threads; {} was compiled for {} {} (.{name} {})",
                function.name,
                if exact { "exactly" } else { "at most" },
                product(compiled),
                d.values.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
            );
            let found = refused("launch-block", message, "CUDA_ERROR_INVALID_VALUE");
            return Err(Box::new(found.at(d.span, "compiled for this")));
        }
    }
    Ok(())
}

fn check_grid(setup: &Setup<'_>) -> Result<(), Box<Diagnostic>> {
    let grid = setup.grid;
    if grid.iter().zip(MOST_GRID).any(|(&d, most)| d > most) {
        let message = format!("grid = {grid:?}; a grid has at most {MOST_GRID:?} blocks in each direction");
        return Err(Box::new(refused("launch-grid", message, "CUDA_ERROR_INVALID_VALUE")));
    }
    Ok(())
}

/// Blocks of the largest cluster, with the attribute that allows more than the portable 8.
const MOST_CLUSTER: u64 = 16;

fn check_cluster(function: &Function, launch: &Launch) -> Result<(), Box<Diagnostic>> {
    let (grid, cluster) = (launch.grid, launch.cluster);
    let error = "CUDA_ERROR_INVALID_CLUSTER_SIZE";
    let found = if product(cluster) > MOST_CLUSTER {
        let message = format!(
            "cluster = {cluster:?} has {} blocks; a cluster has at most 8, or {MOST_CLUSTER} where the kernel allows a \
             non-portable size",
            product(cluster)
        );
        Some(refused("launch-cluster", message, error))
    } else if grid.iter().zip(cluster).any(|(&g, c)| c == 0 || g % c != 0) {
        let message =
            format!("grid = {grid:?} is no multiple of the cluster {cluster:?} of {}", function.name);
        Some(refused("launch-cluster", message, error))
    } else {
        None
    };
    let Some(mut found) = found else { return Ok(()) };
    if let Some(d) = function.directive("reqnctapercluster") {
        found = found.at(d.span, "compiled for this shape");
    }
    Err(Box::new(found))
}

fn check_shared(
    function: &Function,
    setup: &Setup<'_>,
    architecture: &Architecture,
    static_bytes: u32,
) -> Result<(), Box<Diagnostic>> {
    let most = architecture.shared_bytes;
    let (name, chip, dynamic) = (&function.name, architecture.name, setup.dynamic_shared);
    if static_bytes > most {
        let message = format!(
            "{name} declares {static_bytes} bytes of shared memory; a block of {chip} has at most {most}"
        );
        let note =
            format!("ptxas answers: uses too much shared data ({static_bytes:#x} bytes, {most:#x} max)");
        return Err(Box::new(
            Diagnostic::new(DiagCode("launch-shared"), Level::Error, message)
                .at(function.span, "this kernel")
                .note(note),
        ));
    }
    if static_bytes.saturating_add(dynamic) > most {
        let message = format!(
            "{name} declares {static_bytes} bytes of shared memory and dynamic_shared = {dynamic} adds to {}; a block of \
             {chip} has at most {most}",
            u64::from(static_bytes) + u64::from(dynamic)
        );
        let note = "cuFuncSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) answers CUDA_ERROR_INVALID_VALUE";
        return Err(Box::new(Diagnostic::new(DiagCode("launch-shared"), Level::Error, message).note(note)));
    }
    Ok(())
}

fn bad(code: &'static str, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(DiagCode(code), Level::Error, message))
}
