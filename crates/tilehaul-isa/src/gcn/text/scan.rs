//! The first pass: lines become items with sizes, labels get their place in a section.

use std::collections::BTreeMap;

use tilehaul_diag::{Code, Diagnostic, FileId, Level, Span};

use super::symbols::{Offset, Symbols};
use crate::gcn::asm::assemble;
use crate::gcn::expr::integer;
use crate::gcn::target::Target;

/// Largest section that data directives may build.
const LARGEST_SECTION: u64 = 1 << 26;

/// Something that takes space in a section.
pub(super) enum Item<'t> {
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
        span: Span,
    },
    Align {
        to: u64,
        fill: u32,
    },
}

pub(super) struct PlacedItem<'t> {
    pub(super) at: Offset,
    pub(super) item: Item<'t>,
}

/// A section as its name and flags describe it.
pub(super) struct SectionState {
    pub(super) name: String,
    pub(super) size: u64,
    /// Its largest alignment.
    pub(super) align: u64,
    pub(super) code: bool,
    pub(super) writable: bool,
    /// Whether a loader loads it: no notes, comments, statistics, debug information.
    pub(super) loaded: bool,
}

pub(super) struct Scanner<'t> {
    text: &'t str,
    file: FileId,
    pub(super) target: Target,
    pub(super) sections: Vec<SectionState>,
    current: usize,
    /// Sections to go back to: `.pushsection`, and the one before (`.previous`).
    stack: Vec<usize>,
    previous: usize,
    pub(super) items: Vec<PlacedItem<'t>>,
    pub(super) symbols: Symbols<'t>,
    pub(super) kernels: Vec<(&'t str, BTreeMap<&'t str, &'t str>)>,
    /// The metadata's text and the line that opens it.
    pub(super) metadata: Option<(String, Span)>,
    /// What cannot be read, and where it stands.
    pub(super) lines: Vec<(Offset, Diagnostic)>,
    pub(super) files: BTreeMap<u32, String>,
    line: Option<(u32, u32)>,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, file: FileId, target: Target) -> Scanner<'t> {
        let mut scanner = Scanner {
            text,
            file,
            target,
            sections: Vec::new(),
            current: 0,
            stack: Vec::new(),
            previous: 0,
            items: Vec::new(),
            symbols: Symbols::default(),
            kernels: Vec::new(),
            metadata: None,
            lines: Vec::new(),
            files: BTreeMap::new(),
            line: None,
        };
        scanner.enter(".text", None);
        scanner
    }

    /// Splits the text into lines without comments and hands each statement on.
    pub(super) fn scan(&mut self) {
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
                metadata = Some((offset, self.span(body, start + lead)));
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

    fn span(&self, body: &str, at: usize) -> Span {
        Span::new(self.file, at as u32, (at + body.len()) as u32)
    }

    fn here(&self) -> Offset {
        (self.current, self.sections[self.current].size)
    }

    fn statement(&mut self, mut body: &'t str, mut at: usize) {
        // Labels first: `name:`.
        while let Some((name, rest)) = body.split_once(':') {
            let bare = name.trim_matches('"');
            let is_label = !name.is_empty() && !rest.starts_with(':') && bare.bytes().all(names_symbol);
            if !is_label {
                break;
            }
            let here = self.here();
            self.symbols.label(bare, here);
            at += name.len() + 1 + (rest.len() - rest.trim_start().len());
            body = rest.trim();
            if body.is_empty() {
                return;
            }
        }
        let span = self.span(body, at);
        if body.starts_with('.') && !assigns(body) {
            return self.directive(body, span);
        }
        if let Some((name, value)) = body.split_once('=').filter(|_| assigns(body)) {
            let here = self.here();
            self.symbols.set(name.trim(), value.trim(), here);
            return;
        }
        // The size does not depend on the values of symbols: an unknown one is always a literal.
        let size = assemble(self.target, body, &|_| Some(0x4000_1234))
            .or_else(|_| assemble(self.target, body, &|_| Some(0)))
            .map_or(4, |i| u64::from(i.size));
        let line = self.line;
        self.push(Item::Instruction { text: body, span, line }, size);
    }

    fn directive(&mut self, body: &'t str, span: Span) {
        let (name, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        let rest = rest.trim();
        let mut parts = rest.split(',').map(str::trim);
        let first = parts.next().unwrap_or("");
        match name {
            ".text" | ".data" | ".bss" | ".rodata" => self.enter(name, None),
            ".section" => self.enter(first.trim_matches('"'), parts.next()),
            ".pushsection" => {
                self.stack.push(self.current);
                self.enter(first.trim_matches('"'), parts.next());
            }
            ".popsection" => self.go_to(self.stack.last().copied().unwrap_or(self.current)),
            ".previous" => self.go_to(self.previous),
            ".set" | ".equ" | ".equiv" => {
                if let Some((symbol, value)) = rest.split_once(',') {
                    let here = self.here();
                    self.symbols.set(symbol.trim(), value.trim(), here);
                }
            }
            ".comm" | ".lcomm" => self.common(rest),
            ".p2align" | ".p2alignl" | ".p2alignw" => {
                let power = integer(first).unwrap_or(0).clamp(0, 16);
                let fill = parts.next().and_then(integer).unwrap_or(0);
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
                let fill = parts.next().and_then(integer).unwrap_or(0) as u8;
                self.push(Item::Bytes(vec![fill; count]), count as u64);
            }
            ".byte" => self.data(rest, 1, span),
            ".short" | ".hword" | ".2byte" | ".value" => self.data(rest, 2, span),
            ".long" | ".word" | ".int" | ".4byte" => self.data(rest, 4, span),
            ".quad" | ".8byte" | ".xword" => self.data(rest, 8, span),
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
            _ if means_nothing_here(name) => {}
            // What fills sections that are not loaded does not matter.
            _ if !self.sections[self.current].loaded => {}
            _ => {
                let message = format!("the directive {name} is not read");
                let told = Diagnostic::new(Code("assembly-line"), Level::Error, message)
                    .at(span, "")
                    .fix("Assemble the text (llvm-mc, ld.lld -shared) and name the code object.");
                let here = self.here();
                self.lines.push((here, told));
            }
        }
    }

    fn enter(&mut self, name: &str, flags: Option<&str>) {
        let at = self.sections.iter().position(|s| s.name == name);
        self.go_to(at.unwrap_or(self.sections.len()));
        if at.is_some() {
            return;
        }
        let known = |names: &[&str]| {
            names
                .iter()
                .any(|n| name.strip_prefix(n).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
        };
        let flags = flags.map(|f| f.trim_matches('"'));
        let has = |flag: char, names: &[&str]| flags.map_or_else(|| known(names), |f| f.contains(flag));
        self.sections.push(SectionState {
            name: name.to_owned(),
            size: 0,
            align: 4,
            code: has('x', &[".text"]) || known(&[".text"]),
            writable: has('w', &[".data", ".bss"]),
            loaded: has('a', &[".text", ".rodata", ".data", ".bss"]) || known(&[".text"]),
        });
    }

    fn go_to(&mut self, section: usize) {
        self.previous = std::mem::replace(&mut self.current, section);
        if self.stack.last() == Some(&section) {
            self.stack.pop();
        }
    }

    /// `name, size, alignment`: zeros among the data that starts as zeros.
    fn common(&mut self, rest: &'t str) {
        let mut parts = rest.split(',').map(str::trim);
        let name = parts.next().unwrap_or("");
        let mut number = |least: i64| parts.next().and_then(integer).unwrap_or(least).clamp(least, 1 << 24);
        let (size, align) = (number(0), number(1));
        let back = self.current;
        self.enter(".bss", None);
        self.align(align.min(1 << 16) as u64, 0);
        let here = self.here();
        self.symbols.label(name, here);
        self.push(Item::Bytes(vec![0; size as usize]), size as u64);
        self.go_to(back);
    }

    fn align(&mut self, to: u64, fill: u32) {
        let state = &mut self.sections[self.current];
        state.align = state.align.max(to.next_power_of_two());
        let gap = state.size.next_multiple_of(to.max(1)) - state.size;
        if gap > 0 {
            self.push(Item::Align { to: gap, fill }, gap);
        }
    }

    fn data(&mut self, rest: &'t str, bytes: u8, span: Span) {
        for text in rest.split(',').map(str::trim).filter(|t| !t.is_empty()) {
            self.push(Item::Word { text, bytes, span }, u64::from(bytes));
        }
    }

    fn push(&mut self, item: Item<'t>, size: u64) {
        let at = self.here();
        let state = &mut self.sections[self.current];
        if state.size + size > LARGEST_SECTION {
            return;
        }
        state.size += size;
        self.items.push(PlacedItem { at, item });
    }
}

fn names_symbol(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'@')
}

/// `name = value`.
fn assigns(body: &str) -> bool {
    body.split_once('=').is_some_and(|(name, value)| {
        let name = name.trim();
        !name.is_empty() && name.bytes().all(names_symbol) && !value.starts_with('=')
    })
}

/// Directives about linking, debugging and listing, which execution does not see. Others could make code or data.
fn means_nothing_here(name: &str) -> bool {
    const NAMES: &[&str] = &[
        ".globl",
        ".global",
        ".local",
        ".weak",
        ".hidden",
        ".protected",
        ".internal",
        ".type",
        ".size",
        ".ident",
        ".addrsig",
        ".addrsig_sym",
        ".amdgpu_lds",
        ".amd_amdgpu_isa",
        ".weakref",
        ".symver",
        ".no_dead_strip",
        ".end",
        ".title",
        ".list",
        ".nolist",
        ".code",
        ".loc_mark_labels",
        ".pseudoprobe",
        ".lto_discard",
        ".llvm_usedsymbols",
    ];
    NAMES.contains(&name) || [".cfi_", ".amdgcn_", ".amdhsa_", ".bundle_"].iter().any(|p| name.starts_with(p))
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
