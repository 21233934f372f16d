//! Registers: whether every element is in the lane, warp and register where the instruction has it.

use super::atom::Atom;
use super::not_a_layout;
use crate::apply::Refusal;
use crate::apply::context::{Context, Member, Scope};
use crate::axis::Axis;
use crate::view::{View, element_text};

/// Tables of the register operand: every element's lane, warp, slot, and position on the remaining axes.
pub(super) struct Owners {
    lanes: Vec<i64>,
    warps: Vec<i64>,
    slots: Vec<i64>,
    others: Vec<(Axis, Vec<i64>)>,
    /// Warps are numbered over the block, not over the warpgroup.
    in_block: bool,
}

impl Owners {
    pub(super) fn new(view: &View) -> Result<Owners, Refusal> {
        // Positions were bounded by the layout, and the view's size by its tables.
        view.check_table().map_err(not_a_layout)?;
        let zeros = || vec![0; view.size() as usize];
        let mut owners =
            Owners { lanes: zeros(), warps: zeros(), slots: zeros(), others: Vec::new(), in_block: false };
        for axis in view.axes() {
            let table = view.table(axis).map_err(not_a_layout)?;
            match axis {
                Axis::Memory => owners.slots = table,
                Axis::LaneId => add(&mut owners.lanes, &table, |v| v),
                Axis::TidInWg | Axis::Tx => {
                    add(&mut owners.lanes, &table, |v| v.rem_euclid(32));
                    add(&mut owners.warps, &table, |v| v.div_euclid(32));
                    owners.in_block |= axis == Axis::Tx;
                }
                Axis::WidInWg => add(&mut owners.warps, &table, |v| v),
                Axis::WarpId | Axis::WgId => {
                    let step = if axis == Axis::WgId { 4 } else { 1 };
                    add(&mut owners.warps, &table, |v| step * v);
                    owners.in_block = true;
                }
                other => owners.others.push((other, table)),
            }
        }
        Ok(owners)
    }

    /// Every register of every lane of one atom: `base` is the number of its first element.
    pub(super) fn check(
        &self,
        context: &Context,
        member: &Member,
        base: u64,
        atom: &Atom,
        view: &View,
    ) -> Result<(), Refusal> {
        let registers = atom.image.registers().max(1) as usize;
        let group = member.axes.iter().find(|(a, _)| matches!(a, Axis::WidInWg | Axis::WarpId)).copied();
        // Axes of the block number warps over all warpgroups, so several warpgroups need several values.
        let warps: Vec<i64> = match group {
            Some((Axis::WidInWg, _)) if self.in_block => member.warps.iter().map(|&w| i64::from(w)).collect(),
            Some((_, warp)) => vec![warp as i64],
            None => vec![0],
        };
        for (lane, offsets) in atom.register.chunks(registers).enumerate() {
            for (register, &offset) in offsets.iter().enumerate() {
                let held = Held { view, number: base + offset, lane, register };
                self.check_other_axes(member, &held)?;
                let at = held.at(&self.lanes);
                if at != lane as i64 {
                    return Err(held.wrong_owner(Axis::LaneId, "atom_lane", at, lane as i64));
                }
                let at = held.at(&self.warps);
                if let Some(&warp) = warps.iter().find(|&&warp| warp != at) {
                    return Err(match group {
                        None => held.extra_axis(Axis::WarpId, at),
                        Some((axis, _)) => held.wrong_owner(axis, warp_word(context), at, warp),
                    });
                }
            }
        }
        Ok(())
    }

    /// Axes that count neither lanes nor warps: blocks of a cluster, or none at all.
    fn check_other_axes(&self, member: &Member, held: &Held<'_>) -> Result<(), Refusal> {
        for (axis, table) in &self.others {
            let found = held.at(table);
            match member.axes.iter().find(|(a, _)| a == axis) {
                Some(&(_, want)) if want as i64 != found => {
                    return Err(held.wrong_owner(*axis, "the block", found, want as i64));
                }
                None if found != 0 => return Err(held.extra_axis(*axis, found)),
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    /// Slots of lane 0, and whether every lane has the same ones.
    pub(super) fn slots(&self, base: u64, atom: &Atom) -> (Vec<i64>, bool) {
        let slot = |offset: u64| self.slots.get((base + offset) as usize).copied().unwrap_or(0);
        let registers = atom.image.registers() as usize;
        let first: Vec<i64> = atom.register.iter().take(registers).map(|&o| slot(o)).collect();
        let same = atom
            .register
            .chunks(registers.max(1))
            .all(|lane| lane.iter().zip(&first).all(|(&o, &s)| slot(o) == s));
        (first, same)
    }
}

fn add(sum: &mut [i64], table: &[i64], part: impl Fn(i64) -> i64) {
    for (s, &v) in sum.iter_mut().zip(table) {
        *s += part(v);
    }
}

fn warp_word(context: &Context) -> &'static str {
    match context.scope {
        Scope::Warpgroup => "the warp of the warpgroup",
        _ => "the warp of the block",
    }
}

/// A register of the instruction, and the element that should be in it.
struct Held<'a> {
    view: &'a View,
    number: u64,
    lane: usize,
    register: usize,
}

impl Held<'_> {
    /// The element's entry of a table of the view.
    fn at(&self, table: &[i64]) -> i64 {
        table.get(self.number as usize).copied().unwrap_or(0)
    }

    fn name(&self) -> String {
        element_text(&self.view.element(self.number))
    }

    fn wrong_owner(&self, axis: Axis, expected: &str, found: i64, want: i64) -> Refusal {
        Refusal {
            code: "apply-owner",
            message: format!("incorrect {axis} owner; expected {expected}"),
            element: Some(format!(
                "element {} is held by {axis} {found}, but the instruction has it in {axis} {want}: lane {}, register {}",
                self.name(),
                self.lane,
                self.register
            )),
        }
    }

    fn extra_axis(&self, axis: Axis, found: i64) -> Refusal {
        Refusal {
            code: "apply-owner-axis",
            message: "unexpected ownership axes".into(),
            element: Some(format!(
                "element {} is held by {axis} {found}, which is no axis of the scope",
                self.name()
            )),
        }
    }
}
