//! The rules of `tcgen05.cp`: rows of shared memory to tensor memory, replicas spelled out in the layout.

use super::check::{coordinates, not_a_layout};
use super::context::Context;
use super::operand::{Operand, Storage, fit};
use super::{Applied, Issue, Refusal, refuse};
use crate::axis::Axis;
use crate::finish::Finish;
use crate::strided::Iter;
use crate::tmem::{COLUMNS, CopyImage, LANES};
use crate::view::{View, element_text};

pub(super) fn apply(
    image: &CopyImage,
    context: &Context,
    operands: &[Operand],
    split: Option<i64>,
    columns: u32,
) -> Result<Applied, Refusal> {
    let [target, source] = operands else {
        return refuse("apply-arity", "tcgen05.cp requires dst and src");
    };
    if split.is_some() {
        return refuse("apply-arity", "tcgen05.cp requires dst and src");
    }
    let group = context.thread_group()?;
    let (rows, words) = (u64::from(image.rows()), u64::from(image.words()));
    let mut repeats = None;
    let to = fit("dst", target, Storage::Tensor, &group.shape, &[rows, words], &mut repeats)?;
    let from = fit("src", source, Storage::Shared, &group.shape, &[rows, words], &mut repeats)?;
    for (name, operand) in [("dst", target), ("src", source)] {
        if operand.element_bits != 32 {
            return refuse(
                "apply-width",
                format!("{name}: expected scalar 32-bit elements; use an explicit dtype view"),
            );
        }
    }
    let layout = target.view.layout().map_err(not_a_layout)?;
    if target.view.axes().iter().any(|a| !matches!(a, Axis::TLane | Axis::TCol)) {
        return refuse("apply-tensor-axes", "TMEM pattern requires only TLane and TCol axes");
    }
    check_replicas(image, layout.replica())?;
    let mut applied = Applied { issues: Vec::new(), notes: Vec::new() };
    for member in &group.members {
        for repeat in coordinates(&repeats.clone().unwrap_or_default()) {
            let lead: Vec<u64> = member.lead.iter().chain(&repeat).copied().collect();
            let (lane, column) =
                check_target(image, &target.view, to.base(&lead), to.atom_steps(2), columns)?;
            let strides = descriptor(image, &source.view, from.base(&lead), from.atom_steps(2))?;
            if !applied.notes.contains(&strides) {
                applied.notes.push(strides);
            }
            applied.issues.push(Issue {
                group: member.axes.clone(),
                repeat,
                lane,
                column,
                split: None,
                slots: Vec::new(),
            });
        }
    }
    Ok(applied)
}

/// The layout's replicas must be exactly the copies that the multicast makes.
fn check_replicas(image: &CopyImage, replica: &[Iter]) -> Result<(), Refusal> {
    let copies: u64 = replica.iter().map(|r| r.extent).product();
    let mut found: Vec<i64> = vec![0];
    let lanes_only = replica.iter().all(|r| r.axis == Axis::TLane);
    if lanes_only && copies == u64::from(image.replicas()) {
        for r in replica {
            found = found.iter().flat_map(|&v| (0..r.extent as i64).map(move |k| v + k * r.stride)).collect();
        }
    }
    found.sort_unstable();
    let mut want: Vec<i64> = (0..image.replicas()).filter_map(|k| image.lane(0, k)).map(i64::from).collect();
    want.sort_unstable();
    if found == want && lanes_only {
        return Ok(());
    }
    Err(Refusal {
        code: "apply-replicas",
        message: "TMEM replicas must match the explicit multicast qualifier".into(),
        element: Some(format!("the instruction copies to lanes {want:?}, the layout says {found:?}")),
    })
}

fn check_target(
    image: &CopyImage,
    view: &View,
    origin: u64,
    steps: &[u64],
    columns: u32,
) -> Result<(u32, u32), Refusal> {
    let at = |number: u64| (view.at(number, Axis::TLane), view.at(number, Axis::TCol));
    let (lane, column) = at(origin);
    if column.rem_euclid(4) != 0 {
        return refuse("apply-cp-column", "tcgen05.cp column start must be 128-bit aligned");
    }
    let last = image.lane(image.rows() - 1, image.replicas() - 1).unwrap_or(0);
    if lane < 0 || lane + i64::from(last) >= i64::from(LANES) {
        return refuse("apply-cp-lanes", "footprint exceeds the 128-lane TMEM space");
    }
    let limit = i64::from(columns.min(COLUMNS));
    if column < 0 || column + i64::from(image.words()) > limit {
        return refuse("apply-cp-columns", format!("footprint exceeds {limit} TMEM columns"));
    }
    let step = |k: usize| steps.get(k).copied().unwrap_or(0);
    for row in 0..image.rows() {
        for word in 0..image.words() {
            let number = origin + u64::from(row) * step(0) + u64::from(word) * step(1);
            let (l, c) = at(number);
            let want = lane + i64::from(image.lane(row, 0).unwrap_or(0));
            if l != want {
                return Err(Refusal {
                    code: "apply-cp-rows",
                    message: "TMEM row map disagrees with cp shape/multicast".into(),
                    element: Some(format!(
                        "element {} is at TLane {l}, the copy puts it at TLane {want}",
                        element_text(&view.element(number))
                    )),
                });
            }
            if c != column + i64::from(word) {
                return Err(Refusal {
                    code: "apply-cp-words",
                    message: "TMEM words must occupy consecutive columns".into(),
                    element: Some(format!(
                        "element {} is at TCol {c}, the copy puts it at TCol {}",
                        element_text(&view.element(number)),
                        column + i64::from(word)
                    )),
                });
            }
        }
    }
    // Checked above: both are small and not negative.
    Ok((lane as u32, column as u32))
}

/// The matrix descriptor whose walk reads this source, as a sentence; swizzles are tried from none to 128 bytes.
fn descriptor(image: &CopyImage, view: &View, origin: u64, steps: &[u64]) -> Result<String, Refusal> {
    if view.axes().iter().any(|&a| a != Axis::Memory) {
        return refuse("apply-source-axes", "src: expected a layout on m");
    }
    let step = |k: usize| steps.get(k).copied().unwrap_or(0);
    let mut tried = Vec::new();
    for (mode, name) in [(0u32, "none"), (1, "32B"), (2, "64B"), (3, "128B")] {
        // Byte position before the swizzle; the exclusive or is its own inverse.
        let swizzle = Finish::Swizzle { bits: mode, base: 4, shift: 3 };
        let byte = |row: u32, word: u32| {
            let number = origin + u64::from(row) * step(0) + u64::from(word) * step(1);
            swizzle.apply(4 * view.at(number, Axis::Memory))
        };
        let start = byte(0, 0);
        let row_bytes = if mode == 0 { 0 } else { 16 << mode };
        let stride = if image.rows() > 8 { byte(8, 0) - start } else { 0 };
        let leading = if mode == 0 && image.words() > 4 { byte(0, 4) - start } else { 0 };
        let field = |v: i64| v % 16 == 0 && (0..1 << 18).contains(&v);
        if !field(stride) || !field(leading) {
            tried.push(format!(
                "swizzle {name}: strides {leading} and {stride} are no multiples of 16 below 2^18"
            ));
            continue;
        }
        let mut wrong = None;
        'rows: for row in 0..image.rows() {
            for word in 0..image.words() {
                let chunk = CopyImage::source_offset(row, word / 4, row_bytes, leading as u64, stride as u64);
                let want = start + chunk as i64 + i64::from(4 * (word % 4));
                if byte(row, word) != want {
                    wrong = Some(format!(
                        "swizzle {name}: row {row} word {word} is at byte {}, the descriptor reads byte {want}",
                        byte(row, word) - start
                    ));
                    break 'rows;
                }
            }
        }
        match wrong {
            Some(text) => tried.push(text),
            None => {
                return Ok(format!(
                    "matrix descriptor: swizzle {name}, leading {leading}, stride {stride} bytes"
                ));
            }
        }
    }
    Err(Refusal {
        code: "apply-descriptor",
        message: "no matching shared matrix descriptor".into(),
        element: Some(tried.join("; ")),
    })
}
