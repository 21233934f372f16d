//! The second pass: sections get their addresses, items become bytes and instructions.

use std::collections::BTreeMap;

use tilehaul_diag::{Code, Diagnostic, Level, Span};

use super::Reading;
use super::descriptor::descriptor;
use super::scan::{Item, Scanner};
use super::symbols::Meaning;
use crate::gcn::asm::{AsmError, assemble};
use crate::gcn::inst::{Inst, NotDecoded};
use crate::gcn::kernel::{Kernel, Module, Placed, Section, apply_metadata, decode_section};
use crate::gcn::target::Target;
use crate::gcn::value::{Value, read_yaml};

/// Sections begin at multiples of this.
const PAGE: u64 = 0x1000;

/// Lays the sections out one behind the other and assembles everything.
pub(super) fn place(mut scanner: Scanner<'_>) -> Reading {
    let starts = starts(&scanner);
    scanner.symbols.lay_out(starts.clone());
    let module = Module {
        target: scanner.target,
        code: Vec::new(),
        kernels: Vec::new(),
        sections: Vec::new(),
        relocations: Vec::new(),
        files: scanner.files.values().cloned().collect(),
        unknown: BTreeMap::new(),
    };
    let lines = std::mem::take(&mut scanner.lines);
    let lines = lines.into_iter().map(|((section, offset), told)| (starts[section] + offset, told)).collect();
    let mut placer = Placer { scanner, module, diagnostics: Vec::new(), lines };
    placer.contents(&starts);
    placer.kernels();
    Reading { module: placer.module, diagnostics: placer.diagnostics, lines: placer.lines }
}

/// The address of each section: those that are loaded come first, so that an image of the program is small.
fn starts(scanner: &Scanner<'_>) -> Vec<u64> {
    let mut starts = vec![0; scanner.sections.len()];
    let mut at = PAGE;
    for loaded in [true, false] {
        for (start, state) in starts.iter_mut().zip(&scanner.sections).filter(|(_, s)| s.loaded == loaded) {
            *start = at.next_multiple_of(state.align.max(PAGE));
            at = *start + state.size;
        }
    }
    starts
}

struct Placer<'t> {
    scanner: Scanner<'t>,
    module: Module,
    diagnostics: Vec<Diagnostic>,
    lines: Vec<(u64, Diagnostic)>,
}

impl Placer<'_> {
    fn contents(&mut self, starts: &[u64]) {
        let files: BTreeMap<u32, u32> =
            self.scanner.files.keys().enumerate().map(|(i, n)| (*n, i as u32)).collect();
        let mut contents: Vec<Vec<u8>> = starts.iter().map(|_| Vec::new()).collect();
        for placed in std::mem::take(&mut self.scanner.items) {
            let (section, offset) = placed.at;
            let address = starts[section] + offset;
            let state = &self.scanner.sections[section];
            if !state.loaded {
                continue;
            }
            let code = state.code;
            let bytes = match placed.item {
                Item::Instruction { text, span, line } => {
                    let line = line.and_then(|(f, l)| Some((*files.get(&f)?, l)));
                    self.instruction(text, span, line, address)
                }
                Item::Bytes(bytes) => {
                    if code {
                        decode_section(self.scanner.target, address, &bytes, &mut self.module.code);
                    }
                    bytes
                }
                Item::Word { text, bytes, span } => {
                    let all =
                        self.word(text, bytes, span, address).to_le_bytes()[..usize::from(bytes)].to_vec();
                    if code && bytes == 4 {
                        decode_section(self.scanner.target, address, &all, &mut self.module.code);
                    }
                    all
                }
                Item::Align { to, fill } => {
                    let unit = if fill == 0 && code { 0xbf80_0000 } else { fill };
                    (0..to).map(|i| unit.to_le_bytes()[(i % 4) as usize]).collect()
                }
            };
            contents[section].extend(bytes);
        }
        self.module.code.sort_by_key(|p| p.address);
        for ((state, &address), data) in self.scanner.sections.iter().zip(starts).zip(contents) {
            if !data.is_empty() {
                let (name, writable) = (state.name.clone(), state.writable);
                self.module.sections.push(Section { name, address, data, writable });
            }
        }
    }

    /// The value of a data word. One of eight bytes may be an address, which the loader fills in.
    fn word(&mut self, text: &str, bytes: u8, span: Span, address: u64) -> i64 {
        let trouble = match self.scanner.symbols.meaning(text, address) {
            Some(Meaning::Constant(value)) => return value,
            Some(Meaning::Address(value)) if bytes == 8 => {
                self.module.relocations.push((address, value as u64));
                return value;
            }
            Some(_) => format!(
                "`{text}` depends on where the code is loaded, and {bytes} bytes do not hold an address"
            ),
            None => format!("`{text}` has no value: a name in it is defined nowhere in this file"),
        };
        let told = Diagnostic::new(Code("assembly-line"), Level::Error, trouble).at(span, "");
        self.lines.push((address, told));
        0
    }

    fn instruction(&mut self, text: &str, span: Span, line: Option<(u32, u32)>, address: u64) -> Vec<u8> {
        let target = self.scanner.target;
        let symbols = &self.scanner.symbols;
        let branch = ["s_cbranch", "s_branch", "s_call"].iter().any(|name| text.starts_with(name));
        let lookup = |name: &str| -> Option<i64> {
            if branch {
                return Some((symbols.value(name, address)? - (address as i64 + 4)) / 4);
            }
            // An address in an instruction would have to be filled in by a linker.
            match symbols.meaning(name, address)? {
                Meaning::Constant(value) => Some(value),
                Meaning::Address(_) | Meaning::Other => None,
            }
        };
        match assemble(target, text, &lookup) {
            Ok(inst) => {
                let bytes = inst.encode();
                self.module.code.push(placed(address, Ok(inst), &bytes, span, line));
                bytes
            }
            Err(error) => {
                let advice = crate::gcn::advice(target, text);
                let message = match error {
                    AsmError::Mnemonic(m) if advice.is_none() && !known_elsewhere(target, text) => {
                        self.module.unknown.insert(address, m);
                        None
                    }
                    AsmError::Mnemonic(m) => {
                        Some(format!("{} has no instruction {m} that this reader knows", target))
                    }
                    AsmError::Operands { line, reason } => {
                        Some(format!("`{line}` does not assemble for {}: {reason}", target))
                    }
                };
                if let Some(message) = message {
                    let told = Diagnostic::new(Code("assembly-line"), Level::Error, message).at(span, "");
                    let told = match advice {
                        Some(advice) => told.fix(advice),
                        None => told,
                    };
                    self.lines.push((address, told));
                }
                let bytes = vec![0xff; 4];
                self.module.code.push(placed(address, Err(NotDecoded::UnknownEncoding), &bytes, span, line));
                bytes
            }
        }
    }

    fn kernels(&mut self) {
        let (metadata, place) = match self.scanner.metadata.take() {
            None => (None, None),
            Some((text, span)) => (Some(read_yaml(&text)), Some(span)),
        };
        let mut complaints = Vec::new();
        if metadata == Some(None) {
            complaints.push(
                "the metadata is no YAML that can be read: arguments and limits are not known".to_owned(),
            );
        }
        let metadata = metadata.flatten();
        let kernels = std::mem::take(&mut self.scanner.kernels);
        for (name, keys) in &kernels {
            let Some(entry) = self.scanner.symbols.value(name, 0) else {
                self.diagnostics.push(Diagnostic::new(
                    Code("assembly-kernel"),
                    Level::Error,
                    format!("kernel {name} has no label in the text"),
                ));
                continue;
            };
            let value = |key: &str| {
                keys.get(key).and_then(|t| self.scanner.symbols.value(t, 0)).map_or(0, |v| v as u32)
            };
            let descriptor = descriptor(self.scanner.target, keys, &value);
            let mut kernel = crate::gcn::elf::new_kernel(name, 0, descriptor);
            kernel.entry = entry as u64;
            if let Err(message) = apply_kernel_metadata(&mut kernel, metadata.as_ref()) {
                complaints.push(message);
            }
            self.module.kernels.push(kernel);
        }
        for message in complaints {
            let told = Diagnostic::new(Code("assembly-metadata"), Level::Error, message);
            self.diagnostics.push(match place {
                Some(span) => told.at(span, ""),
                None => told,
            });
        }
        if self.module.kernels.is_empty() {
            self.diagnostics.push(Diagnostic::new(
                Code("assembly-kernel"),
                Level::Error,
                "the assembly text has no .amdhsa_kernel block: a launch cannot know its registers",
            ));
        }
    }
}

/// True when another target has the mnemonic: then this one has not, and it is no gap of the tables.
fn known_elsewhere(target: Target, text: &str) -> bool {
    let knows = |other: Target| !matches!(assemble(other, text, &|_| Some(0)), Err(AsmError::Mnemonic(_)));
    Target::ALL.into_iter().any(|other| other != target && knows(other))
}

fn apply_kernel_metadata(kernel: &mut Kernel, metadata: Option<&Value>) -> Result<(), String> {
    for meta in metadata.and_then(|m| m.get("amdhsa.kernels")).map(Value::list).unwrap_or_default() {
        let symbol = meta.get(".symbol").and_then(Value::text).map(|s| s.trim_end_matches(".kd"));
        let name = symbol.or_else(|| meta.get(".name").and_then(Value::text));
        if name == Some(kernel.name.as_str()) {
            apply_metadata(kernel, meta)?;
        }
    }
    Ok(())
}

fn placed(
    address: u64,
    inst: Result<Inst, NotDecoded>,
    bytes: &[u8],
    span: Span,
    line: Option<(u32, u32)>,
) -> Placed {
    let word = bytes.iter().take(4).rev().fold(0u32, |v, &b| v << 8 | u32::from(b));
    let size = inst.as_ref().map_or(4, |i| i.size);
    Placed { address, inst, word, size, span: Some(span), line }
}
