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
/// A sentence about what makes the file unusable: no ELF, another machine, a target that is not modelled, no kernel.
pub fn read_code_object(bytes: &[u8]) -> Result<Module, Box<Diagnostic>> {
    let bad = |text: String| Box::new(Diagnostic::new(Code("code-object"), Level::Error, text));
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
        let Ok(data) = section.data() else { continue };
        if !loaded || section.size() == 0 {
            continue;
        }
        // What starts as zeros takes no room in the file.
        let zeros = section.kind() == SectionKind::UninitializedData;
        held = held.saturating_add(if zeros { section.size() } else { 0 });
        if held > LARGEST_ZEROS {
            return Err(bad(format!("the code object asks for {held} bytes of zeros, more than a gigabyte")));
        }
        let data = if zeros { vec![0; section.size() as usize] } else { data.to_vec() };
        if section.kind() == SectionKind::Text {
            decode_section(target, section.address(), &data, &mut module.code);
        }
        let writable = matches!(section.flags(), object::SectionFlags::Elf { sh_flags } if sh_flags & u64::from(elf::SHF_WRITE) != 0);
        let name = section.name().unwrap_or_default().to_owned();
        module.sections.push(Section { name, address: section.address(), data, writable });
    }
    module.code.sort_by_key(|p| p.address);
    if let Some(relocations) = file.dynamic_relocations() {
        for (at, relocation) in relocations {
            // R_AMDGPU_ABS64 (3) and R_AMDGPU_RELATIVE64 (13); symbols of a linked object have their final offset.
            const WORD_RELOCATIONS: [u32; 2] = [3, 13];
            let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
            let symbol = match relocation.target() {
                object::RelocationTarget::Symbol(index) => file
                    .dynamic_symbol_table()
                    .and_then(|t| object::ObjectSymbolTable::symbol_by_index(&t, index).ok())
                    .map_or(0, |s| s.address()),
                _ => 0,
            };
            if WORD_RELOCATIONS.contains(&r_type) {
                module.relocations.push((at, symbol.wrapping_add_signed(relocation.addend())));
            }
        }
    }
    find_kernels(&file, &mut module);
    if module.kernels.is_empty() {
        return Err(bad("the code object holds no kernel (no symbol ends in .kd)".to_owned()));
    }
    let metadata = metadata_of(&file);
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

fn target_of(flags: u32) -> Option<Target> {
    match flags & 0xff {
        0x4c => Some(Target::Gfx942),
        0x4f => Some(Target::Gfx950),
        0x49 => Some(Target::Gfx1250),
        _ => None,
    }
}

fn find_kernels(file: &ElfFile64<'_, Endianness>, module: &mut Module) {
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        let Some(name) = symbol.name().ok().and_then(|n| n.strip_suffix(".kd")) else { continue };
        if module.kernels.iter().any(|k| k.name == name) {
            continue;
        }
        let address = symbol.address();
        let section = file
            .sections()
            .find(|s| s.address() <= address && address < s.address().saturating_add(s.size()));
        let Some(data) =
            section.and_then(|s| s.data().ok().and_then(|d| d.get((address - s.address()) as usize..)))
        else {
            continue;
        };
        let Some(descriptor) = KernelDescriptor::decode(data) else { continue };
        module.kernels.push(new_kernel(name, address, descriptor));
    }
    module.kernels.sort_by_key(|k| k.entry);
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

fn metadata_of(file: &ElfFile64<'_, Endianness>) -> Option<Value> {
    file.sections().find_map(|section| {
        let object::SectionFlags::Elf { .. } = section.flags() else { return None };
        if section.kind() != SectionKind::Note && section.name().ok() != Some(".note") {
            return None;
        }
        notes(section.data().ok()?)
    })
}

/// The metadata among notes laid out as name size, description size, type, name, description, each padded to 4 bytes.
fn notes(mut bytes: &[u8]) -> Option<Value> {
    loop {
        let word = |at: usize| -> Option<usize> {
            let b = bytes.get(at..at + 4)?;
            Some(b.iter().rev().fold(0usize, |v, &b| v << 8 | usize::from(b)))
        };
        let (name, description, kind) = (word(0)?, word(4)?, word(8)?);
        let start = 12usize.checked_add(name.checked_next_multiple_of(4)?)?;
        let end = start.checked_add(description)?;
        let body = bytes.get(start..end)?;
        if kind == METADATA_NOTE as usize && bytes.get(12..12 + 6) == Some(b"AMDGPU") {
            return read_msgpack(body);
        }
        bytes = bytes.get(end.checked_next_multiple_of(4)?..)?;
    }
}
