//! Bank conflicts that loads and stores of shared memory had, as hints.
//!
//! Who is served together, and on how many banks, is [`tilehaul_layout::banks`], which names its sources.
//!
//! Soundness: counts are of what the runs did. Nothing is said of conflicts that cost little (`Seen::worth_telling`), of
//! accesses whose schedule no source tells, and of transposing loads, which are served otherwise.

use rustc_hash::FxHashMap;
use tilehaul_layout::banks::{Chip, Kind, Switches, Swizzle, Width, count};
use tilehaul_machine::{Access, AccessKind, PlaceId, Program, Proxy, Replay, Space};

use crate::finding::Finding;
use crate::hazard::bank_conflict::{self, Counts};

/// Executions of an instruction that are looked at in a run.
const LOOKED_AT: u8 = 64;
/// The least factor that is told.
const FACTOR: u64 = 4;
/// The least share of all passes of the run that is told: passes too many, one in so many.
const SHARE: u64 = 50;
/// Most places that are told one by one, the dearest.
const TOLD: usize = 4;

/// What one instruction did.
#[derive(Clone, Debug, Default)]
struct Seen {
    executions: u32,
    /// Passes over the banks, and how many would do without conflicts.
    passes: u64,
    least: u64,
    /// Its execution with the most passes.
    worst: Option<Worst>,
}

/// One execution: the address of each lane that took part.
#[derive(Clone, Debug)]
struct Worst {
    lanes: Vec<Option<u64>>,
    kind: Kind,
    width: Width,
    passes: u32,
    least: u32,
}

/// Conflicts by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Banks {
    /// Whose banks; none where nothing is to be said of them.
    pub(crate) chip: Option<Chip>,
    places: FxHashMap<PlaceId, Seen>,
    /// Executions that were looked at, by number of the place.
    looked_at: Vec<u8>,
}

impl Banks {
    /// An access of a warp; `row` when its lanes lie side by side.
    pub(crate) fn saw(&mut self, access: &Access<'_>, kind: AccessKind, row: bool) {
        let kind = match kind {
            AccessKind::Read => Kind::Load,
            AccessKind::Write => Kind::Store,
            _ => return,
        };
        let (Some(chip), Space::Shared(_), Proxy::Generic) = (self.chip, access.space, access.proxy) else {
            return;
        };
        let number = access.who.place.0 as usize;
        if number >= self.looked_at.len() {
            self.looked_at.resize(number + 1, 0);
        }
        if self.looked_at[number] >= LOOKED_AT {
            return;
        }
        self.looked_at[number] += 1;
        let seen = self.places.entry(access.who.place).or_default();
        seen.executions += 1;
        let lanes = access.who.lanes;
        if row {
            let passes = (u64::from(lanes.0.count_ones()) * u64::from(access.size))
                .div_ceil(u64::from(chip.banks()) * 4);
            seen.passes += passes.max(1);
            seen.least += passes.max(1);
            return;
        }
        let Some(width) = access.size.checked_mul(8).and_then(Width::new) else { return };
        let address =
            |lane: u32| access.addresses.get(lane as usize).copied().filter(|_| lanes.0 >> lane & 1 == 1);
        let lanes: Vec<Option<u64>> = (0..chip.lanes()).map(address).collect();
        let Ok(report) = count(chip, kind, width, &lanes, Switches::default()) else { return };
        let (passes, least) = (report.wavefronts, report.ideal);
        seen.passes += u64::from(passes);
        seen.least += u64::from(least);
        if passes > least && seen.worst.as_ref().is_none_or(|w| passes > w.passes) {
            seen.worst = Some(Worst { lanes, kind, width, passes, least });
        }
    }

    /// What is worth telling.
    pub(crate) fn findings(&self, program: &dyn Program, replay: Replay) -> Vec<Finding> {
        let Some(chip) = self.chip else { return Vec::new() };
        let all = self.places.values().map(|seen| seen.passes).sum();
        let mut told: Vec<(PlaceId, &Seen, &Worst)> = self
            .places
            .iter()
            .filter(|(_, seen)| seen.worth_telling(all))
            .filter_map(|(&place, seen)| Some((place, seen, seen.worst.as_ref()?)))
            .filter(|&(place, ..)| !program.traits(place).transposes)
            .collect();
        told.sort_unstable_by_key(|&(place, seen, _)| (std::cmp::Reverse(seen.passes - seen.least), place));
        let others = told.len().saturating_sub(TOLD);
        told.truncate(TOLD);
        let last = told.len().saturating_sub(1);
        let finding = |(k, &(place, seen, worst)): (usize, &(PlaceId, &Seen, &Worst))| {
            let counts = Counts {
                passes: seen.passes,
                least: seen.least,
                executions: seen.executions,
                others: if k == last { others } else { 0 },
            };
            let what = if worst.kind == Kind::Store { "store to" } else { "load from" };
            bank_conflict::finding(place, what, counts, &worst.cures(chip), replay)
        };
        told.iter().enumerate().map(finding).collect()
    }
}

impl Seen {
    /// Conflicts that cost several times what is needed, and a part of the run that counts.
    fn worth_telling(&self, all: u64) -> bool {
        self.passes >= FACTOR * self.least && (self.passes - self.least) * SHARE >= all
    }
}

impl Worst {
    /// Changes of the layout after which these lanes would need no more passes than they must.
    fn cures(&self, chip: Chip) -> Vec<String> {
        let cured = |change: &dyn Fn(u64) -> u64| {
            let moved: Vec<Option<u64>> = self.lanes.iter().map(|a| a.map(change)).collect();
            count(chip, self.kind, self.width, &moved, Switches::default())
                .is_ok_and(|report| report.wavefronts <= self.least)
        };
        let mut found = Vec::new();
        if chip == Chip::Nvidia {
            // From the narrowest on: what cures with the least change.
            let names = [(Swizzle::B32, "32B"), (Swizzle::B64, "64B"), (Swizzle::B128, "128B")];
            let cure = names.into_iter().find(|(swizzle, _)| cured(&|a| swizzle.permute(a)));
            found.extend(cure.map(|(_, name)| format!("the {name} swizzle")));
        }
        // The pitch of what look like rows: the nearest lane that is a line of banks or more away.
        let line = u64::from(chip.banks()) * 4;
        let addresses = || self.lanes.iter().flatten().copied();
        let first = addresses().min().unwrap_or(0);
        if let Some(pitch) = addresses().map(|a| a - first).filter(|&d| d >= line).min() {
            let mut pads = [4u64, 8, 16, 32].into_iter().filter(|&pad| pad >= u64::from(self.width.bytes()));
            if let Some(pad) = pads.find(|pad| cured(&|a| a + (a - first) / pitch * pad)) {
                found.push(format!("{pad} bytes of padding behind each row of {pitch} bytes"));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cures(chip: Chip, bits: u32, address: impl Fn(u64) -> u64) -> Vec<String> {
        let lanes: Vec<Option<u64>> = (0..u64::from(chip.lanes())).map(|l| Some(address(l))).collect();
        let (kind, width) = (Kind::Load, Width::new(bits).unwrap());
        let report = count(chip, kind, width, &lanes, Switches::default()).unwrap();
        let (passes, least) = (report.wavefronts, report.ideal);
        Worst { lanes, kind, width, passes, least }.cures(chip)
    }

    #[test]
    fn what_would_help_is_tried() {
        // Rows of 128 bytes read as a column of words: a swizzle of 16-byte pieces leaves four rows in a bank.
        assert_eq!(cures(Chip::Nvidia, 32, |l| l * 128), ["4 bytes of padding behind each row of 128 bytes"]);
        let both = ["the 128B swizzle", "16 bytes of padding behind each row of 128 bytes"];
        assert_eq!(cures(Chip::Nvidia, 128, |l| l * 128), both);
        assert_eq!(
            cures(Chip::Gfx1250, 32, |l| l * 256),
            ["4 bytes of padding behind each row of 256 bytes"]
        );
    }

    #[test]
    fn small_parts_of_a_run_are_not_told() {
        let seen = Seen { executions: 1, passes: 32, least: 1, worst: None };
        assert!(seen.worth_telling(32));
        assert!(!seen.worth_telling(10_000));
        assert!(!Seen { executions: 1, passes: 3, least: 1, worst: None }.worth_telling(3));
    }
}
