//! Views: a layout together with the shape under which people index it, and with what follows its strides.
//!
//! A view answers "where is element (i, j)?" for every notation: its map is strided or linear over GF(2), its finishing
//! steps swizzle or pad the memory position, and replicas give further copies. Two views are equal when they send every
//! element to the same set of places, whatever their spelling.

mod compare;
mod forms;
mod place;
mod reshape;
#[cfg(test)]
mod tests;

use crate::axis::Axis;
use crate::finish::Finish;
use crate::linear::LinearMap;
use crate::strided::{Layout, LayoutError, MAX_TABLE, error, shape_text};

pub use compare::Difference;
pub use place::Place;

/// Most dimensions of a view.
pub const MAX_RANK: usize = 16;
/// Most copies of one element.
pub const MAX_COPIES: u64 = 1 << 12;

/// Most swizzles and paddings of a view.
const MAX_FINISHES: usize = 8;

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
        self.finished(axis, self.unfinished(number, axis))
    }

    /// Position in memory of element `number` of a view that starts at `base`: swizzles and paddings act on the sum, as
    /// engines that work on addresses do.
    #[must_use]
    pub fn address(&self, number: u64, base: i64) -> i64 {
        self.finished(Axis::Memory, self.unfinished(number, Axis::Memory).saturating_add(base))
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

    /// Position of element `number` before swizzles and paddings.
    fn unfinished(&self, number: u64, axis: Axis) -> i64 {
        match &self.map {
            Map::Strided(layout) => layout.at(number, axis),
            // Parts of at most 63 bits: strides were checked against 2^40.
            Map::Linear { map, .. } => map.output_part(map.apply(number), axis) as i64,
        }
    }

    fn finished(&self, axis: Axis, value: i64) -> i64 {
        if axis == Axis::Memory { self.finish.iter().fold(value, |v, f| f.apply(v)) } else { value }
    }
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
    if finish.len() > MAX_FINISHES {
        return error(format!("a layout has at most {MAX_FINISHES} swizzles and paddings"));
    }
    Ok(())
}

pub(crate) fn element_text(element: &[u64]) -> String {
    let parts: Vec<String> = element.iter().map(u64::to_string).collect();
    format!("[{}]", parts.join(", "))
}
