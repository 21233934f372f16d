//! The values of symbols: labels, assignments, numbered labels, relocation marks.
//!
//! The code object may be loaded anywhere. Whether an expression depends on where is seen by evaluating it twice, for two
//! load addresses: it is a constant, an address, or something that only a linker could fill in.

use std::collections::BTreeMap;

use crate::gcn::expr::evaluate;

/// A place in a section, by the section's number.
pub(super) type Offset = (usize, u64);

/// Assignments that name each other may be this deep.
const DEEPEST: u32 = 16;

/// Everything that has a name.
#[derive(Default)]
pub(super) struct Symbols<'t> {
    labels: BTreeMap<&'t str, Offset>,
    /// Numbered labels (`1:`), which may be set again and again.
    numbered: BTreeMap<&'t str, Vec<Offset>>,
    /// Assignments, with the place of `.` in them.
    sets: BTreeMap<&'t str, (&'t str, Offset)>,
    /// Where each section starts, once they are laid out.
    starts: Vec<u64>,
}

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The same wherever the code object lies.
    Constant(i64),
    /// The load address plus this.
    Address(i64),
    /// A part, a multiple or the like of an address.
    Other,
}

impl<'t> Symbols<'t> {
    pub(super) fn label(&mut self, name: &'t str, at: Offset) {
        if name.bytes().all(|b| b.is_ascii_digit()) {
            self.numbered.entry(name).or_default().push(at);
        } else {
            self.labels.insert(name, at);
        }
    }

    pub(super) fn set(&mut self, name: &'t str, text: &'t str, at: Offset) {
        self.sets.insert(name, (text, at));
    }

    pub(super) fn lay_out(&mut self, starts: Vec<u64>) {
        self.starts = starts;
    }

    fn address(&self, (section, offset): Offset) -> u64 {
        self.starts.get(section).copied().unwrap_or(0) + offset
    }

    /// The value of a symbol used at an address, when the code object is loaded at `load`.
    fn symbol(&self, name: &str, here: u64, load: i64, depth: u32) -> Option<i64> {
        let moved = |address: u64| (address as i64).wrapping_add(load);
        if name == "." {
            return Some(moved(here));
        }
        if let Some(&at) = self.labels.get(name) {
            return Some(moved(self.address(at)));
        }
        if let Some(at) = self.numbered_label(name, here) {
            return Some(moved(at));
        }
        let &(text, at) = self.sets.get(name)?;
        if depth > DEEPEST {
            return None;
        }
        let at = self.address(at);
        evaluate(text, &|n| self.symbol(n, at, load, depth + 1))
    }

    /// `1b`, the last label `1` up to here, and `1f`, the next one.
    fn numbered_label(&self, name: &str, here: u64) -> Option<u64> {
        let all = || self.numbered.get(name.get(..name.len() - 1)?);
        let addresses = |list: &'_ Vec<Offset>| list.iter().map(|&at| self.address(at)).collect::<Vec<_>>();
        match name.as_bytes().last()? {
            b'b' => addresses(all()?).into_iter().filter(|&at| at <= here).max(),
            b'f' => addresses(all()?).into_iter().filter(|&at| at > here).min(),
            _ => None,
        }
    }

    /// The value of an expression at an address of the code object.
    pub(super) fn value(&self, text: &str, here: u64) -> Option<i64> {
        evaluate(text, &|n| self.symbol(n, here, 0, 0))
    }

    /// The same, or what else the expression means; none when it does not parse or a name is unknown.
    pub(super) fn meaning(&self, text: &str, here: u64) -> Option<Meaning> {
        self.of_both_loads(|load| {
            relative(text, here, load, &|t| evaluate(t, &|n| self.symbol(n, here, load, 0)))
        })
    }

    fn of_both_loads(&self, value: impl Fn(i64) -> Option<i64>) -> Option<Meaning> {
        // Any address would do that has no factor in common with what programs multiply by.
        const ELSEWHERE: i64 = 0x7_1234_5671_9000;
        let (here, there) = (value(0)?, value(ELSEWHERE)?);
        Some(match there.wrapping_sub(here) {
            0 => Meaning::Constant(here),
            ELSEWHERE => Meaning::Address(here),
            _ => Meaning::Other,
        })
    }
}

/// `sym@rel32@lo+4` and `@hi`: the distance of a symbol from the literal that holds it; else a plain expression.
fn relative(text: &str, here: u64, load: i64, value: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    // Instructions with such a literal have it four bytes in.
    let place = (here as i64).wrapping_add(load).wrapping_add(4);
    for (mark, shift) in [("@rel32@lo", 0), ("@rel32@hi", 32), ("@rel32", 0), ("@rel64", 64)] {
        if let Some((symbol, addend)) = text.split_once(mark) {
            let addend = if addend.is_empty() { 0 } else { value(addend)? };
            let distance = value(symbol)?.wrapping_add(addend).wrapping_sub(place);
            return Some(if shift == 64 { distance } else { distance >> shift & 0xffff_ffff });
        }
    }
    for (mark, shift) in [("@abs32@lo", 0), ("@abs32@hi", 32), ("@abs64", 64)] {
        if let Some(symbol) = text.strip_suffix(mark) {
            let address = value(symbol)?;
            return Some(if shift == 64 { address } else { address >> shift & 0xffff_ffff });
        }
    }
    value(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_constants_addresses_or_neither() {
        let mut symbols = Symbols::default();
        symbols.label("a", (0, 16));
        symbols.label("b", (1, 8));
        symbols.label("1", (0, 0));
        symbols.label("1", (0, 32));
        symbols.set("c", "b-a", (0, 0));
        symbols.set("d", ".", (0, 24));
        symbols.set("e", "e+1", (0, 0));
        symbols.lay_out(vec![0x1000, 0x2000]);
        let at = |text| symbols.meaning(text, 0x1014);
        assert_eq!(at("c*2"), Some(Meaning::Constant(2 * 0xff8)));
        assert_eq!(at("b+4"), Some(Meaning::Address(0x200c)));
        assert_eq!(at("d"), Some(Meaning::Address(0x1018)));
        assert_eq!(at("b@rel32@lo+4"), Some(Meaning::Constant(0x2008 + 4 - 0x1018)));
        assert_eq!(at("b@rel64+4"), Some(Meaning::Constant(0x2008 + 4 - 0x1018)));
        assert_eq!(at("a@abs32@lo"), Some(Meaning::Other));
        assert_eq!(at("1b"), Some(Meaning::Address(0x1000)));
        assert_eq!(at("1f-1b"), Some(Meaning::Constant(32)));
        for unknown in ["e", "f", "2b", "b", ""] {
            assert_eq!(at(unknown).is_some(), unknown == "b", "{unknown}");
        }
    }
}
