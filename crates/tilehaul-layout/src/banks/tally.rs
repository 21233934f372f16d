//! Bank counts of a kernel's accesses, grouped by the place in its source.
//!
//! The machine reports each shared-memory access of a warp; whoever watches it hands the lane addresses here with a
//! key of its own for the place. The sums are in key order, so two runs give the same report.

use std::collections::BTreeMap;

use super::count::count;
use super::rules::{Chip, Kind, Switches, Unknown, Width};

/// Sums of all accesses, by place.
#[derive(Clone, Debug, Default)]
pub struct Tally<K: Ord> {
    places: BTreeMap<(K, Kind, Width), PlaceTally>,
}

/// Sums of the accesses of one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceTally {
    /// Accesses, each of one warp or wave.
    pub accesses: u64,
    /// Wavefronts of all of them.
    pub wavefronts: u64,
    /// Wavefronts of the same bytes in the best arrangement.
    pub ideal: u64,
    /// Wavefronts of the most expensive one.
    pub worst: u32,
    /// Lane addresses of the most expensive one, to be shown.
    pub worst_addresses: Vec<Option<u64>>,
}

impl<K: Ord + Clone> Tally<K> {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Tally<K> {
        Tally { places: BTreeMap::new() }
    }

    /// Counts one access.
    ///
    /// # Errors
    /// When no source tells the chip's schedule for it; nothing is counted then.
    pub fn add(
        &mut self,
        place: &K,
        chip: Chip,
        kind: Kind,
        width: Width,
        addresses: &[Option<u64>],
        switches: Switches,
    ) -> Result<(), Unknown> {
        let report = count(chip, kind, width, addresses, switches)?;
        let sum = self.places.entry((place.clone(), kind, width)).or_default();
        sum.accesses += 1;
        sum.wavefronts += u64::from(report.wavefronts);
        sum.ideal += u64::from(report.ideal);
        if report.wavefronts > sum.worst {
            sum.worst = report.wavefronts;
            sum.worst_addresses = addresses.to_vec();
        }
        Ok(())
    }

    /// Every place with its kind, width and sums, in order.
    pub fn places(&self) -> impl Iterator<Item = (&K, Kind, Width, &PlaceTally)> {
        self.places.iter().map(|((place, kind, width), sum)| (place, *kind, *width, sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_summed_apart() {
        let mut tally = Tally::new();
        let width = Width::new(32).unwrap();
        let column: Vec<_> = (0..32).map(|l| Some(l * 128)).collect();
        let row: Vec<_> = (0..32).map(|l| Some(l * 4)).collect();
        for addresses in [&column, &row, &row] {
            tally.add(&7, Chip::Nvidia, Kind::Load, width, addresses, Switches::default()).unwrap();
        }
        tally.add(&3, Chip::Nvidia, Kind::Store, width, &row, Switches::default()).unwrap();
        let seen: Vec<_> =
            tally.places().map(|(k, kind, _, s)| (*k, kind, s.accesses, s.wavefronts, s.worst)).collect();
        assert_eq!(seen, [(3, Kind::Store, 1, 1, 1), (7, Kind::Load, 3, 34, 32)]);
    }
}
