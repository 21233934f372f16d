//! Files of the repository that are made by tilehaul itself: reference pages and pictures. `BLESS=1` writes them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing helper fails its test")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a file with what it should hold, or writes it.
fn fresh(path: &Path, want: &str) {
    let have = std::fs::read_to_string(path).unwrap_or_default();
    if have == want {
        return;
    }
    if std::env::var_os("BLESS").is_some_and(|v| !v.is_empty()) {
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(path, want))
            .unwrap_or_else(|e| panic!("{e}"));
        return;
    }
    panic!("{} is not fresh: run `cargo xtask docs`", path.display());
}

#[test]
fn reference_pages_are_fresh() {
    for (name, page) in tilehaul::reference::pages() {
        fresh(&root().join("docs/reference").join(name), &page);
    }
}

#[test]
fn pictures_are_fresh() {
    for (name, arguments) in [
        ("tile", "tile --dims 20,10 --stride 24 --tile 6,5 --at 9,3 --bound-from-tile"),
        ("edges", "edges --dims 16,9 --tile 8,6 --at 12,6"),
        ("banks", "banks --row-bytes 256 --rows 32 --pad-interval 64 --pad-amount 1"),
        ("gather", "gather 9,2,6,2"),
        ("registers", "registers"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_tilehaul"))
            .arg("draw")
            .args(arguments.split(' '))
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments}");
        let picture = String::from_utf8(output.stdout).unwrap();
        fresh(&root().join(format!("docs/pictures/{name}.svg")), &picture);
    }
}
