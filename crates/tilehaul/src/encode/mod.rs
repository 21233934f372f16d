//! Arguments of a descriptor become its words, or every rule that they break.
//!
//! Arguments that a person leaves out get a harmless stand-in, which is told: `--box 48,64 --swizzle 32B` alone is enough to
//! hear that the box is too wide.

mod tdm;

use tilehaul_descriptor::amd::buffer_resource::{BufferGeneration, BufferResource, judge_vbuf};
use tilehaul_descriptor::nvidia::{
    Architecture, Context, DataType, EncodeIm2col, EncodeTiled, Interleave, L2Promotion, Lists, Naming,
    OobFill, Swizzle, TensorMap, tensor_map,
};
use tilehaul_descriptor::{ElementType, Explanation};
use tilehaul_diag::Diagnostic;

use crate::explain::{ExplainError, Explained, map_picture, shown};
use crate::words::Kind;

pub use tdm::{TdmArguments, miscounted, tdm};

/// Address that stands in where none is given: satisfies every alignment and the 57 bits of a D#.
pub const STAND_IN_ADDRESS: u64 = 0x7f00_0000_0000;

/// A descriptor made of arguments, or why not.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The words, when every rule holds.
    pub words: Option<Vec<u32>>,
    /// Fields, pictures, broken rules and remarks.
    pub explained: Explained,
    /// Arguments that were not given, and what stands in for them.
    pub assumptions: Vec<String>,
}

/// Arguments of a tensor map as a person gives them: names and numbers, innermost dimension first.
#[derive(Clone, Debug, Default)]
pub struct MapArguments {
    /// Element type: a launch file's name, PTX's or the driver's.
    pub dtype: String,
    /// Extents in elements.
    pub dims: Vec<u64>,
    /// Strides in bytes, dimension 1 up; rows without gaps when empty.
    pub strides: Vec<u64>,
    /// Box in elements (tiled maps).
    pub box_dims: Vec<u64>,
    /// Global address.
    pub address: Option<u64>,
    /// Element strides; 1 when empty.
    pub element_strides: Vec<u64>,
    /// Name of the swizzle.
    pub swizzle: String,
    /// Name of the interleave.
    pub interleave: String,
    /// Name of the fill.
    pub oob_fill: String,
    /// Name of the promotion.
    pub l2_promotion: String,
    /// The target whose rules hold.
    pub target: Option<String>,
    /// Bytes allocated from the address on.
    pub alloc_bytes: Option<u64>,
    /// Corners, channels and pixels, when the map is im2col.
    pub im2col: Option<Im2colArguments>,
}

/// What an im2col map has instead of a box.
#[derive(Clone, Debug, Default)]
pub struct Im2colArguments {
    /// Lower corner, W first.
    pub lower_corner: Vec<i64>,
    /// Upper corner, W first.
    pub upper_corner: Vec<i64>,
    /// Channels of a pixel.
    pub channels: u64,
    /// Pixels of a column.
    pub pixels: u64,
}

/// Encodes a tensor map.
///
/// # Errors
/// For names that are not known and targets that are not modelled; broken rules are part of the answer.
pub fn tensor_map(arguments: &MapArguments) -> Result<Encoded, ExplainError> {
    let context = Context {
        architecture: architecture(arguments.target.as_deref())?,
        naming: Naming::Plain,
        lists: Lists::Exact,
    };
    let mut assumptions = Vec::new();
    let tiled = tiled(arguments, &mut assumptions)?;
    let im2col = arguments.im2col.as_ref().map(|corners| im2col(&tiled, corners));
    let (map, mut diagnostics) = match &im2col {
        None => (tiled.map(&context), tiled.diagnose(&context)),
        Some(im2col) => (im2col.map(&context), im2col.diagnose(&context)),
    };
    let map = map.ok();
    let mut explained = Explained::of(Kind::Tma);
    if let Some(map) = &map {
        let mut part = tensor_map::explain_map(map, arguments.alloc_bytes, &context);
        for told in std::mem::take(&mut part.diagnostics) {
            if !diagnostics.iter().any(|d| d.code == told.code) {
                diagnostics.push(told);
            }
        }
        explained.parts.push(part);
        explained.tile = map_picture(map, &[]);
        explained.swizzle = Some(map.swizzle).filter(|&s| s != Swizzle::None);
    }
    diagnostics.sort_by_key(|d| d.level);
    explained.diagnostics = diagnostics;
    Ok(Encoded { words: map.as_ref().map(words_of), explained, assumptions })
}

fn words_of(map: &TensorMap) -> Vec<u32> {
    let quads = map.encode();
    quads.chunks_exact(4).map(|c| c.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))).collect()
}

/// The named NVIDIA target, or the chip that the rules were measured on.
///
/// # Errors
/// For a target without a row in the table.
pub fn architecture(target: Option<&str>) -> Result<&'static Architecture, ExplainError> {
    let Some(name) = target else { return Ok(Architecture::SM_90A) };
    Architecture::parse(name).ok_or_else(|| {
        let known: Vec<&str> = Architecture::all().iter().map(|a| a.name).collect();
        ExplainError::Unsupported(format!(
            "the tensor maps of target `{name}` are not modelled; known targets are {}",
            known.join(", ")
        ))
    })
}

fn tiled(arguments: &MapArguments, assumptions: &mut Vec<String>) -> Result<EncodeTiled, ExplainError> {
    let data_type = DataType::parse(&arguments.dtype).ok_or_else(|| {
        let known: Vec<&str> = ElementType::all().map(ElementType::name).collect();
        ExplainError::Unusable(format!(
            "--dtype `{}` is no element type; choose one of {}",
            arguments.dtype,
            known.join(", ")
        ))
    })?;
    let element = data_type.element();
    let rank = [arguments.dims.len(), arguments.box_dims.len(), arguments.strides.len() + 1]
        .into_iter()
        .find(|&n| n > 0)
        .unwrap_or(2);
    let mut dims = arguments.dims.clone();
    if dims.is_empty() {
        let rank = if arguments.box_dims.is_empty() { rank } else { arguments.box_dims.len() };
        dims = vec![4096; rank];
        assumptions.push(format!("--dims: taken as {}", list(&dims)));
    }
    let mut box_dims = arguments.box_dims.clone();
    if box_dims.is_empty() && arguments.im2col.is_none() {
        let inner = 128 / u64::from(element.bits().max(1));
        box_dims = dims.iter().enumerate().map(|(i, _)| if i == 0 { inner } else { 1 }).collect();
        assumptions.push(format!("--box: taken as {}, 16 bytes", list(&box_dims)));
    }
    let mut strides = arguments.strides.clone();
    if strides.is_empty() && dims.len() > 1 {
        let mut bytes = element.global_bytes(dims.first().copied().unwrap_or(1));
        for &extent in dims.iter().skip(1) {
            strides.push(bytes);
            bytes = bytes.saturating_mul(extent);
        }
        assumptions.push(format!("--strides: rows without gaps, {} bytes", list(&strides)));
    }
    let address = arguments.address.unwrap_or_else(|| {
        assumptions.push(format!("--address: taken as {STAND_IN_ADDRESS:#x}"));
        STAND_IN_ADDRESS
    });
    let mut tiled = EncodeTiled::new(data_type, address, &dims, &strides, &box_dims);
    if !arguments.element_strides.is_empty() {
        tiled.element_strides.clone_from(&arguments.element_strides);
    }
    tiled.alloc_bytes = arguments.alloc_bytes;
    tiled.swizzle =
        choice("--swizzle", &arguments.swizzle, Swizzle::parse, Swizzle::ALL, Swizzle::name)?.code();
    tiled.interleave =
        choice("--interleave", &arguments.interleave, Interleave::parse, Interleave::ALL, Interleave::name)?
            .code();
    tiled.oob_fill =
        choice("--oob-fill", &arguments.oob_fill, OobFill::parse, OobFill::ALL, OobFill::name)?.code();
    tiled.l2_promotion = choice(
        "--l2-promotion",
        &arguments.l2_promotion,
        L2Promotion::parse,
        L2Promotion::ALL,
        L2Promotion::name,
    )?
    .code();
    Ok(tiled)
}

fn im2col(tiled: &EncodeTiled, corners: &Im2colArguments) -> EncodeIm2col {
    EncodeIm2col {
        data_type: tiled.data_type,
        rank: tiled.rank,
        address: tiled.address,
        dims: tiled.dims.clone(),
        strides: tiled.strides.clone(),
        lower_corner: corners.lower_corner.clone(),
        upper_corner: corners.upper_corner.clone(),
        channels_per_pixel: corners.channels,
        pixels_per_column: corners.pixels,
        element_strides: tiled.element_strides.clone(),
        interleave: tiled.interleave,
        swizzle: tiled.swizzle,
        l2_promotion: tiled.l2_promotion,
        oob_fill: tiled.oob_fill,
        alloc_bytes: tiled.alloc_bytes,
    }
}

fn choice<T: Copy + Default>(
    option: &str,
    given: &str,
    parse: impl Fn(&str) -> Option<T>,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, ExplainError> {
    if given.is_empty() {
        return Ok(T::default());
    }
    parse(given).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|&t| name(t)).collect();
        ExplainError::Unusable(format!("{option} `{given}` is not known; choose one of {}", known.join(", ")))
    })
}

fn list(values: &[u64]) -> String {
    values.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// The layout of the named AMD target's buffer resource.
///
/// # Errors
/// For a target without a row in the table.
pub fn buffer_generation(target: &str) -> Result<BufferGeneration, ExplainError> {
    BufferGeneration::of_target(target).ok_or_else(|| {
        let known: Vec<&str> = BufferGeneration::targets().collect();
        ExplainError::Unsupported(format!(
            "the buffer resource of target `{target}` is not modelled; known targets are {}",
            known.join(", ")
        ))
    })
}

/// Encodes a raw buffer resource of `bytes` bytes at `base`.
///
/// # Errors
/// For a target whose V# is not modelled; broken rules are part of the answer.
pub fn vbuf(target: &str, base: u64, bytes: u64) -> Result<Encoded, ExplainError> {
    let generation = buffer_generation(target)?;
    let mut explained = Explained::of(Kind::Vbuf);
    let mut words = None;
    match BufferResource::encode_raw(base, bytes, generation) {
        Ok(encoded) => {
            let (_, diagnostics): (_, Vec<Diagnostic>) = judge_vbuf(&encoded, generation, Some(bytes));
            explained.diagnostics = diagnostics;
            explained.parts.push(shown(Explanation::of(generation.format(), &encoded)));
            words = Some(encoded.to_vec());
        }
        Err(diagnostics) => explained.diagnostics = diagnostics,
    }
    Ok(Encoded { words, explained, assumptions: Vec::new() })
}
