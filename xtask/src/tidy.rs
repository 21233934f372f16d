//! Rules about the files themselves.
//!
//! Each rule is a function from the tracked files to complaints. Advice is printed and fails nothing.

use std::path::PathBuf;
use std::process::Command;

use crate::run::root;

/// A crate may use only crates that stand before it. `xtask` uses none of them.
const LAYERS: &[&str] = &[
    "tilehaul-diag",
    "tilehaul-descriptor",
    "tilehaul-layout",
    "tilehaul-engine",
    "tilehaul-isa",
    "tilehaul-llvm",
    "tilehaul-mma",
    "tilehaul-machine",
    "tilehaul-ptx",
    "tilehaul-gcn",
    "tilehaul-check",
    "tilehaul-render",
    "tilehaul-hw",
    "tilehaul",
    "tilehaul-cli",
];

/// Crates that must not know an instruction set: two instruction sets, one machine.
const ISA_FREE: &[&str] = &["tilehaul-machine", "tilehaul-check"];
const ISA_CRATES: &[&str] = &["tilehaul_isa", "tilehaul_ptx", "tilehaul_gcn"];

/// Above this many lines a source file is mentioned: it may hold several things, each with a name of its own.
const LONG: usize = 500;
/// Above this many it is refused.
const TOO_LONG: usize = 750;

struct File {
    path: String,
    text: String,
}

/// Runs every rule.
pub fn run() -> Result<(), String> {
    let files = tracked()?;
    let mut complaints = Vec::new();
    machine_paths(&files, &mut complaints);
    merge_marks(&files, &mut complaints);
    unused_dependencies(&files, &mut complaints);
    layer_table(&files, &mut complaints);
    layers(&files, &mut complaints);
    isa_free(&files, &mut complaints);
    empty_sources(&files, &mut complaints);
    stubs(&files, &mut complaints);
    measured_facts(&files, &mut complaints);
    long_files(&files, &mut complaints);
    named_files(&files, &mut complaints);
    files_beside_folders(&files, &mut complaints);
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

fn tracked() -> Result<Vec<File>, String> {
    // Untracked files count too unless git ignores them: a rule should speak before the commit.
    let list = Command::new("git")
        .current_dir(root())
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .output()
        .map_err(|e| format!("git ls-files: {e}"))?;
    let names = String::from_utf8_lossy(&list.stdout).into_owned();
    let read = |name: &str| {
        let path: PathBuf = root().join(name);
        // Binary files (recorded answers, code objects, arrays) have no lines to check.
        std::fs::read_to_string(path).ok().map(|text| File { path: name.to_owned(), text })
    };
    Ok(names.lines().filter_map(read).collect())
}

fn machine_paths(files: &[File], complaints: &mut Vec<String>) {
    // Spelled in pieces so that this file does not complain about itself.
    let roots =
        [concat!("/ho", "me/"), concat!("/Us", "ers/"), concat!("/ro", "ot/"), concat!("C:\\Us", "ers\\")];
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            if roots.iter().any(|r| line.contains(r)) {
                complaints.push(format!("{}:{}: a path of somebody's machine", file.path, number + 1));
            }
        }
    }
}

/// What a merge leaves where both sides changed the same lines.
fn merge_marks(files: &[File], complaints: &mut Vec<String>) {
    // Made here so that this file does not complain about itself. A row of `=` may underline a heading.
    let marks = ["<", ">", "|"].map(|c| c.repeat(7));
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            if marks.iter().any(|mark| line.strip_prefix(mark).is_some_and(|rest| rest.starts_with(' '))) {
                complaints.push(format!("{}:{}: a merge that was not finished", file.path, number + 1));
            }
        }
    }
}

/// Every dependency is named in a source of its crate; otherwise layers look tighter than they are.
fn unused_dependencies(files: &[File], complaints: &mut Vec<String>) {
    for manifest in files.iter().filter(|f| f.path.starts_with("crates/") && f.path.ends_with("Cargo.toml")) {
        let folder = manifest.path.trim_end_matches("Cargo.toml");
        let mut section = "";
        for line in manifest.text.lines() {
            if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']');
                continue;
            }
            let used = line.split(['.', '=', ' ']).next().unwrap_or_default();
            if used.is_empty() || !section.ends_with("dependencies") {
                continue;
            }
            let library = if section == "dependencies" { "src/" } else { "" };
            let folder = format!("{folder}{library}");
            let word = used.replace('-', "_");
            let mut own = files.iter().filter(|f| f.path.starts_with(&folder) && f.path.ends_with(".rs"));
            let part = |c: char| c.is_alphanumeric() || c == '_';
            let named = |text: &str| {
                text.match_indices(&word)
                    .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
            };
            if !own.any(|f| named(&f.text)) {
                complaints.push(format!("{}: no source uses {used} of [{section}]", manifest.path));
            }
        }
    }
}

/// The table of ARCHITECTURE.md has the crates in the order of [`LAYERS`].
fn layer_table(files: &[File], complaints: &mut Vec<String>) {
    let page = files.iter().find(|f| f.path == "ARCHITECTURE.md").map_or("", |f| f.text.as_str());
    let rows = page.lines().filter(|l| l.starts_with("| `tilehaul"));
    let cells = rows.filter_map(|l| l.split('|').nth(1));
    let names: Vec<&str> = cells.flat_map(|c| c.split('`').skip(1).step_by(2)).collect();
    if names != LAYERS {
        complaints.push(format!("ARCHITECTURE.md: its layers are {names:?}, those of tidy are {LAYERS:?}"));
    }
}

fn layers(files: &[File], complaints: &mut Vec<String>) {
    for file in files.iter().filter(|f| f.path.starts_with("crates/") && f.path.ends_with("Cargo.toml")) {
        let name = file.path.split('/').nth(1).unwrap_or_default();
        let Some(own) = LAYERS.iter().position(|l| *l == name) else {
            complaints.push(format!("{}: {name} has no place in the layers of xtask/src/tidy.rs", file.path));
            continue;
        };
        let uses = file.text.split("[dependencies]").nth(1).unwrap_or_default();
        let uses = uses.split("\n[").next().unwrap_or_default();
        for line in uses.lines() {
            let used = line.split(['.', '=', ' ']).next().unwrap_or_default();
            if LAYERS.iter().position(|l| *l == used).is_some_and(|layer| layer >= own) {
                complaints.push(format!("{}: {name} lies below {used} and may not use it", file.path));
            }
        }
    }
}

fn isa_free(files: &[File], complaints: &mut Vec<String>) {
    for file in files.iter().filter(|f| ISA_FREE.iter().any(|c| f.path.starts_with(&format!("crates/{c}/"))))
    {
        for (number, line) in file.text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let manifest = code.replace('-', "_");
            let seen = if file.path.ends_with(".toml") { &manifest } else { code };
            if let Some(isa) = ISA_CRATES.iter().find(|isa| seen.contains(*isa)) {
                complaints.push(format!("{}:{}: {isa} is known here", file.path, number + 1));
            }
        }
    }
}

fn empty_sources(files: &[File], complaints: &mut Vec<String>) {
    for file in files.iter().filter(|f| f.path.starts_with("crates/") && f.path.ends_with(".rs")) {
        for (number, line) in file.text.lines().enumerate() {
            if ["hardware", "manual", "inferred"].iter().any(|w| line.contains(&format!("Source::{w}(\"\")")))
            {
                complaints.push(format!("{}:{}: a source that names nothing", file.path, number + 1));
            }
        }
    }
}

/// Every fact that the code cites (`h200 fact 12`, `h200 facts 3, 7 to 9`) stands in `docs/hardware-facts.md`.
fn measured_facts(files: &[File], complaints: &mut Vec<String>) {
    let listed: Vec<u32> = files
        .iter()
        .filter(|f| f.path == "docs/hardware-facts.md")
        .flat_map(|f| f.text.lines())
        .filter_map(|line| line.split_once(". ")?.0.parse().ok())
        .collect();
    for file in files.iter().filter(|f| f.path.starts_with("crates/")) {
        for rest in file.text.split("h200 fact").skip(1) {
            let rest = rest.strip_prefix('s').unwrap_or(rest).trim_start();
            let end =
                rest.find(|c: char| !(c.is_ascii_digit() || ", to-and".contains(c))).unwrap_or(rest.len());
            for number in
                rest[..end].split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u32>().ok())
            {
                if !listed.contains(&number) {
                    complaints
                        .push(format!("{}: h200 fact {number} is not in docs/hardware-facts.md", file.path));
                }
            }
        }
    }
}

fn stubs(files: &[File], complaints: &mut Vec<String>) {
    for file in files.iter().filter(|f| f.path.ends_with(".rs")) {
        for (number, line) in file.text.lines().enumerate() {
            if [concat!("to", "do!("), concat!("unimple", "mented!(")].iter().any(|w| line.contains(w)) {
                complaints.push(format!("{}:{}: a stub", file.path, number + 1));
            }
        }
    }
}

fn long_files(files: &[File], complaints: &mut Vec<String>) {
    for file in files.iter().filter(|f| f.path.ends_with(".rs")) {
        let lines = file.text.lines().count();
        let said = format!("{}: {lines} lines: split it by what it is about", file.path);
        if lines > TOO_LONG {
            complaints.push(said);
        } else if lines > LONG {
            println!("advice: {said}");
        }
    }
}

/// The parts of a module lie in its folder, and so does what they belong to: `NAME/mod.rs`, not `NAME.rs` beside it.
fn files_beside_folders(files: &[File], complaints: &mut Vec<String>) {
    for file in files.iter().filter(|f| f.path.contains("/src/")) {
        let Some(folder) = file.path.strip_suffix(".rs").map(|stem| format!("{stem}/")) else { continue };
        if files.iter().any(|f| f.path.starts_with(&folder) && f.path.ends_with(".rs")) {
            complaints.push(format!("{}: move it to {folder}mod.rs, where its parts are", file.path));
        }
    }
}

/// Sources that pages and comments name in backquotes exist, by their whole path or its end (`alu/mod.rs`).
fn named_files(files: &[File], complaints: &mut Vec<String>) {
    let exists = |name: &str| {
        files
            .iter()
            .any(|f| f.path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/')))
    };
    for file in files {
        let page = file.path.ends_with(".md") && file.path != "CHANGELOG.md";
        if !page && !file.path.ends_with(".rs") {
            continue;
        }
        for (number, line) in file.text.lines().enumerate() {
            let text = if page { line } else { line.split_once("//").map_or("", |(_, comment)| comment) };
            // Without a folder it may be a word of PTX in a comment: `cvt.rs` rounds at random.
            let names = text.split('`').skip(1).step_by(2);
            let names = names.filter(|name| name.ends_with(".rs") && (page || name.contains('/')));
            // A name in capitals stands for any: `NAME.rs`.
            let plain = |name: &&str| !name.contains(|c: char| c.is_ascii_uppercase() || " *{}".contains(c));
            for name in names.filter(plain).filter(|name| !exists(name)) {
                complaints.push(format!("{}:{}: there is no {name}", file.path, number + 1));
            }
        }
    }
}
