//! `tilehaul explain`.

use serde_json::{Map, json};
use tilehaul::explain::{ExplainError, Explained, Surroundings};
use tilehaul::paste::{self, Recognised};
use tilehaul::reference;
use tilehaul::words::Kind;
use tilehaul_render::style::Ink;
use tilehaul_render::{Sources, Style, diagnostic, explanation, term};

use crate::input;
use crate::numbers::number;
use crate::output::{Answer, Failure, Outcome, Output, Verdict, add_diagnostics};

/// Reads a descriptor and says everything there is to say about it: fields, broken rules, hints, a picture.
///
/// Takes words in any spelling: 0x lists, s[4:11] dumps, gdb and lldb memory dumps, one long hex string, bytes, C and
/// Python arrays, a file of text or bytes, or `-`. The kind is guessed from the number of words unless --kind names it.
///
/// Source is recognised too: a cuTensorMapEncodeTiled(..) call, D#s built with HIP or Triton, and lines of assembly or PTX
/// that do not do what they say.
#[derive(clap::Args)]
#[allow(rustdoc::broken_intra_doc_links, reason = "the text is help as well: s[4:11] is no link")]
pub(crate) struct Args {
    /// Words, a file, `-` for standard input, or the code of a rule or hazard.
    #[arg(required = true, allow_negative_numbers = true, value_name = "WORDS|FILE|-|CODE")]
    words: Vec<String>,
    /// What the words are: tma, tdm, vbuf, wgmma, tcgen05, mbarrier or lds-barrier.
    #[arg(long, value_parser = kind)]
    kind: Option<Kind>,
    /// Target whose rules hold: sm_90a, sm_100a, gfx942, gfx1250 ...
    #[arg(long)]
    target: Option<String>,
    /// Bytes allocated from the descriptor's address on, to check that the tensor fits.
    #[arg(long, allow_negative_numbers = true, value_parser = number, value_name = "BYTES")]
    alloc_bytes: Option<u64>,
    /// Where the picture puts the box: start coordinates, innermost first.
    #[arg(long, value_name = "X,Y", value_delimiter = ',', allow_hyphen_values = true)]
    at: Vec<i64>,
    /// Workgroups of the cluster (a D# with a workgroup mask).
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=16), value_name = "N")]
    cluster_size: Option<u16>,
    /// Bits of the pending count of an LDS barrier word.
    #[arg(long, value_name = "BITS")]
    pending_width: Option<u32>,
}

pub(crate) fn kind(name: &str) -> Result<Kind, String> {
    Kind::of_name(name).ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.into_iter().map(Kind::name).collect();
        format!("choose one of {}", names.join(", "))
    })
}

pub(crate) fn run(args: &Args, output: &Output) -> Outcome {
    if let [code] = &args.words[..]
        && let Some(text) = reference::code(code)
    {
        let json = Map::from_iter([("code".to_owned(), json!(code)), ("text".to_owned(), json!(text))]);
        return Ok(Answer { verdict: Verdict::Clean, text, json, lines: false });
    }
    if let [word] = &args.words[..]
        && !std::path::Path::new(word).exists()
        && let Some(near) = reference::near(word)
    {
        return Err(Failure::invalid(format!("there is no code {word}: did you mean {near}?")));
    }
    let pasted = input::pasted(&args.words)?;
    if let Ok(source) = std::str::from_utf8(&pasted.bytes) {
        let target = args.target.as_deref();
        let mut recognised = paste::recognise(source, target);
        // Lines that are known mistakes need no second verdict.
        if !recognised.iter().any(Recognised::is_wrong) {
            recognised.extend(paste::instructions(source, target));
        }
        if !recognised.is_empty() {
            return Ok(source_answer(&recognised, &Sources::one(&pasted.name, source), output.style));
        }
    }
    let words = pasted.words()?;
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
    text.push_str(&body(explained, style));
    text.push_str(&diagnostic::all_text(&explained.diagnostics, &Sources::default(), style));
    Answer {
        verdict: Verdict::of(&explained.diagnostics),
        text: one_newline(text),
        json: json(explained),
        lines: false,
    }
}

/// Fields and pictures.
fn body(explained: &Explained, style: Style) -> String {
    let mut text = String::new();
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
    text
}

fn one_newline(mut text: String) -> String {
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Text and JSON of source that was recognised.
fn source_answer(recognised: &[Recognised], sources: &Sources, style: Style) -> Answer {
    let mut text = String::new();
    let mut items = Vec::new();
    let mut all = Vec::new();
    for item in recognised {
        text.push_str(&style.paint(Ink::Faint, &format!("Recognised: {}.", item.title)));
        text.push('\n');
        for assumption in &item.assumptions {
            text.push_str(&style.paint(Ink::Faint, &format!("Not known: {assumption}.")));
            text.push('\n');
        }
        text.push('\n');
        let mut map = item.explained.as_ref().map(json).unwrap_or_default();
        if let Some(explained) = &item.explained {
            text.push_str(&body(explained, style));
            all.extend(explained.diagnostics.iter().cloned());
            text.push_str(&diagnostic::all_text(&explained.diagnostics, sources, style));
        }
        text.push_str(&diagnostic::all_text(&item.diagnostics, sources, style));
        text.push('\n');
        all.extend(item.diagnostics.iter().cloned());
        map.insert("recognised".to_owned(), json!(item.title));
        map.insert("assumptions".to_owned(), json!(item.assumptions));
        map.remove("findings");
        map.remove("hints");
        items.push(map);
    }
    let mut json = Map::new();
    json.insert("recognised".to_owned(), json!(items));
    add_diagnostics(&mut json, &all, sources);
    Answer { verdict: Verdict::of(&all), text: one_newline(text), json, lines: false }
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
