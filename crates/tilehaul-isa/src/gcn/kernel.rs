//! A kernel: its descriptor of 64 bytes, its arguments, and the module that holds its code.

use std::collections::BTreeMap;

use tilehaul_diag::Span;

use super::inst::{Inst, NotDecoded};
use super::target::Target;
use super::value::Value;

/// The kernel descriptor: what the hardware sets up for each wave. manual: LLVM AMDGPUUsage, kernel descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelDescriptor {
    /// Bytes of LDS that the code itself asks for.
    pub group_segment_fixed_size: u32,
    /// Bytes of scratch of each lane.
    pub private_segment_fixed_size: u32,
    /// Bytes of kernel arguments.
    pub kernarg_size: u32,
    /// From the descriptor to the first instruction.
    pub entry_offset: i64,
    /// Register counts, modes.
    pub rsrc1: u32,
    /// User SGPRs, workgroup ids, work-item ids.
    pub rsrc2: u32,
    /// Target dependent: accumulator offset, named barriers.
    pub rsrc3: u32,
    /// Which user SGPRs there are; wave size.
    pub properties: u16,
    /// Kernel arguments loaded into SGPRs: length in bits 6:0, offset in bits 15:7, in dwords.
    pub preload: u16,
}

impl KernelDescriptor {
    /// Reads the 64 bytes.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<KernelDescriptor> {
        let word = |at: usize| -> Option<u32> {
            let b = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes([*b.first()?, *b.get(1)?, *b.get(2)?, *b.get(3)?]))
        };
        let last = word(56)?;
        word(60)?;
        Some(KernelDescriptor {
            group_segment_fixed_size: word(0)?,
            private_segment_fixed_size: word(4)?,
            kernarg_size: word(8)?,
            entry_offset: (u64::from(word(16)?) | u64::from(word(20)?) << 32) as i64,
            rsrc3: word(44)?,
            rsrc1: word(48)?,
            rsrc2: word(52)?,
            properties: last as u16,
            preload: (last >> 16) as u16,
        })
    }

    /// SGPRs that the launch fills before the system's own.
    #[must_use]
    pub fn user_sgprs(&self, target: Target) -> u32 {
        // gfx1250 has six bits. inferred: amdhsa_user_sgpr_count up to 32 in llvm-mc 22.
        let mask = if target == Target::Gfx1250 { 63 } else { 31 };
        self.rsrc2 >> 1 & mask
    }

    /// Whether the waves of a workgroup may run on several compute units (TG_SPLIT of gfx90a and later).
    #[must_use]
    pub fn tg_split(&self, target: Target) -> bool {
        target != Target::Gfx1250 && self.rsrc3 >> 16 & 1 == 1
    }

    /// Whether property bit `bit` is set.
    #[must_use]
    pub fn property(&self, bit: u32) -> bool {
        self.properties >> bit & 1 == 1
    }

    /// Lanes of a wave.
    #[must_use]
    pub fn wave_lanes(&self, target: Target) -> u32 {
        if target == Target::Gfx1250 || self.property(10) { 32 } else { 64 }
    }
}

/// What an argument is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A value of the given bytes.
    ByValue,
    /// The address of a buffer.
    GlobalBuffer,
    /// An offset into dynamic LDS.
    DynamicSharedPointer,
    /// A hidden argument, without its `hidden_` prefix.
    Hidden(String),
    /// Something else, as the metadata names it.
    Other(String),
}

/// One kernel argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name, if the metadata gives one.
    pub name: Option<String>,
    /// Byte offset in the argument segment.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// What it is.
    pub kind: ArgumentKind,
}

/// One kernel of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Address of its first instruction in the module.
    pub entry: u64,
    /// What the hardware sets up.
    pub descriptor: KernelDescriptor,
    /// Its arguments in order, hidden ones last.
    pub arguments: Vec<Argument>,
    /// Bytes of the argument segment.
    pub kernarg_size: u32,
    /// Bytes of static LDS.
    pub group_segment_size: u32,
    /// Bytes of scratch of each lane.
    pub private_segment_size: u32,
    /// Largest workgroup, if the metadata says so.
    pub max_workgroup: Option<u32>,
    /// The only shape of workgroup that it was compiled for, if the metadata says so.
    pub required_workgroup: Option<[u32; 3]>,
    /// Cluster shape, if the metadata fixes one.
    pub cluster: Option<[u32; 3]>,
}

/// An instruction and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Address in the module.
    pub address: u64,
    /// The instruction, or why it is none; such a word matters only when it is reached.
    pub inst: Result<Inst, NotDecoded>,
    /// First dword, for reports of words that do not decode.
    pub word: u32,
    /// Bytes.
    pub size: u8,
    /// Place in the assembly text, or in the source by the line table.
    pub span: Option<Span>,
    /// Source file (of [`Module::files`]) and line, from the line table.
    pub line: Option<(u32, u32)>,
}

/// Bytes that the loader places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Name.
    pub name: String,
    /// Address of the first byte.
    pub address: u64,
    /// Contents.
    pub data: Vec<u8>,
    /// Whether the program may write there.
    pub writable: bool,
}

/// A code object or an assembled text.
#[derive(Clone, Debug)]
pub struct Module {
    /// Processor.
    pub target: Target,
    /// Instructions by ascending address.
    pub code: Vec<Placed>,
    /// Kernels.
    pub kernels: Vec<Kernel>,
    /// Everything that is loaded: code and constants.
    pub sections: Vec<Section>,
    /// 64-bit words to fill with load address + addend: (address of the word, addend).
    pub relocations: Vec<(u64, u64)>,
    /// Source files that the line table names.
    pub files: Vec<String>,
    /// Mnemonics of the lines that became no instruction, by address.
    pub unknown: BTreeMap<u64, String>,
}

impl Module {
    /// The instruction at `address`.
    #[must_use]
    pub fn index_of(&self, address: u64) -> Option<usize> {
        self.code.binary_search_by_key(&address, |p| p.address).ok()
    }

    /// The kernel of that name; the only one when no name is given.
    #[must_use]
    pub fn kernel(&self, name: Option<&str>) -> Option<&Kernel> {
        match name {
            Some(name) => self.kernels.iter().find(|k| k.name == name),
            None if self.kernels.len() == 1 => self.kernels.first(),
            None => None,
        }
    }
}

/// Splits the bytes of a code section into instructions.
pub(crate) fn decode_section(target: Target, address: u64, bytes: &[u8], out: &mut Vec<Placed>) {
    let mut at = 0usize;
    while let Some(rest) = bytes.get(at..).filter(|r| r.len() >= 4) {
        let word = rest.iter().take(4).rev().fold(0u32, |v, &b| v << 8 | u32::from(b));
        let inst = Inst::decode(target, rest);
        let size = inst.as_ref().map_or(4, |i| i.size);
        out.push(Placed { address: address + at as u64, inst, word, size, span: None, line: None });
        at += usize::from(size);
    }
}

/// Fills a kernel from its entry in the metadata.
///
/// # Errors
/// A sentence, when an argument cannot be read or the metadata contradicts the descriptor: the loader obeys one and the
/// hardware the other.
pub(crate) fn apply_metadata(kernel: &mut Kernel, meta: &Value) -> Result<(), String> {
    let name = kernel.name.clone();
    let int = |key: &str| number(meta, key).map_err(|why| format!("kernel {name}: {why}"));
    let told = [
        (
            ".group_segment_fixed_size",
            kernel.descriptor.group_segment_fixed_size,
            &mut kernel.group_segment_size,
        ),
        (
            ".private_segment_fixed_size",
            kernel.descriptor.private_segment_fixed_size,
            &mut kernel.private_segment_size,
        ),
    ];
    for (key, descriptor, size) in told {
        let Some(value) = int(key)? else { continue };
        if value != descriptor {
            return Err(format!(
                "kernel {}: {key} of the metadata is {value} and .amdhsa_{} of the descriptor is {descriptor}",
                kernel.name,
                key.trim_start_matches('.')
            ));
        }
        *size = value;
    }
    if let Some(value) = int(".kernarg_segment_size")? {
        if kernel.kernarg_size != 0 && kernel.kernarg_size != value {
            return Err(format!(
                "kernel {}: .kernarg_segment_size of the metadata is {value} and .amdhsa_kernarg_size of the \
                 descriptor is {}",
                kernel.name, kernel.kernarg_size
            ));
        }
        kernel.kernarg_size = value;
    }
    kernel.max_workgroup = int(".max_flat_workgroup_size")?;
    let shape = |key: &str| shape(meta, key).map_err(|why| format!("kernel {name}: {why}"));
    kernel.required_workgroup = shape(".reqd_workgroup_size")?;
    kernel.cluster = shape(".cluster_dims")?;
    let arguments = meta.get(".args").map(Value::list).unwrap_or_default();
    kernel.arguments = arguments
        .iter()
        .enumerate()
        .map(|(index, value)| {
            read_argument(value)
                .map_err(|why| format!("kernel {name}: argument {index} of the metadata: {why}"))
        })
        .collect::<Result<_, _>>()?;
    Ok(())
}

/// The number under `key`, if the key is there.
fn number(meta: &Value, key: &str) -> Result<Option<u32>, String> {
    let Some(value) = meta.get(key) else { return Ok(None) };
    let number = value.int().and_then(|v| u32::try_from(v).ok());
    number.map(Some).ok_or_else(|| format!("{key} of the metadata is no number of 32 bits"))
}

/// The three extents under `key`, if the key is there.
fn shape(meta: &Value, key: &str) -> Result<Option<[u32; 3]>, String> {
    let Some(value) = meta.get(key) else { return Ok(None) };
    let dims: Option<Vec<u32>> =
        value.list().iter().map(|v| v.int().and_then(|v| u32::try_from(v).ok())).collect();
    let dims = dims.and_then(|dims| <[u32; 3]>::try_from(dims).ok());
    dims.map(Some).ok_or_else(|| format!("{key} of the metadata is no list of three numbers of 32 bits"))
}

fn read_argument(value: &Value) -> Result<Argument, String> {
    let int = |key: &str| number(value, key)?.ok_or_else(|| format!("{key} is missing"));
    let kind = match value.get(".value_kind").and_then(Value::text).ok_or(".value_kind is missing")? {
        "by_value" => ArgumentKind::ByValue,
        "global_buffer" => ArgumentKind::GlobalBuffer,
        "dynamic_shared_pointer" => ArgumentKind::DynamicSharedPointer,
        other => match other.strip_prefix("hidden_") {
            Some(name) => ArgumentKind::Hidden(name.to_owned()),
            None => ArgumentKind::Other(other.to_owned()),
        },
    };
    let name = value.get(".name").and_then(Value::text).map(str::to_owned);
    Ok(Argument { name, offset: int(".offset")?, size: int(".size")?, kind })
}
