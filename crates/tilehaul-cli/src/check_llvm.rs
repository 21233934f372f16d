//! `tilehaul check kernel.ll --target gfx950`.

use std::fmt::Write;

use serde_json::{Map, Value, json};
use tilehaul::llvm::{self, LlvmReport, Target};
use tilehaul::run;
use tilehaul_diag::{Diagnostic, FileId, Level};
use tilehaul_render::style::Ink;
use tilehaul_render::{Sources, diagnostic};

use crate::output::{Answer, Failure, Outcome, Output, Verdict};

/// What this form of check cannot see.
const NOT_CHECKED: [&str; 2] = [
    "values: nothing is run, so addresses out of bounds and wrong results are not seen",
    "what other waves and called functions do: each function is followed by itself (compile it and check a launch for that)",
];

/// Checks the DMA intrinsics of LLVM IR text.
pub(crate) fn check(name: &str, text: &str, target: Option<&str>, compile: bool, output: &Output) -> Outcome {
    let own = llvm::target_of(text);
    let Some(target) = target.or(own.as_deref()) else {
        return Err(Failure::invalid(format!(
            "{name} names no target-cpu: say which target it is for, as in --target gfx950"
        )));
    };
    if Target::named(target).is_none() {
        let known: Vec<&str> = llvm::TARGETS.iter().map(|t| t.name).collect();
        return Err(Failure::invalid(format!(
            "target {target} is not known: use one of {}",
            known.join(", ")
        )));
    }
    let report = llvm::check_llvm_file(text, target, FileId(0));
    if report.functions.is_empty() {
        return Err(Failure::invalid(format!(
            "{name} holds no function with a body: it should be LLVM IR text"
        )));
    }
    let sources = Sources::one(name, text);
    let compiled = if compile { Some(compiled(name, text, target)?) } else { None };
    let all = report.all().chain(compiled.iter().flat_map(|c| c.findings.iter().map(|f| &f.diagnostic)));
    let (findings, hints): (Vec<&Diagnostic>, Vec<&Diagnostic>) = all.partition(|d| d.level == Level::Error);
    let verdict = if findings.is_empty() { Verdict::Clean } else { Verdict::Findings };
    let mut text = String::new();
    for told in findings.iter().chain(&hints) {
        text.push_str(&diagnostic::text(told, &sources, output.style));
        text.push_str("\n\n");
    }
    text.push_str(&listing(&report, name));
    for line in compiled.iter().flat_map(|c| &c.ran) {
        let _ = writeln!(text, "compiled: {line}");
    }
    for line in
        NOT_CHECKED.into_iter().chain(compiled.iter().flat_map(|c| &c.not_checked).map(String::as_str))
    {
        let _ = writeln!(text, "not checked: {line}");
    }
    let ink = if verdict == Verdict::Clean { Ink::Good } else { Ink::Bad };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (found, hinted) = (findings.len(), hints.len());
    let counts = format!(": {found} finding{}, {hinted} hint{}", plural(found), plural(hinted));
    let _ = writeln!(text, "{}{counts}", output.style.paint(ink, verdict.word()));
    let mut json = Map::new();
    let list =
        |list: &[&Diagnostic]| -> Vec<Value> { list.iter().map(|d| diagnostic::json(d, &sources)).collect() };
    json.insert("findings".to_owned(), json!(list(&findings)));
    json.insert("hints".to_owned(), json!(list(&hints)));
    json.insert("target".to_owned(), json!(target));
    json.insert("not_checked".to_owned(), json!(NOT_CHECKED));
    json.insert("functions".to_owned(), functions(&report));
    if let Some(compiled) = &compiled {
        json.insert("ran".to_owned(), json!(compiled.ran));
        let all: Vec<&str> =
            NOT_CHECKED.into_iter().chain(compiled.not_checked.iter().map(String::as_str)).collect();
        json.insert("not_checked".to_owned(), json!(all));
    }
    Ok(Answer { verdict, text, json, lines: false })
}

/// What a look at the compiled code gives.
fn compiled(name: &str, text: &str, target: &str) -> Result<run::Report, Failure> {
    let object = run::compile(text, target).map_err(|why| Failure::invalid(format!("{name}: {why}")))?;
    run::alone(&format!("{name}.hsaco"), &object, Some(target))
        .ok_or_else(|| Failure::invalid(format!("{name} compiles to no code object")))
}

/// What each transfer and wait becomes, for people.
fn listing(report: &LlvmReport, name: &str) -> String {
    let mut text = String::new();
    for function in &report.functions {
        if function.operations.is_empty() && function.waits.is_empty() {
            continue;
        }
        let _ = writeln!(text, "@{}", function.name);
        let mut rows: Vec<(u32, String)> = Vec::new();
        for op in &function.operations {
            let becomes = match (&op.instruction, op.counter) {
                (Some(instruction), Some(counter)) => format!("{instruction}  ({})", counter.name()),
                _ => "cannot be selected".to_owned(),
            };
            rows.push((op.line, format!("{} -> {becomes}", op.intrinsic)));
        }
        for wait in &function.waits {
            let becomes = if wait.instructions.is_empty() {
                "nothing".to_owned()
            } else {
                wait.instructions.join("; ")
            };
            rows.push((wait.line, format!("{} -> {becomes}", wait.intrinsic)));
        }
        rows.sort();
        for (line, row) in rows {
            let _ = writeln!(text, "  {name}:{line}: {row}");
        }
    }
    text
}

fn functions(report: &LlvmReport) -> Value {
    let one = |function: &llvm::FunctionReport| -> Value {
        let operations: Vec<Value> = function
            .operations
            .iter()
            .map(|op| {
                json!({
                    "line": op.line,
                    "intrinsic": op.intrinsic,
                    "instruction": op.instruction,
                    "counter": op.counter.map(llvm::Counter::name),
                    "llvm22": op.llvm22,
                })
            })
            .collect();
        let waits: Vec<Value> = function
            .waits
            .iter()
            .map(|w| json!({ "line": w.line, "intrinsic": w.intrinsic, "instructions": w.instructions }))
            .collect();
        json!({ "name": function.name, "operations": operations, "waits": waits })
    };
    json!(report.functions.iter().map(one).collect::<Vec<Value>>())
}
