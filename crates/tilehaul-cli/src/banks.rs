//! `tilehaul banks`.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use tilehaul::banks::{self, Mover};
use tilehaul::layout;
use tilehaul::run::{self, Conclusion, Explore, Request, Sums, Watch};
use tilehaul_layout::apply::type_bits;
use tilehaul_layout::banks::search::Tile;
use tilehaul_layout::banks::{Kind, Switches, h200};
use tilehaul_render as render;

use crate::check::{launch_file, refuse_text};
use crate::layout::save;
use crate::output::{Answer, Failure, Outcome, Verdict};

/// Wavefronts of a shared-memory access, and the padding or swizzle that removes its conflicts.
///
/// The access is given by hand (`--width 128 --addr 'lane*144'`) or by layouts (`--shared LAYOUT` with `--registers
/// LAYOUT` or `--ldmatrix 4`), or comes from a kernel run (`--launch FILE.launch.toml`). With --fix, legal paddings of the Tensor Data Mover, swizzles of TMA and row paddings are
/// ranked by conflicts, wasted bytes and whether matrix descriptors can read the tile. Conflicts are an answer, not a
/// finding: the exit code stays 0.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Target: sm_90 and later, gfx942, gfx950 or gfx1250.
    #[arg(long, default_value = "sm_90")]
    target: String,
    /// Bits that each lane moves: 8, 16, 32, 64, 96 or 128.
    #[arg(long, default_value = "32")]
    width: u32,
    /// Byte address of each lane: an expression over `lane` with C's operators, or a list with `-` for inactive lanes.
    #[arg(long, value_name = "EXPRESSION|LIST", conflicts_with = "shared", allow_hyphen_values = true)]
    addr: Option<String>,
    /// A launch file or its folder: counts every shared-memory access of one run of its kernel, by instruction.
    #[arg(long, value_name = "FILE.launch.toml", conflicts_with_all = ["addr", "shared", "fix"])]
    launch: Option<String>,
    /// The access is a store.
    #[arg(long, conflicts_with = "transpose")]
    store: bool,
    /// The access is a transposing load (ds_load_tr of gfx1250).
    #[arg(long)]
    transpose: bool,
    /// gfx950: 32-bit loads see 32 banks (sources disagree; the default is 64).
    #[arg(long)]
    gfx950_narrow_loads: bool,
    /// Layout of the tile in shared memory, in elements.
    #[arg(long, value_name = "LAYOUT")]
    shared: Option<String>,
    /// Layout of the tile over threads and registers.
    #[arg(long, value_name = "LAYOUT", requires = "shared", conflicts_with = "ldmatrix")]
    registers: Option<String>,
    /// Read by ldmatrix with this many matrices (1, 2 or 4) from the tile's first element.
    #[arg(long, value_name = "N", requires = "shared")]
    ldmatrix: Option<u32>,
    /// Shape of the tile.
    #[arg(long, value_delimiter = ',', value_name = "ROWS,COLUMNS")]
    shape: Vec<u64>,
    /// Element type of the tile.
    #[arg(long, default_value = "f16")]
    element: String,
    /// Searches what removes the conflicts; addresses count bytes of the packed tile.
    #[arg(long)]
    fix: bool,
    /// Bytes of a row of the tile (with --fix and --addr).
    #[arg(long, value_name = "BYTES")]
    row_bytes: Option<u64>,
    /// Rows of the tile (with --fix and --addr).
    #[arg(long)]
    tile_rows: Option<u64>,
    /// Candidates that are printed.
    #[arg(long, default_value = "12")]
    most: usize,
    /// Writes a picture of the access (of the most expensive one, when there are several).
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

/// One access with its name.
struct Named {
    name: String,
    addresses: Vec<Option<u64>>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    if let Some(path) = &args.launch {
        return of_kernel(args, path);
    }
    let chip = banks::chip(&args.target).map_err(Failure::of_explain)?;
    let switches = Switches { gfx950_narrow_loads: args.gfx950_narrow_loads };
    let kind = match (args.store, args.transpose) {
        (true, _) => Kind::Store,
        (_, true) => Kind::Transpose,
        _ => Kind::Load,
    };
    let bits = if args.ldmatrix.is_some() { 128 } else { args.width };
    let width = banks::width(bits).map_err(Failure::of_explain)?;
    // Accesses in memory, and the same as bytes of the packed tile for a search.
    let (accesses, packed, tile) = match (&args.addr, &args.shared) {
        (Some(text), _) => {
            let addresses = banks::addresses(text, chip).map_err(Failure::of_explain)?;
            let tile = args.row_bytes.map(|row_bytes| {
                let last = addresses.iter().flatten().max().copied().unwrap_or(0);
                let rows = args.tile_rows.unwrap_or(last / row_bytes.max(1) + 1);
                Tile { rows, row_bytes }
            });
            let named = vec![Named { name: text.clone(), addresses: addresses.clone() }];
            (named, vec![addresses], tile)
        }
        (None, Some(shared)) => of_layouts(args, shared, chip, width)?,
        (None, None) => {
            return Err(Failure::invalid(
                "give --addr EXPRESSION, or --shared LAYOUT with --registers or --ldmatrix",
            ));
        }
    };
    let mut text = String::new();
    let mut json = Map::new();
    let mut list = Vec::new();
    let mut worst: Option<(u32, usize)> = None;
    let (mut wavefronts, mut ideal) = (0u64, 0u64);
    for (k, access) in accesses.iter().enumerate() {
        let report =
            banks::report(chip, kind, width, &access.addresses, switches).map_err(Failure::of_explain)?;
        wavefronts += u64::from(report.wavefronts);
        ideal += u64::from(report.ideal);
        if worst.is_none_or(|(w, _)| report.wavefronts > w) {
            worst = Some((report.wavefronts, k));
        }
        let mut one = render::banks::json(&report);
        one["access"] = json!(access.name);
        list.push(one);
    }
    let worst = worst.map_or(0, |(_, k)| k);
    let Some(shown) = accesses.get(worst) else {
        return Err(Failure::invalid("the layouts hold no element, so nothing is accessed"));
    };
    let report = banks::report(chip, kind, width, &shown.addresses, switches).map_err(Failure::of_explain)?;
    if accesses.len() > 1 {
        text.push_str(&format!(
            "{} accesses: {wavefronts} wavefronts, {ideal} in the best arrangement; the most expensive is {}:\n",
            accesses.len(),
            shown.name
        ));
    }
    text.push_str(&render::banks::table(&report));
    if args.target.starts_with("sm_90")
        && kind == Kind::Load
        && let Some(cycles) = h200::cycles(width, report.wavefronts)
    {
        text.push_str(&format!(
            "about {cycles:.1} cycles each in a row of such loads (hardware: h200 timing)\n"
        ));
        json.insert("cycles_per_load".into(), json!(cycles));
    }
    json.insert("accesses".into(), Value::Array(list));
    json.insert("wavefronts".into(), json!(wavefronts));
    json.insert("ideal".into(), json!(ideal));
    if args.fix {
        let Some(tile) = tile else {
            return Err(Failure::invalid("--fix needs the tile: add --row-bytes (and --tile-rows)"));
        };
        let found = banks::fix(chip, tile, kind, width, &packed, switches).map_err(Failure::of_explain)?;
        text.push_str(&format!(
            "\narrangements of {} rows of {} bytes, best first\n",
            tile.rows, tile.row_bytes
        ));
        text.push_str(&render::banks::candidates_table(&found, args.most));
        json.insert("candidates".into(), render::banks::candidates_json(&found, args.most));
    }
    if let Some(path) = &args.svg {
        let title = format!("{}-bit access, {}", width.bits(), shown.name);
        save(path, &render::banks::picture(&report, &shown.addresses, width, &title), &mut text, &mut json)?;
    }
    Ok(Answer { verdict: Verdict::Clean, text, json, lines: false })
}

/// Every shared access of one run.
fn of_kernel(args: &Args, shown: &str) -> Outcome {
    let (path, text) = launch_file(shown)?;
    refuse_text(&path)?;
    let request = Request {
        explore: Explore::default(),
        watch: Watch::Banks,
        keep_memory: false,
        sums: Sums::Exact,
        target: None,
    };
    let report = run::launch(&path, &text, &request);
    let verdict = match report.conclusion {
        Conclusion::Clean => Verdict::Clean,
        Conclusion::Findings => Verdict::Findings,
        Conclusion::Unsupported => Verdict::Unsupported,
        Conclusion::Invalid => Verdict::Invalid,
    };
    let Some(run) = &report.banks else {
        let diagnostics: Vec<_> = report.findings.iter().map(|f| f.diagnostic.clone()).collect();
        let message =
            diagnostics.first().map_or_else(|| format!("{shown}: nothing was run"), |d| d.message.clone());
        return Err(Failure { verdict, message, diagnostics, sources: report.sources });
    };
    let mut text = String::new();
    for found in &report.findings {
        text.push_str(&format!("the run did not finish: {}\n", found.diagnostic.message));
    }
    let rows: Vec<render::banks::PlaceRow<'_>> = run
        .places
        .iter()
        .map(|p| render::banks::PlaceRow {
            place: &p.place,
            text: &p.text,
            kind: p.kind,
            width: p.width,
            sums: &p.sums,
        })
        .collect();
    text.push_str(&render::banks::places_table(&rows, args.most));
    for (what, count) in &run.not_counted {
        text.push_str(&format!("not counted: {count} {what}\n"));
    }
    let mut json = Map::new();
    json.insert("places".into(), render::banks::places_json(&rows));
    let left: Vec<Value> = run.not_counted.iter().map(|(w, n)| json!({"what": w, "count": n})).collect();
    json.insert("not_counted".into(), Value::Array(left));
    if let (Some(svg), Some(worst)) = (&args.svg, run.places.first()) {
        let chip = run.chip;
        let addresses = &worst.sums.worst_addresses;
        let one = banks::report(chip, worst.kind, worst.width, addresses, Switches::default())
            .map_err(Failure::of_explain)?;
        let title = format!("{}: {}", worst.place, worst.text.trim());
        save(svg, &render::banks::picture(&one, addresses, worst.width, &title), &mut text, &mut json)?;
    }
    Ok(Answer { verdict, text, json, lines: false })
}

type Accesses = (Vec<Named>, Vec<Vec<Option<u64>>>, Option<Tile>);

fn of_layouts(
    args: &Args,
    shared: &str,
    chip: tilehaul_layout::banks::Chip,
    width: tilehaul_layout::banks::Width,
) -> Result<Accesses, Failure> {
    let shape = (!args.shape.is_empty()).then_some(args.shape.as_slice());
    let shared = layout::read(shared, shape).map_err(Failure::of_explain)?;
    let element_bytes = type_bits(&args.element).map_err(|e| Failure::invalid(e.message))? / 8;
    let mover = match (&args.registers, args.ldmatrix) {
        (Some(text), _) => {
            let view = layout::read(text, Some(shared.shape())).map_err(Failure::of_explain)?;
            Mover::Registers(Box::new(view))
        }
        (None, Some(n)) => Mover::Ldmatrix(n),
        (None, None) => return Err(Failure::invalid("--shared needs --registers LAYOUT or --ldmatrix N")),
    };
    let movement =
        |view| banks::accesses(view, &mover, element_bytes, width, chip).map_err(Failure::of_explain);
    let accesses = movement(&shared)?
        .into_iter()
        .map(|a| Named { name: format!("warp {}, {}", a.warp, a.what), addresses: a.addresses })
        .collect();
    if !args.fix {
        return Ok((accesses, Vec::new(), None));
    }
    let packed = banks::packed(shared.shape()).map_err(Failure::of_explain)?;
    let bytes = movement(&packed)?.into_iter().map(|a| a.addresses).collect();
    let row = shared.shape().last().copied().unwrap_or(1);
    let tile = Tile { rows: shared.size() / row.max(1), row_bytes: row * u64::from(element_bytes) };
    Ok((accesses, bytes, Some(tile)))
}
