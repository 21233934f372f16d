//! Composition and inverse of strided layouts, where the result is strided again.
//!
//! `compose(outer, inner)` sends an element of `inner`'s domain to the place that `outer` gives the element whose
//! number is `inner`'s position on `m`. It is strided when every iteration of `inner` steps along whole digits of
//! `outer`'s domain and the digits never carry; otherwise the iteration at fault is named. `inverse` swaps domain and
//! memory of a layout that fills its axes without gaps.

use crate::axis::Axis;
use crate::strided::{Iter, Layout, LayoutError, error, iter};

/// `outer` after `inner`: both over the same elements as `inner`.
///
/// # Errors
/// When `inner` has another axis than `m` or replicas, leaves `outer`'s domain, or the result is not strided.
pub fn compose(outer: &Layout, inner: &Layout) -> Result<Layout, LayoutError> {
    if let Some(axis) = inner.axes().into_iter().find(|&a| a != Axis::Memory) {
        return error(format!(
            "the inner layout goes to {axis}, but only m numbers the outer layout's elements"
        ));
    }
    if !inner.replica().is_empty() {
        return error(
            "the inner layout has replicas, which number more than one element of the outer layout",
        );
    }
    let start = inner.offset().get(&Axis::Memory).copied().unwrap_or(0);
    let digits = digits_of(outer);
    // What each digit of the outer domain reaches at most; a digit that overflows would carry into the next one.
    let mut reach = split_number(start, &digits)?;
    let mut shard = Vec::new();
    let mut offset: Vec<(Axis, i64)> = outer.offset().iter().map(|(&a, &b)| (a, b)).collect();
    for (digit, &steps) in digits.iter().zip(&reach) {
        offset.push((digit.axis, digit.stride.saturating_mul(steps as i64)));
    }
    for &step in inner.shard() {
        for (digit, part) in split_iter(step, &digits)? {
            if let (Some(d), Some(sum)) = (digits.get(digit), reach.get_mut(digit)) {
                *sum += (part.extent - 1) * part.stride as u64;
                if *sum >= d.extent {
                    return error(format!(
                        "{}:{} carries past extent {} of the outer layout",
                        step.extent, step.stride, d.extent
                    ));
                }
                shard.push(iter(part.extent, part.stride * d.stride, d.axis));
            } else {
                shard.push(iter(part.extent, 0, Axis::Memory));
            }
        }
    }
    Layout::new(shard, outer.replica().to_vec(), &offset)
}

/// The layout from places back to element numbers: its domain is the product of the axes in the order of `axes`, each
/// from 0 to the last position used, and its result is on `m`.
///
/// # Errors
/// When the layout has replicas, offsets or another axis, or does not reach every position exactly once.
pub fn inverse(layout: &Layout, axes: &[Axis]) -> Result<Layout, LayoutError> {
    if !layout.replica().is_empty() || !layout.offset().is_empty() {
        return error("a layout with replicas or offsets has no inverse");
    }
    if let Some(axis) = layout.axes().into_iter().find(|a| !axes.contains(a)) {
        return error(format!("the layout uses {axis}, which the inverse was not asked for"));
    }
    let mut number = 1i64;
    let mut found: Vec<(Iter, i64)> = Vec::new();
    for &i in layout.shard().iter().rev() {
        if i.extent > 1 {
            found.push((i, number));
        }
        // Bounded: the extents multiply to at most 2^40.
        number *= i.extent as i64;
    }
    let mut shard = Vec::new();
    for &axis in axes {
        let mut on_axis: Vec<_> = found.iter().filter(|(i, _)| i.axis == axis).collect();
        on_axis.sort_by_key(|(i, _)| i.stride);
        let mut next = 1i64;
        for (i, _) in &on_axis {
            if i.stride != next {
                return error(format!(
                    "{} leaves a gap or overlaps on {axis}: its stride would have to be {next}",
                    layout.iter_text(*i)
                ));
            }
            next *= i.extent as i64;
        }
        shard.extend(on_axis.iter().rev().map(|(i, number)| iter(i.extent, *number, Axis::Memory)));
    }
    Layout::of(shard)
}

/// Digits of a layout's domain, fastest first, units dropped.
fn digits_of(layout: &Layout) -> Vec<Iter> {
    layout.shard().iter().rev().copied().filter(|i| i.extent > 1).collect()
}

/// A number as digits.
fn split_number(number: i64, digits: &[Iter]) -> Result<Vec<u64>, LayoutError> {
    let Ok(mut rest) = u64::try_from(number) else {
        return error(format!(
            "the inner layout starts at {number}, before the outer layout's first element"
        ));
    };
    let mut out = Vec::new();
    for d in digits {
        out.push(rest % d.extent);
        rest /= d.extent;
    }
    if rest > 0 {
        return error(format!("the inner layout starts at {number}, past the outer layout's last element"));
    }
    Ok(out)
}

/// An iteration of the inner layout as steps along single digits (digit number, extent and steps of that digit),
/// outermost first. A digit number past the end stands for no movement.
fn split_iter(step: Iter, digits: &[Iter]) -> Result<Vec<(usize, Iter)>, LayoutError> {
    if step.extent == 1 || step.stride == 0 {
        return Ok(vec![(usize::MAX, step)]);
    }
    let Ok(mut stride) = u64::try_from(step.stride) else {
        return error(format!("{}:{} steps backwards through the outer layout", step.extent, step.stride));
    };
    let mut extent = step.extent;
    let mut parts = Vec::new();
    for (k, d) in digits.iter().enumerate() {
        if stride >= d.extent {
            if !stride.is_multiple_of(d.extent) {
                return error(format!(
                    "{}:{} steps across extent {} of the outer layout unevenly",
                    step.extent, step.stride, d.extent
                ));
            }
            stride /= d.extent;
            continue;
        }
        // Steps until this digit is used up; the last one may end inside it.
        let room = d.extent.div_ceil(stride);
        if extent <= room {
            parts.push((k, iter(extent, stride as i64, d.axis)));
            extent = 1;
            break;
        }
        if !d.extent.is_multiple_of(stride) || !extent.is_multiple_of(room) {
            return error(format!(
                "{}:{} steps across extent {} of the outer layout unevenly",
                step.extent, step.stride, d.extent
            ));
        }
        parts.push((k, iter(room, stride as i64, d.axis)));
        extent /= room;
        stride = 1;
    }
    if extent > 1 {
        return error(format!("{}:{} leaves the outer layout's elements", step.extent, step.stride));
    }
    parts.reverse();
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn factors() -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(prop::sample::select(vec![1u64, 2, 2, 3, 4, 5, 8, 16]), 1..6)
            .prop_filter("at most 2^16 elements", |f| f.iter().product::<u64>() <= 1 << 16)
    }

    /// A bijection onto `m`: the strides of a row-major layout, with its iterations shuffled.
    fn compact() -> impl Strategy<Value = Layout> {
        factors().prop_flat_map(|extents| {
            let order: Vec<usize> = (0..extents.len()).collect();
            (Just(extents), Just(order).prop_shuffle()).prop_map(|(extents, order)| {
                let mut shard = vec![iter(1, 0, Axis::Memory); extents.len()];
                let mut stride = 1;
                for k in order {
                    shard[k] = iter(extents[k], stride, Axis::Memory);
                    stride *= extents[k] as i64;
                }
                Layout::of(shard).unwrap()
            })
        })
    }

    fn any_layout() -> impl Strategy<Value = Layout> {
        let axis = prop::sample::select(vec![Axis::Memory, Axis::LaneId, Axis::TCol]);
        let strided = (prop::sample::select(vec![1u64, 2, 3, 4, 8, 16]), -8i64..64, axis)
            .prop_map(|(e, s, a)| iter(e, s, a));
        (prop::collection::vec(strided, 1..6), -4i64..20)
            .prop_filter("at most 2^16 elements", |(shard, _)| {
                shard.iter().map(|i| i.extent).product::<u64>() <= 1 << 16
            })
            .prop_map(|(shard, by)| Layout::new(shard, vec![], &[(Axis::TCol, by)]).unwrap())
    }

    fn inner_layout() -> impl Strategy<Value = Layout> {
        let strided =
            (prop::sample::select(vec![1u64, 2, 3, 4]), 0i64..48).prop_map(|(e, s)| iter(e, s, Axis::Memory));
        (prop::collection::vec(strided, 1..4), 0i64..6)
            .prop_map(|(shard, by)| Layout::new(shard, vec![], &[(Axis::Memory, by)]).unwrap())
    }

    proptest! {
        #[test]
        fn inverse_agrees_with_brute_force(layout in compact()) {
            let back = inverse(&layout, &[Axis::Memory]).unwrap();
            prop_assert_eq!(back.size(), layout.size());
            for index in 0..layout.size() {
                let place = layout.at(index, Axis::Memory) as u64;
                prop_assert_eq!(back.at(place, Axis::Memory) as u64, index);
            }
        }

        #[test]
        fn composition_with_its_inverse_is_the_identity(layout in compact()) {
            let back = inverse(&layout, &[Axis::Memory]).unwrap();
            let both = compose(&layout.canonical(), &back.canonical());
            if let Ok(both) = both {
                for index in 0..both.size() {
                    prop_assert_eq!(both.at(index, Axis::Memory) as u64, index);
                }
            }
        }

        #[test]
        fn composition_agrees_with_brute_force(outer in any_layout(), inner in inner_layout()) {
            if let Ok(both) = compose(&outer, &inner) {
                prop_assert_eq!(both.size(), inner.size());
                for index in 0..inner.size() {
                    let number = inner.at(index, Axis::Memory) as u64;
                    prop_assert!(number < outer.size());
                    for axis in [Axis::Memory, Axis::LaneId, Axis::TCol] {
                        prop_assert_eq!(both.at(index, axis), outer.at(number, axis));
                    }
                }
            }
        }

        #[test]
        fn composition_exists_for_shuffled_powers_of_two(
            order in Just((0..10usize).collect::<Vec<_>>()).prop_shuffle(),
            inner in Just((0..10usize).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let shuffled = |order: &[usize]| {
                Layout::of(order.iter().map(|&k| iter(2, 1 << k, Axis::Memory)).collect()).unwrap()
            };
            let (outer, inner) = (shuffled(&order), shuffled(&inner));
            let both = compose(&outer, &inner).unwrap();
            for index in 0..1024 {
                let number = inner.at(index, Axis::Memory) as u64;
                prop_assert_eq!(both.at(index, Axis::Memory), outer.at(number, Axis::Memory));
            }
        }

        #[test]
        fn canonical_means_the_same(layout in any_layout()) {
            let canonical = layout.canonical();
            prop_assert!(canonical.shard().len() <= layout.shard().len());
            for axis in layout.axes() {
                prop_assert_eq!(canonical.table(axis).unwrap(), layout.table(axis).unwrap());
                for (index, &value) in layout.table(axis).unwrap().iter().enumerate() {
                    prop_assert_eq!(layout.at(index as u64, axis), value);
                }
            }
        }
    }

    #[test]
    fn gaps_and_carries_are_named() {
        let gap = Layout::of(vec![iter(4, 8, Axis::Memory), iter(4, 1, Axis::Memory)]).unwrap();
        assert!(inverse(&gap, &[Axis::Memory]).unwrap_err().0.contains("stride would have to be 4"));
        let outer = Layout::of(vec![iter(4, 100, Axis::Memory), iter(6, 1, Axis::Memory)]).unwrap();
        let uneven = Layout::of(vec![iter(4, 4, Axis::Memory)]).unwrap();
        assert!(compose(&outer, &uneven).is_err());
        let far = Layout::of(vec![iter(4, 24, Axis::Memory)]).unwrap();
        assert!(compose(&outer, &far).unwrap_err().0.contains("leaves the outer layout"));
    }
}
