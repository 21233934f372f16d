//! Strided mixed-radix layouts with named axes: the source of truth for every layout here.
//!
//! A layout is a list of iterations `extent:stride@axis`, outermost first. An element's index is split over the extents
//! as digits of a mixed-radix number (the last iteration is the fastest); each digit times its stride is added to its
//! axis, and the layout's offsets on top. Replicas are further iterations that name more copies of the same element:
//! they do not enlarge the domain. Extents need not be powers of two and strides may be zero or negative.
//!
//! Construction bounds every product, so evaluation needs no checks.

use std::collections::BTreeMap;
use std::fmt;

use crate::axis::Axis;

/// Most iterations of a layout.
pub const MAX_ITERS: usize = 64;
/// Most elements of a layout, and largest distance along an axis.
pub const MAX_SIZE: u64 = 1 << 40;
/// Most elements for which a table is made.
pub const MAX_TABLE: u64 = 1 << 22;

/// A layout operation that cannot be done, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutError(pub String);

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LayoutError {}

pub(crate) fn error<T>(text: impl Into<String>) -> Result<T, LayoutError> {
    Err(LayoutError(text.into()))
}

/// `extent` steps of `stride` along `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iter {
    /// Number of steps, at least 1.
    pub extent: u64,
    /// Distance of neighbouring steps, in units of the axis.
    pub stride: i64,
    /// The axis.
    pub axis: Axis,
}

/// Shorthand for an iteration.
#[must_use]
pub const fn iter(extent: u64, stride: i64, axis: Axis) -> Iter {
    Iter { extent, stride, axis }
}

/// A strided layout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layout {
    shard: Vec<Iter>,
    replica: Vec<Iter>,
    offset: BTreeMap<Axis, i64>,
}

impl Layout {
    /// A layout of these iterations, replicas and offsets. Offsets on one axis add up.
    ///
    /// # Errors
    /// When an extent is 0, or the sizes exceed [`MAX_ITERS`] or [`MAX_SIZE`].
    pub fn new(shard: Vec<Iter>, replica: Vec<Iter>, offset: &[(Axis, i64)]) -> Result<Layout, LayoutError> {
        let mut sums = BTreeMap::new();
        for &(axis, by) in offset {
            let sum: &mut i64 = sums.entry(axis).or_default();
            *sum = sum.checked_add(by).ok_or_else(|| LayoutError(format!("offsets on {axis} overflow")))?;
        }
        sums.retain(|_, v| *v != 0);
        let layout = Layout { shard, replica, offset: sums };
        layout.check()?;
        Ok(layout)
    }

    /// A layout without replicas and offsets.
    ///
    /// # Errors
    /// As [`Layout::new`].
    pub fn of(shard: Vec<Iter>) -> Result<Layout, LayoutError> {
        Layout::new(shard, Vec::new(), &[])
    }

    /// Row-major in memory: the last of `shape` is contiguous on `m`.
    ///
    /// # Errors
    /// As [`Layout::new`].
    pub fn row_major(shape: &[u64]) -> Result<Layout, LayoutError> {
        let mut stride = 1i64;
        let mut shard = Vec::new();
        for &extent in shape.iter().rev() {
            shard.push(iter(extent, stride, Axis::Memory));
            stride = i64::try_from(extent)
                .ok()
                .and_then(|e| stride.checked_mul(e))
                .ok_or_else(|| LayoutError("the shape has too many elements".into()))?;
        }
        shard.reverse();
        Layout::of(shard)
    }

    /// Its iterations, outermost first.
    #[must_use]
    pub fn shard(&self) -> &[Iter] {
        &self.shard
    }

    /// Its replicas.
    #[must_use]
    pub fn replica(&self) -> &[Iter] {
        &self.replica
    }

    /// Its offsets, by axis; none is zero.
    #[must_use]
    pub fn offset(&self) -> &BTreeMap<Axis, i64> {
        &self.offset
    }

    /// Number of elements.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.shard.iter().map(|i| i.extent).product()
    }

    /// Copies of each element.
    #[must_use]
    pub fn copies(&self) -> u64 {
        self.replica.iter().map(|i| i.extent).product()
    }

    /// Axes that it mentions, in order.
    #[must_use]
    pub fn axes(&self) -> Vec<Axis> {
        let mut axes: Vec<Axis> = self
            .shard
            .iter()
            .chain(&self.replica)
            .map(|i| i.axis)
            .chain(self.offset.keys().copied())
            .collect();
        axes.sort_unstable();
        axes.dedup();
        axes
    }

    /// Number of positions from the axis's origin to the last one that is used, replicas and offset included; 1 for an
    /// axis that it does not mention.
    #[must_use]
    pub fn span(&self, axis: Axis) -> i64 {
        1 + self.offset.get(&axis).copied().unwrap_or(0)
            + self
                .shard
                .iter()
                .chain(&self.replica)
                .filter(|i| i.axis == axis)
                // Bounded by `check`.
                .map(|i| (i.extent as i64 - 1) * i.stride)
                .sum::<i64>()
    }

    /// Position of element `index` (row-major over the iterations) on `axis`, without replicas. Indexes past the end
    /// wrap around.
    #[must_use]
    pub fn at(&self, index: u64, axis: Axis) -> i64 {
        let mut rest = index;
        let mut sum = self.offset.get(&axis).copied().unwrap_or(0);
        for i in self.shard.iter().rev() {
            if i.axis == axis {
                sum += (rest % i.extent) as i64 * i.stride;
            }
            rest /= i.extent;
        }
        sum
    }

    /// Positions of all elements on `axis`, without replicas.
    ///
    /// # Errors
    /// When there are more than [`MAX_TABLE`] elements.
    pub fn table(&self, axis: Axis) -> Result<Vec<i64>, LayoutError> {
        self.check_table()?;
        let mut table = vec![self.offset.get(&axis).copied().unwrap_or(0)];
        for i in &self.shard {
            // Other axes only repeat the position.
            let stride = if i.axis == axis { i.stride } else { 0 };
            let mut next = Vec::with_capacity(table.len() * i.extent as usize);
            for &v in &table {
                next.extend((0..i.extent as i64).map(|k| v + k * stride));
            }
            table = next;
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
        error(format!("the layout has {} elements; tables stop at {MAX_TABLE}", self.size()))
    }

    /// The same layout with steps of one thread axis: every axis that counts threads of a block becomes `tx`.
    #[must_use]
    pub fn with_plain_threads(&self) -> Layout {
        let plain = |i: &Iter| match i.axis.threads() {
            Some(threads) => Iter { stride: i.stride * threads, axis: Axis::Tx, ..*i },
            None => *i,
        };
        let mut offset = BTreeMap::new();
        for (&axis, &by) in &self.offset {
            match axis.threads() {
                Some(threads) => *offset.entry(Axis::Tx).or_insert(0) += by * threads,
                None => *offset.entry(axis).or_insert(0) += by,
            }
        }
        offset.retain(|_, v| *v != 0);
        Layout {
            shard: self.shard.iter().map(plain).collect(),
            replica: self.replica.iter().map(plain).collect(),
            offset,
        }
    }

    /// The same layout in fewest iterations: unit ones dropped, neighbours that continue each other fused, replicas
    /// sorted.
    #[must_use]
    pub fn canonical(&self) -> Layout {
        let fuse = |iters: &[Iter]| {
            let mut out: Vec<Iter> = Vec::new();
            for &i in iters.iter().filter(|i| i.extent > 1) {
                match out.last_mut() {
                    Some(outer) if outer.axis == i.axis && outer.stride == i.extent as i64 * i.stride => {
                        *outer = Iter { extent: outer.extent * i.extent, ..i };
                    }
                    _ => out.push(i),
                }
            }
            out
        };
        let mut replica: Vec<Iter> = self.replica.clone();
        replica.sort_by_key(|i| (i.axis, std::cmp::Reverse(i.stride), i.extent));
        Layout { shard: fuse(&self.shard), replica: fuse(&replica), offset: self.offset.clone() }
    }

    /// Its iterations regrouped so that group k multiplies to `shape[k]`; an iteration is split where needed.
    ///
    /// # Errors
    /// When the sizes differ or an extent does not divide.
    pub fn group(&self, shape: &[u64]) -> Result<Vec<Vec<Iter>>, LayoutError> {
        let wanted = shape.iter().try_fold(1u64, |a, &b| a.checked_mul(b));
        if wanted != Some(self.size()) {
            return error(format!(
                "a layout of {} elements cannot be seen as shape {}",
                self.size(),
                shape_text(shape)
            ));
        }
        let mut rest = self.shard.iter().rev().copied().filter(|i| i.extent > 1);
        let mut pending: Option<Iter> = None;
        let mut groups = Vec::new();
        for &extent in shape.iter().rev() {
            let mut need = extent;
            let mut group = Vec::new();
            while need > 1 {
                let Some(i) = pending.take().or_else(|| rest.next()) else { break };
                if need.is_multiple_of(i.extent) {
                    need /= i.extent;
                    group.push(i);
                } else if i.extent.is_multiple_of(need) {
                    group.push(Iter { extent: need, ..i });
                    pending = Some(Iter { extent: i.extent / need, stride: i.stride * need as i64, ..i });
                    need = 1;
                } else {
                    return error(format!(
                        "extent {} of {} cannot be split for shape {}: {need} divides neither way",
                        i.extent,
                        self.iter_text(i),
                        shape_text(shape)
                    ));
                }
            }
            group.reverse();
            groups.push(group);
        }
        groups.reverse();
        Ok(groups)
    }

    /// The same layout with other iterations in the domain: for views that keep replicas and offsets.
    ///
    /// # Errors
    /// As [`Layout::new`].
    pub fn with_shard(&self, shard: Vec<Iter>, extra: &[(Axis, i64)]) -> Result<Layout, LayoutError> {
        let mut offset: Vec<(Axis, i64)> = self.offset.iter().map(|(&a, &b)| (a, b)).collect();
        offset.extend_from_slice(extra);
        Layout::new(shard, self.replica.clone(), &offset)
    }

    /// Each element becomes `n` smaller ones along `axis`: distances there grow n-fold and a new innermost iteration
    /// counts the parts.
    ///
    /// # Errors
    /// As [`Layout::new`].
    pub fn unpack(&self, n: u64, axis: Axis) -> Result<Layout, LayoutError> {
        let by = small(n)?;
        let scale = |i: &Iter| {
            if i.axis == axis { Iter { stride: i.stride.saturating_mul(by), ..*i } } else { *i }
        };
        let mut shard: Vec<Iter> = self.shard.iter().map(scale).collect();
        shard.push(iter(n, 1, axis));
        let offset: Vec<_> = self
            .offset
            .iter()
            .map(|(&a, &o)| (a, if a == axis { o.saturating_mul(by) } else { o }))
            .collect();
        Layout::new(shard, self.replica.iter().map(scale).collect(), &offset)
    }

    /// `n` neighbouring elements along `axis` become one.
    ///
    /// # Errors
    /// When the innermost iteration does not hold `n` neighbours, or a distance is no multiple of `n`.
    pub fn pack(&self, n: u64, axis: Axis) -> Result<Layout, LayoutError> {
        let by = small(n)?;
        let Some((last, outer)) = self.shard.split_last() else { return error("a layout without elements") };
        if last.axis != axis || last.stride != 1 || !last.extent.is_multiple_of(n) {
            return error(format!(
                "{} elements cannot be packed: the innermost iteration {} is not a multiple of {n} neighbours on {axis}",
                n,
                self.iter_text(*last)
            ));
        }
        let scale = |i: &Iter| {
            if i.axis != axis {
                Ok(*i)
            } else if i.stride % by == 0 {
                Ok(Iter { stride: i.stride / by, ..*i })
            } else {
                error(format!("layout storage stride {} on {axis} is not divisible by {n}", i.stride))
            }
        };
        let mut shard = outer.iter().map(scale).collect::<Result<Vec<_>, _>>()?;
        shard.push(iter(last.extent / n, 1, axis));
        let replica = self.replica.iter().map(scale).collect::<Result<Vec<_>, _>>()?;
        let mut offset = Vec::new();
        for (&a, &o) in &self.offset {
            if a == axis && o % by != 0 {
                return error(format!("layout offset {o} on {axis} is not divisible by {n}"));
            }
            offset.push((a, if a == axis { o / by } else { o }));
        }
        Layout::new(shard, replica, &offset)
    }

    pub(crate) fn iter_text(&self, i: Iter) -> String {
        format!("{}:{}@{}", i.extent, i.stride, i.axis)
    }

    fn check(&self) -> Result<(), LayoutError> {
        if self.shard.len() + self.replica.len() > MAX_ITERS {
            return error(format!("a layout has at most {MAX_ITERS} iterations"));
        }
        for iters in [&self.shard, &self.replica] {
            let mut size = 1u64;
            for i in iters {
                if i.extent == 0 {
                    return error(format!("extent 0 of {} must be at least 1", self.iter_text(*i)));
                }
                size = size.checked_mul(i.extent).filter(|&s| s <= MAX_SIZE).ok_or_else(|| {
                    LayoutError(format!("the extents multiply to more than {MAX_SIZE} elements"))
                })?;
            }
        }
        let mut reach: BTreeMap<Axis, u128> = BTreeMap::new();
        for i in self.shard.iter().chain(&self.replica) {
            // With room for the thread axes, whose steps are up to 128 threads.
            *reach.entry(i.axis).or_default() += u128::from(i.extent) * u128::from(i.stride.unsigned_abs());
        }
        for (&axis, &by) in &self.offset {
            *reach.entry(axis).or_default() += u128::from(by.unsigned_abs());
        }
        match reach.into_iter().find(|(_, r)| *r > u128::from(MAX_SIZE)) {
            Some((axis, _)) => error(format!("positions on {axis} reach past {MAX_SIZE}")),
            None => Ok(()),
        }
    }
}

fn small(n: u64) -> Result<i64, LayoutError> {
    if n == 0 || n > 1 << 16 {
        return error(format!("{n} elements to a unit is not between 1 and 65536"));
    }
    Ok(n as i64)
}

pub(crate) fn shape_text(shape: &[u64]) -> String {
    let parts: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("({})", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers() -> Layout {
        Layout::of(vec![iter(64, 1, Axis::TidInWg), iter(2, 64, Axis::TidInWg), iter(64, 1, Axis::Memory)])
            .unwrap()
    }

    #[test]
    fn the_seeds_register_layout() {
        let layout = registers();
        for i in 0..64 {
            for j in 0..128 {
                let index = i * 128 + j;
                assert_eq!(layout.at(index, Axis::TidInWg), (i + 64 * (j / 64)) as i64);
                assert_eq!(layout.at(index, Axis::Memory), (j % 64) as i64);
            }
        }
        assert_eq!((layout.span(Axis::TidInWg), layout.span(Axis::Memory)), (128, 64));
        assert_eq!(layout.table(Axis::Memory).unwrap().len(), 8192);
    }

    #[test]
    fn groups_split_iterations() {
        let layout = Layout::row_major(&[4, 32, 8]).unwrap();
        let groups = layout.group(&[2, 64, 8]).unwrap();
        let extents: Vec<Vec<u64>> = groups.iter().map(|g| g.iter().map(|i| i.extent).collect()).collect();
        assert_eq!(extents, [vec![2], vec![2, 32], vec![8]]);
        assert!(layout.group(&[3, 8]).is_err());
        assert!(Layout::row_major(&[6, 4]).unwrap().group(&[4, 6]).is_err());
        assert!(Layout::row_major(&[6, 4]).unwrap().canonical().group(&[4, 6]).is_ok());
    }

    #[test]
    fn packing_and_unpacking() {
        let layout =
            Layout::new(vec![iter(128, 1, Axis::TLane), iter(8, 1, Axis::TCol)], vec![], &[(Axis::TCol, 3)])
                .unwrap();
        let halves = layout.unpack(2, Axis::TCol).unwrap();
        assert_eq!(halves.at(2 * 5 + 1, Axis::TCol), 2 * (5 + 3) + 1);
        assert!(halves.pack(2, Axis::TCol).is_ok());
        assert_eq!(halves.pack(2, Axis::TCol).unwrap().canonical(), layout.canonical());
        assert!(layout.pack(2, Axis::TCol).is_err(), "an odd offset cannot be packed");
    }

    #[test]
    fn hostile_sizes_are_refused() {
        assert!(Layout::of(vec![iter(0, 1, Axis::Memory)]).is_err());
        assert!(Layout::of(vec![iter(u64::MAX, 1, Axis::Memory)]).is_err());
        assert!(Layout::of(vec![iter(2, i64::MIN, Axis::Memory)]).is_err());
        assert!(Layout::of(vec![iter(1, 1, Axis::Memory); 100]).is_err());
        assert!(Layout::new(vec![], vec![], &[(Axis::Memory, i64::MAX), (Axis::Memory, 1)]).is_err());
        assert!(Layout::row_major(&[1 << 40, 1 << 40]).is_err());
    }
}
