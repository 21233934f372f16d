//! Counts of tests, read from what cargo prints.

use std::fmt;
use std::ops::AddAssign;

/// How many tests ran and how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed or timed out.
    pub failed: u64,
    /// Tests that were not run.
    pub skipped: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// Adds up `cargo test`'s "test result:" lines and nextest's "Summary" line. What nextest quotes of a failed test is indented and
/// has been counted.
pub fn read(output: &str) -> Tally {
    let mut sum = Tally::default();
    for line in output.lines() {
        let counts = line.strip_prefix("test result:").or_else(|| {
            line.trim_start().strip_prefix("Summary")?.split_once("run:").map(|(_, counts)| counts)
        });
        let Some(counts) = counts else { continue };
        for part in counts.split([',', ';', '.']) {
            let words: Vec<&str> = part.split_whitespace().collect();
            // `ok. 5 passed` and `5 passed (1 slow)` both end up with the number just before the word.
            for pair in words.windows(2) {
                let Ok(n) = pair[0].parse::<u64>() else { continue };
                match pair[1] {
                    "passed" => sum.passed += n,
                    "failed" | "timed" => sum.failed += n,
                    "ignored" | "skipped" => sum.skipped += n,
                    _ => {}
                }
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_runners() {
        let text = "test result: ok. 5 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
                    \u{20}    Summary [   0.011s] 8 tests run: 7 passed (1 slow), 1 failed, 3 skipped\n\
                    \u{20}   test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 64 filtered out\n";
        assert_eq!(read(text), Tally { passed: 12, failed: 2, skipped: 5 });
    }
}
