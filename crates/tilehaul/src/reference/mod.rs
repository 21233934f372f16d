//! Reference pages from the tables: formats, rules, hazards. What the pages say cannot differ from what the code does.

mod findings;

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
use tilehaul_engine::tdm as tdm_engine;

use findings::{CHAPTERS, Entry};

/// Every page: file name and contents, in Markdown.
#[must_use]
pub fn pages() -> Vec<(&'static str, String)> {
    let (of_nvidia, of_amd) = all_formats();
    vec![
        ("formats-nvidia.md", formats("NVIDIA formats", of_nvidia)),
        ("formats-amd.md", formats("AMD formats", of_amd)),
        ("rules-nvidia.md", catalogue("Rules of NVIDIA's formats", nvidia::rules())),
        ("rules-amd.md", catalogue("Rules of the tensor descriptor (D#)", tdm::rules::ALL)),
        ("rules-instructions.md", catalogue("Rules of instructions and intrinsics", instruction_rules())),
        ("hazards.md", hazards()),
        ("findings.md", findings_page()),
    ]
}

/// Rules that belong to no descriptor: of one instruction, of tensor-memory accesses, of the Tensor Data Mover's walk, of V#s
/// and of DMA intrinsics.
fn instruction_rules() -> impl Iterator<Item = &'static Rule> {
    crate::conform::instruction_rules()
        .chain(tilehaul_layout::tmem::RULES)
        .chain(tdm_engine::RULES)
        .chain(tilehaul_descriptor::amd::buffer_resource::RULES)
        .chain(tilehaul_llvm::rules::ALL)
}

/// Every rule there is.
fn rules() -> impl Iterator<Item = &'static Rule> {
    nvidia::rules().chain(tdm::rules::ALL).chain(instruction_rules())
}

fn findings_page() -> String {
    let mut page = "# Other findings\n\nWhat commands say beside hazards and rules. `tilehaul explain CODE` prints one.\n".to_owned();
    for chapter in CHAPTERS {
        let _ = write!(page, "\n## {}\n", chapter.title);
        for entry in chapter.entries {
            let _ = write!(page, "\n### {}\n\n{}", entry.code, finding(entry));
        }
    }
    page
}

fn finding(entry: &Entry) -> String {
    format!("{} {}\n\nFix: {}\n\n({})\n", entry.means, entry.why, entry.fix, entry.source)
}

/// Every bit format.
fn all_formats() -> (Vec<&'static FormatSpec>, Vec<&'static FormatSpec>) {
    let mut amd: Vec<&FormatSpec> = vec![
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
    amd.extend(PendingWidth::ALL.iter().map(|w| w.format()));
    (nvidia::formats(), amd)
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

/// What is known about a code: a hazard of the checker, a rule, or any other finding.
#[must_use]
pub fn code(name: &str) -> Option<String> {
    if let Some(hazard) = hazard::ALL.iter().find(|h| h.code.0 == name) {
        return Some(format!("{}\n\n{}", hazard.code, body(hazard, "#")));
    }
    if let Some(entry) = CHAPTERS.iter().flat_map(|c| c.entries).find(|e| e.code == name) {
        return Some(format!("{}\n\n{}", entry.code, finding(entry)));
    }
    let rule = rules().find(|r| r.code.0 == name)?;
    let effect = match rule.level {
        Level::Error => "breaking it is an error",
        Level::Warning => "breaking it is told as a hint",
        Level::Note => "a remark that changes no verdict",
    };
    Some(format!("{}\n\n{}\n({effect}; {})\n", rule.code, rule.text, rule.source))
}

/// Every code that has an entry, sorted.
#[must_use]
pub fn codes() -> Vec<&'static str> {
    let mut codes: Vec<&str> = rules().map(|r| r.code.0).collect();
    codes.extend(hazard::ALL.iter().map(|h| h.code.0));
    codes.extend(CHAPTERS.iter().flat_map(|c| c.entries).map(|e| e.code));
    codes.sort_unstable();
    codes
}

/// The code that a word without one probably means.
#[must_use]
pub fn near(name: &str) -> Option<&'static str> {
    if !name.contains('-') || !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    {
        return None;
    }
    // A third of a word may be misspelt before it is another word.
    tilehaul_diag::nearest(name, codes(), name.len() / 4 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_have_entries() {
        let mut codes = codes();
        let count = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), count);
        for chapter in CHAPTERS {
            assert!(chapter.entries.is_sorted_by_key(|e| e.code), "{}", chapter.title);
        }
        assert!(code("read-before-landing").is_some_and(|t| t.contains("# Fix")));
        assert!(code("tma-inner-box-swizzle").is_some());
        assert!(code("deadlock").is_some_and(|t| t.contains("Fix: ")));
        assert!(code("nothing").is_none());
        assert_eq!(near("read-before-landin"), Some("read-before-landing"));
        assert_eq!(near("launch-argument"), Some("launch-arguments"));
        assert_eq!(near("0x1234"), None);
    }

    /// Words with a hyphen that the sources hold in quotes and that are no codes.
    const NO_CODES: &[&str] = &[
        "16-bit",
        "32-bit",
        "accepted-with-hint",
        "amdgcn-amd-amdhsa",
        "amdgpu-flat-work-group-size",
        "lane-1",
        "round-robin",
        "singlethread-one-as",
        "target-cpu",
        "wavefront-one-as",
        "tdm-words",
        "unsupported",
        "lds-barrier",
    ];

    /// A code that the product can print and nobody can look up fails here.
    #[test]
    fn every_code_in_the_sources_has_an_entry() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files = Vec::new();
        let mut folders = vec![root];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap().map(Result::unwrap) {
                let path = entry.path();
                let name = entry.file_name();
                if path.is_dir() && name != "target" && name != "tests" {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") && name != "tests.rs" {
                    files.push(path);
                }
            }
        }
        assert!(files.len() > 100);
        let (of_nvidia, of_amd) = all_formats();
        // A field of a bit format has a hyphen in its name, too.
        let fields: Vec<&str> =
            of_nvidia.iter().chain(&of_amd).flat_map(|f| f.fields).map(|field| field.name).collect();
        let mut missing = Vec::new();
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            // Tests stand at the end of a file.
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for (at, word) in quoted(text) {
                let before = text[..at].trim_end().trim_end_matches('(');
                let called = before.ends_with("Code") || before.ends_with("fail") || before.ends_with("bad");
                let hyphened = word.contains('-') && !word.starts_with("apply-") && !fields.contains(&word);
                if (called || hyphened) && !NO_CODES.contains(&word) && code(word).is_none() {
                    missing.push(format!("{word} in {}", file.display()));
                }
            }
        }
        assert!(missing.is_empty(), "codes without an entry in the catalogue:\n{}", missing.join("\n"));
    }

    /// Words of lower-case letters, digits and hyphens between quotes.
    fn quoted(text: &str) -> impl Iterator<Item = (usize, &str)> {
        text.match_indices('"').filter_map(|(at, _)| {
            let rest = &text[at + 1..];
            let word = &rest[..rest.find('"')?];
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            let name =
                word.len() > 2 && word.bytes().all(plain) && !word.starts_with('-') && !word.ends_with('-');
            name.then_some((at, word))
        })
    }
}
