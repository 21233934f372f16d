//! Triton: the layout attributes of TTGIR, as the compiler prints them.
//!
//! Every encoding is a linear layout from hardware (register, lane, warp, block, or offset in memory, or row and column
//! of tensor memory) to the tensor's dimensions. [`build`] multiplies the factors that Triton's documentation names for
//! an encoding, fits the product to a tensor's shape, and turns it round into a view from elements to hardware;
//! hardware bits that move no element become replicas.
//!
//! inferred: the factors were compared with what triton 3.9.0 answers for the recorded encodings
//! (`cases/layout/triton.jsonl`).

mod build;
mod distributed;
mod shared;
mod syntax;

use super::TextError;
use super::scan::Scanner;
use crate::axis::Axis;
use crate::finish::Finish;
use crate::linear::{Field, LinearMap, dims};
use crate::strided::{LayoutError, error};
use crate::view::{MAX_RANK, Map, View};
use build::Build;
use syntax::Attribute;

pub(super) fn parse(text: &str, shape: Option<&[u64]>) -> Result<View, TextError> {
    let mut s = Scanner::new(text)?;
    let attribute = syntax::read(&mut s)?;
    if let Some(shape) = shape
        && (shape.is_empty() || shape.len() > MAX_RANK || shape.iter().any(|e| !e.is_power_of_two()))
    {
        return Err(attribute.wrong("a Triton encoding needs a shape of powers of two"));
    }
    if let Some(found) = shared::read(&attribute, shape)? {
        return found.view(&attribute);
    }
    let mut build = distributed::read(&attribute, shape)?;
    let shape = shape.map_or_else(|| build.shape(), <[u64]>::to_vec);
    if shape.len() != build.rank() {
        return Err(attribute.wrong(format!(
            "the encoding has {} dimensions and the shape {}",
            build.rank(),
            shape.len()
        )));
    }
    build.fit(&shape).map_err(|e| attribute.wrong(e.0))?;
    Found { build, shape, finish: Vec::new(), copies: true }.view(&attribute)
}

/// What a reader found: hardware to dimensions, and how to turn it into a view.
struct Found {
    build: Build,
    shape: Vec<u64>,
    finish: Vec<Finish>,
    /// Hardware bits that move no element hold further copies; in tensor memory they hold nothing.
    copies: bool,
}

impl Found {
    fn view(self, attribute: &Attribute) -> Result<View, TextError> {
        let (map, kernel) =
            self.build.map(&self.shape).and_then(|map| map.section()).map_err(|e| attribute.wrong(e.0))?;
        let replicas = if self.copies { kernel } else { Vec::new() };
        View::linear(map, replicas, &self.shape, self.finish).map_err(|e| attribute.wrong(e.0))
    }
}

/// Hardware axes in Triton's words, in the order in which it prints them.
const HARDWARE: [(Axis, &str); 4] =
    [(Axis::Memory, "register"), (Axis::LaneId, "lane"), (Axis::WarpId, "warp"), (Axis::Cbx, "block")];

pub(super) fn print(view: &View) -> Result<String, LayoutError> {
    if view.finish().iter().any(|f| matches!(f, Finish::Pad(_))) {
        return print_padded(view);
    }
    let (map, replicas) = hardware_bits(view)?;
    let back = turn_round(&map, &replicas)?;
    let names = |axis: Axis, name: &str| format!("{name} = {}", bases_text(&back, axis, view.shape().len()));
    let threads = map.outputs().iter().any(|f| matches!(f.axis, Axis::LaneId | Axis::WarpId));
    if threads {
        let parts: Vec<String> = HARDWARE.iter().map(|&(axis, name)| names(axis, name)).collect();
        return Ok(format!("#ttg.linear<{{{}}}>", parts.join(", ")));
    }
    let parts = [names(Axis::Memory, "offset"), names(Axis::Cbx, "block")];
    Ok(format!("#ttg.shared_linear<{{{}}}, alignment = 16>", parts.join(", ")))
}

fn print_padded(view: &View) -> Result<String, LayoutError> {
    let [Finish::Pad(pairs)] = view.finish() else {
        return error("Triton pads plain linear layouts only");
    };
    let bare = match view.map() {
        Map::Strided(layout) => View::strided(layout.clone(), view.shape(), Vec::new())?,
        Map::Linear { map, replicas } => {
            View::linear(map.clone(), replicas.clone(), view.shape(), Vec::new())?
        }
    };
    let (map, replicas) = hardware_bits(&bare)?;
    let back = turn_round(&map, &replicas)?;
    let pairs: Vec<String> = pairs.iter().map(|(i, a)| format!("{i}:+{a}")).collect();
    Ok(format!(
        "#ttg.padded_shared<[{}] {{offset = {}, block = {}}}>",
        pairs.join(", "),
        bases_text(&back, Axis::Memory, view.shape().len()),
        bases_text(&back, Axis::Cbx, view.shape().len())
    ))
}

/// The view's bits with Triton's axes: a thread number becomes a lane of 32 and a warp.
fn hardware_bits(view: &View) -> Result<(LinearMap, Vec<u64>), LayoutError> {
    let (map, replicas) = view.bits()?;
    let mut outputs = Vec::new();
    for f in map.outputs() {
        match f.axis {
            Axis::Tx | Axis::TidInWg if f.bits > 5 => {
                outputs.push(Field { axis: Axis::LaneId, bits: 5 });
                outputs.push(Field { axis: Axis::WarpId, bits: f.bits - 5 });
            }
            Axis::Tx | Axis::TidInWg => outputs.push(Field { axis: Axis::LaneId, bits: f.bits }),
            Axis::WidInWg => outputs.push(Field { axis: Axis::WarpId, bits: f.bits }),
            Axis::Memory | Axis::LaneId | Axis::WarpId | Axis::Cbx => outputs.push(*f),
            other => return error(format!("Triton's linear layouts have no {other}")),
        }
    }
    Ok((LinearMap::new(map.inputs().to_vec(), outputs, map.bases().to_vec(), map.constant())?, replicas))
}

/// From hardware to elements; a hardware bit that only chooses a copy has base 0.
fn turn_round(map: &LinearMap, replicas: &[u64]) -> Result<LinearMap, LayoutError> {
    if map.constant() != 0 {
        return error("Triton's linear layouts have no offset");
    }
    let mut inputs = map.inputs().to_vec();
    let mut bases = map.bases().to_vec();
    let copies = u32::try_from(replicas.len()).unwrap_or(u32::MAX);
    inputs.push(Field { axis: Axis::Byte, bits: copies });
    bases.extend_from_slice(replicas);
    let whole = LinearMap::new(inputs, map.outputs().to_vec(), bases, 0)?;
    let back = whole.inverse()?;
    let element = map.input_bits();
    let mask = if element >= 64 { u64::MAX } else { (1u64 << element) - 1 };
    LinearMap::new(
        back.inputs().to_vec(),
        map.inputs().to_vec(),
        back.bases().iter().map(|b| b & mask).collect(),
        0,
    )
}

fn bases_text(back: &LinearMap, axis: Axis, rank: usize) -> String {
    let bases: Vec<String> = back
        .bases_of(axis)
        .iter()
        .map(|&base| {
            let parts: Vec<String> = (0..rank)
                .map(|d| {
                    let dim = Axis::Dim(u8::try_from(d).unwrap_or(u8::MAX));
                    back.output_part(base, dim).to_string()
                })
                .collect();
            format!("[{}]", parts.join(", "))
        })
        .collect();
    format!("[{}]", bases.join(", "))
}

/// The identity on a shape, for readers of shared encodings: dimensions in `order`, fastest first.
fn identity(shape: &[u64], order: &[usize]) -> Build {
    let mut build = Build::new(shape.len(), order);
    for &d in order {
        if let Some(&extent) = shape.get(d) {
            build.identity(extent, Axis::Memory, d);
        }
    }
    build
}

/// Fields of a tensor's shape.
fn shape_fields(shape: &[u64]) -> Vec<Field> {
    dims(shape)
}
