//! What a wavefront costs on an H200: cycles of a warp-wide `ld.shared` in a loop of back-to-back loads.
//!
//! Above the issue floor of its width a load costs one straight line in its wavefronts. The lines are the minimax fits
//! to all recorded loads above the floor; every one of them lies within half a wavefront of its line.

use super::rules::Width;

/// Cycles of one load as `start + slope * wavefronts`, never less than `floor`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Width of a lane in bits.
    pub width: u32,
    /// Cycles that back-to-back loads take when the banks are not the limit.
    pub floor: f64,
    /// Cycles a wavefront.
    pub slope: f64,
    /// Cycles before the first.
    pub start: f64,
}

/// The lines (hardware: h200 timing, bank records).
pub const LINES: [Line; 3] = [
    Line { width: 32, floor: 4.98, slope: 1.998, start: 0.779 },
    Line { width: 64, floor: 9.45, slope: 1.888, start: 4.315 },
    Line { width: 128, floor: 11.2, slope: 1.968, start: 2.537 },
];

/// Cycles of one warp-wide load among many, or `None` for a width that was not measured.
#[must_use]
pub fn cycles(width: Width, wavefronts: u32) -> Option<f64> {
    let line = LINES.iter().find(|l| l.width == width.bits())?;
    Some(line.floor.max(line.start + line.slope * f64::from(wavefronts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::banks::{Chip, Kind, Switches, count};

    #[test]
    fn every_recorded_load_is_within_one_wavefront() {
        let text = include_str!("../../../../evidence/h200/bank.jsonl");
        let mut seen = [0; 3];
        for record in text.lines() {
            let record: serde_json::Value = serde_json::from_str(record).unwrap();
            let width = Width::new(record["width"].as_u64().unwrap() as u32).unwrap();
            let addresses: Vec<_> = record["addrs"].as_array().unwrap().iter().map(|a| a.as_u64()).collect();
            let report = count(Chip::Nvidia, Kind::Load, width, &addresses, Switches::default()).unwrap();
            let k = LINES.iter().position(|l| l.width == width.bits()).unwrap();
            seen[k] += 1;
            let measured = record["cycles_per_load"].as_f64().unwrap();
            let off = (measured - cycles(width, report.wavefronts).unwrap()).abs();
            assert!(off <= LINES[k].slope, "{}: {off} cycles off", record["label"]);
            // Above the floor the recorded points lie within half a wavefront of the line.
            if LINES[k].start + LINES[k].slope * f64::from(report.wavefronts) > LINES[k].floor {
                assert!(off <= LINES[k].slope / 2.0, "{}: {off} cycles off", record["label"]);
            }
        }
        assert_eq!(seen, [123, 122, 121]);
    }

    #[test]
    fn equal_wavefronts_cost_equal_cycles() {
        // The phases are right only if nothing but the number of wavefronts decides the cycles.
        let text = include_str!("../../../../evidence/h200/bank.jsonl");
        let mut by_count = std::collections::BTreeMap::new();
        for record in text.lines() {
            let record: serde_json::Value = serde_json::from_str(record).unwrap();
            let width = Width::new(record["width"].as_u64().unwrap() as u32).unwrap();
            let addresses: Vec<_> = record["addrs"].as_array().unwrap().iter().map(|a| a.as_u64()).collect();
            let report = count(Chip::Nvidia, Kind::Load, width, &addresses, Switches::default()).unwrap();
            let measured = record["cycles_per_load"].as_f64().unwrap();
            let range = by_count.entry((width, report.wavefronts)).or_insert((measured, measured));
            *range = (range.0.min(measured), range.1.max(measured));
        }
        for ((width, wavefronts), (least, most)) in by_count {
            if most > cycles(width, 1).unwrap() + 2.0 {
                assert!(most - least < 0.01, "{width:?} {wavefronts}: {least} to {most}");
            }
        }
    }
}
