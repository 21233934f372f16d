//! A kernel file becomes a program that the machine runs.

use std::path::Path;

use tilehaul_diag::{Code, Diagnostic, FileId, Level};
use tilehaul_gcn::{Gcn, GcnProgram, Request};
use tilehaul_isa::{gcn, ptx};
use tilehaul_machine::GlobalMemory;
use tilehaul_mma::Sums;
use tilehaul_ptx::{PtxProgram, Setup};
use tilehaul_render::Sources;

use crate::launch::{LaunchFile, Prepared};

/// A kernel file that cannot be used.
pub(super) const CODE: Code = Code("kernel-file");

/// A kernel with its launch.
pub enum Kernel {
    /// NVIDIA.
    Ptx(Box<PtxProgram>),
    /// AMD, waves of 32 lanes.
    Gcn32(Box<Gcn<32>>),
    /// AMD, waves of 64 lanes.
    Gcn64(Box<Gcn<64>>),
}

/// What a file's name says it holds.
pub(super) enum Language {
    Ptx,
    AmdAssembly,
    AmdObject,
    LlvmIr,
}

impl Kernel {
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
                let reading = gcn::read_assembly(text, file, target).map_err(|d| vec![*d])?;
                if !reading.diagnostics.is_empty() {
                    return Err(reading.diagnostics);
                }
                amd_program(reading.module, launch, prepared, memory, sums)
            }
            Some(Language::AmdObject) => {
                sources.add(name, "");
                let module = gcn::read_code_object(bytes)
                    .map_err(|d| vec![at_launch(format!("{name}: {}", d.message))])?;
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
                let module = gcn::read_code_object(&object)
                    .map_err(|d| vec![at_launch(format!("{name}, compiled: {}", d.message))])?;
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
    match GcnProgram::new(module, &request, memory) {
        Ok(GcnProgram::Wave32(program)) => Ok(Kernel::Gcn32(program)),
        Ok(GcnProgram::Wave64(program)) => Ok(Kernel::Gcn64(program)),
        Err(diagnostic) => Err(vec![diagnostic.at(launch.kernel_span, "")]),
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
    PtxProgram::new(&reading.module, &setup, memory).map_err(|diagnostic| {
        let diagnostic = if diagnostic.primary.is_none() {
            diagnostic.clone().at(launch.kernel_span, "")
        } else {
            *diagnostic
        };
        vec![diagnostic]
    })
}
