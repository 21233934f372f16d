//! Small random PTX programs with one defined result.
//!
//! A program loads a handful of registers from `inputs`, runs a few dozen random statements and stores every register to
//! `outputs`. Statements are arithmetic under random predicates, branches that diverge and meet again, short loops,
//! exchanges through shared memory between barriers, warp-wide operations where the whole warp is together, matrix
//! products, and tensor or bulk copies that are waited for. Nothing depends on timing, so any difference between two
//! executors is a fault in one of them.

mod collective;
mod copies;
mod flow;
mod frame;
mod memory;

use std::fmt::Write;

use crate::random::Random;
use crate::templates::{ALONE, CHAINS, PLAIN, WARP};

use frame::{launch, module};

/// Threads of a block.
pub const THREADS: u32 = 64;
/// 32-bit words that each thread reads from `inputs`.
pub const WORDS_IN: u32 = 32;
/// 32-bit words that each thread writes to `outputs`.
pub const WORDS_OUT: u32 = 36;
/// Rows and columns of the 32-bit tensor `image` behind the tensor map.
pub const IMAGE: u32 = 64;
/// Entry point of every generated program.
pub const ENTRY: &str = "generated";

// Registers that statements read and write, by their letter in templates.
const COUNT_U: u32 = 10;
const COUNT_D: u32 = 4;
const COUNT_H: u32 = 4;
const COUNT_F: u32 = 5;
const COUNT_G: u32 = 2;
const COUNT_P: u32 = 3;

/// A program and its launch, as files would hold them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// PTX text.
    pub ptx: String,
    /// Launch file that names the program `NAME.ptx` and no other file.
    pub launch: String,
    /// The templates used, for the list of covered instructions.
    pub used: Vec<&'static str>,
}

/// Makes the program of a seed; `name` is the stem of its files.
#[must_use]
pub fn generate(seed: u64, name: &str) -> Generated {
    let mut g = Generator::new(seed);
    let statements = 20 + g.random.below(30);
    for _ in 0..statements {
        g.statement(0);
    }
    let swizzle = *g.random.pick(&["none", "32B", "64B", "128B"]).unwrap_or(&"none");
    // A row of the box spans the swizzle and no more (hardware: h200 fact 9), in words of 4 bytes.
    let width = match swizzle {
        "32B" => 8,
        "64B" => 16,
        _ => 32,
    };
    let rows = 4 + g.random.below(12);
    let body = g.body.replace("@BYTES@", &(width * rows * 4).to_string());
    Generated { ptx: module(&body, seed), launch: launch(seed, name, swizzle, width, rows), used: g.used }
}

/// Makes a program that applies one template a few times; `None` past the last one. A difference then names its
/// instruction at once.
#[must_use]
pub fn generate_single(index: usize, seed: u64, name: &str) -> Option<Generated> {
    let template = PLAIN.iter().chain(CHAINS).chain(WARP).chain(ALONE).nth(index).copied()?;
    let mut g = Generator::new(seed);
    for _ in 0..8 {
        let text = g.fill(template);
        let _ = writeln!(g.body, "  {text};");
    }
    Some(Generated { ptx: module(&g.body, seed), launch: launch(seed, name, "none", 32, 4), used: g.used })
}

struct Generator {
    random: Random,
    /// Statements written so far.
    body: String,
    /// Labels given out so far.
    labels: u32,
    used: Vec<&'static str>,
    /// The tile has been copied: its barrier serves one phase.
    copied: bool,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        Generator {
            random: Random::new(seed),
            body: String::new(),
            labels: 0,
            used: Vec::new(),
            copied: false,
        }
    }

    /// One random statement. Inside a branch or loop (`depth` above 0) the warp may be apart, so only those that need no
    /// other thread are drawn.
    fn statement(&mut self, depth: u32) {
        match self.random.below(if depth == 0 { 29 } else { 16 }) {
            0..=9 => self.plain(),
            10 => self.instruction(CHAINS),
            11 if depth < 2 => self.branch(depth),
            12 if depth < 2 => self.repeat(depth),
            13 if depth < 2 => self.switch(depth),
            14 => self.call(),
            15 => self.own_words(),
            16 | 17 => self.instruction(WARP),
            18 => self.exchange(),
            19 => self.reduce(),
            20 | 21 => self.matrix(),
            22 | 23 => self.own_memory(),
            24 => self.async_words(),
            25 => self.bulk_words(),
            26 => self.block_vote(),
            27 => self.matrix_words(),
            28 if !self.copied => self.copy(),
            _ => self.plain(),
        }
    }

    /// An instruction of [`PLAIN`], one in four under a predicate.
    fn plain(&mut self) {
        if self.random.one_in(4) {
            let not = if self.random.one_in(2) { "!" } else { "" };
            let p = self.random.below(COUNT_P);
            let Some(template) = self.random.pick(PLAIN).copied() else { return };
            if template.contains(';') {
                return;
            }
            let text = self.fill(template);
            let _ = writeln!(self.body, "  @{not}%p{p} {text};");
        } else {
            self.instruction(PLAIN);
        }
    }

    fn instruction(&mut self, list: &[&'static str]) {
        let Some(template) = self.random.pick(list).copied() else { return };
        let text = self.fill(template);
        let _ = writeln!(self.body, "  {text};");
    }

    /// The text of a template with random registers and numbers for its placeholders.
    fn fill(&mut self, template: &'static str) -> String {
        self.used.push(template);
        let mut out = String::with_capacity(template.len() + 16);
        // An instruction whose sources are one register may be folded into a move; so they differ where they can.
        let mut sources: Vec<(char, u32)> = Vec::new();
        let mut chars = template.chars();
        while let Some(c) = chars.next() {
            if c != '$' {
                out.push(c);
                continue;
            }
            let kind = chars.next().unwrap_or(' ');
            let (letter, count) = match kind.to_ascii_lowercase() {
                'u' => ('r', COUNT_U),
                'd' => ('d', COUNT_D),
                'h' => ('h', COUNT_H),
                'f' => ('f', COUNT_F),
                'g' => ('g', COUNT_G),
                'p' => ('p', COUNT_P),
                other => {
                    let limit = match other {
                        '5' => 32,
                        'n' => 256,
                        _ => u32::MAX,
                    };
                    let number = self.random.below(limit);
                    let _ =
                        if other == 'i' { write!(out, "{}", number as i32) } else { write!(out, "{number}") };
                    continue;
                }
            };
            let mut n = self.random.below(count);
            if kind.is_ascii_lowercase() {
                while sources.contains(&(letter, n)) && sources.len() < count as usize {
                    n = (n + 1) % count;
                }
                sources.push((letter, n));
            }
            let _ = write!(out, "%{letter}{n}");
        }
        out
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    /// The statements of one side of a branch.
    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(generate(7, "a"), generate(7, "a"));
        assert_ne!(generate(7, "a").ptx, generate(8, "a").ptx);
    }

    #[test]
    fn no_placeholder_is_left() {
        for seed in 0..200 {
            let text = generate(seed, "a").ptx;
            assert!(!text.contains('$') && !text.contains("@BYTES@"), "{text}");
        }
    }
}
