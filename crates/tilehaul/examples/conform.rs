//! Compares record files with the model: `cargo run -p tilehaul --example conform -- FILE...`.

fn main() -> std::process::ExitCode {
    let mut bad = false;
    for path in std::env::args().skip(1) {
        let read = std::fs::read(&path).map_err(|e| e.to_string());
        match read.and_then(|bytes| tilehaul::conform::read(&bytes).map_err(|e| e.to_string())) {
            Ok(input) => {
                let report = tilehaul::conform::compare(&input);
                println!("{path}: {} of {} agree", report.agreed, report.total());
                for remark in report.remarks.iter().take(800) {
                    println!("  {} {}: {:?}", remark.index, remark.what, remark.outcome);
                }
                bad |= !report.remarks.is_empty();
            }
            Err(error) => {
                println!("{path}: {error}");
                bad = true;
            }
        }
    }
    std::process::ExitCode::from(u8::from(bad))
}
