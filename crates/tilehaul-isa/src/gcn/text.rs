//! Reads assembly text as clang and Triton print it: instructions, labels, sections, data, kernel descriptors, metadata.
//!
//! Two passes: the first gives every item its size and every label its address, the second assembles with the symbols
//! known. A line that does not assemble becomes a word that is no instruction, with a diagnostic that matters to the
//! kernel that the line stands in; one whose mnemonic no target here knows matters when it is reached.

use std::collections::BTreeMap;

use tilehaul_diag::{Code, Diagnostic, FileId, Level, Span};

use super::asm::{AsmError, assemble};
use super::expr::{evaluate, integer};
use super::inst::{Inst, NotDecoded, Tail};
use super::kernel::{Kernel, KernelDescriptor, Module, Placed, Section, apply_metadata};
use super::target::Target;
use super::value::{Value, read_yaml};

/// A program read from text, and what there is to say about the text.
#[derive(Debug)]
pub struct Reading {
    /// The program.
    pub module: Module,
    /// Kernels without code, metadata that cannot be read.
    pub diagnostics: Vec<Diagnostic>,
    /// Lines that do not assemble, with their addresses.
    pub lines: Vec<(u64, Diagnostic)>,
}

impl Reading {
    /// Everything that is wrong with the text.
    #[must_use]
    pub fn problems(&self) -> Vec<Diagnostic> {
        self.diagnostics.iter().chain(self.lines.iter().map(|(_, told)| told)).cloned().collect()
    }

    /// What is wrong with the text for a launch of a kernel: lines of other kernels do not matter.
    #[must_use]
    pub fn problems_of(&self, kernel: &Kernel) -> Vec<Diagnostic> {
        let start = |address: u64| {
            self.module.kernels.iter().map(|k| k.entry).filter(|&entry| entry <= address).max()
        };
        let mine = |address: u64| start(address).is_none_or(|entry| entry == kernel.entry);
        let lines = self.lines.iter().filter(|(address, _)| mine(*address)).map(|(_, told)| told);
        self.diagnostics.iter().chain(lines).cloned().collect()
    }
}

/// Largest section that data directives may build.
const LARGEST_SECTION: u64 = 1 << 26;

/// Reads assembly text; `file` is its number in spans. `target` is used when the text names none.
///
/// # Errors
/// When neither the text nor the caller names a target that is modelled.
pub fn read_assembly(text: &str, file: FileId, target: Option<Target>) -> Result<Reading, Box<Diagnostic>> {
    let named = text
        .lines()
        .find_map(|l| l.trim().strip_prefix(".amdgcn_target"))
        .map(|t| t.trim().trim_matches('"').to_owned());
    let bad = |code, what: String| {
        let message = format!("the assembly text {what}: gfx942, gfx950 and gfx1250 are modelled");
        Box::new(Diagnostic::new(Code(code), Level::Error, message))
    };
    let target = match &named {
        Some(name) => {
            Target::from_name(name).ok_or_else(|| bad("target-unsupported", format!("is for {name}")))?
        }
        None => target.ok_or_else(|| bad("launch-target", "names no target".to_owned()))?,
    };
    let mut reader = Reader::new(text, file, target);
    reader.scan();
    Ok(reader.finish())
}

/// Something that takes space in a section.
enum Item<'t> {
    Instruction {
        text: &'t str,
        span: Span,
        line: Option<(u32, u32)>,
    },
    Bytes(Vec<u8>),
    /// An expression of so many bytes.
    Word {
        text: &'t str,
        bytes: u8,
    },
    Align {
        to: u64,
        fill: u32,
    },
}

struct PlacedItem<'t> {
    section: usize,
    address: u64,
    item: Item<'t>,
}

struct SectionState {
    name: String,
    start: u64,
    size: u64,
    code: bool,
    writable: bool,
}

struct Reader<'t> {
    text: &'t str,
    file: FileId,
    target: Target,
    sections: Vec<SectionState>,
    current: usize,
    items: Vec<PlacedItem<'t>>,
    /// Labels: section and offset in it.
    labels: BTreeMap<&'t str, (usize, u64)>,
    sets: BTreeMap<&'t str, (&'t str, usize, u64)>,
    kernels: Vec<(&'t str, BTreeMap<&'t str, &'t str>)>,
    /// The metadata's text and the line that opens it.
    metadata: Option<(String, Span)>,
    diagnostics: Vec<Diagnostic>,
    lines: Vec<(u64, Diagnostic)>,
    files: BTreeMap<u32, String>,
    line: Option<(u32, u32)>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, file: FileId, target: Target) -> Reader<'t> {
        let mut reader = Reader {
            text,
            file,
            target,
            sections: Vec::new(),
            current: 0,
            items: Vec::new(),
            labels: BTreeMap::new(),
            sets: BTreeMap::new(),
            kernels: Vec::new(),
            metadata: None,
            diagnostics: Vec::new(),
            lines: Vec::new(),
            files: BTreeMap::new(),
            line: None,
        };
        reader.enter(".text");
        reader
    }

    fn enter(&mut self, name: &str) {
        self.current = match self.sections.iter().position(|s| s.name == name) {
            Some(i) => i,
            None => {
                // Every section gets its own stretch of addresses, code first.
                let start = 0x1000 + self.sections.len() as u64 * (LARGEST_SECTION + 0x1000);
                let code = name == ".text" || name.starts_with(".text.");
                let writable = name.starts_with(".data") || name.starts_with(".bss");
                self.sections.push(SectionState { name: name.to_owned(), start, size: 0, code, writable });
                self.sections.len() - 1
            }
        };
    }

    /// Splits the text into lines without comments and hands each statement on.
    fn scan(&mut self) {
        let mut offset = 0usize;
        let mut kernel: Option<usize> = None;
        let mut metadata: Option<(usize, Span)> = None;
        for raw in self.text.split_inclusive('\n') {
            let start = offset;
            offset += raw.len();
            let trimmed = raw.trim();
            if let Some((from, span)) = metadata {
                if trimmed.starts_with(".end_amdgpu_metadata") {
                    self.metadata = self.text.get(from..start).map(|t| (t.to_owned(), span));
                    metadata = None;
                }
                continue;
            }
            let statement = strip_comment(raw);
            let lead = statement.len() - statement.trim_start().len();
            let body = statement.trim();
            if body.is_empty() {
                continue;
            }
            if body.starts_with(".amdgpu_metadata") {
                let at = start + lead;
                let span = Span::new(self.file, at as u32, (at + body.len()) as u32);
                metadata = Some((offset, span));
                continue;
            }
            if let Some(name) = body.strip_prefix(".amdhsa_kernel") {
                self.kernels.push((name.trim(), BTreeMap::new()));
                kernel = Some(self.kernels.len() - 1);
                continue;
            }
            if body == ".end_amdhsa_kernel" {
                kernel = None;
                continue;
            }
            if let Some(k) = kernel {
                if let Some((key, value)) = body.split_once(char::is_whitespace)
                    && let Some(slot) = self.kernels.get_mut(k)
                {
                    slot.1.insert(key, value.trim());
                }
                continue;
            }
            self.statement(body, start + lead);
        }
    }

    fn statement(&mut self, mut body: &'t str, mut at: usize) {
        // Labels first: `name:`.
        while let Some((name, rest)) = body.split_once(':') {
            let is_label = !name.is_empty()
                && !rest.starts_with(':')
                && name
                    .trim_matches('"')
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'@'));
            if !is_label {
                break;
            }
            let section = self.current;
            self.labels.insert(name.trim_matches('"'), (section, self.sections[section].size));
            at += name.len() + 1 + (rest.len() - rest.trim_start().len());
            body = rest.trim();
            if body.is_empty() {
                return;
            }
        }
        if body.starts_with('.') {
            return self.directive(body);
        }
        if let Some((name, value)) = body.split_once('=')
            && name.trim().bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'))
        {
            let here = (self.current, self.sections[self.current].size);
            self.sets.insert(name.trim(), (value.trim(), here.0, here.1));
            return;
        }
        let span = Span::new(self.file, at as u32, (at + body.len()) as u32);
        // The size does not depend on the values of symbols: an unknown one is always a literal.
        let size = assemble(self.target, body, &|_| Some(0x4000_1234))
            .or_else(|_| assemble(self.target, body, &|_| Some(0)))
            .map_or(4, |i| u64::from(i.size));
        let line = self.line;
        self.push(Item::Instruction { text: body, span, line }, size);
    }

    fn push(&mut self, item: Item<'t>, size: u64) {
        let section = self.current;
        let state = &mut self.sections[section];
        if state.size + size > LARGEST_SECTION {
            return;
        }
        self.items.push(PlacedItem { section, address: state.start + state.size, item });
        state.size += size;
    }

    fn directive(&mut self, body: &'t str) {
        let (name, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        let rest = rest.trim();
        let first = rest.split(',').next().unwrap_or("").trim();
        match name {
            ".text" | ".data" | ".bss" => self.enter(name),
            ".section" => self.enter(first.trim_matches('"')),
            ".set" | ".equ" | ".equiv" => {
                if let Some((symbol, value)) = rest.split_once(',') {
                    let here = (self.current, self.sections[self.current].size);
                    self.sets.insert(symbol.trim(), (value.trim(), here.0, here.1));
                }
            }
            ".p2align" | ".p2alignl" | ".p2alignw" => {
                let power = integer(first).unwrap_or(0).clamp(0, 16);
                let fill = rest.split(',').nth(1).and_then(|f| integer(f.trim())).unwrap_or(0);
                self.align(1 << power, fill as u32);
            }
            ".align" | ".balign" => self.align(integer(first).unwrap_or(1).clamp(1, 1 << 16) as u64, 0),
            ".fill" => {
                let mut parts = rest.split(',').map(|p| integer(p.trim()).unwrap_or(0));
                let (count, size, value) = (
                    parts.next().unwrap_or(0),
                    parts.next().unwrap_or(1).clamp(0, 8),
                    parts.next().unwrap_or(0),
                );
                let count = count.clamp(0, 1 << 20) as usize;
                let unit = value.to_le_bytes();
                let bytes: Vec<u8> = (0..count).flat_map(|_| unit[..size as usize].to_vec()).collect();
                let len = bytes.len() as u64;
                self.push(Item::Bytes(bytes), len);
            }
            ".zero" | ".space" | ".skip" => {
                let count = integer(first).unwrap_or(0).clamp(0, 1 << 24) as usize;
                self.push(Item::Bytes(vec![0; count]), count as u64);
            }
            ".byte" => self.data(rest, 1),
            ".short" | ".hword" | ".2byte" | ".value" => self.data(rest, 2),
            ".long" | ".word" | ".int" | ".4byte" => self.data(rest, 4),
            ".quad" | ".8byte" | ".xword" => self.data(rest, 8),
            ".ascii" | ".asciz" | ".string" => {
                let mut bytes = unescape(rest);
                if name != ".ascii" {
                    bytes.push(0);
                }
                let len = bytes.len() as u64;
                self.push(Item::Bytes(bytes), len);
            }
            ".file" => {
                let (number, names) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                if let Some(n) = integer(number).and_then(|n| u32::try_from(n).ok()) {
                    let parts: Vec<&str> = names.split('"').filter(|p| !p.trim().is_empty()).collect();
                    self.files.insert(n, parts.iter().take(2).copied().collect::<Vec<_>>().join("/"));
                }
            }
            ".loc" => {
                let mut words =
                    rest.split_whitespace().map(|w| integer(w).and_then(|v| u32::try_from(v).ok()));
                if let (Some(Some(file)), Some(Some(line))) = (words.next(), words.next()) {
                    self.line = (line > 0).then_some((file, line));
                }
            }
            // Symbol attributes, sizes, identification, debug frames: nothing that execution needs.
            _ => {}
        }
    }

    fn align(&mut self, to: u64, fill: u32) {
        let size = self.sections[self.current].size;
        let gap = size.next_multiple_of(to.max(1)) - size;
        if gap > 0 {
            self.push(Item::Align { to: gap, fill }, gap);
        }
    }

    fn data(&mut self, rest: &'t str, bytes: u8) {
        for text in rest.split(',').map(str::trim).filter(|t| !t.is_empty()) {
            self.push(Item::Word { text, bytes }, u64::from(bytes));
        }
    }

    /// The value of a symbol at an address.
    fn symbol(&self, name: &str, here: u64, depth: u32) -> Option<i64> {
        if name == "." {
            return Some(here as i64);
        }
        if let Some(&(section, offset)) = self.labels.get(name) {
            return Some((self.sections[section].start + offset) as i64);
        }
        let &(text, section, offset) = self.sets.get(name)?;
        if depth > 16 {
            return None;
        }
        let at = self.sections[section].start + offset;
        evaluate(text, &|n| self.symbol(n, at, depth + 1))
    }

    fn finish(mut self) -> Reading {
        let mut module = Module {
            target: self.target,
            code: Vec::new(),
            kernels: Vec::new(),
            sections: Vec::new(),
            relocations: Vec::new(),
            files: Vec::new(),
            unknown: BTreeMap::new(),
        };
        let file_index: BTreeMap<u32, u32> =
            self.files.keys().enumerate().map(|(i, n)| (*n, i as u32)).collect();
        module.files = self.files.values().cloned().collect();
        let mut contents: Vec<Vec<u8>> = self.sections.iter().map(|_| Vec::new()).collect();
        let items = std::mem::take(&mut self.items);
        for placed in &items {
            let bytes = match &placed.item {
                Item::Instruction { text, span, line } => {
                    let line = line.and_then(|(f, l)| Some((*file_index.get(&f)?, l)));
                    self.instruction(text, *span, line, placed.address, &mut module)
                }
                Item::Bytes(bytes) => {
                    if self.sections[placed.section].code {
                        super::kernel::decode_section(self.target, placed.address, bytes, &mut module.code);
                    }
                    bytes.clone()
                }
                Item::Word { text, bytes } => {
                    let v = evaluate(text, &|n| self.symbol(n, placed.address, 0)).unwrap_or(0);
                    let all = v.to_le_bytes()[..usize::from(*bytes)].to_vec();
                    if self.sections[placed.section].code && *bytes == 4 {
                        super::kernel::decode_section(self.target, placed.address, &all, &mut module.code);
                    }
                    all
                }
                Item::Align { to, fill } => {
                    let unit = if *fill != 0 {
                        *fill
                    } else if self.sections[placed.section].code {
                        0xbf80_0000
                    } else {
                        0
                    };
                    (0..*to).map(|i| unit.to_le_bytes()[(i % 4) as usize]).collect()
                }
            };
            contents[placed.section].extend(bytes);
        }
        module.code.sort_by_key(|p| p.address);
        for (state, data) in self.sections.iter().zip(contents) {
            if !data.is_empty()
                && (state.code || state.name.starts_with(".rodata") || state.name.starts_with(".data"))
            {
                module.sections.push(Section {
                    name: state.name.clone(),
                    address: state.start,
                    data,
                    writable: state.writable,
                });
            }
        }
        // What a loader does not load: notes, comments, statistics, debug information.
        let idle = [".note", ".comment", ".AMDGPU", ".debug"];
        module.sections.retain(|s| !s.data.is_empty() && !idle.iter().any(|i| s.name.starts_with(i)));
        self.kernels_of(&mut module);
        Reading { module, diagnostics: self.diagnostics, lines: self.lines }
    }

    fn instruction(
        &mut self,
        text: &str,
        span: Span,
        line: Option<(u32, u32)>,
        address: u64,
        module: &mut Module,
    ) -> Vec<u8> {
        let branch =
            text.starts_with("s_cbranch") || text.starts_with("s_branch") || text.starts_with("s_call");
        let lookup = |name: &str| -> Option<i64> {
            if branch {
                let target = evaluate(name, &|n| self.symbol(n, address, 0))?;
                return Some((target - (address as i64 + 4)) / 4);
            }
            relative(name, address, &|n, at| evaluate(n, &|m| self.symbol(m, at, 0)))
        };
        match assemble(self.target, text, &lookup) {
            Ok(inst) => {
                let bytes = inst.encode();
                module.code.push(placed(address, Ok(inst), &bytes, span, line));
                bytes
            }
            Err(error) => {
                let advice = super::advice(self.target, text);
                let message = match error {
                    AsmError::Mnemonic(m) if advice.is_none() && !known_elsewhere(self.target, text) => {
                        module.unknown.insert(address, m);
                        None
                    }
                    AsmError::Mnemonic(m) => {
                        Some(format!("{} has no instruction {m} that this reader knows", self.target))
                    }
                    AsmError::Operands { line, reason } => {
                        Some(format!("`{line}` does not assemble for {}: {reason}", self.target))
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
                module.code.push(placed(address, Err(NotDecoded::UnknownEncoding), &bytes, span, line));
                bytes
            }
        }
    }

    fn kernels_of(&mut self, module: &mut Module) {
        let (metadata, place) = match self.metadata.take() {
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
        let kernels = std::mem::take(&mut self.kernels);
        for (name, keys) in &kernels {
            let Some(entry) = self.symbol(name, 0, 0) else {
                self.diagnostics.push(Diagnostic::new(
                    Code("assembly-kernel"),
                    Level::Error,
                    format!("kernel {name} has no label in the text"),
                ));
                continue;
            };
            let value = |key: &str| {
                keys.get(key).and_then(|t| evaluate(t, &|n| self.symbol(n, 0, 0))).map_or(0, |v| v as u32)
            };
            let descriptor = descriptor(self.target, keys, &value);
            let mut kernel = super::elf::new_kernel(name, 0, descriptor);
            kernel.entry = entry as u64;
            if let Err(message) = apply_kernel_metadata(&mut kernel, metadata.as_ref()) {
                complaints.push(message);
            }
            module.kernels.push(kernel);
        }
        for message in complaints {
            let told = Diagnostic::new(Code("assembly-metadata"), Level::Error, message);
            self.diagnostics.push(match place {
                Some(span) => told.at(span, ""),
                None => told,
            });
        }
        if module.kernels.is_empty() {
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

/// Moves sections together, so that an image of the program is small. Code comes first and stays where it is.
fn placed(
    address: u64,
    inst: Result<Inst, NotDecoded>,
    bytes: &[u8],
    span: Span,
    line: Option<(u32, u32)>,
) -> Placed {
    let word = bytes.iter().take(4).rev().fold(0u32, |v, &b| v << 8 | u32::from(b));
    // A literal that follows an instruction is part of it.
    let size = inst.as_ref().map_or(4, |i| match i.tail {
        Tail::None
        | Tail::Literal(_)
        | Tail::Literal64(_)
        | Tail::Dpp(_)
        | Tail::Dpp8(..)
        | Tail::Sdwa(_) => i.size,
    });
    Placed { address, inst, word, size, span: Some(span), line }
}

/// `sym@rel32@lo+4` and `@hi`: the distance of a symbol from the literal that holds it; else a plain expression.
fn relative(text: &str, address: u64, value: &dyn Fn(&str, u64) -> Option<i64>) -> Option<i64> {
    for (mark, shift) in [("@rel32@lo", 0), ("@rel32@hi", 32), ("@rel32", 0)] {
        if let Some((symbol, addend)) = text.split_once(mark) {
            let addend = if addend.is_empty() { 0 } else { value(addend.trim_start_matches('+'), address)? };
            // Instructions with such a literal have it four bytes in.
            let place = address as i64 + 4;
            return Some((value(symbol, address)? + addend - place) >> shift & 0xffff_ffff);
        }
    }
    if let Some((symbol, addend)) = text.split_once("@rel64") {
        let addend = if addend.is_empty() { 0 } else { value(addend.trim_start_matches('+'), address)? };
        return Some(value(symbol, address)? + addend - (address as i64 + 4));
    }
    for (mark, shift) in [("@abs32@lo", 0), ("@abs32@hi", 32)] {
        if let Some(symbol) = text.strip_suffix(mark) {
            return Some(value(symbol, address)? >> shift & 0xffff_ffff);
        }
    }
    value(text, address)
}

/// Cuts `;`, `//`, `#` comments and `/* */` within the line; keeps the length of what precedes.
fn strip_comment(line: &str) -> &str {
    let mut in_text = false;
    let bytes = line.as_bytes();
    for (i, &b) in bytes.iter().enumerate() {
        match b {
            b'"' => in_text = !in_text,
            b';' | b'#' if !in_text => return &line[..i],
            b'/' if !in_text && bytes.get(i + 1) == Some(&b'/') => return &line[..i],
            _ => {}
        }
    }
    line
}

fn unescape(text: &str) -> Vec<u8> {
    let inner = text.trim().trim_start_matches('"').trim_end_matches('"');
    let mut out = Vec::new();
    let mut chars = inner.bytes();
    while let Some(b) = chars.next() {
        if b != b'\\' {
            out.push(b);
            continue;
        }
        match chars.next() {
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(d @ b'0'..=b'7') => {
                let mut v = u32::from(d - b'0');
                for _ in 0..2 {
                    match chars.clone().next() {
                        Some(d @ b'0'..=b'7') => {
                            v = v * 8 + u32::from(d - b'0');
                            chars.next();
                        }
                        _ => break,
                    }
                }
                out.push(v as u8);
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// The kernel descriptor that `.amdhsa_*` lines describe. manual: LLVM AMDGPUUsage.
fn descriptor(target: Target, keys: &BTreeMap<&str, &str>, value: &dyn Fn(&str) -> u32) -> KernelDescriptor {
    const USER: [(&str, u32, u32); 7] = [
        (".amdhsa_user_sgpr_private_segment_buffer", 0, 4),
        (".amdhsa_user_sgpr_dispatch_ptr", 1, 2),
        (".amdhsa_user_sgpr_queue_ptr", 2, 2),
        (".amdhsa_user_sgpr_kernarg_segment_ptr", 3, 2),
        (".amdhsa_user_sgpr_dispatch_id", 4, 2),
        (".amdhsa_user_sgpr_flat_scratch_init", 5, 2),
        (".amdhsa_user_sgpr_private_segment_size", 6, 1),
    ];
    let mut properties = 0u32;
    let mut count = 0;
    for (key, bit, sgprs) in USER {
        if value(key) != 0 {
            properties |= 1 << bit;
            count += sgprs;
        }
    }
    let preload = value(".amdhsa_user_sgpr_kernarg_preload_length") & 127;
    count += preload;
    if keys.contains_key(".amdhsa_user_sgpr_count") {
        count = value(".amdhsa_user_sgpr_count");
    }
    let wave32 = target == Target::Gfx1250 || value(".amdhsa_wavefront_size32") != 0;
    properties |= u32::from(wave32) << 10 | (value(".amdhsa_uses_dynamic_stack") & 1) << 11;
    let or = |key: &str, default: u32| if keys.contains_key(key) { value(key) } else { default };
    let private =
        or(".amdhsa_enable_private_segment", value(".amdhsa_system_sgpr_private_segment_wavefront_offset"));
    let rsrc2 = private & 1
        | (count & 63) << 1
        | (or(".amdhsa_system_sgpr_workgroup_id_x", 1) & 1) << 7
        | (value(".amdhsa_system_sgpr_workgroup_id_y") & 1) << 8
        | (value(".amdhsa_system_sgpr_workgroup_id_z") & 1) << 9
        | (value(".amdhsa_system_sgpr_workgroup_info") & 1) << 10
        | (value(".amdhsa_system_vgpr_workitem_id") & 3) << 11;
    let rsrc1 = (value(".amdhsa_float_round_mode_32") & 3) << 12
        | (value(".amdhsa_float_round_mode_16_64") & 3) << 14
        | (value(".amdhsa_float_denorm_mode_32") & 3) << 16
        | (or(".amdhsa_float_denorm_mode_16_64", 3) & 3) << 18;
    KernelDescriptor {
        group_segment_fixed_size: value(".amdhsa_group_segment_fixed_size"),
        private_segment_fixed_size: value(".amdhsa_private_segment_fixed_size"),
        kernarg_size: value(".amdhsa_kernarg_size"),
        entry_offset: 0,
        rsrc1,
        rsrc2,
        rsrc3: 0,
        properties: properties as u16,
        preload: (preload | (value(".amdhsa_user_sgpr_kernarg_preload_offset") & 511) << 7) as u16,
    }
}
