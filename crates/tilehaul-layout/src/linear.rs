//! Layouts over GF(2): when every extent is a power of two, a layout is a matrix of bits.
//!
//! A [`LinearMap`] sends input bits to output bits by exclusive or: the output of a number is the exclusive or of the
//! bases of its set bits, and of a constant. Swizzles are native here and equality is comparing bases; additions that
//! carry, and extents such as 3, are not expressible, so the strided form stays the source of truth.

use crate::axis::Axis;
use crate::strided::{Iter, Layout, LayoutError, error, iter};

/// Most input bits, and most output bits.
pub const MAX_BITS: u32 = 64;

/// A named run of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field {
    /// What the bits number.
    pub axis: Axis,
    /// How many.
    pub bits: u32,
}

/// A map of bits: inputs and outputs are runs of bits, the first run lowest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinearMap {
    inputs: Vec<Field>,
    outputs: Vec<Field>,
    bases: Vec<u64>,
    constant: u64,
}

impl LinearMap {
    /// A map with one base for each input bit, in the order of the inputs, lowest bit first.
    ///
    /// # Errors
    /// When there are too many bits, a base has bits outside the outputs, or an axis comes twice.
    pub fn new(
        inputs: Vec<Field>,
        outputs: Vec<Field>,
        bases: Vec<u64>,
        constant: u64,
    ) -> Result<LinearMap, LayoutError> {
        for (fields, what) in [(&inputs, "input"), (&outputs, "output")] {
            let bits = fields.iter().try_fold(0u32, |sum, f| sum.checked_add(f.bits));
            if bits.is_none_or(|b| b > MAX_BITS) {
                return error(format!("a linear layout has at most {MAX_BITS} {what} bits"));
            }
            for (k, f) in fields.iter().enumerate() {
                if fields.iter().take(k).any(|g| g.axis == f.axis) {
                    return error(format!("{} is twice an {what} of one linear layout", f.axis));
                }
            }
        }
        let map = LinearMap { inputs, outputs, bases, constant };
        if map.bases.len() != map.input_bits() as usize {
            return error(format!("{} input bits have {} bases", map.input_bits(), map.bases.len()));
        }
        let mask = low_mask(map.output_bits());
        if map.bases.iter().chain([&map.constant]).any(|b| b & !mask != 0) {
            return error("a base lies outside the output's bits");
        }
        Ok(map)
    }

    /// Inputs, the first one lowest.
    #[must_use]
    pub fn inputs(&self) -> &[Field] {
        &self.inputs
    }

    /// Outputs, the first one lowest.
    #[must_use]
    pub fn outputs(&self) -> &[Field] {
        &self.outputs
    }

    /// One base for each input bit.
    #[must_use]
    pub fn bases(&self) -> &[u64] {
        &self.bases
    }

    /// The output of input 0.
    #[must_use]
    pub fn constant(&self) -> u64 {
        self.constant
    }

    /// Number of input bits.
    #[must_use]
    pub fn input_bits(&self) -> u32 {
        self.inputs.iter().map(|f| f.bits).sum()
    }

    /// Number of output bits.
    #[must_use]
    pub fn output_bits(&self) -> u32 {
        self.outputs.iter().map(|f| f.bits).sum()
    }

    /// The output of an input; bits above the inputs are ignored.
    #[must_use]
    pub fn apply(&self, input: u64) -> u64 {
        let mut out = self.constant;
        for (bit, base) in self.bases.iter().enumerate() {
            if input >> bit & 1 == 1 {
                out ^= base;
            }
        }
        out
    }

    /// The part of an output that `axis` names; 0 when it names none.
    #[must_use]
    pub fn output_part(&self, output: u64, axis: Axis) -> u64 {
        part(&self.outputs, output, axis)
    }

    /// Bases of the bits of one input, lowest first; empty when it is no input.
    #[must_use]
    pub fn bases_of(&self, axis: Axis) -> &[u64] {
        let mut low = 0;
        for f in &self.inputs {
            let high = low + f.bits as usize;
            if f.axis == axis {
                return self.bases.get(low..high).unwrap_or(&[]);
            }
            low = high;
        }
        &[]
    }

    /// `self` after `inner`: `inner`'s outputs are matched to `self`'s inputs by name; an input that `inner` does not
    /// give is 0.
    ///
    /// # Errors
    /// When `inner` gives an output that is no input here, or a wider one.
    pub fn compose(&self, inner: &LinearMap) -> Result<LinearMap, LayoutError> {
        for f in &inner.outputs {
            match self.inputs.iter().find(|g| g.axis == f.axis) {
                None => return error(format!("the outer layout has no input {}", f.axis)),
                Some(g) if g.bits < f.bits => {
                    return error(format!(
                        "{} has {} bits in the inner layout and only {} in the outer one",
                        f.axis, f.bits, g.bits
                    ));
                }
                Some(_) => {}
            }
        }
        let through = |value: u64| {
            let mut input = 0;
            let mut low = 0;
            for f in &self.inputs {
                if f.bits > 0 {
                    input |= part(&inner.outputs, value, f.axis) << low;
                }
                low += f.bits;
            }
            input
        };
        let constant = self.apply(through(inner.constant));
        let bases = inner.bases.iter().map(|&b| self.apply(through(b)) ^ self.constant).collect();
        LinearMap::new(inner.inputs.clone(), self.outputs.clone(), bases, constant)
    }

    /// Swaps inputs and outputs of a bijection.
    ///
    /// # Errors
    /// When it is none: two inputs share an output, or an output is not reached.
    pub fn inverse(&self) -> Result<LinearMap, LayoutError> {
        let (map, kernel) = self.section()?;
        if !kernel.is_empty() {
            return error(format!(
                "the layout has no inverse: {} input bit(s) hold further copies of the same element",
                kernel.len()
            ));
        }
        Ok(map)
    }

    /// A map from outputs back to one input each, and inputs that change nothing (a basis): all inputs of an output are
    /// the given one combined with any of them.
    ///
    /// # Errors
    /// When some output is not reached.
    pub fn section(&self) -> Result<(LinearMap, Vec<u64>), LayoutError> {
        // Gaussian elimination on pairs (output, the input that gives it). Low input bits are taken first, so the
        // chosen input of an output is the one that uses the fewest high bits.
        let mut rows: Vec<(u64, u64)> = Vec::new();
        let mut kernel = Vec::new();
        for (bit, &base) in self.bases.iter().enumerate() {
            let (mut out, mut input) = (base, 1u64 << bit);
            for &(o, i) in &rows {
                if out >> lead(o) & 1 == 1 {
                    out ^= o;
                    input ^= i;
                }
            }
            if out == 0 {
                kernel.push(input);
                continue;
            }
            for row in &mut rows {
                if row.0 >> lead(out) & 1 == 1 {
                    row.0 ^= out;
                    row.1 ^= input;
                }
            }
            rows.push((out, input));
        }
        let bits = self.output_bits();
        let mut bases = Vec::new();
        for bit in 0..bits {
            match rows.iter().find(|(o, _)| *o == 1 << bit) {
                Some(&(_, input)) => bases.push(input),
                None => {
                    return error(format!(
                        "the layout does not reach every position of {}",
                        self.field_of_output_bit(bit).map_or_else(String::new, |a| a.to_string())
                    ));
                }
            }
        }
        let mut map = LinearMap::new(self.outputs.clone(), self.inputs.clone(), bases, 0)?;
        map.constant = map.apply(self.constant);
        Ok((map, kernel))
    }

    /// The same map, if `other` has the same fields in any order and gives the same outputs.
    #[must_use]
    pub fn same_as(&self, other: &LinearMap) -> bool {
        let fields = |a: &[Field], b: &[Field]| {
            let keep = |f: &&Field| f.bits > 0;
            a.iter().filter(keep).all(|f| b.contains(f)) && b.iter().filter(keep).all(|f| a.contains(f))
        };
        if !fields(&self.inputs, &other.inputs) || !fields(&self.outputs, &other.outputs) {
            return false;
        }
        let outputs_equal = |a: u64, b: u64| {
            self.outputs.iter().all(|f| self.output_part(a, f.axis) == other.output_part(b, f.axis))
        };
        outputs_equal(self.constant, other.constant)
            && self.inputs.iter().all(|f| {
                let (a, b) = (self.bases_of(f.axis), other.bases_of(f.axis));
                a.iter().zip(b).all(|(&x, &y)| outputs_equal(x, y))
            })
    }

    /// The bits of a strided layout over a tensor of this shape: inputs are its dimensions, the last one lowest.
    ///
    /// # Errors
    /// When an extent is no power of two, a step goes backwards, or two steps would carry into each other.
    pub fn from_strided(layout: &Layout, shape: &[u64]) -> Result<(LinearMap, Vec<u64>), LayoutError> {
        if layout.shard().iter().chain(layout.replica()).any(|i| !i.extent.is_power_of_two()) {
            return error("a layout with an extent that is no power of two has no bits");
        }
        if let Some(extent) = shape.iter().find(|e| !e.is_power_of_two()) {
            return error(format!("extent {extent} of the shape is no power of two"));
        }
        if shape.len() > 255 || shape.iter().product::<u64>() != layout.size() {
            return error("the shape has another number of elements than the layout");
        }
        let mut outputs = Vec::new();
        for axis in layout.axes() {
            let span = layout.span(axis);
            let Ok(span @ 1..) = u64::try_from(span) else {
                return error(format!("the layout goes backwards on {axis}"));
            };
            outputs.push(Field { axis, bits: span.next_power_of_two().ilog2() });
        }
        let place = |axis: Axis, value: i64| -> Result<u64, LayoutError> {
            let mut low = 0;
            for f in &outputs {
                if f.axis == axis {
                    let value = u64::try_from(value)
                        .map_err(|_| LayoutError(format!("the layout goes backwards on {axis}")))?;
                    if value > low_mask(f.bits) {
                        return error(format!("a step on {axis} leaves the layout"));
                    }
                    return Ok(if f.bits == 0 { 0 } else { value << low });
                }
                low += f.bits;
            }
            error(format!("the layout does not use {axis}"))
        };
        if outputs.iter().map(|f| f.bits).sum::<u32>() > MAX_BITS {
            return error(format!("a linear layout has at most {MAX_BITS} output bits"));
        }
        let bits_of = |iters: &[Iter]| -> Result<Vec<u64>, LayoutError> {
            let mut bases = Vec::new();
            for i in iters.iter().rev() {
                for bit in 0..i.extent.ilog2() {
                    bases.push(place(i.axis, i.stride << bit)?);
                }
            }
            Ok(bases)
        };
        let bases = bits_of(layout.shard())?;
        let replicas = bits_of(layout.replica())?;
        let mut constant = 0;
        for (&axis, &by) in layout.offset() {
            constant |= place(axis, by)?;
        }
        let mut used = constant;
        for &base in bases.iter().chain(&replicas) {
            if used & base != 0 {
                return error("two steps of the layout share a bit, so their sum carries");
            }
            used |= base;
        }
        let inputs = dims(shape);
        Ok((LinearMap::new(inputs, outputs, bases, constant)?, replicas))
    }

    /// The strided layout of the same elements, outermost input bit first, with replicas for these further bits.
    ///
    /// # Errors
    /// When a base moves along two axes, or two bases share a bit (a swizzle).
    pub fn to_strided(&self, replicas: &[u64]) -> Result<Layout, LayoutError> {
        let mut used = self.constant;
        let mut steps = |bases: &[u64]| -> Result<Vec<Iter>, LayoutError> {
            let mut out = Vec::new();
            for &base in bases.iter().rev() {
                if used & base != 0 {
                    return error("two bits of the layout move the same position: it is swizzled");
                }
                used |= base;
                let mut moved = self.outputs.iter().filter(|f| self.output_part(base, f.axis) != 0);
                let step = match (moved.next(), moved.next()) {
                    (None, _) => iter(2, 0, Axis::Memory),
                    (Some(f), None) => {
                        let stride = i64::try_from(self.output_part(base, f.axis))
                            .map_err(|_| LayoutError(format!("a step on {} is too long", f.axis)))?;
                        iter(2, stride, f.axis)
                    }
                    (Some(f), Some(g)) => {
                        return error(format!("one bit of the layout moves along {} and {}", f.axis, g.axis));
                    }
                };
                out.push(step);
            }
            Ok(out)
        };
        let shard = steps(&self.bases)?;
        let replica = steps(replicas)?;
        let offset: Vec<(Axis, i64)> = self
            .outputs
            .iter()
            .filter_map(|f| Some((f.axis, i64::try_from(self.output_part(self.constant, f.axis)).ok()?)))
            .collect();
        Ok(Layout::new(shard, replica, &offset)?.canonical())
    }

    fn field_of_output_bit(&self, bit: u32) -> Option<Axis> {
        let mut low = 0;
        for f in &self.outputs {
            low += f.bits;
            if bit < low {
                return Some(f.axis);
            }
        }
        None
    }
}

/// The dimensions of a shape as fields, the last one lowest; row-major element numbers are then the packed bits.
pub(crate) fn dims(shape: &[u64]) -> Vec<Field> {
    let mut fields: Vec<Field> =
        (0u8..).zip(shape).map(|(k, e)| Field { axis: Axis::Dim(k), bits: e.ilog2() }).collect();
    fields.reverse();
    fields
}

fn part(fields: &[Field], value: u64, axis: Axis) -> u64 {
    let mut low = 0;
    for f in fields {
        if f.axis == axis {
            return value.checked_shr(low).unwrap_or(0) & low_mask(f.bits);
        }
        low += f.bits;
    }
    0
}

fn low_mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Highest set bit; only called for numbers with one.
fn lead(value: u64) -> u32 {
    63 - value.leading_zeros().min(63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn field(axis: Axis, bits: u32) -> Field {
        Field { axis, bits }
    }

    fn random_map(bits_in: u32, bits_out: u32) -> impl Strategy<Value = LinearMap> {
        let mask = low_mask(bits_out);
        (prop::collection::vec(any::<u64>(), bits_in as usize), any::<u64>()).prop_map(move |(bases, c)| {
            LinearMap::new(
                vec![field(Axis::Memory, 2), field(Axis::LaneId, bits_in - 2)],
                vec![field(Axis::Dim(1), 3), field(Axis::Dim(0), bits_out - 3)],
                bases.into_iter().map(|b| b & mask).collect(),
                c & mask,
            )
            .unwrap()
        })
    }

    proptest! {
        #[test]
        fn sections_agree_with_brute_force(map in random_map(9, 7)) {
            let mut preimages = vec![Vec::new(); 1 << 7];
            for input in 0..1u64 << 9 {
                preimages[map.apply(input) as usize].push(input);
            }
            match map.section() {
                Ok((back, kernel)) => {
                    for (output, inputs) in preimages.iter().enumerate() {
                        let one = back.apply(output as u64);
                        prop_assert!(inputs.contains(&one));
                        prop_assert_eq!(inputs.len(), 1 << kernel.len());
                        for k in &kernel {
                            prop_assert!(inputs.contains(&(one ^ k)));
                        }
                    }
                }
                Err(_) => prop_assert!(preimages.iter().any(Vec::is_empty)),
            }
        }

        #[test]
        fn composition_agrees_with_brute_force(inner in random_map(8, 9), outer_bases in prop::collection::vec(0u64..512, 10)) {
            // The outer map takes the inner one's outputs in another order and with a bit to spare.
            let outer = LinearMap::new(
                vec![field(Axis::Dim(0), 7), field(Axis::Dim(1), 3)],
                vec![field(Axis::TCol, 9)],
                outer_bases,
                5,
            )
            .unwrap();
            let both = outer.compose(&inner).unwrap();
            for input in 0..1 << 8 {
                let middle = inner.apply(input);
                let (d0, d1) = (inner.output_part(middle, Axis::Dim(0)), inner.output_part(middle, Axis::Dim(1)));
                prop_assert_eq!(both.apply(input), outer.apply(d0 | d1 << 7));
            }
        }

        #[test]
        fn strided_forms_come_back(order in Just((0..12usize).collect::<Vec<_>>()).prop_shuffle(), split in 0usize..12) {
            // A shuffle of bits over two axes: strided, so it survives both conversions.
            let shard: Vec<Iter> = order
                .iter()
                .map(|&k| if k < split { iter(2, 1 << k, Axis::LaneId) } else { iter(2, 1 << (k - split), Axis::Memory) })
                .collect();
            let layout = Layout::of(shard).unwrap();
            let (map, replicas) = LinearMap::from_strided(&layout, &[64, 64]).unwrap();
            prop_assert!(replicas.is_empty());
            for index in 0..4096 {
                let out = map.apply(index);
                prop_assert_eq!(map.output_part(out, Axis::LaneId) as i64, layout.at(index, Axis::LaneId));
                prop_assert_eq!(map.output_part(out, Axis::Memory) as i64, layout.at(index, Axis::Memory));
            }
            let back = map.to_strided(&[]).unwrap();
            prop_assert_eq!(back, layout.canonical());
            let inverse = map.inverse().unwrap();
            for index in 0..4096 {
                prop_assert_eq!(inverse.apply(map.apply(index)), index);
            }
            prop_assert!(map.same_as(&inverse.inverse().unwrap()));
        }
    }

    #[test]
    fn what_is_not_linear_is_said() {
        let three = Layout::of(vec![iter(3, 1, Axis::Memory)]).unwrap();
        assert!(LinearMap::from_strided(&three, &[3]).is_err());
        let carry = Layout::of(vec![iter(2, 1, Axis::Memory), iter(2, 1, Axis::Memory)]).unwrap();
        assert!(LinearMap::from_strided(&carry, &[2, 2]).unwrap_err().0.contains("carries"));
        let swizzle =
            LinearMap::new(vec![field(Axis::Dim(0), 2)], vec![field(Axis::Memory, 2)], vec![1, 3], 0)
                .unwrap();
        assert!(swizzle.to_strided(&[]).unwrap_err().0.contains("swizzled"));
        assert!(LinearMap::new(vec![field(Axis::Memory, 70)], vec![], vec![], 0).is_err());
    }
}
