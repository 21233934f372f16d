//! `tilehaul encode`.

use std::fmt::Write;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use serde_json::json;
use tilehaul::descriptor::FieldValue;
use tilehaul::encode::{self, Encoded, Im2colArguments, MapArguments};
use tilehaul_render::style::Ink;

use crate::explain;
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
    /// Only the words, without fields and picture.
    #[arg(long)]
    quiet: bool,
}

#[derive(ClapArgs)]
struct Tensor {
    /// Element type: f16, bf16, f32, tf32, u8, i32, b4x16 ... or the driver's name.
    #[arg(long, default_value = "f16")]
    dtype: String,
    /// Extents of the tensor in elements, innermost first.
    #[arg(long, value_delimiter = ',', value_parser = number, value_name = "N,N..")]
    dims: Vec<u64>,
    /// Strides in bytes, dimension 1 up; rows without gaps when absent.
    #[arg(long, value_delimiter = ',', value_parser = number, value_name = "BYTES,..")]
    strides: Vec<u64>,
    /// Global address.
    #[arg(long, value_parser = number)]
    address: Option<u64>,
    /// Every how manyth element is moved, innermost first.
    #[arg(long, value_delimiter = ',', value_parser = number, value_name = "N,N..")]
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
    #[arg(long = "box", value_delimiter = ',', value_parser = number, value_name = "N,N..")]
    box_dims: Vec<u64>,
    #[command(flatten)]
    common: Common,
}

#[derive(ClapArgs)]
struct Im2col {
    #[command(flatten)]
    tensor: Tensor,
    /// Lower corner of the bounding box, W first.
    #[arg(long, required = true, value_delimiter = ',', allow_hyphen_values = true, value_name = "W,H..")]
    lower_corner: Vec<i64>,
    /// Upper corner of the bounding box, W first.
    #[arg(long, required = true, value_delimiter = ',', allow_hyphen_values = true, value_name = "W,H..")]
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
    #[arg(long, default_value = "2", allow_hyphen_values = true, value_name = "BYTES")]
    data_size: i128,
    /// Extents of the tile in elements, innermost first.
    #[arg(long, required = true, value_delimiter = ',', allow_hyphen_values = true, value_name = "N,N..")]
    tile: Vec<i128>,
    /// What is left of the tensor from the tile's start, innermost first; the tile itself when absent.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "N,N..")]
    dims: Vec<i128>,
    /// Strides in elements, dimension 1 up; rows without gaps when absent.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "N,..")]
    strides: Vec<i128>,
    /// Global address of the tile's first element.
    #[arg(long, value_parser = number)]
    address: Option<u64>,
    /// LDS byte address.
    #[arg(long, default_value = "0", value_parser = number)]
    lds: u64,
    /// Dwords of data between two gaps.
    #[arg(long, allow_hyphen_values = true, requires = "pad_amount", value_name = "DWORDS")]
    pad_interval: Option<i128>,
    /// Dwords of a gap.
    #[arg(long, allow_hyphen_values = true, requires = "pad_interval", value_name = "DWORDS")]
    pad_amount: Option<i128>,
    /// Row numbers to gather or scatter, in order.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "ROW,ROW..")]
    gather: Vec<i128>,
    /// Bits of a row number: 16 or 32.
    #[arg(long, default_value = "16", value_name = "BITS")]
    index_size: u32,
    /// Passes, and LDS and global elements from one to the next.
    #[arg(long, value_delimiter = ',', num_args = 1, value_name = "PASSES,LDS,GLOBAL")]
    iterate: Vec<i128>,
    /// LDS byte address of a barrier to arrive at.
    #[arg(long, allow_hyphen_values = true, value_name = "ADDRESS")]
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

/// A number in decimal or with 0x.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    let digits = text.replace('_', "");
    let parsed = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    parsed.map_err(|_| "not a whole number of 64 bits; write decimal, or hex with 0x".to_owned())
}

/// A number of seeds. Each is a run of the whole launch, so that more than this never ends.
pub(crate) fn seeds(text: &str) -> Result<u64, String> {
    const MOST: u64 = 65_536;
    let seeds = number(text)?;
    if seeds > MOST { Err(format!("at most {MOST} seeds can be asked for")) } else { Ok(seeds) }
}

fn assignment(text: &str) -> Result<(String, i128), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER")?;
    let value = match value.strip_prefix('-') {
        Some(rest) => -i128::from(number(rest)?),
        None => i128::from(number(value)?),
    };
    Ok((name.to_owned(), value))
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
        What::Tdm(tdm) => (encode::tdm(&tdm_fields(tdm)), &tdm.common),
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

fn tdm_fields(tdm: &Tdm) -> Vec<(String, FieldValue)> {
    let mut dims = if tdm.dims.is_empty() { tdm.tile.clone() } else { tdm.dims.clone() };
    if let (true, Some(last), Some(rows)) = (tdm.dims.is_empty(), tdm.gather.iter().max(), dims.get_mut(1)) {
        *rows = last + 1;
    }
    let mut strides = tdm.strides.clone();
    if strides.is_empty() {
        let mut product = 1i128;
        for &extent in dims.iter().take(dims.len().saturating_sub(1)) {
            product = product.saturating_mul(extent);
            strides.push(product);
        }
    }
    let mut fields = vec![
        ("count".to_owned(), FieldValue::Int(1)),
        ("type".to_owned(), FieldValue::Int(2)),
        ("data_size_bytes".to_owned(), FieldValue::Int(tdm.data_size)),
        ("global_addr".to_owned(), FieldValue::Int(tdm.address.unwrap_or(encode::STAND_IN_ADDRESS).into())),
        ("lds_addr".to_owned(), FieldValue::Int(tdm.lds.into())),
        ("workgroup_mask".to_owned(), FieldValue::Int(tdm.workgroup_mask.into())),
        ("dims".to_owned(), FieldValue::List(dims)),
        ("tile".to_owned(), FieldValue::List(tdm.tile.clone())),
        ("strides".to_owned(), FieldValue::List(strides)),
    ];
    let mut put = |name: &str, value: i128| fields.push((name.to_owned(), FieldValue::Int(value)));
    if let (Some(interval), Some(amount)) = (tdm.pad_interval, tdm.pad_amount) {
        put("pad_enable", 1);
        put("pad_interval_dwords", interval);
        put("pad_amount_dwords", amount);
    }
    if let Some(address) = tdm.barrier {
        put("atomic_barrier_enable", 1);
        put("atomic_barrier_address", address);
    }
    if let [passes, lds, global] = tdm.iterate[..] {
        put("iterate_enable", 1);
        put("iterate_count", passes);
        put("lds_addr_increment", lds);
        put("global_addr_increment", global);
    }
    if !tdm.gather.is_empty() {
        put("gather_mode", 1);
        put("gather_index_size", i128::from(tdm.index_size));
        put("tile_dim1", tdm.gather.len() as i128);
        fields.push(("rows".to_owned(), FieldValue::List(tdm.gather.clone())));
    }
    for (name, value) in &tdm.set {
        fields.push((name.clone(), FieldValue::Int(*value)));
    }
    fields
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
    match &words {
        Some(spelled) if common.quiet => text.clone_from(spelled),
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
