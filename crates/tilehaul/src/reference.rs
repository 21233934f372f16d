//! Reference pages from the tables: formats, rules, hazards. What the pages say cannot differ from what the code does.

use std::fmt::Write;

use tilehaul_check::Hazard;
use tilehaul_check::hazard;
use tilehaul_descriptor::amd::buffer_resource::BufferGeneration;
use tilehaul_descriptor::amd::lds_barrier_word::PendingWidth;
use tilehaul_descriptor::amd::tdm::{self, format};
use tilehaul_descriptor::explain::{catalogue, reference};
use tilehaul_descriptor::field::FormatSpec;
use tilehaul_descriptor::{Rule, nvidia};
use tilehaul_diag::Level;

/// Every page: file name and contents, in Markdown.
#[must_use]
pub fn pages() -> Vec<(&'static str, String)> {
    let amd: Vec<&FormatSpec> = vec![
        &format::GROUP0,
        &format::GROUP1,
        &format::GROUP2_DENSE,
        &format::GROUP3_DENSE,
        &format::GROUP2_ITERATE,
        &format::INDICES_16,
        &format::INDICES_32,
        BufferGeneration::Gfx9.format(),
        BufferGeneration::Gfx1250.format(),
    ];
    let widths = PendingWidth::ALL.iter().map(|w| w.format());
    vec![
        ("formats-nvidia.md", formats("NVIDIA formats", nvidia::formats())),
        ("formats-amd.md", formats("AMD formats", amd.into_iter().chain(widths))),
        ("rules-nvidia.md", catalogue("Rules of NVIDIA's formats", nvidia::rules())),
        ("rules-amd.md", catalogue("Rules of the tensor descriptor (D#)", tdm::rules::ALL)),
        ("hazards.md", hazards()),
    ]
}

fn formats(title: &str, formats: impl IntoIterator<Item = &'static FormatSpec>) -> String {
    let mut page = format!("# {title}\n\nMade from the tables that encode, decode and explain.\n");
    for format in formats {
        page.push('\n');
        // The pages of single formats become chapters of this one.
        page.push_str(&reference(format).replacen("# ", "## ", 1));
    }
    page
}

fn hazards() -> String {
    let mut page =
        "# Hazards\n\nWhat `tilehaul check` finds in runs. `tilehaul explain CODE` prints one.\n".to_owned();
    for hazard in hazard::ALL {
        let _ = write!(page, "\n## {}\n\n{}", hazard.code, body(hazard, "###"));
    }
    page
}

fn body(hazard: &Hazard, mark: &str) -> String {
    let level = match hazard.level {
        Level::Error => "finding",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    format!(
        "{level}: {}.\n\n{mark} What happens\n{}\n\n{mark} Why on this hardware\n{}\n\n{mark} Example\n```text\n{}\n```\n\n{mark} Fix\n{}\n\n\
         {mark} Source\n{}\n",
        hazard.title, hazard.what, hazard.why, hazard.example, hazard.fix, hazard.source
    )
}

/// What is known about a code: a hazard of the checker, or a rule of a descriptor.
#[must_use]
pub fn code(name: &str) -> Option<String> {
    if let Some(hazard) = hazard::ALL.iter().find(|h| h.code.0 == name) {
        return Some(format!("{}\n\n{}", hazard.code, body(hazard, "#")));
    }
    let rules = nvidia::rules().chain(tdm::rules::ALL);
    let rule: &Rule = rules.into_iter().find(|r| r.code.0 == name)?;
    let effect = match rule.level {
        Level::Error => "breaking it makes the descriptor illegal",
        Level::Warning => "breaking it is told as a hint",
        Level::Note => "a remark that changes no verdict",
    };
    Some(format!("{}\n\n{}\n({effect}; {})\n", rule.code, rule.text, rule.source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_over_rules_and_hazards() {
        let mut codes: Vec<&str> = nvidia::rules().map(|r| r.code.0).collect();
        codes.extend(tdm::rules::ALL.iter().map(|r| r.code.0));
        codes.extend(hazard::ALL.iter().map(|h| h.code.0));
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count);
        assert!(code("read-before-landing").is_some_and(|t| t.contains("# Fix")));
        assert!(code("tma-inner-box-swizzle").is_some());
        assert!(code("nothing").is_none());
    }
}
