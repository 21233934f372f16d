//! Bank reports and candidates as tables, JSON and a picture.

mod svg;

use serde_json::{Value, json};
use tilehaul_layout::banks::search::Candidate;
use tilehaul_layout::banks::{BankReport, Chip, Kind, PlaceTally, Width};

use crate::layout::columns_text;
pub use svg::picture;

/// A report: the sum in one sentence, then one line for each phase.
#[must_use]
pub fn table(report: &BankReport) -> String {
    let conflicts = report.conflicts();
    let verdict = match conflicts {
        0 => "no conflict".to_string(),
        n => format!("{n} more than the {} of the best arrangement", report.ideal),
    };
    let mut text = format!(
        "{} wavefront{} ({verdict}), {} banks on {}; {}\n",
        report.wavefronts,
        if report.wavefronts == 1 { "" } else { "s" },
        report.rule.banks,
        report.rule.chip.name(),
        report.rule.source
    );
    let mut lines = vec![vec![
        "phase".to_string(),
        "lanes".into(),
        "wavefronts".into(),
        "fullest bank".into(),
        "words".into(),
    ]];
    for (k, phase) in report.phases.iter().enumerate() {
        let word = phase.word.map_or_else(String::new, |w| format!(" word {w}"));
        lines.push(vec![
            k.to_string(),
            format!("{}{word}", lanes_text(phase.lanes)),
            phase.wavefronts.to_string(),
            phase.bank.to_string(),
            phase.words.to_string(),
        ]);
    }
    text.push_str(&columns_text(&lines));
    text
}

/// Candidates of a search, best first, at most `most`.
#[must_use]
pub fn candidates_table(found: &[Candidate], most: usize) -> String {
    let mut lines = vec![vec![
        "conflicts".to_string(),
        "wavefronts".into(),
        "wasted bytes".into(),
        "transfers".into(),
        "arrangement".into(),
        "readable".into(),
    ]];
    for c in found.iter().take(most) {
        lines.push(vec![
            c.conflicts().to_string(),
            c.wavefronts.to_string(),
            c.wasted.to_string(),
            c.boxes.to_string(),
            c.arrangement.to_string(),
            c.readable.words().to_string(),
        ]);
    }
    let mut text = columns_text(&lines);
    if found.len() > most {
        text.push_str(&format!("({most} of {} arrangements)\n", found.len()));
    }
    text
}

/// Sums of one instruction of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct PlaceRow<'a> {
    /// File and line.
    pub place: &'a str,
    /// The instruction.
    pub text: &'a str,
    /// Load or store.
    pub kind: Kind,
    /// Bits of a lane.
    pub width: Width,
    /// The sums.
    pub sums: &'a PlaceTally,
}

/// Shared accesses of a run by instruction, at most `most`, in the order given.
#[must_use]
pub fn places_table(rows: &[PlaceRow<'_>], most: usize) -> String {
    if rows.is_empty() {
        return "no access of threads to shared memory\n".to_string();
    }
    let mut lines = vec![vec![
        "conflicts".to_string(),
        "wavefronts".into(),
        "accesses".into(),
        "worst".into(),
        "bits".into(),
        "place".into(),
        "instruction".into(),
    ]];
    for r in rows.iter().take(most) {
        let text: String = r.text.trim().chars().take(72).collect();
        lines.push(vec![
            (r.sums.wavefronts - r.sums.ideal).to_string(),
            r.sums.wavefronts.to_string(),
            r.sums.accesses.to_string(),
            r.sums.worst.to_string(),
            r.width.bits().to_string(),
            r.place.to_string(),
            text,
        ]);
    }
    let mut text = columns_text(&lines);
    if rows.len() > most {
        text.push_str(&format!("({most} of {} instructions)\n", rows.len()));
    }
    text
}

/// The same as JSON, all of them.
#[must_use]
pub fn places_json(rows: &[PlaceRow<'_>]) -> Value {
    rows.iter()
        .map(|r| {
            json!({
                "place": r.place,
                "instruction": r.text.trim(),
                "kind": match r.kind {
                    Kind::Load => "load",
                    Kind::Store => "store",
                    Kind::Transpose => "transposing load",
                },
                "width": r.width.bits(),
                "accesses": r.sums.accesses,
                "wavefronts": r.sums.wavefronts,
                "ideal": r.sums.ideal,
                "worst": r.sums.worst,
            })
        })
        .collect()
}

/// A report as JSON.
#[must_use]
pub fn json(report: &BankReport) -> Value {
    let phases: Vec<Value> = report
        .phases
        .iter()
        .map(|p| {
            json!({
                "lanes": lanes_text(p.lanes),
                "word": p.word,
                "wavefronts": p.wavefronts,
                "bank": p.bank,
                "words": p.words,
            })
        })
        .collect();
    json!({
        "wavefronts": report.wavefronts,
        "ideal": report.ideal,
        "conflicts": report.conflicts(),
        "degree": report.degree(),
        "banks": report.rule.banks,
        "source": report.rule.source.to_string(),
        "phases": phases,
    })
}

/// Candidates as JSON, best first.
#[must_use]
pub fn candidates_json(found: &[Candidate], most: usize) -> Value {
    found
        .iter()
        .take(most)
        .map(|c| {
            json!({
                "arrangement": c.arrangement.to_string(),
                "conflicts": c.conflicts(),
                "wavefronts": c.wavefronts,
                "wasted_bytes": c.wasted,
                "transfers": c.boxes,
                "readable": c.readable.words(),
            })
        })
        .collect()
}

/// Lanes of a mask as ranges: `0-3,20-23`.
pub(crate) fn lanes_text(mask: u64) -> String {
    let mut parts = Vec::new();
    let mut lane = 0u32;
    while lane < 64 {
        if mask >> lane & 1 == 0 {
            lane += 1;
            continue;
        }
        let first = lane;
        while lane < 64 && mask >> lane & 1 == 1 {
            lane += 1;
        }
        let last = lane - 1;
        parts.push(if first == last { first.to_string() } else { format!("{first}-{last}") });
    }
    parts.join(",")
}

/// One line of a chip's report for pictures and tables.
pub(crate) fn chip_line(chip: Chip, banks: u32) -> String {
    format!("{}: {banks} banks of 4 bytes", chip.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilehaul_layout::banks::{Kind, Switches, Width, count};

    #[test]
    fn tables_name_the_fullest_bank() {
        assert_eq!(lanes_text(0b1111 | 1 << 63), "0-3,63");
        let addresses: Vec<_> = (0..32).map(|l| Some(l * 128)).collect();
        let width = Width::new(32).unwrap();
        let report = count(Chip::Nvidia, Kind::Load, width, &addresses, Switches::default()).unwrap();
        let text = table(&report);
        assert!(
            text.starts_with(
                "32 wavefronts (31 more than the 1 of the best arrangement), 32 banks on NVIDIA"
            )
        );
        assert!(picture(&report, &addresses, width, "a column").contains("bank 0, byte 1920: lane 15"));
    }
}
