//! Views: a layout together with the shape under which people index it, and with what follows its strides.
//!
//! A view answers "where is element (i, j)?" for every notation: its map is strided or linear over GF(2), its finishing
//! steps swizzle or pad the memory position, and replicas give further copies. Two views are equal when they send every
//! element to the same set of places, whatever their spelling.

use std::fmt;

use crate::axis::Axis;
use crate::finish::Finish;
use crate::linear::LinearMap;
use crate::strided::{Iter, Layout, LayoutError, MAX_TABLE, error, shape_text};

/// Most dimensions of a view.
pub const MAX_RANK: usize = 16;
/// Most copies of one element.
pub const MAX_COPIES: u64 = 1 << 12;

/// The strided or linear part of a view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Map {
    /// Strided.
    Strided(Layout),
    /// Linear over GF(2): inputs are the dimensions of the shape, the last one lowest; each further basis in
    /// `replicas` doubles the copies.
    Linear {
        /// The map from element numbers to places.
        map: LinearMap,
        /// Exclusive-ored to an element's place for its further copies.
        replicas: Vec<u64>,
    },
}

/// A layout seen under a shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    shape: Vec<u64>,
    map: Map,
    finish: Vec<Finish>,
}

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
        let mut sums = std::collections::BTreeMap::new();
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

/// The first element on which two views differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its coordinates.
    pub element: Vec<u64>,
    /// Where the first view puts it.
    pub left: Vec<Place>,
    /// Where the second view puts it.
    pub right: Vec<Place>,
    /// How many elements differ.
    pub count: u64,
}

impl View {
    /// A strided layout under a shape.
    ///
    /// # Errors
    /// When the shape has another number of elements than the layout.
    pub fn strided(layout: Layout, shape: &[u64], finish: Vec<Finish>) -> Result<View, LayoutError> {
        check_shape(shape, layout.size())?;
        check_copies(layout.copies())?;
        check_finish(&finish)?;
        Ok(View { shape: shape.to_vec(), map: Map::Strided(layout), finish })
    }

    /// A linear map under its own shape.
    ///
    /// # Errors
    /// When its inputs are not the dimensions of the shape, the last one lowest.
    pub fn linear(
        map: LinearMap,
        replicas: Vec<u64>,
        shape: &[u64],
        finish: Vec<Finish>,
    ) -> Result<View, LayoutError> {
        if shape.iter().any(|e| !e.is_power_of_two()) {
            return error(format!("shape {} of a linear layout is no power of two", shape_text(shape)));
        }
        if map.inputs() != crate::linear::dims(shape) {
            return error(format!("the inputs of the linear layout are not the shape {}", shape_text(shape)));
        }
        check_shape(shape, shape.iter().product())?;
        check_copies(1u64.checked_shl(u32::try_from(replicas.len()).unwrap_or(64)).unwrap_or(u64::MAX))?;
        check_finish(&finish)?;
        Ok(View { shape: shape.to_vec(), map: Map::Linear { map, replicas }, finish })
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The strided or linear part.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// What follows on `m`.
    #[must_use]
    pub fn finish(&self) -> &[Finish] {
        &self.finish
    }

    /// Number of elements.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.shape.iter().product()
    }

    /// Copies of each element.
    #[must_use]
    pub fn copies(&self) -> u64 {
        match &self.map {
            Map::Strided(layout) => layout.copies(),
            Map::Linear { replicas, .. } => 1 << replicas.len(),
        }
    }

    /// Axes of its places, in order.
    #[must_use]
    pub fn axes(&self) -> Vec<Axis> {
        match &self.map {
            Map::Strided(layout) => layout.axes(),
            Map::Linear { map, .. } => {
                let mut axes: Vec<Axis> = map.outputs().iter().map(|f| f.axis).collect();
                axes.sort_unstable();
                axes
            }
        }
    }

    /// Row-major number of an element.
    ///
    /// # Errors
    /// When the coordinates do not fit the shape.
    pub fn number(&self, element: &[u64]) -> Result<u64, LayoutError> {
        if element.len() != self.shape.len() {
            return error(format!(
                "element {} has {} coordinates, but the shape {} has {}",
                element_text(element),
                element.len(),
                shape_text(&self.shape),
                self.shape.len()
            ));
        }
        let mut number = 0;
        for (&x, &extent) in element.iter().zip(&self.shape) {
            if x >= extent {
                return error(format!(
                    "element {} is outside the shape {}",
                    element_text(element),
                    shape_text(&self.shape)
                ));
            }
            number = number * extent + x;
        }
        Ok(number)
    }

    /// Coordinates of the element of that row-major number.
    #[must_use]
    pub fn element(&self, number: u64) -> Vec<u64> {
        let mut rest = number;
        let mut out: Vec<u64> = self
            .shape
            .iter()
            .rev()
            .map(|&extent| {
                let x = rest % extent;
                rest /= extent;
                x
            })
            .collect();
        out.reverse();
        out
    }

    /// Position of element `number` on an axis, of its first copy.
    #[must_use]
    pub fn at(&self, number: u64, axis: Axis) -> i64 {
        let value = match &self.map {
            Map::Strided(layout) => layout.at(number, axis),
            // Parts of at most 63 bits: strides were checked against 2^40.
            Map::Linear { map, .. } => map.output_part(map.apply(number), axis) as i64,
        };
        self.finished(axis, value)
    }

    /// Position in memory of element `number` of a view that starts at `base`: swizzles and paddings act on the sum, as
    /// engines that work on addresses do.
    #[must_use]
    pub fn address(&self, number: u64, base: i64) -> i64 {
        let value = match &self.map {
            Map::Strided(layout) => layout.at(number, Axis::Memory),
            Map::Linear { map, .. } => map.output_part(map.apply(number), Axis::Memory) as i64,
        };
        self.finished(Axis::Memory, value.saturating_add(base))
    }

    /// Positions of all elements on an axis, of their first copies.
    ///
    /// # Errors
    /// When there are more than [`MAX_TABLE`] elements.
    pub fn table(&self, axis: Axis) -> Result<Vec<i64>, LayoutError> {
        self.check_table()?;
        let mut table = match &self.map {
            Map::Strided(layout) => layout.table(axis)?,
            Map::Linear { map, .. } => {
                (0..self.size()).map(|n| map.output_part(map.apply(n), axis) as i64).collect()
            }
        };
        if axis == Axis::Memory && !self.finish.is_empty() {
            for value in &mut table {
                *value = self.finished(axis, *value);
            }
        }
        Ok(table)
    }

    /// Fails when a table of all elements would be too large.
    ///
    /// # Errors
    /// With the size.
    pub fn check_table(&self) -> Result<(), LayoutError> {
        if self.size() <= MAX_TABLE {
            return Ok(());
        }
        error(format!("the view has {} elements; tables stop at {MAX_TABLE}", self.size()))
    }

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

    /// The first element that the two views send to different places, or `None` when they are equal by meaning.
    /// Thread axes are compared as threads of the block, so `32@wid_in_wg + laneid` equals `tid_in_wg`.
    ///
    /// # Errors
    /// When the shapes differ or the views are too large to be compared.
    pub fn difference(&self, other: &View) -> Result<Option<Difference>, LayoutError> {
        if self.shape != other.shape {
            return error(format!(
                "views of shapes {} and {} cannot be compared",
                shape_text(&self.shape),
                shape_text(&other.shape)
            ));
        }
        if let (Some(a), Some(b)) = (self.normal(), other.normal())
            && a == b
        {
            return Ok(None);
        }
        if let (Ok(a), Ok(b)) = (self.bits(), other.bits())
            && a.0.same_as(&b.0)
            && a.0.outputs() == b.0.outputs()
            && a.1 == b.1
        {
            return Ok(None);
        }
        let copies = self.copies().max(other.copies());
        if self.size().saturating_mul(copies) > MAX_TABLE {
            return error(format!(
                "views of {} elements in {copies} copies are too large to be compared; comparison stops at {MAX_TABLE}",
                self.size()
            ));
        }
        let plain = |view: &View, n: u64| {
            let mut places: Vec<Place> = view.places(n).iter().map(Place::plain).collect();
            places.sort();
            places.dedup();
            places
        };
        let mut found: Option<Difference> = None;
        for n in 0..self.size() {
            if plain(self, n) == plain(other, n) {
                continue;
            }
            match &mut found {
                Some(d) => d.count += 1,
                None => {
                    found = Some(Difference {
                        element: self.element(n),
                        left: self.places(n),
                        right: other.places(n),
                        count: 1,
                    });
                }
            }
        }
        Ok(found)
    }

    /// Whether both send every element to the same places.
    ///
    /// # Errors
    /// As [`View::difference`].
    pub fn same_as(&self, other: &View) -> Result<bool, LayoutError> {
        Ok(self.difference(other)?.is_none())
    }

    /// The strided form, when there is one.
    ///
    /// # Errors
    /// When the map is a swizzle.
    pub fn layout(&self) -> Result<Layout, LayoutError> {
        match &self.map {
            Map::Strided(layout) => Ok(layout.clone()),
            Map::Linear { map, replicas } => map.to_strided(replicas),
        }
    }

    /// The form over GF(2) with its replicas, swizzles included, when there is one.
    ///
    /// # Errors
    /// When an extent is no power of two, steps carry, or the view is padded.
    pub fn bits(&self) -> Result<(LinearMap, Vec<u64>), LayoutError> {
        let (map, replicas) = match &self.map {
            Map::Strided(layout) => LinearMap::from_strided(layout, &self.shape)?,
            Map::Linear { map, replicas } => (map.clone(), replicas.clone()),
        };
        let mut finished = map.clone();
        let mut copies = replicas;
        if !self.finish.is_empty() {
            let mut low = 0;
            let mut width = 0;
            for f in map.outputs() {
                if f.axis == Axis::Memory {
                    width = f.bits;
                    break;
                }
                low += f.bits;
            }
            let mask = if width >= 64 { u64::MAX } else { (1u64 << width) - 1 };
            let step = |value: u64| -> Result<u64, LayoutError> {
                let at = value.checked_shr(low).unwrap_or(0) & mask;
                let done = self.finished(Axis::Memory, at as i64) as u64;
                if done & !mask != 0 {
                    return error("the swizzle leaves the positions that the layout uses");
                }
                Ok(value & !mask.checked_shl(low).unwrap_or(0) | done.checked_shl(low).unwrap_or(0))
            };
            if self.finish.iter().any(|f| matches!(f, Finish::Pad(_))) {
                return error("a padded layout has no form in bits: its positions are sums");
            }
            // Swizzles are linear, so it is enough to send every base through them.
            let bases = map.bases().iter().map(|&b| step(b)).collect::<Result<Vec<_>, _>>()?;
            copies = copies.iter().map(|&b| step(b)).collect::<Result<Vec<_>, _>>()?;
            finished =
                LinearMap::new(map.inputs().to_vec(), map.outputs().to_vec(), bases, step(map.constant())?)?;
        }
        Ok((finished, copies))
    }

    /// The same elements under another shape; one extent may be `None` and follows from the rest.
    ///
    /// # Errors
    /// When the number of elements differs, or an iteration cannot be split.
    pub fn reshape(&self, shape: &[Option<u64>]) -> Result<View, LayoutError> {
        let known = shape.iter().flatten().try_fold(1u64, |a, &b| a.checked_mul(b)).unwrap_or(0);
        if shape.iter().filter(|e| e.is_none()).count() > 1 {
            return error("only one extent of a view may follow from the others");
        }
        if known == 0 || !self.size().is_multiple_of(known) {
            return error(format!("{} elements cannot be seen in extents of {known}", self.size()));
        }
        let shape: Vec<u64> = shape.iter().map(|e| e.unwrap_or(self.size() / known)).collect();
        let layout = self.layout()?;
        let shard = layout.group(&shape)?.concat();
        View::strided(layout.with_shard(shard, &[])?, &shape, self.finish.clone())
    }

    /// The dimensions in another order.
    ///
    /// # Errors
    /// When `order` is no permutation of the dimensions.
    pub fn permute(&self, order: &[usize]) -> Result<View, LayoutError> {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if sorted != (0..self.shape.len()).collect::<Vec<_>>() {
            return error(format!("{order:?} is no order of {} dimensions", self.shape.len()));
        }
        let layout = self.layout()?;
        let groups = layout.group(&self.shape)?;
        let pick = |k: &usize| groups.get(*k).cloned().unwrap_or_default();
        let shard: Vec<Iter> = order.iter().flat_map(pick).collect();
        let shape: Vec<u64> = order.iter().filter_map(|&k| self.shape.get(k).copied()).collect();
        View::strided(layout.with_shard(shard, &[])?, &shape, self.finish.clone())
    }

    /// A part: first coordinate and extent of each dimension.
    ///
    /// # Errors
    /// When the part leaves the shape, or a dimension of several iterations is cut where they do not nest.
    pub fn slice(&self, region: &[(u64, u64)]) -> Result<View, LayoutError> {
        if region.len() != self.shape.len() {
            return error(format!("{} ranges for {} dimensions", region.len(), self.shape.len()));
        }
        let layout = self.layout()?;
        let groups = layout.group(&self.shape)?;
        let mut shard = Vec::new();
        let mut offset = Vec::new();
        for ((&(begin, extent), &whole), group) in region.iter().zip(&self.shape).zip(&groups) {
            if extent == 0 || begin.checked_add(extent).is_none_or(|end| end > whole) {
                return error(format!(
                    "range {begin}:{} leaves extent {whole}",
                    begin.saturating_add(extent)
                ));
            }
            cut(group, begin, extent, &mut shard, &mut offset)?;
        }
        let shape: Vec<u64> = region.iter().map(|r| r.1).collect();
        View::strided(layout.with_shard(shard, &offset)?, &shape, self.finish.clone())
    }

    /// The same with each element seen as `n` smaller ones along the last dimension; `axis` is the one that counts
    /// storage (`TCol` for tensor memory, else `m`).
    ///
    /// # Errors
    /// As [`Layout::unpack`]; swizzled or padded views keep their element.
    pub fn unpack(&self, n: u64, axis: Axis) -> Result<View, LayoutError> {
        self.check_plain()?;
        let mut shape = self.shape.clone();
        match shape.last_mut() {
            Some(last) => *last = last.saturating_mul(n),
            None => return error("a view without dimensions has no last one"),
        }
        View::strided(self.layout()?.unpack(n, axis)?, &shape, Vec::new())
    }

    /// The same with `n` neighbours of the last dimension seen as one element.
    ///
    /// # Errors
    /// As [`Layout::pack`]; swizzled or padded views keep their element.
    pub fn pack(&self, n: u64, axis: Axis) -> Result<View, LayoutError> {
        self.check_plain()?;
        let mut shape = self.shape.clone();
        match shape.last_mut() {
            Some(last) if n > 0 && last.is_multiple_of(n) => *last /= n,
            _ => {
                return error(format!(
                    "the last dimension of {} is no multiple of {n}",
                    shape_text(&self.shape)
                ));
            }
        }
        View::strided(self.layout()?.canonical().pack(n, axis)?, &shape, Vec::new())
    }

    fn check_plain(&self) -> Result<(), LayoutError> {
        if self.finish.is_empty() {
            Ok(())
        } else {
            error("a swizzled or padded view cannot change its element")
        }
    }

    fn finished(&self, axis: Axis, value: i64) -> i64 {
        if axis == Axis::Memory { self.finish.iter().fold(value, |v, f| f.apply(v)) } else { value }
    }

    /// A form in which equal texts are surely equal views; `None` when there is none.
    fn normal(&self) -> Option<(Layout, &[Finish])> {
        match &self.map {
            Map::Strided(layout) => Some((layout.with_plain_threads().canonical(), &self.finish)),
            Map::Linear { .. } => None,
        }
    }
}

/// Cuts `begin .. begin + extent` out of a dimension of nested iterations.
fn cut(
    group: &[Iter],
    begin: u64,
    extent: u64,
    shard: &mut Vec<Iter>,
    offset: &mut Vec<(Axis, i64)>,
) -> Result<(), LayoutError> {
    let Some((outer, inner)) = group.split_first() else { return Ok(()) };
    let step: u64 = inner.iter().map(|i| i.extent).product();
    // Coordinates are below 2^40 and so are positions, so products of the two cannot overflow after the check.
    let moved = |by: u64| outer.stride.saturating_mul(i64::try_from(by).unwrap_or(i64::MAX));
    if begin.is_multiple_of(step) && extent.is_multiple_of(step) {
        shard.push(Iter { extent: extent / step, ..*outer });
        shard.extend_from_slice(inner);
        offset.push((outer.axis, moved(begin / step)));
        return Ok(());
    }
    if begin / step == (begin + extent - 1) / step {
        offset.push((outer.axis, moved(begin / step)));
        return cut(inner, begin % step, extent, shard, offset);
    }
    error(format!("range {begin}:{} cuts through nested iterations of {step} elements", begin + extent))
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

fn check_shape(shape: &[u64], size: u64) -> Result<(), LayoutError> {
    if shape.len() > MAX_RANK {
        return error(format!("a view has at most {MAX_RANK} dimensions"));
    }
    if shape.iter().try_fold(1u64, |a, &b| a.checked_mul(b)) != Some(size) || size == 0 {
        return error(format!("a layout of {size} elements cannot be seen as shape {}", shape_text(shape)));
    }
    Ok(())
}

fn check_copies(copies: u64) -> Result<(), LayoutError> {
    if copies > MAX_COPIES {
        return error(format!("a layout has at most {MAX_COPIES} copies of an element"));
    }
    Ok(())
}

fn check_finish(finish: &[Finish]) -> Result<(), LayoutError> {
    if finish.len() > 8 { error("a layout has at most 8 swizzles and paddings") } else { Ok(()) }
}

pub(crate) fn element_text(element: &[u64]) -> String {
    let parts: Vec<String> = element.iter().map(u64::to_string).collect();
    format!("[{}]", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strided::iter;
    use proptest::prelude::*;

    fn layout_b() -> View {
        let layout =
            Layout::of(vec![iter(64, 1, Axis::TLane), iter(2, 64, Axis::TLane), iter(64, 1, Axis::TCol)])
                .unwrap();
        View::strided(layout, &[64, 128], vec![]).unwrap()
    }

    #[test]
    fn layout_b_is_where_the_seed_says() {
        let view = layout_b();
        for i in 0..64u64 {
            for j in 0..128u64 {
                let n = view.number(&[i, j]).unwrap();
                let place =
                    Place(vec![(Axis::TLane, (i + 64 * (j / 64)) as i64), (Axis::TCol, (j % 64) as i64)]);
                assert_eq!(view.places(n), [place]);
            }
        }
        let held = view.elements_at(&[(Axis::TLane, 69), (Axis::TCol, 6)], 10).unwrap();
        assert_eq!(held, [[5, 70]]);
        assert!(view.elements_at(&[(Axis::Bank, 0)], 1).is_err());
        assert!(view.number(&[64, 0]).is_err());
    }

    #[test]
    fn spellings_of_threads_are_equal() {
        let split =
            Layout::of(vec![iter(4, 1, Axis::WidInWg), iter(32, 1, Axis::LaneId), iter(8, 1, Axis::Memory)])
                .unwrap();
        let whole = Layout::of(vec![iter(128, 1, Axis::TidInWg), iter(8, 1, Axis::Memory)]).unwrap();
        let moved = Layout::of(vec![iter(128, 1, Axis::TidInWg), iter(8, 2, Axis::Memory)]).unwrap();
        let view = |l| View::strided(l, &[128, 8], vec![]).unwrap();
        assert!(view(split.clone()).same_as(&view(whole.clone())).unwrap());
        let d = view(split).difference(&view(moved)).unwrap().unwrap();
        assert_eq!((d.element, d.count), (vec![0, 1], 128 * 7));
    }

    #[test]
    fn replicas_are_compared_as_sets() {
        let one = Layout::new(vec![iter(2, 1, Axis::Memory)], vec![iter(4, 32, Axis::TLane)], &[]).unwrap();
        let two = Layout::new(
            vec![iter(2, 1, Axis::Memory)],
            vec![iter(2, 32, Axis::TLane), iter(2, 64, Axis::TLane)],
            &[],
        )
        .unwrap();
        let view = |l| View::strided(l, &[2], vec![]).unwrap();
        assert!(view(one.clone()).same_as(&view(two)).unwrap());
        assert_eq!(view(one.clone()).places(1).len(), 4);
        let bits = view(one.clone()).bits().unwrap();
        let linear = View::linear(bits.0, bits.1, &[2], vec![]).unwrap();
        assert!(linear.same_as(&view(one)).unwrap());
    }

    #[test]
    fn swizzled_views_have_bits() {
        let rows = View::strided(
            Layout::row_major(&[8, 64]).unwrap(),
            &[8, 64],
            vec![Finish::swizzle(3, 3, 3).unwrap()],
        )
        .unwrap();
        let (map, replicas) = rows.bits().unwrap();
        for n in 0..512 {
            assert_eq!(map.output_part(map.apply(n), Axis::Memory) as i64, rows.at(n, Axis::Memory));
        }
        let linear = View::linear(map, replicas, &[8, 64], vec![]).unwrap();
        assert!(linear.same_as(&rows).unwrap());
        assert!(linear.layout().is_err());
        let padded = View::strided(
            Layout::row_major(&[8, 64]).unwrap(),
            &[8, 64],
            vec![Finish::pad(vec![(64, 8)]).unwrap()],
        )
        .unwrap();
        assert_eq!(padded.at(64, Axis::Memory), 72);
        assert!(padded.bits().is_err());
    }

    proptest! {
        #[test]
        fn slices_agree_with_brute_force(
            dims in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![1u64, 2, 3, 4]), 1..3), 1..4),
            strides in prop::collection::vec(-20i64..100, 12),
            cuts in prop::collection::vec((0u64..16, 1u64..16), 4),
        ) {
            let mut next = strides.into_iter().cycle();
            let shard: Vec<Iter> = dims.iter().flatten().map(|&e| iter(e, next.next().unwrap(), Axis::TCol)).collect();
            let shape: Vec<u64> = dims.iter().map(|d| d.iter().product()).collect();
            let view = View::strided(Layout::of(shard).unwrap(), &shape, vec![]).unwrap();
            let region: Vec<(u64, u64)> = shape.iter().zip(&cuts).map(|(&e, &(b, n))| {
                let begin = b % e;
                (begin, n.min(e - begin))
            }).collect();
            if let Ok(part) = view.slice(&region) {
                for n in 0..part.size() {
                    let inner = part.element(n);
                    let outer: Vec<u64> = inner.iter().zip(&region).map(|(x, r)| x + r.0).collect();
                    prop_assert_eq!(part.at(n, Axis::TCol), view.at(view.number(&outer).unwrap(), Axis::TCol));
                }
            } else {
                prop_assert!(dims.iter().any(|d| d.iter().filter(|&&e| e > 1).count() > 1));
            }
            prop_assert_eq!(view.table(Axis::TCol).unwrap().len() as u64, view.size());
        }
    }
}
