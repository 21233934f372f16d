//! The rules of `tcgen05.ld` and `.st`, in the order in which they are reported.
//!
//! The proof is by enumeration: for each member of the group and each repeat, every lane, register and half is compared
//! with the image. Positions come from one table for each axis, so a tile of 128 by 256 takes well under a millisecond.

mod atom;
mod owners;
mod places;

use super::context::{Context, Member, Scope};
use super::instruction::Direction;
use super::operand::{Operand, Storage, fit};
use super::{Applied, Issue, Refusal, refuse};
use crate::axis::Axis;
use crate::strided::LayoutError;
use crate::tmem::{NativeImage, Packing, SLAB_LANES};
use crate::view::View;

use atom::Atom;
use owners::Owners;
use places::{Access, Places};

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
    let (name, register, tensors) = by_role(direction, image, operands, split)?;
    let group = context.warp_group()?;
    let (rows, image_columns) = (u64::from(image.rows()), u64::from(image.image_columns()));
    let packing = image.packing();
    let register_atom =
        if tensors.len() == 2 { vec![2, rows, image_columns] } else { vec![rows, image_columns] };
    let tensor_atom = match packing {
        Packing::Half16 => vec![rows, image_columns, 2],
        Packing::Plain => vec![rows, image_columns],
    };
    let mut repeats = None;
    let registers = fit(name, register, Storage::Registers, &group.shape, &register_atom, &mut repeats)?;
    let mut views = Vec::new();
    for (k, operand) in tensors.iter().enumerate() {
        let name = format!("tmem_{k}");
        let fitted = fit(&name, operand, Storage::Tensor, &group.shape, &tensor_atom, &mut repeats)?;
        views.push(fitted);
    }
    check_widths(name, register, tensors, packing)?;
    if direction == Direction::Load {
        check_overlap(&register.view)?;
    }
    let owners = Owners::new(&register.view)?;
    let places: Vec<Places<'_>> =
        views.iter().map(|v| Places::new(v, packing)).collect::<Result<_, Refusal>>()?;
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
            for (number, (view, place)) in views.iter().zip(&places).enumerate() {
                let access = Access { number, origin: view.base(&lead), warp };
                bases.push(place.check(&access, &atom, columns)?);
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

/// The register operand with its name, and the tensor-memory operands: one for each access of the image.
fn by_role<'a>(
    direction: Direction,
    image: &NativeImage,
    operands: &'a [Operand],
    split: Option<i64>,
) -> Result<(&'static str, &'a Operand, &'a [Operand]), Refusal> {
    let accesses = image.accesses() as usize;
    let found = match direction {
        Direction::Load => operands.split_first().map(|(register, tensors)| ("dst", register, tensors)),
        Direction::Store => operands.split_last().map(|(register, tensors)| ("src", register, tensors)),
    };
    match found {
        Some(found) if found.2.len() == accesses && split.is_some() == (accesses == 2) => Ok(found),
        _ => refuse("apply-arity", ARITY),
    }
}

fn note(applied: &mut Applied, text: &str) {
    if !applied.notes.iter().any(|n| n == text) {
        applied.notes.push(text.to_string());
    }
}

fn check_widths(
    name: &str,
    register: &Operand,
    tensors: &[Operand],
    packing: Packing,
) -> Result<(), Refusal> {
    const WIDTH: &str = "expected scalar 32-bit elements; use an explicit dtype view";
    if register.element_bits != 32 {
        return refuse("apply-width", format!("{name}: {WIDTH}"));
    }
    let (want, text) = match packing {
        Packing::Half16 => (16, "expected scalar 16-bit elements; use an explicit dtype view"),
        Packing::Plain => (32, WIDTH),
    };
    for (k, operand) in tensors.iter().enumerate() {
        if operand.element_bits != want {
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

/// The warp whose lanes the instruction reaches; the same slab for all warps that run with these coordinates.
fn window(context: &Context, member: &Member) -> Result<u32, Refusal> {
    if context.scope == Scope::Warp && member.warps.len() != 1 {
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
