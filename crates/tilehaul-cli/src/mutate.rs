//! `tilehaul mutate`.

use std::fmt::Write;
use std::num::NonZeroUsize;

use serde_json::{Map, Value, json};
use tilehaul::run::{self, Bounds, Explore, Fate, MutateHow, Mutated, Row};
use tilehaul_render::Style;
use tilehaul_render::style::Ink;

use crate::check::{answer, launch_file, refuse_text};
use crate::numbers::{number, seeds};
use crate::output::{Answer, Outcome, Output, Verdict};

/// Makes a kernel wrong on purpose, in one place at a time, and lists what the check does not notice.
///
/// Each wait, fence, barrier, arrival, count, announced byte count and parity of the kernel's text (.ptx or .s), and each field
/// of a D# that says what moves where, is dropped or weakened in turn. A mutant that no run of a check notices is put through
/// every order of its steps and landings, within bounds; when none shows anything it is equivalent and does not count. Neither
/// does one in a place that the launch never reaches. A dropped s_wait_xcnt is tried with amd.xnack_retry, too. Exits with 1
/// when a mutant stays unnoticed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A launch file, or a folder with a launch.toml.
    #[arg(value_name = "X.launch.toml")]
    file: String,
    /// Seeds of random schedule and landing for each mutant.
    #[arg(long, default_value = "4", value_parser = seeds, value_name = "N")]
    seeds: u64,
    /// Most runs that may be spent on telling whether a mutant is equivalent; 0 for none. Where it shows that they will not do,
    /// no more are made.
    #[arg(long, default_value = "200", value_parser = number, value_name = "N")]
    proof_runs: u64,
    /// Most instructions of a run.
    #[arg(long, default_value = "20000000", value_parser = number, value_name = "N")]
    step_limit: u64,
    /// Mutants checked at once; as many as there are cores unless given.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// List only what was not noticed.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args, output: &Output) -> Outcome {
    let (path, text) = launch_file(&args.file)?;
    refuse_text(&path)?;
    let how = MutateHow {
        explore: Explore { step_limit: args.step_limit, ..Explore::seeds(args.seeds) },
        bounds: Bounds {
            runs: u32::try_from(args.proof_runs).unwrap_or(u32::MAX),
            all_or_nothing: true,
            ..Bounds::default()
        },
        jobs: args.jobs,
    };
    let mutated = match run::mutate(&path, &text, &how) {
        Ok(mutated) => mutated,
        // Not clean before any mutation: the check's own answer says why.
        Err(report) => return Ok(answer(&report, &args.file, "check", output.style)),
    };
    let (noticed, counted) = mutated.score();
    let verdict = if noticed == counted { Verdict::Clean } else { Verdict::Findings };
    Ok(Answer {
        verdict,
        text: table(&mutated, args.quiet, output.style),
        json: object(&mutated),
        lines: false,
    })
}

/// One word for a fate, what is to be added to it, and how it is painted.
fn words(fate: &Fate) -> (&'static str, String, Ink) {
    match fate {
        Fate::Noticed(code) => ("noticed", code.clone(), Ink::Good),
        Fate::Hinted(code) => ("hinted", code.clone(), Ink::Good),
        Fate::NoticedWith { switch, code } => ("noticed", format!("{code}, with {switch}"), Ink::Good),
        Fate::Equivalent(1) => {
            ("equivalent", "proven: all orders of its steps come to the same".into(), Ink::Faint)
        }
        Fate::Equivalent(runs) => {
            ("equivalent", format!("proven: {runs} runs stand for all orders of its steps"), Ink::Faint)
        }
        Fate::NotReached => ("not reached", "this launch never comes here".into(), Ink::Faint),
        Fate::Unnoticed(why) => ("UNNOTICED", why.clone(), Ink::Bad),
        Fate::Unsupported(what) => ("unsupported", what.clone(), Ink::Warn),
        Fate::Refused(why) => ("refused", why.clone(), Ink::Faint),
    }
}

fn table(mutated: &Mutated, quiet: bool, style: Style) -> String {
    let mut text = format!("{}\n", mutated.kernel);
    if let Some(note) = &mutated.note {
        let _ = writeln!(text, "note: {note}");
    }
    let shown: Vec<&Row> = mutated
        .rows
        .iter()
        .filter(|r| {
            !quiet || !matches!(r.fate, Fate::Noticed(_) | Fate::Hinted(_) | Fate::NoticedWith { .. })
        })
        .collect();
    let width = shown.iter().map(|r| r.mutant.what.chars().count()).max().unwrap_or(0);
    let mut last = 0;
    for row in shown {
        if row.line != last {
            let _ = writeln!(text, "{:>5} | {}", row.line, shortened(&row.original));
            last = row.line;
        }
        let (word, more, ink) = words(&row.fate);
        let more = if more.is_empty() { more } else { format!("  {more}") };
        let word = style.paint(ink, &format!("{word:<11}"));
        let _ = writeln!(text, "{}", format!("      | {:<width$}  {word}{more}", row.mutant.what).trim_end());
    }
    text.push_str(&score(mutated));
    text
}

/// `38 of 40 mutants noticed (95.0 %); not counted: 2 equivalent`.
fn score(mutated: &Mutated) -> String {
    let (noticed, counted) = mutated.score();
    let mut text = format!("{noticed} of {counted} mutants noticed");
    if counted > 0 {
        let _ = write!(text, " ({:.1} %)", noticed as f64 * 100.0 / counted as f64);
    }
    let mut apart: Vec<(&str, usize)> = Vec::new();
    for row in &mutated.rows {
        if matches!(row.fate, Fate::Equivalent(_) | Fate::NotReached | Fate::Refused(_)) {
            let word = words(&row.fate).0;
            match apart.iter_mut().find(|(w, _)| *w == word) {
                Some((_, count)) => *count += 1,
                None => apart.push((word, 1)),
            }
        }
    }
    if !apart.is_empty() {
        let list: Vec<String> = apart.iter().map(|(word, count)| format!("{count} {word}")).collect();
        let _ = write!(text, "; not counted: {}", list.join(", "));
    }
    text + "\n"
}

/// The statement in one line that fits a terminal.
fn shortened(statement: &str) -> String {
    const MOST: usize = 88;
    if statement.chars().count() <= MOST {
        return statement.to_owned();
    }
    statement.chars().take(MOST - 1).chain(['…']).collect()
}

fn object(mutated: &Mutated) -> Map<String, Value> {
    let rows: Vec<Value> = mutated
        .rows
        .iter()
        .map(|row| {
            let (word, detail, _) = words(&row.fate);
            json!({
                "line": row.line,
                "what": row.mutant.what,
                "original": row.original,
                "replacement": row.mutant.replacement,
                "fate": word.to_lowercase(),
                "detail": detail,
            })
        })
        .collect();
    let (noticed, counted) = mutated.score();
    let mut json = Map::new();
    json.insert("kernel".to_owned(), json!(mutated.kernel));
    if let Some(note) = &mutated.note {
        json.insert("note".to_owned(), json!(note));
    }
    json.insert("mutants".to_owned(), json!(rows));
    json.insert("noticed".to_owned(), json!(noticed));
    json.insert("counted".to_owned(), json!(counted));
    json
}
