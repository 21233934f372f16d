//! Reads ELF code objects: kernel descriptors, the metadata note, code, constants, relocations and line tables.

use object::read::elf::{ElfFile64, FileHeader as _};
use object::{
    Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags, SectionKind, elf,
};
use tilehaul_diag::{Code, Diagnostic, Level};

use super::kernel::{Kernel, KernelDescriptor, Module, Section, apply_metadata, decode_section};
use super::target::Target;
use super::value::{Value, read_msgpack};

/// Type of the note that holds the metadata.
const METADATA_NOTE: u32 = 32;

/// Most bytes of sections that the file does not hold.
const LARGEST_ZEROS: u64 = 1 << 30;

/// Reads a code object.
///
/// # Errors
/// A sentence about what makes the file unusable: no ELF, another machine, a target or a relocation that is not modelled,
/// no kernel, or a part that cannot be read.
pub fn read_code_object(bytes: &[u8]) -> Result<Module, Box<Diagnostic>> {
    let file =
        ElfFile64::<Endianness>::parse(bytes).map_err(|e| bad(format!("this is no ELF code object: {e}")))?;
    let header = file.elf_header();
    let endian = file.endian();
    if header.e_machine(endian) != elf::EM_AMDGPU {
        return Err(bad("this ELF file holds no AMD GPU code (its machine is not AMDGPU)".to_owned()));
    }
    if header.e_type(endian) == elf::ET_REL {
        return Err(bad(
            "this object file is not linked, so its kernels have no place yet: link it with `ld.lld -shared IN.o -o OUT.hsaco` \
             and name that"
                .to_owned(),
        ));
    }
    let flags = header.e_flags(endian);
    let target = target_of(flags)
        .ok_or_else(|| Box::new(Diagnostic::new(Code("target-unsupported"), Level::Error, format!("the code object is for a processor that is not modelled (e_flags {flags:#x}); gfx942, gfx950 and gfx1250 are"))))?;
    let mut module = Module {
        target,
        code: Vec::new(),
        kernels: Vec::new(),
        sections: Vec::new(),
        relocations: Vec::new(),
        unknown: std::collections::BTreeMap::new(),
        files: Vec::new(),
    };
    let mut held = 0u64;
    for section in file.sections() {
        let loaded = matches!(section.flags(), object::SectionFlags::Elf { sh_flags } if sh_flags & u64::from(elf::SHF_ALLOC) != 0);
        if !loaded || section.size() == 0 {
            continue;
        }
        let name = section.name().unwrap_or_default().to_owned();
        if section.address().checked_add(section.size()).is_none() {
            return Err(bad(format!("section {name} ends past the last address")));
        }
        // What starts as zeros takes no room in the file.
        let zeros = section.kind() == SectionKind::UninitializedData;
        held = held.saturating_add(if zeros { section.size() } else { 0 });
        if held > LARGEST_ZEROS {
            return Err(bad(format!("the code object asks for {held} bytes of zeros, more than a gigabyte")));
        }
        let data = if zeros {
            vec![0; section.size() as usize]
        } else {
            let data = section
                .data()
                .map_err(|e| bad(format!("section {name}, which is loaded, cannot be read: {e}")))?;
            data.to_vec()
        };
        if section.kind() == SectionKind::Text {
            decode_section(target, section.address(), &data, &mut module.code);
        }
        let writable = matches!(section.flags(), object::SectionFlags::Elf { sh_flags } if sh_flags & u64::from(elf::SHF_WRITE) != 0);
        module.sections.push(Section { name, address: section.address(), data, writable });
    }
    module.code.sort_by_key(|p| p.address);
    module.relocations = relocations_of(&file, &module.sections)?;
    find_kernels(&file, &mut module).map_err(bad)?;
    if module.kernels.is_empty() {
        return Err(bad("the code object holds no kernel (no symbol ends in .kd)".to_owned()));
    }
    let metadata = metadata_of(&file).map_err(bad)?;
    for meta in metadata.as_ref().and_then(|m| m.get("amdhsa.kernels")).map(Value::list).unwrap_or_default() {
        let symbol = meta.get(".symbol").and_then(Value::text).map(|s| s.trim_end_matches(".kd"));
        let name = symbol.or_else(|| meta.get(".name").and_then(Value::text));
        if let Some(kernel) = module.kernels.iter_mut().find(|k| Some(k.name.as_str()) == name) {
            apply_metadata(kernel, meta).map_err(bad)?;
        }
    }
    super::lines::apply_line_table(&file, &mut module);
    Ok(module)
}

fn bad(text: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code("code-object"), Level::Error, text))
}

/// The words that the loader fills: (address of the word, addend to the load address).
fn relocations_of(
    file: &ElfFile64<'_, Endianness>,
    sections: &[Section],
) -> Result<Vec<(u64, u64)>, Box<Diagnostic>> {
    // manual: LLVM AMDGPUUsage, relocation records; symbols of a linked object have their final offset.
    const NONE: u32 = 0;
    const ABS64: u32 = 3;
    const RELATIVE64: u32 = 13;
    let mut words = Vec::new();
    for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
        let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
        if r_type == NONE {
            continue;
        }
        if !matches!(r_type, ABS64 | RELATIVE64) {
            return Err(Box::new(Diagnostic::new(
                Code("code-object-unsupported"),
                Level::Error,
                format!(
                    "the loader is to fill the word at {at:#x} by a relocation of type {r_type}, which is not modelled"
                ),
            )));
        }
        let symbol = match relocation.target() {
            object::RelocationTarget::Symbol(index) => symbol_address(file, index)
                .map_err(|why| bad(format!("the word at {at:#x} is to hold the address of {why}")))?,
            _ => 0,
        };
        let held = |s: &Section| {
            let inside = at.checked_sub(s.address).and_then(|from| from.checked_add(8));
            inside.is_some_and(|end| end <= s.data.len() as u64)
        };
        if !sections.iter().any(held) {
            return Err(bad(format!(
                "the word at {at:#x} is to be filled and lies in no section that is loaded"
            )));
        }
        words.push((at, symbol.wrapping_add_signed(relocation.addend())));
    }
    Ok(words)
}

/// The address of a dynamic symbol, or what is wrong with it.
fn symbol_address(file: &ElfFile64<'_, Endianness>, index: object::SymbolIndex) -> Result<u64, String> {
    let symbol = file
        .dynamic_symbol_table()
        .and_then(|table| object::ObjectSymbolTable::symbol_by_index(&table, index).ok())
        .ok_or_else(|| format!("symbol {}, which the object does not have", index.0))?;
    // A weak symbol that nobody defines is 0. manual: ELF gABI, symbol binding.
    if symbol.is_undefined() && !symbol.is_weak() {
        let name = symbol.name().unwrap_or("a symbol");
        return Err(format!("{name}, which the object does not define"));
    }
    Ok(symbol.address())
}

fn target_of(flags: u32) -> Option<Target> {
    match flags & 0xff {
        0x4c => Some(Target::Gfx942),
        0x4f => Some(Target::Gfx950),
        0x49 => Some(Target::Gfx1250),
        _ => None,
    }
}

fn find_kernels(file: &ElfFile64<'_, Endianness>, module: &mut Module) -> Result<(), String> {
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        let Some(name) = symbol.name().ok().and_then(|n| n.strip_suffix(".kd")) else { continue };
        if symbol.is_undefined() || module.kernels.iter().any(|k| k.name == name) {
            continue;
        }
        let address = symbol.address();
        let holds = |s: &&Section| s.address <= address && address - s.address < s.data.len() as u64;
        let descriptor = module
            .sections
            .iter()
            .find(holds)
            .and_then(|s| s.data.get((address - s.address) as usize..))
            .and_then(KernelDescriptor::decode)
            .ok_or_else(|| {
                format!("kernel {name}: its descriptor at {address:#x} lies in no section that is loaded")
            })?;
        module.kernels.push(new_kernel(name, address, descriptor));
    }
    module.kernels.sort_by_key(|k| k.entry);
    Ok(())
}

pub(crate) fn new_kernel(name: &str, address: u64, descriptor: KernelDescriptor) -> Kernel {
    Kernel {
        name: name.to_owned(),
        entry: address.wrapping_add_signed(descriptor.entry_offset),
        descriptor,
        arguments: Vec::new(),
        kernarg_size: descriptor.kernarg_size,
        group_segment_size: descriptor.group_segment_fixed_size,
        private_segment_size: descriptor.private_segment_fixed_size,
        max_workgroup: None,
        required_workgroup: None,
        cluster: None,
    }
}

fn metadata_of(file: &ElfFile64<'_, Endianness>) -> Result<Option<Value>, String> {
    for section in file.sections() {
        if section.kind() != SectionKind::Note && section.name().ok() != Some(".note") {
            continue;
        }
        let data = section.data().map_err(|e| format!("its notes cannot be read: {e}"))?;
        if let Some(value) = metadata_among(data)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The metadata among notes laid out as name size, description size, type, name, description, each padded to 4 bytes.
fn metadata_among(mut bytes: &[u8]) -> Result<Option<Value>, String> {
    while !bytes.is_empty() {
        let (note, rest) = Note::first(bytes).ok_or("a note of the code object is cut off")?;
        if note.kind == METADATA_NOTE && note.name.starts_with(b"AMDGPU") {
            let value = read_msgpack(note.body).ok_or("the metadata of the code object is no MessagePack")?;
            return Ok(Some(value));
        }
        bytes = rest;
    }
    Ok(None)
}

struct Note<'b> {
    kind: u32,
    name: &'b [u8],
    body: &'b [u8],
}

impl Note<'_> {
    /// The first note, and what follows it.
    fn first(bytes: &[u8]) -> Option<(Note<'_>, &[u8])> {
        let word = |at: usize| -> Option<u32> {
            let b = bytes.get(at..at + 4)?;
            Some(b.iter().rev().fold(0, |v, &b| v << 8 | u32::from(b)))
        };
        let (name, description, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let start = 12usize.checked_add(name.checked_next_multiple_of(4)?)?;
        let end = start.checked_add(description)?;
        let note =
            Note { kind, name: bytes.get(12..12usize.checked_add(name)?)?, body: bytes.get(start..end)? };
        // The last note need not be padded.
        let rest = bytes.get(end.checked_next_multiple_of(4)?..).unwrap_or_default();
        Some((note, rest))
    }
}
