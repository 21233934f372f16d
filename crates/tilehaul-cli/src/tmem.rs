//! `tilehaul tmem`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use serde_json::{Map, Value, json};
use tilehaul::tmem::{self, ApplyAnswer, ApplyCase};
use tilehaul_layout::apply::Instruction;
use tilehaul_layout::tmem::{Accumulator, Datapath, LaneHalf};
use tilehaul_render as render;

use crate::layout::save;
use crate::output::{Answer, Failure, Outcome, Verdict};

/// Images of Blackwell's tensor memory, and which instructions move a view, or why none does.
#[derive(ClapArgs)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
    /// Writes a picture.
    #[arg(long, global = true, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

#[derive(Subcommand)]
enum What {
    /// Which lane and register hold each cell of a tcgen05.ld or .st, or which lanes a tcgen05.cp writes.
    Image {
        /// The instruction, such as tcgen05.ld.sync.aligned.16x64b.x2.b32 or tcgen05.cp.32x128b.warpx4; `ld`'s shape and
        /// number alone (16x64b.x2) will do.
        instruction: String,
        /// Columns of the printed table.
        #[arg(long, default_value = "16")]
        columns: u32,
    },
    /// Where the result of a tcgen05.mma lies, by its data path A to G.
    Datapath {
        /// A (M 256 on a pair), B and C (M 128 on a pair), D (M 128), E and F (M 64), G (M 32).
        letter: String,
        /// Columns of the matrix.
        #[arg(long, default_value = "128")]
        n: u32,
        /// The upper sixteen lanes of each slab (C and F).
        #[arg(long)]
        upper: bool,
        /// Where is this element? Row and column.
        #[arg(long, value_delimiter = ',', value_name = "M,N")]
        element: Vec<u32>,
    },
    /// Does a view repeat an instruction's image? Lists the instructions, or names the first element that does not fit.
    Apply(Apply),
}

#[derive(ClapArgs)]
#[allow(rustdoc::broken_intra_doc_links, reason = "the text is help as well: [[case]] is no link")]
struct Apply {
    /// A file with one apply, or several as [[case]]; `-` is standard input.
    #[arg(value_name = "FILE.toml|-", required_unless_present = "instruction")]
    file: Option<String>,
    /// The instruction, such as tcgen05.ld.sync.aligned.32x32b.x64.b32.
    #[arg(long, conflicts_with = "file")]
    instruction: Option<String>,
    /// thread, warp, warpgroup, cta or cluster.
    #[arg(long, default_value = "warpgroup")]
    scope: String,
    /// Threads of the block.
    #[arg(long, default_value = "128")]
    block: u32,
    /// Condition over `warp` and `lane` that the active threads meet.
    #[arg(long)]
    guard: Option<String>,
    /// Blocks of the cluster.
    #[arg(long, value_delimiter = ',', value_name = "X,Y,Z")]
    cluster: Vec<u32>,
    /// imm_half_splitoff of 16x32bx2.
    #[arg(long, allow_hyphen_values = true)]
    split: Option<i64>,
    /// Columns of the allocation.
    #[arg(long)]
    columns: Option<u32>,
    /// An operand, in the instruction's order:
    /// `tmem f32 | tmem_datapath_layout("B", 64, 128) | rearrange (wh r) (wl c) -> (wl wh) r c ; wh=2, r=32, wl=2`.
    #[arg(long = "operand", value_name = "OPERAND")]
    operands: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    match &args.what {
        What::Image { instruction, columns } => image(args, instruction, *columns),
        What::Datapath { letter, n, upper, element } => datapath(args, letter, *n, *upper, element),
        What::Apply(apply) => apply_all(args, apply),
    }
}

fn image(args: &Args, name: &str, columns: u32) -> Outcome {
    let full = if name.starts_with("tcgen05.") { name.to_string() } else { format!("tcgen05.ld.{name}") };
    let instruction = Instruction::parse(&full).map_err(|r| Failure::invalid(r.to_string()))?;
    let mut json = Map::new();
    json.insert("instruction".into(), json!(instruction.to_string()));
    let (mut text, picture) = match &instruction {
        Instruction::Move { image, .. } => {
            json.insert("registers".into(), json!(image.registers()));
            json.insert("rows".into(), json!(image.rows()));
            json.insert("columns".into(), json!(image.columns()));
            json.insert("accesses".into(), json!(image.accesses()));
            let mut cells = Vec::new();
            for lane in 0..32 {
                for register in 0..image.registers() {
                    for part in 0..image.packing().parts() {
                        if let Some(p) = image.part(lane, register, part) {
                            cells.push(json!({
                                "lane": lane, "register": register, "register_low": p.register_low, "width": p.width,
                                "access": p.access, "row": p.row, "column": p.column,
                            }));
                        }
                    }
                }
            }
            json.insert("cells".into(), Value::Array(cells));
            let head = format!(
                "{instruction}: {} registers a lane, {} rows of {} columns{}\n",
                image.registers(),
                image.rows(),
                image.columns(),
                if image.accesses() == 2 { ", twice" } else { "" }
            );
            (head + &render::tmem::image_table(image, columns), Some(render::tmem::image_picture(image)))
        }
        Instruction::Copy(image) => {
            let lanes: Vec<Value> = (0..image.rows())
                .map(|row| {
                    let lanes: Vec<u32> = (0..image.replicas()).filter_map(|k| image.lane(row, k)).collect();
                    json!({"row": row, "lanes": lanes})
                })
                .collect();
            json.insert("rows".into(), Value::Array(lanes));
            json.insert("words".into(), json!(image.words()));
            let head = format!("{instruction}: {} rows of {} words\n", image.rows(), image.words());
            (head + &render::tmem::copy_table(image), None)
        }
    };
    match (&args.svg, picture) {
        (Some(path), Some(picture)) => save(path, &picture, &mut text, &mut json)?,
        (Some(_), None) => return Err(Failure::invalid("a copy has no picture; leave --svg out")),
        (None, _) => {}
    }
    Ok(Answer { verdict: Verdict::Clean, text, json, lines: false })
}

fn datapath(args: &Args, letter: &str, n: u32, upper: bool, element: &[u32]) -> Outcome {
    let datapath = Datapath::from_letter(letter)
        .ok_or_else(|| Failure::invalid(format!("there is no data path {letter}; choose A to G")))?;
    if n > 512 {
        return Err(Failure::invalid(format!("N {n} is above the 512 columns of tensor memory")));
    }
    let half = if upper { LaneHalf::Upper } else { LaneHalf::Lower };
    let accumulator = Accumulator::new(datapath, n, half)
        .map_err(|d| Failure::invalid(format!("{}; {}", d.message, d.fix.as_deref().unwrap_or(""))))?;
    let spec = datapath.spec();
    let mut json = Map::new();
    json.insert("datapath".into(), json!(spec.letter));
    json.insert("m".into(), json!(spec.m));
    json.insert("n".into(), json!(n));
    json.insert("columns".into(), json!(accumulator.columns()));
    let mut text = format!(
        "data path {}: {} by {n} on cta_group::{}, {} columns of each block\n",
        spec.letter,
        spec.m,
        spec.cta_group.blocks(),
        accumulator.columns()
    );
    match element {
        [] => text.push_str(&render::tmem::accumulator_table(&accumulator)),
        [row, column] => {
            let place = accumulator.place(*row, *column).ok_or_else(|| {
                Failure::invalid(format!("element [{row}, {column}] is outside {} by {n}", spec.m))
            })?;
            text.push_str(&format!(
                "element [{row}, {column}] is in block {}, lane {}, column {}: warp {} of a warpgroup reads it\n",
                place.block,
                place.lane,
                place.column,
                place.lane / 32
            ));
            json.insert(
                "place".into(),
                json!({"block": place.block, "lane": place.lane, "column": place.column}),
            );
        }
        _ => return Err(Failure::invalid("--element takes a row and a column")),
    }
    if let Some(path) = &args.svg {
        save(path, &render::tmem::accumulator_picture(&accumulator), &mut text, &mut json)?;
    }
    Ok(Answer { verdict: Verdict::Clean, text, json, lines: false })
}

fn apply_all(args: &Args, given: &Apply) -> Outcome {
    let cases = match &given.file {
        Some(path) => {
            let bytes = crate::input::read(path)?;
            let text = String::from_utf8(bytes)
                .map_err(|_| Failure::invalid(format!("{path}: the file is no UTF-8 text")))?;
            tmem::cases(&text).map_err(|e| Failure::of_explain(e.in_file(path)))?
        }
        None => vec![of_flags(given)?],
    };
    let mut text = String::new();
    let mut answers = Vec::new();
    let mut json = Map::new();
    let mut verdict = Verdict::Clean;
    for case in &cases {
        let answer = tmem::decide(case).map_err(Failure::of_explain)?;
        let bad = match answer.expected {
            Some(expected) => !expected,
            None => answer.result.is_err(),
        };
        if bad {
            verdict = Verdict::Findings;
        }
        text.push_str(&describe(case, &answer));
        answers.push(answer_json(case, &answer));
        if let (Some(path), Ok(applied), Some(instruction)) = (&args.svg, &answer.result, &answer.instruction)
        {
            if cases.len() > 1 {
                return Err(Failure::invalid("--svg draws one apply; the file holds several"));
            }
            save(
                path,
                &render::tmem::apply_picture(instruction, applied, &case.scope),
                &mut text,
                &mut json,
            )?;
        }
    }
    json.insert("applies".into(), Value::Array(answers));
    Ok(Answer { verdict, text, json, lines: false })
}

fn of_flags(given: &Apply) -> Result<ApplyCase, Failure> {
    let cluster = match given.cluster.as_slice() {
        [] => None,
        [x] => Some([*x, 1, 1]),
        [x, y] => Some([*x, *y, 1]),
        [x, y, z] => Some([*x, *y, *z]),
        _ => return Err(Failure::invalid("--cluster takes at most three numbers")),
    };
    Ok(ApplyCase {
        instruction: given.instruction.clone().unwrap_or_default(),
        scope: given.scope.clone(),
        block: given.block,
        guard: given.guard.clone(),
        cluster,
        split: given.split,
        columns: given.columns,
        operands: given.operands.clone(),
        ..ApplyCase::default()
    })
}

fn describe(case: &ApplyCase, answer: &ApplyAnswer) -> String {
    let row = case.row.map_or_else(String::new, |r| format!("row {r}: "));
    let mut text = format!("{row}{} at {} scope\n", case.instruction, case.scope);
    match &answer.result {
        Ok(applied) => {
            text.push_str(&format!(
                "  {} instruction{} a warp\n",
                applied.per_warp(),
                if applied.per_warp() == 1 { "" } else { "s" }
            ));
            for line in &answer.lines {
                text.push_str(&format!("  {line}\n"));
            }
            for note in &applied.notes {
                text.push_str(&format!("  note: {note}\n"));
            }
        }
        Err(refusal) => {
            text.push_str(&format!("  refused: {}\n", refusal.message));
            if let Some(element) = &refusal.element {
                text.push_str(&format!("  {element}\n"));
            }
        }
    }
    if answer.expected == Some(false) {
        text.push_str("  NOT what the file expects\n");
    }
    text
}

fn answer_json(case: &ApplyCase, answer: &ApplyAnswer) -> Value {
    let mut json = json!({
        "row": case.row,
        "instruction": case.instruction,
        "scope": case.scope,
        "expected": answer.expected,
        "lines": answer.lines,
    });
    match &answer.result {
        Ok(applied) => {
            let issues: Vec<Value> = applied
                .issues
                .iter()
                .map(|i| {
                    let group: Map<String, Value> =
                        i.group.iter().map(|(a, v)| (a.to_string(), json!(v))).collect();
                    json!({
                        "group": group, "repeat": i.repeat, "lane": i.lane, "column": i.column,
                        "split": i.split, "registers": i.slots,
                    })
                })
                .collect();
            json["instructions"] = Value::Array(issues);
            json["notes"] = json!(applied.notes);
        }
        Err(refusal) => {
            json["refusal"] =
                json!({"code": refusal.code, "message": refusal.message, "element": refusal.element});
        }
    }
    json
}
