//! Launch files: a kernel, the buffers and descriptors it is given, and what must come out.
//!
//! Reading goes in two steps. [`LaunchFile::parse`] turns text into values and complains about every mistake at its place;
//! it touches no other file. [`LaunchFile::prepare`] reads the arrays it names, fills buffers, gives them addresses and encodes
//! descriptors: what comes out is bytes.
//!
//! | module | does |
//! |---|---|
//! | `read` | text to [`LaunchFile`] |
//! | `prepare` | [`LaunchFile`] to [`Prepared`] |
//! | `expect` | compares a buffer with its expectation |

mod descriptors;
mod expect;
mod prepare;
mod read;
mod toml_keys;

use std::path::PathBuf;

use tilehaul_descriptor::ElementType;
use tilehaul_diag::Span;

pub use expect::{Mismatch, Outcome, compare};
pub use prepare::{Argument, Buffer, Files, Prepared, Problem};

use crate::scalar::Number;

/// A launch file as values. Places are spans of its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaunchFile {
    /// The kernel: `.ptx`, `.s`, `.hsaco`, `.co` or `.o`, relative to the launch file.
    pub kernel: PathBuf,
    /// Where the kernel is named.
    pub kernel_span: Span,
    /// Other forms of the same kernel; each must give the same answer.
    pub also: Vec<PathBuf>,
    /// Name of the kernel inside its file; `None` when there is only one.
    pub entry: Option<String>,
    /// Target such as `sm_90a` or `gfx1250`; `None` when the kernel names it.
    pub target: Option<String>,
    /// Blocks (workgroups), not threads, in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y, z.
    pub cluster: [u32; 3],
    /// Bytes of shared memory beyond what the kernel declares.
    pub dynamic_shared: u32,
    /// Explicit arguments in the kernel's parameter order.
    pub args: Vec<Arg>,
    /// How an AMD device is set up.
    pub amd: tilehaul_gcn::Device,
    /// Values of hidden arguments by name, without the prefix `hidden_`.
    pub hidden: Vec<(String, u64)>,
    /// Buffers in the order of the file.
    pub buffers: Vec<BufferSpec>,
    /// Tensor maps in the order of the file.
    pub tensor_maps: Vec<TensorMapSpec>,
    /// D#s in the order of the file.
    pub tdms: Vec<TdmSpec>,
    /// Expectations in the order of the file.
    pub expects: Vec<Expect>,
    /// Where the values of top-level keys stand; of `also`, where each name stands.
    pub keys: Vec<(&'static str, Span)>,
}

impl LaunchFile {
    /// Where the value of a top-level key stands; where the kernel is named, when the file does not write it.
    #[must_use]
    pub fn key(&self, name: &str) -> Span {
        place_of(&self.keys, name).unwrap_or(self.kernel_span)
    }

    /// Where a form of the kernel is named: the kernel itself, then those of `also`.
    #[must_use]
    pub fn form_span(&self, index: usize) -> Span {
        let mut also = self.keys.iter().filter(|(key, _)| *key == "also");
        index.checked_sub(1).and_then(|i| also.nth(i)).map_or(self.kernel_span, |&(_, span)| span)
    }
}

/// Where a key's value stands, if it is written.
fn place_of(keys: &[(&'static str, Span)], name: &str) -> Option<Span> {
    keys.iter().find(|(key, _)| *key == name).map(|&(_, span)| span)
}

/// One explicit argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// What is passed.
    pub value: ArgValue,
    /// Where it stands.
    pub span: Span,
}

/// What an argument passes.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgValue {
    /// The address of a buffer.
    Buffer(String),
    /// The 128 bytes of a tensor map.
    TensorMap(String),
    /// The words of a D#.
    Tdm(String),
    /// A number of a type.
    Scalar(ElementType, Number),
    /// This many zero bytes.
    Zeros(u32),
    /// These bytes.
    Bytes(Vec<u8>),
    /// The bytes of a file, or the data of a `.npy` file.
    File(PathBuf),
    /// Parts at their natural alignment, as a C++ compiler lays out a struct; at least so aligned.
    Struct(Vec<ArgValue>, u32),
}

/// A buffer of global memory.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferSpec {
    /// Its name.
    pub name: String,
    /// Type of its elements.
    pub element: ElementType,
    /// Extents, outermost first.
    pub shape: Vec<u64>,
    /// Contents before the launch.
    pub init: Init,
    /// Alignment of the allocation in bytes, a power of two; `None` when the file does not say.
    pub align: Option<u64>,
    /// Memory that the compiler asked for; not compared.
    pub scratch: bool,
    /// How the page table treats some of its bytes.
    pub pages: Vec<tilehaul_machine::Pages>,
    /// Bytes that are not in memory when the kernel begins: an access fails, or is tried again (`[amd] xnack_retry`).
    pub paged_out: Vec<std::ops::Range<u64>>,
    /// Where it stands.
    pub span: Span,
}

impl BufferSpec {
    /// Number of elements, `None` when it overflows.
    #[must_use]
    pub fn elements(&self) -> Option<u64> {
        self.shape.iter().try_fold(1u64, |product, &extent| product.checked_mul(extent))
    }

    /// Number of bytes, `None` when it overflows.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        let elements = self.elements()?;
        elements.checked_mul(u64::from(self.element.bits()))?;
        Some(self.element.global_bytes(elements))
    }
}

/// Contents of a buffer before the launch.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// Undefined: reading it is a finding.
    Poison,
    /// 0, 1, 2, … in row-major order.
    Iota,
    /// Every element this number.
    Fill(Number),
    /// An `.npy` file, relative to the launch file.
    File(PathBuf),
    /// Element i is low + (high - low) x h(i) / 2^32.
    Random {
        /// Seed of the word function.
        seed: u32,
        /// Smallest value.
        low: f64,
        /// Value that is never reached.
        high: f64,
    },
    /// The words of these D#s one after the other.
    Tdm(Vec<String>),
}

/// A tensor map made by the host. Innermost dimension first; what is absent follows from the buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorMapSpec {
    /// Its name.
    pub name: String,
    /// The buffer it covers.
    pub buffer: String,
    /// Bytes into the buffer where the tensor begins.
    pub offset: u64,
    /// Extents in elements.
    pub dims: Option<Vec<u64>>,
    /// Strides in bytes, dimension 1 up.
    pub strides: Option<Vec<u64>>,
    /// Element strides.
    pub element_strides: Option<Vec<u64>>,
    /// Tile or im2col.
    pub mode: MapMode,
    /// `none`, `32B`, …
    pub swizzle: Option<String>,
    /// `none`, `16B`, `32B`.
    pub interleave: Option<String>,
    /// `zero`, `nan`.
    pub oob_fill: Option<String>,
    /// `none`, `64B`, `128B`, `256B`.
    pub l2_promotion: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// Where the values of its keys stand.
    pub keys: Vec<(&'static str, Span)>,
}

/// What a tensor map's boxes are.
#[derive(Clone, Debug, PartialEq)]
pub enum MapMode {
    /// A box of elements.
    Tile {
        /// Extents of the box in elements, innermost first.
        box_dims: Vec<u64>,
    },
    /// A column of pixels.
    Im2col {
        /// Lower corner of the bounding box, W first.
        lower_corner: Vec<i64>,
        /// Upper corner, W first.
        upper_corner: Vec<i64>,
        /// Channels of one pixel.
        channels_per_pixel: u64,
        /// Pixels of one copy.
        pixels_per_column: u64,
    },
}

/// A D# made by the host. Innermost dimension first, in elements.
#[derive(Clone, Debug, PartialEq)]
pub struct TdmSpec {
    /// Its name.
    pub name: String,
    /// The buffer it covers.
    pub buffer: String,
    /// Bytes into the buffer where the tile begins.
    pub offset: u64,
    /// Extents counted from the tile's start.
    pub dims: Vec<u64>,
    /// Extents of the tile.
    pub tile: Vec<u64>,
    /// Strides, dimension 1 up.
    pub strides: Vec<u64>,
    /// Padding in dwords: interval and amount.
    pub padding: Option<(u64, u64)>,
    /// LDS byte address.
    pub lds: u64,
    /// Register groups: 2 or 4.
    pub groups: u64,
    /// Where it stands.
    pub span: Span,
    /// Where the values of its keys stand.
    pub keys: Vec<(&'static str, Span)>,
}

/// What must be in a buffer after the launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// The buffer.
    pub buffer: String,
    /// What it is compared with.
    pub wanted: Wanted,
    /// Relative tolerance.
    pub rtol: Option<f64>,
    /// Absolute tolerance.
    pub atol: Option<f64>,
    /// Where it stands.
    pub span: Span,
}

/// What an expectation compares with.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// Byte for byte what this buffer holds before the launch.
    Buffer(String),
    /// An `.npy` file, relative to the launch file.
    File(PathBuf),
}

#[cfg(test)]
mod tests;
