//! LLVM IR becomes a code object, where LLVM 22 or newer is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The oldest LLVM whose code objects for gfx1250 are understood.
const OLDEST: u32 = 22;
/// Versions that programs may carry in their names.
const NEWEST: u32 = 40;

/// Compiles IR text for a target such as `gfx950`: `llc`, then `ld.lld`, in a folder of its own.
///
/// # Errors
/// A sentence for the user: a program that is missing or too old, or what it said.
pub fn compile(text: &str, target: &str) -> Result<Vec<u8>, String> {
    let llc = find("llc")?;
    let lld = find("ld.lld")?;
    let folder = Folder::new()?;
    let (source, object, linked) = (folder.file("k.ll"), folder.file("k.o"), folder.file("k.hsaco"));
    std::fs::write(&source, text).map_err(|e| format!("cannot write {}: {e}", source.display()))?;
    let mut command = Command::new(&llc);
    command.args(["-O2", "-mtriple=amdgcn-amd-amdhsa", &format!("-mcpu={target}"), "-filetype=obj"]);
    tell(command.arg(&source).arg("-o").arg(&object), &llc)?;
    let mut command = Command::new(&lld);
    tell(command.arg("-shared").arg(&object).arg("-o").arg(&linked), &lld)?;
    std::fs::read(&linked).map_err(|e| format!("cannot read {}: {e}", linked.display()))
}

/// A folder that goes with its value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tilehaul-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| format!("cannot make {}: {e}", path.display()))?;
        Ok(Folder(path))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The newest program of that name on the search path: `llc-24`, …, `llc-22`, or `llc` of one of these versions.
fn find(name: &str) -> Result<PathBuf, String> {
    let names = (OLDEST..=NEWEST).rev().map(|v| format!("{name}-{v}")).chain([name.to_owned()]);
    let mut old = None;
    for name in names {
        match version(Path::new(&name)) {
            Some(v) if v >= OLDEST => return Ok(PathBuf::from(name)),
            Some(v) => old = Some(v),
            None => {}
        }
    }
    Err(match old {
        Some(v) => {
            format!("{name} on the search path is LLVM {v}: LLVM IR needs LLVM {OLDEST} or newer to be run")
        }
        None => format!(
            "no {name} is on the search path: LLVM IR is compiled by LLVM {OLDEST} or newer before it runs; without, `tilehaul check X.ll --target T` checks its text"
        ),
    })
}

/// The major version that a program says it is of.
fn version(program: &Path) -> Option<u32> {
    let output = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let after = text.split_once("LLVM version ").or_else(|| text.split_once("LLD "))?.1;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn tell(command: &mut Command, program: &Path) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("cannot start {}: {e}", program.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // A crash prints a page; the first lines say what it is about.
    let first: Vec<&str> = said.lines().filter(|l| !l.trim().is_empty()).take(3).collect();
    Err(format!("{} refuses it: {}", program.display(), first.join(" / ")))
}
