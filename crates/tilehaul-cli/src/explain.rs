//! `tilehaul explain`.

use serde_json::{Map, json};
use tilehaul::explain::{ExplainError, Explained, Surroundings};
use tilehaul::words::{self, Kind};
use tilehaul_render::style::Ink;
use tilehaul_render::{Sources, Style, diagnostic, explanation, term};

use crate::input;
use crate::output::{Answer, Failure, Outcome, Output, Verdict, add_diagnostics};

/// Reads a descriptor and says everything there is to say about it: fields, broken rules, hints, a picture.
///
/// Takes words in any spelling: 0x lists, s[4:11] dumps, gdb and lldb memory dumps, one long hex string, bytes, C and
/// Python arrays, a file of text or bytes, or `-`. The kind is guessed from the number of words unless --kind names it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Words, a file, or `-` for standard input.
    #[arg(required = true, allow_negative_numbers = true, value_name = "WORDS|FILE|-")]
    words: Vec<String>,
    /// What the words are: tma, tdm, vbuf, wgmma, tcgen05, mbarrier or lds-barrier.
    #[arg(long, value_parser = kind)]
    kind: Option<Kind>,
    /// Target whose rules hold: sm_90a, sm_100a, gfx942, gfx1250 ...
    #[arg(long)]
    target: Option<String>,
    /// Bytes allocated from the descriptor's address on, to check that the tensor fits.
    #[arg(long, value_name = "BYTES")]
    alloc_bytes: Option<u64>,
    /// Where the picture puts the box: start coordinates, innermost first.
    #[arg(long, value_name = "X,Y", value_delimiter = ',', allow_hyphen_values = true)]
    at: Vec<i64>,
    /// Workgroups of the cluster (a D# with a workgroup mask).
    #[arg(long, value_name = "N")]
    cluster_size: Option<u16>,
    /// Bits of the pending count of an LDS barrier word.
    #[arg(long, value_name = "BITS")]
    pending_width: Option<u32>,
}

fn kind(name: &str) -> Result<Kind, String> {
    Kind::of_name(name).ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.into_iter().map(Kind::name).collect();
        format!("choose one of {}", names.join(", "))
    })
}

pub(crate) fn run(args: &Args, output: &Output) -> Outcome {
    let pasted = input::pasted(&args.words)?;
    let words = words::parse(&pasted.bytes).map_err(|e| Failure::invalid(format!("{}: {e}", pasted.name)))?;
    let around = Surroundings {
        kind: args.kind,
        target: args.target.clone(),
        alloc_bytes: args.alloc_bytes,
        coords: args.at.clone(),
        cluster_size: args.cluster_size,
        pending_width: args.pending_width,
    };
    let explained = tilehaul::explain::explain(&words, &around).map_err(|error| match error {
        ExplainError::Unusable(text) => Failure::invalid(format!("{}: {text}", pasted.name)),
        ExplainError::Unsupported(text) => Failure::unsupported(text),
    })?;
    Ok(answer(&explained, output.style))
}

/// Text and JSON of an explanation.
pub(crate) fn answer(explained: &Explained, style: Style) -> Answer {
    let mut text = String::new();
    let mut remarks = vec![format!("Read as {}.", explained.reading)];
    if let Some(guess) = &explained.guess {
        let others: Vec<&str> = guess.others.iter().map(|k| k.name()).collect();
        let or =
            if others.is_empty() { String::new() } else { format!(" (or --kind {})", others.join(", ")) };
        remarks.push(format!("Guessed {}: {}{or}.", guess.kind, guess.why));
    }
    remarks.extend(explained.notes.iter().map(|n| format!("Note: {n}.")));
    for remark in remarks.iter().filter(|r| r.as_str() != "Read as .") {
        text.push_str(&style.paint(Ink::Faint, remark));
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for part in &explained.parts {
        text.push_str(&explanation::text(part, style));
        text.push('\n');
    }
    if let Some(tile) = &explained.tile {
        text.push_str(&term::tile(tile, style));
        text.push('\n');
    }
    if let Some(swizzle) = explained.swizzle {
        let repeat = u64::from(swizzle.repeat());
        text.push_str(&term::swizzle(swizzle.name(), repeat, |a| swizzle.permute(a), style));
        text.push('\n');
    }
    text.push_str(&diagnostic::all_text(&explained.diagnostics, &Sources::default(), style));
    let trimmed = text.trim_end().len();
    text.truncate(trimmed);
    text.push('\n');
    Answer { verdict: Verdict::of(&explained.diagnostics), text, json: json(explained) }
}

fn json(explained: &Explained) -> Map<String, serde_json::Value> {
    let mut map = Map::new();
    map.insert("kind".to_owned(), json!(explained.kind.name()));
    let guess = explained.guess.as_ref().map(|g| {
        let others: Vec<&str> = g.others.iter().map(|k| k.name()).collect();
        json!({ "why": g.why, "others": others })
    });
    map.insert("guess".to_owned(), json!(guess));
    map.insert("reading".to_owned(), json!(explained.reading));
    map.insert("notes".to_owned(), json!(explained.notes));
    let parts: Vec<_> = explained.parts.iter().map(explanation::json).collect();
    map.insert("parts".to_owned(), json!(parts));
    add_diagnostics(&mut map, &explained.diagnostics, &Sources::default());
    map
}
