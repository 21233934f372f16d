//! Linear layouts from hardware to dimensions, built factor by factor.

use super::shape_fields;
use crate::axis::Axis;
use crate::linear::{Field, LinearMap};
use crate::strided::{LayoutError, error};

/// A layout that grows: each factor adds bits above those that are there, on a hardware axis and on a dimension.
#[derive(Clone, Debug)]
pub(super) struct Build {
    /// Hardware axes in the order of their first factor, each base as coordinates.
    axes: Vec<(Axis, Vec<Vec<u64>>)>,
    /// Bits of each dimension so far.
    bits: Vec<u32>,
    /// Dimensions in the order in which repetitions are added, fastest first.
    order: Vec<usize>,
}

impl Build {
    /// Nothing yet.
    pub(super) fn new(rank: usize, order: &[usize]) -> Build {
        Build { axes: Vec::new(), bits: vec![0; rank], order: order.to_vec() }
    }

    /// Number of dimensions.
    pub(super) fn rank(&self) -> usize {
        self.bits.len()
    }

    /// Extents so far.
    pub(super) fn shape(&self) -> Vec<u64> {
        self.bits.iter().map(|&b| 1u64 << b.min(62)).collect()
    }

    /// `extent` further positions of `axis` go through as many further positions of dimension `dim`.
    pub(super) fn identity(&mut self, extent: u64, axis: Axis, dim: usize) {
        let rank = self.rank();
        for _ in 0..extent.max(1).ilog2() {
            let Some(bits) = self.bits.get_mut(dim) else { return };
            let step = 1u64 << (*bits).min(62);
            *bits += 1;
            let mut base = vec![0; rank];
            if let Some(x) = base.get_mut(dim) {
                *x = step;
            }
            self.push(axis, base);
        }
    }

    /// `extent` further positions of `axis` hold the same elements.
    pub(super) fn repeat(&mut self, extent: u64, axis: Axis) {
        for _ in 0..extent.max(1).ilog2() {
            self.push(axis, vec![0; self.rank()]);
        }
    }

    /// One further bit of `axis` moves by these coordinates; dimensions grow to hold them.
    pub(super) fn base(&mut self, axis: Axis, base: Vec<u64>) {
        for (bits, &x) in self.bits.iter_mut().zip(&base) {
            *bits = (*bits).max(64 - x.leading_zeros());
        }
        self.push(axis, base);
    }

    /// Makes sure that `axis` is named, even without bits.
    pub(super) fn name(&mut self, axis: Axis) {
        if !self.axes.iter().any(|(a, _)| *a == axis) {
            self.axes.push((axis, Vec::new()));
        }
    }

    /// Takes one dimension away: elements along it are the same one.
    pub(super) fn drop_dimension(&mut self, dim: usize) {
        for (_, bases) in &mut self.axes {
            for base in bases {
                if dim < base.len() {
                    base.remove(dim);
                }
            }
        }
        if dim < self.bits.len() {
            self.bits.remove(dim);
        }
        self.order.retain(|&d| d != dim);
        for d in &mut self.order {
            if *d > dim {
                *d -= 1;
            }
        }
    }

    /// Takes away bits of `axis` that move nothing.
    pub(super) fn drop_copies(&mut self, axis: Axis) {
        for (a, bases) in &mut self.axes {
            if *a == axis {
                bases.retain(|base| base.iter().any(|&x| x != 0));
            }
        }
    }

    /// Fits the layout to a tensor: what reaches past an extent moves nothing, what is missing is repeated in further
    /// registers (inferred: triton `ensureLayoutNotLargerThan`, `ensureLayoutNotSmallerThan`).
    pub(super) fn fit(&mut self, shape: &[u64]) -> Result<(), LayoutError> {
        self.repeat_to(shape, Axis::Memory);
        for (_, bases) in &mut self.axes {
            for base in bases {
                for (x, &extent) in base.iter_mut().zip(shape) {
                    if *x >= extent {
                        *x = 0;
                    }
                }
            }
        }
        for (bits, extent) in self.bits.iter_mut().zip(shape) {
            *bits = extent.ilog2();
        }
        let total: usize = self.axes.iter().map(|(_, b)| b.len()).sum();
        if total > 64 { error("the encoding has more than 64 bits of hardware") } else { Ok(()) }
    }

    /// Adds positions of `axis` until every dimension is at least `shape`.
    pub(super) fn repeat_to(&mut self, shape: &[u64], axis: Axis) {
        for d in self.order.clone() {
            let have = self.bits.get(d).copied().unwrap_or(0);
            let want = shape.get(d).map_or(0, |e| e.max(&1).ilog2());
            if want > have {
                self.identity(1 << (want - have), axis, d);
            }
        }
    }

    /// The finished map over a shape.
    pub(super) fn map(&self, shape: &[u64]) -> Result<LinearMap, LayoutError> {
        let fields = shape_fields(shape);
        let mut low = vec![0u32; shape.len()];
        let mut at = 0;
        for (d, extent) in shape.iter().enumerate().rev() {
            if let Some(l) = low.get_mut(d) {
                *l = at;
            }
            at += extent.ilog2();
        }
        let mut inputs = Vec::new();
        let mut bases = Vec::new();
        for (axis, rows) in &self.axes {
            inputs.push(Field { axis: *axis, bits: u32::try_from(rows.len()).unwrap_or(u32::MAX) });
            for row in rows {
                let mut packed = 0u64;
                for ((&x, &l), &extent) in row.iter().zip(&low).zip(shape) {
                    if x >= extent {
                        return error(format!("base {row:?} lies outside the shape"));
                    }
                    packed |= x.checked_shl(l).unwrap_or(0);
                }
                bases.push(packed);
            }
        }
        LinearMap::new(inputs, fields, bases, 0)
    }

    fn push(&mut self, axis: Axis, base: Vec<u64>) {
        self.name(axis);
        if let Some((_, bases)) = self.axes.iter_mut().find(|(a, _)| *a == axis) {
            bases.push(base);
        }
    }
}
