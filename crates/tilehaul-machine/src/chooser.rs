//! Every choice of a run goes through here, so that a run is a pure function of its seed or its script.

/// splitmix64: small, fast, the same on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed ^ 0x6a09_e667_f3bc_c908)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (0 when `n` is 0).
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// One decision of an exhaustive exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The alternatives, each the number of an actor: a wave, or an operation's next step.
    pub options: Vec<Actor>,
    /// Which was taken.
    pub taken: u32,
    /// What the step that was taken touched, filled in after it ran.
    pub footprint: Vec<Footprint>,
    /// Steps that were asleep here, beyond the script.
    pub asleep: Vec<Sleeper>,
}

/// A step that was explored already and commutes with all that has happened since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sleeper {
    /// Whose step.
    pub actor: Actor,
    /// What it touched.
    pub footprint: Vec<Footprint>,
}

/// Something that can take the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A wave executes up to and including its next visible instruction.
    Wave(u32),
    /// A piece of an operation samples its source, and after that lands.
    Piece(u32, u32),
}

/// Part of what a step touched, to tell whether two steps commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// The memory.
    pub space: crate::Space,
    /// First byte.
    pub start: u64,
    /// Number of bytes.
    pub len: u64,
    /// True when it may change them.
    pub write: bool,
    /// True when a wait made an operation do it, which the operation could also have done by itself.
    pub forced: bool,
}

impl Footprint {
    /// True when two steps with these parts must not be swapped.
    #[must_use]
    pub fn conflicts(&self, other: &Footprint) -> bool {
        (self.write || other.write)
            && self.space == other.space
            && self.start < other.start.saturating_add(other.len)
            && other.start < self.start.saturating_add(self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_their_bound_and_repeat_for_a_seed() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        for n in 1..200 {
            let x = a.below(n);
            assert!(x < n);
            assert_eq!(x, b.below(n));
        }
        assert_ne!(Rng::new(1).next(), Rng::new(2).next());
    }
}
