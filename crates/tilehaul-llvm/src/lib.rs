//! Checks of the DMA intrinsics in LLVM IR text for AMD GPUs.
//!
//! For each call: does the target have an instruction for it, which one, and which counter counts it; are its immediates,
//! address spaces and wave-uniform operands in order. For each function: are transfers waited for before the LDS bytes
//! that they write are used, do marks and waits fit together along control flow, and what do the waits become.
//!
//! The module [`table`] holds one row for each intrinsic, [`target`] one for each chip.

mod calls;
mod findings;
mod flow;
mod guide;
mod place;
pub mod rules;
pub mod select;
mod state;
pub mod table;
pub mod target;
mod uniform;
mod workgroup;

use std::collections::BTreeSet;

use tilehaul_diag::{Diagnostic, FileId, Span};
use tilehaul_isa::llvm::parse;

pub use select::Counter;
pub use target::{TARGETS, Target};

/// One transfer of the text and what it becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Line of the text, from 1.
    pub line: u32,
    /// The intrinsic's name.
    pub intrinsic: String,
    /// Mnemonic and modifiers without registers, or `None` when the target has no such instruction.
    pub instruction: Option<String>,
    /// The counter that it counts in.
    pub counter: Option<Counter>,
    /// What LLVM 22 makes of the call, when it does not know it.
    pub llvm22: Option<&'static str>,
}

/// One wait of the text and what it becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitReport {
    /// Line of the text, from 1.
    pub line: u32,
    /// The intrinsic's name.
    pub intrinsic: String,
    /// Wait instructions; empty when none is needed.
    pub instructions: Vec<String>,
}

/// A function and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionReport {
    /// Name without `@`.
    pub name: String,
    /// Transfers in text order.
    pub operations: Vec<Operation>,
    /// Waits in text order.
    pub waits: Vec<WaitReport>,
    /// What is wrong or worth saying, in text order.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file and what it does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LlvmReport {
    /// Functions with a body, in text order.
    pub functions: Vec<FunctionReport>,
    /// What is to be said about the file as a whole.
    pub diagnostics: Vec<Diagnostic>,
}

impl LlvmReport {
    /// Everything to be said, the file's first.
    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().chain(self.functions.iter().flat_map(|f| &f.diagnostics))
    }
}

/// Checks `text` for `target` (`gfx950`, `gfx1250`, …); spans refer to `file`.
#[must_use]
pub fn check_llvm_file(text: &str, target: &str, file: FileId) -> LlvmReport {
    let mut report = LlvmReport::default();
    let Some(target) = Target::named(target) else {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
        report.diagnostics.push(
            rules::TARGET
                .broken(format!("target {target} is not known"), format!("use one of {}", names.join(", "))),
        );
        return report;
    };
    let module = parse(text, file);
    let starts = line_starts(text);
    let line = |span: Span| starts.partition_point(|&start| start <= span.start) as u32;
    let mut new_names = BTreeSet::new();
    for function in &module.functions {
        let mut flow = flow::follow(function, target, &line);
        flow.diagnostics.extend(guide::advise(function, &module.globals, target));
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            let Some(call) = flow::dma_call(inst) else { continue };
            if let Some(what) = calls::in_llvm22(&call).filter(|_| new_names.insert(call.name.to_owned())) {
                report.diagnostics.push(calls::newer_than_22(call.name, what, inst.span));
            }
        }
        report.functions.push(FunctionReport {
            name: function.name.clone(),
            operations: flow.operations,
            waits: flow.waits,
            diagnostics: flow.diagnostics,
        });
    }
    report
}

/// The target that the text itself names in its functions' `target-cpu`, when there is one.
#[must_use]
pub fn target_of(text: &str) -> Option<String> {
    let module = parse(text, FileId(0));
    module.functions.iter().find_map(|f| f.attribute("target-cpu")).map(str::to_owned)
}

/// Checks `text` for `target`, as the only file.
#[must_use]
pub fn check_llvm(text: &str, target: &str) -> LlvmReport {
    check_llvm_file(text, target, FileId(0))
}

fn line_starts(text: &str) -> Vec<u32> {
    let after_newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(after_newlines).map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect()
}

#[cfg(test)]
mod tests;
