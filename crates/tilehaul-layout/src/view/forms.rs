//! The two forms that a view may be brought into: strided iterations, and bits over GF(2).

use super::{Map, View};
use crate::axis::Axis;
use crate::finish::Finish;
use crate::linear::LinearMap;
use crate::strided::{Layout, LayoutError, error};

impl View {
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
}
