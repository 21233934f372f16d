//! `tilehaul copy`.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use serde_json::{Map, json};
use tilehaul::copy::{self, BulkRequest, Copied, TdmRequest, TdmSource, TileOfArray, TmaRequest, Way};
use tilehaul::descriptor::ElementType;
use tilehaul::encode::MapArguments;
use tilehaul::files::write_whole;
use tilehaul::npy::Array;
use tilehaul::words::Words;
use tilehaul_render::{Sources, diagnostic};

use crate::input;
use crate::numbers::{coordinate, number, signed};
use crate::output::{Answer, Failure, Outcome, Output, Verdict, add_diagnostics};

/// Runs one copy on .npy arrays and writes what would land.
///
/// A load reads --tensor and writes the shared image (rows with their pitch, swizzled where the map says so). A store or
/// reduction reads --tile, changes --tensor and writes the tensor afterwards; the input files stay as they are.
#[derive(ClapArgs)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// A copy through a CUtensorMap: load, store, reduce, gather, scatter, im2col.
    Tma(Box<Tma>),
    /// A copy of gfx1250's tensor data mover: load, store, gather, scatter.
    Tdm(Box<Tdm>),
    /// A contiguous copy without a descriptor (cp.async.bulk), or a reduction.
    Bulk(Bulk),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Direction {
    #[default]
    Load,
    Store,
}

#[derive(ClapArgs)]
struct Arrays {
    /// Load (global to shared) or store.
    #[arg(long, value_enum, default_value = "load")]
    direction: Direction,
    /// The tensor in global memory.
    #[arg(long, value_name = "FILE.npy")]
    tensor: String,
    /// The tile in shared memory, for stores and reductions.
    #[arg(long, value_name = "FILE.npy")]
    tile_file: Option<String>,
    /// Where the result goes.
    #[arg(short, long, value_name = "FILE.npy")]
    output: PathBuf,
    /// Byte that shared memory holds before a load.
    #[arg(long, default_value = "0xa5", value_parser = number)]
    filler: u64,
}

#[derive(ClapArgs)]
struct Tma {
    #[command(flatten)]
    arrays: Arrays,
    /// Start coordinates, innermost first; the column alone for a gather.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = coordinate, value_name = "X,Y..")]
    at: Vec<i32>,
    /// Combine instead of overwriting: add, min, max, inc, dec, and, or, xor.
    #[arg(long, value_name = "OP")]
    reduce: Option<String>,
    /// Four rows to gather or scatter.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = coordinate, value_name = "R,R,R,R")]
    gather: Vec<i32>,
    /// Offsets of an im2col load, W first.
    #[arg(long, value_delimiter = ',', value_name = "W,H..")]
    offsets: Vec<u16>,
    /// Shared-memory address of the tile, a multiple of 128.
    #[arg(long, default_value = "0", value_parser = number)]
    shared: u64,
    /// A finished map (words or a file) instead of the options below.
    #[arg(long, value_name = "WORDS|FILE")]
    map: Option<String>,
    /// Element type; the array's when absent (needed for bf16 and fp8, whose arrays hold raw bits).
    #[arg(long, default_value = "")]
    dtype: String,
    /// Extents, innermost first; the array's when absent.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = number, value_name = "N,N..")]
    dims: Vec<u64>,
    /// Strides in bytes, dimension 1 up.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = number, value_name = "BYTES,..")]
    strides: Vec<u64>,
    /// Box in elements, innermost first.
    #[arg(long = "box", value_delimiter = ',', allow_hyphen_values = true, value_parser = number, value_name = "N,N..")]
    box_dims: Vec<u64>,
    /// Every how manyth element is moved.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = number, value_name = "N,N..")]
    element_strides: Vec<u64>,
    /// Swizzle of the shared image.
    #[arg(long, default_value = "none")]
    swizzle: String,
    /// Interleave: none, 16B or 32B.
    #[arg(long, default_value = "none")]
    interleave: String,
    /// What a load writes outside the tensor: zero or nan.
    #[arg(long, default_value = "zero")]
    oob_fill: String,
    /// Target whose rules hold.
    #[arg(long, default_value = "sm_90a")]
    target: String,
}

#[derive(ClapArgs)]
struct Tdm {
    #[command(flatten)]
    arrays: Arrays,
    /// Where the tile begins in the array, innermost first.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = number, value_name = "X,Y..")]
    at: Vec<u64>,
    /// Extents of the tile, innermost first.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = signed, value_name = "N,N..")]
    tile: Vec<i128>,
    /// Bounds from the tile's start; what is left of the array when absent.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = signed, value_name = "N,N..")]
    dims: Vec<i128>,
    /// LDS byte address.
    #[arg(long, default_value = "0", value_parser = number)]
    lds: u64,
    /// Dwords of data between two gaps.
    #[arg(long, allow_hyphen_values = true, value_parser = signed, requires = "pad_amount", value_name = "DWORDS")]
    pad_interval: Option<i128>,
    /// Dwords of a gap.
    #[arg(long, allow_hyphen_values = true, value_parser = signed, requires = "pad_interval", value_name = "DWORDS")]
    pad_amount: Option<i128>,
    /// Rows to gather or scatter, counted from the tile's start.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_parser = signed, value_name = "ROW,..")]
    gather: Vec<i128>,
    /// A finished D# (words or a file); --base says where the array begins.
    #[arg(long, value_name = "WORDS|FILE")]
    words: Option<String>,
    /// Address of the array's first byte, for --words.
    #[arg(long, value_parser = number)]
    base: Option<u64>,
    /// How the engine behaves where sources disagree, as a key of `[amd]` in a launch file; may be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    amd: Vec<String>,
}

#[derive(ClapArgs)]
struct Bulk {
    /// The array that is read.
    #[arg(long, value_name = "FILE.npy")]
    source: String,
    /// Byte in it where the copy begins, a multiple of 16.
    #[arg(long, default_value = "0", value_parser = number)]
    from: u64,
    /// The array that is written over.
    #[arg(long, value_name = "FILE.npy")]
    into: String,
    /// Byte in it where the copy lands, a multiple of 16.
    #[arg(long, default_value = "0", value_parser = number)]
    to: u64,
    /// Bytes of the copy, a multiple of 16.
    #[arg(long, value_parser = byte_count)]
    bytes: u32,
    /// Combine instead of overwriting: add, min, max, inc, dec, and, or, xor.
    #[arg(long, value_name = "OP")]
    reduce: Option<String>,
    /// Type of the elements that are combined; that of --into when absent (needed for bf16).
    #[arg(long, value_name = "TYPE", requires = "reduce")]
    dtype: Option<String>,
    /// Where the result goes.
    #[arg(short, long, value_name = "FILE.npy")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args, output: &Output) -> Outcome {
    match &args.what {
        What::Tma(tma) => run_tma(tma, output),
        What::Tdm(tdm) => run_tdm(tdm, output),
        What::Bulk(bulk) => run_bulk(bulk, output),
    }
}

fn byte_count(text: &str) -> Result<u32, String> {
    u32::try_from(number(text)?).map_err(|_| "the size operand has 32 bits".to_owned())
}

fn array(path: &str) -> Result<Array, Failure> {
    let bytes = input::read(path)?;
    Array::parse(&bytes).map_err(|error| Failure::invalid(format!("{path}: {error}")))
}

fn words_of(text: &str) -> Result<Words, Failure> {
    input::pasted(&[text.to_owned()])?.words()
}

fn reduction(name: Option<&str>) -> Result<Option<copy::ReduceOp>, Failure> {
    let Some(name) = name else { return Ok(None) };
    copy::ReduceOp::from_name(name).map(Some).ok_or_else(|| {
        Failure::invalid(format!("there is no reduction `{name}`; add, min, max, inc, dec, and, or, xor are"))
    })
}

fn filler(value: u64) -> Result<u8, Failure> {
    u8::try_from(value).map_err(|_| Failure::invalid(format!("--filler {value} is no byte")))
}

fn run_tma(args: &Tma, output: &Output) -> Outcome {
    let tensor = array(&args.arrays.tensor)?;
    let tile = args.arrays.tile_file.as_deref().map(array).transpose()?;
    let way = match (reduction(args.reduce.as_deref())?, args.arrays.direction) {
        (Some(op), _) => Way::Reduce(op),
        (None, Direction::Store) => Way::Store,
        (None, Direction::Load) => Way::Load,
    };
    let map = match &args.map {
        None => None,
        Some(text) => {
            let bytes = words_of(text)?.bytes;
            let length = bytes.len();
            Some(
                bytes
                    .try_into()
                    .map_err(|_| Failure::invalid(format!("--map has {length} bytes, a CUtensorMap 128")))?,
            )
        }
    };
    let rank = if args.dims.is_empty() { tensor.shape.len() } else { args.dims.len() };
    let mut coords = args.at.clone();
    if coords.is_empty() {
        coords = vec![0; if args.gather.is_empty() { rank } else { 1 }];
    }
    let request = TmaRequest {
        arguments: MapArguments {
            dtype: args.dtype.clone(),
            dims: args.dims.clone(),
            strides: args.strides.clone(),
            box_dims: args.box_dims.clone(),
            element_strides: args.element_strides.clone(),
            swizzle: args.swizzle.clone(),
            interleave: args.interleave.clone(),
            oob_fill: args.oob_fill.clone(),
            target: Some(args.target.clone()),
            ..MapArguments::default()
        },
        map,
        way,
        coords,
        rows: args.gather.clone(),
        offsets: args.offsets.clone(),
        shared: args.shared,
        filler: filler(args.arrays.filler)?,
    };
    let copied = copy::tma(&request, &tensor, tile.as_ref()).map_err(Failure::of_explain)?;
    answer(&copied, &args.arrays.output, output)
}

fn run_tdm(args: &Tdm, output: &Output) -> Outcome {
    let tensor = array(&args.arrays.tensor)?;
    let tile = args.arrays.tile_file.as_deref().map(array).transpose()?;
    let source = match &args.words {
        None if args.tile.is_empty() => {
            return Err(Failure::invalid("--tile is missing: extents of the tile, innermost first"));
        }
        None => TdmSource::Tile(TileOfArray {
            tile: args.tile.clone(),
            at: args.at.clone(),
            dims: args.dims.clone(),
            lds: args.lds,
            padding: args.pad_interval.zip(args.pad_amount),
            gather: args.gather.clone(),
        }),
        Some(text) => TdmSource::Words(words_of(text)?.dwords()),
    };
    let mut switches = copy::TdmSwitches::default();
    for text in &args.amd {
        copy::turn(&mut switches, text).map_err(|why| Failure::invalid(format!("--amd: {why}")))?;
    }
    let request = TdmRequest {
        switches,
        source,
        base: args.base.unwrap_or(tilehaul::encode::STAND_IN_ADDRESS),
        way: if args.arrays.direction == Direction::Store { Way::Store } else { Way::Load },
        filler: filler(args.arrays.filler)?,
    };
    let copied = copy::tdm(&request, &tensor, tile.as_ref()).map_err(Failure::of_explain)?;
    answer(&copied, &args.arrays.output, output)
}

fn run_bulk(args: &Bulk, output: &Output) -> Outcome {
    let (source, into) = (array(&args.source)?, array(&args.into)?);
    let reduce = reduction(args.reduce.as_deref())?;
    let element = match &args.dtype {
        None => None,
        Some(name) => Some(ElementType::parse(name).ok_or_else(|| {
            Failure::invalid(format!("--dtype `{name}` is no element type, such as f16, bf16 or u32"))
        })?),
    };
    let request = BulkRequest { from: args.from, to: args.to, bytes: args.bytes, reduce, element };
    let copied = copy::bulk(&request, &source, &into).map_err(Failure::of_explain)?;
    answer(&copied, &args.output, output)
}

fn answer(copied: &Copied, path: &Path, output: &Output) -> Outcome {
    let mut text = String::new();
    let mut json = Map::new();
    if let Some(array) = &copied.array {
        write_whole(path, &array.to_file()).map_err(Failure::invalid)?;
        let extents: Vec<String> = array.shape.iter().map(u64::to_string).collect();
        text.push_str(&format!("wrote {}: {} of {}\n", path.display(), extents.join(" x "), array.descr));
        json.insert("file".to_owned(), json!(path.display().to_string()));
        json.insert("shape".to_owned(), json!(array.shape));
        json.insert("descr".to_owned(), json!(array.descr.to_string()));
    }
    for line in &copied.summary {
        text.push_str(&format!("  {line}\n"));
    }
    json.insert("summary".to_owned(), json!(copied.summary));
    if !copied.diagnostics.is_empty() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&diagnostic::all_text(&copied.diagnostics, &Sources::default(), output.style));
    }
    add_diagnostics(&mut json, &copied.diagnostics, &Sources::default());
    Ok(Answer { verdict: Verdict::of(&copied.diagnostics), text, json, lines: false })
}
