//! Which switches decided what an operation did.
//!
//! A switch mattered when the operation would have been refused, or would have moved other bytes or arrived elsewhere, had
//! it stood the other way. That is found out by planning the operation both ways; switches that cannot concern an
//! operation with such fields are passed over, so that ordinary operations are planned once.

use std::ops::ControlFlow;

use tilehaul_descriptor::amd::tdm::{Direction, TdmDescriptor};

use super::switches::{SWITCHES, Switch, TdmSwitches};
use super::{TdmOutcome, TdmSurroundings, plan};
use crate::{Segment, SegmentKind};

/// A switch that decided something.
#[derive(Clone, Copy, Debug)]
pub struct Mattered {
    /// The switch.
    pub switch: &'static Switch,
    /// How it stands.
    pub stands: &'static str,
    /// A value with which the operation would have gone otherwise.
    pub other: &'static str,
}

/// The switches that decided what one operation does.
#[must_use]
pub fn switches_that_matter(
    descriptor: &TdmDescriptor,
    direction: Direction,
    around: &TdmSurroundings,
    switches: &TdmSwitches,
) -> Vec<Mattered> {
    let fields = descriptor.fields();
    if fields.count == 0 {
        return Vec::new();
    }
    let concerned: Vec<&Switch> = SWITCHES.iter().filter(|s| (s.concerns)(&fields, direction)).collect();
    if concerned.is_empty() {
        return Vec::new();
    }
    let done = Deed::of(plan(descriptor, direction, around, switches).ok());
    let mut out = Vec::new();
    for switch in concerned {
        let stands = switch.stands_at(switches);
        let other = switch.values.iter().map(|(name, _)| *name).filter(|name| *name != stands).find(|name| {
            let mut turned = *switches;
            switch.turn(&mut turned, name);
            Deed::of(plan(descriptor, direction, around, &turned).ok()) != done
        });
        out.extend(other.map(|other| Mattered { switch, stands, other }));
    }
    out
}

/// What an operation does; none when it is refused.
#[derive(PartialEq)]
struct Deed(Option<(Vec<Segment>, Option<u32>, bool)>);

impl Deed {
    fn of(outcome: Option<TdmOutcome>) -> Deed {
        Deed(outcome.map(|outcome| {
            let mut moved = Vec::new();
            if let Some(plan) = &outcome.plan {
                let _ = plan.for_each(&mut |mut segment: Segment| {
                    match segment.kind {
                        SegmentKind::Data => moved.push(segment),
                        // Zeros come from nowhere.
                        SegmentKind::Fill => {
                            segment.src = 0;
                            moved.push(segment);
                        }
                        SegmentKind::Drop => {}
                    }
                    if moved.len() < MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
            }
            (moved, outcome.barrier, outcome.violation.is_some())
        }))
    }
}

/// As many segments are looked at.
const MOST: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use tilehaul_descriptor::amd::tdm::{FieldValue, TdmContext, judge_tdm_fields};

    use super::*;

    fn mattered(
        fields: &[(&str, FieldValue)],
        direction: Direction,
        switches: &TdmSwitches,
    ) -> Vec<&'static str> {
        let mut all = vec![("data_size_bytes", FieldValue::Int(4))];
        all.extend(fields.iter().cloned());
        let all: Vec<(String, FieldValue)> = all.into_iter().map(|(name, v)| (name.to_owned(), v)).collect();
        let (descriptor, told) = judge_tdm_fields(&all, None, &TdmContext::default());
        let descriptor = descriptor.unwrap_or_else(|| panic!("{told:?}"));
        let around = TdmSurroundings::default();
        let list = switches_that_matter(&descriptor, direction, &around, switches);
        list.iter().map(|m| m.switch.key).collect()
    }

    fn list(values: &[u32]) -> FieldValue {
        FieldValue::List(values.iter().map(|&v| v.into()).collect())
    }

    #[test]
    fn a_switch_matters_where_the_other_way_moves_other_bytes() {
        let tile = |extent: u32| {
            [
                ("tile_dim", list(&[4, 2])),
                ("tensor_dim", list(&[extent, 2])),
                ("tensor_dim_stride", list(&[8])),
            ]
        };
        let usual = TdmSwitches::default();
        let none: [&str; 0] = [];
        assert_eq!(mattered(&tile(4), Direction::Store, &usual), none);
        assert_eq!(mattered(&tile(3), Direction::Load, &usual), none);
        assert_eq!(mattered(&tile(3), Direction::Store, &usual), ["store_bounds"]);
        assert_eq!(mattered(&tile(0), Direction::Load, &usual), ["zero_extent"]);
        let turned = TdmSwitches { store_bounds: super::super::StoreBounds::Ignored, ..usual };
        assert_eq!(mattered(&tile(3), Direction::Store, &turned), ["store_bounds"]);
        let empty = [("tile_dim", list(&[0])), ("tensor_dim", list(&[4])), ("barrier", FieldValue::Int(8))];
        assert_eq!(mattered(&empty, Direction::Load, &usual), ["empty_tile"]);
    }

    #[test]
    fn every_switch_turns_to_every_value() {
        for switch in SWITCHES {
            let mut switches = TdmSwitches::default();
            assert_eq!(
                switch.stands_at(&switches),
                switch.values[0].0,
                "{}: the default comes first",
                switch.key
            );
            for (name, _) in switch.values {
                assert!(switch.turn(&mut switches, name));
                assert_eq!(switch.stands_at(&switches), *name);
            }
            assert!(!switch.turn(&mut switches, "sideways"));
        }
    }
}
