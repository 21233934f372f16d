//! One launch on a real GPU through the CUDA driver, which is loaded when it is first needed.
//!
//! The only `unsafe` of the project lives here. Each call's safety rests on two facts: every pointer handed to the
//! driver outlives the call (launch and copies are synchronous or waited for before anything is dropped), and sizes
//! are those of the slices that they describe.
#![expect(unsafe_code, reason = "calls into the CUDA driver")]

use std::ffi::{CString, c_void};
use std::fmt;

use cudarc::driver::sys;

/// Why the GPU did not give an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GpuError {
    /// No CUDA driver library on this machine.
    NoDriver,
    /// A name with a zero byte in it.
    Name(String),
    /// The parameters could not be made for where the buffers lie.
    Parameters(String),
    /// A driver call failed: its name, the CUDA error number, and what the compiler said, if it did.
    Call {
        /// The driver's function.
        call: &'static str,
        /// The CUDA error number.
        code: u32,
        /// The compiler's words; often empty.
        log: String,
    },
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::NoDriver => {
                write!(f, "no CUDA driver on this machine: install one, or run without `hw`")
            }
            GpuError::Parameters(why) => f.write_str(why),
            GpuError::Name(name) => write!(f, "the kernel name {name:?} holds a zero byte"),
            GpuError::Call { call, code, log } if log.is_empty() => {
                write!(f, "{call} failed with CUDA error {code}")
            }
            GpuError::Call { call, code, log } => write!(f, "{call} failed with CUDA error {code}: {log}"),
        }
    }
}

impl std::error::Error for GpuError {}

/// What to launch.
#[derive(Clone, Debug)]
pub struct GpuLaunch<'a> {
    /// PTX text that the driver compiles, or a cubin.
    pub image: &'a [u8],
    /// Entry point.
    pub entry: &'a str,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y, z; `[1, 1, 1]` launches without cluster attribute unless the kernel asks for it.
    pub cluster: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Contents of each buffer before the launch.
    pub buffers: &'a [Vec<u8>],
    /// Optimisation level of the driver's compiler, 0 to 4; its own choice when absent. At 0 every instruction is what
    /// the text says; above, the compiler rewrites some in ways that change results (saturating sums, signs of NaNs).
    pub optimise: Option<u32>,
}

/// A GPU context; made once, used for many launches.
#[derive(Debug)]
pub struct Gpu {
    /// Name and driver version, for the evidence record.
    pub description: String,
}

impl Gpu {
    /// Opens the first GPU.
    ///
    /// # Errors
    /// When there is no driver or no device.
    pub fn open() -> Result<Gpu, GpuError> {
        // SAFETY: loads a library by name; no arguments.
        if !unsafe { sys::is_culib_present() } {
            return Err(GpuError::NoDriver);
        }
        let (mut device, mut context, mut version) = (0, std::ptr::null_mut(), 0);
        let mut name = [0u8; 128];
        // SAFETY: all out-pointers are to live locals of the types that the driver writes.
        unsafe {
            check("cuInit", sys::cuInit(0))?;
            check("cuDeviceGet", sys::cuDeviceGet(&mut device, 0))?;
            check("cuDeviceGetName", sys::cuDeviceGetName(name.as_mut_ptr().cast(), 127, device))?;
            check("cuDriverGetVersion", sys::cuDriverGetVersion(&mut version))?;
            check("cuDevicePrimaryCtxRetain", sys::cuDevicePrimaryCtxRetain(&mut context, device))?;
            check("cuCtxSetCurrent", sys::cuCtxSetCurrent(context))?;
        }
        let end = name.iter().position(|&b| b == 0).unwrap_or(name.len());
        let name = String::from_utf8_lossy(&name[..end]);
        Ok(Gpu { description: format!("{name}, CUDA driver API {}.{}", version / 1000, version % 1000 / 10) })
    }

    /// Runs a launch and gives back every buffer. `parameters` makes the kernel's parameters, in order, from the
    /// buffers' device addresses.
    ///
    /// # Errors
    /// When the driver refuses the program or the launch, or the kernel dies.
    pub fn run(
        &self,
        launch: &GpuLaunch<'_>,
        parameters: &dyn Fn(&[u64]) -> Result<Vec<Vec<u8>>, String>,
    ) -> Result<Vec<Vec<u8>>, GpuError> {
        let entry = CString::new(launch.entry).map_err(|_| GpuError::Name(launch.entry.to_owned()))?;
        let module = Module::load(launch.image, launch.optimise)?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded, the name ends in a zero byte.
        check("cuModuleGetFunction", unsafe {
            sys::cuModuleGetFunction(&mut function, module.0, entry.as_ptr())
        })?;
        if launch.dynamic_shared > 0 {
            let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // SAFETY: a live function handle and plain numbers.
            check("cuFuncSetAttribute", unsafe {
                sys::cuFuncSetAttribute(function, attribute, launch.dynamic_shared.cast_signed())
            })?;
        }
        let buffers =
            launch.buffers.iter().map(|b| DeviceBuffer::holding(b)).collect::<Result<Vec<_>, _>>()?;
        let addresses: Vec<u64> = buffers.iter().map(|b| b.address).collect();
        launch_and_wait(function, launch, parameters(&addresses).map_err(GpuError::Parameters)?)?;
        buffers.iter().map(DeviceBuffer::read).collect()
    }
}

fn launch_and_wait(
    function: sys::CUfunction,
    launch: &GpuLaunch<'_>,
    parameters: Vec<Vec<u8>>,
) -> Result<(), GpuError> {
    // Tensor maps must lie at multiples of 64 bytes; u128 pairs give 16, so each parameter gets its own aligned room.
    let mut rooms: Vec<Vec<Aligned>> = parameters.iter().map(|p| Aligned::holding(p)).collect();
    let mut pointers: Vec<*mut c_void> = rooms.iter_mut().map(|r| r.as_mut_ptr().cast()).collect();
    let [x, y, z] = launch.cluster;
    // SAFETY: an all-zero attribute is valid, and the cluster dimension is the member that its id names.
    let mut attribute: sys::CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = sys::CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z };
    let config = sys::CUlaunchConfig {
        gridDimX: launch.grid[0],
        gridDimY: launch.grid[1],
        gridDimZ: launch.grid[2],
        blockDimX: launch.block[0],
        blockDimY: launch.block[1],
        blockDimZ: launch.block[2],
        sharedMemBytes: launch.dynamic_shared,
        hStream: std::ptr::null_mut(),
        attrs: &mut attribute,
        numAttrs: u32::from(x * y * z > 1),
    };
    // SAFETY: the parameter rooms are at least as large as the kernel's parameters and live past the synchronisation.
    unsafe {
        check(
            "cuLaunchKernelEx",
            sys::cuLaunchKernelEx(&config, function, pointers.as_mut_ptr(), std::ptr::null_mut()),
        )?;
        check("cuCtxSynchronize", sys::cuCtxSynchronize())
    }
}

/// 64 bytes at a multiple of 64.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Aligned(#[expect(dead_code, reason = "read by the driver through the pointer")] [u8; 64]);

impl Aligned {
    fn holding(bytes: &[u8]) -> Vec<Aligned> {
        let mut room = Vec::new();
        for chunk in bytes.chunks(64) {
            let mut piece = [0; 64];
            piece[..chunk.len()].copy_from_slice(chunk);
            room.push(Aligned(piece));
        }
        room
    }
}

struct Module(sys::CUmodule);

impl Module {
    fn load(image: &[u8], optimise: Option<u32>) -> Result<Module, GpuError> {
        // PTX text must end in a zero byte; a cubin does not mind one.
        let mut image = image.to_vec();
        image.push(0);
        let mut log = vec![0u8; 8192];
        let mut options = [
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            sys::CUjit_option::CU_JIT_OPTIMIZATION_LEVEL,
        ];
        let mut values: [*mut c_void; 3] = [
            log.as_mut_ptr().cast(),
            std::ptr::without_provenance_mut(log.len() - 1),
            std::ptr::without_provenance_mut(optimise.unwrap_or(4) as usize),
        ];
        let count = if optimise.is_some() { 3 } else { 2 };
        let mut module = std::ptr::null_mut();
        // SAFETY: image, log and option arrays live through the call and have the sizes given.
        let code = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                image.as_ptr().cast(),
                count,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if code as u32 != 0 {
            let end = log.iter().position(|&b| b == 0).unwrap_or(0);
            let log = String::from_utf8_lossy(&log[..end]).trim().to_owned();
            return Err(GpuError::Call { call: "cuModuleLoadDataEx", code: code as u32, log });
        }
        Ok(Module(module))
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: loaded in `load`, used by nobody after this. A failure here changes no answer.
        let _ = unsafe { sys::cuModuleUnload(self.0) };
    }
}

struct DeviceBuffer {
    address: u64,
    len: usize,
}

impl DeviceBuffer {
    fn holding(bytes: &[u8]) -> Result<DeviceBuffer, GpuError> {
        let mut address = 0;
        // SAFETY: the out-pointer is a live local; the copy reads exactly the slice.
        unsafe {
            check("cuMemAlloc", sys::cuMemAlloc_v2(&mut address, bytes.len().max(1)))?;
            let buffer = DeviceBuffer { address, len: bytes.len() };
            check("cuMemcpyHtoD", sys::cuMemcpyHtoD_v2(address, bytes.as_ptr().cast(), bytes.len()))?;
            Ok(buffer)
        }
    }

    fn read(&self) -> Result<Vec<u8>, GpuError> {
        let mut bytes = vec![0; self.len];
        // SAFETY: writes exactly the vector's length.
        check("cuMemcpyDtoH", unsafe {
            sys::cuMemcpyDtoH_v2(bytes.as_mut_ptr().cast(), self.address, self.len)
        })?;
        Ok(bytes)
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated in `holding`, used by nobody after this.
        let _ = unsafe { sys::cuMemFree_v2(self.address) };
    }
}

fn check(call: &'static str, code: sys::CUresult) -> Result<(), GpuError> {
    match code as u32 {
        0 => Ok(()),
        code => Err(GpuError::Call { call, code, log: String::new() }),
    }
}
