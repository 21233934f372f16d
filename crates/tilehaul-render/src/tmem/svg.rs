//! Tensor memory as pictures: native images, accumulators, and the windows of an apply.

use tilehaul_layout::apply::{Applied, Instruction, Issue};
use tilehaul_layout::tmem::{Accumulator, AccumulatorPlace, COLUMNS, CopyImage, NativeImage, SLAB_LANES};

use crate::svg::{Anchor, Canvas, colour};

const CELL: (f64, f64) = (46.0, 20.0);

/// A native image: one cell for each row and column, coloured by lane, at most 16 columns.
#[must_use]
pub fn image_picture(image: &NativeImage) -> String {
    let columns = image.columns().min(16);
    let rows = image.rows() * image.accesses();
    let (left, top) = (70.0, 100.0);
    let height = top + f64::from(rows) * CELL.1 + 70.0;
    let title = format!("Native image of {image}");
    let mut canvas = Canvas::new((left + f64::from(columns) * CELL.0 + 40.0).max(620.0), height, &title);
    canvas.heading((24.0, 32.0), &title, 17.0);
    let words = "each cell: lane and register that hold it; a colour is one lane modulo 8";
    canvas.text((24.0, 52.0), words, 13.0, colour::FAINT, Anchor::Start);
    for column in 0..columns {
        let x = left + (f64::from(column) + 0.5) * CELL.0;
        canvas.text((x, top - 8.0), &format!("col {column}"), 10.0, colour::FAINT, Anchor::Middle);
    }
    for access in 0..image.accesses() {
        for row in 0..image.rows() {
            let y = top + f64::from(access * image.rows() + row) * CELL.1;
            let name =
                if image.accesses() > 1 { format!("{access}: row {row}") } else { format!("row {row}") };
            canvas.text((left - 8.0, y + 14.0), &name, 10.0, colour::FAINT, Anchor::End);
            for column in 0..columns {
                let Some(owner) = image.owner(access, row, column) else { continue };
                let part = match (image.packing().parts(), owner.part) {
                    (2, 0) => " lo",
                    (2, _) => " hi",
                    _ => "",
                };
                let fill = colour::PALE.get(owner.lane as usize % 8).copied().unwrap_or(colour::TENSOR);
                let text = format!("L{} r{}{part}", owner.lane, owner.register);
                let hover = format!(
                    "row {row}, column {column}: lane {}, register {}{part}",
                    owner.lane, owner.register
                );
                canvas.cell((left + f64::from(column) * CELL.0, y), CELL, fill, &text, &hover);
            }
        }
    }
    if columns < image.columns() {
        let text = format!("first {columns} of {} columns drawn", image.columns());
        canvas.text((24.0, height - 24.0), &text, 12.0, colour::FAINT, Anchor::Start);
    }
    canvas.finish()
}

/// An accumulator: the matrix on the left, tensor memory of each block on the right, the same part in the same colour.
#[must_use]
pub fn accumulator_picture(accumulator: &Accumulator) -> String {
    let spec = accumulator.datapath().spec();
    let blocks = spec.cta_group.blocks();
    let title =
        format!("Data path {}: a result of {} by {} in tensor memory", spec.letter, spec.m, accumulator.n());
    let (top, lane_height, width) = (110.0, 2.6, 260.0);
    let mut canvas = Canvas::new(
        120.0 + width + f64::from(blocks) * (width + 110.0) + 20.0,
        top + 128.0 * lane_height + 90.0,
        &title,
    );
    canvas.heading((24.0, 32.0), &title, 17.0);
    let words =
        "the same colour is the same part of the matrix; rest the pointer on a part for its rows and columns";
    canvas.text((24.0, 52.0), words, 13.0, colour::FAINT, Anchor::Start);
    let tall = 128.0 * lane_height;
    let parts = Part::all(accumulator);
    canvas.heading((70.0, top - 22.0), &format!("matrix, {} rows", spec.m), 14.0);
    let (x_scale, y_scale) = (width / f64::from(accumulator.n()), tall / f64::from(spec.m));
    for part in &parts {
        let at = (70.0 + f64::from(part.columns.0) * x_scale, top + f64::from(part.rows.0) * y_scale);
        let size = (f64::from(part.columns.1) * x_scale, f64::from(part.rows.1) * y_scale);
        canvas.cell(at, size, part.fill(), &part.name(), &part.hover());
    }
    for (row, anchor) in [(0, 10.0), (spec.m - 1, tall)] {
        canvas.text((64.0, top + anchor), &format!("row {row}"), 11.0, colour::FAINT, Anchor::End);
    }
    for block in 0..blocks {
        let left = 70.0 + (width + 110.0) * f64::from(block + 1);
        let name =
            if blocks > 1 { format!("block {block}: 128 lanes") } else { "tensor memory: 128 lanes".into() };
        canvas.heading((left, top - 22.0), &name, 14.0);
        canvas.rect(left, top, width, tall, colour::GAP, Some(colour::GRID));
        let scale = width / f64::from(accumulator.columns());
        for part in parts.iter().filter(|p| p.block == block) {
            let at = (left, top + f64::from(part.lanes.0) * lane_height);
            let size = (f64::from(accumulator.columns()) * scale, f64::from(part.lanes.1) * lane_height);
            canvas.cell(at, size, part.fill(), &part.name(), &part.hover());
        }
        for warp in 0..4 {
            let y = top + f64::from(warp) * 32.0 * lane_height;
            canvas.line((left - 6.0, y), (left + width + 6.0, y), colour::INK, 1.0);
            canvas.text(
                (left - 8.0, y + 14.0),
                &format!("lane {}", 32 * warp),
                11.0,
                colour::FAINT,
                Anchor::End,
            );
            canvas.text((left - 8.0, y + 48.0), &format!("warp {warp}"), 11.0, colour::INK, Anchor::End);
        }
        canvas.line((left - 6.0, top + tall), (left + width + 6.0, top + tall), colour::INK, 1.0);
        let columns = format!("columns 0 to {}", accumulator.columns() - 1);
        canvas.text((left, top + tall + 20.0), &columns, 11.0, colour::FAINT, Anchor::Start);
    }
    canvas.text(
        (24.0, top + tall + 56.0),
        "Grey lanes hold nothing. Each warp of a warpgroup reaches only its own 32 lanes.",
        12.5,
        colour::FAINT,
        Anchor::Start,
    );
    canvas.finish()
}

/// Rows and columns of the matrix that lie in one run of lanes.
struct Part {
    block: u32,
    lanes: (u32, u32),
    rows: (u32, u32),
    columns: (u32, u32),
    number: usize,
}

impl Part {
    fn all(accumulator: &Accumulator) -> Vec<Part> {
        let spec = accumulator.datapath().spec();
        let mut parts = Vec::new();
        for block in 0..spec.cta_group.blocks() {
            for slab in 0..4 {
                let lanes = slab * SLAB_LANES..(slab + 1) * SLAB_LANES;
                let held: Vec<(u32, u32, u32)> = lanes
                    .filter_map(|lane| {
                        let (row, column) =
                            accumulator.element(AccumulatorPlace { block, lane, column: 0 })?;
                        Some((lane, row, column))
                    })
                    .collect();
                if let (Some(first), Some(last)) = (held.first(), held.last()) {
                    let count = last.0 - first.0 + 1;
                    parts.push(Part {
                        block,
                        lanes: (first.0, count),
                        rows: (first.1, count),
                        columns: (first.2, accumulator.columns()),
                        number: parts.len(),
                    });
                }
            }
        }
        parts
    }

    fn fill(&self) -> &'static str {
        colour::PALE.get(self.number % 8).copied().unwrap_or(colour::TENSOR)
    }

    fn name(&self) -> String {
        format!(
            "rows {}-{}, columns {}-{}",
            self.rows.0,
            self.rows.0 + self.rows.1 - 1,
            self.columns.0,
            self.columns.0 + self.columns.1 - 1
        )
    }

    fn hover(&self) -> String {
        format!(
            "rows {} to {}, columns {} to {}: block {}, lanes {} to {}",
            self.rows.0,
            self.rows.0 + self.rows.1 - 1,
            self.columns.0,
            self.columns.0 + self.columns.1 - 1,
            self.block,
            self.lanes.0,
            self.lanes.0 + self.lanes.1 - 1
        )
    }
}

/// The lanes that a copy writes: one cell for each run of neighbouring rows and each replica.
fn copied(
    canvas: &mut Canvas,
    image: &CopyImage,
    issue: &Issue,
    (x, top): (f64, f64),
    (scale, lane_height): (f64, f64),
) {
    let run = if image.rows() < SLAB_LANES { 1 } else { SLAB_LANES };
    for first in (0..image.rows()).step_by(run as usize) {
        for replica in 0..image.replicas() {
            let Some(lane) = image.lane(first, replica) else { continue };
            let fill = colour::PALE.get((first / run) as usize % 8).copied().unwrap_or(colour::TENSOR);
            let at = (x + f64::from(issue.column) * scale, top + f64::from(issue.lane + lane) * lane_height);
            let size = (f64::from(image.words()) * scale, f64::from(run) * lane_height);
            let rows = format!("rows {first}-{}", first + run - 1);
            let hover = format!(
                "{rows}, copy {replica}: lanes {} on, columns {} on",
                issue.lane + lane,
                issue.column
            );
            canvas.cell(at, size, fill, &rows, &hover);
        }
    }
}

/// What an apply executes: tensor memory with the window of every instruction, coloured by warp. Blocks of a cluster
/// stand beside each other.
#[must_use]
pub fn apply_picture(instruction: &Instruction, applied: &Applied, scope: &str) -> String {
    use tilehaul_layout::Axis;
    let value = |issue: &Issue, axis: Axis| issue.group.iter().find(|(a, _)| *a == axis).map(|(_, v)| *v);
    let block = |issue: &Issue| value(issue, Axis::Cbx).unwrap_or(0);
    let warp = |issue: &Issue| value(issue, Axis::WidInWg).or_else(|| value(issue, Axis::WarpId));
    let blocks = applied.issues.iter().map(block).max().unwrap_or(0) + 1;
    let (rows, columns, accesses) = match instruction {
        Instruction::Move { image, .. } => (image.rows(), image.columns(), image.accesses()),
        Instruction::Copy(image) => (image.rows(), image.words(), 1),
    };
    let reach = applied.issues.iter().map(|i| i.column + columns).max().unwrap_or(32);
    let reach = reach.next_power_of_two().clamp(16, COLUMNS);
    let (left, top, lane_height, width) = (90.0, 120.0, 2.6, 360.0);
    let tall = 128.0 * lane_height;
    let title = format!("{instruction} at {scope} scope");
    let total = (left + blocks as f64 * (width + 110.0)).max(720.0);
    let mut canvas = Canvas::new(total, top + tall + 120.0, &title);
    canvas.heading((24.0, 32.0), &title, 17.0);
    let count = applied.issues.len();
    let words = format!(
        "{count} instruction{} in all, {} for each {}; a colour is one warp, a number is one instruction",
        if count == 1 { "" } else { "s" },
        applied.per_warp(),
        if matches!(instruction, Instruction::Copy(_)) { "thread" } else { "warp" }
    );
    canvas.text((24.0, 54.0), &words, 13.0, colour::FAINT, Anchor::Start);
    for b in 0..blocks {
        let x = left + b as f64 * (width + 110.0);
        let name = if blocks > 1 {
            format!("block {b} of the cluster")
        } else {
            "tensor memory of the block".into()
        };
        canvas.heading((x, top - 24.0), &name, 14.0);
        canvas.rect(x, top, width, tall, colour::GAP, Some(colour::GRID));
        for slab in 0..4 {
            let y = top + f64::from(slab) * 32.0 * lane_height;
            canvas.line((x - 6.0, y), (x + width + 6.0, y), colour::FAINT, 1.0);
            let text = format!("lanes {}-{}", 32 * slab, 32 * slab + 31);
            canvas.text((x - 8.0, y + 46.0), &text, 11.0, colour::FAINT, Anchor::End);
        }
        let scale = width / f64::from(reach);
        for (number, issue) in applied.issues.iter().filter(|i| block(i) == b).enumerate() {
            let w = warp(issue).unwrap_or(0);
            // Warps of a block share four slabs.
            let slab = (w % 4) as u32 * SLAB_LANES;
            let fill = colour::PALE.get(w as usize % 8).copied().unwrap_or(colour::TENSOR);
            if let Instruction::Copy(image) = instruction {
                copied(&mut canvas, image, issue, (x, top), (scale, lane_height));
                continue;
            }
            for access in 0..accesses {
                let by = if access == 1 { issue.split.unwrap_or(0) } else { 0 };
                let (lanes, cols) = ((by >> 16) as f64, (by & 0xffff) as f64);
                let at = (
                    x + (f64::from(issue.column) + cols) * scale,
                    top + (f64::from(slab + issue.lane) + lanes) * lane_height,
                );
                let size = (f64::from(columns) * scale, f64::from(rows) * lane_height);
                let who = warp(issue).map_or_else(|| "the warp".to_string(), |w| format!("warp {w}"));
                let hover = format!(
                    "{who}: {instruction} at lane +{}, column +{}, registers {:?}",
                    issue.lane,
                    issue.column,
                    issue.slots.iter().take(8).collect::<Vec<_>>()
                );
                canvas.cell(at, size, fill, &format!("{who}, #{number}"), &hover);
            }
        }
        let text = format!("columns 0 to {}", reach - 1);
        canvas.text((x, top + tall + 20.0), &text, 11.0, colour::FAINT, Anchor::Start);
    }
    let warps: std::collections::BTreeSet<u64> = applied.issues.iter().filter_map(warp).collect();
    let mut x = 24.0;
    for w in warps.iter().take(8) {
        let fill = colour::PALE.get(*w as usize % 8).copied().unwrap_or(colour::TENSOR);
        x = canvas.legend((x, top + tall + 56.0), fill, &format!("warp {w}"));
    }
    let (who, rule) = match instruction {
        Instruction::Move { .. } => (
            "the one warp that executes",
            "Grey is not touched. A warp reaches only the slab of its index modulo 4; the address itself need not say which.",
        ),
        Instruction::Copy(_) => (
            "one thread issues the copy; it reaches all 128 lanes",
            "Grey is not touched. Equal rows are copies of the same row of shared memory.",
        ),
    };
    if warps.is_empty() {
        canvas.legend((24.0, top + tall + 56.0), colour::PALE[0], who);
    }
    canvas.text((24.0, top + tall + 92.0), rule, 12.5, colour::FAINT, Anchor::Start);
    canvas.finish()
}
