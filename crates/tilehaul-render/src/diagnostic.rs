//! A diagnostic as rustc would print it, and as JSON.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Heading, Renderer, Snippet};
use serde_json::{Value, json};
use tilehaul_diag::{Diagnostic, FileId, Label, Level};

use crate::style::Ink;
use crate::{Sources, Style};

/// Lines of source shown around an annotated one.
const AROUND: usize = 2;

/// Several diagnostics, a blank line between them. Ends with a newline unless there are none.
#[must_use]
pub fn all_text(diagnostics: &[Diagnostic], sources: &Sources, style: Style) -> String {
    diagnostics.iter().map(|d| text(d, sources, style) + "\n").collect::<Vec<_>>().join("\n")
}

/// One diagnostic with excerpts of the source. Without a final newline.
#[must_use]
pub fn text(diagnostic: &Diagnostic, sources: &Sources, style: Style) -> String {
    text_with(diagnostic, None, sources, style)
}

/// The same with a last line that has a name: `= replay: …`.
#[must_use]
pub fn text_with(
    diagnostic: &Diagnostic,
    last: Option<(&str, &str)>,
    sources: &Sources,
    style: Style,
) -> String {
    if !labels(diagnostic).any(|(label, _)| sources.range(label.span).is_some()) {
        return bare(diagnostic, last, style);
    }
    let heading = match diagnostic.level {
        Level::Error => Heading::ERROR,
        Level::Warning => Heading::WARNING,
        Level::Note => Heading::NOTE,
    };
    let mut group: Group<'_> =
        Group::with_title(heading.primary_title(&diagnostic.message).id(diagnostic.code.0));
    for file in files(diagnostic) {
        if let Some(snippet) = snippet(diagnostic, file, sources) {
            group = group.element(snippet);
        }
    }
    for note in &diagnostic.notes {
        group = group.element(Heading::NOTE.message(note));
    }
    if let Some(fix) = help(diagnostic) {
        group = group.element(Heading::HELP.message(fix));
    }
    let source = diagnostic.source.map(|s| s.to_string());
    if let Some(source) = &source {
        group = group.element(Heading::NOTE.with_name("source").message(source));
    }
    if let Some((name, line)) = last {
        group = group.element(Heading::NOTE.with_name(name).message(line));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain().decor_style(DecorStyle::Ascii),
        Style::Ansi => Renderer::styled().decor_style(DecorStyle::Unicode),
    };
    renderer.term_width(120).render(&[group])
}

/// A diagnostic about something that has no text: a descriptor, a command line.
fn bare(diagnostic: &Diagnostic, last: Option<(&str, &str)>, style: Style) -> String {
    let ink = match diagnostic.level {
        Level::Error => Ink::Bad,
        Level::Warning => Ink::Warn,
        Level::Note => Ink::Good,
    };
    let head = format!("{}[{}]", diagnostic.level.word(), diagnostic.code);
    let mut out = format!("{}: {}", style.paint(ink, &head), style.paint(Ink::Strong, &diagnostic.message));
    let mut line =
        |name: &str, text: &str| out.push_str(&format!("\n  = {}: {text}", style.paint(Ink::Strong, name)));
    diagnostic.notes.iter().for_each(|note| line("note", note));
    if let Some(fix) = help(diagnostic) {
        line("help", fix);
    }
    if let Some(source) = diagnostic.source {
        line("source", &source.to_string());
    }
    if let Some((name, text)) = last {
        line(name, text);
    }
    out
}

/// The fix, unless the message already ends with it.
fn help(diagnostic: &Diagnostic) -> Option<&str> {
    let fix = diagnostic.fix.as_deref()?;
    let bare = fix.trim_end_matches('.');
    let tail =
        diagnostic.message.len().checked_sub(bare.len()).and_then(|from| diagnostic.message.get(from..));
    (!tail.is_some_and(|tail| tail.eq_ignore_ascii_case(bare))).then_some(fix)
}

fn labels(diagnostic: &Diagnostic) -> impl Iterator<Item = (&Label, AnnotationKind)> {
    let primary = diagnostic.primary.iter().map(|l| (l, AnnotationKind::Primary));
    primary.chain(diagnostic.secondary.iter().map(|l| (l, AnnotationKind::Context)))
}

/// Files that the labels touch, the primary one's first.
fn files(diagnostic: &Diagnostic) -> Vec<FileId> {
    let mut files = Vec::new();
    for (label, _) in labels(diagnostic) {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
}

fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    file: FileId,
    sources: &'a Sources,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let (name, text) = sources.get(file)?;
    let ranges: Vec<(std::ops::Range<usize>, &Label, AnnotationKind)> = labels(diagnostic)
        .filter(|(label, _)| label.span.file == file)
        .filter_map(|(label, kind)| Some((sources.range(label.span)?, label, kind)))
        .collect();
    // Kernels may have tens of thousands of lines: only the lines from the first label to the last are handed on.
    let first = ranges.iter().map(|(r, ..)| r.start).min()?;
    let last = ranges.iter().map(|(r, ..)| r.end).max()?;
    let start = back(text, first, AROUND);
    let end = forward(text, last, AROUND);
    let line = text.get(..start)?.bytes().filter(|&b| b == b'\n').count() + 1;
    let annotations = ranges.into_iter().map(|(range, label, kind)| {
        let label_text = (!label.text.is_empty()).then_some(label.text.as_str());
        kind.span(range.start - start..range.end - start).label(label_text)
    });
    Some(Snippet::source(text.get(start..end)?).line_start(line).path(name).annotations(annotations))
}

/// Start of the line that lies `lines` above the one with `at`.
fn back(text: &str, at: usize, lines: usize) -> usize {
    let before = text.get(..at).unwrap_or("");
    let mut breaks = before.rmatch_indices('\n').map(|(i, _)| i + 1);
    breaks.nth(lines).unwrap_or(0)
}

/// End of the line that lies `lines` below the one with `at`.
fn forward(text: &str, at: usize, lines: usize) -> usize {
    let after = text.get(at..).unwrap_or("");
    after.match_indices('\n').map(|(i, _)| at + i).nth(lines).unwrap_or(text.len())
}

/// A diagnostic as JSON: `code`, `level`, `message`, `primary`, `secondary`, `notes`, `fix`, `source`.
#[must_use]
pub fn json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    json!({
        "code": diagnostic.code.0,
        "level": diagnostic.level.word(),
        "message": diagnostic.message,
        "primary": diagnostic.primary.as_ref().map(|l| label_json(l, sources)),
        "secondary": diagnostic.secondary.iter().map(|l| label_json(l, sources)).collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "fix": diagnostic.fix,
        "source": diagnostic.source.map(|s| s.to_string()),
    })
}

fn label_json(label: &Label, sources: &Sources) -> Value {
    let place = sources.place(label.span);
    json!({
        "file": place.as_ref().map(|p| &p.file),
        "line": place.as_ref().map(|p| p.line),
        "column": place.as_ref().map(|p| p.column),
        "end_line": place.as_ref().map(|p| p.end_line),
        "end_column": place.as_ref().map(|p| p.end_column),
        "text": label.text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilehaul_diag::{Code, Source, Span};

    #[test]
    fn both_accesses_are_shown() {
        let text = "line one\nld.shared.b32 %r1, [%r2];\nmiddle\nmiddle\nmiddle\nmiddle\nmiddle\ncp.async.bulk [x];\nlast\n";
        let sources = Sources::one("kernel.ptx", text);
        let at = |needle: &str| {
            let start = text.find(needle).unwrap() as u32;
            Span::new(FileId(0), start, start + needle.len() as u32)
        };
        let diagnostic =
            Diagnostic::new(Code("read-before-landing"), Level::Error, "16 bytes are read before they land")
                .at(at("ld.shared.b32"), "read here")
                .also(at("cp.async.bulk"), "issued here")
                .note("No wait lies between the two.")
                .fix("wait on the barrier")
                .source(Source::manual("PTX ISA"));
        let shown = super::text(&diagnostic, &sources, Style::Plain);
        for part in [
            "error[read-before-landing]: 16 bytes",
            "--> kernel.ptx:2:1",
            "2 | ld.shared.b32 %r1, [%r2];",
            "^ read here",
            "8 | cp.async.bulk [x];",
            "- issued here",
            "= note: No wait",
            "= help: wait on the barrier",
            "= source: manual: PTX ISA",
        ] {
            assert!(shown.contains(part), "{part}\n{shown}");
        }
        let json = json(&diagnostic, &sources);
        assert_eq!(json["primary"]["line"], 2);
        assert_eq!(json["secondary"][0]["line"], 8);
    }
}
