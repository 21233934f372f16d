//! The three ways from global memory to shared memory, side by side.

use super::{Anchor, Canvas, Dash, colour};

/// One column: name, the stations on the way, and what it costs.
struct Path {
    name: &'static str,
    through_registers: bool,
    engine: Option<&'static str>,
    instructions: &'static str,
    registers: &'static str,
    addresses: &'static str,
    counter: &'static str,
}

/// manual: CDNA5 ISA 10.8 and 10.11 (asynchronous copies, Tensor Data Mover).
const PATHS: [Path; 3] = [
    Path {
        name: "through registers",
        through_registers: true,
        engine: None,
        instructions: "2 a chunk, and waits",
        registers: "data and addresses",
        addresses: "every lane",
        counter: "LOADcnt, DScnt",
    },
    Path {
        name: "asynchronous copy",
        through_registers: false,
        engine: None,
        instructions: "1 a chunk",
        registers: "addresses only",
        addresses: "every lane",
        counter: "ASYNCcnt",
    },
    Path {
        name: "Tensor Data Mover",
        through_registers: false,
        engine: Some("TDM"),
        instructions: "1 a tile",
        registers: "none (a D# in SGPRs)",
        addresses: "the engine",
        counter: "TENSORcnt",
    },
];

/// Three columns from global memory down to LDS; the stop on the way and the cost are what differs.
#[must_use]
pub fn paths() -> String {
    let (left, column, width) = (150.0, 236.0, 190.0);
    let mut canvas =
        Canvas::new(left + 3.0 * column, 560.0, "Three ways from global memory to the local data share");
    canvas.heading(
        (24.0, 32.0),
        "Three ways from global memory to LDS: where the data stops on its way",
        17.0,
    );
    let rows = [(70.0, "global memory"), (180.0, "on the way"), (300.0, "LDS")];
    for (y, name) in rows {
        canvas.text((24.0, y + 28.0), name, 13.0, colour::FAINT, Anchor::Start);
    }
    for (k, path) in PATHS.iter().enumerate() {
        let x = left + k as f64 * column;
        let middle = x + width / 2.0;
        canvas.block((x, 70.0), (width, 46.0), colour::TENSOR, colour::FAINT, Dash::Solid);
        canvas.text((middle, 98.0), "global memory", 14.0, colour::INK, Anchor::Middle);
        canvas.block((x, 300.0), (width, 46.0), colour::TILE_PALE, colour::TILE, Dash::Solid);
        canvas.text((middle, 328.0), "LDS", 14.0, colour::INK, Anchor::Middle);
        canvas.block((x, 180.0), (width, 54.0), "#ffffff", colour::GRID, Dash::Dashed);
        if path.through_registers {
            canvas.block((x + 12.0, 188.0), (width - 24.0, 38.0), colour::BAD_PALE, colour::BAD, Dash::Solid);
            canvas.text((middle, 212.0), "vector registers", 14.0, colour::INK, Anchor::Middle);
            canvas.arrow((middle, 116.0), (middle, 186.0), colour::BAD, 3.0);
            canvas.arrow((middle, 226.0), (middle, 298.0), colour::BAD, 3.0);
            canvas.text((middle + 10.0, 155.0), "load", 12.0, colour::BAD, Anchor::Start);
            canvas.text((middle + 10.0, 268.0), "store", 12.0, colour::BAD, Anchor::Start);
        } else {
            let ink = if path.engine.is_some() { colour::GOOD } else { colour::TILE };
            let x = if path.engine.is_some() { middle - 44.0 } else { middle };
            canvas.arrow((x, 116.0), (x, 298.0), ink, 3.0);
            if path.engine.is_none() {
                canvas.text((middle + 12.0, 202.0), "registers", 12.0, colour::FAINT, Anchor::Start);
                canvas.text((middle + 12.0, 219.0), "not touched", 12.0, colour::FAINT, Anchor::Start);
            }
        }
        if let Some(engine) = path.engine {
            canvas.block((middle - 10.0, 188.0), (84.0, 38.0), "#d7f0df", colour::GOOD, Dash::Solid);
            canvas.text((middle + 32.0, 212.0), engine, 14.0, colour::INK, Anchor::Middle);
            canvas.line((middle - 44.0, 207.0), (middle - 10.0, 207.0), colour::GOOD, 2.0);
        }
        canvas.heading((x, 386.0), path.name, 15.0);
        let facts = [path.instructions, path.registers, path.addresses, path.counter];
        for (row, fact) in facts.iter().enumerate() {
            canvas.text((x, 416.0 + row as f64 * 30.0), fact, 13.0, colour::INK, Anchor::Start);
        }
    }
    for (row, name) in ["instructions", "vector registers", "addresses by", "counter"].iter().enumerate() {
        canvas.text((24.0, 416.0 + row as f64 * 30.0), name, 13.0, colour::FAINT, Anchor::Start);
        let y = 426.0 + row as f64 * 30.0;
        canvas.line((24.0, y), (left + 3.0 * column - 24.0, y), colour::GRID, 1.0);
    }
    canvas.finish()
}
