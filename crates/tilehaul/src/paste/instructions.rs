//! Instructions that stand alone: does the target have each of them, in that form?

use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_isa::ptx;

use super::Recognised;
use super::lines::{Line, statements};
use crate::conform::{Refusal, instruction};

/// Targets that are tried when none is named, in this order.
const AMD: [&str; 3] = ["gfx950", "gfx942", "gfx1250"];
const NVIDIA: [&str; 3] = ["sm_90a", "sm_100a", "sm_120a"];

/// Whose instruction a statement is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Amd,
    Ptx,
}

/// What the target says of each statement, when all of them are instructions of one language; the named target, or the one
/// that takes most of them.
pub(super) fn judged(text: &str, target: Option<&str>) -> Option<Recognised> {
    let lines: Vec<Line<'_>> = statements(text).into_iter().filter(|l| !is_label(l.text)).collect();
    let language = language(lines.first()?.text)?;
    if !lines.iter().all(|line| self::language(line.text) == Some(language)) {
        return None;
    }
    let tried = match (target, language) {
        (Some(one), _) => vec![one],
        (None, Language::Amd) => AMD.to_vec(),
        (None, Language::Ptx) => NVIDIA.to_vec(),
    };
    let (target, diagnostics) = tried
        .into_iter()
        .map(|target| (target, lines.iter().flat_map(|line| verdict(line, target)).collect::<Vec<_>>()))
        .min_by_key(|(_, said)| (said.iter().filter(|d| d.level == Level::Error).count(), said.len()))?;
    let count = match lines.len() {
        1 => "1 instruction".to_owned(),
        n => format!("{n} instructions"),
    };
    let all = if diagnostics.is_empty() { ", which has them in this form" } else { "" };
    Some(Recognised {
        title: format!("{count} for {target}{all}"),
        explained: None,
        assumptions: Vec::new(),
        diagnostics,
    })
}

fn verdict(line: &Line<'_>, target: &str) -> Vec<Diagnostic> {
    let here = line.span(line.text);
    match instruction::alone(line.text, target) {
        Ok(said) => said
            .into_iter()
            .map(|d| Diagnostic { primary: None, secondary: Vec::new(), ..d }.at(here, ""))
            .collect(),
        Err(Refusal::Unsupported(why) | Refusal::Malformed(why)) => {
            vec![Diagnostic::new(Code("instruction-not-known"), Level::Warning, why).at(here, "")]
        }
    }
}

fn is_label(text: &str) -> bool {
    text.ends_with(':') && !text.contains(char::is_whitespace)
}

fn language(statement: &str) -> Option<Language> {
    let mut words = statement.split_whitespace();
    let mut first = words.next()?;
    if first.starts_with('@') {
        first = words.next()?;
    }
    let families = ["s_", "v_", "ds_", "global_", "flat_", "scratch_", "buffer_", "tensor_", "cluster_"];
    if families.iter().any(|family| first.starts_with(family)) {
        return Some(Language::Amd);
    }
    let rest = |row: &ptx::Row| first.strip_prefix(row.name).map(|rest| rest.starts_with('.'));
    ptx::table::rows().any(|row| rest(row) == Some(true)).then_some(Language::Ptx)
}
