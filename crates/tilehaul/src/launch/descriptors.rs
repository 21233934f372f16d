//! Descriptors that the host makes: the values of `[tensor_map.X]` and `[tdm.X]` become their words.

use tilehaul_descriptor::amd::tdm::{Padding, TdmFields, TdmMode};
use tilehaul_descriptor::nvidia::{
    Architecture, Context, DataType, EncodeIm2col, EncodeTiled, Interleave, L2Promotion, Lists, Naming,
    OobFill, Swizzle,
};
use tilehaul_diag::{Diagnostic, Level, Span};

use super::prepare::problem;
use super::{Buffer, Files, LaunchFile, MapMode, Prepared, TdmSpec, TensorMapSpec, place_of};

/// The 128 bytes of a tensor map.
pub(super) fn tensor_map(
    launch: &LaunchFile,
    name: &str,
    prepared: &Prepared,
    files: &dyn Files,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let spec = launch.tensor_maps.iter().find(|m| m.name == name);
    let Some((spec, buffer)) = spec.and_then(|s| Some((s, prepared.buffer(&s.buffer)?))) else {
        return Err(vec![problem(launch.kernel_span, format!("there is no [tensor_map.{name}]"))]);
    };
    let tiled = arguments(spec, buffer)?;
    let target = launch.target.clone().or_else(|| own_target(launch, files));
    let context = Context {
        architecture: target.as_deref().and_then(Architecture::parse).unwrap_or(Architecture::SM_90A),
        naming: Naming::Plain,
        lists: Lists::Exact,
    };
    let bytes = match &spec.mode {
        MapMode::Tile { .. } => tiled.encode(&context),
        MapMode::Im2col { lower_corner, upper_corner, channels_per_pixel, pixels_per_column } => {
            EncodeIm2col {
                data_type: tiled.data_type,
                rank: tiled.rank,
                address: tiled.address,
                dims: tiled.dims,
                strides: tiled.strides,
                lower_corner: lower_corner.clone(),
                upper_corner: upper_corner.clone(),
                channels_per_pixel: *channels_per_pixel,
                pixels_per_column: *pixels_per_column,
                element_strides: tiled.element_strides,
                interleave: tiled.interleave,
                swizzle: tiled.swizzle,
                l2_promotion: tiled.l2_promotion,
                oob_fill: tiled.oob_fill,
                alloc_bytes: tiled.alloc_bytes,
            }
            .encode(&context)
        }
    };
    bytes.map(|b| b.to_vec()).map_err(|found| placed(found, (spec.span, &spec.keys), "tensor_map", name))
}

/// The target that the kernel's PTX names. What is wrong with that file is said when it is read as a kernel.
fn own_target(launch: &LaunchFile, files: &dyn Files) -> Option<String> {
    let bytes = files.read(&launch.kernel).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(".target"))?;
    Some(line.split(',').next()?.trim().to_owned())
}

/// The arguments of the tiled call; of an im2col map everything but the box.
fn arguments(spec: &TensorMapSpec, buffer: &Buffer) -> Result<EncodeTiled, Vec<Diagnostic>> {
    let refuse = |what: String| vec![problem(spec.span, format!("`tensor_map.{}`: {what}", spec.name))];
    let element = buffer.element;
    let Some(data_type) = DataType::for_element(element) else {
        return Err(refuse(format!("no tensor map type moves elements of {element}")));
    };
    // A buffer's shape is outermost first, a map's dimensions innermost first.
    let dims = spec.dims.clone().unwrap_or_else(|| buffer.shape.iter().rev().copied().collect());
    let strides = spec.strides.clone().unwrap_or_else(|| {
        let shape: Vec<u64> = buffer.shape.iter().rev().copied().collect();
        let mut bytes = element.global_bytes(shape.first().copied().unwrap_or(0));
        let mut strides = Vec::new();
        for &extent in shape.iter().skip(1) {
            strides.push(bytes);
            bytes = bytes.saturating_mul(extent);
        }
        // A map of the buffer's inner dimensions alone has their strides.
        strides.truncate(dims.len().saturating_sub(1));
        strides
    });
    let box_dims = match &spec.mode {
        MapMode::Tile { box_dims } => box_dims.clone(),
        MapMode::Im2col { .. } => Vec::new(),
    };
    let mut arguments = EncodeTiled::new(data_type, buffer.address + spec.offset, &dims, &strides, &box_dims);
    if let Some(strides) = &spec.element_strides {
        arguments.element_strides.clone_from(strides);
    }
    let choice = |key: &str, given: &Option<String>, parse: &dyn Fn(&str) -> Option<u32>, names: &str| {
        let Some(name) = given else { return Ok(0) };
        parse(name).ok_or_else(|| {
            let what =
                format!("`tensor_map.{}`: {key} = `{name}` is not known; choose one of {names}", spec.name);
            vec![problem(place_of(&spec.keys, key).unwrap_or(spec.span), what)]
        })
    };
    arguments.swizzle = choice(
        "swizzle",
        &spec.swizzle,
        &|n| Swizzle::parse(n).map(Swizzle::code),
        &names(Swizzle::ALL, Swizzle::name),
    )?;
    arguments.interleave = choice(
        "interleave",
        &spec.interleave,
        &|n| Interleave::parse(n).map(Interleave::code),
        &names(Interleave::ALL, Interleave::name),
    )?;
    arguments.oob_fill = choice(
        "oob_fill",
        &spec.oob_fill,
        &|n| OobFill::parse(n).map(OobFill::code),
        &names(OobFill::ALL, OobFill::name),
    )?;
    arguments.l2_promotion = choice(
        "l2_promotion",
        &spec.l2_promotion,
        &|n| L2Promotion::parse(n).map(L2Promotion::code),
        &names(L2Promotion::ALL, L2Promotion::name),
    )?;
    Ok(arguments)
}

fn names<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str) -> String {
    all.iter().map(|&mode| name(mode)).collect::<Vec<_>>().join(", ")
}

/// The words of a D#, 48 bytes for two groups and 80 for four.
pub(super) fn tdm(launch: &LaunchFile, name: &str, prepared: &Prepared) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let spec = launch.tdms.iter().find(|t| t.name == name);
    let Some((spec, buffer)) = spec.and_then(|s| Some((s, prepared.buffer(&s.buffer)?))) else {
        return Err(vec![problem(launch.kernel_span, format!("there is no [tdm.{name}]"))]);
    };
    let descriptor = fields(spec, buffer)?
        .encode()
        .map_err(|found| placed(found, (spec.span, &spec.keys), "tdm", name))?;
    let mut words = descriptor.words();
    words.resize(if spec.groups == 4 { 20 } else { 12 }, 0);
    Ok(words.iter().flat_map(|w| w.to_le_bytes()).collect())
}

fn fields(spec: &TdmSpec, buffer: &Buffer) -> Result<TdmFields, Vec<Diagnostic>> {
    let refuse_at = |key: &str, what: String| {
        let place = place_of(&spec.keys, key).unwrap_or(spec.span);
        vec![problem(place, format!("`tdm.{}`: {what}", spec.name))]
    };
    let refuse = |what: String| refuse_at("buffer", what);
    let Some(bytes) = buffer.element.bytes() else {
        return Err(refuse(format!("elements of {} are packed; a D# moves them as bytes", buffer.element)));
    };
    let mut fields = TdmFields {
        count: 1,
        kind: 2,
        lds_addr: u32::try_from(spec.lds)
            .map_err(|_| refuse_at("lds", format!("lds = {} exceeds 32 bits", spec.lds)))?,
        global_addr: buffer.address + spec.offset,
        workgroup_mask: 0,
        data_size_bytes: bytes.into(),
        barrier: None,
        early_timeout: false,
        padding: None,
        tensor_dim: [0; 5],
        tile_dim: [0; 5],
        tensor_dim_stride: [0; 4],
        mode: TdmMode::Dense,
    };
    for (slot, &dim) in fields.tensor_dim.iter_mut().zip(&spec.dims) {
        *slot = u32::try_from(dim)
            .map_err(|_| refuse_at("dims", format!("dims holds {dim}; the field has 32 bits")))?;
    }
    for (slot, &tile) in fields.tile_dim.iter_mut().zip(&spec.tile) {
        *slot = u16::try_from(tile)
            .map_err(|_| refuse_at("tile", format!("tile holds {tile}; the field has 16 bits")))?;
    }
    for (slot, &stride) in fields.tensor_dim_stride.iter_mut().zip(&spec.strides) {
        *slot = stride;
    }
    if let Some((interval, amount)) = spec.padding {
        let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        fields.padding = Some(Padding { interval_dwords: number(interval), amount_dwords: number(amount) });
    }
    Ok(fields)
}

/// What the rules of tensor maps speak of, by how their codes go on behind `tma-`; the longest that fits counts.
const MAP_RULES: [&str; 18] = [
    "address: offset",
    "box: box",
    "channels: channels_per_pixel",
    "corner: lower_corner",
    "data-type: buffer",
    "dim: dims",
    "element-stride: element_strides",
    "inner-box: box",
    "interleave: interleave",
    "l2-promotion: l2_promotion",
    "nan-fill: oob_fill",
    "oob-fill: oob_fill",
    "packed-interleave: interleave",
    "packed-swizzle: swizzle",
    "pixels: pixels_per_column",
    "rank: dims",
    "stride: strides",
    "swizzle: swizzle",
];
/// The same for D#s, behind `tdm-`.
const TDM_RULES: [&str; 7] = [
    "address: offset",
    "extent: dims",
    "lds: lds",
    "pad: pad_interval",
    "span: strides",
    "stride: strides",
    "tile: tile",
];

/// The key that a complaint speaks of: a list of the wrong length is named first in its sentence.
fn key_of(told: &Diagnostic) -> &str {
    if told.code.0.ends_with("-count") {
        return told.message.split(' ').next().unwrap_or_default();
    }
    let (rules, rest) = match told.code.0.split_once('-') {
        Some(("tma", rest)) => (&MAP_RULES[..], rest),
        Some(("tdm", rest)) => (&TDM_RULES[..], rest),
        _ => return "",
    };
    let fits =
        rules.iter().filter_map(|line| line.split_once(": ")).filter(|(rule, _)| rest.starts_with(rule));
    fits.max_by_key(|(rule, _)| rule.len()).map_or("", |(_, key)| key)
}

/// An encoder's complaints, at the key that each speaks of, or at the table that asked for the descriptor. Hints do not stop a
/// launch.
fn placed(
    found: Vec<Diagnostic>,
    (table_span, keys): (Span, &[(&'static str, Span)]),
    table: &str,
    name: &str,
) -> Vec<Diagnostic> {
    found
        .into_iter()
        .filter(|d| d.level == Level::Error)
        .map(|mut diagnostic| {
            let place = place_of(keys, key_of(&diagnostic)).unwrap_or(table_span);
            diagnostic.message = format!("`{table}.{name}`: {}", diagnostic.message);
            diagnostic.at(place, "")
        })
        .collect()
}
