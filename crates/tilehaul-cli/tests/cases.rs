//! Every launch file of `cases/`: the folder is the verdict, or the verdict stands beside it.
//!
//! `clean`, `hint`, `findings`, `unsupported`, `invalid` hold launches with that verdict; below `kernels` every launch is clean. Each
//! is checked with the built command, as a user would. Below `twins` a `verdict.json` says it for each stem: `bug` and `fixed`
//! differ by the fix only, `ok` must stay quiet. `TILEHAUL_FULL=1` takes 16 seeds instead of 2.
//!
//! A verdict alone could be right for a wrong reason, so comments of a launch file say more:
//!
//! | comment | where | means |
//! |---|---|---|
//! | `# finds: CODE at LINE` | every launch with findings | one of them has this code and, where `at` is given, this line of the kernel |
//! | `# says: TEXT` | anywhere; what is unsupported says this or the one above | a finding or its suggestion holds these words |
//! | `# only: CODE` | anywhere | every finding has this code |
//! | `# hints: CODE` | anywhere | a hint has this code; `none`: there is no hint |
//! | `# CODE` in the first line | `invalid` | code of the first finding |
//!
//! `BLESS=1` writes the `# finds:` line of launches that have none, from the first finding.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut trials = Vec::new();
    // With the fewest launches that there must be, so that a folder that went astray is noticed.
    for (folder, verdict, fewest) in [
        ("clean", "clean", 165),
        ("hint", "clean", 20),
        ("findings", "findings", 100),
        ("unsupported", "unsupported", 3),
        ("invalid", "invalid", 33),
        ("kernels", "clean", 70),
    ] {
        let launches = launches(&root, folder, fewest, &mut trials);
        for launch in launches {
            let shown = launch.strip_prefix(&root).unwrap_or(&launch).display().to_string();
            let hint = folder == "hint";
            trials.push(Trial::test(format!("case::{shown}"), move || check(&launch, verdict, hint)));
        }
    }
    for launch in launches(&root, "twins", 135, &mut trials) {
        let shown = launch.strip_prefix(&root).unwrap_or(&launch).display().to_string();
        trials.push(Trial::test(format!("case::{shown}"), move || {
            let (verdict, hint) = stated(&launch)?;
            check(&launch, verdict, hint)
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The launches below a folder, and a trial that they are as many as there must be.
fn launches(root: &Path, folder: &'static str, fewest: usize, trials: &mut Vec<Trial>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&root.join(folder), &mut found);
    found.sort();
    let count = found.len();
    trials.push(Trial::test(format!("count::{folder}"), move || {
        if count < fewest {
            return Err(format!("cases/{folder} has {count} launches, at least {fewest} are expected").into());
        }
        Ok(())
    }));
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|e| Some(e.ok()?.path())) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.file_name().is_some_and(|n| n.to_string_lossy().ends_with("launch.toml")) {
            found.push(path);
        }
    }
}

/// What `verdict.json` beside a launch file says of it: the verdict, and whether a hint must be there.
fn stated(launch: &Path) -> Result<(&'static str, bool), Failed> {
    let name = launch.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.trim_end_matches(".launch.toml");
    let text = std::fs::read_to_string(launch.with_file_name("verdict.json")).map_err(|e| e.to_string())?;
    let verdicts: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    match verdicts[stem].as_str() {
        Some("findings") => Ok(("findings", false)),
        Some("clean") => Ok(("clean", false)),
        Some("clean-with-hint") => Ok(("clean", true)),
        other => Err(format!("verdict.json says {other:?} for {stem}").into()),
    }
}

fn check(launch: &Path, verdict: &str, hint: bool) -> Result<(), Failed> {
    // Twins are judged by what `check` does by default.
    let twin = launch.components().any(|c| c.as_os_str() == "twins");
    let seeds = if twin || std::env::var_os("TILEHAUL_FULL").is_some() { "16" } else { "2" };
    let output = Command::new(env!("CARGO_BIN_EXE_tilehaul"))
        .arg("check")
        .arg(launch)
        .args(["--format", "json", "--seeds", seeds])
        .output()
        .map_err(|e| e.to_string())?;
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("no JSON: {e}\n{}", String::from_utf8_lossy(&output.stderr)))?;
    let codes = ["clean", "findings", "invalid", "unsupported"];
    let by_exit = output.status.code().and_then(|c| codes.get(usize::try_from(c).ok()?));
    if json["verdict"] != verdict || by_exit != Some(&verdict) {
        let first = &json["findings"][0]["message"];
        return Err(format!(
            "want {verdict}, got {} (exit {:?}): {first}",
            json["verdict"],
            output.status.code()
        )
        .into());
    }
    let text = std::fs::read_to_string(launch).map_err(|e| e.to_string())?;
    for words in text.lines().filter_map(|l| l.strip_prefix("# says: ")) {
        let findings = json["findings"].as_array().into_iter().flatten();
        if !findings.clone().any(|f| f.to_string().contains(words)) {
            return Err(format!("no finding says `{words}`: {}", json["findings"]).into());
        }
    }
    // `# only: CODE`: every finding has this code, so that one fault has one cause.
    for code in text.lines().filter_map(|l| l.strip_prefix("# only: ")) {
        let findings = json["findings"].as_array().into_iter().flatten();
        if let Some(other) = findings.clone().find(|f| f["code"] != code) {
            return Err(format!("only {code} is expected, not: {other}").into());
        }
    }
    // `# hints: CODE`: a hint has this code; `# hints: none`: there is none.
    for code in text.lines().filter_map(|l| l.strip_prefix("# hints: ")) {
        let codes: Vec<&str> =
            json["hints"].as_array().into_iter().flatten().filter_map(|h| h["code"].as_str()).collect();
        if if code == "none" { !codes.is_empty() } else { !codes.contains(&code) } {
            return Err(format!("hints: {code} is expected, got {codes:?}").into());
        }
    }
    // "Not modelled" of something else would be right for a wrong reason, too.
    let says = text.lines().any(|l| l.starts_with("# says: "));
    if verdict == "findings" || verdict == "unsupported" && !says {
        reason(launch, &text, &json)?;
    }
    if let Some(code) = text.lines().next().and_then(|l| l.strip_prefix("# "))
        && verdict == "invalid"
        && json["findings"][0]["code"] != code
    {
        return Err(format!("want {code} first, got {}", json["findings"][0]["code"]).into());
    }
    // Of whatever level: a wait that is stronger than needed is a note.
    if hint && json["hints"].as_array().is_none_or(Vec::is_empty) {
        return Err("a hint is expected and none was given".into());
    }
    Ok(())
}

/// The findings are those that the case is about: `# finds: CODE at LINE`.
fn reason(launch: &Path, text: &str, json: &serde_json::Value) -> Result<(), Failed> {
    let findings = json["findings"].as_array().into_iter().flatten();
    // A place in the launch file moves with its comments.
    let line = |finding: &serde_json::Value| {
        let of_kernel = finding["primary"]["file"].as_str().is_some_and(|f| !f.ends_with(".toml"));
        finding["primary"]["line"].as_u64().filter(|_| of_kernel)
    };
    let found: Vec<String> = findings
        .map(|finding| {
            let code = finding["code"].as_str().unwrap_or_default();
            line(finding).map_or_else(|| code.to_owned(), |line| format!("{code} at {line}"))
        })
        .collect();
    match text.lines().find_map(|l| l.strip_prefix("# finds: ")) {
        Some(want) if found.iter().any(|f| f == want || f.starts_with(&format!("{want} at "))) => Ok(()),
        Some(want) => Err(format!("want {want}, found {found:?}").into()),
        None if std::env::var_os("BLESS").is_some() => {
            let first = found.first().ok_or("no finding")?;
            Ok(std::fs::write(launch, format!("# finds: {first}\n{text}")).map_err(|e| e.to_string())?)
        }
        None => Err(format!("the case does not say what is found (`# finds: …`): {found:?}").into()),
    }
}
