//! Writes random programs and their launch files: `generate DIR FIRST COUNT`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let dir = args.next().unwrap_or_else(|| ".".to_owned());
    let first: u64 = args.next().and_then(|a| a.parse().ok()).unwrap_or(0);
    let count: u64 = args.next().and_then(|a| a.parse().ok()).unwrap_or(1);
    for seed in first..first + count {
        let name = format!("random{seed}");
        let program = tilehaul_hw::generate::generate(seed, &name);
        std::fs::write(Path::new(&dir).join(format!("{name}.ptx")), program.ptx)?;
        std::fs::write(Path::new(&dir).join(format!("{name}.launch.toml")), program.launch)?;
    }
    Ok(())
}
