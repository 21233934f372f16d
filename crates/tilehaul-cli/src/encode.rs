//! `tilehaul encode`.

use std::fmt::Write;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use serde_json::json;
use tilehaul::encode::{self, Encoded, Im2colArguments, MapArguments, TdmArguments};
use tilehaul_diag::{Diagnostic, Level};
use tilehaul_render::style::Ink;
use tilehaul_render::{Sources, diagnostic};

use crate::explain;
use crate::numbers::{assignment, number, signed, small_signed};
use crate::output::{Answer, Failure, Outcome, Output};

/// Makes a descriptor from its arguments, or says every rule that they break with the nearest legal value.
#[derive(ClapArgs)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// A tiled CUtensorMap, as cuTensorMapEncodeTiled makes it.
    Tma(Map),
    /// An im2col CUtensorMap, as cuTensorMapEncodeIm2col makes it.
    TmaIm2col(Im2col),
    /// A tensor descriptor (D#) of gfx1250.
    Tdm(Tdm),
    /// A buffer resource (V#) over raw bytes.
    Vbuf(Vbuf),
}

/// How words are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Spelling {
    /// 32-bit words.
    #[default]
    Words,
    /// 64-bit words.
    Qwords,
    /// One hex string, in memory order.
    Bytes,
}

#[derive(ClapArgs)]
struct Common {
    /// How the words are spelled.
    #[arg(long = "as", value_enum, default_value = "words", value_name = "SPELLING")]
    spelling: Spelling,
    /// Only the words, without fields and picture; warnings and broken rules go to standard error.
    #[arg(long)]
    quiet: bool,
}

#[derive(ClapArgs)]
struct Tensor {
    /// Element type: f16, bf16, f32, tf32, u8, i32, b4x16 ... or the driver's name.
    #[arg(long, default_value = "f16")]
    dtype: String,
    /// Extents of the tensor in elements, innermost first.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = number, value_name = "N,N..")]
    dims: Vec<u64>,
    /// Strides in bytes, dimension 1 up; rows without gaps when absent.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = number, value_name = "BYTES,..")]
    strides: Vec<u64>,
    /// Global address.
    #[arg(long, value_parser = number)]
    address: Option<u64>,
    /// Every how manyth element is moved, innermost first.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = number, value_name = "N,N..")]
    element_strides: Vec<u64>,
    /// none, 32B, 64B, 128B, 128B_atom_32B, 128B_atom_32B_flip_8B or 128B_atom_64B.
    #[arg(long, default_value = "none")]
    swizzle: String,
    /// none, 16B or 32B.
    #[arg(long, default_value = "none")]
    interleave: String,
    /// What a load writes outside the tensor: zero or nan.
    #[arg(long, default_value = "zero")]
    oob_fill: String,
    /// none, 64B, 128B or 256B.
    #[arg(long, default_value = "none")]
    l2_promotion: String,
    /// Target whose rules hold.
    #[arg(long, default_value = "sm_90a")]
    target: String,
    /// Bytes allocated from the address on, to check that the tensor fits.
    #[arg(long, value_name = "BYTES", value_parser = number)]
    alloc_bytes: Option<u64>,
}

#[derive(ClapArgs)]
struct Map {
    #[command(flatten)]
    tensor: Tensor,
    /// Box in elements, innermost first.
    #[arg(long = "box", value_delimiter = ',', allow_hyphen_values = true, value_parser = number, value_name = "N,N..")]
    box_dims: Vec<u64>,
    #[command(flatten)]
    common: Common,
}

#[derive(ClapArgs)]
struct Im2col {
    #[command(flatten)]
    tensor: Tensor,
    /// Lower corner of the bounding box, W first.
    #[arg(long, required = true, value_delimiter = ',', allow_hyphen_values = true, value_parser = small_signed, value_name = "W,H..")]
    lower_corner: Vec<i64>,
    /// Upper corner of the bounding box, W first.
    #[arg(long, required = true, value_delimiter = ',', allow_hyphen_values = true, value_parser = small_signed, value_name = "W,H..")]
    upper_corner: Vec<i64>,
    /// Channels of one pixel.
    #[arg(long, value_parser = number)]
    channels: u64,
    /// Pixels of one copy.
    #[arg(long, value_parser = number)]
    pixels: u64,
    #[command(flatten)]
    common: Common,
}

#[derive(ClapArgs)]
struct Tdm {
    /// Bytes of an element: 1, 2, 4 or 8.
    #[arg(long, default_value = "2", allow_hyphen_values = true, value_parser = signed, value_name = "BYTES")]
    data_size: i128,
    /// Extents of the tile in elements, innermost first.
    #[arg(long, required = true, value_delimiter = ',', allow_hyphen_values = true, value_parser = signed, value_name = "N,N..")]
    tile: Vec<i128>,
    /// What is left of the tensor from the tile's start, innermost first; the tile itself when absent.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = signed, value_name = "N,N..")]
    dims: Vec<i128>,
    /// Strides in elements, dimension 1 up; rows without gaps when absent.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = signed, value_name = "N,..")]
    strides: Vec<i128>,
    /// Global address of the tile's first element.
    #[arg(long, value_parser = number)]
    address: Option<u64>,
    /// LDS byte address.
    #[arg(long, default_value = "0", value_parser = number)]
    lds: u64,
    /// Dwords of data between two gaps: a power of two, 2 to 256.
    #[arg(long, allow_hyphen_values = true, value_parser = signed, requires = "pad_amount", value_name = "DWORDS")]
    pad_interval: Option<i128>,
    /// Dwords of a gap: 1 to 128.
    #[arg(long, allow_hyphen_values = true, value_parser = signed, requires = "pad_interval", value_name = "DWORDS")]
    pad_amount: Option<i128>,
    /// Row numbers to gather or scatter, in order.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = signed, value_name = "ROW,ROW..")]
    gather: Vec<i128>,
    /// Bits of a row number: 16 or 32.
    #[arg(long, default_value = "16", allow_hyphen_values = true, value_parser = signed, value_name = "BITS")]
    index_size: i128,
    /// Passes, and LDS and global elements from one to the next.
    #[arg(long, value_delimiter = ',', num_args = 1, allow_hyphen_values = true, value_parser = signed, value_name = "PASSES,LDS,GLOBAL")]
    iterate: Vec<i128>,
    /// LDS byte address of a barrier to arrive at.
    #[arg(long, allow_hyphen_values = true, value_parser = signed, value_name = "ADDRESS")]
    barrier: Option<i128>,
    /// Workgroups of the cluster that a load goes to, one bit each.
    #[arg(long, default_value = "0", value_parser = number)]
    workgroup_mask: u64,
    /// Any other field by its name in the manual: NAME=NUMBER.
    #[arg(long, value_parser = assignment, value_name = "NAME=NUMBER")]
    set: Vec<(String, i128)>,
    #[command(flatten)]
    common: Common,
}

#[derive(ClapArgs)]
struct Vbuf {
    /// Target: gfx90a, gfx942, gfx950, gfx1250 ...
    #[arg(long)]
    target: String,
    /// Address of the first byte.
    #[arg(long, value_parser = number)]
    base: u64,
    /// Bytes that accesses may reach.
    #[arg(long, value_parser = number)]
    bytes: u64,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, output: &Output) -> Outcome {
    let (encoded, common) = match &args.what {
        What::Tma(map) => (map_of(&map.tensor, &map.box_dims, None)?, &map.common),
        What::TmaIm2col(map) => {
            let corners = Im2colArguments {
                lower_corner: map.lower_corner.clone(),
                upper_corner: map.upper_corner.clone(),
                channels: map.channels,
                pixels: map.pixels,
            };
            (map_of(&map.tensor, &[], Some(corners))?, &map.common)
        }
        What::Tdm(tdm) => (encode::tdm(&tdm_arguments(tdm)?).map_err(Failure::of_explain)?, &tdm.common),
        What::Vbuf(vbuf) => {
            (encode::vbuf(&vbuf.target, vbuf.base, vbuf.bytes).map_err(Failure::of_explain)?, &vbuf.common)
        }
    };
    Ok(answer(&encoded, common, output))
}

fn map_of(tensor: &Tensor, box_dims: &[u64], im2col: Option<Im2colArguments>) -> Result<Encoded, Failure> {
    let arguments = MapArguments {
        dtype: tensor.dtype.clone(),
        dims: tensor.dims.clone(),
        strides: tensor.strides.clone(),
        box_dims: box_dims.to_vec(),
        address: tensor.address,
        element_strides: tensor.element_strides.clone(),
        swizzle: tensor.swizzle.clone(),
        interleave: tensor.interleave.clone(),
        oob_fill: tensor.oob_fill.clone(),
        l2_promotion: tensor.l2_promotion.clone(),
        target: Some(tensor.target.clone()),
        alloc_bytes: tensor.alloc_bytes,
        im2col,
    };
    encode::tensor_map(&arguments).map_err(Failure::of_explain)
}

fn tdm_arguments(tdm: &Tdm) -> Result<TdmArguments, Failure> {
    let iterate = match tdm.iterate[..] {
        [] => None,
        [passes, lds, global] => Some([passes, lds, global]),
        _ => {
            return Err(Failure::invalid(format!(
                "--iterate has {} numbers and takes 3: passes, and LDS and global elements from one to the next",
                tdm.iterate.len()
            )));
        }
    };
    Ok(TdmArguments {
        data_size: tdm.data_size,
        tile: tdm.tile.clone(),
        dims: tdm.dims.clone(),
        strides: tdm.strides.clone(),
        address: tdm.address,
        lds: tdm.lds,
        padding: tdm.pad_interval.zip(tdm.pad_amount),
        gather: tdm.gather.clone(),
        index_size: tdm.index_size,
        iterate,
        barrier: tdm.barrier,
        workgroup_mask: tdm.workgroup_mask,
        set: tdm.set.clone(),
    })
}

fn answer(encoded: &Encoded, common: &Common, output: &Output) -> Answer {
    let mut answer = explain::answer(&encoded.explained, output.style);
    let words = encoded.words.as_deref().map(|words| spell(words, common.spelling));
    let mut text = String::new();
    for assumption in &encoded.assumptions {
        text.push_str(&output.style.paint(Ink::Faint, &format!("Not given: {assumption}.")));
        text.push('\n');
    }
    if !encoded.assumptions.is_empty() {
        text.push('\n');
    }
    if common.quiet {
        let told: Vec<Diagnostic> =
            encoded.explained.diagnostics.iter().filter(|d| d.level != Level::Note).cloned().collect();
        output.aside(&diagnostic::all_text(&told, &Sources::default(), output.style));
    }
    match &words {
        _ if common.quiet => text = words.clone().unwrap_or_default(),
        Some(spelled) => {
            text.push_str(spelled);
            text.push('\n');
            text.push_str(&answer.text);
        }
        None => text.push_str(&answer.text),
    }
    answer.text = text;
    answer.json.remove("guess");
    answer.json.remove("reading");
    let hex: Option<Vec<String>> =
        encoded.words.as_ref().map(|words| words.iter().map(|w| format!("{w:#010x}")).collect());
    answer.json.insert("words".to_owned(), json!(hex));
    let bytes: Option<String> = encoded.words.as_deref().map(hex_bytes);
    answer.json.insert("bytes".to_owned(), json!(bytes));
    answer.json.insert("assumptions".to_owned(), json!(encoded.assumptions));
    answer
}

fn hex_bytes(words: &[u32]) -> String {
    words.iter().flat_map(|w| w.to_le_bytes()).map(|b| format!("{b:02x}")).collect()
}

fn spell(words: &[u32], spelling: Spelling) -> String {
    let mut text = String::new();
    match spelling {
        Spelling::Words => {
            for row in words.chunks(4) {
                let row: Vec<String> = row.iter().map(|w| format!("{w:#010x}")).collect();
                let _ = writeln!(text, "{}", row.join(" "));
            }
        }
        Spelling::Qwords => {
            for row in words.chunks(4) {
                let row: Vec<String> = row
                    .chunks(2)
                    .map(|pair| {
                        let [low, high] = [pair.first(), pair.get(1)].map(|w| w.copied().unwrap_or(0));
                        format!("{:#018x}", u64::from(high) << 32 | u64::from(low))
                    })
                    .collect();
                let _ = writeln!(text, "{}", row.join(" "));
            }
        }
        Spelling::Bytes => {
            let _ = writeln!(text, "{}", hex_bytes(words));
        }
    }
    text
}
