//! Where elements are: a position on each axis, for every copy of an element.

use std::collections::BTreeMap;
use std::fmt;

use super::{Map, View};
use crate::axis::Axis;
use crate::strided::{Iter, LayoutError, MAX_TABLE, error};

/// A position on each axis that a view uses, in the order of the axes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(pub Vec<(Axis, i64)>);

impl Place {
    /// The position on an axis; 0 when the place does not mention it.
    #[must_use]
    pub fn get(&self, axis: Axis) -> i64 {
        self.0.iter().find(|(a, _)| *a == axis).map_or(0, |(_, v)| *v)
    }

    /// The same place with every axis that counts threads of a block added up on `tx`, and without zeros.
    #[must_use]
    pub fn plain(&self) -> Place {
        let mut sums = BTreeMap::new();
        for &(axis, value) in &self.0 {
            let (axis, step) = axis.threads().map_or((axis, 1), |t| (Axis::Tx, t));
            *sums.entry(axis).or_insert(0) += value * step;
        }
        Place(sums.into_iter().filter(|(_, v)| *v != 0).collect())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the origin");
        }
        for (k, (axis, value)) in self.0.iter().enumerate() {
            let comma = if k == 0 { "" } else { ", " };
            write!(f, "{comma}{axis} {value}")?;
        }
        Ok(())
    }
}

impl View {
    /// Every place of an element: one for each copy.
    #[must_use]
    pub fn places(&self, number: u64) -> Vec<Place> {
        let axes = self.axes();
        let mut places: Vec<Place> = match &self.map {
            Map::Strided(layout) => (0..layout.copies())
                .map(|copy| {
                    let more = copy_steps(layout.replica(), copy);
                    Place(
                        axes.iter()
                            .map(|&axis| {
                                let extra: i64 =
                                    more.iter().filter(|(a, _)| *a == axis).map(|(_, v)| v).sum();
                                (axis, layout.at(number, axis) + extra)
                            })
                            .collect(),
                    )
                })
                .collect(),
            Map::Linear { map, replicas } => (0..1u64 << replicas.len())
                .map(|copy| {
                    let mut out = map.apply(number);
                    for (bit, r) in replicas.iter().enumerate() {
                        if copy >> bit & 1 == 1 {
                            out ^= r;
                        }
                    }
                    Place(axes.iter().map(|&axis| (axis, map.output_part(out, axis) as i64)).collect())
                })
                .collect(),
        };
        for place in &mut places {
            for (axis, value) in &mut place.0 {
                *value = self.finished(*axis, *value);
            }
        }
        places.sort();
        places.dedup();
        places
    }

    /// Elements that have a copy at every one of these positions (axes not named are free), in order, at most `limit`.
    ///
    /// # Errors
    /// When the view is too large to be searched.
    pub fn elements_at(&self, wanted: &[(Axis, i64)], limit: usize) -> Result<Vec<Vec<u64>>, LayoutError> {
        if self.size().saturating_mul(self.copies()) > MAX_TABLE {
            return error(format!(
                "the view has {} elements in {} copies; searches stop at {MAX_TABLE}",
                self.size(),
                self.copies()
            ));
        }
        if let Some((axis, _)) = wanted.iter().find(|(a, _)| !self.axes().contains(a)) {
            return error(format!("the layout does not use {axis}"));
        }
        let hit = |p: &Place| wanted.iter().all(|&(axis, value)| p.get(axis) == value);
        Ok((0..self.size())
            .filter(|&n| self.places(n).iter().any(hit))
            .take(limit)
            .map(|n| self.element(n))
            .collect())
    }
}

fn copy_steps(replica: &[Iter], copy: u64) -> Vec<(Axis, i64)> {
    let mut rest = copy;
    replica
        .iter()
        .rev()
        .map(|r| {
            let k = rest % r.extent;
            rest /= r.extent;
            (r.axis, k as i64 * r.stride)
        })
        .collect()
}
