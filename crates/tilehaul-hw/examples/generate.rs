//! Writes random programs and their launch files: `generate DIR FIRST COUNT`, or one program for each instruction:
//! `generate DIR single`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let dir = args.next().unwrap_or_else(|| ".".to_owned());
    let mode = args.next();
    if mode.as_deref() == Some("single") {
        for index in 0.. {
            let name = format!("single{index}");
            let Some(program) = tilehaul_hw::generate::generate_single(index, index as u64, &name) else {
                break;
            };
            std::fs::write(Path::new(&dir).join(format!("{name}.ptx")), program.ptx)?;
            std::fs::write(Path::new(&dir).join(format!("{name}.launch.toml")), program.launch)?;
        }
        return Ok(());
    }
    let first: u64 = mode.and_then(|a| a.parse().ok()).unwrap_or(0);
    let count: u64 = args.next().and_then(|a| a.parse().ok()).unwrap_or(1);
    for seed in first..first + count {
        let name = format!("random{seed}");
        let program = tilehaul_hw::generate::generate(seed, &name);
        std::fs::write(Path::new(&dir).join(format!("{name}.ptx")), program.ptx)?;
        std::fs::write(Path::new(&dir).join(format!("{name}.launch.toml")), program.launch)?;
    }
    Ok(())
}
