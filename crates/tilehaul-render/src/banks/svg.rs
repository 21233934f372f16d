//! The lanes of an access over the banks: one panel for each phase.

use tilehaul_layout::banks::{BankReport, Width};

use super::{chip_line, lanes_text};
use crate::svg::{Anchor, Canvas, colour};

/// Distinct words of one bank, each with the lanes that want it, in order of address.
type BankWords = Vec<(u64, Vec<usize>)>;

/// Most phases that are drawn.
const SHOWN: usize = 4;
/// Most turns of a phase that are drawn.
const TURNS: u32 = 16;

/// Each phase as a grid: banks to the right, wavefronts down; a cell is one word with the lanes that want it.
#[must_use]
pub fn picture(report: &BankReport, addresses: &[Option<u64>], width: Width, title: &str) -> String {
    let banks = report.rule.banks.max(1);
    let cell = (if banks > 32 { 15.0 } else { 26.0 }, 20.0);
    let left = 84.0;
    let phases: Vec<Vec<BankWords>> =
        report.phases.iter().take(SHOWN).map(|p| columns(p.lanes, p.word, addresses, width, banks)).collect();
    let heights: Vec<usize> = phases
        .iter()
        .map(|banks| banks.iter().map(Vec::len).max().unwrap_or(0).min(TURNS as usize))
        .collect();
    let total: f64 = heights.iter().map(|h| *h as f64 * cell.1 + 62.0).sum();
    let mut canvas =
        Canvas::new((left + f64::from(banks) * cell.0 + 30.0).max(640.0), 100.0 + total + 40.0, title);
    canvas.heading((24.0, 32.0), title, 17.0);
    let sum = format!(
        "{}; {} wavefronts, {} in the best arrangement",
        chip_line(report.rule.chip, banks),
        report.wavefronts,
        report.ideal
    );
    let ink = if report.conflicts() > 0 { colour::BAD } else { colour::GOOD };
    canvas.text((24.0, 54.0), &sum, 13.0, ink, Anchor::Start);
    let mut y = 92.0;
    for ((phase, banks), height) in report.phases.iter().zip(&phases).zip(&heights) {
        let word = phase.word.map_or_else(String::new, |w| format!(", word {w}"));
        let name = format!(
            "lanes {}{word}: {} wavefront{}",
            lanes_text(phase.lanes),
            phase.wavefronts,
            if phase.wavefronts == 1 { "" } else { "s" }
        );
        canvas.heading((left, y), &name, 13.0);
        y += 24.0;
        for (bank, _) in banks.iter().enumerate().filter(|(b, _)| b % 4 == 0) {
            let x = left + (bank as f64 + 0.5) * cell.0;
            canvas.text((x, y - 4.0), &bank.to_string(), 9.0, colour::FAINT, Anchor::Middle);
        }
        for row in 0..*height {
            let at = (left - 8.0, y + row as f64 * cell.1 + 14.0);
            canvas.text(at, &format!("turn {row}"), 10.0, colour::FAINT, Anchor::End);
        }
        for (bank, words) in banks.iter().enumerate() {
            for row in 0..(*height).max(1) {
                let at = (left + bank as f64 * cell.0, y + row as f64 * cell.1);
                match words.get(row) {
                    None => canvas.rect(at.0, at.1, cell.0, cell.1, colour::TENSOR, Some("#ffffff")),
                    Some((word, lanes)) => {
                        let fill = if row == 0 { colour::TILE_PALE } else { colour::BAD_PALE };
                        let who: Vec<String> = lanes.iter().map(usize::to_string).collect();
                        let hover = format!("bank {bank}, byte {}: lane {}", 4 * word, who.join(", lane "));
                        let text = who.first().cloned().unwrap_or_default();
                        canvas.cell(at, cell, fill, &text, &hover);
                    }
                }
            }
        }
        y += *height as f64 * cell.1 + 38.0;
    }
    let mut notes = vec![
        "Each cell is one word; its number is the first lane that wants it. Red words wait for a later turn."
            .to_string(),
    ];
    if report.phases.iter().any(|p| p.wavefronts > TURNS) {
        notes.push(format!("First {TURNS} turns drawn."));
    }
    if report.phases.len() > SHOWN {
        notes.push(format!("First {SHOWN} of {} phases drawn.", report.phases.len()));
    }
    canvas.text((24.0, y + 6.0), &notes.join(" "), 12.0, colour::FAINT, Anchor::Start);
    canvas.finish()
}

/// The words of each bank.
fn columns(
    mask: u64,
    word: Option<u32>,
    addresses: &[Option<u64>],
    width: Width,
    banks: u32,
) -> Vec<BankWords> {
    let mut all: Vec<BankWords> = vec![Vec::new(); banks as usize];
    for (lane, address) in addresses.iter().enumerate().take(64) {
        let (true, Some(address)) = (mask >> lane & 1 == 1, *address) else { continue };
        let (first, last) = match word {
            Some(w) => (address / 4 + u64::from(w), address / 4 + u64::from(w)),
            None => (address / 4, address.saturating_add(u64::from(width.bytes()) - 1) / 4),
        };
        for w in first..=last {
            let Some(column) = all.get_mut((w % u64::from(banks)) as usize) else { continue };
            match column.iter_mut().find(|(at, _)| *at == w) {
                Some((_, lanes)) => lanes.push(lane),
                None => column.push((w, vec![lane])),
            }
        }
    }
    for column in &mut all {
        column.sort();
    }
    all
}
