//! Misspelt words: which known one was meant.

/// The known word that takes the fewest edits, when it takes at most `most`; the first of equals.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>, most: usize) -> Option<&'a str> {
    let near = known.into_iter().map(|k| (distance(k, word), k)).filter(|&(edits, _)| edits <= most);
    near.min_by_key(|&(edits, _)| edits).map(|(_, k)| k)
}

/// Edits between two short words: a letter added, dropped, replaced, or changed with its neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX / 2);
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, cb) in b.iter().enumerate() {
            let mut least =
                (at(&above, j) + usize::from(ca != cb)).min(at(&above, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(cb) && b.get(j - 1) == Some(ca);
            if swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
        }
        before = above;
        above = row;
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_edits() {
        for (a, b, want) in [
            ("box", "box", 0),
            ("element_stride", "element_strides", 1),
            ("gird", "grid", 1),
            ("mvo", "mov", 1),
            ("mvo", "min", 2),
            ("", "ab", 2),
        ] {
            assert_eq!(distance(a, b), want, "{a} {b}");
        }
        assert_eq!(nearest("boxx", ["kernel", "box"], 2), Some("box"));
        assert_eq!(nearest("boxx", ["kernel"], 2), None);
    }
}
