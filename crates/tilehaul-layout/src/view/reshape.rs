//! The same elements under another shape, order or element size, and parts of a view.

use super::View;
use crate::axis::Axis;
use crate::strided::{Iter, LayoutError, error, shape_text};

impl View {
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
    /// As `Layout::unpack`; swizzled or padded views keep their element.
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
    /// As `Layout::pack`; swizzled or padded views keep their element.
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
