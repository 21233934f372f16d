//! `tilehaul draw`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use serde_json::{Map, json};
use tilehaul::descriptor::Swizzle;
use tilehaul::explain::Surroundings;
use tilehaul::files::write_whole;
use tilehaul::words::Kind;
use tilehaul_render::picture::{Outside, TileInTensor};
use tilehaul_render::svg::{self, Banks};

use crate::input;
use crate::numbers::number;
use crate::output::{Answer, Failure, Outcome, Verdict};

/// Draws a picture as SVG: a tile in its tensor, an edge, banks, a swizzle, a gather, the registers of a D#.
#[derive(ClapArgs)]
pub(crate) struct Args {
    /// File to write; standard output when absent.
    #[arg(short, long, global = true, value_name = "FILE.svg")]
    output: Option<PathBuf>,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// A tile in its tensor with stride, bound and start.
    Tile(Tile),
    /// The same edge tile under a load and under a store.
    Edges(Tile),
    /// The banks that a column of a tile meets, packed and padded.
    Banks(BankArgs),
    /// Where the chunks of a swizzled tile lie in shared memory.
    Swizzle {
        /// 32B, 64B, 128B, 128B_atom_32B, 128B_atom_32B_flip_8B or 128B_atom_64B.
        name: String,
    },
    /// Rows gathered by a list.
    Gather {
        /// Row numbers in the order of the list.
        #[arg(value_delimiter = ',', required = true, value_parser = number)]
        rows: Vec<u64>,
        /// Rows of the tensor.
        #[arg(long, default_value = "10", value_parser = number)]
        of: u64,
        /// Elements of a row.
        #[arg(long, default_value = "6", value_parser = number)]
        columns: u64,
    },
    /// The registers of the tensor descriptor (D#) as a tagged union.
    Registers,
    /// The three ways from global memory into LDS.
    Paths,
    /// A workgroup processor: SIMDs, engines and LDS.
    Engines,
    /// One tile to every workgroup of a mask.
    Broadcast {
        /// Workgroups of the cluster that receive the tile, as a bit mask.
        #[arg(default_value = "0xf", value_parser = number)]
        mask: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutsideArg {
    Zeros,
    Nan,
    Dropped,
}

#[derive(ClapArgs)]
struct Tile {
    /// A descriptor to draw: words, a file, or `-`. The options below change what it says.
    #[arg(value_name = "WORDS|FILE|-", allow_negative_numbers = true)]
    words: Vec<String>,
    /// What the words are, when the guess is wrong.
    #[arg(long)]
    kind: Option<String>,
    /// Columns and rows of the tensor, in elements.
    #[arg(long, value_delimiter = ',', num_args = 1, value_parser = number, value_name = "COLUMNS,ROWS")]
    dims: Vec<u64>,
    /// Elements from one row to the next.
    #[arg(long, value_parser = number)]
    stride: Option<u64>,
    /// Columns and rows of the tile.
    #[arg(long, value_delimiter = ',', num_args = 1, value_parser = number, value_name = "COLUMNS,ROWS")]
    tile: Vec<u64>,
    /// Column and row where the tile begins.
    #[arg(long, value_delimiter = ',', num_args = 1, allow_hyphen_values = true, value_name = "COLUMN,ROW")]
    at: Vec<i64>,
    /// What happens outside the tensor.
    #[arg(long, value_enum)]
    outside: Option<OutsideArg>,
    /// Measure the bound from the tile, as AMD's engine does; NVIDIA's measures from the tensor.
    #[arg(long)]
    bound_from_tile: bool,
}

#[derive(ClapArgs)]
struct BankArgs {
    /// Bytes of a row of the tile.
    #[arg(long, default_value = "256", value_parser = number)]
    row_bytes: u64,
    /// Rows that are read together.
    #[arg(long, default_value = "32", value_parser = number)]
    rows: u64,
    /// Dwords of data between two gaps.
    #[arg(long, default_value = "64", value_parser = number)]
    pad_interval: u64,
    /// Dwords of a gap.
    #[arg(long, default_value = "1", value_parser = number)]
    pad_amount: u64,
    /// Banks of four bytes: 64 on gfx1250 and gfx950, 32 on gfx942 and NVIDIA.
    #[arg(long, default_value = "64", value_parser = number)]
    banks: u64,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let picture = match &args.what {
        What::Tile(tile) => {
            let (picture, from_tile) = picture(tile)?;
            svg::tile(&picture, from_tile)
        }
        What::Edges(tile) => svg::edges(&picture(tile)?.0),
        What::Banks(banks) => svg::banks(&bank_picture(banks)?),
        What::Swizzle { name } => {
            let swizzle = Swizzle::parse(name).filter(|&s| s != Swizzle::None).ok_or_else(|| {
                let known: Vec<&str> =
                    Swizzle::ALL.iter().filter(|&&s| s != Swizzle::None).map(|s| s.name()).collect();
                Failure::invalid(format!("there is no swizzle `{name}`; choose one of {}", known.join(", ")))
            })?;
            svg::swizzle(swizzle.name(), swizzle.repeat().into(), |address| swizzle.permute(address))
        }
        What::Gather { rows, of, columns } => {
            if rows.len() > 64 {
                return Err(Failure::invalid("a gather names at most 64 rows here (hardware takes 16)"));
            }
            svg::gather(rows, *of, *columns)
        }
        What::Registers => svg::registers(),
        What::Paths => svg::paths(),
        What::Engines => svg::engines(),
        What::Broadcast { mask } => {
            let mask = u16::try_from(*mask).map_err(|_| {
                Failure::invalid(format!("mask {mask:#x} has more than the 16 bits of a cluster"))
            })?;
            svg::broadcast(mask)
        }
    };
    let mut json = Map::new();
    let text = match &args.output {
        Some(path) => {
            write_whole(path, picture.as_bytes()).map_err(Failure::invalid)?;
            json.insert("file".to_owned(), json!(path.display().to_string()));
            format!("wrote {}\n", path.display())
        }
        None => {
            json.insert("svg".to_owned(), json!(picture));
            picture
        }
    };
    Ok(Answer { verdict: Verdict::Clean, text, json, lines: false })
}

/// The picture, and whether its bound is measured from the tile.
fn picture(args: &Tile) -> Result<(TileInTensor, bool), Failure> {
    let mut picture = TileInTensor {
        extent: [24, 12],
        pitch: 24,
        tile: [8, 6],
        start: [0, 0],
        outside: Outside::Zeros,
        element: String::new(),
        beyond: 0,
    };
    let mut from_tile = args.bound_from_tile;
    if !args.words.is_empty() {
        let pasted = input::pasted(&args.words)?;
        let words = pasted.words()?;
        let kind = args.kind.as_deref().map(crate::explain::kind).transpose().map_err(Failure::invalid)?;
        let around = Surroundings { kind, coords: args.at.clone(), ..Surroundings::default() };
        let explained = tilehaul::explain::explain(&words, &around)
            .map_err(|error| Failure::of_explain(error.in_file(&pasted.name)))?;
        from_tile |= explained.kind == Kind::Tdm;
        picture = explained.tile.ok_or_else(|| {
            Failure::unsupported(format!(
                "this {} has no tile in two dimensions to draw: an im2col or interleaved map, a gather and an empty tile have \
                 none (`tilehaul draw gather ROW,ROW..` draws the rows of a gather)",
                explained.kind.title()
            ))
        })?;
    }
    let pair = |given: &[u64], what: &str| -> Result<Option<[u64; 2]>, Failure> {
        match *given {
            [] => Ok(None),
            [columns] => Ok(Some([columns, 1])),
            [columns, rows] => Ok(Some([columns, rows])),
            _ => Err(Failure::invalid(format!("--{what} takes columns and rows: two numbers"))),
        }
    };
    if let Some(extent) = pair(&args.dims, "dims")? {
        picture.extent = extent;
        picture.pitch = extent[0];
    }
    if let Some(tile) = pair(&args.tile, "tile")? {
        picture.tile = tile;
    }
    match args.at[..] {
        [] => {}
        [column] => picture.start = [column, 0],
        [column, row, ..] => picture.start = [column, row],
    }
    if let Some(stride) = args.stride {
        picture.pitch = stride;
    }
    match args.outside {
        None => {}
        Some(OutsideArg::Zeros) => picture.outside = Outside::Zeros,
        Some(OutsideArg::Nan) => picture.outside = Outside::Nan,
        Some(OutsideArg::Dropped) => picture.outside = Outside::Dropped,
    }
    // Coordinates are drawn with doubles; beyond this nothing would be seen anyway.
    let most = 1u64 << 40;
    let sizes = picture.extent.iter().chain(&picture.tile).chain([&picture.pitch]);
    if sizes.copied().any(|s| s > most) || picture.start.iter().any(|s| s.unsigned_abs() > most) {
        return Err(Failure::invalid("a picture holds at most 2^40 elements in a direction"));
    }
    Ok((picture, from_tile))
}

fn bank_picture(args: &BankArgs) -> Result<Banks, Failure> {
    if args.row_bytes == 0
        || args.rows == 0
        || args.banks == 0
        || args.row_bytes > 1 << 20
        || args.banks > 128
    {
        return Err(Failure::invalid(
            "--row-bytes, --rows and --banks must be at least 1 (at most 1 MiB, and 128 banks)",
        ));
    }
    if args.pad_interval == 0 || args.pad_interval > 1 << 16 || args.pad_amount > 1 << 16 {
        return Err(Failure::invalid(
            "--pad-interval must be 1 to 65536 dwords and --pad-amount at most 65536",
        ));
    }
    Ok(Banks {
        row_bytes: args.row_bytes,
        rows: args.rows.min(1024),
        interval: args.pad_interval * 4,
        amount: args.pad_amount * 4,
        banks: args.banks,
    })
}
