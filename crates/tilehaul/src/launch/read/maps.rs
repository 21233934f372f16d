//! `[tensor_map.X]` and `[tdm.X]`: descriptors in words.

use super::super::toml_keys::{Complaints, Table};
use super::super::{MapMode, TdmSpec, TensorMapSpec};
use super::places;

/// Keys of `[tensor_map.X]` that an encoder may complain about.
const MAP_KEYS: [&str; 14] = [
    "buffer",
    "offset",
    "dims",
    "strides",
    "element_strides",
    "box",
    "lower_corner",
    "upper_corner",
    "channels_per_pixel",
    "pixels_per_column",
    "swizzle",
    "interleave",
    "oob_fill",
    "l2_promotion",
];
/// The same of `[tdm.X]`.
const TDM_KEYS: [&str; 9] =
    ["buffer", "offset", "dims", "tile", "strides", "pad_interval", "pad_amount", "lds", "groups"];

pub(super) fn tensor_map(
    name: String,
    mut table: Table<'_>,
    complaints: &mut Complaints,
) -> Option<TensorMapSpec> {
    let keys = places(&mut table, &MAP_KEYS);
    let buffer = required_buffer(&mut table, complaints);
    let mode = map_mode(&mut table, complaints);
    let offset = table.unsigned("offset", complaints).unwrap_or(0);
    let dims = table.unsigned_list("dims", complaints);
    let strides = table.unsigned_list("strides", complaints);
    let element_strides = table.unsigned_list("element_strides", complaints);
    let swizzle = table.string("swizzle", complaints);
    let interleave = table.string("interleave", complaints);
    let oob_fill = table.string("oob_fill", complaints);
    let l2_promotion = table.string("l2_promotion", complaints);
    // Before anything is given up: a misspelt key explains the missing one.
    table.finish(complaints);
    Some(TensorMapSpec {
        name,
        buffer: buffer.unwrap_or_default(),
        offset,
        dims,
        strides,
        element_strides,
        mode: mode?,
        swizzle,
        interleave,
        oob_fill,
        l2_promotion,
        span: table.span,
        keys,
    })
}

fn map_mode(table: &mut Table<'_>, complaints: &mut Complaints) -> Option<MapMode> {
    let box_dims = table.unsigned_list("box", complaints);
    let mode_span = table.get("mode").map_or(table.span, |v| v.span);
    let mode = table.string("mode", complaints);
    let lower_corner = table.signed_list("lower_corner", complaints);
    let upper_corner = table.signed_list("upper_corner", complaints);
    let channels_per_pixel = table.unsigned("channels_per_pixel", complaints);
    let pixels_per_column = table.unsigned("pixels_per_column", complaints);
    match mode.as_deref() {
        None | Some("tile" | "tiled") => match box_dims {
            Some(box_dims) => Some(MapMode::Tile { box_dims }),
            None => {
                complaints.at(table.span, format!("`{}.box` is missing", table.name));
                None
            }
        },
        Some("im2col") => {
            let all = (lower_corner, upper_corner, channels_per_pixel, pixels_per_column);
            let (Some(lower_corner), Some(upper_corner), Some(channels_per_pixel), Some(pixels_per_column)) =
                all
            else {
                let keys = "lower_corner, upper_corner, channels_per_pixel and pixels_per_column";
                complaints.at(mode_span, format!("`{}` is im2col and needs {keys}", table.name));
                return None;
            };
            Some(MapMode::Im2col { lower_corner, upper_corner, channels_per_pixel, pixels_per_column })
        }
        Some(other) => {
            complaints.at(mode_span, format!("`{}.mode` = `{other}` must be `tile` or `im2col`", table.name));
            None
        }
    }
}

pub(super) fn tdm(name: String, mut table: Table<'_>, complaints: &mut Complaints) -> Option<TdmSpec> {
    let keys = places(&mut table, &TDM_KEYS);
    let buffer = required_buffer(&mut table, complaints);
    let interval = table.unsigned("pad_interval", complaints);
    let amount = table.unsigned("pad_amount", complaints);
    if interval.is_some() != amount.is_some() {
        complaints.at(
            table.span,
            format!("`{}` must give both pad_interval and pad_amount or neither", table.name),
        );
    }
    let spec = TdmSpec {
        name,
        buffer: buffer.unwrap_or_default(),
        offset: table.unsigned("offset", complaints).unwrap_or(0),
        dims: table.unsigned_list("dims", complaints).unwrap_or_default(),
        tile: table.unsigned_list("tile", complaints).unwrap_or_default(),
        strides: table.unsigned_list("strides", complaints).unwrap_or_default(),
        padding: interval.zip(amount),
        lds: table.unsigned("lds", complaints).unwrap_or(0),
        groups: table.unsigned("groups", complaints).unwrap_or(2),
        span: table.span,
        keys,
    };
    table.finish(complaints);
    let rank = spec.tile.len();
    if rank == 0 || rank > 5 || spec.dims.len() != rank || spec.strides.len() + 1 != rank {
        let message = format!(
            "`{}` needs dims and tile of one to five numbers each, and one stride less: it has {} dims, {rank} of tile and {} strides",
            table.name,
            spec.dims.len(),
            spec.strides.len()
        );
        complaints.at(spec.span, message);
        return None;
    }
    if !matches!(spec.groups, 2 | 4) || rank > 2 && spec.groups == 2 {
        complaints
            .at(spec.span, format!("`{}.groups` must be 2, or 4 (needed above two dimensions)", table.name));
        return None;
    }
    Some(spec)
}

fn required_buffer(table: &mut Table<'_>, complaints: &mut Complaints) -> Option<String> {
    let buffer = table.string("buffer", complaints);
    if buffer.is_none() {
        complaints.at(table.span, format!("`{}.buffer` is missing", table.name));
    }
    buffer
}
