//! Commands and what they print, as people see them: `tests/golden/*.console` and the ```console blocks of README.md and docs/.
//!
//! A line `$ command` runs in the repository's root with `$TMP` as a scratch folder; the lines below it are what both of its
//! streams print, `[exit N]` ends it when N is not 0. A line `...` stands for any number of lines. `BLESS=1` writes what the
//! commands print now. Commands that start cargo or git are not run here; CI runs them, and they must be among `KNOWN`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

/// Commands of the documents that are not tilehaul's: CI runs the first two, a reader the third.
const KNOWN: &[&str] = &["cargo xtask ", ".ci/run", "git clone "];

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["crates/tilehaul-cli/tests/golden", "docs", "."] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
        files.extend(
            entries
                .filter_map(|e| Some(e.ok()?.path()))
                .filter(|p| p.extension().is_some_and(|e| e == "console" || e == "md")),
        );
    }
    files.sort();
    let trials = files
        .into_iter()
        .map(|path| {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let root = root.clone();
            Trial::test(format!("transcript::{name}"), move || check_file(&root, &path))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn check_file(root: &Path, path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let markdown = path.extension().is_some_and(|e| e == "md");
    let scratch = std::env::temp_dir().join(format!(
        "tilehaul-{}-{}",
        std::process::id(),
        path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
    ));
    std::fs::create_dir_all(&scratch).map_err(|e| e.to_string())?;
    let mut out = String::new();
    let mut complaints = Vec::new();
    let mut inside = !markdown;
    let mut block = String::new();
    for line in text.split_inclusive('\n') {
        if markdown && line.starts_with("```") {
            if inside {
                out.push_str(&transcript(root, &scratch, &block, &mut complaints)?);
                block.clear();
            }
            inside = !inside && line.trim() == "```console";
            out.push_str(line);
        } else if inside {
            block.push_str(line);
        } else {
            out.push_str(line);
        }
    }
    out.push_str(&transcript(root, &scratch, &block, &mut complaints)?);
    let _ = std::fs::remove_dir_all(&scratch);
    if out == text {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some_and(|v| !v.is_empty()) {
        return std::fs::write(path, out).map_err(|e| e.to_string().into());
    }
    Err(format!("{}\n(BLESS=1 accepts what is printed now)", complaints.join("\n\n")).into())
}

/// Runs the commands of a block; what it gives back is the block with their present output where that differs.
fn transcript(
    root: &Path,
    scratch: &Path,
    block: &str,
    complaints: &mut Vec<String>,
) -> Result<String, Failed> {
    let mut out = String::new();
    let mut lines = block.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        let Some(command) = line.strip_prefix("$ ") else { continue };
        let mut command = command.trim_end().to_owned();
        while command.ends_with('\\') {
            let Some(more) = lines.next() else { break };
            out.push_str(more);
            command.pop();
            command.push_str(more.trim_end());
        }
        let mut expected = String::new();
        while let Some(line) = lines.peek() {
            if line.starts_with("$ ") || line.starts_with("# ") {
                break;
            }
            expected.push_str(line);
            lines.next();
        }
        // Blank lines between commands belong to the file, not to the output.
        let kept = expected.trim_end_matches('\n').len();
        let blank = if expected.is_empty() {
            String::new()
        } else {
            expected.split_off((kept + 1).min(expected.len()))
        };
        let short = command.replace("cargo run --release --quiet --package tilehaul-cli -- ", "tilehaul ");
        if KNOWN.iter().any(|k| short.starts_with(k)) {
            out.push_str(&expected);
            out.push_str(&blank);
            continue;
        }
        let printed = run(root, scratch, &short)?;
        if matches(&expected, &printed) {
            out.push_str(&expected);
        } else {
            complaints.push(format!("$ {command}\nexpected:\n{expected}printed:\n{printed}"));
            out.push_str(&printed);
        }
        out.push_str(&blank);
    }
    Ok(out)
}

fn run(root: &Path, scratch: &Path, command: &str) -> Result<String, Failed> {
    let binary = Path::new(env!("CARGO_BIN_EXE_tilehaul"));
    let folder = binary.parent().unwrap_or(Path::new("."));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(root)
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("TMP", scratch)
        .env("NO_COLOR", "1")
        .output()
        .map_err(|e| format!("{command}: {e}"))?;
    let mut text = String::from_utf8_lossy(&output.stdout).replace(&scratch.display().to_string(), "$TMP");
    // Trailing blanks do not survive editors.
    text = text.lines().map(|l| l.trim_end().to_owned() + "\n").collect();
    match output.status.code() {
        Some(0) => {}
        code => {
            text.push_str(&format!("[exit {}]\n", code.map_or("by signal".to_owned(), |c| c.to_string())))
        }
    }
    Ok(text)
}

/// Compares line by line; `...` skips any number of lines.
fn matches(expected: &str, printed: &str) -> bool {
    fn go(expected: &[&str], printed: &[&str]) -> bool {
        match (expected.split_first(), printed.split_first()) {
            (None, None) => true,
            (Some((&"...", rest)), _) => (0..=printed.len()).any(|skip| go(rest, &printed[skip..])),
            (Some((e, rest)), Some((p, more))) => e.trim_end() == *p && go(rest, more),
            _ => false,
        }
    }
    go(&expected.lines().collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>())
}
