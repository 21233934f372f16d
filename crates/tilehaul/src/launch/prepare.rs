//! A launch file becomes bytes: buffers filled and placed, arguments laid out.
//!
//! Buffers are allocations of the machine's device memory, far apart, so that an access past one of them meets nothing
//! rather than a neighbour.

use std::fmt;
use std::path::{Path, PathBuf};

use tilehaul_descriptor::ElementType;
use tilehaul_diag::{Diagnostic, Level, Span};
use tilehaul_engine::Memory;
use tilehaul_machine::{Contents, GlobalMemory, POISON, PageKind, Pages};

use super::toml_keys::CODE;
use super::{ArgValue, BufferSpec, Init, LaunchFile, descriptors};
use crate::npy::Array;
use crate::scalar::{self, Number};

/// Alignment where the launch file does not say: allocators of both vendors give at least this.
const DEFAULT_ALIGN: u64 = 256;

/// Where the files that a launch file names come from.
pub trait Files {
    /// The contents of a file whose path is relative to the launch file.
    ///
    /// # Errors
    /// A sentence for the user when it cannot be read.
    fn read(&self, path: &Path) -> Result<Vec<u8>, String>;
}

/// Files of a folder.
impl Files for PathBuf {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        let full = self.join(path);
        std::fs::read(&full).map_err(|error| crate::files::cannot_read(&full, &error))
    }
}

/// A buffer before the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its name.
    pub name: String,
    /// Type of its elements.
    pub element: ElementType,
    /// Extents, outermost first.
    pub shape: Vec<u64>,
    /// Address of its first byte.
    pub address: u64,
    /// `false` for poison: reading an element that nobody wrote is a finding.
    pub defined: bool,
    /// Memory that the compiler asked for; not compared.
    pub scratch: bool,
}

/// One explicit argument as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// How the launch file writes it: `buf:c`, `i32 = 5`.
    pub name: String,
    /// Its bytes, little endian.
    pub bytes: Vec<u8>,
}

/// Everything a machine needs beside the kernel.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// Buffers in the order of the file.
    pub buffers: Vec<Buffer>,
    /// Device memory before the launch; a poison buffer holds a pattern that stands out.
    pub memory: GlobalMemory,
    /// Explicit arguments in the kernel's parameter order.
    pub args: Vec<Argument>,
}

/// Why a launch cannot be prepared: each with its place in the launch file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(pub Vec<Diagnostic>);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<&str> = self.0.iter().map(|d| d.message.as_str()).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Problem {}

impl Prepared {
    /// The buffer of that name.
    #[must_use]
    pub fn buffer(&self, name: &str) -> Option<&Buffer> {
        self.buffers.iter().find(|b| b.name == name)
    }

    /// What a buffer holds before the launch.
    #[must_use]
    pub fn before(&self, name: &str) -> Option<&[u8]> {
        self.memory.named(name).map(|a| a.data.as_slice())
    }
}

/// A complaint about a place of the launch file.
pub(super) fn problem(place: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(CODE, Level::Error, message).at(place, "")
}

impl LaunchFile {
    /// Fills the buffers, gives them addresses, encodes descriptors and lays out the arguments.
    ///
    /// # Errors
    /// Files that cannot be read or do not fit, and descriptors that an encoder refuses; all of them, not the first.
    pub fn prepare(&self, files: &dyn Files) -> Result<Prepared, Problem> {
        let mut complaints = Vec::new();
        let mut prepared = Prepared::default();
        for spec in &self.buffers {
            let data = contents(spec, spec.bytes().unwrap_or(0), files).unwrap_or_else(|message| {
                complaints.push(problem(spec.span, message));
                Vec::new()
            });
            let defined = spec.init != Init::Poison;
            let align = spec.align.unwrap_or(DEFAULT_ALIGN);
            let contents = if defined { Contents::Written } else { Contents::Undefined };
            let address = prepared.memory.allocate(&spec.name, data, align, contents);
            prepared.buffers.push(Buffer {
                name: spec.name.clone(),
                element: spec.element,
                shape: spec.shape.clone(),
                address,
                defined,
                scratch: spec.scratch,
            });
        }
        if complaints.is_empty() {
            self.fill_descriptor_buffers(&mut prepared, &mut complaints);
            self.lay_out_args(&mut prepared, files, &mut complaints);
        }
        // Last: the host may write what a kernel may not.
        for spec in self.buffers.iter().filter(|b| !b.pages.is_empty() || !b.paged_out.is_empty()) {
            let absent = spec.paged_out.iter().filter(|_| !self.amd.xnack_retry);
            let absent = absent.map(|r| Pages { range: r.clone(), kind: PageKind::Unmapped });
            prepared.memory.set_pages(&spec.name, spec.pages.iter().cloned().chain(absent).collect());
        }
        if complaints.is_empty() { Ok(prepared) } else { Err(Problem(complaints)) }
    }

    /// The arguments when the buffers lie elsewhere: `addresses` has one for each buffer, in order.
    ///
    /// # Errors
    /// Descriptors that an encoder refuses at these addresses.
    pub fn arguments_at(
        &self,
        prepared: &Prepared,
        files: &dyn Files,
        addresses: &[u64],
    ) -> Result<Vec<Argument>, Problem> {
        let mut moved = Prepared { buffers: prepared.buffers.clone(), ..Prepared::default() };
        for (buffer, &address) in moved.buffers.iter_mut().zip(addresses) {
            buffer.address = address;
        }
        let mut complaints = Vec::new();
        self.lay_out_args(&mut moved, files, &mut complaints);
        if complaints.is_empty() { Ok(moved.args) } else { Err(Problem(complaints)) }
    }

    /// Buffers whose contents are D#s: their words need the addresses of other buffers.
    fn fill_descriptor_buffers(&self, prepared: &mut Prepared, complaints: &mut Vec<Diagnostic>) {
        for spec in &self.buffers {
            let Init::Tdm(names) = &spec.init else { continue };
            let mut bytes = Vec::new();
            for name in names {
                match descriptors::tdm(self, name, prepared) {
                    Ok(words) => bytes.extend(words),
                    Err(found) => complaints.extend(found),
                }
            }
            let address = prepared.buffer(&spec.name).map_or(0, |b| b.address);
            match prepared.memory.bytes_mut(address, bytes.len() as u64) {
                Ok(front) => front.copy_from_slice(&bytes),
                Err(_) => {
                    let (have, need) = (spec.bytes().unwrap_or(0), bytes.len());
                    let message = format!("`buffer.{}` has {have} bytes, its D#s need {need}", spec.name);
                    complaints.push(problem(spec.span, message));
                }
            }
        }
    }

    fn lay_out_args(&self, prepared: &mut Prepared, files: &dyn Files, complaints: &mut Vec<Diagnostic>) {
        for arg in &self.args {
            match self.lay_out(&arg.value, arg.span, prepared, files) {
                Ok(Laid { name, bytes, .. }) => prepared.args.push(Argument { name, bytes }),
                Err(found) => complaints.extend(found),
            }
        }
    }

    fn lay_out(
        &self,
        value: &ArgValue,
        place: Span,
        prepared: &Prepared,
        files: &dyn Files,
    ) -> Result<Laid, Vec<Diagnostic>> {
        let (name, bytes, align) = match value {
            ArgValue::Buffer(name) => {
                let address = prepared.buffer(name).map_or(0, |b| b.address);
                (format!("buf:{name}"), address.to_le_bytes().to_vec(), 8)
            }
            // manual: cuda.h, CUtensorMap is declared alignas(64).
            ArgValue::TensorMap(name) => {
                (format!("map:{name}"), descriptors::tensor_map(self, name, prepared, files)?, 64)
            }
            ArgValue::Tdm(name) => (format!("tdm:{name}"), descriptors::tdm(self, name, prepared)?, 16),
            ArgValue::Scalar(element, number) => {
                let mut bytes = Vec::new();
                // Packed types were refused when the file was read.
                scalar::push(*element, *number, &mut bytes);
                let align = bytes.len().max(1);
                (format!("{element} = {}", scalar::text(*element, &bytes)), bytes, align)
            }
            ArgValue::Zeros(count) => (format!("null = {count}"), vec![0; *count as usize], 1),
            ArgValue::Bytes(bytes) => (format!("hex of {} bytes", bytes.len()), bytes.clone(), 1),
            ArgValue::File(path) => {
                let bytes = files.read(path).and_then(|bytes| match bytes.starts_with(NPY_MAGIC) {
                    true => {
                        Array::parse(&bytes).map(|a| a.data).map_err(|e| format!("{}: {e}", path.display()))
                    }
                    false => Ok(bytes),
                });
                let bytes = bytes.map_err(|message| vec![problem(place, message)])?;
                (format!("file = {}", path.display()), bytes, 1)
            }
            ArgValue::Struct(parts, align) => {
                let (mut bytes, mut align) = (Vec::new(), *align as usize);
                for part in parts {
                    let laid = self.lay_out(part, place, prepared, files)?;
                    bytes.resize(bytes.len().next_multiple_of(laid.align), 0);
                    bytes.extend(laid.bytes);
                    align = align.max(laid.align);
                }
                bytes.resize(bytes.len().next_multiple_of(align), 0);
                (format!("struct of {} parts", parts.len()), bytes, align)
            }
        };
        Ok(Laid { name, bytes, align })
    }
}

/// How a `.npy` file begins.
const NPY_MAGIC: &[u8] = b"\x93NUMPY";

/// An argument or a part of one as it lies in the parameter.
struct Laid {
    name: String,
    bytes: Vec<u8>,
    /// Bytes that its offset is a multiple of.
    align: usize,
}

fn contents(spec: &BufferSpec, bytes: u64, files: &dyn Files) -> Result<Vec<u8>, String> {
    // The reader refused buffers above 1 GiB.
    let length = bytes as usize;
    let elements = spec.elements().unwrap_or(0);
    match &spec.init {
        Init::Poison => Ok(vec![POISON; length]),
        Init::Tdm(_) => Ok(vec![0; length]),
        Init::Fill(number) => each(spec, elements, |_| *number),
        Init::Iota => each(spec, elements, |i| Number::Int(i128::from(i))),
        Init::Random { seed, low, high } => each(spec, elements, |i| {
            // The stream has 2^32 words and starts again after them.
            let word = scalar::random_word(*seed, i as u32);
            Number::Float(low + (high - low) * f64::from(word) / 4_294_967_296.0)
        }),
        Init::File(path) => file(spec, path, bytes, files),
    }
}

fn each(spec: &BufferSpec, elements: u64, number: impl Fn(u64) -> Number) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for index in 0..elements {
        if !scalar::push(spec.element, number(index), &mut bytes) {
            return Err(format!(
                "`buffer.{}`: elements of {} are packed; give them as bytes in a file, or fill with poison",
                spec.name, spec.element
            ));
        }
    }
    Ok(bytes)
}

fn file(spec: &BufferSpec, path: &Path, bytes: u64, files: &dyn Files) -> Result<Vec<u8>, String> {
    let array = Array::parse(&files.read(path)?).map_err(|e| format!("{}: {e}", path.display()))?;
    let same_width = spec.element.bytes().is_none_or(|b| b == array.descr.bytes || array.descr.bytes == 1);
    if array.data.len() as u64 != bytes || !same_width {
        return Err(format!(
            "{} holds {:?} of {}, {} bytes; `buffer.{}` is {:?} of {}, {bytes} bytes",
            path.display(),
            array.shape,
            array.descr,
            array.data.len(),
            spec.name,
            spec.shape,
            spec.element
        ));
    }
    Ok(array.data)
}
