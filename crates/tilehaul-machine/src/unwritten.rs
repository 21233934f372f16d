//! Registers that are used before anything can have written them.
//!
//! An executor describes what each instruction of a program does to registers, once, when it lowers the program; running
//! costs nothing. Found is a use that has no value *whatever way led there*: on its first execution no instruction that
//! writes the register can have been executed. So a use in a loop counts when only what comes after it writes the
//! register, and a register that some way to the use writes does not. A result that is made of such registers alone is
//! itself without a value. Of uses one behind the other the first is reported.
//!
//! Never reports a register that some path writes; says nothing of uses that no path reaches. May miss a register that is
//! written on some paths only, in part only, or through a number that is known at run time.

use std::collections::BTreeSet;
use std::ops::Range;

/// Whether a result has no value because its sources have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HandsOn {
    /// It has one in any case.
    #[default]
    Never,
    /// Where no source has one.
    All,
    /// Where one source has none.
    Any,
}

/// Where control goes from an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Next {
    /// To the next one.
    #[default]
    Falls,
    /// To these, and to the next one when `falls`.
    Jumps {
        /// Numbers of instructions.
        to: Vec<usize>,
        /// Also to the next one.
        falls: bool,
    },
    /// Nowhere that is looked at.
    Ends,
    /// To whatever a register says.
    Anywhere,
    /// To the next one by way of a function that may write any register.
    Calls,
}

/// What one instruction does to registers.
#[derive(Clone, Debug, Default)]
struct Step {
    writes: Range<usize>,
    sources: Range<usize>,
    needs: Range<usize>,
    hands_on: HandsOn,
    next: Next,
}

/// What the instructions of a program do to registers, in order.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    registers: Vec<u32>,
    needs: Vec<(u32, bool)>,
    steps: Vec<Step>,
}

/// A use of a register that has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwritten {
    /// Number of the instruction.
    pub at: usize,
    /// Which of its needs.
    pub need: usize,
    /// The register that nothing has written: the one needed, or the one that it was made of.
    pub register: u32,
}

/// Uses that are looked at one by one; a program with more of them is none that a compiler made.
const MOST: usize = 256;

type Set = Box<[u64]>;

fn has(set: &[u64], register: u32) -> bool {
    set.get(register as usize / 64).is_some_and(|word| word >> (register % 64) & 1 == 1)
}

fn put(set: &mut [u64], register: u32, to: bool) {
    if let Some(word) = set.get_mut(register as usize / 64) {
        *word = *word & !(1 << (register % 64)) | u64::from(to) << (register % 64);
    }
}

/// A stretch of instructions that is entered at its start and left at its end.
struct Blocks {
    starts: Vec<usize>,
    next: Vec<Vec<usize>>,
}

impl Uses {
    /// Adds an instruction: the registers that it writes, those of which it makes them, and those that it needs, each with
    /// whether that says enough: what comes after such a use says nothing more of the register.
    pub fn push(
        &mut self,
        writes: &[u32],
        (hands_on, sources): (HandsOn, &[u32]),
        needs: impl Iterator<Item = (u32, bool)>,
        next: Next,
    ) {
        let mut add = |registers: &[u32]| {
            let start = self.registers.len();
            self.registers.extend(registers);
            start..self.registers.len()
        };
        let (writes, sources) = (add(writes), add(sources));
        let start = self.needs.len();
        self.needs.extend(needs);
        let needs = start..self.needs.len();
        self.steps.push(Step { writes, sources, needs, hands_on, next });
    }

    fn needed(&self, step: &Step) -> &[(u32, bool)] {
        self.needs.get(step.needs.clone()).unwrap_or_default()
    }

    fn named(&self, range: &Range<usize>) -> &[u32] {
        self.registers.get(range.clone()).unwrap_or_default()
    }

    /// The uses without a value among `count` registers, of which `given` have one when instruction `entry` begins.
    #[must_use]
    pub fn unwritten(&self, entry: usize, count: u32, given: impl Fn(u32) -> bool) -> Vec<Unwritten> {
        if self.steps.iter().all(|s| s.needs.is_empty()) {
            return Vec::new();
        }
        let mut start: Set = vec![0; (count as usize).div_ceil(64)].into();
        (0..count).filter(|&r| !given(r)).for_each(|r| put(&mut start, r, true));
        let blocks = Blocks::new(&self.steps, entry);
        let Some(first) = blocks.starts.iter().position(|&s| s == entry) else { return Vec::new() };
        let perhaps = self.states(&blocks, (first, &start), false, None);
        let (mut suspects, mut found) = (Vec::new(), Vec::new());
        for (block, state) in perhaps.into_iter().enumerate() {
            let Some(mut state) = state else { continue };
            for at in blocks.range(block, self.steps.len()) {
                let step = &self.steps[at];
                if self.needed(step).iter().any(|&(r, _)| has(&state, r)) {
                    suspects.push((block, at));
                }
                self.step(step, &mut state, &mut []);
            }
        }
        if suspects.len() > MOST {
            return found;
        }
        let mut roots: Vec<u32> = (0..count).collect();
        for (block, at) in suspects {
            let states = self.states(&blocks, (first, &start), true, Some(at));
            let Some(Some(mut state)) = states.into_iter().nth(block) else { continue };
            for earlier in blocks.starts[block]..at {
                self.step(&self.steps[earlier], &mut state, &mut roots);
            }
            let needs = self.needed(&self.steps[at]).iter().enumerate();
            found.extend(needs.filter(|(_, (r, _))| has(&state, *r)).map(|(need, &(r, _))| {
                let register = roots.get(r as usize).copied().unwrap_or(r);
                Unwritten { at, need, register }
            }));
        }
        found
    }

    /// Which registers have no value where each block begins: on some way there, or on `every` way. Blocks that nothing
    /// reaches have no state; nothing goes past the instruction `cut`.
    fn states(
        &self,
        blocks: &Blocks,
        (first, start): (usize, &Set),
        every: bool,
        cut: Option<usize>,
    ) -> Vec<Option<Set>> {
        let mut states: Vec<Option<Set>> = vec![None; blocks.starts.len()];
        states[first] = Some(start.clone());
        // In the order of the text, so that most blocks are seen once behind all that lead to them.
        let mut open = BTreeSet::from([first]);
        while let Some(block) = open.pop_first() {
            let Some(mut state) = states[block].clone() else { continue };
            let range = blocks.range(block, self.steps.len());
            if cut.is_some_and(|cut| range.contains(&cut)) {
                continue;
            }
            for at in range {
                self.step(&self.steps[at], &mut state, &mut []);
            }
            for &to in &blocks.next[block] {
                let changed = match &mut states[to] {
                    Some(old) => {
                        let mut changed = false;
                        for (old, new) in old.iter_mut().zip(&state) {
                            let joined = if every { *old & new } else { *old | new };
                            changed |= *old != joined;
                            *old = joined;
                        }
                        changed
                    }
                    none => {
                        *none = Some(state.clone());
                        true
                    }
                };
                if changed {
                    open.insert(to);
                }
            }
        }
        states
    }

    /// What an instruction makes of the registers without a value; `roots` gets which of them a result comes from.
    fn step(&self, step: &Step, state: &mut Set, roots: &mut [u32]) {
        if step.next == Next::Calls {
            state.fill(0);
            return;
        }
        let sources = self.named(&step.sources);
        let without = match step.hands_on {
            HandsOn::Never => None,
            HandsOn::All if !sources.iter().all(|&r| has(state, r)) => None,
            HandsOn::All | HandsOn::Any => sources.iter().copied().find(|&r| has(state, r)),
        };
        for &(register, _) in self.needed(step).iter().filter(|n| n.1) {
            put(state, register, false);
        }
        let root = without.and_then(|r| roots.get(r as usize).copied());
        for &register in self.named(&step.writes) {
            put(state, register, without.is_some());
            if let Some(slot) = roots.get_mut(register as usize) {
                *slot = root.unwrap_or(register);
            }
        }
    }
}

impl Blocks {
    fn new(steps: &[Step], entry: usize) -> Blocks {
        let count = steps.len();
        let mut leader = vec![false; count + 1];
        leader[0] = true;
        leader[entry.min(count)] = true;
        for (at, step) in steps.iter().enumerate() {
            if let Next::Jumps { to, .. } = &step.next {
                to.iter().filter(|&&t| t < count).for_each(|&t| leader[t] = true);
            }
            leader[at + 1] |= !matches!(step.next, Next::Falls | Next::Calls);
        }
        let starts: Vec<usize> = (0..count).filter(|&at| leader[at]).collect();
        let block_of = |at: usize| starts.binary_search(&at).ok();
        let next = (0..starts.len()).map(|block| {
            let behind = starts.get(block + 1).copied().unwrap_or(count);
            let last = steps.get(behind.wrapping_sub(1)).map_or(&Next::Ends, |s| &s.next);
            let (to, falls): (&[usize], bool) = match last {
                Next::Falls | Next::Calls => (&[], true),
                Next::Jumps { to, falls } => (to, *falls),
                Next::Ends => (&[], false),
                Next::Anywhere => (&starts, false),
            };
            let next = to.iter().copied().chain(falls.then_some(behind));
            next.filter_map(block_of).collect()
        });
        Blocks { next: next.collect(), starts }
    }

    fn range(&self, block: usize, count: usize) -> Range<usize> {
        self.starts[block]..self.starts.get(block + 1).copied().unwrap_or(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: (HandsOn, &[u32]) = (HandsOn::Never, &[]);

    fn jumps(to: usize, falls: bool) -> Next {
        Next::Jumps { to: vec![to], falls }
    }

    fn given(register: u32) -> impl Iterator<Item = (u32, bool)> {
        std::iter::once((register, false))
    }

    fn both() -> impl Iterator<Item = (u32, bool)> {
        [(1, false), (2, false)].into_iter()
    }

    fn found(uses: &Uses) -> Vec<(usize, u32)> {
        uses.unwritten(0, 4, |r| r == 0).iter().map(|u| (u.at, u.register)).collect()
    }

    #[test]
    fn a_use_counts_when_no_path_writes_the_register() {
        let mut uses = Uses::default();
        uses.push(&[1], NONE, given(0), Next::Falls);
        uses.push(&[], NONE, both(), Next::Ends);
        assert_eq!(found(&uses), [(1, 2)]);
    }

    #[test]
    fn a_register_that_one_of_two_ways_writes_is_left_alone() {
        let mut uses = Uses::default();
        uses.push(&[], NONE, given(0), jumps(2, true));
        uses.push(&[1], NONE, std::iter::empty(), Next::Falls);
        uses.push(&[], NONE, given(1), Next::Ends);
        assert_eq!(found(&uses), []);
    }

    #[test]
    fn in_a_loop_the_first_execution_counts() {
        let mut uses = Uses::default();
        uses.push(&[], NONE, std::iter::empty(), Next::Falls);
        uses.push(&[], NONE, given(1), Next::Falls);
        uses.push(&[1], NONE, std::iter::empty(), jumps(1, true));
        uses.push(&[], NONE, given(1), Next::Ends);
        assert_eq!(found(&uses), [(1, 1)]);
        // Written before the use in the same turn.
        let mut uses = Uses::default();
        uses.push(&[1], NONE, std::iter::empty(), Next::Falls);
        uses.push(&[], NONE, given(1), jumps(0, true));
        assert_eq!(found(&uses), []);
    }

    #[test]
    fn what_is_made_of_it_has_no_value_either() {
        let mut uses = Uses::default();
        uses.push(&[1], (HandsOn::All, &[2]), std::iter::empty(), Next::Falls);
        uses.push(&[3], (HandsOn::Any, &[0, 1]), std::iter::empty(), Next::Falls);
        uses.push(&[], NONE, given(3), Next::Falls);
        uses.push(&[3], (HandsOn::All, &[0, 1]), std::iter::empty(), Next::Falls);
        uses.push(&[], NONE, given(3), Next::Ends);
        assert_eq!(found(&uses), [(2, 2)]);
    }

    #[test]
    fn a_use_that_says_enough_is_the_last_one() {
        let mut uses = Uses::default();
        uses.push(&[], NONE, std::iter::once((1, true)), Next::Falls);
        uses.push(&[], NONE, given(1), Next::Ends);
        assert_eq!(found(&uses), [(0, 1)]);
    }

    #[test]
    fn a_function_may_write_anything_and_a_jump_go_anywhere() {
        let mut uses = Uses::default();
        uses.push(&[], NONE, std::iter::empty(), Next::Calls);
        uses.push(&[], NONE, given(1), Next::Ends);
        assert_eq!(found(&uses), []);
        let mut uses = Uses::default();
        uses.push(&[], NONE, std::iter::empty(), jumps(3, true));
        uses.push(&[1], NONE, std::iter::empty(), Next::Anywhere);
        uses.push(&[], NONE, given(1), Next::Ends);
        uses.push(&[], NONE, both(), Next::Ends);
        assert_eq!(found(&uses), [(3, 2)]);
    }
}
