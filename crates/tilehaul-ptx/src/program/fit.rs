//! Whether a launch fits its kernel: the entry, the target, and every shape that a driver refuses.

use tilehaul_descriptor::nvidia::Architecture;
use tilehaul_diag::{Code as DiagCode, Diagnostic, Level};
use tilehaul_isa::ptx::Module;
use tilehaul_isa::ptx::ast::{Function, FunctionId};
use tilehaul_machine::Launch;

use super::{Setup, bad};

/// Threads of a block by direction and together; the last direction is the narrowest.
const MOST_BLOCK: [u32; 3] = [1024, 1024, 64];
/// Blocks of a grid by direction.
const MOST_GRID: [u32; 3] = [0x7fff_ffff, 65_535, 65_535];
/// Blocks of the largest cluster, with the attribute that allows more than the portable 8.
const MOST_CLUSTER: u64 = 16;

pub(super) fn find_entry<'m>(
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

pub(super) fn cluster_of(
    function: &Function,
    setup: &Setup<'_>,
) -> Result<([u32; 3], bool), Box<Diagnostic>> {
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
pub(super) fn target_of(
    module: &Module,
    setup: &Setup<'_>,
) -> Result<(String, &'static Architecture), Box<Diagnostic>> {
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

pub(super) fn check_block(function: &Function, setup: &Setup<'_>) -> Result<(), Box<Diagnostic>> {
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

pub(super) fn check_grid(setup: &Setup<'_>) -> Result<(), Box<Diagnostic>> {
    let grid = setup.grid;
    if grid.iter().zip(MOST_GRID).any(|(&d, most)| d > most) {
        let message = format!("grid = {grid:?}; a grid has at most {MOST_GRID:?} blocks in each direction");
        return Err(Box::new(refused("launch-grid", message, "CUDA_ERROR_INVALID_VALUE")));
    }
    Ok(())
}

pub(super) fn check_cluster(function: &Function, launch: &Launch) -> Result<(), Box<Diagnostic>> {
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

pub(super) fn check_shared(
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

/// What the driver refuses, by the name of its error. manual: CUDA driver API, `cuLaunchKernel`, and the CUDA programming
/// guide's table of technical specifications.
fn refused(code: &'static str, message: String, error: &str) -> Diagnostic {
    Diagnostic::new(DiagCode(code), Level::Error, message).note(format!("cuLaunchKernel answers {error}"))
}

fn three(values: &[u64]) -> [u32; 3] {
    [0, 1, 2].map(|i| values.get(i).map_or(1, |&v| u32::try_from(v).unwrap_or(u32::MAX)))
}

fn product(shape: [u32; 3]) -> u64 {
    shape.iter().fold(1u64, |n, &d| n.saturating_mul(u64::from(d)))
}
