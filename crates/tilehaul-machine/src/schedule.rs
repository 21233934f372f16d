//! Orders in which waves take turns, and when asynchronous operations land.

use std::fmt;
use std::str::FromStr;

/// Which wave goes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// Each wave in turn, for [`ROUND`] instructions.
    #[default]
    RoundRobin,
    /// The same, backwards.
    Reverse,
    /// Any wave, for a random number of instructions.
    Random(u64),
    /// Random priorities that change at a few random points, among the first 20,000 instructions: finds bugs that need a
    /// certain order of few events (after Burckhardt et al., ASPLOS 2010, whose probability needs the length of a run).
    Pct {
        /// Seed of priorities and points.
        seed: u64,
        /// Number of points at which a priority drops.
        depth: u32,
    },
    /// A run of the exploration of every order of visible steps; only with [`Landing::Exhaustive`].
    Exhaustive {
        /// Its number among those of the exploration, from 1.
        run: u32,
    },
}

/// Most points at which a priority can drop: bugs that need more are not what such a schedule is for.
const MOST_DROPS: u32 = 64;

/// Instructions of a turn in round-robin order.
pub const ROUND: u32 = 256;

/// When asynchronous operations sample and land.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Landing {
    /// All at issue, as most emulators do.
    #[default]
    Eager,
    /// Only when a wait demands it or nothing else can go on: bytes without a wait are still old.
    Lazy,
    /// Each piece at a random turn.
    Random(u64),
    /// At every possible point; only with [`Schedule::Exhaustive`].
    Exhaustive,
}

/// Everything that a run depends on beside program and launch: the string that replays it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Replay {
    /// Order of waves.
    pub schedule: Schedule,
    /// Landing of operations.
    pub landing: Landing,
}

impl Replay {
    /// Random waves and random landing from one seed.
    #[must_use]
    pub fn random(seed: u64) -> Replay {
        Replay { schedule: Schedule::Random(seed), landing: Landing::Random(seed) }
    }

    /// A run of an exhaustive exploration.
    #[must_use]
    pub fn exhaustive(run: u32) -> Replay {
        Replay { schedule: Schedule::Exhaustive { run }, landing: Landing::Exhaustive }
    }

    fn seed(self) -> Option<u64> {
        match (self.schedule, self.landing) {
            (Schedule::Random(seed) | Schedule::Pct { seed, .. }, _) | (_, Landing::Random(seed)) => {
                Some(seed)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Replay {
    /// `schedule=random,landing=lazy,seed=7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("schedule=")?;
        match self.schedule {
            Schedule::RoundRobin => f.write_str("round-robin")?,
            Schedule::Reverse => f.write_str("reverse")?,
            Schedule::Random(_) => f.write_str("random")?,
            Schedule::Pct { depth, .. } => write!(f, "pct:{depth}")?,
            Schedule::Exhaustive { .. } => f.write_str("exhaustive")?,
        }
        f.write_str(match self.landing {
            Landing::Eager => ",landing=eager",
            Landing::Lazy => ",landing=lazy",
            Landing::Random(_) => ",landing=random",
            Landing::Exhaustive => ",landing=exhaustive",
        })?;
        if let Schedule::Exhaustive { run } = self.schedule {
            write!(f, ",run={run}")?;
        }
        self.seed().map_or(Ok(()), |seed| write!(f, ",seed={seed}"))
    }
}

/// A replay string that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError(String);

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReplayError {}

impl FromStr for Replay {
    type Err = ReplayError;

    /// Reads what `Display` writes; parts may be missing and come in any order.
    fn from_str(text: &str) -> Result<Replay, ReplayError> {
        let (mut seed, mut run) = (0, 1);
        let (mut schedule, mut landing) = ("round-robin", "eager");
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            match part.split_once('=') {
                Some(("schedule", value)) => schedule = value,
                Some(("landing", value)) => landing = value,
                Some(("seed", value)) => {
                    seed = value.parse().map_err(|_| {
                        ReplayError(format!("seed={value} is not a number from 0 to 18446744073709551615"))
                    })?;
                }
                Some(("run", value)) => {
                    run = value.parse().ok().filter(|&run| run > 0).ok_or_else(|| {
                        ReplayError(format!("run={value} is not the number of a run, 1 to 4294967295"))
                    })?;
                }
                _ => {
                    return Err(ReplayError(format!(
                        "`{part}` is not part of a replay string: schedule=…, landing=…, seed=… and run=… are"
                    )));
                }
            }
        }
        let schedule = match schedule.split_once(':') {
            None if schedule == "round-robin" => Schedule::RoundRobin,
            None if schedule == "reverse" => Schedule::Reverse,
            None if schedule == "random" => Schedule::Random(seed),
            None if schedule == "pct" => Schedule::Pct { seed, depth: 3 },
            None if schedule == "exhaustive" => Schedule::Exhaustive { run },
            Some(("pct", depth)) => match depth.parse() {
                Ok(depth) if depth <= MOST_DROPS => Schedule::Pct { seed, depth },
                _ => {
                    return Err(ReplayError(format!(
                        "pct:{depth}: priorities drop at 0 to {MOST_DROPS} points"
                    )));
                }
            },
            _ => {
                return Err(ReplayError(format!(
                    "schedule={schedule} is unknown: round-robin, reverse, random, pct:N and exhaustive exist"
                )));
            }
        };
        let landing = match landing {
            "eager" => Landing::Eager,
            "lazy" => Landing::Lazy,
            "random" => Landing::Random(seed),
            "exhaustive" => Landing::Exhaustive,
            _ => {
                return Err(ReplayError(format!(
                    "landing={landing} is unknown: eager, lazy, random and exhaustive exist"
                )));
            }
        };
        if matches!(schedule, Schedule::Exhaustive { .. }) != (landing == Landing::Exhaustive) {
            return Err(ReplayError(
                "schedule=exhaustive and landing=exhaustive go together: neither exists without the other"
                    .to_owned(),
            ));
        }
        Ok(Replay { schedule, landing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replay_strings_come_back() {
        let list = [
            Replay::default(),
            Replay::random(17),
            Replay { schedule: Schedule::Pct { seed: 3, depth: 5 }, landing: Landing::Lazy },
            Replay { schedule: Schedule::Reverse, landing: Landing::Random(2) },
            Replay::exhaustive(1),
            Replay::exhaustive(356),
        ];
        for replay in list {
            assert_eq!(replay.to_string().parse(), Ok(replay), "{replay}");
        }
        assert!("landing=never".parse::<Replay>().is_err());
        // Each point is kept: nobody's string decides how much memory that takes.
        for depth in ["65", "4294967295", "x", "-1"] {
            let refused = format!("schedule=pct:{depth},landing=lazy,seed=1").parse::<Replay>();
            assert!(refused.is_err_and(|e| e.0.contains("0 to 64")), "{depth}");
        }
        assert!("speed=9".parse::<Replay>().is_err());
        assert!("schedule=exhaustive,landing=lazy".parse::<Replay>().is_err());
        assert!("schedule=reverse,landing=exhaustive".parse::<Replay>().is_err());
        assert!("schedule=exhaustive,landing=exhaustive,run=0".parse::<Replay>().is_err());
    }
}
