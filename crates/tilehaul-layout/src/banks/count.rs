//! Wavefronts of one access.

use super::rules::{BankRule, Chip, Kind, Service, Switches, Unknown, Width, rule};

/// What one access costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankReport {
    /// The schedule that was used.
    pub rule: &'static BankRule,
    /// Service cycles of the memory, over all phases.
    pub wavefronts: u32,
    /// Service cycles of the same bytes in the best arrangement: what distinct words and banks alone ask for.
    pub ideal: u32,
    /// Each phase that has an active lane.
    pub phases: Vec<Phase>,
}

impl BankReport {
    /// Wavefronts that a better arrangement would save.
    #[must_use]
    pub fn conflicts(&self) -> u32 {
        self.wavefronts - self.ideal
    }

    /// The largest number of wavefronts that one phase needs: "n-way conflict".
    #[must_use]
    pub fn degree(&self) -> u32 {
        self.phases.iter().map(|p| p.wavefronts).max().unwrap_or(0)
    }
}

/// One phase of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Active lanes, as a mask.
    pub lanes: u64,
    /// Which 32-bit word of each lane, when the chip serves word by word.
    pub word: Option<u32>,
    /// Wavefronts: the distinct words of the fullest bank.
    pub wavefronts: u32,
    /// The fullest bank; the lowest one of several.
    pub bank: u32,
    /// Distinct words in all banks together.
    pub words: u32,
}

/// Counts the wavefronts of one access from the byte address of each lane; `None` is an inactive lane. Lanes past the
/// chip's warp or wave are ignored.
///
/// # Errors
/// When no source tells the chip's schedule for this access.
pub fn count(
    chip: Chip,
    kind: Kind,
    width: Width,
    addresses: &[Option<u64>],
    switches: Switches,
) -> Result<BankReport, Unknown> {
    let rule = rule(chip, kind, width, switches)?;
    let lanes = chip.lanes();
    let mut report = BankReport { rule, wavefronts: 0, ideal: 0, phases: Vec::new() };
    let words = width.bytes().div_ceil(4);
    match rule.service {
        Service::Runs(n) => {
            for first in (0..lanes).step_by(n as usize) {
                let mask = (u64::MAX >> (64 - n)) << first;
                report.serve(mask, width, None, addresses);
            }
        }
        Service::Groups(groups) => {
            for &mask in groups {
                report.serve(mask, width, None, addresses);
            }
        }
        Service::WordByWord(n) => {
            for first in (0..lanes).step_by(n as usize) {
                let mask = (u64::MAX >> (64 - n)) << first;
                for word in 0..words {
                    report.serve(mask, width, Some(word), addresses);
                }
            }
        }
    }
    Ok(report)
}

/// 64 lanes of at most five words: four, or one more when an address is not aligned.
const MOST_WORDS: usize = 64 * 5;

impl BankReport {
    fn serve(&mut self, mask: u64, width: Width, word: Option<u32>, addresses: &[Option<u64>]) {
        let banks = self.rule.banks;
        let mut touched = [0u64; MOST_WORDS];
        let mut n = 0;
        let mut active = 0;
        for (lane, address) in addresses.iter().enumerate().take(64) {
            let (true, Some(address)) = (mask >> lane & 1 == 1, *address) else { continue };
            active |= 1 << lane;
            let (first, last) = match word {
                Some(w) => {
                    let at = address.saturating_add(u64::from(4 * w)) / 4;
                    (at, at)
                }
                None => (address / 4, address.saturating_add(u64::from(width.bytes()) - 1) / 4),
            };
            for w in first..=last {
                if let Some(slot) = touched.get_mut(n) {
                    *slot = w;
                    n += 1;
                }
            }
        }
        if n == 0 {
            return;
        }
        let touched = &mut touched[..n];
        touched.sort_unstable();
        let mut fill = [0u32; 64];
        let mut distinct = 0;
        let mut before = None;
        for &w in touched.iter() {
            if before != Some(w) {
                // Below 64: a remainder by the number of banks.
                fill[(w % u64::from(banks)) as usize] += 1;
                distinct += 1;
            }
            before = Some(w);
        }
        let (bank, wavefronts) =
            (0u32..).zip(fill).fold((0, 0), |best, (bank, n)| if n > best.1 { (bank, n) } else { best });
        self.wavefronts += wavefronts;
        self.ideal += u32::div_ceil(distinct, banks);
        self.phases.push(Phase { lanes: active, word, wavefronts, bank, words: distinct });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waves(chip: Chip, kind: Kind, bits: u32, at: impl Fn(u64) -> u64) -> (u32, u32) {
        let addresses: Vec<_> = (0..u64::from(chip.lanes())).map(|lane| Some(at(lane))).collect();
        let report = count(chip, kind, Width::new(bits).unwrap(), &addresses, Switches::default()).unwrap();
        (report.wavefronts, report.ideal)
    }

    #[test]
    fn broadcast_is_free_and_strides_are_not() {
        assert_eq!(waves(Chip::Nvidia, Kind::Load, 32, |_| 4), (1, 1));
        assert_eq!(waves(Chip::Nvidia, Kind::Load, 32, |l| 128 * l), (32, 1));
        assert_eq!(waves(Chip::Nvidia, Kind::Load, 8, |l| l), (1, 1));
        assert_eq!(waves(Chip::Nvidia, Kind::Load, 64, |l| 8 * l), (2, 2));
        assert_eq!(waves(Chip::Nvidia, Kind::Load, 128, |l| 16 * l), (4, 4));
        assert_eq!(waves(Chip::Nvidia, Kind::Load, 128, |l| 128 * l), (32, 4));
        assert_eq!(waves(Chip::Nvidia, Kind::Load, 128, |l| 144 * l), (4, 4));
        // The 128-byte swizzle spreads a column of 16-byte chunks over all banks.
        assert_eq!(waves(Chip::Nvidia, Kind::Load, 128, |l| (128 * l) ^ ((l & 7) << 4)), (4, 4));
    }

    #[test]
    fn amd_phases() {
        assert_eq!(waves(Chip::Cdna3, Kind::Load, 32, |l| 4 * l), (2, 2));
        assert_eq!(waves(Chip::Cdna3, Kind::Load, 128, |l| 16 * l), (8, 8));
        assert_eq!(waves(Chip::Cdna4, Kind::Load, 128, |l| 16 * l), (4, 4));
        assert_eq!(waves(Chip::Cdna4, Kind::Load, 32, |l| 256 * l), (64, 1));
        assert_eq!(waves(Chip::Gfx1250, Kind::Load, 128, |l| 16 * l), (2, 2));
        assert_eq!(waves(Chip::Gfx1250, Kind::Load, 32, |l| 256 * l), (32, 2));
        // The padding recipe of public kernels: 16 bytes after every 256-byte row.
        assert_eq!(waves(Chip::Gfx1250, Kind::Load, 128, |l| 272 * l), (2, 2));
        assert_eq!(waves(Chip::Gfx1250, Kind::Transpose, 128, |l| 16 * l).1, 8);
    }

    #[test]
    fn inactive_lanes_and_far_addresses_are_harmless() {
        let mut addresses = vec![None; 64];
        let width = Width::new(128).unwrap();
        let empty = count(Chip::Cdna3, Kind::Load, width, &addresses, Switches::default()).unwrap();
        assert_eq!((empty.wavefronts, empty.degree()), (0, 0));
        addresses[3] = Some(u64::MAX);
        let far = count(Chip::Cdna3, Kind::Load, width, &addresses, Switches::default()).unwrap();
        assert_eq!(far.wavefronts, 1);
    }
}
