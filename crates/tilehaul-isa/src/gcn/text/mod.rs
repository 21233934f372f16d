//! Reads assembly text as clang and Triton print it: instructions, labels, sections, data, kernel descriptors, metadata.
//!
//! Two passes: the first (`scan.rs`) gives every item its size and every label its place in a section, the second
//! (`place.rs`) lays the sections out and assembles with the symbols known. A line that does not assemble becomes a word that is no instruction, with a diagnostic that matters to the
//! kernel that the line stands in; one whose mnemonic no target here knows matters when it is reached.

mod descriptor;
mod place;
mod scan;
mod symbols;

use tilehaul_diag::{Code, Diagnostic, FileId, Level};

use super::kernel::{Kernel, Module};
use super::target::Target;

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
    let mut scanner = scan::Scanner::new(text, file, target);
    scanner.scan();
    Ok(place::place(scanner))
}
