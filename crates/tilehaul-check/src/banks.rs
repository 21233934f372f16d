//! Bank conflicts that loads and stores of shared memory had, as hints.
//!
//! manual: CUDA programming guide, shared memory: 32 banks of 4 bytes; lanes that want different words of one bank wait for
//! each other. Accesses of 8 bytes go in halves of the warp, of 16 bytes (and rows of `ldmatrix`) in quarters.
//! hardware: h200 bank measurements agree (`evidence/h200/bank.jsonl`).
//!
//! Soundness: counts are of what the runs did. Nothing is said of conflicts that cost little: see [`worth_telling`].

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tilehaul_machine::{Access, AccessKind, PlaceId, Replay, Space};

use crate::finding::Finding;
use crate::hazard;

/// Executions of an instruction that are looked at in a run.
const LOOKED_AT: u32 = 256;
/// The least factor that is told.
const FACTOR: u64 = 4;
/// The least number of passes too many that is told.
const EXTRA: u64 = 256;

/// What one instruction did.
#[derive(Clone, Debug, Default)]
struct Seen {
    executions: u32,
    /// Passes over the banks, and how many would do without conflicts.
    passes: u64,
    least: u64,
    /// Lane addresses of its worst execution, bytes of a lane, and its passes.
    worst: SmallVec<[u64; 32]>,
    size: u32,
    most: u64,
    store: bool,
}

/// Conflicts by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Banks {
    places: FxHashMap<PlaceId, Seen>,
}

impl Banks {
    /// An access of a warp; `row` when its lanes lie side by side.
    pub(crate) fn saw(&mut self, access: &Access<'_>, kind: AccessKind, row: bool) {
        let (Space::Shared(_), AccessKind::Read | AccessKind::Write) = (access.space, kind) else { return };
        let seen = self.places.entry(access.who.place).or_default();
        if seen.executions >= LOOKED_AT {
            return;
        }
        seen.executions += 1;
        let lanes: SmallVec<[u64; 32]> =
            access.who.lanes.iter().filter_map(|l| access.addresses.get(l as usize).copied()).collect();
        let (passes, least) = if row {
            let passes = (lanes.len() as u64 * u64::from(access.size)).div_ceil(128).max(1);
            (passes, passes)
        } else {
            passes(&lanes, access.size)
        };
        seen.passes += passes;
        seen.least += least;
        if passes > seen.most && passes > least {
            seen.worst = lanes;
            (seen.size, seen.most, seen.store) = (access.size, passes, kind == AccessKind::Write);
        }
    }

    /// What is worth telling.
    pub(crate) fn findings(&self, replay: Replay) -> Vec<Finding> {
        let told = |(place, seen): (PlaceId, &Seen)| {
            worth_telling(seen).then(|| {
                let least = passes(&seen.worst, seen.size).1;
                let cures = cures(&seen.worst, seen.size, least);
                let counts = (seen.passes, seen.least, seen.executions);
                let what = if seen.store { "store to" } else { "load from" };
                hazard::bank_conflict::finding(place, what, counts, &cures, replay)
            })
        };
        let mut places: Vec<(PlaceId, &Seen)> =
            self.places.iter().map(|(&place, seen)| (place, seen)).collect();
        places.sort_unstable_by_key(|p| p.0);
        places.into_iter().filter_map(told).collect()
    }
}

fn worth_telling(seen: &Seen) -> bool {
    seen.passes >= FACTOR * seen.least && seen.passes - seen.least >= EXTRA
}

/// Passes over the banks that these lanes need, and how many would do if no two words shared a bank.
fn passes(lanes: &[u64], size: u32) -> (u64, u64) {
    let together = match size {
        16.. => 8,
        8.. => 16,
        _ => 32,
    };
    let (mut needed, mut least) = (0, 0);
    for group in lanes.chunks(together) {
        let each = u64::from(size.div_ceil(4).max(1));
        let mut words: SmallVec<[u64; 32]> =
            group.iter().flat_map(|&a| (0..each).map(move |i| a / 4 + i)).collect();
        words.sort_unstable();
        words.dedup();
        let mut banks = [0u64; 32];
        words.iter().for_each(|w| banks[(w % 32) as usize] += 1);
        needed += banks.into_iter().max().unwrap_or(0).max(1);
        least += (words.len() as u64).div_ceil(32).max(1);
    }
    (needed, least)
}

/// Changes of the layout after which these lanes would need no more passes than they must.
fn cures(lanes: &[u64], size: u32, least: u64) -> Vec<String> {
    let cured = |change: &dyn Fn(u64) -> u64| {
        let moved: SmallVec<[u64; 32]> = lanes.iter().map(|&a| change(a)).collect();
        passes(&moved, size).0 <= least
    };
    let mut found = Vec::new();
    for (bits, name) in [(1u64, "32B"), (3, "64B"), (7, "128B")] {
        if cured(&|a| a ^ (a >> 7 & bits) << 4) {
            found.push(format!("the {name} swizzle"));
            break;
        }
    }
    // The pitch of what look like rows: the nearest lane that is a bank line or more away.
    let first = lanes.iter().copied().min().unwrap_or(0);
    let pitch = lanes.iter().map(|a| a - first).filter(|&d| d >= 128).min();
    if let Some(pitch) = pitch {
        let pads = [4u64, 8, 16, 32].into_iter().filter(|&pad| pad >= u64::from(size));
        if let Some(pad) = pads.clone().find(|pad| cured(&|a| a + (a - first) / pitch * pad)) {
            found.push(format!("{pad} bytes of padding behind each row of {pitch} bytes"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(address: impl Fn(u64) -> u64) -> Vec<u64> {
        (0..32).map(address).collect()
    }

    #[test]
    fn passes_count_words_of_a_bank() {
        assert_eq!(passes(&lanes(|l| l * 4), 4), (1, 1));
        assert_eq!(passes(&lanes(|_| 64), 4), (1, 1));
        assert_eq!(passes(&lanes(|l| l * 128), 4), (32, 1));
        assert_eq!(passes(&lanes(|l| l * 8), 4), (2, 1));
        assert_eq!(passes(&lanes(|l| l * 16), 16), (4, 4));
        assert_eq!(passes(&lanes(|l| l * 128), 16), (32, 4));
    }

    #[test]
    fn what_would_help_is_tried() {
        // Rows of 128 bytes read as a column of words: a swizzle of 16-byte pieces leaves four rows in a bank.
        assert_eq!(cures(&lanes(|l| l * 128), 4, 1), ["4 bytes of padding behind each row of 128 bytes"]);
        let both = ["the 128B swizzle", "16 bytes of padding behind each row of 128 bytes"];
        assert_eq!(cures(&lanes(|l| l * 128), 16, 4), both);
    }
}
