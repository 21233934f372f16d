//! A copy of gfx1250's tensor data mover.

use tilehaul_descriptor::ElementType;
use tilehaul_descriptor::amd::tdm::{
    Direction, TdmContext, TdmDescriptor, TdmFields, check, judge_tdm_fields,
};
use tilehaul_diag::{Diagnostic, Level};
use tilehaul_engine::Region;
use tilehaul_engine::tdm::{self, TdmSurroundings, TdmSwitches};

use super::types::{Elements, Side, Use, compare};
use super::{Copied, Way, finish, moved, outside, shared_image};
use crate::encode::TdmArguments;
use crate::explain::ExplainError;
use crate::npy::{Array, Descr};

/// A copy through a D#.
#[derive(Clone, Debug)]
pub struct TdmRequest {
    /// The D#.
    pub source: TdmSource,
    /// Address of the array's first byte.
    pub base: u64,
    /// The direction: loads and stores.
    pub way: Way,
    /// What LDS holds before a load.
    pub filler: u8,
    /// How the engine behaves where sources disagree: the keys of `[amd]` in launch files.
    pub switches: TdmSwitches,
}

/// Where the D# of a copy comes from.
#[derive(Clone, Debug)]
pub enum TdmSource {
    /// A finished one; `base` says where in it the array is.
    Words(Vec<u32>),
    /// A tile of the array. What is absent follows from the array.
    Tile(TileOfArray),
}

/// A tile of an array, innermost dimension first.
#[derive(Clone, Debug, Default)]
pub struct TileOfArray {
    /// Extents of the tile; a gather takes one or two.
    pub tile: Vec<i128>,
    /// Where it begins in the array; 0 where absent.
    pub at: Vec<u64>,
    /// Bounds from the tile's start; what is left of the array when empty.
    pub dims: Vec<i128>,
    /// LDS byte address.
    pub lds: u64,
    /// Dwords of data between two gaps, and dwords of a gap.
    pub padding: Option<(i128, i128)>,
    /// Rows to gather or scatter, counted from the tile's start.
    pub gather: Vec<i128>,
}

impl TileOfArray {
    /// The D#'s arguments: the tile's address, what is left of the array from there, its strides.
    fn arguments(&self, array: &Array, base: u64) -> Result<TdmArguments, ExplainError> {
        let shape: Vec<u64> = array.shape.iter().rev().copied().collect();
        let rank = self.tile.len().max(if self.gather.is_empty() { 1 } else { 2 });
        for (name, given) in [("tile", rank), ("at", self.at.len())] {
            if given > shape.len() {
                return Err(ExplainError::Unusable(format!(
                    "--{name} names {given} dimensions, and the array has {} ({})",
                    shape.len(),
                    shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
                )));
            }
        }
        let (mut strides, mut left) = (Vec::new(), Vec::new());
        let (mut product, mut start) = (1u64, 0u64);
        for (dimension, &extent) in shape.iter().enumerate() {
            if dimension > 0 {
                strides.push(i128::from(product));
            }
            let at = self.at.get(dimension).copied().unwrap_or(0);
            start = start.saturating_add(at.saturating_mul(product));
            left.push(i128::from(extent.saturating_sub(at)));
            product = product.saturating_mul(extent);
        }
        left.truncate(rank);
        strides.truncate(rank - 1);
        let bytes = u64::from(array.descr.bytes);
        Ok(TdmArguments {
            data_size: bytes.into(),
            tile: self.tile.clone(),
            dims: if self.dims.is_empty() { left } else { self.dims.clone() },
            strides,
            address: Some(base.saturating_add(start.saturating_mul(bytes))),
            lds: self.lds,
            padding: self.padding,
            gather: self.gather.clone(),
            index_size: if self.gather.iter().any(|&row| row > 0xffff) { 32 } else { 16 },
            ..TdmArguments::default()
        })
    }
}

/// Turns one switch, written `key=value`.
///
/// # Errors
/// A sentence that names the keys, or the values of the key.
pub fn turn(switches: &mut TdmSwitches, text: &str) -> Result<(), String> {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let Some(switch) = tdm::SWITCHES.iter().find(|switch| switch.key == key) else {
        let keys: Vec<&str> = tdm::SWITCHES.iter().map(|switch| switch.key).collect();
        return Err(format!("there is no switch `{key}`; the switches are {}", keys.join(", ")));
    };
    if switch.turn(switches, value) {
        return Ok(());
    }
    let values: Vec<&str> = switch.values.iter().map(|(name, _)| *name).collect();
    Err(format!("`{key}` is one of {}, not `{value}`", values.join(", ")))
}

/// Runs one tensor data mover copy. `tensor` is global memory, `tile` LDS (for stores).
///
/// # Errors
/// When the words are no D#; refusals are part of the answer.
pub fn tdm(request: &TdmRequest, tensor: &Array, tile: Option<&Array>) -> Result<Copied, ExplainError> {
    let direction = match request.way {
        Way::Load => Direction::Load,
        Way::Store => Direction::Store,
        Way::Reduce(_) => {
            return Err(ExplainError::Unusable("the tensor data mover does not reduce".to_owned()));
        }
    };
    let (descriptor, mut diagnostics) = described(request, direction, tensor)?;
    let sides = [Some(("--tensor", tensor)), tile.map(|tile| ("--tile-file", tile))];
    if let Some(descriptor) = &descriptor {
        let elements = Elements::Bytes(descriptor.fields().data_size_bytes);
        for (option, array) in sides.into_iter().flatten() {
            let side = Side { option, descr: array.descr };
            diagnostics.extend(compare(side, "the D#", elements, Use::Moved));
        }
    }
    diagnostics.sort_by_key(|d| d.level);
    let illegal = diagnostics.iter().any(|d| d.level == Level::Error);
    let Some(descriptor) = descriptor.filter(|_| !illegal) else { return Ok(Copied::refused(diagnostics)) };
    let around = TdmSurroundings { cluster_size: Some(1), ..TdmSurroundings::default() };
    let outcome = match tdm::plan(&descriptor, direction, &around, &request.switches) {
        Ok(outcome) => outcome,
        Err(refusals) => {
            diagnostics.extend(refusals);
            return Ok(Copied::refused(diagnostics));
        }
    };
    let mut notes = Vec::new();
    for mattered in tdm::switches_that_matter(&descriptor, direction, &around, &request.switches) {
        let (key, about) = (mattered.switch.key, mattered.switch.about);
        notes.push(format!(
            "{about}: {key} stands at {}, {} would move other bytes",
            mattered.stands, mattered.other
        ));
    }
    if let Some(barrier) = outcome.barrier {
        notes.push(format!("one arrival at the LDS barrier at {barrier:#x} when all is done"));
    }
    let Some(plan) = outcome.plan else {
        notes.insert(0, "nothing is copied".to_owned());
        let array = if direction == Direction::Store { Some(tensor.clone()) } else { None };
        return Ok(Copied { array, summary: notes, diagnostics });
    };
    let fields = descriptor.fields();
    let mut global = Region::new(request.base, tensor.data.clone());
    if direction == Direction::Store {
        let Some(tile) = tile else {
            return Err(ExplainError::Unusable("a store needs the tile's array too: --tile-file".to_owned()));
        };
        let lds = Region::new(fields.lds_addr.into(), tile.data.clone());
        let mut copied = finish(&plan, &lds, &mut global, tensor, diagnostics);
        copied.summary.extend(notes);
        return Ok(copied);
    }
    let mut end = u64::from(fields.lds_addr);
    let _ = plan.for_each(&mut |segment: tilehaul_engine::Segment| {
        end = end.max(segment.dst.saturating_add(segment.len));
        std::ops::ControlFlow::Continue(())
    });
    let start = u64::from(fields.lds_addr);
    let mut lds = shared_image(start, end - start, request.filler).map_err(ExplainError::Unusable)?;
    let mut summary = vec![moved(&plan)];
    summary.extend(notes);
    if let Err(fault) = plan.run(&global, &mut lds) {
        let (global, lds) = (&global.data, &lds.data);
        diagnostics.push(outside(&fault, ("the tensor", global), ("the shared image", lds)));
        return Ok(Copied { array: None, summary, diagnostics });
    }
    let image = lds.data.get(start as usize..).unwrap_or_default().to_vec();
    Ok(Copied { array: Some(shaped(image, &fields, tensor.descr)), summary, diagnostics })
}

/// The D# of a request, if there is one, and what is wrong with it or with its arguments.
fn described(
    request: &TdmRequest,
    direction: Direction,
    tensor: &Array,
) -> Result<(Option<TdmDescriptor>, Vec<Diagnostic>), ExplainError> {
    let context = TdmContext { direction: Some(direction), tensor_bytes: None, ..TdmContext::default() };
    match &request.source {
        TdmSource::Words(words) => {
            let descriptor =
                TdmDescriptor::from_words(words).map_err(|e| ExplainError::Unusable(e.to_string()))?;
            Ok((Some(descriptor), check(&descriptor, &context)))
        }
        TdmSource::Tile(tile) => {
            let arguments = tile.arguments(tensor, request.base)?;
            let wrong = arguments.miscounted();
            if !wrong.is_empty() {
                return Ok((None, wrong));
            }
            Ok(judge_tdm_fields(&arguments.fields(), None, &context))
        }
    }
}

/// What LDS holds behind a load, as an array: without gaps it has rows, with gaps it is one run of elements, and bytes where
/// the elements of the D# are not the tensor's.
fn shaped(image: Vec<u8>, fields: &TdmFields, tensor: Descr) -> Array {
    let width = u64::from(tensor.bytes);
    let row = u64::from(fields.tile_dim[0]) * fields.data_size_bytes;
    let length = image.len() as u64;
    let (descr, shape) = if width != fields.data_size_bytes || !length.is_multiple_of(width) {
        (Descr::of(ElementType::U8), vec![length])
    } else if fields.padding.is_none() && row > 0 && length.is_multiple_of(row) {
        (tensor, vec![length / row, row / width])
    } else {
        (tensor, vec![length / width])
    };
    Array { descr, shape, data: image }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_decide_what_a_store_past_an_extent_does() {
        let bytes = |data: &[u8]| Array {
            descr: Descr::of(ElementType::U8),
            shape: vec![1, data.len() as u64],
            data: data.to_vec(),
        };
        let stored = |switches: TdmSwitches| {
            let request = TdmRequest {
                source: TdmSource::Tile(TileOfArray {
                    tile: vec![4, 1],
                    dims: vec![2, 1],
                    ..TileOfArray::default()
                }),
                base: 0x1000,
                way: Way::Store,
                filler: 0,
                switches,
            };
            tdm(&request, &bytes(&[0; 8]), Some(&bytes(&[1, 2, 3, 4]))).unwrap()
        };
        let mut switches = TdmSwitches::default();
        let dropped = stored(switches);
        assert_eq!(dropped.array.unwrap().data, [1, 2, 0, 0, 0, 0, 0, 0]);
        assert!(dropped.summary.iter().any(|line| line.contains("store_bounds stands at drop")));
        turn(&mut switches, "store_bounds=ignored").unwrap();
        assert_eq!(stored(switches).array.unwrap().data, [1, 2, 3, 4, 0, 0, 0, 0]);
        assert!(turn(&mut switches, "store_bounds=kept").unwrap_err().contains("drop"));
        assert!(turn(&mut switches, "bounds").unwrap_err().contains("store_bounds"));
    }
}
