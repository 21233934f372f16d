//! Images of tensor memory as tables and pictures, and what an apply executes.

mod svg;

use tilehaul_layout::tmem::{Accumulator, CopyImage, NativeImage};

use crate::layout::columns_text;
pub use svg::{accumulator_picture, apply_picture, image_picture};

/// A native image as a table of rows and columns: each cell says lane and register.
#[must_use]
pub fn image_table(image: &NativeImage, most: u32) -> String {
    let mut text = String::new();
    for access in 0..image.accesses() {
        if image.accesses() > 1 {
            text.push_str(&format!("access {access}\n"));
        }
        let columns = image.columns().min(most);
        let mut lines = vec![
            std::iter::once("row".to_string())
                .chain((0..columns).map(|c| format!("c{c}")))
                .collect::<Vec<_>>(),
        ];
        for row in 0..image.rows() {
            let cells = (0..columns).map(|column| match image.owner(access, row, column) {
                Some(owner) if image.packing().parts() == 2 => {
                    format!(
                        "l{}r{}.{}",
                        owner.lane,
                        owner.register,
                        if owner.part == 0 { "lo" } else { "hi" }
                    )
                }
                Some(owner) => format!("l{}r{}", owner.lane, owner.register),
                None => String::new(),
            });
            lines.push(std::iter::once(row.to_string()).chain(cells).collect());
        }
        text.push_str(&columns_text(&lines));
        if columns < image.columns() {
            text.push_str(&format!("({columns} of {} columns)\n", image.columns()));
        }
    }
    text
}

/// An accumulator as a table: for each slab of 32 lanes and block, which rows and columns of the matrix it holds.
#[must_use]
pub fn accumulator_table(accumulator: &Accumulator) -> String {
    use tilehaul_layout::tmem::AccumulatorPlace;
    let spec = accumulator.datapath().spec();
    let mut lines = vec![vec!["block".to_string(), "lanes".into(), "rows".into(), "columns".into()]];
    for block in 0..spec.cta_group.blocks() {
        for half in 0..8 {
            let first = half * 16;
            let at = |lane: u32, column: u32| accumulator.element(AccumulatorPlace { block, lane, column });
            let last_column = accumulator.columns().saturating_sub(1);
            let (rows, columns) = match (at(first, 0), at(first + 15, last_column)) {
                (Some((r0, c0)), Some((r1, c1))) => (format!("{r0}-{r1}"), format!("{c0}-{c1}")),
                _ => ("-".to_string(), "-".to_string()),
            };
            lines.push(vec![block.to_string(), format!("{first}-{}", first + 15), rows, columns]);
        }
    }
    columns_text(&lines)
}

/// A copy as a table: where each run of rows goes.
#[must_use]
pub fn copy_table(image: &CopyImage) -> String {
    let mut lines = vec![vec!["rows".to_string(), "lanes".into()]];
    let run = image.rows().min(if image.rows() == 4 { 1 } else { 32 });
    for first in (0..image.rows()).step_by(run as usize) {
        let last = first + run - 1;
        let lanes: Vec<String> = (0..image.replicas())
            .filter_map(|k| {
                let (a, b) = (image.lane(first, k)?, image.lane(last, k)?);
                Some(if a == b { a.to_string() } else { format!("{a}-{b}") })
            })
            .collect();
        let rows = if first == last { first.to_string() } else { format!("{first}-{last}") };
        lines.push(vec![rows, lanes.join(" and ")]);
    }
    columns_text(&lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilehaul_layout::tmem::{CopyShape, Datapath, LaneHalf, Multicast, Packing, Shape};

    #[test]
    fn tables_say_who_holds_what() {
        let image = NativeImage::new(Shape::S16x64b, 1, Packing::Plain).unwrap();
        let text = image_table(&image, 8);
        let row: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(row, ["0", "l0r0", "l2r0"]);
        let f = Accumulator::new(Datapath::F, 64, LaneHalf::Lower).unwrap();
        assert!(accumulator_table(&f).contains("32-47  16-31     0-63"), "{}", accumulator_table(&f));
        let copy = CopyImage::new(CopyShape::C64x128b, Multicast::Warpx2_01_23).unwrap();
        assert!(copy_table(&copy).contains("64-95 and 96-127"));
    }
}
