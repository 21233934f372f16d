//! `tilehaul layout`.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use tilehaul::explain::ExplainError;
use tilehaul::files::write_whole;
use tilehaul::layout;
use tilehaul_layout::{Place, Reader, View};
use tilehaul_render as render;
use tilehaul_render::style::Ink;

use crate::output::{Answer, Failure, Outcome, Output, Verdict};

/// Prints, draws, translates, queries and compares layouts: TIRx, CuTe and Triton notations alike.
///
/// LAYOUT is `S[(64,2,64):(1@tid_in_wg,64@tid_in_wg,1)]`, `Swizzle<3,3,3> o 0 o (8,64):(64,1)`,
/// `#ttg.blocked<{..}>` (also linear, nvidia_mma, dot_op, amd_mfma, amd_wmma, slice, swizzled_shared, nvmma_shared, padded_shared,
/// shared_linear) or `#ttng.tensor_memory_encoding<..>`, optionally followed by steps:
/// `LAYOUT | rearrange (a b) c -> b a c ; b=2 | permute 1,0 | reshape 8,-1 | slice 0:8, :`. `-` reads standard input.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The layout, or `-`.
    #[arg(value_name = "LAYOUT|-", allow_hyphen_values = true)]
    layout: String,
    /// Shape of the tensor, where the notation leaves it open.
    #[arg(long, value_delimiter = ',', value_name = "ROWS,COLUMNS")]
    shape: Vec<u64>,
    /// Who holds this element?
    #[arg(long, value_delimiter = ',', value_name = "I,J")]
    element: Vec<u64>,
    /// Which elements are there? Positions by axis, such as laneid=3,m=2.
    #[arg(long, value_delimiter = ',', value_name = "AXIS=N")]
    at: Vec<String>,
    /// Another layout of the same tensor: says whether both mean the same, or the first element that differs.
    #[arg(long, value_name = "LAYOUT")]
    diff: Option<String>,
    /// The layout that a reader expects of a tile landed under LAYOUT: says what the reader gets.
    #[arg(long, value_name = "LAYOUT", conflicts_with = "diff")]
    read_as: Option<String>,
    /// Start of the tile in memory, in elements (with --read-as).
    #[arg(long, default_value = "0", requires = "read_as")]
    base: i64,
    /// The reader swizzles offsets from the tile's start instead of addresses (with --read-as).
    #[arg(long, requires = "read_as")]
    relative: bool,
    /// Rows of the printed table.
    #[arg(long, default_value = "16", value_parser = clap::value_parser!(u64).range(1..=1024), value_name = "N")]
    rows: u64,
    /// Columns of the printed table.
    #[arg(long, default_value = "16", value_parser = clap::value_parser!(u64).range(1..=1024), value_name = "N")]
    columns: u64,
    /// Writes a picture.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Heading of the picture.
    #[arg(long, requires = "svg")]
    title: Option<String>,
}

pub(crate) fn run(args: &Args, output: &Output) -> Outcome {
    let text = crate::input::text_or_stdin(&args.layout)?;
    let shape = (!args.shape.is_empty()).then_some(args.shape.as_slice());
    let view = layout::read(&text, shape).map_err(Failure::of_explain)?;
    let other = args.diff.as_ref().or(args.read_as.as_ref());
    if let Some(other) = other {
        let other = layout::read(other, shape.or(Some(view.shape()))).or_else(|first| {
            // A notation with a shape of its own refuses another; then its own is compared.
            layout::read(other, None).map_err(|_| first)
        });
        let other = other.map_err(Failure::of_explain)?;
        return if args.diff.is_some() {
            difference(args, &view, &other)
        } else {
            reader(args, &view, &other)
        };
    }
    let mut json = Map::new();
    let mut out = String::new();
    json.insert("shape".into(), json!(view.shape()));
    json.insert("copies".into(), json!(view.copies()));
    let mut notations = Map::new();
    for (notation, printed) in layout::notations(&view) {
        let (word, text) = match &printed {
            Ok(text) => (json!(text), text.clone()),
            Err(why) => (Value::Null, output.style.paint(Ink::Faint, &format!("- ({why})"))),
        };
        out.push_str(&format!("{:8}{text}\n", notation.name()));
        notations.insert(notation.name().into(), word);
    }
    json.insert("notations".into(), Value::Object(notations));
    if !args.element.is_empty() {
        let places = layout::places(&view, &args.element).map_err(Failure::of_explain)?;
        out.push_str(&format!("\nelement {:?} is at\n{}", args.element, list(&places)));
        json.insert("places".into(), places.iter().map(render::layout::place_json).collect());
    } else if !args.at.is_empty() {
        let elements = layout::elements(&view, &args.at, 64).map_err(Failure::of_explain)?;
        out.push_str(&format!("\nat {}: ", args.at.join(", ")));
        if elements.is_empty() {
            out.push_str("no element");
        }
        let parts: Vec<String> = elements.iter().map(|e| format!("{e:?}")).collect();
        out.push_str(&parts.join(" "));
        out.push('\n');
        json.insert("elements".into(), json!(elements));
    } else {
        out.push_str(&format!("\n{}\n", render::layout::legend(&view)));
        out.push_str(&render::layout::table(&view, args.rows, args.columns));
    }
    if let Some(path) = &args.svg {
        let title = args.title.clone().unwrap_or_else(|| text.trim().chars().take(90).collect());
        save(path, &render::layout::picture(&view, &title), &mut out, &mut json)?;
    }
    Ok(Answer { verdict: Verdict::Clean, text: out, json, lines: false })
}

fn difference(args: &Args, view: &View, other: &View) -> Outcome {
    let found = view.difference(other).map_err(|e| Failure::of_explain(ExplainError::Unusable(e.0)))?;
    let mut json = Map::new();
    json.insert("equal".into(), json!(found.is_none()));
    let mut out = String::new();
    match &found {
        None => out.push_str("Both layouts put every element in the same places.\n"),
        Some(d) => {
            out.push_str(&format!(
                "{} of {} elements differ; the first is {:?}.\nleft:\n{}right:\n{}",
                d.count,
                view.size(),
                d.element,
                list(&d.left),
                list(&d.right)
            ));
            json.insert("count".into(), json!(d.count));
            json.insert("element".into(), json!(d.element));
            json.insert("left".into(), d.left.iter().map(render::layout::place_json).collect());
            json.insert("right".into(), d.right.iter().map(render::layout::place_json).collect());
        }
    }
    if let Some(path) = &args.svg {
        let below = out.lines().next().unwrap_or("").to_string();
        let bad = found.as_ref().map(|d| d.element.as_slice());
        let title = args.title.as_deref().unwrap_or("Two layouts of one tensor");
        let picture = render::layout::side_by_side([(view, "left"), (other, "right")], bad, title, &below);
        save(path, &picture, &mut out, &mut json)?;
    }
    let verdict = if found.is_some() { Verdict::Findings } else { Verdict::Clean };
    Ok(Answer { verdict, text: out, json, lines: false })
}

fn reader(args: &Args, written: &View, read: &View) -> Outcome {
    let reader = if args.relative { Reader::Relative } else { Reader::Absolute };
    let found = layout::check_reader(written, read, args.base, reader).map_err(Failure::of_explain)?;
    let mut json = Map::new();
    json.insert("agree".into(), json!(found.is_none()));
    let mut out = String::new();
    match &found {
        None => out.push_str("The reader finds every element where the tile landed.\n"),
        Some(d) => {
            let gets = match &d.gets {
                Some(e) => format!("element {e:?}"),
                None => "bytes that nobody wrote".to_string(),
            };
            out.push_str(&format!(
                "{} of {} elements are read wrongly; the first is {:?}: it landed at {}, the reader looks at {} and gets {gets}.\n",
                d.count,
                written.size(),
                d.element,
                d.written_at,
                d.read_from
            ));
            json.insert("count".into(), json!(d.count));
            json.insert("element".into(), json!(d.element));
            json.insert("written_at".into(), json!(d.written_at));
            json.insert("read_from".into(), json!(d.read_from));
            json.insert("gets".into(), json!(d.gets));
        }
    }
    if let Some(path) = &args.svg {
        let below = out.lines().next().unwrap_or("").to_string();
        let bad = found.as_ref().map(|d| d.element.as_slice());
        let title = args.title.as_deref().unwrap_or("A tile as it landed and as it is read");
        let panels = [(written, "as it landed"), (read, "as the reader expects it")];
        save(path, &render::layout::side_by_side(panels, bad, title, &below), &mut out, &mut json)?;
    }
    let verdict = if found.is_some() { Verdict::Findings } else { Verdict::Clean };
    Ok(Answer { verdict, text: out, json, lines: false })
}

fn list(places: &[Place]) -> String {
    let mut text: String = places.iter().take(16).map(|p| format!("  {p}\n")).collect();
    if places.len() > 16 {
        text.push_str(&format!("  and {} more\n", places.len() - 16));
    }
    text
}

/// Writes a picture and says so.
pub(crate) fn save(
    path: &std::path::Path,
    picture: &str,
    text: &mut String,
    json: &mut Map<String, Value>,
) -> Result<(), Failure> {
    write_whole(path, picture.as_bytes()).map_err(Failure::invalid)?;
    text.push_str(&format!("wrote {}\n", path.display()));
    json.insert("file".into(), json!(path.display().to_string()));
    Ok(())
}
