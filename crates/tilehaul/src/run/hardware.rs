//! The same launch on a real GPU and in the model, compared byte for byte.

use std::path::{Path, PathBuf};

use tilehaul_diag::FileId;
use tilehaul_engine::Memory;
pub use tilehaul_hw::gpu::Gpu;
use tilehaul_hw::gpu::GpuLaunch;
use tilehaul_isa::ptx;

use super::{Explore, Report, Request, Sums, Watch};
use crate::launch::{Files, LaunchFile};

/// A buffer that the GPU left otherwise than the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The buffer.
    pub buffer: String,
    /// First byte that differs.
    pub first: usize,
    /// Bytes that differ.
    pub bytes: usize,
    /// The GPU's byte there.
    pub gpu: u8,
    /// The model's.
    pub model: u8,
}

/// What both sides made of a launch.
#[derive(Clone, Debug)]
pub struct HardwareRun {
    /// Each buffer as the GPU left it, scratch memory left out.
    pub buffers: Vec<(String, Vec<u8>)>,
    /// Buffers that differ.
    pub differences: Vec<Difference>,
    /// The model's run.
    pub model: Report,
}

/// Runs a launch file on both sides. `image` is what the GPU loads in place of the kernel's text (a cubin made of it);
/// `optimise` is the level of the driver's compiler for text.
///
/// # Errors
/// A sentence: a launch file or kernel that cannot be used, what the driver said, or that the model did not finish.
pub fn on_gpu(
    gpu: &Gpu,
    path: &Path,
    text: &str,
    image: Option<&[u8]>,
    optimise: Option<u32>,
) -> Result<HardwareRun, String> {
    let told = |all: Vec<tilehaul_diag::Diagnostic>| {
        all.into_iter().map(|d| d.message).collect::<Vec<_>>().join("; ")
    };
    let launch = LaunchFile::parse(text).map_err(told)?;
    let folder: PathBuf = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let prepared = launch.prepare(&folder).map_err(|p| told(p.0))?;
    let kernel = folder.read(&launch.kernel)?;
    let source =
        std::str::from_utf8(&kernel).map_err(|_| format!("{} is not PTX text", launch.kernel.display()))?;
    let entry = match &launch.entry {
        Some(entry) => entry.clone(),
        None => {
            let module = ptx::read(source, FileId(1)).module;
            let mut names = module.entries().map(|f| f.name.clone());
            names.next().ok_or_else(|| format!("{} has no entry", launch.kernel.display()))?
        }
    };
    let before: Vec<Vec<u8>> =
        prepared.buffers.iter().map(|b| prepared.before(&b.name).unwrap_or_default().to_vec()).collect();
    let shape = GpuLaunch {
        image: image.unwrap_or(&kernel),
        entry: &entry,
        grid: launch.grid,
        block: launch.block,
        cluster: launch.cluster,
        dynamic_shared: launch.dynamic_shared,
        buffers: &before,
        optimise,
    };
    let parameters = |addresses: &[u64]| {
        let arguments =
            launch.arguments_at(&prepared, &folder, addresses).map_err(|problem| told(problem.0))?;
        Ok(arguments.into_iter().map(|a| a.bytes).collect())
    };
    let after = gpu.run(&shape, &parameters).map_err(|error| error.to_string())?;
    let request = Request {
        explore: Explore::default(),
        watch: Watch::Nobody,
        keep_memory: true,
        sums: Sums::default(),
        target: None,
    };
    let model = super::launch(path, text, &request);
    let Some(memory) = &model.memory else {
        let words: Vec<&str> = model.findings.iter().map(|f| f.diagnostic.message.as_str()).collect();
        return Err(format!("the model did not run: {}", words.join("; ")));
    };
    let mut run = HardwareRun { buffers: Vec::new(), differences: Vec::new(), model: model.clone() };
    for (buffer, got) in prepared.buffers.iter().zip(after) {
        if buffer.scratch {
            continue;
        }
        let modelled = memory.bytes(buffer.address, got.len() as u64).unwrap_or_default();
        let differ = || got.iter().zip(modelled).enumerate().filter(|(_, (a, b))| a != b);
        if let Some((first, (&gpu, &model))) = differ().next() {
            let (buffer, bytes) = (buffer.name.clone(), differ().count());
            run.differences.push(Difference { buffer, first, bytes, gpu, model });
        }
        run.buffers.push((buffer.name.clone(), got));
    }
    Ok(run)
}
