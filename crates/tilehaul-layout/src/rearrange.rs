//! `rearrange`: splits, orders and merges dimensions by a text such as `(wh r) (wl c) -> (wl wh) r c`.
//!
//! Each word names one factor of a dimension; brackets hold the factors of one dimension, outermost first. At most one
//! factor of a dimension may lack a size. A `1` stands for an extent of one. Both sides name the same factors once.

use crate::strided::{Iter, LayoutError, error};
use crate::view::{MAX_RANK, View};

impl View {
    /// The same elements, rearranged. `sizes` gives the extents that the shape does not decide.
    ///
    /// # Errors
    /// When the text is no pattern, does not fit the shape, or the layout cannot be split that way.
    pub fn rearrange(&self, pattern: &str, sizes: &[(&str, u64)]) -> Result<View, LayoutError> {
        let Some((left, right)) = pattern.split_once("->") else {
            return error(format!("pattern \"{pattern}\" must contain '->'"));
        };
        let (left, right) = (groups_of(left)?, groups_of(right)?);
        if left.len() != self.shape().len() {
            return error(format!(
                "the left side of \"{pattern}\" has {} groups but the view has {} dimensions",
                left.len(),
                self.shape().len()
            ));
        }
        let mut names: Vec<&str> = Vec::new();
        let mut factors: Vec<u64> = Vec::new();
        for (group, &dim) in left.iter().zip(self.shape()) {
            let found = split_dimension(group, dim, sizes)?;
            for (name, extent) in group.iter().zip(found) {
                if names.contains(name) && *name != "1" {
                    return error(format!("{name} is twice on the left side"));
                }
                names.push(name);
                factors.push(extent);
            }
        }
        if let Some((name, _)) = sizes.iter().find(|(n, _)| !names.contains(n)) {
            return error(format!("a size was given for {name}, which the pattern does not name"));
        }
        let mut used = vec![false; names.len()];
        let layout = self.layout()?;
        let parts = layout.group(&factors)?;
        let mut shard: Vec<Iter> = Vec::new();
        let mut shape = Vec::new();
        for group in &right {
            let mut extent = 1;
            for name in group.iter().filter(|n| **n != "1") {
                let Some(k) = names.iter().position(|n| n == name) else {
                    return error(format!("{name} is on the right side of the pattern only"));
                };
                if let (Some(flag), Some(factor), Some(part)) =
                    (used.get_mut(k), factors.get(k), parts.get(k))
                {
                    if std::mem::replace(flag, true) {
                        return error(format!("{name} is twice on the right side"));
                    }
                    extent *= factor;
                    shard.extend_from_slice(part);
                }
            }
            shape.push(extent);
        }
        if let Some((name, _)) = names.iter().zip(&used).find(|(n, used)| !**used && **n != "1") {
            return error(format!("{name} is on the left side of the pattern only"));
        }
        View::strided(layout.with_shard(shard, &[])?, &shape, self.finish().to_vec())
    }
}

fn split_dimension(group: &[&str], dim: u64, sizes: &[(&str, u64)]) -> Result<Vec<u64>, LayoutError> {
    let size = |name: &str| {
        if name == "1" { Some(1) } else { sizes.iter().find(|(n, _)| *n == name).map(|(_, s)| *s) }
    };
    let known = group.iter().filter_map(|n| size(n)).try_fold(1u64, |a, b| a.checked_mul(b)).unwrap_or(0);
    let open: Vec<&&str> = group.iter().filter(|n| size(n).is_none()).collect();
    let rest = match open.as_slice() {
        [] if known == dim => 1,
        [] => {
            return error(format!("group {group:?} has product {known}, but the dimension is {dim}"));
        }
        [_] if known > 0 && dim.is_multiple_of(known) => dim / known,
        [_] => {
            return error(format!(
                "dimension {dim} is not divisible by the known product {known} of group {group:?}"
            ));
        }
        [a, b, ..] => {
            return error(format!("group {group:?} has more than one unknown size: give one for {a} or {b}"));
        }
    };
    Ok(group.iter().map(|n| size(n).unwrap_or(rest)).collect())
}

fn groups_of(side: &str) -> Result<Vec<Vec<&str>>, LayoutError> {
    let mut groups = Vec::new();
    let mut open: Option<Vec<&str>> = None;
    let spaced = side.trim();
    let mut rest = spaced;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('(') {
            if open.is_some() {
                return error(format!("brackets do not nest in \"{spaced}\""));
            }
            open = Some(Vec::new());
            rest = after;
        } else if let Some(after) = rest.strip_prefix(')') {
            match open.take() {
                Some(group) => groups.push(group),
                None => return error(format!("a ) without its ( in \"{spaced}\"")),
            }
            rest = after;
        } else {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let Some(word) = rest.get(..end).filter(|w| !w.is_empty()) else {
                return error(format!("\"{rest}\" is no name in \"{spaced}\""));
            };
            match &mut open {
                Some(group) => group.push(word),
                None => groups.push(vec![word]),
            }
            rest = &rest[end..];
        }
        rest = rest.trim_start();
        if groups.len() > MAX_RANK || open.as_ref().is_some_and(|g| g.len() > MAX_RANK) {
            return error(format!("\"{spaced}\" has more than {MAX_RANK} parts"));
        }
    }
    if open.is_some() {
        return error(format!("a ( without its ) in \"{spaced}\""));
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use crate::strided::{Layout, iter};
    use proptest::prelude::*;

    #[test]
    fn the_seeds_pattern() {
        let layout =
            Layout::of(vec![iter(64, 1, Axis::TLane), iter(2, 64, Axis::TLane), iter(64, 1, Axis::TCol)])
                .unwrap();
        let view = View::strided(layout, &[64, 128], vec![]).unwrap();
        let sizes = [("wh", 2), ("r", 32), ("wl", 2)];
        let moved = view.rearrange("(wh r) (wl c) -> (wl wh) r c", &sizes).unwrap();
        assert_eq!(moved.shape(), [4, 32, 64]);
        for warp in 0..4 {
            for r in 0..32 {
                for c in 0..64 {
                    let n = moved.number(&[warp, r, c]).unwrap();
                    assert_eq!(moved.at(n, Axis::TLane) as u64, 32 * warp + r);
                    assert_eq!(moved.at(n, Axis::TCol) as u64, c);
                }
            }
        }
    }

    #[test]
    fn errors_name_the_part() {
        let view = View::strided(Layout::row_major(&[128, 8]).unwrap(), &[128, 8], vec![]).unwrap();
        let wrong = |pattern, sizes: &[(&str, u64)]| view.rearrange(pattern, sizes).unwrap_err().0;
        assert!(wrong("a b", &[]).contains("'->'"));
        assert!(wrong("a -> a", &[]).contains("has 1 groups but the view has 2 dimensions"));
        assert!(wrong("(w r) c -> w r c", &[("w", 3)]).contains("not divisible by the known product 3"));
        assert!(wrong("(w r) c -> w r c", &[]).contains("more than one unknown size"));
        assert!(wrong("a b -> a", &[]).contains("b is on the left side"));
        assert!(wrong("a b -> a b c", &[]).contains("c is on the right side"));
        assert!(wrong("a a -> a", &[]).contains("twice"));
        assert!(wrong("(a b -> a b", &[]).contains("without its )"));
        assert!(wrong("a, b -> a b", &[]).contains("no name"));
        assert!(wrong("a b -> a b", &[("z", 1)]).contains("z"));
    }

    proptest! {
        #[test]
        fn no_pattern_panics(pattern in "[ab1() >-]{0,20}") {
            let view = View::strided(Layout::row_major(&[4, 6]).unwrap(), &[4, 6], vec![]).unwrap();
            let _ = view.rearrange(&pattern, &[("b", 2)]);
        }
    }
}
