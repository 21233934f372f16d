//! LLVM IR is compiled and looked at, or run, where LLVM 22 or newer is installed; where it is not, the command says so.
//!
//! Both are tests: what is installed is found out here, apart from the command.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test says why it has less to do"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn tilehaul(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tilehaul")).current_dir(root()).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Whether `llc` and `ld.lld` of LLVM 22 or newer can be started.
fn installed() -> bool {
    let version = |program: &str| -> Option<u32> {
        let output = Command::new(program).arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let after = text.split("LLVM version ").nth(1).or_else(|| text.split("LLD ").nth(1))?;
        after.split('.').next()?.trim().parse().ok()
    };
    let any = |name: &str| {
        (22..=40)
            .map(|v| format!("{name}-{v}"))
            .chain([name.to_owned()])
            .any(|program| version(&program).is_some_and(|v| v >= 22))
    };
    any("llc") && any("ld.lld")
}

/// Runs the rest of a test where LLVM is; else the command must name what is missing.
fn with_llvm(arguments: &[&str], rest: impl FnOnce(&Output)) {
    let output = tilehaul(arguments);
    if installed() {
        return rest(&output);
    }
    eprintln!("skipped: no LLVM 22 or newer on the search path");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("on the search path"), "{}", said(&output));
}

#[test]
fn the_compiled_kernel_is_looked_at() {
    for (target, kernel) in [("gfx950", "lds_dma_forms"), ("gfx1250", "async_copy")] {
        let file = format!("cases/kernels/{target}/{kernel}/source.ll");
        with_llvm(&["check", &file, "--target", target, "--compile"], |output| {
            let text = said(output);
            assert_eq!(output.status.code(), Some(0), "{text}");
            assert!(text.contains(&format!("compiled: kernel {kernel} for {target}: waves of")), "{text}");
            assert!(text.contains("clean: 0 findings"), "{text}");
        });
    }
}

#[test]
fn what_llvm_refuses_is_refused_with_its_words() {
    let folder = std::env::temp_dir().join(format!("tilehaul-refused-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("k.ll");
    std::fs::write(
        &file,
        "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n  %x = add i32 1, \"a\"\n  ret void\n}\n",
    )
    .unwrap();
    with_llvm(&["check", &file.display().to_string(), "--target", "gfx950", "--compile"], |output| {
        let text = said(output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("refuses it") && text.contains("expected value token"), "{text}");
    });
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_launch_may_name_llvm_ir() {
    let kernel = root().join("cases/kernels/gfx950/lds_dma_forms");
    let folder = std::env::temp_dir().join(format!("tilehaul-launch-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(&kernel).unwrap().filter_map(Result::ok) {
        std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    let launch = std::fs::read_to_string(kernel.join("launch.toml")).unwrap();
    let named: Vec<String> =
        launch
            .lines()
            .filter(|line| !line.starts_with("also"))
            .map(|line| {
                if line.starts_with("kernel ") {
                    "kernel = \"source.ll\"".to_owned()
                } else {
                    line.to_owned()
                }
            })
            .collect();
    assert!(named.iter().any(|line| line.contains("source.ll")), "{launch}");
    std::fs::write(folder.join("launch.toml"), named.join("\n")).unwrap();
    with_llvm(&["check", &folder.display().to_string(), "--seeds", "2"], |output| {
        let text = said(output);
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.contains("clean"), "{text}");
    });
    std::fs::remove_dir_all(&folder).unwrap();
}
