//! `tilehaul conform`.

use std::fmt::Write;

use serde_json::{Map, Value, json};
use tilehaul::conform::{self, Outcome as Compared, Report};

use crate::input;
use crate::output::{Answer, Failure, Outcome, Verdict};

/// Compares the model with recorded hardware answers or with descriptor cases.
///
/// Takes record files (JSON lines, gzip'd or not) and `case.json` files. A record that the model does not know is
/// `unsupported`, never skipped.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, or `-` for standard input.
    #[arg(required = true, value_name = "FILE|-")]
    files: Vec<String>,
    /// Print the model's own answers as JSON lines, without looking at recorded ones.
    #[arg(long)]
    answer: bool,
    /// Disagreements shown for each file.
    #[arg(long, default_value = "5", value_name = "N")]
    show: usize,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let mut text = String::new();
    let mut files = Vec::new();
    let mut verdict = Verdict::Clean;
    for name in &args.files {
        let bytes = input::read(name)?;
        let read = conform::read(&bytes).map_err(|error| Failure::invalid(format!("{name}: {error}")))?;
        if args.answer {
            for value in conform::answer(&read) {
                let _ = writeln!(text, "{value}");
            }
            continue;
        }
        let report = conform::compare(&read);
        describe(name, &report, args.show, &mut text);
        verdict = worse(verdict, verdict_of(&report));
        files.push(report_json(name, &report));
    }
    let mut json = Map::new();
    json.insert("files".to_owned(), json!(files));
    // Answers are JSON lines whatever the format: they are compared line by line.
    Ok(Answer { verdict, text, json, lines: args.answer })
}

fn verdict_of(report: &Report) -> Verdict {
    if report.malformed().next().is_some() {
        Verdict::Invalid
    } else if report.disagreements().next().is_some() {
        Verdict::Findings
    } else if report.unsupported().next().is_some() {
        Verdict::Unsupported
    } else {
        Verdict::Clean
    }
}

/// Of two verdicts the one that says more: a disagreement beats what is not modelled.
fn worse(a: Verdict, b: Verdict) -> Verdict {
    [Verdict::Invalid, Verdict::Findings, Verdict::Unsupported]
        .into_iter()
        .find(|v| a == *v || b == *v)
        .unwrap_or(a)
}

fn describe(name: &str, report: &Report, show: usize, text: &mut String) {
    let (differ, unknown, broken) =
        (report.disagreements().count(), report.unsupported().count(), report.malformed().count());
    let _ = write!(
        text,
        "{name}: {} of {} records agree",
        report.total() - differ - unknown - broken,
        report.total()
    );
    for (count, what) in [(differ, "differ"), (unknown, "are not modelled"), (broken, "cannot be read")] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    text.push('\n');
    for remark in report.disagreements().chain(report.unsupported()).chain(report.malformed()).take(show) {
        let _ =
            writeln!(text, "  record {} ({}): {}", remark.index, remark.what, outcome_text(&remark.outcome));
    }
}

fn outcome_text(outcome: &Compared) -> String {
    match outcome {
        Compared::Agrees => "agrees".to_owned(),
        Compared::Differs(text) => text.clone(),
        Compared::Unsupported(text) => format!("not modelled: {text}"),
        Compared::Malformed(text) => format!("cannot be read: {text}"),
    }
}

fn report_json(name: &str, report: &Report) -> Value {
    let remarks: Vec<Value> = report
        .remarks
        .iter()
        .map(|remark| {
            let (outcome, text) = match &remark.outcome {
                Compared::Agrees => ("agrees", ""),
                Compared::Differs(text) => ("differs", text.as_str()),
                Compared::Unsupported(text) => ("unsupported", text.as_str()),
                Compared::Malformed(text) => ("malformed", text.as_str()),
            };
            json!({ "index": remark.index, "what": remark.what, "outcome": outcome, "text": text })
        })
        .collect();
    json!({ "file": name, "records": report.total(), "agreed": report.agreed, "remarks": remarks })
}
