//! A kernel file becomes a program that the machine runs.

use std::path::Path;

use tilehaul_diag::{Code, Diagnostic, FileId, Level};
use tilehaul_gcn::{GcnProgram, Request};
use tilehaul_isa::{gcn, ptx};
use tilehaul_machine::{GlobalMemory, Launch, Program};
use tilehaul_mma::Sums;
use tilehaul_ptx::{PtxProgram, Setup};
use tilehaul_render::Sources;

use super::arguments::{self, Parameter};
use crate::launch::{LaunchFile, Prepared};

/// A kernel file that cannot be used.
pub(super) const CODE: Code = Code("kernel-file");
/// A kernel for another chip than the launch names.
const TARGET: Code = Code("launch-target");
/// A chip, or a part of a code object, that is not modelled: nothing is wrong with the input.
pub(super) const UNSUPPORTED: [Code; 2] = [Code("target-unsupported"), Code("code-object-unsupported")];

/// A kernel with its launch.
pub enum Kernel {
    /// NVIDIA.
    Ptx(Box<PtxProgram>),
    /// AMD.
    Gcn(GcnProgram),
}

/// What a file's name says it holds.
pub(super) enum Language {
    Ptx,
    AmdAssembly,
    AmdObject,
    LlvmIr,
}

impl Kernel {
    /// The target that its code is for.
    pub(super) fn target(&self) -> &'static str {
        match self {
            Kernel::Ptx(program) => program.architecture().name,
            Kernel::Gcn(program) => program.target().name(),
        }
    }

    /// What the machine runs.
    pub(super) fn program(&self) -> &dyn Program {
        match self {
            Kernel::Ptx(program) => &**program,
            Kernel::Gcn(program) => program.program(),
        }
    }

    /// How it is launched.
    pub(super) fn launch(&self) -> &Launch {
        match self {
            Kernel::Ptx(program) => program.launch(),
            Kernel::Gcn(program) => program.launch(),
        }
    }

    /// Reads a kernel. `file` is the number its text gets among `sources`.
    #[expect(clippy::too_many_arguments, reason = "everything that a program is made of")]
    pub(super) fn read(
        name: &str,
        bytes: &[u8],
        file: FileId,
        launch: &LaunchFile,
        prepared: &Prepared,
        memory: &mut GlobalMemory,
        sources: &mut Sources,
        sums: Sums,
    ) -> Result<Kernel, Vec<Diagnostic>> {
        let at_launch =
            |message: String| Diagnostic::new(CODE, Level::Error, message).at(launch.kernel_span, "");
        match language(name, bytes) {
            Some(Language::Ptx) => {
                let Ok(text) = std::str::from_utf8(bytes) else {
                    return Err(vec![at_launch(format!("{name} is not text"))]);
                };
                sources.add(name, text);
                ptx_program(text, file, launch, prepared, memory, sums)
                    .map(|program| Kernel::Ptx(Box::new(program)))
            }
            Some(Language::AmdAssembly) => {
                let Ok(text) = std::str::from_utf8(bytes) else {
                    return Err(vec![at_launch(format!("{name} is not text"))]);
                };
                sources.add(name, text);
                let target = launch.target.as_deref().and_then(gcn::Target::from_name);
                let reading = gcn::read_assembly(text, file, target).map_err(|d| vec![placed(*d, launch)])?;
                let problems = match reading.module.kernel(launch.entry.as_deref()) {
                    Some(kernel) => reading.problems_of(kernel),
                    None => reading.problems(),
                };
                if !problems.is_empty() {
                    return Err(problems);
                }
                amd_program(reading.module, launch, prepared, memory, sums)
            }
            Some(Language::AmdObject) => {
                sources.add(name, "");
                let module = gcn::read_code_object(bytes).map_err(|d| {
                    vec![Diagnostic { code: d.code, ..at_launch(format!("{name}: {}", d.message)) }]
                })?;
                amd_program(module, launch, prepared, memory, sums)
            }
            Some(Language::LlvmIr) => {
                let Ok(text) = std::str::from_utf8(bytes) else {
                    return Err(vec![at_launch(format!("{name} is not text"))]);
                };
                sources.add(name, text);
                let own = crate::llvm::target_of(text);
                let Some(target) = launch.target.as_deref().or(own.as_deref()) else {
                    return Err(vec![
                        at_launch(format!("{name} names no target-cpu"))
                            .fix("add target = \"gfx950\" or another"),
                    ]);
                };
                let object =
                    super::compile(text, target).map_err(|why| vec![at_launch(format!("{name}: {why}"))])?;
                let module = gcn::read_code_object(&object).map_err(|d| {
                    vec![Diagnostic { code: d.code, ..at_launch(format!("{name}, compiled: {}", d.message)) }]
                })?;
                amd_program(module, launch, prepared, memory, sums)
            }
            None => Err(vec![
                at_launch(format!("{name} is no kernel that can be run"))
                    .fix("name a .ptx, .s, .hsaco, .co, .o or .ll file"),
            ]),
        }
    }
}

fn amd_program(
    module: gcn::Module,
    launch: &LaunchFile,
    prepared: &Prepared,
    memory: &mut GlobalMemory,
    sums: Sums,
) -> Result<Kernel, Vec<Diagnostic>> {
    if let Some(named) = launch.target.as_deref().filter(|t| gcn::Target::from_name(t) != Some(module.target))
    {
        let message = format!("the kernel is for {} and the launch's target is {named}", module.target);
        let told = Diagnostic::new(TARGET, Level::Error, message).at(launch.key("target"), "");
        return Err(vec![told.note("hipModuleLoadData answers hipErrorNoBinaryForGpu")]);
    }
    let arguments: Vec<Vec<u8>> = prepared.args.iter().map(|a| a.bytes.clone()).collect();
    let request = Request {
        entry: launch.entry.as_deref(),
        arguments: &arguments,
        hidden: &launch.hidden.iter().cloned().collect(),
        grid: launch.grid,
        block: launch.block,
        cluster: (launch.cluster != [1, 1, 1]).then_some(launch.cluster),
        dynamic_shared: launch.dynamic_shared,
        sums,
        device: launch.amd,
    };
    if let Some(kernel) = module.kernel(request.entry)
        && let Some(params) = tilehaul_gcn::params(kernel)
    {
        let parameters: Vec<Parameter> = params.into_iter().map(Parameter::of_amd).collect();
        let found = arguments::check(&kernel.name, &parameters, launch, prepared);
        if !found.is_empty() {
            return Err(found);
        }
    }
    match GcnProgram::new(module, &request, memory) {
        Ok(program) => Ok(Kernel::Gcn(program)),
        Err(diagnostic) => Err(vec![placed(*diagnostic, launch)]),
    }
}

/// A complaint about a launch at the key of the launch file that it is about.
fn placed(diagnostic: Diagnostic, launch: &LaunchFile) -> Diagnostic {
    let key = match diagnostic.code.0 {
        "launch-entry" => "entry",
        "launch-target" | "ptx-target" | "target-unsupported" => "target",
        "launch-block" => "block",
        "launch-grid" | "launch-shape" => "grid",
        "launch-cluster" => "cluster",
        "launch-shared" => "dynamic_shared",
        "launch-arguments" => "args",
        "launch-hidden" => "hidden",
        // About the kernel itself.
        _ => "kernel",
    };
    let span = launch.key(key);
    match diagnostic.primary {
        None => diagnostic.at(span, ""),
        Some(_) if span == launch.kernel_span => diagnostic,
        Some(_) => diagnostic.also(span, "asked for here"),
    }
}

pub(super) fn language(name: &str, bytes: &[u8]) -> Option<Language> {
    if bytes.starts_with(b"\x7fELF") {
        return Some(Language::AmdObject);
    }
    match Path::new(name).extension()?.to_str()? {
        "ptx" => Some(Language::Ptx),
        "s" | "asm" => Some(Language::AmdAssembly),
        "hsaco" | "co" | "o" => Some(Language::AmdObject),
        "ll" => Some(Language::LlvmIr),
        _ => None,
    }
}

fn ptx_program(
    text: &str,
    file: FileId,
    launch: &LaunchFile,
    prepared: &Prepared,
    memory: &mut GlobalMemory,
    sums: Sums,
) -> Result<PtxProgram, Vec<Diagnostic>> {
    let reading = ptx::read(text, file);
    let errors: Vec<Diagnostic> =
        reading.diagnostics.into_iter().filter(|d| d.level == Level::Error).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let params: Vec<Vec<u8>> = prepared.args.iter().map(|a| a.bytes.clone()).collect();
    let setup = Setup {
        entry: launch.entry.as_deref(),
        target: launch.target.as_deref(),
        params: &params,
        grid: launch.grid,
        block: launch.block,
        cluster: (launch.cluster != [1, 1, 1]).then_some(launch.cluster),
        dynamic_shared: launch.dynamic_shared,
        sums,
    };
    let refused = |found: Box<Diagnostic>| vec![placed(*found, launch)];
    let params = tilehaul_ptx::params(&reading.module, setup.entry).map_err(refused)?;
    let kernel = reading.module.entries().find(|f| setup.entry.is_none_or(|e| e == f.name));
    let parameters: Vec<Parameter> = params.into_iter().map(Parameter::of_ptx).collect();
    let name = kernel.map_or("the kernel", |f| f.name.as_str());
    let found = arguments::check(name, &parameters, launch, prepared);
    if !found.is_empty() {
        return Err(found);
    }
    PtxProgram::new(&reading.module, &setup, memory).map_err(refused)
}
