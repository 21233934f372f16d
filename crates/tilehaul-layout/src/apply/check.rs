//! The rules of `tcgen05.ld` and `.st`, in the order in which they are reported.
//!
//! The proof is by enumeration: for each member of the group and each repeat, every lane, register and half is compared
//! with the image. Positions come from one table for each axis, so a tile of 128 by 256 takes well under a millisecond.

use super::context::{Context, Member};
use super::instruction::Direction;
use super::operand::{Fitted, Operand, Storage, fit};
use super::{Applied, Issue, Refusal, refuse};
use crate::axis::Axis;
use crate::strided::LayoutError;
use crate::tmem::{COLUMNS, NativeImage, Packing, SLAB_LANES};
use crate::view::{View, element_text};

const ARITY: &str =
    "tcgen05.ld/st needs one register operand; 16x32bx2 needs two TMEM regions and imm_half_splitoff";

pub(super) fn apply(
    direction: Direction,
    image: &NativeImage,
    context: &Context,
    operands: &[Operand],
    split: Option<i64>,
    columns: u32,
) -> Result<Applied, Refusal> {
    let accesses = image.accesses() as usize;
    if operands.len() != 1 + accesses || split.is_some() != (accesses == 2) {
        return refuse("apply-arity", ARITY);
    }
    let (register, tensors) = match (direction, operands.split_first(), operands.split_last()) {
        (Direction::Load, Some((r, t)), _) | (Direction::Store, _, Some((r, t))) => (r, t),
        _ => return refuse("apply-arity", ARITY),
    };
    let group = context.warp_group()?;
    let (rows, image_columns) = (u64::from(image.rows()), u64::from(image.image_columns()));
    let packed = image.packing() == Packing::Half16;
    let register_atom = if accesses == 2 { vec![2, rows, image_columns] } else { vec![rows, image_columns] };
    let tensor_atom = if packed { vec![rows, image_columns, 2] } else { vec![rows, image_columns] };
    let register_name = if direction == Direction::Load { "dst" } else { "src" };
    let mut repeats = None;
    let registers =
        fit(register_name, register, Storage::Registers, &group.shape, &register_atom, &mut repeats)?;
    let mut views = Vec::new();
    for (k, operand) in tensors.iter().enumerate() {
        let name = format!("tmem_{k}");
        let fitted = fit(&name, operand, Storage::Tensor, &group.shape, &tensor_atom, &mut repeats)?;
        views.push(fitted);
    }
    check_widths(register_name, register, tensors, packed)?;
    if direction == Direction::Load {
        check_overlap(&register.view)?;
    }
    let owners = Owners::new(&register.view)?;
    let places: Vec<Places<'_>> =
        views.iter().map(|v| Places::new(v, packed)).collect::<Result<_, Refusal>>()?;
    if let [first, second] = tensors
        && first.backing != second.backing
    {
        return refuse("apply-backing", "16x32bx2 half-access regions must share the TMEM backing tensor");
    }
    let atom = Atom::new(image, &registers, &views);
    let repeats = repeats.unwrap_or_default();
    let mut applied = Applied { issues: Vec::new(), notes: Vec::new() };
    for member in &group.members {
        for repeat in coordinates(&repeats) {
            let lead: Vec<u64> = member.lead.iter().chain(&repeat).copied().collect();
            let base = registers.base(&lead);
            owners.check(context, member, base, &atom, &register.view)?;
            let warp = window(context, member)?;
            let mut bases = Vec::new();
            for (access, (view, place)) in views.iter().zip(&places).enumerate() {
                let origin = view.base(&lead);
                // Only the first access of a split pair must start at a multiple of its rows.
                let found = place.check(access, origin, warp, access == 0, &atom, image, columns)?;
                bases.push(found);
            }
            if let (Some(by), [first, second]) = (split, bases.as_slice()) {
                check_split(by, *first, *second)?;
            }
            let (row, column) = bases.first().copied().unwrap_or_default();
            let (slots, same) = owners.slots(base, &atom);
            if !same {
                note(&mut applied, "register slots depend on the lane, so registers are indexed at run time");
            }
            applied.issues.push(Issue {
                group: member.axes.clone(),
                repeat,
                // Below 32 and below 512.
                lane: (row % i64::from(SLAB_LANES)) as u32,
                column: column as u32,
                split,
                slots,
            });
        }
    }
    if split == Some(0) {
        note(&mut applied, "imm_half_splitoff = 0 addresses the same cells with both halves of the warp");
    }
    Ok(applied)
}

fn note(applied: &mut Applied, text: &str) {
    if !applied.notes.iter().any(|n| n == text) {
        applied.notes.push(text.to_string());
    }
}

fn check_widths(name: &str, register: &Operand, tensors: &[Operand], packed: bool) -> Result<(), Refusal> {
    const WIDTH: &str = "expected scalar 32-bit elements; use an explicit dtype view";
    if register.element_bits != 32 {
        return refuse("apply-width", format!("{name}: {WIDTH}"));
    }
    let want = if packed { 16 } else { 32 };
    for (k, operand) in tensors.iter().enumerate() {
        if operand.element_bits != want {
            let text =
                if packed { "expected scalar 16-bit elements; use an explicit dtype view" } else { WIDTH };
            return refuse("apply-width", format!("tmem_{k}: {text}"));
        }
    }
    Ok(())
}

/// A load writes each slot once: slots of `m` must not overlap, whatever their order.
fn check_overlap(view: &View) -> Result<(), Refusal> {
    let layout = view.layout().map_err(not_a_layout)?;
    let mut steps: Vec<(i64, u64)> = layout
        .shard()
        .iter()
        .filter(|i| i.axis == Axis::Memory && i.extent > 1)
        .map(|i| (i.stride, i.extent))
        .collect();
    steps.sort_unstable();
    let mut span = 1;
    for (stride, extent) in steps {
        if stride < span {
            return Err(Refusal {
                code: "apply-register-overlap",
                message: "register layout must have nonoverlapping storage strides".into(),
                element: Some(format!(
                    "{extent} steps of stride {stride} where slots 0 to {} are taken",
                    span - 1
                )),
            });
        }
        span += (extent as i64 - 1) * stride;
    }
    Ok(())
}

/// Offsets of every lane's register (and half) from the origin of an atom, as element numbers.
struct Atom {
    image: NativeImage,
    /// By lane, then register: element offset in the register operand.
    register: Vec<u64>,
    /// By access, lane, register and half: image row, image column, half, element offset in the operand.
    tensor: Vec<Vec<Spot>>,
}

#[derive(Clone, Copy)]
struct Spot {
    lane: u32,
    register: u32,
    row: i64,
    column: i64,
    half: i64,
    offset: u64,
}

impl Atom {
    fn new(image: &NativeImage, registers: &Fitted<'_>, views: &[Fitted<'_>]) -> Atom {
        let split = image.accesses() == 2;
        let parts = image.packing().parts();
        let register_steps = registers.atom_steps(if split { 3 } else { 2 });
        let step = |steps: &[u64], k: usize| steps.get(k).copied().unwrap_or(0);
        let mut register = Vec::new();
        let mut tensor = vec![Vec::new(); views.len()];
        for lane in 0..32 {
            for r in 0..image.registers() {
                let Some((access, row, column)) = image.coordinate(lane, r) else { continue };
                let (row, column) = (u64::from(row), u64::from(column));
                let lead = if split { u64::from(access) * step(register_steps, 0) } else { 0 };
                let k = usize::from(split);
                register.push(lead + row * step(register_steps, k) + column * step(register_steps, k + 1));
                let Some((view, spots)) = views.get(access as usize).zip(tensor.get_mut(access as usize))
                else {
                    continue;
                };
                let steps = view.atom_steps(if parts == 2 { 3 } else { 2 });
                for half in 0..u64::from(parts) {
                    let offset = row * step(steps, 0) + column * step(steps, 1) + half * step(steps, 2);
                    // Rows, columns and halves of an image are small.
                    let (row, column, half) = (row as i64, column as i64, half as i64);
                    spots.push(Spot { lane, register: r, row, column, half, offset });
                }
            }
        }
        Atom { image: image.clone(), register, tensor }
    }
}

/// Tables of the register operand: every element's lane, warp, slot, and position on the remaining axes.
struct Owners {
    lanes: Vec<i64>,
    warps: Vec<i64>,
    slots: Vec<i64>,
    others: Vec<(Axis, Vec<i64>)>,
    /// Warps are numbered over the block, not over the warpgroup.
    in_block: bool,
}

impl Owners {
    fn new(view: &View) -> Result<Owners, Refusal> {
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

    fn check(
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
        let wants: Vec<i64> = match group {
            Some((Axis::WidInWg, _)) if self.in_block => member.warps.iter().map(|&w| i64::from(w)).collect(),
            Some((_, want)) => vec![want as i64],
            None => vec![0],
        };
        for (lane, offsets) in atom.register.chunks(registers).enumerate() {
            for (register, &offset) in offsets.iter().enumerate() {
                let number = base + offset;
                let at = |table: &[i64]| table.get(number as usize).copied().unwrap_or(0);
                for (axis, table) in &self.others {
                    let value = at(table);
                    match member.axes.iter().find(|(a, _)| a == axis) {
                        Some(&(_, want)) if want as i64 != value => {
                            let want = want as i64;
                            return Err(wrong_owner(
                                view,
                                number,
                                *axis,
                                "the block",
                                value,
                                want,
                                lane,
                                register,
                            ));
                        }
                        None if value != 0 => return extra_axis(view, number, *axis, value),
                        Some(_) | None => {}
                    }
                }
                let (lanes, warps) = (at(&self.lanes), at(&self.warps));
                if lanes != lane as i64 {
                    let want = lane as i64;
                    return Err(wrong_owner(
                        view,
                        number,
                        Axis::LaneId,
                        "atom_lane",
                        lanes,
                        want,
                        lane,
                        register,
                    ));
                }
                if let Some(&want) = wants.iter().find(|&&w| w != warps) {
                    return match group {
                        None => extra_axis(view, number, Axis::WarpId, warps),
                        Some((axis, _)) => Err(wrong_owner(
                            view,
                            number,
                            axis,
                            axis_word(context),
                            warps,
                            want,
                            lane,
                            register,
                        )),
                    };
                }
            }
        }
        Ok(())
    }

    /// Slots of lane 0, and whether every lane has the same ones.
    fn slots(&self, base: u64, atom: &Atom) -> (Vec<i64>, bool) {
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

fn axis_word(context: &Context) -> &'static str {
    match context.scope {
        super::Scope::Warpgroup => "the warp of the warpgroup",
        _ => "the warp of the block",
    }
}

#[expect(clippy::too_many_arguments, reason = "one error text, built in one place")]
fn wrong_owner(
    view: &View,
    number: u64,
    axis: Axis,
    expected: &str,
    found: i64,
    want: i64,
    lane: usize,
    register: usize,
) -> Refusal {
    Refusal {
        code: "apply-owner",
        message: format!("incorrect {axis} owner; expected {expected}"),
        element: Some(format!(
            "element {} is held by {axis} {found}, but the instruction has it in {axis} {want}: lane {lane}, register {register}",
            element_text(&view.element(number))
        )),
    }
}

fn extra_axis(view: &View, number: u64, axis: Axis, value: i64) -> Result<(), Refusal> {
    Err(Refusal {
        code: "apply-owner-axis",
        message: "unexpected ownership axes".into(),
        element: Some(format!(
            "element {} is held by {axis} {value}, which is no axis of the scope",
            element_text(&view.element(number))
        )),
    })
}

/// Tables of a tensor-memory operand.
struct Places<'a> {
    view: &'a View,
    lanes: Vec<i64>,
    columns: Vec<i64>,
    packed: bool,
}

impl<'a> Places<'a> {
    fn new(fitted: &Fitted<'a>, packed: bool) -> Result<Places<'a>, Refusal> {
        let view = &fitted.operand.view;
        if view.axes().iter().any(|a| !matches!(a, Axis::TLane | Axis::TCol)) || !view.finish().is_empty() {
            return refuse("apply-tensor-axes", "TMEM pattern requires only TLane and TCol axes");
        }
        let table = |axis| view.table(axis).map_err(not_a_layout);
        Ok(Places { view, lanes: table(Axis::TLane)?, columns: table(Axis::TCol)?, packed })
    }

    /// Row and column (in cells) of the atom's origin, after every rule about one access.
    #[expect(clippy::too_many_arguments, reason = "the facts of one access, used in one place")]
    fn check(
        &self,
        access: usize,
        origin: u64,
        warp: u32,
        aligned: bool,
        atom: &Atom,
        image: &NativeImage,
        columns: u32,
    ) -> Result<(i64, i64), Refusal> {
        let at = |number: u64| {
            let k = number as usize;
            (self.lanes.get(k).copied().unwrap_or(0), self.columns.get(k).copied().unwrap_or(0))
        };
        let name = |number: u64| element_text(&self.view.element(number));
        let (row, column) = at(origin);
        let rows = i64::from(image.rows());
        let unit = if self.packed { 2 } else { 1 };
        let told = |code, message: &str, element: String| {
            Err(Refusal { code, message: message.to_string(), element: Some(element) })
        };
        if aligned && row.rem_euclid(rows) != 0 {
            return told(
                "apply-row-alignment",
                "TMEM atom row start must align to its row count",
                format!("element {} is at TLane {row}, no multiple of {rows}", name(origin)),
            );
        }
        if column.rem_euclid(unit) != 0 {
            return told(
                "apply-half",
                "TMEM atom must start at the low half of a cell",
                format!("element {} is at 16-bit column {column}", name(origin)),
            );
        }
        let slab = i64::from(SLAB_LANES);
        if aligned && row.div_euclid(slab) != i64::from(warp % 4) {
            return told(
                "apply-window",
                "TMEM lane partition must belong to the executing warp",
                format!(
                    "element {} is at TLane {row}; warp {warp} reaches lanes {} to {}",
                    name(origin),
                    warp % 4 * SLAB_LANES,
                    warp % 4 * SLAB_LANES + SLAB_LANES - 1
                ),
            );
        }
        for spot in atom.tensor.get(access).map_or(&[][..], Vec::as_slice) {
            let number = origin + spot.offset;
            let (r, c) = at(number);
            let held = || format!("lane {}, register {}", spot.lane, spot.register);
            if r != row + spot.row {
                return told(
                    "apply-rows",
                    "TMEM rows must be consecutive physical lanes",
                    format!(
                        "element {} is at TLane {r}, the image has it at TLane {}: {}",
                        name(number),
                        row + spot.row,
                        held()
                    ),
                );
            }
            let want =
                if self.packed { column + 4 * spot.column + 2 * spot.half } else { column + spot.column };
            if c != want {
                return told(
                    "apply-columns",
                    "TMEM columns must follow the instruction's cell mapping",
                    format!(
                        "element {} is at TCol {c}, the image has it at TCol {want}: {}",
                        name(number),
                        held()
                    ),
                );
            }
            if r.div_euclid(slab) != i64::from(warp % 4) {
                return told(
                    "apply-half-window",
                    "TMEM half-access must belong to the executing warp",
                    format!("element {} is at TLane {r}, outside warp {warp}'s lanes", name(number)),
                );
            }
        }
        let cell = column / unit;
        let last = cell + i64::from(image.columns()) - 1;
        let limit = i64::from(columns.min(COLUMNS));
        if cell < 0 || last >= limit {
            return told(
                "apply-bounds",
                &format!("TMEM columns must stay inside the {limit} columns of the allocation"),
                format!("the access covers columns {cell} to {last}"),
            );
        }
        Ok((row, cell))
    }
}

/// The warp whose lanes the instruction reaches; the same slab for all warps that run with these coordinates.
fn window(context: &Context, member: &Member) -> Result<u32, Refusal> {
    if context.scope == super::Scope::Warp && member.warps.len() != 1 {
        return refuse(
            "apply-warp",
            "TMEM warp scope requires a statically selected warp; use explicit warp group axes",
        );
    }
    Ok(member.warps.first().copied().unwrap_or(0))
}

fn check_split(by: i64, first: (i64, i64), second: (i64, i64)) -> Result<(), Refusal> {
    let slab = i64::from(SLAB_LANES);
    let address = |(row, column): (i64, i64)| (row.rem_euclid(slab) << 16) + column;
    let (want, found) = (address(first).checked_add(by), address(second));
    if want == Some(found) {
        return Ok(());
    }
    Err(Refusal {
        code: "apply-split",
        message: "TMEM half-access address must equal taddr + imm_half_splitoff".into(),
        element: Some(format!(
            "the second region is {} away, imm_half_splitoff is {by}",
            found - address(first)
        )),
    })
}

/// All coordinates of a shape, row-major; one empty coordinate for no dimension.
pub(super) fn coordinates(shape: &[u64]) -> Vec<Vec<u64>> {
    shape.iter().fold(vec![Vec::new()], |all, &extent| {
        all.iter()
            .flat_map(|lead| {
                (0..extent).map(|x| {
                    let mut next = lead.clone();
                    next.push(x);
                    next
                })
            })
            .collect()
    })
}

pub(super) fn not_a_layout(e: LayoutError) -> Refusal {
    Refusal { code: "apply-layout", message: e.0, element: None }
}
