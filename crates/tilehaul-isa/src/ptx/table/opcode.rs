//! From a spelling to its row.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::spelling::fills;
use super::{Op, Row, rows, targets};

/// A distinct spelling of an opcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opcode {
    /// As written: `mbarrier.try_wait.parity.shared::cta.b64`.
    pub text: String,
    /// What stands after the row's name, without dots.
    pub modifiers: Vec<String>,
    /// The row it belongs to, if any.
    pub row: Option<&'static Row>,
}

impl Opcode {
    /// Finds the row of a spelling.
    #[must_use]
    pub fn new(text: &str) -> Opcode {
        let (row, modifiers) = find(text);
        Opcode { text: text.to_owned(), modifiers, row }
    }

    /// True when that modifier is written.
    #[must_use]
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|m| m == modifier)
    }

    /// What keeps this spelling from existing on `target` (`sm_90a`, `sm_100f`): the modifiers that need another one, empty
    /// when the instruction itself does, and the targets that have them. `None` when it exists, or has no row.
    #[must_use]
    pub fn missing_on(&self, target: &str) -> Option<(&'static str, &'static str)> {
        let row = self.row?;
        if !among(row.targets, target) {
            return Some(("", row.targets));
        }
        // Of several the last says most.
        let missing = targets::FEATURES
            .iter()
            .rfind(|f| f.applies(row.name, &self.modifiers) && !among(f.targets, target))?;
        Some((missing.modifiers, missing.targets))
    }

    /// Least and greatest number of operands; `None` without a row.
    ///
    /// A cache policy stands where `.L2::cache_hint` does, a mask where a copy goes to several blocks or writes some bytes
    /// only, offsets where the map is read as an image, a second predicate where a comparison is combined with one. manual: PTX ISA, syntax of each; ptxas 13.5 counts so.
    #[must_use]
    pub fn operand_count(&self) -> Option<(usize, usize)> {
        let row = self.row?;
        let names = row.operands.split(',').filter(|name| !name.is_empty());
        Some(names.fold((0, 0), |(least, most), name| match name.strip_suffix('?') {
            None => (least + 1, most + 1),
            Some(name) => {
                let written = match name {
                    "policy" => self.has("L2::cache_hint"),
                    "mask" => self.modifiers.iter().any(|m| m.starts_with("multicast::") || m == "cp_mask"),
                    "q" => self.modifiers.iter().any(|m| matches!(m.as_str(), "and" | "or" | "xor")),
                    "offsets" => {
                        self.modifiers.iter().any(|m| m.starts_with("im2col") && m != "im2col_no_offs")
                    }
                    _ => return (least, most + 1),
                };
                (least + usize::from(written), most + usize::from(written))
            }
        }))
    }

    /// The first modifier for which `read` has an answer.
    pub fn first<T>(&self, mut read: impl FnMut(&str) -> Option<T>) -> Option<T> {
        self.modifiers.iter().find_map(|m| read(m))
    }

    /// Every modifier for which `read` has an answer, in order.
    pub fn all<T>(&self, mut read: impl FnMut(&str) -> Option<T>) -> Vec<T> {
        self.modifiers.iter().filter_map(|m| read(m)).collect()
    }
}

/// True when `target` (`sm_90a`, `sm_100f`) is one of `targets`, written as in a row.
fn among(targets: &str, target: &str) -> bool {
    let Some(arch) = target.strip_prefix("sm_") else { return true };
    if targets.is_empty() {
        return true;
    }
    let number: u32 = arch.trim_end_matches(['a', 'f']).parse().unwrap_or(0);
    targets.split(' ').any(|t| match t.parse::<u32>() {
        Ok(first) => number >= first,
        Err(_) => t == arch,
    })
}

fn by_first_word() -> &'static FxHashMap<&'static str, Vec<&'static Row>> {
    static INDEX: OnceLock<FxHashMap<&'static str, Vec<&'static Row>>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index: FxHashMap<&'static str, Vec<&'static Row>> = FxHashMap::default();
        for row in rows() {
            let first = row.name.split('.').next().unwrap_or(row.name);
            index.entry(first).or_default().push(row);
        }
        // Longer names first, so that `cp.async.bulk.tensor` is tried before `cp.async.bulk`.
        for list in index.values_mut() {
            list.sort_by_key(|row| std::cmp::Reverse(row.name.matches('.').count()));
        }
        index
    })
}

fn find(text: &str) -> (Option<&'static Row>, Vec<String>) {
    let words: Vec<&str> = text.split('.').collect();
    let candidates = words.first().and_then(|w| by_first_word().get(w)).map_or(&[][..], Vec::as_slice);
    for row in candidates {
        let depth = row.name.split('.').count();
        if depth > words.len() || !row.name.split('.').eq(words[..depth].iter().copied()) {
            continue;
        }
        if fills(row.modifiers, &words[depth..]) {
            return (Some(row), words[depth..].iter().map(|&w| w.to_owned()).collect());
        }
    }
    (None, words.iter().skip(1).map(|&w| w.to_owned()).collect())
}

/// The spelling of the table that `text`, which has no row, is nearly: one word of it replaced.
#[must_use]
pub fn similar(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split('.').collect();
    let first = *words.first()?;
    let Some(candidates) = by_first_word().get(first) else {
        // Sorted, so that the answer does not depend on the order of a hash map.
        let mut names: Vec<&str> = by_first_word().keys().copied().collect();
        names.sort_unstable();
        let near = tilehaul_diag::nearest(first, names, first.len() / 4 + 1)?;
        return Some(text.replacen(first, near, 1));
    };
    (1..words.len()).find_map(|at| {
        let word = *words.get(at)?;
        let known = candidates.iter().flat_map(|row| {
            let name = row.name.split('.').skip(1);
            name.chain(row.modifiers.split([' ', '|']).map(|m| m.trim_matches(['=', '?'])))
        });
        let known: Vec<&str> = known.filter(|k| *k != word && !k.is_empty() && !k.contains('*')).collect();
        let near = tilehaul_diag::nearest(word, known, word.len() / 4 + 1)?;
        let mut mended = words.clone();
        *mended.get_mut(at)? = near;
        let mended = mended.join(".");
        find(&mended).0.is_some_and(|row| row.op != Op::Unmodelled).then_some(mended)
    })
}
